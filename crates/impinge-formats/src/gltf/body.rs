//! The primitives of a mesh as one body: files split bodies by material, and none of the pieces is closed alone.

use impinge::Mesh;

use super::primitive::Shaped;
use crate::error::{Fault, Place};
use crate::memory;
use crate::note::Note;
use crate::scene::{PrimitiveRun, SceneMesh};

/// Primitives that stand at one place, in the order of the file.
#[derive(Default)]
pub(super) struct Body {
    primitives: Vec<(usize, Shaped)>,
    notes: Vec<Note>,
}

impl Body {
    pub(super) fn push(&mut self, primitive: usize, shaped: Shaped, notes: &mut Vec<Note>) {
        self.primitives.push((primitive, shaped));
        self.notes.append(notes);
    }

    /// The mesh of all primitives; `None` where there are none. One alone keeps its form.
    pub(super) fn join(self, name: String, place: &Place) -> Result<Option<SceneMesh>, Fault> {
        let (mut first_face, mut first_vertex) = (0, 0);
        let mut runs = Vec::with_capacity(self.primitives.len());
        for (primitive, Shaped { mesh, .. }) in &self.primitives {
            let (faces, vertices) = (first_face + mesh.face_count(), first_vertex + mesh.vertex_count());
            if u32::try_from(faces.max(vertices)).is_err() {
                let what = "all primitives of the mesh together have more than 2^32 faces or vertices";
                return Err(Fault::unsupported(place.clone(), what));
            }
            runs.push(PrimitiveRun {
                primitive: *primitive,
                faces: first_face as u32..faces as u32,
                vertices: first_vertex as u32..vertices as u32,
            });
            (first_face, first_vertex) = (faces, vertices);
        }
        let rounding = self.primitives.iter().map(|(_, shaped)| shaped.rounding).fold(0.0, f64::max);
        let mut list = self.primitives.into_iter().map(|(_, shaped)| shaped);
        let Some(Shaped { mut mesh, mut deformation, .. }) = list.next() else { return Ok(None) };
        if runs.len() > 1 {
            let mut vertices = memory::with_capacity(first_vertex)?;
            let mut triangles = memory::with_capacity(first_face)?;
            vertices.extend(mesh.vertices());
            triangles.extend((0..mesh.face_count() as u32).map(|face| mesh.fan_triangle(face, 0)));
            for shaped in list {
                let first = vertices.len() as u32;
                vertices.extend(shaped.mesh.vertices());
                let faces = 0..shaped.mesh.face_count() as u32;
                triangles
                    .extend(faces.map(|face| shaped.mesh.fan_triangle(face, 0).map(|vertex| vertex + first)));
                if let (Some(all), Some(more)) = (&mut deformation, shaped.deformation) {
                    all.append(more);
                }
            }
            mesh = Mesh::triangles(vertices, triangles)
                .map_err(|error| Fault { place: place.clone(), ..Fault::from(error) })?;
        }
        Ok(Some(SceneMesh { name, mesh, primitives: runs, deformation, rounding, notes: self.notes }))
    }
}
