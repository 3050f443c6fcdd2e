//! Polygons as fans of triangles from their first corner, and their intersection tests.

use super::{Facet, Intersection, Kind, triangle};
use crate::math::DVec3;
use crate::predicates::{Axis, are_collinear, orient2d, orient3d};

/// The fan of a polygon, of a segment (two corners) or of a point (one): the facets that stand for it in every test.
#[derive(Clone, Debug, Default)]
pub struct Fan {
    facets: Vec<Facet>,
}

impl Fan {
    /// The fan of a face with the given corners.
    pub fn new(corners: &[DVec3]) -> Fan {
        let mut fan = Fan::default();
        fan.set(corners);
        fan
    }

    /// Makes this the fan of other corners, in the memory that it has.
    pub fn set(&mut self, corners: &[DVec3]) {
        self.facets.clear();
        let Some(last) = corners.len().checked_sub(1) else { return };
        let triangles = (0..last.saturating_sub(1).max(1))
            .map(|k| [corners[0], corners[(k + 1).min(last)], corners[(k + 2).min(last)]]);
        self.facets.extend(triangles.map(Facet::from));
        if self.facets.len() > 1 {
            self.mark_diagonals();
        }
    }

    /// A diagonal is interior to the face where the facets on its two sides continue each other: in one plane, and on
    /// opposite sides of it. Facets without area lie on the rim; in a convex polygon they come first or last, where
    /// corners next to the first are collinear with it.
    fn mark_diagonals(&mut self) {
        let area = |facet: &Facet| {
            let [a, b, c] = facet.corners;
            !are_collinear(a, b, c)
        };
        let with_area = self.facets.iter().filter(|facet| area(facet)).count();
        for facet in &mut self.facets {
            facet.on_rim = with_area > 0 && !area(facet);
        }
        for k in 1..self.facets.len() {
            let ([root, before, end], [_, _, after]) = (self.facets[k - 1].corners, self.facets[k].corners);
            if continues(root, end, before, after) {
                // Edge 2 leads back to the fan's first corner; edge 0 of the next facet leads from it.
                self.facets[k - 1].inner_edges |= 1 << 2;
                self.facets[k].inner_edges |= 1;
            }
        }
    }

    /// The facets, in the order of the corners.
    pub fn facets(&self) -> &[Facet] {
        &self.facets
    }
}

/// Whether two triangles along the edge from `p` to `q`, with the corners `a` and `b` off it, continue each other.
fn continues(p: DVec3, q: DVec3, a: DVec3, b: DVec3) -> bool {
    let opposite = |axis: &Axis| {
        let [p, q, a, b] = [p, q, a, b].map(|point| axis.drop(point));
        let (of_a, of_b) = (orient2d(p, q, a), orient2d(p, q, b));
        !of_a.is_zero() && of_a == -of_b
    };
    // In one plane, the sides are the same in every projection that shows them at all.
    orient3d(p, q, a, b).is_zero() && Axis::ALL.iter().any(opposite)
}

/// Intersects two polygons, each as the fan from its first corner. A crossing wins over a touch.
///
/// ```
/// use impinge_core::math::DVec3;
/// use impinge_core::narrow::tri_tri::{Fan, Kind, polygons};
///
/// let square = |z: f64| [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|[x, y]| DVec3::new(x, y, z));
/// let upright = [[0.5, -1.0], [0.5, 2.0], [0.5, 2.0], [0.5, -1.0]];
/// let upright: Vec<DVec3> = upright.iter().zip([-1.0, -1.0, 1.0, 1.0]).map(|(p, z)| DVec3::new(p[0], p[1], z)).collect();
///
/// let meeting = polygons(&Fan::new(&square(0.0)), &Fan::new(&upright)).unwrap();
/// assert_eq!(meeting.kind, Kind::Crossing);
/// assert_eq!(meeting.point.x, 0.5);
/// assert!(polygons(&Fan::new(&square(2.0)), &Fan::new(&upright)).is_none());
/// ```
pub fn polygons(a: &Fan, b: &Fan) -> Option<Intersection> {
    let mut touch = None;
    for facet in a.facets() {
        for other in b.facets() {
            match triangle::meeting(facet, other) {
                Some(meeting) if meeting.kind == Kind::Crossing => return Some(meeting),
                Some(meeting) => touch = touch.or(Some(meeting)),
                None => {}
            }
        }
    }
    touch
}

/// Intersects a segment with a polygon. It crosses where an inner point of the segment is interior to the
/// polygon and the segment does not lie in its plane.
pub fn segment_polygon(segment: [DVec3; 2], polygon: &Fan) -> Option<Intersection> {
    polygons(&Fan::new(&segment), polygon)
}

/// Intersects a point with a polygon; it can only touch.
pub fn point_polygon(point: DVec3, polygon: &Fan) -> Option<Intersection> {
    polygons(&Fan::new(&[point]), polygon)
}
