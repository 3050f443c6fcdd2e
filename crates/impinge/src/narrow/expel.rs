//! The expel zone (paper 000 §3): how near a moving feature may come before it is stopped.
//!
//! Every feature pair has a height: of a vertex over a polygon's plane, or of an edge's line over another's. A feature that comes
//! from outside is stopped where it enters the zone. One that starts inside may leave, and may move along, but not deeper.
//! `docs/math/expel-zone.md` derives the numbers.

/// The thickness of the zone and what roundings can do, both in the unit of the frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpelZone {
    /// Where what comes from outside is stopped.
    pub thickness: f64,
    /// What is closer than this counts as touching: more than all roundings can move a point by.
    pub core: f64,
    /// How much deeper a feature that starts inside of the zone may come without being stopped: what rounds a motion along a
    /// surface, and is no motion into it.
    pub sink: f64,
}

/// The heights that matter for a pair of features.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Levels {
    /// A feature that comes below this is stopped,
    pub trigger: f64,
    /// where it last came below this.
    pub stop: f64,
}

impl ExpelZone {
    /// The zone for bodies and motions of up to `size`, with numbers of up to `extent` that are rounded on the way, poses in the world
    /// included: at least as thick as asked for.
    pub fn new(size: f64, extent: f64, asked: f64) -> ExpelZone {
        use crate::tolerance::{EXPEL, EXPEL_ROUNDINGS, SWEEP_ROUNDING};
        let core = SWEEP_ROUNDING * extent;
        let thickness = asked.max(EXPEL * size).max(EXPEL_ROUNDINGS * core);
        ExpelZone { thickness, core, sink: core / 2.0 }
    }

    /// How exactly the time has to be known at which a feature gets below a level, where that is found by halving: as a length
    /// that it moves. One that starts inside of the zone may sink by next to nothing, and its way is straight up to the square of a length:
    /// so that it is seen to part, however thick the zone.
    pub fn tolerance(&self, start: f64) -> f64 {
        let usual = self.thickness / 8.0;
        let fine = if start <= self.thickness { 131_072.0 * self.core } else { f64::INFINITY };
        usual.min(fine).max(self.core)
    }

    /// The levels for a feature that starts at a height.
    #[inline(always)]
    pub fn levels(&self, start: f64) -> Levels {
        if start > self.thickness {
            Levels { trigger: self.thickness, stop: self.thickness }
        } else if start > self.core {
            Levels { trigger: (start - self.sink).max(self.core), stop: start }
        } else {
            Levels { trigger: self.core, stop: self.core }
        }
    }
}

/// When a pair of features meets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Entry {
    /// Not within the time given.
    Never,
    /// They enter each other's zone here, on the way to meeting.
    At(f64),
    /// They touch at the start.
    Started(Start),
}

/// How features that touch at the start move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// The speed along the normal of the pair, in multiples of what rounding can make of none.
    pub along_normal: f64,
    /// Whether they part sideways, over the rim: then it does not matter on which side they are.
    pub parts_sideways: bool,
    /// When they meet again after parting along the normal; none where that is never.
    pub again: Option<f64>,
}
