//! How many cases the long tests have.
//!
//! `IMPINGE_SHARE=10` makes it a tenth of them, as the plain test command does.

/// A number that the environment gives.
pub(crate) fn asked(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

/// So many cases in debug, and in release the share that is asked for, in percent.
pub(crate) fn share(in_debug: u64, in_release: u64) -> u64 {
    if cfg!(debug_assertions) {
        return in_debug;
    }
    (in_release * asked("IMPINGE_SHARE").unwrap_or(100)).div_ceil(100)
}
