//! The traversal of the tree with a box, or with a segment in it.

use super::super::frame::{Eight, Sides, Splat};
use super::super::segment::Diagonal;
use super::Level;
use impinge_core::simd::{Lanes, Work, dispatch};

/// Shows all boxes that are not apart from a box, nor, where there is one, from a segment in it.
pub(super) fn near(
    levels: &[Level],
    ids: &[u32],
    sides: &Sides,
    diagonal: Option<&Diagonal>,
    visit: &mut dyn FnMut(u32),
) {
    if !levels.is_empty() {
        dispatch(Near { levels, ids, sides, diagonal, visit });
    }
}

struct Near<'w> {
    levels: &'w [Level],
    ids: &'w [u32],
    sides: &'w Sides,
    diagonal: Option<&'w Diagonal>,
    visit: &'w mut dyn FnMut(u32),
}

/// A segment in all lanes.
struct Splats<L: Lanes> {
    middle: [L::F32x8; 3],
    way: [L::F32x8; 3],
    /// The way, without signs.
    length: [L::F32x8; 3],
    thickness: [L::F32x8; 3],
    size: L::F32x8,
    rounding: L::F32x8,
    least: L::F32x8,
}

/// The same vector in all lanes.
#[inline(always)]
fn splat<L: Lanes>(v: &[f32; 3]) -> [L::F32x8; 3] {
    [L::splat(v[0]), L::splat(v[1]), L::splat(v[2])]
}

// No closures: they are not compiled for the lanes of their functions.
impl<L: Lanes> Splats<L> {
    #[inline(always)]
    fn new(Diagonal { middle, way, thickness, size }: &Diagonal) -> Splats<L> {
        let way = splat::<L>(way);
        Splats {
            middle: splat::<L>(middle),
            length: [L::abs(way[0]), L::abs(way[1]), L::abs(way[2])],
            way,
            thickness: splat::<L>(thickness),
            size: L::splat(*size),
            rounding: L::splat(ROUNDING),
            least: L::splat(LEAST),
        }
    }

    /// One bit a lane, set where a box that overlaps that of the segment is apart from the segment: along an axis across the way and an edge of the box. All
    /// lengths are doubled.
    #[inline(always)]
    fn is_apart(&self, Eight { sides: s }: &Eight) -> u32 {
        let low = [L::load(&s[0]), L::load(&s[1]), L::load(&s[2])];
        let high = [L::load(&s[3]), L::load(&s[4]), L::load(&s[5])];
        let (mut between, mut edges) = (low, low);
        let mut k = 0;
        while k < 3 {
            between[k] = L::sub(L::add(low[k], high[k]), self.middle[k]);
            edges[k] = L::add(L::sub(high[k], low[k]), self.thickness[k]);
            k += 1;
        }
        // No coordinate of the box is larger than this sum, as it overlaps that of the segment.
        let all = L::add(L::add(edges[0], edges[1]), L::add(edges[2], self.size));
        let padding = L::mul(all, self.rounding);
        let reach = [L::add(edges[0], padding), L::add(edges[1], padding), L::add(edges[2], padding)];
        let (mut bits, mut k) = (0, 0);
        while k < 3 {
            bits |= self.is_apart_along([k, (k + 1) % 3], &between, &reach);
            k += 1;
        }
        bits
    }

    /// Along the axis across the way and the edge that is neither of two.
    #[inline(always)]
    fn is_apart_along(&self, [j, k]: [usize; 2], between: &[L::F32x8; 3], reach: &[L::F32x8; 3]) -> u32 {
        let distance = L::sub(L::mul(between[j], self.way[k]), L::mul(between[k], self.way[j]));
        let reach = L::add(L::mul(reach[j], self.length[k]), L::mul(reach[k], self.length[j]));
        // False where a box is infinite.
        L::bits(L::less(L::add(reach, self.least), L::abs(distance)))
    }
}

/// Each number is rounded, and each operation: together by less than 64 units of the last place of the largest coordinates, times the way.
const ROUNDING: f32 = 64.0 * f32::EPSILON;

/// More than what is lost where numbers are too small to have all their places.
const LEAST: f32 = 1e-20;

impl Work for Near<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let splat = Splat::<L>::new(self.sides);
        #[expect(clippy::manual_map, reason = "what is called by map is not compiled for the lanes")]
        let splats = match self.diagonal {
            Some(diagonal) => Some(Splats::<L>::new(diagonal)),
            None => None,
        };
        // With 2²⁴ boxes there are nine levels at most, and seven nodes wait on each.
        let mut stack = [(0_u32, 0_u32); 80];
        stack[0].0 = self.levels.len() as u32 - 1;
        let mut depth = 1;
        while depth > 0 {
            depth -= 1;
            let (level, index) = stack[depth];
            let node = &self.levels[level as usize].nodes[index as usize];
            let mut lanes = node.meets(&splat);
            if let Some(splats) = &splats
                && lanes != 0
            {
                lanes &= !splats.is_apart(node);
            }
            while lanes != 0 {
                let lane = lanes.trailing_zeros();
                lanes &= lanes - 1;
                let child = 8 * index + lane;
                if level == 0 {
                    (self.visit)(self.ids[child as usize]);
                } else {
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
    use crate::broad_phase::{Boxes, PairFinder, Segment};
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
        let (start, end) = (DVec3::new(-2.0, 1.0, -2.0), DVec3::new(2.0, -0.5, 1.5));
        let segment = Segment::new(start, end).expect("two points").thick(DVec3::splat(1.0));
        let sides = tree.frame.sides(&segment.bounds());
        let diagonal = segment.diagonal(tree.frame.origin).expect("a diagonal");
        for diagonal in [None, Some(&diagonal)] {
            let (mut wide, mut plain) = (Vec::new(), Vec::new());
            near(&tree.levels, &tree.ids, &sides, diagonal, &mut |id| wide.push(id));
            let (levels, ids) = (&tree.levels[..], &tree.ids[..]);
            let visit = &mut |id| plain.push(id);
            Near { levels, ids, sides: &sides, diagonal, visit }.run::<Portable>();
            assert!(wide.len() > 5);
            assert_eq!(wide, plain);
            let is_there = |id: &u32| boxes.get(*id).is_some_and(|bounds| segment.may_touch(bounds));
            let touched = (0..700).filter(is_there).filter(|id| !wide.contains(id));
            assert_eq!(touched.count(), 0);
        }
    }
}
