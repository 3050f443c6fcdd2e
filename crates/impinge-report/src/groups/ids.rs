//! What groups are called, from run to run.

use std::collections::{HashMap, HashSet};

use super::{Group, GroupKind};
use crate::baseline::Baseline;
use crate::id::clash_id;
use crate::report::Report;

/// Gives every group its id.
pub(super) fn name_groups(report: &mut Report) {
    let keys = report.part_keys();
    let own: Vec<String> = report.groups.iter().flatten().map(|group| own_id(report, group, &keys)).collect();
    set_ids(report, &own);
}

/// The id that a group has by what it is.
fn own_id(report: &Report, group: &Group, keys: &[String]) -> String {
    let clash = group.gravest(report);
    let verdict = clash.verdict.name();
    match group.kind {
        GroupKind::Single => clash.id.clone(),
        GroupKind::Repeat => {
            let shape = |part: usize| {
                format!("repeat\n{verdict}\n{:016x}", report.parts[part].identity.shape.unwrap_or_default())
            };
            clash_id(&shape(clash.a), &shape(clash.b))
        }
        GroupKind::Run => {
            let part = group.sides[0][0];
            clash_id(&format!("run\n{verdict}"), keys.get(part).map_or("", String::as_str))
        }
    }
}

/// Sets ids, with a number behind those that another group has already: singles come first, then in the order of their least clash ids.
fn set_ids(report: &mut Report, own: &[String]) {
    let Some(mut groups) = report.groups.take() else { return };
    let least = |group: &Group| {
        let ids = group.members.iter().map(|&member| report.clashes[member].id.as_str());
        ids.min().unwrap_or_default()
    };
    let mut order: Vec<usize> = (0..groups.len()).collect();
    let place = |number: usize| {
        let group: &Group = &groups[number];
        // Who has kept an id, or has that of a clash, is asked first.
        (group.id != own[number], least(group))
    };
    order.sort_by(|&one, &other| place(one).cmp(&place(other)));
    let mut used = HashSet::new();
    for number in order {
        let mut id = own[number].clone();
        let mut count = 1;
        while !used.insert(id.clone()) {
            count += 1;
            id = format!("{}-{count}", own[number]);
        }
        groups[number].id = id;
    }
    report.groups = Some(groups);
}

impl Report {
    /// Gives groups the ids that they have in a baseline: that of the group with which one shares the most clashes, each id once. The
    /// clashes must have [inherited](Self::compare) their ids already.
    pub fn inherit_groups(&mut self, baseline: &Baseline) {
        let Some(groups) = &self.groups else { return };
        let old_of: HashMap<&str, &str> = baseline
            .groups
            .iter()
            .flat_map(|(id, members)| members.iter().map(move |member| (member.as_str(), id.as_str())))
            .collect();
        let mut shared: HashMap<(&str, usize), usize> = HashMap::new();
        for (number, group) in groups.iter().enumerate() {
            for &member in &group.members {
                if let Some(old) = old_of.get(self.clashes[member].id.as_str()) {
                    *shared.entry((old, number)).or_default() += 1;
                }
            }
        }
        let mut candidates: Vec<_> = shared.into_iter().collect();
        candidates.sort_by_key(|&((old, number), count)| {
            let id = groups[number].id.as_str();
            (std::cmp::Reverse(count), id != old, old, id)
        });
        let mut own: Vec<String> = groups.iter().map(|group| group.id.clone()).collect();
        let (mut kept, mut given) = (vec![false; own.len()], HashSet::new());
        for ((old, number), _) in candidates {
            if !kept[number] && given.insert(old) {
                kept[number] = true;
                own[number] = old.to_owned();
            }
        }
        if let Some(groups) = &mut self.groups {
            for (group, (id, kept)) in groups.iter_mut().zip(own.iter().zip(kept)) {
                if kept {
                    group.id = id.clone();
                } else {
                    group.id.clear();
                }
            }
        }
        set_ids(self, &own);
    }
}
