//! All features of the moving polyhedron against those of the polygons that it may come near, and the shortcuts of §4.

use impinge::bounds::Aabb;
use impinge::math::DVec3;

use super::course::{Course, Relations, Scene};
use super::moving::Moving;
use super::{Collision, Options, Scratch, SideCache, Stats, inflated};
use crate::van_waveren::axial_bsp::BspStack;
use crate::van_waveren::polyhedron::{Edge, MITER_LIMIT, Polyhedron};

/// Marks of a feature of the stationary polyhedron: which search tested it last, and where its signs are kept.
#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    /// The search that tested the feature last.
    tested: u64,
    /// The search that the row belongs to.
    cached: u64,
    row: u32,
}

/// Memory of searches: which features a search has seen, and the signs of their relations.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    search: u64,
    edges: Vec<Mark>,
    vertices: Vec<Mark>,
    edge_sides: SideCache,
    vertex_sides: SideCache,
}

impl Memory {
    fn begin(&mut self, mover: &Polyhedron, stationary: &Polyhedron) {
        self.search += 1;
        // Marks of other polyhedra are of earlier searches.
        let grow = |marks: &mut Vec<Mark>, count: usize| {
            if marks.len() < count {
                marks.resize(count, Mark::default());
            }
        };
        grow(&mut self.edges, stationary.edge_count());
        grow(&mut self.vertices, stationary.vertex_count());
        self.edge_sides.reset(mover.vertex_count());
        self.vertex_sides.reset(mover.edge_count());
    }
}

/// The relations of one search.
struct Kept<'s> {
    memory: &'s mut Memory,
    stats: &'s mut Stats,
    is_cached: bool,
}

impl Kept<'_> {
    fn note(stats: &mut Stats, is_computed: bool) {
        if is_computed {
            stats.sides += 1;
        } else {
            stats.sides_reused += 1;
        }
    }

    fn sign(&mut self, of_edge: bool, [row, column]: [u32; 2], compute: impl FnOnce() -> i8) -> i8 {
        if !self.is_cached {
            Kept::note(self.stats, true);
            return compute();
        }
        let search = self.memory.search;
        let (marks, cache) = if of_edge {
            (&mut self.memory.edges, &mut self.memory.edge_sides)
        } else {
            (&mut self.memory.vertices, &mut self.memory.vertex_sides)
        };
        let mark = &mut marks[row as usize];
        if mark.cached != search {
            (mark.cached, mark.row) = (search, cache.add_row());
        }
        let (sign, is_computed) = cache.get(mark.row, column, compute);
        Kept::note(self.stats, is_computed);
        sign
    }
}

impl Relations for Kept<'_> {
    fn vertex_edge(&mut self, vertex: u32, edge: u32, compute: impl FnOnce() -> i8) -> i8 {
        self.sign(true, [edge, vertex], compute)
    }

    fn edge_vertex(&mut self, edge: u32, vertex: u32, compute: impl FnOnce() -> i8) -> i8 {
        self.sign(false, [vertex, edge], compute)
    }

    fn count(&mut self, sides: u64) {
        self.stats.sides += sides;
    }
}

/// A search for the first collision along a course.
pub(super) struct Search<'s> {
    mover: &'s Polyhedron,
    stationary: &'s Polyhedron,
    options: &'s Options,
    moving: &'s mut Moving,
    stack: &'s mut BspStack,
    candidates: &'s mut Vec<u32>,
    memory: &'s mut Memory,
    stats: &'s mut Stats,
}

/// The first collision so far.
struct First {
    key: f64,
    collision: Option<Collision>,
}

impl First {
    fn take(&mut self, key: Option<f64>, collision: Collision) {
        if let Some(key) = key
            && (key < self.key || self.collision.is_none() && key <= self.key)
        {
            (self.key, self.collision) = (key, Some(collision));
        }
    }
}

impl<'s> Search<'s> {
    pub(super) fn new(
        mover: &'s Polyhedron,
        stationary: &'s Polyhedron,
        options: &'s Options,
        scratch: &'s mut Scratch,
        stats: &'s mut Stats,
    ) -> Search<'s> {
        let Scratch { moving, stack, candidates, memory } = scratch;
        Search { mover, stationary, options, moving, stack, candidates, memory, stats }
    }

    /// The key of the first collision, and what collides.
    pub(super) fn run(self, course: &impl Course) -> Option<(f64, Collision)> {
        let Search { mover, stationary, options, moving, stack, candidates, memory, stats } = self;
        memory.begin(mover, stationary);
        let bounds = moving.bound(mover, |p| course.path(p));
        live(mover, moving, options, course);
        let moving = &*moving;
        // The zone reaches as far as the sharpest edge pushes it; rounding is far below the last part.
        let reach = options.zone * MITER_LIMIT + 1e-9 * (bounds.size().length() + bounds.center().length());
        let asked = inflated(&bounds, reach);
        candidates.clear();
        if options.tree {
            stationary.tree().for_each_meeting(&asked, stack, |polygon| candidates.push(polygon));
            // Ties are broken by the order, which no shortcut should change.
            candidates.sort_unstable();
        } else {
            candidates.extend(0..stationary.polygon_count() as u32);
        }
        stats.polygons += candidates.len() as u64;
        let scene = Scene { mover, moving, stationary, zone: options.zone, corrected: options.corrected };
        let mut first = First { key: course.end(), collision: None };
        let search = memory.search;
        let mut relations = Kept { memory, stats, is_cached: options.side_cache };
        let is_near = |path: &Aabb, still: &Aabb| !options.feature_bounds || path.overlaps(still);
        for &polygon in candidates.iter() {
            let plane = &stationary.polygons()[polygon as usize];
            let near = inflated(&plane.bounds, reach);
            if !(options.cull_polygons
                && recedes(stationary, &[polygon], stationary.corners(polygon), course))
            {
                for &vertex in &moving.live_vertices {
                    if is_near(&moving.vertex_paths[vertex as usize], &near) {
                        relations.stats.vertex_polygon += 1;
                        let key = course.vertex_polygon(&scene, &mut relations, vertex, polygon, first.key);
                        first.take(key, Collision::VertexPolygon(vertex, polygon));
                    }
                }
            }
            for (edge, _) in stationary.sides(polygon) {
                let tested = &mut relations.memory.edges[edge as usize].tested;
                if options.shared_features && std::mem::replace(tested, search) == search {
                    continue;
                }
                let &Edge { ends, fold, .. } = &stationary.edges()[edge as usize];
                if options.internal_edges && !fold.is_exposed()
                    || options.cull_edges
                        && recedes(stationary, stationary.polygons_along(edge), &ends, course)
                {
                    continue;
                }
                let ends = ends.map(|v| stationary.vertices()[v as usize]);
                let near = inflated(&Aabb::around(ends), reach);
                for &other in &moving.live_edges {
                    if is_near(&moving.edge_paths[other as usize], &near) {
                        relations.stats.edge_edge += 1;
                        let key = course.edge_edge(&scene, &mut relations, other, edge, first.key);
                        first.take(key, Collision::EdgeEdge(other, edge));
                    }
                }
            }
            for &vertex in stationary.corners(polygon) {
                let tested = &mut relations.memory.vertices[vertex as usize].tested;
                if options.shared_features && std::mem::replace(tested, search) == search {
                    continue;
                }
                if options.internal_edges && !stationary.is_exposed_vertex(vertex)
                    || options.cull_vertices
                        && recedes(stationary, stationary.polygons_at(vertex), &[vertex], course)
                {
                    continue;
                }
                let point = stationary.vertices()[vertex as usize];
                let near = inflated(&Aabb { min: point, max: point }, reach);
                for &other in &moving.live_polygons {
                    if is_near(&moving.polygon_paths[other as usize], &near) {
                        relations.stats.polygon_vertex += 1;
                        let key = course.polygon_vertex(&scene, &mut relations, other, vertex, first.key);
                        first.take(key, Collision::PolygonVertex(other, vertex));
                    }
                }
            }
        }
        let bytes = memory.edge_sides.bytes() + memory.vertex_sides.bytes();
        stats.cache_bytes = stats.cache_bytes.max(bytes as u64);
        first.collision.map(|collision| (first.key, collision))
    }
}

/// Whether polygons of the stationary polyhedron turn their backs to the motion wherever it passes the given vertices. The product of normal
/// and velocity is linear along a polygon, so it is enough to ask at corners. A feature without polygons has no back.
fn recedes(stationary: &Polyhedron, polygons: &[u32], vertices: &[u32], course: &impl Course) -> bool {
    !polygons.is_empty()
        && polygons.iter().all(|&polygon| {
            let normal = stationary.polygons()[polygon as usize].normal;
            is_backward(normal, vertices.iter().map(|&v| stationary.vertices()[v as usize]), course)
        })
}

fn is_backward(normal: DVec3, mut points: impl Iterator<Item = DVec3>, course: &impl Course) -> bool {
    points.all(|point| normal.dot(course.velocity(point)) >= 0.0)
}

/// Fills the lists of features of the moving polyhedron that may be the first to touch. Normals and points turn together about the axis, so
/// whether they face the motion does not change on the way.
fn live(mover: &Polyhedron, moving: &mut Moving, options: &Options, course: &impl Course) {
    let Moving { vertices, planes, live_vertices, live_edges, live_polygons, .. } = moving;
    let trails = |polygons: &[u32], corners: &[u32]| {
        !polygons.is_empty()
            && polygons.iter().all(|&polygon| {
                let points = corners.iter().map(|&v| vertices[v as usize]);
                is_backward(-planes[polygon as usize].0, points, course)
            })
    };
    live_vertices.clear();
    live_vertices.extend((0..mover.vertex_count() as u32).filter(|&vertex| {
        !(options.internal_edges && !mover.is_exposed_vertex(vertex)
            || options.cull_vertices && trails(mover.polygons_at(vertex), &[vertex]))
    }));
    live_edges.clear();
    live_edges.extend((0..).zip(mover.edges()).filter_map(|(edge, Edge { ends, fold, .. })| {
        let is_skipped = options.internal_edges && !fold.is_exposed()
            || options.cull_edges && trails(mover.polygons_along(edge), ends);
        (!is_skipped).then_some(edge)
    }));
    live_polygons.clear();
    live_polygons.extend(
        (0..mover.polygon_count() as u32)
            .filter(|&polygon| !(options.cull_polygons && trails(&[polygon], mover.corners(polygon)))),
    );
}
