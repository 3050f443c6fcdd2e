//! Features of a body that moves along a line and turns at once.

use super::{Apart, MovingHull, first_below, stay_apart};
use crate::math::{DAffine3, DMat3, DVec3};
use crate::narrow::expel::{Entry, ExpelZone, Start};
use crate::narrow::prism::Prism;
use crate::tolerance::UNIT;

/// A motion with constant speed along a line and about an axis that moves along, for a unit of time.
#[derive(Clone, Copy, Debug)]
pub struct RigidPath {
    /// By how much the axis moves.
    pub velocity: DVec3,
    /// A point of the axis at the start.
    pub centre: DVec3,
    /// Its direction, of length 1 up to rounding.
    pub axis: DVec3,
    /// The angle in radians, by the right-hand rule; not negative.
    pub angle: f64,
}

impl RigidPath {
    /// Where a point is at a time.
    pub fn at(&self, start: DVec3, time: f64) -> DVec3 {
        self.at_turn(start, time, self.turn(time))
    }

    /// The sine and the cosine of the angle at a time.
    fn turn(&self, time: f64) -> [f64; 2] {
        [libm::sin(self.angle * time), libm::cos(self.angle * time)]
    }

    /// [`at`](Self::at) with the turn of that time.
    fn at_turn(&self, start: DVec3, time: f64, turn: [f64; 2]) -> DVec3 {
        self.centre + self.velocity * time + self.turned(start - self.centre, turn)
    }

    /// Where the frame is at a time.
    pub fn map(&self, time: f64) -> DAffine3 {
        let turn = self.turn(time);
        let matrix3 = DMat3::from_cols(
            self.turned(DVec3::X, turn),
            self.turned(DVec3::Y, turn),
            self.turned(DVec3::Z, turn),
        );
        let translation = self.centre + self.velocity * time - matrix3 * self.centre;
        DAffine3 { matrix3, translation }
    }

    fn turned(&self, arm: DVec3, [sin, cos]: [f64; 2]) -> DVec3 {
        let along = self.axis * self.axis.dot(arm);
        along + (arm - along) * cos + self.axis.cross(arm) * sin
    }

    /// Where a point that stands still is at a time, as the moving body sees it.
    fn seen(&self, point: DVec3, time: f64) -> DVec3 {
        let [sin, cos] = self.turn(time);
        self.centre + self.turned(point - self.centre - self.velocity * time, [-sin, cos])
    }

    /// How long a direction is across the axis: points are bent from their straight way across it only.
    fn across(&self, direction: DVec3) -> f64 {
        // A little more, for an axis that is rounded.
        self.axis.cross(direction).length() + 4.0 * UNIT * direction.length()
    }

    /// How fast a point moves at the start.
    pub fn speed(&self, start: DVec3) -> DVec3 {
        self.velocity + self.axis.cross(start - self.centre) * self.angle
    }

    /// How far a point is from the axis.
    pub fn radius(&self, start: DVec3) -> f64 {
        self.axis.cross(start - self.centre).length() * (1.0 + 1e-12)
    }

    /// How far the path of a point at this distance from the axis leaves the line between two of its places, so much time apart.
    pub fn bulge(&self, radius: f64, time: f64) -> f64 {
        // The acceleration times the square of the time, over eight.
        let turn = self.angle * time;
        (radius * turn * turn / 8.0).min(2.0 * radius)
    }
}

/// The differences between points that move and points that stand still, in pairs.
struct PathHull<'p, const N: usize> {
    path: &'p RigidPath,
    moving: [DVec3; N],
    still: [DVec3; N],
    radius: f64,
}

impl<const N: usize> MovingHull for PathHull<'_, N> {
    const CORNERS: usize = N;

    fn at(&self, time: f64) -> [DVec3; 4] {
        let mut corners = [DVec3::ZERO; 4];
        let turn = self.path.turn(time);
        for (corner, (moving, still)) in corners.iter_mut().zip(self.moving.iter().zip(self.still)) {
            *corner = self.path.at_turn(*moving, time, turn) - still;
        }
        corners
    }

    fn least_along(&self, direction: DVec3, from: f64, to: f64) -> f64 {
        let (first, last) = (self.at(from), self.at(to));
        let mut least = f64::INFINITY;
        for i in 0..N {
            least = least.min(direction.dot(first[i])).min(direction.dot(last[i]));
        }
        least - self.path.bulge(self.radius, to - from) * self.path.across(direction)
    }

    fn travel(&self, from: f64, to: f64) -> f64 {
        (to - from) * (self.path.velocity.length() + self.path.angle * self.radius)
    }
}

/// The differences between a vertex that stands still and the corners of a moving polygon, as the polygon's body sees them: its normal
/// stays as it is there.
struct SeenHull<'p> {
    path: &'p RigidPath,
    vertex: DVec3,
    face: &'p [DVec3; 3],
    /// How far the vertex is from the axis at most.
    radius: f64,
}

impl MovingHull for SeenHull<'_> {
    const CORNERS: usize = 3;

    fn at(&self, time: f64) -> [DVec3; 4] {
        let seen = self.path.seen(self.vertex, time);
        let [a, b, c] = *self.face;
        [seen - a, seen - b, seen - c, DVec3::ZERO]
    }

    fn least_along(&self, direction: DVec3, from: f64, to: f64) -> f64 {
        let seen = [from, to].map(|time| direction.dot(self.path.seen(self.vertex, time)));
        let most = self.face.iter().fold(f64::NEG_INFINITY, |most, corner| most.max(direction.dot(*corner)));
        // The acceleration, that towards the axis and that of Coriolis, times the square of the time, over eight.
        let RigidPath { velocity, angle, .. } = self.path;
        let acceleration = angle * (angle * self.radius + 2.0 * velocity.length());
        let bulge = acceleration * (to - from) * (to - from) / 8.0;
        seen[0].min(seen[1]) - most - bulge * self.path.across(direction)
    }

    fn travel(&self, from: f64, to: f64) -> f64 {
        (to - from) * (self.path.velocity.length() + self.path.angle * self.radius)
    }
}

/// The differences between the points of a moving edge and those of one that stands still.
struct EdgesHull<'p> {
    hull: PathHull<'p, 4>,
    moving: [DVec3; 2],
    still: [DVec3; 2],
}

impl MovingHull for EdgesHull<'_> {
    const CORNERS: usize = 4;

    fn at(&self, time: f64) -> [DVec3; 4] {
        self.hull.at(time)
    }

    fn least_along(&self, direction: DVec3, from: f64, to: f64) -> f64 {
        self.hull.least_along(direction, from, to)
    }

    fn travel(&self, from: f64, to: f64) -> f64 {
        self.hull.travel(from, to)
    }

    fn lines_stay_apart(&self, from: f64, to: f64, level: f64) -> bool {
        let PathHull { path, radius, .. } = self.hull;
        let along = self.still[1] - self.still[0];
        let mut most = 0.0_f64;
        let ends = [from, to].map(|time| {
            let [a, b] = self.moving.map(|point| path.at(point, time));
            let (between, across) = (a - self.still[0], (b - a).cross(along));
            most = most.max(between.length());
            Apart { product: between.dot(across), area: across.length() }
        });
        let (time, angle) = (to - from, path.angle);
        let speed = path.velocity.length() + angle * radius;
        let lengths = (self.moving[1] - self.moving[0]).length() * along.length();
        let between = most + speed * time;
        // The second derivatives of the product and of the area, both divided by the lengths.
        let bent = angle * (angle * radius + 2.0 * speed + between * angle) + level * angle * angle;
        stay_apart(&ends, level, lengths * bent * time * time / 8.0, 32.0 * UNIT * lengths * between)
    }
}

/// When a moving vertex enters the zone over a polygon that stands still, between two times.
pub fn vertex_meets_face(
    path: &RigidPath,
    vertex: DVec3,
    face: &[DVec3; 3],
    window: [f64; 2],
    zone: &ExpelZone,
) -> Entry {
    let hull = PathHull { path, moving: [vertex; 3], still: *face, radius: path.radius(vertex) };
    let prism = Prism::over_triangle(face, -path.velocity, zone);
    meet(&hull, prism.height(vertex).1, prism.normal.dot(path.speed(vertex)), window, zone)
}

/// When a moving polygon comes so near to a vertex that stands still.
pub fn face_meets_vertex(
    path: &RigidPath,
    face: &[DVec3; 3],
    vertex: DVec3,
    window: [f64; 2],
    zone: &ExpelZone,
) -> Entry {
    let hull = SeenHull { path, vertex, face, radius: path.radius(vertex) + path.velocity.length() };
    let prism = Prism::over_triangle(face, path.velocity, zone);
    meet(&hull, prism.height(vertex).1, -prism.normal.dot(path.speed(vertex)), window, zone)
}

/// When a moving edge meets one that stands still.
pub fn edges_meet(
    path: &RigidPath,
    moving: [DVec3; 2],
    still: [DVec3; 2],
    window: [f64; 2],
    zone: &ExpelZone,
) -> Entry {
    let [a, b] = moving;
    let [c, d] = still;
    let radius = path.radius(a).max(path.radius(b));
    let hull = PathHull { path, moving: [a, b, b, a], still: [c, c, d, d], radius };
    let hull = EdgesHull { hull, moving, still };
    let prism = Prism::over_parallelogram(&[c - a, d - a, d - b, c - b], -path.velocity, zone);
    let speed = prism.normal.dot(path.speed(a + (b - a) / 2.0));
    meet(&hull, prism.height(DVec3::ZERO).1, speed, window, zone)
}

fn meet(
    hull: &impl MovingHull,
    start: f64,
    along_normal: f64,
    [from, to]: [f64; 2],
    zone: &ExpelZone,
) -> Entry {
    let levels = zone.levels(start);
    let tolerance = zone.tolerance(start);
    let Some(first) = first_below(hull, from, to, levels.trigger, tolerance, zone) else {
        return Entry::Never;
    };
    if first > 0.0 || start > zone.core {
        return Entry::At(first);
    }
    // Once they are out of each other's reach, the search goes on. What does not get there at that speed does not part.
    let reach = 4.0 * zone.core;
    let noise = (1e-12 * hull.travel(0.0, 1.0)).max(reach);
    let away = (reach / along_normal.abs()).min(1.0);
    let again = first_below(hull, away, to, levels.trigger, tolerance, zone);
    Entry::Started(Start { along_normal: along_normal / noise, parts_sideways: false, again })
}
