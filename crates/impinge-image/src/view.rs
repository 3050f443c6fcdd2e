//! Where one looks from: from the world to pixels and back.

use impinge::bounds::Aabb;
use impinge::glam::{DAffine3, DMat3, DMat4, DVec3, DVec4};

use crate::ImageError;

/// Parallel rays, or rays from an eye.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Projection {
    /// Parallel rays: all pixels are of one size.
    #[default]
    Orthographic,
    /// Rays from an eye that is so many radii of what is looked at away from its middle: near things get more pixels.
    Perspective {
        /// More than 1.
        distance: f64,
    },
}

/// An orthonormal frame: to the right, up, and along the view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    pub(crate) right: DVec3,
    pub(crate) up: DVec3,
    pub(crate) forward: DVec3,
}

impl Frame {
    pub(crate) fn along(view: usize, direction: DVec3) -> Result<Frame, ImageError> {
        let forward = direction.try_normalize();
        let forward = forward.ok_or(ImageError::Direction { view, direction: direction.to_array() })?;
        let right = forward.any_orthonormal_vector();
        // Seen from before, a front turns counterclockwise when right, up and towards the viewer are right-handed.
        Ok(Frame { right, up: right.cross(forward), forward })
    }

    /// From the world to right, up, forward.
    pub(crate) fn frame_from_world(&self) -> DMat3 {
        DMat3::from_cols(self.right, self.up, self.forward).transpose()
    }
}

/// One image: a rectangle of square pixels seen along a frame, and how its depths run.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub(crate) frame: Frame,
    /// Pixels a side.
    pub(crate) side: u32,
    /// The largest side of a pixel in the world.
    pub(crate) largest_pixel: f64,
    /// From the world to pixels (to the right, down) and depth (0 to 1), times the last coordinate.
    pub(crate) image_from_world: DMat4,
    world_from_image: DMat4,
    /// Depths between which edges are drawn.
    pub(crate) edge_depths: [f64; 2],
    /// From depth to pixels, for directions: how many pixels a depth of 1 is.
    pub(crate) depth_in_pixels: f64,
    pub(crate) projection: Projection,
}

/// Pixels around what is looked at, so that edges at its rim are drawn whole.
pub(crate) const MARGIN: f64 = 2.0;

/// However far edges are moved, so many pixels are left for what is looked at.
const LEAST_PIXELS: f64 = 4.0;

impl View {
    /// The tightest view of `region` (in the frame: right, up, forward), with depths that hold all of `depths`, for edges that are moved by
    /// `offset` pixels.
    pub(crate) fn fit(
        frame: Frame,
        region: Aabb,
        depths: [f64; 2],
        side: u32,
        projection: Projection,
        offset: f64,
    ) -> View {
        let middle = region.center();
        let size = region.size();
        let extent = size.x.max(size.y);
        let span = depths[1] - depths[0];
        // What has no size in the image, a point seen against a point, still needs pixels.
        let floor = (span + size.length() + middle.abs().max_element()) * 1e-9;
        // The eye is before all that has depth, so nothing needs to be cut off behind it.
        let radius = (middle.z - depths[0]).max(depths[1] - middle.z).max(0.5 * extent).max(floor);
        let eye = match projection {
            Projection::Orthographic => f64::INFINITY,
            Projection::Perspective { distance } => distance * radius,
        };
        // What is nearer than the middle is seen larger and must fit as well.
        let nearest = if eye.is_finite() { 1.0 - (middle.z - region.min.z) / eye } else { 1.0 };
        let slack = span.max(floor) * 1e-6;
        let (near, far) = (depths[0] - slack, depths[1] + slack);
        let farthest = if eye.is_finite() { 1.0 + (far - middle.z) / eye } else { 1.0 };
        // Edges are moved by the largest pixels, and where they are nearest that is more of the image's own.
        let around = MARGIN + offset * farthest / nearest;
        let pixel = (extent / nearest).max(floor) / (f64::from(side) - 2.0 * around).max(LEAST_PIXELS);
        let image_from_frame = image_from_frame(middle, pixel, side, [near, far], eye);
        let image_from_world = image_from_frame * DMat4::from_mat3(frame.frame_from_world());
        let mut view = View {
            frame,
            side,
            largest_pixel: pixel * farthest,
            image_from_world,
            world_from_image: image_from_world.inverse(),
            edge_depths: [0.0, 1.0],
            depth_in_pixels: (far - near) / pixel,
            projection,
        };
        let margin = around * pixel;
        let at = |z: f64| project(&image_from_frame, DVec3::new(middle.x, middle.y, z)).z;
        view.edge_depths = [at(region.min.z - margin).max(0.0), at(region.max.z + margin).min(1.0)];
        view
    }

    /// Pixels and depth of points of an object.
    pub(crate) fn image_from(&self, world_from_model: &DAffine3) -> DMat4 {
        self.image_from_world * DMat4::from(*world_from_model)
    }

    /// The point of the world at a depth behind the middle of a pixel.
    pub(crate) fn unproject(&self, [x, y]: [u32; 2], depth: f64) -> DVec3 {
        project(&self.world_from_image, DVec3::new(f64::from(x) + 0.5, f64::from(y) + 0.5, depth))
    }

    /// The largest angle between a ray and the direction of view.
    pub(crate) fn spread(&self) -> f64 {
        let last = self.side - 1;
        let ray = |pixel| self.unproject(pixel, 1.0) - self.unproject(pixel, 0.0);
        let corners = [[0, 0], [0, last], [last, 0], [last, last]];
        let angles = corners.map(|pixel| ray(pixel).angle_between(self.frame.forward));
        if self.projection == Projection::Orthographic { 0.0 } else { angles.into_iter().fold(0.0, f64::max) }
    }

    /// Other directions of view as seen in the image, in pixels.
    pub(crate) fn seen_from_here(&self, other: &Frame) -> DVec3 {
        let along = self.frame.frame_from_world() * other.forward;
        DVec3::new(along.x, -along.y, along.z)
    }
}

/// The image of a point: pixels and depth.
pub(crate) fn project(image: &DMat4, point: DVec3) -> DVec3 {
    let place = *image * point.extend(1.0);
    if place.w == 1.0 { place.truncate() } else { place.truncate() / place.w }
}

/// From right, up, forward to pixels and depth. With an eye `d` before the middle, what is `z` behind the middle is seen
/// `w = 1 + z / d` times smaller, and the depth that stays flat on planes is `(1 - w₀/w) w₁ / (w₁ - w₀)`.
fn image_from_frame(middle: DVec3, pixel: f64, side: u32, [near, far]: [f64; 2], eye: f64) -> DMat4 {
    let half = 0.5 * f64::from(side);
    let bend = if eye.is_finite() { 1.0 / eye } else { 0.0 };
    // Rows of the map from (right, up, forward, 1) relative to the middle.
    let x = DVec4::new(1.0 / pixel, 0.0, half * bend, half);
    let y = DVec4::new(0.0, -1.0 / pixel, half * bend, half);
    let w = DVec4::new(0.0, 0.0, bend, 1.0);
    let z = if eye.is_finite() {
        let (first, last) = (1.0 + (near - middle.z) * bend, 1.0 + (far - middle.z) * bend);
        let scale = last / (last - first);
        DVec4::new(0.0, 0.0, scale * bend, scale * (1.0 - first))
    } else {
        let scale = 1.0 / (far - near);
        DVec4::new(0.0, 0.0, scale, (middle.z - near) * scale)
    };
    DMat4::from_cols(x, y, z, w).transpose() * DMat4::from_translation(-middle)
}

/// Bounds of a box of a model, seen in a frame.
pub(crate) fn bounds_in_frame(frame: &Frame, world_from_model: &DAffine3, bounds: &Aabb) -> Aabb {
    bounds.image(&(DAffine3::from_mat3(frame.frame_from_world()) * *world_from_model))
}

/// What two boxes have in common; empty where they are apart.
pub(crate) fn common(a: &Aabb, b: &Aabb) -> Aabb {
    Aabb { min: a.min.max(b.min), max: a.max.min(b.max) }
}
