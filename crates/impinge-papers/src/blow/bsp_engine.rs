//! The solid BSP engine: intersecting facets of two models, found through the planes of their faces (the hard case of Blow 1997).
//!
//! The box of the smaller model goes down the tree of the larger; each polygon that it reaches there goes down the tree of the
//! smaller; what that reaches is tested exactly. Most pairs that only nearly touch end with the box. The paper sends a
//! sphere around the polygon; here it is the polygon itself, which takes any affine map and is less than its sphere.

use std::ops::ControlFlow;

use impinge::bounds::Aabb;
use impinge::math::{DAffine3, DVec3};
use impinge::query::experiments::{
    FaceTree, FacetMeeting, FacetName, FrameRay, FramedPair, PairTree, intersect_by, intersects_by, row_sum,
};
use impinge::query::{IntersectOptions, Intersection, Stats};
use impinge::{Mesh, Model, Placed};
use impinge_core::bvh::{Corners, Goal};
use impinge_core::narrow::tri_tri::{Facet, Fan, triangles_meet};

use super::solid_bsp::{BspCounts, BspMemory, RoutedBox, RoutedPolygon, SolidBsp};

/// The solid BSP tree over the faces of one model, beside it. Where faces move it is built anew.
///
/// ```
/// use impinge::query::IntersectOptions;
/// use impinge::{Model, Trs, Verdict, shapes};
/// use impinge_papers::blow::{BspEngine, BspEngineMemory};
///
/// let cube = Model::new(shapes::cuboid([-1.0; 3], [1.0; 3])?);
/// let engine = BspEngine::new(&cube);
/// let (a, b) = (cube.at(Trs::IDENTITY), cube.at(Trs::translation([2.0, 0.0, 0.0])?));
/// let memory = &mut BspEngineMemory::default();
/// let found = BspEngine::intersect([&engine; 2], [&a, &b], IntersectOptions::default(), memory);
/// assert_eq!(found.verdict, Verdict::Touching);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BspEngine {
    tree: SolidBsp,
}

impl BspEngine {
    /// An engine for a model.
    pub fn new(model: &Model) -> BspEngine {
        BspEngine { tree: SolidBsp::build(model.mesh().face_count(), &FaceCorners(model.mesh())) }
    }

    /// The tree of planes of the faces.
    pub fn tree(&self) -> &SolidBsp {
        &self.tree
    }

    /// The pair query by the trees of the two models; the engine of `options` does not count.
    pub fn intersect(
        engines: [&BspEngine; 2],
        placed: [&Placed<'_>; 2],
        options: IntersectOptions,
        memory: &mut BspEngineMemory,
    ) -> Intersection {
        intersect_by(placed, engines.map(BspEngine::tree), options, memory)
    }

    /// Whether two models intersect by their trees, and how much work it took; see [`Placed::intersects`](impinge::Placed::intersects).
    pub fn intersects(
        engines: [&BspEngine; 2],
        placed: [&Placed<'_>; 2],
        options: IntersectOptions,
        memory: &mut BspEngineMemory,
    ) -> (bool, Stats) {
        intersects_by(placed, engines.map(BspEngine::tree), options, memory)
    }
}

/// The corners of the faces of a mesh.
struct FaceCorners<'m>(&'m Mesh);

impl Corners for FaceCorners<'_> {
    fn visit(&self, face: u32, visit: impl FnMut(DVec3)) {
        self.0.corners(face).map(|vertex| self.0.vertex(vertex)).for_each(visit);
    }
}

/// The memory of the search through the planes of faces.
#[derive(Debug, Default)]
pub struct BspEngineMemory {
    /// The traversal memory for the trees of the larger and of the smaller model.
    walks: [BspMemory; 2],
    polygon: RoutedPolygon,
    corners: Vec<DVec3>,
    fans: [Fan; 2],
}

impl FaceTree for SolidBsp {
    type Stack = BspMemory;

    fn near(&self, bounds: &Aabb, stack: &mut BspMemory, visit: impl FnMut(u32)) {
        self.for_each_near(bounds, stack, visit);
    }

    fn on_ray(&self, ray: &FrameRay, stack: &mut BspMemory, visit: impl FnMut(u32)) {
        self.for_each_on_ray(ray.origin, ray.direction, ray.error, stack, visit);
    }
}

impl PairTree for SolidBsp {
    type Memory = BspEngineMemory;

    fn for_each_meeting(
        trees: [&SolidBsp; 2],
        pair: &FramedPair<'_, '_>,
        _: Goal<'_>,
        memory: &mut BspEngineMemory,
        meet: impl FnMut(&FacetMeeting) -> ControlFlow<()>,
    ) -> Stats {
        traverse_bsp(trees, pair, memory, meet)
    }
}

/// Traverses the solid BSP trees of the host and the guest and calls `meet` with every pair of facets that intersect, the host's first, until
/// it breaks.
fn traverse_bsp(
    trees: [&SolidBsp; 2],
    &FramedPair { placed, sources, maps }: &FramedPair<'_, '_>,
    memory: &mut BspEngineMemory,
    mut meet: impl FnMut(&FacetMeeting) -> ControlFlow<()>,
) -> Stats {
    // Larger and smaller as the paper has it, by radius: the smaller one fits between the planes of the other.
    let larger = usize::from(placed[1].sphere_in_world().1 > placed[0].sphere_in_world().1);
    let smaller = 1 - larger;
    let models = [larger, smaller].map(|side| placed[side].model());
    let of_host = (&maps.host_from_guest, maps.error_in_host);
    let of_guest = (&maps.guest_from_host, maps.error_in_guest);
    let (into_larger, into_smaller) = if larger == 0 { (of_host, of_guest) } else { (of_guest, of_host) };
    let trees = [trees[larger], trees[smaller]];

    let (map, error) = with_own_rounding(into_larger, models[1]);
    let bounds = models[1].bounds();
    let half = bounds.max * 0.5 - bounds.min * 0.5;
    let center = map.transform_point3(bounds.center());
    let routed_box = RoutedBox::new(trees[0], center, map.matrix3, half, error);

    let (map, error) = with_own_rounding(into_smaller, models[0]);
    let room = DVec3::splat(error);
    let within = Aabb { min: bounds.min - room, max: bounds.max + room };
    let BspEngineMemory { walks: [walk, inner_walk], polygon, corners, fans: [own_fan, other_fan] } = memory;
    let mut stats = Stats::default();
    let mut inner = BspCounts::default();
    let outer = trees[0].for_each_reached(&routed_box, walk, |face| {
        let mesh = models[0].mesh();
        let mapped = || mesh.corners(face).map(|vertex| map.transform_point3(mesh.vertex(vertex)));
        stats.box_tests += 1;
        let image = Aabb::around(mapped());
        // Not where coordinates have overflowed.
        if image.min.cmpgt(within.max).any() || image.max.cmplt(within.min).any() {
            return ControlFlow::Continue(());
        }
        polygon.set(trees[1], mapped(), error);
        let (mut is_placed, mut flow) = (false, ControlFlow::Continue(()));
        let counts = trees[1].for_each_reached(polygon, inner_walk, |other| {
            if !is_placed {
                sources[larger].fan(face, corners, own_fan);
                stats.placed_vertices += larger as u64 * corners.len() as u64;
                is_placed = true;
            }
            sources[smaller].fan(other, corners, other_fan);
            stats.placed_vertices += smaller as u64 * corners.len() as u64;
            stats.face_tests += (own_fan.facets().len() * other_fan.facets().len()) as u64;
            flow = if larger == 0 {
                test([face, other], [own_fan, other_fan], &mut meet)
            } else {
                test([other, face], [other_fan, own_fan], &mut meet)
            };
            flow
        });
        inner.planes += counts.planes;
        inner.spheres += counts.spheres;
        flow
    });
    stats.visits = outer.planes + inner.planes;
    stats.box_tests += stats.visits + outer.spheres + inner.spheres;
    stats
}

/// A map between two models, and by how much what is mapped may be off if this module maps it: rounding reaches as far as the
/// mapped model does, though what intersects may be nearer.
fn with_own_rounding((map, error): (&DAffine3, f64), mapped: &Model) -> (DAffine3, f64) {
    let size = row_sum(&map.matrix3) * mapped.reach() + map.translation.abs().max_element();
    (*map, error + 16.0 * f64::EPSILON * size)
}

/// Tests all facets of two faces, the host's first.
fn test(
    faces: [u32; 2],
    fans: [&Fan; 2],
    meet: &mut impl FnMut(&FacetMeeting) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let named = |side: usize| {
        let name = move |(piece, facet): (u32, &Facet)| (FacetName { face: faces[side], piece }, *facet);
        (0..).zip(fans[side].facets()).map(name)
    };
    for (host_name, host) in named(0) {
        for (guest_name, guest) in named(1) {
            if let Some(kind) = triangles_meet(&host, &guest) {
                meet(&FacetMeeting { names: [host_name, guest_name], facets: [host, guest], kind })?;
            }
        }
    }
    ControlFlow::Continue(())
}
