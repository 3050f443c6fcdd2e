//! Many objects in one set of passes.

use std::collections::BTreeSet;

use impinge::glam::{DQuat, DVec3};
use impinge::shapes::{self, Random};
use impinge::{Model, Placed, Trs, Verdict};
use impinge_image::{Detail, Device, Options, Scene, Views};

use crate::common::penetration;
use crate::device::graphics;

/// Boxes anywhere in a cube, turned.
fn boxes(count: usize, size: f64, seed: u64) -> (Model, Vec<Trs>) {
    let model = Model::new(shapes::cuboid([-0.5, -0.35, -0.2], [0.5, 0.35, 0.2]).expect("a box"));
    let mut random = Random::new(seed);
    let places = (0..count).map(|_| {
        let turn = DQuat::from_axis_angle(random.direction(), random.between(0.0, 6.0));
        Trs::new(random.in_cube() * size, turn, DVec3::ONE).expect("a place")
    });
    (model, places.collect())
}

fn scene_of(model: &Model, places: &[Trs]) -> Scene {
    let mut scene = Scene::new();
    let shape = scene.add_shape(model);
    for place in places {
        scene.add(shape, *place);
    }
    scene
}

/// All pairs that the image finds among boxes are those of the exact test, but for what is within the precision.
fn judge(device: &mut Device, count: usize) {
    let (model, places) = boxes(count, 5.0 * (count as f64 / 500.0).cbrt(), 3);
    let scene = scene_of(&model, &places);
    let answer = device.find(&scene, &Options::default()).expect("an answer");
    assert!(answer.complete && !answer.not_closed);
    let seen: BTreeSet<[u32; 2]> = answer.pairs().into_iter().collect();
    let placed: Vec<Placed<'_>> = places.iter().map(|place| model.at(*place)).collect();
    let (mut deep, mut shallow, mut near) = (0, Vec::new(), Vec::new());
    for a in 0..count {
        for b in a + 1..count {
            let pair = [a as u32, b as u32];
            let exact = matches!(placed[a].verdict(&placed[b]), Verdict::Overlapping | Verdict::Inside(_));
            match (exact, seen.contains(&pair)) {
                (true, true) => deep += 1,
                (false, false) => {}
                (true, false) => {
                    let depth = penetration(&scene, pair, [&placed[a], &placed[b]]);
                    assert!(depth <= answer.precision, "{pair:?}: missed at depth {depth}");
                    shallow.push((pair, depth));
                }
                (false, true) => {
                    let gap = placed[a].distance(&placed[b]).distance;
                    assert!(gap <= answer.precision, "{pair:?}: a false alarm at a gap of {gap}");
                    near.push((pair, gap));
                }
            }
        }
    }
    println!(
        "precision {}: {deep} pairs; missed within it {shallow:?}; apart within it {near:?}",
        answer.precision
    );
    assert!(deep > count / 10);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "long: runs in release")]
fn pairs_among_boxes_are_those_of_the_exact_test() {
    judge(&mut Device::processor(), 500);
    judge(&mut graphics(), 500);
}

#[test]
fn few_boxes_too() {
    judge(&mut Device::processor(), 60);
    judge(&mut graphics(), 60);
}

/// With all layers, which a device lists, and with as many as there are, which it peels and asks occlusion queries about.
#[test]
fn yes_or_no_objects_and_pairs_agree() {
    let mut graphics = graphics();
    let mut compared = 0;
    for seed in 0..6 {
        let (model, places) = boxes(12 + 4 * seed as usize, 1.5, seed);
        let scene = scene_of(&model, &places);
        for layers in [u32::MAX, 100] {
            for device in [&mut graphics, &mut Device::processor()] {
                let mut options = Options::default();
                options.resolution = 128;
                options.layers = layers;
                let pairs = device.find(&scene, &options).expect("an answer");
                options.detail = Detail::Objects;
                let objects = device.find(&scene, &options).expect("an answer");
                options.detail = Detail::Any;
                let any = device.find(&scene, &options).expect("an answer");
                let what = format!("seed {seed}, {layers} layers, {}", device.name());
                assert!(pairs.complete && objects.complete, "{what}");
                assert_eq!(pairs.interferes, any.interferes, "{what}");
                assert_eq!(pairs.penetrating, objects.penetrating, "{what}");
                assert_eq!(pairs.penetrated, objects.penetrated, "{what}");
                compared += pairs.penetrated.len();
            }
        }
    }
    assert!(compared > 100, "{compared}: hardly anything interfered");
}

/// Where the image says more than is so, within its precision, the exact test takes it back, and nothing else.
#[test]
fn what_is_proposed_can_be_confirmed() {
    let (model, places) = boxes(60, 5.0 * (60.0_f64 / 500.0).cbrt(), 3);
    let scene = scene_of(&model, &places);
    let placed: Vec<Placed<'_>> = places.iter().map(|place| model.at(*place)).collect();
    let meets = |pair: &[u32; 2]| {
        let [a, b] = pair.map(|object| &placed[object as usize]);
        matches!(a.verdict(b), Verdict::Overlapping | Verdict::Inside(_))
    };
    let mut answer = Device::processor().find(&scene, &Options::default()).expect("an answer");
    let proposed = answer.pairs();
    let expected: Vec<[u32; 2]> = proposed.iter().filter(|pair| meets(pair)).copied().collect();
    assert!(!expected.is_empty() && expected.len() < proposed.len(), "nothing to take back: {proposed:?}");
    answer.confirm(&placed);
    assert_eq!(answer.pairs(), expected);
    assert!(
        answer.interferes && answer.penetrating.iter().all(|a| expected.iter().flatten().any(|b| a == b))
    );
}

/// Numbers that do not fit into 16 bits: 35,000 pairs of tetrahedra that interfere, and what is found of them is right.
#[test]
#[cfg_attr(debug_assertions, ignore = "long: runs in release")]
fn more_than_65536_objects_are_told_apart() {
    let model = Model::new(shapes::tetrahedron(0.3).expect("a shape"));
    let mut scene = Scene::new();
    let shape = scene.add_shape(&model);
    for pair in 0..35_000_u32 {
        let place = DVec3::new(f64::from(pair % 187), f64::from(pair / 187), 0.0);
        for shift in [0.0, 0.1] {
            scene.add(shape, Trs::translation(place + shift).expect("a place"));
        }
    }
    let mut options = Options::default();
    options.resolution = 2048;
    options.views = Views::Along(vec![DVec3::new(0.02, 0.03, 1.0)]);
    options.layers = 2;
    let answer = graphics().find(&scene, &options).expect("an answer");
    let pairs = answer.pairs();
    println!("{} pairs found of 35,000 in two layers", pairs.len());
    assert!(pairs.iter().all(|[a, b]| a % 2 == 0 && *b == a + 1), "only neighbors interfere");
    assert!(pairs.len() > 30_000 && pairs.iter().any(|[a, _]| *a > 65_536));
}
