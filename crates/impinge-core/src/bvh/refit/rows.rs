//! The fast way to refit trees of triangles with up to eight directions.
//!
//! Every vertex becomes a row of eight offsets once, rounded outward; the offsets of a triangle are the greatest of its
//! three vertices', those of a node the greatest of its children's. Rounding is monotonic, so these are the very bounds
//! that fitting each leaf to its corners would give. All of it is maxima of eight numbers at a time, without branches.

use super::super::fit::Frame;
use super::super::quantize::{Quantize, Row, place};
use super::super::steps::STEPS;
use super::super::{Child, DopTree, Node, WIDTH};
use super::pieces::{Piece, Pieces};
use crate::math::DVec3;
use crate::parallel::{for_each_chunk, map_with, may_share};
use crate::simd::{I16x4, Lanes, Work, dispatch};

/// Vertices that one thread does at a time.
const CHUNK: usize = 4096;

impl<const K: usize> DopTree<K> {
    /// Refits all pieces and the nodes above, with the result of `refit_pieces`. `triangles` are in the tree's order; `rows` is scratch memory.
    pub(super) fn refit_rows(
        &mut self,
        pieces: &Pieces,
        frame: Frame,
        (points, triangles): (&[DVec3], &[[u32; 3]]),
        rows: &mut Vec<Row>,
        parallel: bool,
    ) -> Vec<f64> {
        assert!(K <= 8, "a row has eight offsets");
        (self.origin, self.scale) = (frame.origin, frame.scale * STEPS);
        rows.resize(points.len(), [0; 8]);
        let quantize =
            |points: &[DVec3], rows: &mut [Row]| dispatch(Quantize::<K> { points, rows, frame: &frame });
        let slices = pieces.slices(&mut self.nodes);
        let pooled = parallel && slices.len() > 1 && may_share();
        if pooled {
            for_each_chunk(points, rows, CHUNK, quantize);
        } else {
            quantize(points, rows);
        }

        let rows = rows.as_slice();
        let refit = |memory: &mut Vec<Row>, (piece, nodes): (&Piece, &mut [Node<K>])| {
            let triangles = &triangles[piece.elements.start as usize..piece.elements.end as usize];
            dispatch(RefitRows { nodes, piece, triangles, rows, memory })
        };
        let mut surfaces: Vec<f64> = if pooled {
            map_with(slices, Vec::new, refit)
        } else {
            let mut memory = Vec::new();
            slices.into_iter().map(|slice| refit(&mut memory, slice)).collect()
        };
        let corners = super::order::SortedTriangles { points, triangles };
        surfaces.push(self.refit_above(pieces, &frame, &corners));
        surfaces
    }
}

/// The refit of a piece.
struct RefitRows<'t, const K: usize> {
    nodes: &'t mut [Node<K>],
    piece: &'t Piece,
    /// Those of the piece.
    triangles: &'t [[u32; 3]],
    /// Those of all vertices.
    rows: &'t [Row],
    memory: &'t mut Vec<Row>,
}

impl<const K: usize> Work for RefitRows<'_, K> {
    type Output = f64;

    #[inline(always)]
    fn run<L: Lanes>(self) -> f64 {
        let RefitRows { nodes, piece, triangles, rows, memory } = self;
        // The rows of triangles, then those of nodes.
        let count = triangles.len();
        memory.resize(count + nodes.len(), [0; 8]);
        let memory = memory.as_mut_slice();
        let mut i = 0;
        while i < count {
            let [a, b, c] = triangles[i];
            let [a, b, c] =
                [L::eight(&rows[a as usize]), L::eight(&rows[b as usize]), L::eight(&rows[c as usize])];
            L::store_eight(L::most(L::most(a, b), c), &mut memory[i]);
            i += 1;
        }
        let (first_node, first_element) = (piece.nodes.start, piece.elements.start);
        let mut surface = L::half_areas([L::eight(&[0; 8]); WIDTH]);
        let mut of_others = [0.0; WIDTH];
        let mut index = nodes.len();
        while index > 0 {
            index -= 1;
            let children = nodes[index].children;
            let mut places = [[0; 2]; WIDTH];
            let mut lane = 0;
            while lane < WIDTH {
                let child = children[lane];
                // One row of a node counts twice, as does the only triangle of a leaf: that is faster than asking.
                let element = child.index().wrapping_sub(first_element);
                let node = (count as u32).wrapping_add(child.index()).wrapping_sub(first_node);
                places[lane] =
                    if child.is_leaf() { [element, element + child.count() - 1] } else { [node, node] };
                lane += 1;
            }
            let row = |[first, last]: [u32; 2]| {
                L::most(L::eight(&memory[first as usize]), L::eight(&memory[last as usize]))
            };
            let first = row(places[0]);
            let (four, all) = if children[WIDTH - 1] != Child::NONE {
                let four = [first, row(places[1]), row(places[2]), row(places[3])];
                (four, L::most(L::most(four[0], four[1]), L::most(four[2], four[3])))
            } else {
                let (mut four, mut all) = ([L::eight(&[0; 8]); WIDTH], first);
                four[0] = first;
                let mut lane = 1;
                while children[lane] != Child::NONE {
                    four[lane] = row(places[lane]);
                    all = L::most(all, four[lane]);
                    lane += 1;
                }
                (four, all)
            };
            L::store_eight(all, &mut memory[count + index]);
            let columns = L::transposed(four);
            let mut k = 0;
            while k < K {
                nodes[index].offsets[k] = columns[place::<K>(k)];
                k += 1;
            }
            if K == 6 {
                surface = L::f32x4_add(surface, L::half_areas(four));
            } else {
                add_half_areas::<K>(&columns, &mut of_others);
            }
        }
        let [a, b, c, d] = if K == 6 { stored::<L>(surface) } else { of_others };
        f64::from(a) + f64::from(b) + f64::from(c) + f64::from(d)
    }
}

#[inline(always)]
fn stored<L: Lanes>(lanes: L::F32x4) -> [f32; WIDTH] {
    let mut numbers = [0.0; WIDTH];
    L::f32x4_store(lanes, &mut numbers);
    numbers
}

/// Adds half the surfaces of four children; those that are not there have none.
#[inline(always)]
fn add_half_areas<const K: usize>(columns: &[I16x4; 8], surface: &mut [f32; WIDTH]) {
    let mut sizes = [[0.0; WIDTH]; 3];
    for k in 0..3 {
        for lane in 0..WIDTH {
            sizes[k][lane] = (i32::from(columns[k][lane]) + i32::from(columns[k + K / 2][lane])) as f32;
        }
    }
    let [x, y, z] = sizes;
    for lane in 0..WIDTH {
        surface[lane] += x[lane] * (y[lane] + z[lane]) + y[lane] * z[lane];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::Aabb;
    use crate::bvh::refit::order::SortedTriangles;
    use crate::simd::Portable;

    /// The lanes of the processor and plain arrays find the same rows, bounds and surfaces.
    fn check<const K: usize>() {
        let at =
            |i: u32| DVec3::new(f64::from(i % 31), f64::from(i / 31), f64::from(i * 37 % 101) * 0.02) * 0.3;
        let points: Vec<DVec3> = (0..961).map(at).collect();
        let triangles: Vec<[u32; 3]> = (0..925).map(|i| [i, i + 31, i + 1]).collect();
        let corners = SortedTriangles { points: &points, triangles: &triangles };
        let bounds = Aabb::around(points.iter().copied());
        let tree = DopTree::<K>::build(triangles.len(), bounds, &corners);
        let sorted: Vec<[u32; 3]> = tree.order.iter().map(|&element| triangles[element as usize]).collect();
        let frame = Frame::around(bounds);

        let mut rows = [vec![[0; 8]; points.len()], vec![[0; 8]; points.len()]];
        let [wide, plain] = &mut rows;
        dispatch(Quantize::<K> { points: &points, rows: wide, frame: &frame });
        Quantize::<K> { points: &points, rows: plain, frame: &frame }.run::<Portable>();
        assert_eq!(wide, plain);

        let pieces = Pieces::of(&tree);
        let [piece] = &pieces.all[..] else { panic!("a small tree is one piece") };
        let mut trees = [tree.clone(), tree.clone()];
        let [wide, plain] = trees.each_mut().map(|tree| {
            tree.nodes.iter_mut().for_each(|node| node.offsets = [[0; WIDTH]; K]);
            tree.nodes.as_mut_slice()
        });
        let rows = rows[0].as_slice();
        let memory = &mut Vec::new();
        let refit = RefitRows { nodes: wide, piece, triangles: &sorted, rows, memory };
        let surface = dispatch(refit);
        let refit = RefitRows { nodes: plain, piece, triangles: &sorted, rows, memory };
        assert_eq!(surface, refit.run::<Portable>());
        assert!(trees[0] == trees[1] && trees[0] == tree);
    }

    #[test]
    fn every_kind_of_lanes_refits_the_same_way() {
        check::<6>();
        check::<8>();
    }
}
