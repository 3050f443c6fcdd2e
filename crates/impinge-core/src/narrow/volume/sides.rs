//! Planes and convex sets of half-spaces.

use super::{ALL, Decided, FourTriangles, Side, UNDERFLOW, UNIT, abs, corner, dot, splat};
use crate::math::DVec3;
use crate::simd::Lanes;

/// The corners, of four triangles, that are certainly before a plane and those that are certainly behind it.
#[inline(always)]
fn place<L: Lanes>(side: &Side, corner: [L::F64x4; 3]) -> (u32, u32) {
    let (normal, offset) = (splat::<L>(side.normal), L::f64x4_splat(side.offset));
    let size = L::f64x4_add(dot::<L>(abs::<L>(normal), abs::<L>(corner)), L::f64x4_abs(offset));
    // Five roundings.
    let bound = L::f64x4_add(L::f64x4_mul(size, L::f64x4_splat(8.0 * UNIT)), L::f64x4_splat(UNDERFLOW));
    let height = L::f64x4_sub(dot::<L>(normal, corner), offset);
    let before = L::f64x4_greater(height, bound);
    let behind = L::f64x4_greater(L::f64x4_sub(L::f64x4_splat(0.0), height), bound);
    (before, behind)
}

#[inline(always)]
pub(super) fn look_at_plane<L: Lanes>(plane: &Side, triangles: &FourTriangles) -> Decided {
    let (mut all_before, mut all_behind, mut any_before, mut any_behind) = (ALL, ALL, 0, 0);
    let mut i = 0;
    while i < 3 {
        let (before, behind) = place::<L>(plane, corner::<L>(triangles, i));
        all_before &= before;
        all_behind &= behind;
        any_before |= before;
        any_behind |= behind;
        i += 1;
    }
    Decided { touching: any_before & any_behind, apart: all_before | all_behind }
}

#[inline(always)]
pub(super) fn look<L: Lanes>(list: &[Option<Side>; 6], triangles: &FourTriangles) -> Decided {
    let corners = [corner::<L>(triangles, 0), corner::<L>(triangles, 1), corner::<L>(triangles, 2)];
    let (mut apart, mut inside) = (0, [ALL; 3]);
    let mut s = 0;
    while s < 6 {
        if let Some(side) = &list[s] {
            let mut all_before = ALL;
            let mut i = 0;
            while i < 3 {
                let (before, behind) = place::<L>(side, corners[i]);
                all_before &= before;
                inside[i] &= behind;
                i += 1;
            }
            apart |= all_before;
        }
        s += 1;
    }
    Decided { touching: inside[0] | inside[1] | inside[2], apart }
}

/// Cuts the triangle with all sides in `f64`: once with the sides moved out by more than all errors, once with them moved in.
pub(super) fn look_closely(list: &[Option<Side>; 6], triangle: &[DVec3; 3]) -> Option<bool> {
    let largest = triangle.iter().fold(0.0_f64, |most, corner| most.max(corner.abs().max_element()));
    // Corners of the cut polygon are off by 4 roundings for each cut, and their heights by 5.
    let room = |side: &Side| {
        64.0 * UNIT * (side.normal.abs().element_sum() * largest + side.offset.abs()) + UNDERFLOW
    };
    // So that differences of heights and of corners are finite.
    if largest > 1e300 || list.iter().flatten().any(|side| room(side) > 1e280) {
        return None;
    }
    if !is_left_over(list, triangle, &room)? {
        Some(false)
    } else if is_left_over(list, triangle, &|side| -room(side))? {
        Some(true)
    } else {
        None
    }
}

/// Corners of a triangle after six cuts, each of which adds at most one.
const MOST_CORNERS: usize = 9;

/// Whether anything is left of the triangle after it was cut with all sides, each moved out. `None` where rounding has bent
/// the polygon so much that a cut adds more corners than it can.
fn is_left_over(
    list: &[Option<Side>; 6],
    triangle: &[DVec3; 3],
    outward: &impl Fn(&Side) -> f64,
) -> Option<bool> {
    let mut polygon = [DVec3::ZERO; MOST_CORNERS];
    polygon[..3].copy_from_slice(triangle);
    let mut count = 3;
    for side in list.iter().flatten() {
        let limit = side.offset + outward(side);
        let height = |point: DVec3| side.normal.dot(point) - limit;
        let mut cut = [DVec3::ZERO; MOST_CORNERS];
        let mut kept = 0;
        for i in 0..count {
            let (p, q) = (polygon[i], polygon[(i + 1) % count]);
            let (at_p, at_q) = (height(p), height(q));
            if at_p <= 0.0 {
                *cut.get_mut(kept)? = p;
                kept += 1;
            }
            if at_p < 0.0 && at_q > 0.0 || at_p > 0.0 && at_q < 0.0 {
                *cut.get_mut(kept)? = p + (q - p) * (at_p / (at_p - at_q));
                kept += 1;
            }
        }
        if kept == 0 {
            return Some(false);
        }
        (polygon, count) = (cut, kept);
    }
    Some(true)
}
