//! Images against the exact answers. One program, so that it is linked once.

mod common;
mod deformed;
mod device;
mod edges;
mod errors;
mod hidden;
mod many;
mod placements;
mod ways;
