//! Time that this thread has worked: other programs on the machine take none of it away.

#[cfg(not(unix))]
use std::time::Instant;

#[cfg(unix)]
use rustix::time::{ClockId, Timespec, clock_gettime};

/// A stopwatch for the processor time of the thread that started it; of the wall clock where there is no other.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    #[cfg(unix)]
    start: Timespec,
    #[cfg(not(unix))]
    start: Instant,
}

impl Stopwatch {
    /// Starts now.
    #[cfg(unix)]
    pub fn start() -> Stopwatch {
        Stopwatch { start: clock_gettime(ClockId::ThreadCPUTime) }
    }

    /// How long it has run, in seconds.
    pub fn seconds(&self) -> f64 {
        self.nanoseconds() * 1e-9
    }

    /// How long it has run.
    #[cfg(unix)]
    pub fn nanoseconds(&self) -> f64 {
        let now = clock_gettime(ClockId::ThreadCPUTime);
        (now.tv_sec - self.start.tv_sec) as f64 * 1e9 + (now.tv_nsec - self.start.tv_nsec) as f64
    }

    /// Starts now.
    #[cfg(not(unix))]
    pub fn start() -> Stopwatch {
        Stopwatch { start: Instant::now() }
    }

    /// How long it has run.
    #[cfg(not(unix))]
    pub fn nanoseconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64() * 1e9
    }
}

/// The time in nanoseconds since this was first asked: quick to read, for what is short.
pub(crate) fn nanoseconds() -> u64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed().as_nanos() as u64
}
