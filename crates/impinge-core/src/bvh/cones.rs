//! Vectors as combinations of three directions with factors ≥ 0: the cones that a vector lies in.
//!
//! Every such cone gives an upper bound of a DOP along the vector, and the least of them is the true one:
//! `docs/math/dop-alignment.md` says which cones are enough.

use super::steps::spans;
use crate::bounds::directions;
use crate::math::DVec3;

/// Three directions, by their numbers, and factors ≥ 0 whose combination is a vector.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cone {
    pub(super) picks: [u32; 3],
    pub(super) factors: [f32; 3],
}

impl Cone {
    /// The cone of the vector 0.
    pub(super) const ZERO: Cone = Cone { picks: [0; 3], factors: [0.0; 3] };
}

/// The most cones of three directions that a vector lies in and that hold no fourth direction.
pub(super) const fn cone_count<const K: usize>() -> usize {
    match K {
        6 => 1,
        8 | 14 => 2,
        18 => 4,
        _ => 5,
    }
}

/// One cone that the vector lies in, and the residual: what the rest of the vector can add for points within [-1, 1].
#[inline(always)]
pub(super) fn combination<const K: usize>(vector: DVec3) -> (Cone, f64) {
    if K == 6 {
        let pick = |i: usize| (if vector[i] >= 0.0 { i } else { i + 3 }) as u32;
        let size = vector.abs();
        // Each factor is off by half a unit in its last place.
        let residual = size.element_sum() * (-24f64).exp2();
        let cone =
            Cone { picks: [pick(0), pick(1), pick(2)], factors: size.to_array().map(|factor| factor as f32) };
        (cone, residual)
    } else {
        let sorted = Sorted::of(vector);
        let (coordinates, factors) = first_cone::<K>(sorted.sizes);
        sorted.cone::<K>(coordinates, factors)
    }
}

/// Calls `visit` with every cone that the vector lies in and that holds no fourth direction, and with its residual. At most
/// [`cone_count`] of them; that of [`combination`] comes first.
#[inline]
pub(super) fn for_each_cone<const K: usize>(vector: DVec3, mut visit: impl FnMut(Cone, f64)) {
    if K == 6 {
        let (cone, residual) = combination::<K>(vector);
        return visit(cone, residual);
    }
    let sorted = Sorted::of(vector);
    let [a, b, c] = sorted.sizes;
    let mut also = |coordinates: [Coordinates; 3], factors: [f64; 3]| {
        let (cone, residual) = sorted.cone::<K>(coordinates, factors);
        visit(cone, residual);
    };
    let (coordinates, factors) = first_cone::<K>(sorted.sizes);
    also(coordinates, factors);
    let is_long = a >= b + c;
    match K {
        8 => also([XYZ, XY_Z, X_Y_Z], [0.5 * (a + c), 0.5 * (b - c), 0.5 * (a - b)]),
        14 => also([X, Y, XYZ], [a - c, b - c, c]),
        18 => {
            also([X, XY, YZ], [a - b + c, b - c, c]);
            if !is_long {
                also([Y, XY, XZ], [b + c - a, a - c, c]);
                also([Z, XY, XZ], [b + c - a, b, a - b]);
            }
        }
        _ => {
            if a <= 2.0 * b - c {
                also([XYZ, XY, X_Z], [a - b + c, 2.0 * b - c - a, a - b]);
            } else {
                also([X, XYZ, X_Z], [a - 2.0 * b + c, b, b - c]);
            }
            if !is_long {
                also([XY, XZ, XYZ], [a - c, a - b, b + c - a]);
                return;
            }
            also([X, XY, XZ], [a - b - c, b, c]);
            if a <= b + 2.0 * c {
                also([XY, XZ, X_YZ], [a - c, b + 2.0 * c - a, a - b - c]);
            } else {
                also([X, XY, X_YZ], [a - b - 2.0 * c, b + c, c]);
            }
            if a <= 2.0 * b + c {
                also([XY, XZ, XY_Z], [2.0 * b + c - a, a - b, a - b - c]);
            } else {
                also([X, XZ, XY_Z], [a - 2.0 * b - c, b + c, b]);
            }
        }
    }
}

/// The coordinates of a direction on the sorted axes, in multiples of the vector's signs.
type Coordinates = [i32; 3];

const X: Coordinates = [1, 0, 0];
const Y: Coordinates = [0, 1, 0];
const Z: Coordinates = [0, 0, 1];
const XY: Coordinates = [1, 1, 0];
const XZ: Coordinates = [1, 0, 1];
const X_Z: Coordinates = [1, 0, -1];
const YZ: Coordinates = [0, 1, 1];
const XYZ: Coordinates = [1, 1, 1];
const XY_Z: Coordinates = [1, 1, -1];
const X_YZ: Coordinates = [1, -1, 1];
const X_Y_Z: Coordinates = [1, -1, -1];

/// The cone of neighbors in the regular DOP, whose offsets are all in proportion to the lengths of their directions.
///
/// Sizes are in descending order a ≥ b ≥ c, on axes x, y, z with the vector's signs.
#[inline(always)]
fn first_cone<const K: usize>([a, b, c]: [f64; 3]) -> ([Coordinates; 3], [f64; 3]) {
    match K {
        8 => ([XYZ, XY_Z, X_YZ], [0.5 * (b + c), 0.5 * (a - c), 0.5 * (a - b)]),
        14 => ([X, XYZ, XY_Z], [a - b, 0.5 * (b + c), 0.5 * (b - c)]),
        18 if a >= b + c => ([X, XY, XZ], [a - b - c, b, c]),
        18 => ([XY, XZ, YZ], [0.5 * (a + b - c), 0.5 * (a + c - b), 0.5 * (b + c - a)]),
        _ => ([X, XY, XYZ], [a - b, b - c, c]),
    }
}

/// The sizes of a vector's coordinates in descending order, and which axes they are on.
struct Sorted {
    sizes: [f64; 3],
    /// The step in a table of all directions for a coordinate on the axis, with the sign of the vector.
    steps: [i32; 3],
}

impl Sorted {
    #[inline(always)]
    fn of(vector: DVec3) -> Sorted {
        let signed =
            |coordinate: f64, step: i32| (coordinate.abs(), if coordinate < 0.0 { -step } else { step });
        let (mut x, mut y, mut z) = (signed(vector.x, 9), signed(vector.y, 3), signed(vector.z, 1));
        if x.0 < y.0 {
            (x, y) = (y, x);
        }
        if y.0 < z.0 {
            (y, z) = (z, y);
        }
        if x.0 < y.0 {
            (x, y) = (y, x);
        }
        Sorted { sizes: [x.0, y.0, z.0], steps: [x.1, y.1, z.1] }
    }

    /// The cone of three directions with these factors, and its residual.
    #[inline(always)]
    fn cone<const K: usize>(&self, coordinates: [Coordinates; 3], factors: [f64; 3]) -> (Cone, f64) {
        let size = self.sizes[0] + self.sizes[1] + self.sizes[2];
        // What the factors lack in `f64`, and what is below the least normal `f32`.
        let mut residual = 32.0 * f64::EPSILON * size + 16.0 * f64::from(f32::MIN_POSITIVE);
        let mut cone = Cone::ZERO;
        let mut j = 0;
        while j < 3 {
            let [x, y, z] = coordinates[j];
            let pick = const { places::<K>() }
                [(x * self.steps[0] + y * self.steps[1] + z * self.steps[2] + MIDDLE) as usize];
            // Rounding may have made a factor that should be zero a little less.
            let factor = factors[j].max(0.0);
            cone.picks[j] = pick;
            cone.factors[j] = (factor * const { spans::<K>() }[pick as usize]) as f32;
            // Each factor is off by half a unit in its last place.
            residual += factor * f64::from(x.abs() + y.abs() + z.abs()) * (-24f64).exp2();
            j += 1;
        }
        (cone, residual)
    }
}

/// Where the direction 0 stands in a table of all that have coordinates 0 and ±1.
const MIDDLE: i32 = 13;

/// The number of each direction that a K-DOP has.
#[inline]
const fn places<const K: usize>() -> [u32; 27] {
    let mut places = [u32::MAX; 27];
    let all = directions::<K>();
    let mut i = 0;
    while i < K {
        let [x, y, z] = all[i];
        places[(9 * x as i32 + 3 * y as i32 + z as i32 + MIDDLE) as usize] = i as u32;
        i += 1;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::super::steps::spanned;
    use super::*;
    use crate::math::DMat3;
    use std::collections::BTreeSet;

    /// Vectors all around, axes and ties included.
    fn vectors() -> impl Iterator<Item = DVec3> {
        (0..13_i32.pow(3)).map(|i| {
            DVec3::new(f64::from(i % 13 - 6), f64::from(i / 13 % 13 - 6), f64::from(i / 169 - 6)) * 0.3
        })
    }

    /// The factors are not negative, and their combination is the vector.
    fn check<const K: usize>() {
        for vector in vectors() {
            let mut count = 0;
            for_each_cone::<K>(vector, |Cone { picks, factors }, residual| {
                count += 1;
                assert!(factors.iter().all(|&factor| factor >= 0.0), "{K}: {vector} {factors:?}");
                assert!(residual <= 1e-6, "{K}: {vector} {picks:?} {factors:?}: {residual}");
                let sum = (0..3).fold(DVec3::ZERO, |sum, j| {
                    sum + DVec3::from_array(spanned::<K>()[picks[j] as usize]) * f64::from(factors[j])
                });
                assert!((sum - vector).abs().element_sum() <= residual, "{K}: {vector}");
            });
            assert!((1..=cone_count::<K>()).contains(&count), "{K}: {count} cones");
        }
    }

    #[test]
    fn every_vector_is_a_combination_in_each_of_its_cones() {
        check::<6>();
        check::<8>();
        check::<14>();
        check::<18>();
        check::<26>();
    }

    /// The factors of a vector in the cone of three directions; `None` where they do not span it with factors ≥ 0.
    fn factors<const K: usize>(triple: [usize; 3], vector: DVec3) -> Option<DVec3> {
        let normal = |i: usize| DVec3::from_array(directions::<K>()[i]);
        let matrix = DMat3::from_cols(normal(triple[0]), normal(triple[1]), normal(triple[2]));
        if matrix.determinant() == 0.0 {
            return None;
        }
        let factors = matrix.inverse() * vector;
        (factors.min_element() >= -1e-12).then_some(factors)
    }

    /// By brute force over all triples, for vectors within no side of a cone.
    fn check_all<const K: usize>() {
        let triples = (0..K).flat_map(|i| (0..i).flat_map(move |j| (0..j).map(move |l| [l, j, i])));
        let is_empty = |triple: &[usize; 3]| {
            let others = (0..K).filter(|i| !triple.contains(i));
            let mut held =
                others.filter_map(|i| factors::<K>(*triple, DVec3::from_array(directions::<K>()[i])));
            held.next().is_none()
        };
        let is_cone = |triple: &[usize; 3]| factors::<K>(*triple, DVec3::ZERO).is_some();
        let empty: Vec<[usize; 3]> = triples.filter(|triple| is_cone(triple) && is_empty(triple)).collect();
        for vector in vectors().map(|v| v + DVec3::new(0.0123, 0.0311, -0.0577)) {
            let mut found = BTreeSet::new();
            for_each_cone::<K>(vector, |cone, _| {
                let mut picks = cone.picks.map(|pick| pick as usize);
                picks.sort_unstable();
                assert!(found.insert(picks), "{K}: {vector} {picks:?} twice");
            });
            let all: BTreeSet<[usize; 3]> =
                empty.iter().copied().filter(|triple| factors::<K>(*triple, vector).is_some()).collect();
            assert_eq!(found, all, "{K}: {vector}");
        }
    }

    #[test]
    fn all_cones_without_a_fourth_direction_are_found() {
        check_all::<6>();
        check_all::<8>();
        check_all::<14>();
        check_all::<18>();
        check_all::<26>();
    }
}
