//! Questions about many rays or points and one model.

use impinge::math::DVec3;
use impinge::model::Purpose;
use impinge::query::{Ray, RayHit, RayOptions, SignedDistance};
use numpy::{PyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::arrays::{NOWHERE, floats, points, row_of, shape_error, shaped, shaped_rows};
use crate::model::Model;
use crate::pool::pool;
use crate::poses::{Answers, Poses, ask};
use crate::results;

/// The pose of one model, which is no batch: points and rays are.
pub(crate) fn one_pose(pose: Option<&Bound<'_, PyAny>>) -> PyResult<impinge::Placement> {
    let poses = Poses::read("pose", pose)?;
    if let Some(count) = poses.count() {
        return Err(shape_error("pose", &[count, 4, 4], "(4, 4)"));
    }
    poses.get(0).map_err(|complaint| PyValueError::new_err(complaint.0))
}

/// Refuses what is no pose of one model, with the name of the argument.
#[pyfunction]
#[pyo3(signature = (name, pose))]
pub(crate) fn _check_pose(name: &str, pose: &Bound<'_, PyAny>) -> PyResult<()> {
    let renamed = |error: PyErr| {
        let message = error.value(pose.py()).to_string();
        PyValueError::new_err(message.replacen("pose", name, 1))
    };
    one_pose(Some(pose)).map(|_| ()).map_err(renamed)
}

/// What a model answers about each of many points or rays, pose by pose, and the shape of that: (n,), or (k, n) for a batch of poses.
fn at_poses<T: Send>(
    py: Python<'_>,
    model: &impinge::Model,
    pose: Option<&Bound<'_, PyAny>>,
    count: usize,
    question: impl Fn(&impinge::Placed<'_>) -> Vec<T> + Sync,
) -> PyResult<(Vec<T>, Vec<usize>)> {
    let poses = Poses::read("pose", pose)?;
    let Some(batch) = poses.count() else {
        let placed = model.at(poses.get(0).map_err(|complaint| PyValueError::new_err(complaint.0))?);
        let pool = pool()?;
        return Ok((py.detach(|| pool.install(|| question(&placed))), vec![count]));
    };
    let prepare = || model.prepare(Purpose::ALL);
    match ask(py, Some(batch), prepare, |index| Ok(question(&model.at(poses.get(index)?))))? {
        Answers::One(_) => Err(PyValueError::new_err("a batch has many answers")),
        Answers::Many(answers) => Ok((answers.into_iter().flatten().collect(), vec![batch, count])),
    }
}

/// A ray up to its end.
pub(crate) fn ray(origin: DVec3, direction: DVec3, end: f64) -> PyResult<Ray> {
    let ray = Ray::new(origin, direction).and_then(|ray| ray.up_to(end));
    ray.map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The rays of two arrays, each up to its end.
fn rays(
    origins: &Bound<'_, PyAny>,
    directions: &Bound<'_, PyAny>,
    max_t: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Ray>> {
    let py = origins.py();
    let (origins, directions) = (points("origins", origins)?, points("directions", directions)?);
    if origins.len() != directions.len() {
        let message = format!("there are {} origins and {} directions", origins.len(), directions.len());
        return Err(PyValueError::new_err(message));
    }
    let ends = ends(max_t, origins.len())?;
    let rays = origins.iter().zip(&directions).zip(&ends).enumerate();
    let numbered = |(row, ((&origin, &direction), &end))| {
        ray(origin, direction, end)
            .map_err(|error| PyValueError::new_err(format!("ray {row}: {}", error.value(py))))
    };
    rays.map(numbered).collect()
}

/// Hits as arrays whose shapes begin with this one.
fn hit_arrays<'py>(py: Python<'py>, hits: &[Option<RayHit>], shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    let t = hits.iter().map(|hit| hit.as_ref().map_or(f64::INFINITY, |hit| hit.t)).collect();
    let faces = hits.iter().map(|hit| hit.as_ref().map_or(-1, |hit| i64::from(hit.face))).collect();
    let of = |part: fn(&RayHit) -> [f64; 3]| {
        let rows: Vec<[f64; 3]> = hits.iter().map(|hit| hit.as_ref().map_or(NOWHERE, part)).collect();
        shaped_rows(py, rows, shape)
    };
    let at = of(|hit| hit.point_in_world.to_array())?;
    let normals = of(|hit| row_of(hit.normal_in_world))?;
    results::ray_hits(py, (shaped(py, t, shape)?, shaped(py, faces, shape)?, at, normals))
}

/// Reads the ends of rays: one number for all, or one for each.
fn ends(max_t: Option<&Bound<'_, PyAny>>, count: usize) -> PyResult<Vec<f64>> {
    let Some(max_t) = max_t else { return Ok(vec![f64::INFINITY; count]) };
    let array = floats("max_t", max_t)?;
    match (array.shape(), array.as_slice()?) {
        ([], &[end]) => Ok(vec![end; count]),
        (&[length], ends) if length == count => Ok(ends.to_vec()),
        (shape, _) => Err(shape_error("max_t", shape, &format!("() or ({count},)"))),
    }
}

#[pymethods]
impl Model {
    /// The nearest hit of each ray: an `impinge.RayHits`, with an infinite `t` and the face -1 where a ray hits nothing.
    ///
    /// Origins and directions are arrays of the shape (n, 3). Directions may have any length but 0, and `t` is in multiples of them. Rays end
    /// at `max_t`, a number or one for each. A batch of k poses gives arrays of the shape (k, n). With `cull_back`, faces are passed through from behind.
    ///
    /// >>> import impinge
    /// >>> box = impinge.box([0, 0, 0], [1, 1, 1])
    /// >>> hits = box.cast_rays([[0.25, 0.5, 5], [3, 3, 3]], [[0, 0, -1], [1, 0, 0]])
    /// >>> hits.t.tolist(), hits.normals[0].tolist()
    /// ([4.0, inf], [0.0, 0.0, 1.0])
    #[pyo3(signature = (origins, directions, pose = None, *, max_t = None, cull_back = false))]
    fn cast_rays<'py>(
        &self,
        py: Python<'py>,
        origins: &Bound<'py, PyAny>,
        directions: &Bound<'py, PyAny>,
        pose: Option<&Bound<'py, PyAny>>,
        max_t: Option<&Bound<'py, PyAny>>,
        cull_back: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rays = rays(origins, directions, max_t)?;
        let options = RayOptions::new().cull_back(cull_back);
        let question = |placed: &impinge::Placed<'_>| placed.cast_rays(&rays, options);
        let (hits, shape) = at_poses(py, &self.prepared, pose, rays.len(), question)?;
        hit_arrays(py, &hits, &shape)
    }

    /// All hits of each ray: a list of `impinge.RayHits`, each in the order of `t`, then of faces.
    ///
    /// >>> import impinge
    /// >>> box = impinge.box([0, 0, 0], [1, 1, 1])
    /// >>> [hits.t.tolist() for hits in box.cast_rays_all([[0.25, 0.5, 5], [3, 3, 3]], [[0, 0, -1], [1, 0, 0]])]
    /// [[4.0, 5.0], []]
    #[pyo3(signature = (origins, directions, pose = None, *, max_t = None, cull_back = false))]
    fn cast_rays_all<'py>(
        &self,
        py: Python<'py>,
        origins: &Bound<'py, PyAny>,
        directions: &Bound<'py, PyAny>,
        pose: Option<&Bound<'py, PyAny>>,
        max_t: Option<&Bound<'py, PyAny>>,
        cull_back: bool,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let placed = self.prepared.at(one_pose(pose)?);
        let rays = rays(origins, directions, max_t)?;
        let options = RayOptions::new().cull_back(cull_back);
        let pool = pool()?;
        let cast = |ray: &Ray| placed.cast_ray_all(ray, options).into_iter().map(Some).collect();
        let all: Vec<Vec<Option<RayHit>>> =
            py.detach(|| pool.install(|| rays.par_iter().map(cast).collect()));
        all.iter().map(|hits| hit_arrays(py, hits, &[hits.len()])).collect()
    }

    /// Whether each ray hits anything, which is quicker than to know what.
    ///
    /// >>> import impinge
    /// >>> box = impinge.box([0, 0, 0], [1, 1, 1])
    /// >>> box.hits_rays([[0.25, 0.5, 5], [3, 3, 3]], [[0, 0, -1], [1, 0, 0]])
    /// array([ True, False])
    #[pyo3(signature = (origins, directions, pose = None, *, max_t = None, cull_back = false))]
    fn hits_rays<'py>(
        &self,
        py: Python<'py>,
        origins: &Bound<'py, PyAny>,
        directions: &Bound<'py, PyAny>,
        pose: Option<&Bound<'py, PyAny>>,
        max_t: Option<&Bound<'py, PyAny>>,
        cull_back: bool,
    ) -> PyResult<Bound<'py, PyArrayDyn<bool>>> {
        let rays = rays(origins, directions, max_t)?;
        let options = RayOptions::new().cull_back(cull_back);
        let question = |placed: &impinge::Placed<'_>| -> Vec<bool> {
            rays.par_iter().map(|ray| placed.cast_ray_any(ray, options).is_some()).collect()
        };
        let (hits, shape) = at_poses(py, &self.prepared, pose, rays.len(), question)?;
        shaped(py, hits, &shape)
    }

    /// The point of the surface that is closest to each point: an `impinge.ClosestPoints`.
    ///
    /// Of solids, too, it is the surface that counts.
    ///
    /// >>> import impinge
    /// >>> box = impinge.box([0, 0, 0], [1, 1, 1])
    /// >>> closest = box.closest_points([[0.5, 0.5, 3]])
    /// >>> closest.distances.tolist(), closest.points.tolist()
    /// ([2.0], [[0.5, 0.5, 1.0]])
    #[pyo3(signature = (points, pose = None))]
    fn closest_points<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        pose: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let points = self::points("points", points)?;
        let question = |placed: &impinge::Placed<'_>| placed.closest_points(&points);
        let (found, shape) = at_poses(py, &self.prepared, pose, points.len(), question)?;
        let distances = found.iter().map(|closest| closest.as_ref().map_or(f64::NAN, |found| found.distance));
        let closest = found.iter().map(|closest| row_of(closest.as_ref().map(|found| found.point_in_world)));
        let closest = shaped_rows(py, closest.collect(), &shape)?;
        let faces = found.iter().map(|closest| self.face_at(closest.map(|found| found.feature)));
        let faces = shaped(py, faces.collect(), &shape)?;
        results::closest_points(py, (shaped(py, distances.collect(), &shape)?, closest, faces))
    }

    /// The distance of each point from the surface, negative inside of the model's solids.
    ///
    /// `trimesh.proximity.signed_distance` has the opposite sign: positive inside. Open components count for the distance, but contain
    /// nothing.
    ///
    /// >>> import impinge
    /// >>> box = impinge.box([0, 0, 0], [2, 2, 2])
    /// >>> box.signed_distance([[1, 1, 1.5], [1, 1, 5]]).tolist()
    /// [-0.5, 3.0]
    #[pyo3(signature = (points, pose = None))]
    fn signed_distance<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        pose: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let points = self::points("points", points)?;
        let question = |placed: &impinge::Placed<'_>| placed.signed_distances(&points);
        let (found, shape) = at_poses(py, &self.prepared, pose, points.len(), question)?;
        let signed = found.iter().map(|found| found.as_ref().map_or(f64::NAN, SignedDistance::signed));
        shaped(py, signed.collect(), &shape)
    }

    /// The generalized winding number of each point, for surfaces with holes too: 1 inside of a closed surface, 0 outside, in between where
    /// there are holes.
    ///
    /// >>> import impinge
    /// >>> box = impinge.box([0, 0, 0], [1, 1, 1])
    /// >>> box.winding_number([[0.5, 0.5, 0.5], [2, 2, 2]]).round(12).tolist()
    /// [1.0, 0.0]
    #[pyo3(signature = (points, pose = None))]
    fn winding_number<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        pose: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let points = self::points("points", points)?;
        let question = |placed: &impinge::Placed<'_>| -> Vec<f64> {
            points.par_iter().map(|&point| placed.winding_number(point).unwrap_or(f64::NAN)).collect()
        };
        let (found, shape) = at_poses(py, &self.prepared, pose, points.len(), question)?;
        shaped(py, found, &shape)
    }
}
