//! Closest features after a search for the time of impact: what they cost by each way, for the tank that lands on the pad.

use impinge::math::{DAffine3, DVec3};
use impinge::query::{Distance, IntersectOptions, Verdict};
use impinge::shapes::Random;
use impinge::{Motion, Placement, Trs};
use serde::Serialize;

use crate::blow::arena::{ArenaError, Models};
use crate::stopwatch::Stopwatch;

/// Landings that are measured, each so often.
const LANDINGS: usize = 200;
const ROUNDS: usize = 5;
/// How far the tank goes in a step, and how often that is halved.
const STEP: f64 = 5.0 / 30.0;
const HALVINGS: u32 = 6;
/// Features within this are close, whatever the last half step.
const CLOSE: f64 = 0.01;

/// A way to come to the closest features.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ClosestRow {
    /// What is asked.
    pub name: &'static str,
    /// Microseconds for a landing: the places of the search decided, and the features found.
    pub mean_us: f64,
}

/// A landing: where the tank is at the start of a step that ends in the pad.
struct Landing {
    start: Placement,
}

impl Landing {
    fn at(&self, fraction: f64) -> Result<Placement, ArenaError> {
        let map = self.start.world_from_model();
        let translation = map.translation - DVec3::Z * (STEP * fraction);
        Ok(Placement::try_from(DAffine3 { translation, ..*map })?)
    }
}

/// Halves the time between a free place and one that is not; `decide` says whether a place is free, given how far the tank goes from
/// there to the last place that was not.
fn search(mut decide: impl FnMut(f64, f64) -> Result<bool, ArenaError>) -> Result<(f64, f64), ArenaError> {
    let (mut free, mut taken) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = (free + taken) / 2.0;
        if decide(middle, STEP * (taken - middle))? {
            free = middle;
        } else {
            taken = middle;
        }
    }
    Ok((free, STEP * (taken - free)))
}

/// Measures all ways in turn. Their answers are the same.
pub fn closest_features() -> Result<Vec<ClosestRow>, ArenaError> {
    let models = Models::new()?;
    let pad = models.pad.at(Trs::IDENTITY);
    let mut random = Random::new(3);
    let mut landings = Vec::new();
    while landings.len() < LANDINGS {
        let above = DVec3::new(random.between(-1.5, 1.5), random.between(-1.5, 1.5), 6.0);
        let turn = Trs::rotation_about_axis(DVec3::Z, 360.0 * random.unit())?;
        let tank = models.tank.at(Trs::rigid(above, turn.orientation())?);
        let stop = tank.sweep(&Motion::translation([0.0, 0.0, -10.0])?, &pad);
        if stop.hit.is_some() {
            let mut start = *stop.world_from_moving.world_from_model();
            start.translation.z += STEP * random.between(0.05, 0.95);
            landings.push(Landing { start: Placement::try_from(start)? });
        }
    }
    let mut times = [0.0; 5];
    for _ in 0..ROUNDS {
        for landing in &landings {
            let is_free = |place: &Placement| {
                let verdict =
                    models.tank.at(*place).intersect_with(&pad, IntersectOptions::default()).verdict;
                matches!(verdict, Verdict::Clear | Verdict::Touching)
            };
            let watch = Stopwatch::start();
            let (free, bound) = search(|fraction, _| Ok(is_free(&landing.at(fraction)?)))?;
            let decided = watch.nanoseconds();
            times[0] += decided;

            let tank = models.tank.at(landing.at(free)?);
            let watch = Stopwatch::start();
            let unlimited = tank.distance(&pad);
            times[1] += decided + watch.nanoseconds();

            let watch = Stopwatch::start();
            let limited = tank.distance_within(&pad, bound * (1.0 + 1e-9));
            times[2] += decided + watch.nanoseconds();

            let watch = Stopwatch::start();
            let close = tank.contacts(&pad, bound.max(CLOSE));
            times[4] += decided + watch.nanoseconds();

            // A place that is free is one with closest features; what comes after it in the search is no farther than the way there.
            let mut last: Option<Distance> = None;
            let watch = Stopwatch::start();
            search(|fraction, way| {
                let tank = models.tank.at(landing.at(fraction)?);
                let closest = tank.distance_within(&pad, way * (1.0 + 1e-9));
                let is_free = closest.is_none_or(|closest| closest.distance > 0.0);
                if is_free {
                    last = closest;
                }
                Ok(is_free)
            })?;
            times[3] += watch.nanoseconds();
            std::hint::black_box((unlimited, limited, last, close));
        }
    }
    let names = [
        "the search alone",
        "then the distance",
        "then the distance within the last half step",
        "distances in place of the search's tests",
        "then every close feature",
    ];
    let count = (ROUNDS * LANDINGS) as f64;
    Ok((0..5).map(|i| ClosestRow { name: names[i], mean_us: times[i] / count / 1000.0 }).collect())
}
