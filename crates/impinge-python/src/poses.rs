//! Poses, one or many, and the map over them on all cores.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use impinge::query::ModelPair;
use impinge::transform::{Placement, TransformError};
use impinge::{Model as Prepared, Placed, Trs, model::Purpose};
use numpy::{PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::arrays::{floats, shape_error};
use crate::pool::pool;

/// A matrix as its rows, one after the other.
type Matrix = [f64; 16];

/// So many answers are made before Python may handle an interruption, to begin with. Later it is as many as take about a tenth of a second.
const FIRST_CHUNK: usize = 64;
const CHUNK_TIME: Duration = Duration::from_millis(100);

/// World-from-model poses of one argument.
pub(crate) struct Poses {
    name: &'static str,
    kind: Kind,
}

enum Kind {
    One(Placement),
    Many(Vec<Matrix>),
}

impl Poses {
    /// Reads no pose, a matrix of the shape (4, 4) or a batch of the shape (k, 4, 4).
    pub(crate) fn read(name: &'static str, object: Option<&Bound<'_, PyAny>>) -> PyResult<Poses> {
        let kind = match object {
            None => Kind::One(Placement::from(Trs::IDENTITY)),
            Some(object) => match matrix_at_once(object) {
                Some(matrix) => Kind::One(placement(&matrix).map_err(|error| complaint(name, &error))?),
                None => many_or_one(name, object)?,
            },
        };
        Ok(Poses { name, kind })
    }

    /// The number of poses in a batch; none for one pose.
    pub(crate) fn count(&self) -> Option<usize> {
        match &self.kind {
            Kind::One(_) => None,
            Kind::Many(matrices) => Some(matrices.len()),
        }
    }

    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// The pose at a place of the batch.
    pub(crate) fn get(&self, index: usize) -> Result<Placement, Complaint> {
        match &self.kind {
            Kind::One(pose) => Ok(*pose),
            Kind::Many(matrices) => placement(&matrices[index])
                .map_err(|error| Complaint(format!("{}[{index}]: {error}", self.name))),
        }
    }
}

/// A message about one row of a batch.
pub(crate) struct Complaint(pub(crate) String);

fn complaint(name: &str, error: &TransformError) -> PyErr {
    PyValueError::new_err(format!("{name}: {error}"))
}

pub(crate) fn placement(matrix: &Matrix) -> Result<Placement, TransformError> {
    Placement::from_rows(*matrix)
}

/// A matrix that lies in memory as it should, without a detour by NumPy's functions.
fn matrix_at_once(object: &Bound<'_, PyAny>) -> Option<Matrix> {
    let array = object.cast::<PyArray2<f64>>().ok()?;
    if array.shape() != [4, 4] || !array.data().is_aligned() {
        return None;
    }
    let array = array.try_readonly().ok()?;
    // Fails in any order but C's.
    if !array.is_c_contiguous() {
        return None;
    }
    array.as_slice().ok()?.try_into().ok()
}

fn many_or_one(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Kind> {
    let array = floats(name, object)?;
    let (matrices, _) = array.as_slice()?.as_chunks::<16>();
    match (array.shape(), matrices) {
        (&[4, 4], [matrix]) => Ok(Kind::One(placement(matrix).map_err(|error| complaint(name, &error))?)),
        (&[_, 4, 4], _) => Ok(Kind::Many(matrices.to_vec())),
        _ => Err(shape_error(name, array.shape(), "(4, 4), or (k, 4, 4) for a batch")),
    }
}

/// The length of a batch of which some arguments are given once and others for each.
pub(crate) fn common_count(counts: &[(&str, Option<usize>)]) -> PyResult<Option<usize>> {
    let mut batches = counts.iter().filter_map(|&(name, count)| count.map(|count| (name, count)));
    let Some((first, count)) = batches.next() else { return Ok(None) };
    match batches.find(|&(_, other)| other != count) {
        None => Ok(Some(count)),
        Some((name, other)) => {
            let message =
                format!("{first} is a batch of {count} and {name} of {other}: they must be as many");
            Err(PyValueError::new_err(message))
        }
    }
}

/// One answer, or one for each of a batch.
pub(crate) enum Answers<T> {
    One(T),
    Many(Vec<T>),
}

/// Asks a question once, or for each of a batch on all cores; other threads of Python run meanwhile.
pub(crate) fn ask<T: Send>(
    py: Python<'_>,
    count: Option<usize>,
    prepare: impl Fn() + Send,
    question: impl Fn(usize) -> Result<T, Complaint> + Sync,
) -> PyResult<Answers<T>> {
    let complain = |Complaint(message)| PyValueError::new_err(message);
    let Some(count) = count else {
        return py.detach(|| question(0)).map(Answers::One).map_err(complain);
    };
    let mut answers = Vec::with_capacity(count);
    if count == 0 {
        return Ok(Answers::Many(answers));
    }
    let pool = pool()?;
    py.detach(|| pool.install(prepare));
    let mut chunk = FIRST_CHUNK;
    while answers.len() < count {
        let range = answers.len()..count.min(answers.len() + chunk);
        let begin = Instant::now();
        let found: Vec<Result<T, Complaint>> =
            py.detach(|| pool.install(|| range.into_par_iter().map(&question).collect()));
        chunk = if begin.elapsed() < CHUNK_TIME / 2 { chunk * 2 } else { chunk };
        chunk = if begin.elapsed() > CHUNK_TIME * 2 { (chunk / 2).max(1) } else { chunk };
        for answer in found {
            answers.push(answer.map_err(complain)?);
        }
        py.check_signals()?;
    }
    Ok(Answers::Many(answers))
}

/// Asks a question about two models at their poses.
pub(crate) fn ask_pair<T: Send>(
    py: Python<'_>,
    models: [&Prepared; 2],
    poses: [&Poses; 2],
    purpose: Purpose,
    question: impl Fn(&Placed<'_>, &Placed<'_>) -> Result<T, Complaint> + Sync,
) -> PyResult<Answers<T>> {
    ask_model_pair(py, models, poses, purpose, |pair, poses| {
        let [a, b] = pair.at(poses);
        question(&a, &b)
    })
}

/// Asks a question about a pair of models at their poses: what depends on the models alone is computed once for a batch.
pub(crate) fn ask_model_pair<T: Send>(
    py: Python<'_>,
    [a, b]: [&Prepared; 2],
    [pose_a, pose_b]: [&Poses; 2],
    purpose: Purpose,
    question: impl Fn(&ModelPair<'_>, [Placement; 2]) -> Result<T, Complaint> + Sync,
) -> PyResult<Answers<T>> {
    let count = common_count(&[(pose_a.name, pose_a.count()), (pose_b.name, pose_b.count())])?;
    let prepare = || [a, b].iter().for_each(|model| model.prepare(purpose));
    // Made by the first question, when the models are prepared and other threads of Python run.
    let pair = OnceLock::new();
    ask(py, count, prepare, |index| {
        let pair = pair.get_or_init(|| ModelPair::new(a, b));
        question(pair, [pose_a.get(index)?, pose_b.get(index)?])
    })
}
