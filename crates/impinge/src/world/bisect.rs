//! Bisection for the time of impact (Blow 1997), kept as the simple alternative to sweeps.

use super::filter::{FilterStage, Statistics};
use super::moves::{Hit, Move, Solved};
use super::travel::speed;
use super::{Call, Handle, World, WorldError};
use crate::model::Placed;
use crate::query::SweepStatus;
use crate::query::{Contact, SweepHit};
use impinge_core::math::DVec3;
use impinge_core::transform::{Motion, Placement};

impl World {
    /// Moves a body to the end of a motion, or where that is not free, to the last place that is found free by halving the time
    /// down to `resolution`, a fraction of the motion.
    ///
    /// Only places are tested, not the way between them: a fast body may pass through a thin one, and the time may be that of a second
    /// touch. [`try_move`](Self::try_move) is never late; this is here to be compared with, and for motions that no [`Motion`] describes well.
    /// Where the body ends it is free, by the exact test. What it would hit next is told with the closest features there, as the paper
    /// hands them to its physics; `docs/math/filters.md` tells why they are asked for at the end.
    pub fn bisect_move(
        &mut self,
        handle: Handle,
        motion: &Motion,
        resolution: f64,
    ) -> Result<Move, WorldError> {
        self.note(|| Call::BisectMove(handle, *motion, resolution));
        let index = self.index_of_moving(handle)?;
        let near = self.near_way(index, motion);
        let placed = self.body(index).placed();
        let mut statistics = Statistics::with_clock(self.statistics.clock());
        let at = |other: u32| self.body(other).placement;
        let (in_way, dividers) = self.in_way(index, &placed, motion, &near, &at, &mut statistics);
        let mut met = |place: &Placed<'_>| -> Vec<u32> {
            let met = in_way.iter().copied().filter(|&other| {
                let mut is_free = true;
                statistics.record(FilterStage::Hard, || {
                    is_free = self.is_free_of(place, &self.body(other).placed());
                    true
                });
                !is_free
            });
            met.collect()
        };
        let start = *placed.placement();
        let mut made = Move {
            handle,
            status: SweepStatus::Clear,
            fraction: 1.0,
            placement: start,
            hits: Vec::new(),
            lift: None,
            wedged: false,
        };
        let place_at = |fraction: f64| Placement::try_from(motion.carry(start.world_from_model(), fraction));
        let overlapped = met(&placed);
        let at_end = match place_at(1.0) {
            Ok(place) => {
                made.placement = place;
                met(&placed.model().at(place))
            }
            Err(error) => return Err(error.into()),
        };
        if !overlapped.is_empty() {
            let hits = overlapped.iter().map(|&other| Hit { other: self.bodies.handle(other), hit: None });
            let hits = hits.collect();
            made = Move {
                status: SweepStatus::StartedOverlapping,
                fraction: 0.0,
                placement: start,
                hits,
                ..made
            };
        } else if !at_end.is_empty() {
            let (mut free, mut taken, mut last) = ((0.0, start), 1.0, at_end);
            while taken - free.0 > resolution.max(f64::EPSILON) {
                let middle = free.0 + (taken - free.0) / 2.0;
                let place = place_at(middle)?;
                let met = met(&placed.model().at(place));
                if met.is_empty() {
                    free = (middle, place);
                } else {
                    (taken, last) = (middle, met);
                }
            }
            let place = placed.model().at(free.1);
            let next = place_at(taken)?;
            // From here to where they meet it is no farther than any point goes.
            let at_most = speed(&placed, motion) * (taken - free.0);
            let hits = last.iter().map(|&other| Hit {
                other: self.bodies.handle(other),
                hit: closest(&place, &self.body(other).placed(), at_most, &next),
            });
            let hits = hits.collect();
            made = Move { status: SweepStatus::Hit, fraction: free.0, placement: free.1, hits, ..made };
        }
        self.make(Solved { made: made.clone(), statistics, dividers })?;
        Ok(made)
    }
}

/// The closest features of two bodies, as the paper hands them to its physics. What is farther than `at_most` is not looked at, if
/// rounding allows. Where they touch their points do not tell the normal: contacts do, or where the body would go next.
fn closest(moving: &Placed<'_>, other: &Placed<'_>, at_most: f64, next: &Placement) -> Option<SweepHit> {
    let closest = moving.distance_within(other, at_most).unwrap_or_else(|| moving.distance(other));
    let point = closest.point_on_a;
    let touching = || {
        let contacts = moving.contacts(other, 0.0);
        let from_point = |contact: &Contact| contact.point_on_a.distance_squared(point);
        let nearest = contacts.iter().min_by(|a, b| from_point(a).total_cmp(&from_point(b)));
        nearest.map(|contact| contact.normal)
    };
    let onward = || next.point_to_world(moving.placement().point_to_model(point)) - point;
    let normal = (closest.point_on_b - point).try_normalize().or_else(touching);
    Some(SweepHit {
        point_on_moving: point,
        point_on_stationary: closest.point_on_b,
        normal: normal.or_else(|| onward().try_normalize()).unwrap_or(DVec3::Z),
        feature_moving: closest.feature_a?,
        feature_stationary: closest.feature_b?,
        bound: closest.distance * (1.0 + 1e-9) + f64::MIN_POSITIVE,
    })
}
