//! Joining pieces to polylines.

use std::collections::BTreeMap;

use super::name::Node;
use super::pieces::Piece;
use super::{CurveNode, CurvePolyline};
use impinge_core::math::DVec3;

/// The polylines that the pieces make: from node to node through all that have exactly two pieces of the same kind,
/// ordinary ones before coplanar ones. The order and the direction follow from the names alone.
pub(super) fn polylines(
    pieces: &[Piece],
    describe: impl Fn(Node) -> (DVec3, CurveNode),
) -> Vec<CurvePolyline> {
    let mut around: BTreeMap<Node, Vec<usize>> = BTreeMap::new();
    for (index, piece) in pieces.iter().enumerate() {
        for end in piece.ends {
            around.entry(end).or_default().push(index);
        }
    }
    let mut walk = Walk { pieces, around: &around, used: vec![false; pieces.len()] };
    let mut chains = Vec::new();
    for (&node, starts) in &around {
        if walk.through(node).is_none() {
            chains.extend(starts.iter().filter_map(|&first| walk.follow(node, first)));
        }
    }
    // What is left runs through every node: loops.
    for (index, piece) in pieces.iter().enumerate() {
        chains.extend(walk.follow(piece.ends[0], index));
    }
    let mut polylines: Vec<CurvePolyline> = chains
        .into_iter()
        .map(|Chain { nodes, closed, coplanar }| {
            let (points_in_world, nodes) = nodes.into_iter().map(&describe).unzip();
            CurvePolyline { points_in_world, nodes, closed, coplanar }
        })
        .collect();
    polylines.sort_by_key(|polyline| polyline.coplanar);
    polylines
}

struct Chain {
    nodes: Vec<Node>,
    closed: bool,
    coplanar: bool,
}

struct Walk<'p> {
    pieces: &'p [Piece],
    around: &'p BTreeMap<Node, Vec<usize>>,
    used: Vec<bool>,
}

impl Walk<'_> {
    /// The two pieces at a node that a polyline runs through.
    fn through(&self, node: Node) -> Option<[usize; 2]> {
        match self.around[&node][..] {
            [first, second] if self.pieces[first].coplanar == self.pieces[second].coplanar => {
                Some([first, second])
            }
            _ => None,
        }
    }

    /// The chain that starts at a node with a piece; `None` where that has been followed before.
    fn follow(&mut self, start: Node, first: usize) -> Option<Chain> {
        if self.used[first] {
            return None;
        }
        let coplanar = self.pieces[first].coplanar;
        let (mut nodes, mut node, mut piece) = (vec![start], start, first);
        loop {
            self.used[piece] = true;
            let [a, b] = self.pieces[piece].ends;
            node = if a == node { b } else { a };
            if node == start {
                return Some(Chain { nodes, closed: true, coplanar });
            }
            nodes.push(node);
            match self.through(node) {
                Some([one, other]) => piece = if one == piece { other } else { one },
                None => return Some(Chain { nodes, closed: false, coplanar }),
            }
        }
    }
}
