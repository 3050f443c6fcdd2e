//! Two convex bodies that both turn: directions that tell them apart, each for a piece of the time.
//!
//! A direction stands still in the world, or in one of the two. Along it, the height of a corner leaves the chord between its heights at the two ends of a
//! piece by at most its greatest acceleration times the square of the piece, over eight.

use impinge::Model;
use impinge::glam::{DAffine3, DVec3};

use super::Doing;
use crate::sweep_oracle::rotation::Proof;

/// So many pieces are tried.
const PIECES: u32 = 60_000;

/// Rounding moves heights by less than this, for bodies and places of a size of up to 100.
const ROUNDING: f64 = 1e-13;

struct Body {
    points: Vec<DVec3>,
    normals: Vec<DVec3>,
    edges: Vec<DVec3>,
    doing: Doing,
}

impl Body {
    /// None of a body that is not convex.
    fn new(model: &Model, doing: &Doing) -> Option<Body> {
        let mesh = model.mesh();
        let points: Vec<DVec3> = mesh.vertices().collect();
        let (mut normals, mut edges): (Vec<DVec3>, Vec<DVec3>) = (Vec::new(), Vec::new());
        let is_new = |list: &[DVec3], direction: DVec3| {
            !list.iter().any(|known| known.dot(direction).abs() > 1.0 - 1e-9)
        };
        for face in 0..mesh.face_count() as u32 {
            for piece in 0..mesh.fan_count(face) {
                let [a, b, c] = mesh.fan_triangle(face, piece).map(|vertex| mesh.vertex(vertex));
                let normal = (b - a).cross(c - a).normalize();
                if points.iter().any(|point| normal.dot(*point - a) > 1e-9) {
                    return None;
                }
                if !normals.iter().any(|known| known.dot(normal) > 1.0 - 1e-9) {
                    normals.push(normal);
                }
                for edge in [b - a, c - b, a - c].map(DVec3::normalize) {
                    if is_new(&edges, edge) {
                        edges.push(edge);
                    }
                }
            }
        }
        Some(Body { points, normals, edges, doing: *doing })
    }

    fn spin(&self) -> DVec3 {
        self.doing.turn.map_or(DVec3::ZERO, |(_, axis, angle)| axis * angle)
    }

    /// The greatest distance of a corner from the center of the turn.
    fn radius(&self) -> f64 {
        let center = self.doing.turn.map_or(DVec3::ZERO, |(center, ..)| center);
        self.points
            .iter()
            .map(|point| self.doing.pose.transform_point3(*point).distance(center))
            .fold(0.0, f64::max)
    }
}

/// The corners of a body as they are seen from a frame at a time.
fn seen(body: &Body, frame: Option<&Body>, share: f64) -> Vec<DVec3> {
    let map = body.doing.at(share);
    let map = frame.map_or(map, |frame| rigid_inverse(frame.doing.at(share)) * map);
    body.points.iter().map(|point| map.transform_point3(*point)).collect()
}

fn rigid_inverse(map: DAffine3) -> DAffine3 {
    let matrix3 = map.matrix3.transpose();
    DAffine3 { matrix3, translation: -(matrix3 * map.translation) }
}

/// Shows that two bodies stay apart from a share of the time to its end, or that they do not.
pub(super) fn prove(models: [&Model; 2], doing: &[Doing; 2], from: f64) -> Proof {
    let bodies = [Body::new(models[0], &doing[0]), Body::new(models[1], &doing[1])];
    let [Some(a), Some(b)] = &bodies else { return Proof::Unknown };
    // Seen from a body, points of the other have these speeds and accelerations at most; in the world, the greater of both does.
    let [spin_a, spin_b] = [a.spin(), b.spin()];
    let drift = doing[0].by.length() + doing[1].by.length();
    let spins = spin_a.length() + spin_b.length();
    let center = |body: &Body| body.doing.turn.map_or(DVec3::ZERO, |(center, ..)| center);
    let far = a.radius() + b.radius() + center(a).distance(center(b)) + drift;
    let crude = spins * spins * far + 2.0 * spins * drift;
    // Bodies that move alike hardly move as one sees the other.
    let apart = center(a) - center(b);
    let same = (spin_a - spin_b).length() * far
        + spin_a.cross(apart).length()
        + (doing[0].by - doing[1].by).length();
    let relative = 4.0 * same * (spins + 1.0) * (spins + 1.0);
    let bends = [crude, crude.min(relative), crude.min(relative)];
    let mut todo = vec![(from, 1.0)];
    let mut tried = 0;
    while let Some((first, last)) = todo.pop() {
        tried += 1;
        if tried > PIECES {
            return Proof::Unknown;
        }
        let middle = first + (last - first) / 2.0;
        if middle <= first || middle >= last {
            return Proof::Unknown;
        }
        let width = last - first;
        let frames = [None, Some(a), Some(b)];
        let is_apart = (0..3).any(|k| {
            let sag = bends[k] * width * width / 8.0;
            let ends = [first, last].map(|share| [a, b].map(|body| seen(body, frames[k], share)));
            directions(a, b, frames[k], middle).into_iter().any(|direction| {
                let gap = |points: &[Vec<DVec3>; 2]| {
                    let low =
                        points[0].iter().map(|point| direction.dot(*point)).fold(f64::INFINITY, f64::min);
                    let high =
                        points[1].iter().map(|point| direction.dot(*point)).fold(f64::NEG_INFINITY, f64::max);
                    low - high
                };
                // The least height of the one and the greatest of the other bound the gap between the chords at every time.
                gap(&ends[0]).min(gap(&ends[1])) - 2.0 * sag > ROUNDING
            })
        });
        if is_apart {
            continue;
        }
        if deepest(a, b, middle) > 1e-9 {
            return Proof::Touch { at: middle };
        }
        todo.push((middle, last));
        todo.push((first, middle));
    }
    Proof::Clear
}

/// Directions of length 1 in a frame that may tell the two apart about a time: the best few.
fn directions(a: &Body, b: &Body, frame: Option<&Body>, share: f64) -> Vec<DVec3> {
    let to_frame = frame.map_or(DAffine3::IDENTITY, |frame| rigid_inverse(frame.doing.at(share)));
    let mut scored = scored(a, b, share);
    scored.truncate(3);
    scored.into_iter().map(|(_, direction)| (to_frame.matrix3 * direction).normalize()).collect()
}

/// How deep the two are in each other at a time; negative where they are apart.
fn deepest(a: &Body, b: &Body, share: f64) -> f64 {
    -scored(a, b, share).first().map_or(f64::NEG_INFINITY, |(gap, _)| *gap)
}

/// All separating axes of two convex bodies at a time, in the world, with the gaps along them, the largest first.
fn scored(a: &Body, b: &Body, share: f64) -> Vec<(f64, DVec3)> {
    let [of_a, of_b] = [a, b].map(|body| body.doing.at(share));
    let points = [a, b].map(|body| seen(body, None, share));
    let mut all: Vec<DVec3> = a.normals.iter().map(|normal| of_a.matrix3 * *normal).collect();
    all.extend(b.normals.iter().map(|normal| of_b.matrix3 * *normal));
    for u in &a.edges {
        for v in &b.edges {
            all.extend((of_a.matrix3 * *u).cross(of_b.matrix3 * *v).try_normalize());
        }
    }
    let mut scored: Vec<(f64, DVec3)> = Vec::new();
    for direction in all.into_iter().flat_map(|direction| [direction.normalize(), -direction.normalize()]) {
        let low = points[0].iter().map(|point| direction.dot(*point)).fold(f64::INFINITY, f64::min);
        let high = points[1].iter().map(|point| direction.dot(*point)).fold(f64::NEG_INFINITY, f64::max);
        scored.push((low - high, direction));
    }
    // The way between corners that are close: what is far apart is told apart soonest along it.
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored
}
