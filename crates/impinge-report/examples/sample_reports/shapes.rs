//! Boxes and balls, and where two balls meet.

use std::f64::consts::TAU;

use impinge_report::{Clash, IDENTITY, Identity, Matrix, Model, Part, Point, Polyline, Verdict};

/// A box around the origin; its faces are six squares of two triangles.
pub(crate) fn cuboid([x, y, z]: Point) -> Model {
    let corner = |i: u32| {
        let sign = |bit: u32| f64::from(i >> bit & 1) - 0.5;
        [x * sign(0), y * sign(1), z * sign(2)]
    };
    let squares = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    Model {
        positions: (0..8).map(corner).collect(),
        triangles: squares.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
        faces: (0..12).map(|triangle| triangle / 2).collect(),
    }
}

/// A ball of some rings; 4·rings·(rings − 1) triangles.
pub(crate) fn ball(radius: f64, rings: u32) -> Model {
    let around = 2 * rings;
    let mut positions = vec![[0.0, radius, 0.0], [0.0, -radius, 0.0]];
    for ring in 1..rings {
        let down = TAU / 2.0 * f64::from(ring) / f64::from(rings);
        for step in 0..around {
            let (sin, cos) = (TAU * f64::from(step) / f64::from(around)).sin_cos();
            positions.push([radius * down.sin() * cos, radius * down.cos(), radius * down.sin() * sin]);
        }
    }
    let at = |ring: u32, step: u32| 2 + (ring - 1) * around + step % around;
    let mut triangles = Vec::new();
    for step in 0..around {
        triangles.push([0, at(1, step + 1), at(1, step)]);
        triangles.push([1, at(rings - 1, step), at(rings - 1, step + 1)]);
        for ring in 1..rings - 1 {
            let [a, b] = [at(ring, step), at(ring, step + 1)];
            let [c, d] = [at(ring + 1, step), at(ring + 1, step + 1)];
            triangles.extend([[a, b, d], [a, d, c]]);
        }
    }
    Model { positions, triangles, faces: Vec::new() }
}

pub(crate) fn moved([x, y, z]: Point) -> Matrix {
    let mut matrix = IDENTITY;
    (matrix[3], matrix[7], matrix[11]) = (x, y, z);
    matrix
}

pub(crate) fn turned_about_z(degrees: f64, [x, y, z]: Point) -> Matrix {
    let (sin, cos) = degrees.to_radians().sin_cos();
    [cos, -sin, 0.0, x, sin, cos, 0.0, y, 0.0, 0.0, 1.0, z, 0.0, 0.0, 0.0, 1.0]
}

pub(crate) struct Ball {
    pub(crate) part: usize,
    pub(crate) center: Point,
    pub(crate) radius: f64,
}

fn difference(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn length(v: Point) -> f64 {
    v[0].hypot(v[1]).hypot(v[2])
}

fn along(from: Point, direction: Point, distance: f64) -> Point {
    [0, 1, 2].map(|axis| from[axis] + distance * direction[axis])
}

/// Faces of a ball's model that the surface of another ball goes through.
fn faces_through(model: &Model, own: &Ball, other: &Ball) -> Vec<u32> {
    let is_inside = |vertex: u32| {
        let point = along(own.center, model.positions[vertex as usize], 1.0);
        length(difference(point, other.center)) < other.radius
    };
    let is_cut = |corners: &[u32; 3]| {
        let inside = corners.iter().filter(|&&corner| is_inside(corner)).count();
        inside > 0 && inside < 3
    };
    (0..).zip(&model.triangles).filter(|(_, corners)| is_cut(corners)).map(|(face, _)| face).collect()
}

/// The clash of two balls of one model that cross: a circle.
pub(crate) fn crossing(model: &Model, a: &Ball, b: &Ball) -> Clash {
    let apart = difference(b.center, a.center);
    let distance = length(apart);
    let direction = apart.map(|value| value / distance);
    let to_plane = (distance * distance + a.radius * a.radius - b.radius * b.radius) / (2.0 * distance);
    let radius = (a.radius * a.radius - to_plane * to_plane).max(0.0).sqrt();
    let center = along(a.center, direction, to_plane);
    // Two vectors across: the axis that the direction is least along serves to make the first.
    let least = (0..3).min_by(|&i, &j| direction[i].abs().total_cmp(&direction[j].abs())).unwrap_or(0);
    let mut axis = [0.0; 3];
    axis[least] = 1.0;
    let cross = |u: Point, v: Point| {
        [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
    };
    let across = cross(direction, axis);
    let across = across.map(|value| value / length(across));
    let up = cross(direction, across);
    let circle = (0..48).map(|step| {
        let (sin, cos) = (TAU * f64::from(step) / 48.0).sin_cos();
        along(along(center, across, radius * cos), up, radius * sin)
    });
    let points: Vec<Point> = circle.collect();
    let ends = |pick: fn(f64, f64) -> f64| {
        let first = points[0];
        points.iter().fold(first, |end, point| [0, 1, 2].map(|axis| pick(end[axis], point[axis])))
    };
    let (faces_a, faces_b) = (faces_through(model, a, b), faces_through(model, b, a));
    Clash {
        point: Some(points[0]),
        bounds: Some([ends(f64::min), ends(f64::max)]),
        face_pairs: faces_a.len().max(faces_b.len()) as u64,
        depth: Some(a.radius + b.radius - distance),
        direction: Some(direction),
        curve: vec![Polyline { points, closed: true }],
        faces_a,
        faces_b,
        ..Clash::new(a.part, b.part, Verdict::Overlapping)
    }
}

pub(crate) fn part(name: &str, model: usize, world_from_model: Matrix) -> Part {
    Part {
        name: name.to_owned(),
        path: format!("assembly.glb/engine/{name}"),
        model: Some(model),
        world_from_model,
        identity: Identity::default(),
        closed: None,
    }
}
