//! Rotations: proofs that two models stay apart while one turns, and perhaps moves along a line at the same time.
//!
//! Time is cut into pieces, and for each piece and each pair of triangles one direction is found that tells the two apart
//! during the whole piece. The direction stands still either in the world or in the turning model. A turning corner's
//! height along it is `k + A·cos θ + B·sin θ`, whose least and greatest values over an arc are known without search, so
//! a slide along a face or an arc that passes a plane at a hair's breadth takes one piece, not thousands. Or the direction
//! is square to an edge of each, and moves with them: heights along it are of the same form. At any moment one of
//! these tells apart what is apart, so pieces only get small where the one takes over from the other; and where the center
//! moves too, since then heights are known up to a square of the piece only. No roots and no distances are trusted: a
//! direction found in any way at all proves what it proves.
//!
//! In `f64` first, with its error; in 100 bits where that is not enough.

use std::cell::OnceCell;

use impinge::math::DVec3;

use super::apart::{Bodies, Frame, Way};
use super::arcs::{Arc, Moment, Turning};
use super::case::Placed;
use super::geometry::passes_through;
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

/// One model that turns past another.
pub struct Turn {
    angle: f64,
    sides: [Vec<V<Twin>>; 2],
    triangles: [Vec<[usize; 3]>; 2],
    axis: V<Twin>,
    drift: Option<V<Twin>>,
    /// The largest distance of any corner from the center.
    size: f64,
    /// No corner moves by more during the whole motion.
    way: f64,
    coarse: Bodies<f64>,
    fine: OnceCell<Bodies<Twin>>,
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
    /// `None` where the axis has no direction: then nothing turns. With a drift, the center moves by it meanwhile.
    pub fn new(
        [moving, stationary]: [&Placed; 2],
        (center, axis, angle): (DVec3, DVec3, f64),
        drift: Option<DVec3>,
    ) -> Option<Turn> {
        let axis = V::<Twin>::of(if angle < 0.0 { -axis } else { axis }).unit()?;
        let center = V::of(center);
        let sides = [moving, stationary]
            .map(|side| -> Vec<V<Twin>> { side.points.iter().map(|&p| p - center).collect() });
        let triangles = [moving, stationary].map(|side| side.triangles.clone());
        let length = drift.map_or(0.0, DVec3::length);
        let size = sides.iter().flatten().map(|p| p.values().length()).fold(0.0, f64::max) + length;
        let drift = drift.map(V::of);
        let coarse: Bodies<f64> = Bodies::new(&sides, axis, drift, size);
        let radius = coarse.corners[0].iter().map(Turning::radius).fold(0.0, f64::max);
        let way = radius * angle.abs() + length;
        let fine = OnceCell::new();
        Some(Turn { angle: angle.abs(), sides, triangles, axis, drift, size, way, coarse, fine })
    }

    fn fine(&self) -> &Bodies<Twin> {
        self.fine.get_or_init(|| Bodies::new(&self.sides, self.axis, self.drift, self.size))
    }

    fn moment<T: Number>(&self, fraction: f64) -> Moment<T> {
        let (sine, cosine) = T::sin_cos(Twin::of(fraction) * Twin::of(self.angle));
        Moment { sine, cosine, fraction: T::of(fraction) }
    }

    fn arc<T: Number>(&self, [first, _, last]: [Moment<T>; 3]) -> Arc<T> {
        Arc { first, last, angle: T::of(self.angle) }
    }

    fn corners(&self, [i, j]: Pair) -> [[usize; 3]; 2] {
        [self.triangles[0][i as usize], self.triangles[1][j as usize]]
    }

    /// Shows that nothing touches in `[from, to]`, or that something does.
    pub fn prove_clear(&self, from: f64, to: f64, mut budget: Budget) -> Proof {
        // Arcs of less than a quarter turn.
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
        let moments = times.map(|t| self.moment::<f64>(t));
        let (coarse, arc) = (&self.coarse, self.arc(moments));
        let everything = |side: usize| 0..coarse.corners[side].len();
        if lately.coarse.iter().any(|&way| coarse.is_apart(way, &arc, everything(0), everything(1))) {
            return Ok(Vec::new());
        }
        let fine_moments = OnceCell::new();
        let fine_moments = || *fine_moments.get_or_init(|| times.map(|t| self.moment::<Twin>(t)));
        if !lately.fine.is_empty() {
            let (fine, arc) = (self.fine(), self.arc(fine_moments()));
            if lately.fine.iter().any(|&way| fine.is_apart(way, &arc, everything(0), everything(1))) {
                return Ok(Vec::new());
            }
        }
        let travel = self.way * (times[2] - times[0]);
        let boxes = self.boxes(&arc);
        let mut failure = None;
        pairs.retain(|&pair| {
            if failure.is_some() || are_apart(&boxes, self.corners(pair), coarse.error) {
                return false;
            }
            let [a, b] = self.corners(pair);
            let known = lately
                .coarse
                .iter()
                .position(|&way| coarse.is_apart(way, &arc, a.into_iter(), b.into_iter()));
            if let Some(k) = known {
                lately.coarse.swap(0, k);
                return false;
            }
            if budget.coarse == 0 {
                failure = Some(Proof::Unknown);
                return false;
            }
            budget.coarse -= 1;
            let (gap, _) = match coarse.separate([a, b], &arc, &moments) {
                Ok(way) => {
                    remember(&mut lately.coarse, way);
                    return false;
                }
                Err(failed) => failed,
            };
            let is_small = travel < gap.distance / 16.0;
            if !gap.crossing && gap.distance > 4.0 * coarse.error && !is_small {
                return true;
            }
            let (fine, fine_arc) = (self.fine(), self.arc(fine_moments()));
            let known = lately
                .fine
                .iter()
                .position(|&way| fine.is_apart(way, &fine_arc, a.into_iter(), b.into_iter()));
            if let Some(k) = known {
                lately.fine.swap(0, k);
                return false;
            }
            if budget.fine == 0 {
                failure = Some(Proof::Unknown);
                return false;
            }
            budget.fine -= 1;
            match fine.separate([a, b], &fine_arc, &fine_moments()) {
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
                    let [first, last] =
                        [fine_arc.first, fine_arc.last].map(|moment| fine.triangles([a, b], moment));
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
    fn boxes(&self, arc: &Arc<f64>) -> [Vec<[[f64; 2]; 3]>; 2] {
        [0, 1].map(|side| {
            let corners = 0..self.coarse.corners[side].len();
            corners
                .map(|v| [0, 1, 2].map(|k| self.coarse.heights(side, v, (Frame::World, V::axis(k)), arc)))
                .collect()
        })
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
