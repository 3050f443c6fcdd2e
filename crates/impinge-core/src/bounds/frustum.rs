//! View frusta: the points that a matrix takes into the clip volume.

use super::error::{VolumeError, VolumePart, check};
use super::half_space::HalfSpace;
use crate::math::DVec3;
use crate::predicates::Dyadic;

/// The depths that a renderer shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DepthRange {
    /// Depths from -w to w, as in OpenGL.
    #[default]
    MinusOneToOne,
    /// Depths from 0 to w, as in Direct3D, Vulkan, Metal and WebGPU. Which end is near does not matter.
    ZeroToOne,
}

/// The intersection of up to six half-spaces: all points whose clip coordinates `(x, y, z, w) = M (p, 1)` lie within
/// -w and w, the depth within its range. May reach to infinity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frustum {
    sides: [Option<HalfSpace>; 6],
}

impl Frustum {
    /// The view frustum of a camera with this matrix (projection · view, row by row, for column vectors).
    ///
    /// The half-spaces are sums and differences of the matrix' rows, rounded once; they are the frustum. Any invertible
    /// matrix will do: perspective, orthographic, reversed depth, infinitely far. Its scale does not matter, but its sign
    /// does: w is positive for what is in front of the camera.
    ///
    /// ```
    /// use impinge_core::bounds::{DepthRange, Frustum};
    ///
    /// let cube = [[1., 0., 0., 0.], [0., 1., 0., 0.], [0., 0., 1., 0.], [0., 0., 0., 1.]];
    /// let frustum = Frustum::new(cube, DepthRange::MinusOneToOne)?;
    /// assert_eq!(frustum.sides().count(), 6);
    /// # Ok::<(), impinge_core::bounds::VolumeError>(())
    /// ```
    pub fn new(clip_from_world: [[f64; 4]; 4], depth: DepthRange) -> Result<Frustum, VolumeError> {
        let rows = clip_from_world;
        for (row, entries) in rows.iter().enumerate() {
            check(entries, LARGEST_ENTRY, |column| VolumePart::Entry { row, column })?;
        }
        if is_singular(&rows) {
            return Err(VolumeError::SingularFrustum);
        }
        // w + sign · row ≥ 0, and row ≥ 0 for depths from 0.
        let side = |row: usize, sign: f64| -> [f64; 4] {
            if row == 2 && sign > 0.0 && depth == DepthRange::ZeroToOne {
                return rows[2];
            }
            std::array::from_fn(|i| rows[3][i] + sign * rows[row][i])
        };
        let mut sides = [None; 6];
        for (i, half_space) in sides.iter_mut().enumerate() {
            let [x, y, z, w] = side(i / 2, if i % 2 == 0 { 1.0 } else { -1.0 });
            *half_space = HalfSpace::of_row(-DVec3::new(x, y, z), w);
            // A side without a normal is everywhere, as the far side of an infinite frustum, or nowhere.
            if half_space.is_none() && w < 0.0 {
                return Err(VolumeError::EmptyFrustum);
            }
        }
        if sees_nothing(&rows, depth) {
            return Err(VolumeError::EmptyFrustum);
        }
        Ok(Frustum { sides })
    }

    /// The half-spaces whose intersection it is: left, right, bottom, top, near, far, as far as there are such.
    pub fn sides(&self) -> impl Iterator<Item = HalfSpace> + '_ {
        self.sides.iter().flatten().copied()
    }

    /// The half-spaces in a fixed order: left, right, bottom, top, near, far; `None` where there is no such side.
    pub fn places(&self) -> &[Option<HalfSpace>; 6] {
        &self.sides
    }
}

/// So that sums of two entries are finite.
const LARGEST_ENTRY: f64 = f64::MAX / 4.0;

/// Whether the determinant is exactly zero.
fn is_singular(rows: &[[f64; 4]; 4]) -> bool {
    let exact: [[Dyadic; 4]; 4] = rows.map(|row| row.map(Dyadic::from));
    let minor = |i: usize, j: usize, k: usize| {
        // Of the lower three rows.
        let pair = |a: usize, b: usize| &(&exact[2][a] * &exact[3][b]) - &(&exact[2][b] * &exact[3][a]);
        let sum = &(&exact[1][i] * &pair(j, k)) - &(&exact[1][j] * &pair(i, k));
        &sum + &(&exact[1][k] * &pair(i, j))
    };
    let left = &(&exact[0][0] * &minor(1, 2, 3)) - &(&exact[0][1] * &minor(0, 2, 3));
    let right = &(&exact[0][2] * &minor(0, 1, 3)) - &(&exact[0][3] * &minor(0, 1, 2));
    (&left + &right).sign().is_zero()
}

/// Whether no corner ray of the clip volume comes from a point of the world: every one would need a world coordinate
/// `w = 1` that is not positive. Judged in `f64`; a frustum that is only just empty is let pass, and touches nothing.
fn sees_nothing(rows: &[[f64; 4]; 4], depth: DepthRange) -> bool {
    let size = rows.iter().flatten().fold(0.0_f64, |most, entry| most.max(entry.abs()));
    let matrix = glam::DMat4::from_cols_array_2d(&rows.map(|row| row.map(|entry| entry / size))).transpose();
    let last = matrix.inverse().row(3);
    let near = if depth == DepthRange::ZeroToOne { 0.0 } else { -1.0 };
    let seen = |corner: u32| {
        let sign = |bit: u32| if corner >> bit & 1 == 1 { 1.0 } else { -1.0 };
        let depth = if corner >> 2 & 1 == 1 { 1.0 } else { near };
        last.dot(glam::DVec4::new(sign(0), sign(1), depth, 1.0))
    };
    (0..8).all(|corner| seen(corner) < 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::IntoPoint;

    const IDENTITY: [[f64; 4]; 4] =
        [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

    fn holds(frustum: &Frustum, point: impl IntoPoint) -> bool {
        let point = point.into_point();
        frustum.sides().all(|side| side.normal().dot(point) <= side.offset())
    }

    #[test]
    fn sides_of_a_cube() {
        let gl = Frustum::new(IDENTITY, DepthRange::MinusOneToOne).expect("a cube");
        let vulkan = Frustum::new(IDENTITY, DepthRange::ZeroToOne).expect("half a cube");
        assert!(holds(&gl, [1.0, -1.0, -1.0]) && !holds(&gl, [1.5, 0.0, 0.0]));
        assert!(holds(&vulkan, [1.0, -1.0, 0.0]) && !holds(&vulkan, [0.0, 0.0, -0.5]));
    }

    #[test]
    fn perspective_near_far_and_infinite() {
        let rows = |matrix: glam::DMat4| matrix.transpose().to_cols_array_2d();
        let view = rows(glam::dcamera::rh::proj::opengl::perspective(1.0, 1.5, 0.5, 10.0));
        let frustum = Frustum::new(view, DepthRange::MinusOneToOne).expect("a camera");
        assert!(holds(&frustum, [0.0, 0.0, -1.0]) && !holds(&frustum, [0.0, 0.0, 1.0]));
        assert!(!holds(&frustum, [0.0, 0.0, -0.25]) && !holds(&frustum, [0.0, 0.0, -11.0]));
        let infinite = rows(glam::dcamera::rh::proj::directx::perspective_infinite_reverse(1.0, 1.0, 0.5));
        let frustum = Frustum::new(infinite, DepthRange::ZeroToOne).expect("a camera");
        assert_eq!(frustum.sides().count(), 5);
        assert!(holds(&frustum, [0.0, 0.0, -1e30]) && !holds(&frustum, [0.0, 0.0, -0.25]));
    }

    #[test]
    fn refusals() {
        let with = |row: usize, column: usize, value: f64| {
            let mut rows = IDENTITY;
            rows[row][column] = value;
            Frustum::new(rows, DepthRange::default())
        };
        assert!(matches!(
            with(1, 2, f64::NAN),
            Err(VolumeError::NotFinite { part: VolumePart::Entry { row: 1, column: 2 }, .. })
        ));
        assert_eq!(with(2, 2, 0.0), Err(VolumeError::SingularFrustum));
        assert_eq!(with(3, 3, -1.0), Err(VolumeError::EmptyFrustum));
    }
}
