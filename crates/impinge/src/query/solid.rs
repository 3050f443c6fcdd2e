//! The verdict on two solids whose faces do not cross: apart, one inside the other, or overlapping although
//! they only share faces, edges and corners. Exact, with no tolerance.
//!
//! Space is cut by all faces into cells; each cell is inside or outside of A and of B. The verdict follows from which
//! of the four combinations occur, and on which side of it they occur along each patch of the surfaces. It suffices to
//! look around pieces of edges: those of faces that touch the other model, and one edge of every part. Only where
//! solids with cavities are nested in each other must all edges be looked at, and the lines where a model's own faces
//! cross. `docs/math/solids.md` proves it.
//!
//! `quick` decides without rational points wherever it can; this module decides the rest with them.

mod divide;
mod quick;

use super::search::FacetMeeting;
use super::verdict::{Contained, Verdict};
use crate::pair::facet_set::{EdgeKey, KeySet};
use crate::pair::surface::{FacetName, Facets, FramedFacet};
use impinge_core::bounds::Aabb;
use impinge_core::math::DVec3;
use impinge_core::narrow::tri_tri::{Facet, Fan, Kind, Shared, Side, triangles, triangles_meet};
use impinge_core::narrow::winding::{
    Direction, ExactPoint, Fraction, Line, RadialFace, RadialOrder, Turn, radial_sort, ray_crossing,
};
use impinge_core::predicates::are_collinear;

/// The verdict on two models whose interiors overlap, and a point where they do.
pub(super) struct Finding {
    pub(super) verdict: Verdict,
    pub(super) point: DVec3,
}

/// The arithmetic that decides.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Arithmetic {
    /// Rational points throughout: simple and slow.
    Rational,
    /// `f64` and expansions, and rational points where these do not tell.
    Quick,
}

/// The facets of the host and of the guest that touch the other, each once.
#[derive(Default)]
pub(super) struct Contacts {
    facets: [Vec<[DVec3; 3]>; 2],
    known: [KeySet<FacetName>; 2],
}

impl Contacts {
    pub(super) fn add(&mut self, meeting: &FacetMeeting) {
        for side in 0..2 {
            if self.known[side].insert(meeting.names[side]) {
                self.facets[side].push(meeting.facets[side].corners);
            }
        }
    }
}

/// Compares two models of which no two faces cross. `contacts` are the facets that touch. `None` when their interiors
/// do not overlap.
pub(super) fn compare(
    surfaces: [&dyn Facets; 2],
    contacts: &Contacts,
    arithmetic: Arithmetic,
) -> Option<Finding> {
    let bounds = surfaces.map(|surface| surface.source().bounds());
    if !bounds[0].overlaps(&bounds[1]) || !surfaces.iter().any(|surface| surface.source().model.has_solid()) {
        return None;
    }
    let sources = surfaces.map(|surface| surface.source());
    if arithmetic == Arithmetic::Quick && divide::are_divided(sources, contacts) {
        return None;
    }
    let mut search = Search {
        surfaces,
        bounds,
        arithmetic,
        evidence: Evidence::default(),
        seen: KeySet::default(),
        book: RadialOrder::default(),
    };
    for side in 0..2 {
        search.classify_parts(side);
    }
    for &corners in contacts.facets.iter().flatten() {
        search.look_around_facet(corners);
    }
    for side in 0..2 {
        search.classify_cavities(side);
    }
    search.evidence.finding()
}

/// What has been seen so far. Sides are 0 for A and 1 for B.
#[derive(Default)]
struct Evidence {
    /// A place inside both.
    common: Option<DVec3>,
    /// Whether some of a model's solid or surface lies outside of the other.
    sticks_out: [bool; 2],
    /// A place where a model's surface lies in the interior of the other.
    surface_inside: [Option<DVec3>; 2],
}

impl Evidence {
    fn is_complete(&self) -> bool {
        self.common.is_some() && self.sticks_out == [true; 2]
    }

    fn finding(&self) -> Option<Finding> {
        let point = self.common?;
        Some(match self.sticks_out {
            [true, true] | [false, false] => Finding { verdict: Verdict::Overlapping, point },
            [false, true] => Finding {
                verdict: Verdict::Inside(Contained::A),
                point: self.surface_inside[0].unwrap_or(point),
            },
            [true, false] => Finding {
                verdict: Verdict::Inside(Contained::B),
                point: self.surface_inside[1].unwrap_or(point),
            },
        })
    }

    /// A wedge of space with these winding numbers.
    fn add_wedge(&mut self, winding: [i32; 2], at: DVec3) {
        match winding.map(|number| number > 0) {
            [true, true] => self.common = self.common.or(Some(at)),
            [true, false] => self.sticks_out[0] = true,
            [false, true] => self.sticks_out[1] = true,
            [false, false] => {}
        }
    }

    /// A patch of a model's surface, with the other's winding numbers on its two sides.
    fn add_patch(&mut self, side: usize, others: [i32; 2], at: DVec3) {
        match others.map(|number| number > 0) {
            [true, true] => {
                self.common = self.common.or(Some(at));
                self.surface_inside[side] = self.surface_inside[side].or(Some(at));
            }
            [false, false] => self.sticks_out[side] = true,
            // On the boundary of the other: contact.
            _ => {}
        }
    }

    /// Something without area of a model, with the other's winding numbers all around it.
    fn add_thread(&mut self, side: usize, others: &[i32], at: DVec3) {
        if others.iter().all(|&number| number > 0) {
            self.add_patch(side, [1; 2], at);
        } else if others.iter().all(|&number| number <= 0) {
            self.add_patch(side, [0; 2], at);
        }
    }
}

struct Search<'s> {
    surfaces: [&'s dyn Facets; 2],
    /// Boxes around the two models.
    bounds: [Aabb; 2],
    arithmetic: Arithmetic,
    evidence: Evidence,
    /// Edges that have been looked around.
    seen: KeySet<EdgeKey>,
    /// Memory to look around edges in.
    book: RadialOrder<Leaf>,
}

/// The model that a page belongs to, and what passing it from front to back adds to its winding number.
type Leaf = (usize, i32);

impl Search<'_> {
    /// One edge of every part: its surface, where it does not touch the other, lies in one cell of the other.
    fn classify_parts(&mut self, side: usize) {
        let reach = self.bounds[1 - side];
        let surface = self.surfaces[side];
        let (mut corners, mut fan) = (Vec::new(), Fan::default());
        let mut near = 0;
        surface.parts_near(&reach, &mut |part| {
            let [p, q] = surface.source().edge_of_part(part, &mut corners, &mut fan);
            if !Aabb::around([p, q]).overlaps(&reach) {
                return;
            }
            near += 1;
            if p == q {
                self.look_around_point(side, p);
            } else {
                self.look_around_edge([p, q]);
            }
        });
        // The edges of the others lie beyond all of the other model.
        self.evidence.sticks_out[side] |= near < surface.source().model.part_count();
    }

    fn look_around_facet(&mut self, corners: [DVec3; 3]) {
        for i in 0..3 {
            self.look_around_edge([corners[i], corners[(i + 1) % 3]]);
        }
    }

    fn look_around_edge(&mut self, [p, q]: [DVec3; 2]) {
        if p == q || self.evidence.is_complete() || !self.seen.insert(EdgeKey::new([p, q])) {
            return;
        }
        if self.arithmetic == Arithmetic::Rational || self.look_quickly([p, q]).is_none() {
            self.look_around_line(&Line { start: p.into(), end: q.into() });
        }
    }

    /// Cuts a line at every face that it passes through or along, and looks around a point of each piece.
    fn look_around_line(&mut self, line: &Line) {
        if line.is_point() {
            return;
        }
        let (cuts, along) = self.cut(line);
        for ends in cuts.windows(2) {
            let sample = line.at(&ends[0].between(&ends[1]));
            let book = self.open(line, &sample, &along);
            let turns = book.turns.iter().map(|turn| turn.pages.as_slice());
            self.read(book.winding, turns, book.has_wire, sample.near());
            if self.evidence.is_complete() {
                return;
            }
        }
    }

    /// Where faces cut a line, and the triangles that contain it and so perhaps a piece of it.
    fn cut(&self, line: &Line) -> (Vec<Fraction>, Vec<(Leaf, [DVec3; 3])>) {
        let near = line_bounds(line);
        let (mut cuts, mut along) = (vec![Fraction::zero(), Fraction::one()], Vec::new());
        for (of, surface) in self.surfaces.iter().enumerate() {
            surface.near(&near, &mut |FramedFacet { facet, weight, .. }| {
                line.cuts(facet.corners, &mut cuts);
                if line.lies_in(facet.corners) {
                    along.push(((of, *weight), facet.corners));
                }
            });
        }
        cuts.sort();
        cuts.dedup();
        (cuts, along)
    }

    /// What stands around a point of a line along which nothing changes.
    fn open(&self, line: &Line, sample: &ExactPoint, along: &[(Leaf, [DVec3; 3])]) -> Book {
        let mut pages: Vec<RadialFace<Leaf>> = Vec::new();
        let mut has_wire = [false; 2];
        for &(leaf, triangle @ [a, b, c]) in along {
            if are_collinear(a, b, c) {
                // Its own longest side is all of it.
                let sides = [[a, b], [b, c], [c, a]];
                has_wire[leaf.0] |= sides.iter().any(|&[p, q]| sample.lies_on_segment(p, q));
            } else if sample.lies_on(triangle) {
                pages.extend(RadialFace::of_triangle(leaf, sample, line, triangle));
            }
        }
        let (winding, turns) = at_first_good_ray(|ray| {
            let turns = radial_sort(line, ray, pages.clone())?;
            Some(([self.winding(0, sample, ray)?, self.winding(1, sample, ray)?], turns))
        });
        Book { winding, turns, has_wire }
    }

    /// Adds what is seen around a line to the evidence.
    fn read<'t>(
        &mut self,
        first: [i32; 2],
        turns: impl Iterator<Item = &'t [(Leaf, i32)]>,
        has_wire: [bool; 2],
        here: DVec3,
    ) {
        let mut winding = first;
        self.evidence.add_wedge(winding, here);
        // The other's numbers in the wedges around what has no area.
        let mut wedges = [Vec::new(), Vec::new()];
        let mut note = |winding: [i32; 2]| {
            for of in (0..2).filter(|&of| has_wire[of]) {
                wedges[of].push(winding[1 - of]);
            }
        };
        note(winding);
        let mut has_page = [false; 2];
        for turn in turns {
            let before = winding;
            pass(&mut winding, turn);
            note(winding);
            self.evidence.add_wedge(winding, here);
            for (of, has_page) in has_page.iter_mut().enumerate() {
                if turn.iter().any(|(leaf, _)| leaf.0 == of) {
                    *has_page = true;
                    self.evidence.add_patch(of, [before[1 - of], winding[1 - of]], here);
                }
            }
        }
        debug_assert_eq!(first, winding, "closed parts wind back to where they began");
        for of in (0..2).filter(|&of| has_wire[of] && !has_page[of]) {
            self.evidence.add_thread(of, &wedges[of], here);
        }
    }

    /// A part that is a single point. Around it, every cell of the other touches a line from the point to a corner of a
    /// face that contains it.
    fn look_around_point(&mut self, side: usize, point: DVec3) {
        let other = 1 - side;
        let sample = ExactPoint::from(point);
        let contains = |corners: [DVec3; 3]| {
            let [a, b, c] = corners;
            if are_collinear(a, b, c) {
                [[a, b], [b, c], [c, a]].iter().any(|&[p, q]| sample.lies_on_segment(p, q))
            } else {
                sample.side(corners).is_zero() && sample.lies_on(corners)
            }
        };
        let mut lines = Vec::new();
        self.surfaces[other].near(&Aabb::around([point]), &mut |FramedFacet { facet, .. }| {
            if contains(facet.corners) {
                lines.extend(facet.corners.into_iter().filter(|&corner| corner != point));
            }
        });
        let mut wedges = Vec::new();
        for corner in lines {
            let line = Line { start: point.into(), end: corner.into() };
            let (cuts, along) = self.cut(&line);
            let book = self.open(&line, &line.at(&cuts[0].between(&cuts[1])), &along);
            wedges.extend(book.wedges(other));
        }
        if wedges.is_empty() {
            let quickly =
                if self.arithmetic == Arithmetic::Quick { self.winding_quickly(other, point) } else { None };
            wedges
                .push(quickly.unwrap_or_else(|| at_first_good_ray(|ray| self.winding(other, &sample, ray))));
        }
        self.evidence.add_thread(side, &wedges, point);
    }

    /// The winding number of a model just off the sample in the direction of the ray.
    fn winding(&self, side: usize, sample: &ExactPoint, ray: Direction) -> Option<i32> {
        winding_along(self.surfaces[side], &self.bounds[side], sample, ray)
    }

    /// Where a model's surface lies inside the other, and nothing has been seen of the other outside of it: the other may
    /// still reach into a cavity. All edges tell, and all lines where the model's own faces cross.
    fn classify_cavities(&mut self, side: usize) {
        let other = 1 - side;
        let is_settled =
            |evidence: &Evidence| evidence.sticks_out[other] || evidence.surface_inside[side].is_none();
        if is_settled(&self.evidence) {
            return;
        }
        let surface = self.surfaces[side];
        let mut within = Vec::new();
        surface.near(&self.bounds[other], &mut |facet| within.push(*facet));
        for first in &within {
            self.look_around_facet(first.facet.corners);
            let mut lines = Vec::new();
            surface.near(&first.bounds, &mut |second| {
                if second.name.face >= first.name.face {
                    lines.extend(crossing_line(&first.facet, &second.facet));
                }
            });
            for line in lines {
                self.look_around_line(&line);
            }
            if is_settled(&self.evidence) {
                return;
            }
        }
    }
}

/// The line that two facets share, if they cross.
fn crossing_line(a: &Facet, b: &Facet) -> Option<Line> {
    if triangles_meet(a, b) != Some(Kind::Crossing) {
        return None;
    }
    let Some((_, Shared::Segment(ends))) = triangles(a, b) else { return None };
    Line::between_crossings(ends.map(|end| {
        let (own, plane) = match end.side {
            Side::A => (a.corners, b.corners),
            Side::B => (b.corners, a.corners),
        };
        let edge = end.edge as usize;
        ([own[edge], own[(edge + 1) % 3]], plane)
    }))
}

/// The faces around a piece of a line: the winding numbers of a first wedge, and what one passes turning onward.
struct Book {
    winding: [i32; 2],
    turns: Vec<Turn<Leaf>>,
    /// Whether something without area of a model lies along the piece.
    has_wire: [bool; 2],
}

impl Book {
    /// A model's winding numbers in all wedges.
    fn wedges(&self, of: usize) -> Vec<i32> {
        let mut winding = self.winding;
        let others = self.turns.iter().map(|turn| {
            pass(&mut winding, &turn.pages);
            winding[of]
        });
        std::iter::once(self.winding[of]).chain(others).collect()
    }
}

/// Passes all pages at one angle. From back to front is out of the solid.
fn pass(winding: &mut [i32; 2], pages: &[(Leaf, i32)]) {
    for &((of, weight), passes) in pages {
        winding[of] -= passes * weight;
    }
}

/// The winding number of a model just off a point in the direction of a ray; `None` where the ray passes through an edge.
fn winding_along(surface: &dyn Facets, bounds: &Aabb, sample: &ExactPoint, ray: Direction) -> Option<i32> {
    let path = ray_bounds(sample.near(), ray.vector(), bounds);
    let mut number = Some(0);
    surface.near(&path, &mut |FramedFacet { facet, weight, .. }| {
        if *weight != 0 && number.is_some() {
            let crossing = ray_crossing(sample, ray, facet.corners);
            number = number.zip(crossing).map(|(sum, crossing)| sum + weight * crossing);
        }
    });
    number
}

/// The winding number of a model's closed parts around a point that lies on none of its faces. Exact.
pub(super) fn winding_around(surface: &dyn Facets, point: DVec3) -> i32 {
    let bounds = surface.source().bounds();
    if !bounds.contains(point) {
        return 0;
    }
    let sample = ExactPoint::from(point);
    at_first_good_ray(|ray| winding_along(surface, &bounds, &sample, ray))
}

/// Whether a point that lies on no face of either of two models is in a solid of one of them. Exact.
pub(super) fn contains(surfaces: [&dyn Facets; 2], of: usize, point: DVec3, arithmetic: Arithmetic) -> bool {
    let bounds = surfaces.map(|surface| surface.source().bounds());
    if !bounds[of].contains(point) || !surfaces[of].source().model.has_solid() {
        return false;
    }
    let evidence = Evidence::default();
    let search = Search {
        surfaces,
        bounds,
        arithmetic,
        evidence,
        seen: KeySet::default(),
        book: RadialOrder::default(),
    };
    let quickly = if arithmetic == Arithmetic::Quick { search.winding_quickly(of, point) } else { None };
    quickly.unwrap_or_else(|| winding_around(surfaces[of], point)) > 0
}

/// Tries rays until one passes through no edge.
pub(super) fn at_first_good_ray<T>(attempt: impl Fn(Direction) -> Option<T>) -> T {
    let mut number = 0;
    loop {
        if let Some(found) = attempt(Direction::attempt(number)) {
            return found;
        }
        number = number.wrapping_add(1);
    }
}

/// A box around a line, with padding for the rounding of ends that are not `f64`.
fn line_bounds(line: &Line) -> Aabb {
    let bounds = Aabb::around([line.start.near(), line.end.near()]);
    widened(bounds, bounds.min.abs().max(bounds.max.abs()).max_element())
}

/// A box around the part of a ray that lies below the greatest corner of `within`; the ray ascends along every axis.
fn ray_bounds(origin: DVec3, direction: DVec3, within: &Aabb) -> Aabb {
    let size = origin.abs().max(within.min.abs()).max(within.max.abs()).max_element();
    let (axis, _) =
        (0..3).fold((0, 0.0), |best, i| if direction[i] > best.1 { (i, direction[i]) } else { best });
    let length = ((within.max[axis] - origin[axis]) / direction[axis]).max(0.0);
    let end = (origin + direction * length).min(within.max);
    widened(Aabb { min: origin, max: end.max(origin) }, size)
}

fn widened(bounds: Aabb, size: f64) -> Aabb {
    let room = DVec3::splat(size * (-40f64).exp2() + f64::MIN_POSITIVE);
    Aabb { min: bounds.min - room, max: bounds.max + room }
}
