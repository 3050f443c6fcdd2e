//! Van Waveren 2005, §6: a Lagrangian multiplier approach "to simulate complex articulated figures without interpenetration". The example
//! `05_figure` draws it.

use impinge::math::DVec3;
use impinge::{Model, Trs, shapes};
use impinge_examples::figure::{MOST_DRIFT, Models, Outcome, Plan, play};
use impinge_examples::physics::{Body, Joint, Mass, Material, World};

/// What holds for every fall.
fn fall(plan: &Plan, models: &Models) -> Outcome {
    let outcome = play(plan, models).expect("a finite scene");
    let tally = outcome.tally;
    assert_eq!((tally.overlaps, tally.started_overlapping), (0, 0), "{plan:?}: {tally:?}");
    assert!(outcome.most_drift < MOST_DRIFT, "{plan:?}: drifts by {} m", outcome.most_drift);
    assert!(tally.contacts > 100, "{plan:?}: {tally:?}");
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

/// A rod of length l about its end takes 2π √(2l / 3g) to swing once; less than 1 % longer for 0.3 radians.
#[test]
fn a_rod_on_a_hinge_swings_like_a_pendulum() {
    let rod = Model::new(shapes::cuboid_of_quads([-0.01, -0.01, -0.5], [0.01, 0.01, 0.5]).expect("a rod"));
    let hook = Model::new(shapes::cuboid_of_quads([-0.1; 3], [0.1; 3]).expect("a hook"));
    let material = Material { restitution: 0.0, bouncing_speed: 1.0, friction: 0.0 };
    let mut world = World::new(material, DVec3::new(0.0, 0.0, -9.81));
    let at = |height: f64| Trs::translation([0.0, 0.0, height]).expect("a place");
    let mass = Mass::solid(rod.mesh(), 1000.0);
    let mut hanging = Body::new(&rod, mass, at(0.0));
    // As fast as it passes the lowest point when it swings to 0.3 radians.
    let spin = 0.3 * (1.5 * 9.81_f64).sqrt();
    (hanging.spin, hanging.velocity) = (DVec3::new(0.0, -spin, 0.0), DVec3::new(spin * 0.5, 0.0, 0.0));
    let rod = world.add(hanging).expect("in bounds");
    let hook = world.add(Body::new(&hook, Mass::FIXED, at(0.65))).expect("in bounds");
    world.join(Joint::hinge(&world.bodies, [rod, hook], DVec3::new(0.0, 0.0, 0.5), DVec3::Y));

    let mut passes = Vec::new();
    for step in 1..=2000 {
        let before = world.bodies[rod].center().x;
        world.step(1.0 / 500.0).expect("finite");
        assert!(world.drift() < 1e-5, "{}", world.drift());
        let after = world.bodies[rod].center().x;
        if (before < 0.0) != (after < 0.0) {
            passes.push((f64::from(step) - after / (after - before)) / 500.0);
        }
    }
    let half = (passes[passes.len() - 1] - passes[0]) / (passes.len() - 1) as f64;
    let expected = std::f64::consts::PI * (2.0 / (3.0 * 9.81_f64)).sqrt();
    assert!((half / expected - 1.0).abs() < 0.01, "{half} instead of {expected}");
    assert!(passes.len() > 3);
}
