//! Many placements of B, or many motions, answered on all cores and reported in their order.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use impinge::Placement;
use impinge_report::terminal::{self, Error, Output, Status};
use indicatif::ProgressBar;
use rayon::iter::{ParallelBridge, ParallelIterator};

use crate::input::Subject;
use crate::{placement, rows};

/// Answers that may wait to be printed, so that a slow reader does not fill the memory.
const WAITING: usize = 256;

/// A row of the file of poses.
pub(crate) struct Pose {
    line: usize,
    pub(crate) world_from_b: Placement,
}

/// Reads the placements of B, all of them before the first answer.
pub(crate) fn read_poses(file: &Path) -> Result<Vec<Pose>, Error> {
    let pose = |row: rows::Row| match placement::of_matrix(&row.numbers) {
        Ok(world_from_b) => Ok(Pose { line: row.line, world_from_b }),
        Err(reason) => Err(Error::row(file, row.line, reason)),
    };
    rows::read(file)?.into_iter().map(pose).collect()
}

/// Checks that no pose carries the model out of the range of numbers.
pub(crate) fn check_range(file: &Path, poses: &[Pose], b: &Subject) -> Result<(), Error> {
    poses.iter().try_for_each(|pose| {
        let in_line = |reason| Error::row(file, pose.line, reason);
        placement::check_range(&b.model.at(pose.world_from_b)).map_err(in_line)
    })
}

/// A question that is asked of many placements or motions.
pub(crate) trait Batch: Sync {
    /// What it is asked of, and how many of those are called.
    type Item: Sync;
    const ITEMS: &'static str;
    /// The answer for one of them.
    type Finding: Send;
    /// Makes ready what all answers need, on all cores.
    fn prepare(&self);
    fn answer(&self, item: &Self::Item) -> Self::Finding;
    fn status(finding: &Self::Finding) -> Status;
    /// Prints the answer of item `index` of `count` in one line.
    fn print(
        &self,
        finding: &Self::Finding,
        index: usize,
        count: usize,
        output: &mut Output,
    ) -> Result<(), Error>;
}

/// Answers all of them, each as soon as all before it are printed.
pub(crate) fn run<B: Batch>(batch: &B, items: &[B::Item], output: &mut Output) -> Result<Status, Error> {
    batch.prepare();
    let bar = progress(items.len(), B::ITEMS);
    let (sender, receiver) = sync_channel(WAITING);
    let status = thread::scope(|scope| {
        scope.spawn(move || {
            // Handed out one after the other, so that the first answers are there first. The receiver goes away
            // when nobody reads the output any more: no reason to go on.
            let _ = items
                .iter()
                .enumerate()
                .par_bridge()
                .try_for_each(|(index, item)| sender.send((index, batch.answer(item))));
        });
        print(batch, items.len(), receiver, output, &bar)
    });
    bar.finish_and_clear();
    status
}

/// Prints answers in order. The receiver is gone when this ends early, and that stops the search.
fn print<B: Batch>(
    batch: &B,
    count: usize,
    receiver: Receiver<(usize, B::Finding)>,
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
            if B::status(&finding) == Status::Found {
                status = Status::Found;
            }
            let mut print = || {
                batch.print(&finding, next, count, output)?;
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

/// A bar that counts items.
pub(crate) fn progress(count: usize, items: &str) -> ProgressBar {
    terminal::progress_with(count, &format!("{{wide_bar}} {{pos}}/{{len}} {items}, {{eta}} left"))
}
