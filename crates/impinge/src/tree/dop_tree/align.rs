//! Dynamic alignment (paper 002 §4.1): the DOPs of one tree, enclosed in DOPs with the directions of the other.
//!
//! Seen from the first tree, direction `B_i` of it is a combination of three directions of the second with coefficients
//! λ ≥ 0, and so `B_i · x ≤ Σ λ_j d_j` for every x in a DOP with offsets d, whatever the DOP. The coefficients depend on
//! the placement alone and are computed once per query. `docs/math/dop-alignment.md` derives the room that is added for
//! what rounding leaves over.

use super::DopTree;
use crate::bounds::directions;
use crate::math::{DAffine3, DMat3, DVec3};
use crate::simd::{Eight, Lanes};

/// How offsets of one tree become offsets along the directions of another.
#[derive(Clone, Copy, Debug)]
pub struct Alignment<const K: usize> {
    factors: [[f32; 3]; K],
    picks: [[u32; 3]; K],
    shifts: [f32; K],
}

/// What seven roundings to `f32` can cost, relative to the largest term.
const ROUNDING: f64 = 1.0 / (1 << 21) as f64;

/// Beyond this a direction is given up: it separates nothing, and nothing overflows.
const TOO_LARGE: f64 = 1e30;

impl<const K: usize> Alignment<K> {
    /// The alignment that separates nothing.
    pub const NONE: Alignment<K> =
        Alignment { factors: [[0.0; 3]; K], picks: [[0; 3]; K], shifts: [TOO_LARGE as f32; K] };

    /// From the tree `from` into the directions of the tree `to`, where `map` takes points of the one's model to the
    /// other's, up to an `error` in each coordinate.
    pub fn new(to: &DopTree<K>, from: &DopTree<K>, map: &DAffine3, error: f64) -> Alignment<K> {
        let ratio = to.scale / from.scale;
        let linear = map.matrix3 * ratio;
        let turned_origin = map.matrix3 * from.origin;
        let shift = ((turned_origin + map.translation) - to.origin) * to.scale;
        let shift_size = (turned_origin.abs() + map.translation.abs() + to.origin.abs()) * to.scale;
        let rows = (linear.x_axis.abs() + linear.y_axis.abs() + linear.z_axis.abs()).max_element();
        let error = error * to.scale + 8.0 * f64::EPSILON * (shift_size.max_element() + rows);

        let mut alignment = Alignment::NONE;
        let seen_from = linear.transpose();
        for i in 0..K / 2 {
            let direction = DVec3::from_array(const { directions::<K>() }[i]);
            // The direction as seen from the other tree: direction · (linear · x) = (linearᵀ · direction) · x.
            let (picks, factors, residual) = combination::<K>(seen_from * direction);
            alignment.set(i, picks, factors, direction.dot(shift), residual + 3.0 * error);
        }
        alignment
    }

    /// Sets a direction and its opposite. `error` covers all but the `f32` arithmetic of [`apply`](Self::apply).
    #[inline(always)]
    fn set(&mut self, i: usize, picks: [u32; 3], factors: [f32; 3], shift: f64, error: f64) {
        let half = K / 2;
        // Offsets of a tree lie within [-3, 3], so that no term is larger than this; three products and three sums are
        // each off by 2^-24 of it at most, and so is the shift when it is rounded.
        let reach =
            3.0 * (f64::from(factors[0]) + f64::from(factors[1]) + f64::from(factors[2])) + shift.abs();
        let room = error + reach * ROUNDING + 1e-30;
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
    pub(super) fn apply_to_one(&self, offsets: &[f32; K]) -> [f32; K] {
        std::array::from_fn(|i| {
            let term = |j: usize| offsets[self.picks[i][j] as usize] * self.factors[i][j];
            self.shifts[i] + term(0) + term(1) + term(2)
        })
    }

    /// The aligned offsets of eight children. Plain loops: a closure would not be compiled for the wide lanes.
    #[inline(always)]
    pub(super) fn apply<L: Lanes>(&self, offsets: &[Eight; K]) -> [L; K] {
        let mut aligned = [L::splat(0.0); K];
        let mut i = 0;
        while i < K {
            let mut sum = L::splat(self.shifts[i]);
            let mut j = 0;
            while j < 3 {
                let pick = L::load(&offsets[self.picks[i][j] as usize]);
                sum = sum.add(pick.mul(L::splat(self.factors[i][j])));
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
fn combination<const K: usize>(vector: DVec3) -> ([u32; 3], [f32; 3], f64) {
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

/// The cone of three directions that contains the vector with the least sum of factors: by trying all of them.
fn cone<const K: usize>(vector: DVec3) -> ([u32; 3], [f32; 3], f64) {
    let all = const { directions::<K>() };
    let mut best: (f64, [u32; 3], [f64; 3]) = (f64::INFINITY, [0; 3], [0.0; 3]);
    for i in 0..K {
        for j in i + 1..K {
            for k in j + 1..K {
                let columns = [i, j, k].map(|index| DVec3::from_array(all[index]));
                let matrix = DMat3::from_cols(columns[0], columns[1], columns[2]);
                if matrix.determinant().abs() < 0.5 {
                    continue;
                }
                let factors = (matrix.inverse() * vector).to_array();
                let sum = factors[0] + factors[1] + factors[2];
                if factors.iter().all(|&factor| factor >= -1e-12 * vector.abs().element_sum()) && sum < best.0
                {
                    best = (sum, [i as u32, j as u32, k as u32], factors.map(|factor| factor.max(0.0)));
                }
            }
        }
    }
    let factors = best.2.map(|factor| factor as f32);
    let sum = (0..3)
        .fold(DVec3::ZERO, |sum, j| sum + DVec3::from_array(all[best.1[j] as usize]) * f64::from(factors[j]));
    let residual = (vector - sum).abs().element_sum() + 8.0 * f64::EPSILON * vector.abs().element_sum();
    (best.1, factors, residual)
}
