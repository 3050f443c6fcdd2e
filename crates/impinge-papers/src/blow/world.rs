//! What a step of a world costs when some of its bodies fall and the others rest.

use std::sync::Arc;

use impinge::math::DVec3;
use impinge::world::{Body, Handle, World, WorldError, WorldOptions};
use impinge::{Mesh, Model, Motion, Trs, shapes};
use serde::Serialize;

use crate::stopwatch::Stopwatch;

/// What is measured.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Experiment {
    /// How many boxes there are.
    pub boxes: usize,
    /// How many steps are measured for each row.
    pub steps: usize,
}

impl Experiment {
    /// Ten thousand boxes.
    pub const FULL: Experiment = Experiment { boxes: 10_000, steps: 40 };
    /// The same in a second or two.
    pub const QUICK: Experiment = Experiment { boxes: 400, steps: 20 };
    /// How many of a hundred boxes are awake.
    const AWAKE: [usize; 5] = [0, 1, 10, 50, 100];

    /// How often [`run`](Self::run) says that it got on.
    pub fn steps(&self) -> usize {
        Experiment::AWAKE.len()
    }

    /// Measures all rows.
    pub fn run(&self, mut tick: impl FnMut(&str)) -> Result<Report, WorldError> {
        let mut rows = Vec::new();
        for percent in Experiment::AWAKE {
            tick(&format!("{percent} % awake"));
            rows.push(self.row(percent)?);
        }
        Ok(Report { experiment: *self, rows })
    }

    fn row(&self, percent: usize) -> Result<Row, WorldError> {
        let options = WorldOptions::new().parallel(false).sleep_after(2);
        let mut world = World::with_options(options);
        let side = (self.boxes as f64).sqrt().ceil();
        let cuboid = |low: [f64; 3], high: [f64; 3]| Mesh::from(shapes::cuboid(low, high).expect("a cuboid"));
        let floor = cuboid([-2.0, -2.0, -1.0], [2.0 * side, 2.0 * side, 0.0]);
        world.insert(Body::fixed(Model::new(floor), Trs::IDENTITY))?;
        let cube = Arc::new(Model::new(cuboid([-0.5; 3], [0.5; 3])));
        let mut falling = Vec::new();
        for i in 0..self.boxes {
            // As many of each hundred, spread evenly.
            let falls = (i * 37) % 100 < percent;
            let height = if falls { 4.0 } else { 0.50001 };
            let place = DVec3::new((i as f64 % side) * 1.5, (i as f64 / side).floor() * 1.5, height);
            let handle = world.insert(Body::moving(cube.clone(), Trs::translation(place)?))?;
            if falls {
                falling.push(handle);
            }
        }
        let moves = |by: f64| -> Result<Vec<(Handle, Motion)>, WorldError> {
            let motion = Motion::translation([0.0, 0.0, by])?;
            Ok(falling.iter().map(|&handle| (handle, motion)).collect())
        };
        for _ in 0..4 {
            world.step(&moves(-0.001)?)?;
        }
        let mut times = Vec::with_capacity(self.steps);
        let mut awake = 0;
        for _ in 0..self.steps {
            let moves = moves(-3.0 / self.steps as f64)?;
            let watch = Stopwatch::start();
            world.step(&moves)?;
            times.push(watch.nanoseconds() / 1e6);
            awake = awake.max(world.awake().count());
        }
        times.sort_by(f64::total_cmp);
        Ok(Row { percent, awake, ms: times[times.len() / 2], hash: format!("{:016x}", world.hash()) })
    }
}

/// Steps with so many bodies awake.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Of a hundred.
    pub percent: usize,
    /// How many were awake.
    pub awake: usize,
    /// Milliseconds a step, the median.
    pub ms: f64,
    /// Where everything is at the end.
    pub hash: String,
}

/// What was measured.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// How.
    pub experiment: Experiment,
    /// One row for each share of bodies that are awake.
    pub rows: Vec<Row>,
}

impl Report {
    /// The table for the terminal.
    pub fn table(&self) -> String {
        let mut text = format!(
            "{} boxes on a floor, some of which fall\n\n{:>8}{:>8}{:>12}{:>18}\n",
            self.experiment.boxes, "awake %", "awake", "ms a step", "us a body awake"
        );
        for row in &self.rows {
            let each = if row.awake > 0 {
                format!("{:.2}", row.ms * 1000.0 / row.awake as f64)
            } else {
                "-".to_owned()
            };
            text += &format!("{:>8}{:>8}{:>12.3}{each:>18}\n", row.percent, row.awake, row.ms);
        }
        text
    }

    /// The same as a file.
    pub fn csv(&self) -> String {
        let mut text = String::from("percent,awake,ms\n");
        for row in &self.rows {
            text += &format!("{},{},{:.6}\n", row.percent, row.awake, row.ms);
        }
        text
    }
}
