//! What clashes are called, from run to run.

use std::collections::HashMap;

use crate::report::Report;

impl Report {
    /// Gives every clash its id: a hash of what the two parts are [known by](crate::Identity): their names inside of the scene, their
    /// shapes and, rounded, their places.
    ///
    /// So it stays the same wherever the files lie, when the verdict changes and when other parts come and go. Where a part moves it
    /// changes, unless [`compare`](Self::compare) finds the clash in a baseline. Parts that share all of these are told apart by their
    /// order, and so are clashes of the same two parts, by their time.
    pub fn name_clashes(&mut self) {
        let keys = self.part_keys();
        let mut order: Vec<usize> = (0..self.clashes.len()).collect();
        order.sort_by(|&i, &j| self.clashes[i].place_in_list(&self.clashes[j]));
        let mut seen: HashMap<String, usize> = HashMap::new();
        for index in order {
            let clash = &mut self.clashes[index];
            // A part that is not there is refused by the outputs.
            let key = |part: usize| keys.get(part).map_or("", String::as_str);
            let id = clash_id(key(clash.a), key(clash.b));
            let count = seen.entry(id.clone()).or_default();
            *count += 1;
            clash.id = if *count == 1 { id } else { format!("{id}-{count}") };
        }
    }

    /// The key of each part, with a number where an earlier part has the same one.
    pub(crate) fn part_keys(&self) -> Vec<String> {
        let mut seen: HashMap<String, usize> = HashMap::new();
        let key = |key: String| {
            let count = seen.entry(key.clone()).or_default();
            *count += 1;
            if *count == 1 { key } else { format!("{key}\n{count}") }
        };
        self.parts.iter().map(crate::Part::key).map(key).collect()
    }
}

/// The id of a clash of two parts by what they are known by: the same whichever comes first.
pub fn clash_id(key_a: &str, key_b: &str) -> String {
    let (first, second) = if key_a <= key_b { (key_a, key_b) } else { (key_b, key_a) };
    // FNV-1a, written out because the standard library's hashes may change with its version. The length keeps `ab` and `c`
    // apart from `a` and `bc`.
    let length = (first.len() as u64).to_le_bytes();
    let bytes = length.iter().chain(first.as_bytes()).chain(second.as_bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Clash, Verdict};
    use crate::sample;

    #[test]
    fn ids_do_not_depend_on_order_or_verdict() {
        assert_eq!(clash_id("a", "b"), clash_id("b", "a"));
        assert_ne!(clash_id("ab", "c"), clash_id("a", "bc"));
        // Written down: a change would make every baseline worthless.
        assert_eq!(clash_id("scene/left", "scene/right"), "2ef5a896d8ce9f18");

        let mut report = sample::two_boxes();
        let id = report.clashes[0].id.clone();
        report.parts.swap(0, 1);
        report.parts[0].world_from_model[3] = 0.1;
        report.clashes[0].verdict = Verdict::Touching;
        report.name_clashes();
        assert_eq!(report.clashes[0].id, id);
    }

    #[test]
    fn parts_of_one_name_are_told_apart() {
        let mut report = sample::two_boxes();
        let bolt = report.parts[1].clone();
        report.parts.extend([bolt.clone(), bolt]);
        report.clashes = (1..4).map(|b| Clash::new(0, b, Verdict::Touching)).collect();
        report.name_clashes();
        let ids: Vec<String> = report.clashes.iter().map(|clash| clash.id.clone()).collect();
        assert!(ids[0] != ids[1] && ids[1] != ids[2] && ids[0] != ids[2]);

        // One clash less does not rename the others.
        report.clashes.remove(0);
        report.name_clashes();
        assert_eq!([&report.clashes[0].id, &report.clashes[1].id], [&ids[1], &ids[2]]);
    }

    #[test]
    fn clashes_of_the_same_parts_are_told_apart_by_time() {
        let mut report = sample::two_boxes();
        let at = |time| Clash { time: Some(time), ..Clash::new(0, 1, Verdict::Overlapping) };
        report.clashes = vec![at(2.0), at(1.0)];
        report.name_clashes();
        let id = clash_id("scene/left", "scene/right");
        assert_eq!([&report.clashes[0].id, &report.clashes[1].id], [&format!("{id}-2"), &id]);
    }
}
