//! The judge of touching starts: it accepts right answers, and refuses each that is wrong in one point.

use crate::oracle::cases::Random;
use crate::touching_oracle::judge::Scene;
use crate::touching_oracle::lattice::{Point, Ratio, directions, scaled};
use crate::touching_oracle::obstacle::Obstacle;
use crate::touching_oracle::polyhedron::{obstacle, random_polyhedron, touching_translations};
use crate::touching_oracle::reference::answer;
use crate::touching_oracle::shapes::{
    random_box, random_floor, random_polycube, random_prism, random_surroundings,
};
use crate::touching_oracle::solid::{Solid, obstacles, touching_start};
use crate::touching_oracle::stage::Stage;
use crate::touching_oracle::surface::Surface;
use crate::touching_oracle::tally::Tally;
use crate::touching_oracle::timeline::{Course, Timeline};
use impinge::Placement;
use impinge::math::DVec3;
use impinge::query::{Sweep, SweepStatus};
use impinge::{Model, Motion, Trs, shapes};

/// A hit, of which answers are made.
fn donor() -> Sweep {
    let cube = Model::new(shapes::cuboid([0.0; 3], [1.0; 3]).unwrap());
    let far = cube.at(Trs::translation([3.0, 0.0, 0.0]).unwrap());
    let hit = cube.at(Trs::IDENTITY).sweep(&Motion::translation([5.0, 0.0, 0.0]).unwrap(), &far);
    assert_eq!(hit.status, SweepStatus::Hit);
    hit
}

fn try_all(scene: &Scene<'_>, start: Point, donor: &Sweep, random: &mut Random, tally: &mut Tally) {
    tally.starts += 1;
    for direction in directions() {
        let by = scaled(direction, [1, 3, 9, 40][random.below(4) as usize]);
        let sweep = answer(scene, start, by, donor);
        tally.sweeps += 1;
        tally.see(match sweep.status {
            _ if sweep.wedged => "wedged",
            SweepStatus::Hit if sweep.lift.is_some() => "slides to something",
            SweepStatus::Hit if sweep.fraction > 0.0 => "parts and meets something",
            SweepStatus::Hit => "presses",
            _ if sweep.lift.is_some() => "slides",
            _ => "parts",
        });
        if let Err(complaint) = scene.judge(start, by, &sweep) {
            tally.complain(complaint, || {
                let timeline = Timeline::new(scene.obstacles, start, by);
                format!(
                    "{start:?} by {by:?}: {:?} {:?} {sweep:?} {:?}",
                    timeline.course(),
                    timeline.first_stop(),
                    scene.stage
                )
            });
        }
    }
}

#[test]
fn right_answers_among_boxes_are_accepted() {
    let (mut random, mut tally, donor) = (Random(21), Tally::default(), donor());
    for case in 0..if cfg!(debug_assertions) { 20 } else { 600 } {
        let (a, b) = match case % 3 {
            0 => (random_box(&mut random), random_floor(&mut random)),
            1 => (random_polycube(&mut random), random_prism(&mut random)),
            _ => (random_box(&mut random), random_surroundings(&mut random)),
        };
        let stage = Stage::random(&mut random);
        let models = [&a, &b].map(|shape| stage.model(&shape.surface));
        let obstacles = obstacles(&a.solid, &b.solid);
        let reach = a.solid.reach().max(b.solid.reach());
        let scene = Scene { stage, moving: &models[0], stationary: &models[1], obstacles: &obstacles, reach };
        if let Some(start) = touching_start(&obstacles, &mut random) {
            try_all(&scene, start, &donor, &mut random, &mut tally);
        }
    }
    tally.verdict("right answers among boxes");
    for kind in ["parts", "parts and meets something", "slides", "slides to something", "presses", "wedged"] {
        assert!(tally.seen(kind) > 0, "{kind}");
    }
}

#[test]
fn right_answers_of_polyhedra_are_accepted() {
    let (mut random, mut tally, donor) = (Random(22), Tally::default(), donor());
    for _ in 0..if cfg!(debug_assertions) { 5 } else { 60 } {
        let [a, b] = std::array::from_fn(|_| random_polyhedron(&mut random));
        let stage = Stage::random(&mut random);
        let models = [&a, &b].map(|polyhedron| stage.model(&polyhedron.surface()));
        let obstacles = [obstacle(&a, &b)];
        let reach = a.reach().max(b.reach());
        let scene = Scene { stage, moving: &models[0], stationary: &models[1], obstacles: &obstacles, reach };
        for starts in touching_translations(&obstacles[0]).into_values() {
            let start = starts[random.below(starts.len() as u64) as usize];
            try_all(&scene, start, &donor, &mut random, &mut tally);
        }
    }
    tally.verdict("right answers of polyhedra");
}

/// A cube on a floor of two slabs, before a wall.
struct Room {
    models: [Model; 2],
    obstacles: Vec<Obstacle>,
}

impl Room {
    fn new() -> Room {
        let cube = Solid::of_box([0; 3], [2; 3]);
        let room = Solid {
            boxes: vec![
                [[-20, -20, -2], [0, 20, 0]],
                [[0, -20, -2], [20, 20, 0]],
                [[12, -20, 0], [14, 20, 8]],
            ],
        };
        let models = [&cube, &room].map(|solid| Stage::PLAIN.model(&Surface::of_cells(&solid.cells())));
        Room { models, obstacles: obstacles(&cube, &room) }
    }

    fn scene(&self) -> Scene<'_> {
        let [moving, stationary] = &self.models;
        Scene { stage: Stage::PLAIN, moving, stationary, obstacles: &self.obstacles, reach: 20 }
    }
}

#[test]
fn wrong_answers_are_refused() {
    let (room, donor) = (Room::new(), donor());
    let scene = room.scene();
    let start = [-6, 0, 0];
    // Along the floor and over its seam up to the wall, which is 16 away.
    let by = [32, 0, 0];
    let timeline = Timeline::new(&room.obstacles, start, by);
    assert_eq!((timeline.course(), timeline.first_stop().map(Ratio::to_f64)), (Course::Slides, Some(0.5)));
    let right = answer(&scene, start, by, &donor);
    assert_eq!(scene.judge(start, by, &right), Ok(()));
    let refused = |expected: &str, change: &dyn Fn(&mut Sweep)| {
        let mut wrong = right.clone();
        change(&mut wrong);
        let moved = wrong.world_from_moving == right.world_from_moving;
        if moved {
            let pose = crate::touching_oracle::judge::lifted(scene.stage.pose(start), wrong.lift);
            wrong.world_from_moving =
                Placement::try_from(scene.motion(by).carry(&pose, wrong.fraction)).expect("a placement");
        }
        assert_eq!(scene.judge(start, by, &wrong), Err(expected));
    };
    refused("slides, but is stopped", &|sweep| (sweep.lift, sweep.fraction) = (None, 0.0));
    refused("slides, but is said to be wedged", &|sweep| {
        (sweep.lift, sweep.fraction, sweep.wedged) = (None, 0.0, true);
    });
    refused("lift longer than the skin", &|sweep| sweep.lift = sweep.lift.map(|lift| lift * 1e4));
    refused("lifted, and not clear", &|sweep| {
        sweep.lift = sweep.lift.map(|lift| lift * DVec3::new(1.0, 1.0, -1.0));
    });
    refused("lifted, and not clear", &|sweep| sweep.lift = Some(DVec3::new(1e-10, 0.0, 0.0)));
    refused("slides, stopped by nothing", &|sweep| sweep.fraction = 0.25);
    refused("slides, stopped by nothing", &|sweep| sweep.fraction = 0.125);
    refused("slides, but hardly gets on", &|sweep| sweep.fraction = 1e-12);
    refused("slides, and stops touching", &|sweep| sweep.fraction = 0.500_001);
    refused("stop pose is not on the motion", &|sweep| {
        sweep.world_from_moving = nudged(sweep.world_from_moving, DVec3::Z * 1e-13);
    });
    refused("a hit without features, or features without a hit", &|sweep| sweep.hit = None);
    refused("a hit without features, or features without a hit", &|sweep| {
        sweep.status = SweepStatus::Clear;
    });
    // Up, and down.
    let refused = |expected: &str, by: Point, change: &dyn Fn(&mut Sweep)| {
        let mut wrong = answer(&scene, start, by, &donor);
        assert_eq!(scene.judge(start, by, &wrong), Ok(()));
        change(&mut wrong);
        assert_eq!(scene.judge(start, by, &wrong), Err(expected));
    };
    let stop = |sweep: &mut Sweep| {
        let lift = sweep.lift;
        *sweep = donor.clone();
        (sweep.lift, sweep.fraction, sweep.world_from_moving) =
            (lift, 0.0, Placement::try_from(scene.stage.pose(start)).expect("a placement"));
    };
    refused("parts, but is stopped", [0, 0, 3], &stop);
    refused("parts, but is lifted or wedged", [0, 0, 3], &|sweep| {
        sweep.lift = Some(DVec3::new(0.0, 0.0, 1e-10));
        sweep.world_from_moving = nudged(sweep.world_from_moving, DVec3::Z * 1e-10);
    });
    refused("presses, but gets on", [0, 0, -3], &|sweep| {
        (sweep.status, sweep.fraction, sweep.hit, sweep.phase) = (SweepStatus::Clear, 1.0, None, None);
        sweep.world_from_moving = nudged(sweep.world_from_moving, DVec3::Z * -3.0);
    });
    refused("presses, but is lifted or wedged", [0, 0, -3], &|sweep| sweep.wedged = true);
    refused("said to have started overlapping", [0, 0, -3], &|sweep| {
        (sweep.status, sweep.hit, sweep.phase) = (SweepStatus::StartedOverlapping, None, None);
    });
    // Away from the floor, and then to the wall, 16 away.
    refused("parts, late", [32, 0, 1], &|sweep| {
        sweep.fraction = 0.500_000_1;
        sweep.world_from_moving =
            Placement::try_from(scene.motion([32, 0, 1]).carry(&scene.stage.pose(start), sweep.fraction))
                .expect("a placement");
    });
    refused("parts, early", [32, 0, 1], &|sweep| {
        sweep.fraction = 0.499_999;
        sweep.world_from_moving =
            Placement::try_from(scene.motion([32, 0, 1]).carry(&scene.stage.pose(start), sweep.fraction))
                .expect("a placement");
    });
    refused("parts, missed", [32, 0, 1], &|sweep| {
        (sweep.status, sweep.fraction, sweep.hit, sweep.phase) = (SweepStatus::Clear, 1.0, None, None);
        sweep.world_from_moving =
            Placement::try_from(scene.motion([32, 0, 1]).carry(&scene.stage.pose(start), 1.0))
                .expect("a placement");
    });
}

/// A placement that is moved by a translation.
fn nudged(placement: Placement, by: DVec3) -> Placement {
    let mut map = *placement.world_from_model();
    map.translation += by;
    Placement::try_from(map).expect("a placement")
}
