//! Lazy refits (§3.3): 64 deformables in one scene, of which a frame touches about 15.

use impinge::bounds::Aabb;
use impinge::math::DVec3;
use impinge::query::{IntersectOptions, Scratch};
use impinge::{Deformable, Mesh, Placement, Trs, shapes};

use super::{Fault, Progress, Section, Settings, axis};
use crate::chart::{Chart, Series};
use crate::stopwatch::Stopwatch;

pub(super) const NAME: &str = "lazy-refit";

/// Deformables in the scene.
const COUNT: usize = 64;

/// Poses of the wave that runs through each of them.
const POSES: usize = 32;

/// The edge of the cube in which their centers move: with it, a frame touches 15 of 64 in the mean.
const EDGE: f64 = 12.1;

/// The scene, the same in every run.
pub(super) struct Scene {
    mesh: Mesh,
    poses: Vec<Vec<DVec3>>,
    /// Where each starts, and how far it moves in a frame.
    courses: Vec<[DVec3; 2]>,
}

/// What a run did.
#[derive(Clone, Debug, Default)]
pub(super) struct Run {
    /// Seconds of processor time spent on moving vertices, on trees, and on questions about pairs.
    pub(super) moving: f64,
    pub(super) trees: f64,
    pub(super) questions: f64,
    /// Deformables touched, in the sum over frames.
    pub(super) touched: u64,
    pub(super) refits: u64,
    pub(super) rebuilds: u64,
    /// Frames in which the trees refitted are not as many as the deformables that had to be.
    pub(super) odd_frames: u64,
    /// Pairs that meet, with the frame.
    pub(super) hits: Vec<[u32; 3]>,
    /// Frames, and seconds spent on trees until then, now and then.
    course: Vec<[f64; 2]>,
}

/// When trees are refitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// All, in every frame.
    Eager,
    /// Those of a pair whose boxes overlap.
    Touched,
}

impl Scene {
    pub(super) fn new(frequency: u32) -> Scene {
        let mesh = Mesh::from(shapes::icosphere(0.5, frequency).expect("a sphere of this size can be made"));
        let pose = |pose: usize| {
            let phase = std::f64::consts::TAU * pose as f64 / POSES as f64;
            mesh.vertices().map(|p| p * (1.0 + 0.1 * (6.0 * p.x + phase).sin())).collect()
        };
        let mut state = 64_u64;
        let mut number = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut vector = || DVec3::new(number(), number(), number());
        let courses = (0..COUNT).map(|_| [vector() * EDGE, (vector() - DVec3::splat(0.5)) * 0.1]).collect();
        Scene { poses: (0..POSES).map(pose).collect(), courses, mesh }
    }

    fn placement(&self, body: usize, frame: usize) -> Placement {
        let [start, speed] = self.courses[body];
        // Back and forth between the walls.
        let fold = |x: f64| EDGE - (x.rem_euclid(2.0 * EDGE) - EDGE).abs();
        let at = (start + speed * frame as f64).map(fold);
        Trs::translation(at).expect("numbers are finite").into()
    }

    /// Plays the scene, in which every deformable moves in every frame.
    #[cfg(test)]
    pub(super) fn play(&self, frames: usize, when: When) -> Run {
        let mut player = Player::new(self, when);
        (0..frames).for_each(|frame| player.play(frame, frames));
        player.run
    }
}

/// The scene as it is played in one way.
struct Player<'s> {
    scene: &'s Scene,
    when: When,
    bodies: Vec<Deformable>,
    bounds: Vec<Aabb>,
    scratch: Scratch,
    run: Run,
}

impl Player<'_> {
    fn new(scene: &Scene, when: When) -> Player<'_> {
        let bodies: Vec<Deformable> = (0..COUNT).map(|_| Deformable::new(scene.mesh.clone())).collect();
        bodies.iter().for_each(touch);
        let bounds = vec![Aabb::EMPTY; COUNT];
        Player { scene, when, bodies, bounds, scratch: Scratch::default(), run: Run::default() }
    }

    /// Plays one of so many frames. Trees are timed where they are refitted, apart from the questions.
    fn play(&mut self, frame: usize, frames: usize) {
        let Player { scene, when, bodies, bounds, scratch, run } = self;
        let start = Stopwatch::start();
        for (i, body) in bodies.iter_mut().enumerate() {
            body.set_vertices(&scene.poses[(frame + 5 * i) % POSES]).expect("all are finite");
        }
        run.moving += start.seconds();

        let places: Vec<Placement> = (0..COUNT).map(|body| scene.placement(body, frame)).collect();
        for ((bounds, body), place) in bounds.iter_mut().zip(&*bodies).zip(&places) {
            *bounds = body.at(*place).bounds();
        }
        let (mut pairs, mut touched) = (Vec::new(), [false; COUNT]);
        for i in 0..COUNT {
            for j in (0..i).filter(|&j| bounds[i].overlaps(&bounds[j])) {
                pairs.push([i, j]);
                (touched[i], touched[j]) = (true, true);
            }
        }
        let distinct = touched.iter().filter(|touched| **touched).count() as u64;
        run.touched += distinct;

        let start = Stopwatch::start();
        for (body, touched) in bodies.iter().zip(touched) {
            if touched || *when == When::Eager {
                touch(body);
            }
        }
        run.trees += start.seconds();
        if (frame + 1).is_multiple_of(frames.div_ceil(25)) {
            run.course.push([(frame + 1) as f64, run.trees]);
        }

        let start = Stopwatch::start();
        let ask = IntersectOptions::new().surface_only(true);
        for pair in pairs {
            let [a, b] = pair.map(|body| bodies[body].at(places[body]));
            if a.intersects_in(&b, ask, scratch) {
                run.hits.push([frame as u32, pair[0] as u32, pair[1] as u32]);
            }
        }
        run.questions += start.seconds();
        let refits = bodies.iter().map(|body| body.upkeep().refits).sum();
        let expected = if *when == When::Eager { COUNT as u64 } else { distinct };
        run.odd_frames += u64::from(refits - run.refits != expected);
        run.refits = refits;
        run.rebuilds = bodies.iter().map(|body| body.upkeep().rebuilds).sum();
    }
}

/// Brings a deformable's tree up to date.
fn touch(body: &Deformable) {
    body.model().bvh();
}

pub(super) fn measure(settings: &Settings, progress: Progress<'_>) -> Result<Section, Fault> {
    let (frames, frequency) = settings.effort.pick((10_000, 10), (200, 4));
    let scene = Scene::new(frequency);
    let mut ways = [When::Eager, When::Touched].map(|when| Player::new(&scene, when));
    for frame in 0..frames {
        // In turns, and the first of one frame is the second of the next: what the machine does meanwhile hits both alike.
        ways.iter_mut().for_each(|way| way.play(frame, frames));
        ways.reverse();
        progress((frame + 1) as f64 / frames as f64);
    }
    if ways[0].when != When::Eager {
        ways.reverse();
    }
    let [eager, lazy] = ways.map(|way| way.run);
    if eager.hits != lazy.hits {
        return Err(Fault("lazy and eager refits answer differently".to_owned()));
    }
    if eager.odd_frames + lazy.odd_frames > 0 {
        return Err(Fault("trees were refitted that had not to be, or the other way round".to_owned()));
    }
    let row = |name: &str, run: &Run| {
        let each = |value: f64| format!("{:.4}", value * 1e3 / frames as f64);
        vec![
            name.to_owned(),
            format!("{:.2}", run.touched as f64 / frames as f64),
            format!("{:.2}", run.refits as f64 / frames as f64),
            run.rebuilds.to_string(),
            each(run.moving),
            each(run.trees),
            each(run.questions),
            each(run.moving + run.trees + run.questions),
            run.hits.len().to_string(),
        ]
    };
    let times = |run: &Run| [run.moving, run.trees, run.questions, run.moving + run.trees + run.questions];
    let ratios: Vec<String> =
        times(&eager).iter().zip(times(&lazy)).map(|(eager, lazy)| format!("{:.2}", eager / lazy)).collect();
    let mut rows = vec![row("all refitted", &eager), row("touched ones refitted", &lazy)];
    let mut last = vec![
        "times as fast".to_owned(),
        String::new(),
        format!("{:.2}", eager.refits as f64 / lazy.refits as f64),
        String::new(),
    ];
    last.extend(ratios);
    last.push(String::new());
    rows.push(last);
    let line = |name: &str, run: &Run| Series { name: name.to_owned(), points: run.course.clone() };
    let chart = Chart {
        title: "Time spent on trees".to_owned(),
        axes: [axis("frames", false), axis("seconds", false)],
        series: vec![line("all", &eager), line("touched", &lazy)],
    };
    Ok(Section {
        name: NAME,
        title: format!(
            "Refits of {COUNT} deformables of {} triangles over {frames} frames, {:.2} touched in a frame",
            scene.mesh.face_count(),
            lazy.touched as f64 / frames as f64
        ),
        paper: "15 of 64 refitted in a frame, about 4.26 times as fast",
        paper_ratio: Some(4.26),
        ratio: eager.trees / lazy.trees,
        unit: "times as fast, trees alone",
        columns: vec![
            "trees",
            "touched/frame",
            "refits/frame",
            "rebuilds",
            "move ms",
            "trees ms",
            "questions ms",
            "all ms",
            "hits",
        ],
        rows,
        charts: vec![chart],
    })
}
