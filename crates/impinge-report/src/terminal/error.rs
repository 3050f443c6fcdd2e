//! What can go wrong, said in one line on stderr, and the exit status.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::error::ErrorKind;

use super::output::Output;
use crate::text::visible;

/// The exit status of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// There was nothing to find.
    Nothing,
    /// Something was found.
    Found,
    /// Something went wrong, and was said on stderr.
    Failed,
    /// The user ended it; what was found by then was written.
    Interrupted,
}

impl Status {
    /// The number that the process ends with.
    pub fn code(self) -> u8 {
        match self {
            Status::Nothing => 0,
            Status::Found => 1,
            Status::Failed => 2,
            Status::Interrupted => 130,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status.code())
    }
}

/// Why a command stopped, in one line that names the file, the line or the option.
///
/// Every error becomes one by `?`.
#[derive(Debug)]
pub struct Error(String);

// No `std::error::Error` itself: then this would be its own `From`.
impl<E: std::error::Error> From<E> for Error {
    fn from(error: E) -> Error {
        Error(error.to_string())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error {
    /// An option, or what else the user named, and what is wrong with it.
    pub fn option(option: impl fmt::Display, reason: impl fmt::Display) -> Error {
        Error(format!("{option}: {reason}"))
    }

    /// A file, and what is wrong with it.
    pub fn file(file: impl AsRef<Path>, reason: impl fmt::Display) -> Error {
        Error(format!("{}: {reason}", file.as_ref().display()))
    }

    /// A line of a file, counted from 1, and what is wrong with it.
    pub fn row(file: impl AsRef<Path>, line: usize, reason: impl fmt::Display) -> Error {
        Error(format!("{}: line {line}: {reason}", file.as_ref().display()))
    }

    /// A file that cannot be written.
    pub fn unwritable(file: impl AsRef<Path>, error: &io::Error) -> Error {
        Error::file(file, format!("cannot be written: {error}"))
    }

    pub(super) fn output(error: &io::Error) -> Error {
        Error(format!("the output cannot be written: {error}"))
    }
}

/// Runs a command to its end: what it prints is shown, and what went wrong is said in one line that begins with the program's name.
pub fn finish(program: &str, run: impl FnOnce(&mut Output) -> Result<Status, Error>) -> Status {
    let mut output = Output::stdout();
    let done = run(&mut output).and_then(|status| output.finish().map(|()| status));
    done.unwrap_or_else(|failure| {
        say(program, &failure.to_string());
        Status::Failed
    })
}

/// Says why the command line was refused, or prints the help that was asked for.
pub fn usage(program: &str, refusal: &clap::Error) -> Status {
    match refusal.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // A reader that has seen enough closes the pipe.
            let printed = refusal.print().and_then(|()| io::stdout().flush());
            match printed {
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                    say(program, &Error::output(&error).to_string());
                    Status::Failed
                }
                _ => Status::Nothing,
            }
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = refusal.print();
            Status::Failed
        }
        _ => {
            say(program, &one_line(refusal));
            Status::Failed
        }
    }
}

/// Why a command line was refused, in one line.
pub fn one_line(refusal: &clap::Error) -> String {
    in_one_line(&refusal.render().to_string())
}

/// The reason and the tips of a message that goes on with the usage and a hint at the help.
fn in_one_line(message: &str) -> String {
    let mut line = String::new();
    for paragraph in message.split("\n\n").take_while(|text| !text.trim_start().starts_with("Usage:")) {
        let words: Vec<&str> = paragraph.split_whitespace().collect();
        let text = words.join(" ");
        if !text.is_empty() && !text.starts_with("For more information") {
            line += if line.is_empty() { "" } else { "; " };
            line += text.strip_prefix("error: ").unwrap_or(&text);
        }
    }
    line + "; see --help"
}

/// Says one line on stderr, whatever file names are made of. A closed stderr is no reason to panic.
pub fn say(program: &str, message: &str) {
    let _ = writeln!(io::stderr(), "{program}: {}", visible(message));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_becomes_one_line() {
        let message = "error: unexpected argument '--x' found\n\n  tip: a similar argument exists: '--y'\n\n\
                       Usage: impinge check <A> <B>\n\nFor more information, try '--help'.\n";
        let line = "unexpected argument '--x' found; tip: a similar argument exists: '--y'; see --help";
        assert_eq!(in_one_line(message), line);
        let message = "error: required arguments were not provided:\n  <A>\n  <B>\n\nUsage: impinge\n";
        assert_eq!(in_one_line(message), "required arguments were not provided: <A> <B>; see --help");
    }
}
