//! Boxes: the 13 axes that can separate a box and a triangle, for four triangles at once.
//!
//! The sides of the box are compared with the corners, which is exact. The triangle's normal and the nine products of
//! edges come with a bound on their errors.

use super::{ALL, Decided, FourTriangles, UNDERFLOW, UNIT, abs, corner, dot, range, splat, sub};
use crate::math::DVec3;
use crate::simd::Lanes;

/// A bound on the errors of a product of an edge with a corner, over the size of the edge times the largest coordinate; 12
/// roundings at most go into one.
const BOUND: f64 = 32.0 * UNIT;

#[inline(always)]
pub(super) fn look<L: Lanes>(low: &DVec3, high: &DVec3, triangles: &FourTriangles) -> Decided {
    let corners = [corner::<L>(triangles, 0), corner::<L>(triangles, 1), corner::<L>(triangles, 2)];
    let (lows, highs) = (splat::<L>(*low), splat::<L>(*high));
    let mut apart = 0;
    let mut outside = [0; 3];
    let size = low.abs().max(high.abs()).max_element();
    let mut largest = L::f64x4_splat(size);
    let mut k = 0;
    while k < 3 {
        let (least, most) = range::<L>(corners[0][k], corners[1][k], corners[2][k]);
        apart |= L::f64x4_greater(least, highs[k]) | L::f64x4_greater(lows[k], most);
        largest = L::f64x4_max(largest, L::f64x4_max(L::f64x4_abs(least), L::f64x4_abs(most)));
        let mut i = 0;
        while i < 3 {
            outside[i] |=
                L::f64x4_greater(corners[i][k], highs[k]) | L::f64x4_greater(lows[k], corners[i][k]);
            i += 1;
        }
        k += 1;
    }
    let mut touching = ALL & !(outside[0] & outside[1] & outside[2]);
    if touching | apart == ALL {
        return Decided { touching, apart };
    }
    let center = *low * 0.5 + *high * 0.5;
    let half = splat::<L>(*high * 0.5 - *low * 0.5);
    let center = splat::<L>(center);
    let corners = [sub::<L>(corners[0], center), sub::<L>(corners[1], center), sub::<L>(corners[2], center)];
    let edges = [
        sub::<L>(corner::<L>(triangles, 1), corner::<L>(triangles, 0)),
        sub::<L>(corner::<L>(triangles, 2), corner::<L>(triangles, 1)),
        sub::<L>(corner::<L>(triangles, 0), corner::<L>(triangles, 2)),
    ];
    let room = L::f64x4_mul(largest, L::f64x4_splat(BOUND));
    let underflow = L::f64x4_splat(UNDERFLOW);
    let zero = L::f64x4_splat(0.0);
    // Lanes in which every axis so far shows an overlap for certain.
    let mut overlapping = ALL;

    let (u, v) = (edges[0], edges[1]);
    let (mut normal, mut permanent) = ([zero; 3], [zero; 3]);
    let mut k = 0;
    while k < 3 {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        let (left, right) = (L::f64x4_mul(u[i], v[j]), L::f64x4_mul(u[j], v[i]));
        normal[k] = L::f64x4_sub(left, right);
        permanent[k] = L::f64x4_add(L::f64x4_abs(left), L::f64x4_abs(right));
        k += 1;
    }
    let height = L::f64x4_abs(dot::<L>(normal, corners[0]));
    let gap = L::f64x4_sub(height, dot::<L>(abs::<L>(normal), half));
    let sum = L::f64x4_add(L::f64x4_add(permanent[0], permanent[1]), permanent[2]);
    let bound = L::f64x4_add(L::f64x4_mul(room, sum), L::f64x4_add(underflow, L::f64x4_mul(room, underflow)));
    apart |= L::f64x4_greater(gap, bound);
    overlapping &= L::f64x4_greater(L::f64x4_sub(zero, gap), bound);

    let mut e = 0;
    while e < 3 {
        // The edge's own corners have the same place on the axis; the third corner has another.
        let (on, off) = (corners[e], corners[(e + 2) % 3]);
        let edge = edges[e];
        let size = abs::<L>(edge);
        let mut k = 0;
        while k < 3 {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            let p = L::f64x4_sub(L::f64x4_mul(edge[i], on[j]), L::f64x4_mul(edge[j], on[i]));
            let q = L::f64x4_sub(L::f64x4_mul(edge[i], off[j]), L::f64x4_mul(edge[j], off[i]));
            let reach = L::f64x4_add(L::f64x4_mul(half[i], size[j]), L::f64x4_mul(half[j], size[i]));
            let beyond = L::f64x4_max(L::f64x4_min(p, q), L::f64x4_sub(zero, L::f64x4_max(p, q)));
            let gap = L::f64x4_sub(beyond, reach);
            let bound = L::f64x4_add(L::f64x4_mul(room, L::f64x4_add(size[i], size[j])), underflow);
            apart |= L::f64x4_greater(gap, bound);
            overlapping &= L::f64x4_greater(L::f64x4_sub(zero, gap), bound);
            k += 1;
        }
        e += 1;
    }
    touching |= overlapping & !apart;
    Decided { touching, apart: apart & !touching }
}
