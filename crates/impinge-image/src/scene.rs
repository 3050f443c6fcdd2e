//! What is looked at: shapes, and objects that are shapes where they stand.

use std::sync::Arc;

use impinge::bounds::Aabb;
use impinge::glam::DVec3;
use impinge::model::EdgeKind;
use impinge::{Mesh, Model, Placement};
use impinge_core::predicates::{Sign, orient3d};

use crate::ImageError;

/// The faces that bound volumes, and the edges: what does not change when vertices move.
#[derive(Debug)]
pub(crate) struct Surface {
    /// Triangles of closed parts.
    pub(crate) triangles: Vec<[u32; 3]>,
    /// Edges of all parts; points of the mesh are edges without length. First come those that matter at rest, then the others: those that two
    /// faces of one plane share, and those between copies of vertices.
    pub(crate) edges: Vec<[u32; 2]>,
    /// How many edges matter at rest.
    at_rest: usize,
    /// The first vertex at the place of each, so that copies of a vertex move together.
    first_at_place: Vec<u32>,
}

/// Where the vertices are.
#[derive(Clone, Debug)]
pub(crate) enum Vertices {
    Here(Arc<Vec<DVec3>>),
    OnDevice(wgpu::Buffer),
}

/// A shape: many objects may have the same.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) surface: Arc<Surface>,
    pub(crate) vertices: Vertices,
    pub(crate) vertex_count: usize,
    pub(crate) bounds: Aabb,
    /// Whether the vertices are elsewhere than those of the model. Then nothing is known of which edges are flat.
    deformed: bool,
}

/// A shape that is somewhere.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub(crate) shape: usize,
    pub(crate) placement: Placement,
}

/// The number of a shape in its scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShapeId(pub(crate) usize);

/// Solids and surfaces, each somewhere. Objects are numbered in the order in which they were added.
///
/// Only closed parts have an inside; the edges of open parts can still reach into solids.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    pub(crate) shapes: Vec<Shape>,
    pub(crate) objects: Vec<Object>,
}

impl Scene {
    /// Nothing yet.
    pub fn new() -> Scene {
        Scene::default()
    }

    /// Takes what images need of a model.
    pub fn add_shape(&mut self, model: &Model) -> ShapeId {
        let mesh = model.mesh();
        let mut edges = edges_at_rest(model);
        let at_rest = edges.len();
        edges.extend(other_edges(model));
        let surface = Surface {
            triangles: closed_faces(model).flat_map(|face| mesh.fan(face)).collect(),
            edges,
            at_rest,
            first_at_place: (0..mesh.vertex_count() as u32)
                .map(|vertex| model.representative(vertex))
                .collect(),
        };
        let vertices: Vec<DVec3> = mesh.vertices().collect();
        self.shapes.push(Shape {
            surface: Arc::new(surface),
            vertex_count: vertices.len(),
            vertices: Vertices::Here(Arc::new(vertices)),
            bounds: model.bounds(),
            deformed: false,
        });
        ShapeId(self.shapes.len() - 1)
    }

    /// Adds an object and gives its number.
    pub fn add(&mut self, shape: ShapeId, placement: impl Into<Placement>) -> u32 {
        self.objects.push(Object { shape: shape.0, placement: placement.into() });
        self.objects.len() as u32 - 1
    }

    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// Puts an object elsewhere.
    pub fn place(&mut self, object: u32, placement: impl Into<Placement>) -> Result<(), ImageError> {
        let count = self.objects.len();
        let place = self.objects.get_mut(object as usize);
        let known = place.ok_or(ImageError::Unknown { kind: "object", number: object as usize, count })?;
        known.placement = placement.into();
        Ok(())
    }

    /// Moves the vertices of a shape: all its objects are deformed. From then on all edges are looked at, those inside of what was
    /// flat as well; the others keep their numbers.
    pub fn set_vertices(&mut self, shape: ShapeId, vertices: Vec<DVec3>) -> Result<(), ImageError> {
        let shape = self.shape_mut(shape)?;
        if vertices.len() != shape.vertex_count {
            return Err(ImageError::VertexCount { expected: shape.vertex_count, given: vertices.len() });
        }
        if let Some(vertex) = vertices.iter().position(|vertex| !vertex.is_finite()) {
            return Err(ImageError::Vertex { vertex, position: vertices[vertex].to_array() });
        }
        shape.bounds = Aabb::around(vertices.iter().copied());
        shape.vertices = Vertices::Here(Arc::new(vertices));
        shape.deformed = true;
        Ok(())
    }

    /// Takes the vertices of a shape from a buffer that is on the graphics device already: three `f32` for each, one after
    /// the other, in a buffer that may be used as [`STORAGE`](wgpu::BufferUsages::STORAGE) of the device that looks. None
    /// of them may leave `bounds`. All edges are looked at, as after [`set_vertices`](Self::set_vertices).
    pub fn set_vertices_on_device(
        &mut self,
        shape: ShapeId,
        buffer: wgpu::Buffer,
        bounds: Aabb,
    ) -> Result<(), ImageError> {
        let shape = self.shape_mut(shape)?;
        let given = (buffer.size() / 12) as usize;
        if given < shape.vertex_count {
            return Err(ImageError::VertexCount { expected: shape.vertex_count, given });
        }
        shape.bounds = bounds;
        shape.vertices = Vertices::OnDevice(buffer);
        shape.deformed = true;
        Ok(())
    }

    /// The vertices of an edge of an object, as the answer numbers edges.
    pub fn edge(&self, object: u32, edge: u32) -> Option<[u32; 2]> {
        let object = self.objects.get(object as usize)?;
        self.shapes[object.shape].edges().get(edge as usize).copied()
    }

    /// How many edges of an object are looked at, and how many triangles it has.
    pub fn counts(&self, object: u32) -> Option<(usize, usize)> {
        let object = self.objects.get(object as usize)?;
        let shape = &self.shapes[object.shape];
        Some((shape.edges().len(), shape.surface.triangles.len()))
    }

    fn shape_mut(&mut self, shape: ShapeId) -> Result<&mut Shape, ImageError> {
        let count = self.shapes.len();
        self.shapes.get_mut(shape.0).ok_or(ImageError::Unknown { kind: "shape", number: shape.0, count })
    }
}

impl Shape {
    /// The edges that are looked at.
    pub(crate) fn edges(&self) -> &[[u32; 2]] {
        let count = if self.deformed { self.surface.edges.len() } else { self.surface.at_rest };
        &self.surface.edges[..count]
    }

    /// For the device: how many vertices there are, a place for a factor, for each vertex where the faces at its place begin and end in this list, and
    /// the faces, three vertices each.
    pub(crate) fn faces_around_vertices(&self) -> Vec<u32> {
        let first = &self.surface.first_at_place;
        let mut around = vec![Vec::new(); self.vertex_count];
        for corners in &self.surface.triangles {
            for vertex in corners {
                around[first[*vertex as usize] as usize].push(*corners);
            }
        }
        let head = 2 + 2 * self.vertex_count;
        let mut ends = vec![[0; 2]; self.vertex_count];
        let mut list: Vec<u32> = Vec::new();
        for (end, faces) in ends.iter_mut().zip(&around) {
            let start = (head + list.len()) as u32;
            list.extend(faces.iter().flatten());
            *end = [start, (head + list.len()) as u32];
        }
        let ends = first.iter().flat_map(|place| ends[*place as usize]);
        [self.vertex_count as u32, 0].into_iter().chain(ends).chain(list).collect()
    }

    /// The unit normal at each vertex: the mean of its faces' normals, weighted by their areas; zero where there are none.
    pub(crate) fn normals(&self, vertices: &[DVec3]) -> Vec<DVec3> {
        let first = &self.surface.first_at_place;
        let mut normals = vec![DVec3::ZERO; vertices.len()];
        for corners in &self.surface.triangles {
            let [a, b, c] = corners.map(|vertex| vertices[vertex as usize]);
            let normal = (b - a).cross(c - a);
            for vertex in corners {
                normals[first[*vertex as usize] as usize] += normal;
            }
        }
        first.iter().map(|place| normals[*place as usize].normalize_or_zero()).collect()
    }
}

fn closed_faces(model: &Model) -> impl Iterator<Item = u32> + '_ {
    (0..model.mesh().face_count() as u32).filter(|face| model.is_closed_face(*face))
}

/// All edges that can reach into a solid first. Where two surfaces cross, an edge that is not inside a plane of its own
/// surface crosses a face of the other, so those that are can be left out, as long as no vertex moves.
fn edges_at_rest(model: &Model) -> Vec<[u32; 2]> {
    let mesh = model.mesh();
    let kept = model.edges().iter().filter(|edge| edge.kind != EdgeKind::Coplanar);
    let mut edges: Vec<[u32; 2]> = kept.map(|edge| edge.vertices).collect();
    for face in 0..mesh.face_count() as u32 {
        match mesh.corner_count(face) {
            1 => edges.push([mesh.corner(face, 0); 2]),
            _ => edges.extend(diagonals(mesh, face).filter(|diagonal| !diagonal.flat).map(|d| d.vertices)),
        }
    }
    edges
}

/// All edges that are not among those at rest. Copies of a vertex at one place may part, so each copy has its own.
fn other_edges(model: &Model) -> Vec<[u32; 2]> {
    let mesh = model.mesh();
    let flat = model.edges().iter().filter(|edge| edge.kind == EdgeKind::Coplanar);
    let mut edges: Vec<[u32; 2]> = flat.map(|edge| edge.vertices).collect();
    let is_copy = |vertex: &u32| model.representative(*vertex) != *vertex;
    let mut copies: Vec<[u32; 2]> = Vec::new();
    for face in 0..mesh.face_count() as u32 {
        edges.extend(diagonals(mesh, face).filter(|diagonal| diagonal.flat).map(|d| d.vertices));
        let corners = mesh.corner_count(face);
        if corners > 1 {
            let side = |corner| [mesh.corner(face, corner), mesh.corner(face, (corner + 1) % corners)];
            copies.extend((0..corners).map(side).filter(|side| side.iter().any(is_copy)));
        }
    }
    for [from, to] in &mut copies {
        (*from, *to) = ((*from).min(*to), (*from).max(*to));
    }
    copies.sort_unstable();
    copies.dedup();
    edges.extend(copies);
    edges
}

/// A diagonal of a polygon's fan.
struct Diagonal {
    vertices: [u32; 2],
    /// Whether the triangles on both sides are in one plane.
    flat: bool,
}

fn diagonals(mesh: &Mesh, face: u32) -> impl Iterator<Item = Diagonal> + '_ {
    (1..mesh.fan_count(face)).map(move |k| {
        let ([apex, before, at], [.., after]) = (mesh.fan_triangle(face, k - 1), mesh.fan_triangle(face, k));
        let [a, b, c, d] = [apex, before, at, after].map(|vertex| mesh.vertex(vertex));
        Diagonal { vertices: [apex, at], flat: orient3d(a, b, c, d) == Sign::Zero }
    })
}
