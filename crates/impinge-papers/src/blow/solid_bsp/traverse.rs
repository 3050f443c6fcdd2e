//! Traversal of a solid BSP tree.

use std::ops::ControlFlow;

use super::route::{Routed, RoutedBox, RoutedRay};
use super::{BSP_PLANE, NOTHING, SolidBsp};
use impinge::bounds::Aabb;
use impinge::math::DVec3;

/// The memory of a traversal. Keep it from query to query: they allocate nothing then.
#[derive(Clone, Debug, Default)]
pub struct BspMemory {
    later: Vec<u32>,
    /// A bit for each polygon that was shown; all are 0 between traversals.
    shown: Vec<u64>,
    /// The words of `shown` that have bits.
    words: Vec<u32>,
}

impl BspMemory {
    fn is_new(&mut self, polygon: u32) -> bool {
        let (word, bit) = (polygon / 64, 1 << (polygon % 64));
        let bits = &mut self.shown[word as usize];
        if *bits == 0 {
            self.words.push(word);
        }
        let is_new = *bits & bit == 0;
        *bits |= bit;
        is_new
    }

    fn forget(&mut self) {
        for word in self.words.drain(..) {
            self.shown[word as usize] = 0;
        }
    }
}

/// Counts of a traversal: planes and spheres compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BspCounts {
    /// Nodes that were visited: planes that were compared with.
    pub planes: u64,
    /// Spheres that were compared with.
    pub spheres: u64,
}

impl SolidBsp {
    /// Calls `visit` with the numbers of polygons, each once, until it breaks: all that share a point with what is asked about,
    /// and some that only come near.
    ///
    /// A fragment may reach beyond the planes above it by their thickness, and rounding of the cuts is far less: so much
    /// padding there is at every plane. `docs/math/solid-bsp.md` adds it up.
    pub fn for_each_reached(
        &self,
        routed: &impl Routed,
        memory: &mut BspMemory,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> BspCounts {
        let mut counts = BspCounts::default();
        if self.nodes.is_empty() {
            return counts;
        }
        let words = self.statistics.polygons.div_ceil(64);
        if memory.shown.len() < words {
            memory.shown.resize(words, 0);
        }
        memory.later.clear();
        memory.later.push(0);
        'walk: while let Some(index) = memory.later.pop() {
            let node = &self.nodes[index as usize];
            counts.planes += 1;
            let [least, most] = routed.reach(node.plane.normal, node.plane.offset);
            let (is_in_front, is_behind) = (least > 2.0 * BSP_PLANE, most < -2.0 * BSP_PLANE);
            if !is_in_front && node.children[0] != NOTHING {
                memory.later.push(node.children[0]);
            }
            if !is_behind && node.children[1] != NOTHING {
                memory.later.push(node.children[1]);
            }
            if is_in_front || is_behind {
                continue;
            }
            for entry in &self.entries[node.first as usize..(node.first + node.count) as usize] {
                counts.spheres += 1;
                if routed.comes_near(entry.center, entry.radius)
                    && memory.is_new(entry.polygon)
                    && visit(entry.polygon).is_break()
                {
                    break 'walk;
                }
            }
        }
        memory.forget();
        counts
    }

    /// Calls `visit` with every polygon that may share a point with a box, each once.
    pub fn for_each_near(&self, bounds: &Aabb, memory: &mut BspMemory, mut visit: impl FnMut(u32)) {
        self.for_each_reached(&RoutedBox::aligned(self, bounds.min, bounds.max), memory, |polygon| {
            visit(polygon);
            ControlFlow::Continue(())
        });
    }

    /// Calls `visit` with every polygon that a ray may hit, each once. Every coordinate of the origin may be off by `error`.
    pub fn for_each_on_ray(
        &self,
        origin: DVec3,
        direction: DVec3,
        error: f64,
        memory: &mut BspMemory,
        mut visit: impl FnMut(u32),
    ) {
        self.for_each_reached(&RoutedRay::new(self, origin, direction, error), memory, |polygon| {
            visit(polygon);
            ControlFlow::Continue(())
        });
    }
}
