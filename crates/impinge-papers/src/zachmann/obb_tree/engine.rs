//! The engine of OBB-trees: intersecting facets of two models, found by opening the larger of two boxes.

use std::ops::ControlFlow;

use impinge::math::DVec3;
use impinge::query::experiments::{
    FacetMeeting, FacetName, FramedPair, PairTree, intersect_by, intersects_by,
};
use impinge::query::{IntersectOptions, Intersection, Stats};
use impinge::{Model, Placed};
use impinge_core::bvh::Goal;
use impinge_core::narrow::tri_tri::{Facet, Fan, triangles_meet};

use super::ObbTree;
use super::overlap::{MappedBox, TreeMap};

/// The OBB-tree over the faces of one model, beside it. Where faces move it is built anew.
///
/// ```
/// use impinge::query::IntersectOptions;
/// use impinge::{Model, Trs, Verdict, shapes};
/// use impinge_papers::zachmann::{ObbEngine, ObbMemory};
///
/// let cube = Model::new(shapes::cuboid([-1.0; 3], [1.0; 3])?);
/// let engine = ObbEngine::new(&cube);
/// let (a, b) = (cube.at(Trs::IDENTITY), cube.at(Trs::translation([2.0, 0.0, 0.0])?));
/// let memory = &mut ObbMemory::default();
/// let found = ObbEngine::intersect([&engine; 2], [&a, &b], IntersectOptions::default(), memory);
/// assert_eq!(found.verdict, Verdict::Touching);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ObbEngine {
    tree: ObbTree,
}

impl ObbEngine {
    /// An engine for a model.
    pub fn new(model: &Model) -> ObbEngine {
        ObbEngine { tree: ObbTree::build(model.mesh()) }
    }

    /// The tree of oriented boxes.
    pub fn tree(&self) -> &ObbTree {
        &self.tree
    }

    /// The pair query by the trees of the two models; the engine of `options` does not count.
    pub fn intersect(
        engines: [&ObbEngine; 2],
        placed: [&Placed<'_>; 2],
        options: IntersectOptions,
        memory: &mut ObbMemory,
    ) -> Intersection {
        intersect_by(placed, engines.map(ObbEngine::tree), options, memory)
    }

    /// Whether two models intersect by their trees, and how much work it took; see [`Placed::intersects`](impinge::Placed::intersects).
    pub fn intersects(
        engines: [&ObbEngine; 2],
        placed: [&Placed<'_>; 2],
        options: IntersectOptions,
        memory: &mut ObbMemory,
    ) -> (bool, Stats) {
        intersects_by(placed, engines.map(ObbEngine::tree), options, memory)
    }
}

/// The memory of the search through oriented boxes.
#[derive(Debug, Default)]
pub struct ObbMemory {
    corners: Vec<DVec3>,
    fans: [Fan; 2],
    /// The guest's face whose fan is at hand.
    placed: Option<u32>,
}

impl PairTree for ObbTree {
    type Memory = ObbMemory;

    fn for_each_meeting(
        trees: [&ObbTree; 2],
        pair: &FramedPair<'_, '_>,
        _: Goal<'_>,
        memory: &mut ObbMemory,
        meet: impl FnMut(&FacetMeeting) -> ControlFlow<()>,
    ) -> Stats {
        let map = TreeMap::new(trees[0].frame, trees[1].frame, pair.maps);
        // Lengths along an edge of a mapped box are about so many times as long.
        let enlarged =
            trees[0].frame.scale / trees[1].frame.scale * pair.maps.host_from_guest.matrix3.x_axis.length();
        let mut search = Search { trees, pair, map, enlarged, memory, stats: Stats::default(), meet };
        search.memory.placed = None;
        if trees.iter().all(|tree| !tree.nodes.is_empty()) {
            let root = search.map.image(&trees[1].nodes[0].bounds);
            // Broken off or not, the counts are the same.
            let _ = search.open([0, 0], &root);
        }
        search.stats
    }
}

/// A search through two trees, the host's first.
struct Search<'s, 'p, 'm, F> {
    trees: [&'s ObbTree; 2],
    pair: &'s FramedPair<'p, 'm>,
    map: TreeMap,
    enlarged: f64,
    memory: &'s mut ObbMemory,
    stats: Stats,
    meet: F,
}

impl<F: FnMut(&FacetMeeting) -> ControlFlow<()>> Search<'_, '_, '_, F> {
    /// Compares two boxes and, if they are not apart, opens the larger one. The depth of the trees bounds that of the recursion.
    fn open(&mut self, numbers: [u32; 2], image: &MappedBox) -> ControlFlow<()> {
        let [host, guest] = [0, 1].map(|side| &self.trees[side].nodes[numbers[side] as usize]);
        self.stats.box_tests += 1;
        if self.map.are_apart(&host.bounds, image) {
            return ControlFlow::Continue(());
        }
        self.stats.visits += 1;
        match [host.face(), guest.face()] {
            [Some(first), Some(second)] => self.test([first, second]),
            [face, other]
                if face.is_none() && (other.is_some() || host.size() > guest.size() * self.enlarged) =>
            {
                host.children().into_iter().try_for_each(|child| self.open([child, numbers[1]], image))
            }
            _ => guest.children().into_iter().try_for_each(|child| {
                let image = self.map.image(&self.trees[1].nodes[child as usize].bounds);
                self.open([numbers[0], child], &image)
            }),
        }
    }

    /// Tests all facets of two faces.
    fn test(&mut self, faces: [u32; 2]) -> ControlFlow<()> {
        let ObbMemory { corners, fans, placed } = &mut *self.memory;
        self.pair.sources[0].fan(faces[0], corners, &mut fans[0]);
        if *placed != Some(faces[1]) {
            self.pair.sources[1].fan(faces[1], corners, &mut fans[1]);
            self.stats.placed_vertices += corners.len() as u64;
            *placed = Some(faces[1]);
        }
        let named = |side: usize| {
            let name = move |(piece, facet): (u32, &Facet)| (FacetName { face: faces[side], piece }, *facet);
            (0..).zip(fans[side].facets()).map(name)
        };
        for (host_name, host) in named(0) {
            for (guest_name, guest) in named(1) {
                self.stats.face_tests += 1;
                if let Some(kind) = triangles_meet(&host, &guest) {
                    (self.meet)(&FacetMeeting {
                        names: [host_name, guest_name],
                        facets: [host, guest],
                        kind,
                    })?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}
