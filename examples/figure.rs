//! An articulated figure that falls down a flight of stairs: van Waveren 2005, §6.
//!
//! All bodies of the figure collide with all others, those that are joined included: there is a small gap at every joint, and the
//! tapered ends of the limbs limit how far it bends.

use std::error::Error;

use impinge::math::{DAffine3, DMat3, DVec3};
use impinge::mesh::MeshError;
use impinge::shapes::{self, Random};
use impinge::{Mesh, Model, TransformError, Trs};

use crate::physics::{Body, Joint, Mass, Material, StepError, Tally, World};

/// The length of the shortest limb, a foot, in meters.
pub const SHORTEST_LIMB: f64 = 0.24;
/// How far a joint may be pulled apart after any step: 1 % of that.
pub const MOST_DRIFT: f64 = 0.01 * SHORTEST_LIMB;
/// Half of the room between the ends of two limbs, and half the width of these ends: so a joint bends by a right angle.
const HALF_GAP: f64 = 0.015;
/// Kilograms per cubic meter, as people.
const DENSITY: f64 = 1000.0;
/// The stairs: their number, how high, how deep and how wide each is. They rise along x from 0.
const STEPS: u32 = 14;
const RISE: f64 = 0.2;
const RUN: f64 = 0.28;
const WIDTH: f64 = 3.0;
/// The figure is pushed over at the top, so fast.
const PUSH: DVec3 = DVec3::new(-1.5, 0.0, 0.0);

/// The bodies of the figure by name: half the size across (x), sideways (y) and along (z), and the center when it stands upright with
/// arms hanging, face towards -x, its soles at height 0.
const PARTS: [(&str, [f64; 3], [f64; 3]); 13] = [
    ("pelvis", [0.09, 0.15, 0.08], [0.0, 0.0, 0.98]),
    ("torso", [0.10, 0.17, 0.20], [0.0, 0.0, 1.29]),
    ("head", [0.09, 0.08, 0.11], [0.0, 0.0, 1.63]),
    ("left upper arm", [0.045, 0.045, 0.14], [0.0, 0.245, 1.31]),
    ("right upper arm", [0.045, 0.045, 0.14], [0.0, -0.245, 1.31]),
    ("left lower arm", [0.04, 0.04, 0.14], [0.0, 0.245, 1.00]),
    ("right lower arm", [0.04, 0.04, 0.14], [0.0, -0.245, 1.00]),
    ("left thigh", [0.06, 0.06, 0.19], [0.0, 0.09, 0.68]),
    ("right thigh", [0.06, 0.06, 0.19], [0.0, -0.09, 0.68]),
    ("left shin", [0.05, 0.05, 0.19], [0.0, 0.09, 0.27]),
    ("right shin", [0.05, 0.05, 0.19], [0.0, -0.09, 0.27]),
    ("left foot", [0.12, 0.045, 0.025], [-0.06, 0.09, 0.025]),
    ("right foot", [0.12, 0.045, 0.025], [-0.06, -0.09, 0.025]),
];

/// Which parts are joined, and where. Knees and elbows are hinges, behind and before the middle of the limb, so that they bend to one
/// side farther than to the other; all else is balls.
const JOINTS: [(usize, usize, [f64; 3], bool); 12] = [
    (0, 1, [0.0, 0.0, 1.075], false),
    (1, 2, [0.0, 0.0, 1.505], false),
    (1, 3, [0.0, 0.185, 1.465], false),
    (1, 4, [0.0, -0.185, 1.465], false),
    (3, 5, [-0.02, 0.245, 1.155], true),
    (4, 6, [-0.02, -0.245, 1.155], true),
    (0, 7, [0.0, 0.09, 0.885], false),
    (0, 8, [0.0, -0.09, 0.885], false),
    (7, 9, [0.03, 0.09, 0.475], true),
    (8, 10, [0.03, -0.09, 0.475], true),
    (9, 11, [0.0, 0.09, 0.065], true),
    (10, 12, [0.0, -0.09, 0.065], true),
];

/// What the bodies of the figure are called, in their order.
pub fn part_names() -> impl Iterator<Item = &'static str> {
    PARTS.iter().map(|(name, ..)| *name)
}

/// The models of a scene.
pub struct Models {
    /// The parts of the figure, in their order.
    pub parts: Vec<Model>,
    /// The stairs as one solid.
    pub stairs: Model,
    /// What is under them.
    pub ground: Model,
}

impl Models {
    /// Makes them.
    pub fn new() -> Result<Models, Box<dyn Error>> {
        let parts = PARTS.iter().map(|(_, half, _)| limb(DVec3::from(*half)).map(Model::new));
        let [length, height] = [RUN * f64::from(STEPS), RISE * f64::from(STEPS)];
        let ground = DVec3::new(6.0, 4.0, 0.25);
        Ok(Models {
            parts: parts.collect::<Result<_, _>>()?,
            stairs: Model::new(shapes::stairs([length, WIDTH, height], STEPS, 1)?),
            ground: Model::new(shapes::cuboid_of_quads(-ground, ground)?),
        })
    }
}

/// A box along z whose ends are tapered, in four rings of four.
fn limb(half: DVec3) -> Result<Mesh, MeshError> {
    let end = DVec3::splat(HALF_GAP).min(half * 0.5);
    let taper = (half.x.min(half.y) - HALF_GAP).min(half.z * 0.4);
    let [wide, narrow] = [[half.x, half.y], [(half.x - taper).max(end.x), (half.y - taper).max(end.y)]];
    let rings = [(-half.z, narrow), (taper - half.z, wide), (half.z - taper, wide), (half.z, narrow)];
    let corners = rings.iter().flat_map(|&(z, [x, y])| [[-x, -y, z], [x, -y, z], [x, y, z], [-x, y, z]]);
    let mut faces = vec![[3, 2, 1, 0], [12, 13, 14, 15]];
    for ring in [0, 4, 8] {
        faces.extend((0..4).map(|i| {
            let next = (i + 1) % 4;
            [ring + i, ring + next, ring + 4 + next, ring + 4 + i]
        }));
    }
    Mesh::polygons(corners, faces)
}

/// What came of a fall.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How many bodies the figure has.
    pub bodies: usize,
    /// The farthest that a joint was pulled apart after any step, in meters.
    pub most_drift: f64,
    /// Whether all came to rest, and how many seconds passed.
    pub is_at_rest: bool,
    /// See above.
    pub seconds: f64,
    /// How many steps of the stairs the pelvis is down, and where it is.
    pub steps_down: f64,
    /// See above.
    pub pelvis: DVec3,
    /// What the world counted.
    pub tally: Tally,
    /// The poses of all bodies, 30 times a second, and at the end: the figure's parts, the ground, the stairs.
    pub frames: Vec<Vec<DAffine3>>,
}

impl Outcome {
    /// Whether the pelvis is in front of the stairs, and low.
    pub fn is_at_the_bottom(&self) -> bool {
        self.pelvis.x < RUN && self.pelvis.z < 0.6
    }
}

/// Why there is no outcome.
#[derive(Clone, Debug, thiserror::Error)]
pub enum FigureError {
    /// Something cannot be placed.
    #[error("the figure cannot be placed: {0}")]
    Build(#[from] TransformError),
    /// A step cannot be made.
    #[error("{0}")]
    Step(#[from] StepError),
}

/// How a fall is played.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Steps in a second.
    pub rate: u32,
    /// The figure stands and is pushed a little differently for every seed.
    pub seed: u64,
    /// How many seconds it has to come to rest.
    pub patience: f64,
}

/// Pushes the figure down the stairs, until it lies still or the time is over.
pub fn play(plan: &Plan, models: &Models) -> Result<Outcome, FigureError> {
    let mut world = build(models, plan.seed)?;
    let seconds = 1.0 / f64::from(plan.rate);
    let (mut now, mut most_drift, mut frames) = (0.0, 0.0_f64, Vec::new());
    let poses = |world: &World<'_>| -> Vec<DAffine3> {
        world.bodies.iter().map(|body| *body.placed.placement().world_from_model()).collect()
    };
    let top = world.bodies[0].center().z;
    while !world.is_at_rest() && now < plan.patience {
        if frames.len() as f64 <= now * 30.0 {
            frames.push(poses(&world));
        }
        world.step(seconds)?;
        world.count_overlaps();
        most_drift = most_drift.max(world.drift());
        now += seconds;
    }
    frames.push(poses(&world));
    let pelvis = world.bodies[0].center();
    Ok(Outcome {
        bodies: PARTS.len(),
        most_drift,
        is_at_rest: world.is_at_rest(),
        seconds: now,
        steps_down: (top - pelvis.z) / RISE,
        pelvis,
        tally: world.tally,
        frames,
    })
}

/// The figure leans forward over the uppermost steps.
fn build(models: &Models, seed: u64) -> Result<World<'_>, FigureError> {
    let material = Material { restitution: 0.1, bouncing_speed: 0.5, friction: 0.2 };
    let mut world = World::new(material, DVec3::new(0.0, 0.0, -9.81));
    let [length, height] = [RUN * f64::from(STEPS), RISE * f64::from(STEPS)];
    let mut random = Random::new(seed);
    let lean = DMat3::from_rotation_z(random.between(-0.3, 0.3))
        * DMat3::from_rotation_y(random.between(-0.4, -0.3));
    let push = PUSH + random.in_cube() * 0.2;
    let world_from_figure =
        DAffine3::from_mat3_translation(lean, DVec3::new(length - 0.6 * RUN, 0.1, height + 0.08));
    for ((_, _, center), model) in PARTS.iter().zip(&models.parts) {
        let place = world_from_figure * DAffine3::from_translation(DVec3::from(*center));
        let mut body =
            Body::new(model, Mass::solid(model.mesh(), DENSITY), impinge::Placement::try_from(place)?);
        body.velocity = push;
        world.add(body).map_err(StepError::from)?;
    }
    // The ground is a little lower than the stairs, which would touch it otherwise.
    let ground = Trs::translation([-0.5, 0.0, -0.251])?;
    world.add(Body::new(&models.ground, Mass::FIXED, ground)).map_err(StepError::from)?;
    let stairs = Trs::translation([length / 2.0, 0.0, height / 2.0])?;
    world.add(Body::new(&models.stairs, Mass::FIXED, stairs)).map_err(StepError::from)?;
    for (a, b, point, is_hinge) in JOINTS {
        let point = world_from_figure.transform_point3(DVec3::from(point));
        let sideways = world_from_figure.transform_vector3(DVec3::Y);
        world.join(if is_hinge {
            Joint::hinge(&world.bodies, [a, b], point, sideways)
        } else {
            Joint::ball(&world.bodies, [a, b], point)
        });
    }
    Ok(world)
}
