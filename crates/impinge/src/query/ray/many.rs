//! Many rays at once.

use super::aim::Aim;
use super::search::{Found, Search};
use super::target::{FaceTree, Guide, Target};
use super::{Hit, Ray, RayAsk};
use crate::math::{DVec3, Sign};
use crate::model::Placed;
use crate::narrow::ray::{Crossing, EightBeams};
use crate::simd::{Lanes, Work, dispatch};
use crate::tree::dop_tree::{
    DopTree, Leaf, PACKET, Packet, PacketStack, PacketVisitor, RayBatch, SLOTS, TreeRay, walk_many,
};

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
        // The method itself is not general enough.
        #[allow(clippy::redundant_closure_for_method_calls)]
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
    match target.guide {
        Guide::Tree(faces) => dispatch(Casts { target: &target, faces, rays, ask, answers, answer }),
        Guide::Terrain { .. } => {
            for (ray, place) in rays.iter().zip(answers) {
                let search = Search::new(&target, ray, ask);
                *place = search.nearest_found(|_| true).map(|found| answer(&search, &found));
            }
        }
    }
}

struct Casts<'w, 'm, T, F> {
    target: &'w Target<'m>,
    faces: FaceTree<'m>,
    rays: &'w [Ray],
    ask: RayAsk,
    answers: &'w mut [Option<T>],
    answer: F,
}

impl<T, F: Fn(&Search<'_, '_>, &Found) -> T> Work for Casts<'_, '_, T, F> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Casts { target, faces, rays, ask, answers, answer } = self;
        let mut stack = PacketStack::NEW;
        let mut i = 0;
        while i < rays.len() && i < answers.len() {
            if cast_eight::<L, _, _>((target, faces), &rays[i..], ask, &mut answers[i..], &answer, &mut stack)
            {
                i += PACKET;
                continue;
            }
            let first = i;
            i += PACKET;
            while i < rays.len() && !go_alike(&rays[i..]) {
                i += PACKET;
            }
            let last = i.min(rays.len()).min(answers.len());
            let slots = [Slot { search: None, index: 0, nearest: None, limit: 0.0 }; SLOTS];
            let (rays, answers) = (&rays[first..last], &mut answers[first..last]);
            let mut batch = Batch { target, faces, rays, ask, answers, answer: &answer, next: 0, slots };
            walk_many::<L, _>(faces.tree, &mut batch);
        }
    }
}

/// Whether the first eight rays may make a packet: there are eight, and no coordinate of their directions changes its sign.
#[inline(always)]
fn go_alike(rays: &[Ray]) -> bool {
    let Some(eight) = rays.first_chunk::<PACKET>() else { return false };
    let signs = eight[0].direction().is_negative_bitmask();
    let mut alike = true;
    for ray in eight {
        alike &= ray.direction().is_negative_bitmask() == signs;
    }
    alike
}

/// Casts the first eight rays together, if they go the same way.
#[inline(always)]
fn cast_eight<L: Lanes, T, F: Fn(&Search<'_, '_>, &Found) -> T>(
    (target, FaceTree { tree, leaf_triangles }): (&Target<'_>, FaceTree<'_>),
    rays: &[Ray],
    ask: RayAsk,
    answers: &mut [Option<T>],
    answer: &F,
    stack: &mut PacketStack,
) -> bool {
    let (Some(triangles), true) = (leaf_triangles, go_alike(rays)) else { return false };
    let (Some(rays), Some(answers)) = (rays.first_chunk(), answers.first_chunk_mut()) else { return false };
    let rays: &[Ray; PACKET] = rays;
    let answers: &mut [Option<T>; PACKET] = answers;
    let (mut origins, mut directions) = ([[0.0; PACKET]; 3], [[0.0; PACKET]; 3]);
    let mut limits = [0.0; PACKET];
    for i in 0..PACKET {
        let (origin, direction) = target.in_model(&rays[i]);
        (origins[0][i], origins[1][i], origins[2][i]) = (origin.x, origin.y, origin.z);
        (directions[0][i], directions[1][i], directions[2][i]) = (direction.x, direction.y, direction.z);
        limits[i] = rays[i].max_t() * (1.0 + f64::EPSILON) + f64::MIN_POSITIVE;
    }
    let Some(mut packet) = Packet::new(tree, &origins, &directions, &limits) else { return false };
    let beams = EightBeams::new(&origins, &directions, packet.axes);
    let nearest = [None; PACKET];
    let mut visitor = EightRays { target, tree, rays, ask, origins, directions, beams, nearest, limits };
    packet.walk::<L>(tree, triangles, stack, &mut visitor);
    for (i, place) in answers.iter_mut().enumerate() {
        *place = visitor.nearest[i].as_ref().map(|found| answer(&visitor.search(i), found));
    }
    true
}

/// Eight rays that are cast together.
struct EightRays<'w, 'm> {
    target: &'w Target<'m>,
    tree: &'w DopTree<6>,
    rays: &'w [Ray; PACKET],
    ask: RayAsk,
    /// In the model's frame.
    origins: [[f64; PACKET]; 3],
    directions: [[f64; PACKET]; 3],
    beams: EightBeams,
    nearest: [Option<Found>; PACKET],
    limits: [f64; PACKET],
}

impl<'w, 'm> EightRays<'w, 'm> {
    #[inline(always)]
    fn search(&self, i: usize) -> Search<'w, 'm> {
        let ray = &self.rays[i];
        let of = |numbers: &[[f64; PACKET]; 3]| DVec3::new(numbers[0][i], numbers[1][i], numbers[2][i]);
        // The same as in the packet, which takes directions of ordinary length only.
        let aim = Aim::in_model(of(&self.origins), of(&self.directions), ray.max_t());
        Search { target: self.target, ray, aim, cull_back: self.ask.cull_back }
    }

    /// A triangle that the filter cannot tell about, or one at nearly the same time as another.
    #[cold]
    #[inline(never)]
    fn meet_exactly(&mut self, ray: usize, face: u32, corners: &[DVec3; 3]) -> bool {
        let search = self.search(ray);
        let Some(crossing) = search.crossing(corners) else { return false };
        search.keep_nearest(&mut self.nearest[ray], Found { face, k: 0, crossing }, &mut self.limits[ray]);
        true
    }
}

impl PacketVisitor for EightRays<'_, '_> {
    #[inline(always)]
    fn meet(&mut self, place: usize, mut rays: u32) -> u32 {
        let face = self.tree.element(place);
        let corners = self.target.corners(face, 0);
        let guesses = self.beams.guess(&corners);
        rays &= guesses.hit | guesses.unsure;
        let mut changed = 0;
        while rays != 0 {
            let ray = rays.trailing_zeros() as usize % PACKET;
            rays &= rays - 1;
            let (t, error) = (guesses.t[ray], guesses.error[ray]);
            let heading = Sign::of(guesses.heading[ray]);
            let (is_hit, max_t) = (guesses.hit >> ray & 1 == 1, self.rays[ray].max_t());
            if is_hit && (t - error > max_t || self.ask.cull_back && heading == Sign::Positive) {
                continue;
            }
            let is_clear = is_hit && t + error < max_t;
            let is_nearer = match &self.nearest[ray] {
                Some(before) => t + error < before.crossing.t - before.crossing.error,
                None => true,
            };
            if is_clear && is_nearer {
                let crossing = Crossing { t, error, heading };
                self.nearest[ray] = Some(Found { face, k: 0, crossing });
                self.limits[ray] = t + error;
                changed |= 1 << ray;
            } else if !is_clear || t - error < self.limits[ray] {
                changed |= u32::from(self.meet_exactly(ray, face, &corners)) << ray;
            }
        }
        changed
    }

    #[inline(always)]
    fn limit(&self, ray: usize) -> f64 {
        self.limits[ray]
    }
}

/// Rays on their way, each in a slot of its own.
struct Batch<'w, 'm, T, F> {
    target: &'w Target<'m>,
    faces: FaceTree<'m>,
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

impl<T, F: Fn(&Search<'_, '_>, &Found) -> T> RayBatch for Batch<'_, '_, T, &F> {
    #[inline(always)]
    fn next(&mut self, slot: usize) -> Option<TreeRay> {
        while self.next < self.rays.len() {
            let index = self.next;
            self.next += 1;
            let search = Search::new(self.target, &self.rays[index], self.ask);
            let limit = search.aim.limit.at_most();
            if let Some(ray) = search.tree_ray(self.faces.tree, limit) {
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
        let Some(triangles) = self.faces.leaf_triangles else {
            search.keep_nearest_of_leaf(self.faces.tree.elements(leaf), nearest, limit);
            return;
        };
        let mut met = triangles.perhaps_met::<L>(leaf, ray);
        while met != 0 {
            let face = self.faces.tree.elements(leaf)[met.trailing_zeros() as usize];
            met &= met - 1;
            if let Some(crossing) = search.crossing(&self.target.corners(face, 0)) {
                search.keep_nearest(nearest, Found { face, k: 0, crossing }, limit);
            }
        }
    }

    #[inline(always)]
    fn prefetch<L: Lanes>(&self, leaf: Leaf) {
        if let Some(triangles) = self.faces.leaf_triangles {
            triangles.prefetch::<L>(leaf);
            L::prefetch(&self.faces.tree.elements(leaf)[0]);
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
