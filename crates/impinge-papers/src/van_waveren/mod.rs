//! Van Waveren 2005: sweeps of polyhedra against a level, and its axial BSP tree.

pub mod axial_bsp;
pub mod sweep;
