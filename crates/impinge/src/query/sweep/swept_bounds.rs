//! Swept bounds: boxes around the paths of points, which tell soonest that triangles stay apart.

use super::answer::SweepOptions;
use super::course::Course;
use super::legs::Leg;
use crate::model::Placed;
use crate::pair::frame::row_sum;
use impinge_core::bounds::Aabb;
use impinge_core::math::DVec3;
use impinge_core::narrow::ccd::Chords;

/// Slower than this is standing still, for the sizes that frames have.
const STILL: f64 = 1e-200;

/// Two bodies of which one moves along a line, as boxes in the world.
pub(super) struct LineBounds {
    boxes: [Aabb; 2],
    pace: DVec3,
    /// How near each other they may come and are apart nevertheless: more than any margin, and than rounding.
    reach: f64,
}

/// What rounding and skins may cost, as a part of the coordinates: far more than they do.
const ROUNDING: f64 = 1.0 / (1_u64 << 28) as f64;

impl LineBounds {
    /// The bodies of a course; `None` where one turns.
    pub(super) fn new(course: &Course<'_, '_>, options: &SweepOptions) -> Option<LineBounds> {
        let motion = &course.motion.motion;
        if motion.turn().is_some() {
            return None;
        }
        let both = [course.moving, course.stationary];
        let size = |placed: &Placed<'_>| {
            let map = placed.placement().world_from_model();
            row_sum(&map.matrix3) * placed.model().reach()
                + map.translation.abs().max_element()
                + placed.radius()
        };
        let size = size(both[0]) + size(both[1]) + motion.by().abs().max_element();
        let reach = 2.0 * options.margin.max(options.skin).max(0.0) + ROUNDING * size;
        let by = motion.by();
        Some(LineBounds { boxes: both.map(Placed::bounds), pace: pace(by), reach })
    }

    /// Whether the two stay apart on a leg.
    pub(super) fn is_apart(&self, leg: &Leg) -> bool {
        let shares = [leg.shares_in(0.0)[0], leg.shares_in(leg.length())[0]];
        self.reach.is_finite()
            && !may_meet_on_line(&self.boxes[0], &self.boxes[1], self.pace, shares, self.reach)
    }
}

/// A box around a triangle.
#[inline(always)]
pub(super) fn around([a, b, c]: &[DVec3; 3]) -> Aabb {
    Aabb { min: a.min(*b).min(*c), max: a.max(*b).max(*c) }
}

/// A box around the path of a triangle between two times.
#[inline]
pub(super) fn of_chords(chords: &Chords) -> Aabb {
    let [first, last] = [around(&chords.ends[0]), around(&chords.ends[1])];
    let ends = first.merge(last);
    let padding = DVec3::splat(chords.bulge + 1e-15 * ends.min.abs().max(ends.max.abs()).max_element());
    Aabb { min: ends.min - padding, max: ends.max + padding }
}

/// Whether two boxes are no farther apart than `reach` along each axis.
#[inline(always)]
pub(super) fn overlap(a: &Aabb, b: &Aabb, reach: f64) -> bool {
    let reach = DVec3::splat(reach);
    (a.min - reach).cmple(b.max).all() && (b.min - reach).cmple(a.max).all()
}

/// The times that a motion takes for a unit of length along each axis; longer than any other time where it does not move.
pub(super) fn pace(velocity: DVec3) -> DVec3 {
    DVec3::from_array(
        velocity.to_array().map(|speed| if speed.abs() > STILL { 1.0 / speed } else { 1.0 / STILL }),
    )
}

/// Whether a box that moves along a line comes to within `reach` of another between two times.
#[inline(always)]
pub(super) fn may_meet_on_line(
    moving: &Aabb,
    still: &Aabb,
    pace: DVec3,
    [from, to]: [f64; 2],
    reach: f64,
) -> bool {
    let reach = DVec3::splat(reach);
    let (ahead, behind) = (still.min - moving.max - reach, still.max - moving.min + reach);
    let (one, other) = (ahead * pace, behind * pace);
    // Of an axis along which it does not move, the times are far before and after all others, unless it stays apart along that.
    let first = one.min(other).max_element().max(from * (1.0 - 1e-12));
    let last = one.max(other).min_element().min(to * (1.0 + 1e-12));
    first <= last
}
