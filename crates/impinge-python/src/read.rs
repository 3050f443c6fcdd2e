//! Files: their parts, or all of a file as one model.

use std::path::PathBuf;

use impinge::math::DAffine3;
use impinge::transform::Placement;
use impinge_formats::{Note, Properties, ReadError, ReadErrorKind, read, read_mesh};
use pyo3::exceptions::{PyMemoryError, PyOSError, PyValueError};
use pyo3::prelude::*;

use crate::arrays::rows;
use crate::model::Model;
use crate::pool::pool;
use crate::results;

/// The error of Python that a file's error is.
fn unreadable(error: &ReadError) -> PyErr {
    match &error.kind {
        ReadErrorKind::Io(cause) => match cause.raw_os_error() {
            // With a number and a name, Python chooses the class: FileNotFoundError and so on.
            Some(number) => PyOSError::new_err((number, cause.to_string(), error.file.clone())),
            None => PyOSError::new_err(error.to_string()),
        },
        ReadErrorKind::NotRegular { .. } => PyOSError::new_err(error.to_string()),
        ReadErrorKind::OutOfMemory => PyMemoryError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// The rows of an affine map.
pub(crate) fn matrix_of(map: &DAffine3) -> [[f64; 4]; 4] {
    let (linear, by) = (map.matrix3, map.translation);
    let row = |axis: usize| [linear.x_axis[axis], linear.y_axis[axis], linear.z_axis[axis], by[axis]];
    [row(0), row(1), row(2), [0.0, 0.0, 0.0, 1.0]]
}

fn texts<'n>(notes: impl IntoIterator<Item = &'n Note>) -> Vec<String> {
    notes.into_iter().map(ToString::to_string).collect()
}

/// The parts of a file, and what the reader remarks.
#[pyfunction]
#[pyo3(signature = (path))]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what it made of the arguments")]
pub(crate) fn _load(py: Python<'_>, path: PathBuf) -> PyResult<(Vec<Bound<'_, PyAny>>, Vec<String>)> {
    let pool = pool()?;
    let scene = py.detach(|| pool.install(|| read(&path))).map_err(|error| unreadable(&error))?;
    let notes = texts(scene.meshes.iter().flat_map(|mesh| &mesh.notes).chain(&scene.notes));
    let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let roundings: Vec<f64> = scene.meshes.iter().map(|mesh| mesh.rounding).collect();
    let meshes = scene.meshes.into_iter().map(|mesh| Py::new(py, Model::of(mesh.mesh)));
    let models: Vec<Py<Model>> = meshes.collect::<PyResult<_>>()?;
    let part = |node: &impinge_formats::Instance| {
        let name = if node.path.is_empty() { &stem } else { &node.path };
        let pose = rows(py, matrix_of(&node.world_from_mesh).to_vec())?;
        let stretch = Placement::try_from(node.world_from_mesh).map_or(1.0, |placement| placement.stretch());
        let rounding = roundings[node.mesh] * stretch + node.rounding;
        let Properties { class, values, .. } = &*node.properties;
        results::part(py, (name, models[node.mesh].bind(py), pose, rounding, class, values))
    };
    Ok((scene.nodes.iter().map(part).collect::<PyResult<_>>()?, notes))
}

/// All of a file as one model, and what the reader remarks.
#[pyfunction]
#[pyo3(signature = (path))]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what it made of the arguments")]
pub(crate) fn _load_model(py: Python<'_>, path: PathBuf) -> PyResult<(Model, Vec<String>)> {
    let pool = pool()?;
    let loaded = py.detach(|| pool.install(|| read_mesh(&path))).map_err(|error| unreadable(&error))?;
    Ok((Model::of(loaded.mesh), texts(&loaded.notes)))
}
