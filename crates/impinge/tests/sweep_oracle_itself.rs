//! The judge of sweeps, judged: it knows the first touch where it can be worked out by hand, finds nothing wrong with
//! honest claims, and finds every kind of dishonest one.

use crate::effort::share;
use std::f64::consts::PI;
use std::path::Path;

use crate::sweep_oracle;
use crate::sweep_oracle::audit::{audit, extent, prove_clear};
use crate::sweep_oracle::case::{Case, Claim, Motion, Outcome};
use crate::sweep_oracle::driver::{case_of, run};
use crate::sweep_oracle::families::FAMILIES;
use crate::sweep_oracle::number::{Number, Twin};
use crate::sweep_oracle::queries::read_translations;
use crate::sweep_oracle::reference::{Manner, advance, sweep, sweep_in};
use crate::sweep_oracle::translation::Straight;
use crate::sweep_oracle::{Proof, Violation};
use impinge::math::{DAffine3, DVec3};
use impinge::query::{Engine, IntersectOptions};
use impinge::{Mesh, Placement, Verdict, shapes};

/// Cases for one test; the large number with optimization only.
fn cases(many: u64) -> u64 {
    share(many / 20, many)
}

fn block(low: [f64; 3], high: [f64; 3]) -> Mesh {
    Mesh::from(shapes::cuboid(low, high).unwrap())
}

fn verdict(case: &Case, at: DAffine3) -> Verdict {
    let moving = case.moving.at(Placement::try_from(at).unwrap());
    let stationary = case.stationary.at(Placement::try_from(case.world_from_stationary).unwrap());
    moving.intersect_with(&stationary, IntersectOptions::default().engine(Engine::Brute)).verdict
}

/// A box with a gap of 1 to another, moving by 2.
fn two_boxes() -> Case {
    let (a, b) = (block([0.0; 3], [1.0; 3]), block([2.0, 0.0, 0.0], [3.0, 1.0, 1.0]));
    Case::by_hand(a, b, Motion::Translation(DVec3::new(2.0, 0.0, 0.0)))
}

/// A rod of length 2 that lies along x and turns about z towards a wall at y = 1: its far upper corner (2, 0.1) meets it.
fn rod_and_wall() -> (Case, f64) {
    let rod = block([0.0, -0.1, -0.1], [2.0, 0.1, 0.1]);
    let wall = block([-3.0, 1.0, -1.0], [3.0, 2.0, 1.0]);
    let motion = Motion::Rotation { center: DVec3::ZERO, axis: DVec3::new(0.0, 0.0, 3.0), angle: PI / 2.0 };
    let (radius, ahead) = (2f64.hypot(0.1), 0.1f64.atan2(2.0));
    (Case::by_hand(rod, wall, motion), ((1.0 / radius).asin() - ahead) / (PI / 2.0))
}

/// The first touch between two fractions, by halving.
fn first_touch(case: &Case) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = (low + high) * 0.5;
        match prove_clear(case, low, middle) {
            Proof::Clear => low = middle,
            _ => high = middle,
        }
    }
    low
}

#[test]
fn first_touches_by_hand() {
    let boxes = two_boxes();
    let straight = Straight::new(
        (&boxes.moving, boxes.world_from_moving),
        (&boxes.stationary, boxes.world_from_stationary),
        DVec3::new(2.0, 0.0, 0.0),
    );
    assert_eq!(straight.first_touch(0.0, 1.0).unwrap().to_f64().value(), 0.5);
    assert!(straight.is_clear(0.0, 0.5f64.next_down()));
    let (rod, known) = rod_and_wall();
    assert!((first_touch(&rod) - known).abs() < 1e-14, "{} {known}", first_touch(&rod));
    // After the translation by (0, 0.5, 0), the wall is nearer and the center is where it was.
    let Motion::Rotation { center, axis, angle } = rod.motion else { unreachable!() };
    let translation = DVec3::new(0.0, 0.5, 0.0);
    let both = Case { motion: Motion::Both { translation, center, axis, angle }, ..rod };
    let (radius, ahead) = (2f64.hypot(0.6), 0.6f64.atan2(2.0));
    let known = 0.5 + 0.5 * ((1.0 / radius).asin() - ahead) / angle;
    assert!((first_touch(&both) - known).abs() < 1e-14, "{} {known}", first_touch(&both));
    // A point at the top of a wheel of radius 1 that rolls along: at height 1 + cos θ, so at 0.5 after a third of a turn.
    let floor = block([-9.0, -1.0, -1.0], [9.0, 0.5, 1.0]);
    let (translation, center) = (DVec3::new(2.0 * PI, 0.0, 0.0), DVec3::new(0.0, 1.0, 0.0));
    let motion = Motion::Rigid { translation, center, axis: -DVec3::Z, angle: 2.0 * PI };
    let wheel = Case::by_hand(Mesh::point([0.0, 2.0, 0.0]).unwrap(), floor, motion);
    assert!((first_touch(&wheel) - 1.0 / 3.0).abs() < 1e-14, "{}", first_touch(&wheel));
    assert!(
        (wheel.pose_at(0.5).transform_point3(DVec3::new(0.0, 2.0, 0.0)) - DVec3::new(PI, 0.0, 0.0)).length()
            < 1e-14
    );
}

#[test]
fn the_first_look_at_translations_dismisses_nothing_that_touches() {
    let (mut touching, mut clear) = (0, 0);
    for index in 0..cases(2000) {
        let case = case_of(index, 13);
        let Motion::Translation(by) = case.motion else { continue };
        let [moving, stationary] =
            [(&case.moving, case.world_from_moving), (&case.stationary, case.world_from_stationary)];
        let straight = Straight::new(moving, stationary, by);
        let touch = straight.first_touch(0.0, 1.0);
        assert_eq!(touch, straight.first_touch_of_all_pairs(0.0, 1.0), "{}", case.dump());
        *(if touch.is_some() { &mut touching } else { &mut clear }) += 1;
    }
    assert!(touching.min(clear) > cases(2000) / 40, "{touching} {clear}");
}

#[test]
fn an_arc_that_touches_a_plane_exactly_is_told_from_one_that_does_not() {
    // The corner (-3, 4) turns about the origin of the plane; at the top of its circle it is at height 5.
    let arc = |height: f64| {
        let a = Mesh::point([-3.0, 4.0, 0.0]).unwrap();
        let b = block([-9.0, height, -9.0], [9.0, height + 1.0, 9.0]);
        Case::by_hand(a, b, Motion::Rotation { center: DVec3::ZERO, axis: -DVec3::Z, angle: 1.5 })
    };
    assert!(matches!(prove_clear(&arc(5.0), 0.0, 1.0), Proof::Touch { .. }));
    assert!(matches!(prove_clear(&arc(5f64.next_down()), 0.0, 1.0), Proof::Touch { .. }));
    assert_eq!(prove_clear(&arc(5f64.next_up()), 0.0, 1.0), Proof::Clear);
}

#[test]
fn numbers_of_two_parts() {
    let pi = Twin { high: PI, low: 1.224_646_799_147_353_2e-16 };
    let third = pi / Twin::of(3.0);
    let (s, c) = Twin::sin_cos(third);
    assert!((c - Twin::of(0.5)).abs().value() < 1e-30);
    assert!((s * s - Twin::of(0.75)).abs().value() < 1e-30);
    assert!(Twin::sin_cos(pi).0.abs().value() < 1e-30);
    assert!(Twin::sin_cos(pi * Twin::of(2.0)).0.abs().value() < 1e-29);
    let root = Twin::of(2.0).sqrt();
    assert!((root * root - Twin::of(2.0)).abs().value() < 1e-30);
    for k in 1..200 {
        let x = f64::from(k) * 0.061 - 6.1;
        let ((s, c), (t, d)) = (Twin::sin_cos(Twin::of(x)), x.sin_cos());
        assert!((s.value() - t).abs() < 1e-15 && (c.value() - d).abs() < 1e-15);
        assert!((s * s + c * c - Twin::of(1.0)).abs().value() < 1e-29);
    }
}

fn passes(count: u64, seed: u64, sweep: impl Fn(&Case) -> Claim + Sync) {
    match run(count, seed, sweep) {
        Ok(summary) => {
            println!("{summary}");
            let total = summary.total();
            assert!(total.unknown * 500 <= total.hits + total.clears, "too many unknown paths");
            // A few cases may be anything.
            let is_mixed = total.hits > total.clears / 4 && total.clears > total.hits / 4;
            assert!(is_mixed || count < 1000, "{total:?}");
        }
        Err(failure) => panic!("{failure}"),
    }
}

#[test]
fn honest_claims_pass() {
    passes(cases(1400), 1, sweep);
    passes(cases(1400), 1, |case| sweep_in(case, Manner { gap: 1e-13, leaves_contact: true }));
    passes(cases(3000), 2, advance);
}

#[test]
#[ignore = "takes minutes"]
fn many_honest_claims_pass() {
    let count = std::env::var("COUNT").map_or(100_000, |count| count.parse().unwrap());
    passes(count, 3, advance);
}

/// The exact test at many moments agrees with what was proven about a whole path.
#[test]
fn proofs_hold_at_every_moment() {
    let mut clear = 0;
    for index in 0..cases(2000) {
        let case = case_of(index, 7);
        // Far from the origin, rounding the poses looked at here would decide more than the motion does.
        if case.reach() > 1e3 * extent(&case) {
            continue;
        }
        if verdict(&case, case.world_from_moving) != Verdict::Clear
            || prove_clear(&case, 0.0, 1.0) != Proof::Clear
        {
            continue;
        }
        clear += 1;
        for k in 0..=64 {
            let at = f64::from(k) / 64.0;
            let pose = case.pose_at(at);
            // A gap of the size of rounding may close when the pose is rounded, but not for good.
            if verdict(&case, pose) != Verdict::Clear {
                let limit = 64.0 * f64::EPSILON * case.reach();
                let near = sweep_oracle::audit::distance(
                    &sweep_oracle::case::Placed::new(&case.moving, &pose),
                    &sweep_oracle::case::Placed::new(&case.stationary, &case.world_from_stationary),
                );
                assert!(near <= limit && touch_is_shallow(&case, at, limit), "at {at}\n{}", case.dump());
            }
        }
    }
    assert!(clear > cases(2000) / 8);
}

/// Whether the models are clear when one is shifted by the limit in some direction.
fn touch_is_shallow(case: &Case, at: f64, limit: f64) -> bool {
    (0..4 * 27).any(|k| {
        let size = limit * 8f64.powi(k / 27 - 2);
        let way = DVec3::from_array([k % 3, k / 3 % 3, k / 9 % 3].map(|c| f64::from(c) - 1.0)) * size;
        let mut pose = case.pose_at(at);
        pose.translation += way;
        verdict(case, pose) == Verdict::Clear
    })
}

#[test]
fn dishonest_claims_are_found() {
    let (mut late, mut missed, mut met, mut far, mut off) = (0, 0, 0, 0, 0);
    for index in 0..cases(1400) {
        let case = case_of(index, 11);
        let honest = sweep(&case);
        assert!(audit(&case, &honest).is_ok());
        if honest.outcome != Outcome::Hit || honest.fraction == 0.0 {
            continue;
        }
        // Not every hit is a touch: what is only near may be passed.
        let Proof::Touch { at: touch } = prove_clear(&case, 0.0, 1.0) else { continue };
        let mut count = |claim: &Claim| match audit(&case, claim) {
            Err(Violation::Late { .. }) => late += 1,
            Err(Violation::Missed { .. }) => missed += 1,
            Err(Violation::StopMeets { .. }) => met += 1,
            Err(Violation::TooFar { .. }) => far += 1,
            Err(Violation::OffPath { .. }) => off += 1,
            other => panic!("{other:?} for {claim:?}\n{}", case.dump()),
        };
        count(&Claim {
            outcome: Outcome::Clear,
            fraction: 1.0,
            world_from_moving: case.pose_at(1.0),
            bound: 0.0,
            lift: None,
        });
        for share in [0.01, 0.5, 1.0] {
            let fraction = touch + (1.0 - touch) * share;
            if fraction > touch {
                count(&Claim { fraction, world_from_moving: case.pose_at(fraction), bound: 1e300, ..honest });
            }
        }
        let early = honest.fraction * 0.5;
        let world_from_moving = case.pose_at(early);
        let exact = Claim { fraction: early, world_from_moving, bound: 1e300, ..honest };
        if let Ok(audit) = audit(&case, &exact)
            && audit.gap > 1e-12 * extent(&case)
        {
            count(&Claim { bound: audit.gap * 0.999, ..exact });
        }
        let mut shifted = honest.world_from_moving;
        shifted.translation += DVec3::splat(1e-9 * case.reach());
        count(&Claim { world_from_moving: shifted, ..honest });
        let idle = Claim { outcome: Outcome::StartedOverlapping, fraction: 0.0, ..honest };
        assert!(matches!(audit(&case, &idle), Err(Violation::StartMisjudged { .. })));
    }
    println!("late {late}, missed {missed}, met {met}, too far {far}, off the path {off}");
    for found in [late, missed, met, far, off] {
        assert!(found > cases(1400) / 56);
    }
}

#[test]
fn what_is_pushed_in_from_a_touching_start_is_found() {
    let (a, b) = (block([0.0, 0.0, 1.0], [1.0, 1.0, 2.0]), block([0.0; 3], [1.0; 3]));
    let down = Case::by_hand(a, b, Motion::Translation(DVec3::new(0.0, 0.0, -3.0)));
    let through = Claim {
        outcome: Outcome::Clear,
        fraction: 1.0,
        world_from_moving: down.pose_at(1.0),
        bound: 0.0,
        lift: None,
    };
    assert!(matches!(audit(&down, &through), Err(Violation::PushedIn { .. })));
    let stay = Claim {
        outcome: Outcome::Hit,
        fraction: 0.0,
        world_from_moving: down.pose_at(0.0),
        bound: 0.0,
        lift: None,
    };
    assert!(audit(&down, &stay).is_ok());
    // Along the top, and off it: both answers are right.
    let along = Case { motion: Motion::Translation(DVec3::new(0.5, 0.0, 0.0)), ..down };
    let slid = Claim { world_from_moving: along.pose_at(1.0), ..through };
    assert!(audit(&along, &slid).is_ok());
    assert!(audit(&along, &stay).is_ok());
    let up = Case { motion: Motion::Translation(DVec3::new(0.0, 0.0, 1.0)), ..along };
    assert!(audit(&up, &Claim { world_from_moving: up.pose_at(1.0), ..through }).is_ok());
}

/// 1,377 of the published queries are translations, and 230 of these meet.
#[test]
fn published_queries_are_answered_exactly() {
    let Some(folder) = std::env::var_os("IMPINGE_CCD_QUERIES") else {
        println!("skipped: IMPINGE_CCD_QUERIES names no folder of queries");
        return;
    };
    let Some(queries) = read_translations(Path::new(&folder)) else {
        println!("skipped: no queries in {}", folder.display());
        return;
    };
    let mut meeting = 0;
    for query in &queries {
        let case = &query.case;
        if query.is_exact {
            assert_eq!(prove_clear(case, 0.0, 1.0) != Proof::Clear, query.meets, "{}", case.dump());
        }
        assert!(audit(case, &sweep(case)).is_ok());
        meeting += u32::from(query.meets);
    }
    assert_eq!((queries.len(), meeting), (1377, 230));
}

/// How long the judging alone takes.
#[test]
#[ignore = "a measurement"]
fn speed_of_the_audit() {
    use std::collections::BTreeMap;
    use std::time::{Duration, Instant};
    let mut times: BTreeMap<&str, (u32, Duration, Duration, Duration)> = BTreeMap::new();
    let only = std::env::var("FAMILY").ok();
    for index in 0..2800 {
        if only.as_ref().is_some_and(|name| !FAMILIES[index as usize % FAMILIES.len()].0.contains(name)) {
            continue;
        }
        let begin = Instant::now();
        let case = case_of(index, 5);
        let made = begin.elapsed();
        let claim = sweep(&case);
        let begin = Instant::now();
        for _ in 0..if only.is_some() { 20 } else { 1 } {
            audit(&case, &claim).unwrap();
        }
        let took = begin.elapsed() / if only.is_some() { 20 } else { 1 };
        for name in [case.family, "all"] {
            let entry = times.entry(name).or_default();
            *entry = (entry.0 + 1, entry.1 + made, entry.2 + took, entry.3.max(took));
        }
    }
    for (name, (count, made, took, most)) in times {
        println!("{name:34} made {:?}, judged {:?}, at most {most:?}", made / count, took / count);
    }
}
