//! Contacts through trees, where features are compared many at once and most are left out early: the same as by brute force.

use crate::effort::share;
use impinge::math::{DQuat, DVec3};
use impinge::query::{ContactOptions, Engine, Scratch};
use impinge::shapes::{self, Random};
use impinge::{Mesh, Model, Placement, Trs};

/// Coordinates on a coarse lattice, some of them off by next to nothing: needles, flat fans, parallel edges and exact touches abound.
fn coordinate(random: &mut Random, steps: u32) -> f64 {
    let coarse = f64::from(random.below(steps)) * 0.5;
    match random.below(12) {
        0 => coarse + 1e-13,
        1 => coarse - 3e-9,
        2 => coarse + 1e-5 * random.unit(),
        _ => coarse,
    }
}

/// Triangles on a few points: soups with shared and doubled edges, and with triangles of no area.
fn lattice_soup(random: &mut Random) -> Model {
    let steps = 2 + random.below(4);
    let points: Vec<DVec3> = (0..4 + random.below(10))
        .map(|_| DVec3::from_array([0; 3].map(|_| coordinate(random, steps))))
        .collect();
    let count = points.len() as u32;
    let faces = (0..2 + random.below(24)).map(|_| [0; 3].map(|_| random.below(count))).collect();
    Model::new(Mesh::triangles(points, faces).unwrap())
}

fn place(random: &mut Random) -> Placement {
    let by = DVec3::from_array([0; 3].map(|_| coordinate(random, 5) - 1.0));
    let far = if random.below(6) == 0 { DVec3::splat(3e5) } else { DVec3::ZERO };
    match random.below(4) {
        0 => Trs::translation(by + far).unwrap().into(),
        1 => Trs::new(by + far, DQuat::IDENTITY, DVec3::new(1.0, -1.0, 1.0)).unwrap().into(),
        2 => {
            let turn = Trs::rotation_about_axis([0.0, 0.0, 1.0], 90.0 * f64::from(random.below(4))).unwrap();
            Trs::rigid(by + far, turn.orientation()).unwrap().into()
        }
        _ => {
            let turn = Trs::rotation_about_axis(random.direction(), 360.0 * random.unit()).unwrap();
            Trs::rigid(by + far, turn.orientation()).unwrap().into()
        }
    }
}

/// Compares trees with brute force; the number of contacts.
fn check(
    a: &Model,
    b: &Model,
    places: [Placement; 2],
    within: f64,
    scratch: &mut Scratch,
    case: u64,
) -> usize {
    let (a, b) = (a.at(places[0]), b.at(places[1]));
    let options = ContactOptions::new().within(within).depth(0.0);
    let by_force = a.contacts_in(&b, options.engine(Engine::Brute), scratch);
    let found = a.contacts_in(&b, options, scratch);
    assert_eq!(found, by_force, "case {case}, within {within}");
    by_force.len()
}

#[test]
fn soups_on_a_lattice_have_the_contacts_of_brute_force() {
    let mut scratch = Scratch::default();
    let mut total = 0;
    for case in 0..share(600, 60_000) {
        let random = &mut Random::new(case);
        let (a, b) = (lattice_soup(random), lattice_soup(random));
        let places = [place(random), place(random)];
        let within = [0.0, 1e-12, 1e-6, 0.01, 0.3, 2.0, f64::INFINITY][random.below(7) as usize];
        total += check(&a, &b, places, within, &mut scratch, case);
    }
    assert!(total > 1000, "{total}");
}

/// Smooth surfaces with many faces within the distance of each, near each other and in each other.
#[test]
fn smooth_solids_have_the_contacts_of_brute_force() {
    let models = [
        Mesh::from(shapes::icosphere(1.0, 2).unwrap()),
        Mesh::from(shapes::torus(0.8, 0.3, 16, 8).unwrap()),
        Mesh::from(shapes::cuboid_grid([-0.7; 3], [0.7; 3], [4, 4, 4]).unwrap()),
    ]
    .map(Model::new);
    let mut scratch = Scratch::default();
    let mut total = 0;
    for case in 0..share(12, 200) {
        let random = &mut Random::new(case);
        let [a, b] = [0; 2].map(|_| &models[random.below(3) as usize]);
        let turn = Trs::rotation_about_axis(random.direction(), 360.0 * random.unit()).unwrap();
        let apart = random.direction() * (1.2 + 0.8 * random.unit());
        let places = [Trs::rigid(apart, turn.orientation()).unwrap().into(), Trs::IDENTITY.into()];
        let within = [0.02, 0.1, 0.4][random.below(3) as usize];
        total += check(a, b, places, within, &mut scratch, case);
    }
    assert!(total > 10, "{total}");
}

/// A sphere with bumps; open ones lack a tenth of their faces, or all of one side.
fn bumpy(random: &mut Random, subdivisions: u32) -> Model {
    let sphere = Mesh::from(shapes::icosphere(1.0, subdivisions).unwrap());
    let waves: Vec<(DVec3, f64)> =
        (0..4).map(|_| (random.direction() * (2.0 + 5.0 * random.unit()), 0.08 * random.unit())).collect();
    let bumped = |point: DVec3| {
        point * (1.0 + waves.iter().map(|(way, height)| height * point.dot(*way).sin()).sum::<f64>())
    };
    let points: Vec<DVec3> = sphere.vertices().map(bumped).collect();
    let mut faces: Vec<[u32; 3]> =
        (0..sphere.face_count() as u32).flat_map(|face| sphere.fan(face)).collect();
    match random.below(4) {
        0 => faces.retain(|_| random.below(10) > 0),
        1 => faces.retain(|face| points[face[0] as usize].x > -0.2),
        // Inside out.
        2 => faces.iter_mut().for_each(|face| face.swap(0, 1)),
        _ => {}
    }
    Model::new(Mesh::triangles(points, faces).unwrap())
}

/// Surfaces so fine that normal cones tell most of their nodes apart, closed and open, from both sides, scaled and mirrored: trees and brute force agree.
#[test]
fn fine_surfaces_have_the_contacts_of_brute_force() {
    let mut scratch = Scratch::default();
    let mut total = 0;
    for case in 0..share(2, 120) {
        let random = &mut Random::new(1000 + case);
        let subdivisions = if case % 10 == 0 { 3 } else { 2 };
        let (a, b) = (bumpy(random, subdivisions), bumpy(random, 2));
        let turn = Trs::rotation_about_axis(random.direction(), 360.0 * random.unit()).unwrap();
        let scale =
            [[1.0; 3], [0.5; 3], [-1.0, 1.0, 1.0], [2.5; 3], [1.0, 1.3, 1.0]][random.below(5) as usize];
        let far = if random.below(6) == 0 { DVec3::splat(3e5) } else { DVec3::ZERO };
        let apart = random.direction() * (0.3 + 2.2 * random.unit());
        let places = [
            Trs::new(far + apart, turn.orientation(), scale).unwrap().into(),
            Trs::translation(far).unwrap().into(),
        ];
        let within = [0.01, 0.05, 0.2, 1.0][random.below(4) as usize];
        total += check(&a, &b, places, within, &mut scratch, case);
    }
    assert!(total > 100, "{total}");
}
