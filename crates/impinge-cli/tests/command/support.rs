//! A folder to run the command in, and what came of it. The tests of `impinge-papers` use it, too.

use std::fs;
use std::path::PathBuf;
use std::process::{self, Command, Stdio};

use impinge_report::HAS_PICTURES;
use serde_json::Value;

use crate::PROGRAM;

/// A folder that is gone when the test is over.
pub(crate) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Each test names a folder of its own.
    pub(crate) fn new(name: &str) -> Folder {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", process::id()));
        fs::create_dir_all(&path).expect("a folder can be made");
        Folder { path }
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.path.join(file)
    }

    pub(crate) fn write(&self, file: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(file), content).expect("a file can be written");
    }

    /// The files of the folder, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.path).expect("the folder is there");
        let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        let mut names: Vec<String> = entries.filter_map(Result::ok).map(name).collect();
        names.sort();
        names
    }

    /// The command with arguments that are separated by blanks, ready to run.
    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(PROGRAM[0]);
        command.args(arguments.split_whitespace()).current_dir(&self.path).stdin(Stdio::null());
        // Without a place for a display, some drivers of graphics devices complain, unless they are kept from it.
        command.env_remove("XDG_RUNTIME_DIR");
        command
    }

    pub(crate) fn run(&self, arguments: &str) -> Run {
        Run::of(self.command(arguments))
    }

    /// Makes a model, which must work.
    pub(crate) fn make(&self, arguments: &str) {
        self.run(&format!("make {arguments}")).expect(0);
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// What a run of the command printed, and how it ended.
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn of(mut command: Command) -> Run {
        let output = command.output().expect("the command runs");
        Run {
            status: output.status.code().expect("the command ends by itself"),
            stdout: String::from_utf8(output.stdout).expect("the output is text"),
            stderr: String::from_utf8(output.stderr).expect("the errors are text"),
        }
    }

    /// The output of a run that ended with this status and no complaint.
    pub(crate) fn expect(self, status: i32) -> String {
        assert_eq!((self.status, self.stderr.as_str()), (status, ""), "{}", self.stdout);
        self.stdout
    }

    /// The one JSON document of a run that ended with this status.
    pub(crate) fn json(self, status: i32) -> Value {
        let text = self.expect(status);
        assert_eq!(text.lines().count(), 1, "{text}");
        serde_json::from_str(&text).expect("the output is JSON")
    }

    /// The one line of a run that failed, without the name of the command.
    pub(crate) fn error(self) -> String {
        assert_eq!((self.status, self.stdout.as_str()), (2, ""), "{}", self.stderr);
        let line = self.stderr.strip_suffix('\n').expect("the line has an end");
        assert!(!line.contains('\n'), "{line}");
        let named = line.strip_prefix(PROGRAM[1]).and_then(|line| line.strip_prefix(": "));
        named.expect("the line names the command").to_owned()
    }
}

/// A triangle in the plane z = 0, in a file with other lines before and after.
pub(crate) const TRIANGLE: &str = "v 0 0 0\nv 4 0 0\nv 0 4 0\nf 1 2 3\n";

/// A triangle that stands upright and crosses the one above at (1, 1, 0).
pub(crate) const UPRIGHT: &str = "v 1 1 -1\nv 1.5 1 1\nv 0.5 1 1\nf 1 2 3\n";

/// Writes a glTF scene of cubes with sides of 1, each with a name, where its middle is, and a scale; the buffer lies beside it.
pub(crate) fn write_cubes(folder: &Folder, file: &str, cubes: &[(&str, [f64; 3], f64)]) {
    let corners = (0..8_u32).flat_map(|i| [i & 1, i >> 1 & 1, i >> 2 & 1]).map(|bit| bit as f32 - 0.5);
    let mut buffer: Vec<u8> = corners.flat_map(f32::to_le_bytes).collect();
    let squares = [[0_u16, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = squares.iter().flat_map(|&[a, b, c, d]| [a, b, c, a, c, d]);
    buffer.extend(triangles.flat_map(u16::to_le_bytes));
    let bin = PathBuf::from(file).with_extension("bin");
    folder.write(&bin.display().to_string(), &buffer);
    let uri = bin.file_name().expect("a name").to_string_lossy().into_owned();
    let node = |(name, place, scale): &(&str, [f64; 3], f64)| serde_json::json!({"name": name, "mesh": 0, "translation": place, "scale": [scale, scale, scale]});
    let document = serde_json::json!({
        "asset": {"version": "2.0"},
        "nodes": cubes.iter().map(node).collect::<Vec<_>>(),
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteLength": 96},
            {"buffer": 0, "byteOffset": 96, "byteLength": 72},
        ],
        "buffers": [{"uri": uri, "byteLength": 168}],
    });
    folder.write(file, document.to_string());
}

/// Checks that the help of commands names and explains every option, in a folder of a name.
pub(crate) fn check_help(name: &str, commands: &[(&str, &[&str])]) {
    let folder = Folder::new(name);
    for (command, options) in commands {
        for flag in ["--help", "-h"] {
            let help = folder.run(&format!("{command} {flag}")).expect(0);
            for option in *options {
                assert!(help.contains(option), "{command} {flag}: {option}\n{help}");
                assert!(!option.starts_with('-') || is_explained(&help, option), "{option}\n{help}");
            }
            assert!(help.contains("Exit status"), "{command} {flag}");
        }
        if !command.is_empty() {
            let help = folder.run(&format!("{command} --help")).expect(0);
            assert!(help.contains(&format!("Examples:\n  {} ", PROGRAM[1])), "{help}");
        }
    }
}

/// Whether a text stands behind the option and its value, or in the line below.
fn is_explained(help: &str, option: &str) -> bool {
    let mut lines = help.lines().skip_while(|line| {
        let words = line.trim_start();
        !(words.starts_with('-') && words.split_whitespace().any(|word| word == option))
    });
    let (Some(line), below) = (lines.next(), lines.next().unwrap_or_default()) else { return false };
    let behind = line.split_once(option).map_or(0, |(_, behind)| behind.split_whitespace().count());
    behind > 1 || !below.trim().is_empty()
}

/// The data of a page; none where the page was built without pictures and has tables only.
pub(crate) fn data(folder: &Folder, file: &str) -> Option<Value> {
    let page = fs::read_to_string(folder.path(file)).expect("the page was written");
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    assert!(!page.contains("src=\"http"));
    if !HAS_PICTURES {
        return None;
    }
    let (_, rest) = page.split_once("id=\"report\">").expect("a place for data");
    let (data, _) = rest.split_once("</script>").expect("an end of it");
    Some(serde_json::from_str(data).expect("JSON"))
}
