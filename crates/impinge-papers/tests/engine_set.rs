//! The engines that tests of pairs and volumes loop over: those of the papers beside the library's. The tests are the library's own.

pub(crate) use impinge_papers::engine::{Engine, EngineScratch as Memory, EngineTrees as Trees};

use impinge::query::{IntersectOptions, Intersection, Scratch, Volume};
use impinge::{Deformable, Placed};
use impinge_papers::zachmann::DopEngine;

/// All engines, brute force first.
pub(crate) const ALL: [Engine; 8] = Engine::ALL;

/// The engines that are tried in every case, where the others are in some.
pub(crate) const ALWAYS: [Engine; 3] = [Engine::Dop6, Engine::Bsp, Engine::Obb];

pub(crate) fn intersect(
    engine: Engine,
    placed: [&Placed<'_>; 2],
    trees: [&Trees<'_>; 2],
    options: IntersectOptions,
    memory: &mut Memory,
) -> Intersection {
    engine.intersect(placed, trees, options, memory)
}

pub(crate) fn intersects(
    engine: Engine,
    placed: [&Placed<'_>; 2],
    trees: [&Trees<'_>; 2],
    options: IntersectOptions,
    memory: &mut Memory,
) -> bool {
    engine.intersects(placed, trees, options, memory)
}

pub(crate) fn faces_touching(
    engine: Engine,
    placed: &Placed<'_>,
    trees: &Trees<'_>,
    volume: &Volume,
    memory: &mut Memory,
    faces: &mut Vec<u32>,
) {
    engine.faces_touching(placed, trees, volume, memory, faces);
}

/// The trees of octahedra and of 14 directions over a deformable, refitted as its vertices move.
pub(crate) struct RefittedTrees {
    eight: DopEngine<8>,
    fourteen: DopEngine<14>,
}

impl RefittedTrees {
    pub(crate) fn new() -> RefittedTrees {
        RefittedTrees { eight: DopEngine::default(), fourteen: DopEngine::default() }
    }

    /// Notes that vertices have moved: those in the list, or all.
    pub(crate) fn moved(&mut self, deformable: &Deformable, vertices: Option<&[u32]>) {
        let model = deformable.model();
        let faces: Option<Vec<u32>> = vertices.map(|vertices| {
            let is_moved = |face: &u32| model.mesh().corners(*face).any(|vertex| vertices.contains(&vertex));
            (0..model.mesh().face_count() as u32).filter(is_moved).collect()
        });
        self.eight.faces_moved(model, faces.as_deref());
        self.fourteen.faces_moved(model, faces.as_deref());
    }

    /// The answers about the deformable and another model, by each tree: what [`Placed::intersect`](impinge::Placed::intersect) gives, and what
    /// [`Placed::intersects`](impinge::Placed::intersects) gives with the two exchanged.
    pub(crate) fn answers(
        &self,
        moved: &Placed<'_>,
        other: &Placed<'_>,
        options: IntersectOptions,
    ) -> Vec<(&'static str, Intersection, bool)> {
        let answers =
            (by_tree(&self.eight, moved, other, options), by_tree(&self.fourteen, moved, other, options));
        vec![("8", answers.0.0, answers.0.1), ("14", answers.1.0, answers.1.1)]
    }
}

fn by_tree<const K: usize>(
    engine: &DopEngine<K>,
    moved: &Placed<'_>,
    other: &Placed<'_>,
    options: IntersectOptions,
) -> (Intersection, bool) {
    let (of_other, scratch) = (DopEngine::new(other.model()), &mut Scratch::default());
    let found = DopEngine::intersect([engine, &of_other], [moved, other], options, scratch);
    let (met, _) = DopEngine::intersects([&of_other, engine], [other, moved], options, scratch);
    (found, met)
}
