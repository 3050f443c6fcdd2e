//! Eight `f32` lanes: AVX where the processor has it, plain arrays elsewhere. The only module with `unsafe` code.
//!
//! The instructions are chosen at run time, so that a portable build loses nothing. Both versions do the same IEEE
//! operations in the same order (no fused multiply-add), so they give the same bits.
#![allow(unsafe_code)]

/// Eight numbers.
pub(crate) type Eight = [f32; 8];

/// What the walks need of eight lanes.
pub(crate) trait Lanes: Copy {
    fn load(from: &Eight) -> Self;
    fn store(self, to: &mut Eight);
    fn splat(value: f32) -> Self;
    fn add(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    /// The lesser of each pair of lanes. No lane may be NaN.
    fn min(self, other: Self) -> Self;
    /// One bit a lane, set where the sign bit is set.
    fn signs(self) -> u32;
}

/// Plain arrays, for every processor.
#[derive(Clone, Copy)]
pub(crate) struct Portable(Eight);

impl Lanes for Portable {
    #[inline(always)]
    fn load(from: &Eight) -> Self {
        Portable(*from)
    }
    #[inline(always)]
    fn store(self, to: &mut Eight) {
        *to = self.0;
    }
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Portable([value; 8])
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Portable(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Portable(std::array::from_fn(|i| self.0[i] * other.0[i]))
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Portable(std::array::from_fn(|i| if self.0[i] < other.0[i] { self.0[i] } else { other.0[i] }))
    }
    #[inline(always)]
    fn signs(self) -> u32 {
        (0..8).fold(0, |mask, i| mask | (self.0[i].to_bits() >> 31) << i)
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use avx::Avx;

#[cfg(target_arch = "x86_64")]
mod avx {
    use std::arch::x86_64::*;

    use super::{Eight, Lanes};

    /// One AVX register. Only code that runs under [`dispatch`](super::dispatch) may use it.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx(__m256);

    // SAFETY of this whole block: `dispatch` calls into code with these lanes only after it has found that the processor
    // has AVX2. Loads and stores go through references to eight `f32`, so they stay in bounds; they need no alignment.
    impl Lanes for Avx {
        #[inline(always)]
        fn load(from: &Eight) -> Self {
            Avx(unsafe { _mm256_loadu_ps(from.as_ptr()) })
        }
        #[inline(always)]
        fn store(self, to: &mut Eight) {
            unsafe { _mm256_storeu_ps(to.as_mut_ptr(), self.0) }
        }
        #[inline(always)]
        fn splat(value: f32) -> Self {
            Avx(unsafe { _mm256_set1_ps(value) })
        }
        #[inline(always)]
        fn add(self, other: Self) -> Self {
            Avx(unsafe { _mm256_add_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn mul(self, other: Self) -> Self {
            Avx(unsafe { _mm256_mul_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn min(self, other: Self) -> Self {
            Avx(unsafe { _mm256_min_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn signs(self) -> u32 {
            (unsafe { _mm256_movemask_ps(self.0) }) as u32
        }
    }
}

/// Work that is compiled once for each kind of lanes.
pub(crate) trait Work {
    type Output;
    fn run<L: Lanes>(self) -> Self::Output;
}

/// Runs the work with the widest lanes that the processor has.
#[inline]
pub(crate) fn dispatch<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn with_avx2<W: Work>(work: W) -> W::Output {
            work.run::<Avx>()
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has what the function needs.
            return unsafe { with_avx2(work) };
        }
    }
    work.run::<Portable>()
}
