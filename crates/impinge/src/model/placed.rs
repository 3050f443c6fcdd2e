//! A model where it stands.

use super::Model;
use crate::bounds::Aabb;
use crate::transform::{Placement, TransformError};

/// A model and where it stands in the world: what queries take two of.
#[derive(Clone, Copy, Debug)]
pub struct Placed<'m> {
    model: &'m Model,
    placement: Placement,
}

impl Model {
    /// The model at a place that is valid by construction: a [`Trs`](crate::transform::Trs) or a [`Placement`].
    pub fn at(&self, world_from_model: impl Into<Placement>) -> Placed<'_> {
        Placed { model: self, placement: world_from_model.into() }
    }

    /// The model where a matrix puts it. Any invertible affine map will do, sheared and mirrored ones too.
    ///
    /// ```
    /// use impinge::{Mesh, Model};
    ///
    /// let model = Model::new(Mesh::point([1.0, 0.0, 0.0])?);
    /// let singular = [[0.0; 4], [0.0; 4], [0.0; 4], [0.0, 0.0, 0.0, 1.0]];
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
    /// The model.
    #[inline]
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// Where it stands.
    #[inline]
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// A box around the model in the world.
    pub fn bounds(&self) -> Aabb {
        self.model.bounds().image(self.placement.world_from_model())
    }
}
