//! Self-intersections against whole-number arithmetic, and on shapes of which one knows whether they have any.

use crate::effort::share;
use crate::oracle::cases::Random;
use impinge::math::DVec3;
use impinge::shapes::{self, Shape};
use impinge::{Mesh, Model};
use impinge_core::narrow::tri_tri::Kind;

fn all_cases() -> u64 {
    share(300, 6_000)
}

/// `(x, y, z, w)` stands for the point `(x/w, y/w, z/w)`, with w above zero.
type Point = [i128; 4];
type Vector = [i128; 3];

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

fn reduced(p: Point) -> Point {
    let divisor = p.iter().fold(0, |d, &c| gcd(d, c)) * p[3].signum();
    p.map(|c| c / divisor)
}

fn minus(a: &Point, b: &Point) -> Vector {
    std::array::from_fn(|i| a[i] * b[3] - b[i] * a[3])
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: &Vector, b: &Vector) -> i128 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// `n·p + d`, not below zero on the side that is meant.
fn half_space(n: Vector, p: &Point) -> [i128; 4] {
    [n[0], n[1], n[2], -(n[0] * p[0] + n[1] * p[1] + n[2] * p[2])]
}

/// The half-spaces whose intersection is a triangle, a segment or a point, given by three whole points.
fn half_spaces(t: &[Point; 3]) -> Vec<[i128; 4]> {
    let mut found = Vec::new();
    let mut equal = |n: Vector, p: &Point| found.extend([half_space(n, p), half_space(n.map(|c| -c), p)]);
    let normal = cross(&minus(&t[1], &t[0]), &minus(&t[2], &t[0]));
    let axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    if normal != [0; 3] {
        equal(normal, &t[0]);
        found.extend((0..3).map(|i| half_space(cross(&normal, &minus(&t[(i + 1) % 3], &t[i])), &t[i])));
        return found;
    }
    let length = |&(i, j): &(usize, usize)| {
        let d = minus(&t[j], &t[i]);
        dot(&d, &d)
    };
    let (i, j) = [(0, 1), (1, 2), (2, 0)].into_iter().max_by_key(length).unwrap();
    let along = minus(&t[j], &t[i]);
    for axis in axes {
        equal(if along == [0; 3] { axis } else { cross(&axis, &along) }, &t[i]);
    }
    found.extend([half_space(along, &t[i]), half_space(along.map(|c| -c), &t[j])]);
    found
}

fn clip(polygon: &[Point], h: &[i128; 4]) -> Vec<Point> {
    let value = |p: &Point| (0..4).map(|k| h[k] * p[k]).sum::<i128>();
    let mut kept = Vec::new();
    for i in 0..polygon.len() {
        let (p, q) = (&polygon[i], &polygon[(i + 1) % polygon.len()]);
        let (at_p, at_q) = (value(p), value(q));
        if at_p >= 0 {
            kept.push(*p);
        }
        if at_p.signum() * at_q.signum() < 0 {
            kept.push(reduced(std::array::from_fn(|k| q[k] * at_p - p[k] * at_q)));
        }
    }
    kept
}

/// The definition, word for word: what the triangles have in common, without what they share.
fn meet_beyond_shared(a: &[Point; 3], b: &[Point; 3]) -> bool {
    let common = half_spaces(b).iter().fold(a.to_vec(), |polygon, h| clip(&polygon, h));
    let mut shared: Vec<Point> = a.iter().filter(|p| b.contains(p)).copied().collect();
    shared.sort_unstable();
    shared.dedup();
    let all_shared = |t: &[Point; 3]| t.iter().all(|p| shared.contains(p));
    if all_shared(a) && all_shared(b) {
        return true;
    }
    let is_shared = |x: &Point| match shared[..] {
        [] => false,
        [v] => *x == v,
        [p, q] => {
            let (to_p, to_q) = (minus(&p, x), minus(&q, x));
            cross(&to_p, &to_q) == [0; 3] && dot(&to_p, &to_q) <= 0
        }
        _ => unreachable!(),
    };
    common.iter().any(|x| !is_shared(x))
}

fn whole(p: DVec3) -> Point {
    [p.x as i128, p.y as i128, p.z as i128, 1]
}

/// Small triangles on a small lattice: many share corners and edges, many have no area, many are equal.
#[test]
fn lattice_soups() {
    let (mut counted, mut neighbors) = (0, 0);
    for case in 0..all_cases() {
        let mut random = Random(case << 8 | 0x5e);
        let size = 1 + case % 2;
        let points: Vec<DVec3> = (0..30).map(|_| random.lattice(size)).collect();
        let found: Vec<(u32, u32)> = Model::new(Mesh::soup(points.iter().copied()).unwrap())
            .self_intersections()
            .iter()
            .map(|pair| (pair.face_a, pair.face_b))
            .collect();
        let faces: Vec<[Point; 3]> = points.chunks(3).map(|t| [t[0], t[1], t[2]].map(whole)).collect();
        let mut wanted = Vec::new();
        for i in 0..faces.len() {
            for j in i + 1..faces.len() {
                if meet_beyond_shared(&faces[i], &faces[j]) {
                    wanted.push((i as u32, j as u32));
                } else {
                    neighbors += usize::from(faces[i].iter().any(|p| faces[j].contains(p)));
                }
            }
        }
        assert_eq!(found, wanted, "case {case}");
        counted += wanted.len();
    }
    assert!(counted > 1000 && neighbors > 1000, "{counted} {neighbors}");
}

/// In larger soups, the tree finds what all pairs of two faces find.
#[test]
fn the_tree_misses_nothing() {
    for seed in 0..3 {
        let mesh = Mesh::from(shapes::random_soup(120, 0.4, seed).unwrap());
        let corners = |face: u32| mesh.fan_triangle(face, 0).map(|vertex| mesh.vertex(vertex));
        let mut wanted = Vec::new();
        for i in 0..120 {
            for j in i + 1..120 {
                let pair = Model::new(Mesh::soup([corners(i), corners(j)].concat()).unwrap());
                wanted.extend(pair.self_intersections().iter().map(|found| (i, j, found.kind)));
            }
        }
        let found = Model::new(mesh.clone()).self_intersections();
        assert_eq!(found.iter().map(|p| (p.face_a, p.face_b, p.kind)).collect::<Vec<_>>(), wanted);
        assert!(wanted.len() > 20);
    }
}

#[test]
fn closed_shapes_do_not_run_into_themselves() {
    for &shape in Shape::ALL {
        let model = Model::new(shape.generate(600, 1));
        if model.is_closed() {
            assert_eq!(model.self_intersections(), [], "{shape}");
        }
    }
}

/// A knot whose tube is blown up, ring by ring, until its strands meet.
#[test]
fn a_fat_knot_runs_into_itself() {
    let (segments, sides) = (96, 10);
    let thin = Mesh::from(shapes::knot(0.8, 0.1, segments, sides).unwrap());
    let points: Vec<DVec3> = thin.vertices().collect();
    let blown_up = |by: f64| {
        let rings = points.chunks(sides as usize).flat_map(|ring| {
            let middle = ring.iter().sum::<DVec3>() / f64::from(sides);
            ring.iter().map(move |&p| middle + (p - middle) * by)
        });
        let faces = (0..thin.face_count() as u32).map(|face| thin.fan_triangle(face, 0)).collect();
        Model::new(Mesh::triangles(rings.collect::<Vec<_>>(), faces).unwrap())
    };
    assert!(blown_up(1.0).self_intersections().is_empty());
    let found = blown_up(4.0).self_intersections();
    assert!(found.iter().any(|pair| pair.kind == Kind::Crossing));
    assert!(found.iter().all(|pair| pair.face_a < pair.face_b));
    assert!(found.is_sorted());
}

/// Two polygons along a common row of vertices, whatever corner they begin with, are no self-intersection; bent, flat,
/// and folded onto each other.
#[test]
fn polygons_with_collinear_corners() {
    let vertices = |apex: [f64; 3]| {
        [[0., 0., 0.], [1., 0., 0.], [2., 0., 0.], [3., 0., 0.], [3., 2., 0.], [0., 2., 0.], apex]
    };
    let rotated = |corners: &[u32], by: usize| [&corners[by..], &corners[..by]].concat();
    for (apex, expected) in [([1., -1., 0.], 0), ([1., 1., 1.], 0), ([1., 1., 0.], 1)] {
        for i in 0..6 {
            for j in 0..5 {
                let faces = [rotated(&[0, 1, 2, 3, 4, 5], i), rotated(&[3, 2, 1, 0, 6], j)];
                let model = Model::new(Mesh::polygons(vertices(apex), faces).unwrap());
                assert_eq!(model.self_intersections().len(), expected, "{apex:?} {i} {j}");
            }
        }
    }
    // Without the vertices in between, the long edge of one runs over vertices of the other: no common edge.
    let faces = [vec![0, 1, 2, 3, 4, 5], vec![3, 0, 6]];
    let model = Model::new(Mesh::polygons(vertices([1., -1., 0.]), faces).unwrap());
    assert_eq!(model.self_intersections().len(), 1);
}

/// A triangle on the diagonal of a square shares two vertices with it but no edge.
#[test]
fn a_diagonal_is_no_edge() {
    let vertices = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.], [0.5, 0.5, 1.]];
    for (corners, expected) in [([0, 2, 4], 1), ([1, 3, 4], 1), ([0, 1, 4], 0), ([3, 0, 4], 0)] {
        let faces = [vec![0, 1, 2, 3], corners.to_vec()];
        let model = Model::new(Mesh::polygons(vertices, faces).unwrap());
        assert_eq!(model.self_intersections().len(), expected, "{corners:?}");
    }
}
