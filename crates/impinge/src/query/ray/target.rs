//! Targets of ray casts: the triangles of a placed mesh's faces, and the tree that finds those along a ray.

use super::Ray;
use crate::mesh::Mesh;
use crate::model::{Ground, Model, Placed};
use impinge_core::bvh::{DopTree, EIGHT, LeafTriangles, Ray8};
use impinge_core::math::{DMat3, DVec3};
use impinge_core::simd::Lanes;
use impinge_core::transform::Placement;

/// The faces of a model in its own frame, and where it stands.
#[derive(Clone, Copy)]
pub(super) struct Target<'m> {
    pub(super) mesh: &'m Mesh,
    pub(super) placement: &'m Placement,
    pub(super) model_from_world_linear: DMat3,
    pub(super) guide: Guide<'m>,
    table: Option<(&'m [DVec3], &'m [[u32; 3]])>,
}

/// The structure that leads a ray to faces.
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
    /// The triangles in leaf order for single rays, where the mesh is a table of triangles, which most are.
    pub(super) leaf_triangles: Option<&'m LeafTriangles>,
}

impl<'m> Guide<'m> {
    fn new(model: &'m Model, leaf_triangles: Option<&'m LeafTriangles>) -> Guide<'m> {
        match model.ground() {
            Some(ground) => Guide::Terrain { ground, reach: model.reach() },
            None => Guide::Tree(FaceTree { tree: model.bvh(), leaf_triangles }),
        }
    }
}

impl<'m> Target<'m> {
    /// The target of a single ray.
    pub(super) fn new(placed: &'m Placed<'_>) -> Target<'m> {
        Target::guided(placed, placed.model().leaf_triangles())
    }

    /// The target of many rays.
    pub(super) fn of_many(placed: &'m Placed<'_>) -> Target<'m> {
        Target::guided(placed, None)
    }

    fn guided(placed: &'m Placed<'_>, leaf_triangles: Option<&'m LeafTriangles>) -> Target<'m> {
        let model = placed.model();
        Target {
            mesh: model.mesh(),
            placement: placed.placement(),
            model_from_world_linear: placed.placement().model_from_world_linear(),
            guide: Guide::new(model, leaf_triangles),
            table: model.mesh().triangle_table(),
        }
    }

    /// Eight rays in the model's frame, by the same arithmetic as [`Aim::new`](super::aim::Aim::new) does one.
    #[inline(always)]
    pub(super) fn in_model<L: Lanes>(&self, rays: &[&Ray; EIGHT]) -> Ray8<L> {
        let zero = [L::f64x4_splat(0.0); 2];
        let mut eight = Ray8 { origins: [zero; 3], directions: [zero; 3], times: [zero[0]; 2], usual: 0 };
        let mut half = 0;
        while half < 2 {
            let [a, b, c, d] = [rays[4 * half], rays[4 * half + 1], rays[4 * half + 2], rays[4 * half + 3]];
            let (mut origin, mut direction) = ([zero[0]; 3], [zero[0]; 3]);
            let translation = self.placement.world_from_model().translation.to_array();
            let mut most = zero[0];
            let mut k = 0;
            while k < 3 {
                let [p, q, r, s] = [a.origin()[k], b.origin()[k], c.origin()[k], d.origin()[k]];
                origin[k] = L::f64x4_sub(L::f64x4_from(p, q, r, s), L::f64x4_splat(translation[k]));
                let [p, q, r, s] = [a.direction()[k], b.direction()[k], c.direction()[k], d.direction()[k]];
                direction[k] = L::f64x4_from(p, q, r, s);
                most = L::f64x4_max(L::f64x4_abs(direction[k]), most);
                k += 1;
            }
            let is_usual =
                L::f64x4_greater(most, L::f64x4_splat(1e-60)) & L::f64x4_greater(L::f64x4_splat(1e60), most);
            eight.usual |= is_usual << (4 * half);
            let mut k = 0;
            while k < 3 {
                eight.origins[k][half] = self.turned::<L>(k, &origin);
                eight.directions[k][half] = self.turned::<L>(k, &direction);
                k += 1;
            }
            let times = L::f64x4_from(a.max_t(), b.max_t(), c.max_t(), d.max_t());
            let more = L::f64x4_mul(times, L::f64x4_splat(1.0 + f64::EPSILON));
            eight.times[half] = L::f64x4_add(more, L::f64x4_splat(f64::MIN_POSITIVE));
            half += 1;
        }
        eight
    }

    /// A coordinate of vectors in the model's frame.
    #[inline(always)]
    fn turned<L: Lanes>(&self, k: usize, vectors: &[L::F64x4; 3]) -> L::F64x4 {
        let linear = &self.model_from_world_linear;
        let x = L::f64x4_mul(L::f64x4_splat(linear.x_axis[k]), vectors[0]);
        let y = L::f64x4_mul(L::f64x4_splat(linear.y_axis[k]), vectors[1]);
        let z = L::f64x4_mul(L::f64x4_splat(linear.z_axis[k]), vectors[2]);
        L::f64x4_add(L::f64x4_add(x, y), z)
    }

    /// Prefetches the memory that tells a triangle's vertices.
    #[inline(always)]
    pub(super) fn prefetch_vertices<L: Lanes>(&self, face: u32) {
        if let Some((_, triangles)) = self.table {
            L::prefetch(&triangles[face as usize]);
        }
    }

    /// Prefetches the memory of a triangle's corners.
    #[inline(always)]
    pub(super) fn prefetch_corners<L: Lanes>(&self, face: u32) {
        if let Some((points, triangles)) = self.table {
            let [a, b, c] = triangles[face as usize];
            L::prefetch(&points[a as usize]);
            L::prefetch(&points[b as usize]);
            L::prefetch(&points[c as usize]);
        }
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
