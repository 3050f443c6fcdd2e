//! Numbers of two precisions behind one trait: `f64`, and [`Twin`], an unevaluated sum of two of them with some 100 bits.
//! And vectors of them.

use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};

use impinge::math::DVec3;

/// What the geometry of the oracle is written over.
pub trait Number:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Above the relative error of one operation.
    const EPSILON: f64;
    fn of(value: f64) -> Self;
    fn of_twin(value: Twin) -> Self;
    fn value(self) -> f64;
    fn sqrt(self) -> Self;
    /// Sine and cosine of an angle, with an absolute error of at most `EPSILON · (1 + |angle|)`.
    fn sin_cos(angle: Twin) -> (Self, Self);

    fn min(self, other: Self) -> Self {
        if other < self { other } else { self }
    }

    fn max(self, other: Self) -> Self {
        if other > self { other } else { self }
    }

    fn abs(self) -> Self {
        if self < Self::of(0.0) { -self } else { self }
    }
}

impl Number for f64 {
    const EPSILON: f64 = f64::EPSILON;

    fn of(value: f64) -> f64 {
        value
    }

    fn of_twin(value: Twin) -> f64 {
        value.high
    }

    fn value(self) -> f64 {
        self
    }

    fn sqrt(self) -> f64 {
        f64::sqrt(self)
    }

    fn sin_cos(angle: Twin) -> (f64, f64) {
        let (s, c) = angle.high.sin_cos();
        (s + c * angle.low, c - s * angle.low)
    }
}

/// The sum of two numbers, the second at most half a unit in the last place of the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Twin {
    pub high: f64,
    pub low: f64,
}

/// The rounded sum and what rounding left over, exactly.
fn sum(a: f64, b: f64) -> Twin {
    let high = a + b;
    let part = high - a;
    Twin { high, low: (a - (high - part)) + (b - part) }
}

/// The same for a product. The fused operation is exact here and decides nothing in the library.
fn product(a: f64, b: f64) -> Twin {
    let high = a * b;
    Twin { high, low: exact_rest(a, b, high) }
}

/// `a·b - high` by splitting both into halves.
fn exact_rest(a: f64, b: f64, high: f64) -> f64 {
    let split = |x: f64| {
        let c = 134_217_729.0 * x;
        let top = c - (c - x);
        (top, x - top)
    };
    let ((a1, a0), (b1, b0)) = (split(a), split(b));
    ((a1 * b1 - high) + a1 * b0 + a0 * b1) + a0 * b0
}

impl Twin {
    pub const ZERO: Twin = Twin { high: 0.0, low: 0.0 };

    pub fn is_single(self) -> bool {
        self.low == 0.0
    }

    fn halved(self, times: i32) -> Twin {
        let factor = f64::exp2(f64::from(-times));
        Twin { high: self.high * factor, low: self.low * factor }
    }
}

impl Add for Twin {
    type Output = Twin;
    fn add(self, other: Twin) -> Twin {
        let (s, t) = (sum(self.high, other.high), sum(self.low, other.low));
        let s = sum(s.high, s.low + t.high);
        sum(s.high, s.low + t.low)
    }
}

impl Neg for Twin {
    type Output = Twin;
    fn neg(self) -> Twin {
        Twin { high: -self.high, low: -self.low }
    }
}

impl Sub for Twin {
    type Output = Twin;
    fn sub(self, other: Twin) -> Twin {
        self + -other
    }
}

impl Mul for Twin {
    type Output = Twin;
    fn mul(self, other: Twin) -> Twin {
        let p = product(self.high, other.high);
        sum(p.high, p.low + (self.high * other.low + self.low * other.high))
    }
}

impl Div for Twin {
    type Output = Twin;
    fn div(self, other: Twin) -> Twin {
        let first = self.high / other.high;
        let rest = self - other * Twin::of(first);
        let second = rest.high / other.high;
        let rest = rest - other * Twin::of(second);
        let s = sum(first, second);
        s + Twin::of(rest.high / other.high)
    }
}

impl PartialOrd for Twin {
    fn partial_cmp(&self, other: &Twin) -> Option<Ordering> {
        match self.high.partial_cmp(&other.high)? {
            Ordering::Equal => self.low.partial_cmp(&other.low),
            order => Some(order),
        }
    }
}

impl Number for Twin {
    /// Operations lose a few units of 2⁻¹⁰⁴; sine and cosine, made by doubling six times, some hundred.
    const EPSILON: f64 = 1e-29;

    fn of(value: f64) -> Twin {
        Twin { high: value, low: 0.0 }
    }

    fn of_twin(value: Twin) -> Twin {
        value
    }

    fn value(self) -> f64 {
        self.high
    }

    fn sqrt(self) -> Twin {
        if self.high <= 0.0 {
            return Twin::ZERO;
        }
        let first = Twin::of(self.high.sqrt());
        // One step of Newton doubles the digits.
        (first + self / first).halved(1)
    }

    fn sin_cos(angle: Twin) -> (Twin, Twin) {
        const DOUBLINGS: i32 = 6;
        let x = angle.halved(DOUBLINGS);
        let square = x * x;
        // |x| ≤ 0.2 for angles up to two turns: 13 terms reach 1e-36.
        let series = |first: f64| {
            (1..14).rev().fold(Twin::of(1.0), |inner, k| {
                let k = f64::from(k);
                let divisor = (2.0 * k + first) * (2.0 * k + first - 1.0);
                Twin::of(1.0) - square * inner / Twin::of(divisor)
            })
        };
        // 1 - cos instead of cos: doubling it loses nothing.
        let half = {
            let inner = (2..14).rev().fold(Twin::of(1.0), |inner, k| {
                let k = f64::from(k);
                Twin::of(1.0) - square * inner / Twin::of(2.0 * k * (2.0 * k - 1.0))
            });
            square.halved(1) * inner
        };
        let (mut sine, mut versed) = (x * series(1.0), half);
        for _ in 0..DOUBLINGS {
            let cosine = Twin::of(1.0) - versed;
            versed = (sine * sine) * Twin::of(2.0);
            sine = sine * cosine * Twin::of(2.0);
        }
        (sine, Twin::of(1.0) - versed)
    }
}

/// A vector of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct V<T>(pub [T; 3]);

impl<T: Number> V<T> {
    pub fn of(v: DVec3) -> V<T> {
        V(v.to_array().map(T::of))
    }

    pub fn zero() -> V<T> {
        V([T::of(0.0); 3])
    }

    pub fn axis(k: usize) -> V<T> {
        V::of(DVec3::AXES[k])
    }

    pub fn dot(self, o: V<T>) -> T {
        self.0[0] * o.0[0] + self.0[1] * o.0[1] + self.0[2] * o.0[2]
    }

    pub fn cross(self, o: V<T>) -> V<T> {
        let ([a, b, c], [x, y, z]) = (self.0, o.0);
        V([b * z - c * y, c * x - a * z, a * y - b * x])
    }

    pub fn scaled(self, s: T) -> V<T> {
        V(self.0.map(|c| c * s))
    }

    pub fn length(self) -> T {
        self.dot(self).sqrt()
    }

    pub fn values(self) -> DVec3 {
        DVec3::from_array(self.0.map(T::value))
    }

    /// The direction, if there is one.
    pub fn unit(self) -> Option<V<T>> {
        // Scaled first, so that squares of tiny vectors do not vanish.
        let size = self.values().abs().max_element();
        if size < 1e-250 || !size.is_finite() {
            return None;
        }
        let scaled = self.scaled(T::of(1.0 / size));
        Some(scaled.scaled(T::of(1.0) / scaled.length()))
    }
}

impl V<Twin> {
    pub fn rounded<T: Number>(self) -> V<T> {
        V(self.0.map(T::of_twin))
    }
}

impl<T: Number> Add for V<T> {
    type Output = V<T>;
    fn add(self, o: V<T>) -> V<T> {
        V([self.0[0] + o.0[0], self.0[1] + o.0[1], self.0[2] + o.0[2]])
    }
}

impl<T: Number> Sub for V<T> {
    type Output = V<T>;
    fn sub(self, o: V<T>) -> V<T> {
        V([self.0[0] - o.0[0], self.0[1] - o.0[1], self.0[2] - o.0[2]])
    }
}

impl<T: Number> Neg for V<T> {
    type Output = V<T>;
    fn neg(self) -> V<T> {
        V(self.0.map(|c| -c))
    }
}
