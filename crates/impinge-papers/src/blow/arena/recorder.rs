//! Where bodies were while a game was played, so that somebody can look at it afterwards.

use std::collections::BTreeMap;

use impinge::Mesh;
use impinge::math::DAffine3;
use impinge::mesh::MeshError;

use super::landscape::Landscape;
use super::models::Models;
use super::{Arena, RATE, Role};
use crate::blow::game_world::Entity;

/// One picture for so many steps.
const STEPS_A_PICTURE: usize = 2;

/// What was filmed. Bodies at rest take next to no room.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// The ground, in tiles.
    pub ground: Vec<Mesh>,
    /// The shapes of all bodies.
    pub shapes: Vec<Mesh>,
    /// Who was there, in the order of their first appearance.
    pub actors: Vec<Actor>,
    /// How long it was filmed.
    pub seconds: f64,
    /// Which actor a body is.
    numbers: BTreeMap<Entity, usize>,
}

/// A body, and where it was.
#[derive(Clone, Debug)]
pub struct Actor {
    /// What it is.
    pub role: Role,
    /// Its shape, one of [`Recording::shapes`].
    pub shape: usize,
    /// Seconds, ascending, and where it was; with none it was not there until the next one.
    pub keys: Vec<(f64, Option<DAffine3>)>,
}

impl Actor {
    /// Notes where it is. What did not change is noted again only when it does, so that it does not seem to begin sooner.
    fn note(&mut self, time: f64, since: f64, place: Option<DAffine3>) {
        match self.keys.last().copied() {
            Some((_, last)) if last == place => return,
            Some((noted, last)) if noted < since && last.is_some() => self.keys.push((since, last)),
            _ => {}
        }
        self.keys.push((time, place));
    }
}

impl Recording {
    pub(super) fn new(landscape: &Landscape, models: &Models) -> Result<Recording, MeshError> {
        let shapes = [&models.tank, &models.pad, &models.cargo].map(|model| model.mesh().clone());
        Ok(Recording { ground: landscape.tiles()?, shapes: shapes.into(), ..Recording::default() })
    }
}

impl Arena {
    /// Notes where all bodies are, where that is wanted.
    pub(super) fn take_picture(&mut self) {
        let time = self.report.steps as f64 / RATE;
        if time > self.game.film || !self.report.steps.is_multiple_of(STEPS_A_PICTURE) {
            return;
        }
        let film = &mut self.report.film;
        let since = film.seconds;
        for (handle, role) in &self.roles {
            let place = self.world.placed(*handle).ok().map(|body| *body.placement().world_from_model());
            let number = *film.numbers.entry(*handle).or_insert_with(|| {
                let shape = match role {
                    Role::Player | Role::Tank => 0,
                    Role::Pad => 1,
                    Role::Cargo | Role::Crate => 2,
                };
                // Who comes later was not there at first.
                let keys = if time > 0.0 { vec![(0.0, None)] } else { Vec::new() };
                film.actors.push(Actor { role: *role, shape, keys });
                film.actors.len() - 1
            });
            film.actors[number].note(time, since, place);
        }
        for (handle, number) in &film.numbers {
            if !self.roles.contains_key(handle) {
                film.actors[*number].note(time, since, None);
            }
        }
        film.seconds = time;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blow::arena::Game;
    use impinge::math::DVec3;

    #[test]
    fn rest_takes_no_room_and_is_not_smeared() {
        let at = |x: f64| Some(DAffine3::from_translation(DVec3::X * x));
        let mut actor = Actor { role: Role::Crate, shape: 2, keys: Vec::new() };
        for (time, place) in
            [(0.0, at(1.0)), (1.0, at(1.0)), (2.0, at(1.0)), (3.0, at(5.0)), (4.0, None), (5.0, None)]
        {
            actor.note(time, time - 1.0, place);
        }
        assert_eq!(actor.keys, [(0.0, at(1.0)), (2.0, at(1.0)), (3.0, at(5.0)), (4.0, None)]);
    }

    #[test]
    fn a_film_has_everybody_and_is_as_long_as_asked() {
        let game = Game { players: 2, objects: 4, seconds: 1.0, film: 0.5, check: false, ..Game::default() };
        let report = Arena::new(game).and_then(|arena| arena.play(|| ())).expect("a game");
        let film = &report.film;
        assert_eq!((film.seconds, film.shapes.len(), film.ground.is_empty()), (0.5, 3, false));
        assert!(film.actors.iter().filter(|actor| actor.role == Role::Player).count() == 2);
        for actor in &film.actors {
            assert!(actor.keys.is_sorted_by(|one, next| one.0 < next.0), "{actor:?}");
            assert!(actor.keys.len() <= 16 + 1 && actor.keys.iter().all(|(time, _)| *time <= 0.5));
        }
        let none =
            Arena::new(Game { film: 0.0, ..game }).and_then(|arena| arena.play(|| ())).expect("a game");
        assert!(none.film.actors.is_empty());
        assert_eq!(none.hash, report.hash);
    }
}
