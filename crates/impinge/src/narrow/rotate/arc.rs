//! Points on arcs, in half-angle tangents (paper 000 §2.4): with r = tan(angle/2), every coordinate is a quadratic over 1 + r².

use crate::math::DVec3;

/// A turn about an axis, by at most a quarter.
#[derive(Clone, Copy, Debug)]
pub struct ArcTurn {
    /// A point of the axis.
    pub centre: DVec3,
    /// Its direction, of length 1 up to rounding; the turn is by the right-hand rule.
    pub axis: DVec3,
    /// The tangent of half the angle: at most 1.
    pub end: f64,
}

/// A quadratic `constant + 2 linear r + square r²`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quadratic {
    /// The value at 0.
    pub constant: f64,
    /// Half the slope at 0.
    pub linear: f64,
    /// The factor of r².
    pub square: f64,
}

impl Quadratic {
    /// The value at `r`.
    #[inline(always)]
    pub fn at(&self, r: f64) -> f64 {
        self.constant + r * (2.0 * self.linear + r * self.square)
    }

    /// The same less `level · (1 + r²)`: a function on an arc less a level.
    #[inline(always)]
    pub fn less(&self, level: f64) -> Quadratic {
        Quadratic { constant: self.constant - level, square: self.square - level, ..*self }
    }

    /// The opposite.
    #[inline(always)]
    pub fn opposite(&self) -> Quadratic {
        Quadratic { constant: -self.constant, linear: -self.linear, square: -self.square }
    }

    /// The least value between two places.
    #[inline(always)]
    pub fn least(&self, from: f64, to: f64) -> f64 {
        let ends = self.at(from).min(self.at(to));
        // The lowest place, where the parabola opens upwards and has it in between.
        if self.square > 0.0 && self.linear + self.square * from < 0.0 && self.linear + self.square * to > 0.0
        {
            // Below what rounding may make of it.
            let lowest = self.constant - self.linear * (self.linear / self.square);
            return ends.min(lowest);
        }
        ends
    }

    /// Where it is 0, in order; the roots of the computed numbers up to a relative error of some 2⁻⁵¹ in them.
    pub fn roots(&self) -> Option<[f64; 2]> {
        let Quadratic { constant: c, linear: b, square: a } = *self;
        let discriminant = b * b - a * c;
        if discriminant < 0.0 || discriminant.is_nan() {
            return None;
        }
        // Numbers of the same sign are added, so that nothing cancels.
        let q = -(b + discriminant.sqrt().copysign(b));
        if q == 0.0 && a != 0.0 {
            return Some([0.0; 2]);
        }
        let (first, second) = (q / a, c / q);
        // A vanishing square sends one root to infinity; 0/0 where all vanish but one is no root.
        let roots = [first, second].map(|root| if root.is_nan() { f64::INFINITY } else { root });
        Some(if roots[0] <= roots[1] { roots } else { [roots[1], roots[0]] })
    }
}

/// A point on its arc: `(start + 2 r tangent + r² back) / (1 + r²)`.
#[derive(Clone, Copy, Debug)]
pub struct ArcPoint {
    /// Where it is at 0.
    pub start: DVec3,
    /// The axis times the arm.
    pub tangent: DVec3,
    /// Where it is after half a turn.
    pub back: DVec3,
}

impl ArcPoint {
    /// The arc of a point.
    #[inline(always)]
    pub fn new(turn: &ArcTurn, point: DVec3) -> ArcPoint {
        let arm = point - turn.centre;
        let across = arm - turn.axis * turn.axis.dot(arm);
        ArcPoint { start: point, tangent: turn.axis.cross(arm), back: point - 2.0 * across }
    }

    /// Where it is at `r`.
    #[inline(always)]
    pub fn at(&self, r: f64) -> DVec3 {
        (self.start + r * (2.0 * self.tangent + r * self.back)) / (1.0 + r * r)
    }

    /// How far along a direction it is, times 1 + r².
    #[inline(always)]
    pub fn along(&self, direction: DVec3) -> Quadratic {
        Quadratic {
            constant: direction.dot(self.start),
            linear: direction.dot(self.tangent),
            square: direction.dot(self.back),
        }
    }
}

impl ArcTurn {
    /// The same the other way round.
    #[must_use]
    pub fn reversed(&self) -> ArcTurn {
        ArcTurn { axis: -self.axis, ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arcs_are_turns_and_roots_are_roots() {
        let mut state = 7_u64;
        let mut number = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        for _ in 0..10_000 {
            let mut point = || DVec3::new(number(), number(), number());
            let turn = ArcTurn { centre: point(), axis: point().normalize(), end: 1.0 };
            let (start, direction) = (point(), point());
            let r = number().abs();
            let arc = ArcPoint::new(&turn, start);
            let angle = 2.0 * r.atan();
            let turned = glam::DQuat::from_axis_angle(turn.axis, angle) * (start - turn.centre) + turn.centre;
            assert!((arc.at(r) - turned).length() < 1e-14);
            let along = arc.along(direction);
            assert!((along.at(r) / (1.0 + r * r) - direction.dot(turned)).abs() < 1e-14);
            let quadratic = along.less(number());
            let least =
                (0..=100).map(|i| quadratic.at(r * f64::from(i) / 100.0)).fold(f64::INFINITY, f64::min);
            assert!(quadratic.least(0.0, r) <= least + 1e-14);
            for root in quadratic.roots().into_iter().flatten().filter(|root| root.abs() < 1e6) {
                let size = quadratic.constant.abs()
                    + 2.0 * (quadratic.linear * root).abs()
                    + (quadratic.square * root * root).abs();
                assert!(quadratic.at(root).abs() <= 1e-14 * size, "{quadratic:?} {root}");
            }
        }
    }
}
