//! The seeded source of numbers behind every generator that wants chance.

use glam::DVec3;

/// A small pseudo-random generator (SplitMix64: a counter in steps of the golden ratio, then a mixing function).
///
/// One seed gives the same numbers on every platform, in every build and in every version of this library:
/// only integer arithmetic, multiplication by powers of two and correctly rounded operations are used. It is meant
/// for test scenes and has no cryptographic strength.
///
/// ```
/// use impinge_shapes::Random;
///
/// let mut random = Random::new(0);
/// assert_eq!(random.next_u64(), 0xe220_a839_7b1d_cdaf);
/// assert!((0.0..1.0).contains(&random.unit()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    state: u64,
}

impl Random {
    /// A generator that is fully determined by `seed`; every seed is as good as any other.
    pub fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    /// The next 64 bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.state)
    }

    /// A multiple of 2⁻⁵³ in `[0, 1)`.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// A number in `[low, high)`; rounding may reach `high` where the two are many binades apart.
    #[inline]
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A whole number below `bound`; 0 when `bound` is 0. The bias is below 2⁻³².
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        (((self.next_u64() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// A point in the box from -1 to 1 in each axis.
    pub fn in_cube(&mut self) -> DVec3 {
        let (x, y, z) = (self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0));
        DVec3::new(x, y, z)
    }

    /// A unit vector, every direction alike.
    pub fn direction(&mut self) -> DVec3 {
        // Rejection needs no trigonometry, and the inner bound keeps the division well away from zero.
        loop {
            let point = self.in_cube();
            let squared = point.length_squared();
            if (0.01..=1.0).contains(&squared) {
                return point / libm::sqrt(squared);
            }
        }
    }
}

/// The mixing function: every bit of the result depends on every bit of `value`.
#[inline]
pub(crate) fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
