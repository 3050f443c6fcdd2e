//! Binary space partitions: axial ones over numbered elements, and those of a solid's face planes.

pub mod axial;
pub mod solid;
