//! Bodies that move at once: what meets first stops or slides first, and the rest goes on.
//!
//! `docs/math/simultaneous.md` says why no two bodies interpenetrate at any time.

mod lifts;
mod pushes;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::crush::Crushed;
use super::filter::Statistics;
use super::moves::{Hit, Move, tidied};
use super::planes::{self, Plane, along};
use super::track::{HALF, Meeting, Outlook, Track};
use super::{CrushRule, Handle, Kind, StepOptions, World};
use crate::query::{SweepHit, SweepStatus};
use impinge_core::math::DVec3;
use impinge_core::transform::{Motion, Placement};
use pushes::MOST_PUSHES;

/// Bodies of which none comes near the way of one outside of the group.
pub(super) struct Group<'w> {
    world: &'w World,
    /// The bodies, those that are to move and others, in order.
    tracks: Vec<Track<'w>>,
    bodies: Vec<BodyState>,
    pairs: Vec<PairState>,
    /// For each body, the pairs that it is one of.
    pairs_of: Vec<Vec<usize>>,
    queue: BinaryHeap<Reverse<(u64, usize, u32)>>,
    /// The times at which bodies stopped and were found free.
    proven: Vec<f64>,
    /// How often planes may deflect a body.
    planes: usize,
    crush: CrushRule,
    pub(super) statistics: Statistics,
}

/// What happened to a body.
#[derive(Clone, Default)]
struct BodyState {
    /// The number of the move, of a body that is to move.
    number: Option<usize>,
    hits: Vec<Hit>,
    overlaps: bool,
    is_stopped: bool,
    /// How far the body was lifted at time 0.
    lift: Option<DVec3>,
    /// Whether it was lifted at any time.
    is_lifted: bool,
    wedged: bool,
    /// The planes that deflected the body: each with its normal, and how fast the body may go along that.
    planes: Vec<Plane>,
    /// How often they did: what is met at once deflects once.
    deflections: usize,
    /// The velocity that the body had at first.
    velocity: DVec3,
    /// How long the way of a body that is pushed may be at most.
    reach: f64,
    /// Whether the body was pushed, and pushes others in turn.
    is_pushed: bool,
}

/// Two bodies that may meet.
struct PairState {
    /// Their places in the group, in order.
    bodies: [usize; 2],
    meeting: Option<Meeting>,
    /// How often the meeting was worked out.
    version: u32,
    /// Whether the two overlap from the start: they are not held apart.
    overlaps: bool,
    /// Whether the two are known to be free of each other at the start, without a test.
    are_known_free: bool,
    /// Whether the two are proven to be free of each other at the end, if neither does anything else.
    is_proven: bool,
    /// Whether filters show the two to stay apart, if neither does anything else: no test can find otherwise.
    is_apart: bool,
    /// Since when the one, which is kinematic, crushes the other.
    crushed_at: Option<f64>,
}

/// A body that is stopped or deflected by another.
struct Stopping {
    hit: Hit,
    plane: Option<Plane>,
    /// The body that pushes this one, and the contact as that has it.
    pusher: Option<(usize, Hit)>,
}

/// Less than this part of the speed at which two bodies come nearer is no contribution to it.
const LEAST_SHARE: f64 = 1e-9;

/// The outcome of a group: the moves, by their numbers.
#[derive(Default)]
pub(super) struct Solution {
    pub(super) moves: Vec<(usize, Move)>,
    pub(super) crushed: Vec<Crushed>,
    pub(super) statistics: Statistics,
}

impl<'w> Group<'w> {
    /// The group of some bodies, in order, with the numbers of the moves, and of pairs of them by their places, with when they meet if nothing else
    /// happens.
    pub(super) fn new(
        world: &'w World,
        tracks: Vec<Track<'w>>,
        numbers: Vec<Option<usize>>,
        pairs: &[([usize; 2], Outlook)],
        options: &StepOptions,
        reaches: Vec<f64>,
    ) -> Group<'w> {
        let mut pairs_of = vec![Vec::new(); tracks.len()];
        for (i, ([a, b], _)) in pairs.iter().enumerate() {
            pairs_of[*a].push(i);
            pairs_of[*b].push(i);
        }
        let bodies = numbers.into_iter().zip(&tracks).zip(reaches).map(|((number, track), reach)| {
            let velocity = track.straight_velocity().unwrap_or(DVec3::ZERO);
            // Its own way, and how far it may be pushed: the box around it is as large.
            let reach = if reach > 0.0 { reach + velocity.length() } else { 0.0 };
            BodyState { number, reach, velocity, ..BodyState::default() }
        });
        let pair = |(bodies, outlook): &([usize; 2], Outlook)| {
            let Outlook { meeting, is_proven, is_apart } = outlook.clone();
            let overlaps = meeting.as_ref().is_some_and(|meeting| meeting.overlaps);
            let are_known_free = world.are_known_free(bodies.map(|body| tracks[body].index));
            PairState {
                bodies: *bodies,
                meeting,
                version: 0,
                overlaps,
                are_known_free,
                is_proven,
                is_apart,
                crushed_at: None,
            }
        };
        let pairs: Vec<PairState> = pairs.iter().map(pair).collect();
        Group {
            world,
            bodies: bodies.collect(),
            tracks,
            pairs,
            pairs_of,
            queue: BinaryHeap::new(),
            proven: Vec::new(),
            planes: options.planes,
            crush: options.crush,
            statistics: Statistics::with_clock(world.statistics.clock()),
        }
    }

    /// Moves all bodies from time 0 to time 1.
    pub(super) fn run(mut self) -> Solution {
        self.keep_overlapping();
        self.begin();
        if self.play() {
            self.finish();
        }
        self.solution()
    }

    /// Settles time 0: what is pressed together stops or is deflected, and then what slides is lifted off.
    fn begin(&mut self) {
        loop {
            let is_pressed = |pair: &usize| {
                let meeting = self.pairs[*pair].meeting.as_ref();
                meeting.is_some_and(|meeting| meeting.time <= 0.0 && !meeting.slides)
            };
            let pressed: Vec<usize> = (0..self.pairs.len()).filter(is_pressed).collect();
            if !pressed.is_empty() {
                self.collide(0.0, &pressed);
            } else if !self.lift_all() {
                break;
            }
        }
        for pair in 0..self.pairs.len() {
            self.enqueue(pair);
        }
    }

    /// Bodies that overlap others stay where they are, unless the one is to crush the other.
    fn keep_overlapping(&mut self) {
        self.crush_overlapping();
        let mut kept = Vec::new();
        for pair in self.pairs.iter().filter(|pair| pair.overlaps && pair.crushed_at.is_none()) {
            for (own, other) in [(pair.bodies[0], pair.bodies[1]), (pair.bodies[1], pair.bodies[0])] {
                let hit = Hit { other: self.handle(other), hit: None };
                let body = &mut self.bodies[own];
                (body.overlaps, body.is_stopped) = (true, true);
                body.hits.push(hit);
                kept.push(own);
            }
        }
        self.halt(kept, 0.0);
    }

    /// Stops bodies at a time where they are, and looks anew at all that they may meet.
    fn halt(&mut self, bodies: Vec<usize>, time: f64) {
        let mut changed = Vec::new();
        for body in bodies {
            if self.tracks[body].is_active()
                && let Some(placed) = self.tracks[body].at(time)
            {
                self.tracks[body].stop(time, *placed.placement());
                changed.push(body);
            }
        }
        self.look_again(&changed, time);
    }

    fn handle(&self, body: usize) -> Handle {
        self.world.bodies.handle(self.tracks[body].index)
    }

    fn other(&self, pair: usize, body: usize) -> usize {
        let [a, b] = self.pairs[pair].bodies;
        if a == body { b } else { a }
    }

    fn both(&self, pair: usize) -> [&Track<'w>; 2] {
        self.pairs[pair].bodies.map(|body| &self.tracks[body])
    }

    /// Works out when the pairs of some bodies meet, which do something else from a time on.
    fn look_again(&mut self, changed: &[usize], time: f64) {
        let mut pairs: Vec<usize> =
            changed.iter().flat_map(|body| self.pairs_of[*body].iter().copied()).collect();
        pairs.sort_unstable();
        pairs.dedup();
        for pair in pairs {
            if self.pairs[pair].is_let_through() {
                self.pairs[pair].meeting = None;
                continue;
            }
            let mut statistics = Statistics::with_clock(self.statistics.clock());
            // Whatever moves is free until now: a lift alone is not followed on its way.
            let are_known_free = self.pairs[pair].are_known_free && self.are_where_they_were(pair);
            let Outlook { meeting, is_proven, is_apart } =
                self.world.meeting_of(self.both(pair), time, are_known_free, &mut statistics);
            self.statistics.add(&statistics);
            (self.pairs[pair].is_proven, self.pairs[pair].is_apart) = (is_proven, is_apart);
            self.pairs[pair].meeting = meeting;
            self.pairs[pair].version += 1;
            if time > 0.0 {
                self.enqueue(pair);
            }
        }
    }

    /// Whether neither body of a pair was lifted.
    fn are_where_they_were(&self, pair: usize) -> bool {
        self.pairs[pair].bodies.iter().all(|body| !self.bodies[*body].is_lifted)
    }

    fn enqueue(&mut self, pair: usize) {
        let PairState { meeting, version, .. } = &self.pairs[pair];
        if let Some(meeting) = meeting {
            // Times are not negative, so that their bits are in the same order.
            self.queue.push(Reverse((meeting.time.to_bits(), pair, *version)));
        }
    }

    fn slides(&self, body: usize) -> bool {
        let slides = |pair: &usize| self.pairs[*pair].meeting.as_ref().is_some_and(|meeting| meeting.slides);
        self.tracks[body].is_active() && self.pairs_of[body].iter().any(slides)
    }

    /// A contact as one of the bodies of a pair has it.
    fn oriented(&self, pair: usize, body: usize, hit: Option<SweepHit>) -> Option<SweepHit> {
        if self.pairs[pair].bodies[0] == body { hit } else { hit.map(|hit| hit.swapped()) }
    }

    /// Lets contacts happen in the order of time. False where the group had to go back.
    fn play(&mut self) -> bool {
        let mut turn_at = self.tracks.iter().filter_map(Track::next_at).next();
        loop {
            let mut set = Vec::new();
            let mut at = None;
            while let Some(&Reverse((bits, pair, version))) = self.queue.peek() {
                if self.pairs[pair].version != version || self.pairs[pair].meeting.is_none() {
                    self.queue.pop();
                    continue;
                }
                let time = f64::from_bits(bits);
                if at.is_some_and(|at| at != time)
                    || (at.is_none() && turn_at.is_some_and(|turn| time > turn))
                {
                    break;
                }
                at = Some(time);
                self.queue.pop();
                set.push(pair);
            }
            match at {
                Some(time) => {
                    set.sort_unstable();
                    if !self.collide(time, &set) {
                        return false;
                    }
                }
                None if turn_at.take().is_some() => {
                    let turning: Vec<usize> = (0..self.tracks.len())
                        .filter(|body| self.tracks[*body].next_at().is_some())
                        .collect();
                    for &body in &turning {
                        if !self.tracks[body].begin_next() {
                            self.fall_back(None);
                            return false;
                        }
                    }
                    self.look_again(&turning, HALF);
                }
                None => return true,
            }
        }
    }

    fn kind(&self, body: usize) -> Kind {
        self.world.body(self.tracks[body].index).kind()
    }

    /// What stops or deflects each body of a pair: a body contributes that comes nearer to the other itself.
    fn stopped_by(&self, pair: usize, meeting: &Meeting, time: f64) -> [Option<Stopping>; 2] {
        let bodies = self.pairs[pair].bodies;
        let tracks = self.both(pair);
        let hits = [0, 1].map(|side| Hit {
            other: self.handle(bodies[1 - side]),
            hit: self.oriented(pair, bodies[side], meeting.hit),
        });
        let Some(hit) = meeting.hit.filter(|_| !meeting.slides) else {
            return [0, 1].map(|side| {
                tracks[side].is_active().then(|| Stopping { hit: hits[side], plane: None, pusher: None })
            });
        };
        let closing = [
            tracks[0].velocity_at(hit.point_on_moving, time).dot(hit.normal),
            -tracks[1].velocity_at(hit.point_on_stationary, time).dot(hit.normal),
        ];
        let least = LEAST_SHARE * closing.iter().map(|speed| speed.max(0.0)).sum::<f64>();
        let mut contributes = closing.map(|speed| speed > least);
        if !(0..2).any(|side| contributes[side] && tracks[side].is_active()) {
            contributes = [true; 2];
        }
        let normals = [hit.normal, -hit.normal];
        if let Some(side) =
            (0..2).find(|side| contributes[*side] && self.pushes(bodies[*side], bodies[1 - *side]))
        {
            // The other gives way, as fast as this one comes and will come: a door that turns comes faster.
            let point = [hit.point_on_moving, hit.point_on_stationary][side];
            let speed = closing[side] + tracks[side].speed_up(point, time);
            let plane = Some(Plane { normal: normals[1 - side], limit: -speed });
            let stopping = Stopping { hit: hits[1 - side], plane, pusher: Some((bodies[side], hits[side])) };
            return if side == 0 { [None, Some(stopping)] } else { [Some(stopping), None] };
        }
        [0, 1].map(|side| {
            // As fast as the other gives way.
            let limit = if contributes[1 - side] { 0.0 } else { (-closing[1 - side]).max(0.0) };
            let plane = Some(Plane { normal: normals[side], limit });
            let stopping = Stopping { hit: hits[side], plane, pusher: None };
            (contributes[side] && tracks[side].is_active()).then_some(stopping)
        })
    }

    /// Stops or deflects what meets at a time. False where the exact test finds a place taken: then the group went back.
    fn collide(&mut self, time: f64, set: &[usize]) -> bool {
        let mut stopping: BTreeMap<usize, Vec<Stopping>> = BTreeMap::new();
        for &pair in set {
            let Some(meeting) = self.pairs[pair].meeting.take() else { continue };
            let stops = self.stopped_by(pair, &meeting, time);
            for (body, stop) in self.pairs[pair].bodies.into_iter().zip(stops) {
                if let Some(stop) = stop {
                    stopping.entry(body).or_default().push(stop);
                }
            }
        }
        let mut places: Vec<(usize, Placement)> = Vec::new();
        for &body in stopping.keys() {
            let placed = self.tracks[body].at(time);
            let Some(placed) = placed.filter(|_| time > 0.0).or_else(|| self.tracks[body].at(0.0)) else {
                self.fall_back(None);
                return false;
            };
            places.push((body, *placed.placement()));
            let is_taken = |pair: &&usize| !self.pairs[**pair].is_apart && !self.is_free_at(**pair, time);
            let taken = self.pairs_of[body].iter().filter(|_| time > 0.0).find(is_taken);
            if let Some(&pair) = taken {
                self.fall_back(Some(pair));
                return false;
            }
        }
        if self.proven.last() != Some(&time) {
            self.proven.push(time);
        }
        // By the velocities that they have had until now.
        let mut changed = Vec::new();
        let mut deflections: Vec<Option<Motion>> =
            stopping.iter().map(|(body, stops)| self.deflection(*body, stops, time)).collect();
        self.settle_pushes(time, &mut stopping, &mut places, &mut deflections);
        let ordered: BTreeMap<usize, (Placement, Option<Motion>)> = places
            .into_iter()
            .zip(deflections)
            .map(|((body, place), motion)| (body, (place, motion)))
            .collect();
        for ((body, stops), (_, (place, deflection))) in stopping.into_iter().zip(ordered) {
            let state = &mut self.bodies[body];
            state.is_pushed |= deflection.is_some() && stops.iter().any(|stop| stop.pusher.is_some());
            state.deflections += usize::from(deflection.is_some());
            let new = stops.iter().filter_map(|stop| stop.plane);
            new.for_each(|plane| planes::add(&mut state.planes, plane));
            for stop in stops {
                if state.hits.iter().all(|known| known.other != stop.hit.other) {
                    state.hits.push(stop.hit);
                }
            }
            match deflection {
                Some(motion) => self.tracks[body].go_on(time, place, motion),
                None => {
                    state.is_stopped = true;
                    self.tracks[body].stop(time, place);
                }
            }
            changed.push(body);
        }
        self.look_again(&changed, time);
        if time > 0.0 {
            self.lift_pushed(&changed, time);
        }
        true
    }

    /// The motion of a body that slides along what it has met; none where it stops.
    fn deflection(&self, body: usize, stops: &[Stopping], time: f64) -> Option<Motion> {
        let state = &self.bodies[body];
        let is_pushed = stops.iter().any(|stop| stop.pusher.is_some());
        let most = if is_pushed { self.planes.max(MOST_PUSHES) } else { self.planes };
        // Kinematic bodies do not leave the way that they are told, unless they are pushed.
        let is_told = self.kind(body) == Kind::Kinematic && !is_pushed;
        if is_told || state.overlaps || state.deflections >= most || time >= 1.0 {
            return None;
        }
        let velocity = match self.tracks[body].straight_velocity() {
            None if is_pushed && !self.tracks[body].is_active() => DVec3::ZERO,
            velocity => velocity?,
        };
        let new: Option<Vec<Plane>> = stops.iter().map(|stop| stop.plane).collect();
        let planes: Vec<Plane> = state.planes.iter().copied().chain(new?).collect();
        let along = along(&planes, velocity)?;
        if is_pushed {
            let motion = Motion::translation(along * (1.0 - time)).ok()?;
            let made = self.tracks[body].length_until(time);
            return (made + motion.by().length() <= state.reach).then_some(motion);
        }
        if along.dot(state.velocity) <= 0.0
            || along.length_squared() <= 1e-18 * state.velocity.length_squared()
        {
            return None;
        }
        Motion::translation(along * (1.0 - time)).ok()
    }

    /// Whether the two bodies of a pair are free of each other at a time, by the exact test.
    fn is_free_at(&self, pair: usize, time: f64) -> bool {
        let PairState { overlaps, crushed_at, .. } = self.pairs[pair];
        if overlaps || crushed_at.is_some_and(|since| time >= since) {
            return true;
        }
        let [a, b] = self.both(pair);
        match [a.at_for(b, time), b.at_for(a, time)] {
            [Some(a), Some(b)] => {
                // Whatever comes to be inside of something goes through its surface.
                let is_clear = self.pairs[pair].are_known_free
                    && self.are_where_they_were(pair)
                    && self.world.are_surfaces_apart(&a, &b);
                is_clear || self.world.is_free_of(&a, &b)
            }
            _ => false,
        }
    }

    /// Takes the whole group back to the last time at which all its bodies are free of each other.
    #[cold]
    fn fall_back(&mut self, taken: Option<usize>) {
        let mut time = 0.0;
        while let Some(last) = self.proven.pop() {
            if (0..self.pairs.len()).all(|pair| self.is_free_at(pair, last)) {
                time = last;
                break;
            }
        }
        for body in 0..self.tracks.len() {
            if self.tracks[body].is_active() || self.tracks[body].stopped_at() > time {
                let place = self.tracks[body].at(time).map(|placed| *placed.placement());
                let place = place.unwrap_or_else(|| *self.world.body(self.tracks[body].index).placement());
                self.tracks[body].stop(time, place);
                self.bodies[body].is_stopped = true;
            }
        }
        for pair in &mut self.pairs {
            pair.crushed_at = pair.crushed_at.filter(|since| *since <= time);
        }
        if let Some(pair) = taken {
            let [a, b] = self.pairs[pair].bodies;
            for (own, other) in [(a, b), (b, a)] {
                let other = self.handle(other);
                if self.bodies[own].hits.iter().all(|known| known.other != other) {
                    self.bodies[own].hits.push(Hit { other, hit: None });
                }
            }
        }
    }

    /// Proves the end of the step, and lets all bodies rest there.
    fn finish(&mut self) {
        for pair in 0..self.pairs.len() {
            let is_moving = self.both(pair).iter().any(|track| track.is_active());
            if is_moving && !self.pairs[pair].is_proven && !self.is_free_at(pair, 1.0) {
                return self.fall_back(Some(pair));
            }
        }
        for body in 0..self.tracks.len() {
            let track = &self.tracks[body];
            if !track.is_active() {
                continue;
            }
            let Some(placed) = track.end() else { return self.fall_back(None) };
            self.tracks[body].stop(1.0, *placed.placement());
        }
    }

    /// The moves that were made.
    fn solution(mut self) -> Solution {
        let mut moves = Vec::new();
        for body in 0..self.tracks.len() {
            let Some(number) = self.bodies[body].number else { continue };
            let track = &self.tracks[body];
            let before = *self.world.body(track.index).placement();
            let place = track.end().map_or(before, |placed| *placed.placement());
            let is_free = |place: &Placement| {
                self.pairs_of[body].iter().all(|&pair| {
                    let other = &self.tracks[self.other(pair, body)];
                    let placed = track.model_for(other).at(*place);
                    self.pairs[pair].is_let_through()
                        || other
                            .at_for(track, 1.0)
                            .is_some_and(|other| self.world.is_free_of(&placed, &other))
                })
            };
            let placement = tidied(&before, place, is_free);
            let time = track.stopped_at();
            if placement != place {
                self.tracks[body].stop(time, placement);
            }
            let state = &mut self.bodies[body];
            let status = if state.overlaps {
                SweepStatus::StartedOverlapping
            } else if state.is_stopped || !state.hits.is_empty() {
                SweepStatus::Hit
            } else {
                SweepStatus::Clear
            };
            state.hits.sort_by_key(|hit| hit.other);
            let made = Move {
                handle: self.world.bodies.handle(self.tracks[body].index),
                status,
                fraction: if status == SweepStatus::Clear { 1.0 } else { time },
                placement,
                hits: std::mem::take(&mut self.bodies[body].hits),
                lift: self.bodies[body].lift,
                wedged: self.bodies[body].wedged,
                segments: std::mem::take(&mut self.tracks[body].segments),
            };
            moves.push((number, made));
        }
        Solution { moves, crushed: self.crushed(), statistics: self.statistics }
    }
}
