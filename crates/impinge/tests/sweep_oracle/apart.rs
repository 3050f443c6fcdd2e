//! Directions that tell two models apart during a whole arc, in one precision.

use super::arcs::{Arc, Moment, Turning, Wave};
use super::geometry::{Gap, Triangle, for_each_axis, gap, normal};
use super::number::{Number, Twin, V};

/// Where a direction stands still.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Frame {
    World,
    Body,
}

/// A unit direction and where it stands still.
pub type Way<T> = (Frame, V<T>);

/// Both models relative to the center.
pub struct Bodies<T> {
    axis: V<T>,
    /// The moving model's corners in the world, and the stationary one's as seen from the moving model.
    pub corners: [Vec<Turning<T>>; 2],
    drift: Option<Drift<T>>,
    /// Heights along a unit direction are off by less than this.
    pub error: f64,
}

/// What the center does meanwhile: it moves by the fraction times a vector.
struct Drift<T> {
    by: V<T>,
    /// How the stationary model drifts as seen from the moving one.
    seen: Turning<T>,
}

impl<T: Number> Bodies<T> {
    pub fn new(sides: &[Vec<V<Twin>>; 2], axis: V<Twin>, drift: Option<V<Twin>>, size: f64) -> Bodies<T> {
        let axis: V<T> = axis.rounded();
        let corners = [(0, 1.0), (1, -1.0)].map(|(side, sense): (usize, f64)| {
            sides[side].iter().map(|&p| Turning::new(p.rounded(), axis, sense)).collect()
        });
        let drift = drift.map(|by| {
            let by: V<T> = by.rounded();
            Drift { by, seen: Turning::new(-by, axis, -1.0) }
        });
        Bodies { axis, corners, drift, error: 64.0 * T::EPSILON * size }
    }

    /// A direction of the world as seen from the moving model when it has turned.
    fn to_body(&self, n: V<T>, moment: Moment<T>) -> V<T> {
        Turning::new(n, self.axis, -1.0).at(moment)
    }

    /// Two triangles where they are at a moment.
    pub fn triangles(&self, triangles: [[usize; 3]; 2], moment: Moment<T>) -> [Triangle<T>; 2] {
        let shift = self.drift.as_ref().map_or(V::zero(), |drift| drift.by.scaled(moment.fraction));
        [
            triangles[0].map(|v| self.corners[0][v].at(moment) + shift),
            triangles[1].map(|v| self.corners[1][v].rest),
        ]
    }

    /// The least and the greatest height of a corner of a side along a direction.
    pub fn heights(&self, side: usize, corner: usize, (frame, n): Way<T>, arc: &Arc<T>) -> [T; 2] {
        let corner = &self.corners[side][corner];
        if (side == 0) != (frame == Frame::World) {
            return [n.dot(corner.rest); 2];
        }
        let drift = self.drift.as_ref().map(|drift| match frame {
            Frame::World => Wave::constant(n.dot(drift.by)),
            Frame::Body => drift.seen.height(n),
        });
        corner.height(n).range_with(drift, arc)
    }

    /// Whether a unit direction tells the corners apart during the whole arc.
    pub fn is_apart(
        &self,
        way: Way<T>,
        arc: &Arc<T>,
        moving: impl Iterator<Item = usize>,
        stationary: impl Iterator<Item = usize>,
    ) -> bool {
        let none = [T::of(f64::INFINITY), T::of(f64::NEG_INFINITY)];
        let join = |[l, h]: [T; 2], [m, i]: [T; 2]| [l.min(m), h.max(i)];
        let a = moving.map(|v| self.heights(0, v, way, arc)).fold(none, join);
        let b = stationary.map(|v| self.heights(1, v, way, arc)).fold(none, join);
        let room = T::of(self.error);
        a[0] - b[1] > room || b[0] - a[1] > room
    }

    /// Whether the direction square to an edge of each, which turns as the edges do, tells two triangles apart during the
    /// whole arc.
    ///
    /// With R the rotation, e and f unit vectors along the edges, p and r their corners, the direction is n = Re × f.
    /// The height of the turning edge over the other is `n·(Rp - r) = f·R(p × e) - (f × r)·Re`, that of the turning
    /// triangle's third corner over its edge `n·Rd = f·R(d × e)`, and of the other's `n·g = Re·(f × g)`. A drift v of the
    /// center adds the fraction times `n·v = Re·(f × v)` to the first.
    fn edges_keep_apart(&self, triangles: [[usize; 3]; 2], arc: &Arc<T>) -> bool {
        let rest = [0, 1].map(|side| triangles[side].map(|v| self.corners[side][v].rest));
        let zero = T::of(0.0);
        let turning = |v: V<T>| Turning::new(v, self.axis, 1.0);
        let edges = rest.map(|t| [0, 1, 2].map(|i| (t[(i + 1) % 3] - t[i]).unit()));
        let room = T::of(2.0 * self.error);
        for i in 0..3 {
            let Some(e) = edges[0][i] else { continue };
            let (p, d) = (rest[0][i], rest[0][(i + 2) % 3] - rest[0][i]);
            let (moment, edge, third) = (turning(p.cross(e)), turning(e), turning(d.cross(e)));
            for j in 0..3 {
                let Some(f) = edges[1][j] else { continue };
                let (r, g) = (rest[1][j], rest[1][(j + 2) % 3] - rest[1][j]);
                let drift = self.drift.as_ref().map(|drift| edge.height(f.cross(drift.by)));
                let height = moment.height(f).minus(edge.height(f.cross(r)));
                let [low, high] = height.range_with(drift, arc);
                if !(low > room || high < -room) {
                    continue;
                }
                let own = third.height(f).range_with(None, arc);
                let other = edge.height(f.cross(g)).range_with(None, arc);
                let above = low + own[0].min(zero) - other[1].max(zero);
                let below = high + own[1].max(zero) - other[0].min(zero);
                if above > room || below < -room {
                    return true;
                }
            }
        }
        false
    }

    /// Looks for a direction for two triangles, and returns it where it may be of use for others; otherwise the smallest
    /// gap at the given moments, and which.
    pub fn separate(
        &self,
        triangles: [[usize; 3]; 2],
        arc: &Arc<T>,
        moments: &[Moment<T>],
    ) -> Result<Option<Way<T>>, (Gap<T>, usize)> {
        let try_one = |frame: Frame, n: V<T>| {
            let n = n.unit()?;
            let [a, b] = triangles;
            self.is_apart((frame, n), arc, a.into_iter(), b.into_iter()).then_some((frame, n))
        };
        let rest = [0, 1].map(|side| triangles[side].map(|v| self.corners[side][v].rest));
        let quick =
            try_one(Frame::Body, normal(&rest[0])).or_else(|| try_one(Frame::World, normal(&rest[1])));
        if quick.is_some() {
            return Ok(quick);
        }
        if self.edges_keep_apart(triangles, arc) {
            return Ok(None);
        }
        let mut nearest: Option<(Gap<T>, usize)> = None;
        for (k, &moment) in moments.iter().enumerate() {
            let [a, b] = self.triangles(triangles, moment);
            let gap = gap(&a, &b);
            if gap.crossing {
                return Err((gap, k));
            }
            if nearest.is_none_or(|(best, _)| gap.distance < best.distance) {
                nearest = Some((gap, k));
            }
        }
        let (gap, k) = nearest.expect("there is a moment");
        let moment = moments[k];
        let both = |n: V<T>| {
            try_one(Frame::World, n).or_else(|| try_one(Frame::Body, self.to_body(n.unit()?, moment)))
        };
        let found = both(gap.between);
        if found.is_some() {
            return Ok(found);
        }
        let [a, b] = self.triangles(triangles, moment);
        let mut found = None;
        for_each_axis(&a, &b, |n| {
            found = both(n);
            found.is_some()
        });
        if found.is_some() { Ok(found) } else { Err((gap, k)) }
    }
}
