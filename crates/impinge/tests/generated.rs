//! Generated shapes as meshes: every bit is kept, and every form of faces.

use impinge::Mesh;
use impinge::mesh::Faces;
use impinge::shapes::{self, Polyhedron, Shape};

/// The mesh of a shape, after it was checked that nothing was lost.
fn kept(shape: &Polyhedron, case: &str) -> Mesh {
    let mesh = Mesh::from(shape.clone());
    let bits = |vertex: impinge::math::DVec3| vertex.to_array().map(f64::to_bits);
    assert!(mesh.vertices().map(bits).eq(shape.vertices().iter().copied().map(bits)), "{case}");
    assert_eq!(
        (mesh.face_count(), mesh.triangle_count()),
        (shape.face_count(), shape.triangle_count()),
        "{case}"
    );
    for face in 0..shape.face_count() {
        assert!(mesh.corners(face as u32).eq(shape.corners(face)), "{case} {face}");
    }
    let fans = (0..mesh.face_count() as u32).flat_map(|face| mesh.fan(face));
    assert!(fans.eq(shape.triangles()), "{case}");
    let groups = mesh.groups().iter().map(|group| (group.name.as_str(), group.first_face));
    assert!(groups.eq(shape.groups().iter().map(|group| (group.name.as_str(), group.first_face))), "{case}");
    mesh
}

#[test]
fn shapes_keep_their_bits_as_meshes() {
    let mut groups = 0;
    for &shape in Shape::ALL {
        for (count, seed) in [(0, 0), (1000, 1), (5000, 2)] {
            let mesh = kept(&shape.generate(count, seed), &format!("{shape} {count} {seed}"));
            groups += mesh.groups().len();
            let form_is_kept = match shape {
                Shape::Terrain => matches!(mesh.faces(), Faces::Grid(_)),
                Shape::Soup => matches!(mesh.faces(), Faces::Soup { .. }),
                Shape::Quad | Shape::Hovertank | Shape::CargoBox | Shape::RepairPad => {
                    matches!(mesh.faces(), Faces::Polygons { .. })
                }
                _ => matches!(mesh.faces(), Faces::Triangles(_)),
            };
            assert!(form_is_kept, "{shape}");
        }
    }
    assert!(groups > 0);
}

#[test]
fn extreme_shapes_are_meshes() {
    let cases = [
        ("tiny hills", shapes::hills(1e-300, 1e-310, 7, 5, 3)),
        ("no heights left", shapes::hills(1e-300, 5e-324, 7, 5, 3)),
        ("wide hills", shapes::hills(1.7e308, 1e300, 7, 5, 3)),
        ("large box", shapes::cuboid_of_quads([-8e307; 3], [8e307; 3])),
        ("tiny ball", shapes::icosphere(1e-300, 3)),
        ("one triangle", shapes::random_soup(1, 1e-320, 0)),
    ];
    for (case, shape) in cases {
        kept(&shape.unwrap(), case);
    }
}
