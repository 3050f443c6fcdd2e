//! Two edges of which one turns (paper 000 §2.5, §3.4).
//!
//! When their lines meet is a quadratic in r, by their Plücker coordinates: the turning line's direction and moment about the
//! axis turn like vectors. That leaves at most two short intervals, in which the segments are followed.

use super::arc::{ArcPoint, ArcTurn, Quadratic};
use super::spans::Spans;
use crate::math::{DVec3, PlueckerLine};
use crate::narrow::expel::{Entry, ExpelZone, Start};
use crate::narrow::path::{Apart, MovingHull, first_below, stay_apart};
use crate::tolerance::UNIT;

/// The differences between the points of a turning edge and those of one that stands still.
struct EdgeHull {
    turning: [ArcPoint; 2],
    still: [DVec3; 2],
    /// How far the ends are from the axis at most.
    radius: f64,
}

impl MovingHull for EdgeHull {
    const CORNERS: usize = 4;

    fn at(&self, time: f64) -> [DVec3; 4] {
        let [a, b] = [self.turning[0].at(time), self.turning[1].at(time)];
        let [c, d] = self.still;
        [a - c, b - c, b - d, a - d]
    }

    fn least_along(&self, direction: DVec3, from: f64, to: f64) -> f64 {
        let most = direction.dot(self.still[0]).max(direction.dot(self.still[1]));
        let mut least = f64::INFINITY;
        for point in &self.turning {
            let above = point.along(direction).less(most).least(from, to);
            // Divided by what makes it least.
            let scale = if above > 0.0 { 1.0 + to * to } else { 1.0 + from * from };
            least = least.min(above / scale);
        }
        least
    }

    fn travel(&self, from: f64, to: f64) -> f64 {
        2.0 * (to - from) * self.radius
    }

    fn lines_stay_apart(&self, from: f64, to: f64, level: f64) -> bool {
        let along = self.still[1] - self.still[0];
        let [first, second] = &self.turning;
        // All times 1 + r², which makes them quadratics.
        let weigh = |r: f64| {
            let weight = 1.0 + r * r;
            let [a, b] = [first.at(r), second.at(r)];
            let (between, across) = (a - self.still[0], (b - a).cross(along));
            (
                between.length(),
                Apart { product: weight * between.dot(across), area: weight * across.length() },
            )
        };
        let ((near, start), (far, end)) = (weigh(from), weigh(to));
        let between = near.max(far) + self.travel(from, to);
        let lengths = (second.start - first.start).length() * along.length();
        // Half the second derivatives: what stands before r² is no larger than three times the lengths and what is between them.
        let bent = 2.0 * lengths * (4.0 * (between + 2.0 * self.radius) + level);
        let time = to - from;
        let rounding = 32.0 * UNIT * lengths * between * (1.0 + to * to);
        stay_apart(&[start, end], level, bent * time * time / 4.0, rounding)
    }
}

/// When a turning edge meets one that stands still, up to `horizon`, in r.
pub fn edges_meet(
    turn: &ArcTurn,
    turning: [DVec3; 2],
    still: [DVec3; 2],
    horizon: f64,
    zone: &ExpelZone,
) -> Entry {
    let line = PlueckerLine::through(turning[0] - turn.centre, turning[1] - turn.centre);
    let other = PlueckerLine::through(still[0] - turn.centre, still[1] - turn.centre);
    let lengths = line.direction.length() * other.direction.length();
    let side = side_on_arc(turn.axis, &line, &other);
    let across = line.direction.cross(other.direction);
    let start = side.constant.abs() / across.length();
    let levels = zone.levels(if start.is_finite() { start } else { f64::INFINITY });
    // The height is the side over the sine of the angle and the lengths: where the side is larger than this, so is the height.
    let most = (levels.trigger.max(levels.stop) + zone.core) * lengths;
    let mut near = Spans::one(0.0, horizon).where_not_negative(&side.less(-most));
    near = near.where_not_negative(&side.opposite().less(-most));
    if near.is_empty() {
        return Entry::Never;
    }
    let points = turning.map(|point| ArcPoint::new(turn, point));
    let radius = points[0].tangent.length().max(points[1].tangent.length());
    let hull = EdgeHull { turning: points, still, radius };
    let tolerance = zone.tolerance(start);
    for &[from, to] in near.iter() {
        let Some(first) = first_below(&hull, from, to, levels.trigger, tolerance, zone) else { continue };
        if first > 0.0 || start > zone.core {
            // In the zone from the start, and deeper now: from where it was as high as at the start, between the ends.
            let stop = if levels.stop > levels.trigger {
                first_below(&hull, from, first, levels.stop, tolerance, zone).unwrap_or(first)
            } else {
                first
            };
            return Entry::At(stop);
        }
        // Meeting at the start: they part along the normal, if the side grows from the start on.
        let speed = 2.0 * side.linear / across.length().max(f64::MIN_POSITIVE);
        let reach = 2.0 * radius + turning[0].abs().element_sum() + still[0].abs().element_sum();
        let noise = 64.0 * UNIT * reach * lengths / across.length().max(f64::MIN_POSITIVE);
        let again = again(&hull, &side, to, horizon, levels.trigger, tolerance, zone);
        return Entry::Started(Start { along_normal: speed / noise, parts_sideways: false, again });
    }
    Entry::Never
}

/// When edges that touch at the start and part meet again.
fn again(
    hull: &EdgeHull,
    side: &Quadratic,
    near_until: f64,
    horizon: f64,
    level: f64,
    tolerance: f64,
    zone: &ExpelZone,
) -> Option<f64> {
    // Once apart, the search goes on; should the two stay near, it counts as meeting at once.
    let step = if side.linear == 0.0 { 0.0 } else { near_until };
    if step <= 0.0 || step >= horizon {
        return (step <= 0.0).then_some(0.0);
    }
    first_below(hull, step, horizon, level, tolerance, zone)
}

/// The permuted inner product of a turning line with one that stands still, times 1 + r²; both about a point of the axis.
fn side_on_arc(axis: DVec3, turning: &PlueckerLine, still: &PlueckerLine) -> Quadratic {
    let [direction, moment] = [turning.direction, turning.moment];
    // After half a turn, what is along the axis is as before and the rest is reversed.
    let back = |vector: DVec3| 2.0 * axis * axis.dot(vector) - vector;
    let pair = |direction: DVec3, moment: DVec3| direction.dot(still.moment) + moment.dot(still.direction);
    Quadratic {
        constant: pair(direction, moment),
        linear: pair(axis.cross(direction), axis.cross(moment)),
        square: pair(back(direction), back(moment)),
    }
}
