//! Conservative advancement for any motion of two bodies: as far as nothing can have touched, then measure again.
//!
//! It serves motions that sweeps do not know: the joints of a robot, an animation, two bodies that both turn. It needs the poses at
//! a time, and an upper bound of the relative speed of their points.

use super::answer::SweepStatus;
use crate::model::{Feature, Model};
use crate::query::distance::{DistanceOptions, distance};
use crate::query::intersect;
use crate::query::scratch::Scratch;
use crate::query::verdict::{IntersectOptions, Verdict};
use impinge_core::tolerance::{DISTANCE_ABSOLUTE, DISTANCE_RELATIVE};
use impinge_core::transform::Placement;

/// The trajectory of two bodies, for times from 0 to 1.
pub trait Trajectory {
    /// The poses of the two at a time. `None` where one of them has no place, such as one that is scaled to nothing: the motion ends
    /// before that, and counts as a hit.
    fn poses(&self, time: f64) -> Option<[Placement; 2]>;

    /// An upper bound of the relative speed of any point of the one and any of the other, between two times. Infinity where nothing
    /// is known.
    fn speed(&self, from: f64, to: f64) -> f64;
}

/// The result of conservative advancement: how far two bodies get.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Advancement {
    /// The outcome of the motion.
    pub status: SweepStatus,
    /// The time of impact as a fraction of the motion: never later than the first true touch.
    pub fraction: f64,
    /// The poses of the two at that time.
    pub poses: [Placement; 2],
    /// An upper bound of their distance at that time; infinity where that was not asked for.
    pub bound: f64,
    /// The closest features of each at that time.
    pub features: [Option<Feature>; 2],
    /// The number of times that their distance was measured.
    pub steps: u32,
}

/// More steps than this are not made: what is as slow as that counts as a hit.
const MOST_STEPS: u32 = 100_000;

/// Moves two models until they are closer than `tolerance`, which should be more than 1e-12 of the largest coordinate, or until
/// the end.
///
/// The fraction returned is never later than the first true touch, and the two do not touch there, unless they do at the start; on a
/// hit they are no farther apart than the bound says, which is more than the tolerance only where steps became too small to count.
pub fn conservative_advancement(
    models: [&Model; 2],
    path: &impl Trajectory,
    tolerance: f64,
    scratch: &mut Scratch,
) -> Advancement {
    let mut time = 0.0;
    let mut steps = 0;
    let at = |time: f64| {
        let poses = path.poses(time)?;
        Some((poses, [models[0].at(poses[0]), models[1].at(poses[1])]))
    };
    let answer = |status, fraction, poses, bound, features, steps| Advancement {
        status,
        fraction,
        poses,
        bound,
        features,
        steps,
    };
    let mut last = [Placement::IDENTITY; 2];
    loop {
        let Some((poses, [a, b])) = at(time) else {
            return answer(SweepStatus::Hit, time, last, f64::INFINITY, [None; 2], steps);
        };
        last = poses;
        steps += 1;
        let Some(found) = distance(&a, &b, DistanceOptions::default(), scratch) else {
            return answer(SweepStatus::Hit, time, poses, f64::INFINITY, [None; 2], steps);
        };
        if time == 0.0 && found.distance == 0.0 {
            // Only now it matters how they meet.
            let status = match intersect(&a, &b, IntersectOptions::default(), scratch).verdict {
                Verdict::Clear | Verdict::Touching => SweepStatus::Hit,
                _ => SweepStatus::StartedOverlapping,
            };
            return answer(status, 0.0, poses, 0.0, [found.feature_a, found.feature_b], steps);
        }
        // What the distance may be off by.
        let size = a
            .bounds()
            .min
            .abs()
            .max(a.bounds().max.abs())
            .max(b.bounds().min.abs())
            .max(b.bounds().max.abs());
        let error = DISTANCE_RELATIVE * found.distance + 8.0 * DISTANCE_ABSOLUTE * size.max_element();
        let features = [found.feature_a, found.feature_b];
        let step = step_from(path, time, found.distance - error);
        if found.distance <= tolerance || steps >= MOST_STEPS || time + step <= time {
            return answer(SweepStatus::Hit, time, poses, found.distance + error, features, steps);
        }
        if time + step >= 1.0 {
            return match at(1.0) {
                Some((poses, _)) => answer(SweepStatus::Clear, 1.0, poses, f64::INFINITY, [None; 2], steps),
                None => answer(SweepStatus::Hit, time, poses, f64::INFINITY, [None; 2], steps),
            };
        }
        time += step;
    }
}

/// How far time can go without the two coming together, if they are so far apart.
fn step_from(path: &impl Trajectory, time: f64, apart: f64) -> f64 {
    if apart <= 0.0 {
        return 0.0;
    }
    let mut to = 1.0;
    // The bound may be tighter for a shorter time.
    for _ in 0..8 {
        let step = apart / path.speed(time, to);
        if time + step >= to {
            return to - time;
        }
        let shorter = time + 4.0 * step;
        if shorter >= to || step == 0.0 {
            return step * (1.0 - 4.0 * f64::EPSILON);
        }
        to = shorter;
    }
    apart / path.speed(time, to) * (1.0 - 4.0 * f64::EPSILON)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes;
    use impinge_core::math::DVec3;
    use impinge_core::transform::{Motion, Trs};

    /// Two rods that turn towards each other like the hands of a clock.
    struct Hands(f64);

    impl Trajectory for Hands {
        fn poses(&self, time: f64) -> Option<[Placement; 2]> {
            let turn = |degrees| Trs::rotation_about_axis(DVec3::Z, degrees).ok().map(Placement::from);
            Some([turn(self.0 * time)?, turn(90.0 - self.0 * time)?])
        }

        fn speed(&self, _: f64, _: f64) -> f64 {
            2.0 * 2.01 * self.0.to_radians()
        }
    }

    #[test]
    fn hands_of_a_clock_meet_half_way() {
        let rod = Model::new(shapes::cuboid([0.5, -0.01, -0.01], [2.0, 0.01, 0.01]).expect("a rod"));
        let mut scratch = Scratch::default();
        let found = conservative_advancement([&rod, &rod], &Hands(80.0), 1e-9, &mut scratch);
        // The nearest corners, (0.5, ±0.01), are 2 · 0.01 of an angle apart when the hands are.
        let angle = 45.0 - (0.01_f64 / 0.5).atan().to_degrees();
        assert_eq!(found.status, SweepStatus::Hit);
        assert!(found.fraction <= angle / 80.0 && found.fraction > angle / 80.0 - 1e-8, "{found:?} {angle}");
        assert!(found.bound < 2e-9);
        assert_eq!(
            conservative_advancement([&rod, &rod], &Hands(40.0), 1e-9, &mut scratch).status,
            SweepStatus::Clear
        );
        // The same with one of them standing still is a sweep.
        let motion = Motion::rotation([0.0; 3], [0.0, 0.0, 1.0], 160.0).expect("finite");
        let sweep = rod.at(Trs::IDENTITY).sweep(&motion, &rod.at(Hands(0.0).poses(0.0).expect("poses")[1]));
        assert!((sweep.fraction - found.fraction).abs() < 1e-8);
    }
}
