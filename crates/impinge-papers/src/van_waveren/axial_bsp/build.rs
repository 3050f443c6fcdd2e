//! Building: at each node the plane, among sides of the boxes, that makes queries cheapest.
//!
//! Sides are counted in bins along each axis, so choosing a plane takes time in proportion to the boxes. Depth is no more than a
//! multiple of the logarithm of their number, and boxes that planes cut may take no more memory than the boxes themselves
//! did: building takes O(n log n) for whatever boxes there are.
//!
//! Boxes that a plane cuts go to both sides. Kept at the plane's node instead, they were 1,200 to 1,500 tests for every query,
//! however small, on a scan of 69,000 triangles and a map of 17,000: small queries took four to eight times as long. Large ones
//! took three quarters to a half of the time, because nothing was tested twice.

use super::{AxialBsp, Node};
use impinge::bounds::Aabb;
use impinge::math::DVec3;

/// So many boxes need no further planes.
const FEW: usize = 4;

/// Places along an axis where planes are tried.
const BINS: usize = 16;

/// What a visit of a node costs, in tests of boxes.
const VISIT: f64 = 1.0;

impl AxialBsp {
    /// The tree over boxes, numbered in their order. Boxes that hold no point, and those with coordinates that are not
    /// finite, are left out: nothing overlaps them.
    pub fn build(boxes: &[Aabb]) -> AxialBsp {
        let is_whole = |bounds: &Aabb| bounds.min.is_finite() && bounds.max.is_finite() && !bounds.is_empty();
        let mut elements: Vec<u32> =
            (0..).zip(boxes).filter(|(_, bounds)| is_whole(bounds)).map(|(element, _)| element).collect();
        let count = elements.len();
        assert!(2 * count < Node::LIMIT, "{count} boxes are more than a tree can name");
        let bounds = elements.iter().fold(Aabb::EMPTY, |all, &element| all.merge(boxes[element as usize]));
        let tree = AxialBsp { nodes: Vec::new(), boxes: Vec::new(), elements: Vec::new(), bounds, count };
        let mut builder = Builder { boxes, tree };
        let depth = 2 * (usize::BITS - count.leading_zeros()) + 8;
        builder.grow(&mut elements, 0, bounds, depth, count);
        builder.tree
    }
}

struct Builder<'b> {
    boxes: &'b [Aabb],
    tree: AxialBsp,
}

#[derive(Clone, Copy, Debug)]
struct Plane {
    axis: usize,
    at: f64,
    cost: f64,
}

impl Plane {
    /// Whether a box goes below the plane, and whether above. A box that only touches the plane goes to its own side.
    fn sides(&self, bounds: &Aabb) -> [bool; 2] {
        let above = bounds.max[self.axis] > self.at;
        [!above || bounds.min[self.axis] < self.at, above]
    }
}

impl Builder<'_> {
    /// Makes the node of the boxes in `list` from `start` on, all of which reach into `region`. `spare` is how many more
    /// entries there may be than boxes.
    fn grow(&mut self, list: &mut Vec<u32>, start: usize, region: Aabb, depth: u32, spare: usize) {
        let end = list.len();
        let plane =
            if end - start <= FEW || depth == 0 { None } else { self.choose(&list[start..], &region) };
        let sides = plane.map(|plane| {
            let mut counts = [0, 0];
            for &element in &list[start..] {
                let sides = plane.sides(&self.boxes[element as usize]);
                counts = [counts[0] + usize::from(sides[0]), counts[1] + usize::from(sides[1])];
            }
            (plane, counts)
        });
        let fits = |[below, above]: [usize; 2]| {
            let count = end - start;
            below + above - count <= spare && (below < count || above < count)
        };
        let Some((plane, counts)) = sides.filter(|(_, counts)| fits(*counts)) else {
            return self.leaf(&list[start..]);
        };
        let index = self.tree.nodes.len();
        self.tree.nodes.push(Node { plane: plane.at, link: 0, kind: plane.axis as u32 });
        let spare = spare - (counts[0] + counts[1] - (end - start));
        let spare_below = (spare as u128 * counts[0] as u128 / (counts[0] + counts[1]) as u128) as usize;
        for (side, spare) in [(0, spare_below), (1, spare - spare_below)] {
            if side == 1 {
                self.tree.nodes[index].link = self.tree.nodes.len() as u32;
            }
            for place in start..end {
                let element = list[place];
                if plane.sides(&self.boxes[element as usize])[side] {
                    list.push(element);
                }
            }
            let mut region = region;
            let bound = if side == 0 { &mut region.max } else { &mut region.min };
            bound[plane.axis] = plane.at;
            self.grow(list, end, region, depth - 1, spare);
            list.truncate(end);
        }
    }

    fn leaf(&mut self, list: &[u32]) {
        let tree = &mut self.tree;
        let kind = Node::LEAF | (list.len() as u32) << 2;
        tree.nodes.push(Node { plane: 0.0, link: tree.elements.len() as u32, kind });
        tree.elements.extend_from_slice(list);
        tree.boxes.extend(list.iter().map(|&element| self.boxes[element as usize]));
    }

    /// The best plane, if any is better than none.
    fn choose(&self, list: &[u32], region: &Aabb) -> Option<Plane> {
        let mut best: Option<Plane> = None;
        for axis in 0..3 {
            let tried = self.best_along(axis, list, region);
            if let Some(plane) = tried
                && best.is_none_or(|best| plane.cost < best.cost)
            {
                best = tried;
            }
        }
        best.filter(|plane| plane.cost < list.len() as f64)
    }

    fn best_along(&self, axis: usize, list: &[u32], region: &Aabb) -> Option<Plane> {
        let (low, high) = (region.min[axis], region.max[axis]);
        // Halved, so that no difference overflows.
        let length = high * 0.5 - low * 0.5;
        if length <= 0.0 {
            return None;
        }
        let bin = |at: f64| (((at * 0.5 - low * 0.5) / length * BINS as f64) as usize).min(BINS - 1);
        let (mut begins, mut ends) = ([0_u32; BINS], [0_u32; BINS]);
        let (mut least, mut greatest) = ([f64::INFINITY; BINS], [f64::NEG_INFINITY; BINS]);
        for &element in list {
            let bounds = &self.boxes[element as usize];
            let (min, max) = (bounds.min[axis].max(low), bounds.max[axis].min(high));
            let (first, last) = (bin(min), bin(max));
            begins[first] += 1;
            ends[last] += 1;
            least[first] = least[first].min(min);
            greatest[last] = greatest[last].max(max);
        }
        // Areas of the two sides as parts of the whole's.
        let half = region.max * 0.5 - region.min * 0.5;
        let half = half / half.max_element();
        let across = DVec3::new(half.y * half.z, half.z * half.x, half.x * half.y)[axis];
        let around = half.element_sum() - half[axis];
        let area = |part: f64| across + around * half[axis] * part;
        let whole = area(1.0);
        let mut best: Option<Plane> = None;
        let mut below = 0.0;
        let mut above = list.len() as f64;
        for i in 0..BINS - 1 {
            below += f64::from(begins[i]);
            above -= f64::from(ends[i]);
            // The last side in the bin before, or else the first in the bin behind.
            let at = if greatest[i] > f64::NEG_INFINITY { greatest[i] } else { least[i + 1] };
            if !(at > low && at < high) {
                continue;
            }
            let part = (at * 0.5 - low * 0.5) / length;
            let cost = VISIT + (area(part) * below + area(1.0 - part) * above) / whole;
            if best.is_none_or(|best| cost < best.cost) {
                best = Some(Plane { axis, at, cost });
            }
        }
        best
    }
}
