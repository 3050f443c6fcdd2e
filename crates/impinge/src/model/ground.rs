//! Terrains as rays and volumes read them: in place, without an index table or a tree of boxes.

use super::Model;
use crate::mesh::Grid;
use impinge_core::heightfield::{HeightField, HeightTree};

/// The heights of a terrain, the tree over them, and which cells have no faces.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'m> {
    /// The tree of least and greatest heights over the terrain's parts.
    pub tree: &'m HeightTree,
    /// The heights, with the positions of the vertices.
    pub field: HeightField<'m>,
    /// The cells and holes of the terrain.
    pub grid: &'m Grid,
}

impl Model {
    /// A terrain's heights; the tree over them is made when the first ray or volume asks. None for meshes that are no
    /// terrain.
    pub fn ground(&self) -> Option<Ground<'_>> {
        let (origin, spacing, heights, grid) = self.mesh.terrain_parts()?;
        let field = HeightField { origin, spacing, columns: grid.columns, rows: grid.rows, heights };
        let tree = self.height_tree.get_or_make(|| HeightTree::new(&field, |cell| grid.is_hole(cell)));
        Some(Ground { tree, field, grid })
    }
}
