use proptest::prelude::*;

use super::*;
use crate::Severity;
use crate::baseline::Baseline;
use crate::identity::Identity;
use crate::report::{Matrix, Part, Point, Side};
use crate::sample;

fn part(name: &str, shape: u64, world_from_model: Matrix) -> Part {
    let place = Some([world_from_model[3], world_from_model[7], world_from_model[11]]);
    Part {
        name: name.to_owned(),
        path: format!("scene/{name}"),
        model: None,
        world_from_model,
        identity: Identity { names: name.to_owned(), shape: Some(shape), place, size: 1.0 },
        closed: None,
    }
}

/// A turn about the third axis in front of a translation.
fn turned(degrees: f64, [x, y, z]: Point) -> Matrix {
    let (sin, cos) = degrees.to_radians().sin_cos();
    [cos, -sin, 0.0, x, sin, cos, 0.0, y, 0.0, 0.0, 1.0, z, 0.0, 0.0, 0.0, 1.0]
}

fn deep(a: usize, b: usize, depth: f64) -> Clash {
    Clash { penetration: Some([0.995 * depth, depth]), ..Clash::new(a, b, Verdict::Overlapping) }
}

fn grouped(parts: Vec<Part>, clashes: Vec<Clash>) -> Report {
    let mut report = Report { parts, clashes, ..Report::default() };
    report.name_clashes();
    report.group_clashes();
    report
}

fn kinds(report: &Report) -> Vec<(GroupKind, usize)> {
    let groups = report.groups.as_ref().expect("there are groups");
    groups.iter().map(|group| (group.kind, group.members.len())).collect()
}

/// A plate with bolts around its middle, each turned as it stands, and copies of all that elsewhere.
fn flanges(copies: usize, bolts: usize) -> (Vec<Part>, Vec<Clash>) {
    let (mut parts, mut clashes) = (Vec::new(), Vec::new());
    for copy in 0..copies {
        let at = [100.0 * copy as f64, 0.0, 0.0];
        let plate = parts.len();
        parts.push(part(&format!("copy{copy}/plate"), 1, turned(10.0 * copy as f64, at)));
        for bolt in 0..bolts {
            let angle = 360.0 * bolt as f64 / bolts as f64;
            let (sin, cos) = (angle + 10.0 * copy as f64).to_radians().sin_cos();
            let placed =
                turned(7.0 * bolt as f64 + 10.0 * copy as f64, [at[0] + 10.0 * cos, 10.0 * sin, 0.0]);
            clashes.push(deep(plate, parts.len(), 0.2 + 1e-4 * (bolt % 3) as f64));
            parts.push(part(&format!("copy{copy}/bolt {bolt}"), 2, placed));
        }
    }
    (parts, clashes)
}

#[test]
fn bolts_of_a_plate_are_one_group() {
    let (parts, clashes) = flanges(1, 23);
    let report = grouped(parts, clashes);
    assert_eq!(kinds(&report), [(GroupKind::Repeat, 23)]);
    let group = &report.groups.as_ref().unwrap()[0];
    assert_eq!([group.parts_on(0), group.parts_on(1)], [1, 23]);
    let id = group.id.clone();
    let table = report.table().unwrap();
    assert!(table.starts_with("23 clashes among 24 parts: 23 overlapping; in 1 group\n"), "{table}");
    let row = table.lines().last().unwrap();
    assert!(
        row.contains("23 ×   copy0/plate  copy0/bolt 2 +22  depth 0.201") && row.ends_with(&id),
        "{table}"
    );

    // One bolt more or less, and one that is deeper: the id stays.
    let (parts, clashes) = flanges(1, 24);
    assert_eq!(grouped(parts, clashes).groups.unwrap()[0].id, id);
    let (parts, mut clashes) = flanges(1, 23);
    clashes[5] = deep(0, 6, 0.3);
    let report = grouped(parts, clashes);
    assert_eq!(kinds(&report), [(GroupKind::Single, 1), (GroupKind::Repeat, 22)]);
    assert_eq!(report.groups.as_ref().unwrap()[1].id, id);
    assert_eq!(report.groups.as_ref().unwrap()[0].id, report.clashes[5].id);
}

#[test]
fn copies_of_an_assembly_repeat_its_clashes() {
    let (parts, mut clashes) = flanges(4, 3);
    // No two bolts of a plate are alike, but those of all copies.
    for (index, clash) in clashes.iter_mut().enumerate() {
        clash.penetration = Some([1.0 + (index % 3) as f64; 2]);
    }
    assert_eq!(kinds(&grouped(parts.clone(), clashes.clone())), [(GroupKind::Repeat, 4); 3]);
    // One that is moved a little stands for itself.
    let mut moved = parts.clone();
    moved[1].world_from_model[3] += 0.01;
    let alone: Vec<_> = kinds(&grouped(moved, clashes.clone())).split_off(2);
    assert!(alone.contains(&(GroupKind::Repeat, 3)) && alone.contains(&(GroupKind::Single, 1)), "{alone:?}");
    // What rounding does is no move.
    let mut rounded = parts;
    rounded.iter_mut().for_each(|part| part.world_from_model[3] += 1e-9);
    assert_eq!(kinds(&grouped(rounded, clashes)), [(GroupKind::Repeat, 4); 3]);
}

#[test]
fn equal_shapes_repeat_whichever_comes_first() {
    // A row of bricks, each on the next, listed from either end.
    for reverse in [false, true] {
        let mut parts: Vec<Part> =
            (0..5).map(|i| part(&format!("brick {i}"), 7, sample::moved([f64::from(i), 0.0, 0.0]))).collect();
        if reverse {
            parts.swap(1, 2);
        }
        let at = |i: usize| if reverse && (i == 1 || i == 2) { 3 - i } else { i };
        let clashes =
            (0..4).map(|i| Clash::new(at(i).min(at(i + 1)), at(i).max(at(i + 1)), Verdict::Touching));
        assert_eq!(kinds(&grouped(parts, clashes.collect())), [(GroupKind::Repeat, 4)]);
    }
}

#[test]
fn a_pipe_through_joists_is_a_run() {
    let mut parts = vec![part("pipe", 1, sample::moved([0.0; 3])), part("duct", 2, sample::moved([5.0; 3]))];
    let mut clashes = Vec::new();
    for joist in 0..12_u32 {
        // Joists of different lengths, so that no two shapes are equal.
        parts.push(part(
            &format!("joist {joist}"),
            100 + u64::from(joist),
            sample::moved([f64::from(joist); 3]),
        ));
        clashes.push(deep(0, joist as usize + 2, 1.0 + f64::from(joist)));
    }
    // The duct meets two of them, which is no run, and is another matter.
    clashes.extend([deep(1, 3, 0.1), deep(1, 5, 0.2)]);
    // Touching is another verdict, and another severity another group.
    clashes.extend((2..6).map(|joist| Clash::new(1, joist, Verdict::Touching)));
    let report = grouped(parts.clone(), clashes.clone());
    let expected =
        [(GroupKind::Run, 12), (GroupKind::Single, 1), (GroupKind::Single, 1), (GroupKind::Run, 4)];
    assert_eq!(kinds(&report), expected);
    let run = &report.groups.as_ref().unwrap()[0];
    assert!(run.sides.iter().all(|sides| sides[0] == 0));
    assert_eq!(report.clashes[run.members[0]].b, 13, "the deepest comes first");
    for clash in &mut clashes[..3] {
        clash.severity = Some(Severity::Critical);
    }
    for clash in &mut clashes[3..] {
        clash.severity = Some(Severity::Minor);
    }
    let split = grouped(parts, clashes);
    assert_eq!(kinds(&split)[..2], [(GroupKind::Run, 3), (GroupKind::Run, 9)]);
    let ids: HashSet<&str> = split.groups.iter().flatten().map(|group| group.id.as_str()).collect();
    assert_eq!(ids.len(), 5);
}

#[test]
fn ids_are_inherited_from_a_baseline() {
    let (mut parts, mut clashes) = flanges(1, 6);
    for (index, clash) in clashes.iter_mut().enumerate() {
        clash.penetration = Some([1.0 + index as f64; 2]);
    }
    let old = grouped(parts.clone(), clashes.clone());
    assert_eq!(kinds(&old), [(GroupKind::Run, 6)]);
    let baseline = Baseline::read(&old.json().unwrap()).unwrap();
    // The plate moves, so that the run's own id is another, and a bolt is gone.
    parts[0].world_from_model[3] += 3.0;
    parts[0].identity.place = Some([3.0, 0.0, 0.0]);
    clashes.pop();
    let mut new = grouped(parts, clashes);
    let own = new.groups.as_ref().unwrap()[0].id.clone();
    assert_ne!(own, old.groups.as_ref().unwrap()[0].id);
    new.compare(&baseline);
    new.inherit_groups(&baseline);
    assert_eq!(new.groups.as_ref().unwrap()[0].id, old.groups.as_ref().unwrap()[0].id);
    // What comes to a single keeps its id, and no id is given twice.
    let (parts, clashes) = flanges(1, 1);
    let single = grouped(parts, clashes);
    let baseline = Baseline::read(&single.json().unwrap()).unwrap();
    let (parts, clashes) = flanges(1, 2);
    let mut two = grouped(parts, clashes);
    two.compare(&baseline);
    two.inherit_groups(&baseline);
    assert_eq!(two.groups.as_ref().unwrap()[0].id, single.clashes[0].id);
}

#[test]
fn singly_each_is_its_own_group() {
    let (parts, clashes) = flanges(2, 3);
    let mut report = grouped(parts, clashes);
    report.group_singly();
    assert_eq!(kinds(&report), [(GroupKind::Single, 1); 6]);
    for group in report.groups.iter().flatten() {
        assert_eq!(group.id, report.clashes[group.members[0]].id);
    }
}

/// Scenes of few shapes at few places, so that much repeats; depths of a few values, some 1 % apart.
fn scenes() -> impl Strategy<Value = Report> {
    let place = (0..4_i32, 0..3_i32, 0..4_i32)
        .prop_map(|(x, y, turn)| turned(f64::from(turn) * 90.0, [f64::from(x) * 2.0, f64::from(y), 0.0]));
    let parts = prop::collection::vec((0..3_u64, place, any::<bool>()), 2..12);
    let verdicts = prop::sample::select(Verdict::ALL.to_vec());
    let depths = prop::sample::select(vec![0.0, 1.0, 0.995, 0.985, 2.0, f64::MIN_POSITIVE]);
    let clash =
        (any::<prop::sample::Index>(), any::<prop::sample::Index>(), verdicts, depths, any::<[bool; 2]>());
    (parts, prop::collection::vec(clash, 0..40)).prop_map(|(parts, clashes)| {
        let named = parts.into_iter().enumerate().map(|(number, (shape, placed, known))| {
            let mut part = part(&format!("part {number}"), shape, placed);
            part.identity.shape = Some(shape).filter(|_| known || shape > 0);
            part
        });
        let parts: Vec<Part> = named.collect();
        let mut seen = HashSet::new();
        let clashes = clashes.into_iter().filter_map(|(a, b, verdict, depth, [known, first])| {
            let (a, b) = (a.index(parts.len()), b.index(parts.len()));
            let (a, b) = (a.min(b), a.max(b));
            let side = if first { Side::A } else { Side::B };
            seen.insert((a, b)).then(|| Clash {
                penetration: Some([depth; 2]).filter(|_| known),
                distance: depth,
                contained: Some(side).filter(|_| verdict == Verdict::Inside),
                ..Clash::new(a, b, verdict)
            })
        });
        let clashes = clashes.collect();
        grouped(parts, clashes)
    })
}

/// Groups by the names of their members' parts, with their ids and kinds.
fn named(report: &Report) -> Vec<(String, &'static str, Vec<[String; 2]>)> {
    let mut groups: Vec<_> = report
        .groups
        .iter()
        .flatten()
        .map(|group| {
            let name = |part: usize| report.parts[part].identity.names.clone();
            let mut members: Vec<[String; 2]> = group
                .members
                .iter()
                .map(|&member| {
                    let clash = &report.clashes[member];
                    let mut names = [name(clash.a), name(clash.b)];
                    names.sort();
                    names
                })
                .collect();
            members.sort();
            (group.id.clone(), group.kind.name(), members)
        })
        .collect();
    groups.sort();
    groups
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn grouping_is_a_partition(report in scenes()) {
        let mut seen = vec![0; report.clashes.len()];
        let mut ids = HashSet::new();
        for group in report.groups.iter().flatten() {
            prop_assert!(ids.insert(&group.id));
            let sort = sort_of(&report.clashes[group.members[0]]);
            for (&member, sides) in group.members.iter().zip(&group.sides) {
                seen[member] += 1;
                let clash = &report.clashes[member];
                prop_assert_eq!(sort_of(clash), sort);
                prop_assert!(*sides == [clash.a, clash.b] || *sides == [clash.b, clash.a]);
            }
            prop_assert_eq!(group.kind == GroupKind::Single, group.members.len() == 1);
        }
        prop_assert!(seen.iter().all(|count| *count == 1));
        prop_assert!(report.check().is_ok());
    }

    #[test]
    fn grouping_does_not_depend_on_orders(report in scenes(), seed in any::<u64>()) {
        // Parts in another order, so that some clashes swap their sides, and clashes in another order.
        let count = report.parts.len();
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&part| (part as u64 + 1).wrapping_mul(seed | 1));
        let mut place = vec![0; count];
        order.iter().enumerate().for_each(|(new, &old)| place[old] = new);
        let parts = order.iter().map(|&old| report.parts[old].clone()).collect();
        let mut clashes: Vec<Clash> = report.clashes.iter().map(|clash| {
            let (a, b) = (place[clash.a], place[clash.b]);
            let swapped = |side: Side| if side == Side::A { Side::B } else { Side::A };
            Clash {
                a: a.min(b),
                b: a.max(b),
                contained: clash.contained.map(|side| if a > b { swapped(side) } else { side }),
                ..clash.clone()
            }
        }).collect();
        clashes.sort_by_key(|clash| ((clash.a * count + clash.b) as u64).wrapping_mul(seed | 1));
        let other = grouped(parts, clashes);
        prop_assert_eq!(named(&other), named(&report));
    }
}
