//! Frames (§3.4): what it is worth to compare faces in the frame of the model with more of them, and to open the larger
//! volume first.
//!
//! A large model meets others of few and many faces, small and large, each with a vertex on a vertex of it and turned at
//! random. Counts of work are the same in every run; only times differ.

use impinge::math::{DQuat, DVec3};
use impinge::query::{Scratch, Stats};
use impinge::shapes::{Random, Shape};
use impinge::{Mesh, Model, Placement, Trs};

use super::models::large_pair;
use super::{Fault, Progress, Section, Settings, axis, median};
use crate::chart::{Chart, Series};
use crate::maia::descent_rules::{DescentRule, HostRule, intersections_by};
use crate::stopwatch::Stopwatch;
use crate::zachmann::dop_tree::fitted;

pub(super) const NAME: &str = "frames";

/// The ways that are compared. The first is what queries do.
const WAYS: [(&str, (HostRule, DescentRule)); 6] = [
    ("as queries do", (HostRule::MoreFaces, DescentRule::Usual)),
    ("fewer faces host", (HostRule::FewerFaces, DescentRule::Usual)),
    ("both opened", (HostRule::MoreFaces, DescentRule::Together)),
    ("larger opened", (HostRule::MoreFaces, DescentRule::Larger(1.0))),
    ("host opened first", (HostRule::MoreFaces, DescentRule::HostFirst)),
    ("guest opened first", (HostRule::MoreFaces, DescentRule::GuestFirst)),
];

/// A model that meets the large one: about how many triangles it has, and its size as a multiple of the large one's.
#[derive(Clone, Copy, Debug)]
struct Guest {
    triangles: usize,
    size: f64,
}

/// What a way did for one guest: sums over the poses.
#[derive(Clone, Copy, Debug, Default)]
struct Done {
    meetings: u64,
    work: Stats,
    microseconds: f64,
}

pub(super) fn measure(settings: &Settings, progress: Progress<'_>) -> Result<Section, Fault> {
    let ([mesh, _], words) = large_pair(settings);
    let large = Model::new(mesh);
    let (poses, rounds) = settings.effort.pick((60, 5), (4, 1));
    let triangles: &[usize] = settings.effort.pick(&[12, 300, 5000, 69_000], &[12, 300]);
    let sizes = [0.05, 0.3, 1.0, 4.0];
    let guests: Vec<Guest> =
        triangles.iter().flat_map(|&triangles| sizes.map(|size| Guest { triangles, size })).collect();
    let mut rows = Vec::new();
    let mut lines: Vec<Series> =
        WAYS.iter().map(|(name, _)| Series { name: (*name).to_owned(), points: Vec::new() }).collect();
    let mut placed = [0, 0];
    for (number, guest) in guests.iter().enumerate() {
        let all_done = compare(&large, *guest, poses, rounds)?;
        for ((way, done), line) in all_done.iter().enumerate().zip(&mut lines) {
            let each = |value: u64| format!("{:.1}", value as f64 / poses as f64);
            rows.push(vec![
                WAYS[way].0.to_owned(),
                guest.triangles.to_string(),
                guest.size.to_string(),
                each(done.work.visits),
                each(done.work.box_tests),
                each(done.work.face_tests),
                each(done.work.placed_vertices),
                each(done.meetings),
                format!("{:.2}", done.microseconds / poses as f64),
            ]);
            if guest.size == 0.3 {
                line.points.push([guest.triangles as f64, done.work.visits as f64 / poses as f64]);
            }
        }
        // With as many faces on both sides there is no larger model.
        if guest.triangles * 2 < large.mesh().face_count() {
            placed[0] += all_done[0].work.placed_vertices;
            placed[1] += all_done[1].work.placed_vertices;
        }
        progress((number + 1) as f64 / guests.len() as f64);
    }
    lines.swap_remove(1);
    Ok(Section {
        name: NAME,
        title: format!(
            "Frames: {} triangles of {words} against others, {poses} poses each",
            large.mesh().face_count()
        ),
        paper: "in the frame of the most complex model fewer triangles are transformed; no figure",
        paper_ratio: None,
        ratio: placed[1] as f64 / placed[0].max(1) as f64,
        unit: "times as many vertices placed where the model with fewer faces hosts",
        columns: vec![
            "way",
            "triangles",
            "size",
            "visits",
            "box tests",
            "face tests",
            "placed vertices",
            "meetings",
            "µs",
        ],
        rows,
        charts: vec![Chart {
            title: "Pairs of nodes visited, guests of 0.3 times the size".to_owned(),
            axes: [axis("triangles of the guest", true), axis("visits a query", true)],
            series: lines,
        }],
    })
}

/// All ways for one guest, by turns.
fn compare(large: &Model, guest: Guest, poses: usize, rounds: usize) -> Result<[Done; WAYS.len()], Fault> {
    let shape = if guest.triangles < 100 { Shape::Box } else { Shape::Icosphere };
    let small = Model::new(fitted(&Mesh::from(shape.generate(guest.triangles, 0))));
    let mut random = Random::new(guest.triangles as u64);
    let places = (0..poses)
        .map(|_| pose(&mut random, large.mesh(), small.mesh(), guest.size))
        .collect::<Result<Vec<Placement>, Fault>>()?;
    let (mut scratch, still) = (Scratch::default(), large.at(Trs::IDENTITY));
    let mut all_done = [Done::default(); WAYS.len()];
    let mut times = vec![Vec::with_capacity(rounds); WAYS.len()];
    for round in 0..rounds {
        for (way, (_, choice)) in WAYS.iter().enumerate() {
            let mut done = Done::default();
            let watch = Stopwatch::start();
            for place in &places {
                let Some((meetings, work)) =
                    intersections_by(&still, &small.at(*place), *choice, &mut scratch)
                else {
                    return Err(Fault("coordinates are too large for bounds".to_owned()));
                };
                done.meetings += meetings;
                done.work.visits += work.visits;
                done.work.box_tests += work.box_tests;
                done.work.face_tests += work.face_tests;
                done.work.placed_vertices += work.placed_vertices;
            }
            times[way].push(watch.nanoseconds() * 1e-3);
            if round == 0 {
                all_done[way] = done;
            }
        }
    }
    for (way, times) in times.into_iter().enumerate() {
        all_done[way].microseconds = median(times);
        // With the other host vertices are rounded otherwise.
        if WAYS[way].1.0 == HostRule::MoreFaces && all_done[way].meetings != all_done[0].meetings {
            return Err(Fault(format!("the way \"{}\" finds other meetings", WAYS[way].0)));
        }
    }
    Ok(all_done)
}

/// Turned at random and scaled, with a vertex on a vertex of the other.
fn pose(random: &mut Random, large: &Mesh, small: &Mesh, size: f64) -> Result<Placement, Fault> {
    let mut vertex = |mesh: &Mesh| mesh.vertex(random.below(mesh.vertex_count() as u32));
    let (from, to) = (vertex(small), vertex(large));
    let turn = DQuat::from_axis_angle(random.direction(), random.between(0.0, 3.0));
    let at = to - turn * (from * size);
    let trs = Trs::new(at, turn, DVec3::splat(size)).map_err(|error| Fault(error.to_string()))?;
    Ok(trs.into())
}
