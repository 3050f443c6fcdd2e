//! The level of SIMD instructions: the best that the processor has, or the one that the environment asks for.

use std::sync::atomic::{AtomicU8, Ordering};

/// The SIMD instructions that the library uses where it works on several numbers at once. Answers are the same with all of them.
///
/// The best level that the processor has is chosen when it is first needed, and kept for the rest of the process. The environment variable
/// `IMPINGE_SIMD` forces another, so that "the same bits on every processor" can be tested on one. A value that names no
/// level of this processor is ignored; [`requested`](Self::requested) tells why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SimdLevel {
    /// Plain arrays, for every processor.
    Portable,
    /// AVX2 with BMI and its kin, of x86-64.
    Avx2,
}

/// A level that the environment asks for and that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SimdLevelError {
    /// No level has that name.
    #[error("IMPINGE_SIMD: {name:?} is no level; there are {}", names())]
    Unknown {
        /// The value of the variable.
        name: String,
    },
    /// The processor, or the target that the library was built for, does not have the level.
    #[error("IMPINGE_SIMD: this processor does not have {}", level.name())]
    Unavailable {
        /// The level that was asked for.
        level: SimdLevel,
    },
}

/// The variable that forces a level.
const VARIABLE: &str = "IMPINGE_SIMD";
/// The level in use, by its number; chosen once, and then the same for good.
static CURRENT: AtomicU8 = AtomicU8::new(NOT_CHOSEN);
const NOT_CHOSEN: u8 = u8::MAX;

impl SimdLevel {
    /// All levels, available or not, the best last.
    pub const ALL: [SimdLevel; 2] = [SimdLevel::Portable, SimdLevel::Avx2];

    /// The level that this process uses.
    #[inline]
    pub fn current() -> SimdLevel {
        match CURRENT.load(Ordering::Relaxed) {
            level if level == SimdLevel::Avx2 as u8 => SimdLevel::Avx2,
            level if level == SimdLevel::Portable as u8 => SimdLevel::Portable,
            _ => choose(),
        }
    }

    /// The level that the environment asks for, if it does.
    pub fn requested() -> Result<Option<SimdLevel>, SimdLevelError> {
        let Some(name) = std::env::var_os(VARIABLE).filter(|name| !name.is_empty()) else { return Ok(None) };
        SimdLevel::named(&name.to_string_lossy()).map(Some)
    }

    /// The name of the level in `IMPINGE_SIMD`.
    pub const fn name(self) -> &'static str {
        match self {
            SimdLevel::Portable => "portable",
            SimdLevel::Avx2 => "avx2",
        }
    }

    /// Whether this processor has the level.
    pub fn is_available(self) -> bool {
        match self {
            SimdLevel::Portable => true,
            // Every processor with AVX2 has the others too, so far; asked all the same.
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("lzcnt")
                    && is_x86_feature_detected!("popcnt")
            }
            #[cfg(not(target_arch = "x86_64"))]
            SimdLevel::Avx2 => false,
        }
    }

    fn named(name: &str) -> Result<SimdLevel, SimdLevelError> {
        let level = SimdLevel::ALL.into_iter().find(|level| level.name() == name);
        let level = level.ok_or_else(|| SimdLevelError::Unknown { name: name.to_owned() })?;
        if level.is_available() { Ok(level) } else { Err(SimdLevelError::Unavailable { level }) }
    }

    fn best() -> SimdLevel {
        let mut available = SimdLevel::ALL.into_iter().filter(|level| level.is_available());
        available.next_back().unwrap_or(SimdLevel::Portable)
    }
}

#[cold]
fn choose() -> SimdLevel {
    let level = SimdLevel::requested().ok().flatten().unwrap_or_else(SimdLevel::best);
    CURRENT.store(level as u8, Ordering::Relaxed);
    level
}

/// The names of all levels, for an error.
fn names() -> String {
    SimdLevel::ALL.map(SimdLevel::name).join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_have_names_and_no_other_name_is_a_level() {
        for level in SimdLevel::ALL {
            let expected =
                if level.is_available() { Ok(level) } else { Err(SimdLevelError::Unavailable { level }) };
            assert_eq!(SimdLevel::named(level.name()), expected);
        }
        let unknown = SimdLevel::named("AVX2").unwrap_err();
        assert_eq!(unknown.to_string(), "IMPINGE_SIMD: \"AVX2\" is no level; there are portable and avx2");
        assert!(SimdLevel::current().is_available());
        assert!(SimdLevel::best() >= SimdLevel::current());
    }
}
