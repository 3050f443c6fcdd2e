//! The margin: how far a body gets on a leg without coming nearer than its margin allows.
//!
//! From outside of the margin, it is stopped where the distance of the two bodies becomes the thickness. From inside, where the
//! distance becomes less than it ever was: what is inside may leave and move along, but not come nearer. `docs/math/margin.md` has the
//! derivation.

use super::frame::Margin;
use super::problem::{Found, LegProblem, NamedPair};
use crate::pair::stats::Stats;
use crate::query::scratch::SweepMemory;
use impinge_core::narrow::distance::Closest;

/// The outcome of a leg.
pub(super) enum Travel {
    /// The leg was made to its end; with the greatest distance so far, of which no more than the thickness counts: that of the next leg may be larger.
    Through(f64),
    /// No stop comes before the time up to which one matters.
    Beyond,
    /// The body is stopped.
    Stopped(Found),
    /// The two are so close, at the time from which they were to be followed, that rounding decides whether they touch.
    InContact(NamedPair),
}

/// The distance below which pairs are in contact, in multiples of the error bound: whether they part, slide or are pressed is found out at the start.
pub(super) const CONTACT_CORES: f64 = 4.0;

/// How much farther or nearer than the thickness of the margin a body is that counts as at its margin, in multiples of the error bound.
const AT_MARGIN_CORES: f64 = 4.0;

/// Follows the leg from a time on; stops after another do not matter. `greatest` is the greatest distance of the two so far, in the frame's unit.
pub(super) fn travel(
    problem: &LegProblem<'_, '_>,
    [from, limit]: [f64; 2],
    greatest: f64,
    memory: &mut SweepMemory,
    stats: &mut Stats,
) -> Travel {
    let margin = problem.margin();
    let (thickness, core) = (margin.thickness, margin.core);
    let end = problem.length;
    // What is stopped before was within the level at which it is.
    if limit < end
        && problem.first_within(margin.stop + core, [from, limit.max(from)], memory, stats).is_none()
    {
        return Travel::Beyond;
    }
    let Some(found) = problem.first_within(thickness, [from, end], memory, stats) else {
        return Travel::Through(thickness);
    };
    let at_start = problem.closest_of(&found.pair, from);
    // How far apart the two are is no more than how far this pair is.
    let level = problem.distance_between(&at_start);
    // What is found from a little outside may be no more than rounding: of normals, too, by which a body that slides along a wall seems to be pushed into it.
    if found.time > from && level > thickness + AT_MARGIN_CORES * core {
        // Where it was last as far away as what is stopped should be.
        return Travel::Stopped(last_above(problem, found, margin.stop.min(level), from, &at_start));
    }
    // Inside of the margin, or at it.
    let near = problem.all_within(level, [from, from], memory, stats);
    let distance = near.iter().map(|pair| problem.distance_of(pair, from)).fold(level, f64::min);
    let greatest = greatest.min(thickness).max(distance);
    if distance <= CONTACT_CORES * core {
        return Travel::InContact(found.pair);
    }
    if distance >= thickness - AT_MARGIN_CORES * core {
        return keep(problem, from, distance, memory, stats);
    }
    Ratchet { problem, greatest, time: from, distance }.run(memory, stats)
}

/// Goes on where the distance is about the thickness: a body that rests or slides at its margin.
fn keep(
    problem: &LegProblem<'_, '_>,
    from: f64,
    distance: f64,
    memory: &mut SweepMemory,
    stats: &mut Stats,
) -> Travel {
    let times = [from, problem.length];
    // Deeper than rounding a motion along a surface can make it: then it is pushed in, and stopped where that begins.
    let sink = 1.5 * problem.margin().core;
    match problem.first_within(distance - sink, times, memory, stats) {
        None => Travel::Through(distance),
        Some(found) => {
            let at_start = problem.closest_of(&found.pair, from);
            Travel::Stopped(last_above(problem, found, distance, from, &at_start))
        }
    }
}

/// The last time before a pair comes too near at which it is as far apart as a level that it was above. `at_start` are its closest points at the time from which the
/// leg is followed.
fn last_above(
    problem: &LegProblem<'_, '_>,
    found: Found,
    level: f64,
    from: f64,
    at_start: &Closest,
) -> Found {
    let (start, tolerance) = (problem.distance_between(at_start), problem.tolerance());
    let is_pushed = start <= level + tolerance && problem.slope_from(&found.pair, from, at_start) < 0.0;
    if is_pushed {
        // At once, and not a rounding later: what is pushed against a wall rests.
        return Found { time: from, ..found };
    }
    // In a turn, what starts at the level may part at first: not a rounding of the start is looked for, but where it comes back.
    let parts = start <= level + tolerance;
    // Where it comes back, or moves along, it gets on for long within a rounding of the level.
    let (level, tolerance) = if parts { (level - tolerance, 0.0) } else { (level, tolerance) };
    if start < level {
        return Found { time: from, ..found };
    }
    // Until the pair is found it is farther apart than that, whatever its closest features are in between.
    let closest = problem.closest_of(&found.pair, found.time);
    let distance = |time: f64| problem.distance_near(&found.pair, time, &closest);
    let end = problem.distance_between(&closest);
    // Along a line distances are convex: on the tangent, the level is reached no later than on the way.
    let slope = problem.slope_from(&found.pair, found.time, &closest);
    let guess = found.time + (level + tolerance / 2.0 - end) / slope;
    let time = last_at_least([from, found.time], [start, end], guess, [level, tolerance], distance);
    Found { time, ..found }
}

/// Follows a body that is inside of its margin, from window to window of time.
struct Ratchet<'r, 'l, 'm> {
    problem: &'r LegProblem<'l, 'm>,
    greatest: f64,
    time: f64,
    /// The distance at that time.
    distance: f64,
}

/// The outcome of a window.
enum Window {
    /// The distance at its end.
    Through(f64),
    /// The distance reached what is looked at.
    Rises(f64),
    Stopped(Found),
}

/// A window of a turn is this part of the leg at most: within it, distances of pairs have at most one extreme.
const TURN_WINDOWS: f64 = 64.0;

/// The distance is followed up to at least so many times what rounding does: through the skin at once.
const LEAST_RISE: f64 = 2048.0;

/// In the first window, bodies move by so many faces.
const WINDOW_FACES: f64 = 4.0;

/// While there are no more pairs than this to follow, windows become longer.
const FEW_PAIRS: usize = 32;

impl Ratchet<'_, '_, '_> {
    fn run(mut self, memory: &mut SweepMemory, stats: &mut Stats) -> Travel {
        let margin = self.problem.margin();
        let (thickness, core) = (margin.thickness, margin.core);
        let outside = thickness + 2.0 * core;
        let speed = self.problem.speed();
        let mut length = WINDOW_FACES * self.problem.face_size();
        loop {
            let ceiling = (self.distance * 1.25).max(self.distance + LEAST_RISE * core).min(outside);
            let mut window = (64.0 * ceiling + length) / speed;
            if self.problem.path.is_turning() {
                window = window.min(self.problem.length / TURN_WINDOWS);
            }
            let mut to = self.time + window;
            if to >= self.problem.length || to.is_nan() || to <= self.time {
                to = self.problem.length;
            }
            let times = [self.time, to];
            let mut pairs = self.problem.all_within(ceiling, times, memory, stats);
            pairs.retain(|pair| self.problem.time_within(pair, ceiling, times).is_some());
            // The distance that there is now is kept by a proof; what is followed does not cross, so that it has a distance.
            let level = self.distance.min(self.greatest) - 1.5 * core;
            let guard = self.problem.first_of(&pairs, level, times);
            to = guard.map_or(to, |found| found.time);
            if let (Some(found), true) = (guard, to <= self.time) {
                return Travel::Stopped(found);
            }
            match self.follow(&pairs, to, ceiling) {
                Window::Through(_) if guard.is_some() => {
                    return Travel::Stopped(guard.expect("it is some"));
                }
                Window::Stopped(found) => return Travel::Stopped(found),
                Window::Rises(time) if ceiling >= outside => {
                    return travel(self.problem, [time, f64::INFINITY], thickness, memory, stats);
                }
                Window::Rises(time) => {
                    self.time = time;
                    self.distance = ceiling;
                }
                Window::Through(_) if to >= self.problem.length => return Travel::Through(self.greatest),
                Window::Through(distance) => {
                    if pairs.len() <= FEW_PAIRS {
                        length *= 2.0;
                    }
                    self.time = to;
                    self.distance = distance.min(ceiling);
                }
            }
        }
    }

    /// Follows the pairs that come within `ceiling` up to a time. While some recede and others approach, the distance of the bodies rises
    /// with the least of the ones and then falls with the least of the others.
    fn follow(&mut self, pairs: &[NamedPair], to: f64, ceiling: f64) -> Window {
        let problem = self.problem;
        let Margin { thickness, core, .. } = problem.margin();
        let mut from = self.time;
        // Slower than this, nothing comes nearer by more than rounding until then: it moves along.
        let along = core / (4.0 * (to - from));
        let rises = |pair: &NamedPair, time: f64| problem.slope_of(pair, time) >= -along;
        loop {
            let (receding, approaching): (Vec<&NamedPair>, Vec<&NamedPair>) =
                pairs.iter().partition(|pair| rises(pair, from));
            // The first time at which one of them turns round. Along a line, distances of convex sets are convex: what recedes does so
            // for ever.
            let mut until = to;
            for pair in &approaching {
                if rises(pair, until) {
                    until = first_where([from, until], |time| rises(pair, time));
                }
            }
            if problem.path.is_turning() {
                for pair in &receding {
                    if !rises(pair, until) {
                        until = first_where([from, until], |time| !rises(pair, time));
                    }
                }
            }
            // Where a turning point is at the very start, to the next number.
            until = until.max(from.next_up()).min(to);
            let falls = |time: f64| problem.least_of(&approaching, time) < problem.least_of(&receding, time);
            let top = if falls(until) { first_where([from, until], falls) } else { until };
            let least =
                |time: f64| problem.least_of(&approaching, time).min(problem.least_of(&receding, time));
            let height = least(top);
            if height >= ceiling {
                let time = pairs.iter().fold(from, |from, pair| {
                    first_where_soon([from, top], |time| problem.distance_of(pair, time) >= ceiling)
                });
                self.greatest = self.greatest.max(ceiling.min(thickness));
                return Window::Rises(time);
            }
            self.greatest = self.greatest.max(height.min(thickness));
            if least(until) < self.greatest - core {
                // Where it was last as far away as ever.
                let greatest = self.greatest;
                let time = if height >= greatest {
                    top
                } else {
                    first_where([top, until], |time| least(time) < greatest)
                };
                // Of those that come nearer, the one that is nearest there.
                let nearest = |pair: &NamedPair| problem.distance_of(pair, time);
                let by_distance = |a: &&NamedPair, b: &&NamedPair| {
                    nearest(a).total_cmp(&nearest(b)).then_with(|| a.key().cmp(&b.key()))
                };
                let stopping = approaching.iter().copied().min_by(by_distance);
                let pair = *stopping.or(pairs.iter().min_by(by_distance)).expect("something is near");
                return Window::Stopped(Found { time, pair });
            }
            if until >= to {
                let all: Vec<&NamedPair> = pairs.iter().collect();
                return Window::Through(problem.least_of(&all, to));
            }
            from = until;
        }
    }
}

/// [`first_where`], for a condition that is likely to hold soon after the first number: of many pairs that part alike, only the first is
/// searched through the whole interval.
fn first_where_soon([mut from, to]: [f64; 2], holds: impl Fn(f64) -> bool) -> f64 {
    if holds(from) {
        return from;
    }
    let mut step = from.next_up() - from;
    while from + step < to {
        if holds(from + step) {
            return first_where([from, from + step], holds);
        }
        from += step;
        step *= 4.0;
    }
    first_where([from, to], holds)
}

/// The last number between two at which a distance that falls, from one to another, is at least a level, or one at which it is no more above the level than a tolerance;
/// from a guess that is likely to be close.
///
/// A bisection would evaluate the distance fifty times. Here the interval is cut where its chord reaches the level, but for a little more
/// each time that the same end moves, and what is left after a few cuts is bisected.
fn last_at_least(
    [mut from, mut to]: [f64; 2],
    [mut above, mut below]: [f64; 2],
    guess: f64,
    [level, tolerance]: [f64; 2],
    distance: impl Fn(f64) -> f64,
) -> f64 {
    let mut cut = guess;
    let mut step = 2.0 * (to.next_up() - to);
    let mut was_above = None;
    for _ in 0..CUTS {
        // False for a guess that is no number.
        if !(cut > from && cut < to) {
            break;
        }
        let at_cut = distance(cut);
        let is_above = at_cut >= level;
        if is_above && at_cut <= level + tolerance {
            return cut;
        }
        if is_above {
            (from, above) = (cut, at_cut);
        } else {
            (to, below) = (cut, at_cut);
        }
        step *= if was_above == Some(is_above) { 8.0 } else { 1.0 };
        was_above = Some(is_above);
        if to - from <= 4.0 * step {
            break;
        }
        let chord = from + (to - from) * ((above - (level + tolerance / 2.0)) / (above - below));
        cut = chord.clamp(from + step, to - step);
    }
    first_where([from, to], |time| distance(time) < level)
}

/// So often the interval of [`last_at_least`] is cut before it is bisected.
const CUTS: u32 = 12;

/// The first number between two at which a condition holds that goes on holding, and holds at the second.
fn first_where([mut from, mut to]: [f64; 2], holds: impl Fn(f64) -> bool) -> f64 {
    if holds(from) {
        return from;
    }
    loop {
        let middle = from + (to - from) / 2.0;
        if middle <= from || middle >= to {
            // The last at which it does not hold yet is as good, and never late.
            return from;
        }
        if holds(middle) {
            to = middle;
        } else {
            from = middle;
        }
    }
}
