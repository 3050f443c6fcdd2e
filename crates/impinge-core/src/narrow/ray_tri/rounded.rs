//! The part of a line that is within a radius of a triangle: a convex set, made of a prism, three cylinders and three balls.

use crate::math::DVec3;

/// The part of a line that is within a radius of a triangle: where it begins and ends, and the nearest point of the triangle there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundedSpan {
    /// The time at which the line comes within the radius.
    pub entry: (f64, DVec3),
    /// The time from which on it is farther away.
    pub exit: (f64, DVec3),
}

impl RoundedSpan {
    fn offer(span: &mut Option<RoundedSpan>, time: f64, core: DVec3) {
        match span {
            None => *span = Some(RoundedSpan { entry: (time, core), exit: (time, core) }),
            Some(span) => {
                if time < span.entry.0 {
                    span.entry = (time, core);
                }
                if time > span.exit.0 {
                    span.exit = (time, core);
                }
            }
        }
    }
}

/// The part of the line through the origin, along a direction of length 1, that is within a radius of a triangle, which may be a segment or a
/// point; times may be negative. Rounded: up to some roundings of the coordinates, and grazing lines may miss by as much.
///
/// ```
/// use impinge_core::math::DVec3;
/// use impinge_core::narrow::ray_tri::rounded_span;
///
/// let ball = [DVec3::new(5.0, 3.0, 0.0); 3];
/// let span = rounded_span(DVec3::X, &ball, 5.0).unwrap();
/// assert_eq!((span.entry.0, span.exit.0), (1.0, 9.0));
/// assert!(rounded_span(DVec3::X, &ball, 2.5).is_none());
/// ```
pub fn rounded_span(direction: DVec3, corners: &[DVec3; 3], radius: f64) -> Option<RoundedSpan> {
    let mut span = None;
    // The square of half of a chord, so far from the middle: no digits are lost where it is short.
    let half_squared = |off: f64| (radius - off) * (radius + off);
    for &corner in corners {
        let along = direction.dot(corner);
        let half = half_squared((corner - direction * along).length());
        if half >= 0.0 {
            let half = half.sqrt();
            RoundedSpan::offer(&mut span, along - half, corner);
            RoundedSpan::offer(&mut span, along + half, corner);
        }
    }
    for i in 0..3 {
        let (start, edge) = (corners[i], corners[(i + 1) % 3] - corners[i]);
        let length = edge.length();
        if length == 0.0 {
            continue;
        }
        let unit = edge / length;
        // Seen along the edge, the cylinder is a circle. Along the edge itself, the balls at its ends are met.
        let across = direction - unit * unit.dot(direction);
        let slant = across.length_squared();
        if slant < 1e-24 {
            continue;
        }
        let from = start - unit * unit.dot(start);
        let middle = across.dot(from) / slant;
        let half = half_squared((from - across * middle).length());
        if half >= 0.0 {
            let half = (half / slant).sqrt();
            for time in [middle - half, middle + half] {
                let height = unit.dot(direction * time - start);
                if (0.0..=length).contains(&height) {
                    RoundedSpan::offer(&mut span, time, start + unit * height);
                }
            }
        }
    }
    let [a, b, c] = *corners;
    if let Some(normal) = (b - a).cross(c - a).try_normalize() {
        let (height, rise) = (normal.dot(a), normal.dot(direction));
        if rise.abs() > 1e-12 {
            for side in [-radius, radius] {
                let time = (height + side) / rise;
                let foot = direction * time - normal * side;
                let is_before = |p: DVec3, q: DVec3| normal.dot((q - p).cross(foot - p)) >= 0.0;
                if is_before(a, b) && is_before(b, c) && is_before(c, a) {
                    RoundedSpan::offer(&mut span, time, foot);
                }
            }
        }
    }
    span
}
