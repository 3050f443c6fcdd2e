//! Memory for what a file holds: where there is not enough, an error and not the end of the process.

use std::collections::TryReserveError;

use crate::error::{Fault, Place, ReadErrorKind};

impl From<TryReserveError> for Fault {
    fn from(_: TryReserveError) -> Fault {
        Fault::new(Place::File, ReadErrorKind::OutOfMemory)
    }
}

/// An empty list with room for so many elements.
pub(crate) fn with_capacity<T>(count: usize) -> Result<Vec<T>, Fault> {
    let mut list = Vec::new();
    list.try_reserve_exact(count)?;
    Ok(list)
}

/// An empty text with room for so many bytes.
pub(crate) fn text_with_capacity(bytes: usize) -> Result<String, Fault> {
    let mut text = String::new();
    text.try_reserve_exact(bytes)?;
    Ok(text)
}

/// Adds an element; the list grows by leaps, as usual.
#[inline]
pub(crate) fn push<T>(list: &mut Vec<T>, element: T) -> Result<(), Fault> {
    if list.len() == list.capacity() {
        list.try_reserve(1)?;
    }
    list.push(element);
    Ok(())
}

/// So many elements in a list.
pub(crate) fn collect<T>(count: usize, elements: impl Iterator<Item = T>) -> Result<Vec<T>, Fault> {
    let mut list = with_capacity(count)?;
    list.extend(elements.take(count));
    Ok(list)
}
