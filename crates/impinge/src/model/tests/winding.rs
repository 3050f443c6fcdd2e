//! The tree of winding numbers against the sum over all faces.

use std::f64::consts::TAU;

use crate::mesh::Mesh;
use crate::model::Model;
use impinge_core::math::DVec3;
use impinge_core::narrow::winding::half_solid_angle;
use impinge_shapes::{self as shapes, Polyhedron, Random};

/// The triangles of a shape that a draw of lots keeps, as a model.
fn kept(shape: Polyhedron, random: &mut Random, share: f64) -> Model {
    let mesh = Mesh::from(shape);
    let triangles: Vec<[u32; 3]> = (0..mesh.face_count() as u32)
        .flat_map(|face| mesh.fan(face))
        .filter(|_| random.unit() < share)
        .collect();
    Model::new(Mesh::triangles(mesh.vertices(), triangles).unwrap())
}

fn sum_over_open_faces(model: &Model, point: DVec3) -> f64 {
    let mesh = model.mesh();
    let open = (0..mesh.face_count() as u32).filter(|face| !model.is_closed_face(*face));
    let triangles = open.flat_map(|face| mesh.fan(face));
    let half = |corners: [u32; 3]| half_solid_angle(corners.map(|vertex| mesh.vertex(vertex) - point));
    triangles.map(half).sum::<f64>() / TAU
}

#[test]
fn the_tree_is_as_good_as_the_sum() {
    let random = &mut Random::new(7);
    let mut worst = 0.0_f64;
    for round in 0..6 {
        let shapes = [
            shapes::icosphere(1.0, 12).unwrap(),
            shapes::torus(2.0, 0.6, 48, 24).unwrap(),
            shapes::hills(4.0, 1.0, 30, 30, round).unwrap(),
            shapes::random_soup(400, 1.0, round).unwrap(),
            shapes::cuboid([-1.0; 3], [1.0; 3]).unwrap(),
            shapes::knot(1.0, 0.2, 120, 12).unwrap(),
        ];
        for shape in shapes {
            let share = [0.5, 0.9, 0.99][round as usize % 3];
            let model = kept(shape, random, share);
            let tree = model.winding_tree();
            for _ in 0..200 {
                let point = random.in_cube() * 2.0;
                let (fast, slow) = (tree.winding(point), sum_over_open_faces(&model, point));
                worst = worst.max((fast - slow).abs());
                assert!((fast - slow).abs() < 0.04, "{fast} {slow}");
            }
        }
    }
    // The series is used at all.
    assert!(worst > 1e-9);
}

#[test]
fn extreme_sizes_and_models_without_area_have_winding_numbers() {
    for size in [1e-160, 1.0, 1e150] {
        let random = &mut Random::new(3);
        let model = kept(shapes::icosphere(size, 6).unwrap(), random, 0.97);
        assert!(model.winding_tree().winding(DVec3::ZERO) > 0.9, "{size}");
        assert!(model.winding_tree().winding(DVec3::splat(3.0 * size)).abs() < 0.05, "{size}");
    }
    let flat = Mesh::triangles([[0.0; 3], [1.0; 3], [2.0; 3]], vec![[0, 1, 2]]).unwrap();
    assert_eq!(Model::new(flat).winding_tree().winding(DVec3::X), 0.0);
    let closed = Model::new(shapes::cuboid([0.0; 3], [1.0; 3]).unwrap());
    assert_eq!(closed.winding_tree().winding(DVec3::splat(0.5)), 0.0);
}
