//! Brute force: every face against every face, exactly. Slow, simple, and the oracle of every faster engine, which must
//! give the same verdicts and the same pairs of faces.

use super::contacts::{self, Contact, ContactOptions};
use super::distance::{self, ClosestPoint, Distance, DistanceOptions};
use super::ray::{Hit, Ray, RayOptions};
use super::scratch::Scratch;
use super::verdict::{Engine, IntersectOptions, Intersection};
use crate::model::Placed;
use impinge_core::math::DVec3;

/// [`intersect`](super::intersect) by brute force, whatever engine `options` names.
pub fn intersect(a: &Placed<'_>, b: &Placed<'_>, options: IntersectOptions) -> Intersection {
    super::intersect(a, b, IntersectOptions { engine: Engine::Brute, ..options }, &mut Scratch::default())
}

/// [`ray::all`](super::ray::all) by brute force: the ray against every face.
pub fn cast_ray_all(placed: &Placed<'_>, ray: &Ray, options: RayOptions) -> Vec<Hit> {
    super::ray::all_by_trying(placed, ray, options)
}

/// [`distance`](super::distance()) by brute force, whatever engine `options` names.
pub fn distance(a: &Placed<'_>, b: &Placed<'_>, options: DistanceOptions) -> Option<Distance> {
    distance::distance(a, b, DistanceOptions { engine: Engine::Brute, ..options }, &mut Scratch::default())
}

/// [`closest_point`](super::closest_point) by brute force, with no limit.
pub fn closest_point(placed: &Placed<'_>, point_in_world: DVec3) -> Option<ClosestPoint> {
    distance::closest_by_trying_all(placed, point_in_world)
}

/// [`contacts`](super::contacts()) by brute force, whatever engine `options` names: the features of every face against those of
/// every other.
pub fn contacts(a: &Placed<'_>, b: &Placed<'_>, options: ContactOptions) -> Vec<Contact> {
    contacts::contacts(a, b, ContactOptions { engine: Engine::Brute, ..options }, &mut Scratch::default())
}
