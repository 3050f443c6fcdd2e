//! Scenes of many parts, and what is planted among them.

use crate::Polyhedron;
use glam::DAffine3;

/// A part of a scene: a named mesh and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The name of the part.
    pub name: String,
    /// The mesh of the part, as an index into the scene's meshes.
    pub mesh: usize,
    /// The placement of the part.
    pub world_from_mesh: DAffine3,
}

/// The kind of a planted clash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum PlantedKind {
    /// Both parts have the same faces at the same place.
    Duplicate,
    /// The interiors of both parts overlap.
    Overlapping,
    /// The first part lies inside of the second.
    FirstInside,
    /// The second part lies inside of the first.
    SecondInside,
    /// The parts touch without overlapping.
    Touching,
    /// The parts are apart by no more than the scene's clearance.
    Near,
}

/// Two parts that clash, because the scene was made so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Planted {
    /// The first part, as an index into the scene's parts.
    pub first: usize,
    /// The second part, whose index is greater.
    pub second: usize,
    /// The kind of the clash.
    pub kind: PlantedKind,
}

/// Parts, and what is planted among them: what a search for clashes must find, and nothing else.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The meshes that parts refer to, each once.
    pub meshes: Vec<Polyhedron>,
    /// The parts, as they stand.
    pub parts: Vec<Part>,
    /// The pairs of parts that clash, sorted.
    pub planted: Vec<Planted>,
    /// The distance within which parts count as near; all that are not planted are farther apart.
    pub clearance: f64,
}

impl Scene {
    pub(crate) fn new(clearance: f64) -> Scene {
        Scene { meshes: Vec::new(), parts: Vec::new(), planted: Vec::new(), clearance }
    }
}
