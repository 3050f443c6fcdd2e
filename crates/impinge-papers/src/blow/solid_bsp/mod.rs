//! Solid BSP trees over polygons (Blow 1997, "Divisiveness is Good"): space divided by the planes of the polygons themselves.
//!
//! ```
//! use impinge::math::DVec3;
//! use impinge_papers::blow::solid_bsp::{BspMemory, RoutedBox, SolidBsp};
//!
//! // Two squares that cross: the plane of one cuts the other.
//! let floor = [[-1., -1., 0.], [1., -1., 0.], [1., 1., 0.], [-1., 1., 0.]].map(DVec3::from);
//! let wall = [[-0.5, -1., -1.], [0.5, -1., -1.], [0.5, 1., 1.], [-0.5, 1., 1.]].map(DVec3::from);
//! let tree = SolidBsp::build(2, &[floor, wall][..]);
//! assert_eq!((tree.statistics().polygons, tree.statistics().fragments), (2, 3));
//!
//! let asked = RoutedBox::aligned(&tree, [-0.1, 0.7, 0.4].into(), [0.1, 0.9, 0.9].into());
//! let (mut memory, mut found) = (BspMemory::default(), Vec::new());
//! tree.for_each_reached(&asked, &mut memory, |polygon| {
//!     found.push(polygon);
//!     std::ops::ControlFlow::Continue(())
//! });
//! assert_eq!(found, [1]);
//! ```
//!
//! A node keeps the polygons in its plane, each as a sphere; what lies in front goes to one child, what lies behind to the
//! other, and what the plane passes through is cut. Fragments are rounded: they only tell where a polygon is to be looked for.
//! A query is shown whole polygons, at least all those that touch its volume, and decides exactly.
//!
//! Where the paper's tree is a chain, as that of every convex body is, or its planes would cut too much, planes across an
//! axis divide larger numbers of polygons instead.

mod build;
mod fragment;
mod route;
mod traverse;

pub use route::{Routed, RoutedBox, RoutedPolygon, RoutedRay};
pub use traverse::{BspCounts, BspMemory};

use impinge::math::DVec3;

/// Half the thickness of a plane of a solid BSP tree, in multiples of the polygons' largest distance from the
/// middle of their box along an axis: 2⁻³⁶, about 1.5e-11.
///
/// Corners closer to the plane than this are on neither side. More than sixty times what rounding of a fragment can come
/// to, so that fragments lie where the tree says and nothing that is looked for is missed. Smaller than 2⁻⁴¹, and it could be; larger,
/// and more is looked at.
pub const BSP_PLANE: f64 = 1.0 / (1_u64 << 36) as f64;

/// A plane: points `p` with `normal · p + offset = 0`, in the tree's units.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Plane {
    /// Of length 1, or 0 for a node without a plane, which everything touches.
    normal: DVec3,
    offset: f64,
}

impl Plane {
    /// No plane: everything is on it.
    const NONE: Plane = Plane { normal: DVec3::ZERO, offset: 0.0 };

    #[inline(always)]
    fn side(&self, point: DVec3) -> f64 {
        self.normal.dot(point) + self.offset
    }
}

/// No child.
const NOTHING: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    plane: Plane,
    /// Behind the plane, and in front of it.
    children: [u32; 2],
    /// The fragments in the plane: where they begin, and how many they are.
    first: u32,
    count: u32,
}

/// A fragment: whose it is, and a sphere around it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Entry {
    center: DVec3,
    radius: f64,
    polygon: u32,
}

/// A solid BSP tree over numbered polygons.
#[derive(Clone, Debug, PartialEq)]
pub struct SolidBsp {
    nodes: Vec<Node>,
    entries: Vec<Entry>,
    /// The tree's units: `(point - origin) * scale`, no coordinate of a polygon beyond 1.
    origin: DVec3,
    scale: f64,
    statistics: BspStatistics,
}

/// Counts of a tree: polygons, fragments, nodes and depth (Blow 1997, "Let's Rock": before and after BSP cuts).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BspStatistics {
    /// Polygons before the cuts.
    pub polygons: usize,
    /// Pieces after the cuts. A polygon that is not flat and convex counts as the triangles of its fan.
    pub fragments: usize,
    /// Nodes, with those that only list what was not divided further.
    pub nodes: usize,
    /// The most nodes from the root down.
    pub depth: usize,
    /// Planes across an axis, which are no polygon's own.
    pub axial_planes: usize,
    /// The longest list of fragments at a node.
    pub longest_list: usize,
}

impl SolidBsp {
    /// The counts of the tree: polygons, fragments, nodes and depth.
    pub fn statistics(&self) -> BspStatistics {
        self.statistics
    }

    /// Bytes that the tree takes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.nodes.as_slice()) + size_of_val(self.entries.as_slice())
    }

    /// A point in the tree's units.
    #[inline(always)]
    fn local(&self, point: DVec3) -> DVec3 {
        (point - self.origin) * self.scale
    }
}
