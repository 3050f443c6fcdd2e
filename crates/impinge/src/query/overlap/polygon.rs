//! Convex polygons in space, and what half-spaces cut off them.

use impinge_core::bounds::Aabb;
use impinge_core::math::DVec3;

/// The points of space whose product with a normal is at most an offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct HalfSpace {
    pub(super) normal: DVec3,
    pub(super) offset: f64,
}

impl HalfSpace {
    /// The half-space with a point on its boundary.
    pub(super) fn through(point: DVec3, normal: DVec3) -> HalfSpace {
        HalfSpace { normal, offset: normal.dot(point) }
    }

    /// How far a point is outside, in multiples of the normal's length; negative inside.
    #[inline]
    pub(super) fn height(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.offset
    }
}

/// A convex polygon, by its corners.
#[derive(Clone, Debug)]
pub(super) struct Polygon {
    pub(super) corners: Vec<DVec3>,
}

impl Polygon {
    pub(super) fn centroid(&self) -> DVec3 {
        let origin = self.corners[0];
        let (mut sum, mut area) = (DVec3::ZERO, 0.0);
        for pair in self.corners[1..].windows(2) {
            let [u, v] = [pair[0] - origin, pair[1] - origin];
            let own = u.cross(v).length();
            sum += (u + v) * own;
            area += 3.0 * own;
        }
        if area > 0.0 {
            return origin + sum / area;
        }
        self.corners.iter().map(|&corner| corner - origin).sum::<DVec3>() / self.corners.len() as f64 + origin
    }

    pub(super) fn area(&self) -> f64 {
        let origin = self.corners[0];
        let twice = self.corners[1..]
            .windows(2)
            .map(|pair| (pair[0] - origin).cross(pair[1] - origin))
            .sum::<DVec3>();
        0.5 * twice.length()
    }

    pub(super) fn bounds(&self) -> Aabb {
        Aabb::around(self.corners.iter().copied())
    }

    /// The parts inside and outside of a half-space, each if it has more than a boundary there: outside by more than `slack`.
    pub(super) fn split(&self, half: &HalfSpace, slack: f64) -> [Option<Polygon>; 2] {
        let heights: Vec<f64> = self.corners.iter().map(|&corner| half.height(corner)).collect();
        let most = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let least = heights.iter().copied().fold(f64::INFINITY, f64::min);
        if most <= slack {
            return [Some(self.clone()), None];
        }
        if least >= -slack {
            return [None, Some(self.clone())];
        }
        let [mut inside, mut outside] = [Vec::new(), Vec::new()];
        for (i, &corner) in self.corners.iter().enumerate() {
            let next = (i + 1) % self.corners.len();
            let (from, to) = (heights[i], heights[next]);
            if from <= 0.0 {
                inside.push(corner);
            }
            if from >= 0.0 {
                outside.push(corner);
            }
            if (from < 0.0 && to > 0.0) || (from > 0.0 && to < 0.0) {
                let at = corner + (self.corners[next] - corner) * (from / (from - to));
                inside.push(at);
                outside.push(at);
            }
        }
        [inside, outside].map(|corners| (corners.len() >= 3).then_some(Polygon { corners }))
    }

    /// What of the polygon is in a box, if that is more than a boundary.
    pub(super) fn within(self, bounds: &Aabb) -> Option<Polygon> {
        let own = self.bounds();
        if (own.min.cmpgt(bounds.max) | own.max.cmplt(bounds.min)).any() {
            return None;
        }
        let mut polygon = self;
        for axis in DVec3::AXES {
            for half in [HalfSpace::through(bounds.max, axis), HalfSpace::through(bounds.min, -axis)] {
                if polygon.corners.iter().any(|&corner| half.height(corner) > 0.0) {
                    polygon = polygon.split(&half, 0.0)[0].take()?;
                }
            }
        }
        Some(polygon)
    }

    /// The two halves along the direction in which it is longest.
    pub(super) fn halves(&self) -> [Option<Polygon>; 2] {
        let (mut longest, mut along) = (0.0, DVec3::X);
        for (i, &corner) in self.corners.iter().enumerate() {
            for &other in &self.corners[i + 1..] {
                let squared = corner.distance_squared(other);
                if squared > longest {
                    (longest, along) = (squared, other - corner);
                }
            }
        }
        self.split(&HalfSpace::through(self.centroid(), along), 0.0)
    }

    /// The pieces of the polygon that are outside of a convex set; `None` where the set takes away less than a `share` of the area.
    pub(super) fn without(&self, convex: &[HalfSpace], share: f64) -> Option<Vec<Polygon>> {
        let mut left = Vec::new();
        let mut rest = self.clone();
        for half in convex {
            let [inside, outside] = rest.split(half, 0.0);
            left.extend(outside);
            rest = inside?;
        }
        // Without area nothing is taken away.
        let taken = rest.area();
        (taken > 0.0 && taken >= share * self.area()).then_some(left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square() -> Polygon {
        let corners = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]].map(|[x, y]| DVec3::new(x, y, 1.0));
        Polygon { corners: corners.to_vec() }
    }

    #[test]
    fn parts_add_up() {
        let square = square();
        assert_eq!((square.area(), square.centroid()), (4.0, DVec3::new(1.0, 1.0, 1.0)));
        for normal in [DVec3::X, DVec3::new(1.0, 2.0, 0.5), DVec3::new(-0.3, 0.9, 4.0)] {
            for offset in [-3.0, 0.0, 0.7, 1.0, 2.5, 9.0] {
                let parts = square.split(&HalfSpace { normal, offset }, 0.0);
                let sum: f64 = parts.iter().flatten().map(Polygon::area).sum();
                assert!((sum - 4.0).abs() < 1e-12, "{normal} {offset}: {sum}");
            }
        }
        let [a, b] = square.halves();
        assert!((a.unwrap().area() - 2.0).abs() < 1e-12 && (b.unwrap().area() - 2.0).abs() < 1e-12);
    }

    #[test]
    fn a_box_leaves_what_is_in_it() {
        let within = |min: [f64; 3], max: [f64; 3]| {
            square().within(&Aabb { min: min.into(), max: max.into() }).map(|polygon| polygon.area())
        };
        assert_eq!(within([-1.0; 3], [3.0; 3]), Some(4.0));
        assert_eq!(within([0.5, -1.0, 0.0], [1.0, 0.5, 1.0]), Some(0.25));
        assert_eq!(within([0.0, 0.0, 1.0], [2.0, 2.0, 1.0]), Some(4.0), "a box without height");
        for (min, max) in [([-1.0, -1.0, 1.5], [3.0; 3]), ([3.0, -1.0, 0.0], [4.0; 3]), ([1.0; 3], [0.0; 3])]
        {
            assert_eq!(within(min, max), None);
        }
    }

    #[test]
    fn a_convex_set_is_taken_away() {
        // All but a border of 0.5.
        let middle: Vec<HalfSpace> = [DVec3::X, -DVec3::X, DVec3::Y, -DVec3::Y]
            .iter()
            .map(|&normal| HalfSpace::through(DVec3::new(1.0, 1.0, 0.0) + normal * 0.5, normal))
            .collect();
        let left = square().without(&middle, 0.1).unwrap();
        let sum: f64 = left.iter().map(Polygon::area).sum();
        assert!((sum - 3.0).abs() < 1e-12 && left.len() == 4, "{sum} {}", left.len());
        assert!(square().without(&middle, 0.3).is_none());
        let beside = [HalfSpace { normal: DVec3::X, offset: -1.0 }];
        assert!(square().without(&beside, 0.0).is_none());
    }
}
