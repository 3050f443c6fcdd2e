//! Dynamic alignment (Zachmann 1998, §4.1): the DOPs of one tree, enclosed in DOPs with the directions of the other.
//!
//! Seen from the first tree, direction `B_i` of it is a combination of three directions of the second with coefficients
//! λ ≥ 0, and so `B_i · x ≤ Σ λ_j d_j` for every x in a DOP with offsets d, whatever the DOP. The coefficients depend on
//! the placement alone and are computed once per query. `docs/math/dop-alignment.md` derives the padding that is added for
//! what rounding leaves over.

use super::DopTree;
use super::steps::{STEPS, spanned, spans};
use crate::bounds::directions;
use crate::math::{DAffine3, DVec3};
use crate::simd::{I16x4, Lanes};

/// The map from offsets of one tree to offsets along the directions of another.
#[derive(Clone, Copy, Debug)]
pub struct Alignment<const K: usize> {
    factors: [[f32; 3]; K],
    picks: [[u32; 3]; K],
    shifts: [f32; K],
    /// About how large a step of the one tree is in those of the other.
    step: f32,
}

/// The error bound of fifteen roundings to `f32`, relative to the largest term.
pub(super) const ROUNDING: f64 = 1.0 / (1 << 20) as f64;

/// Beyond this a direction is given up: it separates nothing, and nothing overflows.
pub(super) const TOO_LARGE: f64 = 1e30;

impl<const K: usize> Alignment<K> {
    /// The alignment that separates nothing.
    const NONE: Alignment<K> =
        Alignment { factors: [[0.0; 3]; K], picks: [[0; 3]; K], shifts: [TOO_LARGE as f32; K], step: 1.0 };

    /// The alignment of the tree `from` with the directions of the tree `to`, where `map` takes points of the one's model to the
    /// other's, up to an `error` in each coordinate.
    #[inline]
    pub fn new(to: &DopTree<K>, from: &DopTree<K>, map: &DAffine3, error: f64) -> Alignment<K> {
        let ratio = to.scale / from.scale;
        let linear = map.matrix3 * ratio;
        let turned_origin = map.matrix3 * from.origin;
        let shift = ((turned_origin + map.translation) - to.origin) * to.scale;
        let shift_size = (turned_origin.abs() + map.translation.abs() + to.origin.abs()) * to.scale;
        let rows = (linear.x_axis.abs() + linear.y_axis.abs() + linear.z_axis.abs()).max_element();
        let error = error * to.scale + 8.0 * f64::EPSILON * (shift_size.max_element() + rows * STEPS);

        let squares =
            linear.x_axis.length_squared() + linear.y_axis.length_squared() + linear.z_axis.length_squared();
        let mut alignment = Alignment { step: (squares * (1.0 / 3.0)).sqrt() as f32, ..Alignment::NONE };
        let seen_from = linear.transpose();
        for i in 0..K / 2 {
            let direction = DVec3::from_array(const { spanned::<K>() }[i]);
            // The direction as seen from the other tree: direction · (linear · x) = (linearᵀ · direction) · x.
            let (picks, factors, residual) = combination::<K>(seen_from * direction);
            alignment.set(i, picks, factors, direction.dot(shift), residual * STEPS + error);
        }
        alignment
    }

    /// Sets a direction and its opposite. `error` covers all but the `f32` arithmetic of the aligned offsets.
    #[inline(always)]
    fn set(&mut self, i: usize, picks: [u32; 3], factors: [f32; 3], shift: f64, error: f64) {
        let half = K / 2;
        // Offsets of a tree are at most this many steps, so that no term is larger than the sum; each of the products
        // and sums is off by 2^-24 of it at most, and so is the shift when it is rounded.
        let reach = STEPS * (f64::from(factors[0]) + f64::from(factors[1]) + f64::from(factors[2]))
            + shift.abs()
            + 1.0;
        let room = error + reach * ROUNDING;
        if reach + room >= TOO_LARGE || !room.is_finite() {
            return;
        }
        self.factors[i] = factors;
        self.factors[i + half] = factors;
        self.picks[i] = picks;
        self.picks[i + half] = picks.map(|pick| ((pick as usize + half) % K) as u32);
        self.shifts[i] = (shift + room) as f32;
        self.shifts[i + half] = (room - shift) as f32;
    }

    /// The aligned offsets of one bound.
    #[inline]
    pub(super) fn apply_to_one(&self, offsets: &[i16; K]) -> [f32; K] {
        std::array::from_fn(|i| {
            let term = |j: usize| f32::from(offsets[self.picks[i][j] as usize]) * self.factors[i][j];
            self.shifts[i] + term(0) + term(1) + term(2)
        })
    }
}

/// The alignments of two trees with each other, side by side in the lanes of one register: B's children for A in the
/// lower four, A's children for B in the upper.
#[derive(Clone, Debug)]
pub struct PairAlignment<const K: usize> {
    /// For each direction the picks of both, and their factors.
    terms: [[Term; 3]; K],
    shifts: [[f32; 8]; K],
    /// About how large a step of B's tree is in those of A's.
    pub(super) step: f32,
}

#[derive(Clone, Copy, Debug)]
struct Term {
    factors: [f32; 8],
    pick_of_b: u32,
    pick_of_a: u32,
}

impl<const K: usize> PairAlignment<K> {
    /// The alignment of B with A's directions, and of A with B's.
    #[inline]
    pub fn new(a_from_b: &Alignment<K>, b_from_a: &Alignment<K>) -> PairAlignment<K> {
        let split = |low: f32, high: f32| [low, low, low, low, high, high, high, high];
        // A box is aligned by its middle and half sides: the middle takes the factor with its sign, and both take half of
        // it, because what is stored are sides.
        let signed = |of: &Alignment<K>, i: usize, j: usize| {
            let half = 0.5 * of.factors[i][j];
            if K == 6 && of.picks[i][j] as usize >= 3 {
                -half
            } else if K == 6 {
                half
            } else {
                of.factors[i][j]
            }
        };
        // Plain loops into one place: arrays made by closures are copied several times on the way, which costs as much as a short query.
        let mut pair = PairAlignment {
            terms: [[Term { factors: [0.0; 8], pick_of_b: 0, pick_of_a: 0 }; 3]; K],
            shifts: [[0.0; 8]; K],
            step: a_from_b.step,
        };
        for i in 0..K {
            for (j, term) in pair.terms[i].iter_mut().enumerate() {
                term.factors = split(signed(a_from_b, i, j), signed(b_from_a, i, j));
                term.pick_of_b = a_from_b.picks[i][j];
                term.pick_of_a = b_from_a.picks[i][j];
            }
            // Half a step less, so that rounding to the nearest whole number is rounding down.
            pair.shifts[i] = split(a_from_b.shifts[i] - 0.5, b_from_a.shifts[i] - 0.5);
        }
        pair
    }

    /// The aligned offsets of the children of two nodes, less half a step.
    #[inline(always)]
    pub(super) fn apply<L: Lanes>(&self, of_a: &[I16x4; K], of_b: &[I16x4; K]) -> [L::F32x8; K] {
        let mut aligned = [L::load(&self.shifts[0]); K];
        let mut i = 0;
        if K == 6 {
            // Along each axis: the upper offset and the opposite of the lower one, as sums and differences.
            let sides = [
                [L::both(&of_b[0], &of_a[0]), L::both(&of_b[3], &of_a[3])],
                [L::both(&of_b[1], &of_a[1]), L::both(&of_b[4], &of_a[4])],
                [L::both(&of_b[2], &of_a[2]), L::both(&of_b[5], &of_a[5])],
            ];
            while i < 3 {
                // Twice the middle and twice the half side, the factors being halved.
                let (mut upper, mut lower) = (L::load(&self.shifts[i]), L::load(&self.shifts[i + 3]));
                let mut j = 0;
                while j < 3 {
                    let factor = L::load(&self.terms[i][j].factors);
                    let middle = L::mul(L::sub(sides[j][0], sides[j][1]), factor);
                    let half = L::mul(L::add(sides[j][0], sides[j][1]), L::abs(factor));
                    upper = L::add(upper, L::add(half, middle));
                    lower = L::add(lower, L::sub(half, middle));
                    j += 1;
                }
                aligned[i] = upper;
                aligned[i + 3] = lower;
                i += 1;
            }
            return aligned;
        }
        while i < K {
            let mut sum = L::load(&self.shifts[i]);
            let mut j = 0;
            while j < 3 {
                let term = &self.terms[i][j];
                let picked = L::both(&of_b[term.pick_of_b as usize], &of_a[term.pick_of_a as usize]);
                sum = L::add(sum, L::mul(picked, L::load(&term.factors)));
                j += 1;
            }
            aligned[i] = sum;
            i += 1;
        }
        aligned
    }
}

/// Three directions and factors ≥ 0 whose combination is the vector, up to the residual: what the rest can add for
/// points within [-1, 1].
#[inline(always)]
pub(super) fn combination<const K: usize>(vector: DVec3) -> ([u32; 3], [f32; 3], f64) {
    if K == 6 {
        let pick = |i: usize| (if vector[i] >= 0.0 { i } else { i + 3 }) as u32;
        let size = vector.abs();
        // Each factor is off by half a unit in its last place.
        let residual = size.element_sum() * (-24f64).exp2();
        ([pick(0), pick(1), pick(2)], size.to_array().map(|factor| factor as f32), residual)
    } else {
        cone::<K>(vector)
    }
}

/// The three neighboring directions whose cone contains the vector, in closed form.
///
/// With the coordinates' sizes in descending order a ≥ b ≥ c, on axes x, y, z with the vector's signs:
///
/// - 8: corners xyz, xy−z, x−yz with (b + c)/2, (a − c)/2, (a − b)/2
/// - 14: axis x, corners xyz, xy−z with a − b, (b + c)/2, (b − c)/2
/// - 18: axis x, edges xy, xz with a − b − c, b, c; or edges xy, xz, yz with (a + b − c)/2, (a + c − b)/2, (b + c − a)/2
///   where the first would be negative
/// - 26: axis x, edge xy, corner xyz with a − b, b − c, c
#[inline]
fn cone<const K: usize>(vector: DVec3) -> ([u32; 3], [f32; 3], f64) {
    let size = vector.abs();
    let mut order = [0, 1, 2];
    if size[order[0]] < size[order[1]] {
        order.swap(0, 1);
    }
    if size[order[1]] < size[order[2]] {
        order.swap(1, 2);
    }
    if size[order[0]] < size[order[1]] {
        order.swap(0, 1);
    }
    let [a, b, c] = order.map(|axis| size[axis]);
    // A direction given by its coordinates on the sorted axes, in multiples of the vector's signs.
    let place = |on: [i32; 3]| {
        let mut direction = [0; 3];
        for (k, &axis) in order.iter().enumerate() {
            direction[axis] = if vector[axis] < 0.0 { -on[k] } else { on[k] };
        }
        let numbers = const { places::<K>() };
        numbers[place_of(direction)]
    };
    const X: [i32; 3] = [1, 0, 0];
    let (picks, factors) = match K {
        8 => (
            [place([1, 1, 1]), place([1, 1, -1]), place([1, -1, 1])],
            [0.5 * (b + c), 0.5 * (a - c), 0.5 * (a - b)],
        ),
        14 => ([place(X), place([1, 1, 1]), place([1, 1, -1])], [a - b, 0.5 * (b + c), 0.5 * (b - c)]),
        18 if a >= b + c => ([place(X), place([1, 1, 0]), place([1, 0, 1])], [a - b - c, b, c]),
        18 => (
            [place([1, 1, 0]), place([1, 0, 1]), place([0, 1, 1])],
            [0.5 * (a + b - c), 0.5 * (a + c - b), 0.5 * (b + c - a)],
        ),
        _ => ([place(X), place([1, 1, 0]), place([1, 1, 1])], [a - b, b - c, c]),
    };
    // Rounding may have made a factor that should be zero a little less.
    let factors = [0, 1, 2].map(|j| (factors[j].max(0.0) * const { spans::<K>() }[picks[j] as usize]) as f32);
    let sum = (0..3).fold(DVec3::ZERO, |sum, j| {
        sum + DVec3::from_array(const { spanned::<K>() }[picks[j] as usize]) * f64::from(factors[j])
    });
    let residual = (vector - sum).abs().element_sum() + 8.0 * f64::EPSILON * size.element_sum();
    (picks, factors, residual)
}

/// Where a direction stands in a table of all that have coordinates 0 and ±1.
#[inline]
const fn place_of([x, y, z]: [i32; 3]) -> usize {
    (9 * (x + 1) + 3 * (y + 1) + z + 1) as usize
}

/// The number of each direction that a K-DOP has.
#[inline]
const fn places<const K: usize>() -> [u32; 27] {
    let mut places = [u32::MAX; 27];
    let all = directions::<K>();
    let mut i = 0;
    while i < K {
        let [x, y, z] = all[i];
        places[place_of([x as i32, y as i32, z as i32])] = i as u32;
        i += 1;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The factors are not negative, and their combination is the vector, for vectors all around, axes and ties included.
    fn check<const K: usize>() {
        for i in 0..13_i32.pow(3) {
            let vector =
                DVec3::new(f64::from(i % 13 - 6), f64::from(i / 13 % 13 - 6), f64::from(i / 169 - 6)) * 0.3;
            let (picks, factors, residual) = combination::<K>(vector);
            assert!(factors.iter().all(|&factor| factor >= 0.0), "{K}: {vector} {factors:?}");
            assert!(residual <= 1e-6, "{K}: {vector} {picks:?} {factors:?}: {residual}");
            let sum = (0..3).fold(DVec3::ZERO, |sum, j| {
                sum + DVec3::from_array(spanned::<K>()[picks[j] as usize]) * f64::from(factors[j])
            });
            assert!((sum - vector).abs().element_sum() <= residual, "{K}: {vector}");
        }
    }

    #[test]
    fn every_vector_has_a_cone() {
        check::<6>();
        check::<8>();
        check::<14>();
        check::<18>();
        check::<26>();
    }
}
