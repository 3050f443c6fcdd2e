//! Two triangles against two others at once: which of the four pairs are certainly apart, and which certainly cross.
//!
//! Determinants and error bounds are those of `orient3d`'s filter. What they cannot decide is left to the exact test.

use crate::math::DVec3;
use crate::predicates::{FILTER_BOUND, FILTER_UNDERFLOW, Sign, orient3d_filter};
use crate::simd::Lanes;

/// A pair of triangles. A single one stands in both places.
pub type TriPair4 = [[DVec3; 3]; 2];

/// Coordinates for four pairs: `[corner][axis]`.
type Corners<L> = [[<L as Lanes>::F64x4; 3]; 3];

/// Two triangles for the columns of four pairs, with their planes, to be compared with several others.
pub struct Columns<L: Lanes> {
    corners: Corners<L>,
    plane: Plane<L>,
}

/// The sides of the other's plane that the corners of the triangles lie on: one bit a pair, pair `(i, j)` in bit `2 i + j`.
#[derive(Clone, Copy)]
pub struct Sides {
    above: [u32; 3],
    below: [u32; 3],
}

impl Sides {
    /// The pairs in which all corners are certainly on the same side.
    #[inline(always)]
    fn same(&self) -> u32 {
        self.above[0] & self.above[1] & self.above[2] | self.below[0] & self.below[1] & self.below[2]
    }

    /// The corners above in one pair, one bit each, where all are certainly above or below.
    #[inline(always)]
    fn of(&self, pair: usize) -> Option<usize> {
        let corners = |masks: [u32; 3]| {
            (masks[0] >> pair & 1) | (masks[1] >> pair & 1) << 1 | (masks[2] >> pair & 1) << 2
        };
        let (above, below) = (corners(self.above), corners(self.below));
        (above ^ below == 0b111).then_some(above as usize)
    }
}

impl<L: Lanes> Columns<L> {
    #[inline(always)]
    /// The corners of both triangles of four pairs.
    pub fn new(triangles: &TriPair4) -> Columns<L> {
        let mut corners = [[L::f64x4_splat(0.0); 3]; 3];
        let mut i = 0;
        while i < 9 {
            let (corner, axis) = (i / 3, i % 3);
            corners[corner][axis] = L::f64x4_columns(triangles[0][corner][axis], triangles[1][corner][axis]);
            i += 1;
        }
        Columns { corners, plane: Plane::new(&corners) }
    }

    /// The pairs that are certainly apart, because one triangle lies strictly on one side of the other's plane; and the
    /// sides of both for the rest. The others are the rows.
    #[inline(always)]
    pub fn compare(&self, others: &TriPair4) -> (u32, [Sides; 2]) {
        let mut corners = [[L::f64x4_splat(0.0); 3]; 3];
        let mut i = 0;
        while i < 9 {
            let (corner, axis) = (i / 3, i % 3);
            corners[corner][axis] = L::f64x4_rows(others[0][corner][axis], others[1][corner][axis]);
            i += 1;
        }
        let rows = self.plane.sides(&corners);
        if rows.same() == 0b1111 {
            return (0b1111, [rows; 2]);
        }
        let columns = Plane::<L>::new(&corners).sides(&self.corners);
        (rows.same() | columns.same(), [rows, columns])
    }
}

/// The planes of triangles.
struct Plane<L: Lanes> {
    origin: [L::F64x4; 3],
    normal: [L::F64x4; 3],
    /// The sizes of the products that the normal is made of.
    size: [L::F64x4; 3],
}

impl<L: Lanes> Plane<L> {
    #[inline(always)]
    fn new(corners: &Corners<L>) -> Plane<L> {
        let mut normal = [L::f64x4_splat(0.0); 3];
        let (mut size, mut u, mut v) = (normal, normal, normal);
        let mut k = 0;
        while k < 3 {
            u[k] = L::f64x4_sub(corners[1][k], corners[0][k]);
            v[k] = L::f64x4_sub(corners[2][k], corners[0][k]);
            k += 1;
        }
        let mut k = 0;
        while k < 3 {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            let (left, right) = (L::f64x4_mul(u[i], v[j]), L::f64x4_mul(u[j], v[i]));
            normal[k] = L::f64x4_sub(left, right);
            size[k] = L::f64x4_add(L::f64x4_abs(left), L::f64x4_abs(right));
            k += 1;
        }
        Plane { origin: corners[0], normal, size }
    }

    #[inline(always)]
    fn sides(&self, points: &Corners<L>) -> Sides {
        let mut sides = Sides { above: [0; 3], below: [0; 3] };
        let mut p = 0;
        while p < 3 {
            let w = [
                L::f64x4_sub(points[p][0], self.origin[0]),
                L::f64x4_sub(points[p][1], self.origin[1]),
                L::f64x4_sub(points[p][2], self.origin[2]),
            ];
            let mut value = L::f64x4_mul(w[0], self.normal[0]);
            let mut reach = L::f64x4_abs(w[0]);
            let mut permanent = L::f64x4_mul(reach, self.size[0]);
            let mut k = 1;
            while k < 3 {
                let w_size = L::f64x4_abs(w[k]);
                value = L::f64x4_add(value, L::f64x4_mul(w[k], self.normal[k]));
                permanent = L::f64x4_add(permanent, L::f64x4_mul(w_size, self.size[k]));
                reach = L::f64x4_add(reach, w_size);
                k += 1;
            }
            let bound = L::f64x4_add(
                L::f64x4_mul(permanent, L::f64x4_splat(FILTER_BOUND)),
                L::f64x4_mul(L::f64x4_add(reach, L::f64x4_splat(1.0)), L::f64x4_splat(FILTER_UNDERFLOW)),
            );
            sides.above[p] = L::f64x4_greater(value, bound);
            sides.below[p] = L::f64x4_greater(L::f64x4_sub(L::f64x4_splat(0.0), value), bound);
            p += 1;
        }
        sides
    }
}

/// For each set of corners above a plane, all others being below: the edge on which a counter-clockwise path around the
/// triangle comes up through the plane, and the edge on which it goes down, the corner above first. The sets of none and
/// of all are no passages.
const PASSAGES: [[[usize; 2]; 2]; 8] = {
    let mut passages = [[[0; 2]; 2]; 8];
    let mut above = 0;
    while above < 8 {
        let mut i = 0;
        while i < 3 {
            let j = (i + 1) % 3;
            let (from, to) = (above >> i & 1 == 1, above >> j & 1 == 1);
            if !from && to {
                passages[above][0] = [j, i];
            } else if from && !to {
                passages[above][1] = [i, j];
            }
            i += 1;
        }
        above += 1;
    }
    passages
};

/// Whether two triangles cross, where that is certain: all corners are certainly above or below the other's plane, and the
/// ends of the intervals in which the triangles cut the common line come in a certain order. See `triangle`'s
/// `intervals`, of which this is the case without zeros.
#[inline(always)]
pub fn crosses(a: &[DVec3; 3], b: &[DVec3; 3], pair: usize, sides: &[Sides; 2]) -> Option<bool> {
    let [[up_a, down_a], [up_b, down_b]] = [PASSAGES[sides[0].of(pair)?], PASSAGES[sides[1].of(pair)?]];
    let order =
        |of_a: [usize; 2], of_b: [usize; 2]| orient3d_filter(a[of_a[0]], a[of_a[1]], b[of_b[0]], b[of_b[1]]);
    Some(order(up_a, up_b)? == Sign::Positive && order(down_a, down_b)? == Sign::Negative)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow::tri_tri::{Facet, Kind, triangles_meet};
    use crate::simd::Portable;

    /// What is certain is true, and most things are certain.
    #[test]
    fn certain_answers_are_those_of_the_exact_test() {
        let mut state = 1_u64;
        let mut next = |steps: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % steps
        };
        // On a coarse lattice, much is degenerate; on a fine one, hardly anything.
        for (steps, least) in [(3, 0), (6, 0), (1 << 30, 39_900)] {
            let (mut decided, mut crossing) = (0, 0);
            for _ in 0..10_000 {
                let mut triangle =
                    || [(); 3].map(|()| DVec3::from_array([(); 3].map(|()| next(steps) as f64)));
                let (a, b) = ([triangle(), triangle()], [triangle(), triangle()]);
                let (apart, sides) = Columns::<Portable>::new(&b).compare(&a);
                for pair in 0..4 {
                    let (a, b) = (&a[pair / 2], &b[pair % 2]);
                    let exact = triangles_meet(&Facet::from(*a), &Facet::from(*b));
                    let certain =
                        if apart >> pair & 1 == 1 { Some(false) } else { crosses(a, b, pair, &sides) };
                    decided += usize::from(certain.is_some());
                    crossing += usize::from(certain == Some(true));
                    match certain {
                        Some(true) => assert_eq!(exact, Some(Kind::Crossing), "{a:?} {b:?}"),
                        Some(false) => assert_eq!(exact, None, "{a:?} {b:?}"),
                        None => {}
                    }
                }
            }
            assert!(decided >= least && crossing > 100, "{steps}: {decided}, {crossing}");
        }
    }
}
