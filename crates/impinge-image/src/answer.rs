//! What was found.

use impinge::glam::DVec3;
use impinge::{Placed, Verdict};

use crate::Layer;

/// An edge of one object inside of another.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Interference {
    /// The object whose edges are inside.
    pub penetrating: u32,
    /// The object that they are inside of.
    pub penetrated: u32,
    /// Which edges were seen inside, ascending: numbers as [`Scene::edge`](crate::Scene::edge) takes them.
    pub edges: Vec<u32>,
    /// Where: a place for each pixel, no farther than [`precision`](Self::precision) from the edge.
    pub points: Vec<DVec3>,
    /// A length, as [`Answer::precision`] for these edges. It is larger than that where only objects were asked for, and this pair was
    /// known to interfere before it was looked at closely.
    pub precision: f64,
}

/// How much was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Work {
    /// Images looked at, tiles included.
    pub looks: u32,
    /// Of these, tiles.
    pub tiles: u32,
    /// Pairs that a coarse look found clear.
    pub rejected: u32,
    /// Layers of edges, over all looks; all that a graphics device looks at together are one.
    pub layers: u32,
    /// How often something was drawn.
    pub passes: u32,
    /// Bytes read back from a graphics device.
    pub bytes_read: u64,
}

/// What was found in a scene.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Answer {
    /// Whether any edge is inside of another object.
    pub interferes: bool,
    /// Which, sorted by the two objects; only with [`Detail::Pairs`](crate::Detail::Pairs).
    pub interferences: Vec<Interference>,
    /// The objects with an edge inside of another, ascending; not with [`Detail::Any`](crate::Detail::Any).
    pub penetrating: Vec<u32>,
    /// The objects with an edge of another inside, ascending; not with [`Detail::Any`](crate::Detail::Any).
    pub penetrated: Vec<u32>,
    /// A length. An edge that reaches deeper than this into another object is found; what is farther than this from an object
    /// is never said to be inside of it. Holds where [`complete`](Self::complete) is true. Where less than
    /// [`Detail::Pairs`](crate::Detail::Pairs) is asked for, it is about objects, and each interference has its own for edges.
    pub precision: f64,
    /// Whether all edges were looked at. Not so where there were more layers than [`layers`](crate::Options::layers), or where
    /// looking ended at the first that was found.
    pub complete: bool,
    /// Whether somewhere more sides were left than entered: some solid is inside out, or its vertices do not close it.
    pub not_closed: bool,
    /// How much was done.
    pub work: Work,
    /// For each view its layers, where they were asked for.
    pub pictures: Vec<Vec<Layer>>,
}

impl Answer {
    /// The pairs of objects that interfere, the lesser first, sorted.
    pub fn pairs(&self) -> Vec<[u32; 2]> {
        let ordered = |found: &Interference| {
            [found.penetrating.min(found.penetrated), found.penetrating.max(found.penetrated)]
        };
        let mut pairs: Vec<[u32; 2]> = self.interferences.iter().map(ordered).collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// Keeps only what the exact test finds overlapping or inside as well: the image proposes, the exact test decides. `objects` are
    /// those of the scene, in its order; what is found for objects that are not among them is kept.
    pub fn confirm(&mut self, objects: &[Placed<'_>]) {
        let meets = |pair: &[u32; 2]| match pair.map(|object| objects.get(object as usize)) {
            [Some(a), Some(b)] => matches!(a.verdict(b), Verdict::Overlapping | Verdict::Inside(_)),
            _ => true,
        };
        let kept: Vec<[u32; 2]> = self.pairs().into_iter().filter(meets).collect();
        self.interferences.retain(|found| {
            let (a, b) = (found.penetrating, found.penetrated);
            kept.binary_search(&[a.min(b), a.max(b)]).is_ok()
        });
        self.interferes = !self.interferences.is_empty();
        self.name_objects();
    }

    pub(crate) fn name_objects(&mut self) {
        self.penetrating = self.interferences.iter().map(|found| found.penetrating).collect();
        self.penetrated = self.interferences.iter().map(|found| found.penetrated).collect();
        tidy(&mut self.penetrating);
        tidy(&mut self.penetrated);
    }
}

pub(crate) fn tidy(list: &mut Vec<u32>) {
    list.sort_unstable();
    list.dedup();
}
