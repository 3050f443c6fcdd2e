//! parry's tree over the boxes, and one of its queries for each pair.

use rapier3d_f64::math::{Matrix, Pose, Vector};
use rapier3d_f64::parry::bounding_volume::{Aabb, BoundingVolume};
use rapier3d_f64::parry::partitioning::{Bvh, BvhBuildStrategy, BvhNode, BvhWorkspace};
use rapier3d_f64::parry::query::details::distance_support_map_support_map_with_params;
use rapier3d_f64::parry::query::gjk::VoronoiSimplex;
use rapier3d_f64::parry::query::{self, ClosestPoints};
use rapier3d_f64::parry::shape::{Shape, TriMesh};

use super::scene::{Moved, Scene};
use super::{CONTACT_DISTANCE, Found, Side};

/// How a pair is asked.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Narrow {
    /// Both trees at once and triangle by triangle, written by the user: parry has no query that does so.
    LeafPairs,
    /// `query::closest_points` up to the distance.
    ClosestPoints,
    /// `query::contact` with the distance as prediction.
    Contact,
}

/// `Bvh`, and a query for each pair.
pub(crate) struct ByParry {
    mesh: TriMesh,
    poses: Vec<Pose>,
    tree: Bvh,
    workspace: BvhWorkspace,
    /// A box where no body is.
    nowhere: Aabb,
    pairs: Vec<(u32, u32)>,
    narrow: Narrow,
    found: Found,
}

/// The mesh as parry has it. What it is asked here needs no flags.
pub(crate) fn trimesh(scene: &Scene) -> TriMesh {
    let mesh = scene.mesh();
    let vertices = mesh.vertices().map(|v| Vector::new(v.x, v.y, v.z)).collect();
    let faces = 0..mesh.face_count() as u32;
    TriMesh::new(vertices, faces.flat_map(|face| mesh.fan(face)).collect()).expect("a mesh of triangles")
}

impl ByParry {
    pub(crate) fn new(scene: &Scene, narrow: Narrow) -> ByParry {
        let mesh = trimesh(scene);
        let poses: Vec<Pose> = scene.bodies().iter().map(|body| body.pose).collect();
        let boxes: Vec<Aabb> = poses.iter().map(|pose| bounds(&mesh, pose)).collect();
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
        let (workspace, pairs) = (BvhWorkspace::default(), Vec::new());
        let nowhere = Aabb::new(Vector::splat(1e6), Vector::splat(1e6));
        ByParry { mesh, poses, tree, workspace, nowhere, pairs, narrow, found: Found::default() }
    }

    fn are_within(&self, a: &Pose, b: &Pose) -> bool {
        match self.narrow {
            Narrow::LeafPairs => within_by_leaf_pairs(&self.mesh, &a.inv_mul(b)),
            Narrow::ClosestPoints => {
                let points = query::closest_points(a, &self.mesh, b, &self.mesh, CONTACT_DISTANCE);
                points.expect("a pair that is supported") != ClosestPoints::Disjoint
            }
            Narrow::Contact => {
                let contact = query::contact(a, &self.mesh, b, &self.mesh, CONTACT_DISTANCE);
                contact.expect("a pair that is supported").is_some()
            }
        }
    }
}

/// Boxes that overlap where bodies may be in contact.
fn bounds(mesh: &TriMesh, pose: &Pose) -> Aabb {
    mesh.compute_aabb(pose).loosened(CONTACT_DISTANCE / 2.0)
}

/// Whether two meshes come within the distance: down both trees, up to the first triangles that do.
fn within_by_leaf_pairs(mesh: &TriMesh, a_from_b: &Pose) -> bool {
    let turn = Matrix::from_quat(a_from_b.rotation);
    let spread = Matrix::from_cols(turn.x_axis.abs(), turn.y_axis.abs(), turn.z_axis.abs());
    let near = |a: &BvhNode, b: &BvhNode| {
        let (half_a, half_b) = ((a.maxs() - a.mins()) / 2.0, (b.maxs() - b.mins()) / 2.0);
        let between = turn * b.center() + a_from_b.translation - a.center();
        let reach = half_a + spread * half_b + Vector::splat(CONTACT_DISTANCE);
        between.abs().cmple(reach).all()
    };
    let mut simplex = VoronoiSimplex::new();
    mesh.bvh().leaf_pairs(mesh.bvh(), near).any(|(a, b)| {
        let (a, b) = (mesh.triangle(a), mesh.triangle(b).transformed(a_from_b));
        let towards = Some(a.center() - b.center());
        let distance =
            distance_support_map_support_map_with_params(&Pose::IDENTITY, &a, &b, &mut simplex, towards);
        distance <= CONTACT_DISTANCE
    })
}

impl Side for ByParry {
    fn step(&mut self, moved: &[Moved]) {
        let all_move = moved.len() == self.poses.len();
        for body in moved {
            self.poses[body.index as usize] = body.pose;
            if !all_move {
                // With a margin of 0, boxes are not noted as changed, and with any other not those that stay within their old ones, whose
                // pairs would be left out: so each leaves its old box first, which notes it.
                self.tree.insert_or_update_partially(self.nowhere, body.index, 1.0);
            }
            self.tree.insert_or_update_partially(bounds(&self.mesh, &body.pose), body.index, 0.0);
        }
        self.tree.refit(&mut self.workspace);
        self.pairs.clear();
        let pairs = &mut self.pairs;
        let mut found = |a, b| pairs.push((a, b));
        if all_move {
            self.tree.traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut found);
        } else {
            self.tree.traverse_bvtt_single_tree::<true>(&mut self.workspace, &mut found);
        }
        let is_contact =
            |&&(a, b): &&(u32, u32)| self.are_within(&self.poses[a as usize], &self.poses[b as usize]);
        let contacts = self.pairs.iter().filter(is_contact).count();
        self.found = Found { pairs: self.pairs.len(), contacts };
    }

    fn found(&mut self, _: &Scene) -> Found {
        self.found
    }
}
