//! Lanes for traversals: AVX2 where the processor has it, plain arrays elsewhere. The only module with `unsafe` code.
//!
//! The instructions are chosen at run time, so that a portable build loses nothing. Both versions do the same IEEE
//! operations in the same order (no fused multiply-add), so they give the same bits.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod level;
mod portable;

#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
pub use level::{SimdLevel, SimdLevelError};
pub use portable::Portable;

/// One number for each of four children.
pub type I16x4 = [i16; 4];

/// The operations on registers that traversals need. What a name says needs no line of its own.
#[allow(missing_docs)]
pub trait Lanes {
    /// Four numbers of one node and four of another, in one register.
    type F32x8: Copy;
    /// Two registers of eight as whole numbers, the first and the second.
    type I16x8x2: Copy;
    /// One whole number for each pair of four children and four others: pair `(i, j)` in lane `4 i + j`.
    type I16x16: Copy;

    fn both(low: &I16x4, high: &I16x4) -> Self::F32x8;
    fn load(values: &[f32; 8]) -> Self::F32x8;
    fn add(a: Self::F32x8, b: Self::F32x8) -> Self::F32x8;
    fn sub(a: Self::F32x8, b: Self::F32x8) -> Self::F32x8;
    fn mul(a: Self::F32x8, b: Self::F32x8) -> Self::F32x8;
    fn abs(a: Self::F32x8) -> Self::F32x8;
    fn splat(value: f32) -> Self::F32x8;
    /// All bits of a lane set where `a` is at most `b`; none where either is NaN.
    fn at_most(a: Self::F32x8, b: Self::F32x8) -> Self::F32x8;
    /// All bits of a lane set where `a` is less than `b`; none where either is NaN.
    fn less(a: Self::F32x8, b: Self::F32x8) -> Self::F32x8;
    /// The bits that both have.
    fn and(a: Self::F32x8, b: Self::F32x8) -> Self::F32x8;
    /// One bit a lane: its sign bit.
    fn bits(a: Self::F32x8) -> u32;
    /// The nearest whole numbers, even ones of two that are as near; the nearest of 16 bits where they are larger. No lane may
    /// be NaN.
    fn whole(first: Self::F32x8, second: Self::F32x8) -> Self::I16x8x2;

    /// Each of the four numbers for all pairs of its row.
    fn rows(values: &I16x4) -> Self::I16x16;
    /// Each of the four numbers for all pairs of its column.
    fn columns(values: &I16x4) -> Self::I16x16;
    /// The upper four of the first or the second, each for its row.
    fn upper_rows<const SECOND: bool>(values: Self::I16x8x2) -> Self::I16x16;
    /// The lower four of the first or the second, each for its column.
    fn lower_columns<const SECOND: bool>(values: Self::I16x8x2) -> Self::I16x16;
    /// The sum of each, or the nearest number of 16 bits.
    fn sums(a: Self::I16x16, b: Self::I16x16) -> Self::I16x16;
    /// The lesser of each.
    fn min(a: Self::I16x16, b: Self::I16x16) -> Self::I16x16;
    /// One bit a pair, set where the number is negative.
    fn signs(a: Self::I16x16) -> u32;
    /// The lane of the greatest number among some, the first of several; they are not negative, and there is one at least.
    fn most_of(a: Self::I16x16, among: u32) -> usize;
    fn store(a: Self::I16x16, to: &mut [i16; 16]);
    /// One bit for each of four numbers: its highest.
    fn top_bits(values: &[u32; 4]) -> u32;
    /// The lesser of each; no lane may be NaN.
    fn f32x8_min(a: Self::F32x8, b: Self::F32x8) -> Self::F32x8;
    /// Two rows, the first in the lower four lanes.
    fn two_rows(first: &[f32; 4], second: &[f32; 4]) -> Self::F32x8;
    fn f32x8_splat(value: f32) -> Self::F32x8;
    /// Two numbers by turns.
    fn by_turns(values: &[f32; 2]) -> Self::F32x8;
    /// Zero and a number by turns.
    fn zero_and(value: f32) -> Self::F32x8;
    /// The numbers of two rows by turns.
    fn rows_by_turns(first: &I16x4, second: &I16x4) -> Self::F32x8;
    /// In each half the first three numbers in the order 1, 2, 0.
    fn turned(a: Self::F32x8) -> Self::F32x8;
    /// One bit a lane, set where a is greater than b.
    fn f32x8_greater(a: Self::F32x8, b: Self::F32x8) -> u32;
    /// Of up to four children with two numbers each, by turns: those whose numbers add up to no more than zero, the one with
    /// the least first number last: their first numbers as keys, and the children. Returns how many they are; the rest of
    /// what is written has no meaning. First numbers must not be negative. The last two bits of a key are the child's lane.
    fn nearest_last(
        limits: Self::F32x8,
        count: u32,
        children: &[u32; 4],
        keys: &mut [u32; 4],
        sorted: &mut [u32; 4],
    ) -> usize;
    /// One number for each of eight children.
    fn f32x8_of(values: &[i16; 8]) -> Self::F32x8;
    fn f32x8_div(a: Self::F32x8, b: Self::F32x8) -> Self::F32x8;
    /// Of eight children, those of which `enter` is not greater than `leave`, the one with the least `enter` last: as keys, and
    /// the children. Returns how many they are; the rest of what is written has no meaning. `enter` must not be negative.
    /// The last three bits of a key are the child's lane.
    fn nearest_of_eight(
        enter: Self::F32x8,
        leave: Self::F32x8,
        children: &[u32; 8],
        keys: &mut [u32; 8],
        sorted: &mut [u32; 8],
    ) -> usize;
    /// Prefetches the memory of something that will be read soon.
    fn prefetch<T>(soon: &T);

    /// Four numbers in a register of their own.
    type F32x4: Copy;
    /// The greater of each, `b` where they are equal; no lane may be NaN.
    fn f32x8_max(a: Self::F32x8, b: Self::F32x8) -> Self::F32x8;
    fn f32x8_store(a: Self::F32x8, to: &mut [f32; 8]);
    /// The least of all; no lane may be NaN.
    fn f32x8_least(a: Self::F32x8) -> f32;
    /// The greatest of all; no lane may be NaN.
    fn f32x8_most(a: Self::F32x8) -> f32;
    /// Moves to the front what has a key of no more than `most`, in order, keys and others alike. Returns how many they are;
    /// the rest of what is written has no meaning. Keys and `most` are less than 2^31.
    fn at_most_first(most: u32, keys: &mut [u32; 8], others: &mut [u32; 8]) -> usize;
    fn f32x4_add(a: Self::F32x4, b: Self::F32x4) -> Self::F32x4;
    fn f32x4_mul(a: Self::F32x4, b: Self::F32x4) -> Self::F32x4;
    fn f32x4_store(a: Self::F32x4, to: &mut [f32; 4]);

    /// Eight numbers of 16 bits.
    type I16x8: Copy;
    fn eight(values: &[i16; 8]) -> Self::I16x8;
    /// The greater of each.
    fn most(a: Self::I16x8, b: Self::I16x8) -> Self::I16x8;
    fn store_eight(a: Self::I16x8, to: &mut [i16; 8]);
    /// Four rows as eight columns.
    fn transposed(rows: [Self::I16x8; 4]) -> [I16x4; 8];

    /// Four whole numbers.
    type I32x4: Copy;
    fn i32x4_load(values: &[i32; 4]) -> Self::I32x4;
    fn i32x4_splat(value: i32) -> Self::I32x4;
    fn i32x4_store(a: Self::I32x4, to: &mut [i32; 4]);
    fn i32x4_add(a: Self::I32x4, b: Self::I32x4) -> Self::I32x4;
    fn i32x4_sub(a: Self::I32x4, b: Self::I32x4) -> Self::I32x4;
    /// The lowest 32 bits of each product.
    fn i32x4_mul(a: Self::I32x4, b: Self::I32x4) -> Self::I32x4;
    fn i32x4_min(a: Self::I32x4, b: Self::I32x4) -> Self::I32x4;
    fn i32x4_max(a: Self::I32x4, b: Self::I32x4) -> Self::I32x4;
    fn i32x4_and(a: Self::I32x4, b: Self::I32x4) -> Self::I32x4;
    fn i32x4_or(a: Self::I32x4, b: Self::I32x4) -> Self::I32x4;
    fn i32x4_shl<const N: i32>(a: Self::I32x4) -> Self::I32x4;
    /// Shifted right, with zeros from the left.
    fn i32x4_shr<const N: i32>(a: Self::I32x4) -> Self::I32x4;
    /// All bits of a lane set where both are equal.
    fn i32x4_equal(a: Self::I32x4, b: Self::I32x4) -> Self::I32x4;
    /// One bit a lane, set where `a` is greater than `b`.
    fn i32x4_greater(a: Self::I32x4, b: Self::I32x4) -> u32;
    fn i32x4_to_f32(a: Self::I32x4) -> Self::F32x4;
    /// The bits of floats.
    fn f32x4_to_bits(a: Self::F32x4) -> Self::I32x4;
    /// In each of four pairs of numbers, the second less the first; 0 for the last pair.
    fn pair_differences(a: Self::I16x8) -> Self::I32x4;
    /// Of four boxes, each three pairs of numbers whose sums are the lengths of its sides, half the area of the surface. The last pairs have
    /// no meaning.
    fn half_areas(boxes: [Self::I16x8; 4]) -> Self::F32x4;
    /// Two boxes side by side.
    fn beside(a: Self::I16x8, b: Self::I16x8) -> Self::I16x16;
    /// The greater of each.
    fn i16x16_most(a: Self::I16x16, b: Self::I16x16) -> Self::I16x16;
    /// The half areas of three boxes, like [`half_areas`](Self::half_areas), and of the three beside them. The last lanes have no meaning.
    fn half_areas_beside(boxes: [Self::I16x16; 3]) -> [Self::F32x4; 2];

    /// One number for each pair, like [`I16x16`](Self::I16x16), for distances between bounds.
    type F32x16: Copy;
    fn f32x16_splat(value: f32) -> Self::F32x16;
    /// `rows[i] + columns[j]` for every pair: the lower four of the one and the upper four of the other, or the reverse.
    fn f32x16_sums<const UPPER_ROWS: bool>(rows: Self::F32x8, columns: Self::F32x8) -> Self::F32x16;
    fn f32x16_add(a: Self::F32x16, b: Self::F32x16) -> Self::F32x16;
    fn f32x16_mul(a: Self::F32x16, b: Self::F32x16) -> Self::F32x16;
    /// The lesser of each; no lane may be NaN.
    fn f32x16_min(a: Self::F32x16, b: Self::F32x16) -> Self::F32x16;
    /// The greater of each; no lane may be NaN.
    fn f32x16_max(a: Self::F32x16, b: Self::F32x16) -> Self::F32x16;
    /// One bit a pair, set where a is less than b.
    fn f32x16_less(a: Self::F32x16, b: Self::F32x16) -> u32;
    fn f32x16_store(a: Self::F32x16, to: &mut [f32; 16]);

    /// Four `f64` numbers, one for each pair of two things and two others: pair `(i, j)` in lane `2 i + j`.
    type F64x4: Copy;
    fn f64x4_splat(value: f64) -> Self::F64x4;
    /// One number for each of four children.
    fn f64x4_of(values: &I16x4) -> Self::F64x4;
    /// The first things' numbers, each for both of its pairs.
    fn f64x4_rows(values: &[f64; 2]) -> Self::F64x4;
    /// The second things' numbers, each for both of its pairs.
    fn f64x4_columns(values: &[f64; 2]) -> Self::F64x4;
    /// The coordinates of four points, axis by axis.
    fn f64x4_points(points: [&[f64; 3]; 4]) -> [Self::F64x4; 3];
    /// The first two numbers and the last two.
    fn f64x4_halves(a: Self::F64x4, first: &mut [f64; 2], last: &mut [f64; 2]);
    /// The first two numbers of a, then the last two of b.
    fn f64x4_first_and_last(a: Self::F64x4, b: Self::F64x4) -> Self::F64x4;
    /// The first two numbers, each for both of the pairs of its row.
    fn f64x4_first_rows(a: Self::F64x4) -> Self::F64x4;
    /// The last two numbers, each for both of the pairs of its column.
    fn f64x4_last_columns(a: Self::F64x4) -> Self::F64x4;
    fn f64x4_add(a: Self::F64x4, b: Self::F64x4) -> Self::F64x4;
    fn f64x4_sub(a: Self::F64x4, b: Self::F64x4) -> Self::F64x4;
    fn f64x4_mul(a: Self::F64x4, b: Self::F64x4) -> Self::F64x4;
    fn f64x4_abs(a: Self::F64x4) -> Self::F64x4;
    fn f64x4_load(values: &[f64; 4]) -> Self::F64x4;
    fn f64x4_div(a: Self::F64x4, b: Self::F64x4) -> Self::F64x4;
    /// The lesser of each; b where either is NaN.
    fn f64x4_min(a: Self::F64x4, b: Self::F64x4) -> Self::F64x4;
    /// The greater of each; b where either is NaN.
    fn f64x4_max(a: Self::F64x4, b: Self::F64x4) -> Self::F64x4;
    /// One bit a lane, set where a is greater than b.
    fn f64x4_greater(a: Self::F64x4, b: Self::F64x4) -> u32;
    /// `yes` where a is greater than b, else `no`.
    fn f64x4_where_greater(a: Self::F64x4, b: Self::F64x4, yes: Self::F64x4, no: Self::F64x4) -> Self::F64x4;
    /// `yes` where the sign bit of a is set, else `no`.
    fn f64x4_where_negative(a: Self::F64x4, yes: Self::F64x4, no: Self::F64x4) -> Self::F64x4;
    /// The bits that one of both has: the sign bit is that of the product.
    fn f64x4_xor(a: Self::F64x4, b: Self::F64x4) -> Self::F64x4;
    fn f64x4_store(a: Self::F64x4) -> [f64; 4];
    fn f64x4_from(first: f64, second: f64, third: f64, fourth: f64) -> Self::F64x4;
    /// The nearest numbers of 32 bits.
    fn f64x4_to_half(a: Self::F64x4) -> Self::F32x4;
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

/// Work that is compiled once for each kind of lanes. Closures and iterators inside it would not be compiled for the wide
/// lanes: its hot parts are plain loops.
pub trait Work {
    /// The result of the work.
    type Output;
    /// Does the work with these lanes.
    fn run<L: Lanes>(self) -> Self::Output;
}

/// Runs the work with the lanes of the current level: the widest that the processor has, unless the environment asks for others.
#[inline]
pub fn dispatch<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn with_avx2<W: Work>(work: W) -> W::Output {
            work.run::<Avx2>()
        }
        if SimdLevel::current() == SimdLevel::Avx2 {
            // SAFETY: only what the processor has becomes the current level.
            #[allow(unsafe_code)]
            return unsafe { with_avx2(work) };
        }
    }
    work.run::<Portable>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Looks at some numbers with the lanes of the current level.
    struct Look([i16; 16], u32, [u32; 4]);

    impl Work for Look {
        type Output = (usize, u32);

        fn run<L: Lanes>(self) -> (usize, u32) {
            let mut least = L::rows(&[i16::MAX; 4]);
            for (row, values) in self.0.as_chunks::<4>().0.iter().enumerate() {
                // One row of four columns at a time; the others stay as they are.
                let mut rows = [i16::MAX; 4];
                rows[row] = i16::MIN;
                let kept = L::sums(L::rows(&rows), L::columns(&[i16::MAX; 4]));
                least = L::min(least, L::sums(kept, L::columns(&values.map(|value| value + 1))));
            }
            (L::most_of(least, self.1), L::top_bits(&self.2))
        }
    }

    /// The first of the greatest among some, and the highest bits, are those of plain arrays with every kind of lanes.
    #[test]
    fn every_kind_of_lanes_finds_the_same_greatest_and_the_same_bits() {
        let mut state = 5_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u32
        };
        for case in 0..2000 {
            // Few different numbers, so that there are several of the greatest.
            let most = if case % 2 == 0 { 3 } else { 30_000 };
            let values: [i16; 16] = std::array::from_fn(|_| (next() % most) as i16);
            let among = next() & 0xffff | 1 << (case % 16);
            let words = std::array::from_fn(|_| next() << (next() % 2));
            let greatest = (0..16).filter(|i| among >> i & 1 == 1).map(|i| values[i]).max();
            let place = (0..16).find(|&i| among >> i & 1 == 1 && Some(values[i]) == greatest);
            let bits = (0..4).map(|i| words[i] >> 31 << i).sum::<u32>();
            let expected = (place.expect("one at least"), bits);
            assert_eq!(Look(values, among, words).run::<Portable>(), expected);
            assert_eq!(dispatch(Look(values, among, words)), expected);
        }
    }

    /// The half areas of three boxes and of the three beside them, one by one and side by side, of what is greater than others.
    struct Areas([[[i16; 8]; 2]; 3], [[i16; 8]; 2]);

    impl Work for Areas {
        type Output = [[f32; 4]; 4];

        fn run<L: Lanes>(self) -> Self::Output {
            let Areas(boxes, least) = self;
            let least = least.map(|row| L::eight(&row));
            let single = [0, 1].map(|side| {
                let [a, b, c] = boxes.map(|both| L::most(L::eight(&both[side]), least[side]));
                L::half_areas([a, b, c, c])
            });
            let both = boxes.map(|[a, b]| {
                L::i16x16_most(L::beside(L::eight(&a), L::eight(&b)), L::beside(least[0], least[1]))
            });
            let [a, b] = L::half_areas_beside(both);
            [single[0], a, single[1], b].map(|areas| {
                let mut stored = [0.0; 4];
                L::f32x4_store(areas, &mut stored);
                stored
            })
        }
    }

    #[test]
    fn areas_side_by_side_are_those_of_single_boxes_with_every_kind_of_lanes() {
        let mut state = 7_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as i16
        };
        for case in 0..2000 {
            let mut row = || std::array::from_fn(|_| if case % 9 == 0 { i16::MIN } else { next() });
            let boxes = std::array::from_fn(|_| [row(), row()]);
            let least = [row(), row()];
            let [first, beside, second, others] = Areas(boxes, least).run::<Portable>();
            assert_eq!(
                [first[..3].to_vec(), second[..3].to_vec()],
                [beside[..3].to_vec(), others[..3].to_vec()]
            );
            let wide = dispatch(Areas(boxes, least));
            for (wide, plain) in wide.iter().zip([first, beside, second, others]) {
                assert_eq!(wide[..3], plain[..3]);
            }
        }
    }

    /// The extremes of some numbers, and keys up to a number with what belongs to them.
    struct Sift([f32; 8], u32, [u32; 8], [u32; 8]);

    impl Work for Sift {
        type Output = ([f32; 2], Vec<(u32, u32)>);

        fn run<L: Lanes>(mut self) -> Self::Output {
            let numbers = L::load(&self.0);
            let count = L::at_most_first(self.1, &mut self.2, &mut self.3);
            let kept = self.2.into_iter().zip(self.3).take(count);
            ([L::f32x8_least(numbers), L::f32x8_most(numbers)], kept.collect())
        }
    }

    #[test]
    fn every_kind_of_lanes_finds_the_same_extremes_and_keeps_the_same_keys() {
        let mut state = 9_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u32
        };
        for case in 0..2000 {
            let most = if case % 2 == 0 { 4 } else { i32::MAX as u32 };
            let numbers: [f32; 8] = std::array::from_fn(|_| (next() % most) as f32 - 1.5);
            let (keys, others) = (std::array::from_fn(|_| next() % most), std::array::from_fn(|_| next()));
            let limit = next() % most;
            let least = numbers.into_iter().fold(f32::INFINITY, f32::min);
            let greatest = numbers.into_iter().fold(f32::NEG_INFINITY, f32::max);
            let kept = keys.into_iter().zip(others).filter(|(key, _)| *key <= limit).collect();
            let expected = ([least, greatest], kept);
            assert_eq!(Sift(numbers, limit, keys, others).run::<Portable>(), expected);
            assert_eq!(dispatch(Sift(numbers, limit, keys, others)), expected);
        }
    }
    /// Children that a ray passes through, sorted, and whole numbers of offsets.
    struct Passed([f32; 8], [f32; 8], [u32; 8]);

    impl Work for Passed {
        type Output = (Vec<(u32, u32)>, [i16; 16], [i16; 16]);

        fn run<L: Lanes>(self) -> Self::Output {
            let Passed(enter, leave, children) = self;
            let (mut keys, mut sorted) = ([0; 8], [0; 8]);
            let count =
                L::nearest_of_eight(L::load(&enter), L::load(&leave), &children, &mut keys, &mut sorted);
            let whole = L::whole(L::load(&enter), L::load(&leave));
            let (mut first, mut second) = ([0; 16], [0; 16]);
            L::store(L::upper_rows::<false>(whole), &mut first);
            L::store(L::lower_columns::<true>(whole), &mut second);
            (keys.into_iter().zip(sorted).take(count).collect(), first, second)
        }
    }

    #[test]
    fn every_kind_of_lanes_sorts_the_same_children_and_rounds_the_same_way() {
        let mut state = 7_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u32
        };
        for case in 0..4000 {
            // Distances beyond 16 bits, halves, and many that are equal.
            let unit = [0.5, 0.25, 37.3, 1e7][case % 4];
            let enter: [f32; 8] = std::array::from_fn(|_| (next() % 5000) as f32 * unit);
            let leave: [f32; 8] = std::array::from_fn(|_| (next() % 10_000) as f32 * unit - 2500.0 * unit);
            let children = std::array::from_fn(|_| next());
            let mut expected: Vec<(u32, u32)> = (0..8)
                .filter(|&i| enter[i] <= leave[i])
                .map(|i| (enter[i].to_bits() & !7 | i as u32, children[i]))
                .collect();
            expected.sort_unstable_by(|a, b| b.cmp(a));
            let nearest = |value: f32| value.round_ties_even().clamp(-32768.0, 32767.0) as i16;
            let rows = std::array::from_fn(|i| nearest(enter[4 + i / 4]));
            let columns = std::array::from_fn(|i| nearest(leave[i % 4]));
            let expected = (expected, rows, columns);
            assert_eq!(Passed(enter, leave, children).run::<Portable>(), expected, "case {case}");
            assert_eq!(dispatch(Passed(enter, leave, children)), expected, "case {case}");
        }
    }
}
