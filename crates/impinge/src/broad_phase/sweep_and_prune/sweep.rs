//! The sweep along the order.

use super::super::{Boxes, Pair};
use super::Entry;
use impinge_core::simd::{Lanes, Work, dispatch};

/// The memory of a sweep.
#[derive(Clone, Debug, Default)]
pub(super) struct Sweep {
    /// All boxes, and those that changed.
    all: List,
    changed: List,
    hits: Vec<Hit>,
}

/// Boxes in order, number by number, with NaN at the end.
#[derive(Clone, Debug, Default)]
struct List {
    sides: [Vec<f32>; 6],
    ids: Vec<u32>,
}

/// A box of all, and by bits those of the eight from another place on that it is not apart from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Hit {
    a: u32,
    b: u32,
    lanes: u32,
    among_changed: bool,
}

impl List {
    fn fill<'e>(&mut self, entries: impl Iterator<Item = &'e Entry> + Clone) {
        for (axis, side) in self.sides.iter_mut().enumerate() {
            side.clear();
            side.extend(entries.clone().map(|entry| entry.sides[axis]));
            side.extend([f32::NAN; 8]);
        }
        self.ids.clear();
        self.ids.extend(entries.map(|entry| entry.id));
    }
}

impl Sweep {
    /// Appends the overlapping pairs with a changed box.
    pub(super) fn pairs(&mut self, entries: &[Entry], boxes: &Boxes, found: &mut Vec<Pair>) {
        self.all.fill(entries.iter());
        // The changed ones are looked for among all, and among the others only the changed ones.
        self.changed.fill(entries.iter().filter(|entry| boxes.is_changed(entry.id)));
        self.hits.clear();
        dispatch(Compare { all: &self.all, changed: &self.changed, boxes, hits: &mut self.hits });
        self.report(boxes, found);
    }

    /// Names the pairs, and asks the boxes themselves where bounds are equal.
    fn report(&self, boxes: &Boxes, found: &mut Vec<Pair>) {
        let first = &self.all;
        for hit in &self.hits {
            let second = if hit.among_changed { &self.changed } else { &self.all };
            let i = hit.a as usize;
            let mut lanes = hit.lanes;
            while lanes != 0 {
                let j = (hit.b + lanes.trailing_zeros()) as usize;
                lanes &= lanes - 1;
                let (a, b) = (first.ids[i], second.ids[j]);
                let in_order = |axis: usize| {
                    first.sides[axis][i] < second.sides[axis + 3][j]
                        && second.sides[axis][j] < first.sides[axis + 3][i]
                };
                if (0..3).all(in_order) || boxes.bounds(a).overlaps(boxes.bounds(b)) {
                    found.push(Pair::new(a, b));
                }
            }
        }
    }
}

struct Compare<'s> {
    all: &'s List,
    changed: &'s List,
    boxes: &'s Boxes,
    hits: &'s mut Vec<Hit>,
}

impl Work for Compare<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Compare { all, changed, boxes, hits } = self;
        let mut next_changed = 0;
        let mut i = 0;
        while i < all.ids.len() {
            let is_changed = boxes.is_changed(all.ids[i]);
            next_changed += usize::from(is_changed);
            if is_changed {
                compare::<L>(all, i, all, i + 1, false, hits);
            } else {
                compare::<L>(all, i, changed, next_changed, true, hits);
            }
            i += 1;
        }
    }
}

/// Compares one box with those of a list from a place on that start before it ends.
#[inline(always)]
fn compare<L: Lanes>(
    first: &List,
    i: usize,
    second: &List,
    from: usize,
    among_changed: bool,
    hits: &mut Vec<Hit>,
) {
    let [low, low_y, low_z, _, high_y, high_z] = &second.sides;
    let length = low.len();
    // All of the same length, so that one check of bounds does for all.
    let (low_y, low_z, high_y, high_z) =
        (&low_y[..length], &low_z[..length], &high_y[..length], &high_z[..length]);
    let end = L::splat(first.sides[3][i]);
    let (from_y, from_z) = (L::splat(first.sides[1][i]), L::splat(first.sides[2][i]));
    let (to_y, to_z) = (L::splat(first.sides[4][i]), L::splat(first.sides[5][i]));
    let mut j = from;
    while j + 8 <= length {
        let starts = L::at_most(eight::<L>(low, j), end);
        let y = L::and(L::at_most(eight::<L>(low_y, j), to_y), L::at_most(from_y, eight::<L>(high_y, j)));
        let z = L::and(L::at_most(eight::<L>(low_z, j), to_z), L::at_most(from_z, eight::<L>(high_z, j)));
        let lanes = L::bits(L::and(starts, L::and(y, z)));
        if lanes != 0 {
            hits.push(Hit { a: i as u32, b: j as u32, lanes, among_changed });
        }
        j += 8;
        // The last of the eight does not start in time, so that none after it does.
        if L::bits(starts) < 0x80 {
            return;
        }
    }
}

#[inline(always)]
fn eight<L: Lanes>(values: &[f32], from: usize) -> L::F32x8 {
    let v = &values[from..from + 8];
    L::load(&[v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]])
}

#[cfg(test)]
mod tests {
    use super::super::SweepAndPrune;
    use super::*;
    use crate::broad_phase::PairFinder;
    use crate::shapes::Random;
    use impinge_core::bounds::Aabb;
    use impinge_core::simd::Portable;

    /// The lanes of the processor and plain arrays hit the same in the same order, with all boxes changed and with some.
    #[test]
    fn every_kind_of_lanes_sweeps_the_same_way() {
        let mut random = Random::new(2);
        let mut bounds = || {
            let (at, half) = (random.in_cube() * 5.0, random.unit());
            Aabb { min: at - half, max: at + half }
        };
        let (mut boxes, mut engine) = (Boxes::default(), SweepAndPrune::default());
        for id in 0..300 {
            assert_eq!(boxes.insert(id, bounds()), Ok(()));
        }
        for one_in in [1, 9] {
            for id in (0..300).filter(|id| id % one_in == 0) {
                assert_eq!(boxes.move_to(id, bounds()), Ok(()));
            }
            engine.find(&boxes, &mut Vec::new());
            let Sweep { all, changed, hits } = &engine.sweep;
            let mut plain = Vec::new();
            Compare { all, changed, boxes: &boxes, hits: &mut plain }.run::<Portable>();
            assert!(hits.len() > 20);
            assert_eq!(hits, &plain);
            boxes.settle();
        }
    }
}
