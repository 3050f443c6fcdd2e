//! Where the faces of two models meet.

use super::patches::{Side, Sides};
use super::surface::Surface;
use crate::mesh::Mesh;
use crate::query::FacePair;
use impinge_core::bounds::Aabb;
use impinge_core::math::DVec3;

/// A mesh, and where its points are.
pub(crate) type PlacedMesh<'m> = (&'m Mesh, &'m dyn Fn(DVec3) -> DVec3);

/// A box around what the boxes of faces that intersect have in common, pair by pair; empty where there are no pairs.
pub(crate) fn meeting_bounds(meshes: [PlacedMesh<'_>; 2], pairs: &[FacePair]) -> Aabb {
    let labels = |side: usize| pairs.iter().map(move |pair| [pair.face_a, pair.face_b][side]);
    let boxes = [0, 1].map(|side| label_boxes(meshes[side], labels(side)));
    let box_of = |side: usize, label: u32| {
        let boxes: &[(u32, Aabb)] = &boxes[side];
        boxes.binary_search_by_key(&label, |(label, _)| *label).ok().map(|place| &boxes[place].1)
    };
    let mut bounds = Aabb::EMPTY;
    for of_face in pairs.chunk_by(|pair, next| pair.face_a == next.face_a) {
        let Some(a) = box_of(0, of_face[0].face_a) else { continue };
        for b in of_face.iter().filter_map(|pair| box_of(1, pair.face_b)) {
            bounds = bounds.merge(common(a, b));
        }
    }
    bounds
}

/// The intersection of two boxes that overlap, up to rounding.
pub(crate) fn common(a: &Aabb, b: &Aabb) -> Aabb {
    let (min, max) = (a.min.max(b.min), a.max.min(b.max));
    // Boxes of faces that meet may miss each other by rounding.
    Aabb { min: min.min(max), max: max.max(min) }
}

/// The boxes of the faces that have one of some labels, each after its label, sorted.
fn label_boxes((mesh, place): PlacedMesh<'_>, labels: impl Iterator<Item = u32>) -> Vec<(u32, Aabb)> {
    let corner = |vertex: u32| place(mesh.vertex(vertex));
    let around = |faces: &[(u32, u32)]| {
        (faces[0].0, Aabb::around(faces.iter().flat_map(|(_, face)| mesh.corners(*face)).map(corner)))
    };
    mesh.faces_by_label(labels).chunk_by(|face, next| face.0 == next.0).map(around).collect()
}

/// A box of the frame around what two models share, with what rounding may do. `meeting` is one around where their faces meet.
pub(super) fn shared_bounds(
    surfaces: &[Surface<'_, '_>; 2],
    sides: &[Sides; 2],
    meeting: Aabb,
    rounding: f64,
) -> Aabb {
    let outer = [0, 1].map(|side| surfaces[side].bounds());
    let mut bounds = meeting;
    for side in 0..2 {
        let source = &surfaces[side].source;
        let mesh = source.mesh();
        for &(face, at) in &sides[side].faces {
            let corners = mesh.corners(face).map(|vertex| source.place(mesh.vertex(vertex)));
            for corner in corners.filter(|_| at != Side::Outside) {
                if outer[1 - side].contains(corner) {
                    bounds = bounds.merge(Aabb { min: corner, max: corner });
                }
            }
        }
    }
    let more = DVec3::splat(rounding);
    let (min, max) = (bounds.min - more, bounds.max + more);
    Aabb { min: min.max(outer[0].min).max(outer[1].min), max: max.min(outer[0].max).min(outer[1].max) }
}
