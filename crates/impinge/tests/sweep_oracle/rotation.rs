//! Rotations: proofs that two models stay apart while one turns.
//!
//! Time is cut into pieces, and for each piece and each pair of triangles one direction is found that tells the two apart
//! during the whole piece. The direction stands still either in the world or in the turning model. A turning corner's
//! height along it is `k + A·cos θ + B·sin θ`, whose least and greatest values over an arc are known without search, so
//! a slide along a face or an arc that passes a plane at a hair's breadth takes one piece, not thousands. Or the direction
//! is square to an edge of each, and moves with them: heights along it are of the same form. At any moment one of
//! these tells apart what is apart, so pieces only get small where the one takes over from the other. No roots and no
//! distances are trusted: a direction found in any way at all proves what it proves.
//!
//! In `f64` first, with its error; in 100 bits where that is not enough.

use std::cell::OnceCell;

use impinge::math::DVec3;

use super::case::Placed;
use super::geometry::{Gap, Triangle, for_each_axis, gap, normal, passes_through};
use super::number::{Number, Twin, V};

/// What is known about a stretch of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Proof {
    /// Nothing touches.
    Clear,
    /// The models cross at this fraction, or are nearer than any gap that is not 0 in earnest.
    Touch { at: f64 },
    /// The models touch at the very end of the stretch and not before.
    TouchAtEnd,
    /// Neither could be shown with the given amount of work.
    Unknown,
}

/// A gap that is less than this share of the path's size counts as a touch: 100 bits cannot tell it from 0.
const NO_GAP: f64 = 1e-25;

/// `k + a·cos θ + b·sin θ`.
#[derive(Clone, Copy)]
struct Wave<T> {
    k: T,
    a: T,
    b: T,
}

impl<T: Number> Wave<T> {
    /// The least and the greatest value on an arc of less than half a turn, given sine and cosine of its ends.
    fn range(self, ends: &[(T, T); 2]) -> [T; 2] {
        let Wave { k, a, b } = self;
        let [(value, slope), (last, last_slope)] =
            ends.map(|(sine, cosine)| (k + a * cosine + b * sine, b * cosine - a * sine));
        let zero = T::of(0.0);
        let (mut low, mut high) = (value.min(last), value.max(last));
        if slope < zero && last_slope > zero {
            low = low.min(k - (a * a + b * b).sqrt());
        }
        if slope > zero && last_slope < zero {
            high = high.max(k + (a * a + b * b).sqrt());
        }
        [low, high]
    }

    fn minus(self, other: Wave<T>) -> Wave<T> {
        Wave { k: self.k - other.k, a: self.a - other.a, b: self.b - other.b }
    }
}

/// A corner, or any vector, on its circle: `along + cos θ · cosine + sin θ · sine`.
#[derive(Clone, Copy)]
struct Turning<T> {
    rest: V<T>,
    along: V<T>,
    cosine: V<T>,
    sine: V<T>,
}

impl<T: Number> Turning<T> {
    /// The circle of `rest`, relative to the centre, about a unit axis; `sense` is -1 for turning backwards.
    fn new(rest: V<T>, axis: V<T>, sense: f64) -> Turning<T> {
        let along = axis.scaled(axis.dot(rest));
        let cosine = rest - along;
        Turning { rest, along, cosine, sine: axis.cross(rest).scaled(T::of(sense)) }
    }

    fn at(&self, (sine, cosine): (T, T)) -> V<T> {
        self.along + self.cosine.scaled(cosine) + self.sine.scaled(sine)
    }

    /// The height along `n`.
    fn height(&self, n: V<T>) -> Wave<T> {
        Wave { k: n.dot(self.along), a: n.dot(self.cosine), b: n.dot(self.sine) }
    }

    fn heights(&self, n: V<T>, ends: &[(T, T); 2]) -> [T; 2] {
        self.height(n).range(ends)
    }
}

/// Where a direction stands still.
#[derive(Clone, Copy, PartialEq)]
enum Frame {
    World,
    Body,
}

/// A unit direction and where it stands still.
type Way<T> = (Frame, V<T>);

/// Both models relative to the centre, in one precision.
struct Scene<T> {
    axis: V<T>,
    /// The moving model's corners in the world, and the stationary one's as seen from the moving model.
    corners: [Vec<Turning<T>>; 2],
    /// Heights along a unit direction are off by less than this.
    error: f64,
}

impl<T: Number> Scene<T> {
    fn new(sides: &[Vec<V<Twin>>; 2], axis: V<Twin>, size: f64) -> Scene<T> {
        let axis: V<T> = axis.rounded();
        let corners = [(0, 1.0), (1, -1.0)].map(|(side, sense): (usize, f64)| {
            sides[side].iter().map(|&p| Turning::new(p.rounded(), axis, sense)).collect()
        });
        Scene { axis, corners, error: 64.0 * T::EPSILON * size }
    }

    /// A direction of the world as seen from the moving model when it has turned.
    fn to_body(&self, n: V<T>, (sine, cosine): (T, T)) -> V<T> {
        Turning::new(n, self.axis, -1.0).at((sine, cosine))
    }

    fn triangles(&self, triangles: [[usize; 3]; 2], at: (T, T)) -> [Triangle<T>; 2] {
        [triangles[0].map(|v| self.corners[0][v].at(at)), triangles[1].map(|v| self.corners[1][v].rest)]
    }

    /// Whether a unit direction tells the corners apart during the whole arc.
    fn is_apart(
        &self,
        (frame, n): Way<T>,
        ends: &[(T, T); 2],
        moving: impl Iterator<Item = usize>,
        stationary: impl Iterator<Item = usize>,
    ) -> bool {
        let none = [T::of(f64::INFINITY), T::of(f64::NEG_INFINITY)];
        let join = |[l, h]: [T; 2], [m, i]: [T; 2]| [l.min(m), h.max(i)];
        let still = |corner: &Turning<T>| [n.dot(corner.rest); 2];
        let [a, b] = match frame {
            Frame::World => [
                moving.map(|v| self.corners[0][v].heights(n, ends)).fold(none, join),
                stationary.map(|v| still(&self.corners[1][v])).fold(none, join),
            ],
            Frame::Body => [
                moving.map(|v| still(&self.corners[0][v])).fold(none, join),
                stationary.map(|v| self.corners[1][v].heights(n, ends)).fold(none, join),
            ],
        };
        let room = T::of(self.error);
        a[0] - b[1] > room || b[0] - a[1] > room
    }

    /// Whether the direction square to an edge of each, which turns as the edges do, tells two triangles apart during the
    /// whole arc.
    ///
    /// With R the rotation, e and f unit vectors along the edges, p and r their corners, the direction is n = Re × f.
    /// The height of the turning edge over the other is `n·(Rp - r) = f·R(p × e) - (f × r)·Re`, that of the turning
    /// triangle's third corner over its edge `n·Rd = f·R(d × e)`, and of the other's `n·g = Re·(f × g)`.
    fn edges_keep_apart(&self, triangles: [[usize; 3]; 2], ends: &[(T, T); 2]) -> bool {
        let rest = [0, 1].map(|side| triangles[side].map(|v| self.corners[side][v].rest));
        let zero = T::of(0.0);
        let turning = |v: V<T>| Turning::new(v, self.axis, 1.0);
        let edges = rest.map(|t| [0, 1, 2].map(|i| (t[(i + 1) % 3] - t[i]).unit()));
        for i in 0..3 {
            let Some(e) = edges[0][i] else { continue };
            let (p, d) = (rest[0][i], rest[0][(i + 2) % 3] - rest[0][i]);
            let (moment, edge, third) = (turning(p.cross(e)), turning(e), turning(d.cross(e)));
            for j in 0..3 {
                let Some(f) = edges[1][j] else { continue };
                let (r, g) = (rest[1][j], rest[1][(j + 2) % 3] - rest[1][j]);
                let [low, high] = moment.height(f).minus(edge.height(f.cross(r))).range(ends);
                let room = T::of(2.0 * self.error);
                if !(low > room || high < -room) {
                    continue;
                }
                let (own, other) = (third.heights(f, ends), edge.heights(f.cross(g), ends));
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
    fn separate(
        &self,
        triangles: [[usize; 3]; 2],
        ends: &[(T, T); 2],
        moments: &[(T, T)],
    ) -> Result<Option<Way<T>>, (Gap<T>, usize)> {
        let try_one = |frame: Frame, n: V<T>| {
            let n = n.unit()?;
            let [a, b] = triangles;
            self.is_apart((frame, n), ends, a.into_iter(), b.into_iter()).then_some((frame, n))
        };
        let rest = [0, 1].map(|side| triangles[side].map(|v| self.corners[side][v].rest));
        let quick =
            try_one(Frame::Body, normal(&rest[0])).or_else(|| try_one(Frame::World, normal(&rest[1])));
        if quick.is_some() {
            return Ok(quick);
        }
        if self.edges_keep_apart(triangles, ends) {
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

/// One model that turns past another.
pub struct Turn {
    angle: f64,
    sides: [Vec<V<Twin>>; 2],
    triangles: [Vec<[usize; 3]>; 2],
    axis: V<Twin>,
    /// The largest distance of any corner from the centre, and of the moving ones from the axis.
    size: f64,
    radius: f64,
    coarse: Scene<f64>,
    fine: OnceCell<Scene<Twin>>,
}

type Pair = [u32; 2];

/// Directions that were of use lately.
struct Lately {
    coarse: Vec<Way<f64>>,
    fine: Vec<Way<Twin>>,
}

fn remember<T>(list: &mut Vec<T>, way: Option<T>) {
    if let Some(way) = way {
        list.insert(0, way);
        list.truncate(6);
    }
}

/// How much may be tried before the answer is "unknown".
#[derive(Clone, Copy)]
pub struct Budget {
    pub coarse: u32,
    pub fine: u32,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { coarse: 60_000, fine: 2_000 }
    }
}

impl Turn {
    /// `None` where the axis has no direction: then nothing moves.
    pub fn new(moving: &Placed, stationary: &Placed, centre: DVec3, axis: DVec3, angle: f64) -> Option<Turn> {
        let axis = V::<Twin>::of(if angle < 0.0 { -axis } else { axis }).unit()?;
        let centre = V::of(centre);
        let sides = [moving, stationary]
            .map(|side| -> Vec<V<Twin>> { side.points.iter().map(|&p| p - centre).collect() });
        let triangles = [moving, stationary].map(|side| side.triangles.clone());
        let size = sides.iter().flatten().map(|p| p.values().length()).fold(0.0, f64::max);
        let coarse = Scene::new(&sides, axis, size);
        let radius = coarse.corners[0].iter().map(|c| c.sine.length()).fold(0.0, f64::max);
        let fine = OnceCell::new();
        Some(Turn { angle: angle.abs(), sides, triangles, axis, size, radius, coarse, fine })
    }

    fn fine(&self) -> &Scene<Twin> {
        self.fine.get_or_init(|| Scene::new(&self.sides, self.axis, self.size))
    }

    fn turned<T: Number>(&self, fraction: f64) -> (T, T) {
        T::sin_cos(Twin::of(fraction) * Twin::of(self.angle))
    }

    fn corners(&self, [i, j]: Pair) -> [[usize; 3]; 2] {
        [self.triangles[0][i as usize], self.triangles[1][j as usize]]
    }

    /// Shows that nothing touches in `[from, to]`, or that something does.
    pub fn prove_clear(&self, from: f64, to: f64, mut budget: Budget) -> Proof {
        // Arcs of less than a quarter turn: see `Turning::heights`.
        let pieces = (self.angle * (to - from) / 1.5).ceil().max(1.0);
        let all: Vec<Pair> = (0..self.triangles[0].len() as u32)
            .flat_map(|i| (0..self.triangles[1].len() as u32).map(move |j| [i, j]))
            .collect();
        let at = |k: f64| if k >= pieces { to } else { from + (to - from) * (k / pieces) };
        let mut todo: Vec<(f64, f64, Vec<Pair>)> =
            (0..pieces as usize).rev().map(|k| (at(k as f64), at(k as f64 + 1.0), all.clone())).collect();
        let mut lately =
            Lately { coarse: (0..3).map(|k| (Frame::World, V::axis(k))).collect(), fine: Vec::new() };
        while let Some((first, last, pairs)) = todo.pop() {
            let middle = first + (last - first) * 0.5;
            let left = match self.prove_piece([first, middle, last], pairs, to, &mut lately, &mut budget) {
                Ok(left) => left,
                Err(proof) => return proof,
            };
            if left.is_empty() {
                continue;
            }
            if middle <= first || middle >= last {
                return Proof::Unknown;
            }
            todo.push((middle, last, left.clone()));
            todo.push((first, middle, left));
        }
        Proof::Clear
    }

    /// The pairs that are left to be shown apart in smaller pieces.
    fn prove_piece(
        &self,
        times: [f64; 3],
        mut pairs: Vec<Pair>,
        to: f64,
        lately: &mut Lately,
        budget: &mut Budget,
    ) -> Result<Vec<Pair>, Proof> {
        let moments = times.map(|t| self.turned::<f64>(t));
        let ends = [moments[0], moments[2]];
        let scene = &self.coarse;
        let everything = |side: usize| 0..scene.corners[side].len();
        if lately.coarse.iter().any(|&way| scene.is_apart(way, &ends, everything(0), everything(1))) {
            return Ok(Vec::new());
        }
        let fine_moments = OnceCell::new();
        let fine_moments = || *fine_moments.get_or_init(|| times.map(|t| self.turned::<Twin>(t)));
        let fine_ends = || [fine_moments()[0], fine_moments()[2]];
        if !lately.fine.is_empty() {
            let ends = fine_ends();
            let fine = self.fine();
            if lately.fine.iter().any(|&way| fine.is_apart(way, &ends, everything(0), everything(1))) {
                return Ok(Vec::new());
            }
        }
        let travel = self.radius * self.angle * (times[2] - times[0]);
        let boxes = self.boxes(&ends);
        let mut failure = None;
        pairs.retain(|&pair| {
            if failure.is_some() || are_apart(&boxes, self.corners(pair), scene.error) {
                return false;
            }
            let [a, b] = self.corners(pair);
            let known = lately
                .coarse
                .iter()
                .position(|&way| scene.is_apart(way, &ends, a.into_iter(), b.into_iter()));
            if let Some(k) = known {
                lately.coarse.swap(0, k);
                return false;
            }
            if budget.coarse == 0 {
                failure = Some(Proof::Unknown);
                return false;
            }
            budget.coarse -= 1;
            let (gap, _) = match scene.separate([a, b], &ends, &moments) {
                Ok(way) => {
                    remember(&mut lately.coarse, way);
                    return false;
                }
                Err(failed) => failed,
            };
            let is_small = travel < gap.distance / 16.0;
            if !gap.crossing && gap.distance > 4.0 * scene.error && !is_small {
                return true;
            }
            let (fine, fine_ends) = (self.fine(), fine_ends());
            let known = lately
                .fine
                .iter()
                .position(|&way| fine.is_apart(way, &fine_ends, a.into_iter(), b.into_iter()));
            if let Some(k) = known {
                lately.fine.swap(0, k);
                return false;
            }
            if budget.fine == 0 {
                failure = Some(Proof::Unknown);
                return false;
            }
            budget.fine -= 1;
            match fine.separate([a, b], &fine_ends, &fine_moments()) {
                Ok(way) => {
                    remember(&mut lately.fine, way);
                    false
                }
                Err((gap, k)) if gap.crossing || gap.distance.value() < NO_GAP * self.size => {
                    // The moment that an exact sweep would name as well; what lies before is in other pieces.
                    let is_end = !gap.crossing && times[k] == to;
                    failure = Some(if is_end { Proof::Unknown } else { Proof::Touch { at: times[k] } });
                    false
                }
                Err(_) if travel < 1e-9 * self.size => {
                    let [first, last] = fine_ends.map(|moment| fine.triangles([a, b], moment));
                    if passes_through(&first, &last, travel) {
                        failure = Some(Proof::Touch { at: times[2] });
                    }
                    failure.is_none()
                }
                Err(_) => true,
            }
        });
        failure.map_or(Ok(pairs), Err)
    }

    /// Boxes around what each corner sweeps.
    fn boxes(&self, ends: &[(f64, f64); 2]) -> [Vec<[[f64; 2]; 3]>; 2] {
        let axes: [V<f64>; 3] = [0, 1, 2].map(V::axis);
        let [moving, stationary] = &self.coarse.corners;
        [
            moving.iter().map(|c| axes.map(|n| c.heights(n, ends))).collect(),
            stationary.iter().map(|c| axes.map(|n| [n.dot(c.rest); 2])).collect(),
        ]
    }

    /// The distance of the two models at a fraction, and whether they cross, in 100 bits.
    pub fn gap_at(&self, fraction: f64) -> (f64, bool) {
        let scene = self.fine();
        let moment = self.turned::<Twin>(fraction);
        let mut least = (f64::INFINITY, false);
        for a in &self.triangles[0] {
            for b in &self.triangles[1] {
                let [a, b] = scene.triangles([*a, *b], moment);
                let gap = gap(&a, &b);
                least = (least.0.min(gap.distance.value()), least.1 || gap.crossing);
            }
        }
        least
    }
}

fn are_apart(boxes: &[Vec<[[f64; 2]; 3]>; 2], corners: [[usize; 3]; 2], room: f64) -> bool {
    (0..3).any(|k| {
        let range = |side: usize| {
            let [a, b, c] = corners[side].map(|v| boxes[side][v][k]);
            [a[0].min(b[0]).min(c[0]), a[1].max(b[1]).max(c[1])]
        };
        let (a, b) = (range(0), range(1));
        a[0] - b[1] > room || b[0] - a[1] > room
    })
}
