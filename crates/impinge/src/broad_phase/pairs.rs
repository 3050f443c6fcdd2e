//! Pairs of ids in order, and what begins and ends from one step to the next.

use std::fmt;

use super::Boxes;
use super::radix::{Digits, radix_sort};

/// Two different ids, the lesser first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair(u64);

impl Pair {
    /// The pair of two different ids, given in any order.
    #[inline(always)]
    pub fn new(a: u32, b: u32) -> Pair {
        let (first, second) = if a < b { (a, b) } else { (b, a) };
        Pair(u64::from(first) << 32 | u64::from(second))
    }

    /// The lesser id.
    #[inline(always)]
    pub fn first(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// The greater id.
    #[inline(always)]
    pub fn second(self) -> u32 {
        self.0 as u32
    }

    /// Whether an id is one of the two.
    #[inline(always)]
    pub fn has(self, id: u32) -> bool {
        self.first() == id || self.second() == id
    }

    /// Both ids, the lesser first.
    #[inline(always)]
    pub fn ids(self) -> [u32; 2] {
        [self.first(), self.second()]
    }
}

impl fmt::Debug for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Pair").field(&self.first()).field(&self.second()).finish()
    }
}

/// The pairs of the last step, each list in order.
#[derive(Clone, Debug, Default)]
pub(super) struct PairLists {
    pub(super) current: Vec<Pair>,
    pub(super) began: Vec<Pair>,
    pub(super) ended: Vec<Pair>,
    next: Vec<Pair>,
}

impl PairLists {
    /// Takes in the overlapping pairs that have a changed box; afterwards `found` holds nothing of use.
    pub(super) fn take(&mut self, found: &mut Vec<Pair>, boxes: &Boxes) {
        let PairLists { current, began, ended, next } = self;
        sort(found, next, boxes.id_limit());
        began.clear();
        ended.clear();
        next.clear();
        let all_changed = boxes.changed().len() == boxes.id_limit() as usize;
        let mut fresh = 0;
        for &old in current.iter() {
            while fresh < found.len() && found[fresh] < old {
                began.push(found[fresh]);
                next.push(found[fresh]);
                fresh += 1;
            }
            let stays = if fresh < found.len() && found[fresh] == old {
                fresh += 1;
                true
            } else {
                !all_changed && !boxes.is_changed(old.first()) && !boxes.is_changed(old.second())
            };
            if stays {
                next.push(old);
            } else {
                ended.push(old);
            }
        }
        began.extend_from_slice(&found[fresh..]);
        next.extend_from_slice(&found[fresh..]);
        std::mem::swap(current, next);
    }
}

/// Below this, comparisons are as fast as counting digits.
const FEW: usize = 100;

fn sort(pairs: &mut Vec<Pair>, scratch: &mut Vec<Pair>, id_limit: u32) {
    if pairs.len() < FEW {
        pairs.sort_unstable();
        return;
    }
    let id_bits = 32 - id_limit.leading_zeros();
    scratch.clear();
    scratch.resize(pairs.len(), Pair(0));
    for from in [0, 32] {
        radix_sort(pairs, scratch, Digits { from, bits: id_bits, width: 11 }, |pair| pair.0);
    }
}
