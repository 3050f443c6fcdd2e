//! Images against the exact answers. One program, so that it is linked once.

mod common;
mod device;
mod errors;
mod hidden;
mod many;
mod placements;
mod ways;
