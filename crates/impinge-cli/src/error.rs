//! What can go wrong, said in one line on stderr, and the exit status.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::ErrorKind;
use impinge::clash::AttachmentError;
use impinge_formats::{ReadError, WriteError};
use impinge_image::ImageError;
use impinge_report::text::visible;

/// What the command has to tell the shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// There was nothing to find.
    Nothing,
    /// Something was found.
    Found,
    /// Something went wrong, and was said on stderr.
    Failed,
    /// The user ended it; what was found by then was written.
    Interrupted,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(match status {
            Status::Nothing => 0,
            Status::Found => 1,
            Status::Failed => 2,
            Status::Interrupted => 130,
        })
    }
}

/// Why a command stopped. The text names the file, the line or the option.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(transparent)]
    Image(#[from] ImageError),
    #[error(transparent)]
    Simd(#[from] impinge::SimdLevelError),
    #[error(transparent)]
    Attachment(#[from] AttachmentError),
    #[error("{option}: {reason}")]
    Option { option: String, reason: String },
    #[error("{}: {reason}", file.display())]
    File { file: PathBuf, reason: String },
    #[error("{}: line {line}: {reason}", file.display())]
    Row { file: PathBuf, line: usize, reason: String },
    #[error("{}: {option} would replace what is read", file.display())]
    SameFile { file: PathBuf, option: &'static str },
    #[error("the output cannot be written: {0}")]
    Output(io::Error),
}

impl Error {
    pub(crate) fn option(option: impl Into<String>, reason: impl Into<String>) -> Error {
        Error::Option { option: option.into(), reason: reason.into() }
    }
}

/// Says one line on stderr.
pub(crate) fn report(error: &Error) {
    say(&error.to_string());
}

/// Says why the command line was refused, or prints the help that was asked for.
pub(crate) fn usage(refusal: &clap::Error) -> ExitCode {
    match refusal.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // A reader that has seen enough closes the pipe.
            let printed = refusal.print().and_then(|()| io::stdout().flush());
            match printed {
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                    report(&Error::Output(error));
                    Status::Failed.into()
                }
                _ => Status::Nothing.into(),
            }
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = refusal.print();
            Status::Failed.into()
        }
        _ => {
            say(&in_one_line(&refusal.render().to_string()));
            Status::Failed.into()
        }
    }
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

/// One line, whatever file names are made of. A closed stderr is no reason to panic.
fn say(message: &str) {
    let _ = writeln!(io::stderr(), "impinge: {}", visible(message));
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
