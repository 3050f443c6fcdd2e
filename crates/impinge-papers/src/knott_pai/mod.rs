//! Knott and Pai 2003: interference seen in images.

pub mod image;
