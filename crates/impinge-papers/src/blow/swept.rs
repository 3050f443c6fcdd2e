//! The library's world as the world of a game: moves are sweeps.

use std::sync::Arc;

use impinge::query::SweepStatus;
use impinge::world::{Body, FilterStage, Handle, Hit, Move, World, WorldOptions};
use impinge::{Model, Motion, Placed, Placement};

use super::game_world::{CloseFeature, Entity, Filter, GameError, GameWorld, Moved, Stepped, Struck};

/// The library's world, and the names of its bodies.
pub struct SweptWorld {
    world: World,
    /// The bodies by the index of their handles, and how many had that index before.
    slots: Vec<Slot>,
}

#[derive(Default)]
struct Slot {
    generation: u32,
    handle: Option<Handle>,
}

impl SweptWorld {
    /// An empty world that takes the time of its filters.
    pub fn new(options: WorldOptions) -> SweptWorld {
        let mut world = World::with_options(options);
        world.set_clock(Some(crate::stopwatch::nanoseconds));
        SweptWorld { world, slots: Vec::new() }
    }

    fn handle(&self, entity: Entity) -> Result<Handle, GameError> {
        let slot = self.slots.get(entity.index as usize).filter(|slot| slot.generation == entity.generation);
        slot.and_then(|slot| slot.handle).ok_or(GameError::Unknown(entity))
    }

    /// The name of a body that is there, or was until just now.
    fn entity(&self, handle: Handle) -> Entity {
        let index = handle.index();
        Entity { index, generation: self.slots[index as usize].generation }
    }

    fn moved(&self, made: &Move) -> Moved {
        let struck = |hit: &Hit| Struck {
            other: self.entity(hit.other),
            features: hit
                .hit
                .map(|hit| CloseFeature {
                    point: hit.point_on_moving,
                    normal: hit.normal,
                    distance: hit.point_on_moving.distance(hit.point_on_stationary),
                })
                .into_iter()
                .collect(),
        };
        Moved {
            entity: self.entity(made.handle),
            started_overlapping: made.status == SweepStatus::StartedOverlapping,
            fraction: made.fraction,
            placement: made.placement,
            hits: made.hits.iter().map(struck).collect(),
        }
    }
}

impl GameWorld for SweptWorld {
    fn insert(&mut self, model: Arc<Model>, at: Placement, is_fixed: bool) -> Result<Entity, GameError> {
        let body = if is_fixed { Body::fixed(model, at) } else { Body::moving(model, at) };
        let handle = self.world.insert(body)?;
        let index = handle.index() as usize;
        if index >= self.slots.len() {
            self.slots.resize_with(index + 1, Slot::default);
        }
        self.slots[index].handle = Some(handle);
        Ok(self.entity(handle))
    }

    fn remove(&mut self, entity: Entity) -> Result<(), GameError> {
        self.world.remove(self.handle(entity)?)?;
        let slot = &mut self.slots[entity.index as usize];
        slot.handle = None;
        slot.generation += 1;
        Ok(())
    }

    fn placed(&self, entity: Entity) -> Result<Placed<'_>, GameError> {
        Ok(self.world.get(self.handle(entity)?)?.placed())
    }

    fn is_asleep(&self, entity: Entity) -> Result<bool, GameError> {
        Ok(self.world.get(self.handle(entity)?)?.is_asleep())
    }

    fn awake(&self) -> Vec<Entity> {
        self.world.awake().map(|handle| self.entity(handle)).collect()
    }

    fn count(&self) -> usize {
        self.world.len()
    }

    fn try_move(&mut self, entity: Entity, motion: &Motion) -> Result<Moved, GameError> {
        let made = self.world.try_move(self.handle(entity)?, motion)?;
        Ok(self.moved(&made))
    }

    fn step(&mut self, moves: &[(Entity, Motion)]) -> Result<Stepped, GameError> {
        let named = moves.iter().map(|(entity, motion)| Ok((self.handle(*entity)?, *motion)));
        let done = self.world.step(&named.collect::<Result<Vec<_>, GameError>>()?)?;
        Ok(Stepped {
            moves: done.moves.iter().map(|made| self.moved(made)).collect(),
            asleep: done.asleep.iter().map(|handle| self.entity(*handle)).collect(),
        })
    }

    fn teleport(&mut self, entity: Entity, to: Placement) -> Result<(), GameError> {
        Ok(self.world.teleport(self.handle(entity)?, to)?)
    }

    fn resolve_overlap(&mut self, entity: Entity, at_most: f64) -> Result<bool, GameError> {
        Ok(self.world.resolve_overlap(self.handle(entity)?, at_most)?.is_some())
    }

    fn meeting(&self, placed: &Placed<'_>, except: Option<Entity>) -> Vec<Entity> {
        let except = except.and_then(|entity| self.handle(entity).ok());
        let met = self.world.meeting(placed, |handle, _| Some(handle) != except);
        met.into_iter().map(|handle| self.entity(handle)).collect()
    }

    fn contacts_of(&self, entity: Entity) -> Result<Vec<Entity>, GameError> {
        let others = self.world.contacts_of(self.handle(entity)?)?;
        Ok(others.into_iter().map(|handle| self.entity(handle)).collect())
    }

    fn filters(&self) -> Vec<Filter> {
        let statistics = self.world.statistics();
        let asked = FilterStage::ALL.into_iter().filter(|stage| statistics.of(*stage).asked > 0);
        let filter = |stage: FilterStage| {
            let count = statistics.of(stage);
            let mean_ns = count.nanoseconds as f64 / count.asked as f64;
            Filter { name: stage.name(), asked: count.asked, decided: count.decided, mean_ns }
        };
        asked.map(filter).collect()
    }

    fn clear_filters(&mut self) {
        self.world.clear_statistics();
    }

    fn hash(&self) -> u64 {
        self.world.hash()
    }
}
