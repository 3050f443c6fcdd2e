//! A bounding volume hierarchy (BVH) over boxes, eight to a node.

mod near;
mod order;
mod walk;

use super::boxes::Boxes;
use super::finder::PairFinder;
use super::frame::{Eight, Frame, NOTHING, Sides, grow, grown};
use super::pairs::Pair;
use super::segment::Segment;
use impinge_core::bounds::Aabb;
use impinge_core::simd::{Lanes, Work, dispatch};
use near::near;
use order::Order;
use walk::{Ground, Walk};

/// No box.
const NONE: u32 = u32::MAX;

/// A bounding volume hierarchy without pointers: node i of a level holds the boxes around nodes 8 i to 8 i + 7 of the level below, and on the
/// lowest level boxes themselves, in an order of halves of halves.
///
/// In a step, boxes keep their places in the tree, and the boxes around those that changed are made anew. All are put in
/// order again only when the nodes have grown clearly since the last ordering, or when there is no place for new boxes.
#[doc(alias = "bounding volume hierarchy")]
#[doc(alias = "aabb tree")]
#[derive(Clone, Debug, Default)]
pub(super) struct Bvh {
    frame: Frame,
    /// From the boxes themselves to the root.
    levels: Vec<Level>,
    /// By place: the id, or [`NONE`].
    ids: Vec<u32>,
    /// By id: the place, or [`NONE`].
    places: Vec<u32>,
    /// The first place that was never taken since the last ordering.
    next_place: u32,
    /// The places of boxes that changed.
    touched: Vec<u32>,
    /// The sizes of the lowest nodes together, now and after the last ordering.
    sizes: u64,
    orderly_sizes: u64,
    order: Order,
    walk: Walk,
}

#[derive(Clone, Debug, Default)]
struct Level {
    nodes: Vec<Eight>,
    /// For each node, a bit for each child that holds a changed box.
    dirty: Vec<u8>,
}

impl PairFinder for Bvh {
    fn find(&mut self, boxes: &Boxes, found: &mut Vec<Pair>) {
        if boxes.changed().is_empty() {
            return;
        }
        let are_many = boxes.changed().len() >= boxes.len() / MANY;
        // Where boxes have only moved, places stay, and where many did, nobody asks which of them were touched.
        let has_room = (are_many && !boxes.has_other_ids()) || self.take_places(boxes);
        if !has_room || self.is_disorderly() {
            self.put_in_order(boxes);
            self.fit_all(boxes);
            self.orderly_sizes = self.sizes;
        } else if are_many {
            self.fit_all(boxes);
        } else {
            self.fit_changed(boxes);
        }
        self.walk.pairs(Ground { levels: &self.levels, ids: &self.ids, boxes }, found);
    }

    fn near_box(&self, _: &Boxes, bounds: &Aabb, visit: &mut dyn FnMut(u32)) {
        let sides = self.frame.sides(bounds);
        near(&self.levels, &self.ids, &sides, None, visit);
    }

    fn near_segment(&self, _: &Boxes, segment: &Segment, visit: &mut dyn FnMut(u32)) {
        let sides = self.frame.sides(&segment.bounds());
        near(&self.levels, &self.ids, &sides, segment.diagonal(self.frame.origin).as_ref(), visit);
    }
}

/// One in so many changed boxes are many: all boxes are read again then, in the order of their places.
const MANY: usize = 3;

impl Bvh {
    /// Gives places to new boxes and takes them from removed ones. False if there are too few places, or too many.
    fn take_places(&mut self, boxes: &Boxes) -> bool {
        self.places.resize(boxes.id_limit() as usize, NONE);
        self.touched.clear();
        for &id in boxes.changed() {
            let mut place = self.places[id as usize];
            match (place == NONE, boxes.get(id).is_some()) {
                (true, true) => {
                    place = self.next_place;
                    if place as usize >= self.ids.len() {
                        return false;
                    }
                    self.next_place += 1;
                    self.places[id as usize] = place;
                    self.ids[place as usize] = id;
                }
                (false, false) => {
                    self.places[id as usize] = NONE;
                    self.ids[place as usize] = NONE;
                }
                // Inserted and removed again, without a step in between.
                (true, false) => continue,
                (false, true) => {}
            }
            self.touched.push(place);
        }
        self.ids.len() <= 2 * boxes.len() + 64
    }

    /// Whether the nodes are larger than after the last ordering, by a fifth in the geometric mean.
    fn is_disorderly(&self) -> bool {
        const FIFTH: u64 = (0.25 * LOG_UNIT) as u64;
        self.sizes > self.orderly_sizes + FIFTH * (u64::from(self.next_place) / 8)
    }

    /// Gives all boxes new places, with some to spare.
    fn put_in_order(&mut self, boxes: &Boxes) {
        self.frame = Frame::of(boxes);
        self.order.sort(boxes, &self.frame, &mut self.ids);
        self.next_place = self.ids.len() as u32;
        let mut count = (self.ids.len() + self.ids.len() / 8).div_ceil(8) + 1;
        self.ids.resize(8 * count, NONE);
        self.places.fill(NONE);
        for (place, &id) in self.ids.iter().enumerate() {
            if id != NONE {
                self.places[id as usize] = place as u32;
            }
        }
        let mut height = 0;
        loop {
            if self.levels.len() == height {
                self.levels.push(Level::default());
            }
            let Level { nodes, dirty } = &mut self.levels[height];
            // Lanes without a node below are never written, so that those of an earlier tree must go.
            nodes.clear();
            nodes.resize(count, Eight::NONE);
            dirty.resize(count, 0);
            height += 1;
            if count == 1 {
                break;
            }
            count = count.div_ceil(8);
        }
        self.levels.truncate(height);
    }

    /// Makes all nodes anew.
    fn fit_all(&mut self, boxes: &Boxes) {
        let (lowest, above) = self.levels.split_at_mut(1);
        let parents = above.first_mut();
        self.sizes =
            dispatch(Fit { frame: self.frame, ids: &self.ids, boxes, level: &mut lowest[0], parents });
        for upper in 2..self.levels.len() {
            let (below, above) = self.levels.split_at_mut(upper);
            let (children, parents) = (&below[upper - 1], &mut above[0]);
            parents.dirty.fill(0);
            for (child, node) in children.nodes.iter().enumerate() {
                parents.nodes[child / 8].set_lane(child % 8, &node.merged());
                parents.dirty[child / 8] |= u8::from(children.dirty[child] != 0) << (child % 8);
            }
        }
    }

    /// Makes the nodes over changed boxes anew.
    fn fit_changed(&mut self, boxes: &Boxes) {
        for level in &mut self.levels {
            level.dirty.fill(0);
        }
        for &place in &self.touched {
            let place = place as usize;
            let id = self.ids[place];
            let sides = if id == NONE { [f32::NAN; 6] } else { self.frame.sides(boxes.bounds(id)) };
            self.levels[0].nodes[place / 8].set_lane(place % 8, &sides);
            let mut child = place;
            for level in &mut self.levels {
                level.dirty[child / 8] |= 1 << (child % 8);
                child /= 8;
            }
        }
        for upper in 1..self.levels.len() {
            let (below, above) = self.levels.split_at_mut(upper);
            let (children, parents) = (&below[upper - 1], &mut above[0]);
            for (index, node) in parents.nodes.iter_mut().enumerate() {
                let mut bits = parents.dirty[index];
                while bits != 0 {
                    let lane = bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    let all = children.nodes[8 * index + lane].merged();
                    if upper == 1 {
                        self.sizes -= log_of_size(&node.lane(lane), self.frame.typical);
                        self.sizes += log_of_size(&all, self.frame.typical);
                    }
                    node.set_lane(lane, &all);
                }
            }
        }
    }
}

/// Makes the lowest nodes and the boxes around them anew; how large they are together.
struct Fit<'w> {
    frame: Frame,
    ids: &'w [u32],
    boxes: &'w Boxes,
    level: &'w mut Level,
    parents: Option<&'w mut Level>,
}

/// How many nodes ahead boxes are prefetched: their ids are in the order of places, which are all over the memory.
const AHEAD: usize = 3;

impl Work for Fit<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Lanes>(mut self) -> u64 {
        let Fit { frame, ids, boxes, .. } = self;
        let Level { nodes, dirty } = self.level;
        let (ids, mut sizes, mut block) = (ids.as_chunks::<8>().0, 0, 0);
        while block < nodes.len().min(dirty.len()).min(ids.len()) {
            let soon = &ids[(block + AHEAD).min(ids.len() - 1)];
            let mut lane = 0;
            while lane < 8 {
                let bounds = boxes.bounds(if soon[lane] == NONE { 0 } else { soon[lane] });
                L::prefetch(&bounds.min);
                L::prefetch(&bounds.max);
                lane += 1;
            }
            let (mut all, mut changed, mut lane) = (NOTHING, 0, 0);
            while lane < 8 {
                let id = ids[block][lane];
                let mut sides = [f32::NAN; 6];
                if id != NONE {
                    sides = frame.sides(boxes.bounds(id));
                    grow(&mut all, &sides);
                    changed |= u8::from(boxes.is_changed(id)) << lane;
                }
                nodes[block].set_lane(lane, &sides);
                lane += 1;
            }
            dirty[block] = changed;
            let all = grown(all);
            sizes += log_of_size(&all, frame.typical);
            if let Some(parents) = &mut self.parents {
                parents.nodes[block / 8].set_lane(block % 8, &all);
                parents.dirty[block / 8] &= !(1 << (block % 8));
                parents.dirty[block / 8] |= u8::from(changed != 0) << (block % 8);
            }
            block += 1;
        }
        sizes
    }
}

/// What [`log_of_size`] adds for a factor of 2.
const LOG_UNIT: f64 = (1 << 13) as f64;

/// The logarithm of a box's size, near enough: exponent and leading digits of an `f32`, read as a number. Sums of such
/// numbers are exact, and one huge box does not drown all others in them.
#[inline(always)]
fn log_of_size(sides: &Sides, typical: f32) -> u64 {
    let size = sides[3] - sides[0] + (sides[4] - sides[1]) + (sides[5] - sides[2]);
    if size >= 0.0 { u64::from((size + typical).to_bits() >> 10) } else { 0 }
}
