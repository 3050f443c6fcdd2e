//! Characters: they climb stairs and come down again, walk on slopes that are not too steep, stand on lifts, are pushed, crouch, and are never stuck or
//! inside of anything.

use std::sync::Arc;

use impinge::glam::{DQuat, DVec3};
use impinge::shapes;
use impinge::world::{Body, Character, CharacterOptions, Kind, SlideOptions, World, WorldOptions};
use impinge::{Mesh, Model, Motion, Trs};

use crate::character_scenes::{
    FEET, Foot, HEIGHT, HERE, RADIUS, RISE, STEPS, Scene, Site, cuboid, faces, level, model_of, ramp, room,
    stairs_as_one_mesh, stairs_of_bodies, tiles,
};
use crate::effort::share;

/// Walks up the stairs and down again; returns how many times longer than on the level the two took.
fn climb(scene: &mut Scene, speed: f64, rate: f64) -> [f64; 2] {
    // Slow ones need not climb all of it.
    let is_slow = speed < 0.5;
    [(1.0, if is_slow { 0.75 } else { 2.5 }), (-1.0, if is_slow { -0.31 } else { -0.6 })].map(
        |(sign, goal)| {
            let ideal = (goal - scene.place().x) * sign / speed * rate;
            let mut made = 0.0;
            while (goal - scene.place().x) * sign > 0.0 {
                let before = scene.place();
                let step = scene.update([sign * speed, 0.0, 0.0], 1.0 / rate);
                made += 1.0;
                let place = scene.place();
                let what = || format!("{speed} m/s at {rate} Hz, update {made} from {before}: {step:?}");
                // Hardly slower than on the level, always on the stairs, and straight on.
                assert!(made <= 1.1 * ideal + 3.0 && step.is_grounded && place.y.abs() < 1e-6, "{}", what());
                assert!((place.z - before.z).abs() <= 0.35 + speed / rate + 1e-6, "{}", what());
            }
            let height = scene.place().z;
            match sign > 0.0 {
                true if is_slow => assert!(height > 1.9 * RISE, "{height}"),
                true => assert!((height - RISE * STEPS as f64).abs() < 1e-6, "{height}"),
                false => assert!(height.abs() < 1e-6, "{height}"),
            }
            scene.assert_is_free();
            made / ideal.max(1.0)
        },
    )
}

#[test]
fn stairs_are_climbed_and_descended_by_all_shapes_at_all_speeds_and_rates() {
    let sites = [
        HERE,
        Site { degrees: 33.7, origin: DVec3::ZERO },
        Site { degrees: -121.3, origin: DVec3::new(3e4, -7e4, 1e3) },
    ];
    let places = [(false, sites[0]), (true, sites[0]), (false, sites[1]), (true, sites[2])];
    let every = 100 / share(5, 100).clamp(1, 100);
    let mut case = 0;
    let mut slowest: f64 = 0.0;
    for speed in [0.1, 0.5, 1.0, 2.0, 4.0, 7.0, 10.0] {
        for rate in [30.0, 60.0, 240.0] {
            for (foot, (is_one, site)) in FEET.iter().flat_map(|foot| places.map(|place| (*foot, place))) {
                case += 1;
                // Another one of the places for each speed, rate and shape.
                if case % every != speed as u64 % every {
                    continue;
                }
                let solids = if is_one { stairs_as_one_mesh() } else { stairs_of_bodies() };
                let start = if speed < 0.5 { -0.31 } else { -0.9 };
                let mut scene = Scene::new(solids, site, foot, [start, 0.0, 0.0], CharacterOptions::new());
                scene.update([0.0; 3], 1.0 / rate);
                let longer = climb(&mut scene, speed, rate);
                slowest = longer.into_iter().fold(slowest, f64::max);
            }
        }
    }
    println!("at most {slowest:.3} times as long as on the level");
}

#[test]
fn slopes_are_walked_up_and_down_as_fast_as_the_level() {
    for (foot, degrees) in
        FEET.into_iter().flat_map(|foot| [5.0, 20.0, 30.0, 44.0, 45.0].map(|degrees| (foot, degrees)))
    {
        let slope = f64::to_radians(degrees).tan();
        for rate in [30.0, 240.0] {
            let mut scene = Scene::new(ramp(degrees), HERE, foot, [-1.0, 0.0, 0.0], CharacterOptions::new());
            scene.update([0.0; 3], 1.0 / rate);
            for (speed, goal) in [(2.0, 3.0), (-2.0, -1.0)] {
                for _ in 0..(2.0 * rate) as u32 {
                    let step = scene.update([speed, 0.0, 0.0], 1.0 / rate);
                    let place = scene.place();
                    assert!(step.is_grounded, "{foot:?} {degrees}° {rate} Hz at {place}: {step:?}");
                    // The lower side of the box touches the ramp with its front; the others with their round feet.
                    assert!(
                        place.z <= (place.x + RADIUS).max(0.0) * slope + 1e-6,
                        "{foot:?} {degrees}° at {place}"
                    );
                }
                assert!(
                    (scene.place().x - goal).abs() < 0.1,
                    "{foot:?} {degrees}° {rate} Hz: {}",
                    scene.place()
                );
            }
            assert!(scene.place().z < 1e-6);
            scene.assert_is_free();
        }
    }
}

#[test]
fn too_steep_slopes_are_not_climbed_and_are_slid_down() {
    for (foot, degrees) in FEET.into_iter().flat_map(|foot| [46.0, 60.0, 80.0].map(|degrees| (foot, degrees)))
    {
        for (speed, rate) in [(0.1, 60.0), (1.0, 240.0), (3.0, 60.0), (10.0, 30.0)] {
            let mut scene = Scene::new(ramp(degrees), HERE, foot, [-0.5, 0.0, 0.0], CharacterOptions::new());
            scene.update([0.0; 3], 1.0 / rate);
            for k in 0..60 {
                // Straight up, and at a slant.
                let aside = 0.1 * speed * if k % 2 == 0 { 1.0 } else { -1.0 };
                let step = scene.update([speed, aside, 0.0], 1.0 / rate);
                let place = scene.place();
                assert!(
                    place.z < 1e-6 && step.is_grounded,
                    "{foot:?} {degrees}° {speed} {rate} at {place}: {step:?}"
                );
            }
            scene.assert_is_free();
        }
        // Put onto it, it slides down, even against its wish.
        for wish in [0.0, 2.0] {
            let height = 1.2 * f64::to_radians(degrees).tan();
            let mut scene =
                Scene::new(ramp(degrees), HERE, foot, [0.7, 0.0, height], CharacterOptions::new());
            let mut updates = 0;
            while scene.place().z > 1e-6 {
                let before = scene.place().z;
                scene.update([wish, 0.0, 0.0], 1.0 / 60.0);
                assert!(scene.place().z < before, "{foot:?} {degrees}° at {}", scene.place());
                updates += 1;
                assert!(updates < 3000, "{foot:?} {degrees}° at {}", scene.place());
            }
            scene.assert_is_free();
        }
    }
}

#[test]
fn inner_edges_of_a_floor_of_tiles_stop_nobody() {
    let far = Site { degrees: 17.0, origin: DVec3::new(-5e3, 8e3, 100.0) };
    for (foot, is_one) in FEET.into_iter().flat_map(|foot| [(foot, false), (foot, true)]) {
        for (site, wish) in [(HERE, [2.0, 0.0]), (HERE, [-1.0, 1.0]), (HERE, [0.3, -2.0]), (far, [1.5, 0.7])]
        {
            let mut scene = Scene::new(tiles(is_one), site, foot, [-0.5, 0.5, 0.0], CharacterOptions::new());
            // It walks at once, from where it touches exactly.
            let start = scene.place();
            for k in 1..=120 {
                let step = scene.update([wish[0], wish[1], 0.0], 1.0 / 60.0);
                let expected = start + DVec3::new(wish[0], wish[1], 0.0) * (f64::from(k) / 60.0);
                let off = (scene.place() - expected).length();
                assert!(
                    off < 1e-6 && step.is_grounded && !step.stepped,
                    "{foot:?} {is_one} {wish:?} {k}: {off} {step:?}"
                );
            }
            scene.assert_is_free();
        }
    }
}

#[test]
fn who_starts_exactly_in_a_corner_walks_out_of_it_and_along_walls() {
    for (foot, degrees) in FEET.into_iter().flat_map(|foot| [0.0, 41.3].map(|degrees| (foot, degrees))) {
        let site = Site { degrees, origin: DVec3::ZERO };
        for k in 0..12 {
            let (sin, cos) = (f64::from(k) * 30.0_f64).to_radians().sin_cos();
            let mut scene = Scene::new(room(), site, foot, [RADIUS, RADIUS, 0.0], CharacterOptions::new());
            // Into the corner first.
            for _ in 0..10 {
                scene.update([-1.0, -1.0, 0.0], 1.0 / 60.0);
            }
            let start = scene.place();
            assert!((start - DVec3::new(RADIUS, RADIUS, 0.0)).length() < 0.02, "{foot:?}: {start}");
            for _ in 0..60 {
                let step = scene.update([2.0 * cos, 2.0 * sin, 0.0], 1.0 / 60.0);
                assert!(step.is_grounded, "{foot:?} {k}: {step:?}");
            }
            // A tessellated foot hits a wall with a face that is not quite that of the wall.
            let expected = DVec3::new(2.0 * cos.max(0.0), 2.0 * sin.max(0.0), 0.0);
            let off = (scene.place() - start - expected).length();
            assert!(
                off < if foot == Foot::Box { 1e-6 } else { 0.03 },
                "{foot:?} {degrees}° {k}: {off} from {expected}"
            );
            scene.assert_is_free();
        }
    }
}

#[test]
fn a_character_falls_lands_and_jumps() {
    for foot in FEET {
        let mut solids = tiles(false);
        solids.push(cuboid([-1.0, -1.0, 3.0], [1.0, 1.0, 3.5]));
        let mut scene = Scene::new(solids, HERE, foot, [3.0, 3.0, 2.0], CharacterOptions::new());
        let mut updates = 0;
        while !scene.update([0.0; 3], 0.01).is_grounded {
            updates += 1;
            assert!(updates < 100);
        }
        // The fall of 2 m takes 0.64 s.
        assert!((62..=66).contains(&updates), "{foot:?}: {updates}");
        assert!(scene.place().z < 1e-6 && scene.character.rising() == 0.0);
        // A jump of 4 m/s goes up by v²/2g = 0.815 m.
        scene.character.jump(4.0);
        let mut highest: f64 = 0.0;
        for _ in 0..90 {
            scene.update([0.0; 3], 0.01);
            highest = highest.max(scene.place().z);
        }
        assert!((highest - 0.815).abs() < 0.03 && scene.character.is_grounded(), "{foot:?}: {highest}");
        // Under the ceiling, which is lower than that above the head.
        let mut low = Scene::new(
            vec![cuboid([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0]), cuboid([-5.0, -5.0, 2.0], [5.0, 5.0, 3.0])],
            HERE,
            foot,
            [0.0; 3],
            CharacterOptions::new(),
        );
        low.update([0.0; 3], 0.01);
        low.character.jump(8.0);
        for _ in 0..200 {
            low.update([0.5, 0.0, 0.0], 0.01);
        }
        assert!(
            low.character.is_grounded() && (low.place().x - 1.0).abs() < 1e-6,
            "{foot:?}: {}",
            low.place()
        );
    }
}

#[test]
fn between_two_steep_slopes_a_character_is_held_and_can_jump() {
    for foot in FEET {
        let mut solids = ramp(60.0);
        let mirrored: Vec<DVec3> = solids[1].vertices().map(|v| DVec3::new(-0.2 - v.x, -v.y, v.z)).collect();
        solids[0] = Mesh::polygons(mirrored, faces(&solids[1])).unwrap();
        let mut scene = Scene::new(solids, HERE, foot, [0.3, 0.0, 3.0], CharacterOptions::new());
        for _ in 0..300 {
            scene.update([0.0; 3], 1.0 / 60.0);
        }
        let held = scene.place();
        for _ in 0..10 {
            assert!(scene.update([0.0; 3], 1.0 / 60.0).is_grounded, "{foot:?} at {held}");
        }
        assert!((scene.place() - held).length() < 1e-6, "{foot:?}: {held} {}", scene.place());
        scene.character.jump(3.0);
        let before = scene.place().z;
        (0..10).for_each(|_| drop(scene.update([0.0; 3], 1.0 / 60.0)));
        assert!(scene.place().z > before + 0.2, "{foot:?}");
        scene.assert_is_free();
    }
}

#[test]
fn lifts_carry_characters_and_doors_push_them() {
    for foot in FEET {
        let mut scene = Scene::new(
            vec![cuboid([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0])],
            HERE,
            foot,
            [1.0, 1.0, 0.2],
            CharacterOptions::new(),
        );
        let plate = Model::new(shapes::cuboid([0.0, 0.0, 0.0], [3.0, 3.0, 0.2]).unwrap());
        let lift = scene.world.insert(Body::kinematic(plate, Trs::IDENTITY)).unwrap();
        let ride = |scene: &mut Scene, wish: [f64; 3], by: [f64; 3], updates: u32| {
            for k in 0..updates {
                let step = scene.update(wish, 1.0 / 60.0);
                assert!(
                    step.is_grounded && step.ground.is_some_and(|ground| ground.body == lift),
                    "{k}: {step:?}"
                );
                // The lift moved before the last update but one.
                let velocity = DVec3::from(by) * 60.0;
                assert!(k < 2 || (step.ground_velocity - velocity).length() < 1e-6, "{k}: {step:?}");
                let made = scene.world.step(&[(lift, Motion::translation(by).unwrap())]).unwrap();
                assert_eq!(made.moves[0].fraction, 1.0, "{foot:?} {k}: {made:?}");
            }
            scene.assert_is_free();
        };
        scene.update([0.0; 3], 1.0 / 60.0);
        scene.world.step(&[]).unwrap();
        ride(&mut scene, [0.0; 3], [0.0, 0.0, 0.05], 60);
        assert!((scene.place() - DVec3::new(1.0, 1.0, 3.2)).length() < 1e-6, "{foot:?} {}", scene.place());
        // It walks while the lift goes sideways, and down.
        ride(&mut scene, [0.6, 0.3, 0.0], [-0.02, 0.01, 0.0], 60);
        assert!((scene.place() - DVec3::new(0.4, 1.9, 3.2)).length() < 1e-6, "{foot:?} {}", scene.place());
        ride(&mut scene, [0.0; 3], [0.0, 0.0, -0.05], 30);
        assert!((scene.place() - DVec3::new(0.4, 1.9, 1.7)).length() < 1e-6, "{foot:?} {}", scene.place());

        let mut scene = Scene::new(
            vec![cuboid([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0])],
            HERE,
            foot,
            [1.0, 0.0, 0.0],
            CharacterOptions::new(),
        );
        let door = Model::new(shapes::cuboid([-0.1, -1.0, 0.01], [0.1, 1.0, 2.0]).unwrap());
        let door = scene.world.insert(Body::kinematic(door, Trs::IDENTITY)).unwrap();
        for _ in 0..60 {
            // It leans against the door.
            scene.update([-0.5, 0.0, 0.0], 1.0 / 60.0);
            let made = scene.world.step(&[(door, Motion::translation([0.05, 0.0, 0.0]).unwrap())]).unwrap();
            assert_eq!(made.moves[0].fraction, 1.0, "{foot:?} at {}: {made:?}", scene.place());
            scene.assert_is_free();
        }
        assert!((scene.place().x - (3.1 + RADIUS)).abs() < 0.01, "{foot:?} {}", scene.place());
    }
}

#[test]
fn who_crouches_passes_a_tunnel_and_stands_up_only_behind_it() {
    let solids = vec![cuboid([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0]), cuboid([1.0, -9.0, 1.2], [3.0, 9.0, 3.0])];
    let mut scene = Scene::new(solids, HERE, Foot::Box, [0.0; 3], CharacterOptions::new());
    scene.world.record();
    let low = Arc::new(Model::new(cuboid([-RADIUS, -RADIUS, 0.0], [RADIUS, RADIUS, 0.9])));
    let walk = |scene: &mut Scene, updates: u32| {
        (0..updates).for_each(|_| drop(scene.update([2.0, 0.0, 0.0], 1.0 / 60.0)));
    };
    walk(&mut scene, 60);
    assert!((scene.place().x - 0.7).abs() < 1e-6, "{}", scene.place());
    assert!(
        scene.character.crouch(&mut scene.world, Arc::clone(&low)).unwrap() && scene.character.is_crouching()
    );
    walk(&mut scene, 30);
    assert!((scene.place().x - 1.7).abs() < 1e-6, "{}", scene.place());
    let hash = scene.world.hash();
    assert!(!scene.character.stand_up(&mut scene.world).unwrap() && scene.character.is_crouching());
    assert_eq!(scene.world.hash(), hash, "nothing has changed");
    walk(&mut scene, 60);
    assert!(scene.character.stand_up(&mut scene.world).unwrap() && !scene.character.is_crouching());
    assert!(scene.world.overlaps().is_empty());
    scene.assert_is_free();
    assert!((scene.world.get(scene.body).unwrap().placed().bounds().size().z - HEIGHT).abs() < 1e-12);
}

#[test]
fn walks_through_levels_are_never_inside_and_never_stuck() {
    for seed in 0..share(1, 20) {
        let solids = level(seed);
        for foot in FEET {
            let mut scene = Scene::new(solids.clone(), HERE, foot, [0.0, 0.0, 8.0], CharacterOptions::new());
            let mut random = shapes::Random::new(seed + 1000);
            let mut windows = 0;
            for _ in 0..20 {
                let angle = std::f64::consts::TAU * random.unit();
                let wish = DVec3::new(angle.cos(), angle.sin(), 0.0) * (0.2 + 6.0 * random.unit());
                let start = scene.place();
                for _ in 0..30 {
                    scene.update(wish.to_array(), 1.0 / 60.0);
                    scene.assert_is_free();
                }
                windows += 1;
                let moved = (scene.place() - start).length();
                if moved < 0.005 * wish.length() {
                    assert!(
                        !could_move(&scene, wish),
                        "{foot:?} seed {seed} window {windows} at {}",
                        scene.place()
                    );
                }
            }
            assert!(scene.place().z > -1e-6 && scene.place().abs().max_element() < 12.0, "{}", scene.place());
        }
    }
}

/// Whether a place near by, more or less along a wish, is free.
fn could_move(scene: &Scene, wish: DVec3) -> bool {
    let own = scene.world.get(scene.body).unwrap();
    [0.0, 20.0, -20.0, 45.0, -45.0, 65.0, -65.0_f64].iter().any(|degrees| {
        let by = DQuat::from_rotation_z(degrees.to_radians()) * wish.normalize_or_zero() * 0.02;
        let placed = own.model().at(Trs::translation(scene.place() + by).unwrap());
        scene.world.iter().all(|(handle, body)| handle == scene.body || !placed.intersects(&body.placed()))
    })
}

#[test]
fn walks_are_recorded_and_made_again() {
    let run = |parallel: bool| {
        let mut world = World::with_options(WorldOptions::new().parallel(parallel));
        world.record();
        for solid in stairs_of_bodies() {
            world.insert(Body::fixed(Model::new(solid), Trs::IDENTITY)).unwrap();
        }
        let body = world
            .insert(Body::moving(model_of(Foot::Capsule), Trs::translation([-1.0, 0.0, 0.5]).unwrap()))
            .unwrap();
        let mut character = Character::new(body);
        let low = Arc::new(Model::new(cuboid([-0.2, -0.2, 0.0], [0.2, 0.2, 0.9])));
        for k in 0..60 {
            character.update(&mut world, [2.5, 0.1, 0.0], 1.0 / 30.0).unwrap();
            match k {
                20 => drop(character.crouch(&mut world, Arc::clone(&low)).unwrap()),
                30 => character.jump(3.0),
                40 => drop(character.stand_up(&mut world).unwrap()),
                _ => {}
            }
            world.step(&[]).unwrap();
        }
        (world.hash(), world.take_log().unwrap())
    };
    let (hash, log) = run(true);
    assert_eq!(run(false).0, hash);
    assert!([true, false].iter().all(|parallel| log.replay(*parallel).hash() == hash));
}

#[test]
fn wishes_and_times_that_are_no_numbers_are_refused_and_change_nothing() {
    for foot in [Foot::Box, Foot::Capsule] {
        for is_falling in [false, true] {
            let start = [0.0, 0.0, if is_falling { 3.0 } else { 0.0 }];
            let mut scenes =
                [(); 2].map(|()| Scene::new(tiles(false), HERE, foot, start, CharacterOptions::new()));
            for k in 0..20 {
                let steps = scenes.each_mut().map(|scene| scene.update([1.0, 0.2, 0.0], 1.0 / 60.0));
                assert_eq!(steps[0], steps[1], "{foot:?} {is_falling} {k}");
                let Scene { world, character, body, .. } = &mut scenes[0];
                let hash = world.hash();
                for bad in [f64::NAN, f64::INFINITY, -1e300] {
                    assert!(character.update(world, [bad, 0.0, 0.0], 1.0 / 60.0).is_err(), "{bad}");
                    assert!(character.update(world, [1.0, 0.0, 0.0], bad).is_err(), "{bad}");
                    for options in [SlideOptions::new(), SlideOptions::new().step_up(0.3).snap(0.3)] {
                        assert!(world.slide(*body, [0.0, bad, 0.0], &options).is_err(), "{bad}");
                    }
                }
                assert_eq!(world.hash(), hash);
            }
        }
    }
}

#[test]
fn an_update_of_a_body_that_is_gone_or_does_not_move_changes_no_fall() {
    let mut scene = Scene::new(tiles(false), HERE, Foot::Box, [0.0, 0.0, 3.0], CharacterOptions::new());
    scene.update([0.0; 3], 0.1);
    let rising = scene.character.rising();
    scene.world.set_kind(scene.body, Kind::Sensor).unwrap();
    assert!(scene.character.update(&mut scene.world, [0.0; 3], 0.1).is_err());
    assert_eq!(scene.character.rising(), rising);
    scene.world.set_kind(scene.body, Kind::Moving).unwrap();
    let place = scene.place().z;
    scene.update([0.0; 3], 0.1);
    assert!((place - scene.place().z - 0.1 * (0.981 - rising)).abs() < 1e-9);
}
