//! Distances of points from a placed model.

use super::answer::{ClosestPoint, SignedDistance};
use super::best::{Best, feature};
use super::frame::MetricFrame;
use super::search::for_each_piece;
use crate::model::Placed;
use crate::pair::surface::{FaceSource, TreeFacets};
use crate::query::scratch::Scratch;
use crate::query::solid;
use impinge_core::bvh::traverse_point;
use impinge_core::math::DVec3;
use impinge_core::narrow::distance::point_triangle;
use impinge_core::parallel::hold;

/// The point of a placed model that is closest to a given one; `None` where it is farther than `at_most`, or where the given
/// one is not finite.
///
/// Of closed parts, too, it is the surface that counts: a point inside of a solid is as far from it as from its
/// surface. The error is that of [`distance`](super::distance()).
pub fn closest_point(
    placed: &Placed<'_>,
    point_in_world: DVec3,
    at_most: f64,
    scratch: &mut Scratch,
) -> Option<ClosestPoint> {
    let _held = hold();
    if !point_in_world.is_finite() || at_most.is_nan() || at_most < 0.0 {
        return None;
    }
    let (frame, point) = MetricFrame::of_point(placed, point_in_world);
    let source = frame.source(0, placed);
    let mut best = Best::within(frame.length_from_world(at_most));
    let offer = |face: u32, best: &mut Best| {
        for_each_piece(&source, face, |corners, piece| {
            best.offer_closest(point_triangle(point, corners), [piece; 2]);
        });
    };
    if frame.is_shrunken() {
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
        point: frame.to_world(closest.points[1]),
        feature: feature(source.mesh(), piece, closest.places[1]),
    })
}

/// [`closest_point`] by brute force.
pub(in crate::query) fn closest_by_trying_all(
    placed: &Placed<'_>,
    point_in_world: DVec3,
) -> Option<ClosestPoint> {
    if !point_in_world.is_finite() {
        return None;
    }
    let (frame, point) = MetricFrame::of_point(placed, point_in_world);
    let source = frame.source(0, placed);
    let mut best = Best::within_exactly(f64::INFINITY);
    for face in 0..source.mesh().face_count() as u32 {
        for_each_piece(&source, face, |corners, piece| {
            best.offer_closest(point_triangle(point, corners), [piece; 2]);
        });
    }
    answer(&frame, &source, &best)
}

/// [`closest_point`], with the side on which the given point lies: inside of the model's solids or outside.
///
/// A point is inside where the winding numbers of the closed parts add up to more than zero. That is exact for the point as
/// rounded into the model's frame. Open parts count for the distance, but contain nothing.
pub fn signed_distance(
    placed: &Placed<'_>,
    point_in_world: DVec3,
    scratch: &mut Scratch,
) -> Option<SignedDistance> {
    let closest = closest_point(placed, point_in_world, f64::INFINITY, scratch)?;
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
