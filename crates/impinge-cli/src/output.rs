//! The standard output: whole lines only, and no complaint when the reader has seen enough.

use std::io::{self, BufWriter, ErrorKind, Stdout, Write};

use serde::Serialize;

use crate::error::Error;

/// Where answers go.
pub(crate) struct Output {
    stdout: BufWriter<Stdout>,
    /// The reader has gone, as `head` does; what follows is for nobody.
    closed: bool,
}

impl Output {
    pub(crate) fn stdout() -> Output {
        Output { stdout: BufWriter::with_capacity(1 << 16, io::stdout()), closed: false }
    }

    /// Whether the reader has gone, so that further answers need not be found.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Prints text that ends with a line break. The buffer hands over each call's text whole, so an interruption never
    /// leaves half a line.
    pub(crate) fn print(&mut self, text: &str) -> Result<(), Error> {
        self.attempt(|stdout| stdout.write_all(text.as_bytes()))
    }

    /// Prints a JSON document on a line of its own.
    pub(crate) fn json(&mut self, document: &impl Serialize) -> Result<(), Error> {
        let mut line = serde_json::to_string(document).map_err(|error| Error::Output(error.into()))?;
        line.push('\n');
        self.print(&line)
    }

    /// Shows what was printed so far.
    pub(crate) fn flush(&mut self) -> Result<(), Error> {
        self.attempt(BufWriter::flush)
    }

    /// Makes sure that everything has arrived.
    pub(crate) fn finish(mut self) -> Result<(), Error> {
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
            result => result.map_err(Error::Output),
        }
    }
}

/// A number for people: eight digits, without zeros at the end. JSON has all digits.
pub(crate) fn short(value: f64) -> String {
    let rounded = format!("{value:.7e}").parse().unwrap_or(value);
    let magnitude = rounded.abs();
    if rounded == 0.0 {
        "0".to_owned()
    } else if (1e-5..1e12).contains(&magnitude) || !magnitude.is_finite() {
        format!("{rounded}")
    } else {
        format!("{rounded:e}")
    }
}

/// A point for people.
pub(crate) fn point([x, y, z]: [f64; 3]) -> String {
    format!("({}, {}, {})", short(x), short(y), short(z))
}

/// A number of things, in the singular or the plural.
pub(crate) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let cases = [
            (0.0, "0"),
            (-0.0, "0"),
            (0.1, "0.1"),
            (f64::from(0.1_f32), "0.1"),
            (-2.0 / 3.0, "-0.66666667"),
            (123_456_789.0, "123456790"),
            (1e300, "1e300"),
            (1.5e-7, "1.5e-7"),
            (5e-324, "5e-324"),
        ];
        for (value, text) in cases {
            assert_eq!(short(value), text);
        }
    }
}
