//! Snapshots, logs and bodies written and read with serde: versioned, checked as they are read, and the same bits when they come back.
//!
//! Models are written once, however many bodies share them, and are shared again when they are read.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::handle::Table;
use super::{
    Body, Call, CollisionLayers, Contact, Handle, Kind, Log, Snapshot, World, WorldError, WorldOptions,
};
use crate::broad_phase::Pair;
use crate::mesh::{MaterialSet, Mesh};
use crate::model::{Deformable, Model, RoundError};
use impinge_core::transform::Placement;

/// The version of what is written here.
const VERSION: u64 = 1;

/// The reason why what was read is no snapshot or log.
#[derive(Debug, thiserror::Error)]
enum SavedError {
    #[error("version {found} is not known: this library reads version {VERSION}")]
    Version { found: u64 },
    #[error("a body has model {model}, but there are {models}")]
    NoModel { model: u32, models: usize },
    #[error("{what}: there is no body {index}")]
    NoBody { what: &'static str, index: u32 },
    #[error("body {index} touches or crushes itself")]
    WithItself { index: u32 },
    #[error("body {index} is there, and its place is free")]
    FreeAndTaken { index: u32 },
    #[error(
        "the skin is {skin}, but must be at least 0 and at most an eighth of the contact distance, which is {contact_distance}"
    )]
    Skin { skin: f64, contact_distance: f64 },
    #[error(transparent)]
    Round(#[from] RoundError),
    #[error(transparent)]
    World(#[from] WorldError),
}

/// The first field of what is written: what follows is read only if the version is known.
struct Version;

impl Serialize for Version {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        VERSION.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Version, D::Error> {
        match u64::deserialize(deserializer)? {
            VERSION => Ok(Version),
            found => Err(D::Error::custom(SavedError::Version { found })),
        }
    }
}

/// A model as it is written.
#[derive(Deserialize, Serialize)]
struct SavedModel<'a> {
    mesh: Cow<'a, Mesh>,
    #[serde(default)]
    radius: f64,
}

impl SavedModel<'_> {
    fn of(model: &Model) -> SavedModel<'_> {
        SavedModel { mesh: Cow::Borrowed(model.mesh()), radius: model.radius() }
    }

    fn model(self) -> Result<Arc<Model>, SavedError> {
        Ok(Arc::new(Model::new(self.mesh.into_owned()).rounded(self.radius)?))
    }

    fn deformable(self) -> Result<Deformable, SavedError> {
        Ok(Deformable::new(self.mesh.into_owned()).rounded(self.radius)?)
    }
}

fn models_of(saved: Vec<SavedModel<'_>>) -> Result<Vec<Arc<Model>>, SavedError> {
    saved.into_iter().map(SavedModel::model).collect()
}

/// A body as it is written.
#[derive(Deserialize, Serialize)]
struct SavedBody<'a> {
    shape: SavedShape<'a>,
    placement: Placement,
    kind: Kind,
    layers: CollisionLayers,
    #[serde(default)]
    ignored_materials: MaterialSet,
    data: u64,
    is_asleep: bool,
    still_for: u32,
}

#[derive(Deserialize, Serialize)]
enum SavedShape<'a> {
    /// A model of the table.
    Shared(u32),
    /// A model of the body's own.
    Model(SavedModel<'a>),
    /// The vertices as they are now.
    Deformable(SavedModel<'a>),
}

/// The models that bodies share, each once, in the order in which bodies name them.
#[derive(Default)]
struct Models<'a> {
    models: Vec<SavedModel<'a>>,
    numbers: BTreeMap<*const Model, u32>,
}

impl<'a> Models<'a> {
    fn body(&mut self, body: &'a Body) -> SavedBody<'a> {
        let shape = match body.shared_model() {
            None => SavedShape::Deformable(SavedModel::of(body.model())),
            Some(model) => SavedShape::Shared(*self.numbers.entry(Arc::as_ptr(model)).or_insert_with(|| {
                self.models.push(SavedModel::of(model));
                self.models.len() as u32 - 1
            })),
        };
        SavedBody::of(body, shape)
    }
}

impl<'a> SavedBody<'a> {
    fn of(body: &Body, shape: SavedShape<'a>) -> SavedBody<'a> {
        SavedBody {
            shape,
            placement: body.placement,
            kind: body.kind(),
            layers: body.layers(),
            ignored_materials: body.ignored_materials(),
            data: body.data(),
            is_asleep: body.is_asleep,
            still_for: body.still_for,
        }
    }

    /// The body, with the models that were read.
    fn body(self, models: &[Arc<Model>]) -> Result<Body, SavedError> {
        let at = self.placement;
        let mut body = match self.shape {
            SavedShape::Shared(model) => {
                let known = models.get(model as usize);
                let known = known.ok_or(SavedError::NoModel { model, models: models.len() })?;
                Body::moving(Arc::clone(known), at)
            }
            SavedShape::Model(model) => Body::moving(model.model()?, at),
            SavedShape::Deformable(model) => Body::deformable(model.deformable()?, at),
        };
        body = body.of_kind(self.kind).in_layers(self.layers).with_data(self.data);
        body = body.ignoring_materials(self.ignored_materials);
        (body.is_asleep, body.still_for) = (self.is_asleep, self.still_for);
        Ok(body)
    }
}

/// A body on its own is written with its model.
impl Serialize for Body {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let shape = if self.is_deformable() {
            SavedShape::Deformable(SavedModel::of(self.model()))
        } else {
            SavedShape::Model(SavedModel::of(self.model()))
        };
        SavedBody::of(self, shape).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Body {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Body, D::Error> {
        SavedBody::deserialize(deserializer)?.body(&[]).map_err(D::Error::custom)
    }
}

/// A place for a body.
#[derive(Deserialize, Serialize)]
struct SavedSlot<'a> {
    generation: u32,
    body: Option<SavedBody<'a>>,
    /// Whether the place became free since the last step.
    is_freed: bool,
}

/// A snapshot as it is written. What only makes the world faster is not.
#[derive(Deserialize, Serialize)]
struct SavedSnapshot<'a> {
    version: Version,
    models: Vec<SavedModel<'a>>,
    options: WorldOptions,
    slots: Vec<SavedSlot<'a>>,
    changed: BTreeSet<u32>,
    awake: BTreeSet<u32>,
    unseen: BTreeSet<u32>,
    /// Pairs of bodies in contact, the lesser first.
    touching: Vec<[u32; 2]>,
    /// Pairs of bodies of which one crushes the other.
    #[serde(default)]
    crushed: Vec<[u32; 2]>,
    left: Vec<Contact>,
    steps: u64,
    skin: f64,
}

impl Serialize for Snapshot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let world = self.world();
        let mut models = Models::default();
        let mut slots = Vec::new();
        for (generation, body, is_freed) in world.bodies.slots() {
            slots.push(SavedSlot { generation, body: body.map(|body| models.body(body)), is_freed });
        }
        let pairs = world.touching.iter().flat_map(|(&a, others)| others.iter().map(move |&b| [a, b]));
        SavedSnapshot {
            version: Version,
            models: models.models,
            options: world.options,
            slots,
            changed: world.changed.iter().collect(),
            awake: world.awake.iter().collect(),
            unseen: world.unseen.iter().collect(),
            touching: pairs.filter(|[a, b]| a < b).collect(),
            crushed: world.crushed.iter().map(|pair| pair.ids()).collect(),
            left: world.left.clone(),
            steps: world.steps,
            skin: world.skin,
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Snapshot {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Snapshot, D::Error> {
        let world = SavedSnapshot::deserialize(deserializer)?.world().map_err(D::Error::custom)?;
        Ok(Snapshot::without_code(world))
    }
}

impl SavedSnapshot<'_> {
    fn world(self) -> Result<World, SavedError> {
        let models = models_of(self.models)?;
        let mut world = World::with_options(self.options);
        let contact_distance = world.options.contact_distance;
        // False for NaN.
        if !(self.skin >= 0.0 && self.skin <= contact_distance / 8.0) {
            return Err(SavedError::Skin { skin: self.skin, contact_distance });
        }
        let mut slots = Vec::with_capacity(self.slots.len());
        for (index, slot) in (0..).zip(self.slots) {
            if slot.body.is_some() && slot.is_freed {
                return Err(SavedError::FreeAndTaken { index });
            }
            let body = slot.body.map(|body| body.body(&models)).transpose()?;
            slots.push((slot.generation, body, slot.is_freed));
        }
        world.bodies = Table::of_slots(slots)?;
        for (index, body) in world.bodies.iter() {
            let bounds = body.bounds(world.options.contact_distance.max(world.options.margin));
            world.broad.insert(index, bounds).map_err(WorldError::from)?;
        }
        world.broad.step();
        let of_bodies = |what: &'static str, list: BTreeSet<u32>| match list
            .iter()
            .find(|index| world.bodies.get(**index).is_none())
        {
            Some(&index) => Err(SavedError::NoBody { what, index }),
            None => Ok(list),
        };
        let changed = of_bodies("changed", self.changed)?;
        let awake = of_bodies("awake", self.awake)?;
        let unseen = of_bodies("unseen", self.unseen)?;
        of_bodies("touching", self.touching.iter().flatten().copied().collect())?;
        of_bodies("crushed", self.crushed.iter().flatten().copied().collect())?;
        if let Some([index, _]) = self.touching.iter().chain(&self.crushed).find(|[a, b]| a == b) {
            return Err(SavedError::WithItself { index: *index });
        }
        for (set, saved) in
            [(&mut world.changed, changed), (&mut world.awake, awake), (&mut world.unseen, unseen)]
        {
            saved.into_iter().for_each(|index| _ = set.insert(index));
        }
        for [a, b] in self.touching {
            world.touching.entry(a).or_default().insert(b);
            world.touching.entry(b).or_default().insert(a);
        }
        world.crushed = self.crushed.iter().map(|&[a, b]| Pair::new(a, b)).collect();
        (world.left, world.steps, world.skin) = (self.left, self.steps, self.skin);
        let all: Vec<u32> = world.bodies.iter().map(|(index, _)| index).collect();
        for index in all {
            world.prepare_one(index);
            // Files may be wrong about who is free, and a filter may have allowed what it does not allow here.
            let is_seen = |index: u32| !world.unseen.contains(index);
            if is_seen(index) && world.overlapped(index).into_iter().any(is_seen) {
                world.unseen.insert(index);
            }
        }
        Ok(world)
    }
}

/// A call as it is written in a log: bodies name models of its table.
#[derive(Deserialize, Serialize)]
enum SavedCall<'a> {
    Insert(SavedBody<'a>),
    Replace(Handle, SavedBody<'a>),
    TryReplace(Handle, SavedBody<'a>),
    Other(Cow<'a, Call>),
}

/// A log as it is written.
#[derive(Deserialize, Serialize)]
struct SavedLog<'a> {
    version: Version,
    models: Vec<SavedModel<'a>>,
    options: WorldOptions,
    calls: Vec<SavedCall<'a>>,
}

impl Serialize for Log {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut models = Models::default();
        let mut calls = Vec::with_capacity(self.len());
        for call in self.calls() {
            calls.push(match call {
                Call::Insert(body) => SavedCall::Insert(models.body(body)),
                Call::Replace(handle, body) => SavedCall::Replace(*handle, models.body(body)),
                Call::TryReplace(handle, body) => SavedCall::TryReplace(*handle, models.body(body)),
                other => SavedCall::Other(Cow::Borrowed(other)),
            });
        }
        let options = *self.options();
        SavedLog { version: Version, models: models.models, options, calls }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Log {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Log, D::Error> {
        let saved = SavedLog::deserialize(deserializer)?;
        let models = models_of(saved.models).map_err(D::Error::custom)?;
        let call = |saved| -> Result<Call, SavedError> {
            Ok(match saved {
                SavedCall::Insert(body) => Call::Insert(body.body(&models)?),
                SavedCall::Replace(handle, body) => Call::Replace(handle, body.body(&models)?),
                SavedCall::TryReplace(handle, body) => Call::TryReplace(handle, body.body(&models)?),
                SavedCall::Other(call) => call.into_owned(),
            })
        };
        let calls: Result<Vec<Call>, SavedError> = saved.calls.into_iter().map(call).collect();
        Ok(Log::new(saved.options, calls.map_err(D::Error::custom)?))
    }
}
