//! The curve along which the surfaces of two models intersect.

use impinge::math::DVec3;
use impinge::model::Purpose;
use impinge::query::IntersectionCurve;
use numpy::PyArray1;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;

use crate::arrays::rows;
use crate::model::Model;
use crate::poses::{Answers, Poses, ask_pair};
use crate::results;

#[pymethods]
impl Model {
    /// The curve along which the two surfaces intersect: an `impinge.IntersectionCurve`, or a list of them for a batch.
    ///
    /// Where closed models cross, its polylines are closed. Where faces lie in one plane and overlap, a polyline runs around the patch that they share.
    ///
    /// >>> import impinge
    /// >>> box = impinge.box([0, 0, 0], [1, 1, 1])
    /// >>> curve = box.intersection_curve(box, pose_b=impinge.translation([0.5, 0.5, 0.5]))
    /// >>> [(line.closed, len(line.points)) for line in curve.polylines]
    /// [(True, 6)]
    #[pyo3(signature = (other, pose_a = None, pose_b = None))]
    fn intersection_curve<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, Model>,
        pose_a: Option<&Bound<'py, PyAny>>,
        pose_b: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let poses = [&Poses::read("pose_a", pose_a)?, &Poses::read("pose_b", pose_b)?];
        let models = [&*self.prepared, &other.get().prepared];
        match ask_pair(py, models, poses, Purpose::PAIRS, |a, b| Ok(a.intersection_curve(b)))? {
            Answers::One(curve) => tuple(py, &curve),
            Answers::Many(curves) => {
                let curves: Vec<_> = curves.iter().map(|curve| tuple(py, curve)).collect::<PyResult<_>>()?;
                curves.into_bound_py_any(py)
            }
        }
    }
}

fn tuple<'py>(py: Python<'py>, curve: &IntersectionCurve) -> PyResult<Bound<'py, PyAny>> {
    let lines = curve.polylines.iter().map(|line| {
        let points = line.points_in_world.iter().map(DVec3::to_array).collect();
        results::polyline(py, (rows(py, points)?, line.closed, line.coplanar))
    });
    let lines: Vec<_> = lines.collect::<PyResult<_>>()?;
    let faces = |faces: &[u32]| PyArray1::from_vec(py, faces.iter().copied().map(i64::from).collect());
    results::intersection_curve(py, (lines, faces(&curve.faces_a), faces(&curve.faces_b)))
}
