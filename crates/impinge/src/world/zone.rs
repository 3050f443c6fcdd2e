//! The zone around bodies within which a sweep may stop them: what filters show to be farther apart on the whole way, no sweep stops.

use super::World;
use super::travel::Travel;
use crate::model::Placed;
use crate::query::size_of;
use impinge_core::tolerance::{SKIN_ROUNDINGS, SWEEP_ROUNDING};

/// The length of a vector of which no coordinate is larger than 1.
const DIAGONAL: f64 = 1.7320508075688774;

/// Distances within a sweep are off by less than this, in multiples of its error bound: by as much for each body, and by tolerances.
const OFF: f64 = 8.0;

/// Nothing so far from the origin leads out of the range of placements.
const LARGEST: f64 = 1e100;

impl World {
    /// How thick the zone of a sweep is at most, with what rounding can make of distances. What was stopped by a skin is left outside of it, but where the
    /// bodies are far from the world's origin. None where that cannot be told beforehand.
    pub(super) fn zone(&self, travels: [&Travel; 2], placed: [&Placed<'_>; 2]) -> Option<f64> {
        if self.skin <= 0.0 {
            return None;
        }
        let rounding = SWEEP_ROUNDING * 2.0 * extent(travels, placed)?;
        let thickness = self.options.margin.max(self.skin).max(SKIN_ROUNDINGS * rounding);
        Some(thickness * (1.0 + 1e-9) + OFF * rounding)
    }
}

/// No coordinate in the frame of a sweep is larger, in the unit of the world, nor how far from the origin of the world poses are rounded: an upper bound of what
/// the frame itself finds. None for bodies that turn far, and far out.
fn extent(travels: [&Travel; 2], placed: [&Placed<'_>; 2]) -> Option<f64> {
    let [a, b] = [travels[0].course()?, travels[1].course()?];
    let origins = placed.map(|placed| placed.placement().world_from_model().translation);
    let way = a.0.length() + b.0.length();
    // Where a body turns, its origin goes around a point of the axis.
    let arms = [a.1, b.1]
        .into_iter()
        .zip(origins)
        .map(|(center, origin)| center.map(|center| center.distance(origin)));
    let (mut arm, mut turning) = (0.0_f64, 0);
    for of_body in arms.flatten() {
        (arm, turning) = (arm.max(of_body), turning + 1);
    }
    let apart = origins[0].distance(origins[1]) + way + 4.0 * arm;
    let of_model = |placed: &Placed<'_>| placed.placement().stretch() * placed.model().reach();
    let still = DIAGONAL * of_model(placed[0]).max(of_model(placed[1])) + apart;
    let still = still + placed[0].radius() + placed[1].radius();
    // Legs of a motion are taken to be as long as a body is large.
    let travel = DIAGONAL * 2.0 * (way + size_of(placed[0]).max(size_of(placed[1])));
    let center = arm + apart;
    let extent = match turning {
        0 => still + travel,
        1 => 2.0 * (still + center) + travel,
        _ => 4.0 * (2.0 * (still + center) + travel + center),
    };
    let far = origins[0].abs().max(origins[1].abs()).max_element() + center;
    let extent = (extent + far) * (1.0 + 1e-9);
    (extent < LARGEST).then_some(extent)
}
