//! Options and results of contact queries.

use crate::mesh::MaterialSet;
use crate::model::Feature;
use crate::options::options;
use crate::query::verdict::Engine;
use impinge_core::math::{DVec3, opposite};

options! {
    /// Options of a contact query.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct ContactOptions {
        /// The largest distance of a contact, in the world; 0 for what touches.
        pub within: f64 = 0.0,
        /// The greatest depth, in the world, to which models that overlap have contacts of negative distance; at 0 they have only those of features
        /// that touch or nearly touch.
        pub depth: f64 = f64::INFINITY,
        /// Materials whose faces are not there, of both models.
        pub ignored_materials: MaterialSet = MaterialSet::NONE,
        /// The engine that finds the faces: brute force, or trees.
        pub engine: Engine = Engine::Bvh,
    }
}

/// A place where two placed models touch or nearly touch: `point_on_b - point_on_a = distance * normal`.
#[doc(alias = "contact point")]
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Contact {
    /// The point of the first model, in the world.
    pub point_on_a: DVec3,
    /// The point of the second model, in the world.
    pub point_on_b: DVec3,
    /// The unit normal from the first to the second, in the world; of length 1, also at distance 0.
    pub normal: DVec3,
    /// The distance of the two points, in the world; below 0 only for models that overlap.
    pub distance: f64,
    /// The feature that the first point lies on. Vertices at one position go by the least of them, edges by their least face.
    pub feature_a: Feature,
    /// The feature that the second point lies on.
    pub feature_b: Feature,
    /// The material of the first model there: of an edge or a vertex, that of its least face.
    #[cfg_attr(feature = "serde", serde(default))]
    pub material_a: u32,
    /// The material of the second model there.
    #[cfg_attr(feature = "serde", serde(default))]
    pub material_b: u32,
}

impl Contact {
    /// The contact with the two models exchanged.
    #[must_use]
    pub fn flipped(self) -> Contact {
        Contact {
            point_on_a: self.point_on_b,
            point_on_b: self.point_on_a,
            normal: opposite(self.normal),
            distance: self.distance,
            feature_a: self.feature_b,
            feature_b: self.feature_a,
            material_a: self.material_b,
            material_b: self.material_a,
        }
    }

    /// The unit normal of the second model's surface, towards the first: the opposite of [`normal`](field@Self::normal).
    pub fn surface_normal(&self) -> DVec3 {
        opposite(self.normal)
    }

    /// The name of the contact: the same for as long as the same features are in contact, however the models move.
    /// No two contacts of a pair share one.
    pub fn id(&self) -> ContactId {
        ContactId([key(self.feature_a), key(self.feature_b)])
    }
}

/// The name of a contact of two models, made from its features.
///
/// Physics engines keep what they learn of a contact, such as its impulse, under this name from step to step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct ContactId([(u8, u32, u32); 2]);

impl ContactId {
    /// The name of the same contact with the two models exchanged.
    #[must_use]
    pub fn flipped(self) -> ContactId {
        ContactId([self.0[1], self.0[0]])
    }
}

/// Vertices before edges before faces, by their indices.
fn key(feature: Feature) -> (u8, u32, u32) {
    match feature {
        Feature::Vertex(vertex) => (0, vertex, 0),
        // The face follows from the vertices.
        Feature::Edge { vertices: [i, j], .. } => (1, i, j),
        Feature::Face(face) => (2, face, 0),
    }
}
