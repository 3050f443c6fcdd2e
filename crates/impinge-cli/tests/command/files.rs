//! Files that cannot be read: every error names the file, and the line where there is one.

use crate::support::{Folder, TRIANGLE};

#[test]
fn files_that_are_no_meshes() {
    let folder = Folder::new("no-mesh");
    folder.write("good.obj", TRIANGLE);
    folder.write("empty.obj", "");
    folder.write("nan.obj", "v 0 0 0\nv 1 0 nan\nv 0 1 0\nf 1 2 3\n");
    folder.write("index.obj", "v 0 0 0\nf 1 2 3\n");
    folder.write("notes.xyz", "Dear reader");
    folder.write("short.stl", "solid");
    std::fs::create_dir(folder.path("folder.obj")).expect("a folder can be made");
    for (file, message) in [
        ("none.obj", "none.obj: cannot be read: "),
        ("folder.obj", "folder.obj: is a folder, and only regular files are read"),
        ("empty.obj", "empty.obj: has no faces"),
        ("nan.obj", "nan.obj: line 2: z is NaN, which is not a finite number"),
        ("index.obj", "index.obj: line 2: "),
        ("notes.xyz", "notes.xyz: is of no known format"),
        ("short.stl", "short.stl: "),
    ] {
        for arguments in [
            format!("check {file} good.obj"),
            format!("check good.obj {file} --json"),
            format!("inspect {file}"),
        ] {
            let error = folder.run(&arguments).error();
            assert!(error.starts_with(message), "{arguments}: {error}");
        }
    }
}

#[test]
fn a_file_of_unknown_extension_is_known_by_its_content() {
    let folder = Folder::new("content");
    folder.write("mesh.txt", TRIANGLE);
    folder.run("check mesh.txt mesh.txt").expect(1);
}

#[test]
fn strange_names_stay_in_one_line() {
    let folder = Folder::new("names");
    let mut command = folder.command("inspect");
    command.arg("two\nlines.obj");
    let error = crate::support::Run::of(command).error();
    assert!(error.starts_with("two\\nlines.obj: cannot be read: "), "{error}");
    // A name that begins like an option is a file after `--`.
    folder.write("-odd.obj", TRIANGLE);
    folder.run("check -- -odd.obj -odd.obj").expect(1);
}
