//! What all questions about two models share: the canonical frame, the faces in it, and the counts of work.

pub(crate) mod facet_set;
pub(crate) mod invariants;
pub(crate) mod frame;
pub(crate) mod stats;
pub(crate) mod surface;
