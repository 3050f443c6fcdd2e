//! What one look at a scene draws, and what it sees: the passes are the same on the processor and on a graphics device.

use std::ops::Range;

use impinge::glam::DVec3;
use impinge::{Mesh, Model, Placement};

use crate::scene::{Scene, Shape};
use crate::view::{Frame, View};

/// How an edge is kept from being found inside of its own solid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Own {
    /// Faces of an edge's own object are not counted for it. Nothing is moved, so this brings no error.
    #[default]
    Ignored,
    /// As in the paper (§6.3): edges are moved outwards along the normals of their vertices, by so many pixels, and all faces
    /// count where only yes or no is wanted ([`Detail::Any`]); otherwise own faces are not counted either.
    Offset {
        /// In pixels, at least 0.
        pixels: f64,
    },
}

/// How much is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// Whether anything interferes. No image is read back, and looking ends where something is found.
    Any,
    /// Which objects have an edge inside of another, and which have an edge of another inside. No image is read back: with limited
    /// layers occlusion queries tell, otherwise a list of what was found.
    Objects,
    /// Which pairs, which edges and where.
    #[default]
    Pairs,
}

/// An object as it is drawn.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    pub(crate) object: u32,
    pub(crate) shape: usize,
    pub(crate) placement: Placement,
}

/// What one look draws.
#[derive(Clone, Debug)]
pub(crate) struct Draw<'s> {
    pub(crate) shapes: &'s [Shape],
    pub(crate) view: View,
    /// Whose edges are drawn, by ascending shape.
    pub(crate) edges: &'s [Instance],
    /// Whose faces are counted, by ascending shape.
    pub(crate) faces: &'s [Instance],
    /// Edges are drawn only where no other of these frames sees them better.
    pub(crate) others: &'s [Frame],
    pub(crate) own: Own,
    /// So many layers of edges, one behind the other, at most.
    pub(crate) layers: u32,
    pub(crate) detail: Detail,
    /// Whether pictures of the layers are wanted.
    pub(crate) pictures: bool,
}

/// A pixel where an edge was found inside of something.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sample {
    pub(crate) pixel: [u32; 2],
    pub(crate) layer: u32,
    pub(crate) depth: f64,
    pub(crate) object: u32,
    pub(crate) edge: u32,
    /// The solids that it is inside of: a range of [`Seen::inside`].
    pub(crate) inside: Range<usize>,
}

/// An image of one layer of edges.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layer {
    /// Pixels a side.
    pub side: u32,
    /// The object and the edge that a pixel shows, where it shows one.
    pub edges: Vec<Option<(u32, u32)>>,
    /// How deep the edge lies, from 0 to 1; 1 where there is none.
    pub depths: Vec<f32>,
    /// How many more fronts than backs of other solids lie before the edge; 0 where there is none.
    pub counts: Vec<i32>,
}

/// What one look has seen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) any: bool,
    /// Whether some count was negative.
    pub(crate) negative: bool,
    /// How many layers were looked at, and whether none is left.
    pub(crate) layers: u32,
    pub(crate) complete: bool,
    /// By layer and place; only with [`Detail::Pairs`].
    pub(crate) samples: Vec<Sample>,
    pub(crate) inside: Vec<u32>,
    /// The objects with edges inside of others, and those with edges of others inside; only with [`Detail::Objects`].
    pub(crate) penetrating: Vec<u32>,
    pub(crate) penetrated: Vec<u32>,
    pub(crate) pictures: Vec<Layer>,
    /// Bytes that were read back from a device.
    pub(crate) bytes_read: u64,
    /// How often something was drawn.
    pub(crate) passes: u32,
}

impl Seen {
    /// Whose edges are inside of others, and who has edges inside; the samples are forgotten.
    pub(crate) fn name_objects(&mut self) {
        for sample in &self.samples {
            self.penetrating.push(sample.object);
            self.penetrated.extend(&self.inside[sample.inside.clone()]);
        }
        for list in [&mut self.penetrating, &mut self.penetrated] {
            list.sort_unstable();
            list.dedup();
        }
        self.samples.clear();
        self.inside.clear();
    }
}

impl Draw<'_> {
    /// Whether an edge that runs along `way` (in pixels, to the right, down, and away) is to be drawn in this view. Where
    /// another view sees it as well to within rounding, both draw it.
    pub(crate) fn is_best_for(&self, way: DVec3, others: &[DVec3]) -> bool {
        others.iter().all(|other| way.z.abs() <= way.dot(*other).abs() * BEST_SLACK + BEST_FLOOR)
    }

    /// Only where nothing but yes or no is wanted do own faces count for edges that were moved away from them.
    pub(crate) fn ignores_own(&self) -> bool {
        self.own == Own::Ignored || self.detail != Detail::Any
    }

    pub(crate) fn others_seen(&self) -> Vec<DVec3> {
        self.others.iter().map(|frame| self.view.seen_from_here(frame)).collect()
    }
}

/// How much steeper than in another view an edge may be and still be drawn, as a factor and in pixels: more than what
/// rounding to `f32` can make of either, so that no edge is left to the other view by both.
pub(crate) const BEST_SLACK: f64 = 1.001;
pub(crate) const BEST_FLOOR: f64 = 0.01;

/// All objects of a scene, as they are.
pub(crate) fn instances(scene: &Scene, chosen: impl IntoIterator<Item = u32>) -> Vec<Instance> {
    let mut list: Vec<Instance> = chosen
        .into_iter()
        .map(|object| {
            let known = &scene.objects[object as usize];
            Instance { object, shape: known.shape, placement: known.placement }
        })
        .collect();
    list.sort_by_key(|instance| (instance.shape, instance.object));
    list
}

/// A box as a shape without edges, for coarse looks: two units a side around the origin.
pub(crate) fn unit_box() -> Option<Shape> {
    // A corner is at 1 in x, y, z where bit 0, 1, 2 of its number is set; sides are counter-clockwise seen from outside.
    let sides = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let end = |corner: i32, axis: i32| f64::from((corner >> axis & 1) * 2 - 1);
    let corners = (0..8).map(|corner| [0, 1, 2].map(|axis| end(corner, axis)));
    let triangles = sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let mesh = Mesh::triangles(corners, triangles).ok()?;
    let mut scene = Scene::new();
    scene.add_shape(&Model::new(mesh));
    scene.shapes.pop()
}
