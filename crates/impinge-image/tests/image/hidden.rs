//! Figure 6 of the paper: an edge that is inside of another solid, but behind other edges.

use impinge::glam::DVec3;
use impinge::{Mesh, Model, Trs, shapes};
use impinge_image::{Device, Options, Scene, Views};

use crate::device::graphics;

/// Two boxes that interfere, and close before them a lens whose edges are closer to each other than pixels are. A post beside
/// makes the lens reach as deep as the boxes do, so that its edges are looked at.
fn behind_a_lens() -> Scene {
    let ball = Mesh::from(shapes::icosphere(1.0, 40).expect("a ball"));
    let post = Mesh::from(shapes::cuboid([0.5, 0.5, -0.2], [0.6, 0.6, 0.2]).expect("a box"));
    let flat = |vertex: DVec3| vertex * DVec3::new(0.6, 0.6, 0.003) + DVec3::Z * 0.207;
    let vertices: Vec<DVec3> = ball.vertices().map(flat).chain(post.vertices()).collect();
    let corners = |mesh: &Mesh, first: u32| -> Vec<[u32; 3]> {
        let faces = 0..mesh.face_count() as u32;
        faces.flat_map(|face| mesh.fan(face).map(|fan| fan.map(|vertex| vertex + first))).collect()
    };
    let mut triangles = corners(&ball, 0);
    triangles.extend(corners(&post, ball.vertex_count() as u32));
    let lens = Model::new(Mesh::triangles(vertices, triangles).expect("a mesh"));
    let cube = Model::new(shapes::cuboid([-0.2; 3], [0.2; 3]).expect("a box"));
    let mut scene = Scene::new();
    let (cube, lens) = (scene.add_shape(&cube), scene.add_shape(&lens));
    scene.add(cube, Trs::translation([-0.1, 0.0, 0.0]).expect("a place"));
    scene.add(cube, Trs::translation([0.15, 0.1, -0.05]).expect("a place"));
    scene.add(lens, Trs::IDENTITY);
    scene
}

fn look(device: &mut Device, layers: u32) -> (bool, Vec<[u32; 2]>, bool) {
    let mut options = Options::default();
    options.resolution = 24;
    options.views = Views::Along(vec![DVec3::new(0.02, 0.01, -1.0)]);
    options.layers = layers;
    let answer = device.find(&behind_a_lens(), &options).expect("an answer");
    (answer.interferes, answer.pairs(), answer.complete)
}

#[test]
fn what_hides_behind_edges_is_missed_by_one_layer_and_found_by_all() {
    for device in [&mut graphics(), &mut Device::processor()] {
        assert_eq!(look(device, 1), (false, vec![], false), "{}: one layer", device.name());
        assert_eq!(look(device, u32::MAX), (true, vec![[0, 1]], true), "{}: all layers", device.name());
    }
}
