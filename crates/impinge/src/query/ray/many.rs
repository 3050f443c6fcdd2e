//! Many rays at once.

use std::ops::ControlFlow;

use super::search::{Found, Search, Visitor};
use super::target::Target;
use super::{Hit, Ray, RayAsk};
use crate::model::Placed;
use crate::simd::{Lanes, Work, dispatch};
use crate::tree::dop_tree::{Leaf, RayBatch, RayVisitor, SLOTS, TreeRay, walk_many};

/// The face that a ray hits first, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FirstFace {
    /// The face, by the user's index.
    pub face: u32,
    /// In multiples of the direction, at least 0.
    pub t: f64,
}

/// Rays that one thread takes at a time.
#[cfg(feature = "parallel")]
const SHARE: usize = 1024;

/// The nearest hit of each ray, in their order. With the feature `parallel`, on all threads; the answers are the same.
pub fn cast_rays(placed: &Placed<'_>, rays: &[Ray], ask: RayAsk) -> Vec<Option<Hit>> {
    let mut hits = vec![None; rays.len()];
    share_out(rays, &mut hits, |rays, hits| {
        each(placed, rays, ask, hits, |search, found| search.hit(found));
    });
    hits
}

/// The face that each ray hits first, and when, in their order: what [`cast_rays`] finds, without the rest of the answer.
/// On one thread, and without allocation.
///
/// # Panics
/// When there are not as many places for answers as there are rays.
pub fn first_faces(placed: &Placed<'_>, rays: &[Ray], ask: RayAsk, answers: &mut [Option<FirstFace>]) {
    assert_eq!(rays.len(), answers.len(), "one answer for each ray");
    each(placed, rays, ask, answers, |search, found| FirstFace {
        face: search.target.mesh.label(found.face),
        t: search.time(found, &search.target.corners(found.face, found.k)),
    });
}

/// Hands shares of rays to threads.
fn share_out<T: Send>(rays: &[Ray], answers: &mut [T], work: impl Fn(&[Ray], &mut [T]) + Sync) {
    #[cfg(feature = "parallel")]
    if rays.len() > SHARE && rayon::current_num_threads() > 1 {
        use rayon::iter::{IndexedParallelIterator, ParallelIterator};
        use rayon::slice::{ParallelSlice, ParallelSliceMut};
        let shares = rays.par_chunks(SHARE).zip(answers.par_chunks_mut(SHARE));
        shares.for_each(|(rays, answers)| work(rays, answers));
        return;
    }
    work(rays, answers);
}

/// Casts rays on this thread.
fn each<T>(
    placed: &Placed<'_>,
    rays: &[Ray],
    ask: RayAsk,
    answers: &mut [Option<T>],
    answer: impl Fn(&Search<'_, '_>, &Found) -> T,
) {
    let target = Target::new(placed);
    dispatch(Casts { target: &target, rays, ask, answers, answer });
}

struct Casts<'w, 'm, T, F> {
    target: &'w Target<'m>,
    rays: &'w [Ray],
    ask: RayAsk,
    answers: &'w mut [Option<T>],
    answer: F,
}

impl<T, F: Fn(&Search<'_, '_>, &Found) -> T> Work for Casts<'_, '_, T, F> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Casts { target, rays, ask, answers, answer } = self;
        let begin = Slot { search: None, index: 0, nearest: None, limit: 0.0 };
        let slots = [begin; SLOTS];
        walk_many::<L, _>(target.tree, &mut Batch { target, rays, ask, answers, answer, next: 0, slots });
    }
}

/// Rays on their way, each in a slot of its own.
struct Batch<'w, 'm, T, F> {
    target: &'w Target<'m>,
    rays: &'w [Ray],
    ask: RayAsk,
    answers: &'w mut [Option<T>],
    answer: F,
    /// The next ray to be cast.
    next: usize,
    slots: [Slot<'w, 'm>; SLOTS],
}

#[derive(Clone, Copy)]
struct Slot<'w, 'm> {
    search: Option<Search<'w, 'm>>,
    index: usize,
    nearest: Option<Found>,
    limit: f64,
}

impl<T, F: Fn(&Search<'_, '_>, &Found) -> T> RayBatch for Batch<'_, '_, T, F> {
    #[inline(always)]
    fn next(&mut self, slot: usize) -> Option<TreeRay> {
        while self.next < self.rays.len() {
            let index = self.next;
            self.next += 1;
            let search = Search::new(self.target, &self.rays[index], self.ask);
            let limit = search.aim.limit.at_most();
            if let Some(ray) = search.tree_ray(limit) {
                self.slots[slot % SLOTS] = Slot { search: Some(search), index, nearest: None, limit };
                return Some(ray);
            }
            self.answers[index] = None;
        }
        None
    }

    #[inline(always)]
    fn meet<L: Lanes>(&mut self, slot: usize, ray: &TreeRay, leaf: Leaf) {
        let Slot { search: Some(search), nearest, limit, .. } = &mut self.slots[slot % SLOTS] else { return };
        let visit = |found: Found, limit: &mut f64| {
            search.keep_nearest(nearest, found, limit);
            ControlFlow::Continue(())
        };
        let mut visitor = Visitor { search, ray, accept: |_| true, visit, limit: *limit };
        let _ = visitor.meet::<L>(leaf);
        *limit = visitor.limit;
    }

    #[inline(always)]
    fn prefetch<L: Lanes>(&self, leaf: Leaf) {
        if let Some(triangles) = self.target.leaf_triangles {
            triangles.prefetch::<L>(leaf);
            L::prefetch(&self.target.tree.elements(leaf)[0]);
        }
    }

    #[inline(always)]
    fn limit(&self, slot: usize) -> f64 {
        self.slots[slot % SLOTS].limit
    }

    #[inline(always)]
    fn finish(&mut self, slot: usize) {
        let Slot { search: Some(search), index, nearest, .. } = &self.slots[slot % SLOTS] else { return };
        self.answers[*index] = match nearest {
            Some(found) => Some((self.answer)(search, found)),
            None => None,
        };
    }
}
