//! Motions of two bodies over the same time, as one motion relative to the other body.

use crate::model::Placed;
use impinge_core::math::DVec3;
use impinge_core::transform::{Motion, Placement, TransformError, Turn};

/// The motions of two bodies over the same time: one moves relative to the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RelativeMotion {
    /// The motion of the moving body relative to the other's translation; its own where the other turns or stands still.
    pub(super) motion: Motion,
    /// The moving body's own motion in the world.
    own: Motion,
    pub(super) other: OtherMotion,
}

/// The motion of the other body.
#[derive(Clone, Copy, Debug)]
pub(super) enum OtherMotion {
    Still,
    /// A translation, which the relative motion takes into account.
    Line(DVec3),
    /// A motion that turns: the moving body is seen from the other.
    Turn(Motion),
}

impl RelativeMotion {
    /// A motion past a body that stands still.
    pub(crate) fn past_still(motion: &Motion) -> RelativeMotion {
        RelativeMotion { motion: *motion, own: *motion, other: OtherMotion::Still }
    }

    /// Translations of two bodies.
    pub(crate) fn lines(by: DVec3, other_by: DVec3) -> Result<RelativeMotion, TransformError> {
        let own = Motion::translation(by)?;
        Motion::translation(other_by)?;
        let motion = Motion::translation(by - other_by)?;
        let other = if other_by == DVec3::ZERO { OtherMotion::Still } else { OtherMotion::Line(other_by) };
        Ok(RelativeMotion { motion, own, other })
    }

    /// The motions of two bodies, each of one phase: along a line, about an axis or both at once. If only one of them turns, that is the first.
    /// `None` where a sum is out of range, or a turn past a body that moves is of more degrees than rigid motions may have.
    pub(crate) fn new(own: &Motion, other: &Motion) -> Option<RelativeMotion> {
        if !turns(own) && !turns(other) {
            return RelativeMotion::lines(own.by(), other.by()).ok();
        }
        if other.by() == DVec3::ZERO && !turns(other) {
            return Some(RelativeMotion::past_still(own));
        }
        let turn = own.turn()?;
        let rigid = |by: DVec3, turn: Turn| Motion::rigid(by, turn.center, turn.axis, turn.degrees).ok();
        if !turns(other) {
            let motion = rigid(own.by() - other.by(), turn)?;
            return Some(RelativeMotion { motion, own: *own, other: OtherMotion::Line(other.by()) });
        }
        let (motion, turned) = (rigid(own.by(), turn)?, rigid(other.by(), other.turn()?)?);
        Some(RelativeMotion { motion, own: *own, other: OtherMotion::Turn(turned) })
    }

    /// The motion of a body that is lifted: its axis is lifted too.
    pub(super) fn moved(&self, lift: DVec3) -> RelativeMotion {
        RelativeMotion { motion: self.motion.moved(lift), own: self.own.moved(lift), other: self.other }
    }

    /// Both bodies at a fraction, in the world; none where that is out of the range of placements.
    pub(super) fn both_at<'m>(
        &self,
        moving: &Placed<'m>,
        other: &Placed<'m>,
        fraction: f64,
    ) -> Option<[Placed<'m>; 2]> {
        if fraction <= 0.0 {
            return Some([*moving, *other]);
        }
        let carried = |placed: &Placed<'m>, motion: &Motion| {
            let map = motion.carry(placed.placement().world_from_model(), fraction);
            Some(placed.model().at(Placement::try_from(map).ok()?))
        };
        let other = match &self.other {
            OtherMotion::Still => *other,
            OtherMotion::Line(by) => other.translated(*by * fraction)?,
            OtherMotion::Turn(motion) => carried(other, motion)?,
        };
        Some([carried(moving, &self.own)?, other])
    }

    /// Both bodies after shares of the translation and of the turn: in the world, or, where the other moves along a line, as seen from that.
    pub(super) fn both_after<'m>(
        &self,
        moving: &Placed<'m>,
        other: &Placed<'m>,
        [translated, turned]: [f64; 2],
    ) -> Option<[Placed<'m>; 2]> {
        if translated <= 0.0 && turned <= 0.0 {
            return Some([*moving, *other]);
        }
        let carried = |placed: &Placed<'m>, motion: &Motion| {
            let map = motion.carry_by(placed.placement().world_from_model(), translated, turned);
            Some(placed.model().at(Placement::try_from(map).ok()?))
        };
        let other = match &self.other {
            OtherMotion::Turn(motion) => carried(other, motion)?,
            _ => *other,
        };
        Some([carried(moving, &self.motion)?, other])
    }

    /// How a point of the moving body moves relative to the other, up to a factor, once the motion has begun to turn or not.
    pub(super) fn velocity_at(&self, point_in_world: DVec3, is_turned: bool) -> DVec3 {
        let turning = |motion: &Motion| {
            let turn = motion.turn()?;
            Some(turn.axis.cross(point_in_world - turn.center) * turn.degrees.to_radians())
        };
        if let OtherMotion::Turn(other) = &self.other {
            let velocity = |motion: &Motion| motion.by() + turning(motion).unwrap_or(DVec3::ZERO);
            return velocity(&self.motion) - velocity(other);
        }
        match turning(&self.motion) {
            Some(turning) if is_turned || self.motion.by() == DVec3::ZERO => turning,
            _ => self.motion.by(),
        }
    }
}

/// Whether a motion turns at all.
pub(crate) fn turns(motion: &Motion) -> bool {
    motion.turn().is_some_and(|turn| turn.degrees != 0.0)
}
