//! A walker as in games: a character that slides along what it meets and steps up what is low (van Waveren 2005, §6).

use std::sync::Arc;

use impinge::math::DVec3;
use impinge::model::RoundError;
use impinge::shapes::{self, Random, ShapeError};
use impinge::world::{Body, Character, CharacterOptions, FilterStage, World, WorldError};
use impinge::{Model, Trs};

use crate::level::{Level, Reach};

/// The highest step that it takes in its stride.
pub const STEP_UP: f64 = 18.0;
/// In units a second, and per second squared.
const SPEED: f64 = 320.0;
const GRAVITY: f64 = 800.0;
const SECONDS: f64 = 1.0 / 60.0;
/// So many steps with one wish are judged together: less than this share of the way that was free is stuck.
const WINDOW: u32 = 60;
const STUCK_SHARE: f64 = 0.01;
/// A walker that is nearer to a wall than this stands at it.
const AT_WALL: f64 = 1e-3;
/// After so many steps it begins anew at another place, as in a game: there are pits with no way out.
const LIFETIME: u64 = 5000;

/// The box that walks; its origin is between its feet.
pub fn body() -> Result<Arc<Model>, ShapeError> {
    Ok(Arc::new(Model::new(shapes::cuboid_of_quads([-16.0, -16.0, 0.0], [16.0, 16.0, 56.0])?)))
}

/// The capsule that walks, as wide and as high as the box.
pub fn capsule() -> Result<Arc<Model>, RoundError> {
    Ok(Arc::new(Model::capsule([0.0, 0.0, 16.0], [0.0, 0.0, 40.0], 16.0)?))
}

/// What happened on a walk.
#[derive(Clone, Debug, Default)]
pub struct Walk {
    /// Steps made, and sweeps for them.
    pub steps: u64,
    /// See above.
    pub sweeps: u64,
    /// Steps after which it met the level by the exact test. The promise is that there are none.
    pub inside: u64,
    /// Moves that began inside. The same promise.
    pub started_overlapping: u64,
    /// How often it wished to move, could have, and did not.
    pub stuck: u64,
    /// How often that was judged.
    pub judged: u64,
    /// How far it came in all.
    pub length: f64,
    /// Where it was after each of the first steps.
    pub trail: Vec<DVec3>,
}

/// Walks about for so many steps: half of the wishes are random, half lead towards places where it has not been yet.
pub fn walk(
    body: &Arc<Model>,
    level: &Level,
    reach: &mut Reach,
    steps: u64,
    seed: u64,
) -> Result<Walk, WorldError> {
    let mut random = Random::new(seed);
    let mut world = level.world()?;
    // Wherever it is before it begins.
    let above = DVec3::Z * (level.bounds().max.z + 1e3);
    let handle = world.insert(Body::moving(body.clone(), Trs::translation(above)?))?;
    let options = CharacterOptions::new().step_up(STEP_UP).snap(STEP_UP).gravity(GRAVITY);
    let character = Character::with_options(handle, options);
    let mut walker = Walker { body, level, world, character, place: above, walk: Walk::default() };
    let (mut wish, mut wish_ends, mut window) = (DVec3::X, 0, (0, DVec3::ZERO));
    for step in 0..steps {
        if step % LIFETIME == 0 {
            let Some(place) = reach.place(random.below(u32::MAX) as usize) else { break };
            walker.begin_at(place.into())?;
            wish_ends = step;
        }
        if step >= wish_ends {
            let goal =
                if random.below(2) == 0 { reach.unvisited(random.below(u32::MAX) as usize) } else { None };
            let towards = goal.map_or(random.direction(), |goal| DVec3::from(goal) - walker.place);
            wish = DVec3::new(towards.x, towards.y, 0.0).normalize_or(DVec3::X);
            wish_ends = step + 30 + u64::from(random.below(150));
            window = (0, walker.place);
        }
        let before = walker.place;
        walker.step(wish)?;
        walker.walk.length += walker.place.distance(before);
        if !walker.is_free(walker.place)? {
            walker.walk.inside += 1;
        }
        window.0 += 1;
        if window.0 == WINDOW {
            walker.judge(wish, window.1)?;
            window = (0, walker.place);
        }
        reach.visit(walker.place.to_array());
        if step < 3600 && step % 2 == 0 {
            walker.walk.trail.push(walker.place);
        }
    }
    walker.walk.steps = steps;
    walker.walk.sweeps = walker.world.statistics().of(FilterStage::Hard).asked;
    Ok(walker.walk)
}

struct Walker<'w> {
    body: &'w Model,
    level: &'w Level,
    world: World,
    character: Character,
    place: DVec3,
    walk: Walk,
}

impl Walker<'_> {
    fn is_free(&self, place: DVec3) -> Result<bool, WorldError> {
        Ok(self.level.is_free(self.body, place)?)
    }

    fn begin_at(&mut self, place: DVec3) -> Result<(), WorldError> {
        self.world.teleport(self.character.body(), Trs::translation(place)?)?;
        self.character = Character::with_options(self.character.body(), *self.character.options());
        self.place = place;
        Ok(())
    }

    /// One step: along the wish, over what is low, and down.
    fn step(&mut self, wish: DVec3) -> Result<(), WorldError> {
        let step = self.character.update(&mut self.world, wish * SPEED, SECONDS)?;
        self.walk.started_overlapping += u64::from(step.started_overlapping);
        self.place = step.placement.world_from_model().translation;
        Ok(())
    }

    /// Whether it stood still though a place near by, more or less along its wish, is free.
    fn judge(&mut self, wish: DVec3, before: DVec3) -> Result<(), WorldError> {
        self.walk.judged += 1;
        let way = SPEED * SECONDS * f64::from(WINDOW);
        if self.place.distance(before) > STUCK_SHARE * way {
            return Ok(());
        }
        for degrees in [0.0, 10.0, -10.0, 25.0, -25.0, 40.0, -40.0, 55.0, -55.0, 70.0, -70.0_f64] {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let turned = DVec3::new(cos * wish.x - sin * wish.y, sin * wish.x + cos * wish.y, 0.0);
            if self.is_free(self.place + turned)? {
                self.walk.stuck += u64::from(!self.pushes_straight(wish)?);
                return Ok(());
            }
        }
        Ok(())
    }

    /// Whether it stands at a wall, too high to step on, that leaves less of its wish than counts as a way: round the wall's end, which may be near by,
    /// no slide leads.
    fn pushes_straight(&self, wish: DVec3) -> Result<bool, WorldError> {
        if self.is_free(self.place + DVec3::Z * STEP_UP + wish)? {
            return Ok(false);
        }
        let mut walls = self.level.walls(self.body, self.place, wish * AT_WALL)?;
        Ok(walls.any(|normal| (wish - normal * wish.dot(normal)).length() < STUCK_SHARE))
    }
}
