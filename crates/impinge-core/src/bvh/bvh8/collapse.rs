//! Collapse of a BVH of four children a node into one of eight.
//!
//! The tree of four is taken as one of halves of halves. Which of its subtrees become nodes of eight and which become blocks is
//! chosen so that the expected cost of a ray is the least that these halves allow (Ylitie, Karras and Laine 2017): for each
//! subtree the least cost of up to eight roots in its place is that of its halves, with some of the roots each.

use super::super::{Child, DopTree};
use super::{Block, Bvh8, Child8, Node8, WIDE};
use crate::math::DVec3;

/// The cost of a look at a block, in multiples of that of opening a node.
const BLOCK_COST: f32 = 1.5;

/// A subtree: a leaf of the tree of four, or two halves.
#[derive(Clone, Copy)]
struct Half {
    bounds: [i16; 6],
    /// The elements in it.
    size: u32,
    /// The leaf, or nothing.
    leaf: Child,
    /// The halves, by their numbers.
    halves: [u32; 2],
    /// The least cost with up to so many roots, and one.
    costs: [f32; WIDE],
    /// For the same counts: how many of the roots are in the first half; 0 where one root less costs as little.
    firsts: [u8; WIDE],
    /// If the single root is a node: how many of its children are in the first half. 0 for a block.
    first_children: u8,
}

/// The shared state of the collapse.
struct Collapse<'t> {
    tree: &'t DopTree<6>,
    corners: &'t dyn Fn(u32) -> [DVec3; 3],
    halves: Vec<Half>,
    nodes: Vec<Node8>,
    blocks: Vec<Block>,
}

impl Bvh8 {
    /// The wide BVH over a tree's triangles; `corners` tells those of an element.
    pub fn new(tree: &DopTree<6>, corners: &dyn Fn(u32) -> [DVec3; 3]) -> Bvh8 {
        let mut collapse = Collapse {
            tree,
            corners,
            halves: Vec::new(),
            nodes: Vec::with_capacity(tree.nodes.len() / 4),
            blocks: Vec::with_capacity(tree.nodes.len()),
        };
        let root = (tree.root != Child::NONE).then(|| {
            let root = collapse.halve(tree.root, tree.bounds);
            collapse.put(root)
        });
        let Collapse { mut nodes, mut blocks, .. } = collapse;
        nodes.shrink_to_fit();
        blocks.shrink_to_fit();
        Bvh8 { nodes, blocks, root, bounds: tree.bounds, origin: tree.origin, scale: tree.scale }
    }
}

impl Collapse<'_> {
    /// Takes in a child of the tree of four, and returns its number.
    fn halve(&mut self, child: Child, bounds: [i16; 6]) -> u32 {
        if child.is_leaf() {
            let cost = BLOCK_COST * area(&bounds);
            return self.keep(Half {
                bounds,
                size: child.count(),
                leaf: child,
                halves: [0; 2],
                costs: [cost; WIDE],
                firsts: [0; WIDE],
                first_children: 0,
            });
        }
        let node = &self.tree.nodes[child.index() as usize];
        let count = child.count() as usize;
        let mut parts = [0; 4];
        for (lane, part) in parts[..count].iter_mut().enumerate() {
            *part = self.halve(node.children[lane], node.bounds(lane));
        }
        self.join(parts, count)
    }

    /// The subtrees as halves of halves: always the two with the least surface together.
    fn join(&mut self, mut parts: [u32; 4], mut count: usize) -> u32 {
        while count > 1 {
            let (mut best, mut least) = ([0, 1], f32::INFINITY);
            for j in 1..count {
                for i in 0..j {
                    let surface = area(&self.around(parts[i], parts[j]));
                    if surface < least {
                        (best, least) = ([i, j], surface);
                    }
                }
            }
            let [i, j] = best;
            parts[i] = self.both(parts[i], parts[j]);
            count -= 1;
            parts[j] = parts[count];
        }
        parts[0]
    }

    fn around(&self, first: u32, second: u32) -> [i16; 6] {
        let (first, second) = (&self.halves[first as usize].bounds, &self.halves[second as usize].bounds);
        std::array::from_fn(|k| first[k].max(second[k]))
    }

    /// Two subtrees as one.
    fn both(&mut self, first: u32, second: u32) -> u32 {
        let bounds = self.around(first, second);
        let halves = [first, second];
        let [first, second] = [&self.halves[first as usize], &self.halves[second as usize]];
        let size = first.size + second.size;
        let (mut costs, mut firsts) = ([f32::INFINITY; WIDE], [0; WIDE]);
        for roots in 2..=WIDE {
            (costs[roots - 1], firsts[roots - 1]) = (costs[roots - 2], 0);
            for k in 1..roots {
                let cost = first.costs[k - 1] + second.costs[roots - k - 1];
                if cost < costs[roots - 1] {
                    (costs[roots - 1], firsts[roots - 1]) = (cost, k as u8);
                }
            }
        }
        let area = area(&bounds);
        let block = if size as usize <= WIDE { BLOCK_COST * area } else { f32::INFINITY };
        let node = area + costs[WIDE - 1];
        let first_children = if block <= node { 0 } else { self.split(halves) };
        costs[0] = block.min(node);
        // One root may cost less than several.
        for roots in 2..=WIDE {
            if costs[0] <= costs[roots - 1] {
                (costs[roots - 1], firsts[roots - 1]) = (costs[0], 0);
            }
        }
        self.keep(Half { bounds, size, leaf: Child::NONE, halves, costs, firsts, first_children })
    }

    /// How many of eight children are best in the first half.
    fn split(&self, [first, second]: [u32; 2]) -> u8 {
        let [first, second] = [&self.halves[first as usize], &self.halves[second as usize]];
        let mut best = 1;
        for k in 2..WIDE {
            if first.costs[k - 1] + second.costs[WIDE - k - 1]
                < first.costs[best - 1] + second.costs[WIDE - best - 1]
            {
                best = k;
            }
        }
        best as u8
    }

    fn keep(&mut self, half: Half) -> u32 {
        self.halves.push(half);
        self.halves.len() as u32 - 1
    }

    /// Makes a node or a block of a subtree.
    fn put(&mut self, half: u32) -> Child8 {
        let Half { halves: [first, second], first_children, .. } = self.halves[half as usize];
        if first_children == 0 {
            return self.put_block(half);
        }
        let (mut parts, mut count) = ([0; WIDE], 0);
        self.roots(first, first_children as usize, &mut parts, &mut count);
        self.roots(second, WIDE - first_children as usize, &mut parts, &mut count);
        let index = self.nodes.len();
        // Places without a child are beyond all others; if a ray still comes by, it sees the last child again.
        self.nodes.push(Node8 { sides: [[i16::MAX; WIDE]; 6], children: [0; WIDE] });
        for (lane, &part) in parts[..count].iter().enumerate() {
            let child = self.put(part);
            let node = &mut self.nodes[index];
            node.children[lane..].fill(child.0);
            let bounds = &self.halves[part as usize].bounds;
            for k in 0..3 {
                // Offsets against an axis have the opposite sign of a coordinate.
                node.sides[k][lane] = bounds[k + 3].saturating_neg();
                node.sides[k + 3][lane] = bounds[k];
            }
        }
        Child8::node(index)
    }

    /// The best roots in place of a subtree, up to so many.
    fn roots(&self, half: u32, most: usize, parts: &mut [u32; WIDE], count: &mut usize) {
        let Half { halves: [first, second], firsts, .. } = &self.halves[half as usize];
        let mut most = most;
        while most > 1 && firsts[most - 1] == 0 {
            most -= 1;
        }
        if most == 1 {
            parts[*count] = half;
            *count += 1;
            return;
        }
        let of_first = firsts[most - 1] as usize;
        self.roots(*first, of_first, parts, count);
        self.roots(*second, most - of_first, parts, count);
    }

    fn put_block(&mut self, half: u32) -> Child8 {
        let mut block = Block { corners: [[[0.0; WIDE]; 3]; 3], faces: [0; WIDE] };
        let mut count = 0;
        self.fill(half, &mut block, &mut count);
        self.blocks.push(block);
        Child8::block(self.blocks.len() - 1, count)
    }

    fn fill(&self, half: u32, block: &mut Block, count: &mut usize) {
        let Half { leaf, halves, .. } = self.halves[half as usize];
        if leaf == Child::NONE {
            halves.into_iter().for_each(|half| self.fill(half, block, count));
            return;
        }
        let tree = self.tree;
        for place in leaf.index()..leaf.index() + leaf.count() {
            let face = tree.order[place as usize];
            for (corner, at) in (self.corners)(face).into_iter().enumerate() {
                let at = ((at - tree.origin) * tree.scale).to_array();
                for (axis, steps) in at.into_iter().enumerate() {
                    block.corners[axis][corner][*count] = steps as f32;
                }
            }
            block.faces[*count] = face;
            *count += 1;
        }
    }
}

/// Half the surface: how often rays come by.
fn area(bounds: &[i16; 6]) -> f32 {
    let [x, y, z] = [0, 1, 2].map(|k| f32::from(bounds[k]) + f32::from(bounds[k + 3]));
    x * y + y * z + z * x
}
