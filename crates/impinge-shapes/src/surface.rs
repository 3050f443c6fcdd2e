//! The builder that all generators share: rings of vertices, and bands of triangles between them.

use crate::{Faces, Group, Polyhedron, ShapeError};
use glam::DVec3;

/// Triangles under construction.
#[derive(Default)]
pub(crate) struct Surface {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    groups: Vec<Group>,
}

/// Consecutive vertices that close to a loop.
#[derive(Clone, Copy)]
pub(crate) struct Ring {
    first: u32,
    count: u32,
}

impl Ring {
    /// The vertices at both ends of each edge of the loop.
    fn edges(self) -> impl Iterator<Item = [u32; 2]> {
        (0..self.count).map(move |i| [self.first + i, self.first + (i + 1) % self.count])
    }
}

impl Surface {
    /// An empty surface with capacity for a closed one of `triangles`, which has about half as many vertices.
    pub(crate) fn with_room(triangles: u64) -> Surface {
        Surface {
            vertices: Vec::with_capacity(triangles as usize / 2 + 16),
            triangles: Vec::with_capacity(triangles as usize),
            groups: Vec::new(),
        }
    }

    pub(crate) fn vertex(&mut self, point: DVec3) -> u32 {
        self.vertices.push(point);
        self.vertices.len() as u32 - 1
    }

    pub(crate) fn triangle(&mut self, a: u32, b: u32, c: u32) {
        self.triangles.push([a, b, c]);
    }

    /// Adds two triangles; corners counter-clockwise seen from outside.
    pub(crate) fn quad(&mut self, [a, b, c, d]: [u32; 4]) {
        self.triangles.extend([[a, b, c], [a, c, d]]);
    }

    /// Adds a loop of `count` new vertices.
    pub(crate) fn ring(&mut self, count: u32, point: impl FnMut(u32) -> DVec3) -> Ring {
        let first = self.vertices.len() as u32;
        self.vertices.extend((0..count).map(point));
        Ring { first, count }
    }

    /// Adds `2 · count` triangles between two rings of equal count. Both run counter-clockwise seen against the direction
    /// from `lower` to `upper`; then the band faces away from the axis.
    pub(crate) fn band(&mut self, lower: Ring, upper: Ring) {
        for ([a, b], [d, c]) in lower.edges().zip(upper.edges()) {
            self.quad([a, b, c, d]);
        }
    }

    /// Closes a ring upwards: `count` triangles to a new vertex.
    pub(crate) fn close_above(&mut self, ring: Ring, apex: DVec3) {
        let apex = self.vertex(apex);
        self.triangles.extend(ring.edges().map(|[a, b]| [a, b, apex]));
    }

    /// Closes a ring downwards: `count` triangles to a new vertex.
    pub(crate) fn close_below(&mut self, ring: Ring, apex: DVec3) {
        let apex = self.vertex(apex);
        self.triangles.extend(ring.edges().map(|[a, b]| [apex, b, a]));
    }

    /// The surface with its inside out.
    pub(crate) fn inverted(mut self) -> Surface {
        for triangle in &mut self.triangles {
            triangle.swap(1, 2);
        }
        self
    }

    /// The surface with every vertex moved. The map must keep the orientation, or the surface is turned inside out.
    pub(crate) fn mapped(mut self, map: impl Fn(DVec3) -> DVec3) -> Surface {
        for vertex in &mut self.vertices {
            *vertex = map(*vertex);
        }
        self
    }

    /// Adds another surface behind this one.
    pub(crate) fn append(&mut self, other: &Surface) {
        let first = self.vertices.len() as u32;
        self.vertices.extend_from_slice(&other.vertices);
        self.triangles.extend(other.triangles.iter().map(|triangle| triangle.map(|vertex| vertex + first)));
    }

    /// Starts a named group: the triangles from here on belong to it.
    pub(crate) fn begin_group(&mut self, name: impl Into<String>) {
        self.groups.push(Group { name: name.into(), first_face: self.triangles.len() as u32 });
    }

    pub(crate) fn triangle_count(&self) -> u64 {
        self.triangles.len() as u64
    }

    pub(crate) fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    pub(crate) fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The finished polyhedron.
    pub(crate) fn polyhedron(self) -> Result<Polyhedron, ShapeError> {
        Ok(Polyhedron::new(self.vertices, Faces::Triangles(self.triangles))?.with_groups(self.groups))
    }
}
