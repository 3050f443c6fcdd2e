//! Van Waveren 2005: sweeps of polyhedra against a level.

pub mod sweep;
