//! The figure that says most about a clash.

use crate::report::{Clash, Verdict};
use crate::text::{short, with_digits};

/// An interval that is no wider than this is one number: what is asked of a penetration, and a little for rounding.
const NARROW: f64 = 1.011;

impl Clash {
    /// The gap, how deep the two reach into each other, or else the move that separates them.
    pub(crate) fn measure(&self) -> Option<String> {
        let is = if self.estimated { "depth ≈" } else { "depth" };
        match (self.verdict, self.penetration, self.depth) {
            (Verdict::Near, ..) => Some(format!("gap {}", short(self.distance))),
            (_, Some([at_least, at_most]), _) if at_most <= at_least * NARROW => {
                Some(format!("{is} {}", rough(at_most, f64::ceil)))
            }
            (_, Some([at_least, at_most]), _) if at_least > 0.0 => {
                Some(format!("{is} {} to {}", rough(at_least, f64::floor), rough(at_most, f64::ceil)))
            }
            (_, Some([_, at_most]), _) => Some(format!("depth ≤ {}", rough(at_most, f64::ceil))),
            (_, None, Some(depth)) => Some(format!("separation ≤ {}", short(depth))),
            _ => None,
        }
    }
}

/// A length with three digits, rounded up or down: more of them say nothing of an interval.
fn rough(length: f64, round: fn(f64) -> f64) -> String {
    short(with_digits(length, 3, round))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_depth_before_the_move() {
        let clash =
            |penetration, depth| Clash { penetration, depth, ..Clash::new(0, 1, Verdict::Overlapping) };
        let near = Clash { distance: 0.5, ..Clash::new(0, 1, Verdict::Near) };
        assert_eq!(near.measure().as_deref(), Some("gap 0.5"));
        assert_eq!(clash(Some([0.2, 0.202]), Some(3.0)).measure().as_deref(), Some("depth 0.202"));
        assert_eq!(clash(Some([0.2, 0.3]), None).measure().as_deref(), Some("depth 0.2 to 0.3"));
        assert_eq!(clash(Some([0.0, 0.3]), None).measure().as_deref(), Some("depth ≤ 0.3"));
        assert_eq!(clash(None, Some(3.0)).measure().as_deref(), Some("separation ≤ 3"));
        assert_eq!(clash(None, None).measure(), None);
        let estimated = Clash { estimated: true, ..clash(Some([0.2, 0.202]), None) };
        assert_eq!(estimated.measure().as_deref(), Some("depth ≈ 0.202"));
        let long = clash(Some([1.809_718e-6, 4.715_032e-5]), None);
        assert_eq!(long.measure().as_deref(), Some("depth 1.8e-6 to 0.0000472"));
        assert_eq!(clash(Some([999.1, 999.6]), None).measure().as_deref(), Some("depth 1000"));
    }
}
