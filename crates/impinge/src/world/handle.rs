//! Names of bodies that outlive them.

use super::WorldError;
use crate::broad::LARGEST_ID;

/// The name of a body. One of a body that was removed names nothing, whatever took its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Handle {
    pub(super) index: u32,
    pub(super) generation: u32,
}

impl Handle {
    /// Its place in the world's table: the least that is free when the body comes in. Places are used again.
    #[inline]
    pub fn index(self) -> u32 {
        self.index
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
    item: Option<T>,
}

impl<T> Default for Table<T> {
    fn default() -> Table<T> {
        Table { slots: Vec::new(), free: Vec::new(), freed: Vec::new() }
    }
}

impl<T> Table<T> {
    /// Takes something in.
    pub(super) fn insert(&mut self, item: T) -> Result<Handle, WorldError> {
        let index = match self.free.pop() {
            Some(index) => index,
            None if self.slots.len() > LARGEST_ID as usize => return Err(WorldError::Full),
            None => {
                self.slots.push(Slot { generation: 0, item: None });
                (self.slots.len() - 1) as u32
            }
        };
        let slot = &mut self.slots[index as usize];
        slot.item = Some(item);
        Ok(Handle { index, generation: slot.generation })
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
            Some(slot) if slot.generation == handle.generation && slot.item.is_some() => Ok(handle.index),
            _ => Err(WorldError::Unknown { handle }),
        }
    }

    /// The handle of what is at a place. There must be something.
    pub(super) fn handle(&self, index: u32) -> Handle {
        Handle { index, generation: self.slots[index as usize].generation }
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

    pub(super) fn len(&self) -> usize {
        self.slots.len() - self.free.len() - self.freed.len()
    }
}
