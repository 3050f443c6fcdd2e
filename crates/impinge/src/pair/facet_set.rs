//! Sets of facets and edges, hashed quickly.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use super::surface::FacetName;
use crate::mesh::weld::mix;
use impinge_core::math::DVec3;

/// A set of keys that are whole numbers of 64 bits.
pub(crate) type KeySet<K> = HashSet<K, BuildHasherDefault<Mixer>>;

/// An edge by the bits of its ends, whichever comes first; 0 with the other sign is the same.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct EdgeKey([[u64; 3]; 2]);

impl EdgeKey {
    pub(crate) fn new([p, q]: [DVec3; 2]) -> EdgeKey {
        let [p, q] = [p, q].map(|point| (point + DVec3::ZERO).to_array().map(f64::to_bits));
        EdgeKey(if p < q { [p, q] } else { [q, p] })
    }
}

impl Hash for EdgeKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.as_flattened().iter().for_each(|&bits| state.write_u64(bits));
    }
}

impl Hash for FacetName {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(u64::from(self.face) << 32 | u64::from(self.piece));
    }
}

#[derive(Default)]
pub(crate) struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u64(&mut self, bits: u64) {
        self.0 = mix(self.0.wrapping_add(bits).wrapping_add(0x9e37_79b9_7f4a_7c15));
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
