//! Slides along what a body hits, and steps up what is low: how players move.

use super::moves::{Hit, Move, Solved};
use super::stairs::{Ground, Walk};
use super::trial::Trial;
use super::{Call, Handle, SlideOptions, World, WorldError};
use crate::query::SweepStatus;
use impinge_core::math::{DVec3, IntoPoint};
use impinge_core::transform::{Motion, Placement};

/// The result of a slide.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Slide {
    /// The placement of the body after the slide.
    pub placement: Placement,
    /// The translation that was made.
    pub moved: DVec3,
    /// The bodies that were hit, each once, in order, with the normal from the moving body to the other.
    pub met: Vec<(Handle, DVec3)>,
    /// Whether the body took a step up.
    pub stepped: bool,
    /// Whether the body overlaps others from the start: then it stays where it is.
    pub started_overlapping: bool,
    /// The ground below, where [`SlideOptions::snap`] looks for it.
    pub ground: Option<Ground>,
}

impl World {
    /// Moves a body along a line, and slides it along everything that it hits, as far as that leads on.
    ///
    /// With [`SlideOptions::step_up`] or [`SlideOptions::snap`] it walks: over floors, up steps, down to the ground, and not up what is too steep.
    #[doc(alias = "character controller")]
    #[doc(alias = "move_and_slide")]
    pub fn slide(
        &mut self,
        handle: Handle,
        by: impl IntoPoint,
        options: &SlideOptions,
    ) -> Result<Slide, WorldError> {
        let by = by.into_point();
        self.note(|| Call::Slide(handle, by, *options));
        let index = self.index_of_moving(handle)?;
        // Nothing is made of what is no number, or too large.
        let by = Motion::translation(by)?.by();
        self.sort_boxes();
        let mut trial = Trial::new(self, index, *options);
        let start = trial.position();
        // Who stands is put on the ground, and that tells whether it overlaps others.
        let stands = by == DVec3::ZERO && options.snap > 0.0;
        let mut walk = if stands { Walk::default() } else { trial.walk(by)? };
        let ground = if options.snap > 0.0 { trial.snap(options.snap)? } else { None };
        if stands && trial.started_overlapping {
            walk = trial.walk(by)?;
        }
        let moved = trial.position() - start;
        let started_overlapping = trial.started_overlapping;
        let hits = walk.met.iter().map(|met| Hit { other: self.bodies.handle(met.index), hit: met.hit });
        let made = Move {
            handle,
            status: if walk.met.is_empty() { SweepStatus::Clear } else { SweepStatus::Hit },
            fraction: 1.0,
            placement: trial.place,
            hits: hits.collect(),
            lift: None,
            wedged: false,
            segments: Vec::new(),
        };
        let Trial { place: placement, statistics, dividers, .. } = trial;
        let met = walk.met.iter().map(|met| (self.bodies.handle(met.index), met.normal)).collect();
        self.make(Solved { made, statistics, dividers })?;
        Ok(Slide { placement, moved, met, stepped: walk.stepped, started_overlapping, ground })
    }
}
