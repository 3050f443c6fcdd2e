//! The arithmetic behind the predicates, driven to the ends of `f64`, against whole numbers.

use crate::effort::share;
use crate::oracle;
use crate::oracle::cases::Random;
use dashu_int::IBig;
use dashu_int::ops::BitTest;
use impinge::math::{DVec2, DVec3};
use impinge_core::narrow::winding::{Direction, ExactPoint, Fraction, Line, ray_crossing};
use impinge_core::predicates::{
    Dyadic, Sign, Stage, line_side, orient2d, orient2d_staged, orient3d_staged, plane_crossing,
};

fn all_cases() -> u64 {
    share(3_000, 60_000)
}

fn sign(value: i32) -> Sign {
    Sign::of(f64::from(value))
}

/// Any finite number, every exponent alike, with a bias to few bits and to long runs of ones and zeros.
fn any_finite(random: &mut Random) -> f64 {
    let bits = random.bits();
    let exponent = random.below(2047) << 52;
    let fraction = match random.below(4) {
        0 => bits & bits << 13 & bits << 31,
        1 => !0 << random.below(53),
        2 => !(!0 << random.below(53)),
        _ => bits,
    };
    f64::from_bits(bits & 1 << 63 | exponent | fraction & ((1 << 52) - 1))
}

/// A finite number as a whole number of 2^-1074.
fn whole(value: f64) -> IBig {
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as usize, bits & ((1 << 52) - 1));
    let size =
        if exponent == 0 { IBig::from(fraction) } else { IBig::from(fraction | 1 << 52) << (exponent - 1) };
    if value < 0.0 { -size } else { size }
}

/// Sums and products that cancel, carry and borrow across digits: the sign and the order of dyadic numbers.
#[test]
fn dyadic_numbers_are_whole_numbers() {
    for case in 0..all_cases() / 5 {
        let mut random = Random(case << 8 | 0xd1);
        let mut exact: Vec<(Dyadic, IBig)> =
            (0..4).map(|_| any_finite(&mut random)).map(|x| (Dyadic::from(x), whole(x))).collect();
        // Neighbors, so that sums cancel to one bit.
        let x = any_finite(&mut random);
        exact.extend(
            [x, x.next_up(), -x].iter().filter(|y| y.is_finite()).map(|&y| (Dyadic::from(y), whole(y))),
        );
        // Each row has twice the degree of the one before; whole numbers of 2^-1074, 2^-2148, …
        for _ in 0..2 {
            let n = exact.len() as u64;
            let mut next = Vec::new();
            for _ in 0..5 {
                let pick = |random: &mut Random| exact[random.below(n) as usize].clone();
                let [(a, i), (b, j), (c, k), (d, l)] = std::array::from_fn(|_| pick(&mut random));
                let minus = random.below(2) == 0;
                let (ab, cd, ij, kl) = (&a * &b, &c * &d, &i * &j, &k * &l);
                next.push(if minus { (&ab - &cd, ij - kl) } else { (&ab + &cd, ij + kl) });
            }
            exact = next;
            for (a, i) in &exact {
                assert_eq!(a.sign(), sign(oracle::sign(i)), "case {case}");
                for (b, j) in &exact {
                    assert_eq!(a.cmp(b), i.cmp(j), "case {case}");
                    assert_eq!((a - b).sign(), sign(oracle::sign(&(i - j))), "case {case}");
                    if b.sign() != Sign::Zero {
                        check_ratio(a.ratio(b), i, j, case);
                    }
                }
            }
        }
    }
}

/// That |ratio · j − i| ≤ 2^-50 |i|, or the ratio is beyond the range of normal numbers, as it should be.
fn check_ratio(ratio: f64, i: &IBig, j: &IBig, case: u64) {
    let bits = |x: &IBig| if *x < IBig::from(0) { (-x).bit_len() } else { x.bit_len() } as i64;
    let power = bits(i) - bits(j);
    if power > -1070 {
        assert_eq!(Sign::of(ratio), sign(oracle::sign(i) * oracle::sign(j)), "case {case}");
    }
    if oracle::sign(i) == 0 {
        assert_eq!(ratio, 0.0);
    } else if power > 1026 {
        assert!(ratio.is_infinite(), "case {case}");
    } else if power < -1080 {
        assert_eq!(ratio, 0.0, "case {case}");
    } else if ratio.is_finite() {
        // In whole numbers of 2^-1074; what underflow takes is at most one of them.
        let error: IBig = whole(ratio) * j - (i << 1074);
        let abs = |x: IBig| if oracle::sign(&x) < 0 { -x } else { x };
        let allowed = (abs(i.clone()) << 1074 >> 50) + abs(j.clone());
        assert!(abs(error) <= allowed, "case {case}: {ratio:e}");
    }
}

/// Points for which the filters are tempted: any exponents at all, or near one plane at one size, at the very limits
/// of expansions and of `f64`.
fn tempting_points(random: &mut Random) -> [DVec3; 4] {
    const EDGES: [i32; 16] =
        [-1074, -1060, -1023, -700, -352, -301, -300, -299, 0, 298, 299, 300, 345, 399, 970, 1021];
    match random.below(6) {
        0 => std::array::from_fn(|_| DVec3::from_array(std::array::from_fn(|_| any_finite(random)))),
        1 => {
            // Whole numbers of one power of two, almost in one plane.
            let scale = f64::from(EDGES[random.below(16) as usize]).exp2();
            std::array::from_fn(|_| random.lattice(1) * scale)
        }
        2 => {
            // Full mantissas between two limits that lie close together.
            let low = EDGES[random.below(16) as usize].max(-1022);
            let mut number = || {
                let power = f64::from((low + random.below(4) as i32).min(1023)).exp2();
                let x = power * (1.0 + (random.bits() >> 12) as f64 / (1u64 << 52) as f64);
                if random.below(2) == 0 { x } else { -x }
            };
            let [a, b, c]: [DVec3; 3] =
                std::array::from_fn(|_| DVec3::from_array(std::array::from_fn(|_| number())));
            // The middle of the triangle, as near as f64 gets: within a few units of its plane.
            let middle = a / 3.0 + b / 3.0 + c / 3.0;
            [a, b, c, middle]
        }
        3 => {
            // Axes of different sizes: too many bits for one grid, and few enough for expansions.
            let scales: [f64; 3] = std::array::from_fn(|_| f64::from(-(random.below(290) as i32)).exp2());
            std::array::from_fn(|_| random.lattice(2) * DVec3::from_array(scales))
        }
        4 => {
            // Full mantissas of many sizes, almost in one plane.
            let mut number = || (random.unit() - 0.5) * f64::from(-(random.below(60) as i32)).exp2();
            let [a, b, c]: [DVec3; 3] =
                std::array::from_fn(|_| DVec3::from_array(std::array::from_fn(|_| number())));
            [a, b, c, a / 3.0 + b / 3.0 + c / 3.0]
        }
        _ => {
            // One zero coordinate or more: no bits are lost, sums of products cancel altogether.
            let scale = f64::from(EDGES[random.below(16) as usize]).exp2();
            let other = f64::from(EDGES[random.below(16) as usize]).exp2();
            std::array::from_fn(|_| {
                let p = random.lattice(3);
                DVec3::new(p.x * scale, p.y * other, if random.below(2) == 0 { 0.0 } else { p.z * scale })
            })
        }
    }
}

#[test]
fn orientation_is_right_for_every_exponent() {
    let mut stages = [0u64; 4];
    for case in 0..all_cases() {
        let mut random = Random(case << 8 | 0x3d);
        let points = tempting_points(&mut random);
        if points.iter().any(|p| !p.is_finite()) {
            continue;
        }
        let exact = oracle::whole(&points);
        let expected = sign(oracle::orient3d(&exact[0], &exact[1], &exact[2], &exact[3]));
        let [a, b, c, d] = points;
        let (found, stage) = orient3d_staged(a, b, c, d);
        assert_eq!(found, expected, "case {case}, {stage:?}: {points:?}");
        assert_eq!(orient3d_staged(b, a, c, d).0, -expected, "case {case}: {points:?}");
        stages[match stage {
            Stage::Filter => 0,
            Stage::Whole => 1,
            Stage::Expansion => 2,
            Stage::Dyadic => 3,
        }] += 1;
        // The side of a line along the last point, taken as a direction.
        let row = |i: usize| -> [IBig; 3] { std::array::from_fn(|k| &exact[i][k] - &exact[0][k]) };
        let (u, v, w) = (row(1), row(2), &exact[3]);
        let minor = |i: usize, j: usize| &u[i] * &v[j] - &u[j] * &v[i];
        let side = minor(1, 2) * &w[0] + minor(2, 0) * &w[1] + minor(0, 1) * &w[2];
        let side = sign(oracle::sign(&side));
        assert_eq!(line_side(a, d, b, c), side, "case {case}: {points:?}");
        assert_eq!(line_side(a, d, c, b), -side, "case {case}: {points:?}");
        // The same in the plane: a third row that is far above.
        let flat = points.map(|p| DVec2::new(p.x, p.y));
        let lifted = oracle::whole(&[a, b, c].map(|p| DVec3::new(p.x, p.y, 0.0)));
        let cross = (&lifted[1][0] - &lifted[0][0]) * (&lifted[2][1] - &lifted[0][1])
            - (&lifted[1][1] - &lifted[0][1]) * (&lifted[2][0] - &lifted[0][0]);
        let turn = sign(oracle::sign(&cross));
        assert_eq!(orient2d_staged(flat[0], flat[1], flat[2]).0, turn, "case {case}: {points:?}");
        assert_eq!(orient2d(flat[1], flat[0], flat[2]), -turn, "case {case}: {points:?}");
    }
    println!("filter, whole, expansion, dyadic: {stages:?}");
    assert!(stages.iter().all(|&count| count > all_cases() / 30), "{stages:?}");
}

/// The parameter of a crossing, against the exact one.
#[test]
fn crossings_keep_their_digits() {
    let mut tested = 0;
    for case in 0..all_cases() / 3 {
        let mut random = Random(case << 8 | 0x71);
        let [a, b, c, p] = tempting_points(&mut random);
        let [q, ..] = tempting_points(&mut random);
        let q = if random.below(2) == 0 { q } else { p + (p - a) * 1e-3 * random.unit() };
        if [a, b, c, p, q].iter().any(|p| !p.is_finite()) {
            continue;
        }
        let exact = oracle::whole(&[a, b, c, p, q]);
        let value = |k: usize| {
            let d: [[IBig; 3]; 3] = [1, 2, k].map(|i| std::array::from_fn(|j| &exact[i][j] - &exact[0][j]));
            let [u, v, w] = &d;
            let minor = |i: usize, j: usize| &u[i] * &v[j] - &u[j] * &v[i];
            minor(1, 2) * &w[0] + minor(2, 0) * &w[1] + minor(0, 1) * &w[2]
        };
        let (at_p, at_q) = (value(3), value(4));
        if oracle::sign(&at_p) * oracle::sign(&at_q) >= 0 {
            continue;
        }
        tested += 1;
        let t = plane_crossing([a, b, c], p, q);
        assert!((0.0..=1.0).contains(&t));
        check_ratio(t, &at_p, &(&at_p - &at_q), case);
    }
    println!("{tested} crossings");
    assert!(tested > all_cases() / 50, "{tested}");
}

/// Rays from rational points: the filters against exact numbers, at sizes where they are tempted.
#[test]
fn rays_are_counted_rightly_at_every_size() {
    let mut counts = [0u64; 3];
    for case in 0..all_cases() / 10 {
        let mut random = Random(case << 8 | 0x9a);
        let power = [-1070.0, -1040.0, -500.0, -90.0, 0.0, 90.0, 500.0, 1015.0][random.below(8) as usize];
        let (scale, shift) = (f64::exp2(power), random.lattice(40));
        let mut point = || (random.lattice(8) + shift) * scale;
        let (mut triangle, mut ends) = ([point(), point(), point()], [point(), point()]);
        if ends[0] == ends[1] {
            continue;
        }
        let direction = Direction::attempt(random.below(3000) as u32);
        if power.abs() < 900.0 && random.below(2) == 0 {
            // An edge that the ray passes through exactly, or one unit beside it; all is whole before it is scaled.
            let origin = random.lattice(40);
            let away = random.lattice(9);
            ends = [(origin - away * 2.0) * scale, (origin + away * 3.0) * scale];
            let hit = origin + direction.vector() * f64::exp2(26.0 + random.below(3) as f64);
            let (aside, length) = (random.lattice(9), f64::exp2(random.below(28) as f64));
            triangle = [hit + aside * length, hit - aside * length, hit + random.lattice(1 << 30)];
            triangle = triangle.map(|corner| corner * scale);
            if away == DVec3::ZERO {
                continue;
            }
            match random.below(4) {
                0 => triangle[0].x = triangle[0].x.next_up(),
                1 => triangle[1].y = triangle[1].y.next_down(),
                _ => {}
            }
            triangle.rotate_left(random.below(3) as usize);
        }
        // The point at 2/5 of the way, which f64 cannot name.
        let line = Line { start: ends[0].into(), end: ends[1].into() };
        let fifth = Fraction::zero()
            .between(&Fraction::one())
            .between(&Fraction::zero())
            .between(&Fraction::one().between(&Fraction::zero()));
        let sample: ExactPoint = line.at(&fifth);
        // In whole numbers: the point times 5, the direction times 2^56.
        let exact = oracle::whole(&[triangle[0], triangle[1], triangle[2], ends[0], ends[1]]);
        let five = |k: usize| -> [IBig; 3] { std::array::from_fn(|i| &exact[k][i] * IBig::from(5)) };
        let origin: [IBig; 3] =
            std::array::from_fn(|i| &exact[3][i] * IBig::from(3) + &exact[4][i] * IBig::from(2));
        let along: [IBig; 3] =
            direction.vector().to_array().map(|x| IBig::from((x * f64::exp2(56.0)) as i64));
        let to: [[IBig; 3]; 3] = [0, 1, 2].map(|k| {
            let corner = five(k);
            std::array::from_fn(|i| &corner[i] - &origin[i])
        });
        let det = |u: &[IBig; 3], v: &[IBig; 3], w: &[IBig; 3]| {
            let minor = |i: usize, j: usize| &u[i] * &v[j] - &u[j] * &v[i];
            oracle::sign(&(minor(1, 2) * &w[0] + minor(2, 0) * &w[1] + minor(0, 1) * &w[2]))
        };
        let turns = [0, 1, 2].map(|i| det(&to[i], &to[(i + 1) % 3], &along));
        let minus = |u: &[IBig; 3], v: &[IBig; 3]| -> [IBig; 3] { std::array::from_fn(|i| &u[i] - &v[i]) };
        let (u, v) = (minus(&to[1], &to[0]), minus(&to[2], &to[0]));
        let heading = det(&u, &v, &along);
        let side = -det(&u, &v, &to[0]);
        assert_eq!(sample.side(triangle), sign(side), "case {case}");
        let expected =
            if turns.contains(&1) && turns.contains(&-1) || side != 0 && (heading == 0 || heading == side) {
                Some(0)
            } else if heading == 0 {
                let is_line = u.iter().all(|x| oracle::sign(x) == 0)
                    || (0..3).all(|i| {
                        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                        oracle::sign(&(&u[j] * &v[k] - &u[k] * &v[j])) == 0
                    });
                is_line.then_some(0)
            } else if side == 0 {
                Some(0)
            } else if turns.contains(&0) {
                None
            } else {
                Some(heading)
            };
        assert_eq!(
            ray_crossing(&sample, direction, triangle),
            expected,
            "case {case}: {triangle:?} {ends:?}"
        );
        counts[match expected {
            Some(0) => 0,
            Some(_) => 1,
            None => 2,
        }] += 1;
    }
    println!("missed, passed, undecided: {counts:?}");
    assert!(counts.iter().all(|&count| count > all_cases() / 500), "{counts:?}");
}
