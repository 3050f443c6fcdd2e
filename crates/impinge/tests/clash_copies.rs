//! Copies of a machine: the same pairs at other places are the same clashes, and the place of the world does not matter.

use impinge::clash::{Clash, ClashOptions, check_pair, detect_with};
use impinge::math::{DQuat, DVec3};
use impinge::shapes::{self, Random};
use impinge::{Model, Placed, Trs};

/// A machine: parts that overlap, touch, lie inside of each other.
fn machine() -> (Vec<Model>, Vec<(usize, Trs)>) {
    let models = vec![
        Model::new(shapes::cuboid([-0.5; 3], [0.5; 3]).unwrap()),
        Model::new(shapes::torus(0.6, 0.2, 12, 8).unwrap()),
        Model::new(shapes::icosphere(0.3, 3).unwrap()),
    ];
    let mut random = Random::new(17);
    let mut places = Vec::new();
    for number in 0..12 {
        let turn = DQuat::from_axis_angle(random.direction(), random.between(0.0, 6.0));
        places.push((number % 3, Trs::rigid(random.in_cube() * 0.7, turn).unwrap()));
    }
    for by in [[3.0, 0.0, 0.0], [4.0, 0.1, 0.2]] {
        places.push((0, Trs::translation(by).unwrap()));
    }
    (models, places)
}

fn moved(place: &Trs, by: DVec3) -> Trs {
    Trs::rigid(place.position() + by, place.orientation()).unwrap()
}

fn numbers(clash: &Clash, at: DVec3) -> Vec<f64> {
    let mut numbers = vec![clash.distance, clash.face_pairs as f64];
    numbers.extend((clash.point_in_world - at).to_array());
    numbers.extend((clash.bounds.min - at).to_array());
    numbers.extend((clash.bounds.max - at).to_array());
    numbers.extend(clash.closest.iter().flat_map(|point| (*point - at).to_array()));
    if let Some(depth) = clash.penetration {
        numbers.extend([depth.at_least, depth.at_most]);
        numbers.extend(depth.point_in_world.iter().flat_map(|point| (*point - at).to_array()));
    }
    numbers.extend(clash.volume.iter().flat_map(|shared| [shared.volume, shared.bounds.max.x - at.x]));
    if let Some(separation) = &clash.separation {
        numbers.push(separation.distance);
        numbers.extend((separation.placement.world_from_model().translation - at).to_array());
    }
    numbers
}

#[test]
fn copies_have_the_clashes_of_the_first() {
    let (models, places) = machine();
    // Some of these are far away, and some are off by what is no power of two.
    let offsets =
        [[0.0; 3], [10.0, 0.0, 0.0], [0.3, 17.1, -1000.7], [5e6, 1e6 / 3.0, 0.1], [-20.0, 0.0, 4.0]];
    let offsets = offsets.map(DVec3::from_array);
    let parts: Vec<Placed<'_>> = offsets
        .iter()
        .flat_map(|by| places.iter().map(|(model, place)| models[*model].at(moved(place, *by))))
        .collect();
    let count = places.len() as u32;
    for touch in [0.0, 1e-6] {
        let options = ClashOptions::new().touch(touch).clearance(0.05);
        let found = detect_with(&parts, &options);
        let of_copy = |copy: u32| found.clashes.iter().filter(move |clash| clash.a / count == copy);
        let first: Vec<&Clash> = of_copy(0).collect();
        assert!(first.len() > 12, "{}", first.len());
        for (copy, at) in (0..).zip(offsets) {
            let others: Vec<&Clash> = of_copy(copy).collect();
            assert_eq!(others.len(), first.len(), "touch {touch}, copy {copy}");
            for (one, other) in first.iter().zip(others) {
                assert_eq!(
                    (one.a, one.b, one.kind),
                    (other.a - copy * count, other.b - copy * count, other.kind)
                );
                // As tested by itself, but for rounding.
                let [a, b] = [other.a, other.b].map(|part| &parts[part as usize]);
                let alone = check_pair(a, b, &options).unwrap();
                assert_eq!(alone.kind, other.kind);
                for (x, y) in numbers(&alone, at).into_iter().zip(numbers(other, at)) {
                    assert!(
                        (x - y).abs() < 2e-2 * (1e-6 + x.abs()),
                        "touch {touch}, copy {copy}: {alone:?} {other:?}"
                    );
                }
            }
        }
    }
}

/// Two parts touch up to four times the sum of what their coordinates are off by.
#[test]
fn rounding_of_each_part_counts() {
    let cube = Model::new(shapes::cuboid([0.0; 3], [1.0; 3]).unwrap());
    let at = |x: f64| cube.at(Trs::translation([x, 0.0, 0.0]).unwrap());
    let parts = [at(0.0), at(1.0 + 3e-3), at(2.0 - 2e-3), at(3.0 + 1e-3)];
    let kinds = |rounding: [f64; 4]| {
        let found = detect_with(&parts, &ClashOptions::new().rounding(Some(&rounding)));
        found.clashes.iter().map(|clash| (clash.a, clash.b, format!("{:?}", clash.kind))).collect::<Vec<_>>()
    };
    let named = |list: &[(u32, u32, &str)]| {
        list.iter().map(|(a, b, kind)| (*a, *b, (*kind).to_owned())).collect::<Vec<_>>()
    };
    assert_eq!(kinds([0.0; 4]), named(&[(1, 2, "Overlapping")]));
    assert_eq!(kinds([1e-3, 0.0, 0.0, 0.0]), named(&[(0, 1, "Touching"), (1, 2, "Overlapping")]));
    assert_eq!(kinds([0.0, 0.0, 1e-3, 0.0]), named(&[(1, 2, "Overlapping"), (2, 3, "Touching")]));
    assert_eq!(
        kinds([0.0, 1e-3, 1e-3, 0.0]),
        named(&[(0, 1, "Touching"), (1, 2, "Touching"), (2, 3, "Touching")])
    );
}
