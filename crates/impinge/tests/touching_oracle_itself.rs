//! The oracle of touching starts, held against answers that are known and against itself.

use std::collections::BTreeSet;

use crate::oracle::cases::Random;
use crate::touching_oracle::lattice::{Point, Ratio, apply, determinant, directions, dot, scaled, tilt};
use crate::touching_oracle::lift::{Lifted, can_get_on, is_wedged};
use crate::touching_oracle::obstacle::{Obstacle, Standing};
use crate::touching_oracle::polyhedron::{Polyhedron, obstacle, random_polyhedron, touching_translations};
use crate::touching_oracle::shapes::{
    random_box, random_floor, random_polycube, random_prism, random_surroundings,
};
use crate::touching_oracle::solid::{Solid, obstacles, standing_at, touching_start};
use crate::touching_oracle::surface::{DIVISIONS, Surface};
use crate::touching_oracle::timeline::{Course, Timeline, by_looking};
use impinge::math::DVec3;

const UNIT: [Point; 2] = [[0; 3], [2; 3]];

fn cubes() -> Vec<Obstacle> {
    let cube = Solid::of_box(UNIT[0], UNIT[1]);
    obstacles(&cube, &cube)
}

fn ratio(num: i64, den: i64) -> Option<Ratio> {
    Some(Ratio::new(num, den))
}

#[test]
fn courses_of_two_cubes_are_known() {
    let cubes = cubes();
    // Side by side, shifted by half, at an edge, at a corner.
    for start in [[2, 0, 0], [2, 1, 0], [2, 1, -1]] {
        let course = |by: Point| Timeline::new(&cubes, start, by).course();
        assert_eq!(course([1, 0, 0]), Course::Parts);
        assert_eq!(course([1, 1, -1]), Course::Parts);
        assert_eq!(course([0, 1, 0]), Course::Slides);
        assert_eq!(course([0, -1, 1]), Course::Slides);
        assert_eq!(course([-1, 0, 0]), Course::Presses);
        assert_eq!(course([-1, 1, 1]), Course::Presses);
    }
    let course = |by: Point| Timeline::new(&cubes, [2, 2, 0], by).course();
    assert_eq!(course([-1, 0, 0]), Course::Slides);
    assert_eq!(course([0, 0, 1]), Course::Slides);
    assert_eq!(course([-1, 1, 0]), Course::Parts);
    assert_eq!(course([-1, -1, 0]), Course::Presses);
    let course = |by: Point| Timeline::new(&cubes, [2, 2, 2], by).course();
    assert_eq!(course([-1, 0, 0]), Course::Slides);
    assert_eq!(course([-1, -1, 0]), Course::Slides);
    assert_eq!(course([-1, -1, 1]), Course::Parts);
    assert_eq!(course([-1, -1, -1]), Course::Presses);
}

#[test]
fn stops_of_a_cube_between_others_are_known() {
    // A floor of two slabs with a seam, a wall, and a block beyond a trench.
    let boxes = [
        [[-10, -10, -2], [0, 10, 0]],
        [[0, -10, -2], [10, 10, 0]],
        [[6, -10, 0], [8, 10, 8]],
        [[-20, -10, -2], [-14, 10, 0]],
    ];
    let cube = Solid::of_box(UNIT[0], UNIT[1]);
    let all = obstacles(&cube, &Solid { boxes: boxes.to_vec() });
    let at = |start: Point, by: Point| Timeline::new(&all, start, by);
    // Along the floor, over the seam, up to the wall.
    let slide = at([-6, 0, 0], [16, 0, 0]);
    assert_eq!((slide.course(), slide.first_stop()), (Course::Slides, ratio(10, 16)));
    // Beside the wall's height, and over it.
    assert_eq!(at([-6, 0, 8], [30, 0, 0]).standing(), Standing::Clear);
    assert_eq!(at([-6, 0, 8], [30, 0, 0]).first_stop(), ratio(10, 30));
    assert_eq!(at([-6, 0, 9], [30, 0, 0]).first_stop(), None);
    // Over the trench onto the block beyond: parted, then touching again.
    let over = at([-8, 0, 0], [-10, 0, 0]);
    assert_eq!(
        (over.course(), over.parted(), over.first_stop()),
        (Course::Slides, Ratio::new(4, 10), ratio(6, 10))
    );
    let over = at([-7, 0, 0], [-2, 0, 0]);
    assert_eq!(over.first_stop(), None);
    // Where the motion ends with the stretch, nothing has ended it.
    assert_eq!(at([-6, 0, 0], [10, 0, 0]).first_stop(), None);
    assert_eq!(at([-6, 0, 3], [0, 0, -3]).first_stop(), ratio(1, 1));
    assert_eq!(at([-6, 0, -1], [1, 0, 0]).standing(), Standing::Overlapping);
}

#[test]
fn wedges_are_known() {
    let cube = Solid::of_box(UNIT[0], UNIT[1]);
    let left = [[-2, -2, -2], [0, 4, 4]];
    let right = [[2, -2, -2], [4, 4, 4]];
    let slot = obstacles(&cube, &Solid { boxes: vec![left, right] });
    assert!(is_wedged(&slot, [0, 0, 0]));
    assert!(is_wedged(&slot, [0, 1, 3]));
    let one = obstacles(&cube, &Solid { boxes: vec![left] });
    assert!(!is_wedged(&one, [0, 0, 0]) && can_get_on(&one, [0; 3], [0, 1, 0]));
    // Wide enough for a lift, and touched on one side.
    let wide = obstacles(&cube, &Solid { boxes: vec![left, [[3, -2, -2], [4, 4, 4]]] });
    assert!(!is_wedged(&wide, [0, 0, 0]));
    // On the rims of both walls the way up is free. Above the slot, the way in is not.
    assert!(!is_wedged(&slot, [0, 0, 4]));
    assert!(can_get_on(&slot, [0, 0, 4], [0, 1, 0]));
    assert!(!can_get_on(&slot, [0, 0, 4], [0, 0, -1]));
    assert_eq!(Timeline::new(&slot, [0, 0, 4], [0, 0, -1]).course(), Course::Slides);
    // Onto the top of a block whose edge is touched: only a lift with a part upward leads on.
    let block = obstacles(&cube, &Solid { boxes: vec![[[-4, 0, -2], [0, 2, 0]]] });
    assert!(can_get_on(&block, [0, 0, 0], [-1, 0, 0]));
}

#[test]
fn lifted_paths_are_known() {
    let cube = Solid::of_box(UNIT[0], UNIT[1]);
    let floor = [[-10, -10, -2], [10, 10, 0]];
    let wall = [[6, -10, 0], [8, 10, 8]];
    let all = obstacles(&cube, &Solid { boxes: vec![floor, wall] });
    let up = DVec3::new(0.0, 0.0, 1e-11);
    let path = Lifted { obstacles: &all, start: [0; 3], by: [8, 0, 0], lift: up };
    assert_eq!(path.first_touch(), Some(0.5));
    assert_eq!(path.distance(0.25), 1e-11);
    assert!(path.is_stopped(0.5 - 1e-12, 1e-10, 1e-11, 1e-14));
    assert!(!path.is_stopped(0.25, 1e-10, 1e-11, 1e-14));
    let down = Lifted { lift: -up, ..path };
    assert_eq!(down.first_touch(), Some(0.0));
    // Along a wall that is touched only later, at the same height as the skin or nearer.
    let post = [[6, 2, 0], [8, 4, 8]];
    let all = obstacles(&cube, &Solid { boxes: vec![floor, post] });
    let path = Lifted { obstacles: &all, start: [0; 3], by: [16, 0, 0], lift: up };
    assert_eq!(path.first_touch(), Some(0.25));
    let aside = DVec3::new(0.0, -1e-11, 1e-11);
    let path = Lifted { obstacles: &all, start: [0; 3], by: [16, 0, 0], lift: aside };
    assert_eq!(path.first_touch(), None);
    assert!(!path.is_stopped(0.25 - 1e-12, 1e-10, 2e-11, 1e-14));
}

#[test]
fn spans_agree_with_looking_at_every_time() {
    let mut random = Random(11);
    let mut seen = BTreeSet::new();
    for case in 0..if cfg!(debug_assertions) { 60 } else { 600 } {
        let (a, b) = match case % 3 {
            0 => (random_box(&mut random), random_floor(&mut random)),
            1 => (random_polycube(&mut random), random_prism(&mut random)),
            _ => (random_box(&mut random), random_surroundings(&mut random)),
        };
        let all = obstacles(&a.solid, &b.solid);
        for _ in 0..4 {
            let start = if random.below(3) == 0 { None } else { touching_start(&all, &mut random) };
            let start = start.unwrap_or_else(|| [0; 3].map(|_| random.below(15) as i64 - 7));
            let by = [0; 3].map(|_| random.below(15) as i64 - 7);
            if by == [0; 3] {
                continue;
            }
            let timeline = Timeline::new(&all, start, by);
            let (standing, stop, course) = by_looking(&all, start, by);
            assert_eq!(timeline.standing(), standing);
            assert_eq!(timeline.first_stop(), stop, "case {case}: {start:?} {by:?} {standing:?}");
            if standing == Standing::Touching {
                assert_eq!(timeline.course(), course);
                assert_eq!(course == Course::Presses, stop == ratio(0, 1));
            }
            seen.insert((standing, course, stop.is_some()));
        }
    }
    assert!(seen.len() >= if cfg!(debug_assertions) { 6 } else { 8 }, "{seen:?}");
}

/// Cells in another way: which lattice points of half the side are inside, and which on the boundary.
#[test]
fn unions_of_cells_overlap_where_cells_do() {
    let mut random = Random(12);
    for _ in 0..if cfg!(debug_assertions) { 20 } else { 200 } {
        let (a, b) = (random_polycube(&mut random), random_polycube(&mut random));
        let all = obstacles(&a.solid, &b.solid);
        let [in_a, in_b] = [&a, &b].map(|shape| shape.solid.cells());
        for _ in 0..20 {
            let x: Point = [0; 3].map(|_| 2 * (random.below(9) as i64 - 4));
            let shift = x.map(|x| x / 2);
            let moved: BTreeSet<Point> = in_a.iter().map(|c| [0, 1, 2].map(|k| c[k] + shift[k])).collect();
            let corners = |cells: &BTreeSet<Point>| -> BTreeSet<Point> {
                let around = |c: &Point| {
                    let c = *c;
                    (0..8).map(move |code| [0, 1, 2].map(|k| c[k] + i64::from(code >> k & 1 == 1)))
                };
                cells.iter().flat_map(around).collect()
            };
            let expected = if !moved.is_disjoint(&in_b) {
                Standing::Overlapping
            } else if corners(&moved).is_disjoint(&corners(&in_b)) {
                Standing::Clear
            } else {
                Standing::Touching
            };
            assert_eq!(standing_at(&all, x), expected);
        }
    }
}

#[test]
fn polyhedra_agree_with_boxes_and_known_answers() {
    let corners = |min: Point, max: Point| -> Vec<Point> {
        (0..8).map(|code| [0, 1, 2].map(|k| if code >> k & 1 == 0 { min[k] } else { max[k] })).collect()
    };
    let cube = Polyhedron::hull(&corners([0; 3], [2; 3]));
    let slab = Polyhedron::hull(&corners([-4, -4, -2], [4, 4, 0]));
    assert_eq!((cube.facets.len(), cube.corners.len()), (6, 8));
    let convex = obstacle(&cube, &slab);
    let boxes = Obstacle::of_boxes([[0; 3], [2; 3]], [[-4, -4, -2], [4, 4, 0]]);
    for x in -8..8 {
        for y in -8..8 {
            for z in -6..4 {
                assert_eq!(convex.standing_at([x, y, z]), boxes.standing_at([x, y, z]));
            }
        }
    }
    // Two octahedra: corner on corner, edge on edge, face on face.
    let octahedron = Polyhedron::hull(&[[2, 0, 0], [-2, 0, 0], [0, 2, 0], [0, -2, 0], [0, 0, 2], [0, 0, -2]]);
    assert_eq!((octahedron.facets.len(), octahedron.corners.len()), (8, 6));
    let pair = obstacle(&octahedron, &octahedron);
    for (x, standing) in [
        ([4, 0, 0], Standing::Touching),
        ([2, 2, 0], Standing::Touching),
        ([1, 1, 2], Standing::Touching),
        ([1, 1, 1], Standing::Overlapping),
        ([2, 2, 1], Standing::Clear),
    ] {
        assert_eq!(pair.standing_at(x), standing, "{x:?}");
    }
    let course = |start: Point, by: Point| Timeline::new(std::slice::from_ref(&pair), start, by).course();
    assert_eq!(course([4, 0, 0], [0, 1, 0]), Course::Parts);
    assert_eq!(course([4, 0, 0], [-1, 1, 0]), Course::Slides);
    assert_eq!(course([4, 0, 0], [-1, 0, 0]), Course::Presses);
    assert_eq!(course([1, 1, 2], [1, -1, 0]), Course::Slides);
    // Two wedges whose edges cross: only the product of the edges divides them.
    let across = Polyhedron::hull(&[[-2, 0, 0], [2, 0, 0], [-1, 1, 2], [1, 1, 2], [-1, -1, 2], [1, -1, 2]]);
    let below =
        Polyhedron::hull(&[[0, -2, 0], [0, 2, 0], [1, -1, -2], [1, 1, -2], [-1, -1, -2], [-1, 1, -2]]);
    let pair = obstacle(&across, &below);
    assert_eq!(pair.standing_at([0, 0, 0]), Standing::Touching);
    assert_eq!(pair.standing_at([0, 0, 1]), Standing::Clear);
    assert!(pair.active([0, 0, 0]).eq([[0, 0, 1]]));
}

#[test]
fn surfaces_are_closed_and_hold_what_the_boxes_do() {
    let mut random = Random(13);
    for case in 0..200 {
        let shape = match case % 5 {
            0 => random_box(&mut random),
            1 => random_floor(&mut random),
            2 => random_polycube(&mut random),
            3 => random_prism(&mut random),
            _ => random_surroundings(&mut random),
        };
        let volume = |[min, max]: &[Point; 2]| (0..3).map(|k| max[k] - min[k]).product::<i64>();
        let expected = 6 * shape.solid.boxes.iter().map(volume).sum::<i64>();
        assert_eq!(shape.surface.volume(), expected, "case {case}");
        assert!(shape.surface.is_closed_without_t_junctions(), "case {case}");
        let polyhedron = random_polyhedron(&mut random);
        assert!(polyhedron.surface().is_closed_without_t_junctions());
        assert!(polyhedron.surface().volume() > 0);
    }
    let counts = DIVISIONS.map(|division| Surface::of_box(UNIT).divided(division, &mut random).faces.len());
    assert_eq!(counts[..3], [6, 12, 24]);
}

#[test]
fn numbers_are_what_they_say() {
    assert_eq!(directions().len(), 26);
    assert!(Ratio::new(1, 3) < Ratio::new(2, 5) && Ratio::new(-1, -3) == Ratio::new(2, 6));
    let third = 1.0 / 3.0_f64;
    // The nearest number is below a third, the next one above.
    assert!(Ratio::new(1, 3).is_at_least(third) && !Ratio::new(1, 3).is_at_least(third.next_up()));
    assert!(Ratio::new(1, 2).is_at_least(0.5) && !Ratio::new(1, 2).is_at_least(0.5_f64.next_up()));
    assert!(
        Ratio::new(3, 2).is_at_least(1.0) && Ratio::ZERO.is_at_least(0.0) && !Ratio::ZERO.is_at_least(1e-300)
    );
    assert!(Ratio::new(1, 7).is_at_least(1e-300));
    let (matrix, square) = tilt([1, 2, 3, 1]);
    for (i, row) in matrix.iter().enumerate() {
        for (j, other) in matrix.iter().enumerate() {
            assert_eq!(dot(*row, *other), if i == j { square * square } else { 0 });
        }
    }
    assert_eq!(determinant(&matrix), square.pow(3));
    assert_eq!(apply(&matrix, scaled([1, 0, 0], 2)), matrix.map(|row| 2 * row[0]));
    // Every face, edge and corner of two cubes is among the starts.
    let of_cubes = touching_translations(&cubes()[0]);
    assert_eq!(of_cubes[&3].len(), 8);
    assert_eq!(of_cubes[&2].len(), 12 * 3);
    assert_eq!(of_cubes[&1].len(), 6 * 9);
}
