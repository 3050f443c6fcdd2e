//! A plain sweep made of the oracle's own proofs: slow, and good enough to try the oracle on itself.

use impinge::query::{Ask, brute};
use impinge::{Placement, Verdict};

use super::audit::{distance, extent, prove_clear};
use super::case::{Case, Claim, Outcome, Placed};
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
        brute::check(&moving, &case.stationary.at(stationary_at), Ask::default()).verdict
    };
    let claim =
        |outcome, fraction, world_from_moving, bound| Claim { outcome, fraction, world_from_moving, bound };
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
    if is_clear(low, 1.0) {
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
