//! Convex lattice polyhedra: their facets, and where one must not be put because of another.

use std::collections::{BTreeMap, BTreeSet};

use super::lattice::{Point, cross, dot, primitive, sub};
use super::obstacle::{Obstacle, Plane, Standing};
use super::surface::Surface;
use crate::oracle::cases::Random;

/// The convex hull of lattice points.
#[derive(Clone, Debug)]
pub struct Polyhedron {
    pub corners: Vec<Point>,
    /// Corners of each facet, counter-clockwise seen from outside.
    pub facets: Vec<(Plane, Vec<Point>)>,
}

impl Polyhedron {
    /// By trying all planes through three points.
    pub fn hull(points: &[Point]) -> Polyhedron {
        let mut planes = BTreeSet::new();
        for (i, a) in points.iter().enumerate() {
            for (j, b) in points.iter().enumerate().take(i) {
                for c in &points[..j] {
                    let normal = primitive(cross(sub(*b, *a), sub(*c, *a)));
                    for normal in [normal, normal.map(|x| -x)] {
                        let offset = dot(normal, *a);
                        if normal != [0; 3] && points.iter().all(|p| dot(normal, *p) <= offset) {
                            planes.insert(Plane { normal, offset });
                        }
                    }
                }
            }
        }
        assert!(planes.len() >= 4, "it has a volume");
        let facets: Vec<_> = planes.into_iter().map(|plane| (plane, around(plane, points))).collect();
        let corners: BTreeSet<Point> = facets.iter().flat_map(|(_, corners)| corners).copied().collect();
        Polyhedron { corners: corners.into_iter().collect(), facets }
    }

    pub fn surface(&self) -> Surface {
        let faces: Vec<Vec<Point>> = self.facets.iter().map(|(_, corners)| corners.clone()).collect();
        Surface::welded(&faces)
    }

    /// The directions of its edges.
    fn edges(&self) -> BTreeSet<Point> {
        let mut all = BTreeSet::new();
        for (_, corners) in &self.facets {
            for (i, corner) in corners.iter().enumerate() {
                all.insert(primitive(sub(corners[(i + 1) % corners.len()], *corner)));
            }
        }
        all
    }

    fn support(&self, normal: Point) -> i64 {
        self.corners.iter().map(|corner| dot(normal, *corner)).max().unwrap()
    }

    pub fn reach(&self) -> i64 {
        self.corners.iter().flatten().map(|x| x.abs()).max().unwrap()
    }
}

/// The corners of the points in a plane, in order: points between others are none.
fn around(plane: Plane, points: &[Point]) -> Vec<Point> {
    let on: Vec<Point> = points.iter().copied().filter(|p| dot(plane.normal, *p) == plane.offset).collect();
    let first = *on.iter().min().unwrap();
    let mut corners = vec![first];
    loop {
        let last = *corners.last().unwrap();
        let mut next = *on.iter().find(|p| **p != last).unwrap();
        for &p in on.iter().filter(|p| **p != last) {
            let turn = dot(plane.normal, cross(sub(next, last), sub(p, last)));
            let is_farther = dot(sub(p, last), sub(p, last)) > dot(sub(next, last), sub(next, last));
            if turn < 0 || turn == 0 && is_farther {
                next = p;
            }
        }
        if next == first {
            return corners;
        }
        corners.push(next);
    }
}

/// Where `moving` must not be put because of `stationary`: the Minkowski difference. Its facets are parallel to a facet of one of
/// the two, or to an edge of each.
pub fn obstacle(moving: &Polyhedron, stationary: &Polyhedron) -> Obstacle {
    let mut normals: BTreeSet<Point> = stationary.facets.iter().map(|(plane, _)| plane.normal).collect();
    normals.extend(moving.facets.iter().map(|(plane, _)| plane.normal.map(|x| -x)));
    for a in moving.edges() {
        for b in stationary.edges() {
            let normal = primitive(cross(a, b));
            if normal != [0; 3] {
                normals.extend([normal, normal.map(|x| -x)]);
            }
        }
    }
    let planes = normals.into_iter().map(|normal| Plane {
        normal,
        offset: stationary.support(normal) + moving.support(normal.map(|x| -x)),
    });
    Obstacle { planes: planes.collect(), bounds: None }
}

/// All whole translations at which the two touch, by how many planes of the obstacle they lie on, at most three counted.
pub fn touching_translations(obstacle: &Obstacle) -> BTreeMap<usize, Vec<Point>> {
    let [low, high] = [-1, 1].map(|sign| {
        [0, 1, 2].map(|axis| {
            let mut normal = [0; 3];
            normal[axis] = sign;
            let along = obstacle.planes.iter().find(|plane| plane.normal == normal);
            along.map_or(sign * 24, |plane| sign * plane.offset)
        })
    });
    let mut found = BTreeMap::<usize, Vec<Point>>::new();
    for x in low[0]..=high[0] {
        for y in low[1]..=high[1] {
            for point in (low[2]..=high[2]).map(|z| [x, y, z]) {
                if obstacle.standing_at(point) == Standing::Touching {
                    found.entry(obstacle.active(point).count().min(3)).or_default().push(point);
                }
            }
        }
    }
    found
}

/// Platonic and Archimedean solids on the lattice, pyramids, wedges, plates, and hulls of a few points.
pub fn random_polyhedron(random: &mut Random) -> Polyhedron {
    let signs =
        |p: Point| (0..8).map(move |code| [0, 1, 2].map(|k| if code >> k & 1 == 0 { p[k] } else { -p[k] }));
    let turns = |p: Point| [p, [p[1], p[2], p[0]], [p[2], p[0], p[1]]];
    let all = |p: Point| turns(p).into_iter().flat_map(signs).collect::<Vec<Point>>();
    let size = 1 + random.below(2) as i64;
    let points: Vec<Point> = match random.below(10) {
        0 => all([2, 0, 0]),
        1 => vec![[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]],
        2 => all([1, 1, 0]),
        3 => signs([1, 2, 1]).collect(),
        // The rhombic dodecahedron and the truncated octahedron.
        4 => all([2, 0, 0]).into_iter().chain(signs([1, 1, 1])).collect(),
        5 => [all([0, 1, 2]), all([0, 2, 1])].concat(),
        // A pyramid, a wedge, an octagonal plate.
        6 => vec![[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0], [0, 0, 1]],
        7 => vec![[0, 0, 0], [2, 0, 0], [0, 2, 0], [2, 2, 0], [0, 0, 2], [2, 0, 2]],
        8 => [signs([1, 2, 1]).collect::<Vec<_>>(), signs([2, 1, 1]).collect()].concat(),
        _ => loop {
            let count = 4 + random.below(5);
            let mut any = || [0, 1, 2].map(|_| random.below(5) as i64 - 2);
            let points: Vec<Point> = (0..count).map(|_| any()).collect();
            let [a, b, c] = [points[0], points[1], points[2]];
            let normal = cross(sub(b, a), sub(c, a));
            if points.iter().any(|p| dot(normal, sub(*p, a)) != 0) {
                break points;
            }
        },
    };
    let points: Vec<Point> = points.into_iter().map(|p| p.map(|x| x * size)).collect();
    Polyhedron::hull(&points)
}
