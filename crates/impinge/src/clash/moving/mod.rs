//! Clashes among parts that move: which pairs touch, when first, how long.
//!
//! The first contact is found by continuous collision detection: whatever lies between two moments is tested, so the time that is said is never later than
//! the first true touch. While two parts are in contact, how gravely and for how long is found by looking at moments, a fraction of
//! a second apart. `docs/math/animation.md` has the bounds.
//!
//! ```
//! use impinge::clash::{ClashKind, Attachment, MotionOptions, MovingPart, detect_moving};
//! use impinge::animation::{Interpolation, Joint, Local, Rig, Track, Value};
//! use impinge::glam::DVec3;
//! use impinge::{Model, Placement, shapes};
//!
//! // A hammer falls through a thin plate, in less time than there is between two pictures of a film.
//! let fall = Track::new(vec![0.0, 0.02], vec![DVec3::ZERO, -20.0 * DVec3::Z], Interpolation::Linear)?;
//! let rig = Rig::new(vec![Joint { parent: None, local: Local::translation(Value::Keys(fall)) }])?;
//! let hammer = Model::new(shapes::cuboid([0.0, 0.0, 9.0], [1.0, 1.0, 10.0])?);
//! let plate = Model::new(shapes::cuboid([-5.0, -5.0, -1.0], [5.0, 5.0, -0.99])?);
//! let parts = [
//!     MovingPart { model: &hammer, carrier: Attachment::Joint(0) },
//!     MovingPart { model: &plate, carrier: Attachment::Still(Placement::IDENTITY) },
//! ];
//! let found = detect_moving(&rig, &parts, &MotionOptions::new())?;
//! let clash = &found.clashes[0];
//! assert_eq!(clash.clash.kind, ClashKind::Overlapping);
//! // It has 9.99 to fall, of the 20 that take 0.02 seconds.
//! assert!(clash.time <= 0.00999 && clash.time > 0.00998);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod follow;
mod timeline;
mod windows;

use std::collections::HashMap;
use std::sync::Arc;

use super::{Clash, ClashOptions, Needs, check_pair, search};
use crate::animation::{Piece, Rig, RigError};
use crate::model::{Model, Placed, Purpose};
use crate::options::options;
use impinge_core::transform::Placement;
pub use timeline::{ClashTimeline, ContactInterval, Observation};

/// Moments at which parts in contact are looked at, at most.
const MOST_MOMENTS: f64 = 1e6;

/// The attachment of a part: fixed in the world, or carried by a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Attachment {
    /// The part stands still.
    Still(Placement),
    /// The part is carried by a joint of the rig, by its number.
    Joint(usize),
}

/// A part that may move.
#[derive(Clone, Copy, Debug)]
pub struct MovingPart<'m> {
    /// The model, in the frame of its carrier.
    pub model: &'m Model,
    /// The attachment that carries the part.
    pub carrier: Attachment,
}

impl<'m> MovingPart<'m> {
    /// The part at a time; none where it is scaled to nothing, or where the rig does not have the joint that carries it.
    pub fn at(&self, rig: &Rig, time: f64) -> Option<Placed<'m>> {
        let placement = match self.carrier {
            Attachment::Still(placement) => placement,
            Attachment::Joint(joint) if joint >= rig.joints().len() => return None,
            Attachment::Joint(joint) => Placement::try_from(rig.world_from_joint(joint, time)).ok()?,
        };
        Some(self.model.at(placement))
    }
}

options! {
    /// Options of a clash search among moving parts.
    #[derive(Clone, Copy, Debug)]
    pub struct MotionOptions<'f> {
        /// The options of the clash test at one moment, with filter and progress.
        pub clash: ClashOptions<'f> = ClashOptions::new(),
        /// The interval between moments at which parts in contact are tested, in seconds: at least a millionth of the whole time. The time of
        /// the first contact does not depend on it.
        pub every: f64 = 1.0 / 30.0,
        /// The end of the search, which starts at time 0; `None` is the last key.
        pub duration: Option<f64> = None,
    }
}

/// Two parts that clash while they move.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct TimedClash {
    /// The clash at the moment: of all kinds that were seen, the gravest.
    pub clash: Clash,
    /// The time at which the contact began: never later than the first true touch, unless that was sampled. 0 where they clash from the start.
    pub time: f64,
    /// The total time in contact, or near where they are never in contact. To within the moments that were tested.
    pub duration: f64,
    /// The time at which `clash` was taken: about half-way through the first contact of its kind.
    pub moment: f64,
    /// Whether the parts touched before, so that only samples at moments could tell when it began.
    pub sampled: bool,
}

/// The result of a clash search among moving parts.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct TimedClashes {
    /// The clashes, sorted by the two parts.
    pub clashes: Vec<TimedClash>,
    /// The number of pairs that came near enough to be tested.
    pub pairs: u64,
    /// Whether the search was ended before all pairs were tested.
    pub partial: bool,
}

/// Finds all clashes among parts that a rig moves, on all cores; see [`detect_with`](super::detect_with).
pub fn detect_moving(
    rig: &Rig,
    parts: &[MovingPart<'_>],
    options: &MotionOptions<'_>,
) -> Result<TimedClashes, RigError> {
    check_carriers(rig, parts)?;
    let duration = options.duration.unwrap_or_else(|| rig.duration());
    // Nobody waits for more moments than that, and NaN is none.
    let every = options.every.max(duration / MOST_MOMENTS);
    let stage = Stage { rig, parts, clash: options.clash, every, duration, key_times: key_times(rig, parts) };
    let mut meetings = windows::meetings(&stage);
    meetings.retain(|meeting| options.clash.accepts(meeting.pair[0], meeting.pair[1]));
    let models = meetings.iter().flat_map(|meeting| meeting.pair).map(|part| parts[part as usize].model);
    let needs = Needs { models: models.collect(), purpose: Purpose::SWEEPS };
    let (clashes, partial) =
        search(&meetings, needs, &options.clash, |meeting, _| follow::follow(&stage, meeting));
    Ok(TimedClashes { clashes, pairs: meetings.len() as u64, partial })
}

fn check_carriers(rig: &Rig, parts: &[MovingPart<'_>]) -> Result<(), RigError> {
    let joints = rig.joints().len();
    for (part, entry) in parts.iter().enumerate() {
        match entry.carrier {
            Attachment::Joint(joint) if joint >= joints => {
                return Err(RigError::Attachment { part, joint, joints });
            }
            _ => {}
        }
    }
    Ok(())
}

/// For each part when what carries it has keys, in order; empty where it stands. Parts of one joint share a list.
fn key_times(rig: &Rig, parts: &[MovingPart<'_>]) -> Vec<Arc<[f64]>> {
    let mut known: HashMap<usize, Arc<[f64]>> = HashMap::new();
    let none: Arc<[f64]> = Arc::from([]);
    let of = |part: &MovingPart<'_>| match part.carrier {
        Attachment::Still(_) => Arc::clone(&none),
        Attachment::Joint(joint) => {
            Arc::clone(known.entry(joint).or_insert_with(|| rig.key_times(joint).into()))
        }
    };
    parts.iter().map(of).collect()
}

/// Everything that does not change during a search.
struct Stage<'s> {
    key_times: Vec<Arc<[f64]>>,
    rig: &'s Rig,
    parts: &'s [MovingPart<'s>],
    clash: ClashOptions<'s>,
    every: f64,
    duration: f64,
}

impl<'s> Stage<'s> {
    /// The motion of a part between two times without a key.
    fn piece(&self, part: u32, span: [f64; 2]) -> Piece {
        match self.parts[part as usize].carrier {
            Attachment::Still(placement) => Piece::still(*placement.world_from_model()),
            Attachment::Joint(joint) => self.rig.piece(joint, span),
        }
    }

    /// A part at a place; none where it is scaled to nothing.
    fn placed(&self, part: u32, world_from_part: impinge_core::math::DAffine3) -> Option<Placed<'s>> {
        Some(self.parts[part as usize].model.at(Placement::try_from(world_from_part).ok()?))
    }

    /// Two parts at a time, where both are there.
    fn pair_at(&self, pair: [u32; 2], time: f64) -> Option<[Placed<'s>; 2]> {
        let at = |part: u32| self.parts[part as usize].at(self.rig, time);
        Some([at(pair[0])?, at(pair[1])?])
    }

    fn moves(&self, part: u32) -> bool {
        !self.key_times[part as usize].is_empty()
    }

    /// How far from its origin a part reaches.
    fn reach(&self, part: u32) -> f64 {
        let bounds = self.parts[part as usize].model.bounds();
        bounds.min.abs().max(bounds.max.abs()).length()
    }

    /// Times between which no part of the list has a key, from the one to the other, none farther apart than `most`.
    fn spans(&self, parts: &[u32], [from, to]: [f64; 2], most: f64) -> Vec<[f64; 2]> {
        let mut cuts = vec![from, to];
        for part in parts {
            let times = &self.key_times[*part as usize];
            let first = times.partition_point(|time| *time <= from);
            cuts.extend(times[first..].iter().take_while(|time| **time < to));
        }
        cuts.sort_unstable_by(f64::total_cmp);
        cuts.dedup();
        let mut spans = Vec::with_capacity(cuts.len());
        for ends in cuts.windows(2) {
            // A film with so many pictures a second has keys that are a rounding farther apart than that.
            let count = ((ends[1] - ends[0]) / most * 0.999).ceil().max(1.0);
            let at = |step: f64| {
                if step == count { ends[1] } else { ends[0] + (ends[1] - ends[0]) * (step / count) }
            };
            spans.extend((0..count as u64).map(|step| [at(step as f64), at(step as f64 + 1.0)]));
        }
        spans
    }

    /// The contact interval of a pair, as a clash at its moment.
    fn clash(&self, pair: [u32; 2], met: &ContactInterval) -> Option<TimedClash> {
        let at_moment = self.clash_at(pair, met.moment);
        let (clash, moment) = match at_moment.filter(|clash| clash.kind <= met.kind) {
            Some(clash) => (clash, met.moment),
            // Half-way through they only touch; where it was first seen, it was made sure of.
            None => (self.clash_at(pair, met.first)?, met.first),
        };
        Some(ContactInterval { moment, ..*met }.timed(pair, clash))
    }

    fn clash_at(&self, pair: [u32; 2], time: f64) -> Option<Clash> {
        let [a, b] = self.pair_at(pair, time)?;
        let options = self.clash;
        check_pair(&a, &b, &options).or_else(|| {
            // Stopped just before they touch.
            let touch = a.distance(&b).distance * (1.0 + 1e-9);
            check_pair(&a, &b, &options.touch(touch))
        })
    }

    /// Whether two parts never move relative to each other.
    fn are_still(&self, pair: [u32; 2]) -> bool {
        let carriers = pair.map(|part| self.parts[part as usize].carrier);
        match carriers {
            [Attachment::Joint(a), Attachment::Joint(b)] => self.rig.keep_place(a, b),
            _ => !pair.iter().any(|part| self.moves(*part)),
        }
    }
}
