//! Deflection of a body on trial: along walls, over floors, and not up what is too steep.

use super::WorldError;
use super::planes::{self, Plane, along};
use super::trial::{Obstacle, Trial};
use impinge_core::math::DVec3;

/// How a move along everything in its way went.
#[derive(Default)]
pub(super) struct Course {
    /// The obstacles, each body once, in order.
    pub(super) met: Vec<Obstacle>,
    /// Whether a wall, or a slope that counts as one, was in the way.
    pub(super) is_walled: bool,
    /// The part of the move that was not made.
    pub(super) left: DVec3,
}

/// Obstacles so far, as planes.
#[derive(Default)]
struct Planes {
    all: Vec<Plane>,
    /// Those that a walker does not climb, made vertical.
    walls: Vec<Plane>,
    /// Those that a walker walks on.
    floors: Vec<DVec3>,
}

/// Steeper than this, as the cosine between the normal and the way up, nothing carries at all.
const UPRIGHT: f64 = 1e-9;

/// Less than this part of a move is no way on.
const LEAST_WAY: f64 = 1e-9;

impl Trial<'_> {
    /// Whether an obstacle carries a walker: its normal is near the way up.
    pub(super) fn is_floor(&self, obstacle: &Obstacle) -> bool {
        -obstacle.normal.dot(self.options.up) > self.options.floor
    }

    /// The part of a vector that is not along the way up.
    pub(super) fn level(&self, by: DVec3) -> DVec3 {
        by - self.options.up * by.dot(self.options.up)
    }

    /// Moves the body, and goes on along everything that stops it, as far as that leads on.
    pub(super) fn move_along(&mut self, by: DVec3) -> Result<Course, WorldError> {
        let (mut course, mut planes) = (Course { left: by, ..Course::default() }, Planes::default());
        // What is met at once deflects at once, however many bodies it is.
        for _ in 0..self.options.planes.max(1) {
            if course.left.length_squared() <= 1e-18 * by.length_squared() {
                break;
            }
            let before = self.position();
            let obstacles = self.translate(course.left)?;
            course.left -= self.position() - before;
            if obstacles.is_empty() {
                course.left = DVec3::ZERO;
                break;
            }
            for obstacle in obstacles {
                course.is_walled |= self.add(&mut planes, &obstacle);
                if course.met.iter().all(|known| known.index != obstacle.index) {
                    course.met.push(obstacle);
                }
            }
            let toward = self.along_walls(&planes, by);
            let Some(way) = self.deflected(&planes, course.left, toward) else { break };
            // In a corner that the move leads into, what is left of it is rounding, and no way to go.
            if way.dot(toward) <= LEAST_WAY * way.length() * by.length() {
                break;
            }
            course.left = way;
        }
        Ok(course)
    }

    /// Adds an obstacle to the planes; true where it is a wall.
    fn add(&self, planes: &mut Planes, obstacle: &Obstacle) -> bool {
        let normal = obstacle.normal;
        planes::add(&mut planes.all, Plane { normal, limit: 0.0 });
        let rise = -normal.dot(self.options.up);
        if !self.options.walks() {
            return rise.abs() <= self.options.floor;
        }
        if self.is_floor(obstacle) {
            planes.floors.push(normal);
        } else if rise > -self.options.floor
            && let Some(normal) = self.level(normal).try_normalize()
        {
            planes::add(&mut planes.walls, Plane { normal, limit: 0.0 });
            return true;
        }
        false
    }

    /// A move without what would climb a wall: its level part leads into none of them.
    fn along_walls(&self, planes: &Planes, by: DVec3) -> DVec3 {
        let level = self.level(by);
        if planes.walls.iter().all(|wall| level.dot(wall.normal) <= 0.0) {
            return by;
        }
        by - level + along(&planes.walls, level).unwrap_or(DVec3::ZERO)
    }

    /// What is left of a move where planes are in its way; none where nothing is. `toward` is the whole move without what would climb a wall.
    fn deflected(&self, planes: &Planes, left: DVec3, toward: DVec3) -> Option<DVec3> {
        if !self.options.walks() {
            return along(&planes.all, left);
        }
        let up = self.options.up;
        let level = self.level(self.along_walls(planes, left));
        // What one wall has left of it may lead back from the next. Who climbs or jumps in such a corner does not walk back, either.
        let leads_on = level.dot(toward) > LEAST_WAY * level.length() * toward.length();
        let level = if leads_on { level } else { DVec3::ZERO };
        let way = match planes.floors.is_empty() {
            true => level + up * left.dot(up),
            // Over floors it goes as far as on the level, and a floor holds who would slide down.
            false => {
                let rises = planes.floors.iter().map(|floor| level.dot(*floor) / -up.dot(*floor));
                let jump = if left.dot(up) > 0.0 { left.dot(up) } else { f64::NEG_INFINITY };
                level + up * rises.fold(jump, f64::max)
            }
        };
        let leads_in = |plane: &Plane| way.dot(plane.normal) > 1e-9 * way.length();
        let way = if planes.all.iter().any(leads_in) { along(&planes.all, way)? } else { way };
        // Between a slope and a ceiling, the line where both meet may lead up a wall.
        let climbs = planes.walls.iter().any(|wall| way.dot(wall.normal) > 1e-9 * way.length());
        (!climbs && way.length() > 0.0).then_some(way)
    }

    /// Whether an obstacle holds a body up at all, however steep it is.
    pub(super) fn supports(&self, obstacle: &Obstacle) -> bool {
        -obstacle.normal.dot(self.options.up) > UPRIGHT
    }
}
