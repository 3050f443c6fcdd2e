//! Worlds of many bodies, for simulations.

mod moves;
mod queries;
mod character;

use std::sync::Arc;

use impinge::math::DVec3;
use impinge::mesh::MaterialSet;
use impinge::transform::Placement;
use impinge::world::{Body, CollisionLayers, Contact, Handle, Kind, Snapshot, World as Bodies, WorldOptions};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;

use crate::arrays::rows;
use crate::model::Model;
use crate::pairs::limit;
use crate::points::one_pose;
use crate::read::matrix_of;
use crate::results;
use crate::volumes::vector_of;

pub(crate) use character::Character;

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

fn contact<'py>(py: Python<'py>, contact: &Contact) -> PyResult<Object<'py>> {
    let [a, b] = contact.bodies;
    results::body_contact(py, ((name(py, a)?, name(py, b)?), contact.is_sensed))
}

fn finite(name: &str, vector: DVec3) -> PyResult<DVec3> {
    if vector.is_finite() {
        return Ok(vector);
    }
    Err(PyValueError::new_err(format!("{name} is {:?}, which is not finite", vector.to_array())))
}

/// The way up, of length 1; along z by default.
fn way_up(up: Option<&Bound<'_, PyAny>>) -> PyResult<DVec3> {
    let up = up.map_or(Ok(DVec3::Z), |up| finite("up", vector_of("up", up)?))?;
    up.try_normalize().ok_or_else(|| PyValueError::new_err("up has no length"))
}
