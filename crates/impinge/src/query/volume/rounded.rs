//! Volumes against rounded models: a volume that is as much larger against the core.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use super::{Found, Volume, search};
use crate::mesh::Mesh;
use crate::model::{Model, Placed};
use crate::pair::stats::Stats;
use crate::query::intersect;
use crate::query::scratch::Scratch;
use crate::query::verdict::{Engine, IntersectOptions};
use impinge_core::bounds::{Capsule, HalfSpace, Sphere};
use impinge_core::math::{DAffine3, DMat3, DVec3};
use impinge_core::transform::Placement;

/// Shows the faces of the core that are within the radius of the volume.
pub(super) fn search_rounded(
    placed: &Placed<'_>,
    volume: &Volume,
    engine: Engine,
    scratch: &mut Scratch,
    found: Found<'_>,
) -> Stats {
    let radius = placed.radius();
    let grown = match volume {
        Volume::Sphere(sphere) => {
            Sphere::new(sphere.center(), sphere.radius() + radius).ok().map(Volume::Sphere)
        }
        Volume::Capsule(capsule) => {
            Capsule::new(capsule.start(), capsule.end(), capsule.radius() + radius).ok().map(Volume::Capsule)
        }
        Volume::HalfSpace(side) => grown_side(side, radius),
        Volume::Plane(plane) => {
            let sides = [plane.behind(), plane.before()];
            return between(placed, sides.map(|side| grown_side(&side, radius)), engine, scratch, found);
        }
        Volume::Aabb(bounds) if bounds.is_empty() => return Stats::default(),
        Volume::Aabb(bounds) => {
            let (center, half) = (bounds.center(), (bounds.max - bounds.min) / 2.0);
            return near_box(placed, volume, (center, DMat3::IDENTITY, half), engine, scratch, found);
        }
        Volume::Obb(obb) => {
            let turned = (obb.center(), *obb.axes(), obb.half());
            return near_box(placed, volume, turned, engine, scratch, found);
        }
        Volume::Frustum(_) => None,
    };
    search(placed, grown.as_ref().unwrap_or(volume), engine, &mut scratch.volume.stack, found)
}

fn grown_side(side: &HalfSpace, radius: f64) -> Option<Volume> {
    let offset = side.offset() + radius * side.normal().length();
    HalfSpace::new(side.normal(), offset).ok().map(Volume::HalfSpace)
}

/// The faces that reach to both of two half-spaces, and so to what they share.
fn between(
    placed: &Placed<'_>,
    sides: [Option<Volume>; 2],
    engine: Engine,
    scratch: &mut Scratch,
    found: Found<'_>,
) -> Stats {
    let mut stats = Stats::default();
    let mut reached = [BTreeSet::new(), BTreeSet::new()];
    for (side, faces) in sides.iter().zip(&mut reached) {
        let Some(side) = side else { return stats };
        stats += search(placed, side, engine, &mut scratch.volume.stack, &mut |found| {
            faces.extend(found.iter().copied());
            ControlFlow::Continue(())
        });
    }
    let both: Vec<u32> = reached[0].intersection(&reached[1]).copied().collect();
    let _ = found(&both);
    stats
}

/// The faces that reach into a box, and those within the radius of its surface.
fn near_box(
    placed: &Placed<'_>,
    volume: &Volume,
    (center, axes, half): (DVec3, DMat3, DVec3),
    engine: Engine,
    scratch: &mut Scratch,
    found: Found<'_>,
) -> Stats {
    let mut faces = BTreeSet::new();
    let mut stats = search(placed, volume, engine, &mut scratch.volume.stack, &mut |inside| {
        faces.extend(inside.iter().copied());
        ControlFlow::Continue(())
    });
    let corners = (0..8).map(|i: u32| {
        let side = |bit: u32, half: f64| if i >> bit & 1 == 1 { half } else { -half };
        DVec3::new(side(0, half.x), side(1, half.y), side(2, half.z))
    });
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let map = DAffine3 { matrix3: axes, translation: center };
    if let (Ok(mesh), Ok(placement)) = (Mesh::polygons(corners, sides), Placement::try_from(map)) {
        let solid = Model::new(mesh);
        let options = IntersectOptions::new().pairs(true).surface_only(true).engine(engine);
        let near = intersect(placed, &solid.at(placement), options, scratch);
        stats += near.stats;
        let labels = near.pairs.iter().map(|pair| pair.face_a);
        faces.extend(placed.model().mesh().faces_by_label(labels).iter().map(|(_, face)| *face));
    }
    let faces: Vec<u32> = faces.into_iter().collect();
    let _ = found(&faces);
    stats
}
