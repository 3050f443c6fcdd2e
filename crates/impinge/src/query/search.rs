//! Finding the faces of two models that meet: by the trees, or by trying all. What is found is the same.

use std::ops::ControlFlow;

use super::frame::Frame;
use super::verdict::Work;
use crate::math::{DAffine3, DVec3};
use crate::mesh::{Faces, Mesh};
use crate::model::{Placed, TreeOf, Trees};
use crate::narrow::overlap::{Facet, Fan, Kind, Shared, surely_apart, triangles};
use crate::tree::dop_tree::{Alignment, Stack, walk};

/// The memory that queries work in. Keep one per thread and hand it to query after query: they allocate nothing then.
#[derive(Debug, Default)]
pub struct Scratch {
    stack: Stack,
    facets: [Vec<(u32, Facet)>; 2],
    corners: Vec<DVec3>,
    fan: Fan,
}

/// Two facets that meet: the faces that they belong to, how, and what they share.
pub(super) struct FacetMeeting {
    pub(super) faces: [u32; 2],
    pub(super) facets: [Facet; 2],
    pub(super) kind: Kind,
    pub(super) shared: Shared,
}

/// The facets of a face of a placed model, in the frame of the pair.
struct FaceSource<'m> {
    mesh: &'m Mesh,
    map: Option<DAffine3>,
    /// Every face is a triangle.
    only_triangles: bool,
}

impl<'m> FaceSource<'m> {
    fn new(frame: &Frame, side: usize, placed: &Placed<'m>) -> FaceSource<'m> {
        let mesh = placed.model().mesh();
        let only_triangles = !matches!(mesh.faces(), Faces::Polygons { .. } | Faces::Grid(_));
        FaceSource { mesh, map: frame.frame_from_model(side), only_triangles }
    }

    #[inline(always)]
    fn point(&self, vertex: u32) -> DVec3 {
        let point = self.mesh.vertex(vertex);
        self.map.as_ref().map_or(point, |map| map.transform_point3(point))
    }

    #[inline(always)]
    fn append(&self, face: u32, corners: &mut Vec<DVec3>, fan: &mut Fan, to: &mut Vec<(u32, Facet)>) {
        if self.only_triangles {
            let corners = [0, 1, 2].map(|corner| self.point(self.mesh.corner(face, corner)));
            to.push((face, Facet::from(corners)));
        } else {
            corners.clear();
            corners.extend(self.mesh.corners(face).map(|vertex| self.point(vertex)));
            fan.set(corners);
            to.extend(fan.facets().iter().map(|&facet| (face, facet)));
        }
    }
}

/// Calls `meet` with every pair of facets that meet, until it breaks.
pub(super) fn by_trees<const K: usize>(
    frame: &Frame,
    placed: [&Placed<'_>; 2],
    scratch: &mut Scratch,
    mut meet: impl FnMut(&FacetMeeting) -> ControlFlow<()>,
) -> Work
where
    Trees: TreeOf<K>,
{
    let trees = placed.map(|p| p.model().dop_tree::<K>());
    let maps = frame.between(placed);
    let a_from_b = Alignment::new(trees[0], trees[1], &maps.a_from_b, maps.error_in_a);
    let b_from_a = Alignment::new(trees[1], trees[0], &maps.b_from_a, maps.error_in_b);
    let sources = [0, 1].map(|side| FaceSource::new(frame, side, placed[side]));
    let Scratch { stack, facets: [of_a, of_b], corners, fan } = scratch;
    let mut face_tests = 0;
    let counts = walk(trees, &a_from_b, &b_from_a, stack, |leaf_a, leaf_b| {
        of_a.clear();
        of_b.clear();
        for &face in trees[0].elements(leaf_a) {
            sources[0].append(face, corners, fan, of_a);
        }
        for &face in trees[1].elements(leaf_b) {
            sources[1].append(face, corners, fan, of_b);
        }
        for (face_a, a) in of_a.iter() {
            for (face_b, b) in of_b.iter() {
                face_tests += 1;
                if surely_apart(&a.corners, &b.corners) {
                    continue;
                }
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
