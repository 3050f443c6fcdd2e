//! How far places may be off, because the numbers of the maps that lead to them were rounded when they were written.

use impinge::math::{DAffine3, DMat3};

/// How far off a map may take a point: by a length, and by a share of the point's distance from the origin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct MapRounding {
    pub(crate) length: f64,
    pub(crate) share: f64,
}

impl MapRounding {
    /// That of a point at a distance from the origin.
    pub(crate) fn at(self, reach: f64) -> f64 {
        self.length + self.share * reach
    }

    /// That of a node in the world, below one of which `self` is that. `own` is what its map to the parent is off.
    pub(crate) fn below(
        self,
        world_from_parent: &DAffine3,
        own: MapRounding,
        parent_from_node: &DAffine3,
    ) -> MapRounding {
        let world_scale = greatest_scale(&world_from_parent.matrix3);
        MapRounding {
            length: world_scale * own.length + self.at(parent_from_node.translation.length()),
            share: world_scale * own.share + self.share * greatest_scale(&parent_from_node.matrix3),
        }
    }
}

/// The greatest factor by which a map makes lengths longer, or a little more: exact for rotations with scale.
pub(crate) fn greatest_scale(map: &DMat3) -> f64 {
    let squares = map.transpose() * *map;
    let rows = [squares.row(0), squares.row(1), squares.row(2)].map(|row| row.abs().element_sum());
    rows.into_iter().fold(0.0, f64::max).sqrt()
}
