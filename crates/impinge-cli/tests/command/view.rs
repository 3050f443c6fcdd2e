//! `impinge view`: a server that answers pages of its own and refuses all else.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use impinge_report::HAS_PICTURES;
use serde_json::Value;

use crate::support::Folder;

/// A running server; it is ended with the test.
struct Server {
    child: Child,
    address: String,
    _folder: Folder,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What came back.
struct Reply {
    status: u16,
    head: String,
    body: String,
}

impl Server {
    /// Views two cubes from -1 to 1.
    fn start(name: &str, options: &str) -> Server {
        let folder = Folder::new(name);
        folder.make("box --triangles 12 cube.obj");
        let mut command = folder.command(&format!("view cube.obj cube.obj {options}"));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
        let mut line = String::new();
        let stdout = child.stdout.as_mut().expect("there is an output");
        BufReader::new(stdout).read_line(&mut line).expect("there is a line");
        let address = line.strip_prefix("http://").and_then(|rest| rest.strip_suffix("/\n"));
        let address = address.unwrap_or_else(|| panic!("{line:?} is no address")).to_owned();
        assert!(address.starts_with("127.0.0.1:"), "{address}");
        Server { child, address, _folder: folder }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
        stream
    }

    /// Sends bytes on a connection of its own.
    fn say(&self, bytes: &[u8]) -> Reply {
        let mut stream = self.connect();
        // A server that refuses early may not read all of it.
        let _ = stream.write_all(bytes);
        receive(&mut BufReader::new(stream))
    }

    fn post(&self, body: &str) -> Reply {
        self.say(post(&self.address, body).as_bytes())
    }
}

fn post(host: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "POST /pose HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )
}

fn receive(reader: &mut impl BufRead) -> Reply {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(reader.read_line(&mut head).expect("a line") > 0, "the answer ends early: {head:?}");
    }
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: "));
    let mut body = vec![0; length.and_then(|length| length.parse().ok()).expect("a length")];
    reader.read_exact(&mut body).expect("the body");
    Reply { status, head, body: String::from_utf8(body).expect("text") }
}

fn pose(part: usize, x: f64) -> String {
    format!(r#"{{"part":{part},"world_from_model":[1,0,0,{x:?},0,1,0,0,0,0,1,0,0,0,0,1]}}"#)
}

#[test]
fn the_page_is_served_and_poses_are_answered() {
    let server = Server::start("view", "--translate-b 5,0,0 --unit mm --no-open");
    let get = format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    let page = server.say(get.as_bytes());
    assert_eq!(page.status, 200);
    assert!(page.head.contains("Content-Type: text/html; charset=utf-8\r\n"), "{}", page.head);
    // Pages from elsewhere may not read it.
    assert!(!page.head.to_ascii_lowercase().contains("access-control"), "{}", page.head);
    assert!(page.body.starts_with("<!doctype html>"));
    assert!(!HAS_PICTURES || page.body.contains(r#""live":true"#));

    // Many questions on one connection, about either part.
    let mut stream = server.connect();
    let mut reader = BufReader::new(stream.try_clone().expect("the same connection"));
    let mut ask = |question: &str| -> Value {
        stream.write_all(post("localhost", question).as_bytes()).expect("it is sent");
        let reply = receive(&mut reader);
        assert_eq!(reply.status, 200, "{}", reply.body);
        assert!(reply.head.contains("Connection: keep-alive\r\n"), "{}", reply.head);
        serde_json::from_str(&reply.body).expect("JSON")
    };
    for (x, verdict, distance) in [
        (0.0, "clear", Some(3.0)),
        (3.0, "touching", None),
        (4.5, "overlapping", None),
        (4.0, "overlapping", None),
    ] {
        let answer = ask(&pose(0, x));
        assert_eq!(
            (&answer["verdict"], answer["distance"].as_f64()),
            (&verdict.into(), distance),
            "{answer}"
        );
        let meets = distance.is_none();
        assert_eq!(answer["face_pairs"].as_u64() > Some(0), meets, "{answer}");
        for list in ["curve", "faces_a", "faces_b"] {
            assert_eq!(
                answer[list].as_array().is_some_and(|list| !list.is_empty()),
                meets,
                "{list}: {answer}"
            );
        }
        assert_eq!((answer["closest"].is_null(), answer["point"].is_array()), (meets, meets), "{answer}");
    }
    assert_eq!(ask(&pose(1, 2.0))["verdict"], "touching");
    let small = r#"{"part":0,"world_from_model":[0.5,0,0,5,0,0.5,0,0,0,0,0.5,0,0,0,0,1]}"#;
    let answer = ask(small);
    assert_eq!((&answer["verdict"], &answer["contained"]), (&"inside".into(), &"a".into()));
}

#[test]
fn what_may_not_ask_is_refused_and_the_server_goes_on() {
    let server = Server::start("view-refusals", "");
    let good = post(&server.address, &pose(0, 0.0));
    let replace = |from: &str, to: &str| {
        assert!(good.contains(from), "{good}");
        good.replace(from, to)
    };
    let host = format!("Host: {}", server.address);
    let large = "x".repeat(5000);
    let cases = [
        (replace(&host, "Host: evil.example"), 403, "evil.example"),
        (replace(&host, "Accept: */*"), 403, "Host"),
        (replace(&host, &format!("{host}\r\nOrigin: http://evil.example")), 403, "evil.example"),
        (replace("POST /pose", "POST /other"), 404, "/other"),
        (replace("POST /pose", "GET /favicon.ico"), 404, "/favicon.ico"),
        (replace("POST", "PUT"), 405, "POST"),
        (replace("POST", "OPTIONS"), 405, "POST"),
        (replace("application/json", "text/plain"), 415, "text/plain"),
        (replace("Content-Type: application/json\r\n", ""), 415, "application/json"),
        (replace("Content-Length: ", "X-Length: "), 411, "Content-Length"),
        (post(&server.address, &large), 413, "4096"),
        (post(&server.address, "{"), 400, "the question"),
        (post(&server.address, &pose(2, 0.0)), 400, "part"),
        (post(&server.address, &pose(0, 0.0).replace("[1,0", "[0,0")), 400, "world_from_model"),
        (post(&server.address, &pose(0, 0.0).replace("[1,0", "[1e999,0")), 400, "the question"),
        (post(&server.address, &pose(0, 1.7e308).replace("[1,", "[1e308,")), 400, "world_from_model"),
        (post(&server.address, &pose(0, 0.0).replace("[1,", "[NaN,")), 400, "the question"),
        ("hello\r\n\r\n".to_owned(), 400, "HTTP"),
        (format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(20_000)), 431, "too large"),
    ];
    for (request, status, reason) in cases {
        let reply = server.say(request.as_bytes());
        let start = &request[..request.len().min(300)];
        assert_eq!(reply.status, status, "{start}: {}", reply.body);
        assert!(reply.body.contains(reason) && reply.body.ends_with('\n'), "{start}: {}", reply.body);
        assert!(reply.head.contains("Content-Type: text/plain"), "{}", reply.head);
    }
    // A pose that cannot be does not end the connection.
    let mut stream = server.connect();
    let mut reader = BufReader::new(stream.try_clone().expect("the same connection"));
    for (question, status) in [(pose(2, 0.0), 400), (pose(1, 0.0), 200)] {
        stream.write_all(post(&server.address, &question).as_bytes()).expect("it is sent");
        assert_eq!(receive(&mut reader).status, status);
    }
}

#[test]
fn clients_that_hang_do_not_block_others() {
    let server = Server::start("view-hang", "");
    // Some say nothing, some half a head, some half a body.
    let request = post(&server.address, &pose(0, 0.0));
    let _hanging: Vec<TcpStream> = (0..30)
        .map(|number| {
            let mut stream = server.connect();
            let sent = [0, 20, request.len() - 5][number % 3];
            stream.write_all(&request.as_bytes()[..sent]).expect("it is sent");
            stream
        })
        .collect();
    let start = Instant::now();
    for _ in 0..20 {
        assert_eq!(server.post(&pose(0, 0.0)).status, 200);
    }
    assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
    // More than there is room for are told so.
    let _more: Vec<TcpStream> = (0..64).map(|_| server.connect()).collect();
    let told = (0..200).any(|_| {
        let mut stream = server.connect();
        let mut text = String::new();
        let _ = stream.set_read_timeout(Some(Duration::from_millis(200)));
        let _ = stream.read_to_string(&mut text);
        text.starts_with("HTTP/1.1 503 ")
    });
    assert!(told);
}

#[test]
#[cfg(unix)]
fn an_interruption_is_no_error() {
    let mut server = Server::start("view-interrupt", "");
    let killed = std::process::Command::new("kill").args(["-INT", &server.child.id().to_string()]).status();
    assert!(killed.expect("kill runs").success());
    let status = server.child.wait().expect("it ends");
    let mut complaint = String::new();
    server.child.stderr.as_mut().expect("errors").read_to_string(&mut complaint).expect("text");
    assert_eq!((status.code(), complaint.as_str()), (Some(0), ""));
}

#[test]
fn what_cannot_be_viewed_is_named() {
    let folder = Folder::new("view-errors");
    folder.make("box --triangles 12 cube.obj");
    let cases = [
        ("view cube.obj missing.obj", "missing.obj"),
        ("view cube.obj cube.obj --matrix-b 0,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1", "--matrix-b: "),
        ("view cube.obj cube.obj --translate-a 1", "--translate-a: "),
        ("view cube.obj cube.obj --port 65536", "65536"),
        ("view cube.obj", "<B>"),
    ];
    for (arguments, message) in cases {
        let error = folder.run(arguments).error();
        assert!(error.contains(message), "{error}");
    }
    let server = Server::start("view-port", "");
    let port = server.address.rsplit(':').next().expect("a port");
    let error = folder.run(&format!("view cube.obj cube.obj --port {port}")).error();
    assert!(error.starts_with(&format!("--port: 127.0.0.1:{port} cannot be used: ")), "{error}");
}
