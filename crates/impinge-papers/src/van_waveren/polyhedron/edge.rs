//! Edges: how the polygons along one fold, and how far the expel zone reaches at it (van Waveren 2005, §3.2, §3.5, §4).

use std::f64::consts::{PI, TAU};

use impinge::math::DVec3;

/// How the polygons along an edge fold, for a body that comes from their front.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fold {
    /// The polygons turn away from each other: edges of others can touch this one.
    Convex,
    /// One polygon only: the rim of an open surface.
    Dangling,
    /// The polygons face each other and shield the edge: §4's internal edges.
    Internal,
    /// The polygons continue each other in one plane.
    Flat,
}

impl Fold {
    /// Whether an edge of another body can be the first to touch this one.
    pub fn is_exposed(self) -> bool {
        matches!(self, Fold::Convex | Fold::Dangling)
    }
}

/// The most that the offset line of a sharp edge is pushed out, in thicknesses of the zone: the line where the offset planes meet is
/// 1/sin(θ/2) thicknesses away at an edge of angle θ, without bound.
pub const MITER_LIMIT: f64 = 4.0;

/// A polygon along an edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    /// The normal of the polygon.
    pub(super) normal: DVec3,
    /// Whether the polygon runs along the edge from its first vertex to its second.
    pub(super) forward: bool,
}

/// The fold of an edge of a given direction, and the vector that the offset line is away from the edge for a zone of thickness 1. Angles
/// within `flat_angle` of a half turn are flat, in radians.
///
/// Around the edge, polygons and empty sectors follow each other. An edge of another body fits into an empty sector of more than half a
/// turn only, and there is at most one. The offset line lies on its bisector, where the offset planes of its two polygons meet.
pub(super) fn fold(direction: DVec3, uses: &[Use], flat_angle: f64) -> (Fold, DVec3) {
    let along = direction.normalize_or_zero();
    // Into the polygon, square to the edge. A polygon that runs forward is on the left of the edge, seen from its front.
    let inward = |one: &Use| if one.forward { one.normal.cross(along) } else { along.cross(one.normal) };
    let Some(first) = uses.first() else { return (Fold::Dangling, DVec3::ZERO) };
    let x = inward(first).normalize_or_zero();
    if uses.len() == 1 {
        return (Fold::Dangling, -x);
    }
    let y = along.cross(x);
    let mut around: Vec<(f64, bool)> = uses
        .iter()
        .map(|one| {
            let inward = inward(one);
            let angle = inward.dot(y).atan2(inward.dot(x));
            // One place for what is at the first polygon up to rounding.
            let angle = if angle < -flat_angle { angle + TAU } else { angle.max(0.0) };
            (angle, one.forward)
        })
        .collect();
    // Of two polygons at one place the backward one comes first: between them lies a blade without thickness, not a slit.
    around.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut widest = (f64::NEG_INFINITY, 0.0);
    for k in 0..around.len() {
        let (from, is_open_above) = around[k];
        let (to, is_forward) = around[(k + 1) % around.len()];
        // The front of a polygon that runs forward is on the side of greater angles.
        if is_open_above || !is_forward {
            let width = if k + 1 < around.len() { to - from } else { to + TAU - from };
            if width > widest.0 {
                widest = (width, from);
            }
        }
    }
    let (width, from) = widest;
    if (width - PI).abs() <= flat_angle {
        return (Fold::Flat, first.normal);
    }
    if width < PI {
        return (Fold::Internal, DVec3::ZERO);
    }
    let (sine, cosine) = (from + 0.5 * width).sin_cos();
    let miter = (1.0 / (0.5 * width).sin().max(1.0 / MITER_LIMIT)).min(MITER_LIMIT);
    (Fold::Convex, (x * cosine + y * sine) * miter)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two half planes at an edge along z: the first in the plane y = 0 with its front up, the second turned from it by an angle through
    /// the front.
    fn wedge(degrees: f64) -> (Fold, DVec3) {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        // The second runs backward, so its front is where angles are less: it looks back at the first.
        let second = DVec3::new(sine, -cosine, 0.0);
        fold(
            DVec3::Z,
            &[Use { normal: DVec3::Y, forward: true }, Use { normal: second, forward: false }],
            1e-9,
        )
    }

    #[test]
    fn folds_are_told_by_the_empty_sector() {
        for (degrees, expected) in
            [(30.0, Fold::Internal), (179.0, Fold::Internal), (180.0, Fold::Flat), (181.0, Fold::Convex)]
        {
            assert_eq!(wedge(degrees).0, expected, "{degrees}");
        }
        assert_eq!(wedge(360.0).0, Fold::Convex);
        let one = [Use { normal: DVec3::Y, forward: true }];
        assert_eq!(fold(DVec3::Z, &one, 1e-9), (Fold::Dangling, -DVec3::X));
    }

    #[test]
    fn the_offset_line_lies_in_both_offset_planes_up_to_the_miter_limit() {
        for degrees in [190.0, 225.0, 270.0, 300.0, 330.0, 350.0, 359.0] {
            let (fold, push) = wedge(degrees);
            assert_eq!(fold, Fold::Convex);
            let (sine, cosine) = f64::to_radians(degrees).sin_cos();
            let heights = [push.dot(DVec3::Y), push.dot(DVec3::new(sine, -cosine, 0.0))];
            let miter = 1.0 / f64::to_radians(0.5 * degrees).sin();
            let expected = if miter > MITER_LIMIT { MITER_LIMIT / miter } else { 1.0 };
            for height in heights {
                assert!((height - expected).abs() < 1e-12, "{degrees}: {height} {expected}");
            }
        }
    }

    #[test]
    fn two_solids_that_touch_along_an_edge_shield_it() {
        // Two quarters opposite each other: the empty sectors are quarters, too.
        let quarter = |normal: DVec3, forward| Use { normal, forward };
        let uses = [
            quarter(-DVec3::Y, false),
            quarter(-DVec3::X, true),
            quarter(DVec3::Y, false),
            quarter(DVec3::X, true),
        ];
        assert_eq!(fold(DVec3::Z, &uses, 1e-9).0, Fold::Internal);
    }
}
