//! Sweeps of one body against several others, with one lift where it slides along any of them.

use crate::model::{Model, Placed};
use crate::query::{RelativeMotion, Scratch, StartContacts, Sweep, SweepOptions, SweepStatus};
use impinge_core::math::DVec3;
use impinge_core::transform::{Motion, Placement};

/// Sweeps of one body against several others, all from the same start.
pub(super) struct SweepAll<'m> {
    /// The body at the start, lifted off what it slides along.
    pub(super) placed: Placed<'m>,
    /// The motion from there: an axis is lifted, too.
    pub(super) motion: Motion,
    /// The sweeps, one for each of the others, in their order.
    pub(super) sweeps: Vec<Sweep>,
    pub(super) lift: Option<DVec3>,
    /// Whether the body would slide, but no lift frees it.
    pub(super) wedged: bool,
}

/// A body in the way of another, and the model of that other as the body finds it.
#[derive(Clone, Copy)]
pub(super) struct InWay<'m> {
    pub(super) own: &'m Model,
    pub(super) other: Placed<'m>,
}

impl<'m> InWay<'m> {
    /// The two, with the one that moves at a place.
    pub(super) fn both(&self, place: &Placement) -> [Placed<'m>; 2] {
        [self.own.at(*place), self.other]
    }
}

/// Sweeps a body against all others. Where it slides along some and is pressed against none, it is lifted by what leads away from all that it
/// touches and is free by `is_free`; of several such lifts, by the one with which it gets on farthest.
pub(super) fn sweep_all<'m>(
    placed: Placed<'m>,
    motion: &Motion,
    others: &[InWay<'_>],
    options: SweepOptions,
    is_free: impl Fn(&Placed<'_>) -> bool,
    mut sweep: impl FnMut(&Placed<'_>, &Motion, &Placed<'_>) -> Sweep,
) -> SweepAll<'m> {
    let mut sweep_from = |placed: &Placed<'_>, motion: &Motion| -> Vec<Sweep> {
        let both = others.iter().map(|other| other.both(placed.placement()));
        both.map(|[placed, other]| sweep(&placed, motion, &other)).collect()
    };
    let sweeps = sweep_from(&placed, motion);
    let mut all = SweepAll { placed, motion: *motion, sweeps, lift: None, wedged: false };
    if !all.sweeps.iter().any(slides) || all.sweeps.iter().any(is_pressed) {
        return all;
    }
    let mut scratch = Scratch::default();
    let touched = others.iter().filter_map(|other| {
        let [placed, other] = other.both(placed.placement());
        StartContacts::of(&placed, &RelativeMotion::past_still(motion), &other, options, &mut scratch)
    });
    for lift in StartContacts::lifts(&touched.collect::<Vec<_>>()) {
        let Some(lifted) = placed.translated(lift).filter(&is_free) else { continue };
        let lifted_motion = motion.moved(lift);
        let sweeps = sweep_from(&lifted, &lifted_motion);
        if all.lift.is_none() || least_fraction(&sweeps) > least_fraction(&all.sweeps) {
            all = SweepAll { placed: lifted, motion: lifted_motion, sweeps, lift: Some(lift), wedged: false };
        }
        if all.sweeps.iter().all(|sweep| sweep.status == SweepStatus::Clear) {
            break;
        }
    }
    all.wedged = all.lift.is_none();
    all
}

/// Whether a body slides along another from a touching start.
pub(super) fn slides(sweep: &Sweep) -> bool {
    sweep.lift.is_some() || sweep.wedged
}

/// Whether a body is pressed against another from a touching start.
fn is_pressed(sweep: &Sweep) -> bool {
    sweep.status == SweepStatus::Hit && sweep.fraction <= 0.0 && !slides(sweep)
}

fn least_fraction(sweeps: &[Sweep]) -> f64 {
    sweeps.iter().fold(1.0, |least, sweep| least.min(sweep.fraction))
}
