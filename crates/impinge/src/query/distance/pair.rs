//! The distance of two placed models.

use super::answer::{Distance, DistanceOptions};
use super::best::{Best, feature};
use super::frame::MetricFrame;
use super::search::{brute_force, traverse_bvh};
use crate::model::{Feature, Placed};
use crate::pair::frame::Frame;
use crate::query::scratch::Scratch;
use crate::query::verdict::{Engine, IntersectOptions};
use crate::query::{intersect, intersects};
use impinge_core::parallel::hold;

/// The minimum distance of two placed models, if it is no more than the options say.
pub(in crate::query) fn distance(
    a: &Placed<'_>,
    b: &Placed<'_>,
    options: DistanceOptions,
    scratch: &mut Scratch,
) -> Option<Distance> {
    if a.is_farther_from(b, options.at_most) {
        return None;
    }
    let as_overlap = as_overlap(options);
    if intersects(a, b, as_overlap, scratch) {
        let answer = intersect(a, b, as_overlap, scratch);
        return (options.at_most >= 0.0).then(|| at_meeting(&answer)).flatten();
    }
    distance_of_apart(a, b, options, scratch)
}

/// Whether two placed models are no farther apart than a distance, or their surfaces only: that of two that intersect needs no witness.
pub(super) fn is_within(
    a: &Placed<'_>,
    b: &Placed<'_>,
    at_most: f64,
    surface_only: bool,
    scratch: &mut Scratch,
) -> bool {
    if at_most.is_nan() || at_most < 0.0 || a.is_farther_from(b, at_most) {
        return false;
    }
    let options = DistanceOptions::new().at_most(at_most).enough(at_most).surface_only(surface_only);
    let as_overlap = as_overlap(options);
    intersects(a, b, as_overlap, scratch) || distance_of_apart(a, b, options, scratch).is_some()
}

/// The options of the test whether two intersect.
fn as_overlap(options: DistanceOptions) -> IntersectOptions {
    IntersectOptions::new().surface_only(options.surface_only).engine(options.engine)
}

/// The distance of models that do not intersect.
fn distance_of_apart(
    a: &Placed<'_>,
    b: &Placed<'_>,
    options: DistanceOptions,
    scratch: &mut Scratch,
) -> Option<Distance> {
    let _held = hold();
    if options.at_most.is_nan() || options.at_most <= 0.0 {
        return None;
    }
    let frame = Frame::of(a, b);
    let order = [frame.host, 1 - frame.host];
    let placed = order.map(|side| [a, b][side]);
    let metric = MetricFrame::of(&frame, placed[0], placed[1]);
    let sources = [metric.source(0, placed[0]), metric.source(1, placed[1])];
    // The cores are farther apart than the bodies.
    let radii = a.radius() + b.radius();
    let limit = metric.length_from_world(options.at_most + radii);
    let best = if options.engine == Engine::Brute || metric.is_shrunken() {
        let mut best = Best::within_exactly(limit);
        brute_force(&sources, &mut best);
        best
    } else {
        // A small part of the distance of cores may be much of what is left between the bodies.
        let mut best = if radii > 0.0 { Best::within_exactly(limit) } else { Best::within(limit) };
        let trees = placed.map(|placed| placed.model().bvh());
        let enough = metric.length_from_world(options.enough + radii);
        traverse_bvh(trees, &sources, &metric, enough, &mut best, (&mut scratch.near, &mut scratch.pieces));
        best
    };
    let (closest, pieces) = best.found?;
    // They do not meet, though rounding may have made them.
    let distance = (metric.length_to_world(closest.squared.sqrt()) - radii).max(f64::from_bits(1));
    if distance > options.at_most {
        return None;
    }
    let feature_of = |side: usize| feature(sources[side].mesh(), pieces[side], closest.places[side]);
    let mut points = closest.points.map(|point| metric.to_world(point));
    if let (true, Some(direction)) = (radii > 0.0, closest.offset.try_normalize()) {
        let direction = metric.direction_to_world(direction);
        points = [points[0] + direction * placed[0].radius(), points[1] - direction * placed[1].radius()];
    }
    let answer = Distance {
        distance,
        point_on_a: points[0],
        point_on_b: points[1],
        feature_a: Some(feature_of(0)),
        feature_b: Some(feature_of(1)),
    };
    Some(if frame.host == 0 { answer } else { answer.flipped() })
}

/// The answer for models that intersect: a point of both.
fn at_meeting(answer: &crate::query::Intersection) -> Option<Distance> {
    let witness = answer.witness?;
    let [feature_a, feature_b] =
        witness.faces.map_or([None; 2], |faces| faces.map(|face| Some(Feature::Face(face))));
    let point = witness.point_in_world;
    Some(Distance { distance: 0.0, point_on_a: point, point_on_b: point, feature_a, feature_b })
}
