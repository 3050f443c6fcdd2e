//! The graphics device against the processor: verdicts, pairs, and every pixel.

use impinge::mesh::generate::Random;
use impinge_image::{Device, Options, Scene, Views};

use crate::common::{placement, solids};
use crate::placements::{count, judge};

/// The adapter, or a failure that says what to install.
pub(crate) fn graphics() -> Device {
    let device = Device::graphics().unwrap_or_else(|refusal| panic!("{refusal}"));
    println!("adapter: {}", device.name());
    device
}

#[test]
#[cfg_attr(debug_assertions, ignore = "long: runs in release")]
fn pairs_are_judged_as_the_exact_test_does() {
    judge(&mut graphics(), count("IMPINGE_PLACEMENTS", 2000));
}

#[test]
fn the_device_sees_what_the_processor_sees() {
    let cases = count("IMPINGE_PIXELS", if cfg!(debug_assertions) { 12 } else { 200 });
    let (mut device, mut processor) = (graphics(), Device::processor());
    let solids = solids();
    let mut random = Random::new(11);
    let (mut compared, mut different) = (0_u64, 0_u64);
    for case in 0..cases {
        let mut scene = Scene::new();
        for _ in 0..2 + case % 3 {
            let shape = scene.add_shape(&solids[random.below(solids.len() as u32) as usize].1);
            scene.add(shape, placement(&mut random, 0.5));
        }
        let mut options = Options::default();
        options.resolution = [64, 100, 256][case % 3];
        options.pictures = true;
        options.views = Views::Count(1 + (case % 4) as u32);
        let ours = device.find(&scene, &options).expect("an answer");
        let theirs = processor.find(&scene, &options).expect("an answer");
        for (view, (ours, theirs)) in ours.pictures.iter().zip(&theirs.pictures).enumerate() {
            for (layer, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
                for place in 0..ours.edges.len() {
                    compared += u64::from(ours.edges[place].is_some() || theirs.edges[place].is_some());
                    let same = ours.edges[place] == theirs.edges[place]
                        && ours.counts[place] == theirs.counts[place]
                        || ours.edges[place].is_none() && theirs.edges[place].is_none();
                    if !same {
                        different += 1;
                        if different < 20 {
                            println!(
                                "case {case} view {view} layer {layer} pixel {place}: {:?} {} {} against {:?} {} {}",
                                ours.edges[place],
                                ours.counts[place],
                                ours.depths[place],
                                theirs.edges[place],
                                theirs.counts[place],
                                theirs.depths[place],
                            );
                        }
                    }
                }
            }
        }
    }
    println!("{different} of {compared} pixels differ");
    assert!(different * 1000 < compared);
}
