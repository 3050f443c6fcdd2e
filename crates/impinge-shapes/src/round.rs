//! Shapes of revolution around the z axis: spheres, tori, cylinders, cones, capsules, shells.

use crate::error::{ShapeError, indexable, positive, product, require, some, three};
use crate::turn::turn;
use crate::{Polyhedron, Surface, surface::Ring};
use glam::DVec3;

/// A torus around the z axis: a circle of radius `minor` carried around one of radius `major`, with `segments`
/// around the axis and `sides` around the tube. It has `2 · segments · sides` triangles.
///
/// ```
/// let torus = impinge_shapes::torus(1.0, 0.25, 112, 56)?;
/// assert_eq!(torus.triangle_count(), 12_544);
/// assert_eq!(torus.vertices().len(), 6_272);
/// # Ok::<(), impinge_shapes::ShapeError>(())
/// ```
#[doc(alias = "donut")]
pub fn torus(major: f64, minor: f64, segments: u32, sides: u32) -> Result<Polyhedron, ShapeError> {
    torus_surface(major, minor, segments, sides)?.polyhedron()
}

/// A sphere of meridians and parallels around the origin, its poles on the z axis: `segments` around the axis,
/// `rings` bands from pole to pole. It has `2 · segments · (rings - 1)` triangles.
///
/// ```
/// let ball = impinge_shapes::sphere(1.0, 32, 16)?;
/// assert_eq!(ball.triangle_count(), 2 * 32 * 15);
/// let error = impinge_shapes::sphere(-1.0, 32, 16).unwrap_err();
/// assert_eq!(error.to_string(), "radius is -1, but must be finite and above zero");
/// # Ok::<(), impinge_shapes::ShapeError>(())
/// ```
#[doc(alias = "uv_sphere")]
pub fn sphere(radius: f64, segments: u32, rings: u32) -> Result<Polyhedron, ShapeError> {
    sphere_surface(radius, segments, rings)?.polyhedron()
}

/// A cylinder along the z axis, centered at the origin: `segments` around the axis, `stacks` bands from end to
/// end. It has `2 · segments · (stacks + 1)` triangles.
pub fn cylinder(radius: f64, height: f64, segments: u32, stacks: u32) -> Result<Polyhedron, ShapeError> {
    cylinder_surface(radius, height, segments, stacks)?.polyhedron()
}

/// A cone along the z axis, base at `-height / 2` and tip at `height / 2`: `segments` around the axis, `stacks`
/// bands from base to tip. It has `2 · segments · stacks` triangles.
pub fn cone(radius: f64, height: f64, segments: u32, stacks: u32) -> Result<Polyhedron, ShapeError> {
    cone_surface(radius, height, segments, stacks)?.polyhedron()
}

/// A capsule along the z axis: the points at `radius` from the segment that reaches `half_length` either way
/// from the origin, with `segments` around the axis and `rings` bands in each half sphere. It has
/// `4 · segments · rings` triangles.
pub fn capsule(radius: f64, half_length: f64, segments: u32, rings: u32) -> Result<Polyhedron, ShapeError> {
    capsule_surface(radius, half_length, segments, rings)?.polyhedron()
}

/// A hollow ball: a [`sphere`] of radius `outer` and, facing inwards, one of radius `inner`, so that
/// the space within is a cavity. It has `4 · segments · (rings - 1)` triangles in two connected parts, the outer
/// one first. The two never touch, for the inner is the outer one made smaller.
#[doc(alias = "shell")]
pub fn hollow_sphere(outer: f64, inner: f64, segments: u32, rings: u32) -> Result<Polyhedron, ShapeError> {
    hollow_sphere_surface(outer, inner, segments, rings)?.polyhedron()
}

/// A ring of `segments` around the z axis.
fn level(surface: &mut Surface, segments: u32, radius: f64, z: f64) -> Ring {
    surface.ring(segments, |i| {
        let [c, s] = turn(i, segments);
        DVec3::new(radius * c, radius * s, z)
    })
}

/// Bands between consecutive rings, given as radius and height from bottom to top; `close` names the apices below
/// the first and above the last.
fn revolve(
    surface: &mut Surface,
    segments: u32,
    close: [f64; 2],
    profile: impl IntoIterator<Item = [f64; 2]>,
) {
    let mut last = None;
    for [radius, z] in profile {
        let ring = level(surface, segments, radius, z);
        match last {
            None => surface.close_below(ring, DVec3::new(0.0, 0.0, close[0])),
            Some(below) => surface.band(below, ring),
        }
        last = Some(ring);
    }
    if let Some(ring) = last {
        surface.close_above(ring, DVec3::new(0.0, 0.0, close[1]));
    }
}

/// The surface of [`torus`].
pub(crate) fn torus_surface(
    major: f64,
    minor: f64,
    segments: u32,
    sides: u32,
) -> Result<Surface, ShapeError> {
    positive("major", major)?;
    positive("minor", minor)?;
    require(minor < major, "minor", minor, "below major, or the tube runs into itself")?;
    three("segments", segments)?;
    three("sides", sides)?;
    let count = product(&[2, segments, sides]);
    indexable(count)?;
    let mut surface = Surface::with_room(count.unwrap_or(0));
    // Rings run around the axis from the outer equator over the top, so that bands face away from the tube's circle.
    let rings: Vec<Ring> = (0..sides)
        .map(|side| {
            let [c, s] = turn(side, sides);
            level(&mut surface, segments, major + minor * c, minor * s)
        })
        .collect();
    for side in 0..sides as usize {
        surface.band(rings[side], rings[(side + 1) % sides as usize]);
    }
    Ok(surface)
}

/// The surface of [`sphere`].
pub(crate) fn sphere_surface(radius: f64, segments: u32, rings: u32) -> Result<Surface, ShapeError> {
    positive("radius", radius)?;
    three("segments", segments)?;
    require(rings >= 2, "rings", f64::from(rings), "at least 2")?;
    let count = product(&[2, segments, rings - 1]);
    indexable(count)?;
    let mut surface = Surface::with_room(count.unwrap_or(0));
    let profile = (1..rings).map(|ring| {
        // From the south pole, half a turn up to the north pole.
        let [c, s] = turn(ring, 2 * rings);
        [radius * s, -radius * c]
    });
    revolve(&mut surface, segments, [-radius, radius], profile);
    Ok(surface)
}

/// The surface of [`cylinder`].
pub(crate) fn cylinder_surface(
    radius: f64,
    height: f64,
    segments: u32,
    stacks: u32,
) -> Result<Surface, ShapeError> {
    positive("radius", radius)?;
    positive("height", height)?;
    three("segments", segments)?;
    some("stacks", stacks)?;
    let count = product(&[2, segments]).and_then(|count| count.checked_mul(u64::from(stacks) + 1));
    indexable(count)?;
    let mut surface = Surface::with_room(count.unwrap_or(0));
    let half = 0.5 * height;
    let profile = (0..=stacks).map(|stack| [radius, along(half, stack, stacks)]);
    revolve(&mut surface, segments, [-half, half], profile);
    Ok(surface)
}

/// The surface of [`cone`].
pub(crate) fn cone_surface(
    radius: f64,
    height: f64,
    segments: u32,
    stacks: u32,
) -> Result<Surface, ShapeError> {
    positive("radius", radius)?;
    positive("height", height)?;
    three("segments", segments)?;
    some("stacks", stacks)?;
    let count = product(&[2, segments, stacks]);
    indexable(count)?;
    let mut surface = Surface::with_room(count.unwrap_or(0));
    let half = 0.5 * height;
    let profile = (0..stacks).map(|stack| {
        let share = f64::from(stacks - stack) / f64::from(stacks);
        [radius * share, along(half, stack, stacks)]
    });
    revolve(&mut surface, segments, [-half, half], profile);
    Ok(surface)
}

/// The surface of [`capsule`].
pub(crate) fn capsule_surface(
    radius: f64,
    half_length: f64,
    segments: u32,
    rings: u32,
) -> Result<Surface, ShapeError> {
    positive("radius", radius)?;
    positive("half_length", half_length)?;
    three("segments", segments)?;
    some("rings", rings)?;
    let count = product(&[4, segments, rings]);
    indexable(count)?;
    let mut surface = Surface::with_room(count.unwrap_or(0));
    let lower = (1..=rings).map(|ring| {
        let [c, s] = turn(ring, 4 * rings);
        [radius * s, -half_length - radius * c]
    });
    let upper = (1..=rings).rev().map(|ring| {
        let [c, s] = turn(ring, 4 * rings);
        [radius * s, half_length + radius * c]
    });
    let end = half_length + radius;
    revolve(&mut surface, segments, [-end, end], lower.chain(upper));
    Ok(surface)
}

/// The surface of [`hollow_sphere`].
pub(crate) fn hollow_sphere_surface(
    outer: f64,
    inner: f64,
    segments: u32,
    rings: u32,
) -> Result<Surface, ShapeError> {
    positive("outer", outer)?;
    positive("inner", inner)?;
    require(inner < outer, "inner", inner, "below outer")?;
    // The two together must be indexable, each alone is checked where it is made.
    indexable(product(&[4, segments, rings]))?;
    let mut surface = sphere_surface(outer, segments, rings)?;
    surface.append(&sphere_surface(inner, segments, rings)?.inverted());
    Ok(surface)
}

/// The height of a stack's boundary between `-half` and `half`, the same on both sides of the middle.
fn along(half: f64, stack: u32, stacks: u32) -> f64 {
    half * ((2.0 * f64::from(stack) - f64::from(stacks)) / f64::from(stacks))
}
