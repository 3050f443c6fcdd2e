//! Deep contact of two models of 70 and 90 thousand triangles (§5), one of them scaled: all pairs of faces that meet.

use impinge::math::{DQuat, DVec3};
use impinge::query::{IntersectOptions, Scratch};
use impinge::shapes::Random;
use impinge::{Model, Placement, Trs};

use super::models::large_pair;
use super::{Fault, Progress, Section, Settings, axis, median};
use crate::chart::{Chart, Series};
use crate::stopwatch::Stopwatch;
use crate::zachmann::DopEngine;

pub(super) const NAME: &str = "deep-contact";

/// How far the centers are apart, in models in cubes of edge 2.
const DISTANCES: [f64; 5] = [0.0, 0.2, 0.4, 0.6, 0.8];

/// The paper scales its spaceship, which is too small; here the axes have scales of their own.
const SCALE: [f64; 3] = [1.2, 0.9, 1.05];

pub(super) fn measure(settings: &Settings, progress: Progress<'_>) -> Result<Section, Fault> {
    let (meshes, words) = large_pair(settings);
    let models = meshes.map(Model::new);
    let wide: [DopEngine<14>; 2] = [DopEngine::new(&models[0]), DopEngine::new(&models[1])];
    let (poses, rounds) = settings.effort.pick((12, 5), (2, 1));
    let mut random = Random::new(91);
    let mut scratch = Scratch::default();
    let (mut rows, mut lines) = (Vec::new(), [Vec::new(), Vec::new()]);
    let (mut all_ms, mut all_pairs) = (0.0, 0);
    let ask = IntersectOptions::new().pairs(true).surface_only(true);
    let first = models[0].at(Trs::IDENTITY);
    for (step, distance) in DISTANCES.into_iter().enumerate() {
        let places = (0..poses).map(|_| pose(&mut random, distance)).collect::<Result<Vec<_>, _>>()?;
        let (mut ms, mut pairs) = (0.0, 0);
        for (number, place) in places.iter().enumerate() {
            let second = models[1].at(*place);
            let mut times = Vec::with_capacity(rounds);
            let mut found = Vec::new();
            for _ in 0..rounds {
                let watch = Stopwatch::start();
                found = first.intersect_in(&second, ask, &mut scratch).pairs;
                times.push(watch.nanoseconds() * 1e-6);
            }
            if number == 0 {
                let other =
                    DopEngine::intersect([&wide[0], &wide[1]], [&first, &second], ask, &mut scratch).pairs;
                if other != found {
                    return Err(Fault("trees of 6 and of 14 directions find different pairs".to_owned()));
                }
            }
            ms += median(times);
            pairs += found.len();
        }
        let mean = |value: f64| value / poses as f64;
        let each = ms * 1e3 / pairs.max(1) as f64;
        rows.push(vec![
            format!("{distance}"),
            format!("{:.3}", mean(ms)),
            format!("{:.0}", mean(pairs as f64)),
            format!("{each:.3}"),
        ]);
        lines[0].push([distance, mean(ms)]);
        lines[1].push([distance, each]);
        (all_ms, all_pairs) = (all_ms + ms, all_pairs + pairs);
        progress((step + 1) as f64 / DISTANCES.len() as f64);
    }
    let each = all_ms * 1e3 / all_pairs.max(1) as f64;
    let queries = (poses * DISTANCES.len()) as f64;
    rows.push(vec![
        "all".to_owned(),
        format!("{:.3}", all_ms / queries),
        format!("{:.0}", all_pairs as f64 / queries),
        format!("{each:.3}"),
    ]);
    let faces = [0, 1].map(|i| models[i].mesh().face_count());
    let [of_query, of_pair] = lines;
    Ok(Section {
        name: NAME,
        title: format!("Deep contact of {words}, {} and {} triangles, {queries} poses", faces[0], faces[1]),
        paper: "62.5 ms for 9,810 pairs: 6.37 µs a pair",
        paper_ratio: Some(6.37),
        ratio: each,
        unit: "µs for each pair of faces that is reported",
        columns: vec!["distance", "ms", "pairs", "µs/pair"],
        rows,
        charts: vec![Chart {
            title: "Deep contact".to_owned(),
            axes: [axis("distance of the centers", false), axis("ms a query, µs a pair", false)],
            series: vec![
                Series { name: "ms a query".to_owned(), points: of_query },
                Series { name: "µs a pair".to_owned(), points: of_pair },
            ],
        }],
    })
}

fn pose(random: &mut Random, distance: f64) -> Result<Placement, Fault> {
    let turn = DQuat::from_axis_angle(random.direction(), random.between(0.0, 3.0));
    let at = random.direction() * distance;
    let trs = Trs::new(at, turn, DVec3::from_array(SCALE)).map_err(|error| Fault(error.to_string()))?;
    Ok(trs.into())
}
