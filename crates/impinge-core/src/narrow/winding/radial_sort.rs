//! The radial sort of the faces around a line.

use std::cmp::Ordering;

use super::direction::Direction;
use super::exact_point::{ExactPoint, Line, cross, dot, exact_normal};
use crate::math::DVec3;
use crate::predicates::{Dyadic, Sign};

/// A half-plane that ends at the line: one side of a face that contains the sampled piece of the line.
#[derive(Clone, Debug)]
pub struct RadialFace<T> {
    /// The caller's tag of the face.
    pub tag: T,
    /// A direction in the page, away from the line.
    outward: [Dyadic; 3],
    /// Positive when turning onward (counter-clockwise about the line's direction) passes the face from back to front.
    passes: Sign,
}

impl<T: Copy> RadialFace<T> {
    /// The pages of a triangle whose plane contains the line and which contains the sample: two where the line runs
    /// through its inside, one where it runs along its rim.
    pub fn of_triangle(
        tag: T,
        sample: &ExactPoint,
        line: &Line,
        triangle: [DVec3; 3],
    ) -> impl Iterator<Item = RadialFace<T>> + use<T> {
        let along = line.direction();
        let normal = exact_normal(triangle);
        let pages = triangle.map(|corner| {
            let outward = sample.direction_to(corner);
            let passes = dot(&normal, &cross(&along, &outward)).sign();
            RadialFace { tag, outward, passes }
        });
        let mut seen = [false; 2];
        pages.into_iter().filter(move |page| match page.passes {
            Sign::Zero => false,
            sign => !std::mem::replace(&mut seen[usize::from(sign == Sign::Positive)], true),
        })
    }
}

/// One step around the line: all pages at one angle.
#[derive(Clone, Debug)]
pub struct Turn<T> {
    /// The pages' tags, each with 1 where the step passes its face from back to front, else -1.
    pub pages: Vec<(T, i32)>,
}

/// Sorts the pages radially, counter-clockwise about the line from the ray's direction;
/// `None` when the ray lies in the plane of a page.
pub fn radial_sort<T: Copy>(line: &Line, ray: Direction, pages: Vec<RadialFace<T>>) -> Option<Vec<Turn<T>>> {
    let along = line.direction();
    let from_ray = cross(&along, &ray.exact());
    let mut placed = Vec::with_capacity(pages.len());
    for page in pages {
        // Positive in the first half turn, negative in the second.
        match dot(&from_ray, &page.outward).sign() {
            Sign::Zero => return None,
            half => placed.push((half, page)),
        }
    }
    let order = |a: &(Sign, RadialFace<T>), b: &(Sign, RadialFace<T>)| {
        b.0.cmp(&a.0).then_with(|| {
            // Within one half turn, a comes first if b lies counter-clockwise of it.
            match dot(&cross(&along, &a.1.outward), &b.1.outward).sign() {
                Sign::Positive => Ordering::Less,
                Sign::Zero => Ordering::Equal,
                Sign::Negative => Ordering::Greater,
            }
        })
    };
    placed.sort_by(order);
    let turns = placed.chunk_by(|a, b| order(a, b) == Ordering::Equal).map(|chunk| Turn {
        pages: chunk
            .iter()
            .map(|(_, page)| (page.tag, if page.passes == Sign::Positive { 1 } else { -1 }))
            .collect(),
    });
    Some(turns.collect())
}
