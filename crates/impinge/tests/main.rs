//! All tests of the library from outside, in one program: each program more costs a link, and a copy of the trees and
//! sweeps that it instantiates.
//!
//! `cargo test -p impinge --test all rays` runs those of one file.
#![allow(clippy::unwrap_used)]

mod oracle;
mod sweep_oracle;

mod arithmetic;
mod axial_bsp;
mod broad;
mod clash;
mod clash_moving;
mod closest;
mod coherence;
mod complexes;
mod contacts;
mod curve;
mod deformable;
mod distance;
mod engines;
mod exact_overlap;
mod flush;
mod frames;
mod generate;
mod itself;
mod models;
mod once_wrong;
mod peers_late;
mod published_queries;
mod rays;
mod refit;
mod rooms;
mod rotation_roots;
mod separation;
mod shrunk;
mod solid_bsp;
mod solids;
mod sweep;
mod sweep_bytes;
mod sweep_fuzz;
mod sweep_oracle_itself;
mod sweep_threads;
mod sweeps_judged;
mod terrain;
mod tree_build;
mod verdicts;
mod volumes;
mod ways;
mod world;
