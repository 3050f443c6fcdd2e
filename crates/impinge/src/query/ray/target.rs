//! What rays are cast at: the triangles of a placed mesh's faces, and what finds those along a ray.

use super::Ray;
use crate::math::{DMat3, DVec3};
use crate::mesh::Mesh;
use crate::model::{Ground, Model, Placed};
use crate::transform::Placement;
use crate::tree::dop_tree::{DopTree, LeafTriangles};

/// The faces of a model in its own frame, and where it stands.
#[derive(Clone, Copy)]
pub(super) struct Target<'m> {
    pub(super) mesh: &'m Mesh,
    pub(super) placement: &'m Placement,
    pub(super) model_from_world_linear: DMat3,
    pub(super) guide: Guide<'m>,
    table: Option<(&'m [DVec3], &'m [[u32; 3]])>,
}

/// What leads a ray to faces.
#[derive(Clone, Copy)]
pub(super) enum Guide<'m> {
    Tree(FaceTree<'m>),
    /// A terrain needs no tree of boxes.
    Terrain {
        ground: Ground<'m>,
        /// Its largest coordinate, without its sign.
        reach: f64,
    },
}

/// The tree of boxes over the faces.
#[derive(Clone, Copy)]
pub(super) struct FaceTree<'m> {
    pub(super) tree: &'m DopTree<6>,
    /// For indexed triangle meshes, which most are.
    pub(super) leaf_triangles: Option<&'m LeafTriangles>,
}

impl<'m> Guide<'m> {
    fn new(model: &'m Model) -> Guide<'m> {
        match model.ground() {
            Some(ground) => Guide::Terrain { ground, reach: model.reach() },
            None => {
                Guide::Tree(FaceTree { tree: model.dop_tree::<6>(), leaf_triangles: model.leaf_triangles() })
            }
        }
    }
}

impl<'m> Target<'m> {
    pub(super) fn new(placed: &'m Placed<'_>) -> Target<'m> {
        let model = placed.model();
        Target {
            mesh: model.mesh(),
            placement: placed.placement(),
            model_from_world_linear: placed.placement().model_from_world_linear(),
            guide: Guide::new(model),
            table: model.mesh().triangle_table(),
        }
    }

    /// The origin and the direction of a ray in the model's frame, as `Placement::point_to_model` finds them, with the
    /// inverse at hand.
    #[inline(always)]
    pub(super) fn in_model(&self, ray: &Ray) -> (DVec3, DVec3) {
        let linear = &self.model_from_world_linear;
        let from = ray.origin() - self.placement.world_from_model().translation;
        (*linear * from, *linear * ray.direction())
    }

    /// The number of triangles in the fan of a face.
    #[inline(always)]
    pub(super) fn fan_count(&self, face: u32) -> u32 {
        if self.table.is_some() { 1 } else { self.mesh.fan_count(face) as u32 }
    }

    /// The vertices of a triangle of a face's fan.
    #[inline(always)]
    pub(super) fn vertices(&self, face: u32, k: u32) -> [u32; 3] {
        match self.table {
            Some((_, triangles)) => triangles[face as usize],
            None => self.mesh.fan_triangle(face, k as usize),
        }
    }

    /// The corners of a triangle of a face's fan.
    #[inline(always)]
    pub(super) fn corners(&self, face: u32, k: u32) -> [DVec3; 3] {
        let vertices = self.vertices(face, k);
        match self.table {
            Some((points, _)) => {
                let [a, b, c] = vertices;
                [points[a as usize], points[b as usize], points[c as usize]]
            }
            None => vertices.map(|vertex| self.mesh.vertex(vertex)),
        }
    }
}
