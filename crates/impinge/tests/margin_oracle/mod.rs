//! The judge of margins: the true distance of two bodies during a motion, and what the margin promises about it.
//!
//! It shares no code with the library but the arithmetic of vectors: bodies are lists of triangles of its own, placed and moved by
//! formulas of its own, and their distance is the least of all pairs of features of all pairs of triangles, in plain `f64`.
//! It is slow, and good to some 64 roundings of the largest length in the scene; a sweep states more than that.

pub(crate) mod case;
pub(crate) mod course;
pub(crate) mod distance;
pub(crate) mod families;
pub(crate) mod judge;
pub(crate) mod reference;
pub(crate) mod shapes;
