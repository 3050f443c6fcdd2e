//! Two bodies, a motion and a margin; and the true distance of the two at any time of it.

use super::course::{Course, Kind};
use super::distance::Soup;
use super::shapes::Shape;
use impinge::Model;
use impinge::glam::{DAffine3, DVec3};
use impinge::query::{Scratch, Sweep, SweepOptions};

/// What a sweep is asked.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) mover: Shape,
    pub(crate) obstacle: Shape,
    pub(crate) world_from_mover: DAffine3,
    pub(crate) world_from_obstacle: DAffine3,
    /// In the world.
    pub(crate) course: Course,
    /// The margin that is asked for, in the world.
    pub(crate) margin: f64,
}

impl Case {
    pub(crate) fn models(&self) -> [Model; 2] {
        [Model::new(self.mover.mesh()), Model::new(self.obstacle.mesh())]
    }

    /// What the library says, with models that were made of this case's shapes.
    pub(crate) fn sweep_of(&self, models: &[Model; 2], ask: SweepOptions, scratch: &mut Scratch) -> Sweep {
        let moving = models[0].try_at(self.world_from_mover).expect("a placement");
        let stationary = models[1].try_at(self.world_from_obstacle).expect("a placement");
        moving.sweep_in(&self.course.motion(), &stationary, ask, scratch)
    }

    pub(crate) fn ask(&self) -> SweepOptions {
        SweepOptions::new().margin(self.margin)
    }

    pub(crate) fn sweep(&self) -> Sweep {
        self.sweep_of(&self.models(), self.ask(), &mut Scratch::default())
    }

    /// In one line, to make it again by hand.
    pub(crate) fn describe(&self) -> String {
        let Case { world_from_mover, world_from_obstacle, course, margin, .. } = self;
        format!(
            "{} at {world_from_mover:?}, {} at {world_from_obstacle:?}, {course:?}, margin {margin:e}",
            self.mover.name, self.obstacle.name
        )
    }
}

/// The two bodies of a case on their way, as the judge sees them: from the obstacle's origin, so that nothing is lost far from the
/// world's.
pub(crate) struct Scene {
    start: Vec<DVec3>,
    faces: Vec<[u32; 3]>,
    model: Vec<DVec3>,
    obstacle: Soup,
    course: Course,
    pivot: DVec3,
    /// No point of the mover is faster, per unit of time.
    pub(crate) speed: f64,
    /// The largest length that is computed with.
    extent: f64,
    /// Of each body, the diagonal of its box.
    pub(crate) sizes: [f64; 2],
    /// The largest number of all that is given in the world.
    coordinates: f64,
    moved: Soup,
    places: Vec<DVec3>,
    nearest: [usize; 2],
}

/// The longest of some vectors.
fn longest(vectors: impl Iterator<Item = DVec3>) -> f64 {
    vectors.fold(0.0_f64, |most, vector| most.max(vector.length()))
}

fn diagonal(points: &[DVec3]) -> f64 {
    let low = points.iter().fold(DVec3::INFINITY, |low, p| low.min(*p));
    let high = points.iter().fold(DVec3::NEG_INFINITY, |high, p| high.max(*p));
    (high - low).length()
}

impl Scene {
    pub(crate) fn new(case: &Case) -> Scene {
        let pivot = case.world_from_obstacle.translation;
        let place = |map: &DAffine3, shape: &Shape| -> Vec<DVec3> {
            let shift = map.translation - pivot;
            shape.points.iter().map(|point| map.matrix3 * *point + shift).collect()
        };
        let start = place(&case.world_from_mover, &case.mover);
        let still = place(&case.world_from_obstacle, &case.obstacle);
        let course = case.course.seen_from(pivot);
        let bodies = longest(start.iter().copied()) + longest(still.iter().copied());
        let extent = bodies + course.by.length() + 2.0 * course.center.length();
        let center = if course.kind == Kind::Translation { DVec3::ZERO } else { case.course.center };
        let coordinates = bodies + longest([pivot, case.world_from_mover.translation, center].into_iter());
        Scene {
            speed: course.speed(&start),
            extent,
            sizes: [diagonal(&start), diagonal(&still)],
            coordinates,
            obstacle: Soup::of(&still, &case.obstacle.faces),
            model: case.mover.points.clone(),
            faces: case.mover.faces.clone(),
            start,
            course,
            pivot,
            moved: Soup::default(),
            places: Vec::new(),
            nearest: [0, 0],
        }
    }

    /// What a distance of this judge may be off by: 64 roundings of the largest length.
    pub(crate) fn error(&self) -> f64 {
        32.0 * f64::EPSILON * self.extent
    }

    /// The default margin is not larger than this.
    pub(crate) fn largest_skin(&mut self) -> f64 {
        let apart = self.distance(0.0);
        let of_sizes = (self.sizes[0] + self.sizes[1] + apart) / (1_u64 << 35) as f64;
        of_sizes.max(self.coordinates * 32.0 / (1_u64 << 46) as f64)
    }

    /// A stated rounding is no larger than this: 6 × 2⁻⁴⁶ of a power of two above the largest number of a leg. That is twice how far the
    /// body and the axis are away, both of which travel (4), what is traveled to where the leg is cut, at most twice as far, along
    /// axes turned by any angle (2 √3), and how far the start of the leg is from the world's origin (1).
    pub(crate) fn largest_rounding(&self) -> f64 {
        6.0 * 2.0 * (9.0 * self.extent + 2.0 * self.coordinates) / (1_u64 << 46) as f64
    }

    fn measure(&mut self) -> f64 {
        self.moved.set(&self.places, &self.faces);
        let (distance, nearest) = self.moved.distance(&self.obstacle, self.nearest);
        self.nearest = nearest;
        distance
    }

    /// The distance at a time of the motion, and anywhere beyond its end.
    pub(crate) fn distance(&mut self, time: f64) -> f64 {
        self.places.clear();
        self.places.extend(self.start.iter().map(|point| self.course.at(*point, time)));
        self.measure()
    }

    /// The distance with the mover somewhere else.
    pub(crate) fn distance_at(&mut self, world_from_mover: &DAffine3) -> f64 {
        let shift = world_from_mover.translation - self.pivot;
        self.places.clear();
        self.places.extend(self.model.iter().map(|point| world_from_mover.matrix3 * *point + shift));
        self.measure()
    }

    /// How far a pose is from where the motion is at a time: of all corners, the largest distance.
    pub(crate) fn pose_error(&self, world_from_mover: &DAffine3, time: f64) -> f64 {
        let shift = world_from_mover.translation - self.pivot;
        let corners = self.model.iter().zip(&self.start);
        longest(
            corners.map(|(point, start)| {
                world_from_mover.matrix3 * *point + shift - self.course.at(*start, time)
            }),
        )
    }

    /// How far two poses of the mover are apart: of all corners, the largest distance.
    pub(crate) fn between_poses(&self, one: &DAffine3, two: &DAffine3) -> f64 {
        let shift = one.translation - two.translation;
        longest(self.model.iter().map(|point| one.matrix3 * *point - two.matrix3 * *point + shift))
    }

    /// Whether the distance changes by no more than 2 r between two times: the way is so flat there that a stop at either is right.
    pub(crate) fn is_flat_between(&mut self, [one, two]: [f64; 2], r: f64) -> bool {
        let times = (0..=16).map(|i| one + (two - one) * f64::from(i) / 16.0);
        let distances: Vec<f64> = times.map(|time| self.distance(time)).collect();
        let low = distances.iter().copied().fold(f64::INFINITY, f64::min);
        let high = distances.iter().copied().fold(0.0, f64::max);
        high - low <= 2.0 * r + self.error()
    }
}
