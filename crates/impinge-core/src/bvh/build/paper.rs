//! Dividing elements as Zachmann 1998 does.

use super::element::{Element, Halves};
use crate::bounds::directions;

/// Zachmann 1998, §4.2, on boxes: two elements whose centers are almost farthest apart begin the two sides; the others follow
/// in their order along the direction that is most parallel to the line between the two, each to the side whose box
/// grows less in surface, or to the smaller side if both grow alike.
pub(super) fn paper<const K: usize>(elements: &mut [Element], buffer: &mut [Element]) -> Option<Halves> {
    let farthest = |elements: &[Element], from: Element| {
        let mut best = (0, -1.0);
        for (i, element) in elements.iter().enumerate() {
            let distance: f32 = (0..3).map(|k| element.center(k) - from.center(k)).map(|d| d * d).sum();
            if distance > best.1 {
                best = (i, distance);
            }
        }
        best
    };
    let (first, _) = farthest(elements, elements[0]);
    let (second, distance) = farthest(elements, elements[first]);
    if distance <= 0.0 {
        return None;
    }
    let (from, to) = (elements[first], elements[second]);
    let line: [f64; 3] = std::array::from_fn(|k| f64::from(to.center(k)) - f64::from(from.center(k)));
    let dot = |d: [f64; 3], e: [f64; 3]| d[0] * e[0] + d[1] * e[1] + d[2] * e[2];
    let mut most = (-1.0, [0.0; 3]);
    for direction in &const { directions::<K>() }[..K / 2] {
        let along = dot(*direction, line);
        let parallel = along * along / dot(*direction, *direction);
        if parallel > most.0 {
            // In the sense of the line, so that the first element is on the low side.
            most = (parallel, direction.map(|d| if along < 0.0 { -d } else { d }));
        }
    }
    let along = |element: &Element| dot(most.1, std::array::from_fn(|k| f64::from(element.center(k))));
    elements.sort_unstable_by(|a, b| along(a).total_cmp(&along(b)).then(a.id().cmp(&b.id())));
    let (mut left, mut right) = (1, elements.len() - 1);
    let mut bounds = [from.bounds, to.bounds];
    let buffer = &mut buffer[..elements.len()];
    buffer[0] = from;
    buffer[right] = to;
    for element in elements.iter().filter(|element| element.id() != from.id() && element.id() != to.id()) {
        let with = bounds.map(|side| side.union(&element.bounds));
        let growth = [0, 1].map(|side| with[side].half_area() - bounds[side].half_area());
        let is_left = match growth[0].total_cmp(&growth[1]) {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Greater => false,
            std::cmp::Ordering::Equal => left <= elements.len() - right,
        };
        if is_left {
            buffer[left] = *element;
            left += 1;
            bounds[0] = with[0];
        } else {
            right -= 1;
            buffer[right] = *element;
            bounds[1] = with[1];
        }
    }
    Some(Halves { middle: left, bounds, moved: true })
}
