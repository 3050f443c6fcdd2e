//! Sleep: bodies at rest cost nothing until they are touched, and wake up together with all that they touch.

use std::collections::BTreeSet;

use super::{Handle, Kind, World, WorldError};

impl World {
    /// Wakes a body, and all that it touches directly or through others.
    pub fn wake_up(&mut self, handle: Handle) -> Result<(), WorldError> {
        self.note(|| super::Call::WakeUp(handle));
        let index = self.bodies.index_of(handle)?;
        self.wake(index);
        Ok(())
    }

    /// Wakes the island of a body, if it sleeps.
    pub(super) fn wake(&mut self, index: u32) {
        let is_asleep = self.bodies.get(index).is_some_and(|body| body.is_asleep);
        if is_asleep {
            for member in self.island(index) {
                self.rouse(member);
            }
        }
    }

    /// Wakes a body, which is to move or to leave, and the islands of all that touch it.
    pub(super) fn wake_around(&mut self, index: u32) {
        self.wake(index);
        let others: Vec<u32> = self.touching.get(&index).into_iter().flatten().copied().collect();
        for other in others {
            self.wake(other);
        }
    }

    fn rouse(&mut self, index: u32) {
        if let Some(body) = self.bodies.get_mut(index) {
            body.is_asleep = false;
            body.still_for = 0;
            self.awake.insert(index);
        }
    }

    /// A body that moves, and all others that it touches directly or through others; what is fixed does not hand on.
    fn island(&self, index: u32) -> BTreeSet<u32> {
        let is_moving = |index: u32| self.bodies.get(index).is_some_and(|body| body.kind() == Kind::Moving);
        let mut members = BTreeSet::new();
        let mut left = vec![index];
        while let Some(next) = left.pop() {
            if is_moving(next) && members.insert(next) {
                left.extend(self.touching.get(&next).into_iter().flatten());
            }
        }
        members
    }

    /// Lets islands fall asleep of which nothing has moved for long enough.
    pub(super) fn fall_asleep(&mut self) -> Vec<Handle> {
        let mut tired = Vec::new();
        for index in self.awake.iter() {
            let has_changed = self.changed.contains(index);
            if let Some(body) = self.bodies.get_mut(index) {
                body.still_for = if has_changed { 0 } else { body.still_for.saturating_add(1) };
                if body.still_for >= self.options.sleep_after {
                    tired.push(index);
                }
            }
        }
        let mut seen = BTreeSet::new();
        let mut asleep = Vec::new();
        for index in tired {
            if seen.contains(&index) {
                continue;
            }
            let island = self.island(index);
            let rests = |index: &u32| {
                let body = self.bodies.get(*index);
                body.is_some_and(|body| body.is_asleep || body.still_for >= self.options.sleep_after)
            };
            if island.iter().all(rests) {
                asleep.extend(island.iter().filter(|index| self.awake.contains(**index)));
            }
            seen.extend(island);
        }
        for &index in &asleep {
            if let Some(body) = self.bodies.get_mut(index) {
                body.is_asleep = true;
            }
            self.awake.remove(index);
        }
        asleep.sort_unstable();
        asleep.into_iter().map(|index| self.bodies.handle(index)).collect()
    }
}
