//! Transforms: where a model stands, and the semantics of a 4×4 matrix (Maia et al. 2006, §3.1).
//!
//! A [`Trs`] is translation · rotation · scale, valid by construction. A [`Placement`] is any invertible affine map,
//! sheared and mirrored ones included, together with what queries need of it. Raw matrices of glam and `mint` are
//! turned into either with `try_from`, which checks them, and arrays of numbers with [`Placement::from_rows`] and
//! [`Placement::from_columns`]. The derivations are in `docs/math/transform-semantics.md`.
//!
//! ```
//! use impinge_core::transform::{Placement, Trs, relative};
//!
//! let table = Placement::from(Trs::translation([4.0, 0.0, 0.0])?);
//! let lamp = Placement::from(Trs::rotation_about_axis([0.0, 0.0, 1.0], 90.0)?);
//! let table_from_lamp = relative(&table, &lamp);
//! assert_eq!(table_from_lamp.transform_point3([1.0, 0.0, 0.0].into()), [-4.0, 1.0, 0.0].into());
//! # Ok::<(), impinge_core::transform::TransformError>(())
//! ```

mod compose;
mod convert;
mod error;
mod extract;
mod inverse;
mod motion;
mod placement;
mod rotation;
#[cfg(feature = "serde")]
mod serial;
mod trs;

pub use crate::tolerance::{
    LARGEST, ORTHOGONAL, ROTATION_LENGTH_TOLERANCE, SHEAR_TOLERANCE, SINGULAR, SMALLEST_SCALE,
};
pub use convert::MatrixArray;
pub use error::{TransformError, TransformPart};
pub use inverse::inverse_of_trs;
pub use motion::{Motion, Phase, Turn};
pub use placement::{Placement, relative};
pub use trs::Trs;

#[cfg(test)]
mod tests;
