//! A deformable gives the answers of a model built afresh from the same vertices, and does no more than it must.

use crate::effort::share;
use crate::engine_set::RefittedTrees;
use crate::oracle::cases::Random;
use impinge::bounds::Aabb;
use impinge::math::{DMat3, DVec3};
use impinge::mesh::{Mesh, Problem, Terrain};
use impinge::query::{IntersectOptions, Ray, Scratch};
use impinge::shapes::{self, Shape};
use impinge::{Deformable, Model, Placed, Placement, Trs};

fn all_steps() -> u64 {
    share(12, 200)
}
const FRAMES: u64 = if cfg!(debug_assertions) { 40 } else { 1_000 };

/// The same faces at other vertices, as a user would make them from nothing.
fn rebuilt(like: &Mesh, vertices: &[DVec3]) -> Model {
    let faces: Vec<Vec<u32>> =
        (0..like.face_count() as u32).map(|face| like.corners(face).collect()).collect();
    let holes = faces.iter().any(Vec::is_empty);
    let mesh = if holes || faces.iter().any(|corners| corners.len() != 3) {
        Mesh::polygons(vertices.iter().copied(), faces.into_iter().filter(|corners| !corners.is_empty()))
    } else {
        let triangles = faces.iter().map(|corners| [corners[0], corners[1], corners[2]]).collect();
        Mesh::triangles(vertices.iter().copied(), triangles)
    };
    Model::new(mesh.unwrap())
}

/// Every question about a pair. Holes take up numbers of faces, so they are left to the questions that need no numbers.
fn assert_same_pair(
    name: &str,
    [moved, fresh]: [&Placed<'_>; 2],
    other: &Placed<'_>,
    numbered: bool,
    trees: &RefittedTrees,
) {
    let mut scratch = Scratch::default();
    let ask = IntersectOptions::new().pairs(numbered);
    let expected = fresh.intersect_in(other, ask, &mut scratch);
    let expected_met = other.intersects_in(fresh, ask, &mut scratch);
    let own = (
        "the model's own tree",
        moved.intersect_in(other, ask, &mut scratch),
        other.intersects_in(moved, ask, &mut scratch),
    );
    for (engine, own, met) in [own].into_iter().chain(trees.answers(moved, other, ask)) {
        assert_eq!(own.verdict, expected.verdict, "{name}, {engine}");
        assert_eq!(own.pairs, expected.pairs, "{name}, {engine}");
        assert_eq!(own.witness.is_some(), expected.witness.is_some(), "{name}, {engine}");
        assert_eq!(met, expected_met, "{name}, {engine}");
    }
    assert_eq!(moved.bounds(), fresh.bounds(), "{name}");
    if numbered {
        let [own, expected] = [moved, fresh].map(|placed| placed.intersection_curve(other));
        assert_eq!(own, expected, "{name}");
        let [own, expected] = [moved, fresh].map(|placed| placed.contact_surface(other));
        assert_eq!(own, expected, "{name}");
    }
}

/// Every question about one model.
fn assert_same_model(name: &str, moved: &Model, fresh: &Model, numbered: bool) {
    assert_eq!(moved.bounds(), fresh.bounds(), "{name}");
    assert_eq!(moved.reach(), fresh.reach(), "{name}");
    assert_eq!(moved.is_closed(), fresh.is_closed(), "{name}");
    assert_eq!(moved.geometry_hash(), fresh.geometry_hash(), "{name}");
    if numbered {
        assert_eq!(moved.parts(), fresh.parts(), "{name}");
        assert_eq!(moved.edges(), fresh.edges(), "{name}");
        assert_eq!(moved.internal_share(), fresh.internal_share(), "{name}");
        for vertex in 0..moved.mesh().vertex_count() as u32 {
            assert_eq!(moved.representative(vertex), fresh.representative(vertex), "{name}");
            assert_eq!(moved.is_internal_vertex(vertex), fresh.is_internal_vertex(vertex), "{name}");
        }
        for face in 0..moved.mesh().face_count() as u32 {
            assert_eq!(moved.is_closed_face(face), fresh.is_closed_face(face), "{name}");
        }
        assert_eq!(moved.self_intersections(), fresh.self_intersections(), "{name}");
    }
}

/// Models of every form of faces, and whether all faces have corners.
fn meshes() -> Vec<(&'static str, Mesh, bool)> {
    let zigzag = (0..9).map(|i| [f64::from(i) * 0.25 - 1.0, f64::from(i % 2), f64::from(i % 3) * 0.25]);
    let heights: Vec<f64> = (0..36).map(|i| f64::from(i * 7 % 5) * 0.25).collect();
    let terrain = |holes| {
        let heights = heights.clone();
        Terrain { origin: [-0.75; 3], spacing: [0.3; 2], columns: 6, heights, holes }
    };
    vec![
        ("torus", Mesh::from(shapes::torus(0.8, 0.3, 16, 8).unwrap()), true),
        ("ball", Mesh::from(shapes::icosphere(0.8, 4).unwrap()), true),
        ("quads", Mesh::from(shapes::cuboid_of_quads([-0.5; 3], [0.5; 3]).unwrap()), true),
        ("soup", Mesh::from(Shape::Soup.generate(40, 3)), true),
        ("strip", Mesh::triangle_strip(zigzag.clone()).unwrap(), true),
        ("fan", Mesh::triangle_fan(zigzag).unwrap(), true),
        ("terrain", Mesh::terrain(terrain(vec![])).unwrap(), true),
        ("holes", Mesh::terrain(terrain(vec![4, 11])).unwrap(), false),
        ("point", Mesh::point([0.25, 0.0, 0.0]).unwrap(), true),
        // A vertex that no face uses.
        (
            "unused",
            Mesh::triangles([[9., 9., 9.], [0., 0., 0.], [1., 0., 0.], [0., 1., 0.]], vec![[1, 2, 3]])
                .unwrap(),
            true,
        ),
    ]
}

/// Waves, twists, explosions, collapses and journeys.
fn deformed(rest: &[DVec3], kind: u64, phase: f64, random: &mut Random) -> Vec<DVec3> {
    let place = |p: &DVec3| match kind {
        0 => *p + 0.2 * DVec3::new(0.0, (4.0 * p.x + phase).sin(), (3.0 * p.y - phase).cos()),
        1 => DMat3::from_rotation_z(3.0 * phase.sin() * p.z) * *p,
        2 => *p + 0.5 * phase.sin() * random.vector(),
        3 => *p * (phase.cos().abs() * 8.0).floor() / 8.0,
        4 => *p + DVec3::new(1e6, 0.0, -1e3) * phase.sin(),
        5 => (*p * 4.0).round() / 4.0,
        6 => *p * DVec3::new(1.0, 1.0, 0.0),
        _ => *p * DVec3::new(-1.0, 1.0 + 0.5 * phase.sin(), 1.0),
    };
    rest.iter().map(place).collect()
}

fn placement(random: &mut Random) -> Placement {
    match random.below(3) {
        0 => Trs::IDENTITY.into(),
        1 => Trs::translation(random.lattice(2) * 0.25).unwrap().into(),
        _ => {
            let axis = random.vector() + DVec3::new(0.0, 0.0, 1.5);
            let turn = Trs::rotation_about_axis(axis, random.unit() * 180.0).unwrap();
            Trs::rigid(random.vector(), turn.orientation()).unwrap().into()
        }
    }
}

#[test]
fn answers_are_those_of_a_fresh_model() {
    let others = [Model::new(shapes::icosphere(0.7, 3).unwrap()), Model::new(Shape::Star.generate(60, 1))];
    let mut random = Random(11);
    for (name, mesh, numbered) in meshes() {
        let rest: Vec<DVec3> = mesh.vertices().collect();
        let (mut deformable, mut trees) = (Deformable::new(mesh), RefittedTrees::new());
        let mut phase = 0.0;
        for step in 0..all_steps() {
            phase += 0.3;
            let kind = if step % 3 == 0 { random.below(8) } else { step / 25 % 8 };
            let vertices = deformed(&rest, kind, phase, &mut random);
            deformable.set_vertices(&vertices).unwrap();
            trees.moved(&deformable, None);
            let fresh = rebuilt(deformable.model().mesh(), &vertices);
            let name = format!("{name}, step {step}, kind {kind}");
            // Near the deformed model, wherever that has gone.
            let center = Trs::translation(fresh.bounds().center()).unwrap();
            let (own, other) = (placement(&mut random), &others[random.below(2) as usize]);
            let world = own.world_from_model().transform_point3(fresh.bounds().center());
            let near = Trs::translation(world + 0.5 * random.vector()).unwrap();
            for other in [other.at(near), other.at(center), other.at(Trs::IDENTITY)] {
                assert_same_pair(&name, [&deformable.at(own), &fresh.at(own)], &other, numbered, &trees);
            }
            if step % 5 == 0 {
                assert_same_model(&name, deformable.model(), &fresh, numbered);
            }
        }
        let work = deformable.upkeep();
        assert!(work.refits > 0 && work.refits <= all_steps(), "{name}: {work:?}");
    }
}

#[test]
fn some_vertices_may_move_alone() {
    let other = Model::new(shapes::icosphere(0.7, 3).unwrap());
    let mut random = Random(23);
    for (name, mesh, numbered) in meshes() {
        let (mut deformable, mut trees) = (Deformable::new(mesh.clone()), RefittedTrees::new());
        let mut vertices: Vec<DVec3> = mesh.vertices().collect();
        let count = vertices.len() as u64;
        for step in 0..all_steps() {
            // Several moves between two questions, now and then none.
            for _ in 0..random.below(4) {
                let far = if random.below(20) == 0 { 100.0 } else { 0.1 };
                if random.below(2) == 0 {
                    let mut some = Vec::new();
                    for _ in 0..random.below(4) {
                        let vertex = random.below(count) as u32;
                        some.push((vertex, vertices[vertex as usize] + far * random.vector()));
                    }
                    deformable.move_vertices(some.iter().copied()).unwrap();
                    let numbers: Vec<u32> = some.iter().map(|&(vertex, _)| vertex).collect();
                    trees.moved(&deformable, Some(&numbers));
                    some.iter().for_each(|&(vertex, to)| vertices[vertex as usize] = to);
                } else {
                    let first = random.below(count) as usize;
                    let end = (first + 3).min(vertices.len());
                    vertices[first..end]
                        .iter_mut()
                        .for_each(|p| *p = p.clamp(DVec3::splat(-1.0), DVec3::ONE));
                    let range = (first as u32..).zip(vertices[first..end].iter().copied());
                    deformable.move_vertices(range).unwrap();
                    let numbers: Vec<u32> = (first as u32..end as u32).collect();
                    trees.moved(&deformable, Some(&numbers));
                }
            }
            let name = format!("{name}, step {step}");
            let fresh = rebuilt(&mesh, &vertices);
            assert_eq!(deformable.model().bounds(), fresh.bounds(), "{name}");
            let (own, other) = (placement(&mut random), other.at(placement(&mut random)));
            assert_same_pair(&name, [&deformable.at(own), &fresh.at(own)], &other, numbered, &trees);
            if step % 5 == 0 {
                assert_same_model(&name, deformable.model(), &fresh, numbered);
            }
        }
    }
    let mut large = Deformable::new(Mesh::from(shapes::torus(1.0, 0.3, 64, 32).unwrap()));
    let (ball, vertex) = (other.at(Trs::IDENTITY), large.model().mesh().vertex(7));
    large.at(Trs::IDENTITY).verdict(&ball);
    for step in 0..10 {
        large.move_vertices([(7, vertex + DVec3::splat(0.01 * f64::from(step)))]).unwrap();
        large.at(Trs::IDENTITY).verdict(&ball);
    }
    let work = large.upkeep();
    assert_eq!((work.refits, work.partial_refits), (10, 10), "one vertex takes no whole refit");
}

#[test]
fn wrong_positions_are_refused_and_change_nothing() {
    let mut deformable = Deformable::new(Mesh::from(shapes::icosphere(1.0, 2).unwrap()));
    let before = deformable.clone();
    let count = deformable.model().mesh().vertex_count();
    let mut vertices: Vec<[f64; 3]> =
        deformable.model().mesh().vertices().map(|p| (p * 2.0).into()).collect();
    let problems = |error: impinge::mesh::MeshError| error.problems().to_vec();

    let found = problems(deformable.set_vertices(&vertices[1..]).unwrap_err());
    assert_eq!(found, [Problem::VertexCount { found: count - 1, expected: count }]);
    vertices[3][1] = f64::INFINITY;
    vertices[5][2] = f64::NEG_INFINITY;
    let found = problems(deformable.set_vertices(&vertices).unwrap_err());
    assert_eq!(found.len(), 2);
    assert_eq!(found[0], Problem::NotFinite { vertex: 3, axis: 1, value: f64::INFINITY });
    vertices[5][2] = f64::NAN;
    assert!(deformable.set_vertices(&vertices).is_err());

    let out = count as u32;
    let found = problems(deformable.move_vertices([(0, [9.0; 3]), (out, [0.0; 3])]).unwrap_err());
    assert_eq!(found, [Problem::VertexOutOfRange { vertex: out, vertices: count }]);
    assert!(deformable.move_vertices([(0, [9.0; 3]), (1, [f64::NAN; 3])]).is_err());

    assert_eq!(deformable.model().mesh(), before.model().mesh());
    assert_eq!(deformable.model().bounds(), before.model().bounds());
    // f32 and arrays at the door, too.
    let narrow: Vec<[f32; 3]> = before.model().mesh().vertices().map(|p| p.as_vec3().to_array()).collect();
    deformable.set_vertices(&narrow).unwrap();
}

/// A box is asked for, not a tree: nothing is refitted. The tree is refitted once, however often it is asked for.
#[test]
fn nothing_is_done_before_it_is_asked_for() {
    let ball = Model::new(shapes::icosphere(0.5, 4).unwrap());
    let mut torus = Deformable::new(Mesh::from(shapes::torus(1.0, 0.3, 24, 12).unwrap()));
    let wide: Vec<DVec3> = torus.model().mesh().vertices().map(|p| p * 1.5).collect();
    let there = ball.at(Trs::translation([1.0, 0.0, 0.0]).unwrap());
    torus.set_vertices(&wide).unwrap();
    assert_eq!(torus.model().bounds(), Aabb::around(wide.iter().copied()), "the box is right at once");
    assert!(torus.at(Trs::IDENTITY).intersects(&there));
    assert_eq!(torus.upkeep().refits, 0, "there was no tree, so one was built");
    for round in 1..=3 {
        torus.set_vertices(&wide).unwrap();
        torus.set_vertices(&wide).unwrap();
        assert!(!torus.at(Trs::IDENTITY).intersects(&ball.at(Trs::translation([9.0, 0.0, 0.0]).unwrap())));
        assert_eq!(torus.upkeep().refits, round - 1, "far away");
        for _ in 0..3 {
            torus.at(Trs::IDENTITY).verdict(&there);
        }
        assert_eq!(torus.upkeep().refits, round, "once, for two moves and many questions");
    }
    torus.set_vertices(&wide).unwrap();
    let copy = torus.clone();
    assert_eq!(copy.at(Trs::IDENTITY).verdict(&there), torus.at(Trs::IDENTITY).verdict(&there));
    assert_eq!((copy.upkeep().refits, torus.upkeep().refits), (4, 4), "a copy owes what its original owed");
}

#[test]
fn many_threads_may_ask_at_once() {
    let ball = Model::new(shapes::icosphere(0.5, 6).unwrap());
    let mut torus = Deformable::new(Mesh::from(shapes::torus(1.0, 0.3, 64, 32).unwrap()));
    let rest: Vec<DVec3> = torus.model().mesh().vertices().collect();
    let places: Vec<Placement> =
        (0..8).map(|i| Trs::translation([0.2 * f64::from(i), 0.0, 0.0]).unwrap().into()).collect();
    torus.model().bvh();
    for step in 0..10 {
        let vertices: Vec<DVec3> = rest.iter().map(|p| *p * (1.0 + 0.05 * f64::from(step))).collect();
        torus.set_vertices(&vertices).unwrap();
        let fresh = rebuilt(torus.model().mesh(), &vertices);
        std::thread::scope(|scope| {
            for place in &places {
                let (torus, fresh, ball) = (&torus, &fresh, &ball);
                scope.spawn(move || {
                    let own = torus.at(Trs::IDENTITY).verdict(&ball.at(*place));
                    assert_eq!(own, fresh.at(Trs::IDENTITY).verdict(&ball.at(*place)));
                });
            }
        });
        assert_eq!(torus.upkeep().refits, step as u64 + 1);
    }
}

/// Maia et al. 2006, §5: 64 deformables, of which a frame touches 15 or so. Only these are refitted, and the answers are those
/// of refitting all.
#[test]
fn a_scene_refits_what_it_touches() {
    const COUNT: usize = 64;
    let mesh = Mesh::from(shapes::icosphere(0.5, 4).unwrap());
    let rest: Vec<DVec3> = mesh.vertices().collect();
    let mut random = Random(64);
    let mut lazy: Vec<Deformable> = (0..COUNT).map(|_| Deformable::new(mesh.clone())).collect();
    let mut eager = lazy.clone();
    let size = 11.35;
    let courses: Vec<[DVec3; 2]> =
        (0..COUNT).map(|_| [size * 0.5 * (random.vector() + DVec3::ONE), 0.05 * random.vector()]).collect();
    let touch = |body: &Deformable| assert!(!body.model().bvh().is_empty());
    lazy.iter().chain(&eager).for_each(touch);
    let (mut touched_in_all, mut hits, mut scratch) = (0, 0, Scratch::default());
    for frame in 0..FRAMES {
        let time = frame as f64;
        for (i, deformable) in lazy.iter_mut().chain(&mut eager).enumerate() {
            let phase = 0.1 * time + (i % COUNT) as f64;
            let wave = |p: &DVec3| *p * (1.0 + 0.1 * (6.0 * p.x + phase).sin());
            deformable.set_vertices(&rest.iter().map(wave).collect::<Vec<_>>()).unwrap();
        }
        // Back and forth between the walls.
        let fold = |x: f64| size - (x.rem_euclid(2.0 * size) - size).abs();
        let places: Vec<Placement> = courses
            .iter()
            .map(|[start, speed]| Trs::translation((*start + *speed * time).map(fold)).unwrap().into())
            .collect();
        eager.iter().for_each(touch);
        let bounds: Vec<Aabb> =
            lazy.iter().zip(&places).map(|(body, place)| body.at(*place).bounds()).collect();
        let mut touched = [false; COUNT];
        for i in 0..COUNT {
            for j in (0..i).filter(|&j| bounds[i].overlaps(&bounds[j])) {
                (touched[i], touched[j]) = (true, true);
                let [own, expected] = [&lazy, &eager].map(|bodies| {
                    let [a, b] = [i, j].map(|k| bodies[k].at(places[k]));
                    a.intersect_in(&b, IntersectOptions::new().pairs(true), &mut scratch)
                });
                assert_eq!(own, expected, "frame {frame}: {i} and {j}");
                hits += u64::from(!own.pairs.is_empty());
            }
        }
        touched_in_all += touched.iter().filter(|touched| **touched).count() as u64;
        let refits: u64 = lazy.iter().map(|body| body.upkeep().refits).sum();
        assert_eq!(refits, touched_in_all, "frame {frame}");
        assert_eq!(lazy.iter().map(|body| body.upkeep().rebuilds).sum::<u64>(), 0);
    }
    let mean = touched_in_all as f64 / FRAMES as f64;
    assert!((14.0..16.0).contains(&mean) || cfg!(debug_assertions), "{mean} touched in a frame");
    assert!(hits > FRAMES / 10, "{hits} collisions");
    assert_eq!(eager.iter().map(|body| body.upkeep().refits).sum::<u64>(), 64 * FRAMES);
}

/// What is prepared for rays is forgotten when vertices move.
#[test]
fn rays_hit_the_vertices_as_they_are() {
    let mesh = Mesh::from(shapes::icosphere(1.0, 6).expect("a sphere"));
    let mut ball = Deformable::new(mesh.clone());
    for step in 1..6 {
        let stretch = 1.0 + 0.3 * f64::from(step);
        let moved: Vec<[f64; 3]> = mesh.vertices().map(|p| [p.x * stretch, p.y, p.z / stretch]).collect();
        ball.set_vertices(&moved).expect("finite");
        let mut fresh = Deformable::new(mesh.clone());
        fresh.set_vertices(&moved).expect("finite");
        let fresh = Model::new(fresh.model().mesh().clone());
        for i in 0..50 {
            let angle = 0.37 * f64::from(i);
            let from = [5.0 * angle.cos(), 5.0 * angle.sin(), 0.02 * f64::from(i)];
            let ray = Ray::new(from, from.map(|c| -c)).expect("a direction");
            let hit = ball.at(Trs::IDENTITY).cast_ray(&ray);
            assert!(hit.is_some(), "{step} {i}");
            assert_eq!(hit, fresh.at(Trs::IDENTITY).cast_ray(&ray), "{step} {i}");
        }
    }
}
