//! Queries on a world: ray casts, sweeps, volumes, nearest bodies.

use super::filter::spheres;
use super::sweep_all::{InWay, slides, sweep_all};
use super::travel::Travel;
use super::{Body, Handle, World, WorldError, grown};
use crate::broad_phase::Segment;
use crate::mesh::MaterialSet;
use crate::model::Placed;
use crate::query::{
    Contact, Distance, Known, Ray, RayError, RayHit, RayOptions, Sweep, SweepOptions, SweepStatus, Volume,
    turns,
};
use impinge_core::math::DVec3;
use impinge_core::transform::Motion;

/// Padding for rounding, as a part of the coordinates: far more than that of sweeps, with their skins.
const ROUNDING: f64 = 1.0 / (1_u64 << 32) as f64;

/// Most casts come close to fewer bodies.
const FEW: usize = 24;

/// The bodies that a ray passes close to.
struct Along {
    /// The time at which the ray ends.
    reach: f64,
    /// The first ones first: each with the part of the ray before which it is not hit.
    found: Vec<(f64, u32)>,
    /// How far from the ray things are of which rounding could make a hit, or less.
    margin: f64,
}

/// The bodies that one may come upon on its way.
pub(super) struct InReach {
    /// In the order in which it can: each with the part of the motion before which it comes upon none of it. Where it turns, all of them from the start on.
    pub(super) found: Vec<(f64, u32)>,
    /// What is farther away does not stop it.
    margin: f64,
}

impl World {
    /// Casts a ray: the first face that it hits, of all bodies that `accept` takes; of several at the same distance, that of the least body.
    #[doc(alias = "raycast")]
    pub fn cast_ray(
        &self,
        ray: &Ray,
        options: RayOptions<'_>,
        mut accept: impl FnMut(Handle, &Body) -> bool,
    ) -> Option<(Handle, RayHit)> {
        let mut best: Option<(u32, RayHit)> = None;
        let mut ray = *ray;
        let Along { reach, found, margin } = self.along(&ray);
        for (from, index) in found {
            if best.is_some_and(|(_, best)| from * reach > best.t) {
                break;
            }
            if !accept(self.bodies.handle(index), self.body(index)) {
                continue;
            }
            let way = ray.direction() * best.map_or(reach, |(_, best)| best.t);
            let sphere = self.body(index).placed().sphere_in_world();
            if spheres::passes_by((ray.origin(), 0.0), way, sphere, margin) {
                continue;
            }
            if let Some(hit) = self.body(index).placed().cast_ray_with(&ray, options)
                && best.is_none_or(|(least, best)| hit.t < best.t || (hit.t == best.t && index < least))
            {
                ray = ray.up_to(hit.t).unwrap_or(ray);
                best = Some((index, hit));
            }
        }
        best.map(|(index, hit)| (self.bodies.handle(index), hit))
    }

    /// The bodies that a ray passes close to.
    fn along(&self, ray: &Ray) -> Along {
        let mut found = Vec::with_capacity(FEW);
        // As far as there is anything.
        let boxes = self.broad.boxes().iter();
        let reach = if ray.max_t().is_finite() {
            ray.max_t()
        } else {
            let far = boxes.fold(0.0_f64, |far, (_, bounds)| {
                let (low, high) = ((bounds.min - ray.origin()).abs(), (bounds.max - ray.origin()).abs());
                far.max(low.max(high).max_element())
            });
            2.0 * far / ray.direction().abs().max_element()
        };
        let end = ray.origin() + ray.direction() * reach;
        // So thick that no rounding puts a box behind what is hit in it.
        let margin = ray.origin().abs().max(end.abs()).max_element() * ROUNDING;
        if let Ok(segment) = Segment::new(ray.origin(), end) {
            self.broad.along_in_order(&segment.thick(DVec3::splat(margin)), &mut found);
        }
        Along { reach, found, margin }
    }

    /// Sweeps a model that is not in the world: how far it could move, and which body would stop it; `None` where nothing is in its way. What
    /// slides along others from a touching start is lifted off all of them at once, as bodies are that move. The skin is the world's own,
    /// unless one is asked for.
    #[doc(alias = "shape cast")]
    pub fn sweep(
        &self,
        moving: &Placed<'_>,
        motion: &Motion,
        options: SweepOptions,
        mut accept: impl FnMut(Handle, &Body) -> bool,
    ) -> Option<(Handle, Sweep)> {
        let options = options.skin(if options.skin > 0.0 { options.skin } else { self.skin });
        let InReach { found: mut near, margin } = self.bodies_in_way(moving, motion, options);
        near.retain(|&(_, index)| accept(self.bodies.handle(index), self.body(index)));
        // What is ignored is left out here: tests of free places have no options.
        let (ignored, options) = (options.ignored_materials, options.ignored_materials(MaterialSet::NONE));
        let moving = &moving.without_materials(ignored)?;
        let sphere = (!turns(motion)).then(|| moving.sphere_in_world());
        let mut first: Option<(u32, Sweep)> = None;
        // What is come upon later first: the rest, such as a room around everything, need be followed no farther than to there.
        let at_start = near.partition_point(|&(from, _)| from <= 0.0);
        for &(from, index) in near[at_start..].iter().chain(&near[..at_start]) {
            let until = first.as_ref().map_or(f64::INFINITY, |(_, sweep)| sweep.fraction);
            if from > until {
                continue;
            }
            let Some(other) = self.body(index).placed().without_materials(ignored) else { continue };
            // A little farther than to there: what stops it at the same time counts.
            let way = motion.by() * until.min(1.0) * (1.0 + 1e-9);
            if sphere.is_some_and(|sphere| spheres::passes_by(sphere, way, other.sphere_in_world(), margin)) {
                continue;
            }
            let known = Known { are_free: from > 0.0, are_apart: from > 0.0, until };
            let sweep = moving.sweep_knowing(motion, &other, options, known);
            if slides(&sweep) {
                near.sort_unstable_by_key(|&(_, index)| index);
                let near = near.into_iter().map(|(_, index)| index);
                return self.sweep_lifted(moving, motion, options, near, ignored);
            }
            let is_first = first.as_ref().is_none_or(|(least, best)| {
                sweep.fraction < best.fraction || (sweep.fraction == best.fraction && index < *least)
            });
            if sweep.status != SweepStatus::Clear && is_first {
                first = Some((index, sweep));
            }
        }
        first.map(|(index, sweep)| (self.bodies.handle(index), sweep))
    }

    /// The bodies that one may come upon on its way.
    pub(super) fn bodies_in_way(
        &self,
        moving: &Placed<'_>,
        motion: &Motion,
        options: SweepOptions,
    ) -> InReach {
        let bounds = moving.bounds();
        let (start, by) = (bounds.center(), motion.by());
        // Stops are before contacts: by the margin, and some more.
        let size = bounds.min.abs().max(bounds.max.abs()).max_element() + by.abs().max_element();
        let margin = 2.0 * options.margin.max(options.skin).max(0.0) + size * ROUNDING;
        let mut found = Vec::with_capacity(FEW);
        if turns(motion) {
            let mut near = Vec::new();
            self.broad.overlapping(&grown(Travel::new(*moving, motion).bounds, margin), &mut near);
            found.extend(near.into_iter().map(|index| (0.0, index)));
        } else if let Ok(segment) = Segment::new(start, start + by) {
            let half = (bounds.max - bounds.min) / 2.0 + DVec3::splat(margin);
            self.broad.along_in_order(&segment.thick(half), &mut found);
        }
        InReach { found, margin }
    }

    /// A sweep against bodies in the order of their handles, of which one is touched at the start and moved along.
    fn sweep_lifted(
        &self,
        moving: &Placed<'_>,
        motion: &Motion,
        options: SweepOptions,
        near: impl Iterator<Item = u32>,
        ignored: MaterialSet,
    ) -> Option<(Handle, Sweep)> {
        let other_at = |index: u32| Some((index, self.body(index).placed().without_materials(ignored)?));
        let (near, others): (Vec<u32>, Vec<InWay<'_>>) = near
            .filter_map(other_at)
            .map(|(index, other)| (index, InWay { own: moving.model(), other }))
            .unzip();
        let is_free = |lifted: &Placed<'_>| !others.iter().any(|in_way| lifted.intersects(&in_way.other));
        let all = sweep_all(*moving, motion, &others, options, is_free, |placed, motion, other| {
            placed.sweep_with(motion, other, options)
        });
        let mut found = near.into_iter().zip(all.sweeps);
        if all.wedged {
            // By whatever it would slide along.
            let (index, sweep) = found.find(|(_, sweep)| slides(sweep))?;
            let hit = sweep.hit.filter(|_| sweep.wedged);
            let world_from_moving = *moving.placement();
            let status = SweepStatus::Hit;
            let stays =
                Sweep { status, fraction: 0.0, world_from_moving, hit, lift: None, wedged: true, ..sweep };
            return Some((self.bodies.handle(index), stays));
        }
        let stops = found.filter(|(_, sweep)| sweep.status != SweepStatus::Clear);
        let (index, sweep) =
            stops.reduce(|first, next| if next.1.fraction < first.1.fraction { next } else { first })?;
        Some((self.bodies.handle(index), Sweep { lift: all.lift.or(sweep.lift), ..sweep }))
    }

    /// The bodies that a volume touches, in order.
    pub fn touching(&self, volume: &Volume, mut accept: impl FnMut(Handle, &Body) -> bool) -> Vec<Handle> {
        let mut near = Vec::new();
        self.broad.overlapping(&volume.bounds(), &mut near);
        let touched = near.into_iter().filter_map(|index| {
            let (handle, body) = (self.bodies.handle(index), self.body(index));
            (accept(handle, body) && body.placed().touches(volume)).then_some(handle)
        });
        touched.collect()
    }

    /// The bodies that intersect a placed model that is not in the world, in order.
    pub fn meeting(&self, placed: &Placed<'_>, mut accept: impl FnMut(Handle, &Body) -> bool) -> Vec<Handle> {
        let mut near = Vec::new();
        self.broad.overlapping(&placed.bounds(), &mut near);
        let met = near.into_iter().filter_map(|index| {
            let (handle, body) = (self.bodies.handle(index), self.body(index));
            (accept(handle, body) && placed.intersects(&body.placed())).then_some(handle)
        });
        met.collect()
    }

    /// The body that is nearest to another, no farther than `at_most`; of several, the least. Faces of [materials that one ignores](Body::ignoring_materials) do not count. Of the closest points, `a` is on the body
    /// that was asked about.
    #[doc(alias = "closest")]
    pub fn nearest(
        &self,
        to: Handle,
        at_most: f64,
        mut accept: impl FnMut(Handle, &Body) -> bool,
    ) -> Result<Option<(Handle, Distance)>, WorldError> {
        let to_body = self.get(to)?;
        let placed = to_body.placed();
        let bounds = grown(placed.bounds(), at_most.max(0.0));
        let mut near = Vec::new();
        self.broad.overlapping(&bounds, &mut near);
        // The nearest boxes first: their bodies make the search short.
        let mut near: Vec<(f64, u32)> = near
            .into_iter()
            .filter(|&index| index != to.index)
            .map(|index| (placed.bounds().distance_squared(&self.body(index).placed().bounds()), index))
            .collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut best: Option<(Handle, Distance)> = None;
        for (square, index) in near {
            let limit = best.as_ref().map_or(at_most, |(_, best)| best.distance);
            if square > limit * limit * (1.0 + 1e-12) {
                break;
            }
            let (handle, body) = (self.bodies.handle(index), self.body(index));
            if !accept(handle, body) {
                continue;
            }
            let Some((own, other)) = to_body.placed_for(body).zip(body.placed_for(to_body)) else { continue };
            if let Some(distance) = own.distance_within(&other, limit)
                && best.as_ref().is_none_or(|best| (distance.distance, handle) < (best.1.distance, best.0))
            {
                best = Some((handle, distance));
            }
        }
        Ok(best)
    }

    /// All contacts of two bodies within a distance, for a physics solver, without faces of [materials that one ignores](Body::ignoring_materials);
    /// see [`Placed::contacts`].
    pub fn contacts_between(&self, a: Handle, b: Handle, within: f64) -> Result<Vec<Contact>, WorldError> {
        let (a, b) = (self.get(a)?, self.get(b)?);
        let both = a.placed_for(b).zip(b.placed_for(a));
        Ok(both.map_or_else(Vec::new, |(a, b)| a.contacts(&b, within)))
    }

    /// Whether nothing stands between two points: quicker than asking what.
    #[doc(alias = "line_of_sight")]
    pub fn sees(
        &self,
        from: DVec3,
        to: DVec3,
        mut accept: impl FnMut(Handle, &Body) -> bool,
    ) -> Result<bool, RayError> {
        let ray = Ray::segment(from, to)?;
        let mut along = self.along(&ray).found.into_iter();
        Ok(!along.any(|(_, index)| {
            let (handle, body) = (self.bodies.handle(index), self.body(index));
            accept(handle, body) && body.placed().hits_ray(&ray)
        }))
    }
}
