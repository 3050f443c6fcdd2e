//! Regular solids, their sides divided evenly, blown up to a sphere or drawn out to spikes.

use crate::error::{ShapeError, indexable, positive, product, require, some};
use crate::{Polyhedron, Surface};
use glam::DVec3;

/// A regular tetrahedron with its 4 corners at `radius` from the origin.
pub fn tetrahedron(radius: f64) -> Result<Polyhedron, ShapeError> {
    flat(&TETRAHEDRON, radius, 1)?.polyhedron()
}

/// A regular octahedron of 8 triangles with its 6 corners on the axes, at `radius` from the origin.
pub fn octahedron(radius: f64) -> Result<Polyhedron, ShapeError> {
    flat(&OCTAHEDRON, radius, 1)?.polyhedron()
}

/// A sphere whose triangles are all much alike: an icosahedron with each edge cut into `frequency` pieces, every
/// vertex at `radius` from the origin. It has `20 · frequency²` triangles.
///
/// ```
/// assert_eq!(impinge_shapes::icosphere(1.0, 1)?.triangle_count(), 20);
/// assert_eq!(impinge_shapes::icosphere(1.0, 8)?.triangle_count(), 1280);
/// # Ok::<(), impinge_shapes::ShapeError>(())
/// ```
#[doc(alias = "geodesic")]
pub fn icosphere(radius: f64, frequency: u32) -> Result<Polyhedron, ShapeError> {
    icosphere_surface(radius, frequency)?.polyhedron()
}

/// A ball with a spike on each side: an [`icosphere`] of radius `inner` with every triangle drawn
/// out to a tip at `outer`. It has `60 · frequency²` triangles, `20 · frequency²` spikes, and every point of it
/// can be seen from the origin, so it does not run into itself.
#[doc(alias = "spikes")]
pub fn star(outer: f64, inner: f64, frequency: u32) -> Result<Polyhedron, ShapeError> {
    star_surface(outer, inner, frequency)?.polyhedron()
}

/// Corners, not of unit length, and sides, counter-clockwise seen from outside.
pub(crate) struct Solid {
    corners: &'static [[f64; 3]],
    sides: &'static [[u32; 3]],
}

pub(crate) const TETRAHEDRON: Solid = Solid {
    corners: &[[1., 1., 1.], [1., -1., -1.], [-1., 1., -1.], [-1., -1., 1.]],
    sides: &[[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]],
};

pub(crate) const OCTAHEDRON: Solid = Solid {
    corners: &[[1., 0., 0.], [-1., 0., 0.], [0., 1., 0.], [0., -1., 0.], [0., 0., 1.], [0., 0., -1.]],
    sides: &[[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]],
};

const GOLDEN: f64 = 1.618_033_988_749_895;

const ICOSAHEDRON: Solid = Solid {
    corners: &[
        [-1., GOLDEN, 0.],
        [1., GOLDEN, 0.],
        [-1., -GOLDEN, 0.],
        [1., -GOLDEN, 0.],
        [0., -1., GOLDEN],
        [0., 1., GOLDEN],
        [0., -1., -GOLDEN],
        [0., 1., -GOLDEN],
        [GOLDEN, 0., -1.],
        [GOLDEN, 0., 1.],
        [-GOLDEN, 0., -1.],
        [-GOLDEN, 0., 1.],
    ],
    sides: &[
        [0, 11, 5],
        [0, 5, 1],
        [0, 1, 7],
        [0, 7, 10],
        [0, 10, 11],
        [1, 5, 9],
        [5, 11, 4],
        [11, 10, 2],
        [10, 7, 6],
        [7, 1, 8],
        [3, 9, 4],
        [3, 4, 2],
        [3, 2, 6],
        [3, 6, 8],
        [3, 8, 9],
        [4, 9, 5],
        [2, 4, 11],
        [6, 2, 10],
        [8, 6, 7],
        [9, 8, 1],
    ],
};

/// A solid with each edge cut into `frequency` pieces and its sides left flat: `sides · frequency²` triangles.
pub(crate) fn flat(solid: &Solid, radius: f64, frequency: u32) -> Result<Surface, ShapeError> {
    positive("radius", radius)?;
    let scale = radius / DVec3::from_array(solid.corners[0]).length();
    Ok(divided(solid, frequency)?.mapped(|point| point * scale))
}

/// The surface of [`icosphere`].
pub(crate) fn icosphere_surface(radius: f64, frequency: u32) -> Result<Surface, ShapeError> {
    positive("radius", radius)?;
    Ok(divided(&ICOSAHEDRON, frequency)?.mapped(|point| point * (radius / point.length())))
}

/// The surface of [`star`].
pub(crate) fn star_surface(outer: f64, inner: f64, frequency: u32) -> Result<Surface, ShapeError> {
    positive("outer", outer)?;
    positive("inner", inner)?;
    require(inner < outer, "inner", inner, "below outer")?;
    let count = product(&[60, frequency, frequency]);
    indexable(count)?;
    let ball = icosphere_surface(inner, frequency)?;
    let mut surface = Surface::with_room(count.unwrap_or(0));
    for &point in ball.vertices() {
        surface.vertex(point);
    }
    for &[a, b, c] in ball.triangles() {
        let middle: DVec3 = [a, b, c].iter().map(|&corner| ball.vertices()[corner as usize]).sum();
        let tip = surface.vertex(middle * (outer / middle.length()));
        surface.triangle(a, b, tip);
        surface.triangle(b, c, tip);
        surface.triangle(c, a, tip);
    }
    Ok(surface)
}

/// Cuts each side of a solid into `frequency²` triangles; sides share the vertices on their edges.
fn divided(solid: &Solid, frequency: u32) -> Result<Surface, ShapeError> {
    some("frequency", frequency)?;
    let count = product(&[solid.sides.len() as u32, frequency, frequency]);
    indexable(count)?;
    let mut surface = Surface::with_room(count.unwrap_or(0));
    let corner = |v: u32| DVec3::from_array(solid.corners[v as usize]);
    for v in 0..solid.corners.len() as u32 {
        surface.vertex(corner(v));
    }
    // The first inner vertex of each edge, which is listed from its lesser corner to its greater.
    let mut edges: Vec<([u32; 2], u32)> = Vec::new();
    for &[a, b, c] in solid.sides {
        let mut edge = |from: u32, to: u32| {
            let ends = [from.min(to), from.max(to)];
            if let Some((_, first)) = edges.iter().find(|(known, _)| *known == ends) {
                return *first;
            }
            let [low, high] = ends.map(corner);
            let first = surface.vertices().len() as u32;
            for i in 1..frequency {
                let (done, rest) = (f64::from(i), f64::from(frequency - i));
                surface.vertex((low * rest + high * done) / f64::from(frequency));
            }
            edges.push((ends, first));
            first
        };
        let [ab, bc, ac] = [edge(a, b), edge(b, c), edge(a, c)];
        let first_inside = surface.vertices().len() as u32;
        for j in 1..frequency {
            for i in 1..frequency - j {
                let weights = [frequency - i - j, i, j].map(f64::from);
                let sum = corner(a) * weights[0] + corner(b) * weights[1] + corner(c) * weights[2];
                surface.vertex(sum / f64::from(frequency));
            }
        }
        // `i` steps towards b and `j` towards c; `step` counts from `from` along an edge.
        let on_edge = |first: u32, from: u32, to: u32, step: u32| match step {
            0 => from,
            step if step == frequency => to,
            step if from < to => first + step - 1,
            step => first + frequency - step - 1,
        };
        let at = |i: u32, j: u32| {
            if j == 0 {
                on_edge(ab, a, b, i)
            } else if i == 0 {
                on_edge(ac, a, c, j)
            } else if i + j == frequency {
                on_edge(bc, b, c, j)
            } else {
                // Row j has frequency - j - 1 inner vertices; the rows before it are summed up.
                let before = (u64::from(j - 1) * (2 * u64::from(frequency) - u64::from(j) - 2) / 2) as u32;
                first_inside + before + i - 1
            }
        };
        for j in 0..frequency {
            for i in 0..frequency - j {
                surface.triangle(at(i, j), at(i + 1, j), at(i, j + 1));
                if i + j + 1 < frequency {
                    surface.triangle(at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
                }
            }
        }
    }
    Ok(surface)
}
