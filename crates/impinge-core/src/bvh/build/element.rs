//! Elements and boxes in the steps of the tree, laid out so that one register holds a box.

use super::super::Child;
use crate::simd::Lanes;

/// A box in whole steps: for each axis how far it reaches along the negative and along the positive direction, so that a union is eight
/// maxima. The last two lanes have no meaning, but for a bit that says whether any element in it gets a leaf of its own.
#[repr(align(16))]
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) row: [i16; 8],
}

impl Bounds {
    pub(super) const EMPTY: Bounds = Bounds { row: [i16::MIN; 8] };

    /// The extent of the box along a negative axis.
    #[inline(always)]
    pub(super) fn less(&self, axis: usize) -> i16 {
        self.row[2 * axis]
    }

    /// The extent of the box along a positive axis.
    #[inline(always)]
    pub(super) fn more(&self, axis: usize) -> i16 {
        self.row[2 * axis + 1]
    }

    #[inline(always)]
    pub(super) fn add(&mut self, other: &Bounds) {
        for k in 0..8 {
            self.row[k] = if self.row[k] > other.row[k] { self.row[k] } else { other.row[k] };
        }
    }

    #[inline(always)]
    pub(super) fn lanes<L: Lanes>(&self) -> L::I16x8 {
        L::eight(&self.row)
    }

    #[inline(always)]
    pub(super) fn of_lanes<L: Lanes>(lanes: L::I16x8) -> Bounds {
        let mut bounds = Bounds::EMPTY;
        L::store_eight(lanes, &mut bounds.row);
        bounds
    }

    /// Whether any element in the box gets a leaf of its own. A union of boxes keeps the greatest lanes, and no other number has the bit.
    #[inline(always)]
    pub(super) fn has_large(&self) -> bool {
        self.row[7] >= LARGE
    }

    /// Half the area of the surface; meaningless for no points.
    #[inline(always)]
    pub(super) fn half_area(&self) -> f32 {
        let side = |axis: usize| (i32::from(self.less(axis)) + i32::from(self.more(axis))) as f32;
        let (x, y, z) = (side(0), side(1), side(2));
        x * (y + z) + y * z
    }
}

/// The bit, in the last lane of an element, of one that gets a leaf of its own: above those of a number.
const LARGE: i16 = 1 << 14;
const _: () = assert!(Child::LIMIT >> 16 < LARGE as usize);

/// An element: its box, and its number in the last two lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element {
    pub(super) bounds: Bounds,
}

impl Element {
    /// The element of no number and no points, which fills unused lanes.
    pub(super) const NONE: Element = Element { bounds: Bounds::EMPTY };

    #[inline(always)]
    pub(super) fn new(id: u32, less: [i16; 3], more: [i16; 3]) -> Element {
        let row = [less[0], more[0], less[1], more[1], less[2], more[2], id as i16, (id >> 16) as i16];
        Element { bounds: Bounds { row } }
    }

    #[inline(always)]
    pub(super) fn set_id(&mut self, id: u32) {
        [self.bounds.row[6], self.bounds.row[7]] = [id as i16, (id >> 16) as i16];
    }

    /// The element, marked as one that gets a leaf of its own.
    #[inline(always)]
    pub(super) fn enlarged(mut self) -> Element {
        self.bounds.row[7] |= LARGE;
        self
    }

    #[inline(always)]
    pub(super) fn is_none(&self) -> bool {
        self.bounds.row[0] == i16::MIN
    }

    #[inline(always)]
    pub(super) fn id(&self) -> u32 {
        let [.., low, high] = self.bounds.row;
        u32::from(low as u16) | u32::from((high & !LARGE) as u16) << 16
    }

    /// Twice the center along an axis.
    #[inline(always)]
    pub(super) fn center(&self, axis: usize) -> i32 {
        i32::from(self.bounds.more(axis)) - i32::from(self.bounds.less(axis))
    }

    /// Twice the center; the fourth lane is 0.
    #[inline(always)]
    pub(super) fn center_lanes<L: Lanes>(&self) -> L::I32x4 {
        L::pair_differences(self.bounds.lanes::<L>())
    }
}

/// The box around elements.
#[inline(always)]
pub(super) fn around<L: Lanes>(elements: &[Element]) -> Bounds {
    let mut bounds = Bounds::EMPTY.lanes::<L>();
    for element in elements {
        bounds = L::most(bounds, element.bounds.lanes::<L>());
    }
    Bounds::of_lanes::<L>(bounds)
}

/// The range in which elements' centers are, along the axes, all doubled. The fourth lanes have no meaning.
#[derive(Clone, Copy)]
pub(super) struct Centers {
    pub(super) low: [i32; 4],
    pub(super) high: [i32; 4],
}

impl Centers {
    /// The least range of the centers of one element or more.
    #[inline(always)]
    pub(super) fn of<L: Lanes>(elements: &[Element]) -> Centers {
        let mut low = elements[0].center_lanes::<L>();
        let mut high = low;
        for element in elements {
            let center = element.center_lanes::<L>();
            low = L::i32x4_min(low, center);
            high = L::i32x4_max(high, center);
        }
        let mut centers = Centers { low: [0; 4], high: [0; 4] };
        L::i32x4_store(low, &mut centers.low);
        L::i32x4_store(high, &mut centers.high);
        centers
    }

    /// A range around the centers of elements in a box.
    #[inline(always)]
    pub(super) fn within(bounds: &Bounds) -> Centers {
        let mut centers = Centers { low: [0; 4], high: [0; 4] };
        for axis in 0..3 {
            centers.low[axis] = -2 * i32::from(bounds.less(axis));
            centers.high[axis] = 2 * i32::from(bounds.more(axis));
        }
        centers
    }

    pub(super) fn union(self, other: Centers) -> Centers {
        Centers {
            low: std::array::from_fn(|k| self.low[k].min(other.low[k])),
            high: std::array::from_fn(|k| self.high[k].max(other.high[k])),
        }
    }

    #[inline(always)]
    pub(super) fn size(&self, axis: usize) -> i32 {
        self.high[axis] - self.low[axis]
    }

    #[inline(always)]
    pub(super) fn longest_axis(&self) -> usize {
        let mut longest = 0;
        for axis in 1..3 {
            if self.size(axis) > self.size(longest) {
                longest = axis;
            }
        }
        longest
    }
}
