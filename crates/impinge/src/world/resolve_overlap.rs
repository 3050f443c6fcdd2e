//! Overlap resolution: a free place for a body that overlaps others (Blow 1997's emergency routine).

use super::{Call, Handle, World, WorldError};
use crate::query::separating_translation::{moved, spread};
use impinge_core::math::DVec3;
use impinge_core::transform::Placement;

/// Directions that are tried, besides the axes.
const DIRECTIONS: usize = 48;

/// How often the distance is doubled before the search is given up, and halved to come closer.
const DOUBLINGS: u32 = 40;
const HALVINGS: u32 = 12;

/// The result of an overlap resolution.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Resolved {
    /// The free placement of the body.
    pub placement: Placement,
    /// The distance from where the body was; 0 where it was free already.
    pub distance: f64,
}

impl World {
    /// Moves a body that overlaps others to a free place, the nearest of those that were tried, in many directions and at growing
    /// distances; `None`, with nothing moved, where there is none nearer than `at_most`. The place is tested by the exact
    /// test; there may be nearer ones.
    pub fn resolve_overlap(&mut self, handle: Handle, at_most: f64) -> Result<Option<Resolved>, WorldError> {
        self.note(|| Call::Unstick(handle, at_most));
        let index = self.index_of_moving(handle)?;
        let start = self.body(index).placement;
        let at_most = if at_most > 0.0 { at_most } else { 0.0 };
        if !self.overlaps_any(index) {
            self.unseen.remove(index);
            return Ok(Some(Resolved { placement: start, distance: 0.0 }));
        }
        self.wake_around(index);
        let size = self.body(index).placed().bounds().size().length();
        let directions = directions();
        let mut best: Option<(f64, DVec3)> = None;
        let mut reach = (size / 1024.0).max(f64::MIN_POSITIVE);
        for _ in 0..DOUBLINGS {
            let distance = reach.min(at_most);
            for &direction in &directions {
                if self.is_free_at(index, &start, direction * distance)? {
                    best = Some(self.nearest_along(
                        index,
                        &start,
                        direction,
                        [0.5 * distance, distance],
                        best,
                    )?);
                }
            }
            if best.is_some() || reach >= at_most {
                break;
            }
            reach *= 2.0;
        }
        let found = best.and_then(|(distance, direction)| {
            let placement = moved(&start, direction * distance)?;
            Some(Resolved { placement, distance })
        });
        self.put(index, found.map_or(start, |found| found.placement))?;
        if found.is_some() {
            self.unseen.remove(index);
        }
        Ok(found)
    }

    /// The lesser of the best so far and the least distance along a direction that halving finds.
    fn nearest_along(
        &mut self,
        index: u32,
        start: &Placement,
        direction: DVec3,
        [mut taken, mut free]: [f64; 2],
        best: Option<(f64, DVec3)>,
    ) -> Result<(f64, DVec3), WorldError> {
        for _ in 0..HALVINGS {
            let middle = taken + (free - taken) / 2.0;
            if self.is_free_at(index, start, direction * middle)? {
                free = middle;
            } else {
                taken = middle;
            }
        }
        Ok(best.filter(|(distance, _)| *distance <= free).unwrap_or((free, direction)))
    }

    /// Puts the body there and looks.
    fn is_free_at(&mut self, index: u32, start: &Placement, by: DVec3) -> Result<bool, WorldError> {
        let Some(place) = moved(start, by) else { return Ok(false) };
        self.put(index, place)?;
        Ok(!self.overlaps_any(index))
    }
}

/// The axes, then directions that are spread evenly: up, where players want to be put, is the first.
fn directions() -> Vec<DVec3> {
    let mut all = vec![DVec3::Z, DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::NEG_Z];
    all.extend(spread(DIRECTIONS));
    all
}
