//! Trials: a body is moved past others that stand still, to and fro, and the world is not changed until it is known where it is to be.

use super::filter::Statistics;
use super::moves::{Move, Solved};
use super::{SlideOptions, World, WorldError};
use crate::broad_phase::Pair;
use crate::model::{Model, Placed};
use crate::query::{RelativeMotion, Scratch, StartContacts, SweepHit, SweepStatus};
use impinge_core::math::DVec3;
use impinge_core::transform::{Motion, Placement};

/// A body that is moved on trial.
pub(super) struct Trial<'w> {
    pub(super) world: &'w World,
    pub(super) index: u32,
    model: &'w Model,
    /// Where the body is by now.
    pub(super) place: Placement,
    pub(super) options: SlideOptions,
    /// Whether the body overlaps others where it is, so that it does not move.
    pub(super) started_overlapping: bool,
    pub(super) statistics: Statistics,
    pub(super) dividers: Vec<(Pair, DVec3)>,
}

/// A body that stops the one on trial.
#[derive(Clone, Copy, Debug)]
pub(super) struct Obstacle {
    pub(super) index: u32,
    /// The unit normal from the moving body to the other.
    pub(super) normal: DVec3,
    /// The contact; none where the two overlap.
    pub(super) hit: Option<SweepHit>,
}

impl<'w> Trial<'w> {
    pub(super) fn new(world: &'w World, index: u32, options: SlideOptions) -> Trial<'w> {
        let placed = world.body(index).placed();
        Trial {
            world,
            index,
            model: placed.model(),
            place: *placed.placement(),
            options,
            started_overlapping: false,
            statistics: Statistics::with_clock(world.statistics.clock()),
            dividers: Vec::new(),
        }
    }

    pub(super) fn placed(&self) -> Placed<'w> {
        self.model.at(self.place)
    }

    /// The point of the world at which the model's origin is.
    pub(super) fn position(&self) -> DVec3 {
        self.place.world_from_model().translation
    }

    /// Moves the body along a line until it is stopped, and returns what stops it.
    pub(super) fn translate(&mut self, by: DVec3) -> Result<Vec<Obstacle>, WorldError> {
        let motion = Motion::translation(by)?;
        let placed = self.placed();
        let near = self.world.near_way(self.index, &placed, &motion);
        let mut made = self.sweep(placed, &motion, &near);
        if made.status == SweepStatus::Hit
            && made.fraction <= 0.0
            && let Some(lifted) = self.lifted_off(&placed, &motion, &near)
        {
            // Where faces lie on each other exactly, any of their edges may be what it is pressed against; from a skin away, it is the face.
            made = self.sweep(lifted, &motion, &near);
        }
        self.started_overlapping |= made.status == SweepStatus::StartedOverlapping;
        self.place = made.placement;
        let obstacle = |hit: &super::Hit| Obstacle {
            index: hit.other.index,
            normal: hit.hit.map_or(by.normalize_or(self.options.up), |hit| hit.normal),
            hit: hit.hit,
        };
        Ok(made.hits.iter().map(obstacle).collect())
    }

    fn sweep(&mut self, placed: Placed<'_>, motion: &Motion, near: &[u32]) -> Move {
        let Solved { made, statistics, dividers } = self.world.solve(self.index, placed, motion, near);
        self.statistics.add(&statistics);
        self.dividers.extend(dividers);
        made
    }

    /// The body a skin away from all that it touches; none where it touches nothing, or nothing leads away.
    fn lifted_off(&self, placed: &Placed<'w>, motion: &Motion, near: &[u32]) -> Option<Placed<'w>> {
        let (mut scratch, motion) = (Scratch::default(), RelativeMotion::past_still(motion));
        let options = self.world.sweep_options();
        let both_at = |place: &Placed<'_>, other: &u32| {
            let [own, other] = self.world.facing([self.index, *other]);
            [own.model().at(*place.placement()), other]
        };
        let touched = near.iter().filter_map(|other| {
            let [own, other] = both_at(placed, other);
            StartContacts::of(&own, &motion, &other, options, &mut scratch)
        });
        let touched: Vec<StartContacts> = touched.collect();
        let mut lifted = StartContacts::lifts(&touched).filter_map(|lift| placed.translated(lift));
        lifted.find(|lifted| {
            let mut both = near.iter().map(|other| both_at(lifted, other));
            !both.any(|[own, other]| own.intersects(&other))
        })
    }
}
