//! Other ways to look: from an eye, with moved edges, in tiles, coarse first, at vertices that are on the device.

use impinge::bounds::Aabb;
use impinge::glam::{DQuat, DVec3};
use impinge::shapes::{self, Random};
use impinge::{Model, Trs, Verdict};
use impinge_image::{Detail, Device, Options, Own, Projection, Scene, Views};

use crate::common::{penetration, placement, solids};
use crate::device::graphics;

fn cube() -> Model {
    Model::new(shapes::cuboid([-0.5; 3], [0.5; 3]).expect("a box"))
}

fn two(model: &Model, second: Trs) -> Scene {
    let mut scene = Scene::new();
    let shape = scene.add_shape(model);
    scene.add(shape, Trs::IDENTITY);
    scene.add(shape, second);
    scene
}

#[test]
fn an_eye_sees_what_parallel_rays_see() {
    let (mut device, mut random) = (graphics(), Random::new(5));
    let solids = solids();
    let (mut deep, mut apart) = (0, 0);
    for case in 0..if cfg!(debug_assertions) { 20 } else { 200 } {
        let pick = [random.below(5) as usize, random.below(5) as usize];
        let places = [placement(&mut random, 0.6), placement(&mut random, 0.6)];
        let mut scene = Scene::new();
        for (number, place) in pick.iter().zip(places) {
            let shape = scene.add_shape(&solids[*number].1);
            scene.add(shape, place);
        }
        let mut options = Options::default();
        options.projection = Projection::Perspective { distance: 3.0 };
        options.resolution = 128;
        let placed = [solids[pick[0]].1.at(places[0]), solids[pick[1]].1.at(places[1])];
        let exact = matches!(placed[0].verdict(&placed[1]), Verdict::Overlapping | Verdict::Inside(_));
        for device in [&mut device, &mut Device::processor()] {
            let answer = device.find(&scene, &options).expect("an answer");
            let what = format!("case {case}, {}, precision {}", device.name(), answer.precision);
            if exact {
                let depth = penetration(&scene, [0, 1], [&placed[0], &placed[1]]);
                if depth > answer.precision {
                    deep += 1;
                    assert!(answer.interferes, "{what}: missed at depth {depth}");
                }
            } else if placed[0].distance(&placed[1]).distance > answer.precision {
                apart += 1;
                assert!(!answer.interferes, "{what}: a false alarm");
            }
        }
    }
    println!("from an eye: {deep} deeper than the precision, {apart} apart by more");
    assert!(deep > 5 && apart > 2);
}

#[test]
fn tiles_find_what_the_whole_image_is_too_coarse_for() {
    let turn = DQuat::from_axis_angle(DVec3::new(0.4, 0.5, 0.2).normalize(), 0.9);
    let model = cube();
    for device in [&mut graphics(), &mut Device::processor()] {
        // The lowest corner of a turned box is this far below its middle.
        let low = (0..8)
            .map(|corner| turn * DVec3::new(sign(corner), sign(corner >> 1), sign(corner >> 2)) * 0.5)
            .map(|corner| corner.z)
            .fold(0.0, f64::min);
        for (depth, expected) in [(5e-5, true), (-5e-5, false)] {
            let place = DVec3::new(0.05, 0.08, 0.5 - low - depth);
            // All of it turned, so that their boxes in the world overlap whether they do or not.
            let all = DQuat::from_axis_angle(DVec3::new(0.1, -0.7, 0.5).normalize(), 0.7);
            let mut scene = Scene::new();
            let shape = scene.add_shape(&model);
            scene.add(shape, Trs::rigid([0.0; 3], all).expect("a place"));
            scene.add(shape, Trs::rigid(all * place, all * turn).expect("a place"));
            let mut options = Options::default();
            options.resolution = 64;
            let whole = device.find(&scene, &options).expect("an answer");
            options.precision = Some(1e-5);
            let tiles = device.find(&scene, &options).expect("an answer");
            let what = format!("{} at {depth}: {:?}", device.name(), tiles.work);
            assert!(whole.precision > 5e-5, "the whole image is precise enough: {}", whole.precision);
            assert!(tiles.precision <= 1e-5 && tiles.complete, "{what}: reached {}", tiles.precision);
            assert_eq!(tiles.interferes, expected, "{what}");
            println!("{what}");
            assert!(whole.interferes || tiles.work.tiles > 0, "{what}");
        }
    }
}

fn sign(bit: u32) -> f64 {
    if bit & 1 == 1 { 1.0 } else { -1.0 }
}

#[test]
fn a_coarse_look_rejects_and_changes_nothing() {
    let mut device = graphics();
    let ball = Model::new(shapes::icosphere(0.5, 12).expect("a ball"));
    // Their boxes overlap along a diagonal, they do not.
    let apart = two(&ball, Trs::translation([0.82, 0.82, 0.82]).expect("a place"));
    let close = two(&ball, Trs::translation([0.5, 0.4, 0.3]).expect("a place"));
    for device in [&mut device, &mut Device::processor()] {
        for (scene, expected, rejected) in [(&apart, false, 1), (&close, true, 0)] {
            let mut options = Options::default();
            options.coarse = true;
            let coarse = device.find(scene, &options).expect("an answer");
            options.coarse = false;
            let fine = device.find(scene, &options).expect("an answer");
            assert_eq!((coarse.interferes, fine.interferes), (expected, expected));
            assert_eq!(coarse.pairs(), fine.pairs());
            assert_eq!(coarse.work.rejected, rejected);
        }
    }
}

#[test]
fn moved_edges_are_not_inside_of_their_own_solid() {
    let mut device = graphics();
    for (name, model) in
        solids().into_iter().filter(|(name, _)| ["box", "ball", "tetrahedron"].contains(name))
    {
        // A shell around it, so that there is something to look at; it is far from the solid.
        let shell = Model::new(shapes::hollow_sphere(6.0, 5.0, 8, 6).expect("a shell"));
        for device in [&mut device, &mut Device::processor()] {
            let mut scene = Scene::new();
            let (inner, outer) = (scene.add_shape(&model), scene.add_shape(&shell));
            scene.add(inner, Trs::IDENTITY);
            scene.add(outer, Trs::IDENTITY);
            let mut options = Options::default();
            options.detail = Detail::Any;
            options.own = Own::Offset { pixels: 4.0 };
            let answer = device.find(&scene, &options).expect("an answer");
            assert!(!answer.interferes, "{name}: an edge inside of its own solid");
            let ignored = device.find(&scene, &Options::default()).expect("an answer");
            assert!(answer.precision > ignored.precision, "the offset is part of the precision");
            let scene = two(&model, Trs::translation([0.2, 0.15, 0.1]).expect("a place"));
            assert!(device.find(&scene, &options).expect("an answer").interferes, "{name}");
        }
    }
}

#[test]
fn deformed_vertices_are_looked_at_where_they_are() {
    let model = Model::new(shapes::icosphere(0.5, 5).expect("a ball"));
    let vertices: Vec<DVec3> = model.mesh().vertices().collect();
    let stretched: Vec<DVec3> = vertices.iter().map(|vertex| *vertex * DVec3::new(2.2, 1.0, 1.0)).collect();
    let mut device = graphics();
    let mut scene = Scene::new();
    let (soft, hard) = (scene.add_shape(&model), scene.add_shape(&model));
    scene.add(soft, Trs::IDENTITY);
    scene.add(hard, Trs::translation([1.3, 0.0, 0.0]).expect("a place"));
    for device in [&mut device, &mut Device::processor()] {
        let mut scene = scene.clone();
        assert!(!device.find(&scene, &Options::default()).expect("an answer").interferes);
        scene.set_vertices(soft, stretched.clone()).expect("as many");
        let answer = device.find(&scene, &Options::default()).expect("an answer");
        assert_eq!(answer.pairs(), vec![[0, 1]]);
        scene.set_vertices(soft, vertices.clone()).expect("as many");
        assert!(!device.find(&scene, &Options::default()).expect("an answer").interferes);
    }
}

#[test]
fn vertices_that_are_on_the_device_are_not_brought_there() {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()))
        .unwrap_or_else(|refusal| panic!("{refusal}: install a driver (Debian: mesa-vulkan-drivers)"));
    let (gpu, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
        required_features: wgpu::Features::DEPTH32FLOAT_STENCIL8 | wgpu::Features::FLOAT32_BLENDABLE,
        ..wgpu::DeviceDescriptor::default()
    }))
    .expect("a device");
    let model = Model::new(shapes::icosphere(0.5, 5).expect("a ball"));
    let places: Vec<f32> = model
        .mesh()
        .vertices()
        .flat_map(|vertex| (vertex * DVec3::new(2.2, 1.0, 1.0)).as_vec3().to_array())
        .collect();
    let buffer = gpu.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 4 * places.len() as u64,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    queue.write_buffer(&buffer, 0, bytemuck::cast_slice(&places));
    let mut scene = Scene::new();
    let (soft, hard) = (scene.add_shape(&model), scene.add_shape(&model));
    scene.add(soft, Trs::IDENTITY);
    scene.add(hard, Trs::translation([1.3, 0.0, 0.0]).expect("a place"));
    let bounds = Aabb::new([-1.1, -0.5, -0.5], [1.1, 0.5, 0.5]).expect("a box");
    let mut device = Device::with_wgpu(gpu, queue).expect("a device");
    assert!(!device.find(&scene, &Options::default()).expect("an answer").interferes);
    scene.set_vertices_on_device(soft, buffer, bounds).expect("as many");
    let answer = device.find(&scene, &Options::default()).expect("an answer");
    assert_eq!(answer.pairs(), vec![[0, 1]]);
    assert!(answer.precision.is_finite(), "three views need to know nothing of the edges");
    let mut one = Options::default();
    one.views = Views::Count(1);
    assert!(device.find(&scene, &one).expect("an answer").precision.is_infinite());
    assert!(Device::processor().find(&scene, &Options::default()).is_err());
}
