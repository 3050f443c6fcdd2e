//! Sweeps that start touching, before an oracle of whole numbers: what parts is clear, what slides gets on with a lift, what presses is
//! a hit at 0, what no lift frees is wedged.
//!
//! `IMPINGE_TOUCHING=200000 cargo test --release -p impinge --test all touching_starts -- --nocapture` for the big run; each start is
//! swept along 26 directions. `IMPINGE_SEED` makes other starts.

use crate::effort::{asked, share};
use crate::oracle::cases::Random;
use crate::touching_oracle::judge::Scene;
use crate::touching_oracle::lattice::{Point, directions, scaled};
use crate::touching_oracle::lift::is_wedged;
use crate::touching_oracle::obstacle::{Obstacle, Standing};
use crate::touching_oracle::polyhedron::{Polyhedron, obstacle, random_polyhedron, touching_translations};
use crate::touching_oracle::shapes::{
    Shape, random_box, random_floor, random_polycube, random_prism, random_surroundings,
};
use crate::touching_oracle::solid::{obstacles, standing_at, touching_start};
use crate::touching_oracle::stage::Stage;
use crate::touching_oracle::surface::{DIVISIONS, Surface};
use crate::touching_oracle::tally::Tally;
use crate::touching_oracle::timeline::{Course, Timeline};
use impinge::query::{Engine, SweepOptions, SweepStatus};
use impinge::{Model, Verdict};

/// A share, in percent, of all touching starts.
fn starts(percent: u64) -> u64 {
    asked("IMPINGE_TOUCHING").unwrap_or_else(|| share(20, 20_000)).saturating_mul(percent).div_ceil(100)
}

fn random_of(salt: u64) -> Random {
    Random(asked("IMPINGE_SEED").unwrap_or(1) << 16 ^ salt)
}

/// Two shapes, where they meet, and the models on a stage; either may be the one that moves.
struct Pair {
    stage: Stage,
    models: [Model; 2],
    /// Where the first meets the second, and where the second meets the first.
    obstacles: [Vec<Obstacle>; 2],
    reach: i64,
}

impl Pair {
    fn of_shapes(a: &Shape, b: &Shape, stage: Stage) -> Pair {
        Pair {
            stage,
            models: [a, b].map(|shape| stage.model(&shape.surface)),
            obstacles: [obstacles(&a.solid, &b.solid), obstacles(&b.solid, &a.solid)],
            reach: a.solid.reach().max(b.solid.reach()),
        }
    }

    fn scene(&self, moving: usize) -> Scene<'_> {
        Scene {
            stage: self.stage,
            moving: &self.models[moving],
            stationary: &self.models[1 - moving],
            obstacles: &self.obstacles[moving],
            reach: self.reach,
        }
    }

    /// Sweeps from a start along a direction and judges the answer.
    fn try_one(&self, moving: usize, start: Point, by: Point, ask: SweepOptions, tally: &mut Tally) {
        let scene = self.scene(moving);
        let sweep = scene.sweep(start, by, ask);
        tally.sweeps += 1;
        let timeline = Timeline::new(scene.obstacles, start, by);
        if timeline.standing() == Standing::Touching {
            tally.see(match timeline.course() {
                Course::Parts if timeline.first_stop().is_some() => "parts and meets something",
                Course::Parts => "parts",
                Course::Slides if sweep.wedged => "wedged",
                Course::Slides if sweep.status == SweepStatus::Hit => "slides and meets something",
                Course::Slides => "slides",
                Course::Presses => "presses",
            });
        }
        if let Err(complaint) = scene.judge(start, by, &sweep) {
            tally.complain(complaint, || {
                let stop = timeline.first_stop();
                let vertices =
                    [moving, 1 - moving].map(|i| self.models[i].mesh().vertices().collect::<Vec<_>>());
                format!(
                    "{start:?} by {by:?}, {:?}, stop {stop:?}, {ask:?}: {sweep:?}\n{:?}\n{vertices:?}",
                    timeline.course(),
                    self.stage
                )
            });
        }
    }

    /// All directions from a touching start, with the engine and the roles that the case asks for.
    fn try_all(&self, case: u64, start: Point, random: &mut Random, tally: &mut Tally) {
        tally.starts += 1;
        let backward = start.map(|x| -x);
        for direction in directions() {
            let by = scaled(direction, [1, 2, 3, 5, 9, 40][random.below(6) as usize]);
            let ask = SweepOptions::new();
            let (moving, start, by) =
                if case.is_multiple_of(2) { (0, start, by) } else { (1, backward, by.map(|x| -x)) };
            self.try_one(moving, start, by, ask, tally);
            if case.is_multiple_of(16) {
                // By brute force, and with the roles exchanged.
                let brute = ask.engine(Engine::Brute);
                self.try_one(moving, start, by, brute, tally);
                self.try_one(1 - moving, start.map(|x| -x), by.map(|x| -x), ask, tally);
            }
        }
    }
}

/// Makes pairs of shapes until there are so many starts, a few on each pair.
fn run(title: &str, count: u64, salt: u64, make: impl Fn(&mut Random) -> (Shape, Shape)) -> Tally {
    let (mut random, mut tally) = (random_of(salt), Tally::default());
    while tally.starts < count {
        let (a, b) = make(&mut random);
        let pair = Pair::of_shapes(&a, &b, Stage::random(&mut random));
        for _ in 0..4 {
            let Some(start) = touching_start(&pair.obstacles[0], &mut random) else { continue };
            let case = tally.starts;
            pair.try_all(case, start, &mut random, &mut tally);
        }
    }
    tally.verdict(title);
    tally
}

#[test]
fn boxes_part_slide_and_press() {
    let tally = run("boxes", starts(40), 1, |random| match random.below(4) {
        0 => (random_box(random), random_floor(random)),
        _ => (random_box(random), random_box(random)),
    });
    for kind in ["parts", "slides", "presses"] {
        assert!(tally.seen(kind) > tally.sweeps / 20, "{kind}");
    }
}

#[test]
fn polycubes_and_prisms_part_slide_press_and_are_wedged() {
    // Few are wedged: with a small share of the starts none would be.
    let least = if cfg!(debug_assertions) { 0 } else { 400 };
    let tally = run("polycubes", starts(5).max(least), 2, |random| {
        let moving = match random.below(3) {
            0 => random_box(random),
            1 => random_polycube(random),
            _ => random_prism(random),
        };
        let stationary = match random.below(3) {
            0 => random_polycube(random),
            1 => random_prism(random),
            _ => random_surroundings(random),
        };
        (moving, stationary)
    });
    for kind in
        ["parts", "slides", "presses", "wedged", "parts and meets something", "slides and meets something"]
    {
        // None so rare that it proves nothing; in debug there are too few to tell.
        assert!(cfg!(debug_assertions) || tally.seen(kind) > tally.sweeps / 1000, "{kind}");
    }
}

#[test]
fn convex_polyhedra_part_slide_and_press() {
    let (mut random, mut tally) = (random_of(3), Tally::default());
    while tally.starts < starts(55) {
        let [a, b] = std::array::from_fn(|_| random_polyhedron(&mut random));
        let surface = |polyhedron: &Polyhedron, random: &mut Random| {
            let division = DIVISIONS[random.below(4) as usize];
            polyhedron.surface().divided(division, random)
        };
        let stage = Stage::random(&mut random);
        let surfaces: [Surface; 2] = [surface(&a, &mut random), surface(&b, &mut random)];
        let pair = Pair {
            stage,
            models: surfaces.map(|surface| stage.model(&surface)),
            obstacles: [vec![obstacle(&a, &b)], vec![obstacle(&b, &a)]],
            reach: a.reach().max(b.reach()),
        };
        let of_kind: Vec<Vec<Point>> = touching_translations(&pair.obstacles[0][0]).into_values().collect();
        for _ in 0..8 {
            let from = &of_kind[random.below(of_kind.len() as u64) as usize];
            let start = from[random.below(from.len() as u64) as usize];
            let case = tally.starts;
            pair.try_all(case, start, &mut random, &mut tally);
        }
    }
    tally.verdict("polyhedra");
    for kind in ["parts", "slides", "presses"] {
        assert!(tally.seen(kind) > tally.sweeps / 50, "{kind}");
    }
}

/// Faces divided in other ways, other orders of faces and vertices: the same answer up to rounding.
#[test]
fn coinciding_edges_and_vertices_change_nothing() {
    let (mut random, mut tally) = (random_of(4), Tally::default());
    for _ in 0..starts(1).div_ceil(4) {
        let (a, b) = (random_polycube(&mut random), random_surroundings(&mut random));
        let [of_a, of_b] = [&a, &b].map(|shape| Surface::of_cells(&shape.solid.cells()));
        let Some(start) = touching_start(&obstacles(&a.solid, &b.solid), &mut random) else { continue };
        tally.starts += 1;
        let pairs: Vec<Pair> = DIVISIONS
            .iter()
            .map(|&division| {
                let [a, b] = [(&a, &of_a), (&b, &of_b)].map(|(shape, surface)| Shape {
                    solid: shape.solid.clone(),
                    surface: surface.divided(division, &mut random),
                });
                Pair::of_shapes(&a, &b, Stage::PLAIN)
            })
            .collect();
        for by in directions().into_iter().map(|direction| scaled(direction, 6)) {
            let sweeps: Vec<_> =
                pairs.iter().map(|pair| pair.scene(0).sweep(start, by, SweepOptions::default())).collect();
            tally.sweeps += sweeps.len() as u64;
            for other in &sweeps[1..] {
                let told =
                    |s: &impinge::query::Sweep| (s.status, s.wedged, s.lift.is_some(), s.fraction == 0.0);
                if told(other) != told(&sweeps[0]) || (other.fraction - sweeps[0].fraction).abs() > 1e-8 {
                    tally.complain("depends on how faces are divided", || {
                        format!("{start:?} {by:?}: {sweeps:?}")
                    });
                }
            }
        }
    }
    tally.verdict("divisions");
    assert!(tally.starts > 0);
}

/// What the oracle says of starts that do not touch, the sweep has always said: this is a test of the oracle.
#[test]
fn starts_that_do_not_touch_agree_too() {
    let (mut random, mut tally) = (random_of(5), Tally::default());
    for case in 0..starts(5) {
        let (a, b) = match case % 3 {
            0 => (random_box(&mut random), random_floor(&mut random)),
            1 => (random_polycube(&mut random), random_surroundings(&mut random)),
            _ => (random_prism(&mut random), random_prism(&mut random)),
        };
        let pair = Pair::of_shapes(&a, &b, Stage::random(&mut random));
        let start: Point = [0; 3].map(|_| random.below(25) as i64 - 12);
        let standing = standing_at(&pair.obstacles[0], start);
        let verdict = pair.scene(0).verdict_at(pair.stage.pose(start));
        let found = match verdict {
            Verdict::Clear => Standing::Clear,
            Verdict::Touching => Standing::Touching,
            Verdict::Overlapping | Verdict::Inside(_) => Standing::Overlapping,
        };
        assert_eq!(found, standing, "case {case}");
        if standing == Standing::Touching {
            tally.see(if is_wedged(&pair.obstacles[0], start) {
                "cannot be lifted"
            } else {
                "can be lifted"
            });
            continue;
        }
        tally.starts += 1;
        for direction in directions() {
            let by = scaled(direction, [1, 5, 40][random.below(3) as usize]);
            pair.try_one(0, start, by, SweepOptions::default(), &mut tally);
        }
    }
    tally.verdict("clear or overlapping");
    assert!(tally.starts > 0);
}
