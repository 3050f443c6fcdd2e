//! Lifts: bodies that touch others at the start and slide along them are lifted off, with all that they come upon.

use std::collections::BTreeMap;

use super::Group;
use crate::query::{Scratch, StartContacts};
use crate::world::Kind;
use crate::world::filter::Statistics;
use crate::world::moves::Hit;
use crate::world::track::{Outlook, PairWindow, Track};
use impinge_core::math::DVec3;

/// Bodies that are lifted together, and when they meet others then.
struct Lifted<'w> {
    lift: DVec3,
    tracks: Vec<(usize, Track<'w>)>,
    meetings: Vec<(usize, Outlook)>,
}

/// More bodies than this are not lifted together.
const MOST_LIFTED: usize = 64;

impl<'w> Group<'w> {
    /// Lifts bodies off what they touch and slide along, in the order of their handles; those that no lift frees stay. Says whether there were any.
    pub(super) fn lift_all(&mut self) -> bool {
        let mut is_any = false;
        // Kinematic bodies last: they are where they are told to be.
        for is_kinematic in [false, true] {
            // What is between two others is free only after one of those is: a stack is lifted from its end on, whatever the handles are.
            for _ in 0..self.tracks.len() {
                let mut is_lifted = false;
                for body in 0..self.tracks.len() {
                    if self.slides(body) && (self.kind(body) == Kind::Kinematic) == is_kinematic {
                        is_any = true;
                        is_lifted |= self.lift(body, 0.0);
                    }
                }
                if !is_lifted {
                    break;
                }
            }
        }
        loop {
            let wedged: Vec<usize> = (0..self.tracks.len()).filter(|body| self.slides(*body)).collect();
            if wedged.is_empty() {
                return is_any;
            }
            for &body in &wedged {
                let hits: Vec<Hit> = self.pairs_of[body]
                    .iter()
                    .filter_map(|pair| {
                        let meeting = self.pairs[*pair].meeting.as_ref().filter(|meeting| meeting.slides)?;
                        let hit = self.oriented(*pair, body, meeting.hit);
                        Some(Hit { other: self.handle(self.other(*pair, body)), hit })
                    })
                    .collect();
                let state = &mut self.bodies[body];
                (state.wedged, state.is_stopped, state.hits) = (true, true, hits);
            }
            self.halt(wedged, 0.0);
        }
    }

    /// Lifts a body by what leads away from all that it touches and is free; of several such lifts, by the one with which it gets on farthest. Says whether there is
    /// one.
    pub(super) fn lift(&mut self, body: usize, time: f64) -> bool {
        let mut scratch = Scratch::default();
        let mut touched = Vec::new();
        for &pair in &self.pairs_of[body] {
            let Ok(window) = PairWindow::new(self.both(pair), time) else { continue };
            let [moving, other] = &window.placed;
            let options = self.world.sweep_options();
            let contacts = StartContacts::of(moving, &window.motion, other, options, &mut scratch);
            let is_moving = (self.pairs[pair].bodies[0] == body) != window.is_swapped;
            touched.extend(contacts.map(|contacts| if is_moving { contacts } else { contacts.swapped() }));
        }
        let mut best: Option<(f64, Lifted<'w>)> = None;
        let lifts: Vec<DVec3> = StartContacts::lifts(&touched).collect();
        // Kinematic bodies are where they are told to be: they are lifted along only where nothing else goes.
        let kinds = if self.kind(body) == Kind::Kinematic { &[true][..] } else { &[false, true] };
        let tries = kinds.iter().flat_map(|kinematic| lifts.iter().map(move |lift| (*kinematic, *lift)));
        for (with_kinematic, lift) in tries {
            if with_kinematic && best.is_some() {
                break;
            }
            let Some(lifted) = self.lifted(body, lift, time, with_kinematic) else { continue };
            let met = lifted.meetings.iter().filter_map(|(_, outlook)| outlook.meeting.as_ref());
            let least = met.fold(f64::INFINITY, |least, meeting| least.min(meeting.time));
            if best.as_ref().is_none_or(|(most, _)| least > *most) {
                best = Some((least, lifted));
            }
            if least == f64::INFINITY {
                break;
            }
        }
        let Some((_, lifted)) = best else { return false };
        for (member, track) in lifted.tracks {
            let state = &mut self.bodies[member];
            if time <= 0.0 {
                state.lift = Some(state.lift.unwrap_or(DVec3::ZERO) + lifted.lift);
            }
            state.is_lifted = true;
            self.tracks[member] = track;
        }
        for (pair, Outlook { meeting, is_proven, is_apart }) in lifted.meetings {
            (self.pairs[pair].meeting, self.pairs[pair].is_proven) = (meeting, is_proven);
            self.pairs[pair].is_apart = is_apart;
            self.pairs[pair].version += 1;
            if time > 0.0 {
                self.enqueue(pair);
            }
        }
        true
    }

    /// A body lifted, with all bodies that are to move and that it comes upon; none where others are in the way.
    fn lifted(&mut self, body: usize, lift: DVec3, time: f64, with_kinematic: bool) -> Option<Lifted<'w>> {
        let mut members: BTreeMap<usize, Track<'w>> = BTreeMap::new();
        let mut todo = vec![body];
        while let Some(member) = todo.pop() {
            if members.contains_key(&member) {
                continue;
            }
            let is_kept = self.kind(member) == Kind::Kinematic && !with_kinematic;
            if members.len() >= MOST_LIFTED || !self.tracks[member].is_active() || is_kept {
                return None;
            }
            let track = self.tracks[member].lifted(lift, time)?;
            for &pair in &self.pairs_of[member] {
                let other = self.other(pair, member);
                // Nearer than a part of the lift counts as touching: that much would be lost by rounding soon.
                if !members.contains_key(&other) && !self.pairs[pair].is_let_through() {
                    let (own, others) = (&track, &self.tracks[other]);
                    let [own, others] = [own.at_for(others, time)?, others.at_for(own, time)?];
                    if own.is_within(&others, 0.25 * lift.length()) {
                        todo.push(other);
                    }
                }
            }
            members.insert(member, track);
        }
        let mut pairs: Vec<usize> =
            members.keys().flat_map(|member| self.pairs_of[*member].iter().copied()).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let mut statistics = Statistics::with_clock(self.statistics.clock());
        let mut meetings = Vec::with_capacity(pairs.len());
        let mut is_free = true;
        for pair in pairs.into_iter().filter(|pair| !self.pairs[*pair].is_let_through()) {
            let both = self.pairs[pair].bodies.map(|body| members.get(&body).unwrap_or(&self.tracks[body]));
            let outlook = self.world.meeting_of(both, time, false, &mut statistics);
            // Two that touch and are lifted alike are not always rounded alike.
            is_free &= outlook.meeting.as_ref().is_none_or(|meeting| !meeting.overlaps);
            if !is_free {
                break;
            }
            meetings.push((pair, outlook));
        }
        self.statistics.add(&statistics);
        if !is_free {
            return None;
        }
        Some(Lifted { lift, tracks: members.into_iter().collect(), meetings })
    }
}
