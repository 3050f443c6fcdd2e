//! One triangle against one volume.

use crate::effort::share;
use impinge::math::DVec3;
use impinge::shapes::Random;
use impinge_core::narrow::volume::{Side, Solid};

use super::{lattice, rational};

fn all_cases() -> u64 {
    share(200, 8_000)
}

/// Points of a kind: whole ones, which touch often; any; such that differ in their last bit; tiny; large; far away.
fn points<const N: usize>(kind: u64, random: &mut Random) -> [DVec3; N] {
    let shift = random.in_cube() * 1e6;
    std::array::from_fn(|_| match kind {
        0 | 1 => lattice(random, 3),
        2 => random.in_cube() * 2.0,
        3 => {
            let mut point = lattice(random, 3) * 0.1;
            let axis = random.below(3) as usize;
            point[axis] = if random.below(2) == 0 { point[axis].next_up() } else { point[axis].next_down() };
            point
        }
        4 => random.in_cube() * 1e-290,
        5 => random.in_cube() * 1e250,
        6 => lattice(random, 3) + shift,
        _ => lattice(random, 2) * f64::from(2 + random.below(3)).powi(random.below(13) as i32 - 6),
    })
}

const KINDS: u64 = 8;

fn triangle(kind: u64, random: &mut Random) -> [DVec3; 3] {
    let mut corners: [DVec3; 3] = points(kind, random);
    match random.below(12) {
        0 => corners[1] = corners[0],
        1 => corners = [corners[0]; 3],
        2 => corners[2] = (corners[0] + corners[1]) * 0.5,
        _ => {}
    }
    corners
}

fn check(name: &str, solid: impl Fn(u64, &mut Random, &[DVec3; 3]) -> Solid) {
    let mut counts = [0; 2];
    for case in 0..all_cases() {
        let random = &mut Random::new(case);
        let kind = case % KINDS;
        let triangle = triangle(kind, random);
        let solid = solid(kind, random, &triangle);
        let touches = rational::touches(&solid, &triangle);
        counts[usize::from(touches)] += 1;
        assert_eq!(
            solid.touches_exactly(&triangle),
            touches,
            "{name} {case}, exactly: {solid:?} {triangle:?}"
        );
        assert_eq!(solid.touches(&triangle), touches, "{name} {case}: {solid:?} {triangle:?}");
        let turned = [triangle[2], triangle[0], triangle[1]];
        assert_eq!(solid.touches(&turned), touches, "{name} {case}, turned");
    }
    assert!(counts.iter().all(|&count| count > all_cases() / 20), "{name}: {counts:?}");
}

#[test]
fn boxes() {
    check("box", |kind, random, _| {
        let [a, b]: [DVec3; 2] = points(kind, random);
        Solid::Box { low: a.min(b), high: a.max(b) }
    });
}

#[test]
fn planes() {
    check("plane", |kind, random, triangle| {
        let normal = if random.below(2) == 0 { lattice(random, 3) } else { random.in_cube() };
        let normal = if normal == DVec3::ZERO { DVec3::X } else { normal };
        let near = triangle[0] * 0.5 + triangle[1] * 0.5;
        let [other]: [DVec3; 1] = points(kind, random);
        let through = [triangle[0], near, other][random.below(3) as usize];
        Solid::Plane(Side { normal, offset: normal.dot(through) })
    });
}

#[test]
fn frusta() {
    check("sides", |kind, random, _| {
        let [middle]: [DVec3; 1] = points(kind, random);
        let size = middle.abs().max_element().max(1e-300) * 0.7;
        let count = 1 + random.below(6) as usize;
        Solid::Sides(std::array::from_fn(|i| {
            let normal = if random.below(2) == 0 { lattice(random, 2) } else { random.in_cube() };
            let normal = if normal == DVec3::ZERO { DVec3::Z } else { normal };
            let step = if kind < 2 { f64::from(random.below(3)) } else { random.unit() * size };
            (i < count).then_some(Side { normal, offset: normal.dot(middle) + step })
        }))
    });
}

/// Radii that reach just so, or a little less or more, or any.
fn radius(kind: u64, random: &mut Random, distance: f64) -> f64 {
    let radius = match random.below(5) {
        0 => distance,
        1 => distance.next_up(),
        2 => distance.next_down(),
        3 if kind < 2 => f64::from(random.below(4)),
        _ => random.unit() * 2.0 * distance,
    };
    radius.max(0.0)
}

#[test]
fn balls() {
    check("ball", |kind, random, triangle| {
        let distance = nearly_closest(triangle, DVec3::ZERO);
        Solid::Round { axis: DVec3::ZERO, radius: radius(kind, random, distance) }
    });
}

#[test]
fn capsules() {
    check("capsule", |kind, random, triangle| {
        let [axis]: [DVec3; 1] = points(kind, random);
        // Some point of the triangle from some point of the axis.
        let from = axis * [0.0, 0.5, 1.0, random.unit()][random.below(4) as usize];
        Solid::Round { axis, radius: radius(kind, random, nearly_closest(triangle, from)) }
    });
}

/// How near the triangle comes, by trying.
fn nearly_closest(triangle: &[DVec3; 3], point: DVec3) -> f64 {
    let [a, b, c] = *triangle;
    let mut least = f64::INFINITY;
    for i in 0..=8 {
        for j in 0..=8 - i {
            let (u, v) = (f64::from(i) / 8.0, f64::from(j) / 8.0);
            least = least.min((a + (b - a) * u + (c - a) * v - point).length());
        }
    }
    if least.is_finite() { least } else { 0.0 }
}

/// The first look of all kinds of lanes is the same, and what it decides, it decides rightly: all of the above with four
/// equal triangles. Here with four different ones, through a model.
#[test]
fn four_at_a_time_are_as_good_as_one() {
    use crate::engine_set::{ALL, Memory, Trees, faces_touching};
    use impinge::query::Volume;
    use impinge::{Mesh, Model, Trs};
    let random = &mut Random::new(5);
    for case in 0..all_cases() / 20 {
        let triangles: Vec<[DVec3; 3]> = (0..13).map(|_| triangle(case % 4, random)).collect();
        let corners: Vec<DVec3> = triangles.as_flattened().to_vec();
        let index = (0..13).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let model = Model::new(Mesh::triangles(corners, index).unwrap());
        let [a, b]: [DVec3; 2] = points(case % 4, random);
        let solid = Solid::Box { low: a.min(b), high: a.max(b) };
        let volume = Volume::aabb(a.min(b), a.max(b)).unwrap();
        let expected: Vec<u32> = (0..13).filter(|&i| solid.touches(&triangles[i as usize])).collect();
        for engine in ALL {
            let (mut faces, trees) = (Vec::new(), Trees::new(&model));
            let placed = model.at(Trs::IDENTITY);
            faces_touching(engine, &placed, &trees, &volume, &mut Memory::default(), &mut faces);
            assert_eq!(faces, expected, "{case} {engine:?}");
        }
    }
}
