//! Sweep and prune (Maia et al. 2006, §3.2): boxes in order along one axis, kept from step to step.
//!
//! The order changes little from step to step, so that it is repaired, not made anew. Boxes that overlap along the axis are
//! compared along the two others, eight at a time. (The classical form keeps three orders, and counts the axes along which a
//! pair overlaps; that costs an exchange for every two ends that pass each other on any axis.)

mod sweep;

use super::boxes::Boxes;
use super::finder::PairFinder;
use super::frame::{Frame, Sides};
use super::pairs::Pair;
use super::radix::{Digits, radix_sort};
use super::segment::Segment;
use impinge_core::bounds::Aabb;
use sweep::Sweep;

/// Sweep and prune: the boxes in order along one axis.
#[derive(Clone, Debug, Default)]
pub(super) struct SweepAndPrune {
    frame: Frame,
    /// The axis of the order, then the other two.
    axes: [usize; 3],
    /// In order.
    entries: Vec<Entry>,
    /// By id: whether it is among the entries.
    is_known: Vec<bool>,
    /// The boxes that changed.
    fresh: Vec<Entry>,
    scratch: Vec<Entry>,
    /// Whether the order was lost in the last step, so that another axis may be better.
    lost: bool,
    sweep: Sweep,
}

/// A box in the order.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// With the axis of the order first.
    sides: Sides,
    id: u32,
}

/// When more than one in so many boxes have changed, all are read again.
const FEW: usize = 4;
/// How many places a box may move in a repair, in the mean, before sorting anew is faster.
const REPAIR: usize = 16;

impl PairFinder for SweepAndPrune {
    fn find(&mut self, boxes: &Boxes, found: &mut Vec<Pair>) {
        if boxes.changed().is_empty() {
            return;
        }
        self.is_known.resize(boxes.id_limit() as usize, false);
        if self.lost || self.entries.is_empty() || self.entries.len() < boxes.len() / 2 {
            self.start(boxes);
        } else if boxes.changed().len() < boxes.len() / FEW {
            self.merge(boxes);
        } else {
            self.read_again(boxes);
        }
        self.sweep.pairs(&self.entries, boxes, found);
    }

    fn near_box(&self, _: &Boxes, bounds: &Aabb, visit: &mut dyn FnMut(u32)) {
        let sides = self.sides(bounds);
        let end = self.entries.partition_point(|entry| entry.sides[0] <= sides[3]);
        for entry in &self.entries[..end] {
            if (0..3).all(|axis| entry.sides[axis] <= sides[axis + 3] && sides[axis] <= entry.sides[axis + 3])
            {
                visit(entry.id);
            }
        }
    }

    fn near_segment(&self, boxes: &Boxes, segment: &Segment, visit: &mut dyn FnMut(u32)) {
        self.near_box(boxes, &segment.bounds(), visit);
    }
}

impl SweepAndPrune {
    fn sides(&self, bounds: &Aabb) -> Sides {
        let s = self.frame.sides(bounds);
        let [u, v, w] = self.axes;
        [s[u], s[v], s[w], s[u + 3], s[v + 3], s[w + 3]]
    }

    fn entry(&self, id: u32, bounds: &Aabb) -> Entry {
        Entry { sides: self.sides(bounds), id }
    }

    /// Chooses the axis, and sorts all boxes.
    fn start(&mut self, boxes: &Boxes) {
        self.frame = Frame::of(boxes);
        let axis = self.frame.longest_row(boxes);
        self.axes = [axis, (axis + 1) % 3, (axis + 2) % 3];
        let mut entries = std::mem::take(&mut self.entries);
        entries.clear();
        entries.extend(boxes.iter().map(|(id, bounds)| self.entry(id, bounds)));
        self.entries = entries;
        self.is_known.fill(false);
        self.entries.iter().for_each(|entry| self.is_known[entry.id as usize] = true);
        self.sort();
        self.lost = false;
    }

    fn sort(&mut self) {
        self.scratch.clear();
        self.scratch.resize(self.entries.len(), Entry::default());
        let digits = Digits { from: 0, bits: 32, width: 11 };
        radix_sort(&mut self.entries, &mut self.scratch, digits, |entry| u64::from(key(&entry)));
    }

    /// Takes the boxes that changed out of the order, and merges them in where they are now.
    fn merge(&mut self, boxes: &Boxes) {
        let mut fresh = std::mem::take(&mut self.fresh);
        fresh.clear();
        for &id in boxes.changed() {
            fresh.extend(boxes.get(id).map(|bounds| self.entry(id, bounds)));
            self.is_known[id as usize] = boxes.get(id).is_some();
        }
        fresh.sort_unstable_by_key(key);
        self.scratch.clear();
        let mut next = 0;
        for entry in self.entries.iter().filter(|entry| !boxes.is_changed(entry.id)) {
            while next < fresh.len() && key(&fresh[next]) <= key(entry) {
                self.scratch.push(fresh[next]);
                next += 1;
            }
            self.scratch.push(*entry);
        }
        self.scratch.extend_from_slice(&fresh[next..]);
        std::mem::swap(&mut self.entries, &mut self.scratch);
        self.fresh = fresh;
    }

    /// Reads all boxes again, and repairs the order.
    fn read_again(&mut self, boxes: &Boxes) {
        let mut entries = std::mem::take(&mut self.entries);
        entries.retain_mut(|entry| {
            if let Some(bounds) = boxes.get(entry.id).filter(|_| boxes.is_changed(entry.id)) {
                entry.sides = self.sides(bounds);
            }
            boxes.get(entry.id).is_some()
        });
        for &id in boxes.changed() {
            let bounds = boxes.get(id);
            entries
                .extend(bounds.filter(|_| !self.is_known[id as usize]).map(|bounds| self.entry(id, bounds)));
            self.is_known[id as usize] = bounds.is_some();
        }
        self.entries = entries;
        if !repair(&mut self.entries) {
            self.sort();
            self.lost = true;
        }
    }
}

/// A number in the order of the lower bounds.
fn key(entry: &Entry) -> u32 {
    let bits = entry.sides[0].to_bits();
    if bits >> 31 != 0 { !bits } else { bits | 1 << 31 }
}

/// Sorts what is nearly in order. False if it gave up.
fn repair(entries: &mut [Entry]) -> bool {
    let mut budget = REPAIR * entries.len();
    for i in 1..entries.len() {
        let entry = entries[i];
        let mut place = i;
        while place > 0 && key(&entries[place - 1]) > key(&entry) {
            entries[place] = entries[place - 1];
            place -= 1;
        }
        entries[place] = entry;
        match budget.checked_sub(i - place) {
            Some(rest) => budget = rest,
            None => return false,
        }
    }
    true
}
