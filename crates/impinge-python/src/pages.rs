//! Pages with a 3D view of a model, of two, or of a motion.

use impinge::query::SweepOptions;
use impinge_cli::{model_report, pair_report, sweep_report};
use impinge_report::Report;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::model::Model;
use crate::motions::Goal;
use crate::points::one_pose;
use crate::pool::pool;
use crate::sweeps::check_margin;

fn html(py: Python<'_>, report: impl FnOnce() -> Report + Send) -> PyResult<String> {
    let pool = pool()?;
    let page = py.detach(|| pool.install(|| report().html()));
    page.map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The page of a model.
#[pyfunction]
#[pyo3(signature = (name, model, pose))]
pub(crate) fn _model_page(
    py: Python<'_>,
    name: &str,
    model: &Bound<'_, Model>,
    pose: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let placed = model.get().prepared.at(one_pose(pose)?);
    html(py, || model_report(name, &placed))
}

/// The page of two models, or of a motion of the first where one is given.
#[pyfunction]
#[pyo3(signature = (names, models, poses, motion, margin))]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what it made of the arguments")]
pub(crate) fn _pair_page(
    py: Python<'_>,
    names: [String; 2],
    models: [Bound<'_, Model>; 2],
    poses: [Option<Bound<'_, PyAny>>; 2],
    motion: [Option<Bound<'_, PyAny>>; 3],
    margin: f64,
) -> PyResult<String> {
    let [a, b] = models.each_ref().map(Bound::get);
    let [pose_a, pose_b] = [one_pose(poses[0].as_ref())?, one_pose(poses[1].as_ref())?];
    let (a, b) = (a.prepared.at(pose_a), b.prepared.at(pose_b));
    let names = names.each_ref().map(String::as_str);
    if motion.iter().all(Option::is_none) {
        return html(py, || pair_report(names, &a, &b));
    }
    check_margin(margin)?;
    let [by, rotate, to] = motion.each_ref().map(Option::as_ref);
    let motion = Goal::read(by, rotate, to)?.only("the page", &pose_a)?;
    html(py, || sweep_report(names, &a, &b, &motion, SweepOptions::new().margin(margin)))
}
