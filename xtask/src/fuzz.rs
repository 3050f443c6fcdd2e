//! Runs the fuzz targets for a stated time. The crate `fuzz` is a workspace of its own, with checks that a release build does not have.

use std::process::Command;

use crate::workspace::{Workspace, cargo};

const MANIFEST: &str = "fuzz/Cargo.toml";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    /// For each target.
    seconds: u64,
    seed: u64,
    /// By cargo-fuzz.
    coverage: bool,
    /// All where none is named.
    targets: Vec<String>,
}

pub(crate) fn parse(words: &[&str]) -> Result<Options, String> {
    let mut options = Options { seconds: 10, seed: 1, coverage: false, targets: Vec::new() };
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        let mut number = || {
            let given = words.next().and_then(|text| text.parse().ok());
            given.ok_or(format!("`{word}` needs a whole number"))
        };
        match word {
            "--seconds" => options.seconds = number()?,
            "--seed" => options.seed = number()?,
            "--coverage" => options.coverage = true,
            _ if word.starts_with('-') => return Err(format!("`fuzz` has no option `{word}`")),
            _ => options.targets.push(word.to_owned()),
        }
    }
    if options.coverage && options.targets.is_empty() {
        return Err("`fuzz --coverage` needs the names of targets".to_owned());
    }
    Ok(options)
}

pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<(), String> {
    if !options.coverage {
        let mut command = Command::new(cargo());
        command.args(["run", "--release", "--manifest-path", MANIFEST, "--no-default-features"]);
        command.args(["--bin", "drive", "--", "--seconds", &options.seconds.to_string()]);
        command.args(["--seed", &options.seed.to_string()]).args(&options.targets);
        return judge(command.current_dir(&workspace.root), "the driver");
    }
    for target in &options.targets {
        // The toolchain is chosen by the program `cargo` that rustup puts first, not by the one that runs this.
        let mut command = Command::new("cargo");
        command.args(["+nightly", "fuzz", "run", target]);
        let seeds = format!("fuzz/seeds/{target}");
        if workspace.root.join(&seeds).is_dir() {
            command.args([format!("fuzz/corpus/{target}"), seeds]);
        }
        command.args(["--", &format!("-max_total_time={}", options.seconds)]);
        command.arg(format!("-seed={}", options.seed));
        judge(command.current_dir(&workspace.root), target)?;
    }
    Ok(())
}

fn judge(command: &mut Command, what: &str) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("fuzz: {what} ended with {status}")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_told_from_targets() {
        let options = parse(&["--seconds", "60", "pairs", "worlds", "--seed", "7"]).expect("good");
        assert_eq!((options.seconds, options.seed, options.coverage), (60, 7, false));
        assert_eq!(options.targets, ["pairs", "worlds"]);
        assert!(parse(&[]).expect("all").targets.is_empty());
        for words in [&["--seconds"][..], &["--seconds", "long"], &["--coverage"], &["--fast"]] {
            assert!(parse(words).is_err(), "{words:?}");
        }
    }
}
