//! Holds what a sweep says of a touching start against the timeline.

use impinge::math::{DAffine3, DVec3};
use impinge::query::{Sweep, SweepOptions, SweepStatus};
use impinge::{Model, Motion, Verdict};

use super::lattice::{Point, Ratio};
use super::lift::{Lifted, can_get_on, is_wedged};
use super::obstacle::{Obstacle, Standing};
use super::stage::Stage;
use super::timeline::{Course, Timeline};

/// Two models and all translations at which they meet.
pub struct Scene<'s> {
    pub stage: Stage,
    pub moving: &'s Model,
    pub stationary: &'s Model,
    pub obstacles: &'s [Obstacle],
    /// The largest coordinate of the two on the lattice.
    pub reach: i64,
}

/// What is wrong with an answer.
pub type Complaint = &'static str;

/// The default skin is at most this much of the bodies' size, and this much of how far from the origin poses are rounded.
const SKIN_OF_SIZE: f64 = 1e-9;
const SKIN_OF_EXTENT: f64 = 1e-12;
/// A stop may be early by the time of so many skins: they are as thick across the contact, which boxes meet at a sine of at least
/// 1/√3, and lattice polyhedra of a few units at one of 1/16 or so.
const SKINS: f64 = 64.0;

impl Scene<'_> {
    /// As thick as the default skin may be, in the world.
    pub fn thickest_skin(&self) -> f64 {
        let size = self.stage.length() * self.reach as f64;
        SKIN_OF_SIZE * size + SKIN_OF_EXTENT * self.stage.extent(self.reach)
    }

    pub fn motion(&self, by: Point) -> Motion {
        Motion::translation(self.stage.vector(by)).unwrap()
    }

    pub fn sweep(&self, start: Point, by: Point, ask: SweepOptions) -> Sweep {
        let moving = self.moving.try_at(self.stage.pose(start)).unwrap();
        let stationary = self.stationary.try_at(self.stage.pose([0; 3])).unwrap();
        moving.sweep_with(&self.motion(by), &stationary, ask)
    }

    /// By the library's exact test.
    pub fn verdict_at(&self, world_from_moving: DAffine3) -> Verdict {
        let moving = self.moving.try_at(world_from_moving).unwrap();
        moving.verdict(&self.stationary.try_at(self.stage.pose([0; 3])).unwrap())
    }

    /// The first thing that is wrong with the answer, if anything is.
    pub fn judge(&self, start: Point, by: Point, sweep: &Sweep) -> Result<(), Complaint> {
        let timeline = Timeline::new(self.obstacles, start, by);
        self.judge_form(start, by, sweep)?;
        match timeline.standing() {
            Standing::Overlapping => check(
                sweep.status == SweepStatus::StartedOverlapping && sweep.fraction == 0.0,
                "overlapping start is not told",
            ),
            _ if sweep.status == SweepStatus::StartedOverlapping => Err("said to have started overlapping"),
            Standing::Clear => {
                self.judge_parted(&timeline, by, sweep, ["early", "late", "missed", "no touch"])
            }
            Standing::Touching => match timeline.course() {
                Course::Presses => self.judge_pressing(start, sweep),
                Course::Parts => self.judge_parted(
                    &timeline,
                    by,
                    sweep,
                    ["parts, early", "parts, late", "parts, missed", "parts, but is stopped"],
                ),
                Course::Slides => self.judge_sliding(&timeline, start, by, sweep),
            },
        }
    }

    /// What holds for all answers.
    fn judge_form(&self, start: Point, by: Point, sweep: &Sweep) -> Result<(), Complaint> {
        let is_hit = sweep.status == SweepStatus::Hit;
        check((0.0..=1.0).contains(&sweep.fraction), "fraction out of range")?;
        check(sweep.hit.is_some() == is_hit, "a hit without features, or features without a hit")?;
        check(sweep.phase.is_some() == is_hit, "a hit without a phase, or a phase without a hit")?;
        check(sweep.status != SweepStatus::Clear || sweep.fraction == 1.0, "clear before the end")?;
        if let Some(hit) = &sweep.hit {
            check((hit.normal.length() - 1.0).abs() < 1e-9, "normal not of length 1")?;
            check(hit.bound <= 4.0 * self.thickest_skin(), "bound thicker than two skins")?;
        }
        check(!(sweep.wedged && sweep.lift.is_some()), "wedged and lifted")?;
        check(!sweep.wedged || is_hit && sweep.fraction == 0.0, "wedged, but not at 0")?;
        // The pose is the motion at the fraction, after the lift.
        let lifted = lifted(self.stage.pose(start), sweep.lift);
        let carried = self.motion(by).carry(&lifted, sweep.fraction);
        let found = sweep.world_from_moving.world_from_model();
        let ulp = f64::EPSILON * (self.stage.extent(self.reach) + carried.translation.abs().max_element());
        let is_near = (found.translation - carried.translation).abs().max_element() <= 4.0 * ulp;
        check(is_near && found.matrix3 == carried.matrix3, "stop pose is not on the motion")
    }

    fn judge_pressing(&self, start: Point, sweep: &Sweep) -> Result<(), Complaint> {
        check(sweep.status == SweepStatus::Hit, "presses, but gets on")?;
        check(sweep.lift.is_none() && !sweep.wedged, "presses, but is lifted or wedged")?;
        check(sweep.fraction == 0.0, "presses, but not at 0")?;
        check(*sweep.world_from_moving.world_from_model() == self.stage.pose(start), "presses, but is moved")
    }

    /// From a clear start, or one from which the motion parts.
    fn judge_parted(
        &self,
        timeline: &Timeline,
        by: Point,
        sweep: &Sweep,
        [early, late, missed, stopped]: [Complaint; 4],
    ) -> Result<(), Complaint> {
        check(sweep.lift.is_none() && !sweep.wedged, "parts, but is lifted or wedged")?;
        let Some(stop) = timeline.first_stop() else {
            check(sweep.status == SweepStatus::Clear, stopped)?;
            return check(
                self.verdict_at(*sweep.world_from_moving.world_from_model()) == Verdict::Clear,
                "parts, and ends touching",
            );
        };
        check(sweep.status == SweepStatus::Hit, missed)?;
        check(stop.is_at_least(sweep.fraction), late)?;
        let allowed = SKINS * self.thickest_skin() / self.stage.vector(by).length() + 1e-14;
        check(stop.to_f64() - sweep.fraction <= allowed, early)?;
        check(
            self.verdict_at(*sweep.world_from_moving.world_from_model()) == Verdict::Clear,
            "parts, and stops touching",
        )
    }

    fn judge_sliding(
        &self,
        timeline: &Timeline,
        start: Point,
        by: Point,
        sweep: &Sweep,
    ) -> Result<(), Complaint> {
        let among_boxes = self.obstacles.iter().all(|obstacle| obstacle.bounds.is_some());
        let pose = self.stage.pose(start);
        if among_boxes && is_wedged(self.obstacles, start) {
            check(sweep.status == SweepStatus::Hit, "wedged, but gets on")?;
            check(sweep.wedged, "wedged, and not said to be")?;
            return check(*sweep.world_from_moving.world_from_model() == pose, "wedged, but is moved");
        }
        // Convex bodies always get on. Among boxes, one lift may free the body only for as long as it is long.
        let gets_on = !among_boxes || can_get_on(self.obstacles, start, by);
        if sweep.wedged {
            return check(!gets_on, "slides, but is said to be wedged");
        }
        let Some(lift) = sweep.lift else {
            return Err(if sweep.status == SweepStatus::Hit {
                "slides, but is stopped"
            } else {
                "slides without a lift"
            });
        };
        check(lift.is_finite() && lift.length() > 0.0, "lift of no length")?;
        check(lift.length() <= self.thickest_skin(), "lift longer than the skin")?;
        let raised = lifted(pose, sweep.lift);
        check(self.verdict_at(raised) == Verdict::Clear, "lifted, and not clear")?;
        check(
            self.verdict_at(*sweep.world_from_moving.world_from_model()) == Verdict::Clear,
            "slides, and stops touching",
        )?;
        // What became of the lift in the pose.
        let lift = self.stage.lattice_from_world(raised.translation - pose.translation);
        let (skin, speed) = (lift.length(), length(by));
        let window = SKINS * skin / speed;
        if let Some(overlap) = timeline.first_overlap() {
            check(sweep.fraction <= overlap.to_f64() + window, "slides, late")?;
        }
        if gets_on && sweep.status == SweepStatus::Hit {
            check(sweep.fraction > 2.0 * window, "slides, but hardly gets on")?;
        }
        let rounding = 8.0 * f64::EPSILON * self.stage.extent(self.reach) / self.stage.length();
        let noise = 1e-3 * skin + rounding;
        if !among_boxes {
            return self.judge_sliding_past_convex(timeline, sweep, window);
        }
        let path = Lifted { obstacles: self.obstacles, start, by, lift };
        if let Some(touch) = path.first_touch() {
            check(sweep.status == SweepStatus::Hit, "slides, missed")?;
            check(sweep.fraction <= touch + noise / speed, "slides, later than the lifted body touches")?;
        }
        if sweep.status == SweepStatus::Hit {
            check(path.is_stopped(sweep.fraction, window, skin, noise), "slides, stopped by nothing")?;
        }
        Ok(())
    }

    /// Pieces that are whole bodies: each may stop the motion where it begins to touch.
    fn judge_sliding_past_convex(
        &self,
        timeline: &Timeline,
        sweep: &Sweep,
        window: f64,
    ) -> Result<(), Complaint> {
        let ahead =
            timeline.spans.iter().filter(|span| span.enters > Ratio::ZERO && span.enters <= Ratio::ONE);
        let mut times = ahead.map(|span| span.enters.to_f64());
        let is_ahead = times.any(|time| (time - sweep.fraction).abs() <= window);
        check(sweep.status == SweepStatus::Clear || is_ahead, "slides, stopped by nothing")
    }
}

/// A pose after a lift.
pub fn lifted(pose: DAffine3, lift: Option<DVec3>) -> DAffine3 {
    DAffine3 { matrix3: pose.matrix3, translation: pose.translation + lift.unwrap_or(DVec3::ZERO) }
}

fn length(by: Point) -> f64 {
    DVec3::from_array(by.map(|x| x as f64)).length()
}

fn check(holds: bool, otherwise: Complaint) -> Result<(), Complaint> {
    if holds { Ok(()) } else { Err(otherwise) }
}
