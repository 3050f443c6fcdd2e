//! Which edges are inside of what, held to the exact test edge by edge.

use impinge::shapes::{self, Random};
use impinge::{Model, Trs};
use impinge_image::{Detail, Device, Options, Own, Scene};

use crate::common::{judge_edges, placement, solids};
use crate::device::graphics;
use crate::placements::count;

/// Random pairs, as coarse as the image is and with more precision asked for.
fn judge(device: &mut Device, cases: usize) {
    let solids = solids();
    let mut random = Random::new(23);
    let (mut inside, mut outside, mut tiles) = (0, 0, 0);
    for case in 0..cases {
        let pick = [random.below(solids.len() as u32), random.below(solids.len() as u32)];
        let [a, b] = pick.map(|number| &solids[number as usize]);
        let places = [placement(&mut random, 0.4), placement(&mut random, 0.4)];
        let mut scene = Scene::new();
        for (model, place) in [&a.1, &b.1].into_iter().zip(places) {
            let shape = scene.add_shape(model);
            scene.add(shape, place);
        }
        let mut options = Options::default();
        options.resolution = [64, 128][case % 2];
        options.precision = [None, Some(4e-3), Some(1e-3)][case % 3];
        if case % 5 == 4 {
            options.own = Own::Offset { pixels: 2.0 };
        }
        let answer = device.find(&scene, &options).expect("an answer");
        assert!(answer.complete);
        let what =
            format!("case {case}: {} and {}, {}, precision {}", a.0, b.0, device.name(), answer.precision);
        let placed = [a.1.at(places[0]), b.1.at(places[1])];
        let [deep, apart] = judge_edges(&scene, &answer, &placed, &what);
        (inside, outside, tiles) = (inside + deep, outside + apart, tiles + answer.work.tiles);
    }
    println!("{inside} edges to be found, {outside} not to be, {tiles} tiles");
    assert!(inside > 10 * cases && outside > 10 * cases && tiles as usize > cases);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "long: runs in release")]
fn edges_are_those_of_the_exact_test() {
    judge(&mut Device::processor(), count("IMPINGE_EDGE_CASES", 150));
    judge(&mut graphics(), count("IMPINGE_EDGE_CASES_ON_DEVICE", 30));
}

/// What surely interferes is looked at again as well: an answer that states a precision has no edges of coarser looks.
#[test]
fn the_precision_that_is_stated_holds_for_every_edge() {
    let knot = Model::new(shapes::knot(0.5, 0.1, 48, 6).expect("a knot"));
    let places = [Trs::IDENTITY, Trs::translation([0.35, 0.1, 0.05]).expect("a place")];
    for device in [&mut graphics(), &mut Device::processor()] {
        let mut scene = Scene::new();
        let shape = scene.add_shape(&knot);
        for place in places {
            scene.add(shape, place);
        }
        let placed = places.map(|place| knot.at(place));
        let mut options = Options::default();
        for asked in if cfg!(debug_assertions) { &[1e-3][..] } else { &[1e-2, 1e-3, 1e-4] } {
            let asked = *asked;
            options.precision = Some(asked);
            options.detail = Detail::Pairs;
            let answer = device.find(&scene, &options).expect("an answer");
            let what = format!("{}, asked {asked}, stated {}", device.name(), answer.precision);
            assert!(answer.complete && answer.precision <= asked, "{what}");
            let [inside, outside] = judge_edges(&scene, &answer, &placed, &what);
            assert!(inside > 20 && outside > 300, "{what}: {inside} {outside}");
            // Where only objects are wanted, a pair that is known need not be looked at again, and says so.
            options.detail = Detail::Objects;
            let objects = device.find(&scene, &options).expect("an answer");
            assert!(objects.precision <= asked && objects.work.tiles <= answer.work.tiles, "{what}");
            let mut coarse = objects.clone();
            coarse.precision =
                objects.interferences.iter().map(|found| found.precision).fold(asked, f64::max);
            judge_edges(&scene, &coarse, &placed, &what);
        }
    }
}
