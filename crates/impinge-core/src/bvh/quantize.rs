//! Vertices as rows of offsets, for builds and refits of trees of triangles with up to eight directions.
//!
//! Rounding is monotonic: the greatest of the rows of a triangle's vertices is the very row that fitting its corners would give.

use super::Corners;
use super::fit::{Frame, fit, round_up};
use super::steps::{STEPS, in_steps, up};
use crate::math::DVec3;
use crate::simd::{Lanes, Work};

/// Offsets along up to eight directions. Those of a box come in pairs: for each axis along the negative and along the positive direction, so
/// that the sum of a pair is the length of a side.
pub(super) type Row = [i16; 8];

/// The place of a direction in a row.
#[inline(always)]
pub(super) const fn place<const K: usize>(direction: usize) -> usize {
    match (K, direction) {
        (6, 0..3) => 2 * direction + 1,
        (6, _) => 2 * (direction - 3),
        _ => direction,
    }
}

/// Makes the rows of vertices.
pub(super) struct Quantize<'r, const K: usize> {
    pub(super) points: &'r [DVec3],
    pub(super) rows: &'r mut [Row],
    pub(super) frame: &'r Frame,
}

impl<const K: usize> Work for Quantize<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Quantize { points, rows, frame } = self;
        let mut done = 0;
        if K == 6 {
            let (groups, _) = points.as_chunks::<4>();
            let (row_groups, _) = rows.as_chunks_mut::<4>();
            let mut group = 0;
            while group < groups.len() {
                boxes_of_points(&groups[group], frame, &mut row_groups[group]);
                group += 1;
            }
            done = 4 * groups.len();
        }
        while done < points.len() {
            let offsets: [i16; K] = in_steps(&fit(&OnePoint(points[done]), frame, &[0]));
            let mut k = 0;
            while k < K {
                rows[done][place::<K>(k)] = offsets[k];
                k += 1;
            }
            done += 1;
        }
    }
}

/// Four points, coordinate after coordinate: three registers of four.
#[inline(always)]
fn boxes_of_points(points: &[DVec3; 4], frame: &Frame, rows: &mut [Row; 4]) {
    let origin = frame.origin.to_array();
    let (mut more, mut less) = ([0_i16; 12], [0_i16; 12]);
    let mut coordinates = [0.0; 12];
    for i in 0..4 {
        [coordinates[3 * i], coordinates[3 * i + 1], coordinates[3 * i + 2]] = points[i].to_array();
    }
    for i in 0..12 {
        let coordinate = (coordinates[i] - origin[i % 3]) * frame.scale;
        more[i] = up(round_up(coordinate, frame.room) * STEPS as f32);
        less[i] = up(round_up(-coordinate, frame.room) * STEPS as f32);
    }
    for (i, row) in rows.iter_mut().enumerate() {
        let j = 3 * i;
        *row = [less[j], more[j], less[j + 1], more[j + 1], less[j + 2], more[j + 2], 0, 0];
    }
}

struct OnePoint(DVec3);

impl Corners for OnePoint {
    #[inline(always)]
    fn visit(&self, _: u32, mut visit: impl FnMut(DVec3)) {
        visit(self.0);
    }
}
