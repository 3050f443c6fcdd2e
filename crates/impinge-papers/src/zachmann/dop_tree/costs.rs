//! Where the time of a query goes: what a visit of two nodes and a test of two triangles cost.
//!
//! Walks cannot be timed without their triangle tests, nor single steps at all, so the costs are estimated: least squares
//! over single queries at all distances, whose mixtures of visits and tests differ by orders of magnitude.

use serde::Serialize;

/// A single query.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub(super) nanoseconds: f64,
    pub(super) visits: f64,
    pub(super) face_tests: f64,
}

/// Estimated costs, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Costs {
    /// Of a query before its walk: relating the two placements, aligning the directions.
    pub start_ns: f64,
    /// Of a visit of a pair of nodes: aligning up to eight bounds and comparing up to sixteen pairs of them, and handling
    /// what is left over.
    pub visit_ns: f64,
    /// Of a pair of triangles, fetching and placing them included.
    pub face_ns: f64,
    /// How far queries are off what these costs say, relative to their time, as root of the mean square.
    pub error: f64,
}

impl Costs {
    /// The costs that explain the times best. None is negative: what would be, does not take part.
    ///
    /// Queries that take more than twice or less than half of what the costs say were disturbed, or met what the others
    /// did not; they are left out of a second fit.
    pub(super) fn fit(samples: &[Sample]) -> Costs {
        let first = Costs::fit_all(samples);
        let expected = |s: &Sample| first.start_ns + first.visit_ns * s.visits + first.face_ns * s.face_tests;
        let usual = |s: &&Sample| (0.5..=2.0).contains(&(s.nanoseconds / expected(s)));
        Costs::fit_all(&samples.iter().filter(usual).copied().collect::<Vec<_>>())
    }

    fn fit_all(samples: &[Sample]) -> Costs {
        // Relative errors count: a disturbance costs a share of the time.
        let rows: Vec<[f64; 3]> = samples
            .iter()
            .filter(|s| s.nanoseconds > 0.0)
            .map(|s| [1.0, s.visits, s.face_tests].map(|value| value / s.nanoseconds))
            .collect();
        let error = |costs: &[f64; 3]| {
            let off = |row: &[f64; 3]| 1.0 - (0..3).map(|k| row[k] * costs[k]).sum::<f64>();
            (rows.iter().map(|row| off(row).powi(2)).sum::<f64>() / rows.len().max(1) as f64).sqrt()
        };
        let candidates = (1..8_u32).filter_map(|parts| {
            let taking_part: Vec<usize> = (0..3).filter(|k| parts >> k & 1 == 1).collect();
            solved(&rows, &taking_part)
        });
        let best = candidates
            .filter(|costs| costs.iter().all(|cost| *cost >= 0.0))
            .min_by(|a, b| error(a).total_cmp(&error(b)))
            .unwrap_or([0.0; 3]);
        let [start_ns, visit_ns, face_ns] = best;
        Costs { start_ns, visit_ns, face_ns, error: error(&best) }
    }
}

/// Least squares for the right side 1 over some of the columns, by Gauss on the normal equations.
fn solved(rows: &[[f64; 3]], columns: &[usize]) -> Option<[f64; 3]> {
    let count = columns.len();
    // Columns of equal length keep the equations well-conditioned.
    let length = |k: usize| rows.iter().map(|row| row[k] * row[k]).sum::<f64>().sqrt();
    let lengths: Vec<f64> = columns.iter().map(|&k| length(k)).collect();
    if lengths.contains(&0.0) {
        return None;
    }
    let entry = |row: &[f64; 3], i: usize| row[columns[i]] / lengths[i];
    let mut equations = vec![vec![0.0; count + 1]; count];
    for (i, equation) in equations.iter_mut().enumerate() {
        for (j, value) in equation.iter_mut().enumerate() {
            let other = |row: &[f64; 3]| if j < count { entry(row, j) } else { 1.0 };
            *value = rows.iter().map(|row| entry(row, i) * other(row)).sum();
        }
    }
    for pivot in 0..count {
        let at = equations[pivot].clone();
        // What is left of a column of length 1 that the others explain.
        if at[pivot] < 1e-10 {
            return None;
        }
        for (_, equation) in equations.iter_mut().enumerate().filter(|(i, _)| *i != pivot) {
            let factor = equation[pivot] / at[pivot];
            equation.iter_mut().zip(&at).for_each(|(value, by)| *value -= factor * by);
        }
    }
    let mut costs = [0.0; 3];
    for (i, &column) in columns.iter().enumerate() {
        costs[column] = equations[i][count] / equations[i][i] / lengths[i];
    }
    Some(costs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(costs: [f64; 3]) -> Vec<Sample> {
        (0..20_u32)
            .map(|i| {
                let (visits, face_tests) = (f64::from(1 + i * i % 37), f64::from(i * 7 % 23 * 10));
                let nanoseconds = costs[0] + costs[1] * visits + costs[2] * face_tests;
                Sample { nanoseconds, visits, face_tests }
            })
            .collect()
    }

    #[test]
    fn known_costs_are_found() {
        for known in [[300.0, 45.0, 12.0], [300.0, 45.0, 0.0], [0.0, 0.0, 7.0], [90.0, 1.0, 100.0]] {
            let found = Costs::fit(&samples(known));
            for (found, known) in [found.start_ns, found.visit_ns, found.face_ns].into_iter().zip(known) {
                assert!((found - known).abs() < 1e-6 * (1.0 + known), "{found} {known}");
            }
            assert!(found.error < 1e-9);
        }
    }

    #[test]
    fn a_disturbed_query_does_not_count() {
        let mut disturbed = samples([300.0, 45.0, 12.0]);
        disturbed[7].nanoseconds *= 30.0;
        let found = Costs::fit(&disturbed);
        assert!((found.visit_ns - 45.0).abs() < 1e-6 && found.error < 1e-9, "{found:?}");
    }

    #[test]
    fn no_cost_is_negative() {
        let off: Vec<Sample> = samples([300.0, 45.0, 0.0])
            .into_iter()
            .map(|s| Sample { nanoseconds: s.nanoseconds - 0.9 * s.face_tests, ..s })
            .collect();
        let costs = Costs::fit(&off);
        assert!(costs.face_ns == 0.0 && costs.visit_ns > 0.0 && costs.error > 0.0, "{costs:?}");
        let nothing = Costs::fit(&[]);
        assert_eq!([nothing.start_ns, nothing.visit_ns, nothing.face_ns], [0.0; 3]);
    }
}
