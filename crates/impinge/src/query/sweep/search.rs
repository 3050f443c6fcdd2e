//! The search for triangles that may come near each other on a leg: through the trees, or by brute force. What is found is the same.

mod points;

use std::ops::Range;

use super::problem::{Found, LegProblem, NamedPair, corners};
use super::swept_bounds;
use crate::pair::stats::Stats;
use crate::pair::surface::{FaceSource, FacetName};
use crate::query::scratch::SweepMemory;
use impinge_core::bounds::Aabb;
use impinge_core::bvh::{DopTree, Leaf, SweptDirection, SweptTrees, SweptVisitor};
use impinge_core::math::{DAffine3, DMat3, DVec3};
use impinge_core::narrow::ccd::{
    Chords, TrianglePair, Window, gap_along, separation, stay_apart, time_and_axis_within,
};

impl LegProblem<'_, '_> {
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
        let (axes, best_normal, moving) = (NO_AXES, None, MovingPieces::default());
        let mut tester = Tester {
            problem: self,
            goal,
            reach,
            times,
            window,
            pace,
            axes,
            best_normal,
            moving,
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
}

/// Triangles of the moving body.
#[derive(Default)]
struct MovingPieces {
    pieces: Vec<Piece>,
    /// The chords of their paths, where those turn, until a time.
    chords: Vec<Chords>,
    until: f64,
}

/// Calls `visit` with the triangles of some faces of a model, placed.
#[inline(always)]
fn for_each_piece(source: &FaceSource<'_>, faces: &[u32], mut visit: impl FnMut(Piece)) {
    let mut visit = |face: u32, piece: u32, corners: [DVec3; 3]| {
        let bounds = swept_bounds::around(&corners);
        visit(Piece { name: FacetName { face, piece }, corners, bounds });
    };
    if let Some((points, triangles)) = source.table {
        for &face in faces {
            let [a, b, c] = triangles[face as usize];
            let place = |vertex: u32| source.place(points[vertex as usize]);
            visit(face, 0, [place(a), place(b), place(c)]);
        }
        return;
    }
    let mesh = source.mesh();
    for &face in faces {
        for piece in 0..mesh.fan_count(face) as u32 {
            let [a, b, c] = mesh.fan_triangle(face, piece as usize);
            let place = |vertex: u32| source.place(mesh.vertex(vertex));
            visit(face, piece, [place(a), place(b), place(c)]);
        }
    }
}

/// No directions: nothing is apart along these.
const NO_AXES: [(DVec3, f64); 2] = [(DVec3::ZERO, 1.0); 2];

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
    /// Directions that kept other triangles of the two bodies apart: one that did so is likely to do so again. Each with the part of a path's deviation from
    /// its chord that can be along it.
    axes: [(DVec3, f64); 2],
    /// On a line, the direction from the still triangle to the moving one of the best pair so far, at its time, once it is asked for.
    best_normal: Option<DVec3>,
    /// The triangles of a leaf of the moving body.
    moving: MovingPieces,
    stats: Stats,
}

impl Tester<'_, '_, '_> {
    /// Every triangle against every other.
    fn brute_force(&mut self) {
        let count = |side: usize| self.problem.sources[side].mesh().face_count() as u32;
        let [moving, still] = [0, 1].map(|side| (0..count(side)).collect::<Vec<u32>>());
        let mut pieces = MovingPieces::default();
        self.take_moving(&moving, &mut pieces);
        let mut stills = Vec::new();
        for_each_piece(&self.problem.sources[1], &still, |piece| stills.push(piece));
        for still in &stills {
            self.stats.box_tests += pieces.pieces.len() as u64;
            self.test_all(&mut pieces, still);
        }
    }

    /// Makes `moving` the triangles of some faces of the moving body.
    fn take_moving(&self, faces: &[u32], moving: &mut MovingPieces) {
        moving.pieces.clear();
        for_each_piece(&self.problem.sources[0], faces, |piece| moving.pieces.push(piece));
        self.take_chords(moving);
    }

    /// Makes the chords of triangles those of the window.
    fn take_chords(&self, MovingPieces { pieces, chords, until }: &mut MovingPieces) {
        chords.clear();
        *until = self.window.times[1];
        let path = &self.problem.path;
        if path.is_turning() {
            for piece in pieces {
                let way = self.window.chords(path, &piece.corners);
                piece.bounds = swept_bounds::of_chords(&way);
                chords.push(way);
            }
        }
    }

    /// Tests triangles of the moving body against one of the other.
    #[inline]
    fn test_all(&mut self, moving: &mut MovingPieces, still: &Piece) {
        for i in 0..moving.pieces.len() {
            if moving.until != self.window.times[1] {
                // One was found in the meantime: shorter chords tell more of the others apart.
                self.take_chords(moving);
            }
            let piece = &moving.pieces[i];
            if self.may_meet(piece, still) {
                self.test(piece, moving.chords.get(i), still);
            }
        }
    }

    /// Whether a direction that kept others apart keeps two triangles apart in the window, too. Along a direction, the gap between triangles whose corners go
    /// along chords is at least what lies between the gaps at the begin and at the end.
    #[inline]
    fn are_apart(&self, chords: &Chords, still: &Piece) -> bool {
        let origin = still.corners[0];
        self.axes.iter().any(|(axis, share)| {
            let height = |corner: DVec3| axis.dot(corner - origin);
            let [a, b, c] = still.corners.map(height);
            let needed = a.max(b).max(c) + self.reach + chords.bulge * share;
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
        swept_bounds::may_meet_on_line(&moving.bounds, &still.bounds, self.pace, self.times, self.reach)
    }

    /// Whether two triangles certainly come within the level and its tolerance no earlier than the best pair so far: along its direction they are farther
    /// apart at its time, and were so before. Most of what is near where two bodies touch is told by that.
    #[inline]
    fn is_beyond(&mut self, pair: &TrianglePair) -> bool {
        let LegProblem { path, .. } = self.problem;
        let Goal::First { level, found: Some(found) } = &self.goal else { return false };
        if path.is_turning() {
            return false;
        }
        let normal = *self
            .best_normal
            .get_or_insert_with(|| found.pair.pair.normal(path, found.time, self.problem.tolerance()));
        let shift = path.velocity * self.times[1];
        let moved = [pair.moving[0] + shift, pair.moving[1] + shift, pair.moving[2] + shift];
        let gap = gap_along(normal, &moved, &pair.still, pair.still[0]);
        normal.dot(path.velocity) <= 0.0
            && gap > self.problem.radii() + level + 2.0 * self.problem.tolerance()
    }

    /// Tests two triangles that may meet.
    fn test(&mut self, moving: &Piece, chords: Option<&Chords>, still: &Piece) {
        self.stats.face_tests += 1;
        if let (Some(chords), Goal::First { .. }) = (chords, &self.goal)
            && self.are_apart(chords, still)
        {
            return;
        }
        let pair = TrianglePair { moving: moving.corners, still: still.corners };
        let is_beyond = self.is_beyond(&pair);
        let named = || NamedPair { names: [moving.name, still.name], pair };
        match &mut self.goal {
            Goal::All(pairs) => pairs.push(named()),
            Goal::First { .. } if is_beyond => {}
            Goal::First { level, found } => {
                let (path, tolerance) = (&self.problem.path, self.problem.tolerance());
                let within = self.problem.radii() + *level;
                let (time, axis) = if let Some(chords) = chords {
                    let (is_apart, axis) = chords.stay_apart(&still.corners, within + 4.0 * tolerance);
                    if is_apart {
                        if let Some(axis) = axis.and_then(DVec3::try_normalize) {
                            self.axes[0] = (axis, path.bulge_along(axis));
                        }
                        return;
                    }
                    // A pair that comes within the level at another time is found then.
                    let [from, to] = self.window.times;
                    let times = [from, to.min(self.times[1])];
                    if from > self.times[0] {
                        let (is_apart, axis) = stay_apart(&pair, path, within, times, tolerance);
                        self.axes[usize::from(!is_apart)] = (axis, path.bulge_along(axis));
                        if is_apart {
                            return;
                        }
                    }
                    self.stats.feature_tests += 1;
                    let times = [self.times[0], times[1]];
                    let (time, axis) = time_and_axis_within(&pair, path, within, times, tolerance);
                    self.axes[usize::from(time.is_some())] = (axis, path.bulge_along(axis));
                    (time, axis)
                } else {
                    self.stats.feature_tests += 1;
                    time_and_axis_within(&pair, path, within, self.times, tolerance)
                };
                let Some(time) = time else { return };
                let named = named();
                let is_first = found.as_ref().is_none_or(|found| {
                    time < found.time || (time == found.time && named.key() < found.pair.key())
                });
                if is_first {
                    self.times[1] = time;
                    *found = Some(Found { time, pair: named });
                    if path.is_turning() {
                        // What comes later does not matter: chords of the next triangles are shorter.
                        let [from, to] = self.window.times;
                        if time > from && time - from < SHORTER * (to - from) {
                            self.window = Window::new(path, [from, time]);
                        }
                    } else {
                        // Any direction is a proof: that which showed the two to be apart last is as good.
                        self.best_normal = (axis != DVec3::ZERO).then_some(axis);
                    }
                }
            }
        }
    }

    /// Tests the triangles of pairs of leaves, each the one that stands still first, between two times.
    fn test_leaves(&mut self, trees: &Trees<'_>, leaf_pairs: &mut [[Leaf; 2]], times: [f64; 2]) {
        self.window = Window::new(&self.problem.path, times);
        // What moves has to be moved: once for all that it may meet.
        leaf_pairs.sort_unstable_by_key(|[_, moving]| moving.order());
        let mut pieces = std::mem::take(&mut self.moving);
        let mut last = None;
        for [still, moving] in leaf_pairs {
            if last != Some(*moving) {
                last = Some(*moving);
                self.take_moving(trees.trees[1].elements(*moving), &mut pieces);
            }
            self.test_against(&mut pieces, trees.trees[0].elements(*still));
        }
        self.moving = pieces;
    }

    /// Directions of a pair of triangles in leaves, the one that stands still first, at a time: one along which they are apart, if any, and the normals of both.
    fn directions_of(&self, trees: &Trees<'_>, [still, moving]: [Leaf; 2], time: f64) -> [DVec3; 3] {
        let LegProblem { path, sources, .. } = self.problem;
        let corners = |side: usize, leaf: Leaf| {
            let mut corners = [DVec3::ZERO; 3];
            let faces = &trees.trees[1 - side].elements(leaf)[..1];
            for_each_piece(&sources[side], faces, |piece| corners = piece.corners);
            corners
        };
        let moment = path.moment(time);
        let moved = corners(0, moving).map(|corner| path.place(corner, &moment));
        let still = corners(1, still);
        let found = separation(&moved, &still, self.problem.tolerance());
        let normal = |[a, b, c]: [DVec3; 3]| (b - a).cross(c - a).normalize_or_zero();
        [if found.gap > 0.0 { found.normal } else { DVec3::ZERO }, normal(still), normal(moved)]
    }

    /// Tests triangles of the moving body against those of faces of the other.
    #[inline]
    fn test_against(&mut self, moving: &mut MovingPieces, still: &[u32]) {
        let problem = self.problem;
        for_each_piece(&problem.sources[1], still, |still| self.test_all(moving, &still));
    }

    fn traverse_bvh(&mut self, trees: &Trees<'_>, memory: &mut SweepMemory) {
        let path = &self.problem.path;
        if !path.is_turning() {
            // Times of the traversal are parts of the time that is looked at: they fit into `f32`, whatever the unit.
            let unit = if self.times[1] > 0.0 { self.times[1] } else { 1.0 };
            let (velocity, reach, horizon) = (path.velocity * unit, self.reach, self.times[1] / unit);
            if self.follow_point(trees, velocity, unit) {
                return;
            }
            let maps = [trees.maps[0].as_ref(), trees.maps[1].as_ref()];
            let swept = SweptTrees { trees: trees.trees, maps, velocity, error: reach, horizon };
            let mut visitor = LeafPairs { trees: trees.trees, tester: self, unit, last: None };
            let visits = swept.traverse(&mut memory.queue, &mut visitor);
            self.stats.box_tests += 16 * visits;
            return;
        }
        let faces = self.problem.least_face_size();
        let bounds = self.problem.sources[0].bounds();
        let boxes = self.problem.sources.map(|source| {
            let mut placed = [DVec3::ZERO; 8];
            for (place, corner) in placed.iter_mut().zip(corners(&source.model.bounds())) {
                *place = source.place(corner);
            }
            placed
        });
        let bisection = Bisection {
            speed: self.problem.speed(),
            short: SHORT * faces.max(self.reach),
            center: bounds.center(),
            arm: (bounds.max - bounds.min).length() / 2.0 * (1.0 + 1e-9),
            boxes,
            normals: self.problem.frame.maps.map(|map| {
                let DMat3 { x_axis, y_axis, z_axis } = map.map_or(DMat3::IDENTITY, |map| map.matrix3);
                let normals = [y_axis.cross(z_axis), z_axis.cross(x_axis), x_axis.cross(y_axis)];
                normals.map(DVec3::normalize_or_zero)
            }),
            long: (self.times[1] - self.times[0]) / LONG_WINDOWS,
        };
        memory.fronts.truncate(0);
        bisection.search(self, trees, memory, self.times, 0..0);
    }
}

/// Tests the faces of pairs of leaves.
struct LeafPairs<'v, 's, 'l, 'm, 't> {
    trees: [&'t DopTree<6>; 2],
    tester: &'v mut Tester<'s, 'l, 'm>,
    /// The unit of time of the traversal.
    unit: f64,
    /// The leaf of the moving body whose triangles are placed.
    last: Option<Leaf>,
}

impl SweptVisitor for LeafPairs<'_, '_, '_, '_, '_> {
    fn meet(&mut self, a: Leaf, b: Leaf) -> f64 {
        let mut pieces = std::mem::take(&mut self.tester.moving);
        if self.last != Some(b) {
            self.last = Some(b);
            self.tester.take_moving(self.trees[1].elements(b), &mut pieces);
        }
        self.tester.test_against(&mut pieces, self.trees[0].elements(a));
        self.tester.moving = pieces;
        self.tester.times[1] / self.unit
    }
}

/// Windows are cut at the best time so far if that leaves no more than this part of them.
const SHORTER: f64 = 0.75;

/// How many pairs of leaves are tested at once; more of them make it worth while to look at shorter times.
const LEAF_BATCH: usize = 48;

/// Halving the time is of no use where points move by less than this part of a face in half of it.
const SHORT: f64 = 1.0;

/// The normals of boxes around both bodies are tried on windows of no less than this part of the time.
const LONG_WINDOWS: f64 = 4.0;

/// A path that turns, as trees see it: in an interval, the body goes along a line as its center does on average, and is as it is in the middle. So all points are where they
/// are, up to how far the body turns in half of the interval, and to what the path of its center is bent.
struct Bisection {
    /// An upper bound of the speed of points.
    speed: f64,
    /// Times in which points move by no more than this are not halved.
    short: f64,
    /// The center of the moving body at the start, and how far its points are from there at most.
    center: DVec3,
    arm: f64,
    /// The corners of boxes around both bodies at the start, and the normals of their sides.
    boxes: [[DVec3; 8]; 2],
    normals: [[DVec3; 3]; 2],
    /// In times that are no shorter, these normals are tried.
    long: f64,
}

impl Bisection {
    /// Whether some direction keeps all of the two bodies apart between two times, as [`Tester::are_apart`] has it. Each comes with the part of a path's deviation
    /// from its chord that can be along it.
    fn are_apart(
        &self,
        tester: &Tester<'_, '_, '_>,
        [from, to]: [f64; 2],
        directions: impl IntoIterator<Item = (DVec3, f64)>,
    ) -> bool {
        let path = &tester.problem.path;
        let (first, last) = (path.moment(from), path.moment(to));
        let [moving, still] = &self.boxes;
        let ways = moving.map(|corner| {
            let [start, end] = [&first, &last].map(|moment| path.place(corner, moment));
            (start, end, path.bulge(corner, start, &first, to - from))
        });
        directions.into_iter().any(|(axis, share)| {
            let height = |corner: &DVec3| axis.dot(*corner - still[0]);
            let needed = still.iter().map(height).fold(f64::NEG_INFINITY, f64::max) + tester.reach;
            ways.iter().all(|(start, end, bulge)| height(start).min(height(end)) - bulge * share > needed)
        })
    }

    /// Whether the normal of a side of the boxes around both, or a direction of a pair of triangles that are near each other, keeps all of the bodies apart
    /// between two times.
    fn sides_are_apart(&self, tester: &Tester<'_, '_, '_>, times: [f64; 2], near: [DVec3; 3]) -> bool {
        let path = &tester.problem.path;
        let middle = path.map(times[0] + (times[1] - times[0]) / 2.0).matrix3;
        let [of_moving, of_still] = self.normals;
        let normals = of_moving.map(|normal| middle * normal).into_iter().chain(of_still).chain(near);
        self.are_apart(
            tester,
            times,
            normals.flat_map(|normal| {
                let share = path.bulge_along(normal);
                [(normal, share), (-normal, share)]
            }),
        )
    }

    /// Halves the time until few leaves are near each other during it, the earlier half first. What was told apart in all of the time is so in its halves: their
    /// traversals begin at the front where that of the whole stopped.
    fn search(
        &self,
        tester: &mut Tester<'_, '_, '_>,
        trees: &Trees<'_>,
        memory: &mut SweepMemory,
        [from, to]: [f64; 2],
        front: Range<usize>,
    ) {
        if from > tester.times[1] {
            return;
        }
        let path = &tester.problem.path;
        let to = to.min(tester.times[1]);
        if tester.axes != NO_AXES && self.are_apart(tester, [from, to], tester.axes) {
            return;
        }
        let middle = from + (to - from) / 2.0;
        let half = self.speed * ((to - from) / 2.0) * (1.0 + 1e-9);
        let [first, last] = [from, to].map(|time| path.moment(time));
        let [start, end] = [&first, &last].map(|moment| path.place(self.center, moment));
        let bend = 2.0 * path.bulge(self.center, start, &first, to - from);
        let turned = path.turning_rate() * ((to - from) / 2.0) * self.arm;
        let along = end - start;
        // Where it turns about something far away, or hardly moves, a line tells no more than the speed.
        let (velocity, off) =
            if turned + bend < half { (along, (turned + bend) * (1.0 + 1e-9)) } else { (DVec3::ZERO, half) };
        let mut moved = match &trees.maps[1] {
            None => path.map(middle),
            Some(map) => path.map(middle) * *map,
        };
        moved.translation -= velocity / 2.0;
        let most = if half > self.short { LEAF_BATCH } else { usize::MAX };
        let near = tester.reach + 16.0 * tester.problem.margin().core;
        let (axis, share) = tester.axes[0];
        // A body that turns about an axis and moves along a line is off that line across the axis.
        let share = if velocity == along { share } else { 1.0 };
        let direction =
            (axis != DVec3::ZERO).then_some(SweptDirection { normal: axis, error: near + off * share });
        let maps = [trees.maps[0].as_ref(), Some(&moved)];
        let swept = SweptTrees { trees: trees.trees, maps, velocity, error: near + off, horizon: 1.0 };
        let end = memory.fronts.pair_count();
        let visits = swept.gather(direction, front, &mut memory.fronts, most, &mut memory.pairs);
        tester.stats.box_tests += 16 * visits;
        if memory.pairs.len() <= most {
            tester.test_leaves(trees, &mut memory.pairs, [from, to]);
            return;
        }
        if axis == DVec3::ZERO || to - from >= self.long {
            let near = tester.directions_of(trees, memory.pairs[0], middle);
            if self.sides_are_apart(tester, [from, to], near) {
                memory.fronts.truncate(end);
                return;
            }
            if axis == DVec3::ZERO && near[0] != DVec3::ZERO {
                tester.axes[0] = (near[0], path.bulge_along(near[0]));
            }
        }
        let front = end..memory.fronts.pair_count();
        self.search(tester, trees, memory, [from, middle], front.clone());
        self.search(tester, trees, memory, [middle, to], front);
        memory.fronts.truncate(end);
    }
}
