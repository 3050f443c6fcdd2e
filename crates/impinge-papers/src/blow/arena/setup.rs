//! How a game begins: objects fall to the ground and come to rest, players fly.

use std::collections::BTreeSet;

use impinge::Trs;
use impinge::math::DVec3;
use impinge::shapes::Random;

use super::models::Role;
use super::{Arena, ArenaError, Game, RATE, SECONDS, dynamics};
use crate::blow::arena::agent::Agent;
use crate::blow::game_world::Entity;

/// So many seconds of the game's time objects have to come to rest before it begins.
const SETTLING: f64 = 8.0;

impl Arena {
    /// Objects in the squares of a grid, in a random order, so that they have room; players above them.
    pub(super) fn populate(&mut self, random: &mut Random) -> Result<(), ArenaError> {
        let Game { players, objects, .. } = self.game;
        let side = ((players + objects) as f64).sqrt().ceil() as usize;
        let mut squares: Vec<usize> = (0..side * side).collect();
        for i in (1..squares.len()).rev() {
            squares.swap(i, random.below(i as u32 + 1) as usize);
        }
        let width = self.landscape.size() * 0.94 / side as f64;
        for (number, square) in squares.into_iter().take(players + objects).enumerate() {
            let corner = DVec3::new((square % side) as f64, (square / side) as f64, 0.0) * width;
            let middle = corner - DVec3::new(1.0, 1.0, 0.0) * (width * (side as f64 - 1.0) / 2.0);
            let at = middle + DVec3::new(random.unit() - 0.5, random.unit() - 0.5, 0.0) * (0.2 * width);
            let role = match number {
                number if number < players => Role::Player,
                number if number % 5 < 3 => Role::Pad,
                number if number % 5 == 3 => Role::Crate,
                _ => Role::Tank,
            };
            let height = if role == Role::Player { 14.0 } else { 4.0 };
            let place = at + DVec3::Z * (self.landscape.height(at.x, at.y) + height);
            let yaw = if role == Role::Player { 0.0 } else { 360.0 * random.unit() };
            let turn = Trs::rotation_about_axis(DVec3::Z, yaw)?;
            let handle = self.enter(role, Trs::rigid(place, turn.orientation())?)?;
            // On steep ground, a little higher.
            let mut above = place;
            while self.overlapped(handle) > 0 {
                above += DVec3::Z * 2.0;
                self.world.teleport(handle, Trs::rigid(above, turn.orientation())?.into())?;
            }
            if role == Role::Player {
                self.pilots.push(Agent::new(handle, above));
            }
        }
        Ok(())
    }

    /// Lets everything come to rest before the game begins.
    pub(super) fn settle(&mut self) -> Result<(), ArenaError> {
        let players: BTreeSet<Entity> = self.pilots.iter().map(|pilot| pilot.handle).collect();
        for _ in 0..(SETTLING * RATE) as usize {
            let mut awake = self.world.awake();
            awake.retain(|handle| !players.contains(handle));
            let mut moves = Vec::new();
            for handle in awake {
                let motion = dynamics::motion(self.world.as_ref(), &mut self.moving, handle, SECONDS)?;
                moves.extend(motion.map(|motion| (handle, motion)));
            }
            let done = self.world.step(&moves)?;
            for made in &done.moves {
                dynamics::answer(self.world.as_ref(), &mut self.moving, made)?;
            }
            if self.game.check {
                self.check();
            }
            if moves.is_empty() {
                break;
            }
        }
        self.world.clear_filters();
        Ok(())
    }
}
