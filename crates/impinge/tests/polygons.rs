//! Faces of any number of corners, and terrains: features in batches and leaves in batches give the answers of brute force.

use std::collections::BTreeSet;

use crate::effort::share;
use impinge::math::DVec3;
use impinge::mesh::Terrain;
use impinge::query::{ContactOptions, Engine, IntersectOptions, Scratch};
use impinge::shapes::Random;
use impinge::{Mesh, Model, Placed, Placement, Trs};

/// Coordinates on a coarse lattice, some of them off by next to nothing.
fn coordinate(random: &mut Random, steps: u32) -> f64 {
    let coarse = f64::from(random.below(steps)) * 0.5;
    match random.below(12) {
        0 => coarse + 1e-13,
        1 => coarse - 3e-9,
        2 => coarse + 1e-5 * random.unit(),
        _ => coarse,
    }
}

/// Faces on a few points: points, segments, triangles and polygons, flat and bent, that cross themselves, have corners twice and no area; some of them
/// are there twice, or once from either side.
fn lattice_faces(random: &mut Random) -> Mesh {
    let steps = 2 + random.below(4);
    let points: Vec<DVec3> = (0..4 + random.below(12))
        .map(|_| DVec3::from_array([0; 3].map(|_| coordinate(random, steps))))
        .collect();
    let mut faces: Vec<Vec<u32>> = Vec::new();
    // Polygons that are all triangles are read as those of a table are.
    let counts: &[u32] = if random.below(6) == 0 { &[3] } else { &[1, 2, 3, 3, 3, 4, 4, 4, 5, 6, 11, 23] };
    for _ in 0..2 + random.below(16) {
        let corners = counts[random.below(counts.len() as u32) as usize];
        let mut face: Vec<u32> = (0..corners).map(|_| random.below(points.len() as u32)).collect();
        faces.push(face.clone());
        match random.below(8) {
            0 => faces.push(face),
            1 => {
                face.reverse();
                faces.push(face);
            }
            _ => {}
        }
    }
    Mesh::polygons(points, faces).unwrap()
}

fn place(random: &mut Random) -> Placement {
    let by = DVec3::from_array([0; 3].map(|_| coordinate(random, 5) - 1.0));
    let far = if random.below(6) == 0 { DVec3::splat(3e5) } else { DVec3::ZERO };
    let scale = if random.below(4) == 0 { DVec3::new(1.0, -1.0, 1.0) } else { DVec3::ONE };
    let turn = match random.below(3) {
        0 => Trs::IDENTITY,
        1 => Trs::rotation_about_axis([0.0, 0.0, 1.0], 90.0 * f64::from(random.below(4))).unwrap(),
        _ => Trs::rotation_about_axis(random.direction(), 360.0 * random.unit()).unwrap(),
    };
    Trs::new(by + far, turn.orientation(), scale).unwrap().into()
}

/// Compares trees with brute force; the numbers of contacts and of pairs of faces.
fn check(a: &Placed<'_>, b: &Placed<'_>, within: f64, scratch: &mut Scratch, case: u64) -> [usize; 2] {
    let options = ContactOptions::new().within(within).depth(0.0);
    let by_force = a.contacts_in(b, options.engine(Engine::Brute), scratch);
    assert_eq!(a.contacts_in(b, options, scratch), by_force, "case {case}, within {within}");
    let options = IntersectOptions::new().pairs(true);
    let truth = a.intersect_in(b, options.engine(Engine::Brute), scratch);
    let found = a.intersect_in(b, options, scratch);
    assert_eq!((found.verdict, &found.pairs), (truth.verdict, &truth.pairs), "case {case}");
    let surfaces = IntersectOptions::new().surface_only(true);
    assert_eq!(a.intersects_with(b, surfaces), !truth.pairs.is_empty(), "case {case}");
    [by_force.len(), truth.pairs.len()]
}

#[test]
fn faces_on_a_lattice_are_as_by_brute_force() {
    let mut scratch = Scratch::default();
    let mut total = [0; 2];
    for case in 0..share(400, 30_000) {
        let random = &mut Random::new(case);
        let [mut a, b] = [0; 2].map(|_| lattice_faces(random));
        // Polygons against triangles, too.
        if random.below(3) == 0 {
            a = triangles_of(&a);
        }
        let (a, b) = (Model::new(a), Model::new(b));
        let (a, b) = (a.at(place(random)), b.at(place(random)));
        let within = [0.0, 1e-12, 1e-6, 0.01, 0.3, 2.0, f64::INFINITY][random.below(7) as usize];
        let found = check(&a, &b, within, &mut scratch, case);
        total = [total[0] + found[0], total[1] + found[1]];
    }
    assert!(total.iter().all(|&found| found > 500), "{total:?}");
}

/// The triangles of all fans, under the numbers of their faces.
fn triangles_of(mesh: &Mesh) -> Mesh {
    let faces = 0..mesh.face_count() as u32;
    let labels = faces.clone().flat_map(|face| mesh.fan(face).map(move |_| face)).collect();
    let triangles = faces.flat_map(|face| mesh.fan(face)).collect();
    Mesh::triangles(mesh.vertices(), triangles).unwrap().with_labels(labels).unwrap()
}

/// A ring with bumps, whose `across` sides times `2 pieces` are joined to faces of `2 pieces + 2` corners along it; every third may stay triangles.
fn ring(random: &mut Random, along: u32, across: u32, pieces: u32) -> Mesh {
    let waves: Vec<(DVec3, f64)> =
        (0..3).map(|_| (random.direction() * (1.0 + 4.0 * random.unit()), 0.05 * random.unit())).collect();
    let turn = std::f64::consts::TAU;
    let point = |i: u32| {
        let (u, v) = (
            turn * f64::from(i / across) / f64::from(along),
            turn * f64::from(i % across) / f64::from(across),
        );
        let point =
            DVec3::new((1.0 + 0.4 * v.cos()) * u.cos(), (1.0 + 0.4 * v.cos()) * u.sin(), 0.4 * v.sin());
        point * (1.0 + waves.iter().map(|(way, height)| height * point.dot(*way).sin()).sum::<f64>())
    };
    let at = |i: u32, j: u32| i % along * across + j % across;
    let is_mixed = random.below(2) == 0;
    let is_open = random.below(3) == 0;
    let mut faces: Vec<Vec<u32>> = Vec::new();
    for i in (0..along).step_by(pieces as usize) {
        for j in 0..across {
            let face: Vec<u32> = (i..=i + pieces)
                .map(|i| at(i, j))
                .chain((i..=i + pieces).rev().map(|i| at(i, j + 1)))
                .collect();
            if is_open && random.below(8) == 0 {
                continue;
            }
            if is_mixed && random.below(3) == 0 {
                faces.extend((2..face.len()).map(|k| vec![face[0], face[k - 1], face[k]]));
            } else {
                faces.push(face);
            }
        }
    }
    Mesh::polygons((0..along * across).map(point), faces).unwrap()
}

/// Surfaces of quads, hexagons and faces of twenty corners, bent, so that diagonals of fans are creases; closed and open, with triangles among them.
#[test]
fn bent_surfaces_are_as_by_brute_force() {
    let mut scratch = Scratch::default();
    let mut total = [0; 2];
    for case in 0..share(6, 300) {
        let random = &mut Random::new(500 + case);
        let [a, b] = [0; 2].map(|_| {
            let [along, pieces] = [[20, 1], [20, 2], [18, 9]][random.below(3) as usize];
            Model::new(ring(random, along, 8, pieces))
        });
        let turn = Trs::rotation_about_axis(random.direction(), 360.0 * random.unit()).unwrap();
        let scale = [[1.0; 3], [-0.7, 0.7, 0.7], [1.0, 1.3, 1.0]][random.below(3) as usize];
        let by = random.direction() * (0.2 + 2.4 * random.unit());
        let (a, b) = (a.at(Trs::new(by, turn.orientation(), scale).unwrap()), b.at(Trs::IDENTITY));
        let within = [0.01, 0.05, 0.2, 1.0][random.below(4) as usize];
        let found = check(&a, &b, within, &mut scratch, case);
        total = [total[0] + found[0], total[1] + found[1]];
    }
    assert!(total.iter().all(|&found| found > 100), "{total:?}");
}

/// The faces that intersect are those whose triangles do.
#[test]
fn polygons_intersect_where_their_triangles_do() {
    let mut total = 0;
    for case in 0..share(20, 400) {
        let random = &mut Random::new(900 + case);
        let pieces = 1 + random.below(2);
        let [a, b] = [ring(random, 20, 8, pieces), ring(random, 20, 8, 1)];
        let turn = Trs::rotation_about_axis(random.direction(), 360.0 * random.unit()).unwrap();
        let placement = Trs::rigid(random.direction() * random.unit(), turn.orientation()).unwrap();
        let [of_polygons, of_triangles] = [false, true].map(|as_triangles| {
            let [a, b] =
                [&a, &b].map(|mesh| Model::new(if as_triangles { triangles_of(mesh) } else { mesh.clone() }));
            let pairs = a.at(placement).face_pairs(&b.at(Trs::IDENTITY));
            pairs.iter().map(|pair| [pair.face_a, pair.face_b]).collect::<BTreeSet<_>>()
        });
        assert_eq!(of_polygons, of_triangles, "case {case}");
        total += of_polygons.len();
    }
    assert!(total > 1000, "{total}");
}

/// Terrains with holes against each other and against polygons.
#[test]
fn terrains_are_as_by_brute_force() {
    let mut scratch = Scratch::default();
    let mut total = [0; 2];
    for case in 0..share(10, 300) {
        let random = &mut Random::new(1300 + case);
        let mut terrain = || {
            let heights = (0..48).map(|_| 0.4 * random.unit()).collect();
            let holes = (0..random.below(4)).map(|_| random.below(35)).collect();
            let terrain = Terrain { origin: [-1.0; 3], spacing: [0.3; 2], columns: 8, heights, holes };
            Model::new(Mesh::terrain(terrain).unwrap())
        };
        let (ground, other) = (terrain(), terrain());
        let other = if random.below(2) == 0 { other } else { Model::new(ring(random, 20, 8, 2)) };
        let by = DVec3::new(0.3, 0.2, 0.6) * random.unit();
        let turn = Trs::rotation_about_axis(random.direction(), 20.0 * random.unit()).unwrap();
        let (a, b) = (other.at(Trs::rigid(by, turn.orientation()).unwrap()), ground.at(Trs::IDENTITY));
        let within = [0.01, 0.1, 0.5][random.below(3) as usize];
        let found = check(&a, &b, within, &mut scratch, case);
        total = [total[0] + found[0], total[1] + found[1]];
    }
    assert!(total.iter().all(|&found| found > 100), "{total:?}");
}
