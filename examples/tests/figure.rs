//! Paper 000 §6: a Lagrangian multiplier approach "to simulate complex articulated figures without interpenetration". The example
//! `05_figure` draws it.

use impinge_examples::figure::{MOST_DRIFT, Models, Outcome, Plan, play};

/// What holds for every fall.
fn fall(plan: &Plan, models: &Models) -> Outcome {
    let outcome = play(plan, models).expect("a finite scene");
    let tally = outcome.tally;
    assert_eq!((tally.overlaps, tally.started_overlapping), (0, 0), "{plan:?}: {tally:?}");
    assert!(outcome.most_drift < MOST_DRIFT, "{plan:?}: drifts by {} m", outcome.most_drift);
    assert!(tally.contacts > 500, "{plan:?}: {tally:?}");
    outcome
}

#[test]
fn a_figure_falls_down_stairs_in_one_piece_at_every_rate() {
    let models = Models::new().expect("valid sizes");
    for (rate, seed) in [(30, 1), (60, 1), (60, 2), (240, 1)] {
        let plan = Plan { rate, seed, patience: 12.0 };
        let outcome = fall(&plan, &models);
        assert!(outcome.bodies >= 10);
        assert!(outcome.is_at_the_bottom(), "{plan:?}: ends at {}", outcome.pelvis);
        assert!(outcome.is_at_rest, "{plan:?}: not at rest after {:.1} s", outcome.seconds);
    }
}

#[test]
fn a_fall_is_the_same_every_time() {
    let models = Models::new().expect("valid sizes");
    let plan = Plan { rate: 60, seed: 3, patience: 1.5 };
    let [first, second] = [fall(&plan, &models), fall(&plan, &models)];
    assert_eq!(first.tally, second.tally);
    assert!(first.frames == second.frames);
}
