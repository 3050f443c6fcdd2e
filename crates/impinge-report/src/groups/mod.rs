//! Clashes that are one matter for whoever works through them: rows of a table, topics of a BCF file.
//!
//! A group is one of three kinds, and every clash is in just one group.
//!
//! - `repeat`: the same two shapes clash in the same way. Either they stand in the same relative place, as in every copy of an assembly; or
//!   the shape clashes with one and the same part, equally deep or equally near within 1 %, as far as the intervals tell, as bolts around a
//!   flange do. The number of meeting faces does not count: it changes with the angle at which equal bolts were placed.
//! - `run`: one part clashes with three or more others, such as a pipe with the joists of a floor. Where both parts of a clash have many,
//!   it belongs to the one with more.
//! - `single`: all others.
//!
//! Clashes of different verdicts or severities are never in one group.
//!
//! The id of a single is that of its clash. The id of a repeat is a hash of both shapes and the verdict, and that of a run a hash of
//! what its part is [known by](crate::Identity) and the verdict: so neither changes when members come or go, when parts are listed in another
//! order, or with the folder of a file. Where two groups would have the same id, the second has `-2` behind it, in the order of their
//! least clash ids. [`Report::inherit_groups`] keeps ids of an earlier run.

mod ids;
mod repeat;
mod run;

use std::collections::HashSet;

use crate::report::{Clash, Report, Verdict};
use crate::review::Review;

/// What the members of a group have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum GroupKind {
    /// Nothing: a clash of its own.
    Single,
    /// Two shapes that clash in the same way.
    Repeat,
    /// A part that clashes with many others.
    Run,
}

impl GroupKind {
    /// The word for it, the same in all outputs.
    pub fn name(self) -> &'static str {
        match self {
            GroupKind::Single => "single",
            GroupKind::Repeat => "repeat",
            GroupKind::Run => "run",
        }
    }
}

/// Clashes that are one matter.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// What it is called from run to run.
    pub id: String,
    /// What its members have in common.
    pub kind: GroupKind,
    /// Indices into [`Report::clashes`], the gravest first.
    pub members: Vec<usize>,
    /// The parts of each member, in the order of `members`; a part or shape that all share is on one side throughout.
    pub sides: Vec<[usize; 2]>,
    /// What people said about it.
    pub review: Option<Review>,
}

impl Group {
    fn single(clash: &Clash, index: usize) -> Group {
        Group {
            id: clash.id.clone(),
            kind: GroupKind::Single,
            members: vec![index],
            sides: vec![[clash.a, clash.b]],
            review: None,
        }
    }

    /// How many different parts it has on a side, 0 or 1.
    pub(crate) fn parts_on(&self, side: usize) -> usize {
        self.sides.iter().map(|sides| sides[side]).collect::<HashSet<_>>().len()
    }

    /// Its gravest member.
    pub(crate) fn gravest<'r>(&self, report: &'r Report) -> &'r Clash {
        &report.clashes[self.members[0]]
    }
}

impl Report {
    /// Puts the clashes, which must have their ids, into groups.
    pub fn group_clashes(&mut self) {
        let mut kinds: Vec<(GroupKind, Vec<Member>)> = Vec::new();
        let mut left = Vec::new();
        for members in repeat::repeats(self) {
            if members.len() > 1 {
                kinds.push((GroupKind::Repeat, members));
            } else {
                left.extend(members.into_iter().map(|(index, _)| index));
            }
        }
        let runs = run::runs(self, &left);
        let in_runs: HashSet<usize> = runs.iter().flatten().map(|(index, _)| *index).collect();
        kinds.extend(runs.into_iter().map(|members| (GroupKind::Run, members)));
        let groups = kinds.into_iter().map(|(kind, members)| {
            let (members, sides) = members.into_iter().unzip();
            Group { id: String::new(), kind, members, sides, review: None }
        });
        let mut groups: Vec<Group> = groups.collect();
        let singles = left.into_iter().filter(|index| !in_runs.contains(index));
        groups.extend(singles.map(|index| Group::single(&self.clashes[index], index)));
        self.set_groups(groups);
        ids::name_groups(self);
    }

    /// Makes every clash a group of its own.
    pub fn group_singly(&mut self) {
        let clashes = self.clashes.iter().enumerate();
        let groups = clashes.map(|(index, clash)| Group::single(clash, index)).collect();
        self.set_groups(groups);
    }

    /// Sorts members and groups, the gravest first, and turns the sides so that the gravest member has its own.
    fn set_groups(&mut self, mut groups: Vec<Group>) {
        let mut rank = vec![0; self.clashes.len()];
        for (place, index) in self.indices_by_severity().into_iter().enumerate() {
            rank[index] = place;
        }
        for group in &mut groups {
            let mut order: Vec<usize> = (0..group.members.len()).collect();
            order.sort_by_key(|&place| rank[group.members[place]]);
            group.members = order.iter().map(|&place| group.members[place]).collect();
            group.sides = order.iter().map(|&place| group.sides[place]).collect();
            let gravest = &self.clashes[group.members[0]];
            if group.kind != GroupKind::Run && group.sides[0] != [gravest.a, gravest.b] {
                group.sides.iter_mut().for_each(|sides| sides.swap(0, 1));
            }
        }
        groups.sort_by_key(|group| rank[group.members[0]]);
        self.groups = Some(groups);
    }

    /// For each clash the group that it is in; none where nobody asked for groups.
    pub(crate) fn group_of_clashes(&self) -> Vec<Option<usize>> {
        let mut of = vec![None; self.clashes.len()];
        for (number, group) in self.groups.iter().flatten().enumerate() {
            for &member in &group.members {
                if let Some(of) = of.get_mut(member) {
                    *of = Some(number);
                }
            }
        }
        of
    }
}

/// A clash by its index, with its parts in the order of its group.
type Member = (usize, [usize; 2]);

/// What clashes of one group share, whatever its kind.
type Sort = (Verdict, Option<crate::Severity>);

fn sort_of(clash: &Clash) -> Sort {
    (clash.verdict, clash.severity)
}

#[cfg(test)]
mod tests;
