//! Motions from a touching start: whether the two part, slide along each other or are pressed together, and how a body that slides is
//! lifted off.
//!
//! What counts is the exact test just after the start. Parting is proven by directions, where there are any; else, and for the rest, the
//! body is looked at where the motion has it a little later.

use super::answer::{SweepAsk, SweepWork};
use super::course::Course;
use super::frame::{SweepFrame, size_of};
use super::legs::{Leg, legs, placed_at};
use super::margin::CONTACT_CORES;
use super::search::{LegProblem, NamedPair};
use crate::math::DVec3;
use crate::model::Placed;
use crate::narrow::ccd::{RigidPath, directions_at_contact, gap_along, parting};
use crate::query::search::Scratch;
use crate::query::verdict::{Ask, Verdict};
use crate::query::{DistanceAsk, check, distance};
use crate::transform::Motion;

/// How a motion goes on from a touching start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Outset {
    /// The two are apart from this time of the first leg on.
    Parts(f64),
    /// They go on touching.
    Slides,
    /// They overlap at once.
    Presses,
}

/// The directions that keep two touching triangles apart, from the stationary body to the moving one, in the world.
#[derive(Clone, Debug)]
pub(super) struct ContactDirections {
    directions: Vec<DVec3>,
    /// How many of them, the first ones, are normals of the faces: those do not depend on how faces are divided.
    faces: usize,
}

/// What two bodies touch with at the start.
pub(super) struct Touch {
    pub(super) outset: Outset,
    /// For each pair of triangles.
    pub(super) contacts: Vec<ContactDirections>,
    /// The pair that is pressed together most, and along which direction.
    pub(super) pressed: Option<NamedPair>,
    /// How far a body that slides is lifted, in the world.
    pub(super) skin: f64,
    /// What rounding can move a point by, in the world.
    pub(super) rounding: f64,
}

/// What a body that is to move touches others with, at the start.
pub(crate) struct StartContacts {
    contacts: Vec<ContactDirections>,
    skin: f64,
}

impl StartContacts {
    /// None where the two are apart, or overlap.
    pub(crate) fn of(
        moving: &Placed<'_>,
        motion: &Motion,
        stationary: &Placed<'_>,
        ask: SweepAsk,
        scratch: &mut Scratch,
    ) -> Option<StartContacts> {
        let size = size_of(moving).max(size_of(stationary));
        let leg = legs(motion, size).find(|leg| leg.to > leg.from)?;
        let frame = SweepFrame::new(moving, stationary, &leg.reach(motion, 0.0, ask.skin));
        let contact = CONTACT_CORES * frame.margin.core * frame.scale;
        distance(moving, stationary, DistanceAsk { at_most: contact, ..DistanceAsk::default() }, scratch)?;
        let other_by = DVec3::ZERO;
        let mut course =
            Course { moving, motion, stationary, other_by, is_touching: true, lift: None, scratch };
        let touch = touch(&mut course, &leg, ask, &mut SweepWork::default());
        let Touch { contacts, skin, .. } = touch;
        Some(StartContacts { contacts, skin })
    }

    /// Lifts off all that is touched, the best first.
    pub(crate) fn lifts(touched: &[StartContacts]) -> impl Iterator<Item = DVec3> + use<> {
        let contacts: Vec<ContactDirections> =
            touched.iter().flat_map(|touched| touched.contacts.iter().cloned()).collect();
        let skin = touched.iter().fold(0.0, |most: f64, touched| most.max(touched.skin));
        lifts(&contacts, skin)
    }
}

/// Slower than this part of the body's speed, two triangles do not part, they slide.
const GRAZING: f64 = 1.0 / (1_u64 << 36) as f64;

/// The body is looked at where it has moved by so many times the skin,
const LOOK: f64 = 64.0;

/// and in a turn, where contacts may part or press with the square of the time, so often at four times the time.
const TURN_LOOKS: u32 = 8;

/// How the motion goes on from a touching start, on its first leg.
pub(super) fn touch(course: &mut Course<'_, '_>, leg: &Leg, ask: SweepAsk, work: &mut SweepWork) -> Touch {
    let (moving, stationary) = (*course.moving, *course.stationary);
    let frame = SweepFrame::new(&moving, &stationary, &leg.reach(course.motion, 0.0, ask.skin));
    let path = leg.path(course.motion, &frame);
    let problem = LegProblem::new(&frame, [&moving, &stationary], path, leg.length(), ask.engine);
    let core = frame.margin.core;
    let contact = CONTACT_CORES * core;
    let mut near = problem.all_within(contact, [0.0, 0.0], &mut course.scratch.sweep, work);
    near.retain(|pair| problem.distance_of(pair, 0.0) <= contact);
    let mut touch = Touch {
        outset: Outset::Slides,
        contacts: different(near.iter().map(|pair| directions_of(pair, &frame))),
        pressed: None,
        skin: frame.margin.thickness * frame.scale,
        rounding: frame.rounding(),
    };
    let speed = problem.speed();
    // The time after which all have parted by some cores, and how fast the slowest does.
    let (mut apart_at, mut slowest) = (0.0_f64, f64::INFINITY);
    for pair in &near {
        let (_, rate) = parting(&pair.pair, &path, CONTACT_CORES * frame.margin.fine, !course.is_touching)
            .unwrap_or((DVec3::ZERO, f64::NEG_INFINITY));
        if rate < slowest {
            (slowest, touch.pressed) = (rate, Some(*pair));
        }
        apart_at = apart_at.max(16.0 * core / rate.max(0.0));
    }
    if slowest > GRAZING * speed && apart_at < leg.length() {
        // Until then, what does not touch yet must not come near either.
        let times = [0.0, apart_at];
        let others = problem.all_within(contact, times, &mut course.scratch.sweep, work);
        let is_near = |pair: &NamedPair| near.iter().any(|touching| touching.key() == pair.key());
        let comes_near =
            |pair: &&NamedPair| !is_near(pair) && problem.time_within(pair, core, times).is_some();
        let is_free = !others.iter().any(|pair| comes_near(&pair));
        if is_free && is_clear_at(course, leg, apart_at) {
            touch.outset = Outset::Parts(apart_at);
            return touch;
        }
    }
    let may_slide = slowest >= -GRAZING * speed;
    touch.outset = if may_slide || path.is_turning() {
        look_ahead(course, leg, &problem, &touch)
    } else {
        // Two triangles that move into each other along a line cross at once.
        Outset::Presses
    };
    touch
}

/// Contacts without those that have the same directions as another.
fn different(contacts: impl Iterator<Item = ContactDirections>) -> Vec<ContactDirections> {
    let mut kept: Vec<ContactDirections> = Vec::new();
    for contact in contacts {
        let is_like = |known: &ContactDirections| {
            let (known, own) = (&known.directions, &contact.directions);
            known.len() == own.len() && known.iter().zip(own).all(|(a, b)| a.dot(*b) > ALIKE)
        };
        if !kept.iter().any(is_like) {
            kept.push(contact);
        }
    }
    kept
}

fn directions_of(pair: &NamedPair, frame: &SweepFrame) -> ContactDirections {
    let mut directions: Vec<DVec3> = Vec::new();
    let [moving, still] = [pair.pair.moving, pair.pair.still];
    let origin = pair.pair.separation(&RigidPath::line(DVec3::ZERO), 0.0, frame.margin.fine).points[1];
    for [a, b, c] in [moving, still] {
        let Some(normal) = (b - a).cross(c - a).try_normalize() else { continue };
        for normal in [normal, -normal] {
            if gap_along(normal, &moving, &still, origin) >= -CONTACT_CORES * frame.margin.fine {
                directions.push(frame.vector_to_world(normal).normalize_or_zero());
            }
        }
    }
    let faces = directions.len();
    directions_at_contact(
        &pair.pair.moving,
        &pair.pair.still,
        CONTACT_CORES * frame.margin.fine,
        false,
        |normal| {
            let normal = frame.vector_to_world(normal).normalize_or_zero();
            if !directions.iter().any(|known| known.dot(normal) > ALIKE) {
                directions.push(normal);
            }
        },
    );
    ContactDirections { directions, faces }
}

fn is_clear_at(course: &mut Course<'_, '_>, leg: &Leg, time: f64) -> bool {
    let Some(placed) = placed_at(course.moving, course.motion, leg, time) else { return false };
    verdict(course, &placed) == Verdict::Clear
}

fn verdict(course: &mut Course<'_, '_>, placed: &Placed<'_>) -> Verdict {
    check(placed, course.stationary, Ask::default(), course.scratch).verdict
}

/// Looks at the body where the motion has it a little later.
fn look_ahead(course: &mut Course<'_, '_>, leg: &Leg, problem: &LegProblem<'_, '_>, touch: &Touch) -> Outset {
    let (core, scale) = (problem.margin().core, problem.frame.scale);
    let away = lift_directions(&touch.contacts);
    let looks = if problem.path.is_turning() { TURN_LOOKS } else { 1 };
    // A part of the motion that is a power of two: where the motion is a short number, so is the place.
    let part = LOOK * problem.margin().thickness / problem.speed() / leg.whole;
    let first = leg.whole * libm::ldexp(1.0, libm::ilogb(part.clamp(1e-300, 1.0)));
    for look in 0..looks {
        let time = (first * f64::from(1_u32 << (2 * look))).min(leg.length());
        let Some(placed) = placed_at(course.moving, course.motion, leg, time) else { return Outset::Slides };
        match verdict(course, &placed) {
            Verdict::Touching => {}
            Verdict::Clear => {
                let limit = DistanceAsk { at_most: 2.0 * CONTACT_CORES * core * scale, ..Default::default() };
                if distance(&placed, course.stationary, limit, course.scratch).is_none() {
                    return Outset::Parts(time);
                }
            }
            _ => {
                // By no more than rounding, if a lift of some roundings ends it.
                let is_rounding = away.iter().take(MOST_LIFTS).any(|(away, score)| {
                    let lifted = placed.translated(*away * (8.0 * core * scale / score));
                    lifted.is_some_and(|lifted| {
                        matches!(verdict(course, &lifted), Verdict::Clear | Verdict::Touching)
                    })
                });
                if !is_rounding {
                    return Outset::Presses;
                }
            }
        }
        if time >= leg.length() {
            break;
        }
    }
    Outset::Slides
}

/// Directions with a product above this are one.
const ALIKE: f64 = 1.0 - 1e-12;

/// How many different directions are combined to find one that leads away from all contacts.
const MOST_DIRECTIONS: usize = 12;

/// A lift that leads away from a contact by less than this part of its length is longer than it should be.
const MOST_SLANTED: f64 = 1.0 / 16.0;

/// Directions that lead away from all contacts, the best first, each with the least cosine between it and one of theirs.
fn lift_directions(contacts: &[ContactDirections]) -> Vec<(DVec3, f64)> {
    // Those of faces first, then those that most contacts share.
    let mut counted: Vec<(DVec3, usize, usize)> = Vec::new();
    for contact in contacts {
        for (i, direction) in contact.directions.iter().enumerate() {
            let of_face = usize::from(i < contact.faces);
            match counted.iter_mut().find(|(known, ..)| known.dot(*direction) > ALIKE) {
                Some((_, faces, count)) => (*faces, *count) = (*faces + of_face, *count + 1),
                None => counted.push((*direction, of_face, 1)),
            }
        }
    }
    counted.sort_by_key(|&(_, faces, count)| std::cmp::Reverse((faces, count)));
    counted.truncate(MOST_DIRECTIONS);
    let faces = counted.iter().filter(|(_, faces, _)| *faces > 0).count();
    let single: Vec<DVec3> = counted.into_iter().map(|(direction, ..)| direction).collect();
    let score = |direction: DVec3| {
        let best = |contact: &ContactDirections| {
            contact.directions.iter().map(|normal| normal.dot(direction)).fold(f64::NEG_INFINITY, f64::max)
        };
        contacts.iter().map(best).fold(1.0, f64::min)
    };
    // Sums of up to three: of faces alone, then of all. Of those that are about the same, the best.
    let mut kept: Vec<(DVec3, f64)> = Vec::new();
    for single in [&single[..faces], &single[..]] {
        let mut found: Vec<(DVec3, f64)> = Vec::new();
        let mut offer = |direction: DVec3| {
            let Some(direction) = direction.try_normalize() else { return };
            let score = score(direction);
            if score > MOST_SLANTED {
                found.push((direction, score));
            }
        };
        for (i, &a) in single.iter().enumerate() {
            offer(a);
            for (j, &b) in single.iter().enumerate().skip(i + 1) {
                offer(a + b);
                for &c in single.iter().skip(j + 1) {
                    offer(a + b + c);
                }
            }
        }
        found.sort_by(|a, b| b.1.total_cmp(&a.1));
        for (direction, score) in found {
            if !kept.iter().any(|(known, _)| known.dot(direction) > SIMILAR) {
                kept.push((direction, score));
            }
        }
    }
    kept
}

/// Lifts with a product of their directions above this are not both tried.
const SIMILAR: f64 = 0.9;

/// How many directions are tried before a body counts as wedged.
const MOST_LIFTS: usize = 16;

/// Lifts by about the skin that lead away from all contacts, the best first.
pub(super) fn lifts(contacts: &[ContactDirections], skin: f64) -> impl Iterator<Item = DVec3> + use<> {
    let directions = lift_directions(contacts).into_iter().take(MOST_LIFTS);
    // So far that all contacts are a little outside of the skin.
    directions.map(move |(direction, score)| direction * (skin * (17.0 / 16.0) / score))
}
