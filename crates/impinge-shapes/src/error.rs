//! Errors of the parameters of a shape, and the checks that find them.

use glam::DVec3;

/// The reason why a shape could not be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A parameter makes no sense, alone or beside the others.
    #[error("{parameter} is {value}, but must be {rule}")]
    Parameter {
        /// The parameter's name in the constructor.
        parameter: &'static str,
        /// The value that was given.
        value: f64,
        /// The rule that the value must obey.
        rule: &'static str,
    },
    /// More triangles than trees over them can name.
    #[error("{triangles} triangles are too many: there may be 2²⁸ - 2")]
    TooMany {
        /// The number of triangles that were asked for.
        triangles: u64,
    },
    /// The parameters are so large that a coordinate overflowed.
    #[error("vertex {vertex} is not finite: the parameters are too large")]
    Overflow {
        /// The first vertex with such a coordinate.
        vertex: usize,
    },
    /// No shape has this name.
    #[error("there is no shape called {0:?}")]
    UnknownName(
        /// The name that was given.
        String,
    ),
}

/// An error unless `fine`. NaN makes every comparison false, so rules are to be stated as what must hold.
pub(crate) fn require(
    fine: bool,
    parameter: &'static str,
    value: f64,
    rule: &'static str,
) -> Result<(), ShapeError> {
    if fine { Ok(()) } else { Err(ShapeError::Parameter { parameter, value, rule }) }
}

pub(crate) fn positive(parameter: &'static str, value: f64) -> Result<(), ShapeError> {
    require(value > 0.0 && value.is_finite(), parameter, value, "finite and above zero")
}

pub(crate) fn positive_each(parameter: &'static str, value: DVec3) -> Result<(), ShapeError> {
    value.to_array().into_iter().try_for_each(|value| positive(parameter, value))
}

/// At least one of something.
pub(crate) fn some(parameter: &'static str, value: u32) -> Result<(), ShapeError> {
    require(value >= 1, parameter, f64::from(value), "at least 1")
}

/// Enough points for a polygon with an inside.
pub(crate) fn three(parameter: &'static str, value: u32) -> Result<(), ShapeError> {
    require(value >= 3, parameter, f64::from(value), "at least 3")
}

/// Refuses counts that would run out of indices, before memory is asked for. Trees name faces with 28 bits, so more would
/// be of no use. `None` stands for a count that does not even fit 64 bits.
pub(crate) fn indexable(triangles: Option<u64>) -> Result<(), ShapeError> {
    match triangles {
        Some(count) if count < (1 << 28) - 1 => Ok(()),
        count => Err(ShapeError::TooMany { triangles: count.unwrap_or(u64::MAX) }),
    }
}

/// The product of factors that each fit 32 bits, or `None` where it does not fit 64.
pub(crate) fn product(factors: &[u32]) -> Option<u64> {
    factors.iter().try_fold(1_u64, |product, &factor| product.checked_mul(u64::from(factor)))
}
