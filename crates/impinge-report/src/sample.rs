//! A small report for tests.

use crate::identity::Identity;
use crate::report::{Clash, IDENTITY, Kind, Matrix, Model, Part, Polyline, Report, Verdict};

/// A unit cube around the origin, two triangles a face; the user's faces are its six squares.
pub(crate) fn cube() -> Model {
    let positions = (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2 & 1].map(|bit| f64::from(bit) - 0.5));
    let squares = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    Model {
        positions: positions.collect(),
        triangles: squares.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
        faces: (0..12).map(|triangle| triangle / 2).collect(),
    }
}

pub(crate) fn moved([x, y, z]: [f64; 3]) -> Matrix {
    let mut matrix = IDENTITY;
    (matrix[3], matrix[7], matrix[11]) = (x, y, z);
    matrix
}

/// Two cubes that overlap.
pub(crate) fn two_boxes() -> Report {
    let part = |name: &str, at| Part {
        name: name.to_owned(),
        path: format!("scene/{name}"),
        model: Some(0),
        world_from_model: moved(at),
        identity: Identity::default(),
        closed: None,
    };
    let square = Polyline {
        points: vec![[0.5, 0.25, 0.5], [0.5, 0.25, -0.5], [0.25, 0.5, -0.5], [0.25, 0.5, 0.5]],
        closed: true,
    };
    let clash = Clash {
        point: Some([0.5, 0.25, 0.0]),
        bounds: Some([[0.25, 0.25, -0.5], [0.5, 0.5, 0.5]]),
        face_pairs: 8,
        penetration: Some([0.2, 0.202]),
        depth: Some(0.25),
        direction: Some([1.0, 0.0, 0.0]),
        curve: vec![square],
        faces_a: vec![3, 5],
        faces_b: vec![2, 4],
        ..Clash::new(0, 1, Verdict::Overlapping)
    };
    let mut report = Report {
        kind: Kind::Clash,
        title: "two boxes".to_owned(),
        unit: "mm".to_owned(),
        models: vec![cube()],
        parts: vec![part("left", [0.0; 3]), part("right", [0.75, 0.75, 0.0])],
        clashes: vec![clash],
        ..Report::default()
    };
    report.name_clashes();
    report
}
