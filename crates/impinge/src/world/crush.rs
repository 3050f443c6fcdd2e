//! Crushed bodies: kinematic ones go through them, as long as the two overlap.

use super::{Handle, World};
use crate::broad_phase::Pair;

/// A body that had no room to give way to a kinematic one, which went on through it: see [`CrushRule::Crush`](super::CrushRule::Crush).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Crushed {
    /// The kinematic body.
    pub by: Handle,
    /// The body that was crushed.
    pub body: Handle,
    /// The time of the step at which it was, from 0 to 1.
    pub time: f64,
}

impl World {
    /// Whether two bodies stop each other: solid ones do, but not where the one crushes the other.
    pub(super) fn stop_each_other(&self, both: [u32; 2]) -> bool {
        self.are_solid(both) && !self.is_let_through(both)
    }

    /// Whether one of two bodies crushed the other, and they overlap still.
    fn is_let_through(&self, [a, b]: [u32; 2]) -> bool {
        !self.crushed.is_empty() && self.crushed.contains(&Pair::new(a, b)) && self.overlap(Pair::new(a, b))
    }

    /// Whether a body may overlap another because one crushed the other.
    pub(super) fn is_crushed(&self, index: u32) -> bool {
        self.crushed.iter().any(|pair| pair.has(index))
    }

    /// Notes what was crushed in a step, and forgets what is free again.
    pub(super) fn keep_crushed(&mut self, crushed: &[Crushed]) {
        for Crushed { by, body, .. } in crushed {
            self.crushed.insert(Pair::new(by.index, body.index));
            self.unseen.insert(body.index);
        }
        if !self.crushed.is_empty() {
            let pairs = std::mem::take(&mut self.crushed);
            self.crushed = pairs.into_iter().filter(|pair| self.overlap(*pair)).collect();
        }
    }

    fn overlap(&self, pair: Pair) -> bool {
        let [a, b] = self.facing(pair.ids());
        !self.is_free_of(&a, &b)
    }
}
