//! The features of the triangles of a tree's node, those of faces' fans, placed and listed once for all nodes that are near it.

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

/// A triangle of a face's fan.
#[derive(Clone, Copy, Default)]
struct Piece {
    face: u32,
    /// The leaf that it is in.
    group: u8,
    owned: OwnedFeatures,
    /// The corners, by their numbers in the face, and where they are.
    corners: [u32; 3],
    points: [DVec3; 3],
}

/// Makes a batch of the features that belong to triangles of a node's leaves: a group for each leaf. There may be more triangles than fit; `chunk`
/// says which of them.
#[inline(never)]
pub(super) fn fill(
    batch: &mut FeatureBatch,
    tree: &DopTree<6>,
    leaves: Leaves<'_>,
    chunk: u32,
    side: &Side<'_>,
    owned: &[OwnedFeatures],
) {
    let mut pieces = [Piece::default(); BATCH_TRIANGLES];
    let mut count = 0;
    // So many triangles go into the chunks before.
    let mut skipped = chunk * BATCH_TRIANGLES as u32;
    for (lane, leaf) in leaves.all() {
        for &face in tree.elements(leaf) {
            let fan = side.fan_count(face);
            let mut piece = skipped.min(fan);
            skipped -= piece;
            while piece < fan && count < BATCH_TRIANGLES {
                let corners = side.piece_corners(face, piece);
                // No closures here and below: they are not always inlined.
                let points = [
                    side.corner_point(face, corners[0] as usize),
                    side.corner_point(face, corners[1] as usize),
                    side.corner_point(face, corners[2] as usize),
                ];
                let owned = owned[side.piece_number(face, piece)];
                pieces[count] = Piece { face, group: lane as u8, owned, corners, points };
                count += 1;
                piece += 1;
            }
        }
    }
    let pieces = &pieces[..count];
    batch.clear(pieces.first().map_or(DVec3::ZERO, |piece| piece.points[0]));
    for Piece { face, group, owned, points, .. } in pieces {
        batch.push_triangle(*face, *group, triangle(side, owned.is_one_sided(), points));
    }
    for is_exposed in [true, false] {
        for piece in pieces {
            let Piece { face, group, owned, corners, .. } = *piece;
            let exposed = [owned.exposed_vertices(), owned.exposed_edges()];
            let [vertices, edges] = if is_exposed {
                exposed
            } else {
                [owned.vertices() & !exposed[0], owned.edges() & !exposed[1]]
            };
            for i in bits(vertices.into()) {
                let name = AtCorner { face, corner: corners[i] };
                batch.push_vertex(name, group, is_exposed, vertex(side, piece, i));
            }
            for i in bits(edges.into()) {
                let name = AtCorner { face, corner: corners[i] };
                batch.push_edge(name, group, is_exposed, edge(side, piece, i));
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

fn vertex(side: &Side<'_>, piece: &Piece, i: usize) -> BatchVertex {
    let point = piece.points[i];
    let all = side.model().corners_at(side.corner(piece.face, piece.corners[i] as usize));
    // Faces around a vertex come in no order: some from all over the list.
    let mut around = [DVec3::ZERO; 3];
    for (i, direction) in around.iter_mut().enumerate() {
        let at = all[i * all.len() / 3];
        let next = side.next_corner(at.face, at.corner as usize);
        *direction = (side.corner_point(at.face, next) - point).normalize_or_zero();
    }
    BatchVertex { point, around }
}

fn edge(side: &Side<'_>, piece: &Piece, i: usize) -> BatchEdge {
    let points = &piece.points;
    let start = points[i];
    let along = points[(i + 1) % 3] - start;
    let length = along.length();
    let direction = along / length;
    let edge = side.model().edge_at(piece.face, piece.corners[i] as usize);
    let faces = edge.map_or(&[][..], |edge| side.model().edge_faces(edge));
    // The first of the faces is the one that the edge belongs to. That of a segment has no apex, and so no direction.
    let mut both = [inward(direction, length, points[(i + 2) % 3] - start), DVec3::ZERO];
    if let Some(other) = faces.get(1)
        && let Some(apex) = side.apex(other.face, other.corner as usize)
    {
        both[1] = inward(direction, length, side.corner_point(other.face, apex) - start);
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
