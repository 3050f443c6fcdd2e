//! Points and matrices of the world.

/// A point or a vector.
pub type Point = [f64; 3];

/// A 4×4 matrix, row by row. The last row is 0, 0, 0, 1.
pub type Matrix = [f64; 16];

/// The matrix that leaves everything where it is.
pub const IDENTITY: Matrix = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
