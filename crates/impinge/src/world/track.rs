//! Tracks: where the bodies of a step are at each time of it, and when two of them meet.

use super::filter::{FilterStage, Statistics, decide};
use super::moves::ZONE;
use super::segment::Segment;
use super::travel::Travel;
use super::{World, grown};
use crate::broad_phase::Pair;
use crate::model::{Model, Placed};
use crate::query::{RelativeMotion, Sweep, SweepHit, SweepOptions, SweepStatus, turns};
use impinge_core::math::DVec3;
use impinge_core::transform::{Motion, Placement};

/// The way of one body in a step, as far as it is known.
#[derive(Clone)]
pub(super) struct Track<'w> {
    pub(super) index: u32,
    model: &'w Model,
    /// Where the body is at time 0: lifted, where it is.
    start: Placement,
    /// The last one is being made, unless the body has stopped.
    pub(super) segments: Vec<Segment>,
    /// The turn that follows a translation.
    next: Option<Motion>,
    /// Where and since when the body stands still.
    rest: Option<(f64, Placement)>,
}

/// The time at which the turn begins that follows a translation.
pub(super) const HALF: f64 = 0.5;

impl<'w> Track<'w> {
    /// A body that stands still.
    pub(super) fn resting(index: u32, placed: Placed<'w>) -> Track<'w> {
        let start = *placed.placement();
        Track {
            index,
            model: placed.model(),
            start,
            segments: Vec::new(),
            next: None,
            rest: Some((0.0, start)),
        }
    }

    /// A body that is to move.
    pub(super) fn moving(index: u32, placed: Placed<'w>, motion: &Motion) -> Track<'w> {
        let start = *placed.placement();
        let is_moving = |motion: &Motion| motion.by() != DVec3::ZERO || turns(motion);
        if !is_moving(motion) {
            return Track::resting(index, placed);
        }
        let (mut first, mut until, mut next) = (*motion, 1.0, None);
        if motion.turn().is_some() && !motion.is_together() && motion.by() != DVec3::ZERO {
            let by = Motion::translation(motion.by()).ok();
            let turn = motion.turn();
            let turn = turn.and_then(|turn| Motion::rotation(turn.center, turn.axis, turn.degrees).ok());
            if let (Some(by), Some(turn)) = (by, turn) {
                (first, until, next) = (by, HALF, Some(turn));
            }
        }
        let segments = vec![Segment::new(start, first, 0.0, until)];
        Track { index, model: placed.model(), start, segments, next, rest: None }
    }

    /// The body lifted off what it touches at time 0, and its motions with it.
    pub(super) fn lifted(&self, lift: DVec3) -> Option<Track<'w>> {
        let placed = self.model.at(self.start).translated(lift)?;
        let mut track = Track {
            start: *placed.placement(),
            next: self.next.map(|next| next.moved(lift)),
            ..self.clone()
        };
        for segment in &mut track.segments {
            (segment.start, segment.motion) = (track.start, segment.motion.moved(lift));
        }
        Some(track)
    }

    pub(super) fn is_active(&self) -> bool {
        self.rest.is_none()
    }

    /// The time at which the body stopped; 1 while it moves.
    pub(super) fn stopped_at(&self) -> f64 {
        self.rest.map_or(1.0, |(time, _)| time)
    }

    fn active(&self) -> Option<&Segment> {
        self.segments.last().filter(|_| self.is_active())
    }

    /// The velocity of the translation that is being made; none of a body that stands still, turns or is going to turn.
    pub(super) fn straight_velocity(&self) -> Option<DVec3> {
        let segment = self.active().filter(|segment| self.next.is_none() && !turns(&segment.motion))?;
        Some(segment.velocity_at(DVec3::ZERO, segment.from))
    }

    /// The velocity of the body's point that is at `point` at a time.
    pub(super) fn velocity_at(&self, point: DVec3, time: f64) -> DVec3 {
        self.active().map_or(DVec3::ZERO, |segment| segment.velocity_at(point, time))
    }

    /// How much faster the body's point that is at `point` at a time can be at the end of the step, along any direction.
    pub(super) fn speed_up(&self, point: DVec3, time: f64) -> f64 {
        self.active().map_or(0.0, |segment| segment.acceleration_at(point, time) * (1.0 - time))
    }

    /// The body at a time; none where that is out of the range of placements.
    pub(super) fn at(&self, time: f64) -> Option<Placed<'w>> {
        let place = match self.rest {
            Some((since, place)) if time >= since => place,
            _ => match self.segments.iter().rfind(|segment| segment.from <= time) {
                Some(segment) => segment.placement_at(time)?,
                None => self.start,
            },
        };
        Some(self.model.at(place))
    }

    /// Stops the body at a place where it is at a time.
    pub(super) fn stop(&mut self, time: f64, place: Placement) {
        self.segments.retain(|segment| segment.from < time);
        // It may have ended before: what rests can be pushed, and stop again at once.
        if let Some(last) = self.segments.last_mut() {
            last.to = last.to.min(time);
        }
        (self.next, self.rest) = (None, Some((time, place)));
    }

    /// Ends the segment that is being made, and begins another.
    pub(super) fn go_on(&mut self, time: f64, place: Placement, motion: Motion) {
        self.segments.retain(|segment| segment.from < time);
        if let Some(last) = self.segments.last_mut() {
            last.to = last.to.min(time);
        }
        self.rest = None;
        self.segments.push(Segment::new(place, motion, time, 1.0));
    }

    /// The time at which another motion begins.
    pub(super) fn next_at(&self) -> Option<f64> {
        self.next.filter(|_| self.is_active()).map(|_| HALF)
    }

    /// Begins the turn that follows a translation; false where there is no place for it.
    pub(super) fn begin_next(&mut self) -> bool {
        let (Some(next), Some(placed)) = (self.next.take(), self.at(HALF)) else { return false };
        self.go_on(HALF, *placed.placement(), next);
        true
    }

    /// Where the body is at last.
    pub(super) fn end(&self) -> Option<Placed<'w>> {
        self.at(1.0)
    }

    /// The motion from a time to another; none where the body stands still.
    fn part(&self, times: [f64; 2]) -> Option<Option<Motion>> {
        self.active().map(|segment| segment.part(times))
    }

    fn window_end(&self) -> f64 {
        self.active().map_or(1.0, |segment| segment.until)
    }
}

/// Two bodies that meet.
#[derive(Clone)]
pub(super) struct Meeting {
    pub(super) time: f64,
    /// The contact, from the first of the two to the second; none where the two overlap.
    pub(super) hit: Option<SweepHit>,
    /// Whether the two overlap before anything has moved.
    pub(super) overlaps: bool,
    /// Whether the two touch, and one has to be lifted off before they can slide along each other.
    pub(super) slides: bool,
}

/// Two bodies in a window of time, in which each makes one motion: the moving one first.
pub(super) struct PairWindow<'w> {
    pub(super) placed: [Placed<'w>; 2],
    pub(super) motion: RelativeMotion,
    motions: [Motion; 2],
    /// Whether the moving one is the second of the two.
    pub(super) is_swapped: bool,
    times: [f64; 2],
}

/// The reason why two bodies have no window.
pub(super) enum NoWindow {
    /// Neither moves.
    Still,
    /// The sum of motions is out of range.
    OutOfRange,
}

impl<'w> PairWindow<'w> {
    /// Two bodies from a time on, as long as each makes one motion.
    pub(super) fn new([a, b]: [&Track<'w>; 2], from: f64) -> Result<PairWindow<'w>, NoWindow> {
        let times = [from, a.window_end().min(b.window_end())];
        let still = Motion::translation(DVec3::ZERO).expect("nothing is finite");
        let (of_a, of_b) = (a.part(times), b.part(times));
        // The one that moves is the first; of two, the one that turns, and else the lesser.
        let is_swapped = match (&of_a, &of_b) {
            (None, None) => return Err(NoWindow::Still),
            (None, Some(_)) => true,
            (Some(Some(of_a)), Some(Some(of_b))) => turns(of_b) && !turns(of_a),
            _ => false,
        };
        let [of_a, of_b] = [of_a, of_b].map(|motion| motion.unwrap_or(Some(still)));
        let (Some(of_a), Some(of_b), Some(at_a), Some(at_b)) = (of_a, of_b, a.at(from), b.at(from)) else {
            return Err(NoWindow::OutOfRange);
        };
        let (mut motions, mut placed) = ([of_a, of_b], [at_a, at_b]);
        if is_swapped {
            motions.swap(0, 1);
            placed.swap(0, 1);
        }
        let motion = RelativeMotion::new(&motions[0], &motions[1]).ok_or(NoWindow::OutOfRange)?;
        Ok(PairWindow { placed, motion, motions, is_swapped, times })
    }

    /// The meeting that a sweep found.
    fn meeting(&self, sweep: &Sweep) -> Option<Meeting> {
        if sweep.status == SweepStatus::Clear && sweep.lift.is_none() {
            return None;
        }
        let [from, to] = self.times;
        let slides = sweep.lift.is_some() || sweep.wedged;
        let time = if from <= 0.0 && to >= 1.0 {
            sweep.fraction
        } else {
            (from + (to - from) * sweep.fraction * (1.0 - 4.0 * f64::EPSILON)).max(from)
        };
        let hit = if self.is_swapped { sweep.hit.map(|hit| hit.swapped()) } else { sweep.hit };
        let overlaps = sweep.status == SweepStatus::StartedOverlapping;
        Some(Meeting { time: if slides { from } else { time }, hit, overlaps, slides })
    }
}

impl World {
    /// The options of sweeps in this world.
    pub(super) fn sweep_options(&self) -> SweepOptions {
        SweepOptions::new().margin(self.options.margin).skin(self.skin)
    }

    /// Two bodies that stand still, if they overlap.
    pub(super) fn overlap_at_rest(&self, tracks: [&Track<'_>; 2]) -> Option<Meeting> {
        let [Some(a), Some(b)] = tracks.map(|track| track.at(0.0)) else { return None };
        let meeting = Meeting { time: 0.0, hit: None, overlaps: true, slides: false };
        (!self.is_free_of(&a, &b)).then_some(meeting)
    }

    /// When two bodies meet, from a time on, as long as each makes one motion; with a separating axis, worth remembering.
    pub(super) fn meeting_of(
        &self,
        tracks: [&Track<'_>; 2],
        from: f64,
        statistics: &mut Statistics,
    ) -> (Option<Meeting>, Option<(Pair, DVec3)>) {
        let window = match PairWindow::new(tracks, from) {
            Err(NoWindow::Still) => return (None, None),
            Err(NoWindow::OutOfRange) => {
                return (Some(Meeting { time: from, hit: None, overlaps: false, slides: false }), None);
            }
            Ok(window) => window,
        };
        let pair = Pair::new(tracks[0].index, tracks[1].index);
        let (are_apart, divider) = self.are_apart(&window, pair, statistics);
        if are_apart {
            return (None, divider);
        }
        let mut sweep = None;
        statistics.record(FilterStage::Hard, || {
            let [moving, other] = &window.placed;
            sweep = Some(moving.sweep_along(&window.motion, other, self.sweep_options()));
            true
        });
        (sweep.and_then(|sweep| window.meeting(&sweep)), divider)
    }

    /// Whether filters show that two bodies stay apart in a window, and a separating axis.
    fn are_apart(
        &self,
        window: &PairWindow<'_>,
        pair: Pair,
        statistics: &mut Statistics,
    ) -> (bool, Option<(Pair, DVec3)>) {
        let PairWindow { placed: [moving, other], motion, motions, is_swapped, .. } = window;
        // Past a body that turns too, all of the ways count; past another, the relative motion.
        let (travels, size) = if motion.is_past_turn() {
            let travels = [Travel::new(*moving, &motions[0]), Travel::new(*other, &motions[1])];
            let size = travels[0].size(&motions[0]) + travels[1].size(&motions[1]);
            (travels, size)
        } else {
            let travels = [Travel::new(*moving, motion.relative()), Travel::resting(*other)];
            let size = travels[0].size(motion.relative()) + travels[1].size(motion.relative());
            (travels, size)
        };
        // What is nearer than the expel zone of the sweep may be stopped by it: filters must not say that it is apart.
        let margin = self.options.margin.max(2.0 * self.skin).max(ZONE * size);
        if !travels[0].bounds.overlaps(&grown(travels[1].bounds, margin)) {
            statistics.left_out(1);
            return (true, None);
        }
        // It is remembered from the lesser to the greater.
        let sign = if *is_swapped { -1.0 } else { 1.0 };
        let remembered = self.dividers.get(&pair).map(|divider| *divider * sign);
        let decision =
            decide(&self.options.chain, [&travels[0], &travels[1]], margin, remembered, statistics);
        (decision.are_apart, decision.divider.map(|divider| (pair, divider * sign)))
    }
}
