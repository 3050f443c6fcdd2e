//! Contacts: the places where two placed models touch or nearly touch (van Waveren 2005, §2.6), within a distance, in every direction.
//!
//! `docs/math/contacts.md` says which pairs of features make a contact.

mod answer;
mod batch;
mod features;
mod overlapping;
mod pair;
mod reduce;
mod search;
mod side;
mod touching;

pub use answer::{Contact, ContactId, ContactOptions};
pub use pair::contacts_counted;

use super::intersect::cores_intersect;
use super::scratch::{Scratch, with_scratch};
use crate::mesh::MaterialSet;
use crate::model::Placed;
use overlapping::overlapping;

impl Placed<'_> {
    /// All contacts of the two models within a distance: where they touch or nearly touch; see [`contacts_with`](Self::contacts_with).
    ///
    /// ```
    /// use impinge::{Model, Trs, shapes};
    ///
    /// let floor = Model::new(shapes::cuboid([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0])?);
    /// let crate_ = Model::new(shapes::cuboid([-0.5, -0.5, 0.0], [0.5, 0.5, 1.0])?);
    /// let standing = crate_.at(Trs::translation([1.0, 2.0, 0.001])?);
    /// let contacts = standing.contacts(&floor.at(Trs::IDENTITY), 0.01);
    /// assert_eq!(contacts.len(), 4);
    /// for contact in contacts {
    ///     assert_eq!(contact.normal, [0.0, 0.0, -1.0].into());
    ///     assert!((contact.distance - 0.001).abs() < 1e-12);
    ///     println!("{} stands on {}", contact.feature_a, contact.feature_b);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "manifold")]
    pub fn contacts(&self, other: &Placed<'_>, within: f64) -> Vec<Contact> {
        self.contacts_with(other, ContactOptions::new().within(within))
    }

    /// Finds all contacts of the two models within a distance, in ascending order of their [ids](Contact::id). Nothing but the
    /// list is allocated.
    ///
    /// A contact is a perpendicular that stands on both surfaces:
    /// - a vertex over the inside of a face;
    /// - a vertex beside an edge or another vertex, where that is the nearest point of the faces around it. Over an edge that two
    ///   faces share, a vertex has one contact, with the edge; in a hollow between two faces it has one with each face;
    /// - two edges that cross, with both feet inside of the edges.
    ///
    /// A solid is touched from outside only. A feature makes no contact where one of its own faces leads towards the other
    /// model ([`CONTACT_SHELTER`](crate::tolerance::CONTACT_SHELTER)), nor where its surface is flat or hollow around it:
    /// other features of the same model are as near. So the closest points of two models that are clear of each other are among their
    /// contacts.
    ///
    /// Models that overlap have the contacts that they have where a short translation of one, no longer than the [`depth`](ContactOptions::depth), has just
    /// ended the overlap. Their distances are those after the translation less how far it
    /// leads along the normal: negative for all that touches after it. One of the points is on the surface of its model; the other is on the other's surface where translation and normal are parallel, and as
    /// far beside it as they are not. The translation is the one that [`separating_translation`](Self::separating_translation) finds. At a depth of 0, distances
    /// are never below 0, and features that have passed through the other model's surface make no contact. What is no farther than
    /// [`DISTANCE_ABSOLUTE`](crate::tolerance::DISTANCE_ABSOLUTE) of the pair's extent counts as touching: distance 0, with a normal that comes from the faces
    /// around the two features. Positions and normals are rounded; the plane of a needle, and so what is over it, is only as
    /// certain as its width is against the rounding of its corners.
    ///
    /// Rounded models have the contacts of their cores, moved to where their balls end: with a negative distance where the balls overlap and the cores do
    /// not, whatever the depth.
    ///
    /// A polygon that is not flat makes contacts like the triangles of its fan, but the creases between those make none. A
    /// distance that is negative or not a number has no contacts.
    pub fn contacts_with(&self, other: &Placed<'_>, options: ContactOptions) -> Vec<Contact> {
        with_scratch(|scratch| self.contacts_in(other, options, scratch))
    }

    /// [`contacts_with`](Self::contacts_with) in memory of the caller's.
    pub fn contacts_in(
        &self,
        other: &Placed<'_>,
        options: ContactOptions,
        scratch: &mut Scratch,
    ) -> Vec<Contact> {
        if !options.ignored_materials.is_empty() {
            let left = [self, other].map(|placed| placed.without_materials(options.ignored_materials));
            let options = options.ignored_materials(MaterialSet::NONE);
            let [Some(own), Some(other)] = left else { return Vec::new() };
            return own.contacts_in(&other, options, scratch);
        }
        if options.depth > 0.0
            && options.within >= 0.0
            && cores_intersect(self, other, scratch)
            && let Some(contacts) = overlapping(self, other, options, scratch)
        {
            return contacts;
        }
        contacts_counted(self, other, options, scratch).0
    }
}
