//! A plain sweep made of the oracle's own proofs: slow, and good enough to try the oracle on itself.

use impinge::query::{Ask, brute};
use impinge::{Placement, Verdict};

use super::audit::{distance, extent, prove_clear};
use super::case::{Case, Claim, Outcome, Placed};
use super::rotation::Proof;

/// Stops at the last of a sequence of moments, halved again and again, up to which the path is shown to be clear.
pub fn sweep(case: &Case) -> Claim {
    let start = case.world_from_moving;
    let stationary_at = Placement::try_from(case.world_from_stationary).expect("cases are valid");
    let verdict = |at| {
        let moving = case.moving.at(Placement::try_from(at).expect("poses are valid"));
        brute::check(&moving, &case.stationary.at(stationary_at), Ask::default()).verdict
    };
    let claim =
        |outcome, fraction, world_from_moving, bound| Claim { outcome, fraction, world_from_moving, bound };
    match verdict(start) {
        Verdict::Clear => {}
        Verdict::Touching => return claim(Outcome::Hit, 0.0, start, 0.0),
        Verdict::Overlapping | Verdict::Inside(_) => {
            return claim(Outcome::StartedOverlapping, 0.0, start, 0.0);
        }
    }
    if prove_clear(case, 0.0, 1.0) == Proof::Clear && verdict(case.pose_at(1.0)) == Verdict::Clear {
        return claim(Outcome::Clear, 1.0, case.pose_at(1.0), 0.0);
    }
    let stationary = Placed::new(&case.stationary, &case.world_from_stationary);
    let gap = |at| distance(&Placed::new(&case.moving, &at), &stationary);
    let (mut low, mut high, mut stop) = (0.0, 1.0, start);
    for _ in 0..60 {
        if gap(stop) < 1e-9 * extent(case) {
            break;
        }
        let middle = (low + high) * 0.5;
        let pose = case.pose_at(middle);
        if prove_clear(case, low, middle) == Proof::Clear && verdict(pose) == Verdict::Clear {
            (low, stop) = (middle, pose);
        } else {
            high = middle;
        }
    }
    claim(Outcome::Hit, low, stop, gap(stop) * (1.0 + 1e-12))
}
