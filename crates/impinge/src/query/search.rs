//! Finding the faces of two models that meet: by the trees, or by trying all. What is found is the same.

use std::ops::ControlFlow;

use super::frame::Frame;
use super::verdict::Work;
use crate::math::{DAffine3, DVec3};
use crate::mesh::Mesh;
use crate::model::{Placed, TreeOf, Trees};
use crate::narrow::overlap::{Facet, Fan, Kind, Shared, TrianglePair, certainly_apart, triangles};
use crate::simd::Lanes;
use crate::tree::dop_tree::{Alignment, DopTree, LEAF_SIZE, Leaf, LeafVisitor, PairAlignment, Stack, walk};

/// The memory that queries work in. Keep one per thread and hand it to query after query: they allocate nothing then.
#[derive(Debug, Default)]
pub struct Scratch {
    stack: Stack,
    facets: [Vec<(u32, Facet)>; 2],
    polygon: (Vec<DVec3>, Fan),
}

/// Two facets that meet, the host's first: the faces that they belong to, how, and what they share.
pub(super) struct FacetMeeting {
    pub(super) faces: [u32; 2],
    pub(super) facets: [Facet; 2],
    pub(super) kind: Kind,
    pub(super) shared: Shared,
}

/// The facets of the faces of a placed model, in the frame of the pair.
struct FaceSource<'m> {
    mesh: &'m Mesh,
    map: Option<DAffine3>,
    /// The tables of an indexed triangle mesh, which most are.
    table: Option<(&'m [DVec3], &'m [[u32; 3]])>,
}

impl<'m> FaceSource<'m> {
    fn new(frame: &Frame, side: usize, placed: &Placed<'m>) -> FaceSource<'m> {
        let mesh = placed.model().mesh();
        FaceSource { mesh, map: frame.frame_from_model(side), table: mesh.triangle_table() }
    }

    #[inline(always)]
    fn place(&self, point: DVec3) -> DVec3 {
        match &self.map {
            None => point,
            Some(map) => map.transform_point3(point),
        }
    }

    /// One or two triangles of a table, placed; a single one stands in both places.
    #[inline(always)]
    fn triangles(&self, (points, triangles): (&[DVec3], &[[u32; 3]]), faces: &[u32]) -> TrianglePair {
        let first = triangles[faces[0] as usize];
        let last = triangles[faces[faces.len() - 1] as usize];
        let mut pair = [[[0.0; 2]; 3]; 3];
        let mut corner = 0;
        while corner < 3 {
            let p = self.place(points[first[corner] as usize]);
            let q = self.place(points[last[corner] as usize]);
            pair[corner] = [[p.x, q.x], [p.y, q.y], [p.z, q.z]];
            corner += 1;
        }
        pair
    }

    fn append(&self, face: u32, (corners, fan): &mut (Vec<DVec3>, Fan), to: &mut Vec<(u32, Facet)>) {
        corners.clear();
        corners.extend(self.mesh.corners(face).map(|vertex| self.place(self.mesh.vertex(vertex))));
        fan.set(corners);
        to.extend(fan.facets().iter().map(|&facet| (face, facet)));
    }
}

/// Calls `meet` with every pair of facets that meet, the host's first, until it breaks.
pub(super) fn by_trees<const K: usize>(
    frame: &Frame,
    placed: [&Placed<'_>; 2],
    scratch: &mut Scratch,
    meet: impl FnMut(&FacetMeeting) -> ControlFlow<()>,
) -> Work
where
    Trees: TreeOf<K>,
{
    let order = [frame.host, 1 - frame.host];
    let [host, guest] = order.map(|side| placed[side]);
    let trees = [host.model().dop_tree::<K>(), guest.model().dop_tree::<K>()];
    let (mut host_from_guest, mut guest_from_host) = (Alignment::NONE, Alignment::NONE);
    if let Some(maps) = frame.maps(host, guest) {
        host_from_guest = Alignment::new(trees[0], trees[1], &maps.host_from_guest, maps.error_in_host);
        if trees[0].is_apart(trees[1], &host_from_guest) {
            return Work { box_tests: 1, ..Work::default() };
        }
        guest_from_host = Alignment::new(trees[1], trees[0], &maps.guest_from_host, maps.error_in_guest);
    }
    let alignment = PairAlignment::new(&host_from_guest, &guest_from_host);
    let Scratch { stack, facets, polygon } = scratch;
    let mut visitor = FaceTests {
        trees,
        sources: order.map(|side| FaceSource::new(frame, side, placed[side])),
        facets,
        polygon,
        face_tests: 0,
        meet,
    };
    let counts = walk(trees, &alignment, stack, &mut visitor);
    Work { box_tests: counts.bounds, face_tests: visitor.face_tests, visits: counts.visits }
}

/// Tests the faces of a pair of leaves.
struct FaceTests<'s, 'm, const K: usize, F> {
    trees: [&'m DopTree<K>; 2],
    sources: [FaceSource<'m>; 2],
    facets: &'s mut [Vec<(u32, Facet)>; 2],
    polygon: &'s mut (Vec<DVec3>, Fan),
    face_tests: u64,
    meet: F,
}

impl<const K: usize, F: FnMut(&FacetMeeting) -> ControlFlow<()>> LeafVisitor for FaceTests<'_, '_, K, F> {
    #[inline(always)]
    fn meet<L: Lanes>(&mut self, a: Leaf, b: Leaf) -> ControlFlow<()> {
        let elements = [self.trees[0].elements(a), self.trees[1].elements(b)];
        if let ([Some(host), Some(guest)], true) =
            ([self.sources[0].table, self.sources[1].table], LEAF_SIZE == 2)
        {
            let pairs =
                [self.sources[0].triangles(host, elements[0]), self.sources[1].triangles(guest, elements[1])];
            let columns: u32 = if elements[1].len() == 2 { 0b11 } else { 0b01 };
            let present = if elements[0].len() == 2 { columns | columns << 2 } else { columns };
            self.face_tests += u64::from(present.count_ones());
            let close = present & !certainly_apart::<L>(&pairs[0], &pairs[1]);
            if close == 0 { ControlFlow::Continue(()) } else { self.test_triangles(elements, &pairs, close) }
        } else {
            self.test_polygons(elements)
        }
    }
}

impl<const K: usize, F: FnMut(&FacetMeeting) -> ControlFlow<()>> FaceTests<'_, '_, K, F> {
    /// The pairs of triangles that a quick look did not tell apart.
    #[inline(never)]
    fn test_triangles(
        &mut self,
        elements: [&[u32]; 2],
        pairs: &[TrianglePair; 2],
        mut close: u32,
    ) -> ControlFlow<()> {
        while close != 0 {
            let pair = close.trailing_zeros() as usize;
            close &= close - 1;
            let places = [pair / 2, pair % 2];
            let facet = |side: usize| {
                let corner =
                    |i: usize| DVec3::from_array(std::array::from_fn(|k| pairs[side][i][k][places[side]]));
                Facet::from([corner(0), corner(1), corner(2)])
            };
            let facets = [facet(0), facet(1)];
            if let Some((kind, shared)) = triangles(&facets[0], &facets[1]) {
                let faces = [elements[0][places[0]], elements[1][places[1]]];
                (self.meet)(&FacetMeeting { faces, facets, kind, shared })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Faces of any kind, by their fans.
    #[inline(never)]
    fn test_polygons(&mut self, elements: [&[u32]; 2]) -> ControlFlow<()> {
        let [of_host, of_guest] = &mut *self.facets;
        for (side, facets) in [&mut *of_host, &mut *of_guest].into_iter().enumerate() {
            facets.clear();
            for &face in elements[side] {
                self.sources[side].append(face, self.polygon, facets);
            }
        }
        self.face_tests += (of_host.len() * of_guest.len()) as u64;
        for (face_a, a) in of_host.iter() {
            for (face_b, b) in of_guest.iter() {
                if let Some((kind, shared)) = triangles(a, b) {
                    let meeting = FacetMeeting { faces: [*face_a, *face_b], facets: [*a, *b], kind, shared };
                    (self.meet)(&meeting)?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}
