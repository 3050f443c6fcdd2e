//! Building: at each node the plane that divides the polygons best for what it cuts.
//!
//! Some polygons offer their planes, at evenly spread places in the list, and some others vote: choosing takes a bounded time,
//! dividing a time in proportion to the polygons. Large numbers of polygons are divided into parts that are smaller
//! by a share; small ones may become chains, but these are no longer than they are. Cuts stop where there are four times as
//! many fragments as polygons. So building takes O(n log n), and the tree O(n), for whatever polygons there are.

use super::fragment::{Fragment, Pieces, Side};
use super::{BspStatistics, Entry, NOTHING, Node, Plane, SolidBsp};
use impinge::bounds::Aabb;
use impinge::math::DVec3;
use impinge_core::bvh::Corners;

/// So many polygons are divided by their own planes alone, as the paper does. A chain of so many planes costs no more than a
/// list, and ends where something is outside of one.
const SMALL: usize = 64;

/// A larger number is to be divided so that neither side has more than this share, and no plane holds more than [`SMALL`].
const LARGEST_SHARE: f64 = 0.8;

/// How many polygons more on the larger side a cut is worth. At 1 the trees of small bodies have one half more fragments,
/// at 4 those of large ones are half as deep again.
const CUT: usize = 2;

/// So many fragments there may be for every polygon.
const MOST_FRAGMENTS: usize = 4;

/// Fragments whose sides are looked at to judge a plane.
const VOTERS: usize = 256;

/// Deeper than this nothing is divided. Only lists in which those who vote mislead get there.
const DEEPEST: usize = 256;

/// Half-sizes outside of these are left undivided: products of them might leave the range of `f64`.
const DIVISIBLE: std::ops::RangeInclusive<f64> = 1e-250..=1e250;

impl SolidBsp {
    /// The tree over polygons with the numbers below `count`; those without corners are left out. A polygon stands for the
    /// fan of triangles from its first corner. Anything finite will do: points, segments, duplicates, polygons that are bent.
    pub fn build(count: usize, corners: &(impl Corners + ?Sized)) -> SolidBsp {
        let mut bounds = Aabb::EMPTY;
        for polygon in 0..count as u32 {
            corners.visit(polygon, |corner| bounds = bounds.with_point(corner));
        }
        let origin = if bounds.is_empty() { DVec3::ZERO } else { bounds.center() };
        let half = (bounds.max - origin).max(origin - bounds.min).max_element();
        let is_divisible = DIVISIBLE.contains(&half);
        let scale = if is_divisible { power_of_two_below(0.5 / half) * 2.0 } else { 1.0 };
        let statistics = BspStatistics { polygons: count, ..BspStatistics::default() };
        let tree = SolidBsp { nodes: Vec::new(), entries: Vec::new(), origin, scale, statistics };
        let mut builder = Builder { pieces: Pieces::default(), tree };
        if is_divisible {
            let (mut list, mut polygon_corners) = (Vec::with_capacity(count), Vec::new());
            for polygon in 0..count as u32 {
                polygon_corners.clear();
                corners.visit(polygon, |corner| polygon_corners.push(builder.tree.local(corner)));
                builder.pieces.add(polygon, &polygon_corners, &mut list);
            }
            let spare = (MOST_FRAGMENTS * count).saturating_sub(list.len());
            builder.grow(&mut list, spare, 1);
        } else {
            // Spheres that hold everything.
            let everywhere = |polygon| Entry { center: DVec3::ZERO, radius: f64::INFINITY, polygon };
            let has_corners = |polygon: &u32| {
                let mut any = false;
                corners.visit(*polygon, |_| any = true);
                any
            };
            builder.tree.entries = (0..count as u32).filter(has_corners).map(everywhere).collect();
            builder.node(Plane::NONE, 0, 1);
        }
        let tree = &mut builder.tree;
        tree.statistics.nodes = tree.nodes.len();
        tree.statistics.fragments = tree.entries.len();
        builder.tree
    }
}

/// The greatest power of two that is not above a normal number.
fn power_of_two_below(number: f64) -> f64 {
    f64::from_bits(number.to_bits() & (0x7ff << 52))
}

struct Builder {
    pieces: Pieces,
    tree: SolidBsp,
}

/// What a plane does to a list, or to those of it that vote.
#[derive(Clone, Copy, Debug, Default)]
struct Votes {
    behind: usize,
    in_front: usize,
    within: usize,
    cut: usize,
}

impl Votes {
    fn add(&mut self, side: Side) {
        match side {
            Side::Behind => self.behind += 1,
            Side::InFront => self.in_front += 1,
            Side::Within => self.within += 1,
            Side::Cut => self.cut += 1,
        }
    }

    /// The larger side, and what the cuts cost.
    fn cost(&self) -> usize {
        self.largest() + CUT * self.cut
    }

    fn largest(&self) -> usize {
        self.behind.max(self.in_front) + self.cut
    }
}

impl Builder {
    /// Makes the node of all fragments in the list, which is left empty. `spare` is how many more there may be.
    fn grow(&mut self, list: &mut Vec<Fragment>, spare: usize, depth: usize) -> u32 {
        if list.is_empty() {
            return NOTHING;
        }
        let plane = if depth < DEEPEST { self.choose(list) } else { None };
        let Some((plane, is_axial)) = plane else { return self.list(list, depth) };
        let mut sides = [Vec::new(), Vec::new()];
        let cuts = list.iter().filter(|fragment| self.pieces.side(fragment, &plane) == Side::Cut).count();
        if cuts > spare {
            return self.list(list, depth);
        }
        let first = self.tree.entries.len();
        for fragment in list.drain(..) {
            match self.pieces.side(&fragment, &plane) {
                Side::Behind => sides[0].push(fragment),
                Side::InFront => sides[1].push(fragment),
                Side::Within => self.tree.entries.push(self.pieces.entry(&fragment)),
                Side::Cut => {
                    let [behind, in_front] = self.pieces.cut(&fragment, &plane);
                    sides[0].push(behind);
                    sides[1].push(in_front);
                }
            }
        }
        self.tree.statistics.axial_planes += usize::from(is_axial);
        let node = self.node(plane, first, depth);
        let spare = spare - cuts;
        let all = sides[0].len() + sides[1].len();
        let behind = (spare as u128 * sides[0].len() as u128 / all.max(1) as u128) as usize;
        for (side, spare) in [behind, spare - behind].into_iter().enumerate() {
            let child = self.grow(&mut sides[side], spare, depth + 1);
            self.tree.nodes[node as usize].children[side] = child;
        }
        node
    }

    /// A node that only lists.
    fn list(&mut self, list: &mut Vec<Fragment>, depth: usize) -> u32 {
        let first = self.tree.entries.len();
        self.tree.entries.extend(list.drain(..).map(|fragment| self.pieces.entry(&fragment)));
        self.node(Plane::NONE, first, depth)
    }

    /// A node with all entries from `first` on.
    fn node(&mut self, plane: Plane, first: usize, depth: usize) -> u32 {
        let tree = &mut self.tree;
        let count = tree.entries.len() - first;
        let (first, count) = (first as u32, count as u32);
        tree.nodes.push(Node { plane, children: [NOTHING; 2], first, count });
        tree.statistics.depth = tree.statistics.depth.max(depth);
        tree.statistics.longest_list = tree.statistics.longest_list.max(count as usize);
        tree.nodes.len() as u32 - 1
    }

    /// The best plane, and whether it is one across an axis; none where no plane leads on.
    fn choose(&self, list: &[Fragment]) -> Option<(Plane, bool)> {
        let is_small = list.len() <= SMALL;
        let candidates = if is_small { 16 } else { 8 };
        let voters = list.len().min(VOTERS);
        let mut best: Option<(usize, Plane, bool)> = None;
        let mut consider = |plane: Plane, is_axial: bool| {
            let limit = best.map_or(usize::MAX, |(cost, ..)| cost);
            let mut votes = Votes::default();
            for fragment in spread(list, voters) {
                votes.add(self.pieces.side(fragment, &plane));
                if votes.cost() >= limit {
                    return;
                }
            }
            let is_balanced = votes.largest() as f64 <= LARGEST_SHARE * voters as f64;
            let is_short = votes.within * list.len() <= SMALL * voters;
            let leads_on = if is_small { votes.largest() < voters } else { is_balanced && is_short };
            if leads_on {
                best = Some((votes.cost(), plane, is_axial));
            }
        };
        for plane in spread(list, candidates.min(list.len())).filter_map(|one| self.pieces.plane(one)) {
            consider(plane, false);
        }
        if !is_small {
            for axis in 0..3 {
                let mut middles: Vec<f64> =
                    spread(list, voters).map(|fragment| self.pieces.middle(fragment, axis)).collect();
                let middle = voters / 2;
                middles.select_nth_unstable_by(middle, f64::total_cmp);
                let normal = DVec3::AXES[axis];
                consider(Plane { normal, offset: -middles[middle] }, true);
            }
        }
        best.map(|(_, plane, is_axial)| (plane, is_axial))
    }
}

/// So many of a list, evenly spread.
fn spread(list: &[Fragment], count: usize) -> impl Iterator<Item = &Fragment> {
    (0..count).map(move |i| &list[i * list.len() / count])
}
