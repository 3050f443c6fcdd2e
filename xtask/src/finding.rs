//! What a check reports: the place, and what is wrong there.

use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// Relative to the workspace's root.
    pub(crate) file: String,
    /// Counted from 1; 0 when the whole file is meant.
    pub(crate) line: usize,
    pub(crate) message: String,
}

impl Finding {
    pub(crate) fn new(file: &str, line: usize, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line, message: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.message),
            line => write!(f, "{}:{line}: {}", self.file, self.message),
        }
    }
}

/// One finding per line; an error when there is any.
pub(crate) fn settle(findings: &[Finding]) -> Result<(), String> {
    match findings.len() {
        0 => Ok(()),
        count => {
            let lines: Vec<_> = findings.iter().map(ToString::to_string).collect();
            Err(format!("{}\n{count} {}", lines.join("\n"), if count == 1 { "finding" } else { "findings" }))
        }
    }
}
