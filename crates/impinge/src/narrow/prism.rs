//! The zone over a convex polygon: what a moving point must not enter.
//!
//! Every bound is taken from the polygon's own corners, so the prism holds the polygon however badly its normal and the directions
//! of its sides are rounded: slivers, segments and points included.

use super::expel::ExpelZone;
use crate::math::DVec3;

/// Sines below this make a triangle a sliver: its normal is made perpendicular to the longest edge once more.
const SLIVER: f64 = 1.0 / (1 << 20) as f64;

/// Sines below this make it a segment: its normal is nothing but rounding.
const SEGMENT: f64 = 1.0 / (1_u64 << 44) as f64;

/// A polygon of three or four sides, and the space above and below it.
#[derive(Clone, Copy, Debug)]
pub struct Prism {
    /// Of length 1 up to rounding.
    pub normal: DVec3,
    /// The heights of the polygon's highest and lowest corner along the normal.
    pub top: f64,
    /// See `top`.
    pub bottom: f64,
    /// Whether the normal is the polygon's own; that of a segment is any.
    pub has_sides: bool,
    /// Over the polygon are the points with `side · point >= least` for every side.
    pub sides: [Side; 4],
}

/// A side of the prism.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    /// Inward, of any length.
    pub inward: DVec3,
    /// What the polygon's corners have at least, less room for rounding.
    pub least: f64,
}

impl Prism {
    /// Over a triangle. `against` is a direction from which something comes: slivers look towards it.
    #[inline]
    pub fn over_triangle(corners: &[DVec3; 3], against: DVec3, zone: &ExpelZone) -> Prism {
        let [a, b, c] = *corners;
        let edges = [b - a, c - b, a - c];
        let cross = edges[0].cross(-edges[2]);
        let squares = edges.map(DVec3::length_squared);
        let (longest, square) = longest(edges, squares);
        let area = cross.length_squared();
        let normal = if area > SLIVER * SLIVER * square * square {
            cross / area.sqrt()
        } else if area > SEGMENT * SEGMENT * square * square {
            let straight = cross - longest * (longest.dot(cross) / square);
            straight.normalize()
        } else {
            return Prism::over_segment(corners, longest, against, zone);
        };
        Prism::new(
            corners,
            normal,
            [edges[0], edges[1], edges[2], DVec3::ZERO].map(|e| normal.cross(e)),
            zone,
        )
    }

    /// Over the parallelogram with these corners, in order around it.
    #[inline]
    pub fn over_parallelogram(corners: &[DVec3; 4], against: DVec3, zone: &ExpelZone) -> Prism {
        let [u, v] = [corners[1] - corners[0], corners[3] - corners[0]];
        let cross = u.cross(v);
        let squares = [u.length_squared(), v.length_squared()];
        let (product, area) = (squares[0] * squares[1], cross.length_squared());
        let longest = if squares[0] >= squares[1] { u } else { v };
        let normal = if area > SLIVER * SLIVER * product {
            cross / area.sqrt()
        } else if area > SEGMENT * SEGMENT * product {
            let straight = cross - longest * (longest.dot(cross) / longest.length_squared());
            straight.normalize()
        } else {
            return Prism::over_segment(corners, longest, against, zone);
        };
        let [across_u, across_v] = [normal.cross(u), normal.cross(v)];
        Prism::new(corners, normal, [across_u, -across_u, across_v, -across_v], zone)
    }

    /// Over points that lie about on a line.
    #[cold]
    fn over_segment(corners: &[DVec3], along: DVec3, against: DVec3, zone: &ExpelZone) -> Prism {
        let along = along.try_normalize().or(against.try_normalize()).unwrap_or(DVec3::X);
        let across = against - along * along.dot(against);
        let normal = if across.length_squared() > 1e-20 * against.length_squared() {
            // Once more, for what rounding left.
            let across = across.normalize();
            (across - along * along.dot(across)).normalize()
        } else {
            along.any_orthonormal_vector()
        };
        let aside = normal.cross(along);
        let prism = Prism::new(corners, normal, [along, -along, aside, -aside], zone);
        Prism { has_sides: false, ..prism }
    }

    #[inline(always)]
    fn new(corners: &[DVec3], normal: DVec3, inward: [DVec3; 4], zone: &ExpelZone) -> Prism {
        let (mut top, mut bottom) = (f64::NEG_INFINITY, f64::INFINITY);
        let mut least = [f64::INFINITY; 4];
        for &corner in corners {
            let height = normal.dot(corner);
            top = top.max(height);
            bottom = bottom.min(height);
            for (least, inward) in least.iter_mut().zip(inward) {
                *least = least.min(inward.dot(corner));
            }
        }
        let side = |i: usize| {
            let inward = inward[i];
            Side { inward, least: least[i] - zone.core * inward.abs().element_sum() }
        };
        Prism { normal, top, bottom, has_sides: true, sides: [side(0), side(1), side(2), side(3)] }
    }

    /// On which side of the polygon a point is, 1 or -1, and how high over it; 0 between its corners' heights.
    #[inline(always)]
    pub fn height(&self, point: DVec3) -> (f64, f64) {
        let height = self.normal.dot(point);
        if height < self.bottom { (-1.0, self.bottom - height) } else { (1.0, (height - self.top).max(0.0)) }
    }
}

fn longest(edges: [DVec3; 3], squares: [f64; 3]) -> (DVec3, f64) {
    let mut best = (edges[0], squares[0]);
    for i in 1..3 {
        if squares[i] > best.1 {
            best = (edges[i], squares[i]);
        }
    }
    best
}
