//! Looking around an edge without rational points: by predicates on the corners of the faces along it, and rays that `f64`
//! can follow. What it sees is true; what it cannot tell for certain it leaves to rational points.

use super::Search;
use crate::pair::surface::{FrameRay, FramedFacet};
use impinge_core::bounds::Aabb;
use impinge_core::math::DVec3;
use impinge_core::narrow::winding::{Direction, NearPoint, RadialOrder, likely_ray_crossing};

/// Rays to try before rational points are asked.
const ATTEMPTS: usize = 6;

impl Search<'_> {
    /// Cuts an edge at every face that it passes through or along, and looks around a point of each piece. `None` where
    /// something is left to be seen.
    pub(super) fn look_quickly(&mut self, ends: [DVec3; 2]) -> Option<()> {
        let mut book = std::mem::take(&mut self.book);
        let seen = self.look_through(&mut book, ends);
        self.book = book;
        seen
    }

    fn look_through(&mut self, book: &mut RadialOrder<super::Leaf>, ends: [DVec3; 2]) -> Option<()> {
        let near = Aabb::around(ends);
        book.start(ends);
        let mut is_certain = true;
        for (of, surface) in self.surfaces.iter().enumerate() {
            surface.near(&near, &mut |FramedFacet { facet, weight, .. }| {
                is_certain = is_certain && book.add((of, *weight), facet.corners).is_some();
            });
        }
        let pieces = if is_certain { book.divide()? } else { return None };
        for piece in 0..pieces {
            let sample = book.sample(piece)?;
            let winding = self
                .rays(sample.near)
                .into_iter()
                .find_map(|ray| self.first_wedge(book, piece, sample, ray))?;
            self.read(winding, book.turns(), [false; 2], sample.near);
            if self.evidence.is_complete() {
                break;
            }
        }
        Some(())
    }

    /// The winding numbers where the ray starts, and the book's pages turned from there.
    fn first_wedge(
        &self,
        book: &mut RadialOrder<super::Leaf>,
        piece: usize,
        sample: NearPoint,
        ray: Direction,
    ) -> Option<[i32; 2]> {
        book.radial_sort(piece, ray)?;
        let passes_by = |corners: &[DVec3; 3]| book.contains(piece, corners);
        let winding = |of: usize| self.likely_winding(of, sample, ray, passes_by);
        Some([winding(0)?, winding(1)?])
    }

    /// The winding number of a model around a point that is on none of its faces.
    pub(super) fn winding_quickly(&self, of: usize, point: DVec3) -> Option<i32> {
        let sample = NearPoint { near: point, error: 0.0 };
        self.rays(point).into_iter().find_map(|ray| self.likely_winding(of, sample, ray, |_| false))
    }

    /// The winding number of a model where a ray starts, apart from faces that it passes by.
    fn likely_winding(
        &self,
        of: usize,
        sample: NearPoint,
        ray: Direction,
        passes_by: impl Fn(&[DVec3; 3]) -> bool,
    ) -> Option<i32> {
        let mut number = Some(0);
        let ray_in_frame = FrameRay { origin: sample.near, direction: ray.vector(), error: sample.error };
        self.surfaces[of].on_ray(&ray_in_frame, &mut |FramedFacet { facet, weight, .. }| {
            if *weight != 0 && number.is_some() && !passes_by(&facet.corners) {
                let crossing = likely_ray_crossing(sample, ray, facet.corners);
                number = number.zip(crossing).map(|(sum, crossing)| sum + weight * crossing);
            }
        });
        number
    }

    /// Directions along the axes, those first that leave the models soonest.
    fn rays(&self, from: DVec3) -> [Direction; ATTEMPTS] {
        let mut ways: [(f64, usize, bool); 6] = std::array::from_fn(|i| {
            let (axis, back) = (i / 2, i % 2 == 1);
            let way = |bounds: &Aabb| {
                if back { from[axis] - bounds.min[axis] } else { bounds.max[axis] - from[axis] }
            };
            (self.bounds.iter().map(|bounds| way(bounds).max(0.0)).sum(), axis, back)
        });
        ways.sort_by(|a, b| a.0.total_cmp(&b.0));
        std::array::from_fn(|i| Direction::along(ways[i / 2].1, ways[i / 2].2, i as u32))
    }
}
