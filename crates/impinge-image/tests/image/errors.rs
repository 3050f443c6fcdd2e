//! What cannot be looked at, and what a look says of meshes that are no solids.

use impinge::glam::DVec3;
use impinge::{Mesh, Model, Trs, shapes};
use impinge_image::{Device, ImageError, Options, Own, Projection, Scene, Views};

use crate::device::graphics;

fn two_boxes() -> Scene {
    let mut scene = Scene::new();
    let shape = scene.add_shape(&Model::new(shapes::cuboid([-0.5; 3], [0.5; 3]).expect("a box")));
    scene.add(shape, Trs::IDENTITY);
    scene.add(shape, Trs::translation([0.3, 0.2, 0.1]).expect("a place"));
    scene
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let refused = |change: &dyn Fn(&mut Options)| {
        let mut options = Options::default();
        change(&mut options);
        Device::processor().find(&two_boxes(), &options).expect_err("refused").to_string()
    };
    assert!(refused(&|o| o.resolution = 8).contains("8 pixels a side"));
    assert!(refused(&|o| o.resolution = 5000).contains("4096"));
    assert!(refused(&|o| o.layers = 0).contains("layers"));
    assert!(refused(&|o| o.precision = Some(f64::NAN)).contains("precision is NaN"));
    assert!(refused(&|o| o.precision = Some(-1.0)).contains("precision is -1"));
    assert!(refused(&|o| o.views = Views::Count(0)).contains("views"));
    assert!(refused(&|o| o.views = Views::Along(vec![])).contains("views"));
    assert!(refused(&|o| o.views = Views::Along(vec![DVec3::X, DVec3::ZERO])).contains("view 1"));
    assert!(refused(&|o| o.own = Own::Offset { pixels: -1.0 }).contains("offset"));
    assert!(refused(&|o| o.projection = Projection::Perspective { distance: 0.5 }).contains("eye"));
}

#[test]
fn what_the_scene_does_not_have_is_named() {
    let mut scene = two_boxes();
    assert!(matches!(scene.place(7, Trs::IDENTITY), Err(ImageError::Unknown { number: 7, count: 2, .. })));
    let shape = scene.add_shape(&Model::new(shapes::tetrahedron(1.0).expect("a shape")));
    let few = scene.set_vertices(shape, vec![DVec3::ZERO; 3]);
    assert_eq!(few, Err(ImageError::VertexCount { expected: 4, given: 3 }));
    let bad = scene.set_vertices(shape, vec![DVec3::ZERO, DVec3::X, DVec3::NAN, DVec3::Y]);
    assert!(matches!(bad, Err(ImageError::Vertex { vertex: 2, .. })));
}

#[test]
fn nothing_interferes_with_nothing() {
    for device in [&mut graphics(), &mut Device::processor()] {
        assert!(!device.find(&Scene::new(), &Options::default()).expect("an answer").interferes);
        let mut scene = Scene::new();
        let shape = scene.add_shape(&Model::new(shapes::cuboid([-0.5; 3], [0.5; 3]).expect("a box")));
        scene.add(shape, Trs::IDENTITY);
        assert!(!device.find(&scene, &Options::default()).expect("an answer").interferes);
    }
}

/// A solid that is inside out counts down.
#[test]
fn a_solid_that_is_inside_out_is_reported() {
    let inside_out = Mesh::triangles(
        [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        OUTWARDS.map(|[a, b, c]| [a, c, b]).to_vec(),
    )
    .expect("a mesh");
    let outwards =
        Mesh::triangles([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], OUTWARDS.to_vec())
            .expect("a mesh");
    for device in [&mut graphics(), &mut Device::processor()] {
        for (mesh, expected) in [(&inside_out, true), (&outwards, false)] {
            let mut scene = Scene::new();
            let shape = scene.add_shape(&Model::new(mesh.clone()));
            let pin = scene.add_shape(&Model::new(shapes::cuboid([0.1; 3], [0.2, 0.2, 3.0]).expect("a box")));
            scene.add(shape, Trs::IDENTITY);
            scene.add(pin, Trs::IDENTITY);
            let answer = device.find(&scene, &Options::default()).expect("an answer");
            assert_eq!(answer.not_closed, expected, "{}", device.name());
        }
    }
}

const OUTWARDS: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

/// Two hundred shells, one in the other: more faces behind a pixel than the stencil can count.
#[test]
fn counts_that_could_leave_the_range_are_an_error() {
    let mut scene = Scene::new();
    let ball = scene.add_shape(&Model::new(shapes::octahedron(1.0).expect("a shape")));
    for shell in 0..200 {
        let size = 1.0 + 0.01 * f64::from(shell);
        scene.add(
            ball,
            Trs::new(DVec3::ZERO, impinge::glam::DQuat::IDENTITY, DVec3::splat(size)).expect("a place"),
        );
    }
    let mut options = Options::default();
    options.resolution = 64;
    options.views = Views::Count(1);
    let mut device = graphics();
    options.layers = 2;
    let failed = device.find(&scene, &options).expect_err("too many");
    assert!(matches!(failed, ImageError::CountRange { .. }), "{failed}");
    // Where all layers are looked at together, whole numbers count, and they have no such range.
    options.layers = u32::MAX;
    for device in [&mut device, &mut Device::processor()] {
        let answer = device.find(&scene, &options).expect("an answer");
        assert_eq!(answer.pairs().len(), 200 * 199 / 2);
    }
}
