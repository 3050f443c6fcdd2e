//! The image of a single DOP, aligned as a traversal aligns those of a tree (Zachmann 1998, §4.1, figure 3).

use super::fit::round_up;
use super::steps::{FULLEST, STEPS, in_steps, spans};
use super::{Alignment, DopTree};
use crate::bounds::{Aabb, Dop, directions};
use crate::math::{DAffine3, DVec3};

impl<const K: usize> Dop<K> {
    /// A polytope with the same directions around the image of this one under an affine map: the one that the traversal of
    /// two trees encloses a turned bound in.
    ///
    /// Every new offset is a combination of old ones, or the least of several combinations; which ones depends on the map
    /// alone. That is the least such polytope where every side of this one touches it, as around points it does. Offsets
    /// are rounded outward to the 16 bits of a tree that is as large as the polytope. The image of an empty polytope is empty; that of an unbounded one has infinite offsets.
    #[doc(alias = "align")]
    #[doc(alias = "transform")]
    #[must_use]
    pub fn image(&self, world_from_local: &DAffine3) -> Dop<K> {
        let local_box = self.bounds();
        let world_box = local_box.image(world_from_local);
        if local_box.is_empty() {
            return Dop::EMPTY;
        }
        if !(local_box.size() + world_box.size()).is_finite() {
            return Dop { offsets: [f64::INFINITY; K] };
        }
        let (local, world) = (frame::<K>(local_box), frame::<K>(world_box));
        // What rounding costs on the way into tree coordinates and out of them.
        let reach = |bounds: &Aabb| bounds.min.abs().max(bounds.max.abs()).max_element();
        let room = 16.0 * f64::EPSILON;
        let alignment = Alignment::new(&world, &local, world_from_local, room * reach(&world_box));
        let unit = local.scale / STEPS;
        let local_room = room * (reach(&local_box) * unit).max(1.0);
        let aligned = alignment.apply_to_one(&in_steps(&std::array::from_fn(|i| {
            // No coordinate exceeds the fullest, so an offset beyond says nothing.
            let most = FULLEST * const { directions::<K>() }[i].iter().map(|c| c.abs()).sum::<f64>();
            let offset = (self.offsets[i] - along::<K>(i, local.origin)) * unit;
            round_up(offset.clamp(-most, most), local_room)
        })));
        Dop {
            offsets: std::array::from_fn(|i| {
                let in_world = f64::from(aligned[i]) * const { spans::<K>() }[i] / world.scale;
                in_world + along::<K>(i, world.origin) + room * reach(&world_box)
            }),
        }
    }
}

/// An empty tree, for the origin and the scale that a tree in that box has.
fn frame<const K: usize>(bounds: Aabb) -> DopTree<K> {
    let nothing: &[[DVec3; 3]] = &[];
    DopTree::build(0, bounds, nothing)
}

fn along<const K: usize>(i: usize, point: DVec3) -> f64 {
    DVec3::from_array(const { directions::<K>() }[i]).dot(point)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{DMat3, DQuat};

    /// Where three planes meet and no other plane cuts off.
    fn corners<const K: usize>(dop: &Dop<K>) -> Vec<DVec3> {
        let normal = |i: usize| DVec3::from_array(directions::<K>()[i]);
        let size = dop.bounds().size().max_element();
        let mut corners = Vec::new();
        for (i, j, l) in (0..K).flat_map(|i| (0..i).flat_map(move |j| (0..j).map(move |l| (i, j, l)))) {
            let matrix = DMat3::from_cols(normal(i), normal(j), normal(l)).transpose();
            if matrix.determinant() != 0.0 {
                let corner = matrix.inverse() * DVec3::new(dop.offsets[i], dop.offsets[j], dop.offsets[l]);
                if (0..K).all(|m| normal(m).dot(corner) <= dop.offsets[m] + 1e-12 * size) {
                    corners.push(corner);
                }
            }
        }
        corners
    }

    fn check<const K: usize>() {
        let mut state = K as u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        for case in 0..60 {
            let mut vector = || DVec3::new(random(), random(), random());
            let turn = DMat3::from_quat(DQuat::from_axis_angle(vector().normalize(), 3.0 * vector().x));
            let stretch = match case % 4 {
                0 | 1 => DMat3::IDENTITY,
                2 => DMat3::from_diagonal(DVec3::new(0.5, -2.0, 3e-4)),
                _ => DMat3::from_cols(DVec3::X, DVec3::new(0.7, 1.0, 0.2), DVec3::new(-0.4, 0.3, 1.5)),
            };
            let [far, size] = [[0.0, 1.0], [1e6, 1.0], [0.0, 1e150], [0.0, 1e-150]][case / 4 % 4];
            let map = DAffine3 { matrix3: turn * stretch, translation: (vector() + far) * size };
            let shift = if case % 5 == 0 { vector() * 100.0 } else { DVec3::ZERO };
            let dop = Dop::<K>::around((0..3 + case % 3).map(|_| (vector() + shift) * size));
            let image = dop.image(&map);
            let turned = corners(&dop).into_iter().map(|corner| map.transform_point3(corner));
            let least = Dop::<K>::around(turned);
            for i in 0..K {
                assert!(least.offsets[i] <= image.offsets[i], "{K} {case} {i}: {least:?} {image:?}");
            }
            if far == 0.0 {
                let loose = (0..K).map(|i| image.offsets[i] - least.offsets[i]).fold(0.0, f64::max);
                // Some steps of 2^-15 of the size, and of four times as much along corners.
                let steps = if K == 6 { 1e-3 } else { 6e-3 };
                assert!(
                    loose <= steps * least.bounds().size().max_element(),
                    "{K} {case}: {loose} {least:?} {image:?}"
                );
            }
        }
        assert_eq!(Dop::<K>::EMPTY.image(&DAffine3::IDENTITY), Dop::EMPTY);
        let all = Dop { offsets: [f64::INFINITY; K] };
        assert_eq!(all.image(&DAffine3::IDENTITY), all);
    }

    #[test]
    fn the_image_holds_the_turned_polytope() {
        check::<6>();
        check::<8>();
        check::<14>();
        check::<18>();
        check::<26>();
    }

    /// The volume and the offsets of images against the least polytope around the turned one, for boxes that are cubic, flat and
    /// long, and for triangles.
    fn check_tightness<const K: usize>() {
        let mut state = 7 * K as u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        let sizes =
            [[1.0, 1.0, 1.0], [1.0, 1.0, 0.05], [1.0, 0.05, 0.05], [0.05, 1.0, 0.05], [0.05, 1.0, 1.0]];
        for case in 0..200 {
            let mut vector = || DVec3::new(random(), random(), random());
            let axis = if case % 3 == 0 { DVec3::Z } else { vector().normalize() };
            let turn = DAffine3::from_quat(DQuat::from_axis_angle(axis, 3.0 * vector().x));
            let dop = match sizes.get(case % 6) {
                Some(&size) => {
                    let signs = (0..8)
                        .map(|i| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)));
                    Dop::<K>::around(signs.map(|sign| (2.0 * sign - 1.0) * DVec3::from_array(size)))
                }
                None => Dop::<K>::around([vector(), vector(), vector()]),
            };
            let image = dop.image(&turn);
            let least =
                Dop::<K>::around(corners(&dop).into_iter().map(|corner| turn.transform_point3(corner)));
            let size = least.bounds().size().max_element();
            let loose = (0..K).map(|i| image.offsets[i] - least.offsets[i]).fold(0.0, f64::max);
            assert!(loose <= 1e-3 * size, "{K} {case}: {loose} of {size}");
            let ratio = image.volume() / least.volume();
            assert!(ratio <= 1.02, "{K} {case}: {ratio} times the volume");
        }
    }

    #[test]
    fn the_image_is_as_small_as_it_can_be() {
        check_tightness::<6>();
        check_tightness::<8>();
        check_tightness::<14>();
        check_tightness::<18>();
        check_tightness::<26>();
    }
}
