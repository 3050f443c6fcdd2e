//! Packet traversal: coherent rays that go the same way, one lane each.
//!
//! A node is tested for all of them at once: between the least and the largest of their starts and directions. Where many
//! children are left, they are tested for each ray.

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
    /// What the rays have in common as they are seen along the last axis.
    shaft: Shaft,
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
        let common = Common::of::<L>(rays);
        let mut farthest = largest::<L>(&rays.limits);
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
                    farthest = largest::<L>(&rays.limits);
                }
            } else {
                self.open::<L>(&tree.nodes[child.index()], rays, &common, farthest);
            }
        }
    }

    /// Lets the children of a node wait that some rays pass through.
    #[inline(always)]
    fn open<L: Lanes>(&mut self, node: &Node8, rays: &mut EightRays, common: &Common, farthest: f32) {
        let (mut enter, mut leave) = (L::f32x8_splat(0.0), L::f32x8_splat(f32::MAX));
        let mut k = 0;
        while k < 3 {
            let (near, far) = if common.forward[k] { (k, k + 3) } else { (k + 3, k) };
            let near = L::sub(L::f32x8_of(&node.sides[near]), L::f32x8_splat(common.from[k][0]));
            let far = L::sub(L::f32x8_of(&node.sides[far]), L::f32x8_splat(common.from[k][1]));
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
        *entering = [rays.walking as u8; 8];
        // Where rays are close to each other, hardly any child is left by all of them.
        *count +=
            if found > FEW { sift::<L>(found, node, rays, common, keys, waiting, entering) } else { found };
    }
}

/// Up to so many children are taken to be entered by all rays, as to find out would take longer than it saves.
const FEW: usize = 2;

/// Of some children of a node, keeps those that a ray enters. Returns how many they are.
#[inline(always)]
fn sift<L: Lanes>(
    found: usize,
    node: &Node8,
    rays: &EightRays,
    common: &Common,
    keys: &mut [u32; 8],
    waiting: &mut [u32; 8],
    entering: &mut [u8; 8],
) -> usize {
    let mut sides = [[0.0; 8]; 6];
    let mut k = 0;
    while k < 3 {
        let (near, far) = if common.forward[k] { (k, k + 3) } else { (k + 3, k) };
        L::f32x8_store(L::f32x8_of(&node.sides[near]), &mut sides[k]);
        L::f32x8_store(L::f32x8_of(&node.sides[far]), &mut sides[k + 3]);
        k += 1;
    }
    let (mut i, mut kept) = (0, 0);
    while i < found.min(8) {
        let met = rays.enter::<L>(&sides, keys[i] as usize % 8, &common.forward);
        (keys[kept], waiting[kept], entering[kept]) = (keys[i], waiting[i], met as u8);
        kept += usize::from(met != 0);
        i += 1;
    }
    kept
}

impl Common {
    #[inline(always)]
    fn of<L: Lanes>(rays: &mut EightRays) -> Common {
        let first = rays.walking.trailing_zeros() as usize % EIGHT;
        let axes = AXES[rays.main_axis(first) % 3];
        let mut common = Common {
            axes,
            forward: [false; 3],
            shaft: Shaft::NONE,
            from: [[0.0; 2]; 3],
            inverse: [[0.0; 2]; 3],
        };
        // Those that do not walk do as the first, and have no limit to go to.
        let mut ray = 0;
        while rays.walking != 0xff && ray < EIGHT {
            if rays.walking >> ray & 1 == 0 {
                let mut k = 0;
                while k < 3 {
                    rays.low[k][ray] = rays.low[k][first];
                    rays.high[k][ray] = rays.high[k][first];
                    rays.inverse[k][ray] = rays.inverse[k][first];
                    rays.start[k][ray] = rays.start[k][first];
                    rays.along[k][ray] = rays.along[k][first];
                    k += 1;
                }
                rays.slack[ray] = rays.slack[first];
                rays.limits[ray] = -1.0;
            }
            ray += 1;
        }
        let mut k = 0;
        while k < 3 {
            common.forward[k] = rays.forward[k] >> first & 1 == 1;
            let low = L::f32x8_most(L::load(&rays.low[k]));
            let high = L::f32x8_least(L::load(&rays.high[k]));
            common.from[k] = if common.forward[k] { [low, high] } else { [high, low] };
            let inverse = L::load(&rays.inverse[k]);
            common.inverse[k] = [L::f32x8_least(inverse), L::f32x8_most(inverse)];
            k += 1;
        }
        common.shaft = Shaft::of::<L>(rays, &common);
        common
    }
}

/// The bounds of a packet, seen along the axis that its rays follow most: at a depth, a coordinate of any ray is
/// between the least start and the largest, plus between the least shear and the largest times the depth.
#[derive(Clone, Copy)]
struct Shaft {
    /// The coordinate on the last axis at which the depth is zero.
    depth: f32,
    /// For the other two axes.
    start: [[f32; 2]; 2],
    shear: [[f32; 2]; 2],
    /// How far any place may be off.
    slack: f32,
}

impl Shaft {
    const NONE: Shaft = Shaft { depth: 0.0, start: [[0.0; 2]; 2], shear: [[0.0; 2]; 2], slack: 0.0 };

    #[inline(always)]
    fn of<L: Lanes>(rays: &EightRays, common: &Common) -> Shaft {
        let [i, j, k] = common.axes;
        let sign = L::f32x8_splat(common.sign());
        let start = &rays.start[k % 3];
        let mut shaft = Shaft { depth: start[0], slack: L::f32x8_most(L::load(&rays.slack)), ..Shaft::NONE };
        let depth = L::sub(L::f32x8_splat(shaft.depth), L::load(start));
        let mut side = 0;
        while side < 2 {
            let axis = [i, j][side] % 3;
            let shear = L::mul(L::load(&rays.along[axis]), sign);
            let start = L::add(L::load(&rays.start[axis]), L::mul(depth, shear));
            shaft.start[side] = [L::f32x8_least(start), L::f32x8_most(start)];
            shaft.shear[side] = [L::f32x8_least(shear), L::f32x8_most(shear)];
            side += 1;
        }
        shaft
    }

    /// One bit for each triangle of a block that is not certainly beside all rays: farther to one side than by the slack, which is
    /// more than any corner is off.
    #[inline(always)]
    fn may_hit<L: Lanes>(&self, block: &Block, axes: [usize; 3]) -> u32 {
        let [i, j, k] = axes;
        let zero = L::f32x8_splat(0.0);
        let mut depths = [zero; 3];
        let mut corner = 0;
        while corner < 3 {
            depths[corner] = L::sub(L::load(&block.corners[k % 3][corner]), L::f32x8_splat(self.depth));
            corner += 1;
        }
        let slack = L::f32x8_splat(self.slack);
        let mut missed = 0;
        let mut side = 0;
        while side < 2 {
            let corners = &block.corners[[i, j][side] % 3];
            let ([least, most], [least_shear, most_shear]) = (self.start[side], self.shear[side]);
            let (least_start, most_start) = (L::f32x8_splat(least), L::f32x8_splat(most));
            let (least_shear, most_shear) = (L::f32x8_splat(least_shear), L::f32x8_splat(most_shear));
            // How far the rays are below and above the corners: the least of each.
            let (mut below, mut above) = (L::f32x8_splat(f32::MAX), L::f32x8_splat(f32::MAX));
            let mut corner = 0;
            while corner < 3 {
                let at = L::load(&corners[corner]);
                let (a, b) = (L::mul(depths[corner], least_shear), L::mul(depths[corner], most_shear));
                let least = L::add(L::f32x8_min(a, b), least_start);
                let most = L::add(L::f32x8_max(a, b), most_start);
                below = L::f32x8_min(L::sub(at, most), below);
                above = L::f32x8_min(L::sub(least, at), above);
                corner += 1;
            }
            missed |= L::f32x8_greater(L::f32x8_max(below, above), slack);
            side += 1;
        }
        !missed
    }
}

impl Common {
    /// 1 where the rays go along the axis that they follow most, and -1 where they go against it.
    #[inline(always)]
    fn sign(&self) -> f32 {
        if self.forward[self.axes[2] % 3] { 1.0 } else { -1.0 }
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
    let sign = L::f32x8_splat(common.sign());
    let sight = Sight::<L> {
        start: [L::load(&rays.start[i % 3]), L::load(&rays.start[j % 3]), L::load(&rays.start[k % 3])],
        shear: [L::mul(L::load(&rays.along[i % 3]), sign), L::mul(L::load(&rays.along[j % 3]), sign)],
        sign,
        slack: L::load(&rays.slack),
        depth_slack: L::load(&rays.depth_slack),
    };
    let mut lanes = child.lanes() & common.shaft.may_hit::<L>(block, common.axes);
    let mut is_less = false;
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
fn largest<L: Lanes>(limits: &Each<f32>) -> f32 {
    let largest = L::f32x8_most(L::load(limits));
    if largest > 0.0 { largest } else { 0.0 }
}
