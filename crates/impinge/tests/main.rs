//! All tests of the library from outside, in one program: each program more costs a link, and a copy of the trees and
//! sweeps that it instantiates.
//!
//! `cargo test -p impinge --test all rays` runs those of one file.
#![allow(clippy::unwrap_used)]

mod effort;
mod engine_set;
mod margin_oracle;
mod oracle;
mod simd_harness;
mod sweep_oracle;
mod touching_oracle;
mod voxels;

mod api;
mod arithmetic;
mod broad;
mod bytes_fuzz;
mod clash;
mod clash_copies;
mod clash_moving;
mod clash_touch;
mod closest;
mod coherence;
mod lattice_cells;
mod contacts;
mod cracks;
mod curve;
mod deformable;
mod distance;
mod engines;
mod exact_overlap;
mod exact_placements;
mod coplanar;
mod frames;
mod generated;
mod self_intersection;
mod margin_oracle_itself;
mod margins;
mod margins_prolonged;
mod models;
mod regressions;
mod pair_bytes;
mod peer_failures;
mod penetration;
mod planted;
mod prepare;
mod published_queries;
mod rays;
mod refit;
mod cavities;
mod separation;
mod shared_surface;
mod shared_volume;
mod offset_inward;
mod simd_levels;
mod solids;
mod sweep;
mod sweep_bytes;
mod sweep_engines;
mod sweep_fuzz;
mod sweep_oracle_itself;
mod sweep_sides;
mod sweep_threads;
mod sweeps_judged;
mod terrain;
mod touching_judge_itself;
mod touching_named;
mod touching_oracle_itself;
mod touching_starts;
mod touching_worlds;
mod threads;
mod tree_build;
mod verdicts;
mod volumes;
mod world;
mod world_bytes;
