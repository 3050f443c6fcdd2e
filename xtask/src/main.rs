//! Chores of the repository. `cargo xtask test` is the one test command; `cargo xtask layers` checks who may use
//! whom.

mod api;
mod demo;
mod figures;
mod finding;
mod fuzz;
mod layers;
mod needs;
mod page;
mod papers;
mod published;
mod python;
mod readme;
mod repository;
mod source;
mod steps;
mod suite;
mod targets;
mod workspace;

use std::env;
use std::process::ExitCode;

use workspace::Workspace;

const USAGE: &str = "\
Chores of the repository.

usage: cargo xtask demo [--no-install]
       cargo xtask test [--no-install] [--quick | --long]
       cargo xtask page
       cargo xtask picture
       cargo xtask python
       cargo xtask wheels
       cargo xtask layers [--write]
       cargo xtask api [--write]
       cargo xtask figures [--write]
       cargo xtask repository
       cargo xtask check-targets
       cargo xtask fuzz [--seconds N] [--seed S] [--coverage] [TARGET…]

  demo            build the command, make a sample assembly that moves, find its clashes and say where the reports are;
                  with IMPINGE_COMMAND=PATH, take that command in place of building one
    --no-install  only say what is missing, and fail
  test            all tests, up to the first failure; installs what they need and is missing, and says what
    --no-install  only say what is missing, and fail
    --quick       leave out what needs a release build, and the documentation
    --long        all cases of the longest tests, tests from outside in debug, tests inside the libraries in release, the
                  papers' experiments in full, packages and the main job built anew
  page            test the page of reports in a browser; leaves reports and screenshots in target/page
  picture         make docs/assembly.png anew: the report of a generated assembly, as a browser shows it
  python          build the Python module, install it into a virtual environment in the folder for targets, and test it and its
                  types; build the site of its guide into target/python/site; needs python3 with venv, and gets the rest
                  from the package index
  wheels          build the wheels of a release for Linux by zig, as far as what that takes is installed, and the source
                  distribution, and install both; leaves them in target/python/release
  layers          check the order of modules, what the library may not touch, and the walls between crates
    --write       make the table of layers in ARCHITECTURE.md anew
  api             compare the public items of the library with docs/api.txt, and name items of the kernel that nobody uses
    --write       make docs/api.txt anew
  figures         compare the figures in docs/PAPERS.md with the recorded run of all experiments, runs/papers.json
    --write       make their tables anew
  repository      check what every manifest must say, what every package must hold, and what no tracked file may hold
  check-targets   check every set of features, the oldest compiler, other processors and undefined behavior, as far as
                  what that takes is installed: no warning; says what was skipped and why (also: targets)
  fuzz            run fuzz targets, all or those that are named, one after the other
    --seconds N   each for so long [default: 10]
    --seed S      with other inputs [default: 1]
    --coverage    by cargo-fuzz, which sees what inputs reach; needs it and a nightly compiler
";

enum Chore {
    Demo { install: bool },
    Api { write: bool },
    Test(suite::Options),
    Page,
    Picture,
    Python,
    Wheels,
    Layers { write: bool },
    Figures { write: bool },
    Repository,
    Targets,
    Fuzz(fuzz::Options),
    Help,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match parse(&words) {
        Ok(Chore::Demo { install }) => Workspace::load().and_then(|workspace| demo::run(&workspace, install)),
        Ok(Chore::Api { write }) => Workspace::load().and_then(|workspace| api::check(&workspace, write)),
        Ok(Chore::Test(options)) => suite::run(options),
        Ok(Chore::Page) => {
            Workspace::load().and_then(|workspace| page::test(&workspace, page::Profile::Debug))
        }
        Ok(Chore::Picture) => Workspace::load().and_then(|workspace| page::take_picture(&workspace)),
        Ok(Chore::Python) => {
            Workspace::load().and_then(|workspace| python::test(&workspace, python::Peer::Missing))
        }
        Ok(Chore::Wheels) => Workspace::load().and_then(|workspace| python::wheels(&workspace)),
        Ok(Chore::Layers { write }) => {
            Workspace::load().and_then(|workspace| layers::check(&workspace, write))
        }
        Ok(Chore::Figures { write }) => {
            Workspace::load().and_then(|workspace| figures::check(&workspace, write))
        }
        Ok(Chore::Repository) => Workspace::load().and_then(|workspace| repository::check(&workspace)),
        Ok(Chore::Targets) => {
            Workspace::load().and_then(|workspace| targets::check(&workspace, targets::Extent::All))
        }
        Ok(Chore::Fuzz(options)) => Workspace::load().and_then(|workspace| fuzz::run(&workspace, &options)),
        Ok(Chore::Help) => {
            print!("{USAGE}");
            Ok(())
        }
        Err(message) => {
            eprintln!("{message}\n\n{USAGE}");
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

fn parse(words: &[&str]) -> Result<Chore, String> {
    let Some((&chore, options)) = words.split_first() else { return Err("which chore?".to_owned()) };
    if options.iter().any(|option| matches!(*option, "--help" | "-h")) {
        return Ok(Chore::Help);
    }
    if chore == "fuzz" {
        return fuzz::parse(options).map(Chore::Fuzz);
    }
    let known: &[&str] = match chore {
        "test" => &["--no-install", "--quick", "--long"],
        "demo" => &["--no-install"],
        "api" | "figures" | "layers" => &["--write"],
        "page" | "picture" | "python" | "wheels" | "repository" | "check-targets" | "targets" => &[],
        "help" | "--help" | "-h" => return Ok(Chore::Help),
        _ => return Err(format!("there is no chore `{chore}`")),
    };
    if let Some(unknown) = options.iter().find(|option| !known.contains(option)) {
        return Err(format!("`{chore}` has no option `{unknown}`"));
    }
    let given = |option| options.contains(&option);
    Ok(match chore {
        "test" => {
            let length = match (given("--quick"), given("--long")) {
                (true, true) => return Err("`test` is quick or long, not both".to_owned()),
                (true, false) => suite::Length::Quick,
                (false, true) => suite::Length::Long,
                (false, false) => suite::Length::Plain,
            };
            Chore::Test(suite::Options { no_install: given("--no-install"), length })
        }
        "demo" => Chore::Demo { install: !given("--no-install") },
        "api" => Chore::Api { write: given("--write") },
        "page" => Chore::Page,
        "picture" => Chore::Picture,
        "python" => Chore::Python,
        "wheels" => Chore::Wheels,
        "check-targets" | "targets" => Chore::Targets,
        "figures" => Chore::Figures { write: given("--write") },
        "layers" => Chore::Layers { write: given("--write") },
        _ => Chore::Repository,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chores_and_options_are_told_apart() {
        let length = |words: &[&str]| match parse(words) {
            Ok(Chore::Test(options)) => Some(options.length),
            _ => None,
        };
        assert_eq!(length(&["test", "--quick"]), Some(suite::Length::Quick));
        assert_eq!(length(&["test", "--no-install"]), Some(suite::Length::Plain));
        assert_eq!(length(&["test", "--long"]), Some(suite::Length::Long));
        assert_eq!(length(&["test", "--long", "--quick"]), None);
        assert!(matches!(parse(&["demo"]), Ok(Chore::Demo { install: true })));
        assert!(matches!(parse(&["api", "--write"]), Ok(Chore::Api { write: true })));
        assert!(matches!(parse(&["layers"]), Ok(Chore::Layers { write: false })));
        assert!(matches!(parse(&["layers", "--write"]), Ok(Chore::Layers { write: true })));
        assert!(matches!(parse(&["repository"]), Ok(Chore::Repository)));
        assert!(matches!(parse(&["page"]), Ok(Chore::Page)));
        assert!(matches!(parse(&["check-targets"]), Ok(Chore::Targets)));
        assert!(matches!(parse(&["targets"]), Ok(Chore::Targets)));
        assert!(matches!(parse(&["picture"]), Ok(Chore::Picture)));
        assert!(matches!(parse(&["python"]), Ok(Chore::Python)));
        assert!(matches!(parse(&["wheels"]), Ok(Chore::Wheels)));
        assert!(matches!(parse(&["fuzz", "--seconds", "3", "pairs"]), Ok(Chore::Fuzz(_))));
        assert!(matches!(parse(&["test", "--help"]), Ok(Chore::Help)));
        for words in [&[][..], &["tests"], &["layers", "--quick"], &["test", "quick"]] {
            assert!(parse(words).is_err(), "{words:?}");
        }
    }
}
