//! Two triangles: how far apart they are, whether they cross, and along which axes they could be told apart.

use super::number::{Number, V};

pub type Triangle<T> = [V<T>; 3];

/// How far two triangles are apart; 0 where an edge of one runs through the other.
#[derive(Clone, Copy, Debug)]
pub struct Gap<T> {
    pub distance: T,
    /// From a closest point of the first to one of the second.
    pub between: V<T>,
    /// An edge of one runs through the other, by more than rounding.
    pub crossing: bool,
}

fn edge<T: Number>(t: &Triangle<T>, i: usize) -> V<T> {
    t[(i + 1) % 3] - t[i]
}

pub fn normal<T: Number>(t: &Triangle<T>) -> V<T> {
    edge(t, 0).cross(t[2] - t[0])
}

/// The distance of two triangles, which may be segments or points: it is that of two points of theirs, so never too
/// small; and too large by rounding only.
pub fn gap<T: Number>(a: &Triangle<T>, b: &Triangle<T>) -> Gap<T> {
    let mut best = a[0] - b[0];
    let mut least = best.dot(best);
    let mut offer = |between: V<T>| {
        let squared = between.dot(between);
        if squared < least {
            (least, best) = (squared, between);
        }
    };
    let (zero, one) = (T::of(0.0), T::of(1.0));
    for (from, to, sign) in [(a, b, one), (b, a, -one)] {
        let n = normal(to);
        let size = n.dot(n);
        for p in from {
            for i in 0..3 {
                let (e, w) = (edge(to, i), *p - to[i]);
                let length = e.dot(e);
                let along = e.dot(w);
                let foot = if along <= zero || length <= zero {
                    to[i]
                } else if along >= length {
                    to[(i + 1) % 3]
                } else {
                    to[i] + e.scaled(along / length)
                };
                offer((foot - *p).scaled(sign));
            }
            if size > zero && (0..3).all(|i| n.dot(edge(to, i).cross(*p - to[i])) >= zero) {
                offer(n.scaled(-n.dot(*p - to[0]) / size).scaled(sign));
            }
        }
    }
    for i in 0..3 {
        let (u, p) = (edge(a, i), a[i]);
        for j in 0..3 {
            let (v, w) = (edge(b, j), p - b[j]);
            // By the product of the edges: its square as a difference of squares would have lost all digits of edges nearly parallel.
            let across = u.cross(v);
            let whole = across.dot(across);
            if whole > zero {
                let (s, t) = (v.cross(w).dot(across) / whole, u.cross(w).dot(across) / whole);
                if s >= zero && s <= one && t >= zero && t <= one {
                    offer(v.scaled(t) - w - u.scaled(s));
                }
            }
        }
    }
    if crosses(a, b) || crosses(b, a) {
        return Gap { distance: zero, between: best, crossing: true };
    }
    Gap { distance: least.sqrt(), between: best, crossing: false }
}

/// Whether an edge of the first runs through the second, by more than rounding.
fn crosses<T: Number>(a: &Triangle<T>, b: &Triangle<T>) -> bool {
    let n = normal(b);
    let Some(unit) = n.unit() else { return false };
    let heights = [0, 1, 2].map(|i| unit.dot(a[i] - b[0]));
    let size = (0..3).map(|i| (a[i] - b[0]).length().max(edge(b, i).length())).fold(T::of(0.0), T::max);
    let margin = size * T::of(64.0 * T::EPSILON);
    (0..3).any(|i| {
        let (p, q) = (heights[i], heights[(i + 1) % 3]);
        let through = p > margin && q < -margin || q > margin && p < -margin;
        through && {
            let (from, to) = (a[i], a[(i + 1) % 3]);
            let point = from + (to - from).scaled(p / (p - q));
            (0..3).all(|j| {
                let side = unit.cross(edge(b, j));
                side.unit().is_some_and(|s| s.dot(point - b[j]) > margin)
            })
        }
    })
}

/// Calls `with` for a complete set of axes: two triangles, segments or points are disjoint exactly when one of these
/// tells them apart. These are the normals of the facets of their Minkowski difference and, where that is flat, of
/// what it lies in. Stops where `with` says so.
pub fn for_each_axis<T: Number>(
    a: &Triangle<T>,
    b: &Triangle<T>,
    mut with: impl FnMut(V<T>) -> bool,
) -> bool {
    let present = |v: V<T>| v.values().abs().max_element() > 0.0;
    let (na, nb) = (normal(a), normal(b));
    let mut plane = None;
    let mut offer = |n: V<T>| {
        if !present(n) {
            return false;
        }
        plane.get_or_insert(n);
        with(n)
    };
    if offer(na) || offer(nb) {
        return true;
    }
    for i in 0..3 {
        for j in 0..3 {
            if offer(edge(a, i).cross(edge(b, j))) {
                return true;
            }
        }
    }
    let edges = [edge(a, 0), edge(a, 1), edge(a, 2), edge(b, 0), edge(b, 1), edge(b, 2)];
    if let Some(n) = plane {
        return edges.into_iter().any(|e| present(e) && with(n.cross(e)));
    }
    if let Some(e) = edges.into_iter().find(|&e| present(e)) {
        return with(e) || (0..3).any(|k| with(e.cross(V::axis(k))));
    }
    (0..3).any(|k| with(V::axis(k)))
}

/// Whether, from one moment to another so near that corners move by at most `travel`, a corner of one triangle changes the
/// side of the other well within its outline, or two edges pass each other well within their lengths. Then they touched.
pub fn passes_through<T: Number>(before: &[Triangle<T>; 2], after: &[Triangle<T>; 2], travel: f64) -> bool {
    let zero = T::of(0.0);
    let opposite = |x: T, y: T| x > zero && y < zero || x < zero && y > zero;
    let corner_through_face = |corner: usize, face: usize| {
        (0..3).any(|k| {
            let heights = [before, after].map(|pair| {
                let (p, t) = (pair[corner][k], &pair[face]);
                let n = normal(t).unit()?;
                let is_inside = (0..3).all(|i| {
                    let inward = n.cross(edge(t, i)).unit();
                    inward.is_some_and(|s| s.dot(p - t[i]).value() > 8.0 * travel)
                });
                is_inside.then(|| n.dot(p - t[0]))
            });
            matches!(heights, [Some(x), Some(y)] if opposite(x, y))
        })
    };
    let edge_through_edge = |i: usize, j: usize| {
        let sides = [before, after].map(|[a, b]| {
            let (u, v, w) = (edge(a, i), edge(b, j), a[i] - b[j]);
            let n = u.cross(v);
            let size = n.dot(n);
            if size.value() <= 1e-12 * u.dot(u).value() * v.dot(v).value() {
                return None;
            }
            // Where the lines come nearest, as parts of the edges.
            let (s, t) = (v.cross(w).dot(n) / size, u.cross(w).dot(n) / size);
            let room = |part: T, e: V<T>| {
                let length = e.length().value();
                let (here, least) = (part.value() * length, 1e6 * travel);
                here > least && length - here > least
            };
            (room(s, u) && room(t, v)).then(|| n.dot(w))
        });
        matches!(sides, [Some(x), Some(y)] if opposite(x, y))
    };
    corner_through_face(0, 1)
        || corner_through_face(1, 0)
        || (0..3).any(|i| (0..3).any(|j| edge_through_edge(i, j)))
}
