//! What parts are known by from run to run: not by the path that somebody typed, which changes with the folder.

use std::collections::HashMap;

use crate::report::{Part, Point};

/// What a part is known by from run to run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Identity {
    /// Its name inside of the scene, such as nodes and groups, without the file's path. Where it is empty, the part's path counts.
    pub names: String,
    /// A hash of its shape in its own frame.
    pub shape: Option<u64>,
    /// The middle of the box around it.
    pub place: Option<Point>,
    /// The longest side of that box.
    pub size: f64,
}

/// Places are rounded to this share of a power of two that is not below the part's size.
const PLACE_SHARE: f64 = 0.125;
/// Pairs of parts that are compared to find the nearest; of more, parts are matched in the order of their places.
const MOST_PAIRS: usize = 1 << 22;

impl Part {
    /// What it is called, wherever its file lies.
    pub(crate) fn names(&self) -> &str {
        if self.identity.names.is_empty() { &self.path } else { &self.identity.names }
    }

    /// A text that parts rarely share: names, shape and rounded place.
    pub(crate) fn key(&self) -> String {
        let mut key = self.names().to_owned();
        if let Some(shape) = self.identity.shape {
            // A line break is what no name should hold, so no other name looks like this.
            key += &format!("\n{shape:016x}");
        }
        if let Some(place) = self.identity.place {
            let [x, y, z] = rounded(place, self.identity.size);
            key += &format!("\n{x} {y} {z}");
        }
        key
    }
}

fn rounded(place: Point, size: f64) -> Point {
    let step = if size > 0.0 && size.is_finite() { size.log2().ceil().exp2() * PLACE_SHARE } else { 1.0 };
    // Zero has no sign.
    place.map(|coordinate| (coordinate / step).round() + 0.0)
}

/// A part of an earlier run.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Known {
    pub(crate) names: String,
    pub(crate) shape: Option<u64>,
    pub(crate) place: Option<Point>,
}

impl Known {
    fn of(part: &Part) -> Known {
        Known { names: part.names().to_owned(), shape: part.identity.shape, place: part.identity.place }
    }

    fn distance_squared(&self, other: &Known) -> f64 {
        let [Some(one), Some(other)] = [self.place, other.place] else { return 0.0 };
        (0..3).map(|axis| (one[axis] - other[axis]).powi(2)).sum()
    }
}

/// For each part of an earlier run the one of now that it is: by names and shape, then by names, then by shape; of several, those
/// nearest to each other.
pub(crate) fn matched(before: &[Known], now: &[Part]) -> Vec<Option<usize>> {
    let now: Vec<Known> = now.iter().map(Known::of).collect();
    let mut found =
        Matching { before, now: &now, new_of: vec![None; before.len()], taken: vec![false; now.len()] };
    found.add(|part| Some((part.names.clone(), part.shape)));
    found.add(|part| Some(part.names.clone()));
    found.add(|part| part.shape);
    found.new_of
}

struct Matching<'a> {
    before: &'a [Known],
    now: &'a [Known],
    new_of: Vec<Option<usize>>,
    taken: Vec<bool>,
}

impl Matching<'_> {
    /// Matches parts that are left and have the same key, the nearest first.
    fn add<K: std::hash::Hash + Eq>(&mut self, key: impl Fn(&Known) -> Option<K>) {
        let mut groups: HashMap<K, [Vec<usize>; 2]> = HashMap::new();
        for (old, part) in self.before.iter().enumerate() {
            if let Some(key) = key(part).filter(|_| self.new_of[old].is_none()) {
                groups.entry(key).or_default()[0].push(old);
            }
        }
        for (new, part) in self.now.iter().enumerate() {
            if let Some(key) = key(part).filter(|_| !self.taken[new])
                && let Some(group) = groups.get_mut(&key)
            {
                group[1].push(new);
            }
        }
        // Groups do not share parts, so their order is of no consequence.
        for [old, new] in groups.into_values() {
            self.match_group(&old, &new);
        }
    }

    fn match_group(&mut self, old: &[usize], new: &[usize]) {
        let at_place =
            |part: &Known| part.place.map(|place| place.map(|coordinate| (coordinate + 0.0).to_bits()));
        let mut unmoved: HashMap<_, Vec<usize>> = HashMap::new();
        for &number in new.iter().rev() {
            unmoved.entry(at_place(&self.now[number])).or_default().push(number);
        }
        for &number in old {
            if let Some(same) = unmoved.get_mut(&at_place(&self.before[number])).and_then(Vec::pop) {
                self.pair(number, same);
            }
        }
        let old: Vec<usize> = old.iter().copied().filter(|&old| self.new_of[old].is_none()).collect();
        let new: Vec<usize> = new.iter().copied().filter(|&new| !self.taken[new]).collect();
        if old.len().saturating_mul(new.len()) > MOST_PAIRS {
            let in_order = |mut numbers: Vec<usize>, parts: &[Known]| {
                let place = |number: usize| parts[number].place.unwrap_or_default();
                numbers
                    .sort_by(|&i, &j| place(i).partial_cmp(&place(j)).unwrap_or(std::cmp::Ordering::Equal));
                numbers
            };
            let pairs = in_order(old, self.before).into_iter().zip(in_order(new, self.now));
            pairs.for_each(|(old, new)| self.pair(old, new));
            return;
        }
        let distance = |old: usize, new: usize| self.before[old].distance_squared(&self.now[new]);
        let mut pairs: Vec<(f64, usize, usize)> =
            old.iter().flat_map(|&old| new.iter().map(move |&new| (distance(old, new), old, new))).collect();
        pairs.sort_by(|one, other| one.0.total_cmp(&other.0).then((one.1, one.2).cmp(&(other.1, other.2))));
        for (_, old, new) in pairs {
            if self.new_of[old].is_none() && !self.taken[new] {
                self.pair(old, new);
            }
        }
    }

    fn pair(&mut self, old: usize, new: usize) {
        self.new_of[old] = Some(new);
        self.taken[new] = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::IDENTITY;

    fn part(names: &str, shape: u64, place: Point) -> Part {
        let identity =
            Identity { names: names.to_owned(), shape: Some(shape), place: Some(place), size: 1.0 };
        Part {
            name: names.to_owned(),
            path: String::new(),
            model: None,
            world_from_model: IDENTITY,
            identity,
            closed: None,
        }
    }

    fn known(parts: &[Part]) -> Vec<Known> {
        parts.iter().map(Known::of).collect()
    }

    #[test]
    fn parts_are_found_again_by_names_then_shape_then_place() {
        let before = [
            part("bolt", 1, [0.0; 3]),
            part("bolt", 1, [10.0, 0.0, 0.0]),
            part("plate", 2, [5.0; 3]),
            part("old name", 3, [1.0; 3]),
            part("gone", 4, [2.0; 3]),
        ];
        let now = [
            part("bolt", 1, [5.0, 0.0, 0.0]),
            part("new name", 3, [1.0; 3]),
            part("bolt", 1, [0.001, 0.0, 0.0]),
            // Reworked and moved, but still the plate.
            part("plate", 9, [6.0; 3]),
            part("bolt", 1, [10.0, 0.001, 0.0]),
        ];
        assert_eq!(matched(&known(&before), &now), [Some(2), Some(4), Some(3), Some(1), None]);
    }

    #[test]
    fn very_many_equal_parts_are_matched_in_their_order() {
        let row = |by: f64| -> Vec<Part> {
            (0..3000).map(|i| part("bolt", 1, [f64::from(i * 7 % 3000) + by, 0.0, 0.0])).collect()
        };
        let found = matched(&known(&row(0.0)), &row(0.25));
        assert!(found.iter().enumerate().all(|(old, new)| *new == Some(old)));
    }

    #[test]
    fn keys_have_names_shape_and_rounded_place() {
        assert_eq!(part("a/b", 255, [0.3, -0.01, 2.0]).key(), "a/b\n00000000000000ff\n2 0 16");
        // Far less than the size does not count.
        assert_eq!(part("a", 1, [0.3; 3]).key(), part("a", 1, [0.3001; 3]).key());
        assert_ne!(part("a", 1, [0.3; 3]).key(), part("a", 1, [0.6; 3]).key());
        let plain =
            Part { path: "scene/left".to_owned(), identity: Identity::default(), ..part("", 0, [0.0; 3]) };
        assert_eq!(plain.key(), "scene/left");
    }
}
