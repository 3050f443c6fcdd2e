//! Trees by the paper's construction that queries can traverse.

use impinge_core::bounds::Aabb;
use impinge_core::bvh::{AnyCorners, Build, DopTree, RefitPolicy, TreeBuilder};

use super::PaperSplit;

/// The builder of trees as Zachmann 1998 builds them, on one thread. Nodes have four children, those of two splits, and leaves hold up to two polygons.
#[derive(Clone, Copy, Debug)]
pub struct PaperBuilder;

impl<const K: usize> TreeBuilder<K> for PaperBuilder {
    fn build(_: Build, count: usize, bounds: Aabb, corners: AnyCorners<'_>) -> DopTree<K> {
        let mut rule = PaperSplit::<K>::new(count, bounds, &corners);
        DopTree::build_by(count, bounds, corners, |polygons| rule.split(polygons))
    }

    fn refit(
        policy: &mut RefitPolicy,
        parallel: bool,
        tree: &mut DopTree<K>,
        bounds: Aabb,
        corners: AnyCorners<'_>,
        moved: Option<&[u32]>,
    ) {
        policy.refit_with(parallel, tree, bounds, &corners, moved);
    }
}
