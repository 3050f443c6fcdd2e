//! Ray packets: many rays at once.

use super::cast::{Found, Search};
use super::rounded::RoundedSearch;
use super::target::Target;
use super::{Ray, RayHit, RayOptions};
use crate::mesh::MaterialSet;
use crate::model::{Placed, Purpose};
use crate::query::verdict::Engine;
use impinge_core::bvh::{Bvh8, EIGHT, RAYS, RayTraversals};
use impinge_core::math::DVec3;
use impinge_core::narrow::ray_tri::plain_time;
use impinge_core::parallel::{for_each_chunk, may_share};
use impinge_core::simd::{Lanes, Work, dispatch};

/// The face that a ray hits first, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct FirstFace {
    /// The face, by the user's index.
    pub face: u32,
    /// The ray parameter, in multiples of the direction, at least 0.
    pub t: f64,
}

/// Rays that one thread takes at a time.
const SHARE: usize = 1024;

/// The nearest hit of each ray, in their order. With the feature `parallel`, on all threads; the answers are the same.
pub(super) fn cast_rays(placed: &Placed<'_>, rays: &[Ray], options: RayOptions<'_>) -> Vec<Option<RayHit>> {
    let mut hits = vec![None; rays.len()];
    let Some((placed, options)) = &filtered(placed, options) else { return hits };
    if rays.len() > SHARE {
        placed.model().prepare(Purpose::MANY_RAYS);
    }
    share_out(rays, &mut hits, |rays, hits| {
        if placed.radius() > 0.0 {
            let cast = |ray: &Ray| RoundedSearch::new(placed, ray, *options).nearest();
            hits.iter_mut().zip(rays).for_each(|(hit, ray)| *hit = cast(ray));
        } else {
            each(placed, rays, *options, hits, &WholeHits);
        }
    });
    hits
}

/// The model without the faces that are passed through for their material, and the options that are left; none where no face is left.
fn filtered<'m, 'f>(placed: &Placed<'m>, options: RayOptions<'f>) -> Option<(Placed<'m>, RayOptions<'f>)> {
    let left = placed.without_materials(options.ignored_materials)?;
    Some((left, options.ignored_materials(MaterialSet::NONE)))
}

/// The face that each ray hits first, and when, in their order: what [`cast_rays`] finds, without the rest of the answer.
/// On one thread, and without allocation.
///
/// # Panics
/// When there are not as many places for answers as there are rays.
pub(super) fn cast_rays_into(
    placed: &Placed<'_>,
    rays: &[Ray],
    options: RayOptions<'_>,
    answers: &mut [Option<FirstFace>],
) {
    assert_eq!(rays.len(), answers.len(), "one answer for each ray");
    let Some((placed, options)) = filtered(placed, options) else { return answers.fill(None) };
    if placed.radius() > 0.0 {
        for (answer, ray) in answers.iter_mut().zip(rays) {
            let hit = RoundedSearch::new(&placed, ray, options).nearest();
            *answer = hit.map(|RayHit { face, t, .. }| FirstFace { face, t });
        }
        return;
    }
    each(&placed, rays, options, answers, &FirstFaces);
}

/// The form of an answer about a hit.
trait RayAnswer {
    type Is;

    /// The answer for a face that is certainly hit first by a ray in the model's frame; none if that takes a search.
    fn of_sure(&self, target: &Target<'_>, origin: DVec3, direction: DVec3, face: u32) -> Option<Self::Is>;

    /// The answer for what a search has found.
    fn of_found(&self, search: &Search<'_, '_>, found: &Found) -> Self::Is;
}

struct WholeHits;

impl RayAnswer for WholeHits {
    type Is = RayHit;

    #[inline(always)]
    fn of_sure(&self, _: &Target<'_>, _: DVec3, _: DVec3, _: u32) -> Option<RayHit> {
        None
    }

    #[inline(always)]
    fn of_found(&self, search: &Search<'_, '_>, found: &Found) -> RayHit {
        search.hit(found)
    }
}

struct FirstFaces;

impl RayAnswer for FirstFaces {
    type Is = FirstFace;

    #[inline(always)]
    fn of_sure(&self, target: &Target<'_>, origin: DVec3, direction: DVec3, face: u32) -> Option<FirstFace> {
        let t = plain_time(origin, direction, &target.corners(face, 0))?;
        Some(FirstFace { face: target.mesh.label(face), t })
    }

    #[inline(always)]
    fn of_found(&self, search: &Search<'_, '_>, found: &Found) -> FirstFace {
        let corners = search.target.corners(found.face, found.k);
        FirstFace { face: search.target.mesh.label(found.face), t: search.time(found, &corners) }
    }
}

/// Hands shares of rays to threads.
fn share_out<T: Send>(rays: &[Ray], answers: &mut [T], work: impl Fn(&[Ray], &mut [T]) + Send + Sync) {
    if rays.len() > SHARE && may_share() {
        for_each_chunk(rays, answers, SHARE, work);
    } else {
        work(rays, answers);
    }
}

/// Casts rays on this thread.
fn each<A: RayAnswer>(
    placed: &Placed<'_>,
    rays: &[Ray],
    options: RayOptions<'_>,
    answers: &mut [Option<A::Is>],
    answer: &A,
) {
    let target = &Target::of_many(placed);
    // Packets test neither a filter nor every face.
    let is_plain = options.accept.is_none() && options.engine != Engine::Brute;
    if let Some(tree) = placed.model().wide_tree().filter(|_| is_plain) {
        dispatch(Casts { target, tree, rays, options, answers, answer });
        return;
    }
    for (ray, place) in rays.iter().zip(answers) {
        let search = Search::new(target, ray, options);
        *place = search.nearest_found().map(|found| answer.of_found(&search, &found));
    }
}

struct Casts<'w, 'm, A: RayAnswer> {
    target: &'w Target<'m>,
    tree: &'w Bvh8,
    rays: &'w [Ray],
    options: RayOptions<'w>,
    answers: &'w mut [Option<A::Is>],
    answer: &'w A,
}

impl<A: RayAnswer> Work for Casts<'_, '_, A> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self) {
        let mut walks = RayTraversals::NEW;
        let mut in_model = InFrame { origins: [[0.0; RAYS]; 3], directions: [[0.0; RAYS]; 3] };
        let mut first = 0;
        while first < self.rays.len().min(self.answers.len()) {
            let count = RAYS.min(self.rays.len() - first);
            let mut group = 0;
            while EIGHT * group < count {
                let rays = eight(self.rays, first + EIGHT * group);
                let rays = self.target.in_model::<L>(&rays);
                in_model.keep::<L>(group, &rays.origins, &rays.directions);
                walks.set::<L>(group, self.tree, &rays, count - EIGHT * group);
                group += 1;
            }
            walks.traverse::<L>(self.tree, group, self.options.cull_back);
            self.finish::<L>(&mut walks, &in_model, first, count);
            first += count;
        }
    }
}

/// Eight rays from a place on; the last again where there are fewer.
#[inline(always)]
fn eight(rays: &[Ray], first: usize) -> [&Ray; EIGHT] {
    let last = rays.len() - 1;
    let mut eight = [&rays[last]; EIGHT];
    let mut i = 0;
    while i < EIGHT {
        eight[i] = &rays[if first + i < last { first + i } else { last }];
        i += 1;
    }
    eight
}

/// Rays in the model's frame.
struct InFrame {
    origins: [[f64; RAYS]; 3],
    directions: [[f64; RAYS]; 3],
}

impl InFrame {
    #[inline(always)]
    fn keep<L: Lanes>(
        &mut self,
        group: usize,
        origins: &[[L::F64x4; 2]; 3],
        directions: &[[L::F64x4; 2]; 3],
    ) {
        let mut k = 0;
        while k < 3 {
            let mut half = 0;
            while half < 2 {
                let place = EIGHT * group + 4 * half;
                let (to, from) = (&mut self.origins[k], L::f64x4_store(origins[k][half]));
                if let Some(to) = to[place..].first_chunk_mut() {
                    *to = from;
                }
                let (to, from) = (&mut self.directions[k], L::f64x4_store(directions[k][half]));
                if let Some(to) = to[place..].first_chunk_mut() {
                    *to = from;
                }
                half += 1;
            }
            k += 1;
        }
    }

    #[inline(always)]
    fn ray(&self, i: usize) -> [DVec3; 2] {
        let (o, d) = (&self.origins, &self.directions);
        [DVec3::new(o[0][i], o[1][i], o[2][i]), DVec3::new(d[0][i], d[1][i], d[2][i])]
    }
}

impl<A: RayAnswer> Casts<'_, '_, A> {
    /// Answers for rays that were traversed. Memory is prefetched before it is needed.
    #[inline(always)]
    fn finish<L: Lanes>(
        &mut self,
        walks: &mut RayTraversals,
        in_model: &InFrame,
        first: usize,
        count: usize,
    ) {
        let mut i = 0;
        while i < count {
            self.answers[first + i] = None;
            i += 1;
        }
        let mut some = [0_u8; RAYS];
        let count = walks.settle(count.div_ceil(EIGHT), &mut some).min(RAYS);
        let mut i = 0;
        while i < count {
            if let Some(face) = walks.finds(some[i].into()).and_then(|finds| finds.faces().first()) {
                self.target.prefetch_vertices::<L>(*face);
            }
            i += 1;
        }
        let mut i = 0;
        while i < count {
            if let Some(face) = walks.finds(some[i].into()).and_then(|finds| finds.faces().first()) {
                self.target.prefetch_corners::<L>(*face);
            }
            i += 1;
        }
        let mut i = 0;
        while i < count {
            let ray = usize::from(some[i]);
            i += 1;
            let [origin, direction] = in_model.ray(ray % RAYS);
            let sure = match walks.finds(ray) {
                Some(finds) => finds.only(),
                None => None,
            };
            let answer = match sure {
                Some(face) => self.answer.of_sure(self.target, origin, direction, face),
                None => None,
            };
            self.answers[first + ray] = match answer {
                Some(answer) => Some(answer),
                None => self.decide(&self.rays[first + ray], walks, ray),
            };
        }
    }

    /// Finds the nearest of several triangles, or that of a ray that lanes cannot tell about.
    #[inline(never)]
    fn decide(&self, ray: &Ray, walks: &RayTraversals, i: usize) -> Option<A::Is> {
        let search = Search::new(self.target, ray, self.options);
        let found = match walks.finds(i) {
            Some(finds) => search.nearest_of(finds.faces()),
            None => search.nearest_found(),
        };
        found.map(|found| self.answer.of_found(&search, &found))
    }
}
