//! `impinge-papers all`: every experiment, one after the other.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, Parser};
use impinge_papers::comparison::{Comparison, Comparisons};
use impinge_report::terminal::{Error, Output, Status, note};
use impinge_report::text::visible;

use crate::results::{prepare, write_comparisons};
use crate::{Cli, PROGRAM};

const EXAMPLES: &str = "\
Examples:
  impinge-papers all --quick
  impinge-papers all --out results > results.txt
  impinge-papers all --level map.obj --models folder-with-cow-and-bunny

Every experiment prints its tables, and writes its files to a folder of its own within the given one. At the end is a table of the figures that the \
papers print, beside ours; comparisons.json has the same, with why they differ. On a terminal, stderr has a line for each that \
begins. One that fails ends the run.

Exit status: 0 measured and written, 1 an interpenetration in the arena, 2 error.";

/// Run every experiment, one after the other
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct AllArgs {
    /// Small and few things to measure: a few minutes
    #[arg(long)]
    quick: bool,

    /// A level of convex brushes for `sweep`, one group of faces a brush
    #[arg(long, value_name = "FILE")]
    level: Option<PathBuf>,

    /// A folder with cow.obj and stanford-bunny.obj for `semantics`
    #[arg(long, value_name = "FOLDER")]
    models: Option<PathBuf>,

    /// The folder for the folders of all experiments; made where there is none
    #[arg(long, value_name = "FOLDER", default_value = "target/papers")]
    out: PathBuf,
}

/// An experiment: its name, its folder, what it is always given and what for a quick run, and the option with what it writes, in its folder.
struct Entry {
    name: &'static str,
    folder: &'static str,
    always: &'static [&'static str],
    quick: &'static [&'static str],
    out: (&'static str, &'static str),
}

const OUT: (&str, &str) = ("--out", "");

/// An experiment that knows `--quick`.
const fn usual(name: &'static str) -> Entry {
    Entry { name, folder: name, always: &[], quick: &["--quick"], out: OUT }
}

const GAME: Entry = Entry {
    name: "arena",
    folder: "arena",
    always: &[],
    quick: &["--players", "4", "--objects", "40", "--seconds", "5"],
    out: ("--report", "arena.html"),
};

const ENTRIES: &[Entry] = &[
    usual("dop-tree"),
    usual("rays"),
    usual("semantics"),
    usual("broad"),
    usual("volumes"),
    usual("triangles"),
    usual("sweep"),
    // A script that takes some seconds, however it is played.
    Entry { quick: &[], ..usual("filters") },
    usual("world"),
    #[cfg(feature = "image")]
    usual("image"),
    GAME,
    Entry { folder: "arena-as-published", always: &["--as-published"], ..GAME },
];

pub(crate) fn run(arguments: &AllArgs, output: &mut Output) -> Result<Status, Error> {
    // Known before the long work, not after it.
    prepare(&arguments.out)?;
    let mut status = Status::Nothing;
    let start = Instant::now();
    for (number, entry) in ENTRIES.iter().enumerate() {
        let seconds = start.elapsed().as_secs_f64();
        note(
            PROGRAM,
            &format!("{} of {}: {}, after {seconds:.0} s", number + 1, ENTRIES.len(), entry.folder),
        );
        output.print(&format!("{}{}\n\n", if number == 0 { "" } else { "\n" }, entry.folder))?;
        // The arena writes a file to where it is told, and makes no folder.
        prepare(&arguments.out.join(entry.folder))?;
        let cli = Cli::try_parse_from(command_line(entry, arguments))?;
        if crate::run(&cli.name, output)? == Status::Found {
            status = Status::Found;
        }
        output.flush()?;
        if output.is_closed() {
            return Ok(status);
        }
    }
    let compared = Comparisons::new(arguments.quick, gathered(&arguments.out)?);
    output.print(&format!("\nThe papers' figures beside ours\n\n{}", compared.table()))?;
    let file = write_comparisons(&arguments.out, arguments.quick, compared.comparisons)?;
    output.print(
        &file.map_or(String::new(), |file| format!("\nwrote {}\n", visible(&file.display().to_string()))),
    )?;
    Ok(status)
}

/// The comparisons that the experiments have written.
fn gathered(out: &Path) -> Result<Vec<Comparison>, Error> {
    let mut all = Vec::new();
    for entry in ENTRIES {
        let file = out.join(entry.folder).join(Comparisons::FILE);
        match fs::read(&file) {
            Ok(bytes) => {
                let read: Comparisons =
                    serde_json::from_slice(&bytes).map_err(|error| Error::file(&file, error.to_string()))?;
                all.extend(read.comparisons);
            }
            // Not every experiment is of a paper's figure.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(Error::file(&file, error.to_string())),
        }
    }
    Ok(all)
}

/// The command line of one experiment.
fn command_line(entry: &Entry, arguments: &AllArgs) -> Vec<OsString> {
    let mut words: Vec<OsString> = vec![PROGRAM.into(), entry.name.into()];
    words.extend(entry.always.iter().map(Into::into));
    if arguments.quick {
        words.extend(entry.quick.iter().map(Into::into));
    }
    let folder = arguments.out.join(entry.folder);
    match (entry.name, &arguments.level, &arguments.models) {
        ("sweep", Some(level), _) => words.extend(["--level".into(), level.into()]),
        ("semantics", _, Some(models)) => words.extend(["--models".into(), models.into()]),
        ("arena", ..) => words.extend(["--compare".into(), folder.clone().into()]),
        _ => {}
    }
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
        entries.dedup();
        assert_eq!(entries, names);
        for entry in ENTRIES {
            for quick in [false, true] {
                let given = Some(PathBuf::from("given"));
                let arguments =
                    AllArgs { quick, level: given.clone(), models: given, out: PathBuf::from("results") };
                let line = command_line(entry, &arguments);
                assert!(Cli::try_parse_from(&line).is_ok(), "{line:?}");
            }
        }
    }
}
