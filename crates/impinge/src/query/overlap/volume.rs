//! The volume of what two solids share.
//!
//! Along a line, the winding number of a closed surface is the sum of the signs of all faces above. So the integral of the product of two
//! windings over a box is a sum over pairs of faces, of the lesser of two heights over where both are above each other. Each term depends
//! continuously on the corners, so that faces in one plane and shared edges need no care. Of faces that meet nothing it is known whether they are inside: these
//! need no pairs. `docs/math/shared-volume.md` has the derivation.

use std::ops::ControlFlow;

use super::grid::Grid;
use super::patches::{Side, Sides};
use super::shadow::{Outline, Shadow};
use super::surface::Surface;
use crate::query::Patience;
use impinge_core::bounds::Aabb;
use impinge_core::math::{DVec2, DVec3};

/// An integral, and what rounding may do to it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Integral {
    pub(super) value: f64,
    pub(super) error: f64,
}

impl Integral {
    /// The sum of the two, or the difference where the sign is −1.
    fn plus(self, sign: f64, term: Integral) -> Integral {
        Integral { value: self.value + sign * term.value, error: self.error + term.error }
    }

    /// The sum without a term that is in it.
    fn without(self, sign: f64, term: Integral) -> Integral {
        Integral { value: self.value - sign * term.value, error: self.error - term.error }
    }
}

/// The integral of the product of two windings over a box that is not empty. `rounding` is what may happen to a coordinate. `None` where patience
/// is over.
pub(super) fn integrate(
    surfaces: &mut [Surface<'_, '_>; 2],
    sides: &[Sides; 2],
    bounds: &Aabb,
    rounding: f64,
    patience: &Patience<'_>,
) -> Option<Integral> {
    let [first, second] = surfaces;
    let mut seen_along = |axis: usize| {
        let view = View { rounding, ..View::new(axis, bounds) };
        let shadows = [view.shadows(first, &sides[0]), view.shadows(second, &sides[1])];
        let pairs = Grid::new([view.min, view.max], &shadows).pair_count();
        (pairs, view, shadows)
    };
    let (mut least, mut view, mut shadows) = seen_along(0);
    for axis in 1..3 {
        // Looking is cheap beside what few pairs cost.
        if least > FEW_PAIRS && !patience.is_over_now() {
            let other = seen_along(axis);
            if other.0 < least {
                (least, view, shadows) = other;
            }
        }
    }
    if patience.is_over_now() {
        return None;
    }
    let grid = Grid::new([view.min, view.max], &shadows);
    let (mut sum, mut unclear) = view.sum(&shadows, &grid, patience);
    while !unclear.is_empty() && !patience.gave_up() {
        unclear.sort_unstable();
        unclear.dedup();
        for &(side, number) in &unclear {
            shadows[side][number].side = Side::Meeting;
        }
        let (more, next) = view.change(&shadows, &grid, &unclear, patience);
        for &(side, number) in &unclear {
            shadows[side][number].before = Side::Meeting;
        }
        sum = sum.plus(1.0, more);
        unclear = next;
    }
    (!patience.gave_up()).then_some(sum)
}

/// With so few pairs of faces above each other, no other view is looked for.
const FEW_PAIRS: usize = 200;

/// A box, seen along an axis.
struct View {
    axis: usize,
    min: DVec2,
    max: DVec2,
    low: f64,
    high: f64,
    rounding: f64,
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
        // Counter-clockwise, as polygons are.
        let triangle = if twice > 0.0 { flat } else { [flat[0], flat[2], flat[1]] };
        let [min, max] = [DVec2::min, DVec2::max].map(|of| of(of(flat[0], flat[1]), flat[2]));
        if max.cmplt(self.min).any() || min.cmpgt(self.max).any() {
            return None;
        }
        Some(Shadow {
            side,
            before: side,
            triangle,
            is_within: min.cmpge(self.min).all() && max.cmple(self.max).all(),
            min: min.max(self.min),
            max: max.min(self.max),
            sign: handedness * twice.signum(),
            origin: flat[0],
            height: heights[0],
            slope: if slope.is_finite() { slope } else { DVec2::ZERO },
            lowest: heights.into_iter().fold(f64::INFINITY, f64::min),
            highest: heights.into_iter().fold(f64::NEG_INFINITY, f64::max),
        })
    }

    /// What of a triangle is within the box.
    fn outline(&self, face: &Shadow) -> Outline {
        let mut outline = Outline::default();
        outline.extend(face.triangle);
        if face.is_within {
            return outline;
        }
        for (normal, offset) in [
            (DVec2::X, self.max.x),
            (-DVec2::X, -self.min.x),
            (DVec2::Y, self.max.y),
            (-DVec2::Y, -self.min.y),
        ] {
            outline = outline.clipped(|point| normal.dot(point) - offset);
        }
        outline
    }

    /// The sum over all faces, and the faces that are so near others that rounding decides which is above: these have to be counted as faces that meet.
    fn sum(
        &self,
        shadows: &[Vec<Shadow>; 2],
        grid: &Grid,
        patience: &Patience<'_>,
    ) -> (Integral, Vec<(usize, usize)>) {
        let mut sum = Integral::default();
        for shadow in shadows.iter().flatten().filter(|shadow| shadow.side == Side::Inside) {
            sum = sum.plus(shadow.sign, self.alone(shadow));
        }
        let mut unclear = Vec::new();
        grid.for_each_pair(shadows, |numbers| {
            if patience.is_over() {
                return ControlFlow::Break(());
            }
            let pair = [&shadows[0][numbers[0]], &shadows[1][numbers[1]]];
            match self.term(pair, pair.map(Shadow::is_meeting)) {
                Some(Ok(term)) => sum = sum.plus(pair[0].sign * pair[1].sign, term),
                Some(Err(side)) => unclear.push((side, numbers[side])),
                None => {}
            }
            ControlFlow::Continue(())
        });
        (sum, unclear)
    }

    /// What the sum changes by where some faces are counted as faces that meet now, and the faces that have to be counted so next.
    fn change(
        &self,
        shadows: &[Vec<Shadow>; 2],
        grid: &Grid,
        changed: &[(usize, usize)],
        patience: &Patience<'_>,
    ) -> (Integral, Vec<(usize, usize)>) {
        let mut sum = Integral::default();
        let mut unclear = Vec::new();
        for &(side, number) in changed.iter().take_while(|_| !patience.is_over()) {
            let shadow = &shadows[side][number];
            if shadow.before == Side::Inside {
                sum = sum.without(shadow.sign, self.alone(shadow));
            }
            grid.for_each_partner(shadows, side, number, |partner| {
                let other = &shadows[1 - side][partner];
                if side == 1 && other.side != other.before {
                    // It came with the other.
                    return;
                }
                let (pair, numbers) = if side == 0 {
                    ([shadow, other], [number, partner])
                } else {
                    ([other, shadow], [partner, number])
                };
                let sign = pair[0].sign * pair[1].sign;
                let before = pair.map(|shadow| shadow.before == Side::Meeting);
                if before != [false; 2]
                    && let Some(Ok(term)) = self.term(pair, before)
                {
                    sum = sum.without(sign, term);
                }
                match self.term(pair, pair.map(Shadow::is_meeting)) {
                    Some(Ok(term)) => sum = sum.plus(sign, term),
                    Some(Err(side)) => unclear.push((side, numbers[side])),
                    None => {}
                }
            });
        }
        (sum, unclear)
    }

    /// The integral of a face's height over its shadow.
    fn alone(&self, face: &Shadow) -> Integral {
        let outline = self.outline(face);
        Integral { value: self.capped(&outline, face), error: self.error_over(&outline, [face, face]) }
    }

    /// What rounding may do to an integral over the common shadow of two faces.
    fn error_over(&self, common: &Outline, pair: [&Shadow; 2]) -> f64 {
        let full = self.high - self.low;
        let of_height = (self.rounding * lean(pair)).min(full);
        self.rounding * full * common.perimeter() + of_height * common.area()
    }

    /// The integral over the common shadow of two faces of the height of the lower one, where that counts: where it is not known to be inside or outside. An error is
    /// the one of the two that is known, where rounding decides whether it is the lower one: the other's height would be counted or not.
    fn term(&self, pair: [&Shadow; 2], counts: [bool; 2]) -> Option<Result<Integral, usize>> {
        let [a, b] = pair;
        if a.highest <= self.low || b.highest <= self.low {
            return None;
        }
        // Of faces in one plane rounding alone would tell, at each corner otherwise: they are as high as each other.
        let slack = self.rounding * lean(pair);
        // Clearly above the other, a face adds nothing, and neither does the lower one where its side is known.
        if !counts[0] && a.highest + slack < b.lowest || !counts[1] && b.highest + slack < a.lowest {
            return None;
        }
        // By the triangle's own edges: those that the box has cut may be as short as rounding, and point anywhere.
        let common = self.outline(a).within(&b.triangle)?;
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
    fn capped(&self, over: &Outline, face: &Shadow) -> f64 {
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
