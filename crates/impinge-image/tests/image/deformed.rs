//! Vertices that move: shapes that were flat at rest, and vertices that only the device has.

use std::collections::BTreeSet;

use impinge::bounds::Aabb;
use impinge::glam::{DQuat, DVec3};
use impinge::shapes::{self, Random};
use impinge::{Mesh, Model, Placement, Trs};
use impinge_image::{Detail, Device, Options, Own, Scene, ShapeId};

use crate::common::judge_edges;
use crate::device::graphics;

/// A box whose top and bottom have `side` by `side` squares, as triangles or as quads, with copies of vertices at every face or
/// without.
fn slab(side: u32, quads: bool, copies: bool) -> Mesh {
    let at = |x: u32, y: u32, top: u32| (top * (side + 1) + y) * (side + 1) + x;
    let mut vertices = Vec::new();
    for (top, y, x) in
        (0..2).flat_map(|top| (0..=side).flat_map(move |y| (0..=side).map(move |x| (top, y, x))))
    {
        let [x, y] = [x, y].map(|place| 2.0 * f64::from(place) / f64::from(side) - 1.0);
        vertices.push([x, y, 0.25 * f64::from(top) - 0.25]);
    }
    let mut faces: Vec<Vec<u32>> = Vec::new();
    for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
        let ring = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)];
        faces.push(ring.map(|(x, y)| at(x, y, 1)).to_vec());
        faces.push(ring.map(|(x, y)| at(x, y, 0)).into_iter().rev().collect());
    }
    for k in 0..side {
        let walls = [
            [(k, 0), (k + 1, 0)],
            [(side, k), (side, k + 1)],
            [(side - k, side), (side - k - 1, side)],
            [(0, side - k), (0, side - k - 1)],
        ];
        for [(ax, ay), (bx, by)] in walls {
            faces.push(vec![at(ax, ay, 0), at(bx, by, 0), at(bx, by, 1), at(ax, ay, 1)]);
        }
    }
    if !quads {
        faces = faces.iter().flat_map(|f| [vec![f[0], f[1], f[2]], vec![f[0], f[2], f[3]]]).collect();
    }
    if copies {
        let list = faces.iter().flatten().map(|vertex| vertices[*vertex as usize]).collect();
        let mut next = 0..;
        for corner in faces.iter_mut().flatten() {
            *corner = next.next().expect("a number");
        }
        vertices = list;
    }
    Mesh::polygons(vertices, faces).expect("a slab")
}

/// A model with its vertices elsewhere.
fn moved(mesh: &Mesh, vertices: &[DVec3]) -> Model {
    let faces = (0..mesh.face_count() as u32).map(|face| {
        (0..mesh.corner_count(face)).map(|corner| mesh.corner(face, corner)).collect::<Vec<u32>>()
    });
    Model::new(Mesh::polygons(vertices.to_vec(), faces.collect::<Vec<_>>()).expect("a mesh"))
}

/// Every side of every face is an edge that is looked at.
fn has_every_side(scene: &Scene, object: u32, mesh: &Mesh, what: &str) {
    let (count, _) = scene.counts(object).expect("an object");
    let sorted = |[a, b]: [u32; 2]| [a.min(b), a.max(b)];
    let edges: BTreeSet<[u32; 2]> =
        (0..count as u32).map(|edge| sorted(scene.edge(object, edge).expect("an edge"))).collect();
    assert_eq!(edges.len(), count, "{what}: an edge comes twice");
    for [a, b, c] in (0..mesh.face_count() as u32).flat_map(|face| mesh.fan(face)) {
        for side in [[a, b], [b, c], [c, a]] {
            assert!(edges.contains(&sorted(side)), "{what}: the side {side:?} is no edge");
        }
    }
}

/// How vertices get to where they are looked at.
enum Way {
    Here(Device),
    OnDevice { device: Device, gpu: wgpu::Device, queue: wgpu::Queue },
}

impl Way {
    fn all() -> [Way; 3] {
        [Way::Here(Device::processor()), Way::Here(graphics()), Way::on_device()]
    }

    fn on_device() -> Way {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()))
            .unwrap_or_else(|refusal| panic!("{refusal}: install a driver (Debian: mesa-vulkan-drivers)"));
        let (gpu, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            required_features: wgpu::Features::DEPTH32FLOAT_STENCIL8 | wgpu::Features::FLOAT32_BLENDABLE,
            ..wgpu::DeviceDescriptor::default()
        }))
        .expect("a device");
        let device = Device::with_wgpu(gpu.clone(), queue.clone()).expect("a device");
        Way::OnDevice { device, gpu, queue }
    }

    fn name(&self) -> String {
        match self {
            Way::Here(device) => device.name(),
            Way::OnDevice { device, .. } => format!("{} with its own vertices", device.name()),
        }
    }

    fn device(&mut self) -> &mut Device {
        match self {
            Way::Here(device) | Way::OnDevice { device, .. } => device,
        }
    }

    fn set(&self, scene: &mut Scene, shape: ShapeId, vertices: &[DVec3]) {
        let Way::OnDevice { gpu, queue, .. } = self else {
            return scene.set_vertices(shape, vertices.to_vec()).expect("as many");
        };
        let places: Vec<[f32; 3]> = vertices.iter().map(|vertex| vertex.as_vec3().to_array()).collect();
        let buffer = gpu.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: 12 * places.len() as u64,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        queue.write_buffer(&buffer, 0, bytemuck::cast_slice(&places));
        let bounds = Aabb::around(vertices.iter().copied());
        scene.set_vertices_on_device(shape, buffer, bounds).expect("as many");
    }
}

/// The slab's top is flat at rest. One vertex of it is pulled up into a block above: nothing else of either reaches into the other.
#[test]
fn a_vertex_pulled_out_of_a_flat_face_is_found() {
    let block = Model::new(shapes::cuboid([-0.9, -0.9, 0.1], [0.9, 0.9, 1.0]).expect("a box"));
    for mut way in Way::all() {
        for (quads, copies) in [(false, false), (true, false), (false, true), (true, true)] {
            let mesh = slab(4, quads, copies);
            let model = Model::new(mesh.clone());
            let pulled: Vec<DVec3> = mesh
                .vertices()
                .map(|vertex| if vertex == DVec3::ZERO { DVec3::Z * 0.3 } else { vertex })
                .collect();
            let mut scene = Scene::new();
            let (soft, hard) = (scene.add_shape(&model), scene.add_shape(&block));
            scene.add(soft, Trs::IDENTITY);
            scene.add(hard, Trs::IDENTITY);
            let what = format!("{}, quads: {quads}, copies: {copies}", way.name());
            assert!(!way.device().find(&scene, &Options::default()).expect("an answer").interferes, "{what}");
            way.set(&mut scene, soft, &pulled);
            let answer = way.device().find(&scene, &Options::default()).expect("an answer");
            assert_eq!((answer.pairs(), answer.complete), (vec![[0, 1]], true), "{what}");
            let bent = moved(&mesh, &pulled);
            let placed = [bent.at(Trs::IDENTITY), block.at(Trs::IDENTITY)];
            let [inside, _] = judge_edges(&scene, &answer, &placed, &what);
            assert!(inside >= 4, "{what}: {inside} edges to be found");
        }
    }
}

/// Slabs that are bent anyhow, against a block that stands anyhow: every edge is held to the exact test.
#[test]
fn edges_of_bent_slabs_are_those_of_the_exact_test() {
    let mut random = Random::new(31);
    let block = Model::new(shapes::cuboid([-0.7, -0.6, -0.1], [0.7, 0.6, 0.9]).expect("a box"));
    let cases = if cfg!(debug_assertions) { 4 } else { 24 };
    for mut way in Way::all() {
        let (mut inside, mut outside) = (0, 0);
        for case in 0..cases {
            let mesh = slab(5, case % 2 == 1, case % 3 == 2);
            let model = Model::new(mesh.clone());
            let (lift, turn) = (random.in_cube() * 0.3, random.between(2.0, 5.0));
            let bent: Vec<DVec3> = mesh
                .vertices()
                .map(|vertex| vertex + lift * (vertex.x * turn).sin() * (vertex.y * turn + 0.5).cos())
                // As the device stores them.
                .map(|vertex| vertex.as_vec3().as_dvec3())
                .collect();
            let place = Trs::rigid(
                DVec3::new(0.1, 0.05, random.between(0.0, 0.25)),
                DQuat::from_axis_angle(random.direction(), random.between(0.0, 0.3)),
            )
            .expect("a place");
            let mut scene = Scene::new();
            let (soft, hard) = (scene.add_shape(&model), scene.add_shape(&block));
            scene.add(soft, Trs::IDENTITY);
            scene.add(hard, place);
            way.set(&mut scene, soft, &bent);
            let mut options = Options::default();
            options.resolution = 128;
            options.precision = (case % 2 == 0).then_some(4e-3);
            let answer = way.device().find(&scene, &options).expect("an answer");
            let what = format!("{}, case {case}, precision {}", way.name(), answer.precision);
            assert!(answer.complete, "{what}");
            has_every_side(&scene, 0, &mesh, &what);
            let bent = moved(&mesh, &bent);
            let placed = [bent.at(Trs::IDENTITY), block.at(place)];
            let [deep, apart] = judge_edges(&scene, &answer, &placed, &what);
            (inside, outside) = (inside + deep, outside + apart);
        }
        println!("{}: {inside} edges to be found, {outside} not to be", way.name());
        assert!(inside > cases && outside > 10 * cases);
    }
}

/// A ball inside of a shell, far from it: with edges moved outwards nothing interferes, wherever the vertices come from, mirrored or not.
#[test]
fn moved_edges_follow_the_normals_of_vertices_on_the_device() {
    // Not around its origin, so that places are no normals.
    let ball = Mesh::from(shapes::icosphere(0.5, 4).expect("a ball"));
    let shell = Model::new(shapes::hollow_sphere(4.0, 3.0, 10, 8).expect("a shell"));
    let mut options = Options::default();
    options.detail = Detail::Any;
    options.own = Own::Offset { pixels: 2.5 };
    for mut way in Way::all() {
        for flip in [1.0, -1.0] {
            let place: Placement =
                Trs::new(DVec3::ZERO, DQuat::from_rotation_y(0.4), DVec3::new(flip, 1.0, 1.0))
                    .expect("a place")
                    .into();
            for shift in [DVec3::ZERO, DVec3::new(0.9, 0.4, -0.3)] {
                let mut scene = Scene::new();
                let (soft, hard) = (scene.add_shape(&Model::new(ball.clone())), scene.add_shape(&shell));
                scene.add(soft, place);
                scene.add(hard, Trs::IDENTITY);
                let vertices: Vec<DVec3> = ball.vertices().map(|vertex| vertex + shift).collect();
                way.set(&mut scene, soft, &vertices);
                let what = format!("{}, mirrored by {flip}, at {shift}", way.name());
                let answer = way.device().find(&scene, &options).expect("an answer");
                assert!(!answer.interferes, "{what}: nothing is inside of anything");
                // And into the wall of the shell.
                let vertices: Vec<DVec3> =
                    vertices.iter().map(|vertex| *vertex + DVec3::new(0.0, 3.3, 0.0)).collect();
                way.set(&mut scene, soft, &vertices);
                assert!(way.device().find(&scene, &options).expect("an answer").interferes, "{what}");
            }
        }
    }
}

/// Vertices that are written anew into the buffer that a shape has already have new normals, too.
#[test]
fn moved_edges_follow_vertices_that_are_written_anew() {
    let ball = Mesh::from(shapes::icosphere(0.5, 4).expect("a ball"));
    let shell = Model::new(shapes::hollow_sphere(4.0, 3.0, 10, 8).expect("a shell"));
    let Way::OnDevice { mut device, gpu, queue } = Way::on_device() else { panic!("on the device") };
    let buffer = gpu.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 12 * ball.vertex_count() as u64,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut scene = Scene::new();
    let (soft, hard) = (scene.add_shape(&Model::new(ball.clone())), scene.add_shape(&shell));
    scene.add(soft, Trs::IDENTITY);
    scene.add(hard, Trs::IDENTITY);
    let bounds = Aabb::new([0.2; 3], [1.2; 3]).expect("a box");
    scene.set_vertices_on_device(soft, buffer.clone(), bounds).expect("as many");
    let mut options = Options::default();
    options.detail = Detail::Any;
    options.own = Own::Offset { pixels: 2.5 };
    for turn in 0..4 {
        // The same ball, each time with its vertices elsewhere on it, so that last time's normals point anywhere.
        let turn = DQuat::from_axis_angle(DVec3::new(0.3, 0.8, 0.5).normalize(), f64::from(turn) * 1.4);
        let places: Vec<[f32; 3]> =
            ball.vertices().map(|vertex| (turn * vertex + 0.7).as_vec3().to_array()).collect();
        queue.write_buffer(&buffer, 0, bytemuck::cast_slice(&places));
        assert!(!device.find(&scene, &options).expect("an answer").interferes);
    }
}
