//! Teleports: bodies are put where they are to be, and back where that does not go (Blow 1997's first try).

use std::collections::{BTreeMap, BTreeSet};

use super::{Call, Handle, World, WorldError};
use impinge_core::transform::Placement;

impl World {
    /// Teleports bodies at once. Those that overlap others there go back to where they were; if another body has come there
    /// meanwhile, that one goes back too, until every body that has moved is free. At worst, no body has moved.
    /// Returns the bodies that are back where they were, sorted.
    ///
    /// Bodies on the way are not tested: [`try_move`](Self::try_move) does that.
    pub fn try_teleport<P: Into<Placement> + Copy>(
        &mut self,
        to: &[(Handle, P)],
    ) -> Result<Vec<Handle>, WorldError> {
        let to: Vec<(Handle, Placement)> = to.iter().map(|&(handle, place)| (handle, place.into())).collect();
        self.note(|| Call::TryTeleport(to.clone()));
        let mut starts: BTreeMap<u32, Placement> = BTreeMap::new();
        for &(handle, _) in &to {
            let index = self.index_of_moving(handle)?;
            if starts.insert(index, *self.body(index).placement()).is_some() {
                return Err(WorldError::MovedTwice { handle });
            }
        }
        for &(handle, place) in &to {
            self.wake_around(handle.index);
            if let Err(error) = self.put(handle.index, place) {
                for (&index, &start) in &starts {
                    self.put(index, start)?;
                }
                return Err(error);
            }
        }
        // Those that have to be looked at, and those that are where they wanted to go.
        let mut pending: BTreeSet<u32> = starts.keys().copied().collect();
        let mut moved = pending.clone();
        while let Some(index) = pending.pop_first() {
            let overlapped = self.overlapped(index);
            if overlapped.is_empty() {
                continue;
            }
            if moved.remove(&index) {
                self.put(index, starts[&index])?;
                // Whoever is there now has to be looked at again, and so has this one.
                pending.extend(self.overlapped(index).into_iter().filter(|other| moved.contains(other)));
            } else {
                pending.extend(overlapped.into_iter().filter(|other| moved.contains(other)));
            }
        }
        for &index in &moved {
            self.unseen.remove(index);
        }
        let reverted = starts.keys().filter(|index| !moved.contains(index));
        Ok(reverted.map(|&index| self.bodies.handle(index)).collect())
    }

    /// The bodies that overlap a body, in order.
    pub(super) fn overlapped(&self, index: u32) -> Vec<u32> {
        self.overlapped_one_by_one(index).collect()
    }

    /// Whether a solid body overlaps any other: quicker than asking which, as the first one found is enough.
    pub(super) fn overlaps_any(&self, index: u32) -> bool {
        self.overlapped_one_by_one(index).next().is_some()
    }

    fn overlapped_one_by_one(&self, index: u32) -> impl Iterator<Item = u32> + '_ {
        let mut near = Vec::new();
        self.broad.overlapping(&self.body(index).placed().bounds(), &mut near);
        near.into_iter().filter(move |&other| {
            other != index && self.are_solid([index, other]) && {
                let [own, others] = self.facing([index, other]);
                !self.is_free_of(&own, &others)
            }
        })
    }
}
