//! Means over all distances, and how they grow with the number of triangles.

use serde::Serialize;

use super::{Measurement, ObjectReport, PeerRow, Report, Row};

/// The measurements of all distances in one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Nanoseconds per query, over all distances and rotations: the paper's measure.
    pub mean_ns: f64,
    /// Nanoseconds per query at the distance with the slowest queries.
    pub worst_ns: f64,
    /// Queries in which the surfaces meet.
    pub hits: u64,
    /// Queries whose answer is not that of the first number of directions.
    pub disagreements: u64,
    /// Pairs of tree nodes that were visited, per query.
    pub visits: f64,
    /// Pairs of bounding volumes that were compared, per query.
    pub box_tests: f64,
    /// Pairs of triangles that were tested exactly, per query.
    pub face_tests: f64,
}

impl Summary {
    /// Of all distances.
    pub fn of(measurements: &[Measurement]) -> Summary {
        let mean = |value: fn(&Measurement) -> f64| {
            measurements.iter().map(value).sum::<f64>() / measurements.len().max(1) as f64
        };
        Summary {
            mean_ns: mean(|m| m.mean_ns),
            worst_ns: measurements.iter().map(|m| m.mean_ns).fold(0.0, f64::max),
            hits: measurements.iter().map(|m| m.hits).sum(),
            disagreements: measurements.iter().map(|m| m.disagreements).sum(),
            visits: mean(|m| m.visits),
            box_tests: mean(|m| m.box_tests),
            face_tests: mean(|m| m.face_tests),
        }
    }
}

impl Row {
    /// All distances in one.
    pub fn summary(&self) -> Summary {
        Summary::of(&self.measurements)
    }
}

impl PeerRow {
    /// Nanoseconds per query, over all distances and rotations.
    pub fn mean_ns(&self) -> f64 {
        self.measurements.iter().map(|m| m.mean_ns).sum::<f64>() / self.measurements.len().max(1) as f64
    }

    /// Nanoseconds per query at the distance with the slowest queries.
    pub fn worst_ns(&self) -> f64 {
        self.measurements.iter().map(|m| m.mean_ns).fold(0.0, f64::max)
    }

    /// Queries in which the peer says that the objects meet.
    pub fn hits(&self) -> u64 {
        self.measurements.iter().map(|m| m.hits).sum()
    }

    /// Queries in which it says otherwise than our trees.
    pub fn disagreements(&self) -> u64 {
        self.measurements.iter().map(|m| m.disagreements).sum()
    }
}

/// How times and counts of tori grow with the number of triangles n: like nᵖ.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Exponents {
    /// The kind of tree, as [`Row::key`] has it.
    pub key: String,
    /// The number of directions; 0 for oriented boxes.
    pub k: usize,
    /// Of the time of a query.
    pub time: f64,
    /// The same between the two tori of the paper's table 4; not a number where they were not measured.
    pub time_paper_range: f64,
    /// Of the bounding volumes that are compared.
    pub box_tests: f64,
    /// Of the time to build.
    pub build: f64,
}

/// The exponents for every kind of tree.
pub fn exponents(report: &Report) -> Vec<Exponents> {
    let rows = report.growth.first().map_or(0, |object| object.rows.len());
    let fit = |index: usize, value: &dyn Fn(&Row) -> f64| {
        let point = |object: &ObjectReport| [object.triangles as f64, value(&object.rows[index])];
        power(&report.growth.iter().map(point).collect::<Vec<_>>())
    };
    (0..rows)
        .map(|index| Exponents {
            key: report.growth[0].rows[index].key(),
            k: report.growth[0].rows[index].k,
            time: fit(index, &|row| row.summary().mean_ns),
            time_paper_range: between_paper_tori(&report.growth, |object| {
                object.rows[index].summary().mean_ns
            }),
            box_tests: fit(index, &|row| row.summary().box_tests),
            build: fit(index, &|row| row.build_ms),
        })
        .collect()
}

/// How times of a peer grow with the triangles of tori.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PeerExponents {
    /// The peer.
    pub name: String,
    /// Of the time of a query.
    pub time: f64,
    /// The same between the two tori of the paper's table 4.
    pub time_paper_range: f64,
    /// Of the time to build.
    pub build: f64,
}

/// The exponents for every peer.
pub fn peer_exponents(report: &Report) -> Vec<PeerExponents> {
    let peers = report.growth.first().map_or(&[][..], |object| &object.peers);
    let of = |peer: &PeerRow| {
        // A peer need not have been able to prepare every torus.
        let points = |value: fn(&PeerRow) -> f64, triangles: fn(usize) -> bool| {
            let point = |object: &ObjectReport| {
                let row = object.peers.iter().find(|row| row.name == peer.name)?;
                triangles(object.triangles).then(|| [object.triangles as f64, value(row)])
            };
            report.growth.iter().filter_map(point).collect::<Vec<_>>()
        };
        PeerExponents {
            name: peer.name.clone(),
            time: power(&points(PeerRow::mean_ns, |_| true)),
            time_paper_range: power(&points(PeerRow::mean_ns, |count| PAPER_TORI.contains(&count))),
            build: power(&points(|row| row.build_ms, |_| true)),
        }
    };
    peers.iter().map(of).collect()
}

/// The tori of the paper's table 4, whose times give an exponent of 0.29.
pub(super) const PAPER_TORI: [usize; 2] = [12544, 73984];

fn between_paper_tori(growth: &[ObjectReport], value: impl Fn(&ObjectReport) -> f64) -> f64 {
    let of_paper = growth.iter().filter(|object| PAPER_TORI.contains(&object.triangles));
    power(&of_paper.map(|object| [object.triangles as f64, value(object)]).collect::<Vec<_>>())
}

/// The exponent p of y ∝ xᵖ by least squares of the logarithms; not a number for fewer than two different x.
pub fn power(points: &[[f64; 2]]) -> f64 {
    let count = points.len() as f64;
    let logs: Vec<[f64; 2]> = points.iter().map(|p| p.map(f64::ln)).collect();
    let mean = [0, 1].map(|side: usize| logs.iter().map(|p| p[side]).sum::<f64>() / count);
    let sums = logs.iter().fold([0.0, 0.0], |sums, p| {
        let (dx, dy) = (p[0] - mean[0], p[1] - mean[1]);
        [sums[0] + dx * dx, sums[1] + dx * dy]
    });
    sums[1] / sums[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_is_found() {
        let points: Vec<[f64; 2]> = [10.0, 100.0, 5000.0].map(|x: f64| [x, 3.0 * x.powf(0.4)]).to_vec();
        assert!((power(&points) - 0.4).abs() < 1e-12);
        assert!(power(&points[..1]).is_nan());
    }
}
