//! The self-traversal of the tree: all overlapping pairs with a changed box.
//!
//! Whether two boxes overlap is as good as chance, and a processor that guesses wrong loses the time of several tests. So
//! the traversal branches little on answers: it works through batches, writes the numbers of all eight lanes with
//! those that are wanted first, and goes on by their count.

use super::super::frame::{Loaded, Splat};
use super::super::{Boxes, Pair};
use super::Level;
use impinge_core::parallel::{for_each_mut, may_share, thread_count};
use impinge_core::simd::{Lanes, Work, dispatch};

/// The memory of a traversal.
#[derive(Clone, Debug, Default)]
pub(super) struct Walk {
    /// For each level, pairs of nodes that wait.
    waiting: Vec<Twos>,
    /// A box and a lowest node with the lanes that it overlaps.
    hits: Twos,
    lanes: Vec<u8>,
    /// What other threads need.
    team: Vec<(Walk, Vec<Pair>)>,
}

/// Two lists of the same length, with capacity to write eight more.
#[derive(Clone, Debug, Default)]
struct Twos {
    a: Vec<u32>,
    b: Vec<u32>,
    len: usize,
}

impl Twos {
    /// Reserves memory for so many more, and eight.
    fn reserve(&mut self, more: usize) {
        let needed = self.len + more + 8;
        if self.a.len() < needed {
            self.a.resize(needed.next_power_of_two(), 0);
            self.b.resize(needed.next_power_of_two(), 0);
        }
    }

    /// Appends `(a + lane, b)` for every lane of the mask.
    #[inline(always)]
    fn push_rows(&mut self, a: u32, b: u32, mask: u32) {
        let mut children = FIRST[mask as usize & 0xff];
        let mut k = 0;
        while k < 8 {
            children[k] += a;
            k += 1;
        }
        // Always there, as room was made.
        let out = (self.a[self.len..].first_chunk_mut(), self.b[self.len..].first_chunk_mut());
        if let (Some(out_a), Some(out_b)) = out {
            *out_a = children;
            *out_b = [b; 8];
        }
        self.len += mask.count_ones() as usize;
    }
}

/// For each mask the numbers of its bits, then zeros.
static FIRST: [[u32; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut lane, mut count) = (0, 0);
        while lane < 8 {
            if mask >> lane & 1 != 0 {
                table[mask][count] = lane;
                count += 1;
            }
            lane += 1;
        }
        mask += 1;
    }
    table
};

/// Pairs of nodes that are taken at once: few enough for the fastest memory.
const BATCH: usize = 128;

/// The tree that is traversed.
#[derive(Clone, Copy)]
pub(super) struct Ground<'w> {
    pub(super) levels: &'w [Level],
    /// The ids, by place.
    pub(super) ids: &'w [u32],
    pub(super) boxes: &'w Boxes,
}

impl Walk {
    /// Appends every overlapping pair with a changed box.
    pub(super) fn pairs(&mut self, ground: Ground<'_>, found: &mut Vec<Pair>) {
        let top = ground.levels.len() - 1;
        self.wait(ground, top, &[0], &[0]);
        if let Some(level) = ground.levels.iter().rposition(|level| level.nodes.len() >= SHARES)
            && level < top
            && may_share()
        {
            self.run(ground, [top, level], found);
            self.share(ground, level, found);
            return;
        }
        self.run(ground, [top, 0], found);
    }

    /// Starts with these pairs of nodes of a level.
    fn wait(&mut self, ground: Ground<'_>, level: usize, a: &[u32], b: &[u32]) {
        self.waiting.resize_with(ground.levels.len(), Twos::default);
        for waiting in &mut self.waiting {
            waiting.len = 0;
        }
        let waiting = &mut self.waiting[level];
        waiting.reserve(a.len());
        waiting.a[..a.len()].copy_from_slice(a);
        waiting.b[..b.len()].copy_from_slice(b);
        waiting.len = a.len();
    }

    fn run(&mut self, ground: Ground<'_>, [top, bottom]: [usize; 2], found: &mut Vec<Pair>) {
        if ground.boxes.changed().len() >= ground.boxes.len() {
            dispatch(Pairs::<true> { ground, top, bottom, walk: self, found });
        } else {
            dispatch(Pairs::<false> { ground, top, bottom, walk: self, found });
        }
    }

    /// Continues the traversal from a level with all threads.
    fn share(&mut self, ground: Ground<'_>, level: usize, found: &mut Vec<Pair>) {
        let Twos { a, b, len } = &self.waiting[level];
        // Whatever the shares are, the pairs are put in order afterwards.
        let share = len.div_ceil(8 * thread_count()).max(16);
        let shares = len.div_ceil(share);
        if self.team.len() < shares {
            self.team.resize_with(shares, Default::default);
        }
        for_each_mut(&mut self.team[..shares], |index, (walk, found)| {
            let range = index * share..((index + 1) * share).min(*len);
            walk.wait(ground, level, &a[range.clone()], &b[range]);
            found.clear();
            walk.run(ground, [level, 0], found);
        });
        self.team[..shares].iter().for_each(|(_, part)| found.extend_from_slice(part));
    }
}

/// The number of nodes from which on threads share the traversal of a level.
const SHARES: usize = 100;

/// The traversal from one level down to another, where pairs are left waiting, or to the boxes; `ALL` where no box is known to be
/// unchanged.
struct Pairs<'w, const ALL: bool> {
    ground: Ground<'w>,
    top: usize,
    bottom: usize,
    walk: &'w mut Walk,
    found: &'w mut Vec<Pair>,
}

impl<const ALL: bool> Work for Pairs<'_, ALL> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self) {
        let mut level = self.top;
        loop {
            if self.walk.waiting[level].len == 0 || (level == self.bottom && level > 0) {
                if level == self.top {
                    return;
                }
                level += 1;
            } else if level > 0 {
                self.find_nodes::<L>(level);
                level -= 1;
            } else {
                self.find_boxes::<L>();
                self.report::<L>();
            }
        }
    }
}

/// The children of `a` that overlap the box around `b`.
#[inline(always)]
fn rows<L: Lanes>(levels: &[Level], level: usize, a: u32, b: u32) -> u32 {
    if a == b {
        return 0xff;
    }
    let around_b = levels[level + 1].nodes[b as usize / 8].lane(b as usize % 8);
    levels[level].nodes[a as usize].meets(&Splat::<L>::new(&around_b))
}

impl<const ALL: bool> Pairs<'_, ALL> {
    /// Takes a batch of pairs of nodes, and finds the pairs of their children that overlap.
    #[inline(always)]
    fn find_nodes<L: Lanes>(&mut self, level: usize) {
        let (below, here) = self.walk.waiting.split_at_mut(level);
        let (below, here) = (&mut below[level - 1], &mut here[0]);
        let levels = self.ground.levels;
        let Level { nodes, dirty } = &levels[level];
        let first = here.len.saturating_sub(BATCH);
        below.reserve(64 * (here.len - first));
        let mut k = first;
        while k < here.len {
            let (a, b) = (here.a[k], here.b[k]);
            k += 1;
            let (dirty_a, dirty_b) = (u32::from(dirty[a as usize]), u32::from(dirty[b as usize]));
            let mut rows = rows::<L>(levels, level, a, b);
            if !ALL && dirty_b == 0 {
                rows &= dirty_a;
            }
            let node_a = &nodes[a as usize];
            let node_b = Loaded::<L>::new(&nodes[b as usize]);
            // In one and the same node each pair is wanted once, and each child with itself.
            let once = if a == b { 0xff } else { 0xff00 };
            while rows != 0 {
                let row = rows.trailing_zeros() & 7;
                rows &= rows - 1;
                let mut columns = node_b.meets(&Splat::<L>::new(&node_a.lane(row as usize)));
                columns &= once << row | once >> 8;
                if !ALL && dirty_a >> row & 1 == 0 {
                    columns &= dirty_b;
                }
                // Exchanged, which makes no difference.
                below.push_rows(8 * b, 8 * a + row, columns);
            }
        }
        here.len = first;
    }

    /// Takes a batch of pairs of lowest nodes, and finds the boxes of the second that each box of the first overlaps.
    #[inline(always)]
    fn find_boxes<L: Lanes>(&mut self) {
        let Walk { waiting, hits, lanes, .. } = &mut *self.walk;
        let here = &mut waiting[0];
        let levels = self.ground.levels;
        let Level { nodes, dirty } = &levels[0];
        let first = here.len.saturating_sub(BATCH);
        let most = 8 * (here.len - first);
        hits.len = 0;
        hits.reserve(most);
        if lanes.len() <= most {
            lanes.resize(most + 1, 0);
        }
        let mut length = 0;
        let (hits_a, hits_b, lanes) = (&mut hits.a[..=most], &mut hits.b[..=most], &mut lanes[..=most]);
        let mut k = first;
        while k < here.len {
            let (a, b) = (here.a[k], here.b[k]);
            k += 1;
            let (dirty_a, dirty_b) = (u32::from(dirty[a as usize]), u32::from(dirty[b as usize]));
            let mut rows = rows::<L>(levels, 0, a, b);
            if !ALL && dirty_b == 0 {
                rows &= dirty_a;
            }
            let node_a = &nodes[a as usize];
            let node_b = Loaded::<L>::new(&nodes[b as usize]);
            let once = if a == b { 0xfe } else { 0xff00 };
            while rows != 0 {
                let row = rows.trailing_zeros() & 7;
                rows &= rows - 1;
                let mut columns = node_b.meets(&Splat::<L>::new(&node_a.lane(row as usize)));
                columns &= (once << row | once >> 8) & 0xff;
                if !ALL && dirty_a >> row & 1 == 0 {
                    columns &= dirty_b;
                }
                // Always so, and one check for all three.
                if length < hits_a.len() && length < hits_b.len() && length < lanes.len() {
                    hits_a[length] = 8 * a + row;
                    hits_b[length] = b;
                    lanes[length] = columns as u8;
                    length += usize::from(columns != 0);
                }
            }
        }
        here.len = first;
        hits.len = length;
    }

    /// Names the pairs, and asks the boxes themselves where the bounds are equal.
    #[inline(always)]
    fn report<L: Lanes>(&mut self) {
        let Walk { hits, lanes, .. } = &mut *self.walk;
        let Ground { levels, ids, boxes } = self.ground;
        let nodes = &levels[0].nodes;
        let mut k = 0;
        while k < hits.len {
            let (child, b, mut columns) = (hits.a[k], hits.b[k], u32::from(lanes[k]));
            let splat = Splat::<L>::new(&nodes[child as usize / 8].lane(child as usize % 8));
            let sure = nodes[b as usize].surely_meets(&splat);
            let id = ids[child as usize];
            while columns != 0 {
                let column = columns.trailing_zeros();
                columns &= columns - 1;
                let other = ids[(8 * b + column) as usize];
                if sure >> column & 1 != 0 || boxes.bounds(id).overlaps(boxes.bounds(other)) {
                    self.found.push(Pair::new(id, other));
                }
            }
            k += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Bvh;
    use super::*;
    use crate::broad_phase::PairFinder;
    use crate::shapes::Random;
    use impinge_core::bounds::Aabb;
    use impinge_core::simd::Portable;

    /// The lanes of the processor and plain arrays find the same in the same order, with all boxes changed and with some.
    #[test]
    fn every_kind_of_lanes_walks_the_same_way() {
        let mut random = Random::new(1);
        let mut bounds = || {
            let (at, half) = (random.in_cube() * 6.0, random.unit());
            Aabb { min: at - half, max: at + half }
        };
        let (mut boxes, mut tree) = (Boxes::default(), Bvh::default());
        for id in 0..700 {
            assert_eq!(boxes.insert(id, bounds()), Ok(()));
        }
        for one_in in [1, 9] {
            for id in (0..700).filter(|id| id % one_in == 0) {
                assert_eq!(boxes.move_to(id, bounds()), Ok(()));
            }
            tree.find(&boxes, &mut Vec::new());
            let ground = Ground { levels: &tree.levels, ids: &tree.ids, boxes: &boxes };
            let top = tree.levels.len() - 1;
            let (mut wide, mut plain) = (Vec::new(), Vec::new());
            let walk = &mut Walk::default();
            walk.wait(ground, top, &[0], &[0]);
            walk.run(ground, [top, 0], &mut wide);
            walk.wait(ground, top, &[0], &[0]);
            if one_in == 1 {
                Pairs::<true> { ground, top, bottom: 0, walk, found: &mut plain }.run::<Portable>();
            } else {
                Pairs::<false> { ground, top, bottom: 0, walk, found: &mut plain }.run::<Portable>();
            }
            assert!(wide.len() > 50);
            assert_eq!(wide, plain);
            boxes.settle();
        }
    }
}
