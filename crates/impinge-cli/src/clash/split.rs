//! Meshes in pieces: the groups of a mesh, or its connected components.

use impinge::mesh::Group;
use impinge::{Mesh, Model};

/// The models of a mesh and what they are called: one without a name, or one for each group, or component of a mesh without groups.
pub(super) fn models(mesh: Mesh, split: bool) -> Vec<(String, Model)> {
    let model = Model::new(mesh);
    if !split {
        return vec![(String::new(), model)];
    }
    let groups = model.mesh().groups();
    let parts: Vec<(String, Vec<u32>)> = if groups.is_empty() {
        (0..model.part_count() as u32)
            .map(|part| (format!("component {part}"), model.part_faces(part).to_vec()))
            .collect()
    } else {
        faces_of_groups(groups, model.mesh().face_count() as u32)
    };
    if parts.len() < 2 {
        return vec![(String::new(), model)];
    }
    let piece = |(name, faces): (String, Vec<u32>)| Some((name, Model::new(extract(model.mesh(), &faces)?)));
    parts.into_iter().filter_map(piece).collect()
}

fn faces_of_groups(groups: &[Group], faces: u32) -> Vec<(String, Vec<u32>)> {
    let mut parts: Vec<(String, Vec<u32>)> = Vec::new();
    let ends = groups.iter().skip(1).map(|group| group.first_face).chain([faces]);
    if groups[0].first_face > 0 {
        parts.push(("no group".to_owned(), (0..groups[0].first_face).collect()));
    }
    for (number, (group, end)) in groups.iter().zip(ends).enumerate() {
        let name = if group.name.is_empty() { format!("group {number}") } else { group.name.clone() };
        // A group may come back later in a file.
        match parts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, list)) => list.extend(group.first_face..end),
            None => parts.push((name, (group.first_face..end).collect())),
        }
    }
    parts.retain(|(_, faces)| !faces.is_empty());
    parts
}

/// Some faces of a mesh, as a mesh whose faces are known by their numbers in the whole.
fn extract(mesh: &Mesh, faces: &[u32]) -> Option<Mesh> {
    let mut renamed = vec![u32::MAX; mesh.vertex_count()];
    let mut vertices = Vec::new();
    let mut polygons: Vec<Vec<u32>> = Vec::with_capacity(faces.len());
    for face in faces {
        let corners = mesh.corners(*face).map(|vertex| {
            let name = &mut renamed[vertex as usize];
            if *name == u32::MAX {
                *name = vertices.len() as u32;
                vertices.push(mesh.vertex(vertex));
            }
            *name
        });
        polygons.push(corners.collect());
    }
    let labels = faces.iter().map(|face| mesh.label(*face)).collect();
    Mesh::polygons(vertices, polygons).and_then(|mesh| mesh.with_labels(labels)).ok()
}
