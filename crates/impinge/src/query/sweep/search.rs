//! Finding the triangles that may meet: through the trees, or by trying all.

use super::pair::{Move, Piece, Tester};
use crate::math::{DAffine3, DMat3, DVec3};
use crate::narrow::rotate::{ArcPoint, ArcTurn};
use crate::query::surface::FacetName;
use crate::simd::Lanes;
use crate::tree::dop_tree::{
    DistanceStack, DopTree, Leaf, NearView, NearVisitor, SweptVisitor, walk_nearest, walk_swept,
};

/// Every triangle against every other.
pub(super) fn by_trying_all(tester: &mut Tester<'_, '_>) {
    let [moving, still] = [0, 1].map(|side| pieces(tester, side));
    for piece in &moving {
        for other in &still {
            tester.work.box_tests += 1;
            if tester.triangles_may_meet(piece, other) {
                tester.test([piece, other]);
            }
        }
    }
}

fn pieces(tester: &Tester<'_, '_>, side: usize) -> Vec<Piece> {
    let mesh = tester.sources[side].mesh();
    let mut pieces = Vec::with_capacity(mesh.triangle_count());
    for face in 0..mesh.face_count() as u32 {
        for number in 0..mesh.fan_count(face) as u32 {
            pieces.push(tester.piece(side, FacetName { face, piece: number }));
        }
    }
    pieces
}

/// The trees of the two models and how they get into the frame: the stationary one first, whose frame it often is.
pub(super) struct Trees<'t> {
    pub(super) trees: [&'t DopTree<6>; 2],
    pub(super) maps: [Option<DAffine3>; 2],
}

/// Through the trees.
pub(super) fn by_trees(tester: &mut Tester<'_, '_>, trees: &Trees<'_>, memory: &mut SweepMemory) {
    // A box counts where it is no farther away than the zone reaches, and than rounding may bring it.
    let reach = tester.zone.thickness + 4.0 * tester.zone.core;
    match tester.motion {
        Move::Line(velocity) => {
            let maps = [trees.maps[0].as_ref(), trees.maps[1].as_ref()];
            let horizon = tester.horizon;
            let mut visitor = LeafPairs { trees: trees.trees, tester };
            let visits =
                walk_swept(trees.trees, maps, velocity, reach, horizon, &mut memory.stack, &mut visitor);
            tester.work.box_tests += 16 * visits;
        }
        Move::Arc(turn) => {
            let travel = Travel {
                at: |r| turn_map(&turn, r),
                radius: tester.radius(&turn.centre, Some(turn.axis)),
                pace: 2.0,
            };
            travel.by_halves(tester, trees, memory, [0.0, turn.end], reach);
        }
        Move::Path(path) => {
            let radius = tester.radius(&path.centre, None);
            let speed = path.velocity.length() + path.angle * radius;
            let travel = Travel { at: |time| path.map(time), radius: speed, pace: 1.0 };
            travel.by_halves(tester, trees, memory, [0.0, 1.0], reach);
        }
    }
}

/// The memory of a search.
#[derive(Debug, Default)]
pub(in crate::query) struct SweepMemory {
    stack: DistanceStack,
    pairs: Vec<[Leaf; 2]>,
}

/// Tests the faces of pairs of leaves.
struct LeafPairs<'v, 's, 'm, 't> {
    trees: [&'t DopTree<6>; 2],
    tester: &'v mut Tester<'s, 'm>,
}

impl SweptVisitor for LeafPairs<'_, '_, '_, '_> {
    fn meet(&mut self, a: Leaf, b: Leaf) -> f64 {
        self.tester.test_faces(self.trees[1].elements(b), self.trees[0].elements(a));
        self.tester.horizon
    }
}

/// A motion that is not along a line, as trees see it.
struct Travel<F> {
    /// Where the body is at a time, in the frame.
    at: F,
    /// Times the pace and the time, how far points move at most.
    radius: f64,
    pace: f64,
}

/// As many pairs of leaves are tested at once; more of them make it worth while to look at shorter times.
const FEW: usize = 48;

/// Halving the time is of no use where points move by less than this part of a face during it.
const SHORT: f64 = 0.25;

impl<F: Fn(f64) -> DAffine3> Travel<F> {
    /// Halves the time until few leaves are near each other during it, the earlier half first.
    fn by_halves(
        &self,
        tester: &mut Tester<'_, '_>,
        trees: &Trees<'_>,
        memory: &mut SweepMemory,
        times: [f64; 2],
        reach: f64,
    ) {
        let size = |side: usize| {
            let bounds = tester.sources[side].bounds();
            let faces = tester.sources[side].mesh().face_count() as f64;
            (bounds.max - bounds.min).length() / faces.sqrt()
        };
        let short = SHORT * size(0).min(size(1)).max(reach);
        self.search(tester, trees, memory, times, reach, short);
    }

    fn search(
        &self,
        tester: &mut Tester<'_, '_>,
        trees: &Trees<'_>,
        memory: &mut SweepMemory,
        [from, to]: [f64; 2],
        reach: f64,
        short: f64,
    ) {
        if from > tester.horizon {
            return;
        }
        let to = to.min(tester.horizon);
        let middle = from + (to - from) / 2.0;
        let half = self.pace * self.radius * ((to - from) / 2.0) * (1.0 + 1e-9);
        let moved = match &trees.maps[1] {
            None => (self.at)(middle),
            Some(map) => (self.at)(middle) * *map,
        };
        let error = 16.0 * tester.zone.core;
        let view = NearView::new(trees.trees, [trees.maps[0].as_ref(), Some(&moved)], error);
        let most = if half > short { FEW } else { usize::MAX };
        memory.pairs.clear();
        let mut visitor = Gather { pairs: &mut memory.pairs, most, distance: half + reach };
        let counts = walk_nearest(trees.trees, &view, half + reach, &mut memory.stack, &mut visitor);
        tester.work.box_tests += 16 * counts.visits;
        if memory.pairs.len() <= most {
            for i in 0..memory.pairs.len() {
                let [still, moving] = memory.pairs[i];
                tester.window = [from, to];
                tester.test_faces(trees.trees[1].elements(moving), trees.trees[0].elements(still));
            }
            return;
        }
        self.search(tester, trees, memory, [from, middle], reach, short);
        self.search(tester, trees, memory, [middle, to], reach, short);
    }
}

/// Gathers pairs of leaves, until there are too many.
struct Gather<'g> {
    pairs: &'g mut Vec<[Leaf; 2]>,
    most: usize,
    distance: f64,
}

impl NearVisitor for Gather<'_> {
    fn meet<L: Lanes>(&mut self, a: Leaf, b: Leaf) -> f64 {
        self.pairs.push([a, b]);
        if self.pairs.len() > self.most { -1.0 } else { self.distance }
    }
}

/// Where a turn has taken the frame at r.
fn turn_map(turn: &ArcTurn, r: f64) -> DAffine3 {
    let arm = |point: DVec3| ArcPoint::new(&ArcTurn { centre: DVec3::ZERO, ..*turn }, point).at(r);
    let matrix3 = DMat3::from_cols(arm(DVec3::X), arm(DVec3::Y), arm(DVec3::Z));
    DAffine3 { matrix3, translation: turn.centre - matrix3 * turn.centre }
}
