//! How the work of a verdict grows where many faces lie flush. Ignored by default: it prints, and takes its time.
//! `cargo test --release -p impinge --test review_scaling -- --ignored --nocapture`
#![allow(clippy::unwrap_used)]

use std::time::Instant;

use impinge::mesh::Group;
use impinge::{Mesh, Model, Trs, Verdict};

/// Boxes, each a part of its own.
fn boxes(list: &[([f64; 3], [f64; 3])]) -> Model {
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let (mut points, mut triangles, mut groups) = (Vec::new(), Vec::new(), Vec::new());
    for &(min, max) in list {
        groups.push(Group { name: String::new(), first_face: triangles.len() as u32 });
        let first = points.len() as u32;
        points.extend(
            (0..8).map(|i| -> [f64; 3] {
                std::array::from_fn(|k| if i >> k & 1 == 1 { max[k] } else { min[k] })
            }),
        );
        for [a, b, c, d] in quads.map(|quad| quad.map(|corner| corner + first)) {
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    Model::new(Mesh::triangles(points, triangles).unwrap().with_groups(groups).unwrap())
}

/// n × n boxes in a grid, from `low` to `high` along z, moved aside by `shift`.
fn grid(n: usize, low: f64, high: f64, shift: f64) -> Model {
    let at = |i: usize| 2.0 * i as f64 + shift;
    let list: Vec<_> =
        (0..n * n).map(|i| ([at(i % n), at(i / n), low], [at(i % n) + 1.0, at(i / n) + 1.0, high])).collect();
    boxes(&list)
}

/// A slab whose top and bottom are cut into n × n squares.
fn slab(n: usize, low: f64, high: f64, shift: f64) -> Model {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    let m = n + 1;
    for z in [low, high] {
        points.extend((0..m * m).map(|i| [(i % m) as f64 + shift, (i / m) as f64 + shift, z]));
    }
    let index = |x: usize, y: usize, top: usize| (top * m * m + y * m + x) as u32;
    let mut quad = |[a, b, c, d]: [u32; 4]| triangles.extend([[a, b, c], [a, c, d]]);
    for y in 0..n {
        for x in 0..n {
            let corner = |top| {
                [index(x, y, top), index(x + 1, y, top), index(x + 1, y + 1, top), index(x, y + 1, top)]
            };
            let [a, b, c, d] = corner(0);
            quad([a, d, c, b]);
            quad(corner(1));
        }
    }
    for i in 0..n {
        quad([index(i, 0, 0), index(i + 1, 0, 0), index(i + 1, 0, 1), index(i, 0, 1)]);
        quad([index(i + 1, n, 0), index(i, n, 0), index(i, n, 1), index(i + 1, n, 1)]);
        quad([index(0, i + 1, 0), index(0, i, 0), index(0, i, 1), index(0, i + 1, 1)]);
        quad([index(n, i, 0), index(n, i + 1, 0), index(n, i + 1, 1), index(n, i, 1)]);
    }
    Model::new(Mesh::triangles(points, triangles).unwrap())
}

fn time(name: &str, n: usize, a: &Model, b: &Model, expected: Verdict) {
    assert!(a.is_closed() && b.is_closed());
    let (a, b) = (a.at(Trs::IDENTITY), b.at(Trs::IDENTITY));
    let faces = a.model().mesh().face_count() + b.model().mesh().face_count();
    let started = Instant::now();
    let surfaces = a.face_pairs(&b).len();
    let pairs = started.elapsed();
    let started = Instant::now();
    assert_eq!(a.verdict(&b), expected, "{name}");
    let whole = started.elapsed();
    println!(
        "{name:34} n {n:3}, {faces:6} faces, {surfaces:6} pairs: {pairs:9.1?} for the pairs, {whole:9.1?} for the verdict"
    );
}

#[test]
#[ignore = "prints timings"]
fn flush_grids() {
    for n in [5, 10, 20, 40] {
        let side = 2.0 * n as f64;
        let floor = boxes(&[([-1.0, -1.0, -1.0], [side + 1.0, side + 1.0, 0.0])]);
        time("boxes on a floor", n, &grid(n, 0.0, 1.0, 0.0), &floor, Verdict::Touching);
        time(
            "boxes on boxes, aligned",
            n,
            &grid(n, 0.0, 1.0, 0.0),
            &grid(n, -1.0, 0.0, 0.0),
            Verdict::Touching,
        );
        time(
            "boxes on boxes, shifted",
            n,
            &grid(n, 0.0, 1.0, 0.0),
            &grid(n, -1.0, 0.0, 0.5),
            Verdict::Touching,
        );
        time(
            "boxes half sunk, shifted",
            n,
            &grid(n, 0.0, 1.0, 0.0),
            &grid(n, 0.0, 1.0, 0.5),
            Verdict::Overlapping,
        );
        time(
            "slab on slab, aligned",
            n,
            &slab(n, 0.0, 1.0, 0.0),
            &slab(n, -1.0, 0.0, 0.0),
            Verdict::Touching,
        );
        time(
            "slab on slab, shifted",
            n,
            &slab(n, 0.0, 1.0, 0.0),
            &slab(n, -1.0, 0.0, 0.25),
            Verdict::Touching,
        );
        let case = boxes(&[([-1.0; 3], [side + 1.0, side + 1.0, 2.0])]);
        time(
            "boxes in a case, not touching",
            n,
            &grid(n, 0.0, 1.0, 0.0),
            &case,
            Verdict::Inside(impinge::query::Contained::A),
        );
    }
}
