//! Lanes for the walks of trees: AVX where the processor has it, plain arrays elsewhere. The only module with `unsafe`
//! code.
//!
//! The instructions are chosen at run time, so that a portable build loses nothing. Both versions do the same IEEE
//! operations in the same order (no fused multiply-add), so they give the same bits.
#![allow(unsafe_code)]

mod level;

pub use level::{SimdLevel, SimdLevelError};

/// One number for each of four children.
pub(crate) type Four = [i16; 4];

/// What the walks need.
pub(crate) trait Lanes {
    /// Four numbers of one node and four of another, in one register.
    type Both: Copy;
    /// Two of those as whole numbers, the first and the second.
    type Whole: Copy;
    /// One whole number for each pair of four children and four others: pair `(i, j)` in lane `4 i + j`.
    type Pairs: Copy;

    fn both(low: &Four, high: &Four) -> Self::Both;
    fn load(values: &[f32; 8]) -> Self::Both;
    fn add(a: Self::Both, b: Self::Both) -> Self::Both;
    fn sub(a: Self::Both, b: Self::Both) -> Self::Both;
    fn mul(a: Self::Both, b: Self::Both) -> Self::Both;
    fn abs(a: Self::Both) -> Self::Both;
    fn splat(value: f32) -> Self::Both;
    /// All bits of a lane set where `a` is at most `b`; none where either is NaN.
    fn at_most(a: Self::Both, b: Self::Both) -> Self::Both;
    /// All bits of a lane set where `a` is less than `b`; none where either is NaN.
    fn less(a: Self::Both, b: Self::Both) -> Self::Both;
    /// The bits that both have.
    fn and(a: Self::Both, b: Self::Both) -> Self::Both;
    /// One bit a lane: its sign bit.
    fn bits(a: Self::Both) -> u32;
    /// The nearest whole numbers, even ones of two that are as near; the nearest of 16 bits where they are larger. No lane may
    /// be NaN.
    fn whole(first: Self::Both, second: Self::Both) -> Self::Whole;

    /// Each of the four numbers for all pairs of its row.
    fn rows(values: &Four) -> Self::Pairs;
    /// Each of the four numbers for all pairs of its column.
    fn columns(values: &Four) -> Self::Pairs;
    /// The upper four of the first or the second, each for its row.
    fn upper_rows<const SECOND: bool>(values: Self::Whole) -> Self::Pairs;
    /// The lower four of the first or the second, each for its column.
    fn lower_columns<const SECOND: bool>(values: Self::Whole) -> Self::Pairs;
    /// The sum of each, or the nearest number of 16 bits.
    fn sums(a: Self::Pairs, b: Self::Pairs) -> Self::Pairs;
    /// The lesser of each.
    fn min(a: Self::Pairs, b: Self::Pairs) -> Self::Pairs;
    /// One bit a pair, set where the number is negative.
    fn signs(a: Self::Pairs) -> u32;
    fn store(a: Self::Pairs, to: &mut [i16; 16]);
    /// The lesser of each; no lane may be NaN.
    fn both_min(a: Self::Both, b: Self::Both) -> Self::Both;
    /// Two rows, the first in the lower four lanes.
    fn two_rows(first: &[f32; 4], second: &[f32; 4]) -> Self::Both;
    fn both_splat(value: f32) -> Self::Both;
    /// Two numbers by turns.
    fn by_turns(values: &[f32; 2]) -> Self::Both;
    /// Zero and a number by turns.
    fn zero_and(value: f32) -> Self::Both;
    /// The numbers of two rows by turns.
    fn rows_by_turns(first: &Four, second: &Four) -> Self::Both;
    /// In each half the first three numbers in the order 1, 2, 0.
    fn turned(a: Self::Both) -> Self::Both;
    /// One bit a lane, set where a is greater than b.
    fn both_greater(a: Self::Both, b: Self::Both) -> u32;
    /// Of up to four children with two numbers each, by turns: those whose numbers add up to no more than zero, the one with
    /// the least first number last: their first numbers as keys, and the children. Returns how many they are; the rest of
    /// what is written has no meaning. First numbers must not be negative. The last two bits of a key are the child's lane.
    fn nearest_last(
        limits: Self::Both,
        count: u32,
        children: &[u32; 4],
        keys: &mut [u32; 4],
        sorted: &mut [u32; 4],
    ) -> usize;
    /// One number for each of eight children.
    fn both_of(values: &[i16; 8]) -> Self::Both;
    fn both_div(a: Self::Both, b: Self::Both) -> Self::Both;
    /// Of eight children, those of which `enter` is not greater than `leave`, the one with the least `enter` last: as keys, and
    /// the children. Returns how many they are; the rest of what is written has no meaning. `enter` must not be negative.
    /// The last three bits of a key are the child's lane.
    fn nearest_of_eight(
        enter: Self::Both,
        leave: Self::Both,
        children: &[u32; 8],
        keys: &mut [u32; 8],
        sorted: &mut [u32; 8],
    ) -> usize;
    /// Asks for the memory of something that will be looked at soon.
    fn prefetch<T>(soon: &T);

    /// Four numbers in a register of their own.
    type Half: Copy;
    /// The greater of each, `b` where they are equal; no lane may be NaN.
    fn both_max(a: Self::Both, b: Self::Both) -> Self::Both;
    fn both_store(a: Self::Both, to: &mut [f32; 8]);
    /// The lower four and the upper four, added.
    fn half_sum(a: Self::Both) -> Self::Half;
    /// The upper four less the lower four.
    fn half_difference(a: Self::Both) -> Self::Half;
    fn half_load(values: &[f32; 4]) -> Self::Half;
    fn half_sub(a: Self::Half, b: Self::Half) -> Self::Half;
    fn half_mul(a: Self::Half, b: Self::Half) -> Self::Half;
    /// The lesser of each, `b` where they are equal; no lane may be NaN.
    fn half_min(a: Self::Half, b: Self::Half) -> Self::Half;
    /// The greater of each, `b` where they are equal; no lane may be NaN.
    fn half_max(a: Self::Half, b: Self::Half) -> Self::Half;
    fn half_store(a: Self::Half, to: &mut [f32; 4]);
    /// The whole parts of numbers that are not negative and less than 2³¹.
    fn half_whole(a: Self::Half) -> [u32; 4];

    /// Eight numbers of 16 bits.
    type Eight: Copy;
    fn eight(values: &[i16; 8]) -> Self::Eight;
    /// The greater of each.
    fn most(a: Self::Eight, b: Self::Eight) -> Self::Eight;
    fn store_eight(a: Self::Eight, to: &mut [i16; 8]);
    /// Four rows as eight columns.
    fn transposed(rows: [Self::Eight; 4]) -> [Four; 8];

    /// One number for each pair, like [`Pairs`](Self::Pairs), for distances between bounds.
    type Gaps: Copy;
    fn gaps_splat(value: f32) -> Self::Gaps;
    /// `rows[i] + columns[j]` for every pair: the lower four of the one and the upper four of the other, or the reverse.
    fn gaps_sums<const UPPER_ROWS: bool>(rows: Self::Both, columns: Self::Both) -> Self::Gaps;
    fn gaps_add(a: Self::Gaps, b: Self::Gaps) -> Self::Gaps;
    fn gaps_mul(a: Self::Gaps, b: Self::Gaps) -> Self::Gaps;
    /// The lesser of each; no lane may be NaN.
    fn gaps_min(a: Self::Gaps, b: Self::Gaps) -> Self::Gaps;
    /// The greater of each; no lane may be NaN.
    fn gaps_max(a: Self::Gaps, b: Self::Gaps) -> Self::Gaps;
    /// One bit a pair, set where a is less than b.
    fn gaps_less(a: Self::Gaps, b: Self::Gaps) -> u32;
    fn gaps_store(a: Self::Gaps, to: &mut [f32; 16]);

    /// Four `f64` numbers, one for each pair of two things and two others: pair `(i, j)` in lane `2 i + j`.
    type Quad: Copy;
    fn quad_splat(value: f64) -> Self::Quad;
    /// One number for each of four children.
    fn quad_of(values: &Four) -> Self::Quad;
    /// The first things' numbers, each for both of its pairs.
    fn quad_rows(first: f64, second: f64) -> Self::Quad;
    /// The second things' numbers.
    fn quad_columns(first: f64, second: f64) -> Self::Quad;
    fn quad_add(a: Self::Quad, b: Self::Quad) -> Self::Quad;
    fn quad_sub(a: Self::Quad, b: Self::Quad) -> Self::Quad;
    fn quad_mul(a: Self::Quad, b: Self::Quad) -> Self::Quad;
    fn quad_abs(a: Self::Quad) -> Self::Quad;
    fn quad_load(values: &[f64; 4]) -> Self::Quad;
    fn quad_div(a: Self::Quad, b: Self::Quad) -> Self::Quad;
    /// The lesser of each; b where either is NaN.
    fn quad_min(a: Self::Quad, b: Self::Quad) -> Self::Quad;
    /// The greater of each; b where either is NaN.
    fn quad_max(a: Self::Quad, b: Self::Quad) -> Self::Quad;
    /// One bit a lane, set where a is greater than b.
    fn quad_greater(a: Self::Quad, b: Self::Quad) -> u32;
    /// `yes` where a is greater than b, else `no`.
    fn quad_where_greater(a: Self::Quad, b: Self::Quad, yes: Self::Quad, no: Self::Quad) -> Self::Quad;
    fn quad_store(a: Self::Quad) -> [f64; 4];
    fn quad_from(first: f64, second: f64, third: f64, fourth: f64) -> Self::Quad;
    /// The nearest numbers of 32 bits.
    fn quad_to_half(a: Self::Quad) -> Self::Half;
}

/// Plain arrays, for every processor.
pub(crate) struct Portable;

impl Lanes for Portable {
    type Both = [f32; 8];
    type Whole = [[i16; 8]; 2];
    type Pairs = [i16; 16];

    #[inline(always)]
    fn both(low: &Four, high: &Four) -> [f32; 8] {
        std::array::from_fn(|i| f32::from(if i < 4 { low[i] } else { high[i - 4] }))
    }
    #[inline(always)]
    fn load(values: &[f32; 8]) -> [f32; 8] {
        *values
    }
    #[inline(always)]
    fn add(a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|i| a[i] + b[i])
    }
    #[inline(always)]
    fn sub(a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|i| a[i] - b[i])
    }
    #[inline(always)]
    fn mul(a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|i| a[i] * b[i])
    }
    #[inline(always)]
    fn abs(a: [f32; 8]) -> [f32; 8] {
        a.map(f32::abs)
    }
    #[inline(always)]
    fn splat(value: f32) -> [f32; 8] {
        [value; 8]
    }
    #[inline(always)]
    fn at_most(a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|i| f32::from_bits(if a[i] <= b[i] { !0 } else { 0 }))
    }
    #[inline(always)]
    fn less(a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|i| f32::from_bits(if a[i] < b[i] { !0 } else { 0 }))
    }
    #[inline(always)]
    fn and(a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|i| f32::from_bits(a[i].to_bits() & b[i].to_bits()))
    }
    #[inline(always)]
    fn bits(a: [f32; 8]) -> u32 {
        (0..8).fold(0, |mask, i| mask | (a[i].to_bits() >> 31) << i)
    }
    #[inline(always)]
    fn whole(first: [f32; 8], second: [f32; 8]) -> [[i16; 8]; 2] {
        // Added to a number this large, the rest is rounded away.
        const LARGE: f32 = (3 << 22) as f32;
        [first, second].map(|values| values.map(|value| ((value.clamp(-4e4, 4e4) + LARGE) - LARGE) as i16))
    }
    #[inline(always)]
    fn rows(values: &Four) -> [i16; 16] {
        std::array::from_fn(|i| values[i / 4])
    }
    #[inline(always)]
    fn columns(values: &Four) -> [i16; 16] {
        std::array::from_fn(|i| values[i % 4])
    }
    #[inline(always)]
    fn upper_rows<const SECOND: bool>(values: [[i16; 8]; 2]) -> [i16; 16] {
        std::array::from_fn(|i| values[usize::from(SECOND)][4 + i / 4])
    }
    #[inline(always)]
    fn lower_columns<const SECOND: bool>(values: [[i16; 8]; 2]) -> [i16; 16] {
        std::array::from_fn(|i| values[usize::from(SECOND)][i % 4])
    }
    #[inline(always)]
    fn sums(a: [i16; 16], b: [i16; 16]) -> [i16; 16] {
        std::array::from_fn(|i| a[i].saturating_add(b[i]))
    }
    #[inline(always)]
    fn min(a: [i16; 16], b: [i16; 16]) -> [i16; 16] {
        std::array::from_fn(|i| a[i].min(b[i]))
    }
    #[inline(always)]
    fn signs(a: [i16; 16]) -> u32 {
        (0..16).fold(0, |mask, i| mask | u32::from(a[i] < 0) << i)
    }
    #[inline(always)]
    fn store(a: [i16; 16], to: &mut [i16; 16]) {
        *to = a;
    }
    #[inline(always)]
    fn both_min(a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|i| if a[i] < b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn two_rows(first: &[f32; 4], second: &[f32; 4]) -> [f32; 8] {
        std::array::from_fn(|i| if i < 4 { first[i] } else { second[i - 4] })
    }
    #[inline(always)]
    fn both_splat(value: f32) -> [f32; 8] {
        [value; 8]
    }
    #[inline(always)]
    fn by_turns(values: &[f32; 2]) -> [f32; 8] {
        std::array::from_fn(|i| values[i % 2])
    }
    #[inline(always)]
    fn zero_and(value: f32) -> [f32; 8] {
        [0.0, value, 0.0, value, 0.0, value, 0.0, value]
    }
    #[inline(always)]
    fn rows_by_turns(first: &Four, second: &Four) -> [f32; 8] {
        std::array::from_fn(|i| f32::from(if i % 2 == 0 { first[i / 2] } else { second[i / 2] }))
    }
    #[inline(always)]
    fn turned(a: [f32; 8]) -> [f32; 8] {
        [a[1], a[2], a[0], a[3], a[5], a[6], a[4], a[7]]
    }
    #[inline(always)]
    fn both_greater(a: [f32; 8], b: [f32; 8]) -> u32 {
        (0..8).fold(0, |mask, i| mask | u32::from(a[i] > b[i]) << i)
    }
    #[inline(always)]
    fn nearest_last(
        limits: [f32; 8],
        count: u32,
        children: &[u32; 4],
        keys: &mut [u32; 4],
        sorted: &mut [u32; 4],
    ) -> usize {
        let mut found = 0;
        for lane in 0..count as usize {
            if limits[2 * lane] + limits[2 * lane + 1] <= 0.0 {
                let key = limits[2 * lane].to_bits() & !3 | lane as u32;
                let mut place = found;
                while place > 0 && keys[place - 1] < key {
                    (keys[place], sorted[place]) = (keys[place - 1], sorted[place - 1]);
                    place -= 1;
                }
                (keys[place], sorted[place]) = (key, children[lane]);
                found += 1;
            }
        }
        found
    }
    #[inline(always)]
    fn both_of(values: &[i16; 8]) -> [f32; 8] {
        values.map(f32::from)
    }
    #[inline(always)]
    fn both_div(a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|i| a[i] / b[i])
    }
    #[inline(always)]
    fn nearest_of_eight(
        enter: [f32; 8],
        leave: [f32; 8],
        children: &[u32; 8],
        keys: &mut [u32; 8],
        sorted: &mut [u32; 8],
    ) -> usize {
        let (mut order, mut found) = ([0; 8], 0);
        for lane in 0..8 {
            if enter[lane] <= leave[lane] {
                order[found] = enter[lane].to_bits() & !7 | lane as u32;
                found += 1;
            }
        }
        put_largest_first(&mut order[..found]);
        for (place, &key) in order[..found].iter().enumerate() {
            (keys[place], sorted[place]) = (key, children[key as usize & 7]);
        }
        found
    }
    #[inline(always)]
    fn prefetch<T>(_: &T) {}

    type Half = [f32; 4];

    #[inline(always)]
    fn both_max(a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|i| if a[i] > b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn both_store(a: [f32; 8], to: &mut [f32; 8]) {
        *to = a;
    }
    #[inline(always)]
    fn half_sum(a: [f32; 8]) -> [f32; 4] {
        std::array::from_fn(|i| a[i] + a[i + 4])
    }
    #[inline(always)]
    fn half_difference(a: [f32; 8]) -> [f32; 4] {
        std::array::from_fn(|i| a[i + 4] - a[i])
    }
    #[inline(always)]
    fn half_load(values: &[f32; 4]) -> [f32; 4] {
        *values
    }
    #[inline(always)]
    fn half_sub(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
        std::array::from_fn(|i| a[i] - b[i])
    }
    #[inline(always)]
    fn half_mul(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
        std::array::from_fn(|i| a[i] * b[i])
    }
    #[inline(always)]
    fn half_min(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
        std::array::from_fn(|i| if a[i] < b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn half_max(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
        std::array::from_fn(|i| if a[i] > b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn half_store(a: [f32; 4], to: &mut [f32; 4]) {
        *to = a;
    }
    #[inline(always)]
    fn half_whole(a: [f32; 4]) -> [u32; 4] {
        a.map(|value| value as u32)
    }

    type Eight = [i16; 8];

    #[inline(always)]
    fn eight(values: &[i16; 8]) -> [i16; 8] {
        *values
    }
    #[inline(always)]
    fn most(a: [i16; 8], b: [i16; 8]) -> [i16; 8] {
        std::array::from_fn(|i| a[i].max(b[i]))
    }
    #[inline(always)]
    fn store_eight(a: [i16; 8], to: &mut [i16; 8]) {
        *to = a;
    }
    #[inline(always)]
    fn transposed(rows: [[i16; 8]; 4]) -> [Four; 8] {
        std::array::from_fn(|i| std::array::from_fn(|row| rows[row][i]))
    }

    type Gaps = [f32; 16];

    #[inline(always)]
    fn gaps_splat(value: f32) -> [f32; 16] {
        [value; 16]
    }
    #[inline(always)]
    fn gaps_sums<const UPPER_ROWS: bool>(rows: [f32; 8], columns: [f32; 8]) -> [f32; 16] {
        let (row, column) = if UPPER_ROWS { (4, 0) } else { (0, 4) };
        std::array::from_fn(|i| rows[row + i / 4] + columns[column + i % 4])
    }
    #[inline(always)]
    fn gaps_add(a: [f32; 16], b: [f32; 16]) -> [f32; 16] {
        std::array::from_fn(|i| a[i] + b[i])
    }
    #[inline(always)]
    fn gaps_mul(a: [f32; 16], b: [f32; 16]) -> [f32; 16] {
        std::array::from_fn(|i| a[i] * b[i])
    }
    #[inline(always)]
    fn gaps_min(a: [f32; 16], b: [f32; 16]) -> [f32; 16] {
        std::array::from_fn(|i| if a[i] < b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn gaps_max(a: [f32; 16], b: [f32; 16]) -> [f32; 16] {
        std::array::from_fn(|i| if a[i] > b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn gaps_less(a: [f32; 16], b: [f32; 16]) -> u32 {
        (0..16).fold(0, |mask, i| mask | u32::from(a[i] < b[i]) << i)
    }
    #[inline(always)]
    fn gaps_store(a: [f32; 16], to: &mut [f32; 16]) {
        *to = a;
    }

    type Quad = [f64; 4];

    #[inline(always)]
    fn quad_splat(value: f64) -> [f64; 4] {
        [value; 4]
    }
    #[inline(always)]
    fn quad_of(values: &Four) -> [f64; 4] {
        values.map(f64::from)
    }
    #[inline(always)]
    fn quad_rows(first: f64, second: f64) -> [f64; 4] {
        [first, first, second, second]
    }
    #[inline(always)]
    fn quad_columns(first: f64, second: f64) -> [f64; 4] {
        [first, second, first, second]
    }
    #[inline(always)]
    fn quad_add(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        std::array::from_fn(|i| a[i] + b[i])
    }
    #[inline(always)]
    fn quad_sub(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        std::array::from_fn(|i| a[i] - b[i])
    }
    #[inline(always)]
    fn quad_mul(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        std::array::from_fn(|i| a[i] * b[i])
    }
    #[inline(always)]
    fn quad_abs(a: [f64; 4]) -> [f64; 4] {
        a.map(f64::abs)
    }
    #[inline(always)]
    fn quad_load(values: &[f64; 4]) -> [f64; 4] {
        *values
    }
    #[inline(always)]
    fn quad_div(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        std::array::from_fn(|i| a[i] / b[i])
    }
    #[inline(always)]
    fn quad_min(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        std::array::from_fn(|i| if a[i] < b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn quad_max(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        std::array::from_fn(|i| if a[i] > b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn quad_greater(a: [f64; 4], b: [f64; 4]) -> u32 {
        (0..4).fold(0, |mask, i| mask | u32::from(a[i] > b[i]) << i)
    }
    #[inline(always)]
    fn quad_where_greater(a: [f64; 4], b: [f64; 4], yes: [f64; 4], no: [f64; 4]) -> [f64; 4] {
        std::array::from_fn(|i| if a[i] > b[i] { yes[i] } else { no[i] })
    }
    #[inline(always)]
    fn quad_store(a: [f64; 4]) -> [f64; 4] {
        a
    }
    #[inline(always)]
    fn quad_from(first: f64, second: f64, third: f64, fourth: f64) -> [f64; 4] {
        [first, second, third, fourth]
    }
    #[inline(always)]
    fn quad_to_half(a: [f64; 4]) -> [f32; 4] {
        a.map(|value| value as f32)
    }
}

/// Sorts a few numbers.
#[inline(always)]
fn put_largest_first(numbers: &mut [u32]) {
    for i in 1..numbers.len() {
        let number = numbers[i];
        let mut place = i;
        while place > 0 && numbers[place - 1] < number {
            numbers[place] = numbers[place - 1];
            place -= 1;
        }
        numbers[place] = number;
    }
}

/// For each set of lanes: the lanes in it, in order, then the others.
#[cfg(target_arch = "x86_64")]
const LANES_OF: [[u8; 8]; 256] = {
    let mut lanes = [[0; 8]; 256];
    let mut set = 0;
    while set < 256 {
        let (mut place, mut i) = (0, 0);
        while i < 16 {
            if (set >> (i % 8) & 1 == 1) == (i < 8) {
                lanes[set][place] = (i % 8) as u8;
                place += 1;
            }
            i += 1;
        }
        set += 1;
    }
    lanes
};

#[cfg(target_arch = "x86_64")]
mod avx {
    use std::arch::x86_64::*;

    use super::{Four, LANES_OF, Lanes, put_largest_first};

    /// AVX registers. Only code that runs under [`dispatch`](super::dispatch) may use them.
    pub(crate) struct Avx;

    // SAFETY of this whole block: `dispatch` calls into code with these lanes only after it has found that the processor
    // has AVX2. Loads and stores go through references to arrays of the right length, and need no alignment.
    impl Lanes for Avx {
        type Both = __m256;
        /// In each half the four of the first, then the four of the second.
        type Whole = __m256i;
        type Pairs = __m256i;

        #[inline(always)]
        fn both(low: &Four, high: &Four) -> __m256 {
            unsafe {
                let low = _mm_loadl_epi64(low.as_ptr().cast());
                let high = _mm_loadl_epi64(high.as_ptr().cast());
                _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(_mm_unpacklo_epi64(low, high)))
            }
        }
        #[inline(always)]
        fn load(values: &[f32; 8]) -> __m256 {
            unsafe { _mm256_loadu_ps(values.as_ptr()) }
        }
        #[inline(always)]
        fn add(a: __m256, b: __m256) -> __m256 {
            unsafe { _mm256_add_ps(a, b) }
        }
        #[inline(always)]
        fn sub(a: __m256, b: __m256) -> __m256 {
            unsafe { _mm256_sub_ps(a, b) }
        }
        #[inline(always)]
        fn mul(a: __m256, b: __m256) -> __m256 {
            unsafe { _mm256_mul_ps(a, b) }
        }
        #[inline(always)]
        fn abs(a: __m256) -> __m256 {
            unsafe { _mm256_andnot_ps(_mm256_set1_ps(-0.0), a) }
        }
        #[inline(always)]
        fn splat(value: f32) -> __m256 {
            unsafe { _mm256_set1_ps(value) }
        }
        #[inline(always)]
        fn at_most(a: __m256, b: __m256) -> __m256 {
            unsafe { _mm256_cmp_ps::<_CMP_LE_OQ>(a, b) }
        }
        #[inline(always)]
        fn less(a: __m256, b: __m256) -> __m256 {
            unsafe { _mm256_cmp_ps::<_CMP_LT_OQ>(a, b) }
        }
        #[inline(always)]
        fn and(a: __m256, b: __m256) -> __m256 {
            unsafe { _mm256_and_ps(a, b) }
        }
        #[inline(always)]
        fn bits(a: __m256) -> u32 {
            (unsafe { _mm256_movemask_ps(a) }) as u32
        }
        #[inline(always)]
        fn whole(first: __m256, second: __m256) -> __m256i {
            unsafe {
                // Numbers too large for 32 bits would become the least one; too small ones rightly do.
                let most = _mm256_set1_ps(4e4);
                let first = _mm256_cvtps_epi32(_mm256_min_ps(first, most));
                let second = _mm256_cvtps_epi32(_mm256_min_ps(second, most));
                _mm256_packs_epi32(first, second)
            }
        }
        #[inline(always)]
        fn rows(values: &Four) -> __m256i {
            unsafe { spread(_mm256_set1_epi64x(values.as_ptr().cast::<i64>().read_unaligned())) }
        }
        #[inline(always)]
        fn columns(values: &Four) -> __m256i {
            unsafe { _mm256_set1_epi64x(values.as_ptr().cast::<i64>().read_unaligned()) }
        }
        #[inline(always)]
        fn upper_rows<const SECOND: bool>(values: __m256i) -> __m256i {
            unsafe {
                spread(if SECOND {
                    _mm256_permute4x64_epi64::<0xff>(values)
                } else {
                    _mm256_permute4x64_epi64::<0xaa>(values)
                })
            }
        }
        #[inline(always)]
        fn lower_columns<const SECOND: bool>(values: __m256i) -> __m256i {
            unsafe {
                if SECOND {
                    _mm256_permute4x64_epi64::<0x55>(values)
                } else {
                    _mm256_permute4x64_epi64::<0x00>(values)
                }
            }
        }
        #[inline(always)]
        fn sums(a: __m256i, b: __m256i) -> __m256i {
            unsafe { _mm256_adds_epi16(a, b) }
        }
        #[inline(always)]
        fn min(a: __m256i, b: __m256i) -> __m256i {
            unsafe { _mm256_min_epi16(a, b) }
        }
        #[inline(always)]
        fn signs(a: __m256i) -> u32 {
            unsafe {
                let halves = (_mm256_castsi256_si128(a), _mm256_extracti128_si256::<1>(a));
                _mm_movemask_epi8(_mm_packs_epi16(halves.0, halves.1)) as u32
            }
        }
        #[inline(always)]
        fn store(a: __m256i, to: &mut [i16; 16]) {
            unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), a) }
        }
        #[inline(always)]
        fn both_min(a: __m256, b: __m256) -> __m256 {
            unsafe { _mm256_min_ps(a, b) }
        }
        #[inline(always)]
        fn two_rows(first: &[f32; 4], second: &[f32; 4]) -> __m256 {
            unsafe { _mm256_set_m128(_mm_loadu_ps(second.as_ptr()), _mm_loadu_ps(first.as_ptr())) }
        }
        #[inline(always)]
        fn both_splat(value: f32) -> __m256 {
            unsafe { _mm256_set1_ps(value) }
        }
        #[inline(always)]
        fn by_turns(values: &[f32; 2]) -> __m256 {
            unsafe { _mm256_castpd_ps(_mm256_set1_pd(values.as_ptr().cast::<f64>().read_unaligned())) }
        }
        #[inline(always)]
        fn zero_and(value: f32) -> __m256 {
            unsafe { _mm256_blend_ps::<0b1010_1010>(_mm256_setzero_ps(), _mm256_set1_ps(value)) }
        }
        #[inline(always)]
        fn rows_by_turns(first: &Four, second: &Four) -> __m256 {
            unsafe {
                let first = _mm_loadl_epi64(first.as_ptr().cast());
                let second = _mm_loadl_epi64(second.as_ptr().cast());
                _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(_mm_unpacklo_epi16(first, second)))
            }
        }
        #[inline(always)]
        fn turned(a: __m256) -> __m256 {
            unsafe { _mm256_permute_ps::<0b11_00_10_01>(a) }
        }
        #[inline(always)]
        fn both_greater(a: __m256, b: __m256) -> u32 {
            (unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GT_OQ>(a, b)) }) as u32
        }
        #[inline(always)]
        fn nearest_last(
            limits: __m256,
            count: u32,
            children: &[u32; 4],
            keys: &mut [u32; 4],
            sorted: &mut [u32; 4],
        ) -> usize {
            unsafe {
                let lanes = _mm_setr_epi32(0, 1, 2, 3);
                let (low, high) = (_mm256_castps256_ps128(limits), _mm256_extractf128_ps::<1>(limits));
                let near = _mm_shuffle_ps::<0b10_00_10_00>(low, high);
                let apart = _mm_add_ps(near, _mm_shuffle_ps::<0b11_01_11_01>(low, high));
                let is_there = _mm_cmpgt_epi32(_mm_set1_epi32(count as i32), lanes);
                let is_met = _mm_cmple_ps(apart, _mm_setzero_ps());
                let found = _mm_and_si128(_mm_castps_si128(is_met), is_there);
                let key = _mm_or_si128(_mm_and_si128(_mm_castps_si128(near), _mm_set1_epi32(!3)), lanes);
                // Those that are not met are -1, less than all others.
                let key = _mm_or_si128(key, _mm_xor_si128(found, _mm_set1_epi32(-1)));
                let other = _mm_shuffle_epi32::<0b10_11_00_01>(key);
                let key = _mm_blend_epi32::<0b1010>(_mm_max_epi32(key, other), _mm_min_epi32(key, other));
                let other = _mm_shuffle_epi32::<0b01_00_11_10>(key);
                let key = _mm_blend_epi32::<0b1100>(_mm_max_epi32(key, other), _mm_min_epi32(key, other));
                let other = _mm_shuffle_epi32::<0b11_01_10_00>(key);
                let key = _mm_blend_epi32::<0b0100>(_mm_max_epi32(key, other), _mm_min_epi32(key, other));
                let refs = _mm_loadu_ps(children.as_ptr().cast());
                _mm_storeu_si128(keys.as_mut_ptr().cast(), key);
                _mm_storeu_ps(sorted.as_mut_ptr().cast(), _mm_permutevar_ps(refs, key));
                (_mm_movemask_ps(_mm_castsi128_ps(found)) as u32).count_ones() as usize
            }
        }
        #[inline(always)]
        fn both_of(values: &[i16; 8]) -> __m256 {
            unsafe { _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(_mm_loadu_si128(values.as_ptr().cast()))) }
        }
        #[inline(always)]
        fn both_div(a: __m256, b: __m256) -> __m256 {
            unsafe { _mm256_div_ps(a, b) }
        }
        #[inline(always)]
        fn nearest_of_eight(
            enter: __m256,
            leave: __m256,
            children: &[u32; 8],
            keys: &mut [u32; 8],
            sorted: &mut [u32; 8],
        ) -> usize {
            unsafe {
                let missed = _mm256_castps_si256(_mm256_cmp_ps::<_CMP_NLE_UQ>(enter, leave));
                let met = !_mm256_movemask_ps(_mm256_castsi256_ps(missed)) as u32 & 0xff;
                let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
                let key = _mm256_and_si256(_mm256_castps_si256(enter), _mm256_set1_epi32(!7));
                // Those that are not met are -1, less than all others.
                let key = _mm256_or_si256(_mm256_or_si256(key, lanes), missed);
                let first = _mm_loadl_epi64(LANES_OF[met as usize].as_ptr().cast());
                let key = _mm256_permutevar8x32_epi32(key, _mm256_cvtepu8_epi32(first));
                let children = _mm256_loadu_si256(children.as_ptr().cast());
                let count = met.count_ones() as usize;
                if count > 4 {
                    _mm256_storeu_si256(keys.as_mut_ptr().cast(), key);
                    put_largest_first(&mut keys[..count]);
                    let key = _mm256_loadu_si256(keys.as_ptr().cast());
                    let sorted_children = _mm256_permutevar8x32_epi32(children, key);
                    _mm256_storeu_si256(sorted.as_mut_ptr().cast(), sorted_children);
                    return count;
                }
                let key = _mm256_castsi256_si128(key);
                let other = _mm_shuffle_epi32::<0b10_11_00_01>(key);
                let key = _mm_blend_epi32::<0b1010>(_mm_max_epi32(key, other), _mm_min_epi32(key, other));
                let other = _mm_shuffle_epi32::<0b01_00_11_10>(key);
                let key = _mm_blend_epi32::<0b1100>(_mm_max_epi32(key, other), _mm_min_epi32(key, other));
                let other = _mm_shuffle_epi32::<0b11_01_10_00>(key);
                let key = _mm_blend_epi32::<0b0100>(_mm_max_epi32(key, other), _mm_min_epi32(key, other));
                let key = _mm256_castsi128_si256(key);
                _mm256_storeu_si256(keys.as_mut_ptr().cast(), key);
                let sorted_children = _mm256_permutevar8x32_epi32(children, key);
                _mm256_storeu_si256(sorted.as_mut_ptr().cast(), sorted_children);
                count
            }
        }
        #[inline(always)]
        fn prefetch<T>(soon: &T) {
            unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(soon).cast()) }
        }

        type Half = __m128;

        #[inline(always)]
        fn both_max(a: __m256, b: __m256) -> __m256 {
            unsafe { _mm256_max_ps(a, b) }
        }
        #[inline(always)]
        fn both_store(a: __m256, to: &mut [f32; 8]) {
            unsafe { _mm256_storeu_ps(to.as_mut_ptr(), a) }
        }
        #[inline(always)]
        fn half_sum(a: __m256) -> __m128 {
            unsafe { _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps::<1>(a)) }
        }
        #[inline(always)]
        fn half_difference(a: __m256) -> __m128 {
            unsafe { _mm_sub_ps(_mm256_extractf128_ps::<1>(a), _mm256_castps256_ps128(a)) }
        }
        #[inline(always)]
        fn half_load(values: &[f32; 4]) -> __m128 {
            unsafe { _mm_loadu_ps(values.as_ptr()) }
        }
        #[inline(always)]
        fn half_sub(a: __m128, b: __m128) -> __m128 {
            unsafe { _mm_sub_ps(a, b) }
        }
        #[inline(always)]
        fn half_mul(a: __m128, b: __m128) -> __m128 {
            unsafe { _mm_mul_ps(a, b) }
        }
        #[inline(always)]
        fn half_min(a: __m128, b: __m128) -> __m128 {
            unsafe { _mm_min_ps(a, b) }
        }
        #[inline(always)]
        fn half_max(a: __m128, b: __m128) -> __m128 {
            unsafe { _mm_max_ps(a, b) }
        }
        #[inline(always)]
        fn half_store(a: __m128, to: &mut [f32; 4]) {
            unsafe { _mm_storeu_ps(to.as_mut_ptr(), a) }
        }
        #[inline(always)]
        fn half_whole(a: __m128) -> [u32; 4] {
            let mut whole = [0; 4];
            unsafe { _mm_storeu_si128(whole.as_mut_ptr().cast(), _mm_cvttps_epi32(a)) }
            whole
        }

        type Eight = __m128i;

        #[inline(always)]
        fn eight(values: &[i16; 8]) -> __m128i {
            unsafe { _mm_loadu_si128(values.as_ptr().cast()) }
        }
        #[inline(always)]
        fn most(a: __m128i, b: __m128i) -> __m128i {
            unsafe { _mm_max_epi16(a, b) }
        }
        #[inline(always)]
        fn store_eight(a: __m128i, to: &mut [i16; 8]) {
            unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), a) }
        }
        #[inline(always)]
        fn transposed([a, b, c, d]: [__m128i; 4]) -> [Four; 8] {
            let mut columns = [[0; 4]; 8];
            unsafe {
                let low = (_mm_unpacklo_epi16(a, b), _mm_unpacklo_epi16(c, d));
                let high = (_mm_unpackhi_epi16(a, b), _mm_unpackhi_epi16(c, d));
                let to = columns.as_mut_ptr().cast::<__m128i>();
                _mm_storeu_si128(to, _mm_unpacklo_epi32(low.0, low.1));
                _mm_storeu_si128(to.add(1), _mm_unpackhi_epi32(low.0, low.1));
                _mm_storeu_si128(to.add(2), _mm_unpacklo_epi32(high.0, high.1));
                _mm_storeu_si128(to.add(3), _mm_unpackhi_epi32(high.0, high.1));
            }
            columns
        }

        type Gaps = (__m256, __m256);

        #[inline(always)]
        fn gaps_splat(value: f32) -> (__m256, __m256) {
            unsafe { (_mm256_set1_ps(value), _mm256_set1_ps(value)) }
        }
        #[inline(always)]
        fn gaps_sums<const UPPER_ROWS: bool>(rows: __m256, columns: __m256) -> (__m256, __m256) {
            unsafe {
                let (first, columns) = if UPPER_ROWS {
                    (
                        _mm256_setr_epi32(4, 4, 4, 4, 5, 5, 5, 5),
                        _mm256_permute2f128_ps::<0x00>(columns, columns),
                    )
                } else {
                    (
                        _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1),
                        _mm256_permute2f128_ps::<0x11>(columns, columns),
                    )
                };
                let last = _mm256_add_epi32(first, _mm256_set1_epi32(2));
                (
                    _mm256_add_ps(_mm256_permutevar8x32_ps(rows, first), columns),
                    _mm256_add_ps(_mm256_permutevar8x32_ps(rows, last), columns),
                )
            }
        }
        #[inline(always)]
        fn gaps_add(a: (__m256, __m256), b: (__m256, __m256)) -> (__m256, __m256) {
            unsafe { (_mm256_add_ps(a.0, b.0), _mm256_add_ps(a.1, b.1)) }
        }
        #[inline(always)]
        fn gaps_mul(a: (__m256, __m256), b: (__m256, __m256)) -> (__m256, __m256) {
            unsafe { (_mm256_mul_ps(a.0, b.0), _mm256_mul_ps(a.1, b.1)) }
        }
        #[inline(always)]
        fn gaps_min(a: (__m256, __m256), b: (__m256, __m256)) -> (__m256, __m256) {
            unsafe { (_mm256_min_ps(a.0, b.0), _mm256_min_ps(a.1, b.1)) }
        }
        #[inline(always)]
        fn gaps_max(a: (__m256, __m256), b: (__m256, __m256)) -> (__m256, __m256) {
            unsafe { (_mm256_max_ps(a.0, b.0), _mm256_max_ps(a.1, b.1)) }
        }
        #[inline(always)]
        fn gaps_less(a: (__m256, __m256), b: (__m256, __m256)) -> u32 {
            unsafe {
                let first = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(a.0, b.0));
                let last = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(a.1, b.1));
                first as u32 | (last as u32) << 8
            }
        }
        #[inline(always)]
        fn gaps_store(a: (__m256, __m256), to: &mut [f32; 16]) {
            unsafe {
                _mm256_storeu_ps(to.as_mut_ptr(), a.0);
                _mm256_storeu_ps(to.as_mut_ptr().add(8), a.1);
            }
        }

        type Quad = __m256d;

        #[inline(always)]
        fn quad_splat(value: f64) -> __m256d {
            unsafe { _mm256_set1_pd(value) }
        }
        #[inline(always)]
        fn quad_of(values: &Four) -> __m256d {
            unsafe { _mm256_cvtepi32_pd(_mm_cvtepi16_epi32(_mm_loadl_epi64(values.as_ptr().cast()))) }
        }
        #[inline(always)]
        fn quad_rows(first: f64, second: f64) -> __m256d {
            unsafe { _mm256_set_m128d(_mm_set1_pd(second), _mm_set1_pd(first)) }
        }
        #[inline(always)]
        fn quad_columns(first: f64, second: f64) -> __m256d {
            unsafe {
                let both = _mm_set_pd(second, first);
                _mm256_set_m128d(both, both)
            }
        }
        #[inline(always)]
        fn quad_add(a: __m256d, b: __m256d) -> __m256d {
            unsafe { _mm256_add_pd(a, b) }
        }
        #[inline(always)]
        fn quad_sub(a: __m256d, b: __m256d) -> __m256d {
            unsafe { _mm256_sub_pd(a, b) }
        }
        #[inline(always)]
        fn quad_mul(a: __m256d, b: __m256d) -> __m256d {
            unsafe { _mm256_mul_pd(a, b) }
        }
        #[inline(always)]
        fn quad_abs(a: __m256d) -> __m256d {
            unsafe { _mm256_andnot_pd(_mm256_set1_pd(-0.0), a) }
        }
        #[inline(always)]
        fn quad_load(values: &[f64; 4]) -> __m256d {
            unsafe { _mm256_loadu_pd(values.as_ptr()) }
        }
        #[inline(always)]
        fn quad_div(a: __m256d, b: __m256d) -> __m256d {
            unsafe { _mm256_div_pd(a, b) }
        }
        #[inline(always)]
        fn quad_min(a: __m256d, b: __m256d) -> __m256d {
            unsafe { _mm256_min_pd(a, b) }
        }
        #[inline(always)]
        fn quad_max(a: __m256d, b: __m256d) -> __m256d {
            unsafe { _mm256_max_pd(a, b) }
        }
        #[inline(always)]
        fn quad_greater(a: __m256d, b: __m256d) -> u32 {
            (unsafe { _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_GT_OQ>(a, b)) }) as u32
        }
        #[inline(always)]
        fn quad_where_greater(a: __m256d, b: __m256d, yes: __m256d, no: __m256d) -> __m256d {
            unsafe { _mm256_blendv_pd(no, yes, _mm256_cmp_pd::<_CMP_GT_OQ>(a, b)) }
        }
        #[inline(always)]
        fn quad_store(a: __m256d) -> [f64; 4] {
            let mut values = [0.0; 4];
            unsafe { _mm256_storeu_pd(values.as_mut_ptr(), a) };
            values
        }
        #[inline(always)]
        fn quad_from(first: f64, second: f64, third: f64, fourth: f64) -> __m256d {
            unsafe { _mm256_setr_pd(first, second, third, fourth) }
        }
        #[inline(always)]
        fn quad_to_half(a: __m256d) -> __m128 {
            unsafe { _mm256_cvtpd_ps(a) }
        }
    }

    /// From four numbers in both halves: each of them four times, in order.
    #[inline(always)]
    unsafe fn spread(values: __m256i) -> __m256i {
        unsafe {
            let places = _mm256_setr_epi8(
                0, 1, 0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3, 2, 3, //
                4, 5, 4, 5, 4, 5, 4, 5, 6, 7, 6, 7, 6, 7, 6, 7,
            );
            _mm256_shuffle_epi8(values, places)
        }
    }
}

/// Work that is compiled once for each kind of lanes. Closures and iterators inside it would not be compiled for the wide
/// lanes: its hot parts are plain loops.
pub(crate) trait Work {
    type Output;
    fn run<L: Lanes>(self) -> Self::Output;
}

/// Runs the work with the lanes of the current level: the widest that the processor has, unless the environment asks for others.
#[inline]
pub(crate) fn dispatch<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn with_avx2<W: Work>(work: W) -> W::Output {
            work.run::<avx::Avx>()
        }
        if SimdLevel::current() == SimdLevel::Avx2 {
            // SAFETY: only what the processor has becomes the current level.
            return unsafe { with_avx2(work) };
        }
    }
    work.run::<Portable>()
}
