//! Building a tree: top-down, binned by surface area, on boxes; the K-DOPs are fitted afterwards from the bottom up.

use super::{Child, DopTree, LEAF_SIZE, Node, WIDTH};
use crate::bounds::{Aabb, directions};
use crate::math::DVec3;

const BINS: usize = 16;

/// An element with its box in tree coordinates.
#[derive(Clone, Copy, Debug)]
pub struct Element {
    low: [f32; 3],
    id: u32,
    high: [f32; 3],
}

#[derive(Clone, Copy)]
struct Box3 {
    low: [f32; 3],
    high: [f32; 3],
}

impl Box3 {
    const EMPTY: Box3 = Box3 { low: [f32::INFINITY; 3], high: [f32::NEG_INFINITY; 3] };

    #[inline(always)]
    fn add(&mut self, low: [f32; 3], high: [f32; 3]) {
        for k in 0..3 {
            self.low[k] = if low[k] < self.low[k] { low[k] } else { self.low[k] };
            self.high[k] = if high[k] > self.high[k] { high[k] } else { self.high[k] };
        }
    }

    #[inline(always)]
    fn half_area(&self) -> f32 {
        let [x, y, z] = std::array::from_fn(|k| (self.high[k] - self.low[k]).max(0.0));
        x * (y + z) + y * z
    }
}

/// `value` as the least `f32` that is not below it.
#[inline]
fn round_up(value: f64) -> f32 {
    let near = value as f32;
    if f64::from(near) < value { near.next_up() } else { near }
}

#[inline]
fn round_down(value: f64) -> f32 {
    -round_up(-value)
}

/// A range of elements that becomes a child.
#[derive(Clone, Copy)]
struct Range {
    first: usize,
    end: usize,
    depth: u32,
    bounds: Box3,
}

impl Range {
    fn count(&self) -> usize {
        self.end - self.first
    }
}

struct Builder<'e, const K: usize> {
    elements: &'e mut [Element],
    nodes: Vec<Node<K>>,
    /// Below this depth splits are at the median, which bounds the depth.
    deepest: u32,
}

impl<const K: usize> DopTree<K> {
    /// A tree over elements `0..count`. `bounds` is a box around all of them; `corners` calls its argument with the
    /// corners of an element.
    pub fn build(count: usize, bounds: Aabb, corners: impl Fn(u32, &mut dyn FnMut(DVec3))) -> DopTree<K> {
        let origin = bounds.centre();
        // Rounded up to a power of two, so that scaling is exact; the box of no size is as good as one of size 1.
        let reach =
            (bounds.max - origin).max(origin - bounds.min).max_element().max(f64::MIN_POSITIVE * 1e30);
        let scale = (-(reach.log2().ceil())).clamp(-1000.0, 1000.0).exp2();
        let to_tree = |point: DVec3| (point - origin) * scale;
        // What rounding the difference to the origin can cost, in tree coordinates.
        let room = f64::EPSILON;
        let mut elements: Vec<Element> = (0..count as u32)
            .filter_map(|id| {
                let mut bounds = Aabb::EMPTY;
                corners(id, &mut |point| bounds = bounds.with_point(to_tree(point)));
                (!bounds.is_empty()).then(|| Element {
                    low: bounds.min.to_array().map(|c| round_down(c - room)),
                    id,
                    high: bounds.max.to_array().map(|c| round_up(c + room)),
                })
            })
            .collect();
        let count = elements.len();
        assert!(count < Child::LIMIT, "more elements than a tree can name");
        let deepest = (count.max(2) as f64).log2().ceil() as u32;
        let mut builder: Builder<'_, K> =
            Builder { elements: &mut elements, nodes: Vec::with_capacity(count / 5 + 1), deepest };
        let whole = builder.range(0, count, 0);
        let root = if count == 0 { Child::NONE } else { builder.node(whole) };
        let mut tree = DopTree {
            nodes: builder.nodes,
            order: elements.iter().map(|element| element.id).collect(),
            root,
            bounds: [f32::NEG_INFINITY; K],
            origin,
            scale,
        };
        tree.fit(|id, visit: &mut dyn FnMut(DVec3)| corners(id, &mut |point| visit(to_tree(point))));
        if count > 0 {
            for (bound, lanes) in tree.bounds.iter_mut().zip(&tree.nodes[0].offsets) {
                *bound = lanes[..root.count() as usize].iter().fold(*bound, |most, &offset| most.max(offset));
            }
        }
        tree
    }

    /// Computes all bounds from the bottom up: children come after their parents.
    fn fit(&mut self, corners: impl Fn(u32, &mut dyn FnMut(DVec3))) {
        let half = K / 2;
        for index in (0..self.nodes.len()).rev() {
            let children = self.nodes[index].children;
            for (lane, &child) in children.iter().enumerate().filter(|(_, child)| **child != Child::NONE) {
                let mut offsets = [f32::NEG_INFINITY; K];
                if child.is_leaf() {
                    let (first, count) = (child.index() as usize, child.count() as usize);
                    let mut wide = [f64::NEG_INFINITY; K];
                    for &id in &self.order[first..first + count] {
                        corners(id, &mut |point| {
                            for i in 0..half {
                                let [x, y, z] = const { directions::<K>() }[i];
                                let along = x * point.x + y * point.y + z * point.z;
                                wide[i] = wide[i].max(along);
                                wide[i + half] = wide[i + half].max(-along);
                            }
                        });
                    }
                    // Room for the rounding into tree coordinates and of the sums of three.
                    offsets = wide.map(|offset| round_up(offset + 8.0 * f64::EPSILON));
                } else {
                    let node = &self.nodes[child.index() as usize];
                    for (offset, lanes) in offsets.iter_mut().zip(&node.offsets) {
                        *offset =
                            lanes[..child.count() as usize].iter().fold(*offset, |most, &o| most.max(o));
                    }
                }
                let node = &mut self.nodes[index];
                for (lanes, offset) in node.offsets.iter_mut().zip(offsets) {
                    lanes[lane] = offset;
                }
            }
        }
    }
}

impl<const K: usize> Builder<'_, K> {
    fn range(&self, first: usize, end: usize, depth: u32) -> Range {
        let mut bounds = Box3::EMPTY;
        for element in &self.elements[first..end] {
            bounds.add(element.low, element.high);
        }
        Range { first, end, depth, bounds }
    }

    fn child(&mut self, range: Range) -> Child {
        if range.count() <= LEAF_SIZE { Child::leaf(range.first, range.count()) } else { self.node(range) }
    }

    fn node(&mut self, range: Range) -> Child {
        // Split the child of the largest surface until there are enough.
        let mut parts = [range; WIDTH];
        let mut count = 1;
        while count < WIDTH {
            let splittable = (0..count).filter(|&i| parts[i].count() > LEAF_SIZE);
            let cost = |i: &usize| parts[*i].bounds.half_area() * parts[*i].count() as f32;
            let Some(largest) = splittable.max_by(|i, j| cost(i).total_cmp(&cost(j))) else { break };
            let [left, right] = self.split(parts[largest]);
            parts[largest] = left;
            parts[count] = right;
            count += 1;
        }
        let index = self.nodes.len();
        self.nodes.push(Node { offsets: [[0.0; WIDTH]; K], children: [Child::NONE; WIDTH] });
        for (lane, part) in parts[..count].iter().enumerate() {
            self.nodes[index].children[lane] = self.child(*part);
        }
        Child::node(index, count)
    }

    fn split(&mut self, range: Range) -> [Range; 2] {
        let middle = if range.depth < self.deepest { self.binned(&range) } else { None };
        let middle = middle.unwrap_or_else(|| self.median(&range));
        [self.range(range.first, middle, range.depth + 1), self.range(middle, range.end, range.depth + 1)]
    }

    /// Where the elements are divided at least cost by surface area; `None` if no bin divides them.
    fn binned(&mut self, range: &Range) -> Option<usize> {
        let elements = &mut self.elements[range.first..range.end];
        let mut centres = Box3::EMPTY;
        for element in elements.iter() {
            let centre = centre(element);
            centres.add(centre, centre);
        }
        let mut best: (f32, usize, usize) = (f32::INFINITY, 0, 0);
        let mut bins = [[(Box3::EMPTY, 0_u32); BINS]; 3];
        let factor: [f32; 3] = std::array::from_fn(|k| {
            let width = centres.high[k] - centres.low[k];
            if width > 0.0 { BINS as f32 * 0.999_999 / width } else { 0.0 }
        });
        for element in elements.iter() {
            let centre = centre(element);
            for k in 0..3 {
                let bin = &mut bins[k][bin_of(centre[k], centres.low[k], factor[k])];
                bin.0.add(element.low, element.high);
                bin.1 += 1;
            }
        }
        for (axis, bins) in bins.iter().enumerate().filter(|(axis, _)| factor[*axis] > 0.0) {
            let mut right = [(0.0, 0); BINS];
            let (mut bounds, mut count) = (Box3::EMPTY, 0);
            for i in (1..BINS).rev() {
                bounds.add(bins[i].0.low, bins[i].0.high);
                count += bins[i].1;
                right[i] = (bounds.half_area(), count);
            }
            let (mut bounds, mut count) = (Box3::EMPTY, 0);
            for i in 1..BINS {
                bounds.add(bins[i - 1].0.low, bins[i - 1].0.high);
                count += bins[i - 1].1;
                let (area, others) = right[i];
                let cost = bounds.half_area() * count as f32 + area * others as f32;
                if count > 0 && others > 0 && cost < best.0 {
                    best = (cost, axis, i);
                }
            }
        }
        let (cost, axis, split) = best;
        if cost == f32::INFINITY {
            return None;
        }
        let is_left =
            |element: &Element| bin_of(centre(element)[axis], centres.low[axis], factor[axis]) < split;
        Some(range.first + partition(elements, is_left))
    }

    /// Halves the elements along the longest axis of their centres.
    fn median(&mut self, range: &Range) -> usize {
        let size: [f32; 3] = std::array::from_fn(|k| range.bounds.high[k] - range.bounds.low[k]);
        let axis = (0..3).fold(0, |best, k| if size[k] > size[best] { k } else { best });
        let elements = &mut self.elements[range.first..range.end];
        let half = elements.len() / 2;
        elements.select_nth_unstable_by(half, |a, b| {
            centre(a)[axis].total_cmp(&centre(b)[axis]).then(a.id.cmp(&b.id))
        });
        range.first + half
    }
}

/// Twice the centre.
#[inline(always)]
fn centre(element: &Element) -> [f32; 3] {
    std::array::from_fn(|k| element.low[k] + element.high[k])
}

#[inline(always)]
fn bin_of(centre: f32, low: f32, factor: f32) -> usize {
    (((centre - low) * factor) as usize).min(BINS - 1)
}

/// Moves the elements of the left side to the front, and says how many there are.
fn partition(elements: &mut [Element], is_left: impl Fn(&Element) -> bool) -> usize {
    let (mut left, mut right) = (0, elements.len());
    loop {
        while left < right && is_left(&elements[left]) {
            left += 1;
        }
        while left < right && !is_left(&elements[right - 1]) {
            right -= 1;
        }
        if left >= right {
            return left;
        }
        elements.swap(left, right - 1);
        left += 1;
        right -= 1;
    }
}
