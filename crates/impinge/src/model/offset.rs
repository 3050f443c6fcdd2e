//! Inward offsets: models made smaller by moving their faces back. Bodies that are kept apart by a margin then look as if they touched
//! (van Waveren 2005, §3.5).

use super::Model;
use crate::mesh::Mesh;
use impinge_core::math::{DMat3, DVec3};

/// A vertex moves by no more than this many times what its faces move by, however sharp the corner.
const MITER: f64 = 4.0;

/// What makes the equations of flat corners and straight edges solvable, as a part of the number of their faces.
const RIDGE: f64 = 1e-9;

/// The reason why a model cannot be made smaller.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OffsetError {
    /// The length is negative or no number.
    #[error("cannot move faces back by {by}")]
    Length {
        /// The length that was asked for.
        by: f64,
    },
    /// The model is so thin at a face that the face would be turned over.
    #[error("face {face} is too small to be moved back by {by}")]
    TooThin {
        /// The first face that would be turned over.
        face: u32,
        /// The length that was asked for.
        by: f64,
    },
}

impl Model {
    /// The mesh with the faces of its solids moved back by a length, and everything else left as it is.
    ///
    /// Sweeps stop bodies at the thickness of the expel zone from each other. Where that is thick enough to be seen, let the
    /// models that are swept be smaller than the ones that are drawn, by half of it each, and what is drawn touches.
    /// Corners where more than three faces join are moved so that their faces move back by about as much; very sharp ones move by at
    /// most four times the length.
    ///
    /// ```
    /// use impinge::{Model, shapes};
    ///
    /// let drawn = Model::new(shapes::cuboid([0.0; 3], [1.0; 3])?);
    /// let swept = Model::new(drawn.offset_inward(0.125)?);
    /// assert!((swept.bounds().min - 0.125).length() < 1e-8);
    /// assert!(drawn.offset_inward(0.6).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn offset_inward(&self, by: f64) -> Result<Mesh, OffsetError> {
        if !by.is_finite() || by < 0.0 {
            return Err(OffsetError::Length { by });
        }
        let mesh = self.mesh();
        let mut offset_inward = mesh.clone();
        if by == 0.0 || !self.has_solid() {
            return Ok(offset_inward);
        }
        let points = offset_inward.points_mut();
        for vertex in 0..mesh.vertex_count() as u32 {
            points[vertex as usize] += self.way_back(vertex) * by;
        }
        for face in (0..mesh.face_count() as u32).filter(|&face| self.is_closed_face(face)) {
            let turned = mesh.fan(face).any(|triangle| {
                let [before, after] =
                    [mesh, &offset_inward].map(|mesh| triangle.map(|vertex| mesh.vertex(vertex)));
                let edge = |corners: &[DVec3; 3], i: usize| corners[(i + 1) % 3] - corners[i];
                // A face that is turned about itself by half keeps its normal.
                let is_reversed = |i: usize| {
                    let own = edge(&before, i);
                    own != DVec3::ZERO && own.dot(edge(&after, i)) <= 0.0
                };
                let normal = across(before);
                (0..3).any(is_reversed) || (normal != DVec3::ZERO && normal.dot(across(after)) <= 0.0)
            });
            if turned {
                return Err(OffsetError::TooThin { face, by });
            }
        }
        Ok(offset_inward)
    }

    /// Where a vertex goes when the faces of solids around it move back by 1: the least way that is nearest to that for all.
    fn way_back(&self, vertex: u32) -> DVec3 {
        let mesh = self.mesh();
        let (mut matrix, mut sum, mut count) = (DMat3::ZERO, DVec3::ZERO, 0.0);
        let mut normals: Vec<DVec3> = Vec::new();
        for corner in self.corners_at(vertex).iter().filter(|corner| self.is_closed_face(corner.face)) {
            for triangle in mesh.fan(corner.face) {
                let is_at = |&other: &u32| self.representative(other) == self.representative(vertex);
                let normal = across(triangle.map(|vertex| mesh.vertex(vertex))).normalize_or_zero();
                // Triangles of one plane count once.
                let is_known = normals.iter().any(|known| known.dot(normal) > 1.0 - 1e-12);
                if !triangle.iter().any(is_at) || normal == DVec3::ZERO || is_known {
                    continue;
                }
                normals.push(normal);
                matrix += DMat3::from_cols(normal * normal.x, normal * normal.y, normal * normal.z);
                sum += normal;
                count += 1.0;
            }
        }
        if count == 0.0 {
            return DVec3::ZERO;
        }
        let way = -((matrix + DMat3::from_diagonal(DVec3::splat(RIDGE * count))).inverse() * sum);
        if way.is_finite() { way.clamp_length_max(MITER) } else { DVec3::ZERO }
    }
}

/// Twice the area, along the normal.
fn across([a, b, c]: [DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a)
}
