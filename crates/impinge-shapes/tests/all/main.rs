//! What the generators promise: counts, closedness, orientation, proportions, and the same bits every time.
#![allow(clippy::unwrap_used)]

mod audit;
mod golden;
mod parameters;
mod shapes;
