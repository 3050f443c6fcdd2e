//! Shapes of chance: hills, bumpy spheres, soups of triangles.

use crate::error::{ShapeError, indexable, positive, product, require, some};
use crate::random::mix;
use crate::{Faces, Polyhedron, Random, Surface, round};
use glam::DVec3;

/// Hills: a height grid of `columns × rows` vertices over the square of the given size around the
/// origin, its heights between `-height / 2` and `height / 2` from smooth noise. It has
/// `2 · (columns - 1) · (rows - 1)` triangles.
///
/// ```
/// let hills = impinge_shapes::hills(100.0, 8.0, 65, 33, 1)?;
/// assert_eq!(hills.triangle_count(), 2 * 64 * 32);
/// assert_eq!(hills, impinge_shapes::hills(100.0, 8.0, 65, 33, 1)?);
/// # Ok::<(), impinge_shapes::ShapeError>(())
/// ```
#[doc(alias = "heightfield")]
pub fn hills(size: f64, height: f64, columns: u32, rows: u32, seed: u64) -> Result<Polyhedron, ShapeError> {
    positive("size", size)?;
    positive("height", height)?;
    require(columns >= 2, "columns", f64::from(columns), "at least 2")?;
    require(rows >= 2, "rows", f64::from(rows), "at least 2")?;
    indexable(product(&[2, columns, rows]))?;
    let spacing = [size / f64::from(columns - 1), size / f64::from(rows - 1)];
    let fine = spacing.iter().all(|&distance| distance > 0.0);
    require(fine, "size", size, "large enough to be divided into columns and rows")?;
    let first = -0.5 * size;
    let vertices = (0..rows)
        .flat_map(|row| {
            let y = f64::from(row) / f64::from(rows - 1);
            (0..columns).map(move |column| {
                let x = f64::from(column) / f64::from(columns - 1);
                DVec3::new(
                    first + spacing[0] * f64::from(column),
                    first + spacing[1] * f64::from(row),
                    // Adding zero turns -0, which a tiny height can underflow to, into 0.
                    height * (value_noise([x, y], seed) - 0.5) + 0.0,
                )
            })
        })
        .collect();
    Polyhedron::new(vertices, Faces::Grid { columns, spacing })
}

/// A [sphere](crate::sphere) with bumps and dents around `bumps` random directions, its vertices between
/// `radius · (1 - amplitude)` and `radius · (1 + amplitude)` from the origin, from where every point of it can be
/// seen; so it does not run into itself, though it is far from convex. It has `2 · segments · (rings - 1)`
/// triangles.
pub fn bumpy_sphere(
    radius: f64,
    amplitude: f64,
    bumps: u32,
    segments: u32,
    rings: u32,
    seed: u64,
) -> Result<Polyhedron, ShapeError> {
    bumpy_sphere_surface(radius, amplitude, bumps, segments, rings, seed)?.polyhedron()
}

/// `count` triangles that have nothing to do with each other, as a soup without indices: their first corners in
/// the cube of edge 2 around the origin, the others within `size` of it in each axis.
pub fn random_soup(count: u32, size: f64, seed: u64) -> Result<Polyhedron, ShapeError> {
    some("count", count)?;
    positive("size", size)?;
    indexable(Some(u64::from(count)))?;
    let mut random = Random::new(seed);
    let mut corners = Vec::with_capacity(3 * count as usize);
    for _ in 0..count {
        let corner = random.in_cube();
        corners.extend([corner, corner + random.in_cube() * size, corner + random.in_cube() * size]);
    }
    Polyhedron::new(corners, Faces::Soup)
}

/// The surface of [`bumpy_sphere`].
pub(crate) fn bumpy_sphere_surface(
    radius: f64,
    amplitude: f64,
    bumps: u32,
    segments: u32,
    rings: u32,
    seed: u64,
) -> Result<Surface, ShapeError> {
    positive("radius", radius)?;
    let fine = amplitude > 0.0 && amplitude < 1.0;
    require(fine, "amplitude", amplitude, "above 0 and below 1")?;
    some("bumps", bumps)?;
    let mut random = Random::new(seed);
    let bumps: Vec<(DVec3, f64, f64)> = (0..bumps)
        .map(|_| {
            let direction = random.direction();
            let height = random.between(0.7, 1.6) * if random.below(3) == 0 { -1.0 } else { 1.0 };
            (direction, height, random.between(8.0, 40.0))
        })
        .collect();
    let factor = |direction: DVec3| {
        let sum: f64 = bumps
            .iter()
            .map(|(bump, height, sharpness)| height * libm::exp(sharpness * (direction.dot(*bump) - 1.0)))
            .sum();
        // Bounded however many bumps pile up.
        1.0 + amplitude * (sum / libm::sqrt(1.0 + sum * sum))
    };
    let ball = round::sphere_surface(1.0, segments, rings)?;
    Ok(ball.mapped(|direction| direction * (radius * factor(direction))))
}

/// Noise in `[0, 1)` over the unit square: random values on grids of 4, 8, 16 and 32 cells, each counting half as
/// much as the one before, blended so that slopes are continuous.
fn value_noise([x, y]: [f64; 2], seed: u64) -> f64 {
    let (mut sum, mut weight, mut cells) = (0.0, 0.5, 4.0);
    for octave in 0..4_u64 {
        let ((column, u), (row, v)) = (cell(x * cells), cell(y * cells));
        let value = |column: u64, row: u64| {
            let place = mix(mix(mix(seed ^ octave << 60).wrapping_add(column)).wrapping_add(row));
            (place >> 11) as f64 / (1_u64 << 53) as f64
        };
        let near = value(column, row) * (1.0 - u) + value(column + 1, row) * u;
        let far = value(column, row + 1) * (1.0 - u) + value(column + 1, row + 1) * u;
        sum += weight * (near * (1.0 - v) + far * v);
        weight *= 0.5;
        cells *= 2.0;
    }
    // The weights sum to 15/16.
    sum / 0.9375
}

/// The grid line below a coordinate, and how far the blend to the next has come.
fn cell(coordinate: f64) -> (u64, f64) {
    let line = libm::floor(coordinate);
    let t = coordinate - line;
    (line as u64, t * t * (3.0 - 2.0 * t))
}
