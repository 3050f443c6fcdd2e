//! The shards of a pane that bursts: single polygons, which fly about and come to lie on steps (van Waveren 2005, §6).
//!
//! A shard is a surface without thickness. It meets the room and all other shards, from both sides.

use std::error::Error;

use impinge::math::{DAffine3, DQuat, DVec3};
use impinge::mesh::MeshError;
use impinge::shapes::{self, Random, ShapeError};
use impinge::{Mesh, Model, Placement, TransformError, Trs};

use crate::physics::{Body, Mass, Material, StepError, Tally, World};

/// Width and height of the pane, in meters, and the height of its lower edge.
const PANE: [f64; 2] = [2.0, 1.4];
const SILL: f64 = 1.0;
/// The shards are this much smaller than their places in the pane.
const SHRINK: f64 = 0.98;
/// Kilograms per square meter: glass of 4 mm.
const AREA_DENSITY: f64 = 10.0;
/// How fast the shards nearest to the blast fly, in meters a second: 25 cm in a step of a 60th of a second.
const BLAST: f64 = 15.0;
/// Half of the room's length (x), width (y), its height and the thickness of its walls.
const ROOM: [f64; 3] = [3.0, 2.5, 3.2];
const WALL: f64 = 0.02;

/// What is broken, and how it is played.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Into how many pieces the pane breaks.
    pub shards: usize,
    /// Steps in a second.
    pub rate: u32,
    /// Of all that is random.
    pub seed: u64,
    /// How many seconds are played, if not all comes to rest before.
    pub seconds: f64,
}

/// The models of a scene.
pub struct Models {
    /// Every shard about its center of mass, and where that is in the pane.
    pub shards: Vec<(Model, DVec3)>,
    /// Floor and ceiling, two and two walls: thin.
    pub sides: Vec<(Model, DVec3)>,
    /// What stands in the room.
    pub steps: Model,
}

impl Models {
    /// Breaks the pane and builds the room.
    pub fn new(plan: &Plan) -> Result<Models, Box<dyn Error>> {
        let mut random = Random::new(plan.seed);
        let outlines = broken(plan.shards, &mut random);
        let shards = outlines.iter().map(|outline| shard(outline));
        let [x, y, height] = ROOM;
        let sides = [
            ([0.0, 0.0, -WALL], [x, y, WALL]),
            ([0.0, 0.0, height + WALL], [x, y, WALL]),
            ([x + WALL, 0.0, height / 2.0], [WALL, y, height / 2.0]),
            ([-x - WALL, 0.0, height / 2.0], [WALL, y, height / 2.0]),
            ([0.0, y + WALL, height / 2.0], [x, WALL, height / 2.0]),
            ([0.0, -y - WALL, height / 2.0], [x, WALL, height / 2.0]),
        ];
        let side = |(center, half): ([f64; 3], [f64; 3])| {
            let half = DVec3::from(half);
            Ok((Model::new(shapes::cuboid_of_quads(-half, half)?), DVec3::from(center)))
        };
        Ok(Models {
            shards: shards.collect::<Result<_, _>>()?,
            sides: sides.into_iter().map(side).collect::<Result<_, ShapeError>>()?,
            steps: Model::new(shapes::stairs([1.6, 2.0 * y - 0.4, 1.2], 4, 1)?),
        })
    }
}

/// The outlines of the pieces of a rectangle, in its plane: the largest piece is cut in two until there are enough.
fn broken(count: usize, random: &mut Random) -> Vec<Vec<[f64; 2]>> {
    let [x, y] = PANE.map(|size| size / 2.0);
    let mut pieces = vec![vec![[-x, -y], [x, -y], [x, y], [-x, y]]];
    while pieces.len() < count {
        let Some(largest) = (0..pieces.len()).max_by(|&i, &j| area(&pieces[i]).total_cmp(&area(&pieces[j])))
        else {
            break;
        };
        let piece = pieces.swap_remove(largest);
        // Through a place near the center, so that no sliver is left.
        let [u, v] = center(&piece);
        let size = area(&piece).sqrt();
        let through = [u + size * random.between(-0.15, 0.15), v + size * random.between(-0.15, 0.15)];
        let (sin, cos) = random.between(0.0, std::f64::consts::PI).sin_cos();
        pieces.push(half(&piece, through, [cos, sin]));
        pieces.push(half(&piece, through, [-cos, -sin]));
    }
    pieces
}

/// The part of a convex outline that is on the side of a line to which the normal points.
fn half(outline: &[[f64; 2]], through: [f64; 2], normal: [f64; 2]) -> Vec<[f64; 2]> {
    let side = |p: [f64; 2]| (p[0] - through[0]) * normal[0] + (p[1] - through[1]) * normal[1];
    let mut kept = Vec::new();
    for (i, &p) in outline.iter().enumerate() {
        let q = outline[(i + 1) % outline.len()];
        if side(p) >= 0.0 {
            kept.push(p);
        }
        if (side(p) >= 0.0) != (side(q) >= 0.0) {
            let share = side(p) / (side(p) - side(q));
            kept.push([p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1])]);
        }
    }
    kept
}

/// Triangles from the first corner, as twice their area and the sum of their corners.
fn fan(outline: &[[f64; 2]]) -> impl Iterator<Item = (f64, [f64; 2])> {
    outline.windows(2).skip(1).map(|pair| {
        let ([o, p, q], cross) =
            ([outline[0], pair[0], pair[1]], |u: [f64; 2], v: [f64; 2]| u[0] * v[1] - u[1] * v[0]);
        let twice = cross([p[0] - o[0], p[1] - o[1]], [q[0] - o[0], q[1] - o[1]]);
        (twice, [o[0] + p[0] + q[0], o[1] + p[1] + q[1]])
    })
}

fn area(outline: &[[f64; 2]]) -> f64 {
    fan(outline).map(|(twice, _)| twice / 2.0).sum()
}

fn center(outline: &[[f64; 2]]) -> [f64; 2] {
    let sum = fan(outline)
        .fold([0.0; 2], |sum, (twice, corners)| [sum[0] + twice * corners[0], sum[1] + twice * corners[1]]);
    sum.map(|sum| sum / (6.0 * area(outline)))
}

/// A polygon about its center of mass, a little smaller than the outline, which is upright in the plane of y and z.
fn shard(outline: &[[f64; 2]]) -> Result<(Model, DVec3), MeshError> {
    let [u, v] = center(outline);
    let corners = outline.iter().map(|[y, z]| [0.0, (y - u) * SHRINK, (z - v) * SHRINK]);
    Ok((Model::new(Mesh::polygon(corners)?), DVec3::new(0.0, u, v)))
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How many shards there are, and how many are in the room at the end.
    pub shards: usize,
    /// See above.
    pub in_the_room: usize,
    /// How many lie still at the end.
    pub at_rest: usize,
    /// How many seconds were played.
    pub seconds: f64,
    /// The most that a shard moved in a step, in meters: much more than the walls are thick.
    pub longest_way: f64,
    /// What the world counted.
    pub tally: Tally,
    /// The poses of all bodies, 30 times a second, and at the end: the shards, the room's sides, the steps.
    pub frames: Vec<Vec<DAffine3>>,
}

/// Why there is no outcome.
#[derive(Clone, Debug, thiserror::Error)]
pub enum DebrisError {
    /// Something cannot be placed.
    #[error("the room cannot be built: {0}")]
    Build(#[from] TransformError),
    /// A step cannot be made.
    #[error("{0}")]
    Step(#[from] StepError),
}

/// Lets the pane burst, and plays on until all shards lie still or the time is over.
pub fn play(plan: &Plan, models: &Models) -> Result<Outcome, DebrisError> {
    let mut world = build(plan, models)?;
    let seconds = 1.0 / f64::from(plan.rate);
    let shards = models.shards.len();
    let (mut now, mut longest_way, mut frames) = (0.0, 0.0_f64, Vec::new());
    let poses = |world: &World<'_>| -> Vec<DAffine3> {
        world.bodies.iter().map(|body| *body.placed.placement().world_from_model()).collect()
    };
    while !world.is_at_rest() && now < plan.seconds {
        if frames.len() as f64 <= now * 30.0 {
            frames.push(poses(&world));
        }
        let before: Vec<DVec3> = world.bodies.iter().map(Body::center).collect();
        world.step(seconds)?;
        world.count_overlaps();
        let ways = world.bodies.iter().zip(before).map(|(body, before)| body.center().distance(before));
        longest_way = ways.fold(longest_way, f64::max);
        now += seconds;
    }
    frames.push(poses(&world));
    let is_inside = |place: DVec3| {
        place.x.abs() < ROOM[0] && place.y.abs() < ROOM[1] && place.z > 0.0 && place.z < ROOM[2]
    };
    Ok(Outcome {
        shards,
        in_the_room: world.bodies[..shards].iter().filter(|body| is_inside(body.center())).count(),
        at_rest: world.bodies[..shards].iter().filter(|body| body.is_asleep).count(),
        seconds: now,
        longest_way,
        tally: world.tally,
        frames,
    })
}

/// The shards where they were in the pane, each with the velocity and the spin that the blast gives it.
fn build<'m>(plan: &Plan, models: &'m Models) -> Result<World<'m>, DebrisError> {
    let material = Material { restitution: 0.3, bouncing_speed: 0.5, friction: 0.5 };
    let mut world = World::new(material, DVec3::new(0.0, 0.0, -9.81));
    let mut random = Random::new(plan.seed + 1);
    let pane = DVec3::new(-1.0, 0.0, SILL + PANE[1] / 2.0);
    let blast = pane + DVec3::new(-0.4, 0.1, -0.1);
    for (model, center) in &models.shards {
        let place = pane + *center;
        let mut body = Body::new(model, Mass::sheet(model.mesh(), AREA_DENSITY), Trs::translation(place)?);
        let away = place - blast;
        body.velocity = away.normalize() * (BLAST * 0.4 / away.length()) + random.in_cube();
        body.spin = random.in_cube() * 12.0;
        world.add(body).map_err(StepError::from)?;
    }
    for (model, center) in &models.sides {
        world.add(Body::new(model, Mass::FIXED, Trs::translation(*center)?)).map_err(StepError::from)?;
    }
    // A hair above the floor: solids that touch would count as overlapping.
    let steps = DAffine3::from_rotation_translation(DQuat::IDENTITY, DVec3::new(ROOM[0] - 1.0, 0.0, 0.601));
    world.add(Body::new(&models.steps, Mass::FIXED, Placement::try_from(steps)?)).map_err(StepError::from)?;
    Ok(world)
}
