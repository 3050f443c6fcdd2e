//! The filter chain (Blow 1997, §I): cheap tests that tell soonest that two bodies cannot touch. Each can be left out; what it
//! would have decided is decided by a later one, and no answer changes.

mod boxes;
pub(super) mod faces;
mod plane;
pub(super) mod spheres;
mod statistics;

pub use statistics::{FilterCount, Statistics};

use super::travel::Travel;
use crate::model::Placed;
use impinge_core::bounds::Aabb;
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
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
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
    /// How far the bodies stay apart on the way at least; none where they may come within the margin.
    pub(super) gap: Option<f64>,
    /// A separating axis of the two, worth remembering.
    pub(super) divider: Option<DVec3>,
    /// A box around the way of the one without faces of the other, worth remembering.
    pub(super) clearing: Option<Aabb>,
}

/// Two bodies on their ways, of which filters are asked.
#[derive(Clone, Copy)]
pub(super) struct Ways<'a, 'm> {
    pub(super) travels: [&'a Travel; 2],
    /// The bodies at the start.
    pub(super) placed: [&'a Placed<'m>; 2],
    /// How far apart bodies must be.
    pub(super) margin: f64,
    /// Whether the two are known not to interpenetrate at the start.
    pub(super) are_known_free: bool,
    /// A box without faces of the one that stands still, if it is known.
    pub(super) clearing: Option<Aabb>,
}

/// Asks the filters about two bodies on their ways.
pub(super) fn decide(
    chain: &FilterChain,
    ways: Ways<'_, '_>,
    remembered: impl FnOnce() -> Option<DVec3>,
    statistics: &mut Statistics,
) -> Decision {
    let Ways { travels, placed, margin, are_known_free, clearing } = ways;
    let mut decision = Decision { gap: None, divider: None, clearing: None };
    if chain.spheres
        && statistics.record(FilterStage::Spheres, || {
            decision.gap = spheres::gap(travels, margin);
            decision.gap.is_some()
        })
    {
        return decision;
    }
    if chain.boxes
        && statistics.record(FilterStage::Boxes, || {
            // Whatever comes to be inside of something goes through its faces.
            let known = clearing.filter(|_| are_known_free);
            decision.gap = known.and_then(|clearing| faces::gap_within(&clearing, travels, margin));
            if decision.gap.is_some() {
                decision.clearing = known;
                return true;
            }
            decision.gap =
                boxes::gap(travels, margin).or_else(|| boxes::gap_in_parts(travels, placed, margin));
            if decision.gap.is_none() && are_known_free {
                let far = faces::gap(travels, placed, margin);
                decision.gap = far.map(|far| far.gap);
                decision.clearing = far.and_then(|far| far.clearing);
            }
            decision.gap.is_some()
        })
    {
        return decision;
    }
    if chain.plane {
        statistics.record(FilterStage::Plane, || {
            // Of boxes, their own axes have told what there is to tell.
            if chain.boxes && placed.iter().all(|placed| plane::is_box(placed)) {
                return false;
            }
            let found = plane::divider(travels, placed, margin, remembered);
            (decision.gap, decision.divider) = (found.map(|(gap, _)| gap), found.map(|(_, divider)| divider));
            found.is_some()
        });
    }
    decision
}
