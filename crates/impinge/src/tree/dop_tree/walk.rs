//! The simultaneous walk of two trees: every pair of leaves whose bounds overlap, seen from both trees.

use std::ops::ControlFlow;

use super::{Alignment, Child, DopTree};
use crate::simd::{Eight, Lanes, Work, dispatch};

/// A leaf: a range of elements in the tree's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    pub(super) first: u32,
    pub(super) count: u32,
}

/// How much a walk did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Pairs of nodes that were visited.
    pub visits: u64,
    /// Pairs of bounds that were compared.
    pub bounds: u64,
}

/// A pair of nodes to visit, with the children that take part.
#[derive(Clone, Copy, Debug)]
struct Visit {
    nodes: [u32; 2],
    masks: [u32; 2],
}

/// The memory of a walk; it grows to what the deepest walk needed and is used again.
#[derive(Clone, Debug, Default)]
pub struct Stack {
    visits: Vec<Visit>,
}

/// Calls `meet` with every pair of leaves whose bounds overlap along all directions of both trees. Returns how much it did.
///
/// `a_from_b` aligns B's bounds with A's directions, `b_from_a` the other way.
pub fn walk<const K: usize>(
    trees: [&DopTree<K>; 2],
    a_from_b: &Alignment<K>,
    b_from_a: &Alignment<K>,
    stack: &mut Stack,
    meet: impl FnMut(Leaf, Leaf) -> ControlFlow<()>,
) -> Counts {
    dispatch(Walk { trees, a_from_b, b_from_a, stack, meet })
}

struct Walk<'w, const K: usize, F> {
    trees: [&'w DopTree<K>; 2],
    a_from_b: &'w Alignment<K>,
    b_from_a: &'w Alignment<K>,
    stack: &'w mut Stack,
    meet: F,
}

impl<const K: usize, F: FnMut(Leaf, Leaf) -> ControlFlow<()>> Work for Walk<'_, K, F> {
    type Output = Counts;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Counts {
        let Walk { trees: [a, b], a_from_b, b_from_a, stack, mut meet } = self;
        let visits = &mut stack.visits;
        visits.clear();
        if a.is_empty() || b.is_empty() {
            return Counts::default();
        }
        visits.push(whole(a.root, b.root));
        let half = K / 2;
        let mut tests = Counts::default();
        while let Some(Visit { nodes, masks }) = visits.pop() {
            let (node_a, node_b) = (&a.nodes[nodes[0] as usize], &b.nodes[nodes[1] as usize]);
            tests.visits += 1;
            tests.bounds += u64::from(masks[0].count_ones() * masks[1].count_ones());
            // B's children seen from A.
            let aligned_b: [L; K] = a_from_b.apply(&node_b.offsets);
            let mut alive = [0_u32; 8];
            let (mut rows, mut left) = (0_u32, masks[0]);
            while left != 0 {
                let row = left.trailing_zeros() as usize;
                left &= left - 1;
                let mut apart = L::splat(node_a.offsets[0][row]).add(aligned_b[half]);
                let mut k = 1;
                while k < K {
                    apart = apart.min(L::splat(node_a.offsets[k][row]).add(aligned_b[(k + half) % K]));
                    k += 1;
                }
                let lanes = !apart.signs() & masks[1];
                alive[row] = lanes;
                rows |= u32::from(lanes != 0) << row;
            }
            if rows == 0 {
                continue;
            }
            // A's children seen from B.
            let lanes: [L; K] = b_from_a.apply(&node_a.offsets);
            let mut aligned_a: [Eight; K] = [[0.0; 8]; K];
            let mut k = 0;
            while k < K {
                lanes[k].store(&mut aligned_a[k]);
                k += 1;
            }
            let base = visits.len();
            let mut deepest = f32::NEG_INFINITY;
            while rows != 0 {
                let row = rows.trailing_zeros() as usize;
                rows &= rows - 1;
                let mut apart = L::splat(aligned_a[0][row]).add(L::load(&node_b.offsets[half]));
                let mut k = 1;
                while k < K {
                    let other = L::load(&node_b.offsets[(k + half) % K]);
                    apart = apart.min(L::splat(aligned_a[k][row]).add(other));
                    k += 1;
                }
                let mut lanes = !apart.signs() & alive[row];
                let mut depth: Eight = [0.0; 8];
                apart.store(&mut depth);
                while lanes != 0 {
                    let lane = lanes.trailing_zeros() as usize;
                    lanes &= lanes - 1;
                    let (child_a, child_b) = (node_a.children[row], node_b.children[lane]);
                    let visit = match (child_a.is_leaf(), child_b.is_leaf()) {
                        (true, true) => {
                            if meet(leaf(child_a), leaf(child_b)).is_break() {
                                return tests;
                            }
                            continue;
                        }
                        (false, false) => whole(child_a, child_b),
                        (true, false) => {
                            Visit { nodes: [nodes[0], child_b.index()], masks: [1 << row, full(child_b)] }
                        }
                        (false, true) => {
                            Visit { nodes: [child_a.index(), nodes[1]], masks: [full(child_a), 1 << lane] }
                        }
                    };
                    visits.push(visit);
                    // The pair that overlaps most comes first: it is the likeliest to meet.
                    if depth[lane] > deepest {
                        deepest = depth[lane];
                    } else {
                        let last = visits.len() - 1;
                        visits.swap(last, last - 1);
                    }
                }
            }
            let _ = base;
        }
        tests
    }
}

#[inline(always)]
fn full(node: Child) -> u32 {
    (1 << node.count()) - 1
}

#[inline(always)]
fn whole(a: Child, b: Child) -> Visit {
    Visit { nodes: [a.index(), b.index()], masks: [full(a), full(b)] }
}

#[inline(always)]
fn leaf(child: Child) -> Leaf {
    Leaf { first: child.index(), count: child.count() }
}
