//! The first query of a model, with preparation and without: how long each takes, against the second query. Prints milliseconds, those
//! of the fastest of some rounds.
//!
//! `cargo bench -p impinge --bench first_query`; with `--test` it only checks, on a small model, that the answers agree.

use std::hint::black_box;
use std::time::Instant;

use impinge::model::Purpose;
use impinge::query::Ray;
use impinge::{Mesh, Model, Motion, Trs, shapes};

/// A kind of query, what to prepare for it, and one query as text.
type Kind = (&'static str, Purpose, fn(&Model) -> String);

const KINDS: [Kind; 4] = [
    ("pair", Purpose::PAIRS, |model| {
        format!(
            "{:?}",
            model.at(Trs::IDENTITY).verdict(&model.at(Trs::translation([0.9, 0.2, 0.1]).expect("a place")))
        )
    }),
    ("distance", Purpose::DISTANCE, |model| {
        format!(
            "{:?}",
            model.at(Trs::IDENTITY).distance(&model.at(Trs::translation([3.0, 0.2, 0.1]).expect("a place")))
        )
    }),
    ("sweep", Purpose::SWEEPS, |model| {
        let motion = Motion::translation([-2.0, 0.0, 0.0]).expect("a motion");
        let start = model.at(Trs::translation([3.0, 0.2, 0.1]).expect("a place"));
        format!("{:?}", start.sweep(&motion, &model.at(Trs::IDENTITY)).fraction)
    }),
    ("ray", Purpose::RAYS, |model| {
        let ray = Ray::new([5.0, 0.1, 0.2], [-1.0, 0.0, 0.0]).expect("a ray");
        format!("{:?}", model.at(Trs::IDENTITY).cast_ray(&ray))
    }),
];

fn main() {
    // Cargo passes `--bench` to measure; `cargo test --benches` does not.
    let measure = std::env::args().any(|a| a == "--bench") && !std::env::args().any(|a| a == "--test");
    let (sizes, rounds): (&[u32], _) = if measure { (&[132, 354], 7) } else { (&[20], 1) };
    println!(
        "{:>9} {:>9} {:>12} {:>12} {:>14} {:>10}",
        "triangles", "query", "unprepared", "prepare", "first after", "second"
    );
    for &rings in sizes {
        let mesh = Mesh::from(shapes::bumpy_sphere(1.0, 0.2, 9, 2 * rings, rings, 1).expect("a ball"));
        for (name, purpose, ask) in KINDS {
            let mut best = [f64::INFINITY; 4];
            for _ in 0..rounds {
                let (lazy, prepared) = (Model::new(mesh.clone()), Model::new(mesh.clone()));
                let mut answers = Vec::new();
                let mut time = |place: usize, work: &mut dyn FnMut() -> Option<String>| {
                    let start = Instant::now();
                    answers.extend(black_box(work()));
                    best[place] = best[place].min(start.elapsed().as_secs_f64() * 1e3);
                };
                time(0, &mut || Some(ask(&lazy)));
                time(1, &mut || {
                    prepared.prepare(purpose);
                    None
                });
                time(2, &mut || Some(ask(&prepared)));
                time(3, &mut || Some(ask(&prepared)));
                assert!(answers.iter().all(|answer| *answer == answers[0]), "{name}");
            }
            let [unprepared, prepare, first, second] = best;
            println!(
                "{:>9} {name:>9} {unprepared:>12.3} {prepare:>12.3} {first:>14.3} {second:>10.3}",
                mesh.face_count()
            );
        }
    }
}
