//! Packet traversal: coherent rays that go the same way, one lane each.
//!
//! A node is first tested for all of them at once: between the least and the largest of their starts and directions. The
//! children that are left are tested for each ray.

use super::{Block, Bvh8, Child8, DEEPEST, Node8};
use crate::bvh::bvh8::interleaved::{LEAVE_ROUNDING, Walker};
use crate::bvh::bvh8::ray_tri_filter::{Seen, Sight};
use crate::bvh::bvh8::ray8::{AXES, EIGHT, Each, EightRays};
use crate::simd::Lanes;

/// The stack of a packet: the rays that enter each child that waits.
#[derive(Clone, Debug)]
pub(super) struct Together {
    walker: Walker,
    /// The rays that enter each child that waits, one bit each.
    entering: [u8; DEEPEST],
}

/// The bounds that all rays of a packet share.
struct Common {
    /// The axes in a right-handed order, the one that the rays follow most last.
    axes: [usize; 3],
    forward: [bool; 3],
    /// By axis: the least to be subtracted from the sides that are passed first, and the most from the others, as seen by the
    /// rays; and the least and the largest factor.
    from: [[f32; 2]; 3],
    inverse: [[f32; 2]; 3],
}

impl Together {
    pub(super) const NEW: Together = Together { walker: Walker::NONE, entering: [0; DEEPEST] };

    /// Traverses the tree with a packet of coherent rays.
    #[inline(always)]
    pub(super) fn traverse<L: Lanes>(&mut self, tree: &Bvh8, rays: &mut EightRays, cull_back: bool) {
        if rays.walking == 0 {
            return;
        }
        let common = Common::of(rays);
        let mut farthest = largest(&rays.limits);
        self.walker.begin(tree.root);
        self.entering[0] = rays.walking as u8;
        while self.walker.count > 0 {
            let child = self.walker.pop();
            let place = self.walker.count % DEEPEST;
            if self.walker.keys[place] > farthest.to_bits() {
                continue;
            }
            if child.is_block() {
                let entering = u32::from(self.entering[place]);
                if look::<L>(&tree.blocks[child.index()], child, rays, &common, entering, cull_back) {
                    farthest = largest(&rays.limits);
                }
            } else {
                self.open::<L>(tree, &tree.nodes[child.index()], rays, &common, farthest);
            }
        }
    }

    /// Lets the children of a node wait that some rays pass through.
    #[inline(always)]
    fn open<L: Lanes>(
        &mut self,
        tree: &Bvh8,
        node: &Node8,
        rays: &mut EightRays,
        common: &Common,
        farthest: f32,
    ) {
        let mut sides = [[0.0; 8]; 6];
        let (mut enter, mut leave) = (L::f32x8_splat(0.0), L::f32x8_splat(f32::MAX));
        let mut k = 0;
        while k < 3 {
            let (near, far) = if common.forward[k] { (k, k + 3) } else { (k + 3, k) };
            let (near, far) = (L::f32x8_of(&node.sides[near]), L::f32x8_of(&node.sides[far]));
            L::f32x8_store(near, &mut sides[k]);
            L::f32x8_store(far, &mut sides[k + 3]);
            let near = L::sub(near, L::f32x8_splat(common.from[k][0]));
            let far = L::sub(far, L::f32x8_splat(common.from[k][1]));
            let (least, most) = (L::f32x8_splat(common.inverse[k][0]), L::f32x8_splat(common.inverse[k][1]));
            enter = L::f32x8_max(L::f32x8_min(L::mul(near, least), L::mul(near, most)), enter);
            leave = L::f32x8_min(L::f32x8_max(L::mul(far, least), L::mul(far, most)), leave);
            k += 1;
        }
        let leave = L::f32x8_min(L::mul(leave, L::f32x8_splat(LEAVE_ROUNDING)), L::f32x8_splat(farthest));
        let Walker { count, keys, waiting } = &mut self.walker;
        let (Some(keys), Some(waiting), Some(entering)) = (
            keys[*count..].first_chunk_mut::<8>(),
            waiting[*count..].first_chunk_mut::<8>(),
            self.entering[*count..].first_chunk_mut::<8>(),
        ) else {
            (*count, rays.odd) = (0, rays.odd | rays.walking);
            return;
        };
        let found = L::nearest_of_eight(enter, leave, &node.children, keys, waiting);
        let (mut i, mut kept) = (0, 0);
        while i < found {
            let met = rays.enter::<L>(&sides, keys[i] as usize % 8, &common.forward);
            (keys[kept], waiting[kept], entering[kept]) = (keys[i], waiting[i], met as u8);
            kept += usize::from(met != 0);
            i += 1;
        }
        *count += kept;
        if kept > 0 {
            let next = Child8(waiting[kept - 1]);
            if next.is_block() {
                tree.blocks[next.index()].prefetch::<L>();
            } else {
                tree.nodes[next.index()].prefetch::<L>();
            }
        }
    }
}

impl Common {
    #[inline(always)]
    fn of(rays: &mut EightRays) -> Common {
        let first = rays.walking.trailing_zeros() as usize % EIGHT;
        let axes = AXES[rays.main_axis(first) % 3];
        let mut common = Common { axes, forward: [false; 3], from: [[0.0; 2]; 3], inverse: [[0.0; 2]; 3] };
        // Those that do not walk do as the first, and have no limit to go to.
        let mut ray = 0;
        while ray < EIGHT {
            if rays.walking >> ray & 1 == 0 {
                let mut k = 0;
                while k < 3 {
                    rays.low[k][ray] = rays.low[k][first];
                    rays.high[k][ray] = rays.high[k][first];
                    rays.inverse[k][ray] = rays.inverse[k][first];
                    k += 1;
                }
                rays.limits[ray] = -1.0;
            }
            ray += 1;
        }
        let mut k = 0;
        while k < 3 {
            common.forward[k] = rays.forward[k] >> first & 1 == 1;
            let (low, high) = (largest_of(&rays.low[k]), least_of(&rays.high[k]));
            common.from[k] = if common.forward[k] { [low, high] } else { [high, low] };
            common.inverse[k] = [least_of(&rays.inverse[k]), largest_of(&rays.inverse[k])];
            k += 1;
        }
        common
    }
}

impl EightRays {
    /// One bit for each ray that enters a child of a node, with the sides in the order in which the rays pass them.
    #[inline(always)]
    fn enter<L: Lanes>(&self, sides: &[[f32; 8]; 6], lane: usize, forward: &[bool; 3]) -> u32 {
        let (mut enter, mut leave) = (L::f32x8_splat(0.0), L::f32x8_splat(f32::MAX));
        let mut k = 0;
        while k < 3 {
            let inverse = L::load(&self.inverse[k]);
            let (near, far) =
                if forward[k] { (&self.low[k], &self.high[k]) } else { (&self.high[k], &self.low[k]) };
            let near = L::sub(L::f32x8_splat(sides[k][lane % 8]), L::load(near));
            let far = L::sub(L::f32x8_splat(sides[k + 3][lane % 8]), L::load(far));
            enter = L::f32x8_max(L::mul(near, inverse), enter);
            leave = L::f32x8_min(L::mul(far, inverse), leave);
            k += 1;
        }
        let leave = L::f32x8_min(L::mul(leave, L::f32x8_splat(LEAVE_ROUNDING)), L::load(&self.limits));
        !L::f32x8_greater(enter, leave) & 0xff
    }
}

/// Looks at the triangles of a block, one after the other. Returns whether a ray's limit is less now.
#[inline(always)]
fn look<L: Lanes>(
    block: &Block,
    child: Child8,
    rays: &mut EightRays,
    common: &Common,
    entering: u32,
    cull_back: bool,
) -> bool {
    let [i, j, k] = common.axes;
    let sign = L::f32x8_splat(if common.forward[k % 3] { 1.0 } else { -1.0 });
    let sight = Sight::<L> {
        start: [L::load(&rays.start[i % 3]), L::load(&rays.start[j % 3]), L::load(&rays.start[k % 3])],
        shear: [L::mul(L::load(&rays.along[i % 3]), sign), L::mul(L::load(&rays.along[j % 3]), sign)],
        sign,
        slack: L::load(&rays.slack),
        depth_slack: L::load(&rays.depth_slack),
    };
    let (mut lanes, mut is_less) = (child.lanes(), false);
    while lanes != 0 {
        let lane = lanes.trailing_zeros() as usize % 8;
        lanes &= lanes - 1;
        let mut seen = Seen::none();
        let mut corner = 0;
        while corner < 3 {
            let x = L::f32x8_splat(block.corners[i % 3][corner][lane]);
            let y = L::f32x8_splat(block.corners[j % 3][corner][lane]);
            seen.set(corner, [x, y, L::f32x8_splat(block.corners[k % 3][corner][lane])], &sight);
            corner += 1;
        }
        let judged = seen.judge(&sight);
        let mut met = judged.met & entering;
        if cull_back {
            met &= !judged.behind(&sight);
        }
        if met == 0 {
            continue;
        }
        let between = seen.between(&judged, &sight);
        while met != 0 {
            let ray = met.trailing_zeros() as usize % EIGHT;
            met &= met - 1;
            let is_sure = judged.sure >> ray & 1 == 1;
            is_less |= rays.note(ray, block.faces[lane], between.of(ray, is_sure), is_sure);
        }
    }
    is_less
}

/// The largest of the limits, at least 0.
#[inline(always)]
fn largest(limits: &Each<f32>) -> f32 {
    let largest = largest_of(limits);
    if largest > 0.0 { largest } else { 0.0 }
}

#[inline(always)]
fn largest_of(values: &Each<f32>) -> f32 {
    let mut largest = values[0];
    let mut i = 1;
    while i < EIGHT {
        largest = if values[i] > largest { values[i] } else { largest };
        i += 1;
    }
    largest
}

#[inline(always)]
fn least_of(values: &Each<f32>) -> f32 {
    let mut least = values[0];
    let mut i = 1;
    while i < EIGHT {
        least = if values[i] < least { values[i] } else { least };
        i += 1;
    }
    least
}
