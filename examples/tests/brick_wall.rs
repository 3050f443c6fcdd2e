//! Van Waveren 2005, §6: "independent from the update frequency the bricks do not sink into each other and the simulation does not become
//! unstable". `cargo run --release --example 03_brick_wall` is the larger version.

use impinge_examples::wall::{Models, Plan, play};

#[test]
fn bricks_never_overlap_fall_about_and_come_to_rest_at_every_rate() {
    let models = Models::new().expect("valid sizes");
    for rate in [30, 60, 240] {
        let plan = Plan { columns: 3, rows: 4, shots: 3, rate };
        let outcome = play(&plan, &models).expect("a finite scene");
        let tally = outcome.tally;
        assert_eq!((tally.overlaps, tally.started_overlapping), (0, 0), "{rate} Hz: {tally:?}");
        assert!(tally.hits > 100 && tally.contacts > 1000, "{rate} Hz: {tally:?}");
        assert!(
            outcome.far_away * 2 >= outcome.bricks,
            "{rate} Hz: {} of {}",
            outcome.far_away,
            outcome.bricks
        );
        assert!(outcome.is_at_rest, "{rate} Hz: not at rest after {:.1} s", outcome.seconds);
    }
}
