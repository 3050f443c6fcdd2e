//! Paper 002 §5: two equal objects that fit in a cube of edge 2, at growing distances, one of them turning about z.
//!
//! At each distance one object makes a full turn in many small steps, with a query at each step. Distances run from 0,
//! where the centres of the boxes coincide, to just above the one at which nothing can meet any more. The mean over all
//! distances and rotations is the measure.
//!
//! Counts and answers are the same in every run. For the times the rotations are shared out to rounds in which the
//! numbers of directions take turns, and the median of the rounds counts: a disturbance hits all of them alike, and
//! seldom the median.

mod experiment;
mod files;
mod octahedra;
mod room;
mod summary;
mod text;

#[cfg(test)]
mod tests;

pub use experiment::{Experiment, Object, ObjectReport, Report, Row};
pub use files::files;
pub use octahedra::{Contrast, contrasts, explanation};
pub use room::Room;
pub use summary::{Exponents, Summary, exponents, power};
pub use text::tables;

use std::time::Instant;

use impinge::math::DVec3;
use impinge::model::{TreeOf, Trees};
use impinge::query::{Ask, Engine, Scratch, intersects_counted};
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
    /// Between the centres of the boxes.
    pub distance: f64,
    /// Nanoseconds per query.
    pub mean_ns: f64,
    /// Rotations at which the surfaces meet.
    pub hits: u64,
    /// Pairs of bounding volumes that were compared, per query.
    pub box_tests: f64,
    /// Pairs of tree nodes that were visited, per query.
    pub visits: f64,
    /// Pairs of triangles that were tested exactly, per query.
    pub face_tests: f64,
}

/// A number of directions, with what is measured for it.
#[derive(Clone, Copy, Debug)]
pub struct Directions {
    /// The number.
    pub k: usize,
    turn: fn(&Model, &[Placement], &mut Scratch) -> Turn,
    build: fn(&Model) -> usize,
}

/// A share of the full turn at one distance.
#[derive(Clone, Copy, Debug)]
struct Turn {
    nanoseconds: f64,
    queries: u64,
    hits: u64,
    box_tests: u64,
    visits: u64,
    face_tests: u64,
}

impl Directions {
    /// The numbers that trees are made for: those of the paper, then two more.
    pub const ALL: [Directions; 5] = [
        Directions::of::<6>(),
        Directions::of::<8>(),
        Directions::of::<14>(),
        Directions::of::<18>(),
        Directions::of::<26>(),
    ];

    /// K directions.
    pub const fn of<const K: usize>() -> Directions
    where
        Trees: TreeOf<K>,
    {
        Directions { k: K, turn: turn::<K>, build: |model| model.dop_tree::<K>().bytes() }
    }

    /// Builds the tree of a model that has none: how many nanoseconds it takes, and the bytes of the tree.
    fn build(&self, model: &Model) -> (f64, usize) {
        let start = Instant::now();
        let bytes = (self.build)(model);
        (nanoseconds_since(start), bytes)
    }
}

fn nanoseconds_since(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e9
}

/// The engine with trees of K-DOPs.
const fn engine<const K: usize>() -> Engine {
    match K {
        6 => Engine::Dop6,
        8 => Engine::Dop8,
        14 => Engine::Dop14,
        18 => Engine::Dop18,
        _ => Engine::Dop26,
    }
}

fn turn<const K: usize>(model: &Model, placements: &[Placement], scratch: &mut Scratch) -> Turn
where
    Trees: TreeOf<K>,
{
    let queries = placements.len() as u64;
    let mut turn = Turn { nanoseconds: 0.0, queries, hits: 0, box_tests: 0, visits: 0, face_tests: 0 };
    let still = model.at(Trs::IDENTITY);
    let ask = Ask { surface_only: true, engine: engine::<K>(), ..Ask::default() };
    let start = Instant::now();
    for placement in placements {
        let (hit, work) = intersects_counted(&still, &model.at(*placement), ask, scratch);
        turn.hits += u64::from(hit);
        turn.box_tests += work.box_tests;
        turn.visits += work.visits;
        turn.face_tests += work.face_tests;
    }
    turn.nanoseconds = nanoseconds_since(start);
    turn
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
pub fn run<const K: usize>(model: &Model, protocol: &Protocol) -> Vec<Measurement>
where
    Trees: TreeOf<K>,
{
    run_all(model, protocol, &[Directions::of::<K>()], &mut || ()).swap_remove(0)
}

/// Runs the protocol with several numbers of directions by turns. `tick` is called once per distance.
pub fn run_all(
    model: &Model,
    protocol: &Protocol,
    all: &[Directions],
    tick: &mut dyn FnMut(),
) -> Vec<Vec<Measurement>> {
    for directions in all {
        directions.build(model);
    }
    let mut scratch = Scratch::default();
    let mut measured = vec![Vec::new(); all.len()];
    for (distance, placements) in protocol.course(model) {
        let mut turns = vec![Vec::new(); all.len()];
        for share in shares(&placements, protocol.rounds) {
            for (turns, directions) in turns.iter_mut().zip(all) {
                turns.push((directions.turn)(model, &share, &mut scratch));
            }
        }
        for (measured, turns) in measured.iter_mut().zip(&turns) {
            measured.push(Measurement::of(distance, turns));
        }
        tick();
    }
    measured
}

/// Every n-th placement, from the first, from the second and so on.
fn shares(placements: &[Placement], rounds: usize) -> Vec<Vec<Placement>> {
    let rounds = rounds.clamp(1, placements.len().max(1));
    (0..rounds).map(|first| placements.iter().skip(first).step_by(rounds).copied().collect()).collect()
}

impl Measurement {
    fn of(distance: f64, turns: &[Turn]) -> Measurement {
        let sum = |value: fn(&Turn) -> u64| turns.iter().map(value).sum::<u64>();
        let queries = sum(|turn| turn.queries).max(1) as f64;
        let times = turns.iter().map(|turn| turn.nanoseconds / turn.queries.max(1) as f64);
        Measurement {
            distance,
            mean_ns: median(times.collect()),
            hits: sum(|turn| turn.hits),
            box_tests: sum(|turn| turn.box_tests) as f64 / queries,
            visits: sum(|turn| turn.visits) as f64 / queries,
            face_tests: sum(|turn| turn.face_tests) as f64 / queries,
        }
    }
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
    let (centre, size) = (bounds.centre(), bounds.size().max_element());
    let scale = if size > 0.0 { 2.0 / size } else { 1.0 };
    Mesh::triangles(points.into_iter().map(|point| ((point - centre) * scale).to_array()), triangles)
        .expect("a valid mesh stays valid")
}
