//! The memory that queries work in, and the store of it for the methods of [`Placed`](crate::Placed): each thread keeps what it has
//! made, so that they allocate nothing in the long run.
//!
//! A query takes scratch out of the thread's store and puts it back when it is done. Nothing is borrowed meanwhile: a visitor of the
//! user's may ask further questions on the same thread, and gets scratch of its own.

use std::cell::Cell;

use super::leaf_batch::LeafBatch;
use crate::model::Feature;
use crate::pair::surface::PlacedPieces;
use impinge_core::bvh::{DistanceStack, Leaf, Stack, SweptFronts, SweptQueue, VolumeStack};
use impinge_core::math::DVec3;
use impinge_core::narrow::contact_batch::{BatchCache, Candidate};
use impinge_core::narrow::tri_tri::Fan;
use impinge_core::parallel::hold;

/// The memory that queries work in. Keep one per thread and hand it to query after query: they allocate nothing then.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(super) stack: Stack,
    pub(super) near: DistanceStack,
    pub(super) leaf_batch: LeafBatch,
    pub(super) pieces: [PlacedPieces; 2],
    pub(super) corners: Vec<DVec3>,
    pub(super) fans: [Fan; 2],
    pub(super) volume: VolumeMemory,
    pub(super) sweep: SweepMemory,
    pub(super) contacts: ContactMemory,
}

/// The memory of volume queries.
#[derive(Debug, Default)]
pub(super) struct VolumeMemory {
    pub(super) stack: VolumeStack,
    pub(super) found: Vec<u32>,
    /// One bit a face, all clear between queries.
    pub(super) marks: Vec<u64>,
}

/// The memory of sweeps.
#[derive(Debug, Default)]
pub(super) struct SweepMemory {
    pub(super) queue: SweptQueue,
    pub(super) fronts: SweptFronts,
    pub(super) pairs: Vec<[Leaf; 2]>,
}

/// The memory in which contacts are found.
#[derive(Debug, Default)]
pub(super) struct ContactMemory {
    pub(super) found: Vec<FoundContact>,
    pub(super) corners: [Vec<DVec3>; 2],
    /// The features of the nodes that were looked at last.
    pub(super) batches: [BatchCache; 2],
    pub(super) candidates: Vec<Candidate>,
}

/// A contact in the frame of a pair, the host's side first.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoundContact {
    pub(super) points: [DVec3; 2],
    pub(super) normal: DVec3,
    pub(super) distance: f64,
    pub(super) features: [Feature; 2],
    pub(super) materials: [u32; 2],
    /// The faces for which it was found: they settle ties.
    pub(super) faces: [u32; 2],
}

thread_local! {
    /// The scratch memory that no query of this thread is using.
    // Boxed: a scratch is large, and is moved at every query.
    #[allow(clippy::vec_box)]
    static SPARE: Cell<Vec<Box<Scratch>>> = const { Cell::new(Vec::new()) };
}

/// Answers with scratch of this thread's. After a panic it is dropped, not put back: nobody knows what is in it.
#[inline]
pub(super) fn with_scratch<R>(answer: impl FnOnce(&mut Scratch) -> R) -> R {
    let mut scratch = take();
    let result = {
        let _held = hold();
        answer(&mut scratch)
    };
    put_back(scratch);
    result
}

#[inline]
fn take() -> Box<Scratch> {
    // A thread that is ending has no store any more.
    let spare = SPARE.try_with(|spare| {
        let mut list = spare.take();
        let last = list.pop();
        spare.set(list);
        last
    });
    spare.ok().flatten().unwrap_or_default()
}

#[inline]
fn put_back(scratch: Box<Scratch>) {
    let _ = SPARE.try_with(|spare| {
        let mut list = spare.take();
        list.push(scratch);
        spare.set(list);
    });
}
