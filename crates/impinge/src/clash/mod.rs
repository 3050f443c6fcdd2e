//! Clash detection among many placed models: what overlaps, lies inside of another, touches or comes too near.
//!
//! Verdicts are the exact ones of [`query`](crate::query), with one rule of practice on top. Parts that stand flush in a design are
//! placed by rounded matrices, so they cross by a trifle or miss each other by one; nobody calls that a clash. So what is no farther apart than
//! [`touch`](ClashOptions::touch) is [touching](ClashKind::Touching), and so are solids that reach into each other by no more than that, unless what they share
//! holds a larger ball. What sticks out of another by no more is [inside](ClashKind::Inside).
//!
//! ```
//! use impinge::clash::{ClashKind, ClashOptions, detect, detect_with};
//! use impinge::{Model, Trs, shapes};
//!
//! let plate = Model::new(shapes::cuboid([0.0, 0.0, 0.0], [10.0, 10.0, 1.0])?);
//! let bolt = Model::new(shapes::cylinder(0.5, 4.0, 24, 1)?);
//! let parts = [
//!     plate.at(Trs::IDENTITY),
//!     plate.at(Trs::translation([0.0, 0.0, 1.0])?),
//!     bolt.at(Trs::translation([5.0, 5.0, 1.0])?),
//!     bolt.at(Trs::translation([-0.7, 5.0, 1.0])?),
//! ];
//! assert_eq!(detect(&parts).clashes.len(), 3);
//!
//! let found = detect_with(&parts, &ClashOptions::new().clearance(0.5));
//! let kinds: Vec<_> = found.clashes.iter().map(|clash| (clash.a, clash.b, clash.kind)).collect();
//! assert_eq!(
//!     kinds,
//!     [
//!         (0, 1, ClashKind::Touching),
//!         (0, 2, ClashKind::Overlapping),
//!         (0, 3, ClashKind::Near),
//!         (1, 2, ClashKind::Overlapping),
//!         (1, 3, ClashKind::Near),
//!     ]
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod copies;
mod duplicate;
mod finding_row;
mod moving;
mod outline;
mod pair;
pub mod tiles;
mod touch;

pub use moving::{Attachment, MotionOptions, MovingPart, TimedClash, TimedClashes, detect_moving};
// For parts that change their shape, which the command looks at moment by moment; no part of the library's promise.
#[doc(hidden)]
pub use moving::{ClashTimeline, ContactInterval, Observation};
pub use pair::check_pair;
#[doc(hidden)]
pub use touch::within_touch;

use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::model::{Model, Placed, Purpose, prepare_all};
use crate::options::options;
use crate::query::{Contained, Patience, Penetration, SeparatingTranslation, SharedVolume};
use impinge_core::bounds::Aabb;
use impinge_core::math::DVec3;
use impinge_core::parallel;
use tiles::{Outline, Plan};

options! {
    /// Options of a clash search. Lengths are in the unit of the world.
    #[derive(Clone, Copy)]
    pub struct ClashOptions<'f> {
        /// The touch tolerance: up to here an overlap or a gap is the work of rounding, and the two touch.
        pub touch: f64 = 0.0,
        /// How far the coordinates of each part may be off by rounding, in the world. Two parts touch up to four times the sum of both, or
        /// up to `touch` where that is more. Of parts that move only `touch` counts.
        pub rounding: Option<&'f [f64]> = None,
        /// The clearance: parts no farther apart than this are near. 0 looks for no such pairs.
        pub clearance: f64 = 0.0,
        /// Whether to measure how deep what overlaps, or is inside, reaches into the other; see [`Penetration`].
        pub penetration: bool = true,
        /// Whether to measure the volume that overlapping solids share; see [`SharedVolume`].
        pub volume: bool = true,
        /// Whether what lies inside of open parts, and how deep, is estimated by their generalized winding number: 0.75 and more is inside, up to
        /// 0.25 is outside, and between the two it is [unknown](Clashes::unknown). Of parts that move it is not.
        pub open_parts: bool = true,
        /// Whether to look for a short move that separates what overlaps.
        pub separation: bool = true,
        /// A filter of pairs of parts, the lesser first: those that it refuses are not tested.
        pub accept: Option<&'f (dyn Fn(u32, u32) -> bool + Sync)> = None,
        /// An observer that is told of every pair that is done, and before that of every model that is [prepared](Model::prepare), from any
        /// thread; while a pair takes long also in between, with the same numbers. It ends the search with [`ControlFlow::Break`], also in the middle of a pair.
        pub progress: Option<&'f (dyn Fn(Progress) -> ControlFlow<()> + Sync)> = None,
    }
}

impl ClashOptions<'_> {
    /// Whether a pair is to be tested.
    fn accepts(&self, a: u32, b: u32) -> bool {
        self.accept.is_none_or(|accept| accept(a, b))
    }

    /// The touch tolerance of two parts: `touch`, or four times the sum of their roundings where that is more, rounded up by an eighth at most. So copies of a
    /// machine have the same tolerances, although places far from the origin are rounded more.
    pub fn touch_of(&self, a: u32, b: u32) -> f64 {
        let by_rounding = 4.0 * (self.of_part(a) + self.of_part(b));
        if by_rounding > self.touch { rounded_up(by_rounding) } else { self.touch }
    }

    fn of_part(&self, part: u32) -> f64 {
        self.rounding.and_then(|list| list.get(part as usize)).copied().unwrap_or(0.0)
    }

    /// Tells the observer how far a search is.
    fn report(&self, progress: Progress) -> ControlFlow<()> {
        self.progress.map_or(ControlFlow::Continue(()), |observe| observe(progress))
    }
}

impl fmt::Debug for ClashOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ClashOptions {
            touch,
            rounding,
            clearance,
            penetration,
            volume,
            open_parts,
            separation,
            accept,
            progress,
        } = self;
        f.debug_struct("ClashOptions")
            .field("touch", touch)
            .field("rounding", &rounding.map(<[f64]>::len))
            .field("clearance", clearance)
            .field("penetration", penetration)
            .field("volume", volume)
            .field("open_parts", open_parts)
            .field("separation", separation)
            .field("accept", &accept.map(|_| ".."))
            .field("progress", &progress.map(|_| ".."))
            .finish()
    }
}

/// The kind of a clash, the gravest first: where several hold, the first is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub enum ClashKind {
    /// Duplicates: both parts have the same faces at the same place, whatever their order, or are the same solid, whatever its faces, within `touch`.
    Duplicate,
    /// Interiors of solids overlap, or surfaces cross, by more than `touch`; see [`Touching`](Self::Touching).
    Overlapping,
    /// One part lies inside of the other: nothing of it is farther than `touch` outside.
    Inside(Contained),
    /// The parts touch or are apart by no more than `touch`; or neither reaches into the other by more than that, and what they share holds no larger ball.
    /// Of two surfaces that bound nothing: a move of at most `touch` ends the overlap.
    Touching,
    /// The parts are apart by more than `touch` and by no more than `clearance`.
    Near,
}

/// Two parts that clash.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Clash {
    /// The lesser of the two parts.
    pub a: u32,
    /// The greater of the two parts.
    pub b: u32,
    /// The kind of the clash.
    pub kind: ClashKind,
    /// Whether the kind is an estimate: one part lies inside of another that is open; see [`open_parts`](ClashOptions::open_parts).
    pub is_estimated: bool,
    /// A point of both; where they are apart, the middle between the closest points.
    pub point_in_world: DVec3,
    /// A box around all faces of either that intersect the other; around the closest points where none do, or around the part inside.
    pub bounds: Aabb,
    /// The number of pairs of faces that intersect.
    pub face_pairs: usize,
    /// The distance of the two parts; 0 where they intersect.
    pub distance: f64,
    /// The closest points of both; one point twice where they intersect.
    pub closest: [DVec3; 2],
    /// How deep the parts reach into each other, where they overlap or one is inside of the other and one of them at least is a solid.
    pub penetration: Option<Penetration>,
    /// The volume that the parts share, where they overlap or one is inside of the other and both are solids.
    pub volume: Option<SharedVolume>,
    /// A short move of `a` that ends an overlap. Of what is held on several sides it is long, however shallow the overlap.
    pub separation: Option<SeparatingTranslation>,
}

/// The progress of a clash search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// The number of pairs to test: those whose boxes are near enough, but of copies of a pair only one.
    pub pairs: u64,
    /// The number of pairs that are done.
    pub done: u64,
    /// The number of tested pairs so far that clash.
    pub clashes: u64,
}

/// The result of a clash search.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Clashes {
    /// The clashes, sorted by the two parts.
    pub clashes: Vec<Clash>,
    /// The pairs of parts that do not clash as far as can be told, but one may lie inside of the other, which is open; sorted.
    pub unknown: Vec<[u32; 2]>,
    /// The number of pairs whose boxes were near enough to be tested.
    pub pairs: u64,
    /// Whether the search was ended before all pairs were tested and measured.
    pub partial: bool,
}

/// Finds all clashes among parts, on all cores.
pub fn detect(parts: &[Placed<'_>]) -> Clashes {
    detect_with(parts, &ClashOptions::new())
}

/// Finds all clashes among parts with given options: tolerances, a filter of pairs, progress.
pub fn detect_with(parts: &[Placed<'_>], options: &ClashOptions<'_>) -> Clashes {
    // Models are told apart by where they are.
    let outline = |part: &Placed<'_>| Outline::new(part, std::ptr::from_ref(part.model()).addr() as u64);
    let outlines: Vec<Outline> = parts.iter().map(outline).collect();
    let plan = Plan::new(&outlines, options);
    let models = plan.pairs().iter().flatten().map(|part| parts[*part as usize].model());
    let needs = Needs { models: models.collect(), purpose: Purpose::PAIRS };
    let (found, partial) = search(&plan.tested(), needs, options, |&number, patience| {
        Some((number, tiles::test(parts, plan.pairs()[number as usize], options, patience)?))
    });
    Clashes { partial, ..plan.merge(&outlines, found) }
}

/// Models that a search looks at, and what it does with them.
struct Needs<'m> {
    models: Vec<&'m Model>,
    purpose: Purpose,
}

/// What there is to find at pairs, on all cores, and whether it was ended before all were looked at.
fn search<P: Sync, C: Send>(
    pairs: &[P],
    needs: Needs<'_>,
    options: &ClashOptions<'_>,
    look: impl Fn(&P, &Patience<'_>) -> Option<C> + Send + Sync,
) -> (Vec<C>, bool) {
    let (done, found, ended) = (AtomicU64::new(0), AtomicU64::new(0), AtomicBool::new(false));
    let total = pairs.len() as u64;
    prepare_all(needs.models, needs.purpose, || {
        let way = options.report(Progress { pairs: total, done: 0, clashes: 0 });
        ended.fetch_or(way.is_break(), Ordering::Relaxed);
        way
    });
    let clashes = parallel::map(pairs, |pair| {
        if ended.load(Ordering::Relaxed) {
            return None;
        }
        let goes_on = || {
            let (done, clashes) = (done.load(Ordering::Relaxed), found.load(Ordering::Relaxed));
            let way = options.report(Progress { pairs: total, done, clashes });
            !ended.fetch_or(way.is_break(), Ordering::Relaxed) && way.is_continue()
        };
        let patience = Patience::new(&goes_on);
        let clash = look(pair, &patience);
        if patience.gave_up() {
            // What is known of it is a part of the answer, but the pair is not done.
            return clash;
        }
        let more = u64::from(clash.is_some());
        let clashes = found.fetch_add(more, Ordering::Relaxed) + more;
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        if options.report(Progress { pairs: total, done, clashes }).is_break() {
            ended.store(true, Ordering::Relaxed);
        }
        clash
    });
    (clashes.into_iter().flatten().collect(), done.into_inner() < total)
}

/// A number above 0 that is no smaller and has three bits after the first.
fn rounded_up(number: f64) -> f64 {
    const DROPPED: u64 = (1 << 49) - 1;
    f64::from_bits((number.to_bits() + DROPPED) & !DROPPED).min(f64::MAX)
}

/// A box that is larger by so much on all sides, and by what rounding may take away.
fn grown(bounds: Aabb, by: f64) -> Aabb {
    let more = bounds.min.abs().max(bounds.max.abs()) * 1e-15 + by * (1.0 + 2e-15);
    Aabb { min: bounds.min - more, max: bounds.max + more }
}
