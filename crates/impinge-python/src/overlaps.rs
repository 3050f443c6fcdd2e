//! Two models that overlap: how deep, how much they share, and which move parts them.

use impinge::math::DVec3;
use impinge::model::Purpose;
use impinge::query::{Penetration, PenetrationOptions, SeparatingTranslation, SharedVolume};
use numpy::PyArray1;
use pyo3::prelude::*;

use crate::arrays::{NOWHERE, matrices, row_of, rows, vector};
use crate::model::Model;
use crate::pairs::limit;
use crate::poses::{Answers, Complaint, Poses, ask_pair};
use crate::read::matrix_of;
use crate::results;

type Object<'py> = Bound<'py, PyAny>;

#[pymethods]
impl Model {
    /// How deep the two models reach into each other: an `impinge.Penetration`, or an `impinge.Penetrations` for a batch.
    ///
    /// The depth is the greatest distance that a point of one's surface lies inside of the other, measured to the other's surface. It is
    /// an interval, no wider than the `share` of itself. None where neither model has a solid; NaN in a batch.
    ///
    /// >>> import impinge
    /// >>> slab = impinge.box([0, 0, 0], [10, 10, 1])
    /// >>> found = slab.penetration(slab, pose_b=impinge.translation([3, 2, 0.75]))
    /// >>> found.at_least <= 0.25 <= found.at_most
    /// True
    #[pyo3(signature = (other, pose_a = None, pose_b = None, *, share = 0.01))]
    fn penetration<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, Model>,
        pose_a: Option<&Bound<'py, PyAny>>,
        pose_b: Option<&Bound<'py, PyAny>>,
        share: f64,
    ) -> PyResult<Object<'py>> {
        limit("share", share)?;
        let options = PenetrationOptions::new().share(share);
        let poses = [&Poses::read("pose_a", pose_a)?, &Poses::read("pose_b", pose_b)?];
        let models = [&*self.prepared, &other.get().prepared];
        let found =
            ask_pair(py, models, poses, Purpose::DISTANCE, |a, b| Ok(a.penetration_with(b, options)))?;
        match found {
            Answers::One(None) => Ok(py.None().into_bound(py)),
            Answers::One(Some(found)) => {
                let point = |point: Option<DVec3>| point.map(|point| vector(py, point));
                let (deepest, nearest) = (point(found.point_in_world), point(found.nearest_in_world));
                let flags = (found.of_second, found.limited_by_thickness, found.is_narrow);
                results::penetration(
                    py,
                    (found.at_least, found.at_most, deepest, nearest, flags.0, flags.1, flags.2),
                )
            }
            Answers::Many(answers) => {
                let depth = |depth: fn(&Penetration) -> f64| {
                    let depths = answers.iter().map(|found| found.as_ref().map_or(f64::NAN, depth));
                    PyArray1::from_vec(py, depths.collect())
                };
                let point = |point: fn(&Penetration) -> Option<DVec3>| {
                    rows(py, answers.iter().map(|found| row_of(found.as_ref().and_then(point))).collect())
                };
                let flag = |flag: fn(&Penetration) -> bool| {
                    PyArray1::from_vec(
                        py,
                        answers.iter().map(|found| found.as_ref().is_some_and(flag)).collect(),
                    )
                };
                let (deepest, nearest) =
                    (point(|found| found.point_in_world)?, point(|found| found.nearest_in_world)?);
                let (of_second, limited) =
                    (flag(|found| found.of_second), flag(|found| found.limited_by_thickness));
                let (at_least, at_most) = (depth(|found| found.at_least), depth(|found| found.at_most));
                let is_narrow = flag(|found| found.is_narrow);
                results::penetrations(
                    py,
                    (at_least, at_most, deepest, nearest, of_second, limited, is_narrow),
                )
            }
        }
    }

    /// The volume that two solids share: an `impinge.SharedVolume`, or an `impinge.SharedVolumes` for a batch.
    ///
    /// None where one of the models has no solid; NaN in a batch.
    ///
    /// >>> import impinge
    /// >>> box = impinge.box([0, 0, 0], [2, 2, 2])
    /// >>> shared = box.shared_volume(box, pose_b=impinge.translation([1, 1.5, 0]))
    /// >>> abs(shared.volume - 1.0) <= shared.error < 1e-9
    /// True
    #[pyo3(signature = (other, pose_a = None, pose_b = None))]
    fn shared_volume<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, Model>,
        pose_a: Option<&Bound<'py, PyAny>>,
        pose_b: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Object<'py>> {
        let poses = [&Poses::read("pose_a", pose_a)?, &Poses::read("pose_b", pose_b)?];
        let models = [&*self.prepared, &other.get().prepared];
        match ask_pair(py, models, poses, Purpose::DISTANCE, |a, b| Ok(a.shared_volume(b)))? {
            Answers::One(None) => Ok(py.None().into_bound(py)),
            Answers::One(Some(found)) => {
                let bounds = rows(py, vec![found.bounds.min.to_array(), found.bounds.max.to_array()])?;
                results::shared_volume(py, (found.volume, found.error, found.is_estimated, bounds))
            }
            Answers::Many(answers) => {
                let number = |number: fn(&SharedVolume) -> f64| {
                    let numbers = answers.iter().map(|found| found.as_ref().map_or(f64::NAN, number));
                    PyArray1::from_vec(py, numbers.collect())
                };
                let estimated =
                    answers.iter().map(|found| found.as_ref().is_some_and(|found| found.is_estimated));
                let boxes = answers.iter().map(|found| {
                    found.as_ref().map_or([NOWHERE; 2], |found| {
                        [found.bounds.min.to_array(), found.bounds.max.to_array()]
                    })
                });
                let bounds = matrices(py, boxes.collect())?;
                let estimated = PyArray1::from_vec(py, estimated.collect());
                let (volume, error) = (number(|found| found.volume), number(|found| found.error));
                results::shared_volumes(py, (volume, error, estimated, bounds))
            }
        }
    }

    /// The volume that two solids share: another name of `shared_volume`.
    ///
    /// >>> import impinge
    /// >>> box = impinge.box([0, 0, 0], [2, 2, 2])
    /// >>> round(box.volume(box, pose_b=impinge.translation([1, 1.5, 0])).volume, 9)
    /// 1.0
    #[pyo3(signature = (other, pose_a = None, pose_b = None))]
    fn volume<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, Model>,
        pose_a: Option<&Bound<'py, PyAny>>,
        pose_b: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Object<'py>> {
        self.shared_volume(py, other, pose_a, pose_b)
    }

    /// A short translation of this model after which the two do not overlap: an `impinge.Separation`, or an `impinge.Separations` for a
    /// batch.
    ///
    /// Its length is an upper bound of the penetration depth, because only some directions are tried. The pose after it was tested: the
    /// two are clear of each other there, or touch. None where no move as short as `at_most` was found; NaN in a batch.
    ///
    /// >>> import impinge
    /// >>> box = impinge.box([0, 0, 0], [1, 1, 1])
    /// >>> found = box.separation(box, pose_b=impinge.translation([0.9, 0.2, 0.3]))
    /// >>> found.direction.tolist(), round(found.distance, 3)
    /// ([-1.0, 0.0, 0.0], 0.1)
    #[pyo3(signature = (other, pose_a = None, pose_b = None, *, at_most = f64::INFINITY))]
    fn separation<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, Model>,
        pose_a: Option<&Bound<'py, PyAny>>,
        pose_b: Option<&Bound<'py, PyAny>>,
        at_most: f64,
    ) -> PyResult<Object<'py>> {
        limit("at_most", at_most)?;
        let poses = [&Poses::read("pose_a", pose_a)?, &Poses::read("pose_b", pose_b)?];
        let models = [&*self.prepared, &other.get().prepared];
        let found = ask_pair(py, models, poses, Purpose::PAIRS, |a, b| {
            a.separating_translation(b, at_most).map_err(|error| Complaint(error.to_string()))
        })?;
        let pose_of = |found: &SeparatingTranslation| matrix_of(found.placement.world_from_model());
        match found {
            Answers::One(None) => Ok(py.None().into_bound(py)),
            Answers::One(Some(found)) => {
                let pose = rows(py, pose_of(&found).to_vec())?;
                results::separation(py, (vector(py, found.direction), found.distance, pose))
            }
            Answers::Many(answers) => {
                let directions =
                    answers.iter().map(|found| row_of(found.as_ref().map(|found| found.direction)));
                let distances =
                    answers.iter().map(|found| found.as_ref().map_or(f64::NAN, |found| found.distance));
                let poses = answers.iter().map(|found| found.as_ref().map_or([[f64::NAN; 4]; 4], pose_of));
                let directions = rows(py, directions.collect())?;
                let distances = PyArray1::from_vec(py, distances.collect());
                results::separations(py, (directions, distances, matrices(py, poses.collect())?))
            }
        }
    }
}
