//! Signs of sidedness relations, each computed once and kept in two bits (van Waveren 2005, §4).

use impinge_core::predicates::PlueckerLine;

/// Which way two lines pass each other; 0 where rounding could have made the sign.
pub(super) fn side(a: &PlueckerLine, b: &PlueckerLine) -> i8 {
    let side = a.side(b);
    // Six products and five sums; moments are products themselves.
    let size = a.direction.abs().dot(b.moment.abs()) + b.direction.abs().dot(a.moment.abs());
    if side.abs() <= 8.0 * f64::EPSILON * size {
        0
    } else if side > 0.0 {
        1
    } else {
        -1
    }
}

/// A matrix of signs, two bits each: 0 unknown, 1 negative, 2 positive, 3 zero. Rows are added as they come.
#[derive(Clone, Debug, Default)]
pub(super) struct SideCache {
    words: Vec<u64>,
    row_words: usize,
    rows: usize,
}

impl SideCache {
    /// Forgets all rows; those to come have so many signs.
    pub(super) fn reset(&mut self, columns: usize) {
        self.words.clear();
        self.row_words = columns.div_ceil(32);
        self.rows = 0;
    }

    /// Adds a row of unknown signs.
    pub(super) fn add_row(&mut self) -> u32 {
        self.words.resize(self.words.len() + self.row_words, 0);
        self.rows += 1;
        self.rows as u32 - 1
    }

    /// The sign, from the bits or computed and kept, and whether it was computed.
    pub(super) fn get(&mut self, row: u32, column: u32, compute: impl FnOnce() -> i8) -> (i8, bool) {
        let word = &mut self.words[row as usize * self.row_words + column as usize / 32];
        let shift = 2 * (column % 32);
        match *word >> shift & 3 {
            1 => (-1, false),
            2 => (1, false),
            3 => (0, false),
            _ => {
                let sign = compute();
                let bits = if sign < 0 { 1 } else { 3 - u64::from(sign > 0) };
                *word |= bits << shift;
                (sign, true)
            }
        }
    }

    /// Bytes of the rows.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.words.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::shapes::Random;

    #[test]
    fn bits_keep_what_was_computed() {
        let mut random = Random::new(1);
        let mut cache = SideCache::default();
        for columns in [1, 31, 32, 33, 100] {
            cache.reset(columns);
            let rows: Vec<u32> = (0..7).map(|_| cache.add_row()).collect();
            let mut known = std::collections::HashMap::new();
            for _ in 0..3000 {
                let (row, column) = (rows[random.below(7) as usize], random.below(columns as u32));
                let fresh = random.below(3) as i8 - 1;
                let is_new = !known.contains_key(&(row, column));
                let expected = *known.entry((row, column)).or_insert(fresh);
                assert_eq!(cache.get(row, column, || fresh), (expected, is_new));
            }
        }
    }
}
