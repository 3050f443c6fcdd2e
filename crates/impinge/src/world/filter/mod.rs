//! The filter chain (Blow 1997, §I): cheap tests that tell soonest that two bodies cannot touch. Each can be left out; what it
//! would have decided is decided by a later one, and no answer changes.

mod boxes;
mod plane;
mod spheres;
mod statistics;

pub use statistics::{FilterCount, Statistics};

use super::travel::Travel;
use impinge_core::math::DVec3;

/// A stage of the chain, in the order in which they are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FilterStage {
    /// Swept bounds, from the broad phase.
    Broad,
    /// Spheres around the bodies.
    Spheres,
    /// Oriented boxes around the bodies.
    #[doc(alias = "bounding box safety")]
    Boxes,
    /// A plane with one body on each side of it, found by trial, and remembered for the next time.
    #[doc(alias = "plane divides entities")]
    Plane,
    /// The exact test of the narrow phase.
    Hard,
}

impl FilterStage {
    /// All stages.
    pub const ALL: [FilterStage; 5] =
        [FilterStage::Broad, FilterStage::Spheres, FilterStage::Boxes, FilterStage::Plane, FilterStage::Hard];

    /// The name of the stage in tables.
    pub fn name(self) -> &'static str {
        match self {
            FilterStage::Broad => "broad phase",
            FilterStage::Spheres => "bounding spheres",
            FilterStage::Boxes => "bounding box safety",
            FilterStage::Plane => "plane divides entities",
            FilterStage::Hard => "hard case",
        }
    }
}

/// The stages that are asked between the broad phase and the exact test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FilterChain {
    /// Whether to ask [`FilterStage::Spheres`].
    pub spheres: bool,
    /// Whether to ask [`FilterStage::Boxes`].
    pub boxes: bool,
    /// Whether to ask [`FilterStage::Plane`].
    pub plane: bool,
}

impl FilterChain {
    /// The chain that worlds use: all filters.
    pub const USUAL: FilterChain = FilterChain { spheres: true, boxes: true, plane: true };
    /// The chain without filters.
    pub const NONE: FilterChain = FilterChain { spheres: false, boxes: false, plane: false };
}

impl Default for FilterChain {
    fn default() -> FilterChain {
        FilterChain::USUAL
    }
}

/// The decision of the chain about two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Decision {
    /// Whether the bodies do not touch on the way.
    pub(super) are_apart: bool,
    /// A separating axis of the two, worth remembering.
    pub(super) divider: Option<DVec3>,
}

/// Asks the filters about a body on its way and one that stands still; `margin` is how far apart bodies must be.
pub(super) fn decide(
    chain: &FilterChain,
    [moving, still]: [&Travel<'_>; 2],
    margin: f64,
    remembered: Option<DVec3>,
    statistics: &mut Statistics,
) -> Decision {
    let apart = Decision { are_apart: true, divider: None };
    if chain.spheres && statistics.record(FilterStage::Spheres, || spheres::are_apart(moving, still, margin))
    {
        return apart;
    }
    if chain.boxes && statistics.record(FilterStage::Boxes, || boxes::are_apart(moving, still, margin)) {
        return apart;
    }
    if chain.plane {
        let mut divider = None;
        let is_divided = statistics.record(FilterStage::Plane, || {
            divider = plane::divider(moving, still, margin, remembered);
            divider.is_some()
        });
        if is_divided {
            return Decision { are_apart: true, divider };
        }
    }
    Decision { are_apart: false, divider: None }
}
