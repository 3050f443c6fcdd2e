//! Many rays at once.

use super::search::Search;
use super::{Hit, Ray, RayAsk};
use crate::model::Placed;

/// Rays that one thread takes at a time.
#[cfg(feature = "parallel")]
const SHARE: usize = 1024;

/// The nearest hit of each ray, in their order. With the feature `parallel`, on all threads; the answers are the same.
pub fn cast_rays(placed: &Placed<'_>, rays: &[Ray], ask: RayAsk) -> Vec<Option<Hit>> {
    let cast = |ray: &Ray| Search::new(placed, ray, ask).nearest(|_| true);
    #[cfg(feature = "parallel")]
    if rays.len() > SHARE && rayon::current_num_threads() > 1 {
        use rayon::iter::ParallelIterator;
        use rayon::slice::ParallelSlice;
        return rays.par_chunks(SHARE).flat_map_iter(|share| share.iter().map(cast)).collect();
    }
    rays.iter().map(cast).collect()
}
