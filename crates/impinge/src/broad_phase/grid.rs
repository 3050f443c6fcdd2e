//! A uniform grid (Blow 1997, §I): columns over the ground, or cells in space.

use std::collections::HashMap;

use super::boxes::Boxes;
use super::finder::PairFinder;
use super::pairs::Pair;
use super::segment::Segment;
use impinge_core::bounds::Aabb;
use impinge_core::math::DVec3;

/// A uniform grid: boxes by the cells that they overlap. Each cell is about twice as wide as most boxes, and those that would
/// fill very many cells are kept in a list of their own.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    /// How many of the axes are divided: the first two or all three.
    axes: usize,
    /// The width of a cell, and the number of boxes for which it was chosen.
    width: f64,
    chosen_for: usize,
    cells: HashMap<[i32; 3], Vec<u32>>,
    /// By id: where the box is listed.
    places: Vec<Place>,
    /// Boxes that fill too many cells, in order.
    large: Vec<u32>,
}

/// Where a box is listed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Place {
    #[default]
    Nowhere,
    /// In all cells from one to another.
    Cells([[i32; 3]; 2]),
    Large,
}

/// A box that fills more cells than this is large.
const MANY_CELLS: f64 = 64.0;
/// Cells are numbered up to this, in both directions; what reaches beyond is large.
const FARTHEST: f64 = (1 << 24) as f64;

impl Grid {
    /// A grid of columns over the ground, which is across the third axis: for worlds in which few bodies stand on top of each other.
    pub(super) fn columns() -> Grid {
        Grid::new(2)
    }

    /// A grid of cells in space.
    pub(super) fn cells() -> Grid {
        Grid::new(3)
    }

    fn new(axes: usize) -> Grid {
        Grid { axes, width: 1.0, chosen_for: 0, cells: HashMap::new(), places: Vec::new(), large: Vec::new() }
    }

    /// The cells that a box overlaps, if they are not too many.
    fn place(&self, bounds: &Aabb) -> Place {
        let range = self.range(bounds);
        let is_numbered = |axis: usize| {
            axis >= self.axes || range.iter().all(|cell| f64::from(cell[axis]).abs() < FARTHEST)
        };
        let width = |axis: usize| f64::from(range[1][axis]) - f64::from(range[0][axis]) + 1.0;
        let is_large = width(0) * width(1) * width(2) > MANY_CELLS;
        if is_large || !(0..3).all(is_numbered) { Place::Large } else { Place::Cells(range) }
    }

    /// Chooses the width anew where the number of boxes has doubled or halved since: twice the size of the median box.
    fn choose_width(&mut self, boxes: &Boxes) -> bool {
        let count = boxes.len();
        if count <= 2 * self.chosen_for && 2 * count >= self.chosen_for && self.chosen_for > 0 {
            return false;
        }
        let size = |bounds: &Aabb| {
            let size = bounds.size();
            (0..self.axes).map(|axis| size[axis]).fold(0.0, f64::max)
        };
        let mut sizes: Vec<f64> = boxes.iter().map(|(_, bounds)| size(bounds)).collect();
        sizes.retain(|size| size.is_finite());
        let middle = sizes.len() / 2;
        let median =
            if sizes.is_empty() { 0.0 } else { *sizes.select_nth_unstable_by(middle, f64::total_cmp).1 };
        self.chosen_for = count.max(1);
        self.width = if median > 0.0 { 2.0 * median } else { 1.0 };
        true
    }

    fn take_out(&mut self, id: u32) {
        match std::mem::take(&mut self.places[id as usize]) {
            Place::Nowhere => {}
            Place::Large => self.large.retain(|&other| other != id),
            Place::Cells(range) => {
                for cell in cells_of(range) {
                    if let Some(ids) = self.cells.get_mut(&cell) {
                        ids.retain(|&other| other != id);
                        if ids.is_empty() {
                            self.cells.remove(&cell);
                        }
                    }
                }
            }
        }
    }

    fn put_in(&mut self, id: u32, bounds: &Aabb) {
        let place = self.place(bounds);
        if place == self.places[id as usize] {
            return;
        }
        self.take_out(id);
        match place {
            Place::Nowhere => {}
            Place::Large => {
                let at = self.large.partition_point(|&other| other < id);
                self.large.insert(at, id);
            }
            Place::Cells(range) => {
                for cell in cells_of(range) {
                    self.cells.entry(cell).or_default().push(id);
                }
            }
        }
        self.places[id as usize] = place;
    }

    /// Takes in what has changed; everything, where the cells have another width now.
    fn update(&mut self, boxes: &Boxes) {
        self.places.resize(boxes.id_limit() as usize, Place::Nowhere);
        if self.choose_width(boxes) {
            self.cells.clear();
            self.large.clear();
            self.places.fill(Place::Nowhere);
            boxes.iter().for_each(|(id, bounds)| self.put_in(id, bounds));
            return;
        }
        for &id in boxes.changed() {
            match boxes.get(id) {
                None => self.take_out(id),
                Some(bounds) => self.put_in(id, bounds),
            }
        }
    }

    /// Shows the boxes in a range of cells, some of them several times.
    fn in_cells(&self, range: [[i32; 3]; 2], mut visit: impl FnMut([i32; 3], u32)) {
        let width = |axis: usize| f64::from(range[1][axis]) - f64::from(range[0][axis]) + 1.0;
        if width(0) * width(1) * width(2) <= self.cells.len() as f64 {
            for cell in cells_of(range) {
                self.cells.get(&cell).into_iter().flatten().for_each(|&id| visit(cell, id));
            }
            return;
        }
        // Fewer cells hold anything than there are.
        for (cell, ids) in &self.cells {
            if (0..3).all(|axis| (range[0][axis]..=range[1][axis]).contains(&cell[axis])) {
                ids.iter().for_each(|&id| visit(*cell, id));
            }
        }
    }

    /// The cells that a box of any size overlaps, as far as they are numbered.
    fn range(&self, bounds: &Aabb) -> [[i32; 3]; 2] {
        let number = |side: f64| (side / self.width).floor().clamp(-FARTHEST, FARTHEST) as i32;
        [bounds.min, bounds.max]
            .map(|corner| std::array::from_fn(|axis| if axis < self.axes { number(corner[axis]) } else { 0 }))
    }

    /// A box around a cell, with padding for rounding.
    fn bounds_of(&self, cell: [i32; 3]) -> Aabb {
        let (mut min, mut max) = (DVec3::NEG_INFINITY, DVec3::INFINITY);
        for axis in 0..self.axes {
            min[axis] = (f64::from(cell[axis]) - 1e-6) * self.width;
            max[axis] = (f64::from(cell[axis]) + 1.0 + 1e-6) * self.width;
        }
        Aabb { min, max }
    }
}

impl PairFinder for Grid {
    fn find(&mut self, boxes: &Boxes, found: &mut Vec<Pair>) {
        if boxes.changed().is_empty() {
            return;
        }
        self.update(boxes);
        for &id in boxes.changed() {
            let Some(bounds) = boxes.get(id) else { continue };
            // Of two that changed, the greater finds the lesser.
            let is_new = |other: u32| other != id && !(boxes.is_changed(other) && other > id);
            let mut offer = |other: u32| {
                if is_new(other) && boxes.bounds(other).overlaps(bounds) {
                    found.push(Pair::new(id, other));
                }
            };
            match self.places[id as usize] {
                Place::Nowhere => {}
                Place::Large => boxes.iter().for_each(|(other, _)| offer(other)),
                Place::Cells(range) => {
                    self.in_cells(range, |cell, other| {
                        // Two boxes share several cells: that of the least corner of what they have in common counts.
                        let Place::Cells(others) = self.places[other as usize] else { return };
                        if (0..3).all(|axis| cell[axis] == range[0][axis].max(others[0][axis])) {
                            offer(other);
                        }
                    });
                    self.large.iter().for_each(|&other| offer(other));
                }
            }
        }
    }

    fn near_box(&self, _: &Boxes, bounds: &Aabb, visit: &mut dyn FnMut(u32)) {
        let range = self.range(bounds);
        self.in_cells(range, |cell, id| {
            let Place::Cells(own) = self.places[id as usize] else { return };
            if (0..3).all(|axis| cell[axis] == range[0][axis].max(own[0][axis])) {
                visit(id);
            }
        });
        self.large.iter().for_each(|&id| visit(id));
    }

    fn near_segment(&self, _: &Boxes, segment: &Segment, visit: &mut dyn FnMut(u32)) {
        let mut near = self.large.clone();
        self.in_cells(self.range(&segment.bounds()), |cell, id| {
            if segment.may_touch(&self.bounds_of(cell)) {
                near.push(id);
            }
        });
        near.sort_unstable();
        near.dedup();
        near.into_iter().for_each(visit);
    }
}

/// All cells from one to another.
fn cells_of([low, high]: [[i32; 3]; 2]) -> impl Iterator<Item = [i32; 3]> {
    (low[2]..=high[2])
        .flat_map(move |z| (low[1]..=high[1]).flat_map(move |y| (low[0]..=high[0]).map(move |x| [x, y, z])))
}
