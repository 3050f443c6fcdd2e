//! Questions to a world that change nothing.

use impinge::mesh::MaterialSet;
use impinge::query::{RayOptions, SweepOptions};
use pyo3::prelude::*;

use super::{BodyName, Object, World, name, names, refused};
use crate::arrays::vector;
use crate::model::Model;
use crate::motions::Goal;
use crate::pairs::{contact_arrays, limit, verdict};
use crate::points::{one_pose, ray};
use crate::pool::pool;
use crate::results;
use crate::sweeps;
use crate::volumes::{Volume, vector_of};

#[pymethods]
impl World {
    /// How two bodies stand to each other: an `impinge.Verdict`.
    ///
    /// >>> import impinge
    /// >>> world, box = impinge.World(), impinge.box([0, 0, 0], [1, 1, 1])
    /// >>> a, b = world.insert(box), world.insert(box, impinge.translation([1, 0, 0]))
    /// >>> world.verdict(a, b)
    /// <Verdict.TOUCHING: 1>
    fn verdict<'py>(
        &self,
        py: Python<'py>,
        a: &Bound<'py, BodyName>,
        b: &Bound<'py, BodyName>,
    ) -> PyResult<Object<'py>> {
        let (a, b) = (a.get().0, b.get().0);
        verdict(py, py.detach(|| self.bodies.verdict(a, b)).map_err(|error| refused(&error))?)
    }

    /// The places where two bodies are no farther apart than `within`: an `impinge.Contacts`.
    ///
    /// >>> import impinge
    /// >>> world, box = impinge.World(), impinge.box([0, 0, 0], [1, 1, 1])
    /// >>> a, b = world.insert(box), world.insert(box, impinge.translation([0, 0, 1]))
    /// >>> len(world.contacts_between(a, b).normals)
    /// 4
    #[pyo3(signature = (a, b, within = 0.0))]
    fn contacts_between<'py>(
        &self,
        py: Python<'py>,
        a: &Bound<'py, BodyName>,
        b: &Bound<'py, BodyName>,
        within: f64,
    ) -> PyResult<Object<'py>> {
        limit("within", within)?;
        let (a, b) = (a.get().0, b.get().0);
        let found = py.detach(|| self.bodies.contacts_between(a, b, within));
        contact_arrays(py, &found.map_err(|error| refused(&error))?)
    }

    /// The first body that a ray hits: an `impinge.BodyRayHit`; None where it hits nothing. It passes through faces of `ignored_materials`.
    ///
    /// >>> import impinge
    /// >>> world = impinge.World()
    /// >>> body = world.insert(impinge.box([0, 0, 0], [1, 1, 1]))
    /// >>> hit = world.cast_ray([0.25, 0.5, 5], [0, 0, -1])
    /// >>> hit.body == body, hit.t
    /// (True, 4.0)
    #[pyo3(signature = (origin, direction, *, max_t = f64::INFINITY, cull_back = false, ignored_materials = Vec::new()))]
    fn cast_ray<'py>(
        &self,
        py: Python<'py>,
        origin: &Bound<'py, PyAny>,
        direction: &Bound<'py, PyAny>,
        max_t: f64,
        cull_back: bool,
        ignored_materials: Vec<u32>,
    ) -> PyResult<Option<Object<'py>>> {
        let ray = ray(vector_of("origin", origin)?, vector_of("direction", direction)?, max_t)?;
        let ignored = MaterialSet::of(ignored_materials).map_err(|error| refused(&error))?;
        let options = RayOptions::new().cull_back(cull_back).ignored_materials(ignored);
        let Some((handle, hit)) = py.detach(|| self.bodies.cast_ray(&ray, options, |_, _| true)) else {
            return Ok(None);
        };
        let normal = hit.normal_in_world.map(|normal| vector(py, normal));
        let point = vector(py, hit.point_in_world);
        results::body_ray_hit(py, (name(py, handle)?, hit.t, hit.face, point, normal)).map(Some)
    }

    /// Whether nothing stands between two points.
    ///
    /// >>> import impinge
    /// >>> world = impinge.World()
    /// >>> body = world.insert(impinge.box([0, 0, 0], [1, 1, 1]))
    /// >>> world.sees([-1, 0.5, 0.25], [2, 0.5, 0.25]), world.sees([-1, 3, 0], [2, 3, 0])
    /// (False, True)
    fn sees(&self, py: Python<'_>, start: &Bound<'_, PyAny>, end: &Bound<'_, PyAny>) -> PyResult<bool> {
        let (start, end) = (vector_of("start", start)?, vector_of("end", end)?);
        py.detach(|| self.bodies.sees(start, end, |_, _| true)).map_err(|error| refused(&error))
    }

    /// How far a model that is not in the world could move, as the body that stops it and an `impinge.Sweep`; None where nothing is in its way. Faces of
    /// `ignored_materials`, its own or others', are not there.
    ///
    /// >>> import impinge
    /// >>> world = impinge.World()
    /// >>> wall = world.insert(impinge.box([3, -9, -9], [4, 9, 9]), kind="fixed")
    /// >>> body, sweep = world.sweep(impinge.box([0, 0, 0], [1, 1, 1]), by=[4, 0, 0])
    /// >>> body == wall, round(sweep.fraction, 6)
    /// (True, 0.5)
    #[pyo3(signature = (model, by = None, to = None, pose = None, *, rotate = None, margin = 0.0, ignored_materials = Vec::new()))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn sweep<'py>(
        &self,
        py: Python<'py>,
        model: &Bound<'py, Model>,
        by: Option<&Bound<'py, PyAny>>,
        to: Option<&Bound<'py, PyAny>>,
        pose: Option<&Bound<'py, PyAny>>,
        rotate: Option<&Bound<'py, PyAny>>,
        margin: f64,
        ignored_materials: Vec<u32>,
    ) -> PyResult<Option<(Bound<'py, BodyName>, Object<'py>)>> {
        sweeps::check_margin(margin)?;
        let (goal, start) = (Goal::read(by, rotate, to)?, one_pose(pose)?);
        let motion = goal.only("one model", &start)?;
        let (moving, options) = (model.get().prepared.at(start), SweepOptions::new().margin(margin));
        let ignored = MaterialSet::of(ignored_materials).map_err(|error| refused(&error))?;
        let options = options.ignored_materials(ignored);
        let pool = pool()?;
        let found = py.detach(|| pool.install(|| self.bodies.sweep(&moving, &motion, options, |_, _| true)));
        found.map(|(handle, sweep)| Ok((name(py, handle)?, sweeps::one(py, &sweep)?))).transpose()
    }

    /// The bodies that touch a volume, in order.
    ///
    /// >>> import impinge
    /// >>> world = impinge.World()
    /// >>> body = world.insert(impinge.box([0, 0, 0], [1, 1, 1]))
    /// >>> world.touching(impinge.Volume.sphere([2, 0.5, 0.5], 1.5)) == [body]
    /// True
    fn touching<'py>(
        &self,
        py: Python<'py>,
        volume: &Bound<'py, Volume>,
    ) -> PyResult<Vec<Bound<'py, BodyName>>> {
        let solid = volume.get().solid;
        names(py, py.detach(|| self.bodies.touching(&solid, |_, _| true)))
    }

    /// The bodies that intersect a model that is not in the world, in order.
    ///
    /// >>> import impinge
    /// >>> world, box = impinge.World(), impinge.box([0, 0, 0], [1, 1, 1])
    /// >>> body = world.insert(box)
    /// >>> world.intersecting(box, impinge.translation([1, 0, 0])) == [body]
    /// True
    #[pyo3(signature = (model, pose = None))]
    fn intersecting<'py>(
        &self,
        py: Python<'py>,
        model: &Bound<'py, Model>,
        pose: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Vec<Bound<'py, BodyName>>> {
        let placed = model.get().prepared.at(one_pose(pose)?);
        names(py, py.detach(|| self.bodies.meeting(&placed, |_, _| true)))
    }

    /// The body nearest to another, and its distance; None where none is within `at_most`.
    ///
    /// >>> import impinge
    /// >>> world, box = impinge.World(), impinge.box([0, 0, 0], [1, 1, 1])
    /// >>> a, b = world.insert(box), world.insert(box, impinge.translation([3, 0, 0]))
    /// >>> world.nearest(a) == (b, 2.0)
    /// True
    #[pyo3(signature = (body, at_most = f64::INFINITY))]
    fn nearest<'py>(
        &self,
        py: Python<'py>,
        body: &Bound<'py, BodyName>,
        at_most: f64,
    ) -> PyResult<Option<(Bound<'py, BodyName>, f64)>> {
        limit("at_most", at_most)?;
        // Boxes of the broad phase are finite.
        let (handle, at_most) = (body.get().0, at_most.min(f64::MAX / 4.0));
        let found = py.detach(|| self.bodies.nearest(handle, at_most, |_, _| true));
        let found = found.map_err(|error| refused(&error))?;
        found.map(|(handle, distance)| Ok((name(py, handle)?, distance.distance))).transpose()
    }
}
