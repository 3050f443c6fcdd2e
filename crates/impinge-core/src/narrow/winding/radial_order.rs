//! The pieces into which faces divide an edge, and the pages around each: the same as for a [`Line`](super::Line), but
//! by signs of determinants of the faces' own corners, with no rational point. Quick, and right or silent: whatever `f64`
//! and expansions cannot tell ends in `None`, and the caller asks again with rational points.

use std::cell::Cell;
use std::cmp::Ordering;

use super::direction::Direction;
use super::exact_point::{UNDERFLOW, projection};
use crate::math::DVec3;
use crate::predicates::{Axis, Magnitude, Sign, orient2d, orient2d_magnitude, orient3d, orient3d_magnitude};

/// The feature that cuts an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Obstacle {
    /// A corner on the edge.
    Corner(DVec3),
    /// An edge that crosses it in one plane.
    Edge([DVec3; 2]),
    /// The inside of a triangle that it passes through.
    Inside([DVec3; 3]),
}

/// Where an edge is cut.
#[derive(Clone, Copy, Debug)]
struct Cut {
    obstacle: Obstacle,
    /// How far it is to the start and to the end, in a unit of its own.
    to_start: Magnitude,
    to_end: Magnitude,
    /// The parameter, right to [`PARAMETER_ERROR`].
    t: f64,
}

/// The magnitudes are right to a few units in their last place, and so is the parameter, which adds two of them and divides.
const PARAMETER_ERROR: f64 = 64.0 * f64::EPSILON;

/// A triangle whose plane contains the edge and which may contain some of it.
#[derive(Clone, Debug)]
struct Along<T> {
    tag: T,
    triangle: [DVec3; 3],
    /// The cuts before which, and those after which, it does not contain the edge.
    from: [Option<u32>; 2],
    until: [Option<u32>; 2],
    /// A corner on each side of the edge, and whether turning onward passes it from back to front.
    pages: [Option<(DVec3, Sign)>; 2],
}

/// A page, and in which half turn from the ray it lies.
#[derive(Clone, Copy, Debug)]
struct PlacedPage<T> {
    half: Sign,
    outward: DVec3,
    tag: T,
    passes: i32,
}

/// An edge between `f64` points with the faces around it. Keep it and use it for edge after edge.
#[derive(Clone, Debug)]
pub struct RadialOrder<T> {
    ends: [DVec3; 2],
    /// The coordinate that changes most.
    main: usize,
    cuts: Vec<Cut>,
    along: Vec<Along<T>>,
    /// The cuts in order.
    order: Vec<u32>,
    /// Where each cut stands among the different ones; 0 is the start of the edge.
    rank: Vec<u32>,
    /// The parameters of the different cuts, the edge's ends included.
    stops: Vec<f64>,
    pages: Vec<PlacedPage<T>>,
    turned: Vec<(T, i32)>,
    turn_ends: Vec<usize>,
}

impl<T> Default for RadialOrder<T> {
    fn default() -> RadialOrder<T> {
        RadialOrder {
            ends: [DVec3::ZERO; 2],
            main: 0,
            cuts: Vec::new(),
            along: Vec::new(),
            order: Vec::new(),
            rank: Vec::new(),
            stops: Vec::new(),
            pages: Vec::new(),
            turned: Vec::new(),
            turn_ends: Vec::new(),
        }
    }
}

/// A point strictly inside a piece of an edge: one that lies on the edge, no farther than `error` from `near` along each
/// axis.
#[derive(Clone, Copy, Debug)]
pub struct NearPoint {
    /// The point, rounded to `f64`.
    pub near: DVec3,
    /// The error bound of each coordinate.
    pub error: f64,
}

impl<T: Copy> RadialOrder<T> {
    /// Starts the radial order of another edge.
    pub fn start(&mut self, [p, q]: [DVec3; 2]) {
        let size = (q - p).abs();
        self.ends = [p, q];
        self.main = (1..3).fold(0, |most, i| if size[i] > size[most] { i } else { most });
        self.cuts.clear();
        self.along.clear();
    }

    /// Adds a triangle. `None` where that would take more than `f64` and expansions.
    pub fn add(&mut self, tag: T, triangle: [DVec3; 3]) -> Option<()> {
        let [p, q] = self.ends;
        let [a, b, c] = triangle;
        let k = self.main;
        let (low, high) = (p[k].min(q[k]), p[k].max(q[k]));
        if a[k].max(b[k]).max(c[k]) <= low || a[k].min(b[k]).min(c[k]) >= high {
            // Beyond an end, but perhaps for the end itself.
            return Some(());
        }
        match (orient3d(a, b, c, p), orient3d(a, b, c, q)) {
            (Sign::Zero, Sign::Zero) => self.add_along(tag, triangle),
            (at_p, at_q) if at_p == -at_q => self.add_passage(triangle),
            // On one side, but perhaps for an end.
            _ => Some(()),
        }
    }

    /// A triangle whose plane the edge passes through.
    fn add_passage(&mut self, triangle: [DVec3; 3]) -> Option<()> {
        let [p, q] = self.ends;
        let turns: [Sign; 3] = std::array::from_fn(|i| orient3d(p, q, triangle[i], triangle[(i + 1) % 3]));
        if turns.contains(&Sign::Positive) && turns.contains(&Sign::Negative) {
            return Some(());
        }
        let is_zero = turns.map(Sign::is_zero);
        let obstacle = match (0..3).filter(|&i| is_zero[i]).count() {
            0 => Obstacle::Inside(triangle),
            1 => {
                let i = (0..3).find(|&i| is_zero[i])?;
                Obstacle::Edge([triangle[i], triangle[(i + 1) % 3]])
            }
            // The corner between two edges.
            _ => Obstacle::Corner((0..3).find(|&i| is_zero[i] && is_zero[(i + 2) % 3]).map(|i| triangle[i])?),
        };
        let [a, b, c] = triangle;
        self.add_cut(obstacle, || Some([orient3d_magnitude(a, b, c, p)?, orient3d_magnitude(a, b, c, q)?]))?;
        Some(())
    }

    /// A triangle whose plane contains the edge.
    fn add_along(&mut self, tag: T, triangle: [DVec3; 3]) -> Option<()> {
        // One without area is a matter for rational points.
        let axis = projection(triangle)?;
        let [p, q] = self.ends;
        let turn = |a: DVec3, b: DVec3, c: DVec3| orient2d(axis.drop(a), axis.drop(b), axis.drop(c));
        let corners = triangle.map(|corner| turn(p, q, corner));
        if corners == [Sign::Positive; 3] || corners == [Sign::Negative; 3] {
            return Some(());
        }
        let facing = turn(triangle[0], triangle[1], triangle[2]);
        let inward = |sign: Sign| if facing == Sign::Positive { sign } else { -sign };
        // The part of the edge on the inner side of all three edges of the triangle.
        let (mut from, mut until) = ([None; 2], [None; 2]);
        for i in 0..3 {
            let j = (i + 1) % 3;
            let (x, y) = (triangle[i], triangle[j]);
            let sides = [inward(turn(x, y, p)), inward(turn(x, y, q))];
            let limit = match sides {
                [Sign::Negative, Sign::Positive] => &mut from,
                [Sign::Positive, Sign::Negative] => &mut until,
                [Sign::Zero | Sign::Positive, Sign::Zero | Sign::Positive] => continue,
                // At most an end of the edge lies in the triangle.
                _ => return Some(()),
            };
            let obstacle = match (corners[i], corners[j]) {
                (Sign::Zero, _) => Obstacle::Corner(x),
                (_, Sign::Zero) => Obstacle::Corner(y),
                _ => Obstacle::Edge([x, y]),
            };
            let cut = self.add_cut(obstacle, || edge_magnitudes(axis, [x, y], [p, q]))?;
            // Three edges cannot limit one end: the third would leave nothing.
            *limit.iter_mut().find(|place| place.is_none())? = Some(cut);
        }
        let page = |side: Sign| {
            let corner = (0..3).find(|&i| corners[i] == side)?;
            Some((triangle[corner], inward(side)))
        };
        let pages = [page(Sign::Positive), page(Sign::Negative)];
        self.along.push(Along { tag, triangle, from, until, pages });
        Some(())
    }

    fn add_cut(&mut self, obstacle: Obstacle, measure: impl Fn() -> Option<[Magnitude; 2]>) -> Option<u32> {
        // Neighboring facets share edges and corners.
        if let Some(known) = self.cuts.iter().position(|cut| is_same(&cut.obstacle, &obstacle)) {
            return Some(known as u32);
        }
        let [p, q] = self.ends;
        let [to_start, to_end] = match obstacle {
            Obstacle::Corner(c) => [p, q].map(|end| Magnitude::of_difference(c[self.main], end[self.main])),
            _ => measure()?,
        };
        let t = to_start.near / (to_start.near + to_end.near);
        self.cuts.push(Cut { obstacle, to_start, to_end, t: t.is_finite().then_some(t)? });
        Some(self.cuts.len() as u32 - 1)
    }

    /// Puts the cuts in order, and tells the number of pieces.
    pub fn divide(&mut self) -> Option<usize> {
        let RadialOrder { ends: [p, q], main, cuts, order, rank, stops, .. } = self;
        let forward = p[*main] < q[*main];
        let is_certain = Cell::new(true);
        let compare = |a: u32, b: u32| {
            compare_cuts(&cuts[a as usize], &cuts[b as usize], *main, forward).unwrap_or_else(|| {
                is_certain.set(false);
                Ordering::Equal
            })
        };
        order.clear();
        order.extend(0..cuts.len() as u32);
        order.sort_by(|&a, &b| compare(a, b));
        rank.clear();
        rank.resize(cuts.len(), 0);
        stops.clear();
        stops.push(0.0);
        for (place, &cut) in order.iter().enumerate() {
            if place == 0 || compare(order[place - 1], cut) != Ordering::Equal {
                stops.push(cuts[cut as usize].t);
            }
            rank[cut as usize] = stops.len() as u32 - 1;
        }
        stops.push(1.0);
        is_certain.get().then(|| stops.len() - 1)
    }

    /// A point in the middle of a piece; `None` for a piece that is too short for `f64`.
    pub fn sample(&self, piece: usize) -> Option<NearPoint> {
        let [p, q] = self.ends;
        let (from, until) = (self.stops[piece], self.stops[piece + 1]);
        let near = p + (q - p) * (0.5 * (from + until));
        let error = 8.0 * f64::EPSILON * p.abs().max(q.abs()).max_element() + f64::MIN_POSITIVE;
        (until - from > 4.0 * PARAMETER_ERROR && near.is_finite()).then_some(NearPoint { near, error })
    }

    /// Whether a triangle contains a piece.
    pub fn contains(&self, piece: usize, triangle: &[DVec3; 3]) -> bool {
        self.along.iter().any(|along| along.triangle == *triangle && self.covers(along, piece))
    }

    fn covers(&self, along: &Along<T>, piece: usize) -> bool {
        let rank = |cut: u32| self.rank[cut as usize] as usize;
        along.from.iter().flatten().all(|&cut| rank(cut) <= piece)
            && along.until.iter().flatten().all(|&cut| rank(cut) > piece)
    }

    /// Sorts the faces around a piece, counter-clockwise from the ray's direction; `None` when the ray is too close to
    /// the plane of a page.
    pub fn radial_sort(&mut self, piece: usize, ray: Direction) -> Option<()> {
        let [p, q] = self.ends;
        let from_ray = (q - p).cross(ray.vector());
        let mut pages = std::mem::take(&mut self.pages);
        pages.clear();
        let mut is_certain = true;
        for along in self.along.iter().filter(|along| self.covers(along, piece)) {
            for &(outward, passes) in along.pages.iter().flatten() {
                let half = from_ray.dot(outward - p);
                let (length, width) = ((q - p).abs().max_element(), (outward - p).abs().max_element());
                let bound = 64.0 * f64::EPSILON * length * width + UNDERFLOW * (1.0 + width);
                is_certain &= half.is_finite() && half.abs() > bound;
                let passes = if passes == Sign::Positive { 1 } else { -1 };
                pages.push(PlacedPage { half: Sign::of(half), outward, tag: along.tag, passes });
            }
        }
        if is_certain {
            let order = |a: &PlacedPage<T>, b: &PlacedPage<T>| {
                b.half.cmp(&a.half).then_with(|| match orient3d(p, q, a.outward, b.outward) {
                    Sign::Positive => Ordering::Less,
                    Sign::Zero => Ordering::Equal,
                    Sign::Negative => Ordering::Greater,
                })
            };
            pages.sort_by(order);
            self.turned.clear();
            self.turn_ends.clear();
            for chunk in pages.chunk_by(|a, b| order(a, b) == Ordering::Equal) {
                self.turned.extend(chunk.iter().map(|page| (page.tag, page.passes)));
                self.turn_ends.push(self.turned.len());
            }
        }
        self.pages = pages;
        is_certain.then_some(())
    }

    /// The tags of the faces in radial order, all at one angle together, each with 1 where it is passed from back
    /// to front, else -1.
    pub fn turns(&self) -> impl Iterator<Item = &[(T, i32)]> {
        let mut start = 0;
        self.turn_ends.iter().map(move |&end| &self.turned[std::mem::replace(&mut start, end)..end])
    }
}

/// The distances of two points from a line, seen along an axis.
fn edge_magnitudes(axis: Axis, [x, y]: [DVec3; 2], points: [DVec3; 2]) -> Option<[Magnitude; 2]> {
    let [p, q] = points.map(|point| orient2d_magnitude(axis.drop(x), axis.drop(y), axis.drop(point)));
    Some([p?, q?])
}

fn is_same(a: &Obstacle, b: &Obstacle) -> bool {
    match (a, b) {
        (Obstacle::Edge([p, q]), Obstacle::Edge([r, s])) => [p, q] == [r, s] || [p, q] == [s, r],
        (a, b) => a == b,
    }
}

/// The order of two cuts along the edge, if that is certain. `main` is the coordinate that changes most along the edge, and
/// `forward` tells whether it grows.
fn compare_cuts(a: &Cut, b: &Cut, main: usize, forward: bool) -> Option<Ordering> {
    if (a.t - b.t).abs() > PARAMETER_ERROR {
        return a.t.partial_cmp(&b.t);
    }
    if is_same(&a.obstacle, &b.obstacle) {
        return Some(Ordering::Equal);
    }
    if let (Obstacle::Corner(c), Obstacle::Corner(d)) = (a.obstacle, b.obstacle) {
        let order = c[main].partial_cmp(&d[main])?;
        return Some(if forward { order } else { order.reverse() });
    }
    Magnitude::compare_ratios([a.to_start, a.to_end], [b.to_start, b.to_end])
}
