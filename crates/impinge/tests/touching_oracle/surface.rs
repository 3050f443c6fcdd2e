//! Closed meshes of lattice solids, with faces divided in different ways and no T-junctions.

use std::collections::{BTreeMap, BTreeSet};

use super::lattice::{Matrix, Point, add, apply, cross, determinant, dot, scaled, sub};
use super::solid::CELL;
use crate::oracle::cases::Random;

/// Polygons, seen counter-clockwise from outside, by the indices of their corners.
#[derive(Clone, Debug)]
pub struct Surface {
    pub points: Vec<Point>,
    pub faces: Vec<Vec<u32>>,
}

/// How squares are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Division {
    /// Not at all.
    Whole,
    /// Along one diagonal or the other.
    Diagonal,
    /// Into four triangles around the middle.
    Middle,
    /// Each in a way of its own.
    Mixed,
}

pub const DIVISIONS: [Division; 4] = [Division::Whole, Division::Diagonal, Division::Middle, Division::Mixed];

impl Surface {
    /// The boundary of a set of cells: one square for every face between a cell and none.
    pub fn of_cells(cells: &BTreeSet<Point>) -> Surface {
        let mut squares = Vec::new();
        for cell in cells {
            for axis in 0..3 {
                for side in [0, 1] {
                    let mut step = [0; 3];
                    step[axis] = 2 * side - 1;
                    if cells.contains(&add(*cell, step)) {
                        continue;
                    }
                    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                    let mut square = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[i, j]| {
                        let mut corner = *cell;
                        corner[axis] += side;
                        corner[u] += i;
                        corner[v] += j;
                        scaled(corner, CELL)
                    });
                    if side == 0 {
                        square.reverse();
                    }
                    squares.push(square.to_vec());
                }
            }
        }
        Surface::welded(&squares)
    }

    /// A box of six quads.
    pub fn of_box([min, max]: [Point; 2]) -> Surface {
        let one = Surface::of_cells(&BTreeSet::from([[0; 3]]));
        let place = |p: &Point| std::array::from_fn(|k| if p[k] == 0 { min[k] } else { max[k] });
        Surface { points: one.points.iter().map(place).collect(), faces: one.faces }
    }

    /// A polygon in the plane of x and y, counter-clockwise, as thick as is said: caps of triangles between its corners, sides of quads.
    pub fn of_outline(outline: &[[i64; 2]], thickness: i64) -> Surface {
        let at = |i: usize, z: i64| [outline[i][0], outline[i][1], z];
        let mut faces = Vec::new();
        for [a, b, c] in clip_ears(outline) {
            faces.push(vec![at(a, thickness), at(b, thickness), at(c, thickness)]);
            faces.push(vec![at(c, 0), at(b, 0), at(a, 0)]);
        }
        for i in 0..outline.len() {
            let j = (i + 1) % outline.len();
            faces.push(vec![at(i, 0), at(j, 0), at(j, thickness), at(i, thickness)]);
        }
        Surface::welded(&faces)
    }

    pub fn welded(faces: &[Vec<Point>]) -> Surface {
        let (mut points, mut names) = (Vec::new(), BTreeMap::new());
        let mut name = |point: &Point| {
            *names.entry(*point).or_insert_with(|| {
                points.push(*point);
                points.len() as u32 - 1
            })
        };
        let faces = faces.iter().map(|face| face.iter().map(&mut name).collect()).collect();
        Surface { points, faces }
    }

    /// With faces divided, and each begun at any of its corners. Faces of more than four corners stay whole.
    pub fn divided(&self, division: Division, random: &mut Random) -> Surface {
        let mut all: Vec<Vec<Point>> = Vec::new();
        for face in &self.faces {
            let mut corners: Vec<Point> = face.iter().map(|&i| self.points[i as usize]).collect();
            corners.rotate_left(random.below(face.len() as u64) as usize);
            let way = match division {
                Division::Mixed => DIVISIONS[random.below(3) as usize],
                other => other,
            };
            // The middle of a square of even sides is a lattice point.
            let middle: Point = match corners[..] {
                [a, _, c, _] => std::array::from_fn(|k| (a[k] + c[k]).div_euclid(2)),
                _ => [0; 3],
            };
            match way {
                Division::Diagonal if corners.len() == 4 => {
                    all.push(vec![corners[0], corners[1], corners[2]]);
                    all.push(vec![corners[0], corners[2], corners[3]]);
                }
                Division::Middle if corners.len() == 4 && is_middle(&corners, middle) => {
                    all.extend((0..4).map(|i| vec![corners[i], corners[(i + 1) % 4], middle]));
                }
                _ => all.push(corners),
            }
        }
        // The order of faces and vertices is of no consequence, and must be.
        for i in (1..all.len()).rev() {
            all.swap(i, random.below(i as u64 + 1) as usize);
        }
        Surface::welded(&all)
    }

    /// With the axes permuted and turned around; seen from outside as before.
    pub fn mapped(&self, matrix: &Matrix) -> Surface {
        let mut faces = self.faces.clone();
        if determinant(matrix) < 0 {
            faces.iter_mut().for_each(|face| face.reverse());
        }
        Surface { points: self.points.iter().map(|p| apply(matrix, *p)).collect(), faces }
    }

    /// Six times its volume.
    pub fn volume(&self) -> i64 {
        let fans =
            self.faces.iter().flat_map(|face| (2..face.len()).map(|i| [face[0], face[i - 1], face[i]]));
        fans.map(|corners| {
            let [a, b, c] = corners.map(|i| self.points[i as usize]);
            dot(a, cross(b, c))
        })
        .sum()
    }

    /// Whether every edge is matched by as many opposite ones, and no corner lies on an edge.
    pub fn is_closed_without_t_junctions(&self) -> bool {
        let mut sums = BTreeMap::<[u32; 2], i64>::new();
        for face in &self.faces {
            for (i, &a) in face.iter().enumerate() {
                let b = face[(i + 1) % face.len()];
                *sums.entry([a.min(b), a.max(b)]).or_default() += if a < b { 1 } else { -1 };
            }
        }
        sums.values().all(|sum| *sum == 0)
            && sums.keys().all(|edge| {
                let [a, b] = edge.map(|i| self.points[i as usize]);
                self.points.iter().all(|&p| {
                    let is_on_line = cross(sub(b, a), sub(p, a)) == [0; 3];
                    let is_between = dot(sub(p, a), sub(b, p)) > 0;
                    !(is_on_line && is_between)
                })
            })
    }
}

fn is_middle(corners: &[Point], middle: Point) -> bool {
    (0..2).all(|i| add(corners[i], corners[i + 2]) == scaled(middle, 2))
}

/// The triangles of a simple polygon, counter-clockwise, between its own corners.
fn clip_ears(outline: &[[i64; 2]]) -> Vec<[usize; 3]> {
    let turn = |a: usize, b: usize, c: usize| {
        let [a, b, c] = [a, b, c].map(|i| outline[i]);
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    };
    let mut left: Vec<usize> = (0..outline.len()).collect();
    let mut ears = Vec::new();
    while left.len() > 3 {
        let count = left.len();
        let ear = (0..count).find(|&i| {
            let [a, b, c] = [left[(i + count - 1) % count], left[i], left[(i + 1) % count]];
            let is_empty = left
                .iter()
                .filter(|p| ![a, b, c].contains(p))
                .all(|&p| turn(a, b, p) < 0 || turn(b, c, p) < 0 || turn(c, a, p) < 0);
            turn(a, b, c) > 0 && is_empty
        });
        let i = ear.expect("a simple polygon has an ear");
        ears.push([left[(i + count - 1) % count], left[i], left[(i + 1) % count]]);
        left.remove(i);
    }
    ears.push([left[0], left[1], left[2]]);
    ears
}
