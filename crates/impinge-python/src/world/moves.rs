//! Moves of bodies in a world: one at a time, or everything at once.

use impinge::math::DVec3;
use impinge::world::{Contact, CrushRule, Crushed, Ground, Handle, Move, SlideOptions, Step, StepOptions};
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::{BodyName, Object, World, contact, finite, name, names, pose, refused, way_up};
use crate::arrays::vector;
use crate::motions::Goal;
use crate::pairs::limit;
use crate::points::one_pose;
use crate::pool::pool;
use crate::poses::{Complaint, common_count};
use crate::results;
use crate::sweeps;
use crate::volumes::vector_of;

#[pymethods]
impl World {
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
    /// Steps up to `step_up` are taken, where the floor on them is no steeper than the cosine `floor` of its normal and the way `up`. The body is put on the ground
    /// within `snap` below, and is deflected at most `planes` times. An `impinge.Character` is made of such moves.
    ///
    /// >>> import impinge
    /// >>> world = impinge.World()
    /// >>> wall = world.insert(impinge.box([2, -9, -9], [3, 9, 9]), kind="fixed")
    /// >>> body = world.insert(impinge.box([0, 0, 0], [1, 1, 1]))
    /// >>> world.slide(body, [3, 3, 0]).moved.round(6)
    /// array([1., 3., 0.])
    #[pyo3(signature = (body, by, *, up = None, step_up = 0.0, floor = 0.7, snap = 0.0, planes = 5))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn slide<'py>(
        &mut self,
        py: Python<'py>,
        body: &Bound<'py, BodyName>,
        by: &Bound<'py, PyAny>,
        up: Option<&Bound<'py, PyAny>>,
        step_up: f64,
        floor: f64,
        snap: f64,
        planes: usize,
    ) -> PyResult<Object<'py>> {
        let by = finite("by", vector_of("by", by)?)?;
        limit("step_up", step_up)?;
        limit("snap", snap)?;
        let options = SlideOptions::new().up(way_up(up)?).step_up(step_up).floor(floor);
        let options = options.snap(snap).planes(planes);
        let (handle, bodies, pool) = (body.get().0, &mut self.bodies, pool()?);
        let slid = py.detach(|| pool.install(|| bodies.slide(handle, by, &options)));
        let slid = slid.map_err(|error| refused(&error))?;
        let (met, ground) = (met_bodies(py, &slid.met)?, ground(py, slid.ground)?);
        let started_overlapping = slid.started_overlapping;
        let (at, moved) = (pose(py, &slid.placement)?, vector(py, slid.moved));
        results::body_slide(py, (at, moved, met, slid.stepped, started_overlapping, ground))
    }

    /// Moves some bodies at once, each by its row of `by`, `rotate` or `to`, and tells what began and ended to touch: an `impinge.WorldStep`.
    ///
    /// What meets something stops, or slides along as many as `planes`; the rest goes on. Kinematic bodies carry what stands on them, where its floor is no steeper than the
    /// cosine `floor` of its normal and the way `up`, and push what is in their way. What has no room to give way stops them, or with `crush="crush"` they go on through it.
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
    #[pyo3(signature = (bodies = Vec::new(), by = None, to = None, *, rotate = None, planes = 0, up = None, floor = 0.7, crush = "stop"))]
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
        crush: &str,
    ) -> PyResult<Object<'py>> {
        let options =
            StepOptions::new().planes(planes).up(way_up(up)?).floor(floor).crush(crush_rule(crush)?);
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
}

/// The rule for what has no room to give way, by its name.
fn crush_rule(name: &str) -> PyResult<CrushRule> {
    match name {
        "stop" => Ok(CrushRule::Stop),
        "crush" => Ok(CrushRule::Crush),
        other => Err(PyValueError::new_err(format!("crush is {other:?}, but must be 'stop' or 'crush'"))),
    }
}

fn complain(Complaint(message): Complaint) -> PyErr {
    PyValueError::new_err(message)
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

fn stepped<'py>(py: Python<'py>, step: &Step) -> PyResult<Object<'py>> {
    let contacts = |list: &[Contact]| list.iter().map(|pair| contact(py, pair)).collect::<PyResult<Vec<_>>>();
    let moves = |list: &[Move]| list.iter().map(|made| moved(py, made)).collect::<PyResult<Vec<_>>>();
    let (moves, carried) = (moves(&step.moves)?, moves(&step.carried)?);
    let (began, ended) = (contacts(&step.began)?, contacts(&step.ended)?);
    let crushed = step.crushed.iter().map(|Crushed { by, body, time, .. }| {
        results::crushed(py, (name(py, *by)?, name(py, *body)?, *time))
    });
    let crushed: Vec<_> = crushed.collect::<PyResult<_>>()?;
    let asleep = names(py, step.asleep.iter().copied())?;
    results::world_step(py, (moves, carried, began, ended, asleep, crushed))
}

/// A body that was met, with the normal.
pub(super) type MetBody<'py> = (Bound<'py, BodyName>, Bound<'py, PyArray1<f64>>);

/// Bodies that were met, with normals.
pub(super) fn met_bodies<'py>(py: Python<'py>, met: &[(Handle, DVec3)]) -> PyResult<Vec<MetBody<'py>>> {
    met.iter().map(|(other, normal)| Ok((name(py, *other)?, vector(py, *normal)))).collect()
}

pub(super) fn ground<'py>(py: Python<'py>, ground: Option<Ground>) -> PyResult<Option<Object<'py>>> {
    let Some(Ground { body, normal, point, is_steep, .. }) = ground else { return Ok(None) };
    results::ground(py, (name(py, body)?, vector(py, normal), vector(py, point), is_steep)).map(Some)
}
