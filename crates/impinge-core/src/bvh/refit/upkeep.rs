//! The refit policy: keeps a tree good while its elements move.
//!
//! A refit keeps bounds right, but not tight: elements that were neighbors when the tree was built may have parted. How
//! bad that is shows in the surface of all bounds as a multiple of the surface of the whole, which is what a traversal pays
//! for. Pieces that have become too bad are built anew, or the whole tree where the pieces themselves have mixed.

use super::super::fit::Frame;
use super::super::quantize::Row;
use super::super::steps::STEPS;
use super::super::{Build, Corners, DopTree};
use super::order::{InOrder, SortedTriangles};
use super::partial::Links;
use super::pieces::Pieces;
use super::{half_area, surface};
use crate::bounds::Aabb;

/// How much worse than when it was built a piece or a tree may become.
const LIMIT: f64 = 1.5;

/// After so many refits without a build, a tree is also built anew if it is that much worse than it ever was: it may have
/// been built when its elements were in disorder. Each time that this is of no use, the next trial waits twice as long.
const PATIENCE: u32 = 4;

/// Half the surface, in steps, of what is too small to be judged: its bounds are all rounding.
const SPECK: f64 = 256.0;

/// If this share of the elements has moved, all of the tree is refitted.
const MANY: f64 = 1.0 / 8.0;

/// Counts of the refits and builds of a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RefitStats {
    /// The number of refits, whole or in part.
    pub refits: u64,
    /// The number of refits that changed only nodes above the moved elements.
    pub partial_refits: u64,
    /// The number of builds of the whole tree, the first not counted.
    pub rebuilds: u64,
    /// The number of pieces of the tree that were built anew.
    pub rebuilt_pieces: u64,
}

impl std::ops::AddAssign for RefitStats {
    fn add_assign(&mut self, other: RefitStats) {
        self.refits += other.refits;
        self.partial_refits += other.partial_refits;
        self.rebuilds += other.rebuilds;
        self.rebuilt_pieces += other.rebuilt_pieces;
    }
}

/// A policy that keeps a tree good while its elements move: refits it, measures its quality, and rebuilds what has become
/// bad. It belongs to one tree.
#[derive(Clone, Debug)]
pub struct RefitPolicy {
    pieces: Pieces,
    /// The surface of the bounds in each piece, and in the nodes above.
    surfaces: Vec<f64>,
    /// What each piece and the nodes above cost when they were built.
    built: Vec<f64>,
    /// The least that the whole tree ever cost.
    least: f64,
    /// Refits since the tree was built.
    age: u32,
    /// Refits before a build is tried.
    patience: u32,
    /// The triangles in the tree's order, where the elements are triangles.
    triangles: Vec<[u32; 3]>,
    /// Memory for refits of triangles.
    rows: Vec<Row>,
    /// Made for the first partial refit.
    links: Option<Links>,
    work: RefitStats,
}

impl RefitPolicy {
    /// The policy of a tree whose bounds are as they were built.
    pub fn of<const K: usize>(tree: &DopTree<K>) -> RefitPolicy {
        let mut upkeep = RefitPolicy {
            pieces: Pieces::default(),
            surfaces: Vec::new(),
            built: Vec::new(),
            least: f64::INFINITY,
            age: 0,
            patience: PATIENCE,
            triangles: Vec::new(),
            rows: Vec::new(),
            links: None,
            work: RefitStats::default(),
        };
        upkeep.take_stock(tree);
        upkeep
    }

    /// The counts of the refits and builds so far.
    pub fn work(&self) -> RefitStats {
        self.work
    }

    /// Fits the tree to elements that have moved: those in the list, or all. `bounds` is a box around all elements.
    pub fn refit<const K: usize>(
        &mut self,
        tree: &mut DopTree<K>,
        bounds: Aabb,
        corners: &impl Corners,
        moved: Option<&[u32]>,
    ) {
        self.refit_with(true, tree, bounds, corners, moved);
    }

    /// [`refit`](Self::refit), on all threads or on this one alone, with the same result.
    pub fn refit_with<const K: usize>(
        &mut self,
        parallel: bool,
        tree: &mut DopTree<K>,
        bounds: Aabb,
        corners: &impl Corners,
        moved: Option<&[u32]>,
    ) {
        if tree.is_empty() {
            return;
        }
        self.work.refits += 1;
        let moved = moved.filter(|moved| (moved.len() as f64) < MANY * tree.len() as f64);
        if moved.is_some() && self.links.is_none() {
            self.links = Some(Links::of(tree));
        }
        let order = std::mem::take(&mut tree.order);
        let frame = if let Some((points, triangles)) = corners.table() {
            if self.triangles.is_empty() {
                self.triangles = order.iter().map(|&element| triangles[element as usize]).collect();
            }
            let triangles = std::mem::take(&mut self.triangles);
            let corners = SortedTriangles { points, triangles: &triangles };
            let frame = self.refit_some(tree, bounds, &corners, moved).unwrap_or_else(|| {
                let frame = Frame::around(bounds);
                self.surfaces = if K <= 8 {
                    tree.refit_rows(&self.pieces, frame, (points, &triangles), &mut self.rows, parallel)
                } else {
                    tree.refit_pieces(&self.pieces, frame, &corners, parallel)
                };
                frame
            });
            self.triangles = triangles;
            frame
        } else {
            let corners = InOrder { corners, order: &order };
            self.refit_some(tree, bounds, &corners, moved).unwrap_or_else(|| {
                let frame = Frame::around(bounds);
                self.surfaces = tree.refit_pieces(&self.pieces, frame, &corners, parallel);
                frame
            })
        };
        tree.order = order;
        self.mend(Build { parallel, ..Build::default() }, tree, frame, bounds, corners);
    }

    /// Refits what is above the moved elements, if that can be done in the frame that there is. The corners are those at
    /// places in the tree's order.
    fn refit_some<const K: usize>(
        &mut self,
        tree: &mut DopTree<K>,
        bounds: Aabb,
        corners: &impl Corners,
        moved: Option<&[u32]>,
    ) -> Option<Frame> {
        let (moved, links) = (moved?, self.links.as_mut()?);
        let frame = Frame::kept(tree.origin, tree.scale / STEPS, bounds)?;
        self.work.partial_refits += 1;
        links.refit(tree, &frame, corners, moved, (&self.pieces, &mut self.surfaces));
        Some(frame)
    }

    /// Builds anew what has become bad.
    fn mend<const K: usize>(
        &mut self,
        build: Build,
        tree: &mut DopTree<K>,
        frame: Frame,
        bounds: Aabb,
        corners: &impl Corners,
    ) {
        let Some(whole) = self.whole_cost(tree) else { return };
        self.age = self.age.saturating_add(1);
        self.least = self.least.min(whole);
        let costs = self.costs(tree);
        let is_worse = |piece: usize| costs[piece].is_some_and(|cost| cost > LIMIT * self.built[piece]);
        let above = self.pieces.all.len();
        let bad: Vec<usize> = (0..above).filter(|&piece| is_worse(piece)).collect();
        let bad_nodes: usize = bad.iter().map(|&piece| self.pieces.all[piece].nodes.len()).sum();
        let is_trial = self.age >= self.patience && whole > LIMIT * self.least;
        if is_trial || is_worse(above) || 2 * bad_nodes > tree.nodes.len() {
            let count = tree.order.iter().max().map_or(0, |&most| most as usize + 1);
            *tree = DopTree::build_with(build, count, bounds, corners);
            self.work.rebuilds += 1;
            self.age = 0;
            self.take_stock(tree);
            let is_better = self.whole_cost(tree).is_some_and(|now| whole > LIMIT * now);
            if is_better {
                self.patience = PATIENCE;
            } else if is_trial {
                self.patience = self.patience.saturating_mul(2);
            }
        } else if !bad.is_empty() {
            tree.regrow(build, &self.pieces, &bad, frame, corners);
            self.work.rebuilt_pieces += bad.len() as u64;
            self.take_stock_of(tree, &bad);
        }
    }

    /// Measures a tree that was built.
    fn take_stock<const K: usize>(&mut self, tree: &DopTree<K>) {
        self.pieces = Pieces::of(tree);
        (self.links, self.triangles) = (None, Vec::new());
        let total = |nodes: &mut dyn Iterator<Item = u32>| -> f64 {
            nodes.map(|node| surface(&tree.nodes[node as usize])).sum()
        };
        self.surfaces = self.pieces.all.iter().map(|piece| total(&mut piece.nodes.clone())).collect();
        self.surfaces.push(total(&mut self.pieces.above.iter().copied()));
        // What is too small to be judged has cost nothing: as soon as it can be judged, it is built anew.
        self.built = self.costs(tree).into_iter().map(Option::unwrap_or_default).collect();
        self.least = self.least.min(self.whole_cost(tree).unwrap_or(f64::INFINITY));
    }

    /// Measures a tree of which some pieces were built.
    fn take_stock_of<const K: usize>(&mut self, tree: &DopTree<K>, pieces: &[usize]) {
        let before = std::mem::take(&mut self.built);
        self.take_stock(tree);
        // Where the tree is cut differently now, all of it counts as built.
        if self.built.len() == before.len() {
            for piece in (0..before.len()).filter(|piece| !pieces.contains(piece)) {
                self.built[piece] = before[piece];
            }
        }
    }

    /// The cost of each piece and of the nodes above; none for what is too small to be judged.
    fn costs<const K: usize>(&self, tree: &DopTree<K>) -> Vec<Option<f64>> {
        let roots = self.pieces.all.iter().map(|piece| piece.nodes.start).chain([0]);
        let cost = |(root, surface): (u32, &f64)| cost(*surface, tree, root);
        roots.zip(&self.surfaces).map(cost).collect()
    }

    fn whole_cost<const K: usize>(&self, tree: &DopTree<K>) -> Option<f64> {
        cost(self.surfaces.iter().sum(), tree, 0)
    }
}

/// The surface of bounds as a multiple of that around them all.
fn cost<const K: usize>(surface: f64, tree: &DopTree<K>, root: u32) -> Option<f64> {
    let node = tree.nodes.get(root as usize)?;
    let whole = f64::from(half_area(&node.around(node.count())));
    (whole > SPECK).then(|| surface / whole)
}
