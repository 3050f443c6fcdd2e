//! Contacts: the places where two placed models touch or nearly touch (van Waveren 2005, §2.6), within a distance, in every direction.
//!
//! `docs/math/contacts.md` says which pairs of features make a contact.

mod answer;
mod features;
mod pair;
mod reduce;
mod search;
mod side;
mod touching;

pub use answer::{Contact, ContactId, ContactOptions};
pub use pair::{contacts, contacts_counted};
pub use reduce::reduce;
