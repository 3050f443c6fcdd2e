//! Spheres and capsules: triangles that come within a radius of a point or of a segment.
//!
//! Whatever points are found to be closest, they prove something: their distance, that the triangle comes at least as
//! near; the direction from one to the other, if all of the triangle and all of the segment lie apart along it, that
//! it does not come nearer. So finding them may be careless, and only the proofs need bounds on their errors.

use super::{ALL, Decided, FourTriangles, UNDERFLOW, UNIT, corner, dot, range, splat, sub};
use crate::math::DVec3;
use crate::simd::Lanes;

/// The padding of lengths whose squares may underflow.
const TINY: f64 = 1e-120;

#[inline(always)]
pub(super) fn look<L: Lanes>(axis: &DVec3, radius: f64, triangles: &FourTriangles) -> Decided {
    let corners = [corner::<L>(triangles, 0), corner::<L>(triangles, 1), corner::<L>(triangles, 2)];
    let squared = axis.length_squared();
    let per_length = if squared > TINY { 1.0 / squared } else { 0.0 };
    let line = splat::<L>(*axis);
    let (zero, one) = (L::f64x4_splat(0.0), L::f64x4_splat(1.0));
    // The largest squared distance of a corner or of the axis' end from the origin: all errors are small to it.
    let squares = [
        dot::<L>(corners[0], corners[0]),
        dot::<L>(corners[1], corners[1]),
        dot::<L>(corners[2], corners[2]),
    ];
    let largest = L::f64x4_max(range::<L>(squares[0], squares[1], squares[2]).1, L::f64x4_splat(squared));
    let room = L::f64x4_add(L::f64x4_mul(largest, L::f64x4_splat(32.0 * UNIT)), L::f64x4_splat(UNDERFLOW));
    let within = L::f64x4_splat(radius * radius * (1.0 - 4.0 * UNIT));
    let beyond = L::f64x4_splat(radius * radius * (1.0 + 32.0 * UNIT));

    let (mut touching, mut apart) = (0, 0);
    let mut from_axis = [corners[0]; 3];
    let mut i = 0;
    while i < 3 {
        let place = L::f64x4_mul(dot::<L>(corners[i], line), L::f64x4_splat(per_length));
        let place = L::f64x4_max(L::f64x4_min(place, one), zero);
        let foot = [L::f64x4_mul(line[0], place), L::f64x4_mul(line[1], place), L::f64x4_mul(line[2], place)];
        from_axis[i] = sub::<L>(corners[i], foot);
        let distance = dot::<L>(from_axis[i], from_axis[i]);
        touching |= L::f64x4_greater(within, L::f64x4_add(distance, room));
        i += 1;
    }
    if touching == ALL {
        return Decided { touching, apart };
    }
    let (u, v) = (sub::<L>(corners[1], corners[0]), sub::<L>(corners[2], corners[0]));
    let mut normal = [zero; 3];
    let mut k = 0;
    while k < 3 {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        normal[k] = L::f64x4_sub(L::f64x4_mul(u[i], v[j]), L::f64x4_mul(u[j], v[i]));
        k += 1;
    }
    // Directions along which triangle and segment may lie apart: from the axis to each corner, and the normal, both ways.
    let mut d = 0;
    while d < 4 {
        let direction = if d < 3 { from_axis[d] } else { normal };
        let length = dot::<L>(direction, direction);
        let (least, most) = range::<L>(
            dot::<L>(direction, corners[0]),
            dot::<L>(direction, corners[1]),
            dot::<L>(direction, corners[2]),
        );
        let end = dot::<L>(direction, line);
        let gap = L::f64x4_max(
            L::f64x4_sub(least, L::f64x4_max(end, zero)),
            L::f64x4_sub(L::f64x4_min(end, zero), most),
        );
        // Products of the direction with points are off by some roundings of the product of their lengths, which is at most
        // the mean of their squares.
        let error = L::f64x4_mul(L::f64x4_add(length, largest), L::f64x4_splat(32.0 * UNIT));
        let clear = L::f64x4_sub(gap, L::f64x4_add(error, L::f64x4_splat(UNDERFLOW)));
        let farther = L::f64x4_greater(
            L::f64x4_mul(clear, clear),
            L::f64x4_add(L::f64x4_mul(length, beyond), L::f64x4_splat(UNDERFLOW)),
        );
        apart |= farther & L::f64x4_greater(clear, zero);
        d += 1;
    }
    Decided { touching, apart: apart & !touching }
}

/// Finds the closest points in `f64`, and what they prove.
pub(super) fn look_closely(axis: DVec3, radius: f64, triangle: &[DVec3; 3]) -> Option<bool> {
    let mut best = (f64::INFINITY, DVec3::ZERO, DVec3::ZERO);
    let mut try_pair = |on_axis: DVec3, on_triangle: DVec3| {
        let distance = (on_triangle - on_axis).length_squared();
        if distance < best.0 {
            best = (distance, on_axis, on_triangle);
        }
    };
    try_pair(DVec3::ZERO, closest_of_triangle(DVec3::ZERO, triangle));
    if axis != DVec3::ZERO {
        try_pair(axis, closest_of_triangle(axis, triangle));
        for i in 0..3 {
            let (on_axis, on_edge) = closest_of_segments(axis, triangle[i], triangle[(i + 1) % 3]);
            try_pair(on_axis, on_edge);
        }
        let normal = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]);
        let place = normal.dot(triangle[0]) / normal.dot(axis);
        if (0.0..=1.0).contains(&place) {
            let crossing = axis * place;
            try_pair(crossing, closest_of_triangle(crossing, triangle));
        }
    }
    let (squared, on_axis, on_triangle) = best;
    let size =
        triangle.iter().fold(axis.abs().element_sum(), |most, corner| most.max(corner.abs().element_sum()));
    let room = 64.0 * UNIT * size + TINY;
    let distance = squared.sqrt();
    if distance + room < radius {
        return Some(true);
    }
    // Along the direction from the segment to the triangle.
    let direction = on_triangle - on_axis;
    let along = |point: DVec3| direction.dot(point);
    let nearest = along(triangle[0]).min(along(triangle[1])).min(along(triangle[2]));
    let gap = nearest - along(axis).max(0.0);
    (gap > distance * (radius * (1.0 + 8.0 * UNIT) + room) + UNDERFLOW && distance > TINY).then_some(false)
}

/// The point of a triangle that is closest to a point, nearly; always a point of the triangle, nearly.
fn closest_of_triangle(point: DVec3, &[a, b, c]: &[DVec3; 3]) -> DVec3 {
    let (u, v, w) = (b - a, c - a, point - a);
    let (uu, uv, vv) = (u.dot(u), u.dot(v), v.dot(v));
    let (wu, wv) = (w.dot(u), w.dot(v));
    let whole = uu * vv - uv * uv;
    let (s, t) = ((vv * wu - uv * wv) / whole, (uu * wv - uv * wu) / whole);
    if s >= 0.0 && t >= 0.0 && s + t <= 1.0 {
        return a + u * s + v * t;
    }
    let mut best = (f64::INFINITY, a);
    for (p, q) in [(a, b), (b, c), (c, a)] {
        let along = q - p;
        let place = ((point - p).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        let place = if place.is_finite() { place } else { 0.0 };
        let foot = p + along * place;
        let distance = (point - foot).length_squared();
        if distance < best.0 {
            best = (distance, foot);
        }
    }
    best.1
}

/// The closest points of the segment from the origin to `axis` and of the one from `p` to `q`, nearly.
fn closest_of_segments(axis: DVec3, p: DVec3, q: DVec3) -> (DVec3, DVec3) {
    let edge = q - p;
    let (dd, ee, de) = (axis.length_squared(), edge.length_squared(), axis.dot(edge));
    let (pd, pe) = (p.dot(axis), p.dot(edge));
    let finite = |value: f64| if value.is_finite() { value.clamp(0.0, 1.0) } else { 0.0 };
    let on_axis = finite((pd * ee - pe * de) / (dd * ee - de * de));
    let on_edge = finite((on_axis * de - pe) / ee);
    let on_axis = finite((pd + on_edge * de) / dd);
    (axis * on_axis, p + edge * on_edge)
}
