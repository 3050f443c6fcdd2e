//! Every engine of the broad phase against sets of pairs that are made by comparing all boxes.

use std::collections::{BTreeMap, BTreeSet};

use impinge::bounds::Aabb;
use impinge::broad_phase::{Algorithm, BroadPhase, BroadPhaseError, Pair, Segment};
use impinge::glam::DVec3;
use impinge::shapes::Random;

/// What all engines are held against: the boxes, and the pairs of the last step.
#[derive(Default)]
struct Oracle {
    boxes: BTreeMap<u32, Aabb>,
    pairs: BTreeSet<Pair>,
}

impl Oracle {
    /// All pairs, those that began, and those that ended.
    fn step(&mut self) -> [Vec<Pair>; 3] {
        let mut pairs = BTreeSet::new();
        for (a, bounds_a) in &self.boxes {
            for (b, bounds_b) in self.boxes.range(a + 1..) {
                let apart = |k: usize| bounds_a.min[k] > bounds_b.max[k] || bounds_b.min[k] > bounds_a.max[k];
                if !(0..3).any(apart) {
                    pairs.insert(Pair::new(*a, *b));
                }
            }
        }
        let old = std::mem::replace(&mut self.pairs, pairs);
        let began = self.pairs.difference(&old).copied().collect();
        let ended = old.difference(&self.pairs).copied().collect();
        [self.pairs.iter().copied().collect(), began, ended]
    }
}

/// All engines, told the same.
struct Engines(Vec<(&'static str, BroadPhase)>);

impl Engines {
    fn new() -> Engines {
        let engines = [
            ("brute", Algorithm::Brute),
            ("sweep and prune", Algorithm::SweepAndPrune),
            ("tree", Algorithm::Bvh),
            ("columns", Algorithm::Columns),
            ("cells", Algorithm::Cells),
        ];
        Engines(engines.map(|(name, algorithm)| (name, BroadPhase::with_algorithm(algorithm))).into())
    }

    fn each(&mut self, mut tell: impl FnMut(&mut BroadPhase)) {
        self.0.iter_mut().for_each(|(_, broad)| tell(broad));
    }

    fn check_step(&mut self, oracle: &mut Oracle, place: &str) {
        let [pairs, began, ended] = oracle.step();
        for (name, broad) in &mut self.0 {
            let step = broad.step();
            assert_eq!(step.pairs, pairs, "pairs of {name}, {place}");
            assert_eq!(step.began, began, "began in {name}, {place}");
            assert_eq!(step.ended, ended, "ended in {name}, {place}");
        }
    }

    fn check_queries(&self, oracle: &Oracle, random: &mut Random, scene: &Scene, place: &str) {
        let bounds = scene.bounds(random);
        let (start, end) = (scene.point(random), scene.point(random));
        let segment = Segment::new(start, end).expect("finite");
        let near = |test: &dyn Fn(&Aabb) -> bool| -> Vec<u32> {
            oracle.boxes.iter().filter(|(_, bounds)| test(bounds)).map(|(id, _)| *id).collect()
        };
        let overlapping = near(&|other| bounds.overlaps(other));
        let along = near(&|other| segment.may_touch(other));
        let mut found = Vec::new();
        for (name, broad) in &self.0 {
            broad.overlapping(&bounds, &mut found);
            assert_eq!(found, overlapping, "{name}, {place}, {bounds:?}");
            broad.along(&segment, &mut found);
            assert_eq!(found, along, "{name}, {place}, {segment:?}");
        }
    }
}

/// Where boxes are, and how they move.
#[derive(Clone, Copy, Debug)]
struct Scene {
    /// Coordinates are whole multiples of `unit`, so that boxes touch and coincide often; below so many.
    cells: u32,
    unit: f64,
    origin: f64,
    ids: u32,
    /// How many of 100 boxes change in a step.
    percent: u32,
    sizes: u32,
}

impl Scene {
    fn random(random: &mut Random) -> Scene {
        Scene {
            cells: [2, 5, 20, 1000][random.below(4) as usize],
            unit: [1.0, 0.1, 1e-3, 1e-310, 1e30, 1e300][random.below(6) as usize],
            origin: [0.0, 0.0, -7.0, 1e6, -1e12][random.below(5) as usize],
            ids: [1, 2, 6, 20, 40][random.below(5) as usize],
            percent: [1, 5, 30, 100][random.below(4) as usize],
            sizes: 1 + random.below(6),
        }
    }

    fn point(&self, random: &mut Random) -> DVec3 {
        let mut number = || self.origin + f64::from(random.below(self.cells)) * self.unit;
        DVec3::new(number(), number(), number())
    }

    fn bounds(&self, random: &mut Random) -> Aabb {
        let min = self.point(random);
        let mut side = |low: f64| match random.below(60) {
            0 => f64::INFINITY,
            1 => low + f64::from(self.cells) * self.unit,
            _ => low + f64::from(random.below(self.sizes)) * self.unit,
        };
        let max = DVec3::new(side(min.x), side(min.y), side(min.z));
        let min = if random.below(60) == 0 { min.with_y(f64::NEG_INFINITY) } else { min };
        Aabb { min, max }
    }

    /// Inserts, removes, nudges and moves some boxes.
    fn change(&self, random: &mut Random, oracle: &mut Oracle, engines: &mut Engines) {
        for id in 0..self.ids {
            if random.below(100) >= self.percent {
                continue;
            }
            match (oracle.boxes.get(&id).copied(), random.below(8)) {
                (Some(_), 0) => {
                    oracle.boxes.remove(&id);
                    engines.each(|broad| assert!(broad.remove(id).is_ok()));
                    if random.below(4) == 0 {
                        // Back again, without a step in between.
                        let bounds = self.bounds(random);
                        oracle.boxes.insert(id, bounds);
                        engines.each(|broad| broad.insert(id, bounds).expect("it is free"));
                    }
                }
                (Some(old), kind) => {
                    let by = DVec3::splat(self.unit);
                    let bounds = match kind {
                        1..=4 => Aabb { min: old.min + by, max: old.max + by },
                        5 => old,
                        _ => self.bounds(random),
                    };
                    oracle.boxes.insert(id, bounds);
                    engines.each(|broad| broad.move_to(id, bounds).expect("it is there"));
                }
                (None, _) => {
                    let bounds = self.bounds(random);
                    oracle.boxes.insert(id, bounds);
                    engines.each(|broad| broad.insert(id, bounds).expect("it is free"));
                }
            }
        }
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "long: runs in release")]
fn all_engines_agree_over_a_hundred_thousand_steps() {
    let mut random = Random::new(7);
    let mut most = 0;
    for round in 0..2000 {
        let scene = Scene::random(&mut random);
        let (mut oracle, mut engines) = (Oracle::default(), Engines::new());
        for step in 0..50 {
            let place = format!("round {round}, step {step}, {scene:?}");
            scene.change(&mut random, &mut oracle, &mut engines);
            if step % 5 == 0 {
                // Before the step too: queries know boxes that no step has seen.
                engines.check_queries(&oracle, &mut random, &scene, &place);
            }
            engines.check_step(&mut oracle, &place);
            engines.check_queries(&oracle, &mut random, &scene, &place);
            most = most.max(oracle.pairs.len());
        }
    }
    assert!(most > 500, "scenes where much overlaps: {most}");
}

/// Thousands of boxes, small and large, most of them moving a little, some far.
#[test]
#[cfg_attr(debug_assertions, ignore = "long: runs in release")]
fn all_engines_agree_on_thousands_of_boxes() {
    let mut random = Random::new(3);
    for (count, percent) in [(3000, 100), (3000, 20), (3000, 1), (20_000, 100), (20_000, 3)] {
        let side = libm::cbrt(f64::from(count)) * 1.6;
        let mut boxes: Vec<(u32, Aabb)> = (0..count).map(|id| (id, random_box(&mut random, side))).collect();
        boxes[0].1 = Aabb { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY.with_y(0.0) };
        let mut reference = BroadPhase::with_algorithm(Algorithm::SweepAndPrune);
        let mut tree = BroadPhase::new();
        for &(id, bounds) in &boxes {
            reference.insert(id, bounds).expect("valid");
            tree.insert(id, bounds).expect("valid");
        }
        for step in 0..30 {
            let mut moves = Vec::new();
            for (id, bounds) in &mut boxes[1..] {
                if random.below(100) < percent {
                    let by = random.in_cube() * 0.2;
                    *bounds = Aabb { min: bounds.min + by, max: bounds.max + by };
                    if random.below(500) == 0 {
                        *bounds = random_box(&mut random, side);
                    }
                    moves.push((*id, *bounds));
                }
            }
            reference.move_many(&moves).expect("valid");
            tree.move_many(&moves).expect("valid");
            assert_eq!(tree.step(), reference.step(), "{count} boxes, {percent} %, step {step}");
            if step % 15 == 0 && count < 5000 {
                let all: BTreeSet<Pair> = tree.last_step().pairs.iter().copied().collect();
                let mut oracle = Oracle { boxes: boxes.iter().copied().collect(), pairs: BTreeSet::new() };
                oracle.step();
                assert_eq!(all, oracle.pairs);
            }
        }
    }
}

fn random_box(random: &mut Random, side: f64) -> Aabb {
    let center = DVec3::new(random.unit(), random.unit(), random.unit()) * side;
    let scale = if random.below(50) == 0 { 10.0 } else { 0.5 };
    let half = DVec3::new(random.unit(), random.unit(), random.unit()) * scale;
    Aabb { min: center - half, max: center + half }
}

/// All in a heap, all at the same place, in a row, and two heaps far apart with boxes far out: no order of coordinates,
/// and no tree, has anything to go by.
#[test]
fn heaps_rows_and_outliers() {
    let unit = |at: DVec3| Aabb { min: at, max: at + 1.0 };
    let mut random = Random::new(11);
    let scenes: [Vec<Aabb>; 4] = [
        vec![unit(DVec3::ZERO); 70],
        (0..100).map(|i| unit(DVec3::Z * f64::from(i))).collect(),
        (0..100).map(|i| Aabb { min: DVec3::splat(f64::from(i)), max: DVec3::splat(f64::from(i)) }).collect(),
        (0..200)
            .map(|i| match i % 20 {
                0 => unit(DVec3::splat(1e9 * f64::from(i))),
                k => unit(random.in_cube() * 3.0 + DVec3::X * 1e5 * f64::from(k % 2)),
            })
            .collect(),
    ];
    for (scene, boxes) in scenes.iter().enumerate() {
        let (mut oracle, mut engines) = (Oracle::default(), Engines::new());
        for (id, bounds) in (0..).zip(boxes) {
            oracle.boxes.insert(id, *bounds);
            engines.each(|broad| broad.insert(id, *bounds).expect("valid"));
        }
        engines.check_step(&mut oracle, &format!("scene {scene}"));
        assert!(!oracle.pairs.is_empty() || scene == 2);
        for step in 0..40 {
            let id = random.below(boxes.len() as u32);
            let bounds = unit(random.in_cube());
            oracle.boxes.insert(id, bounds);
            engines.each(|broad| broad.move_to(id, bounds).expect("valid"));
            engines.check_step(&mut oracle, &format!("scene {scene}, step {step}"));
        }
        for id in 0..boxes.len() as u32 {
            oracle.boxes.remove(&id);
            engines.each(|broad| assert!(broad.remove(id).is_ok()));
            engines.check_step(&mut oracle, &format!("scene {scene}, without {id}"));
        }
    }
}

/// Bounds that an `f32` cannot tell apart are decided by the `f64`.
#[test]
fn the_last_digit_decides() {
    for at in [1.0, 1e6, -1e12, 1e300] {
        for apart in [false, true] {
            let mut engines = Engines::new();
            let next = if apart { f64::next_up(at) } else { at };
            engines.each(|broad| {
                let (one, two) = (DVec3::splat(at), DVec3::splat(next));
                broad.insert(0, Aabb { min: one - 2.0 * at.abs(), max: one }).expect("valid");
                broad.insert(1, Aabb { min: two, max: two + 2.0 * at.abs() }).expect("valid");
                assert_eq!(broad.step().pairs.is_empty(), apart, "{at}");
            });
        }
    }
}

#[test]
fn what_is_wrong_is_said() {
    let unit = Aabb { min: DVec3::ZERO, max: DVec3::ONE };
    let mut broad = BroadPhase::new();
    assert_eq!(broad.insert(3, Aabb::EMPTY), Err(BroadPhaseError::Empty { id: 3 }));
    let nan = Aabb { max: DVec3::ONE.with_z(f64::NAN), ..unit };
    assert_eq!(broad.insert(3, nan), Err(BroadPhaseError::NotANumber { id: 3 }));
    let nowhere = Aabb { min: DVec3::INFINITY, max: DVec3::INFINITY };
    assert_eq!(broad.insert(3, nowhere), Err(BroadPhaseError::Empty { id: 3 }));
    assert_eq!(
        broad.insert(BroadPhase::LARGEST_ID + 1, unit),
        Err(BroadPhaseError::IdTooLarge { id: BroadPhase::LARGEST_ID + 1 })
    );
    assert_eq!(broad.move_to(3, unit), Err(BroadPhaseError::Missing { id: 3 }));
    assert_eq!(broad.remove(3), Err(BroadPhaseError::Missing { id: 3 }));
    assert_eq!(broad.insert(3, unit), Ok(()));
    assert_eq!(broad.insert(3, unit), Err(BroadPhaseError::Occupied { id: 3 }));
    assert_eq!(broad.move_to(3, nan), Err(BroadPhaseError::NotANumber { id: 3 }));
    // All or none.
    let moved = Aabb { max: DVec3::splat(2.0), ..unit };
    assert_eq!(broad.move_many(&[(3, moved), (4, unit)]), Err(BroadPhaseError::Missing { id: 4 }));
    assert_eq!(broad.get(3), Some(&unit));
    assert_eq!(broad.len(), 1);
    assert_eq!(broad.remove(3), Ok(unit));
    assert!(broad.is_empty());
    assert_eq!(Segment::new(DVec3::NAN, DVec3::ZERO), Err(BroadPhaseError::SegmentNotFinite));
}

/// A segment touches a box exactly when it does so in rational numbers, but for those that pass within rounding.
#[test]
fn segments_never_miss_a_box_that_they_touch() {
    let mut random = Random::new(5);
    let mut touched = 0;
    for case in 0..20_000 {
        let scale = [1.0, 1e-300, 1e150, 1e307][case % 4];
        let mut number = || f64::from(random.below(9)) - 4.0;
        let mut point = || DVec3::new(number(), number(), number());
        let (start, end, corner, other) = (point(), point(), point(), point());
        let bounds = Aabb { min: corner.min(other), max: corner.max(other) };
        let truth = touches(start, end, &bounds);
        let segment = Segment::new(start * scale, end * scale).expect("finite");
        let scaled = Aabb { min: bounds.min * scale, max: bounds.max * scale };
        assert!(segment.may_touch(&scaled) || !truth, "{start} {end} {bounds:?} {scale}");
        // Small whole numbers: a miss is by far more than rounding.
        if scale == 1.0 {
            assert_eq!(segment.may_touch(&scaled), truth, "{start} {end} {bounds:?}");
        }
        touched += usize::from(truth);
    }
    assert!(touched > 3000, "{touched}");
}

/// In whole numbers: between the sides of all slabs at once, at some time `numerator / denominator`.
fn touches(start: DVec3, end: DVec3, bounds: &Aabb) -> bool {
    let (mut from, mut to) = ((0_i64, 1_i64), (1_i64, 1_i64));
    for axis in 0..3 {
        let speed = (end[axis] - start[axis]) as i64;
        let sides = [bounds.min[axis], bounds.max[axis]].map(|side| (side - start[axis]) as i64);
        if speed == 0 {
            if sides[0] > 0 || sides[1] < 0 {
                return false;
            }
            continue;
        }
        let sign = speed.signum();
        let [enter, leave] = if sign > 0 { sides } else { [sides[1], sides[0]] };
        let (enter, leave) = ((enter * sign, speed.abs()), (leave * sign, speed.abs()));
        if enter.0 * from.1 > from.0 * enter.1 {
            from = enter;
        }
        if leave.0 * to.1 < to.0 * leave.1 {
            to = leave;
        }
    }
    from.0 * to.1 <= to.0 * from.1
}

/// Pairs and queries are the same with one thread and with several.
#[cfg(feature = "parallel")]
#[test]
fn every_number_of_threads_gives_the_same() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let mut random = Random::new(9);
            let mut broad = BroadPhase::new();
            for id in 0..12_000 {
                broad.insert(id, random_box(&mut random, 30.0)).expect("valid");
            }
            let mut seen: Vec<Vec<Pair>> = Vec::new();
            for step in 0..6 {
                let one_in = if step < 3 { 1 } else { 40 };
                for id in (0..12_000).filter(|id| id % one_in == 0) {
                    broad.move_to(id, random_box(&mut random, 30.0)).expect("valid");
                }
                let step = broad.step();
                seen.extend([step.pairs.to_vec(), step.began.to_vec(), step.ended.to_vec()]);
            }
            seen
        })
    };
    let alone = run(1);
    assert!(alone[0].len() > 10_000);
    assert!(run(2) == alone && run(5) == alone);
}

/// What changed since the last step is tried one by one, and what was moved to where it stood has no new pairs.
#[test]
fn what_was_not_stepped_yet_is_found_all_the_same() {
    let unit = Aabb { min: DVec3::ZERO, max: DVec3::ONE };
    for algorithm in Algorithm::ALL {
        let mut broad = BroadPhase::with_algorithm(algorithm);
        broad.insert(0, unit).expect("valid");
        broad.insert(5, unit).expect("valid");
        let mut found = Vec::new();
        broad.overlapping(&unit, &mut found);
        assert_eq!(found, [0, 5], "{algorithm:?}");
        assert_eq!((broad.len(), broad.get(5), broad.get(4)), (2, Some(&unit), None));
        assert_eq!(broad.step().began, [Pair::new(0, 5)], "{algorithm:?}");
        broad.move_to(5, unit).expect("valid");
        let step = broad.step();
        assert!(step.began.is_empty() && step.ended.is_empty() && step.pairs.len() == 1, "{algorithm:?}");
    }
}
