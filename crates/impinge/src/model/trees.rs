//! The trees that a model owns, one for each number of directions.

use std::sync::OnceLock;

use crate::tree::dop_tree::DopTree;

/// Places for the trees of a model.
#[derive(Clone, Debug, Default)]
pub struct Trees {
    six: OnceLock<DopTree<6>>,
    eight: OnceLock<DopTree<8>>,
    fourteen: OnceLock<DopTree<14>>,
    eighteen: OnceLock<DopTree<18>>,
    twenty_six: OnceLock<DopTree<26>>,
}

/// Which numbers of directions there are trees for.
pub trait TreeOf<const K: usize> {
    /// Where the tree is kept.
    fn slot(&self) -> &OnceLock<DopTree<K>>;
}

macro_rules! tree_of {
    ($($k:literal: $slot:ident,)*) => {$(
        impl TreeOf<$k> for Trees {
            fn slot(&self) -> &OnceLock<DopTree<$k>> {
                &self.$slot
            }
        }
    )*};
}

tree_of! { 6: six, 8: eight, 14: fourteen, 18: eighteen, 26: twenty_six, }
