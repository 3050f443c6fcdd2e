//! Casts of balls and capsules that are no bodies of the world.

use super::{Body, Handle, World, WorldError};
use crate::model::Model;
use crate::query::{Sweep, SweepOptions};
use impinge_core::math::{DVec3, IntoPoint};
use impinge_core::transform::{Motion, Trs};

impl World {
    /// Casts a ball along a line: how far it could move, and which of the bodies that `accept` takes would stop it; `None` where nothing is in its way.
    ///
    /// The promise is that of [`Placed::sweep`](crate::Placed::sweep). A ball that overlaps a body at the start is told so, with fraction 0. For many
    /// casts of one ball, keep a [`Model::ball`] and [`sweep`](Self::sweep) it.
    ///
    /// ```
    /// use impinge::query::SweepOptions;
    /// use impinge::world::{Body, World};
    /// use impinge::{Model, Trs, shapes};
    ///
    /// let mut world = World::new();
    /// let floor = Model::new(shapes::cuboid([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0])?);
    /// let floor = world.insert(Body::fixed(floor, Trs::IDENTITY))?;
    /// let down = [0.0, 0.0, -10.0];
    /// let (body, sweep) = world.cast_ball([0.0, 0.0, 5.5], 0.5, down, SweepOptions::new(), |_, _| true)?.expect("the floor is below");
    /// assert_eq!(body, floor);
    /// assert!((sweep.fraction - 0.5).abs() < 1e-9);
    /// let hit = sweep.hit.expect("something stops it");
    /// assert!(hit.point_on_stationary.z.abs() < 1e-9 && hit.surface_normal().z == 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "sphere cast")]
    #[doc(alias = "shape cast")]
    pub fn cast_ball(
        &self,
        center: impl IntoPoint,
        radius: f64,
        by: impl IntoPoint,
        options: SweepOptions,
        accept: impl FnMut(Handle, &Body) -> bool,
    ) -> Result<Option<(Handle, Sweep)>, WorldError> {
        let ball = Model::ball(radius)?;
        self.cast(&ball, center.into_point(), by.into_point(), options, accept)
    }

    /// Casts a capsule, all points within a radius of the segment from `p` to `q`, along a line; see [`cast_ball`](Self::cast_ball).
    #[doc(alias = "shape cast")]
    pub fn cast_capsule(
        &self,
        [p, q]: [impl IntoPoint; 2],
        radius: f64,
        by: impl IntoPoint,
        options: SweepOptions,
        accept: impl FnMut(Handle, &Body) -> bool,
    ) -> Result<Option<(Handle, Sweep)>, WorldError> {
        let (p, q) = (p.into_point(), q.into_point());
        let capsule = Model::capsule(DVec3::ZERO, q - p, radius)?;
        self.cast(&capsule, p, by.into_point(), options, accept)
    }

    fn cast(
        &self,
        model: &Model,
        from: DVec3,
        by: DVec3,
        options: SweepOptions,
        accept: impl FnMut(Handle, &Body) -> bool,
    ) -> Result<Option<(Handle, Sweep)>, WorldError> {
        let motion = Motion::translation(by)?;
        Ok(self.sweep(&model.at(Trs::translation(from)?), &motion, options, accept))
    }
}
