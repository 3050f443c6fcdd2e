//! Handles: names of bodies that outlive them.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{self, AtomicU64};

use super::WorldError;
use crate::broad_phase::BroadPhase;

/// A handle, the name of a body. It names nothing once the body was removed, whatever took its place; nothing in another world than the one
/// that the body was inserted into, its [snapshots](super::World::snapshot) and its clones; and nothing after a
/// [`restore`](super::World::restore) to a time before the body came.
///
/// A handle that was read with serde names nothing until [`World::counterpart`](super::World::counterpart) has found its body.
///
/// Handles are equal where place and generation are: so the same calls in two worlds give equal answers, bit by bit.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Handle {
    pub(super) index: u32,
    pub(super) generation: u32,
    /// The insertion that made it, unlike any other of the process; 0, which is none, of a handle that was read.
    #[cfg_attr(feature = "serde", serde(skip))]
    stamp: u64,
}

impl std::fmt::Debug for Handle {
    /// Without the stamp, on which no answer depends.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Handle").field("index", &self.index).field("generation", &self.generation).finish()
    }
}

/// The next insertion's stamp. Answers never depend on it: it only tells handles apart that are equal by chance.
static NEXT_STAMP: AtomicU64 = AtomicU64::new(1);

impl PartialEq for Handle {
    fn eq(&self, other: &Handle) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Handle {}

impl Hash for Handle {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl PartialOrd for Handle {
    fn partial_cmp(&self, other: &Handle) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Handle {
    fn cmp(&self, other: &Handle) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl Handle {
    /// The index of the body in the world's table: the least that is free when the body comes in. Indices are used again.
    #[inline]
    pub fn index(self) -> u32 {
        self.index
    }

    fn key(self) -> (u32, u32) {
        (self.index, self.generation)
    }
}

impl std::fmt::Display for Handle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.index, self.generation)
    }
}

/// A table of things with handles. A place that became free is given away only after [`settle`](Self::settle), so that what
/// is told about the one who left is not taken for news about the next.
#[derive(Clone, Debug)]
pub(super) struct Table<T> {
    slots: Vec<Slot<T>>,
    free: Vec<u32>,
    freed: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Slot<T> {
    generation: u32,
    /// The handle's, of what is there or was last.
    stamp: u64,
    item: Option<T>,
}

impl<T> Default for Table<T> {
    fn default() -> Table<T> {
        Table { slots: Vec::new(), free: Vec::new(), freed: Vec::new() }
    }
}

#[cfg(feature = "serde")]
impl<T> Table<T> {
    /// All places in order: the generation, what is there, and whether the place became free since the table [settled](Self::settle).
    pub(super) fn slots(&self) -> impl Iterator<Item = (u32, Option<&T>, bool)> {
        let freed: std::collections::BTreeSet<u32> = self.freed.iter().copied().collect();
        let slots = (0..).zip(&self.slots);
        slots.map(move |(index, slot)| (slot.generation, slot.item.as_ref(), freed.contains(&index)))
    }

    /// A table of such places.
    pub(super) fn of_slots(slots: Vec<(u32, Option<T>, bool)>) -> Result<Table<T>, WorldError> {
        if slots.len() > BroadPhase::LARGEST_ID as usize + 1 {
            return Err(WorldError::Full);
        }
        let mut table = Table::default();
        for (index, (generation, item, is_freed)) in (0..).zip(slots) {
            match &item {
                Some(_) => {}
                None if is_freed => table.freed.push(index),
                None => table.free.push(index),
            }
            let stamp = NEXT_STAMP.fetch_add(1, atomic::Ordering::Relaxed);
            table.slots.push(Slot { generation, stamp, item });
        }
        // The least is the next.
        table.free.reverse();
        Ok(table)
    }
}

impl<T> Table<T> {
    /// Takes something in.
    pub(super) fn insert(&mut self, item: T) -> Result<Handle, WorldError> {
        let index = match self.free.pop() {
            Some(index) => index,
            None if self.slots.len() > BroadPhase::LARGEST_ID as usize => return Err(WorldError::Full),
            None => {
                self.slots.push(Slot { generation: 0, stamp: 0, item: None });
                (self.slots.len() - 1) as u32
            }
        };
        let slot = &mut self.slots[index as usize];
        slot.item = Some(item);
        slot.stamp = NEXT_STAMP.fetch_add(1, atomic::Ordering::Relaxed);
        Ok(Handle { index, generation: slot.generation, stamp: slot.stamp })
    }

    pub(super) fn remove(&mut self, handle: Handle) -> Result<T, WorldError> {
        self.index_of(handle)?;
        let slot = &mut self.slots[handle.index as usize];
        let item = slot.item.take().ok_or(WorldError::Unknown { handle })?;
        slot.generation = slot.generation.wrapping_add(1);
        self.freed.push(handle.index);
        Ok(item)
    }

    /// Lets places that became free be used again, the least first.
    pub(super) fn settle(&mut self) {
        if !self.freed.is_empty() {
            self.free.append(&mut self.freed);
            self.free.sort_unstable_by(|a, b| b.cmp(a));
        }
    }

    /// The place of a handle, if it names something.
    pub(super) fn index_of(&self, handle: Handle) -> Result<u32, WorldError> {
        let slot = self.slots.get(handle.index as usize);
        match slot {
            Some(slot) if slot.stamp == handle.stamp && slot.item.is_some() => Ok(handle.index),
            _ => Err(WorldError::Unknown { handle }),
        }
    }

    /// This table's handle for the place and generation of another table's; that one itself where nothing has them.
    pub(super) fn counterpart(&self, handle: Handle) -> Handle {
        let slot = self.slots.get(handle.index as usize);
        let same = slot.filter(|slot| slot.generation == handle.generation && slot.item.is_some());
        same.map_or(handle, |slot| Handle { stamp: slot.stamp, ..handle })
    }

    /// The handle of what is at a place. There must be something.
    pub(super) fn handle(&self, index: u32) -> Handle {
        let slot = &self.slots[index as usize];
        Handle { index, generation: slot.generation, stamp: slot.stamp }
    }

    #[inline]
    pub(super) fn get(&self, index: u32) -> Option<&T> {
        self.slots.get(index as usize)?.item.as_ref()
    }

    #[inline]
    pub(super) fn get_mut(&mut self, index: u32) -> Option<&mut T> {
        self.slots.get_mut(index as usize)?.item.as_mut()
    }

    /// All that there is, by place.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        (0..).zip(&self.slots).filter_map(|(index, slot)| Some((index, slot.item.as_ref()?)))
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.slots.iter_mut().filter_map(|slot| slot.item.as_mut())
    }

    pub(super) fn len(&self) -> usize {
        self.slots.len() - self.free.len() - self.freed.len()
    }
}
