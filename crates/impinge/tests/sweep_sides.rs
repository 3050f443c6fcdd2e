//! Sweeps of meshes that are no clean solids, whose faces are met from behind: held to the exact test along the way, and to the
//! same sweep without what it may leave out.

use crate::effort::share;
use impinge::animation::{Interpolation, Joint, Local, Rig, Track, Value};
use impinge::clash::{Attachment, MotionOptions, MovingPart, detect_moving};
use impinge::glam::{DAffine3, DVec3};
use impinge::query::{Engine, Sweep, SweepOptions, SweepStatus};
use impinge::shapes::{Random, cuboid};
use impinge::world::Body;
use impinge::{Deformable, Mesh, Model, Motion, Placed, Placement, Trs, Verdict, World};

use crate::sweep_oracle::families::{self, CLEAN, FAMILIES};
use crate::sweep_oracle::families_dirty::{bow_tie, inverted, scrambled};
use crate::sweep_oracle::shapes;
use crate::sweeps_judged::motion_of;

fn cube(half: f64) -> Model {
    Model::new(cuboid([-half; 3], [half; 3]).unwrap())
}

fn at(x: f64, y: f64, z: f64) -> Trs {
    Trs::translation([x, y, z]).unwrap()
}

/// The first of many moments up to a fraction at which the exact test says that the two overlap.
fn overlap_before(moving: &Placed<'_>, motion: &Motion, other: &Placed<'_>, fraction: f64) -> Option<f64> {
    const MOMENTS: u32 = 256;
    (0..=MOMENTS).map(|k| fraction * f64::from(k) / f64::from(MOMENTS)).find(|&fraction| {
        let map = motion.carry(moving.placement().world_from_model(), fraction);
        let there = moving.model().try_at(map).expect("a place");
        matches!(there.verdict(other), Verdict::Overlapping | Verdict::Inside(_))
    })
}

/// A sweep that the exact test has been held against.
fn swept(moving: &Placed<'_>, motion: &Motion, other: &Placed<'_>) -> Sweep {
    let sweep = moving.sweep(motion, other);
    if sweep.status != SweepStatus::StartedOverlapping {
        let overlap = overlap_before(moving, motion, other, sweep.fraction);
        assert_eq!(overlap, None, "{:?} at {}", sweep.status, sweep.fraction);
    }
    sweep
}

/// One lobe of the bow tie is inside out, while its volume is above zero.
#[test]
fn the_lobe_of_a_bow_tie_that_is_inside_out_is_met() {
    let tie = Model::new(bow_tie().mesh());
    let tie = tie.at(Trs::IDENTITY);
    let small = cube(0.1);
    // Against the edge of the lobe at x = 1, and the other way against the greater lobe at x = -2.
    let by = Motion::translation([-3.0, 0.0, 0.0]).unwrap();
    let sweep = swept(&small.at(at(3.0, 0.125, 0.0)), &by, &tie);
    assert_eq!(sweep.status, SweepStatus::Hit);
    assert!(sweep.fraction <= 1.9 / 3.0 && sweep.fraction > 1.9 / 3.0 - 1e-9, "{}", sweep.fraction);
    let sweep = swept(&small.at(at(-4.0, 0.125, 0.0)), &Motion::translation([3.0, 0.0, 0.0]).unwrap(), &tie);
    assert_eq!(sweep.status, SweepStatus::Hit);
    // The mover may be the bow tie.
    let sweep = swept(&tie, &by, &small.at(at(-4.0, 0.125, 0.0)));
    assert_eq!(sweep.status, SweepStatus::Hit);
    let sweep = swept(&tie, &Motion::translation([3.0, 0.0, 0.0]).unwrap(), &small.at(at(3.0, 0.125, 0.0)));
    assert_eq!(sweep.status, SweepStatus::Hit);
    // By turning.
    let turn = Motion::rotation([2.0, 2.0, 0.0], [0.0, 0.0, 1.0], -90.0).unwrap();
    assert_eq!(swept(&small.at(at(2.0, 0.0, 0.25)), &turn, &tie).status, SweepStatus::Hit);
}

/// Between a cube that looks inward and one within it that looks outward nothing is inside of anything: not in the gap, where the
/// winding is -1, nor in the inner one, where it is 0.
#[test]
fn shells_are_met_from_wherever_the_winding_allows_to_be() {
    let outward = shapes::cuboid(DVec3::splat(-1.0), DVec3::splat(1.0));
    let around = inverted(outward.clone().scaled(DVec3::splat(3.0)));
    let model = Model::new(around.with(outward).mesh());
    let shells = model.at(Trs::IDENTITY);
    let small = cube(0.25);
    let by = |x: f64| Motion::translation([x, 0.0, 0.0]).unwrap();
    for (from, way, room) in [
        // From within the inner one.
        (0.0, 5.0, 0.75),
        (0.0, -5.0, 0.75),
        // From the gap, inward and outward.
        (2.0, -5.0, 0.75),
        (2.0, 5.0, 0.75),
        // From outside.
        (5.0, -5.0, 1.75),
    ] {
        let sweep = swept(&small.at(at(from, 0.1, 0.2)), &by(way), &shells);
        assert_eq!(sweep.status, SweepStatus::Hit, "from {from} by {way}");
        let fraction = room / 5.0;
        assert!(sweep.fraction <= fraction && sweep.fraction > fraction - 1e-9, "{from} {way}: {sweep:?}");
    }
}

/// In a cavity of a solid, and around it: the usual case of shells. A sheet moves like anything else.
#[test]
fn a_sheet_in_a_cavity_is_stopped_by_its_walls() {
    let outside = shapes::cuboid(DVec3::splat(-3.0), DVec3::splat(3.0));
    let cavity = inverted(shapes::cuboid(DVec3::splat(-1.0), DVec3::splat(1.0)));
    let model = Model::new(outside.with(cavity).mesh());
    let solid = model.at(Trs::IDENTITY);
    let sheet = Model::new(shapes::sheet(0.5).mesh());
    for by in [[0.0, 0.0, 4.0], [0.0, 0.0, -4.0], [4.0, 1.0, 0.5]] {
        let sweep = swept(&sheet.at(Trs::IDENTITY), &Motion::translation(by).unwrap(), &solid);
        assert_eq!(sweep.status, SweepStatus::Hit, "{by:?}");
        let sweep = swept(&solid, &Motion::translation(by).unwrap(), &sheet.at(Trs::IDENTITY));
        assert_eq!(sweep.status, SweepStatus::Hit, "{by:?}");
    }
}

/// Closed meshes with their corners thrown about, against small solids.
#[test]
fn no_sweep_enters_a_mesh_that_crosses_itself() {
    let cases = share(60, 1_500);
    let seeds = crate::sweep_oracle::shapes::Random::new(16);
    let mut random = Random::new(7);
    let (mut hits, mut clear) = (0, 0);
    for _ in 0..cases {
        let dirty = Model::new(scrambled(&seeds).mesh());
        let small = cube(random.between(0.02, 0.2));
        let from = 2.0 * random.in_cube();
        // Through a point near the middle of a face.
        let face = random.below(dirty.mesh().face_count() as u32);
        let corners: Vec<DVec3> =
            dirty.mesh().corners(face).map(|vertex| dirty.mesh().vertex(vertex)).collect();
        let middle = corners.iter().sum::<DVec3>() / corners.len() as f64;
        let by = Motion::translation((middle + 0.1 * random.in_cube() - from) * 1.5).unwrap();
        let turn = Motion::rotation(random.in_cube(), random.direction(), 300.0 * random.unit()).unwrap();
        for motion in [by, turn] {
            match swept(&small.at(at(from.x, from.y, from.z)), &motion, &dirty.at(Trs::IDENTITY)).status {
                SweepStatus::Hit => hits += 1,
                SweepStatus::Clear => clear += 1,
                SweepStatus::StartedOverlapping => {}
            }
        }
    }
    assert!(hits > cases / 2 && clear > cases / 8, "{hits} {clear}");
}

#[test]
fn a_clash_in_motion_with_a_mesh_that_crosses_itself_is_found() {
    let (tie, small) = (Model::new(bow_tie().mesh()), cube(0.05));
    // Down through the middle of the lobe that is inside out.
    let way = vec![DVec3::new(0.6, 0.1, 3.0), DVec3::new(0.6, 0.1, -3.0)];
    let way = Value::Keys(Track::new(vec![0.0, 1.0], way, Interpolation::Linear).unwrap());
    let rig = Rig::new(vec![Joint { parent: None, local: Local::translation(way) }]).unwrap();
    let place = Placement::try_from(DAffine3::IDENTITY).unwrap();
    let parts = [
        MovingPart { model: &small, carrier: Attachment::Joint(0) },
        MovingPart { model: &tie, carrier: Attachment::Still(place) },
    ];
    let options = MotionOptions::default();
    let found = detect_moving(&rig, &parts, &options).expect("good joints");
    assert_eq!(found.clashes.len(), 1, "{found:?}");
    let time = found.clashes[0].time;
    // The face there is z = 1.6 (1 - x), highest under the corners at x = 0.55.
    let first = (3.0 - 0.05 - 1.6 * 0.45) / 6.0;
    assert!(time <= first && time > first - 1e-3, "{time} {first}");
}

/// A body that is moved in small steps does not get into what crosses itself.
#[test]
fn no_body_of_a_world_enters_a_mesh_that_crosses_itself() {
    let mut random = Random::new(3);
    let mut world = World::new();
    world.insert(Body::fixed(Model::new(bow_tie().mesh()), Trs::IDENTITY)).unwrap();
    let bodies: Vec<_> = (0..6)
        .map(|k| world.insert(Body::moving(cube(0.15), at(2.5, f64::from(k) - 2.5, 0.0))).unwrap())
        .collect();
    let mut stopped = 0;
    for step in 0..240 {
        let body = bodies[step % bodies.len()];
        let towards = -world.get(body).unwrap().placement().world_from_model().translation;
        let by = 0.6 * (towards.normalize_or_zero() + 0.7 * random.in_cube());
        let moved = world.try_move(body, &Motion::translation(by).unwrap()).unwrap();
        stopped += usize::from(moved.status != SweepStatus::Clear);
        assert!(world.overlaps().is_empty(), "step {step}");
    }
    assert!(stopped > 20, "{stopped}");
}

/// Pulled through itself, a deformable is another mesh.
#[test]
fn a_deformable_that_comes_to_cross_itself_is_met_from_both_sides() {
    let small = cube(0.1);
    let by = Motion::translation([-3.0, 0.0, 0.0]).unwrap();
    let tie = bow_tie();
    // The same walk without the crossing: the two corners of the lesser lobe exchanged.
    let mut points = tie.points.clone();
    points.swap(1, 2);
    let clean = shapes::Shape { points, faces: tie.faces.clone() };
    let mut body = Deformable::new(clean.mesh());
    let start = small.at(at(3.0, 0.125, 0.0));
    let before = swept(&start, &by, &body.at(Trs::IDENTITY));
    assert_eq!(before.status, SweepStatus::Hit);
    body.set_vertices(&tie.points).unwrap();
    let after = swept(&start, &by, &body.at(Trs::IDENTITY));
    assert_eq!(after.status, SweepStatus::Hit);
    let fresh = Model::new(tie.mesh());
    assert_eq!(after, swept(&start, &by, &fresh.at(Trs::IDENTITY)));
}

/// A polygon is its fan: where that is bent, the diagonal is an edge.
#[test]
fn the_diagonal_of_a_bent_polygon_is_met() {
    let corners = [[-1.0, -1.0, 0.0], [1.0, -1.0, -0.5], [1.0, 1.0, 0.0], [-1.0, 1.0, -0.5]];
    let roof = Model::new(Mesh::polygon(corners).unwrap());
    // A rod across the ridge, whose ends pass on both sides of the roof.
    let rod = Model::new(Mesh::polygon([[-2.0, 2.0, 0.0], [2.0, -2.0, 0.0]]).unwrap());
    let drop = Motion::translation([0.0, 0.0, -2.0]).unwrap();
    let sweep = rod.at(at(0.0, 0.0, 1.0)).sweep(&drop, &roof.at(Trs::IDENTITY));
    assert_eq!(sweep.status, SweepStatus::Hit);
    assert!(sweep.fraction <= 0.5 && sweep.fraction > 0.5 - 1e-9, "{}", sweep.fraction);
}

/// By brute force a sweep says the same to the last bit, of clean and of dirty meshes.
#[test]
fn engines_change_no_answer() {
    let each = share(12, 560);
    let ask = SweepOptions::new().engine(Engine::Brute);
    let (mut motions, mut hits) = (0_u32, 0_u32);
    for family in 0..FAMILIES.len() {
        // The families of clean solids, too; less often.
        for seed in 0..if family < CLEAN { each } else { 2 * each } {
            let case = families::make(family, seed);
            let moving = case.moving.try_at(case.world_from_moving).unwrap();
            let other = case.stationary.try_at(case.world_from_stationary).unwrap();
            let motion = motion_of(&case);
            motions += 1;
            let usual = moving.sweep(&motion, &other);
            hits += u32::from(usual.status == SweepStatus::Hit);
            let mut sweep = moving.sweep_with(&motion, &other, ask);
            // Counts of work are outside of equality.
            sweep.stats = usual.stats;
            assert_eq!(sweep, usual, "{}", case.dump());
        }
    }
    assert!(u64::from(motions) >= share(400, 20_000), "{motions}");
    assert!(hits > motions / 4, "{hits} of {motions}");
}
