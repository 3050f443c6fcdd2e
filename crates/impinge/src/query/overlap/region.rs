//! A region of space: what is inside of some solids and outside of others.

use super::polygon::{HalfSpace, Polygon};
use super::surface::{Nearest, Surface};
use impinge_core::math::DVec3;

/// The points on given sides of one or two surfaces.
pub(super) struct Region<'r, 'p, 'm> {
    /// Each surface, and whether the region is inside of it.
    surfaces: Vec<(&'r mut Surface<'p, 'm>, bool)>,
}

impl<'r, 'p, 'm> Region<'r, 'p, 'm> {
    /// What is inside of a surface.
    pub(super) fn inside(surface: &'r mut Surface<'p, 'm>) -> Region<'r, 'p, 'm> {
        Region { surfaces: vec![(surface, true)] }
    }

    /// What is outside of a surface.
    pub(super) fn outside(surface: &'r mut Surface<'p, 'm>) -> Region<'r, 'p, 'm> {
        Region { surfaces: vec![(surface, false)] }
    }

    /// What is on given sides of two surfaces.
    pub(super) fn between(
        surfaces: &'r mut [Surface<'p, 'm>; 2],
        is_inside: [bool; 2],
    ) -> Region<'r, 'p, 'm> {
        Region { surfaces: surfaces.iter_mut().zip(is_inside).collect() }
    }

    /// Whether some of its border is estimated, so that it may end where there is no face.
    pub(super) fn is_estimated(&self) -> bool {
        self.surfaces.iter().any(|(surface, _)| surface.is_estimated)
    }

    /// How often something was asked of the surfaces.
    pub(super) fn asked(&self) -> u64 {
        self.surfaces.iter().map(|(surface, _)| surface.asked).sum()
    }

    /// The nearest triangle of any surface to a point. A triangle that is likely to be near makes it quicker.
    pub(super) fn nearest(&mut self, point: DVec3, hint: Option<&[DVec3; 3]>) -> Option<Nearest> {
        let mut best: Option<Nearest> = None;
        for (surface, _) in &mut self.surfaces {
            let triangle = best.as_ref().map(|best| best.triangle);
            best = surface.nearest(point, triangle.as_ref().or(hint)).or(best);
        }
        best
    }

    /// Whether a point is in the region. On its border, rounding decides.
    pub(super) fn contains(&mut self, point: DVec3) -> bool {
        self.surfaces.iter_mut().all(|(surface, is_inside)| surface.contains(point) == *is_inside)
    }

    /// The plane of a triangle that crosses a polygon by more than `slack`; none where nothing does.
    pub(super) fn crossing(&mut self, polygon: &Polygon, slack: f64) -> Option<HalfSpace> {
        self.surfaces.iter_mut().find_map(|(surface, _)| surface.crossing(polygon, slack))
    }
}
