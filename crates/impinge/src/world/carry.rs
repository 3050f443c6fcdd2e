//! Lifts, doors, platforms: kinematic bodies carry what stands on them, and push what is in their way.

use std::collections::{BTreeMap, BTreeSet};

use super::travel::Travel;
use super::{Handle, Kind, StepOptions, World, grown};
use crate::model::Placed;
use crate::query::ContactOptions;
use impinge_core::bounds::Aabb;
use impinge_core::math::DVec3;
use impinge_core::transform::Motion;

/// A kinematic body pushes another, that one the next, and so on, up to so many.
const MOST_CHAINED: usize = 8;

/// The moves of a step: those that are asked for, and of bodies that are carried or may be pushed.
pub(super) struct AllMoves {
    /// The moves, those that are asked for first, in their order.
    pub(super) moves: Vec<(Handle, Motion)>,
    /// How far bodies may be pushed at most, by their indices.
    pub(super) reaches: BTreeMap<u32, f64>,
}

impl World {
    /// Adds what kinematic bodies carry and may push to the moves of a step.
    pub(super) fn with_passengers(&self, asked: &[(Handle, Motion)], options: &StepOptions) -> AllMoves {
        let is_kinematic = |index: u32| self.body(index).kind() == Kind::Kinematic;
        let mut kinematic: Vec<(u32, Motion)> = asked
            .iter()
            .filter(|(handle, _)| is_kinematic(handle.index))
            .map(|(handle, motion)| (handle.index, *motion))
            .collect();
        let mut all = AllMoves { moves: asked.to_vec(), reaches: BTreeMap::new() };
        if kinematic.is_empty() {
            return all;
        }
        // The lower handle has the right of way.
        kinematic.sort_by_key(|(index, _)| *index);
        let mut carried = self.passengers(&kinematic, options);
        for (handle, motion) in &mut all.moves {
            if let Some(carrier) = carried.remove(&handle.index) {
                *motion = together(motion, &carrier);
            }
        }
        let of_carried = carried.iter().map(|(index, motion)| (self.bodies.handle(*index), *motion));
        all.moves.extend(of_carried);
        let still = Motion::translation(DVec3::ZERO).expect("nothing is finite");
        let mut is_known: BTreeSet<u32> = all.moves.iter().map(|(handle, _)| handle.index).collect();
        let motions: BTreeMap<u32, Motion> =
            all.moves.iter().map(|(handle, motion)| (handle.index, *motion)).collect();
        for (index, motion) in kinematic {
            let travel = Travel::new(self.body(index).placed(), &motion);
            let reach = reach(&self.body(index).placed(), &motion);
            for other in self.pushed_by(index, &motions, grown(travel.bounds, reach), 2.0 * reach) {
                *all.reaches.entry(other).or_default() += 2.0 * reach;
                if is_known.insert(other) {
                    all.moves.push((self.bodies.handle(other), still));
                }
            }
        }
        all
    }

    /// The bodies that a kinematic one may push: those near its way, and those that are near where they may be pushed to, and so on. Kinematic ones that
    /// are to move give way to those with lower handles.
    fn pushed_by(&self, index: u32, motions: &BTreeMap<u32, Motion>, way: Aabb, reach: f64) -> BTreeSet<u32> {
        let is_kinematic = |index: u32| self.body(index).kind() == Kind::Kinematic;
        let mut pushed = BTreeSet::new();
        let mut last = vec![(index, way)];
        for _ in 0..MOST_CHAINED {
            let mut next = Vec::new();
            for (pusher, way) in last {
                let mut near = Vec::new();
                self.broad.overlapping(&grown(way, self.margin()), &mut near);
                for other in near {
                    let body = self.body(other);
                    let gives_way = body.kind() == Kind::Moving
                        || (is_kinematic(other)
                            && motions.contains_key(&other)
                            && is_kinematic(pusher)
                            && pusher < other);
                    if gives_way && !pushed.contains(&other) && self.stop_each_other([pusher, other]) {
                        pushed.insert(other);
                        let bounds = motions.get(&other).map_or_else(
                            || body.placed().bounds(),
                            |motion| Travel::new(body.placed(), motion).bounds,
                        );
                        next.push((other, grown(bounds, 2.0 * reach)));
                    }
                }
            }
            last = next;
        }
        pushed
    }

    /// The bodies that stand on kinematic ones, as of the last step, directly or through others, with the motions that carry them.
    fn passengers(&self, kinematic: &[(u32, Motion)], options: &StepOptions) -> BTreeMap<u32, Motion> {
        let mut carried: BTreeMap<u32, Motion> = BTreeMap::new();
        let mut carriers: Vec<(u32, Motion)> = kinematic.to_vec();
        let mut next = 0;
        while let Some(&(carrier, motion)) = carriers.get(next) {
            next += 1;
            for &other in self.touching.get(&carrier).into_iter().flatten() {
                let is_free = self.body(other).kind() == Kind::Moving && !carried.contains_key(&other);
                if is_free
                    && self.stop_each_other([carrier, other])
                    && self.stands_on(other, carrier, options)
                {
                    carried.insert(other, motion);
                    carriers.push((other, motion));
                }
            }
        }
        carried
    }

    /// Whether a body touches another with a floor below it.
    fn stands_on(&self, rider: u32, carrier: u32, options: &StepOptions) -> bool {
        let [rider, carrier] = self.facing([rider, carrier]);
        // What is crushed does not stand on what crushes it.
        let contacts = ContactOptions::new().within(self.options.contact_distance).depth(0.0);
        let contacts = rider.contacts_with(&carrier, contacts);
        contacts.iter().any(|contact| -contact.normal.dot(options.up) > options.floor)
    }
}

/// An upper bound of the length of the way of any point.
fn reach(placed: &Placed<'_>, motion: &Motion) -> f64 {
    let (center, radius) = placed.sphere_in_world();
    let turning = motion.turn().map_or(0.0, |turn| {
        turn.degrees.abs().to_radians() * (radius + (center - turn.center).length() + motion.by().length())
    });
    (motion.by().length() + turning) * (1.0 + 1e-9)
}

/// The motion of a body that moves by itself on one that carries it. Where both turn, or one turns after a translation, its own motion alone.
fn together(own: &Motion, carrier: &Motion) -> Motion {
    let is_still = own.by() == DVec3::ZERO && own.turn().is_none();
    if is_still {
        return *carrier;
    }
    let has_phases =
        |motion: &Motion| motion.turn().is_some() && !motion.is_together() && motion.by() != DVec3::ZERO;
    if has_phases(own) || has_phases(carrier) {
        return *own;
    }
    let by = own.by() + carrier.by();
    let sum = match (own.turn(), carrier.turn()) {
        (None, None) => Motion::translation(by),
        (Some(turn), None) | (None, Some(turn)) => Motion::rigid(by, turn.center, turn.axis, turn.degrees),
        (Some(_), Some(_)) => Ok(*own),
    };
    sum.unwrap_or(*own)
}
