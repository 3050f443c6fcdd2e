//! How two bodies stand to each other at every time of a translation, and what a sweep is to say of it.

use super::lattice::{Point, Ratio};
use super::obstacle::{Obstacle, Span, Standing};

/// What a motion from a touching start does just after the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Course {
    /// The bodies are clear of each other.
    Parts,
    /// They touch.
    Slides,
    /// They overlap.
    Presses,
}

/// The times, in fractions of the motion, at which pieces of two bodies meet.
#[derive(Clone, Debug)]
pub struct Timeline {
    pub spans: Vec<Span>,
}

impl Timeline {
    pub fn new(obstacles: &[Obstacle], start: Point, by: Point) -> Timeline {
        Timeline { spans: obstacles.iter().filter_map(|obstacle| obstacle.span(start, by)).collect() }
    }

    /// At the start.
    pub fn standing(&self) -> Standing {
        let now = self.spans.iter().filter(|span| span.enters <= Ratio::ZERO && Ratio::ZERO <= span.leaves);
        let standing = now.map(|span| {
            let is_inside = span.is_deep && span.enters < Ratio::ZERO && Ratio::ZERO < span.leaves;
            if is_inside { Standing::Overlapping } else { Standing::Touching }
        });
        standing.max().unwrap_or(Standing::Clear)
    }

    /// Just after a touching start.
    pub fn course(&self) -> Course {
        let after = self.spans.iter().filter(|span| span.enters <= Ratio::ZERO && Ratio::ZERO < span.leaves);
        let course = after.map(|span| if span.is_deep { Course::Presses } else { Course::Slides });
        course.max().unwrap_or(Course::Parts)
    }

    /// When an overlap first begins, at the start or after it.
    pub fn first_overlap(&self) -> Option<Ratio> {
        let deep = self.spans.iter().filter(|span| span.is_deep && Ratio::ZERO < span.leaves);
        deep.map(|span| span.enters.max(Ratio::ZERO)).min()
    }

    /// When a touch first begins, strictly after a time.
    pub fn first_touch_after(&self, time: Ratio) -> Option<Ratio> {
        self.spans.iter().map(|span| span.enters).filter(|enters| *enters > time).min()
    }

    /// When the bodies are first clear of each other for a while, if nothing stops the motion.
    pub fn parted(&self) -> Ratio {
        let mut reached = Ratio::ZERO;
        loop {
            let on = self.spans.iter().filter(|span| span.enters <= reached && reached < span.leaves);
            match on.map(|span| span.leaves).max() {
                Some(leaves) => reached = leaves,
                None => return reached,
            }
        }
    }

    /// The end of the longest initial stretch without overlap and, once parted, without touch; from a clear start the first touch.
    /// None where there is no such end up to the end of the motion.
    pub fn first_stop(&self) -> Option<Ratio> {
        let in_motion = |time: &Ratio| *time <= Ratio::ONE;
        match self.standing() {
            Standing::Overlapping => Some(Ratio::ZERO),
            Standing::Clear => self.first_touch_after(Ratio::ZERO).filter(in_motion),
            Standing::Touching => {
                // An overlap that would begin at the very end does not begin any more.
                let overlap = self.first_overlap().filter(|time| *time < Ratio::ONE);
                let again = self.first_touch_after(self.parted()).filter(in_motion);
                overlap.into_iter().chain(again).min()
            }
        }
    }
}

/// [`Timeline::course`] and [`Timeline::first_stop`] in another way, by looking at every time at which anything may change and between
/// these: slow, and simple enough to be seen to be right.
pub fn by_looking(obstacles: &[Obstacle], start: Point, by: Point) -> (Standing, Option<Ratio>, Course) {
    let standing_at = |time: Ratio| {
        let all = obstacles.iter().map(|obstacle| obstacle.standing_on_line(start, by, time));
        all.max().unwrap_or(Standing::Clear)
    };
    let mut times = vec![Ratio::ZERO, Ratio::ONE];
    for plane in obstacles.iter().flat_map(|obstacle| &obstacle.planes) {
        let speed = super::lattice::dot(plane.normal, by);
        if speed != 0 {
            times.push(Ratio::new(plane.offset - super::lattice::dot(plane.normal, start), speed));
        }
    }
    times.retain(|time| Ratio::ZERO <= *time && *time <= Ratio::ONE);
    times.sort_unstable();
    times.dedup();
    let course = match standing_at(times[0].middle(times[1])) {
        Standing::Clear => Course::Parts,
        Standing::Touching => Course::Slides,
        Standing::Overlapping => Course::Presses,
    };
    let first = standing_at(Ratio::ZERO);
    let mut has_parted = first == Standing::Clear;
    let is_end = |standing: Standing, has_parted: bool| {
        standing == Standing::Overlapping || standing == Standing::Touching && has_parted
    };
    if is_end(first, has_parted) {
        return (first, Some(Ratio::ZERO), course);
    }
    for pair in times.windows(2) {
        let between = standing_at(pair[0].middle(pair[1]));
        if is_end(between, has_parted) {
            return (first, Some(pair[0]), course);
        }
        has_parted |= between == Standing::Clear;
        if is_end(standing_at(pair[1]), has_parted) {
            return (first, Some(pair[1]), course);
        }
    }
    (first, None, course)
}
