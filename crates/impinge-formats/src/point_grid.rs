//! A grid over points in the plane: which of them may lie in a triangle, without looking at all.

use impinge::math::DVec2;

/// About so many points lie in a cell when they are spread evenly.
const POINTS_PER_CELL: usize = 2;
/// By so much of a cell a triangle is taken to be larger than it is: far more than rounding moves anything in the grid.
const PADDING: f64 = 1e-3;

/// Points in cells, known by their numbers. Points can be taken out.
#[derive(Default)]
pub(crate) struct PointGrid {
    /// Cells along each axis.
    side: usize,
    min: DVec2,
    cells_per_length: DVec2,
    /// Where the points of each cell begin in `points`, and how many are left.
    first: Vec<u32>,
    count: Vec<u32>,
    points: Vec<u32>,
    cell_of: Vec<u32>,
    place_of: Vec<u32>,
}

impl PointGrid {
    /// Takes in all points, in place of those before.
    pub(crate) fn fill(&mut self, points: &[DVec2]) {
        self.side = ((points.len() / POINTS_PER_CELL) as f64).sqrt().ceil().max(1.0) as usize;
        let low = points.iter().fold(DVec2::MAX, |low, point| low.min(*point));
        let high = points.iter().fold(DVec2::MIN, |high, point| high.max(*point));
        self.min = low;
        // Halves, since the difference of large coordinates may be infinite.
        let half_size = high * 0.5 - low * 0.5;
        let per_length = |size: f64| if size > 0.0 { self.side as f64 / size } else { 0.0 };
        self.cells_per_length = DVec2::new(per_length(half_size.x), per_length(half_size.y));
        let cells = self.side * self.side;
        self.cell_of.clear();
        for &point in points {
            let place = self.in_cells(point);
            self.cell_of.push((self.row(place.y) * self.side + self.row(place.x)) as u32);
        }
        self.count.clear();
        self.count.resize(cells, 0);
        for &cell in &self.cell_of {
            self.count[cell as usize] += 1;
        }
        self.first.clear();
        let mut before = 0;
        self.first.extend(self.count.iter().map(|count| {
            before += count;
            before - count
        }));
        self.points.clear();
        self.points.resize(points.len(), 0);
        self.place_of.clear();
        self.count.fill(0);
        for (point, &cell) in (0..).zip(&self.cell_of) {
            let place = self.first[cell as usize] + self.count[cell as usize];
            self.count[cell as usize] += 1;
            self.points[place as usize] = point;
            self.place_of.push(place);
        }
    }

    /// Takes a point out.
    pub(crate) fn remove(&mut self, point: u32) {
        let cell = self.cell_of[point as usize] as usize;
        self.count[cell] -= 1;
        let (hole, last) = (self.place_of[point as usize], self.first[cell] + self.count[cell]);
        let moved = self.points[last as usize];
        self.points[hole as usize] = moved;
        self.place_of[moved as usize] = hole;
    }

    /// Whether `found` says yes to any point that may lie in a triangle or on its rim; it is asked about all that do, its corners
    /// included, and about some others.
    pub(crate) fn any_in(&self, triangle: [DVec2; 3], mut found: impl FnMut(u32) -> bool) -> bool {
        let corners = triangle.map(|corner| self.in_cells(corner));
        let low = corners[0].y.min(corners[1].y).min(corners[2].y);
        let high = corners[0].y.max(corners[1].y).max(corners[2].y);
        for row in self.row(low - PADDING)..=self.row(high + PADDING) {
            let (left, right) = span(&corners, row as f64 - PADDING, (row + 1) as f64 + PADDING);
            if left > right {
                continue;
            }
            for column in self.row(left - PADDING)..=self.row(right + PADDING) {
                let cell = row * self.side + column;
                let first = self.first[cell] as usize;
                let points = &self.points[first..first + self.count[cell] as usize];
                if points.iter().any(|&point| found(point)) {
                    return true;
                }
            }
        }
        false
    }

    /// A point in units of cells.
    fn in_cells(&self, point: DVec2) -> DVec2 {
        (point * 0.5 - self.min * 0.5) * self.cells_per_length
    }

    /// The row or column that a coordinate in units of cells lies in.
    fn row(&self, coordinate: f64) -> usize {
        // A cast of what is negative or no number gives 0.
        (coordinate as usize).min(self.side - 1)
    }
}

/// From where to where a triangle reaches within a strip of the plane; the least is above the greatest where it does not.
fn span(corners: &[DVec2; 3], low: f64, high: f64) -> (f64, f64) {
    let (mut left, mut right) = (f64::INFINITY, f64::NEG_INFINITY);
    for i in 0..3 {
        let (from, to) = (corners[i], corners[(i + 1) % 3]);
        if from.y.max(to.y) < low || from.y.min(to.y) > high {
            continue;
        }
        for y in [from.y.clamp(low, high), to.y.clamp(low, high)] {
            let share = if to.y == from.y { 0.0 } else { (y - from.y) / (to.y - from.y) };
            let x = from.x + (to.x - from.x) * share.clamp(0.0, 1.0);
            (left, right) = (left.min(x), right.max(x));
        }
        if to.y == from.y {
            (left, right) = (left.min(from.x.min(to.x)), right.max(from.x.max(to.x)));
        }
    }
    (left, right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_in_a_triangle_is_asked_about() {
        let mut state = 7_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % below) as f64
        };
        for size in [1.0, 1e300, 1e-300] {
            let mut grid = PointGrid::default();
            for _ in 0..200 {
                let count = 3 + random(60) as usize;
                let points: Vec<DVec2> =
                    (0..count).map(|_| DVec2::new(random(20), random(20)) * size).collect();
                grid.fill(&points);
                let gone: Vec<u32> = (0..count as u32).filter(|_| random(3) == 0.0).collect();
                gone.iter().for_each(|point| grid.remove(*point));
                let triangle = [(); 3].map(|()| points[random(count as u64) as usize]);
                let mut asked = Vec::new();
                grid.any_in(triangle, |point| {
                    asked.push(point);
                    false
                });
                let unit = triangle.map(|corner| corner / size);
                let side = |from: DVec2, to: DVec2, point: DVec2| (to - from).perp_dot(point - from);
                for (number, point) in (0..).zip(&points) {
                    let point = *point / size;
                    let sides = [0, 1, 2].map(|i| side(unit[i], unit[(i + 1) % 3], point).round());
                    let (low, high) = (unit[0].min(unit[1]).min(unit[2]), unit[0].max(unit[1]).max(unit[2]));
                    let inside = (sides.iter().all(|side| *side >= 0.0)
                        || sides.iter().all(|side| *side <= 0.0))
                        && point.cmpge(low - 1e-9).all()
                        && point.cmple(high + 1e-9).all();
                    if inside && !gone.contains(&number) {
                        assert!(asked.contains(&number), "{triangle:?} {point:?}");
                    }
                }
                assert!(asked.iter().all(|point| !gone.contains(point)));
            }
        }
    }
}
