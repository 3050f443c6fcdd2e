//! A model that moves: how far it comes before it touches another.

use impinge::math::DVec3;
use impinge::model::{Feature, Purpose};
use impinge::query::{Sweep, SweepHit, SweepOptions, SweepStatus};
use impinge::transform::Phase;
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{matrices, row_of, rows, vector};
use crate::features;
use crate::model::Model;
use crate::motions::Goal;
use crate::pairs::limit;
use crate::poses::{Answers, Poses, ask, common_count};
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

/// The number of a phase in `impinge.Phase`.
fn phase_code(phase: Option<Phase>) -> u8 {
    match phase {
        None => 0,
        Some(Phase::Translation) => 1,
        Some(Phase::Rotation) => 2,
        Some(Phase::Rigid) => 3,
    }
}

/// Refuses what is no margin.
pub(crate) fn check_margin(margin: f64) -> PyResult<()> {
    limit("margin", margin)?;
    if margin.is_infinite() {
        return Err(PyValueError::new_err("margin is infinite: the model could not move at all"));
    }
    Ok(())
}

#[pymethods]
impl Model {
    /// Moves this model until it touches the other, which stands still: an `impinge.Sweep`, or an `impinge.Sweeps` for a batch.
    ///
    /// The motion is a translation `by` a vector, a turn `rotate`, both one after the other, or the rigid motion `to` a pose. A turn is seven numbers: a point of
    /// the axis, its direction, and the degrees, by the right-hand rule. Arrays of the shapes (k, 3), (k, 7) and (k, 4, 4) are batches, and
    /// so are batches of poses. The fraction goes from 0 to 1, and is never later than the first true touch. The pose at the stop was
    /// tested to be free. With a `margin` the model stops so far away from the other.
    ///
    /// >>> import impinge
    /// >>> box = impinge.box([0, 0, 0], [1, 1, 1])
    /// >>> wall = impinge.box([3, -5, -5], [3.1, 5, 5])
    /// >>> sweep = box.sweep(wall, by=[8, 0, 0])
    /// >>> sweep.status, round(sweep.fraction, 6), sweep.normal.tolist()
    /// (<SweepStatus.HIT: 1>, 0.25, [1.0, 0.0, 0.0])
    /// >>> door, post = impinge.box([0, 0, 0], [1, 0.05, 2]), impinge.box([-0.05, 0.8, 0], [0.05, 0.9, 2])
    /// >>> door.sweep(post, rotate=[0, 0, 0, 0, 0, 1, 120]).phase
    /// <Phase.ROTATION: 2>
    #[pyo3(signature = (other, by = None, to = None, pose_a = None, pose_b = None, *, rotate = None, margin = 0.0))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn sweep<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, Model>,
        by: Option<&Bound<'py, PyAny>>,
        to: Option<&Bound<'py, PyAny>>,
        pose_a: Option<&Bound<'py, PyAny>>,
        pose_b: Option<&Bound<'py, PyAny>>,
        rotate: Option<&Bound<'py, PyAny>>,
        margin: f64,
    ) -> PyResult<Bound<'py, PyAny>> {
        check_margin(margin)?;
        let goal = Goal::read(by, rotate, to)?;
        let (pose_a, pose_b) = (Poses::read("pose_a", pose_a)?, Poses::read("pose_b", pose_b)?);
        let [first, second] = goal.counts();
        let counts = [first, second, ("pose_a", pose_a.count()), ("pose_b", pose_b.count())];
        let (moving, stationary) = (&*self.prepared, &other.get().prepared);
        let prepare = || [moving, stationary].iter().for_each(|model| model.prepare(Purpose::SWEEPS));
        let options = SweepOptions::new().margin(margin);
        let found = ask(py, common_count(&counts)?, prepare, |index| {
            let start = pose_a.get(index)?;
            let motion = goal.motion(index, &start)?;
            Ok(moving.at(start).sweep_with(&motion, &stationary.at(pose_b.get(index)?), options))
        })?;
        match found {
            Answers::One(sweep) => one(py, &sweep),
            Answers::Many(sweeps) => many(py, &sweeps),
        }
    }
}

fn pose_of(sweep: &Sweep) -> [[f64; 4]; 4] {
    matrix_of(sweep.world_from_moving.world_from_model())
}

/// An `impinge.Sweep`.
pub(crate) fn one<'py>(py: Python<'py>, sweep: &Sweep) -> PyResult<Bound<'py, PyAny>> {
    let hit = sweep.hit.as_ref();
    let of = |part: fn(&SweepHit) -> DVec3| hit.map(|hit| vector(py, part(hit)));
    let feature = |part: fn(&SweepHit) -> Feature| features::one(py, hit.map(part));
    results::sweep(
        py,
        (
            status(py, sweep.status)?,
            sweep.fraction,
            rows(py, pose_of(sweep).to_vec())?,
            of(|hit| hit.point_on_moving),
            of(|hit| hit.point_on_stationary),
            of(|hit| hit.normal),
            sweep.wedged,
            results::phase(py, (phase_code(sweep.phase),))?,
            feature(|hit| hit.feature_moving)?,
            feature(|hit| hit.feature_stationary)?,
            hit.map_or(0.0, |hit| hit.bound),
            sweep.lift.map(|lift| vector(py, lift)),
        ),
    )
}

/// An `impinge.SweepStatus`.
pub(crate) fn status(py: Python<'_>, status: SweepStatus) -> PyResult<Bound<'_, PyAny>> {
    results::sweep_status(py, (code(status),))
}

fn many<'py>(py: Python<'py>, sweeps: &[Sweep]) -> PyResult<Bound<'py, PyAny>> {
    fn column<'py, T: numpy::Element>(
        py: Python<'py>,
        sweeps: &[Sweep],
        of: impl Fn(&Sweep) -> T,
    ) -> Bound<'py, PyArray1<T>> {
        PyArray1::from_vec(py, sweeps.iter().map(of).collect())
    }
    let of = |part: fn(&SweepHit) -> DVec3| {
        rows(py, sweeps.iter().map(|sweep| row_of(sweep.hit.as_ref().map(part))).collect())
    };
    let feature = |part: fn(&SweepHit) -> Feature| {
        features::many(py, sweeps.iter().map(|sweep| sweep.hit.as_ref().map(part)))
    };
    results::sweeps(
        py,
        (
            column(py, sweeps, |sweep| code(sweep.status)),
            column(py, sweeps, |sweep| sweep.fraction),
            matrices(py, sweeps.iter().map(pose_of).collect())?,
            of(|hit| hit.point_on_moving)?,
            of(|hit| hit.point_on_stationary)?,
            of(|hit| hit.normal)?,
            column(py, sweeps, |sweep| sweep.wedged),
            column(py, sweeps, |sweep| phase_code(sweep.phase)),
            feature(|hit| hit.feature_moving)?,
            feature(|hit| hit.feature_stationary)?,
            column(py, sweeps, |sweep| sweep.hit.as_ref().map_or(0.0, |hit| hit.bound)),
            rows(py, sweeps.iter().map(|sweep| row_of(sweep.lift)).collect())?,
        ),
    )
}
