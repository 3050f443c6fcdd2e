//! Distances of points from a placed model.

use super::answer::{ClosestPoint, DistanceOptions, SignedDistance};
use super::best::{Best, feature};
use super::frame::MetricFrame;
use super::search::for_each_piece;
use crate::model::Placed;
use crate::pair::surface::{FaceSource, TreeFacets};
use crate::query::scratch::Scratch;
use crate::query::solid;
use crate::query::verdict::Engine;
use impinge_core::bvh::traverse_point;
use impinge_core::math::DVec3;
use impinge_core::narrow::distance::point_triangle;
use impinge_core::parallel::hold;

/// The point of a placed model that is closest to a given one.
pub(super) fn closest_point(
    placed: &Placed<'_>,
    point_in_world: DVec3,
    options: DistanceOptions,
    scratch: &mut Scratch,
) -> Option<ClosestPoint> {
    let _held = hold();
    let DistanceOptions { at_most, engine, .. } = options;
    if !point_in_world.is_finite() || at_most.is_nan() || at_most < 0.0 {
        return None;
    }
    let (frame, point) = MetricFrame::of_point(placed, point_in_world);
    let source = frame.source(0, placed);
    let limit = frame.length_from_world(at_most);
    // Brute force is the oracle, and has no error of its own.
    let mut best = if engine == Engine::Brute { Best::within_exactly(limit) } else { Best::within(limit) };
    let offer = |face: u32, best: &mut Best| {
        for_each_piece(&source, face, |corners, piece| {
            best.offer_closest(point_triangle(point, corners), [piece; 2]);
        });
    };
    if engine == Engine::Brute || frame.is_shrunken() {
        (0..source.mesh().face_count() as u32).for_each(|face| offer(face, &mut best));
    } else {
        let tree = placed.model().bvh();
        let error = 8.0 * f64::EPSILON * frame.extent;
        let limit = best.squared.sqrt();
        traverse_point(tree, frame.maps[0].as_ref(), point, error, limit, &mut scratch.near, |face| {
            offer(face, &mut best);
            best.squared.sqrt()
        });
    }
    let closest = answer(&frame, &source, &best)?;
    (closest.distance <= at_most).then_some(closest)
}

fn answer(frame: &MetricFrame, source: &FaceSource<'_>, best: &Best) -> Option<ClosestPoint> {
    let (closest, [piece, _]) = best.found?;
    Some(ClosestPoint {
        distance: frame.length_to_world(closest.squared.sqrt()),
        point_in_world: frame.to_world(closest.points[1]),
        feature: feature(source.mesh(), piece, closest.places[1]),
    })
}

/// [`closest_point`], with the side on which the given point lies: inside of the model's solids or outside.
pub(super) fn signed_distance(
    placed: &Placed<'_>,
    point_in_world: DVec3,
    scratch: &mut Scratch,
) -> Option<SignedDistance> {
    let closest = closest_point(placed, point_in_world, DistanceOptions::new(), scratch)?;
    let is_inside = closest.distance > 0.0 && is_inside(placed, point_in_world);
    Some(SignedDistance { closest, is_inside })
}

fn is_inside(placed: &Placed<'_>, point_in_world: DVec3) -> bool {
    let model = placed.model();
    let point = placed.placement().point_to_model(point_in_world);
    if !model.bounds().contains(point) || !model.has_solid() {
        return false;
    }
    // Orientation is that of the model's own frame: mirroring the model does not turn it inside out.
    let source = FaceSource::mapped(model, None, 1.0);
    let facets = TreeFacets::new(source, model.bvh(), None);
    solid::winding_around(&facets, point) > 0
}
