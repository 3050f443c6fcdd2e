//! A sweep that is right by construction, as far as samples can tell: the first fall of the judge's own distance below what is allowed.

use super::case::{Case, Scene};
use super::judge::golden;
use impinge::Placement;
use impinge::query::{Sweep, SweepHit, SweepStatus};

/// How far a motion may go: `None` to its end. It stops a quarter of a rounding below the margin, or below the greatest distance so far.
pub(crate) fn first_fall(scene: &mut Scene, margin: f64, r: f64, samples: u32) -> Option<f64> {
    let mut greatest = scene.distance(0.0);
    let [mut earlier, mut before] = [0.0; 2];
    for i in 1..=samples {
        let time = f64::from(i) / f64::from(samples);
        let distance = scene.distance(time);
        if distance < margin.min(greatest) - r / 4.0 {
            let top = golden(scene, earlier, time, -1.0, 60);
            // The top may be on either side of the last sample.
            if top.1 > greatest {
                (before, greatest) = top;
            }
            return Some(halved(scene, [before, time], margin.min(greatest) - r / 4.0));
        }
        greatest = greatest.max(distance);
        (earlier, before) = (before, time);
    }
    None
}

/// The last time before the distance falls below a level, between one when it is not and one when it is.
fn halved(scene: &mut Scene, [mut low, mut high]: [f64; 2], level: f64) -> f64 {
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return low;
        }
        if scene.distance(middle) >= level { low = middle } else { high = middle }
    }
}

/// The library's answer to a case, made into one that stops at a time, or goes to its end. What stops it is anything.
pub(crate) fn claim(case: &Case, stop: Option<f64>, a_hit: SweepHit) -> Sweep {
    let mut sweep = case.sweep();
    sweep.fraction = stop.unwrap_or(1.0);
    sweep.status = if stop.is_some() { SweepStatus::Hit } else { SweepStatus::Clear };
    sweep.world_from_moving =
        Placement::try_from(case.course.motion().carry(&case.world_from_mover, sweep.fraction))
            .expect("a placement");
    let bound =
        Scene::new(case).distance_at(sweep.world_from_moving.world_from_model()) + sweep.rounding / 2.0;
    sweep.hit = stop.map(|_| {
        let mut hit = a_hit;
        hit.bound = bound;
        hit
    });
    sweep
}
