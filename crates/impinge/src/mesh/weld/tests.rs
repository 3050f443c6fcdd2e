#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;
use crate::mesh::{Group, Terrain};

/// By definition: all pairs, over and over until nothing changes.
fn welded_by_hand(points: &[DVec3], tolerance: f64) -> Vec<DVec3> {
    let mut cluster: Vec<usize> = (0..points.len()).collect();
    loop {
        let before = cluster.clone();
        for a in 0..points.len() {
            for b in 0..points.len() {
                let [x, y, z] = (points[a] - points[b]).to_array();
                if x.hypot(y).hypot(z) <= tolerance {
                    cluster[a] = cluster[a].min(cluster[b]);
                }
            }
        }
        if cluster == before {
            return cluster.into_iter().map(|root| points[root]).collect();
        }
    }
}

fn soup(points: &[DVec3]) -> Mesh {
    let padding = (3 - points.len() % 3) % 3;
    Mesh::soup(points.iter().copied().chain(std::iter::repeat_n(points[0], padding))).unwrap()
}

fn welded(points: &[DVec3], tolerance: f64) -> Vec<DVec3> {
    let mut vertices: Vec<_> = soup(points).welded(tolerance).unwrap().vertices().collect();
    vertices.truncate(points.len());
    vertices
}

#[test]
fn tolerances_that_mean_nothing_are_refused() {
    let mesh = Mesh::point([0.0; 3]).unwrap();
    for tolerance in [-1.0, -f64::MIN_POSITIVE, f64::NAN, f64::INFINITY] {
        let error = mesh.welded(tolerance).unwrap_err();
        assert!(error.to_string().contains(&tolerance.to_string()), "{error}");
    }
}

#[test]
fn zero_tolerance_moves_nothing_but_minus_zero() {
    let points = [[0.0, 0.0, 0.0], [-0.0, 0.0, -0.0], [f64::MIN_POSITIVE, 0.0, 0.0]].map(DVec3::from);
    let vertices = welded(&points, 0.0);
    assert_eq!(vertices[1].to_array().map(f64::to_bits), [0; 3]);
    assert_eq!(vertices[2], points[2]);
}

#[test]
fn a_chain_of_near_points_comes_together_at_its_least() {
    // The cluster's least vertex is found last: 3 is near 2, 2 near 1, 1 near 0.
    let points = [[3.0, 0.0, 0.0], [2.1, 0.0, 0.0], [1.2, 0.0, 0.0], [0.3, 0.0, 0.0], [9.0, 0.0, 0.0]];
    let points = points.map(DVec3::from);
    assert_eq!(welded(&points, 1.0), [points[0], points[0], points[0], points[0], points[4]]);
    assert_eq!(welded(&points, 0.5), points);
}

#[test]
fn the_tolerance_itself_is_near() {
    for scale in [-1074, -900, 0, 1000].map(|exponent| libm::ldexp(1.0, exponent)) {
        let points = [[0.0, 0.0, 0.0], [0.0, 8.0 * scale, 0.0]].map(DVec3::from);
        assert_eq!(welded(&points, 8.0 * scale)[1], points[0]);
        assert_eq!(welded(&points, 7.0 * scale)[1], points[1]);
        // 3² + 4² + 12² = 13²
        let points = [[0.0, 0.0, 0.0], [3.0 * scale, -4.0 * scale, 12.0 * scale]].map(DVec3::from);
        assert_eq!(welded(&points, 13.0 * scale)[1], points[0]);
        assert_eq!(welded(&points, 12.0 * scale)[1], points[1]);
    }
}

#[test]
fn far_points_whose_cells_cannot_be_counted() {
    let points = [1e300, 1e300, 1.0e300 + 1e285, -1e300, 1e20, 1e20 + 16384.0, 1e20 + 3.0 * 16384.0];
    let points = points.map(|x| DVec3::new(x, x, 0.0));
    for tolerance in [1e-300, 1e-12, 1.0, 16384.0, 2.0 * 16384.0, 1e5, 1e286, 1e301] {
        assert_eq!(welded(&points, tolerance), welded_by_hand(&points, tolerance), "{tolerance}");
    }
}

#[test]
fn neighbors_are_found_where_keys_are_coarse() {
    // Steps of one unit in the last place around 2^49 to 2^54 cells from the origin.
    for exponent in 45..56 {
        let start = f64::from_bits((1023 + exponent) << 52);
        for offset in 0..40_u64 {
            let a = f64::from_bits(start.to_bits() + offset);
            for step in 1..40_u64 {
                let b = f64::from_bits(a.to_bits() + step);
                let points = [DVec3::new(a, 0.0, 0.0), DVec3::new(b, 0.0, 0.0)];
                assert_eq!(welded(&points, 1.0)[1].x == a, b - a <= 1.0, "{a} {b}");
            }
        }
    }
}

#[test]
fn a_crowd_in_one_cell_is_quick() {
    let points: Vec<_> = (0..60_000).map(|i| DVec3::new(f64::from(i) * 1e-9, 0.0, 0.0)).collect();
    assert!(welded(&points, 1.0).iter().all(|p| *p == points[0]));
}

#[test]
fn a_far_crowd_is_quick() {
    // So far away in tolerances that no cell can be counted.
    let points: Vec<_> = (0..60_000).map(|i| DVec3::new(f64::from(i) * 1e290, 1e300, 0.0)).collect();
    assert_eq!(welded(&points, 1e-300), points);
}

#[test]
fn labels_groups_and_faces_stay() {
    let mesh = Mesh::triangles([[0.0; 3], [1.0, 0.0, 0.0], [1.0, 0.1, 0.0]], vec![[0, 1, 2], [0, 2, 1]])
        .unwrap()
        .with_labels(vec![7, 7])
        .unwrap()
        .with_groups(vec![Group { name: "back".into(), first_face: 1 }])
        .unwrap();
    let welded = mesh.welded(0.5).unwrap();
    assert_eq!(welded.vertex(2), welded.vertex(1));
    assert_eq!((welded.faces(), welded.groups(), welded.label(1)), (mesh.faces(), mesh.groups(), 7));
}

#[test]
fn a_terrain_keeps_its_holes() {
    let terrain =
        Terrain { origin: [0.0; 3], spacing: [1.0, 1e-3], columns: 3, heights: vec![0.0; 6], holes: vec![1] };
    let welded = Mesh::terrain(terrain).unwrap().welded(0.01).unwrap();
    assert_eq!((welded.face_count(), welded.corner_count(1), welded.corner_count(2)), (4, 3, 0));
    assert_eq!(welded.vertex(4), DVec3::new(1.0, 0.0, 0.0));
}

proptest! {
    #[test]
    fn welding_is_single_linkage(
        coordinates in prop::collection::vec(prop::array::uniform3(-40_i32..40), 1..60),
        tolerance in 0_u32..24,
        unit in prop::sample::select(vec![1.0, 0.1, 1e-7]),
    ) {
        // Off the tolerance by a hundredth of a unit where units round; exact where they do not.
        let points: Vec<_> = coordinates.iter().map(|c| DVec3::from(c.map(f64::from)) * unit).collect();
        let tolerance = (f64::from(tolerance) + if unit == 1.0 { 0.0 } else { 0.01 }) * unit;
        prop_assert_eq!(welded(&points, tolerance), welded_by_hand(&points, tolerance));
    }
}
