//! Knott and Pai 2003's measurements: time against the number of objects and of polygons (Figures 9 and 10, by §7.4's protocol), misses
//! against the density of meshes (§7.2), what setting up costs, and pairs beside those of the exact test.

mod accuracy;
mod files;
mod growth;
mod misses;
mod scenes;
mod setup;
mod text;
mod comparisons;

pub use accuracy::{Accuracy, Difference};
pub use comparisons::comparisons;
pub use files::files;
pub use growth::{Growth, Row, Way, power};
pub use misses::Miss;
pub use setup::Setup;
pub use text::tables;

use impinge_image::{Device, ImageError};
use serde::Serialize;

/// Pixels a side, as in the paper.
pub const RESOLUTION: u32 = 256;

/// What is measured.
#[derive(Clone, Debug, Serialize)]
pub struct Experiment {
    /// Placements for each row, chosen at random.
    pub trials: usize,
    /// After so many seconds a row has enough placements; it has at least three. Without it every row has all.
    pub seconds: Option<f64>,
    /// Where one question takes longer than so many seconds, greater numbers are left out.
    pub patience: f64,
    /// Numbers of boxes.
    pub objects: Vec<u32>,
    /// Numbers of polygons of two objects together.
    pub polygons: Vec<usize>,
    /// Numbers of polygons for the misses.
    pub dense: Vec<usize>,
    /// How many boxes are compared with the exact test.
    pub compared: u32,
}

impl Experiment {
    /// The paper's protocol, and as far as 2,000 boxes and 500,000 polygons.
    pub fn paper() -> Experiment {
        Experiment {
            trials: 100,
            seconds: None,
            patience: 4.0,
            objects: vec![50, 100, 200, 500, 1000, 2000],
            polygons: vec![1000, 5000, 20_000, 100_000, 500_000],
            dense: vec![1000, 5000, 20_000, 80_000, 400_000],
            compared: 500,
        }
    }

    /// The same with little of everything.
    pub fn quick() -> Experiment {
        Experiment {
            trials: 3,
            seconds: Some(1.0),
            patience: 0.2,
            objects: vec![20, 40],
            polygons: vec![200, 400],
            dense: vec![200],
            compared: 30,
        }
    }

    /// Whether greater numbers would take too long.
    fn ends_with(&self, rows: &[Row]) -> bool {
        rows.last().is_some_and(|row| row.mean_ms > 1e3 * self.patience)
    }

    /// How often [`run`](Self::run) says that it got on.
    pub fn steps(&self) -> usize {
        growth::WAYS.len() * (self.objects.len() + self.polygons.len()) + self.dense.len() + 2
    }

    /// Measures everything. `open` opens the device, which is measured as well.
    pub fn run(
        &self,
        open: impl Fn() -> Result<Device, ImageError>,
        mut tick: impl FnMut(&str),
    ) -> Result<Report, ImageError> {
        tick("set-up");
        let setup = setup::measure(&open)?;
        let mut device = open()?;
        let objects = growth::over_objects(self, &mut device, &mut tick)?;
        let polygons = growth::over_polygons(self, &mut device, &mut tick)?;
        let misses = misses::measure(self, &mut device, &mut tick)?;
        tick("pairs beside the exact test");
        let accuracy = accuracy::compare(&mut device, self.compared)?;
        let experiment = self.clone();
        Ok(Report { device: device.name(), experiment, setup, objects, polygons, misses, accuracy })
    }
}

/// What was measured.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// What drew.
    pub device: String,
    /// What was asked for.
    pub experiment: Experiment,
    /// What setting up costs.
    pub setup: Vec<Setup>,
    /// Figure 9.
    pub objects: Vec<Growth>,
    /// Figure 10.
    pub polygons: Vec<Growth>,
    /// §7.2's limit.
    pub misses: Vec<Miss>,
    /// Pairs beside those of the exact test.
    pub accuracy: Accuracy,
}

#[cfg(test)]
mod tests;
