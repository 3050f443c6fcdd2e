//! Values made once, and values behind a lock: both only as long as the pool is not entered.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::held::hold;

/// A value that is made when it is first asked for, once, by the thread that asks: making it must not enter the pool. To
/// make it with all threads, make it first, and [offer](Self::offer) it.
#[derive(Clone, Debug)]
pub struct Lazy<T>(OnceLock<T>);

impl<T> Default for Lazy<T> {
    fn default() -> Lazy<T> {
        Lazy::new()
    }
}

impl<T> Lazy<T> {
    /// A value that has not been made.
    pub const fn new() -> Lazy<T> {
        Lazy(OnceLock::new())
    }

    /// The value, if it was made.
    #[inline]
    pub fn get(&self) -> Option<&T> {
        self.0.get()
    }

    /// The value, made now if it was not. Other threads that ask wait meanwhile.
    #[inline]
    pub fn get_or_make(&self, make: impl FnOnce() -> T) -> &T {
        self.0.get_or_init(|| {
            let _held = hold();
            make()
        })
    }

    /// Takes a value that was made outside, unless there is one already.
    pub fn offer(&self, value: T) {
        let _ = self.0.set(value);
    }

    /// Takes the value out, if it has been made.
    pub fn take(&mut self) -> Option<T> {
        self.0.take()
    }
}

/// A value that one thread at a time works with. The work must not enter the pool.
#[derive(Debug, Default)]
pub struct Lock<T>(Mutex<T>);

impl<T> Lock<T> {
    /// Calls `work` with the value, locked.
    pub fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let _held = hold();
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The value, without locking.
    pub fn get_mut(&mut self) -> &mut T {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Clone> Clone for Lock<T> {
    fn clone(&self) -> Lock<T> {
        Lock(Mutex::new(self.with(|value| value.clone())))
    }
}
