//! Finding hits: which faces count, which of them comes first, and what the answer says about them.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use super::faces::RayFaces;
use super::{Hit, Ray, RayAsk};
use crate::math::{DVec3, Dyadic, Sign};
use crate::model::Placed;
use crate::narrow::ray::{accurate_time, Beam, Crossing, cross_triangle, exact_time, first, unit_normal, weights};
use crate::narrow::winding::Fraction;
use crate::simd::Lanes;
use crate::tree::dop_tree::{DopTree, Leaf, RayVisitor, TreeRay, walk_ray};

/// A ray in a model's own frame, with what it looks for.
pub(super) struct Search<'p, 'm> {
    placed: &'p Placed<'m>,
    pub(super) faces: RayFaces<'m>,
    pub(super) tree: &'m DopTree<6>,
    pub(super) beam: Beam,
    pub(super) limit: Limit,
    pub(super) cull_back: bool,
}

/// The largest time that counts, in multiples of the beam's direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    max_t: f64,
    /// The beam's direction is the ray's, times two to this power.
    power: i32,
}

/// A triangle of a face's fan that was hit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// The user's index of the face.
    pub(super) label: u32,
    pub(super) face: u32,
    pub(super) k: u32,
    pub(super) crossing: Crossing,
}

/// Directions whose largest coordinate is within two to plus and minus this power are taken as they are.
const PLAIN: i32 = 200;

impl Limit {
    /// A little more than the largest time, for searches.
    pub(super) fn at_most(&self) -> f64 {
        libm::ldexp(self.max_t, -self.power) * (1.0 + f64::EPSILON) + f64::MIN_POSITIVE
    }

    /// Whether a crossing is not beyond the largest time, exactly.
    #[inline]
    pub(super) fn allows(&self, beam: &Beam, crossing: &Crossing, corners: &[DVec3; 3]) -> bool {
        let Crossing { t, error, .. } = *crossing;
        let limit = self.max_t;
        if limit == f64::INFINITY || self.power == 0 && t + error < limit {
            true
        } else if self.power == 0 && t - error > limit {
            false
        } else {
            self.allows_exactly(beam, corners)
        }
    }

    #[cold]
    fn allows_exactly(&self, beam: &Beam, corners: &[DVec3; 3]) -> bool {
        let limit = Dyadic::from(self.max_t).scaled(-i64::from(self.power));
        exact_time(beam, corners).is_some_and(|time| time <= Fraction::new(limit, Dyadic::from(1.0)))
    }

    /// A time in multiples of the ray's own direction.
    fn to_ray(self, t: f64) -> f64 {
        if self.power == 0 { t } else { libm::ldexp(t, self.power).min(f64::MAX) }
    }
}

impl<'p, 'm> Search<'p, 'm> {
    pub(super) fn new(placed: &'p Placed<'m>, ray: &Ray, ask: RayAsk) -> Search<'p, 'm> {
        let model = placed.model();
        let (beam, limit) = in_model(placed, ray);
        Search {
            placed,
            faces: RayFaces::new(model.mesh()),
            tree: model.dop_tree::<6>(),
            beam,
            limit,
            cull_back: ask.cull_back,
        }
    }

    pub(super) fn nearest(&self, mut accept: impl FnMut(u32) -> bool) -> Option<Hit> {
        let mut best: Option<Found> = None;
        self.walk(&mut accept, |found, limit| {
            if best.is_none_or(|best| self.order(&found, &best) == Ordering::Less) {
                best = Some(found);
                *limit = found.crossing.t + found.crossing.error;
            }
            ControlFlow::Continue(())
        });
        best.map(|best| self.hit(&best))
    }

    pub(super) fn any(&self, mut accept: impl FnMut(u32) -> bool) -> Option<Hit> {
        let mut some: Option<Found> = None;
        self.walk(&mut accept, |found, _| {
            some = Some(found);
            ControlFlow::Break(())
        });
        some.map(|some| self.hit(&some))
    }

    pub(super) fn all(&self, mut accept: impl FnMut(u32) -> bool) -> Vec<Hit> {
        let mut all = Vec::new();
        self.walk(&mut accept, |found, _| {
            all.push(found);
            ControlFlow::Continue(())
        });
        self.in_order(all)
    }

    /// Calls `visit` with every triangle that is hit before the limit, which `visit` may lower.
    fn walk(
        &self,
        accept: &mut impl FnMut(u32) -> bool,
        visit: impl FnMut(Found, &mut f64) -> ControlFlow<()>,
    ) {
        let Beam { origin, direction, .. } = self.beam;
        let limit = self.limit.at_most();
        if let Some(ray) = TreeRay::new(self.tree, origin, direction, limit) {
            walk_ray(self.tree, &ray, &mut Visitor { search: self, accept, visit, limit });
        }
    }

    /// All hits by trying every face.
    pub(super) fn all_by_trying(&self, mut accept: impl FnMut(u32) -> bool) -> Vec<Hit> {
        let mut found = Vec::new();
        for face in 0..self.faces.mesh.face_count() as u32 {
            let _ = self.test_face(face, &mut accept, |hit| {
                found.push(hit);
                ControlFlow::Continue(())
            });
        }
        self.in_order(found)
    }

    /// Calls `visit` with every triangle of a face's fan that is hit and counts.
    #[inline]
    fn test_face(
        &self,
        face: u32,
        accept: &mut impl FnMut(u32) -> bool,
        mut visit: impl FnMut(Found) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for k in 0..self.faces.fan_count(face) {
            let corners = self.faces.corners(face, k);
            let Some(crossing) = cross_triangle(&self.beam, &corners) else { continue };
            if self.cull_back && crossing.heading == Sign::Positive
                || !self.limit.allows(&self.beam, &crossing, &corners)
            {
                continue;
            }
            let label = self.faces.mesh.label(face);
            if !accept(label) {
                break;
            }
            visit(Found { label, face, k, crossing })?;
        }
        ControlFlow::Continue(())
    }

    /// By exact time, then by the user's index, then by the fan.
    fn order(&self, a: &Found, b: &Found) -> Ordering {
        self.times(a, b).then((a.label, a.face, a.k).cmp(&(b.label, b.face, b.k)))
    }

    fn times(&self, a: &Found, b: &Found) -> Ordering {
        let corners = |found: &Found| self.faces.corners(found.face, found.k);
        first(&self.beam, (&a.crossing, &corners(a)), (&b.crossing, &corners(b)))
    }

    fn in_order(&self, mut found: Vec<Found>) -> Vec<Hit> {
        found.sort_unstable_by(|a, b| self.order(a, b));
        let mut hits: Vec<Hit> = Vec::with_capacity(found.len());
        let mut last: Option<Found> = None;
        for next in found {
            let together = last.is_some_and(|last| self.times(&last, &next) == Ordering::Equal);
            if together && last.is_some_and(|last| last.label == next.label) {
                continue;
            }
            let mut hit = self.hit(&next);
            if let Some(before) = hits.last() {
                // Rounding may neither undo the order nor tell apart what is equal.
                if together {
                    hit.t = before.t;
                } else if hit.t <= before.t {
                    hit.t = before.t.next_up().min(f64::MAX);
                }
            }
            hits.push(hit);
            last = Some(next);
        }
        hits
    }

    pub(super) fn hit(&self, found: &Found) -> Hit {
        let corners = self.faces.corners(found.face, found.k);
        let Crossing { t, heading, .. } = found.crossing;
        let t = accurate_time(&self.beam, &corners).unwrap_or(t);
        let weights = weights(&self.beam, &corners, t);
        let point = corners[0] * weights[0] + corners[1] * weights[1] + corners[2] * weights[2];
        let placement = self.placed.placement();
        let to_world = |normal: DVec3| {
            let image = placement.normal_to_world(normal);
            // Up to 1e150 long: its square is finite only after it was made shorter.
            (image / image.abs().max_element()).normalize()
        };
        Hit {
            face: found.label,
            t: self.limit.to_ray(t),
            point_in_world: placement.point_to_world(point),
            normal_in_world: unit_normal(&corners).map(to_world),
            from_front: heading == Sign::Negative,
            triangle: self.faces.vertices(found.face, found.k),
            weights,
        }
    }
}

/// Tests the faces of leaves.
struct Visitor<'s, 'p, 'm, A, V> {
    search: &'s Search<'p, 'm>,
    accept: &'s mut A,
    visit: V,
    limit: f64,
}

impl<A, V> RayVisitor for Visitor<'_, '_, '_, A, V>
where
    A: FnMut(u32) -> bool,
    V: FnMut(Found, &mut f64) -> ControlFlow<()>,
{
    #[inline(always)]
    fn meet<L: Lanes>(&mut self, leaf: Leaf) -> ControlFlow<()> {
        for &face in self.search.tree.elements(leaf) {
            self.search.test_face(face, self.accept, |found| (self.visit)(found, &mut self.limit))?;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn limit(&self) -> f64 {
        self.limit
    }
}

/// A ray in the frame of a placed model.
pub(super) fn in_model(placed: &Placed<'_>, ray: &Ray) -> (Beam, Limit) {
    let placement = placed.placement();
    let origin = placement.point_to_model(ray.origin());
    // A direction of ordinary length is taken as it is; others are brought near 1 on both sides of the map, by
    // powers of two, so that nothing over- or underflows.
    let (direction, before) = ordinary(ray.direction());
    let (direction, after) = ordinary(placement.vector_to_model(direction));
    (Beam::new(origin, direction), Limit { max_t: ray.max_t(), power: before + after })
}

/// The vector times a power of two, and the power.
fn ordinary(vector: DVec3) -> (DVec3, i32) {
    let size = vector.abs().max_element();
    const MOST: f64 = f64::from_bits((1023 + PLAIN as u64) << 52);
    if (1.0 / MOST..=MOST).contains(&size) || size == 0.0 {
        return (vector, 0);
    }
    let power = -libm::ilogb(size);
    (DVec3::from_array(vector.to_array().map(|x| libm::ldexp(x, power))), power)
}
