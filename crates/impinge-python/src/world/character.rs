//! Characters: controllers of bodies that walk.

use impinge::world::{Character as Walker, CharacterOptions};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::moves::{ground, met_bodies};
use super::{BodyName, Object, World, finite, name, pose, refused, way_up};
use crate::arrays::vector;
use crate::model::Model;
use crate::pairs::limit;
use crate::pool::pool;
use crate::results;
use crate::volumes::vector_of;

/// A controller of a body in a world that walks: it slides along walls, climbs steps, keeps to the ground, and falls where there is none.
///
/// `update` moves the body past others as they stand. Lifts carry it and doors push it in `World.step`, as they do other bodies. The body is any moving one: a box, a ball,
/// a capsule, any solid. Its origin should be between its feet. Steps up to the height `step_up` are taken, slopes up to `steepest` degrees are walked on, the ground is kept to
/// within `snap` below, `gravity` accelerates falls against the way `up`, and a move is deflected at most `planes` times.
///
/// >>> import impinge
/// >>> world = impinge.World()
/// >>> floor = world.insert(impinge.box([-9, -9, -1], [9, 9, 0]), kind="fixed")
/// >>> step = world.insert(impinge.box([1, -9, 0], [9, 9, 0.2]), kind="fixed")
/// >>> player = impinge.Character(world.insert(impinge.capsule([0, 0, 0.3], [0, 0, 1.5], 0.3)))
/// >>> for _ in range(60):
/// ...     walked = player.update(world, [2, 0, 0], 1 / 60)
/// >>> walked.is_grounded, world.pose(player.body)[:3, 3].round(3)
/// (True, array([2. , 0. , 0.2]))
#[pyclass(module = "impinge")]
pub(crate) struct Character {
    walker: Walker,
}

#[pymethods]
impl Character {
    /// A character that moves a body. Lengths are in meters by default, and z is up.
    #[new]
    #[pyo3(signature = (body, *, up = None, step_up = 0.35, steepest = 45.0, snap = 0.35, gravity = 9.81, planes = 5))]
    fn new(
        body: &Bound<'_, BodyName>,
        up: Option<&Bound<'_, PyAny>>,
        step_up: f64,
        steepest: f64,
        snap: f64,
        gravity: f64,
        planes: usize,
    ) -> PyResult<Character> {
        let options = CharacterOptions::new().up(way_up(up)?).step_up(step_up).steepest(steepest);
        let options = checked(options.snap(snap).gravity(gravity).planes(planes))?;
        Ok(Character { walker: Walker::with_options(body.get().0, options) })
    }

    /// Changes options from the next update on; what is not given stays.
    ///
    /// >>> import impinge
    /// >>> player = impinge.Character(impinge.World().insert(impinge.ball(0.5)))
    /// >>> player.set_options(step_up=0.5, gravity=1.6)
    #[pyo3(signature = (*, up = None, step_up = None, steepest = None, snap = None, gravity = None, planes = None))]
    fn set_options(
        &mut self,
        up: Option<&Bound<'_, PyAny>>,
        step_up: Option<f64>,
        steepest: Option<f64>,
        snap: Option<f64>,
        gravity: Option<f64>,
        planes: Option<usize>,
    ) -> PyResult<()> {
        let before = *self.walker.options();
        let up = up.map_or(Ok(before.up), |up| way_up(Some(up)))?;
        let options = CharacterOptions::new()
            .up(up)
            .step_up(step_up.unwrap_or(before.step_up))
            .steepest(steepest.unwrap_or(before.steepest))
            .snap(snap.unwrap_or(before.snap))
            .gravity(gravity.unwrap_or(before.gravity))
            .planes(planes.unwrap_or(before.planes));
        self.walker.set_options(checked(options)?);
        Ok(())
    }

    /// The body that the character moves.
    #[getter]
    fn body<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, BodyName>> {
        name(py, self.walker.body())
    }

    /// Whether the character stood on the ground after the last update.
    #[getter]
    fn is_grounded(&self) -> bool {
        self.walker.is_grounded()
    }

    /// The ground after the last update: an `impinge.Ground`, or None.
    #[getter]
    fn ground<'py>(&self, py: Python<'py>) -> PyResult<Option<Object<'py>>> {
        ground(py, self.walker.ground().copied())
    }

    /// The velocity upwards; negative in a fall, and zero on the ground.
    #[getter]
    fn rising(&self) -> f64 {
        self.walker.rising()
    }

    /// Whether the character crouches.
    #[getter]
    fn is_crouching(&self) -> bool {
        self.walker.is_crouching()
    }

    /// Moves the character for a time by the velocity that is wished for: an `impinge.CharacterStep`. Only the level part of that counts: it falls and jumps by itself.
    ///
    /// >>> import impinge
    /// >>> world = impinge.World()
    /// >>> wall = world.insert(impinge.box([2, -9, -9], [3, 9, 9]), kind="fixed")
    /// >>> player = impinge.Character(world.insert(impinge.box([0, 0, 0], [1, 1, 1])), gravity=0.0)
    /// >>> step = player.update(world, [3, 3, 0], 1.0)
    /// >>> step.moved.round(6), [body == wall for body, normal in step.met]
    /// (array([1., 3., 0.]), [True])
    fn update<'py>(
        &mut self,
        py: Python<'py>,
        world: &Bound<'py, World>,
        wish: &Bound<'py, PyAny>,
        seconds: f64,
    ) -> PyResult<Object<'py>> {
        let wish = finite("wish", vector_of("wish", wish)?)?;
        limit("seconds", seconds)?;
        let mut world = world.try_borrow_mut()?;
        let (walker, bodies, pool) = (&mut self.walker, &mut world.bodies, pool()?);
        let step = py.detach(|| pool.install(|| walker.update(bodies, wish, seconds)));
        let step = step.map_err(|error| refused(&error))?;
        let moved = (vector(py, step.moved), pose(py, &step.placement)?);
        let met = met_bodies(py, &step.met)?;
        let stands = (step.is_grounded, ground(py, step.ground)?, vector(py, step.ground_velocity));
        let how =
            (moved.0, moved.1, stands.0, stands.1, stands.2, met, step.stepped, step.started_overlapping);
        results::character_step(py, how)
    }

    /// Leaves the ground with a velocity upwards, whether there is one or not: ask `is_grounded` before.
    ///
    /// >>> import impinge
    /// >>> world = impinge.World()
    /// >>> player = impinge.Character(world.insert(impinge.ball(0.5)))
    /// >>> player.jump(4.0)
    /// >>> bool(player.update(world, [0, 0, 0], 0.1).moved[2] > 0), player.rising < 4.0
    /// (True, True)
    fn jump(&mut self, velocity: f64) -> PyResult<()> {
        if !velocity.is_finite() {
            return Err(PyValueError::new_err(format!("velocity is {velocity}, which is not finite")));
        }
        self.walker.jump(velocity);
        Ok(())
    }

    /// Takes on a lower shape, and remembers the one to stand up to. Its feet should be where those of the other are. False, with nothing changed, where the exact test finds no
    /// room for it.
    ///
    /// >>> import impinge
    /// >>> world = impinge.World()
    /// >>> player = impinge.Character(world.insert(impinge.box([0, 0, 0], [1, 1, 2])))
    /// >>> player.crouch(world, impinge.box([0, 0, 0], [1, 1, 1]))
    /// True
    /// >>> roof = world.insert(impinge.box([0, 0, 1.5], [1, 1, 3]), kind="fixed")
    /// >>> player.stand_up(world), player.is_crouching
    /// (False, True)
    fn crouch(&mut self, py: Python<'_>, world: &Bound<'_, World>, low: &Bound<'_, Model>) -> PyResult<bool> {
        let low = low.get().prepared.clone();
        let mut world = world.try_borrow_mut()?;
        let (walker, bodies) = (&mut self.walker, &mut world.bodies);
        py.detach(|| walker.crouch(bodies, low)).map_err(|error| refused(&error))
    }

    /// Stands up where there is room by the exact test; False, with nothing changed, where there is none.
    ///
    /// >>> import impinge
    /// >>> world = impinge.World()
    /// >>> player = impinge.Character(world.insert(impinge.box([0, 0, 0], [1, 1, 2])))
    /// >>> player.crouch(world, impinge.box([0, 0, 0], [1, 1, 1])), player.stand_up(world), player.is_crouching
    /// (True, True, False)
    fn stand_up(&mut self, py: Python<'_>, world: &Bound<'_, World>) -> PyResult<bool> {
        let mut world = world.try_borrow_mut()?;
        let (walker, bodies) = (&mut self.walker, &mut world.bodies);
        py.detach(|| walker.stand_up(bodies)).map_err(|error| refused(&error))
    }

    /// A character of its own in the same state: what goes back with a `Snapshot` of its world.
    fn __copy__(&self) -> Character {
        Character { walker: self.walker.clone() }
    }

    /// A character of its own in the same state.
    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Character {
        self.__copy__()
    }

    fn __repr__(&self) -> String {
        let how = if self.walker.is_grounded() { "on the ground" } else { "in the air" };
        format!("<impinge.Character: body {}, {how}>", self.walker.body())
    }
}

/// The options, if their lengths are some.
fn checked(options: CharacterOptions) -> PyResult<CharacterOptions> {
    for (name, length) in
        [("step_up", options.step_up), ("steepest", options.steepest), ("snap", options.snap)]
    {
        limit(name, length)?;
        if length.is_infinite() {
            return Err(PyValueError::new_err(format!("{name} is infinite")));
        }
    }
    if !options.gravity.is_finite() {
        return Err(PyValueError::new_err(format!("gravity is {}, which is not finite", options.gravity)));
    }
    Ok(options)
}
