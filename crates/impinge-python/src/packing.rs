//! Scenes on their way into tables: their parts as columns, their models file by file.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use impinge_cli::{Packed, Packer, StoredModel, StoredPart};
use impinge_formats::Properties;
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::arrays::rows;
use crate::command::PythonReader;
use crate::model::Model;
use crate::pool::pool;
use crate::read::matrix_of;
use crate::scene::{PartFields, refused, scene_part};

/// Reads scenes file by file, so that only one is in memory.
#[pyclass(module = "impinge._impinge")]
pub(crate) struct _Packer {
    packer: Option<Packer>,
    reader: PythonReader,
}

#[pymethods]
impl _Packer {
    /// Scenes whose names end so are read by the function.
    #[new]
    #[pyo3(signature = (scenes, split, endings, read))]
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what it made of the arguments")]
    fn new(scenes: Vec<PathBuf>, split: bool, endings: Vec<String>, read: Py<PyAny>) -> PyResult<_Packer> {
        let reader = PythonReader { endings, read };
        let packer = Packer::new(&scenes, split, Some(&reader)).map_err(|error| refused(&error))?;
        Ok(_Packer { packer: Some(packer), reader })
    }

    fn files(&self) -> PyResult<Vec<PathBuf>> {
        Ok(self.open()?.files().to_vec())
    }

    /// The models of the next file; None after the last.
    fn read_next(&mut self, py: Python<'_>) -> PyResult<Option<Vec<Model>>> {
        let pool = pool()?;
        let (packer, reader) = (self.packer.as_mut().ok_or_else(finished)?, &self.reader);
        let models =
            py.detach(|| pool.install(|| packer.read_next(Some(reader)))).map_err(|error| refused(&error))?;
        Ok(models.map(|models| models.into_iter().map(|prepared| Model { prepared }).collect()))
    }

    /// Adds a part that no file has.
    #[pyo3(signature = (part))]
    fn push(&mut self, part: PartFields<'_>) -> PyResult<()> {
        let (name, part) = scene_part(part)?;
        let packer = self.packer.as_mut().ok_or_else(finished)?;
        packer.push(&name, part).map_err(|reason| refused(&format!("part {name:?}: {reason}"))).map(|_| ())
    }

    /// The scene without its models: a dictionary of columns.
    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let packer = self.packer.take().ok_or_else(finished)?;
        columns(py, packer.finish().map_err(|error| refused(&error))?)
    }
}

impl _Packer {
    fn open(&self) -> PyResult<&Packer> {
        self.packer.as_ref().ok_or_else(finished)
    }
}

fn finished() -> PyErr {
    PyValueError::new_err("the scene is finished")
}

pub(crate) fn properties_of(class: Option<String>, values: BTreeMap<String, String>) -> Properties {
    let mut properties = Properties::default();
    (properties.class, properties.values) = (class, values);
    properties
}

fn columns(py: Python<'_>, packed: Packed) -> PyResult<Bound<'_, PyDict>> {
    let parts = &packed.parts;
    let into = PyDict::new(py);
    into.set_item("title", packed.title)?;
    into.set_item("unit", packed.unit)?;
    into.set_item("z_up", packed.z_up)?;
    into.set_item("notes", packed.notes)?;
    into.set_item("left_out", packed.left_out)?;
    let unplaced = packed.unplaced.into_iter();
    let unplaced: Vec<_> =
        unplaced.map(|(called, note)| (called.name, called.path, called.file_bytes, note)).collect();
    into.set_item("unplaced", unplaced)?;
    into.set_item("name", texts(py, parts.iter().map(|part| part.called.name.as_str()))?)?;
    into.set_item("path", texts(py, parts.iter().map(|part| part.called.path.as_str()))?)?;
    into.set_item("names", texts(py, parts.iter().map(|part| part.names.as_str()))?)?;
    into.set_item("class", PyList::new(py, parts.iter().map(|part| part.properties.class.as_deref()))?)?;
    into.set_item("properties", PyList::new(py, parts.iter().map(|part| &part.properties.values))?)?;
    let integers =
        |of: fn(&StoredPart) -> usize| PyArray1::from_iter(py, parts.iter().map(|part| of(part) as i64));
    into.set_item("file_bytes", integers(|part| part.called.file_bytes))?;
    into.set_item("body", integers(|part| part.body))?;
    into.set_item("model", integers(|part| part.model))?;
    into.set_item("rounding", PyArray1::from_iter(py, parts.iter().map(|part| part.rounding)))?;
    let poses = parts.iter().map(|part| matrix_of(part.placement.world_from_model()));
    into.set_item("pose", rows(py, poses.map(|[a, b, c, d]| flat([a, b, c, d])).collect())?)?;
    let boxes = parts.iter().map(|part| {
        let [min, max] = [part.bounds.min, part.bounds.max];
        [min.x, min.y, min.z, max.x, max.y, max.z]
    });
    into.set_item("box", rows(py, boxes.collect())?)?;
    Ok(into)
}

fn flat(rows: [[f64; 4]; 4]) -> [f64; 16] {
    std::array::from_fn(|index| rows[index / 4][index % 4])
}

fn texts<'py, 't>(
    py: Python<'py>,
    texts: impl ExactSizeIterator<Item = &'t str>,
) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, texts)
}

/// Whether a model is closed, the hash of its geometry, and the number of its faces.
#[pyfunction]
#[pyo3(signature = (model))]
pub(crate) fn _facts(py: Python<'_>, model: &Bound<'_, Model>) -> (bool, u64, u64) {
    let prepared = Arc::clone(&model.get().prepared);
    let StoredModel { closed, hash, faces } = py.detach(|| StoredModel::of(&prepared));
    (closed, hash, faces)
}
