//! Arrays in and out: what users bring is checked here, and every complaint names the argument, the row and the column.

use impinge::math::DVec3;
use numpy::{PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;

/// The array that `numpy.asarray` makes of anything.
fn as_array<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    static AS_ARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    AS_ARRAY.import(object.py(), "numpy", "asarray")?.call1((object,))
}

/// The array in a type of numbers, aligned and in C order: itself where it is so already.
fn require<'py>(array: &Bound<'py, PyAny>, dtype: &str) -> PyResult<Bound<'py, PyAny>> {
    static REQUIRE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    REQUIRE.import(array.py(), "numpy", "require")?.call1((array, dtype, ["C", "A"]))
}

/// The kind of an array's numbers, as NumPy's letter for it, and how many bytes each has.
fn kind_of(array: &Bound<'_, PyAny>) -> PyResult<(String, usize)> {
    let dtype = array.getattr("dtype")?;
    Ok((dtype.getattr("kind")?.extract()?, dtype.getattr("itemsize")?.extract()?))
}

/// The shape of an array, written as Python does.
fn shape_text(shape: &[usize]) -> String {
    match shape {
        [only] => format!("({only},)"),
        _ => format!("({})", shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// Real numbers of any type as `f64`, aligned and in C order.
pub(crate) fn floats<'py>(name: &str, object: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArrayDyn<'py, f64>> {
    let array = as_array(object)?;
    let (kind, _) = kind_of(&array)?;
    if !matches!(kind.as_str(), "f" | "i" | "u") {
        let dtype = array.getattr("dtype")?;
        return Err(PyTypeError::new_err(format!("{name} must be an array of real numbers, not of {dtype}")));
    }
    Ok(require(&array, "float64")?.cast_into::<PyArrayDyn<f64>>()?.try_readonly()?)
}

/// The error for a shape that is not the one that is needed.
pub(crate) fn shape_error(name: &str, found: &[usize], expected: &str) -> PyErr {
    PyValueError::new_err(format!("{name} has the shape {}, but must have {expected}", shape_text(found)))
}

/// Points as rows of an array of the shape (n, 3), every number finite.
pub(crate) fn points(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Vec<DVec3>> {
    let array = floats(name, object)?;
    let &[_, 3] = array.shape() else { return Err(shape_error(name, array.shape(), "(n, 3)")) };
    let (rows, _) = array.as_slice()?.as_chunks::<3>();
    for (row, coordinates) in rows.iter().enumerate() {
        if let Some(column) = coordinates.iter().position(|value| !value.is_finite()) {
            let value = coordinates[column];
            let message = format!("{name}[{row}, {column}] is {value}, which is not a finite number");
            return Err(PyValueError::new_err(message));
        }
    }
    Ok(rows.iter().map(|&row| DVec3::from_array(row)).collect())
}

/// Triangles as rows of an array of the shape (m, 3) of integers of any type, every one a vertex.
pub(crate) fn triangles(name: &str, object: &Bound<'_, PyAny>, vertices: usize) -> PyResult<Vec<[u32; 3]>> {
    let array = as_array(object)?;
    if array.getattr("size")?.extract::<usize>()? == 0 {
        return Err(PyValueError::new_err(format!("{name} is empty: a model has at least one face")));
    }
    let (kind, bytes) = kind_of(&array)?;
    match (kind.as_str(), bytes) {
        // Others fit into the signed type of 64 bits.
        ("u", 8) => rows_of_indices::<u64>(name, &require(&array, "uint64")?, vertices),
        ("u" | "i", _) => rows_of_indices::<i64>(name, &require(&array, "int64")?, vertices),
        _ => {
            let dtype = array.getattr("dtype")?;
            Err(PyTypeError::new_err(format!("{name} must be an array of integers, not of {dtype}")))
        }
    }
}

fn rows_of_indices<T>(name: &str, array: &Bound<'_, PyAny>, vertices: usize) -> PyResult<Vec<[u32; 3]>>
where
    T: numpy::Element + Copy + std::fmt::Display + TryInto<u32>,
{
    let array = array.cast::<PyArrayDyn<T>>()?.try_readonly()?;
    let &[_, 3] = array.shape() else { return Err(shape_error(name, array.shape(), "(m, 3)")) };
    let mut found = Vec::with_capacity(array.shape()[0]);
    for (row, indices) in array.as_slice()?.as_chunks::<3>().0.iter().enumerate() {
        let mut face = [0; 3];
        for (column, &index) in indices.iter().enumerate() {
            face[column] =
                index.try_into().ok().filter(|&vertex| (vertex as usize) < vertices).ok_or_else(|| {
                    PyValueError::new_err(format!(
                        "{name}[{row}, {column}] is {index}, but there are {vertices} vertices, counted from 0"
                    ))
                })?;
        }
        found.push(face);
    }
    Ok(found)
}

/// Rows of the same length as an array of two dimensions.
pub(crate) fn rows<T: numpy::Element, const N: usize>(
    py: Python<'_>,
    rows: Vec<[T; N]>,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    let count = rows.len();
    PyArray1::from_vec(py, rows.into_flattened()).reshape([count, N])
}

/// Numbers in an array of any shape.
pub(crate) fn shaped<'py, T: numpy::Element>(
    py: Python<'py>,
    numbers: Vec<T>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    PyArray1::from_vec(py, numbers).reshape(shape)
}

/// Points in an array whose shape begins with this one.
pub(crate) fn shaped_rows<'py>(
    py: Python<'py>,
    rows: Vec<[f64; 3]>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    shaped(py, rows.into_flattened(), &[shape, &[3]].concat())
}

/// Matrices as an array of the shape (k, rows, columns).
pub(crate) fn matrices<const R: usize, const C: usize>(
    py: Python<'_>,
    matrices: Vec<[[f64; C]; R]>,
) -> PyResult<Bound<'_, numpy::PyArray3<f64>>> {
    let count = matrices.len();
    PyArray1::from_vec(py, matrices.into_flattened().into_flattened()).reshape([count, R, C])
}

/// A point or a vector.
pub(crate) fn vector(py: Python<'_>, vector: DVec3) -> Bound<'_, PyArray1<f64>> {
    PyArray1::from_slice(py, &vector.to_array())
}

/// The row of an array where there is no point.
pub(crate) const NOWHERE: [f64; 3] = [f64::NAN; 3];

/// The coordinates of a point, or of none.
pub(crate) fn row_of(point: Option<DVec3>) -> [f64; 3] {
    point.map_or(NOWHERE, |point| point.to_array())
}

/// The name of an object's class, for messages.
pub(crate) fn type_name(object: &Bound<'_, PyAny>) -> String {
    object
        .get_type()
        .name()
        .map_or_else(|_| "object".to_owned(), |name: Bound<'_, PyString>| name.to_string())
}
