//! The same two shapes that clash in the same way.

use std::collections::HashMap;

use super::{Member, Sort, sort_of};
use crate::report::{Clash, Matrix, Report, Side, Verdict};

/// Turns, stretches and, as a share of the smaller part, places that differ by no more are equal.
const SAME_PLACE: f64 = 1e-3;
/// What rounding may do to a place, as a share of the largest coordinate.
const ROUNDING: f64 = 1e-6;
/// Depths and gaps that differ by no more than this share are equal.
const SAME_MEASURE: f64 = 0.01;
/// Parts of a second in which times are counted.
const TIME_STEPS: f64 = 1e6;

/// What members of a group are asked to share exactly: sort, shapes, which side is contained, when.
type Shared = (Sort, [u64; 2], Option<usize>, Option<i64>);

/// What clashes of one part share: also on which side it is, the part, and whether a measure is known. Whether thickness limits a depth does not
/// count: of parts that are half in, rounding decides it.
type SamePart = (Shared, usize, usize, bool);

/// A clash with its sides in an order that does not depend on who was listed first.
struct Oriented {
    index: usize,
    sides: [usize; 2],
    shared: Shared,
    /// Whether the two shapes are equal, so that the order of the sides says nothing.
    alike: bool,
}

impl Oriented {
    fn new(report: &Report, index: usize) -> Option<Oriented> {
        let clash = &report.clashes[index];
        let shape = |part: usize| report.parts.get(part)?.identity.shape;
        let shapes = [shape(clash.a)?, shape(clash.b)?];
        let contained = clash.contained.map(|side| usize::from(side == Side::B));
        // Of equal shapes, what is contained comes second.
        let flip = shapes[0] > shapes[1] || (shapes[0] == shapes[1] && contained == Some(0));
        let turned = |pair: [usize; 2]| if flip { [pair[1], pair[0]] } else { pair };
        let shapes_in_order = if flip { [shapes[1], shapes[0]] } else { shapes };
        let contained = contained.map(|side| if flip { 1 - side } else { side });
        let time = clash.time.map(|time| (time * TIME_STEPS).round() as i64);
        Some(Oriented {
            index,
            sides: turned([clash.a, clash.b]),
            shared: (sort_of(clash), shapes_in_order, contained, time),
            alike: shapes[0] == shapes[1] && contained.is_none(),
        })
    }
}

/// The clashes in groups of those that repeat each other, each with its sides in the group's order; many of these groups have one member.
pub(super) fn repeats(report: &Report) -> Vec<Vec<Member>> {
    let mut sets = DisjointSets::new(report.clashes.len());
    let oriented: Vec<Oriented> =
        (0..report.clashes.len()).filter_map(|index| Oriented::new(report, index)).collect();
    join_same_place(report, &oriented, &mut sets);
    join_same_part(report, &oriented, &mut sets);
    let mut sides: Vec<[usize; 2]> = report.clashes.iter().map(|clash| [clash.a, clash.b]).collect();
    for clash in &oriented {
        sides[clash.index] = clash.sides;
    }
    let mut groups: HashMap<usize, Vec<Member>> = HashMap::new();
    for (index, sides) in sides.into_iter().enumerate() {
        groups.entry(sets.root(index)).or_default().push((index, sides));
    }
    groups.into_values().collect()
}

/// Joins clashes of the same shapes in the same relative place.
fn join_same_place(report: &Report, oriented: &[Oriented], sets: &mut DisjointSets) {
    let mut buckets: HashMap<Shared, Vec<Relation>> = HashMap::new();
    for clash in oriented {
        if let Some(relation) = Relation::new(report, clash) {
            buckets.entry(clash.shared).or_default().push(relation);
        }
    }
    for mut relations in buckets.into_values() {
        // By a number that equal relations share, so that each is compared with few; ids make the order one of the clashes' own.
        let id = |relation: &Relation| &report.clashes[relation.index].id;
        relations.sort_by(|one, other| one.gap.total_cmp(&other.gap).then_with(|| id(one).cmp(id(other))));
        let mut first = 0;
        for next in 0..relations.len() {
            while relations[next].gap - relations[first].gap > relations[next].slack + relations[first].slack
            {
                first += 1;
            }
            for earlier in (first..next).rev() {
                if relations[earlier].is_same(&relations[next]) {
                    sets.join(relations[earlier].index, relations[next].index);
                    break;
                }
            }
        }
    }
}

/// How the second part stands to the first, in the frame of the first, in lengths of the world.
struct Relation {
    index: usize,
    /// Both ways where the shapes are equal.
    numbers: Vec<[f64; 12]>,
    /// The distance between the two origins.
    gap: f64,
    /// What lengths may differ by.
    slack: f64,
}

impl Relation {
    fn new(report: &Report, clash: &Oriented) -> Option<Relation> {
        let parts = clash.sides.map(|part| &report.parts[part]);
        let [first, second] = parts.map(|part| &part.world_from_model);
        let forth = numbers(first, second)?;
        let mut ways = vec![forth];
        if clash.alike {
            ways.push(numbers(second, first)?);
        }
        let largest =
            [first, second].iter().flat_map(|m| [m[3], m[7], m[11]]).fold(0.0, |l: f64, x| l.max(x.abs()));
        let size = parts.map(|part| part.identity.size);
        let slack = SAME_PLACE * size[0].min(size[1]) + ROUNDING * largest;
        let gap = (0..3).map(|axis| (second[4 * axis + 3] - first[4 * axis + 3]).powi(2)).sum::<f64>().sqrt();
        (gap.is_finite() && slack.is_finite()).then_some(Relation {
            index: clash.index,
            numbers: ways,
            gap,
            slack,
        })
    }

    fn is_same(&self, other: &Relation) -> bool {
        let slack = self.slack.max(other.slack);
        let equal = |one: &[f64; 12], other: &[f64; 12]| {
            one.iter().zip(other).enumerate().all(|(place, (one, other))| {
                let allowed = if place % 4 == 3 { slack } else { SAME_PLACE };
                (one - other).abs() <= allowed
            })
        };
        self.numbers.iter().any(|one| other.numbers.iter().any(|other| equal(one, other)))
    }
}

/// The upper rows of `first_from_second`, with the translation in lengths of the world; none where the first has no volume.
fn numbers(first: &Matrix, second: &Matrix) -> Option<[f64; 12]> {
    let linear = |m: &Matrix, row: usize, column: usize| m[4 * row + column];
    let cofactor = |row: usize, column: usize| {
        let [r, s] = [(row + 1) % 3, (row + 2) % 3];
        let [c, d] = [(column + 1) % 3, (column + 2) % 3];
        linear(first, r, c) * linear(first, s, d) - linear(first, r, d) * linear(first, s, c)
    };
    let determinant: f64 = (0..3).map(|column| linear(first, 0, column) * cofactor(0, column)).sum();
    let scale = determinant.abs().cbrt();
    let mut relation = [0.0; 12];
    for row in 0..3 {
        for column in 0..4 {
            let to = |k: usize| {
                if column < 3 { linear(second, k, column) } else { second[4 * k + 3] - first[4 * k + 3] }
            };
            let sum: f64 = (0..3).map(|k| cofactor(k, row) * to(k)).sum();
            let length = if column == 3 { scale } else { 1.0 };
            relation[4 * row + column] = sum / determinant * length;
        }
    }
    relation.iter().all(|number| number.is_finite()).then_some(relation)
}

/// Joins clashes of one part with the same shape, where they are equally deep or near.
fn join_same_part(report: &Report, oriented: &[Oriented], sets: &mut DisjointSets) {
    let mut buckets: HashMap<SamePart, Vec<([f64; 2], usize)>> = HashMap::new();
    for clash in oriented {
        let found = &report.clashes[clash.index];
        if found.a == found.b {
            continue;
        }
        let measure = measure(found);
        for side in [0, 1] {
            // Of equal shapes the part may be on either side.
            let named = if clash.alike { 0 } else { side };
            let key = (clash.shared, named, clash.sides[side], measure.is_some());
            buckets.entry(key).or_default().push((measure.unwrap_or_default(), clash.index));
        }
    }
    for mut found in buckets.into_values() {
        // From the greatest on, so that no group is wider than is said. Intervals are as wide as they are, and may hold the same depth.
        found.sort_by(|one, other| other.0[1].total_cmp(&one.0[1]).then(other.0[0].total_cmp(&one.0[0])));
        let mut leader = found[0];
        for &(measure, index) in &found[1..] {
            if leader.0[0] <= measure[1] * (1.0 + SAME_MEASURE) {
                sets.join(leader.1, index);
            } else {
                leader = (measure, index);
            }
        }
    }
}

/// How deep, or how far apart, at least and at most; none where that is not known.
fn measure(clash: &Clash) -> Option<[f64; 2]> {
    match clash.verdict {
        Verdict::Near => Some([clash.distance; 2]),
        Verdict::Touching => None,
        _ => clash.penetration,
    }
}

/// Sets of clashes that are joined step by step.
struct DisjointSets(Vec<usize>);

impl DisjointSets {
    fn new(count: usize) -> DisjointSets {
        DisjointSets((0..count).collect())
    }

    fn root(&mut self, mut index: usize) -> usize {
        while self.0[index] != index {
            self.0[index] = self.0[self.0[index]];
            index = self.0[index];
        }
        index
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.0[one.max(other)] = one.min(other);
    }
}
