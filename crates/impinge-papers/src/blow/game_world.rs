//! What a game asks of its collision detection, so that one script is played by the library's world and by the system of Blow 1997.

use std::sync::Arc;

use impinge::math::DVec3;
use impinge::query::Contact;
use impinge::world::WorldError;
use impinge::{Model, Motion, Placed, Placement, TransformError};
use serde::Serialize;

/// The name of a body of a game. Names are ordered by index, then by generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entity {
    pub(crate) index: u32,
    /// How many bodies had the index before.
    pub(crate) generation: u32,
}

impl Entity {
    /// The index of the body in its world.
    pub fn index(self) -> u32 {
        self.index
    }
}

/// The reason why a call of a game's world failed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum GameError {
    /// The body was removed, or is one of another world.
    Unknown(Entity),
    /// The body stands still for ever.
    Fixed(Entity),
    /// A call that the library's world refuses.
    World(WorldError),
    /// A place out of range.
    Transform(TransformError),
}

impl std::fmt::Display for GameError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            GameError::Unknown(entity) => {
                write!(f, "there is no body {}.{}", entity.index, entity.generation)
            }
            GameError::Fixed(entity) => {
                write!(f, "body {}.{} does not move", entity.index, entity.generation)
            }
            GameError::World(error) => error.fmt(f),
            GameError::Transform(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for GameError {}

impl From<WorldError> for GameError {
    fn from(error: WorldError) -> GameError {
        GameError::World(error)
    }
}

impl From<TransformError> for GameError {
    fn from(error: TransformError) -> GameError {
        GameError::Transform(error)
    }
}

/// The counts of a stage of the filter chain.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Filter {
    /// Its name.
    pub name: &'static str,
    /// Pairs that came to it.
    pub asked: u64,
    /// Pairs that it decided.
    pub decided: u64,
    /// Nanoseconds for one that came.
    pub mean_ns: f64,
}

/// Counts that the published system keeps beside those of its filters.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MoreCounts {
    /// Cases in which the pair collided.
    pub collisions: u64,
    /// Tests in which a speedbox replaced a body.
    pub speedboxes: u64,
    /// Cases that each stage decided against a fixed body, which is the landscape; the stages are those of the filters.
    pub against_fixed: Vec<u64>,
}

/// The result of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct Moved {
    /// The body that moved.
    pub entity: Entity,
    /// Whether it overlapped others before it moved; it stays where it is then.
    pub started_overlapping: bool,
    /// How far it got, as a fraction of the motion.
    pub fraction: f64,
    /// Its placement after the move, free of all others by the exact test.
    pub placement: Placement,
    /// The bodies that stop it, or that it overlaps.
    pub hits: Vec<Struck>,
}

/// A body that stops another.
#[derive(Clone, Debug, PartialEq)]
pub struct Struck {
    /// The body that was hit.
    pub other: Entity,
    /// The features of the two that are close; none where the bodies overlap.
    pub features: Vec<CloseFeature>,
}

/// A place where a body is close to what stops it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CloseFeature {
    /// The point on the body that moved.
    pub point: DVec3,
    /// The unit normal towards the other.
    pub normal: DVec3,
    /// The distance of the two.
    pub distance: f64,
}

/// The result of a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stepped {
    /// The moves, in the order in which they were asked for.
    pub moves: Vec<Moved>,
    /// Bodies that fell asleep, in order.
    pub asleep: Vec<Entity>,
}

/// A world of a game: bodies come and go, move one after the other, and fall asleep.
pub trait GameWorld {
    /// Takes a body in: the ground where it is fixed, else something that moves.
    fn insert(&mut self, model: Arc<Model>, at: Placement, is_fixed: bool) -> Result<Entity, GameError>;

    /// Removes a body; what it touched wakes up.
    fn remove(&mut self, entity: Entity) -> Result<(), GameError>;

    /// The body's model, where it stands.
    fn placed(&self, entity: Entity) -> Result<Placed<'_>, GameError>;

    /// Whether the body sleeps.
    fn is_asleep(&self, entity: Entity) -> Result<bool, GameError>;

    /// Bodies that move and are not asleep, in order.
    fn awake(&self) -> Vec<Entity>;

    /// The number of bodies, fixed ones included.
    fn count(&self) -> usize;

    /// Moves a body until something stops it.
    fn try_move(&mut self, entity: Entity, motion: &Motion) -> Result<Moved, GameError>;

    /// Moves bodies one after the other, finds what they touch, and lets what rests fall asleep.
    fn step(&mut self, moves: &[(Entity, Motion)]) -> Result<Stepped, GameError>;

    /// Puts a body somewhere, whatever is there.
    fn teleport(&mut self, entity: Entity, to: Placement) -> Result<(), GameError>;

    /// Puts a body that overlaps others to a free place no farther than `at_most`; `false` where none was found.
    fn resolve_overlap(&mut self, entity: Entity, at_most: f64) -> Result<bool, GameError>;

    /// Bodies other than `except` that a placed model intersects, by the exact test alone, in order.
    fn meeting(&self, placed: &Placed<'_>, except: Option<Entity>) -> Vec<Entity>;

    /// Bodies that a body touched at the end of the last step.
    fn contacts_of(&self, entity: Entity) -> Result<Vec<Entity>, GameError>;

    /// The counts of the stages that were asked, in their order.
    fn filters(&self) -> Vec<Filter>;

    /// The counts beside those of the filters, where there are any.
    fn more_counts(&self) -> Option<MoreCounts> {
        None
    }

    /// Begins the counts anew.
    fn clear_filters(&mut self);

    /// The places of all bodies in one number.
    fn hash(&self) -> u64;

    /// All contacts of two bodies within a distance.
    fn contacts_between(&self, a: Entity, b: Entity, within: f64) -> Result<Vec<Contact>, GameError> {
        Ok(self.placed(a)?.contacts(&self.placed(b)?, within))
    }
}
