//! Findings at pairs of parts, as arrays: the way that answers take between processes.

use impinge::clash::tiles::{Finding, FindingRow, NUMBERS};
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::rows;

/// Findings as arrays, by the numbers of their pairs.
pub(crate) fn to_arrays<'py>(
    py: Python<'py>,
    pairs: Vec<i64>,
    findings: &[Finding],
) -> PyResult<Bound<'py, PyDict>> {
    let found: Vec<FindingRow> = findings.iter().map(FindingRow::from).collect();
    let arrays = PyDict::new(py);
    arrays.set_item("pair", PyArray1::from_vec(py, pairs))?;
    arrays.set_item("kind", PyArray1::from_iter(py, found.iter().map(|row| row.kind)))?;
    arrays.set_item("has", PyArray1::from_iter(py, found.iter().map(|row| row.has)))?;
    arrays.set_item("counts", rows(py, found.iter().map(|row| row.counts).collect())?)?;
    arrays.set_item("numbers", rows(py, found.iter().map(|row| row.numbers).collect())?)?;
    Ok(arrays)
}

/// Arrays as [`to_arrays`] makes them.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Arrays<'py> {
    pair: PyReadonlyArray1<'py, i64>,
    kind: PyReadonlyArray1<'py, u8>,
    has: PyReadonlyArray1<'py, u32>,
    counts: PyReadonlyArray2<'py, u64>,
    numbers: PyReadonlyArray2<'py, f64>,
}

/// Findings of arrays, each with the number of its pair, of which there are so many.
pub(crate) fn of_arrays(arrays: &Arrays<'_>, pair_count: usize) -> PyResult<Vec<(u32, Finding)>> {
    let wrong = || PyValueError::new_err("these are no findings of this search");
    let (pairs, kinds, has) = (arrays.pair.as_slice()?, arrays.kind.as_slice()?, arrays.has.as_slice()?);
    let (counts, []) = arrays.counts.as_slice()?.as_chunks::<2>() else { return Err(wrong()) };
    let (numbers, []) = arrays.numbers.as_slice()?.as_chunks::<NUMBERS>() else { return Err(wrong()) };
    if [kinds.len(), has.len(), counts.len(), numbers.len()] != [pairs.len(); 4] {
        return Err(wrong());
    }
    let of_row = |index: usize| {
        let number = u32::try_from(pairs[index]).ok().filter(|number| (*number as usize) < pair_count)?;
        let (kind, has, counts, numbers) = (kinds[index], has[index], counts[index], numbers[index]);
        Some((number, FindingRow { kind, has, counts, numbers }.finding()?))
    };
    (0..pairs.len()).map(|index| of_row(index).ok_or_else(wrong)).collect()
}
