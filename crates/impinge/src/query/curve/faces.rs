//! The facets of one model of the pair, with their vertices named by position.

use std::collections::HashMap;

use super::CurveFeature;
use super::name::Name;
use super::split::split_fan;
use crate::mesh::weld::equal_positions;
use crate::model::{Model, Placed};
use crate::pair::frame::Frame;
use crate::pair::surface::FaceSource;
use impinge_core::math::DVec3;

/// A triangle in the frame of the pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct NamedFacet {
    pub(super) corners: [DVec3; 3],
    /// The least vertex at the position of each corner.
    pub(super) vertices: [u32; 3],
}

impl NamedFacet {
    pub(super) fn edge(&self, i: usize) -> ([DVec3; 2], Name) {
        let j = (i + 1) % 3;
        ([self.corners[i], self.corners[j]], Name::edge(self.vertices[i], self.vertices[j]))
    }
}

/// The facets of a model.
pub(super) struct Facets<'m> {
    model: &'m Model,
    points: Vec<DVec3>,
    /// By position in the frame: different positions of the model may be rounded to the same one.
    representative: Vec<u32>,
    /// The least of the user's faces with a facet of these vertices.
    labels: HashMap<[u32; 3], u32>,
}

impl<'m> Facets<'m> {
    /// The facets of those faces that are named.
    pub(super) fn new(
        frame: &Frame,
        side: usize,
        placed: &Placed<'m>,
        faces: impl Iterator<Item = u32>,
    ) -> Facets<'m> {
        let points = FaceSource::new(frame, side, placed).vertices();
        let representative = equal_positions(&points);
        let model = placed.model();
        let mut facets = Facets { model, points, representative, labels: HashMap::new() };
        for face in faces {
            let label = model.mesh().label(face);
            let names: Vec<Name> = facets.of_face(face).map(|facet| Name::facet(facet.vertices)).collect();
            for name in names {
                if let Name::Facet(vertices) = name {
                    let least = facets.labels.entry(vertices).or_insert(label);
                    *least = label.min(*least);
                }
            }
        }
        facets
    }

    pub(super) fn points(&self) -> &[DVec3] {
        &self.points
    }

    pub(super) fn of_face(&self, face: u32) -> impl Iterator<Item = NamedFacet> + '_ {
        let (mesh, name) = (self.model.mesh(), |vertex: u32| self.representative[vertex as usize]);
        let polygon: Vec<u32> = mesh.corners(face).map(name).collect();
        let point = |vertex: u32| self.points[vertex as usize];
        let triangles = split_fan(mesh.fan(face).map(|triangle| triangle.map(name)), &polygon, &point);
        triangles.into_iter().map(move |vertices| NamedFacet { corners: vertices.map(point), vertices })
    }

    /// The feature of a name, by the user's indices.
    pub(super) fn feature(&self, name: Name) -> CurveFeature {
        match name {
            // The least at its position in the frame is also the least at its position in the model.
            Name::Vertex(vertex) => CurveFeature::Vertex(vertex),
            Name::Edge(vertices) => {
                let inner = self.model.edges().binary_search_by_key(&vertices, |edge| edge.vertices).is_err();
                CurveFeature::Edge { vertices, inner }
            }
            Name::Facet(vertices) => CurveFeature::Face(self.labels[&vertices]),
        }
    }
}
