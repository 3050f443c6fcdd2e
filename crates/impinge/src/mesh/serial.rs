//! Meshes written and read with serde: in the form that they have, and checked as all meshes are when they come back.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Faces, Grid, Group, Mesh, MeshError, Run, Terrain, Vertices};
use impinge_core::math::DVec3;

/// A mesh as it is written: a form of vertices and faces, with labels, materials and groups.
#[derive(Deserialize, Serialize)]
struct MeshParts {
    #[serde(flatten)]
    form: Form,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    labels: Option<Vec<u32>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    materials: Option<Vec<u32>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    groups: Vec<Group>,
}

#[derive(Deserialize, Serialize)]
#[serde(tag = "form", rename_all = "snake_case")]
enum Form {
    Triangles { vertices: Vec<DVec3>, triangles: Vec<[u32; 3]> },
    Soup { vertices: Vec<DVec3> },
    Polygons { vertices: Vec<DVec3>, polygons: Vec<Vec<u32>> },
    Strips { vertices: Vec<DVec3>, indices: Option<Vec<u32>>, restart: Option<u32> },
    Fans { vertices: Vec<DVec3>, indices: Option<Vec<u32>>, restart: Option<u32> },
    Terrain { origin: [f64; 3], spacing: [f64; 2], columns: usize, heights: Vec<f64>, holes: Vec<u32> },
}

impl Serialize for Mesh {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let parts = MeshParts {
            form: Form::of(self),
            labels: self.labels.clone(),
            materials: self.materials.clone(),
            groups: self.groups.clone(),
        };
        parts.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Mesh {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Mesh, D::Error> {
        let MeshParts { form, labels, materials, groups } = MeshParts::deserialize(deserializer)?;
        let mut mesh = form.mesh().map_err(D::Error::custom)?;
        if let Some(labels) = labels {
            mesh = mesh.with_labels(labels).map_err(D::Error::custom)?;
        }
        if let Some(materials) = materials {
            mesh = mesh.with_materials(materials).map_err(D::Error::custom)?;
        }
        mesh.with_groups(groups).map_err(D::Error::custom)
    }
}

impl Form {
    fn of(mesh: &Mesh) -> Form {
        let vertices = || mesh.vertices().collect();
        match (&mesh.faces, &mesh.vertices) {
            (Faces::Triangles(triangles), _) => {
                Form::Triangles { vertices: vertices(), triangles: triangles.clone() }
            }
            (Faces::Soup { .. }, _) => Form::Soup { vertices: vertices() },
            (Faces::Strips { indices, runs, count }, _) => {
                let restart = restart(indices.as_deref(), runs, *count);
                Form::Strips { vertices: vertices(), indices: indices.clone(), restart }
            }
            (Faces::Fans { indices, runs, count }, _) => {
                let restart = restart(indices.as_deref(), runs, *count);
                Form::Fans { vertices: vertices(), indices: indices.clone(), restart }
            }
            (Faces::Grid(grid), Vertices::Heights { origin, spacing, heights, .. }) => Form::Terrain {
                origin: origin.to_array(),
                spacing: *spacing,
                columns: grid.columns as usize,
                heights: heights.clone(),
                holes: holes(grid),
            },
            _ => {
                let polygon = |face: u32| mesh.corners(face).collect();
                let polygons = (0..mesh.face_count() as u32).map(polygon).collect();
                Form::Polygons { vertices: vertices(), polygons }
            }
        }
    }

    fn mesh(self) -> Result<Mesh, MeshError> {
        match self {
            Form::Triangles { vertices, triangles } => Mesh::triangles(vertices, triangles),
            Form::Soup { vertices } => Mesh::soup(vertices),
            Form::Polygons { vertices, polygons } => Mesh::polygons(vertices, polygons),
            Form::Strips { vertices, indices: None, .. } => Mesh::triangle_strip(vertices),
            Form::Strips { vertices, indices: Some(indices), restart } => {
                Mesh::indexed_strip(vertices, indices, restart)
            }
            Form::Fans { vertices, indices: None, .. } => Mesh::triangle_fan(vertices),
            Form::Fans { vertices, indices: Some(indices), restart } => {
                Mesh::indexed_fan(vertices, indices, restart)
            }
            Form::Terrain { origin, spacing, columns, heights, holes } => {
                Mesh::terrain(Terrain { origin, spacing, columns, heights, holes })
            }
        }
    }
}

/// The index that ends a strip or a fan: what stands behind one, or before the first.
fn restart(indices: Option<&[u32]>, runs: &[Run], count: u32) -> Option<u32> {
    let indices = indices?;
    let before = runs.first().and_then(|run| indices.get((run.first_corner as usize).checked_sub(1)?));
    let behind = runs.iter().enumerate().find_map(|(i, run)| {
        let next = runs.get(i + 1).map_or(count, |next| next.first_face);
        indices.get((run.first_corner + next - run.first_face + 2) as usize)
    });
    before.or(behind).copied()
}

fn holes(grid: &Grid) -> Vec<u32> {
    (0..grid.cell_count()).filter(|&cell| grid.is_hole(cell)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn again(mesh: &Mesh) -> Mesh {
        serde_json::from_str(&serde_json::to_string(mesh).expect("finite numbers")).expect("what was written")
    }

    #[test]
    fn every_form_comes_back_as_it_was() {
        let points: Vec<DVec3> =
            (0..12).map(|i| DVec3::new(0.1 * f64::from(i), f64::from(i % 3), -1e-300)).collect();
        let group = Group { name: "lid".to_owned(), first_face: 1 };
        let terrain = |holes: Vec<u32>| Terrain {
            origin: [0.1, 0.2, 0.3],
            spacing: [0.5, 0.25],
            columns: 4,
            heights: (0..12).map(f64::from).collect(),
            holes,
        };
        let strip = vec![99, 0, 1, 2, 3, 99, 4, 5, 99, 6, 7, 8];
        let meshes = [
            Mesh::triangles(points.clone(), vec![[0, 1, 2], [2, 1, 3]])
                .and_then(|mesh| mesh.with_labels(vec![7, 7])),
            Mesh::soup(points.clone()).and_then(|mesh| mesh.with_materials(vec![3, 0, u32::MAX, 1])),
            Mesh::polygons(points.clone(), [vec![0, 1, 2, 3], vec![4], vec![5, 6]])
                .and_then(|mesh| mesh.with_groups(vec![group])),
            Mesh::triangle_strip(points.clone()),
            Mesh::indexed_strip(points.clone(), strip.clone(), Some(99)),
            Mesh::indexed_strip(points.clone(), vec![3, 2, 1, 0], None),
            Mesh::indexed_strip(points.clone(), vec![0, 1, 2, 5, 6, 7, 8], Some(5)),
            Mesh::triangle_fan(points.clone()),
            Mesh::indexed_fan(points, strip, Some(99)),
            Mesh::terrain(terrain(Vec::new())),
            Mesh::terrain(terrain(vec![1, 4])),
        ];
        for (i, mesh) in meshes.into_iter().enumerate() {
            let mesh = mesh.expect("a mesh");
            assert_eq!(again(&mesh), mesh, "{i}");
        }
    }

    #[test]
    fn what_is_no_mesh_is_refused() {
        let refused = |text: &str| {
            serde_json::from_str::<Mesh>(text).map_err(|error| error.to_string()).expect_err("no mesh")
        };
        let text = refused(r#"{"form":"triangles","vertices":[[0,0,0]],"triangles":[[0,0,1]]}"#);
        assert!(text.contains("vertex 1") || text.contains("face 0"), "{text}");
        refused(r#"{"form":"soup","vertices":[[0,0,0]]}"#);
        let text = refused(r#"{"form":"soup","vertices":[[0,0,0],[1,0,0],[0,1,0]],"materials":[1,2]}"#);
        assert!(text.contains("2 materials for 1 faces"), "{text}");
        refused(r#"{"form":"fans","vertices":[],"indices":null,"restart":null}"#);
    }
}
