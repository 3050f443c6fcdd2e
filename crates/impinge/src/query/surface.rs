//! All faces of a placed model in the canonical frame, as facets.

use super::frame::Frame;
use crate::bounds::Aabb;
use crate::math::DVec3;
use crate::model::Placed;
use crate::narrow::overlap::{Facet, Fan};

/// A facet of a model in the frame of a pair.
pub(super) struct FramedFacet {
    pub(super) facet: Facet,
    pub(super) bounds: Aabb,
    pub(super) face: u32,
    pub(super) part: u32,
    /// What passing through the facet from front to back adds to the winding number: 0 for open parts, 1 for closed
    /// ones, -1 for closed ones that are mirrored.
    pub(super) weight: i32,
}

/// The facets of a model in the frame of a pair.
pub(super) struct Surface {
    pub(super) facets: Vec<FramedFacet>,
    pub(super) bounds: Aabb,
    pub(super) part_count: usize,
}

impl Surface {
    pub(super) fn new(frame: &Frame, side: usize, placed: &Placed<'_>) -> Surface {
        let (model, mesh) = (placed.model(), placed.model().mesh());
        let points = frame.vertices(side, placed);
        let mut facets = Vec::with_capacity(mesh.triangle_count());
        let (mut corners, mut fan): (Vec<DVec3>, Fan) = (Vec::new(), Fan::default());
        for face in 0..mesh.face_count() as u32 {
            let Some(part) = model.part_of_face(face) else { continue };
            let weight = if model.is_closed_face(face) { frame.handedness[side] } else { 0 };
            corners.clear();
            corners.extend(mesh.corners(face).map(|vertex| points[vertex as usize]));
            fan.set(&corners);
            facets.extend(fan.facets().iter().map(|&facet| FramedFacet {
                facet,
                bounds: Aabb::around(facet.corners),
                face,
                part,
                weight,
            }));
        }
        let bounds = facets.iter().fold(Aabb::EMPTY, |bounds, facet| bounds.merge(facet.bounds));
        Surface { facets, bounds, part_count: model.parts().len() }
    }

    /// Whether there is anything to be inside of.
    pub(super) fn has_solid(&self) -> bool {
        self.facets.iter().any(|facet| facet.weight != 0)
    }
}
