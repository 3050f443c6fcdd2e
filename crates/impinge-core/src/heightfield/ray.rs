//! The traversal of a height tree along a ray: cells above or below which the ray passes, the near ones first.
//!
//! Times at which the ray passes columns, rows and heights are computed in `f64`, and compared with so much padding that
//! no cell is lost; a ray along a line of the grid sees the cells on both sides. `docs/math/terrain-grid.md` says how
//! much that is.

use std::ops::ControlFlow;

use super::{Children, HeightField, HeightTree, SIDE, greater, lesser};
use crate::math::DVec3;
use crate::simd::{Lanes, Work, dispatch};

/// A visitor of the cells along a ray. Compiled for the lanes that the traversal runs with.
pub trait FieldRayVisitor {
    /// Looks at a cell, which may be a hole.
    fn meet<L: Lanes>(&mut self, row: u32, column: u32) -> ControlFlow<()>;
    /// The time up to which cells count; it may become less with every cell.
    fn limit(&self) -> f64;
}

/// Times that rounding may have made this much less, in multiples of themselves, still count.
const GROWN: f64 = 1.0 + 8.0 * f64::EPSILON;
/// Beyond, one over a coordinate of the direction says nothing that could be trusted.
const STEEPEST: f64 = 1e300;
/// Beyond, differences of coordinates might overflow.
const FARTHEST: f64 = 1e307;
/// Layers at most: four to this power is more than the cells of any grid.
const MOST_LAYERS: usize = 16;
/// Children by how far they are along both axes together: none is behind one that comes later.
const ORDER: [u8; 16] = [0, 1, 4, 2, 5, 8, 3, 6, 9, 12, 7, 10, 13, 11, 14, 15];
const RANK: [u8; 16] = {
    let mut rank = [0; 16];
    let mut i = 0;
    while i < 16 {
        rank[ORDER[i] as usize] = i as u8;
        i += 1;
    }
    rank
};

/// A ray in the frame of a height field.
#[derive(Clone, Copy, Debug)]
pub struct FieldRay {
    origin: [f64; 3],
    inverse: [f64; 3],
    way: [Way; 3],
    /// The bits of a child's number that change so that lower numbers come first.
    turn: u8,
}

/// How a ray goes along an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Forward,
    Backward,
    /// Not at all: it stays where it is.
    Still,
    /// So little that no time can be told.
    Unknown,
}

impl FieldRay {
    /// A ray in the field's frame; `reach` is the largest coordinate of the field, without its sign.
    #[inline(always)]
    pub fn new(origin: DVec3, direction: DVec3, reach: f64) -> FieldRay {
        let mut ray =
            FieldRay { origin: origin.to_array(), inverse: [0.0; 3], way: [Way::Unknown; 3], turn: 0 };
        let direction = direction.to_array();
        let mut k = 0;
        while k < 3 {
            ray.inverse[k] = 1.0 / direction[k];
            ray.way[k] = if direction[k] == 0.0 {
                Way::Still
            } else if !(ray.inverse[k].abs() <= STEEPEST && ray.origin[k].abs() + reach <= FARTHEST) {
                Way::Unknown
            } else if direction[k] > 0.0 {
                Way::Forward
            } else {
                Way::Backward
            };
            k += 1;
        }
        ray.turn = (if direction[0] < 0.0 { 3 } else { 0 }) | (if direction[1] < 0.0 { 12 } else { 0 });
        ray
    }

    /// When the ray enters what lies between places along an axis, and when it leaves it.
    #[inline(always)]
    fn times(&self, axis: usize, low: &[f64; SIDE], high: &[f64; SIDE]) -> [[f64; SIDE]; 2] {
        let (origin, inverse) = (self.origin[axis], self.inverse[axis]);
        let (mut enter, mut leave) = ([f64::NEG_INFINITY; SIDE], [f64::INFINITY; SIDE]);
        // One loop for each way: a choice inside would keep it from being done four at a time.
        let mut i = 0;
        match self.way[axis] {
            Way::Forward => {
                while i < SIDE {
                    enter[i] = (low[i] - origin) * inverse;
                    leave[i] = (high[i] - origin) * inverse;
                    i += 1;
                }
            }
            Way::Backward => {
                while i < SIDE {
                    enter[i] = (high[i] - origin) * inverse;
                    leave[i] = (low[i] - origin) * inverse;
                    i += 1;
                }
            }
            Way::Still => {
                while i < SIDE {
                    enter[i] = if low[i] <= origin { f64::NEG_INFINITY } else { f64::INFINITY };
                    leave[i] = if high[i] >= origin { f64::INFINITY } else { f64::NEG_INFINITY };
                    i += 1;
                }
            }
            Way::Unknown => {}
        }
        [enter, leave]
    }

    /// The children of a node that the ray may hit before the limit, one bit each, by rank.
    #[inline(always)]
    fn test(&self, field: &HeightField<'_>, children: &Children, limit: f64) -> u32 {
        let (mut low, mut high) = ([[0.0; SIDE]; 2], [[0.0; SIDE]; 2]);
        let mut i = 0;
        while i < SIDE {
            (low[0][i], high[0][i]) = (field.x(children.columns[i]), field.x(children.columns[i + 1]));
            (low[1][i], high[1][i]) = (field.y(children.rows[i]), field.y(children.rows[i + 1]));
            i += 1;
        }
        let [mut enter, mut leave] = self.times(0, &low[0], &high[0]);
        let [row_enter, row_leave] = self.times(1, &low[1], &high[1]);
        let mut i = 0;
        while i < SIDE {
            enter[i] = greater(enter[i], 0.0);
            leave[i] = lesser(leave[i], limit) * GROWN + f64::MIN_POSITIVE;
            i += 1;
        }
        let mut mask = 0;
        let mut j = 0;
        while j < SIDE {
            let row_leave = row_leave[j] * GROWN + f64::MIN_POSITIVE;
            let (mut first, mut last) = ([0.0; SIDE], [0.0; SIDE]);
            let mut some = false;
            let mut i = 0;
            while i < SIDE {
                first[i] = greater(enter[i], row_enter[j]);
                last[i] = lesser(leave[i], row_leave);
                some |= first[i] <= last[i];
                i += 1;
            }
            if some {
                mask |=
                    self.test_row(field, &children.least[j], &children.most[j], &first, &last) << (SIDE * j);
            }
            j += 1;
        }
        let mut ranked = 0;
        while mask != 0 {
            let child = mask.trailing_zeros() as usize % 16;
            mask &= mask - 1;
            ranked |= 1 << RANK[(child ^ self.turn as usize) % 16];
        }
        ranked
    }

    /// The children of one row that the ray may hit between the times that columns and rows leave, one bit each.
    #[inline(always)]
    fn test_row(
        &self,
        field: &HeightField<'_>,
        least: &[f64; SIDE],
        most: &[f64; SIDE],
        first: &[f64; SIDE],
        last: &[f64; SIDE],
    ) -> u32 {
        let (mut low, mut high) = ([0.0; SIDE], [0.0; SIDE]);
        let mut i = 0;
        while i < SIDE {
            (low[i], high[i]) = (field.z(least[i]), field.z(most[i]));
            i += 1;
        }
        let [enter, leave] = self.times(2, &low, &high);
        let mut mask = 0;
        let mut i = 0;
        while i < SIDE {
            let leave = leave[i] * GROWN + f64::MIN_POSITIVE;
            // Empty ones are beyond the rim, or nothing but holes.
            let is_met = (greater(first[i], enter[i]) <= lesser(last[i], leave)) & (least[i] <= most[i]);
            mask |= u32::from(is_met) << i;
            i += 1;
        }
        mask
    }
}

/// Shows the visitor all cells that the ray may hit before its limit.
#[inline]
pub fn traverse_field_ray(
    tree: &HeightTree,
    field: &HeightField<'_>,
    ray: &FieldRay,
    visitor: &mut impl FieldRayVisitor,
) {
    dispatch(FieldRayWalk { tree, field, ray, visitor });
}

struct FieldRayWalk<'w, 'h, V> {
    tree: &'w HeightTree,
    field: &'w HeightField<'h>,
    ray: &'w FieldRay,
    visitor: &'w mut V,
}

/// A node whose children wait.
#[derive(Clone, Copy)]
struct Open {
    row: u32,
    column: u32,
    /// By rank.
    waiting: u32,
    /// The limit that they were tested with.
    limit: f64,
}

impl<V: FieldRayVisitor> Work for FieldRayWalk<'_, '_, V> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let FieldRayWalk { tree, field, ray, visitor } = self;
        let top = tree.top();
        let mut path = [Open { row: 0, column: 0, waiting: 0, limit: 0.0 }; MOST_LAYERS];
        let mut layer = top;
        let mut next = Some([0, 0]);
        loop {
            let open = &mut path[layer % MOST_LAYERS];
            let limit = visitor.limit();
            if let Some([row, column]) = next.take() {
                *open = Open { row, column, waiting: u32::MAX, limit: f64::INFINITY };
            }
            // A new node, or a limit that has come nearer.
            if open.waiting != 0 && (open.waiting == u32::MAX || limit < open.limit) {
                let children = tree.children(field, layer, open.row, open.column);
                open.waiting &= ray.test(field, &children, limit);
                open.limit = limit;
            }
            if open.waiting == 0 {
                if layer == top {
                    return;
                }
                layer += 1;
                continue;
            }
            let child = u32::from(ORDER[open.waiting.trailing_zeros() as usize % 16] ^ ray.turn);
            open.waiting &= open.waiting - 1;
            let (row, column) = (open.row * 4 + child / 4, open.column * 4 + child % 4);
            if layer == 0 {
                if visitor.meet::<L>(row, column).is_break() {
                    return;
                }
            } else {
                layer -= 1;
                next = Some([row, column]);
            }
        }
    }
}
