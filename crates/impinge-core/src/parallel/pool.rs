//! Entries into the pool. Results are in the order of what they are made from, whatever the number of threads; without the feature
//! `parallel`, one thread does it all.

use super::held::assert_nothing_held;
#[cfg(feature = "parallel")]
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Does something in a pool of so many threads; without the feature `parallel`, on this one.
#[cfg(test)]
pub(crate) fn with_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    #[cfg(feature = "parallel")]
    return rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool").install(work);
    #[cfg(not(feature = "parallel"))]
    return (threads, work()).1;
}

/// The number of threads of the pool that this thread would enter.
pub fn thread_count() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    1
}

/// Whether there are other threads to share work with. Checked as an entry, so that the check does not depend on the number
/// of threads.
#[track_caller]
pub fn may_share() -> bool {
    assert_nothing_held();
    thread_count() > 1
}

/// Does two things, at the same time if there is a free thread.
#[track_caller]
pub fn join<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    assert_nothing_held();
    let (mut a, mut b) = (Some(a), Some(b));
    let (mut of_a, mut of_b) = (None, None);
    both(&mut || of_a = a.take().map(|a| a()), &mut || of_b = b.take().map(|b| b()));
    (of_a.expect("both are done"), of_b.expect("both are done"))
}

/// Maps each item to a result.
#[track_caller]
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Send + Sync) -> Vec<R> {
    map_indices(items.len(), 1, || (), |(), index| work(&items[index]))
}

/// Maps each item to a result; the work takes the item.
#[track_caller]
pub fn map_into<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Send + Sync) -> Vec<R> {
    map_with(items, || (), |(), item| work(item))
}

/// Maps each item, which the work takes, to a result; threads that do several keep what `memory` made.
#[track_caller]
pub fn map_with<T: Send, M, R: Send>(
    items: Vec<T>,
    memory: impl Fn() -> M + Send + Sync,
    work: impl Fn(&mut M, T) -> R + Send + Sync,
) -> Vec<R> {
    let items = Taken::new(items);
    map_indices(items.len(), 1, memory, |memory, index| work(memory, items.take(index)))
}

/// Maps each chunk of so many items to a result.
#[track_caller]
pub fn map_chunks<T: Sync, R: Send>(
    items: &[T],
    size: usize,
    work: impl Fn(&[T]) -> R + Send + Sync,
) -> Vec<R> {
    let chunk = |index: usize| &items[index * size..items.len().min((index + 1) * size)];
    map_indices(items.len().div_ceil(size), 1, || (), |(), index| work(chunk(index)))
}

/// Maps each number below `count` to a result, at least `least` of them by one thread, which keeps what `memory` made.
#[track_caller]
pub fn map_indices<M, R: Send>(
    count: usize,
    least: usize,
    memory: impl Fn() -> M + Send + Sync,
    work: impl Fn(&mut M, usize) -> R + Send + Sync,
) -> Vec<R> {
    assert_nothing_held();
    let of_range = |range: Range<usize>| -> Vec<R> {
        let mut memory = memory();
        range.map(|index| work(&mut memory, index)).collect()
    };
    let size = share(count, least);
    if size >= count {
        return of_range(0..count);
    }
    let done = Mutex::new(Vec::with_capacity(count.div_ceil(size)));
    each(count.div_ceil(size), &|share| {
        let results = of_range(share * size..count.min((share + 1) * size));
        done.lock().unwrap_or_else(PoisonError::into_inner).push((share, results));
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|(share, _)| *share);
    let mut all = Vec::with_capacity(count);
    done.into_iter().for_each(|(_, results)| all.extend(results));
    all
}

/// Fills chunk after chunk of one list from those of another.
#[track_caller]
pub fn for_each_chunk<T: Sync, U: Send>(
    from: &[T],
    to: &mut [U],
    size: usize,
    work: impl Fn(&[T], &mut [U]) + Send + Sync,
) {
    assert_nothing_held();
    let chunks = Taken::new(from.chunks(size).zip(to.chunks_mut(size)).collect());
    each(chunks.len(), &|index| {
        let (from, to) = chunks.take(index);
        work(from, to);
    });
}

/// Changes each item, by its number.
#[track_caller]
pub fn for_each_mut<T: Send>(items: &mut [T], work: impl Fn(usize, &mut T) + Send + Sync) {
    assert_nothing_held();
    let items = Taken::new(items.iter_mut().collect());
    each(items.len(), &|index| work(index, items.take(index)));
}

/// Shares of the work that a thread gets at least, so that those which are done early find more.
const SHARES_A_THREAD: usize = 16;

/// The number of items in a share of so many.
fn share(count: usize, least: usize) -> usize {
    let threads = thread_count();
    if threads == 1 { count.max(1) } else { count.div_ceil(SHARES_A_THREAD * threads).max(least).max(1) }
}

/// Items that are taken one by one, from any thread.
struct Taken<T>(Vec<Mutex<Option<T>>>);

impl<T> Taken<T> {
    fn new(items: Vec<T>) -> Taken<T> {
        Taken(items.into_iter().map(|item| Mutex::new(Some(item))).collect())
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn take(&self, index: usize) -> T {
        let mut item = self.0[index].lock().unwrap_or_else(PoisonError::into_inner);
        item.take().expect("each is taken once")
    }
}

// The two doors to the pool. Neither is generic: whatever is generic in rayon would be compiled once for each of its callers, and that was a
// seventh of the library. Alone, a thread stays where it is: entering a pool of one would only hand the work over and wait.

/// Does two things, at the same time if there is a free thread.
fn both(a: &mut (dyn FnMut() + Send), b: &mut (dyn FnMut() + Send)) {
    #[cfg(feature = "parallel")]
    if thread_count() > 1 {
        rayon::join(a, b);
        return;
    }
    a();
    b();
}

/// Does something for each number below `count`, in any order.
fn each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    #[cfg(feature = "parallel")]
    if count > 1 && thread_count() > 1 {
        (0..count).into_par_iter().with_max_len(1).for_each(work);
        return;
    }
    (0..count).for_each(work);
}

#[cfg(test)]
mod tests {
    use super::super::{Lazy, Lock, hold, released};
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// Forgets a result.
    fn done<R>(_: R) {}

    /// Every entry of this file.
    fn entries() -> [(&'static str, fn()); 9] {
        [
            ("may_share", || done(may_share())),
            ("join", || done(join(|| (), || ()))),
            ("map", || done(map(&[1], |n| n + 1))),
            ("map_into", || done(map_into(vec![1], |n| n + 1))),
            ("map_with", || done(map_with(vec![1], || (), |(), n| n + 1))),
            ("map_chunks", || done(map_chunks(&[1], 1, <[i32]>::len))),
            ("map_indices", || done(map_indices(1, 1, || (), |(), n| n))),
            ("for_each_chunk", || for_each_chunk(&[1], &mut [2], 1, |_, _| ())),
            ("for_each_mut", || for_each_mut(&mut [1], |_, _| ())),
        ]
    }

    fn fails(work: impl FnOnce()) -> bool {
        catch_unwind(AssertUnwindSafe(work)).is_err()
    }

    #[test]
    fn entering_the_pool_while_something_is_held_fails_in_debug() {
        for (name, enter) in entries() {
            assert!(!fails(enter), "{name}: nothing is held");
            let held = hold();
            assert_eq!(fails(enter), cfg!(debug_assertions), "{name}: something is held");
            released(|| assert!(!fails(enter), "{name}: what is held is out of reach"));
            assert_eq!(fails(enter), cfg!(debug_assertions), "{name}: held again");
            drop(held);
            assert!(!fails(enter), "{name}: let go");
        }
    }

    #[test]
    fn making_and_locking_hold() {
        let made_in_pool = || done(Lazy::new().get_or_make(|| join(|| 1, || 2)).0);
        assert_eq!(fails(made_in_pool), cfg!(debug_assertions));
        let lock = Lock::<u32>::default();
        let locked_in_pool = || lock.with(|_| done(join(|| 1, || 2)));
        assert_eq!(fails(locked_in_pool), cfg!(debug_assertions));
        assert_eq!(lock.with(|value| *value), 0, "a lock survives who failed with it");
        assert!(!fails(|| done(join(|| 1, || 2))), "failing lets go");
    }

    #[test]
    fn results_are_in_order() {
        let squares: Vec<usize> = (0..1000).map(|n| n * n).collect();
        assert_eq!(map(&(0..1000).collect::<Vec<usize>>(), |n| n * n), squares);
        assert_eq!(map_into((0..1000).collect::<Vec<usize>>(), |n| n * n), squares);
        assert_eq!(map_with((0..1000).collect::<Vec<usize>>(), || 0, |_, n| n * n), squares);
        assert_eq!(map_indices(1000, 7, || 0, |_, n| n * n), squares);
        assert_eq!(map_chunks(&squares, 7, <[usize]>::to_vec).concat(), squares);
        let mut copy = vec![0; 1000];
        for_each_chunk(&squares, &mut copy, 7, |from, to| to.copy_from_slice(from));
        assert_eq!(copy, squares);
        for_each_mut(&mut copy, |index, square| *square -= index * index);
        assert_eq!(copy, [0; 1000]);
    }
}
