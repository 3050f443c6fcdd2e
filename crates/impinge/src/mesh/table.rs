//! The table of triangles that queries read faces through.

use super::faces::Faces;
use impinge_core::parallel::Lazy;

/// The triangles of faces that are not listed as triangles, made when they are first asked for; none where a face is no triangle.
///
/// Without it, a strip costs a search for the run of each face whenever a query looks at it.
#[derive(Clone, Debug, Default)]
pub(super) struct TriangleTable(Lazy<Option<Vec<[u32; 3]>>>);

impl TriangleTable {
    pub(super) fn of(&self, faces: &Faces) -> Option<&[[u32; 3]]> {
        self.0.get_or_make(|| listed(faces)).as_deref()
    }
}

/// What follows from the faces makes no difference between meshes.
impl PartialEq for TriangleTable {
    fn eq(&self, _: &TriangleTable) -> bool {
        true
    }
}

fn listed(faces: &Faces) -> Option<Vec<[u32; 3]>> {
    // Holes of grids have no corners.
    let is_triangle = |face: u32| faces.corner_count(face) == 3;
    let numbers = || 0..faces.count() as u32;
    let triangle = |face: u32| [0, 1, 2].map(|corner| faces.corner(face, corner));
    numbers().all(is_triangle).then(|| numbers().map(triangle).collect())
}
