//! A model whose vertices move (Maia et al. 2006, §3.3).
//!
//! Its box is right at once, because a broad phase asks for it; everything else is brought up to date when a query first
//! asks for it. So a model that is moved in every frame and queried in few of them pays for few.

use super::filtered::Filtered;
use super::{Model, Placed};
use crate::mesh::{Mesh, MeshError, Problem};
use impinge_core::bounds::Aabb;
use impinge_core::bvh::RefitStats;
use impinge_core::math::{DVec3, IntoPoint};
use impinge_core::parallel::Lazy;
use impinge_core::transform::{Placement, TransformError};

/// A deformable model: its vertices move while its faces stay.
///
/// Every query works on it as on a [`Model`] made from the same vertices, and gives the same answer. Trees are refitted
/// when a query first needs them, whole or above what has moved, and built anew where refits have made them bad. Many
/// threads may query it between moves.
///
/// ```
/// use impinge::{Deformable, Mesh, Model, Trs, shapes};
///
/// let mut ball = Deformable::new(Mesh::from(shapes::icosphere(0.5, 8)?));
/// let ring = Model::new(shapes::torus(1.0, 0.25, 48, 24)?);
/// assert!(!ball.at(Trs::IDENTITY).intersects(&ring.at(Trs::IDENTITY)));
///
/// // Twice as wide, it fills the ring.
/// let wide: Vec<_> = ball.model().mesh().vertices().map(|p| [2.0 * p.x, p.y, p.z]).collect();
/// ball.set_vertices(&wide)?;
/// assert!(ball.at(Trs::IDENTITY).intersects(&ring.at(Trs::IDENTITY)));
/// assert_eq!(ball.upkeep().refits, 1);
///
/// // Some of its vertices: those from number 10 on.
/// ball.move_vertices((10..).zip([[0.0, 0.0, 3.0], [0.0, 0.0, 4.0]]))?;
/// assert_eq!(ball.model().bounds().max.z, 4.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "soft body")]
#[derive(Clone, Debug)]
pub struct Deformable {
    pub(super) model: Model,
    /// Whether a face uses a vertex; empty where all are used.
    used: Vec<bool>,
    /// Made for the first move of some vertices.
    faces_of_vertices: Option<FacesOfVertices>,
}

impl From<Mesh> for Deformable {
    fn from(mesh: Mesh) -> Deformable {
        Deformable::new(mesh)
    }
}

impl Deformable {
    /// Prepares a mesh. A terrain's heights become a list of positions.
    pub fn new(mut mesh: Mesh) -> Deformable {
        mesh.points_mut();
        let mut used = mesh.used_vertices();
        let bounds = mesh.bounds_of(&used);
        if used.iter().all(|used| *used) {
            used = Vec::new();
        }
        Deformable { model: Model::with_bounds(mesh, bounds), used, faces_of_vertices: None }
    }

    /// The model as it is now.
    #[inline]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The model as it is now, at a place; see [`Model::at`].
    #[inline]
    pub fn at(&self, world_from_model: impl Into<Placement>) -> Placed<'_> {
        self.model.at(world_from_model)
    }

    /// The model as it is now, where a matrix puts it; see [`Model::try_at`].
    pub fn try_at<P>(&self, world_from_model: P) -> Result<Placed<'_>, TransformError>
    where
        P: TryInto<Placement>,
        TransformError: From<P::Error>,
    {
        self.model.try_at(world_from_model)
    }

    /// The counts of refits and builds of its trees.
    pub fn upkeep(&self) -> RefitStats {
        self.model.tree.work()
    }

    /// Moves all vertices. On an error nothing is moved.
    #[doc(alias = "update_vertices")]
    pub fn set_vertices<P: IntoPoint + Copy>(&mut self, vertices: &[P]) -> Result<(), MeshError> {
        let expected = self.model.mesh.vertex_count();
        if vertices.len() != expected {
            MeshError::check(vec![Problem::VertexCount { found: vertices.len(), expected }])?;
        }
        let Some(bounds) = finite_bounds(vertices) else {
            return check_finite((0..).zip(vertices.iter().map(|vertex| vertex.into_point())));
        };
        for (point, vertex) in self.model.mesh.points_mut().iter_mut().zip(vertices) {
            *point = vertex.into_point();
        }
        let bounds = if self.used.is_empty() { bounds } else { self.least_bounds() };
        self.forget(bounds, None);
        Ok(())
    }

    /// Moves some vertices, by their numbers. On an error nothing is moved.
    ///
    /// Vertices from number `n` on are `(n..).zip(positions)`.
    pub fn move_vertices<P: IntoPoint>(
        &mut self,
        vertices: impl IntoIterator<Item = (u32, P)>,
    ) -> Result<(), MeshError> {
        let moved: Vec<(u32, DVec3)> =
            vertices.into_iter().map(|(vertex, to)| (vertex, to.into_point())).collect();
        let vertices = self.model.mesh.vertex_count();
        let outside = moved.iter().filter(|(vertex, _)| *vertex as usize >= vertices);
        MeshError::check(
            outside.map(|&(vertex, _)| Problem::VertexOutOfRange { vertex, vertices }).collect(),
        )?;
        check_finite(moved.iter().copied())?;
        if moved.is_empty() {
            return Ok(());
        }

        let faces_of = self.faces_of_vertices.get_or_insert_with(|| FacesOfVertices::of(&self.model.mesh));
        let (mut faces, mut bounds, mut holds) = (Vec::new(), self.model.bounds, true);
        let points = self.model.mesh.points_mut();
        for (vertex, to) in moved {
            let from = std::mem::replace(&mut points[vertex as usize], to);
            let own = faces_of.faces(vertex);
            if !own.is_empty() {
                faces.extend_from_slice(own);
                // Where nothing has left the sides, the box can only have grown.
                holds &= !(from.cmpeq(bounds.min) | from.cmpeq(bounds.max)).any();
                bounds = bounds.with_point(to);
            }
        }
        faces.sort_unstable();
        faces.dedup();
        let bounds = if holds { bounds } else { self.least_bounds() };
        self.forget(bounds, Some(&faces));
        Ok(())
    }

    /// The least box around all vertices that faces use.
    fn least_bounds(&self) -> Aabb {
        let is_used = |vertex: usize| self.used.get(vertex).is_none_or(|used| *used);
        let used = self.model.mesh.vertices().enumerate().filter(|(vertex, _)| is_used(*vertex));
        Aabb::around(used.map(|(_, point)| point))
    }

    /// Forgets what depends on positions. The moved faces are those in the list, or all.
    fn forget(&mut self, bounds: Aabb, faces: Option<&[u32]>) {
        let model = &mut self.model;
        model.set_bounds(bounds);
        model.earlier.vertices_moved(model.features.take());
        model.geometry_hash = Lazy::new();
        model.grid = Lazy::new();
        model.leaf_triangles = Lazy::new();
        model.wide_tree = Lazy::new();
        model.winding_tree = Lazy::new();
        model.height_tree = Lazy::new();
        model.part_tree = Lazy::new();
        model.filtered = Filtered::default();
        model.tree.faces_moved(faces, model.mesh.face_count());
    }
}

/// The least box around points; none where a coordinate is not finite.
fn finite_bounds<P: IntoPoint + Copy>(points: &[P]) -> Option<Aabb> {
    // Two points at a time: one comparison need not wait for the one before.
    let (mut low, mut high, mut nothing) = ([f64::INFINITY; 6], [f64::NEG_INFINITY; 6], [0.0; 6]);
    let (pairs, last) = points.as_chunks::<2>();
    let mut take = |a: DVec3, b: DVec3| {
        let pair = [a.x, a.y, a.z, b.x, b.y, b.z];
        for k in 0..6 {
            low[k] = if pair[k] < low[k] { pair[k] } else { low[k] };
            high[k] = if pair[k] > high[k] { pair[k] } else { high[k] };
            // NaN from NaN and from infinity, and then for good.
            nothing[k] += pair[k] * 0.0;
        }
    };
    pairs.iter().for_each(|[a, b]| take(a.into_point(), b.into_point()));
    last.iter().for_each(|last| take(last.into_point(), last.into_point()));
    // Which of two equal bounds is taken makes a difference only for zeros: that of the first point counts.
    let bound = |axis: usize, bound: f64| {
        let zero =
            || points.iter().map(|point| point.into_point()[axis]).find(|&coordinate| coordinate == 0.0);
        if bound == 0.0 { zero().unwrap_or(bound) } else { bound }
    };
    let least = |k: usize| bound(k, if low[k + 3] < low[k] { low[k + 3] } else { low[k] });
    let most = |k: usize| bound(k, if high[k + 3] > high[k] { high[k + 3] } else { high[k] });
    let bounds =
        Aabb { min: DVec3::new(least(0), least(1), least(2)), max: DVec3::new(most(0), most(1), most(2)) };
    (nothing == [0.0; 6]).then_some(bounds)
}

/// Every coordinate that is not finite, as an error.
fn check_finite(vertices: impl Iterator<Item = (u32, DVec3)>) -> Result<(), MeshError> {
    let mut problems = Vec::new();
    for (vertex, point) in vertices {
        for (axis, value) in point.to_array().into_iter().enumerate() {
            if !value.is_finite() {
                problems.push(Problem::NotFinite { vertex, axis, value });
            }
        }
    }
    MeshError::check(problems)
}

/// The faces at each vertex.
#[derive(Clone, Debug)]
struct FacesOfVertices {
    faces: Vec<u32>,
    /// One entry more than there are vertices.
    starts: Vec<u32>,
}

impl FacesOfVertices {
    fn of(mesh: &Mesh) -> FacesOfVertices {
        let corners = || {
            (0..mesh.face_count() as u32)
                .flat_map(|face| mesh.corners(face).map(move |vertex| (vertex as usize, face)))
        };
        let mut starts = vec![0; mesh.vertex_count() + 1];
        corners().for_each(|(vertex, _)| starts[vertex + 1] += 1);
        for vertex in 1..starts.len() {
            starts[vertex] += starts[vertex - 1];
        }
        let mut next = starts.clone();
        let mut faces = vec![0; starts[mesh.vertex_count()] as usize];
        for (vertex, face) in corners() {
            faces[next[vertex] as usize] = face;
            next[vertex] += 1;
        }
        FacesOfVertices { faces, starts }
    }

    fn faces(&self, vertex: u32) -> &[u32] {
        let vertex = vertex as usize;
        &self.faces[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::Random;

    /// The bounds are those of one point after the other, zeros with their signs; one coordinate that is not finite, at any place, is found.
    #[test]
    fn bounds_are_those_of_one_point_after_the_other() {
        let mut random = Random::new(4);
        for count in (1..40).chain([1000, 1001]) {
            // Coordinates from few, among them zeros of both signs.
            let mut coordinate = || [-0.0, 0.0, -0.0, 0.0, 1.5, -2.0][(random.unit() * 6.0) as usize % 6];
            let mut points: Vec<[f64; 3]> =
                (0..count).map(|_| [coordinate(), coordinate(), coordinate()]).collect();
            let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
            for point in &points {
                for k in 0..3 {
                    low[k] = if point[k] < low[k] { point[k] } else { low[k] };
                    high[k] = if point[k] > high[k] { point[k] } else { high[k] };
                }
            }
            let bits = |bounds: Aabb| [bounds.min, bounds.max].map(|at| at.to_array().map(f64::to_bits));
            let expected = Aabb { min: DVec3::from_array(low), max: DVec3::from_array(high) };
            assert_eq!(finite_bounds(&points).map(bits), Some(bits(expected)), "{points:?}");
            let place = (random.unit() * count as f64) as usize % count;
            points[place][place % 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY][count % 3];
            assert_eq!(finite_bounds(&points), None, "{points:?}");
        }
    }
}
