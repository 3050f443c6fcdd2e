//! Distances in rational arithmetic: squares of them are rational.

use dashu_ratio::RBig;
use impinge::math::DVec3;

pub type Exact = [RBig; 3];

pub fn exact(p: DVec3) -> Exact {
    p.to_array().map(|c| RBig::try_from(c).unwrap())
}

fn minus(a: &Exact, b: &Exact) -> Exact {
    [0, 1, 2].map(|i| &a[i] - &b[i])
}

fn plus_times(a: &Exact, u: &Exact, s: &RBig) -> Exact {
    [0, 1, 2].map(|i| &a[i] + &u[i] * s)
}

fn dot(a: &Exact, b: &Exact) -> RBig {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn square(a: &Exact) -> RBig {
    dot(a, a)
}

pub fn to_segment(p: &Exact, q: &Exact, r: &Exact) -> RBig {
    let (v, w) = (minus(r, q), minus(p, q));
    let (along, length) = (dot(&v, &w), square(&v));
    let t = if length == RBig::ZERO || along <= RBig::ZERO {
        RBig::ZERO
    } else if along >= length {
        RBig::ONE
    } else {
        along / length
    };
    square(&minus(p, &plus_times(q, &v, &t)))
}

/// The parameters at which w + s u - t v is shortest.
fn shortest(w: &Exact, u: &Exact, v: &Exact) -> Option<[RBig; 2]> {
    let (a, b, e, c, f) = (square(u), dot(u, v), square(v), dot(u, w), dot(v, w));
    let determinant = &a * &e - &b * &b;
    (determinant != RBig::ZERO)
        .then(|| [(&b * &f - &c * &e) / &determinant, (&a * &f - &b * &c) / &determinant])
}

fn is_inner(x: &RBig) -> bool {
    *x >= RBig::ZERO && *x <= RBig::ONE
}

pub fn to_triangle(p: &Exact, t: &[Exact; 3]) -> RBig {
    let mut least = (0..3).map(|i| to_segment(p, &t[i], &t[(i + 1) % 3])).min().unwrap();
    let (u, v) = (minus(&t[1], &t[0]), minus(&t[2], &t[0]));
    let opposite = v.clone().map(|c| -c);
    if let Some([s, r]) = shortest(&minus(&t[0], p), &u, &opposite)
        && is_inner(&s)
        && is_inner(&r)
        && is_inner(&(&s + &r))
    {
        least = least.min(square(&minus(p, &plus_times(&plus_times(&t[0], &u, &s), &v, &r))));
    }
    least
}

pub fn between(a: &[Exact; 3], b: &[Exact; 3]) -> RBig {
    let corners = a.iter().map(|p| to_triangle(p, b)).chain(b.iter().map(|p| to_triangle(p, a)));
    let mut least = corners.min().unwrap();
    for i in 0..3 {
        for j in 0..3 {
            let (u, v) = (minus(&a[(i + 1) % 3], &a[i]), minus(&b[(j + 1) % 3], &b[j]));
            let w = minus(&a[i], &b[j]);
            if let Some([s, t]) = shortest(&w, &u, &v)
                && is_inner(&s)
                && is_inner(&t)
            {
                least = least.min(square(&minus(&plus_times(&a[i], &u, &s), &plus_times(&b[j], &v, &t))));
            }
        }
    }
    least
}

pub fn root(squared: &RBig) -> f64 {
    // A square may be too small for an f64; a power of two brings it into range.
    let large = RBig::from(1_u8) / RBig::try_from(f64::exp2(-500.0)).unwrap();
    let value = squared.to_f64().value();
    if value > 1e-280 { value.sqrt() } else { (squared * large).to_f64().value().sqrt() * f64::exp2(-250.0) }
}
