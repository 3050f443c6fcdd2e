//! The volume that two closed surfaces share, in whole numbers of any length.
//!
//! Seen from any fixed apex, a solid is the signed sum of the tetrahedra over its triangles. So the shared volume is the sum over pairs of triangles of
//! the volumes that their two tetrahedra share. Those are cones from one apex: one triangle is cut by the three planes of the
//! other's cone, and what is left ends at its own plane or at the other's, whichever is nearer to the apex. Nothing is rounded but the last digit
//! of every quotient, and nothing has to be in general position.

use dashu_int::IBig;
use impinge::math::DVec3;

use super::{HalfSpace, Point, clip, cross, dot, sign, value, whole};

/// The digits after the point of all quotients, in bits: a unit is the last bit of the coordinates already.
const FRACTION: usize = 64;

/// A tetrahedron between the apex and a triangle, with a sign.
struct Cone {
    /// The sign of the volume.
    sign: i32,
    corners: [Point; 3],
    /// The half-spaces through the apex that bound it.
    sides: [HalfSpace; 3],
    /// The half-space of the triangle, with the apex in it.
    base: HalfSpace,
    /// The corners and normals of the sides, rounded, with lengths of 1.
    rounded: [[DVec3; 3]; 2],
}

impl Cone {
    /// The tetrahedron over a triangle given from the apex; `None` where it has no volume.
    fn new(corners: &[Point], rounded: [DVec3; 3]) -> Option<Cone> {
        let vectors: [[IBig; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|k| corners[i][k].clone()));
        let [a, b, c] = &vectors;
        let turn = sign(&dot(&cross(a, b), c));
        if turn == 0 {
            return None;
        }
        let oriented = |vector: [IBig; 3]| vector.map(|number| number * IBig::from(turn));
        let through_apex = |vector: [IBig; 3]| {
            let [x, y, z] = oriented(vector);
            [x, y, z, IBig::from(0)]
        };
        let sides = [[a, b], [b, c], [c, a]].map(|[p, q]| through_apex(cross(p, q)));
        let edge = |p: &[IBig; 3], q: &[IBig; 3]| -> [IBig; 3] { std::array::from_fn(|k| &q[k] - &p[k]) };
        let normal = oriented(cross(&edge(a, b), &edge(a, c)));
        let height = dot(&normal, a);
        let [x, y, z] = normal.map(|number| -number);
        let normals = sides
            .each_ref()
            .map(|side| DVec3::from_array([0, 1, 2].map(|k| side[k].to_f64().value())).normalize_or_zero());
        Some(Cone {
            sign: turn,
            corners: std::array::from_fn(|i| corners[i].clone()),
            sides,
            base: [x, y, z, height],
            rounded: [rounded.map(DVec3::normalize_or_zero), normals],
        })
    }

    /// Whether a side of either has all of the other cone beyond it, by more than rounding.
    fn misses(&self, other: &Cone) -> bool {
        let beyond = |of: &Cone, what: &Cone| {
            let is_beyond =
                |normal: &DVec3| what.rounded[0].iter().all(|corner| normal.dot(*corner) < -1e-12);
            of.rounded[1].iter().any(is_beyond)
        };
        beyond(self, other) || beyond(other, self)
    }

    /// Six times the volume that two tetrahedra share, without their signs, as a whole number of 2^-[`FRACTION`].
    fn shared(&self, other: &Cone) -> IBig {
        let mut polygon = self.corners.to_vec();
        for side in &other.sides {
            polygon = clip(&polygon, side);
            if polygon.len() < 3 {
                return IBig::from(0);
            }
        }
        let beyond = other.base.each_ref().map(|number| -number);
        let near = clip(&polygon, &other.base);
        // Of two triangles in one plane nothing is beyond the other, and all of it is on its border.
        let is_beyond = polygon.iter().any(|corner| sign(&value(&beyond, corner)) > 0);
        let far = if is_beyond { clip(&polygon, &beyond) } else { Vec::new() };
        // What is beyond the other's triangle ends there: each corner p goes to p · height / (normal · p).
        let ends = far.iter().map(|corner| -> Point {
            let along = &other.base[3] * &corner[3] - value(&other.base, corner);
            [0, 1, 2, 3].map(|k| if k < 3 { &corner[k] * &other.base[3] } else { along.clone() })
        });
        below(&near) + below(&ends.collect::<Vec<_>>())
    }
}

/// Six times the volume between the apex and a convex polygon.
fn below(polygon: &[Point]) -> IBig {
    let mut sum = IBig::from(0);
    for k in 1..polygon.len().saturating_sub(1) {
        let [a, b, c] = [&polygon[0], &polygon[k], &polygon[k + 1]];
        let vectors = [a, b, c].map(|p| -> [IBig; 3] { std::array::from_fn(|k| p[k].clone()) });
        let volume = dot(&cross(&vectors[0], &vectors[1]), &vectors[2]);
        let volume = if sign(&volume) < 0 { -volume } else { volume };
        sum += (volume << FRACTION) / (&a[3] * &b[3] * &c[3]);
    }
    sum
}

/// The integral of the product of two winding numbers, each that of a closed surface of triangles: the volume that two solids share.
pub fn shared_volume(a: &[[DVec3; 3]], b: &[[DVec3; 3]]) -> f64 {
    let corners = a.iter().flatten();
    let (min, max) =
        corners.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(min, max), &p| (min.min(p), max.max(p)));
    // A coordinate of few digits near the middle keeps the numbers short.
    let step = (max - min).max_element().log2().floor().exp2() / 64.0;
    let apex = ((min + max) * (0.5 / step)).round() * step;
    let points: Vec<DVec3> = [apex].into_iter().chain(a.iter().chain(b).flatten().copied()).collect();
    let from_apex = {
        let all = whole(&points);
        let apex = all[0].clone();
        all.into_iter().skip(1).map(move |p| -> Point {
            [0, 1, 2, 3].map(|k| if k < 3 { &p[k] - &apex[k] } else { p[3].clone() })
        })
    };
    let from_apex: Vec<Point> = from_apex.collect();
    let cones = |from: usize, triangles: &[[DVec3; 3]]| -> Vec<Cone> {
        let at = from_apex[3 * from..].chunks_exact(3).zip(triangles);
        at.filter_map(|(corners, triangle)| Cone::new(corners, triangle.map(|p| p - apex))).collect()
    };
    let (of_a, of_b) = (cones(0, a), cones(a.len(), b));
    let mut sum = IBig::from(0);
    for first in &of_a {
        for second in of_b.iter().filter(|second| !first.misses(second)) {
            sum += first.shared(second) * IBig::from(first.sign * second.sign);
        }
    }
    // Each quotient lost less than its last digit, and there are fewer than this.
    let lost = IBig::from(1 << 24);
    if sum < lost && sum > -lost {
        return 0.0;
    }
    sum.to_f64().value() / 6.0 * (-(FRACTION as f64)).exp2() * unit(&points).powi(3)
}

/// The length of which coordinates are whole numbers, as [`whole`] has it.
fn unit(points: &[DVec3]) -> f64 {
    let exact = whole(points);
    let numbers = exact.iter().zip(points).flat_map(|(exact, p)| (0..3).map(move |k| (&exact[k], p[k])));
    let (number, coordinate) = numbers.into_iter().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())).unwrap();
    coordinate / number.to_f64().value()
}
