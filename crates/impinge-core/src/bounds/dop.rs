//! Discrete oriented polytopes (Zachmann 1998, §3): the intersection of K half-spaces with fixed normals.

mod measure;
#[cfg(test)]
mod tests;

use super::Aabb;
use crate::math::DVec3;

/// The normals of a K-DOP; the second half are the opposites of the first. Not of unit length: their coordinates are
/// 0 and ±1, so that products with them are exact.
///
/// 6 are the sides of a cube, 8 those of an octahedron, 14 both, 18 a cube with its edges cut, 26 all of them.
pub const fn directions<const K: usize>() -> [[f64; 3]; K] {
    const AXES: [[f64; 3]; 3] = [[1., 0., 0.], [0., 1., 0.], [0., 0., 1.]];
    const CORNERS: [[f64; 3]; 4] = [[1., 1., 1.], [-1., 1., 1.], [1., -1., 1.], [1., 1., -1.]];
    const EDGES: [[f64; 3]; 6] =
        [[1., 1., 0.], [1., -1., 0.], [1., 0., 1.], [1., 0., -1.], [0., 1., 1.], [0., 1., -1.]];
    assert!(matches!(K, 6 | 8 | 14 | 18 | 26), "K must be 6, 8, 14, 18 or 26");
    let mut directions = [[0.0; 3]; K];
    let (mut count, half) = (0, K / 2);
    while count < half {
        // Axes first, then corners (8, 14, 26), then edges (18, 26).
        let place = if K == 8 { count + 3 } else { count };
        let with_corners = K != 18;
        directions[count] = if place < 3 {
            AXES[place]
        } else if with_corners && place < 7 {
            CORNERS[place - 3]
        } else {
            EDGES[place - if with_corners { 7 } else { 3 }]
        };
        let [x, y, z] = directions[count];
        directions[count + half] = [0.0 - x, 0.0 - y, 0.0 - z];
        count += 1;
    }
    directions
}

/// A K-DOP: all points x with `direction_i · x ≤ offset_i`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dop<const K: usize> {
    /// The extent of the polytope along each of the [`directions`].
    pub offsets: [f64; K],
}

impl<const K: usize> Dop<K> {
    /// The polytope of no points.
    pub const EMPTY: Dop<K> = Dop { offsets: [f64::NEG_INFINITY; K] };

    /// The least polytope around points. Offsets along directions that are not axes are sums, rounded to nearest: a
    /// tree adds padding for that.
    pub fn around(points: impl IntoIterator<Item = DVec3>) -> Dop<K> {
        points.into_iter().fold(Dop::EMPTY, Dop::with_point)
    }

    /// The least polytope around this one and a point.
    #[must_use]
    pub fn with_point(mut self, point: DVec3) -> Dop<K> {
        let half = K / 2;
        for i in 0..half {
            let [x, y, z] = const { directions::<K>() }[i];
            let along = x * point.x + y * point.y + z * point.z;
            // Plain comparisons: of a constant fold of `f64::max` here, optimized builds have lost the last point.
            if along > self.offsets[i] {
                self.offsets[i] = along;
            }
            if -along > self.offsets[i + half] {
                self.offsets[i + half] = -along;
            }
        }
        self
    }

    /// The least polytope around both.
    #[must_use]
    pub fn merge(mut self, other: &Dop<K>) -> Dop<K> {
        for (own, other) in self.offsets.iter_mut().zip(other.offsets) {
            *own = own.max(other);
        }
        self
    }

    /// The least box around the polytope; where no axis is among its directions (K = 8), the least that follows from
    /// pairs of them.
    pub fn bounds(&self) -> Aabb {
        let half = K / 2;
        let d = &self.offsets;
        if d.contains(&f64::NEG_INFINITY) {
            return Aabb::EMPTY;
        }
        if K != 8 {
            return Aabb {
                min: -DVec3::new(d[half], d[half + 1], d[half + 2]),
                max: DVec3::new(d[0], d[1], d[2]),
            };
        }
        // Two corners' directions add up to twice an axis.
        let middle = |i: usize, j: usize| 0.5 * d[i] + 0.5 * d[j];
        let max =
            [middle(0, 5).min(middle(2, 3)), middle(0, 6).min(middle(1, 3)), middle(0, 7).min(middle(1, 2))];
        let min =
            [middle(4, 1).min(middle(6, 7)), middle(4, 2).min(middle(5, 7)), middle(4, 3).min(middle(5, 6))];
        Aabb { min: -DVec3::from_array(min), max: DVec3::from_array(max) }
    }

    /// Whether the intervals of the two overlap along every direction, which they do wherever the two share a point.
    pub fn overlaps(&self, other: &Dop<K>) -> bool {
        let half = K / 2;
        (0..K).all(|i| self.offsets[i] + other.offsets[(i + half) % K] >= 0.0)
    }
}
