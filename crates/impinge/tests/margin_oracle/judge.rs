//! What a margin promises, held against the true distance D(t).
//!
//! With e the margin, r the stated rounding and G(t) the greatest distance up to t: D(t) ≥ min(e, G(t)) − r up to the stop. On a hit D is
//! at most the bound there, the bound is hardly more than e, and D would fall below min(e, G) if the motion went on.

use super::case::Scene;
use impinge::query::{Sweep, SweepStatus};

/// What is wrong with an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fault {
    /// On the way, at `time`, the two are nearer than they may be.
    TooNear { time: f64, distance: f64, allowed: f64 },
    /// So they are in the pose at the stop.
    StopTooNear { distance: f64, allowed: f64 },
    /// At the stop they are farther apart than the bound.
    BoundFalse { distance: f64, bound: f64 },
    /// The bound excuses a stop that is too early.
    BoundLarge { bound: f64, allowed: f64 },
    /// The motion would have gone on without coming nearer.
    StoppedForNothing { level: f64, away: f64 },
    /// The pose at the stop is not the motion's at the fraction.
    PoseOff { by: f64 },
    /// The rounding is too large to mean anything.
    RoundingLarge { rounding: f64, allowed: f64 },
    /// Fields that contradict each other.
    Inconsistent,
}

impl Fault {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Fault::TooNear { .. } => "too near on the way",
            Fault::StopTooNear { .. } => "too near at the stop",
            Fault::BoundFalse { .. } => "farther than the bound",
            Fault::BoundLarge { .. } => "bound too large",
            Fault::StoppedForNothing { .. } => "stopped for nothing",
            Fault::PoseOff { .. } => "pose off",
            Fault::RoundingLarge { .. } => "rounding too large",
            Fault::Inconsistent => "fields contradict each other",
        }
    }
}

/// How many distances may be computed for one answer, about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Intervals that are halved to find the least distance,
    pub(crate) halvings: usize,
    /// times at which a motion that starts inside of the zone is looked at,
    pub(crate) samples: usize,
    /// and steps of the search around an extremum.
    pub(crate) golden: usize,
}

impl Effort {
    pub(crate) const COARSE: Effort = Effort { halvings: 48, samples: 24, golden: 12 };
    pub(crate) const FINE: Effort = Effort { halvings: 400, samples: 300, golden: 48 };
}

/// A time and the distance then.
type Sample = (f64, f64);

/// The least of `sign` · D between two times, by golden section.
pub(crate) fn golden(scene: &mut Scene, mut low: f64, mut high: f64, sign: f64, steps: usize) -> Sample {
    const SHARE: f64 = 0.618_033_988_749_894_8;
    let mut inner = [high - SHARE * (high - low), low + SHARE * (high - low)];
    let mut values = inner.map(|time| sign * scene.distance(time));
    for _ in 0..steps {
        if values[0] < values[1] {
            high = inner[1];
            (inner[1], values[1]) = (inner[0], values[0]);
            inner[0] = high - SHARE * (high - low);
            values[0] = sign * scene.distance(inner[0]);
        } else {
            low = inner[0];
            (inner[0], values[0]) = (inner[1], values[1]);
            inner[1] = low + SHARE * (high - low);
            values[1] = sign * scene.distance(inner[1]);
        }
    }
    let best = usize::from(values[1] < values[0]);
    (inner[best], sign * values[best])
}

/// The least distance between two times that was seen, and whether it is proven that none is below the threshold.
///
/// No distance changes faster than the fastest point moves: an interval is done where that keeps it above. The least promising is halved first.
pub(crate) fn least(
    scene: &mut Scene,
    [from, to]: [f64; 2],
    threshold: f64,
    effort: Effort,
) -> (Sample, bool) {
    let ends = [from, to].map(|time| (time, scene.distance(time)));
    let mut best = if ends[0].1 < ends[1].1 { ends[0] } else { ends[1] };
    let speed = scene.speed;
    let under = |a: Sample, b: Sample| (a.1 + b.1 - speed * (b.0 - a.0)) / 2.0;
    let mut open = vec![(under(ends[0], ends[1]), ends[0], ends[1])];
    for _ in 0..effort.halvings {
        let Some(next) = (0..open.len()).min_by(|i, j| open[*i].0.total_cmp(&open[*j].0)) else { break };
        let (bound, a, b) = open.swap_remove(next);
        if bound >= threshold {
            return (best, true);
        }
        let time = a.0 + (b.0 - a.0) / 2.0;
        let middle = (time, scene.distance(time));
        if middle.1 < best.1 {
            best = middle;
        }
        if middle.1 < threshold {
            return (best, false);
        }
        open.extend([(under(a, middle), a, middle), (under(middle, b), middle, b)]);
    }
    if open.iter().all(|(bound, ..)| *bound >= threshold) {
        return (best, true);
    }
    // Around the least that was seen, and where least is known.
    open.sort_by(|a, b| a.0.total_cmp(&b.0));
    let around = open.iter().filter(|(_, a, b)| a.0 == best.0 || b.0 == best.0);
    let spans: Vec<[f64; 2]> = around.chain(open.iter().take(2)).map(|(_, a, b)| [a.0, b.0]).collect();
    for [low, high] in spans {
        let found = golden(scene, low, high, 1.0, effort.golden);
        if found.1 < best.1 {
            best = found;
        }
    }
    (best, false)
}

/// The least distance between two times, as nearly as it can be computed: around the lowest of many samples.
pub(crate) fn minimum(scene: &mut Scene, [from, to]: [f64; 2]) -> f64 {
    let count = 256;
    let times: Vec<f64> = (0..=count).map(|i| from + (to - from) * f64::from(i) / f64::from(count)).collect();
    let distances: Vec<f64> = times.iter().map(|time| scene.distance(*time)).collect();
    let mut order: Vec<usize> = (0..times.len()).collect();
    order.sort_by(|i, j| distances[*i].total_cmp(&distances[*j]));
    let mut least = distances[order[0]];
    for i in order.into_iter().take(4) {
        let span = [times[i.saturating_sub(1)], times[(i + 1).min(times.len() - 1)]];
        least = least.min(golden(scene, span[0], span[1], 1.0, 60).1);
    }
    least
}

/// Times up to the stop, dense at both ends, with the distances then.
fn samples(scene: &mut Scene, stop: f64, effort: Effort) -> Vec<Sample> {
    let count = effort.samples;
    let mut times: Vec<f64> = (0..=count).map(|i| stop * (i as f64 / count as f64)).collect();
    let mut share = 0.5 / count as f64;
    while share > 1e-12 {
        times.extend([stop * share, stop * (1.0 - share)]);
        share /= if count > 100 { 2.0 } else { 32.0 };
    }
    times.sort_by(f64::total_cmp);
    let mut all: Vec<Sample> = times.into_iter().map(|time| (time, scene.distance(time))).collect();
    // Between the samples there are higher and lower ones.
    let mut found = Vec::new();
    for i in 1..all.len() - 1 {
        let [before, at, after] = [all[i - 1], all[i], all[i + 1]];
        let is_top = at.1 > before.1 && at.1 >= after.1;
        let is_bottom = at.1 < before.1 && at.1 <= after.1;
        if (is_top || is_bottom) && found.len() < 8 {
            found.push(golden(scene, before.0, after.0, if is_top { -1.0 } else { 1.0 }, effort.golden));
        }
    }
    all.extend(found);
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all
}

/// What is wrong with an answer; nothing, where all is well. Touching and overlapping starts are not for this judge.
pub(crate) fn judge(scene: &mut Scene, sweep: &Sweep, margin: f64, effort: Effort) -> Vec<Fault> {
    let mut faults = Vec::new();
    let (r, error, stop) = (sweep.rounding, scene.error(), sweep.fraction);
    let slack = r + error;
    let is_hit = sweep.status == SweepStatus::Hit;
    if is_hit != sweep.hit.is_some()
        || (!is_hit && stop != 1.0)
        || !(0.0..=1.0).contains(&stop)
        || sweep.wedged
    {
        return vec![Fault::Inconsistent];
    }
    let allowed = scene.largest_rounding();
    if !(r > 0.0 && r <= allowed) {
        faults.push(Fault::RoundingLarge { rounding: r, allowed });
    }
    let by = scene.pose_error(sweep.world_from_moving.world_from_model(), stop);
    if by > slack {
        faults.push(Fault::PoseOff { by });
    }

    // On the way.
    let start = scene.distance(0.0);
    let floor = margin.min(start) - slack;
    let ((time, distance), _) = least(scene, [0.0, stop], floor, effort);
    if distance < floor {
        faults.push(Fault::TooNear { time, distance, allowed: floor });
    }
    let mut greatest = start;
    if start < margin && stop > 0.0 {
        for (time, distance) in samples(scene, stop, effort) {
            greatest = greatest.max(distance);
            let floor = margin.min(greatest) - slack;
            if distance < floor {
                faults.push(Fault::TooNear { time, distance, allowed: floor });
                break;
            }
        }
    }

    // At the stop.
    let distance = scene.distance_at(sweep.world_from_moving.world_from_model());
    let level = margin.min(greatest);
    if distance < level - slack {
        faults.push(Fault::StopTooNear { distance, allowed: level - slack });
    }
    let Some(hit) = &sweep.hit else { return faults };
    if distance > hit.bound + error {
        faults.push(Fault::BoundFalse { distance, bound: hit.bound });
    }
    let skin = scene.largest_skin();
    let asked = margin * (1.0 + 1e-9) + r;
    let allowed = if margin >= skin { asked } else { asked.max(2.0 * skin) };
    if hit.bound > allowed {
        faults.push(Fault::BoundLarge { bound: hit.bound, allowed });
    }

    // After it.
    if margin >= skin && greatest < margin {
        let tolerance = 1e-9 * margin + 8.0 * r;
        if let Some(away) = goes_on(scene, [stop, 1.0], level, tolerance, r) {
            faults.push(Fault::StoppedForNothing { level, away });
        }
    }
    faults
}

/// Whether a motion that was stopped at a level inside of the zone would have risen above it, or kept to it to its end, before
/// falling below: if so, where it got to.
fn goes_on(scene: &mut Scene, [stop, end]: [f64; 2], level: f64, tolerance: f64, r: f64) -> Option<f64> {
    // So little is left that nothing can be said.
    if scene.speed * (end - stop) <= 64.0 * r {
        return None;
    }
    let error = scene.error();
    let mut step = r / (16.0 * scene.speed.max(f64::MIN_POSITIVE));
    let mut before = stop;
    loop {
        let time = (stop + step).min(end);
        let distance = scene.distance(time);
        if distance < level - error {
            return None;
        }
        if distance > level + tolerance || time >= end {
            // Between the last two.
            let inner = (1..200).map(|i| before + (time - before) * f64::from(i) / 200.0);
            let falls = inner.into_iter().any(|time| scene.distance(time) < level - error);
            return (!falls).then_some(distance);
        }
        before = time;
        step *= 2.0;
    }
}
