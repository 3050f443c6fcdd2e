//! Sweeps (van Waveren 2005): what moving a body costs against a large mesh and a level, beside peers in the same run; the paper's own
//! engine beside impinge's, what each of its shortcuts saves, and what merging a level of brushes into one surface does.

mod level;
mod points;
mod scenes;
mod judge;
mod engines;
mod shortcuts;
mod surfaces;
mod text;
mod tables;
mod comparisons;

pub use engines::{EngineRow, ZONE};
pub use level::level;
pub use points::PointRow;
pub use scenes::Failure;
pub use shortcuts::{ShortcutRow, variants};
pub use surfaces::SurfaceRow;

use impinge::math::DVec3;
use impinge::mesh::MeshError;
use impinge::query::{Scratch, Stats, SweepOptions, SweepStatus};
use impinge::shapes::{self, Random, Shape};
use impinge::{Mesh, Model, Motion, Placement, Trs};
use serde::Serialize;

use crate::peer::{Peer, PeerMesh, PeerModel, PeerPose};
use crate::stopwatch::Stopwatch;
use crate::van_waveren::brushes::{self, Brush};
use crate::zachmann::dop_tree::fitted;

/// How many boxes that move fit side by side along a level that is given: levels of games are about so many players wide.
const PLAYERS_PER_LEVEL: f64 = 100.0;

/// What is measured.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Experiment {
    /// About how many triangles the large mesh has.
    pub triangles: usize,
    /// How many cells the level has along each side.
    pub cells: u32,
    /// How many sweeps of each kind.
    pub sweeps: usize,
    /// How many points are moved.
    pub points: usize,
    /// How many sweeps of each kind the paper's engine makes.
    pub engine_sweeps: usize,
    /// How long a peer may take for one row, in seconds: what it has not answered by then is left out.
    pub patience: f64,
}

impl Experiment {
    /// Meshes of the size of the bunny.
    pub const FULL: Experiment = Experiment {
        triangles: 70_000,
        cells: 64,
        sweeps: 200,
        points: 20_000,
        engine_sweeps: 200,
        patience: 10.0,
    };
    /// The same in a second or two.
    pub const QUICK: Experiment =
        Experiment { triangles: 3_000, cells: 16, sweeps: 10, points: 200, engine_sweeps: 8, patience: 0.5 };
}

/// Sweeps of one mover against one mesh.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// What moves, and its triangles.
    pub mover: &'static str,
    /// See above.
    pub mover_triangles: usize,
    /// What stands still, and its triangles.
    pub target: &'static str,
    /// See above.
    pub target_triangles: usize,
    /// How it moves.
    pub motion: &'static str,
    /// How many of the sweeps are hits.
    pub hits: usize,
    /// Microseconds a sweep, mean.
    pub us: f64,
    /// Pairs of features that were tested, mean.
    pub feature_tests: f64,
    /// Of each peer that can: its name, microseconds a sweep, how many it answered, and how many of these later than impinge by
    /// more than a thousandth of the way.
    pub peers: Vec<PeerRow>,
}

/// What a peer made of the same sweeps.
#[derive(Clone, Debug, Serialize)]
pub struct PeerRow {
    /// Its name.
    pub name: String,
    /// Microseconds a sweep.
    pub us: f64,
    /// How many sweeps it was given.
    pub sweeps: usize,
    /// Answers that are later than impinge's by more than a thousandth of the way, or missing.
    pub late: usize,
}

/// What was measured.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// How.
    pub experiment: Experiment,
    /// One row for each mover, mesh and motion.
    pub rows: Vec<Row>,
    /// The share of internal edges of the large mesh and the level.
    pub internal: [f64; 2],
    /// Points against the level, beside rays that ask the same.
    pub points: PointRow,
    /// The paper's engine beside impinge's.
    pub engines: Vec<EngineRow>,
    /// The paper's engine without each of its shortcuts.
    pub shortcuts: Vec<ShortcutRow>,
    /// Levels of brushes before and after their merge.
    pub surfaces: Vec<SurfaceRow>,
}

/// A body where it starts, and how it moves.
struct Task {
    start: Placement,
    motion: Motion,
    /// Velocity and angular velocity, as peers take them.
    velocity: DVec3,
    spin: DVec3,
}

impl Experiment {
    /// How often [`run`](Self::run) says that it got on.
    pub fn steps(&self, has_level: bool) -> usize {
        12 + 1 + 12 + 1 + if has_level { 3 } else { 0 }
    }

    /// Measures everything, and a level of brushes of the user's where one is given: each group of its faces is a brush. `tick` is told what is being
    /// measured.
    pub fn run(
        &self,
        peers: &[Peer],
        brush_level: Option<&Mesh>,
        mut tick: impl FnMut(&str),
    ) -> Result<Report, Failure> {
        let given = brush_level
            .map(|mesh| {
                let size = mesh.bounds().size().max_element() / PLAYERS_PER_LEVEL;
                scenes::BrushLevel::new("given", Brush::of_groups(mesh)?, size)
            })
            .transpose()?;
        let large = fitted(&Mesh::from(Shape::Bumpy.generate(self.triangles, 0)));
        let targets = [("bumpy", large, 0.1), ("level", level(self.cells, 1)?, 0.4)];
        let targets = targets.map(|(name, mesh, size)| (name, PeerMesh::of(&mesh), Model::new(mesh), size));
        let unit = |mesh: &Mesh| Model::new(fitted(mesh));
        let movers = [
            ("box", unit(&Mesh::from(shapes::cuboid([-1.0; 3], [1.0; 3]).expect("a cube")))),
            ("knot", unit(&Mesh::from(Shape::Knot.generate(500, 0)))),
            ("knot", unit(&Mesh::from(Shape::Knot.generate(5_000, 0)))),
        ];
        let mut rows = Vec::new();
        for (target_name, peer_mesh, target, size) in &targets {
            let theirs: Vec<PeerModel<'_>> =
                peers.iter().filter_map(|peer| peer.prepare(peer_mesh)).collect();
            for (mover_name, mover) in &movers {
                for motion in ["translation", "rotation"] {
                    tick(&format!("{mover_name} {motion} {target_name}"));
                    let tasks = self.tasks(target, mover, *size, motion == "rotation");
                    let mut row = self.row(mover, target, &tasks);
                    (row.row.mover, row.row.target, row.row.motion) = (mover_name, target_name, motion);
                    // Peers take rigid placements only: the mover is made as small as it is to be.
                    let small = PeerMesh::of(&scaled(mover.mesh(), *size)?);
                    for target in &theirs {
                        let mover = target.peer().prepare(&small);
                        let theirs = mover.and_then(|mover| self.peer_row(&mover, target, &tasks, &row));
                        row.row.peers.extend(theirs);
                    }
                    rows.push(row.row);
                }
            }
        }
        tick("points");
        let points = points::measure(&targets[1].2, self.points)?;
        let internal = [0, 1].map(|i: usize| targets[i].2.internal_share());
        let (mut engines, mut shortcuts, mut surfaces) = (Vec::new(), Vec::new(), Vec::new());
        let mut both = |scene: &scenes::Scene, tick: &mut dyn FnMut(&str)| -> Result<(), Failure> {
            tick(&format!("{} {}", scene.name, scene.motion));
            engines.extend(engines::rows(scene)?);
            if scene.name.contains("level") || scene.name == "concave, far" {
                // Without shortcuts a sweep takes long, and a few are as good as all.
                shortcuts.extend(shortcuts::rows(scene, (self.engine_sweeps / 10).max(2))?);
            }
            Ok(())
        };
        for scene in scenes::all(self.cells, self.engine_sweeps)? {
            both(&scene, &mut tick)?;
        }
        let made = scenes::BrushLevel::new("generated", brushes::generated(self.cells, 1), 0.4)?;
        tick("brushes");
        surfaces.extend(surfaces::rows(&made, self.engine_sweeps)?);
        if let Some(given) = &given {
            let [boxes, _] = scenes::level_movers()?;
            for scene in scenes::in_level(
                "box in the given level",
                &boxes,
                &given.separate,
                given.size,
                self.engine_sweeps,
            ) {
                both(&scene, &mut tick)?;
            }
            tick("given brushes");
            surfaces.extend(surfaces::rows(given, self.engine_sweeps)?);
        }
        Ok(Report { experiment: *self, rows, internal, points, engines, shortcuts, surfaces })
    }

    /// Starts around the target, free of it, towards a point near its middle.
    fn tasks(&self, target: &Model, mover: &Model, size: f64, turns: bool) -> Vec<Task> {
        let mut random = Random::new(7);
        let bounds = target.bounds();
        let (middle, half) = (bounds.center(), (bounds.max - bounds.min) / 2.0);
        let standing = target.at(Trs::IDENTITY);
        let mut tasks = Vec::with_capacity(self.sweeps);
        while tasks.len() < self.sweeps {
            let turn = Trs::rotation_about_axis(random.direction(), 360.0 * random.unit()).expect("an axis");
            let at = if turns {
                middle + half * random.in_cube() * 1.1
            } else {
                middle + half.length() * 1.2 * random.direction()
            };
            let start = Trs::new(at, turn.orientation(), DVec3::splat(size)).expect("a place");
            if mover.at(start).intersects(&standing) {
                continue;
            }
            let velocity =
                if turns { DVec3::ZERO } else { 1.5 * (middle + half * random.in_cube() * 0.5 - at) };
            let spin = random.direction();
            let motion = if turns {
                Motion::rotation(at, spin, spin.length().to_degrees())
            } else {
                Motion::translation(velocity)
            };
            tasks.push(Task { start: start.into(), motion: motion.expect("finite"), velocity, spin });
        }
        tasks
    }

    /// Microseconds a sweep, the work of all, and the fraction of each; that of a motion that is not stopped is infinite.
    fn measure(
        &self,
        mover: &Model,
        target: &Model,
        tasks: &[Task],
        ask: SweepOptions,
    ) -> (f64, Stats, Vec<f64>) {
        let scratch = &mut Scratch::default();
        let standing = target.at(Trs::IDENTITY);
        let (mut total, mut work) = (0.0, Stats::default());
        let mut fractions = Vec::with_capacity(tasks.len());
        for task in tasks {
            let moving = mover.at(task.start);
            let mut best = f64::INFINITY;
            for round in 0..3 {
                let watch = Stopwatch::start();
                let found = moving.sweep_in(&task.motion, &standing, ask, scratch);
                best = best.min(watch.nanoseconds());
                if round == 0 {
                    work.box_tests += found.stats.box_tests;
                    work.face_tests += found.stats.face_tests;
                    work.feature_tests += found.stats.feature_tests;
                    let is_clear = found.status == SweepStatus::Clear;
                    fractions.push(if is_clear { f64::INFINITY } else { found.fraction });
                }
            }
            total += best;
        }
        (total / 1000.0 / tasks.len().max(1) as f64, work, fractions)
    }

    fn row(&self, mover: &Model, target: &Model, tasks: &[Task]) -> Measured {
        let (us, work, fractions) = self.measure(mover, target, tasks, SweepOptions::default());
        let row = Row {
            mover: "",
            mover_triangles: mover.mesh().triangle_count(),
            target: "",
            target_triangles: target.mesh().triangle_count(),
            motion: "",
            hits: fractions.iter().filter(|fraction| fraction.is_finite()).count(),
            us,
            feature_tests: work.feature_tests as f64 / tasks.len().max(1) as f64,
            peers: Vec::new(),
        };
        Measured { row, fractions }
    }

    /// The same by a peer, as far as its time goes.
    fn peer_row(
        &self,
        mover: &PeerModel<'_>,
        target: &PeerModel<'_>,
        tasks: &[Task],
        ours: &Measured,
    ) -> Option<PeerRow> {
        let (mut spent, mut sweeps, mut late) = (0.0, 0, 0);
        for (task, fraction) in tasks.iter().zip(&ours.fractions) {
            if spent > self.patience * 1e9 {
                break;
            }
            let trs = task.start.trs()?;
            let rigid = Trs::rigid(trs.position(), trs.orientation()).ok()?;
            let poses = [PeerPose::of(&Placement::IDENTITY), PeerPose::of(&rigid.into())];
            let watch = Stopwatch::start();
            let time = target.cast(
                &poses[0],
                mover,
                &poses[1],
                task.velocity,
                task.spin,
                ours.row.motion == "rotation",
            )?;
            spent += watch.nanoseconds();
            sweeps += 1;
            let theirs = if time < 0.0 { f64::INFINITY } else { time };
            late += usize::from(theirs > fraction + 1e-3);
        }
        let name = target.peer().name().to_owned();
        Some(PeerRow { name, us: spent / 1000.0 / f64::from(sweeps.max(1)), sweeps: sweeps as usize, late })
    }
}

/// A row with what peers are compared to.
struct Measured {
    row: Row,
    fractions: Vec<f64>,
}

fn scaled(mesh: &Mesh, size: f64) -> Result<Mesh, MeshError> {
    let points: Vec<DVec3> = mesh.vertices().map(|vertex| vertex * size).collect();
    let triangles: Vec<[u32; 3]> = (0..mesh.face_count() as u32).flat_map(|face| mesh.fan(face)).collect();
    Mesh::triangles(points, triangles)
}
