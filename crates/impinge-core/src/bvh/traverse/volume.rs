//! The traversal of one tree with a volume: which elements may touch it, and which certainly lie in it.
//!
//! A volume is known in the model's own frame by slabs and, for balls and capsules, a ball (Maia et al. 2006, §3.4: bounds
//! are tested in the frame A′, where they are boxes and a ball is a ball). All of it may be loose and none of it wrong:
//! rounding is on the safe side both ways. `docs/math/volume-frames.md` derives it.

use std::ops::ControlFlow;

use crate::bvh::align::{ROUNDING, TOO_LARGE};
use crate::bvh::cones::{Cone, combination};
use crate::bvh::steps::{STEPS, spanned, spans};
use crate::bvh::traverse::pair::Counts;
use crate::bvh::{Child, DopTree, Leaf};
use crate::math::DVec3;
use crate::simd::{I16x4, Lanes, Work, dispatch};

/// The most slabs that bound a volume, besides those along the tree's own directions.
pub const MOST_SLABS: usize = 6;

/// Two parallel planes: points x of the model with `normal · x` in an interval.
#[derive(Clone, Copy, Debug)]
pub struct Slab {
    /// The direction across the slab.
    pub normal: DVec3,
    /// The outer interval: outside of it nothing touches the volume.
    pub outer: [f64; 2],
    /// The inner interval: within those of all slabs, everything is in the volume.
    pub inner: [f64; 2],
}

/// A ball in the model's own frame, where it may be an ellipsoid, or such balls along a segment.
#[derive(Clone, Copy, Debug)]
pub struct Ball {
    /// The center of the ball, or one end of the segment.
    pub center: DVec3,
    /// The vector from the center to the other end of the segment; zero for a single ball.
    pub along: DVec3,
    /// The ball whose center is at the fraction `place · x + start` of the segment is the one to look at near x.
    pub place: (DVec3, f64),
    /// The outer semi-axes: a point x that touches a single ball has no `x - center` longer than 1 in multiples of these.
    pub outer: DVec3,
    /// The inner semi-axes: a point x with no `x - center` longer than 1 in multiples of these is in the ball; infinite where nothing is.
    pub inner: DVec3,
}

/// A volume as a traversal sees it: slabs, intervals and a ball.
#[derive(Clone, Copy, Debug)]
pub struct VolumeShape<const K: usize> {
    /// The slabs that the volume is the intersection of.
    pub slabs: [Option<Slab>; MOST_SLABS],
    /// Outer intervals along the tree's own directions, of which the first half counts.
    pub own: Option<[[f64; 2]; K]>,
    /// The ball of a sphere or capsule, which alone then says what is inside.
    pub ball: Option<Ball>,
}

/// A visitor of the elements in or near a volume. Compiled for the lanes that the traversal runs with.
pub trait VolumeVisitor {
    /// Takes elements that are in the volume.
    fn inside(&mut self, elements: &[u32]) -> ControlFlow<()>;
    /// Takes elements of a leaf, which may touch the volume.
    fn near<L: Lanes>(&mut self, elements: &[u32]) -> ControlFlow<()>;
    /// Ends the traversal, after all elements have been shown.
    fn end<L: Lanes>(&mut self);
}

/// Shows the visitor all elements that may touch the volume. Returns how much it did.
pub fn traverse_volume<const K: usize>(
    tree: &DopTree<K>,
    shape: &VolumeShape<K>,
    stack: &mut VolumeStack,
    visitor: &mut impl VolumeVisitor,
) -> Counts {
    dispatch(VolumeWalk { tree, bounds: &Bounds::new(tree, shape), stack, visitor })
}

/// The stack of a volume traversal.
#[derive(Clone, Debug, Default)]
pub struct VolumeStack {
    children: Vec<Child>,
    inside: Vec<Child>,
}

/// The volume in tree coordinates.
struct Bounds<const K: usize> {
    rows: [Row; MOST_SLABS],
    row_count: usize,
    /// Least and greatest along the tree's own directions.
    own: [[f32; 2]; K],
    has_own: bool,
    ball: Option<TreeBall>,
    /// Whether anything can be found to be inside.
    can_hold: bool,
}

/// A slab in tree coordinates, as a combination of three of the tree's directions.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    picks: [usize; 3],
    opposite: [usize; 3],
    factors: [f32; 3],
    outer: [f32; 2],
    inner: [f32; 2],
}

#[derive(Clone, Copy, Debug)]
struct TreeBall {
    center: [f32; 3],
    along: [f32; 3],
    place: [f32; 4],
    is_single: bool,
    /// The error bound of a difference to the center.
    room: f32,
    outer: [f32; 3],
    inner: [f32; 3],
}

impl<const K: usize> Bounds<K> {
    fn new(tree: &DopTree<K>, shape: &VolumeShape<K>) -> Bounds<K> {
        let mut bounds = Bounds {
            rows: [Row::default(); MOST_SLABS],
            row_count: 0,
            own: [[f32::NEG_INFINITY, f32::INFINITY]; K],
            has_own: shape.own.is_some(),
            ball: shape.ball.map(|ball| TreeBall::new(tree, &ball)),
            can_hold: true,
        };
        for slab in shape.slabs.iter().flatten() {
            match Row::new(tree, slab) {
                Some(row) => {
                    bounds.rows[bounds.row_count] = row;
                    bounds.row_count += 1;
                }
                // What is left out separates nothing, but would have to hold all that is inside.
                None => bounds.can_hold = false,
            }
        }
        if let Some(ball) = &bounds.ball {
            bounds.can_hold = ball.inner.iter().all(|factor| factor.is_finite());
        }
        if let Some(own) = &shape.own {
            for (i, ends) in own.iter().enumerate().take(K / 2) {
                let direction = DVec3::from_array(const { spanned::<K>() }[i]);
                let span = const { spans::<K>() }[i];
                let shift = direction.dot(tree.origin);
                let size = direction.abs().dot(tree.origin.abs());
                let ends = ends.map(|end| (end / span - shift) * tree.scale);
                bounds.own[i] = outward(ends, size * tree.scale);
            }
        }
        bounds
    }
}

/// An interval in tree coordinates as `f32`, wider than rounding could make it narrower.
fn outward([low, high]: [f64; 2], size: f64) -> [f32; 2] {
    let room = |end: f64| (end.abs() + STEPS) * ROUNDING + size * 8.0 * f64::EPSILON;
    let [low, high] = [(low - room(low)) as f32, (high + room(high)) as f32];
    // NaN where infinities met: no bound then.
    [if low.is_nan() { f32::NEG_INFINITY } else { low }, if high.is_nan() { f32::INFINITY } else { high }]
}

impl Row {
    fn new<const K: usize>(tree: &DopTree<K>, slab: &Slab) -> Option<Row> {
        let size = slab.normal.abs().max_element();
        if !(size > 0.0 && size.is_finite()) {
            return None;
        }
        // Of the size of 1, so that nothing overflows.
        let normal = slab.normal / size;
        let shift = normal.dot(tree.origin);
        let (Cone { picks, factors }, residual) = combination::<K>(normal);
        let shift_size = normal.abs().dot(tree.origin.abs()) * tree.scale;
        let sum = f64::from(factors[0]) + f64::from(factors[1]) + f64::from(factors[2]);
        let to_tree = |end: f64| (end / size - shift) * tree.scale;
        // As for an alignment: terms no larger than these, each rounded, and what the slab's own numbers lack.
        let room = |end: f64| {
            residual * STEPS
                + (STEPS * sum + end.abs()) * ROUNDING
                + 16.0 * f64::EPSILON * (shift_size + end.abs())
                + 1e-30
        };
        let moved = |end: f64, outward: f64| -> f32 {
            let end = to_tree(end);
            if end.is_infinite() { end as f32 } else { (end + outward * room(end)) as f32 }
        };
        let opposite = picks.map(|pick| (pick as usize + K / 2) % K);
        let row = Row {
            picks: picks.map(|pick| pick as usize),
            opposite,
            factors,
            outer: [moved(slab.outer[0], -1.0), moved(slab.outer[1], 1.0)],
            inner: [moved(slab.inner[0], 1.0), moved(slab.inner[1], -1.0)],
        };
        let is_number = |end: f32| !end.is_nan();
        let all = row.outer.iter().chain(&row.inner).all(|&end| is_number(end));
        (all && sum < TOO_LARGE).then_some(row)
    }
}

impl TreeBall {
    fn new<const K: usize>(tree: &DopTree<K>, ball: &Ball) -> TreeBall {
        // Beyond, squares would overflow. Smaller factors are looser.
        const MOST: f64 = 1e15;
        let center = (ball.center - tree.origin) * tree.scale;
        let along = ball.along * tree.scale;
        let reach = center.abs().max_element() + along.abs().max_element() + STEPS;
        let origin_size = tree.origin.abs().max_element().max(ball.center.abs().max_element()) * tree.scale;
        let room = reach * 4.0 * ROUNDING + 16.0 * f64::EPSILON * origin_size;
        let (outer, inner) = (ball.outer / tree.scale, ball.inner / tree.scale);
        let is_usable = reach < MOST && room.is_finite();
        let offset_inward = |factor: f64| (factor * (1.0 - 4.0 * ROUNDING)).min(MOST) as f32;
        let grown = |factor: f64| {
            let factor = factor * (1.0 + 4.0 * ROUNDING) + 1e-30;
            if is_usable && factor <= MOST { factor as f32 } else { f32::INFINITY }
        };
        let (place, start) = ball.place;
        let in_tree = place / tree.scale;
        let single = |vector: DVec3| if is_usable { vector.to_array().map(|c| c as f32) } else { [0.0; 3] };
        TreeBall {
            center: single(center),
            along: single(along),
            place: [
                in_tree.x as f32,
                in_tree.y as f32,
                in_tree.z as f32,
                (start + place.dot(tree.origin)) as f32,
            ],
            is_single: ball.along == DVec3::ZERO && is_usable,
            room: room as f32,
            outer: outer.to_array().map(offset_inward),
            inner: inner.to_array().map(grown),
        }
    }
}

struct VolumeWalk<'w, const K: usize, V> {
    tree: &'w DopTree<K>,
    bounds: &'w Bounds<K>,
    stack: &'w mut VolumeStack,
    visitor: &'w mut V,
}

impl<const K: usize, V: VolumeVisitor> Work for VolumeWalk<'_, K, V> {
    type Output = Counts;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Counts {
        let VolumeWalk { tree, bounds, stack, visitor } = self;
        let VolumeStack { children, inside: within } = stack;
        children.clear();
        within.clear();
        let mut counts = Counts::default();
        if tree.is_empty() {
            return counts;
        }
        children.push(tree.root);
        while let Some(child) = children.pop() {
            let node = &tree.nodes[child.index() as usize];
            counts.visits += 1;
            counts.bounds += u64::from(child.count());
            let (apart, inside) = bounds.place(&numbers(&node.offsets));
            let mut alive = ((1 << child.count()) - 1) & !apart;
            while alive != 0 {
                let lane = alive.trailing_zeros() as usize % 4;
                alive &= alive - 1;
                let child = node.children[lane];
                let flow = match (inside >> lane & 1 == 1, child.is_leaf()) {
                    (true, true) => visitor.inside(tree.elements(leaf(child))),
                    (true, false) => {
                        within.push(child);
                        all_below(tree, within, visitor)
                    }
                    (false, true) => visitor.near::<L>(tree.elements(leaf(child))),
                    (false, false) => {
                        L::prefetch(&tree.nodes[child.index() as usize]);
                        children.push(child);
                        continue;
                    }
                };
                if flow.is_break() {
                    return counts;
                }
            }
        }
        visitor.end::<L>();
        counts
    }
}

#[inline(always)]
fn leaf(child: Child) -> Leaf {
    Leaf { first: child.index(), count: child.count() }
}

/// Shows the visitor all elements below the nodes of the stack, all of which are in the volume.
fn all_below<const K: usize>(
    tree: &DopTree<K>,
    stack: &mut Vec<Child>,
    visitor: &mut impl VolumeVisitor,
) -> ControlFlow<()> {
    while let Some(child) = stack.pop() {
        for &child in &tree.nodes[child.index() as usize].children[..child.count() as usize] {
            if child.is_leaf() {
                visitor.inside(tree.elements(leaf(child)))?;
            } else {
                stack.push(child);
            }
        }
    }
    ControlFlow::Continue(())
}

/// The bounds of four children.
#[inline(always)]
fn numbers<const K: usize>(offsets: &[I16x4; K]) -> [[f32; 4]; K] {
    let mut numbers = [[0.0; 4]; K];
    let mut k = 0;
    while k < K {
        let mut lane = 0;
        while lane < 4 {
            numbers[k][lane] = f32::from(offsets[k][lane]);
            lane += 1;
        }
        k += 1;
    }
    numbers
}

impl<const K: usize> Bounds<K> {
    /// The children, of four, that are certainly apart from the volume, and those that are in it.
    #[inline(always)]
    fn place(&self, offsets: &[[f32; 4]; K]) -> (u32, u32) {
        let half = K / 2;
        // How far each child reaches into the volume along the slab in which it does so least; apart where below 0. And
        // how far it is from the volume's rim; not inside where below 0.
        let (mut depth, mut margin) = ([f32::INFINITY; 4], [f32::INFINITY; 4]);
        let mut r = 0;
        while r < self.row_count {
            let row = &self.rows[r];
            let (mut upper, mut lower) = ([0.0; 4], [0.0; 4]);
            let mut j = 0;
            while j < 3 {
                let (above, below) = (&offsets[row.picks[j]], &offsets[row.opposite[j]]);
                let mut lane = 0;
                while lane < 4 {
                    upper[lane] += row.factors[j] * above[lane];
                    lower[lane] += row.factors[j] * below[lane];
                    lane += 1;
                }
                j += 1;
            }
            let mut lane = 0;
            while lane < 4 {
                depth[lane] = least(depth[lane], upper[lane] - row.outer[0]);
                depth[lane] = least(depth[lane], lower[lane] + row.outer[1]);
                margin[lane] = least(margin[lane], row.inner[1] - upper[lane]);
                margin[lane] = least(margin[lane], -row.inner[0] - lower[lane]);
                lane += 1;
            }
            r += 1;
        }
        if self.has_own {
            let mut i = 0;
            while i < half {
                let mut lane = 0;
                while lane < 4 {
                    depth[lane] = least(depth[lane], offsets[i][lane] - self.own[i][0]);
                    depth[lane] = least(depth[lane], offsets[i + half][lane] + self.own[i][1]);
                    lane += 1;
                }
                i += 1;
            }
        }
        if let Some(ball) = &self.ball {
            margin = ball.place(offsets, &mut depth);
        }
        let (mut apart, mut inside) = (0, 0);
        let mut lane = 0;
        while lane < 4 {
            apart |= u32::from(depth[lane] < 0.0) << lane;
            inside |= u32::from(margin[lane] >= 0.0) << lane;
            lane += 1;
        }
        (apart, if self.can_hold { inside } else { 0 })
    }
}

#[inline(always)]
fn least(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

#[inline(always)]
fn most(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

impl TreeBall {
    /// Lessens the depths where children are farther than the radius; returns the margins.
    #[inline(always)]
    fn place<const K: usize>(&self, offsets: &[[f32; 4]; K], depth: &mut [f32; 4]) -> [f32; 4] {
        const { assert!(K == 6 || K == 8 || K == 14 || K == 18 || K == 26) };
        let half = K / 2;
        // The box around a DOP; octahedra have no axes among their directions, but pairs of them add up to some.
        let mut uppers = [[0.0; 4]; 3];
        let mut lowers = [[0.0; 4]; 3];
        let mut k = 0;
        while k < 3 {
            let mut lane = 0;
            while lane < 4 {
                if K == 8 {
                    // The corners 0..4 are (1,1,1), (-1,1,1), (1,-1,1), (1,1,-1), each over 4: x is twice the first less
                    // the second.
                    uppers[k][lane] = 2.0 * (offsets[0][lane] + offsets[half + 1 + k][lane]);
                    lowers[k][lane] = 2.0 * (offsets[half][lane] + offsets[1 + k][lane]);
                } else {
                    uppers[k][lane] = offsets[k][lane];
                    lowers[k][lane] = offsets[half + k][lane];
                }
                lane += 1;
            }
            k += 1;
        }
        let mut fraction = [0.0; 4];
        if !self.is_single {
            let mut lane = 0;
            while lane < 4 {
                let mut value = self.place[3];
                let mut k = 0;
                while k < 3 {
                    value += 0.5 * self.place[k] * (uppers[k][lane] - lowers[k][lane]);
                    k += 1;
                }
                fraction[lane] = least(most(value, 0.0), 1.0);
                lane += 1;
            }
        }
        let (mut near, mut far) = ([0.0; 4], [0.0; 4]);
        let mut k = 0;
        while k < 3 {
            let mut lane = 0;
            while lane < 4 {
                let center = self.center[k] + fraction[lane] * self.along[k];
                let (above, below) = (uppers[k][lane] - center, lowers[k][lane] + center);
                // The nearest and the farthest point of the box along this axis.
                let nearest = most(-least(above, below) - self.room, 0.0) * self.outer[k];
                let farthest = (most(above, below) + self.room) * self.inner[k];
                near[lane] += nearest * nearest;
                far[lane] += farthest * farthest;
                lane += 1;
            }
            k += 1;
        }
        let mut margin = [0.0; 4];
        let mut lane = 0;
        while lane < 4 {
            if self.is_single {
                depth[lane] = least(depth[lane], 1.0 + 4.0 * ROUNDING as f32 - near[lane]);
            }
            margin[lane] = 1.0 - 4.0 * ROUNDING as f32 - far[lane];
            lane += 1;
        }
        margin
    }
}
