//! One part that clashes with many others.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::{Member, Sort, sort_of};
use crate::report::Report;

/// The least clashes that make a run.
const LEAST_MEMBERS: usize = 3;

/// Runs among some clashes, each member with the part that all share first. The part with the most clashes comes first, of equal ones that
/// with the lesser key.
pub(super) fn runs(report: &Report, clashes: &[usize]) -> Vec<Vec<Member>> {
    let keys = report.part_keys();
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by(|&one, &other| keys[one].cmp(&keys[other]));
    let mut rank = vec![0; keys.len()];
    for (place, part) in order.into_iter().enumerate() {
        rank[part] = place;
    }
    let mut of_part: HashMap<(Sort, usize), Vec<usize>> = HashMap::new();
    for &index in clashes {
        let clash = &report.clashes[index];
        // A part that is not there is refused by the outputs.
        if clash.a != clash.b && clash.a.max(clash.b) < keys.len() {
            for part in [clash.a, clash.b] {
                of_part.entry((sort_of(clash), part)).or_default().push(index);
            }
        }
    }
    let mut heap: BinaryHeap<_> =
        of_part.iter().map(|(&(sort, part), list)| (list.len(), Reverse((rank[part], sort)), part)).collect();
    let mut taken = vec![false; report.clashes.len()];
    let mut runs = Vec::new();
    while let Some((count, Reverse((place, sort)), part)) = heap.pop() {
        if count < LEAST_MEMBERS {
            break;
        }
        let members = of_part.get_mut(&(sort, part)).expect("every entry has a list");
        members.retain(|&index| !taken[index]);
        if members.len() < count {
            // Others took some since it was counted.
            heap.push((members.len(), Reverse((place, sort)), part));
            continue;
        }
        for &index in members.iter() {
            taken[index] = true;
        }
        let sides = |index: usize| {
            let clash = &report.clashes[index];
            [part, if clash.a == part { clash.b } else { clash.a }]
        };
        runs.push(members.iter().map(|&index| (index, sides(index))).collect());
    }
    runs
}
