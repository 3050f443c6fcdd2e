//! The broad phase over 64 deformables (§3.2, §5), measured by the bench of the broad phase.

use super::{Fault, Progress, Section, Settings, axis, median};
use crate::chart::{Chart, Series};
use crate::maia::broad::{Deformables, deformables};

pub(super) const NAME: &str = "deformables";

/// The frames are shared out to rounds; the middle of the rounds counts.
const ROUNDS: usize = 10;

pub(super) fn measure(settings: &Settings, progress: Progress<'_>) -> Result<Section, Fault> {
    let frames = settings.effort.pick(1000, 20);
    let mut rounds = Vec::with_capacity(ROUNDS);
    for round in 0..ROUNDS {
        rounds.push(deformables(frames).map_err(|error| Fault(format!("the broad phase: {error}")))?);
        progress((round + 1) as f64 / ROUNDS as f64);
    }
    let middle = |value: fn(&Deformables) -> f64| median(rounds.iter().map(value).collect());
    let ratio = |before: fn(&Deformables) -> f64, after: fn(&Deformables) -> f64| {
        median(rounds.iter().map(|round| before(round) / after(round)).collect())
    };
    let row = |name: &str, boxes: f64, all: f64, faster: [f64; 2]| {
        vec![
            name.to_owned(),
            format!("{boxes:.3}"),
            format!("{all:.3}"),
            format!("{:.2}", faster[0]),
            format!("{:.2}", faster[1]),
        ]
    };
    let boxes = ratio(|r| r.corners_us, |r| r.image_us);
    let all = ratio(|r| r.corners_and_sweep_us, |r| r.image_and_sweep_us);
    let line = |name: &str, value: fn(&Deformables) -> f64| Series {
        name: name.to_owned(),
        points: rounds.iter().enumerate().map(|(i, r)| [((i + 1) * frames) as f64, value(r)]).collect(),
    };
    let chart = Chart {
        title: "Broad phase over 64 deformables".to_owned(),
        axes: [axis("frames", false), axis("µs a frame", false)],
        series: vec![
            line("corners", |r| r.corners_us),
            line("image", |r| r.image_us),
            line("corners + sweep", |r| r.corners_and_sweep_us),
            line("image + sweep", |r| r.image_and_sweep_us),
        ],
    };
    Ok(Section {
        name: NAME,
        title: format!(
            "Broad phase over {} deformables, {} frames, {:.1} touched in a frame",
            rounds[0].models,
            ROUNDS * frames,
            rounds[0].touched
        ),
        paper: "about 5.4 times as fast as with eight corners, refits not counted",
        paper_ratio: Some(5.4),
        ratio: all,
        unit: "times as fast, boxes and sweep together",
        columns: vec!["boxes", "boxes µs", "with sweep µs", "boxes faster", "all faster"],
        rows: vec![
            row("eight corners", middle(|r| r.corners_us), middle(|r| r.corners_and_sweep_us), [1.0; 2]),
            row("Aabb::image", middle(|r| r.image_us), middle(|r| r.image_and_sweep_us), [boxes, all]),
        ],
        charts: vec![chart],
    })
}
