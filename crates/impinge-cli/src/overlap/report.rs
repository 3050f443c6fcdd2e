//! The page of an answer: the model, the volume, and the faces that touch it.

use impinge::bounds::{Aabb, HalfSpace, Obb};
use impinge::math::{DQuat, DVec3};
use impinge::query::Volume;
use impinge::{Mesh, Placement, shapes};
use impinge_report::{self as report, Kind, Report};

use super::Finding;
use crate::input::Subject;
use crate::report_scene;

/// Around a ball or a capsule there are so many segments, and from pole to pole half as many rings.
const SEGMENTS: u32 = 48;

/// What the model and the volume look like, and which faces touch.
pub(super) fn of(
    finding: &Finding,
    subject: &Subject,
    world_from_model: Placement,
    volume: (&str, &Volume),
    unit: Option<&str>,
) -> Report {
    let (name, volume) = volume;
    let mesh = subject.model.mesh();
    let bounds = subject.model.at(world_from_model).bounds();
    let mut report = report_scene::alone((subject, world_from_model), unit);
    report.kind = Kind::Check;
    report.title = format!("{} and a {name}", report.title);
    report.models.push(drawn(volume, &bounds));
    report.parts.push(report::Part {
        name: name.to_owned(),
        path: String::new(),
        model: Some(1),
        world_from_model: report::IDENTITY,
        identity: report::Identity::default(),
        closed: None,
    });
    let touched = |face: &u32| finding.faces.binary_search(&mesh.label(*face)).is_ok();
    let corners = (0..mesh.face_count() as u32).filter(touched).flat_map(|face| mesh.corners(face));
    let place = |vertex: u32| world_from_model.point_to_world(mesh.vertex(vertex));
    let around = corners.map(place).fold(Aabb::EMPTY, Aabb::with_point);
    if !around.is_empty() {
        report.clashes.push(report::Clash {
            point: Some(around.center().to_array()),
            bounds: Some([around.min.to_array(), around.max.to_array()]),
            face_pairs: finding.faces.len() as u64,
            faces_a: finding.faces.clone(),
            ..report::Clash::new(0, 1, report::Verdict::Overlapping)
        });
    }
    report.name_clashes();
    report
}

/// A volume as it is drawn. What has no end is cut off at some distance around the model.
fn drawn(volume: &Volume, around: &Aabb) -> report::Model {
    match volume {
        Volume::Aabb(bounds) => flat(&sides_of_box(bounds), &[], bounds),
        Volume::Obb(obb) => flat(&sides_of_obb(obb), &[], &box_of_obb(obb)),
        Volume::Sphere(ball) => {
            round(shapes::sphere(ball.radius(), SEGMENTS, SEGMENTS / 2), DQuat::IDENTITY, ball.center())
        }
        Volume::Capsule(capsule) => {
            let [start, end] = [capsule.start(), capsule.end()];
            let along = (end - start).try_normalize().unwrap_or(DVec3::Z);
            let surface =
                shapes::capsule(capsule.radius(), 0.5 * (end - start).length(), SEGMENTS, SEGMENTS / 4);
            round(surface, DQuat::from_rotation_arc(DVec3::Z, along), 0.5 * (start + end))
        }
        Volume::Plane(plane) => flat(&[plane.behind()], &sides_of_box(&wider(around)), &wider(around)),
        Volume::HalfSpace(half) => {
            let limits = sides_of_box(&wider(around));
            flat(&[&[*half][..], &limits].concat(), &limits, &wider(around))
        }
        Volume::Frustum(frustum) => {
            let sides: Vec<HalfSpace> = frustum.sides().collect();
            flat(&sides, &sides_of_box(&wider(around)), &wider(around))
        }
        // There may be others in later versions.
        _ => report::Model::default(),
    }
}

/// A box and half as much again on each side.
fn wider(bounds: &Aabb) -> Aabb {
    let more = DVec3::splat(0.25 * bounds.size().length());
    Aabb { min: bounds.min - more, max: bounds.max + more }
}

fn sides_of_box(bounds: &Aabb) -> Vec<HalfSpace> {
    let side = |axis: DVec3| {
        [HalfSpace::new(axis, axis.dot(bounds.max)), HalfSpace::new(-axis, -axis.dot(bounds.min))]
    };
    DVec3::AXES.into_iter().flat_map(side).filter_map(Result::ok).collect()
}

fn sides_of_obb(obb: &Obb) -> Vec<HalfSpace> {
    let side = |axis: usize| {
        let (normal, middle) = (obb.axes().col(axis), obb.axes().col(axis).dot(obb.center()));
        let half = obb.half()[axis];
        [HalfSpace::new(normal, middle + half), HalfSpace::new(-normal, half - middle)]
    };
    (0..3).flat_map(side).filter_map(Result::ok).collect()
}

fn box_of_obb(obb: &Obb) -> Aabb {
    let reach = DVec3::splat(obb.half().length());
    Aabb { min: obb.center() - reach, max: obb.center() + reach }
}

/// The sides of a volume between half-spaces, each cut off by the other sides and by the limits; `within` holds what is drawn.
fn flat(sides: &[HalfSpace], limits: &[HalfSpace], within: &Aabb) -> report::Model {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for (number, side) in sides.iter().enumerate() {
        let others = sides.iter().enumerate().filter(|(other, _)| *other != number).map(|(_, other)| other);
        let polygon = others.chain(limits).fold(square(side, within), |polygon, cut| behind(&polygon, cut));
        let first = positions.len() as u32;
        positions.extend(polygon.iter().map(DVec3::to_array));
        let fan = (1..polygon.len().max(2) as u32 - 1).map(|k| [first, first + k, first + k + 1]);
        triangles.extend(fan.map(|triangle| (number as u32, triangle)));
    }
    report::Model::of_triangles(positions, triangles)
}

/// A square in the plane of a side that reaches beyond a box.
fn square(side: &HalfSpace, within: &Aabb) -> Vec<DVec3> {
    let length = side.normal().length();
    let normal = side.normal() / length;
    let center = within.center();
    let middle = center + normal * (side.offset() / length - normal.dot(center));
    let reach = 2.0 * within.size().length();
    let (u, v) = normal.any_orthonormal_pair();
    [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
        .map(|[x, y]| middle + reach * (x * u + y * v))
        .to_vec()
}

/// What of a convex polygon lies behind a plane.
fn behind(polygon: &[DVec3], cut: &HalfSpace) -> Vec<DVec3> {
    let height = |point: DVec3| cut.normal().dot(point) - cut.offset();
    let next = polygon.iter().cycle().skip(1);
    let mut kept = Vec::new();
    for (&a, &b) in polygon.iter().zip(next) {
        let (low, high) = (height(a), height(b));
        if low <= 0.0 {
            kept.push(a);
        }
        if (low < 0.0 && high > 0.0) || (low > 0.0 && high < 0.0) {
            kept.push(a + (b - a) * (low / (low - high)));
        }
    }
    kept
}

/// A round surface, turned and moved.
fn round(
    surface: Result<shapes::Polyhedron, shapes::ShapeError>,
    turn: DQuat,
    center: DVec3,
) -> report::Model {
    // One of no size, or beyond all numbers, has nothing to draw.
    let Ok(surface) = surface else { return report::Model::default() };
    let mut model = report_scene::shape(&Mesh::from(surface));
    for point in &mut model.positions {
        *point = (turn * DVec3::from_array(*point) + center).to_array();
    }
    model
}
