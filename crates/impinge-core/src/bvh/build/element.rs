//! Elements and boxes in tree coordinates, laid out so that one register holds a box.

use crate::simd::Lanes;

/// A box: how far it reaches along the negative axes, then along the positive ones, so that a union is eight maxima. The
/// fourth and the last lane have no meaning.
#[repr(align(32))]
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) reach: [f32; 8],
}

impl Bounds {
    pub(super) const EMPTY: Bounds = Bounds { reach: [f32::NEG_INFINITY; 8] };

    /// The extent of the box along a negative axis.
    #[inline(always)]
    pub(super) fn less(&self, axis: usize) -> f32 {
        self.reach[axis]
    }

    /// The extent of the box along a positive axis.
    #[inline(always)]
    pub(super) fn more(&self, axis: usize) -> f32 {
        self.reach[4 + axis]
    }

    #[inline(always)]
    pub(super) fn add(&mut self, other: &Bounds) {
        for k in 0..8 {
            self.reach[k] = if self.reach[k] > other.reach[k] { self.reach[k] } else { other.reach[k] };
        }
    }

    #[inline(always)]
    pub(super) fn union(mut self, other: &Bounds) -> Bounds {
        self.add(other);
        self
    }

    #[inline(always)]
    pub(super) fn lanes<L: Lanes>(&self) -> L::F32x8 {
        L::load(&self.reach)
    }

    #[inline(always)]
    pub(super) fn of_lanes<L: Lanes>(lanes: L::F32x8) -> Bounds {
        let mut bounds = Bounds::EMPTY;
        L::f32x8_store(lanes, &mut bounds.reach);
        bounds
    }

    /// Half the area of the surface; meaningless for no points.
    #[inline(always)]
    pub(super) fn half_area(&self) -> f32 {
        half_area(std::array::from_fn(|k| self.more(k % 3) + self.less(k % 3)))
    }
}

/// Half the area of a box's surface, from its size. The fourth number has no meaning.
#[inline(always)]
pub(super) fn half_area([x, y, z, _]: [f32; 4]) -> f32 {
    x * (y + z) + y * z
}

/// An element: its box, and its number in the fourth lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element {
    pub(super) bounds: Bounds,
}

/// Numbers are kept as normal floats, on which lanes are never slow.
const ID_BITS: u32 = 0x1000_0000;

impl Element {
    /// The element of no number and no points, which fills unused lanes.
    pub(super) const NONE: Element = Element { bounds: Bounds::EMPTY };

    #[inline(always)]
    pub(super) fn new(id: u32, less: [f32; 3], more: [f32; 3]) -> Element {
        let id = f32::from_bits(id + ID_BITS);
        let reach = [less[0], less[1], less[2], id, more[0], more[1], more[2], 0.0];
        Element { bounds: Bounds { reach } }
    }

    #[inline(always)]
    pub(super) fn is_none(&self) -> bool {
        self.bounds.reach[0] == f32::NEG_INFINITY
    }

    #[inline(always)]
    pub(super) fn id(&self) -> u32 {
        self.bounds.reach[3].to_bits() - ID_BITS
    }

    /// Twice the center along an axis.
    #[inline(always)]
    pub(super) fn center(&self, axis: usize) -> f32 {
        self.bounds.more(axis) - self.bounds.less(axis)
    }

    /// Twice the center; the fourth lane has no meaning.
    #[inline(always)]
    pub(super) fn center_lanes<L: Lanes>(&self) -> L::F32x4 {
        L::f32x4_difference(self.bounds.lanes::<L>())
    }
}

/// The box around elements.
pub(super) fn around(elements: &[Element]) -> Bounds {
    let mut bounds = Bounds::EMPTY;
    for element in elements {
        bounds.add(&element.bounds);
    }
    bounds
}

/// The least and the greatest of the elements' centers along the axes, all doubled. The fourth lanes have no meaning.
#[derive(Clone, Copy)]
pub(super) struct Centers {
    pub(super) low: [f32; 4],
    pub(super) high: [f32; 4],
}

impl Centers {
    /// The range of the centers of one element or more.
    #[inline(always)]
    pub(super) fn of<L: Lanes>(elements: &[Element]) -> Centers {
        let mut low = elements[0].center_lanes::<L>();
        let mut high = low;
        for element in elements {
            let center = element.center_lanes::<L>();
            low = L::f32x4_min(low, center);
            high = L::f32x4_max(high, center);
        }
        let mut centers = Centers { low: [0.0; 4], high: [0.0; 4] };
        L::f32x4_store(low, &mut centers.low);
        L::f32x4_store(high, &mut centers.high);
        centers
    }

    pub(super) fn union(self, other: Centers) -> Centers {
        Centers {
            low: std::array::from_fn(|k| if self.low[k] < other.low[k] { self.low[k] } else { other.low[k] }),
            high: std::array::from_fn(|k| {
                if self.high[k] > other.high[k] { self.high[k] } else { other.high[k] }
            }),
        }
    }

    #[inline(always)]
    pub(super) fn size(&self, axis: usize) -> f32 {
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

/// Elements divided in two: `..middle` and `middle..`.
#[derive(Clone, Copy)]
pub(super) struct Halves {
    pub(super) middle: usize,
    pub(super) bounds: [Bounds; 2],
    /// Whether the divided elements are in the second buffer now.
    pub(super) moved: bool,
}
