//! Lanes for the walks of trees: AVX where the processor has it, plain arrays elsewhere. The only module with `unsafe`
//! code.
//!
//! The instructions are chosen at run time, so that a portable build loses nothing. Both versions do the same IEEE
//! operations in the same order (no fused multiply-add), so they give the same bits.
#![allow(unsafe_code)]

/// One number for each of four children.
pub(crate) type Four = [f32; 4];

/// What the walks need.
pub(crate) trait Lanes {
    /// Four numbers of one node and four of another, in one register.
    type Both: Copy;
    /// One number for each pair of four children and four others: pair `(i, j)` in lane `4 i + j`.
    type Pairs: Copy;

    fn both(low: &Four, high: &Four) -> Self::Both;
    fn load(values: &[f32; 8]) -> Self::Both;
    fn add(a: Self::Both, b: Self::Both) -> Self::Both;
    fn sub(a: Self::Both, b: Self::Both) -> Self::Both;
    fn mul(a: Self::Both, b: Self::Both) -> Self::Both;
    fn abs(a: Self::Both) -> Self::Both;
    /// `rows[i] + columns[j]` for every pair.
    fn sums(rows: &Four, columns: Self::Both) -> Self::Pairs;
    /// `rows[i] + columns[j]` for every pair, the rows being the upper four.
    fn sums_of_upper(rows: Self::Both, columns: &Four) -> Self::Pairs;
    /// The lesser of each; no lane may be NaN.
    fn min(a: Self::Pairs, b: Self::Pairs) -> Self::Pairs;
    /// One bit a pair, set where the number's sign bit is set.
    fn signs(a: Self::Pairs) -> u32;
    fn store(a: Self::Pairs, to: &mut [f32; 16]);

    /// Four `f64` numbers, one for each pair of two things and two others: pair `(i, j)` in lane `2 i + j`.
    type Quad: Copy;
    fn quad_splat(value: f64) -> Self::Quad;
    /// The first things' numbers, each for both of its pairs.
    fn quad_rows(values: &[f64; 2]) -> Self::Quad;
    /// The second things' numbers.
    fn quad_columns(values: &[f64; 2]) -> Self::Quad;
    fn quad_add(a: Self::Quad, b: Self::Quad) -> Self::Quad;
    fn quad_sub(a: Self::Quad, b: Self::Quad) -> Self::Quad;
    fn quad_mul(a: Self::Quad, b: Self::Quad) -> Self::Quad;
    fn quad_abs(a: Self::Quad) -> Self::Quad;
    /// One bit a lane, set where a is greater than b.
    fn quad_greater(a: Self::Quad, b: Self::Quad) -> u32;
}

/// Plain arrays, for every processor.
pub(crate) struct Portable;

impl Lanes for Portable {
    type Both = [f32; 8];
    type Pairs = [f32; 16];

    #[inline(always)]
    fn both(low: &Four, high: &Four) -> [f32; 8] {
        std::array::from_fn(|i| if i < 4 { low[i] } else { high[i - 4] })
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
    fn sums(rows: &Four, columns: [f32; 8]) -> [f32; 16] {
        std::array::from_fn(|i| rows[i / 4] + columns[i % 4])
    }
    #[inline(always)]
    fn sums_of_upper(rows: [f32; 8], columns: &Four) -> [f32; 16] {
        std::array::from_fn(|i| rows[4 + i / 4] + columns[i % 4])
    }
    #[inline(always)]
    fn min(a: [f32; 16], b: [f32; 16]) -> [f32; 16] {
        std::array::from_fn(|i| if a[i] < b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn signs(a: [f32; 16]) -> u32 {
        (0..16).fold(0, |mask, i| mask | (a[i].to_bits() >> 31) << i)
    }
    #[inline(always)]
    fn store(a: [f32; 16], to: &mut [f32; 16]) {
        *to = a;
    }

    type Quad = [f64; 4];

    #[inline(always)]
    fn quad_splat(value: f64) -> [f64; 4] {
        [value; 4]
    }
    #[inline(always)]
    fn quad_rows(values: &[f64; 2]) -> [f64; 4] {
        [values[0], values[0], values[1], values[1]]
    }
    #[inline(always)]
    fn quad_columns(values: &[f64; 2]) -> [f64; 4] {
        [values[0], values[1], values[0], values[1]]
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
    fn quad_greater(a: [f64; 4], b: [f64; 4]) -> u32 {
        (0..4).fold(0, |mask, i| mask | u32::from(a[i] > b[i]) << i)
    }
}

#[cfg(target_arch = "x86_64")]
mod avx {
    use std::arch::x86_64::*;

    use super::{Four, Lanes};

    /// AVX registers. Only code that runs under [`dispatch`](super::dispatch) may use them.
    pub(crate) struct Avx;

    // SAFETY of this whole block: `dispatch` calls into code with these lanes only after it has found that the processor
    // has AVX2. Loads and stores go through references to arrays of the right length, and need no alignment.
    impl Lanes for Avx {
        type Both = __m256;
        type Pairs = (__m256, __m256);

        #[inline(always)]
        fn both(low: &Four, high: &Four) -> __m256 {
            unsafe { _mm256_set_m128(_mm_loadu_ps(high.as_ptr()), _mm_loadu_ps(low.as_ptr())) }
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
        fn sums(rows: &Four, columns: __m256) -> (__m256, __m256) {
            unsafe {
                let rows = _mm256_set_m128(_mm_loadu_ps(rows.as_ptr()), _mm_loadu_ps(rows.as_ptr()));
                let columns = _mm256_permute2f128_ps::<0x00>(columns, columns);
                sums_of(rows, columns)
            }
        }
        #[inline(always)]
        fn sums_of_upper(rows: __m256, columns: &Four) -> (__m256, __m256) {
            unsafe {
                let rows = _mm256_permute2f128_ps::<0x11>(rows, rows);
                let columns = _mm256_set_m128(_mm_loadu_ps(columns.as_ptr()), _mm_loadu_ps(columns.as_ptr()));
                sums_of(rows, columns)
            }
        }
        #[inline(always)]
        fn min(a: (__m256, __m256), b: (__m256, __m256)) -> (__m256, __m256) {
            unsafe { (_mm256_min_ps(a.0, b.0), _mm256_min_ps(a.1, b.1)) }
        }
        #[inline(always)]
        fn signs(a: (__m256, __m256)) -> u32 {
            unsafe { _mm256_movemask_ps(a.0) as u32 | (_mm256_movemask_ps(a.1) as u32) << 8 }
        }
        #[inline(always)]
        fn store(a: (__m256, __m256), to: &mut [f32; 16]) {
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
        fn quad_rows(values: &[f64; 2]) -> __m256d {
            unsafe { _mm256_set_m128d(_mm_set1_pd(values[1]), _mm_set1_pd(values[0])) }
        }
        #[inline(always)]
        fn quad_columns(values: &[f64; 2]) -> __m256d {
            unsafe { _mm256_set_m128d(_mm_loadu_pd(values.as_ptr()), _mm_loadu_pd(values.as_ptr())) }
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
        fn quad_greater(a: __m256d, b: __m256d) -> u32 {
            (unsafe { _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_GT_OQ>(a, b)) }) as u32
        }
    }

    /// Rows and columns, each the same four numbers in both halves.
    #[inline(always)]
    unsafe fn sums_of(rows: __m256, columns: __m256) -> (__m256, __m256) {
        unsafe {
            let first = _mm256_permutevar_ps(rows, _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1));
            let last = _mm256_permutevar_ps(rows, _mm256_setr_epi32(2, 2, 2, 2, 3, 3, 3, 3));
            (_mm256_add_ps(first, columns), _mm256_add_ps(last, columns))
        }
    }
}

/// Work that is compiled once for each kind of lanes. Closures and iterators inside it would not be compiled for the wide
/// lanes: its hot parts are plain loops.
pub(crate) trait Work {
    type Output;
    fn run<L: Lanes>(self) -> Self::Output;
}

/// Runs the work with the widest lanes that the processor has.
#[inline]
pub(crate) fn dispatch<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn with_avx2<W: Work>(work: W) -> W::Output {
            work.run::<avx::Avx>()
        }
        // Every processor with AVX2 has the others too, so far; asked all the same.
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
        {
            // SAFETY: the processor has what the function needs.
            return unsafe { with_avx2(work) };
        }
    }
    work.run::<Portable>()
}
