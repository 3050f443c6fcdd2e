//! The search for the deepest point of one surface inside of another solid, by branch and bound.
//!
//! A cell is a convex part of a face. The distance to a convex set is convex, so over a cell it is greatest at a corner: for any face
//! of the other, no point of the cell is deeper than the corner that is farthest from it. Cells are looked at by that bound, the greatest first.
//! What is near a single face of the other is taken away at once; what crosses the other is cut along the plane of the face that it crosses;
//! what is left outside is dropped; the rest is halved. `docs/math/penetration.md` has the derivation.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::polygon::{HalfSpace, Polygon};
use super::region::Region;
use super::surface::{Nearest, plane_of};
use crate::query::Patience;
use impinge_core::math::DVec3;
use impinge_core::narrow::distance::point_triangle;

/// The deepest point that was found, and what no point is deeper than.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Depth {
    pub(super) at_least: f64,
    pub(super) at_most: f64,
    /// The deepest point, and the nearest of the other's surface to it.
    pub(super) points: Option<[DVec3; 2]>,
    /// Whether the interval is as narrow as was asked.
    pub(super) is_narrow: bool,
}

/// How narrow the interval is to be, and how much may be asked for it.
#[derive(Clone, Copy)]
pub(super) struct Goal<'g> {
    /// The width as a share of the depth.
    pub(super) share: f64,
    /// The width as a length of the frame.
    pub(super) width: f64,
    /// What rounding may do to a coordinate.
    pub(super) rounding: f64,
    /// How many questions to the surfaces there may be.
    pub(super) most: u64,
    /// Whether any point that is deep enough ends the search.
    pub(super) first: bool,
    /// Whether anybody still wants to know.
    pub(super) patience: &'g Patience<'g>,
}

/// A polygon that is to be searched.
pub(super) struct Seed {
    pub(super) polygon: Polygon,
    /// Whether all of it is known to be inside.
    pub(super) is_inside: bool,
}

/// A convex part of a face, of which no point is deeper than `bound`.
struct Cell {
    bound: f64,
    polygon: Polygon,
    center: DVec3,
    nearest: Nearest,
    /// Whether all of it is known to be inside.
    is_inside: bool,
}

impl PartialEq for Cell {
    fn eq(&self, other: &Cell) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Cell {}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Cell) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cell {
    fn cmp(&self, other: &Cell) -> Ordering {
        self.bound.total_cmp(&other.bound)
    }
}

/// Taking away what is near a face is worth while where that is at least this share of a cell.
const WORTHWHILE: f64 = 0.125;

/// The set that is taken away reaches beyond the borders of its face by this share of the depth at most, so that what is left does not begin right at them.
const BEYOND: f64 = 0.05;

/// Of what of a cell is near a face, this share may be left.
const LEFT: f64 = 0.0625;

/// So many corners are tried before the search, to begin with a good bound.
const SAMPLES: usize = 64;

/// The deepest point of some polygons inside of a region, if it is deeper than what is `known`. Polygons that follow each other should be
/// near each other.
pub(super) fn deepest(
    region: &mut Region<'_, '_, '_>,
    seeds: Vec<Seed>,
    goal: &Goal<'_>,
    known: f64,
) -> Depth {
    let most = region.asked().saturating_add(goal.most);
    let found = Depth { at_least: known, ..Depth::default() };
    let mut search = Search { region, goal, most, found, cells: BinaryHeap::new() };
    search.sample(&seeds);
    let mut hint = None;
    for Seed { polygon, is_inside } in seeds {
        if search.is_over() {
            break;
        }
        hint = search.push(polygon, is_inside, hint);
    }
    search.run();
    search.found
}

struct Search<'s, 'r, 'p, 'm> {
    region: &'s mut Region<'r, 'p, 'm>,
    goal: &'s Goal<'s>,
    /// How many questions the region may have been asked in the end.
    most: u64,
    found: Depth,
    cells: BinaryHeap<Cell>,
}

impl Search<'_, '_, '_, '_> {
    /// The depth up to which a cell need not be looked at.
    fn enough(&self) -> f64 {
        let Goal { share, width, .. } = *self.goal;
        (self.found.at_least * (1.0 + share)).max(self.found.at_least + width)
    }

    /// Whether all that was asked is known, or nobody wants to know it any more.
    fn is_over(&self) -> bool {
        self.goal.first && self.found.points.is_some() || self.goal.patience.is_over()
    }

    /// Takes over a point, if it is deeper than all before.
    fn offer(&mut self, point: DVec3, nearest: &Nearest, is_inside: bool) {
        if nearest.distance > self.found.at_least && (is_inside || self.region.contains(point)) {
            self.found.at_least = nearest.distance;
            self.found.points = Some([point, nearest.point]);
        }
    }

    /// Tries some corners.
    fn sample(&mut self, seeds: &[Seed]) {
        let step = seeds.len().div_ceil(SAMPLES).max(1);
        let mut hint = None;
        for seed in seeds.iter().step_by(step) {
            let point = seed.polygon.corners[0];
            let Some(nearest) = self.region.nearest(point, hint.as_ref()) else { return };
            self.offer(point, &nearest, seed.is_inside);
            if self.is_over() {
                return;
            }
            hint = Some(nearest.triangle);
        }
    }

    /// Adds a cell, unless a triangle of the other that is known to be near shows that it need not be looked at; the nearest triangle.
    fn push(&mut self, polygon: Polygon, is_inside: bool, hint: Option<[DVec3; 3]>) -> Option<[DVec3; 3]> {
        if hint.is_some_and(|triangle| farthest(&polygon, &triangle) <= self.enough()) {
            return hint;
        }
        let center = polygon.centroid();
        let nearest = self.region.nearest(center, hint.as_ref())?;
        let bound = farthest(&polygon, &nearest.triangle).max(nearest.distance);
        let triangle = nearest.triangle;
        if bound > self.enough() {
            self.cells.push(Cell { bound, polygon, center, nearest, is_inside });
        }
        Some(triangle)
    }

    /// Adds the parts of a cell.
    fn divide(&mut self, parts: impl IntoIterator<Item = Polygon>, is_inside: bool, nearest: &Nearest) {
        for part in parts {
            self.push(part, is_inside, Some(nearest.triangle));
        }
    }

    fn run(&mut self) {
        let slack = self.goal.rounding;
        loop {
            let enough = self.enough();
            let Some(cell) = self.cells.pop().filter(|cell| cell.bound > enough) else {
                // Cells that were left are no deeper than this.
                self.found.at_most = enough + slack;
                self.found.is_narrow = true;
                return;
            };
            if self.is_over() {
                self.found.at_most = f64::INFINITY;
                return;
            }
            if self.region.asked() >= self.most {
                self.found.at_most = cell.bound.max(enough) + slack;
                return;
            }
            self.look_at(cell, slack);
        }
    }

    /// Divides a cell, or drops what of it cannot be the deepest.
    fn look_at(&mut self, mut cell: Cell, slack: f64) {
        self.offer(cell.center, &cell.nearest, cell.is_inside);
        let enough = self.enough();
        if cell.bound <= enough {
            return;
        }
        if cell.nearest.distance <= enough
            && let Some(near) = near_face(&cell.nearest.triangle, enough, &cell.polygon)
            && let Some(left) = cell.polygon.without(&near, WORTHWHILE)
        {
            self.divide(left, cell.is_inside, &cell.nearest);
            return;
        }
        if !cell.is_inside {
            // Within this distance of the center, all is on one side.
            let radius =
                cell.polygon.corners.iter().map(|corner| corner.distance(cell.center)).fold(0.0, f64::max);
            if cell.nearest.distance <= radius
                && let Some(plane) = self.region.crossing(&cell.polygon, slack)
            {
                self.divide(cell.polygon.split(&plane, 0.0).into_iter().flatten(), false, &cell.nearest);
                return;
            }
            if self.region.is_estimated() && radius > slack && self.is_on_both_sides(&cell) {
                self.divide(cell.polygon.halves().into_iter().flatten(), false, &cell.nearest);
                return;
            }
            if !self.is_inside(&cell, slack) {
                return;
            }
            cell.is_inside = true;
            self.offer(cell.center, &cell.nearest, true);
            if cell.bound <= self.enough() {
                return;
            }
        }
        self.divide(cell.polygon.halves().into_iter().flatten(), true, &cell.nearest);
    }

    /// Whether an estimated border goes through a cell, by points near its corners.
    fn is_on_both_sides(&mut self, cell: &Cell) -> bool {
        let is_inside = self.region.contains(cell.center);
        let mut corners = cell.polygon.corners.iter();
        corners.any(|corner| self.region.contains(corner.lerp(cell.center, 0.1)) != is_inside)
    }

    /// Which side of the other a cell is on that does not cross it: by a point of it that is well off the surface, if there is one.
    fn is_inside(&mut self, cell: &Cell, slack: f64) -> bool {
        if cell.nearest.distance > slack {
            return self.region.contains(cell.center);
        }
        let mut farthest = (cell.nearest.distance, cell.center);
        for &corner in &cell.polygon.corners {
            let point = corner.lerp(cell.center, 0.25);
            if let Some(nearest) = self.region.nearest(point, Some(&cell.nearest.triangle))
                && nearest.distance > farthest.0
            {
                farthest = (nearest.distance, point);
            }
        }
        self.region.contains(farthest.1)
    }
}

/// The distance from a triangle of the corner that is farthest from it, and so of any point of the polygon at most.
fn farthest(polygon: &Polygon, triangle: &[DVec3; 3]) -> f64 {
    let squared = |&corner: &DVec3| point_triangle(corner, triangle).squared;
    polygon.corners.iter().map(squared).fold(0.0, f64::max).sqrt()
}

/// A convex set of points no farther than `distance` from a triangle: a prism on both of its sides that reaches a little beyond its
/// edges. It is as high as a polygon that is nowhere higher than `distance`, and takes most of what of another is no higher. None where the triangle has no
/// area to speak of.
fn near_face(triangle: &[DVec3; 3], distance: f64, polygon: &Polygon) -> Option<[HalfSpace; 5]> {
    let plane = plane_of(triangle)?;
    let heights = || polygon.corners.iter().map(|&corner| plane.height(corner).abs());
    let (lowest, highest) = (heights().fold(f64::INFINITY, f64::min), heights().fold(0.0, f64::max));
    // A corner of the prism is beyond the one of the triangle by no more than the rest allows.
    let usual = distance * (1.0 - BEYOND * BEYOND).sqrt();
    let wanted = if highest <= distance { highest } else { distance - (distance - lowest) * LEFT };
    let height = wanted.clamp(usual, distance);
    let beyond = ((distance - height) * (distance + height)).sqrt();
    let [a, b, c] = *triangle;
    let sines = [half_sine(c, a, b), half_sine(a, b, c), half_sine(b, c, a)];
    let edge = |i: usize| {
        let (from, to) = (triangle[i], triangle[(i + 1) % 3]);
        let out = (to - from).cross(plane.normal).try_normalize()?;
        let beyond = beyond * sines[i].min(sines[(i + 1) % 3]);
        Some(HalfSpace { normal: out, offset: out.dot(from) + beyond })
    };
    let above = HalfSpace { normal: plane.normal, offset: plane.offset + height };
    let below = HalfSpace { normal: -plane.normal, offset: height - plane.offset };
    Some([above, below, edge(0)?, edge(1)?, edge(2)?])
}

/// The sine of half the angle at a corner.
fn half_sine(before: DVec3, corner: DVec3, after: DVec3) -> f64 {
    let [u, v] = [before - corner, after - corner].map(DVec3::normalize_or_zero);
    (u - v).length() * 0.5
}
