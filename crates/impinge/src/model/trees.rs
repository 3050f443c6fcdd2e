//! The trees that a model owns, one for each number of directions.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::corners::{FaceCorners, TableCorners};
use crate::bounds::Aabb;
use crate::mesh::Mesh;
use crate::tree::dop_tree::{Corners, DopTree, Upkeep, UpkeepWork};

/// Places for the trees of a model.
#[derive(Clone, Debug, Default)]
pub struct Trees {
    six: TreeSlot<6>,
    eight: TreeSlot<8>,
    fourteen: TreeSlot<14>,
    eighteen: TreeSlot<18>,
    twenty_six: TreeSlot<26>,
}

/// Which numbers of directions there are trees for.
pub trait TreeOf<const K: usize> {
    /// Where the tree is kept.
    fn slot(&self) -> &TreeSlot<K>;
}

macro_rules! trees {
    ($($k:literal: $slot:ident,)*) => {
        $(
            impl TreeOf<$k> for Trees {
                fn slot(&self) -> &TreeSlot<$k> {
                    &self.$slot
                }
            }
        )*

        impl Trees {
            /// Notes that faces have moved: those in the list, or all. Their trees are refitted when they are asked for.
            pub(super) fn faces_moved(&mut self, faces: Option<&[u32]>, face_count: usize) {
                $(self.$slot.faces_moved(faces, face_count);)*
            }

            /// What the upkeep of all trees took.
            pub(super) fn work(&self) -> UpkeepWork {
                let mut work = UpkeepWork::default();
                $(work += self.$slot.work();)*
                work
            }
        }
    };
}

trees! { 6: six, 8: eight, 14: fourteen, 18: eighteen, 26: twenty_six, }

/// The place of a tree: empty, with the tree, or with one that its faces have moved away from.
#[derive(Debug, Default)]
pub struct TreeSlot<const K: usize> {
    ready: OnceLock<DopTree<K>>,
    /// Only for faces that have moved.
    kept: Mutex<Option<Box<Kept<K>>>>,
}

#[derive(Clone, Debug)]
struct Kept<const K: usize> {
    /// The tree, while it is out of date.
    stale: Option<DopTree<K>>,
    moved: Moved,
    upkeep: Upkeep,
}

/// What has moved since a tree was right.
#[derive(Clone, Debug)]
enum Moved {
    /// Faces, perhaps some of them several times.
    Some(Vec<u32>),
    All,
}

impl<const K: usize> TreeSlot<K> {
    /// The tree, built or refitted when it is first asked for.
    pub(super) fn get(&self, mesh: &Mesh, bounds: Aabb) -> &DopTree<K> {
        self.ready.get_or_init(|| match mesh.triangle_table() {
            Some((points, triangles)) => self.make(mesh, bounds, &TableCorners { points, triangles }),
            None => self.make(mesh, bounds, &FaceCorners(mesh)),
        })
    }

    fn make(&self, mesh: &Mesh, bounds: Aabb, corners: &impl Corners) -> DopTree<K> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = kept.as_deref_mut()
            && let Some(mut tree) = kept.stale.take()
        {
            let moved = std::mem::replace(&mut kept.moved, Moved::Some(Vec::new()));
            let moved = if let Moved::Some(faces) = &moved { Some(faces.as_slice()) } else { None };
            kept.upkeep.refit(&mut tree, bounds, corners, moved);
            return tree;
        }
        // What was kept of another tree is of no use to a new one.
        *kept = None;
        DopTree::build(mesh.face_count(), bounds, corners)
    }

    fn faces_moved(&mut self, faces: Option<&[u32]>, face_count: usize) {
        let kept = self.kept.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(tree) = self.ready.take() {
            match kept {
                Some(kept) => kept.stale = Some(tree),
                None => {
                    let upkeep = Upkeep::of(&tree);
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

    fn work(&self) -> UpkeepWork {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.as_ref().map_or(UpkeepWork::default(), |kept| kept.upkeep.work())
    }
}

impl<const K: usize> Clone for TreeSlot<K> {
    fn clone(&self) -> TreeSlot<K> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        TreeSlot { ready: self.ready.clone(), kept: Mutex::new(kept.clone()) }
    }
}
