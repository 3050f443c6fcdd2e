//! Triangles as a view along an axis sees them, and convex polygons of its plane.

use super::patches::Side;
use impinge_core::math::DVec2;

/// A triangle as a view sees it: its shadow, and its height over a point.
pub(super) struct Shadow {
    /// Where its face is, seen from the other surface.
    pub(super) side: Side,
    /// Where the sum so far takes it to be.
    pub(super) before: Side,
    /// The corners of the triangle, counter-clockwise.
    pub(super) triangle: [DVec2; 3],
    /// Whether all of the triangle is within the box.
    pub(super) is_within: bool,
    /// A rectangle around what of the triangle is within the box.
    pub(super) min: DVec2,
    pub(super) max: DVec2,
    /// 1 where the front of the face is above, −1 where it is below.
    pub(super) sign: f64,
    /// The height over a point is `slope · (point − origin) + height`.
    pub(super) origin: DVec2,
    pub(super) height: f64,
    pub(super) slope: DVec2,
    pub(super) lowest: f64,
    pub(super) highest: f64,
}

impl Shadow {
    pub(super) fn is_meeting(&self) -> bool {
        self.side == Side::Meeting
    }

    pub(super) fn height_at(&self, point: DVec2) -> f64 {
        (self.slope.dot(point - self.origin) + self.height).clamp(self.lowest, self.highest)
    }
}

/// Corners that an outline has room for: a triangle within a rectangle within a triangle, cut four times, and two that rounding repeats.
const MOST_CORNERS: usize = 16;

/// A convex polygon of the plane, counter-clockwise.
#[derive(Clone, Copy)]
pub(super) struct Outline {
    count: usize,
    list: [DVec2; MOST_CORNERS],
}

impl Default for Outline {
    fn default() -> Outline {
        Outline { count: 0, list: [DVec2::ZERO; MOST_CORNERS] }
    }
}

impl Outline {
    pub(super) fn corners(&self) -> &[DVec2] {
        &self.list[..self.count]
    }

    pub(super) fn extend(&mut self, corners: impl IntoIterator<Item = DVec2>) {
        corners.into_iter().for_each(|corner| self.push(corner));
    }

    fn push(&mut self, corner: DVec2) {
        // A convex polygon of so many corners does not come about; rounding may repeat one.
        if self.count < MOST_CORNERS {
            self.list[self.count] = corner;
            self.count += 1;
        }
    }

    /// The part where a linear function is at most 0.
    pub(super) fn clipped(&self, height: impl Fn(DVec2) -> f64) -> Outline {
        let mut part = Outline::default();
        let corners = self.corners();
        let Some(&last) = corners.last() else { return part };
        let (mut from, mut from_height) = (last, height(last));
        for &to in corners {
            let to_height = height(to);
            if (from_height < 0.0 && to_height > 0.0) || (from_height > 0.0 && to_height < 0.0) {
                part.push(from + (to - from) * (from_height / (from_height - to_height)));
            }
            if to_height <= 0.0 {
                part.push(to);
            }
            (from, from_height) = (to, to_height);
        }
        if part.count < 3 {
            part.count = 0;
        }
        part
    }

    /// The part within a triangle, if there is one.
    pub(super) fn within(&self, triangle: &[DVec2; 3]) -> Option<Outline> {
        let mut part = *self;
        let mut from = triangle[2];
        for &to in triangle {
            let along = to - from;
            part = part.clipped(|point| (point - from).perp_dot(along));
            if part.count == 0 {
                return None;
            }
            from = to;
        }
        Some(part)
    }

    pub(super) fn area(&self) -> f64 {
        self.integral(|_| 1.0)
    }

    pub(super) fn perimeter(&self) -> f64 {
        let corners = self.corners();
        (0..corners.len()).map(|i| corners[i].distance(corners[(i + 1) % corners.len()])).sum()
    }

    /// The integral of a linear function.
    pub(super) fn integral(&self, height: impl Fn(DVec2) -> f64) -> f64 {
        let corners = self.corners();
        let Some(&origin) = corners.first() else { return 0.0 };
        let at_origin = height(origin);
        let mut sum = 0.0;
        for pair in corners[1..].windows(2) {
            let twice = (pair[0] - origin).perp_dot(pair[1] - origin);
            sum += twice * (at_origin + height(pair[0]) + height(pair[1]));
        }
        sum / 6.0
    }
}
