//! Where a margin stops a body does not depend on how far the motion would have gone on; and a body that is pushed against a wall
//! again and again does not creep into it.

use crate::effort::{asked, share};
use crate::margin_oracle::case::{Case, Scene};
use crate::margin_oracle::course::{Course, Kind, turned};
use crate::margin_oracle::families;
use crate::margin_oracle::judge::{Effort, judge, minimum};
use crate::margin_oracle::shapes::Shape;
use impinge::Model;
use impinge::glam::{DAffine3, DMat3, DVec3};
use impinge::query::{Scratch, Sweep, SweepOptions, SweepStatus};
use impinge::shapes::Random;

fn number(name: &str, in_debug: u64, in_release: u64) -> u64 {
    asked(name).unwrap_or_else(|| share(in_debug, in_release))
}

/// What two answers to motions that only end elsewhere have to say to each other, in times of the longer motion.
struct Compared<'c> {
    scene: &'c mut Scene,
    kind: Kind,
    margin: f64,
    /// How long the shorter motion is, of the longer.
    share: f64,
    long: &'c Sweep,
    short: &'c Sweep,
}

impl Compared<'_> {
    fn r(&self) -> f64 {
        self.long.rounding.max(self.short.rounding)
    }

    /// A time of the shorter motion as one of the longer. The first half of one motion after another is not prolonged.
    fn in_longer(&self, time: f64) -> f64 {
        match self.kind {
            Kind::Then => time.min(0.5) + (time - 0.5).max(0.0) * self.share,
            _ => time * self.share,
        }
    }

    fn stops(&self) -> [f64; 2] {
        [self.long.fraction, self.in_longer(self.short.fraction)]
    }

    /// What is wrong, if anything.
    fn fault(self) -> Option<&'static str> {
        let (at, short_end) = (self.stops(), self.in_longer(1.0));
        match [self.long.status, self.short.status] {
            [SweepStatus::Hit, SweepStatus::Hit] => {
                let apart = self.scene.between_poses(
                    self.long.world_from_moving.world_from_model(),
                    self.short.world_from_moving.world_from_model(),
                );
                let is_right = apart <= 8.0 * self.r() || self.scene.is_flat_between(at, self.r());
                (!is_right).then_some("stops differ")
            }
            [SweepStatus::Clear, SweepStatus::Clear] => None,
            // The longer is stopped after the end of the shorter.
            [SweepStatus::Hit, SweepStatus::Clear]
                if self.scene.speed * (short_end - at[0]) <= 8.0 * self.r() =>
            {
                None
            }
            [SweepStatus::Hit, SweepStatus::Clear] | [SweepStatus::Clear, SweepStatus::Hit] => {
                // One says that it comes too near and the other that it does not: so it must be about at the margin.
                let from = at[0].min(at[1]);
                let margin = self.margin.min(self.scene.distance(0.0));
                let distance = minimum(self.scene, [from, short_end]);
                let off = (distance - margin).abs();
                (off > self.r() + self.scene.error()).then_some("hit or clear differ")
            }
            _ => Some("verdicts differ"),
        }
    }
}

/// `IMPINGE_PROLONGED=20000 cargo test --release -p impinge --test all motions_that_only_end -- --nocapture` for many.
#[test]
fn motions_that_only_end_elsewhere_stop_at_the_same_place() {
    let count = number("IMPINGE_PROLONGED", 60, 4_000);
    let mut scratch = Scratch::default();
    let mut faults = std::collections::BTreeMap::new();
    let [mut hits, mut pairs] = [0_u64; 2];
    for index in 0..count {
        let case = families::make(asked("IMPINGE_SEED").unwrap_or(2), index);
        let models = case.models();
        let times = match case.course.kind {
            Kind::Translation => vec![1000.0, 10.0, 3.7, 2.0, 1.25, 1.0, 0.6],
            _ => vec![2.0, 1.9, 1.1, 1.001, 1.0, 0.6],
        };
        let sweeps: Vec<(Case, Sweep)> = times
            .iter()
            .map(|times| {
                let prolonged = Case { course: case.course.prolonged(*times), ..case.clone() };
                let sweep = prolonged.sweep_of(&models, case.ask(), &mut scratch);
                (prolonged, sweep)
            })
            .collect();
        let mut scene = Scene::new(&sweeps[0].0);
        let start = scene.distance(0.0);
        // Touching starts have laws of their own; and what the default margin is, is not for this judge to know.
        let is_asked = case.margin == 0.0 || case.margin >= scene.largest_skin();
        if start <= sweeps[0].1.rounding + scene.error() || !is_asked || start < case.margin * (1.0 + 1e-9) {
            continue;
        }
        for i in 1..sweeps.len() {
            // Each with the longest, and with the next shorter one.
            for long in if i == 1 { vec![0] } else { vec![0, i - 1] } {
                let [(long_case, long_sweep), (_, short)] = [&sweeps[long], &sweeps[i]];
                let mut scene = Scene::new(long_case);
                let compared = Compared {
                    scene: &mut scene,
                    kind: case.course.kind,
                    margin: case.margin,
                    share: times[i] / times[long],
                    long: long_sweep,
                    short,
                };
                pairs += 1;
                hits += u64::from(short.status == SweepStatus::Hit);
                if case.margin == 0.0 && short.status != long_sweep.status {
                    // Which margin this is about is not known; that it is hit before the end is judged elsewhere.
                    continue;
                }
                if let Some(fault) = compared.fault() {
                    let entry = faults.entry(fault).or_insert_with(|| (0, String::new()));
                    entry.0 += 1;
                    if entry.1.is_empty() {
                        entry.1 = format!(
                            "case {index}, {} and {} times: {} and {}\n{}\n{long_sweep:?}\n{short:?}",
                            times[long],
                            times[i],
                            long_sweep.fraction * times[long],
                            short.fraction * times[i],
                            case.describe()
                        );
                    }
                }
            }
        }
    }
    println!("{pairs} pairs of motions, {hits} hits");
    for (name, (times, first)) in &faults {
        println!("{times} × {name}, first {first}\n");
    }
    assert!(hits * 5 > pairs, "{hits} {pairs}");
    assert!(
        faults.is_empty(),
        "{:?}",
        faults.iter().map(|(name, (times, _))| (*name, *times)).collect::<Vec<_>>()
    );
}

/// Starts inside of the zone: every one of the motions is judged for itself, and those that are stopped before the end of the shortest are
/// stopped at the same place.
#[test]
fn motions_from_inside_of_the_zone_stop_at_the_same_place() {
    let count = number("IMPINGE_PROLONGED", 60, 4_000);
    let [mut hits, mut wrong] = [0_u64; 2];
    let mut first = String::new();
    for index in 0..count {
        let case = families::make(asked("IMPINGE_SEED").unwrap_or(3), index);
        let models = case.models();
        let mut scratch = Scratch::default();
        let start = Scene::new(&case).distance(0.0);
        let shorter = case.sweep_of(&models, case.ask(), &mut scratch);
        if start >= case.margin || start <= 64.0 * shorter.rounding || shorter.status != SweepStatus::Hit {
            continue;
        }
        for times in [1.3, 2.0] {
            let longer = Case { course: case.course.prolonged(times), ..case.clone() };
            let mut scene = Scene::new(&longer);
            let sweep = longer.sweep_of(&models, case.ask(), &mut scratch);
            let faults = judge(&mut scene, &sweep, case.margin, Effort::COARSE);
            hits += 1;
            let r = sweep.rounding.max(shorter.rounding);
            let apart = scene.between_poses(
                sweep.world_from_moving.world_from_model(),
                shorter.world_from_moving.world_from_model(),
            );
            let (kind, margin) = (case.course.kind, case.margin);
            let compared = Compared {
                scene: &mut scene,
                kind,
                margin,
                share: 1.0 / times,
                long: &sweep,
                short: &shorter,
            };
            let at = compared.stops();
            let is_same =
                sweep.status == SweepStatus::Hit && (apart <= 8.0 * r || scene.is_flat_between(at, r));
            if !is_same || !faults.is_empty() {
                wrong += 1;
                if first.is_empty() {
                    first = format!(
                        "case {index}, {times} times: {apart:e} {faults:?}\n{}\n{sweep:?}\n{shorter:?}",
                        case.describe()
                    );
                }
            }
        }
    }
    println!("{hits} prolonged stops, {wrong} wrong, first {first}");
    assert!(hits * 8 > count, "{hits} of {count}");
    assert_eq!(wrong, 0, "of {hits}");
}

/// A wall in some direction, a body before it, and how high its lowest corner is over the wall.
struct Pushed {
    body: Model,
    points: Vec<DVec3>,
    wall: Model,
    world_from_wall: DAffine3,
    normal: DVec3,
    margin: f64,
}

impl Pushed {
    fn heights(&self, pose: &DAffine3) -> impl Iterator<Item = f64> {
        let shift = pose.translation - self.world_from_wall.translation;
        self.points.iter().map(move |point| self.normal.dot(pose.matrix3 * *point + shift))
    }

    fn height(&self, pose: &DAffine3) -> f64 {
        self.heights(pose).fold(f64::INFINITY, f64::min)
    }

    fn push(&self, pose: &DAffine3, course: &Course, scratch: &mut Scratch) -> Sweep {
        let moving = self.body.try_at(*pose).expect("a pose");
        let wall = self.wall.try_at(self.world_from_wall).expect("a pose");
        let ask = SweepOptions::new().margin(self.margin);
        moving.sweep_in(&course.motion(), &wall, ask, scratch)
    }

    /// A motion whose first direction leads all of the lowest corners into the wall: straight or oblique; or turning, or both.
    fn inward(&self, random: &mut Random, pose: &DAffine3, turns: bool) -> Course {
        let aside = self.normal.cross(random.direction());
        let steep = [1.0, 1.0, 0.1, 1e-2, 1e-3][random.below(5) as usize];
        // Some a few hundred times as long as the body: the default margin must not depend on that.
        let length = 10.0_f64.powf(random.between(-6.0, 2.5)) / steep;
        let by = (aside - self.normal * steep) * length.min(300.0);
        if !turns {
            return Course::translation(by);
        }
        // The corners that count are lowest up to what a turn of the body makes of rounding.
        let lowest = self.height(pose);
        let low: Vec<DVec3> = self
            .points
            .iter()
            .zip(self.heights(pose))
            .filter(|(_, height)| *height < lowest + 1e-3)
            .map(|(point, _)| pose.transform_point3(*point))
            .collect();
        let kind = if random.below(2) == 0 { Kind::Rotation } else { Kind::Rigid };
        for _ in 0..50 {
            let (axis, center) = (random.direction(), pose.translation + random.in_cube() * 2.0);
            let degrees = 10.0_f64.powf(random.between(-3.0, 1.5));
            let by = if kind == Kind::Rigid { by } else { DVec3::ZERO };
            let is_inward = low.iter().all(|corner| {
                let speed = by + axis.cross(*corner - center) * degrees.to_radians();
                self.normal.dot(speed) < -0.05 * speed.length()
            });
            if is_inward {
                return Course { kind, by, center, axis, degrees };
            }
        }
        Course::translation(by)
    }
}

/// `IMPINGE_PUSHES=10000000 cargo test --release -p impinge --test all million_pushes -- --nocapture` for more.
#[test]
fn a_million_pushes_do_not_creep() {
    push(number("IMPINGE_PUSHES", 600, 1_000_000), false);
}

#[test]
fn turns_into_a_wall_do_not_creep() {
    push(number("IMPINGE_PUSHES", 600, 1_000_000) / 10, true);
}

/// Pushes bodies of several kinds against walls, each time from where they were stopped last.
fn push(pushes: u64, turns: bool) {
    let mut random = Random::new(asked("IMPINGE_SEED").unwrap_or(4));
    let mut scratch = Scratch::default();
    let bodies = [Shape::cube(), Shape::spike(0.2), Shape::tetrahedron(), Shape::ell()];
    let margins = [0.0, 0.0, 1e-6, 0.1];
    let set_ups = 12;
    let mut most = 0.0_f64;
    for i in 0..set_ups {
        let shape = bodies[i % 4].clone().mapped(|point| point * 0.5);
        let (axis, degrees) = (random.direction(), random.between(0.0, 180.0));
        // A third of them at right angles to the wall, a third of the walls along the axes.
        let [of_body, of_wall] = [i % 3 != 0, i % 3 == 2].map(|is_turned| {
            let degrees = if is_turned { degrees } else { 0.0 };
            DMat3::from_cols_array_2d(
                &[DVec3::X, DVec3::Y, DVec3::Z].map(|column| turned(column, axis, degrees).to_array()),
            )
        });
        let far = if i == 5 { DVec3::new(1000.0, -2000.0, 700.0) } else { DVec3::ZERO };
        let wall = Shape::sheet(2, 2).mapped(|point| point * 4.0);
        let pushed = Pushed {
            body: Model::new(shape.mesh()),
            points: shape.points.clone(),
            wall: Model::new(wall.mesh()),
            world_from_wall: DAffine3 { matrix3: of_wall, translation: far },
            normal: of_wall * DVec3::Z,
            margin: margins[(i / 3) % 4],
        };
        let start = DAffine3 { matrix3: of_body, translation: far + of_wall * DVec3::new(0.3, 0.2, 3.0) };
        // The default margin may be larger from farther away: what counts is from where a push from there has stopped it.
        let course = Course::translation(pushed.normal * -300.0);
        let there = pushed.push(&start, &course, &mut scratch).world_from_moving;
        let first = pushed.push(there.world_from_model(), &course, &mut scratch);
        assert_eq!(first.status, SweepStatus::Hit);
        let (height, mut r) = (pushed.height(first.world_from_moving.world_from_model()), first.rounding);
        let mut pose = first.world_from_moving;
        for k in 0..pushes / set_ups as u64 {
            let course = pushed.inward(&mut random, pose.world_from_model(), turns);
            let sweep = pushed.push(pose.world_from_model(), &course, &mut scratch);
            r = r.max(sweep.rounding);
            assert_eq!(sweep.status, SweepStatus::Hit, "set-up {i}, push {k}: {course:?}");
            pose = sweep.world_from_moving;
            let crept = height - pushed.height(pose.world_from_model());
            most = most.max(crept / r);
            assert!(crept <= r, "set-up {i}, push {k}: {crept:e}, r {r:e}, {course:?}\n{sweep:?}");
        }
    }
    println!("{pushes} pushes crept by up to {most} r");
}
