//! Lifts, doors, platforms: kinematic bodies carry what stands on them, and push what is in their way.

use std::collections::BTreeMap;

use super::travel::Travel;
use super::{Handle, Kind, StepOptions, World, grown};
use impinge_core::math::DVec3;
use impinge_core::transform::Motion;

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
        let mut is_known: BTreeMap<u32, ()> =
            all.moves.iter().map(|(handle, _)| (handle.index, ())).collect();
        for (index, motion) in kinematic {
            let travel = Travel::new(self.body(index).placed(), &motion);
            let reach = reach(&travel, &motion);
            let mut near = Vec::new();
            self.broad.overlapping(&grown(travel.bounds, self.margin() + reach), &mut near);
            for other in near {
                if self.body(other).kind() != Kind::Moving || !self.are_solid([index, other]) {
                    continue;
                }
                *all.reaches.entry(other).or_default() += 2.0 * reach;
                if is_known.insert(other, ()).is_none() {
                    all.moves.push((self.bodies.handle(other), still));
                }
            }
        }
        all
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
                if is_free && self.are_solid([carrier, other]) && self.stands_on(other, carrier, options) {
                    carried.insert(other, motion);
                    carriers.push((other, motion));
                }
            }
        }
        carried
    }

    /// Whether a body touches another with a floor below it.
    fn stands_on(&self, rider: u32, carrier: u32, options: &StepOptions) -> bool {
        let [rider, carrier] = [rider, carrier].map(|index| self.body(index).placed());
        let contacts = rider.contacts(&carrier, self.options.contact_distance);
        contacts.iter().any(|contact| -contact.normal.dot(options.up) > options.floor)
    }
}

/// An upper bound of the length of the way of any point.
fn reach(travel: &Travel<'_>, motion: &Motion) -> f64 {
    let (center, radius) = travel.placed.sphere_in_world();
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
