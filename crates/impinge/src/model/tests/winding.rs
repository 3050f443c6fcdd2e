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

/// Open, cut, doubled and crossing surfaces, near and far: the tree is on the side of each level on which the sum over all faces is.
#[test]
fn the_tree_decides_as_the_sum() {
    let random = &mut Random::new(7);
    let (mut worst, mut close) = (0.0_f64, 0);
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
            let mut model = kept(shape, random, share);
            if round % 2 == 1 {
                // Every face twice, and the whole far from where the numbers are fine.
                let mesh = model.mesh();
                let faces = (0..mesh.face_count() as u32).flat_map(|face| mesh.fan(face));
                let faces: Vec<[u32; 3]> = faces.flat_map(|face| [face; 2]).collect();
                let far = mesh.vertices().map(|vertex| vertex + DVec3::splat(1e6));
                model = Model::new(Mesh::triangles(far.collect::<Vec<_>>(), faces).unwrap());
            }
            let middle = model.bounds().center();
            let tree = model.winding_tree();
            for _ in 0..40 {
                let reach = if random.below(8) == 0 { 200.0 } else { 2.0 };
                let point = middle + random.in_cube() * reach;
                // The same sum in the order of the tree.
                let slow = tree.winding(point);
                assert!(
                    (slow - sum_over_open_faces(&model, point)).abs()
                        < 1e-15 * model.mesh().face_count() as f64
                );
                // Also levels that only all faces together can tell from the number.
                let near = slow + (random.unit() - 0.5) * [1e-1, 1e-3, 1e-9, 1e-15][random.below(4) as usize];
                for level in [0.25, 0.5, 0.75, near, slow] {
                    let fast = tree.winding_beside(point, level);
                    assert_eq!(fast >= level, slow >= level, "{fast} {slow} {level}");
                    assert_eq!(fast > level, slow > level, "{fast} {slow} {level}");
                    worst = worst.max((fast - slow).abs());
                    close += usize::from(fast == slow);
                }
            }
        }
    }
    // The series is used at all, and so is the sum.
    assert!(worst > 1e-6 && close > 100, "{worst} {close}");
}

#[test]
fn extreme_sizes_and_models_without_area_have_winding_numbers() {
    for size in [1e-160, 1.0, 1e150] {
        let random = &mut Random::new(3);
        let model = kept(shapes::icosphere(size, 6).unwrap(), random, 0.97);
        assert!(model.winding_tree().winding_beside(DVec3::ZERO, 0.5) > 0.9, "{size}");
        assert!(model.winding_tree().winding_beside(DVec3::splat(3.0 * size), 0.5).abs() < 0.05, "{size}");
    }
    let flat = Mesh::triangles([[0.0; 3], [1.0; 3], [2.0; 3]], vec![[0, 1, 2]]).unwrap();
    assert_eq!(Model::new(flat).winding_tree().winding_beside(DVec3::X, 0.5), 0.0);
    let closed = Model::new(shapes::cuboid([0.0; 3], [1.0; 3]).unwrap());
    assert_eq!(closed.winding_tree().winding_beside(DVec3::splat(0.5), 0.5), 0.0);
}

/// A small crowd of faces far from the middle of its frame: offsets in it are rounded more than they are large.
#[test]
fn the_tree_decides_as_the_sum_for_the_smallest_of_clusters() {
    let random = &mut Random::new(11);
    let mut told = 0;
    for case in 0..400 {
        let (size, away) = [(1e-13, 1e-12), (1e-15, 5e-13)][case % 2];
        let place = random.in_cube();
        let mut corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y];
        for _ in 0..40 {
            corners.extend([(); 3].map(|()| place + random.in_cube() * size));
        }
        let model = Model::new(Mesh::soup(corners).unwrap());
        let tree = model.winding_tree();
        let point = place + random.direction() * away;
        let slow = tree.winding(point);
        for off in [1e-1, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8, 1e-9, 1e-10, 1e-11] {
            for level in [slow - off, slow + off] {
                let fast = tree.winding_beside(point, level);
                assert_eq!(fast > level, slow > level, "{fast} {slow} {level}");
                told += usize::from(fast != slow);
            }
        }
    }
    assert!(told > 0);
}
