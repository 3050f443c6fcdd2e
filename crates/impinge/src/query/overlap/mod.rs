//! How far two models overlap: how deep their surfaces reach into each other, and the volume that they share.

mod ball;
mod patches;
mod polygon;
mod region;
mod search;
mod shared_surface;
mod surface;
mod volume;

use super::FacePair;
use crate::model::Placed;
use crate::options::options;
use crate::pair::frame::Frame;
use crate::query::distance::MetricFrame;
use impinge_core::bounds::Aabb;
use impinge_core::math::DVec3;
use impinge_core::narrow::distance::point_triangle;
use impinge_core::parallel::hold;
use patches::{Side, Sides};
use polygon::{HalfSpace, Polygon};
use region::Region;
use search::{Depth, Goal, Seed, deepest};
pub use shared_surface::{SharedSurface, SharedSurfaceOptions};
use surface::Surface;

options! {
    /// Options of a search for the penetration.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct PenetrationOptions {
        /// How wide the interval may be, as a share of the depth.
        pub share: f64 = 0.01,
        /// How wide the interval may be in any case, as a length of the world.
        pub width: f64 = 0.0,
        /// How many questions may be asked of the surfaces: the nearest face, the side of a point, what crosses a cell. Where they are not enough the
        /// interval is wider, and says so.
        pub most: u64 = 100_000,
    }
}

/// How deep two models reach into each other: the greatest distance that a point of one's surface lies inside of the other, measured to
/// the other's surface.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Penetration {
    /// A point that is so deep was found.
    pub at_least: f64,
    /// No point is deeper.
    pub at_most: f64,
    /// The deepest point that was found, in the world; none where nothing lies inside by more than rounding.
    pub point_in_world: Option<DVec3>,
    /// The nearest point of the other's surface to it.
    pub nearest_in_world: Option<DVec3>,
    /// Whether the deepest point belongs to the second model, and lies inside of the first.
    pub of_second: bool,
    /// Whether the deepest point is about as near to the other's surface on the far side: more depth does not fit into its thickness.
    pub limited_by_thickness: bool,
    /// Whether the interval is as narrow as was asked.
    pub is_narrow: bool,
    /// How many questions were asked of the surfaces.
    pub questions: u64,
}

/// The volume that two solids share.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct SharedVolume {
    /// The volume of the points inside of both solids; where a solid is inside of itself, they count as often as it is.
    pub volume: f64,
    /// A bound on what rounding may do to the volume.
    pub error: f64,
    /// Whether a solid is inside of itself there, as bodies that cross themselves are: then points may count more than once. Found out by samples.
    pub is_estimated: bool,
    /// A box around what is shared, in the world.
    pub bounds: Aabb,
}

/// Beside the nearest point of a surface, those count as equally near that are no farther than this.
const ALIKE: f64 = 1.05;

impl Placed<'_> {
    /// How deep the two models reach into each other, with default options; `None` where neither is a solid.
    ///
    /// ```
    /// use impinge::{Model, Trs, shapes};
    ///
    /// // A slab that sinks into another by a quarter, whatever their width.
    /// let slab = Model::new(shapes::cuboid([0.0; 3], [10.0, 10.0, 1.0])?);
    /// let above = slab.at(Trs::translation([3.0, 2.0, 0.75])?);
    /// let found = slab.at(Trs::IDENTITY).penetration(&above).expect("both are solids");
    /// assert!(found.at_least <= 0.25 && 0.25 <= found.at_most && found.at_most < 0.2526);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "depth")]
    #[doc(alias = "penetration depth")]
    pub fn penetration(&self, other: &Placed<'_>) -> Option<Penetration> {
        self.penetration_with(other, PenetrationOptions::new())
    }

    /// [`penetration`](Self::penetration) with given options.
    pub fn penetration_with(&self, other: &Placed<'_>, options: PenetrationOptions) -> Option<Penetration> {
        if !self.model().has_solid() && !other.model().has_solid() {
            return None;
        }
        let frame = OverlapFrame::of(self, other);
        Overlap::new(&frame, self, other, &self.face_pairs(other), 0.0).penetration(options)
    }

    /// The volume that two solids share; `None` where one of them is none.
    ///
    /// ```
    /// use impinge::{Model, Trs, shapes};
    ///
    /// let cube = Model::new(shapes::cuboid([0.0; 3], [2.0; 3])?);
    /// let beside = cube.at(Trs::translation([1.0, 1.5, 0.0])?);
    /// let shared = cube.at(Trs::IDENTITY).shared_volume(&beside).expect("both are solids");
    /// assert!((shared.volume - 1.0).abs() <= shared.error && shared.error < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "intersection volume")]
    pub fn shared_volume(&self, other: &Placed<'_>) -> Option<SharedVolume> {
        if !self.model().has_solid() || !other.model().has_solid() {
            return None;
        }
        let frame = OverlapFrame::of(self, other);
        Overlap::new(&frame, self, other, &self.face_pairs(other), 0.0).shared_volume()
    }
}

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
/// Where the work limit ends a question, the answer is the graver one: deeper, sticking out, a ball.
pub(crate) struct Overlap<'p, 'm> {
    frame: &'p OverlapFrame,
    /// The host's and the guest's.
    surfaces: [Surface<'p, 'm>; 2],
    sides: [Sides; 2],
    /// A box of the frame around where faces meet.
    meeting: Aabb,
    /// What rounding may do to a coordinate of the frame.
    rounding: f64,
}

/// So many faces of a surface are looked at for windings other than 0 and 1.
const WINDING_SAMPLES: usize = 12;

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
        let mut overlap = Overlap { frame, surfaces: [host, guest], sides, meeting: Aabb::EMPTY, rounding };
        overlap.meeting = overlap.bounds_of_pairs(pairs);
        overlap
    }

    /// A box around what the boxes of faces that meet have in common.
    fn bounds_of_pairs(&self, pairs: &[FacePair]) -> Aabb {
        let boxes = [0, 1].map(|side| {
            let labels = pairs.iter().map(|pair| [pair.face_a, pair.face_b][side ^ self.frame.host]);
            self.surfaces[side].boxes_of_labels(labels)
        });
        let box_of = |side: usize, label: u32| {
            let place = boxes[side].binary_search_by_key(&label, |(label, _)| *label).ok()?;
            Some(&boxes[side][place].1)
        };
        let mut bounds = Aabb::EMPTY;
        for pair in pairs {
            let labels = [pair.face_a, pair.face_b];
            if let [Some(a), Some(b)] = [0, 1].map(|side| box_of(side, labels[side ^ self.frame.host])) {
                // Boxes of faces that meet may miss each other by rounding.
                let (min, max) = (a.min.max(b.min), a.max.min(b.max));
                bounds = bounds.merge(Aabb { min: min.min(max), max: max.max(min) });
            }
        }
        bounds
    }

    /// A box of the frame around what both share.
    fn shared_bounds(&self) -> Aabb {
        let mut bounds = self.meeting;
        let outer = [0, 1].map(|side| self.surfaces[side].bounds());
        for side in 0..2 {
            let source = &self.surfaces[side].source;
            let mesh = source.mesh();
            for &(face, at) in &self.sides[side].faces {
                let corners = mesh.corners(face).map(|vertex| source.place(mesh.vertex(vertex)));
                for corner in corners.filter(|_| at != Side::Outside) {
                    if outer[1 - side].contains(corner) {
                        bounds = bounds.merge(Aabb { min: corner, max: corner });
                    }
                }
            }
        }
        let more = DVec3::splat(self.rounding);
        let (min, max) = (bounds.min - more, bounds.max + more);
        Aabb { min: min.max(outer[0].min).max(outer[1].min), max: max.min(outer[0].max).min(outer[1].max) }
    }

    /// The volume that both models share; `None` where one of them is no solid.
    pub(crate) fn shared_volume(&mut self) -> Option<SharedVolume> {
        if !self.surfaces.iter().all(Surface::has_solid) {
            return None;
        }
        let metric = &self.frame.metric;
        let bounds = self.shared_bounds();
        if bounds.is_empty() || metric.is_shrunken() {
            return Some(self.unmeasured(&bounds));
        }
        let _held = hold();
        let found = volume::integrate(&mut self.surfaces, &self.sides, &bounds, self.rounding);
        let is_estimated = (0..2).any(|side| self.has_other_windings(side));
        let unit = metric.length_to_world(1.0).powi(3);
        Some(SharedVolume {
            volume: found.value.max(0.0) * unit,
            error: found.error * unit,
            is_estimated,
            bounds: metric.bounds_to_world(&bounds),
        })
    }

    /// Whether a surface has other windings than 0 and 1 beside its faces, by some of the faces around what is shared.
    fn has_other_windings(&mut self, side: usize) -> bool {
        let surface = &mut self.surfaces[side];
        let model = surface.placed.model();
        let mesh = model.mesh();
        let shared = || {
            let faces = self.sides[side].faces.iter().filter(|(_, at)| *at != Side::Outside);
            faces.map(|(face, _)| *face).filter(|face| model.is_closed_face(*face))
        };
        let step = shared().count().div_ceil(WINDING_SAMPLES).max(1);
        let faces: Vec<u32> = shared().step_by(step).collect();
        faces.into_iter().any(|face| {
            let Some(corners) = mesh.fan(face).next() else { return false };
            let windings = surface.windings_beside(corners.map(|vertex| mesh.vertex(vertex)));
            windings.is_some_and(|pair| pair.iter().any(|winding| !matches!(winding, 0 | 1)))
        })
    }

    /// The answer for what shares nothing, and for sizes that are out of the ordinary: no more than the lesser box.
    fn unmeasured(&self, bounds: &Aabb) -> SharedVolume {
        let metric = &self.frame.metric;
        let world = metric.bounds_to_world(bounds);
        let most = if bounds.is_empty() { 0.0 } else { world.size().element_product() };
        SharedVolume { volume: 0.0, error: most, is_estimated: most > 0.0, bounds: world }
    }

    /// How deep the two models reach into each other; `None` where neither is a solid.
    pub(crate) fn penetration(&mut self, options: PenetrationOptions) -> Option<Penetration> {
        let _held = hold();
        let solids = [0, 1].map(|side| self.surfaces[side].has_solid());
        if solids == [false; 2] {
            return None;
        }
        let metric = &self.frame.metric;
        if metric.is_shrunken() {
            return Some(unsearched(metric, &self.surfaces, solids));
        }
        let asked = self.asked();
        let width = metric.length_from_world(options.width).max(4.0 * self.rounding);
        let goal = Goal {
            share: options.share.max(0.0),
            width,
            rounding: self.rounding,
            most: options.most,
            first: false,
        };
        let mut best = Depth { is_narrow: true, ..Depth::default() };
        let mut deepest_of = 0;
        for side in (0..2).filter(|side| solids[1 - side]) {
            let found = self.deepest(side, &goal, best.at_least);
            best.at_most = best.at_most.max(found.at_most);
            best.is_narrow &= found.is_narrow;
            if found.points.is_some() {
                (best.at_least, best.points, deepest_of) = (found.at_least, found.points, side);
            }
        }
        let within = &mut self.surfaces[1 - deepest_of];
        let limited_by_thickness = best.points.is_some_and(|points| is_limited(within, points, width));
        let to_world = |which: usize| best.points.map(|points| metric.to_world(points[which]));
        Some(Penetration {
            at_least: metric.length_to_world(best.at_least),
            at_most: metric.length_to_world(best.at_most),
            point_in_world: to_world(0),
            nearest_in_world: to_world(1),
            of_second: deepest_of ^ self.frame.host == 1,
            limited_by_thickness,
            is_narrow: best.is_narrow,
            questions: self.asked() - asked,
        })
    }

    /// Whether a point of a model's surface is inside of the other by more than a length of the world.
    pub(crate) fn is_deeper(&mut self, side: usize, than: f64) -> bool {
        let _held = hold();
        let side = side ^ self.frame.host;
        if !self.surfaces[1 - side].has_solid() {
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
        if beyond.any() || self.frame.metric.is_shrunken() {
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
        if self.frame.metric.is_shrunken() {
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
        let mut region = Region::between(&mut self.surfaces, is_inside);
        is_more(&deepest(&mut region, seeds, &goal, radius))
    }

    /// The deepest point of a surface inside of the other, if it is deeper than what is `known`.
    fn deepest(&mut self, side: usize, goal: &Goal, known: f64) -> Depth {
        let [first, second] = &mut self.surfaces;
        let (of, within) = if side == 0 { (first, second) } else { (second, first) };
        let bounds = within.bounds();
        let limits = DVec3::AXES
            .map(|axis| [HalfSpace::through(bounds.max, axis), HalfSpace::through(bounds.min, -axis)]);
        let mesh = of.source.mesh();
        let mut seeds = Vec::new();
        for &(face, side) in &self.sides[side].faces {
            for corners in mesh.fan(face).filter(|_| side != Side::Outside) {
                let triangle = corners.map(|vertex| of.source.place(mesh.vertex(vertex)));
                let mut polygon = Some(Polygon { corners: triangle.to_vec() });
                let is_inside = side == Side::Inside;
                for limit in limits.as_flattened().iter().filter(|_| !is_inside) {
                    polygon = polygon.and_then(|polygon| polygon.split(limit, 0.0)[0].take());
                }
                seeds.extend(polygon.map(|polygon| Seed { polygon, is_inside }));
            }
        }
        deepest(&mut Region::inside(within), seeds, goal, known)
    }

    /// The goal of a search that compares with a length of the world, and that length in the frame.
    fn limit(&self, length: f64) -> (Goal, f64) {
        let rounding = self.rounding;
        let goal = Goal { share: 0.0, width: 4.0 * rounding, rounding, most: MOST_QUESTIONS, first: true };
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

/// The answer for sizes that are out of the ordinary, where bounds are of no use: nothing inside of a solid is farther from its surface than
/// its box is long.
fn unsearched(frame: &MetricFrame, surfaces: &[Surface<'_, '_>; 2], solids: [bool; 2]) -> Penetration {
    let sizes = [0, 1].map(|side| if solids[side] { surfaces[side].bounds().size().length() } else { 0.0 });
    Penetration {
        at_least: 0.0,
        at_most: frame.length_to_world(sizes[0].max(sizes[1])),
        point_in_world: None,
        nearest_in_world: None,
        of_second: false,
        limited_by_thickness: false,
        is_narrow: false,
        questions: 0,
    }
}

/// Whether a point has nearest points on a surface in directions more than a right angle apart.
fn is_limited(surface: &mut Surface<'_, '_>, [point, nearest]: [DVec3; 2], width: f64) -> bool {
    let reach = point.distance(nearest) * ALIKE + width;
    let around = Aabb { min: point - DVec3::splat(reach), max: point + DVec3::splat(reach) };
    let mut directions: Vec<DVec3> = Vec::new();
    let mut is_limited = false;
    surface.for_each_near(&around, |triangle| {
        let closest = point_triangle(point, &triangle);
        if !is_limited && closest.squared <= reach * reach {
            let direction = closest.offset.normalize_or_zero();
            // A little more than a right angle: rounding makes two walls of a corner differ by that.
            is_limited = directions.iter().any(|other| other.dot(direction) < -0.05);
            if directions.len() < 256 {
                directions.push(direction);
            }
        }
    });
    is_limited
}
