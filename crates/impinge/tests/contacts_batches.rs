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
    let options = ContactOptions::new().within(within);
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
