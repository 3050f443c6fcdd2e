//! Up to eight elements, divided by trying.

use super::element::{Bounds, Element, around};

/// The most elements that are divided here.
pub(super) const FEW: usize = 8;

/// Orders up to eight elements, so that pairs of neighbours make good leaves; returns the splits that it took.
pub(super) fn pack(elements: &mut [Element]) -> u32 {
    match elements.len() {
        0..=2 => 0,
        3 | 4 => {
            pair(elements);
            1
        }
        count => {
            let (middle, _) = divide(elements, if count == 6 { &[4, 2] } else { &[4] });
            pair(&mut elements[..middle]);
            pair(&mut elements[middle..]);
            2
        }
    }
}

/// Makes two pairs of four elements, or of three a pair and one, of the least surface.
pub(super) fn pair(elements: &mut [Element]) {
    let area = |i: usize, j: usize| elements[i].bounds.union(&elements[j].bounds).half_area();
    match elements.len() {
        3 => {
            let areas = [area(0, 1), area(0, 2), area(1, 2)];
            if areas[1] < areas[0] && areas[1] <= areas[2] {
                elements.swap(1, 2);
            } else if areas[2] < areas[0] {
                elements.swap(0, 2);
            }
        }
        4 => {
            let areas = [area(0, 1) + area(2, 3), area(0, 2) + area(1, 3), area(0, 3) + area(1, 2)];
            if areas[1] < areas[0] && areas[1] <= areas[2] {
                elements.swap(1, 2);
            } else if areas[2] < areas[0] {
                elements.swap(1, 3);
            }
        }
        _ => {}
    }
}

/// Divides up to eight elements after as many as one of `places` says (the first if all cost alike), along the axis where the boxes' surfaces, each
/// counted for its elements, are least.
pub(super) fn divide(elements: &mut [Element], places: &[usize]) -> (usize, [Bounds; 2]) {
    let count = elements.len();
    let mut best: (f32, usize, [u32; FEW]) = (f32::INFINITY, places[0], std::array::from_fn(|i| i as u32));
    let mut keys = [[f32::INFINITY; FEW]; 3];
    for (i, element) in elements.iter().enumerate() {
        let centre = element.centre();
        for k in 0..3 {
            keys[k][i] = centre[k];
        }
    }
    for keys in &keys {
        // How many are before each.
        let mut ranks = [0_u32; FEW];
        for (j, other) in keys.iter().enumerate() {
            for (i, rank) in ranks.iter_mut().enumerate() {
                *rank += u32::from(if j < i { *other <= keys[i] } else { *other < keys[i] });
            }
        }
        for &place in places {
            let mut sides = [Bounds::EMPTY; 2];
            for (element, &rank) in elements.iter().zip(&ranks) {
                sides[usize::from(rank as usize >= place)].add(&element.bounds);
            }
            let cost = sides[0].half_area() * place as f32 + sides[1].half_area() * (count - place) as f32;
            if cost < best.0 {
                best = (cost, place, ranks);
            }
        }
    }
    let (_, place, ranks) = best;
    let mut sorted = [Element::NONE; FEW];
    for (element, &rank) in elements.iter().zip(&ranks) {
        sorted[rank as usize % FEW] = *element;
    }
    elements.copy_from_slice(&sorted[..count]);
    (place, [around(&elements[..place]), around(&elements[place..])])
}
