//! The figure that says most about a clash.

use crate::report::{Clash, Verdict};
use crate::text::short;

/// An interval that is no wider than this is one number: what is asked of a penetration, and a little for rounding.
const NARROW: f64 = 1.011;

impl Clash {
    /// The gap, how deep the two reach into each other, or else the move that separates them.
    pub(crate) fn measure(&self) -> Option<String> {
        match (self.verdict, self.penetration, self.depth) {
            (Verdict::Near, ..) => Some(format!("gap {}", short(self.distance))),
            (_, Some([at_least, at_most]), _) if at_most <= at_least * NARROW => {
                Some(format!("depth {}", short(at_most)))
            }
            (_, Some([at_least, at_most]), _) if at_least > 0.0 => {
                Some(format!("depth {} to {}", short(at_least), short(at_most)))
            }
            (_, Some([_, at_most]), _) => Some(format!("depth ≤ {}", short(at_most))),
            (_, None, Some(depth)) => Some(format!("moved ≤ {}", short(depth))),
            _ => None,
        }
    }
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
        assert_eq!(clash(None, Some(3.0)).measure().as_deref(), Some("moved ≤ 3"));
        assert_eq!(clash(None, None).measure(), None);
    }
}
