//! The ways on which a body may use up the time of a step.

use impinge::math::DVec3;
use impinge::{Motion, TransformError};

use super::Body;

/// Bodies that turn by less than this in a step, in radians, do not turn: the axis of their screw would be very far away.
const LEAST_ANGLE: f64 = 1e-7;

/// How to get from where a body is to where its velocity and spin lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// For a body that nothing touches: its center goes straight on, then it turns about it.
    Flight,
    /// For a body in contact: along its axis of spin, then a turn about the axis on which nothing moves across it. Where a brick tips
    /// over an edge, that axis is the edge, so the turn keeps the contact; a flight would be stopped by it at once.
    Screw,
    /// The straight part alone, along the walls that were met.
    Straight,
    /// The turn about the center alone.
    Turn,
}

/// What of a step is still to be done by a body.
pub(super) struct Plan {
    /// Of the straight part.
    pub(super) seconds_left: f64,
    /// Of the turn.
    pub(super) turn_left: f64,
    /// The normals, outward from the body, of what it shall not move into any more.
    pub(super) walls: Vec<DVec3>,
}

impl Plan {
    /// All is still to be done.
    pub(super) fn new(seconds: f64) -> Plan {
        Plan { seconds_left: seconds, turn_left: seconds, walls: Vec::new() }
    }

    /// The motion that does what is left in one way, if anything is.
    pub(super) fn motion(&self, body: &Body<'_>, way: Way) -> Result<Option<Motion>, TransformError> {
        let Body { velocity, spin, .. } = body;
        let degrees = (spin.length() * self.turn_left).to_degrees();
        let turns = degrees.to_radians() > LEAST_ANGLE;
        let by = match way {
            Way::Turn => DVec3::ZERO,
            Way::Screw if turns => velocity.project_onto(*spin) * self.seconds_left,
            _ => self.along_walls(*velocity * self.seconds_left),
        };
        let axis_at = match way {
            Way::Screw => body.center() + by + spin.cross(*velocity) / spin.length_squared(),
            _ => body.center() + by,
        };
        if turns && way != Way::Straight {
            return Motion::translation(by)?.then_rotation(axis_at, *spin, degrees).map(Some);
        }
        Ok(if by == DVec3::ZERO { None } else { Some(Motion::translation(by)?) })
    }

    /// What remains of a translation that may not lead into a wall.
    fn along_walls(&self, by: DVec3) -> DVec3 {
        let mut along = by;
        // Twice, because the second wall may lead back into the first.
        for wall in self.walls.iter().chain(&self.walls) {
            along -= *wall * along.dot(*wall).max(0.0);
        }
        let is_stuck = self.walls.iter().any(|wall| along.dot(*wall) > 1e-9 * by.length());
        if is_stuck { DVec3::ZERO } else { along }
    }

    /// A share of the motion was made.
    pub(super) fn spend(&mut self, way: Way, motion: &Motion, fraction: f64) {
        let has_two_parts = motion.turn().is_some() && motion.by() != DVec3::ZERO;
        let [moved, turned] = match (way, has_two_parts) {
            (Way::Screw, true) => [(2.0 * fraction - 1.0).max(0.0); 2],
            (_, true) => [(2.0 * fraction).min(1.0), (2.0 * fraction - 1.0).max(0.0)],
            (Way::Straight, _) => [fraction, 0.0],
            (Way::Turn, _) => [0.0, fraction],
            _ => [fraction; 2],
        };
        self.seconds_left *= 1.0 - moved;
        self.turn_left *= 1.0 - turned;
    }
}
