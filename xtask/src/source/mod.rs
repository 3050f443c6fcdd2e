//! Reads Rust source as far as the layer check needs it: tokens, the paths they name, and what a feature gates.
//!
//! This is not a compiler. It does not expand macros, follow `#[path]` or resolve names that a `use` brought in;
//! it sees the path where it is written out, and that is where a layer is crossed.

pub(crate) mod gates;
pub(crate) mod tokens;
pub(crate) mod uses;
