//! Dynamic alignment (Zachmann 1998, §4.1): the DOPs of one tree, enclosed in DOPs with the directions of the other.
//!
//! Seen from the first tree, direction `B_i` of it is a combination of three directions of the second with coefficients
//! λ ≥ 0, and so `B_i · x ≤ Σ λ_j d_j` for every x in a DOP with offsets d, whatever the DOP. The coefficients depend on
//! the placement alone and are computed once per query. With more than six directions there are several such triples, and
//! which of them bounds a DOP best depends on the DOP: the least bound counts. `docs/math/dop-alignment.md` derives the
//! triples, and the padding that is added for what rounding leaves over.

use super::DopTree;
use super::cones::{Cone, combination, cone_count, for_each_cone};
use super::steps::{STEPS, spanned};
use crate::math::{DAffine3, DVec3};
use crate::simd::{I16x4, Lanes};

/// The map from offsets of one tree to offsets along the directions of another.
#[derive(Clone, Debug)]
pub struct Alignment<const K: usize> {
    cones: [Cone; K],
    /// Direction by direction the further cones, one less than [`cone_count`]; none for boxes.
    others: Vec<Cone>,
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
        Alignment { cones: [Cone::ZERO; K], others: Vec::new(), shifts: [TOO_LARGE as f32; K], step: 1.0 };

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
        if K > 6 {
            alignment.others = vec![Cone::ZERO; K * (cone_count::<K>() - 1)];
        }
        for i in 0..K / 2 {
            let direction = DVec3::from_array(const { spanned::<K>() }[i]);
            // The direction as seen from the other tree: direction · (linear · x) = (linearᵀ · direction) · x.
            let vector = seen_from * direction;
            if K == 6 {
                let (cone, residual) = combination::<K>(vector);
                alignment.set(i, &[cone], direction.dot(shift), residual * STEPS + error);
            } else {
                let (mut cones, mut count, mut residuals) = ([Cone::ZERO; 5], 0, 0.0);
                for_each_cone::<K>(vector, |cone, residual| {
                    if count == 0 {
                        // Places that are left over repeat the first.
                        cones = [cone; 5];
                    }
                    cones[count] = cone;
                    count += 1;
                    // The sum is no less than the largest, and it is no number if one of them is none.
                    residuals += residual;
                });
                let cones = &cones[..cone_count::<K>()];
                alignment.set(i, cones, direction.dot(shift), residuals * STEPS + error);
            }
        }
        alignment
    }

    /// Sets a direction and its opposite. `error` covers all but the `f32` arithmetic of the aligned offsets, whichever cone counts.
    #[inline(always)]
    fn set(&mut self, i: usize, cones: &[Cone], shift: f64, error: f64) {
        let half = K / 2;
        let sum = |cone: &Cone| {
            f64::from(cone.factors[0]) + f64::from(cone.factors[1]) + f64::from(cone.factors[2])
        };
        let mut most = sum(&cones[0]);
        for cone in &cones[1..] {
            most = most.max(sum(cone));
        }
        // Offsets of a tree are at most this many steps, so that no term is larger than the sum; each of the products
        // and sums is off by 2^-24 of it at most, and so is the shift when it is rounded.
        let reach = STEPS * most + shift.abs() + 1.0;
        let room = error + reach * ROUNDING;
        if reach + room >= TOO_LARGE || !room.is_finite() {
            return;
        }
        let opposite = |cone: &Cone| Cone {
            picks: cone.picks.map(|pick| ((pick as usize + half) % K) as u32),
            factors: cone.factors,
        };
        self.cones[i] = cones[0];
        self.cones[i + half] = opposite(&cones[0]);
        let more = cones.len() - 1;
        for (n, cone) in cones[1..].iter().enumerate() {
            self.others[i * more + n] = *cone;
            self.others[(i + half) * more + n] = opposite(cone);
        }
        self.shifts[i] = (shift + room) as f32;
        self.shifts[i + half] = (room - shift) as f32;
    }

    /// The aligned offsets of one bound.
    #[inline]
    pub(super) fn apply_to_one(&self, offsets: &[i16; K]) -> [f32; K] {
        std::array::from_fn(|i| {
            let bound = |cone: &Cone| {
                let term = |j: usize| f32::from(offsets[cone.picks[j] as usize]) * cone.factors[j];
                self.shifts[i] + term(0) + term(1) + term(2)
            };
            let first = bound(&self.cones[i]);
            if K == 6 {
                return first;
            }
            let more = cone_count::<K>() - 1;
            self.others[i * more..(i + 1) * more].iter().map(bound).fold(first, f32::min)
        })
    }
}

/// The alignments of two trees with each other, side by side in the lanes of one register: B's children for A in the
/// lower four, A's children for B in the upper.
#[derive(Clone, Debug)]
pub struct PairAlignment<const K: usize> {
    /// For boxes: the factor of each axis along each direction, signed and halved.
    factors: [[[f32; 8]; 3]; 3],
    shifts: [[f32; 8]; K],
    /// For other DOPs: direction by direction the picks of both, and their factors.
    terms: Vec<[Term; 3]>,
    /// For other DOPs: direction by direction the terms of the further cones.
    others: Vec<[Term; 3]>,
    /// About how large a step of B's tree is in those of A's.
    pub(super) step: f32,
}

#[derive(Clone, Copy, Debug)]
struct Term {
    factors: [f32; 8],
    pick_of_b: u32,
    pick_of_a: u32,
}

/// A number for the lower four lanes and one for the upper.
#[inline(always)]
fn split(low: f32, high: f32) -> [f32; 8] {
    [low, low, low, low, high, high, high, high]
}

impl<const K: usize> PairAlignment<K> {
    /// The alignment that separates nothing.
    const NONE: PairAlignment<K> = PairAlignment {
        factors: [[[0.0; 8]; 3]; 3],
        shifts: [[TOO_LARGE as f32; 8]; K],
        terms: Vec::new(),
        others: Vec::new(),
        step: 1.0,
    };

    /// The alignment of B with A's directions, and of A with B's.
    #[inline]
    pub fn new(a_from_b: &Alignment<K>, b_from_a: &Alignment<K>) -> PairAlignment<K> {
        let mut pair = PairAlignment { step: a_from_b.step, ..PairAlignment::NONE };
        // Half a step less, so that rounding to the nearest whole number is rounding down.
        for i in 0..K {
            pair.shifts[i] = split(a_from_b.shifts[i] - 0.5, b_from_a.shifts[i] - 0.5);
        }
        if K == 6 {
            // A box is aligned by its middle and half sides: the middle takes the factor with its sign, and both take half of
            // it, because what is stored are sides.
            let signed =
                |cone: &Cone, j: usize| 0.5 * cone.factors[j] * if cone.picks[j] >= 3 { -1.0 } else { 1.0 };
            for i in 0..3 {
                for j in 0..3 {
                    let (of_b, of_a) = (&a_from_b.cones[i], &b_from_a.cones[i]);
                    pair.factors[i][j] = split(signed(of_b, j), signed(of_a, j));
                }
            }
            return pair;
        }
        let both = |(of_b, of_a): (&Cone, &Cone)| {
            [0, 1, 2].map(|j| Term {
                factors: split(of_b.factors[j], of_a.factors[j]),
                pick_of_b: of_b.picks[j],
                pick_of_a: of_a.picks[j],
            })
        };
        pair.terms = a_from_b.cones.iter().zip(&b_from_a.cones).map(both).collect();
        pair.others = a_from_b.others.iter().zip(&b_from_a.others).map(both).collect();
        pair
    }

    /// The alignment of two trees by the maps between their models, each with the error of a coordinate: from B's model to A's, and from A's
    /// to B's.
    #[inline]
    pub fn between(
        [a, b]: [&DopTree<K>; 2],
        [a_from_b, b_from_a]: [&DAffine3; 2],
        [error_in_a, error_in_b]: [f64; 2],
    ) -> PairAlignment<K> {
        if K != 6 {
            let a_from_b = Alignment::new(a, b, a_from_b, error_in_a);
            return PairAlignment::new(&a_from_b, &Alignment::new(b, a, b_from_a, error_in_b));
        }
        // One side after the other into one place: a short query takes no longer than copies of arrays do.
        let mut pair = PairAlignment::NONE;
        pair.set_side::<0>(a, b, a_from_b, error_in_a);
        pair.set_side::<4>(b, a, b_from_a, error_in_b);
        pair
    }

    /// Sets four lanes for boxes: what [`Alignment::new`] computes, with a factor of each axis instead of the picks of a cone.
    #[inline(always)]
    fn set_side<const LANE: usize>(
        &mut self,
        to: &DopTree<K>,
        from: &DopTree<K>,
        map: &DAffine3,
        error: f64,
    ) {
        let linear = map.matrix3 * (to.scale / from.scale);
        let turned_origin = map.matrix3 * from.origin;
        let shift = ((turned_origin + map.translation) - to.origin) * to.scale;
        let shift_size = (turned_origin.abs() + map.translation.abs() + to.origin.abs()) * to.scale;
        let sizes = linear.x_axis.abs() + linear.y_axis.abs() + linear.z_axis.abs();
        let error =
            error * to.scale + 8.0 * f64::EPSILON * (shift_size.max_element() + sizes.max_element() * STEPS);
        if LANE == 0 {
            let squares = linear.x_axis.length_squared()
                + linear.y_axis.length_squared()
                + linear.z_axis.length_squared();
            self.step = (squares * (1.0 / 3.0)).sqrt() as f32;
        }
        let rows = linear.transpose();
        let rows = [rows.x_axis, rows.y_axis, rows.z_axis];
        for i in 0..3 {
            let factors = rows[i].to_array().map(|factor| factor as f32);
            let most =
                f64::from(factors[0].abs()) + f64::from(factors[1].abs()) + f64::from(factors[2].abs());
            // Each factor is off by half a unit in its last place. The rest is as in `Alignment::set`.
            let residual = rows[i].abs().element_sum() * const { 1.0 / (1_u32 << 24) as f64 };
            let reach = STEPS * most + shift[i].abs() + 1.0;
            let room = residual * STEPS + error + reach * ROUNDING;
            if reach + room >= TOO_LARGE || !room.is_finite() {
                continue;
            }
            let lanes = LANE..LANE + 4;
            self.factors[i][0][lanes.clone()].copy_from_slice(&[0.5 * factors[0]; 4]);
            self.factors[i][1][lanes.clone()].copy_from_slice(&[0.5 * factors[1]; 4]);
            self.factors[i][2][lanes.clone()].copy_from_slice(&[0.5 * factors[2]; 4]);
            self.shifts[i][lanes.clone()].copy_from_slice(&[(shift[i] + room) as f32 - 0.5; 4]);
            self.shifts[i + 3][lanes].copy_from_slice(&[(room - shift[i]) as f32 - 0.5; 4]);
        }
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
            let (mut middles, mut halves) = ([sides[0][0]; 3], [sides[0][0]; 3]);
            let mut j = 0;
            while j < 3 {
                middles[j] = L::sub(sides[j][0], sides[j][1]);
                halves[j] = L::add(sides[j][0], sides[j][1]);
                j += 1;
            }
            while i < 3 {
                // Twice the middle and twice the half side, the factors being halved.
                let factor = L::load(&self.factors[i][0]);
                let mut middle = L::mul(middles[0], factor);
                let mut half = L::mul(halves[0], L::abs(factor));
                let mut j = 1;
                while j < 3 {
                    let factor = L::load(&self.factors[i][j]);
                    middle = L::add(middle, L::mul(middles[j], factor));
                    half = L::add(half, L::mul(halves[j], L::abs(factor)));
                    j += 1;
                }
                let upper = L::add(L::load(&self.shifts[i]), L::add(half, middle));
                let lower = L::add(L::load(&self.shifts[i + 3]), L::sub(half, middle));
                aligned[i] = upper;
                aligned[i + 3] = lower;
                i += 1;
            }
            return aligned;
        }
        let more = cone_count::<K>() - 1;
        while i < K {
            let shift = L::load(&self.shifts[i]);
            let mut least = sum::<L, K>(shift, &self.terms[i], of_a, of_b);
            let mut n = 0;
            while n < more {
                least = L::f32x8_min(least, sum::<L, K>(shift, &self.others[i * more + n], of_a, of_b));
                n += 1;
            }
            aligned[i] = least;
            i += 1;
        }
        aligned
    }
}

/// The aligned offset along one direction that one cone of each side gives.
#[inline(always)]
fn sum<L: Lanes, const K: usize>(
    shift: L::F32x8,
    terms: &[Term; 3],
    of_a: &[I16x4; K],
    of_b: &[I16x4; K],
) -> L::F32x8 {
    let mut sum = shift;
    let mut j = 0;
    while j < 3 {
        let term = &terms[j];
        let picked = L::both(&of_b[term.pick_of_b as usize], &of_a[term.pick_of_a as usize]);
        sum = L::add(sum, L::mul(picked, L::load(&term.factors)));
        j += 1;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::Aabb;
    use crate::math::{DMat3, DQuat};

    fn tree(center: DVec3, size: DVec3) -> DopTree<6> {
        let corners = [[center - size, center + size, center + size * DVec3::new(1.0, -1.0, 0.5)]];
        DopTree::build(1, Aabb::around(corners[0]), corners.as_slice())
    }

    /// The alignment of boxes by maps is that by cones, bit by bit: turned, stretched, mirrored, far and given up.
    #[test]
    fn boxes_are_aligned_alike_by_maps_and_by_cones() {
        let trees = [
            tree(DVec3::new(0.1, -0.2, 0.3), DVec3::new(1.0, 0.4, 0.7)),
            tree(DVec3::new(50.0, 3.0, -7.0), DVec3::splat(3e-3)),
        ];
        for case in 0..60 {
            let turn = DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 0.37 * f64::from(case));
            let stretch = match case % 4 {
                0 | 1 => DVec3::ONE,
                2 => DVec3::new(0.5, -2.0, 3e-4),
                _ => DVec3::new(1.0, 1e40, 1.0),
            };
            let matrix3 = DMat3::from_quat(turn) * DMat3::from_diagonal(stretch);
            let there = DAffine3 { matrix3, translation: DVec3::new(0.4, f64::from(case), -0.1) };
            let maps = [&there, &there.inverse()];
            let errors = [1e-12, 1e-9];
            let [a, b] = [&trees[0], &trees[1]];
            let by_maps = PairAlignment::between([a, b], maps, errors);
            let by_cones = PairAlignment::new(
                &Alignment::new(a, b, maps[0], errors[0]),
                &Alignment::new(b, a, maps[1], errors[1]),
            );
            assert_eq!(by_maps.factors, by_cones.factors, "{case}");
            assert_eq!((by_maps.shifts, by_maps.step), (by_cones.shifts, by_cones.step), "{case}");
        }
    }
}
