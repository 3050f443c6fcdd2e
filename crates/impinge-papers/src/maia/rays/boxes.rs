//! The paper's renderer: a plain tree of boxes, tested in `f64` without any filter, in either of two frames.

use impinge::Model;
use impinge::math::DVec3;
use impinge::query::Ray;

use super::Scene;

/// Where rays and triangles meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// A′: turned and moved as the model is, with the scale applied to every box and triangle on the way.
    Scaled,
    /// The model's own, with the scale taken out of the ray.
    Model,
}

/// A box and what is in it.
struct Node {
    low: DVec3,
    high: DVec3,
    /// The second child of an inner node, the first being next; or the first triangle of a leaf.
    first: u32,
    /// Triangles of a leaf; 0 for an inner node.
    count: u32,
}

/// A binary tree over a model's triangles, divided at medians.
pub(super) struct BoxTree {
    nodes: Vec<Node>,
    triangles: Vec<[DVec3; 3]>,
}

impl BoxTree {
    pub(super) fn new(model: &Model) -> BoxTree {
        let mesh = model.mesh();
        let fans = (0..mesh.face_count() as u32).flat_map(|face| mesh.fan(face));
        let mut triangles: Vec<[DVec3; 3]> = fans.map(|fan| fan.map(|vertex| mesh.vertex(vertex))).collect();
        let mut nodes = Vec::new();
        grow(&mut nodes, &mut triangles, 0);
        BoxTree { nodes, triangles }
    }

    /// The time of the nearest hit before `limit`, with every box and triangle scaled.
    fn nearest(&self, origin: DVec3, direction: DVec3, scale: Option<DVec3>, limit: f64) -> f64 {
        let (inverse, mut nearest) = (1.0 / direction, limit);
        let mut waiting = vec![0];
        while let Some(index) = waiting.pop() {
            let node = &self.nodes[index as usize];
            let (low, high) = match scale {
                Some(scale) => (node.low * scale, node.high * scale),
                None => (node.low, node.high),
            };
            let (a, b) = ((low - origin) * inverse, (high - origin) * inverse);
            let (enter, leave) = (a.min(b).max_element(), a.max(b).min_element());
            if enter > leave || leave < 0.0 || enter > nearest {
                continue;
            }
            if node.count == 0 {
                waiting.extend([node.first, index + 1]);
                continue;
            }
            for triangle in &self.triangles[node.first as usize..(node.first + node.count) as usize] {
                let corners = match scale {
                    Some(scale) => triangle.map(|corner| corner * scale),
                    None => *triangle,
                };
                let t = meet(origin, direction, corners);
                nearest = if t < nearest { t } else { nearest };
            }
        }
        nearest
    }
}

const LEAF: usize = 4;

fn grow(nodes: &mut Vec<Node>, triangles: &mut [[DVec3; 3]], first: u32) {
    let corners = || triangles.iter().flatten();
    let low = corners().fold(DVec3::INFINITY, |low, &corner| low.min(corner));
    let high = corners().fold(DVec3::NEG_INFINITY, |high, &corner| high.max(corner));
    let index = nodes.len();
    nodes.push(Node { low, high, first, count: triangles.len() as u32 });
    if triangles.len() <= LEAF {
        return;
    }
    let size = high - low;
    let axis = (0..3).fold(0, |best, axis| if size[axis] > size[best] { axis } else { best });
    let center = |triangle: &[DVec3; 3]| triangle[0][axis] + triangle[1][axis] + triangle[2][axis];
    let middle = triangles.len() / 2;
    triangles.select_nth_unstable_by(middle, |a, b| center(a).total_cmp(&center(b)));
    let (one, other) = triangles.split_at_mut(middle);
    grow(nodes, one, first);
    (nodes[index].first, nodes[index].count) = (nodes.len() as u32, 0);
    grow(nodes, other, first + middle as u32);
}

/// When a ray meets a triangle; infinity where it does not.
fn meet(origin: DVec3, direction: DVec3, [a, b, c]: [DVec3; 3]) -> f64 {
    let (u, v) = (b - a, c - a);
    let across = direction.cross(v);
    let determinant = u.dot(across);
    let from = origin - a;
    let of_b = from.dot(across) / determinant;
    let turned = from.cross(u);
    let of_c = direction.dot(turned) / determinant;
    let t = v.dot(turned) / determinant;
    if of_b >= 0.0 && of_c >= 0.0 && of_b + of_c <= 1.0 && t >= 0.0 { t } else { f64::INFINITY }
}

/// The first thing that a ray hits.
pub(super) fn nearest(scene: &Scene, trees: &[BoxTree], ray: &Ray, frame: Frame) -> Option<usize> {
    let (mut nearest, mut first) = (f64::INFINITY, None);
    for (i, (thing, tree)) in scene.things.iter().zip(trees).enumerate() {
        let trs = &thing.placement;
        let back = trs.orientation().conjugate();
        let (origin, direction) = (back * (ray.origin() - trs.position()), back * ray.direction());
        let t = match frame {
            Frame::Scaled => tree.nearest(origin, direction, Some(trs.scale()), nearest),
            Frame::Model => tree.nearest(origin / trs.scale(), direction / trs.scale(), None, nearest),
        };
        if t < nearest {
            (nearest, first) = (t, Some(i));
        }
    }
    first
}
