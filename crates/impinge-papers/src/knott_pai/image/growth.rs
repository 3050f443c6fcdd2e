//! Time against the number of objects, and of polygons: from the first command to the last result.

use std::time::Instant;

use impinge::shapes::Random;
use impinge::{Model, Placement};
use impinge_image::{Detail, Device, ImageError, Options, Scene, Views};
use serde::Serialize;

use super::scenes::{bumpy, clear_bars, pushed, random_boxes, strip_box, two};
use super::{Experiment, RESOLUTION};

/// A way to look, and at what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Way {
    /// What it is called.
    pub name: &'static str,
    /// One view and one layer, as in the paper; otherwise three views and all layers.
    pub as_paper: bool,
    /// How much is asked.
    #[serde(skip)]
    pub detail: Detail,
    /// Whether nothing interferes: then asking for any cannot end early.
    pub clear: bool,
}

const fn way(name: &'static str, as_paper: bool, detail: Detail, clear: bool) -> Way {
    Way { name, as_paper, detail, clear }
}

/// With the buffer read, with occlusion queries for all objects, and with one occlusion query; as in the paper, and with all layers
/// from three sides.
pub(super) const WAYS: [Way; 6] = [
    way("paper, read", true, Detail::Pairs, false),
    way("paper, queries", true, Detail::Objects, false),
    way("paper, any", true, Detail::Any, true),
    way("all, read", false, Detail::Pairs, false),
    way("all, queries", false, Detail::Objects, false),
    way("all, any", false, Detail::Any, true),
];

impl Way {
    fn options(&self) -> Options {
        let mut options = Options::default();
        options.resolution = RESOLUTION;
        options.detail = self.detail;
        if self.as_paper {
            options.views = Views::Count(1);
            options.layers = 1;
        }
        options
    }
}

/// Times for one number of objects or polygons.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// How many objects or polygons.
    pub count: usize,
    /// How many placements.
    pub trials: usize,
    /// Milliseconds by the clock on the wall: mean, deviation, median.
    pub mean_ms: f64,
    /// The standard deviation.
    pub deviation_ms: f64,
    /// The median, which other programs disturb less.
    pub median_ms: f64,
    /// Milliseconds of processor time of all threads, the median.
    pub work_ms: f64,
    /// The share of placements where something was found.
    pub found: f64,
    /// Layers of edges that were looked at, the mean.
    pub layers: f64,
}

/// How the time of one way grows.
#[derive(Clone, Debug, Serialize)]
pub struct Growth {
    /// The way.
    pub way: Way,
    /// By ascending number.
    pub rows: Vec<Row>,
    /// p, where processor time grows like n to the p: over all rows, and over the upper half, where what is fixed matters
    /// least.
    pub power: f64,
    /// Over the upper half.
    pub upper_power: f64,
    /// The same for the mean by the clock on the wall.
    pub wall_power: f64,
    /// Milliseconds of processor time of a question about two boxes, which have next to nothing to draw: what each question costs.
    pub fixed_ms: f64,
    /// p of processor time without what each question costs; not a number where a row does not take longer than that.
    pub net_power: f64,
}

/// The slope of a line through logarithms, by least squares; not a number where there is only one point.
pub fn power(points: &[[f64; 2]]) -> f64 {
    let logs: Vec<[f64; 2]> = points.iter().map(|point| point.map(f64::ln)).collect();
    let count = logs.len() as f64;
    let mean = |side: usize| logs.iter().map(|point| point[side]).sum::<f64>() / count;
    let (x, y) = (mean(0), mean(1));
    let products: f64 = logs.iter().map(|point| (point[0] - x) * (point[1] - y)).sum();
    let squares: f64 = logs.iter().map(|point| (point[0] - x).powi(2)).sum();
    products / squares
}

/// Figure 9.
pub(super) fn over_objects(
    experiment: &Experiment,
    device: &mut Device,
    tick: &mut impl FnMut(&str),
) -> Result<Vec<Growth>, ImageError> {
    let model = strip_box();
    let row = |way: &Way, count: u32, device: &mut Device| boxes(experiment, &model, way, count, device);
    WAYS.iter()
        .map(|way| {
            let mut rows: Vec<Row> = Vec::new();
            for count in &experiment.objects {
                tick(&format!("{count} boxes, {}", way.name));
                if !experiment.ends_with(&rows) {
                    rows.push(row(way, *count, device)?);
                }
            }
            Ok(growth(*way, rows, row(way, 2, device)?.work_ms))
        })
        .collect()
}

/// A scene of so many boxes.
fn boxes(
    experiment: &Experiment,
    model: &Model,
    way: &Way,
    count: u32,
    device: &mut Device,
) -> Result<Row, ImageError> {
    let mut scene = Scene::new();
    let shape = scene.add_shape(model);
    for _ in 0..count {
        scene.add(shape, Placement::IDENTITY);
    }
    let places = if way.clear { clear_bars } else { random_boxes };
    time(experiment, device, &mut scene, way, count as usize, |random| places(random, count))
}

/// Figure 10.
pub(super) fn over_polygons(
    experiment: &Experiment,
    device: &mut Device,
    tick: &mut impl FnMut(&str),
) -> Result<Vec<Growth>, ImageError> {
    let models: Vec<_> = experiment.polygons.iter().map(|count| bumpy(count / 2)).collect();
    WAYS.iter()
        .map(|way| {
            let mut rows: Vec<Row> = Vec::new();
            for model in &models {
                let count = 2 * model.mesh().triangle_count();
                tick(&format!("{count} polygons, {}", way.name));
                if experiment.ends_with(&rows) {
                    continue;
                }
                let mut scene = Scene::new();
                let shape = scene.add_shape(model);
                scene.add(shape, Placement::IDENTITY);
                scene.add(shape, Placement::IDENTITY);
                // Close to each other, so that the boxes around them overlap and all is drawn.
                let places = |random: &mut Random| match way.clear {
                    true => pushed(model, random, -0.05).to_vec(),
                    false => two(random, [0.6, 1.2]).to_vec(),
                };
                rows.push(time(experiment, device, &mut scene, way, count, places)?);
            }
            Ok(growth(*way, rows, boxes(experiment, &strip_box(), way, 2, device)?.work_ms))
        })
        .collect()
}

fn growth(way: Way, rows: Vec<Row>, fixed_ms: f64) -> Growth {
    let points = |of: fn(&Row) -> f64| -> Vec<[f64; 2]> {
        rows.iter().map(|row| [row.count as f64, of(row)]).collect()
    };
    let (work, wall) = (points(|row| row.work_ms), points(|row| row.mean_ms));
    let upper = power(&work[(work.len() / 2).min(work.len().saturating_sub(2))..]);
    let net: Vec<[f64; 2]> = work.iter().map(|[count, work]| [*count, work - fixed_ms]).collect();
    let net_power = if net.iter().all(|[_, work]| *work > 0.0) { power(&net) } else { f64::NAN };
    Growth {
        way,
        power: power(&work),
        upper_power: upper,
        wall_power: power(&wall),
        fixed_ms,
        net_power,
        rows,
    }
}

fn time(
    experiment: &Experiment,
    device: &mut Device,
    scene: &mut Scene,
    way: &Way,
    count: usize,
    mut places: impl FnMut(&mut Random) -> Vec<Placement>,
) -> Result<Row, ImageError> {
    let options = way.options();
    let mut random = Random::new(9);
    let (mut times, mut works, mut found, mut layers) = (Vec::new(), Vec::new(), 0_usize, 0_u32);
    let start = Instant::now();
    // The first warms up: what it sets up is measured elsewhere.
    for trial in 0..=experiment.trials {
        if trial > 3 && experiment.seconds.is_some_and(|seconds| start.elapsed().as_secs_f64() > seconds) {
            break;
        }
        for (object, placement) in (0..).zip(places(&mut random)) {
            scene.place(object, placement)?;
        }
        let (wall, work) = (Instant::now(), work_seconds());
        let answer = device.find(scene, &options)?;
        if trial > 0 {
            works.push((work_seconds() - work) * 1e3);
            times.push(wall.elapsed().as_secs_f64() * 1e3);
            found += usize::from(answer.interferes);
            layers += answer.work.layers;
        }
    }
    let trials = times.len().max(1);
    let mean_ms = times.iter().sum::<f64>() / trials as f64;
    let squares = times.iter().map(|time| (time - mean_ms).powi(2)).sum::<f64>();
    let deviation_ms = (squares / (trials.max(2) - 1) as f64).sqrt();
    Ok(Row {
        count,
        trials,
        mean_ms,
        deviation_ms,
        median_ms: median(&mut times),
        work_ms: median(&mut works),
        found: found as f64 / trials as f64,
        layers: f64::from(layers) / trials as f64,
    })
}

pub(super) fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Processor time of all threads of this program, those of a software driver among them.
#[cfg(unix)]
pub(super) fn work_seconds() -> f64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

/// The clock on the wall, where there is no other.
#[cfg(not(unix))]
pub(super) fn work_seconds() -> f64 {
    crate::stopwatch::nanoseconds() as f64 * 1e-9
}
