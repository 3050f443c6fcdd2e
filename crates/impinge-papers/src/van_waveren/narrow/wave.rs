//! Heights along a straight path and along an arc, and when they come down to zero (van Waveren 2005, §2.2–2.5, §3).

use impinge::math::DVec3;

/// A height along a straight path: `start + rate · f`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Slope {
    pub(super) start: f64,
    pub(super) rate: f64,
}

impl Slope {
    /// When a height that begins at 0 or above comes down to the top of a zone: at once where it is in the zone already. None where it does
    /// not come down, or begins below 0: there the path is behind the surface. (§3.1 forgets the latter.)
    pub(super) fn stop(&self, zone: f64) -> Option<f64> {
        (self.rate < 0.0 && self.start >= 0.0).then(|| ((zone - self.start) / self.rate).max(0.0))
    }

    /// When the height is zero.
    pub(super) fn crossing(&self) -> f64 {
        -self.start / self.rate
    }
}

/// A height along an arc: `mean + cosine · cos θ + sine · sin θ`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Wave {
    pub(super) mean: f64,
    pub(super) cosine: f64,
    pub(super) sine: f64,
}

impl Wave {
    /// The product of a vector that stands still and one that turns about a unit axis, by the right-hand rule.
    pub(super) fn product(standing: DVec3, turning: DVec3, axis: DVec3) -> Wave {
        let mean = standing.dot(axis) * axis.dot(turning);
        Wave { mean, cosine: standing.dot(turning) - mean, sine: standing.dot(axis.cross(turning)) }
    }

    pub(super) fn plus(self, other: Wave) -> Wave {
        Wave {
            mean: self.mean + other.mean,
            cosine: self.cosine + other.cosine,
            sine: self.sine + other.sine,
        }
    }

    pub(super) fn times(self, factor: f64) -> Wave {
        Wave { mean: factor * self.mean, cosine: factor * self.cosine, sine: factor * self.sine }
    }

    pub(super) fn above(self, height: f64) -> Wave {
        Wave { mean: self.mean - height, ..self }
    }

    /// The height at the beginning, and the rate at which it grows there.
    pub(super) fn start(&self) -> [f64; 2] {
        [self.mean + self.cosine, self.sine]
    }

    /// The height where the tangent of half the angle is `t`.
    pub(super) fn at(&self, t: f64) -> f64 {
        let scale = 1.0 / (1.0 + t * t);
        self.mean + self.cosine * (1.0 - t * t) * scale + self.sine * 2.0 * t * scale
    }

    /// The one place of a turn where the height comes down through zero or grazes it, as the tangent of half the angle; negative or infinite
    /// in the second half of the turn.
    ///
    /// The height times 1 + t² is `a t² + 2 b t + c` with a = mean − cosine, b = sine, c = mean + cosine. Half its derivative, a t + b, is
    /// minus the root of the discriminant where it comes down. So t = −(b + √)/a, or c/(√ − b), which is the same: the first
    /// cancels nothing for b > 0, the second nothing for b < 0.
    pub(super) fn descent(&self) -> Option<f64> {
        let (a, b, c) = (self.mean - self.cosine, self.sine, self.mean + self.cosine);
        // b² − a c, by way of a c = mean² − cosine².
        let discriminant = b * b + (self.cosine - self.mean) * (self.cosine + self.mean);
        let size = b * b + self.cosine * self.cosine + self.mean * self.mean;
        // Within its error bound a discriminant below zero is zero: the height grazes zero.
        if discriminant < -8.0 * f64::EPSILON * size || size == 0.0 {
            return None;
        }
        let root = discriminant.max(0.0).sqrt();
        let t = if b > 0.0 { -(b + root) / a } else { c / (root - b) };
        t.is_finite().then_some(t)
    }

    /// Where the height is greatest, as the tangent of half the angle.
    pub(super) fn peak(&self) -> f64 {
        let size = self.cosine.hypot(self.sine);
        // tan(θ/2) = sin θ / (1 + cos θ).
        self.sine / (size + self.cosine)
    }

    /// When a height comes down to the top of a zone, at the latest at `end`; `whole` is the height over the surface, `top` that over the top
    /// of the zone. The three cases of Figures 2–4: in the zone and on its way down it stops at once; in the zone and on its way
    /// up it stops at its peak, unless it leaves the zone; everywhere else it stops where it comes down to the top. Says also whether that is
    /// a peak, where the path runs along the surface.
    pub(super) fn stop(whole: &Wave, top: &Wave, end: f64) -> Option<(f64, bool)> {
        let [height, _] = whole.start();
        let [over, rate] = top.start();
        if height >= 0.0 && over <= 0.0 {
            if rate < 0.0 {
                return Some((0.0, false));
            }
            let peak = top.peak();
            if peak >= 0.0 && top.at(peak) <= 0.0 {
                return (peak <= end).then_some((peak, true));
            }
        }
        top.descent().filter(|t| (0.0..=end).contains(t)).map(|t| (t, false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::shapes::Random;

    /// The first step in which sampled values come down through zero.
    fn sampled(wave: &Wave, end: f64) -> Option<[f64; 2]> {
        const STEPS: u32 = 4000;
        let at = |k: u32| end * f64::from(k) / f64::from(STEPS);
        (0..STEPS).map(|k| [at(k), at(k + 1)]).find(|[a, b]| wave.at(*a) > 0.0 && wave.at(*b) <= 0.0)
    }

    #[test]
    fn descents_are_where_samples_come_down() {
        let mut random = Random::new(3);
        let mut found = 0;
        for case in 0..2000 {
            let mut number = || random.between(-1.0, 1.0);
            let mut wave = Wave { mean: number(), cosine: number(), sine: number() };
            match case % 4 {
                // One coefficient of the quadratic is zero.
                0 => wave.mean = wave.cosine,
                1 => wave.sine = 0.0,
                _ => {}
            }
            let root = wave.descent().filter(|t| (0.0..=1.0).contains(t));
            if let Some([low, high]) = sampled(&wave, 1.0) {
                let t = root.unwrap_or_else(|| panic!("{wave:?} comes down near {low}"));
                assert!(t >= low - 1e-9 && t <= high + 1e-9, "{wave:?}: {t} and {low}");
                found += 1;
            } else if let Some(t) = root {
                // Samples miss a height that begins at zero, and one that dips between two of them.
                assert!(t < 1e-3 || wave.at(t - 1e-3) < 2e-3, "{wave:?}: {t}");
            }
        }
        assert!(found > 200, "{found}");
    }

    #[test]
    fn a_height_that_grazes_zero_is_a_root() {
        // 1 − cos θ shifted by a quarter turn: zero at θ = 90° without a change of sign.
        let wave = Wave { mean: 1.0, cosine: 0.0, sine: -1.0 };
        assert!((wave.descent().expect("a root") - 1.0).abs() < 1e-7);
    }

    /// Figures 2–4.
    #[test]
    fn points_in_the_zone_may_only_move_away() {
        let zone = 0.1;
        let stop = |wave: Wave| Wave::stop(&wave, &wave.above(zone), 1.0);
        // Down at once.
        assert_eq!(stop(Wave { mean: 0.0, cosine: 0.05, sine: -1.0 }), Some((0.0, false)));
        // Up to the top: 0.05 cos θ + 0.02 sin θ stays in the zone.
        let (t, is_peak) = stop(Wave { mean: 0.0, cosine: 0.05, sine: 0.02 }).expect("a stop");
        assert!(is_peak && (2.0 * t.atan() - f64::atan2(0.02, 0.05)).abs() < 1e-12);
        // Out, and down again: 0.05 + 0.2 sin θ stays above the zone for the rest of a quarter turn.
        assert_eq!(stop(Wave { mean: 0.05, cosine: 0.0, sine: 0.2 }), None);
        let (t, is_peak) = stop(Wave { mean: -1.0, cosine: 1.05, sine: 0.9 }).expect("a stop");
        assert!(!is_peak && t > 0.1);
        // Behind the surface there is no zone.
        assert_eq!(stop(Wave { mean: -1.0, cosine: 0.5, sine: -0.1 }), None);
    }
}
