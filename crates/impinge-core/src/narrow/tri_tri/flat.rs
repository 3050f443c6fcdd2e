//! Pairs that lie in one plane, or of which one has no area: reduced to points, segments and triangles, and decided
//! in a projection that keeps the plane's points apart.

use super::{Facet, Intersection, Kind, point_between};
use crate::math::{DVec2, DVec3, middle};
use crate::predicates::{Axis, Sign, are_collinear, orient2d, orient3d, plane_crossing};

/// A triangle as what it really is.
enum Hull {
    Point(DVec3),
    Segment([DVec3; 2]),
    Triangle([DVec3; 3]),
}

impl Hull {
    fn of(corners: [DVec3; 3]) -> Hull {
        let [a, b, c] = corners;
        if !are_collinear(a, b, c) {
            return Hull::Triangle(corners);
        }
        // Points on one line keep their order when they are compared coordinate by coordinate.
        let least = lexical_min(a, lexical_min(b, c));
        let greatest = lexical_max(a, lexical_max(b, c));
        if least == greatest { Hull::Point(least) } else { Hull::Segment([least, greatest]) }
    }
}

fn is_lexically_less(a: DVec3, b: DVec3) -> bool {
    a.to_array() < b.to_array()
}

fn lexical_min(a: DVec3, b: DVec3) -> DVec3 {
    if is_lexically_less(b, a) { b } else { a }
}

fn lexical_max(a: DVec3, b: DVec3) -> DVec3 {
    if is_lexically_less(a, b) { b } else { a }
}

/// Intersects two facets that are coplanar or of which at least one has no area.
#[cold]
#[inline(never)]
pub(super) fn meet(a: &Facet, b: &Facet) -> Option<Intersection> {
    use Hull::{Point, Segment, Triangle};
    let touching = |point: Option<DVec3>| point.map(|point| Intersection { kind: Kind::Touching, point });
    let mut meeting = match (Hull::of(a.corners), Hull::of(b.corners)) {
        (Point(p), Point(q)) => touching((p == q).then_some(p)),
        (Point(p), Segment(s)) | (Segment(s), Point(p)) => touching(lies_on_segment(p, s).then_some(p)),
        (Point(p), Triangle(t)) | (Triangle(t), Point(p)) => touching(lies_on_triangle(p, &t).then_some(p)),
        (Segment(s), Segment(r)) => touching(segments_meet(s, r)),
        (Segment(s), Triangle(_)) => segment_meets_triangle(s, b),
        (Triangle(_), Segment(s)) => segment_meets_triangle(s, a),
        (Triangle(t), Triangle(s)) => touching(coplanar_triangles_meet(&t, &s)),
    }?;
    if a.on_rim || b.on_rim {
        meeting.kind = Kind::Touching;
    }
    Some(meeting)
}

/// The kind of intersection of two facets that are coplanar or degenerate: [`meet`] without the point.
#[cold]
#[inline(never)]
pub(super) fn kind(a: &Facet, b: &Facet) -> Option<Kind> {
    match (Hull::of(a.corners), Hull::of(b.corners)) {
        (Hull::Triangle(t), Hull::Triangle(s)) => {
            let axis = projection(&t);
            let [t, s] = [t, s].map(|triangle| triangle.map(|corner| axis.drop(corner)));
            (!is_divided(&t, &s) && !is_divided(&s, &t)).then_some(Kind::Touching)
        }
        _ => meet(a, b).map(|meeting| meeting.kind),
    }
}

/// Whether a point and three others have one coordinate in common, so that they lie in one plane without any arithmetic: walls and floors do.
#[inline]
pub(super) fn is_level(plane: &[DVec3; 3], point: DVec3) -> bool {
    let [a, b, c] = *plane;
    (a.x == point.x && b.x == point.x && c.x == point.x)
        || (a.y == point.y && b.y == point.y && c.y == point.y)
        || (a.z == point.z && b.z == point.z && c.z == point.z)
}

/// Whether two triangles are certainly apart, seen along the axis that a normal of one of them is nearest to: the line of an edge has
/// one on one side and the other on the other. For pairs that are nearly in one plane, before it is known exactly whether they are.
#[cold]
#[inline(never)]
pub(super) fn are_apart_along(normal: DVec3, a: &[DVec3; 3], b: &[DVec3; 3]) -> bool {
    let size = normal.abs();
    let axis = if size.x >= size.y && size.x >= size.z {
        Axis::X
    } else if size.y >= size.z {
        Axis::Y
    } else {
        Axis::Z
    };
    let [a, b] = [a, b].map(|triangle| triangle.map(|corner| axis.drop(corner)));
    has_dividing_edge(&a, &b) || has_dividing_edge(&b, &a)
}

/// Whether the line of an edge of `t` has the two triangles on different sides for certain.
fn has_dividing_edge(t: &[DVec2; 3], s: &[DVec2; 3]) -> bool {
    (0..3).any(|i| {
        let (from, to, last) = (t[i], t[(i + 1) % 3], t[(i + 2) % 3]);
        let own = certain_side(from, to, last);
        own != 0.0 && s.iter().all(|&corner| certain_side(from, to, corner) * own < 0.0)
    })
}

/// 1 or -1 where a point is certainly to the left or to the right of a line, else 0: the filter of [`orient2d`], with room to spare.
#[inline]
fn certain_side(from: DVec2, to: DVec2, point: DVec2) -> f64 {
    let (u, v) = (to - from, point - from);
    let (left, right) = (u.x * v.y, u.y * v.x);
    let bound = 4.0 * f64::EPSILON * (left.abs() + right.abs()) + 1e-300;
    let side = left - right;
    if side > bound {
        1.0
    } else if side < -bound {
        -1.0
    } else {
        0.0
    }
}

/// Whether the line of an edge of `t` has the other triangle strictly beyond it.
fn is_divided(t: &[DVec2; 3], s: &[DVec2; 3]) -> bool {
    let outward = -orient2d(t[0], t[1], t[2]);
    (0..3).any(|i| s.iter().all(|&corner| orient2d(t[i], t[(i + 1) % 3], corner) == outward))
}

/// For three points of which the first is known to be anywhere: whether it lies on the segment.
fn lies_on_segment(p: DVec3, [a, b]: [DVec3; 2]) -> bool {
    are_collinear(a, b, p)
        && !is_lexically_less(p, lexical_min(a, b))
        && !is_lexically_less(lexical_max(a, b), p)
}

/// Whether a point lies on a triangle that has an area.
fn lies_on_triangle(p: DVec3, triangle: &[DVec3; 3]) -> bool {
    let [a, b, c] = *triangle;
    orient3d(a, b, c, p).is_zero() && lies_in_projection(p, triangle, projection(triangle))
}

/// An axis along which a triangle with an area is seen with an area.
fn projection(triangle: &[DVec3; 3]) -> Axis {
    let [a, b, c] = *triangle;
    let sees = |axis: &Axis| !orient2d(axis.drop(a), axis.drop(b), axis.drop(c)).is_zero();
    Axis::ALL.into_iter().find(sees).unwrap_or(Axis::Z)
}

/// For a point in the plane of the triangle.
fn lies_in_projection(p: DVec3, triangle: &[DVec3; 3], axis: Axis) -> bool {
    let [a, b, c] = triangle.map(|corner| axis.drop(corner));
    let p = axis.drop(p);
    let turns = [orient2d(a, b, p), orient2d(b, c, p), orient2d(c, a, p)];
    !(turns.contains(&Sign::Positive) && turns.contains(&Sign::Negative))
}

/// A point that two segments share.
fn segments_meet([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> Option<DVec3> {
    if !orient3d(a, b, c, d).is_zero() {
        return None;
    }
    let triples = [[a, b, c], [a, b, d], [c, d, a], [c, d, b]];
    let Some(triple) = triples.iter().find(|[p, q, r]| !are_collinear(*p, *q, *r)) else {
        // All on one line: the intervals meet where the later start comes before the earlier end.
        let start = lexical_max(lexical_min(a, b), lexical_min(c, d));
        let end = lexical_min(lexical_max(a, b), lexical_max(c, d));
        return (!is_lexically_less(end, start)).then(|| middle(start, end));
    };
    coplanar_segments_meet([a, b], [c, d], projection(triple))
}

/// For segments in one plane that is seen along the axis: a point that both share.
fn coplanar_segments_meet([a, b]: [DVec3; 2], [c, d]: [DVec3; 2], axis: Axis) -> Option<DVec3> {
    let [pa, pb, pc, pd] = [a, b, c, d].map(|point| axis.drop(point));
    let (at_a, at_b) = (orient2d(pc, pd, pa), orient2d(pc, pd, pb));
    let (at_c, at_d) = (orient2d(pa, pb, pc), orient2d(pa, pb, pd));
    if at_a == at_b && !at_a.is_zero() || at_c == at_d && !at_c.is_zero() {
        return None;
    }
    if at_c.is_zero() && at_d.is_zero() {
        // One line after all; the projection keeps the order of points on it.
        let start = lexical_max(lexical_min(a, b), lexical_min(c, d));
        let end = lexical_min(lexical_max(a, b), lexical_max(c, d));
        return (!is_lexically_less(end, start)).then(|| middle(start, end));
    }
    if at_a.is_zero() {
        return Some(a);
    }
    if at_b.is_zero() {
        return Some(b);
    }
    // Stretch the line of c and d along the axis into a plane, and cut it with the other segment.
    Some(point_between(a, b, plane_crossing([c, d, moved_along(axis, c)], a, b)))
}

/// Another point over the same point of the projection; finite for every finite point.
fn moved_along(axis: Axis, mut point: DVec3) -> DVec3 {
    let coordinate = &mut point[axis as usize];
    *coordinate = if coordinate.abs() >= 1.0 { *coordinate * 0.5 } else { *coordinate + 1.0 };
    point
}

fn segment_meets_triangle([p, q]: [DVec3; 2], facet: &Facet) -> Option<Intersection> {
    let triangle = facet.corners;
    let [a, b, c] = triangle;
    let (at_p, at_q) = (orient3d(a, b, c, p), orient3d(a, b, c, q));
    if at_p.is_zero() && at_q.is_zero() {
        let axis = projection(&triangle);
        let mut shared = Average::default();
        for end in [p, q] {
            if lies_in_projection(end, &triangle, axis) {
                shared.add(end);
            }
        }
        for i in 0..3 {
            if let Some(point) = coplanar_segments_meet([p, q], [triangle[i], triangle[(i + 1) % 3]], axis) {
                shared.add(point);
            }
        }
        return shared.point().map(|point| Intersection { kind: Kind::Touching, point });
    }
    if at_p == at_q {
        return None;
    }
    let turns = [orient3d(p, q, a, b), orient3d(p, q, b, c), orient3d(p, q, c, a)];
    if turns.contains(&Sign::Positive) && turns.contains(&Sign::Negative) {
        return None;
    }
    let zeros = turns.iter().filter(|turn| turn.is_zero()).count();
    let on_diagonal = (0..3).any(|i| turns[i].is_zero() && facet.inner_edges >> i & 1 == 1);
    let through_interior = zeros == 0 || zeros == 1 && on_diagonal;
    let crosses = !at_p.is_zero() && !at_q.is_zero() && through_interior;
    let kind = if crosses { Kind::Crossing } else { Kind::Touching };
    Some(Intersection { kind, point: point_between(p, q, plane_crossing(triangle, p, q)) })
}

/// A point that two triangles in one plane share: the middle of the corners of their common region.
fn coplanar_triangles_meet(t: &[DVec3; 3], s: &[DVec3; 3]) -> Option<DVec3> {
    let axis = projection(t);
    let mut shared = Average::default();
    for (own, other) in [(t, s), (s, t)] {
        for &corner in own {
            if lies_in_projection(corner, other, axis) {
                shared.add(corner);
            }
        }
    }
    for i in 0..3 {
        for j in 0..3 {
            let (edge, other) = ([t[i], t[(i + 1) % 3]], [s[j], s[(j + 1) % 3]]);
            if let Some(point) = coplanar_segments_meet(edge, other, axis) {
                shared.add(point);
            }
        }
    }
    shared.point()
}

/// The middle of points of a convex set, which is a point of the set.
#[derive(Default)]
struct Average {
    points: Vec<DVec3>,
}

impl Average {
    fn add(&mut self, point: DVec3) {
        if !self.points.contains(&point) {
            self.points.push(point);
        }
    }

    fn point(&self) -> Option<DVec3> {
        let share = 1.0 / self.points.len() as f64;
        let first = self.points.first()?;
        let middle = self.points.iter().fold(DVec3::ZERO, |sum, &point| sum + point * share);
        Some(if self.points.len() == 1 { *first } else { middle })
    }
}
