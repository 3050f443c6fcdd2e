//! The surface of what two solids share, for pictures.
//!
//! It is made of the faces of each solid inside of the other. Faces that meet the other are cut by the planes of the faces that they meet, until each piece is on
//! one side. A piece is told by the windings right behind and in front of it, so that faces in one plane count once.

use super::patches::Side;
use super::polygon::{HalfSpace, Polygon};
use super::surface::{Surface, plane_of, reach_of};
use super::{Overlap, OverlapFrame};
use crate::model::Placed;
use crate::options::options;
use crate::query::Patience;
use impinge_core::bounds::Aabb;
use impinge_core::math::{DMat3, DVec3};
use impinge_core::parallel::hold;
use std::collections::HashMap;

options! {
    /// Options of a search for the surface of what two solids share.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct SharedSurfaceOptions {
        /// How many triangles the surface may have. Where they are not enough, the surface is not complete, and says so.
        pub most: usize = 100_000,
    }
}

/// The surface of what two solids share: the faces of each that are inside of the other.
///
/// Neighbors may meet along parts of an edge, so it serves pictures and integrals, and is no mesh to compute with.
/// Overlaps that are no thicker than rounding may be missing.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct SharedSurface {
    /// The point of the world that all positions are relative to. It is near the surface, so that positions far from the world's origin keep their digits.
    pub origin_in_world: DVec3,
    /// Corners, along the axes of the world and relative to [`origin_in_world`](Self::origin_in_world).
    pub positions: Vec<DVec3>,
    /// Three corners each, counter-clockwise seen from outside: faces of the first model, then those of the second.
    pub triangles: Vec<[u32; 3]>,
    /// How many triangles are of the first model. Where faces of both are in one plane, they are of either.
    pub of_first: usize,
    /// Whether the whole surface is there; not so where it has more triangles than were asked for, or sizes are out of the ordinary.
    pub is_complete: bool,
}

impl SharedSurface {
    /// The volume that the surface encloses.
    pub fn volume(&self) -> f64 {
        let origin = self.positions.first().copied().unwrap_or_default();
        let of = |triangle: &[u32; 3]| {
            let [a, b, c] = triangle.map(|corner| self.positions[corner as usize] - origin);
            a.dot(b.cross(c))
        };
        self.triangles.iter().map(of).sum::<f64>() / 6.0
    }
}

impl Placed<'_> {
    /// The surface of what two solids share, with default options; `None` where one of them is no solid. Of rounded models, the cores count.
    ///
    /// ```
    /// use impinge::{Model, Trs, shapes};
    ///
    /// let cube = Model::new(shapes::cuboid([0.0; 3], [2.0; 3])?);
    /// let beside = cube.at(Trs::translation([1.0, 1.5, 0.0])?);
    /// let shared = cube.at(Trs::IDENTITY).shared_surface(&beside).expect("both are solids");
    /// assert!(shared.is_complete && (shared.volume() - 1.0).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "boolean intersection")]
    pub fn shared_surface(&self, other: &Placed<'_>) -> Option<SharedSurface> {
        self.shared_surface_with(other, SharedSurfaceOptions::new())
    }

    /// [`shared_surface`](Self::shared_surface) with given options.
    pub fn shared_surface_with(
        &self,
        other: &Placed<'_>,
        options: SharedSurfaceOptions,
    ) -> Option<SharedSurface> {
        if !self.model().has_solid() || !other.model().has_solid() {
            return None;
        }
        let frame = OverlapFrame::of(self, other);
        // Also faces that miss the other's box by rounding.
        let reach = frame.metric.length_to_world(2.0 * NEAR * 64.0 * f64::EPSILON * frame.metric.extent);
        let patience = Patience::endless();
        let mut overlap = Overlap::new(&frame, self, other, &self.face_pairs(other), reach, &patience);
        Some(overlap.shared_surface(options.most))
    }
}

impl Overlap<'_, '_> {
    fn shared_surface(&mut self, most: usize) -> SharedSurface {
        let _held = hold();
        let metric = &self.frame.metric;
        let bounds = self.shared;
        if metric.is_shrunken() {
            return SharedSurface::default();
        }
        let center = if bounds.is_empty() { DVec3::ZERO } else { bounds.center() };
        let axes =
            DMat3::from_cols_array_2d(&DVec3::AXES.map(|axis| metric.direction_to_world(axis).to_array()));
        let mut made = Made {
            center,
            world_from_frame: axes * metric.length_to_world(1.0),
            is_mirrored: axes.determinant() < 0.0,
            numbers: HashMap::new(),
            surface: SharedSurface {
                origin_in_world: metric.to_world(center),
                is_complete: true,
                ..SharedSurface::default()
            },
            left: most,
            // More than any surface needs that is worth a picture.
            work: (most as u64).saturating_mul(WORK_PER_TRIANGLE),
        };
        // The first model's faces come first.
        for side in [self.frame.host, 1 - self.frame.host] {
            made.surface.is_complete &= made.add_faces(self, side).is_some();
            if side == self.frame.host {
                made.surface.of_first = made.surface.triangles.len();
            }
            if !made.surface.is_complete {
                break;
            }
        }
        made.surface
    }
}

/// For each triangle that may be made, faces of the other surface may be compared with a piece so often.
const WORK_PER_TRIANGLE: u64 = 256;

/// All that is nearer to a piece than so many times the rounding cuts it. Half as far off it is told inside from outside.
const NEAR: f64 = 16.0;

/// A piece that meets more faces is halved before it is cut by their planes, so that the halves meet fewer.
const MANY: usize = 16;

/// The surface so far. Nothing comes where a limit is reached.
struct Made {
    /// The point of the frame that is the origin of the surface.
    center: DVec3,
    world_from_frame: DMat3,
    is_mirrored: bool,
    /// The number of each corner, by its bits.
    numbers: HashMap<[u64; 3], u32>,
    surface: SharedSurface,
    /// How many triangles and comparisons may still be made.
    left: usize,
    work: u64,
}

/// A piece of a face, and the triangles of the other surface that it meets.
struct Piece {
    polygon: Polygon,
    meeting: Vec<u32>,
}

impl Made {
    /// The faces of one surface that are inside of the other. Those that are on it belong to the host.
    fn add_faces(&mut self, overlap: &mut Overlap<'_, '_>, side: usize) -> Option<()> {
        let slack = overlap.rounding;
        let near_by = NEAR * slack;
        let off = 0.5 * near_by;
        let [first, second] = &mut overlap.surfaces;
        let (of, other) = if side == 0 { (first, second) } else { (second, first) };
        let (model, other_model) = (of.placed.model(), other.placed.model());
        let mesh = model.mesh();
        let handedness = of.handedness();
        let mut near: Vec<[DVec3; 3]> = Vec::new();
        for &(face, at) in overlap.sides[side].faces.iter().filter(|(face, _)| model.is_closed_face(*face)) {
            for corners in mesh.fan(face) {
                let mut corners = corners.map(|vertex| of.source.place(mesh.vertex(vertex))).to_vec();
                let Some(mut plane) = plane_of(&corners) else { continue };
                if handedness < 0.0 {
                    // In the frame the front is the other side.
                    corners.reverse();
                    plane.normal = -plane.normal;
                    plane.offset = -plane.offset;
                }
                let polygon = Polygon { corners };
                // Faces that miss each other by rounding are taken for such that meet.
                let more = DVec3::splat(near_by);
                let bounds = polygon.bounds();
                let around = Aabb { min: bounds.min - more, max: bounds.max + more };
                let borders = borders_of(&polygon, plane.normal, near_by);
                near.clear();
                other.for_each_face_near(&around, |face, triangle| {
                    if other_model.is_closed_face(face) && meets(&borders, &triangle) {
                        near.push(triangle);
                    }
                });
                self.work = self.work.checked_sub(1 + near.len() as u64)?;
                if near.is_empty() && at != Side::Meeting {
                    if at == Side::Inside {
                        self.add(&polygon)?;
                    }
                    continue;
                }
                let mut pieces = vec![Piece { meeting: (0..near.len() as u32).collect(), polygon }];
                while let Some(piece) = pieces.pop() {
                    match self.cut(piece, &near, plane.normal, [slack, near_by])? {
                        Cut::Whole(polygon) => {
                            if is_shared(other, &polygon, plane.normal, off, side == 0) {
                                self.add(&polygon)?;
                            }
                        }
                        Cut::Parts(parts) => pieces.extend(parts.into_iter().flatten()),
                    }
                    // Pieces that are not shared are bounded as well.
                    if pieces.len() > self.left {
                        return None;
                    }
                }
            }
        }
        Some(())
    }

    /// Cuts a piece in two, if anything crosses it.
    fn cut(
        &mut self,
        piece: Piece,
        near: &[[DVec3; 3]],
        normal: DVec3,
        [slack, near_by]: [f64; 2],
    ) -> Option<Cut> {
        let Piece { polygon, meeting } = piece;
        self.work = self.work.checked_sub(1 + meeting.len() as u64)?;
        let mut best = None;
        let mut most = slack;
        let mut crossing = Vec::new();
        for number in meeting {
            let Some(own) = plane_of(&near[number as usize]) else { continue };
            let reach = reach_of(&own, &polygon.corners);
            if reach > slack {
                crossing.push(number);
            }
            if reach > most {
                (best, most) = (Some(own), reach);
            }
        }
        let Some(best) = best else { return Some(Cut::Whole(polygon)) };
        if crossing.len() > MANY {
            let halves = polygon
                .halves()
                .map(|half| half.map(|half| remaining(half, &crossing, near, normal, near_by)));
            let meeting: usize = halves.iter().flatten().map(|half| half.meeting.len()).sum();
            self.work = self.work.checked_sub(2 * crossing.len() as u64)?;
            if meeting < crossing.len() * 3 / 2 {
                return Some(Cut::Parts(halves));
            }
        }
        let parts = polygon.split(&best, 0.0);
        if parts.iter().any(Option::is_none) {
            return Some(Cut::Whole(polygon));
        }
        Some(Cut::Parts(parts.map(|part| part.map(|part| remaining(part, &crossing, near, normal, near_by)))))
    }

    /// Adds the triangles of a polygon of the frame.
    fn add(&mut self, polygon: &Polygon) -> Option<()> {
        self.left = self.left.checked_sub(polygon.corners.len() - 2)?;
        let numbers: Vec<u32> = polygon.corners.iter().map(|&corner| self.number(corner)).collect();
        for pair in numbers[1..].windows(2) {
            let [second, third] = if self.is_mirrored { [pair[1], pair[0]] } else { [pair[0], pair[1]] };
            if second != third && numbers[0] != second && numbers[0] != third {
                self.surface.triangles.push([numbers[0], second, third]);
            }
        }
        Some(())
    }

    fn number(&mut self, corner: DVec3) -> u32 {
        // Zero has no sign.
        let position = self.world_from_frame * (corner - self.center) + DVec3::ZERO;
        let positions = &mut self.surface.positions;
        *self.numbers.entry(position.to_array().map(f64::to_bits)).or_insert_with(|| {
            positions.push(position);
            positions.len() as u32 - 1
        })
    }
}

enum Cut {
    /// Nothing crosses it.
    Whole(Polygon),
    Parts([Option<Piece>; 2]),
}

/// A part of a piece, with what it still meets.
fn remaining(polygon: Polygon, of: &[u32], near: &[[DVec3; 3]], normal: DVec3, near_by: f64) -> Piece {
    let borders = borders_of(&polygon, normal, near_by);
    let meeting = of.iter().copied().filter(|number| meets(&borders, &near[*number as usize])).collect();
    Piece { polygon, meeting }
}

/// An edge of a piece that is shorter than this share of the longest may point anywhere by rounding, and bounds nothing.
const SHORT: f64 = 1e-6;

/// The half-spaces around all points that are no farther from a piece than `near`, and perhaps some more.
fn borders_of(polygon: &Polygon, normal: DVec3, near: f64) -> Vec<HalfSpace> {
    let corners = &polygon.corners;
    let edge = |i: usize| corners[(i + 1) % corners.len()] - corners[i];
    let longest = (0..corners.len()).map(|i| edge(i).length()).fold(0.0, f64::max);
    let sides = (0..corners.len()).filter(|&i| edge(i).length() > SHORT * longest);
    let sides = sides.filter_map(|i| Some((corners[i], edge(i).cross(normal).try_normalize()?)));
    // What is on one side of the piece is left out first.
    [(corners[0], normal), (corners[0], -normal)]
        .into_iter()
        .chain(sides)
        .map(|(corner, out)| HalfSpace::through(corner + out * near, out))
        .collect()
}

/// Whether a triangle has points within borders.
fn meets(borders: &[HalfSpace], triangle: &[DVec3; 3]) -> bool {
    let mut part = Polygon { corners: triangle.to_vec() };
    for border in borders {
        if triangle.iter().all(|&corner| border.height(corner) <= 0.0) {
            continue;
        }
        match part.split(border, 0.0) {
            [Some(inside), _] => part = inside,
            [None, _] => return false,
        }
    }
    true
}

/// Whether a piece of a surface bounds what it shares with another: the other is behind it. Where the other's surface is in its plane, only with `on`.
fn is_shared(other: &mut Surface<'_, '_>, polygon: &Polygon, normal: DVec3, off: f64, on: bool) -> bool {
    let middle = polygon.centroid();
    other.contains(middle - normal * off) && (on || other.contains(middle + normal * off))
}
