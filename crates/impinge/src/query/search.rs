//! Finding the faces of two models that meet: by the trees, or by trying all. What is found is the same.

use std::ops::ControlFlow;

use super::frame::Frame;
use super::verdict::Work;
use crate::math::{DAffine3, DVec3};
use crate::mesh::Mesh;
use crate::model::{Placed, TreeOf, Trees};
use crate::narrow::overlap::{Facet, Fan, Kind, Shared, triangles};
use crate::tree::dop_tree::{Alignment, PairAlignment, Stack, walk};

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

    #[inline(always)]
    fn append(&self, face: u32, polygon: &mut (Vec<DVec3>, Fan), to: &mut Vec<(u32, Facet)>) {
        match self.table {
            Some((points, triangles)) => {
                let [i, j, k] = triangles[face as usize];
                let corners = [points[i as usize], points[j as usize], points[k as usize]];
                let corners = [self.place(corners[0]), self.place(corners[1]), self.place(corners[2])];
                to.push((face, Facet::from(corners)));
            }
            None => self.append_polygon(face, polygon, to),
        }
    }

    #[inline(never)]
    fn append_polygon(&self, face: u32, (corners, fan): &mut (Vec<DVec3>, Fan), to: &mut Vec<(u32, Facet)>) {
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
    mut meet: impl FnMut(&FacetMeeting) -> ControlFlow<()>,
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
    let sources = order.map(|side| FaceSource::new(frame, side, placed[side]));
    let Scratch { stack, facets: [of_host, of_guest], polygon } = scratch;
    let mut face_tests = 0;
    let alignment = PairAlignment::new(&host_from_guest, &guest_from_host);
    let counts = walk(trees, &alignment, stack, |leaf_a, leaf_b| {
        of_host.clear();
        of_guest.clear();
        for &face in trees[0].elements(leaf_a) {
            sources[0].append(face, polygon, of_host);
        }
        for &face in trees[1].elements(leaf_b) {
            sources[1].append(face, polygon, of_guest);
        }
        face_tests += (of_host.len() * of_guest.len()) as u64;
        for (face_a, a) in of_host.iter() {
            for (face_b, b) in of_guest.iter() {
                if let Some((kind, shared)) = triangles(a, b) {
                    let meeting = FacetMeeting { faces: [*face_a, *face_b], facets: [*a, *b], kind, shared };
                    meet(&meeting)?;
                }
            }
        }
        ControlFlow::Continue(())
    });
    Work { box_tests: counts.bounds, face_tests, visits: counts.visits }
}
