//! Moves: a body is swept until something stops it.

use super::filter::{FilterStage, Statistics, Ways, decide};
use super::segment::Segment;
use super::sweep_all::{InWay, SweepAll, slides, sweep_all};
use super::travel::Travel;
use super::{Call, Handle, Kind, World, WorldError};
use crate::broad_phase::Pair;
use crate::model::Placed;
use crate::query::{Known, RelativeMotion, Sweep, SweepHit, SweepStatus};
use impinge_core::math::{DAffine3, DVec3};
use impinge_core::transform::{Motion, Placement, Trs};

/// The result of a move.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Move {
    /// The body that moved.
    pub handle: Handle,
    /// The outcome of the move. A body that starts overlapping stays where it is: see [`World::resolve_overlap`].
    pub status: SweepStatus,
    /// The time of impact as a fraction of the motion: never later than the first true touch.
    pub fraction: f64,
    /// The placement of the body after the move: tested to be free of all others.
    pub placement: Placement,
    /// The bodies that stop it, or that it overlaps.
    pub hits: Vec<Hit>,
    /// The translation by which the body was lifted off all that it touches at time 0, where it slides along any of that: see
    /// [`Sweep::lift`](crate::query::Sweep::lift). A body that is pushed later in a step may be lifted then: its segment starts where it was lifted to.
    pub lift: Option<DVec3>,
    /// Whether the body touches others and would slide, but no lift frees it of all.
    pub wedged: bool,
    /// The way that the body made, with the times of its parts; it stands still after the last.
    pub segments: Vec<Segment>,
}

/// A body that stops another.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Hit {
    /// The body that was hit.
    pub other: Handle,
    /// The features and points of the contact; `None` where the bodies overlap.
    pub hit: Option<SweepHit>,
}

/// A move that has been worked out, and not been made yet.
pub(super) struct Solved {
    pub(super) made: Move,
    pub(super) statistics: Statistics,
    /// Directions that divide the body from others.
    pub(super) dividers: Vec<(Pair, DVec3)>,
}

impl World {
    /// Moves a body until it touches another, or to the end. The body that stands in the way stays where it is. Both wake up.
    pub fn try_move(&mut self, handle: Handle, motion: &Motion) -> Result<Move, WorldError> {
        self.note(|| Call::Move(handle, *motion));
        self.move_quietly(handle, motion)
    }

    /// Moves a body as [`try_move`](Self::try_move) does, without recording the call.
    pub(super) fn move_quietly(&mut self, handle: Handle, motion: &Motion) -> Result<Move, WorldError> {
        let index = self.index_of_moving(handle)?;
        self.sort_boxes();
        let placed = self.body(index).placed();
        let near = self.near_way(index, &placed, motion);
        let solved = self.solve(index, placed, motion, &near);
        let made = solved.made.clone();
        self.make(solved)?;
        Ok(made)
    }

    /// The place of a body that moves.
    pub(super) fn index_of_moving(&self, handle: Handle) -> Result<u32, WorldError> {
        match self.get(handle)?.kind() {
            Kind::Moving | Kind::Kinematic => Ok(handle.index),
            _ => Err(WorldError::NotMoving { handle }),
        }
    }

    /// The bodies near the path of a body from a place, in order.
    pub(super) fn near_way(&self, index: u32, placed: &Placed<'_>, motion: &Motion) -> Vec<u32> {
        let travel = Travel::new(*placed, motion);
        let mut near = Vec::new();
        self.broad.overlapping(&travel.bounds, &mut near);
        near.retain(|&other| other != index && self.stop_each_other([index, other]));
        near
    }

    /// Works out how far a body gets from a place, past others that stand still. `near` holds all that may be in its way.
    pub(super) fn solve(&self, index: u32, placed: Placed<'_>, motion: &Motion, near: &[u32]) -> Solved {
        let mut statistics = Statistics::with_clock(self.statistics.clock());
        let (in_way, dividers) = self.in_way(index, &placed, motion, near, &mut statistics);
        let options = self.sweep_options();
        // Who is free of others stays so until surfaces meet: nothing has to be asked about insides.
        let are_free = near.iter().all(|other| self.are_known_free([index, *other]));
        let known = Known { are_free, ..Known::NOTHING };
        let other_at = |other: u32| {
            let [own, other] = self.facing([index, other]);
            InWay { own: own.model(), other }
        };
        let others: Vec<InWay<'_>> = in_way.iter().map(|&other| other_at(other)).collect();
        let is_lift_free = |lifted: &Placed<'_>| {
            let mut both = near.iter().map(|&other| other_at(other).both(lifted.placement()));
            both.all(|[lifted, other]| !lifted.intersects(&other))
        };
        let SweepAll { placed, motion, sweeps, lift, wedged } =
            sweep_all(placed, motion, &others, options, is_lift_free, |placed, motion, other| {
                let mut sweep = None;
                statistics.record(FilterStage::Hard, || {
                    let motion = RelativeMotion::past_still(motion);
                    sweep = Some(placed.sweep_along(&motion, other, options, known).0);
                    true
                });
                sweep.expect("it was made")
            });
        let sweeps: Vec<(u32, Sweep)> = in_way.iter().copied().zip(sweeps).collect();
        let started = sweeps.iter().filter(|(_, sweep)| sweep.status == SweepStatus::StartedOverlapping);
        let overlapped: Vec<Hit> =
            started.map(|(other, _)| Hit { other: self.bodies.handle(*other), hit: None }).collect();
        let handle = self.bodies.handle(index);
        let stay = Move {
            handle,
            status: SweepStatus::StartedOverlapping,
            fraction: 0.0,
            placement: *placed.placement(),
            hits: overlapped,
            lift: None,
            wedged: false,
            segments: Vec::new(),
        };
        if !stay.hits.is_empty() {
            return Solved { made: stay, statistics, dividers };
        }
        if wedged {
            let touched = sweeps.iter().filter(|(_, sweep)| slides(sweep));
            let hits =
                touched.map(|(other, sweep)| Hit { other: self.bodies.handle(*other), hit: sweep.hit });
            let made = Move { status: SweepStatus::Hit, hits: hits.collect(), wedged, ..stay };
            return Solved { made, statistics, dividers };
        }
        let first = sweeps.iter().min_by(|a, b| a.1.fraction.total_cmp(&b.1.fraction));
        let first = first.filter(|(_, sweep)| sweep.status == SweepStatus::Hit).map(|(_, sweep)| sweep);
        let start = placed.placement().world_from_model();
        let (mut fraction, mut map) = match first {
            None => (1.0, motion.carry(start, 1.0)),
            Some(sweep) => (sweep.fraction, *sweep.world_from_moving.world_from_model()),
        };
        let stops = |fraction: f64| {
            let stopping =
                sweeps.iter().filter(move |(_, sweep)| sweep.hit.is_some() && sweep.fraction <= fraction);
            stopping.map(|(other, sweep)| Hit { other: self.bodies.handle(*other), hit: sweep.hit })
        };
        let mut hits: Vec<Hit> = stops(fraction).collect();
        let is_free = |place: &Placement| {
            let mut both = others.iter().map(|other| other.both(place));
            both.all(|[placed, other]| {
                (are_free && self.are_surfaces_apart(&placed, &other)) || self.is_free_of(&placed, &other)
            })
        };
        // Each sweep has tested its own stop; this is the first of them, and the others are tested here.
        let placement = loop {
            match Placement::try_from(map) {
                _ if fraction <= 0.0 => break *placed.placement(),
                Ok(place) if is_free(&place) => break place,
                _ => {
                    fraction = if fraction > 1e-12 { fraction * 0.5 } else { 0.0 };
                    map = motion.carry(start, fraction);
                    if hits.is_empty() {
                        hits.extend(
                            in_way.iter().map(|&other| Hit { other: self.bodies.handle(other), hit: None }),
                        );
                    }
                }
            }
        };
        let placement = tidied(placed.placement(), placement, is_free);
        let status = if hits.is_empty() { SweepStatus::Clear } else { SweepStatus::Hit };
        let segment = Segment { to: fraction, ..Segment::new(*placed.placement(), motion, 0.0, 1.0) };
        let segments = if fraction > 0.0 { vec![segment] } else { Vec::new() };
        Solved {
            made: Move { handle, status, fraction, placement, hits, lift, wedged, segments },
            statistics,
            dividers,
        }
    }

    /// The bodies near a path that the filters leave, and separating axes of the others.
    fn in_way(
        &self,
        index: u32,
        placed: &Placed<'_>,
        motion: &Motion,
        near: &[u32],
        statistics: &mut Statistics,
    ) -> (Vec<u32>, Vec<(Pair, DVec3)>) {
        let travel = Travel::new(*placed, motion);
        let (mut in_way, mut dividers) = (Vec::new(), Vec::new());
        for &other in near {
            let still = self.body(other).placed();
            let resting = Travel::resting(still);
            // What is nearer than the expel zone of the sweep may be stopped by it: filters must not say that it is apart.
            let sizes = travel.size(motion) + resting.size(motion);
            let margin = self.options.margin.max(2.0 * self.skin).max(ZONE * sizes);
            if !travel.bounds.overlaps(&super::grown(resting.bounds, margin)) {
                statistics.left_out(1);
                continue;
            }
            let pair = Pair::new(index, other);
            // It is remembered from the lesser to the greater.
            let sign = if index < other { 1.0 } else { -1.0 };
            let remembered = || self.dividers.get(&pair).map(|divider| *divider * sign);
            let ways = Ways {
                travels: [&travel, &resting],
                placed: [placed, &still],
                margin,
                are_known_free: self.are_known_free([index, other]),
                clearing: None,
            };
            let decision = decide(&self.options.chain, ways, remembered, statistics);
            dividers.extend(decision.divider.map(|divider| (pair, divider * sign)));
            if decision.gap.is_none() {
                in_way.push(other);
            }
        }
        (in_way, dividers)
    }

    /// Makes a move that was worked out, and lets the box follow.
    pub(super) fn make(&mut self, solved: Solved) -> Result<(), WorldError> {
        let (index, place) = (solved.made.handle.index, solved.made.placement);
        let body = self.body(index);
        if place != body.placement {
            let bounds = super::grown(body.model().at(place).bounds(), self.margin());
            self.broad.move_to(index, bounds)?;
            self.wide.remove(index);
        }
        self.statistics.add(&solved.statistics);
        self.remember(solved.dividers);
        self.make_within_box(&solved.made);
        Ok(())
    }

    /// Makes a move of a body whose box is around the whole path. The body wakes up, wherever it got, and so does what stops it.
    pub(super) fn make_within_box(&mut self, made: &Move) {
        let index = made.handle.index;
        self.wake(index);
        if let Some(body) = self.bodies.get_mut(index)
            && body.placement != made.placement
        {
            body.placement = made.placement;
            body.still_for = 0;
            self.changed.insert(index);
            // It was tested to be free there, of all that stops it.
            if made.status != SweepStatus::StartedOverlapping && !self.is_crushed(index) {
                self.unseen.remove(index);
            }
            self.wake_around(index);
        }
        for hit in &made.hits {
            self.wake(hit.other.index);
        }
    }
}

/// More than the expel zone of a sweep is thick where nobody asks for more, in multiples of the sizes of bodies, places and motion:
/// many times [`SKIN`](impinge_core::tolerance::SKIN).
pub(super) const ZONE: f64 = 1e-9;

/// A place as it is, or as a rotation again where many moves have bent it, if that is free as well.
pub(super) fn tidied(
    before: &Placement,
    place: Placement,
    mut is_free: impl FnMut(&Placement) -> bool,
) -> Placement {
    // Quicker than to extract it.
    let is_rotation = place.uniform_scale().is_some_and(|scale| (1e-100..1e100).contains(&scale));
    if is_rotation || before.trs().is_none() || place.trs().is_some() {
        return place;
    }
    let map: &DAffine3 = place.world_from_model();
    let tidy = Trs::extract_within(map, 1e-6).ok().map(Placement::from);
    tidy.filter(|tidy| is_free(tidy)).unwrap_or(place)
}
