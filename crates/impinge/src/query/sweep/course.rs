//! Motions that are being made: the poses on the way, and where the moving body is stopped. The pose at the stop is computed
//! once, proven to be free by the exact test, and returned.

use super::answer::{Sweep, SweepHit, SweepOptions, SweepStatus};
use super::frame::{Reach, SweepFrame};
use super::problem::NamedPair;
use super::relative::RelativeMotion;
use crate::model::Placed;
use crate::pair::stats::Stats;
use crate::query::distance::{DistanceOptions, distance, feature_of};
use crate::query::scratch::Scratch;
use crate::query::verdict::{IntersectOptions, Verdict};
use crate::query::{intersect, intersects};
use impinge_core::math::{DVec3, positive_zeros};
use impinge_core::narrow::ccd::{directions_at_contact, separation_of};
use impinge_core::narrow::distance::triangles;
use impinge_core::transform::Phase;

/// A motion that is being made.
pub(super) struct Course<'c, 'm> {
    /// The body at the start: lifted off, where it is.
    pub(super) moving: &'c Placed<'m>,
    pub(super) motion: &'c RelativeMotion,
    pub(super) stationary: &'c Placed<'m>,
    /// Whether the two touch at the start.
    pub(super) is_touching: bool,
    pub(super) lift: Option<DVec3>,
    /// Stops at larger fractions do not matter.
    pub(super) until: f64,
    pub(super) scratch: &'c mut Scratch,
}

/// The end of a motion: where, and why.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    pub(super) fraction: f64,
    /// The triangles that stop it; none at the end of the motion, or of what placements can express.
    pub(super) pair: Option<NamedPair>,
    /// The phase of the motion in which the body was stopped.
    pub(super) phase: Option<Phase>,
    pub(super) wedged: bool,
    /// The error bound of a point, in the world.
    pub(super) rounding: f64,
}

impl Stop {
    /// The stop at the end of the motion, where nothing is hit.
    pub(super) fn through(rounding: f64) -> Stop {
        Stop { fraction: 1.0, pair: None, phase: None, wedged: false, rounding }
    }
}

impl<'m> Course<'_, 'm> {
    /// Whether the exact test allows this place: clear of the other, or no worse than at the start.
    fn is_free(&mut self, [placed, other]: &[Placed<'_>; 2]) -> bool {
        if !self.is_touching {
            // Whatever comes to be inside of something goes through its surface.
            let options = IntersectOptions::new().surface_only(true);
            return !intersects(placed, other, options, self.scratch);
        }
        intersect(placed, other, IntersectOptions::default(), self.scratch).verdict == Verdict::Clear
    }

    /// Ends the motion at a fraction, or as much before as the exact test demands.
    pub(super) fn end(&mut self, stop: Stop, options: SweepOptions, stats: Stats) -> Sweep {
        let (mut fraction, mut step) = (stop.fraction, 1e-15);
        let mut is_hit = stop.pair.is_some() || stop.phase.is_some();
        let both = loop {
            if fraction <= 0.0 {
                break [*self.moving, *self.stationary];
            }
            match self.motion.both_at(self.moving, self.stationary, fraction) {
                Some(both) if self.is_free(&both) => break both,
                _ => {
                    is_hit = true;
                    fraction = (fraction - step).max(0.0);
                    step *= 2.0;
                }
            }
        };
        let fraction = fraction.max(0.0);
        Sweep {
            status: if is_hit { SweepStatus::Hit } else { SweepStatus::Clear },
            fraction,
            phase: is_hit.then(|| stop.phase.unwrap_or_else(|| self.phase_at(fraction))),
            world_from_moving: *both[0].placement(),
            world_from_stationary: *both[1].placement(),
            hit: is_hit.then(|| self.hit(&both, &stop, options)).flatten(),
            lift: self.lift,
            wedged: stop.wedged,
            rounding: stop.rounding,
            stats,
        }
    }

    /// The whole motion, or as much as placements can express, where nothing can be hit.
    pub(super) fn unhindered(&self) -> Sweep {
        let (mut fraction, mut step) = (1.0, 1e-15);
        let both = loop {
            match self.motion.both_at(self.moving, self.stationary, fraction) {
                _ if fraction <= 0.0 => break [*self.moving, *self.stationary],
                Some(both) => break both,
                None => (fraction, step) = ((fraction - step).max(0.0), 2.0 * step),
            }
        };
        let is_whole = fraction >= 1.0;
        Sweep {
            status: if is_whole { SweepStatus::Clear } else { SweepStatus::Hit },
            fraction,
            phase: (!is_whole).then(|| self.phase_at(fraction)),
            world_from_moving: *both[0].placement(),
            world_from_stationary: *both[1].placement(),
            hit: None,
            lift: None,
            wedged: false,
            rounding: 0.0,
            stats: Stats::default(),
        }
    }

    /// The motion where no stop is found up to what matters: as if it were clear.
    pub(super) fn beyond(&self, rounding: f64, stats: Stats) -> Sweep {
        Sweep {
            status: SweepStatus::Clear,
            fraction: 1.0,
            phase: None,
            world_from_moving: *self.moving.placement(),
            world_from_stationary: *self.stationary.placement(),
            hit: None,
            lift: self.lift,
            wedged: false,
            rounding,
            stats,
        }
    }

    /// How a point of the moving body moves relative to the other, up to a factor.
    fn velocity_at(&self, placed: &Placed<'_>, point_in_world: DVec3) -> DVec3 {
        let is_turned = placed.placement().world_from_model().matrix3
            != self.moving.placement().world_from_model().matrix3;
        self.motion.velocity_at(point_in_world, is_turned)
    }

    fn phase_at(&self, fraction: f64) -> Phase {
        let mut phases = self.motion.motion.phases();
        let at = phases.find(|(_, [_, to])| fraction <= *to);
        at.map_or(Phase::Translation, |(phase, _)| phase)
    }

    /// The features that are closest at the stop, of the triangles that stop the body.
    fn hit(&mut self, both: &[Placed<'m>; 2], stop: &Stop, options: SweepOptions) -> Option<SweepHit> {
        let Some(pair) = stop.pair else { return self.closest(both, stop.rounding) };
        let [placed, other] = both;
        let reach = Reach {
            travel: 0.0,
            center: self.motion.motion.turn().map(|turn| turn.center),
            other_center: None,
            asked: options.margin,
            skin: options.skin,
        };
        let frame = SweepFrame::new(placed, other, &reach);
        let sources = frame.sources(placed, other);
        let core = frame.margin.core;
        let corners = [0, 1].map(|side| {
            let (mesh, name) = (sources[side].mesh(), pair.names[side]);
            let fan = mesh.fan_triangle(name.face, name.piece as usize);
            fan.map(|vertex| sources[side].place(mesh.vertex(vertex)))
        });
        let closest = triangles(&corners[0], &corners[1]);
        let found = separation_of(&closest, &corners[0], &corners[1], core / 16.0);
        let mut normal = found.normal;
        let distance = found.distance - frame.radii;
        if distance <= 4.0 * core {
            // In contact: the direction that the motion goes against most.
            let point = frame.point_to_world(found.points[0]);
            let velocity = frame.vector_from_world(self.velocity_at(placed, point));
            let mut least = f64::INFINITY;
            let corners = corners.each_ref();
            directions_at_contact(&closest, corners, frame.radii, 4.0 * core, false, |direction| {
                if direction.dot(velocity) < least {
                    (normal, least) = (direction, direction.dot(velocity));
                }
            });
        }
        let feature = |side: usize| feature_of(sources[side].mesh(), pair.names[side], found.places[side]);
        let normal = positive_zeros(frame.vector_to_world(-normal).normalize_or(DVec3::Z));
        // From the cores to where the bodies end.
        let surface = |side: usize, radius: f64| {
            let point = frame.point_to_world(found.points[side]);
            if radius == 0.0 { point } else { point + normal * radius }
        };
        Some(SweepHit {
            point_on_moving: surface(0, placed.radius()),
            point_on_stationary: surface(1, -other.radius()),
            normal,
            feature_moving: feature(0),
            feature_stationary: feature(1),
            material_moving: sources[0].mesh().material(pair.names[0].face),
            material_stationary: sources[1].mesh().material(pair.names[1].face),
            bound: (distance + core) * frame.scale,
        })
    }

    /// The closest features, where no triangles were found to stop the body.
    fn closest(&mut self, [placed, other]: &[Placed<'m>; 2], rounding: f64) -> Option<SweepHit> {
        let options = DistanceOptions::new();
        let closest = distance(placed, other, options, self.scratch)?;
        let between = closest.point_on_b - closest.point_on_a;
        let (feature_moving, feature_stationary) = (closest.feature_a?, closest.feature_b?);
        Some(SweepHit {
            point_on_moving: closest.point_on_a,
            point_on_stationary: closest.point_on_b,
            normal: positive_zeros(between.normalize_or(DVec3::Z)),
            feature_moving,
            feature_stationary,
            material_moving: placed.model().material_of(feature_moving).unwrap_or(0),
            material_stationary: other.model().material_of(feature_stationary).unwrap_or(0),
            bound: closest.distance * (1.0 + 1e-9) + rounding,
        })
    }
}
