//! Hits of rays.

use impinge_core::math::DVec3;

/// A hit: the point where a ray intersects a face.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct RayHit {
    /// The face, by the user's index.
    pub face: u32,
    /// The material of the face.
    #[cfg_attr(feature = "serde", serde(default))]
    pub material: u32,
    /// The ray parameter, in multiples of the direction, at least 0. Of all hits of a ray, those at exactly the same time have the same number, and
    /// later ones a larger one.
    #[doc(alias = "toi")]
    pub t: f64,
    /// The point of the hit: `origin + t · direction`, rounded.
    pub point_in_world: DVec3,
    /// The unit normal of the face, on the side from which its corners turn counter-clockwise in the model's own frame,
    /// mirrored placements included; none for a face without area.
    pub normal_in_world: Option<DVec3>,
    /// Whether the ray comes from the side to which the normal points. Neither is so for a ray in the plane of the face.
    pub from_front: bool,
    /// The vertices of the triangle that was hit: the face's own, or those of one triangle of its fan.
    pub triangle: [u32; 3],
    /// The barycentric coordinates of the hit: weights of the triangle's vertices.
    #[doc(alias = "weights")]
    pub barycentric: [f64; 3],
}
