//! When a moving model meets another: along a line, about an axis, with a margin, and from a start where the two touch.
//!
//! `cargo run --release --example 11_sweep`

use std::error::Error;

use impinge::query::{SweepOptions, SweepStatus};
use impinge::{Model, Motion, Trs, shapes};

fn main() -> Result<(), Box<dyn Error>> {
    // A die is thrown at a thin wall, so fast that it would be behind the wall at the end.
    let die = Model::new(shapes::cuboid([-0.5; 3], [0.5; 3])?);
    let wall = Model::new(shapes::cuboid([3.5, -5.0, -5.0], [3.6, 5.0, 5.0])?);
    let (die, wall) = (die.at(Trs::IDENTITY), wall.at(Trs::IDENTITY));
    let throw = Motion::translation([12.0, 0.0, 0.0])?;
    let sweep = die.sweep(&throw, &wall);
    println!("throw: {:?} after {:.4} of the way", sweep.status, sweep.fraction);
    assert_eq!(sweep.status, SweepStatus::Hit);
    // Never late: the true touch is at 3/12.
    assert!(sweep.fraction <= 0.25 && sweep.fraction > 0.2499);
    let hit = sweep.hit.ok_or("a hit says where")?;
    println!("  at {:.3}, the normal from the die to the wall is {}", hit.point_on_stationary, hit.normal);
    // The pose at the stop is free by the exact test.
    assert!(!die.model().try_at(sweep.world_from_moving)?.intersects(&wall));

    // A margin stops it earlier, here a tenth away from the wall.
    let options = SweepOptions::new().margin(0.1);
    let kept_off = die.sweep_with(&throw, &wall, options);
    let gap = die.model().try_at(kept_off.world_from_moving)?.distance(&wall).distance;
    println!("throw with a margin of 0.1: stopped {gap:.4} away");
    assert!(gap > 0.0999 && gap < 0.101);

    // A door turns by 90 degrees about its hinge, the z axis. A post stands in its way, with an edge at 45 degrees.
    let door = Model::new(shapes::cuboid([0.0, -0.1, 0.0], [1.0, 0.0, 2.0])?);
    let post = Model::new(shapes::cuboid([0.3, 0.5, 0.0], [0.5, 0.7, 2.0])?);
    let swing = Motion::rotation([0.0; 3], [0.0, 0.0, 1.0], 90.0)?;
    let swung = door.at(Trs::IDENTITY).sweep(&swing, &post.at(Trs::IDENTITY));
    println!("door: {:?} after {:.3} degrees", swung.status, 90.0 * swung.fraction);
    assert!(swung.fraction <= 0.5 && swung.fraction > 0.4999);

    // The die stands on a floor. Pushed along, it slides: it is lifted off by a hair first, and the answer says by how much.
    let floor = Model::new(shapes::cuboid([-9.0, -9.0, -1.5], [9.0, 9.0, -0.5])?);
    let floor = floor.at(Trs::IDENTITY);
    let pushed = die.sweep(&Motion::translation([5.0, 0.0, 0.0])?, &floor);
    let lift = pushed.lift.ok_or("what slides is lifted")?;
    println!("slide: {:?}, lifted by {:.1e}", pushed.status, lift.z);
    assert_eq!((pushed.status, pushed.fraction), (SweepStatus::Clear, 1.0));
    assert!(lift.z > 0.0 && lift.length() < 1e-8);

    // Pressed into the floor, it does not move at all.
    let pressed = die.sweep(&Motion::translation([5.0, 0.0, -1.0])?, &floor);
    println!("press: {:?} at {}", pressed.status, pressed.fraction);
    assert_eq!((pressed.status, pressed.fraction), (SweepStatus::Hit, 0.0));
    Ok(())
}
