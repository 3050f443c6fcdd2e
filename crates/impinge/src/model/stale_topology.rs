//! The topology of a deformable before it moved.
//!
//! Topology, the shared vertices and edges and the closed parts, depends on positions only in that vertices at equal
//! positions are one. Hardly any motion changes that, so what was found for earlier positions is kept, and used again
//! as soon as it is known that the same vertices are at equal positions.

use super::Features;
use crate::mesh::Mesh;
use crate::mesh::weld::equal_positions;
use impinge_core::math::DVec3;
use impinge_core::parallel::{Lazy, Lock};

/// Features of earlier positions.
#[derive(Clone, Debug, Default)]
pub(super) struct Earlier {
    /// Those that are right now, but for kinds of edges, boxes and orientations; `None` if they are not, or if there are
    /// none.
    right: Lazy<Option<Box<Features>>>,
    /// Not looked at since the last move.
    unknown: Lock<Option<Box<Features>>>,
}

impl Earlier {
    /// The topology, if it is what it was earlier.
    pub(super) fn get(&self, mesh: &Mesh) -> Option<&Features> {
        let still_right = || {
            let earlier = self.unknown.with(Option::take)?;
            let points: Vec<DVec3> = mesh.vertices().collect();
            (earlier.topology.representative == equal_positions(&points)).then_some(earlier)
        };
        self.right.get_or_make(still_right).as_deref()
    }

    /// The topology, if it is known to be what it was earlier.
    pub(super) fn known(&self) -> Option<&Features> {
        self.right.get()?.as_deref()
    }

    /// Notes that vertices have moved. `features` are those until now, where they were asked for.
    pub(super) fn vertices_moved(&mut self, features: Option<Features>) {
        let known = features.map(Box::new).or(self.right.take().flatten());
        let unknown = self.unknown.get_mut();
        if known.is_some() {
            *unknown = known;
        }
    }
}
