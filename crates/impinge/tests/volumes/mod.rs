//! Volumes against triangles and models: the first look, the closer look and the trees give what rational arithmetic gives.

mod models;
mod narrow;
mod rational;
mod refusals;

use impinge::math::DVec3;
use impinge::shapes::Random;

/// Whole coordinates from `-size` to `size`: much touches exactly.
fn lattice(random: &mut Random, size: u32) -> DVec3 {
    let mut c = || f64::from(random.below(2 * size + 1)) - f64::from(size);
    DVec3::new(c(), c(), c())
}
