//! A vertex against a polygon, and an edge against an edge, while one moves along a line (paper 000 §2.2, §2.3, §3.1, §3.2).
//!
//! Both are a point that moves towards a convex polygon: the vertex towards the polygon itself; and for edges, the motion
//! from the origin towards the parallelogram of all differences between their points. Every bound of the zone over the
//! polygon is linear in time, so it is entered at the latest of a few quotients and left at the earliest.

use super::expel::{Entry, ExpelZone, Start};
use super::prism::Prism;
use crate::math::DVec3;
use crate::tolerance::UNIT;

/// When a point that moves by `velocity` in a unit of time enters the zone over a polygon, up to `horizon`.
#[inline]
pub fn enter(prism: &Prism, point: DVec3, velocity: DVec3, horizon: f64, zone: &ExpelZone) -> Entry {
    let (side, start) = prism.height(point);
    let along_normal = prism.normal.dot(velocity);
    let speed = side * along_normal;
    let levels = zone.levels(start);
    if speed >= 0.0 && start > levels.trigger {
        return Entry::Never;
    }
    let depth = -(zone.thickness + prism.top - prism.bottom);
    let mut first = if start > levels.trigger { (levels.trigger - start) / speed } else { 0.0 };
    let mut last = match speed {
        0.0 => horizon,
        speed if speed < 0.0 => (depth - start) / speed,
        _ => (levels.trigger - start) / speed,
    };
    last = last.min(horizon);
    let (mut over, mut parts_sideways) = (0.0_f64, false);
    for bound in &prism.sides {
        let room = bound.inward.dot(point) - bound.least;
        let change = bound.inward.dot(velocity);
        if change > 0.0 {
            over = over.max(-room / change);
        } else if change < 0.0 {
            last = last.min(room / -change);
            let size = bound.inward.abs().element_sum();
            // On the rim, or beside it by no more than rounding.
            parts_sideways |= room <= 2.0 * zone.core * size && -change > noise(size, velocity);
        } else if room < 0.0 {
            return Entry::Never;
        }
    }
    first = first.max(over);
    if first > last {
        return Entry::Never;
    }
    if start <= zone.core && over <= 0.0 {
        let along_normal = along_normal / noise(1.0, velocity);
        return Entry::Started(Start { along_normal, parts_sideways, again: None });
    }
    let at_level = if start > levels.stop { (levels.stop - start) / speed } else { 0.0 };
    Entry::At(at_level.max(over))
}

/// What rounding can make of a speed that is zero.
#[inline(always)]
fn noise(size: f64, velocity: DVec3) -> f64 {
    16.0 * UNIT * size * velocity.abs().element_sum()
}
