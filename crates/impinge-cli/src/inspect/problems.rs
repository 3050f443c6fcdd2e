//! Finds what is wrong with a mesh, or at least unusual, by the user's indices.

use std::collections::HashSet;

use impinge::model::Model;
use impinge_core::predicates::are_collinear;
use impinge_formats::{Note, NoteKind};

use crate::json::ProblemReport;

/// Everything that is wrong, kind by kind; kinds that do not occur are left out.
pub(super) fn find(model: &Model, notes: &[Note]) -> Vec<ProblemReport> {
    let mut problems = of_notes(notes);
    let flat = faces_without_area(model);
    let repeated = repeated_faces(model, &flat);
    problems.push(of_faces("zero_area_faces", ["face without area", "faces without area"], model, &flat));
    problems.push(of_faces(
        "duplicate_faces",
        ["face with the corners of an earlier one", "faces with the corners of an earlier one"],
        model,
        &repeated,
    ));
    problems.extend(of_edges(model));
    problems.push(of_vertices(unused_vertices(model)));
    problems.retain(|problem| problem.count > 0);
    problems
}

fn report(kind: &'static str, [one, many]: [&str; 2], count: usize) -> ProblemReport {
    let text = if count == 1 { one } else { many }.to_owned();
    ProblemReport { kind, count, text, faces: Vec::new(), edges: Vec::new(), vertices: Vec::new() }
}

/// What the reader had to do with the file: polygons of one kind together, the rest one by one.
fn of_notes(notes: &[Note]) -> Vec<ProblemReport> {
    let split = |kind: &'static str, words: [&str; 2], face_of: fn(&NoteKind) -> Option<u32>| {
        let faces: Vec<u32> = notes.iter().filter_map(|note| face_of(&note.kind)).collect();
        ProblemReport { faces: faces.clone(), ..report(kind, words, faces.len()) }
    };
    let mut problems = vec![
        split(
            "not_planar_faces",
            [
                "polygon that is not planar, split into triangles",
                "polygons that are not planar, split into triangles",
            ],
            |kind| if let NoteKind::NotPlanar { face, .. } = kind { Some(*face) } else { None },
        ),
        split(
            "not_convex_faces",
            [
                "polygon that is not convex, split into triangles",
                "polygons that are not convex, split into triangles",
            ],
            |kind| if let NoteKind::NotConvex { face, .. } = kind { Some(*face) } else { None },
        ),
        split(
            "self_crossing_faces",
            ["polygon that crosses itself, taken as a fan", "polygons that cross themselves, taken as fans"],
            |kind| if let NoteKind::NotSimple { face, .. } = kind { Some(*face) } else { None },
        ),
    ];
    for note in notes {
        match &note.kind {
            NoteKind::NotPlanar { .. } | NoteKind::NotConvex { .. } | NoteKind::NotSimple { .. } => {}
            NoteKind::Skipped { what, count, .. } => {
                let text = format!("{what} left out, the first at {}", note.place);
                problems.push(ProblemReport { text, ..report("left_out", ["", ""], *count) });
            }
            _ => problems.push(ProblemReport { text: note.to_string(), ..report("note", ["", ""], 1) }),
        }
    }
    problems
}

fn of_faces(kind: &'static str, words: [&str; 2], model: &Model, faces: &[u32]) -> ProblemReport {
    let labels: Vec<u32> = faces.iter().map(|&face| model.mesh().label(face)).collect();
    ProblemReport { faces: labels, ..report(kind, words, faces.len()) }
}

fn of_vertices(vertices: Vec<u32>) -> ProblemReport {
    let words = ["vertex that no face uses", "vertices that no face uses"];
    let count = vertices.len();
    ProblemReport { vertices, ..report("unused_vertices", words, count) }
}

/// Faces of which every triangle is a segment or a point, exactly.
fn faces_without_area(model: &Model) -> Vec<u32> {
    let mesh = model.mesh();
    let is_flat = |face: &u32| {
        mesh.corner_count(*face) > 0
            && mesh.fan(*face).all(|triangle| {
                let [a, b, c] = triangle.map(|vertex| mesh.vertex(vertex));
                are_collinear(a, b, c)
            })
    };
    (0..mesh.face_count() as u32).filter(is_flat).collect()
}

/// Faces with the same edges as an earlier face, whichever way they look. Faces without area are no duplicates: they
/// are listed already.
fn repeated_faces(model: &Model, flat: &[u32]) -> Vec<u32> {
    let mesh = model.mesh();
    let mut seen: HashSet<Vec<u32>> = HashSet::with_capacity(mesh.face_count());
    let mut repeated = Vec::new();
    for face in (0..mesh.face_count() as u32).filter(|face| flat.binary_search(face).is_err()) {
        let mut edges: Vec<u32> =
            (0..mesh.corner_count(face)).filter_map(|corner| model.edge_at(face, corner)).collect();
        edges.sort_unstable();
        if !seen.insert(edges) {
            repeated.push(face);
        }
    }
    repeated
}

/// Edges that keep a part from being a proper surface. Parts are looked at one by one, as they are when it is decided
/// which are closed: two solids that share an edge are in order.
fn of_edges(model: &Model) -> [ProblemReport; 3] {
    let [mut crowded, mut inconsistent, mut rims] = [const { Vec::<[u32; 2]>::new() }; 3];
    for (index, edge) in model.edges().iter().enumerate() {
        let along = model.edge_faces(index as u32);
        // The faces of one part stand together along an edge: parts do not go beyond groups, and groups are in order.
        for of_part in along.chunk_by(|a, b| model.part_of_face(a.face) == model.part_of_face(b.face)) {
            let list = match of_part {
                [_] => &mut rims,
                [a, b] if a.forward == b.forward => &mut inconsistent,
                [_, _] => continue,
                _ => &mut crowded,
            };
            if list.last() != Some(&edge.vertices) {
                list.push(edge.vertices);
            }
        }
    }
    let report = |kind, words, edges: Vec<[u32; 2]>| {
        let count = edges.len();
        ProblemReport { edges, ..report(kind, words, count) }
    };
    [
        report(
            "non_manifold_edges",
            ["edge with more than two faces of its part", "edges with more than two faces of their part"],
            crowded,
        ),
        report(
            "inconsistent_edges",
            ["edge whose two faces disagree on the front", "edges whose two faces disagree on the front"],
            inconsistent,
        ),
        report(
            "dangling_edges",
            ["edge with only one face of its part", "edges with only one face of their part"],
            rims,
        ),
    ]
}

fn unused_vertices(model: &Model) -> Vec<u32> {
    let mesh = model.mesh();
    let mut used = vec![false; mesh.vertex_count()];
    for face in 0..mesh.face_count() as u32 {
        mesh.corners(face).for_each(|vertex| used[vertex as usize] = true);
    }
    (0..).zip(used).filter(|(_, used)| !used).map(|(vertex, _)| vertex).collect()
}
