//! Volumes against a mesh (Maia et al. 2006, §5, Figure 3): what a query costs for every kind of volume and three sizes of it,
//! beside trying all faces.
//!
//! The paper has pictures of these tests and no numbers, but that they take as long as those of the library it started
//! from. So the figures stand beside brute force on the same faces.

use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

use impinge::bounds::DepthRange;
use impinge::glam::dcamera::rh::{proj::opengl, view::look_at_mat4};
use impinge::math::DVec3;
use impinge::query::{Engine, Scratch, Stats, Volume, VolumeOptions};
use impinge::shapes::{Random, Shape};
use impinge::{Mesh, Model, Placed, Trs};
use serde::Serialize;

use crate::zachmann::dop_tree::{fitted, table};

/// What is measured.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Experiment {
    /// About how many triangles the mesh has.
    pub triangles: usize,
    /// How many volumes of each kind and size.
    pub volumes: usize,
    /// How often each is asked about; the fastest round counts.
    pub rounds: usize,
}

impl Experiment {
    /// A mesh of the size of the paper's.
    pub const PAPER: Experiment = Experiment { triangles: 70_000, volumes: 200, rounds: 9 };
    /// The same in a second.
    pub const QUICK: Experiment = Experiment { triangles: 5_000, volumes: 20, rounds: 1 };
}

/// One kind of volume in one size.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The kind.
    pub volume: &'static str,
    /// Its reach, as a share of the model's.
    pub size: f64,
    /// Faces that touch, mean.
    pub faces: f64,
    /// Bounds that were compared, mean.
    pub box_tests: f64,
    /// Triangles that were tested, mean.
    pub face_tests: f64,
    /// Microseconds for the sorted list of faces.
    pub list_us: f64,
    /// Microseconds for whether there is any.
    pub any_us: f64,
    /// Microseconds for the list by trying all faces.
    pub brute_us: f64,
    /// Whether both lists were the same, always.
    pub agrees: bool,
}

/// What was measured.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// How.
    pub experiment: Experiment,
    /// Triangles of the mesh.
    pub triangles: usize,
    /// One row per kind and size.
    pub rows: Vec<Row>,
}

/// The sizes: shares of the model's own.
const SIZES: [f64; 3] = [0.01, 0.1, 0.5];

type Make = fn(&mut Random, DVec3, f64) -> Volume;

/// The kinds of volumes around a point of the surface.
const KINDS: [(&str, Make); 7] = [
    ("aabb", |_, at, size| Volume::aabb(at - DVec3::splat(size), at + DVec3::splat(size)).expect("a box")),
    ("obb", |random, at, size| {
        let turn = Trs::rotation_about_axis(random.direction(), 360.0 * random.unit()).expect("an axis");
        Volume::obb(at, DVec3::splat(size), &turn).expect("a box")
    }),
    ("sphere", |_, at, size| Volume::sphere(at, size).expect("a sphere")),
    ("capsule", |random, at, size| {
        let half = random.direction() * size;
        Volume::capsule(at - half, at + half, 0.5 * size).expect("a capsule")
    }),
    ("plane", |random, at, _| {
        let normal = random.direction();
        Volume::plane(normal, normal.dot(at)).expect("a plane")
    }),
    ("half-space", |_, at, size| {
        // What lies farther out than the point, but for a part of the way to the middle.
        Volume::half_space(-at, -at.dot(at) * (1.0 - size)).expect("a half-space")
    }),
    ("frustum", |random, at, size| {
        let eye = at + random.direction() * size;
        let view = look_at_mat4(eye, at, random.direction());
        let matrix = opengl::perspective(0.8, 1.5, 0.1 * size, 2.0 * size) * view;
        Volume::frustum(matrix.transpose().to_cols_array_2d(), DepthRange::MinusOneToOne).expect("a frustum")
    }),
];

impl Experiment {
    /// How often [`run`](Self::run) says that it got on.
    pub fn steps(&self) -> usize {
        KINDS.len() * SIZES.len()
    }

    /// Measures everything. `tick` is told what is being measured.
    pub fn run(&self, mut tick: impl FnMut(&str)) -> Report {
        let model = Model::new(fitted(&Mesh::from(Shape::Bumpy.generate(self.triangles, 0))));
        let turn = Trs::rotation_about_axis([1.0, 2.0, 3.0], 40.0).expect("an axis").orientation();
        // Scaled as the paper's models are, and so that one side is mirrored.
        let placed = model.at(Trs::new([0.5, -0.25, 0.1], turn, [1.0, -1.25, 0.8]).expect("a place"));
        let mut rows = Vec::new();
        for (name, make) in KINDS {
            for size in SIZES {
                tick(name);
                rows.push(self.row(&placed, name, size, make));
            }
        }
        Report { experiment: *self, triangles: model.mesh().face_count(), rows }
    }

    fn row(&self, placed: &Placed<'_>, name: &'static str, size: f64, make: Make) -> Row {
        let mut random = Random::new(1);
        let mesh = placed.model().mesh();
        let volumes: Vec<Volume> = (0..self.volumes)
            .map(|_| {
                let vertex = mesh.vertex(random.below(mesh.vertex_count() as u32));
                make(&mut random, placed.placement().point_to_world(vertex), size)
            })
            .collect();
        let scratch = &mut Scratch::default();
        let (mut faces, mut expected) = (Vec::new(), Vec::new());
        let (mut work, mut found, mut agrees) = ([0, 0], 0, true);
        let count = |work: &mut [u64; 2], of: Stats| {
            work[0] += of.box_tests;
            work[1] += of.face_tests;
        };
        for volume in &volumes {
            placed.faces_touching_in(
                volume,
                VolumeOptions::new().engine(Engine::Brute),
                scratch,
                &mut expected,
            );
            let of = placed.faces_touching_in(
                volume,
                VolumeOptions::new().engine(Engine::default()),
                scratch,
                &mut faces,
            );
            count(&mut work, of);
            found += faces.len();
            agrees &= faces == expected && placed.touches(volume) != faces.is_empty();
        }
        let brute_us = self.fastest(&volumes, 2, |volume| {
            placed.faces_touching_in(volume, VolumeOptions::new().engine(Engine::Brute), scratch, &mut faces);
            black_box(&faces);
        });
        let list_us = self.fastest(&volumes, self.rounds, |volume| {
            placed.faces_touching_in(
                volume,
                VolumeOptions::new().engine(Engine::default()),
                scratch,
                &mut faces,
            );
            black_box(&faces);
        });
        let any_us = self.fastest(&volumes, self.rounds, |volume| {
            black_box(placed.touches(volume));
        });
        let mean = |sum: u64| sum as f64 / self.volumes as f64;
        Row {
            volume: name,
            size,
            faces: mean(found as u64),
            box_tests: mean(work[0]),
            face_tests: mean(work[1]),
            list_us,
            any_us,
            brute_us,
            agrees,
        }
    }

    /// Microseconds a volume: the mean of each one's fastest round.
    fn fastest(&self, volumes: &[Volume], rounds: usize, mut ask: impl FnMut(&Volume)) -> f64 {
        let mut best = vec![f64::INFINITY; volumes.len()];
        for _ in 0..rounds.max(1) {
            for (volume, best) in volumes.iter().zip(&mut best) {
                let start = Instant::now();
                ask(volume);
                *best = best.min(start.elapsed().as_secs_f64());
            }
        }
        best.iter().sum::<f64>() * 1e6 / volumes.len() as f64
    }
}

impl Report {
    /// Whether trees found what trying all faces found.
    pub fn agrees(&self) -> bool {
        self.rows.iter().all(|row| row.agrees)
    }

    /// The table for the terminal.
    pub fn table(&self) -> String {
        let header = [
            "volume",
            "size",
            "faces",
            "box tests",
            "face tests",
            "list us",
            "ns/face",
            "any us",
            "brute us",
            "brute/list",
        ];
        let mut rows = vec![header.map(str::to_owned).to_vec()];
        for row in &self.rows {
            rows.push(vec![
                row.volume.to_owned(),
                format!("{:.2}", row.size),
                format!("{:.1}", row.faces),
                format!("{:.1}", row.box_tests),
                format!("{:.1}", row.face_tests),
                format!("{:.3}", row.list_us),
                format!("{:.1}", row.list_us * 1e3 / row.faces.max(1.0)),
                format!("{:.3}", row.any_us),
                format!("{:.1}", row.brute_us),
                format!("{:.0}", row.brute_us / row.list_us),
            ]);
        }
        format!(
            "A model of {} triangles, scaled, mirrored and turned; {} volumes a row around points of its surface; sizes \
             in shares of the model's. The fastest of {} rounds of each volume.\n\n{}",
            self.triangles,
            self.experiment.volumes,
            self.experiment.rounds,
            table(&rows, SIZES.len())
        )
    }

    /// The same for other programs.
    pub fn csv(&self) -> String {
        let mut csv = "volume,size,faces,box_tests,face_tests,list_us,any_us,brute_us\n".to_owned();
        for row in &self.rows {
            // Writing to a string cannot fail.
            let _ = writeln!(
                csv,
                "{},{},{},{},{},{:.4},{:.4},{:.4}",
                row.volume,
                row.size,
                row.faces,
                row.box_tests,
                row.face_tests,
                row.list_us,
                row.any_us,
                row.brute_us
            );
        }
        csv
    }
}
