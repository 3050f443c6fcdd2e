//! What touches within a tolerance, what is inside within it, and what is the same solid twice.

use crate::effort::share;
use crate::voxels::Voxels;
use impinge::clash::{ClashKind, ClashOptions, check_pair};
use impinge::math::{DQuat, DVec3};
use impinge::query::{Contained, IntersectOptions};
use impinge::shapes;
use impinge::shapes::Random;
use impinge::{Mesh, Model, Placed, Trs, Verdict};

fn cuboid(min: [f64; 3], max: [f64; 3]) -> Model {
    Model::new(shapes::cuboid(min, max).unwrap())
}

/// Several boxes in one model.
fn boxes(list: &[[[f64; 3]; 2]]) -> Model {
    let mut corners = Vec::new();
    for [min, max] in list {
        let mesh = Mesh::from(shapes::cuboid(*min, *max).unwrap());
        let triangles = (0..mesh.face_count() as u32).flat_map(|face| mesh.fan(face));
        corners.extend(triangles.flatten().map(|vertex| mesh.vertex(vertex)));
    }
    Model::new(Mesh::soup(corners).unwrap())
}

/// The kind, which is the same with depths and without, whichever part is named first, and as `intersect_within` has it.
fn kind(a: &Placed<'_>, b: &Placed<'_>, touch: f64) -> Option<ClashKind> {
    let options = ClashOptions::new().touch(touch).separation(false).penetration(false);
    let found = check_pair(a, b, &options).map(|clash| clash.kind);
    assert_eq!(check_pair(a, b, &options.separation(true).penetration(true)).map(|clash| clash.kind), found);
    let swapped = check_pair(b, a, &options).map(|clash| clash.kind);
    let swap = |contained| if contained == Contained::A { Contained::B } else { Contained::A };
    let expected = match found {
        Some(ClashKind::Inside(contained)) => Some(ClashKind::Inside(swap(contained))),
        other => other,
    };
    assert_eq!(swapped, expected);
    let verdict = match found {
        None => Verdict::Clear,
        Some(ClashKind::Touching) => Verdict::Touching,
        Some(ClashKind::Inside(contained)) => Verdict::Inside(contained),
        _ => Verdict::Overlapping,
    };
    let within = a.intersect_within(b, IntersectOptions::new(), touch).verdict;
    // Faces on faces are duplicates by their corners, before anything else is asked.
    assert!(within == verdict || found == Some(ClashKind::Duplicate), "{within:?} {found:?}");
    found
}

const INSIDE_A: Option<ClashKind> = Some(ClashKind::Inside(Contained::A));
const INSIDE_B: Option<ClashKind> = Some(ClashKind::Inside(Contained::B));

#[test]
fn a_plug_between_two_plates_touches() {
    let plates = boxes(&[[[0.0, 0.0, -1.0], [9.0, 9.0, 0.0]], [[0.0, 0.0, 3.0], [9.0, 9.0, 4.0]]]);
    for off in [1e-7, 1e-9] {
        let plug = cuboid([1.0, 1.0, -off], [8.0, 8.0, 3.0 + off]);
        let [plates, plug] = [plates.at(Trs::IDENTITY), plug.at(Trs::IDENTITY)];
        assert_eq!(kind(&plates, &plug, 1e-6), Some(ClashKind::Touching));
        assert_eq!(kind(&plates, &plug, off / 2.0), Some(ClashKind::Overlapping));
    }
}

#[test]
fn solids_of_other_triangles_are_duplicates() {
    let touch = 1e-6;
    let plain = cuboid([0.0; 3], [1.0; 3]);
    let fine = Model::new(shapes::cuboid_grid([0.0; 3], [1.0; 3], [3, 4, 5]).unwrap());
    let here = plain.at(Trs::IDENTITY);
    assert_eq!(kind(&here, &fine.at(Trs::IDENTITY), touch), Some(ClashKind::Duplicate));
    for by in [[3e-7, 0.0, 0.0], [-2e-7, 3e-7, 1e-7]] {
        let moved = fine.at(Trs::translation(by).unwrap());
        assert_eq!(kind(&here, &moved, touch), Some(ClashKind::Duplicate));
        assert_eq!(kind(&here, &moved, 1e-8), Some(ClashKind::Overlapping));
    }
    let smaller = Model::new(shapes::cuboid_grid([2e-7; 3], [1.0 - 2e-7; 3], [3, 4, 5]).unwrap());
    assert_eq!(kind(&here, &smaller.at(Trs::IDENTITY), touch), Some(ClashKind::Duplicate));
    assert_eq!(kind(&here, &smaller.at(Trs::IDENTITY), 1e-8), INSIDE_B);
    // A slice of a cube is no duplicate, however thin the rest.
    let slice = Model::new(shapes::cuboid_grid([0.0; 3], [1.0, 1.0, 1.0 - 1e-5], [3, 4, 5]).unwrap());
    assert_eq!(kind(&here, &slice.at(Trs::IDENTITY), touch), INSIDE_B);
}

#[test]
fn what_sticks_out_by_a_trifle_is_inside() {
    let block = cuboid([0.0; 3], [4.0; 3]);
    let rod = cuboid([1.0, 1.0, -1e-7], [2.0, 2.0, 4.0 + 1e-7]);
    let [block, rod] = [block.at(Trs::IDENTITY), rod.at(Trs::IDENTITY)];
    assert_eq!(kind(&block, &rod, 1e-6), INSIDE_B);
    assert_eq!(kind(&rod, &block, 1e-6), INSIDE_A);
    assert_eq!(kind(&block, &rod, 1e-8), Some(ClashKind::Overlapping));
    let longer = cuboid([1.0, 1.0, -1e-7], [2.0, 2.0, 4.1]);
    assert_eq!(kind(&block, &longer.at(Trs::IDENTITY), 1e-6), Some(ClashKind::Overlapping));
}

/// A hollow block: the outer box, and a cavity with its faces turned.
fn hollow(outer: [[f64; 3]; 2], cavity: [[f64; 3]; 2]) -> Mesh {
    let soup = |[min, max]: [[f64; 3]; 2], turned: bool| {
        let mesh = Mesh::from(shapes::cuboid(min, max).unwrap());
        let triangles: Vec<[DVec3; 3]> = (0..mesh.face_count() as u32)
            .flat_map(|face| mesh.fan(face))
            .map(|face| face.map(|vertex| mesh.vertex(vertex)))
            .map(|[a, b, c]| if turned { [a, c, b] } else { [a, b, c] })
            .collect();
        triangles.into_iter().flatten()
    };
    Mesh::soup(soup(outer, false).chain(soup(cavity, true)).collect::<Vec<_>>()).unwrap()
}

#[test]
fn plugs_liners_and_cavities() {
    let touch = 1e-6;
    let block = Model::new(hollow([[0.0; 3], [6.0; 3]], [[2.0; 3], [4.0; 3]]));
    let block = block.at(Trs::IDENTITY);
    // A plug in its cavity, a little too large or too small.
    for off in [3e-7, 0.0, -3e-7] {
        let plug = cuboid([2.0 - off; 3], [4.0 + off; 3]);
        assert_eq!(kind(&block, &plug.at(Trs::IDENTITY), touch), Some(ClashKind::Touching), "{off}");
    }
    let plug = cuboid([2.0 - 1e-4; 3], [4.0 + 1e-4; 3]);
    assert_eq!(kind(&block, &plug.at(Trs::IDENTITY), touch), Some(ClashKind::Overlapping));
    // What fills the cavity is outside of the block, although its surface is on the block's.
    let more = boxes(&[[[2.0; 3], [4.0; 3]], [[0.5; 3], [1.0; 3]]]);
    assert_eq!(kind(&block, &more.at(Trs::IDENTITY), touch), Some(ClashKind::Overlapping));
    let filled = cuboid([0.0; 3], [6.0; 3]);
    assert_eq!(kind(&block, &filled.at(Trs::IDENTITY), touch), INSIDE_A);
    // A liner that fits its shell from inside, and one that fills a part of it.
    let liner = Model::new(hollow([[2.0; 3], [4.0; 3]], [[2.5; 3], [3.5; 3]]));
    assert_eq!(kind(&block, &liner.at(Trs::IDENTITY), touch), Some(ClashKind::Touching));
    let shell = Model::new(hollow([[3e-7; 3], [6.0 - 2e-7; 3]], [[1.5; 3], [4.5; 3]]));
    assert_eq!(kind(&block, &shell.at(Trs::IDENTITY), touch), INSIDE_B);
}

#[test]
fn sheets_that_cross_do_not_touch() {
    let touch = 1e-6;
    let sheet = cuboid([-5.0, -5.0, 0.0], [5.0, 5.0, 1e-3]);
    let upright = Trs::rotation_about_axis([1.0, 0.0, 0.0], 90.0).unwrap();
    assert_eq!(kind(&sheet.at(Trs::IDENTITY), &sheet.at(upright), touch), Some(ClashKind::Overlapping));
    let shifted = sheet.at(Trs::translation([3.0, 2.0, 0.0]).unwrap());
    assert_eq!(kind(&sheet.at(Trs::IDENTITY), &shifted, touch), Some(ClashKind::Overlapping));
    // Half a sheet deep.
    let sunk = sheet.at(Trs::translation([3.0, 2.0, 5e-4]).unwrap());
    assert_eq!(kind(&sheet.at(Trs::IDENTITY), &sunk, touch), Some(ClashKind::Overlapping));
    // Surfaces have no depth: what a short move ends touches.
    let surface = |by: f64| {
        let corners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]].map(|[x, y]| DVec3::new(x, y, by * x));
        Model::new(Mesh::soup(corners.to_vec()).unwrap())
    };
    let [flat, tilted] = [surface(0.0), surface(1e-7)];
    let below = tilted.at(Trs::translation([0.1, 0.1, -3e-8]).unwrap());
    assert_eq!(kind(&flat.at(Trs::IDENTITY), &below, touch), Some(ClashKind::Touching));
    let deep = surface(0.5);
    let below = deep.at(Trs::translation([0.0, 0.0, -0.2]).unwrap());
    assert_eq!(kind(&flat.at(Trs::IDENTITY), &below, touch), Some(ClashKind::Overlapping));
}

/// Blocks of a grid whose planes are a little off: they share blocks or they do not, whatever rounding did.
#[test]
fn blocks_of_a_shaken_grid() {
    let mut random = Random::new(31);
    let mut seen = [0; 4];
    for case in 0..share(30, 400) {
        let count = 1 + random.below(3) as usize;
        let first = Voxels::random(&mut random, count, 0.3);
        let second = match random.below(4) {
            0 => first.clone(),
            1 => {
                let mut fewer = first.clone();
                let keep: Vec<bool> = fewer.cells.iter().map(|_| random.below(2) == 0).collect();
                let mut keep = keep.into_iter();
                fewer.cells.retain(|_| keep.next().unwrap());
                if fewer.cells.is_empty() { first.clone() } else { fewer }
            }
            2 => {
                let mut rest = Voxels::random(&mut random, count, 0.6);
                rest.cells.retain(|cell| !first.cells.contains(cell));
                if rest.cells.is_empty() { first.clone() } else { rest }
            }
            _ => Voxels::random(&mut random, count, 0.4),
        };
        let touch = [1e-6, 1e-4, 1e-2][random.below(3) as usize];
        let far = [0.0, 0.0, 1e3][random.below(3) as usize];
        // Both may be off by half of it.
        let shaken = [&first, &second].map(|voxels| voxels.shaken(&mut random, 0.25 * touch));
        let turn = DQuat::from_axis_angle(random.direction(), random.between(0.0, 6.0));
        let place = match random.below(3) {
            0 => Trs::IDENTITY,
            _ => Trs::rigid(random.in_cube() * far, turn).unwrap(),
        };
        let models = shaken.each_ref().map(|voxels| voxels.model(&mut random));
        let expected = if first.cells == second.cells {
            Some(ClashKind::Duplicate)
        } else if first.cells.is_subset(&second.cells) {
            INSIDE_A
        } else if second.cells.is_subset(&first.cells) {
            INSIDE_B
        } else if !first.cells.is_disjoint(&second.cells) {
            Some(ClashKind::Overlapping)
        } else if first.meets(&second) {
            Some(ClashKind::Touching)
        } else {
            None
        };
        let found = kind(&models[0].at(place), &models[1].at(place), touch);
        assert_eq!(found, expected, "case {case}: {first:?} {second:?} touch {touch}");
        seen[match found {
            Some(ClashKind::Duplicate) => 0,
            Some(ClashKind::Inside(_)) => 1,
            Some(ClashKind::Overlapping) => 2,
            Some(ClashKind::Touching) => 3,
            _ => continue,
        }] += 1;
    }
    println!("{seen:?}");
    assert!(seen.iter().all(|&count| count > 2), "{seen:?}");
}

/// A larger tolerance never makes an overlap of what touched.
#[test]
fn a_larger_tolerance_never_turns_touching_into_overlapping() {
    let models = [
        cuboid([-0.5; 3], [0.5; 3]),
        Model::new(shapes::torus(0.5, 0.2, 10, 6).unwrap()),
        Model::new(shapes::star(0.7, 0.3, 2).unwrap()),
        Model::new(shapes::icosphere(0.5, 3).unwrap()),
    ];
    let mut random = Random::new(6);
    let mut touched = 0;
    for case in 0..share(30, 400) {
        let [a, b] = [0, 1].map(|_| {
            let turn = DQuat::from_axis_angle(random.direction(), random.between(0.0, 6.0));
            let model = &models[random.below(models.len() as u32) as usize];
            model.at(Trs::rigid(random.in_cube() * 0.6, turn).unwrap())
        });
        let mut has_touched = false;
        for step in 0..8 {
            let touch = 1e-3 * f64::from(2_u32.pow(step)) * 1.5;
            let found = kind(&a, &b, touch);
            assert!(
                !has_touched || matches!(found, Some(ClashKind::Touching)),
                "case {case}: {found:?} at {touch}"
            );
            has_touched |= found == Some(ClashKind::Touching);
        }
        touched += u32::from(has_touched);
    }
    assert!(touched > 3, "{touched}");
}
