//! The chain of filters of Blow 1997 for two shapes that stand still, in his order, each counted where it decides.
//!
//! A filter says that two shapes are apart, or nothing; early hit detection says that they collide, or nothing. What rounding may do is added to
//! the size of every volume, so that no filter contradicts the hard case.

use impinge::Placed;
use impinge::math::DVec3;
use impinge::query::{IntersectOptions, Verdict};

use crate::blow::game_world::{Filter, MoreCounts};
use crate::blow::{BspEngine, BspEngineMemory};
use crate::stopwatch::nanoseconds;

/// A test of the chain, in the order in which they are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The grid over the ground: bodies that share no square.
    Grid,
    /// Distances of the centers along the axes, added up: "almost never saved any execution time", and taken out again.
    Manhattan,
    /// Spheres around the bodies.
    Spheres,
    /// Oriented boxes around the bodies: "bounding box safety".
    Boxes,
    /// A plane with one body on each side, found by trial.
    Plane,
    /// A vertex of one body inside of the other, which tells at once that they collide: taken out again, as bodies almost never do.
    EarlyVertex,
    /// The BSP trees of both: the box of the smaller first, then its polygons.
    Hard,
}

impl Stage {
    /// All tests, in their order.
    pub const ALL: [Stage; 7] = [
        Stage::Grid,
        Stage::Manhattan,
        Stage::Spheres,
        Stage::Boxes,
        Stage::Plane,
        Stage::EarlyVertex,
        Stage::Hard,
    ];

    /// The name of the test in tables.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Grid => "grid",
            Stage::Manhattan => "manhattan distance",
            Stage::Spheres => "bounding spheres",
            Stage::Boxes => "bounding box safety",
            Stage::Plane => "plane divides entities",
            Stage::EarlyVertex => "early vertex hit",
            Stage::Hard => "hard case",
        }
    }
}

/// The filters that are asked between the grid and the hard case. None changes an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chain {
    /// Whether to ask [`Stage::Manhattan`].
    pub manhattan: bool,
    /// Whether to ask [`Stage::Spheres`].
    pub spheres: bool,
    /// Whether to ask [`Stage::Boxes`].
    pub boxes: bool,
    /// Whether to ask [`Stage::Plane`].
    pub plane: bool,
    /// Whether to ask [`Stage::EarlyVertex`].
    pub early_vertex: bool,
}

impl Chain {
    /// The chain of the paper's table.
    pub const PAPER: Chain =
        Chain { manhattan: false, spheres: true, boxes: true, plane: true, early_vertex: false };
    /// The chain of the paper with the two filters that it took out again.
    pub const ALL: Chain =
        Chain { manhattan: true, spheres: true, boxes: true, plane: true, early_vertex: true };
    /// The hard case alone.
    pub const NONE: Chain =
        Chain { manhattan: false, spheres: false, boxes: false, plane: false, early_vertex: false };
}

/// A shape that stands somewhere, with its BSP tree.
#[derive(Clone, Copy)]
pub(super) struct Shape<'s> {
    pub(super) placed: Placed<'s>,
    pub(super) engine: &'s BspEngine,
    pub(super) is_fixed: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    asked: u64,
    decided: u64,
    /// Of those that were decided, pairs with a fixed body.
    against_fixed: u64,
    nanoseconds: u64,
}

/// The counts of the chain, and the memory of the hard case.
#[derive(Default)]
pub(super) struct Work {
    counts: [Count; Stage::ALL.len()],
    /// Cases in which the pair collided.
    pub(super) collisions: u64,
    /// Speedboxes that replaced a body in a test.
    pub(super) speedboxes: u64,
    memory: BspEngineMemory,
}

impl Work {
    /// Counts a test that is asked about some pairs, of which it decides some.
    pub(super) fn add(&mut self, stage: Stage, asked: u64, decided: u64, nanoseconds: u64) {
        let count = &mut self.counts[stage as usize];
        count.asked += asked;
        count.decided += decided;
        count.nanoseconds += nanoseconds;
    }

    fn record(&mut self, stage: Stage, other: &Shape<'_>, decide: impl FnOnce() -> bool) -> bool {
        let start = nanoseconds();
        let is_decided = decide();
        self.add(stage, 1, u64::from(is_decided), nanoseconds().saturating_sub(start));
        self.counts[stage as usize].against_fixed += u64::from(is_decided && other.is_fixed);
        is_decided
    }

    /// Begins the counts anew.
    pub(super) fn clear(&mut self) {
        (self.counts, self.collisions, self.speedboxes) = Default::default();
    }

    /// The counts of the tests that were asked.
    pub(super) fn filters(&self) -> Vec<Filter> {
        let filter = |stage: Stage| {
            let Count { asked, decided, nanoseconds, .. } = self.counts[stage as usize];
            Filter { name: stage.name(), asked, decided, mean_ns: nanoseconds as f64 / asked as f64 }
        };
        self.asked().map(filter).collect()
    }

    /// The counts beside those of the filters.
    pub(super) fn more_counts(&self) -> MoreCounts {
        MoreCounts {
            collisions: self.collisions,
            speedboxes: self.speedboxes,
            against_fixed: self.asked().map(|stage| self.counts[stage as usize].against_fixed).collect(),
        }
    }

    fn asked(&self) -> impl Iterator<Item = Stage> {
        Stage::ALL.into_iter().filter(|stage| self.counts[*stage as usize].asked > 0)
    }

    /// Whether two shapes collide: the interiors of solids meet, or surfaces cross. What only touches does not.
    pub(super) fn collide(&mut self, chain: &Chain, own: &Shape<'_>, other: &Shape<'_>) -> bool {
        let (a, b) = (&own.placed, &other.placed);
        if chain.manhattan && self.record(Stage::Manhattan, other, || are_apart_by_axes(a, b))
            || chain.spheres && self.record(Stage::Spheres, other, || are_spheres_apart(a, b))
            || chain.boxes && self.record(Stage::Boxes, other, || are_boxes_apart(a, b))
            || chain.plane && self.record(Stage::Plane, other, || is_divided(a, b))
        {
            return false;
        }
        if chain.early_vertex && self.record(Stage::EarlyVertex, other, || has_vertex_inside(a, b)) {
            self.collisions += 1;
            return true;
        }
        let mut memory = std::mem::take(&mut self.memory);
        let mut collide = false;
        self.record(Stage::Hard, other, || {
            let (engines, options) = ([own.engine, other.engine], IntersectOptions::default());
            let verdict = BspEngine::intersect(engines, [a, b], options, &mut memory).verdict;
            collide = matches!(verdict, Verdict::Overlapping | Verdict::Inside(_));
            true
        });
        self.memory = memory;
        self.collisions += u64::from(collide);
        collide
    }
}

/// What rounding may do to points of shapes that stand so far from the origin.
fn rounding(centers: [DVec3; 2], radii: f64) -> f64 {
    1e-13 * (centers[0].abs().element_sum() + centers[1].abs().element_sum() + radii)
}

/// Whether the distances of the centers along the axes add up to more than √3 times what the radii do: so much longer they are at most than
/// the straight way.
fn are_apart_by_axes(a: &Placed<'_>, b: &Placed<'_>) -> bool {
    let ((p, own), (q, other)) = (a.sphere_in_world(), b.sphere_in_world());
    let reach = own + other + rounding([p, q], own + other);
    (q - p).abs().element_sum() > 1.732_050_807_568_877_4 * reach * (1.0 + 1e-12)
}

/// Whether the squared distance of the centers is more than the squared sum of the radii (Figure 3). False for NaN and infinity.
fn are_spheres_apart(a: &Placed<'_>, b: &Placed<'_>) -> bool {
    let ((p, own), (q, other)) = (a.sphere_in_world(), b.sphere_in_world());
    let reach = own + other + rounding([p, q], own + other);
    (q - p).length_squared() > reach * reach * (1.0 + 1e-12)
}

/// A model's own box where it stands: its middle, and half of its edges.
struct Slanted {
    middle: DVec3,
    halves: [DVec3; 3],
}

impl Slanted {
    fn around(placed: &Placed<'_>) -> Slanted {
        let map = placed.placement().world_from_model();
        let bounds = placed.model().bounds();
        let half = bounds.size() / 2.0;
        let matrix = &map.matrix3;
        Slanted {
            middle: map.transform_point3(bounds.center()),
            halves: [matrix.x_axis * half.x, matrix.y_axis * half.y, matrix.z_axis * half.z],
        }
    }

    fn reach(&self, axis: DVec3) -> f64 {
        self.halves.iter().map(|half| half.dot(axis).abs()).sum()
    }

    fn normals(&self) -> [DVec3; 3] {
        let [x, y, z] = self.halves;
        [y.cross(z), z.cross(x), x.cross(y)]
    }
}

/// Whether one of the 15 axes of two boxes separates them.
fn are_boxes_apart(a: &Placed<'_>, b: &Placed<'_>) -> bool {
    let (a, b) = (Slanted::around(a), Slanted::around(b));
    let between = b.middle - a.middle;
    let size = |one: &Slanted| one.halves.iter().map(|half| half.abs().element_sum()).sum::<f64>();
    let room = rounding([a.middle, b.middle], size(&a) + size(&b));
    let separates = |axis: DVec3| {
        let length = axis.length();
        let reach = a.reach(axis) + b.reach(axis) + room * length;
        length > 0.0 && between.dot(axis).abs() > reach
    };
    a.normals().into_iter().chain(b.normals()).any(separates)
        || a.halves.iter().any(|u| b.halves.iter().any(|v| separates(u.cross(*v))))
}

/// Directions that are tried before the search for a dividing plane is given up.
const TRIALS: usize = 8;

/// Whether a plane with one shape on each side was found: across the line between the middles, then mirrored at what it hit (Chung and Wang).
fn is_divided(a: &Placed<'_>, b: &Placed<'_>) -> bool {
    let ((p, own), (q, other)) = (a.sphere_in_world(), b.sphere_in_world());
    let room = rounding([p, q], own + other);
    let Some(mut direction) = (q - p).try_normalize() else { return false };
    for _ in 0..TRIALS {
        let between = farthest(b, -direction) - farthest(a, direction);
        if direction.dot(between) > room {
            return true;
        }
        let Some(between) = between.try_normalize() else { return false };
        let mirrored = direction - 2.0 * direction.dot(between) * between;
        let Some(next) = mirrored.try_normalize() else { return false };
        direction = next;
    }
    false
}

/// The vertex that is farthest along a direction, in the world.
fn farthest(placed: &Placed<'_>, direction: DVec3) -> DVec3 {
    let map = placed.placement().world_from_model();
    let in_model = map.matrix3.transpose() * direction;
    let (mut most, mut best) = (f64::NEG_INFINITY, DVec3::ZERO);
    for vertex in placed.model().mesh().vertices() {
        let along = vertex.dot(in_model);
        if along > most {
            (most, best) = (along, vertex);
        }
    }
    map.transform_point3(best)
}

/// Whether a vertex of one solid lies inside of the other, deeper than rounding can do. `false` says nothing.
fn has_vertex_inside(a: &Placed<'_>, b: &Placed<'_>) -> bool {
    [(a, b), (b, a)].into_iter().any(|(own, other)| {
        let bounds = other.bounds();
        let vertices = own.model().mesh().vertices().map(|vertex| own.placement().point_to_world(vertex));
        // Only the necessary ones: a vertex outside of the box is outside of what is in it.
        vertices.filter(|point| bounds.contains(*point)).any(|point| {
            let room = 1e-12 * (point.abs().max_element() + bounds.size().max_element());
            other.signed_distance(point).is_some_and(|distance| distance.signed() < -room)
        })
    })
}
