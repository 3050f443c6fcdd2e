//! The cells of a terrain against a volume.

use std::ops::{ControlFlow, Range};

use super::faces::Faces;
use crate::mesh::Grid;
use impinge_core::heightfield::FieldVolumeVisitor;
use impinge_core::simd::Lanes;

/// Tests the two faces of each cell.
pub(super) struct GroundFaces<'v, 'm> {
    pub(super) grid: &'m Grid,
    pub(super) faces: Faces<'v, 'm>,
}

impl FieldVolumeVisitor for GroundFaces<'_, '_> {
    fn inside(&mut self, rows: Range<u32>, columns: Range<u32>) -> ControlFlow<()> {
        let (mut list, mut count) = ([0; 64], 0);
        for row in rows {
            for column in columns.clone() {
                let cell = row * (self.grid.columns - 1) + column;
                if self.grid.is_hole(cell) {
                    continue;
                }
                list[count] = 2 * cell;
                list[count + 1] = 2 * cell + 1;
                count += 2;
                if count == list.len() {
                    self.faces.found(&list)?;
                    count = 0;
                }
            }
        }
        if count == 0 { ControlFlow::Continue(()) } else { self.faces.found(&list[..count]) }
    }

    #[inline(always)]
    fn near<L: Lanes>(&mut self, row: u32, column: u32) -> ControlFlow<()> {
        let cell = row * (self.grid.columns - 1) + column;
        if self.grid.is_hole(cell) {
            return ControlFlow::Continue(());
        }
        self.faces.test::<L>(2 * cell)?;
        self.faces.test::<L>(2 * cell + 1)
    }

    #[inline(always)]
    fn end<L: Lanes>(&mut self) {
        let _ = self.faces.test_waiting::<L>();
    }
}
