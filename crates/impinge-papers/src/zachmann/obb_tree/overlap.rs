//! The separating axis test of two oriented boxes by fifteen axes (Gottschalk et al. 1996, §5), for any affine map.
//!
//! `docs/math/obb-tree.md` derives the padding.

use impinge::math::{DAffine3, DMat3, DVec3};
use impinge::query::experiments::{Maps, row_sum};

use super::{ObbFrame, OrientedBox};

/// The map from the tree coordinates of one tree to those of another.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeMap {
    linear: DMat3,
    shift: DVec3,
    /// The padding of a separating axis whose coordinates have sizes that add up to 1.
    padding: f64,
    /// Whether the axes of a mapped box are about orthogonal, so that they are the normals of its sides.
    is_rigid: bool,
}

/// The padding per size of what is mapped, in units of ε.
const PADDING: f64 = 2048.0;

impl TreeMap {
    /// The map of the guest's tree to the host's.
    pub(super) fn new(to: ObbFrame, from: ObbFrame, maps: &Maps) -> TreeMap {
        let map = &maps.host_from_guest;
        TreeMap::of(to, from, map, maps.error_in_host)
    }

    /// A map of points that may be off by `error` in every coordinate, in the frame that it leads to.
    pub(super) fn of(to: ObbFrame, from: ObbFrame, map: &DAffine3, error: f64) -> TreeMap {
        let linear = map.matrix3 * (to.scale / from.scale);
        let turned_origin = map.matrix3 * from.origin;
        let shift = ((turned_origin + map.translation) - to.origin) * to.scale;
        let sizes = (turned_origin.abs() + map.translation.abs() + to.origin.abs()) * to.scale;
        let rows = row_sum(&linear);
        // Where numbers have left their range this is not finite, and nothing is told apart.
        let error = error * to.scale + 8.0 * f64::EPSILON * (sizes.max_element() + rows);
        let padding = 2.0 * error + PADDING * f64::EPSILON * (rows + shift.abs().max_element() + 2.0);
        let product = linear.transpose() * linear;
        let trace = (product.x_axis.x + product.y_axis.y + product.z_axis.z) / 3.0;
        let off = product - DMat3::from_diagonal(DVec3::splat(trace));
        TreeMap { linear, shift, padding, is_rigid: row_sum(&off) <= 1e-6 * trace }
    }

    /// A box of the guest in the host's tree coordinates.
    pub(super) fn image(&self, guest: &OrientedBox) -> MappedBox {
        MappedBox {
            edges: self.linear * guest.axes,
            center: self.linear * guest.center + self.shift,
            half: guest.half,
        }
    }

    /// Whether an axis tells a box of the host from a mapped one of the guest.
    pub(super) fn are_apart(&self, host: &OrientedBox, guest: &MappedBox) -> bool {
        let turned = host.axes.transpose();
        let pair = InHost {
            edges: turned * guest.edges,
            between: turned * (guest.center - host.center),
            halves: [host.half, guest.half],
            padding: self.padding,
        };
        pair.are_apart(self.is_rigid)
    }
}

/// A mapped box: the images of its axes as columns, not of unit length, and as before its half-extents along the axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct MappedBox {
    edges: DMat3,
    center: DVec3,
    half: DVec3,
}

/// Two boxes as seen along the axes of the first.
struct InHost {
    edges: DMat3,
    /// From the center of the first to that of the second.
    between: DVec3,
    halves: [DVec3; 2],
    padding: f64,
}

impl InHost {
    fn are_apart(&self, is_rigid: bool) -> bool {
        let edges = &self.edges;
        // The normals of the first box. Their products with the edges are rows of the matrix.
        let reach = self.halves[0]
            + edges.x_axis.abs() * self.halves[1].x
            + edges.y_axis.abs() * self.halves[1].y
            + edges.z_axis.abs() * self.halves[1].z;
        if (self.between.abs() - reach).cmpgt(DVec3::splat(self.padding)).any() {
            return true;
        }
        let [x, y, z] = [edges.x_axis, edges.y_axis, edges.z_axis];
        let normals = if is_rigid { [x, y, z] } else { [y.cross(z), z.cross(x), x.cross(y)] };
        normals.into_iter().any(|normal| self.is_separating(normal))
            || [x, y, z].into_iter().any(|edge| {
                self.is_separating(DVec3::new(0.0, -edge.z, edge.y))
                    || self.is_separating(DVec3::new(edge.z, 0.0, -edge.x))
                    || self.is_separating(DVec3::new(-edge.y, edge.x, 0.0))
            })
    }

    /// Whether an axis tells the boxes apart, whatever it is; one of no length never does.
    #[inline(always)]
    fn is_separating(&self, axis: DVec3) -> bool {
        let size = axis.abs();
        let along = self.edges.transpose() * axis;
        let reach = size.dot(self.halves[0]) + along.abs().dot(self.halves[1]);
        self.between.dot(axis).abs() - reach > size.element_sum() * self.padding
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::math::DQuat;

    const FRAME: ObbFrame = ObbFrame { origin: DVec3::ZERO, scale: 1.0 };

    fn corners(bounds: &OrientedBox) -> impl Iterator<Item = DVec3> {
        (0..8).map(|i| {
            let sign = |bit: usize| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
            bounds.center + bounds.axes * (DVec3::new(sign(0), sign(1), sign(2)) * bounds.half)
        })
    }

    /// Random boxes that share a point are never told apart, and such that are clearly apart along one of the fifteen axes always are.
    #[test]
    fn boxes_with_a_common_point_are_not_told_apart() {
        let mut random = impinge::shapes::Random::new(5);
        for case in 0..20_000 {
            let mut make = || {
                let turn = DQuat::from_axis_angle(random.direction(), random.between(0.0, 3.0));
                let mut half = random.in_cube().abs() * 0.4;
                if case % 3 == 0 {
                    half[case % 2] = 0.0;
                }
                let axes = if case % 5 == 0 { DMat3::IDENTITY } else { DMat3::from_quat(turn) };
                OrientedBox { axes, center: random.in_cube() * 0.3, half }
            };
            let (host, guest) = (make(), make());
            let linear = match case % 4 {
                0 => DMat3::IDENTITY,
                1 => DMat3::from_diagonal(DVec3::new(1.0, -2.0, 0.3)),
                2 => DMat3::from_cols(DVec3::X, DVec3::new(0.7, 1.0, 0.2), DVec3::new(-0.4, 0.3, 1.5)),
                _ => DMat3::from_quat(DQuat::from_axis_angle(random.direction(), 1.0)),
            };
            // A point of each, the two of which are brought together.
            let mut point = |bounds: &OrientedBox| {
                let mut at = random.in_cube();
                if case % 2 == 0 {
                    at = at.signum();
                }
                bounds.center + bounds.axes * (at * bounds.half)
            };
            let (on_host, on_guest) = (point(&host), point(&guest));
            let map = DAffine3 { matrix3: linear, translation: on_host - linear * on_guest };
            let tree_map = TreeMap::of(FRAME, FRAME, &map, 0.0);
            assert!(!tree_map.are_apart(&host, &tree_map.image(&guest)), "case {case}");
            // Pushed apart along the axis on which the corners tell them apart least of all.
            let axes = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| host.axes * axis);
            for axis in axes {
                let most = |points: &mut dyn Iterator<Item = DVec3>, sign: f64| {
                    points.map(|point| sign * axis.dot(point)).fold(f64::NEG_INFINITY, f64::max)
                };
                let high = most(&mut corners(&host), 1.0);
                let low = -most(&mut corners(&guest).map(|p| map.transform_point3(p)), -1.0);
                let away = DAffine3 { translation: map.translation + axis * (high - low + 1e-9), ..map };
                let tree_map = TreeMap::of(FRAME, FRAME, &away, 0.0);
                assert!(tree_map.are_apart(&host, &tree_map.image(&guest)), "case {case}");
            }
        }
    }

    #[test]
    fn crossed_needles_are_told_apart_by_the_product_of_their_edges() {
        let needle = |axis: usize| {
            let mut half = DVec3::splat(1e-3);
            half[axis] = 1.0;
            OrientedBox { axes: DMat3::IDENTITY, center: DVec3::ZERO, half }
        };
        let turn = DMat3::from_axis_angle(DVec3::new(1.0, 1.0, 0.2).normalize(), 1.0);
        let (host, guest) = (needle(0), needle(1));
        let across = DVec3::X.cross(turn * DVec3::Y).normalize();
        for (distance, apart) in [(2e-3, false), (4e-3, true)] {
            let map = DAffine3 { matrix3: turn, translation: across * distance };
            let tree_map = TreeMap::of(FRAME, FRAME, &map, 0.0);
            assert_eq!(tree_map.are_apart(&host, &tree_map.image(&guest)), apart, "{distance}");
        }
    }
}
