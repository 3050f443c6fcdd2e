//! The papers' benchmark protocols and the peers of impinge, in one run.

pub mod peerbench;
