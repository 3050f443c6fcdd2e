//! The timeline of two parts: their clashes, moment by moment.

use super::TimedClash;
use crate::clash::{Clash, ClashKind};

/// The timeline of two parts: told of moments in ascending order, it knows the gravest clash that was seen, since when, and for how
/// long.
#[derive(Clone, Debug, Default)]
pub struct ClashTimeline {
    contact: Option<Spell>,
    near: Option<Spell>,
    /// How long the contacts took that have ended.
    in_contact: f64,
    /// How long they were near and not in contact, of spells that have ended.
    nearby: f64,
    gravest: Option<Seen>,
}

/// An observation of two parts at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Observation {
    /// The parts clash, in any way but being near.
    Contact(ClashKind),
    /// The parts are so far apart, which is too near.
    Near(f64),
    /// The parts are far enough apart.
    Apart,
}

/// A time during which two parts are in contact, or near: so far.
#[derive(Clone, Copy, Debug)]
struct Spell {
    began: f64,
    last: f64,
    /// A continuous test has found its beginning. Otherwise it was there at the start, or came up at a moment.
    is_continuous: bool,
}

#[derive(Clone, Debug)]
struct Seen {
    kind: ClashKind,
    time: f64,
    sampled: bool,
    /// When the contact began in which it was first seen, and when it was seen in that one.
    since: f64,
    moments: Vec<f64>,
    /// How near they were, where that is all.
    distance: f64,
}

/// The gravest contact of two parts, with its times.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ContactInterval {
    /// The gravest kind that was seen.
    pub kind: ClashKind,
    /// The time at which the contact began; see [`TimedClash::time`].
    pub time: f64,
    /// The time that the parts were in contact, or near where they never were.
    pub duration: f64,
    /// A moment half-way through the first contact of that kind; the closest one where the parts are only near.
    pub moment: f64,
    /// The time at which that kind was first seen.
    pub first: f64,
    /// Whether only samples at moments could tell when the contact began.
    pub sampled: bool,
}

impl ContactInterval {
    /// The clash of two parts at the moment, with its times.
    pub fn timed(&self, [a, b]: [u32; 2], clash: Clash) -> TimedClash {
        // What is the same twice was not told from what overlaps.
        let kind = if clash.kind == ClashKind::Duplicate { clash.kind } else { self.kind };
        TimedClash {
            clash: Clash { a, b, kind, ..clash },
            time: self.time,
            duration: self.duration,
            moment: self.moment,
            sampled: self.sampled,
        }
    }
}

/// The greater, the graver; which of the two is contained does not count.
fn gravity(kind: ClashKind) -> u8 {
    match kind {
        ClashKind::Duplicate => 4,
        ClashKind::Overlapping => 3,
        ClashKind::Inside(_) => 2,
        ClashKind::Touching => 1,
        ClashKind::Near => 0,
    }
}

/// Of moments in order, the one that is closest to half-way between the first and the last.
fn middle_of(moments: &[f64]) -> f64 {
    let half_way = 0.5 * (moments[0] + moments[moments.len() - 1]);
    let distance = |moment: f64| (moment - half_way).abs();
    moments.iter().copied().fold(
        moments[0],
        |best, moment| {
            if distance(moment) < distance(best) { moment } else { best }
        },
    )
}

impl ClashTimeline {
    /// Notes that a continuous test has found the parts to touch, or come near, and no earlier than at this time.
    pub(super) fn detect(&mut self, time: f64, sight: Observation) {
        self.note(time, sight, true);
    }

    /// Adds an observation at a moment.
    pub fn look(&mut self, time: f64, sight: Observation) {
        self.note(time, sight, false);
    }

    fn note(&mut self, time: f64, sight: Observation, is_continuous: bool) {
        let [in_contact, is_near] =
            [matches!(sight, Observation::Contact(_)), matches!(sight, Observation::Near(_))];
        for (spell, total, goes_on) in [
            (&mut self.contact, &mut self.in_contact, in_contact),
            (&mut self.near, &mut self.nearby, is_near),
        ] {
            if goes_on {
                spell.get_or_insert(Spell { began: time, last: time, is_continuous }).last = time;
            } else if let Some(ended) = spell.take() {
                *total += time - ended.began;
            }
        }
        match sight {
            Observation::Contact(kind) => self.see(time, kind, 0.0),
            Observation::Near(distance) => self.see(time, ClashKind::Near, distance),
            Observation::Apart => {}
        }
    }

    fn see(&mut self, time: f64, kind: ClashKind, distance: f64) {
        let spell = if kind == ClashKind::Near { self.near } else { self.contact };
        let Some(spell) = spell else { return };
        match &mut self.gravest {
            Some(seen) if gravity(kind) < gravity(seen.kind) => {}
            Some(seen) if gravity(kind) == gravity(seen.kind) => {
                if kind != ClashKind::Near {
                    if spell.began == seen.since {
                        seen.moments.push(time);
                    }
                } else if distance < seen.distance {
                    (seen.moments[0], seen.distance) = (time, distance);
                }
            }
            _ => {
                // What has a beginning that was found, or was there before anything moved, is certain; the rest came up at a moment.
                let sampled = !spell.is_continuous && time > 0.0;
                let time_since = if sampled { time } else { spell.began };
                let (since, moments) = (spell.began, vec![time]);
                self.gravest = Some(Seen { kind, time: time_since, sampled, since, moments, distance });
            }
        }
    }

    /// The time since when the parts are in contact, and when they were last seen so; none where they are not.
    pub(super) fn contact(&self) -> Option<[f64; 2]> {
        self.contact.map(|contact| [contact.began, contact.last])
    }

    /// The gravest kind that was seen.
    pub(super) fn gravest(&self) -> Option<ClashKind> {
        self.gravest.as_ref().map(|seen| seen.kind)
    }

    /// Ends the timeline at a time, and tells the gravest contact.
    pub fn end(mut self, time: f64) -> Option<ContactInterval> {
        self.look(time, Observation::Apart);
        let seen = self.gravest?;
        Some(ContactInterval {
            kind: seen.kind,
            time: seen.time,
            duration: if seen.kind == ClashKind::Near { self.nearby } else { self.in_contact },
            moment: middle_of(&seen.moments),
            first: seen.moments[0],
            sampled: seen.sampled,
        })
    }
}
