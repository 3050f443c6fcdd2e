//! Trees refitted to moved elements: right, as tight as built ones, and mended where they have become bad.

use crate::oracle::cases::Random;
use impinge::bounds::Aabb;
use impinge::glam::{DMat3, DVec3};
use impinge_core::bvh::{Build, Corners, DopTree, RefitPolicy};

type Triangle = [DVec3; 3];

fn around(triangles: &[Triangle]) -> Aabb {
    Aabb::around(triangles.iter().flatten().copied())
}

fn tree<const K: usize>(build: Build, triangles: &[Triangle]) -> DopTree<K> {
    DopTree::build_with(build, triangles.len(), around(triangles), triangles)
}

fn soup(random: &mut Random, count: usize, size: f64) -> Vec<Triangle> {
    let triangle = |_| {
        let center = random.vector();
        [(); 3].map(|()| center + size * random.vector())
    };
    (0..count).map(triangle).collect()
}

/// Two triangles a cell of a sheet with hills, in the order of rows.
fn sheet(cells: usize) -> Vec<Triangle> {
    let at = |i: usize, j: usize| {
        let (x, y) = (i as f64 / cells as f64, j as f64 / cells as f64);
        DVec3::new(x, y, 0.1 * (9.0 * x).sin() * (7.0 * y).cos())
    };
    let cell = |c: usize| {
        let (i, j) = (c % cells, c / cells);
        [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]]
    };
    (0..cells * cells).flat_map(cell).collect()
}

fn moved(triangles: &[Triangle], mut place: impl FnMut(DVec3) -> DVec3) -> Vec<Triangle> {
    triangles.iter().map(|triangle| triangle.map(&mut place)).collect()
}

/// Waves, twists, stretches, collapses and journeys; from 0 to 1.
fn deformations(triangles: &[Triangle], amount: f64, seed: u64) -> Vec<(&'static str, Vec<Triangle>)> {
    let mut random = Random(seed);
    let twist = |p: DVec3| DMat3::from_rotation_z(6.0 * amount * p.z) * p;
    vec![
        ("wave", moved(triangles, |p| p + 0.2 * amount * DVec3::new(0.0, 0.0, (5.0 * p.x).sin()))),
        ("twist", moved(triangles, twist)),
        ("explosion", moved(triangles, |p| p + 3.0 * amount * random.vector())),
        ("flat", moved(triangles, |p| p * DVec3::new(1.0, 1.0, 1.0 - amount))),
        ("needle", moved(triangles, |p| p * DVec3::new(1e9 * amount + 1.0, 1.0, 1e-9))),
        ("point", moved(triangles, |p| p * (1.0 - amount) + DVec3::splat(0.1))),
        ("far", moved(triangles, |p| p + DVec3::new(1e6, -1e9, 3.0) * amount)),
        ("huge", moved(triangles, |p| p * (1.0 + 1e300 * amount))),
        ("tiny", moved(triangles, |p| p * if amount < 1.0 { 1e-300 } else { 5e-324 })),
        ("mirrored", moved(triangles, |p| p * DVec3::new(-1.0, 1.0, 2.0))),
    ]
}

fn check_there_and_back<const K: usize>(triangles: &[Triangle]) {
    for build in [Build::TIGHT, Build::COMPACT] {
        let built = tree::<K>(build, triangles);
        let mut refitted = built.clone();
        refitted.refit(around(triangles), triangles);
        assert!(refitted == built, "{K} directions, {build:?}: a refit without a move");
        for amount in [0.01, 1.0] {
            for (name, there) in deformations(triangles, amount, 3) {
                refitted.refit(around(&there), there.as_slice());
                refitted.check(there.as_slice()).unwrap_or_else(|what| panic!("{name}, {K}: {what}"));
                let mut back = refitted.clone();
                back.refit(around(triangles), triangles);
                assert!(back == built, "{K} directions, {build:?}: back from {name}");
            }
        }
    }
}

/// A refit finds the very bounds that the build found: none is looser, and nothing is kept from the time between.
#[test]
fn a_refit_forgets_where_elements_have_been() {
    let mut random = Random(1);
    for count in [1, 2, 3, 7, 40, 200] {
        let triangles = soup(&mut random, count, 0.2);
        check_there_and_back::<6>(&triangles);
        check_there_and_back::<8>(&triangles);
        check_there_and_back::<14>(&triangles);
        check_there_and_back::<18>(&triangles);
        check_there_and_back::<26>(&triangles);
    }
    // Several pieces.
    check_there_and_back::<6>(&sheet(if cfg!(debug_assertions) { 45 } else { 100 }));
}

/// Triangles that share vertices, as models have them.
struct Table {
    points: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
}

impl Corners for Table {
    fn visit(&self, element: u32, visit: impl FnMut(DVec3)) {
        self.triangles[element as usize]
            .map(|vertex| self.points[vertex as usize])
            .into_iter()
            .for_each(visit);
    }

    fn table(&self) -> Option<(&[DVec3], &[[u32; 3]])> {
        Some((&self.points, &self.triangles))
    }
}

fn check_table<const K: usize>(cells: u32) {
    let points = sheet(cells as usize).iter().map(|triangle| triangle[0]).collect();
    // Neighbors in rows of cells; the last of a row with the first of the next, which does no harm.
    let triangles = (0..2 * cells * (cells - 1) - 2).map(|i| [i, i + 2 * cells, i + 2]).collect();
    let mut table = Table { points, triangles };
    let bounds = |table: &Table| {
        Aabb::around(table.triangles.iter().flatten().map(|&vertex| table.points[vertex as usize]))
    };
    let built = DopTree::<K>::build(table.triangles.len(), bounds(&table), &table);
    let (mut kept, mut plain) = (built.clone(), built);
    let mut upkeep = RefitPolicy::of(&kept);
    let mut random = Random(u64::from(cells));
    for step in 0..12 {
        let size = if step % 4 == 3 { 1e6 } else { 1e-3 };
        table.points.iter_mut().for_each(|point| *point += size * random.vector());
        let rebuilds = upkeep.work().rebuilds + upkeep.work().rebuilt_pieces;
        upkeep.refit(&mut kept, bounds(&table), &table, None);
        kept.check(&table).unwrap_or_else(|what| panic!("{K} directions, step {step}: {what}"));
        plain.refit(bounds(&table), &table);
        if upkeep.work().rebuilds + upkeep.work().rebuilt_pieces == rebuilds {
            assert!(kept == plain, "{K} directions, step {step}");
        } else {
            plain = kept.clone();
        }
    }
    assert!(upkeep.work().rebuilds + upkeep.work().rebuilt_pieces < 6);
}

/// Triangles in a table are refitted in another way, to the same bits.
#[test]
fn tables_have_the_bounds_of_single_elements() {
    for &cells in if cfg!(debug_assertions) { &[2, 3, 9, 40][..] } else { &[2, 3, 9, 40, 64] } {
        check_table::<6>(cells);
        check_table::<8>(cells);
        check_table::<14>(cells);
    }
}

#[test]
fn elements_without_corners_stay_out() {
    let elements = |shift: f64| -> Vec<Vec<DVec3>> {
        (0..90).map(|i| if i % 3 == 0 { vec![] } else { vec![DVec3::splat(f64::from(i) + shift)] }).collect()
    };
    let bounds = |elements: &[Vec<DVec3>]| Aabb::around(elements.iter().flatten().copied());
    let (before, after) = (elements(0.0), elements(100.0));
    let mut tree = DopTree::<6>::build(before.len(), bounds(&before), before.as_slice());
    let mut upkeep = RefitPolicy::of(&tree);
    upkeep.refit(&mut tree, bounds(&after), &after.as_slice(), None);
    assert_eq!(tree.len(), 60);
    tree.check(after.as_slice()).unwrap();
    upkeep.refit(&mut tree, bounds(&after), &after.as_slice(), Some(&[0, 1, 2, 3]));
    tree.check(after.as_slice()).unwrap();
    let mut none = DopTree::<6>::build(1, Aabb::EMPTY, [Vec::<DVec3>::new()].as_slice());
    let mut upkeep = RefitPolicy::of(&none);
    upkeep.refit(&mut none, Aabb::EMPTY, &[Vec::<DVec3>::new()].as_slice(), None);
    none.refit(Aabb::EMPTY, [Vec::<DVec3>::new()].as_slice());
    assert!(none.is_empty());
}

fn check_partial<const K: usize>(seed: u64) {
    let mut random = Random(seed);
    let mut triangles = sheet(60);
    // Two far corners, so that the box stays.
    triangles.push([DVec3::splat(-1.0); 3]);
    triangles.push([DVec3::splat(2.0); 3]);
    let elements = triangles.len() as u64 - 2;
    let mut tree = tree::<K>(Build::TIGHT, &triangles);
    let mut upkeep = RefitPolicy::of(&tree);
    for step in 0..40 {
        let count = 1 + random.below(if step % 4 == 0 { 200 } else { 5 });
        let some: Vec<u32> = (0..count).map(|_| random.below(elements) as u32).collect();
        for &element in &some {
            let shift = 0.02 * random.vector();
            triangles[element as usize] = triangles[element as usize].map(|p| p + shift);
        }
        let built_before = upkeep.work().rebuilds + upkeep.work().rebuilt_pieces;
        let mut whole = tree.clone();
        upkeep.refit(&mut tree, around(&triangles), &triangles.as_slice(), Some(&some));
        tree.check(triangles.as_slice()).unwrap_or_else(|what| panic!("{K}, step {step}: {what}"));
        if upkeep.work().rebuilds + upkeep.work().rebuilt_pieces == built_before {
            whole.refit(around(&triangles), triangles.as_slice());
            assert!(whole == tree, "{K}, step {step}");
        }
    }
    assert_eq!(upkeep.work().refits, 40);
    assert_eq!(upkeep.work().partial_refits, 40);
}

#[test]
fn a_partial_refit_does_what_a_whole_one_does() {
    check_partial::<6>(1);
    check_partial::<8>(2);
    check_partial::<14>(3);
}

/// Elements may leave the old box, or come together in a corner of it.
#[test]
fn a_partial_refit_moves_the_frame_where_it_must() {
    let mut triangles = sheet(40);
    let mut tree = tree::<6>(Build::TIGHT, &triangles);
    let mut upkeep = RefitPolicy::of(&tree);
    for far in [10.0, 1e9, 1.0] {
        triangles[17] = [DVec3::splat(far); 3];
        upkeep.refit(&mut tree, around(&triangles), &triangles.as_slice(), Some(&[17]));
        tree.check(triangles.as_slice()).unwrap();
    }
    assert_eq!(upkeep.work().refits, 3);
    assert_eq!(upkeep.work().partial_refits, 0, "no old frame holds any of these");
}

/// Soon after every deformation, the tree is about as good as a fresh one, even after one that left all in disorder.
#[test]
#[cfg_attr(debug_assertions, ignore = "long: runs in release")]
fn upkeep_keeps_trees_good() {
    let triangles = sheet(60);
    let mut kept = tree::<6>(Build::TIGHT, &triangles);
    let mut upkeep = RefitPolicy::of(&kept);
    for amount in [0.05, 0.4, 1.0, 0.2] {
        for (name, there) in deformations(&triangles, amount, 7) {
            for _ in 0..16 {
                upkeep.refit(&mut kept, around(&there), &there.as_slice(), None);
                kept.check(there.as_slice()).unwrap_or_else(|what| panic!("{name} {amount}: {what}"));
            }
            let (now, fresh) = (kept.quality(), tree::<6>(Build::TIGHT, &there).quality());
            assert!(
                now.total_volume <= 3.0 * fresh.total_volume
                    || !["wave", "twist", "explosion"].contains(&name),
                "{name} {amount}: {} against {}",
                now.total_volume,
                fresh.total_volume
            );
        }
    }
    let work = upkeep.work();
    assert!((1..work.refits / 8).contains(&work.rebuilds), "{work:?}");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "long: runs in release")]
fn gentle_motion_builds_nothing() {
    let triangles = sheet(60);
    let mut tree = tree::<6>(Build::TIGHT, &triangles);
    let mut upkeep = RefitPolicy::of(&tree);
    for step in 0..600 {
        let phase = 0.1 * f64::from(step);
        let there = moved(&triangles, |p| p + DVec3::new(0.0, 0.0, 0.05 * (4.0 * p.x + phase).sin()));
        upkeep.refit(&mut tree, around(&there), &there.as_slice(), None);
    }
    let work = upkeep.work();
    assert_eq!((work.refits, work.rebuilds, work.rebuilt_pieces), (600, 0, 0));
}

/// Elements that change places within a small region spoil the pieces there, and only these are built anew.
#[test]
fn only_bad_pieces_are_built_anew() {
    let mut triangles = sheet(150);
    let mut tree = tree::<6>(Build::TIGHT, &triangles);
    let mut upkeep = RefitPolicy::of(&tree);
    let mut random = Random(5);
    let region: Vec<usize> = (0..triangles.len()).filter(|&i| triangles[i][0].max_element() < 0.25).collect();
    for i in (1..region.len()).rev() {
        triangles.swap(region[i], region[random.below(i as u64 + 1) as usize]);
    }
    upkeep.refit(&mut tree, around(&triangles), &triangles.as_slice(), None);
    tree.check(triangles.as_slice()).unwrap();
    let work = upkeep.work();
    assert_eq!(work.rebuilds, 0);
    assert!(work.rebuilt_pieces > 0);
    let (now, fresh) = (tree.quality(), self::tree::<6>(Build::TIGHT, &triangles).quality());
    assert_eq!(now.leaves, now.depth_histogram.iter().sum::<usize>());
    assert!(now.total_volume < 2.0 * fresh.total_volume, "{now}\n{fresh}");
    // Refits go on from there.
    let there = moved(&triangles, |p| p + DVec3::new(0.0, 0.0, 0.05 * (4.0 * p.x).sin()));
    upkeep.refit(&mut tree, around(&there), &there.as_slice(), None);
    tree.check(there.as_slice()).unwrap();
    upkeep.refit(&mut tree, around(&there), &there.as_slice(), Some(&[1, 2, 3]));
    tree.check(there.as_slice()).unwrap();
    assert_eq!(upkeep.work().rebuilt_pieces, work.rebuilt_pieces);
}

/// A tree that was built around a point knows nothing of its elements' places; one that has only been there does.
#[test]
fn a_collapse_costs_no_build_and_a_start_from_a_point_one() {
    let triangles = sheet(40);
    let point = moved(&triangles, |_| DVec3::splat(0.5));
    let mut built = tree::<6>(Build::TIGHT, &triangles);
    let mut upkeep = RefitPolicy::of(&built);
    for there in [&point, &triangles] {
        upkeep.refit(&mut built, around(there), &there.as_slice(), None);
    }
    assert_eq!(upkeep.work().rebuilds, 0);
    let mut built = tree::<6>(Build::TIGHT, &point);
    let mut upkeep = RefitPolicy::of(&built);
    upkeep.refit(&mut built, around(&triangles), &triangles.as_slice(), None);
    assert_eq!(upkeep.work().rebuilds, 1);
    built.check(triangles.as_slice()).unwrap();
}
