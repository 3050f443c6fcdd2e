//! Van Waveren 2005: polyhedra of convex polygons, the narrow phase, the axial BSP tree, levels of brushes, and the sweeps that measure them.

pub mod axial_bsp;
pub mod polyhedron;
pub mod brushes;
pub mod narrow;
pub mod sweep;
