//! Boxes around the ways of points: what tells soonest that features do not meet.

use super::pair::Move;
use crate::bounds::Aabb;
use crate::math::DVec3;
use crate::narrow::rotate::ArcPoint;

/// Slower than this is standing still, for the sizes that frames have.
const STILL: f64 = 1e-200;

/// A box around the way of a point between two times; around its start for a motion along a line.
#[inline]
pub(super) fn of_point(motion: &Move, start: DVec3, [from, to]: [f64; 2]) -> Aabb {
    match motion {
        Move::Line(_) => Aabb { min: start, max: start },
        Move::Arc(turn) => {
            // The arc stays within the triangle of its ends and of where its tangents there meet: it is a rational curve of
            // degree two, and these are its control points.
            let arc = ArcPoint::new(turn, start);
            let weight = 1.0 + from * to;
            let corner = (arc.start + arc.tangent * (from + to) + arc.back * (from * to)) / weight;
            rounded(Aabb::around([arc.at(from), corner, arc.at(to)]))
        }
        Move::Path(path) => {
            let bulge = DVec3::splat(path.bulge(path.radius(start), to - from));
            let ends = Aabb::around([path.at(start, from), path.at(start, to)]);
            rounded(Aabb { min: ends.min - bulge, max: ends.max + bulge })
        }
    }
}

/// With room for rounding.
#[inline(always)]
fn rounded(bounds: Aabb) -> Aabb {
    let room = 1e-15 * bounds.min.abs().max(bounds.max.abs()).max_element();
    Aabb { min: bounds.min - DVec3::splat(room), max: bounds.max + DVec3::splat(room) }
}

/// Whether two boxes are no farther apart than `reach` along each axis.
#[inline(always)]
pub(super) fn overlap(a: &Aabb, b: &Aabb, reach: f64) -> bool {
    let reach = DVec3::splat(reach);
    (a.min - reach).cmple(b.max).all() && (b.min - reach).cmple(a.max).all()
}

/// The times that a motion takes for a unit of length along each axis; 0 where it does not move.
pub(super) fn pace(velocity: DVec3) -> DVec3 {
    DVec3::from_array(velocity.to_array().map(|speed| if speed.abs() > STILL { 1.0 / speed } else { 0.0 }))
}

/// Whether a box that moves along a line comes to within `reach` of another until `horizon`.
#[inline(always)]
pub(super) fn may_meet_on_line(
    moving: &Aabb,
    still: &Aabb,
    velocity: DVec3,
    pace: DVec3,
    horizon: f64,
    reach: f64,
) -> bool {
    let reach = DVec3::splat(reach);
    let (ahead, behind) = (still.min - moving.max - reach, still.max - moving.min + reach);
    let (one, other) = (ahead * pace, behind * pace);
    let (mut first, mut last) = (0.0_f64, horizon * (1.0 + 1e-12));
    for axis in 0..3 {
        if velocity[axis] > STILL {
            first = first.max(one[axis]);
            last = last.min(other[axis]);
        } else if velocity[axis] < -STILL {
            first = first.max(other[axis]);
            last = last.min(one[axis]);
        } else if ahead[axis] > 0.0 || behind[axis] < 0.0 {
            return false;
        }
    }
    first <= last
}
