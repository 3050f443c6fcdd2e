//! A camera on a circle around the scene.

use std::f64::consts::TAU;

use impinge::math::DVec3;
use impinge::query::Ray;

/// Where the camera stands and what it sees.
#[derive(Clone, Copy, Debug)]
pub struct Camera {
    eye: DVec3,
    forward: DVec3,
    right: DVec3,
    up: DVec3,
}

impl Camera {
    /// After a part of a full turn about the vertical axis.
    pub fn turned(part: f64) -> Camera {
        let (sin, cos) = (part * TAU - 1.1).sin_cos();
        let eye = DVec3::new(7.6 * cos, 7.6 * sin, 3.4);
        let forward = (DVec3::new(0.0, 0.0, 0.35) - eye).normalize();
        let right = forward.cross(DVec3::Z).normalize();
        Camera { eye, forward, right, up: right.cross(forward) }
    }

    /// One ray for each pixel, row by row from the top.
    pub fn rays(&self, width: usize, height: usize) -> Vec<Ray> {
        let half = 0.42;
        let ray = |i: usize| {
            let (x, y) = ((i % width) as f64 + 0.5, (i / width) as f64 + 0.5);
            let across = half * (2.0 * x - width as f64) / height as f64;
            let above = half * (1.0 - 2.0 * y / height as f64);
            Ray::new(self.eye, self.forward + self.right * across + self.up * above)
        };
        (0..width * height).filter_map(|i| ray(i).ok()).collect()
    }
}
