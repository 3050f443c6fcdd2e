//! Scratch for the methods of [`Placed`](crate::Placed): each thread keeps what it has made, so that they allocate nothing in the
//! long run.
//!
//! A query takes scratch out of the thread's store and puts it back when it is done. Nothing is borrowed meanwhile: a visitor of the
//! user's may ask further questions on the same thread, and gets scratch of its own.

use std::cell::Cell;

use super::search::Scratch;
use impinge_core::parallel::hold;

thread_local! {
    /// What no query of this thread is using.
    // Boxed: a scratch is large, and is moved at every query.
    #[allow(clippy::vec_box)]
    static SPARE: Cell<Vec<Box<Scratch>>> = const { Cell::new(Vec::new()) };
}

/// Answers with scratch of this thread's. After a panic it is dropped, not put back: nobody knows what is in it.
#[inline]
pub(super) fn with_scratch<R>(answer: impl FnOnce(&mut Scratch) -> R) -> R {
    let mut scratch = take();
    let result = {
        let _held = hold();
        answer(&mut scratch)
    };
    put_back(scratch);
    result
}

#[inline]
fn take() -> Box<Scratch> {
    // A thread that is ending has no store any more.
    let spare = SPARE.try_with(|spare| {
        let mut list = spare.take();
        let last = list.pop();
        spare.set(list);
        last
    });
    spare.ok().flatten().unwrap_or_default()
}

#[inline]
fn put_back(scratch: Box<Scratch>) {
    let _ = SPARE.try_with(|spare| {
        let mut list = spare.take();
        list.push(scratch);
        spare.set(list);
    });
}
