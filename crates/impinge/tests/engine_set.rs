//! The engines that tests of pairs and volumes loop over. Here they are the library's own; `impinge-papers` runs the same tests with a module
//! of this name that has its engines, too.

use std::marker::PhantomData;

pub(crate) use impinge::query::Engine;
use impinge::query::{IntersectOptions, Intersection, Scratch, Volume, VolumeOptions};
use impinge::{Deformable, Model, Placed};

/// All engines, brute force first.
pub(crate) const ALL: [Engine; 2] = [Engine::Brute, Engine::Bvh];

/// The engines that are tried in every case, where the others are in some.
pub(crate) const ALWAYS: [Engine; 1] = [Engine::Bvh];

/// The trees over a model that are not its own: none here.
pub(crate) struct Trees<'m>(PhantomData<&'m Model>);

impl<'m> Trees<'m> {
    pub(crate) fn new(_: &'m Model) -> Trees<'m> {
        Trees(PhantomData)
    }
}

/// The memory that engines work in.
#[derive(Default)]
pub(crate) struct Memory(Scratch);

pub(crate) fn intersect(
    engine: Engine,
    [a, b]: [&Placed<'_>; 2],
    _: [&Trees<'_>; 2],
    options: IntersectOptions,
    Memory(scratch): &mut Memory,
) -> Intersection {
    a.intersect_in(b, options.engine(engine), scratch)
}

pub(crate) fn intersects(
    engine: Engine,
    [a, b]: [&Placed<'_>; 2],
    _: [&Trees<'_>; 2],
    options: IntersectOptions,
    Memory(scratch): &mut Memory,
) -> bool {
    a.intersects_in(b, options.engine(engine), scratch)
}

pub(crate) fn faces_touching(
    engine: Engine,
    placed: &Placed<'_>,
    _: &Trees<'_>,
    volume: &Volume,
    Memory(scratch): &mut Memory,
    faces: &mut Vec<u32>,
) {
    placed.faces_touching_in(volume, VolumeOptions::new().engine(engine), scratch, faces);
}

/// The trees over a deformable that are not its own, refitted as its vertices move: none here.
pub(crate) struct RefittedTrees;

impl RefittedTrees {
    pub(crate) fn new() -> RefittedTrees {
        RefittedTrees
    }

    /// Notes that vertices have moved: those in the list, or all.
    pub(crate) fn moved(&mut self, _: &Deformable, _: Option<&[u32]>) {}

    /// The answers about the deformable and another model, with or without pairs, by each tree: what [`query::intersect`] gives, and
    /// what [`query::intersects`] gives with the two exchanged.
    pub(crate) fn answers(
        &self,
        _: &Placed<'_>,
        _: &Placed<'_>,
        _: IntersectOptions,
    ) -> Vec<(&'static str, Intersection, bool)> {
        Vec::new()
    }
}
