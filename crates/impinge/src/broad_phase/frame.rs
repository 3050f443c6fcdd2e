//! Boxes in `f32` relative to an origin, for quick comparisons that are never wrong.
//!
//! `x ↦ (x - origin) as f32` never decreases, so bounds that are apart in `f32` are apart in `f64`: no rounding outward is
//! needed. And bounds that are in strict order in `f32` are so in `f64`: only where two `f32` bounds are equal has the
//! comparison of the `f64` bounds to decide.

use super::Boxes;
use impinge_core::bounds::Aabb;
use impinge_core::math::DVec3;
use impinge_core::simd::Lanes;

/// The frame of the `f32` coordinates: their origin, and a typical size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Frame {
    pub(super) origin: DVec3,
    /// The median of the boxes' longest sides, about.
    pub(super) typical: f32,
}

/// How many boxes stand for all, about.
const SAMPLE: usize = 100;

/// The bounds of a box: least x, y, z, then greatest.
pub(super) type Sides = [f32; 6];

impl Frame {
    /// The frame that suits most of the boxes, wherever a few others may be.
    pub(super) fn of(boxes: &Boxes) -> Frame {
        let stride = boxes.len() / SAMPLE + 1;
        let sample: Vec<&Aabb> = boxes.iter().map(|(_, bounds)| bounds).step_by(stride).collect();
        let median = |value: &dyn Fn(&Aabb) -> f64| {
            let mut values: Vec<f64> = sample.iter().map(|bounds| value(bounds)).collect();
            values.sort_unstable_by(f64::total_cmp);
            values.get(values.len() / 2).copied().filter(|median| median.is_finite()).unwrap_or(0.0)
        };
        let origin = DVec3::from_array([0, 1, 2].map(|axis| median(&|bounds| bounds.center()[axis])));
        let typical = median(&|bounds| bounds.size().max_element());
        Frame { origin, typical: typical.min(f64::from(f32::MAX)) as f32 }
    }

    /// The axis along which the most boxes stand one after the other.
    pub(super) fn longest_row(&self, boxes: &Boxes) -> usize {
        let stride = boxes.len() / SAMPLE + 1;
        let mut row = [0.0; 3];
        for (axis, row) in row.iter_mut().enumerate() {
            let sample = boxes.iter().map(|(_, bounds)| bounds).step_by(stride);
            let finite = sample.filter(|bounds| bounds.size()[axis].is_finite());
            // Mean sizes and mean distances from the origin; a sum that overflows is as good as any.
            let (size, reach) = finite.fold((0.0, 0.0), |(size, reach), bounds| {
                (size + bounds.size()[axis], reach + (bounds.center()[axis] - self.origin[axis]).abs())
            });
            *row = if reach > 0.0 { reach / size } else { 0.0 };
        }
        (0..3).max_by(|a, b| row[*a].total_cmp(&row[*b])).unwrap_or(0)
    }

    #[inline(always)]
    pub(super) fn sides(&self, bounds: &Aabb) -> Sides {
        let (low, high) = (bounds.min - self.origin, bounds.max - self.origin);
        [low.x as f32, low.y as f32, low.z as f32, high.x as f32, high.y as f32, high.z as f32]
    }
}

/// Eight boxes. A lane without a box holds NaN, which overlaps nothing.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Eight {
    pub(super) sides: [[f32; 8]; 6],
}

impl Eight {
    pub(super) const NONE: Eight = Eight { sides: [[f32::NAN; 8]; 6] };

    #[inline(always)]
    pub(super) fn lane(&self, lane: usize) -> Sides {
        let s = &self.sides;
        [s[0][lane], s[1][lane], s[2][lane], s[3][lane], s[4][lane], s[5][lane]]
    }

    #[inline(always)]
    pub(super) fn set_lane(&mut self, lane: usize, sides: &Sides) {
        let mut k = 0;
        while k < 6 {
            self.sides[k][lane] = sides[k];
            k += 1;
        }
    }

    /// The sides of the least box around all; NaN where there is none.
    #[inline(always)]
    pub(super) fn merged(&self) -> Sides {
        let mut all = NOTHING;
        let mut lane = 0;
        while lane < 8 {
            grow(&mut all, &self.lane(lane));
            lane += 1;
        }
        grown(all)
    }

    /// One bit a lane, set where the boxes are not apart.
    #[inline(always)]
    pub(super) fn meets<L: Lanes>(&self, other: &Splat<L>) -> u32 {
        Loaded::new(self).meets(other)
    }

    /// One bit a lane, set where the boxes overlap and no two of their sides are equal.
    #[inline(always)]
    pub(super) fn surely_meets<L: Lanes>(&self, other: &Splat<L>) -> u32 {
        let s = &self.sides;
        let x = L::and(L::less(L::load(&s[0]), other.0[3]), L::less(other.0[0], L::load(&s[3])));
        let y = L::and(L::less(L::load(&s[1]), other.0[4]), L::less(other.0[1], L::load(&s[4])));
        let z = L::and(L::less(L::load(&s[2]), other.0[5]), L::less(other.0[2], L::load(&s[5])));
        L::bits(L::and(L::and(x, y), z))
    }
}

/// Eight boxes in registers.
pub(super) struct Loaded<L: Lanes>([L::F32x8; 6]);

impl<L: Lanes> Loaded<L> {
    #[inline(always)]
    pub(super) fn new(Eight { sides: s }: &Eight) -> Loaded<L> {
        Loaded([
            L::load(&s[0]),
            L::load(&s[1]),
            L::load(&s[2]),
            L::load(&s[3]),
            L::load(&s[4]),
            L::load(&s[5]),
        ])
    }

    /// One bit a lane, set where the boxes are not apart.
    #[inline(always)]
    pub(super) fn meets(&self, other: &Splat<L>) -> u32 {
        let (a, b) = (&self.0, &other.0);
        let x = L::and(L::at_most(a[0], b[3]), L::at_most(b[0], a[3]));
        let y = L::and(L::at_most(a[1], b[4]), L::at_most(b[1], a[4]));
        let z = L::and(L::at_most(a[2], b[5]), L::at_most(b[2], a[5]));
        L::bits(L::and(L::and(x, y), z))
    }
}

/// One box in all lanes.
pub(super) struct Splat<L: Lanes>([L::F32x8; 6]);

impl<L: Lanes> Splat<L> {
    #[inline(always)]
    pub(super) fn new(s: &Sides) -> Splat<L> {
        Splat([
            L::splat(s[0]),
            L::splat(s[1]),
            L::splat(s[2]),
            L::splat(s[3]),
            L::splat(s[4]),
            L::splat(s[5]),
        ])
    }
}

/// The box that any other is merged into.
pub(super) const NOTHING: Sides =
    [f32::INFINITY, f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY];

/// Grows a box to hold another; NaN stands for no box.
#[inline(always)]
pub(super) fn grow(all: &mut Sides, more: &Sides) {
    let mut axis = 0;
    while axis < 3 {
        // Comparisons with NaN are false.
        all[axis] = if more[axis] < all[axis] { more[axis] } else { all[axis] };
        all[axis + 3] = if more[axis + 3] > all[axis + 3] { more[axis + 3] } else { all[axis + 3] };
        axis += 1;
    }
}

/// The result of [`grow`] from [`NOTHING`]: NaN if there was no box.
#[inline(always)]
pub(super) fn grown(all: Sides) -> Sides {
    if all[0] > all[3] { [f32::NAN; 6] } else { all }
}
