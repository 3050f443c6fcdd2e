//! Where a motion is stopped: the pose that is proven to be free, and what stands in the way there.

use super::Leg;
use super::answer::{Sweep, SweepAsk, SweepHit, SweepVerdict, SweepWork};
use super::frame::SweepFrame;
use super::pair::{FeaturePair, Found};
use crate::math::DVec3;
use crate::model::{Feature, Placed};
use crate::narrow::closest::triangles;
use crate::query::search::Scratch;
use crate::query::verdict::{Ask, Verdict};
use crate::query::{check, intersects};
use crate::transform::{Motion, Phase, Placement};

/// A motion that is being made.
pub(super) struct Course<'c, 'm> {
    pub(super) moving: &'c Placed<'m>,
    pub(super) motion: &'c Motion,
    pub(super) stationary: &'c Placed<'m>,
    /// By how much the other moves, where it does; the motion is relative to it then.
    pub(super) other_by: DVec3,
    /// Whether the two touch at the start.
    pub(super) is_touching: bool,
    pub(super) scratch: &'c mut Scratch,
}

impl<'m> Course<'_, 'm> {
    /// The moving body at a fraction, relative to the other; none where that is out of the range of placements.
    pub(super) fn at(&self, fraction: f64) -> Option<Placed<'m>> {
        if fraction <= 0.0 {
            return Some(*self.moving);
        }
        let map = self.motion.carry(self.moving.placement().world_from_model(), fraction);
        Some(self.moving.model().at(Placement::try_from(map).ok()?))
    }

    /// The same where a leg begins.
    pub(super) fn at_start_of(&self, leg: &Leg) -> Option<Placed<'m>> {
        if leg.from <= 0.0 {
            return Some(*self.moving);
        }
        let [translated, turned] = leg.made;
        let map = self.motion.carry_by(self.moving.placement().world_from_model(), translated, turned);
        Some(self.moving.model().at(Placement::try_from(map).ok()?))
    }

    /// Both bodies at a fraction, in the world.
    fn both_at(&self, fraction: f64) -> Option<[Placed<'m>; 2]> {
        if self.other_by == DVec3::ZERO {
            return Some([self.at(fraction)?, *self.stationary]);
        }
        let moved = |placed: &Placed<'m>, by: DVec3| {
            let mut map = *placed.placement().world_from_model();
            map.translation += by * fraction.max(0.0);
            Some(placed.model().at(Placement::try_from(map).ok()?))
        };
        Some([moved(self.moving, self.motion.by() + self.other_by)?, moved(self.stationary, self.other_by)?])
    }

    /// Whether the exact test allows this place: clear of the other, or no worse than at the start.
    fn is_free(&mut self, [placed, other]: &[Placed<'_>; 2]) -> bool {
        if !self.is_touching {
            // Whatever comes to be inside of something goes through its surface.
            let ask = Ask { surface_only: true, ..Ask::default() };
            return !intersects(placed, other, ask, self.scratch);
        }
        matches!(
            check(placed, other, Ask::default(), self.scratch).verdict,
            Verdict::Clear | Verdict::Touching
        )
    }

    /// Stops at a fraction, or as much before as the exact test demands.
    pub(super) fn stop(
        &mut self,
        fraction: f64,
        found: Option<Found>,
        phase: Option<Phase>,
        ask: SweepAsk,
        work: SweepWork,
    ) -> Sweep {
        let (mut fraction, mut step, mut is_hit) = (fraction, 1e-15, found.is_some() || phase.is_some());
        let start = [*self.moving, *self.stationary];
        let both = loop {
            if fraction <= 0.0 {
                break start;
            }
            match self.both_at(fraction) {
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
            verdict: if is_hit { SweepVerdict::Hit } else { SweepVerdict::Clear },
            fraction,
            phase: is_hit.then(|| phase.unwrap_or_else(|| self.phase_at(fraction))),
            world_from_moving: *both[0].placement().world_from_model(),
            world_from_stationary: *both[1].placement().world_from_model(),
            hit: is_hit.then(|| self.hit(&both, found, ask)).flatten(),
            work,
        }
    }

    /// How a point of the moving body moves, up to a factor.
    fn speed_at(&self, placed: &Placed<'_>, point_in_world: DVec3) -> DVec3 {
        let Some(turn) = self.motion.turn() else { return self.motion.by() };
        let turning = turn.axis.cross(point_in_world - turn.centre) * turn.degrees.to_radians();
        let is_turned = placed.placement().world_from_model().matrix3
            != self.moving.placement().world_from_model().matrix3;
        if is_turned || self.motion.by() == DVec3::ZERO { turning } else { self.motion.by() }
    }

    fn phase_at(&self, fraction: f64) -> Phase {
        let mut phases = self.motion.phases();
        let at = phases.find(|(_, [_, to])| fraction <= *to);
        at.map_or(Phase::Translation, |(phase, _)| phase)
    }

    /// The features that meet, where the body was stopped.
    fn hit(&mut self, both: &[Placed<'m>; 2], found: Option<Found>, ask: SweepAsk) -> Option<SweepHit> {
        let Some(found) = found else { return self.closest(both) };
        let [placed, other] = both;
        let frame = SweepFrame::new(placed, other, self.motion, ask.expel);
        let sources = frame.sources(placed, other);
        let corners = [0, 1].map(|side| {
            let mesh = sources[side].mesh();
            found.pieces[side].vertices.map(|vertex| sources[side].place(mesh.vertex(vertex)))
        });
        let name = |side: usize| {
            let Found { pieces, features, .. } = &found;
            let (piece, mesh) = (&pieces[side], sources[side].mesh());
            let label = mesh.label(piece.name.face);
            let edge = |i: u8| {
                let [u, v] = [piece.vertices[i as usize], piece.vertices[(i as usize + 1) % 3]];
                Feature::edge([u.min(v), u.max(v)], label)
            };
            match (features, side) {
                (FeaturePair::VertexFace(i), 0) | (FeaturePair::FaceVertex(i), 1) => {
                    Feature::Vertex(piece.vertices[*i as usize])
                }
                (FeaturePair::Edges(i, _), 0) | (FeaturePair::Edges(_, i), 1) => edge(*i),
                _ => Feature::Face(label),
            }
        };
        // The two features as triangles, some of them without area.
        let point = |side: usize, i: u8| [corners[side][i as usize]; 3];
        let edge = |side: usize, i: u8| {
            let [u, v] = [corners[side][i as usize], corners[side][(i as usize + 1) % 3]];
            [u, v, v]
        };
        let across = |[a, b, c]: [DVec3; 3]| (b - a).cross(c - a);
        let (first, second, normal) = match found.features {
            FeaturePair::VertexFace(i) => (point(0, i), corners[1], across(corners[1])),
            FeaturePair::FaceVertex(i) => (corners[0], point(1, i), across(corners[0])),
            FeaturePair::Edges(i, j) => {
                let (first, second) = (edge(0, i), edge(1, j));
                (first, second, (first[1] - first[0]).cross(second[1] - second[0]))
            }
        };
        let closest = triangles(&first, &second);
        let distance = closest.squared.sqrt();
        let between = closest.points[1] - closest.points[0];
        let speed = frame.vector_from_world(self.speed_at(placed, frame.point_to_world(closest.points[0])));
        let normal = normal_between(normal, between, speed, frame.zone.core);
        let room = 4.0 * frame.zone.core;
        Some(SweepHit {
            point_on_moving: frame.point_to_world(closest.points[0]),
            point_on_stationary: frame.point_to_world(closest.points[1]),
            normal: frame.vector_to_world(normal).normalize_or(DVec3::Z),
            feature_moving: name(0),
            feature_stationary: name(1),
            bound: (distance + room) * frame.scale,
        })
    }

    /// What is closest, where no features were found to meet.
    fn closest(&mut self, [placed, other]: &[Placed<'m>; 2]) -> Option<SweepHit> {
        let ask = crate::query::DistanceAsk::default();
        let closest = crate::query::distance(placed, other, ask, self.scratch)?;
        let between = closest.point_b - closest.point_a;
        Some(SweepHit {
            point_on_moving: closest.point_a,
            point_on_stationary: closest.point_b,
            normal: between.normalize_or(DVec3::Z),
            feature_moving: closest.feature_a?,
            feature_stationary: closest.feature_b?,
            bound: closest.distance * (1.0 + 1e-9) + f64::MIN_POSITIVE,
        })
    }
}

/// The direction from the moving body to the other: across the features where they face each other, which is more exact than the way
/// between two points that are close together; else that way. Where they touch, it is the way that the body moves.
fn normal_between(across: DVec3, between: DVec3, speed: DVec3, core: f64) -> DVec3 {
    let (across, distance) = (across.normalize_or_zero(), between.length());
    let along = across.dot(between);
    if distance > 16.0 * core && along.abs() < 0.99 * distance {
        return between / distance;
    }
    if across == DVec3::ZERO {
        return between.normalize_or(speed.normalize_or(DVec3::Z));
    }
    let towards = if distance > 4.0 * core { along } else { across.dot(speed) };
    if towards < 0.0 { -across } else { across }
}
