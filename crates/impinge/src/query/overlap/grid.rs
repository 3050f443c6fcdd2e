//! A grid that finds the shadows of two surfaces that lie over each other.

use std::ops::ControlFlow;

use super::patches::Side;
use super::shadow::Shadow;
use impinge_core::math::DVec2;

/// A grid over a rectangle, with the shadows that each of its cells meets.
pub(super) struct Grid {
    min: DVec2,
    cell: DVec2,
    columns: usize,
    rows: usize,
    /// Cell by cell: numbers of shadows, of faces that meet the other first.
    sides: [Cells; 2],
}

/// The shadows of one surface, cell by cell.
#[derive(Default)]
struct Cells {
    numbers: Vec<u32>,
    /// Where each cell begins.
    begins: Vec<usize>,
    /// Where the faces that meet nothing begin in each cell.
    others: Vec<usize>,
}

/// Cells along a side of the grid at most.
const MOST_CELLS: usize = 128;

impl Grid {
    pub(super) fn new([min, max]: [DVec2; 2], shadows: &[Vec<Shadow>; 2]) -> Grid {
        let count = (shadows[0].len() + shadows[1].len()).max(1);
        let size = max - min;
        // About as many cells as faces, as square as the rectangle allows.
        let share = (size.x / size.y.max(f64::MIN_POSITIVE)).clamp(1e-4, 1e4);
        let columns = ((count as f64 * share).sqrt().ceil() as usize).clamp(1, MOST_CELLS);
        let rows = ((count as f64 / share).sqrt().ceil() as usize).clamp(1, MOST_CELLS);
        let cell = DVec2::new(size.x / columns as f64, size.y / rows as f64);
        let mut grid = Grid { min, cell, columns, rows, sides: <[Cells; 2]>::default() };
        grid.sides = shadows.each_ref().map(|list| grid.sorted(list));
        grid
    }

    fn sorted(&self, shadows: &[Shadow]) -> Cells {
        let count = self.columns * self.rows;
        let mut ends = [vec![0_usize; count], vec![0_usize; count]];
        let kind = |shadow: &Shadow| usize::from(shadow.side != Side::Meeting);
        for shadow in shadows {
            self.cells(shadow.min, shadow.max).for_each(|cell| ends[kind(shadow)][cell] += 1);
        }
        let mut cells = Cells::default();
        let mut total = 0;
        for (meeting, others) in ends[0].iter().zip(&ends[1]) {
            cells.begins.push(total);
            cells.others.push(total + meeting);
            total += meeting + others;
        }
        cells.begins.push(total);
        cells.numbers = vec![0; total];
        let mut next = [cells.begins.clone(), cells.others.clone()];
        for (shadow, number) in shadows.iter().zip(0..) {
            for cell in self.cells(shadow.min, shadow.max) {
                let place = &mut next[kind(shadow)][cell];
                cells.numbers[*place] = number;
                *place += 1;
            }
        }
        cells
    }

    /// How many pairs of shadows the cells hold, where one of the two faces meets the other surface; those in several cells count in each.
    pub(super) fn pair_count(&self) -> usize {
        let [first, second] = &self.sides;
        let of = |cells: &Cells, cell: usize| {
            (cells.others[cell] - cells.begins[cell], cells.begins[cell + 1] - cells.begins[cell])
        };
        let in_cell = |cell: usize| {
            let ((meeting, all), (others, of_others)) = (of(first, cell), of(second, cell));
            meeting * of_others + (all - meeting) * others
        };
        (0..self.columns * self.rows).map(in_cell).sum()
    }

    fn cell_at(&self, point: DVec2) -> [usize; 2] {
        let at = (point - self.min) / self.cell;
        [(at.x as usize).min(self.columns - 1), (at.y as usize).min(self.rows - 1)]
    }

    fn cells(&self, min: DVec2, max: DVec2) -> impl Iterator<Item = usize> + use<> {
        let ([x0, y0], [x1, y1], columns) = (self.cell_at(min), self.cell_at(max), self.columns);
        (y0..=y1).flat_map(move |y| (x0..=x1).map(move |x| y * columns + x))
    }

    /// Calls `visit` once with the number of each shadow of the other surface whose box overlaps that of a shadow.
    pub(super) fn for_each_partner(
        &self,
        shadows: &[Vec<Shadow>; 2],
        side: usize,
        number: usize,
        mut visit: impl FnMut(usize),
    ) {
        let shadow = &shadows[side][number];
        let others = &self.sides[1 - side];
        for cell in self.cells(shadow.min, shadow.max) {
            for &partner in &others.numbers[others.begins[cell]..others.begins[cell + 1]] {
                if self.is_owner(cell, shadow, &shadows[1 - side][partner as usize]) {
                    visit(partner as usize);
                }
            }
        }
    }

    /// Whether the boxes of two shadows overlap, and begin to do so in a cell: of all cells that have both, one has the pair.
    fn is_owner(&self, cell: usize, a: &Shadow, b: &Shadow) -> bool {
        let (min, max) = (a.min.max(b.min), a.max.min(b.max));
        let [x, y] = self.cell_at(min);
        min.cmple(max).all() && y * self.columns + x == cell
    }

    /// Calls `visit` once with the numbers of two shadows, one of each surface, whose boxes overlap, where one of the two faces meets the other surface; until it breaks.
    pub(super) fn for_each_pair(
        &self,
        shadows: &[Vec<Shadow>; 2],
        mut visit: impl FnMut([usize; 2]) -> ControlFlow<()>,
    ) {
        for cell in 0..self.columns * self.rows {
            let [first, second] = &self.sides;
            let of = |cells: &Cells| (cells.begins[cell], cells.others[cell], cells.begins[cell + 1]);
            let ((begin, others, end), (from, quiet, to)) = (of(first), of(second));
            for (place, &number) in (begin..end).zip(&first.numbers[begin..end]) {
                let a = &shadows[0][number as usize];
                let partners =
                    if place < others { &second.numbers[from..to] } else { &second.numbers[from..quiet] };
                for &partner in partners {
                    let b = &shadows[1][partner as usize];
                    if self.is_owner(cell, a, b) && visit([number as usize, partner as usize]).is_break() {
                        return;
                    }
                }
            }
        }
    }
}
