//! Answers as the classes of `impinge._results`, which are plain Python: tuples with names, and enumerations.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;

const MODULE: &str = "impinge._results";

/// Defines a function for each class, which makes an instance of it.
macro_rules! classes {
    ($($function:ident: $class:literal),* $(,)?) => {
        $(
            pub(crate) fn $function<'py>(
                py: Python<'py>,
                fields: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
            ) -> PyResult<Bound<'py, PyAny>> {
                static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
                CLASS.import(py, MODULE, $class)?.call1(fields.into_pyobject(py)?)
            }
        )*
    };
}

classes! {
    distance: "Distance",
    distances: "Distances",
    witness: "Witness",
    witnesses: "Witnesses",
    sweep: "Sweep",
    sweeps: "Sweeps",
    contacts: "Contacts",
    penetration: "Penetration",
    penetrations: "Penetrations",
    shared_volume: "SharedVolume",
    shared_volumes: "SharedVolumes",
    separation: "Separation",
    separations: "Separations",
    ray_hits: "RayHits",
    closest_points: "ClosestPoints",
    feature: "Feature",
    features: "Features",
    feature_kind: "FeatureKind",
    phase: "Phase",
    polyline: "Polyline",
    intersection_curve: "IntersectionCurve",
    body_hit: "BodyHit",
    body_ray_hit: "BodyRayHit",
    body_move: "BodyMove",
    body_slide: "BodySlide",
    body_contact: "BodyContact",
    ground: "Ground",
    crushed: "Crushed",
    character_step: "CharacterStep",
    world_step: "WorldStep",
    component: "Component",
    part: "Part",
    verdict: "Verdict",
    sweep_status: "SweepStatus",
}
