//! Random placements: what the image finds against what the exact test finds.

use impinge::Verdict;
use impinge::shapes::Random;
use impinge_image::{Device, Options, Scene};

use crate::common::{penetration, placement, solids};

/// So many cases as the environment says; else the share of the usual number that it says, in percent.
pub(crate) fn count(name: &str, usual: usize) -> usize {
    let asked = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    asked(name).unwrap_or_else(|| (usual * asked("IMPINGE_SHARE").unwrap_or(100)).div_ceil(100))
}

#[test]
#[cfg_attr(debug_assertions, ignore = "long: runs in release")]
fn pairs_are_judged_as_the_exact_test_does() {
    judge(&mut Device::processor(), count("IMPINGE_PLACEMENTS", 2000));
}

pub(crate) fn judge(device: &mut Device, cases: usize) {
    let solids = solids();
    let mut random = Random::new(7);
    let (mut deep, mut shallow, mut apart, mut close) = (0, 0, 0, 0);
    for case in 0..cases {
        let pick = [random.below(solids.len() as u32), random.below(solids.len() as u32)];
        let [a, b] = pick.map(|number| &solids[number as usize]);
        let spread = if case % 3 == 0 { 1.2 } else { 0.5 };
        let places = [placement(&mut random, spread), placement(&mut random, spread)];
        let mut scene = Scene::new();
        let shapes = [scene.add_shape(&a.1), scene.add_shape(&b.1)];
        let numbers = [scene.add(shapes[0], places[0]), scene.add(shapes[1], places[1])];
        let mut options = Options::default();
        options.resolution = [64, 128, 256][case % 3];
        options.coarse = case % 5 == 0;
        options.precision = (case % 7 == 3).then_some(2e-3);
        let answer = device.find(&scene, &options).expect("an answer");
        let placed = [a.1.at(places[0]), b.1.at(places[1])];
        let exact = matches!(placed[0].verdict(&placed[1]), Verdict::Overlapping | Verdict::Inside(_));
        let precision = answer.precision;
        let what = format!("case {case}: {} and {}, precision {precision}", a.0, b.0);
        assert!(answer.complete, "{what}: some edges were not looked at");
        assert!(!answer.not_closed, "{what}: not closed?");
        assert!(options.precision.is_none_or(|asked| precision <= asked), "{what}: more was asked for");
        if exact {
            let depth = penetration(&scene, numbers, [&placed[0], &placed[1]]);
            if depth > precision {
                deep += 1;
                assert!(answer.interferes, "{what}: missed at depth {depth}");
            } else {
                shallow += 1;
            }
        } else {
            let gap = placed[0].distance(&placed[1]).distance;
            if gap > precision {
                apart += 1;
                assert!(!answer.interferes, "{what}: a false alarm at a gap of {gap}");
            } else {
                close += 1;
            }
        }
        for found in &answer.interferences {
            let other = &placed[found.penetrated as usize];
            for point in found.points.iter().step_by(7) {
                let distance = other.signed_distance(*point).expect("a solid").signed();
                assert!(
                    distance <= precision,
                    "{what}: {point} is {distance} away from what it is inside of"
                );
            }
        }
    }
    println!("deeper than the precision {deep}, not so {shallow}; apart by more {apart}, by less {close}");
    assert!(deep * 5 > cases && apart * 5 > cases, "{deep} {apart}: hardly anything was judged");
}
