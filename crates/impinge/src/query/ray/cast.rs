//! A ray and what it is cast at, and where it hits a triangle.

use super::aim::Aim;
use super::target::Target;
use super::{Ray, RayOptions};
use impinge_core::math::DVec3;
use impinge_core::narrow::ray_tri::{Crossing, cross_triangle};
use impinge_core::predicates::Sign;

/// A ray and what it is cast at.
#[derive(Clone, Copy)]
pub(super) struct Search<'s, 'm> {
    pub(super) target: &'s Target<'m>,
    pub(super) ray: &'s Ray,
    pub(super) aim: Aim,
    pub(super) options: RayOptions<'s>,
}

/// A triangle of a face's fan that was hit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) face: u32,
    /// The number of the triangle in the face's fan.
    pub(super) k: u32,
    pub(super) crossing: Crossing,
}

impl<'s, 'm> Search<'s, 'm> {
    #[inline(always)]
    pub(super) fn new(target: &'s Target<'m>, ray: &'s Ray, options: RayOptions<'s>) -> Search<'s, 'm> {
        Search { target, ray, aim: Aim::new(target, ray), options }
    }

    /// The crossing of the ray and a triangle, if it is hit and if that counts.
    #[inline(always)]
    pub(super) fn crossing(&self, corners: &[DVec3; 3]) -> Option<Crossing> {
        let Aim { beam, limit, .. } = &self.aim;
        let crossing = cross_triangle(beam, corners)?;
        let counts = !(self.options.cull_back && crossing.heading == Sign::Positive)
            && limit.allows(beam, &crossing, corners);
        counts.then_some(crossing)
    }

    /// Whether the user's filters accept a face.
    #[inline(always)]
    pub(super) fn accepts(&self, face: u32) -> bool {
        let RayOptions { accept, ignored_materials, .. } = self.options;
        let mesh = self.target.mesh;
        (ignored_materials.is_empty() || !ignored_materials.contains(mesh.material(face)))
            && accept.is_none_or(|accept| accept(mesh.label(face)))
    }
}
