//! A leg of a motion as it is solved: two bodies in a frame, and how far apart their triangles are on the way.

use super::frame::{Margin, SweepFrame};
use crate::model::Placed;
use crate::pair::surface::{FaceSource, FacetName};
use crate::query::verdict::Engine;
use impinge_core::bounds::Aabb;
use impinge_core::bvh::DopTree;
use impinge_core::math::DVec3;
use impinge_core::narrow::ccd::{RigidPath, TrianglePair, time_within};
use impinge_core::narrow::distance::Closest;

/// Two triangles of the models, by their names, as they are at the start of a leg.
#[derive(Clone, Copy, Debug)]
pub(super) struct NamedPair {
    pub(super) names: [FacetName; 2],
    pub(super) pair: TrianglePair,
}

impl NamedPair {
    /// The order that decides between pairs that touch at the same time.
    pub(super) fn key(&self) -> [u32; 4] {
        let [a, b] = self.names;
        [a.face, a.piece, b.face, b.piece]
    }
}

/// The earliest pair that comes within a level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) time: f64,
    pub(super) pair: NamedPair,
}

/// A leg as it is solved: two models in a frame, one of which moves.
pub(super) struct LegProblem<'l, 'm> {
    pub(super) frame: &'l SweepFrame,
    pub(super) sources: [FaceSource<'m>; 2],
    pub(super) path: RigidPath,
    /// The length of the leg.
    pub(super) length: f64,
    /// The trees of the two, where they are of use.
    pub(super) trees: Option<[&'m DopTree<6>; 2]>,
}

impl<'l, 'm> LegProblem<'l, 'm> {
    pub(super) fn new(
        frame: &'l SweepFrame,
        [moving, stationary]: [&Placed<'m>; 2],
        path: RigidPath,
        length: f64,
        engine: Engine,
    ) -> LegProblem<'l, 'm> {
        let is_brute = engine == Engine::Brute || frame.is_shrunken();
        let trees = (!is_brute).then(|| [moving, stationary].map(|placed| placed.model().bvh()));
        LegProblem { frame, sources: frame.sources(moving, stationary), path, length, trees }
    }

    pub(super) fn margin(&self) -> Margin {
        self.frame.margin
    }

    /// The tolerance of the times of pairs, as a length.
    pub(super) fn tolerance(&self) -> f64 {
        self.margin().core / 4.0
    }

    /// The sum of the radii of the two bodies: distances are those of the cores less this.
    pub(super) fn radii(&self) -> f64 {
        self.frame.radii
    }

    /// The distance of the triangles of a pair at a time, as they are rounded.
    pub(super) fn distance_of(&self, pair: &NamedPair, time: f64) -> f64 {
        pair.pair.closest(&self.path, time).squared.sqrt() - self.radii()
    }

    /// [`distance_of`](Self::distance_of) near a time at which the closest points are known.
    pub(super) fn distance_near(&self, pair: &NamedPair, time: f64, at: &Closest) -> f64 {
        pair.pair.distance_near(&self.path, time, at) - self.radii()
    }

    /// The distance of the closest of some pairs at a time.
    pub(super) fn least_of(&self, pairs: &[&NamedPair], time: f64) -> f64 {
        pairs.iter().map(|pair| self.distance_of(pair, time)).fold(f64::INFINITY, f64::min)
    }

    /// The speed at which the triangles of a pair part at a time.
    pub(super) fn slope_of(&self, pair: &NamedPair, time: f64) -> f64 {
        pair.pair.slope(&self.path, time, self.tolerance())
    }

    /// [`slope_of`](Self::slope_of) where the closest points at that time are known.
    pub(super) fn slope_at(&self, pair: &NamedPair, time: f64, closest: &Closest) -> f64 {
        pair.pair.slope_of(&self.path, time, closest, self.tolerance())
    }

    /// The time at which the triangles of a pair come within `level`.
    pub(super) fn time_within(&self, pair: &NamedPair, level: f64, times: [f64; 2]) -> Option<f64> {
        time_within(&pair.pair, &self.path, self.radii() + level, times, self.tolerance())
    }

    /// The radius of the moving body about the axis.
    pub(super) fn radius(&self) -> f64 {
        let radii = corners(&self.sources[0].bounds()).map(|corner| self.path.radius(corner));
        let radius = radii.fold(0.0, f64::max);
        radius * (1.0 + 1e-9)
    }

    /// The size of faces, of the model that has the smaller or the larger ones; not below the radii.
    pub(super) fn face_size(&self, choose: fn(f64, f64) -> f64) -> f64 {
        let size = |source: &FaceSource<'_>| {
            let bounds = source.bounds();
            (bounds.max - bounds.min).length() / (source.mesh().face_count() as f64).sqrt()
        };
        choose(size(&self.sources[0]), size(&self.sources[1])).max(self.radii())
    }

    /// An upper bound of the speed of the body's points.
    pub(super) fn speed(&self) -> f64 {
        if self.path.observer.is_some() {
            // The relative velocity is affine in the point: its length is greatest at a corner of the box.
            let start = self.path.moment(0.0);
            let speed = |corner: DVec3| self.path.velocity_at(corner, &start).length();
            let fastest = corners(&self.sources[0].bounds()).map(speed).fold(0.0, f64::max);
            return (fastest + self.path.speed_up(self.radius(), self.length)) * (1.0 + 1e-9);
        }
        let turning = if self.path.is_turning() { self.path.rate * self.radius() } else { 0.0 };
        self.path.velocity.length() + turning
    }
}

/// The corners of a box.
pub(super) fn corners(bounds: &Aabb) -> impl Iterator<Item = DVec3> + use<> {
    let ends = [bounds.min, bounds.max];
    (0..8_usize).map(move |corner| {
        let end = |bit: usize| ends[corner >> bit & 1];
        DVec3::new(end(0).x, end(1).y, end(2).z)
    })
}
