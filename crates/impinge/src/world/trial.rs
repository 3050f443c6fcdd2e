//! Trials: a body is moved past others that stand still, to and fro, and the world is not changed until it is known where it is to be.

use super::filter::{FilterStage, Statistics};
use super::moves::{Hit, Move, Solved, tidied};
use super::sweep_all::slides;
use super::{SlideOptions, World, WorldError};
use crate::broad_phase::Pair;
use crate::model::{Model, Placed};
use crate::query::{Known, RelativeMotion, Scratch, StartContacts, Sweep, SweepHit, SweepStatus};
use impinge_core::math::DVec3;
use impinge_core::transform::{Motion, Placement};

/// What touches is stopped with a bound of the distance of no more than one error bound of a point, and of no more than so many in the frame of another leg.
const CONTACT_ROUNDINGS: f64 = 2.0;

/// A body that is moved on trial.
pub(super) struct Trial<'w> {
    pub(super) world: &'w World,
    pub(super) index: u32,
    model: &'w Model,
    /// Where the body is by now.
    pub(super) place: Placement,
    pub(super) options: SlideOptions,
    /// Whether the body overlaps others where it is, so that it does not move.
    pub(super) started_overlapping: bool,
    pub(super) statistics: Statistics,
    pub(super) dividers: Vec<(Pair, DVec3)>,
}

/// A body that stops the one on trial.
#[derive(Clone, Copy, Debug)]
pub(super) struct Obstacle {
    pub(super) index: u32,
    /// The unit normal from the moving body to the other.
    pub(super) normal: DVec3,
    /// The contact; none where the two overlap.
    pub(super) hit: Option<SweepHit>,
}

impl<'w> Trial<'w> {
    pub(super) fn new(world: &'w World, index: u32, options: SlideOptions) -> Trial<'w> {
        let placed = world.body(index).placed();
        Trial {
            world,
            index,
            model: placed.model(),
            place: *placed.placement(),
            options,
            started_overlapping: false,
            statistics: Statistics::with_clock(world.statistics.clock()),
            dividers: Vec::new(),
        }
    }

    pub(super) fn placed(&self) -> Placed<'w> {
        self.model.at(self.place)
    }

    /// The point of the world at which the model's origin is.
    pub(super) fn position(&self) -> DVec3 {
        self.place.world_from_model().translation
    }

    /// Moves the body along a line until it is stopped, and returns what stops it.
    pub(super) fn translate(&mut self, by: DVec3) -> Result<Vec<Obstacle>, WorldError> {
        let motion = Motion::translation(by)?;
        let placed = self.placed();
        let (world, index) = (self.world, self.index);
        let near = || world.near_way(index, &placed, &motion);
        let in_order = if by == DVec3::ZERO { None } else { self.sweep_in_order(placed, &motion) };
        let (mut made, may_touch) = match in_order {
            Some(made) => made,
            None => (self.sweep(placed, &motion, &near()), true),
        };
        if made.status == SweepStatus::Hit && made.fraction <= 0.0 && may_touch {
            let near = near();
            if let Some(lifted) = self.lifted_off(&placed, &motion, &near) {
                // Where faces lie on each other exactly, any of their edges may be what it is pressed against; from a skin away, it is the face.
                made = self.sweep(lifted, &motion, &near);
            }
        }
        self.started_overlapping |= made.status == SweepStatus::StartedOverlapping;
        self.place = made.placement;
        let obstacle = |hit: &Hit| Obstacle {
            index: hit.other.index,
            normal: hit.hit.map_or(by.normalize_or(self.options.up), |hit| hit.normal),
            hit: hit.hit,
        };
        Ok(made.hits.iter().map(obstacle).collect())
    }

    fn sweep(&mut self, placed: Placed<'_>, motion: &Motion, near: &[u32]) -> Move {
        let Solved { made, statistics, dividers } = self.world.solve(self.index, placed, motion, near);
        self.statistics.add(&statistics);
        self.dividers.extend(dividers);
        made
    }

    /// Sweeps the body against what it comes upon, in that order, and each only up to the first stop so far; and whether it may touch what it is pressed
    /// against from the start. None where that takes more than the first stop: where the body overlaps others, slides along what it touches, or stops at
    /// no free place.
    fn sweep_in_order(&mut self, placed: Placed<'w>, motion: &Motion) -> Option<(Move, bool)> {
        let (world, index, options) = (self.world, self.index, self.world.sweep_options());
        let mut near = world.bodies_in_way(&placed, motion, options).found;
        near.retain(|&(_, other)| other != index && world.stop_each_other([index, other]));
        let both_at = |place: Placement, other: u32| {
            let [own, other] = world.facing([index, other]);
            [own.model().at(place), other]
        };
        let mut stops: Vec<(u32, Sweep)> = Vec::new();
        // What is come upon later first: the floor, say, need be followed no farther than to there.
        let at_start = near.partition_point(|&(from, _)| from <= 0.0);
        for &(from, other) in near[at_start..].iter().chain(&near[..at_start]) {
            let until = stops.iter().fold(f64::INFINITY, |until, (_, sweep)| until.min(sweep.fraction));
            if from > until {
                continue;
            }
            let [own, still] = both_at(*placed.placement(), other);
            let (are_apart, is_free) = (from > 0.0, world.are_known_free([index, other]));
            let known = Known { are_free: are_apart || is_free, are_apart, until };
            let mut sweep = None;
            self.statistics.record(FilterStage::Hard, || {
                sweep = Some(own.sweep_knowing(motion, &still, options, known));
                true
            });
            let sweep = sweep.expect("it was made");
            if slides(&sweep) || sweep.status == SweepStatus::StartedOverlapping {
                return None;
            }
            if sweep.status == SweepStatus::Hit {
                sweep.hit?;
                stops.push((other, sweep));
            }
        }
        let fraction = stops.iter().fold(1.0_f64, |first, (_, sweep)| first.min(sweep.fraction));
        stops.retain(|(_, sweep)| sweep.fraction <= fraction);
        stops.sort_unstable_by_key(|&(other, _)| other);
        let start = placed.placement();
        let placement = match stops.first() {
            _ if fraction <= 0.0 => *start,
            Some((_, sweep)) => sweep.world_from_moving,
            None => Placement::try_from(motion.carry(start.world_from_model(), 1.0)).ok()?,
        };
        let is_free = |place: &Placement| {
            near.iter().take_while(|(from, _)| *from <= fraction).all(|&(_, other)| {
                let [own, still] = both_at(*place, other);
                let is_known = world.are_known_free([index, other]);
                (is_known && world.are_surfaces_apart(&own, &still)) || world.is_free_of(&own, &still)
            })
        };
        // Each sweep has tested its own stop, but not those of others.
        if fraction > 0.0 && !is_free(&placement) {
            return None;
        }
        let placement = tidied(start, placement, is_free);
        // In contact a sweep is stopped within some bounds of the error.
        let is_touching =
            |sweep: &Sweep| sweep.hit.is_some_and(|hit| hit.bound <= CONTACT_ROUNDINGS * sweep.rounding);
        let may_touch = stops.iter().any(|(_, sweep)| is_touching(sweep));
        let hits =
            stops.iter().map(|(other, sweep)| Hit { other: world.bodies.handle(*other), hit: sweep.hit });
        let hits: Vec<Hit> = hits.collect();
        let status = if hits.is_empty() { SweepStatus::Clear } else { SweepStatus::Hit };
        let handle = world.bodies.handle(index);
        let (lift, wedged, segments) = (None, false, Vec::new());
        Some((Move { handle, status, fraction, placement, hits, lift, wedged, segments }, may_touch))
    }

    /// The body a skin away from all that it touches; none where it touches nothing, or nothing leads away.
    fn lifted_off(&self, placed: &Placed<'w>, motion: &Motion, near: &[u32]) -> Option<Placed<'w>> {
        let (mut scratch, motion) = (Scratch::default(), RelativeMotion::past_still(motion));
        let options = self.world.sweep_options();
        let both_at = |place: &Placed<'_>, other: &u32| {
            let [own, other] = self.world.facing([self.index, *other]);
            [own.model().at(*place.placement()), other]
        };
        let touched = near.iter().filter_map(|other| {
            let [own, other] = both_at(placed, other);
            StartContacts::of(&own, &motion, &other, options, &mut scratch)
        });
        let touched: Vec<StartContacts> = touched.collect();
        let mut lifted = StartContacts::lifts(&touched).filter_map(|lift| placed.translated(lift));
        lifted.find(|lifted| {
            let mut both = near.iter().map(|other| both_at(lifted, other));
            !both.any(|[own, other]| own.intersects(&other))
        })
    }
}
