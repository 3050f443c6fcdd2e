//! The main job of the README: the lines of its fenced block marked `sh main-job`, run as a reader would.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::demo::BUILT_COMMAND;

const FILE: &str = "README.md";
const MARK: &str = "sh main-job";

/// Commands that end with status 1 when they have found something; for them that is an answer, not a failure.
const ANSWERING: [&str; 6] = ["check", "distance", "ray", "overlap", "sweep", "clash"];

/// Runs the block line by line at the root, each line in a shell of its own. `$OUT` names a folder for what the
/// lines write. With `built`, chores take that command in place of building one.
pub(crate) fn run_main_job(root: &Path, out: &Path, built: Option<&Path>) -> Result<(), String> {
    let path = root.join(FILE);
    if !path.exists() {
        println!("SKIPPED: there is no {FILE} yet");
        return Ok(());
    }
    let text = fs::read_to_string(&path).map_err(|error| format!("{FILE}: {error}"))?;
    run_lines(&main_job(&text)?, root, out, built)
}

fn run_lines(lines: &[String], root: &Path, out: &Path, built: Option<&Path>) -> Result<(), String> {
    for line in lines {
        println!("$ {line}");
        let mut command = Command::new("bash");
        command.args(["-eu", "-o", "pipefail", "-c", line]).current_dir(root).env("OUT", out);
        command.envs(built.map(|built| (BUILT_COMMAND, built)));
        let status = command.status().map_err(|error| format!("bash: {error}"))?;
        let answered =
            status.code() == Some(1) && line.split_whitespace().any(|word| ANSWERING.contains(&word));
        if !status.success() && !answered {
            return Err(format!("{FILE}: `{line}` ended with {status}"));
        }
    }
    Ok(())
}

/// The commands of the block: comments and blank lines left out, lines that end with `\` joined to the next.
fn main_job(text: &str) -> Result<Vec<String>, String> {
    let mut lines = text.lines().map(str::trim_end);
    let fence = lines
        .by_ref()
        .find_map(|line| {
            let info = line.trim_start_matches('`');
            let fence = &line[..line.len() - info.len()];
            (fence.len() >= 3 && info.trim() == MARK).then_some(fence)
        })
        .ok_or_else(|| format!("{FILE} has no block marked ```{MARK}"))?;
    let mut commands = Vec::new();
    let mut command = String::new();
    for line in lines {
        if line == fence {
            return if commands.is_empty() {
                Err(format!("{FILE}: the block {MARK} is empty"))
            } else {
                Ok(commands)
            };
        }
        let line = line.trim_start().trim_start_matches("$ ");
        if command.is_empty() && (line.is_empty() || line.starts_with('#')) {
            continue;
        }
        match line.strip_suffix('\\') {
            Some(part) => command.push_str(part),
            None => {
                command.push_str(line);
                commands.push(std::mem::take(&mut command));
            }
        }
    }
    Err(format!("{FILE}: the block {MARK} does not end"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_is_found_among_others() {
        let text = "# x\n```sh\nrm -rf no\n```\ntext\n```sh main-job\n# first\n$ a --b \\\n    c\n\nd\n```\n```sh\ne\n```\n";
        assert_eq!(main_job(text), Ok(vec!["a --b c".to_owned(), "d".to_owned()]));
    }

    #[test]
    fn a_missing_empty_or_endless_block_is_an_error() {
        for text in ["", "```sh\na\n```\n", "```sh main-job\n# a\n```\n", "```sh main-job\na\n"] {
            assert!(main_job(text).is_err(), "{text}");
        }
    }

    #[test]
    fn status_one_is_an_answer_for_questions_only() {
        let here = Path::new(".");
        let run = |line: &str| {
            run_lines(&[line.to_owned()], here, Path::new("a folder"), Some(Path::new("a command")))
        };
        assert_eq!(run("true"), Ok(()));
        assert_eq!(run("sh -c 'exit 1' check a b"), Ok(()));
        assert!(run("sh -c 'exit 2' check a b").is_err());
        assert!(run("sh -c 'exit 1' make a b").is_err());
        assert!(run("false; true").is_err(), "a line stops at its first failure");
        assert!(run("exec 2>/dev/null; echo $UNSET").is_err());
        assert_eq!(run("test \"$OUT\" = 'a folder'"), Ok(()));
        assert_eq!(run("test \"$IMPINGE_COMMAND\" = 'a command'"), Ok(()));
    }
}
