//! Who may ask what, and connections side by side: a client that hangs keeps nobody else from being served.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use super::answer::Scene;
use super::http::{Answer, Head, LARGEST_BODY, Wire};

/// A browser opens at most six.
const MOST_CONNECTIONS: usize = 64;

/// What is served.
pub(super) struct Site {
    pub(super) page: String,
    pub(super) scene: Scene,
}

/// Serves as long as the process lives.
pub(super) fn serve(listener: &TcpListener, site: Site) {
    let site = Arc::new(site);
    let open = Arc::new(AtomicUsize::new(0));
    loop {
        let Ok((stream, _)) = listener.accept() else {
            // Out of files, perhaps: soon some connection ends.
            thread::sleep(Duration::from_millis(50));
            continue;
        };
        let Ok(mut wire) = Wire::new(stream) else { continue };
        let place = Place::take(&open);
        if place.number >= MOST_CONNECTIONS {
            let _ = wire.send(&Answer::refusal(503, "too many connections"), true, true);
            continue;
        }
        let site = Arc::clone(&site);
        // Where no thread can be had, the connection is closed, and its place is free again.
        let _ = thread::Builder::new().spawn(move || {
            let _place = place;
            site.converse(wire);
        });
    }
}

/// One of the connections that are open.
struct Place {
    open: Arc<AtomicUsize>,
    number: usize,
}

impl Place {
    fn take(open: &Arc<AtomicUsize>) -> Place {
        Place { open: Arc::clone(open), number: open.fetch_add(1, Ordering::Relaxed) }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.open.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What a request is for.
#[derive(Debug, PartialEq)]
enum Wish {
    Page,
    /// A question so many bytes long.
    Pose(usize),
}

impl Site {
    /// Answers requests until the client goes, or is refused.
    fn converse(&self, mut wire: Wire) {
        loop {
            let head = match wire.head() {
                Ok(Some(head)) => head,
                Ok(None) => return,
                Err(refusal) => return self.refuse(wire, &refusal, true),
            };
            let with_body = head.method != "HEAD";
            let answer = match wish(&head) {
                Ok(Wish::Page) => Answer {
                    status: 200,
                    kind: "text/html; charset=utf-8",
                    body: self.page.as_str().into(),
                    allow: None,
                },
                Ok(Wish::Pose(length)) => match wire.body(length) {
                    Ok(question) => self.pose(&question),
                    Err(refusal) => return self.refuse(wire, &refusal, with_body),
                },
                Err(refusal) => return self.refuse(wire, &refusal, with_body),
            };
            if wire.send(&answer, with_body, !head.keep_alive).is_err() || !head.keep_alive {
                return wire.close();
            }
        }
    }

    fn pose(&self, question: &[u8]) -> Answer<'static> {
        match self.scene.answer(question) {
            Ok(answer) => Answer { status: 200, kind: "application/json", body: answer.into(), allow: None },
            Err(reason) => Answer::refusal(400, reason),
        }
    }

    /// A request that is refused may have a body that nobody reads, so it is the last one.
    fn refuse(&self, mut wire: Wire, refusal: &Answer<'_>, with_body: bool) {
        let _ = wire.send(refusal, with_body, true);
        wire.close();
    }
}

/// What a request is for, or why it is refused.
fn wish(head: &Head) -> Result<Wish, Answer<'static>> {
    // A name of elsewhere that leads here is how a page of elsewhere would get around the browser's own checks.
    let host = head.host.as_deref().unwrap_or_default();
    if !is_loopback(host) {
        return Err(Answer::refusal(403, format!("Host: {host:?} is not this machine's own")));
    }
    let own = format!("http://{host}");
    if let Some(origin) = head.origin.as_deref().filter(|origin| !origin.eq_ignore_ascii_case(&own)) {
        return Err(Answer::refusal(403, format!("Origin: {origin:?} is another site")));
    }
    let methods = match head.path.as_str() {
        "/" => "GET, HEAD",
        "/pose" => "POST",
        path => return Err(Answer::refusal(404, format!("there is no {path:?}"))),
    };
    if !methods.split(", ").any(|method| method == head.method) {
        let refusal = Answer::refusal(405, format!("{} takes {methods}", head.path));
        return Err(Answer { allow: Some(methods), ..refusal });
    }
    if head.method == "POST" {
        return question(head);
    }
    match (head.length, head.is_chunked) {
        (None | Some(0), false) => Ok(Wish::Page),
        _ => Err(Answer::refusal(400, format!("{} takes no body", head.method))),
    }
}

fn question(head: &Head) -> Result<Wish, Answer<'static>> {
    let kind = head.content_type.as_deref().unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        return Err(Answer::refusal(415, format!("Content-Type: {kind:?} is not application/json")));
    }
    match head.length {
        _ if head.is_chunked => Err(Answer::refusal(411, "the body needs a Content-Length")),
        None => Err(Answer::refusal(411, "the body needs a Content-Length")),
        Some(length) if length > LARGEST_BODY => {
            Err(Answer::refusal(413, format!("the body may have {LARGEST_BODY} bytes, but has {length}")))
        }
        Some(length) => Ok(Wish::Pose(length)),
    }
}

/// Whether a `Host` is this machine's own: a loopback address or its name, with any port or none.
fn is_loopback(host: &str) -> bool {
    let (name, port) = match host.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((address, port)) => {
                let is_own = address.parse::<Ipv6Addr>().is_ok_and(|address| address.is_loopback());
                return is_own && (port.is_empty() || port.strip_prefix(':').is_some_and(is_port));
            }
            None => return false,
        },
        None => host.split_once(':').map_or((host, None), |(name, port)| (name, Some(port))),
    };
    let is_own = name.eq_ignore_ascii_case("localhost")
        || name.parse::<Ipv4Addr>().is_ok_and(|address| IpAddr::V4(address).is_loopback());
    is_own && port.is_none_or(is_port)
}

fn is_port(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_is_this_machines_own() {
        for host in
            ["localhost", "LOCALHOST:80", "127.0.0.1", "127.0.0.1:4000", "127.1.2.3", "[::1]", "[::1]:80"]
        {
            assert!(is_loopback(host), "{host}");
        }
        let others = [
            "",
            "example.com",
            "example.com:80",
            "localhost.example.com",
            "localhost.",
            "127.0.0.1.example.com",
            "127.0.0.1:80:80",
            "127.0.0.1:",
            "127.0.0.1:x",
            "10.0.0.1",
            "0.0.0.0",
            "[::2]",
            "[::1",
            "[::1]x",
            "::1",
            "a@localhost",
        ];
        for host in others {
            assert!(!is_loopback(host), "{host}");
        }
    }

    #[test]
    fn every_refusal_has_its_status() {
        let good = || Head {
            method: "POST".to_owned(),
            path: "/pose".to_owned(),
            host: Some("127.0.0.1:1".to_owned()),
            content_type: Some("application/json; charset=utf-8".to_owned()),
            length: Some(LARGEST_BODY),
            ..Head::default()
        };
        let get = || Head { method: "GET".to_owned(), path: "/".to_owned(), length: None, ..good() };
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(wish(&good()), Ok(Wish::Pose(LARGEST_BODY)));
        assert_eq!(
            wish(&Head { origin: text("http://127.0.0.1:1"), ..good() }),
            Ok(Wish::Pose(LARGEST_BODY))
        );
        assert_eq!(wish(&get()), Ok(Wish::Page));
        let cases = [
            (Head { host: None, ..good() }, 403),
            (Head { host: text("evil.example"), ..good() }, 403),
            (Head { origin: text("http://evil.example"), ..good() }, 403),
            (Head { origin: text("null"), ..good() }, 403),
            (Head { path: "/favicon.ico".to_owned(), ..get() }, 404),
            (Head { method: "DELETE".to_owned(), ..get() }, 405),
            (Head { method: "OPTIONS".to_owned(), ..good() }, 405),
            (Head { method: "GET".to_owned(), ..good() }, 405),
            (Head { length: Some(1), ..get() }, 400),
            (Head { content_type: None, ..good() }, 415),
            (Head { content_type: text("text/plain"), ..good() }, 415),
            (Head { length: None, ..good() }, 411),
            (Head { is_chunked: true, ..good() }, 411),
            (Head { length: Some(LARGEST_BODY + 1), ..good() }, 413),
        ];
        for (head, status) in cases {
            assert_eq!(wish(&head).map_err(|refusal| refusal.status), Err(status), "{head:?}");
        }
    }
}
