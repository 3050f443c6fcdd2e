//! The command as its users meet it: the real binary, run in folders of its own.

/// The command, and the name that its lines on stderr begin with.
const PROGRAM: [&str; 2] = [env!("CARGO_BIN_EXE_impinge"), "impinge"];

mod baseline;
mod bcf;
mod check;
mod clash;
mod clash_animation;
mod clash_parts;
mod clash_rules;
mod distance;
mod errors;
mod files;
mod help;
mod hostile;
mod image;
mod inspect;
mod make;
mod overlap;
mod placement;
mod poses;
mod ray;
mod report;
mod support;
mod sweep;
mod threads;
mod view;
