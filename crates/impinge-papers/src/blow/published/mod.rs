//! The collision system of Blow 1997 as it was published: a grid over the ground, a chain of filters, BSP trees as the hard case, speedboxes and
//! bisection for what moves, and the last free place for what collides.
//!
//! Bodies are updated one after the other, as in his pseudocode: others stand where they are, so the last free place is free still, and nobody
//! else has to go back. A body moves to the end of its motion; where it collides there, time is halved between the last free and
//! the first taken place. A fast body is replaced by its speedbox: where that collides, its way is halved until a piece is free, or slow
//! enough for the true shape to decide, or as short as the resolution.

mod bisect;
mod chain;
mod emergency;
mod grid;
mod speedbox;

pub use chain::{Chain, Stage};

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use impinge::bounds::Aabb;
use impinge::math::DVec3;
use impinge::{Model, Motion, Placed, Placement, shapes};

use super::BspEngine;
use super::game_world::{Entity, Filter, GameError, GameWorld, MoreCounts, Moved, Stepped};
use crate::stopwatch::nanoseconds;
use chain::{Shape, Work};
use grid::{Grid, Squares};

/// Options of the published system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PublishedOptions {
    /// The width of a square of the grid.
    pub square: f64,
    /// The filters between grid and hard case.
    pub chain: Chain,
    /// A body is fast where it goes farther than this share of the least side of its box; `None` for no speedboxes.
    pub fast_share: Option<f64>,
    /// The fraction of a motion at which the search in time ends.
    pub resolution: f64,
    /// Features that are no farther apart than this at the time of collision are handed over.
    pub close: f64,
    /// Bodies within this distance hold each other up.
    pub contact_distance: f64,
    /// The number of steps without a move after which a body falls asleep.
    pub sleep_after: u32,
}

impl Default for PublishedOptions {
    fn default() -> PublishedOptions {
        PublishedOptions {
            square: 20.0,
            chain: Chain::PAPER,
            fast_share: Some(0.5),
            resolution: 1.0 / 64.0,
            close: 0.01,
            contact_distance: 0.01,
            sleep_after: 30,
        }
    }
}

/// A body.
struct Body {
    model: Arc<Model>,
    engine: Arc<BspEngine>,
    placement: Placement,
    is_fixed: bool,
    is_asleep: bool,
    /// The number of steps for which it has not moved.
    still_for: u32,
    has_moved: bool,
    squares: Squares,
    /// What it touched at the end of the last step in which it was awake.
    touching: BTreeSet<u32>,
}

impl Body {
    fn shape(&self) -> Shape<'_> {
        Shape { placed: self.model.at(self.placement), engine: &self.engine, is_fixed: self.is_fixed }
    }
}

/// The bodies, and where they are on the grid.
struct Scene {
    options: PublishedOptions,
    bodies: BTreeMap<u32, Body>,
    grid: Grid,
    /// The unit cube that speedboxes are made of.
    cube: (Arc<Model>, BspEngine),
}

impl Scene {
    /// Bodies that a shape collides with where it stands, in order: those that share a square with it, by the filters, then by the hard case.
    fn collisions(&self, own: u32, shape: &Shape<'_>, work: &mut Work) -> Vec<u32> {
        let start = nanoseconds();
        let sharing = self.grid.sharing(self.grid.squares_of(&shape.placed.bounds()));
        let mut near = sharing.unwrap_or_else(|| self.bodies.keys().copied().collect());
        near.retain(|other| *other != own);
        let others = self.bodies.len() as u64 - u64::from(self.bodies.contains_key(&own));
        work.add(Stage::Grid, others, others - near.len() as u64, nanoseconds().saturating_sub(start));
        near.retain(|other| work.collide(&self.options.chain, shape, &self.bodies[other].shape()));
        near
    }

    /// Bodies whose boxes overlap a box, looked for without grid and filters.
    fn near(&self, bounds: Aabb) -> impl Iterator<Item = (u32, &Body)> {
        let is_near = move |body: &Body| body.shape().placed.bounds().overlaps(&bounds);
        self.bodies.iter().map(|(index, body)| (*index, body)).filter(move |(_, body)| is_near(body))
    }

    /// What a body touches.
    fn touching(&self, index: u32) -> BTreeSet<u32> {
        let placed = self.bodies[&index].shape().placed;
        let within = self.options.contact_distance;
        let bounds = placed.bounds();
        let bounds = Aabb { min: bounds.min - DVec3::splat(within), max: bounds.max + DVec3::splat(within) };
        let sharing = self.grid.sharing(self.grid.squares_of(&bounds));
        let candidates = sharing.unwrap_or_else(|| self.bodies.keys().copied().collect());
        let touches = |other: &u32| {
            let other = self.bodies[other].shape().placed;
            bounds.overlaps(&other.bounds()) && placed.is_within(&other, within)
        };
        candidates.into_iter().filter(|other| *other != index).filter(touches).collect()
    }
}

/// The collision system of Blow 1997.
pub struct PublishedWorld {
    scene: Scene,
    work: Work,
    /// The BSP trees of all models so far, by the address of the model, which is kept.
    engines: BTreeMap<usize, (Arc<Model>, Arc<BspEngine>)>,
    next: u32,
    steps: u64,
}

impl PublishedWorld {
    /// An empty world.
    pub fn new(options: PublishedOptions) -> PublishedWorld {
        let cube = Arc::new(Model::new(shapes::cuboid([-1.0; 3], [1.0; 3]).expect("a cube has sides")));
        let engine = BspEngine::new(&cube);
        let grid = Grid::new(options.square);
        let scene = Scene { options, bodies: BTreeMap::new(), grid, cube: (cube, engine) };
        PublishedWorld { scene, work: Work::default(), engines: BTreeMap::new(), next: 0, steps: 0 }
    }

    fn body(&self, entity: Entity) -> Result<&Body, GameError> {
        self.scene.bodies.get(&entity.index).ok_or(GameError::Unknown(entity))
    }

    fn moving(&self, entity: Entity) -> Result<&Body, GameError> {
        let body = self.body(entity)?;
        if body.is_fixed { Err(GameError::Fixed(entity)) } else { Ok(body) }
    }

    /// Puts a body at a place, on the grid, too; what it touched wakes up.
    fn put(&mut self, index: u32, placement: Placement) {
        let Some(body) = self.scene.bodies.get_mut(&index) else { return };
        if body.placement == placement {
            return;
        }
        body.placement = placement;
        body.has_moved = true;
        let squares = self.scene.grid.squares_of(&body.model.at(placement).bounds());
        if squares != body.squares {
            self.scene.grid.remove(index, body.squares);
            self.scene.grid.insert(index, squares);
            body.squares = squares;
        }
        let touched = std::mem::take(&mut body.touching);
        self.wake(index);
        touched.into_iter().for_each(|other| self.wake(other));
    }

    fn wake(&mut self, index: u32) {
        if let Some(body) = self.scene.bodies.get_mut(&index)
            && body.is_asleep
        {
            (body.is_asleep, body.still_for) = (false, 0);
        }
    }

    /// Finds what bodies that are awake touch, and lets those fall asleep that have not moved for long enough.
    fn rest(&mut self) -> Vec<Entity> {
        let awake: Vec<u32> = self.awake().into_iter().map(Entity::index).collect();
        for &index in &awake {
            let touching = self.scene.touching(index);
            if let Some(body) = self.scene.bodies.get_mut(&index) {
                body.touching = touching;
            }
        }
        let mut asleep = Vec::new();
        for index in awake {
            let Some(body) = self.scene.bodies.get_mut(&index) else { continue };
            body.still_for = if std::mem::take(&mut body.has_moved) { 0 } else { body.still_for + 1 };
            body.is_asleep = body.still_for >= self.scene.options.sleep_after;
            if body.is_asleep {
                asleep.push(entity(index));
            }
        }
        asleep
    }
}

/// The name of a body: indices are not used again here.
fn entity(index: u32) -> Entity {
    Entity { index, generation: 0 }
}

impl GameWorld for PublishedWorld {
    fn insert(
        &mut self,
        model: Arc<Model>,
        placement: Placement,
        is_fixed: bool,
    ) -> Result<Entity, GameError> {
        let address = std::ptr::from_ref(model.as_ref()).addr();
        let made = || (model.clone(), Arc::new(BspEngine::new(&model)));
        let engine = self.engines.entry(address).or_insert_with(made).1.clone();
        let index = self.next;
        self.next += 1;
        let squares = self.scene.grid.squares_of(&model.at(placement).bounds());
        self.scene.grid.insert(index, squares);
        let body = Body {
            model,
            engine,
            placement,
            is_fixed,
            is_asleep: false,
            still_for: 0,
            has_moved: true,
            squares,
            touching: BTreeSet::new(),
        };
        self.scene.bodies.insert(index, body);
        Ok(entity(index))
    }

    fn remove(&mut self, entity: Entity) -> Result<(), GameError> {
        let body = self.scene.bodies.remove(&entity.index).ok_or(GameError::Unknown(entity))?;
        self.scene.grid.remove(entity.index, body.squares);
        for other in self.scene.bodies.values_mut() {
            if other.touching.remove(&entity.index) {
                (other.is_asleep, other.still_for) = (false, 0);
            }
        }
        body.touching.into_iter().for_each(|other| self.wake(other));
        Ok(())
    }

    fn placed(&self, entity: Entity) -> Result<Placed<'_>, GameError> {
        Ok(self.body(entity)?.shape().placed)
    }

    fn is_asleep(&self, entity: Entity) -> Result<bool, GameError> {
        Ok(self.body(entity)?.is_asleep)
    }

    fn awake(&self) -> Vec<Entity> {
        let awake = self.scene.bodies.iter().filter(|(_, body)| !body.is_fixed && !body.is_asleep);
        awake.map(|(index, _)| entity(*index)).collect()
    }

    fn count(&self) -> usize {
        self.scene.bodies.len()
    }

    fn try_move(&mut self, entity: Entity, motion: &Motion) -> Result<Moved, GameError> {
        self.moving(entity)?;
        let moved = self.scene.update(entity, motion, &mut self.work)?;
        self.wake(entity.index);
        self.put(entity.index, moved.placement);
        // A hit is the outside force that upsets what sleeps.
        moved.hits.iter().for_each(|hit| self.wake(hit.other.index));
        Ok(moved)
    }

    fn step(&mut self, moves: &[(Entity, Motion)]) -> Result<Stepped, GameError> {
        let moves = moves.iter().map(|(entity, motion)| self.try_move(*entity, motion));
        let moves = moves.collect::<Result<Vec<Moved>, GameError>>()?;
        self.steps += 1;
        Ok(Stepped { moves, asleep: self.rest() })
    }

    fn teleport(&mut self, entity: Entity, to: Placement) -> Result<(), GameError> {
        self.moving(entity)?;
        self.put(entity.index, to);
        Ok(())
    }

    fn resolve_overlap(&mut self, entity: Entity, at_most: f64) -> Result<bool, GameError> {
        self.moving(entity)?;
        let found = self.scene.free_place(entity.index, at_most, &mut self.work);
        if let Some(placement) = found {
            self.put(entity.index, placement);
        }
        Ok(found.is_some())
    }

    fn meeting(&self, placed: &Placed<'_>, except: Option<Entity>) -> Vec<Entity> {
        let near = self.scene.near(placed.bounds());
        let met = near.filter(|(index, body)| {
            except != Some(entity(*index)) && placed.intersects(&body.shape().placed)
        });
        met.map(|(index, _)| entity(index)).collect()
    }

    fn contacts_of(&self, entity: Entity) -> Result<Vec<Entity>, GameError> {
        Ok(self.body(entity)?.touching.iter().map(|index| self::entity(*index)).collect())
    }

    fn filters(&self) -> Vec<Filter> {
        self.work.filters()
    }

    fn more_counts(&self) -> Option<MoreCounts> {
        Some(self.work.more_counts())
    }

    fn clear_filters(&mut self) {
        self.work.clear();
    }

    fn hash(&self) -> u64 {
        // FNV-1a, byte by byte.
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut add = |number: u64| {
            for byte in number.to_le_bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        };
        add(self.steps);
        for (index, body) in &self.scene.bodies {
            add(u64::from(*index) << 1 | u64::from(body.is_asleep));
            let map = body.placement.world_from_model();
            map.to_cols_array().iter().for_each(|number| add(number.to_bits()));
        }
        hash
    }
}
