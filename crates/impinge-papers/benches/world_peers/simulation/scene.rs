//! Scenes that are simulated: many bodies of one shape, in flight or falling onto a pile, within walls.

use impinge::math::{DQuat, DVec3};
use impinge::shapes::{self, Random};
use impinge::{Mesh, Model, Placement, Trs, Verdict};

/// The time of a step, in seconds.
pub(crate) const SECONDS: f64 = 1.0 / 60.0;

/// The share of its speed that a body keeps when it bounces in flight.
pub(crate) const RESTITUTION: f64 = 1.0;

/// What friction takes on a pile, in multiples of what presses.
pub(crate) const FRICTION: f64 = 0.5;

/// What all bodies of a scene are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A cube with edges of 1: a mesh of 12 triangles, and rapier's cuboid.
    Cube,
    /// A ball with a diameter of 1: a rounded point, and rapier's ball.
    Ball,
    /// A ring of 1,024 triangles on both sides.
    Ring,
}

impl Shape {
    pub(crate) fn model(self) -> Model {
        let shape = match self {
            Shape::Ball => return Model::ball(0.5).expect("a ball"),
            Shape::Cube => shapes::cuboid([-0.5; 3], [0.5; 3]),
            Shape::Ring => shapes::torus(0.45, 0.15, 32, 16),
        };
        Model::new(Mesh::from(shape.expect("a mesh of few triangles")))
    }

    /// The moment of inertia for a mass of 1, alike about all axes: of a cube, and about that of the ring.
    pub(crate) fn inertia(self) -> f64 {
        match self {
            Shape::Cube => 1.0 / 6.0,
            Shape::Ball => 0.1,
            Shape::Ring => 0.16,
        }
    }
}

/// What the bodies do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Play {
    /// They fly and spin without gravity, and bounce off each other.
    Flight,
    /// They fall, and are measured once they lie on each other. What hits something stops.
    Pile,
    /// As on a pile, but what hits something slides along it for the rest of the step.
    Slides,
}

/// What keeps the bodies together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Walls {
    /// Six fixed boxes.
    Boxes,
    /// One fixed mesh around all of them, with walls that are as thick: so many cells along each edge of a side.
    Room(u32),
}

/// A body: where it is, and how it moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    pub(crate) position: DVec3,
    pub(crate) orientation: DQuat,
    /// The velocity in a second, and the angular velocity in radians, as a vector.
    pub(crate) velocity: DVec3,
    pub(crate) spin: DVec3,
}

impl State {
    pub(crate) fn placement(&self) -> Placement {
        Trs::rigid(self.position, self.orientation).expect("a place near the origin").into()
    }
}

/// A scene at its start.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) shape: Shape,
    pub(crate) play: Play,
    pub(crate) walls: Walls,
    pub(crate) bodies: Vec<State>,
    /// The half sizes of the room, from its middle to its walls.
    pub(crate) half: DVec3,
}

/// The thickness of walls.
const THICKNESS: f64 = 1.0;

/// The distance of bodies from each other at the start.
const SPACING: f64 = 2.5;

/// Bodies in a row and in a column of those that fall.
const COLUMN: usize = 6;

impl Scene {
    pub(crate) fn new(shape: Shape, play: Play, walls: Walls, count: usize) -> Scene {
        let mut random = Random::new(count as u64);
        let edge = (count as f64).cbrt().ceil() as usize;
        let (columns, spacing) = match play {
            Play::Flight => (edge, SPACING),
            Play::Pile | Play::Slides => (COLUMN, 1.8),
        };
        let layers = count.div_ceil(columns * columns);
        let size = DVec3::new(columns as f64, columns as f64, layers as f64) * spacing;
        let bodies = (0..count).map(|i| {
            let at = [i % columns, i / columns % columns, i / (columns * columns)].map(|at| at as f64 + 0.5);
            let orientation = DQuat::from_axis_angle(random.direction(), random.between(0.0, 6.3));
            let (velocity, spin) = match play {
                Play::Flight => (3.0 * random.in_cube(), random.direction() * random.between(0.5, 3.0)),
                Play::Pile | Play::Slides => (DVec3::ZERO, DVec3::ZERO),
            };
            let position = DVec3::from_array(at) * spacing - size / 2.0;
            State { position, orientation, velocity, spin }
        });
        let bodies = bodies.collect();
        Scene { shape, play, walls, bodies, half: size / 2.0 + DVec3::splat(0.2) }
    }

    pub(crate) fn gravity(&self) -> DVec3 {
        if self.play == Play::Flight { DVec3::ZERO } else { DVec3::new(0.0, 0.0, -9.81) }
    }

    /// The share of its speed that a body keeps when it bounces, and what friction pulls in multiples of what presses.
    pub(crate) fn restitution_and_friction(&self) -> [f64; 2] {
        if self.play == Play::Flight { [RESTITUTION, 0.0] } else { [0.0, FRICTION] }
    }

    /// The steps before the measurement.
    pub(crate) fn steps_before(&self) -> usize {
        if self.play == Play::Flight { 20 } else { 400 }
    }

    pub(crate) fn title(&self) -> String {
        let walls = match self.walls {
            Walls::Boxes => "six walls".to_owned(),
            Walls::Room(_) => format!("one room of {} triangles", self.wall_meshes()[0].triangle_count()),
        };
        format!("{} bodies, {:?}, {:?}, {walls}", self.bodies.len(), self.shape, self.play)
    }

    /// The walls as meshes, in the world: six boxes, or one mesh with a surface on both sides of its walls.
    pub(crate) fn wall_meshes(&self) -> Vec<Mesh> {
        let (inner, outer) = (self.half, self.half + DVec3::splat(THICKNESS));
        match self.walls {
            Walls::Boxes => self
                .wall_boxes()
                .into_iter()
                .map(|[min, max]| Mesh::from(shapes::cuboid(min, max).expect("a box")))
                .collect(),
            Walls::Room(cells) => {
                let grid = |half: DVec3| shapes::cuboid_grid(-half, half, [cells; 3]).expect("a box");
                let (inner, outer) = (grid(inner), grid(outer));
                let first = outer.vertices().len() as u32;
                let vertices = outer.vertices().iter().chain(inner.vertices()).copied();
                // The inner surface looks inward.
                let turned = inner.triangles().map(|[a, b, c]| [a + first, c + first, b + first]);
                let triangles = outer.triangles().chain(turned);
                vec![
                    Mesh::triangles(vertices.collect::<Vec<_>>(), triangles.collect::<Vec<_>>())
                        .expect("a room"),
                ]
            }
        }
    }

    /// The corners of the six walls.
    pub(crate) fn wall_boxes(&self) -> [[DVec3; 2]; 6] {
        let outer = self.half + DVec3::splat(THICKNESS);
        std::array::from_fn(|side| {
            let (axis, is_upper) = (side / 2, side % 2 == 1);
            let (mut min, mut max) = (-outer, outer);
            if is_upper {
                min[axis] = self.half[axis];
            } else {
                max[axis] = -self.half[axis];
            }
            [min, max]
        })
    }

    /// The number of pairs of bodies, and of a body with a wall, that interpenetrate by the exact test.
    pub(crate) fn overlaps(&self, placements: &[Placement]) -> usize {
        let model = self.shape.model();
        let walls: Vec<Model> = self.wall_meshes().into_iter().map(Model::new).collect();
        let placed: Vec<_> = placements.iter().map(|place| model.at(*place)).collect();
        let boxes: Vec<_> = placed.iter().map(impinge::Placed::bounds).collect();
        let mut overlaps = 0;
        for (i, body) in placed.iter().enumerate() {
            let near = (0..i).filter(|other| boxes[*other].overlaps(&boxes[i])).map(|other| placed[other]);
            let fixed = walls.iter().map(|wall| wall.at(Trs::IDENTITY));
            overlaps += near
                .chain(fixed)
                .filter(|other| !matches!(body.verdict(other), Verdict::Clear | Verdict::Touching))
                .count();
        }
        overlaps
    }
}
