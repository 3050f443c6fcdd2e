//! Points as movers: tests of visibility, beside the rays that ask the same (van Waveren 2005, §6).

use impinge::math::DVec3;
use impinge::mesh::MeshError;
use impinge::query::{Ray, RayOptions, Scratch, SweepOptions, SweepStatus};
use impinge::shapes::Random;
use impinge::{Mesh, Model, Motion, Trs};
use serde::Serialize;

use crate::stopwatch::Stopwatch;

/// Points that move along lines through a level.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PointRow {
    /// How many.
    pub points: usize,
    /// The time of a sweep.
    pub sweep_ns: f64,
    /// The time of a ray from the start to the end of the motion.
    pub ray_ns: f64,
    /// How many sweeps are stopped where the ray hits nothing, or the other way round: one that passes an edge within the margin.
    pub differ: usize,
}

/// How many points are moved before as many rays are cast.
const TURN: usize = 100;

/// Points along random lines through the level, and rays along them, in turns.
pub(super) fn measure(level: &Model, points: usize) -> Result<PointRow, MeshError> {
    let point = Model::new(Mesh::point([0.0; 3])?);
    let mut random = Random::new(3);
    let bounds = level.bounds();
    let mut anywhere = || bounds.center() + (bounds.max - bounds.min) * 0.5 * random.in_cube() + DVec3::Z;
    let paths: Vec<[DVec3; 2]> = (0..points).map(|_| [anywhere(), anywhere()]).collect();
    let standing = level.at(Trs::IDENTITY);
    let scratch = &mut Scratch::default();
    let mut row = PointRow { points, sweep_ns: 0.0, ray_ns: 0.0, differ: 0 };
    for paths in paths.chunks(TURN) {
        let watch = Stopwatch::start();
        let swept: Vec<bool> = paths
            .iter()
            .map(|[from, to]| {
                let place = Trs::translation(*from).expect("finite");
                let motion = Motion::translation(*to - *from).expect("finite");
                let sweep = point.at(place).sweep_in(&motion, &standing, SweepOptions::default(), scratch);
                sweep.status != SweepStatus::Clear
            })
            .collect();
        row.sweep_ns += watch.nanoseconds() / points as f64;
        let watch = Stopwatch::start();
        let cast: Vec<bool> = paths
            .iter()
            .map(|[from, to]| {
                let ray = Ray::segment(*from, *to).expect("two points");
                standing.cast_ray_with(&ray, RayOptions::default()).is_some()
            })
            .collect();
        row.ray_ns += watch.nanoseconds() / points as f64;
        row.differ += swept.iter().zip(&cast).filter(|(swept, cast)| swept != cast).count();
    }
    Ok(row)
}
