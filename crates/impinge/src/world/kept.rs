//! What pairs of bodies did in the last step: bodies that rest are pressed together anew in every step, in the same places and by the same motions, and the
//! answer is the same.

use super::Handle;
use super::World;
use super::groups::Tracks;
use super::track::Outlook;
use crate::broad_phase::Pair;
use impinge_core::math::{DAffine3, DVec3};
use impinge_core::transform::{Motion, Placement};

/// The outlooks of pairs in the last step that were swept, in the order of the pairs.
#[derive(Clone, Default)]
pub(super) struct KeptOutlooks {
    kept: Vec<KeptOutlook>,
}

/// The outlook of a pair, and all that it follows from.
#[derive(Clone)]
pub(super) struct KeptOutlook {
    pair: Pair,
    of_bodies: [OfBody; 2],
    are_known_free: bool,
    outlook: Outlook,
}

#[derive(Clone, Copy)]
struct OfBody {
    placement: Placement,
    motion: Option<Motion>,
}

impl OfBody {
    fn is_same_as(&self, other: &OfBody) -> bool {
        let maps = [self, other].map(|of_body| of_body.placement.world_from_model());
        have_same_bits(maps)
            && match (&self.motion, &other.motion) {
                (None, None) => true,
                (Some(one), Some(other)) => are_same_motions(one, other),
                _ => false,
            }
    }
}

fn bits(vector: DVec3) -> [u64; 3] {
    vector.to_array().map(f64::to_bits)
}

fn have_same_bits([a, b]: [&DAffine3; 2]) -> bool {
    let columns = |map: &DAffine3| {
        [map.translation, map.matrix3.x_axis, map.matrix3.y_axis, map.matrix3.z_axis].map(bits)
    };
    columns(a) == columns(b)
}

fn are_same_motions(a: &Motion, b: &Motion) -> bool {
    let turn = |motion: &Motion| {
        motion.turn().map(|turn| (bits(turn.center), bits(turn.axis), turn.degrees.to_bits()))
    };
    bits(a.by()) == bits(b.by()) && a.is_together() == b.is_together() && turn(a) == turn(b)
}

impl KeptOutlooks {
    /// Forgets all: something has changed that outlooks follow from.
    pub(super) fn clear(&mut self) {
        self.kept.clear();
    }

    /// Replaces what was kept.
    pub(super) fn replace(&mut self, kept: Vec<KeptOutlook>) {
        self.kept = kept;
    }
}

impl World {
    /// All that the outlook of each pair follows from, and the outlook where it was the same in the last step. The pairs are in order.
    pub(super) fn recall(
        &self,
        pairs: impl Iterator<Item = Pair>,
        tracks: &Tracks<'_>,
        moves: &[(Handle, Motion)],
    ) -> Vec<(KeptOutlook, bool)> {
        let mut kept = self.kept.kept.iter().peekable();
        let recall = |pair: Pair| {
            let of_bodies = pair.ids().map(|index| OfBody {
                placement: *self.body(index).placement(),
                motion: tracks.number_of(index).map(|number| moves[number].1),
            });
            let are_known_free = self.are_known_free(pair.ids());
            while kept.next_if(|kept| kept.pair < pair).is_some() {}
            let known = kept.peek().filter(|kept| {
                kept.pair == pair
                    && kept.are_known_free == are_known_free
                    && (0..2).all(|side| kept.of_bodies[side].is_same_as(&of_bodies[side]))
            });
            let outlook = known.map_or(Outlook::PROVEN, |kept| kept.outlook.clone());
            (KeptOutlook { pair, of_bodies, are_known_free, outlook }, known.is_some())
        };
        pairs.map(recall).collect()
    }
}

impl KeptOutlook {
    /// The outlook, where it was known or has been found.
    pub(super) fn outlook(&self) -> &Outlook {
        &self.outlook
    }

    pub(super) fn set(&mut self, outlook: Outlook) {
        self.outlook = outlook;
    }

    pub(super) fn pair(&self) -> Pair {
        self.pair
    }
}
