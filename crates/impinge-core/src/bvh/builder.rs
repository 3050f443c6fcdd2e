//! Builders of trees that are chosen by type: that of boxes is compiled in this crate, for all who build them.

use super::{AnyCorners, Build, DopTree, RefitPolicy};
use crate::bounds::Aabb;

/// Builds and refits trees of K-DOPs.
pub trait TreeBuilder<const K: usize> {
    /// A tree over elements `0..count`; see [`DopTree::build_with`].
    fn build(build: Build, count: usize, bounds: Aabb, corners: AnyCorners<'_>) -> DopTree<K>;

    /// Fits a tree to elements that have moved; see [`RefitPolicy::refit_with`].
    fn refit(
        policy: &mut RefitPolicy,
        parallel: bool,
        tree: &mut DopTree<K>,
        bounds: Aabb,
        corners: AnyCorners<'_>,
        moved: Option<&[u32]>,
    );
}

/// The builder of trees of boxes, which are six directions.
///
/// It is not generic: generic code would be compiled anew by every crate that builds a tree.
#[derive(Clone, Copy, Debug)]
pub struct BoxBuilder;

impl TreeBuilder<6> for BoxBuilder {
    fn build(build: Build, count: usize, bounds: Aabb, corners: AnyCorners<'_>) -> DopTree<6> {
        DopTree::build_with(build, count, bounds, corners)
    }

    fn refit(
        policy: &mut RefitPolicy,
        parallel: bool,
        tree: &mut DopTree<6>,
        bounds: Aabb,
        corners: AnyCorners<'_>,
        moved: Option<&[u32]>,
    ) {
        policy.refit_with(parallel, tree, bounds, &corners, moved);
    }
}
