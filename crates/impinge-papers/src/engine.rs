//! All engines under one name each, the library's two and those of the papers, for comparisons and for the command.

use std::sync::OnceLock;

use impinge::query::{self, IntersectOptions, Intersection, Scratch, Stats, Volume, VolumeOptions};
use impinge::{Model, Placed};

use crate::blow::{BspEngine, BspEngineMemory};
use crate::zachmann::{DopEngine, ObbEngine, ObbMemory};

/// The engine by which a pair query finds the faces that intersect. All engines give the same verdicts and pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Engine {
    /// Brute force: every face against every face.
    Brute,
    /// BVHs of boxes: the library's own.
    Dop6,
    /// BVHs of octahedra (Zachmann 1998).
    Dop8,
    /// BVHs of boxes with their corners cut (Zachmann 1998).
    Dop14,
    /// BVHs of boxes with their edges cut.
    Dop18,
    /// BVHs of boxes with corners and edges cut.
    Dop26,
    /// Solid BSP trees of the planes of the faces (Blow 1997). For pairs; queries on a single model take the BVHs of boxes.
    Bsp,
    /// BVHs of oriented boxes, which Zachmann 1998 measures against. For pairs; queries on a single model take the BVHs of boxes.
    Obb,
}

impl Engine {
    /// All engines, brute force first.
    pub const ALL: [Engine; 8] = [
        Engine::Brute,
        Engine::Dop6,
        Engine::Dop8,
        Engine::Dop14,
        Engine::Dop18,
        Engine::Dop26,
        Engine::Bsp,
        Engine::Obb,
    ];
}

/// The trees of the papers' engines over one model, each made when it is first used. They are of no use for another model.
#[derive(Debug)]
pub struct EngineTrees<'m> {
    model: &'m Model,
    dop8: DopEngine<8>,
    dop14: DopEngine<14>,
    dop18: DopEngine<18>,
    dop26: DopEngine<26>,
    bsp: OnceLock<BspEngine>,
    obb: OnceLock<ObbEngine>,
}

/// The memory that queries by any engine work in.
#[derive(Debug, Default)]
pub struct EngineScratch {
    scratch: Scratch,
    bsp: BspEngineMemory,
    obb: ObbMemory,
}

impl<'m> EngineTrees<'m> {
    /// No tree yet for a model.
    pub fn new(model: &'m Model) -> EngineTrees<'m> {
        EngineTrees {
            model,
            dop8: DopEngine::default(),
            dop14: DopEngine::default(),
            dop18: DopEngine::default(),
            dop26: DopEngine::default(),
            bsp: OnceLock::new(),
            obb: OnceLock::new(),
        }
    }

    /// The tree of planes of the faces.
    pub fn bsp(&self) -> &BspEngine {
        self.bsp.get_or_init(|| BspEngine::new(self.model))
    }

    /// The tree of oriented boxes.
    pub fn obb(&self) -> &ObbEngine {
        self.obb.get_or_init(|| ObbEngine::new(self.model))
    }

    fn check(&self, placed: &Placed<'_>) {
        assert!(std::ptr::eq(self.model, placed.model()), "trees of another model");
    }
}

impl Engine {
    /// The pair query by this engine, with the trees of the two models; see [`Placed::intersect`](impinge::Placed::intersect).
    ///
    /// # Panics
    ///
    /// Where the trees are not those of the placed models.
    pub fn intersect(
        self,
        placed: [&Placed<'_>; 2],
        trees: [&EngineTrees<'_>; 2],
        options: IntersectOptions,
        scratch: &mut EngineScratch,
    ) -> Intersection {
        let ([a, b], [of_a, of_b]) = (placed, trees);
        of_a.check(a);
        of_b.check(b);
        let own = |engine| options.engine(engine);
        let EngineScratch { scratch, bsp, obb } = scratch;
        match self {
            Engine::Brute => a.intersect_in(b, own(query::Engine::Brute), scratch),
            Engine::Dop6 => a.intersect_in(b, own(query::Engine::Bvh), scratch),
            Engine::Dop8 => DopEngine::intersect([&of_a.dop8, &of_b.dop8], placed, options, scratch),
            Engine::Dop14 => DopEngine::intersect([&of_a.dop14, &of_b.dop14], placed, options, scratch),
            Engine::Dop18 => DopEngine::intersect([&of_a.dop18, &of_b.dop18], placed, options, scratch),
            Engine::Dop26 => DopEngine::intersect([&of_a.dop26, &of_b.dop26], placed, options, scratch),
            Engine::Bsp => BspEngine::intersect([of_a.bsp(), of_b.bsp()], placed, options, bsp),
            Engine::Obb => ObbEngine::intersect([of_a.obb(), of_b.obb()], placed, options, obb),
        }
    }

    /// Whether two models intersect, by this engine; see [`Placed::intersects`](impinge::Placed::intersects).
    ///
    /// # Panics
    ///
    /// Where the trees are not those of the placed models.
    pub fn intersects(
        self,
        placed: [&Placed<'_>; 2],
        trees: [&EngineTrees<'_>; 2],
        options: IntersectOptions,
        scratch: &mut EngineScratch,
    ) -> bool {
        let ([a, b], [of_a, of_b]) = (placed, trees);
        of_a.check(a);
        of_b.check(b);
        let own = |engine| options.engine(engine);
        let EngineScratch { scratch, bsp, obb } = scratch;
        match self {
            Engine::Brute => a.intersects_in(b, own(query::Engine::Brute), scratch),
            Engine::Dop6 => a.intersects_in(b, own(query::Engine::Bvh), scratch),
            Engine::Dop8 => DopEngine::intersects([&of_a.dop8, &of_b.dop8], placed, options, scratch).0,
            Engine::Dop14 => DopEngine::intersects([&of_a.dop14, &of_b.dop14], placed, options, scratch).0,
            Engine::Dop18 => DopEngine::intersects([&of_a.dop18, &of_b.dop18], placed, options, scratch).0,
            Engine::Dop26 => DopEngine::intersects([&of_a.dop26, &of_b.dop26], placed, options, scratch).0,
            Engine::Bsp => BspEngine::intersects([of_a.bsp(), of_b.bsp()], placed, options, bsp).0,
            Engine::Obb => ObbEngine::intersects([of_a.obb(), of_b.obb()], placed, options, obb).0,
        }
    }

    /// The faces that touch a volume, by the user's indices, sorted, into `faces`; see [`Placed::faces_touching_in`](impinge::Placed::faces_touching_in).
    ///
    /// # Panics
    ///
    /// Where the trees are not those of the placed model.
    pub fn faces_touching(
        self,
        placed: &Placed<'_>,
        trees: &EngineTrees<'_>,
        volume: &Volume,
        scratch: &mut EngineScratch,
        faces: &mut Vec<u32>,
    ) -> Stats {
        trees.check(placed);
        let scratch = &mut scratch.scratch;
        match self {
            Engine::Brute => placed.faces_touching_in(
                volume,
                VolumeOptions::new().engine(query::Engine::Brute),
                scratch,
                faces,
            ),
            Engine::Dop6 | Engine::Bsp | Engine::Obb => placed.faces_touching_in(
                volume,
                VolumeOptions::new().engine(query::Engine::Bvh),
                scratch,
                faces,
            ),
            Engine::Dop8 => trees.dop8.faces_touching(placed, volume, scratch, faces),
            Engine::Dop14 => trees.dop14.faces_touching(placed, volume, scratch, faces),
            Engine::Dop18 => trees.dop18.faces_touching(placed, volume, scratch, faces),
            Engine::Dop26 => trees.dop26.faces_touching(placed, volume, scratch, faces),
        }
    }
}
