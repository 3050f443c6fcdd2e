//! Random and adversarial cases: bodies of all kinds in placements of all kinds, starts outside of the zone, at it and inside, and motions that
//! aim, slide, graze and turn.

use super::case::{Case, Scene};
use super::course::{Course, Kind, turned};
use super::shapes::Shape;
use impinge::glam::{DAffine3, DMat3, DVec3};
use impinge::shapes::Random;

/// One of some numbers.
fn pick<T: Copy>(random: &mut Random, of: &[T]) -> T {
    of[random.below(of.len() as u32) as usize]
}

/// A number whose logarithm is evenly spread.
fn of_any_size(random: &mut Random, low: f64, high: f64) -> f64 {
    low * (high / low).powf(random.unit())
}

fn mover(random: &mut Random) -> Shape {
    match random.below(9) {
        0 | 1 => Shape::cube(),
        2 => Shape::tetrahedron(),
        3 => Shape::spike(0.1),
        4 => Shape::spike(0.5),
        5 => Shape::ell(),
        6 => Shape::ball(random.below(2)),
        7 => Shape::triangle(),
        _ => Shape::sheet(2, 1),
    }
}

fn obstacle(random: &mut Random) -> Shape {
    match random.below(10) {
        0 | 1 => Shape::cube(),
        2 | 3 => Shape::sheet(4, 4).mapped(|p| p * 3.0),
        4 => Shape::corner(),
        5 => Shape::stairs(3),
        6 => Shape::ball(1),
        7 => Shape::cuboid([-3.0, -3.0, -0.1], [3.0, 3.0, 0.0]),
        8 => Shape::tetrahedron(),
        _ => Shape::ell(),
    }
}

/// A third keep to the axes, where features are parallel.
fn rotation(random: &mut Random) -> DMat3 {
    let (axis, degrees) = match random.below(6) {
        0 => return DMat3::IDENTITY,
        1 => (pick(random, &[DVec3::X, DVec3::Y, DVec3::Z]), pick(random, &[90.0, 180.0, 270.0])),
        _ => (random.direction(), random.between(0.0, 360.0)),
    };
    DMat3::from_cols(
        turned(DVec3::X, axis, degrees),
        turned(DVec3::Y, axis, degrees),
        turned(DVec3::Z, axis, degrees),
    )
}

/// The linear part of a placement: turned; or scaled unevenly, mirrored or sheared, too.
fn linear(random: &mut Random) -> DMat3 {
    let turn = rotation(random);
    let scale = |random: &mut Random| {
        DVec3::new(random.between(0.3, 1.5), random.between(0.3, 1.5), random.between(0.3, 1.5))
    };
    match random.below(8) {
        0..=3 => turn,
        4 => turn * random.between(0.3, 1.5),
        5 => turn * DMat3::from_diagonal(scale(random)),
        6 => {
            turn * DMat3::from_diagonal(
                scale(random) * pick(random, &[DVec3::new(-1.0, 1.0, 1.0), DVec3::NEG_ONE]),
            )
        }
        _ => {
            let shear = DMat3::from_cols(DVec3::X, DVec3::new(random.between(-1.0, 1.0), 1.0, 0.0), DVec3::Z);
            turn * shear * DMat3::from_diagonal(scale(random))
        }
    }
}

/// Moves the mover along a direction until the two are `gap` apart: from outside, so that it is outside of what is closed. By how much.
fn approach(case: &Case, direction: DVec3, gap: f64) -> DVec3 {
    let course = Course::translation(direction);
    let mut scene = Scene::new(&Case { course, ..case.clone() });
    let [mut time, size] = [0.0, scene.sizes[0] + scene.sizes[1]];
    for _ in 0..60 {
        let more = scene.distance(time) - gap;
        if more <= 1e-15 * size || time > 12.0 * size {
            break;
        }
        time += more;
    }
    direction * time
}

/// A case that depends on two numbers only.
pub(crate) fn make(seed: u64, index: u64) -> Case {
    let random = &mut Random::new(
        seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ index.wrapping_mul(0xd134_2543_de82_ef95),
    );
    let (mover, obstacle) = (mover(random), obstacle(random));
    let small = of_any_size(random, 0.1, 2.0);
    let unit = pick(random, &[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1e-6, 1e6]);
    let mut case = Case {
        mover,
        obstacle,
        world_from_mover: DAffine3::from_mat3(linear(random) * small * unit),
        world_from_obstacle: DAffine3::from_mat3(linear(random) * unit),
        course: Course::translation(DVec3::X),
        margin: 0.0,
    };
    if random.below(10) == 0 {
        let far = random.in_cube() * 1e6 * unit;
        case.world_from_mover.translation += far;
        case.world_from_obstacle.translation += far;
    }
    let size = small * unit;
    case.margin = match random.below(6) {
        0 => 0.0,
        1..=3 => size * of_any_size(random, 1e-9, 0.5),
        _ => size * random.between(0.02, 0.5),
    };

    // Where it starts.
    let out = if random.below(3) == 0 { lattice(random).normalize() } else { random.direction() };
    let aside = random.in_cube() * pick(random, &[0.0, 0.5, 1.0]) * unit;
    case.world_from_mover.translation += out * (8.0 * unit) + aside;
    let e = if case.margin > 0.0 { case.margin } else { size * of_any_size(random, 1e-9, 0.5) };
    let little = of_any_size(random, 1e-13, 0.1);
    let gap = match random.below(8) {
        0..=2 => size * random.between(0.3, 3.0),
        3 => e * (1.0 + little),
        4 => e,
        5 => e * (1.0 - little),
        _ => e * random.between(0.02, 1.0),
    };
    case.world_from_mover.translation += approach(&case, -out, gap);
    case.course = course(random, &case, size, unit, out);
    case
}

/// A direction of the lattice: along an axis, a diagonal of a square or of a cube.
fn lattice(random: &mut Random) -> DVec3 {
    loop {
        let direction = DVec3::from_array([0; 3].map(|_| f64::from(random.below(3)) - 1.0));
        if direction != DVec3::ZERO {
            return direction;
        }
    }
}

fn corner(random: &mut Random, shape: &Shape, map: &DAffine3) -> DVec3 {
    map.transform_point3(pick(random, &shape.points))
}

fn course(random: &mut Random, case: &Case, size: f64, unit: f64, out: DVec3) -> Course {
    let of_mover = corner(random, &case.mover, &case.world_from_mover);
    let of_obstacle = corner(random, &case.obstacle, &case.world_from_obstacle);
    let length = of_any_size(random, 0.05, 8.0) * pick(random, &[1.0, 1.0, 1.0, 1.0, 1e-4, 100.0]);
    let by = match random.below(7) {
        0 => -out * size * length,
        1 => (-out + random.in_cube()) * size * length,
        2 => lattice(random) * size * length,
        3 => random.direction() * size * length,
        // Across the way to the other: a slide, or a graze.
        4 => out.cross(random.direction()) * size * length,
        // A corner past a corner, at the margin or next to it.
        5 => {
            let beside = (of_obstacle - of_mover).cross(random.direction()).normalize_or(DVec3::Z);
            let off = pick(random, &[0.0, 1e-12, -1e-12, 1e-6, -1e-6, 1e-3, -1e-3]);
            (of_obstacle + beside * (case.margin * (1.0 + off)) - of_mover) * 2.0
        }
        _ => (of_obstacle - of_mover) * random.between(0.5, 2.0),
    };
    let kind = pick(
        random,
        &[Kind::Translation, Kind::Translation, Kind::Rotation, Kind::Rotation, Kind::Then, Kind::Rigid],
    );
    if kind == Kind::Translation {
        return Course::translation(by);
    }
    let center = match random.below(5) {
        0 => case.world_from_mover.translation,
        1 => of_mover,
        2 => of_obstacle,
        3 => case.world_from_obstacle.translation + random.in_cube() * unit * 3.0,
        _ => case.world_from_mover.translation + random.in_cube() * size * 2.0,
    };
    let axis = if random.below(2) == 0 { lattice(random) } else { random.direction() };
    let degrees = match random.below(5) {
        0 => pick(random, &[90.0, -90.0, 180.0, 360.0, 45.0, 120.0, -720.0]),
        1 => random.between(-1.0, 1.0),
        _ => random.between(-400.0, 400.0),
    };
    let by = if kind == Kind::Rotation { DVec3::ZERO } else { by };
    Course { kind, by, center, axis, degrees }
}
