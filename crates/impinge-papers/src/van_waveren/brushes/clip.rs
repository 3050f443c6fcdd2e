//! Parts of a face outside of a convex solid.

use impinge::math::DVec3;

/// A plane: points with `normal · x = at`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Plane {
    pub(super) normal: DVec3,
    at: f64,
}

impl Plane {
    /// The plane of a polygon; none where it has no area.
    pub(super) fn of(corners: &[DVec3]) -> Option<Plane> {
        let area = (2..corners.len())
            .fold(DVec3::ZERO, |sum, k| sum + (corners[k - 1] - corners[0]).cross(corners[k] - corners[0]));
        let normal = area.try_normalize()?;
        let at = corners.iter().map(|p| normal.dot(*p)).sum::<f64>() / corners.len() as f64;
        Some(Plane { normal, at })
    }

    pub(super) fn height(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.at
    }
}

/// A part of a face.
#[derive(Clone, Debug)]
pub(super) struct Fragment {
    pub(super) corners: Vec<DVec3>,
}

impl Fragment {
    /// The parts outside of a solid, and those on its surface that face the same way where `keeps_common`. A part that the solid does not reach
    /// stays whole.
    pub(super) fn outside(
        self,
        plane: &Plane,
        solid: &[Plane],
        keeps_common: bool,
        tolerance: f64,
    ) -> Vec<Fragment> {
        let mut outside = Vec::new();
        let mut rest = self.clone();
        for side in solid {
            let heights: Vec<f64> = rest.corners.iter().map(|&p| side.height(p)).collect();
            if heights.iter().all(|height| height.abs() <= tolerance)
                && side.normal.dot(plane.normal).abs() > 0.5
            {
                // In the plane of a face: against it, or beside it on the surface of both.
                if side.normal.dot(plane.normal) > 0.0 && keeps_common {
                    return vec![self];
                }
                continue;
            }
            if heights.iter().all(|&height| height >= -tolerance) {
                return vec![self];
            }
            if heights.iter().all(|&height| height <= tolerance) {
                continue;
            }
            let [front, back] = rest.split(&heights, tolerance);
            // What is thinner than the tolerance goes with the other part.
            match (front.has_area(tolerance), back.has_area(tolerance)) {
                (_, false) => return vec![self],
                (false, true) => rest = back,
                (true, true) => {
                    outside.push(front);
                    rest = back;
                }
            }
        }
        outside
    }

    /// The parts in front of a plane and behind it.
    fn split(&self, heights: &[f64], tolerance: f64) -> [Fragment; 2] {
        let (mut front, mut back) = (Vec::new(), Vec::new());
        for (k, (&point, &height)) in self.corners.iter().zip(heights).enumerate() {
            if height >= -tolerance {
                front.push(point);
            }
            if height <= tolerance {
                back.push(point);
            }
            let next = (k + 1) % self.corners.len();
            let (other, other_height) = (self.corners[next], heights[next]);
            if height > tolerance && other_height < -tolerance
                || height < -tolerance && other_height > tolerance
            {
                // The same point from both sides of an edge.
                let is_first = point.to_array() < other.to_array();
                let ((p, h), (q, g)) = if is_first {
                    ((point, height), (other, other_height))
                } else {
                    ((other, other_height), (point, height))
                };
                let cut = p + (q - p) * (h / (h - g));
                front.push(cut);
                back.push(cut);
            }
        }
        [Fragment { corners: front }, Fragment { corners: back }]
    }

    /// Whether the fragment is wider than the tolerance everywhere it could be.
    fn has_area(&self, tolerance: f64) -> bool {
        if self.corners.len() < 3 {
            return false;
        }
        let (mut area, mut longest) = (DVec3::ZERO, 0.0_f64);
        for k in 1..self.corners.len() {
            let arm = self.corners[k] - self.corners[0];
            area += (self.corners[k - 1] - self.corners[0]).cross(arm);
            longest = longest.max(arm.length());
        }
        area.length() > 2.0 * tolerance * longest
    }
}
