//! The scenes are what they are said to be.

use impinge::Verdict;
use impinge::shapes::Random;
use impinge_image::{Device, Options, Scene};

use super::scenes::{clear_bars, random_boxes, strip_box};
use super::{Experiment, power};

#[test]
fn a_box_is_a_closed_strip_of_twelve_triangles() {
    let model = strip_box();
    assert_eq!(model.mesh().triangle_count(), 12);
    assert!((0..12).all(|face| model.is_closed_face(face)));
    let mut scene = Scene::new();
    let shape = scene.add_shape(&model);
    for place in random_boxes(&mut Random::new(1), 12) {
        scene.add(shape, place);
    }
    let answer = Device::processor().find(&scene, &Options::default()).expect("an answer");
    assert!(!answer.not_closed && answer.complete);
}

#[test]
fn bars_are_clear_though_their_boxes_overlap() {
    let model = strip_box();
    let places = clear_bars(&mut Random::new(2), 60);
    let placed: Vec<_> = places.iter().map(|place| model.at(*place)).collect();
    let mut near = 0;
    for (number, a) in placed.iter().enumerate() {
        for b in &placed[number + 1..] {
            assert_eq!(a.verdict(b), Verdict::Clear);
            near += usize::from(a.bounds().overlaps(&b.bounds()));
        }
    }
    assert!(near > 60, "{near}");
}

#[test]
fn powers_are_slopes() {
    let line = |p: f64| [1.0_f64, 3.0, 10.0, 70.0].map(|x| [x, 5.0 * x.powf(p)]);
    assert!((power(&line(1.0)) - 1.0).abs() < 1e-12 && (power(&line(0.4)) - 0.4).abs() < 1e-12);
}

#[test]
fn a_quick_run_measures_everything() {
    let experiment = Experiment::quick();
    let mut ticks = 0;
    let report = experiment.run(|| Ok(Device::processor()), |_| ticks += 1).expect("a report");
    assert_eq!(ticks, experiment.steps());
    assert_eq!((report.objects.len(), report.polygons.len(), report.misses.len()), (6, 6, 1));
    for growth in report.objects.iter().chain(&report.polygons) {
        assert!(growth.rows.iter().all(|row| row.trials == 3 && row.layers > 0.0), "{growth:?}");
        assert!(!growth.way.clear || growth.rows.iter().all(|row| row.found == 0.0), "{growth:?}");
    }
    assert_eq!(report.accuracy.beyond_precision(), 0, "{:?}", report.accuracy);
    assert!(report.accuracy.exact > 5, "{:?}", report.accuracy);
}
