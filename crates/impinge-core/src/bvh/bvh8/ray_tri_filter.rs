//! The ray-triangle filter in `f32`: triangles missed, triangles surely hit, and at what distance.

use crate::simd::Lanes;

/// The corners of triangles, seen from where rays start; one ray and one triangle in each lane. The last coordinate is the one
/// that the ray follows most.
pub(super) struct Seen<L: Lanes> {
    x: [L::F32x8; 3],
    y: [L::F32x8; 3],
    z: [L::F32x8; 3],
}

/// Rays, one in each lane or the same in all of them; the axes are in a right-handed order.
#[derive(Clone, Copy)]
pub(super) struct Sight<L: Lanes> {
    pub(super) start: [L::F32x8; 3],
    /// The first two coordinates of the direction, in multiples of the last.
    pub(super) shear: [L::F32x8; 2],
    /// 1 or -1: the way along the last axis.
    pub(super) sign: L::F32x8,
    pub(super) slack: L::F32x8,
    pub(super) depth_slack: L::F32x8,
}

/// The result of each lane: missed, perhaps hit, surely hit.
pub(super) struct Judged<L: Lanes> {
    /// One bit for each lane where the triangle is perhaps hit, and where it surely is.
    pub(super) met: u32,
    pub(super) sure: u32,
    edges: [L::F32x8; 3],
    bound: L::F32x8,
}

/// The distances between which triangles are hit.
pub(super) struct Between {
    sure: [[f32; 8]; 2],
    unsure: [[f32; 8]; 2],
}

impl<L: Lanes> Seen<L> {
    pub(super) fn none() -> Seen<L> {
        let zero = L::f32x8_splat(0.0);
        Seen { x: [zero; 3], y: [zero; 3], z: [zero; 3] }
    }

    /// Sets a corner, sheared along the ray.
    #[inline(always)]
    pub(super) fn set(&mut self, corner: usize, at: [L::F32x8; 3], sight: &Sight<L>) {
        let z = L::sub(at[2], sight.start[2]);
        self.x[corner] = L::sub(L::sub(at[0], sight.start[0]), L::mul(z, sight.shear[0]));
        self.y[corner] = L::sub(L::sub(at[1], sight.start[1]), L::mul(z, sight.shear[1]));
        self.z[corner] = z;
    }

    #[inline(always)]
    pub(super) fn judge(&self, sight: &Sight<L>) -> Judged<L> {
        let Seen { x, y, .. } = self;
        let first = L::add(L::abs(x[0]), L::abs(y[0]));
        let second = L::add(L::abs(x[1]), L::abs(y[1]));
        let third = L::add(L::abs(x[2]), L::abs(y[2]));
        let size = L::add(L::f32x8_max(L::f32x8_max(first, second), third), sight.slack);
        let bound = L::mul(L::add(size, size), sight.slack);
        let a = L::sub(L::mul(x[1], y[2]), L::mul(y[1], x[2]));
        let b = L::sub(L::mul(x[2], y[0]), L::mul(y[2], x[0]));
        let c = L::sub(L::mul(x[0], y[1]), L::mul(y[0], x[1]));
        let (least, most) = (L::f32x8_min(L::f32x8_min(a, b), c), L::f32x8_max(L::f32x8_max(a, b), c));
        let below = L::sub(L::f32x8_splat(0.0), bound);
        let missed = L::f32x8_greater(most, bound) & L::f32x8_greater(below, least);
        let sure = L::f32x8_greater(least, bound) | L::f32x8_greater(below, most);
        Judged { met: !missed & 0xff, sure, edges: [a, b, c], bound }
    }

    /// The distances between which the triangles of the lanes that may be hit are hit.
    #[inline(always)]
    pub(super) fn between(&self, judged: &Judged<L>, sight: &Sight<L>) -> Between {
        let Judged { edges: [a, b, c], bound, .. } = *judged;
        let first = L::mul(self.z[0], sight.sign);
        let second = L::mul(self.z[1], sight.sign);
        let third = L::mul(self.z[2], sight.sign);
        let nearest = L::f32x8_min(L::f32x8_min(first, second), third);
        let farthest = L::f32x8_max(L::f32x8_max(first, second), third);
        let inverse = L::f32x8_div(L::f32x8_splat(1.0), L::add(L::add(a, b), c));
        let from_first = L::add(L::mul(b, L::sub(second, first)), L::mul(c, L::sub(third, first)));
        let depth = L::add(first, L::mul(from_first, inverse));
        // Edge functions that are off by the bound, and roundings.
        let share = L::mul(L::mul(bound, L::f32x8_splat(4.0)), L::abs(inverse));
        let share = L::add(share, L::f32x8_splat(1.0 / (1 << 18) as f32));
        let error = L::add(L::mul(L::sub(farthest, nearest), share), sight.depth_slack);
        let mut between = Between { sure: [[0.0; 8]; 2], unsure: [[0.0; 8]; 2] };
        L::f32x8_store(L::sub(depth, error), &mut between.sure[0]);
        L::f32x8_store(L::add(depth, error), &mut between.sure[1]);
        L::f32x8_store(L::sub(nearest, sight.depth_slack), &mut between.unsure[0]);
        L::f32x8_store(L::add(farthest, sight.depth_slack), &mut between.unsure[1]);
        between
    }
}

impl<L: Lanes> Judged<L> {
    /// One bit for each lane that is surely hit from behind.
    #[inline(always)]
    pub(super) fn behind(&self, sight: &Sight<L>) -> u32 {
        let [a, b, c] = self.edges;
        self.sure & L::f32x8_greater(L::mul(L::add(L::add(a, b), c), sight.sign), L::f32x8_splat(0.0))
    }
}

impl Between {
    #[inline(always)]
    pub(super) fn of(&self, lane: usize, is_sure: bool) -> [f32; 2] {
        let [least, most] = if is_sure { &self.sure } else { &self.unsure };
        [least[lane % 8], most[lane % 8]]
    }
}
