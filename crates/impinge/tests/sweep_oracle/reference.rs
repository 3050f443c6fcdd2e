//! Plain sweeps, slow and good enough to try the oracle on: one made of its own proofs, one of distances alone.

use impinge::query::{Engine, IntersectOptions};
use impinge::{Placement, Verdict};

use super::audit::{distance, extent, prove_clear};
use super::case::{Case, Claim, Outcome, Phase, Placed};
use super::rotation::Proof;

/// How a claim is made.
#[derive(Clone, Copy)]
pub struct Manner {
    /// The gap at which a hit is near enough, as a share of the extent.
    pub gap: f64,
    /// From a touching start, go on if the models have come apart after a tiny part of the motion.
    pub leaves_contact: bool,
}

/// The usual manner.
pub fn sweep(case: &Case) -> Claim {
    sweep_in(case, Manner { gap: 1e-9, leaves_contact: false })
}

/// Stops at the last of a sequence of moments, halved again and again, up to which the path is shown to be clear.
pub fn sweep_in(case: &Case, manner: Manner) -> Claim {
    let start = case.world_from_moving;
    let stationary_at = Placement::try_from(case.world_from_stationary).expect("cases are valid");
    let verdict = |at| {
        let moving = case.moving.at(Placement::try_from(at).expect("poses are valid"));
        moving
            .intersect_with(
                &case.stationary.at(stationary_at),
                IntersectOptions::default().engine(Engine::Brute),
            )
            .verdict
    };
    let claim = |outcome, fraction, world_from_moving, bound| Claim {
        outcome,
        fraction,
        world_from_moving,
        bound,
        lift: None,
    };
    let is_clear =
        |from, to| prove_clear(case, from, to) == Proof::Clear && verdict(case.pose_at(to)) == Verdict::Clear;
    let mut low = 0.0;
    match verdict(start) {
        Verdict::Clear => {}
        Verdict::Touching => {
            let soon = f64::exp2(-20.0);
            if !(manner.leaves_contact && is_clear(soon * 0.25, soon)) {
                return claim(Outcome::Hit, 0.0, start, 0.0);
            }
            low = soon;
        }
        Verdict::Overlapping | Verdict::Inside(_) => {
            return claim(Outcome::StartedOverlapping, 0.0, start, 0.0);
        }
    }
    if manner.gap < f64::INFINITY && is_clear(low, 1.0) {
        return claim(Outcome::Clear, 1.0, case.pose_at(1.0), 0.0);
    }
    let stationary = Placed::new(&case.stationary, &case.world_from_stationary);
    let gap = |at| distance(&Placed::new(&case.moving, &at), &stationary);
    let (mut high, mut stop) = (1.0, if low == 0.0 { start } else { case.pose_at(low) });
    for _ in 0..60 {
        if gap(stop) < manner.gap * extent(case) {
            break;
        }
        let middle = (low + high) * 0.5;
        if is_clear(low, middle) {
            (low, stop) = (middle, case.pose_at(middle));
        } else {
            high = middle;
        }
    }
    claim(Outcome::Hit, low, stop, gap(stop) * (1.0 + 1e-12))
}

/// Steps no farther than the models are apart until they are near, as far as 300 steps lead: so it may stop early, with an
/// honest bound.
pub fn advance(case: &Case) -> Claim {
    let start = sweep_in(case, Manner { gap: f64::INFINITY, leaves_contact: false });
    if start.outcome != Outcome::Hit || start.bound == 0.0 {
        return start;
    }
    let phases = case.motion.phases();
    let stationary = Placed::new(&case.stationary, &case.world_from_stationary);
    let (reach, enough) = (case.reach(), 1e-6 * extent(case) + 1e-12 * case.reach());
    let gap = |fraction| distance(&Placed::new(&case.moving, &case.pose_at(fraction)), &stationary);
    let hit = |fraction: f64, gap: f64| Claim {
        outcome: Outcome::Hit,
        fraction,
        world_from_moving: if fraction == 0.0 { case.world_from_moving } else { case.pose_at(fraction) },
        bound: gap * (1.0 + 1e-12),
        lift: None,
    };
    let (mut fraction, mut now) = (0.0, start.bound);
    for _ in 0..300 {
        if now < enough {
            break;
        }
        // The fastest corner of the phase that is under way.
        let k = ((fraction * phases.len() as f64) as usize).min(phases.len() - 1);
        let end = (k as f64 + 1.0) / phases.len() as f64;
        let speed = phases.len() as f64
            * match phases[k] {
                Phase::Translation(v) => v.length(),
                Phase::Rigid { translation, center, angle, .. } => {
                    let corners = case.moving.mesh().vertices();
                    let radii =
                        corners.map(|p| (case.world_from_moving.transform_point3(p) - center).length());
                    radii.fold(0.0, f64::max) * angle.abs() + translation.length()
                }
                Phase::Rotation { center, angle, .. } => {
                    let pose = case.pose_at(fraction);
                    let radii =
                        case.moving.mesh().vertices().map(|p| (pose.transform_point3(p) - center).length());
                    radii.fold(0.0, f64::max) * angle.abs()
                }
            };
        let step = 0.9 * (now - 1e-13 * reach) / speed;
        let next = (fraction + step).min(end);
        let ahead = gap(next);
        if ahead < 0.25 * enough {
            break;
        }
        (fraction, now) = (next, ahead);
        if fraction == 1.0 {
            return Claim { outcome: Outcome::Clear, ..hit(1.0, 0.0) };
        }
    }
    hit(fraction, now)
}
