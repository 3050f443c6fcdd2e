//! Volumes in the world, and the faces that touch them.
#![expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the methods are for one lifetime of models, the closures for all"
)]

use impinge::Trs;
use impinge::bounds::DepthRange;
use impinge::math::DVec3;
use impinge::model::Purpose;
use impinge::query::Volume as Solid;
use numpy::{PyArray1, PyUntypedArrayMethods};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::arrays::{floats, shape_error, type_name};
use crate::model::Model;
use crate::poses::{Answers, Poses, ask, common_count};

/// A solid volume in the world: a box, a ball, a capsule, a plane, a half-space or a frustum.
///
/// It is closed: what only reaches its surface touches it, and so does what lies inside.
///
/// >>> import impinge
/// >>> impinge.Volume.sphere([0, 0, 1], 0.25)
/// <impinge.Volume: sphere [0.0, 0.0, 1.0, 0.25]>
#[pyclass(frozen, module = "impinge")]
#[derive(Clone)]
pub(crate) struct Volume {
    pub(crate) solid: Solid,
    kind: &'static str,
    numbers: Vec<f64>,
}

/// So many numbers of an array of any shape.
fn numbers(name: &str, object: &Bound<'_, PyAny>, shape: &[usize], text: &str) -> PyResult<Vec<f64>> {
    let array = floats(name, object)?;
    if array.shape() != shape {
        return Err(shape_error(name, array.shape(), text));
    }
    Ok(array.as_slice()?.to_vec())
}

/// A point or vector of an argument.
pub(crate) fn vector_of(name: &str, object: &Bound<'_, PyAny>) -> PyResult<DVec3> {
    Ok(DVec3::from_slice(&numbers(name, object, &[3], "(3,)")?))
}

fn refused(kind: &str, reason: &str) -> PyErr {
    PyValueError::new_err(format!("{kind}: {reason}"))
}

impl Volume {
    /// The volume of a kind that so many numbers describe.
    fn of(kind: &str, numbers: Vec<f64>) -> PyResult<Volume> {
        let vector = |first: usize| DVec3::from_slice(&numbers[first..first + 3]);
        let frustum = |depth: DepthRange| {
            let row = |i: usize| std::array::from_fn(|j| numbers[4 * i + j]);
            Solid::frustum([row(0), row(1), row(2), row(3)], depth)
        };
        let (kind, made) = match (kind, numbers.len()) {
            ("aabb", 6) => ("aabb", Solid::aabb(vector(0), vector(3))),
            ("obb", 10) => {
                let turn = Trs::rotation_about_axis(vector(6), numbers[9]);
                let turn = turn.map_err(|error| refused(kind, &error.to_string()))?;
                ("obb", Solid::obb(vector(0), vector(3), &turn))
            }
            ("sphere", 4) => ("sphere", Solid::sphere(vector(0), numbers[3])),
            ("capsule", 7) => ("capsule", Solid::capsule(vector(0), vector(3), numbers[6])),
            ("plane", 4) => ("plane", Solid::plane(vector(0), numbers[3])),
            ("half_space", 4) => ("half_space", Solid::half_space(vector(0), numbers[3])),
            ("frustum", 16) => ("frustum", frustum(DepthRange::MinusOneToOne)),
            ("frustum_zero_to_one", 16) => ("frustum_zero_to_one", frustum(DepthRange::ZeroToOne)),
            _ => return Err(refused(kind, &format!("{} numbers make no volume", numbers.len()))),
        };
        let solid = made.map_err(|error| refused(kind, &error.to_string()))?;
        Ok(Volume { solid, kind, numbers })
    }
}

/// The numbers of some vectors, and one number behind them.
fn with_number(vectors: &[DVec3], number: f64) -> Vec<f64> {
    vectors.iter().flat_map(DVec3::to_array).chain([number]).collect()
}

#[pymethods]
impl Volume {
    /// The box between two corners, along the axes of the world.
    ///
    /// >>> import impinge
    /// >>> impinge.Volume.aabb([0, 0, 0], [1, 2, 3])
    /// <impinge.Volume: aabb [0.0, 0.0, 0.0, 1.0, 2.0, 3.0]>
    #[staticmethod]
    fn aabb(low: &Bound<'_, PyAny>, high: &Bound<'_, PyAny>) -> PyResult<Volume> {
        let (low, high) = (vector_of("low", low)?, vector_of("high", high)?);
        Volume::of("aabb", [low.to_array(), high.to_array()].concat())
    }

    /// A box of any orientation: its center, half of each side, and how many degrees it is turned about an axis through the center.
    ///
    /// >>> import impinge
    /// >>> turned = impinge.Volume.obb([0, 0, 0], [2, 1, 1], [0, 0, 1], 30)
    /// >>> impinge.box([1.9, 0, 0], [3, 1, 1]).touches(turned)
    /// True
    #[staticmethod]
    fn obb(
        center: &Bound<'_, PyAny>,
        half: &Bound<'_, PyAny>,
        axis: &Bound<'_, PyAny>,
        degrees: f64,
    ) -> PyResult<Volume> {
        let vectors = [vector_of("center", center)?, vector_of("half", half)?, vector_of("axis", axis)?];
        Volume::of("obb", with_number(&vectors, degrees))
    }

    /// A ball.
    ///
    /// >>> import impinge
    /// >>> impinge.box([0, 0, 0], [1, 1, 1]).touches(impinge.Volume.sphere([2, 0.5, 0.5], 1))
    /// True
    #[staticmethod]
    fn sphere(center: &Bound<'_, PyAny>, radius: f64) -> PyResult<Volume> {
        Volume::of("sphere", with_number(&[vector_of("center", center)?], radius))
    }

    /// All points within a radius of a segment.
    ///
    /// >>> import impinge
    /// >>> impinge.box([0, 0, 0], [1, 1, 1]).touches(impinge.Volume.capsule([2, 0, 0], [2, 9, 0], 0.5))
    /// False
    #[staticmethod]
    fn capsule(start: &Bound<'_, PyAny>, end: &Bound<'_, PyAny>, radius: f64) -> PyResult<Volume> {
        let ends = [vector_of("start", start)?, vector_of("end", end)?];
        Volume::of("capsule", with_number(&ends, radius))
    }

    /// The plane of all points whose product with the normal is the offset.
    ///
    /// >>> import impinge
    /// >>> impinge.box([0, 0, 0], [1, 1, 1]).faces_touching(impinge.Volume.plane([0, 0, 1], 1))
    /// array([ 2,  3,  4,  5,  6,  7,  8,  9, 10, 11])
    #[staticmethod]
    fn plane(normal: &Bound<'_, PyAny>, offset: f64) -> PyResult<Volume> {
        Volume::of("plane", with_number(&[vector_of("normal", normal)?], offset))
    }

    /// All points whose product with the normal is at most the offset.
    ///
    /// >>> import impinge
    /// >>> impinge.box([0, 0, 0], [1, 1, 1]).touches(impinge.Volume.half_space([0, 0, 1], -0.5))
    /// False
    #[staticmethod]
    fn half_space(normal: &Bound<'_, PyAny>, offset: f64) -> PyResult<Volume> {
        Volume::of("half_space", with_number(&[vector_of("normal", normal)?], offset))
    }

    /// What a camera sees: projection · view, a matrix of the shape (4, 4) as written on paper. Depths go from -w to w as in OpenGL, or from 0 to w
    /// with `zero_to_one` as in Direct3D, Vulkan and WebGPU.
    ///
    /// >>> import numpy as np
    /// >>> import impinge
    /// >>> impinge.box([0, 0, 0], [1, 1, 1]).touches(impinge.Volume.frustum(np.eye(4)))
    /// True
    #[staticmethod]
    #[pyo3(signature = (clip_from_world, *, zero_to_one = false))]
    fn frustum(clip_from_world: &Bound<'_, PyAny>, zero_to_one: bool) -> PyResult<Volume> {
        let numbers = numbers("clip_from_world", clip_from_world, &[4, 4], "(4, 4)")?;
        Volume::of(if zero_to_one { "frustum_zero_to_one" } else { "frustum" }, numbers)
    }

    fn __repr__(&self) -> String {
        format!("<impinge.Volume: {} {:?}>", self.kind, self.numbers)
    }

    fn __eq__(&self, other: &Volume) -> bool {
        (self.kind, &self.numbers) == (other.kind, &other.numbers)
    }

    /// The function and the numbers that make the volume again.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, this) = (slf.py(), slf.get());
        let make = py.import("impinge._impinge")?.getattr("_restore_volume")?;
        Ok((make, (this.kind, this.numbers.clone()).into_pyobject(py)?))
    }
}

/// Makes a volume of what its pickle holds.
#[pyfunction]
#[pyo3(signature = (kind, numbers))]
pub(crate) fn _restore_volume(kind: &str, numbers: Vec<f64>) -> PyResult<Volume> {
    Volume::of(kind, numbers)
}

/// One volume, or a batch of them.
fn volumes(object: &Bound<'_, PyAny>) -> PyResult<(Vec<Solid>, bool)> {
    if let Ok(volume) = object.cast::<Volume>() {
        return Ok((vec![volume.get().solid], false));
    }
    let wrong = |found: &Bound<'_, PyAny>| {
        PyTypeError::new_err(format!(
            "volume must be an impinge.Volume or a list of them, not {}",
            type_name(found)
        ))
    };
    let mut all = Vec::new();
    for item in object.try_iter().map_err(|_| wrong(object))? {
        let item = item?;
        all.push(item.cast::<Volume>().map_err(|_| wrong(&item))?.get().solid);
    }
    Ok((all, true))
}

/// Asks about a volume or many, at one pose or many.
fn about<T: Send>(
    py: Python<'_>,
    model: &Model,
    volume: &Bound<'_, PyAny>,
    pose: Option<&Bound<'_, PyAny>>,
    question: impl Fn(&impinge::Placed<'_>, &Solid) -> T + Sync,
) -> PyResult<Answers<T>> {
    let poses = Poses::read("pose", pose)?;
    let (volumes, is_batch) = volumes(volume)?;
    let counts = [("volume", is_batch.then_some(volumes.len())), ("pose", poses.count())];
    let prepared = &*model.prepared;
    let prepare = || prepared.prepare(Purpose::PAIRS);
    ask(py, common_count(&counts)?, prepare, |index| {
        let volume = &volumes[if is_batch { index } else { 0 }];
        Ok(question(&prepared.at(poses.get(index)?), volume))
    })
}

#[pymethods]
impl Model {
    /// The faces that touch a volume in the world, sorted: an array, or a list of arrays for a batch of volumes or poses.
    ///
    /// >>> import impinge
    /// >>> box = impinge.box([0, 0, 0], [1, 1, 1])
    /// >>> box.faces_touching(impinge.Volume.sphere([0.5, 0.5, 1.2], 0.25))
    /// array([2, 3])
    #[pyo3(signature = (volume, pose = None))]
    fn faces_touching<'py>(
        &self,
        py: Python<'py>,
        volume: &Bound<'py, PyAny>,
        pose: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let array = |faces: Vec<u32>| PyArray1::from_vec(py, faces.into_iter().map(i64::from).collect());
        match about(py, self, volume, pose, |placed, volume| placed.faces_touching(volume))? {
            Answers::One(faces) => Ok(array(faces).into_any()),
            Answers::Many(lists) => lists.into_iter().map(array).collect::<Vec<_>>().into_bound_py_any(py),
        }
    }

    /// Whether any face touches a volume in the world; an array for a batch of volumes or poses.
    ///
    /// >>> import impinge
    /// >>> box = impinge.box([0, 0, 0], [1, 1, 1])
    /// >>> box.touches([impinge.Volume.sphere([0, 0, 3], radius) for radius in [1, 2]])
    /// array([False,  True])
    #[pyo3(signature = (volume, pose = None))]
    fn touches<'py>(
        &self,
        py: Python<'py>,
        volume: &Bound<'py, PyAny>,
        pose: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match about(py, self, volume, pose, |placed, volume| placed.touches(volume))? {
            Answers::One(answer) => answer.into_bound_py_any(py),
            Answers::Many(answers) => Ok(PyArray1::from_vec(py, answers).into_any()),
        }
    }
}
