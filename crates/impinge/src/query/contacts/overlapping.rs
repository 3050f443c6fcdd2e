//! Contacts of solids that overlap: those that they have where a short translation has just ended the overlap, moved back.

use super::answer::{Contact, ContactOptions};
use super::pair::contacts_counted;
use crate::model::Placed;
use crate::pair::frame::Frame;
use crate::query::scratch::Scratch;
use crate::query::sweep::{SweepHit, SweepOptions};
use crate::query::verdict::{IntersectOptions, Verdict};
use crate::query::{intersect, intersects};
use impinge_core::math::DVec3;
use impinge_core::transform::Motion;

/// Contacts at the place to which the first body is moved are looked for within so many times what the sweep says of its distance there.
const BOUNDS: f64 = 4.0;

/// The contacts of two models that overlap, with negative distances; `None` where they do not overlap.
pub(super) fn overlapping(
    a: &Placed<'_>,
    b: &Placed<'_>,
    options: ContactOptions,
    scratch: &mut Scratch,
) -> Option<Vec<Contact>> {
    if !intersects(a, b, IntersectOptions::default(), scratch) {
        return None;
    }
    let verdict = intersect(a, b, IntersectOptions::default(), scratch).verdict;
    if matches!(verdict, Verdict::Clear | Verdict::Touching) {
        return None;
    }
    // Always the same of the two is moved, so that swapping them swaps the answer.
    let is_swapped = Frame::of(a, b).host == 1;
    let [first, second] = if is_swapped { [b, a] } else { [a, b] };
    let mut found = moved_apart(first, second, options, scratch).unwrap_or_default();
    if is_swapped {
        found.iter_mut().for_each(|contact| *contact = contact.flipped());
    }
    found.sort_by_key(Contact::id);
    Some(found)
}

/// The contacts of a body that is moved out of another, as they are where it was; none where no translation that is short enough is known.
fn moved_apart(
    first: &Placed<'_>,
    second: &Placed<'_>,
    options: ContactOptions,
    scratch: &mut Scratch,
) -> Option<Vec<Contact>> {
    let apart = first.separation_within(second, options.depth)?;
    // Back again, until they touch: translations are searched for by halving.
    let free = first.model().at(apart.placement);
    let back = Motion::translation(apart.direction * -apart.distance).ok()?;
    let sweep = free.sweep_in(&back, second, SweepOptions::default(), scratch);
    let touching = first.model().at(sweep.world_from_moving);
    let by = touching.placement().world_from_model().translation
        - first.placement().world_from_model().translation;
    let bound = sweep.hit.map_or(0.0, |hit| hit.bound);
    let within = ContactOptions { within: options.within.max(BOUNDS * bound), ..options };
    let (contacts, _) = contacts_counted(&touching, second, within, scratch);
    let leads_back = |contact: &Contact| contact.normal.dot(by) < 0.0;
    let mut moved_back: Vec<Contact> = contacts.into_iter().filter(leads_back).collect();
    if moved_back.is_empty() {
        // Features of a surface that crosses itself may all be sheltered: what stops the body is the contact.
        moved_back.extend(sweep.hit.map(|hit| contact_of(&hit)).filter(leads_back));
    }
    Some(moved_back.into_iter().map(|contact| where_it_was(contact, by)).collect())
}

/// What stops the first body, as a contact.
fn contact_of(hit: &SweepHit) -> Contact {
    let (point_on_a, normal) = (hit.point_on_moving, hit.normal);
    let distance = (hit.point_on_stationary - point_on_a).dot(normal).max(0.0);
    Contact {
        point_on_a,
        point_on_b: point_on_a + normal * distance,
        normal,
        distance,
        feature_a: hit.feature_moving,
        feature_b: hit.feature_stationary,
        material_a: hit.material_moving,
        material_b: hit.material_stationary,
    }
}

/// A contact of a body that was moved by a translation, as it is without that.
fn where_it_was(contact: Contact, by: DVec3) -> Contact {
    let point_on_a = contact.point_on_a - by;
    let distance = contact.distance + contact.normal.dot(by);
    Contact { point_on_a, point_on_b: point_on_a + contact.normal * distance, distance, ..contact }
}
