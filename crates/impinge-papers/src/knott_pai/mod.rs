//! Knott and Pai 2003: interference seen in images.

#[cfg(feature = "image")]
pub mod image;
