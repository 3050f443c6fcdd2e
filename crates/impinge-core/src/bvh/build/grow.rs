//! The loop of the build: nodes of four children, in depth-first order; every subtree is contiguous.

use super::super::{Child, Node, WIDTH};
use super::bins::Bins;
use super::parts::Parts;
use super::pieces::Pieces;
use super::range::{Arena, Range};
use super::split::Splitter;
use crate::parallel::join;
use crate::simd::{Lanes, Work, dispatch};

/// Ranges from this size on are divided among threads.
const LARGE: usize = 4096;

/// The rules of a build.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grower {
    pub(super) splitter: Splitter,
    /// Whether leaves and nodes are filled as far as possible.
    pub(super) full: bool,
}

/// A built subtree, as its parent refers to it. A node's index counts from the start of its piece.
#[derive(Clone, Copy)]
pub(super) struct Grown {
    pub(super) child: Child,
    /// The most splits above a leaf.
    pub(super) splits: u32,
}

impl Grower {
    /// Adds the node of a range, then its subtrees.
    pub(super) fn nodes(self, arena: Arena<'_>, range: Range, nodes: &mut Vec<Node<6>>) -> Grown {
        dispatch(Growth { grower: self, arena, range, nodes })
    }

    /// The nodes of a range in pieces that come one after the other.
    pub(super) fn pieces(self, mut arena: Arena<'_>, range: Range) -> (Pieces<6>, Grown) {
        if range.len() < LARGE {
            let mut nodes = Vec::with_capacity(range.len() / 3 + 1);
            let grown = self.nodes(arena, range, &mut nodes);
            return (Pieces { total: nodes.len(), each: vec![(0, nodes)] }, grown);
        }
        let parts = dispatch(PartsOf { grower: self, arena: &mut arena, range: &range });
        let [a, b, c, d] = shares(arena, &parts);
        let grow = |share: Option<(Arena<'_>, Range)>| share.map(|(arena, part)| self.part(arena, part));
        let ((a, b), (c, d)) = join(|| join(|| grow(a), || grow(b)), || join(|| grow(c), || grow(d)));
        let mut grown = Grown { child: Child::node(0, parts.count), splits: range.depth };
        let mut pieces = Pieces { total: 1, each: vec![(0, Vec::new())] };
        let mut children = [Child::NONE; WIDTH];
        for (lane, (more, part)) in [a, b, c, d].into_iter().flatten().enumerate() {
            children[lane] = part.child.moved(pieces.total);
            grown.splits = grown.splits.max(part.splits);
            pieces.append(more);
        }
        pieces.each[0].1.push(dispatch(NodeOf { parts: &parts, children }));
        (pieces, grown)
    }

    /// The nodes of a part, which may be a leaf.
    fn part(self, mut arena: Arena<'_>, part: Range) -> (Pieces<6>, Grown) {
        if !part.is_leaf() {
            return self.pieces(arena, part);
        }
        let child = leaf(&mut arena, &part);
        (Pieces { total: 0, each: Vec::new() }, Grown { child, splits: part.depth })
    }
}

/// Each part with its share of the memory.
fn shares<'e>(arena: Arena<'e>, parts: &Parts) -> [Option<(Arena<'e>, Range)>; WIDTH] {
    let mut lanes = [0, 1, 2, 3];
    lanes[..parts.count].sort_unstable_by_key(|&lane| parts.each[lane].first);
    let mut shares = [None, None, None, None];
    let mut rest = arena;
    for &lane in &lanes[..parts.count] {
        let part = Range { first: 0, ..parts.each[lane] };
        let [share, others] = rest.split_at(part.len());
        shares[lane] = Some((share, part));
        rest = others;
    }
    shares
}

/// Writes the numbers of a leaf's elements.
#[inline(always)]
fn leaf(arena: &mut Arena<'_>, part: &Range) -> Child {
    let (first, count) = (part.first as usize, part.len());
    let elements = if part.is_in_buffer { &*arena.buffer } else { &*arena.elements };
    for (place, element) in arena.order[first..first + count].iter_mut().zip(&elements[first..first + count])
    {
        *place = element.id();
    }
    Child::leaf(arena.start as usize + first, count)
}

/// The node of some parts.
#[inline(always)]
fn node<L: Lanes>(parts: &Parts, children: [Child; WIDTH]) -> Node<6> {
    let mut rows = [L::eight(&[0; 8]); WIDTH];
    for (row, part) in rows.iter_mut().zip(&parts.each[..parts.count]) {
        *row = part.bounds.lanes::<L>();
    }
    let [less_x, more_x, less_y, more_y, less_z, more_z, ..] = L::transposed(rows);
    Node { offsets: [more_x, more_y, more_z, less_x, less_y, less_z], children }
}

/// [`node`], compiled for the processor.
struct NodeOf<'p> {
    parts: &'p Parts,
    children: [Child; WIDTH],
}

impl Work for NodeOf<'_> {
    type Output = Node<6>;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Node<6> {
        node::<L>(self.parts, self.children)
    }
}

/// [`Parts::split`], compiled for the processor.
struct PartsOf<'a, 'e> {
    grower: Grower,
    arena: &'a mut Arena<'e>,
    range: &'a Range,
}

impl Work for PartsOf<'_, '_> {
    type Output = Parts;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Parts {
        let Grower { splitter, full } = self.grower;
        let (mut parts, mut bins) = (Parts::new(self.range), Bins::EMPTY);
        parts.split::<L>(splitter, full, self.arena, &mut bins);
        parts
    }
}

/// The nodes of a range by one thread. A loop and no recursion, so that all of it is compiled for the processor.
struct Growth<'e, 'n> {
    grower: Grower,
    arena: Arena<'e>,
    range: Range,
    nodes: &'n mut Vec<Node<6>>,
}

/// A node whose parts are being built, one after the other.
struct Frame {
    parts: Parts,
    node: u32,
    /// The next part.
    lane: usize,
}

impl Work for Growth<'_, '_> {
    type Output = Grown;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Grown {
        let Growth { grower: Grower { splitter, full }, mut arena, range, nodes } = self;
        let mut bins = Bins::EMPTY;
        let mut root = Grown { child: Child::NONE, splits: range.depth };
        let mut frames = vec![Frame { parts: Parts::new(&range), node: 0, lane: 0 }];
        let mut depth = 0;
        loop {
            // The parts of a range are made in the frame below that in which it is a part itself.
            let frame = &mut frames[depth];
            frame.parts.split::<L>(splitter, full, &mut arena, &mut bins);
            frame.node = nodes.len() as u32;
            frame.lane = 0;
            let child = Child::node(nodes.len(), frame.parts.count);
            nodes.push(node::<L>(&frame.parts, [Child::NONE; WIDTH]));
            if depth == 0 {
                root.child = child;
            } else {
                let above = &frames[depth - 1];
                nodes[above.node as usize].children[(above.lane - 1) % WIDTH] = child;
            }
            // To the next part that is no leaf.
            loop {
                let Frame { parts, node, lane } = &mut frames[depth];
                if *lane == parts.count {
                    if depth == 0 {
                        return root;
                    }
                    depth -= 1;
                    continue;
                }
                let part = &parts.each[*lane % WIDTH];
                if !part.is_leaf() {
                    *lane += 1;
                    break;
                }
                nodes[*node as usize].children[*lane % WIDTH] = leaf(&mut arena, part);
                root.splits = if part.depth > root.splits { part.depth } else { root.splits };
                *lane += 1;
            }
            depth += 1;
            if depth == frames.len() {
                frames.push(Frame { parts: Parts::new(&range), node: 0, lane: 0 });
            }
            let (above, below) = frames.split_at_mut(depth);
            let above = &above[depth - 1];
            let Frame { parts, .. } = &mut below[0];
            parts.each[0] = above.parts.each[(above.lane - 1) % WIDTH];
            parts.count = 1;
        }
    }
}
