//! The simultaneous traversal of two trees of boxes towards all elements that are near each other.
//!
//! All boxes are seen in one frame in which lengths are what the caller measures: the first tree's own, or another into
//! which both are mapped. How far boxes are apart there is a lower bound of how far their elements are. Depth first,
//! the nearest child first; what is farther than the best so far is left out.

use crate::bvh::steps::STEPS;
use crate::bvh::traverse::pair::{Leaf, LeafPairs, Leaves, Visit};
use crate::bvh::{DopTree, Node, WIDTH};
use crate::math::{DAffine3, DVec3};
use crate::simd::{Lanes, Work, dispatch};

/// The error bound of fifteen roundings to `f32`, relative to the largest term.
const ROUNDING: f64 = 1.0 / (1 << 20) as f64;

/// Above this many sizes of the larger tree, two trees are far apart: their distance is taken out of the `f32` numbers.
const FAR: f64 = 64.0;

/// The size below which a tree counts as a point, as a part of a distance.
const POINT: f64 = 1e-9;

/// The boxes of a tree, seen from another frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Image {
    /// Each side of an image along an axis is a sum of three sides of the box: which of them, the upper ones first
    /// and then the lower, and their factors.
    picks: [[u32; 3]; 3],
    factors: [[[f32; 8]; 3]; 3],
    /// In the first four the upper sides, in the last the opposites of the lower ones.
    shifts: [[f32; 8]; 3],
}

impl Image {
    /// `frame_from_tree` takes tree coordinates to the frame, up to an `error` in each.
    pub(super) fn new(linear: [DVec3; 3], shift: DVec3, error: f64) -> Image {
        let mut image = Image { picks: [[0; 3]; 3], factors: [[[0.0; 8]; 3]; 3], shifts: [[0.0; 8]; 3] };
        for axis in 0..3 {
            let row = linear.map(|column| column[axis]);
            let reach = row.iter().map(|factor| factor.abs()).sum::<f64>() * STEPS + shift[axis].abs();
            let room = error + reach * ROUNDING + 1e-30;
            image.picks[axis] = row.map(|factor| u32::from(factor < 0.0));
            image.factors[axis] = row.map(|factor| [factor.abs() as f32; 8]);
            let (upper, lower) = ((room + shift[axis]) as f32, (room - shift[axis]) as f32);
            image.shifts[axis] = [upper, upper, upper, upper, lower, lower, lower, lower];
        }
        image
    }

    /// The sides of the images of a node's children along each axis: upper ones and opposites of lower ones.
    #[inline(always)]
    pub(super) fn of<L: Lanes>(&self, node: &Node<6>) -> [L::F32x8; 3] {
        // Each axis both ways: the upper sides first, and the lower sides first.
        let sides = [both_ways::<L>(node, 0), both_ways::<L>(node, 1), both_ways::<L>(node, 2)];
        let mut image = [L::load(&self.shifts[0]), L::load(&self.shifts[1]), L::load(&self.shifts[2])];
        let mut axis = 0;
        while axis < 3 {
            let mut j = 0;
            while j < 3 {
                let side = sides[j][self.picks[axis][j] as usize & 1];
                image[axis] = L::add(image[axis], L::mul(side, L::load(&self.factors[axis][j])));
                j += 1;
            }
            axis += 1;
        }
        image
    }
}

#[inline(always)]
fn both_ways<L: Lanes>(node: &Node<6>, axis: usize) -> [L::F32x8; 2] {
    let (upper, lower) = (&node.offsets[axis], &node.offsets[axis + 3]);
    [L::both(upper, lower), L::both(lower, upper)]
}

/// The common frame in which the boxes of two trees are compared.
#[derive(Clone, Copy, Debug)]
pub struct NearView {
    /// The first tree's; `None` where the frame is its own.
    first: Option<Image>,
    second: Image,
    /// The scale of frame coordinates: they are the caller's, less an origin, times this.
    pub(in crate::bvh) scale: f64,
    pub(super) far: Option<Far>,
    /// How either tree's coordinates become those of the frame, the second's moved by `shift`, up to an error in each.
    pub(super) linear: [[DVec3; 3]; 2],
    pub(super) shift: DVec3,
    pub(super) error: f64,
}

/// A direction along which boxes are compared as well: the one from middle to middle. Boxes are as they are in their own frames
/// here, and not inflated by their images in another.
#[derive(Clone, Copy, Debug)]
struct Slab {
    /// Along each axis, the side of the first's boxes and that of the second's that come closest to the other.
    picks: [[u32; 2]; 3],
    /// The first's in the lower four, the second's in the upper.
    factors: [[f32; 8]; 3],
    shifts: [f32; 8],
}

/// For trees that are far apart: the direction from the first to the second, and how far that is in frame coordinates;
/// it is taken out of the second's image.
#[derive(Clone, Copy, Debug)]
pub(super) struct Far {
    pub(super) towards: DVec3,
    distance: f64,
    /// The error bound of the sums of `f32` numbers.
    error: f64,
}

impl NearView {
    /// The view of two trees. `maps` take the coordinates of each tree's elements to those of lengths, up to an `error`;
    /// `None` where that changes nothing.
    pub fn new(trees: [&DopTree<6>; 2], maps: [Option<&DAffine3>; 2], error: f64) -> NearView {
        NearView::of(trees, maps, error, FAR)
    }

    /// The view of two trees, where `far` is the number of sizes from which on they count as far apart.
    pub(in crate::bvh) fn of(
        trees: [&DopTree<6>; 2],
        maps: [Option<&DAffine3>; 2],
        error: f64,
        far: f64,
    ) -> NearView {
        let [a, b] = trees;
        let identity = DAffine3::IDENTITY;
        let [map_a, map_b] = maps.map(|map| map.unwrap_or(&identity));
        let between = map_b.transform_point3(b.origin) - map_a.transform_point3(a.origin);
        let size = |tree: &DopTree<6>, map: &DAffine3| {
            map.matrix3.abs().mul_vec3(DVec3::ONE).max_element() * (STEPS / tree.scale)
        };
        // Something far smaller than its distance is as good as a point.
        let largest = size(a, map_a).max(size(b, map_b)).max(POINT * between.length());
        // The first tree's own frame will do, unless the tree is so small in it that the other's numbers get too large.
        let is_own = maps[0].is_none() && a.scale * largest <= STEPS * 1024.0;
        let scale = if is_own { a.scale } else { STEPS / largest };
        let error = error * scale + 16.0 * f64::EPSILON * (between.abs().max_element() + largest) * scale;
        // The middle of the first is the frame's origin.
        let (between, largest) = (between * scale, largest * scale);
        let distance = between.length();
        let far = (distance > far * largest).then(|| {
            let towards = between / distance;
            Far { towards, distance, error: 32.0 * ROUNDING * largest }
        });
        let columns = |tree: &DopTree<6>, map: &DAffine3| {
            let linear = map.matrix3 * (scale / tree.scale);
            [linear.x_axis, linear.y_axis, linear.z_axis]
        };
        let shift = if far.is_some() { DVec3::ZERO } else { between };
        let linear = [columns(a, map_a), columns(b, map_b)];
        NearView {
            first: (!is_own).then(|| Image::new(linear[0], DVec3::ZERO, error)),
            second: Image::new(linear[1], shift, error),
            scale,
            far,
            linear,
            shift,
            error,
        }
    }

    /// The view with the boxes of the second tree larger by a length on all sides.
    pub(in crate::bvh) fn with_second_grown(mut self, by: f64) -> NearView {
        let by = by * self.scale;
        for sides in &mut self.second.shifts {
            *sides = sides.map(|side| (f64::from(side) + by) as f32).map(f32::next_up);
        }
        self
    }

    /// The comparison along a direction of length 1.
    fn slab(&self, towards: DVec3) -> Slab {
        let [a, b] = self.linear.map(|linear| linear.map(|column| column.dot(towards)));
        let along: [f64; 3] = std::array::from_fn(|axis| a[axis].abs() + b[axis].abs());
        let shift = self.shift.dot(towards);
        let reach = (along[0] + along[1] + along[2]) * STEPS + shift.abs();
        // Either coordinate may be off, along three axes.
        let room = 4.0 * self.error + reach * ROUNDING + 1e-30;
        let (first, second) = ((room - shift) as f32, 0.0);
        Slab {
            // Sides are stored the upper ones first; the second's nearest is the lower one where the first's is the upper.
            picks: std::array::from_fn(|axis| {
                let side = |is_lower: bool| axis as u32 + if is_lower { 3 } else { 0 };
                [side(a[axis] < 0.0), side(b[axis] >= 0.0)]
            }),
            factors: std::array::from_fn(|axis| {
                let (a, b) = (a[axis].abs() as f32, b[axis].abs() as f32);
                [a, a, a, a, b, b, b, b]
            }),
            shifts: [first, first, first, first, second, second, second, second],
        }
    }

    /// The sides of the children of two nodes along each axis, as they are seen from the frame.
    #[inline(always)]
    pub(in crate::bvh) fn sides<L: Lanes>(&self, node_a: &Node<6>, node_b: &Node<6>) -> [[L::F32x8; 3]; 2] {
        let sides_b = self.second.of::<L>(node_b);
        let sides_a = match &self.first {
            Some(first) => first.of::<L>(node_a),
            None => [
                L::both(&node_a.offsets[0], &node_a.offsets[3]),
                L::both(&node_a.offsets[1], &node_a.offsets[4]),
                L::both(&node_a.offsets[2], &node_a.offsets[5]),
            ],
        };
        [sides_a, sides_b]
    }

    /// What the bounds of a pair must be below to matter, where elements closer than `distance` do.
    pub(super) fn limit(&self, distance: f64) -> f32 {
        if distance < 0.0 {
            return f32::NEG_INFINITY;
        }
        let in_frame = distance * self.scale;
        let limit = match &self.far {
            None => in_frame * in_frame * (1.0 + 2.0 * ROUNDING),
            Some(far) => in_frame * (1.0 + 4.0 * f64::EPSILON) - far.distance + far.error,
        };
        (limit as f32).next_up()
    }
}

/// A visitor of pairs of leaves, nearest first. Compiled for the lanes that the traversal runs with.
pub trait NearVisitor {
    /// Looks at the elements of two leaves. Elements that are not closer than what is returned do not matter from then on;
    /// below zero, nothing does.
    fn meet<L: Lanes>(&mut self, a: Leaf, b: Leaf) -> f64;
    /// Whether the visitor takes all pairs of leaves of two nodes at once, by [`meet_nodes`](Self::meet_nodes), and in no order.
    const TAKES_NODES: bool = false;
    /// Looks at the elements of those leaves of two nodes, given by their numbers, that are pairs by the bits `4 i + j` of `pairs`.
    #[inline(always)]
    fn meet_nodes<L: Lanes>(&mut self, _nodes: [u32; 2], _leaves: [Leaves<'_>; 2], _pairs: u32) {}
}

/// A pair of nodes to visit, and how far they are apart at least.
#[derive(Clone, Copy, Debug)]
pub(in crate::bvh) struct Later {
    pub(in crate::bvh) bound: f32,
    pub(in crate::bvh) visit: Visit,
}

/// The stack of a distance traversal.
#[derive(Clone, Debug, Default)]
pub struct DistanceStack {
    pub(in crate::bvh) later: Vec<Later>,
    /// The stack of traversals towards points.
    pub(in crate::bvh) points: Vec<crate::bvh::traverse::point::Later>,
    /// The nodes that a traversal towards closest elements has turned.
    pub(in crate::bvh) turned: [crate::bvh::traverse::turned::TurnedNodes; 2],
}

/// Counts of a distance traversal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NearCounts {
    /// The number of pairs of nodes that were visited.
    pub visits: u64,
    /// The number of pairs of leaves that the visitor saw.
    pub leaves: u64,
}

/// Shows the visitor the pairs of leaves that may hold the closest elements, as long as they are closer than
/// `distance`, and than what the visitor says in between.
pub fn traverse_distance(
    trees: [&DopTree<6>; 2],
    view: &NearView,
    distance: f64,
    stack: &mut DistanceStack,
    visitor: &mut impl NearVisitor,
) -> NearCounts {
    if view.far.is_some() {
        dispatch(PairTraversal::<'_, true, _> { trees, view, distance, stack, visitor })
    } else {
        dispatch(PairTraversal::<'_, false, _> { trees, view, distance, stack, visitor })
    }
}

struct PairTraversal<'w, const IS_FAR: bool, V> {
    trees: [&'w DopTree<6>; 2],
    view: &'w NearView,
    distance: f64,
    stack: &'w mut DistanceStack,
    visitor: &'w mut V,
}

impl<const IS_FAR: bool, V: NearVisitor> Work for PairTraversal<'_, IS_FAR, V> {
    type Output = NearCounts;

    #[inline(always)]
    fn run<L: Lanes>(self) -> NearCounts {
        let PairTraversal { trees: [a, b], view, distance, stack, visitor } = self;
        let later = &mut stack.later;
        later.clear();
        let mut counts = NearCounts::default();
        if a.is_empty() || b.is_empty() {
            return counts;
        }
        let (mut distance, mut limit) = (distance, view.limit(distance));
        let slab = view.slab(view.shift.try_normalize().unwrap_or(DVec3::X));
        later.push(Later { bound: f32::NEG_INFINITY, visit: Visit::whole(a.root, b.root) });
        while let Some(Later { bound, visit }) = later.pop() {
            if bound >= limit {
                continue;
            }
            counts.visits += 1;
            let (node_a, node_b) = (&a.nodes[visit.nodes[0] as usize], &b.nodes[visit.nodes[1] as usize]);
            let bounds = bounds::<L, IS_FAR>(view, &slab, node_a, node_b);
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
            if V::TAKES_NODES && leaf_pairs != 0 {
                counts.leaves += u64::from(leaf_pairs.count_ones());
                visitor.meet_nodes::<L>(visit.nodes, leaves, leaf_pairs);
                leaf_pairs = 0;
            }
            while leaf_pairs != 0 {
                let pair = nearest(&bound, leaf_pairs);
                leaf_pairs &= !(1 << pair);
                if bound[pair] < limit {
                    counts.leaves += 1;
                    let found = visitor.meet::<L>(leaves[0].leaf(pair / 4), leaves[1].leaf(pair % 4));
                    if found < distance {
                        (distance, limit) = (found, view.limit(found));
                    }
                }
            }
            let first = later.len();
            Next { later, first }.open(&bound, alive, &of_leaves, visit, [node_a, node_b]);
        }
        counts
    }
}

/// The pairs that follow on a visit.
pub(super) struct Next<'s> {
    pub(super) later: &'s mut Vec<Later>,
    /// Where it begins.
    pub(super) first: usize,
}

impl Next<'_> {
    /// Adds the visits of some pairs of children, each with its bound. They are not both leaves.
    #[inline(always)]
    pub(super) fn open(
        mut self,
        bound: &[f32; 16],
        pairs: u32,
        of_leaves: &LeafPairs,
        visit: Visit,
        [node_a, node_b]: [&Node<6>; 2],
    ) {
        let (mut a_alone, mut b_alone) = (pairs & of_leaves.second, pairs & of_leaves.first);
        let mut both = pairs & !(a_alone | b_alone);
        // Where one is opened alone, all that is near it is kept together.
        while a_alone != 0 {
            let row = a_alone.trailing_zeros() as usize / 4 % WIDTH;
            let pairs = a_alone & 0b1111 << (4 * row);
            a_alone ^= pairs;
            self.push(least(bound, pairs), Visit::first_opened(visit.nodes, node_a, row, pairs));
        }
        while b_alone != 0 {
            let lane = b_alone.trailing_zeros() as usize % WIDTH;
            let pairs = b_alone & 0x1111 << lane;
            b_alone ^= pairs;
            self.push(least(bound, pairs), Visit::second_opened(visit.nodes, node_b, lane, pairs));
        }
        while both != 0 {
            let pair = both.trailing_zeros() as usize % 16;
            both &= both - 1;
            self.push(bound[pair], Visit::whole(node_a.children[pair / 4], node_b.children[pair % 4]));
        }
    }

    /// The nearest comes last, to be visited first.
    #[inline(always)]
    fn push(&mut self, bound: f32, visit: Visit) {
        let mut place = self.later.len();
        self.later.push(Later { bound, visit });
        while place > self.first && self.later[place - 1].bound < bound {
            self.later.swap(place - 1, place);
            place -= 1;
        }
    }
}

/// The pair with the least bound.
#[inline(always)]
pub(super) fn nearest(bound: &[f32; 16], mut pairs: u32) -> usize {
    let mut nearest = pairs.trailing_zeros() as usize % 16;
    pairs &= pairs - 1;
    while pairs != 0 {
        let pair = pairs.trailing_zeros() as usize % 16;
        nearest = if bound[pair] < bound[nearest] { pair } else { nearest };
        pairs &= pairs - 1;
    }
    nearest
}

/// The least bound among some pairs.
#[inline(always)]
fn least(bound: &[f32; 16], pairs: u32) -> f32 {
    bound[nearest(bound, pairs)]
}

/// A lower bound of the distance of every pair of children, squared; or the distance itself, less what is between the
/// trees.
#[inline(always)]
fn bounds<L: Lanes, const IS_FAR: bool>(
    view: &NearView,
    slab: &Slab,
    node_a: &Node<6>,
    node_b: &Node<6>,
) -> L::F32x16 {
    let [sides_a, sides_b] = view.sides::<L>(node_a, node_b);
    let zero = L::f32x16_splat(0.0);
    let mut sum = zero;
    let mut axis = 0;
    while axis < 3 {
        // How deep they overlap: less than zero where they are apart.
        let before = L::f32x16_sums::<false>(sides_a[axis], sides_b[axis]);
        let behind = L::f32x16_sums::<true>(sides_a[axis], sides_b[axis]);
        if IS_FAR {
            // Along the way from the first to the second.
            let towards = view.far.as_ref().map_or(0.0, |far| far.towards[axis] as f32);
            let depth = if towards >= 0.0 { before } else { behind };
            sum = L::f32x16_add(sum, L::f32x16_mul(depth, L::f32x16_splat(-towards.abs())));
        } else {
            let depth = L::f32x16_min(L::f32x16_min(before, behind), zero);
            sum = L::f32x16_add(sum, L::f32x16_mul(depth, depth));
        }
        axis += 1;
    }
    if IS_FAR {
        return sum;
    }
    let mut along = L::load(&slab.shifts);
    let mut axis = 0;
    while axis < 3 {
        let [a, b] = slab.picks[axis];
        let sides = L::both(&node_a.offsets[a as usize % 6], &node_b.offsets[b as usize % 6]);
        along = L::add(along, L::mul(sides, L::load(&slab.factors[axis])));
        axis += 1;
    }
    let depth = L::f32x16_min(L::f32x16_sums::<false>(along, along), zero);
    L::f32x16_max(sum, L::f32x16_mul(depth, depth))
}
