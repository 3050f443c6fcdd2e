//! The distance of two triangles: of each corner to the other triangle, of each edge to each edge, and 0 where one pierces the other.
//!
//! Every candidate is the distance of two points of the triangles, so that no result is too small by more than the rounding of
//! two points. None is too large by more: directions across two lines come from cross products, which stay good for
//! lines that are all but parallel.

use impinge::glam::DVec3;

/// A point of the segment nearest to another, and how far that is, squared.
fn point_segment(p: DVec3, a: DVec3, b: DVec3) -> f64 {
    let (along, from) = (b - a, p - a);
    let squared = along.length_squared();
    let t = if squared > 0.0 { (from.dot(along) / squared).clamp(0.0, 1.0) } else { 0.0 };
    // From the nearer end, where the difference is rounded less.
    if t <= 0.5 { (from - along * t).length_squared() } else { (p - b + along * (1.0 - t)).length_squared() }
}

/// The squared distance of a point that is over the inside of a triangle; none for others.
fn point_inside(p: DVec3, [a, b, c]: [DVec3; 3]) -> Option<f64> {
    let normal = (b - a).cross(c - a);
    let squared = normal.length_squared();
    let [pa, pb, pc] = [a - p, b - p, c - p];
    let weights = [pb.cross(pc), pc.cross(pa), pa.cross(pb)].map(|area| area.dot(normal) / squared);
    // NaN, of a triangle without an area, is not inside.
    if !weights.iter().all(|weight| *weight >= 0.0) {
        return None;
    }
    let sum: f64 = weights.iter().sum();
    Some(((pa * weights[0] + pb * weights[1] + pc * weights[2]) / sum).length_squared())
}

/// The squared distance of a point and a triangle.
pub(crate) fn point_triangle(p: DVec3, triangle: [DVec3; 3]) -> f64 {
    let [a, b, c] = triangle;
    let edges = point_segment(p, a, b).min(point_segment(p, b, c)).min(point_segment(p, c, a));
    point_inside(p, triangle).map_or(edges, |inside| inside.min(edges))
}

/// The squared distance of two segments where it is between inner points of both; none where an end is nearest.
pub(crate) fn segments_inside([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> Option<f64> {
    let (u, v, between) = (b - a, d - c, c - a);
    let normal = u.cross(v);
    let squared = normal.length_squared();
    let s = between.cross(v).dot(normal) / squared;
    let t = between.cross(u).dot(normal) / squared;
    let is_inside = (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t);
    is_inside.then(|| (between + v * t - u * s).length_squared())
}

/// Whether a segment goes through a triangle. What only grazes it is found by the distances.
fn pierces([a, b]: [DVec3; 2], [p, q, r]: [DVec3; 3]) -> bool {
    let normal = (q - p).cross(r - p);
    let [over, under] = [a, b].map(|end| normal.dot(end - p));
    if over * under > 0.0 || over == under {
        return false;
    }
    let at = a + (b - a) * (over / (over - under));
    [[p, q], [q, r], [r, p]].iter().all(|[from, to]| (*to - *from).cross(at - *from).dot(normal) > 0.0)
}

/// The squared distance of two triangles.
pub(crate) fn triangles(a: [DVec3; 3], b: [DVec3; 3]) -> f64 {
    let edges = |[p, q, r]: [DVec3; 3]| [[p, q], [q, r], [r, p]];
    let mut least = f64::INFINITY;
    for corner in a {
        least = least.min(point_triangle(corner, b));
    }
    for corner in b {
        least = least.min(point_triangle(corner, a));
    }
    for edge in edges(a) {
        for other in edges(b) {
            if let Some(squared) = segments_inside(edge, other) {
                least = least.min(squared);
            }
        }
    }
    let is_pierced =
        edges(a).iter().any(|edge| pierces(*edge, b)) || edges(b).iter().any(|edge| pierces(*edge, a));
    if is_pierced { 0.0 } else { least }
}

/// An axis-parallel box.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    low: DVec3,
    high: DVec3,
}

impl Bounds {
    fn of(corners: &[DVec3]) -> Bounds {
        let [low, high] = [DVec3::INFINITY, DVec3::NEG_INFINITY];
        corners.iter().fold(Bounds { low, high }, |bounds, corner| Bounds {
            low: bounds.low.min(*corner),
            high: bounds.high.max(*corner),
        })
    }

    /// No points of two boxes are nearer than this, squared.
    fn squared_gap(&self, other: &Bounds) -> f64 {
        (self.low - other.high).max(other.low - self.high).max(DVec3::ZERO).length_squared()
    }
}

/// A list of triangles with their boxes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Soup {
    triangles: Vec<[DVec3; 3]>,
    bounds: Vec<Bounds>,
}

impl Soup {
    pub(crate) fn of(points: &[DVec3], faces: &[[u32; 3]]) -> Soup {
        let mut soup = Soup::default();
        soup.set(points, faces);
        soup
    }

    /// Takes the places of all corners anew.
    pub(crate) fn set(&mut self, points: &[DVec3], faces: &[[u32; 3]]) {
        self.triangles.clear();
        self.triangles.extend(faces.iter().map(|face| face.map(|corner| points[corner as usize])));
        self.bounds.clear();
        self.bounds.extend(self.triangles.iter().map(|corners| Bounds::of(corners)));
    }

    /// The distance to another list, and which two triangles are that near. `first` is looked at first: a good guess saves the rest.
    pub(crate) fn distance(&self, other: &Soup, first: [usize; 2]) -> (f64, [usize; 2]) {
        let whole = Bounds::of(&other.bounds.iter().flat_map(|b| [b.low, b.high]).collect::<Vec<_>>());
        let mut nearest = first;
        let mut least = triangles(self.triangles[first[0]], other.triangles[first[1]]);
        for (i, bounds) in self.bounds.iter().enumerate() {
            if bounds.squared_gap(&whole) >= least {
                continue;
            }
            for (j, others) in other.bounds.iter().enumerate() {
                if bounds.squared_gap(others) >= least {
                    continue;
                }
                let squared = triangles(self.triangles[i], other.triangles[j]);
                if squared < least {
                    (least, nearest) = (squared, [i, j]);
                }
            }
        }
        (least.sqrt(), nearest)
    }
}
