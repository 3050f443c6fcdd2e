//! How far two models overlap: how deep their surfaces reach into each other, and the volume that they share.

mod ball;
mod enclosed;
mod grid;
mod meeting;
mod patches;
mod penetration;
mod polygon;
mod region;
mod search;
mod shadow;
mod shared_surface;
mod shared_volume;
mod surface;
mod volume;

pub(crate) use enclosed::{Enclosed, enclosed};
use meeting::shared_bounds;
pub(crate) use meeting::{PlacedMesh, common, meeting_bounds};
pub use penetration::{Penetration, PenetrationOptions};
pub use shared_surface::{SharedSurface, SharedSurfaceOptions};
pub use shared_volume::SharedVolume;

use super::{FacePair, Patience};
use crate::model::Placed;
use crate::pair::frame::Frame;
use crate::query::distance::MetricFrame;
use impinge_core::bounds::Aabb;
use impinge_core::math::DVec3;
use impinge_core::parallel::hold;
use patches::{Side, Sides};
use polygon::Polygon;
use region::Region;
use search::{Depth, Goal, Seed, deepest};
use surface::Surface;

/// The frame in which two models are looked at.
pub(crate) struct OverlapFrame {
    /// The model that comes first in the frame.
    host: usize,
    metric: MetricFrame,
}

impl OverlapFrame {
    pub(crate) fn of(a: &Placed<'_>, b: &Placed<'_>) -> OverlapFrame {
        let pair = Frame::of(a, b);
        let placed = [a, b];
        let metric = MetricFrame::of(&pair, placed[pair.host], placed[1 - pair.host]);
        OverlapFrame { host: pair.host, metric }
    }
}

/// Two models that overlap, as questions on how far are asked of them. Sides are 0 and 1 for the first and the second model.
///
/// Where the work limit ends a question, the answer is the graver one: deeper, sticking out, a ball. Where patience is over, it means nothing.
pub(crate) struct Overlap<'p, 'm> {
    frame: &'p OverlapFrame,
    /// The host's and the guest's.
    surfaces: [Surface<'p, 'm>; 2],
    sides: [Sides; 2],
    /// A box of the frame around what both share.
    shared: Aabb,
    /// What rounding may do to a coordinate of the frame.
    rounding: f64,
    patience: &'p Patience<'p>,
}

/// How many questions may be asked of the surfaces to compare a depth with a limit.
const MOST_QUESTIONS: u64 = 100_000;

impl<'p, 'm> Overlap<'p, 'm> {
    /// Two models, with all pairs of their faces that intersect, and the greatest length of the world that will be asked for.
    pub(crate) fn new(
        frame: &'p OverlapFrame,
        a: &'p Placed<'m>,
        b: &'p Placed<'m>,
        pairs: &[FacePair],
        reach: f64,
        patience: &'p Patience<'p>,
    ) -> Overlap<'p, 'm> {
        let _held = hold();
        let placed = [[a, b], [b, a]][frame.host];
        let labels = |side: usize| pairs.iter().map(move |pair| [pair.face_a, pair.face_b][side]);
        let meeting = [0, 1].map(|side| {
            let of_labels = placed[side].model().mesh().faces_by_label(labels(side ^ frame.host));
            let mut faces: Vec<u32> = of_labels.into_iter().map(|(_, face)| face).collect();
            faces.sort_unstable();
            faces
        });
        let metric = &frame.metric;
        let [mut host, mut guest] = [0, 1].map(|side| Surface::new(metric, side, placed[side]));
        let rounding = 64.0 * f64::EPSILON * metric.extent;
        let sides = if metric.is_shrunken() {
            [Sides::default(), Sides::default()]
        } else {
            let reach = metric.length_from_world(reach.max(0.0));
            let of_host = Sides::of([&mut host, &mut guest], &meeting[0], reach, rounding);
            let of_guest = Sides::of([&mut guest, &mut host], &meeting[1], reach, rounding);
            [of_host, of_guest]
        };
        let surfaces = [host, guest];
        let [first, second] = [0, 1].map(|side| &surfaces[side ^ frame.host].source);
        let in_frame: [PlacedMesh<'_>; 2] =
            [(first.mesh(), &|point| first.place(point)), (second.mesh(), &|point| second.place(point))];
        let shared = shared_bounds(&surfaces, &sides, meeting_bounds(in_frame, pairs), rounding);
        Overlap { frame, surfaces, sides, shared, rounding, patience }
    }

    /// Whether a point of a model's surface is inside of the other by more than a length of the world.
    pub(crate) fn is_deeper(&mut self, side: usize, than: f64) -> bool {
        let _held = hold();
        let side = side ^ self.frame.host;
        if self.patience.is_over_now() || !self.surfaces[1 - side].has_solid() {
            return false;
        }
        let (goal, than) = self.limit(than);
        self.frame.metric.is_shrunken() || is_more(&self.deepest(side, &goal, than))
    }

    /// Whether a point of a model, of its solid or its surface, is farther than a length of the world from all points of the other.
    pub(crate) fn sticks_out(&mut self, side: usize, by: f64) -> bool {
        let (own, other) = (side, 1 - side);
        // Of a solid, what is outside of the other is near its own surface or the other's, or holds a ball.
        self.surface_sticks_out(own, by) || self.is_deeper(other, by) || self.holds_ball(own, false, by)
    }

    /// Whether what both models share holds a ball of a radius of more than a length of the world.
    pub(crate) fn shares_ball(&mut self, radius: f64) -> bool {
        self.holds_ball(0, true, radius)
    }

    /// Whether a point of a model's surface is outside of the other by more than a length of the world.
    fn surface_sticks_out(&mut self, side: usize, by: f64) -> bool {
        let _held = hold();
        let side = side ^ self.frame.host;
        let (goal, by) = self.limit(by);
        let [bounds, others] = [side, 1 - side].map(|side| self.surfaces[side].bounds());
        // Boxes are rounded outward by a little.
        let more = DVec3::splat(by + 4.0 * self.rounding);
        let beyond = (others.min - more).cmpgt(bounds.min) | (bounds.max).cmpgt(others.max + more);
        if beyond.any() || self.frame.metric.is_shrunken() || self.patience.is_over_now() {
            return true;
        }
        let [first, second] = &mut self.surfaces;
        let (of, within) = if side == 0 { (first, second) } else { (second, first) };
        let mut is_within = vec![false; of.source.mesh().face_count()];
        let inside = self.sides[side].faces.iter().filter(|(_, side)| *side == Side::Inside);
        inside.for_each(|(face, _)| is_within[*face as usize] = true);
        let mut seeds = Vec::new();
        of.for_each_face_near(&bounds, |face, triangle| {
            if !is_within[face as usize] {
                seeds.push(Seed { polygon: Polygon { corners: triangle.to_vec() }, is_inside: false });
            }
        });
        is_more(&deepest(&mut Region::outside(within), seeds, &goal, by))
    }

    /// Whether what is inside of one model, and inside or outside of the other, holds a ball of a radius of more than a length of the world.
    fn holds_ball(&mut self, side: usize, in_other: bool, radius: f64) -> bool {
        let _held = hold();
        let side = side ^ self.frame.host;
        let solids = [0, 1].map(|side| self.surfaces[side].has_solid());
        if !solids[side] || in_other && !solids[1 - side] {
            return false;
        }
        if self.frame.metric.is_shrunken() || self.patience.is_over_now() {
            return true;
        }
        let (goal, radius) = self.limit(radius);
        // A little more than what the search takes for more.
        let distance = radius + 2.0 * goal.width;
        let mut is_inside = [true; 2];
        is_inside[1 - side] = in_other;
        let mut seeds = Vec::new();
        for of in 0..2 {
            let beyond = if is_inside[1 - of] { Side::Outside } else { Side::Inside };
            seeds.extend(ball::seeds(&self.surfaces[of], &self.sides[of], beyond, is_inside[of], distance));
        }
        if in_other {
            // The whole ball is in what both share, and so its center is well within the box around that.
            let least = DVec3::splat(radius - 2.0 * self.rounding);
            let centers = Aabb { min: self.shared.min + least, max: self.shared.max - least };
            let within = |seed: Seed| Some(Seed { polygon: seed.polygon.within(&centers)?, ..seed });
            seeds = seeds.into_iter().filter_map(within).collect();
        }
        let mut region = Region::between(&mut self.surfaces, is_inside);
        is_more(&deepest(&mut region, seeds, &goal, radius))
    }

    /// The deepest point of a surface inside of the other, if it is deeper than what is `known`.
    fn deepest(&mut self, side: usize, goal: &Goal<'_>, known: f64) -> Depth {
        let [first, second] = &mut self.surfaces;
        let (of, within) = if side == 0 { (first, second) } else { (second, first) };
        // Open parts may be entered without meeting a face.
        let bounds = if within.is_estimated { within.bounds() } else { self.shared };
        let mesh = of.source.mesh();
        let mut seeds = Vec::new();
        for &(face, side) in &self.sides[side].faces {
            let is_possible = side != Side::Outside || within.is_estimated;
            for corners in mesh.fan(face).filter(|_| is_possible) {
                let triangle = corners.map(|vertex| of.source.place(mesh.vertex(vertex)));
                let polygon = Polygon { corners: triangle.to_vec() };
                let is_inside = side == Side::Inside;
                let polygon = if is_inside { Some(polygon) } else { polygon.within(&bounds) };
                seeds.extend(polygon.map(|polygon| Seed { polygon, is_inside }));
            }
        }
        deepest(&mut Region::inside(within), seeds, goal, known)
    }

    /// The goal of a search that compares with a length of the world, and that length in the frame.
    fn limit(&self, length: f64) -> (Goal<'p>, f64) {
        let Overlap { rounding, patience, .. } = *self;
        let (width, most) = (4.0 * rounding, MOST_QUESTIONS);
        let goal = Goal { share: 0.0, width, rounding, most, first: true, patience };
        (goal, self.frame.metric.length_from_world(length.max(0.0)))
    }

    fn asked(&self) -> u64 {
        self.surfaces[0].asked + self.surfaces[1].asked
    }
}

/// Whether a search found more than what was known, or was ended before it could tell.
fn is_more(depth: &Depth) -> bool {
    depth.points.is_some() || !depth.is_narrow
}
