//! How far apart two models are, where they are closest, and whether a clearance is kept.
//!
//! `cargo run --release --example 09_distance`

use std::error::Error;

use impinge::model::Feature;
use impinge::{Model, Trs, shapes};

fn main() -> Result<(), Box<dyn Error>> {
    // A crate from -1 to 1 along every axis, and an octahedron with a corner at 1 on every axis.
    let crate_ = Model::new(shapes::cuboid([-1.0; 3], [1.0; 3])?);
    let octahedron = Model::new(shapes::octahedron(1.0)?);
    let a = crate_.at(Trs::IDENTITY);

    // Beside a face of the crate, beside one of its edges, and beside one of its corners.
    let places = [[2.75, 0.25, 0.0], [2.75, 2.75, 0.0], [2.0, 2.0, 2.0]];
    for place in places {
        let b = octahedron.at(Trs::translation(place)?);
        let closest = a.distance(&b);
        println!("octahedron at {place:?}: {:.4} away", closest.distance);
        println!("  crate:      {} at {:.3}", name(closest.feature_a), closest.point_on_a);
        println!("  octahedron: {} at {:.3}", name(closest.feature_b), closest.point_on_b);
        // The distance is the length between the two points.
        assert!((closest.point_on_a.distance(closest.point_on_b) - closest.distance).abs() < 1e-12);
    }

    // The first place is 0.75 away. To test a clearance, say how much you care about: that is quicker.
    let b = octahedron.at(Trs::translation(places[0])?);
    for clearance in [0.5, 0.75, 1.0] {
        let is_too_near = a.is_within(&b, clearance);
        println!("within {clearance}: {is_too_near}");
        assert_eq!(is_too_near, clearance >= 0.75);
    }
    // The same test, with the answer where there is one.
    assert!(a.distance_within(&b, 0.5).is_none());
    let near = a.distance_within(&b, 1.0).ok_or("it is 0.75 away")?;
    assert_eq!(near.distance, 0.75);

    // What meets has the distance 0, and so has what lies inside of a solid: no feature of the crate is near the pebble.
    let pebble = octahedron.at(Trs::scaling([0.1; 3])?);
    let inside = a.distance(&pebble);
    println!("a pebble inside of the crate: {} away, on {}", inside.distance, name(inside.feature_a));
    assert_eq!((inside.distance, inside.feature_a), (0.0, None));
    Ok(())
}

/// Features are named by the indices of the mesh that was brought.
fn name(feature: Option<Feature>) -> String {
    match feature {
        Some(Feature::Vertex(vertex)) => format!("vertex {vertex}"),
        Some(Feature::Edge { vertices: [from, to], .. }) => format!("the edge from vertex {from} to {to}"),
        Some(Feature::Face(face)) => format!("face {face}"),
        _ => "no feature".to_string(),
    }
}
