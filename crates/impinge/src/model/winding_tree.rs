//! A tree over the faces of a model's open parts that tells on which side of a level their generalized winding number is, as the sum over all faces does.
//!
//! Far from a cluster of faces, its solid angle is that of a dipole and a quadrupole at the cluster's middle, so a point asks about clusters that are
//! far beside their size, and about single faces only near by (Barill, Dickson, Schmidt, Levin and Jacobson, *Fast Winding Numbers for Soups and Clouds*,
//! 2018). Where what the series leaves out could matter, it asks about smaller clusters, and at last about all faces. `docs/math/open-parts.md` has the series and its bound.

use std::f64::consts::TAU;

use super::Model;
use impinge_core::math::{DMat3, DVec3};
use impinge_core::narrow::winding::half_solid_angle;

/// So many triangles at most stay together.
const LEAF: usize = 8;

/// A cluster is far from a point that is farther from its middle than so many of its radii: at first, and where that does not tell.
const FAR: [f64; 2] = [3.0, 9.0];

/// What rounding may add to half a solid angle, for each triangle and for each unit of all angles; those of far triangles are off by less.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// The tree. It has no nodes where all parts are closed.
#[derive(Clone, Debug, Default)]
pub(crate) struct WindingTree {
    /// What coordinates are multiplied by: angles do not depend on the unit, but the series would overflow.
    unit: f64,
    /// The triangles in the order of the leaves.
    triangles: Vec<[DVec3; 3]>,
    /// The clusters, each before those that it consists of.
    nodes: Vec<Node>,
}

/// A cluster of triangles.
#[derive(Clone, Debug)]
struct Node {
    /// The middle, by area.
    middle: DVec3,
    /// No point of the triangles is farther from the middle.
    radius: f64,
    /// The sum of normals as long as the areas.
    normal: DVec3,
    /// The sum of the products of those normals and of the offsets of the triangles' middles, made symmetric.
    spread: DMat3,
    /// The sum of areas, and the integral of the squares of distances from the middle.
    area: f64,
    moment: f64,
    /// The triangles.
    from: u32,
    to: u32,
    /// The node to go on with where this one is far: all after those that it consists of.
    next: u32,
}

impl WindingTree {
    pub(super) fn new(model: &Model) -> WindingTree {
        let mesh = model.mesh();
        let open = (0..mesh.face_count() as u32).filter(|face| !model.is_closed_face(*face));
        let reach = model.reach();
        let unit = if reach > 0.0 { libm::ldexp(1.0, -libm::ilogb(reach).clamp(-1000, 1000)) } else { 1.0 };
        let mut tree = WindingTree { unit, ..WindingTree::default() };
        for face in open {
            let triangles = mesh.fan(face).map(|corners| corners.map(|vertex| mesh.vertex(vertex) * unit));
            tree.triangles.extend(triangles);
        }
        if !tree.triangles.is_empty() {
            tree.add(0, tree.triangles.len());
        }
        tree
    }

    /// Adds the node of some triangles, and those that it consists of.
    fn add(&mut self, from: usize, to: usize) {
        let number = self.nodes.len();
        let triangles = &mut self.triangles[from..to];
        self.nodes.push(Node::of(triangles, from as u32, to as u32));
        if triangles.len() > LEAF {
            let middles = || triangles.iter().map(middle_of);
            let (least, most) = middles()
                .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(least, most), middle| {
                    (least.min(middle), most.max(middle))
                });
            let axis = (most - least).max_position();
            let half = triangles.len() / 2;
            triangles.select_nth_unstable_by(half, |a, b| middle_of(a)[axis].total_cmp(&middle_of(b)[axis]));
            self.add(from, from + half);
            self.add(from + half, to);
        }
        self.nodes[number].next = self.nodes.len() as u32;
    }

    /// The generalized winding number of the open parts around a point of the model's own frame: near 1 where they nearly enclose it, near 0 outside, and near
    /// one half on either side of a rim. It may be off, but lies on the same side of the level as the sum over all faces.
    pub(crate) fn winding_beside(&self, point: DVec3, level: f64) -> f64 {
        let mut estimates = FAR.iter().map(|&far| self.estimate(point * self.unit, far));
        let told = estimates.find(|[number, error]| (number - level).abs() > *error);
        told.map_or_else(|| self.winding(point), |[number, _]| number)
    }

    /// An estimate of the winding number around a point in the tree's unit, and what the sum over all faces may differ from it, however it is rounded.
    fn estimate(&self, point: DVec3, far: f64) -> [f64; 2] {
        let (mut sum, mut error, mut size) = (0.0, 0.0, 0.0);
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            let offset = node.middle - point;
            let squared = offset.length_squared();
            let is_leaf = (node.to - node.from) as usize <= LEAF;
            if squared > (far * node.radius) * (far * node.radius) {
                sum += node.far_half_angle(offset, squared);
                error += node.far_error(squared);
                // Coordinates below 2 are rounded in offsets, which the series divides by the distance.
                size += node.area / squared * (1.0 + 1.0 / squared.sqrt());
                at = node.next as usize;
            } else {
                if is_leaf {
                    for triangle in &self.triangles[node.from as usize..node.to as usize] {
                        let angle = half_solid_angle(triangle.map(|corner| corner - point));
                        sum += angle;
                        size += angle.abs();
                    }
                }
                at += 1;
            }
        }
        let rounding = ROUNDING * self.triangles.len() as f64 * (1.0 + 3.0 * size);
        [sum / TAU, (error + rounding) / TAU]
    }

    /// The winding number around a point by the sum over all faces.
    pub(super) fn winding(&self, point: DVec3) -> f64 {
        let point = point * self.unit;
        let angles =
            self.triangles.iter().map(|triangle| half_solid_angle(triangle.map(|corner| corner - point)));
        angles.sum::<f64>() / TAU
    }
}

impl Node {
    fn of(triangles: &[[DVec3; 3]], from: u32, to: u32) -> Node {
        let normal_of = |[a, b, c]: &[DVec3; 3]| 0.5 * (*b - *a).cross(*c - *a);
        let area: f64 = triangles.iter().map(|triangle| normal_of(triangle).length()).sum();
        let weighted: DVec3 =
            triangles.iter().map(|triangle| middle_of(triangle) * normal_of(triangle).length()).sum();
        // What has no area is seen at no angle; its radius counts all the same.
        let middle = if area > 0.0 { weighted / area } else { middle_of(&triangles[0]) };
        let radius = triangles.iter().flatten().map(|corner| corner.distance(middle)).fold(0.0, f64::max);
        let mut normal = DVec3::ZERO;
        let mut spread = DMat3::ZERO;
        let mut moment = 0.0;
        for triangle in triangles {
            let own = normal_of(triangle);
            let offset = middle_of(triangle) - middle;
            let [a, b, c] = triangle.map(|corner| corner - middle);
            let squares = a.dot(a) + b.dot(b) + c.dot(c) + a.dot(b) + b.dot(c) + c.dot(a);
            moment += own.length() * squares / 6.0;
            normal += own;
            spread += DMat3::from_cols(own * offset.x, own * offset.y, own * offset.z);
        }
        let spread = (spread + spread.transpose()) * 0.5;
        // Rounded up.
        let [radius, moment] = [radius, moment].map(|rounded| rounded * (1.0 + 1e-9));
        Node { middle, radius, normal, spread, area, moment, from, to, next: 0 }
    }

    /// Half the solid angle of the cluster, seen from far away.
    fn far_half_angle(&self, offset: DVec3, squared: f64) -> f64 {
        let Node { normal, spread, .. } = self;
        let trace = spread.x_axis.x + spread.y_axis.y + spread.z_axis.z;
        let along = offset.dot(*spread * offset) / squared;
        0.5 * (normal.dot(offset) + trace - 3.0 * along) / (squared * squared.sqrt())
    }

    /// An upper bound of what the series leaves out of that.
    fn far_error(&self, squared: f64) -> f64 {
        let share = self.radius / squared.sqrt();
        let rest = 1.0 - share;
        0.5 * self.moment * (3.0 - 2.0 * share) / (rest * rest * squared * squared) * (1.0 + 1e-9)
    }
}

fn middle_of([a, b, c]: &[DVec3; 3]) -> DVec3 {
    (*a + *b + *c) / 3.0
}
