//! The judge of both engines: impinge's exact test at poses on the path, and its sweep, which is never later than the first touch.

use impinge::query::SweepStatus;
use impinge::{Placement, Trs, Verdict};

use super::scenes::{Scene, Task};

/// What a claimed time of impact is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Judgment {
    /// Nothing overlaps before it, and the bodies are as near as the zone allows.
    Equal,
    /// The exact test finds an overlap before it, at most so far along the path.
    Late(f64),
    /// The bodies are farther apart than the zone reaches, by so much.
    Early(f64),
    /// The bodies come within rounding of each other before it, and no overlap is found.
    Unclear,
}

/// Distances below this share of a mover's size are rounding.
pub(super) const ROUNDING: f64 = 1e-6;

/// Looks at moments between a certified stop and a claimed one.
const LOOKS: i32 = 40;

/// Judges a claim: the fraction, and whether it is a hit. `reach` is how far from the bodies their zone ends.
pub(super) fn judge(scene: &Scene, task: &Task, fraction: f64, is_hit: bool, reach: f64) -> Judgment {
    let standing = scene.targets[task.target].model.at(Trs::IDENTITY);
    let mover = &scene.movers[task.mover].model;
    let pose = |fraction: f64| {
        let pose = task.motion.carry(task.start.world_from_model(), fraction);
        Placement::try_from(pose).ok().map(|pose| mover.at(pose))
    };
    let ours = mover.at(task.start).sweep(&task.motion, &standing);
    let stop = if ours.status == SweepStatus::Clear { 1.0 } else { ours.fraction };
    if fraction > stop {
        let overlaps = |at: f64| {
            pose(at).is_some_and(|moving| {
                matches!(moving.verdict(&standing), Verdict::Overlapping | Verdict::Inside(_))
            })
        };
        let whole = fraction - stop;
        let halving = (0..LOOKS).map(|k| stop + whole * 0.5_f64.powi(k));
        let even = (1..LOOKS).map(|k| stop + whole * f64::from(k) / f64::from(LOOKS));
        if halving.chain(even).any(overlaps) {
            return Judgment::Late(whole * task.length);
        }
        if whole * task.length > ROUNDING * scene.size {
            return Judgment::Unclear;
        }
    }
    if is_hit && let Some(moving) = pose(fraction) {
        let distance = moving.distance(&standing).distance;
        if distance > reach + ROUNDING * scene.size {
            return Judgment::Early(distance - reach);
        }
    }
    Judgment::Equal
}
