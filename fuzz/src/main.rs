//! Runs fuzz targets for a stated time: `drive [--seconds N] [--seed S] [TARGET…]`, all targets where none is named. An input that fails is
//! written to `artifacts/TARGET/`, as small as it could be made.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use impinge_fuzz::drive::{self, Outcome, PATIENCE, Random};
use impinge_fuzz::{TARGETS, Target, target};

fn main() -> ExitCode {
    let (mut seconds, mut seed, mut chosen) = (10, 1, Vec::new());
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || words.next().and_then(|text| text.parse().ok());
        match (word.as_str(), target(&word)) {
            ("--seconds", _) => match number() {
                Some(given) => seconds = given,
                None => return refuse("--seconds: how many?"),
            },
            ("--seed", _) => match number() {
                Some(given) => seed = given,
                None => return refuse("--seed: which?"),
            },
            (_, Some(target)) => chosen.push(target),
            _ => return refuse(&format!("`{word}` is no target")),
        }
    }
    if chosen.is_empty() {
        chosen.extend(TARGETS);
    }
    // What fails is said once, in the end.
    std::panic::set_hook(Box::new(|_| {}));
    let failed = chosen.into_iter().filter(|target| !fuzz(target, seconds, seed)).count();
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn refuse(reason: &str) -> ExitCode {
    let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    eprintln!("{reason}\nThe targets are {}.", names.join(", "));
    ExitCode::from(2)
}

/// Whether nothing was wrong.
fn fuzz(target: &'static Target, seconds: u64, seed: u64) -> bool {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let seeds = files(&folder.join("seeds").join(target.name));
    let words = dictionary(&folder.join("dictionaries").join(format!("{}.dict", target.name)));
    let mut random = Random::new(seed);
    let next = || drive::input(&mut random, &seeds, &words, target.longest);
    let stuck = |input: &[u8]| {
        let file = keep(target.name, input);
        println!("{:8} STUCK for more than {} s: {}", target.name, PATIENCE.as_secs(), file.display());
        std::process::exit(1);
    };
    match drive::run(target.run, next, Duration::from_secs(seconds), stuck) {
        Outcome::Passed { inputs } => {
            println!("{:8} {inputs} inputs in {seconds} s", target.name);
            true
        }
        Outcome::Failed { input, message } => {
            let small = drive::shrink(target.run, input, Duration::from_secs(10));
            let file = keep(target.name, &small);
            println!("{:8} FAILED, {} bytes: {}\n{message}", target.name, small.len(), file.display());
            false
        }
    }
}

fn files(folder: &Path) -> Vec<Vec<u8>> {
    let Ok(list) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = list.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.iter().filter_map(|path| std::fs::read(path).ok()).collect()
}

/// The words between quotes of a dictionary of libFuzzer; escapes are left as they are.
fn dictionary(file: &Path) -> Vec<Vec<u8>> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let quoted = |line: &str| Some(line.split_once('"')?.1.rsplit_once('"')?.0.as_bytes().to_vec());
    text.lines().filter(|line| !line.starts_with('#')).filter_map(quoted).collect()
}

fn keep(name: &str, input: &[u8]) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("artifacts").join(name);
    let hash = input.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let file = folder.join(format!("{hash:016x}"));
    if std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, input)).is_err() {
        eprintln!("{} cannot be written", file.display());
    }
    file
}
