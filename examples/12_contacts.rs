//! Where two models touch or nearly touch: all contacts within a distance, and a few that stand for all of them.
//!
//! `cargo run --release --example 12_contacts`

use std::error::Error;

use impinge::query::Contact;
use impinge::{Model, Trs, shapes};

fn main() -> Result<(), Box<dyn Error>> {
    // Stairs with two steps make a floor at z = 0 and a wall at x = 0. A box stands in the corner, nearly touching both.
    let corner = Model::new(shapes::stairs([4.0; 3], 2, 1)?);
    let box_ = Model::new(shapes::cuboid([-1.0, -0.5, 0.0], [0.0, 0.5, 1.0])?);
    let a = box_.at(Trs::translation([-0.01, 0.0, 0.02])?);
    let b = corner.at(Trs::IDENTITY);

    let contacts = a.contacts(&b, 0.05);
    print("box in a corner, within 0.05", &contacts);
    for contact in &contacts {
        // A normal has length 1 and points from A to B, here from the box to the floor or to the wall.
        let is_floor = contact.normal.z < -0.99;
        let is_wall = contact.normal.x > 0.99;
        assert!(is_floor || is_wall);
        let gap = if is_floor { 0.02 } else { 0.01 };
        assert!((contact.distance - gap).abs() < 1e-12);
        // It leads from the one point to the other.
        let there = contact.point_on_a + contact.distance * contact.normal;
        assert!(there.distance(contact.point_on_b) < 1e-12);
    }
    // Four corners stand over the floor, and four are beside the wall. Within less, only the wall is left.
    let beside_wall = a.contacts(&b, 0.015);
    assert_eq!((contacts.len(), beside_wall.len()), (8, 4));
    assert!(beside_wall.iter().all(|contact| contact.normal.x > 0.99));
    // In the other order the normals point the other way.
    assert!(b.contacts(&a, 0.015).iter().all(|contact| contact.normal.x < -0.99));

    // A round column on a plate has a contact at every corner of its base. Four of them hold it as well.
    let column = Model::new(shapes::cylinder(0.5, 2.0, 32, 1)?);
    let plate = Model::new(shapes::cuboid([-1.0, -1.0, -0.1], [1.0, 1.0, 0.0])?);
    let column = column.at(Trs::translation([0.0, 0.0, 1.0])?);
    let all = column.contacts(&plate.at(Trs::IDENTITY), 0.001);
    let few = Contact::reduce(&all, 4);
    println!("column on a plate: {} contacts", all.len());
    print("reduced to 4", &few);
    assert_eq!((all.len(), few.len()), (32, 4));
    // They touch, and still have a normal.
    assert!(few.iter().all(|contact| contact.distance == 0.0 && contact.normal.z < -0.99));
    // An id names a contact from step to step, for as long as the same features are in contact.
    assert!(few.iter().all(|kept| all.iter().any(|contact| contact.id() == kept.id())));
    Ok(())
}

fn print(title: &str, contacts: &[Contact]) {
    println!("{title}:");
    for contact in contacts {
        // Adding 0 makes 0 of -0.
        let normal = contact.normal + 0.0;
        println!("  at {:.2}, normal {normal:.0}, distance {:.3}", contact.point_on_a, contact.distance);
    }
}
