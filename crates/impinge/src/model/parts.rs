//! Parts: faces that hang together by their edges, and whether they close a volume.
//!
//! `docs/math/edges-and-parts.md` says why the balance of directed edges is the right test.

use super::topology::Topology;
use crate::mesh::Mesh;
use impinge_core::bounds::Aabb;
use impinge_core::math::DVec3;

/// No part, no group.
const NONE: u32 = u32::MAX;

/// A part: faces of one group that hang together by their edges. A closed part is a solid, an open one a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Part {
    /// The number of faces.
    pub face_count: u32,
    /// The group that the faces belong to; none for faces before the first group.
    pub group: Option<u32>,
    /// Whether every directed edge occurs exactly as often as its opposite, so that the part bounds a volume. Points and
    /// segments are open, in whatever form they come.
    pub closed: bool,
    /// The orientation of a closed part's faces. For information only: it rests on rounded arithmetic.
    pub orientation: Orientation,
    /// The least box around the part.
    pub bounds: Aabb,
}

/// The orientation of a part's faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Orientation {
    /// The faces look away from the volume: the usual way.
    Outward,
    /// The faces look into the volume: a solid turned inside out.
    Inward,
    /// The part is open, or its volume is too close to zero to tell.
    None,
}

/// The parts of a mesh.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    /// The parts, in ascending order of their least face.
    pub(super) parts: Vec<Part>,
    part_of_face: Vec<u32>,
    /// The faces of each part, ascending.
    faces: Vec<u32>,
    starts: Vec<u32>,
}

impl Parts {
    /// Finds the parts of a mesh; `points` are the positions of its vertices.
    pub(super) fn new(mesh: &Mesh, points: &[DVec3], topology: &Topology) -> Parts {
        let group_of_face = groups(mesh);
        let group_of = |face: u32| group_of_face.get(face as usize).map_or(NONE, |&group| group);
        // Faces are in the order of their groups, so the faces of one group stand together along an edge.
        let gatherings = || {
            topology
                .faces_by_edge()
                .flat_map(|along| along.chunk_by(|a, b| group_of(a.face) == group_of(b.face)))
        };
        let mut sets = DisjointSets { parent: (0..mesh.face_count() as u32).collect() };
        for along in gatherings() {
            for pair in along.windows(2) {
                sets.join(pair[0].face, pair[1].face);
            }
        }
        let mut parts = Parts::number(mesh, points, &mut sets, group_of);
        for along in gatherings() {
            let forward = along.iter().filter(|run| run.forward).count();
            if 2 * forward != along.len() {
                let part = parts.part_of_face[along[0].face as usize];
                parts.parts[part as usize].closed = false;
            }
        }
        parts.measure(mesh, points);
        parts
    }

    /// Numbers the sets by their least face and lists their faces. A part is taken to be closed when one of its faces
    /// has three different vertices, until an edge shows otherwise.
    fn number(
        mesh: &Mesh,
        points: &[DVec3],
        sets: &mut DisjointSets,
        group_of: impl Fn(u32) -> u32,
    ) -> Parts {
        let face_count = mesh.face_count();
        let mut parts = Vec::new();
        let mut part_of_face = vec![NONE; face_count];
        for face in (0..face_count as u32).filter(|&face| mesh.corner_count(face) > 0) {
            let root = sets.root(face);
            if root == face {
                part_of_face[face as usize] = parts.len() as u32;
                let group = group_of(face);
                parts.push(Part {
                    face_count: 0,
                    group: (group != NONE).then_some(group),
                    closed: false,
                    orientation: Orientation::None,
                    bounds: Aabb::EMPTY,
                });
            }
            // The root is the least face of its set, so it has been numbered.
            let number = part_of_face[root as usize];
            part_of_face[face as usize] = number;
            let part = &mut parts[number as usize];
            part.face_count += 1;
            part.closed = part.closed || has_three_positions(mesh, points, face);
            part.bounds = mesh
                .corners(face)
                .fold(part.bounds, |bounds, vertex| bounds.with_point(points[vertex as usize]));
        }
        let mut starts = vec![0];
        let mut next = Vec::with_capacity(parts.len());
        let mut total = 0;
        for part in &parts {
            next.push(total);
            total += part.face_count;
            starts.push(total);
        }
        let mut faces = vec![0; total as usize];
        for (face, &part) in part_of_face.iter().enumerate().filter(|(_, part)| **part != NONE) {
            faces[next[part as usize] as usize] = face as u32;
            next[part as usize] += 1;
        }
        Parts { parts, part_of_face, faces, starts }
    }

    /// Finds the orientation of closed parts.
    fn measure(&mut self, mesh: &Mesh, points: &[DVec3]) {
        for part in 0..self.parts.len() as u32 {
            if self.parts[part as usize].closed {
                let orientation =
                    orientation(mesh, points, self.faces(part), self.parts[part as usize].bounds);
                self.parts[part as usize].orientation = orientation;
            }
        }
    }

    /// The faces of a part.
    pub(super) fn faces(&self, part: u32) -> &[u32] {
        let part = part as usize;
        &self.faces[self.starts[part] as usize..self.starts[part + 1] as usize]
    }

    /// The part of a face; none for faces in holes.
    #[inline]
    pub(super) fn part_of_face(&self, face: u32) -> Option<u32> {
        let part = self.part_of_face[face as usize];
        (part != NONE).then_some(part)
    }
}

/// The group of each face; empty where the mesh has no groups.
fn groups(mesh: &Mesh) -> Vec<u32> {
    let groups = mesh.groups();
    if groups.is_empty() {
        return Vec::new();
    }
    let mut group_of_face = vec![NONE; mesh.face_count()];
    for (group, start) in groups.iter().enumerate() {
        let end = groups.get(group + 1).map_or(group_of_face.len(), |next| next.first_face as usize);
        group_of_face[start.first_face as usize..end].fill(group as u32);
    }
    group_of_face
}

fn has_three_positions(mesh: &Mesh, points: &[DVec3], face: u32) -> bool {
    let mut corners = mesh.corners(face).map(|vertex| points[vertex as usize]);
    let Some(first) = corners.next() else { return false };
    let mut others = corners.filter(|point| *point != first);
    others.next().is_some_and(|second| others.any(|third| third != second))
}

/// The sign of the volume, where it exceeds what rounding can have done.
fn orientation(mesh: &Mesh, points: &[DVec3], faces: &[u32], bounds: Aabb) -> Orientation {
    let center = bounds.center();
    let extent = bounds.size().max_element();
    // A power of two near the size of the part: products neither overflow nor vanish, and scaling rounds nothing.
    let scale = libm::ldexp(1.0, -libm::ilogb(extent).clamp(-1000, 1000));
    let (mut volume, mut size, mut count) = (0.0, 0.0, 0.0);
    for triangle in faces.iter().flat_map(|&face| mesh.fan(face)) {
        let [a, b, c]: [DVec3; 3] = triangle.map(|vertex| (points[vertex as usize] - center) * scale);
        volume += a.dot(b.cross(c));
        let [a, b, c] = [a.abs(), b.abs(), c.abs()];
        size += a.x * (b.y * c.z + b.z * c.y) + a.y * (b.z * c.x + b.x * c.z) + a.z * (b.x * c.y + b.y * c.x);
        count += 1.0;
    }
    // Each term carries fewer than 16 roundings, and the sum one more for each term.
    let bound = (count + 16.0) * f64::EPSILON * size;
    if volume > bound {
        Orientation::Outward
    } else if volume < -bound {
        Orientation::Inward
    } else {
        Orientation::None
    }
}

/// Sets of faces as a forest in which a root is the least of its tree.
struct DisjointSets {
    parent: Vec<u32>,
}

impl DisjointSets {
    fn root(&mut self, mut face: u32) -> u32 {
        while self.parent[face as usize] != face {
            let above = self.parent[self.parent[face as usize] as usize];
            self.parent[face as usize] = above;
            face = above;
        }
        face
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }
}
