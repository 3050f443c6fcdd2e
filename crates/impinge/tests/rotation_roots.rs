//! The roots that rotations are decided by, put back into their equations without rounding.

use dashu_ratio::RBig;
use impinge::math::DVec3;
use impinge::mesh::generate::Random;
use impinge::narrow::expel::{Entry, ExpelZone};
use impinge::narrow::prism::Prism;
use impinge::narrow::rotate::{ArcPoint, ArcTurn, Quadratic, edges_meet, enter};

type Vector = [RBig; 3];

fn exact(number: f64) -> RBig {
    RBig::try_from(number).unwrap()
}

fn vector(v: DVec3) -> Vector {
    v.to_array().map(exact)
}

fn plus(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| &a[i] + &b[i])
}

fn minus(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| &a[i] - &b[i])
}

fn times(s: &RBig, v: &Vector) -> Vector {
    std::array::from_fn(|i| s * &v[i])
}

fn dot(a: &Vector, b: &Vector) -> RBig {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        &a[j] * &b[k] - &a[k] * &b[j]
    })
}

fn size(number: &RBig) -> RBig {
    if *number < RBig::ZERO { -number.clone() } else { number.clone() }
}

/// Half the distance from 1 to the next number.
const UNIT: f64 = f64::EPSILON / 2.0;

/// c + 2br + ar², and the sum of the sizes of its terms.
fn value(quadratic: &Quadratic, r: &RBig) -> (RBig, RBig) {
    let [c, b, a] = [quadratic.constant, quadratic.linear, quadratic.square].map(exact);
    let terms = [c, RBig::from(2) * b * r, a * r * r];
    let sizes = size(&terms[0]) + size(&terms[1]) + size(&terms[2]);
    let [c, b, a] = terms;
    (c + b + a, sizes)
}

/// Quadratics with roots of all sizes, far apart and as near to each other as numbers get, and some without one of their terms.
fn quadratics(count: u64) -> impl Iterator<Item = Quadratic> {
    let mut random = Random::new(17);
    (0..count).map(move |i| {
        let scale = |random: &mut Random| libm::exp2(random.between(-40.0, 40.0).round());
        let (a, first) = (random.between(-1.0, 1.0) * scale(&mut random), random.between(-2.0, 2.0));
        let second = match i % 5 {
            0 => first,
            1 => first * (1.0 + random.between(-8.0, 8.0) * f64::EPSILON),
            2 => first * (1.0 + libm::exp2(-random.between(10.0, 50.0))),
            3 => first * scale(&mut random),
            _ => random.between(-2.0, 2.0),
        };
        let [mut constant, mut linear, mut square] = [a * first * second, -a * (first + second) / 2.0, a];
        match i % 23 {
            0 => constant = 0.0,
            1 => linear = 0.0,
            2 => square = 0.0,
            3 => (constant, linear) = (0.0, 0.0),
            4 => square *= f64::EPSILON,
            5 => constant = constant.next_up().next_up(),
            _ => {}
        }
        Quadratic { constant, linear, square }
    })
}

/// With u the unit, s the computed √(b² - ac) and q = -(b + s): the product, the square and their difference are off by u each, so
/// s² = b²(1 + δ) - ac(1 + ε) but for 2u s², with δ, ε ≤ 2u. Put into the equation, q/a leaves (s² - b² + ac)/a, which is at most
/// 2u b²/|a| + 2u |c| + 2u s²/|a|; b and s have the same sign, so both squares are at most q², and q²/|a| = |ar²|: that is 4u |ar²| + 2u |c|. The
/// sum and the quotient put r itself off by 2u, and the value by 2u |r| (2|ar| + 2|b|). Together at most 8u of the sum S of the sizes
/// of the terms; and likewise for c/q. The ninth is for what is of higher order.
#[test]
fn roots_leave_no_more_than_rounding() {
    let most = exact(9.0 * UNIT);
    let (mut judged, mut without, mut crossing) = (0, 0, 0);
    for quadratic in quadratics(if cfg!(debug_assertions) { 3_000 } else { 60_000 }) {
        let Some(roots) = quadratic.roots() else {
            // Said to have none: b² < ac by more than nothing in computed numbers, so b² - ac is less than u (b² + |ac|).
            without += 1;
            let [c, b, a] = [quadratic.constant, quadratic.linear, quadratic.square].map(exact);
            let (square, product) = (&b * &b, &a * &c);
            assert!(&square - &product <= exact(UNIT) * (&square + size(&product)), "{quadratic:?}");
            continue;
        };
        assert!(roots[0] <= roots[1], "{quadratic:?} {roots:?}");
        for root in roots.into_iter().filter(|root| root.is_finite() && quadratic.square != 0.0) {
            let (left, terms) = value(&quadratic, &exact(root));
            assert!(size(&left) <= &most * terms, "{quadratic:?} {root}");
            judged += 1;
            // Roots that are apart are where the sign changes.
            if roots[1] - roots[0] > 1e-6 * roots[1].abs().max(roots[0].abs()) && root != 0.0 {
                let sides = [1.0 - 1e-9, 1.0 + 1e-9].map(|factor| value(&quadratic, &exact(root * factor)).0);
                assert!((sides[0] < RBig::ZERO) != (sides[1] < RBig::ZERO), "{quadratic:?} {root}");
                crossing += 1;
            }
        }
    }
    println!("{judged} roots, {crossing} of them crossings, {without} quadratics without");
    assert!(crossing * 4 > judged && without * 100 > judged, "{judged} {crossing} {without}");
}

/// A turn about an axis that has a length without a root: (1, 2, 2)/3 and the like.
struct ExactTurn {
    centre: Vector,
    axis: Vector,
}

fn turns(random: &mut Random) -> (ArcTurn, ExactTurn) {
    let quadruples =
        [[1, 2, 2, 3], [2, 3, 6, 7], [1, 4, 8, 9], [4, 4, 7, 9], [2, 6, 9, 11], [0, 3, 4, 5], [0, 0, 1, 1]];
    let [x, y, z, length] = quadruples[random.below(quadruples.len() as u32) as usize];
    let turned = random.below(3) as usize;
    let signs = [random.below(2), random.below(2), random.below(2)];
    let axis: [i32; 3] = std::array::from_fn(|i| {
        let entry = [x, y, z][(i + turned) % 3];
        if signs[i] == 1 { -entry } else { entry }
    });
    let centre = random.in_cube();
    let rounded = DVec3::from_array(axis.map(|entry| f64::from(entry) / f64::from(length)));
    let exactly = axis.map(|entry| RBig::from(entry) / RBig::from(length));
    (ArcTurn { centre, axis: rounded, end: 1.0 }, ExactTurn { centre: vector(centre), axis: exactly })
}

impl ExactTurn {
    /// Where a point is at r, times 1 + r²: with k the axis, a the arm and p the point, p + 2r k×a + r² (p - 2 (a - k k·a)).
    fn at(&self, point: &Vector, r: &RBig) -> Vector {
        let arm = minus(point, &self.centre);
        let across = minus(&arm, &times(&dot(&self.axis, &arm), &self.axis));
        let back = minus(point, &times(&RBig::from(2), &across));
        let tangent = cross(&self.axis, &arm);
        plus(point, &plus(&times(&(RBig::from(2) * r), &tangent), &times(&(r * r), &back)))
    }

    /// The place itself.
    fn place(&self, point: &Vector, r: &RBig) -> Vector {
        times(&(RBig::ONE / (RBig::ONE + r * r)), &self.at(point, r))
    }
}

/// The point that gets to `target` at r, up to rounding.
fn turned_back(turn: &ArcTurn, target: DVec3, r: f64) -> DVec3 {
    ArcPoint::new(&turn.reversed(), target).at(r)
}

/// The numbers next to each other between which a function that is negative at one end and positive at the other changes its sign.
fn change(function: impl Fn(&RBig) -> RBig, from: f64, to: f64) -> Option<[f64; 2]> {
    let is_negative = |r: f64| function(&exact(r)) < RBig::ZERO;
    let (mut low, mut high) = (from, to);
    let at_low = is_negative(low);
    if at_low == is_negative(high) {
        return None;
    }
    while low.next_up() < high {
        let middle = low + (high - low) / 2.0;
        let middle = if middle > low && middle < high { middle } else { low.next_up() };
        *(if is_negative(middle) == at_low { &mut low } else { &mut high }) = middle;
    }
    Some([low, high])
}

const COUNT: u32 = if cfg!(debug_assertions) { 60 } else { 1_500 };

/// All points are within 4 of the origin.
fn zone(thickness: f64) -> ExpelZone {
    ExpelZone::new(8.0, 8.0, thickness)
}

/// A vertex turns into a triangle. Where it is said to enter the zone, it is on the zone's boundary, up to what all roundings together may
/// do (`core`): as high as the zone is thick, or at one of its sides, which are relaxed by √3 core and rounded by less than one. And
/// it is there before it is in the triangle.
#[test]
fn vertices_are_stopped_on_the_boundary_of_the_zone() {
    let mut random = Random::new(23);
    let (mut judged, mut at_sides) = (0, 0);
    for i in 0..COUNT {
        // Thick zones are often entered from the side.
        let zone = zone(if i % 2 == 0 { 0.0 } else { 0.125 });
        let (turn, exactly) = turns(&mut random);
        let corners = [random.in_cube(), random.in_cube(), random.in_cube()];
        let [u, v] = [random.unit(), random.unit()];
        let target = corners[0] + (corners[1] - corners[0]) * u + (corners[2] - corners[0]) * (v * (1.0 - u));
        let reach = random.between(0.05, 0.95);
        let point = turned_back(&turn, target, reach);
        let (arc, start) = (ArcPoint::new(&turn, point), vector(point));
        let prism = Prism::over_triangle(&corners, arc.tangent, &zone);
        let corners = corners.map(vector);
        let edge = |i: usize| minus(&corners[(i + 1) % 3], &corners[i]);
        let normal = cross(&edge(0), &edge(1));
        let square = |v: &Vector| dot(v, v);
        // Slivers have no height to speak of.
        if square(&normal) < exact(1e-4) {
            continue;
        }
        let height = |r: &RBig| dot(&normal, &minus(&exactly.place(&start, r), &corners[0]));
        let is_beyond = |height: &RBig, level: f64| height * height > exact(level * level) * square(&normal);
        if !is_beyond(&height(&RBig::ZERO), 2.0 * zone.thickness) {
            continue;
        }
        let entry = enter(&prism, &arc, 1.0, &zone);
        // How far the arc is inside of a side, times the lengths of the normal and the edge.
        let inside = |r: &RBig, i: usize| {
            dot(&cross(&normal, &edge(i)), &minus(&exactly.place(&start, r), &corners[i]))
        };
        // The first of up to two places where the plane is met, by the exact vertex of the parabola in between.
        let bound = |r: &RBig| height(r) * (RBig::ONE + r * r);
        let [at_0, at_1, back] = [RBig::ZERO, RBig::ONE, -RBig::ONE].map(|r| bound(&r));
        let (square_factor, linear) =
            ((&at_1 + &back) / RBig::from(2) - &at_0, (&at_1 - &back) / RBig::from(4));
        let vertex =
            if square_factor == RBig::ZERO { 1.0 } else { (-linear / square_factor).to_f64().value() };
        let vertex = vertex.clamp(0.0, 1.0);
        let meetings = [[0.0, vertex], [vertex, 1.0]].map(|[from, to]| change(bound, from, to));
        let touch = meetings
            .into_iter()
            .flatten()
            .find(|[low, _]| (0..3).all(|i| inside(&exact(*low), i) > exact(1e-9)));
        let Entry::At(r) = entry else {
            assert!(touch.is_none(), "missed: {entry:?}, {touch:?}");
            continue;
        };
        assert!((0.0..=1.0).contains(&r), "{r}");
        if let Some([_, after]) = touch {
            assert!(r <= after, "late: {r} instead of {after}");
        }
        let at = exact(r);
        let over = height(&at);
        assert!(!is_beyond(&over, zone.thickness + zone.core), "not in the zone");
        let is_at_top = is_beyond(&over, zone.thickness - zone.core);
        let is_at_side = (0..3).any(|i| {
            let (room, length) = (inside(&at, i), square(&normal) * square(&edge(i)));
            &room * &room <= exact(9.0 * zone.core * zone.core) * length
        });
        assert!(is_at_top || is_at_side, "in the zone for longer: {r}, {corners:?}, {point}, {turn:?}");
        at_sides += u32::from(!is_at_top);
        judged += 1;
    }
    println!("{judged} stops, {at_sides} of them at the sides");
    assert!(judged > COUNT / 2 && at_sides > COUNT / 20, "{judged} {at_sides}");
}

/// An edge turns into another. Where they are said to meet, their lines are as near as the zone is thick, and by what the search may be
/// early: in the last interval nothing moves farther than an eighth of the thickness, neither line; and 40 core for what rounds, over
/// the sine of their angle. And they are there before they cross.
#[test]
fn edges_are_stopped_where_their_lines_are_near() {
    let (mut random, zone) = (Random::new(29), zone(0.0));
    let near = 1.25 * zone.thickness + 40.0 * zone.core;
    let mut judged = 0;
    for _ in 0..COUNT {
        let (turn, exactly) = turns(&mut random);
        let crossing = random.in_cube();
        let edge = |random: &mut Random| {
            let (way, share) = (random.direction(), random.between(0.05, 0.95));
            [crossing - way * share, crossing + way * (1.0 - share)]
        };
        let (there, still) = (edge(&mut random), edge(&mut random));
        let reach = random.between(0.05, 0.95);
        let turning = there.map(|point| turned_back(&turn, point, reach));
        let [still_start, still_end] = still.map(vector);
        let along = minus(&still_end, &still_start);
        let lines = |r: &RBig| {
            let [a, b] = turning.map(|point| exactly.place(&vector(point), r));
            let across = cross(&minus(&b, &a), &along);
            (dot(&across, &minus(&a, &still_start)), dot(&across, &across))
        };
        let is_beyond = |r: &RBig, level: f64| {
            let (volume, square) = lines(r);
            &volume * &volume > exact(level * level) * square
        };
        if !is_beyond(&RBig::ZERO, 2.0 * zone.thickness) || lines(&exact(reach)).1 < exact(0.01) {
            continue;
        }
        let entry = edges_meet(&turn, turning, still, 1.0, &zone);
        // They cross about where they were made to: between the numbers where the volume changes its sign.
        let Some([_, after]) = change(|r| lines(r).0, reach - 1e-6, reach + 1e-6) else { continue };
        let Entry::At(r) = entry else { panic!("missed: {entry:?}, {turning:?} {still:?} {turn:?}") };
        assert!(r <= after, "late: {r} instead of {after}");
        if lines(&exact(r)).1 >= exact(0.01) {
            assert!(!is_beyond(&exact(r), near), "too early: {r}, {turning:?} {still:?} {turn:?}");
            judged += 1;
        }
    }
    println!("{judged} stops");
    assert!(judged > COUNT / 2, "{judged}");
}
