//! The corners of triangles in tree coordinates, in the order of its leaves: a first look at leaves that touches no other
//! memory.
//!
//! Coordinates are steps from the tree's origin, rounded to `f32`. The look is conservative: it tells triangles that a
//! ray certainly misses, and leaves the others to exact tests. `docs/math/ray-casting.md` derives its bounds.

use super::{DopTree, Leaf};
use crate::bvh::traverse::ray::TreeRay;
use crate::math::DVec3;
use crate::simd::Lanes;

/// Numbers of a triangle: three corners' x, then y, then z.
const NUMBERS: usize = 9;

/// The triangles of a tree's leaves.
#[derive(Clone, Debug, PartialEq)]
pub struct LeafTriangles {
    numbers: Vec<f32>,
}

impl LeafTriangles {
    /// The triangles in the order of the tree's leaves; `corners` tells those of an element.
    pub fn new(tree: &DopTree<6>, corners: &dyn Fn(u32) -> [DVec3; 3]) -> LeafTriangles {
        // Rows are read four at a time, two triangles at once.
        let mut numbers = Vec::with_capacity(NUMBERS * (tree.order.len() + 1) + 4);
        for &element in &tree.order {
            let corners = corners(element).map(|corner| (corner - tree.origin) * tree.scale);
            for axis in 0..3 {
                numbers.extend(corners.map(|corner| corner[axis] as f32));
            }
        }
        numbers.resize(NUMBERS * (tree.order.len() + 1) + 4, 0.0);
        LeafTriangles { numbers }
    }

    /// The bytes that the triangles take.
    pub fn bytes(&self) -> usize {
        size_of_val(self.numbers.as_slice())
    }

    /// One bit for each triangle of a leaf that the ray's line may hit.
    #[inline(always)]
    pub fn perhaps_met<L: Lanes>(&self, leaf: Leaf, ray: &TreeRay) -> u32 {
        let Some(numbers) =
            self.numbers[NUMBERS * leaf.first as usize..].first_chunk::<{ 2 * NUMBERS + 4 }>()
        else {
            return 0b11;
        };
        let (x, y, z) = (row::<L>(numbers, ray, 0), row::<L>(numbers, ray, 1), row::<L>(numbers, ray, 2));
        // Seen along the ray.
        let x = L::sub(x, L::mul(z, L::f32x8_splat(ray.shear[0])));
        let y = L::sub(y, L::mul(z, L::f32x8_splat(ray.shear[1])));
        let (next_x, next_y) = (L::turned(x), L::turned(y));
        let edges = L::sub(L::mul(x, next_y), L::mul(y, next_x));
        let size = L::add(L::abs(x), L::abs(y));
        let size = L::add(size, L::turned(size));
        let bound =
            L::add(L::mul(size, L::f32x8_splat(ray.slack)), L::f32x8_splat(ray.slack * ray.slack * 2.0));
        let left = L::f32x8_greater(edges, bound);
        let right = L::f32x8_greater(L::sub(L::f32x8_splat(0.0), edges), bound);
        let first = (left & 0b111 == 0) | (right & 0b111 == 0);
        let second = (left & 0b111_0000 == 0) | (right & 0b111_0000 == 0);
        u32::from(first) | u32::from(second & (leaf.count > 1)) << 1
    }
}

/// A coordinate of two triangles' corners, seen from where the ray starts.
#[inline(always)]
fn row<L: Lanes>(numbers: &[f32; 2 * NUMBERS + 4], ray: &TreeRay, k: usize) -> L::F32x8 {
    let at = (ray.axes[k] as usize * 3).min(6);
    let (first, second) = (numbers[at..].first_chunk::<4>(), numbers[NUMBERS + at..].first_chunk::<4>());
    let (Some(first), Some(second)) = (first, second) else { return L::f32x8_splat(0.0) };
    L::sub(L::two_rows(first, second), L::f32x8_splat(ray.start[k]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::Child;
    use crate::bvh::traverse::ray::tests::{rays, sheet, tree_of};
    use crate::simd::{Portable, Work, dispatch};

    struct Look<'w> {
        numbers: &'w LeafTriangles,
        leaf: Leaf,
        ray: &'w TreeRay,
    }

    impl Work for Look<'_> {
        type Output = u32;

        fn run<L: Lanes>(self) -> u32 {
            self.numbers.perhaps_met::<L>(self.leaf, self.ray)
        }
    }

    #[test]
    fn every_kind_of_lanes_sees_the_same_triangles() {
        let triangles = sheet(24);
        let tree = tree_of(&triangles);
        let numbers = LeafTriangles::new(&tree, &|element| triangles[element as usize]);
        let children = tree.nodes.iter().flat_map(|node| node.children);
        let leaves = children.filter(|child| child.is_leaf() && *child != Child::NONE);
        let leaves: Vec<Leaf> =
            leaves.map(|child| Leaf { first: child.index(), count: child.count() }).collect();
        let (mut looks, mut met) = (0, 0);
        for ray in rays(&tree) {
            for &leaf in &leaves {
                let seen = dispatch(Look { numbers: &numbers, leaf, ray: &ray });
                assert_eq!(seen, numbers.perhaps_met::<Portable>(leaf, &ray));
                looks += 1;
                met += u32::from(seen != 0);
            }
        }
        assert!(0 < met && met < looks, "{met} of {looks}");
    }
}
