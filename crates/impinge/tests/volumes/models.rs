//! Models, placed in every way, against volumes: every tree finds what trying all faces finds.

use crate::effort::share;
use impinge::bounds::DepthRange;
use impinge::glam::dcamera::rh::proj::{directx, opengl};
use impinge::glam::dcamera::rh::view::look_at_mat4;
use impinge::math::{DAffine3, DMat3, DVec3};
use impinge::mesh::Terrain;
use impinge::query::Volume;
use impinge::shapes::{Random, Shape};
use impinge::{Mesh, Model, Placement, Trs};

use super::lattice;
use crate::engine_set::{ALL, ALWAYS, Memory, Trees, faces_touching};

fn all_cases() -> u64 {
    share(400, 200_000)
}

/// Any map: none, a translation, a turn with scales, a mirror, a shear, far away.
fn placement(random: &mut Random) -> Placement {
    loop {
        let translation = if random.below(2) == 0 { lattice(random, 1) } else { random.in_cube() };
        let far = if random.below(8) == 0 { 1e6 } else { 1.0 };
        let matrix3 = match random.below(5) {
            0 => DMat3::IDENTITY,
            1 => {
                // Signed axes, scaled by powers of two: nothing is rounded.
                let turn = random.below(3) as usize;
                let column = |k: usize, random: &mut Random| {
                    let size = f64::from(random.below(3)).exp2() * 0.5;
                    DVec3::AXES[(k + turn) % 3] * if random.below(2) == 0 { size } else { -size }
                };
                DMat3::from_cols(column(0, random), column(1, random), column(2, random))
            }
            2 | 3 => {
                let turn = Trs::rotation_about_axis(random.direction(), random.unit() * 360.0).unwrap();
                let scale = random.in_cube() * 2.0;
                turn.rotation_matrix() * DMat3::from_diagonal(scale)
            }
            _ => DMat3::from_cols(random.in_cube(), random.in_cube(), random.in_cube()) * 1.5,
        };
        let map = DAffine3 { matrix3, translation: translation * far };
        if let Ok(placement) = Placement::try_from(map) {
            return placement;
        }
    }
}

fn models() -> Vec<Model> {
    let polygons =
        vec![vec![0, 1, 2, 3], vec![4, 5, 6, 7], vec![0, 4, 7], vec![1, 6], vec![2], vec![3, 3, 3, 5]];
    let cube: Vec<DVec3> = (0..8)
        .map(|i| {
            let side = |bit: i32| f64::from(i >> bit & 1);
            DVec3::new(side(0) - 0.5, side(1), side(2))
        })
        .collect();
    let mut heights = Random::new(3);
    let heights: Vec<f64> = (0..48).map(|_| heights.unit()).collect();
    let (origin, spacing) = ([-1.0, -1.0, 0.0], [0.3, 0.4]);
    let terrain = Terrain { origin, spacing, columns: 8, heights, holes: vec![3, 17] };
    vec![
        Model::new(Shape::Torus.generate(64, 0)),
        Model::new(Shape::Box.generate(48, 0)),
        Model::new(Shape::Soup.generate(40, 1)),
        Model::new(Shape::Knot.generate(288, 0)),
        Model::new(Mesh::polygons(cube, polygons).unwrap()),
        Model::new(Mesh::terrain(terrain).unwrap()),
        Model::new(Mesh::point([0.5, 0.0, 0.0]).unwrap()),
    ]
}

/// A vertex of the placed model, to aim at.
fn target(model: &Model, placement: &Placement, random: &mut Random) -> DVec3 {
    let vertex = model.mesh().vertex(random.below(model.mesh().vertex_count() as u32));
    placement.point_to_world(vertex)
}

fn check(name: &str, volume: impl Fn(&mut Random, DVec3, f64) -> Volume) {
    let models = models();
    let trees: Vec<Trees<'_>> = models.iter().map(Trees::new).collect();
    let memory = &mut Memory::default();
    let (mut expected, mut faces) = (Vec::new(), Vec::new());
    let mut hits = [0_u64; 3];
    for case in 0..all_cases() {
        let random = &mut Random::new(case ^ 0x9e37_79b9_7f4a_7c15);
        let number = random.below(models.len() as u32) as usize;
        let (model, trees) = (&models[number], &trees[number]);
        let placement = placement(random);
        let placed = model.at(placement);
        let target = target(model, &placement, random);
        let size = placed.bounds().size().max_element().max(0.1);
        let size = size * [0.05, 0.3, 1.0, 3.0, 30.0][random.below(5) as usize];
        let volume = volume(random, target, size);
        faces_touching(ALL[0], &placed, trees, &volume, memory, &mut expected);
        let engine = if random.below(3) == 0 {
            ALL[1 + random.below(ALL.len() as u32 - 1) as usize]
        } else {
            ALWAYS[0]
        };
        faces_touching(engine, &placed, trees, &volume, memory, &mut faces);
        assert_eq!(faces, expected, "{name} {case} {engine:?}: {volume:?} {placement:?}");
        let whole = expected.len() == model.mesh().face_count();
        hits[if expected.is_empty() {
            0
        } else if whole {
            2
        } else {
            1
        }] += 1;
        if case % 16 == 0 {
            assert_eq!(placed.touches(&volume), !expected.is_empty(), "{name} {case}");
            assert_eq!(placed.faces_touching(&volume), expected, "{name} {case}");
            let any = placed.any_face_touching(&volume);
            assert!(any.is_some() != expected.is_empty() && any.is_none_or(|face| expected.contains(&face)));
        }
    }
    assert!(hits.iter().all(|&count| count > all_cases() / 200), "{name}: {hits:?}");
}

/// Somewhere near a vertex: on it, beside it, farther.
fn near(random: &mut Random, target: DVec3, size: f64) -> DVec3 {
    match random.below(3) {
        0 => target,
        1 => target + random.in_cube() * size * 1.5,
        _ => target + random.in_cube() * size * 0.6,
    }
}

#[test]
fn boxes_along_the_axes() {
    check("aabb", |random, target, size| {
        let a = near(random, target, size);
        let b = a + random.in_cube() * size;
        Volume::aabb(a.min(b), a.max(b)).unwrap()
    });
}

#[test]
fn boxes_of_any_orientation() {
    check("obb", |random, target, size| {
        let turn = Trs::rotation_about_axis(random.direction(), random.unit() * 360.0).unwrap();
        let center = near(random, target, size);
        Volume::obb(center, random.in_cube().abs() * size, &turn).unwrap()
    });
}

#[test]
fn spheres() {
    check("sphere", |random, target, size| {
        let center = near(random, target, size);
        let radius = if random.below(4) == 0 { (target - center).length() } else { random.unit() * size };
        Volume::sphere(center, radius).unwrap()
    });
}

#[test]
fn capsules() {
    check("capsule", |random, target, size| {
        let start = near(random, target, size);
        let end = match random.below(8) {
            0 => start,
            1 => start + DVec3::AXES[random.below(3) as usize] * size,
            _ => start + random.in_cube() * size * 2.0,
        };
        let radius = if random.below(4) == 0 { (target - end).length() } else { random.unit() * size * 0.6 };
        Volume::capsule(start, end, radius).unwrap()
    });
}

#[test]
fn planes_and_half_spaces() {
    check("plane", |random, target, size| {
        let normal = if random.below(2) == 0 { lattice(random, 1) } else { random.in_cube() };
        let normal = if normal == DVec3::ZERO { DVec3::Y } else { normal * 3.0 };
        let offset = normal.dot(near(random, target, size * 0.3));
        if random.below(4) == 0 {
            Volume::plane(normal, offset).unwrap()
        } else {
            Volume::half_space(normal, offset).unwrap()
        }
    });
}

#[test]
fn frusta() {
    check("frustum", |random, target, size| {
        let eye = near(random, target, size * 2.0) + random.in_cube() * size;
        let towards = near(random, target, size);
        let towards = if (towards - eye).length() < 1e-3 * size { eye + DVec3::Y } else { towards };
        let (near, far) = (size * (0.01 + random.unit()), size * (1.5 + 4.0 * random.unit()));
        let up = random.direction();
        let view = look_at_mat4(eye, towards, up);
        let (projection, depth) = match random.below(4) {
            0 => (directx::perspective_infinite_reverse(1.0, 1.3, near), DepthRange::ZeroToOne),
            1 => (directx::perspective(0.3 + random.unit(), 0.8, near, far), DepthRange::ZeroToOne),
            2 => (opengl::orthographic(-size, size, -size, size, 0.0, far), DepthRange::MinusOneToOne),
            _ => (opengl::perspective(0.3 + random.unit(), 1.5, near, far), DepthRange::MinusOneToOne),
        };
        let matrix = (projection * view).transpose().to_cols_array_2d();
        Volume::frustum(matrix, depth).unwrap()
    });
}

/// A torus in the largest coordinates, placed by the largest scale: nothing is finite in the world.
#[test]
fn what_overflows_is_answered_too() {
    let corners = [[0.0, 0.0, 0.0], [1e300, 0.0, 0.0], [0.0, 1e300, 0.0]];
    let model = Model::new(Mesh::triangles(corners, vec![[0, 1, 2]]).unwrap());
    let placed = model.at(Trs::scaling([1e100, 1e100, 1.0]).unwrap());
    assert!(placed.touches(&Volume::sphere([1.0, 1.0, 0.0], 0.0).unwrap()));
    assert!(!placed.touches(&Volume::sphere([1.0, 1.0, 1.0], 0.5).unwrap()));
    assert!(placed.touches(&Volume::plane([1.0, 1.0, 0.0], 1e200).unwrap()));
    assert!(!placed.touches(&Volume::plane([1.0, 1.0, 0.0], -1e200).unwrap()));
    assert!(placed.touches(&Volume::aabb([5.0, 5.0, -1.0], [6.0, 6.0, 1.0]).unwrap()));
    assert!(!placed.touches(&Volume::capsule([-1.0; 3], [-1.0, 1e150, 0.0], 0.5).unwrap()));
    assert!(model.at(Trs::IDENTITY).touches(&Volume::aabb([-1e308; 3], [1e308; 3]).unwrap()));
}
