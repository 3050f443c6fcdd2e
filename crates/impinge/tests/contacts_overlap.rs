//! Contacts of solids that overlap.

use impinge::query::{Contact, ContactOptions};
use impinge::shapes::{self, Random};
use impinge::{Mesh, Model, Placement, Trs, Verdict};

use crate::effort::share;

fn deep(depth: f64) -> ContactOptions {
    ContactOptions::new().depth(depth)
}

#[test]
fn a_cube_that_sinks_into_another_has_its_corners_as_contacts() {
    let cube = Model::new(shapes::cuboid([-0.5; 3], [0.5; 3]).unwrap());
    let floor = Model::new(shapes::cuboid([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0]).unwrap());
    for sunk in [1e-9, 1e-4, 0.01, 0.2] {
        let a = cube.at(Trs::translation([0.25, 1.0, 0.5 - sunk]).unwrap());
        let b = floor.at(Trs::IDENTITY);
        assert!(a.contacts_with(&b, deep(0.0).within(0.1)).is_empty());
        let contacts = a.contacts(&b, 0.0);
        assert_eq!(a.contacts_with(&b, deep(1.0)), contacts);
        assert_eq!(contacts.len(), 4, "{sunk}: {contacts:?}");
        for contact in &contacts {
            assert_eq!(contact.normal, [0.0, 0.0, -1.0].into());
            // Up to the skin at which the sweep stops, twice.
            assert!((contact.distance + sunk).abs() < 1e-9, "{sunk}: {contact:?}");
            let between = contact.point_on_b - contact.point_on_a;
            assert!((between - contact.normal * contact.distance).length() < 1e-14);
            assert!((contact.point_on_a.z + sunk).abs() < 1e-9 && contact.point_on_b.z.abs() < 1e-9);
        }
        // No deeper than asked.
        assert!(a.contacts_with(&b, deep(0.5 * sunk)).is_empty());
    }
}

#[test]
fn what_does_not_overlap_has_the_contacts_that_it_always_had() {
    let cube = Model::new(shapes::cuboid([-0.5; 3], [0.5; 3]).unwrap());
    for z in [1.0, 1.0 + 1e-9, 1.05, 3.0] {
        let (a, b) = (cube.at(Trs::IDENTITY), cube.at(Trs::translation([0.25, 0.0, z]).unwrap()));
        let plain = a.contacts_with(&b, deep(0.0).within(0.1));
        assert_eq!(a.contacts(&b, 0.1), plain);
    }
}

/// Models that overlap have contacts, the translation that they come from is at least as long as each is deep, and swapping the models flips them.
#[test]
fn whatever_overlaps_has_contacts_that_swap() {
    let models = [
        Mesh::from(shapes::cuboid([-0.5; 3], [0.5; 3]).unwrap()),
        Mesh::from(shapes::icosphere(0.6, 2).unwrap()),
        Mesh::from(shapes::torus(0.7, 0.2, 12, 8).unwrap()),
        Mesh::from(shapes::cuboid_of_quads([-1.0, -0.2, -0.1], [1.0, 0.2, 0.1]).unwrap()),
    ]
    .map(Model::new);
    let mut random = Random::new(3);
    let mut overlapping = 0;
    for case in 0..share(20, 2_000) {
        let model = |random: &mut Random| &models[random.below(4) as usize];
        let place = |random: &mut Random| -> Placement {
            let turn = Trs::rotation_about_axis(random.direction(), 360.0 * random.unit()).unwrap();
            Trs::rigid(0.6 * random.in_cube(), turn.orientation()).unwrap().into()
        };
        let (first, second) = (model(&mut random), model(&mut random));
        let (a, b) = (first.at(place(&mut random)), second.at(place(&mut random)));
        let contacts = a.contacts(&b, 0.0);
        if matches!(a.verdict(&b), Verdict::Clear | Verdict::Touching) {
            assert_eq!(contacts, a.contacts_with(&b, deep(0.0)), "case {case}");
            continue;
        }
        overlapping += 1;
        assert!(!contacts.is_empty(), "case {case}");
        let mut flipped: Vec<_> = b.contacts(&a, 0.0).into_iter().map(Contact::flipped).collect();
        flipped.sort_by_key(Contact::id);
        assert_eq!(contacts, flipped, "case {case}");
        let apart = a.separating_translation(&b, f64::INFINITY).unwrap().unwrap();
        let other = b.separating_translation(&a, f64::INFINITY).unwrap().unwrap();
        let longest = apart.distance.max(other.distance) * (1.0 + 1e-9) + 1e-9;
        for contact in &contacts {
            assert!((contact.normal.length() - 1.0).abs() < 1e-12);
            assert!(contact.distance <= 1e-9 && -contact.distance <= longest, "case {case}: {contact:?}");
        }
        // The deepest one ends the overlap about as the translation does.
        let deepest = contacts.iter().map(|contact| -contact.distance).fold(0.0, f64::max);
        assert!(deepest > 0.0, "case {case}: {contacts:?}");
    }
    assert!(overlapping > 5, "{overlapping}");
}

/// Meshes as files have them: doubled, inside out, hollow, open, crossing themselves, with faces of no area.
fn dirty(kind: u32, random: &mut Random) -> Model {
    let solid = |random: &mut Random| match random.below(4) {
        0 => shapes::cuboid([-0.5; 3], [0.5; 3]).unwrap(),
        1 => shapes::icosphere(0.6, 1).unwrap(),
        2 => shapes::torus(0.5, 0.2, 10, 6).unwrap(),
        _ => shapes::cuboid([-0.6, -0.3, -0.05], [0.6, 0.3, 0.05]).unwrap(),
    };
    let (mut points, mut faces) = (Vec::new(), Vec::new());
    let mut add = |mesh: Mesh, scale: f64, by: [f64; 3], is_turned: bool| {
        let first = points.len() as u32;
        points.extend(mesh.vertices().map(|point| point * scale + impinge::math::DVec3::from_array(by)));
        for face in 0..mesh.face_count() as u32 {
            for [a, b, c] in mesh.fan(face) {
                let corners = if is_turned { [a, c, b] } else { [a, b, c] };
                faces.push(corners.map(|vertex| vertex + first));
            }
        }
    };
    let one = Mesh::from(solid(random));
    match kind {
        // Twice the same.
        0 => [0; 2].iter().for_each(|_| add(one.clone(), 1.0, [0.0; 3], false)),
        // Two that cross.
        1 => {
            add(one, 1.0, [0.0; 3], false);
            add(solid(random).into(), 0.7, random.in_cube().map(|x| 0.4 * x).to_array(), false);
        }
        // A cavity, and something in it.
        2 => {
            add(one.clone(), 1.0, [0.0; 3], false);
            add(one.clone(), 0.8, [0.0; 3], true);
            add(one, 0.3, [0.0; 3], false);
        }
        // Many small ones.
        3 => {
            for _ in 0..6 {
                add(solid(random).into(), 0.3, random.in_cube().map(|x| 0.6 * x).to_array(), false);
            }
        }
        // Faces of no area between closed ones, and a loose one.
        4 => {
            add(one, 1.0, [0.0; 3], false);
            faces.push([0, 1, 1]);
            faces.push([0, 1, 2]);
        }
        _ => add(one, 1.0, [0.0; 3], false),
    }
    Model::new(Mesh::triangles(points, faces).unwrap())
}

/// No pose of two solids that overlap is without a contact, whatever their meshes are like: also where one is inside of the other.
#[test]
fn dirty_solids_that_overlap_have_contacts() {
    let mut overlapping = 0;
    // In the last one no feature of the two is in contact where the translation ends the overlap.
    for case in (0..share(40, 3_000)).chain([16_677]) {
        let random = &mut Random::new(case);
        let [first, second] = [0; 2].map(|_| {
            let kind = random.below(6);
            dirty(kind, random)
        });
        let steps = random.below(3);
        let place = |random: &mut Random, scale: f64| -> Placement {
            // Some level and on a lattice, where faces lie in one plane.
            let by = match steps {
                0 => (random.in_cube() * 2.0).round() * 0.25,
                _ => 0.6 * random.in_cube(),
            };
            let turn = Trs::rotation_about_axis(random.direction(), 360.0 * random.unit()).unwrap();
            let turn = if steps == 0 { Trs::IDENTITY } else { turn };
            Trs::new(by, turn.orientation(), [scale; 3]).unwrap().into()
        };
        let scale = [1.0, 0.2, 3.0][random.below(3) as usize];
        let (a, b) = (first.at(place(random, 1.0)), second.at(place(random, scale)));
        let contacts = a.contacts(&b, 0.0);
        if matches!(a.verdict(&b), Verdict::Clear | Verdict::Touching) {
            assert_eq!(contacts, a.contacts_with(&b, deep(0.0)), "case {case}");
            continue;
        }
        overlapping += 1;
        assert!(!contacts.is_empty(), "case {case}");
        let apart = a.separating_translation(&b, f64::INFINITY).unwrap().unwrap();
        let other = b.separating_translation(&a, f64::INFINITY).unwrap().unwrap();
        let longest = apart.distance.max(other.distance) * (1.0 + 1e-9) + 1e-9;
        for contact in &contacts {
            assert!((contact.normal.length() - 1.0).abs() < 1e-12, "case {case}: {contact:?}");
            let between = contact.point_on_b - contact.point_on_a;
            assert!(
                (between - contact.normal * contact.distance).length() < 1e-12,
                "case {case}: {contact:?}"
            );
            assert!(contact.distance <= 1e-9 && -contact.distance <= longest, "case {case}: {contact:?}");
        }
        assert!(contacts.iter().any(|contact| contact.distance < 0.0), "case {case}: {contacts:?}");
    }
    assert!(overlapping > 10, "{overlapping}");
}
