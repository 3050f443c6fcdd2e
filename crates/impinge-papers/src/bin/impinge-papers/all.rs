//! `impinge-papers all`: every experiment, one after the other.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, Parser};
use impinge_report::terminal::{Error, Output, Status, note};

use crate::results::prepare;
use crate::{Cli, PROGRAM};

const EXAMPLES: &str = "\
Examples:
  impinge-papers all --quick
  impinge-papers all --out results > results.txt

Every experiment prints its tables, and writes its files to a folder of its own within the given one. On a terminal, stderr has a line for each that \
begins. One that fails ends the run.

Exit status: 0 measured and written, 1 an interpenetration in the arena, 2 error.";

/// Run every experiment, one after the other
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct AllArgs {
    /// Small and few things to measure: a minute
    #[arg(long)]
    quick: bool,

    /// The folder for the folders of all experiments; made where there is none
    #[arg(long, value_name = "FOLDER", default_value = "target/papers")]
    out: PathBuf,
}

/// An experiment: its name, what it is given for a quick run, and the option with what it writes, in its folder.
struct Entry {
    name: &'static str,
    quick: &'static [&'static str],
    out: (&'static str, &'static str),
}

const OUT: (&str, &str) = ("--out", "");

const ENTRIES: &[Entry] = &[
    Entry { name: "dop-tree", quick: &["--quick"], out: OUT },
    Entry { name: "rays", quick: &["--quick"], out: OUT },
    Entry { name: "semantics", quick: &["--quick"], out: OUT },
    Entry { name: "broad", quick: &["--quick"], out: OUT },
    Entry { name: "volumes", quick: &["--quick"], out: OUT },
    Entry { name: "triangles", quick: &["--quick"], out: OUT },
    Entry { name: "sweep", quick: &["--quick"], out: OUT },
    // A script that takes some seconds, however it is played.
    Entry { name: "filters", quick: &[], out: OUT },
    Entry { name: "world", quick: &["--quick"], out: OUT },
    #[cfg(feature = "image")]
    Entry { name: "image", quick: &["--quick"], out: OUT },
    Entry {
        name: "arena",
        quick: &["--players", "4", "--objects", "40", "--seconds", "5"],
        out: ("--report", "arena.html"),
    },
];

pub(crate) fn run(arguments: &AllArgs, output: &mut Output) -> Result<Status, Error> {
    // Known before the long work, not after it.
    prepare(&arguments.out)?;
    let mut status = Status::Nothing;
    let start = Instant::now();
    for (number, entry) in ENTRIES.iter().enumerate() {
        let seconds = start.elapsed().as_secs_f64();
        note(PROGRAM, &format!("{} of {}: {}, after {seconds:.0} s", number + 1, ENTRIES.len(), entry.name));
        output.print(&format!("{}{}\n\n", if number == 0 { "" } else { "\n" }, entry.name))?;
        // The arena writes a file to where it is told, and makes no folder.
        prepare(&arguments.out.join(entry.name))?;
        let cli = Cli::try_parse_from(command_line(entry, arguments.quick, &arguments.out))?;
        if crate::run(&cli.name, output)? == Status::Found {
            status = Status::Found;
        }
        output.flush()?;
        if output.is_closed() {
            break;
        }
    }
    Ok(status)
}

/// The command line of one experiment.
fn command_line(entry: &Entry, quick: bool, out: &Path) -> Vec<std::ffi::OsString> {
    let mut words = vec![PROGRAM.into(), entry.name.into()];
    if quick {
        words.extend(entry.quick.iter().map(Into::into));
    }
    let folder = out.join(entry.name);
    let (option, file) = entry.out;
    words.push(option.into());
    words.push(if file.is_empty() { folder.into() } else { folder.join(file).into() });
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn every_experiment_is_run_and_understands_its_options() {
        let command = Cli::command();
        let mut names: Vec<&str> =
            command.get_subcommands().map(clap::Command::get_name).filter(|name| *name != "all").collect();
        let mut entries: Vec<&str> = ENTRIES.iter().map(|entry| entry.name).collect();
        names.sort_unstable();
        entries.sort_unstable();
        assert_eq!(entries, names);
        for entry in ENTRIES {
            for quick in [false, true] {
                let line = command_line(entry, quick, Path::new("results"));
                assert!(Cli::try_parse_from(&line).is_ok(), "{line:?}");
            }
        }
    }
}
