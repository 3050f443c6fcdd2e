//! Zachmann 1998: trees of discrete oriented polytopes, aligned on the fly.

pub mod dop_tree;
