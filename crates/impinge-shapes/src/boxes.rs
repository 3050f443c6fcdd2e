//! Shapes of right angles: boxes, grids on boxes, stairs.

use crate::error::{ShapeError, indexable, positive_each, product, require, some};
use crate::{Faces, Polyhedron, Surface};
use glam::DVec3;

/// The faces of a box as quads, counter-clockwise seen from outside. Vertex `v` is at the maximum in x, y, z where
/// bit 0, 1, 2 of `v` is set.
const QUADS: [[u32; 4]; 6] =
    [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];

/// A box of 12 triangles.
///
/// ```
/// let crate_ = impinge_shapes::cuboid([-1.0, -1.0, 0.0], [1.0, 1.0, 0.5])?;
/// assert_eq!((crate_.vertices().len(), crate_.triangle_count()), (8, 12));
/// assert!(impinge_shapes::cuboid([1.0; 3], [-1.0; 3]).is_err());
/// # Ok::<(), impinge_shapes::ShapeError>(())
/// ```
#[doc(alias = "aabb")]
pub fn cuboid(min: impl Into<DVec3>, max: impl Into<DVec3>) -> Result<Polyhedron, ShapeError> {
    let vertices = corners(min.into(), max.into())?;
    let triangles = QUADS.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Polyhedron::new(vertices.to_vec(), Faces::Triangles(triangles))
}

/// A box of 6 quads, which are polygons of four corners.
pub fn cuboid_of_quads(min: impl Into<DVec3>, max: impl Into<DVec3>) -> Result<Polyhedron, ShapeError> {
    let polygons = QUADS.map(Vec::from).to_vec();
    Polyhedron::new(corners(min.into(), max.into())?.to_vec(), Faces::Polygons(polygons))
}

/// A box with each side divided into a grid of cells: `cells` counts them along x, y, z. With `[a, b, c]` cells
/// it has `4 · (ab + bc + ca)` triangles, whose edges join without T-junctions.
pub fn cuboid_grid(
    min: impl Into<DVec3>,
    max: impl Into<DVec3>,
    cells: [u32; 3],
) -> Result<Polyhedron, ShapeError> {
    cuboid_grid_surface(min.into(), max.into(), cells)?.polyhedron()
}

/// A flight of stairs in a box of the given size around the origin, rising along x: two steps make an L. Its
/// treads and risers are cut into `strips` along y. It has `4 · (steps + strips · (steps + 1))` triangles.
pub fn stairs(size: impl Into<DVec3>, steps: u32, strips: u32) -> Result<Polyhedron, ShapeError> {
    stairs_surface(size.into(), steps, strips)?.polyhedron()
}

/// The corners of a box, if it is one.
fn corners(min: DVec3, max: DVec3) -> Result<[DVec3; 8], ShapeError> {
    for (value, bound) in min.to_array().into_iter().zip(max.to_array()) {
        let fine = value < bound && value.is_finite();
        require(fine, "min", value, "finite and below max in every axis")?;
        require(bound.is_finite(), "max", bound, "finite")?;
    }
    Ok(std::array::from_fn(|v| {
        let bit = |axis: usize| v >> axis & 1 == 1;
        DVec3::new(
            if bit(0) { max.x } else { min.x },
            if bit(1) { max.y } else { min.y },
            if bit(2) { max.z } else { min.z },
        )
    }))
}

/// The surface of [`cuboid_grid`].
pub(crate) fn cuboid_grid_surface(min: DVec3, max: DVec3, cells: [u32; 3]) -> Result<Surface, ShapeError> {
    corners(min, max)?;
    cells.into_iter().try_for_each(|count| some("cells", count))?;
    let [a, b, c] = cells;
    let count = [[4, a, b], [4, b, c], [4, c, a]]
        .iter()
        .try_fold(0_u64, |sum, factors| sum.checked_add(product(factors)?));
    indexable(count)?;
    let mut surface = Surface::with_room(count.unwrap_or(0));
    // A coordinate depends on its own grid line alone, so sides are exactly flat and edges exactly straight; the
    // ends are taken as they are, for the sum would round.
    let line = |axis: usize, i: u32| {
        let share = f64::from(i) / f64::from(cells[axis]);
        if i == cells[axis] { max[axis] } else { min[axis] + (max[axis] - min[axis]) * share }
    };
    let point = |[i, j, k]: [u32; 3]| DVec3::new(line(0, i), line(1, j), line(2, k));

    // Around x and y: one ring a layer of z. The caps own only the vertices inside their rims.
    let around = 2 * (u64::from(a) + u64::from(b));
    indexable(Some(around))?;
    let around = around as u32;
    let rim = |i: u32| match i {
        i if i < a => [i, 0],
        i if i < a + b => [a, i - a],
        i if i < 2 * a + b => [2 * a + b - i, b],
        i => [0, around - i],
    };
    let layers = (0..=c).map(|k| surface.ring(around, |i| point([rim(i)[0], rim(i)[1], k])));
    let layers: Vec<_> = layers.collect();
    for pair in layers.windows(2) {
        surface.band(pair[0], pair[1]);
    }
    for (k, first_of_rim) in [(0, 0), (c, c * around)] {
        let first_inside = surface.vertices().len() as u32;
        for j in 1..b {
            for i in 1..a {
                surface.vertex(point([i, j, k]));
            }
        }
        let at = |i: u32, j: u32| match (i, j) {
            (i, 0) => first_of_rim + i,
            (i, j) if i == a => first_of_rim + a + j,
            (i, j) if j == b => first_of_rim + 2 * a + b - i,
            (0, j) => first_of_rim + around - j,
            (i, j) => first_inside + (j - 1) * (a - 1) + i - 1,
        };
        for j in 0..b {
            for i in 0..a {
                let [near, right, far, left] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                surface.quad(if k == 0 { [near, left, far, right] } else { [near, right, far, left] });
            }
        }
    }
    Ok(surface)
}

/// The surface of [`stairs`].
pub(crate) fn stairs_surface(size: DVec3, steps: u32, strips: u32) -> Result<Surface, ShapeError> {
    positive_each("size", size)?;
    some("steps", steps)?;
    some("strips", strips)?;
    let (n, s) = (u64::from(steps), u64::from(strips));
    let count = s.checked_mul(n + 1).and_then(|walls| walls.checked_add(n)?.checked_mul(4));
    indexable(count)?;
    let mut surface = Surface::with_room(count.unwrap_or(0));
    // The side seen along +y is a polygon in x and z: the foot of the back wall first, for it sees every other corner.
    let corner = |i: u32| match i {
        0 => [steps, 0],
        i => [steps - i / 2, steps - (i - 1) / 2],
    };
    let place = |i: u32, layer: u32| {
        let [x, z] = corner(i).map(|grid| f64::from(grid) / f64::from(steps) - 0.5);
        let y = f64::from(layer) / f64::from(strips) - 0.5;
        DVec3::new(x, y, z) * size
    };
    // Corner 2n + 1 is the foot of the first riser, corner 0 that of the back wall. Seen against +y the outline
    // runs clockwise, so the layers are stacked from the far side to the near one.
    let corners = 2 * steps + 2;
    let rings: Vec<_> = (0..=strips).rev().map(|layer| surface.ring(corners, |i| place(i, layer))).collect();
    for pair in rings.windows(2) {
        surface.band(pair[0], pair[1]);
    }
    let near = strips * corners;
    for i in 1..corners - 1 {
        surface.triangle(0, i + 1, i);
        surface.triangle(near, near + i, near + i + 1);
    }
    Ok(surface)
}
