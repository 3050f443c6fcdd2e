//! Placed models: a model and its pose in the world.

use super::Model;
use impinge_core::bounds::Aabb;
use impinge_core::math::{DAffine3, DVec3};
use impinge_core::transform::{Placement, TransformError};

/// A placed model: a model and its placement in the world. Queries take two of them.
#[doc(alias = "collider")]
#[derive(Clone, Copy, Debug)]
pub struct Placed<'m> {
    model: &'m Model,
    placement: Placement,
}

impl Model {
    /// The model at a place that is valid by construction: a [`Trs`](impinge_core::transform::Trs) or a [`Placement`].
    #[inline]
    pub fn at(&self, world_from_model: impl Into<Placement>) -> Placed<'_> {
        Placed { model: self, placement: world_from_model.into() }
    }

    /// The model placed by a matrix. Any invertible affine map will do, sheared and mirrored ones too.
    ///
    /// ```
    /// use impinge::glam::DMat4;
    /// use impinge::{Mesh, Model};
    ///
    /// let model = Model::new(Mesh::point([1.0, 0.0, 0.0])?);
    /// let singular = DMat4::from_diagonal([1.0, 0.0, 1.0, 1.0].into());
    /// assert!(model.try_at(singular).is_err());
    /// # Ok::<(), impinge::mesh::MeshError>(())
    /// ```
    pub fn try_at<P>(&self, world_from_model: P) -> Result<Placed<'_>, TransformError>
    where
        P: TryInto<Placement>,
        TransformError: From<P::Error>,
    {
        Ok(self.at(world_from_model.try_into()?))
    }
}

impl<'m> Placed<'m> {
    /// The model that is placed.
    #[inline]
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// The placement of the model in the world.
    #[inline]
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// A box around the model in the world: of a rounded model, around the balls too.
    pub fn bounds(&self) -> Aabb {
        self.rounded_bounds(self.placement.world_from_model())
    }

    /// A box around the model where a map would have it.
    pub(crate) fn rounded_bounds(&self, world_from_model: &DAffine3) -> Aabb {
        let core = self.model.bounds().image(world_from_model);
        let radius = self.model.radius();
        if radius == 0.0 {
            return core;
        }
        let (min, max) = (core.min - radius, core.max + radius);
        Aabb { min: min.map(f64::next_down), max: max.map(f64::next_up) }
    }

    /// The model moved by so much in the world; none where that is out of the range of placements.
    pub(crate) fn translated(&self, by: DVec3) -> Option<Placed<'m>> {
        let mut map = *self.placement.world_from_model();
        map.translation += by;
        Some(self.model.at(Placement::try_from(map).ok()?))
    }

    /// Whether spheres around the two are apart by more than rounding could bring them together. A first look that costs
    /// next to nothing; `false` says nothing.
    #[inline]
    pub fn is_far_from(&self, other: &Placed<'_>) -> bool {
        self.is_farther_from(other, 0.0)
    }

    /// Whether spheres around the two are apart by more than a distance, and more than rounding besides.
    #[inline]
    pub(crate) fn is_farther_from(&self, other: &Placed<'_>, distance: f64) -> bool {
        // Models meet in the host's frame, and an inverse that is made of cofactors may be off by more than any room.
        if !(self.placement.is_orthogonal() && other.placement.is_orthogonal()) {
            return false;
        }
        let (own, others) = (self.sphere(), other.sphere());
        are_spheres_apart(own.0 - others.0, own.1 + others.1 + distance, own.2 + others.2 + distance)
    }

    /// The center and radius of a sphere around the model in the world, with padding for rounding.
    #[doc(hidden)]
    pub fn sphere_in_world(&self) -> (DVec3, f64) {
        let (center, radius, size) = self.sphere();
        (center, radius + 64.0 * f64::EPSILON * size)
    }

    /// The center and radius of a sphere around the model in the world, and the size of what was rounded on the way.
    #[inline(always)]
    fn sphere(&self) -> (DVec3, f64, f64) {
        let map = self.placement.world_from_model();
        let (center, radius) = self.model.sphere();
        let stretch = self.placement.stretch();
        let center_in_world = map.transform_point3(center);
        let size = stretch * (center.abs().element_sum() + radius) + map.translation.abs().element_sum();
        let rounded = self.model.radius();
        (center_in_world, stretch * radius + rounded, size + rounded)
    }
}

/// Whether spheres are apart by more than rounding could bring the models in them together: by the way between their centers, the sum of their radii,
/// and the size of what is rounded. For placements with columns at right angles; `docs/math/canonical-frame.md` adds up the room.
#[inline(always)]
pub(crate) fn are_spheres_apart(between: DVec3, radii: f64, size: f64) -> bool {
    let reach = radii + 128.0 * f64::EPSILON * size;
    // False for NaN and infinity, and where squares overflow or vanish.
    between.length_squared() > reach * reach * (1.0 + 16.0 * f64::EPSILON) && reach > 1e-140 && reach < 1e150
}
