//! The elements of a build: a box in the tree's own steps for each.

use super::super::Corners;
use super::super::fit::{Frame, fit};
use super::super::quantize::{Quantize, Row};
use super::super::steps::in_steps;
use super::Build;
use super::element::Element;
use crate::bounds::Aabb;
use crate::math::DVec3;
use crate::parallel::{for_each_chunk, map_indices};
use crate::simd::{Lanes, Work, dispatch};

/// Elements that one thread makes at a time.
const CHUNK: usize = 1 << 12;

/// The elements `0..count` that have corners.
pub(super) fn fill(build: Build, count: usize, corners: &impl Corners, frame: &Frame) -> Vec<Element> {
    let mut elements = match corners.table() {
        // Vertices that no triangle has are not worth while.
        Some((points, triangles)) if points.len() <= 2 * count => {
            fill_triangles(build.parallel, points, triangles, frame)
        }
        _ if build.parallel => {
            map_indices(count, CHUNK, || (), |(), id| element(build, corners, frame, id as u32))
        }
        _ => (0..count as u32).map(|id| element(build, corners, frame, id)).collect(),
    };
    if elements.iter().any(Element::is_none) {
        elements.retain(|element| !element.is_none());
    }
    elements
}

/// The box of an element.
#[inline(always)]
pub(super) fn element(build: Build, corners: &impl Corners, frame: &Frame, id: u32) -> Element {
    let mut bounds = Aabb::EMPTY;
    corners.visit(id, |point| bounds = bounds.with_point(point));
    if bounds.is_empty() {
        return Element::NONE;
    }
    // Rounding is monotonic, so the corners' images are within those of their box.
    let [x, y, z, less_x, less_y, less_z] =
        in_steps(&fit(&[[bounds.min, bounds.max]].as_slice(), frame, &[0]));
    let element = Element::new(id, [less_x, less_y, less_z], [x, y, z]);
    // Full leaves are full of elements, whatever these are.
    if !build.full && corners.is_large(id) { element.enlarged() } else { element }
}

/// Triangles by way of their vertices, each of which is rounded once.
fn fill_triangles(parallel: bool, points: &[DVec3], triangles: &[[u32; 3]], frame: &Frame) -> Vec<Element> {
    let (mut rows, mut elements) = (vec![[0; 8]; points.len()], vec![Element::NONE; triangles.len()]);
    let quantize = |points: &[DVec3], rows: &mut [Row]| dispatch(Quantize::<6> { points, rows, frame });
    if !parallel {
        quantize(points, &mut rows);
        dispatch(Join { triangles, rows: &rows, first: 0, elements: &mut elements });
        return elements;
    }
    for_each_chunk(points, &mut rows, CHUNK, quantize);
    let starts: Vec<u32> = (0..triangles.len() as u32).step_by(CHUNK).collect();
    let rows = rows.as_slice();
    crate::parallel::map_into(
        starts.into_iter().zip(triangles.chunks(CHUNK)).zip(elements.chunks_mut(CHUNK)).collect(),
        |((first, triangles), elements)| dispatch(Join { triangles, rows, first, elements }),
    );
    elements
}

/// Makes triangles of vertices.
struct Join<'e> {
    triangles: &'e [[u32; 3]],
    rows: &'e [Row],
    /// The number of the first triangle.
    first: u32,
    elements: &'e mut [Element],
}

impl Work for Join<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Join { triangles, rows, first, elements } = self;
        let mut i = 0;
        while i < triangles.len() {
            let [a, b, c] = triangles[i];
            let (a, b, c) =
                (L::eight(&rows[a as usize]), L::eight(&rows[b as usize]), L::eight(&rows[c as usize]));
            L::store_eight(L::most(L::most(a, b), c), &mut elements[i].bounds.row);
            elements[i].set_id(first + i as u32);
            i += 1;
        }
    }
}
