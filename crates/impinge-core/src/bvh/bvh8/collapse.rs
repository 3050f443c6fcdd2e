//! Collapse of a BVH of four children a node into one of eight.

use super::super::{Child, DopTree};
use super::{Block, Bvh8, Child8, Node8, WIDE};
use crate::math::DVec3;

/// A part of a tree of four: a child of one of its nodes, or several of them that together make a block.
#[derive(Clone, Copy)]
struct Part {
    children: [Child; 4],
    bounds: [i16; 6],
    /// The elements in it.
    size: u32,
}

impl Part {
    const NONE: Part = Part { children: [Child::NONE; 4], bounds: [i16::MIN; 6], size: 0 };

    fn is_block(&self) -> bool {
        self.size as usize <= WIDE
    }

    /// Half the surface: how often rays come by.
    fn area(&self) -> f64 {
        let [x, y, z] = [0, 1, 2].map(|k| f64::from(self.bounds[k]) + f64::from(self.bounds[k + 3]));
        x * y + y * z + z * x
    }

    /// Both together, if they fit into a block.
    fn with(&self, other: &Part) -> Option<Part> {
        let mut both = *self;
        both.size += other.size;
        both.bounds = std::array::from_fn(|k| self.bounds[k].max(other.bounds[k]));
        let count = |part: &Part| part.children.iter().filter(|&&child| child != Child::NONE).count();
        let (first, second) = (count(self), count(other));
        both.children.get_mut(first..first + second)?.copy_from_slice(&other.children[..second]);
        both.is_block().then_some(both)
    }
}

/// The shared state of the collapse.
struct Collapse<'t> {
    tree: &'t DopTree<6>,
    /// The elements below each node.
    sizes: Vec<u32>,
    corners: &'t dyn Fn(u32) -> [DVec3; 3],
    nodes: Vec<Node8>,
    blocks: Vec<Block>,
}

impl Bvh8 {
    /// The wide BVH over a tree's triangles; `corners` tells those of an element.
    pub fn new(tree: &DopTree<6>, corners: &dyn Fn(u32) -> [DVec3; 3]) -> Bvh8 {
        let mut collapse = Collapse {
            tree,
            sizes: vec![0; tree.nodes.len()],
            corners,
            nodes: Vec::with_capacity(tree.nodes.len() / 4),
            blocks: Vec::with_capacity(tree.nodes.len()),
        };
        let root = (tree.root != Child::NONE).then(|| {
            let size = collapse.measure(tree.root);
            collapse.put(part(tree.root, tree.bounds, size))
        });
        let Collapse { mut nodes, mut blocks, .. } = collapse;
        nodes.shrink_to_fit();
        blocks.shrink_to_fit();
        Bvh8 { nodes, blocks, root, bounds: tree.bounds, origin: tree.origin, scale: tree.scale }
    }
}

impl Collapse<'_> {
    fn measure(&mut self, child: Child) -> u32 {
        if child.is_leaf() {
            return child.count();
        }
        let node = &self.tree.nodes[child.index() as usize];
        let size = node.children[..child.count() as usize].iter().map(|&child| self.measure(child)).sum();
        self.sizes[child.index() as usize] = size;
        size
    }

    fn put(&mut self, part: Part) -> Child8 {
        if part.is_block() {
            return self.put_block(&part);
        }
        let (mut parts, mut count) = ([part; WIDE], 1);
        while let Some((i, opened, more)) = self.largest(&parts[..count]) {
            count -= 1;
            parts[i] = parts[count];
            parts[count..count + more].copy_from_slice(&opened[..more]);
            count += more;
        }
        let index = self.nodes.len();
        // Places without a child are beyond all others; if a ray still comes by, it sees the last child again.
        self.nodes.push(Node8 { sides: [[i16::MAX; WIDE]; 6], children: [0; WIDE] });
        for (lane, part) in parts[..count].iter().enumerate() {
            let child = self.put(*part);
            let node = &mut self.nodes[index];
            node.children[lane..].fill(child.0);
            for k in 0..3 {
                // Offsets against an axis have the opposite sign of a coordinate.
                node.sides[k][lane] = part.bounds[k + 3].saturating_neg();
                node.sides[k + 3][lane] = part.bounds[k];
            }
        }
        Child8::node(index)
    }

    /// The part with the largest surface that is more than a block and still fits here when it is opened; and its parts.
    fn largest(&self, parts: &[Part]) -> Option<(usize, [Part; 4], usize)> {
        let mut best: Option<(usize, [Part; 4], usize)> = None;
        for (i, part) in parts.iter().enumerate().filter(|(_, part)| !part.is_block()) {
            if best.is_none_or(|(best, ..)| part.area() > parts[best].area()) {
                let (opened, more) = self.open(part.children[0]);
                if parts.len() - 1 + more <= WIDE {
                    best = Some((i, opened, more));
                }
            }
        }
        best
    }

    /// The parts of a node. Those that are better off in one block are together.
    fn open(&self, child: Child) -> ([Part; 4], usize) {
        let (mut parts, mut count) = ([Part::NONE; 4], child.count() as usize);
        let node = &self.tree.nodes[child.index() as usize];
        for (lane, place) in parts[..count].iter_mut().enumerate() {
            let child = node.children[lane];
            let size = if child.is_leaf() { child.count() } else { self.sizes[child.index() as usize] };
            *place = part(child, node.bounds(lane), size);
        }
        loop {
            let (mut best, mut gain) = (None, 0.0);
            for j in 1..count {
                for i in 0..j {
                    let Some(both) = parts[i].with(&parts[j]) else { continue };
                    // One look at both together, or a look at each.
                    let saved = parts[i].area() + parts[j].area() - both.area();
                    if saved > gain {
                        (best, gain) = (Some((i, j, both)), saved);
                    }
                }
            }
            let Some((i, j, both)) = best else { return (parts, count) };
            count -= 1;
            parts[j] = parts[count];
            parts[i] = both;
        }
    }

    fn put_block(&mut self, part: &Part) -> Child8 {
        let mut block = Block { corners: [[[0.0; WIDE]; 3]; 3], faces: [0; WIDE] };
        let mut count = 0;
        for &child in part.children.iter().take_while(|&&child| child != Child::NONE) {
            self.fill(child, &mut block, &mut count);
        }
        self.blocks.push(block);
        Child8::block(self.blocks.len() - 1, count)
    }

    fn fill(&self, child: Child, block: &mut Block, count: &mut usize) {
        let tree = self.tree;
        if !child.is_leaf() {
            let node = &tree.nodes[child.index() as usize];
            for &child in &node.children[..child.count() as usize] {
                self.fill(child, block, count);
            }
            return;
        }
        for place in child.index()..child.index() + child.count() {
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

fn part(child: Child, bounds: [i16; 6], size: u32) -> Part {
    Part { children: [child, Child::NONE, Child::NONE, Child::NONE], bounds, size }
}
