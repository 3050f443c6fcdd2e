//! Tracks: where the bodies of a step are at each time of it, and when two of them meet.

use super::filter::{FilterStage, Statistics, Ways, decide};
use super::moves::ZONE;
use super::segment::Segment;
use super::travel::Travel;
use super::{Body, World};
use crate::broad_phase::Pair;
use crate::mesh::MaterialSet;
use crate::model::{Model, Placed};
use crate::query::{Known, RelativeMotion, Sweep, SweepHit, SweepOptions, SweepStatus, turns};
use impinge_core::bounds::Aabb;
use impinge_core::math::DVec3;
use impinge_core::transform::{Motion, Placement};

/// The way of one body in a step, as far as it is known.
#[derive(Clone)]
pub(super) struct Track<'w> {
    pub(super) index: u32,
    model: &'w Model,
    /// The materials whose faces, of others, are not there for the body.
    ignored: MaterialSet,
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
    pub(super) fn resting(index: u32, body: &'w Body) -> Track<'w> {
        let start = *body.placement();
        Track {
            index,
            model: body.model(),
            ignored: body.ignored_materials(),
            start,
            segments: Vec::new(),
            next: None,
            rest: Some((0.0, start)),
        }
    }

    /// A body that is to move.
    pub(super) fn moving(index: u32, body: &'w Body, motion: &Motion) -> Track<'w> {
        let still = Track::resting(index, body);
        let start = still.start;
        let is_moving = |motion: &Motion| motion.by() != DVec3::ZERO || turns(motion);
        if !is_moving(motion) {
            return still;
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
        Track { segments, next, rest: None, ..still }
    }

    /// The body lifted off what it touches at a time, and the motions from then on with it.
    pub(super) fn lifted(&self, lift: DVec3, time: f64) -> Option<Track<'w>> {
        let mut track = self.clone();
        track.next = self.next.map(|next| next.moved(lift));
        if time <= 0.0 {
            track.start = *self.model.at(self.start).translated(lift)?.placement();
        }
        // What began before cannot be lifted any more.
        if track.segments.last().is_none_or(|last| last.from < time) {
            return None;
        }
        for segment in track.segments.iter_mut().filter(|segment| segment.from >= time) {
            segment.start = *self.model.at(segment.start).translated(lift)?.placement();
            segment.motion = segment.motion.moved(lift);
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

    /// The model as another body finds it: without the faces that the other ignores.
    #[inline]
    pub(super) fn model_for(&self, other: &Track<'_>) -> &'w Model {
        self.model.without_materials(other.ignored).unwrap_or(self.model)
    }

    /// The body at a time as another finds it; none where that is out of the range of placements.
    pub(super) fn at_for(&self, other: &Track<'_>, time: f64) -> Option<Placed<'w>> {
        Some(self.model_for(other).at(*self.at(time)?.placement()))
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

    /// How far translations have brought the body until a time.
    pub(super) fn length_until(&self, time: f64) -> f64 {
        self.segments.iter().map(|segment| segment.length_until(time)).sum()
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

/// What two bodies do if nothing else happens.
#[derive(Clone)]
pub(super) struct Outlook {
    pub(super) meeting: Option<Meeting>,
    /// Whether the two do not meet, and are free of each other where they are at the end, by the exact test or because filters show them to be apart.
    pub(super) is_proven: bool,
    /// Whether filters show the two to stay apart, by far more than rounding.
    pub(super) is_apart: bool,
    /// Whether the two are known not to touch where they begin.
    pub(super) begins_apart: bool,
}

impl Outlook {
    /// The two are free of each other at the end.
    pub(super) const PROVEN: Outlook =
        Outlook { meeting: None, is_proven: true, is_apart: false, begins_apart: false };
    /// Filters show the two to stay apart.
    pub(super) const APART: Outlook =
        Outlook { meeting: None, is_proven: true, is_apart: true, begins_apart: true };
}

/// Two bodies in a window of time, in which each makes one motion: the moving one first.
pub(super) struct PairWindow<'w> {
    pub(super) placed: [Placed<'w>; 2],
    pub(super) motion: RelativeMotion,
    motions: [Motion; 2],
    /// Whether the moving one is the second of the two.
    pub(super) is_swapped: bool,
    times: [f64; 2],
    /// Whether the motions are the whole of what both are to do.
    is_whole: bool,
}

/// The answer of all filters about a pair.
pub(super) struct FilterAnswer {
    /// How far the two stay apart; none where they may come near each other.
    pub(super) gap: Option<f64>,
    /// A separating axis, from the lesser to the greater.
    pub(super) divider: Option<(Pair, DVec3)>,
    /// A box around the way of the one without faces of the other.
    pub(super) clearing: Option<Aabb>,
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
        let (Some(of_a), Some(of_b), Some(at_a), Some(at_b)) =
            (of_a, of_b, a.at_for(b, from), b.at_for(a, from))
        else {
            return Err(NoWindow::OutOfRange);
        };
        let (mut motions, mut placed) = ([of_a, of_b], [at_a, at_b]);
        if is_swapped {
            motions.swap(0, 1);
            placed.swap(0, 1);
        }
        let motion = RelativeMotion::new(&motions[0], &motions[1]).ok_or(NoWindow::OutOfRange)?;
        let is_whole =
            from <= 0.0 && [a, b].iter().all(|track| track.next.is_none() && track.segments.len() <= 1);
        Ok(PairWindow { placed, motion, motions, is_swapped, times, is_whole })
    }

    /// The indices of the two, the moving one first.
    fn pair(&self, tracks: [&Track<'_>; 2]) -> [u32; 2] {
        let [a, b] = tracks.map(|track| track.index);
        if self.is_swapped { [b, a] } else { [a, b] }
    }

    /// The meeting that a sweep found.
    fn meeting(&self, sweep: &Sweep) -> Option<Meeting> {
        if sweep.status == SweepStatus::Clear && sweep.lift.is_none() {
            return None;
        }
        let [from, to] = self.times;
        let slides = sweep.lift.is_some() || sweep.wedged;
        // Where rounding decides where the two are, they are where the window begins.
        let time = if slides || self.way() * sweep.fraction <= sweep.rounding {
            from
        } else if from <= 0.0 && to >= 1.0 {
            sweep.fraction
        } else {
            (from + (to - from) * sweep.fraction * (1.0 - 4.0 * f64::EPSILON)).max(from)
        };
        let hit = if self.is_swapped { sweep.hit.map(|hit| hit.swapped()) } else { sweep.hit };
        let overlaps = sweep.status == SweepStatus::StartedOverlapping;
        Some(Meeting { time, hit, overlaps, slides })
    }

    /// No point of the two goes a longer way in the window.
    fn way(&self) -> f64 {
        let way = |(placed, motion): (&Placed<'_>, &Motion)| {
            let turning = motion.turn().map_or(0.0, |turn| {
                let (center, radius) = placed.sphere_in_world();
                turn.degrees.abs().to_radians() * (center.distance(turn.center) + radius)
            });
            motion.by().length() + turning
        };
        self.placed.iter().zip(&self.motions).map(way).fold(0.0, f64::max)
    }
}

impl World {
    /// The options of sweeps in this world.
    pub(super) fn sweep_options(&self) -> SweepOptions {
        SweepOptions::new().margin(self.options.margin).skin(self.skin)
    }

    /// Two bodies that stand still, if they overlap.
    pub(super) fn overlap_at_rest(&self, [a, b]: [&Track<'_>; 2]) -> Option<Meeting> {
        let [Some(a), Some(b)] = [a.at_for(b, 0.0), b.at_for(a, 0.0)] else { return None };
        let meeting = Meeting { time: 0.0, hit: None, overlaps: true, slides: false };
        (!self.is_free_of(&a, &b)).then_some(meeting)
    }

    /// When two bodies meet, from a time on, as long as each makes one motion, with what is known of where they are at that time.
    pub(super) fn meeting_of(
        &self,
        tracks: [&Track<'_>; 2],
        from: f64,
        known: Known,
        statistics: &mut Statistics,
    ) -> Outlook {
        let window = match PairWindow::new(tracks, from) {
            Err(NoWindow::Still) => return Outlook::PROVEN,
            Err(NoWindow::OutOfRange) => {
                let meeting = Some(Meeting { time: from, hit: None, overlaps: false, slides: false });
                return Outlook { meeting, is_proven: false, is_apart: false, begins_apart: false };
            }
            Ok(window) => window,
        };
        let travels = [0, 1].map(|side| Travel::new(window.placed[side], &window.motions[side]));
        let sizes = [0, 1].map(|side| travels[side].size(&window.motions[side]));
        let pair = window.pair(tracks);
        let placed = window.placed.each_ref();
        let FilterAnswer { gap, .. } =
            self.gap(pair, travels.each_ref(), sizes, placed, known.are_free, None, statistics);
        if gap.is_some() {
            return Outlook::APART;
        }
        self.swept(&window, known, statistics)
    }

    /// When two bodies meet in a window, by a sweep.
    pub(super) fn swept(
        &self,
        window: &PairWindow<'_>,
        known: Known,
        statistics: &mut Statistics,
    ) -> Outlook {
        let mut found = None;
        statistics.record(FilterStage::Hard, || {
            let [moving, other] = &window.placed;
            let (sweep, begins_apart) =
                moving.sweep_along(&window.motion, other, self.sweep_options(), known);
            found = Some((window.meeting(&sweep), begins_apart));
            true
        });
        let (meeting, begins_apart) = found.expect("it was swept");
        // The sweep has tested where the two are at the end, if that is where their motions end.
        let is_proven = meeting.is_none() && window.is_whole;
        Outlook { meeting, is_proven, is_apart: false, begins_apart }
    }

    /// How far filters show that two bodies stay apart, and what is worth remembering. The pair is in the order of the bodies.
    #[expect(clippy::too_many_arguments, reason = "all that filters are told")]
    pub(super) fn gap(
        &self,
        [first, second]: [u32; 2],
        travels: [&Travel; 2],
        sizes: [f64; 2],
        placed: [&Placed<'_>; 2],
        are_known_free: bool,
        clearing: Option<Aabb>,
        statistics: &mut Statistics,
    ) -> FilterAnswer {
        // What is nearer than the expel zone of the sweep may be stopped by it: filters must not say that it is apart.
        let margin = self.options.margin.max(2.0 * self.skin).max(ZONE * (sizes[0] + sizes[1]));
        let gap = gap_between(&travels[0].bounds, &travels[1].bounds);
        if gap > margin {
            statistics.left_out(1);
            return FilterAnswer { gap: Some(gap), divider: None, clearing };
        }
        // Bodies that part where the last sweep has stopped them are outside of the zone, and nothing nearer matters.
        let margin = self.zone(travels, placed).map_or(margin, |zone| zone.min(margin));
        let pair = Pair::new(first, second);
        // It is remembered from the lesser to the greater.
        let sign = if first < second { 1.0 } else { -1.0 };
        let remembered = || self.dividers.get(&pair).map(|divider| *divider * sign);
        let ways = Ways { travels, placed, margin, are_known_free, clearing };
        let decision = decide(&self.options.chain, ways, remembered, statistics);
        FilterAnswer {
            gap: decision.gap,
            divider: decision.divider.map(|divider| (pair, divider * sign)),
            clearing: decision.clearing,
        }
    }

    /// Whether two bodies are known to be free of each other where they are now: neither was put anywhere unseen.
    pub(super) fn are_known_free(&self, [a, b]: [u32; 2]) -> bool {
        !self.unseen.contains(a) && !self.unseen.contains(b)
    }
}

/// How far two boxes are apart along the axis along which they are farthest apart; negative where they overlap.
pub(super) fn gap_between(a: &Aabb, b: &Aabb) -> f64 {
    (b.min - a.max).max(a.min - b.max).max_element()
}
