//! Zachmann 1998, §5: two equal objects that fit in a cube of edge 2, at growing distances, one of them turning about z.
//!
//! At each distance one object makes a full turn in many small steps, with a query at each step. Distances run from 0,
//! where the centers of the boxes coincide, to just above the one at which nothing can meet any more. The mean over all
//! distances and rotations is the measure.
//!
//! Counts and answers are the same in every run. For the times the rotations are shared out to rounds in which the
//! numbers of directions, and other libraries where there are any, take turns, and the median of the rounds counts: a
//! disturbance hits all of them alike, and seldom the median.

mod considered;
mod construction;
mod contender;
mod contest;
mod costs;
mod experiment;
mod files;
mod figure;
mod octahedra;
mod paper_tables;
mod comparisons;
mod room;
mod summary;
mod text;

#[cfg(test)]
mod tests;

pub use comparisons::comparisons;
pub use considered::considered;
pub use construction::{Construction, PAPER_DEPTHS, PaperDepths};
pub use contender::{Contender, TreeKind, Way};
pub use costs::Costs;
pub use experiment::{Experiment, Object, ObjectReport, PeerRow, Report, Row};
pub use figure::alignment;
pub use files::files;
pub use octahedra::{Contrast, contrasts, explanation};
pub use room::Room;
pub use summary::{Exponents, PeerExponents, Summary, exponents, peer_exponents, power};
pub(crate) use text::table;
pub use text::tables;

use impinge::math::DVec3;
use impinge::{Mesh, Model, Placement, Trs};
use serde::Serialize;

/// How many distances and rotations are tried, and how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Protocol {
    /// Distances, the first 0 and the last out of reach.
    pub distances: usize,
    /// Steps of a full turn about z.
    pub rotations: usize,
    /// Rounds that the rotations are shared out to, evenly around the turn. The median of the rounds' times counts.
    pub rounds: usize,
}

/// What happened at one distance, over all rotations.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Measurement {
    /// Between the centers of the boxes.
    pub distance: f64,
    /// Nanoseconds per query, of the processor where the system tells.
    pub mean_ns: f64,
    /// Rotations at which the surfaces meet.
    pub hits: u64,
    /// Rotations at which the answer is not that of the first number of directions.
    pub disagreements: u64,
    /// Pairs of bounding volumes that were compared, per query.
    pub box_tests: f64,
    /// Pairs of tree nodes that were visited, per query.
    pub visits: f64,
    /// Pairs of triangles that were tested exactly, per query.
    pub face_tests: f64,
}

/// What a peer did at one distance, over all rotations.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PeerMeasurement {
    /// Between the centers of the boxes.
    pub distance: f64,
    /// Nanoseconds per query.
    pub mean_ns: f64,
    /// Rotations at which the peer says that the objects meet.
    pub hits: u64,
    /// Rotations at which that is not what our trees say.
    pub disagreements: u64,
}

impl Protocol {
    /// The paper's number of rotations.
    pub const PAPER: Protocol = Protocol { distances: 21, rotations: 2000, rounds: 5 };

    /// Enough for the counts to show what they show, within seconds.
    pub const QUICK: Protocol = Protocol { distances: 6, rotations: 24, rounds: 1 };

    /// The distances for a model, and at each the placements of the turning object.
    pub fn course(&self, model: &Model) -> Vec<(f64, Vec<Placement>)> {
        let reach = model.mesh().vertices().fold(0.0, |reach: f64, p| reach.max(p.x.hypot(p.y)));
        let beyond = 1.02 * (model.bounds().max.x + reach);
        let last = self.distances.max(2) - 1;
        let at = |step: usize| {
            let distance = beyond * step as f64 / last as f64;
            let turned = |rotation: usize| {
                let degrees = 360.0 * rotation as f64 / self.rotations as f64;
                let turn = Trs::rotation_about_axis([0.0, 0.0, 1.0], degrees)
                    .and_then(|turn| Trs::rigid([distance, 0.0, 0.0], turn.orientation()));
                Placement::from(turn.expect("numbers are finite"))
            };
            (distance, (0..self.rotations).map(turned).collect())
        };
        (0..=last).map(at).collect()
    }
}

/// Runs the protocol with a tree of K-DOPs, on a model that [`fitted`] made.
pub fn run<const K: usize>(model: &Model, protocol: &Protocol) -> Vec<Measurement> {
    run_all(model, protocol, &[Contender::fresh::<K>()]).swap_remove(0)
}

/// Runs the protocol with several contenders by turns.
pub fn run_all(model: &Model, protocol: &Protocol, all: &[Contender]) -> Vec<Vec<Measurement>> {
    let outcome = contest::contest(model, protocol, all, &[], &mut || ());
    outcome.contenders.into_iter().map(|measured| measured.measurements).collect()
}

/// The middle of some numbers; the lower one of two.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len().saturating_sub(1) / 2).copied().unwrap_or(f64::NAN)
}

/// The triangles of a mesh, moved and scaled so that their box fits a cube of edge 2 around the origin.
pub fn fitted(mesh: &Mesh) -> Mesh {
    moved(mesh, |point| point)
}

/// The same for an object that is tilted first, so that faces along the coordinate planes leave them.
pub fn tilted(mesh: &Mesh) -> Mesh {
    let tilt = Trs::rotation_about_axis([1.0, 2.0, 3.0], 40.0).expect("the axis has a length");
    let matrix = tilt.rotation_matrix();
    moved(mesh, |point| matrix * point)
}

fn moved(mesh: &Mesh, place: impl Fn(DVec3) -> DVec3) -> Mesh {
    let points: Vec<DVec3> = mesh.vertices().map(place).collect();
    let triangles: Vec<[u32; 3]> = (0..mesh.face_count() as u32).flat_map(|face| mesh.fan(face)).collect();
    let used = triangles.iter().flatten().map(|&vertex| points[vertex as usize]);
    let bounds = impinge::bounds::Aabb::around(used);
    let (center, size) = (bounds.center(), bounds.size().max_element());
    let scale = if size > 0.0 { 2.0 / size } else { 1.0 };
    Mesh::triangles(points.into_iter().map(|point| ((point - center) * scale).to_array()), triangles)
        .expect("a valid mesh stays valid")
}
