//! Runs steps one after the other, announced and timed, up to the first failure; then prints what each took.

use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use crate::workspace::cargo;

pub(crate) struct Step<'a> {
    pub(crate) name: String,
    pub(crate) action: Action<'a>,
}

pub(crate) enum Action<'a> {
    /// Cargo with these arguments and variables.
    Cargo { arguments: Vec<String>, variables: Vec<(&'static str, String)> },
    /// Something done in this process, and how one would do it alone.
    Here { command: &'static str, run: Box<dyn Fn() -> Result<(), String> + 'a> },
}

impl<'a> Step<'a> {
    pub(crate) fn cargo(name: &str, arguments: &[&str]) -> Self {
        let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
        Self { name: name.to_owned(), action: Action::Cargo { arguments, variables: Vec::new() } }
    }

    pub(crate) fn here(name: &str, command: &'static str, run: impl Fn() -> Result<(), String> + 'a) -> Self {
        Self { name: name.to_owned(), action: Action::Here { command, run: Box::new(run) } }
    }

    /// Sets a variable for a step that runs cargo.
    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Self {
        if let Action::Cargo { variables, .. } = &mut self.action {
            variables.push((name, value.to_owned()));
        }
        self
    }

    /// The step as one would type it.
    fn command(&self) -> String {
        match &self.action {
            Action::Here { command, .. } => (*command).to_owned(),
            Action::Cargo { arguments, variables } => {
                let variables =
                    variables.iter().map(|(name, value)| format!("{name}='{value}' ")).collect::<String>();
                format!("{variables}cargo {}", arguments.join(" "))
            }
        }
    }

    fn run(&self, root: &Path) -> Result<(), String> {
        match &self.action {
            Action::Here { run, .. } => run(),
            Action::Cargo { arguments, variables } => {
                let mut command = Command::new(cargo());
                command
                    .args(arguments)
                    .envs(variables.iter().map(|(name, value)| (name, value)))
                    .current_dir(root);
                judge(command.status().map_err(|error| format!("cargo: {error}"))?)
            }
        }
    }
}

fn judge(status: ExitStatus) -> Result<(), String> {
    if status.success() { Ok(()) } else { Err(format!("cargo ended with {status}")) }
}

/// Runs all steps at the root; the error says which step failed, and why.
pub(crate) fn run(steps: &[Step<'_>], root: &Path) -> Result<(), String> {
    let mut times = Vec::new();
    let mut failure = None;
    for (index, step) in steps.iter().enumerate() {
        println!("\n== {}/{} {}: {}", index + 1, steps.len(), step.name, step.command());
        let start = Instant::now();
        let outcome = step.run(root);
        times.push((step.name.as_str(), start.elapsed(), outcome.is_ok()));
        if let Err(reason) = outcome {
            let place = format!("step {} of {}, {}", index + 1, steps.len(), step.name);
            failure = Some(format!("{reason}\n\nFAILED: {place} ({})", step.command()));
            break;
        }
    }
    println!("\n{}", table(&times));
    match failure {
        Some(message) => Err(message),
        None => {
            println!("all {} steps passed", steps.len());
            Ok(())
        }
    }
}

fn table(times: &[(&str, Duration, bool)]) -> String {
    let total: Duration = times.iter().map(|(_, time, _)| *time).sum();
    let mut rows: Vec<_> =
        times.iter().map(|&(name, time, ok)| (name, time, if ok { "ok" } else { "FAILED" })).collect();
    rows.push(("together", total, ""));
    let width = rows.iter().map(|(name, ..)| name.chars().count()).max().unwrap_or(0);
    let lines =
        rows.iter().map(|(name, time, mark)| format!("{name:width$} {:8.1} s  {mark}", time.as_secs_f64()));
    lines.map(|line| line.trim_end().to_owned() + "\n").collect()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn the_first_failure_stops_the_run_and_is_named() {
        let ran = Cell::new(0);
        let count = |result: Result<(), String>| {
            let ran = &ran;
            move || {
                ran.set(ran.get() + 1);
                result.clone()
            }
        };
        let steps = [
            Step::here("one", "do one", count(Ok(()))),
            Step::here("two", "do two", count(Err("it broke".to_owned()))),
            Step::here("three", "do three", count(Ok(()))),
        ];
        let message = run(&steps, Path::new(".")).expect_err("a step fails");
        assert_eq!(message, "it broke\n\nFAILED: step 2 of 3, two (do two)");
        assert_eq!(ran.get(), 2);
        assert_eq!(run(&steps[..1], Path::new(".")), Ok(()));
    }

    #[test]
    fn a_failing_cargo_fails_the_step() {
        let step = Step::cargo("version", &["--version"]).with("RUSTDOCFLAGS", "-D warnings");
        assert_eq!(step.command(), "RUSTDOCFLAGS='-D warnings' cargo --version");
        assert_eq!(run(&[step], Path::new(".")), Ok(()));
        let judged = |program: &str| judge(Command::new(program).status().expect("the program is there"));
        assert_eq!(judged("true"), Ok(()));
        assert!(judged("false").is_err());
    }

    #[test]
    fn the_table_has_a_row_for_each_step_and_the_sum() {
        let times = [("one", Duration::from_millis(1500), true), ("second", Duration::from_secs(100), false)];
        assert_eq!(
            table(&times),
            "one           1.5 s  ok\nsecond      100.0 s  FAILED\ntogether    101.5 s\n"
        );
    }
}
