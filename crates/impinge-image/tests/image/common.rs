//! Solids, and how deep an edge is inside of one.

use impinge::glam::DVec3;
use impinge::shapes::{self, Polyhedron, Random, ShapeError};
use impinge::{Model, Placed, Placement, Trs};
use impinge_image::{Answer, Scene};

/// Closed shapes: convex, knotted, hollow, thin, of several parts.
pub(crate) fn solids() -> Vec<(&'static str, Model)> {
    let closed = |shape: Result<Polyhedron, ShapeError>| Model::new(shape.expect("a shape"));
    vec![
        ("box", closed(shapes::cuboid([-0.5, -0.4, -0.3], [0.5, 0.4, 0.3]))),
        ("pin", closed(shapes::cuboid([-0.03, -0.03, -1.0], [0.03, 0.03, 1.0]))),
        ("plate", closed(shapes::cuboid([-0.8, -0.8, -0.05], [0.8, 0.8, 0.05]))),
        ("tetrahedron", closed(shapes::tetrahedron(0.7))),
        ("ball", closed(shapes::icosphere(0.5, 4))),
        ("star", closed(shapes::star(0.8, 0.3, 2))),
        ("torus", closed(shapes::torus(0.6, 0.15, 24, 10))),
        ("knot", closed(shapes::knot(0.5, 0.08, 64, 8))),
        ("hollow", closed(shapes::hollow_sphere(0.8, 0.7, 16, 10))),
        ("small", closed(shapes::icosphere(0.12, 2))),
    ]
}

/// Turned, scaled (not always by the same along all axes, sometimes mirrored) and moved.
pub(crate) fn placement(random: &mut Random, spread: f64) -> Placement {
    let axis = random.direction();
    let size = random.between(0.6, 1.6);
    let mut scale = DVec3::splat(size);
    if random.below(3) == 0 {
        scale *= DVec3::new(1.0, random.between(0.5, 1.5), random.between(0.5, 1.5));
    }
    if random.below(4) == 0 {
        scale.x = -scale.x;
    }
    let turn = impinge::glam::DQuat::from_axis_angle(axis, random.between(0.0, 6.0));
    Trs::new(random.in_cube() * spread, turn, scale).expect("a placement").into()
}

/// How deep an edge of one is inside of the other, seen at many points of each edge: no more than it truly is.
pub(crate) fn penetration(scene: &Scene, numbers: [u32; 2], placed: [&Placed<'_>; 2]) -> f64 {
    let mut deepest: f64 = 0.0;
    for (this, other) in [(0, 1), (1, 0)] {
        let (edges, _) = scene.counts(numbers[this]).expect("an object");
        let near = placed[other].bounds();
        let mut points = Vec::new();
        for edge in 0..edges as u32 {
            let ends = scene.edge(numbers[this], edge).expect("an edge");
            let [from, to] = ends.map(|vertex| {
                placed[this].placement().point_to_world(placed[this].model().mesh().vertex(vertex))
            });
            let steps = 8;
            let along = (0..=steps).map(|step| from.lerp(to, f64::from(step) / f64::from(steps)));
            points.extend(along.filter(|point| near.contains(*point)));
        }
        for found in placed[other].signed_distances(&points).into_iter().flatten() {
            deepest = deepest.max(-found.signed());
        }
    }
    deepest
}

/// Holds the edges of an answer to the exact test, for objects that stand as `placed` do: an edge that is deeper inside of another object than
/// the answer's precision is among those found, and none that is found is farther from the solid than that. Gives how many edges
/// had to be found, and how many must not be.
pub(crate) fn judge_edges(scene: &Scene, answer: &Answer, placed: &[Placed<'_>], what: &str) -> [usize; 2] {
    let mut judged = [0; 2];
    for (a, this) in placed.iter().enumerate() {
        for (b, other) in placed.iter().enumerate().filter(|(b, other)| *b != a && other.model().has_solid())
        {
            let found = answer
                .interferences
                .iter()
                .find(|found| (found.penetrating, found.penetrated) == (a as u32, b as u32));
            let (edges, _) = scene.counts(a as u32).expect("an object");
            for edge in 0..edges as u32 {
                let [least, most] = depths(scene, a as u32, edge, this, other);
                let is_found = found.is_some_and(|found| found.edges.binary_search(&edge).is_ok());
                let deeper = least > answer.precision;
                assert!(
                    is_found || !deeper,
                    "{what}: edge {edge} of {a} is {least} deep in {b}, and missing"
                );
                let apart = -most > answer.precision;
                assert!(
                    !is_found || !apart,
                    "{what}: edge {edge} of {a} is {} away from {b}, and found",
                    -most
                );
                judged[0] += usize::from(deeper);
                judged[1] += usize::from(apart);
            }
            for point in found.iter().flat_map(|found| &found.points) {
                let distance = other.signed_distance(*point).expect("a solid").signed();
                assert!(distance <= answer.precision, "{what}: {point} is {distance} away from {b}");
            }
        }
    }
    judged
}

/// How deep the deepest point of an edge is inside of a solid, negative where it is outside: at least, and at most.
fn depths(scene: &Scene, object: u32, edge: u32, this: &Placed<'_>, other: &Placed<'_>) -> [f64; 2] {
    let ends = scene.edge(object, edge).expect("an edge");
    let [from, to] = ends.map(|vertex| this.placement().point_to_world(this.model().mesh().vertex(vertex)));
    let steps = 16;
    let points: Vec<DVec3> =
        (0..=steps).map(|step| from.lerp(to, f64::from(step) / f64::from(steps))).collect();
    let found = other.signed_distances(&points);
    let deepest = found.into_iter().flatten().map(|found| -found.signed()).fold(f64::NEG_INFINITY, f64::max);
    // Depths differ by no more than the places do.
    [deepest, deepest + 0.5 * from.distance(to) / f64::from(steps)]
}
