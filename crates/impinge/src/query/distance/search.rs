//! The search for the closest faces of two models: through their trees, or by trying all.

use super::best::{Best, Piece};
use super::frame::MetricFrame;
use crate::pair::surface::{FaceSource, FacetName, PlacedPieces, Table, side_by_side};
use impinge_core::bounds::Aabb;
use impinge_core::bvh::{
    DistanceStack, DopTree, LEAF_SIZE, Leaf, NearestVisitor, PointBounds, traverse_nearest,
};
use impinge_core::math::{DAffine3, DVec3};
use impinge_core::narrow::distance::{FourPairs, TwoTriangles, pair_bounds};
use impinge_core::narrow::tri_tri::TriPair4;
use impinge_core::simd::Lanes;

/// A triangle in the frame, with its box.
struct Boxed {
    corners: [DVec3; 3],
    bounds: Aabb,
    piece: Piece,
}

fn boxed(source: &FaceSource<'_>) -> Vec<Boxed> {
    let mut all = Vec::with_capacity(source.mesh().triangle_count());
    for face in 0..source.mesh().face_count() as u32 {
        for_each_piece(source, face, |corners, piece| {
            all.push(Boxed { corners: *corners, bounds: Aabb::around(*corners), piece });
        });
    }
    all
}

/// The triangles of a face's fan, placed.
pub(super) fn for_each_piece(source: &FaceSource<'_>, face: u32, mut visit: impl FnMut(&[DVec3; 3], Piece)) {
    let mesh = source.mesh();
    for (number, triangle) in mesh.fan(face).enumerate() {
        let corners = triangle.map(|vertex| source.place(mesh.vertex(vertex)));
        visit(&corners, Piece { face, number: number as u32 });
    }
}

/// Measures every triangle against every other whose box is not too far.
pub(super) fn brute_force(sources: &[FaceSource<'_>; 2], best: &mut Best) {
    let [first, second] = [boxed(&sources[0]), boxed(&sources[1])];
    for a in &first {
        for b in &second {
            // Rounding a distance between boxes costs less than what it is lessened by.
            if a.bounds.distance_squared(&b.bounds) * (1.0 - 8.0 * f64::EPSILON) <= best.squared {
                best.offer([&a.corners, &b.corners], [a.piece, b.piece]);
            }
        }
    }
}

/// Traverses the trees of the host and the guest.
pub(super) fn traverse_bvh(
    trees: [&DopTree<6>; 2],
    sources: &[FaceSource<'_>; 2],
    frame: &MetricFrame,
    enough: f64,
    best: &mut Best,
    (stack, pieces): (&mut DistanceStack, &mut [PlacedPieces; 2]),
) {
    let error = 8.0 * f64::EPSILON * frame.extent;
    let maps = [frame.maps[0].as_ref(), frame.maps[1].as_ref()];
    let distance = best.squared.sqrt();
    let mut visitor = FaceDistances { trees, sources, maps, enough: enough * enough, best, distance, pieces };
    traverse_nearest(trees, maps, error, distance, stack, &mut visitor);
}

/// Measures the faces of pairs of leaves.
struct FaceDistances<'s, 'm> {
    trees: [&'m DopTree<6>; 2],
    sources: &'s [FaceSource<'m>; 2],
    maps: [Option<&'s DAffine3>; 2],
    /// The distance, squared, that ends the search.
    enough: f64,
    best: &'s mut Best,
    /// The root of what the best says.
    distance: f64,
    /// The memory for the triangles of polygons.
    pieces: &'s mut [PlacedPieces; 2],
}

impl NearestVisitor for FaceDistances<'_, '_> {
    #[inline(always)]
    fn meet<L: Lanes>(&mut self, a: Leaf, b: Leaf) -> f64 {
        const { assert!(LEAF_SIZE == 2) };
        let elements = [self.trees[0].elements(a), self.trees[1].elements(b)];
        let [host, guest] = self.sources;
        if let (Some(host_table), Some(guest_table)) = (host.table, guest.table) {
            let both = [two_triangles(host_table, elements[0]), two_triangles(guest_table, elements[1])];
            let least = FourPairs::<L>::new(both, self.maps).bounds(self.best.squared);
            if least[0].min(least[1]).min(least[2]).min(least[3]) < self.best.squared {
                let name = |side: usize, place: usize| Piece { face: elements[side][place], number: 0 };
                let pairs =
                    [host.triangles(host_table, elements[0]), guest.triangles(guest_table, elements[1])];
                self.measure_triangles(elements.map(<[u32]>::len), name, &pairs, &least);
            }
        } else {
            self.measure_polygons::<L>(elements);
        }
        self.distance
    }

    #[inline(always)]
    fn towards(&self) -> Option<DVec3> {
        let (closest, _) = self.best.found.as_ref()?;
        Some(closest.offset / closest.squared.sqrt())
    }

    #[inline(always)]
    fn add_points<L: Lanes>(&self, side: usize, leaf: Leaf, around: &mut PointBounds<L>) {
        let elements = self.trees[side].elements(leaf);
        if let Some((points, triangles)) = self.sources[side].table {
            for &face in elements {
                let [a, b, c] = triangles[face as usize];
                around.add(&points[a as usize]);
                around.add(&points[b as usize]);
                around.add(&points[c as usize]);
            }
        } else {
            let mesh = self.sources[side].mesh();
            for &face in elements {
                for vertex in mesh.corners(face) {
                    around.add(&mesh.vertex(vertex));
                }
            }
        }
    }
}

/// The corners of one or two triangles of a table; a single one stands in both places.
#[inline(always)]
fn two_triangles<'m>((points, triangles): Table<'m>, faces: &[u32]) -> TwoTriangles<'m> {
    let [a, b, c] = triangles[faces[0] as usize];
    let [d, e, f] = triangles[faces[faces.len() - 1] as usize];
    [
        [&points[a as usize], &points[b as usize], &points[c as usize]],
        [&points[d as usize], &points[e as usize], &points[f as usize]],
    ]
}

impl FaceDistances<'_, '_> {
    #[inline(never)]
    fn measure_triangles(
        &mut self,
        counts: [usize; 2],
        name: impl Fn(usize, usize) -> Piece,
        pairs: &[TriPair4; 2],
        least: &[f64; 4],
    ) {
        let mut order = [0, 1, 2, 3];
        order.sort_unstable_by(|&i: &usize, &j: &usize| least[i].total_cmp(&least[j]));
        for pair in order {
            let places = [pair / 2, pair % 2];
            if least[pair] >= self.best.squared {
                return;
            }
            if places[0] >= counts[0] || places[1] >= counts[1] {
                continue;
            }
            let corners = [0, 1].map(|side| &pairs[side][places[side]]);
            let piece = |side: usize| name(side, places[side]);
            self.best.offer(corners, [piece(0), piece(1)]);
            self.follow();
        }
    }

    /// Faces of any kind, by their fans.
    #[inline(always)]
    fn measure_polygons<L: Lanes>(&mut self, elements: [&[u32]; 2]) {
        self.sources[0].pieces(elements[0], &mut self.pieces[0]);
        self.sources[1].pieces(elements[1], &mut self.pieces[1]);
        let counts = [self.pieces[0].len(), self.pieces[1].len()];
        let mut first = 0;
        while first < counts[0] {
            let of_first = first..(first + 2).min(counts[0]);
            let mut second = 0;
            while second < counts[1] {
                let of_second = second..(second + 2).min(counts[1]);
                let both = [&self.pieces[0][of_first.clone()], &self.pieces[1][of_second.clone()]];
                let pairs = [side_by_side(both[0]), side_by_side(both[1])];
                let least = pair_bounds::<L>(&pairs[0], &pairs[1], self.best.squared);
                if least[0].min(least[1]).min(least[2]).min(least[3]) < self.best.squared {
                    let names = both.map(|pieces| [pieces[0].0, pieces[pieces.len() - 1].0]);
                    let name = |side: usize, place: usize| {
                        let FacetName { face, piece } = names[side][place];
                        Piece { face, number: piece }
                    };
                    self.measure_triangles(both.map(<[_]>::len), name, &pairs, &least);
                }
                second = of_second.end;
            }
            first = of_first.end;
        }
    }

    /// Takes over a new best.
    fn follow(&mut self) {
        let distance = self.best.squared.sqrt();
        let Some((closest, _)) = &self.best.found else { return };
        if closest.squared <= self.enough || closest.squared == 0.0 {
            self.distance = -1.0;
        } else {
            self.distance = self.distance.min(distance);
        }
    }
}
