//! The test of one tile: a pure function of arrays.

use std::sync::Arc;

use impinge::Placed;
use impinge::clash::ClashOptions;
use impinge::clash::tiles::{Finding, check_tile};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::findings::to_arrays;
use crate::model::Model;
use crate::pool::pool;
use crate::poses::placement;

/// Tests the pairs of a tile: a pure function of its arguments. `model_of` has the index of each part's model; the arrays are what was found, by the given numbers of
/// the pairs.
#[pyfunction]
#[pyo3(signature = (models, model_of, poses, rounding, local_pairs, pairs, lengths, measures))]
#[expect(clippy::too_many_arguments, reason = "a tile has that much to tell")]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what it made of the arguments")]
pub(crate) fn _check_tile<'py>(
    py: Python<'py>,
    models: Vec<Py<Model>>,
    model_of: PyReadonlyArray1<'py, i64>,
    poses: PyReadonlyArray2<'py, f64>,
    rounding: Option<PyReadonlyArray1<'py, f64>>,
    local_pairs: PyReadonlyArray2<'py, i64>,
    pairs: PyReadonlyArray1<'py, i64>,
    lengths: [f64; 2],
    measures: [bool; 3],
) -> PyResult<Bound<'py, PyDict>> {
    let wrong = |what: &str| PyValueError::new_err(format!("tile: {what}"));
    let prepared: Vec<_> = models.iter().map(|model| Arc::clone(&model.get().prepared)).collect();
    let (poses, []) = poses.as_slice()?.as_chunks::<16>() else { return Err(wrong("poses have 16 numbers")) };
    let model_of = model_of.as_slice()?;
    if model_of.len() != poses.len() {
        return Err(wrong("there must be as many poses as parts"));
    }
    let mut placed: Vec<Placed<'_>> = Vec::with_capacity(poses.len());
    for (part, pose) in poses.iter().enumerate() {
        let model = usize::try_from(model_of[part]).ok().and_then(|model| prepared.get(model));
        let model = model.ok_or_else(|| wrong(&format!("part {part} has no model")))?;
        let placement = placement(pose).map_err(|error| wrong(&format!("part {part}: {error}")))?;
        placed.push(model.at(placement));
    }
    let (local, []) = local_pairs.as_slice()?.as_chunks::<2>() else {
        return Err(wrong("pairs have two parts"));
    };
    let numbers = pairs.as_slice()?;
    let part = |index: i64| u32::try_from(index).ok().filter(|index| (*index as usize) < placed.len());
    let two = |&[a, b]: &[i64; 2]| Some([part(a)?, part(b)?]).filter(|[a, b]| a != b);
    let local: Option<Vec<[u32; 2]>> = local.iter().map(two).collect();
    let local = local
        .filter(|local| local.len() == numbers.len())
        .ok_or_else(|| wrong("pairs are not of its parts"))?;
    let rounding = rounding.as_ref().map(|rounding| rounding.as_slice()).transpose()?;
    let [touch, clearance] = lengths;
    let [penetration, volume, separation] = measures;
    let options = ClashOptions::new()
        .touch(touch)
        .clearance(clearance)
        .penetration(penetration)
        .volume(volume)
        .separation(separation)
        .rounding(rounding);
    let pool = pool()?;
    let found = py.detach(|| pool.install(|| check_tile(&placed, &local, &options)));
    let (pairs, findings): (Vec<i64>, Vec<Finding>) =
        found.into_iter().map(|(pair, finding)| (numbers[pair as usize], finding)).unzip();
    to_arrays(py, pairs, &findings)
}
