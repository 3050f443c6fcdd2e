//! What the images show, view beside view (Knott and Pai 2003, Figures 7a and 7b): edges in gray, and bright where they are inside.

use impinge_image::Layer;

use super::render::Picture;

/// The first edge of a pixel is shown by its depth, from light to dark, and over it the largest count of all layers.
pub(super) fn picture(views: &[Vec<Layer>], side: u32) -> Picture {
    let side = side as usize;
    let width = side * views.len().max(1);
    let mut pixels = vec![[0; 3]; width * side];
    for (view, layers) in views.iter().enumerate() {
        for (row, line) in pixels.chunks_exact_mut(width).enumerate() {
            for (column, pixel) in line[view * side..][..side].iter_mut().enumerate() {
                *pixel = color(layers, [column, row], side);
            }
        }
    }
    Picture { width, pixels }
}

/// The pixel at a place of an image that may be coarser than the picture.
fn color(layers: &[Layer], [column, row]: [usize; 2], side: usize) -> [u8; 3] {
    let place = |layer: &Layer| {
        let own = layer.side as usize;
        (row * own / side) * own + column * own / side
    };
    let counts = layers.iter().map(|layer| layer.counts.get(place(layer)).copied().unwrap_or(0));
    let most = counts.max().unwrap_or(0);
    if most > 0 {
        let more = (most - 1).min(4) as u8;
        return [255, 140 + 25 * more, 40 + 50 * more];
    }
    let first = layers.iter().find_map(|layer| {
        let place = place(layer);
        layer.edges.get(place)?.and(layer.depths.get(place))
    });
    first.map_or([0; 3], |depth| [(150.0 - 90.0 * depth.clamp(0.0, 1.0)) as u8; 3])
}
