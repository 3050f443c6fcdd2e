//! How many interferences are missed as meshes get denser (§7.2): pairs that reach into each other at one small place.

use impinge::Placement;
use impinge::shapes::Random;
use impinge_image::{Device, ImageError, Options, Scene, Views};
use serde::Serialize;

use super::scenes::{bumpy, pushed};
use super::{Experiment, RESOLUTION};

/// The shares that were found of pairs of meshes with so many polygons.
#[derive(Clone, Debug, Serialize)]
pub struct Miss {
    /// Polygons of both objects.
    pub polygons: usize,
    /// How many pairs.
    pub trials: usize,
    /// The share found in one view with one layer, as in the paper.
    pub one_layer: f64,
    /// In three views, one layer each.
    pub three_views: f64,
    /// In three views with all layers.
    pub all_layers: f64,
    /// The precision of the last, the mean.
    pub precision: f64,
}

/// How far one ball is pushed into the other after they touched, in units; a ball is about 2 across.
pub(super) const PUSH: f64 = 0.03;

pub(super) fn measure(
    experiment: &Experiment,
    device: &mut Device,
    tick: &mut impl FnMut(&str),
) -> Result<Vec<Miss>, ImageError> {
    let mut options = Options::default();
    options.resolution = RESOLUTION;
    let all = options.clone();
    options.layers = 1;
    let three = options.clone();
    options.views = Views::Count(1);
    let ways = [options, three, all];
    let mut rows = Vec::new();
    for count in &experiment.dense {
        tick(&format!("misses with {count} polygons"));
        let model = bumpy(count / 2);
        let mut random = Random::new(17);
        let mut scene = Scene::new();
        let shape = scene.add_shape(&model);
        scene.add(shape, Placement::IDENTITY);
        scene.add(shape, Placement::IDENTITY);
        let (mut found, mut precision) = ([0_usize; 3], 0.0);
        let start = std::time::Instant::now();
        let mut trials = 0;
        while trials < experiment.trials
            && (trials < 3
                || experiment.seconds.is_none_or(|seconds| start.elapsed().as_secs_f64() < seconds))
        {
            let places = pushed(&model, &mut random, PUSH);
            for (object, placement) in (0..).zip(places) {
                scene.place(object, placement)?;
            }
            for (found, options) in found.iter_mut().zip(&ways) {
                let answer = device.find(&scene, options)?;
                *found += usize::from(answer.interferes);
                if options.layers > 1 {
                    precision += answer.precision;
                }
            }
            trials += 1;
        }
        let [one_layer, three_views, all_layers] = found.map(|count| count as f64 / trials as f64);
        let polygons = 2 * model.mesh().triangle_count();
        let precision = precision / trials as f64;
        rows.push(Miss { polygons, trials, one_layer, three_views, all_layers, precision });
    }
    Ok(rows)
}
