//! A collision world of many bodies: insert them, move them, be told what they hit (Blow 1997).
//!
//! ```
//! use std::sync::Arc;
//! use impinge::world::{Body, World};
//! use impinge::{Model, Motion, Trs, shapes};
//!
//! let mut world = World::new();
//! world.insert(Body::fixed(Model::new(shapes::cuboid([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0])?), Trs::IDENTITY))?;
//! let ball = Arc::new(Model::new(shapes::icosphere(0.5, 4)?));
//! let falling = world.insert(Body::moving(ball, Trs::translation([0.0, 0.0, 5.0])?))?;
//!
//! // It would be far below the floor at the end.
//! let moved = world.try_move(falling, &Motion::translation([0.0, 0.0, -20.0])?)?;
//! assert!(moved.fraction > 0.2 && moved.fraction <= 4.5 / 20.0 + 1e-6);
//! println!("{} stops it, with its {:?}", moved.hits[0].other, moved.hits[0].hit);
//! assert!(world.overlaps().is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The invariant
//!
//! No two solid bodies interpenetrate, by the exact test, as long as none is inserted, [teleported](World::teleport) or deformed into
//! another: [`try_move`](World::try_move), [`slide`](World::slide), [`step`](World::step) and [`try_teleport`](World::try_teleport) leave a body only
//! where the exact test finds it free of all others. Bodies that do overlap are listed by [`World::overlaps`];
//! [`resolve_overlap`](World::resolve_overlap) finds a free place for one. Where a body [ignores materials](Body::ignoring_materials), all of this is about the
//! faces that are left for it.
//!
//! There is one exception, and it has to be asked for: with [`CrushRule::Crush`], a kinematic body goes on through what has no room to give way. Those are reported in
//! [`Step::crushed`], and listed by [`World::overlaps`] until they are apart again.
//!
//! In a [`step`](World::step) bodies move at once, over the same time, and the invariant holds at every moment of it: [`Move::segments`] are
//! the ways that were made.
//!
//! # Determinism
//!
//! What a world does depends on the calls alone: not on the number of threads, the broad phase or the filters. A [`Log`] of the calls makes the
//! same world again, bit by bit, which [`World::hash`] tells in one number; a [filter of the user's](World::set_filter) has to be set again.

mod body;
mod carry;
mod casts;
mod change;
mod character;
mod character_options;
mod crush;
mod deflect;
mod filter;
mod groups;
mod handle;
mod index_set;
mod kept;
mod teleport;
mod moves;
mod near;
mod planes;
mod prepare;
mod queries;
mod replay;
#[cfg(feature = "serde")]
mod saved;
mod segment;
mod simultaneous;
mod sleep;
mod stairs;
mod slide;
mod slide_options;
mod step;
mod step_options;
mod sweep_all;
mod track;
mod travel;
mod trial;
mod zone;
mod resolve_overlap;

pub use body::{Body, CollisionLayers, Kind};
pub use character::{Character, CharacterStep};
pub use character_options::CharacterOptions;
pub use crush::Crushed;
pub use filter::{FilterChain, FilterCount, FilterStage, Statistics};
pub use handle::Handle;
pub use moves::{Hit, Move};
pub use replay::{Call, Log, Snapshot};
pub use resolve_overlap::Resolved;
pub use segment::Segment;
pub use slide::Slide;
pub use slide_options::SlideOptions;
pub use stairs::Ground;
pub use step::{Contact, Step};
pub use step_options::{CrushRule, StepOptions};

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::broad_phase::{Algorithm, BroadPhase, BroadPhaseError, Pair};
use crate::mesh::{MaterialSet, MeshError};
use crate::model::{Placed, RoundError};
use crate::options::options;
use crate::query::{Engine, IntersectOptions, Verdict, size_of, skin_for};
use body::grown;
use handle::Table;
use impinge_core::math::{DVec3, IntoPoint};
use impinge_core::tolerance::CONTACT_DISTANCE;
use impinge_core::transform::{Placement, TransformError};
use index_set::IndexSet;
use kept::KeptOutlooks;
use near::KnownClearing;

/// The reason why a call of a world failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// The body was removed, is one of another world, or came after the snapshot that was restored.
    #[error("there is no body {handle}")]
    Unknown {
        /// The handle that was given.
        handle: Handle,
    },
    /// There is no place for another body.
    #[error("a world holds at most 2^24 bodies")]
    Full,
    /// The body is fixed or a sensor, and cannot be moved against others.
    #[error("body {handle} does not move; teleport it")]
    NotMoving {
        /// The handle that was given.
        handle: Handle,
    },
    /// The body is not deformable.
    #[error("body {handle} is not deformable")]
    NotDeformable {
        /// The handle that was given.
        handle: Handle,
    },
    /// One body is moved twice in one step.
    #[error("body {handle} is moved twice in one step")]
    MovedTwice {
        /// The handle that was given.
        handle: Handle,
    },
    /// A box that is not finite.
    #[error(transparent)]
    Broad(#[from] BroadPhaseError),
    /// A placement that is out of range.
    #[error(transparent)]
    Transform(#[from] TransformError),
    /// Vertices that a deformable cannot have.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// A ball or a capsule that cannot be.
    #[error(transparent)]
    Round(#[from] RoundError),
}

options! {
    /// Options of a world. Answers depend on the distances alone.
    #[derive(Clone, Copy, Debug, PartialEq)]
    #[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
    #[cfg_attr(feature = "serde", serde(default))]
    pub struct WorldOptions {
        /// The distance within which bodies are in contact: they make events, and sleep and wake together. In the unit of the
        /// world. At 0 there is no [skin](World::skin) either, and what touches does not slide.
        pub contact_distance: f64 = CONTACT_DISTANCE,
        /// The margin: how far from others moving bodies are stopped; 0 is as near as rounding allows.
        pub margin: f64 = 0.0,
        /// The number of steps without a move after which bodies fall asleep, with all that they touch.
        pub sleep_after: u32 = 30,
        /// The broad-phase algorithm.
        pub broad: Algorithm = Algorithm::Bvh,
        /// The filters between the broad phase and the exact test.
        pub chain: FilterChain = FilterChain::USUAL,
        /// The engine by which the exact test of two bodies that stand still finds their faces.
        pub engine: Engine = Engine::Bvh,
        /// Whether more than one thread is used; only with the feature `parallel`.
        pub parallel: bool = true,
        /// Whether bodies are prepared for moves and steps when they come in, as by [`World::prepare`]: then no later call takes longer because of it.
        pub prepare_on_insert: bool = false,
    }
}

/// A filter of the user's: says whether two bodies collide at all, after their layers have said so.
type PairFilter = Arc<dyn Fn((Handle, &Body), (Handle, &Body)) -> bool + Send + Sync>;

/// So many boxes may have changed before the broad phase takes them in.
const MANY_CHANGED: usize = 128;

/// A collision world of many bodies.
#[derive(Clone)]
pub struct World {
    options: WorldOptions,
    bodies: Table<Body>,
    broad: BroadPhase,
    filter: Option<PairFilter>,
    /// Bodies whose box is larger than they need.
    wide: IndexSet,
    /// Bodies that moved, came or left since the last step.
    changed: IndexSet,
    awake: IndexSet,
    /// The contacts: for each body, all bodies that it touches.
    touching: BTreeMap<u32, BTreeSet<u32>>,
    /// Contacts that ended because a body left, to be told in the next step.
    left: Vec<Contact>,
    /// Bodies that may overlap others, as they were put where they are unseen: all that overlap are one of them with any other. With
    /// whom is found out when somebody asks, since users who teleport everything in every step hardly do.
    unseen: IndexSet,
    /// Bodies that kinematic ones crush, with those: as long as the two overlap, they do not stop each other.
    crushed: BTreeSet<Pair>,
    /// Directions that divided two bodies the last time.
    dividers: BTreeMap<Pair, DVec3>,
    /// Boxes around bodies without faces of others, in the order of the pairs.
    clearings: Vec<KnownClearing>,
    /// What pairs did in the last step.
    kept: KeptOutlooks,
    statistics: Statistics,
    log: Option<Vec<Call>>,
    steps: u64,
    /// The skin, how far from others moving bodies are stopped at least: the same for all, so that a body slides from one onto the next. It suits
    /// the largest that was ever put in.
    skin: f64,
    /// All sets of materials that a body ignores or ignored, but for the empty one: models are prepared for them.
    ignored_sets: Vec<MaterialSet>,
}

impl Default for World {
    fn default() -> World {
        World::new()
    }
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("World").field("bodies", &self.bodies.len()).field("options", &self.options).finish()
    }
}

impl World {
    /// An empty world.
    pub fn new() -> World {
        World::with_options(WorldOptions::default())
    }

    /// An empty world with given options. Distances that are negative or no number are taken for 0.
    pub fn with_options(mut options: WorldOptions) -> World {
        for distance in [&mut options.contact_distance, &mut options.margin] {
            *distance = if distance.is_finite() && *distance > 0.0 { *distance } else { 0.0 };
        }
        World {
            options,
            bodies: Table::default(),
            broad: BroadPhase::with_algorithm(options.broad),
            filter: None,
            wide: IndexSet::default(),
            changed: IndexSet::default(),
            awake: IndexSet::default(),
            touching: BTreeMap::new(),
            left: Vec::new(),
            unseen: IndexSet::default(),
            crushed: BTreeSet::new(),
            dividers: BTreeMap::new(),
            clearings: Vec::new(),
            kept: KeptOutlooks::default(),
            statistics: Statistics::default(),
            log: None,
            steps: 0,
            skin: 0.0,
            ignored_sets: Vec::new(),
        }
    }

    /// The options of the world.
    pub fn options(&self) -> &WorldOptions {
        &self.options
    }

    /// Sets a filter that decides which bodies collide. It must give the same answer as long as nothing changes. It is code,
    /// and no part of a [`Log`]: to make such a world again, set it in an empty one and make the log's calls with [`call`](Self::call).
    pub fn set_filter(
        &mut self,
        filter: impl Fn((Handle, &Body), (Handle, &Body)) -> bool + Send + Sync + 'static,
    ) {
        self.filter = Some(Arc::new(filter));
        self.see_all_anew();
    }

    /// Removes the filter: all bodies collide whose layers do.
    pub fn clear_filter(&mut self) {
        self.filter = None;
        self.see_all_anew();
    }

    /// Any two bodies may overlap: what they collide with has changed.
    fn see_all_anew(&mut self) {
        self.kept.clear();
        for (index, _) in self.bodies.iter() {
            self.unseen.insert(index);
        }
    }

    /// Sets a clock in nanoseconds, with which stages of the filter chain are timed.
    pub fn set_clock(&mut self, clock: Option<fn() -> u64>) {
        self.statistics = Statistics::with_clock(clock);
    }

    /// The statistics of the filter chain.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// Clears the statistics of the filter chain.
    pub fn clear_statistics(&mut self) {
        self.statistics = Statistics::with_clock(self.statistics.clock());
    }

    /// Inserts a body, wherever it stands. If it overlaps others there, they are listed by [`overlaps`](Self::overlaps).
    pub fn insert(&mut self, body: Body) -> Result<Handle, WorldError> {
        self.note(|| Call::Insert(body.clone()));
        let bounds = body.bounds(self.margin());
        let is_moving = body.kind() == Kind::Moving;
        let handle = self.bodies.insert(body.awake())?;
        if let Err(error) = self.broad.insert(handle.index, bounds) {
            let _ = self.bodies.remove(handle);
            return Err(error.into());
        }
        self.kept.clear();
        // Contacts are told up to their distance: the skin must be thinner.
        let skin = skin_for(size_of(&self.body(handle.index).placed()));
        self.skin = self.skin.max(skin.min(self.options.contact_distance / 8.0));
        if is_moving {
            self.awake.insert(handle.index);
        }
        self.changed.insert(handle.index);
        self.sort_boxes();
        self.prepare_one(handle.index);
        if self.overlaps_any(handle.index) {
            self.unseen.insert(handle.index);
        }
        Ok(handle)
    }

    /// The skin: how far from others moving bodies are stopped at least, in the unit of the world. It is the same for all, so that a body slides from one
    /// onto the next. It suits the largest body that was ever put in.
    pub fn skin(&self) -> f64 {
        self.skin
    }

    /// Removes a body. Bodies that touched it wake up.
    pub fn remove(&mut self, handle: Handle) -> Result<Body, WorldError> {
        self.note(|| Call::Remove(handle));
        let index = self.bodies.index_of(handle)?;
        self.wake_around(index);
        self.leave(index);
        let body = self.bodies.remove(handle)?;
        self.broad.remove(index)?;
        for set in [&mut self.wide, &mut self.changed, &mut self.awake, &mut self.unseen] {
            set.remove(index);
        }
        self.dividers.retain(|pair, _| !pair.has(index));
        self.kept.clear();
        self.crushed.retain(|pair| !pair.has(index));
        Ok(body)
    }

    /// The body of a handle.
    pub fn get(&self, handle: Handle) -> Result<&Body, WorldError> {
        let index = self.bodies.index_of(handle)?;
        self.bodies.get(index).ok_or(WorldError::Unknown { handle })
    }

    /// All bodies with their handles.
    pub fn iter(&self) -> impl Iterator<Item = (Handle, &Body)> {
        self.bodies.iter().map(|(index, body)| (self.bodies.handle(index), body))
    }

    /// The handles of all bodies, in order.
    pub fn handles(&self) -> impl Iterator<Item = Handle> + '_ {
        self.iter().map(|(handle, _)| handle)
    }

    /// The number of bodies.
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Whether there are no bodies.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Teleports a body, whatever is at the place or on the way. If it overlaps others there, they are listed by
    /// [`overlaps`](Self::overlaps).
    pub fn teleport(&mut self, handle: Handle, to: impl Into<Placement>) -> Result<(), WorldError> {
        let to = to.into();
        self.note(|| Call::Teleport(handle, to));
        let index = self.bodies.index_of(handle)?;
        self.wake_around(index);
        self.put(index, to)?;
        self.unseen.insert(index);
        Ok(())
    }

    /// Moves the vertices of a deformable body. If it overlaps others then, they are listed by [`overlaps`](Self::overlaps): the
    /// invariant covers rigid bodies.
    pub fn deform<P: IntoPoint + Copy>(&mut self, handle: Handle, vertices: &[P]) -> Result<(), WorldError> {
        let vertices: Vec<DVec3> = vertices.iter().map(|vertex| vertex.into_point()).collect();
        self.note(|| Call::Deform(handle, vertices.clone()));
        let index = self.bodies.index_of(handle)?;
        let body = self.bodies.get_mut(index).ok_or(WorldError::Unknown { handle })?;
        let deformable = body.deformable_mut().ok_or(WorldError::NotDeformable { handle })?;
        deformable.set_vertices(&vertices)?;
        body.is_prepared = false;
        let at = body.placement;
        self.kept.clear();
        self.wake_around(index);
        self.put(index, at)?;
        self.unseen.insert(index);
        Ok(())
    }

    /// Pairs of solid bodies that overlap, each sorted, in order: empty but for what was inserted, teleported or deformed into
    /// others. Bodies of which that may be so are tested at every call, as answers are not kept: ask once, quickest after a
    /// [`step`](Self::step).
    pub fn overlaps(&self) -> Vec<[Handle; 2]> {
        let pairs = self.overlapping();
        pairs.into_iter().map(|pair| pair.ids().map(|index| self.bodies.handle(index))).collect()
    }

    /// The verdict of the exact test on two bodies, without faces of [materials that one ignores](Body::ignoring_materials).
    pub fn verdict(&self, a: Handle, b: Handle) -> Result<Verdict, WorldError> {
        let (a, b) = (self.get(a)?, self.get(b)?);
        let both = a.placed_for(b).zip(b.placed_for(a));
        Ok(both.map_or(Verdict::Clear, |(a, b)| a.verdict(&b)))
    }

    /// The bodies that move and are not asleep, in order.
    pub fn awake(&self) -> impl Iterator<Item = Handle> + '_ {
        self.awake.iter().map(|index| self.bodies.handle(index))
    }

    /// So much larger than the bodies are the boxes of the broad phase: contacts must not escape them.
    fn margin(&self) -> f64 {
        self.options.contact_distance.max(self.options.margin)
    }

    fn body(&self, index: u32) -> &Body {
        self.bodies.get(index).expect("the broad phase knows bodies that are there")
    }

    /// Two bodies as they find each other: without the faces that the other ignores. They must be a pair that [collides](Self::may_meet).
    fn facing(&self, [a, b]: [u32; 2]) -> [Placed<'_>; 2] {
        let [a, b] = [self.body(a), self.body(b)];
        [a.facing(b), b.facing(a)]
    }

    /// Whether two bodies collide at all.
    fn may_meet(&self, [a, b]: [u32; 2]) -> bool {
        let bodies = [self.body(a), self.body(b)];
        bodies[0].may_meet(bodies[1])
            && self.filter.as_ref().is_none_or(|filter| {
                // Always asked in the same order.
                let [first, second] = [a.min(b), a.max(b)];
                filter(
                    (self.bodies.handle(first), self.body(first)),
                    (self.bodies.handle(second), self.body(second)),
                )
            })
    }

    /// Whether two bodies stop each other.
    fn are_solid(&self, [a, b]: [u32; 2]) -> bool {
        self.body(a).is_solid() && self.body(b).is_solid() && self.may_meet([a, b])
    }

    /// Whether solid bodies are apart, or only touch.
    fn is_free_of(&self, a: &Placed<'_>, b: &Placed<'_>) -> bool {
        let options = IntersectOptions::new().engine(self.options.engine);
        matches!(a.intersect_with(b, options).verdict, Verdict::Clear | Verdict::Touching)
    }

    /// Whether the surfaces of two bodies have no point in common.
    fn are_surfaces_apart(&self, a: &Placed<'_>, b: &Placed<'_>) -> bool {
        let options = IntersectOptions::new().engine(self.options.engine).surface_only(true);
        !a.intersects_with(b, options)
    }

    /// Puts a body at a place, its box with it.
    fn put(&mut self, index: u32, at: Placement) -> Result<(), WorldError> {
        let margin = self.margin();
        let Some(body) = self.bodies.get_mut(index) else { return Ok(()) };
        let before = body.placement;
        body.placement = at;
        let bounds = grown(body.placed().bounds(), margin);
        if let Err(error) = self.broad.move_to(index, bounds) {
            body.placement = before;
            return Err(error.into());
        }
        body.still_for = 0;
        self.changed.insert(index);
        self.wide.remove(index);
        Ok(())
    }

    /// Lets the broad phase take in what has changed, where that has become much: it tries changed boxes one by one.
    fn sort_boxes(&mut self) {
        if self.broad.boxes().changed().len() > MANY_CHANGED {
            self.broad.step();
        }
    }

    /// All pairs of solid bodies that overlap.
    fn overlapping(&self) -> BTreeSet<Pair> {
        let pairs = self
            .unseen
            .iter()
            .flat_map(|index| self.overlapped(index).into_iter().map(move |other| Pair::new(index, other)));
        pairs.collect()
    }
}
