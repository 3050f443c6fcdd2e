//! A walker as in games: a box that slides along what it meets and steps up what is low (paper 000 §6).

use impinge::math::DVec3;
use impinge::mesh::generate::{Random, ShapeError};
use impinge::{Mesh, Model, TransformError};

use crate::level::{Level, Reach};

/// The highest step that it takes in its stride.
pub const STEP_UP: f64 = 18.0;
/// In units a second, and per second squared.
const SPEED: f64 = 320.0;
const GRAVITY: f64 = 800.0;
const SECONDS: f64 = 1.0 / 60.0;
/// A floor that rises more than this, as the cosine of its angle, is a wall.
const WALKABLE: f64 = 0.7;
/// How many planes it may meet in one step.
const PLANES: usize = 5;
/// So many steps with one wish are judged together: less than this share of the way that was free is stuck.
const WINDOW: u32 = 60;
const STUCK_SHARE: f64 = 0.01;
/// After so many steps it begins anew at another place, as in a game: there are pits with no way out.
const LIFETIME: u64 = 5000;

/// The box that walks; its origin is between its feet.
pub fn body() -> Result<Model, ShapeError> {
    Ok(Model::new(Mesh::cuboid_of_quads([-16.0, -16.0, 0.0], [16.0, 16.0, 56.0])?))
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
    /// Sweeps that began inside. The same promise.
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
    body: &Model,
    level: &Level,
    reach: &mut Reach,
    steps: u64,
    seed: u64,
) -> Result<Walk, TransformError> {
    let mut random = Random::new(seed);
    let mut walker = Walker { body, level, place: DVec3::ZERO, falling: 0.0, walk: Walk::default() };
    let (mut wish, mut wish_ends, mut window) = (DVec3::X, 0, (0, DVec3::ZERO));
    for step in 0..steps {
        if step % LIFETIME == 0 {
            let Some(place) = reach.place(random.below(u32::MAX) as usize) else { break };
            (walker.place, walker.falling, wish_ends) = (place.into(), 0.0, step);
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
    Ok(walker.walk)
}

struct Walker<'w> {
    body: &'w Model,
    level: &'w Level,
    place: DVec3,
    /// Downwards, in units a second.
    falling: f64,
    walk: Walk,
}

impl Walker<'_> {
    fn is_free(&self, place: DVec3) -> Result<bool, TransformError> {
        self.level.is_free(self.body, place)
    }

    /// One step: along the wish, over what is low; then down.
    fn step(&mut self, wish: DVec3) -> Result<(), TransformError> {
        let by = wish * (SPEED * SECONDS);
        let start = self.place;
        let along_ground = self.slide(start, by)?;
        self.place = along_ground;
        let is_hindered = along_ground.distance(start + by) > 1e-6;
        if is_hindered && self.falling == 0.0 {
            let lifted = self.sweep(start, DVec3::Z * STEP_UP)?.0;
            let ahead = self.slide(lifted, by)?;
            let (landed, floor) = self.sweep(ahead, DVec3::NEG_Z * (ahead.z - start.z))?;
            let gain = |place: DVec3| (place - start).dot(wish);
            let is_on_floor = floor.is_none_or(|normal| -normal.z > WALKABLE);
            if is_on_floor && gain(landed) > gain(along_ground) + 1e-6 {
                self.place = landed;
            }
        }
        self.falling += GRAVITY * SECONDS;
        // What stands on a floor is kept on it where that goes down, by steps or slopes.
        let (lower, floor) = self.sweep(self.place, DVec3::NEG_Z * (self.falling * SECONDS))?;
        self.place = lower;
        if let Some(normal) = floor {
            if -normal.z > WALKABLE {
                self.falling = 0.0;
            } else {
                self.place = self.slide(lower, DVec3::NEG_Z * (self.falling * SECONDS))?;
                self.falling *= 0.9;
            }
        }
        Ok(())
    }

    /// Goes on along every plane that it meets.
    fn slide(&mut self, start: DVec3, by: DVec3) -> Result<DVec3, TransformError> {
        let (mut place, mut left) = (start, by);
        let mut planes: Vec<DVec3> = Vec::new();
        while planes.len() < PLANES && left.length_squared() > 1e-18 {
            let (stop, plane) = self.sweep(place, left)?;
            left -= stop - place;
            place = stop;
            let Some(plane) = plane else { break };
            planes.push(plane);
            left = along(&planes, left);
            if left.dot(by) <= 0.0 {
                break;
            }
        }
        Ok(place)
    }

    /// Where a straight way ends, and the normal of what stops it, towards that.
    fn sweep(&mut self, start: DVec3, by: DVec3) -> Result<(DVec3, Option<DVec3>), TransformError> {
        let stop = self.level.sweep(self.body, start, by)?;
        self.walk.sweeps += stop.sweeps;
        self.walk.started_overlapping += u64::from(stop.is_inside);
        Ok((stop.place, stop.plane))
    }

    /// Whether it stood still though a place near by, more or less along its wish, is free.
    fn judge(&mut self, wish: DVec3, before: DVec3) -> Result<(), TransformError> {
        self.walk.judged += 1;
        let way = SPEED * SECONDS * f64::from(WINDOW);
        if self.place.distance(before) > STUCK_SHARE * way {
            return Ok(());
        }
        for degrees in [0.0, 10.0, -10.0, 25.0, -25.0, 40.0, -40.0, 55.0, -55.0, 70.0, -70.0_f64] {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let turned = DVec3::new(cos * wish.x - sin * wish.y, sin * wish.x + cos * wish.y, 0.0);
            if self.is_free(self.place + turned)? {
                self.walk.stuck += 1;
                return Ok(());
            }
        }
        Ok(())
    }
}

/// What is left of a way that must not lead into any of the planes: along one, along the line where two meet, or nothing.
fn along(planes: &[DVec3], way: DVec3) -> DVec3 {
    let is_free = |way: DVec3| planes.iter().all(|plane| way.dot(*plane) <= 1e-9 * way.length());
    let on_one = planes.iter().map(|plane| way - *plane * way.dot(*plane));
    if let Some(way) = on_one.into_iter().find(|way| is_free(*way)) {
        return way;
    }
    for (i, first) in planes.iter().enumerate() {
        for second in &planes[..i] {
            if let Some(line) = first.cross(*second).try_normalize() {
                let way = line * way.dot(line);
                if is_free(way) {
                    return way;
                }
            }
        }
    }
    DVec3::ZERO
}
