//! The quality of a tree: Zachmann 1998, §4.2's three criteria, and its histogram of depths.

use std::fmt;

use super::steps::{spanned, spans};
use super::{Child, Corners, DopTree};
use crate::bounds::Dop;
use crate::math::DVec3;

/// The quality of a BVH: its sizes, depths, volume, balance and overlap.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TreeQuality {
    /// The number of leaves at each depth, in nodes above them.
    pub depth_histogram: Vec<usize>,
    /// The most binary splits that were made above a leaf.
    pub splits: u32,
    /// The number of elements.
    pub elements: usize,
    /// The number of nodes.
    pub nodes: usize,
    /// The number of leaves.
    pub leaves: usize,
    /// Bytes that the tree takes.
    pub bytes: usize,
    /// The sum of the volumes of all bounds below the root, as a multiple of the volume of the root's. 0 where the root's
    /// has no volume.
    pub total_volume: f64,
    /// The number of elements below the smallest child over that below the largest, in the mean over all nodes: 1 is
    /// perfect balance.
    pub balance: f64,
    /// The volume that the bounds of siblings share, summed over pairs of siblings, as a multiple of their parent's
    /// volume, in the mean over all nodes whose bounds have a volume.
    pub sibling_overlap: f64,
}

impl<const K: usize> DopTree<K> {
    /// Measures the tree, looking at every node.
    pub fn quality(&self) -> TreeQuality {
        let mut quality = TreeQuality {
            depth_histogram: Vec::new(),
            splits: self.splits,
            elements: self.len(),
            nodes: self.nodes.len(),
            leaves: 0,
            bytes: self.bytes(),
            total_volume: 0.0,
            balance: 1.0,
            sibling_overlap: 0.0,
        };
        if self.is_empty() {
            return quality;
        }
        let whole = dop(&self.bounds).volume();
        let mut sums = Sums::default();
        // Children come after their parents, so depths run forward and counts backward.
        let mut depths = vec![0_usize; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            for (lane, child) in self.children(index) {
                if whole > 0.0 {
                    sums.volume += dop(&node.bounds(lane)).volume() / whole;
                }
                let depth = depths[index] + 1;
                if child.is_leaf() {
                    quality.leaves += 1;
                    if quality.depth_histogram.len() <= depth {
                        quality.depth_histogram.resize(depth + 1, 0);
                    }
                    quality.depth_histogram[depth] += 1;
                } else {
                    depths[child.index() as usize] = depth;
                }
            }
        }
        let mut counts = vec![0_usize; self.nodes.len()];
        for index in (0..self.nodes.len()).rev() {
            let (mut least, mut most) = (usize::MAX, 0);
            for (_, child) in self.children(index) {
                let count =
                    if child.is_leaf() { child.count() as usize } else { counts[child.index() as usize] };
                counts[index] += count;
                (least, most) = (least.min(count), most.max(count));
            }
            sums.balance += least as f64 / most as f64;
            let dops: Vec<Dop<K>> =
                self.children(index).map(|(lane, _)| dop(&self.nodes[index].bounds(lane))).collect();
            let parent = dops.iter().fold(Dop::EMPTY, Dop::merge).volume();
            if parent > 0.0 {
                sums.with_volume += 1;
                for (i, a) in dops.iter().enumerate() {
                    sums.overlap +=
                        dops[..i].iter().map(|b| a.intersection(b).volume() / parent).sum::<f64>();
                }
            }
        }
        quality.total_volume = sums.volume;
        quality.balance = sums.balance / self.nodes.len() as f64;
        quality.sibling_overlap = sums.overlap / f64::from(sums.with_volume.max(1));
        quality
    }

    /// Checks the tree against its elements' corners: every element with corners is in one leaf, and all bounds above hold
    /// its corners; children are packed, their bounds finite. Says what is wrong.
    #[doc(hidden)]
    pub fn check(&self, corners: impl Corners) -> Result<(), String> {
        let mut seen = vec![false; self.len()];
        let mut below: Vec<Vec<u32>> = vec![Vec::new(); self.nodes.len()];
        for index in (0..self.nodes.len()).rev() {
            let node = &self.nodes[index];
            let count = self.children(index).count();
            if self.children(index).any(|(lane, _)| lane >= count) {
                return Err(format!("node {index} has a gap"));
            }
            for (lane, child) in self.children(index) {
                let elements = if child.is_leaf() {
                    let (first, count) = (child.index() as usize, child.count() as usize);
                    if seen[first..first + count].iter_mut().any(|seen| std::mem::replace(seen, true)) {
                        return Err(format!("node {index} has a leaf that another has"));
                    }
                    self.order[first..first + count].to_vec()
                } else {
                    let packed = self.children(child.index() as usize).count();
                    if child.index() as usize <= index || packed != child.count() as usize {
                        return Err(format!("node {index} has a child that it cannot have"));
                    }
                    std::mem::take(&mut below[child.index() as usize])
                };
                let offsets = node.bounds(lane);
                if offsets.contains(&i16::MIN) {
                    return Err(format!("node {index} has bounds {offsets:?}"));
                }
                for &element in &elements {
                    corners_within(&corners, element, |point| self.holds(&offsets, point))
                        .map_err(|point| format!("node {index} does not hold {point} of {element}"))?;
                }
                below[index].extend(elements);
            }
        }
        let mut all = below.into_iter().next().unwrap_or_default();
        for &element in &all {
            corners_within(&corners, element, |point| self.holds(&self.bounds, point))
                .map_err(|point| format!("the tree does not hold {point} of {element}"))?;
        }
        all.sort_unstable();
        all.dedup();
        if all.len() == self.len() && seen.into_iter().all(|seen| seen) {
            Ok(())
        } else {
            Err("an element is missing".into())
        }
    }

    /// Whether bounds hold a point. Sums of three are exact but for their last bits, which is the error of this check
    /// and not of the bounds.
    fn holds(&self, offsets: &[i16; K], point: DVec3) -> bool {
        let point = (point - self.origin) * self.scale;
        const { spanned::<K>() }
            .iter()
            .zip(offsets)
            .all(|([x, y, z], offset)| x * point.x + y * point.y + z * point.z <= f64::from(*offset))
    }

    /// The children of a node, with their lanes.
    fn children(&self, node: usize) -> impl Iterator<Item = (usize, Child)> + '_ {
        self.nodes[node].children.iter().copied().enumerate().filter(|(_, child)| *child != Child::NONE)
    }
}

fn corners_within(corners: &impl Corners, element: u32, holds: impl Fn(DVec3) -> bool) -> Result<(), DVec3> {
    let mut outside = None;
    corners.visit(element, |point| {
        if !holds(point) {
            outside = Some(point);
        }
    });
    outside.map_or(Ok(()), Err)
}

#[derive(Default)]
struct Sums {
    volume: f64,
    balance: f64,
    overlap: f64,
    with_volume: u32,
}

/// The bounds of a tree as a DOP, in steps.
fn dop<const K: usize>(steps: &[i16; K]) -> Dop<K> {
    Dop { offsets: std::array::from_fn(|i| f64::from(steps[i]) * const { spans::<K>() }[i]) }
}

impl fmt::Display for TreeQuality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "elements         {:>12}", self.elements)?;
        writeln!(f, "nodes            {:>12}", self.nodes)?;
        writeln!(f, "leaves           {:>12}", self.leaves)?;
        let each = self.bytes as f64 / self.elements.max(1) as f64;
        writeln!(f, "bytes            {:>12}  {each:.2} an element", self.bytes)?;
        writeln!(f, "total volume     {:>12.4}", self.total_volume)?;
        writeln!(f, "balance          {:>12.4}", self.balance)?;
        writeln!(f, "sibling overlap  {:>12.4}", self.sibling_overlap)?;
        writeln!(f, "deepest split    {:>12}", self.splits)?;
        for (depth, leaves) in self.depth_histogram.iter().enumerate().filter(|(_, leaves)| **leaves > 0) {
            writeln!(f, "leaves at depth {depth:>3} {leaves:>9}")?;
        }
        Ok(())
    }
}
