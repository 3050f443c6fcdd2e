//! Paper 000 §6: a Lagrangian multiplier approach "to simulate complex articulated figures without interpenetration". The example
//! `05_figure` draws it.

use impinge_examples::figure::{MOST_DRIFT, Models, play};

#[test]
fn a_figure_falls_down_stairs_in_one_piece_at_every_rate() {
    let models = Models::new().expect("valid sizes");
    for rate in [30, 60, 240] {
        let outcome = play(&models, rate, 12.0).expect("a finite scene");
        let tally = outcome.tally;
        assert_eq!((tally.overlaps, tally.started_overlapping), (0, 0), "{rate} Hz: {tally:?}");
        assert!(outcome.most_drift < MOST_DRIFT, "{rate} Hz: drifts by {} m", outcome.most_drift);
        assert!(tally.hits > 50 && tally.contacts > 500, "{rate} Hz: {tally:?}");
        assert!(outcome.is_at_the_bottom(), "{rate} Hz: ends at {}", outcome.pelvis);
        assert!(outcome.is_at_rest, "{rate} Hz: not at rest after {:.1} s", outcome.seconds);
    }
}
