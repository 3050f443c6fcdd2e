//! Two models that stand still: whether they intersect and how, which faces do, how far apart they are, and where they touch.

use impinge::Verdict;
use impinge::math::DVec3;
use impinge::model::{Feature, Purpose};
use impinge::query::{
    Contact, ContactOptions, Contained, Distance, DistanceOptions, FacePair, IntersectOptions, Witness,
};
use numpy::{PyArray1, PyArray2};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{row_of, rows, vector};
use crate::features;
use crate::model::Model;
use crate::poses::{Answers, Poses, ask_model_pair, ask_pair};
use crate::results;

type Object<'py> = Bound<'py, PyAny>;

/// The number of a verdict in `impinge.Verdict`.
fn code(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Clear => 0,
        Verdict::Touching => 1,
        Verdict::Overlapping => 2,
        Verdict::Inside(Contained::A) => 3,
        Verdict::Inside(Contained::B) => 4,
    }
}

/// An `impinge.Verdict`.
pub(crate) fn verdict(py: Python<'_>, verdict: Verdict) -> PyResult<Object<'_>> {
    results::verdict(py, (code(verdict),))
}

#[pymethods]
impl Model {
    /// Whether the two models share a point: also where they only touch, or where one lies inside of the other.
    ///
    /// Poses are 4×4 matrices from the frame of the model to that of the world, in rows: the translation is the last column. A batch of
    /// the shape (k, 4, 4), for either model or for both, gives k answers in an array, found on all cores. With `surface_only` solids
    /// count as surfaces. The answer is exact, without any tolerance.
    ///
    /// >>> import numpy as np
    /// >>> import impinge
    /// >>> box = impinge.box([0, 0, 0], [1, 1, 1])
    /// >>> box.intersects(box, pose_b=impinge.translation([1, 0, 0]))
    /// True
    /// >>> poses = np.array([impinge.translation([x, 0, 0]) for x in [0.5, 1.0, 1.5]])
    /// >>> box.intersects(box, pose_b=poses)
    /// array([ True,  True, False])
    #[pyo3(signature = (other, pose_a = None, pose_b = None, *, surface_only = false))]
    fn intersects<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, Model>,
        pose_a: Option<&Bound<'py, PyAny>>,
        pose_b: Option<&Bound<'py, PyAny>>,
        surface_only: bool,
    ) -> PyResult<Object<'py>> {
        let options = IntersectOptions::new().surface_only(surface_only);
        let poses = [&Poses::read("pose_a", pose_a)?, &Poses::read("pose_b", pose_b)?];
        let models = [&*self.prepared, &other.get().prepared];
        let found = ask_model_pair(py, models, poses, Purpose::PAIRS, |pair, poses| {
            Ok(pair.intersects_with(poses, options))
        })?;
        match found {
            Answers::One(answer) => answer.into_bound_py_any(py),
            Answers::Many(answers) => Ok(PyArray1::from_vec(py, answers).into_any()),
        }
    }

    /// How the two models stand to each other: an `impinge.Verdict`, or an array of their numbers for a batch.
    ///
    /// >>> import impinge
    /// >>> box = impinge.box([0, 0, 0], [1, 1, 1])
    /// >>> box.verdict(box, pose_b=impinge.translation([1, 0, 0]))
    /// <Verdict.TOUCHING: 1>
    /// >>> box.verdict(impinge.box([-1, -1, -1], [2, 2, 2]))
    /// <Verdict.A_INSIDE_B: 3>
    #[pyo3(signature = (other, pose_a = None, pose_b = None, *, surface_only = false))]
    fn verdict<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, Model>,
        pose_a: Option<&Bound<'py, PyAny>>,
        pose_b: Option<&Bound<'py, PyAny>>,
        surface_only: bool,
    ) -> PyResult<Object<'py>> {
        let options = IntersectOptions::new().surface_only(surface_only);
        let poses = [&Poses::read("pose_a", pose_a)?, &Poses::read("pose_b", pose_b)?];
        let models = [&*self.prepared, &other.get().prepared];
        let found = ask_model_pair(py, models, poses, Purpose::PAIRS, |pair, poses| {
            Ok(code(pair.intersect_with(poses, options).verdict))
        })?;
        match found {
            Answers::One(answer) => results::verdict(py, (answer,)),
            Answers::Many(answers) => Ok(PyArray1::from_vec(py, answers).into_any()),
        }
    }

    /// All pairs of faces that intersect, sorted: an array of the shape (p, 2), or a list of them for a batch.
    ///
    /// >>> import impinge
    /// >>> a = impinge.Model([[0, 0, 0], [2, 0, 0], [0, 2, 0]], [[0, 1, 2]])
    /// >>> b = impinge.Model([[0.5, 0.5, -1], [0.5, 0.5, 1], [3, 3, 0]], [[0, 1, 2]])
    /// >>> a.face_pairs(b)
    /// array([[0, 0]])
    #[pyo3(signature = (other, pose_a = None, pose_b = None))]
    fn face_pairs<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, Model>,
        pose_a: Option<&Bound<'py, PyAny>>,
        pose_b: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Object<'py>> {
        let poses = [&Poses::read("pose_a", pose_a)?, &Poses::read("pose_b", pose_b)?];
        let models = [&*self.prepared, &other.get().prepared];
        match ask_model_pair(py, models, poses, Purpose::PAIRS, |pair, poses| Ok(pair.face_pairs(poses)))? {
            Answers::One(pairs) => Ok(pair_rows(py, &pairs)?.into_any()),
            Answers::Many(lists) => {
                let lists: Vec<_> =
                    lists.iter().map(|pairs| pair_rows(py, pairs)).collect::<PyResult<_>>()?;
                lists.into_bound_py_any(py)
            }
        }
    }

    /// The minimum distance of the two models, and their closest points: an `impinge.Distance`, or an `impinge.Distances` for a batch.
    ///
    /// The distance is 0 exactly where the two intersect. With `surface_only` what lies inside of a solid is as far from it as from its
    /// surface.
    ///
    /// >>> import impinge
    /// >>> box = impinge.box([0, 0, 0], [1, 1, 1])
    /// >>> box.distance(box, pose_b=impinge.translation([3, 0, 0])).distance
    /// 2.0
    #[pyo3(signature = (other, pose_a = None, pose_b = None, *, surface_only = false))]
    fn distance<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, Model>,
        pose_a: Option<&Bound<'py, PyAny>>,
        pose_b: Option<&Bound<'py, PyAny>>,
        surface_only: bool,
    ) -> PyResult<Object<'py>> {
        let options = DistanceOptions::new().surface_only(surface_only);
        let poses = [&Poses::read("pose_a", pose_a)?, &Poses::read("pose_b", pose_b)?];
        let models = [&*self.prepared, &other.get().prepared];
        // Models have faces, and no distance is beyond infinity: there is always an answer.
        let found = ask_model_pair(py, models, poses, Purpose::DISTANCE, |pair, poses| {
            Ok(pair.distance_with(poses, options))
        })?;
        let faces_of =
            |found: &Distance| [self.face_at(found.feature_a), other.get().face_at(found.feature_b)];
        match found {
            Answers::One(None) => Ok(py.None().into_bound(py)),
            Answers::One(Some(found)) => {
                let points = (vector(py, found.point_on_a), vector(py, found.point_on_b));
                let [face_a, face_b] = faces_of(&found);
                let on = (features::one(py, found.feature_a)?, features::one(py, found.feature_b)?);
                results::distance(py, (found.distance, points.0, points.1, face_a, face_b, on.0, on.1))
            }
            Answers::Many(answers) => {
                let of = |point: fn(&Distance) -> DVec3| {
                    rows(py, answers.iter().map(|found| row_of(found.as_ref().map(point))).collect())
                };
                let points = (of(|found| found.point_on_a)?, of(|found| found.point_on_b)?);
                let distances =
                    answers.iter().map(|found| found.as_ref().map_or(f64::NAN, |found| found.distance));
                let distances = PyArray1::from_vec(py, distances.collect());
                let faces: (Vec<i64>, Vec<i64>) =
                    answers.iter().map(|found| found.as_ref().map_or([-1; 2], faces_of).into()).unzip();
                let faces = (PyArray1::from_vec(py, faces.0), PyArray1::from_vec(py, faces.1));
                let on = |feature: fn(&Distance) -> Option<Feature>| {
                    features::many(py, answers.iter().map(|found| found.as_ref().and_then(feature)))
                };
                let on = (on(|found| found.feature_a)?, on(|found| found.feature_b)?);
                results::distances(py, (distances, points.0, points.1, faces.0, faces.1, on.0, on.1))
            }
        }
    }

    /// A point that both models share: an `impinge.Witness`, or an `impinge.Witnesses` for a batch.
    ///
    /// None where they are clear of each other; NaN in a batch. The faces are -1 where the models intersect without their surfaces doing
    /// so, as when one lies inside of the other.
    ///
    /// >>> import impinge
    /// >>> inner, outer = impinge.box([1, 1, 1], [2, 2, 2]), impinge.box([0, 0, 0], [3, 3, 3])
    /// >>> inner.witness(outer).faces.tolist()
    /// [-1, -1]
    #[pyo3(signature = (other, pose_a = None, pose_b = None))]
    fn witness<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, Model>,
        pose_a: Option<&Bound<'py, PyAny>>,
        pose_b: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Object<'py>> {
        let poses = [&Poses::read("pose_a", pose_a)?, &Poses::read("pose_b", pose_b)?];
        let models = [&*self.prepared, &other.get().prepared];
        let faces_of = |found: &Witness| found.faces.map_or([-1; 2], |faces| faces.map(i64::from));
        match ask_pair(py, models, poses, Purpose::PAIRS, |a, b| Ok(a.witness(b)))? {
            Answers::One(None) => Ok(py.None().into_bound(py)),
            Answers::One(Some(found)) => {
                let faces = PyArray1::from_slice(py, &faces_of(&found));
                results::witness(py, (vector(py, found.point_in_world), faces))
            }
            Answers::Many(answers) => {
                let points =
                    answers.iter().map(|found| row_of(found.as_ref().map(|found| found.point_in_world)));
                let faces = answers.iter().map(|found| found.as_ref().map_or([-1; 2], faces_of));
                results::witnesses(py, (rows(py, points.collect())?, rows(py, faces.collect())?))
            }
        }
    }

    /// The places where the two models touch or are no farther apart than `within`: an `impinge.Contacts`, or a list of them for a batch.
    ///
    /// Normals point from this model to the other. Models that overlap have contacts with negative distances: those that they have where a short translation,
    /// no longer than `depth`, has just ended the overlap. How deep the one is inside of the other is told by `penetration`.
    ///
    /// >>> import impinge
    /// >>> floor = impinge.box([-5, -5, -1], [5, 5, 0])
    /// >>> box = impinge.box([0, 0, 0], [1, 1, 1])
    /// >>> contacts = box.contacts(floor)
    /// >>> contacts.normals.tolist()
    /// [[0.0, 0.0, -1.0], [0.0, 0.0, -1.0], [0.0, 0.0, -1.0], [0.0, 0.0, -1.0]]
    /// >>> sunk = box.contacts(floor, impinge.translation([0, 0, -0.25]))
    /// >>> sunk.distances.round(6).tolist()
    /// [-0.25, -0.25, -0.25, -0.25]
    #[pyo3(signature = (other, pose_a = None, pose_b = None, *, within = 0.0, depth = f64::INFINITY))]
    fn contacts<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, Model>,
        pose_a: Option<&Bound<'py, PyAny>>,
        pose_b: Option<&Bound<'py, PyAny>>,
        within: f64,
        depth: f64,
    ) -> PyResult<Object<'py>> {
        limit("within", within)?;
        limit("depth", depth)?;
        let options = ContactOptions::new().within(within).depth(depth);
        let poses = [&Poses::read("pose_a", pose_a)?, &Poses::read("pose_b", pose_b)?];
        let models = [&*self.prepared, &other.get().prepared];
        match ask_pair(py, models, poses, Purpose::DISTANCE, |a, b| Ok(a.contacts_with(b, options)))? {
            Answers::One(contacts) => contact_arrays(py, &contacts),
            Answers::Many(lists) => {
                let lists: Vec<_> =
                    lists.iter().map(|contacts| contact_arrays(py, contacts)).collect::<PyResult<_>>()?;
                lists.into_bound_py_any(py)
            }
        }
    }
}

/// Checks a length that may be infinite, but neither negative nor NaN.
pub(crate) fn limit(name: &str, length: f64) -> PyResult<()> {
    if length >= 0.0 {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("{name} is {length}, but must be 0 or more")))
}

fn pair_rows<'py>(py: Python<'py>, pairs: &[FacePair]) -> PyResult<Bound<'py, PyArray2<i64>>> {
    rows(py, pairs.iter().map(|pair| [pair.face_a, pair.face_b].map(i64::from)).collect())
}

pub(crate) fn contact_arrays<'py>(py: Python<'py>, contacts: &[Contact]) -> PyResult<Object<'py>> {
    let of = |vector: fn(&Contact) -> DVec3| {
        rows(py, contacts.iter().map(|contact| vector(contact).to_array()).collect())
    };
    let distances = PyArray1::from_vec(py, contacts.iter().map(|contact| contact.distance).collect());
    let points = (of(|contact| contact.point_on_a)?, of(|contact| contact.point_on_b)?);
    let normals = of(|contact| contact.normal)?;
    let on_a = features::many(py, contacts.iter().map(|contact| Some(contact.feature_a)))?;
    let on_b = features::many(py, contacts.iter().map(|contact| Some(contact.feature_b)))?;
    results::contacts(py, (points.0, points.1, normals, distances, on_a, on_b))
}
