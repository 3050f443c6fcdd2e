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
    /// A box and a lowest node that it may overlap.
    rows: Twos,
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
        push_rows([&mut self.a, &mut self.b], &mut self.len, [a, b], mask);
    }
}

/// Writes `(a + lane, b)` for every lane of the mask to two lists of a length, which grows.
#[inline(always)]
fn push_rows(to: [&mut [u32]; 2], len: &mut usize, [a, b]: [u32; 2], mask: u32) {
    let mut children = FIRST[mask as usize & 0xff];
    let mut k = 0;
    while k < 8 {
        children[k] += a;
        k += 1;
    }
    let [to_a, to_b] = to;
    // Always there, as room was made.
    let out = (to_a[*len..].first_chunk_mut(), to_b[*len..].first_chunk_mut());
    if let (Some(out_a), Some(out_b)) = out {
        *out_a = children;
        *out_b = [b; 8];
    }
    *len += mask.count_ones() as usize;
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
    // There is no box around the root.
    let Some(above) = levels.get(level + 1) else { return 0xff };
    let around_b = above.nodes[b as usize / 8].lane(b as usize % 8);
    let overlapping = levels[level].nodes[a as usize].meets(&Splat::<L>::new(&around_b));
    // Also a lane without a box, which overlaps nothing; it would take longer to guess whether to compare than to do it.
    if a == b { 0xff } else { overlapping }
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
    ///
    /// How many boxes of the first overlap the second node is as good as chance, so they are listed before they are compared.
    #[inline(always)]
    fn find_boxes<L: Lanes>(&mut self) {
        let Walk { waiting, rows, hits, lanes, .. } = &mut *self.walk;
        let here = &mut waiting[0];
        let levels = self.ground.levels;
        let Level { nodes, dirty } = &levels[0];
        let first = here.len.saturating_sub(BATCH);
        rows.len = 0;
        rows.reserve(8 * (here.len - first));
        // Slices, whose places need not be read again after each store.
        let (nodes, dirty) = (&nodes[..], &dirty[..]);
        let (here_a, here_b) = (&here.a[first..here.len], &here.b[first..here.len]);
        let Twos { a: rows_a, b: rows_b, len: rows_len } = rows;
        let (rows_a, rows_b) = (&mut rows_a[..], &mut rows_b[..]);
        let (mut k, mut rows_count) = (0, 0);
        while k < here_a.len() && k < here_b.len() {
            let (a, b) = (here_a[k], here_b[k]);
            k += 1;
            let mut mask = self::rows::<L>(levels, 0, a, b);
            if !ALL && dirty[b as usize] == 0 {
                mask &= u32::from(dirty[a as usize]);
            }
            push_rows([rows_a, rows_b], &mut rows_count, [8 * a, b], mask);
        }
        here.len = first;
        *rows_len = rows_count;
        hits.len = 0;
        hits.reserve(rows_count);
        if lanes.len() <= rows_count {
            lanes.resize(rows_count + 1, 0);
        }
        let mut length = 0;
        let (hits_a, hits_b) = (&mut hits.a[..=rows_count], &mut hits.b[..=rows_count]);
        let lanes = &mut lanes[..=rows_count];
        let (rows_a, rows_b) = (&rows_a[..rows_count], &rows_b[..rows_count]);
        let mut k = 0;
        while k < rows_a.len() && k < rows_b.len() {
            let (child, b) = (rows_a[k], rows_b[k]);
            k += 1;
            let (a, row) = (child as usize / 8, child % 8);
            let mut columns = nodes[b as usize].meets(&Splat::<L>::new(&nodes[a].lane(row as usize)));
            // In one and the same node each pair is wanted once.
            columns &= if a == b as usize { 0xfe << row } else { 0xff };
            if !ALL && u32::from(dirty[a]) >> row & 1 == 0 {
                columns &= u32::from(dirty[b as usize]);
            }
            // Always so, and one check for all three.
            if length < hits_a.len() && length < hits_b.len() && length < lanes.len() {
                hits_a[length] = child;
                hits_b[length] = b;
                lanes[length] = columns as u8;
                length += usize::from(columns != 0);
            }
        }
        hits.len = length;
    }

    /// Names the pairs, and asks the boxes themselves where the bounds are equal.
    #[inline(always)]
    fn report<L: Lanes>(&mut self) {
        let Walk { hits, lanes, .. } = &mut *self.walk;
        let Ground { levels, ids, boxes } = self.ground;
        let nodes = &levels[0].nodes[..];
        let (hits_a, hits_b, lanes) = (&hits.a[..hits.len], &hits.b[..hits.len], &lanes[..hits.len]);
        let mut k = 0;
        while k < hits_a.len() && k < hits_b.len() && k < lanes.len() {
            let (child, b, mut columns) = (hits_a[k], hits_b[k], u32::from(lanes[k]));
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
