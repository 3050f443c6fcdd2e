//! Shapes whose truth is known: what is moved, and what it is moved along.

use std::collections::BTreeSet;

use super::lattice::{Point, signed_permutation};
use super::solid::{CELL, Solid, random_cells};
use super::surface::{DIVISIONS, Division, Surface};
use crate::oracle::cases::Random;

/// A solid and one of its surfaces.
#[derive(Clone, Debug)]
pub struct Shape {
    pub solid: Solid,
    pub surface: Surface,
}

impl Shape {
    /// Of unit squares, divided in some way.
    pub fn of_cells(cells: &BTreeSet<Point>, division: Division, random: &mut Random) -> Shape {
        let surface = Surface::of_cells(cells).divided(division, random);
        Shape { solid: Solid::of_cells(cells), surface }
    }

    /// Of six quads, divided in some way.
    pub fn of_box(bounds: [Point; 2], division: Division, random: &mut Random) -> Shape {
        let surface = Surface::of_box(bounds).divided(division, random);
        Shape { solid: Solid::of_box(bounds[0], bounds[1]), surface }
    }

    fn turned(self, random: &mut Random) -> Shape {
        let matrix = signed_permutation(random);
        Shape { solid: self.solid.mapped(&matrix), surface: self.surface.mapped(&matrix) }
    }
}

fn any_division(random: &mut Random) -> Division {
    DIVISIONS[random.below(4) as usize]
}

/// Six quads, or a grid of unit squares.
pub fn random_box(random: &mut Random) -> Shape {
    let min: Point = std::array::from_fn(|_| CELL * (random.below(5) as i64 - 2));
    let max = min.map(|x| x + CELL * [1, 1, 2, 3][random.below(4) as usize]);
    let division = any_division(random);
    if random.below(3) == 0 {
        let cells = Solid::of_box(min, max).cells();
        return Shape { solid: Solid::of_box(min, max), ..Shape::of_cells(&cells, division, random) };
    }
    Shape::of_box([min, max], division, random)
}

/// A wide and thin box: a floor or a wall.
pub fn random_floor(random: &mut Random) -> Shape {
    let [a, b] = std::array::from_fn(|_| CELL * (3 + random.below(4) as i64));
    let division = any_division(random);
    let floor = Shape::of_box([[-a, -b, -CELL], [a, b, 0]], division, random);
    floor.turned(random)
}

pub fn random_polycube(random: &mut Random) -> Shape {
    let count = 2 + random.below(6) as usize;
    let cells = random_cells(random, count, 2);
    Shape::of_cells(&cells, any_division(random), random)
}

/// Prisms over an L, a T, a U and a Z, with as few corners as they have.
pub fn random_prism(random: &mut Random) -> Shape {
    type Rectangle = [[i64; 2]; 2];
    let shapes: [(&[[i64; 2]], &[Rectangle]); 4] = [
        (&[[0, 0], [3, 0], [3, 1], [1, 1], [1, 3], [0, 3]], &[[[0, 0], [3, 1]], [[0, 1], [1, 3]]]),
        (
            &[[1, 0], [2, 0], [2, 2], [3, 2], [3, 3], [0, 3], [0, 2], [1, 2]],
            &[[[1, 0], [2, 2]], [[0, 2], [3, 3]]],
        ),
        (
            &[[0, 0], [3, 0], [3, 2], [2, 2], [2, 1], [1, 1], [1, 2], [0, 2]],
            &[[[0, 0], [3, 1]], [[0, 1], [1, 2]], [[2, 1], [3, 2]]],
        ),
        (
            &[[0, 0], [2, 0], [2, 1], [3, 1], [3, 2], [1, 2], [1, 1], [0, 1]],
            &[[[0, 0], [2, 1]], [[1, 1], [3, 2]]],
        ),
    ];
    let (outline, rectangles) = shapes[random.below(4) as usize];
    let thickness = CELL * (1 + random.below(3) as i64);
    let outline: Vec<[i64; 2]> = outline.iter().map(|corner| corner.map(|x| x * CELL)).collect();
    let surface = Surface::of_outline(&outline, thickness).divided(any_division(random), random);
    let boxes = rectangles.iter().map(|[min, max]| {
        let at = |corner: &[i64; 2], z: i64| [corner[0] * CELL, corner[1] * CELL, z];
        [at(min, 0), at(max, thickness)]
    });
    Shape { solid: Solid { boxes: boxes.collect() }, surface }.turned(random)
}

/// Cells that enclose others or lie around them: a slot, a bore, a room, a corner, stairs, an arch.
pub fn random_surroundings(random: &mut Random) -> Shape {
    let cells: BTreeSet<Point> = block([4, 3, 4]).into_iter().filter(surroundings(random.below(6))).collect();
    Shape::of_cells(&cells, any_division(random), random).turned(random)
}

fn surroundings(kind: u64) -> impl Fn(&Point) -> bool {
    move |&[x, y, z]| match kind {
        // Open on top and at both ends, one cell wide, then two.
        0 => z == 0 || x == 0 || x == 3 || x == 2 && y == 0,
        // Open at both ends.
        1 => !((1..3).contains(&x) && (1..3).contains(&z)),
        // Closed all around.
        2 => !((1..3).contains(&x) && y == 1 && (1..3).contains(&z)),
        // Three walls.
        3 => x == 0 || y == 0 || z == 0,
        // Stairs.
        4 => x >= z,
        // Two posts and a beam.
        _ => (x == 0 || x == 3) && y == 0 || z == 3,
    }
}

fn block(size: [i64; 3]) -> Vec<Point> {
    let mut all = Vec::new();
    for x in 0..size[0] {
        for y in 0..size[1] {
            all.extend((0..size[2]).map(|z| [x, y, z]));
        }
    }
    all
}
