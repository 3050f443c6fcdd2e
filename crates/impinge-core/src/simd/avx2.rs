//! AVX2 registers.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::{I16x4, Lanes, put_largest_first};

/// AVX registers. Only code that runs under [`dispatch`](super::dispatch) may use them.
pub struct Avx2;

// SAFETY of this whole block: `dispatch` calls into code with these lanes only after it has found that the processor
// has AVX2. Loads and stores go through references to arrays of the right length, and need no alignment.
impl Lanes for Avx2 {
    type F32x8 = __m256;
    /// In each half the four of the first, then the four of the second.
    type I16x8x2 = __m256i;
    type I16x16 = __m256i;

    #[inline(always)]
    fn both(low: &I16x4, high: &I16x4) -> __m256 {
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
    fn rows(values: &I16x4) -> __m256i {
        unsafe { spread(_mm256_set1_epi64x(values.as_ptr().cast::<i64>().read_unaligned())) }
    }
    #[inline(always)]
    fn columns(values: &I16x4) -> __m256i {
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
    fn most_of(a: __m256i, among: u32) -> usize {
        unsafe {
            let bits = _mm256_setr_epi16(
                1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, -32768,
            );
            let is_among = _mm256_cmpeq_epi16(_mm256_and_si256(_mm256_set1_epi16(among as i16), bits), bits);
            // The greatest becomes the least, and all others the greatest.
            let keys = _mm256_xor_si256(a, _mm256_set1_epi16(i16::MAX));
            let keys = _mm256_or_si256(keys, _mm256_xor_si256(is_among, _mm256_set1_epi16(-1)));
            let low = _mm_cvtsi128_si32(_mm_minpos_epu16(_mm256_castsi256_si128(keys))) as u32;
            let high = _mm_cvtsi128_si32(_mm_minpos_epu16(_mm256_extracti128_si256::<1>(keys))) as u32;
            let is_high = u32::from(high & 0xffff < low & 0xffff);
            let place = if is_high == 1 { high } else { low };
            (place >> 16 | is_high << 3) as usize
        }
    }
    #[inline(always)]
    fn top_bits(values: &[u32; 4]) -> u32 {
        (unsafe { _mm_movemask_ps(_mm_loadu_ps(values.as_ptr().cast())) }) as u32
    }
    #[inline(always)]
    fn store(a: __m256i, to: &mut [i16; 16]) {
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), a) }
    }
    #[inline(always)]
    fn f32x8_min(a: __m256, b: __m256) -> __m256 {
        unsafe { _mm256_min_ps(a, b) }
    }
    #[inline(always)]
    fn two_rows(first: &[f32; 4], second: &[f32; 4]) -> __m256 {
        unsafe { _mm256_set_m128(_mm_loadu_ps(second.as_ptr()), _mm_loadu_ps(first.as_ptr())) }
    }
    #[inline(always)]
    fn f32x8_splat(value: f32) -> __m256 {
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
    fn rows_by_turns(first: &I16x4, second: &I16x4) -> __m256 {
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
    fn f32x8_greater(a: __m256, b: __m256) -> u32 {
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
    fn f32x8_of(values: &[i16; 8]) -> __m256 {
        unsafe { _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(_mm_loadu_si128(values.as_ptr().cast()))) }
    }
    #[inline(always)]
    fn f32x8_div(a: __m256, b: __m256) -> __m256 {
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

    type F32x4 = __m128;

    #[inline(always)]
    fn f32x8_max(a: __m256, b: __m256) -> __m256 {
        unsafe { _mm256_max_ps(a, b) }
    }
    #[inline(always)]
    fn f32x8_store(a: __m256, to: &mut [f32; 8]) {
        unsafe { _mm256_storeu_ps(to.as_mut_ptr(), a) }
    }
    #[inline(always)]
    fn f32x8_least(a: __m256) -> f32 {
        unsafe {
            let four = _mm_min_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps::<1>(a));
            let two = _mm_min_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_min_ss(two, _mm_movehdup_ps(two)))
        }
    }
    #[inline(always)]
    fn f32x8_most(a: __m256) -> f32 {
        unsafe {
            let four = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps::<1>(a));
            let two = _mm_max_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)))
        }
    }
    #[inline(always)]
    fn at_most_first(most: u32, keys: &mut [u32; 8], others: &mut [u32; 8]) -> usize {
        unsafe {
            let (key, other) = (keys.as_mut_ptr().cast::<__m256i>(), others.as_mut_ptr().cast::<__m256i>());
            let all = _mm256_loadu_si256(key);
            let beyond = _mm256_cmpgt_epi32(all, _mm256_set1_epi32(most as i32));
            let stay = !_mm256_movemask_ps(_mm256_castsi256_ps(beyond)) as u32 & 0xff;
            let first = _mm256_cvtepu8_epi32(_mm_loadl_epi64(LANES_OF[stay as usize].as_ptr().cast()));
            _mm256_storeu_si256(key, _mm256_permutevar8x32_epi32(all, first));
            _mm256_storeu_si256(other, _mm256_permutevar8x32_epi32(_mm256_loadu_si256(other), first));
            stay.count_ones() as usize
        }
    }
    #[inline(always)]
    fn f32x4_add(a: __m128, b: __m128) -> __m128 {
        unsafe { _mm_add_ps(a, b) }
    }
    #[inline(always)]
    fn f32x4_mul(a: __m128, b: __m128) -> __m128 {
        unsafe { _mm_mul_ps(a, b) }
    }
    #[inline(always)]
    fn f32x4_store(a: __m128, to: &mut [f32; 4]) {
        unsafe { _mm_storeu_ps(to.as_mut_ptr(), a) }
    }

    type I16x8 = __m128i;

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
    fn transposed([a, b, c, d]: [__m128i; 4]) -> [I16x4; 8] {
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

    type I32x4 = __m128i;

    #[inline(always)]
    fn i32x4_load(values: &[i32; 4]) -> __m128i {
        unsafe { _mm_loadu_si128(values.as_ptr().cast()) }
    }
    #[inline(always)]
    fn i32x4_splat(value: i32) -> __m128i {
        unsafe { _mm_set1_epi32(value) }
    }
    #[inline(always)]
    fn i32x4_store(a: __m128i, to: &mut [i32; 4]) {
        unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), a) }
    }
    #[inline(always)]
    fn i32x4_add(a: __m128i, b: __m128i) -> __m128i {
        unsafe { _mm_add_epi32(a, b) }
    }
    #[inline(always)]
    fn i32x4_sub(a: __m128i, b: __m128i) -> __m128i {
        unsafe { _mm_sub_epi32(a, b) }
    }
    #[inline(always)]
    fn i32x4_mul(a: __m128i, b: __m128i) -> __m128i {
        unsafe { _mm_mullo_epi32(a, b) }
    }
    #[inline(always)]
    fn i32x4_min(a: __m128i, b: __m128i) -> __m128i {
        unsafe { _mm_min_epi32(a, b) }
    }
    #[inline(always)]
    fn i32x4_max(a: __m128i, b: __m128i) -> __m128i {
        unsafe { _mm_max_epi32(a, b) }
    }
    #[inline(always)]
    fn i32x4_and(a: __m128i, b: __m128i) -> __m128i {
        unsafe { _mm_and_si128(a, b) }
    }
    #[inline(always)]
    fn i32x4_or(a: __m128i, b: __m128i) -> __m128i {
        unsafe { _mm_or_si128(a, b) }
    }
    #[inline(always)]
    fn i32x4_shl<const N: i32>(a: __m128i) -> __m128i {
        unsafe { _mm_slli_epi32::<N>(a) }
    }
    #[inline(always)]
    fn i32x4_shr<const N: i32>(a: __m128i) -> __m128i {
        unsafe { _mm_srli_epi32::<N>(a) }
    }
    #[inline(always)]
    fn i32x4_equal(a: __m128i, b: __m128i) -> __m128i {
        unsafe { _mm_cmpeq_epi32(a, b) }
    }
    #[inline(always)]
    fn i32x4_greater(a: __m128i, b: __m128i) -> u32 {
        unsafe { _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpgt_epi32(a, b))) as u32 }
    }
    #[inline(always)]
    fn i32x4_to_f32(a: __m128i) -> __m128 {
        unsafe { _mm_cvtepi32_ps(a) }
    }
    #[inline(always)]
    fn f32x4_to_bits(a: __m128) -> __m128i {
        unsafe { _mm_castps_si128(a) }
    }
    #[inline(always)]
    fn pair_differences(a: __m128i) -> __m128i {
        unsafe { _mm_madd_epi16(a, _mm_setr_epi16(-1, 1, -1, 1, -1, 1, 0, 0)) }
    }
    #[inline(always)]
    fn half_areas(boxes: [__m128i; 4]) -> __m128 {
        unsafe {
            let ones = _mm_set1_epi16(1);
            let [a, b, c, d] = boxes;
            let (a, b) = (_mm_madd_epi16(a, ones), _mm_madd_epi16(b, ones));
            let (c, d) = (_mm_madd_epi16(c, ones), _mm_madd_epi16(d, ones));
            let (low, high) = (_mm_unpacklo_epi32(a, b), _mm_unpacklo_epi32(c, d));
            let x = _mm_cvtepi32_ps(_mm_unpacklo_epi64(low, high));
            let y = _mm_cvtepi32_ps(_mm_unpackhi_epi64(low, high));
            let z = _mm_cvtepi32_ps(_mm_unpacklo_epi64(_mm_unpackhi_epi32(a, b), _mm_unpackhi_epi32(c, d)));
            _mm_add_ps(_mm_mul_ps(x, _mm_add_ps(y, z)), _mm_mul_ps(y, z))
        }
    }

    #[inline(always)]
    fn beside(a: __m128i, b: __m128i) -> __m256i {
        unsafe { _mm256_set_m128i(b, a) }
    }
    #[inline(always)]
    fn i16x16_most(a: __m256i, b: __m256i) -> __m256i {
        unsafe { _mm256_max_epi16(a, b) }
    }
    #[inline(always)]
    fn half_areas_beside([a, b, c]: [__m256i; 3]) -> [__m128; 2] {
        unsafe {
            let ones = _mm256_set1_epi16(1);
            let (a, b, c) =
                (_mm256_madd_epi16(a, ones), _mm256_madd_epi16(b, ones), _mm256_madd_epi16(c, ones));
            let (low, c_low) = (_mm256_unpacklo_epi32(a, b), _mm256_unpacklo_epi32(c, c));
            let (high, c_high) = (_mm256_unpackhi_epi32(a, b), _mm256_unpackhi_epi32(c, c));
            let x = _mm256_cvtepi32_ps(_mm256_unpacklo_epi64(low, c_low));
            let y = _mm256_cvtepi32_ps(_mm256_unpackhi_epi64(low, c_low));
            let z = _mm256_cvtepi32_ps(_mm256_unpacklo_epi64(high, c_high));
            let areas = _mm256_add_ps(_mm256_mul_ps(x, _mm256_add_ps(y, z)), _mm256_mul_ps(y, z));
            [_mm256_castps256_ps128(areas), _mm256_extractf128_ps::<1>(areas)]
        }
    }

    type F32x16 = (__m256, __m256);

    #[inline(always)]
    fn f32x16_splat(value: f32) -> (__m256, __m256) {
        unsafe { (_mm256_set1_ps(value), _mm256_set1_ps(value)) }
    }
    #[inline(always)]
    fn f32x16_sums<const UPPER_ROWS: bool>(rows: __m256, columns: __m256) -> (__m256, __m256) {
        unsafe {
            let (first, columns) = if UPPER_ROWS {
                (_mm256_setr_epi32(4, 4, 4, 4, 5, 5, 5, 5), _mm256_permute2f128_ps::<0x00>(columns, columns))
            } else {
                (_mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1), _mm256_permute2f128_ps::<0x11>(columns, columns))
            };
            let last = _mm256_add_epi32(first, _mm256_set1_epi32(2));
            (
                _mm256_add_ps(_mm256_permutevar8x32_ps(rows, first), columns),
                _mm256_add_ps(_mm256_permutevar8x32_ps(rows, last), columns),
            )
        }
    }
    #[inline(always)]
    fn f32x16_add(a: (__m256, __m256), b: (__m256, __m256)) -> (__m256, __m256) {
        unsafe { (_mm256_add_ps(a.0, b.0), _mm256_add_ps(a.1, b.1)) }
    }
    #[inline(always)]
    fn f32x16_mul(a: (__m256, __m256), b: (__m256, __m256)) -> (__m256, __m256) {
        unsafe { (_mm256_mul_ps(a.0, b.0), _mm256_mul_ps(a.1, b.1)) }
    }
    #[inline(always)]
    fn f32x16_min(a: (__m256, __m256), b: (__m256, __m256)) -> (__m256, __m256) {
        unsafe { (_mm256_min_ps(a.0, b.0), _mm256_min_ps(a.1, b.1)) }
    }
    #[inline(always)]
    fn f32x16_max(a: (__m256, __m256), b: (__m256, __m256)) -> (__m256, __m256) {
        unsafe { (_mm256_max_ps(a.0, b.0), _mm256_max_ps(a.1, b.1)) }
    }
    #[inline(always)]
    fn f32x16_less(a: (__m256, __m256), b: (__m256, __m256)) -> u32 {
        unsafe {
            let first = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(a.0, b.0));
            let last = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(a.1, b.1));
            first as u32 | (last as u32) << 8
        }
    }
    #[inline(always)]
    fn f32x16_store(a: (__m256, __m256), to: &mut [f32; 16]) {
        unsafe {
            _mm256_storeu_ps(to.as_mut_ptr(), a.0);
            _mm256_storeu_ps(to.as_mut_ptr().add(8), a.1);
        }
    }

    type F64x4 = __m256d;

    #[inline(always)]
    fn f64x4_splat(value: f64) -> __m256d {
        unsafe { _mm256_set1_pd(value) }
    }
    #[inline(always)]
    fn f64x4_of(values: &I16x4) -> __m256d {
        unsafe { _mm256_cvtepi32_pd(_mm_cvtepi16_epi32(_mm_loadl_epi64(values.as_ptr().cast()))) }
    }
    #[inline(always)]
    fn f64x4_rows(values: &[f64; 2]) -> __m256d {
        unsafe {
            _mm256_permute4x64_pd::<0b01_01_00_00>(_mm256_castpd128_pd256(_mm_loadu_pd(values.as_ptr())))
        }
    }
    #[inline(always)]
    fn f64x4_columns(values: &[f64; 2]) -> __m256d {
        unsafe {
            let both = _mm_loadu_pd(values.as_ptr());
            _mm256_set_m128d(both, both)
        }
    }
    #[inline(always)]
    fn f64x4_points([a, b, c, d]: [&[f64; 3]; 4]) -> [__m256d; 3] {
        unsafe {
            let even = _mm256_set_m128d(_mm_loadu_pd(c.as_ptr()), _mm_loadu_pd(a.as_ptr()));
            let odd = _mm256_set_m128d(_mm_loadu_pd(d.as_ptr()), _mm_loadu_pd(b.as_ptr()));
            let z = _mm256_set_m128d(_mm_set_pd(d[2], c[2]), _mm_set_pd(b[2], a[2]));
            [_mm256_unpacklo_pd(even, odd), _mm256_unpackhi_pd(even, odd), z]
        }
    }
    #[inline(always)]
    fn f64x4_halves(a: __m256d, first: &mut [f64; 2], last: &mut [f64; 2]) {
        unsafe {
            _mm_storeu_pd(first.as_mut_ptr(), _mm256_castpd256_pd128(a));
            _mm_storeu_pd(last.as_mut_ptr(), _mm256_extractf128_pd::<1>(a));
        }
    }
    #[inline(always)]
    fn f64x4_first_and_last(a: __m256d, b: __m256d) -> __m256d {
        unsafe { _mm256_blend_pd::<0b1100>(a, b) }
    }
    #[inline(always)]
    fn f64x4_first_rows(a: __m256d) -> __m256d {
        unsafe { _mm256_permute4x64_pd::<0b01_01_00_00>(a) }
    }
    #[inline(always)]
    fn f64x4_last_columns(a: __m256d) -> __m256d {
        unsafe { _mm256_permute4x64_pd::<0b11_10_11_10>(a) }
    }
    #[inline(always)]
    fn f64x4_add(a: __m256d, b: __m256d) -> __m256d {
        unsafe { _mm256_add_pd(a, b) }
    }
    #[inline(always)]
    fn f64x4_sub(a: __m256d, b: __m256d) -> __m256d {
        unsafe { _mm256_sub_pd(a, b) }
    }
    #[inline(always)]
    fn f64x4_mul(a: __m256d, b: __m256d) -> __m256d {
        unsafe { _mm256_mul_pd(a, b) }
    }
    #[inline(always)]
    fn f64x4_abs(a: __m256d) -> __m256d {
        unsafe { _mm256_andnot_pd(_mm256_set1_pd(-0.0), a) }
    }
    #[inline(always)]
    fn f64x4_load(values: &[f64; 4]) -> __m256d {
        unsafe { _mm256_loadu_pd(values.as_ptr()) }
    }
    #[inline(always)]
    fn f64x4_div(a: __m256d, b: __m256d) -> __m256d {
        unsafe { _mm256_div_pd(a, b) }
    }
    #[inline(always)]
    fn f64x4_min(a: __m256d, b: __m256d) -> __m256d {
        unsafe { _mm256_min_pd(a, b) }
    }
    #[inline(always)]
    fn f64x4_max(a: __m256d, b: __m256d) -> __m256d {
        unsafe { _mm256_max_pd(a, b) }
    }
    #[inline(always)]
    fn f64x4_greater(a: __m256d, b: __m256d) -> u32 {
        (unsafe { _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_GT_OQ>(a, b)) }) as u32
    }
    #[inline(always)]
    fn f64x4_where_greater(a: __m256d, b: __m256d, yes: __m256d, no: __m256d) -> __m256d {
        unsafe { _mm256_blendv_pd(no, yes, _mm256_cmp_pd::<_CMP_GT_OQ>(a, b)) }
    }
    #[inline(always)]
    fn f64x4_where_negative(a: __m256d, yes: __m256d, no: __m256d) -> __m256d {
        unsafe { _mm256_blendv_pd(no, yes, a) }
    }
    #[inline(always)]
    fn f64x4_xor(a: __m256d, b: __m256d) -> __m256d {
        unsafe { _mm256_xor_pd(a, b) }
    }
    #[inline(always)]
    fn f64x4_store(a: __m256d) -> [f64; 4] {
        let mut values = [0.0; 4];
        unsafe { _mm256_storeu_pd(values.as_mut_ptr(), a) };
        values
    }
    #[inline(always)]
    fn f64x4_from(first: f64, second: f64, third: f64, fourth: f64) -> __m256d {
        unsafe { _mm256_setr_pd(first, second, third, fourth) }
    }
    #[inline(always)]
    fn f64x4_to_half(a: __m256d) -> __m128 {
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

/// For each set of lanes: the lanes in it, in order, then the others.
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
