//! Signs of life on stderr, where that is a terminal.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::error::say;

/// Says one line on stderr, where that is a terminal: how far a long run has come.
pub fn note(program: &str, message: &str) {
    if io::stderr().is_terminal() {
        say(program, message);
    }
}

/// A bar with a message and the time that is left; hidden where stderr is no terminal.
pub fn progress(count: usize) -> ProgressBar {
    progress_with(count, "{wide_bar} {msg}, {eta} left")
}

/// A bar of a template of indicatif's; hidden where stderr is no terminal.
pub fn progress_with(count: usize, template: &str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(count as u64);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

/// Does something that may take long, with a spinner beside the message.
pub fn with_spinner<T>(message: String, work: impl FnOnce() -> T) -> T {
    if !io::stderr().is_terminal() {
        return work();
    }
    let spinner = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
        spinner.set_style(style);
    }
    spinner.set_message(message);
    spinner.enable_steady_tick(Duration::from_millis(150));
    let result = work();
    spinner.finish_and_clear();
    result
}
