//! The box around a placed box (§3.2): eight corners against the signs of the matrix.

use std::hint::black_box;
use std::time::Instant;

use impinge::Trs;
use impinge::bounds::Aabb;
use impinge::math::{DAffine3, DVec3};

use super::{Fault, Progress, Section, Settings, axis, median};
use crate::chart::{Chart, Series};

pub(super) const NAME: &str = "global-box";

/// Boxes in a batch: small enough to stay in the second-level cache.
const BATCH: usize = 512;

/// A way to find the box of one input.
type Way = fn(&Input) -> Aabb;

struct Input {
    world_from_model: DAffine3,
    local: Aabb,
}

/// The ways take turns, batch by batch, so that a slow moment of the machine hits all of them.
pub(super) fn measure(settings: &Settings, progress: Progress<'_>) -> Result<Section, Fault> {
    let executions = settings.effort.pick(10_000_000, 200_000);
    let rounds = executions / BATCH;
    let inputs = inputs();
    let ways: [(&str, Way); 3] = [
        ("eight corners", |i| around_images(&i.world_from_model, &corners(&i.local))),
        ("signs, as printed", by_signs),
        ("Aabb::image, outward", |i| i.local.image(&i.world_from_model)),
    ];
    let mut times = vec![Vec::with_capacity(rounds); ways.len()];
    let mut boxes = Vec::with_capacity(BATCH);
    for round in 0..rounds {
        if round % 256 == 0 {
            progress(round as f64 / rounds as f64);
        }
        for ((_, way), times) in ways.iter().zip(&mut times) {
            let start = Instant::now();
            boxes.clear();
            // One input at a time behind the barrier: what a caller with one placement pays.
            boxes.extend(inputs.iter().map(|input| way(black_box(input))));
            black_box(&boxes);
            times.push(start.elapsed().as_secs_f64() * 1e9 / BATCH as f64);
        }
    }
    // Ratios of neighbors in time, so that the machine's mood cancels.
    let ratio =
        |way: usize| median(times[0].iter().zip(&times[way]).map(|(first, own)| first / own).collect());
    let row = |way: usize| {
        vec![
            ways[way].0.to_owned(),
            format!("{:.2}", median(times[way].clone())),
            format!("{:.2}", ratio(way)),
        ]
    };
    let last = ways.len() - 1;
    // The course of the run, in a hundred steps.
    let step = rounds.div_ceil(100).max(1);
    let series = (0..ways.len()).map(|way| Series {
        name: ways[way].0.split(',').next().unwrap_or_default().to_owned(),
        points: times[way]
            .chunks(step)
            .enumerate()
            .map(|(i, times)| [(i * step * BATCH) as f64, median(times.to_vec())])
            .collect(),
    });
    let chart = Chart {
        title: "Box around a placed box".to_owned(),
        axes: [axis("executions", false), axis("ns per box", false)],
        series: series.collect(),
    };
    Ok(Section {
        name: NAME,
        title: format!("Box around a placed box, {} executions each", rounds * BATCH),
        paper: "about 6 times as fast as the eight corners",
        paper_ratio: Some(6.0),
        ratio: ratio(last),
        unit: "times as fast",
        columns: vec!["way", "ns", "times as fast"],
        rows: (0..ways.len()).map(row).collect(),
        charts: vec![chart],
    })
}

/// Rotated and scaled placements of all directions, and boxes of many forms.
fn inputs() -> Vec<Input> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut number = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    let mut point = |size: f64| DVec3::new(number(), number(), number()) * size;
    let input = |_| {
        let turn = Trs::rotation_about_axis(point(1.0), point(360.0).x).unwrap_or_default().orientation();
        let scale = point(1.0) + DVec3::splat(2.0);
        let world_from_model = Trs::new(point(100.0), turn, scale).unwrap_or_default().matrix();
        Input { world_from_model, local: Aabb::around([point(1.0), point(1.0)]) }
    };
    (0..BATCH).map(input).collect()
}

fn corners(Aabb { min, max }: &Aabb) -> [DVec3; 8] {
    std::array::from_fn(|k| {
        let side = |axis: usize| if k >> axis & 1 == 0 { min[axis] } else { max[axis] };
        DVec3::new(side(0), side(1), side(2))
    })
}

/// The naive way: every corner is moved. Any eight points would do: that corners share coordinates is not known here.
#[inline(never)]
fn around_images(map: &DAffine3, points: &[DVec3; 8]) -> Aabb {
    Aabb::around(points.iter().map(|&point| map.transform_point3(point)))
}

/// §3.2 as printed: the image of the least corner, and edges added to either end by their signs. Not conservative.
fn by_signs(input: &Input) -> Aabb {
    let DAffine3 { matrix3, .. } = input.world_from_model;
    let corner = input.world_from_model.transform_point3(input.local.min);
    let size = input.local.size();
    let edges = [matrix3.x_axis * size.x, matrix3.y_axis * size.y, matrix3.z_axis * size.z];
    let [a, b, c] = edges.map(|edge| edge.min(DVec3::ZERO));
    let [d, e, f] = edges.map(|edge| edge.max(DVec3::ZERO));
    Aabb { min: corner + a + b + c, max: corner + d + e + f }
}

#[cfg(test)]
pub(super) fn assert_ways_agree() {
    for input in inputs() {
        let naive = around_images(&input.world_from_model, &corners(&input.local));
        let image = input.local.image(&input.world_from_model);
        assert!(image.contains(naive.min) && image.contains(naive.max));
        let signs = by_signs(&input);
        // Coordinates are below 110, so a dozen roundings stay below 1e-12.
        for (a, b) in [(signs.min, naive.min), (signs.max, naive.max), (image.min, naive.min)] {
            assert!((a - b).abs().max_element() < 1e-12);
        }
    }
}
