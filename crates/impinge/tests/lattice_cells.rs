//! Verdicts of models made of tetrahedra, against sets of tetrahedra, where counting tells the truth.
//!
//! Space is cut by the planes x = k, y = k, z = k, x − y = k, y − z = k, z − x = k into equal tetrahedra, six to a
//! cube; twice as large ones are cut by some of the same planes. So surfaces made of them meet in whole faces, halves
//! and quarters of faces, edges and corners, and never cross.

use std::collections::{BTreeMap, BTreeSet};

use crate::oracle::cases::Random;
use impinge::math::{DAffine3, DMat3, DVec3};
use impinge::mesh::Group;
use impinge::query::{Contained, Engine, IntersectOptions};
use impinge::{Mesh, Model, Placement, Verdict};
use impinge_core::narrow::tri_tri::Kind;

const CASES: u64 = if cfg!(debug_assertions) { 40 } else { 500 };

type Point = [i32; 3];
/// The corners in ascending order.
type Triangle = [Point; 3];
type Tetrahedron = [Point; 4];

const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// One of the six tetrahedra of a cube: a path of `size` steps along its sides.
fn tetrahedron(corner: Point, order: usize, size: i32) -> Tetrahedron {
    let mut path = [corner; 4];
    for step in 0..3 {
        path[step + 1] = path[step];
        path[step + 1][ORDERS[order][step]] += size;
    }
    path
}

fn volume(t: &Tetrahedron) -> i32 {
    let d = |i: usize, k: usize| t[i][k] - t[0][k];
    d(1, 0) * (d(2, 1) * d(3, 2) - d(2, 2) * d(3, 1))
        + d(1, 1) * (d(2, 2) * d(3, 0) - d(2, 0) * d(3, 2))
        + d(1, 2) * (d(2, 0) * d(3, 1) - d(2, 1) * d(3, 0))
}

/// The faces, seen counter-clockwise from outside.
fn faces(t: &Tetrahedron) -> [Triangle; 4] {
    let [a, b, c, d] = *t;
    let outward = [[a, c, b], [a, b, d], [b, c, d], [a, d, c]];
    if volume(t) > 0 { outward } else { outward.map(|[p, q, r]| [p, r, q]) }
}

/// The small tetrahedra in a large one: their middles, four times as large, lie inside its faces.
fn small_ones(t: &Tetrahedron, size: i32) -> BTreeSet<(Point, usize)> {
    let inside = |p: Point| {
        faces(t).iter().all(|&[a, b, c]| {
            let times = |q: Point| q.map(|x| 4 * x);
            volume(&[times(a), times(b), times(c), p]) < 0
        })
    };
    let mut found = BTreeSet::new();
    let low: Point = std::array::from_fn(|k| t.iter().map(|p| p[k]).min().unwrap());
    for cell in cells(low, low.map(|x| x + size)) {
        for order in 0..6 {
            let small = tetrahedron(cell, order, 1);
            let middle = std::array::from_fn(|k| small.iter().map(|p| p[k]).sum());
            if inside(middle) {
                found.insert((cell, order));
            }
        }
    }
    found
}

fn cells(low: Point, high: Point) -> Vec<Point> {
    let mut list = Vec::new();
    for x in low[0]..high[0] {
        for y in low[1]..high[1] {
            list.extend((low[2]..high[2]).map(|z| [x, y, z]));
        }
    }
    list
}

/// The small triangles that make up a triangle, with the middles of small tetrahedra on both sides: all faces of small
/// tetrahedra whose corners lie on it.
fn small_triangles(t: Triangle) -> BTreeSet<Triangle> {
    let low: Point = std::array::from_fn(|k| t.iter().map(|p| p[k]).min().unwrap() - 1);
    let high: Point = std::array::from_fn(|k| t.iter().map(|p| p[k]).max().unwrap() + 1);
    let on = |p: &Point| {
        let [a, b, c] = t;
        let normal = normal(t);
        let edges = [(a, b), (b, c), (c, a)];
        volume(&[a, b, c, *p]) == 0
            && edges.iter().all(|&(s, e)| dot(cross(minus(e, s), minus(*p, s)), normal) >= 0)
    };
    let mut found = BTreeSet::new();
    for cell in cells(low, high) {
        for order in 0..6 {
            for mut face in faces(&tetrahedron(cell, order, 1)) {
                if face.iter().all(on) {
                    face.sort_unstable();
                    found.insert(face);
                }
            }
        }
    }
    found
}

fn minus(a: Point, b: Point) -> Point {
    std::array::from_fn(|k| a[k] - b[k])
}

fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: Point, b: Point) -> i32 {
    (0..3).map(|k| a[k] * b[k]).sum()
}

fn normal([a, b, c]: Triangle) -> Point {
    cross(minus(b, a), minus(c, a))
}

struct Complex {
    model: Model,
    inside: BTreeSet<(Point, usize)>,
    triangles: BTreeSet<Triangle>,
}

/// A few tetrahedra, small and large, some turned inside out, some with a face missing; their common faces are left out
/// or left in, and they are parts of their own or not.
fn complex(random: &mut Random, size: i32) -> Complex {
    let mut winding = BTreeMap::<(Point, usize), i32>::new();
    let mut listed: Vec<(u32, Triangle)> = Vec::new();
    let own_groups = random.below(2) == 0;
    let merge = !own_groups && random.below(2) == 0;
    let most = if random.below(3) == 0 { 12 } else { 4 };
    let count = 1 + random.below(most);
    for group in 0..count as u32 {
        let scale = if size > 1 && random.below(3) == 0 { 2 } else { 1 };
        let corner: Point = std::array::from_fn(|_| {
            let steps = (size / scale) as u64;
            scale * random.below(steps) as i32
        });
        let order = random.below(6) as usize;
        let t = tetrahedron(corner, order, scale);
        let inward = random.below(6) == 0;
        let mut own: Vec<Triangle> = faces(&t).to_vec();
        if inward {
            own.iter_mut().for_each(|face| face.swap(0, 1));
        }
        let open = own_groups && random.below(6) == 0;
        if open {
            own.truncate(1 + random.below(3) as usize);
        } else {
            for small in small_ones(&t, scale) {
                *winding.entry(small).or_default() += if inward { -1 } else { 1 };
            }
        }
        listed.extend(own.into_iter().map(|face| (if own_groups { group } else { 0 }, face)));
    }
    if merge {
        // Two faces back to back leave nothing.
        let mut kept: Vec<(u32, Triangle)> = Vec::new();
        let least_first = |mut face: Triangle| {
            let least = (0..3).min_by_key(|&i| face[i]).unwrap();
            face.rotate_left(least);
            face
        };
        for (group, face) in listed {
            let face = least_first(face);
            let back = [face[0], face[2], face[1]];
            match kept.iter().position(|(_, other)| *other == back) {
                Some(i) => drop(kept.swap_remove(i)),
                None => kept.push((group, face)),
            }
        }
        listed = kept;
    }
    if listed.is_empty() {
        return complex(random, size);
    }
    let mut groups: Vec<Group> = Vec::new();
    let (mut points, mut last) = (Vec::new(), None);
    for (i, (group, face)) in listed.iter().enumerate() {
        if own_groups && last != Some(group) {
            groups.push(Group { name: String::new(), first_face: i as u32 });
            last = Some(group);
        }
        let turn = random.below(3) as usize;
        points.extend((0..3).map(|k| face[(k + turn) % 3].map(f64::from)));
    }
    let model = Model::new(Mesh::soup(points).unwrap().with_groups(groups).unwrap());
    Complex {
        model,
        inside: winding.into_iter().filter(|&(_, number)| number > 0).map(|(cell, _)| cell).collect(),
        triangles: listed.iter().flat_map(|&(_, face)| small_triangles(face)).collect(),
    }
}

/// The two small tetrahedra on both sides of a small triangle.
fn neighbors(triangle: &Triangle) -> Vec<(Point, usize)> {
    let low: Point = std::array::from_fn(|k| triangle.iter().map(|p| p[k]).min().unwrap() - 1);
    let mut found = Vec::new();
    for cell in cells(low, low.map(|x| x + 2)) {
        for order in 0..6 {
            let t = tetrahedron(cell, order, 1);
            if triangle.iter().all(|corner| t.contains(corner)) {
                found.push((cell, order));
            }
        }
    }
    assert_eq!(found.len(), 2);
    found
}

fn truth(a: &Complex, b: &Complex) -> Verdict {
    let sides = |own: &Complex, other: &Complex, inside: bool| {
        own.triangles.iter().any(|t| neighbors(t).iter().all(|cell| other.inside.contains(cell) == inside))
    };
    let common = !a.inside.is_disjoint(&b.inside) || sides(a, b, true) || sides(b, a, true);
    if common {
        let a_out = !a.inside.is_subset(&b.inside) || sides(a, b, false);
        let b_out = !b.inside.is_subset(&a.inside) || sides(b, a, false);
        return match (a_out, b_out) {
            (false, true) => Verdict::Inside(Contained::A),
            (true, false) => Verdict::Inside(Contained::B),
            _ => Verdict::Overlapping,
        };
    }
    let corners = |of: &Complex| -> BTreeSet<Point> { of.triangles.iter().flatten().copied().collect() };
    if corners(a).is_disjoint(&corners(b)) { Verdict::Clear } else { Verdict::Touching }
}

/// A map with small whole entries and determinant ±1: exact on the lattice, but nothing stays parallel to an axis.
fn shear(random: &mut Random) -> Placement {
    let mut matrix3 = DMat3::IDENTITY;
    for _ in 0..3 {
        let (i, j) = (random.below(3) as usize, random.below(3) as usize);
        if i != j {
            let mut step = DMat3::IDENTITY;
            step.col_mut(i)[j] = random.below(5) as f64 - 2.0;
            matrix3 = step * matrix3;
        }
    }
    if random.below(2) == 0 {
        matrix3 = DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0)) * matrix3;
    }
    Placement::try_from(DAffine3 { matrix3, translation: random.lattice(9) }).unwrap()
}

#[test]
fn complexes_agree_with_sets_of_tetrahedra() {
    let mut counts = [0; 4];
    for case in 0..CASES {
        let mut random = Random(case << 8 | 0xc3);
        let size = [1, 2, 2, 4][(case % 4) as usize];
        let (a, b) = (complex(&mut random, size), complex(&mut random, size));
        let expected = truth(&a, &b);
        let at_rest = Placement::IDENTITY;
        let ask = IntersectOptions::new().pairs(true).surface_only(false);
        let answer = a.model.at(at_rest).intersect_with(&b.model.at(at_rest), ask.engine(Engine::Brute));
        assert!(answer.pairs.iter().all(|pair| pair.kind == Kind::Touching), "case {case}: nothing crosses");
        assert_eq!(answer.verdict, expected, "case {case}");
        let back = b.model.at(at_rest).verdict(&a.model.at(at_rest));
        assert_eq!(back, expected.flipped(), "case {case}, exchanged");
        // The same in a frame of which nothing is parallel to anything: one of the two is moved into the other's frame
        // and is not rounded there.
        let place = shear(&mut random);
        let baked = |of: &Complex| {
            let points = of.model.mesh().vertices().map(|p| place.point_to_world(p));
            let mesh = Mesh::soup(points).unwrap().with_groups(of.model.mesh().groups().to_vec()).unwrap();
            // A soup is not turned by a mirror; the model is.
            Model::new(mesh)
        };
        if !place.is_mirrored() {
            let answer = baked(&a).at(at_rest).verdict(&baked(&b).at(at_rest));
            assert_eq!(answer, expected, "case {case}, baked by {place:?}");
        }
        let answer = a.model.at(place).verdict(&b.model.at(place));
        assert_eq!(answer, expected, "case {case}, placed by {place:?}");
        counts[match expected {
            Verdict::Clear => 0,
            Verdict::Touching => 1,
            Verdict::Overlapping => 2,
            Verdict::Inside(_) => 3,
        }] += 1;
    }
    println!("clear, touching, overlapping, inside: {counts:?}");
    assert!(counts.iter().all(|&count| count > CASES / 60), "{counts:?}");
}
