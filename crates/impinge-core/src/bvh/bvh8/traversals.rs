//! Traversal of many rays, in groups of eight: coherent groups as packets, the others interleaved.

use super::Bvh8;
use crate::bvh::bvh8::hits::Hits;
use crate::bvh::bvh8::interleaved::{Walker, walk_by_turns};
use crate::bvh::bvh8::packet::Together;
use crate::bvh::bvh8::ray8::{EIGHT, EightRays, GROUPS, RAYS, Ray8};
use crate::simd::Lanes;

/// The state of the rays that are being traversed, used again for the next.
pub struct RayTraversals {
    groups: [EightRays; GROUPS],
    together: Together,
    walkers: [Walker; RAYS],
}

impl RayTraversals {
    /// The state before any ray has been set.
    pub const NEW: RayTraversals = RayTraversals {
        groups: [const { EightRays::NONE }; GROUPS],
        together: Together::NEW,
        walkers: [const { Walker::NONE }; RAYS],
    };

    /// Sets a group of rays, the first `count` of which are active.
    #[inline(always)]
    pub fn set<L: Lanes>(&mut self, group: usize, tree: &Bvh8, rays: &Ray8<L>, count: usize) {
        let group = &mut self.groups[group % GROUPS];
        group.set::<L>(tree, rays);
        let all = (1 << count.min(EIGHT)) - 1;
        (group.walking, group.odd) = (group.walking & all, group.odd & all);
    }

    /// Traverses the tree with the first `count` groups.
    #[inline(always)]
    pub fn traverse<L: Lanes>(&mut self, tree: &Bvh8, count: usize, cull_back: bool) {
        let (mut group, mut by_turns) = (0, 0);
        while group < count.min(GROUPS) {
            if self.groups[group].go_alike() {
                self.together.traverse::<L>(tree, &mut self.groups[group], cull_back);
            } else {
                by_turns |= 1 << group;
            }
            group += 1;
        }
        if by_turns != 0 {
            walk_by_turns::<L>(tree, &mut self.groups, &mut self.walkers, by_turns, cull_back);
        }
    }

    /// After a traversal with the first `count` groups, drops candidates behind the nearest hits, and lists the rays that have
    /// candidates or that lanes cannot tell about. Returns how many they are.
    ///
    /// Whether a ray hits anything is as good as chance, and is decided once for all that depends on it.
    #[inline(always)]
    pub fn settle(&mut self, count: usize, some: &mut [u8; RAYS]) -> usize {
        let mut several = [0_u8; RAYS];
        let (mut some_count, mut several_count, mut ray) = (0, 0, 0);
        while ray < EIGHT * count.min(GROUPS) {
            let group = &self.groups[ray / EIGHT % GROUPS];
            let (found, is_odd) = (group.finds[ray % EIGHT].count(), group.odd >> (ray % EIGHT) & 1 == 1);
            some[some_count % RAYS] = ray as u8;
            some_count += usize::from((found > 0) | is_odd);
            several[several_count % RAYS] = ray as u8;
            several_count += usize::from(found > 1);
            ray += 1;
        }
        let mut i = 0;
        while i < several_count {
            let ray = usize::from(several[i % RAYS]);
            let group = &mut self.groups[ray / EIGHT % GROUPS];
            group.finds[ray % EIGHT].forget(group.limits[ray % EIGHT]);
            i += 1;
        }
        some_count
    }

    /// The candidate hits of a ray; `None` where lanes cannot tell, and another search has to.
    #[inline(always)]
    pub fn finds(&self, ray: usize) -> Option<&Hits> {
        let group = &self.groups[ray / EIGHT % GROUPS];
        if group.odd >> (ray % EIGHT) & 1 == 0 { Some(&group.finds[ray % EIGHT]) } else { None }
    }
}
