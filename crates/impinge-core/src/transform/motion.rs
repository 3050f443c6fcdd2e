//! Motions of a body through the world: straight, about an axis, one after the other, or both at once.

use super::error::{TransformError, TransformPart, check_finite, check_large};
use super::{Placement, rotation};
use crate::math::{DAffine3, DMat3, DQuat, DVec3, IntoPoint};
use crate::tolerance::{LARGEST, LARGEST_RIGID_TURN, NOT_RIGID};

/// A motion from fraction 0, where nothing has moved yet, to fraction 1.
///
/// ```
/// use impinge_core::transform::Motion;
///
/// let swing = Motion::rotation([1.0, 0.0, 0.0], [0.0, 0.0, 1.0], 180.0)?;
/// let door = impinge_core::glam::DAffine3::IDENTITY;
/// assert_eq!(swing.carry(&door, 1.0).translation, [2.0, 0.0, 0.0].into());
/// # Ok::<(), impinge_core::transform::TransformError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    by: DVec3,
    turn: Option<Turn>,
    is_together: bool,
}

/// A turn about an axis, by the right-hand rule.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[non_exhaustive]
pub struct Turn {
    /// A point of the axis, in the world.
    pub center: DVec3,
    /// The direction of the axis, of length 1 up to rounding.
    pub axis: DVec3,
    /// The angle of the turn.
    pub degrees: f64,
}

/// The kind of motion during a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub enum Phase {
    /// The body moves along a line.
    Translation,
    /// The body turns about an axis.
    Rotation,
    /// The body moves along a line and turns at once.
    Rigid,
}

impl Motion {
    /// A translation along a line.
    #[inline]
    pub fn translation(by: impl IntoPoint) -> Result<Motion, TransformError> {
        let by = by.into_point();
        check_finite(by.to_array(), TransformPart::Translation)?;
        check_large(by.to_array(), LARGEST, TransformPart::Translation)?;
        Ok(Motion { by, turn: None, is_together: false })
    }

    /// A rotation about an axis through a point of the world, by the right-hand rule. The axis may have any length but 0, the angle any
    /// size.
    #[inline]
    pub fn rotation(
        center: impl IntoPoint,
        axis: impl IntoPoint,
        degrees: f64,
    ) -> Result<Motion, TransformError> {
        Motion::translation(DVec3::ZERO)?.with(center.into_point(), axis.into_point(), degrees, false)
    }

    /// A rotation about an axis by an angle in radians; see [`rotation`](Self::rotation). No `f64` is exactly a quarter of a turn in
    /// radians.
    #[inline]
    pub fn rotation_radians(
        center: impl IntoPoint,
        axis: impl IntoPoint,
        radians: f64,
    ) -> Result<Motion, TransformError> {
        Motion::rotation(center, axis, radians.to_degrees())
    }

    /// This translation, then a turn: the first half of the motion is the one, the second the other. The axis stays where it is
    /// given in the world.
    #[inline]
    pub fn then_rotation(
        self,
        center: impl IntoPoint,
        axis: impl IntoPoint,
        degrees: f64,
    ) -> Result<Motion, TransformError> {
        self.with(center.into_point(), axis.into_point(), degrees, false)
    }

    /// A translation and a turn at once, both with constant speed: the axis moves along, and goes through `center` at the start. The
    /// angle may have up to [`LARGEST_RIGID_TURN`] degrees.
    #[inline]
    pub fn rigid(
        by: impl IntoPoint,
        center: impl IntoPoint,
        axis: impl IntoPoint,
        degrees: f64,
    ) -> Result<Motion, TransformError> {
        check_large([degrees], LARGEST_RIGID_TURN, |_| TransformPart::Angle)?;
        Motion::translation(by)?.with(center.into_point(), axis.into_point(), degrees, true)
    }

    /// A translation and a turn at once, by an angle in radians; see [`rigid`](Self::rigid).
    #[inline]
    pub fn rigid_radians(
        by: impl IntoPoint,
        center: impl IntoPoint,
        axis: impl IntoPoint,
        radians: f64,
    ) -> Result<Motion, TransformError> {
        Motion::rigid(by, center, axis, radians.to_degrees())
    }

    /// The motion from one placement to another that differs by a rigid motion: the model's origin goes along a line with constant speed while
    /// the model turns about one axis, the shorter way.
    #[inline]
    pub fn between(start: &Placement, end: &Placement) -> Result<Motion, TransformError> {
        let (from, to) = (start.world_from_model(), end.world_from_model());
        let by = to.translation - from.translation;
        let turn = to.matrix3 * start.model_from_world_linear();
        let square = turn.transpose() * turn - DMat3::IDENTITY;
        let excess = square.to_cols_array().iter().fold(0.0_f64, |most, entry| most.max(entry.abs()));
        if start.is_mirrored() != end.is_mirrored() || excess.is_nan() || excess > NOT_RIGID {
            return Err(TransformError::NotRigid { excess, tolerance: NOT_RIGID });
        }
        let mut quaternion = DQuat::from_mat3(&turn);
        if quaternion.w < 0.0 {
            quaternion = -quaternion;
        }
        let axis = DVec3::new(quaternion.x, quaternion.y, quaternion.z);
        let degrees = 2.0 * libm::atan2(axis.length(), quaternion.w).to_degrees();
        if axis == DVec3::ZERO || degrees == 0.0 {
            return Motion::translation(by);
        }
        if by == DVec3::ZERO {
            return Motion::rotation(from.translation, axis, degrees);
        }
        Motion::rigid(by, from.translation, axis, degrees)
    }

    #[inline]
    fn with(
        self,
        center: DVec3,
        axis: DVec3,
        degrees: f64,
        is_together: bool,
    ) -> Result<Motion, TransformError> {
        check_finite(center.to_array(), TransformPart::Translation)?;
        check_large(center.to_array(), LARGEST, TransformPart::Translation)?;
        check_finite([degrees], |_| TransformPart::Angle)?;
        check_finite(axis.to_array(), TransformPart::RotationAxis)?;
        let largest = axis.abs().max_element();
        if largest == 0.0 {
            return Err(TransformError::NoAxis);
        }
        let axis = (axis / largest).normalize();
        Ok(Motion { turn: Some(Turn { center, axis, degrees }), is_together, ..self })
    }

    /// The translation; zero where there is none.
    #[inline]
    pub fn by(&self) -> DVec3 {
        self.by
    }

    /// The turn, where there is one.
    #[inline]
    pub fn turn(&self) -> Option<Turn> {
        self.turn
    }

    /// Whether the translation and the turn are made at once.
    #[inline]
    pub fn is_together(&self) -> bool {
        self.is_together
    }

    /// This translation with a turn that is known to be valid.
    #[cfg(feature = "serde")]
    pub(super) fn with_turn(self, turn: Turn, is_together: bool) -> Motion {
        Motion { turn: Some(turn), is_together, ..self }
    }

    /// The motion as it is somewhere else: its axis is moved by so much.
    #[must_use]
    #[inline]
    pub fn moved(self, by: DVec3) -> Motion {
        let turn = self.turn.map(|turn| Turn { center: turn.center + by, ..turn });
        Motion { turn, ..self }
    }

    /// The phases, each with the fractions where it begins and ends.
    #[inline]
    pub fn phases(&self) -> impl Iterator<Item = (Phase, [f64; 2])> {
        let phases = match (self.turn.is_some(), self.is_together) {
            (false, _) => [Some((Phase::Translation, [0.0, 1.0])), None],
            (true, true) => [Some((Phase::Rigid, [0.0, 1.0])), None],
            (true, false) if self.by == DVec3::ZERO => [Some((Phase::Rotation, [0.0, 1.0])), None],
            (true, false) => [Some((Phase::Translation, [0.0, 0.5])), Some((Phase::Rotation, [0.5, 1.0]))],
        };
        phases.into_iter().flatten()
    }

    /// The pose at a fraction of the motion that starts at `world_from_moving`.
    #[inline]
    pub fn carry(&self, world_from_moving: &DAffine3, fraction: f64) -> DAffine3 {
        if fraction <= 0.0 {
            return *world_from_moving;
        }
        let [translated, turned] = match (&self.turn, self.is_together) {
            (Some(_), false) if self.by != DVec3::ZERO => {
                [(2.0 * fraction).min(1.0), (2.0 * fraction - 1.0).max(0.0)]
            }
            _ => [fraction, fraction],
        };
        self.carry_by(world_from_moving, translated, turned)
    }

    /// The pose after given shares of the translation and of the turn. A turn of very many degrees after a translation has
    /// no fraction that would tell one of its quarters from the next.
    #[inline]
    pub fn carry_by(&self, world_from_moving: &DAffine3, translated: f64, turned: f64) -> DAffine3 {
        let moved = DAffine3 {
            matrix3: world_from_moving.matrix3,
            translation: world_from_moving.translation + self.by * translated,
        };
        match &self.turn {
            None => moved,
            Some(turn) if self.is_together => {
                let matrix3 = turn.matrix(turned);
                // The axis moves along.
                let arm = world_from_moving.translation - turn.center;
                let translation = turn.center + self.by * translated + matrix3 * arm;
                DAffine3 { matrix3: matrix3 * moved.matrix3, translation }
            }
            Some(_) if turned <= 0.0 => moved,
            Some(turn) => {
                let matrix3 = turn.matrix(turned);
                let translation = turn.center + matrix3 * (moved.translation - turn.center);
                DAffine3 { matrix3: matrix3 * moved.matrix3, translation }
            }
        }
    }
}

impl Turn {
    /// The angle of the turn in radians.
    #[inline]
    pub fn radians(&self) -> f64 {
        self.degrees.to_radians()
    }

    /// The rotation at a fraction of the turn.
    #[inline]
    pub fn matrix(&self, fraction: f64) -> DMat3 {
        let (sin, cos) = rotation::sin_cos_half_degrees(self.degrees * fraction);
        let vector = self.axis * sin;
        rotation::matrix(DQuat::from_xyzw(vector.x, vector.y, vector.z, cos))
    }
}
