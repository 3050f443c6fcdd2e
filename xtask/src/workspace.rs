//! The workspace as cargo sees it.

use std::collections::BTreeMap;
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
    /// Its features, and what each switches on.
    pub(crate) features: BTreeMap<String, Vec<String>>,
    pub(crate) has_library: bool,
    pub(crate) binaries: Vec<String>,
    pub(crate) examples: Vec<Example>,
    /// Whether it is meant for the registry.
    pub(crate) is_published: bool,
    pub(crate) about: About,
}

/// What a manifest tells people about a package.
#[derive(Default)]
pub(crate) struct About {
    pub(crate) description: Option<String>,
    pub(crate) repository: Option<String>,
    pub(crate) readme: Option<String>,
    pub(crate) license: Option<String>,
    pub(crate) keywords: Vec<String>,
    pub(crate) categories: Vec<String>,
}

pub(crate) struct Example {
    pub(crate) name: String,
    pub(crate) features: Vec<String>,
}

/// Packages that take long to build, or need a device or a program of the machine.
const OF_MACHINE: [&str; 2] = ["wgpu", "pyo3"];

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

    /// Whether a package depends on another, in the registry or here, by itself or by way of packages of the workspace.
    pub(crate) fn depends(&self, package: &Package, on: &str) -> bool {
        package.dependencies.iter().any(|name| {
            let next = || self.package(name).filter(|next| next.name != package.name);
            name == on || next().is_some_and(|next| self.depends(next, on))
        })
    }

    /// The libraries that people depend on and that need nothing of the machine.
    pub(crate) fn libraries(&self) -> impl Iterator<Item = &Package> {
        let is_plain = |package: &&Package| !OF_MACHINE.iter().any(|name| self.depends(package, name));
        self.packages.iter().filter(|package| package.has_library && package.is_published).filter(is_plain)
    }

    /// A program that was built in release.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.target.join("release").join(format!("{name}{}", env::consts::EXE_SUFFIX))
    }
}

impl Package {
    fn read(package: &Value, root: &Path) -> Result<Self, String> {
        let path = PathBuf::from(text(&package["manifest_path"]));
        let manifest = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
        let manifest_text = fs::read_to_string(&path).map_err(|error| format!("{manifest}: {error}"))?;
        let of_kind = |kind: &'static str| {
            let is_it = move |target: &&Value| texts(&target["kind"]).iter().any(|each| each == kind);
            list(&package["targets"]).iter().filter(is_it)
        };
        let features = package["features"].as_object().into_iter().flatten();
        Ok(Self {
            name: text(&package["name"]),
            manifest,
            manifest_text,
            rust_version: package["rust_version"].as_str().map(str::to_owned),
            dependencies: list(&package["dependencies"])
                .iter()
                .map(|dependency| text(&dependency["name"]))
                .collect(),
            features: features.map(|(name, brings)| (name.clone(), texts(brings))).collect(),
            has_library: of_kind("lib").chain(of_kind("rlib")).next().is_some(),
            binaries: of_kind("bin").map(|target| text(&target["name"])).collect(),
            is_published: package["publish"].as_array().is_none_or(|registries| !registries.is_empty()),
            about: About::read(package),
            examples: of_kind("example")
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

impl About {
    fn read(package: &Value) -> Self {
        let field = |name: &str| package[name].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
        Self {
            description: field("description"),
            repository: field("repository"),
            readme: field("readme"),
            license: field("license"),
            keywords: texts(&package["keywords"]),
            categories: texts(&package["categories"]),
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_are_followed_through_the_workspace() {
        let package = |name: &str, dependencies: &[&str]| Package {
            name: name.to_owned(),
            dependencies: dependencies.iter().map(|&name| name.to_owned()).collect(),
            has_library: true,
            is_published: true,
            ..Package::default()
        };
        let packages = vec![
            package("kernel", &["glam"]),
            // A package may name itself, which is how tests switch on its features.
            package("shapes", &["kernel", "shapes"]),
            package("image", &["kernel", "wgpu"]),
            package("papers", &["image", "shapes"]),
        ];
        let workspace = Workspace { root: "".into(), target: "".into(), packages };
        let depends =
            |name: &str, on: &str| workspace.depends(workspace.package(name).expect("it is there"), on);
        assert!(depends("papers", "wgpu") && depends("shapes", "glam") && depends("papers", "kernel"));
        assert!(!depends("shapes", "wgpu") && !depends("kernel", "shapes"));
        let plain: Vec<&str> = workspace.libraries().map(|package| package.name.as_str()).collect();
        assert_eq!(plain, ["kernel", "shapes"]);
    }

    #[test]
    fn metadata_of_this_workspace_is_read() {
        let workspace = Workspace::load().expect("cargo knows it");
        let own = workspace.package("xtask").expect("this package");
        assert!(!own.is_published && !own.has_library && own.binaries == ["xtask"]);
        let library = workspace.package("impinge").expect("the library");
        assert!(library.is_published && library.has_library && library.features.contains_key("default"));
        assert!(library.about.description.is_some() && !library.about.keywords.is_empty());
    }
}
