//! BCF files of `impinge clash`, what people said that comes back, and interruptions.

use std::fs;
use std::io::{Cursor, Read, Write};
use std::process::{Command, Stdio};

use serde_json::Value;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::support::{Folder, write_cubes};

/// A plate with two pegs in it, a pipe across, and something that touches nothing.
const SCENE: &[(&str, [f64; 3], f64)] = &[
    ("plate/0DyViLJJ175RvWQi1rE7a6", [0.0, 0.0, 0.0], 10.0),
    ("peg 1", [-3.0, 0.0, 5.0], 1.0),
    ("peg 2", [3.0, 0.0, 5.0], 1.0),
    ("pipe <äöü> & \"co\"", [0.0, 5.25, 0.0], 2.0),
    ("far", [50.0, 0.0, 0.0], 1.0),
];

fn files(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut zip = ZipArchive::new(Cursor::new(bytes)).expect("a zip file");
    let count = zip.len();
    let read = |index| {
        let mut file = zip.by_index(index).expect("a file");
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).expect("it can be unpacked");
        (file.name().expect("a name").into_owned(), bytes)
    };
    (0..count).map(read).collect()
}

fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).expect("text")
}

fn groups(document: &Value) -> &Vec<Value> {
    document["groups"].as_array().expect("groups")
}

/// Another tool that closes all topics and says why.
fn closed(bytes: &[u8], comment: &str) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files(bytes) {
        zip.start_file(&name, SimpleFileOptions::default()).expect("a file can be begun");
        let bytes = if name.ends_with("markup.bcf") {
            let markup = text(&bytes).replace("TopicStatus=\"Open\"", "TopicStatus=\"Closed\"");
            // Lists of comments are elsewhere in version 3.0.
            let said = format!(
                "<Comment Guid=\"01234567-89ab-4cde-8f01-23456789abcd\"><Date>2024-05-06T07:08:09Z</Date>\
                 <Author>ann@example.com</Author><Comment>{comment}</Comment></Comment>"
            );
            let markup = if markup.contains("</Topic>\n  <Viewpoints") {
                markup.replace("</Topic>\n", &format!("</Topic>\n{said}"))
            } else {
                markup.replace("<Viewpoints>", &format!("<Comments>{said}</Comments><Viewpoints>"))
            };
            assert!(markup.contains(comment), "{markup}");
            markup.into_bytes()
        } else {
            bytes
        };
        zip.write_all(&bytes).expect("it can be written");
    }
    zip.finish().expect("it can be finished").into_inner()
}

/// The command with a date, so that bytes are the same.
fn run(folder: &Folder, arguments: &str) -> crate::support::Run {
    let mut command = folder.command(arguments);
    command.env("SOURCE_DATE_EPOCH", "1709251199");
    crate::support::Run::of(command)
}

#[test]
fn a_topic_for_each_group_with_a_picture() {
    let folder = Folder::new("bcf-out");
    write_cubes(&folder, "s.gltf", SCENE);
    for version in ["2.1", "3.0"] {
        let arguments = format!("clash s.gltf --json --bcf out.bcf --bcf-version {version}");
        let document = run(&folder, &arguments).json(1);
        let bytes = fs::read(folder.path("out.bcf")).expect("it was written");
        run(&folder, &arguments).json(1);
        assert_eq!(
            fs::read(folder.path("out.bcf")).expect("again"),
            bytes,
            "the same input gives the same bytes"
        );
        let counts: Vec<u64> =
            groups(&document).iter().map(|group| group["count"].as_u64().expect("a count")).collect();
        assert_eq!(counts.iter().sum::<u64>(), 3);
        let files = files(&bytes);
        let ending = |end: &str| files.iter().filter(|(name, _)| name.ends_with(end)).collect::<Vec<_>>();
        assert_eq!(ending("markup.bcf").len(), counts.len());
        assert_eq!(ending("viewpoint.bcfv").len(), counts.len());
        assert!(ending("snapshot.png").iter().all(|(_, png)| png.starts_with(b"\x89PNG")));
        assert_eq!(ending("snapshot.png").len(), counts.len());
        let markups =
            ending("markup.bcf").iter().map(|(_, markup)| text(markup)).collect::<Vec<_>>().join("\n");
        assert!(markups.contains("<CreationDate>2024-02-29T23:59:59Z</CreationDate>"), "{markups}");
        assert!(markups.contains("plate × peg 1 and 1 more: overlapping, depth "), "{markups}");
        assert!(markups.contains("pipe &lt;äöü&gt; &amp; &quot;co&quot;"), "{markups}");
        let view = text(&ending("viewpoint.bcfv")[0].1);
        assert!(
            view.contains("IfcGuid=\"0DyViLJJ175RvWQi1rE7a6\"") && view.contains("<FieldOfView>50.0<"),
            "{view}"
        );
    }
    // Units that nobody knows are said to be taken for meters.
    let table = run(&folder, "clash s.gltf --bcf out.bcf --unit ells").expect(1);
    assert!(table.contains("note: --bcf: lengths in ells are taken for meters"), "{table}");
}

#[test]
fn what_people_said_comes_back_and_goes_on() {
    let folder = Folder::new("bcf-round");
    write_cubes(&folder, "s.gltf", SCENE);
    for version in ["2.1", "3.0"] {
        let out = format!("--bcf-version {version} --bcf");
        let first = run(&folder, &format!("clash s.gltf --json {out} monday.bcf"));
        folder.write("old.json", &first.stdout);
        let first = first.json(1);
        assert!(groups(&first).iter().all(|group| group.get("review").is_none()));
        let monday = fs::read(folder.path("monday.bcf")).expect("it was written");
        folder.write("their.bcf", closed(&monday, "moved &amp; done"));
        // A peg moves so far that ids of its own would change; the baseline keeps them, and with them what was said.
        let mut moved = SCENE.to_vec();
        moved[2].1[0] += 0.4;
        write_cubes(&folder, "s.gltf", &moved);
        let back = run(
            &folder,
            &format!("clash s.gltf --json --baseline old.json --status their.bcf {out} tuesday.bcf"),
        )
        .json(1);
        let notes = back["notes"].as_array().expect("notes");
        assert!(notes.is_empty(), "{notes:?}");
        for group in groups(&back) {
            let review = &group["review"];
            assert_eq!(
                (&review["status"], &review["comments"][0]["text"]),
                (&"Closed".into(), &"moved & done".into()),
                "{group}"
            );
            assert_eq!(review["comments"][0]["author"], "ann@example.com");
        }
        let tuesday = files(&fs::read(folder.path("tuesday.bcf")).expect("it was written"));
        for (_, markup) in tuesday.iter().filter(|(name, _)| name.ends_with("markup.bcf")) {
            let markup = text(markup);
            assert!(
                markup.contains("TopicStatus=\"Closed\"") && markup.contains("moved &amp; done"),
                "{markup}"
            );
            assert!(markup.contains("Guid=\"01234567-89ab-4cde-8f01-23456789abcd\""), "{markup}");
        }
        let names = |files: &[(String, Vec<u8>)]| {
            files.iter().map(|(name, _)| name.clone()).collect::<std::collections::BTreeSet<_>>()
        };
        assert_eq!(names(&tuesday), names(&files(&monday)), "topics keep their GUIDs");
        write_cubes(&folder, "s.gltf", SCENE);
    }
}

#[test]
fn notes_are_merged_and_unknown_ones_counted() {
    let folder = Folder::new("bcf-notes");
    write_cubes(&folder, "s.gltf", SCENE);
    let document = folder.run("clash s.gltf --json").json(1);
    let id = groups(&document)[0]["id"].as_str().expect("an id");
    folder.write(
        "notes.json",
        format!(r#"{{"schema":1,"notes":{{"{id}":{{"status":"=cmd()","assignee":"Ann"}},"gone":{{"status":"Open"}}}}}}"#),
    );
    let table = folder.run("clash s.gltf --status notes.json").expect(1);
    assert!(table.contains("note: notes.json: 1 of 2 entries are of no clash that is here now"), "{table}");
    assert!(table.contains("=cmd() (Ann)"), "{table}");
    // Spreadsheets must not take it for a formula.
    let csv = folder.run("clash s.gltf --status notes.json --csv").expect(1);
    assert!(csv.contains(",'=cmd(),Ann,") && !csv.contains(",=cmd()"), "{csv}");
}

#[test]
fn what_is_wrong_is_named() {
    let folder = Folder::new("bcf-errors");
    write_cubes(&folder, "s.gltf", SCENE);
    let refuses = |arguments: &str, message: &str| {
        let error = folder.run(arguments).error();
        assert!(error.contains(message), "{arguments}: {error}");
    };
    folder.write("bad.json", "{\"schema\":1,\n\"notes\":[]}");
    refuses("clash s.gltf --status bad.json", "bad.json: line 2, column ");
    folder.write("bad.bcf", b"PK\x03\x04 and no more");
    refuses("clash s.gltf --status bad.bcf", "bad.bcf: the zip file: ");
    folder.write("bytes", b"\xff\xfe");
    refuses("clash s.gltf --status bytes", "bytes: is neither a BCF file nor text");
    refuses("clash s.gltf --bcf s.gltf", "--bcf would replace what is read");
    refuses("clash s.gltf --bcf s.bin", "--bcf would replace what is read");
    refuses("clash s.gltf --bcf nowhere/out.bcf", "out.bcf");
    refuses("clash s.gltf --bcf-version 2.1", "--bcf");
    let mut command = folder.command("clash s.gltf --bcf out.bcf");
    command.env("SOURCE_DATE_EPOCH", "today");
    let error = crate::support::Run::of(command).error();
    assert!(error.contains("SOURCE_DATE_EPOCH: \"today\" is no number of seconds"), "{error}");
    assert!(!folder.files().contains(&"out.bcf".to_owned()));
}

/// Validates by the schemas of buildingSMART, where `IMPINGE_BCF_SCHEMAS` names a folder with `2.1` and `3.0`, and Python has lxml.
#[test]
fn files_are_valid_by_the_schemas() {
    const SCRIPT: &str = include_str!("validate_bcf.py");
    let Some(schemas) = std::env::var_os("IMPINGE_BCF_SCHEMAS") else {
        println!("SKIPPED the schemas of BCF: IMPINGE_BCF_SCHEMAS names no folder");
        return;
    };
    let python = std::env::var_os("IMPINGE_PYTHON").unwrap_or_else(|| "python3".into());
    let has_lxml = Command::new(&python).args(["-c", "import lxml"]).stderr(Stdio::null()).status();
    if !has_lxml.is_ok_and(|status| status.success()) {
        println!("SKIPPED the schemas of BCF: {} has no lxml", python.display());
        return;
    }
    let folder = Folder::new("bcf-schemas");
    write_cubes(&folder, "s.gltf", SCENE);
    for version in ["2.1", "3.0"] {
        run(&folder, &format!("clash s.gltf --bcf first.bcf --bcf-version {version}")).expect(1);
        folder.write("their.bcf", closed(&fs::read(folder.path("first.bcf")).expect("it was written"), "ok"));
        run(&folder, &format!("clash s.gltf --status their.bcf --bcf second.bcf --bcf-version {version}"))
            .expect(1);
        for file in ["first.bcf", "second.bcf"] {
            let mut command = Command::new(&python);
            let output = command
                .arg("-c")
                .arg(SCRIPT)
                .arg(&schemas)
                .arg(folder.path(file))
                .output()
                .expect("Python runs");
            assert!(output.status.success(), "{file}: {}{}", text(&output.stdout), text(&output.stderr));
        }
    }
}

/// A request to end, as systems send it, gives what was found by then.
#[cfg(target_os = "linux")]
#[test]
fn termination_gives_a_partial_result() {
    let folder = Folder::new("clash-terminated");
    folder.make("parts crowd.glb --parts 3000 --faces 300 --clashes 1400 --seed 1");
    let mut command = folder.command("clash crowd.glb --clearance 0.02 --json");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    // The search begins when the signal has a handler; before that, the signal would end the process.
    let is_handled = |status: String| {
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?.trim().to_owned();
        Some(u64::from_str_radix(&mask, 16).ok()? & (1 << 14) != 0)
    };
    let status = format!("/proc/{}/status", child.id());
    while !fs::read_to_string(&status).ok().and_then(is_handled).unwrap_or(false) {
        assert!(child.try_wait().expect("it can be asked").is_none(), "it ended before it had a handler");
        std::thread::yield_now();
    }
    let killed = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(killed.expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    let document: Value = serde_json::from_slice(&output.stdout).expect("a whole document");
    assert_eq!(document["partial"], true);
    assert!(document["clashes"].as_array().is_some_and(|clashes| clashes.len() < 1400));
}
