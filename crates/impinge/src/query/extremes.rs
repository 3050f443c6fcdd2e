//! How far the vertices of a model reach along directions, of which there are many for the same vertices.

use std::ops::Range;

use crate::model::Placed;
use impinge_core::bounds::Aabb;
use impinge_core::math::DVec3;

/// So many vertices have a box in common, and so many boxes. Neighbors in a list of vertices are mostly neighbors in space.
const BLOCK: usize = 16;

/// The vertices of a model in the world.
pub(super) struct Extremes {
    points: Vec<DVec3>,
    /// Boxes of points, boxes of those, and so on up to a few.
    levels: Vec<Vec<Aabb>>,
}

impl Extremes {
    pub(super) fn of(placed: &Placed<'_>) -> Extremes {
        let placement = placed.placement();
        let points: Vec<DVec3> =
            placed.model().mesh().vertices().map(|vertex| placement.point_to_world(vertex)).collect();
        let of_points = points.chunks(BLOCK).map(|block| Aabb::around(block.iter().copied()));
        let mut levels: Vec<Vec<Aabb>> = vec![of_points.collect()];
        while let Some(last) = levels.last().filter(|last| last.len() > BLOCK) {
            let of_boxes = last
                .chunks(BLOCK)
                .map(|block| Aabb::around(block.iter().flat_map(|bounds| [bounds.min, bounds.max])));
            levels.push(of_boxes.collect());
        }
        Extremes { points, levels }
    }

    /// The least product of a point and a direction; infinite without points.
    pub(super) fn least(&self, direction: DVec3) -> f64 {
        // Most boxes are left out at once if the search begins where the least is likely to be.
        let mut range = 0..self.levels.last().map_or(0, Vec::len);
        for level in (0..self.levels.len()).rev() {
            let bound = |place: &usize| bound(&self.levels[level][*place], direction);
            let Some(likely) = range.min_by(|one, other| bound(one).total_cmp(&bound(other))) else {
                return f64::INFINITY;
            };
            range = self.children(level, likely);
        }
        let least = self.within(0, range, direction, f64::INFINITY);
        let top = self.levels.len();
        self.within(top, 0..self.levels[top - 1].len(), direction, least)
    }

    /// The lesser of a number and the products of the points in some boxes of a level, or of points at level 0.
    fn within(&self, level: usize, range: Range<usize>, direction: DVec3, mut least: f64) -> f64 {
        if level == 0 {
            return self.points[range].iter().fold(least, |least, point| least.min(point.dot(direction)));
        }
        for place in range {
            if bound(&self.levels[level - 1][place], direction) < least {
                least = self.within(level - 1, self.children(level - 1, place), direction, least);
            }
        }
        least
    }

    /// The boxes or points in a box.
    fn children(&self, level: usize, place: usize) -> Range<usize> {
        let count = if level == 0 { self.points.len() } else { self.levels[level - 1].len() };
        BLOCK * place..count.min(BLOCK * (place + 1))
    }

    /// The greatest product of a point and a direction.
    pub(super) fn most(&self, direction: DVec3) -> f64 {
        -self.least(-direction)
    }
}

/// The product of a box's lowest corner and a direction. Products and sums of rounded numbers are monotonic, so that of no point in the box is less.
fn bound(bounds: &Aabb, direction: DVec3) -> f64 {
    DVec3::select(direction.cmpge(DVec3::ZERO), bounds.min, bounds.max).dot(direction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mesh, Model, Trs};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn blocks_know_the_extremes_of_all_points(
            points in prop::collection::vec([-4..4_i32, -4..4, -4..4], 3..900),
            direction in [-2.0..2.0_f64, -1.0..1.0, 0.0..1e-3],
            by in [-3.0..3.0_f64, 0.0..1e9, 0.0..1e-9],
        ) {
            let vertices: Vec<DVec3> =
                points.iter().map(|point| DVec3::from_array(point.map(|x| f64::from(x) * 0.1))).collect();
            let model = Model::new(Mesh::triangles(vertices, vec![[0, 1, 2]]).unwrap());
            let placed = model.at(Trs::translation(by).unwrap());
            let (extremes, direction) = (Extremes::of(&placed), DVec3::from_array(direction));
            let in_world = |vertex: DVec3| placed.placement().point_to_world(vertex);
            let products: Vec<f64> = model.mesh().vertices().map(|vertex| in_world(vertex).dot(direction)).collect();
            let least = products.iter().copied().fold(f64::INFINITY, f64::min);
            let most = products.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            prop_assert_eq!((extremes.least(direction), extremes.most(direction)), (least, most));
        }
    }
}
