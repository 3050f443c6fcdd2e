//! The forces that hold joints, as Lagrange multipliers (van Waveren 2005, §6).
//!
//! With the joints' Jacobian J (a row an equation, six columns a body) and the bodies' masses M, impulses at the joints are Jᵀ λ, and
//! change all velocities by M⁻¹ Jᵀ λ. So the λ that give the joints' equations a wanted rate of change b solve
//!
//! ```text
//! J M⁻¹ Jᵀ λ = b - J v
//! ```
//!
//! The matrix is symmetric and positive definite; it is factored once for all that happens in one pose.

use impinge::math::DVec3;

use super::joint::Row;
use super::{Body, Joint};

/// How a body's velocity and spin change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    pub(super) body: usize,
    pub(super) velocity: DVec3,
    pub(super) spin: DVec3,
}

/// The joints of a world in one pose, ready to be solved for.
pub(super) struct Multipliers {
    rows: Vec<Row>,
    /// M⁻¹ Jᵀ: what an impulse of 1 of each row does to its two bodies.
    changes: Vec<[Change; 2]>,
    matrix: Ldl,
}

impl Multipliers {
    /// The system of all joints.
    pub(super) fn new(joints: &[Joint], bodies: &[Body<'_>]) -> Multipliers {
        let mut rows = Vec::new();
        joints.iter().for_each(|joint| joint.rows(bodies, &mut rows));
        let changes: Vec<[Change; 2]> = rows
            .iter()
            .map(|row| {
                let change = |side: usize, along: DVec3| {
                    bodies[row.bodies[side]].change(row.bodies[side], along, row.about[side])
                };
                [change(0, row.along), change(1, -row.along)]
            })
            .collect();
        let matrix = Ldl::new(rows.len(), |i, j| changes[j].iter().map(|change| rows[i].rate(change)).sum());
        Multipliers { rows, changes, matrix }
    }

    /// Gives the joints the impulses after which no equation changes.
    pub(super) fn hold(&self, bodies: &mut [Body<'_>]) {
        let rate = |row: &Row| -> f64 {
            let now = |number: usize| Change {
                body: number,
                velocity: bodies[number].velocity,
                spin: bodies[number].spin,
            };
            row.bodies.map(|number| row.rate(&now(number))).iter().sum()
        };
        let rates: Vec<f64> = self.rows.iter().map(rate).collect();
        self.change_rates(bodies, |row| -rates[row]);
    }

    /// Gives the joints the impulses that change the rate of every equation by so much.
    pub(super) fn change_rates(&self, bodies: &mut [Body<'_>], by: impl Fn(usize) -> f64) {
        let rates = (0..self.rows.len()).map(by).collect();
        self.spread(rates, |change| bodies[change.body].add(change));
    }

    /// What the joints do when two bodies are pushed so: all velocities change such that the joints hold as well as before.
    pub(super) fn answer(&self, pushes: &[Change; 2], changes: &mut Vec<Change>) {
        let rates: Vec<f64> =
            self.rows.iter().map(|row| -pushes.iter().map(|push| row.rate(push)).sum::<f64>()).collect();
        if rates.iter().any(|rate| *rate != 0.0) {
            self.spread(rates, |change| match changes.iter_mut().find(|sum| sum.body == change.body) {
                Some(sum) => {
                    (sum.velocity, sum.spin) = (sum.velocity + change.velocity, sum.spin + change.spin);
                }
                None => changes.push(*change),
            });
        }
    }

    /// Solves for the multipliers of these rates, and hands out what each does.
    fn spread(&self, mut rates: Vec<f64>, mut each: impl FnMut(&Change)) {
        self.matrix.solve(&mut rates);
        for (multiplier, changes) in rates.iter().zip(&self.changes) {
            for change in changes {
                each(&Change {
                    body: change.body,
                    velocity: change.velocity * *multiplier,
                    spin: change.spin * *multiplier,
                });
            }
        }
    }
}

impl Row {
    /// How much faster the equation changes by a change of one of its bodies; 0 for other bodies.
    fn rate(&self, change: &Change) -> f64 {
        let of = |side: usize, along: DVec3| {
            if self.bodies[side] != change.body {
                return 0.0;
            }
            along.dot(change.velocity) + self.about[side].dot(change.spin)
        };
        of(0, self.along) + of(1, -self.along)
    }
}

/// A symmetric positive definite matrix as L D Lᵀ: L has ones on its diagonal and nothing above, D is a diagonal.
struct Ldl {
    size: usize,
    /// By rows: L below the diagonal, 1/D on it.
    entries: Vec<f64>,
}

/// A pivot smaller than this share of its own entry is no equation but a repetition of others.
const REPEATED: f64 = 1e-12;

impl Ldl {
    fn new(size: usize, entry: impl Fn(usize, usize) -> f64) -> Ldl {
        let mut entries = vec![0.0; size * size];
        for i in 0..size {
            for j in 0..i {
                // Row i of L D, for now: A = (L D) Lᵀ gives one entry after the other.
                let known: f64 = (0..j).map(|k| entries[i * size + k] * entries[j * size + k]).sum();
                entries[i * size + j] = entry(i, j) - known;
            }
            // From L D to L. The pivot is A's entry minus the squares of L, weighed by D.
            let mut pivot = entry(i, i);
            for k in 0..i {
                let scaled = entries[i * size + k];
                let l = scaled * entries[k * size + k];
                pivot -= l * scaled;
                entries[i * size + k] = l;
            }
            let is_repeated = pivot <= REPEATED * entry(i, i);
            entries[i * size + i] = if is_repeated { 0.0 } else { 1.0 / pivot };
        }
        Ldl { size, entries }
    }

    /// Turns the right side into the solution.
    fn solve(&self, side: &mut [f64]) {
        let row = |i: usize| &self.entries[i * self.size..][..self.size];
        for i in 0..self.size {
            let below: f64 = row(i)[..i].iter().zip(&side[..i]).map(|(l, x)| l * x).sum();
            side[i] -= below;
        }
        for (i, x) in side.iter_mut().enumerate() {
            *x *= row(i)[i];
        }
        for i in (0..self.size).rev() {
            let x = side[i];
            for (known, l) in side[..i].iter_mut().zip(row(i)) {
                *known -= l * x;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factored_matrix_solves_its_equations() {
        // Entries of a positive definite matrix: 1/(i+j+1), and more on the diagonal.
        let entry = |i: usize, j: usize| 1.0 / (i + j + 1) as f64 + if i == j { 1.0 } else { 0.0 };
        let wanted: Vec<f64> = (0..9).map(|i| f64::from(i * i) - 7.0).collect();
        let mut side: Vec<f64> = (0..9).map(|i| (0..9).map(|j| entry(i, j) * wanted[j]).sum()).collect();
        Ldl::new(9, entry).solve(&mut side);
        for (found, wanted) in side.iter().zip(&wanted) {
            assert!((found - wanted).abs() < 1e-11, "{found} {wanted}");
        }
    }

    #[test]
    fn an_equation_that_is_there_twice_counts_once() {
        let matrix = Ldl::new(2, |_, _| 4.0);
        let mut side = [8.0, 8.0];
        matrix.solve(&mut side);
        assert_eq!(side, [2.0, 0.0]);
    }
}
