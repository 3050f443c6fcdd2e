//! Motions from a touching start: whether the two part, slide along each other or are pressed together, and how a body that slides is
//! lifted off.
//!
//! What counts is the exact test just after the start. Parting is proven by directions, where there are any; else, and for the rest, the
//! body is looked at where the motion has it a little later.

use super::answer::SweepOptions;
use super::course::Course;
use super::frame::{SweepFrame, size_of};
use super::legs::{Leg, legs};
use super::margin::CONTACT_CORES;
use super::problem::{LegProblem, NamedPair};
use super::relative::RelativeMotion;
use crate::model::Placed;
use crate::pair::stats::Stats;
use crate::query::distance::{DistanceOptions, distance};
use crate::query::intersect;
use crate::query::scratch::Scratch;
use crate::query::verdict::{IntersectOptions, Verdict};
use impinge_core::math::DVec3;
use impinge_core::narrow::ccd::{directions_at_contact, gap_along, parting};
use impinge_core::narrow::distance::Closest;

/// The continuation of a motion from a touching start: it parts, slides or presses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Outset {
    /// The two are apart from this time of the first leg on.
    Parts(f64),
    /// The two go on touching.
    Slides,
    /// The two overlap at once.
    Presses,
}

/// The directions that keep two touching triangles apart, from the stationary body to the moving one, in the world.
#[derive(Clone, Debug)]
pub(super) struct ContactDirections {
    directions: Vec<DVec3>,
    /// How many of them, the first ones, are normals of the faces: those do not depend on how faces are divided.
    faces: usize,
}

/// Two triangles that touch at the start, and their closest points.
struct TouchingPair {
    named: NamedPair,
    closest: Closest,
}

/// The contacts of two bodies at the start.
pub(super) struct Touch {
    pub(super) outset: Outset,
    pairs: Vec<TouchingPair>,
    frame: SweepFrame,
    /// The pair that is pressed together most, and along which direction.
    pub(super) pressed: Option<NamedPair>,
    /// The distance by which a body that slides is lifted, in the world.
    pub(super) skin: f64,
    /// The error bound of a point, in the world.
    pub(super) rounding: f64,
}

/// The contacts, at the start, of a body that is to move.
pub(crate) struct StartContacts {
    contacts: Vec<ContactDirections>,
    skin: f64,
}

impl StartContacts {
    /// The contacts of two bodies at the start; `None` where the two are apart, or overlap.
    pub(crate) fn of(
        moving: &Placed<'_>,
        motion: &RelativeMotion,
        stationary: &Placed<'_>,
        options: SweepOptions,
        scratch: &mut Scratch,
    ) -> Option<StartContacts> {
        let leg = first_leg(moving, motion, stationary)?;
        let frame = SweepFrame::new(moving, stationary, &leg.reach(motion, 0.0, options.skin));
        let contact = CONTACT_CORES * frame.margin.core * frame.scale;
        distance(moving, stationary, DistanceOptions::new().at_most(contact), scratch)?;
        let until = f64::INFINITY;
        let mut course = Course { moving, motion, stationary, is_touching: true, lift: None, until, scratch };
        let touch = touch(&mut course, &leg, options, &mut Stats::default());
        Some(StartContacts { contacts: touch.contacts(), skin: touch.skin })
    }

    /// The contacts as the other body has them.
    pub(crate) fn swapped(mut self) -> StartContacts {
        for contact in &mut self.contacts {
            contact.directions.iter_mut().for_each(|direction| *direction = -*direction);
        }
        self
    }

    /// The translations that lift a body off all that it touches, the best first.
    pub(crate) fn lifts(touched: &[StartContacts]) -> impl Iterator<Item = DVec3> + use<> {
        let contacts: Vec<ContactDirections> =
            touched.iter().flat_map(|touched| touched.contacts.iter().cloned()).collect();
        let skin = touched.iter().fold(0.0, |most: f64, touched| most.max(touched.skin));
        lifts(&contacts, skin)
    }
}

/// The first leg on which something moves; none where both stand still.
pub(super) fn first_leg(
    moving: &Placed<'_>,
    motion: &RelativeMotion,
    stationary: &Placed<'_>,
) -> Option<Leg> {
    let size = size_of(moving).max(size_of(stationary));
    legs(motion, size).find(|leg| leg.to > leg.from)
}

/// Slower than this part of the body's speed, two triangles do not part, they slide.
const GRAZING: f64 = 1.0 / (1_u64 << 36) as f64;

/// The part of the body's speed below which rounded triangles that come nearer need not press: what is `contact` farther away than the radii is
/// seen at an angle, over the next edge of a flat floor say, with the sine √(1 − 1/(1 + contact/radii)²) at most. Twice that.
fn grazing(radii: f64, contact: f64) -> f64 {
    if radii == 0.0 {
        return GRAZING;
    }
    let part = contact / radii;
    (2.0 * (part * (2.0 + part)).sqrt()).max(GRAZING)
}

/// The body is looked at where it has moved by so many times the skin,
const LOOK: f64 = 64.0;

/// and in a turn, where contacts may part or press with the square of the time, so often at four times the time.
const TURN_LOOKS: u32 = 8;

/// Decides how the motion goes on from a touching start, on its first leg.
pub(super) fn touch(
    course: &mut Course<'_, '_>,
    leg: &Leg,
    options: SweepOptions,
    stats: &mut Stats,
) -> Touch {
    let (moving, stationary) = (*course.moving, *course.stationary);
    let frame = SweepFrame::new(&moving, &stationary, &leg.reach(course.motion, 0.0, options.skin));
    let path = leg.path(course.motion, &frame);
    let problem = LegProblem::new(&frame, [&moving, &stationary], path, leg.length(), options.engine);
    let core = frame.margin.core;
    let contact = CONTACT_CORES * core;
    let near = problem.all_within(contact, [0.0, 0.0], &mut course.scratch.sweep, stats);
    let near = near.into_iter().map(|named| TouchingPair { named, closest: named.pair.closest(&path, 0.0) });
    let pairs: Vec<TouchingPair> =
        near.filter(|pair| pair.closest.squared.sqrt() - frame.radii <= contact).collect();
    let speed = problem.speed();
    // The time after which all have parted by some cores, and how fast the slowest does.
    let (mut apart_at, mut slowest, mut pressed) = (0.0_f64, f64::INFINITY, None);
    let tolerance = CONTACT_CORES * frame.margin.fine;
    for TouchingPair { named, closest } in &pairs {
        let (_, rate) = parting(&named.pair, closest, &path, frame.radii, tolerance, !course.is_touching)
            .unwrap_or((DVec3::ZERO, f64::NEG_INFINITY));
        if rate < slowest {
            (slowest, pressed) = (rate, Some(*named));
        }
        apart_at = apart_at.max(16.0 * core / rate.max(0.0));
    }
    let may_part = slowest > GRAZING * speed && apart_at < leg.length();
    let outset = if may_part && is_apart_at(course, leg, &problem, &pairs, apart_at, stats) {
        Outset::Parts(apart_at)
    } else if slowest >= -grazing(frame.radii, contact) * speed || path.is_turning() {
        look_ahead(course, leg, &problem, &pairs)
    } else {
        // Two triangles that move into each other along a line cross at once.
        Outset::Presses
    };
    let (skin, rounding) = (frame.margin.thickness * frame.scale, frame.rounding());
    Touch { outset, pairs, frame, pressed, skin, rounding }
}

impl Touch {
    /// The directions of the contacts, each once.
    pub(super) fn contacts(&self) -> Vec<ContactDirections> {
        contacts_of(&self.pairs, &self.frame)
    }
}

/// The directions of some touching pairs, without those that have the same directions as another.
fn contacts_of(pairs: &[TouchingPair], frame: &SweepFrame) -> Vec<ContactDirections> {
    let mut kept: Vec<ContactDirections> = Vec::new();
    for contact in pairs.iter().map(|pair| directions_of(pair, frame)) {
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

fn directions_of(TouchingPair { named, closest }: &TouchingPair, frame: &SweepFrame) -> ContactDirections {
    let mut directions: Vec<DVec3> = Vec::new();
    let corners = [&named.pair.moving, &named.pair.still];
    let tolerance = CONTACT_CORES * frame.margin.fine;
    for [a, b, c] in corners {
        let Some(normal) = (b - a).cross(c - a).try_normalize() else { continue };
        for normal in [normal, -normal] {
            if gap_along(normal, corners[0], corners[1], closest.points[1]) >= frame.radii - tolerance {
                directions.push(frame.vector_to_world(normal).normalize_or_zero());
            }
        }
    }
    let faces = directions.len();
    directions_at_contact(closest, corners, frame.radii, tolerance, false, |normal| {
        let normal = frame.vector_to_world(normal).normalize_or_zero();
        if !directions.iter().any(|known| known.dot(normal) > ALIKE) {
            directions.push(normal);
        }
    });
    ContactDirections { directions, faces }
}

/// Whether the two are clear at a time until which all touching pairs part, and nothing else comes near.
fn is_apart_at(
    course: &mut Course<'_, '_>,
    leg: &Leg,
    problem: &LegProblem<'_, '_>,
    pairs: &[TouchingPair],
    time: f64,
    stats: &mut Stats,
) -> bool {
    let (core, times) = (problem.margin().core, [0.0, time]);
    let others = problem.all_within(CONTACT_CORES * core, times, &mut course.scratch.sweep, stats);
    // Both lists are in order.
    let is_touching =
        |pair: &NamedPair| pairs.binary_search_by_key(&pair.key(), |touching| touching.named.key()).is_ok();
    let comes_near =
        |pair: &NamedPair| !is_touching(pair) && problem.time_within(pair, core, times).is_some();
    !others.iter().any(comes_near) && is_clear_at(course, leg, time)
}

fn is_clear_at(course: &mut Course<'_, '_>, leg: &Leg, time: f64) -> bool {
    let Some(both) = course.motion.both_after(course.moving, course.stationary, leg.shares_in(time)) else {
        return false;
    };
    verdict(course, &both) == Verdict::Clear
}

fn verdict(course: &mut Course<'_, '_>, [placed, other]: &[Placed<'_>; 2]) -> Verdict {
    intersect(placed, other, IntersectOptions::default(), course.scratch).verdict
}

/// Looks at the body where the motion has it a little later.
fn look_ahead(
    course: &mut Course<'_, '_>,
    leg: &Leg,
    problem: &LegProblem<'_, '_>,
    pairs: &[TouchingPair],
) -> Outset {
    let (core, scale) = (problem.margin().core, problem.frame.scale);
    let looks = if problem.path.is_turning() { TURN_LOOKS } else { 1 };
    // A part of the motion that is a power of two: where the motion is a short number, so is the place.
    let part = LOOK * problem.margin().thickness / problem.speed() / leg.whole;
    let first = leg.whole * libm::ldexp(1.0, libm::ilogb(part.clamp(1e-300, 1.0)));
    for look in 0..looks {
        let time = (first * f64::from(1_u32 << (2 * look))).min(leg.length());
        let both = course.motion.both_after(course.moving, course.stationary, leg.shares_in(time));
        let Some([placed, other]) = both else { return Outset::Slides };
        match verdict(course, &[placed, other]) {
            Verdict::Touching => {}
            Verdict::Clear => {
                let limit = DistanceOptions::new().at_most(2.0 * CONTACT_CORES * core * scale);
                if distance(&placed, &other, limit, course.scratch).is_none() {
                    return Outset::Parts(time);
                }
            }
            _ => {
                // By no more than rounding, if a lift of some roundings ends it.
                let away = lift_directions(&contacts_of(pairs, problem.frame));
                let is_rounding = away.iter().take(MOST_LIFTS).any(|(away, score)| {
                    let lifted = placed.translated(*away * (8.0 * core * scale / score));
                    lifted.is_some_and(|lifted| {
                        matches!(verdict(course, &[lifted, other]), Verdict::Clear | Verdict::Touching)
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
    let best = |contact: &ContactDirections, direction: DVec3| {
        contact.directions.iter().map(|normal| normal.dot(direction)).fold(f64::NEG_INFINITY, f64::max)
    };
    // The contact that ruled out the last direction is likely to rule out the next.
    let mut order: Vec<&ContactDirections> = contacts.iter().collect();
    let mut score_above = |direction: DVec3, limit: f64| {
        let mut least = 1.0_f64;
        for i in 0..order.len() {
            least = least.min(best(order[i], direction));
            if least <= limit {
                order.swap(0, i);
                return None;
            }
        }
        Some(least)
    };
    // Sums of up to three: of faces alone, then of all. Of those that are about the same, the best.
    let mut kept: Vec<(DVec3, f64)> = Vec::new();
    for single in [&single[..faces], &single[..]] {
        let mut found: Vec<(DVec3, f64)> = Vec::new();
        let mut offer = |direction: DVec3| {
            let Some(direction) = direction.try_normalize() else { return };
            if let Some(score) = score_above(direction, MOST_SLANTED) {
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
