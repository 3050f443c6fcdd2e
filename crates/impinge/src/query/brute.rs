//! Brute force: every face against every face, exactly. Slow, simple, and the oracle of every faster engine, which must
//! give the same verdicts and the same pairs of faces.

use super::contacts::{self, Contact, ContactAsk};
use super::distance::{self, ClosestPoint, Distance, DistanceAsk};
use super::ray::{Hit, Ray, RayAsk};
use super::search::Scratch;
use super::verdict::{Answer, Ask, Engine};
use crate::model::Placed;
use impinge_core::math::DVec3;

/// [`check`](super::check) by brute force, whatever engine `ask` names.
pub fn check(a: &Placed<'_>, b: &Placed<'_>, ask: Ask) -> Answer {
    super::check(a, b, Ask { engine: Engine::Brute, ..ask }, &mut Scratch::default())
}

/// [`ray::all`](super::ray::all) by brute force: the ray against every face.
pub fn cast_ray_through(placed: &Placed<'_>, ray: &Ray, ask: RayAsk) -> Vec<Hit> {
    super::ray::all_by_trying(placed, ray, ask)
}

/// [`distance`](super::distance()) by brute force, whatever engine `ask` names.
pub fn distance(a: &Placed<'_>, b: &Placed<'_>, ask: DistanceAsk) -> Option<Distance> {
    distance::distance(a, b, DistanceAsk { engine: Engine::Brute, ..ask }, &mut Scratch::default())
}

/// [`closest_point`](super::closest_point) by brute force, with no limit.
pub fn closest_point(placed: &Placed<'_>, point_in_world: DVec3) -> Option<ClosestPoint> {
    distance::closest_by_trying_all(placed, point_in_world)
}

/// [`contacts`](super::contacts()) by brute force, whatever engine `ask` names: the features of every face against those of
/// every other.
pub fn contacts(a: &Placed<'_>, b: &Placed<'_>, ask: ContactAsk) -> Vec<Contact> {
    contacts::contacts(a, b, ContactAsk { engine: Engine::Brute, ..ask }, &mut Scratch::default())
}
