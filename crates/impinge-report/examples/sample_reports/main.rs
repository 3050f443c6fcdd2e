//! Writes sample reports to a folder, for the tests of the page and to look at:
//!
//! `cargo run --package impinge-report --example sample_reports -- FOLDER [--large]`
//!
//! The clashes are those of balls and boxes, which have formulas, so that the pictures are true without the library.

mod hall;
mod scenes;
mod shapes;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use impinge_report::Report;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (large, folders): (Vec<_>, Vec<_>) = arguments.iter().partition(|word| *word == "--large");
    let [folder] = folders[..] else {
        eprintln!("usage: sample_reports FOLDER [--large]");
        return ExitCode::from(2);
    };
    match write_all(Path::new(folder), !large.is_empty()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn write_all(folder: &Path, large: bool) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for (name, report) in scenes::all() {
        write(&folder.join(format!("{name}.html")), &report, Report::html)?;
    }
    let kinds = scenes::all_kinds();
    write(&folder.join("plain.html"), &kinds, Report::plain_html)?;
    write(&folder.join("all-kinds.json"), &kinds, Report::json_with_places)?;
    write(&folder.join("all-kinds.csv"), &kinds, Report::csv)?;
    write(&folder.join("all-kinds.txt"), &kinds, Report::table)?;
    if large {
        write(
            &folder.join("parts-10000-own.html"),
            &scenes::many(10_000, scenes::Shapes::Own),
            Report::html,
        )?;
    }
    Ok(())
}

fn write(
    path: &PathBuf,
    report: &Report,
    text: impl Fn(&Report) -> Result<String, impinge_report::Invalid>,
) -> Result<(), String> {
    let text = text(report).map_err(|error| format!("{}: {error}", path.display()))?;
    fs::write(path, &text).map_err(|error| format!("{}: {error}", path.display()))?;
    println!("{:>10} bytes  {}", text.len(), path.display());
    Ok(())
}
