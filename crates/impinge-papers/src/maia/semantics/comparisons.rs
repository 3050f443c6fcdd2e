//! Maia et al.'s figures beside ours.

use super::Section;
use crate::comparison::{Comparison, Place};

/// Each section's figure beside the paper's.
pub fn comparisons(sections: &[Section]) -> Vec<Comparison> {
    sections
        .iter()
        .map(|of| {
            let (place, why) = match of.name {
                "global-box" => (
                    "§5",
                    "Ours is rounded outward and tells empty and infinite boxes; eight corners are moved by instructions that take several \
                     at once.",
                ),
                "deformables" => ("§5", "The boxes are a third of the broad phase here: free ones would not make it 5.4 times as fast."),
                "lazy-refit" => ("§5", "The trees that are refitted are those of models whose boxes touch another's."),
                "random-pairs" => ("Table 1", "A rejection costs little, because it does not come to a matrix."),
                "deep-contact" => ("§5", "The paper prints 6.37 ns; 62.5 ms for 9,810 pairs are 6.37 µs."),
                _ => ("§3.4", "The paper gives the rule without a figure."),
            };
            let place = Place { paper: "Maia et al. 2006", place };
            place.compare(of.title.clone(), of.paper, format!("{:.2} {}", of.ratio, of.unit), why)
        })
        .collect()
}
