//! Continuous collision detection (CCD), time of impact: when a moving triangle comes within a distance of one that stands still.
//!
//! A direction along which two triangles are apart is a proof of their distance, however it was found: between two times it is
//! followed, and what it proves lasts until a quadratic says otherwise. `docs/math/sweeps.md` derives the bounds.

mod chords;
mod contact_time;
mod line;
mod line_guess;
mod observer;
mod path;
mod separation;
#[cfg(test)]
mod test_pairs;

pub use chords::{Chords, Window};
pub use contact_time::{TrianglePair, parting, stay_apart, time_and_axis_within, time_within};
pub use observer::Observer;
pub use path::{Moment, RigidPath};
pub use separation::{Separation, directions_at_contact, gap_along, separation, separation_of};
