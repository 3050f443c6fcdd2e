//! Clashes among many parts: kinds, what is practical, and what is left out.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use impinge::clash::{ClashKind, ClashOptions, Progress, check_pair, detect_with};
use impinge::glam::{DAffine3, DQuat, DVec3};
use impinge::query::Contained;
use impinge::shapes::{self, Random};
use impinge::{Mesh, Model, Placed, Placement, Trs, Verdict};

fn cube() -> Model {
    Model::new(shapes::cuboid([-0.5; 3], [0.5; 3]).expect("a box"))
}

fn at(model: &Model, place: [f64; 3]) -> Placed<'_> {
    model.at(Trs::translation(place).expect("a place"))
}

fn kind(a: &Placed<'_>, b: &Placed<'_>, options: &ClashOptions<'_>) -> Option<ClashKind> {
    check_pair(a, b, options).map(|clash| clash.kind)
}

#[test]
fn each_kind_is_told() {
    let (cube, ball) = (cube(), Model::new(shapes::icosphere(0.2, 3).expect("a ball")));
    let options = ClashOptions::new().touch(1e-6).clearance(0.1);
    let here = at(&cube, [0.0; 3]);
    assert_eq!(kind(&here, &at(&cube, [0.0; 3]), &options), Some(ClashKind::Duplicate));
    assert_eq!(kind(&here, &at(&cube, [5e-7, 0.0, 0.0]), &options), Some(ClashKind::Duplicate));
    assert_eq!(kind(&here, &at(&cube, [2e-6, 0.0, 0.0]), &options), Some(ClashKind::Overlapping));
    assert_eq!(kind(&here, &at(&cube, [0.9, 0.1, 0.2]), &options), Some(ClashKind::Overlapping));
    assert_eq!(kind(&here, &at(&ball, [0.1; 3]), &options), Some(ClashKind::Inside(Contained::B)));
    assert_eq!(kind(&at(&ball, [0.1; 3]), &here, &options), Some(ClashKind::Inside(Contained::A)));
    assert_eq!(kind(&here, &at(&cube, [1.0, 0.3, 0.2]), &options), Some(ClashKind::Touching));
    assert_eq!(kind(&here, &at(&cube, [1.0 - 5e-7, 0.3, 0.2]), &options), Some(ClashKind::Touching));
    assert_eq!(kind(&here, &at(&cube, [1.0 + 5e-7, 0.3, 0.2]), &options), Some(ClashKind::Touching));
    assert_eq!(kind(&here, &at(&cube, [1.05, 0.3, 0.2]), &options), Some(ClashKind::Near));
    assert_eq!(kind(&here, &at(&cube, [1.2, 0.3, 0.2]), &options), None);
    let deep = check_pair(&here, &at(&cube, [0.9, 0.1, 0.2]), &options).expect("a clash");
    let depth = deep.separation.expect("a move").distance;
    assert!((0.1..0.1001).contains(&depth), "{depth}");
    assert!(deep.bounds.contains(deep.point_in_world) && deep.face_pairs > 0 && deep.distance == 0.0);
    let near = check_pair(&here, &at(&cube, [1.05, 0.3, 0.2]), &options).expect("a clash");
    assert!((near.distance - 0.05).abs() < 1e-12);
    assert!((near.closest[1].x - near.closest[0].x - 0.05).abs() < 1e-12);
}

/// A mesh with its faces and corners in another order is the same thing twice; with one corner elsewhere it is not.
#[test]
fn duplicates_are_known_in_any_order() {
    let mesh = Mesh::from(shapes::torus(1.0, 0.3, 12, 8).expect("a torus"));
    let vertices: Vec<DVec3> = mesh.vertices().collect();
    let mut triangles: Vec<[u32; 3]> =
        (0..mesh.face_count() as u32).flat_map(|face| mesh.fan(face)).collect();
    let last = vertices.len() as u32 - 1;
    let backwards: Vec<DVec3> = vertices.iter().rev().copied().collect();
    triangles.reverse();
    let other: Vec<[u32; 3]> = triangles.iter().map(|[a, b, c]| [last - b, last - c, last - a]).collect();
    let first = Model::new(Mesh::triangles(vertices, triangles).expect("a mesh"));
    let second = Model::new(Mesh::triangles(backwards.clone(), other.clone()).expect("a mesh"));
    let options = ClashOptions::new().touch(1e-9);
    let turn = Trs::rotation_about_axis([1.0, 2.0, 3.0], 40.0).expect("a turn");
    assert_eq!(kind(&first.at(turn), &second.at(turn), &options), Some(ClashKind::Duplicate));
    let mut moved = backwards;
    moved[5] += DVec3::splat(1e-3);
    let third = Model::new(Mesh::triangles(moved, other).expect("a mesh"));
    assert_ne!(kind(&first.at(turn), &third.at(turn), &options), Some(ClashKind::Duplicate));
}

/// What is told of a clash is what the queries tell one by one.
#[test]
fn a_clash_tells_what_the_queries_tell() {
    let models = [
        cube(),
        Model::new(shapes::torus(0.5, 0.2, 10, 6).expect("a torus")),
        Model::new(shapes::star(0.7, 0.3, 2).expect("a star")),
    ];
    let mut random = Random::new(5);
    let options = ClashOptions::new().touch(1e-9);
    let (mut overlapping, mut duplicates) = (0, 0);
    for case in 0..if cfg!(debug_assertions) { 60 } else { 600 } {
        let [a, b] = [0, 1].map(|_| {
            let turn = DQuat::from_axis_angle(random.direction(), random.between(0.0, 6.0));
            models[random.below(3) as usize].at(Trs::rigid(random.in_cube() * 0.4, turn).expect("a place"))
        });
        let b = if case % 4 == 0 { a } else { b };
        let Some(clash) = check_pair(&a, &b, &options) else {
            assert_eq!(a.verdict(&b), Verdict::Clear, "case {case}");
            continue;
        };
        assert_eq!(clash.face_pairs, a.face_pairs(&b).len(), "case {case}");
        overlapping += usize::from(clash.kind == ClashKind::Overlapping);
        duplicates += usize::from(clash.kind == ClashKind::Duplicate);
        let alone = a
            .separating_translation(&b, f64::INFINITY)
            .unwrap()
            .filter(|_| clash.kind == ClashKind::Overlapping);
        assert_eq!(clash.separation, alone, "case {case}");
        if let Some(short) = clash.separation {
            let after = a.model().at(short.placement).verdict(&b);
            assert!(matches!(after, Verdict::Clear | Verdict::Touching), "case {case}: {after:?}");
        }
    }
    assert!(overlapping > 20 && duplicates > 10);
}

/// Boxes that stand flush on each other, placed by matrices of f32, each rounded by itself.
#[test]
fn flush_parts_touch() {
    let cube = cube();
    let mut random = Random::new(12);
    let cases = if cfg!(debug_assertions) { 300 } else { 10_000 };
    let (mut crossed, mut apart) = (0, 0);
    for case in 0..cases {
        let turn = DQuat::from_axis_angle(random.direction(), random.between(0.0, 6.0));
        let shift = random.in_cube() * 20.0;
        let rounded = |by: DVec3| {
            let map = DAffine3::from_rotation_translation(turn, shift + turn * by);
            let single = map.to_cols_array().map(|number| f64::from(number as f32));
            Placement::try_from(DAffine3::from_cols_array(&single)).expect("a placement")
        };
        let by = match case % 3 {
            0 => DVec3::X,
            1 => DVec3::new(1.0, random.between(-0.9, 0.9), random.between(-0.9, 0.9)),
            _ => DVec3::new(1.0, 1.0, random.between(-0.5, 0.5)),
        };
        let (a, b) = (cube.at(rounded(DVec3::ZERO)), cube.at(rounded(by)));
        match a.verdict(&b) {
            Verdict::Clear => apart += 1,
            Verdict::Touching => {}
            _ => crossed += 1,
        }
        let options = ClashOptions::new().touch(2e-5).separation(false);
        assert_eq!(kind(&a, &b, &options), Some(ClashKind::Touching), "case {case}");
    }
    println!("{crossed} of {cases} cross, {apart} are apart: all touch");
    assert!(crossed * 10 > cases && apart * 10 > cases);
}

/// Against every pair asked one by one.
#[test]
fn the_search_finds_what_every_pair_tells() {
    let models = [
        cube(),
        Model::new(shapes::icosphere(0.4, 2).expect("a ball")),
        Model::new(shapes::torus(0.6, 0.2, 10, 6).expect("a torus")),
    ];
    let mut random = Random::new(2);
    let parts: Vec<Placed<'_>> = (0..60)
        .map(|number: usize| {
            let turn = DQuat::from_axis_angle(random.direction(), random.between(0.0, 6.0));
            let place = Trs::rigid(random.in_cube() * 2.2, turn).expect("a place");
            models[number % 3].at(place)
        })
        .collect();
    let options = ClashOptions::new().touch(1e-9).clearance(0.1).separation(false);
    let told = AtomicU64::new(0);
    let count = |_: Progress| {
        told.fetch_add(1, Ordering::Relaxed);
        ControlFlow::Continue(())
    };
    let found = detect_with(&parts, &options.progress(Some(&count)));
    // After each pair, and where models are prepared.
    assert!(told.into_inner() >= found.pairs && !found.partial);
    let mut expected = Vec::new();
    for a in 0..parts.len() {
        for b in a + 1..parts.len() {
            expected.extend(kind(&parts[a], &parts[b], &options).map(|kind| (a as u32, b as u32, kind)));
        }
    }
    let found: Vec<_> = found.clashes.iter().map(|clash| (clash.a, clash.b, clash.kind)).collect();
    assert_eq!(found, expected);
    assert!(expected.len() > 50 && expected.iter().any(|(.., kind)| *kind == ClashKind::Near));
    let odd = detect_with(&parts, &options.accept(Some(&|a, b| a % 2 == 1 && b % 2 == 1)));
    assert!(odd.clashes.iter().all(|clash| clash.a % 2 == 1 && clash.b % 2 == 1) && !odd.clashes.is_empty());
    let ended = detect_with(&parts, &options.progress(Some(&|_| ControlFlow::Break(()))));
    assert!(ended.partial && ended.clashes.len() < expected.len());
}

/// Labels that are no numbers of faces: answers speak them, and nothing is looked up by them.
#[test]
fn labels_may_be_anything() {
    let mesh = Mesh::from(shapes::cuboid([-0.5; 3], [0.5; 3]).expect("a box"));
    let labels = (0..mesh.face_count() as u32).map(|face| 1000 + face / 2).collect();
    let model = Model::new(mesh.with_labels(labels).expect("as many"));
    let options = ClashOptions::new().touch(1e-9);
    let clash = check_pair(&at(&model, [0.0; 3]), &at(&model, [0.9, 0.1, 0.2]), &options).expect("a clash");
    assert_eq!(clash.kind, ClashKind::Overlapping);
    assert!((0.1..0.1001).contains(&clash.separation.expect("a move").distance));
    assert!(clash.bounds.contains(clash.point_in_world));
}

#[test]
fn a_pair_that_takes_long_is_given_up_in_its_middle() {
    let ball = Model::new(shapes::sphere(1.0, 64, 32).expect("a ball"));
    let turned = Trs::rotation_about_axis([3.0, 1.0, 2.0], 20.0).expect("a turn");
    let parts = [ball.at(Trs::IDENTITY), ball.at(turned)];
    // With a tolerance the verdict takes a search of its own.
    for touch in [0.0, 1e-4] {
        let options = ClashOptions::new().touch(touch);
        let whole = detect_with(&parts, &options);
        let [expected] = whole.clashes[..] else { panic!("{whole:?}") };
        let told = AtomicU64::new(0);
        let ends_after = |most: u64| {
            told.store(0, Ordering::Relaxed);
            let observe = |_: Progress| {
                let goes_on = told.fetch_add(1, Ordering::Relaxed) < most;
                if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            };
            detect_with(&parts, &options.progress(Some(&observe)))
        };
        assert_eq!(ends_after(u64::MAX), whole);
        let all = told.load(Ordering::Relaxed);
        assert!(all > 50, "an observer is told {all} times");
        let (mut without, mut in_part) = (0, 0);
        for most in (0..all).rev().step_by((all / 40).max(1) as usize) {
            let found = ends_after(most);
            // The last time it is told that the pair is done.
            assert!(found.partial || most + 1 == all, "{most} of {all}");
            assert!(told.load(Ordering::Relaxed) <= most + 2, "it goes on after it was ended");
            without += u64::from(found.clashes.is_empty());
            for clash in found.clashes {
                assert_eq!((clash.kind, clash.face_pairs), (expected.kind, expected.face_pairs));
                in_part += u64::from(clash != expected);
                // What there is of it is as it would have been.
                assert!(clash.penetration.is_none() || clash.penetration == expected.penetration);
                assert!(clash.volume.is_none() || clash.volume == expected.volume);
                assert!(clash.separation.is_none() || clash.separation == expected.separation);
            }
        }
        assert!(without > 0 && in_part > 0, "{without} {in_part}");
    }
}
