//! Families of cases in which sweeps go wrong, each from a seed.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use impinge::math::{DQuat, DVec3};

use super::case::{Case, Motion};
use super::families_dirty as dirty;
use super::scene::{Dress, Scene};
use super::shapes::{
    Random, Shape, anything, cuboid, l_shape, polygon, prism, regular_prism, sheet, solid, soup, spike,
    tetrahedron, torus,
};

type Maker = fn(&Random) -> (Scene, Dress);

/// Names and makers.
pub const FAMILIES: [(&str, Maker); CLEAN + 7] = [
    ("soups", soups),
    ("solids, translating", solids_translating),
    ("solids, turning", solids_turning),
    ("anything, aimed", anything_aimed),
    ("anything, turning onto a point", anything_turning),
    ("translation, then rotation", both),
    ("vertex grazing an edge", vertex_grazing_edge),
    ("vertex onto a vertex or an edge", vertex_onto_feature),
    ("edges nearly parallel", edges_nearly_parallel),
    ("edges crossing", edges_crossing),
    ("arc grazing a plane", arc_grazing_plane),
    ("arc grazing an edge", arc_grazing_edge),
    ("coplanar, translating", coplanar_translating),
    ("coplanar, turning", coplanar_turning),
    ("flush start", flush_start),
    ("vertex on face at the start", vertex_on_face),
    ("edge on edge at the start", edge_on_edge),
    ("near start", near_start),
    ("slide at a small height", low_slide),
    ("spikes", spikes),
    ("dangling edges", dangling_edges),
    ("thin walls", thin_walls),
    ("sheets from behind", sheets_from_behind),
    ("points, segments, triangles", tiny_movers),
    ("axis on a feature", axis_on_feature),
    ("long and tiny motions", long_and_tiny),
    ("ring on a rod", ring_on_rod),
    ("far center", far_center),
    ("in an open box", in_open_box),
    ("in a slot", in_slot),
    ("nested", nested),
    ("rigid", rigid),
    ("rigid, near", rigid_near),
    ("crossing themselves", dirty::self_crossing),
    ("crossing each other", dirty::crossing_each_other),
    ("shells of all signs", dirty::nested_shells),
    ("duplicates", dirty::duplicates),
    ("holes", dirty::with_holes),
    ("glued together", dirty::glued_together),
    ("bent polygons", dirty::bent_polygons),
];

/// So many families come before those of meshes that are no clean solids.
pub const CLEAN: usize = 33;

/// The case of a family and a seed.
pub fn make(family: usize, seed: u64) -> Case {
    let (name, maker) = FAMILIES[family];
    let random = Random::new(seed ^ (family as u64).wrapping_mul(0x5851_f42d_4c95_7f2d));
    let (scene, dress) = maker(&random);
    let case = scene.into_case(name, seed, dress, &random);
    // Nobody tells a sweep what a mesh is like: those that are no clean solids are swept as they come.
    Case { two_sided: case.two_sided && family < CLEAN, ..case }
}

const UP: DVec3 = DVec3::Z;

/// A tiny length with a sign, or exactly 0.
fn hair(random: &Random) -> f64 {
    match random.below(6) {
        0 => 0.0,
        1 => random.sign() * (-(random.below(50) as f64)).exp2(),
        _ => random.sign() * random.power(-15.0, -4.0),
    }
}

fn angle(random: &Random) -> f64 {
    let size = match random.below(4) {
        0 => random.pick(&[FRAC_PI_2, PI, TAU, 1.5 * PI, PI / 180.0]),
        _ => random.between(1.0, 360.0).to_radians(),
    };
    size * random.sign()
}

/// A translation that takes one point to another and perhaps beyond.
fn aimed(random: &Random, from: DVec3, to: DVec3) -> Motion {
    let share = match random.below(5) {
        0 => 1.0,
        1 => random.between(0.5, 1.0),
        2 => 1.0 + hair(random),
        _ => random.between(1.0, 4.0),
    };
    Motion::Translation((to - from) * share)
}

/// A rotation that takes one point to another and perhaps beyond.
fn turning_onto(random: &Random, from: DVec3, to: DVec3) -> Motion {
    let way = to - from;
    let side = way.cross(random.direction());
    if side.length() < 1e-6 * way.length() || way.length() == 0.0 {
        return Motion::Rotation { center: from, axis: random.direction(), angle: angle(random) };
    }
    let side = side.normalize();
    let distance = way.length() * random.sign() * random.power(-1.0, 1.0);
    let middle = (from + to) * 0.5;
    // The center lies on the perpendicular through the middle; the axis is square to both.
    let center = middle + side * distance;
    let (u, v) = (from - center, to - center);
    let axis = u.cross(v);
    if axis.length() < 1e-9 * u.length() * v.length() {
        return Motion::Rotation { center, axis: way.cross(side), angle: angle(random) };
    }
    let whole = axis.length().atan2(u.dot(v));
    let share = match random.below(4) {
        0 => 1.0,
        1 => random.between(0.5, 1.0),
        _ => random.between(1.0, 3.0),
    };
    Motion::Rotation { center, axis, angle: (whole * share).min(TAU) }
}

fn apart(random: &Random, moving: Shape, stationary: Shape) -> (Shape, Shape) {
    let by = random.direction() * random.between(0.5, 4.0);
    (moving.turned(random.turn()).moved(by), stationary.turned(random.turn()))
}

fn any_motion(random: &Random, from: DVec3, to: DVec3) -> Motion {
    if random.one_in(2) { aimed(random, from, to) } else { turning_onto(random, from, to) }
}

fn soups(random: &Random) -> (Scene, Dress) {
    let counts = [1 + random.below(8), 1 + random.below(8)];
    let sizes = [random.power(-1.0, 0.0), random.power(-1.0, 0.0)];
    let (a, b) = (soup(random, counts[0], sizes[0]), soup(random, counts[1], sizes[1]));
    let (a, b) = apart(random, a, b);
    let motion = any_motion(random, a.point(random), b.point(random));
    (Scene::new(a, b, motion), Dress::Any)
}

fn two_solids(random: &Random) -> (Shape, Shape) {
    let (a, b) = (solid(random), solid(random));
    apart(random, a, b)
}

fn solids_translating(random: &Random) -> (Scene, Dress) {
    let (a, b) = two_solids(random);
    let motion = aimed(random, a.point(random), b.point(random));
    (Scene::new(a, b, motion), Dress::Any)
}

fn solids_turning(random: &Random) -> (Scene, Dress) {
    let (a, b) = two_solids(random);
    let motion = if random.one_in(2) {
        turning_onto(random, a.point(random), b.point(random))
    } else {
        Motion::Rotation { center: random.vector() * 2.0, axis: random.direction(), angle: angle(random) }
    };
    (Scene::new(a, b, motion), Dress::Any)
}

fn anything_aimed(random: &Random) -> (Scene, Dress) {
    let (a, b) = (anything(random), anything(random));
    let (a, b) = apart(random, a, b);
    let targets = match random.below(3) {
        0 => (a.corner(random), b.corner(random)),
        1 => (a.point(random), b.point(random)),
        _ => (a.edge(random).0, b.point(random)),
    };
    let motion = aimed(random, targets.0, targets.1);
    (Scene::new(a, b, motion), Dress::Any)
}

fn anything_turning(random: &Random) -> (Scene, Dress) {
    let (a, b) = (anything(random), anything(random));
    let (a, b) = apart(random, a, b);
    let from = if random.one_in(2) { a.corner(random) } else { a.point(random) };
    let to = if random.one_in(2) { b.corner(random) } else { b.point(random) };
    let motion = turning_onto(random, from, to);
    (Scene::new(a, b, motion), Dress::Any)
}

fn both(random: &Random) -> (Scene, Dress) {
    let (a, b) = two_solids(random);
    let (from, to) = (a.point(random), b.point(random));
    let translation = (to - from) * random.between(0.0, 1.2) + random.vector() * 0.5;
    let motion = match turning_onto(random, from + translation, to) {
        Motion::Rotation { center, axis, angle } => Motion::Both { translation, center, axis, angle },
        other => other,
    };
    (Scene::new(a, b, motion), Dress::Any)
}

/// A tip that comes down beside the edge of a box, at a hair's breadth or through it.
fn vertex_grazing_edge(random: &Random) -> (Scene, Dress) {
    let block = cuboid(DVec3::new(-1.0, -1.0, -1.0), DVec3::new(1.0, 1.0, 1.0));
    let by = hair(random);
    let tip = DVec3::new(1.0 + by, random.lattice(3).x * 0.25, 1.5);
    let a = spike(random.between(0.1, 0.8), 1.0);
    let lean = if random.one_in(2) { 0.0 } else { random.between(0.0, 0.5) };
    let a = a.turned(DQuat::from_rotation_y(lean)).moved(tip);
    let length = random.pick(&[1.0, 0.5, 2.0, 4.0]);
    let down = if random.one_in(2) {
        Motion::Translation(DVec3::new(0.0, 0.0, -length))
    } else {
        // Past the edge on an arc: the tip's circle goes by the edge at the same hair's breadth.
        let r = random.pick(&[1.0, 2.0, 0.5]);
        let center = DVec3::new(1.0 + by + r, tip.y, 1.0);
        let start = (0.5f64 / r).min(1.0).asin();
        return {
            let a = spike(0.3, 1.0).moved(center + DVec3::new(-r * start.cos(), 0.0, r * start.sin()));
            (
                Scene::new(
                    a,
                    block,
                    Motion::Rotation { center, axis: DVec3::Y, angle: -random.between(0.1, 1.5) },
                ),
                Dress::Any,
            )
        };
    };
    (Scene::new(a, block, down), Dress::Any)
}

/// Whole coordinates, so that corners meet corners and shared edges exactly.
fn vertex_onto_feature(random: &Random) -> (Scene, Dress) {
    let b = match random.below(3) {
        0 => cuboid(DVec3::ZERO, DVec3::splat(2.0)),
        1 => l_shape(),
        _ => sheet(2.0),
    };
    let (p, q) = b.edge(random);
    let target = match random.below(3) {
        0 => p,
        1 => (p + q) * 0.5,
        _ => p + (q - p) * 0.25,
    };
    let a = match random.below(3) {
        0 => cuboid(DVec3::ZERO, DVec3::ONE),
        1 => tetrahedron([
            DVec3::ZERO,
            DVec3::new(1., 0., 2.),
            DVec3::new(-1., 1., 2.),
            DVec3::new(0., -1., 2.),
        ]),
        _ => polygon(vec![DVec3::ZERO, DVec3::new(1., 0., 1.), DVec3::new(0., 1., 2.)]),
    };
    let corner = a.corner(random);
    let way = loop {
        let way = random.lattice(4);
        if way != DVec3::ZERO {
            break way;
        }
    };
    let a = a.moved(target - corner - way);
    let share = random.pick(&[1.0, 2.0, 0.5, 4.0, 1.25]);
    (Scene::new(a, b, Motion::Translation(way * share)), Dress::Exact)
}

/// Two wedges whose edges meet at a tiny angle.
fn edges_nearly_parallel(random: &Random) -> (Scene, Dress) {
    let roof =
        |s: f64| prism(&[[-0.5, -s], [0.0, 0.0], [0.5, -s]], 2.0).map(|p| DVec3::new(p.x, p.z - 1.0, p.y));
    let fix =
        |shape: Shape| Shape { faces: shape.faces.iter().map(|f| vec![f[0], f[2], f[1]]).collect(), ..shape };
    // Drawn clockwise and mirrored: both together face outward again or not; solids must.
    let outward = |shape: Shape| {
        let volume: f64 = shape
            .faces
            .iter()
            .map(|f| {
                let [a, b, c] = [0, 1, 2].map(|k| shape.points[f[k] as usize] - shape.points[0]);
                a.dot(b.cross(c))
            })
            .sum();
        if volume < 0.0 { fix(shape) } else { shape }
    };
    let tilt = if random.one_in(8) { 0.0 } else { random.power(-15.0, -3.0) * random.sign() };
    let b = outward(roof(0.5));
    let a = outward(roof(0.5).scaled(DVec3::new(1.0, 1.0, -1.0)));
    let height = random.between(0.01, 1.0);
    let a = a.turned(DQuat::from_rotation_z(tilt)).moved(DVec3::new(hair(random), hair(random), height));
    let motion = match random.below(3) {
        0 => Motion::Rotation {
            center: DVec3::new(random.pick(&[-3.0, 3.0]), 0.0, 0.0),
            axis: DVec3::Y,
            angle: random.between(0.0, 1.0) * random.sign(),
        },
        1 => Motion::Rotation {
            center: DVec3::new(0.0, -2.0, 0.0),
            axis: DVec3::X,
            angle: -random.between(0.0, 1.5),
        },
        _ => Motion::Translation(DVec3::new(hair(random), hair(random), -height * random.between(0.5, 2.0))),
    };
    (Scene::new(a, b, motion), Dress::Any)
}

/// Thin bars across each other.
fn edges_crossing(random: &Random) -> (Scene, Dress) {
    let bar = cuboid(DVec3::new(-1.0, -0.05, -0.05), DVec3::new(1.0, 0.05, 0.05));
    let b = bar.clone().turned(DQuat::from_rotation_x(PI / 4.0));
    let a = bar.turned(DQuat::from_rotation_x(PI / 4.0));
    let a = a
        .turned(DQuat::from_rotation_z(random.between(0.1, 1.5)))
        .turned(DQuat::from_rotation_y(hair(random)));
    let height = random.between(0.15, 1.0);
    let a = a.moved(DVec3::new(random.unit() * 0.8, random.unit() * 0.8, height));
    let motion = match random.below(2) {
        0 => Motion::Translation(DVec3::new(
            random.unit() * 0.3,
            random.unit() * 0.3,
            -height * random.between(0.5, 2.0),
        )),
        _ => {
            let center = DVec3::new(random.pick(&[-2.0, 2.0]), random.unit(), height);
            Motion::Rotation { center, axis: DVec3::Y, angle: -random.between(0.1, 1.5) * center.x.signum() }
        }
    };
    (Scene::new(a, b, motion), Dress::Any)
}

/// A tip whose circle comes down to a floor and just touches it, or just not. 3-4-5 triangles make the touch exact.
fn arc_grazing_plane(random: &Random) -> (Scene, Dress) {
    let (x, y, r) = random.pick(&[(3.0, 4.0, 5.0), (4.0, 3.0, 5.0), (5.0, 12.0, 13.0), (8.0, 15.0, 17.0)]);
    let scale = 0.125;
    let graze = if random.one_in(3) { 0.0 } else { hair(random) };
    // The tip hangs below the center; at the bottom of its circle it is at height 0.
    let center = DVec3::new(0.0, 0.0, r * scale);
    let tip = center + DVec3::new(-x, 0.0, -y) * scale;
    let whole = 2.0 * (x / y).atan();
    let a = if random.one_in(3) {
        polygon(vec![tip, tip + DVec3::new(-0.25, 0.25, 0.5), tip + DVec3::new(-0.25, -0.25, 0.5)])
    } else {
        tetrahedron([
            tip,
            tip + DVec3::new(-0.25, 0.25, 0.5),
            tip + DVec3::new(-0.25, -0.25, 0.5),
            tip + DVec3::new(-0.5, 0.0, 0.25),
        ])
    };
    let b = if random.one_in(2) {
        cuboid(DVec3::new(-2.0, -2.0, -1.0), DVec3::new(2.0, 2.0, 0.0))
    } else {
        sheet(2.0)
    };
    let b = b.moved(DVec3::new(0.0, 0.0, -graze));
    // Turning about -y swings a hanging tip from -x to +x.
    let motion = Motion::Rotation { center, axis: -DVec3::Y, angle: whole * random.between(0.3, 1.2) };
    (Scene::new(a, b, motion), if graze == 0.0 { Dress::Exact } else { Dress::Any })
}

/// The same, with a roof's edge under the circle.
fn arc_grazing_edge(random: &Random) -> (Scene, Dress) {
    let graze = hair(random);
    let center = DVec3::new(0.0, 0.0, 1.0);
    let bar = tetrahedron([
        DVec3::new(-1.0, -1.0, -2.0),
        DVec3::new(1.0, -1.0, -2.0),
        DVec3::new(0.0, -1.0, -graze),
        DVec3::new(0.0, 1.0, -graze),
    ]);
    let start = random.between(0.2, 1.2);
    // An edge along the axis' direction, or nearly, at distance 1 from it.
    let lean = if random.one_in(2) { 0.0 } else { random.power(-9.0, -0.5) };
    let blade = tetrahedron([
        DVec3::new(0.0, -0.5, -1.0),
        DVec3::new(0.0, 0.5, -1.0 + lean),
        DVec3::new(0.2, 0.0, -0.5),
        DVec3::new(-0.2, 0.0, -0.5),
    ]);
    let a = blade.turned(DQuat::from_rotation_y(start)).moved(center);
    let motion = Motion::Rotation { center, axis: -DVec3::Y, angle: start * random.between(0.5, 2.5) };
    (Scene::new(a, bar, motion), Dress::Any)
}

fn flat_outline(random: &Random) -> Vec<DVec3> {
    let outline: &[[f64; 2]] = random.pick(&[
        &[[0., 0.], [2., 0.], [0., 2.]][..],
        &[[0., 0.], [2., 0.], [2., 2.], [0., 2.]],
        &[[0., 1.], [1., 0.], [2., 1.], [1., 2.]],
        &[[0., 0.], [1., 0.], [2., 1.], [2., 2.], [0., 2.]],
    ]);
    outline.iter().map(|&[x, y]| DVec3::new(x, y, 0.0) * 0.5).collect()
}

/// Two sheets in one plane, or nearly.
fn two_flat(random: &Random) -> (Shape, Shape) {
    let height = if random.one_in(2) { 0.0 } else { hair(random) };
    let a = polygon(flat_outline(random));
    let b = polygon(flat_outline(random));
    let gap = random.pick(&[0.0, 0.25, 0.5, 1.0]);
    let side = random.lattice(2) * 0.25;
    (a.moved(DVec3::new(1.0 + gap, side.y, height)), b)
}

fn coplanar_translating(random: &Random) -> (Scene, Dress) {
    let (a, b) = two_flat(random);
    let mut way = random.lattice(4) * 0.5;
    way.z = if random.one_in(4) { hair(random) } else { 0.0 };
    (Scene::new(a, b, Motion::Translation(way)), if random.one_in(2) { Dress::Exact } else { Dress::Any })
}

fn coplanar_turning(random: &Random) -> (Scene, Dress) {
    let (a, b) = two_flat(random);
    let mut center = match random.below(3) {
        0 => a.corner(random),
        1 => b.corner(random),
        _ => random.lattice(3),
    };
    if random.one_in(2) {
        center.z = random.unit();
    }
    (
        Scene::new(a, b, Motion::Rotation { center, axis: UP, angle: angle(random) }),
        if random.one_in(2) { Dress::Exact } else { Dress::Any },
    )
}

/// Out, in or along, or any way.
fn motion_at_contact(random: &Random, contact: DVec3) -> Motion {
    let way = match random.below(5) {
        0 => UP,
        1 => -UP,
        2 => DVec3::X,
        3 => DVec3::new(1.0, 0.5, 0.0),
        _ => random.direction(),
    };
    if random.one_in(8) {
        let (translation, axis) = (way * random.power(-3.0, 0.0), random.direction());
        return Motion::Both { translation, center: contact, axis, angle: angle(random) };
    }
    match random.below(3) {
        0 => {
            let axis = match random.below(3) {
                0 => UP,
                1 => random.pick(&[DVec3::X, DVec3::Y, -DVec3::X]),
                _ => random.direction(),
            };
            let center = match random.below(3) {
                0 => contact,
                1 => contact + random.lattice(2) * 0.5,
                _ => random.vector(),
            };
            Motion::Rotation { center, axis, angle: angle(random) }
        }
        1 => Motion::Translation(way * random.power(-6.0, 0.5)),
        _ => Motion::Translation(way * random.pick(&[0.25, 0.5, 1.0, 2.0])),
    }
}

fn dress(random: &Random) -> Dress {
    if random.one_in(4) { Dress::Any } else { Dress::Exact }
}

fn flush_start(random: &Random) -> (Scene, Dress) {
    let b = match random.below(3) {
        0 => cuboid(DVec3::new(-1., -1., -1.), DVec3::new(1., 1., 0.)),
        1 => l_shape().moved(DVec3::new(-1., -1., -1.)),
        _ => sheet(1.0),
    };
    let at = random.lattice(4) * 0.25;
    let a = match random.below(3) {
        0 => cuboid(DVec3::ZERO, DVec3::splat(0.5)),
        1 => cuboid(DVec3::new(-1., -1., 0.), DVec3::new(1., 1., 1.)),
        _ => tetrahedron([DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z]),
    };
    let at = DVec3::new(at.x, at.y, 0.0);
    let motion = motion_at_contact(random, at);
    (Scene::new(a.moved(at), b, motion), dress(random))
}

fn vertex_on_face(random: &Random) -> (Scene, Dress) {
    let b =
        if random.one_in(2) { cuboid(DVec3::new(-1., -1., -1.), DVec3::new(1., 1., 0.)) } else { sheet(1.0) };
    let a = tetrahedron([
        DVec3::ZERO,
        DVec3::new(0.25, 0.0, 0.5),
        DVec3::new(-0.25, 0.25, 0.5),
        DVec3::new(0.0, -0.25, 0.5),
    ]);
    let at = random.lattice(4) * 0.25;
    let at = DVec3::new(at.x, at.y, 0.0);
    let motion = motion_at_contact(random, at);
    (Scene::new(a.moved(at), b, motion), dress(random))
}

fn edge_on_edge(random: &Random) -> (Scene, Dress) {
    let b = tetrahedron([
        DVec3::new(-1., 0., 0.),
        DVec3::new(1., 0., 0.),
        DVec3::new(0., 0.5, -1.),
        DVec3::new(0., -0.5, -1.),
    ]);
    let side = if random.one_in(3) { DVec3::X } else { DVec3::Y };
    let across = side.cross(UP) * 0.5;
    let a = tetrahedron([-side, side, UP + across, UP - across]);
    let along = DVec3::new(random.lattice(4).x * 0.25, 0.0, 0.0);
    let motion = motion_at_contact(random, along);
    (Scene::new(a.moved(along), b, motion), dress(random))
}

/// Clear, but nearer than any zone.
fn near_start(random: &Random) -> (Scene, Dress) {
    let (mut scene, _) = match random.below(3) {
        0 => flush_start(random),
        1 => vertex_on_face(random),
        _ => edge_on_edge(random),
    };
    let gap = match random.below(3) {
        0 => (-(20.0 + random.below(31) as f64)).exp2(),
        _ => random.power(-15.0, -6.0),
    };
    scene.moving = scene.moving.moved(UP * gap);
    (scene, dress(random))
}

/// A long way at a tiny constant height, over the joints of a floor, perhaps to a wall.
fn low_slide(random: &Random) -> (Scene, Dress) {
    let height = match random.below(4) {
        0 => (-(random.below(45) as f64)).exp2(),
        _ => random.power(-13.0, -3.0),
    };
    let mut floor =
        sheet(1.0).moved(DVec3::new(-1.0, 0.0, 0.0)).with(sheet(1.0).moved(DVec3::new(1.0, 0.0, 0.0)));
    if random.one_in(2) {
        floor = cuboid(DVec3::new(-2., -1., -1.), DVec3::new(2., 1., 0.));
    }
    if random.one_in(2) {
        floor = floor.with(cuboid(DVec3::new(1.5, -1., 0.25), DVec3::new(2., 1., 1.)));
    }
    let a = if random.one_in(2) {
        cuboid(DVec3::new(-0.25, -0.25, 0.), DVec3::new(0.25, 0.25, 0.5))
    } else {
        regular_prism(5, 0.25, 0.5)
    };
    let start = DVec3::new(-1.5, 0.0, height);
    let motion = if random.one_in(2) {
        Motion::Translation(DVec3::new(random.between(1.0, 4.0), random.unit() * 0.5, 0.0))
    } else {
        let center = DVec3::new(random.pick(&[0.0, -1.5, -1.0]), random.pick(&[0.0, 2.0]), random.unit());
        Motion::Rotation { center, axis: UP, angle: angle(random) }
    };
    (Scene::new(a.moved(start), floor, motion), Dress::Any)
}

fn spikes(random: &Random) -> (Scene, Dress) {
    let sharp = |random: &Random| spike(random.power(-6.0, -2.0), 1.0);
    let a = sharp(random);
    let b = match random.below(3) {
        0 => sharp(random).turned(DQuat::from_rotation_x(PI)),
        1 => sharp(random).turned(random.turn()),
        _ => cuboid(DVec3::new(-1., -1., -1.), DVec3::new(1., 1., 0.)),
    };
    let height = random.between(0.1, 1.0);
    let a = a.moved(DVec3::new(hair(random), hair(random), height));
    let motion = match random.below(3) {
        0 => {
            let (from, to) = (a.point(random), b.point(random));
            any_motion(random, from, to)
        }
        1 => {
            let (from, to) = (DVec3::new(0.0, 0.0, height), DVec3::ZERO);
            turning_onto(random, from, to)
        }
        _ => Motion::Translation(-UP * height * random.between(0.5, 2.0)),
    };
    (Scene::new(a, b, motion), Dress::Any)
}

/// Solids with needles of no area that stick out.
fn dangling_edges(random: &Random) -> (Scene, Dress) {
    let bristle = |random: &Random, shape: Shape| {
        let root = shape.corner(random);
        let tip = root + (root - shape.middle()) * random.between(0.2, 1.0);
        let mut needle = polygon(vec![root, tip]);
        if random.one_in(2) {
            needle.faces = vec![vec![0, 1, 1]];
        }
        shape.with(needle)
    };
    let (a, b) = (solid(random), solid(random));
    let (a, b) = apart(random, a, b);
    let (a, mut b) = (bristle(random, a), b);
    if random.one_in(2) {
        b = bristle(random, b);
    }
    let (from, to) = (a.corner(random), b.point(random));
    let motion = any_motion(random, from, to);
    (Scene::new(a, b, motion), Dress::Any)
}

fn thin_walls(random: &Random) -> (Scene, Dress) {
    let thickness = random.power(-9.0, -3.0);
    let wall = cuboid(DVec3::new(0., -1., -1.), DVec3::new(thickness, 1., 1.));
    let a = match random.below(3) {
        0 => {
            let thin = random.power(-9.0, -3.0);
            cuboid(DVec3::new(0., -0.3, -0.3), DVec3::new(thin, 0.3, 0.3))
        }
        _ => solid(random).scaled(DVec3::splat(0.5)),
    };
    let a = a.turned(if random.one_in(2) { DQuat::IDENTITY } else { random.turn() });
    let a = a.moved(DVec3::new(-random.between(0.6, 2.0), 0.0, 0.0));
    let (from, to) =
        (a.middle(), DVec3::new(random.pick(&[thickness, 1.0, 2.0]), random.unit(), random.unit()));
    let motion = match random.below(2) {
        0 => Motion::Translation(to - from),
        _ => turning_onto(random, from, to),
    };
    (Scene::new(a, wall, motion), Dress::Any)
}

fn sheets_from_behind(random: &Random) -> (Scene, Dress) {
    let b = sheet(1.0);
    let a = match random.below(3) {
        0 => sheet(0.5).turned(DQuat::from_rotation_x(random.between(-1.5, 1.5))),
        1 => polygon(vec![random.vector() * 0.3]),
        _ => solid(random).scaled(DVec3::splat(0.5)),
    };
    let a = a.moved(DVec3::new(random.unit(), random.unit(), -random.between(0.3, 2.0)));
    let (from, to) = (a.point(random), b.point(random));
    let motion = any_motion(random, from, to);
    (Scene::new(a, b, motion), Dress::Any)
}

fn tiny_movers(random: &Random) -> (Scene, Dress) {
    let tiny = |random: &Random| {
        let corners = 1 + random.below(3);
        polygon((0..corners).map(|_| random.lattice(4) * 0.25).collect())
    };
    let a = tiny(random);
    let b = match random.below(3) {
        0 => tiny(random),
        1 => cuboid(DVec3::ZERO, DVec3::ONE),
        _ => sheet(1.0),
    };
    let a = a.moved(random.lattice(3));
    let (from, to) = (a.corner(random), b.corner(random));
    let (motion, dress) = match random.below(3) {
        0 => (Motion::Translation((to - from) * random.pick(&[1.0, 2.0, 0.5])), Dress::Exact),
        1 => {
            let to = if random.one_in(2) { to } else { b.point(random) };
            (aimed(random, from, to), Dress::Any)
        }
        _ => (turning_onto(random, from, to), Dress::Any),
    };
    (Scene::new(a, b, motion), dress)
}

/// An axis through a corner, along an edge or square to a face, of either model.
fn axis_on_feature(random: &Random) -> (Scene, Dress) {
    let (a, b) = if random.one_in(2) {
        two_solids(random)
    } else {
        let a = cuboid(DVec3::ZERO, DVec3::new(1., 1., 2.)).moved(random.lattice(2) + DVec3::new(2., 0., 0.));
        (a, cuboid(DVec3::ZERO, DVec3::ONE))
    };
    let shape = if random.one_in(2) { &a } else { &b };
    let (p, q) = shape.edge(random);
    let axis = match random.below(3) {
        0 => q - p,
        1 => shape.normal(random.below(shape.faces.len() as u64) as usize),
        _ => random.direction(),
    };
    let axis = if axis.length() == 0.0 { UP } else { axis };
    (Scene::new(a, b, Motion::Rotation { center: p, axis, angle: angle(random) }), Dress::Any)
}

fn long_and_tiny(random: &Random) -> (Scene, Dress) {
    let (a, b) = two_solids(random);
    let (from, to) = (a.point(random), b.point(random));
    let way = to - from;
    if random.one_in(2) {
        let far = random.power(1.0, 3.0);
        // From far away, and far beyond.
        let a = a.moved(-way * far);
        (Scene::new(a, b, Motion::Translation(way * (far * 2.0 + 2.0))), Dress::Any)
    } else {
        let small = random.power(-12.0, -2.0);
        let motion = if random.one_in(2) {
            Motion::Translation(way * small)
        } else {
            Motion::Rotation { center: random.vector(), axis: random.direction(), angle: small }
        };
        // Sometimes so near that it matters.
        let a = if random.one_in(2) { a.moved(way * random.between(0.0, 1.0)) } else { a };
        (Scene::new(a, b, motion), Dress::Any)
    }
}

/// Something around something else: concave, and no plane tells them apart.
fn ring_on_rod(random: &Random) -> (Scene, Dress) {
    let ring = torus(1.0, 0.25, 5, 3);
    let rod = regular_prism(5, random.between(0.05, 0.45), 3.0).moved(DVec3::new(0., 0., -1.5));
    let rod = rod.turned(DQuat::from_rotation_x(random.unit() * 0.3));
    let motion = match random.below(4) {
        0 => Motion::Translation(random.direction() * random.between(0.1, 3.0)),
        1 => Motion::Rotation { center: DVec3::ZERO, axis: UP, angle: angle(random) },
        2 => {
            Motion::Rotation { center: random.vector() * 0.5, axis: random.direction(), angle: angle(random) }
        }
        _ => Motion::Rotation { center: DVec3::ZERO, axis: DVec3::X, angle: angle(random) },
    };
    (Scene::new(ring, rod, motion), Dress::Any)
}

fn far_center(random: &Random) -> (Scene, Dress) {
    let (a, b) = two_solids(random);
    let way = b.point(random) - a.point(random);
    let side = way.cross(random.direction());
    let side = if side.length() > 1e-3 { side.normalize() } else { UP };
    let radius = random.power(1.0, 5.0);
    let center = a.middle() + side * radius;
    // Turning about this moves `a` along `way`, on a nearly straight line.
    let axis = way.cross(side);
    let axis = if axis.length() > 1e-3 { axis } else { UP };
    let motion = Motion::Rotation { center, axis, angle: way.length() / radius * random.between(0.5, 2.0) };
    (Scene::new(a, b, motion), Dress::Any)
}

/// A floor and four walls without thickness; what is in it meets them from inside, or leaves through the top.
fn in_open_box(random: &Random) -> (Scene, Dress) {
    let mut tub = cuboid(DVec3::splat(-1.0), DVec3::splat(1.0));
    // Without the two triangles of the top.
    tub.faces.retain(|face| face.iter().any(|&v| tub.points[v as usize].z < 0.0));
    let a = solid(random).scaled(DVec3::splat(random.between(0.1, 0.6))).turned(random.turn());
    let a = a.moved(DVec3::new(random.unit() * 0.3, random.unit() * 0.3, random.between(-0.3, 1.5)));
    let (from, to) = (a.point(random), tub.point(random));
    let motion = match random.below(3) {
        0 => Motion::Rotation { center: random.vector(), axis: random.direction(), angle: angle(random) },
        _ => any_motion(random, from, to),
    };
    (Scene::new(a, tub, motion), Dress::Any)
}

/// Between two walls with little room, or none.
fn in_slot(random: &Random) -> (Scene, Dress) {
    let room = if random.one_in(3) { 0.0 } else { random.power(-14.0, -1.0) };
    let wall = cuboid(DVec3::new(-2., -1., 0.), DVec3::new(2., 1., 1.));
    let half = 0.25;
    let walls = wall.clone().moved(UP * (half + room)).with(wall.moved(-UP * (half + 1.0)));
    let a = if random.one_in(2) {
        cuboid(DVec3::new(-0.5, -0.25, -half), DVec3::new(0.5, 0.25, half))
    } else {
        regular_prism(6, 0.5, 2.0 * half).moved(-UP * half)
    };
    let lift = room * random.pick(&[0.0, 0.5, 0.5, 1.0]);
    let a = a.moved(UP * lift + DVec3::X * random.lattice(2).x);
    let motion = match random.below(4) {
        0 => Motion::Translation(DVec3::new(random.between(-4.0, 4.0), 0.0, 0.0)),
        1 => Motion::Translation(DVec3::new(random.unit(), random.unit(), random.unit() * room * 2.0)),
        2 => Motion::Rotation { center: random.lattice(1), axis: UP, angle: angle(random) },
        _ => Motion::Rotation { center: a.middle(), axis: DVec3::Y, angle: random.power(-9.0, 0.0) },
    };
    (Scene::new(a, walls, motion), Dress::Any)
}

/// One inside the other, flush with it from inside, or equal to it.
fn nested(random: &Random) -> (Scene, Dress) {
    let b = cuboid(DVec3::splat(-1.0), DVec3::splat(1.0));
    let a = match random.below(4) {
        0 => b.clone(),
        1 => cuboid(DVec3::new(-0.5, -0.5, -1.0), DVec3::new(0.5, 0.5, 0.5)),
        2 => solid(random).scaled(DVec3::splat(0.4)),
        // Beside it by the whole width: it touches from outside.
        _ => b.clone().moved(DVec3::new(2.0, random.lattice(2).y, random.lattice(2).z * 0.5)),
    };
    let motion = motion_at_contact(random, DVec3::ZERO);
    (Scene::new(a, b, motion), dress(random))
}

/// Turning and moving at once: tumbling towards a point of the other, about an axis that moves along.
fn rigid(random: &Random) -> (Scene, Dress) {
    let (a, b) = if random.one_in(3) {
        let (a, b) = (anything(random), anything(random));
        apart(random, a, b)
    } else {
        two_solids(random)
    };
    let translation = (b.point(random) - a.point(random)) * random.between(0.5, 2.0);
    let center = match random.below(3) {
        0 => a.middle(),
        1 => a.corner(random),
        _ => random.vector() * 2.0,
    };
    let axis = match random.below(3) {
        // A screw.
        0 if translation.length() > 0.0 => translation,
        1 => random.pick(&[DVec3::X, UP, -DVec3::Y]),
        _ => random.direction(),
    };
    let angle = if random.one_in(4) { random.power(-6.0, 0.0) } else { angle(random) };
    (Scene::new(a, b, Motion::Rigid { translation, center, axis, angle }), Dress::Any)
}

/// The same from a contact, or from near one, and along a floor.
fn rigid_near(random: &Random) -> (Scene, Dress) {
    let (mut scene, kind) = match random.below(5) {
        0 => flush_start(random),
        1 => vertex_on_face(random),
        2 => edge_on_edge(random),
        3 => low_slide(random),
        _ => near_start(random),
    };
    let translation = match random.below(4) {
        0 => UP * random.power(-4.0, 0.0),
        1 => -UP * random.power(-4.0, 0.0),
        2 => DVec3::new(random.unit(), random.unit(), 0.0),
        _ => random.direction() * random.power(-2.0, 0.5),
    };
    let center = if random.one_in(2) { scene.moving.middle() } else { scene.moving.corner(random) };
    let axis = if random.one_in(2) { UP } else { random.direction() };
    let angle = if random.one_in(2) { random.power(-4.0, 0.0) } else { angle(random) };
    scene.motion = Motion::Rigid { translation, center, axis, angle };
    (scene, kind)
}
