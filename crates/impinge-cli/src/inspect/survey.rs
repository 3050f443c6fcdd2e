//! Counts what is in a file.

use std::collections::BTreeMap;
use std::path::Path;

use impinge::model::{EdgeKind, Model, Orientation};
use impinge_formats::{Limits, Note, Origin, read_mesh_with};
use impinge_report::terminal::Error;

use super::problems;
use crate::input::origin;
use crate::json::{EdgeCounts, FileReport, Memory, PartCounts, PartReport};
use crate::unit;

/// Reads a file and counts what is in it, after welding where that is asked for.
pub(super) fn survey(
    file: &Path,
    named_unit: Option<&str>,
    weld: Option<f64>,
    limits: Limits,
) -> Result<FileReport, Error> {
    let loaded = read_mesh_with(file, limits)?;
    let mesh = match weld {
        Some(tolerance) => {
            loaded.mesh.welded(tolerance).map_err(|reason| Error::option("--weld", reason.to_string()))?
        }
        None => loaded.mesh,
    };
    let unit = unit::of(named_unit, &[loaded.unit.as_deref()]).map(str::to_owned);
    let report = of_model(&Model::new(mesh), &loaded.origins, &loaded.notes);
    Ok(FileReport {
        file: file.display().to_string(),
        format: loaded.format.to_string(),
        unit,
        welded: weld,
        ..report
    })
}

/// Counts what is in a model, of which no file is known.
pub(super) fn of_model(model: &Model, origins: &[Origin], notes: &[Note]) -> FileReport {
    let mesh = model.mesh();
    let at_positions = || (0..mesh.vertex_count() as u32).filter(|&v| model.representative(v) == v);
    let mut corners = BTreeMap::new();
    for face in 0..mesh.face_count() as u32 {
        *corners.entry(mesh.corner_count(face)).or_default() += 1;
    }
    let bounds = model.bounds();
    FileReport {
        file: String::new(),
        format: String::new(),
        unit: None,
        welded: None,
        vertices: mesh.vertex_count(),
        positions: at_positions().count(),
        faces: faces_in_file(model),
        pieces: mesh.face_count(),
        triangles: mesh.triangle_count(),
        corners,
        bounds: bounds.into(),
        size: bounds.size().to_array(),
        closed: model.is_closed(),
        part_counts: count_parts(model),
        parts: list_parts(model, origins),
        edges: count_edges(model),
        internal_vertices: at_positions().filter(|&v| model.is_internal_vertex(v)).count(),
        memory: memory(model),
        problems: problems::find(model, notes),
    }
}

/// Pieces of one polygon follow each other and carry its index.
fn faces_in_file(model: &Model) -> usize {
    let mesh = model.mesh();
    let labels = (0..mesh.face_count() as u32).map(|face| mesh.label(face));
    let repeated = labels.clone().zip(labels.skip(1)).filter(|(label, next)| label == next).count();
    mesh.face_count() - repeated
}

fn count_parts(model: &Model) -> PartCounts {
    let mut counts = PartCounts { all: model.parts().len(), ..PartCounts::default() };
    for part in model.parts() {
        *if part.closed { &mut counts.closed } else { &mut counts.open } += 1;
        match part.orientation {
            Orientation::Outward => counts.outward += 1,
            Orientation::Inward => counts.inward += 1,
            Orientation::None => {}
        }
    }
    counts
}

fn list_parts(model: &Model, origins: &[Origin]) -> Vec<PartReport> {
    let mesh = model.mesh();
    let mut parts = Vec::with_capacity(model.parts().len());
    for (index, part) in model.parts().iter().enumerate() {
        // A part has at least one face.
        let first_face = model.part_faces(index as u32).first().copied().unwrap_or_default();
        let origin = origin(origins, first_face);
        let name = part.group.map(|group| mesh.groups()[group as usize].name.clone());
        parts.push(PartReport {
            index,
            name: name.filter(|name| !name.is_empty()),
            node: origin.and_then(|origin| origin.node),
            primitive: origin.and_then(|origin| origin.primitive),
            first_face: mesh.label(first_face),
            pieces: part.face_count,
            closed: part.closed,
            orientation: match part.orientation {
                Orientation::Outward => Some("outward"),
                Orientation::Inward => Some("inward"),
                Orientation::None => None,
            },
            bounds: part.bounds.into(),
        });
    }
    parts
}

fn count_edges(model: &Model) -> EdgeCounts {
    let mut counts = EdgeCounts {
        all: model.edges().len(),
        internal_share: model.internal_share(),
        ..EdgeCounts::default()
    };
    for edge in model.edges() {
        *match edge.kind {
            EdgeKind::Convex => &mut counts.convex,
            EdgeKind::Internal => &mut counts.internal,
            EdgeKind::Coplanar => &mut counts.coplanar,
            EdgeKind::Dangling => &mut counts.dangling,
            EdgeKind::Irregular => &mut counts.irregular,
        } += 1;
    }
    counts
}

fn memory(model: &Model) -> Memory {
    let mesh = model.mesh();
    let (index_bytes, vertex_bytes) = (mesh.index_bytes(), mesh.vertex_bytes());
    let saved_bytes = mesh.bytes_saved();
    Memory {
        index_bytes,
        vertex_bytes,
        table_bytes: (index_bytes + vertex_bytes) as isize + saved_bytes,
        saved_bytes,
    }
}
