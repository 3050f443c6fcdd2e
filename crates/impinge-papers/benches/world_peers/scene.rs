//! Bodies in a cube, and where they go from step to step.

use impinge::math::{DQuat, DVec3};
use impinge::shapes::{self, Random};
use impinge::{Mesh, Model, Trs};
use rapier3d_f64::math::{Pose, Rotation, Vector};

/// How many boxes each overlaps, about.
const NEIGHBOURS: f64 = 2.5;

/// How far bodies go in a step at most along each axis, and how many radians they turn.
const WAY: f64 = 0.02;
const TURN: f64 = 0.05;

/// What all bodies of a scene are.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// A ball with bumps, of 320 triangles.
    Ball,
    /// A ring of 512 triangles, through which others go.
    Torus,
}

impl Shape {
    fn mesh(self) -> Mesh {
        let shape = match self {
            Shape::Ball => shapes::bumpy_sphere(0.5, 0.15, 12, 16, 11, 7),
            Shape::Torus => shapes::torus(0.4, 0.12, 32, 8),
        };
        Mesh::from(shape.expect("a mesh of few triangles"))
    }
}

/// A body that has moved, and its place as each side writes it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moved {
    pub(crate) index: u32,
    pub(crate) trs: Trs,
    pub(crate) pose: Pose,
}

/// Bodies and where they are.
pub(crate) struct Scene {
    shape: Shape,
    mesh: Mesh,
    places: Vec<(DVec3, DQuat)>,
    /// The first so many move.
    movers: usize,
    moved: Vec<Moved>,
    random: Random,
}

impl Scene {
    pub(crate) fn new(shape: Shape, count: usize, part_that_moves: f64) -> Scene {
        let mut random = Random::new(count as u64);
        let mesh = shape.mesh();
        let model = Model::new(mesh.clone());
        let turns: Vec<DQuat> = (0..count)
            .map(|_| DQuat::from_axis_angle(random.direction(), random.between(0.0, 6.3)))
            .collect();
        let sides = turns.iter().map(|turn| {
            let place = Trs::rigid(DVec3::ZERO, *turn).expect("a place");
            model.at(place).bounds().size().element_sum() / 3.0 + super::CONTACT_DISTANCE
        });
        // Two boxes overlap where their middles are no farther apart than a side, to both sides of each axis.
        let side = sides.sum::<f64>() / count as f64;
        let edge = (count as f64 / NEIGHBOURS).cbrt() * 2.0 * side;
        let places = turns.into_iter().map(|turn| (random.in_cube() * (edge / 2.0), turn)).collect();
        let movers = (count as f64 * part_that_moves) as usize;
        Scene { shape, mesh, places, movers, moved: Vec::new(), random }
    }

    pub(crate) fn title(&self) -> String {
        let (count, triangles) = (self.places.len(), self.mesh.triangle_count());
        format!("{:?} of {triangles} triangles, {count} bodies, {} of them move", self.shape, self.movers)
    }

    pub(crate) fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// All bodies where they are now.
    pub(crate) fn bodies(&self) -> Vec<Moved> {
        (0..self.places.len()).map(|index| self.body(index)).collect()
    }

    /// Those that the last step has moved.
    pub(crate) fn moved(&self) -> &[Moved] {
        &self.moved
    }

    pub(crate) fn does_move(&self, index: u32) -> bool {
        (index as usize) < self.movers
    }

    /// Moves on.
    pub(crate) fn advance(&mut self) {
        for (position, turn) in &mut self.places[..self.movers] {
            *position += WAY * self.random.in_cube();
            let angle = self.random.between(-TURN, TURN);
            *turn = (DQuat::from_axis_angle(self.random.direction(), angle) * *turn).normalize();
        }
        self.moved = (0..self.movers).map(|index| self.body(index)).collect();
    }

    fn body(&self, index: usize) -> Moved {
        let (position, turn) = self.places[index];
        let rotation = Rotation::from_xyzw(turn.x, turn.y, turn.z, turn.w);
        Moved {
            index: index as u32,
            trs: Trs::rigid(position, turn).expect("a place near the origin"),
            pose: Pose::from_parts(Vector::new(position.x, position.y, position.z), rotation),
        }
    }
}
