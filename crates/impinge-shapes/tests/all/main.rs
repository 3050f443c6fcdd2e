//! What the generators promise: counts, closedness, orientation, proportions, and the same bits every time.

mod audit;
mod golden;
mod parameters;
mod shapes;
