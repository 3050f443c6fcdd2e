//! Scenes of named parts, and their clashes.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use impinge::transform::Placement;
use impinge_cli::{ClashScene, Observer, ScenePart, bcf_bytes};
use impinge_formats::Properties;
use impinge_report::terminal::Error;
use impinge_report::{BcfVersion, Report as Found};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::model::Model;
use crate::pool::pool;
use crate::poses::Poses;

/// How long a search goes on between two looks at interruptions and the progress.
const PATIENCE: Duration = Duration::from_millis(50);

/// The greatest relative rounding of a float64.
const ROUNDING: f64 = f64::EPSILON / 2.0;

/// A part: its name, model, pose, rounding, class and properties.
pub(crate) type PartFields<'py> =
    (String, Py<Model>, Option<Bound<'py, PyAny>>, Option<f64>, Option<String>, BTreeMap<String, String>);

/// What a search found.
#[pyclass(frozen, module = "impinge._impinge")]
pub(crate) struct _Report {
    pub(crate) found: Found,
}

#[pymethods]
impl _Report {
    fn json(&self) -> PyResult<String> {
        self.found.json().map_err(|error| refused(&error))
    }

    fn csv(&self) -> PyResult<String> {
        self.found.csv().map_err(|error| refused(&error))
    }

    fn html(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| self.found.html()).map_err(|error| refused(&error))
    }

    fn table(&self) -> PyResult<String> {
        self.found.table().map_err(|error| refused(&error))
    }

    fn bcf<'py>(&self, py: Python<'py>, version: &str) -> PyResult<Bound<'py, PyBytes>> {
        let version = match version {
            "2.1" => BcfVersion::V2,
            "3.0" => BcfVersion::V3,
            other => {
                return Err(PyValueError::new_err(format!(
                    "version: {other:?} is neither \"2.1\" nor \"3.0\""
                )));
            }
        };
        let pool = pool()?;
        let bytes = py.detach(|| pool.install(|| bcf_bytes(&self.found, version, &|| true)));
        Ok(PyBytes::new(py, &bytes.map_err(|error| refused(&error))?))
    }
}

pub(crate) fn refused(error: &impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Looks for clashes among parts, with options as the command has them. `progress` is called with the pairs that are done, all pairs, and the clashes so far.
#[pyfunction]
#[pyo3(signature = (title, unit, parts, left_out, options, pictures, progress))]
#[expect(clippy::too_many_arguments, reason = "the package calls it at one place")]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what it made of the arguments")]
pub(crate) fn _clash(
    py: Python<'_>,
    title: &str,
    unit: Option<&str>,
    parts: Vec<PartFields<'_>>,
    left_out: Vec<String>,
    options: Vec<OsString>,
    pictures: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<_Report> {
    let mut scene = ClashScene::new(title, unit);
    for fields in parts {
        let (name, part) = scene_part(fields)?;
        scene.add(&name, part).map_err(|reason| refused(&format!("part {name:?}: {reason}")))?;
    }
    left_out.iter().for_each(|note| scene.leave_out(note));
    let found = watched(py, progress.as_ref(), |observer| scene.clash(&options, pictures, observer))?;
    Ok(_Report { found: found.map_err(|error| refused(&error))? })
}

/// The name and the part that fields tell.
pub(crate) fn scene_part(
    (name, model, pose, rounding, class, values): PartFields<'_>,
) -> PyResult<(String, ScenePart)> {
    let placement = Poses::read("pose", pose.as_ref())?.get(0).map_err(|error| refused(&error.0))?;
    let model = Arc::clone(&model.get().prepared);
    let rounding = rounding.unwrap_or_else(|| own_rounding(&model, &placement));
    let mut properties = Properties::default();
    (properties.class, properties.values) = (class, values);
    Ok((name, ScenePart { model, placement, rounding, properties }))
}

/// How far the points of a model may be off in the world, where all numbers are float64.
pub(crate) fn own_rounding(model: &impinge::Model, placement: &Placement) -> f64 {
    let far = placement.world_from_model().translation.abs().max_element();
    ROUNDING * (model.reach() * placement.stretch() + far)
}

/// Runs a search on the pool's threads, while this one looks at interruptions and tells the progress. What Python raises ends the search.
fn watched<T: Send>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    search: impl FnOnce(&Observer<'_>) -> Result<T, Error> + Send,
) -> PyResult<Result<T, Error>> {
    let pool = pool()?;
    let goes_on = AtomicBool::new(true);
    let counts = [const { AtomicU64::new(0) }; 3];
    let observer = Observer {
        progress: &|progress| {
            for (count, now) in counts.iter().zip([progress.done, progress.pairs, progress.clashes]) {
                count.fetch_max(now, Ordering::Relaxed);
            }
        },
        goes_on: &|| goes_on.load(Ordering::Relaxed),
    };
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // Nobody listens where Python has raised something.
            let _ = sender.send(pool.install(|| search(&observer)));
        });
        let (mut raised, mut receiver) = (None, receiver);
        loop {
            let (back, answer) = py.detach(move || {
                let answer = receiver.recv_timeout(PATIENCE);
                (receiver, answer)
            });
            receiver = back;
            match answer {
                Ok(found) => return raised.map_or(Ok(found), Err),
                Err(RecvTimeoutError::Timeout) => {
                    let told = py.check_signals().and_then(|()| tell(py, progress, &counts));
                    if let (Err(error), None) = (told, &raised) {
                        goes_on.store(false, Ordering::Relaxed);
                        raised = Some(error);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(refused(&"the search ended without an answer"));
                }
            }
        }
    })
}

fn tell(py: Python<'_>, progress: Option<&Py<PyAny>>, counts: &[AtomicU64; 3]) -> PyResult<()> {
    let Some(progress) = progress else { return Ok(()) };
    let [done, pairs, clashes] = counts.each_ref().map(|count| count.load(Ordering::Relaxed));
    progress.call1(py, (done, pairs, clashes)).map(|_| ())
}
