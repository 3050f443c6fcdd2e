//! Continuous collision detection (CCD), time of impact: how far a placed model can move before it touches another (van Waveren 2005).
//!
//! `docs/math/sweeps.md` says why the answer is never late, `docs/math/margin.md` how near bodies may come.

mod conservative_advancement;
mod answer;
mod course;
mod frame;
mod legs;
mod margin;
mod problem;
mod relative;
mod search;
mod swept_bounds;
mod touching;

pub use answer::{Sweep, SweepHit, SweepOptions, SweepStatus};
pub use conservative_advancement::{Advancement, Trajectory, conservative_advancement};

use crate::mesh::MaterialSet;
use crate::model::Placed;
use crate::pair::stats::Stats;
use crate::query::scratch::{Scratch, with_scratch};
use crate::query::verdict::IntersectOptions;
use crate::query::{Standing, intersects, standing};
use course::{Course, Stop};
use frame::SweepFrame;
pub(crate) use frame::{size_of, skin_for};
use impinge_core::math::IntoPoint;
use impinge_core::transform::{Motion, TransformError};
use legs::legs;
use margin::{Travel, travel};
use problem::{LegProblem, NamedPair};
pub(crate) use relative::{RelativeMotion, turns};
use swept_bounds::LineBounds;
pub(crate) use touching::StartContacts;
use touching::{Outset, first_leg, touch};

/// Facts about two bodies that are known before one is swept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    /// They do not interpenetrate at the start.
    pub(crate) are_free: bool,
    /// They do not touch at the start.
    pub(crate) are_apart: bool,
    /// Stops at larger fractions do not matter: where there is none before, the answer is a motion that is clear.
    pub(crate) until: f64,
}

impl Known {
    /// Nothing is known, and everything matters.
    pub(crate) const NOTHING: Known = Known { are_free: false, are_apart: false, until: f64::INFINITY };
}

/// Sweeps a body along a motion relative to the other, and tells whether the two are known not to touch at the start.
fn sweep_relative(
    moving: &Placed<'_>,
    motion: &RelativeMotion,
    stationary: &Placed<'_>,
    options: SweepOptions,
    known: Known,
    scratch: &mut Scratch,
) -> (Sweep, bool) {
    if !options.ignored_materials.is_empty() {
        let left = [moving, stationary].map(|placed| placed.without_materials(options.ignored_materials));
        let options = options.ignored_materials(MaterialSet::NONE);
        let [Some(moving), Some(stationary)] = &left else {
            let until = known.until;
            let course =
                Course { moving, motion, stationary, is_touching: false, lift: None, until, scratch };
            return (course.unhindered(), false);
        };
        return sweep_relative(moving, motion, stationary, options, known, scratch);
    }
    let mut stats = Stats::default();
    let start =
        if known.are_apart { Standing::Clear } else { standing(moving, stationary, known.are_free, scratch) };
    if start == Standing::Overlapping {
        let overlapping = Sweep {
            status: SweepStatus::StartedOverlapping,
            fraction: 0.0,
            phase: None,
            world_from_moving: *moving.placement(),
            world_from_stationary: *stationary.placement(),
            hit: None,
            lift: None,
            wedged: false,
            rounding: 0.0,
            stats,
        };
        return (overlapping, false);
    }
    let (until, is_touching) = (known.until, start == Standing::Touching);
    let mut course = Course { moving, motion, stationary, is_touching, lift: None, until, scratch };
    if !is_touching && let Some(sweep) = follow(&mut course, 0.0, options, &mut stats) {
        return (sweep, true);
    }
    (from_contact(course, options, stats), !is_touching)
}

/// Makes a motion of a body that touches the other at the start, or is so close to it that rounding decides.
fn from_contact(mut course: Course<'_, '_>, options: SweepOptions, mut stats: Stats) -> Sweep {
    let Some(leg) = first_leg(course.moving, course.motion, course.stationary) else {
        // It stands still.
        return course.end(Stop::through(0.0), options, stats);
    };
    let start = touch(&mut course, &leg, options, &mut stats);
    let stop = Stop {
        fraction: 0.0,
        pair: start.pressed,
        phase: Some(leg.phase),
        wedged: false,
        rounding: start.rounding,
    };
    match start.outset {
        Outset::Presses => course.end(stop, options, stats),
        Outset::Parts(time) => match follow(&mut course, time, options, &mut stats) {
            Some(sweep) => sweep,
            None => course.end(stop, options, stats),
        },
        Outset::Slides => {
            let (moving, stationary, motion) = (*course.moving, *course.stationary, *course.motion);
            let mut best: Option<Sweep> = None;
            for lift in touching::lifts(&start.contacts(), start.skin) {
                let lifted = moving.translated(lift);
                let Some(lifted) = lifted.filter(|lifted| {
                    !intersects(lifted, &stationary, IntersectOptions::default(), course.scratch)
                }) else {
                    continue;
                };
                // All of the motion is lifted, its axis too: what turns about an edge that it shares with the other goes on doing so.
                let motion = motion.moved(lift);
                let mut course = Course {
                    moving: &lifted,
                    motion: &motion,
                    stationary: &stationary,
                    is_touching: false,
                    lift: Some(lift),
                    until: course.until,
                    scratch: course.scratch,
                };
                // The one that gets on farthest.
                if let Some(sweep) = follow(&mut course, 0.0, options, &mut stats)
                    && best.as_ref().is_none_or(|best| sweep.fraction > best.fraction)
                {
                    best = Some(sweep);
                }
                if best.as_ref().is_some_and(|best| best.status == SweepStatus::Clear) {
                    break;
                }
            }
            best.unwrap_or_else(|| course.end(Stop { wedged: true, ..stop }, options, stats))
        }
    }
}

/// Makes the motion, leg by leg; `from` is when the two are apart, on the first leg that moves, where they touch at its start. None where
/// they are in contact then.
fn follow(course: &mut Course<'_, '_>, from: f64, options: SweepOptions, stats: &mut Stats) -> Option<Sweep> {
    let size = frame::size_of(course.moving).max(frame::size_of(course.stationary));
    // The greatest distance so far, in the world.
    let mut greatest = 0.0;
    let (mut rounding, mut from) = (0.0, from);
    let way = LineBounds::new(course, &options);
    for leg in legs(course.motion, size) {
        let limit = leg.time_at(course.until);
        if limit < 0.0 {
            return Some(course.beyond(rounding, *stats));
        }
        let is_far = way.as_ref().is_some_and(|way| way.is_apart(&leg));
        if is_far && !leg.is_last() {
            // Farther apart than any margin.
            (greatest, from) = (f64::INFINITY, 0.0);
            continue;
        }
        let both = course.motion.both_after(course.moving, course.stationary, leg.shares_in(0.0));
        let Some([start, other]) = both else {
            // Out of the range of placements: as far as that goes.
            let stop =
                Stop { fraction: leg.fraction_at(0.0), phase: Some(leg.phase), ..Stop::through(rounding) };
            return Some(course.end(stop, options, *stats));
        };
        if leg.to <= leg.from {
            continue;
        }
        let reach = leg.reach(course.motion, options.margin, options.skin);
        let frame = SweepFrame::new(&start, &other, &reach);
        let path = leg.path(course.motion, &frame);
        // A little more, for what rounds.
        let length = leg.length() * (1.0 + 8.0 * f64::EPSILON);
        let problem = LegProblem::new(&frame, [&start, &other], path, length, options.engine);
        rounding = frame.rounding() + leg.fraction_rounding() * problem.speed() * frame.scale;
        let begin = std::mem::take(&mut from);
        if is_far {
            continue;
        }
        let stop = |time: f64, pair: NamedPair| Stop {
            fraction: leg.fraction_at(time),
            pair: Some(pair),
            phase: Some(leg.phase),
            ..Stop::through(rounding)
        };
        let memory = &mut course.scratch.sweep;
        match travel(&problem, [begin, limit], greatest / frame.scale, memory, stats) {
            Travel::Beyond => return Some(course.beyond(rounding, *stats)),
            Travel::Through(distance) => greatest = distance * frame.scale,
            Travel::Stopped(found) => return Some(course.end(stop(found.time, found.pair), options, *stats)),
            Travel::InContact(_) if greatest == 0.0 && begin == 0.0 => return None,
            Travel::InContact(pair) => return Some(course.end(stop(begin, pair), options, *stats)),
        }
    }
    Some(course.end(Stop::through(rounding), options, *stats))
}

impl Placed<'_> {
    /// Sweeps this model along a motion until it touches another: continuous collision detection, time of impact.
    ///
    /// With t the fraction at which the two first truly touch: the fraction returned is at most t; the pose returned is free by the exact
    /// test; on a hit the two are no farther apart there than the bound says; and every motion on which the two touch is a hit.
    ///
    /// ```
    /// use impinge::{Model, Motion, Trs, shapes};
    /// use impinge::query::SweepStatus;
    ///
    /// let ball = Model::new(shapes::icosphere(1.0, 4)?);
    /// let wall = Model::new(shapes::cuboid([4.0, -5.0, -5.0], [4.1, 5.0, 5.0])?);
    /// let wall = wall.at(Trs::IDENTITY);
    /// // Fast enough to be behind the wall at the end.
    /// let throw = Motion::translation([12.0, 0.0, 0.0])?;
    /// let sweep = ball.at(Trs::IDENTITY).sweep(&throw, &wall);
    /// assert_eq!(sweep.status, SweepStatus::Hit);
    /// assert!(sweep.fraction <= 0.25 && sweep.fraction > 0.2499);
    /// let there = ball.at(sweep.world_from_moving);
    /// assert!(!there.intersects(&wall));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "shape_cast")]
    #[doc(alias = "time_of_impact")]
    #[doc(alias = "cast_shapes")]
    #[doc(alias = "ccd")]
    #[doc(alias = "continuous collision detection")]
    #[doc(alias = "sphere cast")]
    #[doc(alias = "shape cast")]
    #[doc(alias = "toi")]
    pub fn sweep(&self, motion: &Motion, stationary: &Placed<'_>) -> Sweep {
        self.sweep_with(motion, stationary, SweepOptions::default())
    }

    /// [`sweep`](Self::sweep) with given options, such as a margin.
    pub fn sweep_with(&self, motion: &Motion, stationary: &Placed<'_>, options: SweepOptions) -> Sweep {
        with_scratch(|scratch| self.sweep_in(motion, stationary, options, scratch))
    }

    /// [`sweep_with`](Self::sweep_with) in memory of the caller's.
    pub fn sweep_in(
        &self,
        motion: &Motion,
        stationary: &Placed<'_>,
        options: SweepOptions,
        scratch: &mut Scratch,
    ) -> Sweep {
        let motion = RelativeMotion::past_still(motion);
        sweep_relative(self, &motion, stationary, options, Known::NOTHING, scratch).0
    }

    /// Sweeps two bodies that both move along a line, with the promise of [`sweep`](Self::sweep): what counts is how they move relative to
    /// each other. For two bodies that turn, see [`conservative_advancement`].
    pub fn sweep_both(
        &self,
        by: impl IntoPoint,
        other: &Placed<'_>,
        other_by: impl IntoPoint,
        options: SweepOptions,
    ) -> Result<Sweep, TransformError> {
        let motion = RelativeMotion::lines(by.into_point(), other_by.into_point())?;
        Ok(self.sweep_along(&motion, other, options, Known::NOTHING).0)
    }

    /// Sweeps two bodies that both move, with the promise of [`sweep`](Self::sweep), where something is known before; and whether the two are known not to touch at
    /// the start.
    pub(crate) fn sweep_along(
        &self,
        motion: &RelativeMotion,
        other: &Placed<'_>,
        options: SweepOptions,
        known: Known,
    ) -> (Sweep, bool) {
        with_scratch(|scratch| sweep_relative(self, motion, other, options, known, scratch))
    }

    /// [`sweep_with`](Self::sweep_with), where something is known before.
    pub(crate) fn sweep_knowing(
        &self,
        motion: &Motion,
        stationary: &Placed<'_>,
        options: SweepOptions,
        known: Known,
    ) -> Sweep {
        let motion = RelativeMotion::past_still(motion);
        with_scratch(|scratch| sweep_relative(self, &motion, stationary, options, known, scratch).0)
    }
}
