//! The traversal of two trees towards their closest elements, in a frame that is turned towards them.
//!
//! Surfaces are parallel where they are closest, and perpendicular to the direction between them. Seen from a frame with an axis along that
//! direction, leaves are thin: boxes around their points are apart by nearly as much as the points themselves. So
//! boxes are made anew, node by node as the traversal meets them: those of leaves around their points, the others around the boxes of the
//! tree. Depth first, the nearest child first; the frame is turned when the closest elements so far lie in another direction.

use super::distance::{DistanceStack, Image, Later, NearCounts, NearView, Next, nearest};
use super::pair::{Leaf, LeafPairs, Leaves, Visit};
use super::turned::{self, TurnedNode, TurnedNodes};
use crate::bvh::steps::STEPS;
use crate::bvh::{Child, DopTree, Node, WIDTH};
use crate::math::{DAffine3, DMat3, DVec3};
use crate::simd::{Lanes, Work, dispatch};

/// The cosine of the angle from which on the frame is turned.
const TURNED: f64 = 0.999;

/// What the square of a direction's length may differ from 1 by: tiny vectors have no direction that is as good.
const UNIT: f64 = 1e-12;

/// The rounding of a number to `f32` and of the sum of two, relative to the largest.
const ROUNDING: f64 = 1.0 / (1 << 22) as f64;

/// A visitor of pairs of leaves, nearest first. Compiled for the lanes that the traversal runs with.
pub trait NearestVisitor {
    /// Looks at the elements of two leaves. Elements that are not closer than what is returned do not matter from then on;
    /// below zero, nothing does.
    fn meet<L: Lanes>(&mut self, a: Leaf, b: Leaf) -> f64;
    /// The direction from the first to the second in which the closest elements so far lie, of length 1.
    fn towards(&self) -> Option<DVec3>;
    /// Adds the points of a leaf of the first tree or the second, in the coordinates of its elements.
    fn add_points<L: Lanes>(&self, side: usize, leaf: Leaf, around: &mut PointBounds<L>);
}

/// A box around points, in a frame that they are mapped to.
#[derive(Clone, Copy, Debug)]
pub struct PointBounds<L: Lanes> {
    columns: [L::F64x4; 3],
    shift: L::F64x4,
    most: L::F64x4,
    least: L::F64x4,
}

impl<L: Lanes> PointBounds<L> {
    /// Adds a point.
    #[inline(always)]
    pub fn add(&mut self, point: &DVec3) {
        let x = L::f64x4_mul(self.columns[0], L::f64x4_splat(point.x));
        let y = L::f64x4_mul(self.columns[1], L::f64x4_splat(point.y));
        let z = L::f64x4_mul(self.columns[2], L::f64x4_splat(point.z));
        let mapped = L::f64x4_add(L::f64x4_add(x, y), L::f64x4_add(z, self.shift));
        self.most = L::f64x4_max(mapped, self.most);
        self.least = L::f64x4_min(mapped, self.least);
    }
}

/// How the points and the boxes of a tree are seen from the turned frame.
struct TurnedTree {
    image: Image,
    /// The map of points, column by column and then the shift, in three lanes of four.
    columns: [[f64; 4]; 4],
}

/// The turned frame.
struct Turned {
    towards: DVec3,
    trees: [TurnedTree; 2],
    /// What coordinates of points are off by.
    room: f64,
}

impl Turned {
    fn new(view: &NearView, maps: [&DAffine3; 2], origins: [DVec3; 2], towards: DVec3) -> Turned {
        let (right, up) = towards.any_orthonormal_pair();
        let turn = DMat3::from_cols(towards, right, up).transpose();
        // A coordinate is a sum of three that are off, and of roundings of no more than those.
        let error = 8.0 * view.error;
        let reach =
            view.linear.map(|linear| linear.iter().map(|column| column.length()).sum::<f64>() * STEPS);
        let room = error + (reach[0].max(reach[1]) + view.shift.length()) * ROUNDING + 1e-30;
        let tree = |side: usize| {
            let shift = if side == 0 { DVec3::ZERO } else { turn * view.shift };
            let matrix = turn * maps[side].matrix3 * view.scale;
            let moved = turn * ((maps[side].translation - origins[side]) * view.scale);
            let column = |column: DVec3| [column.x, column.y, column.z, 0.0];
            TurnedTree {
                image: Image::new(view.linear[side].map(|column| turn * column), shift, error),
                columns: [column(matrix.x_axis), column(matrix.y_axis), column(matrix.z_axis), column(moved)],
            }
        };
        Turned { towards, trees: [tree(0), tree(1)], room }
    }

    /// The boxes of a node's children.
    #[inline(always)]
    fn node<L: Lanes>(
        &self,
        side: usize,
        number: u32,
        node: &Node<6>,
        visitor: &impl NearestVisitor,
    ) -> TurnedNode {
        let tree = &self.trees[side];
        let mut sides = [[0.0; 8]; 3];
        let images = tree.image.of::<L>(node);
        L::f32x8_store(images[0], &mut sides[0]);
        L::f32x8_store(images[1], &mut sides[1]);
        L::f32x8_store(images[2], &mut sides[2]);
        let load = |column: usize| L::f64x4_load(&tree.columns[column]);
        let mut lane = 0;
        while lane < WIDTH {
            let child = node.children[lane];
            if child.is_leaf() && child != Child::NONE {
                let mut around = PointBounds::<L> {
                    columns: [load(0), load(1), load(2)],
                    shift: load(3),
                    most: L::f64x4_splat(f64::NEG_INFINITY),
                    least: L::f64x4_splat(f64::INFINITY),
                };
                visitor.add_points(side, Leaves(&node.children).leaf(lane), &mut around);
                let room = L::f64x4_splat(self.room);
                let (mut upper, mut lower) = ([0.0; 4], [0.0; 4]);
                L::f32x4_store(L::f64x4_to_half(L::f64x4_add(room, around.most)), &mut upper);
                L::f32x4_store(L::f64x4_to_half(L::f64x4_sub(room, around.least)), &mut lower);
                let mut axis = 0;
                while axis < 3 {
                    (sides[axis][lane], sides[axis][4 + lane]) = (upper[axis], lower[axis]);
                    axis += 1;
                }
            }
            lane += 1;
        }
        TurnedNode { sides, node: number, tight: 0 }
    }
}

/// Shows the visitor the pairs of leaves that may hold the closest elements, as long as they are closer than
/// `distance`, and than what the visitor says in between. `maps` and `error` are those of [`NearView::new`].
pub fn traverse_nearest(
    trees: [&DopTree<6>; 2],
    maps: [Option<&DAffine3>; 2],
    error: f64,
    distance: f64,
    stack: &mut DistanceStack,
    visitor: &mut impl NearestVisitor,
) -> NearCounts {
    let view = &NearView::new(trees, maps, error);
    let maps = maps.map(|map| map.unwrap_or(&DAffine3::IDENTITY));
    if view.far.is_some() {
        dispatch(Traversal::<'_, true, _> { trees, view, maps, distance, stack, visitor })
    } else {
        dispatch(Traversal::<'_, false, _> { trees, view, maps, distance, stack, visitor })
    }
}

struct Traversal<'w, const IS_FAR: bool, V> {
    trees: [&'w DopTree<6>; 2],
    view: &'w NearView,
    maps: [&'w DAffine3; 2],
    distance: f64,
    stack: &'w mut DistanceStack,
    visitor: &'w mut V,
}

impl<const IS_FAR: bool, V: NearestVisitor> Work for Traversal<'_, IS_FAR, V> {
    type Output = NearCounts;

    #[inline(always)]
    fn run<L: Lanes>(self) -> NearCounts {
        let Traversal { trees: [a, b], view, maps, distance, stack, visitor } = self;
        let DistanceStack { later, turned: [turned_a, turned_b], .. } = stack;
        later.clear();
        let mut counts = NearCounts::default();
        if a.is_empty() || b.is_empty() {
            return counts;
        }
        turned_a.begin(a.nodes.len());
        turned_b.begin(b.nodes.len());
        let origin = maps[0].transform_point3(a.origin);
        let (towards, origins) = match &view.far {
            None => (view.shift.try_normalize().unwrap_or(DVec3::X), [origin; 2]),
            Some(far) => (far.towards, [origin, maps[1].transform_point3(b.origin)]),
        };
        let mut frame = Turned::new(view, maps, origins, towards);
        let (mut distance, mut limit) = (distance, view.limit(distance));
        later.push(Later { bound: f32::NEG_INFINITY, visit: Visit::whole(a.root, b.root) });
        while let Some(Later { bound, visit }) = later.pop() {
            if bound >= limit {
                continue;
            }
            counts.visits += 1;
            let (node_a, node_b) = (&a.nodes[visit.nodes[0] as usize], &b.nodes[visit.nodes[1] as usize]);
            let mut place_a = place::<L, V>(&frame, 0, visit.nodes[0], node_a, visitor, turned_a);
            let mut place_b = place::<L, V>(&frame, 1, visit.nodes[1], node_b, visitor, turned_b);
            let bounds = turned::bounds::<L, IS_FAR>(&turned_a.nodes[place_a], &turned_b.nodes[place_b]);
            let mut alive = L::f32x16_less(bounds, L::f32x16_splat(limit)) & visit.mask;
            if alive == 0 {
                continue;
            }
            let mut bound = [0.0; 16];
            L::f32x16_store(bounds, &mut bound);
            let leaves = [Leaves(&node_a.children), Leaves(&node_b.children)];
            let of_leaves = LeafPairs::of::<L>(leaves);
            let mut leaf_pairs = alive & of_leaves.both;
            alive ^= leaf_pairs;
            while leaf_pairs != 0 {
                let pair = nearest(&bound, leaf_pairs);
                leaf_pairs &= !(1 << pair);
                if bound[pair] < limit {
                    counts.leaves += 1;
                    let found = visitor.meet::<L>(leaves[0].leaf(pair / 4), leaves[1].leaf(pair % 4));
                    if found < distance {
                        (distance, limit) = (found, view.limit(found));
                        if let (false, Some(towards)) = (IS_FAR, visitor.towards())
                            && towards.dot(frame.towards) < TURNED
                            && (towards.length_squared() - 1.0).abs() < UNIT
                        {
                            frame = Turned::new(view, maps, origins, towards);
                            turned_a.nodes.clear();
                            turned_b.nodes.clear();
                            place_a = place::<L, V>(&frame, 0, visit.nodes[0], node_a, visitor, turned_a);
                            place_b = place::<L, V>(&frame, 1, visit.nodes[1], node_b, visitor, turned_b);
                        }
                    }
                }
            }
            let inner_a = alive & !of_leaves.first;
            let inner_b = alive & !of_leaves.second;
            // On the first way down nothing is left out, and the frame will be another.
            let is_new = limit < f32::INFINITY
                && (tighten::<L, V>(&frame, 0, a, place_a, rows(inner_a), visitor, turned_a)
                    | tighten::<L, V>(&frame, 1, b, place_b, lanes(inner_b), visitor, turned_b));
            if is_new {
                let bounds = turned::bounds::<L, IS_FAR>(&turned_a.nodes[place_a], &turned_b.nodes[place_b]);
                alive &= L::f32x16_less(bounds, L::f32x16_splat(limit));
                L::f32x16_store(bounds, &mut bound);
            }
            let first = later.len();
            Next { later, first }.open(&bound, alive, &of_leaves, visit, [node_a, node_b]);
        }
        counts
    }
}

/// The place of a node among those whose boxes are made; made now, where they are not.
#[inline(always)]
fn place<L: Lanes, V: NearestVisitor>(
    frame: &Turned,
    side: usize,
    number: u32,
    node: &Node<6>,
    visitor: &V,
    turned: &mut TurnedNodes,
) -> usize {
    match turned.place(number) {
        Some(place) => place,
        None => turned.add(frame.node::<L>(side, number, node, visitor)),
    }
}

/// The children of the first that are part of some pairs.
#[inline(always)]
fn rows(pairs: u32) -> u32 {
    let pairs = pairs | pairs >> 1;
    let pairs = pairs | pairs >> 2;
    pairs & 1 | pairs >> 3 & 2 | pairs >> 6 & 4 | pairs >> 9 & 8
}

/// The children of the second that are part of some pairs.
#[inline(always)]
fn lanes(pairs: u32) -> u32 {
    let pairs = pairs | pairs >> 8;
    (pairs | pairs >> 4) & 0b1111
}

/// Makes the boxes of some children out of those of their own. Whether anything is new.
#[inline(always)]
fn tighten<L: Lanes, V: NearestVisitor>(
    frame: &Turned,
    side: usize,
    tree: &DopTree<6>,
    at: usize,
    children: u32,
    visitor: &V,
    turned: &mut TurnedNodes,
) -> bool {
    let mut loose = children & !turned.nodes[at].tight;
    if loose == 0 {
        return false;
    }
    turned.nodes[at].tight |= loose;
    let parent = &tree.nodes[turned.nodes[at].node as usize];
    while loose != 0 {
        let lane = loose.trailing_zeros() as usize % WIDTH;
        loose &= loose - 1;
        let child = parent.children[lane];
        let number = child.index();
        let node = &tree.nodes[number as usize];
        let place = place::<L, V>(frame, side, number, node, visitor, turned);
        let (child_sides, count) = (turned.nodes[place].sides, child.count() as usize);
        let sides = &mut turned.nodes[at].sides;
        let mut axis = 0;
        while axis < 3 {
            let mut half = 0;
            while half < 8 {
                let side = |lane: usize| child_sides[axis][half + if lane < count { lane } else { 0 }];
                let most = side(0).max(side(1)).max(side(2).max(side(3)));
                sides[axis][half + lane] = sides[axis][half + lane].min(most);
                half += 4;
            }
            axis += 1;
        }
    }
    true
}

#[cfg(test)]
mod tests;
