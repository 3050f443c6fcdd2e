//! The volume of what two solids share.
//!
//! Along a line, the winding number of a closed surface is the sum of the signs of all faces above. So the integral of the product of two
//! windings over a box is a sum over pairs of faces, of the lesser of two heights over where both are above each other. Each term depends
//! continuously on the corners, so that faces in one plane and shared edges need no care. Of faces that meet nothing it is known whether they are inside: these
//! need no pairs. `docs/math/shared-volume.md` has the derivation.

use super::patches::{Side, Sides};
use super::surface::Surface;
use impinge_core::bounds::Aabb;
use impinge_core::math::{DVec2, DVec3};

/// An integral, and what rounding may do to it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Integral {
    pub(super) value: f64,
    pub(super) error: f64,
}

/// The integral of the product of two windings over a box that is not empty. `rounding` is what may happen to a coordinate.
pub(super) fn integrate(
    surfaces: &mut [Surface<'_, '_>; 2],
    sides: &[Sides; 2],
    bounds: &Aabb,
    rounding: f64,
) -> Integral {
    let size = bounds.size();
    // The view along the longest side has the fewest faces above each other.
    let axis = (0..3).fold(0, |best, axis| if size[axis] > size[best] { axis } else { best });
    let view = View { rounding, ..View::new(axis, bounds) };
    let [first, second] = surfaces;
    let mut shadows = [view.shadows(first, &sides[0]), view.shadows(second, &sides[1])];
    loop {
        let (sum, unclear) = view.sum(&shadows);
        if unclear.is_empty() {
            return sum;
        }
        for (side, number) in unclear {
            shadows[side][number].side = Side::Meeting;
        }
    }
}

/// A box, seen along an axis.
struct View {
    axis: usize,
    min: DVec2,
    max: DVec2,
    low: f64,
    high: f64,
    rounding: f64,
}

/// A triangle as a view sees it: its shadow within the box, and its height over a point.
struct Shadow {
    /// Where its face is, seen from the other surface.
    side: Side,
    /// The corners of the triangle, counter-clockwise.
    triangle: [DVec2; 3],
    /// What of the triangle is within the box.
    outline: Polygon,
    min: DVec2,
    max: DVec2,
    /// 1 where the front of the face is above, −1 where it is below.
    sign: f64,
    /// The height over a point is `slope · (point − origin) + height`.
    origin: DVec2,
    height: f64,
    slope: DVec2,
    lowest: f64,
    highest: f64,
}

impl Shadow {
    fn height_at(&self, point: DVec2) -> f64 {
        (self.slope.dot(point - self.origin) + self.height).clamp(self.lowest, self.highest)
    }
}

impl View {
    fn new(axis: usize, bounds: &Aabb) -> View {
        let flat = |point: DVec3| DVec2::new(point[(axis + 1) % 3], point[(axis + 2) % 3]);
        View {
            axis,
            min: flat(bounds.min),
            max: flat(bounds.max),
            low: bounds.min[axis],
            high: bounds.max[axis],
            rounding: 0.0,
        }
    }

    /// The shadows of all closed faces that are above the bottom of the box.
    fn shadows(&self, surface: &mut Surface<'_, '_>, sides: &Sides) -> Vec<Shadow> {
        let axis = self.axis;
        let own = surface.bounds();
        let (mut min, mut max) = (own.min, own.max);
        for (along, i) in [(axis + 1) % 3, (axis + 2) % 3].into_iter().zip(0..2) {
            (min[along], max[along]) = (self.min[i], self.max[i]);
        }
        min[axis] = self.low;
        max[axis] = max[axis].max(self.low);
        let model = surface.placed.model();
        // A mirrored surface has its fronts where its backs were.
        let handedness = surface.handedness();
        let mut side_of = vec![Side::Outside; model.mesh().face_count()];
        sides.faces.iter().for_each(|(face, side)| side_of[*face as usize] = *side);
        let mut shadows = Vec::new();
        surface.for_each_face_near(&Aabb { min, max }, |face, triangle| {
            if model.is_closed_face(face) {
                shadows.extend(self.shadow(triangle, side_of[face as usize], handedness));
            }
        });
        shadows
    }

    fn shadow(&self, triangle: [DVec3; 3], side: Side, handedness: f64) -> Option<Shadow> {
        let axis = self.axis;
        let flat = triangle.map(|corner| DVec2::new(corner[(axis + 1) % 3], corner[(axis + 2) % 3]));
        let heights = triangle.map(|corner| corner[axis]);
        let [u, v] = [flat[1] - flat[0], flat[2] - flat[0]];
        let twice = u.perp_dot(v);
        if twice == 0.0 {
            return None;
        }
        let [rise_u, rise_v] = [heights[1] - heights[0], heights[2] - heights[0]];
        let slope = DVec2::new(rise_u * v.y - rise_v * u.y, rise_v * u.x - rise_u * v.x) / twice;
        let mut outline = Polygon::default();
        // Counter-clockwise, as polygons are.
        let triangle = if twice > 0.0 { flat } else { [flat[0], flat[2], flat[1]] };
        outline.extend(triangle);
        for (normal, offset) in [
            (DVec2::X, self.max.x),
            (-DVec2::X, -self.min.x),
            (DVec2::Y, self.max.y),
            (-DVec2::Y, -self.min.y),
        ] {
            outline = outline.clipped(|point| normal.dot(point) - offset);
        }
        let corners = outline.corners();
        let min = corners.iter().copied().reduce(DVec2::min)?;
        let max = corners.iter().copied().reduce(DVec2::max)?;
        Some(Shadow {
            side,
            triangle,
            outline,
            min,
            max,
            sign: handedness * twice.signum(),
            origin: flat[0],
            height: heights[0],
            slope: if slope.is_finite() { slope } else { DVec2::ZERO },
            lowest: heights.into_iter().fold(f64::INFINITY, f64::min),
            highest: heights.into_iter().fold(f64::NEG_INFINITY, f64::max),
        })
    }

    /// The sum over all faces, and the faces that are so near others that rounding decides which is above: these have to be counted as faces that meet.
    fn sum(&self, shadows: &[Vec<Shadow>; 2]) -> (Integral, Vec<(usize, usize)>) {
        let mut sum = Integral::default();
        let mut add = |sign: f64, term: Integral| {
            sum.value += sign * term.value;
            sum.error += term.error;
        };
        for shadow in shadows.iter().flatten().filter(|shadow| shadow.side == Side::Inside) {
            add(shadow.sign, self.alone(shadow));
        }
        let mut unclear = Vec::new();
        Grid::new(self, shadows).for_each_pair(shadows, |numbers| {
            let pair = [&shadows[0][numbers[0]], &shadows[1][numbers[1]]];
            match self.term(pair) {
                Some(Ok(term)) => add(pair[0].sign * pair[1].sign, term),
                Some(Err(side)) => unclear.push((side, numbers[side])),
                None => {}
            }
        });
        (sum, unclear)
    }

    /// The integral of a face's height over its shadow.
    fn alone(&self, face: &Shadow) -> Integral {
        let value = self.capped(&face.outline, face);
        Integral { value, error: self.error_over(&face.outline, [face, face]) }
    }

    /// What rounding may do to an integral over the common shadow of two faces.
    fn error_over(&self, common: &Polygon, pair: [&Shadow; 2]) -> f64 {
        let full = self.high - self.low;
        let of_height = (self.rounding * lean(pair)).min(full);
        self.rounding * full * common.perimeter() + of_height * common.area()
    }

    /// The integral over the common shadow of two faces of the height of the lower one, where that is not known to be inside or outside. An error is the one of
    /// the two that is known, where rounding decides whether it is the lower one: the other's height would be counted or not.
    fn term(&self, pair: [&Shadow; 2]) -> Option<Result<Integral, usize>> {
        let [a, b] = pair;
        if a.highest <= self.low || b.highest <= self.low {
            return None;
        }
        // By the triangle's own edges: those that the box has cut may be as short as rounding, and point anywhere.
        let common = a.outline.within(&b.triangle)?;
        let counts = pair.map(|shadow| shadow.side == Side::Meeting);
        // Of faces in one plane rounding alone would tell, at each corner otherwise: they are as high as each other.
        let slack = self.rounding * lean(pair);
        let above = |point: DVec2| {
            let difference = a.height_at(point) - b.height_at(point);
            if difference.abs() <= slack { 0.0 } else { difference }
        };
        let corners = common.corners();
        if counts[0] != counts[1] && corners.iter().any(|&corner| above(corner) == 0.0) {
            return Some(Err(usize::from(counts[0])));
        }
        let value = if corners.iter().all(|&corner| above(corner) <= 0.0) {
            if counts[0] { self.capped(&common, a) } else { 0.0 }
        } else if corners.iter().all(|&corner| above(corner) >= 0.0) {
            if counts[1] { self.capped(&common, b) } else { 0.0 }
        } else {
            let of_a = if counts[0] { self.capped(&common.clipped(above), a) } else { 0.0 };
            let of_b = if counts[1] { self.capped(&common.clipped(|point| -above(point)), b) } else { 0.0 };
            of_a + of_b
        };
        Some(Ok(Integral { value, error: self.error_over(&common, pair) }))
    }

    /// The integral of a face's height above the bottom, at most up to the top.
    fn capped(&self, over: &Polygon, face: &Shadow) -> f64 {
        let (low, high) = (self.low, self.high);
        if face.lowest >= high {
            return over.area() * (high - low);
        }
        let mut sum = 0.0;
        let mut part = *over;
        if face.highest > high {
            let beyond = part.clipped(|point| high - face.height_at(point));
            sum += beyond.area() * (high - low);
            part = part.clipped(|point| face.height_at(point) - high);
        }
        if face.lowest < low {
            part = part.clipped(|point| low - face.height_at(point));
        }
        sum + part.integral(|point| face.height_at(point) - low)
    }
}

/// How much a height may be off where a corner is off sideways, for each of two faces.
fn lean([a, b]: [&Shadow; 2]) -> f64 {
    1.0 + a.slope.abs().element_sum() + b.slope.abs().element_sum()
}

/// Corners that a polygon has room for: a triangle within a rectangle within another such, cut four times.
const MOST_CORNERS: usize = 24;

/// A convex polygon, counter-clockwise.
#[derive(Clone, Copy)]
struct Polygon {
    count: usize,
    list: [DVec2; MOST_CORNERS],
}

impl Default for Polygon {
    fn default() -> Polygon {
        Polygon { count: 0, list: [DVec2::ZERO; MOST_CORNERS] }
    }
}

impl Polygon {
    fn corners(&self) -> &[DVec2] {
        &self.list[..self.count]
    }

    fn extend(&mut self, corners: impl IntoIterator<Item = DVec2>) {
        corners.into_iter().for_each(|corner| self.push(corner));
    }

    fn push(&mut self, corner: DVec2) {
        // A convex polygon of so many corners does not come about; rounding may repeat one.
        if self.count < MOST_CORNERS {
            self.list[self.count] = corner;
            self.count += 1;
        }
    }

    /// The part where a linear function is at most 0.
    fn clipped(&self, height: impl Fn(DVec2) -> f64) -> Polygon {
        let mut part = Polygon::default();
        let corners = self.corners();
        let Some(&last) = corners.last() else { return part };
        let (mut from, mut from_height) = (last, height(last));
        for &to in corners {
            let to_height = height(to);
            if (from_height < 0.0 && to_height > 0.0) || (from_height > 0.0 && to_height < 0.0) {
                part.push(from + (to - from) * (from_height / (from_height - to_height)));
            }
            if to_height <= 0.0 {
                part.push(to);
            }
            (from, from_height) = (to, to_height);
        }
        if part.count < 3 {
            part.count = 0;
        }
        part
    }

    /// The part within a triangle, if there is one.
    fn within(&self, triangle: &[DVec2; 3]) -> Option<Polygon> {
        let mut part = *self;
        let mut from = triangle[2];
        for &to in triangle {
            let along = to - from;
            part = part.clipped(|point| (point - from).perp_dot(along));
            if part.count == 0 {
                return None;
            }
            from = to;
        }
        Some(part)
    }

    fn area(&self) -> f64 {
        self.integral(|_| 1.0)
    }

    fn perimeter(&self) -> f64 {
        let corners = self.corners();
        (0..corners.len()).map(|i| corners[i].distance(corners[(i + 1) % corners.len()])).sum()
    }

    /// The integral of a linear function.
    fn integral(&self, height: impl Fn(DVec2) -> f64) -> f64 {
        let corners = self.corners();
        let Some(&origin) = corners.first() else { return 0.0 };
        let at_origin = height(origin);
        let mut sum = 0.0;
        for pair in corners[1..].windows(2) {
            let twice = (pair[0] - origin).perp_dot(pair[1] - origin);
            sum += twice * (at_origin + height(pair[0]) + height(pair[1]));
        }
        sum / 6.0
    }
}

/// A grid over a view, with the shadows that each of its cells meets.
struct Grid {
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
    fn new(view: &View, shadows: &[Vec<Shadow>; 2]) -> Grid {
        let count = (shadows[0].len() + shadows[1].len()).max(1);
        let size = view.max - view.min;
        // About as many cells as faces, as square as the view allows.
        let share = (size.x / size.y.max(f64::MIN_POSITIVE)).clamp(1e-4, 1e4);
        let columns = ((count as f64 * share).sqrt().ceil() as usize).clamp(1, MOST_CELLS);
        let rows = ((count as f64 / share).sqrt().ceil() as usize).clamp(1, MOST_CELLS);
        let cell = DVec2::new(size.x / columns as f64, size.y / rows as f64);
        let mut grid = Grid { min: view.min, cell, columns, rows, sides: <[Cells; 2]>::default() };
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

    fn cell_at(&self, point: DVec2) -> [usize; 2] {
        let at = (point - self.min) / self.cell;
        [(at.x as usize).min(self.columns - 1), (at.y as usize).min(self.rows - 1)]
    }

    fn cells(&self, min: DVec2, max: DVec2) -> impl Iterator<Item = usize> + use<> {
        let ([x0, y0], [x1, y1], columns) = (self.cell_at(min), self.cell_at(max), self.columns);
        (y0..=y1).flat_map(move |y| (x0..=x1).map(move |x| y * columns + x))
    }

    /// Calls `visit` once with the numbers of two shadows, one of each surface, whose boxes overlap, where one of the two faces meets the other surface.
    fn for_each_pair(&self, shadows: &[Vec<Shadow>; 2], mut visit: impl FnMut([usize; 2])) {
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
                    let (min, max) = (a.min.max(b.min), a.max.min(b.max));
                    let [x, y] = self.cell_at(min);
                    // A pair belongs to the cell where its common box begins.
                    if min.cmple(max).all() && y * self.columns + x == cell {
                        visit([number as usize, partner as usize]);
                    }
                }
            }
        }
    }
}
