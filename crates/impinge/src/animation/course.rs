//! Courses of values during a span of time without a key: parameters go from 0 to 1.

use impinge_core::math::{DQuat, DVec3, DVec4};

/// The course of a vector during a span.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Course {
    Still(DVec3),
    Line([DVec3; 2]),
    /// The four points of a Bézier curve.
    Curve([DVec3; 4]),
}

/// The course of a rotation during a span.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Spin {
    Still(DQuat),
    /// Evenly about an axis of the parent's frame, by an angle in radians.
    Even {
        from: DQuat,
        axis: DVec3,
        angle: f64,
    },
    /// The direction of a Bézier curve in four dimensions.
    Curve([DVec4; 4]),
}

impl Course {
    pub(super) fn line(from: DVec3, to: DVec3) -> Course {
        if from == to { Course::Still(from) } else { Course::Line([from, to]) }
    }

    /// The part of a curve between two parameters.
    pub(super) fn curve(points: [DVec3; 4], part: [f64; 2]) -> Course {
        let points = part_of_curve(points.map(|point| point.extend(0.0)), part).map(DVec4::truncate);
        if points.iter().all(|point| *point == points[0]) {
            return Course::Still(points[0]);
        }
        Course::Curve(points)
    }

    pub(super) fn at(&self, parameter: f64) -> DVec3 {
        match self {
            Course::Still(value) => *value,
            Course::Line([from, to]) => from.lerp(*to, parameter),
            Course::Curve(points) => on_curve(points.map(|point| point.extend(0.0)), parameter).truncate(),
        }
    }

    pub(super) fn is_still(&self) -> bool {
        matches!(self, Course::Still(_))
    }

    /// The displacement of a course along a line; `None` for others.
    pub(super) fn line_by(&self) -> Option<DVec3> {
        match self {
            Course::Still(_) => Some(DVec3::ZERO),
            Course::Line([from, to]) => Some(*to - *from),
            Course::Curve(_) => None,
        }
    }

    /// A convex polygon around all its values.
    fn hull(&self) -> &[DVec3] {
        match self {
            Course::Still(value) => std::slice::from_ref(value),
            Course::Line(ends) => ends,
            Course::Curve(points) => points,
        }
    }

    /// An upper bound of the length of any value.
    pub(super) fn longest(&self) -> f64 {
        self.hull().iter().map(|value| value.length()).fold(0.0, f64::max)
    }

    /// An upper bound of the magnitude of any coordinate of any value.
    pub(super) fn largest(&self) -> f64 {
        self.hull().iter().map(|value| value.abs().max_element()).fold(0.0, f64::max)
    }

    /// Whether no coordinate reaches 0 or changes its sign.
    pub(super) fn keeps_signs(&self) -> bool {
        let first = self.hull()[0];
        let is_same = |value: &DVec3| (first * *value).cmpgt(DVec3::ZERO).all();
        self.hull().iter().all(is_same)
    }

    /// An upper bound of the speed of the value, per parameter.
    pub(super) fn speed(&self) -> f64 {
        match self {
            Course::Still(_) => 0.0,
            Course::Line([from, to]) => from.distance(*to),
            // The derivative is a curve with these points.
            Course::Curve(points) => {
                points.windows(2).map(|two| 3.0 * two[0].distance(two[1])).fold(0.0, f64::max)
            }
        }
    }
}

impl Spin {
    /// The part between two parameters of an even turn, the shorter way.
    pub(super) fn between(start: DQuat, end: DQuat, [from, to]: [f64; 2]) -> Spin {
        let mut turn = end * start.conjugate();
        if turn.w < 0.0 {
            turn = -turn;
        }
        let vector = DVec3::new(turn.x, turn.y, turn.z);
        let angle = 2.0 * libm::atan2(vector.length(), turn.w);
        if angle == 0.0 {
            return Spin::Still(start);
        }
        let axis = vector.normalize();
        let from_parent = (about(axis, angle * from) * start).normalize();
        Spin::Even { from: from_parent, axis, angle: angle * (to - from) }
    }

    /// The part of a curve between two parameters.
    pub(super) fn curve(points: [DQuat; 4], part: [f64; 2]) -> Spin {
        let points = part_of_curve(points.map(DVec4::from), part);
        if points.iter().all(|point| *point == points[0]) {
            return Spin::Still(DQuat::from_vec4(points[0]).normalize());
        }
        Spin::Curve(points)
    }

    pub(super) fn at(&self, parameter: f64) -> DQuat {
        match self {
            Spin::Still(value) => *value,
            Spin::Even { from, axis, angle } => about(*axis, angle * parameter) * *from,
            Spin::Curve(points) => {
                let length_and_all = on_curve(*points, parameter);
                // Through 0 there is no direction; any will do, for the speed is infinite there.
                let unit = length_and_all.try_normalize().unwrap_or(DVec4::W);
                DQuat::from_vec4(unit)
            }
        }
    }

    pub(super) fn is_still(&self) -> bool {
        matches!(self, Spin::Still(_))
    }

    /// An upper bound of the angular speed, in radians per parameter.
    pub(super) fn speed(&self) -> f64 {
        match self {
            Spin::Still(_) => 0.0,
            Spin::Even { angle, .. } => angle.abs(),
            Spin::Curve(points) => {
                let fastest = points.windows(2).map(|two| 3.0 * two[0].distance(two[1])).fold(0.0, f64::max);
                // How far from 0 the curve stays: at least as far as its points along the direction of its middle.
                let middle = on_curve(*points, 0.5).normalize_or_zero();
                let least = points.iter().map(|point| point.dot(middle)).fold(f64::INFINITY, f64::min);
                // A direction turns by the speed over the length, and a rotation by twice as much as its quaternion.
                if least > 0.0 { 2.0 * fastest / least } else { f64::INFINITY }
            }
        }
    }
}

fn about(axis: DVec3, angle: f64) -> DQuat {
    let (sin, cos) = libm::sincos(0.5 * angle);
    let vector = axis * sin;
    DQuat::from_xyzw(vector.x, vector.y, vector.z, cos)
}

fn on_curve(points: [DVec4; 4], parameter: f64) -> DVec4 {
    split(points, parameter)[3]
}

/// The part of a curve before a parameter, by de Casteljau.
fn split([a, b, c, d]: [DVec4; 4], parameter: f64) -> [DVec4; 4] {
    let [ab, bc, cd] = [a.lerp(b, parameter), b.lerp(c, parameter), c.lerp(d, parameter)];
    let [abc, bcd] = [ab.lerp(bc, parameter), bc.lerp(cd, parameter)];
    [a, ab, abc, abc.lerp(bcd, parameter)]
}

fn part_of_curve(points: [DVec4; 4], [from, to]: [f64; 2]) -> [DVec4; 4] {
    let mut before = if to < 1.0 { split(points, to) } else { points };
    if from > 0.0 {
        before.reverse();
        before = split(before, 1.0 - from / to);
        before.reverse();
    }
    before
}
