//! The standard output: whole lines only, and no complaint when the reader has seen enough.

use std::io::{self, BufWriter, ErrorKind, Stdout, Write};

use serde::Serialize;

use super::error::Error;

/// The standard output, to which answers go.
#[derive(Debug)]
pub struct Output {
    stdout: BufWriter<Stdout>,
    /// The reader has gone, as `head` does; what follows is for nobody.
    closed: bool,
}

impl Output {
    /// The standard output of this process.
    pub fn stdout() -> Output {
        Output { stdout: BufWriter::with_capacity(1 << 16, io::stdout()), closed: false }
    }

    /// Whether the reader has gone, so that further answers need not be found.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Prints text that ends with a line break. The buffer hands over each call's text whole, so an interruption never
    /// leaves half a line.
    pub fn print(&mut self, text: &str) -> Result<(), Error> {
        self.attempt(|stdout| stdout.write_all(text.as_bytes()))
    }

    /// Prints a JSON document on a line of its own.
    pub fn json(&mut self, document: &impl Serialize) -> Result<(), Error> {
        let mut line = serde_json::to_string(document).map_err(|error| Error::output(&error.into()))?;
        line.push('\n');
        self.print(&line)
    }

    /// Shows what was printed so far.
    pub fn flush(&mut self) -> Result<(), Error> {
        self.attempt(BufWriter::flush)
    }

    /// Makes sure that everything has arrived.
    pub fn finish(mut self) -> Result<(), Error> {
        self.flush()
    }

    fn attempt(&mut self, write: impl FnOnce(&mut BufWriter<Stdout>) -> io::Result<()>) -> Result<(), Error> {
        if self.closed {
            return Ok(());
        }
        match write(&mut self.stdout) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            result => result.map_err(|error| Error::output(&error)),
        }
    }
}
