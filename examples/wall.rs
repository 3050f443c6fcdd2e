//! A brick wall that is shot at: van Waveren 2005, Figure 6.

use impinge::math::{DAffine3, DVec3};
use impinge::shapes::{self, ShapeError};
use impinge::{Model, TransformError, Trs};

use crate::physics::{Body, Mass, Material, StepError, World};

/// Length, depth and height of a brick, in meters.
pub const BRICK: DVec3 = DVec3::new(0.4, 0.2, 0.2);
/// The room between bricks of the wall, and between the lowest and the ground.
const JOINT: f64 = 1e-3;
/// In kilograms per cubic meter: brick and iron.
pub const BRICK_DENSITY: f64 = 1800.0;
/// See above.
pub const BALL_DENSITY: f64 = 7800.0;
/// In meters a second: of a ball, when it is shot.
pub const SHOT: DVec3 = DVec3::new(0.0, 22.0, 1.0);
/// In seconds: between shots, and the most that is waited for everything to come to rest after the last.
pub const BETWEEN_SHOTS: f64 = 1.2;
const PATIENCE: f64 = 20.0;

/// What all surfaces are like.
pub const MATERIAL: Material = Material { restitution: 0.15, bouncing_speed: 0.5, friction: 0.6 };

/// What is built, and how it is played.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Bricks in a row; every other row is shifted by half a brick.
    pub columns: u32,
    /// Rows.
    pub rows: u32,
    /// How often the wall is shot at.
    pub shots: u32,
    /// Steps in a second.
    pub rate: u32,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How many bricks there are, and how many end more than their length from where they stood.
    pub bricks: usize,
    /// See above.
    pub far_away: usize,
    /// Whether everything came to rest.
    pub is_at_rest: bool,
    /// How many seconds passed in the scene.
    pub seconds: f64,
    /// What the world counted.
    pub tally: crate::physics::Tally,
    /// The poses of all bodies, 30 times a second, and at the end.
    pub frames: Vec<Vec<DAffine3>>,
}

/// The models of a scene.
pub struct Models {
    /// A brick about its center.
    pub brick: Model,
    /// A cannon ball, round enough to roll and edged enough to stop.
    pub ball: Model,
    /// The ground, with its upper side at height 0.
    pub ground: Model,
    /// What keeps everything on the ground.
    pub fence: Model,
}

impl Models {
    /// Makes them.
    pub fn new() -> Result<Models, ShapeError> {
        let model = |half: DVec3| shapes::cuboid_of_quads(-half, half).map(Model::new);
        Ok(Models {
            brick: model(BRICK / 2.0)?,
            ball: Model::new(shapes::icosphere(0.22, 2)?),
            ground: model(DVec3::new(9.0, 9.0, 0.5))?,
            fence: model(DVec3::new(9.0, 0.2, 3.0))?,
        })
    }
}

/// Why there is no outcome.
#[derive(Clone, Debug, thiserror::Error)]
pub enum WallError {
    /// Something cannot be placed.
    #[error("the wall cannot be built: {0}")]
    Build(#[from] TransformError),
    /// A step cannot be made.
    #[error("{0}")]
    Step(#[from] StepError),
}

/// Builds a wall and shoots at it until all is done.
pub fn play(plan: &Plan, models: &Models) -> Result<Outcome, WallError> {
    let mut world = build(plan, models)?;
    let bricks = (plan.columns * plan.rows) as usize;
    let first_ball = world.bodies.len() - plan.shots as usize;
    let stood: Vec<DVec3> = world.bodies[..bricks].iter().map(Body::center).collect();
    let seconds = 1.0 / f64::from(plan.rate);
    let (mut now, mut frames) = (0.0, Vec::new());
    let mut shot = 0;
    let last_shot = BETWEEN_SHOTS * f64::from(plan.shots);
    while shot < plan.shots || (!world.is_at_rest() && now < last_shot + PATIENCE) {
        if frames.len() as f64 <= now * 30.0 {
            frames
                .push(world.bodies.iter().map(|body| *body.placed.placement().world_from_model()).collect());
        }
        if shot < plan.shots && now >= BETWEEN_SHOTS * f64::from(shot) {
            shoot(&mut world.bodies[first_ball + shot as usize]);
            shot += 1;
        }
        world.step(seconds)?;
        world.count_overlaps();
        now += seconds;
    }
    frames.push(poses(&world));
    let far_away = (0..bricks).filter(|&i| world.bodies[i].center().distance(stood[i]) > BRICK.x).count();
    Ok(Outcome { bricks, far_away, is_at_rest: world.is_at_rest(), seconds: now, tally: world.tally, frames })
}

/// Shoots a ball that waits to be shot.
pub fn shoot(ball: &mut Body<'_>) {
    ball.mass = Mass::solid(ball.placed.model().mesh(), BALL_DENSITY);
    ball.velocity = SHOT;
}

fn poses(world: &World<'_>) -> Vec<DAffine3> {
    world.bodies.iter().map(|body| *body.placed.placement().world_from_model()).collect()
}

/// The bricks asleep, row by row from below, then the ground and its fences, then the balls, which wait to be shot.
pub fn build<'m>(plan: &Plan, models: &'m Models) -> Result<World<'m>, WallError> {
    let mut world = World::new(MATERIAL, DVec3::new(0.0, 0.0, -9.81));
    let mut add = |body: Body<'m>| world.add(body).map_err(StepError::from);

    let width = f64::from(plan.columns) * (BRICK.x + JOINT);
    let mass = Mass::solid(models.brick.mesh(), BRICK_DENSITY);
    for row in 0..plan.rows {
        for column in 0..plan.columns {
            let shift = if row % 2 == 0 { 0.25 } else { 0.75 };
            let x = (f64::from(column) + shift) * (BRICK.x + JOINT) - width / 2.0;
            let z = BRICK.z / 2.0 + JOINT + f64::from(row) * (BRICK.z + JOINT);
            let mut brick = Body::new(&models.brick, mass, Trs::translation([x, 0.0, z])?);
            brick.is_asleep = true;
            add(brick)?;
        }
    }
    add(Body::new(&models.ground, Mass::FIXED, Trs::translation([0.0, 0.0, -0.5])?))?;
    for degrees in [0.0, 90.0, 180.0, 270.0] {
        let turn = Trs::rotation_about_axis([0.0, 0.0, 1.0], degrees)?.orientation();
        // The fences stand outside of the ground, and one ends where the next begins.
        let place = turn * DVec3::new(0.4, 9.2, 0.0) + DVec3::new(0.0, 0.0, 3.0);
        add(Body::new(&models.fence, Mass::FIXED, Trs::rigid(place, turn)?))?;
    }
    for shot in 0..plan.shots {
        // From left to right and back, higher and lower, so that no part of the wall is spared.
        let share = (f64::from(shot) * 0.618_034 + 0.5).fract();
        let x = (share - 0.5) * width * 0.8;
        let z = 0.4 + 0.25 * f64::from(plan.rows) * BRICK.z * f64::from(shot % 3);
        add(Body::new(&models.ball, Mass::FIXED, Trs::translation([x, -6.0 - 0.5 * f64::from(shot), z])?))?;
    }
    Ok(world)
}
