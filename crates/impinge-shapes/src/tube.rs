//! A circle carried along a path, and the trefoil knot made so.
//!
//! The frame is carried by parallel transport: from one point of the path to the next it makes the least turn that
//! takes the old tangent to the new one, so the tube is not twisted where the path has no say in it. Around a closed
//! path such a frame comes back turned by some angle; that angle is taken back evenly along the path.

use crate::error::{ShapeError, indexable, positive, product, require, three};
use crate::turn::turn;
use crate::{Polyhedron, Surface, surface::Ring};
use glam::DVec3;

/// A point of a path: its position, and the unit vector along which the path goes on.
#[derive(Clone, Copy)]
pub(crate) struct Station {
    pub(crate) point: DVec3,
    pub(crate) tangent: DVec3,
}

/// The ends of a tube: joined or capped.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Ends {
    /// The last station is followed by the first: `2 · stations · sides` triangles.
    Joined,
    /// Both ends are closed with a flat disc: `2 · stations · sides` triangles too.
    Capped,
}

/// A tube along a trefoil knot around the z axis, with `segments` along the knot and `sides` around the tube. It
/// has `2 · segments · sides` triangles.
///
/// The center line is `k · ((2 + cos 3t) cos 2t, (2 + cos 3t) sin 2t, sin 3t)` with `k = radius / 3`, so it
/// reaches `radius` from the axis. Its radius of curvature is nowhere below `1.43 k`, and where two strands pass
/// each other they are `1.663 k` apart. A tube thinner than half of that, `0.277 · radius`, does not run into
/// itself; up to `0.25 · radius` is accepted, which allows for the chords of the 24 segments at least asked
/// for.
///
/// ```
/// let knot = impinge_shapes::knot(1.0, 0.2, 300, 20)?;
/// assert_eq!(knot.triangle_count(), 12_000);
/// assert!(impinge_shapes::knot(1.0, 0.3, 300, 20).is_err());
/// # Ok::<(), impinge_shapes::ShapeError>(())
/// ```
#[doc(alias = "trefoil")]
pub fn knot(radius: f64, tube: f64, segments: u32, sides: u32) -> Result<Polyhedron, ShapeError> {
    knot_surface(radius, tube, segments, sides)?.polyhedron()
}

/// The surface of [`knot`].
pub(crate) fn knot_surface(radius: f64, tube: f64, segments: u32, sides: u32) -> Result<Surface, ShapeError> {
    positive("radius", radius)?;
    positive("tube", tube)?;
    require(
        tube <= 0.25 * radius,
        "tube",
        tube,
        "at most a quarter of radius, or strands run into each other",
    )?;
    require(segments >= 24, "segments", f64::from(segments), "at least 24, or strands run into each other")?;
    three("sides", sides)?;
    let count = product(&[2, segments, sides]);
    indexable(count)?;
    let scale = radius / 3.0;
    let path: Vec<Station> = (0..segments)
        .map(|i| {
            // Twice and three times around are whole steps too, so the turn stays exact.
            let wrap = |times: u64| turn((times * u64::from(i) % u64::from(segments)) as u32, segments);
            let ([c2, s2], [c3, s3]) = (wrap(2), wrap(3));
            let reach = 2.0 + c3;
            let point = DVec3::new(reach * c2, reach * s2, s3) * scale;
            let slope =
                DVec3::new(-2.0 * reach * s2 - 3.0 * s3 * c2, 2.0 * reach * c2 - 3.0 * s3 * s2, 3.0 * c3);
            Station { point, tangent: slope / slope.length() }
        })
        .collect();
    let mut surface = Surface::with_room(count.unwrap_or(0));
    sweep(&mut surface, &path, tube, sides, Ends::Joined);
    Ok(surface)
}

/// Adds a tube along a path to a surface. No two consecutive tangents may be opposite.
pub(crate) fn sweep(surface: &mut Surface, path: &[Station], radius: f64, sides: u32, ends: Ends) {
    let [Some(&first), Some(&last)] = [path.first(), path.last()] else { return };
    let start = across(first.tangent);
    let mut normals = Vec::with_capacity(path.len());
    let mut normal = start;
    for (i, station) in path.iter().enumerate() {
        if i > 0 {
            normal = carried(normal, path[i - 1].tangent, station.tangent);
        }
        normals.push(normal);
    }
    let excess = match ends {
        Ends::Capped => 0.0,
        Ends::Joined => {
            let back = carried(normal, last.tangent, first.tangent);
            libm::atan2(back.dot(first.tangent.cross(start)), back.dot(start))
        }
    };
    let mut rings: Vec<Ring> = Vec::with_capacity(path.len());
    for (i, (station, &normal)) in path.iter().zip(&normals).enumerate() {
        let binormal = station.tangent.cross(normal);
        let angle = -excess * (i as f64 / path.len() as f64);
        let (c, s) = (libm::cos(angle), libm::sin(angle));
        let (u, v) = (normal * c + binormal * s, binormal * c - normal * s);
        rings.push(surface.ring(sides, |side| {
            let [c, s] = turn(side, sides);
            station.point + (u * c + v * s) * radius
        }));
    }
    for pair in rings.windows(2) {
        surface.band(pair[0], pair[1]);
    }
    let [Some(&bottom), Some(&top)] = [rings.first(), rings.last()] else { return };
    match ends {
        Ends::Joined => surface.band(top, bottom),
        Ends::Capped => {
            surface.close_below(bottom, first.point);
            surface.close_above(top, last.point);
        }
    }
}

/// A vector across a unit vector, carried along by the least turn that takes the unit vector `from` to `to`.
fn carried(normal: DVec3, from: DVec3, to: DVec3) -> DVec3 {
    let turned = normal - (from + to) * (normal.dot(to) / (1.0 + from.dot(to)));
    // Rounding would add up over a long path: stay across, stay of unit length.
    let straight = turned - to * turned.dot(to);
    straight / straight.length()
}

/// Some unit vector across a unit vector.
fn across(tangent: DVec3) -> DVec3 {
    // The axis least aligned with the tangent leaves the longest remainder.
    let [x, y, z] = tangent.abs().to_array();
    let axis = if x <= y && x <= z {
        DVec3::X
    } else if y <= z {
        DVec3::Y
    } else {
        DVec3::Z
    };
    let straight = axis - tangent * tangent.dot(axis);
    straight / straight.length()
}
