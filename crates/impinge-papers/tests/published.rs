//! The collision system of Blow 1997 as it was published: nothing interpenetrates, filters contradict nothing, speedboxes let nothing through.

use std::sync::Arc;

use impinge::math::DVec3;
use impinge::shapes::{self, Random, Shape};
use impinge::{Model, Motion, Placement, Trs, Verdict};
use impinge_papers::blow::arena::{Arena, Filter, Game, Method};
use impinge_papers::blow::filters;
use impinge_papers::blow::game_world::{Entity, GameError, GameWorld};
use impinge_papers::blow::published::{Chain, PublishedOptions, PublishedWorld};

fn cuboid(low: [f64; 3], high: [f64; 3]) -> Arc<Model> {
    Arc::new(Model::new(shapes::cuboid(low, high).unwrap()))
}

fn at(x: f64, y: f64, z: f64) -> Placement {
    Trs::translation([x, y, z]).unwrap().into()
}

/// A stage is asked about all pairs that the one before left open; the last decides.
fn assert_counts_add_up(filters: &[Filter]) {
    assert_eq!(filters[0].name, "grid");
    for pair in filters.windows(2) {
        assert_eq!(pair[1].asked, pair[0].asked - pair[0].decided, "{pair:?}");
    }
    let last = filters.last().unwrap();
    assert_eq!((last.name, last.asked), ("hard case", last.decided));
}

fn chains() -> Vec<Chain> {
    let flags = |bits: u32| [0, 1, 2, 3, 4].map(|bit| bits >> bit & 1 == 1);
    (0..32)
        .map(|bits| {
            let [manhattan, spheres, boxes, plane, early_vertex] = flags(bits);
            Chain { manhattan, spheres, boxes, plane, early_vertex }
        })
        .collect()
}

#[test]
fn a_fast_box_is_stopped_by_a_thin_wall_only_with_speedboxes() {
    for (speed, degrees) in [(7.0, 0.0), (40.0, 0.0), (333.0, 20.0), (1e4, 90.0)] {
        for fast_share in [Some(0.5), None] {
            let options = PublishedOptions { fast_share, ..PublishedOptions::default() };
            let mut world = PublishedWorld::new(options);
            let wall = cuboid([-0.005, -9.0, -9.0], [0.005, 9.0, 9.0]);
            let wall = world.insert(wall, at(2.0, 0.0, 0.0), true).unwrap();
            let thrown = world.insert(cuboid([-0.5; 3], [0.5; 3]), at(0.0, 0.1, 0.2), false).unwrap();
            let by = [speed, 0.0, 0.0];
            let motion = if degrees == 0.0 {
                Motion::translation(by).unwrap()
            } else {
                Motion::rigid(by, [0.0, 0.1, 0.2], [0.3, 0.2, 1.0], degrees).unwrap()
            };
            let made = world.try_move(thrown, &motion).unwrap();
            let x = made.placement.world_from_model().translation.x;
            let speedboxes = world.more_counts().unwrap().speedboxes;
            if fast_share.is_some() {
                assert!(x < 2.0 && made.fraction < 1.0 && speedboxes > 0, "{speed}: {made:?}");
                assert_eq!(made.hits.len(), 1);
                assert_eq!(made.hits[0].other, wall);
                assert!(made.hits[0].features.iter().all(|feature| feature.normal.x > 0.9), "{made:?}");
            } else {
                assert!(x > 2.0 && made.fraction == 1.0 && made.hits.is_empty(), "{speed}: {made:?}");
                assert_eq!(speedboxes, 0);
            }
        }
    }
}

#[test]
fn a_fast_body_is_not_stopped_by_what_only_its_speedbox_meets() {
    let mut world = PublishedWorld::new(PublishedOptions::default());
    // Beside a way that leads across: within the box around it, and clear of the body all along.
    for (x, y) in [(6.0, 0.0), (0.0, 6.0), (9.0, 4.5)] {
        world.insert(cuboid([-1.0; 3], [1.0; 3]), at(x, y, 0.0), true).unwrap();
    }
    let body = world.insert(cuboid([-0.9; 3], [0.9; 3]), at(0.0, 0.0, 0.0), false).unwrap();
    let made = world.try_move(body, &Motion::translation([12.0, 12.0, 0.0]).unwrap()).unwrap();
    assert_eq!((made.fraction, made.hits.len()), (1.0, 0), "{made:?}");
    let counts = world.more_counts().unwrap();
    assert!(counts.speedboxes > 1 && counts.collisions > 0, "{counts:?}");
}

#[test]
fn all_close_features_are_handed_over() {
    let mut world = PublishedWorld::new(PublishedOptions::default());
    let floor = world.insert(cuboid([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0]), at(0.0, 0.0, 0.0), true).unwrap();
    let crate_ = world.insert(cuboid([-0.5; 3], [0.5; 3]), at(0.0, 0.0, 0.6), false).unwrap();
    let made = world.try_move(crate_, &Motion::translation([0.0, 0.0, -0.2]).unwrap()).unwrap();
    assert_eq!((made.hits.len(), made.hits[0].other), (1, floor));
    let features = &made.hits[0].features;
    // The four lower corners: one pair would make the crate tip over.
    assert_eq!(features.len(), 4, "{features:?}");
    for feature in features {
        assert!(feature.normal.distance(DVec3::NEG_Z) < 1e-9 && feature.distance <= 0.01, "{feature:?}");
    }
    // Halved down to a sixty-fourth of the step above the floor, and not below it.
    let height = made.placement.world_from_model().translation.z - 0.5;
    assert!((0.0..=0.2 / 64.0).contains(&height), "{height}");
}

#[test]
fn the_closest_pair_is_among_the_close_features() {
    let mut random = Random::new(6);
    let shapes = [Shape::Hovertank, Shape::RepairPad, Shape::CargoBox];
    let models = shapes.map(|shape| Arc::new(Model::new(shape.generate(200, 0))));
    let mut told = 0;
    for case in 0..60 {
        let mut world = PublishedWorld::new(PublishedOptions::default());
        let still = world.insert(models[case % 3].clone(), at(0.0, 0.0, 0.0), true).unwrap();
        let from = random.direction() * 12.0;
        let start = Trs::translation(from).unwrap().into();
        let mover = world.insert(models[case / 3 % 3].clone(), start, false).unwrap();
        let motion = match case % 4 {
            0 => Motion::translation(-from).unwrap(),
            1 => Motion::rigid(-from, from, random.direction(), 70.0).unwrap(),
            2 => Motion::translation(-from).unwrap().then_rotation(DVec3::ZERO, DVec3::X, 30.0).unwrap(),
            _ => Motion::rotation(from * 0.5, from.any_orthonormal_vector(), 180.0).unwrap(),
        };
        let made = world.try_move(mover, &motion).unwrap();
        let [moved, still] = [mover, still].map(|entity| world.placed(entity).unwrap());
        let closest = moved.distance(&still).distance;
        for hit in &made.hits {
            told += 1;
            let nearest = hit.features.iter().map(|feature| feature.distance).fold(f64::INFINITY, f64::min);
            assert!((nearest - closest).abs() < 1e-9, "case {case}: {nearest} of {closest}, {made:?}");
        }
    }
    assert!(told > 40, "{told}");
}

/// A search that ends exactly where two bodies touch hands over the features that do, with the normal.
#[test]
fn a_search_that_ends_touching_tells_what_touches() {
    let octahedron = Arc::new(Model::new(shapes::octahedron(0.5).unwrap()));
    let cube = cuboid([-0.5; 3], [0.5; 3]);
    for (name, model, side, features) in [
        ("face on face", cube.clone(), 0.0, 4),
        ("half of a face on half of one", cube.clone(), 0.25, 4),
        ("vertex on face", octahedron, 0.125, 1),
    ] {
        let mut world =
            PublishedWorld::new(PublishedOptions { fast_share: None, ..PublishedOptions::default() });
        let still = world.insert(cube.clone(), at(0.0, 0.0, 0.0), true).unwrap();
        let mover = world.insert(model, at(-4.0, side, 0.0), false).unwrap();
        // Three quarters of it are the way to where they touch.
        let made = world.try_move(mover, &Motion::translation([4.0, 0.0, 0.0]).unwrap()).unwrap();
        assert_eq!((made.fraction, made.hits.len()), (0.75, 1), "{name}");
        assert_eq!(made.hits[0].other, still);
        let touching = made.hits[0].features.iter().filter(|feature| feature.distance == 0.0);
        let touching: Vec<_> = touching.filter(|feature| feature.normal.distance(DVec3::X) < 1e-12).collect();
        assert!(touching.len() >= features, "{name}: {made:?}");
        assert!(touching.iter().all(|feature| feature.point.x == -0.5), "{name}: {made:?}");
        let [moved, still] = [mover, still].map(|entity| world.placed(entity).unwrap());
        assert_eq!(moved.verdict(&still), Verdict::Touching);
    }
}

/// Bodies that fly about at random, some fast, among pads, tanks and boxes; the hash of where they end, and the counts.
fn random_flight(options: PublishedOptions, seed: u64, from: DVec3) -> (u64, Vec<Filter>) {
    let mut random = Random::new(seed);
    let mut world = PublishedWorld::new(options);
    let shapes = [Shape::Hovertank, Shape::RepairPad, Shape::CargoBox];
    let models = shapes.map(|shape| Arc::new(Model::new(shape.generate(200, 0))));
    let ground = cuboid([-20.0, -20.0, -1.0], [20.0, 20.0, 0.0]);
    world.insert(ground, Trs::translation(from).unwrap().into(), true).unwrap();
    let mut bodies: Vec<Entity> = Vec::new();
    while bodies.len() < 9 {
        let turn = Trs::rotation_about_axis(random.direction(), 360.0 * random.unit()).unwrap();
        let place = from + random.in_cube() * 4.0 + DVec3::Z * 5.0;
        let place = Placement::from(Trs::rigid(place, turn.orientation()).unwrap());
        let model = &models[bodies.len() % 3];
        if world.meeting(&model.at(place), None).is_empty() {
            bodies.push(world.insert(model.clone(), place, false).unwrap());
        }
    }
    for step in 0..12 {
        let moves: Vec<(Entity, Motion)> = bodies
            .iter()
            .map(|&body| {
                let fast = if random.below(4) == 0 { 9.0 } else { 0.5 };
                let center = world.placed(body).unwrap().placement().world_from_model().translation;
                // Towards the middle, so that they meet.
                let by = (from + DVec3::Z * 3.0 - center).normalize_or_zero() + random.in_cube();
                let degrees = 60.0 * (random.unit() - 0.5);
                (body, Motion::rigid(by * fast, center, random.direction(), degrees).unwrap())
            })
            .collect();
        world.step(&moves).unwrap();
        for (i, a) in bodies.iter().enumerate() {
            let placed = world.placed(*a).unwrap();
            for b in world.meeting(&placed, Some(*a)) {
                let verdict = placed.verdict(&world.placed(b).unwrap());
                assert_eq!(verdict, Verdict::Touching, "seed {seed}, step {step}, bodies {i} and {b:?}");
            }
        }
    }
    (world.hash(), world.filters())
}

#[test]
fn no_filter_contradicts_the_hard_case_and_nothing_interpenetrates() {
    // All chains near the origin and some of them far from it; in debug a few.
    let (worlds, step, squares): (&[_], _, &[_]) = if cfg!(debug_assertions) {
        (&[(1, DVec3::ZERO)], 16, &[0.7])
    } else {
        (&[(1, DVec3::ZERO), (2, DVec3::new(3e5, -7e5, 1e5))], 1, &[0.7, 1e4])
    };
    for &(seed, from) in worlds {
        let usual = PublishedOptions::default();
        let (hash, filters) = random_flight(usual, seed, from);
        assert_counts_add_up(&filters);
        assert!(filters.iter().all(|filter| filter.decided > 0), "{filters:?}");
        for chain in chains().into_iter().step_by(if seed > 1 { 11 } else { step }) {
            let (other, filters) = random_flight(PublishedOptions { chain, ..usual }, seed, from);
            assert_eq!(other, hash, "{chain:?}");
            assert_counts_add_up(&filters);
        }
        for &square in squares {
            let (other, _) = random_flight(PublishedOptions { square, ..usual }, seed, from);
            assert_eq!(other, hash, "squares of {square}");
        }
    }
}

#[test]
fn the_filters_that_were_taken_out_do_decide() {
    let options = PublishedOptions { chain: Chain::ALL, ..PublishedOptions::default() };
    let (_, filters) = random_flight(options, 1, DVec3::ZERO);
    let decided = |name: &str| filters.iter().find(|filter| filter.name == name).map(|filter| filter.decided);
    assert!(decided("early vertex hit") > Some(0), "{filters:?}");
    // Centers that are far along several axes: a wide square and small bodies.
    let mut world = PublishedWorld::new(PublishedOptions { chain: Chain::ALL, square: 100.0, ..options });
    let moving = world.insert(cuboid([-0.5; 3], [0.5; 3]), at(1.0, 1.0, 1.0), false).unwrap();
    world.insert(cuboid([-0.5; 3], [0.5; 3]), at(9.0, 9.0, 9.0), true).unwrap();
    world.try_move(moving, &Motion::translation([0.1, 0.0, 0.0]).unwrap()).unwrap();
    let filters = world.filters();
    assert_eq!((filters[1].name, filters[1].decided), ("manhattan distance", 1), "{filters:?}");
}

#[test]
fn what_starts_in_another_is_told_and_put_elsewhere() {
    let mut world = PublishedWorld::new(PublishedOptions::default());
    let block = world.insert(cuboid([-2.0; 3], [2.0; 3]), at(0.0, 0.0, 0.0), true).unwrap();
    let body = world.insert(cuboid([-0.5; 3], [0.5; 3]), at(0.1, 0.0, 0.2), false).unwrap();
    let made = world.try_move(body, &Motion::translation([0.3, 0.0, 0.0]).unwrap()).unwrap();
    assert!(made.started_overlapping && made.fraction == 0.0, "{made:?}");
    assert_eq!((made.hits[0].other, made.hits[0].features.len()), (block, 0));
    assert_eq!(world.resolve_overlap(body, 1.0), Ok(false));
    assert_eq!(world.resolve_overlap(body, 9.0), Ok(true));
    let [a, b] = [body, block].map(|entity| world.placed(entity).unwrap());
    assert_eq!(a.verdict(&b), Verdict::Clear);
    assert!(a.placement().world_from_model().translation.length() < 5.0);
    assert_eq!(world.try_move(block, &Motion::translation([1.0; 3]).unwrap()), Err(GameError::Fixed(block)));
    world.remove(body).unwrap();
    assert_eq!(world.remove(body), Err(GameError::Unknown(body)));
}

#[test]
fn a_body_at_rest_sleeps_until_it_is_hit_or_loses_its_hold() {
    let mut world = PublishedWorld::new(PublishedOptions { sleep_after: 3, ..PublishedOptions::default() });
    let floor = world.insert(cuboid([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0]), at(0.0, 0.0, 0.0), true).unwrap();
    let cube = cuboid([-0.5; 3], [0.5; 3]);
    let lower = world.insert(cube.clone(), at(0.0, 0.0, 0.505), false).unwrap();
    let upper = world.insert(cube.clone(), at(0.0, 0.0, 1.51), false).unwrap();
    let thrown = world.insert(cube, at(4.0, 0.0, 0.505), false).unwrap();
    let left = Motion::translation([-0.01, 0.0, 0.0]).unwrap();
    for _ in 0..5 {
        world.step(&[(thrown, left)]).unwrap();
    }
    let sleeping = |world: &PublishedWorld| [lower, upper].map(|body| world.is_asleep(body).unwrap());
    assert_eq!(sleeping(&world), [true; 2]);
    assert_eq!(world.contacts_of(lower), Ok(vec![floor, upper]));
    // No test is made for those that sleep.
    let asked = world.filters()[0].asked;
    world.step(&[]).unwrap();
    assert_eq!(world.filters()[0].asked, asked);
    let hit = world.try_move(thrown, &Motion::translation([-5.0, 0.0, 0.0]).unwrap()).unwrap();
    assert_eq!(hit.hits.iter().map(|hit| hit.other).collect::<Vec<_>>(), [lower]);
    assert_eq!(sleeping(&world), [false, true]);
    world.remove(lower).unwrap();
    assert_eq!(world.is_asleep(upper), Ok(false));
}

#[test]
#[cfg_attr(debug_assertions, ignore = "long: runs in release")]
fn the_script_ends_well_as_published_whatever_filters_are_asked() {
    let [usual, others @ ..] = filters::ways().map(|way| filters::play(way).unwrap());
    for run in [&usual].into_iter().chain(&others) {
        assert_eq!(run.interpenetrations, 0, "{}", run.way.name);
        assert!(run.landed >= 1.0 && run.asleep_at > 1.0, "{}", run.way.name);
    }
    assert_counts_add_up(&usual.filters);
    assert_eq!([&others[0].hash, &others[1].hash], [&usual.hash; 2]);
    assert_eq!(others[2].hash, others[3].hash);
    // Each test of the paper's table decides something in its own run.
    for (name, ..) in filters::PAPER {
        let filter = usual.filters.iter().find(|filter| filter.name == name);
        assert!(filter.is_some_and(|filter| filter.decided > 0), "{name}: {:?}", usual.filters);
    }
}

#[test]
fn nothing_interpenetrates_in_an_arena_as_published() {
    let seconds = if cfg!(debug_assertions) { 1.0 } else { 8.0 };
    let options = PublishedOptions::default();
    let game =
        Game { players: 3, objects: 9, seconds, method: Method::Published(options), ..Game::default() };
    let play = |game: Game| Arena::new(game).unwrap().play(|| ()).unwrap();
    let report = play(game);
    assert_eq!((report.interpenetrations, report.unstuck), (0, 0), "{}", report.table());
    assert_counts_add_up(&report.filters);
    let chain = Chain::NONE;
    let alone = play(Game { method: Method::Published(PublishedOptions { chain, ..options }), ..game });
    assert_eq!(alone.hash, report.hash);
}
