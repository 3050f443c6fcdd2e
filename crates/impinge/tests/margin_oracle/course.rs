//! A motion by formulas of its own: along a line, about an axis by Rodrigues' formula, one after the other, or both at once.

use impinge::glam::DVec3;

/// Which motion; the fields of a course that it does not use are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Translation,
    Rotation,
    /// The first half of the time the one, the second the other.
    Then,
    /// Both at once; the axis moves along.
    Rigid,
}

/// A motion in some frame of the world's directions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Course {
    pub(crate) kind: Kind,
    pub(crate) by: DVec3,
    pub(crate) center: DVec3,
    /// Of any length but 0.
    pub(crate) axis: DVec3,
    pub(crate) degrees: f64,
}

/// A vector turned about an axis of length 1, by the right-hand rule.
pub(crate) fn turned(vector: DVec3, axis: DVec3, degrees: f64) -> DVec3 {
    let angle = (degrees % 360.0).to_radians();
    let (sin, half) = (angle.sin(), (angle / 2.0).sin());
    let along = axis * axis.dot(vector);
    // 1 - cos is 2 sin² of the half, without cancellation.
    vector + axis.cross(vector) * sin - (vector - along) * (2.0 * half * half)
}

impl Course {
    pub(crate) fn translation(by: DVec3) -> Course {
        Course { kind: Kind::Translation, by, center: DVec3::ZERO, axis: DVec3::Z, degrees: 0.0 }
    }

    pub(crate) fn rotation(center: DVec3, axis: DVec3, degrees: f64) -> Course {
        Course { kind: Kind::Rotation, by: DVec3::ZERO, center, axis, degrees }
    }

    /// Where a point is at a time from 0 to 1.
    pub(crate) fn at(&self, point: DVec3, time: f64) -> DVec3 {
        let turn = |point: DVec3, share: f64| {
            self.center + turned(point - self.center, self.axis.normalize(), self.degrees * share)
        };
        match self.kind {
            Kind::Translation => point + self.by * time,
            Kind::Rotation => turn(point, time),
            Kind::Then if time <= 0.5 => point + self.by * (2.0 * time),
            Kind::Then => turn(point + self.by, 2.0 * time - 1.0),
            Kind::Rigid => turn(point, time) + self.by * time,
        }
    }

    /// No point that starts in the list moves faster than this.
    pub(crate) fn speed(&self, points: &[DVec3]) -> f64 {
        let axis = self.axis.normalize();
        let radius = |shift: DVec3| {
            points.iter().fold(0.0_f64, |most, p| most.max((*p + shift - self.center).cross(axis).length()))
        };
        let angle = self.degrees.abs().to_radians();
        let speed = match self.kind {
            Kind::Translation => self.by.length(),
            Kind::Rotation => angle * radius(DVec3::ZERO),
            Kind::Then => 2.0 * self.by.length().max(angle * radius(self.by)),
            Kind::Rigid => self.by.length() + angle * radius(DVec3::ZERO),
        };
        speed * (1.0 + 1e-12)
    }

    /// The motion that goes on for `times` as long: of one motion after another, the second does.
    pub(crate) fn prolonged(&self, times: f64) -> Course {
        let by = if self.kind == Kind::Then { self.by } else { self.by * times };
        Course { by, degrees: self.degrees * times, ..*self }
    }

    /// The motion seen from a point of the world.
    pub(crate) fn seen_from(&self, pivot: DVec3) -> Course {
        let center = if self.kind == Kind::Translation { DVec3::ZERO } else { self.center - pivot };
        Course { center, ..*self }
    }

    pub(crate) fn motion(&self) -> impinge::Motion {
        use impinge::Motion;
        match self.kind {
            Kind::Translation => Motion::translation(self.by),
            Kind::Rotation => Motion::rotation(self.center, self.axis, self.degrees),
            Kind::Then => Motion::translation(self.by)
                .and_then(|motion| motion.then_rotation(self.center, self.axis, self.degrees)),
            Kind::Rigid => Motion::rigid(self.by, self.center, self.axis, self.degrees),
        }
        .expect("a motion")
    }
}
