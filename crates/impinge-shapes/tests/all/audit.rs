//! Facts about a mesh, found without any part of the library but its accessors.

use std::collections::{HashMap, HashSet};

use glam::DVec3;
use impinge_shapes::Polyhedron;

/// A mesh with bit-equal positions merged.
pub(crate) struct Audit {
    pub(crate) points: Vec<DVec3>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl Audit {
    pub(crate) fn new(mesh: &Polyhedron) -> Audit {
        let (mut known, mut points) = (HashMap::new(), Vec::new());
        let merged: Vec<u32> = mesh
            .vertices()
            .iter()
            .map(|&point| {
                *known.entry(point.to_array().map(f64::to_bits)).or_insert_with(|| {
                    points.push(point);
                    points.len() as u32 - 1
                })
            })
            .collect();
        let triangles =
            mesh.triangles().map(|triangle| triangle.map(|vertex| merged[vertex as usize])).collect();
        Audit { points, triangles }
    }

    pub(crate) fn corners(&self, triangle: [u32; 3]) -> [DVec3; 3] {
        triangle.map(|vertex| self.points[vertex as usize])
    }

    /// Directed edges with the number of their faces, opposite ones taken off: all zero in a closed mesh.
    pub(crate) fn unmatched_edges(&self) -> usize {
        let mut balance: HashMap<[u32; 2], i32> = HashMap::new();
        for &[a, b, c] in &self.triangles {
            for [from, to] in [[a, b], [b, c], [c, a]] {
                *balance.entry([from.min(to), from.max(to)]).or_default() += if from < to { 1 } else { -1 };
            }
        }
        balance.values().filter(|&&balance| balance != 0).count()
    }

    /// Vertices - edges + faces, counting the vertices that faces use.
    pub(crate) fn euler(&self) -> i64 {
        let mut edges = HashSet::new();
        let mut vertices = HashSet::new();
        for &[a, b, c] in &self.triangles {
            vertices.extend([a, b, c]);
            edges.extend([[a, b], [b, c], [c, a]].map(|[from, to]| [from.min(to), from.max(to)]));
        }
        vertices.len() as i64 - edges.len() as i64 + self.triangles.len() as i64
    }

    /// The volume inside, negative when the mesh is inside out.
    pub(crate) fn volume(&self) -> f64 {
        let six = |triangle: &[u32; 3]| {
            let [a, b, c] = self.corners(*triangle);
            a.dot(b.cross(c))
        };
        self.triangles.iter().map(six).sum::<f64>() / 6.0
    }

    pub(crate) fn least_area(&self) -> f64 {
        let area = |triangle: &[u32; 3]| {
            let [a, b, c] = self.corners(*triangle);
            0.5 * (b - a).cross(c - a).length()
        };
        self.triangles.iter().map(area).fold(f64::INFINITY, f64::min)
    }

    /// Triangles with the same three vertices as another.
    pub(crate) fn duplicates(&self) -> usize {
        let mut seen = HashSet::new();
        let key = |mut triangle: [u32; 3]| {
            triangle.sort_unstable();
            triangle
        };
        self.triangles.iter().filter(|&&triangle| !seen.insert(key(triangle))).count()
    }

    /// Pairs of triangles without a common vertex of which one's edge crosses the other. Plain arithmetic: good
    /// enough to find a shape that runs into itself, not to judge one that merely touches.
    pub(crate) fn crossings(&self) -> Vec<[usize; 2]> {
        let mut found = Vec::new();
        for (i, &first) in self.triangles.iter().enumerate() {
            for (j, &second) in self.triangles.iter().enumerate().skip(i + 1) {
                if first.iter().any(|vertex| second.contains(vertex)) {
                    continue;
                }
                let (s, t) = (self.corners(first), self.corners(second));
                if (0..3).any(|k| crosses(s[k], s[(k + 1) % 3], t) || crosses(t[k], t[(k + 1) % 3], s)) {
                    found.push([i, j]);
                }
            }
        }
        found
    }
}

fn crosses(from: DVec3, to: DVec3, [a, b, c]: [DVec3; 3]) -> bool {
    let volume = |p: DVec3, q: DVec3, r: DVec3, s: DVec3| (q - p).dot((r - p).cross(s - p));
    let (before, after) = (volume(from, a, b, c), volume(to, a, b, c));
    let sides = [volume(from, to, a, b), volume(from, to, b, c), volume(from, to, c, a)];
    // Coordinates up to 2 make products up to 64 with an error of some 2⁻⁵⁰: less than this is no crossing.
    let apart = |volume: f64| volume.abs() > 1e-13;
    before * after < 0.0
        && apart(before)
        && apart(after)
        && (sides.iter().all(|side| *side > 0.0) || sides.iter().all(|side| *side < 0.0))
}

/// FNV-1a over the bits of all coordinates, the corners of all faces and the groups.
pub(crate) fn hash(mesh: &Polyhedron) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |value: u64| {
        for byte in value.to_le_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for point in mesh.vertices() {
        point.to_array().into_iter().for_each(|value| add(value.to_bits()));
    }
    for face in 0..mesh.face_count() {
        let corners = mesh.corners(face);
        add(corners.len() as u64);
        corners.into_iter().for_each(|corner| add(u64::from(corner)));
    }
    for group in mesh.groups() {
        add(u64::from(group.first_face));
        group.name.bytes().for_each(|byte| add(u64::from(byte)));
    }
    hash
}
