//! The touch tolerance: verdicts where lengths up to a limit are the work of rounding.

use std::cell::OnceCell;

use crate::model::Placed;
use crate::query::{
    Contained, DistanceOptions, FacePair, IntersectOptions, Intersection, Overlap, OverlapFrame, Patience,
    Verdict, Witness,
};

impl Placed<'_> {
    /// Intersects the two models, as [`intersect_with`](Self::intersect_with) does, where up to `touch` is the work of rounding:
    /// what is no farther apart than that is [touching](Verdict::Touching), and so are solids that reach into each other by no more, unless what they share
    /// holds a larger ball. What sticks out by no more is [inside](Verdict::Inside).
    ///
    /// [`clash::detect`](crate::clash::detect) tests pairs this way, too. With a `touch` of 0 it is the exact answer. Of models that are apart, the witness is
    /// the middle between their closest points and has no faces; the pairs of faces are the exact ones always.
    ///
    /// ```
    /// use impinge::query::IntersectOptions;
    /// use impinge::{Model, Trs, Verdict, shapes};
    ///
    /// let cube = Model::new(shapes::cuboid([0.0; 3], [1.0; 3])?);
    /// let (a, b) = (cube.at(Trs::IDENTITY), cube.at(Trs::translation([1.001, 0.0, 0.0])?));
    /// assert_eq!(a.intersect_within(&b, IntersectOptions::new(), 0.0).verdict, Verdict::Clear);
    /// assert_eq!(a.intersect_within(&b, IntersectOptions::new(), 0.01).verdict, Verdict::Touching);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn intersect_within(
        &self,
        other: &Placed<'_>,
        options: IntersectOptions,
        touch: f64,
    ) -> Intersection {
        // How far an overlap goes is looked for where faces meet.
        let answer = self.intersect_with(other, options.pairs(options.pairs || touch > 0.0));
        within_touch(self, other, answer, options, touch)
    }
}

/// The answer of [`Placed::intersect_within`], given the exact one: for engines that are not the library's. With a `touch` above 0, the exact answer has its
/// pairs of faces, whether or not `options` asks for them.
#[doc(hidden)]
pub fn within_touch(
    a: &Placed<'_>,
    b: &Placed<'_>,
    mut answer: Intersection,
    options: IntersectOptions,
    touch: f64,
) -> Intersection {
    let IntersectOptions { surface_only, engine, .. } = options;
    if answer.verdict == Verdict::Clear && touch > 0.0 {
        let within = DistanceOptions::new().at_most(touch).surface_only(surface_only).engine(engine);
        if let Some(gap) = a.distance_with(b, within) {
            answer.verdict = Verdict::Touching;
            let point_in_world = gap.point_on_a.midpoint(gap.point_on_b);
            answer.witness = Some(Witness { faces: None, point_in_world });
        }
    } else {
        let frame = OnceCell::new();
        let patience = Patience::endless();
        let mut overlap = LazyOverlap::new(&frame, [a, b], touch, &patience);
        answer.verdict = relation([a, b], &answer, touch, &mut overlap).into();
    }
    if !options.pairs {
        answer.pairs.clear();
    }
    answer
}

/// Two models as depths are asked of them, made when the first is.
pub(super) struct LazyOverlap<'p, 'm> {
    frame: &'p OnceCell<OverlapFrame>,
    placed: [&'p Placed<'m>; 2],
    touch: f64,
    patience: &'p Patience<'p>,
    overlap: Option<Overlap<'p, 'm>>,
}

impl<'p, 'm> LazyOverlap<'p, 'm> {
    pub(super) fn new(
        frame: &'p OnceCell<OverlapFrame>,
        placed: [&'p Placed<'m>; 2],
        touch: f64,
        patience: &'p Patience<'p>,
    ) -> LazyOverlap<'p, 'm> {
        LazyOverlap { frame, placed, touch, patience, overlap: None }
    }

    /// The frame of the two models.
    pub(super) fn frame(&self) -> &'p OverlapFrame {
        let [a, b] = self.placed;
        self.frame.get_or_init(|| OverlapFrame::of(a, b))
    }

    /// The overlap, given all pairs of faces that intersect.
    pub(super) fn get(&mut self, pairs: &[FacePair]) -> &mut Overlap<'p, 'm> {
        let ([a, b], frame, touch, patience) = (self.placed, self.frame(), self.touch, self.patience);
        self.overlap.get_or_insert_with(|| Overlap::new(frame, a, b, pairs, touch, patience))
    }
}

/// How two models stand to each other once rounding is taken into account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// As by the exact answer, or by a gap or overlap that is no more than rounding.
    Verdict(Verdict),
    /// The two are the same solid, whatever their faces.
    Equal,
}

impl From<Relation> for Verdict {
    fn from(relation: Relation) -> Verdict {
        match relation {
            Relation::Verdict(verdict) => verdict,
            // As the exact answer says of equal solids.
            Relation::Equal => Verdict::Overlapping,
        }
    }
}

/// How two models that intersect stand to each other within a tolerance. `answer` is the exact one, with all faces that intersect. Where patience is over, it means nothing.
///
/// They touch where neither reaches into the other by more than `touch`, and what both share holds no ball of a larger radius. One is inside of the other where
/// nothing of it is outside by more than `touch`. Surfaces that bound nothing touch where a move of at most `touch` ends the overlap.
pub(super) fn relation<'p, 'm>(
    [a, b]: [&'p Placed<'m>; 2],
    answer: &Intersection,
    touch: f64,
    overlap: &mut LazyOverlap<'p, 'm>,
) -> Relation {
    let exact = Relation::Verdict(answer.verdict);
    if touch <= 0.0 || !matches!(answer.verdict, Verdict::Overlapping | Verdict::Inside(_)) {
        return exact;
    }
    let models = [a.model(), b.model()];
    let touching = Relation::Verdict(Verdict::Touching);
    let patience = overlap.patience;
    let ends_soon = || a.separation_of_meeting(b, &answer.pairs, touch, patience).is_some();
    // Depths are those of cores, and tell nothing of the balls around them.
    let are_rounded = models.iter().any(|model| model.radius() > 0.0);
    if are_rounded || !models.iter().any(|model| model.has_solid()) {
        return if ends_soon() { touching } else { exact };
    }
    let overlap = overlap.get(&answer.pairs);
    let is_deeper = overlap.is_deeper(0, touch) || overlap.is_deeper(1, touch);
    if !is_deeper && !overlap.shares_ball(touch) {
        // Open parts of both may cross, which no depth tells.
        let are_solids = models.iter().any(|model| model.is_closed());
        return if are_solids || ends_soon() { touching } else { exact };
    }
    if is_deeper && matches!(answer.verdict, Verdict::Inside(_)) {
        return exact;
    }
    match [0, 1].map(|side| overlap.sticks_out(side, touch)) {
        [false, false] => Relation::Equal,
        [false, true] => Relation::Verdict(Verdict::Inside(Contained::A)),
        [true, false] => Relation::Verdict(Verdict::Inside(Contained::B)),
        [true, true] => exact,
    }
}
