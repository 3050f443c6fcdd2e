//! The simultaneous traversal of two trees of boxes of which one moves along a line: swept bounds.
//!
//! A moving box overlaps a box that stands still from the last time at which their intervals along an axis come together, until the
//! first at which one of them parts. Best first, or nearly so: pairs of boxes that overlap early are opened before those that do later, so that little is
//! looked at that comes later than what is found in the end.

use crate::bvh::traverse::distance::NearView;
use crate::bvh::traverse::pair::{Leaf, LeafPairs, Leaves, Visit};
use crate::bvh::{DopTree, Node};
use crate::math::{DAffine3, DVec3};
use crate::simd::{Lanes, Work, dispatch};

/// Roundings of times and heights to `f32`, as a part of the way.
pub(super) const ROUNDING: f64 = 1.0 / (1 << 20) as f64;

/// Instead of infinity, which times zero is nothing.
const LARGE: f64 = 1e30;

/// A visitor of pairs of leaves, earliest time of impact first.
pub trait SweptVisitor {
    /// Looks at the elements of two leaves. Elements that touch later than the time returned do not matter from then on.
    fn meet(&mut self, a: Leaf, b: Leaf) -> f64;
}

/// A tree that stands still and one that moves along a line.
#[derive(Clone, Copy, Debug)]
pub struct SweptTrees<'t> {
    /// The trees; the second moves.
    pub trees: [&'t DopTree<6>; 2],
    /// The maps that take the coordinates of each tree to those of the velocity; `None` where that changes nothing.
    pub maps: [Option<&'t DAffine3>; 2],
    /// The translation of the second tree in a unit of time.
    pub velocity: DVec3,
    /// How far apart boxes may be that count as overlapping; what the maps are off by, too.
    pub error: f64,
    /// The time up to which contacts matter.
    pub horizon: f64,
}

/// The parts of the time that a best-first traversal tells apart.
const BUCKETS: usize = 256;

/// No pair follows.
const NONE: u32 = u32::MAX;

/// The queue of a best-first traversal: pairs in buckets by the time at which they overlap first, the last one of a bucket first. A heap costs as much as the
/// visits.
#[derive(Clone, Debug)]
pub struct SweptQueue {
    /// The last pair of each bucket.
    last: [u32; BUCKETS],
    /// One bit a bucket that is not empty.
    filled: [u64; BUCKETS / 64],
    pairs: Vec<Queued>,
    /// The first of the places in `pairs` that are free again.
    free: u32,
}

/// A pair of nodes to visit, or of leaves to look at.
#[derive(Clone, Copy, Debug)]
struct Queued {
    time: f32,
    visit: Visit,
    /// The one to follow in the bucket, or the next free place.
    next: u32,
}

impl Default for SweptQueue {
    fn default() -> SweptQueue {
        SweptQueue { last: [NONE; BUCKETS], filled: [0; BUCKETS / 64], pairs: Vec::new(), free: NONE }
    }
}

impl SweptQueue {
    /// Forgets the places of pairs. There are none left after a traversal.
    fn clear(&mut self) {
        debug_assert!(
            self.filled == [0; BUCKETS / 64] && self.last == [NONE; BUCKETS],
            "all pairs were visited"
        );
        self.pairs.clear();
        self.free = NONE;
    }

    #[inline(always)]
    fn push(&mut self, bucket: usize, time: f32, visit: Visit) {
        let queued = Queued { time, visit, next: self.last[bucket] };
        let place = self.free;
        self.last[bucket] = if place == NONE {
            self.pairs.push(queued);
            self.pairs.len() as u32 - 1
        } else {
            self.free = self.pairs[place as usize].next;
            self.pairs[place as usize] = queued;
            place
        };
        self.filled[bucket / 64] |= 1 << (bucket % 64);
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<Queued> {
        let word = self.filled.iter().position(|word| *word != 0)?;
        let bucket = 64 * word + self.filled[word].trailing_zeros() as usize;
        let place = self.last[bucket];
        let queued = self.pairs[place as usize];
        self.last[bucket] = queued.next;
        if queued.next == NONE {
            self.filled[word] &= self.filled[word] - 1;
        }
        self.pairs[place as usize].next = self.free;
        self.free = place;
        Some(queued)
    }
}

/// The mark of pairs of leaves in masks.
const LEAVES: u32 = 1 << 31;

impl SweptTrees<'_> {
    /// Shows the visitor the pairs of leaves that may hold elements that touch until the horizon; returns the number of visits.
    pub fn traverse(&self, queue: &mut SweptQueue, visitor: &mut impl SweptVisitor) -> u64 {
        let view = self.view();
        let sweep = BoxSweep::new(self, &view);
        dispatch(First { trees: self.trees, sweep: &sweep, horizon: self.horizon, queue, visitor })
    }

    /// The view of both, in which the boxes of the second are larger by the error: how far apart the two may be.
    pub(super) fn view(&self) -> NearView {
        let rounding = ROUNDING * self.velocity.abs().max_element();
        NearView::of(self.trees, self.maps, rounding, f64::INFINITY).with_second_grown(self.error)
    }
}

/// The boxes of two trees, of which the second moves in the view's coordinates.
pub(super) struct BoxSweep<'v> {
    view: &'v NearView,
    pace: [f32; 3],
    is_forward: [bool; 3],
}

impl<'v> BoxSweep<'v> {
    pub(super) fn new(trees: &SweptTrees<'_>, view: &'v NearView) -> BoxSweep<'v> {
        let velocity = (trees.velocity * view.scale).to_array();
        let pace = velocity.map(|speed| (1.0 / speed.abs()).min(LARGE) as f32);
        BoxSweep { view, pace, is_forward: velocity.map(|speed| speed > 0.0) }
    }

    /// The opposites of the times at which the pairs of children of two nodes overlap first, and which of them do so until a limit.
    #[inline(always)]
    pub(super) fn overlaps<L: Lanes>(
        &self,
        node_a: &Node<6>,
        node_b: &Node<6>,
        limit: f32,
    ) -> (L::F32x16, u32) {
        let [sides_a, sides_b] = self.view.sides::<L>(node_a, node_b);
        let zero = L::f32x16_splat(0.0);
        // The opposite of the time at which all axes have come together, and the time at which the first parts.
        let (mut entry, mut exit) = (L::f32x16_splat(LARGE as f32), L::f32x16_splat(LARGE as f32));
        let mut axis = 0;
        while axis < 3 {
            let before = L::f32x16_sums::<false>(sides_a[axis], sides_b[axis]);
            let behind = L::f32x16_sums::<true>(sides_a[axis], sides_b[axis]);
            let pace = L::f32x16_splat(self.pace[axis]);
            let (before, behind) = (L::f32x16_mul(before, pace), L::f32x16_mul(behind, pace));
            let (comes, goes) = if self.is_forward[axis] { (behind, before) } else { (before, behind) };
            entry = L::f32x16_min(entry, comes);
            exit = L::f32x16_min(exit, goes);
            axis += 1;
        }
        let late = L::f32x16_less(L::f32x16_add(entry, L::f32x16_splat(limit)), zero);
        let missed = L::f32x16_less(L::f32x16_add(entry, exit), zero);
        let past = L::f32x16_less(exit, zero);
        (entry, !(late | missed | past))
    }
}

struct First<'w, V> {
    trees: [&'w DopTree<6>; 2],
    sweep: &'w BoxSweep<'w>,
    horizon: f64,
    queue: &'w mut SweptQueue,
    visitor: &'w mut V,
}

impl<V: SweptVisitor> Work for First<'_, V> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Lanes>(self) -> u64 {
        let First { trees: [a, b], sweep, horizon, queue, visitor } = self;
        queue.clear();
        let mut visits = 0;
        if a.is_empty() || b.is_empty() {
            return visits;
        }
        let mut limit = up(horizon);
        let per_time = BUCKETS as f32 / limit.max(f32::MIN_POSITIVE);
        queue.push(0, 0.0, Visit::whole(a.root, b.root));
        while let Some(Queued { time, visit, .. }) = queue.pop() {
            if time > limit {
                continue;
            }
            let nodes = visit.nodes;
            let (node_a, node_b) = (&a.nodes[nodes[0] as usize], &b.nodes[nodes[1] as usize]);
            let leaves = [Leaves(&node_a.children), Leaves(&node_b.children)];
            if visit.mask & LEAVES != 0 {
                let pair = visit.mask.trailing_zeros() as usize % 16;
                limit = up(visitor.meet(leaves[0].leaf(pair / 4), leaves[1].leaf(pair % 4)));
                continue;
            }
            visits += 1;
            let (entry, overlap) = sweep.overlaps::<L>(node_a, node_b, limit);
            let mut alive = overlap & visit.mask;
            if alive == 0 {
                continue;
            }
            let mut times = [0.0; 16];
            L::f32x16_store(entry, &mut times);
            let of_leaves = LeafPairs::of::<L>(leaves);
            while alive != 0 {
                let pair = alive.trailing_zeros() as usize % 16;
                alive &= alive - 1;
                let (row, lane, time) = (pair / 4, pair % 4, -times[pair]);
                let visit = if of_leaves.both >> pair & 1 != 0 {
                    Visit { nodes, mask: LEAVES | 1 << pair }
                } else {
                    Visit::of_children(nodes, [row, lane], node_a.children[row], node_b.children[lane])
                };
                // Negative times are in the first bucket.
                let bucket = ((time * per_time) as usize).min(BUCKETS - 1);
                queue.push(bucket, time, visit);
            }
        }
        visits
    }
}

/// The least `f32` that is certainly not below.
#[inline(always)]
pub(super) fn up(time: f64) -> f32 {
    (time as f32).next_up()
}
