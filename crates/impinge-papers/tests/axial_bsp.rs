//! Axial BSP trees: every box that meets another, each once, against trying all.

use crate::effort::share;
use std::ops::ControlFlow;
use std::time::Instant;

use crate::oracle::cases::Random;
use impinge::bounds::Aabb;
use impinge::math::DVec3;
use impinge::query::{Engine, Scratch, Volume, VolumeOptions};
use impinge::{Mesh, Model, Trs};
use impinge_core::bvh::NearStack;
use impinge_papers::van_waveren::axial_bsp::{AxialBsp, BspStack};

fn case_count() -> u64 {
    share(100, 2000)
}

fn around(p: DVec3, q: DVec3) -> Aabb {
    Aabb::around([p, q])
}

/// Boxes of many kinds: small and large, flat, equal, nested, on a lattice so that sides coincide, and of every size.
fn boxes(random: &mut Random) -> Vec<Aabb> {
    let count = random.below(300) as usize;
    let kind = random.below(7);
    let scale = [1.0, 1e-300, 1e300, 1.7e308][if kind == 6 { 1 + random.below(3) as usize } else { 0 }];
    let one = |random: &mut Random| match kind {
        0 => {
            let p = random.vector();
            around(p, p + random.vector() * 0.05)
        }
        1 => around(random.vector(), random.vector()),
        2 => around(random.lattice(3), random.lattice(3)),
        3 => {
            let p = random.lattice(4);
            around(p, p + DVec3::new(random.below(2) as f64, random.below(3) as f64, 0.0))
        }
        4 => around(-random.vector().abs(), random.vector().abs()),
        5 => around(DVec3::ZERO, DVec3::ONE),
        _ => {
            let p = random.vector();
            around(p * scale, (p + random.vector() * 0.1).clamp(-DVec3::ONE, DVec3::ONE) * scale)
        }
    };
    (0..count).map(|_| one(random)).collect()
}

#[test]
fn finds_what_trying_all_finds() {
    let mut stack = BspStack::default();
    let mut total = 0;
    for case in 0..case_count() {
        let mut random = Random(case << 8 | 0xb5);
        let mut boxes = boxes(&mut random);
        if random.below(4) == 0 {
            boxes.push(Aabb::EMPTY);
        }
        let tree = AxialBsp::build(&boxes);
        let whole = boxes.iter().filter(|b| !b.is_empty()).count();
        assert_eq!(tree.len(), whole);
        assert!(tree.entry_count() <= 2 * whole);
        assert!(tree.depth() <= 2 * (usize::BITS - whole.leading_zeros()) as usize + 8);
        let bounds = boxes.iter().fold(Aabb::EMPTY, |all, one| all.merge(*one));
        for _ in 0..20 {
            let asked = match random.below(6) {
                0 if !boxes.is_empty() => boxes[random.below(boxes.len() as u64) as usize],
                1 => around(random.lattice(4), random.lattice(4)),
                2 => Aabb { min: DVec3::splat(-1e308), max: DVec3::splat(1e308) },
                // A corner of a box.
                3 if !boxes.is_empty() => {
                    let corner = boxes[random.below(boxes.len() as u64) as usize].max;
                    around(corner, corner)
                }
                4 if !bounds.is_empty() => {
                    let at = |random: &mut Random| {
                        bounds.center() + (bounds.max * 0.5 - bounds.min * 0.5) * random.vector()
                    };
                    around(at(&mut random), at(&mut random))
                }
                _ => around(random.vector(), random.vector()),
            };
            let mut found = Vec::new();
            tree.for_each_meeting(&asked, &mut stack, |element| found.push(element));
            found.sort_unstable();
            let expected: Vec<u32> =
                (0..).zip(&boxes).filter(|(_, b)| b.overlaps(&asked)).map(|(element, _)| element).collect();
            assert_eq!(found, expected, "case {case}: {asked:?}");
            total += found.len();
        }
    }
    println!("{total} found");
    assert!(total as u64 > case_count() * 20);
}

#[test]
fn boxes_that_are_not_finite_are_met_by_nothing() {
    let boxes = [
        Aabb { min: DVec3::NAN, max: DVec3::NAN },
        Aabb { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY },
        Aabb { min: DVec3::ZERO, max: DVec3::ONE },
    ];
    let tree = AxialBsp::build(&boxes);
    let mut found = Vec::new();
    tree.for_each_meeting(&boxes[2], &mut BspStack::default(), |element| found.push(element));
    assert_eq!((tree.len(), found), (1, vec![2]));
    assert!(AxialBsp::build(&[]).is_empty());
}

/// The faces of an OBJ file, as triangles.
fn read(path: &str) -> Mesh {
    let text = std::fs::read_to_string(path).unwrap();
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let p: Vec<f64> = words.take(3).map(|word| word.parse().unwrap()).collect();
                points.push([p[0], p[1], p[2]]);
            }
            Some("f") => {
                let corners: Vec<u32> =
                    words.map(|word| word.split('/').next().unwrap().parse::<u32>().unwrap() - 1).collect();
                triangles.extend((2..corners.len()).map(|k| [corners[0], corners[k - 1], corners[k]]));
            }
            _ => {}
        }
    }
    Mesh::triangles(points, triangles).unwrap()
}

/// The time of one run, in nanoseconds, if it is less than before.
fn time(least: &mut f64, run: impl FnOnce()) {
    let start = Instant::now();
    run();
    *least = least.min(start.elapsed().as_secs_f64() * 1e9);
}

/// Run in release with OBJ files in `IMPINGE_OBJ`, separated by colons.
#[test]
#[ignore = "a benchmark: prints figures"]
fn figures_beside_a_dop_tree() {
    let files = std::env::var("IMPINGE_OBJ").expect("IMPINGE_OBJ names OBJ files");
    for file in files.split(':') {
        let mesh = read(file);
        let boxes: Vec<Aabb> = (0..mesh.face_count() as u32)
            .map(|face| Aabb::around(mesh.fan_triangle(face, 0).map(|vertex| mesh.vertex(vertex))))
            .collect();
        let start = Instant::now();
        let bsp = AxialBsp::build(&boxes);
        let built_bsp = start.elapsed().as_secs_f64() * 1e3;
        let model = Model::new(mesh);
        let start = Instant::now();
        let dop = model.bvh();
        let built_dop = start.elapsed().as_secs_f64() * 1e3;
        println!(
            "{file}: {} triangles; BSP {built_bsp:.1} ms, {} entries, depth {}, {} kB; DOP-tree {built_dop:.1} ms, {} kB",
            boxes.len(),
            bsp.entry_count(),
            bsp.depth(),
            bsp.bytes() / 1024,
            dop.bytes() / 1024,
        );
        let placed = model.at(Trs::IDENTITY);
        let extent = model.bounds().size().max_element();
        let mut random = Random(7);
        for part in [0.002, 0.02, 0.1, 0.4] {
            let asked: Vec<Aabb> = (0..100)
                .map(|_| {
                    let center = boxes[random.below(boxes.len() as u64) as usize].center();
                    let half = DVec3::splat(0.5 * part * extent);
                    Aabb { min: center - half, max: center + half }
                })
                .collect();
            let count = asked.len();
            let (mut by_bsp, mut by_boxes, mut by_volume) = (0_u64, 0_u64, 0_u64);
            let (mut bsp_stack, mut near_stack, mut scratch) =
                (BspStack::default(), NearStack::default(), Scratch::default());
            // In turns, and the least of many: other work on the machine only ever adds.
            let mut least = [f64::INFINITY; 3];
            for _ in 0..40 {
                time(&mut least[0], || {
                    by_bsp = 0;
                    for one in &asked {
                        bsp.for_each_meeting(one, &mut bsp_stack, |_| by_bsp += 1);
                    }
                });
                time(&mut least[1], || {
                    by_boxes = 0;
                    for one in &asked {
                        dop.for_each_near(one, &mut near_stack, |element| {
                            by_boxes += u64::from(boxes[element as usize].overlaps(one));
                        });
                    }
                });
                time(&mut least[2], || {
                    by_volume = 0;
                    for one in &asked {
                        placed.for_each_face_touching_in(
                            &Volume::Aabb(*one),
                            VolumeOptions::new().engine(Engine::Bvh),
                            &mut scratch,
                            |_| {
                                by_volume += 1;
                                ControlFlow::Continue(())
                            },
                        );
                    }
                });
            }
            let [bsp_ns, boxes_ns, volume_ns] = least.map(|time| time / count as f64);
            assert_eq!(by_bsp, by_boxes);
            println!(
                "  boxes of {part}: {:.1} boxes, {:.1} triangles found; BSP {bsp_ns:.0} ns, DOP-tree with boxes \
                 {boxes_ns:.0} ns, volume query (exact) {volume_ns:.0} ns",
                by_bsp as f64 / count as f64,
                by_volume as f64 / count as f64,
            );
        }
    }
}
