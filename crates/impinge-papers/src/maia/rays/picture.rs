//! Pictures: shading by normals, with shadows, and PNG files.

use std::io;

use impinge::math::DVec3;
use impinge::query::{Ray, RayHit};

use super::Scene;

/// An image of red, green and blue bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    width: usize,
    bytes: Vec<u8>,
}

impl Picture {
    /// Pixels in a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows of pixels.
    pub fn height(&self) -> usize {
        self.bytes.len() / 3 / self.width.max(1)
    }

    /// The picture as a PNG file.
    pub fn png(&self) -> io::Result<Vec<u8>> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.width as u32, self.height() as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.bytes)?;
        writer.finish()?;
        Ok(file)
    }
}

/// The direction to the sun.
const SUN: DVec3 = DVec3::new(0.46, -0.32, 0.83);

/// Colors what the rays have hit.
pub(super) fn shade(scene: &Scene, width: usize, rays: &[Ray], seen: &[Option<(usize, RayHit)>]) -> Picture {
    let mut bytes = Vec::with_capacity(3 * rays.len());
    for (ray, seen) in rays.iter().zip(seen) {
        let sky = sky(ray.direction().normalize());
        let color = match seen {
            Some((thing, hit)) => lit(scene, *thing, hit, ray, sky),
            None => sky,
        };
        // Half way between linear light and what screens show.
        bytes.extend(color.to_array().map(|c| (c.clamp(0.0, 1.0).powf(1.0 / 1.8) * 255.0 + 0.5) as u8));
    }
    Picture { width, bytes }
}

fn sky(direction: DVec3) -> DVec3 {
    let high = (direction.z * 1.6 + 0.35).clamp(0.0, 1.0);
    DVec3::new(0.86, 0.89, 0.93).lerp(DVec3::new(0.28, 0.46, 0.78), high)
}

fn lit(scene: &Scene, thing: usize, hit: &RayHit, ray: &Ray, sky: DVec3) -> DVec3 {
    let towards_eye = -ray.direction().normalize();
    let normal = hit.normal_in_world.unwrap_or(towards_eye);
    let normal = if normal.dot(towards_eye) < 0.0 { -normal } else { normal };
    let sun = SUN.normalize();
    let facing = normal.dot(sun).max(0.0);
    // A little above the surface, so that it does not shade itself.
    let to_sun = Ray::new(hit.point_in_world + normal * 1e-6, sun);
    let shaded =
        facing > 0.0 && to_sun.is_ok_and(|to_sun| scene.placed().any(|placed| placed.hits_ray(&to_sun)));
    let direct = if shaded { 0.0 } else { facing };
    let above = 0.5 + 0.5 * normal.z;
    let half_way = (sun + towards_eye).normalize();
    let gloss = if thing == 0 || shaded { 0.0 } else { normal.dot(half_way).max(0.0).powi(48) * 0.35 };
    let light = DVec3::new(1.0, 0.95, 0.86) * (0.95 * direct) + DVec3::new(0.20, 0.26, 0.34) * above;
    let color = DVec3::from_array(scene.things[thing].color);
    // Far things fade into the sky.
    let far = ((hit.point_in_world - ray.origin()).length() / 22.0).powi(3).min(1.0);
    (color * light + DVec3::splat(gloss)).lerp(sky, far)
}
