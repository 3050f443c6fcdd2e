//! The traversal of a height tree with a volume: which cells may touch it, and which certainly lie in it.
//!
//! A volume is known, as in trees of boxes, by slabs, intervals along the axes, and a ball, all in the
//! model's own frame; here they stay in `f64`.

use std::ops::{ControlFlow, Range};

use super::{Children, HeightField, HeightTree, SIDE, greater, lesser};
use crate::bvh::{Ball, MOST_SLABS, Slab, VolumeShape};
use crate::math::DVec3;
use crate::simd::{Lanes, Work, dispatch};

/// A visitor of the cells in or near a volume. Compiled for the lanes that the traversal runs with.
pub trait FieldVolumeVisitor {
    /// Takes cells that are in the volume, by their rows and columns; some may be holes.
    fn inside(&mut self, rows: Range<u32>, columns: Range<u32>) -> ControlFlow<()>;
    /// Takes a cell that may touch the volume, or be a hole.
    fn near<L: Lanes>(&mut self, row: u32, column: u32) -> ControlFlow<()>;
    /// Ends the traversal, after all cells have been shown.
    fn end<L: Lanes>(&mut self);
}

/// Layers at most: four to this power is more than the cells of any grid.
const MOST_LAYERS: usize = 16;
/// The error bound of a sum of three products, or of a difference, in multiples of its largest term.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Shows the visitor all cells that may touch the volume. `reach` is the largest coordinate of the field, without its
/// sign. Returns how many nodes it opened.
pub fn traverse_field_volume(
    tree: &HeightTree,
    field: &HeightField<'_>,
    reach: f64,
    shape: &VolumeShape<6>,
    visitor: &mut impl FieldVolumeVisitor,
) -> u64 {
    dispatch(FieldVolumeWalk { tree, field, bounds: &Bounds::new(reach, shape), visitor })
}

/// The volume, with padding for rounding.
struct Bounds {
    slabs: [Slab; MOST_SLABS],
    slab_count: usize,
    own: [[f64; 2]; 3],
    ball: Option<Ball>,
    /// The error bound of a difference to the ball's center.
    ball_room: f64,
    /// Whether the ball is a single one, and not one of many along a segment.
    is_single: bool,
    /// Whether anything can be found to be inside.
    can_hold: bool,
}

impl Bounds {
    fn new(reach: f64, shape: &VolumeShape<6>) -> Bounds {
        const NONE: Slab = Slab { normal: DVec3::ZERO, outer: [0.0; 2], inner: [0.0; 2] };
        let mut bounds = Bounds {
            slabs: [NONE; MOST_SLABS],
            slab_count: 0,
            own: [[f64::NEG_INFINITY, f64::INFINITY]; 3],
            ball: shape.ball,
            ball_room: 0.0,
            is_single: false,
            can_hold: true,
        };
        for slab in shape.slabs.iter().flatten() {
            let size = slab.normal.abs().max_element();
            // What is left out separates nothing, but would have to hold all that is inside.
            if !(size > 0.0 && size.is_finite()) {
                bounds.can_hold = false;
                continue;
            }
            let room = ROUNDING * slab.normal.abs().element_sum() * reach + f64::MIN_POSITIVE;
            bounds.slabs[bounds.slab_count] = Slab {
                normal: slab.normal,
                outer: [slab.outer[0] - room, slab.outer[1] + room],
                inner: [slab.inner[0] + room, slab.inner[1] - room],
            };
            bounds.slab_count += 1;
        }
        if let Some(own) = &shape.own {
            bounds.own = [own[0], own[1], own[2]];
        }
        if let Some(ball) = &shape.ball {
            let ends = ball.center.abs().max((ball.center + ball.along).abs());
            bounds.ball_room = ROUNDING * (ends.max_element() + reach) + f64::MIN_POSITIVE;
            bounds.is_single = ball.along == DVec3::ZERO;
            bounds.can_hold = ball.inner.is_finite();
        }
        bounds
    }

    /// The children of a node that may touch the volume, and those that are in it: one bit each, row by row.
    #[inline(always)]
    fn place(&self, field: &HeightField<'_>, children: &Children) -> (u32, u32) {
        let (mut low_x, mut high_x) = ([0.0; SIDE], [0.0; SIDE]);
        let mut i = 0;
        while i < SIDE {
            low_x[i] = field.x(children.columns[i]);
            high_x[i] = field.x(children.columns[i + 1]);
            i += 1;
        }
        let (mut near, mut inside) = (0, 0);
        let mut j = 0;
        while j < SIDE {
            let (low_y, high_y) = (field.y(children.rows[j]), field.y(children.rows[j + 1]));
            if !(low_y > self.own[1][1] || high_y < self.own[1][0]) {
                let (mut low_z, mut high_z) = ([0.0; SIDE], [0.0; SIDE]);
                let mut i = 0;
                while i < SIDE {
                    low_z[i] = field.z(children.least[j][i]);
                    high_z[i] = field.z(children.most[j][i]);
                    i += 1;
                }
                let row =
                    self.place_row([&low_x, &[low_y; SIDE], &low_z], [&high_x, &[high_y; SIDE], &high_z]);
                near |= row.0 << (SIDE * j);
                inside |= row.1 << (SIDE * j);
            }
            j += 1;
        }
        (near, inside & near)
    }

    #[inline(always)]
    fn place_row(&self, low: [&[f64; SIDE]; 3], high: [&[f64; SIDE]; 3]) -> (u32, u32) {
        let (mut apart, mut outside) = ([false; SIDE], [!self.can_hold; SIDE]);
        let mut i = 0;
        while i < SIDE {
            apart[i] = (low[0][i] > self.own[0][1])
                | (high[0][i] < self.own[0][0])
                | (low[2][i] > self.own[2][1])
                | (high[2][i] < self.own[2][0])
                // Empty: beyond the rim, or nothing but holes.
                | (low[2][i] > high[2][i]);
            i += 1;
        }
        let mut s = 0;
        while s < self.slab_count {
            let Slab { normal, outer, inner } = &self.slabs[s];
            let normal = [normal.x, normal.y, normal.z];
            let (mut least, mut most) = ([0.0; SIDE], [0.0; SIDE]);
            let mut k = 0;
            while k < 3 {
                let (from, to) = if normal[k] < 0.0 { (high[k], low[k]) } else { (low[k], high[k]) };
                let mut i = 0;
                while i < SIDE {
                    least[i] += normal[k] * from[i];
                    most[i] += normal[k] * to[i];
                    i += 1;
                }
                k += 1;
            }
            let mut i = 0;
            while i < SIDE {
                apart[i] |= (most[i] < outer[0]) | (least[i] > outer[1]);
                outside[i] |= !((most[i] <= inner[1]) & (least[i] >= inner[0]));
                i += 1;
            }
            s += 1;
        }
        if let Some(ball) = &self.ball {
            self.place_by_ball(ball, low, high, &mut apart, &mut outside);
        }
        let (mut near, mut inside) = (0, 0);
        let mut i = 0;
        while i < SIDE {
            near |= u32::from(!apart[i]) << i;
            inside |= u32::from(!outside[i]) << i;
            i += 1;
        }
        (near, inside)
    }

    #[inline(always)]
    fn place_by_ball(
        &self,
        ball: &Ball,
        low: [&[f64; SIDE]; 3],
        high: [&[f64; SIDE]; 3],
        apart: &mut [bool; SIDE],
        outside: &mut [bool; SIDE],
    ) {
        let (place, start) = (ball.place.0.to_array(), ball.place.1);
        let (center, along) = (ball.center.to_array(), ball.along.to_array());
        let (outer, inner) = (ball.outer.to_array(), ball.inner.to_array());
        let mut i = 0;
        while i < SIDE {
            let mut fraction = 0.0;
            if !self.is_single {
                let middle = |k: usize| 0.5 * low[k][i] + 0.5 * high[k][i];
                let value = start + place[0] * middle(0) + place[1] * middle(1) + place[2] * middle(2);
                fraction = lesser(greater(value, 0.0), 1.0);
            }
            let (mut near, mut far) = (0.0, 0.0);
            let mut k = 0;
            while k < 3 {
                let center = center[k] + fraction * along[k];
                let (above, below) = (high[k][i] - center, center - low[k][i]);
                // The nearest and the farthest point of the box along this axis.
                let nearest = greater(-lesser(above, below) - self.ball_room, 0.0) * outer[k];
                let farthest = (greater(above, below) + self.ball_room) * inner[k];
                near += nearest * nearest;
                far += farthest * farthest;
                k += 1;
            }
            apart[i] |= self.is_single & (near > 1.0 + ROUNDING);
            // A number that is none holds nothing.
            outside[i] |= (far > 1.0 - ROUNDING) | far.is_nan();
            i += 1;
        }
    }
}

struct FieldVolumeWalk<'w, 'h, V> {
    tree: &'w HeightTree,
    field: &'w HeightField<'h>,
    bounds: &'w Bounds,
    visitor: &'w mut V,
}

/// A node whose children wait.
#[derive(Clone, Copy)]
struct Open {
    row: u32,
    column: u32,
    waiting: u32,
}

impl<V: FieldVolumeVisitor> Work for FieldVolumeWalk<'_, '_, V> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Lanes>(self) -> u64 {
        let FieldVolumeWalk { tree, field, bounds, visitor } = self;
        let top = tree.top();
        let mut path = [Open { row: 0, column: 0, waiting: 0 }; MOST_LAYERS];
        let mut layer = top;
        let mut next = Some([0, 0]);
        let mut opened = 0;
        loop {
            let open = &mut path[layer % MOST_LAYERS];
            if let Some([row, column]) = next.take() {
                let children = tree.children(field, layer, row, column);
                let (near, mut inside) = bounds.place(field, &children);
                *open = Open { row, column, waiting: near & !inside };
                opened += 1;
                while inside != 0 {
                    let child = inside.trailing_zeros() as usize % 16;
                    inside &= inside - 1;
                    let (j, i) = (child / SIDE, child % SIDE);
                    let rows = children.rows[j]..children.rows[j + 1];
                    let columns = children.columns[i]..children.columns[i + 1];
                    if visitor.inside(rows, columns).is_break() {
                        return opened;
                    }
                }
            }
            if open.waiting == 0 {
                if layer == top {
                    visitor.end::<L>();
                    return opened;
                }
                layer += 1;
                continue;
            }
            let child = open.waiting.trailing_zeros();
            open.waiting &= open.waiting - 1;
            let (row, column) = (open.row * 4 + child / 4, open.column * 4 + child % 4);
            if layer == 0 {
                if visitor.near::<L>(row, column).is_break() {
                    return opened;
                }
            } else {
                layer -= 1;
                next = Some([row, column]);
            }
        }
    }
}
