//! An engine that is chosen when the program runs.

use super::{Boxes, Brute, Engine, Grid, Pair, Segment, SweepAndPrune, Tree};
use impinge_core::bounds::Aabb;

/// The engines there are. All find the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EngineKind {
    /// [`Tree`]
    #[default]
    Tree,
    /// [`SweepAndPrune`]
    SweepAndPrune,
    /// [`Grid::columns`]
    Columns,
    /// [`Grid::cells`]
    Cells,
    /// [`Brute`]
    Brute,
}

impl EngineKind {
    /// All of them.
    pub const ALL: [EngineKind; 5] = [
        EngineKind::Tree,
        EngineKind::SweepAndPrune,
        EngineKind::Columns,
        EngineKind::Cells,
        EngineKind::Brute,
    ];
}

/// One of the engines.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[allow(missing_docs, reason = "each is the engine of that name")]
pub enum AnyEngine {
    Tree(Tree),
    SweepAndPrune(Box<SweepAndPrune>),
    Grid(Grid),
    Brute(Brute),
}

impl AnyEngine {
    /// An engine of this kind.
    pub fn new(kind: EngineKind) -> AnyEngine {
        match kind {
            EngineKind::Tree => AnyEngine::Tree(Tree::default()),
            EngineKind::SweepAndPrune => AnyEngine::SweepAndPrune(Box::default()),
            EngineKind::Columns => AnyEngine::Grid(Grid::columns()),
            EngineKind::Cells => AnyEngine::Grid(Grid::cells()),
            EngineKind::Brute => AnyEngine::Brute(Brute),
        }
    }

    fn engine(&self) -> &dyn Engine {
        match self {
            AnyEngine::Tree(engine) => engine,
            AnyEngine::SweepAndPrune(engine) => &**engine,
            AnyEngine::Grid(engine) => engine,
            AnyEngine::Brute(engine) => engine,
        }
    }
}

impl Engine for AnyEngine {
    fn find(&mut self, boxes: &Boxes, found: &mut Vec<Pair>) {
        match self {
            AnyEngine::Tree(engine) => engine.find(boxes, found),
            AnyEngine::SweepAndPrune(engine) => engine.find(boxes, found),
            AnyEngine::Grid(engine) => engine.find(boxes, found),
            AnyEngine::Brute(engine) => engine.find(boxes, found),
        }
    }

    fn near_box(&self, boxes: &Boxes, bounds: &Aabb, visit: &mut dyn FnMut(u32)) {
        self.engine().near_box(boxes, bounds, visit);
    }

    fn near_segment(&self, boxes: &Boxes, segment: &Segment, visit: &mut dyn FnMut(u32)) {
        self.engine().near_segment(boxes, segment, visit);
    }
}
