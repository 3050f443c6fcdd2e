//! Clash searches in tiles, for scenes whose meshes do not fit one machine.
//!
//! A [`Plan`] needs boxes and placements only: it tells which pairs of parts have to be tested, and cuts them into [tiles](Tile) of about the same
//! work. [`check_tile`] tests the pairs of a tile, given the models of its parts; it depends on nothing else, so tiles may be tested anywhere, in any order, and more
//! than once. [`Plan::merge`] puts the answers together. [`detect_with`](super::detect_with) takes the same three steps with one tile: the result has the same
//! bits, whatever the number of tiles.
//!
//! ```
//! use impinge::clash::tiles::{Outline, Plan, check_tile};
//! use impinge::clash::{ClashOptions, detect};
//! use impinge::{Model, Trs, shapes};
//!
//! let cube = Model::new(shapes::cuboid([0.0; 3], [1.0; 3])?);
//! let mut parts = Vec::new();
//! for number in 0..100 {
//!     parts.push(cube.at(Trs::translation([0.75 * f64::from(number), 0.0, 0.0])?));
//! }
//!
//! let options = ClashOptions::new();
//! let outlines: Vec<Outline> = parts.iter().map(|part| Outline::new(part, 0)).collect();
//! let plan = Plan::new(&outlines, &options);
//! let mut found = Vec::new();
//! for tile in plan.tiles(&outlines, plan.work(&outlines) / 4) {
//!     let models: Vec<_> = tile.parts.iter().map(|part| parts[*part as usize]).collect();
//!     let answers = check_tile(&models, &tile.local_pairs(&plan), &options);
//!     found.extend(answers.into_iter().map(|(pair, finding)| (tile.pairs[pair as usize], finding)));
//! }
//! assert_eq!(plan.merge(&outlines, found), detect(&parts));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use super::finding_row::{FindingRow, NUMBERS};
pub use super::outline::Outline;
pub use super::pair::Finding;

use std::ops::ControlFlow;

use super::copies::{first_copies, moved};
use super::pair::look_at;
use super::{Clash, ClashOptions, Clashes, grown};
use crate::broad_phase::BroadPhase;
use crate::model::{Placed, Purpose, prepare_all};
use crate::query::Patience;
use impinge_core::bounds::Aabb;
use impinge_core::math::DVec3;
use impinge_core::parallel;

/// The pairs of a clash search.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Pairs of parts that are near enough and accepted, the lesser first, sorted.
    pairs: Vec<[u32; 2]>,
    /// For each pair the first that it is a copy of, which may be itself.
    firsts: Vec<u32>,
}

/// Pairs of a plan that are tested together.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tile {
    /// The parts of all its pairs, sorted.
    pub parts: Vec<u32>,
    /// Its pairs, by their numbers in the plan, sorted.
    pub pairs: Vec<u32>,
}

/// What a pair costs beside its faces, in faces.
const PAIR_WORK: u64 = 64;

/// A part that belongs to more tiles than this is wide: its pairs get tiles of their own.
const WIDE_TILES: u32 = 8;

impl Plan {
    /// The pairs of parts whose boxes are near enough and which the options accept. Copies of a pair are known as such.
    pub fn new(parts: &[Outline], options: &ClashOptions<'_>) -> Plan {
        let mut pairs = near_pairs(parts, options);
        pairs.retain(|[a, b]| options.accepts(*a, *b));
        let firsts = first_copies(parts, &pairs, |[a, b]| options.touch_of(a, b));
        Plan { pairs, firsts }
    }

    /// All pairs of parts, the lesser first, sorted; copies are among them.
    pub fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }

    /// The numbers of the pairs that have to be tested, sorted: of copies only the first.
    pub fn tested(&self) -> Vec<u32> {
        (0..).zip(&self.firsts).filter(|(number, first)| number == *first).map(|it| it.0).collect()
    }

    /// The estimated work of all pairs that have to be tested.
    pub fn work(&self, parts: &[Outline]) -> u64 {
        self.tested().into_iter().map(|number| self.work_of(parts, number)).sum()
    }

    fn work_of(&self, parts: &[Outline], number: u32) -> u64 {
        let [a, b] = self.pairs[number as usize].map(|part| parts[part as usize].faces);
        PAIR_WORK.saturating_add(a).saturating_add(b)
    }

    /// Tiles that together have each pair to be tested once, each of no more than the given work, or of one pair.
    ///
    /// Space is cut where the work is halved, by the least corner that the boxes of two parts share, so pairs of a tile are near each other. Parts that would be in
    /// many tiles, such as slabs, have tiles of their own, with as many neighbors in each as the work allows.
    pub fn tiles(&self, parts: &[Outline], most_work: u64) -> Vec<Tile> {
        let sites: Vec<Site> = self.tested().into_iter().map(|number| self.site(parts, number)).collect();
        let mut leaves = cut(sites.clone(), most_work);
        let wide = self.wide_parts(&leaves, parts.len());
        if wide.iter().any(|is_wide| *is_wide) {
            let host =
                |site: &Site| self.pairs[site.number as usize].into_iter().find(|part| wide[*part as usize]);
            let (hosted, others): (Vec<Site>, Vec<Site>) =
                sites.into_iter().partition(|site| host(site).is_some());
            leaves = cut(others, most_work);
            leaves.extend(self.stars(hosted, host, most_work));
        }
        leaves.iter().map(|leaf| self.tile(leaf)).collect()
    }

    fn site(&self, parts: &[Outline], number: u32) -> Site {
        let [a, b] = self.pairs[number as usize].map(|part| parts[part as usize].bounds);
        Site { number, at: a.min.max(b.min), work: self.work_of(parts, number) }
    }

    /// For each part whether it is in more tiles than worthwhile.
    fn wide_parts(&self, leaves: &[Vec<Site>], parts: usize) -> Vec<bool> {
        let mut tiles = vec![0_u32; parts];
        let mut last = vec![usize::MAX; parts];
        for (leaf, sites) in leaves.iter().enumerate() {
            for part in sites.iter().flat_map(|site| self.pairs[site.number as usize]) {
                if last[part as usize] != leaf {
                    last[part as usize] = leaf;
                    tiles[part as usize] += 1;
                }
            }
        }
        tiles.into_iter().map(|count| count > WIDE_TILES).collect()
    }

    /// Pairs of wide parts, one part after the other, and those of one part from one neighborhood to the next.
    fn stars(
        &self,
        mut sites: Vec<Site>,
        host: impl Fn(&Site) -> Option<u32>,
        most_work: u64,
    ) -> Vec<Vec<Site>> {
        sites.sort_by_key(|site| (host(site), site.number));
        let mut leaves: Vec<Vec<Site>> = Vec::new();
        let mut room = 0;
        for star in sites.chunk_by(|one, other| host(one) == host(other)) {
            for piece in cut(star.to_vec(), most_work) {
                let work: u64 = piece.iter().map(|site| site.work).sum();
                match leaves.last_mut().filter(|_| work <= room) {
                    Some(leaf) => leaf.extend(piece),
                    None => {
                        leaves.push(piece);
                        room = most_work;
                    }
                }
                room = room.saturating_sub(work);
            }
        }
        leaves
    }

    fn tile(&self, sites: &[Site]) -> Tile {
        let mut pairs: Vec<u32> = sites.iter().map(|site| site.number).collect();
        pairs.sort_unstable();
        let mut parts: Vec<u32> = pairs.iter().flat_map(|number| self.pairs[*number as usize]).collect();
        parts.sort_unstable();
        parts.dedup();
        Tile { parts, pairs }
    }

    /// Puts together what was found at the tested pairs, given by their numbers, in any order. What was found twice counts once; copies of a pair get what was found
    /// at the first.
    pub fn merge(&self, parts: &[Outline], found: impl IntoIterator<Item = (u32, Finding)>) -> Clashes {
        let mut found: Vec<(u32, Finding)> = found.into_iter().collect();
        found.sort_by_key(|(number, _)| *number);
        found.dedup_by_key(|(number, _)| *number);
        let placement = |number: u32| parts[self.pairs[number as usize][0] as usize].placement;
        let (mut clashes, mut unknown) = (Vec::with_capacity(found.len()), Vec::new());
        for (number, (&first, &[a, b])) in (0..).zip(self.firsts.iter().zip(&self.pairs)) {
            let Ok(place) = found.binary_search_by_key(&first, |(number, _)| *number) else { continue };
            match &found[place].1 {
                Finding::Clash(clash) => {
                    let clash = moved(clash, &placement(first), &placement(number));
                    clashes.push(Clash { a, b, ..clash });
                }
                Finding::Unknown => unknown.push([a, b]),
            }
        }
        Clashes { clashes, unknown, pairs: self.pairs.len() as u64, partial: false }
    }

    /// The numbers of all pairs whose answer is that of one of these, sorted: themselves and their copies.
    pub fn copies_of(&self, tested: &[u32]) -> Vec<u32> {
        let mut sorted = tested.to_vec();
        sorted.sort_unstable();
        let is_meant = |first: &u32| sorted.binary_search(first).is_ok();
        (0..).zip(&self.firsts).filter(|(_, first)| is_meant(first)).map(|it| it.0).collect()
    }
}

impl Tile {
    /// Its pairs, as indices into its parts.
    pub fn local_pairs(&self, plan: &Plan) -> Vec<[u32; 2]> {
        // Every part of a pair is in the list.
        let local = |part: u32| self.parts.binary_search(&part).unwrap_or_default() as u32;
        self.pairs.iter().map(|number| plan.pairs[*number as usize].map(local)).collect()
    }
}

/// Tests pairs of parts, given by their indices, on all cores. The answers are those that are not clear, each with the index of its pair, ascending. Of the options, the
/// filter and the observer have no effect. `rounding` has an entry for each of these parts.
pub fn check_tile(
    parts: &[Placed<'_>],
    pairs: &[[u32; 2]],
    options: &ClashOptions<'_>,
) -> Vec<(u32, Finding)> {
    prepare_all(parts.iter().map(Placed::model).collect(), Purpose::PAIRS, || ControlFlow::Continue(()));
    let found = parallel::map(pairs, |&pair| test(parts, pair, options, &Patience::endless()));
    (0..).zip(found).filter_map(|(number, finding)| Some((number, finding?))).collect()
}

/// The answer on one pair of parts; `None` where the two are clear, or where patience is over.
pub(super) fn test(
    parts: &[Placed<'_>],
    [a, b]: [u32; 2],
    options: &ClashOptions<'_>,
    patience: &Patience<'_>,
) -> Option<Finding> {
    let [first, second] = [a, b].map(|part| &parts[part as usize]);
    look_at(first, second, &options.touch(options.touch_of(a, b)), patience)
}

/// Pairs whose boxes are near enough to be tested, sorted.
fn near_pairs(parts: &[Outline], options: &ClashOptions<'_>) -> Vec<[u32; 2]> {
    let mut boxes = BroadPhase::new();
    let half = 0.5 * options.touch.max(options.clearance);
    for (number, part) in (0..).zip(parts) {
        // What two parts may be apart, in two halves. A placed model has faces and its box is finite, so none is refused.
        let by = half.max(4.5 * options.of_part(number));
        let _ = boxes.insert(number, grown(part.bounds, by));
    }
    let mut pairs: Vec<[u32; 2]> = boxes.step().pairs.iter().map(|pair| pair.ids()).collect();
    pairs.sort_unstable();
    pairs
}

/// A pair to be tested, at the least corner that both boxes share.
#[derive(Clone, Debug)]
struct Site {
    number: u32,
    at: DVec3,
    work: u64,
}

/// Cuts pairs into leaves of no more than the given work, or of one pair, each time about where the work is halved.
fn cut(sites: Vec<Site>, most_work: u64) -> Vec<Vec<Site>> {
    let mut leaves = Vec::new();
    let mut open = vec![sites];
    while let Some(mut sites) = open.pop() {
        let work: u64 = sites.iter().map(|site| site.work).sum();
        if sites.len() < 2 || work <= most_work {
            leaves.extend((!sites.is_empty()).then_some(sites));
            continue;
        }
        let bounds = Aabb::around(sites.iter().map(|site| site.at));
        let size = bounds.size();
        let axis = (0..3).fold(0, |longest, axis| if size[axis] > size[longest] { axis } else { longest });
        sites.sort_by(|one, other| {
            one.at[axis].total_cmp(&other.at[axis]).then(one.number.cmp(&other.number))
        });
        let mut sum = 0;
        let half = sites.iter().take_while(|site| {
            sum += site.work;
            sum <= work / 2
        });
        let half = half.count().clamp(1, sites.len() - 1);
        let right = sites.split_off(half);
        // The left one is cut first, so leaves are in the order of space.
        open.push(right);
        open.push(sites);
    }
    leaves
}
