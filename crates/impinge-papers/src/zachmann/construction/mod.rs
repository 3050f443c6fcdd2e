//! The construction of DOP-trees (Zachmann 1998, §4.2), the criteria of a good tree, and the histogram of depths.
//!
//! Two polygons that are almost farthest apart begin the two sides of a split.
//! The others are sorted along the direction that is most parallel to the line between the two.
//! They are taken from both ends of that order in turn, and each goes to the side that grows less.
//! The paper says "in turn" and no more.
//! Taken from one end to the other, the first side would grow by little steps and swallow nearly all.
//! The histogram that the paper prints comes out only where both ends take turns.

mod binary_tree;
mod builder;
mod split;

pub use binary_tree::{BinaryTree, Criteria};
pub use builder::PaperBuilder;
pub use split::PaperSplit;
