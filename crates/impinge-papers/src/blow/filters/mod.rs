//! The figures of Blow 1997, "Let's Rock": the bodies of a game, and what it takes to tell them apart.

mod closest;
mod cuts;
mod run;
mod text;
mod comparisons;

pub use closest::{ClosestRow, closest_features};
pub use comparisons::comparisons;
pub use cuts::{CutRow, polygons_before_and_after_cuts};
pub use run::{Run, Way, play, run, variations, ways};
pub use text::{PAPER, csv, table};
