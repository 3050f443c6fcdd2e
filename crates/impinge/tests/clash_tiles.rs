//! Clash searches in tiles: the bits of one search, however the pairs are cut and in whatever order the answers come.

use std::ops::ControlFlow;

use impinge::clash::tiles::{Finding, FindingRow, Outline, Plan, Tile, check_tile};
use impinge::clash::{ClashOptions, detect_with};
use impinge::math::DQuat;
use impinge::shapes::{self, Random};
use impinge::{Mesh, Model, Placed, Trs};

use crate::effort::share;

/// Solids, a sheet, a soup that crosses itself, a solid that is open, and a slab that is wider than many others together.
fn models() -> Vec<Model> {
    let ball = Mesh::from(shapes::icosphere(0.4, 3).unwrap());
    let triangles: Vec<[u32; 3]> = (4..ball.face_count() as u32).flat_map(|face| ball.fan(face)).collect();
    let open = Mesh::triangles(ball.vertices(), triangles).unwrap();
    vec![
        Model::new(shapes::cuboid([-0.5; 3], [0.5; 3]).unwrap()),
        Model::new(shapes::torus(0.6, 0.2, 12, 8).unwrap()),
        Model::new(open),
        Model::new(shapes::star(0.7, 0.3, 2).unwrap()),
        Model::new(shapes::cuboid([-20.0, -0.1, -20.0], [20.0, 0.1, 20.0]).unwrap()),
    ]
}

/// Parts at random places, some turned and some on a grid where they touch, with copies of one neighborhood.
fn parts<'m>(models: &'m [Model], count: u32, random: &mut Random) -> Vec<Placed<'m>> {
    let side = f64::from(count).cbrt();
    let (solids, slab) = (&models[..4], &models[4]);
    let mut parts = Vec::new();
    for _ in 0..count {
        let model = &solids[random.below(4) as usize];
        let place = random.in_cube() * side;
        let is_turned = random.below(2) == 0;
        let turn = DQuat::from_axis_angle(random.direction(), random.between(0.0, 6.0));
        let trs = if is_turned { Trs::rigid(place, turn) } else { Trs::translation(place.round()) };
        parts.push(model.at(trs.unwrap()));
    }
    parts.push(slab.at(Trs::IDENTITY));
    parts.push(slab.at(Trs::translation([0.0, 0.15, 1.0]).unwrap()));
    for copy in 1..4 {
        // Copies are known as such where places are rounded alike.
        let by = 130.0 + 10.0 * f64::from(copy);
        for (model, x) in [(0, 0.0), (1, 0.4), (3, 1.1)] {
            parts.push(models[model].at(Trs::translation([x, by, 0.0]).unwrap()));
        }
    }
    parts
}

fn outlines(parts: &[Placed<'_>], models: &[Model]) -> Vec<Outline> {
    let number = |part: &Placed<'_>| models.iter().position(|model| std::ptr::eq(model, part.model()));
    parts.iter().map(|part| Outline::new(part, number(part).unwrap() as u64)).collect()
}

/// The answers of a tile, as a worker finds them who has only its parts, each model made anew.
fn by_a_worker(
    tile: &Tile,
    plan: &Plan,
    parts: &[Placed<'_>],
    rounding: &[f64],
    options: &ClashOptions<'_>,
) -> Vec<(u32, Finding)> {
    let own: Vec<Model> =
        tile.parts.iter().map(|part| Model::new(parts[*part as usize].model().mesh().clone())).collect();
    let placed: Vec<Placed<'_>> = own
        .iter()
        .zip(&tile.parts)
        .map(|(model, part)| model.at(*parts[*part as usize].placement()))
        .collect();
    let rounding: Vec<f64> = tile.parts.iter().map(|part| rounding[*part as usize]).collect();
    let options = options.rounding(Some(&rounding));
    let found = check_tile(&placed, &tile.local_pairs(plan), &options);
    // Answers travel in plain numbers.
    let travelled = |finding: &Finding| FindingRow::from(finding).finding().unwrap();
    found.iter().map(|(pair, finding)| (tile.pairs[*pair as usize], travelled(finding))).collect()
}

fn shuffled<T>(list: &mut [T], random: &mut Random) {
    for end in (1..list.len()).rev() {
        list.swap(end, random.below(end as u32 + 1) as usize);
    }
}

#[test]
fn tiles_have_the_bits_of_one_search() {
    let models = models();
    for seed in 0..share(2, 20) {
        let mut random = Random::new(seed);
        let parts = parts(&models, 60, &mut random);
        let outlines = outlines(&parts, &models);
        let rounding: Vec<f64> = parts.iter().map(|_| random.between(0.0, 1e-7)).collect();
        let accept = |a: u32, b: u32| !(a + b).is_multiple_of(7);
        let options = ClashOptions::new().clearance(0.05).rounding(Some(&rounding)).accept(Some(&accept));
        let expected = detect_with(&parts, &options);
        assert!(expected.clashes.len() > 20, "seed {seed}: {}", expected.clashes.len());
        let plan = Plan::new(&outlines, &options);
        for tiles in [1, 2, 7, 64, 100_000] {
            let mut found = Vec::new();
            let mut cut = plan.tiles(&outlines, plan.work(&outlines) / tiles);
            shuffled(&mut cut, &mut random);
            for tile in &cut {
                // A task may run twice.
                for _ in 0..1 + random.below(2) {
                    found.extend(by_a_worker(tile, &plan, &parts, &rounding, &options));
                }
            }
            shuffled(&mut found, &mut random);
            assert_eq!(plan.merge(&outlines, found), expected, "seed {seed}, {tiles} tiles");
        }
    }
}

#[test]
fn every_tested_pair_is_in_one_tile_and_work_is_bounded() {
    let models = models();
    let mut random = Random::new(3);
    let parts = parts(&models, 2000, &mut random);
    let outlines = outlines(&parts, &models);
    let plan = Plan::new(&outlines, &ClashOptions::new());
    let work_of = |number: &u32| {
        let [a, b] = plan.pairs()[*number as usize].map(|part| outlines[part as usize].faces);
        64 + a + b
    };
    let whole = plan.work(&outlines);
    for wanted in [1, 3, 50, 500] {
        let most = whole / wanted;
        let tiles = plan.tiles(&outlines, most);
        let mut all: Vec<u32> = tiles.iter().flat_map(|tile| tile.pairs.iter().copied()).collect();
        all.sort_unstable();
        assert_eq!(all, plan.tested());
        for tile in &tiles {
            assert!(tile.pairs.len() == 1 || tile.pairs.iter().map(work_of).sum::<u64>() <= most);
            for (local, number) in tile.local_pairs(&plan).iter().zip(&tile.pairs) {
                assert_eq!(local.map(|part| tile.parts[part as usize]), plan.pairs()[*number as usize]);
            }
        }
        assert!(tiles.len() as u64 <= 4 * wanted + 4, "{} tiles, {wanted} wanted", tiles.len());
    }
}

/// A slab among thousands of parts goes to as many tiles as its neighbors fill, and not to all that it spans.
#[test]
fn what_is_wide_is_in_few_tiles() {
    let models = models();
    let mut random = Random::new(4);
    // All of these stand on the slab or above it.
    let mut parts: Vec<Placed<'_>> = Vec::new();
    for _ in 0..4000 {
        let at = random.in_cube();
        parts.push(models[1].at(Trs::translation([20.0 * at.x, 5.0 * (at.y + 1.0), 20.0 * at.z]).unwrap()));
    }
    let slab = parts.len() as u32;
    parts.push(models[4].at(Trs::IDENTITY));
    let outlines = outlines(&parts, &models);
    let plan = Plan::new(&outlines, &ClashOptions::new());
    let tiles = plan.tiles(&outlines, plan.work(&outlines) / 100);
    assert!(tiles.len() >= 100);
    let pairs = plan.pairs().iter().filter(|pair| pair.contains(&slab)).count();
    let share = (pairs * 100).div_ceil(plan.pairs().len());
    let with_slab = tiles.iter().filter(|tile| tile.parts.contains(&slab)).count();
    assert!(pairs > 200 && with_slab <= 2 * share + 2, "{with_slab} tiles for {share} % of the work");
}

#[test]
fn copies_are_tested_once_and_named_where_a_pair_failed() {
    let models = models();
    let mut random = Random::new(5);
    let parts = parts(&models, 30, &mut random);
    let outlines = outlines(&parts, &models);
    let plan = Plan::new(&outlines, &ClashOptions::new().touch(1e-6));
    let tested = plan.tested();
    assert!(tested.len() < plan.pairs().len());
    assert_eq!(plan.copies_of(&tested), (0..plan.pairs().len() as u32).collect::<Vec<_>>());
    let copies: Vec<usize> = tested.iter().map(|number| plan.copies_of(&[*number]).len()).collect();
    assert_eq!(copies.iter().sum::<usize>(), plan.pairs().len());
    assert!(copies.contains(&3), "three copies of a neighborhood");
}

/// A search that is ended tells so.
#[test]
fn an_interrupted_search_is_partial() {
    let models = models();
    let mut random = Random::new(6);
    let parts = parts(&models, 30, &mut random);
    let stop = |_| ControlFlow::Break(());
    assert!(detect_with(&parts, &ClashOptions::new().progress(Some(&stop))).partial);
    assert!(!detect_with(&parts, &ClashOptions::new()).partial);
}
