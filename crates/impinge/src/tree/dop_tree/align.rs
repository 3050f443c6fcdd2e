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
    picks: [[u8; 3]; K],
    shifts: [f32; K],
}

/// Beyond this a direction is given up: it separates nothing, and nothing overflows.
const TOO_LARGE: f64 = 1e30;

impl<const K: usize> Alignment<K> {
    /// From the tree `from` into the directions of the tree `to`, where `map` takes points of the one's model to the
    /// other's, up to an `error` in each coordinate.
    pub fn new(to: &DopTree<K>, from: &DopTree<K>, map: &DAffine3, error: DVec3) -> Alignment<K> {
        let ratio = to.scale / from.scale;
        let linear = map.matrix3 * ratio;
        let turned_origin = map.matrix3 * from.origin;
        let shift = ((turned_origin + map.translation) - to.origin) * to.scale;
        let shift_size = (turned_origin.abs() + map.translation.abs() + to.origin.abs()) * to.scale;
        let error = error * to.scale + 8.0 * f64::EPSILON * (shift_size + abs_rows(&linear));

        let half = K / 2;
        let mut alignment =
            Alignment { factors: [[0.0; 3]; K], picks: [[0; 3]; K], shifts: [TOO_LARGE as f32; K] };
        for i in 0..half {
            let direction = DVec3::from_array(const { directions::<K>() }[i]);
            // The direction as seen from the other tree: direction · (linear · x) = (linearᵀ · direction) · x.
            let seen = linear.transpose() * direction;
            let (picks, factors) = combination::<K>(seen);
            let rounded = factors.map(|factor| factor as f32);
            let sum = (0..3).fold(DVec3::ZERO, |sum, j| {
                sum + DVec3::from_array(const { directions::<K>() }[picks[j] as usize])
                    * f64::from(rounded[j])
            });
            let along = direction.dot(shift);
            // Coordinates of a tree lie within [-1, 1], offsets within [-3, 3].
            let residual = (seen - sum).abs().element_sum() + 8.0 * f64::EPSILON * seen.abs().element_sum();
            let reach = 3.0 * f64::from(rounded[0] + rounded[1] + rounded[2]) + along.abs();
            let room = residual + direction.abs().dot(error) + reach * (-21f64).exp2() + 1e-30;
            if !(reach + room < TOO_LARGE) {
                continue;
            }
            let opposite = |pick: u8| ((pick as usize + half) % K) as u8;
            alignment.factors[i] = rounded;
            alignment.factors[i + half] = rounded;
            alignment.picks[i] = picks;
            alignment.picks[i + half] = picks.map(opposite);
            // Rounding the shift itself is covered by the room.
            alignment.shifts[i] = (along + room) as f32;
            alignment.shifts[i + half] = (room - along) as f32;
        }
        alignment
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
                let pick = L::load(&offsets[self.picks[i][j] as usize % K]);
                sum = sum.add(pick.mul(L::splat(self.factors[i][j])));
                j += 1;
            }
            aligned[i] = sum;
            i += 1;
        }
        aligned
    }
}

fn abs_rows(matrix: &DMat3) -> DVec3 {
    matrix.x_axis.abs() + matrix.y_axis.abs() + matrix.z_axis.abs()
}

/// Three directions and factors ≥ 0 whose combination is the vector, up to rounding.
fn combination<const K: usize>(vector: DVec3) -> ([u8; 3], [f64; 3]) {
    let half = K / 2;
    if K == 6 {
        let pick = |i: usize| (if vector[i] >= 0.0 { i } else { i + half }) as u8;
        return ([pick(0), pick(1), pick(2)], vector.abs().to_array());
    }
    // The cone of three directions that contains the vector with the least sum of factors: by trying all of them.
    let all = const { directions::<K>() };
    let mut best: (f64, [u8; 3], [f64; 3]) = (f64::INFINITY, [0; 3], [0.0; 3]);
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
                    best = (sum, [i as u8, j as u8, k as u8], factors.map(|factor| factor.max(0.0)));
                }
            }
        }
    }
    (best.1, best.2)
}
