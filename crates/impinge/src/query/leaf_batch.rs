//! Pairs of leaves that wait for their faces to be tested together.
//!
//! A leaf is near two others on the average. What is the same for all of them, its triangles in the frame of the pair and their planes, is
//! computed once.

use crate::pair::surface::{FaceSource, FacetName, Fans, Table};
use impinge_core::bvh::{DopTree, Leaf, Leaves};
use impinge_core::narrow::tri_tri::{HeightBound, PlanePair};
use impinge_core::simd::Lanes;

/// The number of leaf pairs that are found before their faces are tested, where all intersections are asked for. Their memory is
/// prefetched together, and on large meshes that is most of the time.
pub(super) const MANY_LEAF_PAIRS: usize = 64;

/// The most leaves of a tree that wait: those of a last pair of nodes come on top of fewer than [`MANY_LEAF_PAIRS`].
const MOST_LEAVES: usize = MANY_LEAF_PAIRS + 4;

/// A power of two, so that places in arrays are cheaply checked.
const ROOM: usize = 128;
const _: () = assert!(ROOM >= MOST_LEAVES + 4);

/// Leaves of the host and of the guest that are near each other.
#[derive(Debug, Default)]
pub(super) struct LeafBatch {
    sides: [Side; 2],
    /// The places of leaves of the host and the guest.
    pub(super) pairs: Vec<[u8; 2]>,
}

/// The leaves of one tree.
#[derive(Debug)]
struct Side {
    /// The first `count` are leaves.
    leaves: [Leaf; ROOM],
    count: usize,
    /// Their triangles, two leaves at a time, or those of fans, four at a time; there may be more than are needed.
    planes: Vec<[PlanePair; 2]>,
    /// The triangles of fans, leaf by leaf, where not all faces are triangles. The last one of a leaf that has an odd number stands there twice, so
    /// that no two leaves share a pair.
    fans: Fans,
    runs: Vec<Run>,
}

/// The triangles of the fans of a leaf's faces, in pairs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// The number of the first pair.
    pub(super) first: usize,
    /// The number of triangles.
    pieces: usize,
}

impl Run {
    /// The number of the pair after the last one.
    #[inline(always)]
    pub(super) fn end(self) -> usize {
        self.first + self.pieces.div_ceil(2)
    }

    /// Whether a pair has two triangles, and not one in both places.
    #[inline(always)]
    pub(super) fn is_full(self, pair: usize) -> bool {
        2 * (pair - self.first) + 1 < self.pieces
    }
}

impl Default for Side {
    fn default() -> Side {
        Side {
            leaves: [Leaf::default(); ROOM],
            count: 0,
            planes: Vec::new(),
            fans: Fans::default(),
            runs: Vec::new(),
        }
    }
}

impl LeafBatch {
    pub(super) fn clear(&mut self) {
        self.pairs.clear();
        for side in &mut self.sides {
            side.count = 0;
        }
    }

    /// Adds pairs of children of two nodes. Bit `4 i + j` of the mask stands for leaves i and j.
    #[inline(always)]
    pub(super) fn add(&mut self, hosts: Leaves<'_>, guests: Leaves<'_>, mask: u32) {
        let columns = mask | mask >> 8;
        let columns = (columns | columns >> 4) & 0b1111;
        let rows = mask | mask >> 2;
        // One bit of every four, put side by side.
        let rows = ((((rows | rows >> 1) & 0x1111) * 0x1248) >> 12) & 0b1111;
        let [host_base, guest_base] = [self.sides[0].count, self.sides[1].count];
        self.sides[0].add(hosts, rows);
        self.sides[1].add(guests, columns);
        let mut rest = mask;
        while rest != 0 {
            let pair = rest.trailing_zeros();
            rest &= rest - 1;
            // The number of those before.
            let host = (rows & ((1 << (pair / 4)) - 1)).count_ones() as usize;
            let guest = (columns & ((1 << (pair % 4)) - 1)).count_ones() as usize;
            self.pairs.push([(host_base + host) as u8, (guest_base + guest) as u8]);
        }
    }

    /// The leaves of the host (0) or the guest.
    #[inline(always)]
    pub(super) fn leaves(&self, side: usize) -> &[Leaf] {
        let Side { leaves, count, .. } = &self.sides[side];
        &leaves[..(*count).min(MOST_LEAVES)]
    }

    /// A leaf of the host (0) or the guest, with its triangles.
    #[inline(always)]
    pub(super) fn leaf(&self, side: usize, place: u8) -> (Leaf, &PlanePair) {
        let side = &self.sides[side];
        let place = usize::from(place) % ROOM;
        (side.leaves[place], &side.planes[place / 2][place % 2])
    }

    /// Places the triangles of the leaves of the host (0) or the guest.
    #[inline(always)]
    pub(super) fn place<L: Lanes, const K: usize>(
        &mut self,
        side: usize,
        tree: &DopTree<K>,
        source: &FaceSource<'_>,
        table: Table<'_>,
        bound: HeightBound,
    ) {
        let Side { leaves, count, planes, .. } = &mut self.sides[side];
        // A last one that is alone stands in both places.
        leaves[*count] = leaves[count.saturating_sub(1)];
        let needed = count.div_ceil(2);
        if planes.len() < needed {
            planes.resize(needed, [PlanePair::default(); 2]);
        }
        let mut chunk = 0;
        while chunk < needed {
            let faces = [tree.ends(leaves[2 * chunk]), tree.ends(leaves[2 * chunk + 1])];
            source.corners::<L>(table, faces).planes(bound, &mut planes[chunk]);
            chunk += 1;
        }
    }

    /// Places the triangles of the fans of the leaves' faces, of the host (0) or the guest. Returns how many there are.
    #[inline(always)]
    pub(super) fn place_fans<L: Lanes, const K: usize>(
        &mut self,
        side: usize,
        tree: &DopTree<K>,
        source: &FaceSource<'_>,
        bound: HeightBound,
    ) -> usize {
        let Side { leaves, count, planes, fans, runs } = &mut self.sides[side];
        fans.clear();
        runs.clear();
        let (mut leaf, mut total) = (0, 0);
        while leaf < *count {
            let first = fans.pieces.len();
            source.add_fans(tree.elements(leaves[leaf % ROOM]), fans);
            let pieces = fans.pieces.len() - first;
            if pieces % 2 == 1 {
                fans.pieces.push(fans.pieces[fans.pieces.len() - 1]);
            }
            runs.push(Run { first: first / 2, pieces });
            total += pieces;
            leaf += 1;
        }
        let needed = fans.pieces.len().div_ceil(4);
        if planes.len() < needed {
            planes.resize(needed, [PlanePair::default(); 2]);
        }
        let mut chunk = 0;
        while chunk < needed {
            source.corners_of_fans::<L>(fans, 4 * chunk).planes(bound, &mut planes[chunk]);
            chunk += 1;
        }
        total
    }

    /// The triangles of the fans of a leaf's faces, of the host (0) or the guest.
    #[inline(always)]
    pub(super) fn run(&self, side: usize, place: u8) -> Run {
        self.sides[side].runs[usize::from(place)]
    }

    /// Two triangles of fans of the host (0) or the guest.
    #[inline(always)]
    pub(super) fn planes(&self, side: usize, pair: usize) -> &PlanePair {
        &self.sides[side].planes[pair / 2][pair % 2]
    }

    /// The names of two triangles of fans of the host (0) or the guest.
    #[inline(always)]
    pub(super) fn names(&self, side: usize, pair: usize) -> [FacetName; 2] {
        let pieces = &self.sides[side].fans.pieces;
        [pieces[2 * pair].0, pieces[2 * pair + 1].0]
    }

    /// Prefetches the triangles of the leaves of the host (0) or the guest, or else the corners of these.
    #[inline(always)]
    pub(super) fn prefetch<L: Lanes, const K: usize, const CORNERS: bool>(
        &self,
        side: usize,
        tree: &DopTree<K>,
        table: Table<'_>,
    ) {
        let leaves = self.leaves(side);
        let mut i = 0;
        while i < leaves.len() {
            FaceSource::prefetch::<L, CORNERS>(table, tree.ends(leaves[i]));
            i += 1;
        }
    }
}

impl Side {
    /// Adds the children in some lanes, all of which are leaves. Without branches: how many there are is hard to predict.
    #[inline(always)]
    fn add(&mut self, children: Leaves<'_>, lanes: u32) {
        let mut count = self.count;
        let mut lane = 0;
        while lane < 4 {
            self.leaves[count % ROOM] = children.perhaps(lane);
            count += (lanes >> lane & 1) as usize;
            lane += 1;
        }
        self.count = count;
    }
}
