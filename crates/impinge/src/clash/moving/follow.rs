//! One pair through time: swept while the two are apart, looked at while they are in contact.

use super::timeline::{ClashTimeline, Observation};
use super::windows::Meeting;
use super::{Stage, TimedClash};
use crate::animation::{Piece, PiecePair};
use crate::clash::{Clash, ClashKind, check_pair, within_touch};
use crate::model::Placed;
use crate::query::{
    IntersectOptions, Scratch, SweepOptions, SweepStatus, Trajectory, Verdict, conservative_advancement,
};
use impinge_core::math::DAffine3;
use impinge_core::transform::Placement;

/// When a contact has begun, it is looked at so soon after: fractions of what is left of the span.
const SOON: [f64; 5] = [1.0 / 64.0, 1.0 / 16.0, 0.25, 0.5, 0.75];
/// How often the end of a contact is bracketed.
const BISECTIONS: u32 = 12;
/// Near is looked for in steps of at least so much of the clearance.
const NEAR_STEP: f64 = 0.01;
/// Distances closer than this share of the size count as touching where parts are moved step by step.
const LEAST_TOUCH: f64 = 1e-10;

/// Follows a pair through time, and tells its gravest clash.
pub(super) fn follow(stage: &Stage<'_>, meeting: &Meeting) -> Option<TimedClash> {
    let pair = meeting.pair;
    if meeting.times.is_empty() {
        let [a, b] = stage.pair_at(pair, 0.0)?;
        let clash = check_pair(&a, &b, &stage.clash)?;
        let clash = Clash { a: pair[0], b: pair[1], ..clash };
        return Some(TimedClash { clash, time: 0.0, duration: stage.duration, moment: 0.0, sampled: false });
    }
    let mut follower =
        Follower { stage, pair, history: ClashTimeline::default(), scratch: Scratch::default() };
    if meeting.times[0][0] == 0.0 {
        follower.look(0.0);
    }
    for [from, to] in &meeting.times {
        for span in stage.spans(&pair, [*from, *to], stage.every) {
            follower.go(span);
        }
        if *to < stage.duration {
            // Their boxes are apart from here on.
            follower.history.look(*to, Observation::Apart);
        }
    }
    follower.look(stage.duration);
    let met = follower.history.end(stage.duration)?;
    stage.clash(pair, &met)
}

struct Follower<'f, 's> {
    stage: &'f Stage<'s>,
    pair: [u32; 2],
    history: ClashTimeline,
    scratch: Scratch,
}

impl<'s> Follower<'_, 's> {
    /// From one moment to the next.
    fn go(&mut self, span: [f64; 2]) {
        let pieces = self.pair.map(|part| self.stage.piece(part, span));
        if self.history.contact().is_none() {
            let relative = PiecePair::new(&pieces[0], &pieces[1]);
            self.come_near(&relative, span);
            let Some(fraction) = self.first_meeting(&relative) else {
                // What jumps at the end is met by the next span.
                let sight = self.sight_in(&pieces, span, span[1]);
                self.history.look(span[1], sight);
                return;
            };
            // Not a rounding later than it is.
            let time = (span[0] + fraction * (span[1] - span[0])).next_down().clamp(span[0], span[1]);
            self.history.detect(time, Observation::Contact(ClashKind::Touching));
            for soon in SOON {
                let then = time + soon * (span[1] - time);
                // When it ends so soon, it is looked at from here.
                let sight = self.sight_in(&pieces, span, then);
                if !matches!(sight, Observation::Contact(_)) {
                    break;
                }
                self.history.look(then, sight);
            }
        }
        self.look(span[1]);
    }

    /// How the two stand at the end of a span, and when a contact ended in it, if one did.
    fn look(&mut self, time: f64) {
        let sight = self.sight(time);
        if let (Some([_, last]), false) = (self.history.contact(), matches!(sight, Observation::Contact(_))) {
            let mut ends = [last, time];
            for _ in 0..BISECTIONS {
                let middle = 0.5 * (ends[0] + ends[1]);
                let is_in_contact = matches!(self.sight(middle), Observation::Contact(_));
                ends[usize::from(!is_in_contact)] = middle;
            }
            self.history.look(ends[1], Observation::Apart);
        }
        self.history.look(time, sight);
    }

    fn sight(&mut self, time: f64) -> Observation {
        self.stage.pair_at(self.pair, time).map_or(Observation::Apart, |[a, b]| self.sight_of(&a, &b))
    }

    /// The observation of a pair inside of a span, before what may jump at its end has jumped.
    fn sight_in(&mut self, pieces: &[Piece; 2], [from, to]: [f64; 2], time: f64) -> Observation {
        let parameter = if to > from { (time - from) / (to - from) } else { 0.0 };
        let placed = |place: usize| self.stage.placed(self.pair[place], pieces[place].at(parameter));
        match (placed(0), placed(1)) {
            (Some(a), Some(b)) => self.sight_of(&a, &b),
            _ => Observation::Apart,
        }
    }

    fn sight_of(&mut self, a: &Placed<'_>, b: &Placed<'_>) -> Observation {
        let options = &self.stage.clash;
        // Nothing graver can be seen: whether they meet at all tells how long it lasts.
        if self.history.gravest() == Some(ClashKind::Overlapping)
            && a.intersects_in(b, IntersectOptions::new(), &mut self.scratch)
        {
            return Observation::Contact(ClashKind::Overlapping);
        }
        let reach = options.touch.max(options.clearance);
        if reach > 0.0 {
            match a.distance_within(b, reach).map(|near| near.distance) {
                None => return Observation::Apart,
                Some(distance) if distance > options.touch => return Observation::Near(distance),
                Some(distance) if distance > 0.0 => return Observation::Contact(ClashKind::Touching),
                Some(_) => {}
            }
        }
        let exact = a.intersect_in(b, IntersectOptions::new().pairs(options.touch > 0.0), &mut self.scratch);
        let kind = match within_touch(a, b, exact, IntersectOptions::new(), options.touch).verdict {
            Verdict::Clear => return Observation::Apart,
            Verdict::Touching => ClashKind::Touching,
            Verdict::Inside(contained) => ClashKind::Inside(contained),
            Verdict::Overlapping => ClashKind::Overlapping,
        };
        Observation::Contact(kind)
    }

    /// The fraction of a span at which the two first touch: never late. None where they do not.
    fn first_meeting(&mut self, relative: &PiecePair<'_>) -> Option<f64> {
        let [a, b] = self.placed(relative.at(0.0))?;
        if relative.is_still() || !relative.keeps_signs() {
            // Nothing to follow, or nothing that could be: the moment at the end tells.
            return a.intersects_in(&b, IntersectOptions::new(), &mut self.scratch).then_some(0.0);
        }
        if let Some((moving, motion)) = relative.motion() {
            let (mover, other) = if moving == 0 { (&a, &b) } else { (&b, &a) };
            let sweep = mover.sweep_in(&motion, other, SweepOptions::new(), &mut self.scratch);
            return (sweep.status != SweepStatus::Clear).then_some(sweep.fraction);
        }
        let speed = self.speed(relative);
        // Farther apart than anything can come in the whole span. Distances are rounded by far less.
        a.distance_within(&b, speed * 1.001)?;
        let models = [a.model(), b.model()];
        let steps = Steps { relative, speed };
        let found = conservative_advancement(models, &steps, self.tolerance(&a, &b), &mut self.scratch);
        (found.status != SweepStatus::Clear).then_some(found.fraction)
    }

    /// Notes when the two first come near during a span, if that matters still.
    fn come_near(&mut self, relative: &PiecePair<'_>, span: [f64; 2]) {
        let clearance = self.stage.clash.clearance;
        if clearance <= self.stage.clash.touch
            || !relative.keeps_signs()
            || self.history.gravest().is_some()
            || relative.is_still()
        {
            return;
        }
        let speed = self.speed(relative);
        let mut fraction = 0.0;
        while fraction < 1.0 {
            let Some([a, b]) = self.placed(relative.at(fraction)) else { return };
            // Farther away than it could come in what is left.
            let Some(near) = a.distance_within(&b, clearance + speed * (1.0 - fraction)) else { return };
            let distance = near.distance;
            if distance <= clearance {
                if distance > self.stage.clash.touch {
                    let time = span[0] + fraction * (span[1] - span[0]);
                    self.history.detect(time, Observation::Near(distance));
                }
                return;
            }
            let step = (distance - clearance).max(NEAR_STEP * clearance) / speed;
            if step.is_nan() || step <= 0.0 {
                return;
            }
            fraction += step;
        }
    }

    fn speed(&self, relative: &PiecePair<'_>) -> f64 {
        relative.speed(self.pair.map(|part| self.stage.reach(part)))
    }

    fn placed(&self, places: [DAffine3; 2]) -> Option<[Placed<'s>; 2]> {
        Some([self.stage.placed(self.pair[0], places[0])?, self.stage.placed(self.pair[1], places[1])?])
    }

    /// How close counts as touching where parts are moved step by step.
    fn tolerance(&self, a: &Placed<'_>, b: &Placed<'_>) -> f64 {
        let both = a.bounds().merge(b.bounds());
        let size = both.min.abs().max(both.max.abs()).max_element();
        self.stage.clash.touch.max(LEAST_TOUCH * size)
    }
}

/// A span as a path that can be followed step by step.
struct Steps<'p> {
    relative: &'p PiecePair<'p>,
    speed: f64,
}

impl Trajectory for Steps<'_> {
    fn poses(&self, time: f64) -> Option<[Placement; 2]> {
        let [a, b] = self.relative.at(time);
        Some([Placement::try_from(a).ok()?, Placement::try_from(b).ok()?])
    }

    fn speed(&self, _: f64, _: f64) -> f64 {
        self.speed
    }
}
