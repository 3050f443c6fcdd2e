//! What the first question costs, and what the second one does.

use std::time::Instant;

use impinge::shapes::Random;
use impinge_image::{Device, ImageError, Options, Scene};
use serde::Serialize;

use super::growth::median;
use super::scenes::{bumpy, random_boxes, strip_box, two};

/// Milliseconds for one scene on a device that was just opened.
#[derive(Clone, Debug, Serialize)]
pub struct Setup {
    /// The scene.
    pub scene: &'static str,
    /// To open the device.
    pub open_ms: f64,
    /// The first question.
    pub first_ms: f64,
    /// The second, with nothing changed.
    pub second_ms: f64,
    /// With one object moved, the median of five.
    pub moved_ms: f64,
}

pub(super) fn measure(open: &impl Fn() -> Result<Device, ImageError>) -> Result<Vec<Setup>, ImageError> {
    let mut random = Random::new(3);
    let mut boxes = Scene::new();
    let shape = boxes.add_shape(&strip_box());
    let places = random_boxes(&mut random, 200);
    for place in &places {
        boxes.add(shape, *place);
    }
    let mut balls = Scene::new();
    let shape = balls.add_shape(&bumpy(500));
    let [a, b] = two(&mut random, [0.3, 0.6]);
    balls.add(shape, a);
    balls.add(shape, b);
    let mut two_boxes = Scene::new();
    let shape = two_boxes.add_shape(&strip_box());
    two_boxes.add(shape, a);
    two_boxes.add(shape, b);
    let scenes = [("2 boxes", two_boxes), ("200 boxes", boxes), ("2 balls of 500", balls)];
    let options = Options::default();
    let mut rows = Vec::new();
    for (name, mut scene) in scenes {
        let milliseconds = |start: Instant| start.elapsed().as_secs_f64() * 1e3;
        let start = Instant::now();
        let mut device = open()?;
        let open_ms = milliseconds(start);
        let mut ask = |scene: &Scene| -> Result<f64, ImageError> {
            let start = Instant::now();
            device.find(scene, &options)?;
            Ok(milliseconds(start))
        };
        let (first_ms, second_ms) = (ask(&scene)?, ask(&scene)?);
        let mut moved = Vec::new();
        for _ in 0..5 {
            let [_, near] = two(&mut random, [0.5, 1.0]);
            scene.place(1, near)?;
            moved.push(ask(&scene)?);
        }
        rows.push(Setup { scene: name, open_ms, first_ms, second_ms, moved_ms: median(&mut moved) });
    }
    Ok(rows)
}
