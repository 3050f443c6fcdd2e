//! The simultaneous traversal of two trees: every pair of leaves whose bounds overlap, seen from both trees.

use std::ops::ControlFlow;

use crate::bvh::{Child, Descent, DopTree, Node, PairAlignment, WIDTH};
use crate::simd::{Lanes, Work, dispatch};

/// A leaf: a range of elements in the tree's order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Leaf {
    pub(in crate::bvh) first: u32,
    pub(in crate::bvh) count: u32,
}

impl Leaf {
    /// The number of elements.
    #[inline(always)]
    pub fn count(self) -> u32 {
        self.count
    }

    /// The place of the leaf in the tree's order: no two leaves of a tree have the same.
    #[inline(always)]
    pub fn order(self) -> u32 {
        self.first
    }

    /// The pairs of elements of two leaves that exist, of up to two each: bit `2 i + j` for elements i and j.
    #[inline(always)]
    pub fn pairs(first: Leaf, second: Leaf) -> u32 {
        const PAIRS: [[u32; 2]; 2] = [[0b0001, 0b0011], [0b0101, 0b1111]];
        PAIRS[usize::from(first.count > 1)][usize::from(second.count > 1)]
    }
}

/// Counts of a traversal of two trees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The number of pairs of nodes that were visited.
    pub visits: u64,
    /// The number of pairs of bounds that were compared.
    pub bounds: u64,
}

/// A pair of nodes to visit, with the children that take part.
#[derive(Clone, Copy, Debug)]
pub(in crate::bvh) struct Visit {
    pub(in crate::bvh) nodes: [u32; 2],
    /// Bit `4 i + j` for child i of the first and child j of the second.
    pub(in crate::bvh) mask: u32,
}

impl Visit {
    /// The visit of all children of one node against all of another.
    #[inline(always)]
    pub(in crate::bvh) fn whole(a: Child, b: Child) -> Visit {
        Visit { nodes: [a.index(), b.index()], mask: full(b) * COLUMN[a.count() as usize] }
    }

    /// The visit of two children of nodes, at given places in them, that are not both leaves: a leaf stays where it is,
    /// while the other is opened.
    #[inline(always)]
    pub(in crate::bvh) fn of_children(nodes: [u32; 2], [row, lane]: [usize; 2], a: Child, b: Child) -> Visit {
        if a.is_leaf() {
            Visit { nodes: [nodes[0], b.index()], mask: full(b) << (4 * row) }
        } else if b.is_leaf() {
            Visit { nodes: [a.index(), nodes[1]], mask: COLUMN[a.count() as usize] << lane }
        } else {
            Visit::whole(a, b)
        }
    }

    /// The visit of a child of the first node, opened, against those children of the second that it is paired with.
    #[inline(always)]
    pub(in crate::bvh) fn first_opened<const K: usize>(
        nodes: [u32; 2],
        a: &Node<K>,
        row: usize,
        pairs: u32,
    ) -> Visit {
        let child = a.children[row];
        let lanes = pairs >> (4 * row) & 0b1111;
        Visit { nodes: [child.index(), nodes[1]], mask: COLUMN[child.count() as usize] * lanes }
    }

    /// The visit of a child of the second node, opened, against those children of the first that it is paired with.
    #[inline(always)]
    pub(in crate::bvh) fn second_opened<const K: usize>(
        nodes: [u32; 2],
        b: &Node<K>,
        lane: usize,
        pairs: u32,
    ) -> Visit {
        let child = b.children[lane];
        let rows = pairs >> lane & 0x1111;
        Visit { nodes: [nodes[0], child.index()], mask: full(child) * rows }
    }
}

/// The stack of a traversal; it grows to what the deepest one needed and is used again.
#[derive(Clone, Debug, Default)]
pub struct Stack {
    visits: Vec<Visit>,
}

/// The front of a traversal that found nothing: node pairs that together stand for all pairs of elements, each where its
/// pairs were told apart. The next traversal of the same two trees may begin there; what it finds is the same.
#[derive(Clone, Debug, Default)]
pub struct Front {
    visits: Vec<Visit>,
}

impl Front {
    /// Clears the front: the next traversal begins at the roots.
    pub fn clear(&mut self) {
        self.visits.clear();
    }

    /// The number of node pairs.
    pub fn pair_count(&self) -> usize {
        self.visits.len()
    }
}

/// The goal of a traversal: all pairs, or the first.
#[derive(Debug)]
pub enum Goal<'f> {
    /// Finds all pairs.
    All,
    /// Stops at the first pair that intersects.
    First,
    /// Stops at the first pair that intersects; begins at the front and leaves it where this traversal ends, or clear after a hit.
    FirstFrom(&'f mut Front),
}

/// The visits after which a depth-first search that has found nothing restarts elsewhere.
const RESTART_INTERVAL: u64 = 64;

/// Shows the visitor every pair of leaves whose bounds overlap along all directions of both trees. Returns how much it did.
pub fn traverse_pair<const K: usize>(
    trees: [&DopTree<K>; 2],
    alignment: &PairAlignment<K>,
    aim: Goal<'_>,
    stack: &mut Stack,
    visitor: &mut impl LeafVisitor,
) -> Counts {
    traverse_pair_by(Descent::USUAL, trees, alignment, aim, stack, visitor)
}

/// Traverses two trees by a given descent rule, and shows the visitor every pair of leaves whose bounds overlap.
pub fn traverse_pair_by<const K: usize>(
    descent: Descent,
    trees: [&DopTree<K>; 2],
    alignment: &PairAlignment<K>,
    aim: Goal<'_>,
    stack: &mut Stack,
    visitor: &mut impl LeafVisitor,
) -> Counts {
    dispatch(PairTraversal { descent, trees, alignment, aim, stack, visitor })
}

/// A visitor of pairs of leaves. Compiled for the lanes that the traversal runs with.
pub trait LeafVisitor {
    /// Looks at pairs of leaves. Bit `4 i + j` of the mask says that leaves i and j may intersect; at least one is set.
    fn meet<L: Lanes>(&mut self, a: Leaves<'_>, b: Leaves<'_>, mask: u32) -> ControlFlow<()>;
    /// Ends the traversal, after all pairs have been shown without a break.
    fn finish<L: Lanes>(&mut self) {}
}

/// The children of a node, as far as they are leaves.
#[derive(Clone, Copy, Debug)]
pub struct Leaves<'n>(pub(in crate::bvh) &'n [Child; WIDTH]);

impl Leaves<'_> {
    /// The child in a lane, which must be a leaf.
    #[inline(always)]
    pub fn leaf(self, lane: usize) -> Leaf {
        let child = self.0[lane % WIDTH];
        debug_assert!(child.is_leaf() && child != Child::NONE);
        Leaf { first: child.index(), count: child.count() }
    }

    /// The child in a lane, of no meaning where that is not a leaf.
    #[inline(always)]
    pub fn perhaps(self, lane: usize) -> Leaf {
        let child = self.0[lane % WIDTH];
        Leaf { first: child.index(), count: child.count() }
    }

    /// The children that are leaves, with their lanes.
    pub fn all(self) -> impl Iterator<Item = (usize, Leaf)> {
        let leaves = self.0.iter().enumerate().filter(|(_, child)| child.is_leaf() && **child != Child::NONE);
        leaves.map(|(lane, child)| (lane, Leaf { first: child.index(), count: child.count() }))
    }

    /// One bit for each child that is a leaf, or nothing.
    #[inline(always)]
    pub(in crate::bvh) fn mask<L: Lanes>(self) -> u32 {
        L::top_bits(&self.0.map(|child| child.0))
    }
}

/// The pairs of children of two nodes of which both are leaves, or nothing; of which the second is, so that only the first can be opened;
/// and of which the first is.
#[derive(Clone, Copy)]
pub(in crate::bvh) struct LeafPairs {
    pub(in crate::bvh) both: u32,
    pub(in crate::bvh) second: u32,
    pub(in crate::bvh) first: u32,
}

impl LeafPairs {
    #[inline(always)]
    pub(in crate::bvh) fn of<L: Lanes>([a, b]: [Leaves<'_>; 2]) -> LeafPairs {
        let first = ROWS[a.mask::<L>() as usize % 16];
        let second = b.mask::<L>() * 0x1111;
        LeafPairs { both: first & second, second, first }
    }
}

/// For each set of rows: all pairs in them.
const ROWS: [u32; 16] = {
    let mut pairs = [0; 16];
    let mut set: usize = 0;
    while set < 16 {
        let mut row = 0;
        while row < 4 {
            pairs[set] |= ((set as u32 >> row & 1) * 0b1111) << (4 * row);
            row += 1;
        }
        set += 1;
    }
    pairs
};

struct PairTraversal<'w, const K: usize, V> {
    descent: Descent,
    trees: [&'w DopTree<K>; 2],
    alignment: &'w PairAlignment<K>,
    aim: Goal<'w>,
    stack: &'w mut Stack,
    visitor: &'w mut V,
}

impl<const K: usize, V: LeafVisitor> Work for PairTraversal<'_, K, V> {
    type Output = Counts;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Counts {
        let PairTraversal { descent, trees: [a, b], alignment, aim, stack, visitor } = self;
        let visits = &mut stack.visits;
        visits.clear();
        if a.is_empty() || b.is_empty() {
            return Counts::default();
        }
        let searches = !matches!(aim, Goal::All);
        let mut front = if let Goal::FirstFrom(front) = aim { Some(&mut front.visits) } else { None };
        match &mut front {
            Some(front) if !front.is_empty() => std::mem::swap(visits, front),
            _ => visits.push(Visit::whole(a.root, b.root)),
        }
        let half = K / 2;
        let chooses = descent.chooses([a, b], alignment.step);
        let mut tests = Counts::default();
        // The visit that comes next, if it is known: it does not go by way of the stack.
        let mut ahead: Option<Visit> = None;
        loop {
            let next = if searches {
                if tests.visits % RESTART_INTERVAL == RESTART_INTERVAL - 1 {
                    // The oldest visit is the one with the most below it.
                    match (&mut ahead, visits.len()) {
                        (_, 0) => {}
                        (Some(next), _) => std::mem::swap(next, &mut visits[0]),
                        (None, count) => visits.swap(0, count - 1),
                    }
                }
                ahead.take().or_else(|| visits.pop())
            } else {
                // The one after this is taken off the stack now, before others come on top of it, so that its memory has time to come.
                let next = std::mem::replace(&mut ahead, visits.pop());
                if next.is_none() && ahead.is_some() {
                    continue;
                }
                next
            };
            let Some(Visit { nodes, mask }) = next else { break };
            let (node_a, node_b) = (&a.nodes[nodes[0] as usize], &b.nodes[nodes[1] as usize]);
            tests.visits += 1;
            tests.bounds += u64::from(mask.count_ones());
            let aligned = alignment.apply::<L>(&node_a.offsets, &node_b.offsets);
            // How deep each pair overlaps along the direction in which it does so least.
            let mut depths = L::rows(&[i16::MAX; 4]);
            let mut k = 0;
            while k < half {
                let (one, other) = (k, k + half);
                let whole = L::whole(aligned[one], aligned[other]);
                let seen_from_a = L::min(
                    L::sums(L::rows(&node_a.offsets[one]), L::lower_columns::<true>(whole)),
                    L::sums(L::rows(&node_a.offsets[other]), L::lower_columns::<false>(whole)),
                );
                let seen_from_b = L::min(
                    L::sums(L::upper_rows::<false>(whole), L::columns(&node_b.offsets[other])),
                    L::sums(L::upper_rows::<true>(whole), L::columns(&node_b.offsets[one])),
                );
                depths = L::min(depths, L::min(seen_from_a, seen_from_b));
                k += 1;
            }
            let mut alive = !L::signs(depths) & mask;
            if alive == 0 {
                if let Some(front) = &mut front {
                    front.push(Visit { nodes, mask });
                }
                continue;
            }
            let leaves = [Leaves(&node_a.children), Leaves(&node_b.children)];
            let of_leaves = LeafPairs::of::<L>(leaves);
            let leaf_pairs = alive & of_leaves.both;
            if leaf_pairs != 0 && visitor.meet::<L>(leaves[0], leaves[1], leaf_pairs).is_break() {
                if let Some(front) = &mut front {
                    front.clear();
                }
                return tests;
            }
            alive ^= leaf_pairs;
            if let Some(front) = &mut front {
                // What ends here: what is apart, and leaves.
                if mask != alive {
                    front.push(Visit { nodes, mask: mask ^ alive });
                }
            }
            if alive == 0 {
                continue;
            }
            let (mut a_alone, mut b_alone) = (alive & of_leaves.second, alive & of_leaves.first);
            let mut both = alive & !(a_alone | b_alone);
            if chooses && both != 0 {
                let [more_a, more_b] = descent.alone::<L, K>([node_a, node_b], alignment.step, both);
                a_alone |= more_a;
                b_alone |= more_b;
                both &= !(more_a | more_b);
            }
            // The pair that overlaps most comes first: it is the likeliest to intersect. Where all are found, the order is of no consequence.
            if searches {
                let pair = L::most_of(depths, alive) % 16;
                let (row, lane) = (pair / 4, pair % 4);
                let visit = if both >> pair & 1 == 1 {
                    both ^= 1 << pair;
                    Visit::whole(node_a.children[row], node_b.children[lane])
                } else if a_alone >> pair & 1 == 1 {
                    let pairs = a_alone & 0b1111 << (4 * row);
                    a_alone ^= pairs;
                    Visit::first_opened(nodes, node_a, row, pairs)
                } else {
                    let pairs = b_alone & 0x1111 << lane;
                    b_alone ^= pairs;
                    Visit::second_opened(nodes, node_b, lane, pairs)
                };
                L::prefetch(&a.nodes[visit.nodes[0] as usize]);
                L::prefetch(&b.nodes[visit.nodes[1] as usize]);
                ahead = Some(visit);
            }
            // Where one is opened alone, all that it meets is kept together.
            while a_alone != 0 {
                let row = a_alone.trailing_zeros() as usize / 4 % WIDTH;
                let pairs = a_alone & 0b1111 << (4 * row);
                a_alone ^= pairs;
                let visit = Visit::first_opened(nodes, node_a, row, pairs);
                L::prefetch(&a.nodes[visit.nodes[0] as usize]);
                visits.push(visit);
            }
            while b_alone != 0 {
                let lane = b_alone.trailing_zeros() as usize % WIDTH;
                let pairs = b_alone & 0x1111 << lane;
                b_alone ^= pairs;
                let visit = Visit::second_opened(nodes, node_b, lane, pairs);
                L::prefetch(&b.nodes[visit.nodes[1] as usize]);
                visits.push(visit);
            }
            while both != 0 {
                let pair = both.trailing_zeros() as usize % 16;
                both &= both - 1;
                let (child_a, child_b) = (node_a.children[pair / 4], node_b.children[pair % 4]);
                L::prefetch(&a.nodes[child_a.index() as usize]);
                L::prefetch(&b.nodes[child_b.index() as usize]);
                visits.push(Visit::whole(child_a, child_b));
            }
        }
        visitor.finish::<L>();
        tests
    }
}

/// One bit for each child of a node.
#[inline(always)]
fn full(node: Child) -> u32 {
    (1 << node.count()) - 1
}

/// The first bit of each row, for so many rows.
const COLUMN: [u32; 5] = [0, 0x1, 0x11, 0x111, 0x1111];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::Aabb;
    use crate::bvh::Alignment;
    use crate::math::{DAffine3, DQuat, DVec3};
    use crate::simd::Portable;

    #[derive(Default, PartialEq, Debug)]
    struct Seen(Vec<(Leaf, Leaf)>);

    impl LeafVisitor for Seen {
        fn meet<L: Lanes>(&mut self, a: Leaves<'_>, b: Leaves<'_>, mask: u32) -> ControlFlow<()> {
            let pairs = (0..16).filter(|pair| mask >> pair & 1 == 1);
            self.0.extend(pairs.map(|pair| (a.leaf(pair / 4), b.leaf(pair % 4))));
            ControlFlow::Continue(())
        }
    }

    /// Small triangles on a wavy sheet.
    fn sheet(count: u32) -> Vec<[DVec3; 3]> {
        let corner = |i: u32, j: u32| {
            let (x, y) = (f64::from(i) * 0.1, f64::from(j) * 0.1);
            DVec3::new(x, y, 0.2 * (x * y - x * x))
        };
        (0..count * count)
            .map(|cell| (cell % count, cell / count))
            .map(|(i, j)| [corner(i, j), corner(i + 1, j), corner(i, j + 1)])
            .collect()
    }

    /// The lanes of the processor and plain arrays visit the same nodes and meet the same leaves in the same order.
    fn check<const K: usize>() {
        let triangles = sheet(24);
        let bounds = Aabb::around(triangles.iter().flatten().copied());
        let tree = DopTree::<K>::build(triangles.len(), bounds, triangles.as_slice());
        for step in 0..20 {
            let angle = 0.3 * f64::from(step);
            let turn = DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), angle);
            let there =
                DAffine3::from_rotation_translation(turn, DVec3::new(0.4, 0.3 - 0.05 * f64::from(step), 0.1));
            let back = there.inverse();
            let alignment = PairAlignment::new(
                &Alignment::new(&tree, &tree, &there, 1e-12),
                &Alignment::new(&tree, &tree, &back, 1e-12),
            );
            let (mut wide, mut plain) = (Seen::default(), Seen::default());
            let trees = [&tree, &tree];
            let counts = traverse_pair(trees, &alignment, Goal::All, &mut Stack::default(), &mut wide);
            let stack = &mut Stack::default();
            let descent = Descent::USUAL;
            let portable = PairTraversal {
                descent,
                trees,
                alignment: &alignment,
                aim: Goal::All,
                stack,
                visitor: &mut plain,
            }
            .run::<Portable>();
            assert_eq!(counts, portable);
            assert_eq!(wide, plain);
            assert!(step > 0 || !wide.0.is_empty());
        }
    }

    #[test]
    fn every_kind_of_lanes_walks_the_same_way() {
        check::<6>();
        check::<8>();
        check::<14>();
        check::<26>();
    }

    /// Every way down meets the same leaves, whatever the sizes of the trees.
    fn check_ways<const K: usize>() {
        let triangles = sheet(16);
        let bounds = Aabb::around(triangles.iter().flatten().copied());
        let tree = DopTree::<K>::build(triangles.len(), bounds, triangles.as_slice());
        for scale in [0.03, 0.5, 1.0, 40.0] {
            let turn = DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 0.7);
            let there = DAffine3::from_scale_rotation_translation(
                DVec3::splat(scale),
                turn,
                DVec3::new(0.7, 0.5, -0.028),
            );
            let back = there.inverse();
            let alignment = PairAlignment::new(
                &Alignment::new(&tree, &tree, &there, 1e-12),
                &Alignment::new(&tree, &tree, &back, 1e-12),
            );
            let ways = [
                Descent::Together,
                Descent::USUAL,
                Descent::Larger(1.0),
                Descent::OneTree(0),
                Descent::OneTree(1),
            ];
            let runs = ways.map(|descent| {
                let mut seen = Seen::default();
                let stack = &mut Stack::default();
                let counts =
                    traverse_pair_by(descent, [&tree, &tree], &alignment, Goal::All, stack, &mut seen);
                seen.0.sort_unstable_by_key(|(a, b)| (a.first, b.first));
                (seen, counts)
            });
            assert!(!runs[0].0.0.is_empty(), "{K} {scale}");
            assert!(runs.iter().all(|run| run.0 == runs[0].0), "{K} {scale}");
            // Where one is much larger, opening it first spares comparisons.
            let [together, usual] = [runs[0].1, runs[1].1];
            let is_odd = !(0.3..3.0).contains(&scale);
            assert!(if is_odd { usual.bounds < together.bounds } else { usual == together }, "{K} {scale}");
        }
    }

    #[test]
    fn every_way_down_meets_the_same_leaves() {
        check_ways::<6>();
        check_ways::<14>();
    }
}
