//! A landscape with things on it, each with a scale of its own.

use impinge::math::DQuat;
use impinge::shapes::Shape;
use impinge::{Mesh, Model, Placed, Trs};

/// A placed model and its color.
#[derive(Clone, Debug)]
pub struct Thing {
    /// The model.
    pub model: Model,
    /// Where it stands; the scale differs from axis to axis.
    pub placement: Trs,
    /// Red, green and blue, from 0 to 1.
    pub color: [f64; 3],
}

/// All things.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The ground is the first.
    pub things: Vec<Thing>,
}

/// Shape, share of the triangles in percent, position, axis and angle of the turn, scale, color.
type Entry = (Shape, usize, [f64; 3], ([f64; 3], f64), [f64; 3], [f64; 3]);

const ENTRIES: [Entry; 9] = [
    (Shape::Terrain, 30, [0.0, 0.0, -0.75], ([0.0, 0.0, 1.0], 0.0), [7.0, 7.0, 0.9], [0.45, 0.55, 0.30]),
    (Shape::Knot, 16, [0.0, 0.0, 1.1], ([1.0, 0.2, 0.0], 70.0), [1.0, 1.0, 1.25], [0.85, 0.33, 0.20]),
    (Shape::Bumpy, 12, [-2.3, 1.4, 0.75], ([0.3, 0.1, 1.0], 25.0), [0.8, 0.8, 1.1], [0.30, 0.48, 0.78]),
    (Shape::Torus, 10, [2.3, -1.3, 0.7], ([1.0, 1.0, 0.0], 60.0), [0.9, 0.9, 1.4], [0.90, 0.72, 0.25]),
    (Shape::Gear, 8, [1.9, 1.9, 0.75], ([1.0, 0.0, 0.3], 75.0), [0.85, 0.85, 1.0], [0.62, 0.62, 0.66]),
    (Shape::Icosphere, 8, [-1.9, -1.9, 0.55], ([0.0, 0.0, 1.0], 0.0), [0.75, 0.75, 0.6], [0.80, 0.80, 0.76]),
    (Shape::Star, 4, [0.3, -2.9, 0.75], ([0.2, 1.0, 0.4], 33.0), [0.75, 0.6, 0.75], [0.66, 0.36, 0.70]),
    (Shape::Capsule, 6, [-3.5, -0.6, 0.6], ([0.0, 1.0, 0.2], 55.0), [0.5, 0.5, 0.9], [0.28, 0.65, 0.60]),
    (Shape::Pipes, 6, [0.2, 3.2, 0.8], ([0.0, 0.0, 1.0], 20.0), [1.1, 0.7, 0.8], [0.72, 0.45, 0.30]),
];

impl Scene {
    /// About so many triangles.
    pub fn new(triangles: usize) -> Scene {
        let thing = |&(shape, share, position, (axis, degrees), scale, color): &Entry| {
            let mesh = Mesh::from(shape.generate((triangles * share / 100).max(shape.least_triangles()), 4));
            let turn =
                Trs::rotation_about_axis(axis, degrees).map_or(DQuat::IDENTITY, |turn| turn.orientation());
            // Shapes come in sizes of their own; here each fits a cube of edge 2.
            let model = Model::new(crate::zachmann::dop_tree::fitted(&mesh));
            let placement = Trs::new(position, turn, scale).unwrap_or(Trs::IDENTITY);
            Thing { model, placement, color }
        };
        Scene { things: ENTRIES.iter().map(thing).collect() }
    }

    /// The things where they stand.
    pub fn placed(&self) -> impl Iterator<Item = Placed<'_>> {
        self.things.iter().map(|thing| thing.model.at(thing.placement))
    }

    /// Triangles in all.
    pub fn triangles(&self) -> usize {
        self.things.iter().map(|thing| thing.model.mesh().triangle_count()).sum()
    }
}
