//! Two triangles against two others at once: which of the four pairs are certainly apart, and which certainly cross.
//!
//! Determinants are those of `orient3d`'s filter. Error bounds are simpler and larger: differences of coordinates count as if each were as
//! large as all of the two models, which is computed once. What they cannot decide is left to the exact test.

use crate::math::{DAffine3, DVec3};
use crate::predicates::{FILTER_BOUND, FILTER_UNDERFLOW};
use crate::simd::Lanes;

/// A pair of triangles. A single one stands in both places.
pub type TriPair4 = [[DVec3; 3]; 2];

/// The error bound of heights over planes, for coordinates that are all below a size.
#[derive(Clone, Copy, Debug)]
pub struct HeightBound {
    /// The factor of the sizes of the products that a normal is made of.
    factor: f64,
    /// What products that underflow may be off by.
    least: f64,
}

impl HeightBound {
    /// The error bound where a coordinate of the one triangle and a coordinate of the other, both without their signs, never add up to
    /// more than `span`.
    ///
    /// A height is `n · p − n · o`. Of the eight roundings that the factor stands for, four are those of the normal's entries, which are
    /// multiplied by a difference of coordinates, and three those of the two products, which are multiplied by the coordinates themselves. A
    /// difference is as little above the span as a sum. The last subtraction changes no sign.
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

/// The corners of four triangles: `[corner][axis]`.
pub struct Corners4<L: Lanes>([[L::F64x4; 3]; 3]);

impl<L: Lanes> Clone for Corners4<L> {
    #[inline(always)]
    fn clone(&self) -> Corners4<L> {
        *self
    }
}

impl<L: Lanes> Copy for Corners4<L> {}

impl<L: Lanes> Corners4<L> {
    /// The corners of four triangles.
    #[inline(always)]
    pub fn new([a, b, c, d]: [[&DVec3; 3]; 4]) -> Corners4<L> {
        let mut corners = [[L::f64x4_splat(0.0); 3]; 3];
        let mut i = 0;
        while i < 3 {
            corners[i] = L::f64x4_points([a[i].as_ref(), b[i].as_ref(), c[i].as_ref(), d[i].as_ref()]);
            i += 1;
        }
        Corners4(corners)
    }

    /// The first two triangles of the one and the last two of the other.
    #[inline(always)]
    pub fn halves(first: &Corners4<L>, last: &Corners4<L>) -> Corners4<L> {
        let mut corners = first.0;
        let mut i = 0;
        while i < 9 {
            let (corner, axis) = (i / 3, i % 3);
            corners[corner][axis] = L::f64x4_first_and_last(first.0[corner][axis], last.0[corner][axis]);
            i += 1;
        }
        Corners4(corners)
    }

    /// The corners, multiplied by a factor.
    #[inline(always)]
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Corners4<L> {
        let mut corners = self.0;
        let mut i = 0;
        while i < 9 {
            let (corner, axis) = (i / 3, i % 3);
            corners[corner][axis] = L::f64x4_mul(corners[corner][axis], L::f64x4_splat(factor));
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

    /// The first two triangles and the last two, with their planes, under an error bound that holds for them and for all that they will be
    /// compared with.
    #[inline(always)]
    pub fn planes(&self, bound: HeightBound, [first, last]: &mut [PlanePair; 2]) {
        let Corners4(corners) = self;
        let Plane { normal, offset, bound } = Plane::<L>::of(corners, bound);
        L::f64x4_halves(offset, &mut first.offset, &mut last.offset);
        L::f64x4_halves(bound, &mut first.bound, &mut last.bound);
        let mut k = 0;
        while k < 3 {
            L::f64x4_halves(normal[k], &mut first.normal[k], &mut last.normal[k]);
            let mut i = 0;
            while i < 3 {
                L::f64x4_halves(corners[i][k], &mut first.corners[i][k], &mut last.corners[i][k]);
                i += 1;
            }
            k += 1;
        }
    }

    /// The certain answers for the first two triangles against the last two, as of [`PlanePair::test`].
    #[inline(always)]
    pub fn test(&self, present: u32, bound: HeightBound) -> Option<Certain> {
        let Corners4(corners) = self;
        let plane = Plane::<L>::of(corners, bound);
        let mut rows = Spread { corners: *corners, plane };
        let mut columns = Spread { corners: *corners, plane };
        rows.plane.offset = L::f64x4_first_rows(plane.offset);
        columns.plane.offset = L::f64x4_last_columns(plane.offset);
        rows.plane.bound = L::f64x4_first_rows(plane.bound);
        columns.plane.bound = L::f64x4_last_columns(plane.bound);
        let mut k = 0;
        while k < 3 {
            rows.plane.normal[k] = L::f64x4_first_rows(plane.normal[k]);
            columns.plane.normal[k] = L::f64x4_last_columns(plane.normal[k]);
            let mut i = 0;
            while i < 3 {
                rows.corners[i][k] = L::f64x4_first_rows(corners[i][k]);
                columns.corners[i][k] = L::f64x4_last_columns(corners[i][k]);
                i += 1;
            }
            k += 1;
        }
        Spread::test(&rows, &columns, present, bound)
    }
}

/// The planes of triangles.
struct Plane<L: Lanes> {
    normal: [L::F64x4; 3],
    /// The normal times the first corner.
    offset: L::F64x4,
    /// The error bound of heights.
    bound: L::F64x4,
}

impl<L: Lanes> Clone for Plane<L> {
    #[inline(always)]
    fn clone(&self) -> Plane<L> {
        *self
    }
}

impl<L: Lanes> Copy for Plane<L> {}

impl<L: Lanes> Plane<L> {
    #[inline(always)]
    fn of(corners: &[[L::F64x4; 3]; 3], bound: HeightBound) -> Plane<L> {
        let mut normal = [L::f64x4_splat(0.0); 3];
        let (mut size, mut offset, mut u, mut v) = (normal[0], normal[0], normal, normal);
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
            offset = L::f64x4_add(offset, L::f64x4_mul(normal[k], corners[0][k]));
            k += 1;
        }
        let bound =
            L::f64x4_add(L::f64x4_mul(size, L::f64x4_splat(bound.factor)), L::f64x4_splat(bound.least));
        Plane { normal, offset, bound }
    }

    /// The heights of corners over the planes.
    #[inline(always)]
    fn heights(&self, corners: &[[L::F64x4; 3]; 3]) -> Heights<L> {
        let mut values = [self.offset; 3];
        let mut p = 0;
        while p < 3 {
            let x = L::f64x4_mul(self.normal[0], corners[p][0]);
            let y = L::f64x4_mul(self.normal[1], corners[p][1]);
            let z = L::f64x4_mul(self.normal[2], corners[p][2]);
            values[p] = L::f64x4_sub(L::f64x4_add(L::f64x4_add(x, y), z), self.offset);
            p += 1;
        }
        Heights { values, bound: self.bound }
    }
}

/// Two triangles with their planes, to be compared with several others. A single one stands in both places.
#[repr(align(32))]
#[derive(Clone, Copy, Debug, Default)]
pub struct PlanePair {
    /// `[corner][axis]`.
    corners: [[[f64; 2]; 3]; 3],
    normal: [[f64; 2]; 3],
    /// The normal times the first corner.
    offset: [f64; 2],
    /// The error bound of heights.
    bound: [f64; 2],
}

/// The certain answers for four pairs of triangles: one bit a pair, pair `(i, j)` in bit `2 i + j`. The others are certainly apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Certain {
    /// The pairs that certainly cross.
    pub crossing: u32,
    /// The pairs of which nothing is certain.
    pub open: u32,
}

impl PlanePair {
    /// The corners of one of the two triangles.
    #[inline(always)]
    pub fn triangle(&self, place: usize) -> [DVec3; 3] {
        let mut triangle = [DVec3::ZERO; 3];
        let mut i = 0;
        while i < 3 {
            let [x, y, z] = &self.corners[i];
            triangle[i] = DVec3::new(x[place % 2], y[place % 2], z[place % 2]);
            i += 1;
        }
        triangle
    }

    /// The certain answers for the pairs that are present; `None` where all are certainly apart. The triangles of `self` stand in rows, the others in
    /// columns. Heights are computed under one error bound, so both must have been made with that.
    #[inline(always)]
    pub fn test<L: Lanes>(&self, columns: &PlanePair, present: u32, bound: HeightBound) -> Option<Certain> {
        Spread::test(&self.spread::<L, true>(), &columns.spread::<L, false>(), present, bound)
    }

    /// The triangles for the rows of four pairs, or else for the columns.
    #[inline(always)]
    fn spread<L: Lanes, const IN_ROWS: bool>(&self) -> Spread<L> {
        let offset = lanes::<L, IN_ROWS>(&self.offset);
        let plane = Plane { normal: [offset; 3], offset, bound: lanes::<L, IN_ROWS>(&self.bound) };
        let mut spread = Spread { corners: [[offset; 3]; 3], plane };
        let mut k = 0;
        while k < 3 {
            spread.plane.normal[k] = lanes::<L, IN_ROWS>(&self.normal[k]);
            let mut i = 0;
            while i < 3 {
                spread.corners[i][k] = lanes::<L, IN_ROWS>(&self.corners[i][k]);
                i += 1;
            }
            k += 1;
        }
        spread
    }
}

/// Two numbers for the rows of four pairs, or else for the columns.
#[inline(always)]
fn lanes<L: Lanes, const IN_ROWS: bool>(values: &[f64; 2]) -> L::F64x4 {
    if IN_ROWS { L::f64x4_rows(values) } else { L::f64x4_columns(values) }
}

/// Two triangles with their planes, each in the lanes of its pairs.
struct Spread<L: Lanes> {
    /// `[corner][axis]`.
    corners: [[L::F64x4; 3]; 3],
    plane: Plane<L>,
}

impl<L: Lanes> Spread<L> {
    /// The certain answers for the pairs that are present; `None` where all are certainly apart.
    ///
    /// Most pairs are apart because one triangle lies strictly on one side of the other's plane. Where the corners of both are certainly on
    /// both sides, the two cut intervals of one line, and the signs of two tetrahedra tell whether these overlap: the case without zeros of
    /// `triangle`'s `intervals`.
    #[inline(always)]
    fn test(rows: &Spread<L>, columns: &Spread<L>, present: u32, bound: HeightBound) -> Option<Certain> {
        let of_rows = columns.plane.heights(&rows.corners);
        let of_columns = rows.plane.heights(&columns.corners);
        let close = present & !(of_rows.same() | of_columns.same());
        if close == 0 {
            return None;
        }
        let cut = close & of_rows.are_certain() & of_columns.are_certain();
        if cut == 0 {
            return Some(Certain { crossing: 0, open: close });
        }
        // The edges from the corner that is alone on its side, of a triangle of each pair: (p, q) and (p, r). Seen from the other's front, a
        // counter-clockwise path comes up through its plane along the second and goes down along the first, or the reverse if that corner is behind.
        let (of_row, row_side) = of_rows.lone_corner_first(&rows.corners);
        let (of_column, column_side) = of_columns.lone_corner_first(&columns.corners);
        let mut to_column = [of_row[0][0]; 3];
        let mut ends = [[[of_row[0][0]; 3]; 2]; 2];
        let mut k = 0;
        while k < 3 {
            let origin = of_row[0][k];
            to_column[k] = L::f64x4_sub(of_column[0][k], origin);
            let mut e = 0;
            while e < 2 {
                ends[e][0][k] = L::f64x4_sub(of_row[1 + e][k], origin);
                ends[e][1][k] = L::f64x4_sub(of_column[1 + e][k], origin);
                e += 1;
            }
            k += 1;
        }
        let turn = L::f64x4_xor(row_side, column_side);
        let down = Tetrahedra::<L>::new(&ends[0][0], &to_column, &ends[0][1], turn, bound);
        let up = Tetrahedra::<L>::new(&ends[1][0], &to_column, &ends[1][1], turn, bound);
        let crossing = cut & down.negative() & up.positive();
        let apart = cut & (down.positive() | up.negative());
        let open = close & !(crossing | apart);
        if crossing | open == 0 { None } else { Some(Certain { crossing, open }) }
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

    /// The pairs in which all corners are certainly above or below.
    #[inline(always)]
    fn are_certain(&self) -> u32 {
        let [a, b, c] = self.values;
        let nearest = L::f64x4_min(L::f64x4_min(L::f64x4_abs(a), L::f64x4_abs(b)), L::f64x4_abs(c));
        L::f64x4_greater(nearest, self.bound)
    }

    /// The corners of the triangles in another order: first the one that is alone on its side of the other's plane, then the one to which a
    /// counter-clockwise path goes on from there, or where it came from if the first is below. And the first one's height.
    #[inline(always)]
    fn lone_corner_first(&self, triangles: &[[L::F64x4; 3]; 3]) -> ([[L::F64x4; 3]; 3], L::F64x4) {
        let [h0, h1, h2] = self.values;
        // Where 1 and 2 are on different sides, one of them is alone: 2, if 0 and 2 are on different sides, too.
        let places = [L::f64x4_xor(h1, h2), L::f64x4_xor(h0, h2)];
        let height = pick::<L>(places, [h0, h1, h2]);
        let mut corners = [[height; 3]; 3];
        let mut k = 0;
        while k < 3 {
            let (a, b, c) = (triangles[0][k], triangles[1][k], triangles[2][k]);
            let (next, last) = (pick::<L>(places, [b, c, a]), pick::<L>(places, [c, a, b]));
            corners[0][k] = pick::<L>(places, [a, b, c]);
            corners[1][k] = L::f64x4_where_negative(height, last, next);
            corners[2][k] = L::f64x4_where_negative(height, next, last);
            k += 1;
        }
        (corners, height)
    }
}

/// One of three: the first unless the sign bit of the first place is set, then the third where that of the second is.
#[inline(always)]
fn pick<L: Lanes>([not_first, is_last]: [L::F64x4; 2], [a, b, c]: [L::F64x4; 3]) -> L::F64x4 {
    L::f64x4_where_negative(not_first, L::f64x4_where_negative(is_last, c, b), a)
}

/// The signs of tetrahedra, with the error bound of heights.
struct Tetrahedra<L: Lanes> {
    values: L::F64x4,
    bound: L::F64x4,
}

impl<L: Lanes> Tetrahedra<L> {
    /// The determinants of three vectors that lead from one corner to the three others, negated where `turn` is negative.
    #[inline(always)]
    fn new(
        u: &[L::F64x4; 3],
        v: &[L::F64x4; 3],
        w: &[L::F64x4; 3],
        turn: L::F64x4,
        bound: HeightBound,
    ) -> Tetrahedra<L> {
        let mut value = L::f64x4_splat(0.0);
        let mut size = value;
        let mut k = 0;
        while k < 3 {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            let (left, right) = (L::f64x4_mul(u[i], v[j]), L::f64x4_mul(u[j], v[i]));
            value = L::f64x4_add(value, L::f64x4_mul(L::f64x4_sub(left, right), w[k]));
            size = L::f64x4_add(size, L::f64x4_add(L::f64x4_abs(left), L::f64x4_abs(right)));
            k += 1;
        }
        let bound =
            L::f64x4_add(L::f64x4_mul(size, L::f64x4_splat(bound.factor)), L::f64x4_splat(bound.least));
        let values = L::f64x4_where_negative(turn, L::f64x4_sub(L::f64x4_splat(0.0), value), value);
        Tetrahedra { values, bound }
    }

    #[inline(always)]
    fn positive(&self) -> u32 {
        L::f64x4_greater(self.values, self.bound)
    }

    #[inline(always)]
    fn negative(&self) -> u32 {
        L::f64x4_greater(L::f64x4_sub(L::f64x4_splat(0.0), self.values), self.bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::DMat3;
    use crate::narrow::tri_tri::{Facet, Kind, triangles_meet};
    use crate::simd::{Portable, Work, dispatch};

    fn refs(triangle: &[DVec3; 3]) -> [&DVec3; 3] {
        triangle.each_ref()
    }

    /// The first two triangles and the last two, with their planes.
    fn pairs(triangles: [&[DVec3; 3]; 4], span: f64) -> [PlanePair; 2] {
        let mut planes = [PlanePair::default(); 2];
        Corners4::<Portable>::new(triangles.map(refs)).planes(HeightBound::within(span), &mut planes);
        planes
    }

    /// The test with the lanes of the current level.
    struct Test<'p>([&'p PlanePair; 2], HeightBound);

    impl Work for Test<'_> {
        type Output = Certain;

        fn run<L: Lanes>(self) -> Certain {
            let found = self.0[0].test::<L>(self.0[1], 0b1111, self.1);
            found.unwrap_or(Certain { crossing: 0, open: 0 })
        }
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
        let mut planes = [PlanePair::default(); 2];
        let corners = Corners4::<Portable>::new([first, second, second, first]).mapped(&map);
        corners.planes(HeightBound::within(1.0), &mut planes);
        let [there, back] = planes.map(|pair| [pair.triangle(0), pair.triangle(1)]);
        assert_eq!((there, [back[1], back[0]]), (images, images));
    }

    /// Nothing is certain where determinants could overflow, or where the span is no number.
    #[test]
    fn huge_triangles_are_left_to_the_exact_test() {
        let flat = |z: f64| [DVec3::new(0.0, 0.0, z), DVec3::new(1e120, 0.0, z), DVec3::new(0.0, 1e120, z)];
        let [low, high] = [flat(0.0), flat(1e119)];
        for span in [1e120, f64::INFINITY, f64::NAN] {
            let [low, high] = pairs([&low, &low, &high, &high], span);
            let bound = HeightBound::within(span);
            let nothing = Some(Certain { crossing: 0, open: 0b1111 });
            assert_eq!(high.test::<Portable>(&low, 0b1111, bound), nothing);
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
                let [rows, columns] = pairs([&a[0], &a[1], &b[0], &b[1]], 2.0 * steps as f64);
                let bound = HeightBound::within(2.0 * steps as f64);
                let found = rows.test::<Portable>(&columns, 0b1111, bound);
                let found = found.unwrap_or(Certain { crossing: 0, open: 0 });
                assert_eq!(dispatch(Test([&rows, &columns], bound)), found);
                let both = Corners4::<Portable>::new([&a[0], &a[1], &b[0], &b[1]].map(refs));
                assert_eq!(both.test(0b1111, bound).unwrap_or(Certain { crossing: 0, open: 0 }), found);
                for pair in 0..4 {
                    let (a, b) = (&a[pair / 2], &b[pair % 2]);
                    let exact = triangles_meet(&Facet::from(*a), &Facet::from(*b));
                    let certain = (found.open >> pair & 1 == 0).then_some(found.crossing >> pair & 1 == 1);
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
