//! Two triangles against two others at once: which of the four pairs are certainly apart.

use crate::math::{FILTER_BOUND, FILTER_UNDERFLOW};
use crate::simd::Lanes;

/// Two triangles, coordinate by coordinate: `[corner][axis][triangle]`.
pub(crate) type TrianglePair = [[[f64; 2]; 3]; 3];

/// Bit `2 i + j` is set where triangle i of `a` and triangle j of `b` are certainly apart, because one of them lies
/// strictly on one side of the other's plane. The same determinants and bounds as in `orient3d`'s filter.
#[inline(always)]
pub(crate) fn certainly_apart<L: Lanes>(a: &TrianglePair, b: &TrianglePair) -> u32 {
    let mut of_a = [[L::quad_splat(0.0); 3]; 3];
    let mut of_b = of_a;
    let mut i = 0;
    while i < 9 {
        of_a[i / 3][i % 3] = L::quad_rows(&a[i / 3][i % 3]);
        of_b[i / 3][i % 3] = L::quad_columns(&b[i / 3][i % 3]);
        i += 1;
    }
    let apart = on_one_side::<L>(&of_a, &of_b);
    if apart == 0b1111 { apart } else { apart | on_one_side::<L>(&of_b, &of_a) }
}

/// The lanes in which all points are certainly on the same side of the plane.
#[inline(always)]
fn on_one_side<L: Lanes>(plane: &[[L::Quad; 3]; 3], points: &[[L::Quad; 3]; 3]) -> u32 {
    let mut normal = [L::quad_splat(0.0); 3];
    let mut size = normal;
    let (mut u, mut v) = (normal, normal);
    let mut k = 0;
    while k < 3 {
        u[k] = L::quad_sub(plane[1][k], plane[0][k]);
        v[k] = L::quad_sub(plane[2][k], plane[0][k]);
        k += 1;
    }
    let mut k = 0;
    while k < 3 {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        let (left, right) = (L::quad_mul(u[i], v[j]), L::quad_mul(u[j], v[i]));
        normal[k] = L::quad_sub(left, right);
        size[k] = L::quad_add(L::quad_abs(left), L::quad_abs(right));
        k += 1;
    }
    let (mut above, mut below) = (0b1111, 0b1111);
    let mut p = 0;
    while p < 3 {
        let mut value = L::quad_splat(0.0);
        let (mut permanent, mut reach) = (value, L::quad_splat(1.0));
        let mut k = 0;
        while k < 3 {
            let w = L::quad_sub(points[p][k], plane[0][k]);
            let w_size = L::quad_abs(w);
            value = L::quad_add(value, L::quad_mul(w, normal[k]));
            permanent = L::quad_add(permanent, L::quad_mul(w_size, size[k]));
            reach = L::quad_add(reach, w_size);
            k += 1;
        }
        let bound = L::quad_add(
            L::quad_mul(permanent, L::quad_splat(FILTER_BOUND)),
            L::quad_mul(reach, L::quad_splat(FILTER_UNDERFLOW)),
        );
        above &= L::quad_greater(value, bound);
        below &= L::quad_greater(L::quad_sub(L::quad_splat(0.0), value), bound);
        p += 1;
    }
    above | below
}
