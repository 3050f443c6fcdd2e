//! What the faces of a deformable shared before it moved.
//!
//! Which faces share vertices and edges, and which parts are closed, depends on positions only in that vertices at equal
//! positions are one. Hardly any motion changes that, so what was found for earlier positions is kept, and used again
//! as soon as it is known that the same vertices are at equal positions.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::Features;
use crate::math::DVec3;
use crate::mesh::Mesh;
use crate::mesh::weld::equal_positions;

/// Features of earlier positions.
#[derive(Debug, Default)]
pub(super) struct Earlier {
    /// Those that are right now, but for kinds of edges, boxes and orientations; `None` if they are not, or if there are
    /// none.
    right: OnceLock<Option<Box<Features>>>,
    /// Not looked at since the last move.
    unknown: Mutex<Option<Box<Features>>>,
}

impl Earlier {
    /// What the faces share, if it is what they shared earlier.
    pub(super) fn get(&self, mesh: &Mesh) -> Option<&Features> {
        let still_right = || {
            let earlier = self.unknown.lock().unwrap_or_else(PoisonError::into_inner).take()?;
            let points: Vec<DVec3> = mesh.vertices().collect();
            (earlier.topology.representative == equal_positions(&points)).then_some(earlier)
        };
        self.right.get_or_init(still_right).as_deref()
    }

    /// Notes that vertices have moved. `features` are those until now, where they were asked for.
    pub(super) fn vertices_moved(&mut self, features: Option<Features>) {
        let known = features.map(Box::new).or(self.right.take().flatten());
        let unknown = self.unknown.get_mut().unwrap_or_else(PoisonError::into_inner);
        if known.is_some() {
            *unknown = known;
        }
    }
}

impl Clone for Earlier {
    fn clone(&self) -> Earlier {
        let unknown = self.unknown.lock().unwrap_or_else(PoisonError::into_inner);
        Earlier { right: self.right.clone(), unknown: Mutex::new(unknown.clone()) }
    }
}
