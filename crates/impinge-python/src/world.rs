//! Worlds of many bodies, for simulations.

use std::sync::Arc;

use impinge::math::DVec3;
use impinge::mesh::MaterialSet;
use impinge::query::{RayOptions, SweepOptions};
use impinge::transform::Placement;
use impinge::world::{
    Body, CollisionLayers, Contact, Handle, Kind, Move, SlideOptions, Snapshot, Step, StepOptions,
    World as Bodies, WorldOptions,
};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;

use crate::arrays::{rows, vector};
use crate::model::Model;
use crate::motions::Goal;
use crate::pairs::{contact_arrays, limit, verdict};
use crate::points::{one_pose, ray};
use crate::pool::pool;
use crate::poses::{Complaint, common_count};
use crate::read::matrix_of;
use crate::results;
use crate::sweeps;
use crate::volumes::{Volume, vector_of};

type Object<'py> = Bound<'py, PyAny>;

/// The name of a body in its world.
///
/// It names nothing once the body was removed, and nothing in other worlds, but for snapshots and copies of its own.
#[pyclass(frozen, eq, ord, hash, name = "Body", module = "impinge")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct BodyName(Handle);

#[pymethods]
impl BodyName {
    /// The number of the body in its world. Numbers of bodies that were removed are used again.
    #[getter]
    fn index(&self) -> u32 {
        self.0.index()
    }

    fn __repr__(&self) -> String {
        format!("<impinge.Body {}>", self.0)
    }
}

/// A world as it was.
#[pyclass(frozen, name = "Snapshot", module = "impinge")]
pub(crate) struct WorldSnapshot(Snapshot);

/// A collision world of many bodies: insert them, move them, be told what they hit.
///
/// No two solid bodies interpenetrate as long as none is inserted or teleported into another: `move`, `slide` and `step` leave a body only where
/// the exact test finds it free. What a world does depends on the calls alone, not on the number of threads. One thread at a time may use it.
///
/// >>> import impinge
/// >>> world = impinge.World()
/// >>> floor = world.insert(impinge.box([-9, -9, -1], [9, 9, 0]), kind="fixed")
/// >>> crate = world.insert(impinge.box([0, 0, 0], [1, 1, 1]), impinge.translation([0, 0, 4]))
/// >>> moved = world.move(crate, by=[0, 0, -20])
/// >>> round(moved.fraction, 6), moved.hits[0].body == floor
/// (0.2, True)
#[pyclass(module = "impinge")]
pub(crate) struct World {
    bodies: Bodies,
}

fn refused(error: &impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn name<'py>(py: Python<'py>, handle: Handle) -> PyResult<Bound<'py, BodyName>> {
    Bound::new(py, BodyName(handle))
}

fn names(py: Python<'_>, handles: impl IntoIterator<Item = Handle>) -> PyResult<Vec<Bound<'_, BodyName>>> {
    handles.into_iter().map(|handle| name(py, handle)).collect()
}

fn pose<'py>(py: Python<'py>, placement: &Placement) -> PyResult<Object<'py>> {
    Ok(rows(py, matrix_of(placement.world_from_model()).to_vec())?.into_any())
}

#[pymethods]
impl World {
    /// An empty world.
    ///
    /// Bodies are in contact within `contact_distance`; moving ones stop a `margin` away from others, and fall asleep after so many steps without a move.
    #[new]
    #[pyo3(signature = (*, contact_distance = None, margin = 0.0, sleep_after = 30))]
    fn new(contact_distance: Option<f64>, margin: f64, sleep_after: u32) -> PyResult<World> {
        let usual = WorldOptions::new();
        let contact_distance = contact_distance.unwrap_or(usual.contact_distance);
        limit("contact_distance", contact_distance)?;
        limit("margin", margin)?;
        if contact_distance.is_infinite() || margin.is_infinite() {
            return Err(PyValueError::new_err("contact_distance and margin must be finite"));
        }
        let options = usual.contact_distance(contact_distance).margin(margin).sleep_after(sleep_after);
        Ok(World { bodies: Bodies::with_options(options) })
    }

    /// Inserts a body and returns its name. Of the kinds, `moving` moves and is stopped, `kinematic` moves as it is told, carries and pushes, `fixed` stops others, and `sensor` tells what is in it.
    ///
    /// Bodies collide where each is in a layer of the other's mask; layers are the bits of a number. Faces of others that have one of `ignored_materials`, from 0 to
    /// 63, are not there for the body: bullets pass through glass that stops players.
    ///
    /// >>> import impinge
    /// >>> world = impinge.World()
    /// >>> world.insert(impinge.box([0, 0, 0], [1, 1, 1]), kind="fixed")
    /// <impinge.Body 0.0>
    #[pyo3(signature = (model, pose = None, *, kind = "moving", layers = 1, mask = u32::MAX, ignored_materials = Vec::new()))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn insert<'py>(
        &mut self,
        py: Python<'py>,
        model: &Bound<'py, Model>,
        pose: Option<&Bound<'py, PyAny>>,
        kind: &str,
        layers: u32,
        mask: u32,
        ignored_materials: Vec<u32>,
    ) -> PyResult<Bound<'py, BodyName>> {
        let (model, at) = (Arc::clone(&model.get().prepared), one_pose(pose)?);
        let ignored = MaterialSet::of(ignored_materials).map_err(|error| refused(&error))?;
        let body = Body::moving(model, at).of_kind(kind_of(kind)?).ignoring_materials(ignored);
        let body = body.in_layers(CollisionLayers { memberships: layers, mask });
        name(py, self.bodies.insert(body).map_err(|error| refused(&error))?)
    }

    /// Sets the layers that a body is in and the mask of those that it collides with. What touches it wakes up.
    ///
    /// >>> import impinge
    /// >>> world = impinge.World()
    /// >>> body = world.insert(impinge.box([0, 0, 0], [1, 1, 1]))
    /// >>> world.set_layers(body, layers=2, mask=1)
    #[pyo3(signature = (body, *, layers = 1, mask = u32::MAX))]
    fn set_layers(&mut self, body: &Bound<'_, BodyName>, layers: u32, mask: u32) -> PyResult<()> {
        let layers = CollisionLayers { memberships: layers, mask };
        self.bodies.set_layers(body.get().0, layers).map_err(|error| refused(&error))
    }

    /// Sets the kind of a body: `moving`, `kinematic`, `fixed` or `sensor`. What touches it wakes up.
    ///
    /// >>> import impinge
    /// >>> world = impinge.World()
    /// >>> body = world.insert(impinge.box([0, 0, 0], [1, 1, 1]))
    /// >>> world.set_kind(body, "fixed")
    fn set_kind(&mut self, body: &Bound<'_, BodyName>, kind: &str) -> PyResult<()> {
        self.bodies.set_kind(body.get().0, kind_of(kind)?).map_err(|error| refused(&error))
    }

    /// Removes a body. Bodies that touched it wake up.
    ///
    /// >>> import impinge
    /// >>> world = impinge.World()
    /// >>> body = world.insert(impinge.box([0, 0, 0], [1, 1, 1]))
    /// >>> world.remove(body)
    /// >>> len(world), body in world
    /// (0, False)
    fn remove(&mut self, body: &Bound<'_, BodyName>) -> PyResult<()> {
        self.bodies.remove(body.get().0).map(|_| ()).map_err(|error| refused(&error))
    }

    /// The names of all bodies, in order.
    #[getter]
    fn bodies<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, BodyName>>> {
        names(py, self.bodies.iter().map(|(handle, _)| handle))
    }

    /// The pose of a body, (4, 4).
    ///
    /// >>> import impinge
    /// >>> world = impinge.World()
    /// >>> body = world.insert(impinge.box([0, 0, 0], [1, 1, 1]), impinge.translation([1, 2, 3]))
    /// >>> world.pose(body)[:3, 3]
    /// array([1., 2., 3.])
    fn pose<'py>(&self, py: Python<'py>, body: &Bound<'py, BodyName>) -> PyResult<Object<'py>> {
        pose(py, self.get(body)?.placement())
    }

    /// Whether a body sleeps: neither it nor anything that it touches has moved for a while.
    ///
    /// >>> import impinge
    /// >>> world = impinge.World(sleep_after=2)
    /// >>> body = world.insert(impinge.box([0, 0, 0], [1, 1, 1]))
    /// >>> steps = [world.step() for _ in range(4)]
    /// >>> world.is_asleep(body)
    /// True
    fn is_asleep(&self, body: &Bound<'_, BodyName>) -> PyResult<bool> {
        Ok(self.get(body)?.is_asleep())
    }

    /// Puts a body at a pose, whatever is there or on the way.
    ///
    /// >>> import impinge
    /// >>> world = impinge.World()
    /// >>> body = world.insert(impinge.box([0, 0, 0], [1, 1, 1]))
    /// >>> world.teleport(body, impinge.translation([5, 0, 0]))
    /// >>> world.pose(body)[:3, 3]
    /// array([5., 0., 0.])
    fn teleport(&mut self, body: &Bound<'_, BodyName>, pose: &Bound<'_, PyAny>) -> PyResult<()> {
        let at = one_pose(Some(pose))?;
        self.bodies.teleport(body.get().0, at).map_err(|error| refused(&error))
    }

    /// Moves a body until it touches another, or to the end: an `impinge.BodyMove`. The motion is that of `Model.sweep`.
    ///
    /// >>> import impinge
    /// >>> world = impinge.World()
    /// >>> body = world.insert(impinge.box([0, 0, 0], [1, 1, 1]))
    /// >>> world.move(body, by=[1, 0, 0]).status
    /// <SweepStatus.CLEAR: 0>
    #[pyo3(name = "move", signature = (body, by = None, to = None, *, rotate = None))]
    fn move_body<'py>(
        &mut self,
        py: Python<'py>,
        body: &Bound<'py, BodyName>,
        by: Option<&Bound<'py, PyAny>>,
        to: Option<&Bound<'py, PyAny>>,
        rotate: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Object<'py>> {
        let goal = Goal::read(by, rotate, to)?;
        let handle = body.get().0;
        let motion = goal.only("one body", self.get(body)?.placement())?;
        let (pool, bodies) = (pool()?, &mut self.bodies);
        let made = py.detach(|| pool.install(|| bodies.try_move(handle, &motion)));
        moved(py, &made.map_err(|error| refused(&error))?)
    }

    /// Moves a body along a line, and slides it along everything that it hits: an `impinge.BodySlide`.
    ///
    /// Steps up to `step_up` are taken, where the floor on them is no steeper than the cosine `floor` of its normal and the way `up`.
    ///
    /// >>> import impinge
    /// >>> world = impinge.World()
    /// >>> wall = world.insert(impinge.box([2, -9, -9], [3, 9, 9]), kind="fixed")
    /// >>> body = world.insert(impinge.box([0, 0, 0], [1, 1, 1]))
    /// >>> world.slide(body, [3, 3, 0]).moved.round(6)
    /// array([1., 3., 0.])
    #[pyo3(signature = (body, by, *, up = None, step_up = 0.0, floor = 0.7))]
    fn slide<'py>(
        &mut self,
        py: Python<'py>,
        body: &Bound<'py, BodyName>,
        by: &Bound<'py, PyAny>,
        up: Option<&Bound<'py, PyAny>>,
        step_up: f64,
        floor: f64,
    ) -> PyResult<Object<'py>> {
        let by = finite("by", vector_of("by", by)?)?;
        limit("step_up", step_up)?;
        let options = SlideOptions::new().up(way_up(up)?).step_up(step_up).floor(floor);
        let (handle, bodies, pool) = (body.get().0, &mut self.bodies, pool()?);
        let slid = py.detach(|| pool.install(|| bodies.slide(handle, by, &options)));
        let slid = slid.map_err(|error| refused(&error))?;
        let met = slid.met.iter().map(|(other, normal)| Ok((name(py, *other)?, vector(py, *normal))));
        let met: Vec<_> = met.collect::<PyResult<_>>()?;
        results::body_slide(py, (pose(py, &slid.placement)?, vector(py, slid.moved), met, slid.stepped))
    }

    /// Moves some bodies at once, each by its row of `by`, `rotate` or `to`, and tells what began and ended to touch: an `impinge.WorldStep`.
    ///
    /// What meets something stops, or slides along as many as `planes`; the rest goes on. Kinematic bodies carry what stands on them, where its floor is no steeper than the
    /// cosine `floor` of its normal and the way `up`, and push what is in their way.
    ///
    /// >>> import impinge
    /// >>> world = impinge.World()
    /// >>> floor = world.insert(impinge.box([-9, -9, -1], [9, 9, 0]), kind="fixed")
    /// >>> crate = world.insert(impinge.box([0, 0, 0], [1, 1, 1]), impinge.translation([0, 0, 4]))
    /// >>> step = world.step([crate], by=[[0, 0, -9]])
    /// >>> [contact.bodies == (floor, crate) for contact in step.began]
    /// [True]
    /// >>> lift = world.insert(impinge.box([2, 0, 0], [4, 1, 1]), impinge.translation([0, 0, 0.5]), kind="kinematic")
    /// >>> rider = world.insert(impinge.box([2, 0, 2], [3, 1, 3]))
    /// >>> _ = world.step([rider], by=[[0, 0, -1]])
    /// >>> up = world.step([lift], by=[[0, 0, 2]])
    /// >>> [move.body == rider for move in up.carried], world.pose(rider)[:3, 3].round(6)
    /// ([True], array([0. , 0. , 1.5]))
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what it made of the arguments")]
    #[expect(clippy::too_many_arguments, reason = "a step has that much to tell")]
    #[pyo3(signature = (bodies = Vec::new(), by = None, to = None, *, rotate = None, planes = 0, up = None, floor = 0.7))]
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        bodies: Vec<Bound<'py, BodyName>>,
        by: Option<&Bound<'py, PyAny>>,
        to: Option<&Bound<'py, PyAny>>,
        rotate: Option<&Bound<'py, PyAny>>,
        planes: usize,
        up: Option<&Bound<'py, PyAny>>,
        floor: f64,
    ) -> PyResult<Object<'py>> {
        let options = StepOptions::new().planes(planes).up(way_up(up)?).floor(floor);
        let mut moves = Vec::with_capacity(bodies.len());
        if !bodies.is_empty() {
            let goal = Goal::read(by, rotate, to)?;
            let [first, second] = goal.counts();
            common_count(&[("bodies", Some(bodies.len())), first, second])?;
            for (index, body) in bodies.iter().enumerate() {
                let motion = goal.motion(index, self.get(body)?.placement()).map_err(complain)?;
                moves.push((body.get().0, motion));
            }
        }
        let (pool, world) = (pool()?, &mut self.bodies);
        let step = py.detach(|| pool.install(|| world.step_with(&moves, &options)));
        stepped(py, &step.map_err(|error| refused(&error))?)
    }

    /// The contacts as of the last step: a list of `impinge.BodyContact`.
    #[getter]
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Vec<Object<'py>>> {
        self.bodies.contacts().iter().map(|pair| contact(py, pair)).collect()
    }

    /// The pairs of solid bodies that overlap: none but for what was inserted or teleported into others.
    ///
    /// >>> import impinge
    /// >>> world, box = impinge.World(), impinge.box([0, 0, 0], [1, 1, 1])
    /// >>> a, b = world.insert(box), world.insert(box, impinge.translation([0.5, 0, 0]))
    /// >>> world.overlaps() == [(a, b)]
    /// True
    fn overlaps<'py>(&self, py: Python<'py>) -> PyResult<Vec<(Bound<'py, BodyName>, Bound<'py, BodyName>)>> {
        let found = py.detach(|| self.bodies.overlaps());
        found.into_iter().map(|[a, b]| Ok((name(py, a)?, name(py, b)?))).collect()
    }

    /// Moves a body that overlaps others to a free place and returns the distance; None, with nothing moved, where there is none within `at_most`.
    ///
    /// >>> import impinge
    /// >>> world, box = impinge.World(), impinge.box([0, 0, 0], [1, 1, 1])
    /// >>> a, b = world.insert(box), world.insert(box, impinge.translation([0.5, 0, 0]))
    /// >>> world.resolve_overlap(b, 2.0) <= 1.0, world.overlaps()
    /// (True, [])
    fn resolve_overlap(
        &mut self,
        py: Python<'_>,
        body: &Bound<'_, BodyName>,
        at_most: f64,
    ) -> PyResult<Option<f64>> {
        limit("at_most", at_most)?;
        let (handle, bodies) = (body.get().0, &mut self.bodies);
        let found = py.detach(|| bodies.resolve_overlap(handle, at_most));
        Ok(found.map_err(|error| refused(&error))?.map(|resolved| resolved.distance))
    }

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

    /// The first body that a ray hits: an `impinge.BodyRayHit`; None where it hits nothing.
    ///
    /// >>> import impinge
    /// >>> world = impinge.World()
    /// >>> body = world.insert(impinge.box([0, 0, 0], [1, 1, 1]))
    /// >>> hit = world.cast_ray([0.25, 0.5, 5], [0, 0, -1])
    /// >>> hit.body == body, hit.t
    /// (True, 4.0)
    #[pyo3(signature = (origin, direction, *, max_t = f64::INFINITY, cull_back = false))]
    fn cast_ray<'py>(
        &self,
        py: Python<'py>,
        origin: &Bound<'py, PyAny>,
        direction: &Bound<'py, PyAny>,
        max_t: f64,
        cull_back: bool,
    ) -> PyResult<Option<Object<'py>>> {
        let ray = ray(vector_of("origin", origin)?, vector_of("direction", direction)?, max_t)?;
        let options = RayOptions::new().cull_back(cull_back);
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

    /// How far a model that is not in the world could move, as the body that stops it and an `impinge.Sweep`; None where nothing is in its way.
    ///
    /// >>> import impinge
    /// >>> world = impinge.World()
    /// >>> wall = world.insert(impinge.box([3, -9, -9], [4, 9, 9]), kind="fixed")
    /// >>> body, sweep = world.sweep(impinge.box([0, 0, 0], [1, 1, 1]), by=[4, 0, 0])
    /// >>> body == wall, round(sweep.fraction, 6)
    /// (True, 0.5)
    #[pyo3(signature = (model, by = None, to = None, pose = None, *, rotate = None, margin = 0.0))]
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
    ) -> PyResult<Option<(Bound<'py, BodyName>, Object<'py>)>> {
        sweeps::check_margin(margin)?;
        let (goal, start) = (Goal::read(by, rotate, to)?, one_pose(pose)?);
        let motion = goal.only("one model", &start)?;
        let (moving, options) = (model.get().prepared.at(start), SweepOptions::new().margin(margin));
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

    /// The world as it is now. Models are shared, so that it is cheap.
    ///
    /// >>> import impinge
    /// >>> world = impinge.World()
    /// >>> body = world.insert(impinge.box([0, 0, 0], [1, 1, 1]))
    /// >>> before = world.snapshot()
    /// >>> moved = world.move(body, by=[1, 0, 0])
    /// >>> world.restore(before)
    /// >>> world.pose(body)[:3, 3]
    /// array([0., 0., 0.])
    fn snapshot(&self) -> WorldSnapshot {
        WorldSnapshot(self.bodies.snapshot())
    }

    /// Goes back to a snapshot, names of bodies included: the same calls from there give the same answers.
    fn restore(&mut self, snapshot: &WorldSnapshot) {
        self.bodies.restore(&snapshot.0);
    }

    /// A number that is the same for worlds in the same state, bit by bit, and hardly ever for others.
    fn state_hash(&self) -> u64 {
        self.bodies.hash()
    }

    fn __len__(&self) -> usize {
        self.bodies.len()
    }

    fn __contains__(&self, body: &Bound<'_, BodyName>) -> bool {
        self.bodies.get(body.get().0).is_ok()
    }

    /// A world of its own with the same bodies, under the same names.
    fn __copy__(&self) -> World {
        World { bodies: self.bodies.clone() }
    }

    /// A world of its own with the same bodies, under the same names.
    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> World {
        self.__copy__()
    }

    fn __repr__(&self) -> String {
        format!("<impinge.World: {} bodies>", self.bodies.len())
    }
}

impl World {
    fn get(&self, body: &Bound<'_, BodyName>) -> PyResult<&Body> {
        self.bodies.get(body.get().0).map_err(|error| PyKeyError::new_err(error.to_string()))
    }
}

/// The kind of bodies of a name.
fn kind_of(name: &str) -> PyResult<Kind> {
    match name {
        "moving" => Ok(Kind::Moving),
        "fixed" => Ok(Kind::Fixed),
        "sensor" => Ok(Kind::Sensor),
        "kinematic" => Ok(Kind::Kinematic),
        other => {
            let message =
                format!("kind is {other:?}, but must be 'moving', 'kinematic', 'fixed' or 'sensor'");
            Err(PyValueError::new_err(message))
        }
    }
}

fn complain(Complaint(message): Complaint) -> PyErr {
    PyValueError::new_err(message)
}

fn finite(name: &str, vector: DVec3) -> PyResult<DVec3> {
    if vector.is_finite() {
        return Ok(vector);
    }
    Err(PyValueError::new_err(format!("{name} is {:?}, which is not finite", vector.to_array())))
}

fn moved<'py>(py: Python<'py>, made: &Move) -> PyResult<Object<'py>> {
    let hits = made.hits.iter().map(|hit| {
        let point = hit.hit.as_ref().map(|hit| vector(py, hit.point_on_stationary));
        let normal = hit.hit.as_ref().map(|hit| vector(py, hit.normal));
        results::body_hit(py, (name(py, hit.other)?, point, normal))
    });
    let hits: Vec<_> = hits.collect::<PyResult<_>>()?;
    let status = sweeps::status(py, made.status)?;
    let at = pose(py, &made.placement)?;
    results::body_move(py, (name(py, made.handle)?, status, made.fraction, at, hits, made.wedged))
}

fn contact<'py>(py: Python<'py>, contact: &Contact) -> PyResult<Object<'py>> {
    let [a, b] = contact.bodies;
    results::body_contact(py, ((name(py, a)?, name(py, b)?), contact.is_sensed))
}

/// The way up, of length 1; along z by default.
fn way_up(up: Option<&Bound<'_, PyAny>>) -> PyResult<DVec3> {
    let up = up.map_or(Ok(DVec3::Z), |up| finite("up", vector_of("up", up)?))?;
    up.try_normalize().ok_or_else(|| PyValueError::new_err("up has no length"))
}

fn stepped<'py>(py: Python<'py>, step: &Step) -> PyResult<Object<'py>> {
    let contacts = |list: &[Contact]| list.iter().map(|pair| contact(py, pair)).collect::<PyResult<Vec<_>>>();
    let moves = |list: &[Move]| list.iter().map(|made| moved(py, made)).collect::<PyResult<Vec<_>>>();
    let (moves, carried) = (moves(&step.moves)?, moves(&step.carried)?);
    let (began, ended) = (contacts(&step.began)?, contacts(&step.ended)?);
    results::world_step(py, (moves, carried, began, ended, names(py, step.asleep.iter().copied())?))
}
