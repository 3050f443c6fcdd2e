//! Plain arrays, for every processor: every other level must agree with them bit for bit.

use super::{I16x4, Lanes, put_largest_first};

/// Plain arrays, for every processor.
pub struct Portable;

impl Lanes for Portable {
    type F32x8 = [f32; 8];
    type I16x8x2 = [[i16; 8]; 2];
    type I16x16 = [i16; 16];

    #[inline(always)]
    fn both(low: &I16x4, high: &I16x4) -> [f32; 8] {
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
        // Added to a number this large, the nearest whole number is left in the lowest bits.
        const LARGE: f32 = (3 << 22) as f32;
        let whole = |value: f32| ((value.clamp(-4e4, 4e4) + LARGE).to_bits() as i32) - LARGE.to_bits() as i32;
        [first, second]
            .map(|values| values.map(|value| whole(value).clamp(i16::MIN.into(), i16::MAX.into()) as i16))
    }
    #[inline(always)]
    fn rows(values: &I16x4) -> [i16; 16] {
        std::array::from_fn(|i| values[i / 4])
    }
    #[inline(always)]
    fn columns(values: &I16x4) -> [i16; 16] {
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
    fn most_of(a: [i16; 16], among: u32) -> usize {
        // Only among those, and without branches on which is greater, which is as good as chance.
        let (mut place, mut most, mut rest) = (0, -1, among);
        while rest != 0 {
            let i = rest.trailing_zeros() as usize % 16;
            rest &= rest - 1;
            let is_more = a[i] > most;
            place = if is_more { i } else { place };
            most = if is_more { a[i] } else { most };
        }
        place
    }
    #[inline(always)]
    fn top_bits(values: &[u32; 4]) -> u32 {
        values[0] >> 31 | values[1] >> 31 << 1 | values[2] >> 31 << 2 | values[3] >> 31 << 3
    }
    #[inline(always)]
    fn store(a: [i16; 16], to: &mut [i16; 16]) {
        *to = a;
    }
    #[inline(always)]
    fn f32x8_min(a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|i| if a[i] < b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn two_rows(first: &[f32; 4], second: &[f32; 4]) -> [f32; 8] {
        std::array::from_fn(|i| if i < 4 { first[i] } else { second[i - 4] })
    }
    #[inline(always)]
    fn f32x8_splat(value: f32) -> [f32; 8] {
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
    fn rows_by_turns(first: &I16x4, second: &I16x4) -> [f32; 8] {
        std::array::from_fn(|i| f32::from(if i % 2 == 0 { first[i / 2] } else { second[i / 2] }))
    }
    #[inline(always)]
    fn turned(a: [f32; 8]) -> [f32; 8] {
        [a[1], a[2], a[0], a[3], a[5], a[6], a[4], a[7]]
    }
    #[inline(always)]
    fn f32x8_greater(a: [f32; 8], b: [f32; 8]) -> u32 {
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
    fn f32x8_of(values: &[i16; 8]) -> [f32; 8] {
        values.map(f32::from)
    }
    #[inline(always)]
    fn f32x8_div(a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
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
        // Without branches on answers, which are as good as chance.
        for lane in 0..8 {
            order[found % 8] = enter[lane].to_bits() & !7 | lane as u32;
            found += usize::from(enter[lane] <= leave[lane]);
        }
        if found <= 4 {
            let [a, b, c, d] = [0, 1, 2, 3].map(|i| if i < found { order[i] } else { 0 });
            let ([a, b], [c, d]) = (larger_first(a, b), larger_first(c, d));
            let ([a, c], [b, d]) = (larger_first(a, c), larger_first(b, d));
            let [b, c] = larger_first(b, c);
            [order[0], order[1], order[2], order[3]] = [a, b, c, d];
        } else {
            put_largest_first(&mut order[..found]);
        }
        *keys = order;
        for place in 0..8 {
            sorted[place] = children[order[place] as usize & 7];
        }
        found
    }
    #[inline(always)]
    fn prefetch<T>(soon: &T) {
        // Every processor of this architecture has the instruction.
        #[cfg(target_arch = "x86_64")]
        // SAFETY: prefetching is only a hint, for any address.
        #[allow(unsafe_code)]
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(soon).cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = soon;
    }

    type F32x4 = [f32; 4];

    #[inline(always)]
    fn f32x8_max(a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|i| if a[i] > b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn f32x8_store(a: [f32; 8], to: &mut [f32; 8]) {
        *to = a;
    }
    #[inline(always)]
    fn f32x8_least(a: [f32; 8]) -> f32 {
        let mut least = a[0];
        let mut i = 1;
        while i < 8 {
            least = if a[i] < least { a[i] } else { least };
            i += 1;
        }
        least
    }
    #[inline(always)]
    fn f32x8_most(a: [f32; 8]) -> f32 {
        let mut most = a[0];
        let mut i = 1;
        while i < 8 {
            most = if a[i] > most { a[i] } else { most };
            i += 1;
        }
        most
    }
    #[inline(always)]
    fn at_most_first(most: u32, keys: &mut [u32; 8], others: &mut [u32; 8]) -> usize {
        let (mut left, mut i) = (0, 0);
        while i < 8 {
            let stays = keys[i] <= most;
            (keys[left], others[left]) = (keys[i], others[i]);
            left += usize::from(stays);
            i += 1;
        }
        left
    }
    #[inline(always)]
    fn f32x4_add(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
        std::array::from_fn(|i| a[i] + b[i])
    }
    #[inline(always)]
    fn f32x4_mul(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
        std::array::from_fn(|i| a[i] * b[i])
    }
    #[inline(always)]
    fn f32x4_store(a: [f32; 4], to: &mut [f32; 4]) {
        *to = a;
    }

    type I16x8 = [i16; 8];

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
    fn transposed(rows: [[i16; 8]; 4]) -> [I16x4; 8] {
        std::array::from_fn(|i| std::array::from_fn(|row| rows[row][i]))
    }

    type I32x4 = [i32; 4];

    #[inline(always)]
    fn i32x4_load(values: &[i32; 4]) -> [i32; 4] {
        *values
    }
    #[inline(always)]
    fn i32x4_splat(value: i32) -> [i32; 4] {
        [value; 4]
    }
    #[inline(always)]
    fn i32x4_store(a: [i32; 4], to: &mut [i32; 4]) {
        *to = a;
    }
    #[inline(always)]
    fn i32x4_add(a: [i32; 4], b: [i32; 4]) -> [i32; 4] {
        std::array::from_fn(|i| a[i].wrapping_add(b[i]))
    }
    #[inline(always)]
    fn i32x4_sub(a: [i32; 4], b: [i32; 4]) -> [i32; 4] {
        std::array::from_fn(|i| a[i].wrapping_sub(b[i]))
    }
    #[inline(always)]
    fn i32x4_mul(a: [i32; 4], b: [i32; 4]) -> [i32; 4] {
        std::array::from_fn(|i| a[i].wrapping_mul(b[i]))
    }
    #[inline(always)]
    fn i32x4_min(a: [i32; 4], b: [i32; 4]) -> [i32; 4] {
        std::array::from_fn(|i| a[i].min(b[i]))
    }
    #[inline(always)]
    fn i32x4_max(a: [i32; 4], b: [i32; 4]) -> [i32; 4] {
        std::array::from_fn(|i| a[i].max(b[i]))
    }
    #[inline(always)]
    fn i32x4_and(a: [i32; 4], b: [i32; 4]) -> [i32; 4] {
        std::array::from_fn(|i| a[i] & b[i])
    }
    #[inline(always)]
    fn i32x4_or(a: [i32; 4], b: [i32; 4]) -> [i32; 4] {
        std::array::from_fn(|i| a[i] | b[i])
    }
    #[inline(always)]
    fn i32x4_shl<const N: i32>(a: [i32; 4]) -> [i32; 4] {
        a.map(|value| value << N)
    }
    #[inline(always)]
    fn i32x4_shr<const N: i32>(a: [i32; 4]) -> [i32; 4] {
        a.map(|value| (value as u32 >> N) as i32)
    }
    #[inline(always)]
    fn i32x4_equal(a: [i32; 4], b: [i32; 4]) -> [i32; 4] {
        std::array::from_fn(|i| -i32::from(a[i] == b[i]))
    }
    #[inline(always)]
    fn i32x4_greater(a: [i32; 4], b: [i32; 4]) -> u32 {
        (0..4).fold(0, |mask, i| mask | u32::from(a[i] > b[i]) << i)
    }
    #[inline(always)]
    fn i32x4_to_f32(a: [i32; 4]) -> [f32; 4] {
        a.map(|value| value as f32)
    }
    #[inline(always)]
    fn f32x4_to_bits(a: [f32; 4]) -> [i32; 4] {
        a.map(|value| value.to_bits() as i32)
    }
    #[inline(always)]
    fn pair_differences(a: [i16; 8]) -> [i32; 4] {
        let difference = |i: usize| i32::from(a[2 * i + 1]) - i32::from(a[2 * i]);
        [difference(0), difference(1), difference(2), 0]
    }
    #[inline(always)]
    fn half_areas(boxes: [[i16; 8]; 4]) -> [f32; 4] {
        std::array::from_fn(|i| {
            let side = |k: usize| (i32::from(boxes[i][2 * k]) + i32::from(boxes[i][2 * k + 1])) as f32;
            let [x, y, z] = [side(0), side(1), side(2)];
            x * (y + z) + y * z
        })
    }

    #[inline(always)]
    fn beside(a: [i16; 8], b: [i16; 8]) -> [i16; 16] {
        std::array::from_fn(|i| if i < 8 { a[i] } else { b[i - 8] })
    }
    #[inline(always)]
    fn i16x16_most(a: [i16; 16], b: [i16; 16]) -> [i16; 16] {
        std::array::from_fn(|i| a[i].max(b[i]))
    }
    #[inline(always)]
    fn half_areas_beside([a, b, c]: [[i16; 16]; 3]) -> [[f32; 4]; 2] {
        [0, 8].map(|from| Self::half_areas([a, b, c, c].map(|both| std::array::from_fn(|i| both[from + i]))))
    }

    type F32x16 = [f32; 16];

    #[inline(always)]
    fn f32x16_splat(value: f32) -> [f32; 16] {
        [value; 16]
    }
    #[inline(always)]
    fn f32x16_sums<const UPPER_ROWS: bool>(rows: [f32; 8], columns: [f32; 8]) -> [f32; 16] {
        let (row, column) = if UPPER_ROWS { (4, 0) } else { (0, 4) };
        std::array::from_fn(|i| rows[row + i / 4] + columns[column + i % 4])
    }
    #[inline(always)]
    fn f32x16_add(a: [f32; 16], b: [f32; 16]) -> [f32; 16] {
        std::array::from_fn(|i| a[i] + b[i])
    }
    #[inline(always)]
    fn f32x16_mul(a: [f32; 16], b: [f32; 16]) -> [f32; 16] {
        std::array::from_fn(|i| a[i] * b[i])
    }
    #[inline(always)]
    fn f32x16_min(a: [f32; 16], b: [f32; 16]) -> [f32; 16] {
        std::array::from_fn(|i| if a[i] < b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn f32x16_max(a: [f32; 16], b: [f32; 16]) -> [f32; 16] {
        std::array::from_fn(|i| if a[i] > b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn f32x16_less(a: [f32; 16], b: [f32; 16]) -> u32 {
        (0..16).fold(0, |mask, i| mask | u32::from(a[i] < b[i]) << i)
    }
    #[inline(always)]
    fn f32x16_store(a: [f32; 16], to: &mut [f32; 16]) {
        *to = a;
    }

    type F64x4 = [f64; 4];

    #[inline(always)]
    fn f64x4_splat(value: f64) -> [f64; 4] {
        [value; 4]
    }
    #[inline(always)]
    fn f64x4_of(values: &I16x4) -> [f64; 4] {
        values.map(f64::from)
    }
    #[inline(always)]
    fn f64x4_rows(values: &[f64; 2]) -> [f64; 4] {
        [values[0], values[0], values[1], values[1]]
    }
    #[inline(always)]
    fn f64x4_columns(values: &[f64; 2]) -> [f64; 4] {
        [values[0], values[1], values[0], values[1]]
    }
    #[inline(always)]
    fn f64x4_points(points: [&[f64; 3]; 4]) -> [[f64; 4]; 3] {
        std::array::from_fn(|axis| points.map(|point| point[axis]))
    }
    #[inline(always)]
    fn f64x4_halves(a: [f64; 4], first: &mut [f64; 2], last: &mut [f64; 2]) {
        (*first, *last) = ([a[0], a[1]], [a[2], a[3]]);
    }
    #[inline(always)]
    fn f64x4_first_and_last(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        [a[0], a[1], b[2], b[3]]
    }
    #[inline(always)]
    fn f64x4_first_rows(a: [f64; 4]) -> [f64; 4] {
        [a[0], a[0], a[1], a[1]]
    }
    #[inline(always)]
    fn f64x4_last_columns(a: [f64; 4]) -> [f64; 4] {
        [a[2], a[3], a[2], a[3]]
    }
    #[inline(always)]
    fn f64x4_add(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        std::array::from_fn(|i| a[i] + b[i])
    }
    #[inline(always)]
    fn f64x4_sub(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        std::array::from_fn(|i| a[i] - b[i])
    }
    #[inline(always)]
    fn f64x4_mul(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        std::array::from_fn(|i| a[i] * b[i])
    }
    #[inline(always)]
    fn f64x4_abs(a: [f64; 4]) -> [f64; 4] {
        a.map(f64::abs)
    }
    #[inline(always)]
    fn f64x4_load(values: &[f64; 4]) -> [f64; 4] {
        *values
    }
    #[inline(always)]
    fn f64x4_div(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        std::array::from_fn(|i| a[i] / b[i])
    }
    #[inline(always)]
    fn f64x4_min(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        std::array::from_fn(|i| if a[i] < b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn f64x4_max(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        std::array::from_fn(|i| if a[i] > b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn f64x4_greater(a: [f64; 4], b: [f64; 4]) -> u32 {
        (0..4).fold(0, |mask, i| mask | u32::from(a[i] > b[i]) << i)
    }
    #[inline(always)]
    fn f64x4_where_greater(a: [f64; 4], b: [f64; 4], yes: [f64; 4], no: [f64; 4]) -> [f64; 4] {
        std::array::from_fn(|i| if a[i] > b[i] { yes[i] } else { no[i] })
    }
    #[inline(always)]
    fn f64x4_where_negative(a: [f64; 4], yes: [f64; 4], no: [f64; 4]) -> [f64; 4] {
        std::array::from_fn(|i| if a[i].is_sign_negative() { yes[i] } else { no[i] })
    }
    #[inline(always)]
    fn f64x4_xor(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        std::array::from_fn(|i| f64::from_bits(a[i].to_bits() ^ b[i].to_bits()))
    }
    #[inline(always)]
    fn f64x4_store(a: [f64; 4]) -> [f64; 4] {
        a
    }
    #[inline(always)]
    fn f64x4_from(first: f64, second: f64, third: f64, fourth: f64) -> [f64; 4] {
        [first, second, third, fourth]
    }
    #[inline(always)]
    fn f64x4_to_half(a: [f64; 4]) -> [f32; 4] {
        a.map(|value| value as f32)
    }
}

#[inline(always)]
fn larger_first(a: u32, b: u32) -> [u32; 2] {
    [a.max(b), a.min(b)]
}
