//! Two triangles against two others at once: a lower bound of the distance of each of the four pairs.

use crate::math::{DAffine3, DVec3};
use crate::narrow::tri_tri::TriPair4;
use crate::simd::Lanes;

/// Below this square of the sine between two edges, the lines' own parameters are not used.
const PARALLEL: f64 = 1.0 / (1_u64 << 40) as f64;

/// The error bound of the distances of edges, in multiples of the square of the largest distance between corners; and
/// those of corners from insides, where that is divided by the square of the sine of an angle.
/// `docs/math/distance.md` derives both.
const EDGE_SLACK: f64 = 1.0 / (1_u64 << 44) as f64;
const FACE_SLACK: f64 = 1.0 / (1_u64 << 46) as f64;
/// The error bound of the distances of edges that are nearly parallel.
const PARALLEL_SLACK: f64 = 1.0 / (1_u64 << 38) as f64;

/// The square of twice an area up to which a triangle counts as one without: what is inside of it is within 1e-72 of its edges, and extents are no smaller
/// than 1e-50.
const LEAST_AREA: f64 = 1e-290;

type Vector<L> = [<L as Lanes>::F64x4; 3];

#[inline(always)]
fn sub<L: Lanes>(a: &Vector<L>, b: &Vector<L>) -> Vector<L> {
    [L::f64x4_sub(a[0], b[0]), L::f64x4_sub(a[1], b[1]), L::f64x4_sub(a[2], b[2])]
}

#[inline(always)]
fn sum<L: Lanes>(a: &Vector<L>, b: &Vector<L>) -> Vector<L> {
    [L::f64x4_add(a[0], b[0]), L::f64x4_add(a[1], b[1]), L::f64x4_add(a[2], b[2])]
}

#[inline(always)]
fn dot<L: Lanes>(a: &Vector<L>, b: &Vector<L>) -> L::F64x4 {
    let sum = L::f64x4_add(L::f64x4_mul(a[0], b[0]), L::f64x4_mul(a[1], b[1]));
    L::f64x4_add(sum, L::f64x4_mul(a[2], b[2]))
}

#[inline(always)]
fn cross<L: Lanes>(a: &Vector<L>, b: &Vector<L>) -> Vector<L> {
    [
        L::f64x4_sub(L::f64x4_mul(a[1], b[2]), L::f64x4_mul(a[2], b[1])),
        L::f64x4_sub(L::f64x4_mul(a[2], b[0]), L::f64x4_mul(a[0], b[2])),
        L::f64x4_sub(L::f64x4_mul(a[0], b[1]), L::f64x4_mul(a[1], b[0])),
    ]
}

/// `w + u s - v t`.
#[inline(always)]
fn along<L: Lanes>(w: &Vector<L>, u: &Vector<L>, s: L::F64x4, v: &Vector<L>, t: L::F64x4) -> Vector<L> {
    let mut sum = *w;
    let mut k = 0;
    while k < 3 {
        sum[k] = L::f64x4_add(w[k], L::f64x4_sub(L::f64x4_mul(u[k], s), L::f64x4_mul(v[k], t)));
        k += 1;
    }
    sum
}

#[inline(always)]
fn clamped<L: Lanes>(value: L::F64x4) -> L::F64x4 {
    L::f64x4_min(L::f64x4_max(value, L::f64x4_splat(0.0)), L::f64x4_splat(1.0))
}

/// One over the number; 0 for 0.
#[inline(always)]
fn inverse<L: Lanes>(value: L::F64x4) -> L::F64x4 {
    let zero = L::f64x4_splat(0.0);
    L::f64x4_where_greater(value, zero, L::f64x4_div(L::f64x4_splat(1.0), value), zero)
}

/// Two triangles against two others: pair `(i, j)` in lane `2 i + j`. A single one stands in both places.
pub struct FourPairs<L: Lanes> {
    a: [Vector<L>; 3],
    b: [Vector<L>; 3],
}

/// The corners of two triangles.
pub type TwoTriangles<'m> = [[&'m DVec3; 3]; 2];

impl<L: Lanes> FourPairs<L> {
    /// The pairs of triangles that are placed by maps; `None` where that changes nothing.
    #[inline(always)]
    pub fn new(triangles: [TwoTriangles<'_>; 2], maps: [Option<&DAffine3>; 2]) -> FourPairs<L> {
        let zero = L::f64x4_splat(0.0);
        let mut a = [[zero; 3]; 3];
        let mut b = a;
        let mut corner = 0;
        while corner < 3 {
            let [first, second] = [triangles[0][0][corner], triangles[0][1][corner]];
            a[corner] = [
                L::f64x4_rows(&[first.x, second.x]),
                L::f64x4_rows(&[first.y, second.y]),
                L::f64x4_rows(&[first.z, second.z]),
            ];
            let [first, second] = [triangles[1][0][corner], triangles[1][1][corner]];
            b[corner] = [
                L::f64x4_columns(&[first.x, second.x]),
                L::f64x4_columns(&[first.y, second.y]),
                L::f64x4_columns(&[first.z, second.z]),
            ];
            corner += 1;
        }
        if let Some(map) = maps[0] {
            a = mapped::<L>(&a, map);
        }
        if let Some(map) = maps[1] {
            b = mapped::<L>(&b, map);
        }
        FourPairs { a, b }
    }

    /// Lower bounds: for each pair no more than the square of the distance that [`triangles`](super::triangles)
    /// finds; or infinity for all, where no square is below the limit. Fourth powers of coordinates must neither overflow nor
    /// vanish.
    #[inline(always)]
    pub fn bounds(&self, limit: f64) -> [f64; 4] {
        let (a, b) = (&self.a, &self.b);
        let zero = L::f64x4_splat(0.0);
        // Edges, from each corner to the next.
        let u = [sub::<L>(&a[1], &a[0]), sub::<L>(&a[2], &a[1]), sub::<L>(&a[0], &a[2])];
        let v = [sub::<L>(&b[1], &b[0]), sub::<L>(&b[2], &b[1]), sub::<L>(&b[0], &b[2])];
        let u_squared = [dot::<L>(&u[0], &u[0]), dot::<L>(&u[1], &u[1]), dot::<L>(&u[2], &u[2])];
        let v_squared = [dot::<L>(&v[0], &v[0]), dot::<L>(&v[1], &v[1]), dot::<L>(&v[2], &v[2])];
        // Above the square of every distance between corners: three times a sum of squares is above the square of a sum.
        let longest_u = L::f64x4_max(L::f64x4_max(u_squared[0], u_squared[1]), u_squared[2]);
        let longest_v = L::f64x4_max(L::f64x4_max(v_squared[0], v_squared[1]), v_squared[2]);
        let first = sub::<L>(&a[0], &b[0]);
        let size = L::f64x4_add(L::f64x4_add(dot::<L>(&first, &first), longest_u), longest_v);
        let size = L::f64x4_mul(size, L::f64x4_splat(3.0));

        // Most are told apart along the line between their middles: three times the vector between those. What is least along it leads
        // from the last corner of the one to the first of the other, seen from their corners 0.
        let from_b = [first, sub::<L>(&a[1], &b[0]), sub::<L>(&a[2], &b[0])];
        let from_a = [first, sub::<L>(&a[0], &b[1]), sub::<L>(&a[0], &b[2])];
        let between = sum::<L>(&sum::<L>(&from_b[1], &from_b[2]), &sum::<L>(&from_a[1], &from_a[2]));
        let between = sub::<L>(&between, &first);
        let along = dot::<L>(&between, &first);
        let least_a = L::f64x4_min(dot::<L>(&between, &from_b[1]), dot::<L>(&between, &from_b[2]));
        let least_b = L::f64x4_min(dot::<L>(&between, &from_a[1]), dot::<L>(&between, &from_a[2]));
        let least_b = L::f64x4_min(L::f64x4_sub(least_b, along), zero);
        let gap = L::f64x4_max(L::f64x4_add(L::f64x4_min(least_a, along), least_b), zero);
        let needed = L::f64x4_add(L::f64x4_splat(limit), L::f64x4_mul(size, L::f64x4_splat(EDGE_SLACK)));
        let needed = L::f64x4_mul(needed, dot::<L>(&between, &between));
        if L::f64x4_greater(L::f64x4_mul(gap, gap), needed) == 0b1111 {
            return [f64::INFINITY; 4];
        }
        let mut w = [[[zero; 3]; 3]; 3];
        let mut i = 0;
        while i < 9 {
            w[i / 3][i % 3] = sub::<L>(&a[i / 3], &b[i % 3]);
            i += 1;
        }
        of_features::<L>([&u, &v], [&u_squared, &v_squared], &w, size)
    }
}

/// The images of points: products and sums in the order of [`DAffine3::transform_point3`].
#[inline(always)]
fn mapped<L: Lanes>(points: &[Vector<L>; 3], map: &DAffine3) -> [Vector<L>; 3] {
    let mut images = *points;
    let mut axis = 0;
    while axis < 3 {
        let x = L::f64x4_splat(map.matrix3.x_axis[axis]);
        let y = L::f64x4_splat(map.matrix3.y_axis[axis]);
        let z = L::f64x4_splat(map.matrix3.z_axis[axis]);
        let shift = L::f64x4_splat(map.translation[axis]);
        let mut i = 0;
        while i < 3 {
            let point = &points[i];
            let sum = L::f64x4_add(L::f64x4_mul(x, point[0]), L::f64x4_mul(y, point[1]));
            images[i][axis] = L::f64x4_add(L::f64x4_add(sum, L::f64x4_mul(z, point[2])), shift);
            i += 1;
        }
        axis += 1;
    }
    images
}

/// The lower bounds of [`FourPairs::bounds`] for triangles that are placed already.
#[inline(always)]
pub fn pair_bounds<L: Lanes>(a: &TriPair4, b: &TriPair4, limit: f64) -> [f64; 4] {
    let triangles = [[a[0].each_ref(), a[1].each_ref()], [b[0].each_ref(), b[1].each_ref()]];
    FourPairs::<L>::new(triangles, [None; 2]).bounds(limit)
}

/// The bounds by all pairs of features of triangles with edges u and v, where w leads from the corners of the second to those of the
/// first, and the square of no distance between corners is above `size`.
#[inline(always)]
fn of_features<L: Lanes>(
    [u, v]: [&[Vector<L>; 3]; 2],
    [u_squared, v_squared]: [&[L::F64x4; 3]; 2],
    w: &[[Vector<L>; 3]; 3],
    size: L::F64x4,
) -> [f64; 4] {
    let zero = L::f64x4_splat(0.0);
    let v_inverse = [inverse::<L>(v_squared[0]), inverse::<L>(v_squared[1]), inverse::<L>(v_squared[2])];
    let mut least = L::f64x4_splat(f64::INFINITY);
    let mut parallel = 0;
    let mut i = 0;
    while i < 3 {
        let u_inverse = inverse::<L>(u_squared[i]);
        let mut j = 0;
        while j < 3 {
            let between = &w[i][j];
            let (b, c, f) = (dot::<L>(&u[i], &v[j]), dot::<L>(&u[i], between), dot::<L>(&v[j], between));
            let squares = L::f64x4_mul(u_squared[i], v_squared[j]);
            let determinant = L::f64x4_sub(squares, L::f64x4_mul(b, b));
            let numerator = L::f64x4_sub(L::f64x4_mul(b, f), L::f64x4_mul(c, v_squared[j]));
            let floor = L::f64x4_mul(squares, L::f64x4_splat(PARALLEL));
            let quotient = L::f64x4_div(numerator, determinant);
            let s = clamped::<L>(L::f64x4_where_greater(determinant, floor, quotient, zero));
            let t = clamped::<L>(L::f64x4_mul(L::f64x4_add(L::f64x4_mul(b, s), f), v_inverse[j]));
            let s = clamped::<L>(L::f64x4_mul(L::f64x4_sub(L::f64x4_mul(b, t), c), u_inverse));
            let offset = along::<L>(between, &u[i], s, &v[j], t);
            least = L::f64x4_min(dot::<L>(&offset, &offset), least);
            let skew = L::f64x4_greater(determinant, floor) ^ 0b1111;
            if skew != 0 {
                // From the other end: together, both ends of where the two run side by side.
                parallel |= skew;
                let t = clamped::<L>(L::f64x4_mul(L::f64x4_add(b, f), v_inverse[j]));
                let s = clamped::<L>(L::f64x4_mul(L::f64x4_sub(L::f64x4_mul(b, t), c), u_inverse));
                let offset = along::<L>(between, &u[i], s, &v[j], t);
                least = L::f64x4_min(dot::<L>(&offset, &offset), least);
            }
            j += 1;
        }
        i += 1;
    }
    let slack = if parallel == 0 { EDGE_SLACK } else { PARALLEL_SLACK };
    least = L::f64x4_sub(least, L::f64x4_mul(size, L::f64x4_splat(slack)));

    // Corners of one above the inside of the other.
    let from_b = [[w[0][0], w[0][1], w[0][2]], [w[1][0], w[1][1], w[1][2]], [w[2][0], w[2][1], w[2][2]]];
    let from_a = [[w[0][0], w[1][0], w[2][0]], [w[0][1], w[1][1], w[2][1]], [w[0][2], w[1][2], w[2][2]]];
    let above_a = above::<L>(u, u_squared, &from_b, zero, L::f64x4_splat(-1.0), size);
    let above_b = above::<L>(v, v_squared, &from_a, zero, L::f64x4_splat(1.0), size);
    L::f64x4_store(L::f64x4_min(least, L::f64x4_min(above_a, above_b)))
}

/// The least square of a distance of three points from the inside of a triangle with given edges; `towards[i][j]` leads
/// between corner i and point j, from the corner where `sign` is 1.
#[inline(always)]
fn above<L: Lanes>(
    edges: &[Vector<L>; 3],
    squares: &[L::F64x4; 3],
    towards: &[[Vector<L>; 3]; 3],
    zero: L::F64x4,
    sign: L::F64x4,
    size: L::F64x4,
) -> L::F64x4 {
    let infinity = L::f64x4_splat(f64::INFINITY);
    let normal = cross::<L>(&edges[0], &edges[1]);
    let square = dot::<L>(&normal, &normal);
    let inverse = L::f64x4_div(L::f64x4_splat(1.0), square);
    // Leads inward from each edge.
    let inward =
        [cross::<L>(&normal, &edges[0]), cross::<L>(&normal, &edges[1]), cross::<L>(&normal, &edges[2])];
    let mut least = infinity;
    let mut j = 0;
    while j < 3 {
        let first = L::f64x4_mul(sign, dot::<L>(&inward[0], &towards[0][j]));
        let second = L::f64x4_mul(sign, dot::<L>(&inward[1], &towards[1][j]));
        let third = L::f64x4_mul(sign, dot::<L>(&inward[2], &towards[2][j]));
        let inside = L::f64x4_min(first, L::f64x4_min(second, third));
        let height = dot::<L>(&normal, &towards[0][j]);
        // Not the square over the square: that would be a sixth power of lengths.
        let squared = L::f64x4_mul(L::f64x4_mul(height, inverse), height);
        least = L::f64x4_min(L::f64x4_where_greater(zero, inside, infinity, squared), least);
        j += 1;
    }
    let slack = L::f64x4_mul(L::f64x4_mul(L::f64x4_mul(squares[0], squares[1]), inverse), size);
    // Of a needle it may be infinite, and so may be the least: their difference must be a number.
    let slack = L::f64x4_min(slack, L::f64x4_splat(f64::MAX));
    let bound = L::f64x4_sub(least, L::f64x4_mul(slack, L::f64x4_splat(FACE_SLACK)));
    // A triangle without area has no inside, and that of one whose area nearly vanishes is no farther from the edges than rounding.
    L::f64x4_where_greater(square, L::f64x4_splat(LEAST_AREA), bound, infinity)
}
