//! The brick wall that is shot at (van Waveren 2005, Figure 6): the example's simulation, by sweeps and contacts of impinge, beside rapier with continuous
//! collision detection.

use super::brick_wall::{
    BALL_DENSITY, BETWEEN_SHOTS, BRICK, BRICK_DENSITY, MATERIAL, Models, Plan, SHOT, build, shoot,
};
use impinge::math::DVec3;
use impinge::{Placed, Placement, Trs, Verdict};
use impinge_papers::stopwatch::Stopwatch;
use rapier3d_f64::math::{Pose, Rotation};
use rapier3d_f64::prelude::{ColliderBuilder, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle, SharedShape};

use super::physics::{Body, World};
use super::simulation::vector;

/// Steps in a second, and seconds.
const RATE: u32 = 60;
const SECONDS: f64 = 5.0;

/// The radius of a ball.
const RADIUS: f64 = 0.22;

/// The walls of 72 and of 1,000 bricks.
pub(crate) fn run_all(is_quick: bool) {
    let small = Plan { columns: 8, rows: 9, shots: 4, rate: RATE };
    let large = Plan { columns: 40, rows: 25, shots: 4, rate: RATE };
    for plan in if is_quick { vec![small] } else { vec![small, large] } {
        run(&plan);
    }
}

fn run(plan: &Plan) {
    let models = Models::new().expect("valid sizes");
    let mut ours = build(plan, &models).expect("a wall");
    let first_ball = ours.bodies.len() - plan.shots as usize;
    let mut theirs = ByRapier::new(&ours, first_ball);
    let mut times = [Vec::new(), Vec::new()];
    let mut most = [0, 0];
    let mut shot = 0_u32;
    let steps = (SECONDS * f64::from(RATE)) as usize;
    for step in 0..steps {
        let now = step as f64 / f64::from(RATE);
        if shot < plan.shots && now >= BETWEEN_SHOTS * f64::from(shot) {
            shoot(&mut ours.bodies[first_ball + shot as usize]);
            theirs.shoot(first_ball + shot as usize);
            shot += 1;
        }
        let watch = Stopwatch::start();
        ours.step(1.0 / f64::from(RATE)).expect("a finite scene");
        times[0].push(watch.nanoseconds());
        let watch = Stopwatch::start();
        theirs.world.step();
        times[1].push(watch.nanoseconds());
        if step % 30 == 29 || step + 1 == steps {
            most[0] = most[0].max(overlaps(&placed(&ours)));
            most[1] = most[1].max(overlaps(&theirs.placed(&ours)));
        }
    }
    let at_end = [overlaps(&placed(&ours)), overlaps(&theirs.placed(&ours))];
    println!(
        "\nBrick wall: {} bricks, {} shots, {steps} steps of 1/{RATE} s",
        plan.columns * plan.rows,
        plan.shots
    );
    println!("{:<18}{:>12}{:>12}{:>16}{:>16}", "side", "mean ms", "median ms", "overlaps at end", "at most");
    for (number, name) in ["impinge", "rapier with CCD"].into_iter().enumerate() {
        let mean = times[number].iter().sum::<f64>() / times[number].len() as f64 / 1e6;
        times[number].sort_unstable_by(f64::total_cmp);
        let median = times[number][steps / 2] / 1e6;
        println!("{name:<18}{mean:>12.3}{median:>12.3}{:>16}{:>16}", at_end[number], most[number]);
    }
}

fn placed<'m>(world: &World<'m>) -> Vec<Placed<'m>> {
    world.bodies.iter().map(|body| body.placed).collect()
}

/// The pairs that interpenetrate, by the exact test; what is fixed is so on both sides.
fn overlaps(placed: &[Placed<'_>]) -> usize {
    let boxes: Vec<_> = placed.iter().map(Placed::bounds).collect();
    let mut overlaps = 0;
    for i in 0..placed.len() {
        for j in 0..i {
            let is_overlap = boxes[i].overlaps(&boxes[j])
                && !matches!(placed[i].verdict(&placed[j]), Verdict::Clear | Verdict::Touching);
            overlaps += usize::from(is_overlap);
        }
    }
    overlaps
}

/// The bodies in rapier, in the order of the example's: bricks as cuboids, balls as balls.
struct ByRapier {
    world: PhysicsWorld,
    handles: Vec<RigidBodyHandle>,
}

impl ByRapier {
    fn new(world: &World<'_>, first_ball: usize) -> ByRapier {
        let mut rapier = PhysicsWorld { gravity: vector(world.gravity), ..PhysicsWorld::default() };
        rapier.integration_parameters.dt = 1.0 / f64::from(RATE);
        let mut insert = |(number, body): (usize, &Body<'_>)| {
            let map = body.placed.placement().world_from_model();
            let turn = impinge::math::DQuat::from_mat3(&map.matrix3);
            let rotation = Rotation::from_xyzw(turn.x, turn.y, turn.z, turn.w);
            let pose = Pose::from_parts(vector(map.translation), rotation);
            let half = body.placed.model().bounds().size() / 2.0;
            let (shape, density) = if number >= first_ball {
                (SharedShape::ball(RADIUS), BALL_DENSITY)
            } else {
                (SharedShape::cuboid(half.x, half.y, half.z), BRICK_DENSITY)
            };
            let is_brick = half.abs_diff_eq(BRICK / 2.0, 1e-12);
            let body = if is_brick {
                RigidBodyBuilder::dynamic().sleeping(true)
            } else {
                // Balls wait to be shot.
                RigidBodyBuilder::fixed()
            };
            let collider = ColliderBuilder::new(shape)
                .density(density)
                .restitution(MATERIAL.restitution)
                .friction(MATERIAL.friction);
            rapier.insert(body.pose(pose).ccd_enabled(true), collider).0
        };
        let handles = world.bodies.iter().enumerate().map(&mut insert).collect();
        ByRapier { world: rapier, handles }
    }

    fn shoot(&mut self, ball: usize) {
        let body = &mut self.world.bodies[self.handles[ball]];
        body.set_body_type(rapier3d_f64::prelude::RigidBodyType::Dynamic, true);
        body.set_linvel(vector(SHOT), true);
    }

    /// The models of the example where rapier has the bodies. Its balls are rounder than the models, which are inside of them.
    fn placed<'m>(&self, world: &World<'m>) -> Vec<Placed<'m>> {
        let at = |(handle, body): (&RigidBodyHandle, &Body<'m>)| {
            let pose = self.world.bodies[*handle].position();
            let (to, turn) = (pose.translation, pose.rotation);
            let turn = impinge::math::DQuat::from_xyzw(turn.x, turn.y, turn.z, turn.w).normalize();
            let place: Placement =
                Trs::rigid(DVec3::new(to.x, to.y, to.z), turn).expect("a place near the origin").into();
            body.placed.model().at(place)
        };
        self.handles.iter().zip(&world.bodies).map(at).collect()
    }
}
