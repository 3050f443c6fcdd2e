//! A model that moves: how far it comes before it touches another.

use impinge::math::DVec3;
use impinge::model::Purpose;
use impinge::query::{Sweep, SweepHit, SweepOptions, SweepStatus};
use impinge::{Motion, TransformError};
use numpy::{PyArray1, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::arrays::{floats, matrices, points, row_of, rows, shape_error, vector};
use crate::model::Model;
use crate::pairs::limit;
use crate::poses::{Answers, Complaint, Poses, ask, common_count};
use crate::read::matrix_of;
use crate::results;

/// The number of an outcome in `impinge.SweepStatus`.
fn code(status: SweepStatus) -> u8 {
    match status {
        SweepStatus::Clear => 0,
        SweepStatus::Hit => 1,
        SweepStatus::StartedOverlapping => 2,
    }
}

/// Where the model goes: by vectors, or to poses.
enum Goal {
    By { vectors: Vec<DVec3>, is_batch: bool },
    To(Poses),
}

impl Goal {
    fn read(by: Option<&Bound<'_, PyAny>>, to: Option<&Bound<'_, PyAny>>) -> PyResult<Goal> {
        match (by, to) {
            (Some(by), None) => {
                let array = floats("by", by)?;
                match array.shape() {
                    [3] => {
                        let row =
                            by.py().import("numpy")?.call_method1("reshape", (array.as_any(), (1, 3)))?;
                        Ok(Goal::By { vectors: points("by", &row)?, is_batch: false })
                    }
                    [_, 3] => Ok(Goal::By { vectors: points("by", array.as_any())?, is_batch: true }),
                    other => Err(shape_error("by", other, "(3,), or (k, 3) for a batch")),
                }
            }
            (None, Some(to)) => Ok(Goal::To(Poses::read("to", Some(to))?)),
            _ => Err(PyTypeError::new_err("sweep takes either `by`, a translation, or `to`, a pose")),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Goal::By { .. } => "by",
            Goal::To(poses) => poses.name(),
        }
    }

    fn count(&self) -> Option<usize> {
        match self {
            Goal::By { vectors, is_batch } => is_batch.then_some(vectors.len()),
            Goal::To(poses) => poses.count(),
        }
    }

    fn motion(&self, index: usize, start: &impinge::Placement) -> Result<Motion, Complaint> {
        let (is_batch, made): (bool, Result<Motion, TransformError>) = match self {
            Goal::By { vectors, is_batch } => {
                (*is_batch, Motion::translation(vectors[if *is_batch { index } else { 0 }]))
            }
            Goal::To(poses) => (poses.count().is_some(), Motion::between(start, &poses.get(index)?)),
        };
        let place = if is_batch { format!("{}[{index}]", self.name()) } else { self.name().to_owned() };
        made.map_err(|error| Complaint(format!("{place}: {error}")))
    }
}

#[pymethods]
impl Model {
    /// Moves this model until it touches the other, which stands still: an `impinge.Sweep`, or an `impinge.Sweeps` for a batch.
    ///
    /// The motion is a translation `by` a vector, or the rigid motion `to` a pose; arrays of the shapes (k, 3) and (k, 4, 4) are batches, and
    /// so are batches of poses. The fraction goes from 0 to 1, and is never later than the first true touch. The pose at the stop was
    /// tested to be free. With a `margin` the model stops so far away from the other.
    ///
    /// >>> import impinge
    /// >>> box = impinge.box([0, 0, 0], [1, 1, 1])
    /// >>> wall = impinge.box([3, -5, -5], [3.1, 5, 5])
    /// >>> sweep = box.sweep(wall, by=[8, 0, 0])
    /// >>> sweep.status, round(sweep.fraction, 6), sweep.normal.tolist()
    /// (<SweepStatus.HIT: 1>, 0.25, [1.0, 0.0, 0.0])
    #[pyo3(signature = (other, by = None, to = None, pose_a = None, pose_b = None, *, margin = 0.0))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn sweep<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, Model>,
        by: Option<&Bound<'py, PyAny>>,
        to: Option<&Bound<'py, PyAny>>,
        pose_a: Option<&Bound<'py, PyAny>>,
        pose_b: Option<&Bound<'py, PyAny>>,
        margin: f64,
    ) -> PyResult<Bound<'py, PyAny>> {
        limit("margin", margin)?;
        if margin.is_infinite() {
            return Err(PyValueError::new_err("margin is infinite: the model could not move at all"));
        }
        let goal = Goal::read(by, to)?;
        let (pose_a, pose_b) = (Poses::read("pose_a", pose_a)?, Poses::read("pose_b", pose_b)?);
        let counts = [(goal.name(), goal.count()), ("pose_a", pose_a.count()), ("pose_b", pose_b.count())];
        let (moving, stationary) = (&*self.prepared, &other.get().prepared);
        let prepare = || [moving, stationary].iter().for_each(|model| model.prepare(Purpose::SWEEPS));
        let options = SweepOptions::new().margin(margin);
        let found = ask(py, common_count(&counts)?, prepare, |index| {
            let start = pose_a.get(index)?;
            let motion = goal.motion(index, &start)?;
            Ok(moving.at(start).sweep_with(&motion, &stationary.at(pose_b.get(index)?), options))
        })?;
        let pose_of = |sweep: &Sweep| matrix_of(sweep.world_from_moving.world_from_model());
        match found {
            Answers::One(sweep) => {
                let status = results::sweep_status(py, (code(sweep.status),))?;
                let pose = rows(py, pose_of(&sweep).to_vec())?;
                let of = |part: fn(&SweepHit) -> DVec3| sweep.hit.as_ref().map(|hit| vector(py, part(hit)));
                let points = (of(|hit| hit.point_on_moving), of(|hit| hit.point_on_stationary));
                results::sweep(
                    py,
                    (status, sweep.fraction, pose, points.0, points.1, of(|hit| hit.normal), sweep.wedged),
                )
            }
            Answers::Many(sweeps) => {
                let of = |part: fn(&SweepHit) -> DVec3| {
                    rows(py, sweeps.iter().map(|sweep| row_of(sweep.hit.as_ref().map(part))).collect())
                };
                let status = PyArray1::from_vec(py, sweeps.iter().map(|sweep| code(sweep.status)).collect());
                let fraction = PyArray1::from_vec(py, sweeps.iter().map(|sweep| sweep.fraction).collect());
                let wedged = PyArray1::from_vec(py, sweeps.iter().map(|sweep| sweep.wedged).collect());
                let poses = matrices(py, sweeps.iter().map(pose_of).collect())?;
                let points = (of(|hit| hit.point_on_moving)?, of(|hit| hit.point_on_stationary)?);
                let normals = of(|hit| hit.normal)?;
                results::sweeps(py, (status, fraction, poses, points.0, points.1, normals, wedged))
            }
        }
    }
}
