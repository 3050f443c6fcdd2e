//! The closest pair so far, and what it lies on.

use crate::mesh::Mesh;
use crate::model::Feature;
use crate::pair::surface::FacetName;
use impinge_core::math::DVec3;
use impinge_core::narrow::distance::{Closest, Place, triangles};
use impinge_core::tolerance::DISTANCE_RELATIVE;

/// A triangle of the fan of a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) face: u32,
    /// The number of the triangle in the fan.
    pub(super) number: u32,
}

/// The closest pair so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Best {
    /// The bound of the search: the square of the least distance so far, or of the limit, less the error that the answer may
    /// have. Nothing that is no closer need be looked at.
    pub(super) squared: f64,
    pub(super) found: Option<(Closest, [Piece; 2])>,
    /// The factor of the square that leaves out that error.
    share: f64,
}

impl Best {
    /// An empty result, with nothing wanted beyond a limit.
    pub(super) fn within(limit: f64) -> Best {
        // A little more, so that what is just at the limit is found; it is asked again in the end.
        let squared = limit * limit * (1.0 + 4.0 * DISTANCE_RELATIVE);
        Best { squared, found: None, share: 1.0 - DISTANCE_RELATIVE }
    }

    /// An empty result within a limit that finds the exact least distance, not one near it.
    pub(super) fn within_exactly(limit: f64) -> Best {
        Best { share: 1.0, ..Best::within(limit) }
    }

    /// Tries a pair of triangles.
    pub(super) fn offer(&mut self, corners: [&[DVec3; 3]; 2], pieces: [Piece; 2]) {
        self.offer_closest(triangles(corners[0], corners[1]), pieces);
    }

    /// Tries a pair of points.
    #[inline]
    pub(super) fn offer_closest(&mut self, closest: Closest, pieces: [Piece; 2]) {
        if closest.squared < self.squared || (self.found.is_none() && closest.squared == self.squared) {
            self.squared = closest.squared * self.share;
            self.found = Some((closest, pieces));
        }
    }
}

/// The feature at a place on a triangle of a face's fan.
pub(super) fn feature(mesh: &Mesh, piece: Piece, place: Place) -> Feature {
    feature_of(mesh, FacetName { face: piece.face, piece: piece.number }, place)
}

/// The feature at a place on a facet.
pub(in crate::query) fn feature_of(mesh: &Mesh, facet: FacetName, place: Place) -> Feature {
    let FacetName { face, piece: number } = facet;
    let fan = mesh.fan_triangle(face, number as usize);
    let label = mesh.label(face);
    match place {
        Place::Corner(corner) => Feature::Vertex(fan[corner as usize]),
        Place::Inside => Feature::Face(label),
        Place::Edge(edge) => {
            let last = mesh.fan_count(face) as u32 - 1;
            // Edges 0 and 2 lead from and to the fan's first corner: diagonals, but for the first and the last.
            if (edge == 0 && number > 0) || (edge == 2 && number < last) {
                return Feature::Face(label);
            }
            let [start, end] = [fan[edge as usize], fan[(edge as usize + 1) % 3]];
            if start == end {
                Feature::Vertex(start)
            } else {
                Feature::edge([start.min(end), start.max(end)], label)
            }
        }
    }
}
