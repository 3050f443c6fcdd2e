//! The features of the triangles of a tree's node, placed and listed once for all nodes that are near it.

use super::side::Side;
use crate::model::OwnedFeatures;
use impinge_core::bvh::{DopTree, Leaves};
use impinge_core::math::DVec3;
use impinge_core::narrow::contact::unit_normal;
use impinge_core::narrow::contact_batch::{
    AtCorner, BATCH_TRIANGLES, BatchEdge, BatchTriangle, BatchVertex, FeatureBatch, bits,
};

/// Below this square of the sine between its sides, rounding may turn the plane of a triangle.
const FAT: f64 = 1e-8;

/// Makes a batch of the features that belong to the triangles of a node's leaves: a group for each leaf.
#[inline(never)]
pub(super) fn fill(
    batch: &mut FeatureBatch,
    tree: &DopTree<6>,
    leaves: Leaves<'_>,
    side: &Side<'_>,
    owned: &[OwnedFeatures],
) {
    let mut faces = [(0, 0, [DVec3::ZERO; 3]); BATCH_TRIANGLES];
    let mut count = 0;
    for (lane, leaf) in leaves.all() {
        for &face in tree.elements(leaf) {
            // No closures here and below: they are not always inlined.
            let corners =
                [side.corner_point(face, 0), side.corner_point(face, 1), side.corner_point(face, 2)];
            faces[count] = (face, lane as u8, corners);
            count += 1;
        }
    }
    let faces = &faces[..count];
    batch.clear(faces.first().map_or(DVec3::ZERO, |(_, _, corners)| corners[0]));
    for (face, _, corners) in faces {
        batch.push_triangle(*face, triangle(side, owned[*face as usize].is_one_sided(), corners));
    }
    for is_exposed in [true, false] {
        for &(face, group, ref corners) in faces {
            let of_face = owned[face as usize];
            let exposed = [of_face.exposed_vertices(), of_face.exposed_edges()];
            let [vertices, edges] = if is_exposed {
                exposed
            } else {
                [of_face.vertices() & !exposed[0], of_face.edges() & !exposed[1]]
            };
            let name = |corner: usize| AtCorner { face, corner: corner as u8, group };
            for corner in bits(vertices.into()) {
                batch.push_vertex(name(corner), is_exposed, vertex(side, face, corner, corners));
            }
            for corner in bits(edges.into()) {
                batch.push_edge(name(corner), is_exposed, edge(side, face, corner, corners));
            }
        }
    }
}

fn triangle(side: &Side<'_>, is_one_sided: bool, corners: &[DVec3; 3]) -> BatchTriangle {
    let mut triangle = BatchTriangle { corners: *corners, is_one_sided, ..BatchTriangle::default() };
    if let Some(normal) = unit_normal(corners) {
        triangle.normal = normal * side.handedness();
        for (edge, inward) in triangle.inward.iter_mut().enumerate() {
            let along = corners[(edge + 1) % 3] - corners[edge];
            *inward = normal.cross(along) / along.length();
        }
    }
    triangle
}

fn vertex(side: &Side<'_>, face: u32, corner: usize, corners: &[DVec3; 3]) -> BatchVertex {
    let point = corners[corner];
    let all = side.model().corners_at(side.corner(face, corner));
    // Faces around a vertex come in no order: some from all over the list.
    let mut around = [DVec3::ZERO; 3];
    for (i, direction) in around.iter_mut().enumerate() {
        let at = all[i * all.len() / 3];
        let next = (at.corner as usize + 1) % 3;
        *direction = (side.corner_point(at.face, next) - point).normalize_or_zero();
    }
    BatchVertex { point, around }
}

fn edge(side: &Side<'_>, face: u32, corner: usize, corners: &[DVec3; 3]) -> BatchEdge {
    let start = corners[corner];
    let along = corners[(corner + 1) % 3] - start;
    let length = along.length();
    let direction = along / length;
    let edge = side.model().edge_at(face, corner);
    let faces = edge.map_or(&[][..], |edge| side.model().edge_faces(edge));
    // The first of the faces is the one that the edge belongs to.
    let mut both = [inward(direction, length, corners[(corner + 2) % 3] - start), DVec3::ZERO];
    if let Some(other) = faces.get(1) {
        let apex = side.corner_point(other.face, (other.corner as usize + 2) % 3);
        both[1] = inward(direction, length, apex - start);
    }
    BatchEdge { start, along: direction, length, inward: both }
}

/// The direction from an edge into a triangle along it, of length 1; zero where rounding could turn it.
#[inline(always)]
fn inward(direction: DVec3, length: f64, apex: DVec3) -> DVec3 {
    let square = apex - direction * direction.dot(apex);
    let squared = square.length_squared();
    if squared > FAT * apex.length_squared().max(length * length) {
        square / squared.sqrt()
    } else {
        DVec3::ZERO
    }
}
