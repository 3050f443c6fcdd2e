//! Solids, and how deep an edge is inside of one.

use impinge::glam::DVec3;
use impinge::mesh::generate::Random;
use impinge::{Mesh, Model, Placed, Placement, Trs};
use impinge_image::Scene;

/// Closed shapes: convex, knotted, hollow, thin, of several parts.
pub(crate) fn solids() -> Vec<(&'static str, Model)> {
    let closed = |mesh: Result<Mesh, _>| Model::new(mesh.expect("a shape"));
    vec![
        ("box", closed(Mesh::cuboid([-0.5, -0.4, -0.3], [0.5, 0.4, 0.3]))),
        ("pin", closed(Mesh::cuboid([-0.03, -0.03, -1.0], [0.03, 0.03, 1.0]))),
        ("plate", closed(Mesh::cuboid([-0.8, -0.8, -0.05], [0.8, 0.8, 0.05]))),
        ("tetrahedron", closed(Mesh::tetrahedron(0.7))),
        ("ball", closed(Mesh::icosphere(0.5, 4))),
        ("star", closed(Mesh::star(0.8, 0.3, 2))),
        ("torus", closed(Mesh::torus(0.6, 0.15, 24, 10))),
        ("knot", closed(Mesh::knot(0.5, 0.08, 64, 8))),
        ("hollow", closed(Mesh::hollow_sphere(0.8, 0.7, 16, 10))),
        ("small", closed(Mesh::icosphere(0.12, 2))),
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
