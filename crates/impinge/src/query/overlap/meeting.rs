//! Where the faces of two models meet.

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
