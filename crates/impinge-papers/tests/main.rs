//! All tests of the papers from outside, in one program. Tests that loop over engines are the library's own, with the papers' engines beside
//! the library's: `engine_set` names them.
//!
//! `cargo test -p impinge-papers --test all solid_bsp` runs those of one file.
#![allow(clippy::unwrap_used)]

/// The command, and the name that its lines on stderr begin with.
const PROGRAM: [&str; 2] = [env!("CARGO_BIN_EXE_impinge-papers"), "impinge-papers"];

mod engine_set;
#[path = "../../impinge/tests/effort.rs"]
mod effort;
#[allow(dead_code, unused_imports)]
#[path = "../../impinge/tests/oracle/mod.rs"]
mod oracle;
#[path = "../../impinge/tests/simd_harness.rs"]
mod simd_harness;
#[path = "../../impinge/tests/sweep_oracle/mod.rs"]
mod sweep_oracle;

#[allow(dead_code)]
#[path = "../../impinge-cli/tests/command/support.rs"]
mod support;

#[path = "command/arena.rs"]
mod arena;
#[path = "command/bench.rs"]
mod bench;

mod axial_bsp;
mod brushes;
mod construction;
mod descent_rules;
mod dop_engine;
mod narrow;
mod obb_tree;
mod published;
mod solid_bsp;

#[path = "../../impinge/tests/coplanar.rs"]
mod coplanar;
#[path = "../../impinge/tests/deformable.rs"]
mod deformable;
#[path = "../../impinge/tests/engines.rs"]
mod engines;
#[path = "../../impinge/tests/exact_placements.rs"]
mod exact_placements;
#[path = "../../impinge/tests/models.rs"]
mod models;
#[path = "../../impinge/tests/terrain.rs"]
mod terrain;
#[path = "../../impinge/tests/volumes/mod.rs"]
mod volumes;
