//! The search for intersecting facets of two models: through the trees, or by brute force. What is found is the same.

use std::ops::ControlFlow;

use super::leaf_batch::{LeafBatch, MANY_LEAF_PAIRS};
use super::scratch::Scratch;
use crate::model::Placed;
use crate::pair::frame::Maps;
use crate::pair::stats::Stats;
use crate::pair::surface::{FaceSource, FaceTree, FacetList, FacetName, Table};
use impinge_core::bvh::{
    Descent, DopTree, Goal, LEAF_SIZE, Leaf, LeafVisitor, Leaves, PairAlignment, traverse_pair_by,
};
use impinge_core::math::DVec3;
use impinge_core::narrow::tri_tri::{Certain, Facet, Fan, HeightBound, Kind, PlanePair, triangles_meet};
use impinge_core::simd::Lanes;

/// Two facets that intersect, the host's first: which they are, and how.
#[derive(Clone, Copy, Debug)]
pub struct FacetMeeting {
    /// The names of the facets.
    pub names: [FacetName; 2],
    /// The facets in the frame of the pair. Of those that certainly cross, diagonals inside of polygons may not be marked.
    pub facets: [Facet; 2],
    /// Whether the facets cross or only touch.
    pub kind: Kind,
}

/// A pair of models as a search for intersecting facets finds it, the host first.
pub struct FramedPair<'p, 'm> {
    /// The placed models.
    pub placed: [&'p Placed<'m>; 2],
    /// The faces of the models in the frame of the pair.
    pub sources: &'p [FaceSource<'m>; 2],
    /// The maps between the own frames of the models, and how far off they may be.
    pub maps: &'p Maps,
}

/// A tree over the faces of a model by which the intersecting facets of two models can be found.
pub trait PairTree: FaceTree + Sized {
    /// The memory that a search works in.
    type Memory;
    /// Calls `meet` with every pair of facets that intersect, the host's first, until it breaks. The trees are those of the host and of the
    /// guest.
    fn for_each_meeting(
        trees: [&Self; 2],
        pair: &FramedPair<'_, '_>,
        goal: Goal<'_>,
        memory: &mut Self::Memory,
        meet: impl FnMut(&FacetMeeting) -> ControlFlow<()>,
    ) -> Stats;
}

impl<const K: usize> PairTree for DopTree<K> {
    type Memory = Scratch;

    #[inline(always)]
    fn for_each_meeting(
        trees: [&Self; 2],
        pair: &FramedPair<'_, '_>,
        goal: Goal<'_>,
        memory: &mut Scratch,
        meet: impl FnMut(&FacetMeeting) -> ControlFlow<()>,
    ) -> Stats {
        traverse_bvh(trees, pair.sources, pair.maps, (goal, Descent::USUAL), memory, meet)
    }
}

impl FacetMeeting {
    /// The faces that the facets belong to.
    pub fn faces(&self) -> [u32; 2] {
        self.names.map(|name| name.face)
    }
}

/// Calls `meet` with every pair of facets that intersect, the host's first, until it breaks: every one against every other.
pub(super) fn brute_force(
    host: &FacetList<'_>,
    guest: &FacetList<'_>,
    mut meet: impl FnMut(&FacetMeeting) -> ControlFlow<()>,
) -> Stats {
    let mut stats = Stats { box_tests: 1, ..Stats::default() };
    if !host.bounds.overlaps(&guest.bounds) {
        return stats;
    }
    for first in &host.facets {
        stats.box_tests += 1;
        if !first.bounds.overlaps(&guest.bounds) {
            continue;
        }
        stats.box_tests += guest.facets.len() as u64;
        for second in guest.facets.iter().filter(|second| first.bounds.overlaps(&second.bounds)) {
            stats.face_tests += 1;
            if let Some(kind) = triangles_meet(&first.facet, &second.facet) {
                let (names, facets) = ([first.name, second.name], [first.facet, second.facet]);
                if meet(&FacetMeeting { names, facets, kind }).is_break() {
                    return stats;
                }
            }
        }
    }
    stats
}

/// Meshes of fewer faces than this are soon near at hand.
const LARGE_MESH: usize = 1 << 14;

/// Traverses the trees of the host and the guest and calls `meet` with every pair of facets that intersect, the host's first, until it breaks.
pub fn traverse_bvh<const K: usize>(
    trees: [&DopTree<K>; 2],
    sources: &[FaceSource<'_>; 2],
    maps: &Maps,
    (aim, descent): (Goal<'_>, Descent),
    scratch: &mut Scratch,
    meet: impl FnMut(&FacetMeeting) -> ControlFlow<()>,
) -> Stats {
    let map = [&maps.host_from_guest, &maps.guest_from_host];
    let alignment = PairAlignment::between(trees, map, [maps.error_in_host, maps.error_in_guest]);
    let Scratch { stack, leaf_batch, corners, fans, .. } = scratch;
    leaf_batch.clear();
    let far = trees[0].len().max(trees[1].len()) >= LARGE_MESH;
    let patience = if matches!(aim, Goal::All) { MANY_LEAF_PAIRS } else { 1 };
    let mut visitor = FaceTests {
        trees,
        sources,
        leaf_batch,
        patience,
        bound: HeightBound::within(sources[0].reach() + sources[1].reach()),
        far,
        corners,
        fans,
        face_tests: 0,
        placed: 0,
        meet,
    };
    let counts = traverse_pair_by(descent, trees, &alignment, aim, stack, &mut visitor);
    Stats {
        box_tests: counts.bounds,
        face_tests: visitor.face_tests,
        visits: counts.visits,
        placed_vertices: visitor.placed,
        ..Stats::default()
    }
}

/// Tests the faces of a pair of leaves.
struct FaceTests<'s, 'm, const K: usize, F> {
    trees: [&'s DopTree<K>; 2],
    sources: &'s [FaceSource<'m>; 2],
    leaf_batch: &'s mut LeafBatch,
    /// So many leaf pairs are tested together.
    patience: usize,
    /// The error bound of quick looks at triangles.
    bound: HeightBound,
    /// Whether memory has to be waited for.
    far: bool,
    corners: &'s mut Vec<DVec3>,
    fans: &'s mut [Fan; 2],
    face_tests: u64,
    /// Vertices of the guest that were placed.
    placed: u64,
    meet: F,
}

impl<const K: usize, F: FnMut(&FacetMeeting) -> ControlFlow<()>> LeafVisitor for FaceTests<'_, '_, K, F> {
    #[inline(always)]
    fn meet<L: Lanes>(&mut self, hosts: Leaves<'_>, guests: Leaves<'_>, mask: u32) -> ControlFlow<()> {
        // Two triangles a leaf, side by side in lanes.
        const { assert!(LEAF_SIZE == 2) };
        let tables = self.tables();
        if self.patience == 1
            && let Some(tables) = tables
        {
            return self.test_leaves::<L>(hosts, guests, mask, tables);
        }
        self.leaf_batch.add(hosts, guests, mask);
        if self.leaf_batch.pairs.len() < self.patience {
            return ControlFlow::Continue(());
        }
        match tables {
            Some(tables) => self.test_leaf_pairs::<L>(tables),
            None => self.test_fans::<L>(),
        }
    }

    #[inline(always)]
    fn finish<L: Lanes>(&mut self) {
        // Nothing is left to be skipped by a break.
        let _ = match self.tables() {
            Some(_) if self.patience == 1 => return,
            Some(tables) => self.test_leaf_pairs::<L>(tables),
            None => self.test_fans::<L>(),
        };
    }
}

impl<'m, const K: usize, F: FnMut(&FacetMeeting) -> ControlFlow<()>> FaceTests<'_, 'm, K, F> {
    /// The tables of both meshes, where both have nothing but triangles.
    #[inline(always)]
    fn tables(&self) -> Option<[Table<'m>; 2]> {
        Some([self.sources[0].table?, self.sources[1].table?])
    }

    /// The faces of leaves, pair by pair: the first that intersect may be the last that are looked at.
    #[inline(always)]
    fn test_leaves<L: Lanes>(
        &mut self,
        hosts: Leaves<'_>,
        guests: Leaves<'_>,
        mask: u32,
        tables: [Table<'_>; 2],
    ) -> ControlFlow<()> {
        let trees = self.trees;
        let mut rest = mask;
        while rest != 0 {
            let pair = rest.trailing_zeros() as usize % 16;
            rest &= rest - 1;
            let [host, guest] = [hosts.leaf(pair / 4), guests.leaf(pair % 4)];
            let faces = [trees[0].ends(host), trees[1].ends(guest)];
            let corners = FaceSource::corners_of_both::<L>(self.sources, tables, faces);
            let present = Leaf::pairs(host, guest);
            self.face_tests += u64::from(present.count_ones());
            self.placed += 6;
            if let Some(certain) = corners.test(present, self.bound) {
                let mut planes = [PlanePair::default(); 2];
                corners.planes(self.bound, &mut planes);
                meet_triangles(trees, [(host, &planes[0]), (guest, &planes[1])], certain, &mut self.meet)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The faces of the leaf pairs that were found.
    #[inline(always)]
    fn test_leaf_pairs<L: Lanes>(&mut self, tables: [Table<'_>; 2]) -> ControlFlow<()> {
        let (batch, trees) = (&mut *self.leaf_batch, self.trees);
        if self.far {
            batch.prefetch::<L, K, false>(0, trees[0], tables[0]);
            batch.prefetch::<L, K, false>(1, trees[1], tables[1]);
            batch.prefetch::<L, K, true>(0, trees[0], tables[0]);
            batch.prefetch::<L, K, true>(1, trees[1], tables[1]);
        }
        batch.place::<L, K>(0, trees[0], &self.sources[0], tables[0], self.bound);
        batch.place::<L, K>(1, trees[1], &self.sources[1], tables[1], self.bound);
        self.placed += 6 * batch.leaves(1).len() as u64;
        let mut i = 0;
        while i < batch.pairs.len() {
            let [host, guest] = batch.pairs[i];
            let (host, guest) = (batch.leaf(0, host), batch.leaf(1, guest));
            i += 1;
            let present = Leaf::pairs(host.0, guest.0);
            self.face_tests += u64::from(present.count_ones());
            if let Some(certain) = host.1.test::<L>(guest.1, present, self.bound) {
                meet_triangles(trees, [host, guest], certain, &mut self.meet)?;
            }
        }
        batch.clear();
        ControlFlow::Continue(())
    }

    /// The faces, of any kind, of the leaf pairs that were found.
    #[inline(always)]
    fn test_fans<L: Lanes>(&mut self) -> ControlFlow<()> {
        self.leaf_batch.place_fans::<L, K>(0, self.trees[0], &self.sources[0], self.bound);
        let placed = self.leaf_batch.place_fans::<L, K>(1, self.trees[1], &self.sources[1], self.bound);
        self.placed += 3 * placed as u64;
        // Faces whose fans are made.
        let mut made = [None; 2];
        let mut i = 0;
        while i < self.leaf_batch.pairs.len() {
            let [host, guest] = self.leaf_batch.pairs[i];
            i += 1;
            let (hosts, guests) = (self.leaf_batch.run(0, host), self.leaf_batch.run(1, guest));
            let mut host = hosts.first;
            while host < hosts.end() {
                let of_host: u32 = if hosts.is_full(host) { 0b1111 } else { 0b0011 };
                let mut guest = guests.first;
                while guest < guests.end() {
                    let present = of_host & if guests.is_full(guest) { 0b1111 } else { 0b0101 };
                    self.face_tests += u64::from(present.count_ones());
                    let planes = [self.leaf_batch.planes(0, host), self.leaf_batch.planes(1, guest)];
                    if let Some(certain) = planes[0].test::<L>(planes[1], present, self.bound) {
                        self.meet_fans([host, guest], certain, &mut made)?;
                    }
                    guest += 1;
                }
                host += 1;
            }
        }
        self.leaf_batch.clear();
        ControlFlow::Continue(())
    }

    /// The triangles of fans that a quick look did not tell apart.
    #[inline(never)]
    fn meet_fans(
        &mut self,
        pairs: [usize; 2],
        Certain { crossing, open }: Certain,
        made: &mut [Option<u32>; 2],
    ) -> ControlFlow<()> {
        let mut rest = crossing | open;
        while rest != 0 {
            let pair = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let places = [pair / 2, pair % 2];
            let names = [0, 1].map(|side| self.leaf_batch.names(side, pairs[side])[places[side]]);
            // What crosses as triangles does so as parts of polygons.
            if crossing >> pair & 1 == 1 {
                let triangle = |side: usize| self.leaf_batch.planes(side, pairs[side]).triangle(places[side]);
                let facets = [0, 1].map(|side| Facet::from(triangle(side)));
                (self.meet)(&FacetMeeting { names, facets, kind: Kind::Crossing })?;
                continue;
            }
            // Only here it matters which edges are inside of a polygon.
            for side in 0..2 {
                let face = names[side].face;
                if made[side] != Some(face) {
                    self.sources[side].fan(face, self.corners, &mut self.fans[side]);
                    made[side] = Some(face);
                }
            }
            let facets = [0, 1].map(|side| self.fans[side].facets()[names[side].piece as usize]);
            if let Some(kind) = triangles_meet(&facets[0], &facets[1]) {
                (self.meet)(&FacetMeeting { names, facets, kind })?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// The pairs of triangles of two leaves that a quick look did not tell apart.
#[inline(never)]
fn meet_triangles<const K: usize>(
    trees: [&DopTree<K>; 2],
    leaves: [(Leaf, &PlanePair); 2],
    Certain { crossing, open }: Certain,
    meet: &mut impl FnMut(&FacetMeeting) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut rest = crossing | open;
    while rest != 0 {
        let pair = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let places = [pair / 2, pair % 2];
        let facets = [0, 1].map(|side| Facet::from(leaves[side].1.triangle(places[side])));
        let kind = if crossing >> pair & 1 == 1 {
            Kind::Crossing
        } else {
            match triangles_meet(&facets[0], &facets[1]) {
                Some(kind) => kind,
                None => continue,
            }
        };
        let names =
            [0, 1].map(|side| FacetName { face: trees[side].ends(leaves[side].0)[places[side]], piece: 0 });
        meet(&FacetMeeting { names, facets, kind })?;
    }
    ControlFlow::Continue(())
}
