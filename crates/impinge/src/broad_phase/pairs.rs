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
    /// By lesser id: where its pairs begin.
    starts: Vec<u32>,
}

impl PairLists {
    /// Takes in the overlapping pairs that have a changed box; afterwards `found` holds nothing of use.
    pub(super) fn take(&mut self, found: &mut Vec<Pair>, boxes: &Boxes) {
        let PairLists { current, began, ended, next, starts } = self;
        sort(found, next, starts, boxes.id_limit());
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

/// Where there are fewer pairs than one for so many ids, counting ids would take longer than counting digits.
const SPARSE: usize = 4;

fn sort(pairs: &mut Vec<Pair>, scratch: &mut Vec<Pair>, starts: &mut Vec<u32>, id_limit: u32) {
    if pairs.len() < FEW {
        pairs.sort_unstable();
        return;
    }
    scratch.clear();
    scratch.resize(pairs.len(), Pair(0));
    let id_bits = 32 - id_limit.leading_zeros();
    let digits = |from| Digits { from, bits: id_bits, width: 11 };
    radix_sort(pairs, scratch, digits(0), |pair| pair.0);
    if pairs.len() >= id_limit as usize / SPARSE {
        count_lesser_ids(pairs, scratch, starts, id_limit);
    } else {
        radix_sort(pairs, scratch, digits(32), |pair| pair.0);
    }
}

/// Sorts by the lesser id in one pass, leaving pairs with the same lesser id in their order.
fn count_lesser_ids(pairs: &mut Vec<Pair>, scratch: &mut Vec<Pair>, starts: &mut Vec<u32>, id_limit: u32) {
    starts.clear();
    starts.resize(id_limit as usize, 0);
    let (from, to, starts) = (&pairs[..], &mut scratch[..], &mut starts[..]);
    for pair in from {
        starts[pair.first() as usize] += 1;
    }
    let mut sum = 0;
    for start in starts.iter_mut() {
        sum += std::mem::replace(start, sum);
    }
    for &pair in from {
        let start = &mut starts[pair.first() as usize];
        to[*start as usize] = pair;
        *start += 1;
    }
    std::mem::swap(pairs, scratch);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::Random;

    /// Few pairs, many pairs of few ids, and pairs of so many ids that they are sorted by digits alone.
    #[test]
    fn pairs_are_sorted_however_many_there_are() {
        let mut random = Random::new(3);
        let mut id = |limit: u32| (random.unit() * f64::from(limit)) as u32 % limit;
        for (count, limit) in [(0, 5), (50, 40), (500, 30), (3000, 3000), (3000, 100_000), (200, 1 << 24)] {
            let mut pairs: Vec<Pair> = (0..count).map(|_| Pair::new(id(limit), id(limit))).collect();
            // One id that overlaps nearly everything.
            pairs.extend((0..count / 2).map(|_| Pair::new(0, id(limit))));
            let mut sorted = pairs.clone();
            sorted.sort_unstable();
            sort(&mut pairs, &mut Vec::new(), &mut Vec::new(), limit);
            assert_eq!(pairs, sorted);
        }
    }
}
