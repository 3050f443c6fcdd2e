//! Rounded models: a core and a ball around every point of it.

use super::filtered::Filtered;
use super::{Deformable, Model, Placed};
use crate::mesh::{Mesh, MeshError};
use impinge_core::math::IntoPoint;

/// The largest radius: squares of sums of two of them are numbers.
const LARGEST: f64 = 1e150;

/// The reason why a model cannot be rounded.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RoundError {
    /// The radius is negative, no number, or larger than 1e150.
    #[error("{radius} is no radius: it must be from 0 to 1e150")]
    Radius {
        /// The radius that was asked for.
        radius: f64,
    },
    /// The core is no mesh.
    #[error(transparent)]
    Core(#[from] MeshError),
}

impl Model {
    /// The model with a ball of this radius around every point of it: a core that is rounded all round. Around a point that is a ball, around a
    /// segment a capsule, around a box a rounded box.
    ///
    /// The radius is shape: two models touch where their cores are exactly as far apart as their radii together, which is decided without
    /// rounding. It is a length of the world: a placement scales the core and leaves the radius as it is. Vertices, edges and faces of
    /// answers are those of the core, and so are [`bounds`](Self::bounds), depths and volumes of overlaps, and curves of intersection. A radius that the model had is replaced; 0 is none.
    ///
    /// ```
    /// use impinge::{Model, Motion, Trs, shapes};
    ///
    /// let crate_with_round_edges = Model::new(shapes::cuboid([0.0; 3], [1.0; 3])?).rounded(0.25)?;
    /// let wall = Model::new(shapes::cuboid([3.0, -9.0, -9.0], [4.0, 9.0, 9.0])?);
    /// let push = Motion::translation([4.0, 0.0, 0.0])?;
    /// let sweep = crate_with_round_edges.at(Trs::IDENTITY).sweep(&push, &wall.at(Trs::IDENTITY));
    /// assert!(sweep.fraction <= 1.75 / 4.0 && sweep.fraction > 0.437);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "sphere-swept volume")]
    #[doc(alias = "round cuboid")]
    #[doc(alias = "collision margin")]
    pub fn rounded(mut self, radius: f64) -> Result<Model, RoundError> {
        self.set_radius(radius)?;
        Ok(self)
    }

    /// A ball around the origin.
    ///
    /// ```
    /// use impinge::{Model, Trs, Verdict};
    ///
    /// let ball = Model::ball(2.5)?;
    /// let other = ball.at(Trs::translation([3.0, 4.0, 0.0])?);
    /// assert_eq!(ball.at(Trs::IDENTITY).verdict(&other), Verdict::Touching);
    /// assert!(Model::ball(-1.0).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "sphere")]
    pub fn ball(radius: f64) -> Result<Model, RoundError> {
        Model::new(Mesh::point([0.0; 3])?).rounded(radius)
    }

    /// A capsule: all points within a radius of the segment from `p` to `q`.
    ///
    /// ```
    /// use impinge::{Model, Trs};
    ///
    /// let player = Model::capsule([0.0, 0.0, 0.3], [0.0, 0.0, 1.5], 0.3)?;
    /// assert!((player.at(Trs::IDENTITY).bounds().max.z - 1.8).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn capsule(p: impl IntoPoint, q: impl IntoPoint, radius: f64) -> Result<Model, RoundError> {
        Model::new(Mesh::segment(p, q)?).rounded(radius)
    }

    /// The radius of the ball around every point, in the world; 0 for a model that is not rounded.
    #[inline]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    fn set_radius(&mut self, radius: f64) -> Result<(), RoundError> {
        if !(0.0..=LARGEST).contains(&radius) {
            return Err(RoundError::Radius { radius });
        }
        // Not -0.
        self.radius = radius.abs();
        self.filtered = Filtered::default();
        Ok(())
    }
}

impl Deformable {
    /// The deformable with a ball of this radius around every point of it; see [`Model::rounded`].
    pub fn rounded(mut self, radius: f64) -> Result<Deformable, RoundError> {
        self.model.set_radius(radius)?;
        Ok(self)
    }
}

impl Placed<'_> {
    /// The radius of the ball around every point of the model, in the world; 0 for a model that is not rounded.
    #[inline]
    pub fn radius(&self) -> f64 {
        self.model().radius()
    }
}
