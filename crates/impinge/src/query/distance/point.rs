//! Distances of points from a placed model.

use super::answer::{ClosestPoint, DistanceOptions, SignedDistance};
use super::best::{Best, feature};
use super::frame::MetricFrame;
use super::search::for_each_piece;
use crate::model::{Feature, Placed};
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
    let closest = core_point(placed, point_in_world, options, scratch)?;
    let closest = if placed.radius() > 0.0 { rounded(placed, point_in_world, closest) } else { closest };
    (closest.distance <= options.at_most).then_some(closest)
}

/// The point of the core that is closest to a given one, no farther than the radius beyond what is asked for.
fn core_point(
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
    // The core is farther away than the body, or, from inside, as far as that is thick.
    let limit = frame.length_from_world(at_most + placed.radius());
    // Brute force is the oracle, and has no error of its own. A small part of the distance from a core may be all that is left of it.
    let is_exact = engine == Engine::Brute || placed.radius() > 0.0;
    let mut best = if is_exact { Best::within_exactly(limit) } else { Best::within(limit) };
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
    answer(&frame, &source, &best)
}

/// The closest point of a rounded model, from that of its core: out of the core and on as far as the radius.
fn rounded(placed: &Placed<'_>, point: DVec3, core: ClosestPoint) -> ClosestPoint {
    let radius = placed.radius();
    let is_inside = core.distance > 0.0 && is_inside(placed, point);
    let away = point - core.point_in_world;
    let direction = away.try_normalize().unwrap_or_else(|| away_from(placed, core.feature));
    let (direction, distance) = if is_inside {
        (-direction, core.distance + radius)
    } else {
        (direction, (core.distance - radius).abs())
    };
    ClosestPoint { distance, point_in_world: core.point_in_world + direction * radius, ..core }
}

/// A direction that leads away from a feature: the normal of a face, or one across an edge.
fn away_from(placed: &Placed<'_>, feature: Feature) -> DVec3 {
    let (mesh, placement) = (placed.model().mesh(), placed.placement());
    let point = |vertex: u32| placement.point_to_world(mesh.vertex(vertex));
    let direction = match feature {
        Feature::Vertex(_) => None,
        Feature::Edge { vertices: [start, end], .. } => (point(end) - point(start)).try_normalize(),
        Feature::Face(label) => {
            let faces = mesh.faces_by_label(std::iter::once(label));
            let mut fans = faces.iter().flat_map(|(_, face)| mesh.fan(*face));
            let normal = fans.find_map(|fan| {
                let [a, b, c] = fan.map(point);
                (b - a).cross(c - a).try_normalize()
            });
            return normal.unwrap_or(DVec3::Z);
        }
    };
    direction.map_or(DVec3::Z, DVec3::any_orthonormal_vector)
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
    let is_rounded = placed.radius() > 0.0;
    let is_inside = closest.distance > 0.0
        && (is_inside(placed, point_in_world) || is_rounded && is_within(placed, point_in_world, scratch));
    Some(SignedDistance { closest, is_inside })
}

/// Whether a point is nearer to the core than the radius.
fn is_within(placed: &Placed<'_>, point_in_world: DVec3, scratch: &mut Scratch) -> bool {
    let core = core_point(placed, point_in_world, DistanceOptions::new(), scratch);
    core.is_some_and(|core| core.distance < placed.radius())
}

/// Whether a point is in a solid of the model: of a rounded model, of its core.
pub(in crate::query) fn is_inside(placed: &Placed<'_>, point_in_world: DVec3) -> bool {
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
