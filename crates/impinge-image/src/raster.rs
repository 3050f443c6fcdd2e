//! Which pixels triangles and edges cover, by rules that leave no gap and count nothing twice.
//!
//! Corners are rounded to a grid of 1/256 of a pixel, as graphics hardware does; from there on whole numbers decide. A pixel
//! belongs to a triangle when its center does; a center on a side belongs to it when the side is a left or a top one
//! (Vulkan's and Direct3D's rule), so triangles that share a side share no pixel and leave none out.
//! `docs/math/image.md` derives what edges cover.

use std::ops::{Add, Mul, Range, Sub};

use impinge::glam::DVec3;

/// Grid lines of a pixel.
const GRID: f64 = 256.0;
const PIXEL: i64 = 256;
const HALF: i64 = 128;
/// Up to here products of differences fit into 64 bits.
const SMALL: i64 = 1 << 29;
/// Corners farther out than this are brought back to it: no view is ever zoomed in so far.
const FAR: f64 = (1i64 << 46) as f64;

/// A whole number that side functions are computed in.
trait Whole: Copy + Ord + From<i64> + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    fn to_f64(self) -> f64;
}

impl Whole for i64 {
    fn to_f64(self) -> f64 {
        self as f64
    }
}

impl Whole for i128 {
    fn to_f64(self) -> f64 {
        self as f64
    }
}

fn snap(place: f64) -> i64 {
    (place * GRID).round().clamp(-FAR, FAR) as i64
}

/// A triangle in pixels (to the right, down) and depth. Calls `cover(x, y, depth)` for each pixel of the columns and rows that
/// it covers. Gives 1 for a front (counterclockwise as seen), -1 for a back, 0 for what is seen edge-on.
pub(crate) fn triangle(
    corners: [DVec3; 3],
    columns: &Range<u32>,
    rows: &Range<u32>,
    cover: impl FnMut(u32, u32, f64, i32),
) {
    let places = corners.map(|corner| [snap(corner.x), snap(corner.y)]);
    let depths = corners.map(|corner| corner.z);
    let largest = places.iter().flatten().map(|place| place.abs()).max().unwrap_or(0);
    if largest < SMALL {
        covered::<i64>(places, depths, columns, rows, cover);
    } else {
        covered::<i128>(places, depths, columns, rows, cover);
    }
}

fn covered<W: Whole>(
    mut places: [[i64; 2]; 3],
    mut depths: [f64; 3],
    columns: &Range<u32>,
    rows: &Range<u32>,
    mut cover: impl FnMut(u32, u32, f64, i32),
) {
    let first = |range: &Range<u32>, axis: usize| {
        let least = places.iter().map(|place| place[axis]).min().unwrap_or(0);
        pixel_from(least).max(i64::from(range.start))
    };
    let after = |range: &Range<u32>, axis: usize| {
        let most = places.iter().map(|place| place[axis]).max().unwrap_or(0);
        (pixel_from(most) + 1).min(i64::from(range.end))
    };
    let (columns, rows) = (first(columns, 0)..after(columns, 0), first(rows, 1)..after(rows, 1));
    if columns.is_empty() || rows.is_empty() {
        return;
    }
    let area = side::<W>(places[0], places[1], places[2]);
    let zero = W::from(0);
    if area == zero {
        return;
    }
    // Rows run downwards, so what turns counterclockwise as seen has negative area here.
    let facing = if area < zero { 1 } else { -1 };
    if area < zero {
        places.swap(1, 2);
        depths.swap(1, 2);
    }
    let area = side::<W>(places[0], places[1], places[2]);
    let [a, b, c] = places;
    let start = [columns.start * PIXEL + HALF, rows.start * PIXEL + HALF];
    let sides = [(b, c), (c, a), (a, b)];
    let right = sides.map(|(from, to)| W::from((from[1] - to[1]) * PIXEL));
    let down = sides.map(|(from, to)| W::from((to[0] - from[0]) * PIXEL));
    // A center on a side that is neither left nor top is outside.
    let least = sides.map(|(from, to)| if is_left_or_top(from, to) { W::from(0) } else { W::from(1) });
    let mut row_start = sides.map(|(from, to)| side::<W>(from, to, start));
    let (scale, rise) = (1.0 / area.to_f64(), [depths[1] - depths[0], depths[2] - depths[0]]);
    for row in rows {
        let mut at = row_start;
        for column in columns.clone() {
            if at[0] >= least[0] && at[1] >= least[1] && at[2] >= least[2] {
                let depth = depths[0] + (at[1].to_f64() * rise[0] + at[2].to_f64() * rise[1]) * scale;
                cover(column as u32, row as u32, depth, facing);
            }
            at = [at[0] + right[0], at[1] + right[1], at[2] + right[2]];
        }
        row_start = [row_start[0] + down[0], row_start[1] + down[1], row_start[2] + down[2]];
    }
}

/// The first pixel whose center is not before a place on the grid.
fn pixel_from(place: i64) -> i64 {
    (place - HALF + PIXEL - 1).div_euclid(PIXEL)
}

/// Positive where `point` is to the right of the way from `from` to `to`, as rows run downwards: inside, for triangles of
/// positive area.
fn side<W: Whole>(from: [i64; 2], to: [i64; 2], point: [i64; 2]) -> W {
    W::from(to[0] - from[0]) * W::from(point[1] - from[1])
        - W::from(to[1] - from[1]) * W::from(point[0] - from[0])
}

/// For triangles of positive area: a top side runs to the right along a row, a left side runs up.
fn is_left_or_top(from: [i64; 2], to: [i64; 2]) -> bool {
    to[1] < from[1] || (to[1] == from[1] && to[0] > from[0])
}

/// An edge in pixels and depth: one pixel in each column (or, where it is steeper, in each row) that it runs through, and at
/// least one in all. Calls `cover(x, y, depth)`.
pub(crate) fn edge(
    ends: [DVec3; 2],
    columns: &Range<u32>,
    rows: &Range<u32>,
    mut cover: impl FnMut(u32, u32, f64),
) {
    let [from, to] = ends;
    let way = to - from;
    // Along the axis where it is longer; the other follows.
    let (long, short) = if way.x.abs() >= way.y.abs() { (0, 1) } else { (1, 0) };
    let (first, last) = if way[long] >= 0.0 { (from, to) } else { (to, from) };
    // Half a pixel longer at both ends, straight on, so that the pixel nearest to each end is among them.
    let length = last[long] - first[long];
    let slope = if length > 0.0 { (last[short] - first[short]) / length } else { 0.0 };
    let start = [snap(first[long] - 0.5), snap(first[short] - 0.5 * slope)];
    let end = [snap(last[long] + 0.5), snap(last[short] + 0.5 * slope)];
    let ranges = [columns, rows];
    let steps = pixel_from(start[0]).max(i64::from(ranges[long].start))
        ..pixel_from(end[0]).min(i64::from(ranges[long].end));
    let (run, rise) = (i128::from(end[0] - start[0]), i128::from(end[1] - start[1]));
    for step in steps {
        // The side of the strip that is half a pixel before the line: the one pixel whose center is on it or up to a pixel
        // behind it.
        let along = i128::from(step * PIXEL + HALF - start[0]);
        let before = i128::from(start[1] - PIXEL) * run + rise * along;
        let other = ceiling(before, i128::from(PIXEL) * run) as i64;
        if !(i64::from(ranges[short].start)..i64::from(ranges[short].end)).contains(&other) {
            continue;
        }
        let share = share_at(step as f64 + 0.5, first[long], last[long]);
        let depth = first.z + (last.z - first.z) * share;
        let (x, y) = if long == 0 { (step, other) } else { (other, step) };
        cover(x as u32, y as u32, depth);
    }
}

/// How far along an edge a place is; what is before or behind it is at its end.
fn share_at(place: f64, first: f64, last: f64) -> f64 {
    let length = last - first;
    if length > 0.0 { ((place - first) / length).clamp(0.0, 1.0) } else { 0.5 }
}

fn ceiling(number: i128, divisor: i128) -> i128 {
    -((-number).div_euclid(divisor))
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::glam::DVec2;
    use impinge::shapes::{self, Random};

    /// Before all pixels a closed surface has as many fronts as backs, wherever its corners are, on the grid or off it.
    #[test]
    fn closed_surfaces_leave_no_gap() {
        let mut random = Random::new(1);
        let meshes = [shapes::icosphere(1.0, 5), shapes::knot(0.7, 0.15, 40, 8), shapes::star(1.0, 0.3, 3)];
        let mut covered = 0;
        for case in 0..60 {
            let mesh = meshes[case % 3].as_ref().expect("a shape");
            // From smaller than a pixel to far beyond the image and to where products need more than 64 bits.
            let scale = 10_f64.powf(random.between(-1.0, if case % 10 == 0 { 9.0 } else { 4.0 }));
            let middle = DVec3::new(random.between(0.0, 32.0), random.between(0.0, 32.0), 0.0);
            let grid = if case % 2 == 0 { 256.0 } else { 1.0 };
            let places: Vec<DVec3> = mesh
                .vertices()
                .iter()
                .map(|&vertex| {
                    let place = middle + vertex * scale;
                    if case % 4 == 1 { (place * 2.0).round() * 0.5 } else { (place * grid).round() / grid }
                })
                .collect();
            let mut sums = vec![0; 32 * 32];
            for corners in mesh.triangles() {
                let corners = corners.map(|vertex| places[vertex as usize]);
                triangle(corners, &(0..32), &(0..32), |x, y, _, facing| {
                    sums[(y * 32 + x) as usize] += facing;
                    covered += 1;
                });
            }
            assert!(sums.iter().all(|sum| *sum == 0), "case {case} at scale {scale}");
        }
        assert!(covered > 10_000, "{covered}");
    }

    /// One pixel for each column (row) that an edge runs through, at least one in all, none farther than the bound.
    #[test]
    fn an_edge_is_covered_by_one_pixel_a_column_and_no_farther_than_the_bound() {
        let mut random = Random::new(2);
        for case in 0..4000 {
            let end = |random: &mut Random| {
                DVec3::new(random.between(4.0, 28.0), random.between(4.0, 28.0), random.between(0.0, 1.0))
            };
            let from = end(&mut random);
            let mut to = match case % 4 {
                0 => from,
                1 => from + random.in_cube() * 0.3,
                _ => end(&mut random),
            };
            if case % 5 == 0 {
                to.x = from.x;
            }
            let (from, to) = if case % 7 == 0 { (from.round(), to.round()) } else { (from, to) };
            let mut pixels = Vec::new();
            edge([from, to], &(0..32), &(0..32), |x, y, depth| pixels.push((x, y, depth)));
            let way = to - from;
            let long = if way.x.abs() >= way.y.abs() { 0 } else { 1 };
            let steps: Vec<u32> = pixels.iter().map(|(x, y, _)| [*x, *y][long]).collect();
            assert!(!steps.is_empty(), "case {case}: {from} to {to} covers nothing");
            assert!(steps.windows(2).all(|pair| pair[1] == pair[0] + 1), "case {case}: {steps:?}");
            for (x, y, depth) in &pixels {
                let center = DVec2::new(f64::from(*x) + 0.5, f64::from(*y) + 0.5);
                // The point of the edge that the depth is of.
                let share = share_at(center[long], from[long].min(to[long]), from[long].max(to[long]));
                let (first, last) = if way[long] >= 0.0 { (from, to) } else { (to, from) };
                let point = first.lerp(last, share);
                assert!((point.z - depth).abs() < 1e-12, "case {case}");
                let off = (point.truncate() - center).abs();
                let bound = DVec2::new(0.5, 1.0) + 2.0 / 256.0;
                assert!(off[long] <= bound.x && off[1 - long] <= bound.y, "case {case}: {off}");
            }
            // Every point of the edge has a pixel within the bound of the note.
            for step in 0..=20 {
                let point = from.lerp(to, f64::from(step) / 20.0);
                let nearest = pixels.iter().map(|(x, y, _)| {
                    let center = DVec2::new(f64::from(*x) + 0.5, f64::from(*y) + 0.5);
                    let off = (point.truncate() - center).abs();
                    if off[long] <= 0.5 + 2.0 / 256.0 { off[1 - long] } else { f64::INFINITY }
                });
                assert!(nearest.fold(f64::INFINITY, f64::min) <= 1.0 + 2.0 / 256.0, "case {case}: {point}");
            }
        }
    }
}
