//! Scenes whose meshes are stored elsewhere, and searches whose pairs Python has tested.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use impinge::bounds::Aabb;
use impinge::clash::ClashOptions;
use impinge::clash::tiles::{Finding, Outline, Plan};
use impinge::math::DVec3;
use impinge_cli::{Observer, StoredModel, StoredName, StoredPart, StoredScene, Tested, Tester, TiledSearch};
use impinge_report::terminal::Error;
use numpy::{PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;

use crate::arrays::rows;
use crate::findings::{Arrays, of_arrays};
use crate::model::Model;
use crate::packing::properties_of;
use crate::poses::placement;
use crate::scene::{_Report, refused};

/// A scene whose meshes are stored elsewhere.
#[pyclass(frozen, module = "impinge._impinge")]
pub(crate) struct _StoredScene {
    scene: StoredScene,
}

/// The columns of the parts of a scene.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct PartColumns<'py> {
    name: Vec<String>,
    path: Vec<String>,
    names: Vec<String>,
    class: Vec<Option<String>>,
    properties: Vec<BTreeMap<String, String>>,
    file_bytes: PyReadonlyArray1<'py, i64>,
    body: PyReadonlyArray1<'py, i64>,
    model: PyReadonlyArray1<'py, i64>,
    rounding: PyReadonlyArray1<'py, f64>,
    pose: PyReadonlyArray2<'py, f64>,
    #[pyo3(item("box"))]
    bounds: PyReadonlyArray2<'py, f64>,
}

/// The columns of the meshes of a scene.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct ModelColumns<'py> {
    closed: PyReadonlyArray1<'py, bool>,
    hash: PyReadonlyArray1<'py, u64>,
    faces: PyReadonlyArray1<'py, i64>,
}

#[pymethods]
impl _StoredScene {
    #[new]
    #[pyo3(signature = (title, unit, z_up, notes, left_out, unplaced, models, parts))]
    #[expect(clippy::too_many_arguments, reason = "a scene has that much to tell")]
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what it made of the arguments")]
    fn new(
        title: &str,
        unit: Option<&str>,
        z_up: bool,
        notes: Vec<String>,
        left_out: usize,
        unplaced: Vec<(String, String, usize, String)>,
        models: ModelColumns<'_>,
        parts: PartColumns<'_>,
    ) -> PyResult<_StoredScene> {
        let mut scene = StoredScene::new(title, unit, z_up);
        notes.into_iter().for_each(|note| scene.note(note));
        scene.leave_out(left_out);
        for (name, path, file_bytes, note) in unplaced {
            let called = StoredName { name, path, file_bytes };
            scene.leave_out_part(called, note).map_err(|reason| refused(&reason))?;
        }
        let (closed, hash, faces) =
            (models.closed.as_slice()?, models.hash.as_slice()?, models.faces.as_slice()?);
        if [hash.len(), faces.len()] != [closed.len(); 2] {
            return Err(PyValueError::new_err("meshes: columns differ in length"));
        }
        for (row, &closed) in closed.iter().enumerate() {
            let faces = faces[row].unsigned_abs();
            scene.add_model(StoredModel { closed, hash: hash[row], faces });
        }
        add_parts(&mut scene, parts)?;
        Ok(_StoredScene { scene })
    }

    /// Looks for clashes: `run` is called with a `_Search` and has its pairs tested; `load` is called with numbers of models and returns them.
    #[pyo3(signature = (options, pictures, run, load, progress))]
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what it made of the arguments")]
    fn clash(
        &self,
        py: Python<'_>,
        options: Vec<OsString>,
        pictures: bool,
        run: Py<PyAny>,
        load: Py<PyAny>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<_Report> {
        let tester = Caller { run, load, progress, raised: Mutex::new(None) };
        let found = py.detach(|| self.scene.clash(&options, pictures, &tester, &Observer::NONE));
        tester.raised()?;
        Ok(_Report { found: found.map_err(|error| refused(&error))? })
    }

    /// Runs the command `impinge clash` with these options, and returns the status that the process should end with.
    #[pyo3(signature = (options, inputs, run, load, progress))]
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what it made of the arguments")]
    fn run(
        &self,
        py: Python<'_>,
        options: Vec<OsString>,
        inputs: Vec<PathBuf>,
        run: Py<PyAny>,
        load: Py<PyAny>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<u8> {
        let tester = Caller { run, load, progress, raised: Mutex::new(None) };
        let status = py.detach(|| self.scene.run(&options, &inputs, &tester, &|| true));
        tester.raised()?;
        Ok(status.code())
    }
}

fn add_parts(scene: &mut StoredScene, parts: PartColumns<'_>) -> PyResult<()> {
    let count = parts.name.len();
    let (poses, boxes) =
        (parts.pose.as_slice()?.as_chunks::<16>().0, parts.bounds.as_slice()?.as_chunks::<6>().0);
    let (file_bytes, bodies) = (parts.file_bytes.as_slice()?, parts.body.as_slice()?);
    let (models, rounding) = (parts.model.as_slice()?, parts.rounding.as_slice()?);
    let lengths = [
        parts.path.len(),
        parts.names.len(),
        parts.class.len(),
        parts.properties.len(),
        file_bytes.len(),
        bodies.len(),
        models.len(),
        rounding.len(),
        poses.len(),
        boxes.len(),
    ];
    if lengths != [count; 10] {
        return Err(PyValueError::new_err("parts: columns differ in length"));
    }
    let texts = parts.name.into_iter().zip(parts.path).zip(parts.names);
    let properties = parts.class.into_iter().zip(parts.properties);
    for (row, (((name, path), names), (class, values))) in texts.zip(properties).enumerate() {
        let wrong = |reason: &str| PyValueError::new_err(format!("parts: row {row}: {reason}"));
        let index = |number: i64, what: &str| {
            usize::try_from(number).map_err(|_| wrong(&format!("{what} is {number}")))
        };
        let placement = placement(&poses[row]).map_err(|error| wrong(&format!("pose: {error}")))?;
        let [x, y, z, right, top, front] = boxes[row];
        let bounds = Aabb { min: DVec3::new(x, y, z), max: DVec3::new(right, top, front) };
        // A box that is no box, or a length that is none, would make every answer a guess.
        if !(bounds.min.cmple(bounds.max).all() && bounds.min.is_finite() && bounds.max.is_finite()) {
            return Err(wrong("box is empty or not finite"));
        }
        if !(rounding[row] >= 0.0 && rounding[row].is_finite()) {
            return Err(wrong(&format!("rounding is {}", rounding[row])));
        }
        let part = StoredPart {
            called: StoredName { name, path, file_bytes: index(file_bytes[row], "file_bytes")? },
            names,
            body: index(bodies[row], "body")?,
            model: index(models[row], "mesh")?,
            placement,
            bounds,
            rounding: rounding[row],
            properties: Arc::new(properties_of(class, values)),
        };
        scene.add(part).map_err(|reason| wrong(&reason))?;
    }
    Ok(())
}

/// Functions of Python that have pairs tested.
struct Caller {
    run: Py<PyAny>,
    load: Py<PyAny>,
    progress: Option<Py<PyAny>>,
    /// What Python raised.
    raised: Mutex<Option<PyErr>>,
}

impl Caller {
    /// Raises what Python has raised meanwhile.
    fn raised(&self) -> PyResult<()> {
        let raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner).take();
        raised.map_or(Ok(()), Err)
    }

    /// Keeps what Python raised; the search ends with an error that nobody sees.
    fn fail(&self, error: PyErr) -> Error {
        let text = error.to_string();
        *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        Error::option("search", text)
    }
}

impl Tester for Caller {
    fn test(&self, search: &TiledSearch<'_>) -> Result<Tested, Error> {
        let ClashOptions { touch, clearance, penetration, volume, separation, .. } = search.options;
        Python::attach(|py| {
            let found = Py::new(
                py,
                _Search {
                    plan: search.plan.clone(),
                    outlines: search.outlines.to_vec(),
                    uses_rounding: search.options.rounding.is_some(),
                    lengths: [touch, clearance],
                    measures: [penetration, volume, separation],
                    state: Mutex::default(),
                    done: AtomicU64::new(0),
                    clashes: AtomicU64::new(0),
                    is_interrupted: AtomicBool::new(false),
                    progress: self.progress.as_ref().map(|progress| progress.clone_ref(py)),
                },
            )?;
            let ended = self.run.call1(py, (&found,));
            let search = found.get();
            match ended {
                Ok(_) => {}
                // What was found so far is worth having.
                Err(error) if error.is_instance_of::<PyKeyboardInterrupt>(py) => {
                    search.is_interrupted.store(true, Ordering::Relaxed);
                }
                Err(error) => return Err(error),
            }
            Ok(search.tested())
        })
        .map_err(|error: PyErr| self.fail(error))
    }

    fn load(&self, models: &[usize]) -> Result<Vec<Arc<impinge::Model>>, Error> {
        let loaded: PyResult<Vec<Arc<impinge::Model>>> = Python::attach(|py| {
            let loaded: Vec<Py<Model>> = self.load.call1(py, (models.to_vec(),))?.extract(py)?;
            if loaded.len() != models.len() {
                return Err(PyValueError::new_err("load: not as many models as were asked for"));
            }
            Ok(loaded.iter().map(|model| Arc::clone(&model.get().prepared)).collect())
        });
        loaded.map_err(|error| self.fail(error))
    }
}

/// The pairs of a search that have to be tested, and what was found.
#[pyclass(frozen, module = "impinge._impinge")]
pub(crate) struct _Search {
    plan: Plan,
    outlines: Vec<Outline>,
    uses_rounding: bool,
    lengths: [f64; 2],
    measures: [bool; 3],
    state: Mutex<State>,
    done: AtomicU64,
    clashes: AtomicU64,
    is_interrupted: AtomicBool,
    progress: Option<Py<PyAny>>,
}

#[derive(Default)]
struct State {
    found: Vec<(u32, Finding)>,
    failed: Vec<(Vec<u32>, String)>,
}

#[pymethods]
impl _Search {
    /// The estimated work of all pairs.
    #[getter]
    fn work(&self) -> u64 {
        self.plan.work(&self.outlines)
    }

    /// The number of pairs to test.
    #[getter]
    fn pair_count(&self) -> usize {
        self.plan.tested().len()
    }

    /// Touch tolerance and clearance.
    #[getter]
    fn lengths(&self) -> [f64; 2] {
        self.lengths
    }

    /// Whether to measure the penetration, the volume, and a separating move.
    #[getter]
    fn measures(&self) -> [bool; 3] {
        self.measures
    }

    /// Whether the rounding of parts counts.
    #[getter]
    fn uses_rounding(&self) -> bool {
        self.uses_rounding
    }

    /// Tiles of no more than the given work: for each the numbers of its parts, those of its pairs, and the pairs as indices into its parts.
    #[pyo3(signature = (most_work))]
    fn tiles<'py>(&self, py: Python<'py>, most_work: u64) -> PyResult<Vec<TileArrays<'py>>> {
        let tiles = py.detach(|| self.plan.tiles(&self.outlines, most_work));
        let integers =
            |numbers: &[u32]| PyArray1::from_iter(py, numbers.iter().map(|number| i64::from(*number)));
        let arrays = |tile: &impinge::clash::tiles::Tile| {
            let local = tile.local_pairs(&self.plan).into_iter();
            let local = rows(py, local.map(|pair| pair.map(i64::from)).collect())?;
            Ok((integers(&tile.parts), integers(&tile.pairs), local))
        };
        tiles.iter().map(arrays).collect()
    }

    /// Takes in what was found at a tile: its pairs, and the arrays of `_check_tile`.
    #[pyo3(signature = (pairs, arrays))]
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what it made of the arguments")]
    fn found(&self, py: Python<'_>, pairs: PyReadonlyArray1<'_, i64>, arrays: Arrays<'_>) -> PyResult<()> {
        let found = of_arrays(&arrays, self.plan.pairs().len())?;
        self.clashes.fetch_add(found.len() as u64, Ordering::Relaxed);
        self.state.lock().unwrap_or_else(PoisonError::into_inner).found.extend(found);
        self.tell(py, pairs.as_slice()?.len())
    }

    /// Takes in pairs that could not be tested, and why.
    #[pyo3(signature = (pairs, reason))]
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what it made of the arguments")]
    fn failed(&self, py: Python<'_>, pairs: PyReadonlyArray1<'_, i64>, reason: String) -> PyResult<()> {
        let known = |number: &i64| u32::try_from(*number).ok();
        let numbers: Vec<u32> = pairs.as_slice()?.iter().filter_map(known).collect();
        let count = numbers.len();
        self.state.lock().unwrap_or_else(PoisonError::into_inner).failed.push((numbers, reason));
        self.tell(py, count)
    }
}

type TileArrays<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>, Bound<'py, PyArray2<i64>>);

impl _Search {
    fn tell(&self, py: Python<'_>, more: usize) -> PyResult<()> {
        let done = self.done.fetch_add(more as u64, Ordering::Relaxed) + more as u64;
        let Some(progress) = &self.progress else { return Ok(()) };
        progress.call1(py, (done, self.pair_count(), self.clashes.load(Ordering::Relaxed))).map(|_| ())
    }

    /// The answers. Failures are sorted, so that they do not depend on who was first.
    fn tested(&self) -> Tested {
        let state = std::mem::take(&mut *self.state.lock().unwrap_or_else(PoisonError::into_inner));
        let State { found, mut failed } = state;
        failed.iter_mut().for_each(|(pairs, _)| pairs.sort_unstable());
        failed.sort();
        failed.dedup();
        Tested { found, failed, partial: self.is_interrupted.load(Ordering::Relaxed) }
    }
}
