//! Boxes that a ray or an axis-aligned box may meet: for questions about the inside of solids.

use impinge::bounds::Aabb;
use impinge::math::{DAffine3, DMat3, DVec3};
use impinge::query::experiments::{FaceTree, FrameRay};

use super::overlap::TreeMap;
use super::{ObbTree, OrientedBox};

/// The padding of a separating axis per size of what is compared, in units of ε.
const PADDING: f64 = 256.0;

impl FaceTree for ObbTree {
    type Stack = Vec<u32>;

    fn near(&self, bounds: &Aabb, stack: &mut Vec<u32>, visit: impl FnMut(u32)) {
        // What is beyond the tree does not count, and so all sizes are bounded.
        let low = self.frame.to_tree(bounds.min).max(DVec3::splat(-2.0));
        let high = self.frame.to_tree(bounds.max).min(DVec3::splat(2.0));
        if low.cmpgt(high).any() {
            return;
        }
        let (center, half) = (low * 0.5 + high * 0.5, high * 0.5 - low * 0.5);
        let error = 8.0 * f64::EPSILON;
        let near = OrientedBox { axes: DMat3::IDENTITY, center, half };
        let map = TreeMap::of(self.frame, self.frame, &DAffine3::IDENTITY, error / self.frame.scale);
        self.for_each(stack, |node| !map.are_apart(&near, &map.image(node)), visit);
    }

    fn on_ray(&self, ray: &FrameRay, stack: &mut Vec<u32>, visit: impl FnMut(u32)) {
        let origin = self.frame.to_tree(ray.origin);
        let size = ray.direction.abs().max_element();
        // By a power of two, so that the direction is exact; half of it at a time, as it may be out of range.
        let exponent = if size > 0.0 { -size.log2().ceil().clamp(-1074.0, 1024.0) } else { 0.0 };
        let halves = [(exponent * 0.5).floor(), (exponent * 0.5).ceil()].map(f64::exp2);
        let direction = ray.direction * halves[0] * halves[1];
        let far = origin.abs().max_element() + 2.0;
        let padding = 2.0 * ray.error * self.frame.scale + PADDING * f64::EPSILON * far;
        self.for_each(stack, |node| !misses(node, origin, direction, padding), visit);
    }
}

impl ObbTree {
    /// Calls `visit` with the faces of all leaves that are reached through boxes for which `is_open` holds.
    fn for_each(
        &self,
        stack: &mut Vec<u32>,
        is_open: impl Fn(&OrientedBox) -> bool,
        mut visit: impl FnMut(u32),
    ) {
        stack.clear();
        stack.extend((!self.nodes.is_empty()).then_some(0));
        while let Some(number) = stack.pop() {
            let node = &self.nodes[number as usize];
            if !is_open(&node.bounds) {
                continue;
            }
            match node.face() {
                Some(face) => visit(face),
                None => stack.extend(node.children()),
            }
        }
    }
}

/// Whether a ray certainly misses a box.
fn misses(bounds: &OrientedBox, origin: DVec3, direction: DVec3, padding: f64) -> bool {
    let turned = bounds.axes.transpose();
    let (from, along) = (turned * (origin - bounds.center), turned * direction);
    let is_beyond = |axis: usize| {
        // The sign of a product is known if it is larger than its rounding.
        let leaves = along[axis].abs() > 16.0 * f64::EPSILON && (from[axis] > 0.0) == (along[axis] > 0.0);
        leaves && from[axis].abs() - bounds.half[axis] > padding
    };
    let is_beside = |axis: DVec3| {
        let size = axis.abs();
        from.dot(axis).abs() - size.dot(bounds.half) > size.element_sum() * padding
    };
    (0..3).any(is_beyond)
        || is_beside(DVec3::new(0.0, -along.z, along.y))
        || is_beside(DVec3::new(along.z, 0.0, -along.x))
        || is_beside(DVec3::new(-along.y, along.x, 0.0))
}
