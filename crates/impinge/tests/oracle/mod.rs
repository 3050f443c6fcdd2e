//! The slow, obviously right versions: whole-number arithmetic of any length, and convex sets cut by half-spaces.
#![allow(clippy::unwrap_used, unreachable_pub)]

use dashu_int::IBig;
use impinge::math::DVec3;
use impinge_core::narrow::tri_tri::Kind;

pub mod cases;
pub mod ray;
pub mod metric;
pub mod volume;

/// `(x, y, z, w)` stands for the point `(x/w, y/w, z/w)`, with w above zero.
pub type Point = [IBig; 4];
/// `n·p + d ≥ 0`.
pub type HalfSpace = [IBig; 4];
type Vector = [IBig; 3];

/// A finite number as a whole number times 2^exponent.
fn parts(value: f64) -> (i64, i32) {
    let bits = value.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    let (mantissa, exponent) =
        if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    (if value < 0.0 { -mantissa } else { mantissa }, exponent)
}

/// The points in whole numbers, all times one power of two.
pub fn whole(points: &[DVec3]) -> Vec<Point> {
    let coordinates = points.iter().flat_map(DVec3::to_array).filter(|&c| c != 0.0);
    let least = coordinates.map(|c| parts(c).1 + parts(c).0.trailing_zeros() as i32).min().unwrap_or(0);
    let convert = |c: f64| -> IBig {
        let (mantissa, exponent) = parts(c);
        if mantissa == 0 {
            return IBig::from(0);
        }
        let shift = exponent - least;
        if shift >= 0 { IBig::from(mantissa) << shift as usize } else { IBig::from(mantissa >> -shift) }
    };
    points.iter().map(|p| [convert(p.x), convert(p.y), convert(p.z), IBig::from(1)]).collect()
}

fn minus(a: &Point, b: &Point) -> Vector {
    // Only for input points, whose w is one.
    std::array::from_fn(|i| &a[i] - &b[i])
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        &a[j] * &b[k] - &a[k] * &b[j]
    })
}

fn dot(a: &Vector, b: &[IBig]) -> IBig {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn is_zero(v: &Vector) -> bool {
    v.iter().all(|c| *c == IBig::from(0))
}

/// The half-space through `p` on the side of `normal`.
fn half_space(normal: Vector, p: &Point) -> HalfSpace {
    let d = -dot(&normal, &p[..3]);
    let [x, y, z] = normal;
    [x, y, z, d]
}

fn flipped(h: &HalfSpace) -> HalfSpace {
    std::array::from_fn(|i| -&h[i])
}

fn value(h: &HalfSpace, p: &Point) -> IBig {
    &h[0] * &p[0] + &h[1] * &p[1] + &h[2] * &p[2] + &h[3] * &p[3]
}

/// The sign of `(b - a) × (c - a) · (d - a)`.
pub fn orient3d(a: &Point, b: &Point, c: &Point, d: &Point) -> i32 {
    sign(&dot(&cross(&minus(b, a), &minus(c, a)), &minus(d, a)))
}

pub fn sign(value: &IBig) -> i32 {
    value.cmp(&IBig::from(0)) as i32
}

/// A convex set given by its corners: the half-spaces whose intersection it is, first those of its affine hull (in
/// opposite pairs), then the proper ones.
pub struct Convex {
    flat: Vec<HalfSpace>,
    proper: Vec<HalfSpace>,
}

impl Convex {
    pub fn triangle(t: &[Point]) -> Convex {
        let (u, v) = (minus(&t[1], &t[0]), minus(&t[2], &t[0]));
        let normal = cross(&u, &v);
        let (mut flat, mut proper) = (Vec::new(), Vec::new());
        let mut equal = |h: HalfSpace| {
            flat.push(flipped(&h));
            flat.push(h);
        };
        if !is_zero(&normal) {
            for i in 0..3 {
                let edge = minus(&t[(i + 1) % 3], &t[i]);
                proper.push(half_space(cross(&normal, &edge), &t[i]));
            }
            equal(half_space(normal, &t[0]));
            return Convex { flat, proper };
        }
        // A segment or a point: the two corners that are farthest apart.
        let pairs = [(0, 1), (1, 2), (2, 0)];
        let length = |&(i, j): &(usize, usize)| {
            let d = minus(&t[j], &t[i]);
            dot(&d, &d)
        };
        let (i, j) = pairs.into_iter().max_by_key(|pair| length(pair)).unwrap();
        let along = minus(&t[j], &t[i]);
        let axes: [Vector; 3] =
            std::array::from_fn(|i| std::array::from_fn(|j| IBig::from(i32::from(i == j))));
        if is_zero(&along) {
            for axis in axes {
                equal(half_space(axis, &t[0]));
            }
        } else {
            for axis in axes {
                equal(half_space(cross(&axis, &along), &t[0]));
            }
            proper.push(flipped(&half_space(along.clone(), &t[j])));
            proper.push(half_space(along, &t[i]));
        }
        Convex { flat, proper }
    }

    fn has_inside(&self, p: &Point) -> bool {
        self.proper.iter().all(|h| sign(&value(h, p)) > 0)
    }
}

/// The part of a polygon in a half-space.
fn clip(polygon: &[Point], h: &HalfSpace) -> Vec<Point> {
    let values: Vec<IBig> = polygon.iter().map(|p| value(h, p)).collect();
    let mut kept = Vec::new();
    for i in 0..polygon.len() {
        let j = (i + 1) % polygon.len();
        if sign(&values[i]) >= 0 {
            kept.push(polygon[i].clone());
        }
        if sign(&values[i]) * sign(&values[j]) < 0 {
            let (p, q) = (&values[i], &values[j]);
            let point: Point = std::array::from_fn(|k| &polygon[j][k] * p - &polygon[i][k] * q);
            kept.push(if sign(&point[3]) < 0 { point.map(|c| -c) } else { point });
        }
    }
    kept.dedup();
    kept
}

/// A point in the middle of the corners of a convex set.
fn middle(points: &[Point]) -> Point {
    let mut sum = points[0].clone();
    for p in &points[1..] {
        sum =
            std::array::from_fn(|k| if k == 3 { &sum[3] * &p[3] } else { &sum[k] * &p[3] + &p[k] * &sum[3] });
    }
    sum[3] *= IBig::from(points.len());
    sum
}

/// Whether and how two triangles meet.
pub fn triangles(a: &[DVec3; 3], b: &[DVec3; 3]) -> Option<Kind> {
    meet(a, b, Convex::triangle)
}

/// Whether and how two convex sets meet: one is cut by the half-spaces of the other.
fn meet(a: &[DVec3], b: &[DVec3], convex: impl Fn(&[Point]) -> Convex) -> Option<Kind> {
    let all = whole(&[a, b].concat());
    let (t, s) = all.split_at(a.len());
    let (of_t, of_s) = (convex(t), convex(s));
    let mut shared = t.to_vec();
    for h in of_s.flat.iter().chain(&of_s.proper) {
        if shared.is_empty() {
            return None;
        }
        shared = clip(&shared, h);
    }
    if shared.is_empty() {
        return None;
    }
    let middle = middle(&shared);
    let interior = of_t.has_inside(&middle) && of_s.has_inside(&middle);
    Some(if interior && !coplanar(&all) { Kind::Crossing } else { Kind::Touching })
}

/// Whether all points lie in one plane.
fn coplanar(points: &[Point]) -> bool {
    let n = points.len();
    (0..n).all(|i| {
        (i + 1..n).all(|j| {
            (j + 1..n)
                .all(|k| (k + 1..n).all(|l| orient3d(&points[i], &points[j], &points[k], &points[l]) == 0))
        })
    })
}

/// Whether and how two convex planar polygons meet: as whole outlines, not as triangles.
pub fn convex_polygons(a: &[DVec3], b: &[DVec3]) -> Option<Kind> {
    meet(a, b, polygon_convex)
}

/// A convex planar polygon with an area; corners may be collinear or repeated.
fn polygon_convex(corners: &[Point]) -> Convex {
    let count = corners.len();
    let normals =
        (1..count - 1).map(|k| cross(&minus(&corners[k], &corners[0]), &minus(&corners[k + 1], &corners[0])));
    let normal = normals.into_iter().find(|normal| !is_zero(normal)).unwrap();
    let edges = (0..count).map(|i| (i, minus(&corners[(i + 1) % count], &corners[i])));
    let proper = edges
        .filter(|(_, edge)| !is_zero(edge))
        .map(|(i, edge)| half_space(cross(&normal, &edge), &corners[i]))
        .collect();
    let plane = half_space(normal, &corners[0]);
    Convex { flat: vec![flipped(&plane), plane], proper }
}
