//! Pairs among many boxes, seen in images, beside those of the exact test.

use std::collections::BTreeSet;

use impinge::shapes::Random;
use impinge::{Placed, Verdict};
use impinge_image::{Device, ImageError, Options, Scene};
use serde::Serialize;

use super::RESOLUTION;
use super::scenes::{random_boxes, strip_box};

/// A pair that only one of the two finds.
#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    /// The pair.
    pub pair: [u32; 2],
    /// Where only the exact test finds it: how deep an edge is inside of the other, and less than 0 by how far they are apart where
    /// only the image does.
    pub depth: f64,
}

/// How the pairs compare.
#[derive(Clone, Debug, Serialize)]
pub struct Accuracy {
    /// How many boxes there are.
    pub boxes: u32,
    /// Pairs that the image finds.
    pub seen: usize,
    /// Pairs that overlap, or are inside of each other, by the exact test.
    pub exact: usize,
    /// What the image states.
    pub precision: f64,
    /// Pairs that only one of the two finds.
    pub differences: Vec<Difference>,
}

impl Accuracy {
    /// How many pairs differ by more than the precision: none should.
    pub fn beyond_precision(&self) -> usize {
        self.differences.iter().filter(|difference| difference.depth.abs() > self.precision).count()
    }
}

pub(super) fn compare(device: &mut Device, boxes: u32) -> Result<Accuracy, ImageError> {
    let model = strip_box();
    let places = random_boxes(&mut Random::new(23), boxes);
    let mut scene = Scene::new();
    let shape = scene.add_shape(&model);
    let placed: Vec<Placed<'_>> = places.iter().map(|place| model.at(*place)).collect();
    for place in &places {
        scene.add(shape, *place);
    }
    let mut options = Options::default();
    options.resolution = RESOLUTION;
    let answer = device.find(&scene, &options)?;
    let seen: BTreeSet<[u32; 2]> = answer.pairs().into_iter().collect();
    let meets = |[a, b]: [u32; 2]| {
        let verdict = placed[a as usize].verdict(&placed[b as usize]);
        matches!(verdict, Verdict::Overlapping | Verdict::Inside(_))
    };
    let all = (0..boxes).flat_map(|a| (a + 1..boxes).map(move |b| [a, b]));
    let exact: BTreeSet<[u32; 2]> = all.filter(|pair| meets(*pair)).collect();
    let missed = exact.difference(&seen).map(|pair| Difference {
        pair: *pair,
        depth: deepest_edge(&scene, *pair, pair.map(|object| &placed[object as usize])),
    });
    let alarms = seen.difference(&exact).map(|pair| {
        let [a, b] = pair.map(|object| &placed[object as usize]);
        Difference { pair: *pair, depth: -a.distance(b).distance }
    });
    let differences = missed.chain(alarms).collect();
    Ok(Accuracy { boxes, seen: seen.len(), exact: exact.len(), precision: answer.precision, differences })
}

/// How deep an edge of one is inside of the other, by many points of each edge: a little less than it truly is.
fn deepest_edge(scene: &Scene, pair: [u32; 2], placed: [&Placed<'_>; 2]) -> f64 {
    const STEPS: u32 = 64;
    let mut deepest: f64 = 0.0;
    for (this, other) in [(0, 1), (1, 0)] {
        let (edges, _) = scene.counts(pair[this]).unwrap_or_default();
        for edge in 0..edges as u32 {
            let Some(ends) = scene.edge(pair[this], edge) else { continue };
            let [from, to] = ends.map(|vertex| {
                placed[this].placement().point_to_world(placed[this].model().mesh().vertex(vertex))
            });
            let points: Vec<_> =
                (0..=STEPS).map(|step| from.lerp(to, f64::from(step) / f64::from(STEPS))).collect();
            for found in placed[other].signed_distances(&points).into_iter().flatten() {
                deepest = deepest.max(-found.signed());
            }
        }
    }
    deepest
}
