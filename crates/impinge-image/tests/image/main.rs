//! Images against the exact answers. One program, so that it is linked once.

mod common;
mod device;
mod placements;
