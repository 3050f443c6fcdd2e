//! Many placements of B, answered on all cores and reported in their order.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use rayon::iter::{ParallelBridge, ParallelIterator};

use super::finding::Finding;
use super::{Pose, Question, text};
use crate::error::{Error, Status};
use crate::output::Output;

/// Answers that may wait to be printed, so that a slow reader does not fill the memory.
const WAITING: usize = 256;

/// Answers all poses, each as soon as all before it are printed.
pub(super) fn run(question: &Question<'_>, poses: &[Pose], output: &mut Output) -> Result<Status, Error> {
    let bar = progress(poses.len());
    let (sender, receiver) = sync_channel(WAITING);
    let status = thread::scope(|scope| {
        scope.spawn(move || {
            // Handed out one after the other, so that the first answers are there first. The receiver goes away
            // when nobody reads the output any more: no reason to go on.
            let _ = poses
                .iter()
                .enumerate()
                .par_bridge()
                .try_for_each(|(index, pose)| sender.send((index, question.answer(pose.world_from_b))));
        });
        print(question, poses.len(), receiver, output, &bar)
    });
    bar.finish_and_clear();
    status
}

/// Prints answers in order. The receiver is gone when this ends early, and that stops the search.
fn print(
    question: &Question<'_>,
    count: usize,
    receiver: Receiver<(usize, Finding)>,
    output: &mut Output,
    bar: &ProgressBar,
) -> Result<Status, Error> {
    let on_terminal = io::stdout().is_terminal();
    let mut status = Status::Nothing;
    let mut early = BTreeMap::new();
    let mut next = 0;
    for (index, finding) in receiver {
        early.insert(index, finding);
        while let Some(finding) = early.remove(&next) {
            if finding.status() == Status::Found {
                status = Status::Found;
            }
            let mut print = || {
                if question.json {
                    output.json(&finding.document(question, Some(next)))?;
                } else {
                    output.print(&text::row(&finding, question, next, count))?;
                }
                // People want to see each line when it is there, and not in the middle of the bar.
                if on_terminal { output.flush() } else { Ok(()) }
            };
            let printed = if on_terminal { bar.suspend(print) } else { print() };
            printed?;
            bar.inc(1);
            next += 1;
            if output.is_closed() {
                return Ok(status);
            }
        }
    }
    Ok(status)
}

/// A bar on stderr, where that is a terminal.
fn progress(count: usize) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(count as u64);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} poses, {eta} left") {
        bar.set_style(style);
    }
    bar
}

/// Does something that may take long, with a sign of life on stderr, where that is a terminal.
pub(super) fn with_spinner<T>(question: &Question<'_>, work: impl FnOnce() -> T) -> T {
    if !io::stderr().is_terminal() {
        return work();
    }
    let spinner = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
        spinner.set_style(style);
    }
    spinner.set_message(format!("checking {} against {}", question.a.name, question.b.name));
    spinner.enable_steady_tick(Duration::from_millis(150));
    let result = work();
    spinner.finish_and_clear();
    result
}
