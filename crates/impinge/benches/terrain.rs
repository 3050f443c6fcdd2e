//! Maia et al. 2006, §4: a terrain read in place against the same triangles as a table with a tree of boxes. Prints the time to
//! the first answer, nanoseconds a ray and microseconds a volume, and ratios (above 1: the terrain is faster).
//!
//! `cargo bench -p impinge --bench terrain`; with `--test` it only checks, on a small terrain, that the ways agree.

use std::hint::black_box;
use std::time::Instant;

use impinge::bounds::DepthRange;
use impinge::glam::dcamera::rh::{proj::opengl, view::look_at_mat4};
use impinge::math::DVec3;
use impinge::mesh::Terrain;
use impinge::query::{Engine, FirstFace, Ray, RayOptions, Scratch, Volume, VolumeOptions};
use impinge::shapes::Random;
use impinge::{Mesh, Model, Placed, Trs};

/// Measurements of each way; the ways take turns and the fastest counts.
const ROUNDS: usize = 7;

fn main() {
    // Cargo passes `--bench` to measure; `cargo test --benches` does not.
    let measure = std::env::args().any(|a| a == "--bench") && !std::env::args().any(|a| a == "--test");
    for side in if measure { &[65, 257, 1025][..] } else { &[33] } {
        run(*side, if measure { ROUNDS } else { 1 });
    }
}

/// Hills of several sizes over a grid of `side` times `side` vertices, one apart.
fn hills(side: usize) -> Mesh {
    let height = |i: usize| {
        let (x, y) = ((i % side) as f64, (i / side) as f64);
        let wave = |length: f64, turn: f64| ((x * turn.cos() + y * turn.sin()) / length).sin();
        12.0 * wave(31.0, 0.4) + 9.0 * wave(23.0, 2.1) + 2.0 * wave(6.1, 1.2) + 0.7 * wave(2.3, 2.8)
    };
    let heights = (0..side * side).map(height).collect();
    let origin = [side as f64 * -0.5, side as f64 * -0.5, 0.0];
    Mesh::terrain(Terrain { origin, spacing: [1.0; 2], columns: side, heights, holes: vec![] })
        .expect("a terrain")
}

fn table(mesh: &Mesh) -> Mesh {
    let triangles = (0..mesh.face_count() as u32).map(|face| mesh.fan_triangle(face, 0)).collect();
    Mesh::triangles(mesh.vertices(), triangles).expect("triangles")
}

fn run(side: usize, rounds: usize) {
    let mesh = hills(side);
    println!("\n{} triangles", mesh.face_count());
    first_answers(&mesh, rounds);
    let (terrain, twin) = (Model::new(mesh.clone()), Model::new(table(&mesh)));
    let (terrain, twin) = (terrain.at(Trs::IDENTITY), twin.at(Trs::IDENTITY));
    let size = side as f64;
    let mut random = Random::new(7);
    let mut place = |height: f64| {
        DVec3::new(random.between(-0.49, 0.49) * size, random.between(-0.49, 0.49) * size, height)
    };
    let mut kinds: Vec<(&str, Vec<Ray>)> = Vec::new();
    let mut add = |name, make: &mut dyn FnMut(usize) -> (DVec3, DVec3)| {
        let ray = |(from, way): (DVec3, DVec3)| Ray::new(from, way).expect("a ray");
        let rays = (0..4096).map(make).map(ray);
        kinds.push((name, rays.collect()));
    };
    add("down", &mut |_| (place(100.0), DVec3::NEG_Z));
    add("sloping", &mut |_| (place(60.0), place(-60.0) / size));
    add("level", &mut |_| (place(8.0), place(0.0)));
    add("above", &mut |_| (place(30.0), place(-4.0)));
    add("camera", &mut |i| {
        let (u, v) = ((i % 64) as f64 / 64.0 - 0.5, (i / 64) as f64 / 64.0 - 0.5);
        (DVec3::new(0.0, -0.45 * size, 60.0), DVec3::new(u, 1.0, v - 0.5))
    });
    println!("{:<26}{:>12}{:>12}{:>8}", "rays, ns each", "terrain", "table", "ratio");
    for (name, rays) in &kinds {
        let ways: [(&str, Cast); 2] = [("alone", alone), ("many", many)];
        for (way, cast) in ways {
            let mut found = [vec![None; rays.len()], vec![None; rays.len()]];
            let [ours, theirs] = in_turns(rounds, |which| {
                cast([&terrain, &twin][which], rays, &mut found[which]);
            });
            assert_eq!(found[0], found[1], "{name}");
            let each = 1e9 / rays.len() as f64;
            line(&format!("{name}, {way}"), ours * each, theirs * each);
        }
    }
    volumes(&terrain, &twin, size, rounds);
}

type Cast = fn(&Placed<'_>, &[Ray], &mut [Option<FirstFace>]);

fn alone(placed: &Placed<'_>, rays: &[Ray], found: &mut [Option<FirstFace>]) {
    for (ray, place) in rays.iter().zip(found) {
        *place = placed.cast_ray(ray).map(|hit| FirstFace { face: hit.face, t: hit.t });
    }
}

fn many(placed: &Placed<'_>, rays: &[Ray], found: &mut [Option<FirstFace>]) {
    placed.cast_rays_into(rays, RayOptions::default(), found);
}

/// From the mesh to the first hit.
fn first_answers(mesh: &Mesh, rounds: usize) {
    let ray = Ray::new([0.3, 0.2, 100.0], [0.0, 0.0, -1.0]).expect("a ray");
    let table = table(mesh);
    let [ours, theirs] = in_turns(rounds, |which| {
        let model = Model::new([mesh, &table][which].clone());
        black_box(model.at(Trs::IDENTITY).cast_ray(&ray));
    });
    println!("{:<26}{:>12}{:>12}{:>8}", "first answer, ms", "terrain", "table", "ratio");
    line("ray", ours * 1e3, theirs * 1e3);
}

fn volumes(terrain: &Placed<'_>, twin: &Placed<'_>, size: f64, rounds: usize) {
    println!("{:<26}{:>12}{:>12}{:>8}", "volumes, us each", "terrain", "table", "ratio");
    let mut random = Random::new(11);
    let turn = Trs::rotation_about_axis([1.0, 2.0, 3.0], 40.0).expect("a turn");
    for reach in [2.0, 0.05 * size, 0.5 * size] {
        let mut at =
            || DVec3::new(random.between(-0.45, 0.45) * size, random.between(-0.45, 0.45) * size, 3.0);
        let matrix = |at: DVec3| {
            let view = look_at_mat4(at, at + DVec3::new(1.0, 0.5, -0.2), DVec3::Z);
            (opengl::perspective(0.8, 1.5, 0.1, 2.0 * reach) * view).transpose().to_cols_array_2d()
        };
        let mut kinds: Vec<(&str, Vec<Volume>)> = Vec::new();
        let mut add = |name, make: &mut dyn FnMut() -> Volume| {
            kinds.push((name, (0..32).map(|_| make()).collect()));
        };
        add("aabb", &mut || {
            let (at, half) = (at(), DVec3::splat(reach));
            Volume::aabb(at - half, at + half).expect("a box")
        });
        add("obb", &mut || Volume::obb(at(), [reach; 3], &turn).expect("a box"));
        add("sphere", &mut || Volume::sphere(at(), reach).expect("a ball"));
        add("capsule", &mut || {
            let start = at();
            Volume::capsule(start, start + DVec3::new(reach, reach, 1.0), reach * 0.2).expect("a capsule")
        });
        add("plane", &mut || {
            let normal = DVec3::new(0.3, 0.2, 1.0);
            Volume::plane(normal, normal.dot(at())).expect("a plane")
        });
        add("frustum", &mut || Volume::frustum(matrix(at()), DepthRange::MinusOneToOne).expect("a frustum"));
        for (name, list) in &kinds {
            let scratch = &mut Scratch::default();
            let mut faces = [Vec::new(), Vec::new()];
            let mut sums = [0, 0];
            let [ours, theirs] = in_turns(rounds, |which| {
                sums[which] = 0;
                for volume in list {
                    [terrain, twin][which].faces_touching_in(
                        volume,
                        VolumeOptions::new().engine(Engine::Bvh),
                        scratch,
                        &mut faces[which],
                    );
                    sums[which] += faces[which].len();
                }
            });
            assert_eq!((&faces[0], sums[0]), (&faces[1], sums[1]), "{name}");
            let each = 1e6 / list.len() as f64;
            let label = format!("{name} {reach:.0}: {} faces", sums[0] / list.len());
            line(&label, ours * each, theirs * each);
        }
    }
}

/// Seconds of the fastest round of each of two ways, which take turns.
fn in_turns(rounds: usize, mut way: impl FnMut(usize)) -> [f64; 2] {
    let mut best = [f64::INFINITY; 2];
    for round in 0..2 * rounds {
        let start = Instant::now();
        way(round % 2);
        best[round % 2] = best[round % 2].min(start.elapsed().as_secs_f64());
    }
    best
}

fn line(name: &str, ours: f64, theirs: f64) {
    println!("{name:<26}{ours:>12.2}{theirs:>12.2}{:>8.2}", theirs / ours);
}
