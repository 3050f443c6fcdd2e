//! Numbers in base64.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use super::shape::middle_and_reach;
use crate::check::upper_rows;
use crate::report::{Matrix, Point};

/// Points as `f32`: a point is the origin plus the scale times what is packed.
#[derive(Serialize)]
pub(super) struct Packed {
    origin: Point,
    scale: f64,
    /// A text for each list of points.
    pub(super) lists: Vec<String>,
}

impl Packed {
    pub(super) fn new(lists: &[&[Point]]) -> Packed {
        let (origin, reach) = middle_and_reach(lists.iter().copied().flatten());
        let scale = power_of_two_near(reach);
        let pack = |list: &[Point]| {
            let mut packed = Vec::with_capacity(12 * list.len());
            for point in list {
                for axis in 0..3 {
                    let value = ((point[axis] - origin[axis]) / scale) as f32;
                    packed.extend(value.to_le_bytes());
                }
            }
            STANDARD.encode(packed)
        };
        Packed { origin, scale, lists: lists.iter().map(|list| pack(list)).collect() }
    }
}

/// 1 for what `f32` holds easily, else the power of two at or below the number.
pub(super) fn power_of_two_near(number: f64) -> f64 {
    if number == 0.0 || (1e-30..1e30).contains(&number) {
        return 1.0;
    }
    // Only the exponent. For subnormal numbers, which have none, the least normal one.
    f64::from_bits(number.to_bits() & f64::INFINITY.to_bits()).max(f64::MIN_POSITIVE)
}

pub(super) fn doubles(values: impl Iterator<Item = f64>) -> String {
    STANDARD.encode(values.flat_map(f64::to_le_bytes).collect::<Vec<u8>>())
}

/// The upper three rows of each matrix.
pub(super) fn matrices<'m>(matrices: impl Iterator<Item = &'m Matrix>) -> String {
    doubles(matrices.flat_map(upper_rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unpack(packed: &Packed, list: usize) -> Vec<Point> {
        let bytes = STANDARD.decode(&packed.lists[list]).unwrap();
        let value = |four: &[u8]| f64::from(f32::from_le_bytes(four.try_into().unwrap()));
        let points = bytes.chunks_exact(12);
        points
            .map(|point| [0, 1, 2].map(|i| packed.origin[i] + packed.scale * value(&point[4 * i..4 * i + 4])))
            .collect()
    }

    #[test]
    fn points_keep_their_digits_anywhere() {
        // Far away, tiny, subnormal, huge, and almost from end to end of what there is.
        let cases = [
            (0.0, 1.0),
            (1e9, 1.0),
            (3.0, 1e-6),
            (0.0, 1e-310),
            (1e300, 1e300),
            (0.0, f64::MAX / 2.0),
            (5.0, 0.0),
        ];
        for (middle, reach) in cases {
            let points: Vec<Point> = (0..20)
                .map(|i| {
                    [f64::from(i) / 9.5 - 1.0, f64::from(i % 3) - 1.0, 1.0 - f64::from(i % 2)]
                        .map(|v| middle + reach * v)
                })
                .collect();
            let found = unpack(&Packed::new(&[&points[..7], &points[7..]]), 1);
            assert_eq!(found.len(), 13);
            for (found, expected) in found.iter().zip(&points[7..]) {
                for axis in 0..3 {
                    // Half a unit of f32's 24 bits, and of f64's 53 where the middle is far away; scaled first,
                    // because a difference of the greatest numbers is not finite. Subnormal numbers have fewer bits.
                    let error = (found[axis] / 4.0 - expected[axis] / 4.0).abs();
                    let bound =
                        reach / 4.0 * 2.0_f64.powi(-23) + middle * 2.0_f64.powi(-52) + f64::MIN_POSITIVE;
                    assert!(error <= bound, "{middle} {reach}: {found:?} {expected:?}");
                }
            }
        }
        let empty = Packed::new(&[]);
        assert_eq!((empty.origin, empty.scale), ([0.0; 3], 1.0));
    }
}
