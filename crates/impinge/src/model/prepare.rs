//! Preparation of models: the build of BVHs and topology on all cores, before the first query.
//!
//! Whatever a query finds missing it makes by itself, on its own thread: a query may run inside of somebody's parallel loop, and must
//! not enter the thread pool. Preparation may, as it holds nothing meanwhile. Both make the same bits.

use std::ops::{BitOr, ControlFlow};
use std::sync::atomic::{AtomicBool, Ordering};

use super::corners::PartCorners;
use super::{Deformable, FEW_PARTS, Model};
use impinge_core::bvh::{AnyCorners, BoxBuilder, Build, TreeBuilder};
use impinge_core::parallel::{join, map};

/// The queries that a model is to be [prepared](Model::prepare) for: one purpose, or several joined with `|`.
///
/// Purposes cover queries with default options; [brute force](crate::query::Engine::Brute) needs none of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Purpose(u16);

impl Purpose {
    /// The bounding volume hierarchy over the faces alone.
    pub const BVH: Purpose = Purpose(1);
    /// The shared vertices and edges, and which parts are solids.
    pub(crate) const SHARING: Purpose = Purpose(1 << 1);
    /// The tree over the parts.
    const PART_TREE: Purpose = Purpose(1 << 2);
    /// The hash that decides which of two models lends its frame.
    const HASH: Purpose = Purpose(1 << 3);
    /// The faces around each vertex.
    const CORNERS: Purpose = Purpose(1 << 4);
    /// Triangles in the order of the leaves, for single rays.
    const LEAF_TRIANGLES: Purpose = Purpose(1 << 6);
    /// The tree of eight, for many rays.
    const WIDE_TREE: Purpose = Purpose(1 << 7);
    /// The tree over a terrain's heights, or that of boxes for other meshes.
    const GROUND: Purpose = Purpose(1 << 8);

    /// Queries of two models that stand still: whether and where they intersect, faces, curves, and the separating translation.
    pub const PAIRS: Purpose =
        Purpose(Purpose::BVH.0 | Purpose::SHARING.0 | Purpose::PART_TREE.0 | Purpose::HASH.0);
    /// Distance queries between models and to points, signed ones too, and contacts.
    pub const DISTANCE: Purpose = Purpose(Purpose::PAIRS.0 | Purpose::CORNERS.0);
    /// Sweeps, and bodies in a [`World`](crate::World).
    pub const SWEEPS: Purpose = Purpose::DISTANCE;
    /// Ray casts, one by one and many at once, and volume queries.
    pub const RAYS: Purpose = Purpose(Purpose::GROUND.0 | Purpose::LEAF_TRIANGLES.0 | Purpose::WIDE_TREE.0);
    /// Every query with default options.
    pub const ALL: Purpose = Purpose(Purpose::SWEEPS.0 | Purpose::RAYS.0);

    /// Many rays in one call.
    pub(crate) const MANY_RAYS: Purpose = Purpose(Purpose::GROUND.0 | Purpose::WIDE_TREE.0);

    /// Whether all of another is in this one.
    pub const fn contains(self, other: Purpose) -> bool {
        self.0 & other.0 == other.0
    }
}

impl BitOr for Purpose {
    type Output = Purpose;

    fn bitor(self, other: Purpose) -> Purpose {
        Purpose(self.0 | other.0)
    }
}

impl Model {
    /// Builds the BVHs and topology that queries of a kind need, on all cores, so that the first of them takes no longer than the next. What is there already
    /// stays. It changes no answer.
    ///
    /// Without preparation, the first query makes what it needs on its own thread. Prepare models before a parallel loop of yours;
    /// [`clash::detect`](crate::clash::detect), [`World::step`](crate::World::step) and queries for many rays or points do so themselves.
    ///
    /// ```
    /// use impinge::model::Purpose;
    /// use impinge::{Model, Trs, shapes};
    ///
    /// let knot = Model::new(shapes::torus(1.0, 0.25, 480, 240)?);
    /// knot.prepare(Purpose::PAIRS | Purpose::RAYS);
    /// assert!(knot.at(Trs::IDENTITY).intersects(&knot.at(Trs::translation([0.5, 0.0, 0.0])?)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "bvh")]
    pub fn prepare(&self, purpose: Purpose) {
        if self.is_prepared(purpose) {
            return;
        }
        if purpose.needs_tree(self) {
            join(|| self.tree.prepare(&self.mesh, self.bounds), || self.prepare_sharing(purpose));
        } else {
            self.prepare_sharing(purpose);
        }
        // From the tree; each is made by one thread.
        join(
            || purpose.contains(Purpose::LEAF_TRIANGLES).then(|| self.leaf_triangles()),
            || purpose.contains(Purpose::WIDE_TREE).then(|| self.wide_tree()),
        );
    }

    /// Makes what comes from the mesh without the tree.
    fn prepare_sharing(&self, purpose: Purpose) {
        let sharing = || self.prepare_around(purpose);
        let rest = || {
            if purpose.contains(Purpose::HASH) {
                self.geometry_hash();
            }
            if purpose.contains(Purpose::GROUND) {
                self.ground();
            }
        };
        join(sharing, rest);
    }

    fn prepare_around(&self, purpose: Purpose) {
        if purpose.contains(Purpose::SHARING) {
            self.sharing();
        }
        if purpose.contains(Purpose::CORNERS) {
            self.sharing().topology.around(&self.mesh);
            // Kinds of edges of a deformable that has moved are found when contacts ask for them.
            if self.features.get().is_some() {
                self.owned_features();
            }
        }
        if purpose.contains(Purpose::PART_TREE) && self.part_tree.get().is_none() {
            let count = self.part_count();
            if count > FEW_PARTS {
                let corners = AnyCorners::Shown(&PartCorners(self));
                self.part_tree.offer(BoxBuilder::build(Build::default(), count, self.bounds, corners));
            }
        }
    }

    /// Whether the model is prepared for a purpose: nothing is left to make.
    pub(crate) fn is_prepared(&self, purpose: Purpose) -> bool {
        self.made().contains(purpose)
    }

    /// The purposes that the model is prepared for.
    pub(crate) fn made(&self) -> Purpose {
        let sharing = self.features.get().or_else(|| self.earlier.known());
        let has_many_parts = || sharing.is_some_and(|features| features.parts.parts.len() > FEW_PARTS);
        let is_table = self.mesh.triangle_table().is_some();
        let is_terrain = self.mesh.terrain_parts().is_some();
        let has_tree = self.tree.is_ready();
        let has_owned = || self.features.get().is_none_or(super::Features::has_owned);
        let of = |there: bool, purpose: Purpose| if there { purpose } else { Purpose(0) };
        of(has_tree, Purpose::BVH)
            | of(sharing.is_some(), Purpose::SHARING)
            | of(self.part_tree.get().is_some() || sharing.is_some() && !has_many_parts(), Purpose::PART_TREE)
            | of(self.geometry_hash.get().is_some(), Purpose::HASH)
            | of(
                sharing.is_some_and(|features| features.topology.has_around()) && has_owned(),
                Purpose::CORNERS,
            )
            | of(!is_table || self.leaf_triangles.get().is_some(), Purpose::LEAF_TRIANGLES)
            | of(!is_table || self.wide_tree.get().is_some(), Purpose::WIDE_TREE)
            | of(if is_terrain { self.height_tree.get().is_some() } else { has_tree }, Purpose::GROUND)
    }
}

impl Purpose {
    /// Whether the tree of boxes is needed: rays find their way over a terrain without it.
    fn needs_tree(self, model: &Model) -> bool {
        self.contains(Purpose::BVH) || self.0 & Purpose::RAYS.0 != 0 && model.mesh.terrain_parts().is_none()
    }
}

impl Deformable {
    /// Brings up to date what queries of a kind need, on all cores; see [`Model::prepare`]. A tree that its faces have moved away from is
    /// refitted in its place, which only the owner can do: through [`model`](Self::model), one thread refits it.
    pub fn prepare(&mut self, purpose: Purpose) {
        if purpose.needs_tree(&self.model) {
            let Model { tree, mesh, bounds, .. } = &mut self.model;
            tree.prepare_mut(mesh, *bounds);
        }
        self.model.prepare(purpose);
    }
}

/// Prepares many models on all cores: each once, however often it comes, and those that are ready not at all. `each` is told of every
/// one that is made ready, from any thread, and may end it.
pub(crate) fn prepare_all(
    mut models: Vec<&Model>,
    purpose: Purpose,
    each: impl Fn() -> ControlFlow<()> + Send + Sync,
) {
    models.sort_unstable_by_key(|model| std::ptr::from_ref::<Model>(model));
    models.dedup_by(|a, b| std::ptr::eq(*a, *b));
    models.retain(|model| !model.is_prepared(purpose));
    let ended = AtomicBool::new(false);
    map(&models, |model| {
        if !ended.load(Ordering::Relaxed) {
            model.prepare(purpose);
            ended.fetch_or(each().is_break(), Ordering::Relaxed);
        }
    });
}
