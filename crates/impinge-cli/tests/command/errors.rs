//! Wrong command lines, and outputs that nobody reads or that cannot be written.

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use crate::support::{Folder, Run, TRIANGLE};

#[test]
fn wrong_command_lines_are_one_line_too() {
    let folder = Folder::new("usage");
    for (arguments, message) in [
        ("check a.obj", "the following required arguments were not provided: <B>; see --help"),
        ("inspect", "the following required arguments were not provided: <MESH>...; see --help"),
        (
            "check a b --jsn",
            "unexpected argument '--jsn' found; tip: a similar argument exists: '--json'; see --help",
        ),
        ("check a b c", "unexpected argument 'c' found; see --help"),
        ("chek a b", "unrecognized subcommand 'chek'; tip: a similar subcommand exists: 'check'; see --help"),
    ] {
        assert_eq!(folder.run(arguments).error(), message);
    }
    let run = folder.run("");
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("Usage: impinge"), "{}", run.stderr);
}

/// A batch whose answers do not fit into the buffers between the processes.
fn long_batch(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("a.obj", TRIANGLE);
    folder.write("poses.txt", "1 0 0 0 0 1 0 0 0 0 1 0\n".repeat(5000));
    folder
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let folder = long_batch("pipe");
    let mut command = folder.command("check a.obj a.obj --poses-b poses.txt --json");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    let mut line = String::new();
    // Reads the first line and goes, as `head -1` does.
    let mut reader = BufReader::new(child.stdout.take().expect("there is an output"));
    reader.read_line(&mut line).expect("there is a line");
    drop(reader);
    let mut complaint = String::new();
    let mut stderr = child.stderr.take().expect("there are errors");
    stderr.read_to_string(&mut complaint).expect("they are text");
    let status = child.wait().expect("it ends");
    assert!(line.starts_with("{\"index\":0,"), "{line}");
    assert_eq!((complaint.as_str(), status.code()), ("", Some(1)));
}

#[test]
fn help_that_nobody_reads_is_no_error() {
    let folder = Folder::new("help-pipe");
    let mut child = folder.command("check --help").stdout(Stdio::piped()).spawn().expect("it runs");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let folder = long_batch("full");
    let full = || std::fs::File::options().write(true).open("/dev/full").expect("Linux has it");
    for arguments in
        ["check a.obj a.obj", "check a.obj a.obj --poses-b poses.txt", "inspect a.obj", "make --list"]
    {
        let mut command = folder.command(arguments);
        let child = command.stdout(full()).stderr(Stdio::piped()).spawn().expect("it runs");
        let output = child.wait_with_output().expect("it ends");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(complaint.starts_with("impinge: the output cannot be written: "), "{arguments}: {complaint}");
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn progress_is_for_terminals() {
    let folder = long_batch("quiet");
    let run: Run = folder.run("check a.obj a.obj --poses-b poses.txt");
    assert_eq!(run.expect(1).lines().count(), 5000);
}
