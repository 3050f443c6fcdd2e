//! The narrow phase of van Waveren 2005, §2–§4: times of impact of vertices, edges and polygons in floating point, with an expel zone.
//!
//! ```
//! use impinge::shapes::cuboid;
//! use impinge::{Mesh, Motion, Placement};
//! use impinge_papers::van_waveren::narrow::{Options, Scratch, sweep};
//! use impinge_papers::van_waveren::polyhedron::Polyhedron;
//!
//! let cube = Polyhedron::of(&Mesh::from(cuboid([0.0; 3], [1.0; 3])?))?;
//! let wall = Polyhedron::of(&Mesh::from(cuboid([3.0, -1.0, -1.0], [4.0, 2.0, 2.0])?))?;
//! let motion = Motion::translation([4.0, 0.0, 0.0])?;
//! let options = Options { zone: 0.25, ..Options::default() };
//! let impact = sweep(&cube, &Placement::IDENTITY, &motion, &wall, &options, &mut Scratch::default())?;
//! // Two units to the wall, less the zone.
//! assert_eq!(impact.fraction, 1.75 / 4.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The engine is the paper's, and shares its limits. Roots are floating-point numbers, so a zone of no thickness may be late by rounding. Only fronts
//! of polygons collide. A start in overlap is not seen. A motion that moves and turns at once must be given as one after the other.

mod arc;
mod course;
mod moving;
mod search;
mod side_cache;
mod straight;
mod wave;

use std::fmt;

use impinge::bounds::Aabb;
use impinge::math::DAffine3;
use impinge::transform::Phase;
use impinge::{Motion, Placement};
use serde::Serialize;

use super::axial_bsp::BspStack;
use super::polyhedron::Polyhedron;
use arc::Arc;
use moving::Moving;
use search::Search;
use side_cache::SideCache;
use straight::Straight;

/// Options of a sweep: the expel zone, and every shortcut. Shortcuts leave the answer as it is, but for one case: where the printed rule stops an
/// arc beside a polygon that recedes everywhere, culling lets it go on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Options {
    /// The thickness of the expel zone (§3).
    pub zone: f64,
    /// Whether a hit is decided where the path crosses the surface itself, and stops where it enters the zone over that polygon or edge.
    /// The paper decides by the tangent where the path crosses the top of the zone, and stops there even far beside a polygon.
    pub corrected: bool,
    /// Whether shared vertices and edges are tested once (§4).
    pub shared_features: bool,
    /// Whether signs of sidedness relations are kept in bits (§4); only translations repeat any.
    pub side_cache: bool,
    /// Whether internal and flat edges are left out, and vertices with no other edges (§4).
    pub internal_edges: bool,
    /// Whether polygons that move away are left out (§4).
    pub cull_polygons: bool,
    /// Whether edges are left out where all their polygons move away.
    pub cull_edges: bool,
    /// Whether vertices are left out where all their polygons move away.
    pub cull_vertices: bool,
    /// Whether the axial BSP tree finds the polygons in the bounds of the motion (§5); otherwise all are tried.
    pub tree: bool,
    /// Whether features are left out whose own bounds along the motion are apart (§5).
    pub feature_bounds: bool,
    /// Whether rotations are compared by the tangent of half the angle, without an arc tangent for each (§4).
    pub tangent_order: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            zone: 0.0,
            corrected: false,
            shared_features: true,
            side_cache: true,
            internal_edges: true,
            cull_polygons: true,
            cull_edges: true,
            cull_vertices: true,
            tree: true,
            feature_bounds: true,
            tangent_order: true,
        }
    }
}

impl Options {
    /// No shortcut at all: every polygon, six vertices and nine edges for two triangles.
    pub fn plain(zone: f64) -> Options {
        Options {
            zone,
            corrected: false,
            shared_features: false,
            side_cache: false,
            internal_edges: false,
            cull_polygons: false,
            cull_edges: false,
            cull_vertices: false,
            tree: false,
            feature_bounds: false,
            tangent_order: false,
        }
    }
}

/// What a sweep did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// Polygons of the stationary polyhedron that were looked at.
    pub polygons: u64,
    /// Vertices of the moving polyhedron tested against polygons.
    pub vertex_polygon: u64,
    /// Polygons of the moving polyhedron tested against vertices.
    pub polygon_vertex: u64,
    /// Edges tested against edges.
    pub edge_edge: u64,
    /// Sidedness relations that were computed.
    pub sides: u64,
    /// Sidedness relations that were read from the cache.
    pub sides_reused: u64,
    /// The largest cache, in bytes.
    pub cache_bytes: u64,
}

impl Stats {
    /// All tests of features.
    pub fn feature_tests(&self) -> u64 {
        self.vertex_polygon + self.polygon_vertex + self.edge_edge
    }

    /// Adds the work of another sweep.
    pub fn add(&mut self, other: &Stats) {
        self.polygons += other.polygons;
        self.vertex_polygon += other.vertex_polygon;
        self.polygon_vertex += other.polygon_vertex;
        self.edge_edge += other.edge_edge;
        self.sides += other.sides;
        self.sides_reused += other.sides_reused;
        self.cache_bytes = self.cache_bytes.max(other.cache_bytes);
    }
}

/// The features that collide, by their numbers in the polyhedra.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Collision {
    /// A vertex of the moving polyhedron, and a polygon.
    VertexPolygon(u32, u32),
    /// A polygon of the moving polyhedron, and a vertex.
    PolygonVertex(u32, u32),
    /// An edge of the moving polyhedron, and an edge.
    EdgeEdge(u32, u32),
}

/// The outcome of a sweep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// The fraction of the motion until the stop; 1 where nothing stops it.
    pub fraction: f64,
    /// What stops it.
    pub collision: Option<Collision>,
    /// The work that it took.
    pub stats: Stats,
}

/// A sweep that the paper's engine cannot make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SweepError {
    /// The motion moves and turns at once.
    RigidMotion,
    /// The pose shears, mirrors, or scales by different factors.
    Pose,
}

impl fmt::Display for SweepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SweepError::RigidMotion => write!(f, "the motion moves and turns at once"),
            SweepError::Pose => write!(f, "the pose is no rotation, translation and scale by one factor"),
        }
    }
}

impl std::error::Error for SweepError {}

/// Memory of sweeps. Keep it from one to the next: they allocate nothing then.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    moving: Moving,
    stack: BspStack,
    candidates: Vec<u32>,
    memory: search::Memory,
}

/// Moves a polyhedron towards one that stands still where its own coordinates put it.
pub fn sweep(
    mover: &Polyhedron,
    start: &Placement,
    motion: &Motion,
    stationary: &Polyhedron,
    options: &Options,
    scratch: &mut Scratch,
) -> Result<Impact, SweepError> {
    let start = start.world_from_model();
    if !is_similar(start) {
        return Err(SweepError::Pose);
    }
    let mut stats = Stats::default();
    for (phase, [from, to]) in motion.phases() {
        let global = |local: f64| from + local * (to - from);
        match phase {
            Phase::Rigid => return Err(SweepError::RigidMotion),
            Phase::Translation => {
                scratch.moving.place(mover, start, stationary.center());
                let course = Straight::new(motion.by());
                let found = Search::new(mover, stationary, options, scratch, &mut stats).run(&course);
                if let Some((f, collision)) = found {
                    return Ok(Impact { fraction: global(f), collision: Some(collision), stats });
                }
            }
            Phase::Rotation => {
                let Some(turn) = motion.turn() else { continue };
                let angle = turn.radians().abs();
                let axis = if turn.degrees < 0.0 { -turn.axis } else { turn.axis };
                // Half angles stay within 45°, where the tangent is at most 1.
                let arcs = (angle / std::f64::consts::FRAC_PI_2).ceil().max(1.0);
                for k in 0..arcs as u64 {
                    let local = |share: f64| (k as f64 + share) / arcs;
                    let pose = motion.carry_by(start, 1.0, local(0.0));
                    scratch.moving.place(mover, &pose, stationary.center());
                    let course = Arc::new(turn.center - stationary.center(), axis, angle / arcs, options);
                    let found = Search::new(mover, stationary, options, scratch, &mut stats).run(&course);
                    if let Some((key, collision)) = found {
                        let fraction = global(local(course.share(key)).min(1.0));
                        return Ok(Impact { fraction, collision: Some(collision), stats });
                    }
                }
            }
        }
    }
    Ok(Impact { fraction: 1.0, collision: None, stats })
}

/// Whether a pose is a rotation, a translation and one positive factor, up to rounding.
fn is_similar(at: &DAffine3) -> bool {
    let m = at.matrix3;
    let scale = m.x_axis.length_squared();
    let near = |value: f64, expected: f64| (value - expected).abs() <= 1e-9 * scale;
    scale > 0.0
        && m.determinant() > 0.0
        && near(m.y_axis.length_squared(), scale)
        && near(m.z_axis.length_squared(), scale)
        && [m.x_axis.dot(m.y_axis), m.y_axis.dot(m.z_axis), m.z_axis.dot(m.x_axis)]
            .iter()
            .all(|&d| near(d, 0.0))
}

/// A box made larger on all sides.
fn inflated(bounds: &Aabb, by: f64) -> Aabb {
    Aabb { min: bounds.min - by, max: bounds.max + by }
}
