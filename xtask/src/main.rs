//! Chores of the repository. `cargo xtask test` is the one test command; `cargo xtask layers` checks who may use
//! whom.

mod finding;
mod layers;
mod source;
mod workspace;

use std::env;
use std::process::ExitCode;

use workspace::Workspace;

const USAGE: &str = "\
Chores of the repository.

usage: cargo xtask layers [--write]

  layers       check the order of modules, what the library may not touch, and the walls between crates
    --write    make the table of layers in ARCHITECTURE.md anew
";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["layers", options @ ..] if options.iter().all(|option| *option == "--write") => {
            Workspace::load().and_then(|workspace| layers::check(&workspace, !options.is_empty()))
        }
        ["help" | "--help" | "-h", ..] => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
