//! The prepared mesh: what its faces share, which edges nothing can reach, which parts are solids.
//!
//! A [`Model`] is made once from a [`Mesh`] and never changes. Vertices, faces, corners and groups keep the mesh's
//! numbers; edges and parts get numbers of their own.

mod vertex_corners;
mod corners;
mod deformable;
mod stale_topology;
mod edge;
mod feature;
mod feature_ownership;
mod filtered;
mod grid;
mod ground;
mod parts;
mod placed;
mod prepare;
mod offset;
mod rounded;
mod topology;
mod trees;
mod winding_tree;

#[cfg(test)]
mod tests;

pub use deformable::Deformable;
pub use edge::{Edge, EdgeFace, EdgeKind};
pub use feature::Feature;
pub(crate) use feature_ownership::OwnedFeatures;
pub use offset::OffsetError;
pub use parts::{Orientation, Part};
pub use placed::Placed;
pub(crate) use placed::are_spheres_apart;
pub use prepare::Purpose;
pub(crate) use prepare::prepare_all;
pub use rounded::RoundError;
pub use vertex_corners::FaceCorner;

use crate::mesh::Mesh;
use crate::mesh::weld::{equal_positions, mix, position_hash};
use corners::PartCorners;
use filtered::{Filtered, Materials};
pub(crate) use grid::Grid;
#[doc(hidden)]
pub use ground::Ground;
use impinge_core::bounds::Aabb;
use impinge_core::bvh::{AnyCorners, BoxBuilder, Build, Bvh8, DopTree, LeafTriangles, TreeBuilder};
use impinge_core::heightfield::HeightTree;
use impinge_core::math::DVec3;
use impinge_core::parallel::Lazy;
use parts::Parts;
use stale_topology::Earlier;
use topology::Topology;
#[doc(hidden)]
pub use trees::TreeSlot;
use winding_tree::WindingTree;

/// Lengths in this range have squares that neither overflow nor vanish.
const SQUARABLE: std::ops::Range<f64> = 1e-100..1e100;

/// So many parts are looked at one by one.
const FEW_PARTS: usize = 16;

/// A model: a mesh prepared for queries, with bounding volume hierarchies, edges and parts that are made when first needed.
///
/// ```
/// use impinge::{Mesh, model::{EdgeKind, Model}};
///
/// // A tetrahedron.
/// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]];
/// let model = Model::new(Mesh::triangles(corners, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?);
/// assert!(model.is_closed());
/// assert_eq!(model.edges().len(), 6);
/// assert!(model.edges().iter().all(|edge| edge.kind == EdgeKind::Convex));
/// # Ok::<(), impinge::mesh::MeshError>(())
/// ```
#[doc(alias = "collision shape")]
#[derive(Clone, Debug)]
pub struct Model {
    mesh: Mesh,
    bounds: Aabb,
    reach: f64,
    /// A sphere around the vertices, about the center of the bounds.
    sphere: (DVec3, f64),
    /// The radius of the ball around every point, in the world; 0 for none.
    radius: f64,
    /// The shared features, which only some queries need: prepared when the first of them asks.
    features: Lazy<Features>,
    /// The topology before the last move, of a deformable only.
    earlier: Earlier,
    geometry_hash: Lazy<u64>,
    grid: Lazy<Option<Grid>>,
    tree: TreeSlot<6, BoxBuilder>,
    leaf_triangles: Lazy<LeafTriangles>,
    height_tree: Lazy<HeightTree>,
    wide_tree: Lazy<Bvh8>,
    part_tree: Lazy<DopTree<6>>,
    winding_tree: Lazy<WindingTree>,
    materials: Lazy<Materials>,
    filtered: Filtered,
}

/// What the faces share.
#[derive(Clone, Debug)]
struct Features {
    topology: Topology,
    parts: Parts,
    /// The features that belong to each triangle, for contacts.
    owned: Lazy<Box<[OwnedFeatures]>>,
}

impl From<Mesh> for Model {
    fn from(mesh: Mesh) -> Model {
        Model::new(mesh)
    }
}

impl Model {
    /// Makes a model of a [`Mesh`], or of what becomes one. Shared edges, parts and trees are found when a query first asks for them, once, by the thread that asks; or
    /// beforehand on all cores by [`prepare`](Self::prepare).
    pub fn new(mesh: impl Into<Mesh>) -> Model {
        let mesh = mesh.into();
        let bounds = mesh.bounds();
        Model::with_bounds(mesh, bounds)
    }

    /// A model of a mesh whose bounds are known.
    fn with_bounds(mesh: Mesh, bounds: Aabb) -> Model {
        let mut model = Model {
            mesh,
            bounds: Aabb::EMPTY,
            reach: 0.0,
            sphere: (DVec3::ZERO, 0.0),
            radius: 0.0,
            features: Lazy::new(),
            earlier: Earlier::default(),
            geometry_hash: Lazy::new(),
            grid: Lazy::new(),
            tree: TreeSlot::default(),
            leaf_triangles: Lazy::new(),
            height_tree: Lazy::new(),
            wide_tree: Lazy::new(),
            part_tree: Lazy::new(),
            winding_tree: Lazy::new(),
            materials: Lazy::new(),
            filtered: Filtered::default(),
        };
        model.set_bounds(bounds);
        model.tighten_sphere();
        model
    }

    /// Sets the bounds, and what follows from them.
    fn set_bounds(&mut self, bounds: Aabb) {
        let center = bounds.center();
        let half = (bounds.max - center).max(center - bounds.min);
        let longest = half.max_element();
        // Squares of others overflow or vanish; the root of 3 is below 2.
        let is_usual = SQUARABLE.contains(&longest);
        let radius = if is_usual { half.length() * (1.0 + 8.0 * f64::EPSILON) } else { 2.0 * longest };
        self.bounds = bounds;
        self.reach = bounds.min.abs().max(bounds.max.abs()).max_element();
        self.sphere = (center, radius);
    }

    /// Shrinks the sphere around the box of an indexed mesh to the farthest vertex. A first look at two models that are apart
    /// ends there more often, and needs nothing else.
    fn tighten_sphere(&mut self) {
        let (center, radius) = self.sphere;
        let Some((points, _)) = self.mesh.triangle_table() else { return };
        if SQUARABLE.contains(&radius) {
            let squared =
                points.iter().fold(0.0, |most: f64, &point| most.max((point - center).length_squared()));
            self.sphere.1 = radius.min(squared.sqrt() * (1.0 + 8.0 * f64::EPSILON));
        }
    }

    fn features(&self) -> &Features {
        self.features.get_or_make(|| {
            let points: Vec<DVec3> = self.mesh.vertices().collect();
            let topology = Topology::new(&self.mesh, &points, equal_positions(&points));
            let parts = Parts::new(&self.mesh, &points, &topology);
            Features { topology, parts, owned: Lazy::new() }
        })
    }

    /// What the faces share: features of which the kinds of edges and the measures of parts may be out of date.
    fn sharing(&self) -> &Features {
        match self.features.get() {
            Some(features) => features,
            None => self.earlier.get(&self.mesh).unwrap_or_else(|| self.features()),
        }
    }

    /// The bounding volume hierarchy of boxes over the faces, built when it is first asked for.
    #[doc(hidden)]
    #[inline]
    pub fn bvh(&self) -> &DopTree<6> {
        self.tree.get(&self.mesh, self.bounds)
    }

    /// The triangles in the order of the leaves of the tree of boxes, for single rays; made when the first is cast. None for
    /// terrains, and for meshes with faces that are no triangles.
    pub fn leaf_triangles(&self) -> Option<&LeafTriangles> {
        let (points, triangles) = self.mesh.triangle_table()?;
        Some(self.leaf_triangles.get_or_make(|| {
            let corners = |face: u32| triangles[face as usize].map(|vertex| points[vertex as usize]);
            LeafTriangles::new(self.bvh(), &corners)
        }))
    }

    /// The tree for many rays at once, made from the tree of boxes when they are first cast. None for terrains,
    /// and for meshes with faces that are no triangles.
    pub fn wide_tree(&self) -> Option<&Bvh8> {
        let (points, triangles) = self.mesh.triangle_table()?;
        Some(self.wide_tree.get_or_make(|| {
            let corners = |face: u32| triangles[face as usize].map(|vertex| points[vertex as usize]);
            Bvh8::new(self.bvh(), &corners)
        }))
    }

    /// The tree that estimates how far the open parts enclose a point, built when it is first asked for.
    pub(crate) fn winding_tree(&self) -> &WindingTree {
        self.winding_tree.get_or_make(|| WindingTree::new(self))
    }

    /// The mesh of the model.
    #[inline]
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The least box around all vertices that faces use: of a rounded model, around its core.
    #[inline]
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// The center of the bounds, and the radius of a sphere about it that holds all vertices that faces use.
    #[inline]
    pub(crate) fn sphere(&self) -> (DVec3, f64) {
        self.sphere
    }

    /// The largest coordinate, without its sign.
    #[inline]
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// A number that models of the same geometry share, and hardly any others. The order of vertices and of faces,
    /// repeated positions and the corner that a face starts with do not count; which way a face looks does. It breaks
    /// ties in the choice of the frame in which a pair is solved, so that the choice does not depend on which model is
    /// named first.
    #[inline]
    pub fn geometry_hash(&self) -> u64 {
        *self.geometry_hash.get_or_make(|| geometry_hash(&self.mesh))
    }

    /// The grid on which the vertices stand; `None` where it is finer than images could be.
    #[inline]
    pub(crate) fn grid(&self) -> Option<&Grid> {
        self.grid.get_or_make(|| Grid::of(&self.mesh, &self.bounds)).as_ref()
    }

    /// The least vertex at the same position as `vertex`: shared vertices have one name.
    #[inline]
    pub fn representative(&self, vertex: u32) -> u32 {
        self.sharing().topology.representative[vertex as usize]
    }

    /// The edges of the faces' boundaries, each once, in ascending order of their vertices. Diagonals of a polygon's fan
    /// are not edges, nor is anything without length.
    #[inline]
    pub fn edges(&self) -> &[Edge] {
        &self.features().topology.edges
    }

    /// The faces along an edge, in ascending order. A face comes twice where its boundary runs along the edge twice,
    /// as that of a segment does.
    #[inline]
    pub fn edge_faces(&self, edge: u32) -> &[EdgeFace] {
        self.sharing().topology.edge_faces(edge)
    }

    /// The edge from a corner of a face to the next corner; none where they stand at the same position.
    #[inline]
    pub fn edge_at(&self, face: u32, corner: usize) -> Option<u32> {
        self.sharing().topology.edge_at(&self.mesh, face, corner)
    }

    /// The corners of faces at the position of a vertex, in ascending order of (face, corner).
    #[inline]
    pub fn corners_at(&self, vertex: u32) -> &[FaceCorner] {
        self.sharing().topology.corners_at(&self.mesh, vertex)
    }

    /// Whether a vertex bounds internal edges only, so that nothing in front of the faces can reach it.
    #[inline]
    pub fn is_internal_vertex(&self, vertex: u32) -> bool {
        self.features().topology.is_internal_vertex(vertex)
    }

    /// The share of internal edges among all edges, from 0 to 1.
    pub fn internal_share(&self) -> f64 {
        let topology = &self.features().topology;
        topology.internal_edge_count as f64 / topology.edges.len().max(1) as f64
    }

    /// The parts, in ascending order of their least face.
    #[inline]
    pub fn parts(&self) -> &[Part] {
        &self.features().parts.parts
    }

    /// The number of parts.
    #[inline]
    pub fn part_count(&self) -> usize {
        self.sharing().parts.parts.len()
    }

    /// The faces of a part, ascending.
    #[inline]
    pub fn part_faces(&self, part: u32) -> &[u32] {
        self.sharing().parts.faces(part)
    }

    /// A tree over the parts, where there are so many of them that it is worth while.
    pub(crate) fn part_tree(&self) -> Option<&DopTree<6>> {
        let count = self.part_count();
        (count > FEW_PARTS).then(|| {
            self.part_tree.get_or_make(|| {
                let corners = AnyCorners::Shown(&PartCorners(self));
                BoxBuilder::build(Build::LAZY, count, self.bounds, corners)
            })
        })
    }

    /// The part that a face belongs to; none for faces in a terrain's holes.
    #[inline]
    pub fn part_of_face(&self, face: u32) -> Option<u32> {
        self.sharing().parts.part_of_face(face)
    }

    /// Whether a face belongs to a closed part.
    #[inline]
    pub fn is_closed_face(&self, face: u32) -> bool {
        let parts = &self.sharing().parts;
        parts.part_of_face(face).is_some_and(|part| parts.parts[part as usize].closed)
    }

    /// Whether all parts are closed.
    #[doc(alias = "is_watertight")]
    pub fn is_closed(&self) -> bool {
        self.sharing().parts.parts.iter().all(|part| part.closed)
    }

    /// Whether any part is closed, so that there is something to be inside of.
    pub fn has_solid(&self) -> bool {
        self.sharing().parts.parts.iter().any(|part| part.closed)
    }
}

/// Sums over faces, and within a face over its directed edges: sums do not depend on an order, and directed edges tell a
/// face from its back.
fn geometry_hash(mesh: &Mesh) -> u64 {
    let hashes: Vec<u64> = mesh.vertices().map(position_hash).collect();
    let hash_at = |face, corner| hashes[mesh.corner(face, corner) as usize];
    let mut sum = 0_u64;
    for face in 0..mesh.face_count() as u32 {
        let Some(last) = mesh.corner_count(face).checked_sub(1) else { continue };
        let (mut face_sum, mut from) = (0_u64, hash_at(face, last));
        for corner in 0..=last {
            let to = hash_at(face, corner);
            face_sum = face_sum.wrapping_add(mix(from.wrapping_add(to.rotate_left(32))));
            from = to;
        }
        sum = sum.wrapping_add(mix(face_sum));
    }
    sum
}
