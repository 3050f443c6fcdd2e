//! Penetration: how deep a surface reaches into another solid.

mod polygon;
mod surface;
mod search;

use crate::model::Placed;
use crate::options::options;
use crate::pair::frame::Frame;
use crate::query::distance::MetricFrame;
use impinge_core::bounds::Aabb;
use impinge_core::math::DVec3;
use impinge_core::narrow::distance::point_triangle;
use impinge_core::parallel::hold;
use search::{Depth, Goal, deepest};
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
        let _held = hold();
        let pair = Frame::of(self, other);
        let order = [pair.host, 1 - pair.host];
        let placed = order.map(|side| [self, other][side]);
        let frame = MetricFrame::of(&pair, placed[0], placed[1]);
        let mut surfaces = [Surface::new(&frame, 0, placed[0]), Surface::new(&frame, 1, placed[1])];
        let solids = [surfaces[0].has_solid(), surfaces[1].has_solid()];
        if solids == [false; 2] {
            return None;
        }
        if frame.is_shrunken() {
            return Some(unsearched(&frame, &surfaces, solids));
        }
        let rounding = 64.0 * f64::EPSILON * frame.extent;
        let width = frame.length_from_world(options.width).max(4.0 * rounding);
        let goal = Goal { share: options.share.max(0.0), width, rounding, most: options.most };
        let [host, guest] = &mut surfaces;
        let mut best = Depth { is_narrow: true, ..Depth::default() };
        let mut of_guest = false;
        for guests_points in [false, true] {
            let (of, within, is_solid) = if guests_points {
                (&mut *guest, &mut *host, solids[0])
            } else {
                (&mut *host, &mut *guest, solids[1])
            };
            if !is_solid {
                continue;
            }
            let found = deepest(of, within, &goal, best.at_least);
            best.at_most = best.at_most.max(found.at_most);
            best.is_narrow &= found.is_narrow;
            if found.points.is_some() {
                (best.at_least, best.points, of_guest) = (found.at_least, found.points, guests_points);
            }
        }
        let within = if of_guest { host } else { guest };
        let thick = best.points.is_some_and(|points| is_limited(within, points, width));
        let to_world = |which: usize| best.points.map(|points| frame.to_world(points[which]));
        Some(Penetration {
            at_least: frame.length_to_world(best.at_least),
            at_most: frame.length_to_world(best.at_most),
            point_in_world: to_world(0),
            nearest_in_world: to_world(1),
            of_second: of_guest != (pair.host == 1),
            limited_by_thickness: thick,
            is_narrow: best.is_narrow,
            questions: surfaces[0].asked + surfaces[1].asked,
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
