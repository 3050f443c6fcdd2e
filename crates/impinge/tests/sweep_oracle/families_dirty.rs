//! Families of meshes that are no clean solids: they cross themselves or others, are nested with all signs, repeat themselves, have
//! holes, or are glued together at vertices, edges and faces. All of them are swept as they come, without being told to meet
//! both sides.

use impinge::math::DVec3;

use super::case::Motion;
use super::scene::{Dress, Scene};
use super::shapes::{Random, Shape, anything, cuboid, regular_prism, sheet, solid, tetrahedron, torus};

/// With its faces looking to the other side.
pub fn inverted(mut shape: Shape) -> Shape {
    shape.faces.iter_mut().for_each(|face| face.reverse());
    shape
}

fn maybe_inverted(random: &Random, shape: Shape) -> Shape {
    if random.one_in(2) { inverted(shape) } else { shape }
}

/// Two tips over and under a closed walk: closed, whatever way the walk takes.
pub fn double_pyramid(walk: &[DVec3], tips: [DVec3; 2]) -> Shape {
    let count = walk.len() as u32;
    let faces = (0..count).flat_map(|k| {
        let next = (k + 1) % count;
        [vec![k, next, count], vec![next, k, count + 1]]
    });
    Shape { points: walk.iter().copied().chain(tips).collect(), faces: faces.collect() }
}

/// A walk that crosses itself in the middle: the greater lobe looks outward, the lesser one inward. The volume is above zero.
pub fn bow_tie() -> Shape {
    let at = |x: f64, y: f64| DVec3::new(x, y, 0.0);
    let walk = [at(-2.0, -2.0), at(1.0, 1.0), at(1.0, -1.0), at(-2.0, 2.0)];
    double_pyramid(&walk, [DVec3::new(-0.25, 0.0, 2.0), DVec3::new(-0.25, 0.0, -2.0)])
}

/// Closed, and nearly always crossing itself: a clean solid with its corners thrown about.
pub fn scrambled(random: &Random) -> Shape {
    let shape = match random.below(4) {
        0 => torus(0.7, 0.25, 4, 3),
        1 => cuboid(DVec3::splat(-0.5), DVec3::splat(0.5)),
        2 => regular_prism(3 + random.below(4) as u32, 0.5, 1.0),
        _ => {
            let walk: Vec<DVec3> = (0..4 + random.below(4)).map(|_| random.vector() * 0.8).collect();
            return double_pyramid(&walk, [random.vector(), random.vector()]);
        }
    };
    let by = random.between(0.2, 1.0);
    let points = shape.points.iter().map(|&point| point * (1.0 - by) + random.vector() * by).collect();
    Shape { points, ..shape }
}

/// Closed and crossing itself.
fn crossing_itself(random: &Random) -> Shape {
    match random.below(4) {
        0 => maybe_inverted(random, bow_tie().scaled(DVec3::splat(0.4))),
        // A ring that is thicker than its hole.
        1 => torus(random.between(0.2, 0.4), 0.5, 5, 4),
        _ => scrambled(random),
    }
}

/// Solids in one mesh that cross each other, each looking outward or inward.
fn crossing_others(random: &Random) -> Shape {
    let more = 1 + random.below(2);
    (0..more).fold(maybe_inverted(random, solid(random)), |shape, _| {
        let other = maybe_inverted(random, solid(random));
        shape.with(other.turned(random.turn()).moved(random.vector() * 0.5))
    })
}

/// Shells inside of each other, each looking outward or inward: all sums of windings.
fn shells(random: &Random) -> Shape {
    let shell = |size: f64| {
        let shell = if random.one_in(3) {
            tetrahedron([[1., 1., 1.], [-1., -1., 1.], [-1., 1., -1.], [1., -1., -1.]].map(DVec3::from))
                .scaled(DVec3::splat(1.5))
        } else {
            cuboid(DVec3::splat(-1.0), DVec3::splat(1.0))
        };
        maybe_inverted(random, shell.scaled(DVec3::splat(size)))
    };
    // A tetrahedron of this size is inside of a cube of this size times 1.5, and around one of a third.
    let sizes = [2.0, 0.6, 0.15];
    sizes[1..1 + random.below(3) as usize]
        .iter()
        .fold(shell(sizes[0]), |shape, &size| shape.with(shell(size)))
}

/// The same faces again, looking to the same side or to the other.
fn repeated(random: &Random) -> Shape {
    let shape = maybe_inverted(random, solid(random));
    let again = maybe_inverted(random, shape.clone());
    let mut both = shape.with(again);
    if random.one_in(3) {
        // Not all of them: what is left over has a rim.
        both.faces.pop();
    }
    both
}

/// A solid with some faces left out, with whole ones beside it, in it, or around it.
fn open(random: &Random) -> Shape {
    let mut shape = maybe_inverted(random, solid(random));
    for _ in 0..1 + random.below(2) {
        let face = random.below(shape.faces.len() as u64) as usize;
        shape.faces.swap_remove(face);
    }
    let other = match random.below(3) {
        0 => return shape,
        1 => sheet(random.between(0.3, 2.0)).turned(random.turn()),
        _ => maybe_inverted(random, solid(random).scaled(DVec3::splat(random.power(-0.7, 0.7)))),
    };
    shape.with(other.moved(random.vector() * 0.3))
}

/// Cubes that share a vertex, an edge, half a face, or a whole one; each looking outward or inward.
fn glued(random: &Random) -> Shape {
    let cube = || cuboid(DVec3::splat(-0.5), DVec3::splat(0.5));
    let by = [[1., 1., 1.], [1., 1., 0.], [1., 0.5, 0.], [1., 0., 0.], [1., -1., 0.], [0.5, 0.5, 0.]];
    let first = maybe_inverted(random, cube());
    let more = 1 + random.below(2);
    (0..more).fold(first, |shape, _| {
        shape.with(maybe_inverted(random, cube()).moved(DVec3::from(random.pick(&by))))
    })
}

/// What moves: small enough to be between things, and no cleaner than they are.
fn mover(random: &Random) -> Shape {
    let shape = match random.below(6) {
        0 => crossing_itself(random),
        1 => glued(random),
        2 => open(random),
        3 => anything(random),
        _ => solid(random),
    };
    shape.turned(random.turn()).scaled(DVec3::splat(random.power(-2.0, 0.0)))
}

/// Towards a point of the other, by whatever motion; from outside, or from anywhere within its box.
fn towards(random: &Random, stationary: Shape) -> (Scene, Dress) {
    let from =
        if random.one_in(2) { random.vector() * 1.5 } else { random.direction() * random.between(1.5, 4.0) };
    let moving = mover(random).moved(from);
    let way = stationary.point(random) - moving.point(random);
    let share = random.between(0.5, 2.5);
    let motion = match random.below(5) {
        0 => Motion::Rotation {
            center: random.vector() * 2.0,
            axis: random.direction(),
            angle: random.between(-6.0, 6.0),
        },
        1 => Motion::Rigid {
            translation: way * share,
            center: moving.middle(),
            axis: random.direction(),
            angle: random.between(-3.0, 3.0),
        },
        _ => Motion::Translation(way * share),
    };
    (Scene::new(moving, stationary, motion), Dress::Any)
}

pub fn self_crossing(random: &Random) -> (Scene, Dress) {
    let stationary = crossing_itself(random);
    towards(random, stationary)
}

pub fn crossing_each_other(random: &Random) -> (Scene, Dress) {
    let stationary = crossing_others(random);
    towards(random, stationary)
}

pub fn nested_shells(random: &Random) -> (Scene, Dress) {
    let stationary = shells(random);
    towards(random, stationary)
}

pub fn duplicates(random: &Random) -> (Scene, Dress) {
    let stationary = repeated(random);
    towards(random, stationary)
}

pub fn with_holes(random: &Random) -> (Scene, Dress) {
    let stationary = open(random);
    towards(random, stationary)
}

pub fn glued_together(random: &Random) -> (Scene, Dress) {
    let stationary = glued(random);
    towards(random, stationary)
}

/// A polygon that is bent along its diagonal, alone or as the lid of a box: the diagonal is met like an edge.
pub fn bent_polygons(random: &Random) -> (Scene, Dress) {
    let tip = random.between(-0.4, 0.4);
    let low = -DVec3::Z;
    let at = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
    let rim = [at(-1., -1., 0.), at(1., -1., tip), at(1., 1., 0.), at(-1., 1., tip)];
    let points: Vec<DVec3> = rim.iter().copied().chain(rim.map(|p| at(p.x, p.y, 0.0) + low)).collect();
    let mut faces = vec![vec![0, 1, 2, 3]];
    if random.one_in(2) {
        faces.push(vec![7, 6, 5, 4]);
        faces.extend((0..4).map(|k| vec![k, 4 + k, 4 + (k + 1) % 4, (k + 1) % 4]));
    }
    towards(random, maybe_inverted(random, Shape { points, faces }))
}
