//! Triangle against triangle.
//!
//! The plane of each triangle cuts the other in an interval of the line where the planes intersect; the triangles intersect
//! if the intervals do. Every end of an interval lies where an edge of one triangle passes through the plane of the
//! other, and which of two ends comes first on the line is the sign of one tetrahedron: the two edges'. So everything
//! is decided by signs of determinants of the input coordinates (the idea of Guigue and Devillers, 2003, here with
//! all zero cases and with the named ends of the shared segment).

use glam::Vec3Swizzles;

use super::{Facet, Intersection, Kind, flat, point_between};
use crate::math::{DVec3, middle};
use crate::predicates::{FILTER_BOUND, FILTER_UNDERFLOW, Sign, orient3d, plane_crossing};

/// One of the two faces of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The first face.
    A,
    /// The second face.
    B,
}

/// An end of the segment that two triangles share: where an edge of one passes through the plane of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct End {
    /// The face that the edge belongs to.
    pub side: Side,
    /// The number of the edge: edge `i` runs from corner `i` to the next.
    pub edge: u8,
}

/// The intersection of two triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shared {
    /// A segment, or a point where both ends coincide, on the line where the planes intersect; the first end comes first in
    /// the direction of `normal_a × normal_b`.
    Segment([End; 2]),
    /// One shared point of triangles that lie in one plane, or of which one has no area.
    Flat(DVec3),
}

impl Shared {
    /// The ends of the shared segment in `f64`, each on its edge; equal for a single point.
    pub fn ends(&self, a: &[DVec3; 3], b: &[DVec3; 3]) -> [DVec3; 2] {
        match self {
            Shared::Flat(point) => [*point; 2],
            Shared::Segment(ends) => ends.map(|end| {
                let (own, other) = match end.side {
                    Side::A => (a, b),
                    Side::B => (b, a),
                };
                let i = end.edge as usize;
                let (p, q) = (own[i], own[(i + 1) % 3]);
                point_between(p, q, plane_crossing(*other, p, q))
            }),
        }
    }
}

/// Where the boundary of a triangle passes through the other's plane: its edge, and the edge's corners on the
/// positive and the negative side (or in the plane).
#[derive(Clone, Copy)]
struct Passage {
    end: End,
    positive: DVec3,
    negative: DVec3,
    /// Whether the passage is interior to the face: through the inside of a diagonal.
    interior: bool,
}

/// The intervals in which two triangles cut the line where their planes intersect.
struct Intervals {
    kind: Kind,
    low: [Passage; 2],
    high: [Passage; 2],
}

/// The kind of intersection of two triangles, without the shared segment: the first half of [`triangles`].
#[inline]
pub fn triangles_meet(a: &Facet, b: &Facet) -> Option<Kind> {
    match intervals(a, b)? {
        Some(intervals) => Some(intervals.kind),
        None => flat::kind(a, b),
    }
}

/// Intersects two triangles. Exact for every finite input, zero-area triangles included.
pub fn triangles(a: &Facet, b: &Facet) -> Option<(Kind, Shared)> {
    let Some(Intervals { kind, low, high }) = intervals(a, b)? else {
        return flat::meet(a, b).map(|meeting| (meeting.kind, Shared::Flat(meeting.point)));
    };
    let low = low[usize::from(order(&low[0], &low[1]) != Sign::Negative)];
    let high = high[usize::from(order(&high[0], &high[1]) != Sign::Positive)];
    Some((kind, Shared::Segment([low.end, high.end])))
}

/// The intervals of two triangles that intersect; `None` where they do not, `Some(None)` where they are flat.
#[inline]
fn intervals(a: &Facet, b: &Facet) -> Option<Option<Intervals>> {
    let in_plane = |signs: [Sign; 3]| signs == [Sign::Zero; 3];
    let signs_a = signs(&b.corners, &a.corners)?;
    // Where A lies in B's plane, B lies in A's, or one has no area: the three exact signs that say so would be known.
    if in_plane(signs_a) {
        return Some(None);
    }
    let signs_b = signs(&a.corners, &b.corners)?;
    if in_plane(signs_b) {
        return Some(None);
    }
    // Along normal_a × normal_b, a counter-clockwise walk around A leaves the front side of B's plane at the far end of
    // A's interval; around B it enters the front side of A's plane at the far end of B's.
    let (low_a, high_b) = (passage(a, signs_a, Side::A, false)?, passage(b, signs_b, Side::B, false)?);
    let room_above = order(&low_a, &high_b);
    if room_above == Sign::Negative {
        return None;
    }
    let (high_a, low_b) = (passage(a, signs_a, Side::A, true)?, passage(b, signs_b, Side::B, true)?);
    let room_below = -order(&high_a, &low_b);
    if room_below == Sign::Negative {
        return None;
    }
    let overlap = |room: Sign, x: &Passage, y: &Passage| room == Sign::Positive || x.interior && y.interior;
    let crosses = cuts_interior(a, signs_a)
        && cuts_interior(b, signs_b)
        && overlap(room_above, &low_a, &high_b)
        && overlap(room_below, &high_a, &low_b);
    let kind = if crosses { Kind::Crossing } else { Kind::Touching };
    Some(Some(Intervals { kind, low: [low_a, low_b], high: [high_a, high_b] }))
}

/// On which sides of the plane the points lie; `None` when all lie strictly on the same side, or are certainly apart from the plane's triangle otherwise. The same determinants and
/// bounds as in [`orient3d`]'s filter, with the plane's share of the work done once.
#[inline(always)]
fn signs(plane: &[DVec3; 3], points: &[DVec3; 3]) -> Option<[Sign; 3]> {
    let origin = plane[0];
    let (u, v) = (plane[1] - origin, plane[2] - origin);
    let (left, right) = (u.yzx() * v.zxy(), u.zxy() * v.yzx());
    let (normal, size) = (left - right, left.abs() + right.abs());
    let (mut values, mut bounds) = ([0.0; 3], [0.0; 3]);
    for i in 0..3 {
        let w = points[i] - origin;
        values[i] = w.x * normal.x + w.y * normal.y + w.z * normal.z;
        let w = w.abs();
        let permanent = w.x * size.x + w.y * size.y + w.z * size.z;
        bounds[i] = FILTER_BOUND * permanent + FILTER_UNDERFLOW * (1.0 + w.x + w.y + w.z);
    }
    let above = (values[0] > bounds[0]) & (values[1] > bounds[1]) & (values[2] > bounds[2]);
    let below = (values[0] < -bounds[0]) & (values[1] < -bounds[1]) & (values[2] < -bounds[2]);
    if above | below {
        return None;
    }
    let is_certain = |i: usize| values[i].abs() > bounds[i];
    if !is_certain(0) && !is_certain(1) && !is_certain(2) && flat::are_apart_along(normal, plane, points) {
        return None;
    }
    let mut signs = [Sign::Zero; 3];
    for i in 0..3 {
        signs[i] = if is_certain(i) {
            Sign::of(values[i])
        } else if flat::is_level(plane, points[i]) {
            Sign::Zero
        } else {
            orient3d(plane[0], plane[1], plane[2], points[i])
        };
    }
    let same = signs[0] == signs[1] && signs[1] == signs[2] && !signs[0].is_zero();
    (!same).then_some(signs)
}

/// The passage where a counter-clockwise path around the triangle leaves (or else enters) the positive side.
fn passage(facet: &Facet, signs: [Sign; 3], side: Side, leaving: bool) -> Option<Passage> {
    (0..3).find_map(|i| {
        let j = (i + 1) % 3;
        let (from, to) = if leaving { (signs[i], signs[j]) } else { (signs[j], signs[i]) };
        let passes = from >= Sign::Zero && to <= Sign::Zero && from != to;
        passes.then(|| {
            let (p, q) = (facet.corners[i], facet.corners[j]);
            let (positive, negative) = if leaving { (p, q) } else { (q, p) };
            let is_inner = facet.inner_edges >> i & 1 == 1;
            let interior = is_inner && !from.is_zero() && !to.is_zero();
            Passage { end: End { side, edge: i as u8 }, positive, negative, interior }
        })
    })
}

/// Whether the other's plane cuts the interior of the face in this triangle: properly, or along a diagonal.
fn cuts_interior(facet: &Facet, signs: [Sign; 3]) -> bool {
    let both_sides = signs.contains(&Sign::Positive) && signs.contains(&Sign::Negative);
    let along_diagonal =
        (0..3).any(|i| facet.inner_edges >> i & 1 == 1 && signs[i].is_zero() && signs[(i + 1) % 3].is_zero());
    both_sides || along_diagonal
}

/// Where a passage of B lies on the line seen from a passage of A: positive when it comes later in the direction of
/// `normal_a × normal_b`.
#[inline]
fn order(of_a: &Passage, of_b: &Passage) -> Sign {
    orient3d(of_a.positive, of_a.negative, of_b.positive, of_b.negative)
}

/// The intersection of two triangles as an [`Intersection`], with a point of both.
pub(super) fn meeting(a: &Facet, b: &Facet) -> Option<Intersection> {
    triangles(a, b).map(|(kind, shared)| {
        let [p, q] = shared.ends(&a.corners, &b.corners);
        Intersection { kind, point: middle(p, q) }
    })
}

#[cfg(test)]
mod tests {
    use super::super::Facet;
    use super::triangles_meet;
    use crate::math::DVec3;

    /// Whether two triangles on whole numbers share a point, by separating lines in whole numbers.
    fn meet_exactly(t: &[[i64; 2]; 3], s: &[[i64; 2]; 3]) -> bool {
        let side = |a: [i64; 2], b: [i64; 2], c: [i64; 2]| {
            ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).signum()
        };
        let divides = |t: &[[i64; 2]; 3], s: &[[i64; 2]; 3]| {
            (0..3).any(|i| {
                let (from, to, last) = (t[i], t[(i + 1) % 3], t[(i + 2) % 3]);
                s.iter().all(|&corner| side(from, to, corner) == -side(from, to, last))
            })
        };
        !divides(t, s) && !divides(s, t)
    }

    /// Triangles in planes along the axes, in tilted ones, and nearly in one plane.
    #[test]
    fn coplanar_triangles_meet_as_whole_numbers_say() {
        let mut state = 7_u64;
        let mut next = |bound: i64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as i64 % bound
        };
        let mut counts = [0; 2];
        for case in 0..20_000 {
            let mut triangle = || [0; 3].map(|_| [next(9), next(9)]);
            let (t, s) = (triangle(), triangle());
            let area = |t: &[[i64; 2]; 3]| {
                (t[1][0] - t[0][0]) * (t[2][1] - t[0][1]) - (t[1][1] - t[0][1]) * (t[2][0] - t[0][0])
            };
            if area(&t) == 0 || area(&s) == 0 {
                continue;
            }
            let expected = meet_exactly(&t, &s);
            counts[usize::from(expected)] += 1;
            for plane in 0..5 {
                let place = |[x, y]: [i64; 2]| {
                    let (x, y) = (x as f64, y as f64);
                    match plane {
                        0 => DVec3::new(x, y, 0.1),
                        1 => DVec3::new(x, 1e9 + 0.3, y),
                        2 => DVec3::new(-7.7, x, y),
                        3 => DVec3::new(x, y, x + 2.0 * y),
                        _ => DVec3::new(3.0 * x - y, 0.25 * x, y - 0.5 * x),
                    }
                };
                let [a, b] = [t, s].map(|triangle| Facet::from(triangle.map(place)));
                assert_eq!(
                    triangles_meet(&a, &b).is_some(),
                    expected,
                    "case {case}, plane {plane}: {t:?} {s:?}"
                );
                assert_eq!(
                    triangles_meet(&b, &a).is_some(),
                    expected,
                    "case {case}, plane {plane}: {t:?} {s:?}"
                );
                // Lifted by the least that there is: apart.
                if plane == 0 {
                    let lifted = b.corners.map(|corner| DVec3::new(corner.x, corner.y, 0.1_f64.next_up()));
                    assert_eq!(triangles_meet(&a, &Facet::from(lifted)), None);
                }
            }
        }
        assert!(counts[0] > 1000 && counts[1] > 1000, "{counts:?}");
    }
}
