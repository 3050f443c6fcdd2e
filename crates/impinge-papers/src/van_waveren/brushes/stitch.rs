//! Fragments made into one surface: near vertices welded, and edges divided where vertices of others lie on them.

use std::collections::HashMap;

use impinge::bounds::Aabb;
use impinge::math::DVec3;

use super::clip::Fragment;
use crate::van_waveren::axial_bsp::{AxialBsp, BspStack};
use crate::van_waveren::polyhedron::Loop;

/// Vertices and polygons without T-junctions.
pub(super) fn stitch(fragments: &[Fragment], tolerance: f64) -> (Vec<DVec3>, Vec<Loop>) {
    let mut welder = Welder { vertices: Vec::new(), cells: HashMap::new(), tolerance: 4.0 * tolerance };
    let mut loops: Vec<Loop> = Vec::with_capacity(fragments.len());
    for fragment in fragments {
        let mut corners: Loop = fragment.corners.iter().map(|&point| welder.vertex(point)).collect();
        corners.dedup();
        while corners.len() > 1 && corners.first() == corners.last() {
            corners.pop();
        }
        if corners.len() >= 3 {
            loops.push(corners);
        }
    }
    let vertices = welder.vertices;
    let boxes: Vec<Aabb> = vertices.iter().map(|&p| Aabb { min: p, max: p }).collect();
    let tree = AxialBsp::build(&boxes);
    let mut stack = BspStack::default();
    let near = 4.0 * tolerance;
    let divided = loops
        .iter()
        .map(|corners| {
            let mut divided = Loop::with_capacity(corners.len());
            for k in 0..corners.len() {
                let (from, to) = (corners[k], corners[(k + 1) % corners.len()]);
                divided.push(from);
                let [a, b] = [from, to].map(|v| vertices[v as usize]);
                let (line, length) = (b - a, (b - a).length());
                let bounds = Aabb { min: a.min(b) - near, max: a.max(b) + near };
                let mut between: Vec<(f64, u32)> = Vec::new();
                tree.for_each_meeting(&bounds, &mut stack, |vertex| {
                    let arm = vertices[vertex as usize] - a;
                    let along = arm.dot(line) / length;
                    // Corners of the polygon itself are no neighbors of its edges.
                    if vertex != from
                        && vertex != to
                        && along > near
                        && along < length - near
                        && arm.cross(line).length() <= near * length
                        && !corners.contains(&vertex)
                    {
                        between.push((along, vertex));
                    }
                });
                between.sort_by(|a, b| a.0.total_cmp(&b.0));
                divided.extend(between.iter().map(|(_, vertex)| *vertex));
            }
            divided
        })
        .collect();
    (vertices, divided)
}

/// The triangles of a polygon from its first corner.
pub(super) fn fan(corners: &Loop) -> Vec<Loop> {
    (2..corners.len()).map(|k| vec![corners[0], corners[k - 1], corners[k]]).collect()
}

/// Vertices, of which those within the tolerance are one.
struct Welder {
    vertices: Vec<DVec3>,
    cells: HashMap<[i64; 3], Vec<u32>>,
    tolerance: f64,
}

impl Welder {
    fn vertex(&mut self, point: DVec3) -> u32 {
        let size = 2.0 * self.tolerance;
        let cell = (point / size).floor().to_array().map(|c| c as i64);
        for x in -1..=1 {
            for y in -1..=1 {
                for z in -1..=1 {
                    let neighbor = [cell[0] + x, cell[1] + y, cell[2] + z];
                    let known = self.cells.get(&neighbor).into_iter().flatten();
                    for &vertex in known {
                        if self.vertices[vertex as usize].distance(point) <= self.tolerance {
                            return vertex;
                        }
                    }
                }
            }
        }
        let vertex = self.vertices.len() as u32;
        self.vertices.push(point);
        self.cells.entry(cell).or_default().push(vertex);
        vertex
    }
}
