//! What depends on two models alone, and not on where they stand.

use std::cmp::Ordering;

use crate::model::Model;

/// What depends on two models alone: the same for all of their poses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairInvariants {
    /// The model that is the host wherever they stand; none where their placements decide.
    pub(crate) host: Option<usize>,
    /// Whether the vertices of both stand on grids, so that there are placements that round nothing.
    pub(crate) have_grids: bool,
}

impl PairInvariants {
    #[inline]
    pub(crate) fn of([a, b]: [&Model; 2]) -> PairInvariants {
        let host = match order_of_models(a, b) {
            Ordering::Greater => Some(0),
            Ordering::Less => Some(1),
            Ordering::Equal => None,
        };
        PairInvariants { host, have_grids: a.grid().is_some() && b.grid().is_some() }
    }
}

/// The part of the order that chooses the host which no placement changes: greater when `a` is the host.
#[inline]
pub(crate) fn order_of_models(a: &Model, b: &Model) -> Ordering {
    let by_faces = a.mesh().face_count().cmp(&b.mesh().face_count());
    if by_faces != Ordering::Equal || std::ptr::eq(a, b) {
        return by_faces;
    }
    a.geometry_hash().cmp(&b.geometry_hash())
}
