//! As much of HTTP/1.1 as a page needs: requests with a head and a short body, answers, one after the other on a connection.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// A browser keeps a connection for the next question. One that says nothing for so long gives its place to others.
const IDLE: Duration = Duration::from_secs(15);
/// From the first byte of a request to its last.
const PATIENCE: Duration = Duration::from_secs(5);
/// A reader that takes nothing for so long has gone.
const STUCK: Duration = Duration::from_secs(10);
/// Browsers send about a thousand bytes.
const LARGEST_HEAD: usize = 16 * 1024;
const MOST_HEADERS: usize = 100;
/// Two matrices with all digits take about a thousand bytes.
pub(super) const LARGEST_BODY: usize = 4096;

/// The head of a request.
#[derive(Debug, Default)]
pub(super) struct Head {
    pub(super) method: String,
    /// Without what follows a question mark.
    pub(super) path: String,
    pub(super) host: Option<String>,
    pub(super) origin: Option<String>,
    pub(super) content_type: Option<String>,
    /// How long the body is, as the request says.
    pub(super) length: Option<usize>,
    /// The body has no length, but comes in pieces.
    pub(super) is_chunked: bool,
    pub(super) keep_alive: bool,
}

/// What is said to a request.
#[derive(Debug, PartialEq)]
pub(super) struct Answer<'a> {
    pub(super) status: u16,
    pub(super) kind: &'static str,
    pub(super) body: std::borrow::Cow<'a, str>,
    /// Methods that would be allowed.
    pub(super) allow: Option<&'static str>,
}

impl Answer<'_> {
    pub(super) fn refusal(status: u16, reason: impl Into<String>) -> Answer<'static> {
        let body = reason.into() + "\n";
        Answer { status, kind: "text/plain; charset=utf-8", body: body.into(), allow: None }
    }
}

fn phrase(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        411 => "Length Required",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "Error",
    }
}

/// A connection, and what was read from it but not yet looked at.
pub(super) struct Wire {
    stream: TcpStream,
    unread: Vec<u8>,
}

impl Wire {
    pub(super) fn new(stream: TcpStream) -> io::Result<Wire> {
        // Answers are written whole; to wait for more would only delay them.
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(STUCK))?;
        Ok(Wire { stream, unread: Vec::new() })
    }

    /// The head of the next request; none when there is no more.
    pub(super) fn head(&mut self) -> Result<Option<Head>, Answer<'static>> {
        let mut deadline = Instant::now() + if self.unread.is_empty() { IDLE } else { PATIENCE };
        loop {
            if let Some((head, length)) = parse(&self.unread)? {
                self.unread.drain(..length);
                return Ok(Some(head));
            }
            let was_idle = self.unread.is_empty();
            match self.read_more(deadline) {
                Ok(0) => return Ok(None),
                Ok(_) if was_idle => deadline = Instant::now() + PATIENCE,
                Ok(_) => {}
                Err(_) if was_idle => return Ok(None),
                Err(_) => return Err(Answer::refusal(408, "the request took too long")),
            }
        }
    }

    pub(super) fn body(&mut self, length: usize) -> Result<Vec<u8>, Answer<'static>> {
        let deadline = Instant::now() + PATIENCE;
        while self.unread.len() < length {
            match self.read_more(deadline) {
                Ok(0) => return Err(Answer::refusal(400, "the body is shorter than it says")),
                Ok(_) => {}
                Err(_) => return Err(Answer::refusal(408, "the request took too long")),
            }
        }
        Ok(self.unread.drain(..length).collect())
    }

    fn read_more(&mut self, deadline: Instant) -> io::Result<usize> {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        let mut piece = [0; 4096];
        let count = self.stream.read(&mut piece)?;
        self.unread.extend_from_slice(&piece[..count]);
        Ok(count)
    }

    /// Sends an answer; with `close` it is the last one.
    pub(super) fn send(&mut self, answer: &Answer<'_>, with_body: bool, close: bool) -> io::Result<()> {
        let Answer { status, kind, body, allow } = answer;
        let allow = allow.map_or(String::new(), |methods| format!("Allow: {methods}\r\n"));
        let connection = if close { "close" } else { "keep-alive" };
        let mut text = format!(
            "HTTP/1.1 {status} {}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n{allow}\
             Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n\
             Cross-Origin-Resource-Policy: same-origin\r\nConnection: {connection}\r\n\r\n",
            phrase(*status),
            body.len(),
        );
        if with_body {
            text += body;
        }
        self.stream.write_all(text.as_bytes())
    }

    /// Ends the connection so that what was sent last still arrives: what is left unread would make the system withdraw it.
    pub(super) fn close(mut self) {
        let _ = self.stream.shutdown(Shutdown::Write);
        let deadline = Instant::now() + Duration::from_secs(1);
        for _ in 0..256 {
            self.unread.clear();
            if !matches!(self.read_more(deadline), Ok(1..)) {
                break;
            }
        }
    }
}

/// The head at the start of what was read, and its length; none where there must be more to come.
fn parse(unread: &[u8]) -> Result<Option<(Head, usize)>, Answer<'static>> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    let too_large = || Answer::refusal(431, "the head of the request is too large");
    let length = match request.parse(unread) {
        Ok(httparse::Status::Complete(length)) if length <= LARGEST_HEAD => length,
        Ok(httparse::Status::Partial) if unread.len() <= LARGEST_HEAD => return Ok(None),
        Ok(_) => return Err(too_large()),
        Err(httparse::Error::TooManyHeaders) => return Err(too_large()),
        Err(error) => return Err(Answer::refusal(400, format!("this is not HTTP: {error}"))),
    };
    let target = request.path.unwrap_or_default();
    let mut head = Head {
        method: request.method.unwrap_or_default().to_owned(),
        path: target.split('?').next().unwrap_or_default().to_owned(),
        keep_alive: request.version == Some(1),
        ..Head::default()
    };
    for header in request.headers.iter() {
        let value = String::from_utf8_lossy(header.value).trim().to_owned();
        let once = |field: &mut Option<String>, value: String| match field.replace(value) {
            None => Ok(()),
            Some(_) => Err(Answer::refusal(400, format!("{} is there twice", header.name))),
        };
        match header.name.to_ascii_lowercase().as_str() {
            "host" => once(&mut head.host, value)?,
            "origin" => once(&mut head.origin, value)?,
            "content-type" => once(&mut head.content_type, value)?,
            "content-length" => {
                let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
                let length = value.parse().ok().filter(|_| is_number && head.length.is_none());
                let unclear = || Answer::refusal(400, format!("Content-Length: {value:?} is no length"));
                head.length = Some(length.ok_or_else(unclear)?);
            }
            "transfer-encoding" => head.is_chunked = true,
            "connection" if value.to_ascii_lowercase().contains("close") => head.keep_alive = false,
            _ => {}
        }
    }
    Ok(Some((head, length)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_read_when_they_are_complete() {
        let text = "POST /pose?x=1 HTTP/1.1\r\nHOST: localhost:1\r\ncontent-length: 12\r\n\r\n{}";
        for end in 0..text.len() - 2 {
            assert!(matches!(parse(&text.as_bytes()[..end]), Ok(None)), "{end}");
        }
        let (head, length) = parse(text.as_bytes()).expect("HTTP").expect("complete");
        assert_eq!((head.method.as_str(), head.path.as_str()), ("POST", "/pose"));
        assert_eq!(
            (head.host.as_deref(), head.length, head.keep_alive),
            (Some("localhost:1"), Some(12), true)
        );
        assert_eq!(length, text.len() - 2);
    }

    #[test]
    fn what_is_unclear_is_refused() {
        let status =
            |text: &str| parse(text.as_bytes()).map(|head| head.is_some()).map_err(|answer| answer.status);
        let cases = [
            ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", Err(400)),
            ("GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", Err(400)),
            ("GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", Err(400)),
            ("GET / HTTP/1.1\r\nContent-Length: +1\r\n\r\n", Err(400)),
            ("GET / HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n", Err(400)),
            ("hello there\r\n\r\n", Err(400)),
            ("\u{16}\u{3}\u{1}", Err(400)),
            ("GET / HTTP/1.0\r\n\r\n", Ok(true)),
        ];
        for (text, expected) in cases {
            assert_eq!(status(text), expected, "{text}");
        }
        assert_eq!(status(&format!("GET /{} HTTP/1.1\r\n", "x".repeat(LARGEST_HEAD))), Err(431));
        assert_eq!(
            status(&format!("GET / HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(MOST_HEADERS + 1))),
            Err(431)
        );
    }
}
