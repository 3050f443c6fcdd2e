//! The workspace as cargo sees it.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

pub(crate) struct Workspace {
    pub(crate) root: PathBuf,
    /// Where cargo builds.
    pub(crate) target: PathBuf,
    pub(crate) packages: Vec<Package>,
}

#[derive(Default)]
pub(crate) struct Package {
    pub(crate) name: String,
    /// The manifest's path, relative to the workspace's root, and its text.
    pub(crate) manifest: String,
    pub(crate) manifest_text: String,
    pub(crate) rust_version: Option<String>,
    /// Names of packages, for every kind of dependency.
    pub(crate) dependencies: Vec<String>,
    pub(crate) examples: Vec<Example>,
}

pub(crate) struct Example {
    pub(crate) name: String,
    pub(crate) features: Vec<String>,
}

/// The cargo that runs this program, or else the one on the path.
pub(crate) fn cargo() -> OsString {
    env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

impl Workspace {
    /// Asks cargo about the workspace that this program belongs to.
    pub(crate) fn load() -> Result<Self, String> {
        // Cargo sets the variable for `cargo run`; the built-in path serves the bare binary.
        let own = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let manifest = Path::new(&own).join("Cargo.toml");
        let output = Command::new(cargo())
            .args(["metadata", "--no-deps", "--format-version", "1", "--manifest-path"])
            .arg(&manifest)
            .output()
            .map_err(|error| format!("cargo metadata: {error}"))?;
        if !output.status.success() {
            return Err(format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr).trim()));
        }
        let metadata: Value =
            serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))?;
        let root = PathBuf::from(text(&metadata["workspace_root"]));
        let target = PathBuf::from(text(&metadata["target_directory"]));
        let packages = list(&metadata["packages"]).iter().map(|package| Package::read(package, &root));
        Ok(Self { packages: packages.collect::<Result<_, _>>()?, root, target })
    }

    pub(crate) fn package(&self, name: &str) -> Option<&Package> {
        self.packages.iter().find(|package| package.name == name)
    }
}

impl Package {
    fn read(package: &Value, root: &Path) -> Result<Self, String> {
        let path = PathBuf::from(text(&package["manifest_path"]));
        let manifest = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
        let manifest_text = fs::read_to_string(&path).map_err(|error| format!("{manifest}: {error}"))?;
        let examples = list(&package["targets"])
            .iter()
            .filter(|target| texts(&target["kind"]).contains(&"example".into()));
        Ok(Self {
            name: text(&package["name"]),
            manifest,
            manifest_text,
            rust_version: package["rust_version"].as_str().map(str::to_owned),
            dependencies: list(&package["dependencies"])
                .iter()
                .map(|dependency| text(&dependency["name"]))
                .collect(),
            examples: examples
                .map(|target| Example {
                    name: text(&target["name"]),
                    features: texts(&target["required-features"]),
                })
                .collect(),
        })
    }

    /// The line of the manifest that brings in a dependency, by its name or by `package = "name"`; 0 if unseen.
    pub(crate) fn line_of_dependency(&self, name: &str) -> usize {
        let names_it = |line: &str| {
            let key = line.split(['=', '.', ' ']).next().unwrap_or_default();
            let header = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')).unwrap_or_default();
            key.trim_matches('"') == name
                || header.ends_with(&format!("dependencies.{name}"))
                || line.contains(&format!("package = \"{name}\""))
        };
        self.manifest_text.lines().position(|line| names_it(line.trim())).map_or(0, |index| index + 1)
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn texts(value: &Value) -> Vec<String> {
    list(value).iter().map(text).collect()
}
