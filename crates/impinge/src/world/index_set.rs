//! Sets of bodies by their indices, a bit for each: quick to fill and to ask in every step, and gone through in order.

/// A set of indices.
#[derive(Clone, Debug, Default)]
pub(super) struct IndexSet {
    words: Vec<u64>,
    count: usize,
}

impl IndexSet {
    fn bit(index: u32) -> (usize, u64) {
        (index as usize / 64, 1 << (index % 64))
    }

    /// Adds an index; says whether it was not there.
    #[inline]
    pub(super) fn insert(&mut self, index: u32) -> bool {
        let (word, bit) = IndexSet::bit(index);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let is_new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        self.count += usize::from(is_new);
        is_new
    }

    /// Removes an index; says whether it was there.
    #[inline]
    pub(super) fn remove(&mut self, index: u32) -> bool {
        let (word, bit) = IndexSet::bit(index);
        let was_there = self.contains(index);
        if was_there {
            self.words[word] &= !bit;
            self.count -= 1;
        }
        was_there
    }

    #[inline]
    pub(super) fn contains(&self, index: u32) -> bool {
        let (word, bit) = IndexSet::bit(index);
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }

    pub(super) fn clear(&mut self) {
        if self.count > 0 {
            self.words.fill(0);
            self.count = 0;
        }
    }

    /// All indices, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        // Where there are none, not a word is read.
        let words = if self.count > 0 { &self.words[..] } else { &[] };
        (0..).zip(words).flat_map(|(place, &word)| {
            let mut left: u64 = word;
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros();
                (left != 0).then(|| {
                    left &= left - 1;
                    64 * place + bit
                })
            })
        })
    }

    /// Keeps only indices of which something holds.
    pub(super) fn retain(&mut self, mut holds: impl FnMut(u32) -> bool) {
        if self.count == 0 {
            return;
        }
        let mut count = 0;
        for (place, word) in (0..).zip(&mut self.words) {
            let mut left = *word;
            while left != 0 {
                let bit = left.trailing_zeros();
                left &= left - 1;
                if holds(64 * place + bit) {
                    count += 1;
                } else {
                    *word &= !(1 << bit);
                }
            }
        }
        self.count = count;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::IndexSet;

    #[test]
    fn index_set_agrees_with_an_ordered_set() {
        let (mut set, mut oracle) = (IndexSet::default(), BTreeSet::new());
        let mut seed = 1_u64;
        for round in 0..4_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let index = (seed >> 40) as u32 % 300;
            if seed >> 63 == 0 {
                assert_eq!(set.insert(index), oracle.insert(index));
            } else {
                assert_eq!(set.remove(index), oracle.remove(&index));
            }
            assert_eq!(set.contains(index), oracle.contains(&index));
            if round % 512 == 511 {
                set.retain(|index| index % 3 != 0);
                oracle.retain(|index| index % 3 != 0);
            }
            if round == 3_000 {
                set.clear();
                oracle.clear();
            }
            assert!(set.iter().eq(oracle.iter().copied()));
        }
    }
}
