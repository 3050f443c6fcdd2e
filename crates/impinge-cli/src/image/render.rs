//! The scene as a picture (Knott and Pai 2003, Figure 8): a small rasteriser with a depth buffer and Lambert's shading.

use impinge::Placed;
use impinge::bounds::Aabb;
use impinge::math::DVec3;

/// Red, green and blue.
pub(super) struct Picture {
    pub(super) width: usize,
    pub(super) pixels: Vec<[u8; 3]>,
}

impl Picture {
    pub(super) fn height(&self) -> usize {
        self.pixels.len() / self.width.max(1)
    }
}

/// Pixels a side of the picture, and samples along each side of a pixel.
const SIDE: usize = 800;
const SAMPLES: usize = 2;

const GROUND: DVec3 = DVec3::new(0.96, 0.97, 0.98);
const RED: DVec3 = DVec3::new(0.86, 0.10, 0.08);
/// By turns for all that do not interfere.
const OTHERS: [DVec3; 4] = [
    DVec3::new(0.62, 0.68, 0.75),
    DVec3::new(0.55, 0.66, 0.62),
    DVec3::new(0.72, 0.70, 0.62),
    DVec3::new(0.64, 0.62, 0.72),
];

/// Where one looks along, with z up, and where the light comes from, beside the viewer.
const ALONG: DVec3 = DVec3::new(-0.52, 0.68, -0.52);
const LIGHT: DVec3 = DVec3::new(0.25, -0.75, 0.85);

/// All objects, the interfering ones in red; `interfering` is sorted.
pub(super) fn of(objects: &[Placed<'_>], interfering: &[u32]) -> Picture {
    let forward = ALONG.normalize();
    let right = forward.cross(DVec3::Z).normalize();
    let camera = [right, right.cross(forward), forward];
    let seen = |point: DVec3| DVec3::from_array(camera.map(|axis| axis.dot(point)));
    let bounds = objects.iter().fold(Aabb::EMPTY, |all, object| {
        let vertices = object.model().mesh().vertices();
        all.merge(Aabb::around(vertices.map(|vertex| seen(object.placement().point_to_world(vertex)))))
    });
    let mut canvas = Canvas::around(bounds);
    for (number, object) in objects.iter().enumerate() {
        let red = interfering.binary_search(&(number as u32)).is_ok();
        let color = if red { RED } else { OTHERS[number % OTHERS.len()] };
        let mesh = object.model().mesh();
        let world: Vec<DVec3> =
            mesh.vertices().map(|vertex| object.placement().point_to_world(vertex)).collect();
        for face in 0..mesh.face_count() as u32 {
            for corners in mesh.fan(face) {
                let corners = corners.map(|vertex| world[vertex as usize]);
                let shade = shade(corners, forward);
                canvas.draw(corners.map(seen), color * shade);
            }
        }
    }
    canvas.picture()
}

/// Lambert's, from both sides: what is seen is lit as if its normal looked at the viewer.
fn shade([a, b, c]: [DVec3; 3], forward: DVec3) -> f64 {
    let normal = (b - a).cross(c - a).normalize_or_zero();
    let normal = if normal.dot(forward) > 0.0 { -normal } else { normal };
    0.28 + 0.72 * normal.dot(LIGHT.normalize()).max(0.0)
}

/// Samples with color and depth: to the right, down, away.
struct Canvas {
    side: usize,
    colors: Vec<DVec3>,
    depths: Vec<f64>,
    /// From what is seen to samples.
    middle: DVec3,
    samples_a_unit: f64,
}

impl Canvas {
    fn around(bounds: Aabb) -> Canvas {
        let side = SIDE * SAMPLES;
        let size = bounds.size().truncate().max_element();
        let (middle, size) = if bounds.is_empty() {
            (DVec3::ZERO, 1.0)
        } else {
            (bounds.center(), size.max(f64::MIN_POSITIVE))
        };
        Canvas {
            side,
            colors: vec![GROUND; side * side],
            depths: vec![f64::INFINITY; side * side],
            middle,
            samples_a_unit: 0.92 * side as f64 / size,
        }
    }

    /// Each sample whose middle the triangle covers, where nothing nearer is.
    fn draw(&mut self, corners: [DVec3; 3], color: DVec3) {
        let half = 0.5 * self.side as f64;
        let [a, b, c] = corners.map(|corner| {
            let at = (corner - self.middle) * self.samples_a_unit;
            DVec3::new(half + at.x, half - at.y, corner.z)
        });
        let area = cross(b - a, c - a);
        if area == 0.0 || !area.is_finite() {
            return;
        }
        let last = self.side as f64 - 1.0;
        let range = |low: f64, high: f64| {
            let (first, end) = ((low - 0.5).ceil().max(0.0), (high - 0.5).floor().min(last));
            first as usize..if end < first { first as usize } else { end as usize + 1 }
        };
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        for row in range(low.y, high.y) {
            for column in range(low.x, high.x) {
                let place = DVec3::new(column as f64 + 0.5, row as f64 + 0.5, 0.0);
                let of_b = cross(place - a, c - a) / area;
                let of_c = cross(b - a, place - a) / area;
                if of_b < 0.0 || of_c < 0.0 || of_b + of_c > 1.0 {
                    continue;
                }
                let depth = a.z + of_b * (b.z - a.z) + of_c * (c.z - a.z);
                let sample = row * self.side + column;
                if depth < self.depths[sample] {
                    self.depths[sample] = depth;
                    self.colors[sample] = color;
                }
            }
        }
    }

    /// Means of samples.
    fn picture(&self) -> Picture {
        let mean = |pixel: usize| {
            let (row, column) = (pixel / SIDE * SAMPLES, pixel % SIDE * SAMPLES);
            let mut sum = DVec3::ZERO;
            for down in 0..SAMPLES {
                for beside in 0..SAMPLES {
                    sum += self.colors[(row + down) * self.side + column + beside];
                }
            }
            (sum / (SAMPLES * SAMPLES) as f64).to_array().map(|share| (share.clamp(0.0, 1.0) * 255.0) as u8)
        };
        Picture { width: SIDE, pixels: (0..SIDE * SIDE).map(mean).collect() }
    }
}

/// Twice the area between two directions of the image.
fn cross(a: DVec3, b: DVec3) -> f64 {
    a.x * b.y - a.y * b.x
}
