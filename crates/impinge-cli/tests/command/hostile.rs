//! Input that means harm, and output that cannot be written: an error with status 2, and no file that is half or gone.

use std::fs;
use std::process::Stdio;

use crate::support::{Folder, Run, TRIANGLE, UPRIGHT, write_cubes};

/// What the files of a folder hold.
fn contents(folder: &Folder) -> Vec<(String, Vec<u8>)> {
    let read = |name: String| {
        let content = fs::read(folder.path(&name)).unwrap_or_default();
        (name, content)
    };
    folder.files().into_iter().map(read).collect()
}

#[test]
fn inputs_are_never_replaced() {
    let folder = Folder::new("same-file");
    folder.write("a.obj", TRIANGLE);
    folder.write("b.obj", UPRIGHT);
    folder.write("poses.txt", "1 0 0 0 0 1 0 0 0 0 1 0\n");
    folder.write("motions.txt", "1 0 0\n");
    folder.write("a.png", TRIANGLE);
    folder.write("p-stencil.png", TRIANGLE);
    write_cubes(&folder, "s.gltf", &[("a", [0.0; 3], 1.0), ("b", [0.4; 3], 1.0)]);
    folder.write("old.json", folder.run("clash s.gltf --json").expect(1));
    fs::hard_link(folder.path("a.obj"), folder.path("hard.obj")).expect("a link can be made");
    #[cfg(unix)]
    std::os::unix::fs::symlink("b.obj", folder.path("soft.obj")).expect("a link can be made");
    let before = contents(&folder);
    let mut cases = vec![
        ("check a.obj b.obj --curve a.obj", "a.obj: --curve would replace what is read"),
        ("check a.obj b.obj --curve ./b.obj", "./b.obj: --curve"),
        ("check a.obj b.obj --curve hard.obj", "hard.obj: --curve"),
        ("check a.obj b.obj --report b.obj", "b.obj: --report"),
        ("check s.gltf b.obj --report s.bin", "s.bin: --report"),
        ("sweep a.obj b.obj --translate 1,0,0 --report hard.obj", "hard.obj: --report"),
        ("clash s.gltf --report s.gltf", "s.gltf: --report"),
        ("clash s.gltf --report s.bin", "s.bin: --report"),
        ("clash s.gltf --baseline old.json --report old.json", "old.json: --report"),
        ("image a.png b.obj --png a.png --device cpu", "a.png: --png"),
        ("image p-stencil.png b.obj --png p.png --device cpu", "p-stencil.png: --png"),
    ];
    if cfg!(unix) {
        cases.push(("check a.obj b.obj --curve soft.obj", "soft.obj: --curve"));
    }
    for (arguments, message) in cases {
        let error = folder.run(arguments).error();
        assert!(error.starts_with(message), "{arguments}: {error}");
        assert_eq!(contents(&folder), before, "{arguments}");
    }
    // Another file is written as ever.
    folder.run("check a.obj b.obj --curve curve.obj").expect(1);
    folder.run("check a.obj b.obj --curve curve.obj").expect(1);
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_refused_at_once() {
    let folder = Folder::new("no-file");
    folder.write("a.obj", TRIANGLE);
    let made = std::process::Command::new("mkfifo").arg(folder.path("pipe")).status().expect("mkfifo runs");
    assert!(made.success());
    let kinds =
        [("pipe", "pipe: is a pipe"), ("/dev/zero", "/dev/zero: is a device"), (".", ".: is a folder")];
    for (file, message) in kinds {
        for arguments in [
            format!("inspect {file}"),
            format!("check a.obj {file}"),
            format!("check a.obj a.obj --poses-b {file}"),
            format!("sweep a.obj a.obj --motions {file}"),
            format!("ray a.obj --rays {file}"),
            format!("distance a.obj a.obj --poses-b {file}"),
            format!("clash a.obj --baseline {file}"),
        ] {
            let error = folder.run(&arguments).error();
            assert!(error.starts_with(message), "{arguments}: {error}");
        }
    }
    // A folder stands for the files in it, and only for those.
    assert!(folder.run("clash pipe").error().starts_with("pipe: is a pipe"));
    assert_eq!(folder.run("clash . --json").json(0)["parts"][0]["path"], "a.obj");
}

#[test]
fn buffers_outside_of_the_folder_are_read_only_when_asked_for() {
    let folder = Folder::new("outside");
    fs::create_dir_all(folder.path("inner")).expect("a folder can be made");
    write_cubes(&folder, "s.gltf", &[("a", [0.0; 3], 1.0), ("b", [0.4; 3], 1.0)]);
    let text = fs::read_to_string(folder.path("s.gltf")).expect("it is there");
    folder.write("inner/s.gltf", text.replace("s.bin", "../s.bin"));
    for command in ["inspect inner/s.gltf", "clash inner/s.gltf", "check inner/s.gltf s.gltf"] {
        let error = folder.run(command).error();
        assert!(error.contains("outside of the file's folder"), "{command}: {error}");
        let run = folder.run(&format!("{command} --allow-outside"));
        assert!(run.status < 2, "{command}: {}", run.stderr);
    }
    let error = folder.run("inspect s.gltf --memory -1").error();
    assert_eq!(error, "--memory: -1 is no size of 0 or more");
}

#[test]
fn a_part_that_cannot_be_placed_is_named_and_the_rest_is_done() {
    let folder = Folder::new("singular");
    let cubes =
        [("a", [0.0; 3], 1.0), ("flat", [0.0; 3], 0.0), ("b", [0.4; 3], 1.0), ("far", [9.0; 3], 1e-200)];
    write_cubes(&folder, "s.gltf", &cubes);
    let document = folder.run("clash s.gltf --json").json(1);
    let names: Vec<_> =
        document["parts"].as_array().expect("a list").iter().map(|part| &part["name"]).collect();
    assert!(names.contains(&&"a".into()) && names.contains(&&"b".into()) && !names.contains(&&"flat".into()));
    assert_eq!(document["clashes"].as_array().map(Vec::len), Some(1));
    let notes = document["notes"].to_string();
    assert!(notes.contains("s.gltf: part flat is left out: "), "{notes}");
    let table = folder.run("clash s.gltf --report page.html").expect(1);
    assert!(table.contains("note: s.gltf: part flat is left out: "), "{table}");
    let page = fs::read_to_string(folder.path("page.html")).expect("it was written");
    assert!(page.contains("part flat is left out"));
    // Nothing but such parts is an error.
    write_cubes(&folder, "s.gltf", &[("flat", [0.0; 3], 0.0)]);
    let error = folder.run("clash s.gltf").error();
    assert!(error.contains("no part that can be placed") && error.contains("part flat"), "{error}");
}

#[test]
fn names_of_any_length_and_kind_are_shown_in_one_line() {
    let folder = Folder::new("long-names");
    let long = "n".repeat(70_000);
    folder.write("a.obj", format!("o {long}\n{TRIANGLE}o b\n{}", UPRIGHT.replace("1 2 3", "4 5 6")));
    let table = folder.run("clash a.obj --split").expect(1);
    assert!(table.contains(&long));
    let long_unit = "u".repeat(70_000);
    let table = folder.run(&format!("clash a.obj --split --unit {long_unit}")).expect(1);
    assert!(table.contains(&long_unit));
    folder.run("inspect a.obj").expect(0);

    let name = "gpj\u{202e}jbo\u{200b}\u{1b}[2J.obj";
    folder.write(name, format!("g one\u{202e}\n{TRIANGLE}"));
    for arguments in ["inspect", "check a.obj", "distance a.obj", "clash a.obj", "overlap --sphere 0,0,0,1"] {
        let mut command = folder.command(arguments);
        command.arg(name);
        let run = Run::of(command);
        assert!(run.status < 2, "{}", run.stderr);
        assert!(run.stdout.contains("gpj"), "{arguments}: {}", run.stdout);
        for hidden in ['\u{202e}', '\u{200b}', '\u{1b}'] {
            assert!(!run.stdout.contains(hidden), "{arguments}: {:?}", run.stdout);
        }
    }
}

/// The command with files of no more than so many blocks, as on a disk that is full. The signal is ignored, so that writing fails.
#[cfg(target_os = "linux")]
fn with_full_disk(folder: &Folder, arguments: &str) -> Run {
    let command = folder.command(arguments);
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\""]).arg(command.get_program());
    shell.args(command.get_args()).current_dir(folder.path("."));
    Run::of(shell)
}

/// Every option that writes a file: an error that names it, nothing half-written, and an older file is what it was.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_nothing_behind() {
    let folder = Folder::new("full-disk");
    folder.make("torus a.ply --triangles 2000");
    let at = "--translate-b 0.3,0.1,0.2";
    let cases = [
        format!("check a.ply a.ply {at} --curve OUT.obj"),
        format!("check a.ply a.ply {at} --report OUT.html"),
        "sweep a.ply a.ply --translate-a 9,0,0 --translate -9,0,0 --report OUT.html".to_owned(),
        "clash a.ply a.ply --no-depth --report OUT.html".to_owned(),
        "image a.ply a.ply --device cpu --resolution 64 --png OUT.png".to_owned(),
        "make torus OUT.obj --triangles 2000".to_owned(),
        "make torus OUT.ply --triangles 2000".to_owned(),
        "make assembly OUT.glb".to_owned(),
    ];
    for case in cases {
        let target =
            case.split_whitespace().find(|word| word.starts_with("OUT")).expect("a target").to_owned();
        for older in [None, Some("older")] {
            older.into_iter().for_each(|older| folder.write(&target, older));
            let before = contents(&folder);
            let error = with_full_disk(&folder, &case).error();
            assert!(error.starts_with(&target) && error.contains("cannot be written"), "{case}: {error}");
            assert_eq!(contents(&folder), before, "{case}");
        }
        fs::remove_file(folder.path(&target)).expect("it is there");
        // A device that is full.
        let device = case.replace(&target, "/dev/full");
        if !case.starts_with("make") && !case.starts_with("image") {
            let error = folder.run(&device).error();
            assert!(error.starts_with("/dev/full: cannot be written"), "{device}: {error}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn outputs_to_a_pipe_that_is_closed_do_not_panic() {
    let folder = Folder::new("closed-pipe");
    folder.make("torus a.ply --triangles 2000");
    for (arguments, status) in [
        ("check a.ply a.ply --report /dev/stdout", 2),
        ("check a.ply a.ply --pairs", 1),
        ("clash a.ply a.ply --no-depth", 1),
        ("clash a.ply a.ply --no-depth --json", 1),
        ("clash a.ply a.ply --no-depth --csv", 1),
        ("inspect a.ply", 0),
    ] {
        let mut command = folder.command(arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!complaint.contains("panic"), "{arguments}: {complaint}");
        assert_eq!(output.status.code(), Some(status), "{arguments}: {complaint}");
    }
    // And where the disk is full, help is no exception.
    let full = fs::File::options().write(true).open("/dev/full").expect("Linux has it");
    let mut command = folder.command("check --help");
    let output = command.stdout(full).stderr(Stdio::piped()).spawn().expect("it runs").wait_with_output();
    assert_eq!(output.expect("it ends").status.code(), Some(2));
}
