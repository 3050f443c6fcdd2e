//! The engine of trees of K-DOPs, for any number of directions that the kernel knows: 6, 8, 14, 18 and 26.
//!
//! The library has the trees of six directions, which are boxes: no measurement favors others. Here are the others, through the same code.

use impinge::model::TreeSlot;
use impinge::query::experiments::{faces_touching_by, intersect_by, intersects_by};
use impinge::query::{IntersectOptions, Intersection, Scratch, Stats, Volume};
use impinge::{Model, Placed};
use impinge_core::bounds::Aabb;
use impinge_core::bvh::{AnyCorners, Build, DopTree, RefitPolicy, RefitStats, TreeBuilder};

use super::construction::PaperBuilder;

/// The tree of K-DOPs over the faces of one model, beside it: built when it is first asked for, and refitted where faces have moved.
///
/// ```
/// use impinge::query::{IntersectOptions, Scratch};
/// use impinge::{Model, Trs, Verdict, shapes};
/// use impinge_papers::zachmann::DopEngine;
///
/// let (ring, ball) = (Model::new(shapes::torus(1.0, 0.25, 48, 24)?), Model::new(shapes::icosphere(0.5, 8)?));
/// let engines = [DopEngine::<14>::new(&ring), DopEngine::new(&ball)];
/// let (a, b) = (ring.at(Trs::IDENTITY), ball.at(Trs::translation([1.0, 0.0, 0.0])?));
/// let found = DopEngine::intersect(
///     [&engines[0], &engines[1]],
///     [&a, &b],
///     IntersectOptions::default(),
///     &mut Scratch::default(),
/// );
/// assert_eq!(found.verdict, Verdict::Overlapping);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DopEngine<const K: usize, B = SahBuilder> {
    slot: TreeSlot<K, B>,
}

/// The builder of trees of any number of directions by the surface area heuristic (SAH), as the library builds its own.
#[derive(Clone, Copy, Debug)]
pub struct SahBuilder;

impl<const K: usize> TreeBuilder<K> for SahBuilder {
    fn build(build: Build, count: usize, bounds: Aabb, corners: AnyCorners<'_>) -> DopTree<K> {
        DopTree::build_with(build, count, bounds, corners)
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

impl<const K: usize> DopEngine<K> {
    /// An engine for a model, with its tree built on all cores.
    pub fn new(model: &Model) -> DopEngine<K> {
        let engine = DopEngine::default();
        engine.prepare(model);
        engine
    }
}

impl<const K: usize> DopEngine<K, PaperBuilder> {
    /// An engine for a model, with its tree built as Zachmann 1998 builds it.
    pub fn of_paper(model: &Model) -> DopEngine<K, PaperBuilder> {
        let engine = DopEngine { slot: TreeSlot::default() };
        engine.prepare(model);
        engine
    }
}

impl<const K: usize> Default for DopEngine<K> {
    fn default() -> DopEngine<K> {
        DopEngine { slot: TreeSlot::default() }
    }
}

impl<const K: usize, B: TreeBuilder<K>> DopEngine<K, B> {
    /// Builds the tree on all cores, unless it is there. The model is always the same.
    pub fn prepare(&self, model: &Model) {
        self.slot.prepare(model.mesh(), model.bounds());
    }

    /// Builds or refits the tree on all cores, unless it is up to date.
    pub fn prepare_mut(&mut self, model: &Model) {
        self.slot.prepare_mut(model.mesh(), model.bounds());
    }

    /// The tree, built or refitted by the thread that first asks for it.
    pub fn tree(&self, model: &Model) -> &DopTree<K> {
        self.slot.get(model.mesh(), model.bounds())
    }

    /// Notes that faces of a deformable have moved: those in the list, or all.
    pub fn faces_moved(&mut self, model: &Model, faces: Option<&[u32]>) {
        self.slot.faces_moved(faces, model.mesh().face_count());
    }

    /// The counts of refits and builds.
    pub fn upkeep(&self) -> RefitStats {
        self.slot.work()
    }

    /// The pair query by the trees of the two models; the engine of `options` does not count.
    pub fn intersect(
        engines: [&DopEngine<K, B>; 2],
        placed: [&Placed<'_>; 2],
        options: IntersectOptions,
        scratch: &mut Scratch,
    ) -> Intersection {
        let trees = [engines[0].tree(placed[0].model()), engines[1].tree(placed[1].model())];
        intersect_by(placed, trees, options, scratch)
    }

    /// Whether two models intersect by their trees, and how much work it took; see [`Placed::intersects`](impinge::Placed::intersects).
    pub fn intersects(
        engines: [&DopEngine<K, B>; 2],
        placed: [&Placed<'_>; 2],
        options: IntersectOptions,
        scratch: &mut Scratch,
    ) -> (bool, Stats) {
        let trees = [engines[0].tree(placed[0].model()), engines[1].tree(placed[1].model())];
        intersects_by(placed, trees, options, scratch)
    }

    /// The faces that touch a volume, sorted, into `faces`; see [`Placed::faces_touching_in`](impinge::Placed::faces_touching_in).
    pub fn faces_touching(
        &self,
        placed: &Placed<'_>,
        volume: &Volume,
        scratch: &mut Scratch,
        faces: &mut Vec<u32>,
    ) -> Stats {
        faces_touching_by(self.tree(placed.model()), placed, volume, scratch, faces)
    }
}
