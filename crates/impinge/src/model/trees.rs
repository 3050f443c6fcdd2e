//! The bounding volume hierarchy that a model owns: built when it is first asked for, and refitted where its faces have moved.

use std::marker::PhantomData;

use super::corners::FaceCorners;
use crate::mesh::Mesh;
use impinge_core::bounds::Aabb;
use impinge_core::bvh::{Build, DopTree, RefitPolicy, RefitStats, TreeBuilder};
use impinge_core::parallel::{Lazy, Lock};

/// The slot of a tree of K-DOPs: empty, with the tree, or with one that is out of date because its faces have moved. A model has one, of
/// boxes; experiments may have others beside it.
#[derive(Clone, Debug)]
pub struct TreeSlot<const K: usize, B> {
    ready: Lazy<DopTree<K>>,
    /// Only for faces that have moved.
    kept: Lock<Option<Box<Kept<K>>>>,
    builder: PhantomData<fn() -> B>,
}

impl<const K: usize, B> Default for TreeSlot<K, B> {
    fn default() -> TreeSlot<K, B> {
        TreeSlot { ready: Lazy::default(), kept: Lock::default(), builder: PhantomData }
    }
}

#[derive(Clone, Debug)]
struct Kept<const K: usize> {
    /// The tree, while it is out of date.
    stale: Option<DopTree<K>>,
    moved: Moved,
    upkeep: RefitPolicy,
}

/// What has moved since a tree was right.
#[derive(Clone, Debug)]
enum Moved {
    /// Faces, perhaps some of them several times.
    Some(Vec<u32>),
    All,
}

impl<const K: usize, B: TreeBuilder<K>> TreeSlot<K, B> {
    /// The tree, built or refitted when it is first asked for, by the thread that asks. Mesh and bounds are those of the model, always of the
    /// same.
    pub fn get(&self, mesh: &Mesh, bounds: Aabb) -> &DopTree<K> {
        self.ready.get_or_make(|| {
            let bring = Bring { build: Build::LAZY, mesh, bounds };
            self.kept.with(|kept| bring.refitted::<K, B>(kept)).unwrap_or_else(|| bring.built::<K, B>())
        })
    }

    /// Whether the tree is there and up to date.
    pub fn is_ready(&self) -> bool {
        self.ready.get().is_some()
    }

    /// Builds the tree on all threads, unless it is there. One that is out of date is refitted by this thread: it is kept under a
    /// lock.
    pub fn prepare(&self, mesh: &Mesh, bounds: Aabb) {
        if self.is_ready() {
            return;
        }
        if self.kept.with(|kept| kept.as_ref().is_some_and(|kept| kept.stale.is_some())) {
            self.get(mesh, bounds);
            return;
        }
        // Whoever asks meanwhile builds the same tree, bit by bit, and the first of the two is kept.
        self.ready.offer(Bring { build: Build::default(), mesh, bounds }.built::<K, B>());
    }

    /// Builds or refits the tree on all threads, unless it is up to date.
    pub fn prepare_mut(&mut self, mesh: &Mesh, bounds: Aabb) {
        if !self.is_ready() {
            let bring = Bring { build: Build::default(), mesh, bounds };
            let tree = bring.refitted::<K, B>(self.kept.get_mut()).unwrap_or_else(|| bring.built::<K, B>());
            self.ready.offer(tree);
        }
    }

    /// Notes that faces have moved: those in the list, or all. The tree is refitted when it is asked for.
    pub fn faces_moved(&mut self, faces: Option<&[u32]>, face_count: usize) {
        let kept = self.kept.get_mut();
        if let Some(tree) = self.ready.take() {
            match kept {
                Some(kept) => kept.stale = Some(tree),
                None => {
                    let upkeep = RefitPolicy::of(&tree);
                    let moved = Moved::Some(Vec::new());
                    *kept = Some(Box::new(Kept { stale: Some(tree), moved, upkeep }));
                }
            }
        }
        let Some(kept) = kept.as_deref_mut().filter(|kept| kept.stale.is_some()) else { return };
        match (&mut kept.moved, faces) {
            (Moved::Some(all), Some(faces)) if all.len() + faces.len() < face_count => {
                all.extend_from_slice(faces);
            }
            (moved, _) => *moved = Moved::All,
        }
    }

    /// The counts of refits and builds.
    pub fn work(&self) -> RefitStats {
        self.kept.with(|kept| kept.as_ref().map_or(RefitStats::default(), |kept| kept.upkeep.work()))
    }
}

/// What a tree is brought up to date with.
#[derive(Clone, Copy)]
struct Bring<'m> {
    build: Build,
    mesh: &'m Mesh,
    bounds: Aabb,
}

impl Bring<'_> {
    /// A new tree.
    fn built<const K: usize, B: TreeBuilder<K>>(self) -> DopTree<K> {
        let Bring { build, mesh, bounds } = self;
        B::build(build, mesh.face_count(), bounds, FaceCorners(mesh).any())
    }

    /// The tree that is out of date, if there is one, refitted.
    fn refitted<const K: usize, B: TreeBuilder<K>>(
        self,
        place: &mut Option<Box<Kept<K>>>,
    ) -> Option<DopTree<K>> {
        if let Some(kept) = place.as_deref_mut()
            && let Some(mut tree) = kept.stale.take()
        {
            let moved = std::mem::replace(&mut kept.moved, Moved::Some(Vec::new()));
            let moved = if let Moved::Some(faces) = &moved { Some(faces.as_slice()) } else { None };
            let corners = FaceCorners(self.mesh);
            B::refit(&mut kept.upkeep, self.build.parallel, &mut tree, self.bounds, corners.any(), moved);
            return Some(tree);
        }
        // What was kept of another tree is of no use to a new one.
        *place = None;
        None
    }
}
