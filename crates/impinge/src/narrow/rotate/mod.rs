//! A vertex against a polygon, and an edge against an edge, while one turns about an axis (paper 000 §2.4, §2.5, §3.3, §3.4).
//!
//! With r the tangent of half the angle, all bounds of the zone over a polygon are quadratics: the times at which a point is inside
//! are a few intervals, all roots with their own bounds, and an arc that grazes is no special case.

mod arc;
mod edges;
mod spans;

pub use arc::{ArcPoint, ArcTurn, Quadratic};
pub use edges::edges_meet;
pub use spans::Spans;

use super::expel::{Entry, ExpelZone, Start};
use super::prism::Prism;
use crate::tolerance::UNIT;

/// When a point on an arc enters the zone over a polygon, up to `horizon`, in r.
#[inline]
pub fn enter(prism: &Prism, point: &ArcPoint, horizon: f64, zone: &ExpelZone) -> Entry {
    let (side, start) = prism.height(point.start);
    let levels = zone.levels(start);
    let along = point.along(prism.normal * side);
    let base = if side > 0.0 { prism.top } else { -prism.bottom };
    // Heights over the polygon are `along` less `base`.
    let trigger = along.less(base + levels.trigger).opposite();
    let mut over = Spans::one(0.0, horizon).where_not_negative(&trigger);
    if over.is_empty() {
        return Entry::Never;
    }
    let below = along.less(base - (zone.thickness + prism.top - prism.bottom));
    over = over.where_not_negative(&below);
    let mut stop = Spans::one(0.0, horizon).where_not_negative(&along.less(base + levels.stop).opposite());
    stop = stop.where_not_negative(&below);
    let mut parts_sideways = false;
    for bound in &prism.sides {
        let along = point.along(bound.inward).less(bound.least);
        over = over.where_not_negative(&along);
        if over.is_empty() {
            return Entry::Never;
        }
        stop = stop.where_not_negative(&along);
        let size = bound.inward.abs().element_sum();
        parts_sideways |= along.constant <= 2.0 * zone.core * size && -along.linear > noise(size, point);
    }
    let mut spans = over.iter();
    let Some(&[first, until]) = spans.next() else { return Entry::Never };
    if start <= zone.core && first <= 0.0 {
        // Away from the polygon for as long as it is near.
        let rises = along.linear > 0.0 && along.linear + until * (along.square - base) > 0.0;
        let again = spans.next().map(|span| stop.start_of(span[0]).unwrap_or(span[0]));
        let along_normal = side * along.linear / noise(1.0, point);
        return Entry::Started(Start {
            along_normal: if rises || along_normal * side < 0.0 { along_normal } else { 0.0 },
            parts_sideways,
            again,
        });
    }
    Entry::At(stop.start_of(first).unwrap_or(first))
}

/// What rounding can make of a speed that is zero.
#[inline(always)]
fn noise(size: f64, point: &ArcPoint) -> f64 {
    16.0 * UNIT * size * (point.tangent.abs().element_sum() + point.start.abs().element_sum())
}
