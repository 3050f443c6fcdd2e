//! Two triangles against two others at once: which of the four pairs are certainly apart, and which certainly cross.
//!
//! Determinants are those of `orient3d`'s filter. Error bounds are simpler and larger: differences of coordinates count as if each were as
//! large as all of the two models, which is computed once. What they cannot decide is left to the exact test.

use crate::math::{DAffine3, DVec3};
use crate::predicates::{FILTER_BOUND, FILTER_UNDERFLOW, Sign, orient3d_filter};
use crate::simd::Lanes;

/// A pair of triangles. A single one stands in both places.
pub type TriPair4 = [[DVec3; 3]; 2];

/// The error bound of heights over planes, for points no two coordinates of which differ by more than a span.
#[derive(Clone, Copy, Debug)]
pub struct HeightBound {
    /// The factor of the sizes of the products that a normal is made of.
    factor: f64,
    /// What products that underflow may be off by.
    least: f64,
}

impl HeightBound {
    /// The error bound where no two coordinates differ by more than `span`.
    #[inline]
    pub fn within(span: f64) -> HeightBound {
        // A little more than what the filter would compute for such differences.
        const MORE: f64 = 1.0 + 1e-6;
        let factor = FILTER_BOUND * MORE * span;
        // Beyond this determinants could overflow, and nothing is certain. So it is if the span is no number.
        let least = if span <= 1e100 { FILTER_UNDERFLOW * MORE * (1.0 + 3.0 * span) } else { f64::INFINITY };
        HeightBound { factor, least }
    }
}

/// The corners of triangles for four pairs: `[corner][axis]`.
pub struct Corners4<L: Lanes>([[L::F64x4; 3]; 3]);

impl<L: Lanes> Corners4<L> {
    /// Two triangles for the rows of four pairs.
    #[inline(always)]
    pub fn rows(first: [&DVec3; 3], second: [&DVec3; 3]) -> Corners4<L> {
        let mut corners = [[L::f64x4_splat(0.0); 3]; 3];
        let mut i = 0;
        while i < 3 {
            corners[i][0] = L::f64x4_rows(first[i].x, second[i].x);
            corners[i][1] = L::f64x4_rows(first[i].y, second[i].y);
            corners[i][2] = L::f64x4_rows(first[i].z, second[i].z);
            i += 1;
        }
        Corners4(corners)
    }

    /// Two triangles for the columns of four pairs.
    #[inline(always)]
    pub fn columns(first: [&DVec3; 3], second: [&DVec3; 3]) -> Corners4<L> {
        let mut corners = [[L::f64x4_splat(0.0); 3]; 3];
        let mut i = 0;
        while i < 3 {
            corners[i][0] = L::f64x4_columns(first[i].x, second[i].x);
            corners[i][1] = L::f64x4_columns(first[i].y, second[i].y);
            corners[i][2] = L::f64x4_columns(first[i].z, second[i].z);
            i += 1;
        }
        Corners4(corners)
    }

    /// The images of the corners: products and sums in the order of [`DAffine3::transform_point3`], so that the bits are the same.
    #[inline(always)]
    #[must_use]
    pub fn mapped(&self, map: &DAffine3) -> Corners4<L> {
        let mut images = self.0;
        let mut axis = 0;
        while axis < 3 {
            let row = [
                L::f64x4_splat(map.matrix3.x_axis[axis]),
                L::f64x4_splat(map.matrix3.y_axis[axis]),
                L::f64x4_splat(map.matrix3.z_axis[axis]),
            ];
            let translation = L::f64x4_splat(map.translation[axis]);
            let mut i = 0;
            while i < 3 {
                let corner = &self.0[i];
                let sum = L::f64x4_add(L::f64x4_mul(row[0], corner[0]), L::f64x4_mul(row[1], corner[1]));
                let sum = L::f64x4_add(sum, L::f64x4_mul(row[2], corner[2]));
                images[i][axis] = L::f64x4_add(sum, translation);
                i += 1;
            }
            axis += 1;
        }
        Corners4(images)
    }

    /// The two triangles that stand in two lanes.
    #[inline(always)]
    pub fn triangles(&self, lanes: [usize; 2]) -> TriPair4 {
        let mut triangles = [[DVec3::ZERO; 3]; 2];
        let mut i = 0;
        while i < 9 {
            let (corner, axis) = (i / 3, i % 3);
            let values = L::f64x4_store(self.0[corner][axis]);
            triangles[0][corner][axis] = values[lanes[0]];
            triangles[1][corner][axis] = values[lanes[1]];
            i += 1;
        }
        triangles
    }
}

/// The lanes of the two triangles of rows.
pub const ROWS: [usize; 2] = [0, 2];
/// The lanes of the two triangles of columns.
pub const COLUMNS: [usize; 2] = [0, 1];

/// Two triangles for the columns of four pairs, with their planes, to be compared with several others.
pub struct Columns<L: Lanes> {
    /// The corners of the triangles.
    pub corners: Corners4<L>,
    plane: Plane<L>,
    bound: HeightBound,
}

/// The sides of the other's plane that the corners of the triangles lie on: one bit a pair, pair `(i, j)` in bit `2 i + j`.
#[derive(Clone, Copy)]
pub struct Sides {
    above: [u32; 3],
    below: [u32; 3],
}

impl Sides {
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
    /// The triangles that stand in columns, to be compared under an error bound that holds for them and all others.
    #[inline(always)]
    pub fn new(corners: Corners4<L>, bound: HeightBound) -> Columns<L> {
        let plane = Plane::new(&corners, bound);
        Columns { corners, plane, bound }
    }

    /// The pairs, of those present, that are not certainly apart because one triangle lies strictly on one side of the other's plane; and the
    /// sides of both. `None` if there are none. The others stand in rows.
    #[inline(always)]
    pub fn close(&self, rows: &Corners4<L>, present: u32) -> Option<(u32, [Sides; 2])> {
        let of_rows = self.plane.heights(rows);
        let close = present & !of_rows.same();
        if close == 0 {
            return None;
        }
        let of_columns = Plane::new(rows, self.bound).heights(&self.corners);
        let close = close & !of_columns.same();
        if close == 0 {
            return None;
        }
        Some((close, [of_rows.sides(), of_columns.sides()]))
    }
}

/// The heights of triangles' corners over planes, in multiples of the normals' lengths.
struct Heights<L: Lanes> {
    values: [L::F64x4; 3],
    bound: L::F64x4,
}

impl<L: Lanes> Heights<L> {
    /// The pairs in which all corners are certainly on the same side. No height is NaN, unless its bound is infinite.
    #[inline(always)]
    fn same(&self) -> u32 {
        let [a, b, c] = self.values;
        let lowest = L::f64x4_min(L::f64x4_min(a, b), c);
        let highest = L::f64x4_max(L::f64x4_max(a, b), c);
        L::f64x4_greater(lowest, self.bound)
            | L::f64x4_greater(L::f64x4_sub(L::f64x4_splat(0.0), highest), self.bound)
    }

    #[inline(always)]
    fn sides(&self) -> Sides {
        let mut sides = Sides { above: [0; 3], below: [0; 3] };
        let mut p = 0;
        while p < 3 {
            sides.above[p] = L::f64x4_greater(self.values[p], self.bound);
            sides.below[p] = L::f64x4_greater(L::f64x4_sub(L::f64x4_splat(0.0), self.values[p]), self.bound);
            p += 1;
        }
        sides
    }
}

/// The planes of triangles.
struct Plane<L: Lanes> {
    origin: [L::F64x4; 3],
    normal: [L::F64x4; 3],
    /// The error bound of heights.
    bound: L::F64x4,
}

impl<L: Lanes> Plane<L> {
    #[inline(always)]
    fn new(Corners4(corners): &Corners4<L>, bound: HeightBound) -> Plane<L> {
        let mut normal = [L::f64x4_splat(0.0); 3];
        let (mut size, mut u, mut v) = (normal[0], normal, normal);
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
            size = L::f64x4_add(size, L::f64x4_add(L::f64x4_abs(left), L::f64x4_abs(right)));
            k += 1;
        }
        let bound =
            L::f64x4_add(L::f64x4_mul(size, L::f64x4_splat(bound.factor)), L::f64x4_splat(bound.least));
        Plane { origin: corners[0], normal, bound }
    }

    #[inline(always)]
    fn heights(&self, Corners4(points): &Corners4<L>) -> Heights<L> {
        let mut values = self.origin;
        let mut p = 0;
        while p < 3 {
            let mut value = L::f64x4_mul(L::f64x4_sub(points[p][0], self.origin[0]), self.normal[0]);
            let mut k = 1;
            while k < 3 {
                let w = L::f64x4_sub(points[p][k], self.origin[k]);
                value = L::f64x4_add(value, L::f64x4_mul(w, self.normal[k]));
                k += 1;
            }
            values[p] = value;
            p += 1;
        }
        Heights { values, bound: self.bound }
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
    use crate::math::DMat3;
    use crate::narrow::tri_tri::{Facet, Kind, triangles_meet};
    use crate::simd::Portable;

    fn refs(triangle: &[DVec3; 3]) -> [&DVec3; 3] {
        triangle.each_ref()
    }

    /// Images in lanes have the bits of images one by one.
    #[test]
    fn corners_are_mapped_as_points_are() {
        let map = DAffine3::from_mat3_translation(
            DMat3::from_cols_array(&[0.3, -1.7, 2.0 / 3.0, 1e-9, 5.1, 0.7, -1e5, 1.0 / 7.0, 0.1]),
            DVec3::new(0.1, -1e-3, 7.7),
        );
        let triangle = |start: f64| {
            [0.0, 1.0, 2.0].map(|i| DVec3::new(start + i / 3.0, 1.0 / (start + i + 0.5), (start - i) * 0.7))
        };
        let pair = [triangle(0.9), triangle(-3.3)];
        let images = pair.map(|corners| corners.map(|corner| map.transform_point3(corner)));
        let [first, second] = pair.each_ref().map(refs);
        assert_eq!(Corners4::<Portable>::rows(first, second).mapped(&map).triangles(ROWS), images);
        assert_eq!(Corners4::<Portable>::columns(first, second).mapped(&map).triangles(COLUMNS), images);
    }

    /// Nothing is certain where determinants could overflow, or where the span is no number.
    #[test]
    fn huge_triangles_are_left_to_the_exact_test() {
        let flat = |z: f64| [DVec3::new(0.0, 0.0, z), DVec3::new(1e120, 0.0, z), DVec3::new(0.0, 1e120, z)];
        let [low, high] = [flat(0.0), flat(1e119)];
        for span in [1e120, f64::INFINITY, f64::NAN] {
            let columns = Corners4::columns(refs(&low), refs(&low));
            let columns = Columns::<Portable>::new(columns, HeightBound::within(span));
            assert!(
                columns
                    .close(&Corners4::rows(refs(&high), refs(&high)), 0b1111)
                    .is_some_and(|(c, _)| c == 0b1111)
            );
        }
    }

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
                let [rows, columns] = [a.each_ref().map(refs), b.each_ref().map(refs)];
                let columns = Columns::<Portable>::new(
                    Corners4::columns(columns[0], columns[1]),
                    HeightBound::within(steps as f64),
                );
                let rows = Corners4::rows(rows[0], rows[1]);
                assert_eq!((rows.triangles(ROWS), columns.corners.triangles(COLUMNS)), (a, b));
                let close = columns.close(&rows, 0b1111);
                for pair in 0..4 {
                    let (a, b) = (&a[pair / 2], &b[pair % 2]);
                    let exact = triangles_meet(&Facet::from(*a), &Facet::from(*b));
                    let certain = match &close {
                        Some((close, sides)) if close >> pair & 1 == 1 => crosses(a, b, pair, sides),
                        _ => Some(false),
                    };
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
