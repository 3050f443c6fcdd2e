//! The touch tolerance: verdicts where lengths up to a limit are the work of rounding.

use super::ClashOptions;
use crate::model::Placed;
use crate::query::{
    Distance, DistanceOptions, IntersectOptions, Intersection, SeparatingTranslation, Verdict, Witness,
};

impl Placed<'_> {
    /// Intersects the two models, as [`intersect_with`](Self::intersect_with) does, where up to `touch` is the work of rounding:
    /// what is no farther apart than that, and an overlap that a move of at most that length ends, is
    /// [touching](Verdict::Touching).
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
        // Moves that end an overlap are looked for away from the faces that meet.
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
    let clash_options = ClashOptions::new().touch(touch).separation(false);
    let IntersectOptions { surface_only, engine, .. } = options;
    let gap = |at_most: f64| {
        a.distance_with(b, DistanceOptions::new().at_most(at_most).surface_only(surface_only).engine(engine))
    };
    let measured = Measured::of(a, b, &answer, &clash_options, gap);
    answer.verdict = measured.verdict;
    if let Some(gap) = measured.gap {
        let point_in_world = gap.point_on_a.midpoint(gap.point_on_b);
        answer.witness = Some(Witness { faces: None, point_in_world });
    }
    if !options.pairs {
        answer.pairs.clear();
    }
    answer
}

/// A verdict once rounding is taken into account, and the lengths that decided it.
pub(super) struct Measured {
    pub(super) verdict: Verdict,
    /// The distance of models that do not intersect and are no farther apart than `touch` or `clearance`.
    pub(super) gap: Option<Distance>,
    /// A short move that ends the overlap of models that overlap, if there is one or any is wanted.
    pub(super) separation: Option<SeparatingTranslation>,
}

impl Measured {
    /// The verdict within a tolerance. `answer` is the exact one, with the faces that intersect; `gap` is the distance of models that do not, if no more than
    /// so much.
    pub(super) fn of(
        a: &Placed<'_>,
        b: &Placed<'_>,
        answer: &Intersection,
        options: &ClashOptions<'_>,
        gap: impl FnOnce(f64) -> Option<Distance>,
    ) -> Measured {
        let mut measured = Measured { verdict: answer.verdict, gap: None, separation: None };
        let length = match answer.verdict {
            Verdict::Clear => {
                let at_most = options.touch.max(options.clearance);
                measured.gap = if at_most > 0.0 { gap(at_most) } else { None };
                measured.gap.map(|gap| gap.distance)
            }
            Verdict::Overlapping => {
                let at_most = if options.separation { f64::INFINITY } else { options.touch };
                measured.separation =
                    if at_most > 0.0 { a.separation_of_meeting(b, &answer.pairs, at_most) } else { None };
                measured.separation.map(|short| short.distance)
            }
            _ => None,
        };
        if length.is_some_and(|length| length <= options.touch) {
            measured.verdict = Verdict::Touching;
        }
        measured
    }
}
