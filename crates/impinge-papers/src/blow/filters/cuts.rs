//! Polygons before and after BSP cuts, body by body.

use impinge::Model;
use impinge::shapes::Shape;
use serde::Serialize;

use crate::blow::BspEngine;

/// A body of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CutRow {
    /// What it is, by the name that `impinge make` knows.
    pub entity: &'static str,
    /// Its polygons before the cuts: as many as the paper's has.
    pub before: usize,
    /// And after them.
    pub after: usize,
    /// How many the paper's has after them.
    pub after_in_paper: usize,
    /// Nodes of the tree.
    pub nodes: usize,
    /// The most nodes from the root down.
    pub depth: usize,
}

/// The paper's table of polygons before and after BSP cuts, for bodies of as many polygons.
pub fn polygons_before_and_after_cuts() -> Vec<CutRow> {
    let row = |(shape, after_in_paper): (Shape, usize)| {
        let model = Model::new(shape.generate(0, 0));
        let statistics = BspEngine::new(&model).tree().statistics();
        CutRow {
            entity: shape.name(),
            before: statistics.polygons,
            after: statistics.fragments,
            after_in_paper,
            nodes: statistics.nodes,
            depth: statistics.depth,
        }
    };
    [(Shape::Hovertank, 111), (Shape::CargoBox, 12), (Shape::RepairPad, 76)].map(row).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_that_of_the_paper_before_the_cuts_and_like_it_after_them() {
        let rows = polygons_before_and_after_cuts();
        assert_eq!(rows.iter().map(|row| row.before).collect::<Vec<_>>(), [97, 12, 69]);
        // The paper's bodies are not ours; a third more than before is a bad cut.
        assert!(
            rows.iter().all(|row| row.before <= row.after && row.after <= row.before * 4 / 3),
            "{rows:?}"
        );
        assert_eq!(rows[1].after, 12);
    }
}
