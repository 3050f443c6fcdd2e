//! Round things: a ball that bounces between posts, a rounded crate that is pushed, a capsule that walks around a post.
//!
//! `cargo run --release --example 16_balls`

use std::error::Error;
use std::sync::Arc;

use impinge::math::DVec3;
use impinge::query::{Ray, RayOptions, SweepOptions};
use impinge::world::{Body, SlideOptions, World};
use impinge::{Model, Motion, Trs, Verdict, shapes};

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::new();
    let floor = Model::new(shapes::cuboid([-20.0, -20.0, -1.0], [20.0, 20.0, 0.0])?);
    let floor = world.insert(Body::fixed(floor, Trs::IDENTITY))?;
    // Posts are capsules: one segment each, and not a cylinder of a hundred triangles.
    let post = Arc::new(Model::capsule([0.0, 0.0, 0.0], [0.0, 0.0, 3.0], 0.5)?);
    for place in [[4.0, 0.25, 0.0], [0.0, 5.0, 0.0], [-6.0, 1.0, 0.0]] {
        world.insert(Body::fixed(Arc::clone(&post), Trs::translation(place)?))?;
    }

    // A ball is thrown, and bounces off what it hits: half of its speed is lost.
    let ball = world.insert(Body::moving(Model::ball(0.25)?, Trs::translation([-3.0, 0.0, 1.0])?))?;
    let (mut velocity, mut bounces) = (DVec3::new(8.0, 0.0, 3.0), 0);
    for step in 0..180 {
        velocity.z -= 9.81 / 60.0;
        let moved = world.try_move(ball, &Motion::translation(velocity / 60.0)?)?;
        if let Some(hit) = moved.hits.first().and_then(|hit| Some((hit.other, hit.hit?))) {
            let (other, hit) = hit;
            let normal = hit.surface_normal();
            let speed = -velocity.dot(normal);
            velocity += normal * (1.5 * speed).max(0.0);
            if speed > 0.5 {
                let what = if other == floor { "the floor" } else { "a post" };
                println!("{:.2} s: hits {what} at {:.2}", f64::from(step) / 60.0, hit.point_on_stationary);
                bounces += 1;
            }
        }
    }
    assert!(bounces >= 3);
    let rests_at = world.get(ball)?.placement().world_from_model().translation;
    println!("it rests at {rests_at:.3}: its center is 0.25 above the floor");
    assert!(rests_at.z >= 0.25 && rests_at.z < 0.26);

    // The radius is shape, and exact: two balls 5 apart touch if their radii are 2 and 3.
    let [small, large] = [Model::ball(2.0)?, Model::ball(3.0)?];
    let there = large.at(Trs::translation([3.0, 4.0, 0.0])?);
    assert_eq!(small.at(Trs::IDENTITY).verdict(&there), Verdict::Touching);

    // A player who is a capsule walks against a post, and gets around it.
    let player = Model::capsule([0.0, 0.0, 0.4], [0.0, 0.0, 1.4], 0.4)?;
    let player = world.insert(Body::moving(player, Trs::translation([1.0, 0.0, 0.01])?))?;
    for _ in 0..60 {
        world.slide(player, [0.1, 0.0, -0.05], &SlideOptions::default())?;
    }
    let place = world.get(player)?.placement().world_from_model().translation;
    println!("the player walked around the post, to {place:.2}");
    assert!(place.x > 5.0 && place.y < -0.6);

    // A crate with round edges is cast along, without being a body; rays hit the round sides.
    let crate_ = Model::new(shapes::cuboid([-0.4; 3], [0.4; 3])?).rounded(0.1)?;
    let from = crate_.at(Trs::translation([0.0, 0.0, 1.0])?);
    let ahead = Motion::translation([0.0, 9.0, 0.0])?;
    let (_, sweep) = world.sweep(&from, &ahead, SweepOptions::new(), |_, _| true).ok_or("a post is there")?;
    println!("the crate is stopped after {:.3}", 9.0 * sweep.fraction);
    assert!((9.0 * sweep.fraction - 4.0).abs() < 1e-6);
    let (_, found) = world
        .cast_ball([0.0, 0.0, 1.0], 0.5, [0.0, 9.0, 0.0], SweepOptions::new(), |_, _| true)?
        .ok_or("a post is there")?;
    assert!((9.0 * found.fraction - 4.0).abs() < 1e-6);
    let ray = Ray::new([0.25, 0.0, 1.0], [0.0, 1.0, 0.0])?;
    let (_, hit) = world.cast_ray(&ray, RayOptions::new(), |_, _| true).ok_or("a post is there")?;
    println!("a ray hits the post's round side after {:.4}", hit.t);
    assert!((hit.t - (5.0 - 0.1875_f64.sqrt())).abs() < 1e-12);
    // Nothing overlaps, by the exact test.
    assert!(world.overlaps().is_empty());
    Ok(())
}
