//! The experiments of the papers, all of them and in full.

use std::path::Path;
use std::process::Command;

use crate::workspace::Workspace;

/// The program with the experiments, and the command that had them before.
const PROGRAM: &str = "impinge-papers";
const COMMAND: [&str; 2] = ["impinge", "bench"];

/// What a program lists beside experiments.
const OTHERS: [&str; 2] = ["help", "arena"];

/// Runs every experiment that the built program lists, or `all` where it lists that.
pub(crate) fn run_all(workspace: &Workspace, out: &Path) -> Result<(), String> {
    let has_program =
        workspace.packages.iter().any(|package| package.binaries.iter().any(|name| name == PROGRAM));
    let words: &[&str] = if has_program { &[PROGRAM] } else { &COMMAND };
    let command = || {
        let mut command = Command::new(workspace.program(words[0]));
        command.args(&words[1..]).current_dir(out);
        command
    };
    let help = command().arg("--help").output().map_err(|error| format!("{}: {error}", words[0]))?;
    let names = experiments(&String::from_utf8_lossy(&help.stdout));
    if names.is_empty() {
        return Err(format!("`{} --help` lists no experiment", words.join(" ")));
    }
    for name in names {
        println!("$ {} {name}", words.join(" "));
        let status = command().arg(&name).status().map_err(|error| format!("{}: {error}", words[0]))?;
        if !status.success() {
            return Err(format!("`{} {name}` ended with {status}", words.join(" ")));
        }
    }
    Ok(())
}

/// The names below `Commands:` in a program's help.
fn experiments(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| line.trim() != "Commands:").skip(1);
    let rows = lines.take_while(|line| !line.trim().is_empty());
    // Descriptions that are wrapped stand further to the right.
    let names = rows.filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '));
    let names = names.filter_map(|line| line.split_whitespace().next());
    let names: Vec<String> = names.filter(|name| !OTHERS.contains(name)).map(str::to_owned).collect();
    if names.iter().any(|name| name == "all") { vec!["all".to_owned()] } else { names }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn experiments_are_read_from_the_help() {
        let help = "Run one\n\nUsage: x\n\nCommands:\n  broad     Boxes\n            and more\n  dop-tree  Trees\n  arena     A game\n  help      Print\n\nOptions:\n  -h, --help  Print\n";
        assert_eq!(experiments(help), ["broad", "dop-tree"]);
        assert_eq!(experiments(&help.replace("broad ", "all   ")), ["all"]);
        assert_eq!(experiments("Options:\n  -h"), [""; 0]);
    }
}
