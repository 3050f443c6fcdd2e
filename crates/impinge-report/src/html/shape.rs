//! The shapes of the page, packed: they are most of a large report.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Serialize, Serializer};

use crate::report::{Model, Point};

/// A coordinate is a whole number of at most so much, either way from the middle of the model's box: 24 bits, as many digits as
/// `f32` has.
const MOST: f64 = ((1 << 23) - 1) as f64;
/// What stands for the middle.
const MIDDLE: u32 = 1 << 23;

/// All shapes. Each is packed when it is written, so that there are never all of them twice.
pub(super) struct Shapes<'a>(pub(super) &'a [Model]);

impl Serialize for Shapes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(ShapeData::new))
    }
}

/// A point is the origin plus the scale times what is packed, which is between -1 and 1.
#[derive(Serialize)]
pub(super) struct ShapeData {
    origin: Point,
    scale: f64,
    /// Half of the box around the origin, and the radius of the ball, in packed units.
    half: Point,
    radius: f64,
    triangles: usize,
    /// Three bytes for each coordinate, the lowest first.
    positions: String,
    /// Three [`deltas`] for each triangle.
    indices: String,
    /// [`deltas`], one a triangle; absent where triangle `i` is face `i`.
    #[serde(skip_serializing_if = "Option::is_none")]
    faces: Option<String>,
}

impl ShapeData {
    pub(super) fn new(model: &Model) -> ShapeData {
        let (origin, reach) = middle_and_reach(model.positions.iter());
        let scale = if reach > 0.0 { reach } else { 1.0 };
        let mut positions = Vec::with_capacity(9 * model.positions.len());
        let (mut half, mut radius) = ([0.0_f64; 3], 0.0_f64);
        for point in &model.positions {
            let mut squared = 0.0;
            for axis in 0..3 {
                let whole = ((point[axis] - origin[axis]) / scale * MOST).round().clamp(-MOST, MOST);
                // As the page reads it.
                let value = whole / MOST;
                half[axis] = half[axis].max(value.abs());
                squared += value * value;
                let bytes = (MIDDLE.wrapping_add_signed(whole as i32)).to_le_bytes();
                positions.extend([bytes[0], bytes[1], bytes[2]]);
            }
            radius = radius.max(squared);
        }
        let own = |(triangle, &face): (usize, &u32)| triangle == face as usize;
        ShapeData {
            origin,
            scale,
            half,
            radius: radius.sqrt(),
            triangles: model.triangles.len(),
            positions: STANDARD.encode(positions),
            indices: deltas(model.triangles.as_flattened()),
            faces: (!model.faces.iter().enumerate().all(own)).then(|| deltas(&model.faces)),
        }
    }
}

impl ShapeData {
    /// How many bytes of the page it takes, but for some numbers.
    pub(super) fn bytes(&self) -> usize {
        self.positions.len() + self.indices.len() + self.faces.as_ref().map_or(0, String::len)
    }
}

/// The middle of the box around points, and how far from it the box reaches along any axis.
pub(super) fn middle_and_reach<'p>(points: impl Iterator<Item = &'p Point>) -> (Point, f64) {
    let mut sides = [[f64::INFINITY, f64::NEG_INFINITY]; 3];
    for point in points {
        for axis in 0..3 {
            let [low, high] = sides[axis];
            sides[axis] = [low.min(point[axis]), high.max(point[axis])];
        }
    }
    // Halved before they are added: the sum of two large numbers may be too large.
    let origin = sides.map(|[low, high]| if low <= high { low / 2.0 + high / 2.0 } else { 0.0 });
    let reach = (0..3).fold(0.0_f64, |reach, axis| {
        let [low, high] = sides[axis];
        if low <= high { reach.max(high - origin[axis]).max(origin[axis] - low) } else { reach }
    });
    (origin, reach)
}

/// Numbers that are mostly near to the one before: of each the difference, its sign in the lowest bit, seven bits a byte from the
/// lowest on; the eighth says that more follow. A mesh takes little more than a byte for each.
pub(super) fn deltas(values: &[u32]) -> String {
    let mut bytes = Vec::with_capacity(values.len() + values.len() / 4);
    let mut last = 0;
    for &value in values {
        let step = i64::from(value) - last;
        last = i64::from(value);
        let mut rest = ((step << 1) ^ (step >> 63)) as u64;
        while rest >= 128 {
            bytes.push(rest as u8 | 128);
            rest >>= 7;
        }
        bytes.push(rest as u8);
    }
    STANDARD.encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    fn points(shape: &ShapeData) -> Vec<Point> {
        let bytes = STANDARD.decode(&shape.positions).unwrap();
        let value = |three: &[u8]| {
            let whole = f64::from(u32::from_le_bytes([three[0], three[1], three[2], 0]));
            (whole - f64::from(MIDDLE)) / MOST
        };
        let points = bytes.chunks_exact(9);
        points
            .map(|point| [0, 1, 2].map(|i| shape.origin[i] + shape.scale * value(&point[3 * i..3 * i + 3])))
            .collect()
    }

    fn numbers(text: &str) -> Vec<u32> {
        let (mut numbers, mut last, mut rest, mut shift) = (Vec::new(), 0_i64, 0_i64, 0);
        for byte in STANDARD.decode(text).unwrap() {
            rest |= i64::from(byte & 127) << shift;
            shift += 7;
            if byte < 128 {
                last += rest >> 1 ^ -(rest & 1);
                numbers.push(u32::try_from(last).unwrap());
                (rest, shift) = (0, 0);
            }
        }
        numbers
    }

    #[test]
    fn shapes_keep_their_digits_anywhere() {
        // Far away, tiny, subnormal, huge, almost from end to end of what there is, and a single point.
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
            let positions: Vec<Point> = (0..20)
                .map(|i| {
                    [f64::from(i) / 9.5 - 1.0, f64::from(i % 3) - 1.0, 1.0 - f64::from(i % 2)]
                        .map(|v| middle + reach * v)
                })
                .collect();
            let shape = ShapeData::new(&Model { positions: positions.clone(), ..Model::default() });
            let ball = shape.half.iter().map(|half| half * half).sum::<f64>().sqrt();
            assert!(shape.half.iter().all(|half| *half <= 1.0) && shape.radius <= ball);
            for (found, expected) in points(&shape).iter().zip(&positions) {
                for axis in 0..3 {
                    // Half a step, and of f64's 53 bits where the middle is far away; scaled first, because a difference of
                    // the greatest numbers is not finite.
                    let error = (found[axis] / 4.0 - expected[axis] / 4.0).abs();
                    let bound =
                        reach / 4.0 * 2.0_f64.powi(-23) + middle * 2.0_f64.powi(-51) + f64::MIN_POSITIVE;
                    assert!(error <= bound, "{middle} {reach}: {found:?} {expected:?}");
                }
            }
        }
    }

    #[test]
    fn numbers_come_back() {
        let mut list = vec![0, 1, 2, 1, 64, 65, 0, u32::MAX, 0, 1 << 20, (1 << 20) + 63, 1 << 20];
        assert_eq!(numbers(&deltas(&list)), list);
        list = (0..1000).collect();
        assert_eq!(numbers(&deltas(&list)), list);
        assert_eq!(STANDARD.decode(deltas(&list)).unwrap().len(), 1000);
        assert_eq!(deltas(&[]), "");
    }

    #[test]
    fn faces_are_left_out_where_they_are_the_triangles() {
        let cube = ShapeData::new(&sample::cube());
        assert_eq!(numbers(&cube.indices), sample::cube().triangles.as_flattened());
        assert_eq!(numbers(&cube.faces.unwrap()), sample::cube().faces);
        assert_eq!((cube.triangles, cube.half), (12, [1.0; 3]));
        assert!((cube.radius - 3_f64.sqrt()).abs() < 1e-12);
        let own = Model { faces: (0..12).collect(), ..sample::cube() };
        assert_eq!(ShapeData::new(&own).faces, None);
    }
}
