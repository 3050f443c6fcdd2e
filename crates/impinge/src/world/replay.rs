//! Logs and snapshots: the calls that made a world, to replay them; and a world as it was, to restore.

use super::{
    Body, CollisionLayers, Handle, Kind, SlideOptions, StepOptions, World, WorldError, WorldOptions,
};
use crate::mesh::MaterialSet;
use impinge_core::math::DVec3;
use impinge_core::transform::{Motion, Placement};

/// A call that changes a world.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[allow(missing_docs, reason = "each is the method of that name, with its arguments")]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub enum Call {
    Insert(Body),
    Remove(Handle),
    Teleport(Handle, Placement),
    Deform(Handle, Vec<DVec3>),
    Move(Handle, Motion),
    Slide(Handle, DVec3, SlideOptions),
    TryTeleport(Vec<(Handle, Placement)>),
    Unstick(Handle, f64),
    WakeUp(Handle),
    SetLayers(Handle, CollisionLayers),
    SetIgnoredMaterials(Handle, MaterialSet),
    SetKind(Handle, Kind),
    SetData(Handle, u64),
    Replace(Handle, Body),
    TryReplace(Handle, Body),
    Step(Vec<(Handle, Motion)>),
    StepWith(Vec<(Handle, Motion)>, StepOptions),
}

/// All calls since a world was empty, failed ones included; written and read with the feature `serde`, models that bodies share once. A [filter](World::set_filter) that the user set is none of them.
#[derive(Clone, Debug)]
pub struct Log {
    options: WorldOptions,
    calls: Vec<Call>,
}

/// A snapshot of a world. With the feature `serde` it is written and read, models that bodies share once: a world that goes on from what was read does the same,
/// bit by bit. A [filter](World::set_filter) of the user's is code, and not written.
///
/// ```
/// use std::sync::Arc;
/// use impinge::world::{Body, Snapshot, World};
/// use impinge::{Model, Motion, Trs, shapes};
///
/// let mut world = World::new();
/// let cube = Arc::new(Model::new(shapes::cuboid([-0.5; 3], [0.5; 3])?));
/// let left = world.insert(Body::moving(Arc::clone(&cube), Trs::IDENTITY))?;
/// world.insert(Body::fixed(cube, Trs::translation([3.0, 0.1, 0.0])?))?;
/// world.step(&[(left, Motion::translation([0.5, 0.2, 0.1])?)])?;
///
/// // Save, load, go on.
/// let text = serde_json::to_string(&world.snapshot())?;
/// let mut again = World::from(&serde_json::from_str::<Snapshot>(&text)?);
/// let there = again.counterpart(left)?;
/// let on = Motion::translation([5.0, 0.0, 0.0])?;
/// assert_eq!(world.step(&[(left, on)])?, again.step(&[(there, on)])?);
/// assert_eq!(world.hash(), again.hash());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Snapshot {
    world: Box<World>,
    /// Whether the filter is that of the world that it was taken of; else it was read.
    has_code: bool,
}

impl From<&Snapshot> for World {
    /// The world as it was.
    fn from(snapshot: &Snapshot) -> World {
        (*snapshot.world).clone()
    }
}

#[cfg(feature = "serde")]
impl Snapshot {
    /// A snapshot that was read.
    pub(super) fn without_code(world: World) -> Snapshot {
        Snapshot { world: Box::new(world), has_code: false }
    }

    pub(super) fn world(&self) -> &World {
        &self.world
    }
}

impl World {
    /// Begins to record all calls. Only a world that is empty can be made again from them.
    pub fn record(&mut self) {
        self.log = Some(Vec::new());
    }

    /// Ends the recording, and returns the calls since [`record`](Self::record).
    pub fn take_log(&mut self) -> Option<Log> {
        Some(Log { options: self.options, calls: self.log.take()? })
    }

    pub(super) fn note(&mut self, call: impl FnOnce() -> Call) {
        if let Some(log) = &mut self.log {
            log.push(call());
        }
    }

    /// A snapshot of the world as it is. Models are shared, so that it is cheap; deformables are copied.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { world: Box::new(World { log: None, ..self.clone() }), has_code: true }
    }

    /// Restores a snapshot, handles included: the same calls from there give the same answers. Handles of bodies that came in between
    /// name nothing. Statistics go on, and a log ends. A snapshot that was read has no [filter](Self::set_filter): that of the world stays, and handles are found by
    /// [`counterpart`](Self::counterpart).
    #[doc(alias = "rollback")]
    pub fn restore(&mut self, snapshot: &Snapshot) {
        let statistics = std::mem::take(&mut self.statistics);
        let filter = self.filter.take();
        *self = World::from(snapshot);
        self.statistics = statistics;
        if !snapshot.has_code && filter.is_some() {
            self.filter = filter;
            self.see_all_anew();
        }
    }

    /// A hash that is the same for worlds in the same state, and hardly ever for others: every placement, bit by bit, and which bodies
    /// touch, overlap and sleep.
    pub fn hash(&self) -> u64 {
        let mut hash = Fnv::default();
        hash.add(self.steps);
        for (handle, body) in self.iter() {
            hash.add(u64::from(handle.index) << 32 | u64::from(handle.generation));
            hash.add(body.data() << 3 | body.kind() as u64);
            hash.add(u64::from(body.still_for) << 1 | u64::from(body.is_asleep));
            let map = body.placement.world_from_model();
            map.to_cols_array().iter().for_each(|number| hash.add(number.to_bits()));
            if body.is_deformable() {
                let vertices = body.model().mesh().vertices();
                vertices.flat_map(|vertex| vertex.to_array()).for_each(|number| hash.add(number.to_bits()));
            }
        }
        for (&index, others) in &self.touching {
            others.iter().for_each(|&other| hash.add(u64::from(index) << 32 | u64::from(other)));
        }
        for pair in &self.crushed {
            pair.ids().into_iter().for_each(|index| hash.add(!u64::from(index)));
        }
        for pair in self.overlapping() {
            pair.ids().into_iter().for_each(|index| hash.add(u64::from(index)));
        }
        hash.0
    }
}

impl Log {
    #[cfg(feature = "serde")]
    pub(super) fn new(options: WorldOptions, calls: Vec<Call>) -> Log {
        Log { options, calls }
    }

    #[cfg(feature = "serde")]
    pub(super) fn options(&self) -> &WorldOptions {
        &self.options
    }

    /// The number of calls.
    pub fn len(&self) -> usize {
        self.calls.len()
    }

    /// Whether there are no calls.
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// The recorded calls, in order.
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// Makes the calls again, in a world that works as that one did but for threads and a [filter](World::set_filter) of the user's:
    /// with one, make the [`calls`](Self::calls) in a world that has it.
    pub fn replay(&self, parallel: bool) -> World {
        let mut world = World::with_options(self.options.parallel(parallel));
        for call in &self.calls {
            // What failed then fails again, and changed nothing.
            let _ = world.call(call);
        }
        world
    }
}

impl World {
    /// Makes a call. Its handles may be those of another world in which the same calls were made: place and generation count.
    pub fn call(&mut self, call: &Call) -> Result<(), WorldError> {
        let here = |handle: &Handle| self.bodies.counterpart(*handle);
        match call {
            Call::Insert(body) => self.insert(body.clone()).map(drop),
            Call::Remove(handle) => self.remove(here(handle)).map(drop),
            Call::Teleport(handle, to) => self.teleport(here(handle), *to),
            Call::Deform(handle, vertices) => self.deform(here(handle), vertices),
            Call::Move(handle, motion) => self.try_move(here(handle), motion).map(drop),
            Call::Slide(handle, by, options) => self.slide(here(handle), *by, options).map(drop),
            Call::TryTeleport(to) => {
                let to: Vec<(Handle, Placement)> =
                    to.iter().map(|(handle, to)| (here(handle), *to)).collect();
                self.try_teleport(&to).map(drop)
            }
            Call::Unstick(handle, at_most) => self.resolve_overlap(here(handle), *at_most).map(drop),
            Call::WakeUp(handle) => self.wake_up(here(handle)),
            Call::SetLayers(handle, layers) => self.set_layers(here(handle), *layers),
            Call::SetIgnoredMaterials(handle, ignored) => self.set_ignored_materials(here(handle), *ignored),
            Call::SetKind(handle, kind) => self.set_kind(here(handle), *kind),
            Call::SetData(handle, data) => self.set_data(here(handle), *data),
            Call::Replace(handle, body) => self.replace(here(handle), body.clone()).map(drop),
            Call::TryReplace(handle, body) => self.try_replace(here(handle), body.clone()).map(drop),
            Call::Step(moves) => {
                let moves: Vec<(Handle, Motion)> =
                    moves.iter().map(|(handle, motion)| (here(handle), *motion)).collect();
                self.step(&moves).map(drop)
            }
            Call::StepWith(moves, options) => {
                let moves: Vec<(Handle, Motion)> =
                    moves.iter().map(|(handle, motion)| (here(handle), *motion)).collect();
                self.step_with(&moves, options).map(drop)
            }
        }
    }

    /// The handle that names a body here as `handle` names one in a world in which the same calls were made, such as the one that a
    /// [`Log`] was taken from.
    pub fn counterpart(&self, handle: Handle) -> Result<Handle, WorldError> {
        let own = self.bodies.counterpart(handle);
        self.bodies.index_of(own).map(|_| own)
    }
}

/// Fowler, Noll and Vo's hash, eight bytes at a time, with a shift so that all bits count.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0100_0000_01b3);
        self.0 ^= self.0 >> 29;
    }
}
