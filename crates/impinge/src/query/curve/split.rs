//! The triangles of a polygon whose corners may be collinear: none of them has a corner of the polygon inside an edge.
//!
//! In the fan of a polygon, a corner may lie inside of an edge of a triangle that it does not belong to: where corners
//! next to the first one are collinear with it. Neighboring faces know the two halves of such an edge, and not the
//! whole. So the triangle is split there. The triangles cover the same points as the fan.

use impinge_core::math::DVec3;
use impinge_core::predicates::are_collinear;

/// The triangles of a fan over the polygon's vertices, split; `point` tells where vertices are. Those without area that
/// lie in an edge of another one are left out.
pub(in crate::query) fn split_fan(
    fan: impl Iterator<Item = [u32; 3]>,
    polygon: &[u32],
    point: &impl Fn(u32) -> DVec3,
) -> Vec<[u32; 3]> {
    let fan: Vec<[u32; 3]> = fan.collect();
    if polygon.len() <= 3 {
        return fan;
    }
    let mut triangles = Vec::with_capacity(fan.len());
    for &triangle in fan.iter().filter(|triangle| !is_on_rim(triangle, &fan, point)) {
        add_split(triangle, polygon, point, &mut triangles);
    }
    triangles
}

fn is_on_rim(triangle: &[u32; 3], fan: &[[u32; 3]], point: &impl Fn(u32) -> DVec3) -> bool {
    let has_area = |[a, b, c]: [DVec3; 3]| !are_collinear(a, b, c);
    let own = triangle.map(point);
    if has_area(own) {
        return false;
    }
    let lies_in = |x: DVec3, p: DVec3, q: DVec3| x == p || x == q || is_inside_segment(x, p, q);
    fan.iter()
        .map(|other| other.map(point))
        .filter(|&other| has_area(other))
        .any(|other| (0..3).any(|i| own.iter().all(|&corner| lies_in(corner, other[i], other[(i + 1) % 3]))))
}

fn add_split(triangle: [u32; 3], polygon: &[u32], point: &impl Fn(u32) -> DVec3, to: &mut Vec<[u32; 3]>) {
    let corners @ [a, b, c] = triangle.map(point);
    if !are_collinear(a, b, c) {
        for i in 0..3 {
            let (p, q) = (corners[i], corners[(i + 1) % 3]);
            if let Some(&vertex) = polygon.iter().find(|&&vertex| is_inside_segment(point(vertex), p, q)) {
                let (from, towards, apex) = (triangle[i], triangle[(i + 1) % 3], triangle[(i + 2) % 3]);
                add_split([from, vertex, apex], polygon, point, to);
                add_split([vertex, towards, apex], polygon, point, to);
                return;
            }
        }
    }
    to.push(triangle);
}

/// Whether a point lies on the segment and is none of its ends.
pub(in crate::query) fn is_inside_segment(point: DVec3, p: DVec3, q: DVec3) -> bool {
    is_between(point, p, q) && are_collinear(p, q, point)
}

/// Whether a point lies strictly between two others on one line; points of a line keep their order coordinate by coordinate.
pub(in crate::query) fn is_between(point: DVec3, p: DVec3, q: DVec3) -> bool {
    let [point, p, q] = [point, p, q].map(|point| point.to_array());
    p < point && point < q || q < point && point < p
}
