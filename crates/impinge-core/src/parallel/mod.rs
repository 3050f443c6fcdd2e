//! Threads: every entry of the library into the thread pool, what nobody may hold meanwhile, and what is made only once.
//!
//! A worker that waits inside of the pool runs whatever job comes next, on the same thread. If it held a lock, or
//! memory that the thread shares, that job could ask for it again: a deadlock or a panic. So whoever is in the pool
//! holds nothing: what is made lazily is made by one thread, scratch is taken out of its place, and builds with debug assertions
//! check every entry. No other module of the library uses `rayon`, locks or `RefCell`; `cargo xtask layers` sees to it.

mod held;
mod lazy;
mod pool;

pub use held::{hold, released};
pub use lazy::{Lazy, Lock};
#[cfg(test)]
pub(crate) use pool::with_threads;
pub use pool::{
    for_each_chunk, for_each_mut, join, map, map_chunks, map_indices, map_into, map_with, may_share,
    thread_count,
};
