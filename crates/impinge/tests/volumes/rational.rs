//! Triangles against volumes in rational arithmetic: slow and obviously right.

use dashu_ratio::RBig;
use impinge::math::DVec3;
use impinge_core::narrow::volume::Solid;

type Point = [RBig; 3];

fn number(value: f64) -> RBig {
    RBig::try_from(value).expect("the number is finite")
}

fn point(of: DVec3) -> Point {
    of.to_array().map(number)
}

fn minus(a: &Point, b: &Point) -> Point {
    std::array::from_fn(|i| &a[i] - &b[i])
}

fn dot(a: &Point, b: &Point) -> RBig {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn cross(a: &Point, b: &Point) -> Point {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        &a[j] * &b[k] - &a[k] * &b[j]
    })
}

fn along(p: &Point, q: &Point, t: &RBig) -> Point {
    std::array::from_fn(|i| &p[i] + (&q[i] - &p[i]) * t)
}

fn squared_distance(a: &Point, b: &Point) -> RBig {
    let difference = minus(a, b);
    dot(&difference, &difference)
}

/// Whether a triangle and a volume share a point.
pub(crate) fn touches(solid: &Solid, triangle: &[DVec3; 3]) -> bool {
    let corners = triangle.map(point);
    let axis = |k: usize, sign: f64| point(DVec3::AXES[k] * sign);
    match solid {
        Solid::Box { low, high } => {
            let sides =
                (0..3).flat_map(|k| [(axis(k, 1.0), number(high[k])), (axis(k, -1.0), number(-low[k]))]);
            is_left_over(&corners, sides)
        }
        Solid::Plane(side) => is_left_over(
            &corners,
            [(point(side.normal), number(side.offset)), (point(-side.normal), number(-side.offset))]
                .into_iter(),
        ),
        Solid::Sides(list) => is_left_over(
            &corners,
            list.iter().flatten().map(|side| (point(side.normal), number(side.offset))),
        ),
        Solid::Round { axis, radius } => {
            let radius = number(*radius);
            distance_to_segment(&corners, &point(*axis)) <= &radius * &radius
        }
    }
}

/// Whether anything of the triangle is left after it was cut with all half-spaces.
fn is_left_over(corners: &[Point; 3], sides: impl Iterator<Item = (Point, RBig)>) -> bool {
    let zero = RBig::ZERO;
    let mut polygon = corners.to_vec();
    for (normal, offset) in sides {
        let height = |p: &Point| dot(&normal, p) - &offset;
        let mut cut = Vec::new();
        for (i, p) in polygon.iter().enumerate() {
            let q = &polygon[(i + 1) % polygon.len()];
            let (at_p, at_q) = (height(p), height(q));
            if at_p <= zero {
                cut.push(p.clone());
            }
            if at_p < zero && at_q > zero || at_p > zero && at_q < zero {
                cut.push(along(p, q, &(&at_p / (&at_p - &at_q))));
            }
        }
        polygon = cut;
    }
    !polygon.is_empty()
}

/// The squared distance of a triangle from the segment from the origin to `end`.
fn distance_to_segment(triangle: &[Point; 3], end: &Point) -> RBig {
    let start: Point = std::array::from_fn(|_| RBig::ZERO);
    let mut least = distance_to_point(triangle, &start).min(distance_to_point(triangle, end));
    for i in 0..3 {
        least = least.min(distance_of_segments(&start, end, &triangle[i], &triangle[(i + 1) % 3]));
    }
    // The segment may pass through.
    let normal = cross(&minus(&triangle[1], &triangle[0]), &minus(&triangle[2], &triangle[0]));
    let slope = dot(&normal, end);
    if slope != RBig::ZERO {
        let t = dot(&normal, &triangle[0]) / slope;
        if t >= RBig::ZERO && t <= RBig::ONE {
            least = least.min(distance_to_point(triangle, &along(&start, end, &t)));
        }
    }
    least
}

fn distance_to_point(triangle: &[Point; 3], p: &Point) -> RBig {
    let mut least = (0..3)
        .map(|i| point_segment(p, &triangle[i], &triangle[(i + 1) % 3]))
        .min()
        .expect("there are three edges");
    let [a, b, c] = triangle;
    let normal = cross(&minus(b, a), &minus(c, a));
    let size = dot(&normal, &normal);
    if size != RBig::ZERO {
        let height = dot(&normal, &minus(p, a)) / &size;
        let foot: Point = std::array::from_fn(|i| &p[i] - &normal[i] * &height);
        let inside = (0..3).all(|i| {
            let (from, to) = (&triangle[i], &triangle[(i + 1) % 3]);
            dot(&cross(&minus(to, from), &minus(&foot, from)), &normal) >= RBig::ZERO
        });
        if inside {
            least = least.min(squared_distance(p, &foot));
        }
    }
    least
}

fn point_segment(p: &Point, a: &Point, b: &Point) -> RBig {
    let edge = minus(b, a);
    let length = dot(&edge, &edge);
    if length == RBig::ZERO {
        return squared_distance(p, a);
    }
    let t = (dot(&minus(p, a), &edge) / length).clamp(RBig::ZERO, RBig::ONE);
    squared_distance(p, &along(a, b, &t))
}

fn distance_of_segments(a: &Point, b: &Point, c: &Point, d: &Point) -> RBig {
    let mut least = point_segment(a, c, d)
        .min(point_segment(b, c, d))
        .min(point_segment(c, a, b))
        .min(point_segment(d, a, b));
    let (u, v, w) = (minus(b, a), minus(d, c), minus(a, c));
    let (uu, uv, vv, uw, vw) = (dot(&u, &u), dot(&u, &v), dot(&v, &v), dot(&u, &w), dot(&v, &w));
    let whole = &uu * &vv - &uv * &uv;
    if whole != RBig::ZERO {
        let s = (&uv * &vw - &vv * &uw) / &whole;
        let t = (&uu * &vw - &uv * &uw) / &whole;
        let within = |x: &RBig| *x >= RBig::ZERO && *x <= RBig::ONE;
        if within(&s) && within(&t) {
            least = least.min(squared_distance(&along(a, b, &s), &along(c, d, &t)));
        }
    }
    least
}
