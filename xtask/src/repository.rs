//! Checks of the repository as a whole: what every manifest must say and every package hold, that no file of tests is forgotten,
//! and what no tracked file may hold.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::finding::{Finding, settle};
use crate::published;
use crate::workspace::{Package, Workspace, cargo};

/// Libraries with a switch for threads. Switched off, neither they nor what they depend on may bring the pool of threads.
const WITHOUT_THREADS: [&str; 3] = ["impinge", "impinge-formats", "impinge-image"];
const THREADS: &str = "rayon";

const LARGEST_FILE: u64 = 1024 * 1024;

/// Paths that exist on one machine only. Joined here, so that this file does not hold them itself.
const MACHINE_PATHS: [&str; 4] =
    [concat!("/", "work/"), concat!("/", "home/"), concat!("/", "root/"), concat!("/", "tmp/target")];

pub(crate) fn check(workspace: &Workspace) -> Result<(), String> {
    let mut findings: Vec<_> = workspace.packages.iter().flat_map(check_manifest).collect();
    findings.extend(published::check(workspace)?);
    match tracked(&workspace.root) {
        Ok(files) => {
            for list in files.iter().filter(|file| file.ends_with("tests/main.rs")) {
                let text = fs::read_to_string(workspace.root.join(list));
                findings.extend(forgotten(list, &text.map_err(|error| format!("{list}: {error}"))?, &files));
            }
            for file in &files {
                findings
                    .extend(check_file(&workspace.root, file).map_err(|error| format!("{file}: {error}"))?);
            }
            println!("repository: {} manifests and {} tracked files", workspace.packages.len(), files.len());
        }
        Err(reason) => println!("SKIPPED the check of tracked files: {reason}"),
    }
    for name in WITHOUT_THREADS {
        if let Some(package) = workspace.package(name) {
            let tree = dependencies_without_features(&workspace.root, name)?;
            findings.extend(check_threads(&package.manifest, &tree));
        }
    }
    settle(&findings)
}

/// All that a package depends on when it is built without default features, a line each.
fn dependencies_without_features(root: &Path, package: &str) -> Result<String, String> {
    let arguments =
        ["tree", "--package", package, "--no-default-features", "--edges", "normal", "--prefix", "none"];
    let output = Command::new(cargo()).args(arguments).current_dir(root).output();
    let output = output.map_err(|error| format!("cargo tree: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn check_threads(manifest: &str, tree: &str) -> Option<Finding> {
    let has_threads = tree.lines().any(|line| line.split_whitespace().next() == Some(THREADS));
    let problem = format!("depends on {THREADS} even with `--no-default-features`");
    has_threads.then(|| Finding::new(manifest, 0, problem))
}

fn check_manifest(package: &Package) -> Vec<Finding> {
    let mut findings = Vec::new();
    if package.rust_version.is_none() {
        findings.push(Finding::new(&package.manifest, 0, "declares no rust-version"));
    }
    if !inherits_lints(&package.manifest_text) {
        findings.push(Finding::new(&package.manifest, 0, "lacks `[lints] workspace = true`"));
    }
    findings
}

fn inherits_lints(manifest: &str) -> bool {
    let mut section = "";
    manifest.lines().map(str::trim).any(|line| {
        if line.starts_with('[') {
            section = line;
        }
        let setting: String = line.split('#').next().unwrap_or_default().split_whitespace().collect();
        section == "[lints]" && setting == "workspace=true"
            || section.is_empty() && setting == "lints.workspace=true"
    })
}

/// Files beside a list of tests that it does not name: they would never run, and nothing else would say so.
fn forgotten(list: &str, text: &str, files: &[String]) -> Vec<Finding> {
    let folder = list.strip_suffix("main.rs").unwrap_or(list);
    let module = |file: &String| {
        let name = file.strip_prefix(folder)?;
        let name = name.strip_suffix("/mod.rs").or_else(|| name.strip_suffix(".rs"))?;
        (name != "main" && !name.contains('/')).then(|| name.to_owned())
    };
    let is_named = |name: &str| text.lines().any(|line| line.trim() == format!("mod {name};"));
    let names = files.iter().filter_map(module).filter(|name| !is_named(name));
    names.map(|name| Finding::new(list, 0, format!("lacks `mod {name};`: its tests never run"))).collect()
}

/// The files that git tracks, relative to the root.
fn tracked(root: &Path) -> Result<Vec<String>, String> {
    let output = Command::new("git").args(["ls-files", "-z"]).current_dir(root).output();
    let output = output.map_err(|error| format!("git: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
    }
    let list = String::from_utf8_lossy(&output.stdout);
    Ok(list.split('\0').filter(|file| !file.is_empty()).map(str::to_owned).collect())
}

fn check_file(root: &Path, file: &str) -> std::io::Result<Vec<Finding>> {
    let path = root.join(file);
    // A file that git still lists may be gone from the folder; a link holds its target and nothing else.
    let Ok(metadata) = fs::symlink_metadata(&path) else { return Ok(Vec::new()) };
    let content = if metadata.is_symlink() {
        fs::read_link(&path)?.into_os_string().into_encoded_bytes()
    } else if metadata.is_file() {
        fs::read(&path)?
    } else {
        return Ok(Vec::new());
    };
    let mut findings = Vec::new();
    if metadata.len() > LARGEST_FILE {
        findings.push(Finding::new(
            file,
            0,
            format!("is {} bytes; the limit is {LARGEST_FILE}", metadata.len()),
        ));
    }
    for (index, line) in content.split(|&byte| byte == b'\n').enumerate() {
        if let Some(found) = machine_path(line) {
            findings.push(Finding::new(file, index + 1, format!("holds a path of one machine: {found}…")));
        }
    }
    Ok(findings)
}

/// A machine's path in the line. It starts where no other path or address goes on: `https://host/work/` and
/// `../work/` are none.
fn machine_path(line: &[u8]) -> Option<&'static str> {
    let goes_on = |byte: u8| byte.is_ascii_alphanumeric() || b"._-~}*>".contains(&byte);
    MACHINE_PATHS.into_iter().find(|path| {
        let starts = line.windows(path.len()).enumerate().filter(|(_, window)| *window == path.as_bytes());
        starts.into_iter().any(|(start, _)| start == 0 || !goes_on(line[start - 1]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inherited_lints_are_seen() {
        assert!(inherits_lints("[package]\n[lints]\nworkspace = true\n"));
        assert!(inherits_lints("[lints]\n# Why.\nworkspace=true # all\n[features]"));
        assert!(inherits_lints("lints.workspace = true\n[package]\n"));
        assert!(!inherits_lints("[package]\nedition.workspace = true\n"));
        assert!(!inherits_lints("[lints]\nworkspace = false\n[other]\nworkspace = true\n"));
        assert!(!inherits_lints("[lints]\n# workspace = true\n"));
    }

    #[test]
    fn a_manifest_without_version_or_lints_is_found() {
        let bare = Package { manifest: "x/Cargo.toml".to_owned(), ..Package::default() };
        let lines: Vec<_> = check_manifest(&bare).iter().map(ToString::to_string).collect();
        assert_eq!(
            lines,
            ["x/Cargo.toml: declares no rust-version", "x/Cargo.toml: lacks `[lints] workspace = true`"]
        );
    }

    #[test]
    fn a_forgotten_file_of_tests_is_found() {
        let files = [
            "a/tests/main.rs",
            "a/tests/one.rs",
            "a/tests/two/mod.rs",
            "a/tests/two/part.rs",
            "a/tests/x.bin",
        ];
        let files = files.map(str::to_owned);
        let found = |text| forgotten("a/tests/main.rs", text, &files);
        assert_eq!(found("//! All.\nmod one;\nmod two;\n"), []);
        let lines: Vec<_> = found("mod one;\n// mod two;\n").iter().map(ToString::to_string).collect();
        assert_eq!(lines, ["a/tests/main.rs: lacks `mod two;`: its tests never run"]);
        assert_eq!(found("").len(), 2);
    }

    #[test]
    fn threads_that_cannot_be_switched_off_are_found() {
        let with = "impinge v0.1.0\nglam v0.33.0\nrayon v1.12.0\nrayon-core v1.13.0\n";
        let found = check_threads("a/Cargo.toml", with).map(|finding| finding.to_string());
        let expected = "a/Cargo.toml: depends on rayon even with `--no-default-features`";
        assert_eq!(found.as_deref(), Some(expected));
        assert_eq!(check_threads("a/Cargo.toml", "impinge v0.1.0\ncrayon v1.0.0\n"), None);
    }

    #[test]
    fn paths_of_a_machine_are_found() {
        for path in MACHINE_PATHS {
            for before in ["", "\"", " ", "(", "=", "file://", "`"] {
                assert_eq!(machine_path(format!("{before}{path}x").as_bytes()), Some(path), "{before}{path}");
            }
            for before in ["https://host", "..", "$X", "a_", "${X}"] {
                assert_eq!(machine_path(format!("{before}{path}x").as_bytes()), None, "{before}{path}");
            }
        }
        assert_eq!(machine_path(b"homework and /usr/share"), None);
    }

    #[test]
    fn files_are_found_by_size_and_content() {
        let folder = std::env::temp_dir().join(format!("impinge-xtask-repository-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder for temporary files");
        let large = vec![b'x'; 1024 * 1024 + 1];
        fs::write(folder.join("large"), &large).expect("can write");
        fs::write(folder.join("fits"), &large[1..]).expect("can write");
        fs::write(folder.join("named"), format!("a\nsee {}there\n", MACHINE_PATHS[0])).expect("can write");
        let check = |file| check_file(&folder, file).expect("can read");
        assert_eq!(check("large")[0].to_string(), "large: is 1048577 bytes; the limit is 1048576");
        assert_eq!(check("fits"), []);
        assert_eq!(check("named")[0].line, 2);
        assert_eq!(check("gone"), []);
        fs::remove_dir_all(&folder).expect("can remove what it made");
    }
}
