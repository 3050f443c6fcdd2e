//! Van Waveren 2005, §6: the collision detection "is very suitable for the simulation of player movement". The example `04_player` is the larger
//! version.

use impinge_examples::level::{Level, Reach, generated};
use impinge_examples::walker::{body, capsule, walk};

#[test]
fn a_player_is_never_inside_never_stuck_and_gets_about() {
    let level = Level::new(&generated().expect("a valid mesh")).expect("a valid level");
    let body = body().expect("a valid box");
    let mut reach = Reach::flood(&body, &level, [48.0, 48.0, 0.25]).expect("finite places");
    let done = walk(&body, &level, &mut reach, 30_000, 1).expect("finite places");
    assert_eq!((done.inside, done.started_overlapping, done.stuck), (0, 0, 0));
    assert!(done.judged > 300);
    let [places, visited] = reach.counts();
    assert!(places > 300 && visited * 10 >= places * 8, "{visited} of {places}");
    let capsule = capsule().expect("a valid radius");
    let done = walk(&capsule, &level, &mut reach, 10_000, 2).expect("finite places");
    assert_eq!((done.inside, done.started_overlapping, done.stuck), (0, 0, 0));
}
