//! Whether what two solids share holds a ball of more than a radius.
//!
//! The segment from the center of such a ball to the nearest point of both surfaces leaves a neighborhood of that point. Inside of a face it
//! does so at right angles, through the face moved along its normal. At an edge it may go any way, but only where the region is on
//! the reflex side of it; there it leaves a box around the edge, or through a strip over it where the faces hardly turn. So these polygons are searched, and nothing else. `docs/math/penetration.md` has the derivation.

use super::patches::{Side, Sides};
use super::polygon::Polygon;
use super::search::Seed;
use super::surface::{Surface, plane_of};
use crate::model::EdgeKind;
use impinge_core::math::DVec3;

/// The polygons at a distance from a surface that the way to the center of any larger ball leads through. `is_inside` tells on which side of the surface the
/// ball is; faces on the side `beyond` of the other surface cannot be near it.
pub(super) fn seeds(
    surface: &Surface<'_, '_>,
    sides: &Sides,
    beyond: Side,
    is_inside: bool,
    distance: f64,
) -> Vec<Seed> {
    let source = &surface.source;
    let model = surface.placed.model();
    let mesh = source.mesh();
    let place = |vertex: u32| source.place(mesh.vertex(vertex));
    // Fronts look outward, but for a mirrored surface.
    let into = if is_inside { -surface.handedness() } else { surface.handedness() };
    let normal_of = |face: u32| {
        mesh.fan(face).find_map(|corners| plane_of(&corners.map(place))).map(|plane| plane.normal * into)
    };
    let mut polygons: Vec<Vec<DVec3>> = Vec::new();
    let mut edges: Vec<u32> = Vec::new();
    for &(face, side) in &sides.faces {
        if side == beyond || !model.is_closed_face(face) {
            continue;
        }
        for corners in mesh.fan(face) {
            let triangle = corners.map(place);
            let Some(plane) = plane_of(&triangle) else { continue };
            let by = plane.normal * (into * distance);
            polygons.push(triangle.iter().map(|&corner| corner + by).collect());
        }
        for corner in 0..mesh.corner_count(face) {
            edges.extend(model.edge_at(face, corner));
        }
    }
    edges.sort_unstable();
    edges.dedup();
    for number in edges {
        let edge = &model.edges()[number as usize];
        let is_reflex = match edge.kind {
            EdgeKind::Convex => !is_inside,
            EdgeKind::Internal => is_inside,
            EdgeKind::Coplanar | EdgeKind::Dangling => false,
            EdgeKind::Irregular => true,
        };
        if !is_reflex {
            continue;
        }
        let ends = edge.vertices.map(place);
        let normals = match model.edge_faces(number) {
            [one, other] => normal_of(one.face).zip(normal_of(other.face)),
            _ => None,
        };
        match normals {
            Some((one, other)) if one.dot(other) > SHALLOW && edge.kind != EdgeKind::Irregular => {
                polygons.extend(strip_over(ends, one + other, distance));
            }
            _ => polygons.extend(box_around(ends, distance)),
        }
    }
    let seed = |corners| Seed { polygon: Polygon { corners }, is_inside: false };
    polygons.into_iter().map(seed).collect()
}

/// The cosine of the angle up to which the normals of two faces at an edge are alike, so that one strip is enough over it.
const SHALLOW: f64 = 0.5;

/// A strip over a segment at a distance, that reaches as far to both sides and beyond the ends. None where the segment has no length.
fn strip_over([from, to]: [DVec3; 2], out: DVec3, distance: f64) -> Option<Vec<DVec3>> {
    let along = (to - from).try_normalize()? * distance;
    let out = out.try_normalize()? * distance;
    let across = along.cross(out).try_normalize()? * distance;
    Some(vec![
        from - along - across + out,
        to + along - across + out,
        to + along + across + out,
        from - along + across + out,
    ])
}

/// The six sides of a box around a segment that reaches beyond it by a distance all round.
fn box_around([from, to]: [DVec3; 2], distance: f64) -> Vec<Vec<DVec3>> {
    let along = (to - from).normalize_or(DVec3::X);
    let (u, v) = along.any_orthonormal_pair();
    let center = from.midpoint(to);
    let half = [along * (0.5 * from.distance(to) + distance), u * distance, v * distance];
    let mut sides = Vec::with_capacity(6);
    for i in 0..3 {
        let (out, s, t) = (half[i], half[(i + 1) % 3], half[(i + 2) % 3]);
        for out in [out, -out] {
            let middle = center + out;
            sides.push(vec![middle + s + t, middle - s + t, middle - s - t, middle + s - t]);
        }
    }
    sides
}
