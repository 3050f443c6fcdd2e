//! How deep two models reach into each other.

use super::search::{Depth, Goal};
use super::surface::Surface;
use super::{Overlap, OverlapFrame};
use crate::model::Placed;
use crate::options::options;
use crate::query::Patience;
use crate::query::distance::MetricFrame;
use impinge_core::bounds::Aabb;
use impinge_core::math::DVec3;
use impinge_core::narrow::distance::point_triangle;
use impinge_core::parallel::hold;

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
        /// Whether open parts count as solids where their generalized winding number is 0.75 or more: an estimate, and the answer says so.
        pub open_parts: bool = false,
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
    /// Whether the deepest point is inside of open parts only, by their generalized winding number.
    pub is_estimated: bool,
    /// How many questions were asked of the surfaces.
    pub questions: u64,
}

/// An estimate is not worth as much work as an exact answer: the work limit is divided by this.
const ESTIMATES: u64 = 50;

/// Beside the nearest point of a surface, those count as equally near that are no farther than this.
const ALIKE: f64 = 1.05;

impl Placed<'_> {
    /// How deep the two models reach into each other, with default options; `None` where neither is a solid. Of rounded models, the cores count.
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
        let bounds_nothing = ![self, other].iter().any(|placed| placed.model().has_solid());
        if bounds_nothing && !options.open_parts {
            return None;
        }
        let frame = OverlapFrame::of(self, other);
        Overlap::new(&frame, self, other, &self.face_pairs(other), 0.0, &Patience::endless())
            .penetration(options)
    }
}

impl Overlap<'_, '_> {
    /// How deep the two models reach into each other; `None` where neither is a solid, or patience is over.
    pub(crate) fn penetration(&mut self, options: PenetrationOptions) -> Option<Penetration> {
        let _held = hold();
        for surface in &mut self.surfaces {
            surface.is_estimated = options.open_parts && !surface.placed.model().is_closed();
        }
        let found = self.search_penetration(options);
        self.surfaces.iter_mut().for_each(|surface| surface.is_estimated = false);
        found.filter(|_| !self.patience.gave_up())
    }

    fn search_penetration(&mut self, options: PenetrationOptions) -> Option<Penetration> {
        let solids = [0, 1].map(|side| self.surfaces[side].has_solid() || self.surfaces[side].is_estimated);
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
            most: if self.surfaces.iter().any(|surface| surface.is_estimated) {
                options.most / ESTIMATES
            } else {
                options.most
            },
            first: false,
            patience: self.patience,
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
        let is_estimated =
            within.is_estimated && best.points.is_some_and(|[deepest, _]| !within.solids_contain(deepest));
        let to_world = |which: usize| best.points.map(|points| metric.to_world(points[which]));
        Some(Penetration {
            at_least: metric.length_to_world(best.at_least),
            at_most: metric.length_to_world(best.at_most),
            point_in_world: to_world(0),
            nearest_in_world: to_world(1),
            of_second: deepest_of ^ self.frame.host == 1,
            limited_by_thickness,
            is_narrow: best.is_narrow,
            is_estimated,
            questions: self.asked() - asked,
        })
    }
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
        is_estimated: false,
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
