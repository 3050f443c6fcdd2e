//! What is looked at: boxes that are strips of twelve triangles, and pairs of one shape at several levels of detail.

use impinge::math::{DQuat, DVec3};
use impinge::shapes::{Random, Shape};
use impinge::{Mesh, Model, Placement, Trs, Verdict};

/// The corners of a cube in the order of a strip: bit 0 is x, bit 1 is y, bit 2 is z.
const STRIP: [u8; 14] = [0, 1, 4, 5, 7, 1, 3, 0, 2, 4, 6, 7, 2, 3];

/// A box of edge 1 around the origin, as one strip of twelve triangles.
pub(super) fn strip_box() -> Model {
    let corner = |number: u8| [0, 1, 2].map(|axis| if number >> axis & 1 == 1 { 0.5 } else { -0.5 });
    Model::new(Mesh::triangle_strip(STRIP.map(corner)).expect("corners are finite"))
}

/// Boxes of random size, turned at random, in a cube that they fill to a tenth: the number of those that interfere grows
/// with that of all.
pub(super) fn random_boxes(random: &mut Random, count: u32) -> Vec<Placement> {
    let half = 0.5 * (f64::from(count) * 10.0).cbrt();
    let mut place = || {
        let size = DVec3::new(random.between(0.5, 1.5), random.between(0.5, 1.5), random.between(0.5, 1.5));
        placed(random.in_cube() * half, turn(random), size)
    };
    (0..count).map(|_| place()).collect()
}

/// Bars that are clear of each other, side by side across a diagonal, so that the boxes around them along the axes overlap: all are
/// drawn, and nothing is found.
pub(super) fn clear_bars(random: &mut Random, count: u32) -> Vec<Placement> {
    let across = [DVec3::new(1.0, -1.0, 0.0).normalize(), DVec3::Z];
    let along = DVec3::new(1.0, 1.0, 0.0).normalize();
    let diagonal = DQuat::from_rotation_arc(DVec3::X, along);
    let side = f64::from(count).cbrt().ceil();
    let mut place = |number: u32| {
        let number = f64::from(number);
        let cell = DVec3::new(number % side, (number / side).floor() % side, (number / side / side).floor());
        let jitter = random.in_cube() * 0.03;
        let at = along * cell.x * 1.3 + across[0] * cell.y * 0.4 + across[1] * cell.z * 0.4 + jitter;
        let tilt = DQuat::from_axis_angle(random.direction(), random.between(-0.05, 0.05));
        placed(at, tilt * diagonal, DVec3::new(1.0, 0.2, 0.2))
    };
    (0..count).map(&mut place).collect()
}

/// A ball with bumps, about 2 across, of about so many triangles: the same at every level of detail.
pub(super) fn bumpy(triangles: usize) -> Model {
    Model::new(Shape::Bumpy.generate(triangles, 5))
}

/// Two objects of one shape, each turned at random, with their middles so far apart at most.
pub(super) fn two(random: &mut Random, apart: [f64; 2]) -> [Placement; 2] {
    let distance = random.between(apart[0], apart[1]);
    let middle = random.direction() * distance;
    [placed(DVec3::ZERO, turn(random), DVec3::ONE), placed(middle, turn(random), DVec3::ONE)]
}

/// Two objects that move towards each other along a random line until they just meet, and then by `push` farther, or back
/// where that is less than 0.
pub(super) fn pushed(model: &Model, random: &mut Random, push: f64) -> [Placement; 2] {
    let turns: [DQuat; 2] = [turn(random), turn(random)];
    let along = random.direction();
    let at = |distance: f64| {
        [placed(DVec3::ZERO, turns[0], DVec3::ONE), placed(along * distance, turns[1], DVec3::ONE)]
    };
    let (mut meets, mut clear) = (0.5, 3.0);
    for _ in 0..24 {
        let middle = 0.5 * (meets + clear);
        let [a, b] = at(middle);
        if model.at(a).verdict(&model.at(b)) == Verdict::Clear {
            clear = middle;
        } else {
            meets = middle;
        }
    }
    at(if push < 0.0 { clear } else { meets } - push)
}

fn turn(random: &mut Random) -> DQuat {
    DQuat::from_axis_angle(random.direction(), random.between(0.0, 6.0))
}

fn placed(at: DVec3, turn: DQuat, size: DVec3) -> Placement {
    Trs::new(at, turn, size).expect("sizes above 0").into()
}
