//! Answers that a sweep could rightly give, made from the oracle: the judge must accept them, or it is wrong itself.

use impinge::Placement;
use impinge::math::DVec3;
use impinge::query::{Sweep, SweepStatus};

use super::judge::{Scene, lifted};
use super::lattice::{Point, dot};
use super::lift::{Lifted, is_wedged, lifts_that_get_on};
use super::obstacle::Standing;
use super::timeline::{Course, Timeline};

/// The default skin of the answers, as a part of the bodies' size.
const SKIN: f64 = 1.0 / (1_u64 << 35) as f64;

/// An answer for a start that touches. `donor` is any hit: answers cannot be made from nothing.
pub fn answer(scene: &Scene<'_>, start: Point, by: Point, donor: &Sweep) -> Sweep {
    let timeline = Timeline::new(scene.obstacles, start, by);
    assert_eq!(timeline.standing(), Standing::Touching);
    let skin = SKIN * scene.reach as f64;
    // Boxes are met at a sine of at least 1/√3.
    let early = 2.0 * skin / DVec3::from_array(by.map(|x| x as f64)).length();
    match timeline.course() {
        Course::Presses => made(scene, start, by, donor, Some(0.0), None),
        Course::Parts => {
            let stop = timeline.first_stop().map(|stop| stop.to_f64() - early);
            made(scene, start, by, donor, stop, None)
        }
        Course::Slides => match lift(scene, start, by) {
            None => {
                let mut wedged = made(scene, start, by, donor, Some(0.0), None);
                wedged.wedged = true;
                wedged
            }
            Some(direction) => {
                let lift = DVec3::from_array(direction.map(|x| x as f64)).normalize() * skin;
                let stop = stop_of_lifted(scene, start, by, lift, early);
                made(scene, start, by, donor, stop, Some(lift))
            }
        },
    }
}

fn lift(scene: &Scene<'_>, start: Point, by: Point) -> Option<Point> {
    let [obstacle] = scene.obstacles else {
        assert!(scene.obstacles.iter().all(|obstacle| obstacle.bounds.is_some()));
        let found = lifts_that_get_on(scene.obstacles, start, by).next();
        assert!(found.is_none() || !is_wedged(scene.obstacles, start));
        return found;
    };
    obstacle.active(start).find(|normal| dot(*normal, by) == 0)
}

/// Where a lifted body comes nearer to something than it may, by looking at the times at which coordinates enter.
fn stop_of_lifted(scene: &Scene<'_>, start: Point, by: Point, lift: DVec3, early: f64) -> Option<f64> {
    if scene.obstacles.iter().any(|obstacle| obstacle.bounds.is_none()) {
        return None;
    }
    let path = Lifted { obstacles: scene.obstacles, start, by, lift };
    let mut times = path.events();
    times.retain(|time| *time > 4.0 * early && *time <= 1.0 + early);
    times.sort_by(f64::total_cmp);
    let skin = lift.length();
    times
        .into_iter()
        .map(|time| (time - early).min(1.0))
        .find(|&stop| path.is_stopped(stop, 4.0 * early, skin, 1e-3 * skin))
}

fn made(
    scene: &Scene<'_>,
    start: Point,
    by: Point,
    donor: &Sweep,
    stop: Option<f64>,
    lift_on_lattice: Option<DVec3>,
) -> Sweep {
    let mut sweep = donor.clone();
    let lift = lift_on_lattice.map(|lift| scene.stage.world_from_lattice(lift));
    sweep.status = if stop.is_some() { SweepStatus::Hit } else { SweepStatus::Clear };
    sweep.fraction = stop.unwrap_or(1.0);
    sweep.lift = lift;
    sweep.wedged = false;
    sweep.hit = donor.hit.filter(|_| stop.is_some());
    sweep.phase = donor.phase.filter(|_| stop.is_some());
    sweep.world_from_moving =
        Placement::try_from(scene.motion(by).carry(&lifted(scene.stage.pose(start), lift), sweep.fraction))
            .expect("a placement");
    sweep
}
