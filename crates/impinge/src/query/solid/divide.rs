//! A plane with one model on each side of it: then nothing of one lies inside of the other, whatever touches. Most flush
//! parts have one, and it spares looking around edges.

use super::Contacts;
use crate::pair::surface::FaceSource;
use impinge_core::bounds::Aabb;
use impinge_core::math::DVec3;
use impinge_core::predicates::{Sign, are_collinear, orient3d};

/// Planes of facets in contact that are tried.
const CANDIDATES: usize = 4;

/// Vertices for each facet in contact at most: where there are more, looking around the few facets is quicker.
const VERTICES_PER_CONTACT: usize = 1_000;

/// Whether a plane across an axis, or that of a facet in contact, has one model on each side; both may touch it.
pub(super) fn are_divided(sources: [&FaceSource<'_>; 2], contacts: &Contacts) -> bool {
    let count: usize = sources.iter().map(|source| source.mesh().vertex_count()).sum();
    let contact_count: usize = contacts.facets.iter().map(Vec::len).sum();
    if count > VERTICES_PER_CONTACT * contact_count {
        return false;
    }
    let vertices = sources.map(FaceSource::vertices);
    let [a, b] = [&vertices[0], &vertices[1]].map(|points| Aabb::around(points.iter().copied()));
    if a.max.cmple(b.min).any() || b.max.cmple(a.min).any() {
        return true;
    }
    let planes = contacts.facets.iter().flat_map(|facets| {
        let step = (2 * facets.len() / CANDIDATES).max(1);
        facets.iter().step_by(step).filter(|[a, b, c]| !are_collinear(*a, *b, *c))
    });
    planes.take(CANDIDATES).any(|plane| {
        let side = |points: &[DVec3]| one_side(*plane, points);
        matches!((side(&vertices[0]), side(&vertices[1])), (Some(one), Some(other)) if one != other)
    })
}

/// The side of a plane on which all points lie, apart from those in it; that in front where all lie in it.
fn one_side([a, b, c]: [DVec3; 3], points: &[DVec3]) -> Option<Sign> {
    let mut common = None;
    for &point in points {
        match orient3d(a, b, c, point) {
            Sign::Zero => {}
            side if common.is_some_and(|common| common != side) => return None,
            side => common = Some(side),
        }
    }
    Some(common.unwrap_or(Sign::Positive))
}
