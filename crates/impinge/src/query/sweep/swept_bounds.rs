//! Swept bounds: boxes around the paths of points, which tell soonest that triangles stay apart.

use impinge_core::bounds::Aabb;
use impinge_core::math::DVec3;
use impinge_core::narrow::ccd::Chords;

/// Slower than this is standing still, for the sizes that frames have.
const STILL: f64 = 1e-200;

/// A box around the path of a triangle between two times.
#[inline]
pub(super) fn of_chords(chords: &Chords) -> Aabb {
    let [first, last] = chords.ends.map(Aabb::around);
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

/// The times that a motion takes for a unit of length along each axis; 0 where it does not move.
pub(super) fn pace(velocity: DVec3) -> DVec3 {
    DVec3::from_array(velocity.to_array().map(|speed| if speed.abs() > STILL { 1.0 / speed } else { 0.0 }))
}

/// Whether a box that moves along a line comes to within `reach` of another between two times.
#[inline(always)]
pub(super) fn may_meet_on_line(
    moving: &Aabb,
    still: &Aabb,
    velocity: DVec3,
    pace: DVec3,
    [from, to]: [f64; 2],
    reach: f64,
) -> bool {
    let reach = DVec3::splat(reach);
    let (ahead, behind) = (still.min - moving.max - reach, still.max - moving.min + reach);
    let (one, other) = (ahead * pace, behind * pace);
    let (mut first, mut last) = (from * (1.0 - 1e-12), to * (1.0 + 1e-12));
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
