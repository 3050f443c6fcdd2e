//! How far a placed model can move before it meets another (paper 000).
//!
//! `docs/math/sweeps.md` says why the answer is never late, `docs/math/expel-zone.md` how thick the zone is.

mod advance;
mod answer;
mod frame;
mod pair;
mod search;
mod sides;
mod stop;
mod ways;

pub use advance::{Advance, Path, advance};
pub use answer::{Shortcuts, Sweep, SweepAsk, SweepEngine, SweepHit, SweepVerdict, SweepWork};

use crate::math::DVec3;
use crate::model::Placed;
use crate::narrow::path::RigidPath;
use crate::narrow::rotate::ArcTurn;
use crate::query::search::Scratch;
use crate::query::verdict::{Ask, Verdict};
use crate::query::{check, intersects};
use crate::transform::{Motion, Phase, TransformError};
use frame::SweepFrame;
use pair::{Found, Move, Tester};
pub(super) use search::SweepMemory;

/// How far `moving` gets on its way before it meets `stationary`.
///
/// With t the fraction at which the two first truly touch: the fraction returned is at most t; the pose returned is free by the exact
/// test; on a hit the two are no farther apart there than the bound says; and every motion on which the two touch is a hit.
pub fn sweep(
    moving: &Placed<'_>,
    motion: &Motion,
    stationary: &Placed<'_>,
    ask: SweepAsk,
    scratch: &mut Scratch,
) -> Sweep {
    sweep_relative(moving, motion, stationary, DVec3::ZERO, ask, scratch)
}

/// How far two bodies get that both move along a line, with the same promise: what counts is how they move relative to each other.
/// For two bodies that turn, see [`advance`].
pub fn sweep_both(
    a: &Placed<'_>,
    a_by: DVec3,
    b: &Placed<'_>,
    b_by: DVec3,
    ask: SweepAsk,
    scratch: &mut Scratch,
) -> Result<Sweep, TransformError> {
    let motion = Motion::translation(a_by - b_by)?;
    Motion::translation(b_by)?;
    Ok(sweep_relative(a, &motion, b, b_by, ask, scratch))
}

/// The motion is relative to the other body, which moves by `other_by` itself.
fn sweep_relative(
    moving: &Placed<'_>,
    motion: &Motion,
    stationary: &Placed<'_>,
    other_by: DVec3,
    ask: SweepAsk,
    scratch: &mut Scratch,
) -> Sweep {
    let mut work = SweepWork::default();
    let is_touching = intersects(moving, stationary, Ask::default(), scratch);
    if is_touching && check(moving, stationary, Ask::default(), scratch).verdict != Verdict::Touching {
        return Sweep {
            verdict: SweepVerdict::StartedOverlapping,
            fraction: 0.0,
            phase: None,
            world_from_moving: *moving.placement().world_from_model(),
            world_from_stationary: *stationary.placement().world_from_model(),
            hit: None,
            work,
        };
    }
    let mut course = stop::Course { moving, motion, stationary, other_by, is_touching, scratch };
    for (phase, [from, to]) in motion.phases() {
        for leg in legs(motion, phase, from, to) {
            let Some(start) = course.at_start_of(&leg) else {
                // Out of the range of placements: as far as that goes.
                return course.stop(leg.from, None, Some(phase), ask, work);
            };
            let memory = &mut course.scratch.sweep;
            if let Some((time, found)) = leg.meet(&start, motion, stationary, ask, memory, &mut work) {
                let fraction = leg.fraction_at(time);
                return course.stop(fraction, Some(found), Some(phase), ask, work);
            }
        }
    }
    course.stop(1.0, None, None, ask, work)
}

/// A part of a motion that is solved at once: a translation, or a turn of at most a quarter.
struct Leg {
    /// Where its phase begins.
    phase_from: f64,
    from: f64,
    to: f64,
    /// The shares of the translation and of the turn that were made before it.
    made: [f64; 2],
    phase: Phase,
    /// How many degrees of the turn.
    degrees: f64,
}

/// The legs of a phase. A turn repeats itself after a full one.
fn legs(motion: &Motion, phase: Phase, from: f64, to: f64) -> impl Iterator<Item = Leg> {
    let degrees = match phase {
        Phase::Translation => 0.0,
        _ => motion.turn().map_or(0.0, |turn| turn.degrees.abs()),
    };
    let once = if phase == Phase::Rotation { degrees.min(360.0) } else { degrees };
    let count = (once / 90.0).ceil().max(1.0);
    let share = if degrees > 0.0 { once / degrees } else { 1.0 };
    (0..count as u32).map(move |i| {
        let [first, last] = [i, i + 1].map(|i| share * (f64::from(i) / count));
        Leg {
            phase_from: from,
            from: from + (to - from) * first,
            to: from + (to - from) * last,
            made: [if phase == Phase::Rotation { 1.0 } else { first }, first],
            phase,
            degrees: once / count,
        }
    })
}

impl Leg {
    /// When the two meet on this leg, and what of them.
    fn meet<'m>(
        &self,
        start: &Placed<'m>,
        motion: &Motion,
        stationary: &Placed<'m>,
        ask: SweepAsk,
        memory: &mut SweepMemory,
        work: &mut SweepWork,
    ) -> Option<(f64, Found)> {
        let frame = SweepFrame::new(start, stationary, motion, ask.expel);
        let sources = frame.sources(start, stationary);
        let (in_frame, horizon) = match (self.phase, motion.turn()) {
            (Phase::Rotation, Some(turn)) => {
                let centre = frame.point_from_world(turn.centre);
                let axis = frame.axis_from_world(turn.axis) * turn.degrees.signum();
                // A little more, for what rounds.
                let end = libm::tan(self.degrees.to_radians() / 2.0) * (1.0 + 8.0 * f64::EPSILON);
                (Move::Arc(ArcTurn { centre, axis, end }), end)
            }
            (Phase::Rigid, Some(turn)) => {
                let path = RigidPath {
                    velocity: frame.vector_from_world(motion.by() * (self.to - self.from)),
                    centre: frame.point_from_world(turn.centre + motion.by() * self.from),
                    axis: frame.axis_from_world(turn.axis) * turn.degrees.signum(),
                    angle: self.degrees.to_radians(),
                };
                (Move::Path(path), 1.0)
            }
            _ => (Move::Line(frame.vector_from_world(motion.by())), 1.0),
        };
        let handedness = [start, stationary]
            .map(|placed| if placed.placement().is_mirrored() != frame.is_mirrored() { -1.0 } else { 1.0 });
        let mut tester =
            Tester::new(&sources, handedness, in_frame, frame.zone, horizon, ask.shortcuts, ask.two_sided);
        if ask.engine == SweepEngine::Brute || frame.is_shrunken() {
            search::by_trying_all(&mut tester);
        } else {
            let trees = [stationary, start].map(|placed| placed.model().dop_tree::<6>());
            let maps = [frame.maps[1], frame.maps[0]];
            search::by_trees(&mut tester, &search::Trees { trees, maps }, memory);
        }
        work.box_tests += tester.work.box_tests;
        work.face_tests += tester.work.face_tests;
        work.feature_tests += tester.work.feature_tests;
        tester.found.map(|found| (found.time, found))
    }

    /// The fraction of the motion at a time of this leg, rounded down.
    fn fraction_at(&self, time: f64) -> f64 {
        let share = match self.phase {
            Phase::Rotation if self.degrees > 0.0 => 2.0 * libm::atan(time).to_degrees() / self.degrees,
            _ => time,
        };
        let fraction = self.from + (self.to - self.from) * share.clamp(0.0, 1.0);
        // Not above where the leg begins, which is rounded too: a rounding of the fraction may be many degrees of a long turn.
        (fraction * (1.0 - 4.0 * f64::EPSILON)).max(self.phase_from)
    }
}

impl Placed<'_> {
    /// [`sweep`] with memory of its own.
    ///
    /// ```
    /// use impinge::{Mesh, Model, Trs, query::SweepVerdict, transform::Motion};
    ///
    /// let ball = Model::new(Mesh::icosphere(1.0, 4)?);
    /// let wall = Model::new(Mesh::cuboid([4.0, -5.0, -5.0], [4.1, 5.0, 5.0])?);
    /// let wall = wall.at(Trs::IDENTITY);
    /// // Fast enough to be behind the wall at the end.
    /// let throw = Motion::translation([12.0, 0.0, 0.0])?;
    /// let sweep = ball.at(Trs::IDENTITY).sweep(&throw, &wall);
    /// assert_eq!(sweep.verdict, SweepVerdict::Hit);
    /// assert!(sweep.fraction <= 0.25 && sweep.fraction > 0.2499);
    /// let there = ball.try_at(sweep.world_from_moving)?;
    /// assert!(!there.intersects(&wall));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "shape_cast")]
    #[doc(alias = "time_of_impact")]
    #[doc(alias = "cast_shapes")]
    pub fn sweep(&self, motion: &Motion, stationary: &Placed<'_>) -> Sweep {
        self.sweep_with(motion, stationary, SweepAsk::default())
    }

    /// [`sweep`](Self::sweep), asked for in another way.
    pub fn sweep_with(&self, motion: &Motion, stationary: &Placed<'_>, ask: SweepAsk) -> Sweep {
        super::SCRATCH.with_borrow_mut(|scratch| sweep(self, motion, stationary, ask, scratch))
    }
}
