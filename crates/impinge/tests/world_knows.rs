//! What a world knows from the last step changes no answer: who is free of whom, what is far from all faces of a room, what rests as it did.

use std::sync::Arc;

use impinge::math::DVec3;
use impinge::query::SweepStatus;
use impinge::shapes::{self, Random};
use impinge::world::{Body, FilterChain, FilterStage, Handle, Step, World, WorldOptions};
use impinge::{Mesh, Model, Motion, Trs, Verdict};

/// A room with walls that are 1 thick, of so many cells along each edge.
fn room(half: f64, cells: u32) -> Model {
    let grid = |half: f64| {
        let half = DVec3::splat(half);
        shapes::cuboid_grid(-half, half, [cells; 3]).expect("a box")
    };
    let (inner, outer) = (grid(half), grid(half + 1.0));
    let first = outer.vertices().len() as u32;
    let vertices: Vec<DVec3> = outer.vertices().iter().chain(inner.vertices()).copied().collect();
    let turned = inner.triangles().map(|[a, b, c]| [a + first, c + first, b + first]);
    let triangles: Vec<[u32; 3]> = outer.triangles().chain(turned).collect();
    Model::new(Mesh::triangles(vertices, triangles).expect("a room"))
}

fn cube() -> Arc<Model> {
    Arc::new(Model::new(shapes::cuboid([-0.5; 3], [0.5; 3]).expect("a cube")))
}

/// Bodies that fly about in a room, and what each step says of them.
fn flight(chain: FilterChain, cells: u32) -> (World, Vec<Step>) {
    let mut world = World::with_options(WorldOptions::new().chain(chain));
    world.insert(Body::fixed(room(5.0, cells), Trs::IDENTITY)).expect("a room");
    let models = [cube(), Arc::new(Model::ball(0.5).expect("a ball"))];
    let mut handles = Vec::new();
    for i in 0..27 {
        let at = [i % 3, i / 3 % 3, i / 9].map(|at| 2.6 * (f64::from(at) - 1.0));
        let body = Body::moving(Arc::clone(&models[i as usize % 2]), Trs::translation(at).expect("a place"));
        handles.push(world.insert(body).expect("a free place"));
    }
    let mut random = Random::new(u64::from(cells));
    let steps = (0..12).map(|_| {
        let moves: Vec<(Handle, Motion)> = handles
            .iter()
            .map(|handle| {
                let center = world.get(*handle).expect("a body").placement().world_from_model().translation;
                let by = random.in_cube() * 1.5;
                let motion = Motion::rigid(by, center, random.direction(), random.between(-90.0, 90.0));
                (*handle, motion.expect("a motion"))
            })
            .collect();
        world.step(&moves).expect("bodies that are there")
    });
    let steps = steps.collect();
    (world, steps)
}

#[test]
fn filters_change_nothing_within_a_room_and_nobody_gets_out() {
    for cells in [1, 4] {
        let (world, steps) = flight(FilterChain::USUAL, cells);
        let (without, same) = flight(FilterChain::NONE, cells);
        // Handles of two worlds differ in what they were made by.
        assert_eq!(world.hash(), without.hash());
        for (step, other) in steps.iter().zip(&same) {
            for (made, other) in step.moves.iter().zip(&other.moves) {
                assert_eq!(
                    (made.status, made.fraction, made.placement),
                    (other.status, other.fraction, other.placement)
                );
                assert_eq!(made.segments, other.segments);
            }
        }
        let hits = steps.iter().flat_map(|step| &step.moves).filter(|made| !made.hits.is_empty()).count();
        assert!(hits > 20, "{hits}");
        let placed: Vec<_> = world.iter().map(|(_, body)| body.placed()).collect();
        for i in 0..placed.len() {
            for j in 0..i {
                let verdict = placed[i].verdict(&placed[j]);
                assert!(matches!(verdict, Verdict::Clear | Verdict::Touching), "{i} {j}: {verdict:?}");
            }
        }
    }
}

#[test]
fn what_rests_has_the_same_answer_as_if_nothing_were_known() {
    let build = || {
        let mut world = World::new();
        let floor = shapes::cuboid([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0]).expect("a floor");
        world.insert(Body::fixed(Model::new(floor), Trs::IDENTITY)).expect("a floor");
        let place =
            |i: usize| Trs::translation([0.3 * (i % 2) as f64, 0.0, 0.6 + 1.1 * i as f64]).expect("a place");
        let insert = |i| world.insert(Body::moving(cube(), place(i))).expect("a free place");
        let handles: Vec<Handle> = (0..5).map(insert).collect();
        (world, handles)
    };
    let ((mut world, handles), (mut other, others)) = (build(), build());
    let mut still = 0;
    for step in 0..40 {
        let fall = Motion::translation([0.0, 0.0, -0.25]).expect("a motion");
        let moves = |handles: &[Handle]| handles.iter().map(|handle| (*handle, fall)).collect::<Vec<_>>();
        let made = world.step(&moves(&handles)).expect("bodies that are there");
        // Whoever comes and leaves makes the world look at all anew.
        let far = Trs::translation([100.0, 0.0, f64::from(step)]).expect("a place");
        let guest = other.insert(Body::moving(cube(), far)).expect("a free place");
        other.remove(guest).expect("the guest");
        let again = other.step(&moves(&others)).expect("bodies that are there");
        for (made, again) in made.moves.iter().zip(&again.moves) {
            assert_eq!(
                (made.status, made.fraction, made.placement),
                (again.status, again.fraction, again.placement)
            );
            let normals = |made: &impinge::world::Move| {
                made.hits.iter().map(|hit| hit.hit.map(|hit| hit.normal)).collect::<Vec<_>>()
            };
            assert_eq!(normals(made), normals(again));
            still += usize::from(made.fraction == 0.0);
        }
    }
    assert!(still > 50, "{still}");
}

#[test]
fn bodies_that_a_filter_let_overlap_are_found_when_it_is_gone() {
    let mut world = World::new();
    world.set_filter(|(_, a), (_, b)| a.data() != b.data());
    let first = world.insert(Body::moving(cube(), Trs::IDENTITY)).expect("a place");
    let beside = Trs::translation([0.25, 0.0, 0.0]).expect("a place");
    let second = world.insert(Body::moving(cube(), beside)).expect("a place");
    assert!(world.overlaps().is_empty());
    let away = Motion::translation([0.0, 0.0, 0.125]).expect("a motion");
    let step = world.step(&[(first, away)]).expect("a body");
    assert_eq!(step.moves[0].status, SweepStatus::Clear);
    // The filter reads the number.
    let mut changed = world.clone();
    changed.set_data(first, 7).expect("a body");
    world.clear_filter();
    for world in [&mut world, &mut changed] {
        assert_eq!(world.overlaps(), [[first, second]]);
        let step = world.step(&[(first, away)]).expect("a body");
        assert_eq!(step.moves[0].status, SweepStatus::StartedOverlapping);
    }
}

/// Two cubes, one above the other by a gap, far above a large floor: its size makes the skin far thicker than rounding.
fn pair(chain: FilterChain, gap: f64) -> (World, [Handle; 2]) {
    let mut world = World::with_options(WorldOptions::new().chain(chain));
    let floor = shapes::cuboid([-20.0, -20.0, -9.0], [20.0, 20.0, -8.0]).expect("a floor");
    world.insert(Body::fixed(Model::new(floor), Trs::IDENTITY)).expect("a floor");
    let places = [Trs::IDENTITY, Trs::translation([0.2, 0.1, 1.0 + gap]).expect("a place")];
    let handles = places.map(|place| world.insert(Body::moving(cube(), place)).expect("a place"));
    (world, handles)
}

#[test]
fn filters_leave_what_the_zone_of_a_step_stops() {
    let skin = pair(FilterChain::USUAL, 1.0).0.skin();
    for parts in [0.2, 0.5, 0.9, 0.99, 1.01, 1.1, 1.3, 1.49, 1.51, 2.0, 10.0, 1e3, 1e6] {
        for fall in [0.0, -1e-10, 1e-10, 1e-3, -1e-3] {
            for degrees in [0.0, 3.0] {
                let step = |chain: FilterChain| {
                    let (mut world, [below, above]) = pair(chain, parts * skin);
                    let motion = |by: [f64; 3], sign: f64| {
                        Motion::rigid(by, [0.1, 0.2, 0.5 + 0.5 * sign], [0.3, 1.0, 0.2], sign * degrees)
                            .expect("a motion")
                    };
                    let moves = [(below, motion([0.0; 3], -1.0)), (above, motion([0.3, 0.2, fall], 1.0))];
                    let moves = if degrees > 0.0 { &moves[..] } else { &moves[1..] };
                    let made = world.step(moves).expect("bodies that are there").moves;
                    made.into_iter()
                        .map(|made| (made.status, made.fraction, made.placement))
                        .collect::<Vec<_>>()
                };
                assert_eq!(
                    step(FilterChain::USUAL),
                    step(FilterChain::NONE),
                    "{parts} skins, {fall}, {degrees}"
                );
            }
        }
    }
}

#[test]
fn filters_tell_what_parts_from_where_a_sweep_has_stopped_it() {
    let (mut world, [below, above]) = pair(FilterChain::USUAL, 0.3);
    let motions = |z: f64| {
        let motion =
            |sign: f64| Motion::rigid([0.0, 0.0, sign * z], [0.0; 3], [1.0, 2.0, 0.5], 0.5 * sign * z);
        [(below, motion(-1.0).expect("a motion")), (above, motion(1.0).expect("a motion"))]
    };
    let step = world.step(&motions(-0.4)).expect("bodies that are there");
    assert!(step.moves.iter().all(|made| made.status == SweepStatus::Hit));
    world.clear_statistics();
    let step = world.step(&motions(0.4)).expect("bodies that are there");
    assert!(step.moves.iter().all(|made| made.status == SweepStatus::Clear));
    assert_eq!(world.statistics().of(FilterStage::Hard).asked, 0);
}
