//! Every kind of DOP: its directions, what fits in it, and its volume and surface against whole-number arithmetic.

use super::*;

fn check<const K: usize>() {
    let all = directions::<K>();
    for (i, direction) in all.iter().enumerate() {
        assert_eq!(all[(i + K / 2) % K], direction.map(|c| 0.0 - c), "opposites are half a turn apart");
        assert!(!all[..i].contains(direction), "every direction comes once");
    }
    // Whole coordinates, so that all sums are exact.
    let point = |i: i32| DVec3::new(f64::from(i * 7 % 5), f64::from(i * 3 % 7), f64::from(i * 5 % 11));
    let (few, more) = (Dop::<K>::around((0..4).map(point)), Dop::<K>::around((4..9).map(point)));
    assert_eq!(few.merge(&more), Dop::around((0..9).map(point)));
    for (i, [x, y, z]) in all.into_iter().enumerate() {
        let reach = (0..4).map(|j| DVec3::new(x, y, z).dot(point(j))).fold(f64::NEG_INFINITY, f64::max);
        assert_eq!(few.offsets[i], reach);
    }
    // The octahedron is larger than the points, and so is its box; every other DOP has the box of the points.
    let (of_points, of_dop) = (Aabb::around((0..4).map(point)), few.bounds());
    assert_eq!(of_points.merge(of_dop), of_dop);
    assert!(K == 8 || of_dop == of_points);
    assert!(Dop::<K>::EMPTY.bounds().is_empty() && !few.overlaps(&Dop::EMPTY));
    let at = |x: f64| Dop::<K>::around([DVec3::new(x, 0.0, 0.0), DVec3::new(x + 1.0, 0.0, 0.0)]);
    assert!(at(0.0).overlaps(&at(1.0)), "touching counts");
    assert!(!at(0.0).overlaps(&at(1.5)));
}

#[test]
fn dops_of_every_kind() {
    check::<6>();
    check::<8>();
    check::<14>();
    check::<18>();
    check::<26>();
}

/// A corner of a polytope, exactly.
type Corner = [i64; 3];

fn minus(a: Corner, b: Corner) -> Corner {
    std::array::from_fn(|k| a[k] - b[k])
}

fn cross(a: Corner, b: Corner) -> Corner {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: Corner, b: Corner) -> i64 {
    (0..3).map(|k| a[k] * b[k]).sum()
}

/// Volume and area, from the points where three planes meet that no other plane cuts off.
///
/// Determinants of three directions are at most 4, so with offsets that are multiples of 12 all corners are whole.
fn by_corners<const K: usize>(offsets: [i64; K]) -> [f64; 2] {
    let normals = directions::<K>().map(|direction| direction.map(|c| c as i64));
    let mut corners: Vec<Corner> = Vec::new();
    for i in 0..K {
        for j in i + 1..K {
            for l in j + 1..K {
                let [a, b, c] = [i, j, l].map(|at| normals[at]);
                let determinant = dot(a, cross(b, c));
                if determinant == 0 {
                    continue;
                }
                let [u, v, w] = [cross(b, c), cross(c, a), cross(a, b)];
                let corner = std::array::from_fn(|k| {
                    let sum = offsets[i] * u[k] + offsets[j] * v[k] + offsets[l] * w[k];
                    assert_eq!(sum % determinant, 0);
                    sum / determinant
                });
                if (0..K).all(|m| dot(normals[m], corner) <= offsets[m]) {
                    corners.push(corner);
                }
            }
        }
    }
    corners.sort_unstable();
    corners.dedup();
    let (mut six_volumes, mut area) = (0_i64, 0.0);
    for i in 0..K {
        let mut side: Vec<Corner> =
            corners.iter().copied().filter(|&corner| dot(normals[i], corner) == offsets[i]).collect();
        let Some(first) = side.pop() else { continue };
        // Around the first corner, which is a corner of the hull: all others are within half a turn.
        side.sort_by(|&a, &b| {
            let turn = dot(normals[i], cross(minus(a, first), minus(b, first)));
            0.cmp(&turn)
        });
        let doubled = side.windows(2).map(|pair| cross(minus(pair[0], first), minus(pair[1], first)));
        let doubled = doubled.fold([0; 3], |sum, of| std::array::from_fn(|k| sum[k] + of[k]));
        six_volumes += dot(doubled, first);
        area += 0.5 * (dot(doubled, doubled) as f64).sqrt();
    }
    [six_volumes as f64 / 6.0, area]
}

/// Compares with what whole numbers give, and returns whether there is a volume.
fn measure_is_right<const K: usize>(offsets: [i64; K], scale: f64) -> bool {
    let [volume, area] = by_corners(offsets);
    let dop = Dop::<K> { offsets: offsets.map(|offset| offset as f64 * scale) };
    let edge = offsets.iter().map(|offset| 2.0 * offset.abs() as f64).fold(0.0, f64::max) * scale;
    let off = |found: f64, known: f64| (found - known).abs();
    for (side, normal) in dop.sides().iter().zip(directions::<K>().map(DVec3::from_array)) {
        for corner in side {
            let slack = |i: usize| dop.offsets[i] - DVec3::from_array(directions::<K>()[i]).dot(*corner);
            assert!((0..K).all(|i| slack(i) >= -1e-14 * edge), "{dop:?} {corner} along {normal}");
        }
    }
    assert!(off(dop.volume(), volume * scale.powi(3)) <= 1e-14 * edge.powi(3), "{dop:?} {volume}");
    assert!(off(dop.area(), area * scale.powi(2)) <= 1e-13 * edge.powi(2), "{dop:?} {area}");
    volume > 0.0
}

fn measures<const K: usize>() {
    let mut state = K as u64;
    let mut random = |below: i64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as i64) % below
    };
    let (mut solid, mut other) = (0, 0);
    for case in 0..if K == 26 { 120 } else { 300 } {
        // Offsets of all kinds: many are redundant, some contradict each other.
        let wild = std::array::from_fn(|_| 12 * (random(60) - if case % 2 == 0 { 0 } else { 20 }));
        // Around a few points, all offsets supported; few points make flat ones.
        let mut point = || DVec3::from_array(std::array::from_fn(|_| 12.0 * (random(9) as f64)));
        let tight = Dop::<K>::around((0..2 + case % 5).map(|_| point())).offsets.map(|offset| offset as i64);
        for offsets in [wild, tight] {
            for scale in [1.0, 2_f64.powi(-60), 2_f64.powi(90)] {
                *if measure_is_right(offsets, scale) { &mut solid } else { &mut other } += 1;
            }
        }
    }
    assert!(solid > 300 && other > 30, "{K}: {solid} with a volume, {other} without");
    // Far away the offsets are as exact as here, and so the volume is as good as their last place allows.
    let at = |shift: f64| Dop::<K>::around(CORNERS.map(|corner| DVec3::from_array(corner) + shift));
    let (here, there) = (at(0.0), at(1e6));
    assert!((here.volume() - there.volume()).abs() <= 1e-9 * here.volume(), "{K}");
    assert_eq!([Dop::<K>::EMPTY.volume(), Dop::<K>::EMPTY.area()], [0.0; 2]);
    assert_eq!(Dop::<K>::around([DVec3::new(1.0, -2.0, 3.0)]).volume(), 0.0);
    assert_eq!(Dop::<K> { offsets: [f64::INFINITY; K] }.volume(), f64::INFINITY);
    assert_eq!(Dop::<K> { offsets: [1e300; K] }.volume(), f64::INFINITY);
    assert_eq!(Dop::<K> { offsets: [1e-300; K] }.volume(), 0.0);
    assert_eq!(here.intersection(&at(3.5)).volume(), 0.0);
    // All corners together have the same polytope around them.
    let again = Dop::<K>::around(here.sides().into_iter().flatten());
    assert!((0..K).all(|i| (again.offsets[i] - here.offsets[i]).abs() <= 1e-13), "{K}: {here:?} {again:?}");
    assert_eq!(here.intersection(&here.merge(&there)), here);
}

const CORNERS: [[f64; 3]; 5] =
    [[0.0, 0.0, 0.0], [2.0, 0.5, 0.25], [0.5, 3.0, 1.0], [1.0, 1.0, 2.5], [2.5, 2.0, 1.5]];

#[test]
fn volume_and_area_are_those_of_whole_numbers() {
    measures::<6>();
    measures::<8>();
    measures::<14>();
    measures::<18>();
    measures::<26>();
}

#[test]
fn known_bodies() {
    let cut = |k: usize, at: f64| move |i: usize| if i % (k / 2) < 3 { 1.0 } else { at };
    let root = f64::sqrt;
    for (name, found, known) in [
        ("cube", [Dop { offsets: [1.0; 6] }.volume(), Dop { offsets: [1.0; 6] }.area()], [8.0, 24.0]),
        (
            "octahedron",
            [Dop { offsets: [1.0; 8] }.volume(), Dop { offsets: [1.0; 8] }.area()],
            [4.0 / 3.0, 4.0 * root(3.0)],
        ),
        (
            "cuboctahedron",
            {
                let dop = Dop::<14> { offsets: std::array::from_fn(cut(14, 2.0)) };
                [dop.volume(), dop.area()]
            },
            // Edge √2: 5/3 √2 a³ and (6 + 2 √3) a².
            [20.0 / 3.0, 2.0 * (6.0 + 2.0 * root(3.0))],
        ),
        (
            "rhombic dodecahedron",
            {
                let dop = Dop::<18> { offsets: std::array::from_fn(|i| if i % 9 < 3 { 2.0 } else { 1.0 }) };
                [dop.volume(), dop.area()]
            },
            // Its corners (±1, 0, 0) and (±½, ±½, ±½): half of the cube of edge 1 twice over, twelve rhombs.
            [2.0, 6.0 * root(2.0)],
        ),
        (
            "square",
            {
                let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
                let dop = Dop::<26>::around(square.map(|[x, y]| DVec3::new(x, y, 7.0)));
                [dop.volume(), dop.area()]
            },
            [0.0, 2.0],
        ),
    ] {
        for (found, known) in found.into_iter().zip(known) {
            assert!((found - known).abs() < 1e-13, "{name}: {found}, not {known}");
        }
    }
}
