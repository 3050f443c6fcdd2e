//! Transforms: the semantics of a 4×4 (paper 004 §3.1).
