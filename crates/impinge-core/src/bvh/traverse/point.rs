//! The traversal of a tree of boxes towards the elements that are closest to a point.
//!
//! Depth first, the nearest child first. The bounds are computed in `f64`, so that points far away are no worse than
//! others.

use crate::bvh::steps::STEPS;
use crate::bvh::{Child, DopTree, Node};
use crate::math::{DAffine3, DVec3};
use crate::simd::{Lanes, Work, dispatch};

/// A node to visit, and how far it is at least, squared, in the frame's unit.
pub(in crate::bvh) type Later = (f64, Child);

/// Calls `meet` with elements that may be closest to a point, as long as they are no farther than `distance`, and than
/// what it returned last. Lengths are measured where `map` takes the elements, up to an `error` in each coordinate.
pub fn traverse_point(
    tree: &DopTree<6>,
    map: Option<&DAffine3>,
    point: DVec3,
    error: f64,
    distance: f64,
    stack: &mut crate::bvh::DistanceStack,
    meet: impl FnMut(u32) -> f64,
) {
    if tree.is_empty() {
        return;
    }
    let map_or_none = map.unwrap_or(&DAffine3::IDENTITY);
    let between = map_or_none.transform_point3(tree.origin) - point;
    let sizes = map_or_none.matrix3.abs().mul_vec3(DVec3::splat(STEPS / tree.scale));
    let reach = sizes.element_sum() + between.abs().element_sum();
    // The frame's unit is a step of the tree, unless that is so small that squares would overflow.
    let is_in_steps = reach * tree.scale < 1e60;
    let unit = if is_in_steps { tree.scale } else { 1.0 / reach };
    let room = (error + 32.0 * f64::EPSILON * reach) * unit;
    let linear = (map_or_none.matrix3 * (unit / tree.scale)).to_cols_array_2d();
    let has_map = map.is_some() || !is_in_steps;
    let view = View { linear: has_map.then_some(linear), between: (between * unit).to_array(), room };
    dispatch(PairTraversal { tree, view, unit, distance, stack: &mut stack.points, meet });
}

/// How the boxes are seen from the point.
struct View {
    /// The linear part of the map, column by column; `None` for the identity.
    linear: Option<[[f64; 3]; 3]>,
    between: [f64; 3],
    room: f64,
}

struct PairTraversal<'w, F> {
    tree: &'w DopTree<6>,
    view: View,
    unit: f64,
    distance: f64,
    stack: &'w mut Vec<Later>,
    meet: F,
}

impl<F: FnMut(u32) -> f64> Work for PairTraversal<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let PairTraversal { tree, view, unit, distance, stack, mut meet } = self;
        let square = |distance: f64| (distance * unit) * (distance * unit) * (1.0 + 16.0 * f64::EPSILON);
        let mut limit = square(distance);
        stack.clear();
        stack.push((0.0, tree.root));
        while let Some((bound, child)) = stack.pop() {
            if bound > limit {
                continue;
            }
            let node = &tree.nodes[child.index() as usize];
            let bounds = L::f64x4_store(view.bounds::<L>(node));
            let first = stack.len();
            let mut lane = 0;
            while lane < child.count() as usize {
                let inner = node.children[lane];
                if bounds[lane] <= limit && inner.is_leaf() {
                    let elements = inner.index() as usize..inner.index() as usize + inner.count() as usize;
                    for &element in &tree.order[elements] {
                        limit = square(meet(element));
                    }
                } else if bounds[lane] <= limit {
                    // Farther ones below.
                    let mut place = stack.len();
                    stack.push((bounds[lane], inner));
                    while place > first && stack[place - 1].0 < bounds[lane] {
                        stack.swap(place, place - 1);
                        place -= 1;
                    }
                }
                lane += 1;
            }
        }
    }
}

impl View {
    /// How far each child is at least, squared.
    #[inline(always)]
    fn bounds<L: Lanes>(&self, node: &Node<6>) -> L::F64x4 {
        let zero = L::f64x4_splat(0.0);
        let mut sum = zero;
        let mut axis = 0;
        while axis < 3 {
            // The upper side and the opposite of the lower one, seen from the point.
            let (mut upper, mut lower) = (
                L::f64x4_splat(self.room + self.between[axis]),
                L::f64x4_splat(self.room - self.between[axis]),
            );
            match &self.linear {
                None => {
                    upper = L::f64x4_add(upper, L::f64x4_of(&node.offsets[axis]));
                    lower = L::f64x4_add(lower, L::f64x4_of(&node.offsets[axis + 3]));
                }
                Some(columns) => {
                    let mut j = 0;
                    while j < 3 {
                        let factor = columns[j][axis];
                        let (up, down) = if factor < 0.0 { (j + 3, j) } else { (j, j + 3) };
                        let size = L::f64x4_splat(factor.abs());
                        upper = L::f64x4_add(upper, L::f64x4_mul(L::f64x4_of(&node.offsets[up]), size));
                        lower = L::f64x4_add(lower, L::f64x4_mul(L::f64x4_of(&node.offsets[down]), size));
                        j += 1;
                    }
                }
            }
            // Less than zero where the point is beyond that side.
            let depth = L::f64x4_min(L::f64x4_min(upper, lower), zero);
            sum = L::f64x4_add(sum, L::f64x4_mul(depth, depth));
            axis += 1;
        }
        sum
    }
}
