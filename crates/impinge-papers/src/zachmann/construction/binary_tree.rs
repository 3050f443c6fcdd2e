//! The binary tree with one polygon a leaf that the paper builds, measured by its three criteria.

use impinge::Mesh;
use impinge::math::DVec3;
use impinge_core::bounds::Dop;
use impinge_core::bvh::Corners;
use serde::Serialize;

use super::PaperSplit;

/// A binary tree of K-DOPs over the polygons of a mesh, one polygon a leaf (Zachmann 1998, §4.2).
#[derive(Clone, Debug)]
pub struct BinaryTree<const K: usize> {
    /// Parents come before their children.
    nodes: Vec<BinaryNode<K>>,
}

#[derive(Clone, Debug)]
struct BinaryNode<const K: usize> {
    dop: Dop<K>,
    polygons: usize,
    depth: usize,
    /// The numbers of both children; of a leaf, nothing.
    children: Option<[usize; 2]>,
}

/// The three criteria of a good tree (Zachmann 1998, §4.2).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Criteria {
    /// The sum of the volumes of all bounds below the root, as a multiple of the root's.
    pub total_volume: f64,
    /// The number of polygons below the smaller child over that below the larger, in the mean over all splits.
    pub balance: f64,
    /// The volume that two siblings share, as a multiple of their parent's, in the mean over all splits whose parent has a volume.
    pub sibling_overlap: f64,
}

/// The corners of the faces of a mesh.
struct FaceCorners<'m>(&'m Mesh);

impl Corners for FaceCorners<'_> {
    fn visit(&self, face: u32, visit: impl FnMut(DVec3)) {
        self.0.corners(face).map(|vertex| self.0.vertex(vertex)).for_each(visit);
    }
}

impl<const K: usize> BinaryTree<K> {
    /// The tree over the faces of a mesh.
    pub fn build(mesh: &Mesh) -> BinaryTree<K> {
        let (count, corners) = (mesh.face_count(), FaceCorners(mesh));
        let mut rule = PaperSplit::<K>::new(count, mesh.bounds(), &corners);
        let mut order: Vec<u32> = (0..count as u32).collect();
        let mut nodes: Vec<BinaryNode<K>> = Vec::with_capacity(2 * count);
        let leaf = |polygons: &[u32], depth: usize| {
            let mut dop = Dop::EMPTY;
            if let [polygon] = polygons {
                corners.visit(*polygon, |corner| dop = dop.with_point(corner));
            }
            BinaryNode { dop, polygons: polygons.len(), depth, children: None }
        };
        if count > 0 {
            nodes.push(leaf(&order, 0));
        }
        // Not by recursion: a bad order could make a tree as deep as it has leaves.
        let mut open = vec![(0, 0, count)];
        while let Some((node, from, to)) = open.pop() {
            if to - from < 2 {
                continue;
            }
            let middle = from + rule.split(&mut order[from..to]);
            let depth = nodes[node].depth + 1;
            let children = [nodes.len(), nodes.len() + 1];
            nodes.push(leaf(&order[from..middle], depth));
            nodes.push(leaf(&order[middle..to], depth));
            nodes[node].children = Some(children);
            open.extend([(children[0], from, middle), (children[1], middle, to)]);
        }
        for node in (0..nodes.len()).rev() {
            if let Some([a, b]) = nodes[node].children {
                nodes[node].dop = nodes[a].dop.merge(&nodes[b].dop);
            }
        }
        BinaryTree { nodes }
    }

    /// The number of leaves at each depth, the root's being 0.
    pub fn depth_histogram(&self) -> Vec<usize> {
        let mut histogram = Vec::new();
        for leaf in self.nodes.iter().filter(|node| node.children.is_none()) {
            if histogram.len() <= leaf.depth {
                histogram.resize(leaf.depth + 1, 0);
            }
            histogram[leaf.depth] += 1;
        }
        histogram
    }

    /// The three criteria.
    pub fn criteria(&self) -> Criteria {
        let (mut volume, mut balance, mut overlap) = (0.0, 0.0, 0.0);
        let (mut splits, mut with_volume) = (0.0, 0.0);
        let whole = self.nodes.first().map_or(0.0, |root| root.dop.volume());
        for node in &self.nodes {
            let Some(children) = node.children else { continue };
            let [a, b] = children.map(|child| &self.nodes[child]);
            if whole > 0.0 {
                volume += (a.dop.volume() + b.dop.volume()) / whole;
            }
            splits += 1.0;
            balance += a.polygons.min(b.polygons) as f64 / a.polygons.max(b.polygons) as f64;
            let parent = node.dop.volume();
            if parent > 0.0 {
                with_volume += 1.0;
                overlap += a.dop.intersection(&b.dop).volume() / parent;
            }
        }
        Criteria {
            total_volume: volume,
            balance: if splits > 0.0 { balance / splits } else { 1.0 },
            sibling_overlap: if with_volume > 0.0 { overlap / with_volume } else { 0.0 },
        }
    }
}
