//! Steps up, and the ground below: how walkers climb stairs and come down again.

use super::deflect::Course;
use super::trial::{Obstacle, Trial};
use super::{Handle, WorldError};
use impinge_core::math::DVec3;
use impinge_core::transform::Placement;

/// The ground below a body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Ground {
    /// The body that is the ground.
    pub body: Handle,
    /// The unit normal of the contact, from the ground to the body that stands on it.
    pub normal: DVec3,
    /// The point of the ground that is touched.
    pub point: DVec3,
    /// Whether the ground is too steep to stand on.
    pub is_steep: bool,
}

/// How a walk went.
#[derive(Default)]
pub(super) struct Walk {
    pub(super) met: Vec<Obstacle>,
    pub(super) stepped: bool,
}

/// A step is taken where it leads farther by more than this part of the move.
const LEAST_GAIN: f64 = 1e-3;

/// So many places are tried on a step for one to stand on.
const FOOTHOLDS: u32 = 4;

impl Trial<'_> {
    /// Moves the body along everything in its way, and up all steps that are low enough.
    pub(super) fn walk(&mut self, by: DVec3) -> Result<Walk, WorldError> {
        let mut walk = Walk::default();
        let mut left = by;
        for _ in 0..self.options.planes.max(1) {
            let start = self.place;
            let course = self.move_along(left)?;
            let level = self.level(left);
            let is_hindered = course.is_walled && self.options.step_up > 0.0;
            if !is_hindered || level.length_squared() <= 1e-18 * by.length_squared() {
                walk.add(course.met);
                break;
            }
            let on_level = std::mem::replace(&mut self.place, start);
            let gain =
                |trial: &Trial<'_>| (trial.position() - start.world_from_model().translation).dot(level);
            let (mut step, mut rest) = (self.step(level)?, DVec3::ZERO);
            let half_size = self.half_size(level.normalize_or_zero());
            if step.is_none() && level.length() > half_size {
                // A long way leads round feet over edges farther on, and higher than a step: a part of it does not.
                self.place = start;
                let part = level * (half_size / level.length());
                (step, rest) = (self.step(part)?, level - part);
            }
            let gained = gain(self);
            let stepped_to = std::mem::replace(&mut self.place, on_level);
            let Some(step) = step.filter(|_| gained > gain(self) + LEAST_GAIN * level.length_squared())
            else {
                walk.add(course.met);
                break;
            };
            self.place = stepped_to;
            walk.stepped = true;
            left = self.level(step.left) + rest;
            walk.add(step.met);
            if !step.is_walled && rest == DVec3::ZERO {
                break;
            }
        }
        Ok(walk)
    }

    /// Once more from a step higher, and down again as far; none where that ends on nothing to stand on.
    fn step(&mut self, level: DVec3) -> Result<Option<Course>, WorldError> {
        let (start, up) = (self.place, self.options.up);
        let height = |trial: &Trial<'_>| (trial.position() - start.world_from_model().translation).dot(up);
        self.translate(up * self.options.step_up)?;
        if height(self) <= 0.0 {
            return Ok(None);
        }
        let mut course = self.move_along(level)?;
        let raised = height(self);
        let below = self.translate(-up * raised.max(0.0))?;
        let landed = self.place;
        // Where it rolls over edges above, it might get higher than a step.
        let is_low = height(self) <= self.options.step_up + 2.0 * self.world.skin;
        let stands = below.is_empty() || below.iter().any(|obstacle| self.is_floor(obstacle));
        let room = self.options.step_up - height(self);
        let is_step = is_low && (stands || self.finds_foothold(&below, room)?);
        self.place = landed;
        course.met.extend(below);
        Ok(is_step.then_some(course))
    }

    /// Half of how long the body is along a direction.
    fn half_size(&self, toward: DVec3) -> f64 {
        let placed = self.placed();
        let in_model = placed.placement().world_from_model().matrix3.transpose() * toward;
        let along = placed.model().mesh().vertices().map(|vertex| vertex.dot(in_model));
        let [least, most] = along.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], along| {
            [least.min(along), most.max(along)]
        });
        0.5 * (most - least) + placed.radius()
    }

    /// Whether a body that stands on an edge, as round ones do on that of a step, would stand on a floor farther on: higher by at most `room`, and no farther than half of its size.
    fn finds_foothold(&mut self, edges: &[Obstacle], room: f64) -> Result<bool, WorldError> {
        let (start, up) = (self.place, self.options.up);
        for edge in edges {
            let Some(toward) = self.level(edge.normal).try_normalize() else { continue };
            self.place = start;
            let half_size = self.half_size(toward);
            self.translate(up * room.max(0.0))?;
            for _ in 0..FOOTHOLDS {
                if !self.translate(toward * (half_size / f64::from(FOOTHOLDS)))?.is_empty() {
                    break;
                }
                let above = self.place;
                let raised = (self.position() - start.world_from_model().translation).dot(up);
                let below = self.translate(-up * raised.max(0.0))?;
                if below.iter().any(|obstacle| self.is_floor(obstacle)) {
                    return Ok(true);
                }
                self.place = above;
            }
        }
        Ok(false)
    }

    /// Whether a body that nothing but steep slopes hold slides down them. Between two of them it does not.
    fn slides_down_from(&mut self, place: Placement) -> Result<bool, WorldError> {
        self.place = place;
        let start = self.position();
        let by = -self.options.up * self.world.options.contact_distance;
        self.move_along(by)?;
        Ok((self.position() - start).dot(by) > LEAST_GAIN * by.length_squared())
    }

    /// Puts the body on the ground below, if there is one within a distance that it can stand on, and returns the ground.
    pub(super) fn snap(&mut self, distance: f64) -> Result<Option<Ground>, WorldError> {
        let (before, up, near) = (self.place, self.options.up, self.world.options.contact_distance);
        // Who walks is at the ground already, mostly: what is farther down is not asked then.
        let mut below = if near < distance { self.translate(-up * near)? } else { Vec::new() };
        if below.is_empty() {
            self.place = before;
            below = self.translate(-up * distance)?;
        }
        let landed = self.place;
        let floor = below.iter().find(|obstacle| self.is_floor(obstacle));
        let carrier = floor.or_else(|| below.iter().find(|obstacle| self.supports(obstacle)));
        let Some((carrier, hit)) = carrier.and_then(|carrier| Some((carrier, carrier.hit?))) else {
            self.place = before;
            return Ok(None);
        };
        let is_held = floor.is_some()
            || (self.options.step_up > 0.0 && self.finds_foothold(&below, self.options.step_up)?)
            || !self.slides_down_from(landed)?;
        let is_steep = !is_held;
        self.place = if is_steep { before } else { landed };
        let body = self.world.bodies.handle(carrier.index);
        Ok(Some(Ground { body, normal: -hit.normal, point: hit.point_on_stationary, is_steep }))
    }
}

impl Walk {
    fn add(&mut self, met: Vec<Obstacle>) {
        for obstacle in met {
            if self.met.iter().all(|known| known.index != obstacle.index) {
                self.met.push(obstacle);
            }
        }
    }
}
