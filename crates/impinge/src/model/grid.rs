//! The grid on which a model's vertices stand, and whether a map takes them there without rounding.
//!
//! A finite `f64` is a whole number of some power of two. Where sums and products of such numbers stay below 2⁵³ of the
//! finest step that occurs in them, no operation rounds. `docs/math/canonical-frame.md` has the bound.

use crate::mesh::Mesh;
use impinge_core::bounds::Aabb;
use impinge_core::math::{DMat3, DVec3};

/// The bits of a `f64`'s mantissa, the leading one included.
const MANTISSA_BITS: i32 = 53;
/// The exponent of the least positive `f64`.
const LEAST_EXPONENT: i32 = -1074;
/// The exponent of 0, which is a multiple of everything: larger than all others, and no sum of two overflows.
const OF_ZERO: i32 = 1 << 20;

/// The coarsest grid of powers of two, axis by axis, that all vertices used by faces stand on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Grid {
    /// The exponent of the grid's step along each axis.
    steps: [i32; 3],
    /// The largest coordinate along each axis, without its sign.
    reach: DVec3,
    /// The bits of a mantissa that a factor of each coordinate must not have, or their product may be rounded.
    forbidden: [u64; 3],
}

impl Grid {
    /// The grid of a mesh; `None` where coordinates are so fine for their size that no image but their own could be proven exact.
    pub(super) fn of(mesh: &Mesh, bounds: &Aabb) -> Option<Grid> {
        let reach = bounds.min.abs().max(bounds.max.abs());
        let finest = reach.to_array().map(|reach| leading_exponent(reach) + 1 - MANTISSA_BITS);
        let mut steps = [OF_ZERO; 3];
        let mut add = |point: DVec3| {
            for axis in 0..3 {
                steps[axis] = steps[axis].min(last_exponent(point[axis]));
            }
            (0..3).all(|axis| steps[axis] >= finest[axis])
        };
        // Most models are made of rounded numbers, and the first vertex tells.
        let fits = match mesh.triangle_table() {
            Some((points, triangles)) => {
                triangles.iter().flatten().all(|&vertex| add(points[vertex as usize]))
            }
            None => (0..mesh.face_count() as u32)
                .flat_map(|face| mesh.corners(face))
                .all(|vertex| add(mesh.vertex(vertex))),
        };
        let forbidden = std::array::from_fn(|axis| match steps[axis] {
            OF_ZERO => 0,
            step => (1 << (leading_exponent(reach[axis]) - step).clamp(0, MANTISSA_BITS - 1)) - 1,
        });
        fits.then_some(Grid { steps, reach, forbidden })
    }

    /// Whether [`has_exact_images`](Self::has_exact_images) could be true of a linear part: a first look that costs
    /// next to nothing, and that hardly any rotation passes.
    #[inline]
    pub(crate) fn admits(&self, linear: &DMat3) -> bool {
        let bits = |column: DVec3| column.x.to_bits() | column.y.to_bits() | column.z.to_bits();
        let [x, y, z] = self.forbidden;
        bits(linear.x_axis) & x | bits(linear.y_axis) & y | bits(linear.z_axis) & z == 0
    }

    /// Whether bit lengths prove that no vertex is rounded on its way through `linear · vertex + translation`, neither at
    /// the end nor on the way.
    pub(crate) fn has_exact_images(&self, linear: &DMat3, translation: DVec3) -> bool {
        let columns = [linear.x_axis, linear.y_axis, linear.z_axis];
        (0..3).all(|row| {
            // All terms and sums of terms are multiples of 2^step, and none is larger than size. Where size itself is
            // rounded, it is no less than 2^53 steps before and after.
            let (mut step, mut size) = (last_exponent(translation[row]), translation[row].abs());
            for (axis, column) in columns.iter().enumerate() {
                if column[row] != 0.0 && self.reach[axis] != 0.0 {
                    step = step.min(last_exponent(column[row]) + self.steps[axis]);
                    size += column[row].abs() * self.reach[axis];
                }
            }
            size == 0.0 || step >= LEAST_EXPONENT && size < libm::ldexp(1.0, step + MANTISSA_BITS)
        })
    }
}

/// The exponent of the last bit that is not zero: the number is an odd multiple of that power of two.
#[inline]
fn last_exponent(value: f64) -> i32 {
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    match (exponent, fraction) {
        (0, 0) => OF_ZERO,
        (0, _) => LEAST_EXPONENT + fraction.trailing_zeros() as i32,
        _ => exponent - 1075 + (fraction | 1 << 52).trailing_zeros() as i32,
    }
}

/// The exponent of the first bit; of 0 one so small that nothing is finer.
fn leading_exponent(value: f64) -> i32 {
    if value == 0.0 { -OF_ZERO } else { libm::ilogb(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(points: [[f64; 3]; 3]) -> Option<Grid> {
        let mesh = Mesh::triangles(points, vec![[0, 1, 2]]).expect("finite");
        Grid::of(&mesh, &mesh.bounds())
    }

    #[test]
    fn the_last_bit_is_found() {
        for (value, exponent) in [(1.0, 0), (3.0, 0), (-12.0, 2), (0.75, -2), (0.1, -55), (5e-324, -1074)] {
            assert_eq!(last_exponent(value), exponent, "{value}");
        }
        assert_eq!(last_exponent(f64::MIN_POSITIVE / 4.0), -1024);
        assert_eq!(last_exponent(-0.0), OF_ZERO);
    }

    #[test]
    fn images_are_exact_up_to_the_last_bit_and_no_further() {
        // Whole numbers up to 2^26 - 1, in x only.
        let wide = grid([[67_108_863.0, 0.0, 0.0], [1.0, 2.0, 0.0], [0.0, 1.0, 0.0]]).expect("a grid");
        let scaled = |x: f64| DMat3::from_diagonal(DVec3::new(x, 1.0, 1.0));
        // 27 bits and 28 bits.
        let (most, more) = (scaled(134_217_727.0), scaled(268_435_455.0));
        assert!(wide.admits(&most) && wide.has_exact_images(&most, DVec3::ZERO));
        assert!(!wide.has_exact_images(&more, DVec3::ZERO));
        // A translation may need the last bit.
        assert!(wide.has_exact_images(&scaled(1.0), DVec3::X * (1u64 << 52) as f64));
        assert!(!wide.has_exact_images(&scaled(1.0), DVec3::X * (1u64 << 53) as f64));
        assert!(!wide.has_exact_images(&scaled(1.0), DVec3::X * 2f64.powi(-28)));
        // Along z there is nothing to be rounded but the translation, which is not.
        let tenths = DMat3::from_diagonal(DVec3::new(1.0, 1.0, 0.1));
        assert!(wide.admits(&tenths) && wide.has_exact_images(&tenths, DVec3::Z * 0.1));
        assert!(!wide.admits(&DMat3::from_rotation_y(0.3)));
    }

    #[test]
    fn rounded_numbers_have_no_grid() {
        assert_eq!(grid([[1.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 1.0, 0.0]]), None);
        assert!(
            grid([[0.1, 0.0, 0.0], [0.2, 0.0, 0.0], [0.0, 1.0, 0.0]]).is_some(),
            "one is twice the other"
        );
        // One bit each.
        let single = grid([[0.0; 3], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0]]).expect("a grid");
        let scale = DMat3::from_diagonal(DVec3::splat(0.1));
        assert!(single.admits(&scale) && single.has_exact_images(&scale, DVec3::ZERO));
        assert!(!single.has_exact_images(&scale, DVec3::ONE));
        // A vertex that no face uses does not count.
        let points = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.1, 3.0, 1e-9]];
        let mesh = Mesh::triangles(points, vec![[0, 1, 2]]).expect("finite");
        assert!(Grid::of(&mesh, &mesh.bounds()).is_some());
    }
}
