//! Triangles as pixels, the nearest of which stay.

use std::ops::Range;

/// Pixels in a row.
pub(super) const WIDTH: usize = 800;
/// Rows.
pub(super) const HEIGHT: usize = 600;

/// What is seen of some parts.
pub(super) struct Layer {
    /// The inverse of the distance ahead; 0 where there is nothing.
    pub(super) nearness: Vec<f32>,
    /// How bright it is there, up to 1.
    pub(super) shade: Vec<f32>,
}

impl Layer {
    pub(super) fn new() -> Layer {
        Layer { nearness: vec![0.0; WIDTH * HEIGHT], shade: vec![0.0; WIDTH * HEIGHT] }
    }

    /// Draws a triangle: column, row and nearness of each corner. The latter is linear in a picture.
    pub(super) fn triangle(&mut self, corners: [[f32; 3]; 3], shade: f32) {
        let [a, b, c] = corners;
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        if !(area.is_finite() && area != 0.0) {
            return;
        }
        let [columns, rows] = [(0, WIDTH), (1, HEIGHT)].map(|(axis, count)| range(&corners, axis, count));
        // The weight of each corner is linear along a row, so that the pixels inside are found without looking at others.
        let sides = [(b, c), (c, a), (a, b)];
        let steps = sides.map(|(p, q)| (p[1] - q[1]) / area);
        let rise = (0..3).map(|corner| steps[corner] * corners[corner][2]).sum::<f32>();
        for row in rows {
            let y = row as f32 + 0.5;
            let at = |(p, q): ([f32; 3], [f32; 3]), x: f32| {
                ((q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0])) / area
            };
            let start = columns.start as f32 + 0.5;
            let weights = sides.map(|side| at(side, start));
            let (mut first, mut last) = (0.0_f32, columns.len() as f32 - 1.0);
            for (weight, step) in weights.into_iter().zip(steps) {
                if step > 0.0 {
                    first = first.max((-weight / step).ceil());
                } else if step < 0.0 {
                    last = last.min((-weight / step).floor());
                } else if weight < 0.0 {
                    last = -1.0;
                }
            }
            // Also where a weight is no number.
            if first > last || !(first + last).is_finite() {
                continue;
            }
            let nearness = (0..3).map(|corner| weights[corner] * corners[corner][2]).sum::<f32>();
            for step in first as usize..=last as usize {
                let place = row * WIDTH + columns.start + step;
                let nearness = nearness + rise * step as f32;
                if nearness > self.nearness[place] {
                    (self.nearness[place], self.shade[place]) = (nearness, shade);
                }
            }
        }
    }
}

/// The columns or rows whose middles are between the corners.
fn range(corners: &[[f32; 3]; 3], axis: usize, count: usize) -> Range<usize> {
    let least = corners[0][axis].min(corners[1][axis]).min(corners[2][axis]);
    let most = corners[0][axis].max(corners[1][axis]).max(corners[2][axis]);
    // Casts of what is out of range give the ends.
    let first = (least - 0.5).ceil().max(0.0) as usize;
    first..((most - 0.5).floor() + 1.0).clamp(0.0, count as f32) as usize
}

/// Whether the box around a triangle has the middle of a pixel in it.
pub(super) fn covers_any(corners: &[[f32; 3]; 3]) -> bool {
    !range(corners, 0, WIDTH).is_empty() && !range(corners, 1, HEIGHT).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_stays_whichever_comes_first() {
        let far = [[10.0, 10.0, 1.0], [110.0, 10.0, 1.0], [10.0, 110.0, 1.0]];
        // Turned the other way round, and nearer at its left only.
        let near = [[10.0, 10.0, 3.0], [10.0, 110.0, 3.0], [110.0, 10.0, 0.5]];
        let drawn = |order: [usize; 2]| {
            let mut layer = Layer::new();
            for number in order {
                layer.triangle([far, near][number], [0.25, 0.75][number]);
            }
            layer
        };
        let layers = [drawn([0, 1]), drawn([1, 0])];
        assert_eq!(layers[0].shade, layers[1].shade);
        let at = |column: usize| layers[0].shade[20 * WIDTH + column];
        assert_eq!([at(5), at(15), at(95), at(105)], [0.0, 0.75, 0.25, 0.0]);
        let count = layers[0].shade.iter().filter(|shade| **shade > 0.0).count();
        assert!((4900..5100).contains(&count), "half of a square of 100 pixels: {count}");
    }

    #[test]
    fn corners_may_be_anywhere() {
        let mut layer = Layer::new();
        for corner in [f32::NAN, f32::INFINITY, 1e30, -1e30] {
            layer.triangle([[corner, 0.0, 1.0], [100.0, 0.0, 1.0], [0.0, 100.0, 1.0]], 1.0);
        }
        layer.triangle([[0.0; 3]; 3], 1.0);
        layer.triangle([[-1e4, -1e4, 1.0], [3e4, -1e4, 1.0], [-1e4, 3e4, 1.0]], 0.5);
        assert!(layer.shade.iter().all(|shade| *shade > 0.0));
    }
}
