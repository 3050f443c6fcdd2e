//! Elements and boxes in tree coordinates, laid out so that four lanes hold a box's side.

/// A box: how far it reaches along the negative and the positive axes, so that a union is eight maxima. The fourth
/// lanes have no meaning.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) less: [f32; 4],
    pub(super) more: [f32; 4],
}

impl Bounds {
    pub(super) const EMPTY: Bounds = Bounds { less: [f32::NEG_INFINITY; 4], more: [f32::NEG_INFINITY; 4] };

    #[inline(always)]
    pub(super) fn add(&mut self, other: &Bounds) {
        self.less = greater(self.less, other.less);
        self.more = greater(self.more, other.more);
    }

    #[inline(always)]
    pub(super) fn union(mut self, other: &Bounds) -> Bounds {
        self.add(other);
        self
    }

    /// The sizes along the axes.
    #[inline(always)]
    pub(super) fn size(&self) -> [f32; 3] {
        std::array::from_fn(|k| self.more[k] + self.less[k])
    }

    /// Half the area of the surface; meaningless for no points.
    #[inline(always)]
    pub(super) fn half_area(&self) -> f32 {
        let [x, y, z] = self.size();
        x * (y + z) + y * z
    }
}

#[inline(always)]
fn greater(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
    std::array::from_fn(|k| if a[k] > b[k] { a[k] } else { b[k] })
}

/// An element: its box, and its number in the fourth lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element {
    pub(super) bounds: Bounds,
}

/// Numbers are kept as normal floats, on which lanes are never slow.
const ID_BITS: u32 = 0x1000_0000;

impl Element {
    /// An element that is not there.
    pub(super) const NONE: Element =
        Element { bounds: Bounds { less: [f32::NEG_INFINITY; 4], more: [0.0; 4] } };

    pub(super) fn new(id: u32, less: [f32; 3], more: [f32; 3]) -> Element {
        let id = f32::from_bits(id + ID_BITS);
        Element {
            bounds: Bounds { less: [less[0], less[1], less[2], id], more: [more[0], more[1], more[2], 0.0] },
        }
    }

    pub(super) fn is_none(&self) -> bool {
        self.bounds.less[0] == f32::NEG_INFINITY
    }

    #[inline(always)]
    pub(super) fn id(&self) -> u32 {
        self.bounds.less[3].to_bits() - ID_BITS
    }

    /// Twice the centre; the fourth lane has no meaning.
    #[inline(always)]
    pub(super) fn centre(&self) -> [f32; 4] {
        std::array::from_fn(|k| self.bounds.more[k] - self.bounds.less[k])
    }
}

/// The box around elements.
#[inline(always)]
pub(super) fn around(elements: &[Element]) -> Bounds {
    let mut bounds = Bounds::EMPTY;
    for element in elements {
        bounds.add(&element.bounds);
    }
    bounds
}

/// The box around the elements' centres, all doubled.
#[inline(always)]
pub(super) fn around_centres(elements: &[Element]) -> Bounds {
    let mut bounds = Bounds::EMPTY;
    for element in elements {
        let centre = element.centre();
        bounds.add(&Bounds { less: centre.map(|c| -c), more: centre });
    }
    bounds
}

/// A number that is at least `value`, hardly more: rounding to the nearest `f32` costs at most what is added before.
/// `room` covers what `value` may lack, and half of it the roundings of this sum.
#[inline(always)]
pub(in crate::tree::dop_tree) fn round_up(value: f64, room: f64) -> f32 {
    const HALF_STEP: f64 = 1.0 / (1_u32 << 24) as f64;
    (value + value.abs() * HALF_STEP + room) as f32
}
