//! Whole numbers: points, directions, rotations and fractions.

use std::cmp::Ordering;

use crate::oracle::cases::Random;

pub type Point = [i64; 3];
/// Rows.
pub type Matrix = [[i64; 3]; 3];

pub fn add(a: Point, b: Point) -> Point {
    std::array::from_fn(|k| a[k] + b[k])
}

pub fn sub(a: Point, b: Point) -> Point {
    std::array::from_fn(|k| a[k] - b[k])
}

pub fn scaled(a: Point, factor: i64) -> Point {
    a.map(|x| factor * x)
}

pub fn dot(a: Point, b: Point) -> i64 {
    (0..3).map(|k| a[k] * b[k]).sum()
}

pub fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The shortest lattice vector of a direction; zero stays zero.
pub fn primitive(a: Point) -> Point {
    let gcd = a.iter().fold(0, |g, &x| gcd(g, x.abs()));
    if gcd == 0 { a } else { a.map(|x| x / gcd) }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The directions to the neighbors of a lattice cell: 6 faces, 12 edges, 8 corners.
pub fn directions() -> Vec<Point> {
    let mut all = Vec::new();
    for code in 0..27 {
        let direction = [code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1];
        if direction != [0; 3] {
            all.push(direction);
        }
    }
    all
}

pub fn apply(matrix: &Matrix, point: Point) -> Point {
    std::array::from_fn(|row| dot(matrix[row], point))
}

pub const IDENTITY: Matrix = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

/// A permutation of the axes with signs; a mirror in half of the cases.
pub fn signed_permutation(random: &mut Random) -> Matrix {
    const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let order = ORDERS[random.below(6) as usize];
    let mut matrix = [[0; 3]; 3];
    for (row, axis) in order.into_iter().enumerate() {
        matrix[row][axis] = if random.below(2) == 0 { 1 } else { -1 };
    }
    matrix
}

pub fn determinant(m: &Matrix) -> i64 {
    dot(m[0], cross(m[1], m[2]))
}

/// The rotation of a quaternion of whole numbers, times the square of its length: whole numbers too.
pub fn tilt([w, x, y, z]: [i64; 4]) -> (Matrix, i64) {
    let matrix = [
        [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
    ];
    (matrix, w * w + x * x + y * y + z * z)
}

/// A fraction with a positive denominator; not reduced.
#[derive(Clone, Copy, Debug)]
pub struct Ratio {
    pub num: i64,
    pub den: i64,
}

impl Ratio {
    pub const ZERO: Ratio = Ratio { num: 0, den: 1 };
    pub const ONE: Ratio = Ratio { num: 1, den: 1 };

    pub fn new(num: i64, den: i64) -> Ratio {
        assert!(den != 0);
        if den < 0 { Ratio { num: -num, den: -den } } else { Ratio { num, den } }
    }

    pub fn whole(num: i64) -> Ratio {
        Ratio { num, den: 1 }
    }

    /// Halfway to another.
    pub fn middle(self, other: Ratio) -> Ratio {
        Ratio::new(self.num * other.den + other.num * self.den, 2 * self.den * other.den)
    }

    pub fn to_f64(self) -> f64 {
        self.num as f64 / self.den as f64
    }

    /// Whether a number from 0 to 1 is at most this, without rounding.
    pub fn is_at_least(self, fraction: f64) -> bool {
        if self.num <= 0 || fraction <= 0.0 {
            return fraction <= 0.0 && self.num >= 0;
        }
        assert!(fraction <= 1.0 && self.den < 1 << 40);
        // fraction = bits · 2⁻ᵉ; what is smaller than 2⁻⁵⁰ is smaller than every fraction here.
        if fraction < (-50_f64).exp2() {
            return true;
        }
        // Exact: powers of two.
        let bits = (fraction * 60_f64.exp2() * 42_f64.exp2()) as i128;
        assert_eq!(bits as f64, fraction * 102_f64.exp2());
        // bits · den ≤ num · 2¹⁰², by comparing quotients: 2¹⁰² · num does not fit where num is large.
        let whole = i128::from(self.num / self.den);
        if whole >= 1 {
            return true;
        }
        let power = 1_i128 << 102;
        let (num, den) = (i128::from(self.num), i128::from(self.den));
        // bits ≤ floor(2¹⁰² · num / den)
        let high = power / den * num + power % den * num / den;
        bits <= high
    }
}

impl PartialEq for Ratio {
    fn eq(&self, other: &Ratio) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ratio {}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Ratio) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Ratio) -> Ordering {
        let products =
            [(self.num, other.den), (other.num, self.den)].map(|(a, b)| i128::from(a) * i128::from(b));
        products[0].cmp(&products[1])
    }
}
