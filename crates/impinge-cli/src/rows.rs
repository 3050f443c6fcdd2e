//! Files of numbers, one row a line.

use std::path::Path;

use impinge_formats::read_regular;
use impinge_report::terminal::Error;

use crate::numbers;

/// The numbers of a line.
#[derive(Debug, PartialEq)]
pub(crate) struct Row {
    /// The line in the file; the first is 1.
    pub(crate) line: usize,
    pub(crate) numbers: Vec<f64>,
}

/// Reads all rows of a file. Empty lines are passed over, and so is everything from a `#` to the end of its line.
///
/// A file without rows is an error: an answer to no question would look like "nothing found".
pub(crate) fn read(path: &Path) -> Result<Vec<Row>, Error> {
    let in_file = |reason: String| Error::file(path, reason);
    let bytes = read_regular(path)?;
    let rows = parse(&bytes).map_err(|(line, reason)| Error::row(path, line, reason))?;
    if rows.is_empty() {
        return Err(in_file("has no rows".to_owned()));
    }
    Ok(rows)
}

/// The rows, or the first line that is none and why.
fn parse(bytes: &[u8]) -> Result<Vec<Row>, (usize, String)> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut rows = Vec::new();
    for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        // Before the text is looked at: a comment may be in any encoding.
        let content = line.split(|&byte| byte == b'#').next().unwrap_or_default();
        let line = index + 1;
        let text = str::from_utf8(content).map_err(|_| (line, "is not text".to_owned()))?;
        let numbers = numbers::parse(text).map_err(|reason| (line, reason))?;
        if !numbers.is_empty() {
            rows.push(Row { line, numbers });
        }
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_know_their_lines() {
        let rows = parse(b"\xef\xbb\xbf# poses\r\n1,2\r\n\n  3 4 # \xff\n").expect("they are rows");
        assert_eq!(
            rows,
            [Row { line: 2, numbers: vec![1.0, 2.0] }, Row { line: 4, numbers: vec![3.0, 4.0] }]
        );
        assert_eq!(parse(b""), Ok(vec![]));
        assert_eq!(parse(b"1\n2\nx y\n"), Err((3, "\"x\" is not a number".to_owned())));
        assert_eq!(parse(b"1\n\xff\n"), Err((2, "is not text".to_owned())));
    }
}
