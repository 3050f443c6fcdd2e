//! Interleaved traversal of incoherent rays: while one waits for memory or for its arithmetic, the others go on.
//!
//! Each turn takes one node or one block. Rays that are to open a node next and those that are to look at a block are in
//! two lists, so that the processor need not guess which it is.

use super::{Bvh8, Child8, DEEPEST};
use crate::bvh::bvh8::ray_tri_filter::{Seen, Sight};
use crate::bvh::bvh8::ray8::{AXES, EightRays, GROUPS, RAYS};
use crate::bvh::traverse::ray::ROUNDING;
use crate::simd::Lanes;

/// A factor that covers the rounding of the distances at which a box is entered and left.
pub(super) const LEAVE_ROUNDING: f32 = 1.0 + 2.0 * ROUNDING as f32;

/// A ray on its way: children that wait, the nearest last, with the distances at which the ray enters them. None is
/// beyond the ray's limit.
#[derive(Clone, Debug)]
pub(super) struct Walker {
    pub(super) count: usize,
    pub(super) keys: [u32; DEEPEST],
    pub(super) waiting: [u32; DEEPEST],
}

impl Walker {
    pub(super) const NONE: Walker = Walker { count: 0, keys: [0; DEEPEST], waiting: [0; DEEPEST] };

    #[inline(always)]
    pub(super) fn begin(&mut self, root: Option<Child8>) {
        let Some(root) = root else {
            self.count = 0;
            return;
        };
        (self.count, self.keys[0], self.waiting[0]) = (1, 0, root.0);
    }

    #[inline(always)]
    pub(super) fn pop(&mut self) -> Child8 {
        self.count -= 1;
        Child8(self.waiting[self.count % DEEPEST])
    }

    /// The child that is next, if any waits.
    #[inline(always)]
    fn top(&self) -> Child8 {
        Child8(self.waiting[self.count.wrapping_sub(1) % DEEPEST])
    }

    /// Lets the children of a node wait that a ray passes through.
    #[inline(always)]
    fn open<L: Lanes>(&mut self, tree: &Bvh8, child: Child8, rays: &mut EightRays, ray: usize) {
        let node = &tree.nodes[child.index()];
        let (mut enter, mut leave) = (L::f32x8_splat(0.0), L::f32x8_splat(f32::MAX));
        let mut k = 0;
        while k < 3 {
            let inverse = L::f32x8_splat(rays.inverse[k][ray]);
            let low = L::sub(L::f32x8_of(&node.sides[k]), L::f32x8_splat(rays.low[k][ray]));
            let high = L::sub(L::f32x8_of(&node.sides[k + 3]), L::f32x8_splat(rays.high[k][ray]));
            let (low, high) = (L::mul(low, inverse), L::mul(high, inverse));
            // In this order, a negative zero gives way.
            enter = L::f32x8_max(L::f32x8_min(low, high), enter);
            leave = L::f32x8_min(L::f32x8_max(low, high), leave);
            k += 1;
        }
        let leave = L::mul(leave, L::f32x8_splat(LEAVE_ROUNDING));
        let leave = L::f32x8_min(leave, L::f32x8_splat(rays.limits[ray]));
        let (Some(keys), Some(waiting)) = (
            self.keys[self.count..].first_chunk_mut::<8>(),
            self.waiting[self.count..].first_chunk_mut::<8>(),
        ) else {
            (self.count, rays.odd) = (0, rays.odd | 1 << ray);
            return;
        };
        self.count += L::nearest_of_eight(enter, leave, &node.children, keys, waiting);
    }

    /// Looks at the triangles of a block.
    #[inline(always)]
    fn look<L: Lanes>(
        &mut self,
        tree: &Bvh8,
        child: Child8,
        rays: &mut EightRays,
        ray: usize,
        cull_back: bool,
    ) {
        let block = &tree.blocks[child.index()];
        let main = rays.main_axis(ray);
        let [i, j, k] = AXES[main % 3];
        let sign = rays.sign(ray, main);
        let sight = Sight::<L> {
            start: [
                L::f32x8_splat(rays.start[i][ray]),
                L::f32x8_splat(rays.start[j][ray]),
                L::f32x8_splat(rays.start[k][ray]),
            ],
            shear: [L::f32x8_splat(rays.along[i][ray] * sign), L::f32x8_splat(rays.along[j][ray] * sign)],
            sign: L::f32x8_splat(sign),
            slack: L::f32x8_splat(rays.slack[ray]),
            depth_slack: L::f32x8_splat(rays.depth_slack[ray]),
        };
        let mut seen = Seen::none();
        let mut corner = 0;
        while corner < 3 {
            let x = L::load(&block.corners[i][corner]);
            let y = L::load(&block.corners[j][corner]);
            seen.set(corner, [x, y, L::load(&block.corners[k][corner])], &sight);
            corner += 1;
        }
        let judged = seen.judge(&sight);
        let mut met = judged.met & child.lanes();
        if cull_back {
            met &= !judged.behind(&sight);
        }
        if met == 0 {
            return;
        }
        let between = seen.between(&judged, &sight);
        let mut is_less = false;
        while met != 0 {
            let lane = met.trailing_zeros() as usize % 8;
            met &= met - 1;
            let is_sure = judged.sure >> lane & 1 == 1;
            is_less |= rays.note(ray, block.faces[lane], between.of(lane, is_sure), is_sure);
        }
        if is_less {
            self.drop_beyond::<L>(rays.limits[ray]);
        }
    }

    /// Drops children beyond a limit.
    #[inline(always)]
    fn drop_beyond<L: Lanes>(&mut self, limit: f32) {
        let (mut left, mut i) = (0, 0);
        // Eight at a time, and eight also where none waits: most often, eight are all, and the processor need not guess.
        loop {
            let some = (self.keys[i..].first_chunk(), self.waiting[i..].first_chunk());
            let (Some(&(mut keys)), Some(&(mut waiting))) = some else { break };
            // What lies behind the last has no meaning, and goes.
            let place = self.count - i;
            let mut k = 0;
            while k < 8 {
                keys[k] = if k < place { keys[k] } else { u32::MAX >> 1 };
                k += 1;
            }
            let stay = L::at_most_first(limit.to_bits(), &mut keys, &mut waiting);
            let to = (self.keys[left..].first_chunk_mut(), self.waiting[left..].first_chunk_mut());
            if let (Some(to_keys), Some(to_waiting)) = to {
                (*to_keys, *to_waiting) = (keys, waiting);
            }
            left += stay;
            i += 8;
            if i >= self.count {
                break;
            }
        }
        self.count = left;
    }
}

/// Rays by their numbers.
struct List {
    rays: [u8; RAYS],
    count: usize,
}

impl List {
    /// Adds a ray if a condition holds.
    #[inline(always)]
    fn add_if(&mut self, condition: bool, ray: usize) {
        self.rays[self.count % RAYS] = ray as u8;
        self.count += usize::from(condition);
    }
}

/// Traverses the tree with the rays of those groups that have a bit set, one node or block a turn.
#[inline(always)]
pub(super) fn walk_by_turns<L: Lanes>(
    tree: &Bvh8,
    groups: &mut [EightRays; GROUPS],
    walkers: &mut [Walker; RAYS],
    which: u32,
    cull_back: bool,
) {
    let mut opening = List { rays: [0; RAYS], count: 0 };
    let mut looking = List { rays: [0; RAYS], count: 0 };
    let mut ray = 0;
    while ray < RAYS {
        walkers[ray].begin(groups[ray / 8].begins(ray % 8, tree.root));
        let waits = walkers[ray].count > 0 && which >> (ray / 8) & 1 == 1;
        let is_block = walkers[ray].top().is_block();
        opening.add_if(waits & !is_block, ray);
        looking.add_if(waits & is_block, ray);
        ray += 1;
    }
    while opening.count + looking.count > 0 {
        let (mut i, opens, first_new) = (0, opening.count, looking.count);
        opening.count = 0;
        while i < opens {
            let ray = opening.rays[i] as usize % RAYS;
            let walker = &mut walkers[ray];
            let child = walker.pop();
            walker.open::<L>(tree, child, &mut groups[ray / 8], ray % 8);
            let (waits, top) = (walker.count > 0, walker.top());
            let is_block = top.is_block();
            // For a block, some node: cheaper than to decide.
            tree.nodes[if is_block { 0 } else { top.index() }].prefetch::<L>();
            opening.add_if(waits & !is_block, ray);
            looking.add_if(waits & is_block, ray);
            i += 1;
        }
        let mut i = first_new;
        while i < looking.count {
            tree.blocks[walkers[looking.rays[i] as usize % RAYS].top().index()].prefetch::<L>();
            i += 1;
        }
        // Few blocks wait until there are more.
        if looking.count <= opening.count && looking.count < RAYS / 2 {
            continue;
        }
        let (mut i, looks) = (0, looking.count);
        looking.count = 0;
        while i < looks {
            let ray = looking.rays[i] as usize % RAYS;
            let walker = &mut walkers[ray];
            let child = walker.pop();
            walker.look::<L>(tree, child, &mut groups[ray / 8], ray % 8, cull_back);
            let (waits, is_block) = (walker.count > 0, walker.top().is_block());
            opening.add_if(waits & !is_block, ray);
            looking.add_if(waits & is_block, ray);
            i += 1;
        }
    }
}
