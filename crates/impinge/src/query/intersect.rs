//! The pair query: the verdict on two placed models, and where they intersect.

use std::ops::ControlFlow;

use super::patience::Patience;
use super::point::{PointPair, is_point};
use super::rounded::{self, is_rounded};
use super::scratch::Scratch;
use super::search::{FacetMeeting, FramedPair, PairTree, brute_force, traverse_bvh};
use super::solid::{self, Arithmetic, Contacts};
use super::verdict::{Engine, FacePair, IntersectOptions, Intersection, Verdict, Witness};
use crate::model::Placed;
use crate::pair::frame::{Frame, FrameChoice, Maps};
use crate::pair::invariants::PairInvariants;
use crate::pair::stats::Stats;
use crate::pair::surface::{FaceSource, FaceTree, FacetList, Facets, TreeFacets};
use impinge_core::bvh::{Descent, DopTree, Goal};
use impinge_core::math::{DVec3, middle};
use impinge_core::narrow::tri_tri::{Fan, Kind, triangles, triangles_meet};
use impinge_core::parallel::hold;

/// Intersects two placed models: the verdict on how they stand to each other, and where they intersect.
///
/// Exact: for the vertices as rounded into the canonical frame of the pair, the verdict and the pairs are those of
/// arithmetic without rounding, whatever the engine. Exchanging the models exchanges nothing but the names in the answer.
pub(super) fn intersect(
    a: &Placed<'_>,
    b: &Placed<'_>,
    options: IntersectOptions,
    scratch: &mut Scratch,
) -> Intersection {
    intersect_while(a, b, options, &Patience::endless(), scratch)
}

/// [`intersect`] as long as there is patience. Where that is over, the answer means nothing.
pub(super) fn intersect_while(
    a: &Placed<'_>,
    b: &Placed<'_>,
    options: IntersectOptions,
    patience: &Patience<'_>,
    scratch: &mut Scratch,
) -> Intersection {
    if options.engine == Engine::Bvh && !is_rounded(a, b) && a.is_far_from(b) {
        return Intersection::CLEAR;
    }
    intersect_pair(&PairInvariants::of([a.model(), b.model()]), a, b, options, patience, scratch)
}

/// [`intersect_while`] for models of which the invariants are known, and that are probably not far from each other. Apart from what most pairs of a
/// scene need, which is far less memory on the stack.
#[inline(never)]
pub(super) fn intersect_pair(
    invariants: &PairInvariants,
    a: &Placed<'_>,
    b: &Placed<'_>,
    options: IntersectOptions,
    patience: &Patience<'_>,
    scratch: &mut Scratch,
) -> Intersection {
    let _held = hold();
    if is_rounded(a, b) {
        return rounded::intersect(a, b, options, patience, scratch);
    }
    if options.engine == Engine::Brute {
        return Query::of(Pair::new(a, b), options).brute_force();
    }
    let choice = FrameChoice::of(invariants, [a, b]);
    if choice.boxes_are_apart([a, b]) {
        return Intersection::CLEAR;
    }
    let pair = Pair::framed(choice.frame([a, b]), a, b);
    let trees = pair.bvhs();
    Query::of(pair, options).through(trees, patience, scratch)
}

/// Whether two placed models intersect: anything but [`Verdict::Clear`]. Quicker than [`intersect`], because it stops at the first
/// pair of faces that intersect and does not ask how. Of `options`, only the engine and `surface_only` count.
pub(super) fn intersects(
    a: &Placed<'_>,
    b: &Placed<'_>,
    options: IntersectOptions,
    scratch: &mut Scratch,
) -> bool {
    if options.engine == Engine::Bvh && !is_rounded(a, b) && a.is_far_from(b) {
        return false;
    }
    intersects_pair(&PairInvariants::of([a.model(), b.model()]), a, b, options, scratch)
}

/// [`intersects`] for models of which the invariants are known; see [`intersect_pair`].
#[inline(never)]
pub(super) fn intersects_pair(
    invariants: &PairInvariants,
    a: &Placed<'_>,
    b: &Placed<'_>,
    options: IntersectOptions,
    scratch: &mut Scratch,
) -> bool {
    let _held = hold();
    if is_rounded(a, b) {
        return rounded::intersects(a, b, options, scratch).0;
    }
    if options.engine == Engine::Brute {
        return Pair::new(a, b).meet_by_trying_all(options).met;
    }
    // Not by way of an `Option`, which would be copied: a short query takes no longer than that.
    let choice = FrameChoice::of(invariants, [a, b]);
    if choice.boxes_are_apart([a, b]) {
        return false;
    }
    let pair = Pair::framed(choice.frame([a, b]), a, b);
    match PointPair::of(&pair.sources) {
        Some(pair) => pair.intersect(options.surface_only),
        None => pair.meet(pair.bvhs(), options, Goal::First, scratch).met,
    }
}

/// How two placed models stand to each other: clear, touching or overlapping, which here is anything more. Those that are known not to overlap are compared
/// as surfaces.
pub(super) fn standing(
    a: &Placed<'_>,
    b: &Placed<'_>,
    are_known_free: bool,
    scratch: &mut Scratch,
) -> Standing {
    let has_point = || [a, b].iter().any(|placed| is_point(placed.model()));
    if !are_known_free && has_point() && !is_rounded(a, b) && !a.is_far_from(b) {
        let pair = Pair::new(a, b);
        if let Some(winding) = PointPair::of(&pair.sources).and_then(|pair| pair.likely_winding()) {
            return if winding > 0 { Standing::Overlapping } else { Standing::Clear };
        }
    }
    // What is free of each other shares no more than points of the surfaces.
    if !intersects(a, b, IntersectOptions::new().surface_only(are_known_free), scratch) {
        Standing::Clear
    } else if are_known_free
        || intersect(a, b, IntersectOptions::default(), scratch).verdict == Verdict::Touching
    {
        Standing::Touching
    } else {
        Standing::Overlapping
    }
}

/// The pair query through other trees than the models' own: those over the faces of `a` and of `b`. The engine of `options` does not count. Of
/// rounded models it is the cores that count.
pub fn intersect_by<T: PairTree>(
    [a, b]: [&Placed<'_>; 2],
    trees: [&T; 2],
    options: IntersectOptions,
    memory: &mut T::Memory,
) -> Intersection {
    let _held = hold();
    let Some(pair) = Pair::unless_apart(a, b) else { return Intersection::CLEAR };
    let trees = [trees[pair.host()], trees[1 - pair.host()]];
    Query::of(pair, options).through(trees, &Patience::endless(), memory)
}

/// The test whether two intersect, through other trees than the models' own, and how much work it took; see [`intersect_by`].
pub fn intersects_by<T: PairTree>(
    [a, b]: [&Placed<'_>; 2],
    trees: [&T; 2],
    options: IntersectOptions,
    memory: &mut T::Memory,
) -> (bool, Stats) {
    let _held = hold();
    let Some(pair) = Pair::unless_apart(a, b) else { return (false, Stats::default()) };
    let trees = [trees[pair.host()], trees[1 - pair.host()]];
    let Met { met, stats, .. } = pair.meet(trees, options, Goal::First, memory);
    (met, stats)
}

/// Whether two placed models overlap or one contains the other: the verdicts of [`intersect`] that are neither clear nor touching,
/// without a place for it.
pub(super) fn overlap(a: &Placed<'_>, b: &Placed<'_>, scratch: &mut Scratch) -> bool {
    if is_rounded(a, b) {
        let answer = intersect(a, b, IntersectOptions::default(), scratch);
        return !matches!(answer.verdict, Verdict::Clear | Verdict::Touching);
    }
    Pair::unless_apart(a, b).is_some_and(|pair| Query::of(pair, IntersectOptions::default()).overlap(scratch))
}

/// Whether two placed models intersect without the balls that round them.
pub(super) fn cores_intersect(a: &Placed<'_>, b: &Placed<'_>, scratch: &mut Scratch) -> bool {
    if !is_rounded(a, b) {
        return intersects(a, b, IntersectOptions::default(), scratch);
    }
    let pair = Pair::new(a, b);
    pair.meet(pair.bvhs(), IntersectOptions::default(), Goal::First, scratch).met
}

/// Calls `meet` with every pair of facets of two models that intersect, the host's first.
pub(super) fn for_each_meeting(frame: &Frame, placed: [&Placed<'_>; 2], mut meet: impl FnMut(&FacetMeeting)) {
    let order = [frame.host, 1 - frame.host];
    let sources = order.map(|side| FaceSource::new(frame, side, placed[side]));
    let [host, guest] = order.map(|side| placed[side]);
    let all = |meeting: &FacetMeeting| {
        meet(meeting);
        ControlFlow::Continue(())
    };
    if let Some(maps) = frame.maps(host, guest) {
        let trees = [host.model().bvh(), guest.model().bvh()];
        traverse_bvh(trees, &sources, &maps, (Goal::All, Descent::USUAL), &mut Scratch::default(), all);
    } else {
        let [host, guest] = sources.map(FacetList::new);
        brute_force(&host, &guest, all);
    }
}

/// How two placed models stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    Clear,
    Touching,
    /// They overlap, or one is inside of the other.
    Overlapping,
}

/// Whether two models intersect; the faces by which it was found, if it was by faces, the host's first.
pub(super) struct Met {
    pub(super) faces: Option<[u32; 2]>,
    pub(super) met: bool,
    pub(super) stats: Stats,
}

/// Two placed models in their canonical frame.
#[derive(Clone)]
pub(super) struct Pair<'p, 'm> {
    frame: Frame,
    /// The host and the guest.
    placed: [&'p Placed<'m>; 2],
    sources: [FaceSource<'m>; 2],
}

/// A pair, and what was found of it.
struct Query<'p, 'm> {
    pair: Pair<'p, 'm>,
    options: IntersectOptions,
    found: Found,
}

/// The facets that intersect, as far as they matter.
#[derive(Default)]
struct Found {
    crossing: Option<FacetMeeting>,
    /// The first that touch.
    touching: Option<FacetMeeting>,
    /// All facets that touch something; of no use once a crossing is found.
    contacts: Contacts,
    /// By face of the host and of the guest.
    pairs: Vec<([u32; 2], Kind)>,
}

impl Found {
    fn add(&mut self, meeting: &FacetMeeting, options: IntersectOptions) -> ControlFlow<()> {
        match meeting.kind {
            Kind::Crossing if self.crossing.is_none() => self.crossing = Some(*meeting),
            Kind::Touching if self.crossing.is_none() => {
                self.touching.get_or_insert(*meeting);
                if !options.surface_only {
                    self.contacts.add(meeting);
                }
            }
            _ => {}
        }
        if options.pairs {
            self.pairs.push((meeting.faces(), meeting.kind));
        }
        if self.crossing.is_some() && !options.pairs {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

impl<'p, 'm> Pair<'p, 'm> {
    #[inline]
    fn new(a: &'p Placed<'m>, b: &'p Placed<'m>) -> Pair<'p, 'm> {
        Pair::framed(Frame::of(a, b), a, b)
    }

    /// The pair, unless spheres or boxes around the two tell them apart.
    #[inline]
    pub(super) fn unless_apart(a: &'p Placed<'m>, b: &'p Placed<'m>) -> Option<Pair<'p, 'm>> {
        if a.is_far_from(b) {
            return None;
        }
        let choice = FrameChoice::of(&PairInvariants::of([a.model(), b.model()]), [a, b]);
        if choice.boxes_are_apart([a, b]) { None } else { Some(Pair::framed(choice.frame([a, b]), a, b)) }
    }

    #[inline(always)]
    fn framed(frame: Frame, a: &'p Placed<'m>, b: &'p Placed<'m>) -> Pair<'p, 'm> {
        let order = [frame.host, 1 - frame.host];
        let placed = [[a, b][order[0]], [a, b][order[1]]];
        // Not by `map`, which copies what is large several times.
        let sources =
            [FaceSource::new(&frame, order[0], placed[0]), FaceSource::new(&frame, order[1], placed[1])];
        Pair { frame, placed, sources }
    }

    /// The trees of the host and the guest.
    #[inline]
    pub(super) fn bvhs(&self) -> [&'m DopTree<6>; 2] {
        [self.placed[0].model().bvh(), self.placed[1].model().bvh()]
    }

    #[inline(always)]
    fn maps(&self) -> Option<Maps> {
        self.frame.maps(self.placed[0], self.placed[1])
    }

    #[cold]
    fn meet_by_trying_all(&self, options: IntersectOptions) -> Met {
        let answer = Query::of(self.clone(), options).brute_force();
        Met { faces: None, met: answer.verdict != Verdict::Clear, stats: answer.stats }
    }

    /// Whether the two intersect, by the first faces that do, through trees of the host and the guest.
    #[inline(always)]
    pub(super) fn meet<T: PairTree>(
        &self,
        trees: [&T; 2],
        options: IntersectOptions,
        goal: Goal<'_>,
        memory: &mut T::Memory,
    ) -> Met {
        let Some(maps) = self.maps() else {
            return self.meet_by_trying_all(options);
        };
        let pair = FramedPair { placed: self.placed, sources: &self.sources, maps: &maps };
        let mut faces = None;
        let stats = T::for_each_meeting(trees, &pair, goal, memory, |meeting| {
            faces = Some(meeting.faces());
            ControlFlow::Break(())
        });
        let met = faces.is_some() || !options.surface_only && self.solids_meet(trees, &maps);
        Met { faces, met, stats }
    }

    /// Whether models of which no faces intersect do so as solids.
    #[inline(never)]
    fn solids_meet<T: FaceTree>(&self, trees: [&T; 2], maps: &Maps) -> bool {
        let [host, guest] = self.tree_facets(trees, maps);
        solid::compare([&host, &guest], &Contacts::default(), Arithmetic::Quick).is_some()
    }

    /// Whether a face of the host and a face of the guest intersect.
    pub(super) fn faces_meet(&self, faces: [u32; 2], corners: &mut Vec<DVec3>, fans: &mut [Fan; 2]) -> bool {
        for (side, fan) in fans.iter_mut().enumerate() {
            self.sources[side].fan(faces[side], corners, fan);
        }
        let [host, guest] = &*fans;
        host.facets().iter().any(|a| guest.facets().iter().any(|b| triangles_meet(a, b).is_some()))
    }

    /// The model, of the two, that is the host.
    pub(super) fn host(&self) -> usize {
        self.frame.host
    }

    /// The facets of the host and the guest, to be found through their trees.
    fn tree_facets<'t, T: FaceTree>(&self, trees: [&'t T; 2], maps: &Maps) -> [TreeFacets<'t, T>; 2]
    where
        'm: 't,
    {
        let (host_map, guest_map) = match self.frame.models_from_world(self.placed) {
            None => (None, (maps.guest_from_host, maps.error_in_guest)),
            Some([host, guest]) => (Some(host), guest),
        };
        [
            TreeFacets::new(self.sources[0], trees[0], host_map),
            TreeFacets::new(self.sources[1], trees[1], Some(guest_map)),
        ]
    }
}

impl<'p, 'm> Query<'p, 'm> {
    fn of(pair: Pair<'p, 'm>, options: IntersectOptions) -> Query<'p, 'm> {
        Query { pair, options, found: Found::default() }
    }

    fn brute_force(mut self) -> Intersection {
        let lists = self.pair.sources.map(FacetList::new);
        let (found, options) = (&mut self.found, self.options);
        let stats = brute_force(&lists[0], &lists[1], |meeting| found.add(meeting, options));
        let answer = self.answer([&lists[0], &lists[1]], Arithmetic::Rational);
        Intersection { stats, ..answer }
    }

    /// The answer through trees of the host and the guest.
    fn through<T: PairTree>(
        mut self,
        trees: [&T; 2],
        patience: &Patience<'_>,
        memory: &mut T::Memory,
    ) -> Intersection {
        let Some(maps) = self.pair.maps() else {
            // Coordinates so large that bounds are of no use.
            return self.brute_force();
        };
        let (found, options) = (&mut self.found, self.options);
        let goal = if options.pairs { Goal::All } else { Goal::First };
        let pair = FramedPair { placed: self.pair.placed, sources: &self.pair.sources, maps: &maps };
        let stats = T::for_each_meeting(trees, &pair, goal, memory, |meeting| {
            if patience.is_over() { ControlFlow::Break(()) } else { found.add(meeting, options) }
        });
        if patience.gave_up() {
            return Intersection::CLEAR;
        }
        let [host, guest] = self.pair.tree_facets(trees, &maps);
        let answer = self.answer([&host, &guest], Arithmetic::Quick);
        Intersection { stats, ..answer }
    }

    fn overlap(mut self, scratch: &mut Scratch) -> bool {
        let Some(maps) = self.pair.maps() else {
            return matches!(self.brute_force().verdict, Verdict::Overlapping | Verdict::Inside(_));
        };
        let trees = self.pair.bvhs();
        let (found, options) = (&mut self.found, self.options);
        let aim = (Goal::First, Descent::USUAL);
        traverse_bvh(trees, &self.pair.sources, &maps, aim, scratch, |meeting| found.add(meeting, options));
        let [host, guest] = self.pair.tree_facets(trees, &maps);
        self.found.crossing.is_some()
            || solid::compare([&host, &guest], &self.found.contacts, Arithmetic::Quick).is_some()
    }

    /// The answer that follows from what was found, but for the work; `facets` are those of the host and the guest.
    fn answer(self, facets: [&dyn Facets; 2], arithmetic: Arithmetic) -> Intersection {
        let Query { pair: Pair { frame, sources, .. }, options, found } = self;
        let labels = |faces: [u32; 2]| {
            let [host, guest] = [0, 1].map(|i| sources[i].mesh().label(faces[i]));
            if frame.host == 0 { [host, guest] } else { [guest, host] }
        };
        let at_faces = |meeting: &FacetMeeting| {
            let [host, guest] = &meeting.facets;
            let ends = triangles(host, guest).map(|(_, shared)| shared.ends(&host.corners, &guest.corners));
            let point = ends.map_or(host.corners[0], |[start, end]| middle(start, end));
            Witness { faces: Some(labels(meeting.faces())), point_in_world: frame.to_world(point) }
        };
        let at_point = |point: DVec3| Witness { faces: None, point_in_world: frame.to_world(point) };

        let (verdict, witness) = if let Some(meeting) = &found.crossing {
            (Verdict::Overlapping, Some(at_faces(meeting)))
        } else {
            let solids =
                if options.surface_only { None } else { solid::compare(facets, &found.contacts, arithmetic) };
            match (solids, &found.touching) {
                (Some(finding), Some(meeting)) if finding.verdict == Verdict::Overlapping => {
                    (finding.verdict, Some(at_faces(meeting)))
                }
                (Some(finding), _) => (finding.verdict, Some(at_point(finding.point))),
                (None, Some(meeting)) => (Verdict::Touching, Some(at_faces(meeting))),
                (None, None) => (Verdict::Clear, None),
            }
        };
        let verdict = if frame.host == 0 { verdict } else { verdict.flipped() };
        let mut pairs: Vec<FacePair> = found
            .pairs
            .into_iter()
            .map(|(faces, kind)| {
                let [face_a, face_b] = labels(faces);
                FacePair { face_a, face_b, kind }
            })
            .collect();
        // By the two faces as one number, which is quicker than one after the other, and by the kind.
        let faces = |pair: &FacePair| u64::from(pair.face_a) << 32 | u64::from(pair.face_b);
        pairs.sort_unstable_by_key(|pair| u128::from(faces(pair)) << 1 | (pair.kind as u128));
        // The strongest kind of each pair comes last among its facets, and survives.
        pairs.dedup_by(|later, pair| {
            let same = faces(later) == faces(pair);
            if same {
                pair.kind = later.kind;
            }
            same
        });
        Intersection { verdict, witness, pairs, stats: Stats::default() }
    }
}
