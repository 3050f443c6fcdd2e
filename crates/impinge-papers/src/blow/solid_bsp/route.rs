//! Query volumes of a solid BSP tree: boxes, polygons and rays. Each gives its extent along a normal, and whether it touches a
//! sphere, with padding for all rounding: it may find too much, never too little.
//!
//! Comparisons are made so that NaN, and so whatever overflowed, reaches everything.

use super::SolidBsp;
use super::fragment::fan_normal;
use impinge::math::{DMat3, DVec3};

/// What rounding of sums and products of a few numbers of about this size may come to.
const ROUNDINGS: f64 = 32.0 * f64::EPSILON;

/// A query volume of a solid BSP tree, in the tree's units.
pub trait Routed {
    /// The least and the greatest of `normal · p + offset` over all its points, for a normal of length 1 or 0.
    fn reach(&self, normal: DVec3, offset: f64) -> [f64; 2];

    /// Whether the volume may come within `radius` of `center`.
    fn comes_near(&self, center: DVec3, radius: f64) -> bool;
}

/// A box under an affine map as a query volume: what the paper sends down first.
#[derive(Clone, Copy, Debug)]
pub struct RoutedBox {
    center: DVec3,
    /// Half of the edges, as columns.
    halves: DMat3,
    /// Across its sides, of length 1.
    normals: [DVec3; 3],
    extents: [f64; 3],
    room: f64,
}

impl RoutedBox {
    /// The box around `center` with half-edges along the columns of `axes`, of the lengths of these times `half`; every
    /// coordinate of it may be off by `error`. All in the frame of the tree's polygons.
    pub fn new(tree: &SolidBsp, center: DVec3, axes: DMat3, half: DVec3, error: f64) -> RoutedBox {
        let center = tree.local(center);
        let halves = axes * DMat3::from_diagonal(half * tree.scale);
        // Any directions will do; these are the best. The axes themselves, for the halves of a flat box have none.
        let [x, y, z] = [axes.x_axis, axes.y_axis, axes.z_axis].map(DVec3::normalize_or_zero);
        let normals = [y.cross(z), z.cross(x), x.cross(y)].map(DVec3::normalize_or_zero);
        let size = center.abs().element_sum() + sum_of_lengths(&halves) + 1.0;
        let room = 2.0 * error * tree.scale + ROUNDINGS * size;
        let extents = normals.map(|normal| (halves.transpose() * normal).abs().element_sum() + room);
        RoutedBox { center, halves, normals, extents, room }
    }

    /// A box whose sides are parallel to the axes, in the frame of the tree's polygons.
    pub fn aligned(tree: &SolidBsp, min: DVec3, max: DVec3) -> RoutedBox {
        RoutedBox::new(tree, min * 0.5 + max * 0.5, DMat3::IDENTITY, max * 0.5 - min * 0.5, 0.0)
    }
}

fn sum_of_lengths(matrix: &DMat3) -> f64 {
    matrix.x_axis.length() + matrix.y_axis.length() + matrix.z_axis.length()
}

impl Routed for RoutedBox {
    #[inline(always)]
    fn reach(&self, normal: DVec3, offset: f64) -> [f64; 2] {
        let middle = normal.dot(self.center) + offset;
        let DMat3 { x_axis, y_axis, z_axis } = self.halves;
        let half = normal.dot(x_axis).abs() + normal.dot(y_axis).abs() + normal.dot(z_axis).abs() + self.room;
        [middle - half, middle + half]
    }

    #[inline(always)]
    fn comes_near(&self, center: DVec3, radius: f64) -> bool {
        let between = center - self.center;
        let is_apart = |i: usize| self.normals[i].dot(between).abs() > self.extents[i] + radius;
        !(is_apart(0) || is_apart(1) || is_apart(2))
    }
}

/// A polygon as a query volume: all that lies between its corners.
#[derive(Clone, Debug, Default)]
pub struct RoutedPolygon {
    corners: Vec<DVec3>,
    center: DVec3,
    radius: f64,
    /// Across the polygon, and how far it reaches along that.
    normal: DVec3,
    thickness: [f64; 2],
    room: f64,
}

impl RoutedPolygon {
    /// Makes this the polygon with other corners, in the memory that it has. Every coordinate may be off by `error`; all in
    /// the frame of the tree's polygons.
    pub fn set(&mut self, tree: &SolidBsp, corners: impl IntoIterator<Item = DVec3>, error: f64) {
        self.corners.clear();
        self.corners.extend(corners.into_iter().map(|corner| tree.local(corner)));
        let Some(&first) = self.corners.first() else { return };
        let least = self.corners.iter().fold(first, |least, corner| least.min(*corner));
        let most = self.corners.iter().fold(first, |most, corner| most.max(*corner));
        self.center = least * 0.5 + most * 0.5;
        let size = least.abs().max(most.abs()).element_sum() + 1.0;
        self.room = 2.0 * error * tree.scale + ROUNDINGS * size;
        let squared = self.corners.iter().map(|corner| corner.distance_squared(self.center));
        self.radius = squared.fold(0.0, f64::max).sqrt() + self.room;
        self.normal = fan_normal(&self.corners).unwrap_or(DVec3::ZERO);
        self.thickness = self.reach(self.normal, 0.0);
    }
}

impl Routed for RoutedPolygon {
    #[inline(always)]
    fn reach(&self, normal: DVec3, offset: f64) -> [f64; 2] {
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for &corner in &self.corners {
            let side = normal.dot(corner) + offset;
            // NaN takes both places.
            least = if side > least { least } else { side };
            most = if side < most { most } else { side };
        }
        [least - self.room, most + self.room]
    }

    #[inline(always)]
    fn comes_near(&self, center: DVec3, radius: f64) -> bool {
        let reach = self.radius + radius;
        let height = self.normal.dot(center);
        !(center.distance_squared(self.center) > reach * reach * (1.0 + ROUNDINGS)
            || height - radius > self.thickness[1]
            || height + radius < self.thickness[0])
    }
}

/// A ray as a query volume: all points from its origin on.
#[derive(Clone, Copy, Debug)]
pub struct RoutedRay {
    origin: DVec3,
    /// Of length 1.
    direction: DVec3,
    room: f64,
}

impl RoutedRay {
    /// The ray from `origin`, every coordinate of which may be off by `error`, in the frame of the tree's polygons.
    pub fn new(tree: &SolidBsp, origin: DVec3, direction: DVec3, error: f64) -> RoutedRay {
        let origin = tree.local(origin);
        // What rounding turns the direction by matters as far as the polygons are away.
        let room = 2.0 * error * tree.scale + ROUNDINGS * (2.0 * origin.abs().element_sum() + 4.0);
        let direction = (direction / direction.abs().max_element()).normalize();
        RoutedRay { origin, direction, room }
    }
}

impl Routed for RoutedRay {
    #[inline(always)]
    fn reach(&self, normal: DVec3, offset: f64) -> [f64; 2] {
        let (start, slope) = (normal.dot(self.origin) + offset, normal.dot(self.direction));
        let least = if slope >= 0.0 { start - self.room } else { f64::NEG_INFINITY };
        let most = if slope <= 0.0 { start + self.room } else { f64::INFINITY };
        [least, most]
    }

    #[inline(always)]
    fn comes_near(&self, center: DVec3, radius: f64) -> bool {
        let between = center - self.origin;
        let along = between.dot(self.direction).max(0.0);
        let reach = radius + self.room;
        let distance_squared = (between - self.direction * along).length_squared();
        let is_apart = distance_squared > reach * reach * (1.0 + ROUNDINGS);
        !is_apart
    }
}
