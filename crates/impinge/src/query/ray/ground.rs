//! The cells of a terrain along a ray.

use std::ops::ControlFlow;

use super::cast::{Found, Search};
use crate::model::Ground;
use impinge_core::heightfield::FieldRayVisitor;
use impinge_core::simd::Lanes;

/// Tests the two faces of each cell.
pub(super) struct GroundVisitor<'w, 's, 'm, V> {
    pub(super) search: &'w Search<'s, 'm>,
    pub(super) ground: &'w Ground<'m>,
    pub(super) visit: V,
    pub(super) limit: f64,
}

impl<V> FieldRayVisitor for GroundVisitor<'_, '_, '_, V>
where
    V: FnMut(Found, &mut f64) -> ControlFlow<()>,
{
    #[inline(always)]
    fn meet<L: Lanes>(&mut self, row: u32, column: u32) -> ControlFlow<()> {
        let Ground { field, grid, .. } = self.ground;
        let cell = row * (grid.columns - 1) + column;
        if grid.is_hole(cell) {
            return ControlFlow::Continue(());
        }
        let [first, right, across, above] = field.cell(row, column);
        let corners = [[first, right, across], [first, across, above]];
        let mut half = 0;
        while half < 2 {
            let face = 2 * cell + half;
            if let Some(crossing) = self.search.crossing(&corners[half as usize])
                && self.search.accepts(face)
            {
                (self.visit)(Found { face, k: 0, crossing }, &mut self.limit)?;
            }
            half += 1;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn limit(&self) -> f64 {
        self.limit
    }
}
