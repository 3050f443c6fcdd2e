//! Van Waveren 2005, §6: "Single polygons can be used to simulate simple objects like, for instance, the debris from explosions". The example
//! `06_debris` draws it.

use impinge_examples::debris::{Models, Plan, play};

#[test]
fn shards_fly_about_and_neither_overlap_nor_leave_the_room() {
    for (rate, seed) in [(30, 1), (60, 2), (120, 3)] {
        let plan = Plan { shards: 40, rate, seed, seconds: 2.0 };
        let models = Models::new(&plan).expect("valid sizes");
        let outcome = play(&plan, &models).expect("a finite scene");
        let tally = outcome.tally;
        assert_eq!((tally.overlaps, tally.started_overlapping), (0, 0), "{plan:?}: {tally:?}");
        assert_eq!((outcome.shards, outcome.in_the_room), (40, 40), "{plan:?}");
        assert!(tally.hits > 100, "{plan:?}: {tally:?}");
        // Walls are 4 cm thick, and shards nothing at all.
        assert!(outcome.longest_way * f64::from(rate) > 10.0, "{plan:?}: {} m", outcome.longest_way);
    }
}
