//! Maia et al. 2006, §3.1, §3.2 and §5: the box around a placed box, and the inverse of a placement, against the ways that the
//! paper compares with. Prints operations as written in the source, nanoseconds per call and ratios.
//!
//! `cargo bench -p impinge --bench transform_semantics`; with `--test` it only checks that the ways agree.

use std::hint::black_box;
use std::time::Instant;

use impinge::bounds::Aabb;
use impinge::glam::{DAffine3, DMat3, DMat4, DQuat, DVec3};
use impinge::transform::{Placement, Trs};
use impinge_core::transform::inverse_of_trs;

/// Calls per measurement: small enough that inputs and results stay in the second-level cache.
const BATCH: usize = 512;
/// Measurements per way; the ways take turns, so that a slow moment of the machine hits all of them.
const ROUNDS: usize = 2001;

fn main() {
    // Cargo passes `--bench` to measure; `cargo test --benches` does not.
    let measure = std::env::args().any(|a| a == "--bench") && !std::env::args().any(|a| a == "--test");
    let rounds = if measure { ROUNDS } else { 3 };
    let inputs = inputs();
    check(&inputs);

    let mut boxes = vec![
        Way::new("eight corners, each on its own", "72 / 0 / 72 / 0, 48 min or max", |i: &Input| {
            around_images(&i.world_from_model, &corners(&i.local))
        }),
        Way::new("eight corners, products shared", "18 products, as compiled", |i| {
            // Inlined, so the compiler sees that corners share coordinates, and multiplies each only once.
            let images = (0..8).map(|k| i.world_from_model.transform_point3(corner(&i.local, k)));
            Aabb::around(images)
        }),
        Way::new("signs, as the paper prints it", "18 / 0 / 30 / 0, 18 min or max", paper_image),
        Way::new("Aabb::image, rounded outward", "30 / 0 / 42 / 0, 5 to check", |i| {
            i.local.image(&i.world_from_model)
        }),
    ];
    run(
        "Box around a placed box (paper: signs about 6 times as fast as corners)",
        &mut boxes,
        &inputs,
        rounds,
    );

    let mut inverses = vec![
        Way::new("4×4 cofactors (glam DMat4::inverse)", "120 / 1 / 53 / 0", |i: &Input| i.matrix.inverse()),
        Way::new("4×4 from inverse_of_trs", "27 / 3 / 12 / 0", |i| {
            DMat4::from(inverse_of_trs(&i.world_from_model))
        }),
        Way::new("4×4 from Wu's, equal scales only", "21 / 1 / 8 / 0", |i| {
            DMat4::from(wu_inverse(&i.world_from_model))
        }),
    ];
    run(
        "Inverse as a 4×4 matrix (paper: brute force 280 / 1 / 101, its own 27 / 3 / 12, Wu's 21 / 1 / 8)",
        &mut inverses,
        &inputs,
        rounds,
    );

    let mut affine = vec![
        Way::new("3×3 cofactors (glam DAffine3::inverse)", "39 / 1 / 17 / 0", |i: &Input| {
            i.world_from_model.inverse()
        }),
        Way::new("inverse_of_trs", "27 / 3 / 12 / 0", |i| inverse_of_trs(&i.world_from_model)),
        Way::new("Wu's, equal scales only", "21 / 1 / 8 / 0", |i| wu_inverse(&i.world_from_model)),
        Way::new("rotation and scale as matrices", "31 / 3 / 11 / 3", |i| {
            extract_by_formula(&i.world_from_model)
        }),
    ];
    run("Inverse as an affine map (paper: Wu's about 17 % to 31 % faster)", &mut affine, &inputs, rounds);

    let mut whole = vec![
        Way::new("Placement::try_from(matrix)", "all checks, inverse, Trs", |i: &Input| {
            Placement::try_from(i.world_from_model).unwrap_or_default()
        }),
        Way::new("Placement::from(Trs)", "quaternion to matrix, inverse", |i| Placement::from(i.trs)),
    ];
    run("A placement, with everything a query needs of it", &mut whole, &inputs, rounds);
    if !measure {
        println!("checked only; run with `cargo bench` to measure");
    }
}

struct Input {
    trs: Trs,
    world_from_model: DAffine3,
    matrix: DMat4,
    local: Aabb,
}

/// Rotated placements of all directions, with scales alike on all axes, so that Wu's inverse is right for them too.
fn inputs() -> Vec<Input> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut number = || {
        // xorshift64: reproducible, and enough for inputs.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    let mut point = |size: f64| DVec3::new(number(), number(), number()) * size;
    let inputs = (0..BATCH).map(|_| {
        let (axis, more) = (point(1.0), point(1.0));
        let turn = Trs::rotation_about_axis(axis, more.x * 360.0).unwrap_or_default().orientation();
        let trs = Trs::new(point(100.0), turn, DVec3::splat(2.0 + more.y)).unwrap_or_default();
        let world_from_model = trs.matrix();
        let local = Aabb::around([point(1.0), point(1.0)]);
        Input { trs, world_from_model, matrix: DMat4::from(world_from_model), local }
    });
    inputs.collect()
}

#[inline]
fn corner(&Aabb { min, max }: &Aabb, k: usize) -> DVec3 {
    DVec3::new(
        if k & 1 == 0 { min.x } else { max.x },
        if k & 2 == 0 { min.y } else { max.y },
        if k & 4 == 0 { min.z } else { max.z },
    )
}

#[inline]
fn corners(aabb: &Aabb) -> [DVec3; 8] {
    std::array::from_fn(|k| corner(aabb, k))
}

/// The naive way: transform every corner and take the extremes. Any eight points would do: that corners share
/// coordinates is not known here.
#[inline(never)]
fn around_images(map: &DAffine3, points: &[DVec3; 8]) -> Aabb {
    Aabb::around(points.iter().map(|&point| map.transform_point3(point)))
}

/// §3.2 as printed: the image of the least corner, and edges added to either end by their signs. Not conservative.
#[inline]
fn paper_image(input: &Input) -> Aabb {
    let DAffine3 { matrix3, .. } = input.world_from_model;
    let p = input.world_from_model.transform_point3(input.local.min);
    let size = input.local.size();
    let edges = [matrix3.x_axis * size.x, matrix3.y_axis * size.y, matrix3.z_axis * size.z];
    let [a, b, c] = edges.map(|edge| edge.min(DVec3::ZERO));
    let [d, e, f] = edges.map(|edge| edge.max(DVec3::ZERO));
    Aabb { min: p + a + b + c, max: p + d + e + f }
}

/// One squared length serves all rows.
#[inline]
fn wu_inverse(map: &DAffine3) -> DAffine3 {
    let scale = 1.0 / map.matrix3.x_axis.length_squared();
    let linear =
        DMat3::from_cols(map.matrix3.x_axis * scale, map.matrix3.y_axis * scale, map.matrix3.z_axis * scale)
            .transpose();
    DAffine3 { matrix3: linear, translation: linear * -map.translation }
}

/// Rotation and scale with three square roots; the scale is handed on in place of the translation.
#[inline]
fn extract_by_formula(map: &DAffine3) -> DAffine3 {
    let DMat3 { x_axis, y_axis, z_axis } = map.matrix3;
    let scale = DVec3::new(x_axis.length(), y_axis.length(), z_axis.length());
    let over = 1.0 / scale;
    let (x, y, z) = (x_axis * over.x, y_axis * over.y, z_axis * over.z);
    let mirrored = x.dot(y.cross(z)) < 0.0;
    let sign = if mirrored { -1.0 } else { 1.0 };
    DAffine3::from_cols(x * sign, y, z, DVec3::new(scale.x * sign, scale.y, scale.z))
}

/// The ways must agree before their speeds are worth comparing.
fn check(inputs: &[Input]) {
    for input in inputs {
        let (naive, signs) =
            (around_images(&input.world_from_model, &corners(&input.local)), paper_image(input));
        let image = input.local.image(&input.world_from_model);
        assert!(image.contains(naive.min) && image.contains(naive.max));
        // Coordinates are below 110, so a dozen roundings stay below 1e-12.
        assert!((signs.min - naive.min).abs().max_element() < 1e-12);
        assert!((signs.max - naive.max).abs().max_element() < 1e-12);
        assert!((image.min - naive.min).abs().max_element() < 1e-12);
        let brute = input.matrix.inverse();
        assert!(DMat4::from(inverse_of_trs(&input.world_from_model)).abs_diff_eq(brute, 1e-11));
        assert!(DMat4::from(wu_inverse(&input.world_from_model)).abs_diff_eq(brute, 1e-11));
        let parts = extract_by_formula(&input.world_from_model);
        assert!(DQuat::from_mat3(&parts.matrix3).dot(input.trs.orientation()).abs() > 1.0 - 1e-14);
        assert!((parts.translation - input.trs.scale()).abs().max_element() < 1e-14);
    }
}

/// Computes a result for every input.
type Batch<T> = Box<dyn Fn(&[Input], &mut Vec<T>)>;

/// One way to compute a `T`, with its operations as text and its times.
struct Way<T> {
    name: &'static str,
    operations: &'static str,
    batch: Batch<T>,
    nanoseconds: Vec<f64>,
}

impl<T> Way<T> {
    fn new(name: &'static str, operations: &'static str, call: impl Fn(&Input) -> T + 'static) -> Way<T> {
        let batch = move |inputs: &[Input], results: &mut Vec<T>| {
            results.clear();
            // One input at a time behind the barrier: what a caller with one placement pays.
            results.extend(inputs.iter().map(|input| call(black_box(input))));
        };
        Way { name, operations, batch: Box::new(batch), nanoseconds: Vec::new() }
    }
}

fn run<T>(title: &str, ways: &mut [Way<T>], inputs: &[Input], rounds: usize) {
    let mut results = Vec::with_capacity(BATCH);
    for _ in 0..rounds {
        for way in &mut *ways {
            let start = Instant::now();
            (way.batch)(inputs, &mut results);
            black_box(&results);
            way.nanoseconds.push(start.elapsed().as_nanos() as f64 / BATCH as f64);
        }
    }
    println!("\n{title}");
    println!("{:<42} {:<34} {:>8} {:>8}", "", "mul / div / add / sqrt", "ns/call", "ratio");
    let first = ways[0].nanoseconds.clone();
    for way in ways {
        // The ratio of neighbors in time, so that the machine's mood cancels.
        let ratios = first.iter().zip(&way.nanoseconds).map(|(first, own)| first / own).collect();
        let (time, ratio) = (median(way.nanoseconds.clone()), median(ratios));
        println!("{:<42} {:<34} {time:>8.2} {ratio:>7.2}×", way.name, way.operations);
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
