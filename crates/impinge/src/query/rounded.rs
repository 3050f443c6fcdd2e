//! The pair query of rounded models: the distance of their cores against the sum of their radii, decided exactly.
//!
//! `docs/math/round-movers.md` says what the verdicts mean and why they are exact.

use std::ops::ControlFlow;

use super::patience::Patience;
use super::scratch::Scratch;
use super::solid::{self, Arithmetic, Contacts, Finding};
use super::verdict::{Contained, Engine, FacePair, IntersectOptions, Intersection, Verdict, Witness};
use crate::model::Placed;
use crate::pair::frame::{Frame, row_sum};
use crate::pair::stats::Stats;
use crate::pair::surface::{FaceSource, FacetList, FacetName, Facets, PlacedPieces, TreeFacets};
use impinge_core::bounds::Aabb;
use impinge_core::bvh::{DopTree, Leaf, NearView, NearVisitor, traverse_distance};
use impinge_core::math::{DVec3, middle};
use impinge_core::narrow::distance::{self, ExactLength, compare_distance};
use impinge_core::narrow::tri_tri::{Facet, Kind, triangles};
use impinge_core::predicates::Sign;
use impinge_core::simd::Lanes;

/// Whether one of two models is rounded.
#[inline]
pub(super) fn is_rounded(a: &Placed<'_>, b: &Placed<'_>) -> bool {
    a.radius() > 0.0 || b.radius() > 0.0
}

/// Sizes in this range are measured through trees; others by brute force.
const RANGE: std::ops::Range<f64> = 1e-50..1e70;

/// A pair of models of which one is rounded, the host first.
struct RoundedPair<'p, 'm> {
    frame: Frame,
    placed: [&'p Placed<'m>; 2],
    sources: [FaceSource<'m>; 2],
    /// The sum of the radii in the frame.
    length: ExactLength,
    /// An upper bound of the coordinates in the frame.
    extent: f64,
    options: IntersectOptions,
}

/// Two facets of the cores that are no farther apart than the radii, the host's first.
struct NearFacets {
    names: [FacetName; 2],
    corners: [[DVec3; 3]; 2],
    /// Zero where they are exactly as far apart.
    sign: Sign,
}

/// [`intersect`](super::intersect) for rounded models.
#[inline(never)]
pub(super) fn intersect(
    a: &Placed<'_>,
    b: &Placed<'_>,
    options: IntersectOptions,
    patience: &Patience<'_>,
    scratch: &mut Scratch,
) -> Intersection {
    if options.engine == Engine::Bvh && a.is_far_from(b) {
        return Intersection::CLEAR;
    }
    let pair = RoundedPair::new(a, b, options);
    let (mut nearer, mut touching, mut pairs) = (None, None, Vec::new());
    let stats = pair.for_each_near(scratch, |near| {
        if patience.is_over() {
            return ControlFlow::Break(());
        }
        let kind = if near.sign == Sign::Zero { Kind::Touching } else { Kind::Crossing };
        if options.pairs {
            pairs.push((near.names.map(|name| name.face), kind));
        }
        let first = if near.sign == Sign::Zero { &mut touching } else { &mut nearer };
        if first.is_none() {
            *first = Some(pair.witness(near));
        }
        if nearer.is_some() && !options.pairs { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    if patience.gave_up() {
        return Intersection::CLEAR;
    }
    let (verdict, witness) = match (nearer, touching) {
        (Some(witness), _) => (pair.contained().map_or(Verdict::Overlapping, Verdict::Inside), Some(witness)),
        (None, touching) => match pair.compare_solids() {
            Some(found) => {
                let point_in_world = pair.frame.to_world(found.point);
                (found.verdict, Some(Witness { faces: None, point_in_world }))
            }
            None => (if touching.is_some() { Verdict::Touching } else { Verdict::Clear }, touching),
        },
    };
    let verdict = if pair.frame.host == 0 { verdict } else { verdict.flipped() };
    let mut pairs: Vec<FacePair> = pairs
        .into_iter()
        .map(|(faces, kind)| {
            let [face_a, face_b] = pair.labels(faces);
            FacePair { face_a, face_b, kind }
        })
        .collect();
    // The strongest kind of each pair comes last among its facets, and survives.
    pairs.sort_unstable();
    pairs.reverse();
    pairs.dedup_by_key(|pair| (pair.face_a, pair.face_b));
    pairs.reverse();
    Intersection { verdict, witness, pairs, stats }
}

/// [`intersects`](super::intersects) for rounded models, and the work that it took.
#[inline(never)]
pub(super) fn intersects(
    a: &Placed<'_>,
    b: &Placed<'_>,
    options: IntersectOptions,
    scratch: &mut Scratch,
) -> (bool, Stats) {
    if options.engine == Engine::Bvh && a.is_far_from(b) {
        return (false, Stats::default());
    }
    let pair = RoundedPair::new(a, b, options);
    let mut are_near = false;
    let stats = pair.for_each_near(scratch, |_| {
        are_near = true;
        ControlFlow::Break(())
    });
    (are_near || pair.solids_meet(), stats)
}

impl<'p, 'm> RoundedPair<'p, 'm> {
    fn new(a: &'p Placed<'m>, b: &'p Placed<'m>, options: IntersectOptions) -> RoundedPair<'p, 'm> {
        let frame = Frame::of(a, b);
        let order = [frame.host, 1 - frame.host];
        let placed = order.map(|side| [a, b][side]);
        let sources = order.map(|side| FaceSource::new(&frame, side, [a, b][side]));
        let length = ExactLength::sum(placed[0].radius(), placed[1].radius(), frame.exponent());
        let extent_of = |side: usize| match frame.frame_from_model(order[side]) {
            None => placed[side].model().reach(),
            Some(map) => {
                row_sum(&map.matrix3) * (placed[side].model().reach() * frame.shrink())
                    + map.translation.abs().max_element()
            }
        };
        let extent = extent_of(0).max(extent_of(1)).max(length.high());
        RoundedPair { frame, placed, sources, length, extent, options }
    }

    /// The trees, where they are of use.
    fn trees(&self) -> Option<[&'m DopTree<6>; 2]> {
        let is_usual =
            self.options.engine == Engine::Bvh && self.frame.exponent() == 0 && RANGE.contains(&self.extent);
        is_usual.then(|| self.placed.map(|placed| placed.model().bvh()))
    }

    /// Calls `visit` with all facets of the cores that are no farther apart than the radii, until it breaks.
    fn for_each_near(
        &self,
        scratch: &mut Scratch,
        visit: impl FnMut(&NearFacets) -> ControlFlow<()>,
    ) -> Stats {
        // What the boxes of facets that matter are closer than, with padding for rounding.
        let error = 16.0 * f64::EPSILON * self.extent;
        let reach = self.length.high() * (1.0 + 1e-9) + error;
        let mut tests = FacetTests { pair: self, reach, visit, stats: Stats::default(), is_over: false };
        let Some(trees) = self.trees() else {
            tests.brute_force();
            return tests.stats;
        };
        let maps = [self.frame.host, 1 - self.frame.host].map(|side| self.frame.frame_from_model(side));
        let view = NearView::new(trees, [maps[0].as_ref(), maps[1].as_ref()], error);
        let Scratch { near, pieces, .. } = scratch;
        let mut visitor = LeafTests { trees, pieces, tests: &mut tests };
        let counts = traverse_distance(trees, &view, reach, near, &mut visitor);
        tests.stats.box_tests += 16 * counts.visits;
        tests.stats.visits += counts.visits;
        tests.stats
    }

    /// How the solids of the cores stand to each other, of which no surfaces are nearer than the radii.
    fn compare_solids(&self) -> Option<Finding> {
        if self.options.surface_only {
            return None;
        }
        self.with_facets(|facets, arithmetic| solid::compare(facets, &Contacts::default(), arithmetic))
    }

    /// Whether cores of which no surfaces are nearer than the radii do so as solids: a core of one triangle, as those of balls and capsules are, lies in
    /// a solid of the other if any point of it does.
    fn solids_meet(&self) -> bool {
        let thin = [0, 1].into_iter().find_map(|side| Some((side, self.single_triangle(side)?)));
        match thin {
            Some((side, [point, ..])) if !self.options.surface_only => {
                self.with_facets(|facets, arithmetic| solid::contains(facets, 1 - side, point, arithmetic))
            }
            _ => self.compare_solids().is_some(),
        }
    }

    /// Calls `look` with the facets of both, through trees where they are of use.
    fn with_facets<R>(&self, look: impl FnOnce([&dyn Facets; 2], Arithmetic) -> R) -> R {
        match (self.trees(), self.frame.models_from_world(self.placed)) {
            (Some(trees), Some([host, guest])) => {
                let facets = [
                    TreeFacets::new(self.sources[0], trees[0], Some(host)),
                    TreeFacets::new(self.sources[1], trees[1], Some(guest)),
                ];
                look([&facets[0], &facets[1]], Arithmetic::Quick)
            }
            _ => {
                let facets = [FacetList::new(self.sources[0]), FacetList::new(self.sources[1])];
                look([&facets[0], &facets[1]], Arithmetic::Rational)
            }
        }
    }

    /// The triangle, placed, that a core is made of; none where it is made of several.
    fn single_triangle(&self, side: usize) -> Option<[DVec3; 3]> {
        let mesh = self.sources[side].mesh();
        if mesh.triangle_count() != 1 {
            return None;
        }
        let triangle = (0..mesh.face_count() as u32).find_map(|face| mesh.fan(face).next())?;
        Some(triangle.map(|vertex| self.sources[side].place(mesh.vertex(vertex))))
    }

    /// The model, of the host as A and the guest as B, that lies in the other, whose core is a point, a segment or a triangle: all corners
    /// of the core are within the difference of the radii of the other's core. None where each lies in the other.
    fn contained(&self) -> Option<Contained> {
        match [self.lies_in_other(0), self.lies_in_other(1)] {
            [true, false] => Some(Contained::A),
            [false, true] => Some(Contained::B),
            _ => None,
        }
    }

    fn lies_in_other(&self, inner: usize) -> bool {
        let outer = 1 - inner;
        let [inner_radius, outer_radius] = [inner, outer].map(|side| self.placed[side].radius());
        if inner_radius > outer_radius {
            return false;
        }
        let Some(core) = self.single_triangle(outer) else { return false };
        let length = ExactLength::sum(outer_radius, -inner_radius, self.frame.exponent());
        let mesh = self.sources[inner].mesh();
        (0..mesh.face_count() as u32).flat_map(|face| mesh.corners(face)).all(|vertex| {
            let point = self.sources[inner].place(mesh.vertex(vertex));
            compare_distance(&[point; 3], &core, &length) != Sign::Positive
        })
    }

    fn labels(&self, faces: [u32; 2]) -> [u32; 2] {
        let [host, guest] = [0, 1].map(|i| self.sources[i].mesh().label(faces[i]));
        if self.frame.host == 0 { [host, guest] } else { [guest, host] }
    }

    /// A point of both models, near two facets of their cores.
    fn witness(&self, near: &NearFacets) -> Witness {
        let [host, guest] = near.corners.map(Facet::from);
        let point = match triangles(&host, &guest) {
            Some((_, shared)) => {
                let [start, end] = shared.ends(&host.corners, &guest.corners);
                middle(start, end)
            }
            None => {
                let closest = distance::triangles(&host.corners, &guest.corners);
                let [own, others] = self.placed.map(Placed::radius);
                // As much nearer to the one as its radius is smaller.
                closest.points[0] + closest.offset * (own / (own + others))
            }
        };
        Witness {
            faces: Some(self.labels(near.names.map(|name| name.face))),
            point_in_world: self.frame.to_world(point),
        }
    }
}

/// Tests facets of the cores, until the visitor breaks.
struct FacetTests<'t, 'p, 'm, V> {
    pair: &'t RoundedPair<'p, 'm>,
    reach: f64,
    visit: V,
    stats: Stats,
    is_over: bool,
}

impl<V: FnMut(&NearFacets) -> ControlFlow<()>> FacetTests<'_, '_, '_, V> {
    fn test(&mut self, [host, guest]: [&(FacetName, [DVec3; 3]); 2]) {
        self.stats.face_tests += 1;
        let sign = compare_distance(&host.1, &guest.1, &self.pair.length);
        if sign != Sign::Positive {
            let near = NearFacets { names: [host.0, guest.0], corners: [host.1, guest.1], sign };
            self.is_over |= (self.visit)(&near).is_break();
        }
    }

    /// Every facet against every other whose box is near.
    fn brute_force(&mut self) {
        let mut pieces = [PlacedPieces::new(), PlacedPieces::new()];
        for (source, pieces) in self.pair.sources.iter().zip(&mut pieces) {
            let faces: Vec<u32> = (0..source.mesh().face_count() as u32).collect();
            source.pieces(&faces, pieces);
        }
        let [hosts, guests] = pieces.map(|pieces| {
            let boxed = |piece: (FacetName, [DVec3; 3])| (Aabb::around(piece.1), piece);
            pieces.into_iter().map(boxed).collect::<Vec<_>>()
        });
        for (bounds, host) in &hosts {
            let reach = DVec3::splat(self.reach);
            let around = Aabb { min: bounds.min - reach, max: bounds.max + reach };
            for (_, guest) in guests.iter().filter(|(bounds, _)| bounds.overlaps(&around)) {
                self.test([host, guest]);
                if self.is_over {
                    return;
                }
            }
            self.stats.box_tests += guests.len() as u64;
        }
    }
}

/// Tests the facets of pairs of leaves.
struct LeafTests<'v, 't, 'p, 'm, V> {
    trees: [&'m DopTree<6>; 2],
    pieces: &'v mut [PlacedPieces; 2],
    tests: &'v mut FacetTests<'t, 'p, 'm, V>,
}

impl<V: FnMut(&NearFacets) -> ControlFlow<()>> NearVisitor for LeafTests<'_, '_, '_, '_, V> {
    fn meet<L: Lanes>(&mut self, a: Leaf, b: Leaf) -> f64 {
        let sources = &self.tests.pair.sources;
        sources[0].pieces(self.trees[0].elements(a), &mut self.pieces[0]);
        sources[1].pieces(self.trees[1].elements(b), &mut self.pieces[1]);
        let squared = self.tests.reach * self.tests.reach;
        for host in &self.pieces[0] {
            let bounds = Aabb::around(host.1);
            for guest in &self.pieces[1] {
                if bounds.distance_squared(&Aabb::around(guest.1)) > squared {
                    continue;
                }
                self.tests.test([host, guest]);
                if self.tests.is_over {
                    return -1.0;
                }
            }
        }
        self.tests.reach
    }
}
