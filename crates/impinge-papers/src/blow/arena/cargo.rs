//! Boxes that players drop, and the pads that they become on the ground.

use impinge::Trs;
use impinge::math::DVec3;

use super::models::Role;
use super::{Arena, ArenaError};
use crate::blow::game_world::Entity;

impl Arena {
    /// Drops a box from below a tank, and takes the oldest away where there are too many.
    pub(super) fn drop_cargo(&mut self, from: DVec3) -> Result<(), ArenaError> {
        let below = from - DVec3::Z * 3.5;
        let place = Trs::translation(below)?;
        let placed = self.models.cargo.at(place);
        if !self.world.meeting(&placed, None).is_empty() {
            return Ok(());
        }
        let handle = self.enter(Role::Cargo, place)?;
        self.dropped.push(handle);
        self.report.dropped[0] += 1;
        if self.dropped.len() > self.game.players.max(4) {
            let oldest = self.dropped.remove(0);
            self.leave(oldest)?;
        }
        Ok(())
    }

    /// A box on the ground becomes a pad, where there is room for one.
    pub(super) fn deploy(&mut self, cargo: Entity) -> Result<(), ArenaError> {
        let place = self.place_of(cargo)?;
        let Some(age) = self.dropped.iter().position(|handle| *handle == cargo) else { return Ok(()) };
        self.leave(cargo)?;
        self.dropped.remove(age);
        let above = Trs::translation(place + DVec3::Z * 2.5)?;
        let pad = self.enter(Role::Pad, above)?;
        let has_room = if self.overlapped(pad) == 0 {
            true
        } else {
            self.report.unstuck += 1;
            self.world.resolve_overlap(pad, 4.0)?
        };
        if has_room {
            self.dropped.push(pad);
            self.report.dropped[1] += 1;
        } else {
            self.leave(pad)?;
        }
        Ok(())
    }
}
