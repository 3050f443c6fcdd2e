//! Heights of turning corners along a direction, and their least and greatest values over an arc.

use super::number::{Number, V};

/// A fraction of the motion, with the sine and cosine of the angle turned by then.
#[derive(Clone, Copy, Debug)]
pub struct Moment<T> {
    pub sine: T,
    pub cosine: T,
    pub fraction: T,
}

/// A stretch of the motion during which less than half a turn is made.
#[derive(Clone, Copy, Debug)]
pub struct Arc<T> {
    pub first: Moment<T>,
    pub last: Moment<T>,
    /// The angle of the whole motion, above 0.
    pub angle: T,
}

/// `k + a·cos θ + b·sin θ`.
#[derive(Clone, Copy, Debug)]
pub struct Wave<T> {
    pub k: T,
    pub a: T,
    pub b: T,
}

impl<T: Number> Wave<T> {
    pub fn constant(k: T) -> Wave<T> {
        Wave { k, a: T::of(0.0), b: T::of(0.0) }
    }

    fn at(self, m: Moment<T>) -> T {
        self.k + self.a * m.cosine + self.b * m.sine
    }

    fn slope(self, m: Moment<T>) -> T {
        self.b * m.cosine - self.a * m.sine
    }

    fn amplitude(self) -> T {
        (self.a * self.a + self.b * self.b).sqrt()
    }

    pub fn minus(self, other: Wave<T>) -> Wave<T> {
        Wave { k: self.k - other.k, a: self.a - other.a, b: self.b - other.b }
    }

    /// The least and the greatest value on an arc; exactly but for rounding.
    fn range(self, arc: &Arc<T>) -> [T; 2] {
        let (value, last) = (self.at(arc.first), self.at(arc.last));
        let (slope, last_slope) = (self.slope(arc.first), self.slope(arc.last));
        let zero = T::of(0.0);
        let (mut low, mut high) = (value.min(last), value.max(last));
        if slope < zero && last_slope > zero {
            low = low.min(self.k - self.amplitude());
        }
        if slope > zero && last_slope < zero {
            high = high.max(self.k + self.amplitude());
        }
        [low, high]
    }

    /// The same of this wave plus the fraction times another; bounds of it, rather, that are off by a square of the arc.
    ///
    /// With M above the second derivative, the function leaves its chord by at most M·Δ²/8; and it has no turning point
    /// where the slopes at the ends add up to more than M·Δ.
    pub fn range_with(self, drift: Option<Wave<T>>, arc: &Arc<T>) -> [T; 2] {
        let Some(drift) = drift else { return self.range(arc) };
        let Arc { first, last, angle } = *arc;
        let value = |m: Moment<T>| self.at(m) + m.fraction * drift.at(m);
        let slope = |m: Moment<T>| angle * (self.slope(m) + m.fraction * drift.slope(m)) + drift.at(m);
        let square = angle * angle;
        let bend = square * (self.amplitude() + last.fraction * drift.amplitude())
            + T::of(2.0) * angle * drift.amplitude();
        let width = last.fraction - first.fraction;
        let (low, high) = (value(first).min(value(last)), value(first).max(value(last)));
        if (slope(first) + slope(last)).abs() > bend * width {
            return [low, high];
        }
        let sag = bend * width * width * T::of(0.125);
        [low - sag, high + sag]
    }
}

/// A corner, or any vector, on its circle: `along + cos θ · cosine + sin θ · sine`.
#[derive(Clone, Copy, Debug)]
pub struct Turning<T> {
    pub rest: V<T>,
    along: V<T>,
    cosine: V<T>,
    sine: V<T>,
}

impl<T: Number> Turning<T> {
    /// The circle of `rest`, relative to the center, about a unit axis; `sense` is -1 for turning backwards.
    pub fn new(rest: V<T>, axis: V<T>, sense: f64) -> Turning<T> {
        let along = axis.scaled(axis.dot(rest));
        let cosine = rest - along;
        Turning { rest, along, cosine, sine: axis.cross(rest).scaled(T::of(sense)) }
    }

    pub fn radius(&self) -> T {
        self.sine.length()
    }

    pub fn at(&self, m: Moment<T>) -> V<T> {
        self.along + self.cosine.scaled(m.cosine) + self.sine.scaled(m.sine)
    }

    /// The height along `n`.
    pub fn height(&self, n: V<T>) -> Wave<T> {
        Wave { k: n.dot(self.along), a: n.dot(self.cosine), b: n.dot(self.sine) }
    }
}
