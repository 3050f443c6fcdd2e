//! Triangles for polygons that are not planar or not convex. Every decision is exact.
//!
//! A polygon is looked at along the axis in which its normal (Newell's sum) is longest. Seen so:
//! 1. Where the fan from the first corner is a proper triangulation, it is taken: a polygon *is* that fan everywhere
//!    else in the library, so a quad that is bent by one rounding keeps its meaning.
//! 2. Otherwise ears are clipped. A grid finds the corners that may be in an ear's way, and only corners beside a clipped
//!    one are looked at again, so that polygons of many corners take little more than linear time.
//! 3. Where no ear is left the polygon crosses itself, or has no area from there. It becomes the fan from its first
//!    corner all the same, so that no corner is lost, and the reader says so in a note.

use std::collections::VecDeque;

use impinge::math::{DVec2, DVec3};
use impinge_core::predicates::{Axis, Sign, orient2d};

use crate::point_grid::PointGrid;

/// Corners that ear clipping may look at in one file, a few seconds' work. A file with polygons of very many corners in
/// each other's way could otherwise keep a reader busy for hours; what is left then becomes fans.
const MOST_VISITS: u64 = 1 << 28;
/// Looks at all corners that are left, in one polygon, before a flat one is clipped. Only corners beside a clipped one can
/// become ears in a polygon that does not touch itself; where it does, others may.
const MOST_RESCANS: u32 = 64;

/// Splits polygons and keeps its lists between them.
pub(crate) struct Splitter {
    visits_left: u64,
    seen: Vec<DVec2>,
    next: Vec<u32>,
    previous: Vec<u32>,
    grid: PointGrid,
    /// Corners that may be ears, and whether each corner is among them.
    candidates: VecDeque<u32>,
    is_candidate: Vec<bool>,
    /// Corners that were straight on when they were looked at.
    flat: Vec<u32>,
    is_clipped: Vec<bool>,
}

/// What a corner is to ear clipping.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Corner {
    Ear,
    /// Straight on, or at the same point as a neighbor: an ear without area.
    Flat,
    Neither,
}

impl Splitter {
    pub(crate) fn new() -> Splitter {
        Splitter {
            visits_left: MOST_VISITS,
            seen: Vec::new(),
            next: Vec::new(),
            previous: Vec::new(),
            grid: PointGrid::default(),
            candidates: VecDeque::new(),
            is_candidate: Vec::new(),
            flat: Vec::new(),
            is_clipped: Vec::new(),
        }
    }

    /// Fills `pieces` with triangles of the polygon's corners, always two less than there are corners. Returns
    /// whether they are a proper triangulation.
    pub(crate) fn split(&mut self, corners: &[DVec3], pieces: &mut Vec<[u32; 3]>) -> bool {
        pieces.clear();
        self.look_at(corners);
        let proper = self.fan_is_proper() || self.clip_ears(pieces);
        if !proper || pieces.is_empty() {
            pieces.clear();
            pieces.extend((1..corners.len() as u32 - 1).map(|i| [0, i, i + 1]));
        }
        proper
    }

    /// Projects the corners so that the polygon turns counter-clockwise.
    fn look_at(&mut self, corners: &[DVec3]) {
        let normal = newell_normal(corners).to_array();
        let longest = (0..3).fold(0, |best, i| if normal[i].abs() > normal[best].abs() { i } else { best });
        let axis = Axis::ALL[longest];
        self.seen.clear();
        self.seen.extend(corners.iter().map(|&corner| {
            let point = axis.drop(corner);
            // Swapping the coordinates turns the picture over without rounding.
            if normal[longest] < 0.0 { DVec2::new(point.y, point.x) } else { point }
        }));
    }

    /// Whether the fan's triangles all turn counter-clockwise and lie beside each other around the first corner.
    fn fan_is_proper(&self) -> bool {
        let seen = &self.seen;
        let from_first = |i: usize| orient2d(seen[0], seen[1], seen[i]);
        (1..seen.len() - 1).all(|i| {
            // A step from the right of the first edge to its left comes around for the second time.
            let wraps = from_first(i) == Sign::Negative && from_first(i + 1) != Sign::Negative;
            !wraps && orient2d(seen[0], seen[i], seen[i + 1]) == Sign::Positive
        })
    }

    fn clip_ears(&mut self, pieces: &mut Vec<[u32; 3]>) -> bool {
        let count = self.seen.len() as u32;
        self.start(count);
        let (mut at, mut left) = (0, count);
        let (mut rescans, mut clipped_since_rescan) = (0, false);
        let mut has_area = false;
        while left > 3 {
            let clipped = match self.next_ear() {
                Some(ear) => {
                    has_area = true;
                    ear
                }
                None if self.visits_left == 0 => return false,
                None if clipped_since_rescan && (rescans < MOST_RESCANS || self.flat.is_empty()) => {
                    (rescans, clipped_since_rescan) = (rescans + 1, false);
                    self.rescan(at, left);
                    continue;
                }
                // Clipping a flat corner early can leave a spike, so it waits until there is no other ear.
                None => match self.next_flat() {
                    Some(flat) => flat,
                    None => return false,
                },
            };
            pieces.push(clipped);
            at = self.clip(clipped);
            (left, clipped_since_rescan) = (left - 1, true);
        }
        let last = self.around(at);
        pieces.push(last);
        match self.turn(last) {
            Sign::Positive => true,
            Sign::Zero => has_area,
            Sign::Negative => false,
        }
    }

    /// Joins all corners to a ring and takes each for a candidate.
    fn start(&mut self, count: u32) {
        self.next.clear();
        self.next.extend((1..count).chain([0]));
        self.previous.clear();
        self.previous.extend([count - 1].into_iter().chain(0..count - 1));
        self.grid.fill(&self.seen);
        self.candidates.clear();
        self.candidates.extend(0..count);
        self.is_candidate.clear();
        self.is_candidate.resize(count as usize, true);
        self.flat.clear();
        self.is_clipped.clear();
        self.is_clipped.resize(count as usize, false);
    }

    /// Takes all corners that are left for candidates again.
    fn rescan(&mut self, from: u32, left: u32) {
        self.flat.clear();
        let mut corner = from;
        for _ in 0..left {
            self.propose(corner);
            corner = self.next[corner as usize];
        }
    }

    fn propose(&mut self, corner: u32) {
        if !std::mem::replace(&mut self.is_candidate[corner as usize], true) {
            self.candidates.push_back(corner);
        }
    }

    /// The first candidate that is an ear; flat ones on the way are remembered.
    fn next_ear(&mut self) -> Option<[u32; 3]> {
        while let Some(corner) = self.candidates.pop_front() {
            self.is_candidate[corner as usize] = false;
            if self.is_clipped[corner as usize] {
                continue;
            }
            self.visits_left = self.visits_left.saturating_sub(1);
            if self.visits_left == 0 {
                return None;
            }
            let ear = self.around(corner);
            match self.classify(ear) {
                Corner::Ear => return Some(ear),
                Corner::Flat => self.flat.push(corner),
                Corner::Neither => {}
            }
        }
        None
    }

    /// A remembered corner that still is flat.
    fn next_flat(&mut self) -> Option<[u32; 3]> {
        while let Some(corner) = self.flat.pop() {
            let around = self.around(corner);
            if !self.is_clipped[corner as usize] && self.classify(around) == Corner::Flat {
                return Some(around);
            }
        }
        None
    }

    /// Takes the corner in the middle out of the ring and returns the one after it.
    fn clip(&mut self, [before, corner, after]: [u32; 3]) -> u32 {
        self.next[before as usize] = after;
        self.previous[after as usize] = before;
        self.is_clipped[corner as usize] = true;
        self.grid.remove(corner);
        self.propose(after);
        self.propose(before);
        after
    }

    fn around(&self, corner: u32) -> [u32; 3] {
        [self.previous[corner as usize], corner, self.next[corner as usize]]
    }

    /// Whether a corner can be cut off: it turns left, and no other corner lies in the triangle or on its rim.
    /// Corners at the same point as one of the triangle's do not count, so that a hole may be joined to the outline
    /// by a bridge that runs there and back.
    fn classify(&mut self, ear: [u32; 3]) -> Corner {
        let triangle @ [a, b, c] = ear.map(|corner| self.seen[corner as usize]);
        match orient2d(a, b, c) {
            Sign::Negative => return Corner::Neither,
            Sign::Zero => {
                let between = b.cmpge(a.min(c)).all() && b.cmple(a.max(c)).all();
                return if between { Corner::Flat } else { Corner::Neither };
            }
            Sign::Positive => {}
        }
        let (seen, visits_left) = (&self.seen, &mut self.visits_left);
        let blocked = self.grid.any_in(triangle, |other| {
            *visits_left = visits_left.saturating_sub(1);
            let point = seen[other as usize];
            let inside = |from, to| orient2d(from, to, point) != Sign::Negative;
            !triangle.contains(&point) && inside(a, b) && inside(b, c) && inside(c, a)
        });
        if blocked { Corner::Neither } else { Corner::Ear }
    }

    fn turn(&self, corners: [u32; 3]) -> Sign {
        let [a, b, c] = corners.map(|corner| self.seen[corner as usize]);
        orient2d(a, b, c)
    }
}

/// Twice the polygon's area vector, rounded and up to a positive factor: good enough to choose from where to look.
fn newell_normal(corners: &[DVec3]) -> DVec3 {
    // Coordinates near the ends of the range of `f64` would overflow or vanish in the products.
    let size = corners
        .iter()
        .map(|&corner| (corner * 0.5 - corners[0] * 0.5).abs().max_element())
        .fold(0.0, f64::max);
    if size == 0.0 {
        return DVec3::ZERO;
    }
    let local = |i: usize| (corners[i % corners.len()] * 0.5 - corners[0] * 0.5) / size;
    (0..corners.len()).map(|i| local(i).cross(local(i + 1))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(corners: &[[f64; 3]]) -> (bool, Vec<[u32; 3]>) {
        let corners: Vec<DVec3> = corners.iter().copied().map(DVec3::from_array).collect();
        let mut pieces = Vec::new();
        let proper = Splitter::new().split(&corners, &mut pieces);
        assert_eq!(pieces.len() + 2, corners.len());
        (proper, pieces)
    }

    #[test]
    fn a_bent_quad_keeps_its_fan() {
        let bent = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.5], [0.0, 1.0, 0.0]];
        assert_eq!(split(&bent), (true, vec![[0, 1, 2], [0, 2, 3]]));
    }

    #[test]
    fn a_dart_is_cut_through_its_reflex_corner() {
        let dart = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 4.0, 0.0]];
        assert_eq!(split(&dart).1, [[0, 1, 2], [0, 2, 3]]);
        // The same corners, starting one later: the fan would leave the polygon.
        let turned = [dart[1], dart[2], dart[3], dart[0]];
        let (proper, pieces) = split(&turned);
        assert!(proper);
        assert!(pieces.iter().all(|piece| piece.contains(&1) && piece.contains(&3)), "{pieces:?}");
    }

    #[test]
    fn pieces_of_an_l_turn_the_same_way_from_both_sides_and_at_any_size() {
        let outline = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
        for size in [1.0, 1e300, 1e-300] {
            for first in 0..6 {
                for reverse in [false, true] {
                    let mut corners: Vec<DVec2> =
                        (0..6).map(|i| DVec2::from_array(outline[(i + first) % 6]) * size).collect();
                    if reverse {
                        corners.reverse();
                    }
                    let spatial: Vec<[f64; 3]> = corners.iter().map(|p| [p.y, 3.0, p.x]).collect();
                    let (proper, pieces) = split(&spatial);
                    assert!(proper);
                    let expected = if reverse { Sign::Negative } else { Sign::Positive };
                    for [a, b, c] in pieces.iter().map(|piece| piece.map(|i| corners[i as usize])) {
                        assert_eq!(orient2d(a, b, c), expected);
                    }
                }
            }
        }
    }

    #[test]
    fn a_hole_on_a_bridge_stays_a_hole() {
        let outline = [
            [0.0, 0.0],
            [4.0, 0.0],
            [4.0, 4.0],
            [0.0, 4.0],
            [0.0, 0.0],
            [1.0, 1.0],
            [1.0, 3.0],
            [3.0, 3.0],
            [3.0, 1.0],
            [1.0, 1.0],
        ];
        let corners: Vec<[f64; 3]> = outline.iter().map(|p| [p[0], p[1], 7.0]).collect();
        let (proper, pieces) = split(&corners);
        assert!(proper);
        let area: f64 = pieces
            .iter()
            .map(|piece| piece.map(|i| DVec2::from_array(outline[i as usize])))
            .map(|[a, b, c]| (b - a).perp_dot(c - a) / 2.0)
            .sum();
        assert_eq!(area, 12.0);
    }

    #[test]
    fn random_simple_polygons_are_covered_exactly() {
        let mut state = 1_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for _ in 0..500 {
            // Whole numbers, so that areas are exact; in order around the origin, so that the outline is simple.
            let mut outline: Vec<DVec2> =
                [[9.0, 0.0], [0.0, 9.0], [-9.0, 0.0], [0.0, -9.0]].map(DVec2::from_array).into();
            for _ in 0..random(20) {
                outline.push(DVec2::new(random(41) as f64 - 20.0, random(41) as f64 - 20.0));
            }
            outline.retain(|point| *point != DVec2::ZERO);
            outline.sort_by(|a, b| a.to_angle().total_cmp(&b.to_angle()));
            outline.dedup_by(|a, b| a.perp_dot(*b) == 0.0 && a.dot(*b) > 0.0);
            let first = random(outline.len() as u64) as usize;
            outline.rotate_left(first);
            let corners: Vec<[f64; 3]> = outline.iter().map(|p| [p.x, p.y, p.x * 0.3]).collect();
            let (proper, pieces) = split(&corners);
            assert!(proper, "{outline:?}");
            let doubled = |a: DVec2, b: DVec2, c: DVec2| (b - a).perp_dot(c - a);
            let areas = pieces
                .iter()
                .map(|piece| piece.map(|i| outline[i as usize]))
                .map(|[a, b, c]| doubled(a, b, c));
            let whole: f64 =
                (0..outline.len()).map(|i| outline[i].perp_dot(outline[(i + 1) % outline.len()])).sum();
            // The pieces add up to the outline and none is turned over, so they cover it once and nothing else.
            assert!(areas.clone().all(|area| area >= 0.0));
            assert_eq!(areas.sum::<f64>(), whole);
        }
    }

    #[test]
    fn what_crosses_itself_becomes_the_fan() {
        let bow = [[0.0, 0.0, 0.0], [2.0, 2.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]];
        assert_eq!(split(&bow), (false, vec![[0, 1, 2], [0, 2, 3]]));
        let along_a_line = [[0.0, 0.0, 0.0], [2.0, 2.0, 2.0], [1.0, 1.0, 1.0], [3.0, 3.0, 3.0]];
        assert_eq!(split(&along_a_line), (false, vec![[0, 1, 2], [0, 2, 3]]));
        let twice_around: Vec<[f64; 3]> = (0..10)
            .map(|i| f64::from(i) * std::f64::consts::TAU / 5.0 + f64::from(i / 5) * 0.3)
            .map(|angle| [angle.cos(), angle.sin(), 0.0])
            .collect();
        assert!(!split(&twice_around).0);
    }

    /// Outlines of many corners that are split in far less than quadratic time, exactly.
    #[test]
    fn polygons_of_many_corners_are_split_quickly() {
        let count = if cfg!(debug_assertions) { 20_000 } else { 200_000 };
        let turn = |i: usize| i as f64 / count as f64 * std::f64::consts::TAU;
        let wave = |i: usize| if i.is_multiple_of(2) { 1e6 } else { 0.9e6 };
        let gear = (0..count).map(|i| (turn(i).cos() * wave(i), turn(i).sin() * wave(i)));
        let dented = (0..count).map(|i| {
            let radius = if i == count / 3 { 0.5e6 } else { 1e6 };
            (turn(i).cos() * radius, turn(i).sin() * radius)
        });
        let spiral = (0..count).map(|i| {
            let (inner, step) = if i < count / 2 { (0.0, i) } else { (0.4, count - 1 - i) };
            let angle = step as f64 / (count / 2) as f64 * 40.0;
            let radius = 1e4 * (1.0 + angle / std::f64::consts::TAU + inner);
            (angle.cos() * radius, angle.sin() * radius)
        });
        let comb = (0..count).map(|i| match i {
            i if i + 1 == count => (count as f64, -1e6),
            i if i + 2 == count => (0.0, -1e6),
            i => ((count - i) as f64, if i.is_multiple_of(2) { 0.0 } else { 1e6 }),
        });
        // Its sides are straight, with all corners but four on them.
        let quarter = (count / 4) as f64;
        let slab = (0..count).map(|i| {
            let along = (i % (count / 4)) as f64;
            [(along, 0.0), (quarter, along), (quarter - along, quarter), (0.0, quarter - along)]
                [4 * i / count]
        });
        let outlines: [(&str, Vec<(f64, f64)>); 5] = [
            ("gear", gear.collect()),
            ("dented", dented.collect()),
            ("spiral", spiral.collect()),
            ("comb", comb.collect()),
            ("slab", slab.collect()),
        ];
        for (name, outline) in outlines {
            // Whole numbers, so that areas are exact.
            let outline: Vec<DVec2> = outline.iter().map(|(x, y)| DVec2::new(x.round(), y.round())).collect();
            let corners: Vec<[f64; 3]> = outline.iter().map(|p| [p.x, p.y, 0.0]).collect();
            let start = std::time::Instant::now();
            let (proper, pieces) = split(&corners);
            let took = start.elapsed();
            assert!(proper, "{name}");
            let doubled: Vec<i128> = pieces
                .iter()
                .map(|piece| piece.map(|i| outline[i as usize]))
                .map(|[a, b, c]| (b - a).perp_dot(c - a) as i128)
                .collect();
            let count = outline.len();
            let whole: i128 = (0..count).map(|i| outline[i].perp_dot(outline[(i + 1) % count]) as i128).sum();
            assert!(doubled.iter().all(|area| *area * whole >= 0), "{name}");
            assert_eq!(doubled.iter().sum::<i128>(), whole, "{name}");
            // The quadratic search took longer for each but the spiral, and for ten times as many corners minutes.
            assert!(took.as_secs_f64() < 5.0, "{name}: {took:?}");
        }
    }

    #[test]
    fn a_polygon_of_very_many_corners_does_not_keep_the_reader_busy() {
        // A comb whose teeth all lie in each other's way.
        let comb: Vec<[f64; 3]> = (0..40_000)
            .map(|i| (f64::from(i), f64::from(i % 2) * 1e6))
            .map(|(x, y)| [x, y + x * x, 0.0])
            .collect();
        let start = std::time::Instant::now();
        split(&comb);
        assert!(start.elapsed().as_secs() < 20);
    }
}
