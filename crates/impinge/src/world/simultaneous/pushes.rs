//! Pushes: what is in the way of kinematic bodies gives way, and pushes others in turn; what has no room stops them, or is crushed.

use std::collections::BTreeMap;

use super::{Group, PairState, Stopping};
use crate::world::crush::Crushed;
use crate::world::moves::Hit;
use crate::world::planes::Plane;
use crate::world::{CrushRule, Kind};
use impinge_core::transform::{Motion, Placement};

/// A body that is pushed may be deflected at least so often.
pub(super) const MOST_PUSHES: usize = 12;

impl PairState {
    /// Whether the two are not held apart, because they overlap from the start or the one crushes the other.
    pub(super) fn is_let_through(&self) -> bool {
        self.overlaps || self.crushed_at.is_some()
    }
}

impl Group<'_> {
    /// Whether a body is a kinematic one that moves, or is pushed itself, and the other one that it pushes.
    pub(super) fn pushes(&self, body: usize, other: usize) -> bool {
        let is_kinematic = self.kind(body) == Kind::Kinematic;
        let gives_way = match self.kind(other) {
            Kind::Moving => is_kinematic || self.bodies[body].is_pushed,
            // Of two kinematic ones the lower handle has the right of way.
            Kind::Kinematic => is_kinematic && body < other,
            Kind::Fixed | Kind::Sensor => false,
        };
        gives_way && self.tracks[body].is_active() && self.bodies[other].number.is_some()
    }

    /// Stops bodies where what they push has no room, or lets kinematic ones crush it.
    pub(super) fn settle_pushes(
        &mut self,
        time: f64,
        stopping: &mut BTreeMap<usize, Vec<Stopping>>,
        places: &mut Vec<(usize, Placement)>,
        deflections: &mut Vec<Option<Motion>>,
    ) {
        for i in 0..places.len() {
            if deflections[i].is_some() {
                continue;
            }
            let body = places[i].0;
            let pushers: Vec<(usize, Hit)> = stopping[&body].iter().filter_map(|stop| stop.pusher).collect();
            for (pusher, hit) in pushers {
                let is_kinematic = self.kind(pusher) == Kind::Kinematic;
                let may_crush = is_kinematic && self.kind(body) == Kind::Moving;
                if may_crush && self.crush == CrushRule::Crush {
                    self.let_crush(pusher, body, time);
                    continue;
                }
                match places.iter().position(|(known, _)| *known == pusher) {
                    Some(place) => deflections[place] = None,
                    None => {
                        let Some(placed) = self.tracks[pusher].at(time) else { continue };
                        places.push((pusher, *placed.placement()));
                        deflections.push(None);
                    }
                }
                // What is pushed itself must not be pushed on into this one.
                let plane =
                    hit.hit.filter(|_| !is_kinematic).map(|hit| Plane { normal: hit.normal, limit: 0.0 });
                stopping.entry(pusher).or_default().push(Stopping { hit, plane, pusher: None });
            }
        }
    }

    /// Lets kinematic bodies crush what they overlap at the start, by that rule.
    pub(super) fn crush_overlapping(&mut self) {
        for pair in 0..self.pairs.len() {
            let [a, b] = self.pairs[pair].bodies;
            let crushes = |body: usize, other: usize| {
                let kinds = (self.kind(body), self.kind(other));
                kinds == (Kind::Kinematic, Kind::Moving) && self.tracks[body].is_active()
            };
            let is_crushed = self.pairs[pair].overlaps && (crushes(a, b) || crushes(b, a));
            if self.crush == CrushRule::Crush && is_crushed {
                (self.pairs[pair].crushed_at, self.pairs[pair].meeting) = (Some(0.0), None);
            }
        }
    }

    /// Does not hold a body and the kinematic one that crushes it apart from now on.
    fn let_crush(&mut self, crusher: usize, body: usize, time: f64) {
        let pair = self.pairs_of[body].iter().copied().find(|pair| self.other(*pair, body) == crusher);
        if let Some(pair) = pair {
            let state = &mut self.pairs[pair];
            (state.crushed_at, state.meeting) = (Some(time), None);
            state.version += 1;
        }
    }

    /// The bodies that were crushed, in the order of their handles.
    pub(super) fn crushed(&self) -> Vec<Crushed> {
        let crushed = self.pairs.iter().filter_map(|pair| {
            let [a, b] = pair.bodies;
            let [by, body] = if self.kind(a) == Kind::Kinematic { [a, b] } else { [b, a] };
            pair.crushed_at.map(|time| Crushed { by: self.handle(by), body: self.handle(body), time })
        });
        let mut crushed: Vec<Crushed> = crushed.collect();
        crushed.sort_by_key(|crushed| (crushed.body, crushed.by));
        crushed
    }

    /// Lifts bodies that begin to be pushed off what they touch and slide along.
    pub(super) fn lift_pushed(&mut self, changed: &[usize], time: f64) {
        for &body in changed {
            if self.bodies[body].is_pushed && self.slides(body) {
                self.lift(body, time);
            }
        }
    }
}
