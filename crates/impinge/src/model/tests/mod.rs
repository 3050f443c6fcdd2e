//! Shapes whose edges and parts are known, and the tests that use them.

#![allow(clippy::unwrap_used)]

mod edges;
mod invariance;
mod oracle;
mod parts;
mod winding;

use super::{Deformable, EdgeKind, Model};
use crate::mesh::{Group, Mesh};
use impinge_core::math::DVec3;

/// The corners of the box from `min` to `min + size`; corner `x + 2y + 4z`.
fn box_corners(min: [f64; 3], size: [f64; 3]) -> Vec<DVec3> {
    (0..8)
        .map(|i| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)))
        .map(|corner| DVec3::from(min) + corner * DVec3::from(size))
        .collect()
}

/// The sides of a box, outward: -z, +z, -y, +y, -x, +x.
const QUADS: [[u32; 4]; 6] =
    [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];

fn box_triangles(first_vertex: u32) -> Vec<[u32; 3]> {
    QUADS
        .iter()
        .flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]])
        .map(|triangle| triangle.map(|corner| corner + first_vertex))
        .collect()
}

fn unit_corners() -> Vec<DVec3> {
    box_corners([0.0; 3], [1.0; 3])
}

fn cube() -> Mesh {
    Mesh::triangles(unit_corners(), box_triangles(0)).unwrap()
}

fn quad_cube() -> Mesh {
    Mesh::polygons(unit_corners(), QUADS).unwrap()
}

fn as_soup(mesh: &Mesh) -> Mesh {
    let faces = 0..mesh.face_count() as u32;
    Mesh::soup(faces.flat_map(|face| mesh.fan(face)).flatten().map(|vertex| mesh.vertex(vertex))).unwrap()
}

/// The same mesh with every face turned around.
fn inverted(mesh: &Mesh) -> Mesh {
    let faces = (0..mesh.face_count() as u32).map(|face| {
        let mut corners: Vec<_> = mesh.corners(face).collect();
        corners.reverse();
        corners
    });
    Mesh::polygons(mesh.vertices(), faces).unwrap()
}

fn group(first_face: u32) -> Group {
    Group { name: format!("from {first_face}"), first_face }
}

/// How many edges are convex, internal, coplanar, dangling, irregular.
fn kinds(model: &Model) -> [usize; 5] {
    use EdgeKind::{Convex, Coplanar, Dangling, Internal, Irregular};
    [Convex, Internal, Coplanar, Dangling, Irregular]
        .map(|kind| model.edges().iter().filter(|edge| edge.kind == kind).count())
}

/// Two triangles along the edge from (0, 0, 0) to (0, 0, 1) with their third vertices at `p` and `q`; the first runs
/// along the edge upward, the second downward.
fn wings(p: [f64; 3], q: [f64; 3]) -> Model {
    let vertices = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], p, q];
    Model::new(Mesh::triangles(vertices, vec![[0, 1, 2], [1, 0, 3]]).unwrap())
}

/// A model's sphere holds its vertices; it is that of the box where squares would vanish or overflow, and after a move.
#[test]
fn the_sphere_holds_all_vertices() {
    let corners = unit_corners();
    for size in [1.0, 1e-120, 1e120, 3.7] {
        let moved: Vec<DVec3> = corners.iter().map(|corner| (*corner - 0.3) * size).collect();
        let mut deformable = Deformable::new(Mesh::triangles(moved, box_triangles(0)).unwrap());
        for turn in 0..3 {
            let model = deformable.model();
            let (center, radius) = model.sphere();
            for vertex in model.mesh().vertices() {
                assert!(((vertex - center) / size).length() <= radius / size, "{size} {turn}");
            }
            let wide: Vec<_> = model.mesh().vertices().map(|p| [1.5 * p.x, p.y, p.z]).collect();
            deformable.set_vertices(&wide).unwrap();
        }
    }
    // An octahedron fills half of the sphere around its box, and has one of its own.
    let axes = [DVec3::X, -DVec3::X, DVec3::Y, -DVec3::Y, DVec3::Z, -DVec3::Z];
    let faces = vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    let (center, radius) = Model::new(Mesh::triangles(axes, faces).unwrap()).sphere();
    assert!(center == DVec3::ZERO && (1.0..1.0 + 1e-14).contains(&radius), "{radius}");
}
