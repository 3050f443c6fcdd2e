//! A model that a command is about: read from a file, and the file's own words for its faces.

use std::path::{Path, PathBuf};

use impinge::model::{Feature, Purpose};
use impinge::{Model, Placement};
use impinge_formats::{Limits, Origin, read_mesh_with};
use impinge_report::terminal::Error;
use impinge_report::text::visible;

use crate::{json, placement};

/// A model and the file that it comes from.
pub(crate) struct Subject {
    /// The file as the user named it.
    pub(crate) name: String,
    /// All files that were read for it.
    pub(crate) files: Vec<PathBuf>,
    /// What a length of 1 is called, where the file says.
    pub(crate) unit: Option<String>,
    /// Whether the third axis points up.
    pub(crate) z_up: bool,
    pub(crate) model: Model,
    origins: Vec<Origin>,
}

impl Subject {
    pub(crate) fn read(file: &Path, limits: Limits) -> Result<Subject, Error> {
        let loaded = read_mesh_with(file, limits)?;
        Ok(Subject {
            files: [vec![file.to_owned()], loaded.files].concat(),
            name: file.display().to_string(),
            unit: loaded.unit,
            z_up: loaded.z_up,
            model: Model::new(loaded.mesh),
            origins: loaded.origins,
        })
    }

    /// Checks that a placement of the model, A or B by `name`, keeps it within the range of numbers.
    pub(crate) fn check_range(&self, placement: Placement, name: &str) -> Result<(), Error> {
        placement::check_range(&self.model.at(placement))
            .map_err(|reason| Error::option(format!("the placement of {name} ({})", self.name), reason))
    }

    /// A face in words.
    pub(crate) fn face_text(&self, face: u32) -> String {
        match self.node_and_primitive(face) {
            (Some(node), Some(primitive)) => format!("face {face} (node {node}, primitive {primitive})"),
            _ => format!("face {face}"),
        }
    }

    /// A feature in words; none is a point in the inside of a solid.
    pub(crate) fn feature_text(&self, feature: Option<Feature>) -> String {
        match feature {
            Some(Feature::Vertex(index)) => format!("vertex {index}"),
            Some(Feature::Edge { vertices: [i, j], face, .. }) => {
                format!("edge {i}\u{2013}{j} of {}", self.face_text(face))
            }
            Some(Feature::Face(face)) => self.face_text(face),
            _ => "inside".to_owned(),
        }
    }

    /// A feature as documents name it.
    pub(crate) fn feature(&self, feature: Feature) -> Option<json::Feature> {
        Some(match feature {
            Feature::Vertex(index) => json::Feature::Vertex { index },
            Feature::Edge { vertices, face, .. } => {
                let (node, primitive) = self.node_and_primitive(face);
                json::Feature::Edge { vertices, face, node, primitive }
            }
            Feature::Face(index) => {
                let (node, primitive) = self.node_and_primitive(index);
                json::Feature::Face { index, node, primitive }
            }
            // Features that this command does not know yet have no words either.
            _ => return None,
        })
    }

    /// The glTF node and primitive of a face; neither in other formats.
    pub(crate) fn node_and_primitive(&self, face: u32) -> (Option<usize>, Option<usize>) {
        origin(&self.origins, face).map_or((None, None), |origin| (origin.node, origin.primitive))
    }
}

/// Where a face comes from. Origins are in ascending order of their faces.
pub(crate) fn origin(origins: &[Origin], face: u32) -> Option<&Origin> {
    origins.get(origins.partition_point(|origin| origin.faces.end <= face))
}

/// Prepares two models for many questions, on all cores, before they are asked side by side.
pub(crate) fn prepare(a: &Subject, b: &Subject, purpose: Purpose) {
    rayon::join(|| a.model.prepare(purpose), || b.model.prepare(purpose));
}

/// Builds the trees of boxes of two models on all cores, for one question: what else it needs, it makes itself.
pub(crate) fn prepare_trees(a: &Subject, b: &Subject) {
    prepare(a, b, Purpose::BVH);
}

/// What two models are called in text, at first and from then on: their files, and A and B where that is not enough.
pub(crate) fn names(a: &Subject, b: &Subject) -> [[String; 2]; 2] {
    let [a, b] = [&a.name, &b.name].map(|name| visible(name));
    if a == b {
        [[format!("A ({a})"), format!("B ({b})")], ["A".to_owned(), "B".to_owned()]]
    } else {
        [[a.clone(), b.clone()], [a, b]]
    }
}
