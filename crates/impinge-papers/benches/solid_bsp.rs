//! Blow 1997's hard case against trees of bounding volumes: pairs of bodies through the planes of their faces, through
//! trees of boxes and of boxes with their corners cut, and by brute force. Prints microseconds a pair, those of the
//! fastest of some rounds in which all take turns.
//!
//! `cargo bench -p impinge-papers --bench solid_bsp`; with `--test` it only checks, at few places, that all agree.

use std::hint::black_box;
use std::time::Instant;

use impinge::math::{DQuat, DVec3};
use impinge::query::IntersectOptions;
use impinge::shapes::{Random, Shape};
use impinge::{Model, Placement, Trs, Verdict};
use impinge_papers::blow::BspEngine;
use impinge_papers::engine::{Engine, EngineScratch, EngineTrees};

const ENGINES: [Engine; 4] = [Engine::Bsp, Engine::Dop6, Engine::Dop14, Engine::Brute];

/// Two models, and where the second stands.
struct Bench {
    name: &'static str,
    models: [Model; 2],
    world_from_first: Placement,
    places: Vec<Placement>,
}

fn main() {
    // Cargo passes `--bench` to measure; `cargo test --benches` does not.
    let measure = std::env::args().any(|a| a == "--bench") && !std::env::args().any(|a| a == "--test");
    let (places, rounds) = if measure { (200, 25) } else { (4, 1) };
    for shape in [Shape::Hovertank, Shape::CargoBox, Shape::RepairPad] {
        let model = Model::new(shape.generate(0, 0));
        let (cuts, name) = (BspEngine::new(&model).tree().statistics(), shape.name());
        println!(
            "{name:10} {:3} polygons before the cuts, {:3} after; depth {}",
            cuts.polygons, cuts.fragments, cuts.depth
        );
    }
    for shape in [Shape::Knot, Shape::Bumpy, Shape::Icosphere, Shape::Soup] {
        let model = Model::new(shape.generate(if measure { 70_000 } else { 500 }, 0));
        let start = Instant::now();
        let engine = BspEngine::new(&model);
        let tree = engine.tree();
        let (seconds, of) = (start.elapsed().as_secs_f64(), tree.statistics());
        println!(
            "{:10} {} polygons before the cuts, {} after; depth {}, {} bytes a polygon, built in {seconds:.2} s",
            shape.name(),
            of.polygons,
            of.fragments,
            of.depth,
            tree.bytes() / of.polygons
        );
    }
    println!("\n{:26} {:>7}  {:>29} {:>31}", "", "", "whether they meet, µs", "all pairs, µs");
    println!(
        "{:26} {:>7}  {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7}",
        "pair", "meet", "bsp", "dop6", "dop14", "brute", "bsp", "dop6", "dop14", "brute"
    );
    for bench in benches(places) {
        bench.run(rounds);
    }
}

/// Places at about a distance from the origin.
fn around(count: usize, distance: f64) -> Vec<Placement> {
    let mut random = Random::new(3);
    let place = |_| {
        let at = random.direction() * distance * random.between(0.9, 1.1);
        let turn = DQuat::from_axis_angle(random.direction(), random.between(0.0, 6.0));
        Placement::from(Trs::rigid(at, turn).expect("a place"))
    };
    (0..count).map(place).collect()
}

/// Above the floor of a pad, turned and hardly tilted, down to the plate and a little deeper.
fn landings(count: usize) -> Vec<Placement> {
    let mut random = Random::new(4);
    let place = |i: usize| {
        let height = 0.245 + 0.2 * i as f64 / count as f64;
        let at = DVec3::new(random.between(-0.1, 0.1), random.between(-0.1, 0.1), height);
        let turn = DQuat::from_rotation_z(random.between(0.0, 6.0))
            * DQuat::from_rotation_x(random.between(-0.02, 0.02));
        Placement::from(Trs::rigid(at, turn).expect("a place"))
    };
    (0..count).map(place).collect()
}

fn benches(places: usize) -> Vec<Bench> {
    let bench = |name, shapes: [(Shape, usize); 2], scale: f64, places| Bench {
        name,
        models: shapes.map(|(shape, triangles)| Model::new(shape.generate(triangles, 0))),
        world_from_first: Trs::scaling([scale; 3]).expect("a scale").into(),
        places,
    };
    let (boxes, knots) = ([(Shape::CargoBox, 0); 2], [(Shape::Knot, 5000); 2]);
    vec![
        bench("cargo boxes, near", boxes, 1.0, around(places, 2.0)),
        bench("cargo boxes, meeting", boxes, 1.0, around(places, 1.4)),
        bench("hovertank over pad", [(Shape::RepairPad, 0), (Shape::Hovertank, 0)], 2.0, landings(places)),
        bench("hovertanks", [(Shape::Hovertank, 0); 2], 1.0, around(places, 1.1)),
        bench("knots of 5,000, near", knots, 1.0, around(places, 2.1)),
        bench("knots of 5,000, meeting", knots, 1.0, around(places, 1.2)),
        bench(
            "hovertank, knot of 5,000",
            [(Shape::Knot, 5000), (Shape::Hovertank, 0)],
            1.0,
            around(places, 1.2),
        ),
    ]
}

impl Bench {
    fn run(&self, rounds: usize) {
        let trees = [&EngineTrees::new(&self.models[0]), &EngineTrees::new(&self.models[1])];
        let mut scratch = EngineScratch::default();
        let first = self.models[0].at(self.world_from_first);
        // Brute force on thousands of faces takes its time.
        let faces: usize = self.models.iter().map(|model| model.mesh().face_count()).sum();
        let engines = if faces > 1000 { &ENGINES[..3] } else { &ENGINES[..] };
        let mut meeting = 0;
        for &place in &self.places {
            let second = self.models[1].at(place);
            let answers = [Engine::Bsp, Engine::Dop6].map(|engine| {
                let options = IntersectOptions::new().pairs(true);
                engine.intersect([&first, &second], trees, options, &mut scratch)
            });
            assert_eq!(answers[0].verdict, answers[1].verdict, "{}", self.name);
            assert_eq!(answers[0].pairs, answers[1].pairs, "{}", self.name);
            meeting += usize::from(answers[0].verdict != Verdict::Clear);
        }
        let mut times: [[Vec<f64>; 4]; 2] = Default::default();
        for _ in 0..rounds {
            for (i, &engine) in engines.iter().enumerate() {
                for (all, times) in times.iter_mut().enumerate() {
                    let ask = IntersectOptions::new().pairs(all == 1);
                    let start = Instant::now();
                    for &place in &self.places {
                        let second = self.models[1].at(place);
                        if all == 1 {
                            black_box(engine.intersect([&first, &second], trees, ask, &mut scratch));
                        } else {
                            black_box(engine.intersects([&first, &second], trees, ask, &mut scratch));
                        }
                    }
                    times[i].push(start.elapsed().as_secs_f64() * 1e6 / self.places.len() as f64);
                }
            }
        }
        print!("{:26} {:>6.0}% ", self.name, 100.0 * meeting as f64 / self.places.len() as f64);
        for times in times.iter().flatten() {
            match times.iter().copied().reduce(f64::min) {
                Some(time) => print!(" {time:>7.2}"),
                None => print!(" {:>7}", "–"),
            }
        }
        println!();
    }
}
