//! The same answer by every engine: brute force and trees of boxes, one-sided and two-sided, with fresh memory and used, on one thread
//! and on many. Bit for bit, with margins and without, on every kind of motion.

use crate::effort::{asked, share};
use crate::margin_oracle::case::{Case, Scene};
use crate::margin_oracle::course::Kind;
use crate::margin_oracle::families;
use crate::margin_oracle::shapes::Shape;
use impinge::glam::DAffine3;
use impinge::query::{Engine, Scratch, Sweep, SweepStatus};

fn number(name: &str, in_debug: u64, in_release: u64) -> u64 {
    asked(name).unwrap_or_else(|| share(in_debug, in_release))
}

/// All of an answer but how much work it was, with numbers as bits: equality of floats would take 0 for -0.
fn bits(sweep: &Sweep) -> (Vec<u64>, String) {
    let mut numbers = vec![sweep.fraction, sweep.rounding];
    numbers.extend(sweep.world_from_moving.world_from_model().to_cols_array());
    numbers.extend(sweep.world_from_stationary.world_from_model().to_cols_array());
    if let Some(hit) = &sweep.hit {
        numbers.extend(
            [hit.point_on_moving, hit.point_on_stationary, hit.normal].map(|v| v.to_array()).concat(),
        );
        numbers.push(hit.bound);
    }
    numbers.extend(sweep.lift.map_or([0.0; 3], |lift| lift.to_array()));
    let features = sweep.hit.as_ref().map(|hit| (hit.feature_moving, hit.feature_stationary));
    let rest = format!("{:?} {:?} {features:?} {}", sweep.status, sweep.phase, sweep.wedged);
    (numbers.into_iter().map(f64::to_bits).collect(), rest)
}

/// A case of the margins' families; every eighth with as many triangles as make a tree worth it.
fn case_of(seed: u64, index: u64) -> Case {
    let mut case = families::make(seed, index);
    if index.is_multiple_of(8) {
        // Faces of the same kind of body, cut finer: where it is at the start and how it moves stay as they are.
        case.mover = if index.is_multiple_of(16) { Shape::ball(2) } else { case.mover };
        case.obstacle = match index / 8 % 3 {
            0 => Shape::sheet(8, 8).mapped(|point| point * 3.0),
            1 => Shape::ball(2),
            _ => case.obstacle,
        };
    }
    case
}

/// Counts where two ways of asking differ, by kind of motion, and shows the first.
#[derive(Default)]
struct Differences {
    hits: u64,
    clear: u64,
    inside: u64,
    by_kind: std::collections::BTreeMap<String, [u64; 2]>,
    first: Option<String>,
}

impl Differences {
    fn add(&mut self, index: u64, case: &Case, one: &Sweep, two: &Sweep) {
        self.hits += u64::from(one.status == SweepStatus::Hit);
        self.clear += u64::from(one.status == SweepStatus::Clear);
        if case.margin > 0.0 && one.status != SweepStatus::StartedOverlapping {
            self.inside += u64::from(Scene::new(case).distance(0.0) < case.margin);
        }
        let entry = self.by_kind.entry(format!("{:?}", case.course.kind)).or_default();
        entry[0] += 1;
        if bits(one) != bits(two) {
            entry[1] += 1;
            let tell = || format!("case {index}: {}\n{one:?}\n{two:?}", case.describe());
            self.first.get_or_insert_with(tell);
        }
    }

    fn check(&self) {
        let Differences { hits, clear, inside, by_kind, first } = self;
        println!(
            "{hits} hits, {clear} clear; of each kind of motion, how many, and how many differ: {by_kind:?}"
        );
        let count: u64 = by_kind.values().map(|[all, _]| all).sum();
        assert!(hits.min(clear) * 5 > count && inside * 8 > count, "{hits} {clear} {inside} of {count}");
        assert!(by_kind.values().all(|[all, _]| all * 10 > count), "{by_kind:?}");
        assert!(first.is_none(), "{by_kind:?}, first {}", first.as_deref().unwrap_or_default());
    }
}

/// `IMPINGE_ENGINES=200000 cargo test --release -p impinge --test all bvh_agrees_with_brute_force_bit -- --nocapture` for many.
#[test]
fn bvh_agrees_with_brute_force_bit_for_bit() {
    let mut differences = Differences::default();
    let mut scratch = Scratch::default();
    for index in 0..number("IMPINGE_ENGINES", 200, 20_000) {
        let case = case_of(asked("IMPINGE_SEED").unwrap_or(5), index);
        let models = case.models();
        let [brute, trees] = [Engine::Brute, Engine::Bvh]
            .map(|engine| case.sweep_of(&models, case.ask().engine(engine), &mut scratch));
        differences.add(index, &case, &brute, &trees);
    }
    differences.check();
}

/// Memory that was used for other sweeps changes nothing, nor do models that are made anew.
#[test]
fn what_was_swept_before_changes_no_answer() {
    let mut used = Scratch::default();
    for index in 0..number("IMPINGE_ENGINES", 100, 20_000) / 10 {
        let case = case_of(7, index);
        let models = case.models();
        let one = case.sweep_of(&models, case.ask(), &mut used);
        let again = case.sweep_of(&models, case.ask(), &mut used);
        let fresh = case.sweep_of(&case.models(), case.ask(), &mut Scratch::default());
        assert_eq!(bits(&one), bits(&again), "case {index}: {}", case.describe());
        assert_eq!(bits(&one), bits(&fresh), "case {index}: {}", case.describe());
    }
}

#[test]
fn many_threads_get_the_bits_of_one_with_every_margin() {
    let count = number("IMPINGE_ENGINES", 40, 20_000) / 20;
    let cases: Vec<Case> = (0..count.max(40)).map(|index| case_of(8, index)).collect();
    assert!(cases.iter().any(|case| case.course.kind == Kind::Rigid && case.margin > 0.0));
    let models: Vec<_> = cases.iter().map(Case::models).collect();
    let alone: Vec<_> = cases
        .iter()
        .map(|case| bits(&case.sweep_of(&case.models(), case.ask(), &mut Scratch::default())))
        .collect();
    std::thread::scope(|scope| {
        for thread in 0..6 {
            let (cases, models, alone) = (&cases, &models, &alone);
            scope.spawn(move || {
                let mut scratch = Scratch::default();
                for i in 0..cases.len() {
                    // In another order on each, so that what a model prepares on first use is prepared by several at once.
                    let i = (i * 7 + thread * (cases.len() / 6)) % cases.len();
                    let sweep = cases[i].sweep_of(&models[i], cases[i].ask(), &mut scratch);
                    assert_eq!(bits(&sweep), alone[i], "case {i}, thread {thread}");
                }
            });
        }
    });
}

/// An edge that lies flat between two faces does not move the stop, by more than the stop is exact to: a billionth of a margin that was
/// asked for, and once the default margin.
#[test]
fn flat_edges_change_no_stop() {
    let mut scratch = Scratch::default();
    for index in 0..number("IMPINGE_ENGINES", 100, 20_000) / 10 {
        let mut case = families::make(9, index);
        case.world_from_obstacle = DAffine3::from_translation(case.world_from_obstacle.translation);
        (case.obstacle, case.mover) = (Shape::sheet(1, 1).mapped(|point| point * 2.0), Shape::cube());
        let coarse = case.sweep_of(&case.models(), case.ask(), &mut scratch);
        case.obstacle = Shape::sheet(4, 4).mapped(|point| point * 2.0);
        let fine = case.sweep_of(&case.models(), case.ask(), &mut scratch);
        let mut scene = Scene::new(&case);
        let apart = scene.between_poses(
            coarse.world_from_moving.world_from_model(),
            fine.world_from_moving.world_from_model(),
        );
        let r = coarse.rounding.max(fine.rounding);
        let skin = scene.largest_skin();
        let exact = r + if case.margin >= skin { 1e-9 * case.margin / 2.0 } else { skin };
        let is_same = coarse.status == fine.status
            && (apart <= 8.0 * r || scene.is_flat_between([coarse.fraction, fine.fraction], exact));
        assert!(is_same, "case {index}: {apart:e}, r {r:e}, {}\n{coarse:?}\n{fine:?}", case.describe());
    }
}
