//! The paper's histogram of depths beside ours, and the criteria of both builds.

use impinge::shapes::{Shape, sphere};
use impinge::{Mesh, Model};
use impinge_core::bvh::TreeQuality;
use serde::Serialize;

use super::fitted;
use crate::zachmann::DopEngine;
use crate::zachmann::construction::{BinaryTree, Criteria};

/// A row of the histogram that the paper prints: how many leaves are how deep.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PaperDepths {
    /// The object.
    pub name: &'static str,
    /// The depth of the first count.
    pub first: usize,
    /// The numbers of leaves at this depth and below it.
    pub leaves: [usize; 7],
}

/// The histogram that the paper prints for trees of boxes (Zachmann 1998, §4.2).
pub const PAPER_DEPTHS: [PaperDepths; 2] = [
    PaperDepths { name: "sphere", first: 10, leaves: [0, 0, 1, 375, 8853, 13233, 642] },
    PaperDepths { name: "car door", first: 10, leaves: [92, 740, 1639, 659, 162, 42, 26] },
];

impl PaperDepths {
    /// The leaves at a depth.
    pub fn leaves_at(&self, depth: usize) -> usize {
        depth.checked_sub(self.first).and_then(|place| self.leaves.get(place)).copied().unwrap_or(0)
    }
}

/// The construction of one object: depths and criteria of the paper's tree, beside the criteria of the default build.
#[derive(Clone, Debug, Serialize)]
pub struct Construction {
    /// The object.
    pub object: String,
    /// The number of triangles.
    pub triangles: usize,
    /// What the paper prints of its own.
    pub paper: PaperDepths,
    /// The leaves of the binary tree with one polygon a leaf at each depth.
    pub depth_histogram: Vec<usize>,
    /// The criteria of the binary tree.
    pub binary: Criteria,
    /// The criteria of the tree with four children a node that queries traverse, built as the paper does.
    pub by_paper: Criteria,
    /// The criteria of the tree of the default build.
    pub by_default: Criteria,
}

impl Construction {
    /// The paper's two objects: a sphere with as many triangles as its histogram has leaves, and a generated stand-in for the car door.
    pub fn of_paper() -> Vec<Construction> {
        let ball = sphere(1.0, 152, 77).expect("a sphere has these numbers of segments and rings");
        let door = Shape::Door.generate(3391, 0);
        let [of_ball, of_door] = PAPER_DEPTHS;
        vec![
            Construction::of("sphere", &Mesh::from(ball), of_ball),
            Construction::of("door (stand-in)", &Mesh::from(door), of_door),
        ]
    }

    /// The leaves of the binary tree at a depth.
    pub fn leaves_at(&self, depth: usize) -> usize {
        self.depth_histogram.get(depth).copied().unwrap_or(0)
    }

    /// The depths at which the binary tree or that of the paper has leaves.
    pub fn depths(&self) -> impl Iterator<Item = usize> + '_ {
        let last = self.depth_histogram.len().max(self.paper.first + self.paper.leaves.len());
        let has_leaves = |depth: &usize| self.leaves_at(*depth) + self.paper.leaves_at(*depth) > 0;
        let first = (0..last).find(has_leaves).unwrap_or(last);
        let end = (0..last).rev().find(has_leaves).map_or(last, |depth| depth + 1);
        first..end
    }

    fn of(object: &str, mesh: &Mesh, paper: PaperDepths) -> Construction {
        let mesh = fitted(mesh);
        let tree = BinaryTree::<6>::build(&mesh);
        let triangles = mesh.face_count();
        let model = Model::new(mesh);
        let criteria = |quality: TreeQuality| Criteria {
            total_volume: quality.total_volume,
            balance: quality.balance,
            sibling_overlap: quality.sibling_overlap,
        };
        Construction {
            object: object.to_owned(),
            triangles,
            paper,
            depth_histogram: tree.depth_histogram(),
            binary: tree.criteria(),
            by_paper: criteria(DopEngine::<6, _>::of_paper(&model).tree(&model).quality()),
            by_default: criteria(DopEngine::<6>::new(&model).tree(&model).quality()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sphere_of_the_paper_has_leaves_at_few_depths() {
        let all = Construction::of_paper();
        let [ball, door] = &all[..] else { panic!("two objects") };
        assert_eq!(ball.triangles, 23_104);
        assert_eq!(ball.depth_histogram.iter().sum::<usize>(), 23_104);
        assert_eq!(PAPER_DEPTHS[0].leaves.iter().sum::<usize>(), 23_104);
        // Nearly all where the paper has them, and none near the 30 splits from which on a build halves what is left.
        let usual: usize = (13..=16).map(|depth| ball.leaves_at(depth)).sum();
        assert!(usual * 20 > 23_104 * 19, "{:?}", ball.depth_histogram);
        assert!(ball.depth_histogram.len() <= 22, "{:?}", ball.depth_histogram);
        let middle = ball.leaves_at(14) + ball.leaves_at(15);
        assert!(middle * 5 > 23_104 * 4, "{:?}", ball.depth_histogram);
        assert_eq!(door.depth_histogram.iter().sum::<usize>(), door.triangles);
        for criteria in all.iter().flat_map(|of| [of.binary, of.by_paper, of.by_default]) {
            assert!(criteria.total_volume > 0.0 && (0.0..=1.0).contains(&criteria.balance), "{criteria:?}");
            assert!(criteria.sibling_overlap >= 0.0, "{criteria:?}");
        }
    }
}
