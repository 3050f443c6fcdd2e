//! The judge of steps in which many bodies move at once. It shares no code with the world: it takes the segments that a step returns, and proves
//! for every two bodies and every stretch of time that they stay apart, or finds where they do not.
//!
//! Two bodies that move along lines are decided without rounding; where one of them turns, proofs have up to 100 bits; where both turn, directions
//! that tell them apart are followed in `f64`, with its error.
//! Then it asks whether every stop has a reason: something near that the body was coming nearer to.

mod both_turn;
mod stops;

use std::sync::Arc;

use impinge::glam::{DAffine3, DMat3, DVec3};
use impinge::world::{Handle, Segment, Step, World};
use impinge::{Model, Verdict};

use crate::margin_oracle::course::turned;
use crate::sweep_oracle::case::Placed;
use crate::sweep_oracle::rotation::{Budget, Proof, Turn};
use crate::sweep_oracle::translation::Straight;

pub(crate) use stops::every_stop_has_a_reason;

/// One body in a step: where it starts, what it does and where it ends.
#[derive(Clone)]
pub(crate) struct Way {
    pub(crate) handle: Handle,
    pub(crate) model: Arc<Model>,
    pub(crate) start: DAffine3,
    pub(crate) segments: Vec<Segment>,
    pub(crate) end: DAffine3,
}

/// What a body does for a while, from a time on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Doing {
    pub(crate) pose: DAffine3,
    pub(crate) by: DVec3,
    /// A center, an axis of length 1 and an angle in radians.
    pub(crate) turn: Option<(DVec3, DVec3, f64)>,
}

/// What a judge says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Account {
    pub(crate) proven: u64,
    /// Stretches that were only looked at, at many moments.
    pub(crate) looked_at: u64,
}

impl Way {
    /// The way of a body from what a step returns; `before` is the world before it.
    pub(crate) fn of(handle: Handle, model: &Arc<Model>, before: &World, after: &World, step: &Step) -> Way {
        let mut start = *before.get(handle).unwrap().placement().world_from_model();
        let end = *after.get(handle).unwrap().placement().world_from_model();
        let made = step.moves.iter().chain(&step.carried).find(|made| made.handle == handle);
        start.translation += made.and_then(|made| made.lift).unwrap_or(DVec3::ZERO);
        let segments = made.map_or_else(Vec::new, |made| made.segments.clone());
        Way { handle, model: Arc::clone(model), start, segments, end }
    }

    /// The times at which it does something else.
    fn cuts(&self) -> impl Iterator<Item = f64> + '_ {
        self.segments.iter().flat_map(|segment| [segment.from, segment.to])
    }

    pub(crate) fn segment_at(&self, time: f64) -> Option<&Segment> {
        self.segments.iter().find(|segment| segment.from <= time && time < segment.to)
    }

    /// What it does from a time to another, between which it does one thing.
    pub(crate) fn doing(&self, [from, to]: [f64; 2]) -> Doing {
        let Some(segment) = self.segment_at(from) else {
            // Before the first segment, after the last, or between two: bodies that stopped may be pushed again.
            let made = self.segments.iter().filter(|segment| segment.to <= from).count();
            let pose = match self.segments[..made].last() {
                None if !self.segments.is_empty() => self.start,
                Some(last) if made < self.segments.len() => {
                    *last.placement_at(last.to).unwrap().world_from_model()
                }
                _ => self.end,
            };
            return Doing { pose, by: DVec3::ZERO, turn: None };
        };
        let pace = 1.0 / (segment.until - segment.from);
        let (motion, begun) = (segment.motion, (from - segment.from) * pace);
        let whole = Doing {
            pose: *segment.start.world_from_model(),
            by: motion.by(),
            turn: motion.turn().map(|turn| (turn.center, turn.axis.normalize(), turn.degrees.to_radians())),
        };
        let share = (to - from) * pace;
        Doing {
            pose: whole.at(begun),
            by: whole.by * share,
            turn: whole.turn.map(|(center, axis, angle)| (center + whole.by * begun, axis, angle * share)),
        }
    }

    /// The velocity of the point that is at `point` at a time.
    pub(crate) fn velocity(&self, point: DVec3, time: f64) -> DVec3 {
        let Some(segment) = self.segments.iter().rfind(|segment| segment.from <= time && time <= segment.to)
        else {
            return DVec3::ZERO;
        };
        let pace = 1.0 / (segment.until - segment.from);
        let moved = segment.motion.by() * ((time - segment.from) * pace);
        let turning = segment.motion.turn().map_or(DVec3::ZERO, |turn| {
            turn.axis.cross(point - turn.center - moved) * turn.degrees.to_radians()
        });
        (segment.motion.by() + turning) * pace
    }
}

impl Doing {
    /// The pose at a share of it.
    pub(crate) fn at(&self, share: f64) -> DAffine3 {
        let Some((center, axis, angle)) = self.turn else {
            return DAffine3 { translation: self.pose.translation + self.by * share, ..self.pose };
        };
        let turn = |vector: DVec3| turned(vector, axis, (angle * share).to_degrees());
        let DMat3 { x_axis, y_axis, z_axis } = self.pose.matrix3;
        DAffine3 {
            matrix3: DMat3::from_cols(turn(x_axis), turn(y_axis), turn(z_axis)),
            translation: center + self.by * share + turn(self.pose.translation - center),
        }
    }

    fn turns(&self) -> bool {
        self.turn.is_some_and(|(.., angle)| angle != 0.0)
    }

    fn stands(&self) -> bool {
        self.by == DVec3::ZERO && !self.turns()
    }
}

/// Proves that no two of some bodies interpenetrate at any time, or says which do and when. Pairs that `are_excused` are not looked at.
pub(crate) fn nothing_interpenetrates(
    ways: &[Way],
    are_excused: impl Fn(Handle, Handle) -> bool,
) -> Result<Account, String> {
    let mut account = Account::default();
    for (i, a) in ways.iter().enumerate() {
        for b in &ways[i + 1..] {
            if !are_excused(a.handle, b.handle) {
                pair(a, b, &mut account).map_err(|why| format!("{} and {}: {why}", a.handle, b.handle))?;
            }
        }
    }
    Ok(account)
}

fn pair(a: &Way, b: &Way, account: &mut Account) -> Result<(), String> {
    let mut cuts: Vec<f64> = a.cuts().chain(b.cuts()).chain([0.0, 1.0]).collect();
    cuts.sort_by(f64::total_cmp);
    cuts.dedup();
    for times in cuts.windows(2).map(|pair| [pair[0], pair[1]]) {
        let doing = [a.doing(times), b.doing(times)];
        if doing.iter().all(Doing::stands) {
            continue;
        }
        let place = |time: f64| format!("at {time} of {times:?}, {doing:?}");
        match prove([a, b], &doing) {
            Proof::Clear => account.proven += 1,
            Proof::Touch { at } => return Err(place(at)),
            Proof::TouchAtEnd | Proof::Unknown => {
                account.looked_at += 1;
                if let Some(at) = overlap_seen([a, b], &doing) {
                    return Err(place(at));
                }
            }
        }
    }
    let verdict = a.model.try_at(a.end).unwrap().verdict(&b.model.try_at(b.end).unwrap());
    if is_overlap(verdict) { Err(format!("at the end, {verdict:?}")) } else { Ok(()) }
}

fn is_overlap(verdict: Verdict) -> bool {
    !matches!(verdict, Verdict::Clear | Verdict::Touching)
}

/// Bodies that are closer than this count as touching at the start, as rounding decides whether they do: four cores of coordinates of up to 64.
const CONTACT: f64 = 4.0 * 64.0 / (1_u64 << 46) as f64;

/// A share of the time before which bodies that touch at the start are not looked at.
const START: f64 = 1.0 / (1 << 20) as f64;

fn prove([a, b]: [&Way; 2], doing: &[Doing; 2]) -> Proof {
    let placed = [a.model.try_at(doing[0].pose).unwrap(), b.model.try_at(doing[1].pose).unwrap()];
    if is_overlap(placed[0].verdict(&placed[1])) {
        return Proof::Touch { at: 0.0 };
    }
    let from = if placed[0].is_within(&placed[1], CONTACT) { START } else { 0.0 };
    if !may_meet([a, b], doing) {
        return Proof::Clear;
    }
    let models = [&*a.model, &*b.model];
    match [doing[0].turns(), doing[1].turns()] {
        [false, false] => {
            let straight = Straight::new(
                (models[0], doing[0].pose),
                (models[1], doing[1].pose),
                doing[0].by - doing[1].by,
            );
            if straight.is_clear(from, 1.0) { Proof::Clear } else { Proof::Touch { at: from } }
        }
        [true, true] => both_turn::prove(models, doing, from),
        [_, is_second] => {
            let (own, other) = if is_second { (1, 0) } else { (0, 1) };
            let placed = [own, other].map(|side| Placed::new(models[side], &doing[side].pose));
            let drift = Some(doing[own].by - doing[other].by).filter(|drift| *drift != DVec3::ZERO);
            let turn = doing[own].turn.expect("it turns");
            let turn = Turn::new([&placed[0], &placed[1]], turn, drift);
            turn.map_or(Proof::Unknown, |turn| {
                turn.prove_clear(from, 1.0, Budget { coarse: 8_000, fine: 800 })
            })
        }
    }
}

/// Whether balls around the two can come together: as far as their points move at most.
fn may_meet(ways: [&Way; 2], doing: &[Doing; 2]) -> bool {
    let ball = |side: usize| {
        let doing = &doing[side];
        let points: Vec<DVec3> =
            ways[side].model.mesh().vertices().map(|point| doing.pose.transform_point3(point)).collect();
        let middle = points.iter().sum::<DVec3>() / points.len() as f64;
        let radius = points.iter().map(|point| point.distance(middle)).fold(0.0, f64::max);
        let swing = doing.turn.map_or(0.0, |(center, _, angle)| {
            angle.abs() * points.iter().map(|point| point.distance(center)).fold(0.0, f64::max)
        });
        (middle, radius + swing + doing.by.length())
    };
    let [(p, r), (q, s)] = [ball(0), ball(1)];
    p.distance(q) <= (r + s) * (1.0 + 1e-9) + 1e-9
}

/// Looks at two bodies at many moments, by the exact test.
fn overlap_seen([a, b]: [&Way; 2], doing: &[Doing; 2]) -> Option<f64> {
    let moments = (0..=256).map(|k| f64::from(k) / 256.0);
    moments.into_iter().find(|&share| {
        let [at_a, at_b] = doing.map(|doing| doing.at(share));
        is_overlap(a.model.try_at(at_a).unwrap().verdict(&b.model.try_at(at_b).unwrap()))
    })
}
