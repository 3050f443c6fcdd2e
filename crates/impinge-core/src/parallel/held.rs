//! Resources that a thread holds: scratch, a lock, something half made. Checked where debug assertions are, free elsewhere.

use std::marker::PhantomData;

#[cfg(debug_assertions)]
thread_local! {
    /// How many things this thread holds. Only the check reads it; no answer depends on it.
    static HELD: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
}

/// A guard: something is held as long as it lives, on the thread that made it.
#[must_use]
pub struct Held(PhantomData<*const ()>);

/// Notes that this thread holds something that no job on the same thread may ask for.
#[inline]
pub fn hold() -> Held {
    #[cfg(debug_assertions)]
    change(|held| held + 1);
    Held(PhantomData)
}

impl Drop for Held {
    #[inline]
    fn drop(&mut self) {
        #[cfg(debug_assertions)]
        change(|held| held.saturating_sub(1));
    }
}

/// Runs code of the user's in the middle of a query. It may do what it likes: what the query holds was taken out of its place,
/// so that nobody else can ask for it.
#[inline]
pub fn released<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(debug_assertions)]
    let _again = {
        struct Again(u32);
        impl Drop for Again {
            fn drop(&mut self) {
                change(|_| self.0);
            }
        }
        Again(change(|_| 0))
    };
    work()
}

/// Fails if this thread holds anything: it is about to enter the pool.
#[inline]
#[track_caller]
pub(super) fn assert_nothing_held() {
    #[cfg(debug_assertions)]
    assert!(
        change(|held| held) == 0,
        "entered the thread pool while scratch or a lock is held: a job on the same thread could ask for it"
    );
}

/// Changes the count and returns what it was. A thread that is ending counts nothing.
#[cfg(debug_assertions)]
fn change(to: impl FnOnce(u32) -> u32) -> u32 {
    HELD.try_with(|held| held.replace(to(held.get()))).unwrap_or(0)
}
