//! What the tests need on the machine beyond the Rust toolchain, how to tell that it is there, and where it comes from.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::workspace::cargo;

struct Need {
    name: &'static str,
    why: &'static str,
    probe: Probe,
    source: Source,
}

enum Probe {
    /// Any of these programs is on the path.
    Program(&'static [&'static str]),
    /// `cargo NAME --version` works.
    CargoCommand(&'static str),
    /// `python3` has this module.
    PythonModule(&'static str),
    /// Any of these folders holds a file; on systems that keep such things elsewhere it is taken to be there.
    Folder(&'static [&'static str]),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// A package of Debian.
    Apt(&'static str),
    /// A component of the Rust toolchain.
    Rustup(&'static str),
}

/// Add a row for whatever a step starts to need.
const NEEDS: [Need; 11] = [
    Need {
        name: "a C linker",
        why: "rustc links with it",
        probe: Probe::Program(&["cc", "gcc", "clang"]),
        source: Source::Apt("gcc"),
    },
    Need {
        name: "bash",
        why: "runs the main job of the README",
        probe: Probe::Program(&["bash"]),
        source: Source::Apt("bash"),
    },
    Need {
        name: "git",
        why: "lists the tracked files",
        probe: Probe::Program(&["git"]),
        source: Source::Apt("git"),
    },
    Need {
        name: "node",
        why: "bundles the page of reports and runs its tests",
        probe: Probe::Program(&["node"]),
        source: Source::Apt("nodejs"),
    },
    Need {
        name: "npm",
        why: "gets three.js and what the page's tests need",
        probe: Probe::Program(&["npm"]),
        source: Source::Apt("npm"),
    },
    Need {
        name: "chromium",
        why: "opens the page in its tests",
        probe: Probe::Program(&["chromium"]),
        source: Source::Apt("chromium"),
    },
    Need {
        name: "python3 with venv",
        why: "makes the environment in which the Python module is tested",
        probe: Probe::PythonModule("ensurepip"),
        source: Source::Apt("python3-venv"),
    },
    Need {
        name: "java",
        why: "runs Spark in the tests of the Python module",
        probe: Probe::Program(&["java"]),
        source: Source::Apt("openjdk-17-jre-headless"),
    },
    Need {
        name: "rustfmt",
        why: "checks the formatting",
        probe: Probe::CargoCommand("fmt"),
        source: Source::Rustup("rustfmt"),
    },
    Need {
        name: "clippy",
        why: "checks the lints",
        probe: Probe::CargoCommand("clippy"),
        source: Source::Rustup("clippy"),
    },
    Need {
        name: "a Vulkan driver",
        why: "draws the images of impinge-image; a software driver serves",
        probe: Probe::Folder(&[
            "/usr/share/vulkan/icd.d",
            "/usr/local/share/vulkan/icd.d",
            "/etc/vulkan/icd.d",
        ]),
        source: Source::Apt("mesa-vulkan-drivers"),
    },
];

/// What the demo needs: a page with pictures.
const OF_DEMO: [&str; 3] = ["a C linker", "node", "npm"];

/// Makes sure that everything needed is there: installs what is missing, or with `install` off says so and fails.
pub(crate) fn meet(install: bool) -> Result<(), String> {
    meet_those(&NEEDS.iter().collect::<Vec<_>>(), install)
}

/// [`meet`] for what the demo needs.
pub(crate) fn meet_for_demo(install: bool) -> Result<(), String> {
    meet_those(&NEEDS.iter().filter(|need| OF_DEMO.contains(&need.name)).collect::<Vec<_>>(), install)
}

fn meet_those(needs: &[&Need], install: bool) -> Result<(), String> {
    let missing: Vec<&Need> = needs.iter().copied().filter(|need| !need.probe.finds()).collect();
    if missing.is_empty() {
        let names: Vec<&str> = needs.iter().map(|need| need.name).collect();
        println!("nothing to install; found {}", names.join(", "));
        return Ok(());
    }
    for need in &missing {
        println!("missing: {} ({}), from {}", need.name, need.why, need.source.describe());
    }
    let commands = commands(&missing, Root::find());
    if !install {
        let lines: Vec<_> = commands.iter().map(|command| format!("  {}", command.join(" "))).collect();
        return Err(format!("something needed is missing; this would install it:\n{}", lines.join("\n")));
    }
    for command in &commands {
        println!("installing: {}", command.join(" "));
        let status = Command::new(command[0]).args(&command[1..]).status();
        match status {
            Ok(status) if status.success() => {}
            Ok(status) => return Err(format!("`{}` failed: {status}", command.join(" "))),
            Err(error) => return Err(format!("`{}`: {error}", command.join(" "))),
        }
    }
    match missing.iter().find(|need| !need.probe.finds()) {
        None => Ok(()),
        Some(need) => {
            Err(format!("{} is still missing after {} was installed", need.name, need.source.describe()))
        }
    }
}

impl Probe {
    fn finds(&self) -> bool {
        match self {
            Self::Program(names) => names.iter().any(|name| on_path(name)),
            Self::Folder(folders) => {
                let has_any =
                    |folder: &&str| fs::read_dir(folder).is_ok_and(|mut files| files.next().is_some());
                cfg!(not(target_os = "linux")) || folders.iter().any(has_any)
            }
            Self::CargoCommand(name) => succeeds(Command::new(cargo()).args([*name, "--version"])),
            Self::PythonModule(name) => {
                succeeds(Command::new("python3").args(["-c", &format!("import {name}")]))
            }
        }
    }
}

/// Whether a program runs and is content, whatever it says.
fn succeeds(command: &mut Command) -> bool {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

impl Source {
    fn describe(self) -> String {
        match self {
            Self::Apt(package) => format!("the Debian package {package}"),
            Self::Rustup(component) => format!("the rustup component {component}"),
        }
    }
}

/// How to act as the system's administrator.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Root {
    Already,
    Sudo,
}

impl Root {
    fn find() -> Self {
        let user = Command::new("id").arg("-u").output();
        let is_root = user.is_ok_and(|output| output.stdout.trim_ascii() == b"0");
        if is_root { Self::Already } else { Self::Sudo }
    }
}

/// The commands that install what is missing, each as its words.
fn commands(missing: &[&Need], root: Root) -> Vec<Vec<&'static str>> {
    let mut packages = Vec::new();
    let mut components = Vec::new();
    for need in missing {
        match need.source {
            Source::Apt(package) => packages.push(package),
            Source::Rustup(component) => components.push(component),
        }
    }
    let mut commands = Vec::new();
    if !packages.is_empty() {
        let apt: &[&str] = match root {
            Root::Already => &["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"],
            Root::Sudo => &["sudo", "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"],
        };
        commands.push([apt, &["update"]].concat());
        commands.push([apt, &["install", "--yes", "--no-install-recommends"], &packages].concat());
    }
    if !components.is_empty() {
        commands.push([&["rustup", "component", "add"], components.as_slice()].concat());
    }
    commands
}

fn on_path(name: &str) -> bool {
    env::var_os("PATH").is_some_and(|path| env::split_paths(&path).any(|folder| is_file(&folder.join(name))))
}

fn is_file(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn needs(names: &[&str]) -> Vec<&'static Need> {
        NEEDS.iter().filter(|need| names.contains(&need.name)).collect()
    }

    #[test]
    fn only_what_is_missing_is_installed() {
        let lines = |names: &[&str], root| -> Vec<String> {
            commands(&needs(names), root).iter().map(|command| command.join(" ")).collect()
        };
        assert_eq!(lines(&[], Root::Already), [""; 0]);
        assert_eq!(lines(&["rustfmt", "clippy"], Root::Already), ["rustup component add rustfmt clippy"]);
        assert_eq!(
            lines(&["git", "a C linker"], Root::Sudo),
            [
                "sudo env DEBIAN_FRONTEND=noninteractive apt-get update",
                "sudo env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends gcc git",
            ]
        );
    }

    #[test]
    fn programs_are_looked_for_on_the_path() {
        assert!(Probe::Program(&["no-such-program", "sh"]).finds());
        assert!(!Probe::Program(&["no-such-program"]).finds());
        assert!(!Probe::CargoCommand("no-such-command").finds());
        assert!(!Probe::PythonModule("no_such_module").finds());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn folders_are_looked_into() {
        assert!(Probe::Folder(&["/no-such-folder", "/usr"]).finds());
        assert!(!Probe::Folder(&["/no-such-folder"]).finds());
    }
}
