//! The time of impact of two triangles: conservative advancement along directions that turn with the features.
//!
//! At each step the closest points give a direction and how it turns. Along it the two stay apart for at least as long as nine
//! quadratics say, one for each pair of corners; then the closest points are looked for again. Each step is a proof, and
//! the steps become shorter as Newton's do: no root is solved for.

use super::line::{apart_until, middles_are_apart};
use super::line_guess::{LineGuess, is_thin, line_guess};
use super::path::{Moment, RigidPath};
use super::separation::{Separation, directions_at_contact, separation, separation_at, separation_of};
use crate::math::DVec3;
use crate::narrow::distance::{Closest, Place, closest_at, triangles};

/// A triangle that moves, where it is at time 0, and one that stands still.
#[derive(Clone, Copy, Debug)]
pub struct TrianglePair {
    /// The moving triangle.
    pub moving: [DVec3; 3],
    /// The triangle that stands still.
    pub still: [DVec3; 3],
}

/// After so many steps the two count as having come within the distance. Edges that turn about an axis between them, far nearer to both than
/// they are long, take tens of thousands.
const MOST_STEPS: u32 = 1 << 17;

/// So many steps are made to show that two stay apart for a short time.
const FEW_STEPS: u32 = 6;

/// No step turns by more than this, in radians.
const LONGEST_STEP: f64 = 0.5;

impl TrianglePair {
    /// The corners of the moving triangle at a moment.
    #[inline]
    pub fn moved(&self, path: &RigidPath, moment: &Moment) -> [DVec3; 3] {
        self.moving.map(|corner| path.place(corner, moment))
    }

    /// The closest points at a time.
    pub fn closest(&self, path: &RigidPath, time: f64) -> Closest {
        triangles(&self.moved(path, &path.moment(time)), &self.still)
    }

    /// The distance at a time of those features that are closest at another, or of the closest ones where those have parted.
    pub fn distance_near(&self, path: &RigidPath, time: f64, at: &Closest) -> f64 {
        let moved = self.moved(path, &path.moment(time));
        let same = closest_at(at.places, &moved, &self.still);
        same.unwrap_or_else(|| triangles(&moved, &self.still)).squared.sqrt()
    }

    /// The direction from the still triangle to the moving one at a time at which they are not in contact.
    pub fn normal(&self, path: &RigidPath, time: f64, tolerance: f64) -> DVec3 {
        separation(&self.moved(path, &path.moment(time)), &self.still, tolerance).normal
    }

    /// The rate at which the distance of the two grows at a time at which they are not in contact.
    pub fn slope(&self, path: &RigidPath, time: f64, tolerance: f64) -> f64 {
        self.slope_of(path, time, &self.closest(path, time), tolerance)
    }

    /// [`slope`](Self::slope) where the closest points at that time are known.
    pub fn slope_of(&self, path: &RigidPath, time: f64, closest: &Closest, tolerance: f64) -> f64 {
        let moment = path.moment(time);
        let found = separation_of(closest, &self.moved(path, &moment), &self.still, tolerance);
        found.normal.dot(path.velocity_at(found.points[0], &moment))
    }
}

/// The time of impact: the first time between two at which a moving triangle is within `level` of a still one, up to `tolerance`; none where it
/// keeps farther away. Before that time, they are farther apart than the level by a proof.
pub fn time_within(
    pair: &TrianglePair,
    path: &RigidPath,
    level: f64,
    times: [f64; 2],
    tolerance: f64,
) -> Option<f64> {
    if path.is_turning() {
        return turning_time_within(pair, path, level, times, tolerance).0;
    }
    if is_thin(&pair.moving) || is_thin(&pair.still) {
        return thin_time_within(pair, path, level, times, tolerance);
    }
    line_time_within(pair, path, level, times, tolerance)
}

/// [`time_within`] for a body that turns, with the last direction along which the two were shown to be apart.
pub fn turning_time_within(
    pair: &TrianglePair,
    path: &RigidPath,
    level: f64,
    times: [f64; 2],
    tolerance: f64,
) -> (Option<f64>, DVec3) {
    advance(pair, path, level, times, tolerance, MOST_STEPS)
}

/// [`time_within`] along a line.
fn line_time_within(
    pair: &TrianglePair,
    path: &RigidPath,
    level: f64,
    times: [f64; 2],
    tolerance: f64,
) -> Option<f64> {
    // Where the two are farther apart by this much more, the advancement would step on, too.
    let from = apart_until([&pair.moving, &pair.still], path.velocity, level + 4.0 * tolerance, times)?;
    advance(pair, path, level, [from, times[1]], tolerance, MOST_STEPS).0
}

/// Whether a few steps show that [`time_within`] finds no time between two, wherever it begins before the first; and the last direction along which the two
/// were shown to be apart.
pub fn stay_apart(
    pair: &TrianglePair,
    path: &RigidPath,
    level: f64,
    times: [f64; 2],
    tolerance: f64,
) -> (bool, DVec3) {
    let (time, axis) = advance(pair, path, level + 4.0 * tolerance, times, tolerance, FEW_STEPS);
    (time.is_none(), axis)
}

/// The conservative advancement from a time on, up to a number of steps; with the last direction of its proof.
#[inline]
fn advance(
    pair: &TrianglePair,
    path: &RigidPath,
    level: f64,
    [from, to]: [f64; 2],
    tolerance: f64,
    steps: u32,
) -> (Option<f64>, DVec3) {
    let (mut time, mut axis, mut places) = (from, DVec3::ZERO, None);
    for _ in 0..steps {
        let moment = path.moment(time);
        let moved = pair.moved(path, &moment);
        // They are closest where they were, most of the time, and a direction shows it.
        let same = places.and_then(|places| separation_at(places, &moved, &pair.still, tolerance / 4.0));
        let found = match same {
            Some(found) => found,
            None => {
                let closest = triangles(&moved, &pair.still);
                if closest.squared.sqrt() <= level + tolerance {
                    return (Some(time), axis);
                }
                separation_of(&closest, &moved, &pair.still, tolerance / 4.0)
            }
        };
        if found.distance <= level + tolerance {
            return (Some(time), axis);
        }
        (axis, places) = (found.normal, Some(found.places));
        let step = if path.is_turning() {
            turning_step(pair, path, &moment, &moved, &found, level)
        } else {
            let speed = -found.normal.dot(path.velocity);
            // Moving along, or away.
            if speed <= 0.0 {
                return (None, axis);
            }
            (found.gap - level).max(0.0) / speed
        };
        let next = time + step;
        if next > to {
            return (None, axis);
        }
        if next <= time {
            return (Some(time), axis);
        }
        time = next;
    }
    (Some(time), axis)
}

/// [`time_within`] along a line, where one of the two is a point or a segment: the time is guessed first, and then proven.
fn thin_time_within(
    pair: &TrianglePair,
    path: &RigidPath,
    level: f64,
    [from, to]: [f64; 2],
    tolerance: f64,
) -> Option<f64> {
    if middles_are_apart(&pair.moving, &pair.still, path.velocity, level + 4.0 * tolerance, [from, to]) {
        return None;
    }
    let guess = line_guess([&pair.moving, &pair.still], path.velocity, level + tolerance / 2.0);
    let by_steps = |from: f64| line_time_within(pair, path, level, [from, to], tolerance);
    // At the time that is guessed, whether it is before the last or not: what is found does not depend on how long is looked.
    let time = match guess {
        Some(LineGuess::Enters(time) | LineGuess::Passes(time)) if time > from && time.is_finite() => time,
        _ => return by_steps(from),
    };
    let moved = pair.moved(path, &path.moment(time));
    let closest = triangles(&moved, &pair.still);
    let found = separation_of(&closest, &moved, &pair.still, tolerance / 4.0);
    let speed = -found.normal.dot(path.velocity);
    // Along the direction they are so far apart at this time and at the first, and so in between.
    if found.gap.min(found.gap + speed * (time - from)) <= level {
        return by_steps(from);
    }
    if time > to {
        return None;
    }
    if found.distance <= level + tolerance {
        return Some(time);
    }
    if speed <= 0.0 {
        return None;
    }
    let next = time + (found.gap - level) / speed;
    if next > to { None } else { by_steps(next) }
}

/// How long the two surely stay farther apart than the level, while the moving one turns.
fn turning_step(
    pair: &TrianglePair,
    path: &RigidPath,
    moment: &Moment,
    moved: &[DVec3; 3],
    found: &Separation,
    level: f64,
) -> f64 {
    let normal = found.normal;
    let velocities = moved.map(|corner| path.velocity_at(corner, moment));
    let radii = pair.moving.map(|corner| path.radius(corner));
    // The same for all, so that the time found does not depend on how long is looked.
    let longest = LONGEST_STEP / path.fastest_rate();
    let bound = Bound { path, moved, still: &pair.still, velocities, radii, found, level, longest };
    // The way of turning that suits the features, first: a face of the body turns with it.
    let first = match found.places {
        [Place::Edge(i), Place::Edge(j)] => bound.lasts_for_edges(i as usize, j as usize),
        [Place::Inside, _] => bound.lasts_for_body(moment),
        _ => bound.lasts(DVec3::ZERO),
    };
    // Others last longer where it bends much.
    let speed = -normal.dot(path.velocity_at(found.points[0], moment));
    let is_good = first >= longest || first * speed >= GOOD_STEP * (found.gap - level);
    if is_good && speed > 0.0 {
        return first.min(longest);
    }
    let mut step = first.max(bound.lasts(DVec3::ZERO)).max(bound.lasts_for_body(moment));
    if let [Place::Edge(i), Place::Edge(j)] = found.places {
        step = step.max(bound.lasts_for_edges(i as usize, j as usize));
    }
    step.min(longest)
}

/// A step is good that brings the two nearer by this part of what is between them.
const GOOD_STEP: f64 = 0.75;

/// The bounds known of two triangles at a moment.
struct Bound<'b> {
    path: &'b RigidPath,
    moved: &'b [DVec3; 3],
    still: &'b [DVec3; 3],
    velocities: [DVec3; 3],
    radii: [f64; 3],
    found: &'b Separation,
    level: f64,
    /// No step is longer than this.
    longest: f64,
}

impl Bound<'_> {
    /// How long the two surely are farther apart than the level along the direction that turns as the product of two edges does; 0 where that is none.
    fn lasts_for_edges(&self, i: usize, j: usize) -> f64 {
        let normal = self.found.normal;
        let along = self.moved[(i + 1) % 3] - self.moved[i];
        let other = self.still[(j + 1) % 3] - self.still[j];
        let across = other.cross(normal);
        let turning = normal.dot(self.velocities[i] - self.velocities[(i + 1) % 3]) / along.dot(across);
        if turning.is_finite() { self.lasts(across * turning) } else { 0.0 }
    }

    /// How long the two surely are farther apart than the level along the direction `normal + time · turn`.
    fn lasts(&self, turn: DVec3) -> f64 {
        let Bound { path, found, level, longest, .. } = *self;
        let (normal, origin) = (found.normal, found.points[1]);
        // The direction gets longer as it turns.
        let stretch = 0.5 * level * turn.length_squared();
        let across = path.axis.cross(normal).length() + longest * path.axis.cross(turn).length();
        let still = self.still.map(|corner| [normal.dot(corner - origin), turn.dot(corner - origin)]);
        // Of what does not turn, the highest corner alone counts.
        let highest = [[still[0][0].max(still[1][0]).max(still[2][0]), 0.0]];
        let still = if turn == DVec3::ZERO { &highest[..] } else { &still[..] };
        let mut least = f64::INFINITY;
        for i in 0..3 {
            let (from_origin, velocity) = (self.moved[i] - origin, self.velocities[i]);
            let (height, rise) = (normal.dot(from_origin), normal.dot(velocity) + turn.dot(from_origin));
            let acceleration = match path.observer {
                None => path.rate * path.rate * self.radii[i] * across * (1.0 + 1e-9),
                Some(_) => {
                    path.acceleration(self.radii[i], velocity.length(), longest)
                        * (1.0 + longest * turn.length())
                }
            };
            let bend = turn.dot(velocity).abs() + 0.5 * acceleration + stretch;
            for &[other, other_rise] in still {
                least = least.min(first_root(height - other - level, rise - other_rise, bend));
            }
        }
        least
    }
}

impl Bound<'_> {
    /// How long the two surely are farther apart than the level along the normal if that turns with the moving body: seen from there, it is
    /// the other triangle that moves, and what is near the axis hardly does.
    fn lasts_for_body(&self, moment: &Moment) -> f64 {
        let Bound { path, found, level, longest, .. } = *self;
        let (normal, origin) = (found.normal, found.points[1]);
        let height =
            self.moved.iter().fold(f64::INFINITY, |least, corner| least.min(normal.dot(*corner - origin)));
        let (across, speed) = (path.axis.cross(normal).length(), path.velocity.length());
        let mut least = f64::INFINITY;
        for corner in self.still {
            let velocity = path.velocity_at(*corner, moment);
            let bend = match &path.observer {
                None => {
                    // The acceleration towards the axis, and that of Coriolis.
                    let radius = path.radius_at(*corner, moment) + speed * longest;
                    0.5 * path.rate * (path.rate * radius + 2.0 * speed) * across * (1.0 + 1e-9)
                }
                Some(observer) => {
                    0.5 * observer.acceleration_from_body(&path.own(), *corner, velocity.length(), longest)
                }
            };
            let start = height - normal.dot(*corner - origin) - level;
            least = least.min(first_root(start, normal.dot(velocity), bend));
        }
        least
    }
}

/// The first time from which `start + slope · time − bend · time²` is negative.
#[inline]
fn first_root(start: f64, slope: f64, bend: f64) -> f64 {
    if start <= 0.0 {
        return 0.0;
    }
    let root = (slope * slope + 4.0 * bend * start).sqrt();
    if slope > 0.0 {
        // Nothing cancels; infinity where nothing bends.
        (slope + root) / (2.0 * bend)
    } else {
        2.0 * start / (root - slope)
    }
}

/// The direction, from the triangle that stands still to the moving one, along which two triangles that touch at the start part fastest,
/// and how fast; slower than 0 where they are pressed together whatever the direction. None where no direction keeps them apart.
/// Rounded triangles touch where they are `radii` apart. `closest` are their closest points at the start. `are_apart` says that they do not touch yet, and are only within the tolerance.
pub fn parting(
    pair: &TrianglePair,
    closest: &Closest,
    path: &RigidPath,
    radii: f64,
    tolerance: f64,
    are_apart: bool,
) -> Option<(DVec3, f64)> {
    let moment = path.moment(0.0);
    let velocities = pair.moving.map(|corner| path.velocity_at(corner, &moment));
    let origin = pair.still[0];
    let mut best: Option<(DVec3, f64)> = None;
    directions_at_contact(closest, [&pair.moving, &pair.still], radii, tolerance, are_apart, |normal| {
        let slope = |turn: DVec3| {
            let still = pair.still.map(|corner| [normal.dot(corner - origin), turn.dot(corner - origin)]);
            let mut least = f64::INFINITY;
            for (corner, velocity) in pair.moving.iter().zip(velocities) {
                let from_origin = *corner - origin;
                let (height, rise) = (normal.dot(from_origin), normal.dot(velocity) + turn.dot(from_origin));
                for [other, other_rise] in still {
                    // Corners that are no part of the contact have time.
                    if height - other <= radii + 4.0 * tolerance {
                        least = least.min(rise - other_rise);
                    }
                }
            }
            least
        };
        let mut speed = slope(DVec3::ZERO);
        if path.is_turning() {
            speed = speed.max(slope(path.spin_across(normal)));
            for i in 0..3 {
                for j in 0..3 {
                    let along = pair.moving[(i + 1) % 3] - pair.moving[i];
                    let other = pair.still[(j + 1) % 3] - pair.still[j];
                    let across = other.cross(normal);
                    let turning = normal.dot(velocities[i] - velocities[(i + 1) % 3]) / along.dot(across);
                    if turning.is_finite() {
                        speed = speed.max(slope(across * turning));
                    }
                }
            }
        }
        if best.is_none_or(|(_, most)| speed > most) {
            best = Some((normal, speed));
        }
    });
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow::ccd::test_pairs::Random;

    #[test]
    fn pairs_that_stay_apart_have_no_time_of_impact() {
        let random = &mut Random(3);
        let tolerance = 1e-13;
        let (mut apart, mut within) = (0, 0);
        for case in 0..4_000 {
            let pair = TrianglePair { moving: random.triangle(), still: random.triangle() };
            let path = if case % 4 == 0 { RigidPath::line(random.corner()) } else { random.path() };
            let level = [1e-11, 0.2][case % 2];
            let times = [0.5, 0.75];
            let found = time_within(&pair, &path, level, [0.0, times[1]], tolerance);
            let (is_apart, _) = stay_apart(&pair, &path, level, times, tolerance);
            assert!(!is_apart || found.is_none_or(|time| time < times[0]), "{pair:?} {path:?} {found:?}");
            // Whatever it begins with, the advancement along a line comes to the same time, but for the tolerance.
            if !path.is_turning() {
                let (plain, _) = advance(&pair, &path, level, [0.0, times[1]], tolerance, MOST_STEPS);
                assert_eq!(plain.is_some(), found.is_some(), "{pair:?} {path:?} {plain:?} {found:?}");
                if let (Some(plain), Some(found)) = (plain, found) {
                    let gaps = [plain, found].map(|time| pair.closest(&path, time).squared.sqrt());
                    assert!(plain == found || gaps.iter().all(|gap| *gap <= level + 2.0 * tolerance));
                }
            }
            apart += usize::from(is_apart);
            within += usize::from(found.is_some());
        }
        assert!(apart > 1_000 && within > 400, "{apart} {within}");
    }
}
