//! The search for triangles that may come near each other on a leg: through the trees, or by brute force. What is found is the same.

use super::frame::{Margin, SweepFrame};
use super::swept_bounds;
use crate::model::Placed;
use crate::pair::stats::Stats;
use crate::pair::surface::{FaceSource, FacetName};
use crate::query::scratch::SweepMemory;
use crate::query::verdict::Engine;
use impinge_core::bounds::Aabb;
use impinge_core::bvh::{
    DopTree, Leaf, NearView, NearVisitor, SweptVisitor, traverse_distance, traverse_swept,
};
use impinge_core::math::{DAffine3, DVec3};
use impinge_core::narrow::ccd::{
    Chords, RigidPath, TrianglePair, Window, gap_along, rounded_time_within, stay_apart, time_within,
};
use impinge_core::simd::Lanes;

/// Two triangles of the models, by their names, as they are at the start of a leg.
#[derive(Clone, Copy, Debug)]
pub(super) struct NamedPair {
    pub(super) names: [FacetName; 2],
    pub(super) pair: TrianglePair,
}

impl NamedPair {
    /// The order that decides between pairs that touch at the same time.
    pub(super) fn key(&self) -> [u32; 4] {
        let [a, b] = self.names;
        [a.face, a.piece, b.face, b.piece]
    }
}

/// The earliest pair that comes within a level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) time: f64,
    pub(super) pair: NamedPair,
}

/// A leg as it is solved: two models in a frame, one of which moves.
pub(super) struct LegProblem<'l, 'm> {
    pub(super) frame: &'l SweepFrame,
    pub(super) sources: [FaceSource<'m>; 2],
    pub(super) path: RigidPath,
    /// The length of the leg.
    pub(super) length: f64,
    trees: Option<[&'m DopTree<6>; 2]>,
}

impl<'l, 'm> LegProblem<'l, 'm> {
    pub(super) fn new(
        frame: &'l SweepFrame,
        [moving, stationary]: [&Placed<'m>; 2],
        path: RigidPath,
        length: f64,
        engine: Engine,
    ) -> LegProblem<'l, 'm> {
        let is_brute = engine == Engine::Brute || frame.is_shrunken();
        let trees = (!is_brute).then(|| [moving, stationary].map(|placed| placed.model().bvh()));
        LegProblem { frame, sources: frame.sources(moving, stationary), path, length, trees }
    }

    pub(super) fn margin(&self) -> Margin {
        self.frame.margin
    }

    /// The tolerance of the times of pairs, as a length.
    pub(super) fn tolerance(&self) -> f64 {
        self.margin().core / 4.0
    }

    /// The sum of the radii of the two bodies: distances are those of the cores less this.
    pub(super) fn radii(&self) -> f64 {
        self.frame.radii
    }

    /// The distance of the triangles of a pair at a time, as they are rounded.
    pub(super) fn distance_of(&self, pair: &NamedPair, time: f64) -> f64 {
        pair.pair.closest(&self.path, time).squared.sqrt() - self.radii()
    }

    /// The distance of the closest of some pairs at a time.
    pub(super) fn least_of(&self, pairs: &[&NamedPair], time: f64) -> f64 {
        pairs.iter().map(|pair| self.distance_of(pair, time)).fold(f64::INFINITY, f64::min)
    }

    /// The speed at which the triangles of a pair part at a time.
    pub(super) fn slope_of(&self, pair: &NamedPair, time: f64) -> f64 {
        pair.pair.slope(&self.path, time, self.tolerance())
    }

    /// The time at which the triangles of a pair come within `level`.
    pub(super) fn time_within(&self, pair: &NamedPair, level: f64, times: [f64; 2]) -> Option<f64> {
        let (radii, tolerance) = (self.radii(), self.tolerance());
        if radii > 0.0 {
            return rounded_time_within(&pair.pair, &self.path, radii + level, times, tolerance);
        }
        time_within(&pair.pair, &self.path, level, times, tolerance)
    }

    /// The first of some pairs that comes within `level` between two times.
    pub(super) fn first_of(
        &self,
        pairs: &[NamedPair],
        level: f64,
        [from, mut to]: [f64; 2],
    ) -> Option<Found> {
        let mut first = None;
        for pair in pairs {
            if let Some(time) = self.time_within(pair, level, [from, to])
                && first.is_none_or(|found: Found| time < found.time)
            {
                first = Some(Found { time, pair: *pair });
                to = time;
            }
        }
        first
    }

    /// The first pair of triangles that comes within `level` between two times.
    pub(super) fn first_within(
        &self,
        level: f64,
        times: [f64; 2],
        memory: &mut SweepMemory,
        stats: &mut Stats,
    ) -> Option<Found> {
        let goal = Goal::First { level, found: None };
        match self.search(goal, level, times, memory, stats) {
            Goal::First { found, .. } => found,
            Goal::All(_) => None,
        }
    }

    /// All pairs of triangles whose boxes come within `level` between two times, in order.
    pub(super) fn all_within(
        &self,
        level: f64,
        times: [f64; 2],
        memory: &mut SweepMemory,
        stats: &mut Stats,
    ) -> Vec<NamedPair> {
        let mut pairs = match self.search(Goal::All(Vec::new()), level, times, memory, stats) {
            Goal::All(pairs) => pairs,
            Goal::First { .. } => Vec::new(),
        };
        pairs.sort_unstable_by_key(NamedPair::key);
        pairs.dedup_by_key(|pair| pair.key());
        pairs
    }

    fn search(
        &self,
        goal: Goal,
        level: f64,
        times: [f64; 2],
        memory: &mut SweepMemory,
        stats: &mut Stats,
    ) -> Goal {
        // Boxes count where they are no farther apart than the level, and than rounding may bring them.
        let reach = self.radii() + level + 8.0 * self.margin().core;
        let pace = swept_bounds::pace(self.path.velocity);
        let window = Window::new(&self.path, times);
        let (axes, best_normal, pieces) = ([DVec3::ZERO; 2], None, Default::default());
        let mut tester = Tester {
            problem: self,
            goal,
            reach,
            times,
            window,
            pace,
            axes,
            best_normal,
            pieces,
            stats: *stats,
        };
        match self.trees {
            None => tester.brute_force(),
            Some([moving, still]) => {
                let maps = [self.frame.maps[1], self.frame.maps[0]];
                tester.traverse_bvh(&Trees { trees: [still, moving], maps }, memory);
            }
        }
        *stats = tester.stats;
        tester.goal
    }
}

/// The goal of a search.
enum Goal {
    /// The earliest pair that comes within a level.
    First { level: f64, found: Option<Found> },
    /// All pairs whose boxes do.
    All(Vec<NamedPair>),
}

/// The trees of the two models and how they get into the frame: the stationary one first, whose frame it often is.
struct Trees<'t> {
    trees: [&'t DopTree<6>; 2],
    maps: [Option<DAffine3>; 2],
}

/// A triangle of a face's fan where it is at the start.
#[derive(Clone, Copy)]
struct Piece {
    name: FacetName,
    corners: [DVec3; 3],
    /// A box around it: of the moving body, around its path, but for paths along a line.
    bounds: Aabb,
    /// The chords of its path, where that turns.
    chords: Option<Chords>,
}

/// Tests pairs of triangles.
struct Tester<'s, 'l, 'm> {
    problem: &'s LegProblem<'l, 'm>,
    goal: Goal,
    reach: f64,
    /// The times between which contacts matter.
    times: [f64; 2],
    /// The times at which boxes are compared: triangles that come near each other at another time are found then.
    window: Window,
    /// Of a path along a line, the times for a unit of length along each axis.
    pace: DVec3,
    /// Directions that kept other triangles of the two bodies apart: one that did so is likely to do so again.
    axes: [DVec3; 2],
    /// Of rounded bodies on a line, the direction from the still triangle to the moving one of the best pair so far, at its time.
    best_normal: Option<DVec3>,
    /// The triangles of two leaves, those of the moving body first.
    pieces: [Vec<Piece>; 2],
    stats: Stats,
}

impl Tester<'_, '_, '_> {
    /// Every triangle against every other.
    fn brute_force(&mut self) {
        let [moving, still] = [0, 1].map(|side| self.pieces(side));
        for first in &moving {
            for second in &still {
                self.stats.box_tests += 1;
                self.test(first, second);
            }
        }
    }

    fn pieces(&self, side: usize) -> Vec<Piece> {
        let mesh = self.problem.sources[side].mesh();
        let mut pieces = Vec::with_capacity(mesh.triangle_count());
        for face in 0..mesh.face_count() as u32 {
            for piece in 0..mesh.fan_count(face) as u32 {
                pieces.push(self.piece(side, FacetName { face, piece }));
            }
        }
        pieces
    }

    /// A triangle of a model's face, placed.
    #[inline]
    fn piece(&self, side: usize, name: FacetName) -> Piece {
        let source = &self.problem.sources[side];
        let corners = match source.table {
            Some((points, triangles)) => {
                triangles[name.face as usize].map(|vertex| source.place(points[vertex as usize]))
            }
            None => {
                let fan = source.mesh().fan_triangle(name.face, name.piece as usize);
                fan.map(|vertex| source.place(source.mesh().vertex(vertex)))
            }
        };
        let path = &self.problem.path;
        let chords = (side == 0 && path.is_turning()).then(|| self.window.chords(path, &corners));
        let bounds = chords.as_ref().map_or_else(|| Aabb::around(corners), swept_bounds::of_chords);
        Piece { name, corners, bounds, chords }
    }

    /// Whether a direction that kept others apart keeps two triangles apart in the window, too. Along a direction, the gap between triangles whose corners go
    /// along chords is at least what lies between the gaps at the begin and at the end.
    #[inline]
    fn are_apart(&self, chords: &Chords, still: &Piece) -> bool {
        let origin = still.corners[0];
        self.axes.iter().any(|axis| {
            let height = |corner: DVec3| axis.dot(corner - origin);
            let [a, b, c] = still.corners.map(height);
            let needed = a.max(b).max(c) + self.reach + chords.bulge;
            chords.ends.iter().all(|corners| {
                let [a, b, c] = corners.map(height);
                a.min(b).min(c) > needed
            })
        })
    }

    /// Whether two triangles can come near each other, as far as their boxes tell.
    #[inline]
    fn may_meet(&self, moving: &Piece, still: &Piece) -> bool {
        let path = &self.problem.path;
        if path.is_turning() {
            return swept_bounds::overlap(&moving.bounds, &still.bounds, self.reach);
        }
        let velocity = path.velocity;
        swept_bounds::may_meet_on_line(
            &moving.bounds,
            &still.bounds,
            velocity,
            self.pace,
            self.times,
            self.reach,
        )
    }

    /// Whether two triangles certainly come within the level and its tolerance no earlier than the best pair so far: along its direction they are farther
    /// apart at its time, and were so before. Most of what is near where a ball touches a mesh is told by that.
    #[inline]
    fn is_beyond(&self, pair: &TrianglePair) -> bool {
        let (Some(normal), Goal::First { level, .. }) = (self.best_normal, &self.goal) else { return false };
        let LegProblem { path, .. } = self.problem;
        let shift = path.velocity * self.times[1];
        let moved = pair.moving.map(|corner| corner + shift);
        let gap = gap_along(normal, &moved, &pair.still, pair.still[0]);
        normal.dot(path.velocity) <= 0.0
            && gap > self.problem.radii() + level + 2.0 * self.problem.tolerance()
    }

    /// Tests two triangles.
    fn test(&mut self, moving: &Piece, still: &Piece) {
        if !self.may_meet(moving, still) {
            return;
        }
        self.stats.face_tests += 1;
        if let (Some(chords), Goal::First { .. }) = (&moving.chords, &self.goal)
            && self.are_apart(chords, still)
        {
            return;
        }
        let pair = TrianglePair { moving: moving.corners, still: still.corners };
        let named = NamedPair { names: [moving.name, still.name], pair };
        let is_beyond = self.is_beyond(&pair);
        match &mut self.goal {
            Goal::All(pairs) => pairs.push(named),
            Goal::First { .. } if is_beyond => {}
            Goal::First { level, found } => {
                if let Some(chords) = &moving.chords {
                    // A pair that comes within the level at another time is found then.
                    let (level, tolerance) = (self.problem.radii() + *level, self.problem.tolerance());
                    let [from, to] = self.window.times;
                    let times = [from, to.min(self.times[1])];
                    if chords.stay_apart(&still.corners, level + 4.0 * tolerance) {
                        return;
                    }
                    let (is_apart, axis) = stay_apart(&pair, &self.problem.path, level, times, tolerance);
                    self.axes[usize::from(!is_apart)] = axis;
                    if is_apart {
                        return;
                    }
                }
                self.stats.feature_tests += 1;
                let Some(time) = self.problem.time_within(&named, *level, self.times) else { return };
                let is_first = found.as_ref().is_none_or(|found| {
                    time < found.time || (time == found.time && named.key() < found.pair.key())
                });
                if is_first {
                    self.times[1] = time;
                    *found = Some(Found { time, pair: named });
                    let (path, tolerance) = (&self.problem.path, self.problem.tolerance());
                    if self.problem.radii() > 0.0 && !path.is_turning() {
                        self.best_normal = Some(pair.normal(path, time, tolerance));
                    }
                }
            }
        }
    }

    /// Tests all triangles of some faces of the moving body against those of faces of the other.
    fn test_faces(&mut self, moving: &[u32], still: &[u32]) {
        let mut pieces = std::mem::take(&mut self.pieces);
        pieces[0].clear();
        self.take_pieces(0, moving, &mut pieces[0]);
        self.test_against(&mut pieces, still);
        self.pieces = pieces;
    }

    /// Tests pieces of the moving body against all triangles of faces of the other.
    fn test_against(&mut self, [moving, pieces]: &mut [Vec<Piece>; 2], still: &[u32]) {
        pieces.clear();
        self.take_pieces(1, still, pieces);
        for first in moving.iter() {
            for second in pieces.iter() {
                self.test(first, second);
            }
        }
    }

    #[inline]
    fn take_pieces(&self, side: usize, faces: &[u32], pieces: &mut Vec<Piece>) {
        for &face in faces {
            for piece in 0..self.problem.sources[side].mesh().fan_count(face) as u32 {
                pieces.push(self.piece(side, FacetName { face, piece }));
            }
        }
    }

    /// Tests the triangles of pairs of leaves, each the one that stands still first, between two times.
    fn test_leaves(&mut self, trees: &Trees<'_>, leaf_pairs: &mut [[Leaf; 2]], times: [f64; 2]) {
        self.window = Window::new(&self.problem.path, times);
        // What moves has to be moved: once for all that it may meet.
        leaf_pairs.sort_unstable_by_key(|[still, moving]| [*moving, *still]);
        let mut pieces = std::mem::take(&mut self.pieces);
        let mut last = None;
        for [still, moving] in leaf_pairs {
            if last != Some(*moving) {
                last = Some(*moving);
                pieces[0].clear();
                self.take_pieces(0, trees.trees[1].elements(*moving), &mut pieces[0]);
            }
            self.test_against(&mut pieces, trees.trees[0].elements(*still));
        }
        self.pieces = pieces;
    }

    fn traverse_bvh(&mut self, trees: &Trees<'_>, memory: &mut SweepMemory) {
        let path = &self.problem.path;
        if !path.is_turning() {
            // Times of the traversal are parts of the time that is looked at: they fit into `f32`, whatever the unit.
            let unit = if self.times[1] > 0.0 { self.times[1] } else { 1.0 };
            let (velocity, reach, horizon) = (path.velocity * unit, self.reach, self.times[1] / unit);
            let maps = [trees.maps[0].as_ref(), trees.maps[1].as_ref()];
            let mut visitor = LeafPairs { trees: trees.trees, tester: self, unit };
            let visits =
                traverse_swept(trees.trees, maps, velocity, reach, horizon, &mut memory.stack, &mut visitor);
            self.stats.box_tests += 16 * visits;
            return;
        }
        let faces = self.problem.face_size(f64::min);
        let bisection = Bisection { speed: self.problem.speed(), short: SHORT * faces.max(self.reach) };
        bisection.search(self, trees, memory, self.times);
    }
}

impl LegProblem<'_, '_> {
    /// The radius of the moving body about the axis.
    pub(super) fn radius(&self) -> f64 {
        let radii = corners(&self.sources[0].bounds()).map(|corner| self.path.radius(corner));
        let radius = radii.fold(0.0, f64::max);
        radius * (1.0 + 1e-9)
    }

    /// The size of faces, of the model that has the smaller or the larger ones; not below the radii.
    pub(super) fn face_size(&self, choose: fn(f64, f64) -> f64) -> f64 {
        let size = |source: &FaceSource<'_>| {
            let bounds = source.bounds();
            (bounds.max - bounds.min).length() / (source.mesh().face_count() as f64).sqrt()
        };
        choose(size(&self.sources[0]), size(&self.sources[1])).max(self.radii())
    }

    /// An upper bound of the speed of the body's points.
    pub(super) fn speed(&self) -> f64 {
        if self.path.observer.is_some() {
            // The relative velocity is affine in the point: its length is greatest at a corner of the box.
            let start = self.path.moment(0.0);
            let speed = |corner: DVec3| self.path.velocity_at(corner, &start).length();
            let fastest = corners(&self.sources[0].bounds()).map(speed).fold(0.0, f64::max);
            return (fastest + self.path.speed_up(self.radius(), self.length)) * (1.0 + 1e-9);
        }
        let turning = if self.path.is_turning() { self.path.rate * self.radius() } else { 0.0 };
        self.path.velocity.length() + turning
    }
}

/// The corners of a box.
fn corners(bounds: &Aabb) -> impl Iterator<Item = DVec3> + use<> {
    let ends = [bounds.min, bounds.max];
    (0..8_usize).map(move |corner| {
        let end = |bit: usize| ends[corner >> bit & 1];
        DVec3::new(end(0).x, end(1).y, end(2).z)
    })
}

/// Tests the faces of pairs of leaves.
struct LeafPairs<'v, 's, 'l, 'm, 't> {
    trees: [&'t DopTree<6>; 2],
    tester: &'v mut Tester<'s, 'l, 'm>,
    /// The unit of time of the traversal.
    unit: f64,
}

impl SweptVisitor for LeafPairs<'_, '_, '_, '_, '_> {
    fn meet(&mut self, a: Leaf, b: Leaf) -> f64 {
        self.tester.test_faces(self.trees[1].elements(b), self.trees[0].elements(a));
        self.tester.times[1] / self.unit
    }
}

/// How many pairs of leaves are tested at once; more of them make it worth while to look at shorter times.
const LEAF_BATCH: usize = 48;

/// Halving the time is of no use where points move by less than this part of a face during it.
const SHORT: f64 = 0.25;

/// A path that turns, as trees see it: at the middle of an interval all points are within half of how far they move in it of where they
/// ever are in it.
struct Bisection {
    /// An upper bound of the speed of points.
    speed: f64,
    /// Times in which points move by no more than this are not halved.
    short: f64,
}

impl Bisection {
    /// Halves the time until few leaves are near each other during it, the earlier half first.
    fn search(
        &self,
        tester: &mut Tester<'_, '_, '_>,
        trees: &Trees<'_>,
        memory: &mut SweepMemory,
        [from, to]: [f64; 2],
    ) {
        if from > tester.times[1] {
            return;
        }
        let to = to.min(tester.times[1]);
        let middle = from + (to - from) / 2.0;
        let half = self.speed * ((to - from) / 2.0) * (1.0 + 1e-9);
        let moved = match &trees.maps[1] {
            None => tester.problem.path.map(middle),
            Some(map) => tester.problem.path.map(middle) * *map,
        };
        let error = 16.0 * tester.problem.margin().core;
        let view = NearView::new(trees.trees, [trees.maps[0].as_ref(), Some(&moved)], error);
        let most = if half > self.short { LEAF_BATCH } else { usize::MAX };
        memory.pairs.clear();
        let distance = half + tester.reach;
        let mut visitor = Gather { pairs: &mut memory.pairs, most, distance };
        let counts = traverse_distance(trees.trees, &view, distance, &mut memory.stack, &mut visitor);
        tester.stats.box_tests += 16 * counts.visits;
        if memory.pairs.len() <= most {
            tester.test_leaves(trees, &mut memory.pairs, [from, to]);
            return;
        }
        self.search(tester, trees, memory, [from, middle]);
        self.search(tester, trees, memory, [middle, to]);
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
