//! The search for intersecting facets of two models: through the trees, or by brute force. What is found is the same.

use std::ops::ControlFlow;

use super::scratch::Scratch;
use crate::model::Placed;
use crate::pair::frame::Maps;
use crate::pair::stats::Stats;
use crate::pair::surface::{FaceSource, FaceTree, FacetList, FacetName, PlacedPieces, Table, first_and_last};
use impinge_core::bvh::{
    Descent, DopTree, Goal, LEAF_SIZE, Leaf, LeafVisitor, Leaves, PairAlignment, traverse_pair_by,
};
use impinge_core::math::DVec3;
use impinge_core::narrow::tri_tri::{
    COLUMNS, Columns, Corners4, Facet, Fan, HeightBound, Kind, ROWS, Sides, TriPair4, crosses, triangles_meet,
};
use impinge_core::simd::Lanes;

/// Two facets that intersect, the host's first: which they are, and how.
#[derive(Clone, Copy, Debug)]
pub struct FacetMeeting {
    /// The names of the facets.
    pub names: [FacetName; 2],
    /// The facets in the frame of the pair.
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

/// The number of leaf pairs that are found before their faces are tested, where all intersections are asked for. Their memory is
/// prefetched together, and on large meshes that is most of the time.
const MANY_LEAF_PAIRS: usize = 64;

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
    let Scratch { stack, leaf_pairs, pieces, corners, fans, .. } = scratch;
    leaf_pairs.clear();
    let far = trees[0].len().max(trees[1].len()) >= LARGE_MESH;
    let patience = if matches!(aim, Goal::All) { MANY_LEAF_PAIRS } else { 1 };
    let mut visitor = FaceTests {
        trees,
        sources,
        leaf_pairs,
        patience,
        bound: HeightBound::within(sources[0].reach() + sources[1].reach()),
        far,
        pieces,
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
    leaf_pairs: &'s mut Vec<[Leaf; 2]>,
    /// So many leaf pairs are tested together.
    patience: usize,
    /// The error bound of quick looks at triangles.
    bound: HeightBound,
    /// Whether memory has to be waited for.
    far: bool,
    pieces: &'s mut [PlacedPieces; 2],
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
        let (Some(host_table), Some(guest_table)) = (self.sources[0].table, self.sources[1].table) else {
            return self.meet_polygons::<L>(hosts, guests, mask);
        };
        let mut rest = mask;
        while rest != 0 {
            let pair = rest.trailing_zeros() as usize % 16;
            rest &= rest - 1;
            let pair = [hosts.leaf(pair / 4), guests.leaf(pair % 4)];
            if self.far {
                self.trees[0].prefetch::<L>(pair[0]);
                self.trees[1].prefetch::<L>(pair[1]);
            }
            self.leaf_pairs.push(pair);
        }
        if self.leaf_pairs.len() >= self.patience {
            self.test_leaf_pairs::<L>([host_table, guest_table])
        } else {
            ControlFlow::Continue(())
        }
    }

    #[inline(always)]
    fn finish<L: Lanes>(&mut self) {
        if let [Some(host), Some(guest)] = [self.sources[0].table, self.sources[1].table] {
            // Nothing is left to be skipped by a break.
            let _ = self.test_leaf_pairs::<L>([host, guest]);
        }
    }
}

impl<const K: usize, F: FnMut(&FacetMeeting) -> ControlFlow<()>> FaceTests<'_, '_, K, F> {
    /// The faces of the leaf pairs that were found.
    #[inline(always)]
    fn test_leaf_pairs<L: Lanes>(&mut self, tables: [Table<'_>; 2]) -> ControlFlow<()> {
        if self.far && self.leaf_pairs.len() > 1 {
            self.prefetch_leaf_pairs::<L, false>(tables);
            self.prefetch_leaf_pairs::<L, true>(tables);
        }
        let mut i = 0;
        while i < self.leaf_pairs.len() {
            // The guest is placed anew for each of its pairs: whether the next has the same is hard to predict, and takes longer.
            let [host, guest] = self.leaf_pairs[i];
            i += 1;
            let faces = [self.trees[0].ends(host), self.trees[1].ends(guest)];
            let columns = self.sources[1].corners::<L, false>(tables[1], faces[1]);
            let columns = Columns::<L>::new(columns, self.bound);
            let rows = self.sources[0].corners::<L, true>(tables[0], faces[0]);
            let present = Leaf::pairs(host, guest);
            self.face_tests += u64::from(present.count_ones());
            self.placed += 3 * u64::from(guest.count());
            if let Some((close, sides)) = columns.close(&rows, present) {
                let triangles = [&rows.triangles(ROWS), &columns.corners.triangles(COLUMNS)];
                self.test_triangles(faces, triangles, close, &sides)?;
            }
        }
        self.leaf_pairs.clear();
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn prefetch_leaf_pairs<L: Lanes, const CORNERS: bool>(&self, tables: [Table<'_>; 2]) {
        let mut i = 0;
        while i < self.leaf_pairs.len() {
            let [host, guest] = self.leaf_pairs[i];
            FaceSource::prefetch::<L, CORNERS>(tables[0], self.trees[0].ends(host));
            FaceSource::prefetch::<L, CORNERS>(tables[1], self.trees[1].ends(guest));
            i += 1;
        }
    }

    /// The pairs of triangles that a quick look did not tell apart.
    #[inline(never)]
    fn test_triangles(
        &mut self,
        faces: [[u32; 2]; 2],
        triangles: [&TriPair4; 2],
        mut close: u32,
        sides: &[Sides; 2],
    ) -> ControlFlow<()> {
        while close != 0 {
            let pair = close.trailing_zeros() as usize;
            close &= close - 1;
            let places = [pair / 2, pair % 2];
            let (host, guest) = (&triangles[0][places[0]], &triangles[1][places[1]]);
            let kind = match crosses(host, guest, pair, sides) {
                Some(false) => continue,
                Some(true) => Kind::Crossing,
                None => match triangles_meet(&Facet::from(*host), &Facet::from(*guest)) {
                    Some(kind) => kind,
                    None => continue,
                },
            };
            let names = [0, 1].map(|side| FacetName { face: faces[side][places[side]], piece: 0 });
            let facets = [Facet::from(*host), Facet::from(*guest)];
            (self.meet)(&FacetMeeting { names, facets, kind })?;
        }
        ControlFlow::Continue(())
    }

    /// Faces of any kind, guest by guest.
    #[inline(always)]
    fn meet_polygons<L: Lanes>(
        &mut self,
        hosts: Leaves<'_>,
        guests: Leaves<'_>,
        mask: u32,
    ) -> ControlFlow<()> {
        let mut lane = 0;
        while lane < 4 {
            let mut column = mask >> lane & 0x1111;
            if column != 0 {
                let guest_faces = self.trees[1].elements(guests.leaf(lane));
                self.sources[1].pieces(guest_faces, &mut self.pieces[1]);
                self.placed += 3 * self.pieces[1].len() as u64;
            }
            while column != 0 {
                let row = column.trailing_zeros() as usize / 4;
                column &= column - 1;
                let host_faces = self.trees[0].elements(hosts.leaf(row));
                self.sources[0].pieces(host_faces, &mut self.pieces[0]);
                self.test_pieces::<L>()?;
            }
            lane += 1;
        }
        ControlFlow::Continue(())
    }

    /// The triangles of fans that a quick look does not tell apart.
    #[inline(always)]
    fn test_pieces<L: Lanes>(&mut self) -> ControlFlow<()> {
        // Faces whose fans are made.
        let mut made = [None; 2];
        let mut guest = 0;
        while guest < self.pieces[1].len() {
            let guests = guest..(guest + 2).min(self.pieces[1].len());
            let [first, last] = first_and_last(&self.pieces[1][guests.clone()]);
            let columns = Columns::<L>::new(Corners4::columns(first, last), self.bound);
            let of_guest: u32 = if guests.len() == 2 { 0b11 } else { 0b01 };
            let mut host = 0;
            while host < self.pieces[0].len() {
                let hosts = host..(host + 2).min(self.pieces[0].len());
                let [first, last] = first_and_last(&self.pieces[0][hosts.clone()]);
                let rows = Corners4::rows(first, last);
                let present = if hosts.len() == 2 { of_guest | of_guest << 2 } else { of_guest };
                self.face_tests += u64::from(present.count_ones());
                if let Some((close, sides)) = columns.close(&rows, present) {
                    let triangles = [&rows.triangles(ROWS), &columns.corners.triangles(COLUMNS)];
                    self.test_close([host, guest], triangles, close, &sides, &mut made)?;
                }
                host = hosts.end;
            }
            guest = guests.end;
        }
        ControlFlow::Continue(())
    }

    /// The facets of fans that a quick look did not tell apart. Only here it matters which edges are inside of a polygon.
    #[inline(never)]
    fn test_close(
        &mut self,
        first: [usize; 2],
        triangles: [&TriPair4; 2],
        mut close: u32,
        sides: &[Sides; 2],
        made: &mut [Option<u32>; 2],
    ) -> ControlFlow<()> {
        while close != 0 {
            let pair = close.trailing_zeros() as usize;
            close &= close - 1;
            let places = [pair / 2, pair % 2];
            let crosses = crosses(&triangles[0][places[0]], &triangles[1][places[1]], pair, sides);
            if crosses == Some(false) {
                continue;
            }
            let names = [0, 1].map(|side| self.pieces[side][first[side] + places[side]].0);
            for side in 0..2 {
                let face = names[side].face;
                if made[side] != Some(face) {
                    self.sources[side].fan(face, self.corners, &mut self.fans[side]);
                    made[side] = Some(face);
                }
            }
            let facets = [0, 1].map(|side| self.fans[side].facets()[names[side].piece as usize]);
            // What crosses as triangles does so as parts of polygons.
            let kind = crosses.map(|_| Kind::Crossing).or_else(|| triangles_meet(&facets[0], &facets[1]));
            if let Some(kind) = kind {
                (self.meet)(&FacetMeeting { names, facets, kind })?;
            }
        }
        ControlFlow::Continue(())
    }
}
