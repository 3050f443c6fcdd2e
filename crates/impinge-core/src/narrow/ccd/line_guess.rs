//! A guess when a point or a segment that moves along a line comes within a distance of a triangle: roots of quadratics, one for each pair of
//! features.
//!
//! It is a guess, and nothing depends on its rounding: a direction along which the two are far enough apart at that time, and come
//! nearer, proves it, because along that direction they were farther apart before.

use crate::math::DVec3;

/// When two triangles come within a distance.
#[derive(Clone, Copy, Debug)]
pub(super) enum LineGuess {
    /// At this time.
    Enters(f64),
    /// Never: they are closest at this time.
    Passes(f64),
}

/// The distinct corners of a triangle, first ones first, and how many there are.
fn distinct(triangle: &[DVec3; 3]) -> ([DVec3; 3], usize) {
    let [a, b, c] = *triangle;
    match (a == b, b == c || a == c) {
        (true, true) => ([a; 3], 1),
        (true, false) => ([a, c, c], 2),
        (false, true) => ([a, b, b], 2),
        (false, false) => ([a, b, c], 3),
    }
}

/// The times at which a point on its way along a direction of length 1 is so far from the features of a convex body: the least is when it comes
/// within that.
struct Times {
    direction: DVec3,
    radius: f64,
    enters: f64,
    /// The least distance of the line from a feature, and when that is.
    passes: (f64, f64),
}

impl Times {
    fn offer(&mut self, off: f64, middle: f64) {
        if off < self.passes.0 {
            self.passes = (off, middle);
        }
    }

    fn corner(&mut self, corner: DVec3) {
        let middle = self.direction.dot(corner);
        let off = (corner - self.direction * middle).length();
        self.offer(off, middle);
        let half = (self.radius - off) * (self.radius + off);
        if half >= 0.0 {
            self.enters = self.enters.min(middle - half.sqrt());
        }
    }

    fn edge(&mut self, start: DVec3, end: DVec3) {
        let (edge, direction) = (end - start, self.direction);
        let across = direction.cross(edge);
        let slant = across.length_squared();
        let squared = edge.length_squared();
        if slant <= 1e-20 * squared {
            return;
        }
        let height = start.dot(across);
        let off = height.abs() / slant.sqrt();
        // The line is closest to the edge's own line here.
        let middle = start.cross(edge).dot(across) / slant;
        let is_beside = |time: f64| {
            let along = edge.dot(direction * time - start);
            along >= 0.0 && along <= squared
        };
        if is_beside(middle) {
            self.offer(off, middle);
        }
        let half = (self.radius - off) * (self.radius + off);
        if half >= 0.0 {
            let time = middle - (half * squared / slant).sqrt();
            if time < self.enters && is_beside(time) {
                self.enters = time;
            }
        }
    }

    /// A face with these corners in order, three or four.
    fn face(&mut self, corners: &[DVec3]) {
        let Some(normal) = (corners[1] - corners[0]).cross(corners[2] - corners[0]).try_normalize() else {
            return;
        };
        let rise = normal.dot(self.direction);
        if rise.abs() < 1e-12 {
            return;
        }
        // On the side that the line comes from.
        let time = (normal.dot(corners[0]) - self.radius * rise.signum()) / rise;
        if time < self.enters {
            let point = self.direction * time;
            let is_before = |i: usize| {
                let (p, q) = (corners[i], corners[(i + 1) % corners.len()]);
                normal.dot((q - p).cross(point - p)) >= 0.0
            };
            if (0..corners.len()).all(is_before) {
                self.enters = time;
            }
        }
    }
}

/// Whether a triangle is a point or a segment.
#[inline]
pub(super) fn is_thin([a, b, c]: &[DVec3; 3]) -> bool {
    a == b || b == c || a == c
}

/// When a triangle that moves along a line comes within a distance of one that stands still; none where neither is a point or a segment, or
/// nothing moves.
pub(super) fn line_guess(
    [moving, still]: [&[DVec3; 3]; 2],
    velocity: DVec3,
    radius: f64,
) -> Option<LineGuess> {
    let (moving, still) = (distinct(moving), distinct(still));
    let speed = velocity.length();
    if moving.1.min(still.1) > 2 || speed <= 0.0 || !speed.is_finite() {
        return None;
    }
    // As if a point moved past the difference of the two; where it is the other that is small, backwards in space.
    let ((few, count), (many, corners), sign) =
        if moving.1 <= still.1 { (moving, still, 1.0) } else { (still, moving, -1.0) };
    let direction = velocity * (sign / speed);
    let mut times = Times { direction, radius, enters: f64::INFINITY, passes: (f64::INFINITY, 0.0) };
    let few = &few[..count];
    let edges = if corners == 3 { 3 } else { corners - 1 };
    if let ([from], 3) = (few, corners) {
        // What comes through the face of a convex body comes through nothing else before.
        times.face(&many.map(|corner| corner - *from));
        if times.enters.is_finite() {
            return Some(LineGuess::Enters(times.enters / speed));
        }
    }
    for &from in few {
        let placed = many.map(|corner| corner - from);
        for &corner in &placed[..corners] {
            times.corner(corner);
        }
        for i in 0..edges {
            times.edge(placed[i], placed[(i + 1) % 3]);
        }
        if corners == 3 && count == 2 {
            times.face(&placed);
        }
    }
    if let [from, to] = *few {
        for &corner in &many[..corners] {
            times.edge(corner - from, corner - to);
        }
        for i in 0..edges {
            let (start, end) = (many[i], many[(i + 1) % 3]);
            times.face(&[start - from, end - from, end - to, start - to]);
        }
    }
    let guess = if times.enters.is_finite() {
        LineGuess::Enters(times.enters / speed)
    } else {
        LineGuess::Passes(times.passes.1 / speed)
    };
    Some(guess)
}
