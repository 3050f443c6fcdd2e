//! Brute force, every box against every other: slow, and the oracle of the other engines.

use super::boxes::Boxes;
use super::finder::PairFinder;
use super::pairs::Pair;
use super::segment::Segment;
use impinge_core::bounds::Aabb;

/// A broad phase by brute force: tests every pair, and keeps nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Brute;

impl PairFinder for Brute {
    fn find(&mut self, boxes: &Boxes, found: &mut Vec<Pair>) {
        for (a, bounds_a) in boxes.iter() {
            for (b, bounds_b) in boxes.iter().take_while(|(b, _)| *b < a) {
                if (boxes.is_changed(a) || boxes.is_changed(b)) && bounds_a.overlaps(bounds_b) {
                    found.push(Pair::new(a, b));
                }
            }
        }
    }

    fn near_box(&self, boxes: &Boxes, _: &Aabb, visit: &mut dyn FnMut(u32)) {
        boxes.iter().for_each(|(id, _)| visit(id));
    }

    fn near_segment(&self, boxes: &Boxes, _: &Segment, visit: &mut dyn FnMut(u32)) {
        boxes.iter().for_each(|(id, _)| visit(id));
    }
}
