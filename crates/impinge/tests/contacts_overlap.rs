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
        assert!(a.contacts(&b, 0.1).is_empty());
        let contacts = a.contacts_with(&b, deep(1.0));
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
        let plain = a.contacts(&b, 0.1);
        assert_eq!(a.contacts_with(&b, deep(1.0).within(0.1)), plain);
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
        let contacts = a.contacts_with(&b, deep(f64::MAX));
        if matches!(a.verdict(&b), Verdict::Clear | Verdict::Touching) {
            assert_eq!(contacts, a.contacts(&b, 0.0), "case {case}");
            continue;
        }
        overlapping += 1;
        assert!(!contacts.is_empty(), "case {case}");
        let mut flipped: Vec<_> =
            b.contacts_with(&a, deep(f64::MAX)).into_iter().map(Contact::flipped).collect();
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
