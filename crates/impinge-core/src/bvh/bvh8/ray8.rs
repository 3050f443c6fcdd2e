//! Eight rays in the coordinates of a tree.

use super::{Bvh8, Child8};
use crate::bvh::bvh8::hits::Hits;
use crate::bvh::traverse::ray::{ROOM, ROUNDING, SLACK, STEEP, TOO_FAR};
use crate::simd::Lanes;

/// Rays in a group.
pub const EIGHT: usize = 8;

/// Groups of rays that are on their way at a time.
pub(super) const GROUPS: usize = 4;

/// Rays that are on their way at a time.
pub const RAYS: usize = EIGHT * GROUPS;

/// One number for each ray.
pub(super) type Each<T> = [T; EIGHT];

/// The error bound of a depth, in steps, besides that of the edge functions.
const DEPTH_SLACK: f64 = 1.0 / 32.0;

/// The axes in a right-handed order, the one that a ray follows most last.
pub(super) const AXES: [[usize; 3]; 3] = [[1, 2, 0], [2, 0, 1], [0, 1, 2]];

/// Eight rays in a model's frame: axis by axis, the first four and the others.
pub struct Ray8<L: Lanes> {
    /// The origins, axis by axis, four rays a register.
    pub origins: [[L::F64x4; 2]; 3],
    /// The directions, axis by axis.
    pub directions: [[L::F64x4; 2]; 3],
    /// The times up to which hits count, or a little more.
    pub times: [L::F64x4; 2],
    /// One bit for each ray that lanes may take.
    pub usual: u32,
}

/// Eight rays in the coordinates of a tree, and what they have found.
///
/// Distances are steps along the axis that a ray follows most, from where it enters the tree.
#[repr(align(32))]
#[derive(Clone, Debug)]
pub(super) struct EightRays {
    /// The offsets subtracted from lower and from upper sides, by axis, and the factors of the differences.
    pub(super) low: [Each<f32>; 3],
    pub(super) high: [Each<f32>; 3],
    pub(super) inverse: [Each<f32>; 3],
    /// The points where the rays enter the tree, and their directions in multiples of the largest coordinate.
    pub(super) start: [Each<f32>; 3],
    pub(super) along: [Each<f32>; 3],
    /// The distances up to which boxes and triangles count. They shrink.
    pub(super) limits: Each<f32>,
    /// The distances before which a hit certainly counts.
    pub(super) certain: Each<f32>,
    /// The error bounds of places and depths.
    pub(super) slack: Each<f32>,
    pub(super) depth_slack: Each<f32>,
    /// One bit for each ray that goes along an axis rather than against it, by axis.
    pub(super) forward: [u32; 3],
    /// One bit for each ray that does not follow x most, and for each that follows z more than y.
    mains: [u32; 2],
    /// One bit for each ray that enters the tree.
    pub(super) walking: u32,
    /// One bit for each ray that lanes cannot tell about.
    pub(super) odd: u32,
    pub(super) finds: Each<Hits>,
}

impl EightRays {
    pub(super) const NONE: EightRays = EightRays {
        low: [[0.0; EIGHT]; 3],
        high: [[0.0; EIGHT]; 3],
        inverse: [[0.0; EIGHT]; 3],
        start: [[0.0; EIGHT]; 3],
        along: [[0.0; EIGHT]; 3],
        limits: [0.0; EIGHT],
        certain: [0.0; EIGHT],
        slack: [0.0; EIGHT],
        depth_slack: [0.0; EIGHT],
        forward: [0; 3],
        mains: [0; 2],
        walking: 0,
        odd: 0,
        finds: [Hits::NONE; EIGHT],
    };

    /// Takes eight rays. The bounds are those of [`TreeRay`](crate::bvh::traverse::ray::TreeRay).
    #[inline(always)]
    pub(super) fn set<L: Lanes>(&mut self, tree: &Bvh8, rays: &Ray8<L>) {
        (self.forward, self.mains, self.walking, self.odd) = ([0; 3], [0; 2], 0, 0);
        self.set_half::<L>(tree, rays, 0);
        self.set_half::<L>(tree, rays, 1);
        let mut ray = 0;
        while ray < EIGHT {
            self.finds[ray].clear();
            ray += 1;
        }
    }

    #[inline(always)]
    fn set_half<L: Lanes>(&mut self, tree: &Bvh8, rays: &Ray8<L>, half: usize) {
        let bit = 4 * half as u32;
        let (o, d) = (&rays.origins, &rays.directions);
        let size = [L::f64x4_abs(d[0][half]), L::f64x4_abs(d[1][half]), L::f64x4_abs(d[2][half])];
        let of_others = L::f64x4_max(size[1], size[2]);
        let most = L::f64x4_max(size[0], of_others);
        self.mains[0] |= L::f64x4_greater(of_others, size[0]) << bit;
        self.mains[1] |= L::f64x4_greater(size[2], size[1]) << bit;
        let (zero, scale) = (L::f64x4_splat(0.0), L::f64x4_splat(tree.scale));
        let (per_time, per_size) = (L::f64x4_mul(most, scale), L::f64x4_div(L::f64x4_splat(1.0), most));
        let mut far = L::f64x4_splat(tree.origin.abs().max_element());
        let mut k = 0;
        while k < 3 {
            far = L::f64x4_max(L::f64x4_abs(o[k][half]), far);
            k += 1;
        }
        let far = L::f64x4_mul(far, L::f64x4_splat(48.0 * f64::EPSILON * tree.scale));
        let room = L::f64x4_add(L::f64x4_splat(ROOM), far);
        // No bit where something is NaN.
        let usual = rays.usual >> bit
            & L::f64x4_greater(most, L::f64x4_splat(1e-60))
            & L::f64x4_greater(L::f64x4_splat(1e60), most)
            & L::f64x4_greater(L::f64x4_splat(TOO_FAR), room);
        self.odd |= (!usual & 0xf) << bit;
        let (steep, steep_back) = (L::f64x4_splat(STEEP), L::f64x4_splat(-STEEP));
        let (mut start, mut along, mut inverse) = ([zero; 3], [zero; 3], [zero; 3]);
        let end = L::f64x4_mul(rays.times[half], per_time);
        let (mut entry, mut exit) = (zero, end);
        let mut k = 0;
        while k < 3 {
            start[k] =
                L::f64x4_mul(L::f64x4_sub(o[k][half], L::f64x4_splat(tree.origin.to_array()[k])), scale);
            along[k] = L::f64x4_mul(d[k][half], per_size);
            // One over zero is infinite, and brought down like everything that is too steep.
            let plain = L::f64x4_div(most, d[k][half]);
            inverse[k] = L::f64x4_max(L::f64x4_min(plain, steep), steep_back);
            let low = L::f64x4_sub(L::f64x4_splat(-f64::from(tree.bounds[k + 3])), room);
            let high = L::f64x4_add(L::f64x4_splat(f64::from(tree.bounds[k])), room);
            let a = L::f64x4_mul(L::f64x4_sub(low, start[k]), inverse[k]);
            let b = L::f64x4_mul(L::f64x4_sub(high, start[k]), inverse[k]);
            entry = L::f64x4_max(L::f64x4_min(a, b), entry);
            exit = L::f64x4_min(L::f64x4_max(a, b), exit);
            self.forward[k] |= L::f64x4_greater(inverse[k], zero) << bit;
            k += 1;
        }
        let misses = L::f64x4_greater(entry, L::f64x4_add(exit, room));
        self.walking |= (!misses & usual) << bit;
        let mut k = 0;
        while k < 3 {
            start[k] = L::f64x4_add(start[k], L::f64x4_mul(along[k], entry));
            narrow::<L>(L::f64x4_add(start[k], room), &mut self.low[k], half);
            narrow::<L>(L::f64x4_sub(start[k], room), &mut self.high[k], half);
            narrow::<L>(inverse[k], &mut self.inverse[k], half);
            narrow::<L>(start[k], &mut self.start[k], half);
            narrow::<L>(along[k], &mut self.along[k], half);
            k += 1;
        }
        let (end, most) = (L::f64x4_sub(end, entry), L::f64x4_splat(f64::from(f32::MAX)));
        let limit = L::f64x4_add(L::f64x4_mul(end, L::f64x4_splat(1.0 + ROUNDING)), room);
        narrow::<L>(L::f64x4_min(L::f64x4_max(limit, zero), most), &mut self.limits, half);
        let certain = L::f64x4_sub(L::f64x4_mul(end, L::f64x4_splat(1.0 - ROUNDING)), room);
        narrow::<L>(L::f64x4_min(certain, most), &mut self.certain, half);
        let twice = L::f64x4_add(room, room);
        narrow::<L>(L::f64x4_add(L::f64x4_splat(SLACK), twice), &mut self.slack, half);
        narrow::<L>(L::f64x4_add(L::f64x4_splat(DEPTH_SLACK), twice), &mut self.depth_slack, half);
    }

    /// The axis that a ray follows most; the first of several.
    #[inline(always)]
    pub(super) fn main_axis(&self, ray: usize) -> usize {
        if self.mains[0] >> ray & 1 == 0 { 0 } else { 1 + (self.mains[1] >> ray & 1) as usize }
    }

    /// 1 for a ray that goes along an axis, -1 for one that goes against it.
    #[inline(always)]
    pub(super) fn sign(&self, ray: usize, axis: usize) -> f32 {
        if self.forward[axis] >> ray & 1 == 1 { 1.0 } else { -1.0 }
    }

    /// Whether all active rays are coherent: same main axis, and same sign along every axis.
    #[inline(always)]
    pub(super) fn go_alike(&self) -> bool {
        let all = self.walking;
        let mut alike = is_same(self.mains[0], all);
        alike &= self.mains[0] & all == 0 || is_same(self.mains[1], all);
        alike & is_same(self.forward[0], all) & is_same(self.forward[1], all) & is_same(self.forward[2], all)
    }

    /// Notes a triangle that a ray hits between two distances, perhaps or surely. Returns whether the ray's limit is less
    /// now.
    #[inline(always)]
    pub(super) fn note(&mut self, ray: usize, face: u32, [least, most]: [f32; 2], is_sure: bool) -> bool {
        let limit = self.limits[ray];
        if most < 0.0 || least > limit {
            return false;
        }
        let is_sure = is_sure && least > 0.0 && most < self.certain[ray];
        if !self.finds[ray].add(face, least, is_sure, limit) {
            self.odd |= 1 << ray;
        }
        // More than what rounding does to the distances of boxes.
        let most = most * const { 1.0 + ROUNDING as f32 };
        let is_less = is_sure && most < limit;
        self.limits[ray] = if is_less { most } else { limit };
        is_less
    }

    /// The root for a ray that enters the tree.
    #[inline(always)]
    pub(super) fn begins(&self, ray: usize, root: Option<Child8>) -> Option<Child8> {
        if self.walking >> ray & 1 == 1 { root } else { None }
    }
}

/// Whether a bit is the same for all.
#[inline(always)]
fn is_same(bits: u32, all: u32) -> bool {
    bits & all == 0 || bits & all == all
}

#[inline(always)]
fn narrow<L: Lanes>(values: L::F64x4, to: &mut Each<f32>, half: usize) {
    if let Some(to) = to[4 * half..].first_chunk_mut::<4>() {
        L::f32x4_store(L::f64x4_to_half(values), to);
    }
}
