//! Which lifts free a body from all that it touches, and what becomes of a lifted motion among boxes.

use super::lattice::{Point, Ratio, dot};
use super::obstacle::{Obstacle, Standing};
use impinge::math::DVec3;

/// The obstacles that a point touches, each by the normals of the planes it lies on. Near the point, an obstacle is where none of
/// them rises.
fn contacts(obstacles: &[Obstacle], x: Point) -> Vec<Vec<Point>> {
    let touched = obstacles.iter().filter(|obstacle| obstacle.standing_at(x) == Standing::Touching);
    touched.map(|obstacle| obstacle.active(x).collect()).collect()
}

/// Whether a direction leads out of everything that is touched.
fn is_free(contacts: &[Vec<Point>], u: Point) -> bool {
    contacts.iter().all(|normals| normals.iter().any(|normal| dot(*normal, u) > 0))
}

/// Whether no direction at all parts all contacts of boxes. What a direction parts, all those near it part; which boxes it parts,
/// depends on its signs alone; so one of the eight that have no zero parts all, if any does.
pub fn is_wedged(obstacles: &[Obstacle], x: Point) -> bool {
    let contacts = contacts(obstacles, x);
    let octants = (0..8).map(|code| [0, 1, 2].map(|k| if code >> k & 1 == 0 { 1 } else { -1 }));
    !octants.into_iter().any(|u| is_free(&contacts, u))
}

/// Lifts after which the motion stays free of everything that is touched at the start. Not every one is tried.
pub fn lifts_that_get_on(obstacles: &[Obstacle], x: Point, by: Point) -> impl Iterator<Item = Point> {
    const TRIED: [i64; 4] = [-4, -1, 1, 4];
    let contacts = contacts(obstacles, x);
    let lifts = (0..64).map(|code| [TRIED[code % 4], TRIED[code / 4 % 4], TRIED[code / 16]]);
    lifts.filter(move |u| contacts.iter().all(|normals| stays_free(normals, *u, by)))
}

/// Whether there is such a lift: then the motion must get on.
pub fn can_get_on(obstacles: &[Obstacle], x: Point, by: Point) -> bool {
    lifts_that_get_on(obstacles, x, by).next().is_some()
}

/// Whether u + t · by is out of an obstacle for all t ≥ 0: above one plane until then, above another since before then.
fn stays_free(normals: &[Point], u: Point, by: Point) -> bool {
    let (mut until, mut since) = (None::<Ratio>, None::<Ratio>);
    for normal in normals {
        let (height, speed) = (dot(*normal, u), dot(*normal, by));
        if height > 0 && speed >= 0 {
            return true;
        }
        if height > 0 {
            let time = Ratio::new(height, -speed);
            until = Some(until.map_or(time, |most| most.max(time)));
        } else if speed > 0 {
            let time = Ratio::new(-height, speed);
            since = Some(since.map_or(time, |least| least.min(time)));
        }
    }
    matches!((until, since), (Some(until), Some(since)) if since < until)
}

/// A motion among boxes after a lift, in `f64`: the lift is many roundings long, and all else is whole.
pub struct Lifted<'o> {
    pub obstacles: &'o [Obstacle],
    pub start: Point,
    pub by: Point,
    pub lift: DVec3,
}

impl Lifted<'_> {
    /// The interval of one coordinate of an obstacle, relative to the lifted start.
    fn slab(&self, obstacle: &Obstacle, axis: usize) -> [f64; 2] {
        let [min, max] = obstacle.bounds.expect("a box");
        // The difference of whole numbers is exact, so that nothing is lost of the lift.
        [min, max].map(|corner| (corner[axis] - self.start[axis]) as f64 - self.lift[axis])
    }

    /// When the lifted body first meets something, up to the end of the motion.
    pub fn first_touch(&self) -> Option<f64> {
        let times = self.obstacles.iter().filter_map(|obstacle| {
            let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
            for axis in 0..3 {
                let [low, high] = self.slab(obstacle, axis);
                let speed = self.by[axis] as f64;
                if speed == 0.0 {
                    if low > 0.0 || high < 0.0 {
                        return None;
                    }
                    continue;
                }
                let (a, b) = (low / speed, high / speed);
                enters = enters.max(a.min(b));
                leaves = leaves.min(a.max(b));
            }
            (enters <= leaves).then_some(enters)
        });
        times.min_by(f64::total_cmp)
    }

    /// How far apart the bodies are at a time.
    pub fn distance(&self, time: f64) -> f64 {
        let distances = self.obstacles.iter().map(|obstacle| self.distance_to(obstacle, time));
        distances.fold(f64::INFINITY, f64::min)
    }

    fn distance_to(&self, obstacle: &Obstacle, time: f64) -> f64 {
        let gap = |axis: usize| {
            let [low, high] = self.slab(obstacle, axis);
            let x = self.by[axis] as f64 * time;
            (low - x).max(x - high).max(0.0)
        };
        DVec3::new(gap(0), gap(1), gap(2)).length()
    }

    /// The least distance in a window of time.
    fn least_distance(&self, [from, to]: [f64; 2]) -> f64 {
        let reach = (to - from) * DVec3::from_array(self.by.map(|x| x as f64)).length();
        let mut least = self.distance(from);
        for obstacle in self.obstacles {
            if self.distance_to(obstacle, from) > least + reach {
                continue;
            }
            // A convex function of time.
            let (mut a, mut b) = (from, to);
            for _ in 0..60 {
                let (left, right) = (a + (b - a) / 3.0, b - (b - a) / 3.0);
                if self.distance_to(obstacle, left) <= self.distance_to(obstacle, right) {
                    b = right;
                } else {
                    a = left;
                }
            }
            least = least.min(self.distance_to(obstacle, a)).min(self.distance_to(obstacle, to));
        }
        least
    }

    /// The times at which a coordinate enters or leaves an obstacle's, in no order.
    pub fn events(&self) -> Vec<f64> {
        let mut times = Vec::new();
        for obstacle in self.obstacles {
            for axis in (0..3).filter(|&axis| self.by[axis] != 0) {
                times.extend(self.slab(obstacle, axis).map(|x| x / self.by[axis] as f64));
            }
        }
        times
    }

    /// The greatest distance up to a time, of many that are looked at: next to all times at which a coordinate enters or leaves.
    fn greatest_distance(&self, to: f64) -> f64 {
        let mut times = self.events();
        times.extend([0.0, to]);
        times.retain(|time| (0.0..=to).contains(time));
        times.sort_by(f64::total_cmp);
        times.dedup();
        let between = times.windows(2).map(|pair| f64::midpoint(pair[0], pair[1]));
        times.iter().copied().chain(between).map(|time| self.distance(time)).fold(0.0, f64::max)
    }

    /// Whether something stands in the way within a window of time that begins at a stop: the bodies would come nearer to each other
    /// than the skin and than they have been, by more than the noise.
    pub fn is_stopped(&self, stop: f64, window: f64, skin: f64, noise: f64) -> bool {
        let kept = skin.min(self.greatest_distance(stop));
        self.least_distance([stop, (stop + window).min(1.0)]) < kept - noise
    }
}
