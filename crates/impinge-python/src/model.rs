//! Models: what is made of arrays, what they tell of themselves, and how they are pickled.

use std::sync::Arc;

use impinge::mesh::{Group, MaterialSet, MeshError};
use impinge::model::{Feature, Orientation, Purpose};
use impinge::{Mesh, Model as Prepared};
use impinge_cli::inspect_model;
use numpy::{PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::arrays::{points, rows, triangles, type_name};
use crate::pool::pool;
use crate::results;

/// A mesh made ready for questions: vertices and faces that never change.
///
/// `Model(vertices, faces)` takes arrays of the shapes (n, 3) and (m, 3), of any type of real numbers and of integers, in any order of
/// memory. `Model(mesh)` takes anything that has `vertices` and `faces`, such as a mesh of trimesh, or `vertices` and `triangles`, such
/// as one of Open3D, or `points` and `cells`, such as one of meshio. The numbers are copied. Faces are counter-clockwise seen from outside. Where all faces around a volume are there,
/// the model is a solid there, and what lies inside of it intersects it.
///
/// `materials` are numbers of yours, one for each face; `without_materials` leaves faces out by them.
///
/// >>> import numpy as np
/// >>> import impinge
/// >>> vertices = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
/// >>> faces = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
/// >>> model = impinge.Model(vertices, faces)
/// >>> model
/// <impinge.Model: 4 vertices, 4 faces, closed>
/// >>> model.bounds
/// array([[0., 0., 0.],
///        [1., 1., 1.]])
#[pyclass(frozen, weakref, module = "impinge")]
pub(crate) struct Model {
    pub(crate) prepared: Arc<Prepared>,
}

impl Model {
    pub(crate) fn of(mesh: Mesh) -> Model {
        Model { prepared: Arc::new(Prepared::new(mesh)) }
    }

    fn mesh(&self) -> &Mesh {
        self.prepared.mesh()
    }

    /// A face that a feature belongs to, by the user's index, the least of those around a vertex; -1 for none.
    pub(crate) fn face_at(&self, feature: Option<Feature>) -> i64 {
        match feature {
            Some(Feature::Face(face) | Feature::Edge { face, .. }) => signed(face),
            Some(Feature::Vertex(vertex)) => {
                let corners = self.prepared.corners_at(vertex).iter();
                corners.map(|corner| signed(self.mesh().label(corner.face))).min().unwrap_or(-1)
            }
            _ => -1,
        }
    }
}

/// The number of an element, as NumPy counts.
fn signed(index: u32) -> i64 {
    i64::from(index)
}

fn refused(error: &MeshError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The attribute of a mesh that holds its faces.
fn faces_of<'py>(mesh: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    match mesh.getattr_opt("faces")? {
        Some(faces) => Ok(Some(faces)),
        None => mesh.getattr_opt("triangles"),
    }
}

/// The arrays of a mesh that has neither, such as one of meshio, whose cells are of several kinds.
fn arrays_of<'py>(mesh: &Bound<'py, PyAny>) -> PyResult<Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)>> {
    mesh.py().import("impinge._meshes")?.getattr("arrays")?.call1((mesh,))?.extract()
}

#[pymethods]
impl Model {
    #[new]
    #[pyo3(signature = (vertices, faces = None, *, materials = None))]
    fn new(
        vertices: &Bound<'_, PyAny>,
        faces: Option<&Bound<'_, PyAny>>,
        materials: Option<Vec<u32>>,
    ) -> PyResult<Model> {
        let py = vertices.py();
        let (vertices, faces) = match faces {
            Some(faces) => (vertices.clone(), faces.clone()),
            None => match (vertices.getattr_opt("vertices")?, faces_of(vertices)?) {
                (Some(vertices), Some(faces)) => (vertices, faces),
                _ => arrays_of(vertices)?.ok_or_else(|| {
                    let name = type_name(vertices);
                    PyTypeError::new_err(format!(
                        "Model takes vertices and faces, or a mesh that has both; `{name}` without faces is neither"
                    ))
                })?,
            },
        };
        let positions = points("vertices", &vertices)?;
        let faces = triangles("faces", &faces, positions.len())?;
        let made = py.detach(|| {
            let mesh = Mesh::triangles(positions, faces)?;
            let mesh = materials.into_iter().try_fold(mesh, Mesh::with_materials)?;
            Ok(Model::of(mesh))
        });
        made.map_err(|error: MeshError| refused(&error))
    }

    /// The materials of the faces, (m,); None where none were given.
    #[getter]
    fn materials<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<u32>>> {
        self.mesh().materials().map(|materials| PyArray1::from_slice(py, materials))
    }

    /// The model without the faces of some materials from 0 to 63; None where no face is left. Vertices and faces keep their numbers.
    ///
    /// >>> import impinge
    /// >>> box = impinge.box([0, 0, 0], [1, 1, 1])
    /// >>> painted = impinge.Model(box.vertices, box.faces, materials=[3, 3] + [1] * 10)
    /// >>> painted.without_materials([3])
    /// <impinge.Model: 8 vertices, 10 faces, open>
    fn without_materials(&self, py: Python<'_>, materials: Vec<u32>) -> PyResult<Option<Model>> {
        let ignored = MaterialSet::of(materials).map_err(|error| PyValueError::new_err(error.to_string()))?;
        let left = py.detach(|| self.prepared.without_materials(ignored).cloned());
        Ok(left.map(|model| Model { prepared: Arc::new(model) }))
    }

    /// The model with a ball of this radius around every point of it, such as a capsule around a segment. The radius is a length of the world that no pose
    /// scales. Vertices, faces, bounds, penetrations and volumes are those of the core.
    ///
    /// >>> import impinge
    /// >>> crate = impinge.box([0, 0, 0], [1, 1, 1]).rounded(0.25)
    /// >>> crate
    /// <impinge.Model: 8 vertices, 12 faces, closed, radius 0.25>
    /// >>> crate.distance(impinge.ball(0.5), pose_b=impinge.translation([3, 0, 0])).distance
    /// 1.25
    fn rounded(&self, radius: f64) -> PyResult<Model> {
        let core = Prepared::clone(&self.prepared);
        let rounded = core.rounded(radius).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Model { prepared: Arc::new(rounded) })
    }

    /// The radius of the ball around every point; 0 for a model that is not rounded.
    #[getter]
    fn radius(&self) -> f64 {
        self.prepared.radius()
    }

    /// The positions of the vertices: an array of the shape (n, 3).
    #[getter]
    fn vertices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        rows(py, self.mesh().vertices().map(|vertex| vertex.to_array()).collect())
    }

    /// The vertices of the faces: an array of the shape (m, 3).
    ///
    /// Files may hold faces of more than three corners. A model with such a face has no such array, and this is a ValueError; see
    /// `triangles`.
    #[getter]
    fn faces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let mesh = self.mesh();
        let face_of = |face: u32| {
            let mut corners = mesh.corners(face);
            match [corners.next(), corners.next(), corners.next(), corners.next()] {
                [Some(a), Some(b), Some(c), None] => Ok([a, b, c].map(signed)),
                _ => Err(PyValueError::new_err(format!(
                    "face {face} has {} corners; `triangles` has all faces as triangles",
                    mesh.corner_count(face)
                ))),
            }
        };
        rows(py, (0..mesh.face_count() as u32).map(face_of).collect::<PyResult<_>>()?)
    }

    /// The triangles that the faces are made of: an array of the shape (t, 3). A face of more corners is the fan from its first corner.
    #[getter]
    fn triangles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let mesh = self.mesh();
        let fans = (0..mesh.face_count() as u32).flat_map(|face| mesh.fan(face));
        rows(py, fans.map(|triangle| triangle.map(signed)).collect())
    }

    /// The number of vertices.
    #[getter]
    fn vertex_count(&self) -> usize {
        self.mesh().vertex_count()
    }

    /// The number of faces.
    #[getter]
    fn face_count(&self) -> usize {
        self.mesh().face_count()
    }

    /// The least box around all faces, of a rounded model around its core: an array of the shape (2, 3), the least coordinates first.
    #[getter]
    fn bounds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let bounds = self.prepared.bounds();
        rows(py, vec![bounds.min.to_array(), bounds.max.to_array()])
    }

    /// Whether all components are closed, so that each is a solid.
    #[getter]
    fn is_closed(&self, py: Python<'_>) -> bool {
        py.detach(|| self.prepared.is_closed())
    }

    /// The components, which are sets of faces that hang together by their edges, in the order of their least face.
    #[getter]
    fn components<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let prepared = &*self.prepared;
        let parts = py.detach(|| prepared.parts());
        let component = |(index, part): (usize, &impinge::model::Part)| {
            let faces: Vec<i64> = prepared.part_faces(index as u32).iter().copied().map(signed).collect();
            let bounds = rows(py, vec![part.bounds.min.to_array(), part.bounds.max.to_array()])?;
            let is_inverted = part.orientation == Orientation::Inward;
            results::component(py, (PyArray1::from_vec(py, faces), part.closed, is_inverted, bounds))
        };
        parts.iter().enumerate().map(component).collect()
    }

    /// What `impinge inspect --json` tells of the model: counts, parts, edges, and every problem, as a dictionary.
    ///
    /// >>> import impinge
    /// >>> told = impinge.box([0, 0, 0], [1, 1, 1]).inspect()
    /// >>> told["closed"], told["part_counts"]["all"], told["edges"]["convex"]
    /// (True, 1, 12)
    fn inspect<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let pool = pool()?;
        let text = py.detach(|| pool.install(|| inspect_model(&self.prepared)));
        py.import("json")?.getattr("loads")?.call1((text,))
    }

    /// The model with cracks closed that are no wider than the tolerance: vertices on open edges move to others that near. Where that closes nothing, it is the
    /// model itself. Files are read so; what other programs made of numbers may need it.
    ///
    /// >>> import impinge
    /// >>> box = impinge.box([0, 0, 0], [1, 1, 1])
    /// >>> soup = box.vertices[box.triangles].reshape(-1, 3)
    /// >>> soup[4, 0] += 1e-9
    /// >>> cracked = impinge.Model(soup, [[3 * i, 3 * i + 1, 3 * i + 2] for i in range(len(soup) // 3)])
    /// >>> cracked.is_closed, cracked.with_cracks_closed(1e-6).is_closed
    /// (False, True)
    #[pyo3(signature = (tolerance))]
    fn with_cracks_closed(&self, py: Python<'_>, tolerance: f64) -> PyResult<Model> {
        match py.detach(|| self.mesh().with_cracks_closed(tolerance)) {
            Ok(Some(closed)) => Ok(Model::of(closed.mesh)),
            Ok(None) => Ok(Model { prepared: Arc::clone(&self.prepared) }),
            Err(error) => Err(PyValueError::new_err(error.to_string())),
        }
    }

    /// Makes what queries need, on all cores, so that the first of them takes no longer than the next. It changes no answer.
    fn prepare(&self, py: Python<'_>) -> PyResult<()> {
        let pool = pool()?;
        py.detach(|| pool.install(|| self.prepared.prepare(Purpose::ALL)));
        Ok(())
    }

    /// A page with a 3D view, for notebooks; none for a model of so many faces that the page would be too large.
    fn _repr_html_<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("impinge._view")?.getattr("notebook")?.call1((slf,))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let (vertices, faces) = (self.vertex_count(), self.face_count());
        let closed = if self.is_closed(py) { "closed" } else { "open" };
        let radius = match self.radius() {
            0.0 => String::new(),
            radius => format!(", radius {radius}"),
        };
        format!("<impinge.Model: {vertices} vertices, {faces} faces, {closed}{radius}>")
    }

    /// The model itself: nothing about it changes.
    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    /// The model itself: nothing about it changes.
    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    /// The function and the arrays that make the model again.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let mesh = self.mesh();
        let faces = 0..mesh.face_count() as u32;
        let corners: Vec<u32> = faces.clone().flat_map(|face| mesh.corners(face)).collect();
        let counts: Vec<u32> = faces.clone().map(|face| mesh.corner_count(face) as u32).collect();
        let labels: Vec<u32> = faces.map(|face| mesh.label(face)).collect();
        let groups: Vec<(String, u32)> =
            mesh.groups().iter().map(|group| (group.name.clone(), group.first_face)).collect();
        let arguments = (
            self.vertices(py)?,
            PyArray1::from_vec(py, corners),
            PyArray1::from_vec(py, counts),
            PyArray1::from_vec(py, labels),
            groups,
            self.materials(py),
            self.radius(),
        );
        Ok((py.import("impinge._impinge")?.getattr("_restore")?, arguments.into_pyobject(py)?))
    }
}

/// Makes a model of what its pickle holds. Without counts, faces have three corners; without labels, they are counted from 0.
#[pyfunction]
#[pyo3(signature = (vertices, corners, counts, labels, groups, materials = None, radius = 0.0))]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what it made of the arguments")]
pub(crate) fn _restore(
    vertices: PyReadonlyArray2<'_, f64>,
    corners: PyReadonlyArray1<'_, u32>,
    counts: Option<PyReadonlyArray1<'_, u32>>,
    labels: Option<PyReadonlyArray1<'_, u32>>,
    groups: Vec<(String, u32)>,
    materials: Option<PyReadonlyArray1<'_, u32>>,
    radius: f64,
) -> PyResult<Model> {
    let vertices = points("vertices", vertices.as_any())?;
    let corners = corners.as_slice()?;
    let counts = counts.as_ref().map(|counts| counts.as_slice()).transpose()?;
    let mesh = match counts.filter(|counts| counts.iter().any(|&count| count != 3)) {
        Some(counts) => Mesh::polygons(vertices, polygons(corners, counts)?),
        None => Mesh::triangles(vertices, corners.as_chunks().0.to_vec()),
    };
    let labels = labels.as_ref().map_or(Ok(&[][..]), |labels| labels.as_slice())?.to_vec();
    let is_labeled = labels.iter().enumerate().any(|(face, &label)| label as usize != face);
    let mesh = mesh.and_then(|mesh| if is_labeled { mesh.with_labels(labels) } else { Ok(mesh) });
    let groups = groups.into_iter().map(|(name, first_face)| Group { name, first_face }).collect();
    let materials = materials.as_ref().map(|materials| materials.as_slice()).transpose()?;
    let mesh =
        mesh.and_then(|mesh| materials.map(<[u32]>::to_vec).into_iter().try_fold(mesh, Mesh::with_materials));
    let core =
        mesh.and_then(|mesh| mesh.with_groups(groups)).map(Model::of).map_err(|error| refused(&error))?;
    if radius == 0.0 { Ok(core) } else { core.rounded(radius) }
}

/// Corners, cut into faces of so many each.
fn polygons(corners: &[u32], counts: &[u32]) -> PyResult<Vec<Vec<u32>>> {
    let mut rest = corners;
    let mut faces = Vec::with_capacity(counts.len());
    for &count in counts {
        let Some((face, others)) = rest.split_at_checked(count as usize) else {
            return Err(PyValueError::new_err("there are fewer corners than the faces have"));
        };
        faces.push(face.to_vec());
        rest = others;
    }
    Ok(faces)
}
