//! Terrains, read in place: rays and volumes find what trees and trying all faces find on the same triangles.

use crate::effort::share;
use impinge::bounds::DepthRange;
use impinge::glam::dcamera::rh::{proj::opengl, view::look_at_mat4};
use impinge::math::{DAffine3, DMat3, DQuat, DVec3};
use impinge::mesh::{Faces, Terrain};
use impinge::query::{Engine, Ray, RayOptions, Volume};
use impinge::{Mesh, Model, Placement, Trs};

use crate::engine_set::{ALL, Memory, Trees, faces_touching};
use crate::oracle::cases::Random;

fn terrains() -> u64 {
    share(25, 200)
}

const RAYS: u64 = if cfg!(debug_assertions) { 15 } else { 60 };
const VOLUMES: u64 = if cfg!(debug_assertions) { 10 } else { 30 };

/// Grids from one cell to several layers, long ones too; heights that repeat, or do not; holes; coordinates of all sizes,
/// and far from the origin, where columns fall together.
fn terrain(random: &mut Random) -> Terrain {
    let sides = [2, 3, 4, 5, 6, 9, 17, 18, 40];
    let [columns, rows] = match random.below(8) {
        0 => [2, 90],
        1 => [130, 2],
        _ => [0, 0].map(|_| sides[random.below(sides.len() as u64) as usize]),
    };
    let unit = [1.0, 0.25, 0.1, 1e-140, 1e140][random.below(5) as usize];
    let spacing = match random.below(4) {
        0 => [unit; 2],
        1 => [unit, 3.0 * unit],
        2 => [0.37 * unit, 0.11 * unit],
        _ => [unit * 1e-3, unit],
    };
    let origin = match random.below(5) {
        0 => random.lattice(3) * unit,
        1 => DVec3::new(1e15, -3e15, 1e15) * unit,
        2 => random.vector() * unit * 1e6,
        _ => DVec3::ZERO,
    };
    let kind = random.below(4);
    let height = |random: &mut Random| match kind {
        0 => random.below(3) as f64 * unit,
        1 => unit,
        2 => random.unit() * unit,
        _ => random.unit().powi(9) * 20.0 * unit,
    };
    let heights = (0..columns * rows).map(|_| height(random)).collect();
    let cells = (columns - 1) * (rows - 1);
    // One cell stays: a mesh without faces is none.
    let holes = match random.below(4) {
        0 => (1..cells).filter(|_| random.below(3) == 0).map(|cell| cell as u32).collect(),
        // Whole blocks.
        1 => (0..cells).filter(|cell| cell % (columns - 1) / 8 % 2 == 1).map(|cell| cell as u32).collect(),
        _ => Vec::new(),
    };
    Terrain { origin: origin.to_array(), spacing, columns, heights, holes }
}

/// The same faces as a table of triangles.
fn twin(mesh: &Mesh) -> Mesh {
    let faces: Vec<u32> = (0..mesh.face_count() as u32).filter(|&face| mesh.corner_count(face) > 0).collect();
    let triangles = faces.iter().map(|&face| mesh.fan_triangle(face, 0)).collect();
    Mesh::triangles(mesh.vertices(), triangles).unwrap().with_labels(faces).unwrap()
}

/// Exact ones, so that rays along lines of the grid stay there, and others.
fn placement(random: &mut Random) -> Placement {
    let turn = DQuat::from_axis_angle(DVec3::new(0.48, 0.6, 0.64), random.unit() * 3.0);
    match random.below(7) {
        0..3 => Placement::IDENTITY,
        3 => Trs::scaling([0.5, -2.0, 4.0]).unwrap().into(),
        4 => {
            let axes = DMat3::from_cols(DVec3::Z, -DVec3::X, DVec3::Y * 2.0);
            Placement::try_from(DAffine3 { matrix3: axes, translation: DVec3::ZERO }).unwrap()
        }
        5 => Trs::new(random.vector(), turn, [0.5, -2.0, 1.5]).unwrap().into(),
        _ => {
            let shear = DMat3::from_cols(DVec3::X, DVec3::new(0.7, 1.0, 0.2), DVec3::new(-0.4, 0.3, -1.5));
            Placement::try_from(DAffine3 { matrix3: shear, translation: random.vector() }).unwrap()
        }
    }
}

/// A place of the terrain: a vertex, the middle of an edge or a diagonal, or of no kind.
fn place(random: &mut Random, mesh: &Mesh) -> DVec3 {
    let vertex = mesh.vertex(random.below(mesh.vertex_count() as u64) as u32);
    let Faces::Grid(grid) = mesh.faces() else { panic!("a terrain") };
    let cell = random.below(u64::from(grid.cell_count())) as u32;
    let first = cell / (grid.columns - 1) * grid.columns + cell % (grid.columns - 1);
    let [a, b] = [mesh.vertex(first), mesh.vertex(first + grid.columns + 1)];
    match random.below(4) {
        0 | 1 => vertex,
        2 => (a + b) * 0.5,
        _ => a + (b - a) * random.unit().abs(),
    }
}

/// A ray in the model's frame: along lines of the grid, up and down, level, through two places, almost along an axis.
fn ray(random: &mut Random, mesh: &Mesh) -> (DVec3, DVec3) {
    let size = mesh.bounds().size().max(DVec3::splat(1e-150));
    let (from, to) = (place(random, mesh), place(random, mesh));
    let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
    let axis = DVec3::AXES[random.below(3) as usize] * sign;
    let (origin, mut direction) = match random.below(8) {
        0 | 1 => (from - axis * size * random.below(3) as f64, axis * size),
        2 => (from + DVec3::Z * size * sign, DVec3::NEG_Z * size * sign),
        3 => (from, to - from),
        4 => (from - (to - from) * 2.0, to - from),
        5 => (from, DVec3::new(size.x, sign * size.y, 0.0)),
        6 => {
            let mut direction = axis * size;
            direction[random.below(3) as usize] =
                sign * [1e-308, 1e-320, 1e-200, 1e-30][random.below(4) as usize];
            (from - direction, direction)
        }
        _ => (from + random.vector() * size * 2.0, random.vector() * size),
    };
    if random.below(6) == 0 {
        direction *= [1e-90, 1e90, 0.125][random.below(3) as usize];
    }
    (origin, direction)
}

#[test]
fn rays_find_what_trees_and_trying_all_find() {
    let (mut hits, mut ties) = (0_u64, 0_u64);
    for case in 0..terrains() {
        let random = &mut Random(case);
        let mesh = Mesh::terrain(terrain(random)).unwrap();
        let (model, twin) = (Model::new(mesh.clone()), Model::new(twin(&mesh)));
        let placement = placement(random);
        let (placed, twin) = (model.at(placement), twin.at(placement));
        let mut rays = Vec::new();
        for number in 0..RAYS {
            let (origin, direction) = ray(random, &mesh);
            let world = (placement.point_to_world(origin), placement.vector_to_world(direction));
            let Ok(ray) = Ray::new(world.0, world.1) else { continue };
            let ray = match random.below(4) {
                0 => ray.up_to([0.0, 0.5, 1.0, 2.0][random.below(4) as usize]).unwrap(),
                _ => ray,
            };
            let ask = RayOptions::new().cull_back(random.below(4) == 0);
            let what = || format!("{case} {number}: {ray:?} {ask:?} {placement:?} {mesh:?}");
            let expected = placed.cast_ray_all(&ray, ask.engine(Engine::Brute));
            assert_eq!(twin.cast_ray_all(&ray, ask), expected, "{}", what());
            assert_eq!(placed.cast_ray_all(&ray, ask), expected, "{}", what());
            assert_eq!(placed.cast_ray_with(&ray, ask), twin.cast_ray_with(&ray, ask), "{}", what());
            assert_eq!(
                placed.cast_ray_with(&ray, ask).map(|hit| hit.face),
                expected.first().map(|hit| hit.face),
                "{}",
                what()
            );
            let odd = |face: u32| face % 3 == 1;
            assert_eq!(
                placed.cast_ray_with(&ray, ask.accept(Some(&odd))),
                twin.cast_ray_with(&ray, ask.accept(Some(&odd))),
                "{}",
                what()
            );
            let some = placed.cast_ray_any(&ray, ask);
            assert_eq!(some.is_some(), !expected.is_empty(), "{}", what());
            assert!(some.is_none_or(|some| expected.iter().any(|hit| hit.face == some.face)), "{}", what());
            hits += u64::from(!expected.is_empty());
            ties += u64::from(expected.len() > 1 && expected[0].t == expected[1].t);
            rays.push(ray);
        }
        let ask = RayOptions::default();
        assert_eq!(placed.cast_rays(&rays, ask), twin.cast_rays(&rays, ask), "{case}");
    }
    assert!(hits * 5 > terrains() * RAYS && ties * 20 > terrains() * RAYS, "{hits} {ties}");
}

/// A volume of some kind about a point of the world.
fn volume(random: &mut Random, at: DVec3, size: f64) -> Option<Volume> {
    let reach = size * [0.0, 0.02, 0.2, 1.0, 5.0][random.below(5) as usize];
    let extent = random.vector().abs() * reach;
    match random.below(7) {
        0 => Volume::aabb(at - extent, at + extent).ok(),
        1 => {
            let turn =
                Trs::rotation_about_axis(random.vector() + DVec3::X * 2.0, random.unit() * 180.0).ok()?;
            Volume::obb(at, extent, &turn).ok()
        }
        2 => Volume::sphere(at + random.vector() * size * 0.1, reach).ok(),
        3 => Volume::capsule(at, at + random.vector() * size, reach).ok(),
        4 | 5 => {
            let normal =
                if random.below(2) == 0 { DVec3::AXES[random.below(3) as usize] } else { random.vector() };
            let offset = normal.dot(at);
            if random.below(2) == 0 {
                Volume::plane(normal, offset).ok()
            } else {
                Volume::half_space(normal, offset).ok()
            }
        }
        _ => {
            let eye = at + random.vector() * size;
            let view = look_at_mat4(eye, at, random.vector());
            let projection = opengl::perspective(0.3 + random.unit().abs(), 1.5, size * 0.01, size * 4.0);
            let matrix = (projection * view).transpose().to_cols_array_2d();
            Volume::frustum(matrix, DepthRange::MinusOneToOne).ok()
        }
    }
}

#[test]
fn volumes_touch_what_trees_and_trying_all_find() {
    let memory = &mut Memory::default();
    let (mut expected, mut faces) = (Vec::new(), Vec::new());
    let mut counts = [0_u64; 3];
    for case in 0..terrains() {
        let random = &mut Random(case ^ 0x5bd1_e995);
        let mesh = Mesh::terrain(terrain(random)).unwrap();
        let (model, twin) = (Model::new(mesh.clone()), Model::new(twin(&mesh)));
        let placement = placement(random);
        let (placed, twin) = (model.at(placement), twin.at(placement));
        let trees = [Trees::new(&model), Trees::new(twin.model())];
        let size = placed.bounds().size().max_element();
        for number in 0..VOLUMES {
            let at = placement.point_to_world(place(random, &mesh));
            let Some(volume) = volume(random, at, size) else { continue };
            faces_touching(ALL[0], &placed, &trees[0], &volume, memory, &mut expected);
            let on_grid = ALL[1..].iter().map(|&engine| (&placed, &trees[0], engine));
            for (placed, trees, engine) in on_grid.chain([(&twin, &trees[1], ALL[1])]) {
                faces_touching(engine, placed, trees, &volume, memory, &mut faces);
                assert_eq!(faces, expected, "{case} {number} {engine:?}: {volume:?} {placement:?} {mesh:?}");
            }
            assert_eq!(placed.touches(&volume), !expected.is_empty(), "{case} {number}");
            let all = expected.len() == mesh.triangle_count();
            counts[if expected.is_empty() { 0 } else { 1 + usize::from(all) }] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count * 20 > terrains()), "{counts:?}");
}

/// Every cell is reached from above, and the ray through a vertex sees all faces around it.
#[test]
fn rays_straight_down_see_every_cell() {
    let (columns, rows) = if cfg!(debug_assertions) { (21, 18) } else { (75, 41) };
    let heights = (0..columns * rows).map(|i| (i * 37 % 11) as f64).collect();
    let terrain =
        Terrain { origin: [-3.0, 2.0, 1.0], spacing: [0.5, 2.0], columns, heights, holes: vec![77] };
    let model = Model::new(Mesh::terrain(terrain).unwrap());
    let placed = model.at(Trs::IDENTITY);
    let down = |x: f64, y: f64| Ray::new([x, y, 100.0], [0.0, 0.0, -1.0]).unwrap();
    let mesh = model.mesh();
    for face in 0..mesh.face_count() as u32 {
        if mesh.corner_count(face) == 0 {
            continue;
        }
        let [a, b, c] = mesh.fan_triangle(face, 0).map(|vertex| mesh.vertex(vertex));
        let middle = a * 0.5 + b * 0.25 + c * 0.25;
        let hits = placed.cast_ray_all(&down(middle.x, middle.y), RayOptions::default());
        assert_eq!(hits.iter().map(|hit| hit.face).collect::<Vec<_>>(), [face]);
    }
    for vertex in 0..mesh.vertex_count() as u32 {
        let point = mesh.vertex(vertex);
        let around = (0..mesh.face_count() as u32).filter(|&face| mesh.corners(face).any(|v| v == vertex));
        let hits = placed.cast_ray_all(&down(point.x, point.y), RayOptions::default());
        assert_eq!(hits.iter().map(|hit| hit.face).collect::<Vec<_>>(), around.collect::<Vec<_>>());
        assert!(hits.iter().all(|hit| hit.t == 100.0 - point.z));
    }
}
