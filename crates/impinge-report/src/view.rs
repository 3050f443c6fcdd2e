//! Cameras that look at clashes: from outside, at the place where two parts meet, with the smaller of them whole.

use crate::groups::Group;
use crate::report::{Clash, Matrix, Point, Report};

/// The angle between the upper and the lower border of a picture, in degrees. BCF 2.1 allows 45 to 60.
pub(crate) const FIELD_OF_VIEW: f64 = 50.0;
/// How much wider the view is than what must be in it.
const MARGIN: f64 = 1.25;
/// How steeply cameras look down.
const ELEVATION: f64 = 28.0;
/// Directions around the vertical that are tried.
const AZIMUTHS: u32 = 16;

/// Powers of a matrix that show its greatest eigenvector well enough to choose a direction by.
const POWERS: usize = 24;

/// A camera in a world whose third axis points up, in lengths of the scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Camera {
    pub(crate) position: Point,
    /// Unit vectors at right angles.
    pub(crate) forward: Point,
    pub(crate) up: Point,
    /// From the camera to what it looks at.
    pub(crate) distance: f64,
}

/// A box: its least and its greatest corner.
pub(crate) type Bounds = [Point; 2];

pub(crate) fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn minus(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn plus(a: Point, b: Point, times: f64) -> Point {
    [a[0] + b[0] * times, a[1] + b[1] * times, a[2] + b[2] * times]
}

/// The unit vector of a direction; none where it has no length.
pub(crate) fn unit(a: Point) -> Option<Point> {
    let length = dot(a, a).sqrt();
    (length > 0.0 && length.is_finite()).then(|| a.map(|x| x / length))
}

pub(crate) fn moved(m: &Matrix, p: Point) -> Point {
    [0, 1, 2].map(|row| m[4 * row] * p[0] + m[4 * row + 1] * p[1] + m[4 * row + 2] * p[2] + m[4 * row + 3])
}

/// The box around two boxes.
pub(crate) fn around(a: Bounds, b: Bounds) -> Bounds {
    let [mut min, mut max] = a;
    for axis in 0..3 {
        min[axis] = min[axis].min(b[0][axis]);
        max[axis] = max[axis].max(b[1][axis]);
    }
    [min, max]
}

fn middle([min, max]: Bounds) -> Point {
    [0, 1, 2].map(|axis| min[axis] / 2.0 + max[axis] / 2.0)
}

/// Half of a box's diagonal.
fn radius([min, max]: Bounds) -> f64 {
    let half = [0, 1, 2].map(|axis| max[axis] / 2.0 - min[axis] / 2.0);
    dot(half, half).sqrt()
}

/// A scene with its third axis up.
pub(crate) struct Upright<'r> {
    pub(crate) report: &'r Report,
    /// The box around each part at rest; none for those without a shape.
    pub(crate) bounds: Vec<Option<Bounds>>,
    whole: Option<Bounds>,
}

impl<'r> Upright<'r> {
    pub(crate) fn new(report: &'r Report) -> Upright<'r> {
        let mut upright = Upright { report, bounds: Vec::new(), whole: None };
        upright.bounds = (0..report.parts.len()).map(|part| upright.bounds_at(part, None)).collect();
        upright.whole = upright.bounds.iter().flatten().copied().reduce(around);
        upright
    }

    /// A point of the scene. In glTF the second axis points up.
    pub(crate) fn turn(&self, [x, y, z]: Point) -> Point {
        if self.report.z_up { [x, y, z] } else { [x, -z, y] }
    }

    /// Where a part stands at a time of the animation: at the key next to it.
    pub(crate) fn pose(&self, part: usize, time: Option<f64>) -> Matrix {
        let tracks = self.report.animation.iter().flat_map(|animation| &animation.tracks);
        let track = time.and_then(|time| Some((time, tracks.into_iter().find(|track| track.part == part)?)));
        let key = track.and_then(|(time, track)| {
            let keys = track.times.iter().zip(&track.world_from_model);
            let keys = keys.filter_map(|(at, pose)| Some(((at - time).abs(), pose.as_ref()?)));
            keys.min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, pose)| *pose)
        });
        key.unwrap_or(self.report.parts[part].world_from_model)
    }

    fn bounds_at(&self, part: usize, time: Option<f64>) -> Option<Bounds> {
        let model = &self.report.models[self.report.parts[part].model?];
        let pose = self.pose(part, time);
        let points = model.positions.iter().map(|&point| self.turn(moved(&pose, point)));
        points.map(|point| [point; 2]).reduce(around)
    }

    /// Where a clash is: the box around the place where the two meet.
    pub(crate) fn place_of(&self, clash: &Clash) -> Option<Bounds> {
        let corners = clash.bounds.map(|[min, max]| {
            let corners = [self.turn(min), self.turn(max)];
            around([corners[0]; 2], [corners[1]; 2])
        });
        let closest = clash.closest.map(|ends| ends.map(|end| self.turn(end)));
        let closest = closest.map(|[a, b]| around([a; 2], [b; 2]));
        let point = clash.point.map(|point| [self.turn(point); 2]);
        corners.or(closest).or(point)
    }

    /// The smaller part of the gravest clash, which is in the picture as a whole.
    fn smaller(&self, group: &Group) -> Option<usize> {
        let clash = group.gravest(self.report);
        let sized =
            [clash.a, clash.b].into_iter().filter_map(|part| Some((radius(self.bounds[part]?), part)));
        sized.min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, part)| part)
    }

    /// The direction along which a part is long: a vector of up to 1 for a thin rod, and 0 for what is as wide as it is long.
    fn long_axis(&self, part: usize, time: Option<f64>) -> Point {
        let Some(model) = self.report.parts[part].model.map(|model| &self.report.models[model]) else {
            return [0.0; 3];
        };
        let pose = self.pose(part, time);
        let points: Vec<Point> =
            model.positions.iter().map(|&point| self.turn(moved(&pose, point))).collect();
        let count = points.len() as f64;
        let mean = points.iter().fold([0.0; 3], |sum, &point| plus(sum, point, 1.0 / count));
        let covariance = points.iter().fold([[0.0; 3]; 3], |sum, &point| {
            let from = minus(point, mean);
            [0, 1, 2].map(|row| plus(sum[row], from, from[row] / count))
        });
        // The greatest eigenvector, by powers of the matrix: its rows summed up are hardly ever at right angles to it.
        let times = |v: Point| [0, 1, 2].map(|row| dot(covariance[row], v));
        let start = Some([0.61, 0.53, 0.59]);
        let Some(axis) = (0..POWERS).fold(start, |axis, _| unit(times(axis?))) else { return [0.0; 3] };
        let share = dot(axis, times(axis)) / (0..3).map(|k| covariance[k][k]).sum::<f64>();
        if share.is_finite() { axis.map(|x| x * (2.0 * share - 1.0).clamp(0.0, 1.0)) } else { [0.0; 3] }
    }

    /// The camera that looks at the gravest clash of a group.
    pub(crate) fn camera(&self, group: &Group) -> Camera {
        let clash = group.gravest(self.report);
        let moment = clash.moment.or(clash.time);
        let parts = [clash.a, clash.b].map(|part| match moment {
            None => self.bounds[part],
            _ => self.bounds_at(part, moment),
        });
        let smaller =
            parts.into_iter().flatten().min_by(|one, other| radius(*one).total_cmp(&radius(*other)));
        let place = self.place_of(clash).or(smaller).unwrap_or([[0.0; 3], [1.0; 3]]);
        // Both in view: the smaller one as a whole, and the other where they meet.
        let framed = smaller.map_or(place, |smaller| around(smaller, place));
        let target = middle(framed);
        let size = [radius(framed), 1e-3 * self.whole.map_or(1.0, radius), f64::MIN_POSITIVE];
        let size = size.into_iter().fold(0.0, f64::max);
        let distance = MARGIN * size / (FIELD_OF_VIEW / 2.0).to_radians().sin();
        let outward = self.whole.and_then(|whole| unit(minus(middle(place), middle(whole))));
        let across = clash.direction.map(|direction| self.turn(direction));
        let long = self.smaller(group).map(|part| self.long_axis(part, moment));
        let forward = direction(outward, across, long.unwrap_or_default()).map(|x| -x);
        // Never parallel: no camera looks straight down.
        let right = unit(cross(forward, [0.0, 0.0, 1.0])).unwrap_or([1.0, 0.0, 0.0]);
        Camera { position: plus(target, forward, -distance), forward, up: cross(right, forward), distance }
    }
}

/// From what a camera looks at towards it: out of the scene, across the way along which the two reach into each other, and not along a long part.
fn direction(outward: Option<Point>, across: Option<Point>, long: Point) -> Point {
    let (rise, run) = ELEVATION.to_radians().sin_cos();
    let candidates = (0..AZIMUTHS).map(|number| {
        // Off the axes, so that boxes show three sides.
        let angle = (f64::from(number) + 0.6) * std::f64::consts::TAU / f64::from(AZIMUTHS);
        let (sin, cos) = angle.sin_cos();
        [run * cos, run * sin, rise]
    });
    let score = |way: &Point| {
        let out = outward.map_or(0.0, |outward| dot(*way, outward));
        let side = across.map_or(0.0, |across| dot(*way, across).abs());
        let along = dot(*way, long).abs();
        // Of equal ones, from the front and the right, as pictures of CAD do.
        0.6 * out - 0.4 * side - along + 0.01 * (way[0] - way[1])
    };
    candidates.max_by(|one, other| score(one).total_cmp(&score(other))).unwrap_or([0.0, -run, rise])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn cameras_look_at_the_clash_and_see_both_parts() {
        for z_up in [true, false] {
            let mut report = sample::two_boxes();
            report.z_up = z_up;
            report.group_clashes();
            let scene = Upright::new(&report);
            let camera = scene.camera(&report.groups.as_ref().unwrap()[0]);
            let length = |p: Point| dot(p, p).sqrt();
            assert!((length(camera.forward) - 1.0).abs() < 1e-12 && (length(camera.up) - 1.0).abs() < 1e-12);
            assert!(
                dot(camera.forward, camera.up).abs() < 1e-12 && camera.up[2] > 0.0 && camera.forward[2] < 0.0
            );
            // The corners of the place are well inside of the picture.
            let tangent = (FIELD_OF_VIEW / 2.0).to_radians().tan();
            for corner in scene.place_of(&report.clashes[0]).unwrap() {
                let to = minus(corner, camera.position);
                let depth = dot(to, camera.forward);
                assert!(depth > 0.0 && dot(to, camera.up).abs() < tangent * depth);
            }
            // Outside of both.
            for bounds in scene.bounds.iter().flatten() {
                assert!(
                    (0..3).any(|k| camera.position[k] < bounds[0][k] || camera.position[k] > bounds[1][k])
                );
            }
        }
    }

    #[test]
    fn long_parts_are_seen_from_the_side() {
        let mut report = sample::two_boxes();
        report.z_up = true;
        // A rod along a diagonal of the floor, out of the middle of the scene.
        let s = std::f64::consts::FRAC_1_SQRT_2;
        let rod = [20.0 * s, -s, 0.0, 10.0, 20.0 * s, s, 0.0, 10.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        report.parts[0].world_from_model = rod;
        report.parts[1].world_from_model = rod.map(|x| 1.1 * x);
        report.parts[1].world_from_model[15] = 1.0;
        report.group_clashes();
        let scene = Upright::new(&report);
        let axis = scene.long_axis(0, None);
        assert!(dot(axis, [s, s, 0.0]).abs() > 0.95, "{axis:?}");
        assert!(dot(axis, axis) <= 1.0 + 1e-12);
        let camera = scene.camera(&report.groups.as_ref().unwrap()[0]);
        assert!(dot(camera.forward, [s, s, 0.0]).abs() < 0.3, "{camera:?}");
        // What is as wide as it is long has no such axis.
        let cube = sample::two_boxes();
        let axis = Upright::new(&cube).long_axis(0, None);
        assert!(dot(axis, axis) < 1e-6, "{axis:?}");
    }

    #[test]
    fn the_second_axis_of_gltf_points_up() {
        let mut report = sample::two_boxes();
        report.z_up = false;
        assert_eq!(Upright::new(&report).turn([1.0, 2.0, 3.0]), [1.0, -3.0, 2.0]);
        report.z_up = true;
        assert_eq!(Upright::new(&report).turn([1.0, 2.0, 3.0]), [1.0, 2.0, 3.0]);
    }
}
