//! The traversal of the tree with a box.

use super::super::frame::{Sides, Splat};
use super::Level;
use impinge_core::simd::{Lanes, Work, dispatch};

/// Shows all boxes that are not apart from a box, and whose ancestors are close.
pub(super) fn near(
    levels: &[Level],
    ids: &[u32],
    sides: &Sides,
    close: &dyn Fn(&Sides) -> bool,
    visit: &mut dyn FnMut(u32),
) {
    if !levels.is_empty() {
        dispatch(Near { levels, ids, sides, close, visit });
    }
}

struct Near<'w> {
    levels: &'w [Level],
    ids: &'w [u32],
    sides: &'w Sides,
    close: &'w dyn Fn(&Sides) -> bool,
    visit: &'w mut dyn FnMut(u32),
}

impl Work for Near<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let splat = Splat::<L>::new(self.sides);
        // With 2²⁴ boxes there are nine levels at most, and seven nodes wait on each.
        let mut stack = [(0_u32, 0_u32); 80];
        stack[0].0 = self.levels.len() as u32 - 1;
        let mut depth = 1;
        while depth > 0 {
            depth -= 1;
            let (level, index) = stack[depth];
            let node = &self.levels[level as usize].nodes[index as usize];
            let mut lanes = node.meets(&splat);
            while lanes != 0 {
                let lane = lanes.trailing_zeros();
                lanes &= lanes - 1;
                let child = 8 * index + lane;
                if level == 0 {
                    (self.visit)(self.ids[child as usize]);
                } else if (self.close)(&node.lane(lane as usize)) {
                    stack[depth] = (level - 1, child);
                    depth += 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Bvh;
    use super::*;
    use crate::broad_phase::{Boxes, PairFinder};
    use crate::shapes::Random;
    use impinge_core::bounds::Aabb;
    use impinge_core::math::DVec3;
    use impinge_core::simd::Portable;

    /// The lanes of the processor and plain arrays find the same in the same order.
    #[test]
    fn every_kind_of_lanes_walks_the_same_way() {
        let mut random = Random::new(1);
        let (mut boxes, mut tree) = (Boxes::default(), Bvh::default());
        for id in 0..700 {
            let at = random.in_cube() * 6.0;
            assert_eq!(boxes.insert(id, Aabb { min: at, max: at + random.unit() }), Ok(()));
        }
        tree.find(&boxes, &mut Vec::new());
        let sides = tree.frame.sides(&Aabb { min: DVec3::splat(-2.0), max: DVec3::splat(2.0) });
        let (mut wide, mut plain) = (Vec::new(), Vec::new());
        near(&tree.levels, &tree.ids, &sides, &|_| true, &mut |id| wide.push(id));
        let (levels, ids) = (&tree.levels[..], &tree.ids[..]);
        let visit = &mut |id| plain.push(id);
        Near { levels, ids, sides: &sides, close: &|_| true, visit }.run::<Portable>();
        assert!(wide.len() > 20);
        assert_eq!(wide, plain);
    }
}
