//! Where rays hit a model: the nearest hit, all hits, and a batch of rays that draws a picture.
//!
//! `cargo run --release --example 10_ray`

use std::error::Error;

use impinge::query::{Ray, RayOptions};
use impinge::{Model, Trs, shapes};

fn main() -> Result<(), Box<dyn Error>> {
    // A ring around the z axis. Its tube, of radius 0.25, runs from 0.75 to 1.25 away from the axis.
    let ring = Model::new(shapes::torus(1.0, 0.25, 64, 32)?);
    let ring = ring.at(Trs::IDENTITY);

    // A ray has an origin and a direction of any length. Times are multiples of the direction.
    let ray = Ray::new([3.0, 0.01, 0.02], [-1.0, 0.0, 0.0])?;
    let nearest = ring.cast_ray(&ray).ok_or("the ray points at the ring")?;
    println!("nearest: face {} at {:.3}, t = {:.3}", nearest.face, nearest.point_in_world, nearest.t);
    assert!((nearest.t - 1.75).abs() < 0.01);

    // It enters the ring and leaves it, crosses the hole, and does so again.
    let hits = ring.cast_ray_all(&ray, RayOptions::default());
    for hit in &hits {
        println!("  {} at x = {:.3}", if hit.from_front { "enters" } else { "leaves" }, hit.point_in_world.x);
    }
    assert_eq!(hits.len(), 4);
    assert_eq!(hits[0], nearest);
    // Without the faces that are passed from behind, only the entries are left.
    assert_eq!(ring.cast_ray_all(&ray, RayOptions::new().cull_back(true)).len(), 2);

    // A segment ends. This one is all in the hole, so it sees nothing.
    let segment = Ray::segment([0.5, 0.01, 0.02], [-0.5, 0.01, 0.02])?;
    assert!(!ring.hits_ray(&segment));

    // A batch: one ray down for each character of a picture, all cast at once. The answers are in the order of the rays.
    let (columns, rows) = (44, 17);
    let mut rays = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let x = 3.0 * (f64::from(column) + 0.5) / f64::from(columns) - 1.5;
            let y = 1.5 - 3.0 * (f64::from(row) + 0.5) / f64::from(rows);
            rays.push(Ray::new([x, y, 2.0], [0.0, 0.0, -1.0])?);
        }
    }
    let answers = ring.cast_rays(&rays, RayOptions::default());
    for line in answers.chunks(columns as usize) {
        let shades = line.iter().map(|hit| match hit {
            Some(hit) if hit.point_in_world.z > 0.2 => '@',
            Some(_) => 'o',
            None => '.',
        });
        println!("{}", shades.collect::<String>());
    }
    // Casting them one after the other finds the same.
    assert!(rays.iter().zip(&answers).all(|(ray, hit)| ring.cast_ray(ray) == *hit));
    Ok(())
}
