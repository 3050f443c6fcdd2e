//! Vertices, edges and faces at which something happens, as tuples and arrays.

use impinge::model::Feature;
use numpy::PyArray1;
use pyo3::prelude::*;

use crate::arrays::rows;
use crate::results;

/// The number of the kind in `impinge.FeatureKind`, the vertices and the face; -1 where there is none.
fn numbers(feature: Option<Feature>) -> (u8, [i64; 2], i64) {
    match feature {
        Some(Feature::Vertex(vertex)) => (1, [i64::from(vertex), -1], -1),
        Some(Feature::Edge { vertices, face, .. }) => (2, vertices.map(i64::from), i64::from(face)),
        Some(Feature::Face(face)) => (3, [-1; 2], i64::from(face)),
        _ => (0, [-1; 2], -1),
    }
}

/// An `impinge.Feature`.
pub(crate) fn one(py: Python<'_>, feature: Option<Feature>) -> PyResult<Bound<'_, PyAny>> {
    let (kind, vertices, face) = numbers(feature);
    results::feature(py, (results::feature_kind(py, (kind,))?, PyArray1::from_slice(py, &vertices), face))
}

/// An `impinge.Features`.
pub(crate) fn many(
    py: Python<'_>,
    features: impl IntoIterator<Item = Option<Feature>>,
) -> PyResult<Bound<'_, PyAny>> {
    let (mut kinds, mut vertices, mut faces) = (Vec::new(), Vec::new(), Vec::new());
    for (kind, ends, face) in features.into_iter().map(numbers) {
        kinds.push(kind);
        vertices.push(ends);
        faces.push(face);
    }
    let kinds = PyArray1::from_vec(py, kinds);
    results::features(py, (kinds, rows(py, vertices)?, PyArray1::from_vec(py, faces)))
}
