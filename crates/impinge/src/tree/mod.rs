//! Trees of bounding volumes over numbered elements; they know neither meshes nor models.

pub mod axial_bsp;
pub mod dop_tree;
pub mod height_tree;
pub mod solid_bsp;
