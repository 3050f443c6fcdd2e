//! Characters where it is hard: levels that are dirty, far from the origin, tiny or huge; and long walks into corners.

use std::sync::Arc;

use impinge::glam::{DMat3, DQuat, DVec3};
use impinge::shapes;
use impinge::world::{Body, Character, CharacterOptions, Kind, World, WorldOptions};
use impinge::{Mesh, Model, Trs};

use crate::character_scenes::{
    FEET, Foot, HERE, RADIUS, RISE, STEPS, Scene, Site, cuboid, faces, model_of, ramp, room,
    stairs_as_one_mesh, stairs_of_bodies, tiles,
};
use crate::effort::share;

/// A floor at z = 0 of one mesh: strips of tiles that are not as long in each, so that corners lie on edges of others; every third tile is there twice, some
/// are turned over, and needles as thin as rounding lie between.
fn dirty_floor() -> Mesh {
    let (mut vertices, mut polygons) = (Vec::new(), Vec::new());
    let mut tile = |low: [f64; 2], high: [f64; 2], is_turned: bool| {
        let first = vertices.len() as u32;
        let corners = [low, [high[0], low[1]], high, [low[0], high[1]]];
        vertices.extend(corners.map(|[x, y]| DVec3::new(x, y, 0.0)));
        let (mut a, mut b) = (vec![first, first + 1, first + 2], vec![first, first + 2, first + 3]);
        if is_turned {
            a.reverse();
            b.reverse();
        }
        polygons.extend([a, b]);
    };
    let mut number = 0;
    for strip in 0..12_u8 {
        let length: f64 = [0.7, 1.0, 1.3, 0.31][usize::from(strip) % 4];
        let y = f64::from(strip) - 6.0;
        let mut x = -6.0;
        while x < 6.0 {
            let end = f64::min(x + length, 6.0);
            tile([x, y], [end, y + 1.0], number % 5 == 0);
            if number % 3 == 0 {
                tile([x, y], [end, y + 1.0], false);
            }
            if number % 4 == 0 {
                tile([x, y], [x + 1e-13, y + 1.0], false);
            }
            (x, number) = (end, number + 1);
        }
    }
    Mesh::polygons(vertices, polygons).unwrap()
}

/// Blocks that reach into each other, and whose tops are all at z = 0.
fn overlapping_floor() -> Vec<Mesh> {
    let mut solids = Vec::new();
    for x in -6..6 {
        for y in -6..6 {
            let [x, y] = [f64::from(x), f64::from(y)];
            solids.push(cuboid([x - 0.3, y - 0.2, -1.0 - 0.1 * x.abs()], [x + 1.2, y + 1.4, 0.0]));
        }
    }
    solids
}

/// Walls as sheets without a back, around a floor of one polygon.
fn sheets() -> Vec<Mesh> {
    let sheet = |corners: [[f64; 3]; 4]| {
        Mesh::polygons(corners.map(DVec3::from).to_vec(), vec![vec![0, 1, 2, 3]]).unwrap()
    };
    vec![
        sheet([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]]),
        sheet([[0.0, 0.0, -1.0], [0.0, 4.0, -1.0], [0.0, 4.0, 3.0], [0.0, 0.0, 3.0]]),
        sheet([[4.0, 0.0, 3.0], [4.0, 4.0, 3.0], [4.0, 4.0, -1.0], [4.0, 0.0, -1.0]]),
        sheet([[0.0, 0.0, -1.0], [4.0, 0.0, -1.0], [4.0, 0.0, 3.0], [0.0, 0.0, 3.0]]),
        sheet([[0.0, 4.0, 3.0], [4.0, 4.0, 3.0], [4.0, 4.0, -1.0], [0.0, 4.0, -1.0]]),
    ]
}

const AWAY: Site = Site { degrees: 71.0, origin: DVec3::new(5e6, -5e6, 1e6) };

/// Walks straight over a level floor from where it touches exactly.
fn walks_straight(mut scene: Scene, wish: [f64; 2], what: &str, within: f64) {
    let start = scene.place();
    for k in 1..=90 {
        let step = scene.update([wish[0], wish[1], 0.0], 1.0 / 60.0);
        let expected = start + DVec3::new(wish[0], wish[1], 0.0) * (f64::from(k) / 60.0);
        let off = (scene.place() - expected).length();
        assert!(off < within && step.is_grounded && !step.stepped, "{what} {wish:?} {k}: {off} {step:?}");
    }
    scene.assert_is_free();
}

#[test]
fn dirty_floors_stop_nobody() {
    for foot in FEET {
        for site in [HERE, Site { degrees: 13.0, origin: DVec3::new(1e3, 2e3, 3.0) }, AWAY] {
            for wish in [[2.0, 0.0], [-1.3, 1.0], [0.01, 2.0]] {
                let within = if site.origin.x > 1e6 { 1e-4 } else { 1e-6 };
                for (solids, what) in [(vec![dirty_floor()], "dirty"), (overlapping_floor(), "overlapping")] {
                    // The second place is on twelve of the blocks.
                    for start in [[0.05, -0.4, 0.0], [0.5, 0.5, 0.0]] {
                        let scene = Scene::new(solids.clone(), site, foot, start, CharacterOptions::new());
                        walks_straight(scene, wish, &format!("{foot:?} {what} {site:?}"), within);
                    }
                }
            }
        }
    }
}

#[test]
fn sheets_hold_who_walks_into_them() {
    for foot in FEET {
        for site in [HERE, Site { degrees: 29.0, origin: DVec3::new(-40.0, 70.0, 1.0) }] {
            for corner in 0..4 {
                let mut scene = Scene::new(sheets(), site, foot, [2.0, 2.0, 0.0], CharacterOptions::new());
                let wish = [[3.0, 2.0], [-3.0, 2.0], [-2.0, -3.0], [2.0, -3.0]][corner];
                for k in 0..120 {
                    let step = scene.update([wish[0], wish[1], 0.0], 1.0 / 60.0);
                    assert!(step.is_grounded, "{foot:?} {corner} {k} at {}: {step:?}", scene.place());
                }
                let reach = 2.0 - RADIUS;
                let expected =
                    DVec3::new(2.0 + reach * wish[0].signum(), 2.0 + reach * wish[1].signum(), 0.0);
                let off = (scene.place() - expected).length();
                // A tessellated foot is not as thick on all sides.
                assert!(off < if foot == Foot::Faceted { 0.03 } else { 1e-5 }, "{foot:?} {corner}: {off}");
                scene.assert_is_free();
            }
        }
    }
}

#[test]
fn far_from_the_origin_stairs_are_climbed_and_slopes_walked() {
    for foot in FEET {
        for (solids, height) in [
            (stairs_of_bodies(), RISE * STEPS as f64),
            (stairs_as_one_mesh(), RISE * STEPS as f64),
            (ramp(30.0), f64::NAN),
        ] {
            let mut scene = Scene::new(solids, AWAY, foot, [-0.9, 0.0, 0.0], CharacterOptions::new());
            for k in 0..105 {
                let step = scene.update([2.0, 0.0, 0.0], 1.0 / 60.0);
                assert!(step.is_grounded, "{foot:?} {k} at {}: {step:?}", scene.place());
            }
            assert!((scene.place().x - 2.6).abs() < 0.1, "{foot:?}: {}", scene.place());
            assert!(
                height.is_nan() || (scene.place().z - height).abs() < 1e-4,
                "{foot:?}: {}",
                scene.place()
            );
            scene.assert_is_free();
        }
    }
}

/// A mesh with all lengths times a number.
fn scaled(mesh: &Mesh, by: f64) -> Mesh {
    Mesh::polygons(mesh.vertices().map(|vertex| vertex * by).collect::<Vec<_>>(), faces(mesh)).unwrap()
}

#[test]
fn stairs_are_climbed_in_any_unit() {
    for unit in [1e-6, 1e-3, 39.37, 1e3, 1e6] {
        for foot in FEET {
            let options = WorldOptions::new().contact_distance(1e-4 * unit).parallel(false);
            let mut world = World::with_options(options);
            for solid in stairs_of_bodies() {
                world.insert(Body::fixed(Model::new(scaled(&solid, unit)), Trs::IDENTITY)).unwrap();
            }
            let foot_model = model_of(foot);
            let model =
                Model::new(scaled(foot_model.mesh(), unit)).rounded(foot_model.radius() * unit).unwrap();
            let start = Trs::translation([-0.9 * unit, 0.0, 0.0]).unwrap();
            let body = world.insert(Body::moving(model, start)).unwrap();
            let options = CharacterOptions::new().step_up(0.35 * unit).snap(0.35 * unit).gravity(9.81 * unit);
            let character = Character::with_options(body, options);
            let mut scene = Scene { world, site: HERE, body, character };
            for k in 0..105 {
                let step = scene.update([2.0 * unit, 0.0, 0.0], 1.0 / 60.0);
                assert!(step.is_grounded, "{unit} {foot:?} {k} at {}: {step:?}", scene.place() / unit);
            }
            let place = scene.place() / unit;
            assert!((place.x - 2.6).abs() < 0.1 && (place.z - 1.2).abs() < 1e-6, "{unit} {foot:?}: {place}");
            scene.assert_is_free();
        }
    }
}

#[test]
fn long_pushes_into_corners_and_at_walls_end_nowhere_else() {
    for foot in FEET {
        for site in [HERE, Site { degrees: 41.3, origin: DVec3::new(300.0, -200.0, 10.0) }] {
            let mut scene = Scene::new(room(), site, foot, [2.0, 2.0, 0.0], CharacterOptions::new());
            for k in 0..1500 {
                // Into the corner, with a wish that shakes.
                let shake = f64::from(k % 7) * 0.2 - 0.6;
                let step = scene.update([-3.0, -3.0 + shake, 0.0], 1.0 / 60.0);
                assert!(step.is_grounded, "{foot:?} {k}");
            }
            let off = (scene.place() - DVec3::new(RADIUS, RADIUS, 0.0)).length();
            assert!(off < if foot == Foot::Faceted { 0.03 } else { 1e-5 }, "{foot:?}: {off}");
            scene.assert_is_free();
            let start = scene.place();
            for _ in 0..30 {
                scene.update([2.0, 0.0, 0.0], 1.0 / 60.0);
            }
            let moved = scene.place() - start;
            assert!((moved - DVec3::X).length() < 0.03, "{foot:?}: {moved}");
        }
    }
}

/// A floor, and two walls whose normals are so many degrees apart: a wish between the normals leads into the corner.
fn corner(degrees: f64) -> Vec<Mesh> {
    let wall = cuboid([1.0, -6.0, 0.0], [2.0, 6.0, 3.0]);
    let turn = DQuat::from_rotation_z((90.0 - degrees).to_radians());
    let across =
        Mesh::polygons(wall.vertices().map(|vertex| turn * vertex).collect::<Vec<_>>(), faces(&wall));
    vec![
        cuboid([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0]),
        cuboid([-9.0, 0.0, 0.0], [9.0, 1.0, 3.0]),
        across.unwrap(),
    ]
}

#[test]
fn who_pushes_into_a_blunt_corner_is_not_thrown_back() {
    let mut random = shapes::Random::new(11);
    for case in 0..share(2, 100) {
        let degrees = random.between(15.0, 75.0);
        let angle = random.between(93.0 - degrees, 87.0).to_radians();
        let wish = DVec3::new(angle.cos(), angle.sin(), 0.0) * 6.0;
        for foot in FEET {
            let options = CharacterOptions::new();
            let mut scene = Scene::new(corner(degrees), HERE, foot, [-0.5, -0.8, 0.0], options);
            for k in 0..180 {
                let step = scene.update(wish.to_array(), 1.0 / 60.0);
                assert!(step.is_grounded, "{case} {foot:?} {k}: {step:?}");
                // It may still be on its way along a wall, but is never thrown back.
                let forth = step.moved.dot(wish);
                assert!(forth > -1e-4, "{case} {foot:?} {degrees} {k} at {}: {step:?}", scene.place());
            }
            scene.assert_is_free();
        }
    }
}

/// Two walls whose normals are 45° apart, a floor, and a ledge whose edge leads into the corner, with the foot of a capsule there beside it.
fn corner_over_a_ledge() -> (Vec<Mesh>, DVec3) {
    let turned = |mesh: Mesh, degrees: f64| {
        let turn = DQuat::from_rotation_z(degrees.to_radians());
        let vertices: Vec<DVec3> = mesh.vertices().map(|vertex| turn * vertex).collect();
        Mesh::polygons(vertices, faces(&mesh)).unwrap()
    };
    let solids = vec![
        cuboid([-9.0, -9.0, -2.0], [9.0, 9.0, -0.3]),
        cuboid([-9.0, 0.0, -1.0], [9.0, 1.0, 3.0]),
        turned(cuboid([1.0, -6.0, -1.0], [2.0, 6.0, 3.0]), 45.0),
        turned(cuboid([-9.0, -9.0, -0.3], [1.0, 9.0, 0.0]), -45.0),
    ];
    // As far as its radius from the planes of both walls.
    let foot = DVec3::new((1.0 - RADIUS) * std::f64::consts::SQRT_2 + RADIUS, -RADIUS, 0.0);
    (solids, foot)
}

#[test]
fn who_stands_on_an_edge_and_pushes_into_a_blunt_corner_comes_to_rest_in_it() {
    for degrees in [50.0, 60.0, 69.5, 85.0_f64] {
        let (solids, corner) = corner_over_a_ledge();
        let angle = degrees.to_radians();
        let wish = DVec3::new(angle.cos(), angle.sin(), 0.0) * 6.0;
        let mut scene = Scene::new(solids, HERE, Foot::Capsule, [0.8, -0.5, 0.0], CharacterOptions::new());
        for k in 0..240 {
            let step = scene.update(wish.to_array(), 1.0 / 60.0);
            assert!(k == 0 || step.is_grounded, "{degrees} {k}: {step:?}");
            // It climbs the edge on its way: what it gains in height is not lost on the way there.
            let forth = step.moved.dot(wish);
            assert!(forth > -1e-4, "{degrees} {k} at {}: {step:?}", scene.place());
        }
        let off = (scene.place() - corner).truncate().length();
        assert!(off < 1e-5, "{degrees}: {off} from the corner, at {}", scene.place());
        // Who jumps there comes down where it was.
        scene.character.jump(2.0);
        for k in 0..90 {
            let step = scene.update(wish.to_array(), 1.0 / 60.0);
            assert!(step.moved.dot(wish) > -1e-4, "{degrees} {k}: {step:?}");
        }
        assert!(scene.character.is_grounded());
        let off = (scene.place() - corner).truncate().length();
        assert!(off < 1e-5, "{degrees}: {off} from the corner after a jump, at {}", scene.place());
        scene.assert_is_free();
    }
}

#[test]
fn who_does_not_wish_to_move_stays() {
    let slope = ramp(40.0);
    for foot in FEET {
        for (solids, start) in [(tiles(false), [0.1, 0.2, 0.0]), (slope.clone(), [1.0, 0.0, 1.5])] {
            let mut scene = Scene::new(solids, HERE, foot, start, CharacterOptions::new());
            for _ in 0..120 {
                scene.update([0.0; 3], 1.0 / 60.0);
            }
            let before = scene.place();
            for _ in 0..600 {
                let step = scene.update([0.0; 3], 1.0 / 60.0);
                assert!(step.is_grounded && !step.stepped, "{foot:?}: {step:?}");
            }
            let drift = (scene.place() - before).length();
            assert!(drift < 1e-7, "{foot:?}: {drift:e}");
        }
    }
}

#[test]
fn ground_that_leaves_or_changes_lets_the_character_fall() {
    for foot in FEET {
        let mut solids = vec![cuboid([-9.0, -9.0, -4.0], [9.0, 9.0, -3.0])];
        solids.push(cuboid([-1.0, -1.0, -1.0], [1.0, 1.0, 0.0]));
        for change in 0..4 {
            let mut scene = Scene::new(solids.clone(), HERE, foot, [0.0; 3], CharacterOptions::new());
            let step = scene.update([0.0; 3], 1.0 / 60.0);
            let ground = step.ground.unwrap().body;
            match change {
                0 => drop(scene.world.remove(ground).unwrap()),
                1 => scene.world.set_kind(ground, Kind::Sensor).unwrap(),
                2 => scene.world.teleport(ground, Trs::translation([0.0, 0.0, -2.0]).unwrap()).unwrap(),
                _ => {
                    let low = Arc::new(Model::new(cuboid([-1.0, -1.0, -2.0], [1.0, 1.0, -1.5])));
                    scene.world.replace(ground, Body::fixed(low, Trs::IDENTITY)).unwrap();
                }
            }
            let mut updates = 0;
            while !scene.update([0.0; 3], 1.0 / 60.0).is_grounded || updates == 0 {
                updates += 1;
                assert!(updates < 120, "{foot:?} {change} at {}", scene.place());
            }
            let expected = [-3.0, -3.0, -2.0, -1.5][change];
            assert!((scene.place().z - expected).abs() < 1e-6, "{foot:?} {change}: {}", scene.place());
        }
    }
}

#[test]
fn characters_on_tiny_ledges_and_in_shafts_are_never_inside_and_come_out() {
    // A shaft just as wide as the foot, with a skin of room, and a floor on which it stands.
    for foot in [Foot::Box, Foot::Capsule] {
        for room in [0.0, 1e-9, 1e-6, 1e-3] {
            let half = RADIUS + room;
            let solids = vec![
                cuboid([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0]),
                cuboid([-1.0, half, 0.0], [1.0, 2.0, 3.0]),
                cuboid([-1.0, -2.0, 0.0], [1.0, -half, 3.0]),
            ];
            let mut scene = Scene::new(solids, HERE, foot, [0.0; 3], CharacterOptions::new());
            for k in 0..120 {
                let step = scene.update([1.0, 0.0, 0.0], 1.0 / 60.0);
                assert!(!step.started_overlapping && step.is_grounded, "{foot:?} {room} {k}: {step:?}");
                scene.assert_is_free();
            }
            // With room for a skin on both sides it walks out; without, it may be wedged.
            if room >= 1e-6 {
                assert!(scene.place().x > 1.99, "{foot:?} {room}: {}", scene.place());
            }
        }
    }
}

#[test]
fn a_small_thing_in_the_way_is_stepped_upon_or_stops_but_never_traps() {
    let mut random = shapes::Random::new(7);
    for case in 0..40 {
        let size = 10_f64.powf(-5.0 + 4.35 * random.unit());
        let turn = Trs::rotation_about_axis(random.direction(), 360.0 * random.unit()).unwrap();
        for foot in FEET {
            let mut scene = Scene::new(tiles(true), HERE, foot, [-1.0, 0.0, 0.0], CharacterOptions::new());
            let pebble = Model::new(shapes::octahedron(size).unwrap());
            let at = Trs::rigid(DVec3::new(0.2, 0.05, 0.3 * size), turn.orientation()).unwrap();
            scene.world.insert(Body::fixed(pebble, at)).unwrap();
            for _ in 0..90 {
                scene.update([2.0, 0.0, 0.0], 1.0 / 60.0);
                scene.assert_is_free();
            }
            assert!(scene.place().x > 1.5, "{case} {foot:?} {size}: {}", scene.place());
        }
    }
}

#[test]
fn long_ways_in_one_update_climb_stairs() {
    for (foot, way) in FEET.into_iter().flat_map(|foot| [0.4, 0.5, 0.6, 0.7, 1.0].map(|way| (foot, way))) {
        for solids in [stairs_of_bodies(), stairs_as_one_mesh()] {
            let mut scene = Scene::new(solids, HERE, foot, [-0.9, 0.0, 0.0], CharacterOptions::new());
            scene.update([0.0; 3], 0.1);
            for (sign, goal) in [(1.0, 2.5), (-1.0, -0.6)] {
                let ideal = (goal - scene.place().x) * sign / way;
                let mut updates = 0.0;
                while (goal - scene.place().x) * sign > 0.0 {
                    let step = scene.update([10.0 * sign * way, 0.0, 0.0], 0.1);
                    updates += 1.0;
                    let said = format!("{foot:?} {way} at {}: {step:?}", scene.place());
                    assert!(step.is_grounded && updates <= 1.25 * ideal + 3.0, "{said}");
                }
            }
            scene.assert_is_free();
        }
    }
}

#[test]
fn slow_jumps_leave_the_ground() {
    for (foot, [velocity, rate]) in FEET
        .into_iter()
        .flat_map(|foot| [[0.1, 1000.0], [0.05, 2000.0], [0.3, 1000.0], [4.0, 60.0]].map(|jump| (foot, jump)))
    {
        // The second unit is so small that a jump begins within the contact distance.
        for contact_distance in [1e-4, 0.05] {
            let world = WorldOptions::new().contact_distance(contact_distance).parallel(false);
            let mut scene = Scene::new(Vec::new(), HERE, foot, [0.0; 3], CharacterOptions::new());
            scene.world = World::with_options(world);
            let floor = Model::new(cuboid([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0]));
            scene.world.insert(Body::fixed(floor, Trs::IDENTITY)).unwrap();
            scene.body = scene.world.insert(Body::moving(model_of(foot), Trs::IDENTITY)).unwrap();
            scene.character = Character::new(scene.body);
            scene.update([0.0; 3], 1.0 / rate);
            scene.character.jump(velocity);
            let mut highest: f64 = 0.0;
            for _ in 0..(rate * 0.9) as u32 {
                scene.update([0.0; 3], 1.0 / rate);
                highest = highest.max(scene.place().z);
            }
            let expected = velocity * velocity / (2.0 * 9.81) - velocity / (2.0 * rate);
            assert!(
                (highest / expected - 1.0).abs() < 0.02,
                "{foot:?} {velocity} {rate}: {highest} {expected}"
            );
            assert!(scene.character.is_grounded() && scene.place().z < 1e-6, "{foot:?}: {}", scene.place());
        }
    }
}

/// How far a foot looks for a floor does not depend on how the world is turned.
#[test]
fn narrow_stairs_are_climbed_in_a_tilted_world() {
    let tilt = DQuat::from_mat3(&DMat3::from_cols(
        DVec3::new(0.7097590261031002, -0.5460775343724578, 0.445018484244055),
        DVec3::new(0.6847846894053298, 0.6830467501579411, -0.25400209891794434),
        DVec3::new(-0.16526358952057452, 0.4850221268688393, 0.8587441309414596),
    ));
    let mut world = World::with_options(WorldOptions::new().parallel(false));
    let mut solids = vec![cuboid([-2.0, -2.0, -1.0], [1.0, 2.0, 0.0])];
    for k in 0..6 {
        let (start, height) = (1.0 + 0.2 * f64::from(k), 0.2 * f64::from(k + 1));
        // Treads with noses, narrower than the foot.
        let end = if k == 5 { 5.0 } else { start + 0.2 };
        solids.push(cuboid([start - 0.03, -2.0, height - 0.05], [end, 2.0, height]));
        solids.push(cuboid([start, -2.0, -1.0], [end, 2.0, height - 0.05]));
    }
    for solid in solids {
        world.insert(Body::fixed(Model::new(solid), Trs::rigid(DVec3::ZERO, tilt).unwrap())).unwrap();
    }
    let capsule = Model::capsule([0.0, 0.0, 0.3], [0.0, 0.0, 1.5], 0.3).unwrap();
    let start = Trs::rigid(tilt * DVec3::new(0.5, 0.0, 1e-5), tilt).unwrap();
    let body = world.insert(Body::moving(capsule, start)).unwrap();
    let mut character = Character::with_options(body, CharacterOptions::new().up(tilt * DVec3::Z));
    let at =
        |world: &World| tilt.inverse() * world.get(body).unwrap().placement().world_from_model().translation;
    character.update(&mut world, [0.0; 3], 1.0 / 240.0).unwrap();
    for k in 0..1100 {
        let step = character.update(&mut world, tilt * DVec3::new(0.5, 0.0, 0.0), 1.0 / 240.0).unwrap();
        assert!(step.is_grounded, "update {k} at {}: {step:?}", at(&world));
    }
    assert!((at(&world).z - 1.2).abs() < 1e-6, "{}", at(&world));
}
