//! Whether an answer is still wanted: what may take long asks now and then, and gives up where it is not.

use std::cell::Cell;

use impinge_core::parallel::released;

/// How long somebody waits for an answer.
///
/// What may take long asks [`is_over`](Self::is_over) in its loops. Once that was so, what it returns means nothing, and whoever called it finds
/// that it [gave up](Self::gave_up).
pub(crate) struct Patience<'f> {
    goes_on: Option<&'f dyn Fn() -> bool>,
    asked: Cell<u32>,
    gave_up: Cell<bool>,
}

/// Of so many questions one is passed on, because that takes longer than a step of a loop.
const OFTEN: u32 = 256;

impl<'f> Patience<'f> {
    /// Patience as long as somebody says so.
    pub(crate) fn new(goes_on: &'f dyn Fn() -> bool) -> Patience<'f> {
        Patience { goes_on: Some(goes_on), ..Patience::endless() }
    }

    /// Patience for whatever it takes.
    pub(crate) const fn endless() -> Patience<'static> {
        Patience { goes_on: None, asked: Cell::new(0), gave_up: Cell::new(false) }
    }

    /// Whether nobody wants the answer any more.
    pub(crate) fn is_over(&self) -> bool {
        let asked = self.asked.get().wrapping_add(1);
        self.asked.set(asked);
        if asked.is_multiple_of(OFTEN) { self.is_over_now() } else { self.gave_up.get() }
    }

    /// Whether nobody wants the answer any more, for steps that take long themselves.
    pub(crate) fn is_over_now(&self) -> bool {
        if let (Some(goes_on), false) = (self.goes_on, self.gave_up.get()) {
            self.gave_up.set(!released(goes_on));
        }
        self.gave_up.get()
    }

    /// Whether anything was given up.
    pub(crate) fn gave_up(&self) -> bool {
        self.gave_up.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_not_asked_for_gives_up() {
        let wanted = Cell::new(true);
        let goes_on = || wanted.get();
        let patience = Patience::new(&goes_on);
        assert!((0..10 * OFTEN).all(|_| !patience.is_over()));
        wanted.set(false);
        assert!(!patience.gave_up());
        assert_eq!((0..10 * OFTEN).filter(|_| !patience.is_over()).count(), OFTEN as usize - 1);
        // Who gave up does not begin again.
        wanted.set(true);
        assert!(patience.is_over() && patience.gave_up());
        let endless = Patience::endless();
        assert!((0..10 * OFTEN).all(|_| !endless.is_over()) && !endless.gave_up());
    }
}
